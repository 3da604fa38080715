"""Derive secrets from words so slowly that nobody finds a word by trying many."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Final

_COST, _BLOCK, _MEMORY = 2**15, 8, 2**27
"""What one guess costs: about a tenth of a second, and 32 MB."""
AVAILABLE: Final = hasattr(hashlib, "scrypt")
"""Whether this Python has scrypt; Python in a browser does not."""


@cache
def slow_hash(word: str, salt: str, size: int) -> bytes:
    """Return `size` bytes that follow from a word and a salt, by scrypt.

    >>> len(slow_hash("willow", "a test", 16)), slow_hash("willow", "a test", 16) == slow_hash("willow", "another", 16)
    (16, False)
    """
    return hashlib.scrypt(word.encode(), salt=salt.encode(), n=_COST, r=_BLOCK, p=1, maxmem=_MEMORY, dklen=size)
