"""Bots of small tournaments, and all results of a ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from durak_widget import arena

FIRST = "def choose(view):\n    return view.legal_moves()[0]\n"
RAISES = "def choose(view):\n    return 1 / 0\n"
BOTS = ["careful", "random", "first"]


def table(ranking: arena.Ranking) -> object:
    """Return all results of a ranking, exactly."""
    return ranking.rows(), [(game.seats, game.points, game.text) for game in ranking.games], ranking.forfeits, ranking.disqualified
