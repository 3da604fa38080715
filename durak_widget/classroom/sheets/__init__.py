"""Which notebooks are handed out, with which solutions for the teacher? What comes back is read in `marking`."""
