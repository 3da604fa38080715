"""How is Durak played in OpenSpiel and PettingZoo? Gambit's files know no card: they are read and written in `games`."""
