"""Two hands and no talon, under any rules: who wins, and within how many bouts, found by the engine itself.

Where attacks are transferred, positions come again, and a search that takes a position seen before for a draw gives wrong values: the draw may be a
draw only on that way. So what is won within a few bouts is searched for first, which needs no word on repetition; and where neither
side wins so, each is asked alone whether it can ever win: nothing counts as won until it is proved, every proof is carried back to what waits for it,
and of the other side's moves only one that still holds is followed (the local fixpoint of Liu and Smolka). What neither side wins is a draw.

Where there is a kernel, it searches so (`by_kernel`): the same steps, and as many positions for each answer.
"""

from __future__ import annotations

from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Final

from durak_widget.analysis.acyclic_endgame_solver import CYCLIC_STEPS, NO_LIMIT, TOO_LARGE, YES, KernelSearch, TooLargeError
from durak_widget.analysis.position_repetition import after
from durak_widget.engine.compiled_rules import SAME_RANK, mask_of_trumps
from durak_widget.engine.state_transitions import legal_moves
from durak_widget.fast_engine.engine_instance import by_kernel

if TYPE_CHECKING:
    from collections.abc import Hashable

    from durak_widget.analysis.position_repetition import Starts
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State
    from durak_widget.rules.scoring import Outcome

_FEW: Final = 100
"""About so many steps are searched for a quick win before one is sought that may take any time."""

_NOTHING: Final = (0.0, inf)
"""What is known of a position not yet searched."""


class _Place:
    """A position as one seat that wants to win sees it."""

    __slots__ = ("asked", "mine", "moves", "state", "won")

    def __init__(self, state: State, *, mine: bool) -> None:
        self.state, self.mine, self.won = state, mine, False
        self.moves: list[Move] = []
        """Those still to be looked at, the next one last."""
        self.asked: list[_Place] = []
        """The places that are won, or must look on, once this one is won."""


