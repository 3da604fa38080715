"""How is a matrix written by hand, cell by cell, with every step taken back? How a tree is drawn is asked in `sketches`, what a matrix looks like in `matrices`."""
