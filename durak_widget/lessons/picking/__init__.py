"""Modules that have not moved yet."""
