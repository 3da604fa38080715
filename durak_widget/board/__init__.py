"""What does a game tree, or a matrix, look like in the notebook, as one would draw it? What it is, and how it is solved, is asked in `gametheory`.

`Tree` is a tree that unfolds, `Matrix` the strategic form alone. Both are fetched as `analysis.Tree` and `analysis.Matrix`.
"""
