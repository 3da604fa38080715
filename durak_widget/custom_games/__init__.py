"""Assignments made from a teacher's own game, with random numbers for each student."""
