"""Converts decisions in games to table rows, one for each decision.

A row says what the player had to decide, which moves were possible, which was chosen, and its value where that is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.analysis import endgame
from durak_widget.bots.heuristic_bots import get_card_prices, plan_beats
from durak_widget.errors import DurakError
from durak_widget.rules import deck_and_beating

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.class_games.game_files import RecordedGame
    from durak_widget.engine.cheapest_move import Price
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Observation
    from durak_widget.rules.scoring import Outcome

    Row = dict[str, Any]

COLUMNS: Final[dict[str, str]] = {
    "file": "the file of the game",
    "student": "the folder of the file",
    "date": "when the game was played",
    "rules": "the rules",
    "seats": "the number of players",
    "ply": "the number of this move in the game, from 1",
    "bout": "which bout",
    "seat": "who decides",
    "who": "`you`, or the name of a bot; `?` if not known",
    "player": "the student if `who` is `you`, or else the bot",
    "role": "`leads`, `throws in` or `defends`",
    "talon": "the number of cards in the talon",
    "phase": "`talon` while the talon has cards, then `ending`",
    "first": "whether this is the player's first decision in this phase of the game",
    "hand": "the number of cards in the player's hand",
    "others": "the numbers of cards in the other hands, in the order of play",
    "table": "the number of attacking cards on the table",
    "possible": "the number of legal moves",
    "moves": "these moves",
    "chosen": "the move that was played",
    "verb": "the kind of the move",
    "card": "the card that was played; empty if there was none",
    "rank": "the rank of the card, from 0 for the lowest in the deck",
    "trump": "whether the card is a trump",
    "place": "`cheapest`, `middle` or `dearest` among the cards that could do the same; `only` if there is no choice",
    "cheapest": "whether no other card was cheaper",
    "could_beat": "whether the defender could beat all cards on the table",
    "took": "whether the defender took",
    "took_though": "whether the defender took but could beat all cards",
    "value": "the value of the ending before the move: 1 won, 0 drawn, -1 lost",
    "value_after": "the value after the move, for the same player",
    "at_stake": "whether at least one move would lose value",
    "mistake": "whether this move lost value",
    "later_result": "the result of the game for this player: 1, 0, -1",
}
"""What each column of the decision table contains, by the column's name.

A row holds nothing that its player could not know then, except for columns that begin with `later_`.
"""

BUDGET: Final = 5_000
"""The maximum number of positions to search in order to judge one decision."""
GAME_BUDGET: Final = 50_000
"""The maximum number of positions to search in order to judge all decisions of a game."""
_ROLES: Final = {"attack": "leads", "swap": "leads", "throw": "throws in", "pass": "throws in"}


def iterate_decisions(recorded_game: RecordedGame, budget: int = BUDGET) -> Iterator[Row]:
    """Yield a table row, as a dict, for each decision in a game.

    Forced moves are among them (`possible` is 1 there).
    """
    game = recorded_game.game.copy()
    moves, outcome = game.moves, game.outcome
    game.goto(0)
    ranks, budget_left, seen_phases = deck_and_beating.deck_ranks(game.rules), GAME_BUDGET, set[tuple[int, str]]()
    game_columns = {
        "file": recorded_game.file,
        "student": recorded_game.student,
        "date": recorded_game.date,
        "rules": str(game.rules),
        "seats": game.seats,
    }
    for move, mover in zip(moves, recorded_game.movers, strict=True):
        seat = game.actor
        assert seat is not None  # noqa: S101 - a move was made
        view = game.view(seat)
        value_columns, searched = evaluate_decision(view, move, min(budget, budget_left))
        budget_left -= searched
        yield {
            **game_columns,
            "ply": view.ply + 1,
            "bout": view.bout,
            "seat": seat,
            "who": mover,
            "player": recorded_game.student or mover if mover == "you" else mover,
            **_describe_situation(view, seen_phases),
            **_describe_choice(view, move, ranks),
            **value_columns,
            "later_result": _get_result(outcome, seat),
        }
        game.play(move)


def find_role(legal: Sequence[Move]) -> str:
    """Return the role of a player with given legal moves: "leads", "throws in" or "defends".

    >>> from durak_widget import Game
    >>> find_role(Game(seed=7).legal_moves())
    'leads'
    """
    return next((_ROLES[move.verb] for move in legal if move.verb in _ROLES), "defends")


def _describe_situation(view: Observation, seen_phases: set[tuple[int, str]]) -> Row:
    """Return the columns of the decision table that describe a player's situation."""
    legal, count, phase = view.legal_moves(), len(view.counts), "talon" if view.talon_count else "ending"
    first = (view.seat, phase) not in seen_phases
    seen_phases.add((view.seat, phase))
    return {
        "role": find_role(legal),
        "talon": view.talon_count,
        "phase": phase,
        "first": first,
        "hand": view.counts[view.seat],
        "others": " ".join(str(view.counts[(view.seat + step) % count]) for step in range(1, count)),
        "table": len(view.table),
        "possible": len(legal),
        "moves": "; ".join(map(str, legal)),
    }


