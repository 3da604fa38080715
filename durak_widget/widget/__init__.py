"""The table in the notebook: what is drawn, what a person means, and who plays which seat."""
