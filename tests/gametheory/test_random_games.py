"""Random games of every kind are answered without a fault: whatever is said of them holds by trying all plans of everybody."""

from __future__ import annotations

import pytest

from support.answers_tried import tried_of
from support.kinds_of_games import KINDS
from support.sizes import tried


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_said_of_random_games_holds(kind):
    """Equilibria, what they are worth and called, and that all pure ones are there: five hundred games before a release, a few at other times."""
    found, faults = tried_of(kind, tried(2, 500))
    assert not faults
    assert found
