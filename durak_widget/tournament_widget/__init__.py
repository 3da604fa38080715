"""The widget that shows a tournament while it is played."""
