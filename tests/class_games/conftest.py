"""What these tests share: homework is marked anew in each, and seals cost next to nothing."""

from __future__ import annotations

from support.homework_fixtures import guess_price, nothing_judged_before

__all__ = ["guess_price", "nothing_judged_before"]

collect_ignore = ["conftest.py"]  # there is another of that name: neither is looked through for examples
