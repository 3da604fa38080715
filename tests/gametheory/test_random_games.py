"""Test random games of every kind: every statement about them is checked by trying all pure strategies."""

from __future__ import annotations

import pytest

from support.answers_tried import tried_of
from support.kinds_of_games import KINDS
from support.sizes import tried


@pytest.mark.parametrize("kind", KINDS)
def test_statements_about_random_games_are_true(kind):
    """Equilibria, payoffs, names, and that all pure ones are listed: five hundred games before a release, a few at other times."""
    found, faults = tried_of(kind, tried(2, 500))
    assert not faults
    assert found
