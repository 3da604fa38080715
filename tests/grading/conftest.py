"""Shared fixtures: homework is marked again in each test, and seals are cheap to make."""

from __future__ import annotations

from support.homework_fixtures import guess_price, nothing_judged_before

__all__ = ["guess_price", "nothing_judged_before"]

collect_ignore = ["conftest.py"]  # another file has this name, so neither is searched for doctests
