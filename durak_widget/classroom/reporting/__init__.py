"""How does a class stand, and what does each student get back? The points come from `marking`."""
