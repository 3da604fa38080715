"""Which equilibria has a game on the tree itself, and what must one believe in them? What a zero-sum game is worth is asked in `solving`, the equilibria of a table in `matrices`."""
