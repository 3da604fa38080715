"""Runs code of other people in a separate process, where the code can do no harm."""
