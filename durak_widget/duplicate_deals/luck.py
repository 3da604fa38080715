"""What a deal is worth: exactly, where both see all cards and the search comes to its end; else as bots play it many times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.double_dummy_solver import open_hands
from durak_widget.bots.bot import get, play

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from durak_widget.duplicate_deals.dealing_plan import DeskDeal
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import View

GAMES: Final = 200
"""So many games of each deal are played by bots: about a second."""
STRAYS: Final = 0.2
"""The share of moves that the careful bot leaves to chance: by itself it plays each deal in one way only."""
_SMALL: Final = 16
"""Decks of so many cards are solved within seconds; of larger ones the search is soon given up."""
_BUDGETS: Final = {True: 1_500_000, False: 50_000}
_CAREFUL: Final = get("careful")


class Luck(NamedTuple):
    """What a deal is worth to who attacks first."""

    exact: int | None
    """If both saw all cards: 1 won, 0 drawn, -1 lost; None where that was not found."""
    won: float
    """The share of the bots' games that it won, a draw for a half."""


def straying(view: View, rng: Random) -> Move:
    """The careful bot's move; one time in five any legal one."""
    return rng.choice(view.legal_moves()) if rng.random() < STRAYS else _CAREFUL.choose(view, rng)


def luck(laid: DeskDeal, *, games: int = GAMES) -> Luck:
    """What this deal is worth.

    >>> from durak_widget import Game
    >>> from durak_widget.duplicate_deals.dealing_plan import DeskDeal
    >>> luck(DeskDeal(1, Game("econ431, ranks=JQKA", seed=3)), games=40).exact
    1
    """
    start = laid.game
    won = 0.0
    for number in range(games):
        game = play(start.copy(), [straying, straying], f"{start.seed} {number}")
        assert game.outcome is not None  # noqa: S101 - it was played to its end
        winners = game.outcome.winners
        won += 0.5 if len(winners) != 1 else float(start.attacker in winners)
    return Luck(open_hands(start, budget=_BUDGETS[len(laid.deck) <= _SMALL]).value, won / max(games, 1))


def each(deals: Iterable[DeskDeal]) -> dict[int, Luck]:
    """What luck did in each deal, by its number."""
    return {laid.number: luck(laid) for laid in deals}
