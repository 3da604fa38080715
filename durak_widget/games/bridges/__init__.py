"""How does a game go to another package, and what that found back? Files of games stand in `trees`; what knows cards is bridged in `theory`."""
