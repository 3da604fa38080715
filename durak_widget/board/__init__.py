"""The blackboard: trees and matrices on the page, with solutions, pictures and LaTeX.

`Tree` is a tree that unfolds, `Matrix` the strategic form alone. Both are fetched as `analysis.Tree` and `analysis.Matrix`.
"""
