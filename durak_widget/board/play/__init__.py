"""What is known of play on a tree: one's own strategy, a solution, what is learned? What a strategy is worth is worked out in `games/solving`."""
