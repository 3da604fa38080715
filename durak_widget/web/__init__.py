"""Runs the card table and the game theory board on web pages, with Python in the browser."""
