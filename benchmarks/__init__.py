"""Benchmarks: `python -m benchmarks` lists them. Each backs figures in the README or the docs."""
