"""Every payoff vector of the subgame-perfect equilibria in pure strategies, where moves tie and backward induction has a choice.

Each information set has the set of payoff vectors that play may bring from there on. A player keeps the vectors that are at least as good as the
worst that each other move may bring. Chance adds one vector of each branch to one of every other. Where a set becomes too large, only the least and
the most that each player may get are kept. Nothing here depends on the order of moves, players or information sets.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.games.solving.backward import Tie, forward
from durak_widget.games.solving.strategy import Strategy

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from durak_widget.games.trees.tree import Tree

LISTED: Final = 100
"""So many payoff vectors are listed."""
_KEPT: Final = 200
"""So many are kept on the way."""

Payoffs = tuple["Fraction", ...]
"""What each player gets."""
_Chosen = dict[Payoffs, "tuple[int, tuple[Payoffs, ...]]"]
"""What an information set may bring: each payoff vector, with a move that gets it, and what the information sets after that move must bring."""
_Added = dict[Payoffs, "tuple[Payoffs, ...]"]
"""What a move may bring: each payoff vector, with what each information set that follows must bring."""


class _Range(NamedTuple):
    """The least and the most that each player may get, where there are too many payoff vectors to keep."""

    least: Payoffs
    most: Payoffs


_Known = _Chosen | _Range


class PerfectPayoffs(NamedTuple):
    """What subgame-perfect equilibria in pure strategies pay, and where moves tie."""

    payoffs: tuple[Payoffs, ...]
    """Every payoff vector, in order; nothing where there are more than `LISTED`."""
    complete: bool
    """Whether every payoff vector is listed."""
    differ: bool | None
    """Whether there are several payoff vectors; None where that is not known."""
    ties: tuple[Tie, ...]
    """Where moves tie, and which: for some way to play on they are equally good. Where `complete` is false, they may tie."""
    strategies: tuple[Strategy, ...]
    """For each payoff vector an equilibrium that pays it; nothing where some part of the game has too many of them."""


def perfect_payoffs(tree: Tree) -> PerfectPayoffs:
    """Return what the subgame-perfect equilibria in pure strategies pay, in a game whose moves are all seen.

    Where something else is hidden, such as a card, these are the sequential equilibria in pure strategies.

    >>> from durak_widget.games.trees.tree import End, Turn, grow
    >>> places = {"": Turn(0, "begins", [("out", "o"), ("in", "i")]), "i": Turn(1, "answers", [("share", "s"), ("fight", "f")])}
    >>> tree = grow("", {**places, "o": End((1, 4)), "s": End((2, 0)), "f": End((0, 0))}.__getitem__, seats=2)
    >>> found = perfect_payoffs(tree)
    >>> [tuple(map(int, paid)) for paid in found.payoffs], found.complete, [tie.moves for tie in found.ties]
    ([(1, 4), (2, 0)], True, [('share', 'fight')])
    """
    search = _Search(tree)
    whole, ties = search.run()
    if isinstance(whole, _Range) or len(whole) > LISTED:
        return PerfectPayoffs((), complete=False, differ=None if isinstance(whole, _Range) else True, ties=ties, strategies=())
    payoffs = tuple(sorted(whole))
    strategies = tuple([search.played(whole[paid]) for paid in payoffs]) if search.all_kept else ()
    return PerfectPayoffs(payoffs, complete=True, differ=len(payoffs) > 1, ties=ties, strategies=strategies)


class _Search:
    """What each information set of a game may bring, from the last to the first."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._starts, self._worth, self._before, self._layer = forward(tree)
        self._known: list[_Known] = [{}] * len(tree.sets)
        self._after: dict[int, list[int]] = {}
        for place, edge in self._before.items():
            self._after.setdefault(edge, []).append(place)

    @property
    def all_kept(self) -> bool:
        """Whether every payoff vector of every information set was kept."""
        return not any(isinstance(one, _Range) for one in self._known)

    def run(self) -> tuple[_Added | _Range, tuple[Tie, ...]]:
        """Return what the whole game may bring, and where moves tie."""
        ties = []
        for place in reversed(self._before):
            one = self._tree.sets[place]
            ways = [self._brought(edge, self._layer[place]) for edge in self._edges(place)]
            self._known[place], tied = _chosen(one.seat, ways)
            if len(tied) > 1:
                ties.append(Tie(place, one.label, tuple([one.moves[move] for move in tied])))
        return self._brought(0, 0), tuple(sorted(ties))

    def _edges(self, place: int) -> range:
        return range(self._starts[place] + 1, self._starts[place + 1] + 1)

    def _follow(self, edge: int, layer: int) -> list[int]:
        """The information sets after a move that count for it: those behind a draw that chance never makes do not."""
        return [place for place in self._after.get(edge, ()) if self._layer[place] == layer]

    def _brought(self, edge: int, layer: int) -> _Added | _Range:
        """What may come of a move."""
        seats = self._tree.seats
        ends = tuple(self._worth[edge][layer * seats : (layer + 1) * seats])
        return _added(ends, [self._known[place] for place in self._follow(edge, layer)])

    def played(self, parts: tuple[Payoffs, ...]) -> Strategy:
        """Return an equilibrium in which the first information sets bring so much; a player who leaves its moves gets the least that may follow."""
        choices = [0] * len(self._tree.sets)
        waiting = self._wanted(0, 0, parts, 0)
        while waiting:
            place, paid = waiting.pop()
            known, layer, seat = self._known[place], self._layer[place], self._tree.sets[place].seat
            assert isinstance(known, dict)  # noqa: S101 - asked for only where all was kept
            choices[place], parts = known[paid]
            for move, edge in enumerate(self._edges(place)):
                waiting += self._wanted(edge, layer, parts if move == choices[place] else None, seat)
        return Strategy.choosing(self._tree, choices)

    def _wanted(self, edge: int, layer: int, parts: tuple[Payoffs, ...] | None, seat: int) -> list[tuple[int, Payoffs]]:
        """What each information set after a move must bring: as said, or the least for a player."""
        wanted = {} if parts is None else dict(zip(self._follow(edge, layer), parts, strict=True))
        return [
            (place, wanted.get(place) or min(self._known[place], key=lambda paid: (paid[seat], paid)))
            for place in self._after.get(edge, ())
        ]


