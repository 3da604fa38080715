"""One problem set on Durak."""

from __future__ import annotations

from durak_widget.econ431.problem_set import ASSIGNMENT

__all__ = ["ASSIGNMENT"]
