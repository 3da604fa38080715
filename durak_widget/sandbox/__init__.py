"""Runs code of other people in a separate process, where it can do no harm."""
