"""What may one seat know of a game? What it makes of that is asked of bots and in `theory.hidden`."""
