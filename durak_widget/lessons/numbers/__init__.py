"""How many, how likely? Questions whose answer is a number."""
