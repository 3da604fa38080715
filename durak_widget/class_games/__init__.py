"""Turns the games of a school class into data, and into a bot that plays like the class."""
