"""Learns the average result of each move that a seat tries at an information set.

In a playout a seat usually moves like the careful bot. Here it chooses the move with the highest upper
confidence bound instead: its average result, plus a bonus for moves that were tried rarely. The averages are
kept for each sequence of observations of the seat, so no move depends on cards that the seat can't see. The
fast engine makes exactly the same choices in `frontend/fast_engine/information_set_values.ts`.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING, Final

from durak_widget.cards import FACE_COUNT, ONE_DECK_MASK, normalize_copies
from durak_widget.engine import state_transitions
from durak_widget.engine.compiled_rules import EFFECTIVE_FACES
from durak_widget.fast_engine.game_simulation import choose_careful_move
from durak_widget.fast_engine.random_generator import mix_bits
from durak_widget.fast_engine.state_encoding import NO_SUIT, encode_move

if TYPE_CHECKING:
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State

MAX_RECORDED_MOVES: Final = 100_000
"""The maximum number of moves for which statistics are kept."""
MAX_LEGAL_MOVES: Final = 64
"""The maximum number of legal moves in a decision for which statistics are kept."""
MAX_DEPTH: Final = 64
"""The maximum number of recorded decisions in one playout; after these, the careful bot chooses the moves."""
MAX_TRIES: Final = 1 << 25
"""The maximum number of recorded tries of one move, because the fast engine stores results in 32 bits."""
EXPLORATION_BONUS: Final = 360.0
"""The factor of the exploration bonus for moves tried rarely, in sixtieths of a win."""
USUAL_MOVE_SHARE: Final = 0.5
"""The share of the exploration bonus for the move that the careful bot would choose; the other moves divide the
rest."""


class LookaheadStatistics:
    """Statistics on a seat's moves in playouts, except the first move of each playout.

    >>> from durak_widget import Game, Move
    >>> game = Game.from_position_line("6c 7c Jc | 9h Ts Qd; trump h; talon 8c 8d")
    >>> state, ahead, tried = game.state, LookaheadStatistics(0), []
    >>> for worth in (-60, 60, 60, -60):
    ...     ahead.start_playout(Move("pass"))
    ...     tried.append(str(ahead.choose_move(state)))
    ...     ahead.record_result(worth)
    >>> tried
    ['attack 6c', 'attack 6c', 'attack 7c', 'attack Jc']
    """

    __slots__ = ("_observation_key", "_playout_records", "_records", "is_recording", "seat")

    seat: int
    is_recording: bool
    """True while the current playout chooses the seat's moves by the statistics, and records them."""

    def __init__(self, seat: int) -> None:
        self.seat, self.is_recording = seat, False
        self._records: dict[int, list[int]] = {}
        """The number of tries and the total result of each move; a move's key also stands for the observations before it."""
        self._playout_records: list[list[int]] = []
        self._observation_key = 0
        """The key of the seat's last move, which stands for everything that the seat observed up to it."""

    def start_playout(self, move: Move) -> None:
        """Start to record a playout that begins with a given move."""
        self._playout_records, self.is_recording, self._observation_key = [], True, mix_bits(encode_move(move))

    def choose_move(self, state: State) -> Move:
        """Choose the move of the seat to act in the current playout."""
        usual, legal = choose_careful_move(state), state_transitions.legal_moves(state)
        if len(legal) == 1:
            return usual
        if len(legal) > MAX_LEGAL_MOVES or len(self._playout_records) == MAX_DEPTH:
            self.is_recording = False
            return usual
        self._observation_key, move = self._highest_bound(state, encode_move(usual), legal)
        record = self._records.get(self._observation_key)
        if record is None:
            self.is_recording = False
            if len(self._records) == MAX_RECORDED_MOVES:
                return usual
            record = self._records[self._observation_key] = [0, 0]
        self._playout_records.append(record)
        return move

    def _highest_bound(self, state: State, usual: int, legal: tuple[Move, ...]) -> tuple[int, Move]:
        """Choose the move with the highest upper confidence bound.

        Return the key of the move in the statistics, and the move.
        """
        observations = self._hash_observations(state)
        numbers = list(map(encode_move, legal))
        keys = [mix_bits(observations ^ number) or 1 for number in numbers]
        notes = [self._records.get(key, (0, 0)) for key in keys]
        total_tries, total_result = (sum(column) for column in zip(*notes, strict=True))
        mean = total_result / total_tries if total_tries else 0.0
        root, other_share, best_index, highest = sqrt(total_tries + 1), (1 - USUAL_MOVE_SHARE) / (len(legal) - 1), 0, -inf
        for index, (tried, result) in enumerate(notes):
            share = USUAL_MOVE_SHARE if numbers[index] == usual else other_share
            bound = (result / tried if tried else mean) + EXPLORATION_BONUS * share * root / (1 + tried)
            if bound > highest:
                best_index, highest = index, bound
        return keys[best_index], legal[best_index]

    def record_result(self, result: int) -> None:
        """Add a playout's result, in sixtieths of a win, to the statistics of the playout's moves."""
        for record in self._playout_records:
            if record[0] < MAX_TRIES:
                record[0] += 1
                record[1] += result

    def _hash_observations(self, state: State) -> int:
        """Return a hash of everything that the seat has observed.

        Equal observations give equal numbers, and different ones almost never do.
        """
        unbeaten = 0
        for code, beat in zip(state.attacks, state.beats, strict=True):
            if beat < 0:
                unbeaten |= 1 << EFFECTIVE_FACES[code]
        key = self._observation_key
        for mask in map(normalize_copies, (state.hands[self.seat], state.table, state.discard)):
            key = mix_bits(mix_bits(key ^ mask & ONE_DECK_MASK) ^ mask >> FACE_COUNT)
        key = mix_bits(key ^ unbeaten)
        for hand in state.hands:
            key = mix_bits(key ^ hand.bit_count())
        suit = NO_SUIT if state.trump_suit is None else state.trump_suit
        return mix_bits(key ^ (state.passed << 10 | state.attacker << 7 | suit << 4 | state.phase << 2 | state.taking))
