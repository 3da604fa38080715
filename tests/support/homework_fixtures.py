"""Shared fixtures of homework tests: an empty store of verdicts, and cheap seals."""

from __future__ import annotations

import pytest

from durak_widget.homework import answer_hashes


@pytest.fixture(autouse=True)
def nothing_judged_before(tmp_path_factory, monkeypatch):
    """Use an empty folder for stored verdicts."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("kept")))


PRICE = answer_hashes._SCRYPT_COST


@pytest.fixture(autouse=True)
def guess_price(monkeypatch):
    """Return the real price of a guess, a twentieth of a second. In the tests it is almost free, because only one is about it."""
    monkeypatch.setattr(answer_hashes, "_SCRYPT_COST", 2)
    return PRICE
