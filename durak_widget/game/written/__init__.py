"""How is a game, or a position, written as text and read again without loss? How it looks is asked in `shown`."""
