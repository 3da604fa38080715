"""Assignments about a teacher's own game, with different random numbers for each student."""
