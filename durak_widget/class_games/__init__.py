"""Turns a school class's games into data, and into a bot that imitates the class."""
