"""What is a game? Trees with information sets, as moves, as Gambit's files, as the textbooks have them. Who wins is asked in `solving`."""
