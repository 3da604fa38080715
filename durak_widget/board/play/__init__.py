"""What is known of play on a tree: one's own strategy, a solution, what is learned, and what it is worth?"""