def _added(ends: Payoffs, parts: Sequence[_Known]) -> _Added | _Range:
    """What the ends pay, and one payoff vector of each part added to it, in every combination."""
    sums: _Added = {ends: ()}
    for part in parts:
        if isinstance(part, dict):
            sums = {
                tuple([one + other for one, other in zip(paid, more, strict=True)]): (*way, more)
                for paid, way in sums.items()
                for more in part
            }
        if isinstance(part, _Range) or len(sums) > _KEPT:
            ranges = [one if isinstance(one, _Range) else _range_of(one) for one in parts]
            return _Range(*(tuple(map(sum, zip(ends, *side, strict=True))) for side in zip(*ranges, strict=True)))  # type: ignore[arg-type]
    return sums


def _range_of(paid: Iterable[Payoffs]) -> _Range:
    """The least and the most that each player gets."""
    columns = list(zip(*paid, strict=True))
    return _Range(tuple(map(min, columns)), tuple(map(max, columns)))


def _chosen(seat: int, ways: Sequence[_Added | _Range]) -> tuple[_Known, list[int]]:
    """What a player may bring about that does the best for itself, and which moves tie."""
    ranges = [way if isinstance(way, _Range) else _range_of(way) for way in ways]
    top = max(one.least[seat] for one in ranges)  # it gets so much, whatever follows its moves
    fit = [move for move, one in enumerate(ranges) if one.most[seat] >= top]
    kept: _Chosen = {}
    for move in fit:
        way = ways[move]
        if isinstance(way, dict):
            for paid, parts in way.items():
                if paid[seat] >= top:
                    kept.setdefault(paid, (move, parts))
    if len(kept) > _KEPT or any(isinstance(ways[move], _Range) for move in fit):
        least, most = _range_of([paid for move in fit for paid in ranges[move]])
        return _Range((*least[:seat], top, *least[seat + 1 :]), most), fit
    own = {move: {paid[seat] for paid in ways[move] if paid[seat] >= top} for move in fit}
    count = Counter(value for values in own.values() for value in values)
    return kept, [move for move in fit if any(count[value] > 1 for value in own[move])]
