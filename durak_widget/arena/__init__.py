"""How good is who? Tournaments of anybody's bots: paired deals, ratings with what they leave open, and every game kept."""
