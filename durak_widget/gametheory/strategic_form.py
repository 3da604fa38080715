"""Builds the reduced strategic form of a two-player game, or a matrix from rows of payoffs.

Pure strategies that differ only where their own moves never lead count as one (von Stengel, B. (2002):
Computing equilibria for two-person games). Domination here is by one other pure strategy. Domination by a
mixed strategy takes a linear program; see `bimatrix_equilibria`. Payoffs are rows of numbers (what the row
player wins from the column player) or rows of pairs.
"""

from __future__ import annotations

from fractions import Fraction
from html import escape
from math import lcm, log10
from numbers import Number as AnyNumber
from operator import le, lt
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from durak_widget.errors import quoted
from durak_widget.gametheory.number_parsing import exactly
from durak_widget.gametheory.player_labels import player_named
from durak_widget.gametheory.tree import CHANCE, OVER, UNREADABLE, TreeError, forgets, readable, require_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from durak_widget.gametheory.tree import Tree

CELLS: Final = 100_000
"""How many cells a matrix may have, unless one says so."""
_MANY: Final = 10**15
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_ASKED: Final = "payoffs are a list of rows, such as [[1, -1], [-1, 1]], or with a pair in each cell"
Path = tuple[tuple[int, int], ...]
"""What a seat has done on its way: at which of its information sets, which move."""


class Plan(NamedTuple):
    """A pure strategy: what a seat does wherever it comes to, if it does so."""

    words: str
    """In short: its moves, and where it makes them only if the moves alone do not tell it from another."""
    told: str
    """In full: at each information set that it can come to, what it does."""
    moves: Mapping[int, int]
    """At each information set, by its place in `tree.sets`, the place of the move."""

    def __str__(self) -> str:
        return self.words


class Dominated(NamedTuple):
    """A plan that another of the same seat beats, or never loses to.

    >>> str(Dominated(0, "Ann", "up", "down", strict=True))
    'Ann: up is strictly dominated by down'
    """

    seat: int
    name: str
    plan: str
    by: str
    strict: bool
    """Whether the other is better whatever is played against it, not only never worse and sometimes better."""

    def __str__(self) -> str:
        return f"{self.name}: {self.plan} is {'strictly' if self.strict else 'weakly'} dominated by {self.by}"


class Eliminated(NamedTuple):
    """What iterated removal came to."""

    steps: tuple[Dominated, ...]
    left: Matrix

    def __str__(self) -> str:
        return "\n".join([*map(str, self.steps), str(self.left)])


