"""An ending of `wandering` searched by the kernel: the same steps in the same order, so that as much is known after as many positions."""

from __future__ import annotations

from threading import get_ident
from typing import TYPE_CHECKING, Final

from durak_widget.kernel.machine import machine_for
from durak_widget.theory.endings.by_kernel import DONE, EVER, GOING_ON, MOST, NO, NUMBERS, TOO_LARGE, WON, YES

if TYPE_CHECKING:
    from durak_widget.game.play.state import State
    from durak_widget.kernel.machine import Machine
    from durak_widget.theory.endings.repeats import Starts

SLICE: Final = 4000
"""So many steps are searched before anybody may interrupt: some milliseconds."""
_SPENT: Final = 2
_WORKED: Final = 8
Question = tuple["State", int, float]
"""A state, a seat, and within how many bouts it is to win."""


class KernelWandering:
    """The endings that one position leads to; what is known of them lies in the kernel until another ending is opened there.

    Then this one is opened anew, and asked all again that it had to search for; so an answer, and how much was looked at for it, never hangs on what
    else was asked between, nor on a question that was interrupted.

    >>> from durak_widget import Game, Rules
    >>> state = Game.from_position(Rules(transfer=True, repetition=None), hands=["Qh Ks", "Kh Kc"], trump="h").state
    >>> search, machine = KernelWandering.of(state), machine_for(state.kit.rules)
    >>> search is None or (search.wins(machine, (state, 0, 1e18)), search.wins(machine, (state, 0, 1))) == (YES, NO)
    True
    """

    __slots__ = ("_budget", "_drawn", "_least", "_number", "_root", "_thread", "asked", "looked")

    looked: int
    """How many positions were looked at."""
    asked: list[Question]
    """What was asked so far, as far as anything had to be searched for it."""

    def __init__(self, state: State, budget: int | None, drawn: Starts, least: int) -> None:
        self._root, self._drawn, self._least = state, tuple(sorted(drawn)), least
        self._budget = MOST if budget is None else min(budget, MOST)
        self._number, self._thread, self.looked, self.asked = next(NUMBERS), get_ident(), 0, []

    @classmethod
    def of(cls, state: State, budget: int | None = None, drawn: Starts = frozenset(), least: int = 0) -> KernelWandering | None:
        """What searches an ending from a state under rules without repetition; None where there is no kernel."""
        return None if machine_for(state.kit.rules) is None else cls(state, budget, drawn, least)

    def wins(self, machine: Machine, question: Question) -> int | None:
        """`YES` or `NO`; `TOO_LARGE` at the end of the budget; None where the kernel has no room for what must be known."""
        if self._thread != get_ident():  # each has a kernel of its own, which knows nothing of what another was asked
            self._thread, self._number = get_ident(), next(NUMBERS)
        try:
            found = self._put(machine, question)
            if found < 0:
                self._open(machine)
                found = self._put(machine, question)
        except BaseException:  # interrupted in the middle: what that question found is left behind
            self._number = next(NUMBERS)
            raise
        if found & 3 not in {DONE, _SPENT}:
            return None
        self.looked = found >> 4
        if found & _WORKED:
            self.asked.append(question)
        return TOO_LARGE if found & 3 == _SPENT else YES if found & WON else NO

    def _open(self, machine: Machine) -> None:
        """Open this ending, and ask again what was asked of it before."""
        self._lay(machine, self._root)
        machine.hand(self._number, self._least, self._root.kit.first_bout_differs)
        if machine.running.call("openWandering"):
            for question in self.asked:
                self._put(machine, question)

    def _put(self, machine: Machine, question: Question) -> int:
        """What the kernel says to a question in the end: -1 if this ending is not open."""
        state, seat, within = question
        self._lay(machine, state)
        machine.hand(self._number, seat, int(min(max(within, 0), EVER)), self._budget, SLICE)
        found = machine.running.call("askWandering")
        while found >= 0 and found & 3 == GOING_ON:  # between two slices whoever waits may interrupt
            machine.hand(self._number, SLICE)
            found = machine.running.call("searchWandering")
        return found

    def _lay(self, machine: Machine, state: State) -> None:
        """Stand where a state does; the starts of bouts that are draws lie where those do that may come again."""
        if self._drawn:
            state = state.copy()
            state.past = self._drawn
        machine.lay(state)
