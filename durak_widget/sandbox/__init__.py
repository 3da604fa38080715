"""Runs other people's code in a separate process in which it can do no harm."""
