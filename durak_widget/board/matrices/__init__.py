"""What lies in a matrix on the page: its cells, what is struck out and why, its picture? Which plans are dominated is found in `games/matrices`."""
