"""What the tests of the classroom share: what was judged in one of them is not known to the next, and seals that cost next to nothing."""

from __future__ import annotations

import pytest

from durak_widget.classroom.handing import sealing

collect_ignore = ["conftest.py"]  # there is another of that name: neither is looked through for examples


@pytest.fixture(autouse=True)
def _nothing_judged_before(tmp_path_factory, monkeypatch):
    """An empty folder for what is kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("kept")))


PRICE = sealing._COST


@pytest.fixture(autouse=True)
def guess_price(monkeypatch):
    """What a guess costs in earnest, a twentieth of a second; here it costs next to nothing, since no claim but that of its price is about that."""
    monkeypatch.setattr(sealing, "_COST", 2)
    return PRICE
