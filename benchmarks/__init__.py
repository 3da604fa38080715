"""Measures the speed of the model: `make bench`."""