class Wandering:
    """The endings that one position leads to, and what is known of them so far.

    >>> from durak_widget import Game, Rules
    >>> state = Game.from_position(Rules(transfer=True, repetition=None), hands=["Qh Ks", "Kh Kc"], trump="h").state
    >>> Wandering(state).wins(state, 0)
    True
    """

    __slots__ = ("_budget", "_drawn", "_kernel", "_known", "_least", "_sought", "_steps", "_waiting", "_wanders")

    def __init__(
        self, state: State, budget: int | None = None, drawn: Starts = frozenset(), least: int = 0, *, plainly: bool = False
    ) -> None:
        """Search from a state under rules without repetition; the starts of bouts in `drawn` (as in `State.past`) end the game in a draw.

        A win that leaves the fool with fewer than `least` epaulettes is none.
        """
        self._kernel = None if plainly else KernelSearch.of(state, CYCLIC_STEPS, budget, drawn, least)
        self._least = least
        self._known: dict[tuple[int, Hashable], tuple[float, float]] = {}
        sides = (state.attacker, state.defender)
        self._sought: dict[int, dict[Hashable, _Place]] = {seat: {} for seat in sides}
        self._waiting: dict[int, list[_Place]] = {seat: [] for seat in sides}
        self._drawn, self._wanders = drawn, state.kit.transfers
        self._budget, self._steps = inf if budget is None else budget, 0

    @property
    def looked(self) -> int:
        """How many positions were looked at."""
        if self._kernel is not None:
            return self._kernel.looked
        return len(self._known) + sum(map(len, self._sought.values()))

    def wins(self, state: State, seat: int, within: float = NO_LIMIT) -> bool:
        """Whether a seat can force the win in so many bouts, the one that is on among them."""
        if state.outcome is not None:
            return self._won(state.outcome, seat)
        found = None if self._kernel is None else self._by_kernel(self._kernel, state, seat, within)
        return self._plainly(state, seat, within) if found is None else found

    def _by_kernel(self, search: KernelSearch, state: State, seat: int, within: float) -> bool | None:
        """What the kernel says; None where it has no room for so much or its host fails, and from then on the search is the plain one.

        That is first asked what the kernel was asked before, so that it knows what it would know if it had been the plain one from the start.
        """
        found = by_kernel(state.kit.rules, lambda machine: search.wins(machine, (state, seat, within)))
        if found == TOO_LARGE:
            raise TooLargeError
        if found is not None:
            return found == YES
        self._kernel = None
        for question in search.asked:
            with suppress(TooLargeError):
                self._plainly(*question)
        return None

    def _plainly(self, state: State, seat: int, within: float) -> bool:
        try:
            return self._found(state, seat, within)
        except RecursionError:
            raise TooLargeError from None

    def _won(self, outcome: Outcome, seat: int) -> bool:
        return seat in outcome.winners and outcome.epaulettes >= self._least

    def _found(self, state: State, seat: int, within: float) -> bool:
        if not self._wanders or within < NO_LIMIT:
            return self._search(state, seat, within)
        place = self._sought[seat].get(state.key())
        if place is not None and (place.won or not self._waiting[seat]):
            return place.won
        found = self._soon(state, seat)
        return self._ever(state, seat) if found is None else found

    def _soon(self, state: State, seat: int) -> bool | None:
        """Whether it wins or loses within a few bouts; None if neither was found."""
        self._steps, within = 0, 1
        while self._steps < _FEW:
            for who in (seat, state.attacker ^ state.defender ^ seat):
                if self._search(state, who, within):
                    return who == seat
            within += 1
        return None

    def _search(self, state: State, seat: int, within: float) -> bool:
        if state.outcome is not None:
            return self._won(state.outcome, seat)
        if not within:
            return False
        key = state.key()
        never, surely = self._known.get((seat, key), _NOTHING)
        if within <= never or within >= surely:
            return within >= surely
        if not self._waiting[seat] and (place := self._sought[seat].get(key)) is not None and not place.won:
            return False
        if self.looked >= self._budget:
            raise TooLargeError
        self._steps += 1
        mine, bout = state.actor == seat, state.bout
        found = not mine
        for move in _cheap_first(state):
            next_one = after(state, move, self._drawn)
            if (next_one is not None and self._search(next_one, seat, within - (next_one.bout > bout))) == mine:
                found = mine
                break
        self._known[seat, key] = (never, within) if found else (within, surely)
        return found

    def _ever(self, root: State, seat: int) -> bool:
        """Whether a seat can force a win at all, however long it takes.

        Every position counts as not won until it is proved to be. Where the other side moves, one move that is not known to lose is enough, and
        the next is looked at only once that one loses; when nothing is left to look at, what is not won never will be.
        """
        sought, waiting = self._sought[seat], self._waiting[seat]
        key = root.key()
        found = sought.get(key) or self._meet(root, key, seat)
        while waiting and not found.won:
            if self.looked >= self._budget:
                raise TooLargeError
            try:
                place = waiting.pop()
                if not place.won and self._is_won(place, seat):
                    self._carry_back(place, seat)
            except BaseException:  # interrupted in the middle, so that what waits is no longer sure: whoever asks again begins anew
                sought.clear()
                waiting.clear()
                raise
        return found.won

    def _carry_back(self, place: _Place, seat: int) -> None:
        """A place is proved to be won: so is every one from which the seat goes there, and where the other side does, it needs another move."""
        won = [place]
        for one in won:
            one.won, one.moves = True, []
            for before in one.asked:
                if before.mine and not before.won:
                    before.won = True
                    won.append(before)
                elif not before.mine:
                    self._waiting[seat].append(before)
            one.asked = []

    def _meet(self, state: State, key: Hashable, seat: int) -> _Place:
        """A position that was not met before, which waits to be looked at unless the short search has decided it."""
        place = self._sought[seat][key] = _Place(state, mine=state.actor == seat)
        if self._known.get((seat, key), _NOTHING)[1] < inf:
            place.won = True
        elif self._known.get((state.attacker ^ state.defender ^ seat, key), _NOTHING)[1] == inf:
            place.moves = _cheap_first(state)[::-1]
            self._waiting[seat].append(place)
        return place

    def _is_won(self, place: _Place, seat: int) -> bool:
        """Look at the moves of a place as far as is needed now; whether it is proved to be won."""
        state, moves, mine, sought = place.state, place.moves, place.mine, self._sought[seat]
        while moves:
            next_one = after(state, moves[-1], self._drawn)
            if next_one is None or next_one.outcome is not None:
                won = next_one is not None and self.wins(next_one, seat)
                moves.pop()
                if won != mine:
                    continue
                place.moves = []
                return won
            key = next_one.key()
            found = sought.get(key)
            new = found is None
            if found is None:
                if mine:
                    self._waiting[seat].append(place)  # beneath what it leads to
                found = self._meet(next_one, key, seat)
            moves.pop()
            if found.won:
                if mine:
                    return True
                continue
            found.asked.append(place)
            if new or not mine:
                return False
        return not mine


def _cheap_first(state: State) -> list[Move]:
    """The legal moves, cheap cards first; to take, or to pass, comes last."""
    trumps = mask_of_trumps(state.suit)
    return sorted(legal_moves(state), key=lambda move: (not move.bit, bool(trumps & move.bit), SAME_RANK[move.code] if move.bit else 0))
