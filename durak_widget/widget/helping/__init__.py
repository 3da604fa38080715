"""What is worth saying to somebody who plays: advice on the next move, and its reason? When it is said is asked in `meant`."""
