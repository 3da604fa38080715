"""Two modules that handed-out notebooks import by these names."""
