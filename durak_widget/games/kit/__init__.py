"""What do trees, matrices and solvers all need: numbers as people write them, other packages, how far a long computation is? What a game is stands in `trees`."""
