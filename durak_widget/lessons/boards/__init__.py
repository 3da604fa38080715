"""What can be asked on a tree or a matrix? What these are, and how they are drawn, is known in `board`."""
