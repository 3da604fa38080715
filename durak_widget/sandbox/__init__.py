"""Runs code that other people wrote, in a separate process in which it can do no harm."""
