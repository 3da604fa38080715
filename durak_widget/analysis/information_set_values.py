"""Looking ahead: what the later moves of a seat have brought in the playouts so far, by all that it would see by then.

Whoever plays out its moves as a bot would thinks of itself as of that bot. So the next playout goes on by the move of which most may be hoped for: what it
has brought, and more, the less it was tried. What the seat has seen by then tells the moments apart, and nothing else, so that nobody goes by what it
cannot know.
The kernel does the same in `frontend/fast_engine/ahead.ts`, to the digit.
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
"""So many moves are noted at most, …"""
MOST_WAYS: Final = 64
"""… so many of one moment, …"""
DEEPEST: Final = 64
"""… and so many of one playout; beyond that it goes on as usual."""
MOST_TIMES: Final = 1 << 25
"""So often a move is noted at most, as in the kernel, where what it brought is a number of 32 bits."""
HOPE: Final = 360.0
"""How much is hoped of what has hardly been tried, in sixtieths of a win, …"""
USUAL: Final = 0.5
"""… and how much of that of the usual move."""


class Foresight:
    """What has been noted of the later moves of a seat.

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
    """Whether the playout that runs still goes by what was noted."""

    def __init__(self, seat: int) -> None:
        self.seat, self.looks = seat, False
        self._notes: dict[int, list[int]] = {}
        """How often a move was made of which that is the key, and what it brought."""
        self._made: list[list[int]] = []
        self._last = 0
        """The key of the move that the seat has made last: it stands for all that it saw until then."""

    def begin(self, move: Move) -> None:
        """A playout begins with that move."""
        self._made, self.looks, self._last = [], True, stirred(move_number(move))

    def hopeful(self, state: State) -> Move:
        """What the seat, which is to act, plays in this playout."""
        usual, legal = careful(state), state_transitions.legal_moves(state)
        if len(legal) == 1:
            return usual
        if len(legal) > MOST_WAYS or len(self._made) == DEEPEST:
            self.looks = False
            return usual
        self._last, move = self._most_hoped(state, move_number(usual), legal)
        note = self._notes.get(self._last)
        if note is None:
            self.looks = False
            if len(self._notes) == MOST_NOTED:
                return usual
            note = self._notes[self._last] = [0, 0]
        self._made.append(note)
        return move

    def _most_hoped(self, state: State, usual: int, legal: tuple[Move, ...]) -> tuple[int, Move]:
        """The move of which most may be hoped for, and its key."""
        here = self._seen(state)
        numbers = list(map(move_number, legal))
        keys = [stirred(here ^ number) or 1 for number in numbers]
        notes = [self._notes.get(key, (0, 0)) for key in keys]
        times, total = (sum(one) for one in zip(*notes, strict=True))
        mean = total / times if times else 0.0
        root, others, best, most = sqrt(times + 1), (1 - USUAL) / (len(legal) - 1), 0, -inf
        for place, (tried, brought) in enumerate(notes):
            share = USUAL if numbers[place] == usual else others
            hope = (brought / tried if tried else mean) + HOPE * share * root / (1 + tried)
            if hope > most:
                best, most = place, hope
        return keys[best], legal[best]

    def learn(self, worth: int) -> None:
        """Note what the playout brought, in sixtieths of a win."""
        for note in self._made:
            if note[0] < MOST_TIMES:
                note[0] += 1
                note[1] += worth

    def _seen(self, state: State) -> int:
        """A number for all that the seat has seen up to this moment: the same for the same, and hardly ever for another."""
        still = 0
        for code, beat in zip(state.attacks, state.beats, strict=True):
            if beat < 0:
                still |= 1 << COUNTS[code]
        found = self._last
        for mask in map(plainly, (state.hands[self.seat], state.table, state.discard)):
            found = stirred(stirred(found ^ mask & ONE_DECK) ^ mask >> FACES)
        found = stirred(found ^ still)
        for hand in state.hands:
            found = stirred(found ^ hand.bit_count())
        suit = NO_SUIT if state.suit is None else state.suit
        return stirred(found ^ (state.passed << 10 | state.attacker << 7 | suit << 4 | state.phase << 2 | state.taking))
