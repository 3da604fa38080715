"""How does a student keep answers, and hand them in? What they are worth is asked in `marking`."""
