"""What the tests of the classroom share: what was judged in one of them is not known to the next, and seals that cost next to nothing."""

from __future__ import annotations

import pytest

from durak_widget.homework import answer_hashes


@pytest.fixture(autouse=True)
def nothing_judged_before(tmp_path_factory, monkeypatch):
    """An empty folder for what is kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("kept")))


PRICE = answer_hashes._SCRYPT_COST


@pytest.fixture(autouse=True)
def guess_price(monkeypatch):
    """What a guess costs in earnest, a twentieth of a second; here it costs next to nothing, since no claim but that of its price is about that."""
    monkeypatch.setattr(answer_hashes, "_SCRYPT_COST", 2)
    return PRICE
