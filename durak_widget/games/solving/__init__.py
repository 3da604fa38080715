"""What is a game worth, how is it played best, and how is that proved? What a game is stands in `trees`."""
