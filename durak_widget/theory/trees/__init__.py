"""What is Durak as a tree: all deals, or what one seat thinks possible, and the way back from a history to a game? Solving is done in `games`."""
