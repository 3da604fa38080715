"""Plays moves and records, as text, what each seat then remembers.

Two texts of a seat are equal exactly when its views are. They hold its dealt cards and what it saw at the
start, every move (of another's swap only that it happened), who had to act when, how bouts ended, and which
cards it drew. So they name the information sets of `analysis.build`. Forced moves are made automatically.
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
    """Immutable record of play up to a decision or the end.

    Playing a move returns a new record.

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
        """State of the game, which must not be changed."""
        self.decisions = decisions
        """Number of decisions so far."""
        self._recalls, self._told = recalls, told

    @classmethod
    def of(cls, state: State) -> Recall:
        """Return the record at the start of play from a deal or a position."""
        state = state.copy()
        memories = [_begins(state, seat) for seat in range(state.kit.players)]
        return cls._settled(state, memories, name_of(state), 0)

    @classmethod
    def _settled(cls, state: State, recalls: list[str], told: str, decisions: int) -> Recall:
        """Return the record after the forced moves."""
        while state.outcome is None:
            legal = legal_moves(state)
            if len(legal) > 1:
                break
            told += _play(state, legal[0], recalls)
        return cls(state, tuple(recalls), told, decisions)

    def after(self, move: Move) -> Recall:
        """Return the record after a legal move."""
        state, memories = self.state.copy(), list(self._recalls)
        full_text = self._told + _play(state, move, memories)
        return self._settled(state, memories, full_text, self.decisions + 1)

    def recalled(self, seat: int) -> str:
        """Return what a seat remembers, and who acts now."""
        return f"{self._recalls[seat]}; {_asked(self.state)}"

    def seen(self, seat: int) -> str:
        """Return what a seat sees now, without its memory."""
        state = self.state
        sentences = [f"seat {seat} holds {_cards(state.hands[seat])}"]
        sentences.append(f"table {Pairs.of(state.attacks, state.beats) or 'empty'}" + ", which is taken" * state.taking)
        sentences.append(f"cards {' '.join(str(hand.bit_count()) for hand in state.hands)}, talon {len(state.rest) - 1}")
        sentences += _open(state)
        return ", ".join(sentences) + f"; {_asked(state)}"

    def __deepcopy__(self, memo: object) -> Recall:
        return self

    def __reduce__(self) -> tuple[type[Recall], tuple[object, ...]]:
        return Recall, (self.state, self._recalls, self._told, self.decisions)

    def __str__(self) -> str:
        return self._told


def _cards(mask: int) -> str:
    """Return cards as text."""
    return str(CardSet.of(mask)) or "nothing"


def _asked(state: State) -> str:
    """Return the actor as text."""
    return "over" if state.actor is None else f"seat {state.actor}"


def _open(state: State) -> list[str]:
    """Return what shows the trump suit, as sentences."""
    turned_up = [f"{card_of(state.turn_up)} lies open"] if state.turn_up else []
    return turned_up if state.suit is None else [f"trump {SUITS[state.suit]}", *turned_up]


def _begins(state: State, seat: int) -> str:
    """Return what a seat sees before the first move, as text."""
    sentences = [f"seat {seat} holds {_cards(state.hands[seat])}"]
    sentences += _open(state)
    sentences += [
        f"seat {owner} shows {CardSet.of(shown_cards & hand)}"
        for owner, (shown_cards, hand) in enumerate(zip(state.seen, state.hands, strict=True))
        if shown_cards & hand
    ]
    return ", ".join(sentences)


def _play(state: State, move: Move, recalls: list[str]) -> str:
    """Play a move, and add what each seat saw to its memory.

    Return the text for an onlooker who sees everything.
    """
    end_count, actor = len(state.ends), state.actor
    PLAYS[move.kind](state, move)
    sentence = f"; seat {actor} {move}"
    if move.kind == _SWAP:
        full_sentence = f"{sentence} for {CardSet.of(plainly(state.brought[-1][2]))}"
        for seat in range(len(recalls)):
            recalls[seat] += full_sentence if seat == actor else f"; seat {actor} swap"
        return full_sentence
    if len(state.ends) == end_count:
        for seat in range(len(recalls)):
            recalls[seat] += sentence
        return sentence
    end = state.ends[-1]
    turned_up, out = end[DREW + 1 :]
    public = f", {' '.join(turned_up)} turned" * bool(turned_up) + f", out {' '.join(map(str, out))}" * bool(out)
    for seat in range(len(recalls)):
        recalls[seat] += sentence + _drawn(end[DREW], seat) + public
    return sentence + _drawn(end[DREW], None) + public


def _drawn(drew: tuple[tuple[int, int, int], ...], viewer: int | None) -> str:
    """Return the draws of a bout's end as text, with the cards that `viewer` sees (None: all)."""
    return "".join(
        f", seat {drawer} draws {CardSet.of(plainly(mask)) if viewer in (None, drawer) else count}" for drawer, count, mask in drew
    )
