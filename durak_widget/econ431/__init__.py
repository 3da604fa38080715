"""Contains a problem set about Durak, for the university course Econ 431."""

from __future__ import annotations

from durak_widget.econ431.problem_set import ASSIGNMENT

__all__ = ["ASSIGNMENT"]
