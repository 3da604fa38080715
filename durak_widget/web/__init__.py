"""The table and the game-theory board on a web page, with Python in the browser."""
