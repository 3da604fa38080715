"""Draw a game tree or type a matrix by hand."""
