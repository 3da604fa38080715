"""Turns the decisions of a game into rows of plain values.

A row says what the player had to decide, which moves were possible, which was chosen, and its value where that is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.analysis import endgame
from durak_widget.bots.heuristic_bots import beating_all, prices
from durak_widget.errors import DurakError
from durak_widget.rules import deck_and_beating

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.class_games.game_files import KeptGame
    from durak_widget.engine.cheapest_move import Price
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import View
    from durak_widget.rules.scoring import Outcome

    Row = dict[str, Any]

COLUMNS: Final[dict[str, str]] = {
    "file": "the file of the game",
    "student": "the folder in which the file lies",
    "date": "when it was played",
    "rules": "the rules",
    "seats": "how many play",
    "ply": "which move of the game it is, from 1",
    "bout": "which bout",
    "seat": "who decides",
    "who": "`you`, or the name of a bot; `?` where nobody knows",
    "player": "the student where it is you, else the bot",
    "role": "`leads`, `throws in` or `defends`",
    "talon": "how many cards are still to be drawn",
    "phase": "`talon` while there is one, then `ending`",
    "first": "whether it is the first decision of this player in that phase of the game",
    "hand": "how many cards it holds",
    "others": "how many the others hold, in the order of play",
    "table": "how many attacking cards lie there",
    "possible": "how many moves it has",
    "moves": "these moves",
    "chosen": "the one that was made",
    "verb": "what kind of move it is",
    "card": "the card that was played; empty without one",
    "rank": "its rank, from 0 for the lowest of the deck",
    "trump": "whether it is a trump",
    "place": "`cheapest`, `middle` or `dearest` among the cards that could do the same; `only`, where there is no choice",
    "cheapest": "whether none was cheaper",
    "could_beat": "whether whoever defends could beat all that lay there",
    "took": "whether whoever defends took",
    "took_though": "whether it took although it could beat all",
    "value": "what the ending was worth before: 1 won, 0 drawn, -1 lost",
    "value_after": "what it is worth after the move, to the same player",
    "at_stake": "whether some move would have given something away",
    "mistake": "whether this move did",
    "later_result": "how the game ended for this player in the end: 1, 0, -1",
}
"""The meaning of each column.

