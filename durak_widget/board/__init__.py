"""The blackboard: a game tree and a strategic form in the notebook, as one would draw them.

`Tree` is a tree that unfolds, `Matrix` the strategic form alone. Both are fetched as `theory.Tree` and `theory.Matrix`.
"""
