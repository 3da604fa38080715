"""How is a game drawn by hand: move by move, with every step taken back, and told what is still missing? What a drawn tree looks like is asked in `drawn`."""
