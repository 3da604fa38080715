"""Runs other people's code in a process that can do no harm."""