class Matrix:
    r"""Two seats' plans against each other: the first has the rows.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> ends = {"uu": End((3, 3)), "ud": End((0, 5)), "du": End((5, 0)), "dd": End((1, 1))}
    >>> game = {"": Turn(0, "", [("silent", "u"), ("talks", "d")]), **{one: Turn(1, "", [("silent", f"{one}u"), ("talks", f"{one}d")]) for one in "ud"}}
    >>> dilemma = matrix(grow("", (game | ends).__getitem__, seats=2, names=("Ann", "Bob")))
    >>> print(dilemma)
    Ann \ Bob | silent | talks
    silent    | 3, 3   | 0, 5
    talks     | 5, 0   | 1, 1
    >>> print(dilemma.eliminate())
    Ann: silent is strictly dominated by talks
    Bob: silent is strictly dominated by talks
    Ann \ Bob | talks
    talks     | 1, 1
    """

    __slots__ = ("columns", "names", "payoffs", "rows")

    def __init__(
        self, names: Sequence[str], rows: Sequence[Plan], columns: Sequence[Plan], payoffs: Sequence[Sequence[tuple[Fraction, Fraction]]]
    ) -> None:
        self.names = tuple(names)
        """What the seats are called."""
        self.rows, self.columns = tuple(rows), tuple(columns)
        self.payoffs = tuple(map(tuple, payoffs))
        """For each row, for each column: what it is worth to each."""

    @property
    def zero_sum(self) -> bool:
        """Whether what one wins the other loses, everywhere."""
        return all(one == -other for row in self.payoffs for one, other in row)

    def dominated(self, *, weak: bool = True) -> tuple[Dominated, ...]:
        """The plans that another plan of the same seat dominates, each once: strictly if there is such another, else weakly."""
        return tuple(found for _, found in self._dominated(weak=weak))

    def _dominated(self, *, weak: bool) -> Iterator[tuple[int, Dominated]]:
        """Those, each with its place."""
        yield from self._of(0, weak=weak)
        yield from self._of(1, weak=weak)

    def _of(self, seat: int, *, weak: bool) -> Iterator[tuple[int, Dominated]]:
        plans = (self.rows, self.columns)[seat]
        table = self.payoffs if seat == 0 else zip(*self.payoffs, strict=True)
        fractions = [[cell[seat] for cell in line] for line in table]
        whole = lcm(*(one.denominator for line in fractions for one in line))
        worth = [[one.numerator * (whole // one.denominator) for one in line] for line in fractions]
        totals = list(map(sum, worth))
        for place, (plan, mine) in enumerate(zip(plans, worth, strict=True)):
            weaker = None
            for other, theirs, total in zip(plans, worth, totals, strict=True):
                if total > totals[place] and all(map(le, mine, theirs)):
                    if all(map(lt, mine, theirs)):
                        yield place, Dominated(seat, self.names[seat], plan.words, other.words, strict=True)
                        break
                    weaker = weaker or other
            else:
                if weaker and weak:
                    yield place, Dominated(seat, self.names[seat], plan.words, weaker.words, strict=False)

    def eliminate(self, *, weak: bool = False) -> Eliminated:
        """Remove dominated plans one after another until there is none, and say each step.

        Strictly dominated ones may go in any order; with weakly dominated ones what is left can depend on it (rows go first here, from the top,
        and strictly dominated ones before others).
        """
        here = self
        steps: list[Dominated] = []
        while True:
            found = next(here._dominated(weak=False), None) or (next(here._dominated(weak=True), None) if weak else None)
            if found is None:
                return Eliminated(tuple(steps), here)
            place, step = found
            steps.append(step)
            here = here._without(step.seat, place)

    def _without(self, seat: int, place: int) -> Matrix:
        """A strategic form without one plan of a seat."""
        if seat == 0:
            return Matrix(self.names, _but(self.rows, place), self.columns, _but(self.payoffs, place))
        return Matrix(self.names, self.rows, _but(self.columns, place), [_but(row, place) for row in self.payoffs])

    def _cells(self) -> list[list[str]]:
        """The table as texts; where it is zero-sum, only what the rows win."""
        only_first = self.zero_sum
        corner = f"{self.names[0]} \\ {self.names[1]}"
        table = [[corner, *map(str, self.columns)]]
        for plan, row in zip(self.rows, self.payoffs, strict=True):
            table.append([str(plan), *(str(one) if only_first else f"{one}, {other}" for one, other in row)])
        return table

    def __str__(self) -> str:
        table = self._cells()
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        return "\n".join(" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table)

    def _repr_html_(self) -> str:
        """How a notebook shows it."""
        head, *rows = [[escape(cell) for cell in row] for row in self._cells()]
        tops = [f'<th scope="col" title="{escape(plan.told)}">{cell}</th>' for plan, cell in zip(self.columns, head[1:], strict=True)]
        top = f"<th>{head[0]}</th>{''.join(tops)}"
        body = "".join(
            f'<tr><th scope="row" title="{escape(plan.told)}">{row[0]}</th>{"".join(f"<td>{cell}</td>" for cell in row[1:])}</tr>'
            for plan, row in zip(self.rows, rows, strict=True)
        )
        told = f"What {escape(self.names[0])} wins" if self.zero_sum else f"What {escape(self.names[0])} and {escape(self.names[1])} win"
        return f"<table><caption>{told}</caption><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"

    def __repr__(self) -> str:
        return f"<Matrix: {len(self.rows)} × {len(self.columns)}>"


One = TypeVar("One")


def _but(things: Sequence[One], place: int) -> list[One]:
    """All but one of them."""
    return [*things[:place], *things[place + 1 :]]


def matrix(tree: Tree, *, limit: int = CELLS) -> Matrix:
    r"""The reduced strategic form of a small game for two; one with more cells than `limit` is refused with its size.

    >>> from durak_widget import Game, analysis
    >>> found = matrix(analysis.build_from(Game.from_position(hands=["6c 8d", "7c"]), open_hands=True))
    >>> print(found)
    Player 1 \ Player 2 | beat 6c 7c, beat 6c 7c | beat 6c 7c, take | take, beat 6c 7c | take, take
    attack 6c           | -1                     | -1               | 1                | 1
    attack 8d           | 1                      | 1                | 1                | 1
    >>> print(found.dominated()[0])
    Player 1: attack 6c is weakly dominated by attack 8d
    """
    require_tree(tree)
    if tree.seats != 2:
        raise TreeError(
            f"a matrix has rows and columns, so it is of a game for two; this one has {tree.seats} player{'s' * (tree.seats != 1)}"
        )
    if forgets(tree) is None:
        _check(how_many(tree, 0), how_many(tree, 1), limit)
    paths, chances = own_paths(tree)
    plans = [_plans(tree, seat, paths, limit) for seat in (0, 1)]
    _check(len(plans[0]), len(plans[1]), limit)
    rows, columns = [_named(tree, seat, plans[seat]) for seat in (0, 1)]
    return Matrix(tree.names, rows, columns, _payoffs(tree, paths, chances, rows, columns))


def _check(rows: int, columns: int, limit: int) -> None:
    """Refuse a matrix of too many cells."""
    if rows * columns > limit:
        one, other = (size_said(size) for size in (rows, columns))
        raise TreeError(
            f"the matrix would have {one} × {other} cells, and the limit is {limit:,}; take a smaller game, or give a higher limit="
        )


def size_said(size: int) -> str:
    """A number that may be very large, in few signs.

    >>> size_said(42_998), size_said(2**300)
    ('42,998', '10^90')
    """
    return f"{size:,}" if size < _MANY else f"10^{int(size.bit_length() * log10(2))}"


def how_many(tree: Tree, seat: int) -> int:
    """How many plans a seat that forgets nothing has, counted without writing one down.

    >>> from durak_widget.gametheory import End, Turn, grow
    >>> how_many(grow("", {"": Turn(0, "?", [("l", "e"), ("r", "e")]), "e": End((0, 0))}.__getitem__, seats=2), 0)
    2
    """
    before: dict[int, tuple[int, int] | None] = {}
    last: list[tuple[int, int] | None] = [None]
    for here, (actor, info) in enumerate(zip(tree.actor, tree.info, strict=True)):
        if actor == seat:
            before.setdefault(info, last[here])
            last.extend((info, move) for move in range(tree.count[here]))
        else:
            last.extend([last[here]] * tree.count[here])
    after: dict[tuple[int, int] | None, int] = {}
    for info, way in reversed(before.items()):
        after[way] = after.get(way, 1) * sum(after.get((info, move), 1) for move in range(len(tree.sets[info].moves)))
    return after.get(None, 1)


def own_paths(tree: Tree) -> tuple[list[tuple[Path, ...]], list[Fraction]]:
    """For each history, what each seat did on the way, and how likely chance made it.

    >>> from durak_widget.gametheory import textbook
    >>> paths, chances = own_paths(textbook("myerson"))
    >>> paths[-1], chances[-1]
    ((((2, 0),), ((1, 1),)), Fraction(1, 2))
    """
    paths: list[tuple[Path, ...]] = [((),) * tree.seats]
    chances = [Fraction(1)]
    for here in range(tree.histories):
        actor, info, done = tree.actor[here], tree.info[here], paths[here]
        for place in range(tree.count[here]):
            if actor == CHANCE:
                paths.append(done)
                chances.append(chances[here] * tree.chances[info].probabilities[place])
            else:
                paths.append((*done[:actor], (*done[actor], (info, place)), *done[actor + 1 :]))
                chances.append(chances[here])
    return paths, chances


def _reached(tree: Tree, seat: int, paths: list[tuple[Path, ...]]) -> dict[int, list[Path]]:
    """For each information set of a seat, in the order in which they come: what it may have done before."""
    found: dict[int, dict[Path, None]] = {}
    for here, actor in enumerate(tree.actor):
        if actor == seat:
            found.setdefault(tree.info[here], {})[paths[here][seat]] = None
    return {info: list(ways) for info, ways in found.items()}


def _plans(tree: Tree, seat: int, paths: list[tuple[Path, ...]], limit: int) -> list[dict[int, int]]:
    """All plans of a seat; more than a limit are refused."""
    found = []
    for plan in pure_plans(tree, seat, paths):
        found.append(plan)
        if len(found) > limit:
            raise TreeError(
                f"{player_named(tree.names, seat)} has more than {limit:,} pure strategies, and the limit is so many cells; take a smaller game, or give a higher limit="
            )
    return found


def plans_of(tree: Tree, limit: int = CELLS) -> list[list[Plan]]:
    """The plans of each seat, however many play; more than a limit are refused.

    >>> from durak_widget.gametheory import textbook
    >>> [[str(plan) for plan in plans] for plans in plans_of(textbook("outside-option"))]
    [['book', 'concert, Bach', 'concert, Stravinsky'], ['Bach', 'Stravinsky']]
    """
    require_tree(tree)
    paths, _ = own_paths(tree)
    return [_named(tree, seat, _plans(tree, seat, paths, limit)) for seat in range(tree.seats)]


def pure_plans(tree: Tree, seat: int, paths: list[tuple[Path, ...]]) -> Iterator[dict[int, int]]:
    """All plans of a seat, one after another: a move wherever its moves so far lead, until they lead nowhere else.

    >>> from durak_widget.gametheory import textbook
    >>> game = textbook("outside-option")
    >>> list(pure_plans(game, 0, own_paths(game)[0]))
    [{0: 0}, {0: 1, 1: 0}, {0: 1, 1: 1}]
    """
    reached = _reached(tree, seat, paths)
    waiting: list[dict[int, int]] = [{}]
    while waiting:
        plan = waiting.pop()
        info = next((info for info, ways in reached.items() if info not in plan and any(leads_along(plan, way) for way in ways)), None)
        if info is None:
            yield plan
        else:
            waiting += [plan | {info: move} for move in reversed(range(len(tree.sets[info].moves)))]


def leads_along(plan: Mapping[int, int], way: Path) -> bool:
    """Whether a plan goes this way.

    >>> leads_along({0: 1, 2: 0}, ((0, 1),)), leads_along({0: 1, 2: 0}, ((0, 1), (2, 1)))
    (True, False)
    """
    return all(plan.get(info) == move for info, move in way)


def _named(tree: Tree, seat: int, plans: list[dict[int, int]]) -> list[Plan]:
    """Plans with words for them: their moves where that tells them apart, else with what the seat knows there."""
    if plans == [{}]:
        return [Plan("nothing to decide", "nothing to decide", {})]
    own = [info for info, known in enumerate(tree.sets) if known.seat == seat]
    labels = [tree.sets[info].label for info in own]
    named = {
        info: label if label and labels.count(label) == 1 else f"{label} [{place}]".strip()
        for place, (info, label) in enumerate(zip(own, labels, strict=True), 1)
    }
    short = [", ".join(tree.sets[info].moves[move] for info, move in plan.items()) for plan in plans]
    told = ["; ".join(f"{named[info]}: {tree.sets[info].moves[move]}" for info, move in plan.items()) for plan in plans]
    words = short if len(set(short)) == len(plans) else told
    return [Plan(*said) for said in zip(words, told, plans, strict=True)]


def _payoffs(
    tree: Tree, paths: list[tuple[Path, ...]], chances: list[Fraction], rows: list[Plan], columns: list[Plan]
) -> list[list[tuple[Fraction, Fraction]]]:
    """What each plan is worth against each other, over all that chance may do."""
    together: dict[tuple[Path, ...], list[Fraction]] = {}
    for here, actor in enumerate(tree.actor):
        if actor == OVER:
            worth = together.setdefault(paths[here], [Fraction(0), Fraction(0)])
            for seat, paid in enumerate(tree.payoffs[tree.info[here]]):
                worth[seat] += chances[here] * paid
    whole = lcm(*(one.denominator for worth in together.values() for one in worth))
    ends = [(mine, theirs, int(one * whole), int(other * whole)) for (mine, theirs), (one, other) in together.items()]
    fits = [{way for way in {end[1] for end in ends} if leads_along(plan.moves, way)} for plan in columns]
    table = []
    for row in rows:
        worths: dict[Path, tuple[int, int]] = {}
        for mine, theirs, one, other in ends:
            if leads_along(row.moves, mine):
                before = worths.get(theirs, (0, 0))
                worths[theirs] = before[0] + one, before[1] + other
        cells = []
        for ways in fits:
            found = [worth for way, worth in worths.items() if way in ways]
            cells.append((Fraction(sum(one for one, _ in found), whole), Fraction(sum(other for _, other in found), whole)))
        table.append(cells)
    return table


def matrix_of(
    payoffs: object, *, rows: Sequence[str] | None = None, columns: Sequence[str] | None = None, names: Sequence[str] = ("Row", "Column")
) -> Matrix:
    r"""The matrix of these payoffs: rows of numbers, which are what the rows win and the columns lose, or rows of pairs.

    >>> print(matrix_of([[(3, 2), (0, 0)], [(0, 0), ("1/2", 3)]], rows=["opera", "match"], columns=["opera", "match"], names=("Ann", "Bob")))
    Ann \ Bob | opera | match
    opera     | 3, 2  | 0, 0
    match     | 0, 0  | 1/2, 3
    >>> print(matrix_of([[1, -1], [-1, 1]]))
    Row \ Column | a  | b
    A            | 1  | -1
    B            | -1 | 1
    """
    table = [_listed(row, "a row of the matrix is a list of numbers, or of pairs") for row in _listed(payoffs, _ASKED)]
    if not table or not table[0]:
        raise TreeError("a matrix has a row and a column at least; this one is empty")
    if len({len(row) for row in table}) > 1:
        raise TreeError(f"the rows of a matrix are of one length; these have {', '.join(str(len(row)) for row in table)} cells")
    cells = [[_cell(cell) for cell in row] for row in table]
    called = _called(names, 2, "players", ("Row", "Column"))
    named = [
        [Plan(name, name, {}) for name in _called(given, many, what, _some(many, upper=upper))]
        for given, many, what, upper in ((rows, len(cells), "rows", True), (columns, len(cells[0]), "columns", False))
    ]
    return Matrix(called, named[0], named[1], cells)


def number_of(value: object) -> Fraction:
    """The payoff that somebody wrote: a decimal is what it looks like, not the nearest float; what nobody could write down is refused.

    >>> number_of(0.1), number_of("-3/4"), number_of("2,5")
    (Fraction(1, 10), Fraction(-3, 4), Fraction(5, 2))
    """
    number = Fraction(value) if type(value) in {int, Fraction} else exactly(value)  # type: ignore[call-overload]
    if number is None:
        raise TreeError(f"a payoff is a number or a fraction, such as 3, -1 or '1/2', not {quoted(value)}")
    if not readable(number):
        raise TreeError(UNREADABLE)
    return number


def _cell(cell: object) -> tuple[Fraction, Fraction]:
    """What a cell is worth to each."""
    if isinstance(cell, (str, AnyNumber)):
        one = number_of(cell)
        return one, -one
    pair = _listed(cell, "a cell is a number, or a pair of numbers: what it is worth to the row, and to the column")
    if len(pair) != 2:
        raise TreeError(f"a cell is a number, or a pair of numbers, not {quoted(cell)}")
    return number_of(pair[0]), number_of(pair[1])


def _listed(what: object, asked: str) -> list[object]:
    """A list of it; whatever cannot be one is refused."""
    if isinstance(what, (str, bytes, dict)):
        raise TreeError(f"{asked}, not {quoted(what)}")
    try:
        return list(what)  # type: ignore[call-overload, no-any-return]
    except TypeError:
        raise TreeError(f"{asked}, not {quoted(what)}") from None


def _called(given: object, many: int, what: str, else_called: Sequence[str]) -> Sequence[str]:
    """Names, one for each, and no two the same."""
    if given is None:
        return else_called
    said = [str(one) for one in _listed(given, f"{what} are called by a list of names")]
    if len(said) != many or len(set(said)) != many:
        raise TreeError(f"there are {many} {what}, each with a name of its own; {len(set(said))} names are given: {', '.join(said)[:80]}")
    return said


def _some(many: int, *, upper: bool) -> list[str]:
    """Names for what has none: letters, as far as they go."""
    if many > len(_LETTERS):
        return [f"{'R' if upper else 'c'}{place}" for place in range(1, many + 1)]
    return list(_LETTERS[:many].upper() if upper else _LETTERS[:many])