A row holds nothing that its player could not know then, except for columns that begin with `later_`.
"""

BUDGET: Final = 5_000
"""Positions searched for the value of one decision."""
A_GAME: Final = 50_000
"""Positions searched for the values of one game."""
_ROLES: Final = {"attack": "leads", "swap": "leads", "throw": "throws in", "pass": "throws in"}


def decisions(kept: KeptGame, budget: int = BUDGET) -> Iterator[Row]:
    """Yield a row for each decision of a game.

    Forced moves are among them (`possible` is 1 there).
    """
    game = kept.game.copy()
    moves, outcome = game.moves, game.outcome
    game.goto(0)
    ranks, budget_left, seen_phases = deck_and_beating.ranks(game.rules), A_GAME, set[tuple[int, str]]()
    game_columns = {"file": kept.file, "student": kept.student, "date": kept.date, "rules": str(game.rules), "seats": game.seats}
    for move, mover in zip(moves, kept.who, strict=True):
        seat = game.actor
        assert seat is not None  # noqa: S101 - a move was made
        view = game.view(seat)
        value_columns, searched = worth(view, move, min(budget, budget_left))
        budget_left -= searched
        yield {
            **game_columns,
            "ply": view.ply + 1,
            "bout": view.bout,
            "seat": seat,
            "who": mover,
            "player": kept.student or mover if mover == "you" else mover,
            **_asked(view, seen_phases),
            **_answered(view, move, ranks),
            **value_columns,
            "later_result": _result(outcome, seat),
        }
        game.play(move)


def role(legal: Sequence[Move]) -> str:
    """Return what a player with these legal moves does: leads, throws in or defends.

    >>> from durak_widget import Game
    >>> role(Game(seed=7).legal_moves())
    'leads'
    """
    return next((_ROLES[move.verb] for move in legal if move.verb in _ROLES), "defends")


def _asked(view: View, met: set[tuple[int, str]]) -> Row:
    """Return the columns about the situation of the player."""
    legal, count, phase = view.legal_moves(), len(view.counts), "talon" if view.talon_count else "ending"
    first = (view.seat, phase) not in met
    met.add((view.seat, phase))
    return {
        "role": role(legal),
        "talon": view.talon_count,
        "phase": phase,
        "first": first,
        "hand": view.counts[view.seat],
        "others": " ".join(str(view.counts[(view.seat + step) % count]) for step in range(1, count)),
        "table": len(view.table),
        "possible": len(legal),
        "moves": "; ".join(map(str, legal)),
    }


def _answered(view: View, move: Move, ranks: str) -> Row:
    """Return the columns about the move that was chosen."""
    legal, price = view.legal_moves(), prices(view)
    card = move.cards[-1].face if move.cards else None
    defends = role(legal) == "defends"
    could_beat = bool(beating_all(view, legal, price)) if defends else None
    took = move.verb == "take" if defends else None
    cost_class = place_of(move, legal, price)
    return {
        "chosen": str(move),
        "verb": move.verb,
        "card": str(card or ""),
        "rank": None if card is None or card.is_joker else ranks.index(card.rank),
        "trump": None if card is None else card.is_joker or card.suit == view.trump,
        "place": cost_class,
        "cheapest": None if cost_class is None else cost_class in {"cheapest", "only"},
        "could_beat": could_beat,
        "took": took,
        "took_though": None if took is None else took and bool(could_beat),
    }


def cost(move: Move, price: Price) -> int:
    """Return the price of the cards that a move plays from the hand."""
    return max(map(price, move.cards[1:] if move.verb == "beat" else move.cards))


def place_of(move: Move, legal: Sequence[Move], price: Price) -> str | None:
    """Classify a move by its cost among the legal moves with the same verb.

    Return None for a move without cards.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 9d Ah", "7c"], trump="h").view(0)
    >>> [place_of(move, view.legal_moves(), prices(view)) for move in view.legal_moves()]
    ['cheapest', 'middle', 'dearest']
    """
    if not move.cards:
        return None
    costs = {cost(other, price) for other in legal if other.verb == move.verb}
    own = cost(move, price)
    if len(costs) == 1:
        return "only"
    return "cheapest" if own == min(costs) else "dearest" if own == max(costs) else "middle"


def worth(view: View, move: Move, budget: int) -> tuple[Row, int]:
    """Return the value of an endgame before and after a move, and the positions searched.

    The value is that for the player who decides, from what that seat knows.

    >>> from durak_widget import Game, Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="678", hand_size=1), hands=["6c 7d", "7c 8c"], trump="d", discard="6d 8d")
    >>> worth(game.view(0), game.legal_moves()[0], BUDGET)[0]
    {'value': 1, 'value_after': 0, 'at_stake': True, 'mistake': True}
    """
    unknown = dict.fromkeys(("value", "value_after", "at_stake", "mistake"))
    if view.talon_count or len(view.seats_in) != 2 or budget < 1:
        return unknown, 0
    try:
        ending = endgame.solve(view, budget=budget)
        value, moves = ending.value, ending.moves
    except DurakError:  # the seat can't know where some card is
        return unknown, 0
    after = moves.get(move)
    if value is None or after is None:
        return unknown, ending.looked
    is_at_stake = True if min(moves.values()) < value else False if ending.proved else None
    return {"value": value, "value_after": after, "at_stake": is_at_stake, "mistake": after < value}, ending.looked


def _result(outcome: Outcome | None, seat: int) -> int | None:
    """Return how the game ended for a seat: 1, 0 or -1; None if it did not end."""
    if outcome is None:
        return None
    return (seat in outcome.winners) - (seat in outcome.losers)
