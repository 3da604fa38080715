"""Backward induction: who knows all that was done thinks the game through from its end.

Exact, for any number of seats. It applies wherever nobody's *moves* are hidden: what chance does may be, as long as all know the same.
Then what a seat believes does not depend on how anybody plays, and each information set can be decided before those that lead to it.

Where moves tie, `perfect_payoffs` finds every payoff vector of the equilibria in pure strategies. Each information set has the set of payoff vectors that play may bring
from there on. A player keeps those that are at least as good as the worst that each other move may bring, and chance adds one vector of each branch to one of every other.
Where a set becomes too large, only the least and the most that each player may get are kept. Nothing of that depends on the order of moves, players or information sets.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.best_responses import edges
from durak_widget.gametheory.game_properties import instead
from durak_widget.gametheory.infoset_labels import set_named
from durak_widget.gametheory.strategy import Strategy
from durak_widget.gametheory.tree import CHANCE, OVER, TreeError, forgets, require_tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.gametheory.tree import Tree

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


class Tie(NamedTuple):
    """Where moves are equally good for the seat to act; the first of them was taken."""

    place: int
    label: str
    moves: tuple[str, ...]


class Backward(NamedTuple):
    """What backward induction finds."""

    values: tuple[Fraction, ...]
    """What the game is worth to each seat."""
    strategy: Strategy
    """A pure strategy that is best at every information set, also where play never comes: subgame-perfect."""
    line: tuple[str, ...]
    """The moves from the root on when all play by it; where chance draws, the likeliest draw, the first of those equally likely."""
    ties: tuple[Tie, ...]
    """Where other moves would have been as good, if all play on as here; another choice may change what the others get: see `perfect_payoffs`."""


def backward_induction(tree: Tree) -> Backward:
    """The game solved from its end.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> places = {"": Turn(0, "begins", [("stop", "s"), ("go", "g")]), "s": End((1, 0)), "g": Turn(1, "answers", [("take", "t"), ("share", "h")])}
    >>> found = backward_induction(grow("", {**places, "t": End((0, 3)), "h": End((2, 2))}.__getitem__, seats=2))
    >>> found.values, found.line, found.strategy["answers"], found.ties
    ((Fraction(1, 1), Fraction(0, 1)), ('stop',), (Fraction(1, 1), Fraction(0, 1)), ())
    """
    passed = forward(tree)
    starts, worth, before, least = passed
    choices, ties = [0] * len(tree.sets), []
    for place in reversed(before):
        one, following = tree.sets[place], worth[starts[place] + 1 : starts[place + 1] + 1]
        counts = least[place] * tree.seats + one.seat
        best = max(way[counts] for way in following)
        equal = [move for move, way in enumerate(following) if way[counts] == best]
        choices[place] = equal[0]
        if len(equal) > 1:
            ties.append(Tie(place, one.label, tuple([one.moves[move] for move in equal])))
        led, gained = worth[before[place]], following[equal[0]]
        for at, more in enumerate(gained):
            led[at] += more
    strategy = Strategy.choosing(tree, choices)
    return Backward(tuple(worth[0][: tree.seats]), strategy, line(tree, strategy), tuple(reversed(ties)))


class Forward(NamedTuple):
    """A game whose moves are all seen, gone through once from the root."""

    starts: list[int]
    """As `edges` gives them."""
    worth: list[list[Fraction]]
    """By the number of the last move: what the ends pay that come next, each counted with its probability. The payoffs of all seats, once for each number of draws that chance never makes."""
    before: dict[int, int]
    """By information set, those from the root first: the number of the last move before it."""
    least: dict[int, int]
    """By information set: the least number of draws on the way there that chance never makes."""


def forward(tree: Tree) -> Forward:
    """Go through a game from the root, and refuse it where a player does not see a move.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> forward(textbook("entry")).before
    {0: 0, 1: 1}
    """
    require_tree(tree)
    starts, seats = edges(tree), range(tree.seats)
    never = _never_drawn(tree)
    worth = [[Fraction(0)] * (tree.seats * (1 + max(never))) for _ in range(starts[-1] + 1)]  # apart, by what chance never draws
    before: dict[int, int] = {}
    least: dict[int, int] = {}
    last, weights = [0] * tree.histories, [Fraction(1)] * tree.histories
    for here, (who, place, child) in enumerate(zip(tree.actor, tree.info, tree.first, strict=True)):
        edge, weight = last[here], weights[here]
        if who == OVER:
            for seat in seats:
                worth[edge][never[here] * tree.seats + seat] += weight * tree.payoffs[place][seat]
        elif who == CHANCE:
            for below, likely in enumerate(tree.chances[place].probabilities, child):
                last[below], weights[below] = edge, weight * (likely or 1)
        else:
            least[place] = min(never[here], least.get(place, never[here]))
            if before.setdefault(place, edge) != edge:
                if forgotten := forgets(tree):
                    raise TreeError(f"{forgotten}; solvers need a tree with perfect recall")
                raise TreeError(
                    f"backward induction needs a game in which all moves are seen, and {set_named(tree, place)} does not know what the others did: {instead(tree)}"
                )
            for below, mine in enumerate(range(starts[place] + 1, starts[place + 1] + 1), child):
                last[below], weights[below] = mine, weight
    return Forward(starts, worth, before, least)


def _never_drawn(tree: Tree) -> list[int]:
    """Of each history, how many draws lead there that chance never makes: there too it is decided what is best, though it counts for nothing before."""
    never = [0] * tree.histories
    if not any(0 in one.probabilities for one in tree.chances):
        return never
    for here, (who, place) in enumerate(zip(tree.actor, tree.info, strict=True)):
        for move, child in enumerate(tree.children(here)):
            never[child] = never[here] + (who == CHANCE and not tree.chances[place].probabilities[move])
    return never


def line(tree: Tree, strategy: Strategy) -> tuple[str, ...]:
    """The likeliest moves from the root to an end, the first of those equally likely.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> line(tree, Strategy.of(tree, {"begins": "r"}))
    ('r',)
    """
    return tree.moves_to((histories_played(tree, strategy) or [0])[-1])


def histories_played(tree: Tree, strategy: Strategy) -> list[int]:
    """Return the histories after the root on that line.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> histories_played(textbook("entry"), Strategy.of(textbook("entry"), {"begins": "stay out"}))
    [2]
    """
    here, found = 0, list[int]()
    while tree.actor[here] != OVER:
        place = tree.info[here]
        likely = tree.chances[place].probabilities if tree.actor[here] == CHANCE else strategy.rows[place]
        here = tree.first[here] + max(range(len(likely)), key=likely.__getitem__)
        found.append(here)
    return found


class _Range(NamedTuple):
    """The least and the most that each player may get, where there are too many payoff vectors to keep."""

    least: Payoffs
    most: Payoffs
    several: bool = False
    """Whether there is certainly more than one payoff vector."""


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

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> places = {"": Turn(0, "begins", [("out", "o"), ("in", "i")]), "i": Turn(1, "answers", [("share", "s"), ("fight", "f")])}
    >>> tree = grow("", {**places, "o": End((1, 4)), "s": End((2, 0)), "f": End((0, 0))}.__getitem__, seats=2)
    >>> found = perfect_payoffs(tree)
    >>> [tuple(map(int, paid)) for paid in found.payoffs], found.complete, [tie.moves for tie in found.ties]
    ([(1, 4), (2, 0)], True, [('share', 'fight')])
    """
    search = _Search(tree)
    whole, ties = search.run()
    if isinstance(whole, _Range) or len(whole) > LISTED:
        differ = True if not isinstance(whole, _Range) or whole.several else None
        return PerfectPayoffs((), complete=False, differ=differ, ties=ties, strategies=())
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
            (place, wanted.get(place) or min(_vectors(self._known[place]), key=lambda paid: (paid[seat], paid)))
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
            several = any(one.several if isinstance(one, _Range) else len(one) > 1 for one in parts)
            ranges = [one if isinstance(one, _Range) else _range_of(one) for one in parts]
            return _Range(_sum_of(ends, (one.least for one in ranges)), _sum_of(ends, (one.most for one in ranges)), several)
    return sums


def _vectors(known: _Known | _Added | _Range) -> Iterable[Payoffs]:
    """Return the payoff vectors that were kept; those of a range are the least and the most."""
    return (known.least, known.most) if isinstance(known, _Range) else known


def _sum_of(first: Payoffs, others: Iterable[Payoffs]) -> Payoffs:
    """Add payoff vectors."""
    return tuple([sum(paid, Fraction(0)) for paid in zip(first, *others, strict=True)])


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
        least, most, _ = _range_of([paid for move in fit for paid in _vectors(ranges[move])])
        every_vector_fits = len(fit) == 1 and ranges[fit[0]].least[seat] == top
        several = ranges[fit[0]].several if every_vector_fits else all(isinstance(way, dict) for way in ways)
        return _Range((*least[:seat], top, *least[seat + 1 :]), most, several), fit
    own = {move: {paid[seat] for paid in _vectors(ways[move]) if paid[seat] >= top} for move in fit}
    count = Counter(value for values in own.values() for value in values)
    return kept, [move for move in fit if any(count[value] > 1 for value in own[move])]
