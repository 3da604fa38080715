"""The widget that shows a tournament of bots while the tournament is played."""
