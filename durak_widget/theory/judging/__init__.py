"""What would a bot do everywhere in a small game, what is it certain of, and what is it worth that hands are hidden? How it comes to a single move is asked in `bots`."""
