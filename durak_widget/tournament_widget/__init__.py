"""Contains the widget that displays a tournament of bots while it is played."""
