"""How does what a seat sees look, and how is it told in words, where nothing is live? The table that one plays at is in `widget`."""
