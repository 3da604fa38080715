"""Recorded games of a class as data, and a bot that plays like the class."""
