"""Turns games that a school class played into data, and into a bot that plays like them."""
