"""Modules that handed-out notebooks import; their names must not change."""
