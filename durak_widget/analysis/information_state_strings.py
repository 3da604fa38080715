"""Plays moves and records as text what each seat remembers.

Two texts of a seat are equal exactly when its views are. They hold its dealt cards and what it saw at the
start, every move (of another's swap only that it happened), who had to act when, how bouts ended, and which
cards it drew. So they name the information sets of `analysis.build_game_tree`. Forced moves are made automatically.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.analysis.deal_enumeration import format_deal
from durak_widget.cards import SUITS, CardSet, card_from_bit, normalize_copies
from durak_widget.engine.history import DRAW_COUNTS_INDEX, Pairs
from durak_widget.engine.moves import KIND_OF_VERB
from durak_widget.engine.state_transitions import MOVE_APPLIERS, legal_moves

if TYPE_CHECKING:
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State

_SWAP: Final = KIND_OF_VERB["swap"]


class PlayRecord:
    """An immutable record of a game up to a decision, or up to the end of the game.

    Playing a move returns a new record.

    >>> from durak_widget import Game, Move
    >>> begun = PlayRecord.from_state(Game.from_position(hands=["6c 8d", "7c 7d"], trump="c").state)
    >>> begun.format_information_state(0)
    'seat 0 holds 6c 8d, trump c; seat 0'
    >>> begun.play_move(Move("attack 6c")).format_information_state(1)
    'seat 1 holds 7c 7d, trump c; seat 0 attack 6c; seat 1'
    """

    __slots__ = ("_full_text", "_memories", "decision_count", "state")

    def __init__(self, state: State, memories: tuple[str, ...], full_text: str, decision_count: int) -> None:
        self.state = state
        """The state of the game, which must not be changed."""
        self.decision_count = decision_count
        """The number of decisions made so far."""
        self._memories, self._full_text = memories, full_text

    @classmethod
    def from_state(cls, state: State) -> PlayRecord:
        """Return the record of a game that starts from a deal or a position."""
        state = state.copy()
        memories = [_format_start(state, seat) for seat in range(state.compiled_rules.player_count)]
        return cls._after_forced_moves(state, memories, format_deal(state), 0)

    @classmethod
    def _after_forced_moves(cls, state: State, memories: list[str], full_text: str, decision_count: int) -> PlayRecord:
        """Play forced moves until a player has a choice or the game ends; return the record then."""
        while state.outcome is None:
            legal = legal_moves(state)
            if len(legal) > 1:
                break
            full_text += _play_and_record(state, legal[0], memories)
        return cls(state, tuple(memories), full_text, decision_count)

    def play_move(self, move: Move) -> PlayRecord:
        """Play a legal move and the forced moves after it, and return the new record."""
        state, memories = self.state.copy(), list(self._memories)
        full_text = self._full_text + _play_and_record(state, move, memories)
        return self._after_forced_moves(state, memories, full_text, self.decision_count + 1)

    def format_information_state(self, seat: int) -> str:
        """Format, as text, what a seat remembers and which seat is to act."""
        return f"{self._memories[seat]}; {_format_actor(self.state)}"

    def format_observation(self, seat: int) -> str:
        """Format, as text, what a seat sees at this moment, without what the seat remembers."""
        state = self.state
        sentences = [f"seat {seat} holds {_format_cards(state.hands[seat])}"]
        sentences.append(f"table {Pairs.from_codes(state.attacks, state.beats) or 'empty'}" + ", which is taken" * state.taking)
        sentences.append(f"cards {' '.join(str(hand.bit_count()) for hand in state.hands)}, talon {len(state.talon_suffix_masks) - 1}")
        sentences += _format_trump(state)
        return ", ".join(sentences) + f"; {_format_actor(state)}"

    def __deepcopy__(self, memo: object) -> PlayRecord:
        return self

    def __reduce__(self) -> tuple[type[PlayRecord], tuple[object, ...]]:
        return PlayRecord, (self.state, self._memories, self._full_text, self.decision_count)

    def __str__(self) -> str:
        return self._full_text


def _format_cards(mask: int) -> str:
    """Format the cards in a mask as text."""
    return str(CardSet.from_mask(mask)) or "nothing"


def _format_actor(state: State) -> str:
    """Format the seat to act as text; the text is "over" after the game."""
    return "over" if state.actor is None else f"seat {state.actor}"


def _format_trump(state: State) -> list[str]:
    """Describe the trump suit, and the turned-up card if there is one, as a list of texts."""
    turned_up = [f"{card_from_bit(state.turn_up)} lies open"] if state.turn_up else []
    return turned_up if state.trump_suit is None else [f"trump {SUITS[state.trump_suit]}", *turned_up]


def _format_start(state: State, seat: int) -> str:
    """Format, as text, what a seat sees before the first move."""
    sentences = [f"seat {seat} holds {_format_cards(state.hands[seat])}"]
    sentences += _format_trump(state)
    sentences += [
        f"seat {owner} shows {CardSet.from_mask(shown_cards & hand)}"
        for owner, (shown_cards, hand) in enumerate(zip(state.publicly_seen, state.hands, strict=True))
        if shown_cards & hand
    ]
    return ", ".join(sentences)


def _play_and_record(state: State, move: Move, memories: list[str]) -> str:
    """Play a move, and add the text of what each seat saw to that seat's memory.

    Return the text for an onlooker who sees everything.
    """
    end_count, actor = len(state.bout_ends), state.actor
    MOVE_APPLIERS[move.kind](state, move)
    sentence = f"; seat {actor} {move}"
    if move.kind == _SWAP:
        full_sentence = f"{sentence} for {CardSet.from_mask(normalize_copies(state.swap_draws[-1][2]))}"
        for seat in range(len(memories)):
            memories[seat] += full_sentence if seat == actor else f"; seat {actor} swap"
        return full_sentence
    if len(state.bout_ends) == end_count:
        for seat in range(len(memories)):
            memories[seat] += sentence
        return sentence
    end = state.bout_ends[-1]
    turned_up, out = end[DRAW_COUNTS_INDEX + 1 :]
    public = f", {' '.join(turned_up)} turned" * bool(turned_up) + f", out {' '.join(map(str, out))}" * bool(out)
    for seat in range(len(memories)):
        memories[seat] += sentence + _format_draws(end[DRAW_COUNTS_INDEX], seat) + public
    return sentence + _format_draws(end[DRAW_COUNTS_INDEX], None) + public


def _format_draws(draws: tuple[tuple[int, int, int], ...], viewer: int | None) -> str:
    """Format, as text, the draws at the end of a bout as a player or an onlooker sees them.

    A player sees which cards they drew, and how many cards others drew.
    """
    return "".join(
        f", seat {drawer} draws {CardSet.from_mask(normalize_copies(mask)) if viewer in (None, drawer) else count}"
        for drawer, count, mask in draws
    )
