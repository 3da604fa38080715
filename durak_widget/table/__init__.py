"""The card table in the notebook."""
