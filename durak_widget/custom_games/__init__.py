"""Makes assignments from a teacher's own game; each student gets random payoffs."""
