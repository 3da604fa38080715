"""A teacher's own game becomes an assignment with random numbers."""
