"""What is a game: a deal, its moves, all that may be asked of it, and matches of several? What it stands on has rooms of its own, from `play` to `shown`."""