def _describe_choice(view: Observation, move: Move, ranks: str) -> Row:
    """Return the columns of the decision table that describe the move that a player chose."""
    legal, price = view.legal_moves(), get_card_prices(view)
    card = move.cards[-1].face if move.cards else None
    defends = find_role(legal) == "defends"
    could_beat = bool(plan_beats(view, legal, price)) if defends else None
    took = move.verb == "take" if defends else None
    cost_class = classify_cost(move, legal, price)
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


def get_move_cost(move: Move, price: Price) -> int:
    """Return the price of the most valuable card that a move plays from the hand."""
    return max(map(price, move.cards[1:] if move.verb == "beat" else move.cards))


def classify_cost(move: Move, legal: Sequence[Move], price: Price) -> str | None:
    """Rate a move's price among moves of the same kind: "cheapest", "middle" or "dearest".

    If all similar moves have one price, it is "only".

    Return None for a move without cards.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 9d Ah", "7c"], trump="h").view(0)
    >>> [classify_cost(move, view.legal_moves(), get_card_prices(view)) for move in view.legal_moves()]
    ['cheapest', 'middle', 'dearest']
    """
    if not move.cards:
        return None
    costs = {get_move_cost(other, price) for other in legal if other.verb == move.verb}
    own = get_move_cost(move, price)
    if len(costs) == 1:
        return "only"
    return "cheapest" if own == min(costs) else "dearest" if own == max(costs) else "middle"


def evaluate_decision(view: Observation, move: Move, budget: int) -> tuple[Row, int]:
    """Return an endgame's value before and after a move, and how many positions were searched.

    The value is that for the player who decides, from what that seat knows.

    >>> from durak_widget import Game, Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="678", hand_size=1), hands=["6c 7d", "7c 8c"], trump="d", discard="6d 8d")
    >>> evaluate_decision(game.view(0), game.legal_moves()[0], BUDGET)[0]
    {'value': 1, 'value_after': 0, 'at_stake': True, 'mistake': True}
    """
    unknown = dict.fromkeys(("value", "value_after", "at_stake", "mistake"))
    if view.talon_count or len(view.seats_in) != 2 or budget < 1:
        return unknown, 0
    try:
        ending = endgame.solve_endgame(view, budget=budget)
        value, moves = ending.value, ending.move_values
    except DurakError:  # The view hides cards, so the endgame can't be solved
        return unknown, 0
    after = moves.get(move)
    if value is None or after is None:
        return unknown, ending.positions_searched
    is_at_stake = True if min(moves.values()) < value else False if ending.is_fully_solved else None
    return {"value": value, "value_after": after, "at_stake": is_at_stake, "mistake": after < value}, ending.positions_searched


def _get_result(outcome: Outcome | None, seat: int) -> int | None:
    """Return a game's result for one seat (1, 0 or -1), or None if the game did not end."""
    if outcome is None:
        return None
    return (seat in outcome.winners) - (seat in outcome.losers)
