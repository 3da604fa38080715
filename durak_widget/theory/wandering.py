"""Two hands and no talon, under any rules: who wins, and within how many bouts, found by the engine itself.

Where attacks are passed on, positions come again, and a search that takes a position seen before for a draw gives wrong values: the draw may be a
draw only on that way. So what is won within a few bouts is searched for first, which needs no word on repetition; and where neither
side wins so, all positions that can be reached are laid out, and wins are carried backwards from the ends until nothing changes. What is left is a draw.
"""

from __future__ import annotations

from heapq import heappop, heappush
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.game.engine import legal_moves
from durak_widget.game.kit import SAME_RANK, mask_of_trumps
from durak_widget.game.state import blank
from durak_widget.theory.duel import EVER, TooLargeError
from durak_widget.theory.repeats import after

if TYPE_CHECKING:
    from collections.abc import Hashable

    from durak_widget.game.moves import Move
    from durak_widget.game.state import State
    from durak_widget.rules.scoring import Outcome
    from durak_widget.theory.repeats import Starts

_FEW: Final = 3000
"""About so many steps are searched before all positions are laid out."""


class Ended(NamedTuple):
    """Who wins from a position, and within how many bouts."""

    seat: int
    bouts: int


class Wandering:
    """The endings that one position leads to, and what is known of them so far.

    >>> from durak_widget import Game, Rules
    >>> state = Game.from_position(Rules(transfer=True, repetition=None), hands=["Qh Ks", "Kh Kc"], trump="h").state
    >>> Wandering(state).wins(state, 0)
    True
    """

    __slots__ = ("_budget", "_drawn", "_graph", "_in_vain", "_known", "_least", "_steps", "_wanders")

    def __init__(self, state: State, budget: int | None = None, drawn: Starts = frozenset(), least: int = 0) -> None:
        """Search from a state under rules without repetition; the starts of bouts in `drawn` (as in `State.past`) end the game in a draw.

        A win that leaves the fool with fewer than `least` epaulettes is none.
        """
        self._least = least
        self._known: dict[tuple[int, Hashable], tuple[float, float]] = {}
        self._graph: dict[Hashable | None, Ended | None] = {}
        self._drawn, self._wanders = drawn, state.kit.transfers
        self._budget, self._steps, self._in_vain = inf if budget is None else budget, 0, 0

    @property
    def looked(self) -> int:
        """How many positions were looked at."""
        return len(self._known) + len(self._graph) + self._in_vain

    def wins(self, state: State, seat: int, within: float = EVER) -> bool:
        """Whether a seat can force the win in so many bouts, the one that is on among them."""
        if state.outcome is not None:
            return self._won(state.outcome, seat)
        try:
            return self._found(state, seat, within)
        except RecursionError:
            raise TooLargeError from None

    def _won(self, outcome: Outcome, seat: int) -> bool:
        return seat in outcome.winners and outcome.epaulettes >= self._least

    def _found(self, state: State, seat: int, within: float) -> bool:
        if self._wanders:
            key = state.key()
            if key not in self._graph and within == EVER:
                found = self._soon(state, seat)
                if found is not None:
                    return found
                self._lay_out(state)
            if key in self._graph:
                ended = self._graph[key]
                return ended is not None and ended.seat == seat and ended.bouts <= within
        return self._search(state, seat, within)

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
        never, surely = self._known.get((seat, key), (0.0, inf))
        if within <= never or within >= surely:
            return within >= surely
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

    def _lay_out(self, root: State) -> None:
        """Find all positions that can be reached, and carry the wins backwards, the nearest first."""
        places: dict[Hashable | None, int] = {root.key(): 0}
        states: list[State | None] = [root]
        actors: list[int | None] = []
        before: list[list[tuple[int, int]]] = [[]]
        ways: list[int] = []  # how many moves of each are not known to lose
        nearest: list[tuple[int, int, int]] = []  # bouts, seat, place
        sides, room = (root.attacker, root.defender), (self._budget - self.looked) / 2  # the rest is for what is soon over
        for place, state in enumerate(states):
            assert state is not None  # noqa: S101 - it is dropped below, once looked at
            actors.append(state.actor)
            following: dict[int, int] = {}
            for move in legal_moves(state):
                next_one = after(state, move, self._drawn)
                key = None if next_one is None else next_one.key()
                found = places.get(key)
                if found is None:
                    if len(states) >= room:
                        self._in_vain += len(states)
                        raise TooLargeError
                    found = places[key] = len(states)
                    states.append(next_one or blank(state.kit))  # a draw is a position without moves
                    before.append([])
                following[found] = int(next_one is None or next_one.bout > state.bout or next_one.outcome is not None)
            for found, bouts in following.items():
                before[found].append((place, bouts))
            ways.append(len(following))
            if state.outcome is not None:  # a heap, since all are alike
                nearest += [(0, seat, place) for seat in sides if self._won(state.outcome, seat)]
            states[place] = None
        ended: list[Ended | None] = [None] * len(states)
        slowest = [0] * len(states)
        while nearest:
            bouts, seat, place = heappop(nearest)
            if ended[place] is not None:
                continue
            ended[place] = Ended(seat, bouts)
            for one, more in before[place]:
                if actors[one] == seat:
                    heappush(nearest, (bouts + more, seat, one))
                    continue
                ways[one] -= 1
                slowest[one] = max(slowest[one], bouts + more)
                if not ways[one]:
                    heappush(nearest, (slowest[one], seat, one))
        self._graph.update(zip(places, ended, strict=True))


def _cheap_first(state: State) -> list[Move]:
    """The legal moves, cheap cards first; to take, or to pass, comes last."""
    trumps = mask_of_trumps(state.suit)
    return sorted(legal_moves(state), key=lambda move: (not move.bit, bool(trumps & move.bit), SAME_RANK[move.code] if move.bit else 0))
