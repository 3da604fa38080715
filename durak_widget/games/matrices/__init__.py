"""What does a game look like as a table of plans? Its strategic form, its payoffs as they are written, its equilibria. How it is played from move to move is asked in `trees`."""
