"""Keeps modules under the names that handed-out notebooks import; never rename them."""
