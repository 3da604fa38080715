"""Contains the benchmarks, which `python -m benchmarks` lists.

Each backs figures in the README or the docs.
"""
