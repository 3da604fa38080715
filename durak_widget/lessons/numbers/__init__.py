"""How many, how likely? Questions whose answer is a number; where hands are hidden, `theory/hidden` counts."""
