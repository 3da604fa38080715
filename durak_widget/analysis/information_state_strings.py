"""Play with its forced moves joined, and what each seat then remembers of it, as a text.

Two texts of a seat are equal just where its views are: they hold what it was dealt and saw at the beginning, every move (of another's swap only that
there was one), who was asked when, how bouts ended and what it drew itself. So they name the information sets of `analysis.build`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.analysis.deal_enumeration import name_of
from durak_widget.cards import SUITS, CardSet, card_of, plainly
from durak_widget.engine.history import DREW, Pairs
from durak_widget.engine.moves import KINDS
from durak_widget.engine.state_transitions import PLAYS, legal_moves

if TYPE_CHECKING:
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State

_SWAP: Final = KINDS["swap"]


class Recall:
    """A moment of play at which somebody has a choice, or its end. It is a value: a move leads to another.

    >>> from durak_widget import Game, Move
    >>> begun = Recall.of(Game.from_position(hands=["6c 8d", "7c 7d"], trump="c").state)
    >>> begun.recalled(0)
    'seat 0 holds 6c 8d, trump c; seat 0'
    >>> begun.after(Move("attack 6c")).recalled(1)
    'seat 1 holds 7c 7d, trump c; seat 0 attack 6c; seat 1'
    """

    __slots__ = ("_recalls", "_told", "decisions", "state")

    def __init__(self, state: State, recalls: tuple[str, ...], told: str, decisions: int) -> None:
        self.state = state
        """How the cards lie: to be looked at, never changed."""
        self.decisions = decisions
        """How many choices have been made."""
        self._recalls, self._told = recalls, told

    @classmethod
    def of(cls, state: State) -> Recall:
        """Where play begins from a deal or a position."""
        state = state.copy()
        recalls = [_begins(state, seat) for seat in range(state.kit.players)]
        return cls._settled(state, recalls, name_of(state), 0)

    @classmethod
    def _settled(cls, state: State, recalls: list[str], told: str, decisions: int) -> Recall:
        """Make the moves that are forced."""
        while state.outcome is None:
            legal = legal_moves(state)
            if len(legal) > 1:
                break
            told += _play(state, legal[0], recalls)
        return cls(state, tuple(recalls), told, decisions)

    def after(self, move: Move) -> Recall:
        """What follows a legal move."""
        state, recalls = self.state.copy(), list(self._recalls)
        told = self._told + _play(state, move, recalls)
        return self._settled(state, recalls, told, self.decisions + 1)

    def recalled(self, seat: int) -> str:
        """What a seat remembers, and who is asked now."""
        return f"{self._recalls[seat]}; {_asked(self.state)}"

    def seen(self, seat: int) -> str:
        """What lies before a seat now, whatever it remembers."""
        state = self.state
        said = [f"seat {seat} holds {_cards(state.hands[seat])}"]
        said.append(f"table {Pairs.of(state.attacks, state.beats) or 'empty'}" + ", which is taken" * state.taking)
        said.append(f"cards {' '.join(str(hand.bit_count()) for hand in state.hands)}, talon {len(state.rest) - 1}")
        said += _open(state)
        return ", ".join(said) + f"; {_asked(state)}"

    def __deepcopy__(self, memo: object) -> Recall:
        return self

    def __reduce__(self) -> tuple[type[Recall], tuple[object, ...]]:
        return Recall, (self.state, self._recalls, self._told, self.decisions)

    def __str__(self) -> str:
        return self._told


def _cards(mask: int) -> str:
    """Cards in words."""
    return str(CardSet.of(mask)) or "nothing"


def _asked(state: State) -> str:
    """Who is asked."""
    return "over" if state.actor is None else f"seat {state.actor}"


def _open(state: State) -> list[str]:
    """What shows which suit is trump."""
    shown = [f"{card_of(state.turn_up)} lies open"] if state.turn_up else []
    return shown if state.suit is None else [f"trump {SUITS[state.suit]}", *shown]


def _begins(state: State, seat: int) -> str:
    """What a seat sees before the first move."""
    said = [f"seat {seat} holds {_cards(state.hands[seat])}"]
    said += _open(state)
    said += [
        f"seat {who} shows {CardSet.of(seen & hand)}"
        for who, (seen, hand) in enumerate(zip(state.seen, state.hands, strict=True))
        if seen & hand
    ]
    return ", ".join(said)


def _play(state: State, move: Move, recalls: list[str]) -> str:
    """Make a move; what each seat saw of it is added to what it remembers, and what an onlooker who sees all would tell is returned."""
    ends, actor = len(state.ends), state.actor
    PLAYS[move.kind](state, move)
    said = f"; seat {actor} {move}"
    if move.kind == _SWAP:
        given = f"{said} for {CardSet.of(plainly(state.brought[-1][2]))}"
        for seat in range(len(recalls)):
            recalls[seat] += given if seat == actor else f"; seat {actor} swap"
        return given
    if len(state.ends) == ends:
        for seat in range(len(recalls)):
            recalls[seat] += said
        return said
    end = state.ends[-1]
    turned, out = end[DREW + 1 :]
    public = f", {' '.join(turned)} turned" * bool(turned) + f", out {' '.join(map(str, out))}" * bool(out)
    for seat in range(len(recalls)):
        recalls[seat] += said + _drawn(end[DREW], seat) + public
    return said + _drawn(end[DREW], None) + public


def _drawn(drew: tuple[tuple[int, int, int], ...], viewer: int | None) -> str:
    """Who drew how many cards, and which where the viewer sees it; None sees all."""
    return "".join(f", seat {who} draws {CardSet.of(plainly(mask)) if viewer in (None, who) else count}" for who, count, mask in drew)
