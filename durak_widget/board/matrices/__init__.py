"""A matrix on the page: its cells, what is struck out and why, and its picture."""
