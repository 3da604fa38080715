"""Can it be won from here? A position is played, to a goal or in the head; what it is worth is worked out in `theory/endings`."""
