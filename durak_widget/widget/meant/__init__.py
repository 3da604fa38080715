"""What did a person at the page mean by a message, and what is done about it? What it does to the game is asked in `playing`."""
