"""Makes assignments from a teacher's own game, with random payoffs for each student."""
