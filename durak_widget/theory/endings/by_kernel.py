"""An ending of `duel` searched by the kernel, without a budget: the same steps and the same answers, sooner."""

from __future__ import annotations

from itertools import count
from math import inf
from typing import TYPE_CHECKING, Final

from durak_widget.kernel.machine import machine_for

if TYPE_CHECKING:
    from collections.abc import Hashable

    from durak_widget.game.play.state import State
    from durak_widget.kernel.machine import Machine

SLICE: Final = 300_000
"""So many steps are searched before anybody may interrupt: some milliseconds."""
EVER: Final = 0xFFFE
MOST: Final = (1 << 31) - 1
GOING_ON, DONE = 0, 1
NO, YES, TOO_LARGE = range(3)
WON: Final = 4
_LOST: Final = 8
_WON_OR_LOST: Final = WON | _LOST
NUMBERS: Final = count(1)


class KernelSearch:
    """The endings that one position leads to; what is known of them so far lies in the kernel, as long as there is room for it.

    >>> from durak_widget import Game
    >>> state = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h").state
    >>> search, machine = KernelSearch.of(state), machine_for(state.kit.rules)
    >>> search is None or (search.wins(machine, state, 0), search.wins(machine, state, 0, within=1)) == (YES, NO)
    True
    """

    __slots__ = ("_lost", "_number", "_root", "looked")

    looked: int
    """How many positions were looked at; one that had to be forgotten, and is looked at again, counts again."""

    def __init__(self, state: State, number: int) -> None:
        self._root, self._number, self.looked = state, number, 0
        self._lost: tuple[int, Hashable] | None = None
        """Who was last found to win because the other loses, and where."""

    @classmethod
    def of(cls, state: State) -> KernelSearch | None:
        """What searches an ending that `duel.fits`; None where there is no kernel."""
        if machine_for(state.kit.rules) is None or (number := next(NUMBERS)) > MOST:
            return None
        return cls(state, number)

    def wins(self, machine: Machine, state: State, seat: int, within: float = inf) -> int:
        """Whether a seat can force the win in so many bouts, the one that is on among them: `YES` or `NO`, or `TOO_LARGE` where the search goes too deep."""
        if within >= EVER and self._lost is not None and self._lost == (seat, state.key()):
            return YES  # the other has just been found to lose
        found = self._asked(machine, state, seat, int(min(within, EVER)))
        self.looked += found >> 4
        while found & 3 == GOING_ON:  # between two slices whoever waits may interrupt
            machine.hand(0, 0, 0, 0, SLICE, self._left)
            found = machine.running.call("searchEnding")
            self.looked += found >> 4
        if found & 3 != DONE:
            return TOO_LARGE
        if found & _WON_OR_LOST == _LOST:
            self._lost = state.attacker ^ state.defender ^ seat, state.key()
        return YES if found & WON else NO

    @property
    def _left(self) -> int:
        """How many positions more may be looked at in a slice: more than it has steps."""
        return MOST

    def _asked(self, machine: Machine, state: State, seat: int, within: int) -> int:
        """What the first slice says; where another ending was opened since, this one is opened again first."""
        found = self._put(machine, state, seat, within, self._left)
        if found >= 0:
            return found
        self._put(machine, self._root, seat, within, 0)
        return self._put(machine, state, seat, within, self._left)

    def _put(self, machine: Machine, state: State, seat: int, within: int, positions: int) -> int:
        """What the kernel says to a question about a state: -1 if the ending is not open, and does not begin there."""
        machine.lay(state)
        machine.hand(self._number, state is self._root, seat, within, SLICE, positions)
        return machine.running.call("askEnding")
