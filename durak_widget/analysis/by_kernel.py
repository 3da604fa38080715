"""An ending searched by the kernel: the steps of `duel` or of `wandering` in the same order, so that as much is known after as many positions."""

from __future__ import annotations

from itertools import count
from threading import get_ident
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.fast_engine.engine_instance import machine_for

if TYPE_CHECKING:
    from durak_widget.analysis.position_repetition import Starts
    from durak_widget.engine.state import State
    from durak_widget.fast_engine.engine_instance import Machine

NO, YES, TOO_LARGE = range(3)
_EVER: Final = 0xFFFE
_MOST: Final = (1 << 31) - 1
_GOING_ON, _DONE, _SPENT = range(3)
_NOT_OPEN: Final = -1
_WON: Final = 4
_WORKED: Final = 8
_SURE: Final = 16
_FORGOT: Final = 32
_NUMBERS: Final = count(1)
Question = tuple["State", int, float]
"""A state, a seat, and within how many bouts it is to win."""


class Steps(NamedTuple):
    """Which search the kernel makes."""

    name: str
    """By what its functions are named there."""
    slice: int
    """So many steps are searched before anybody may interrupt: some milliseconds."""
    sound: bool
    """Whether what a question found that was interrupted is right nevertheless."""


DUEL: Final = Steps("Ending", 100_000, sound=True)
WANDERING: Final = Steps("Wandering", 4000, sound=False)


class KernelSearch:
    """The endings that one position leads to; what is known of them lies in the kernel until another ending is opened there.

    Then this one is opened anew, and with a budget asked all again that it had to search for; so an answer, and how much was looked at for it, never
    hangs on what else was asked between, nor on a question that was interrupted.

    >>> from durak_widget import Game
    >>> state = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h").state
    >>> search, machine = KernelSearch.of(state, DUEL), machine_for(state.kit.rules)
    >>> search is None or (search.wins(machine, (state, 0, 1e18)), search.wins(machine, (state, 0, 1))) == (YES, NO)
    True
    """

    __slots__ = ("_again", "_before", "_budget", "_drawn", "_least", "_number", "_root", "_steps", "_thread", "asked", "looked", "sure")

    looked: int
    """How many positions were looked at; without a budget, one that had to be forgotten, and is looked at again, counts again."""
    sure: bool
    """Whether it is known of the last answer that there is no draw, however long it takes."""
    asked: list[Question]
    """What was asked so far that is asked again where all was lost."""

    def __init__(self, state: State, steps: Steps, budget: int | None, drawn: Starts, least: int) -> None:
        self._root, self._steps, self._drawn, self._least = state, steps, tuple(sorted(drawn)), least
        self._budget, self._again = _MOST if budget is None else min(budget, _MOST), budget is not None or not steps.sound
        self._number, self._thread, self._before = next(_NUMBERS), get_ident(), 0
        self.looked, self.sure, self.asked = 0, False, []

    @classmethod
    def of(cls, state: State, steps: Steps, budget: int | None = None, drawn: Starts = frozenset(), least: int = 0) -> KernelSearch | None:
        """What searches an ending from a state under rules without repetition; None where there is no kernel."""
        return None if machine_for(state.kit.rules) is None else cls(state, steps, budget, drawn, least)

    def wins(self, machine: Machine, question: Question) -> int | None:
        """`YES` or `NO`; `TOO_LARGE` at the end of the budget; None where the kernel has no room for what must be known."""
        if self._thread != get_ident():  # each has a kernel of its own, which knows nothing of what another was asked
            self._thread, self._number = get_ident(), next(_NUMBERS)
        try:
            found = self._put(machine, question) if machine.ending == self._number else _NOT_OPEN
            if found == _NOT_OPEN:
                self._open(machine)
                found = self._put(machine, question, lies=question[0] is self._root and self._steps is DUEL and not self.asked)
        except BaseException:  # interrupted in the middle
            if self._again:  # what that question found is left behind
                self._number = next(_NUMBERS)
            raise
        if found & 3 not in {_DONE, _SPENT} or (found & _FORGOT and self._again):
            return None
        self.looked, self.sure = self._before + machine.handed(), bool(found & _SURE)
        if found & _WORKED and self._again:
            self.asked.append(question)
        return TOO_LARGE if found & 3 == _SPENT else YES if found & _WON else NO

    def _open(self, machine: Machine) -> None:
        """Open this ending, and ask again what was asked of it before."""
        self._lay(machine, self._root)
        machine.hand(self._number, self._least, self._root.kit.first_bout_differs)
        if not self._again:
            self._before = self.looked
        machine.ending = self._number
        if machine.running.call(f"open{self._steps.name}"):
            for question in self.asked:
                self._put(machine, question)

    def _put(self, machine: Machine, question: Question, *, lies: bool = False) -> int:
        """What the kernel says to a question in the end: -1 if this ending is not open. `lies`: its state lies there already."""
        state, seat, within = question
        if not lies:
            self._lay(machine, state)
        machine.hand(self._number, seat, int(min(max(within, 0), _EVER)), self._budget, self._steps.slice)
        found = machine.running.call(f"ask{self._steps.name}")
        while found >= 0 and found & 3 == _GOING_ON:  # between two slices whoever waits may interrupt
            machine.hand(self._number, self._steps.slice)
            found = machine.running.call(f"search{self._steps.name}")
        return found

    def _lay(self, machine: Machine, state: State) -> None:
        """Stand where a state does; the starts of bouts that are draws lie where those do that may come again."""
        if self._drawn:
            state = state.copy()
            state.past = self._drawn
        machine.lay(state)
