"""Learns the average results of a seat's later moves in playouts, by information set.

In a playout a seat usually moves like the careful bot. Here it chooses the move with the highest upper
confidence bound instead: its average result, plus a bonus for moves that were tried rarely. The averages are
kept for each sequence of observations of the seat, so no move depends on cards that the seat can't see. The
fast engine makes exactly the same choices in `frontend/fast_engine/ahead.ts`.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING, Final

from durak_widget.cards import FACES, ONE_DECK, plainly
from durak_widget.engine import state_transitions
from durak_widget.engine.compiled_rules import COUNTS
from durak_widget.fast_engine.game_simulation import careful
from durak_widget.fast_engine.random_generator import stirred
from durak_widget.fast_engine.state_encoding import NO_SUIT, move_number

if TYPE_CHECKING:
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State

MOST_NOTED: Final = 100_000
"""Maximum number of moves with statistics."""
MOST_WAYS: Final = 64
"""Maximum number of legal moves at a decision."""
DEEPEST: Final = 64
"""Maximum number of recorded decisions in one playout; the usual policy plays after that."""
MOST_TIMES: Final = 1 << 25
"""Maximum number of recorded tries of a move, because the fast engine stores the results in 32 bits."""
HOPE: Final = 360.0
"""Size of the bonus for rarely tried moves, in sixtieths of a win."""
USUAL: Final = 0.5
"""Share of that bonus for the careful bot's move."""


class Foresight:
    """Statistics of a seat's later moves, collected over playouts.

    >>> from durak_widget import Game, Move
    >>> game = Game.at("6c 7c Jc | 9h Ts Qd; trump h; talon 8c 8d")
    >>> state, ahead, tried = game.state, Foresight(0), []
    >>> for worth in (-60, 60, 60, -60):
    ...     ahead.begin(Move("pass"))
    ...     tried.append(str(ahead.hopeful(state)))
    ...     ahead.learn(worth)
    >>> tried
    ['attack 6c', 'attack 6c', 'attack 7c', 'attack Jc']
    """

    __slots__ = ("_last", "_made", "_notes", "looks", "seat")

    seat: int
    looks: bool
    """Whether the current playout still follows the statistics."""

    def __init__(self, seat: int) -> None:
        self.seat, self.looks = seat, False
        self._notes: dict[int, list[int]] = {}
        """Tries and total result of each move, by its key."""
        self._made: list[list[int]] = []
        self._last = 0
        """Key of the seat's last move, which stands for everything it observed before."""

    def begin(self, move: Move) -> None:
        """Start a playout with this move."""
        self._made, self.looks, self._last = [], True, stirred(move_number(move))

    def hopeful(self, state: State) -> Move:
        """Return the move for the seat to act in this playout."""
        usual, legal = careful(state), state_transitions.legal_moves(state)
        if len(legal) == 1:
            return usual
        if len(legal) > MOST_WAYS or len(self._made) == DEEPEST:
            self.looks = False
            return usual
        self._last, move = self._most_hoped(state, move_number(usual), legal)
        record = self._notes.get(self._last)
        if record is None:
            self.looks = False
            if len(self._notes) == MOST_NOTED:
                return usual
            record = self._notes[self._last] = [0, 0]
        self._made.append(record)
        return move

    def _most_hoped(self, state: State, usual: int, legal: tuple[Move, ...]) -> tuple[int, Move]:
        """Return the key and the move with the highest upper confidence bound."""
        observations = self._seen(state)
        numbers = list(map(move_number, legal))
        keys = [stirred(observations ^ number) or 1 for number in numbers]
        notes = [self._notes.get(key, (0, 0)) for key in keys]
        total_tries, total_result = (sum(column) for column in zip(*notes, strict=True))
        mean = total_result / total_tries if total_tries else 0.0
        root, other_share, best_index, highest = sqrt(total_tries + 1), (1 - USUAL) / (len(legal) - 1), 0, -inf
        for index, (tried, result) in enumerate(notes):
            share = USUAL if numbers[index] == usual else other_share
            bound = (result / tried if tried else mean) + HOPE * share * root / (1 + tried)
            if bound > highest:
                best_index, highest = index, bound
        return keys[best_index], legal[best_index]

    def learn(self, worth: int) -> None:
        """Record the result of the playout, in sixtieths of a win."""
        for record in self._made:
            if record[0] < MOST_TIMES:
                record[0] += 1
                record[1] += worth

    def _seen(self, state: State) -> int:
        """Return a hash of everything that the seat has observed.

        Equal observations give equal numbers, and different ones almost never do.
        """
        unbeaten = 0
        for code, beat in zip(state.attacks, state.beats, strict=True):
            if beat < 0:
                unbeaten |= 1 << COUNTS[code]
        key = self._last
        for mask in map(plainly, (state.hands[self.seat], state.table, state.discard)):
            key = stirred(stirred(key ^ mask & ONE_DECK) ^ mask >> FACES)
        key = stirred(key ^ unbeaten)
        for hand in state.hands:
            key = stirred(key ^ hand.bit_count())
        suit = NO_SUIT if state.suit is None else state.suit
        return stirred(key ^ (state.passed << 10 | state.attacker << 7 | suit << 4 | state.phase << 2 | state.taking))
