"""The card table widget for notebooks."""
