"""Builds the reduced strategic form of a two-player game, or a matrix from payoffs.

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
"""The default limit of the number of cells."""
_MANY: Final = 10**15
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_ASKED: Final = "payoffs are a list of rows, such as [[1, -1], [-1, 1]], or with a pair in each cell"
Path = tuple[tuple[int, int], ...]
"""A player's own actions on the way to a node: pairs of an information set and an action."""


class Plan(NamedTuple):
    """A pure strategy: an action wherever the player's own actions lead."""

    words: str
    """A short label: the actions, with their information sets only if the actions alone are ambiguous."""
    told: str
    """A full label: each information set that it can come to, with the action."""
    moves: Mapping[int, int]
    """The index of the action, by the index of the information set in `tree.sets`."""

    def __str__(self) -> str:
        return self.words


class Dominated(NamedTuple):
    """A pure strategy that is dominated by another one of the same player.

    >>> str(Dominated(0, "Ann", "up", "down", strict=True))
    'Ann: up is strictly dominated by down'
    """

    seat: int
    name: str
    plan: str
    by: str
    strict: bool
    """True if the other is always better; False if it is never worse and sometimes better."""

    def __str__(self) -> str:
        return f"{self.name}: {self.plan} is {'strictly' if self.strict else 'weakly'} dominated by {self.by}"


class Eliminated(NamedTuple):
    """The result of iterated elimination of dominated strategies."""

    steps: tuple[Dominated, ...]
    left: Matrix

    def __str__(self) -> str:
        return "\n".join([*map(str, self.steps), str(self.left)])


class Matrix:
    r"""The payoffs of two players' pure strategies against each other; player 1 has the rows.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> ends = {"uu": End((3, 3)), "ud": End((0, 5)), "du": End((5, 0)), "dd": End((1, 1))}
    >>> game = {"": Turn(0, "", [("silent", "u"), ("talks", "d")]), **{side: Turn(1, "", [("silent", f"{side}u"), ("talks", f"{side}d")]) for side in "ud"}}
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
        """The players' names."""
        self.rows, self.columns = tuple(rows), tuple(columns)
        self.payoffs = tuple(map(tuple, payoffs))
        """For each row, for each column: the payoffs of both players."""

    @property
    def zero_sum(self) -> bool:
        """Return whether one player always wins what the other loses."""
        return all(row_payoff == -column_payoff for row in self.payoffs for row_payoff, column_payoff in row)

    def dominated(self, *, weak: bool = True) -> tuple[Dominated, ...]:
        """Return the pure strategies that another one of the same player dominates.

        Each is listed once: strictly dominated if any other dominates it strictly, else weakly.
        """
        return tuple(found for _, found in self._dominated(weak=weak))

    def _dominated(self, *, weak: bool) -> Iterator[tuple[int, Dominated]]:
        """Yield the dominated strategies of both players, each with its index."""
        yield from self._of(0, weak=weak)
        yield from self._of(1, weak=weak)

    def _of(self, seat: int, *, weak: bool) -> Iterator[tuple[int, Dominated]]:
        strategies = (self.rows, self.columns)[seat]
        table = self.payoffs if seat == 0 else zip(*self.payoffs, strict=True)
        fractions = [[cell[seat] for cell in payoff_line] for payoff_line in table]
        denominator = lcm(*(payoff.denominator for payoff_line in fractions for payoff in payoff_line))
        scaled = [[payoff.numerator * (denominator // payoff.denominator) for payoff in payoff_line] for payoff_line in fractions]
        totals = list(map(sum, scaled))
        for index, (strategy, own_payoffs) in enumerate(zip(strategies, scaled, strict=True)):
            weak_dominator = None
            for other, other_payoffs, total in zip(strategies, scaled, totals, strict=True):
                if total > totals[index] and all(map(le, own_payoffs, other_payoffs)):
                    if all(map(lt, own_payoffs, other_payoffs)):
                        yield index, Dominated(seat, self.names[seat], strategy.words, other.words, strict=True)
                        break
                    weak_dominator = weak_dominator or other
            else:
                if weak_dominator and weak:
                    yield index, Dominated(seat, self.names[seat], strategy.words, weak_dominator.words, strict=False)

    def eliminate(self, *, weak: bool = False) -> Eliminated:
        """Eliminate dominated strategies one after another, and record each step.

        Strictly dominated strategies can go in any order. With weakly dominated ones the result can depend on it. Here the
        rows go first, from the top, and strictly dominated strategies before others.
        """
        remaining = self
        steps: list[Dominated] = []
        while True:
            found = next(remaining._dominated(weak=False), None) or (next(remaining._dominated(weak=True), None) if weak else None)
            if found is None:
                return Eliminated(tuple(steps), remaining)
            index, step = found
            steps.append(step)
            remaining = remaining._without(step.seat, index)

    def _without(self, seat: int, place: int) -> Matrix:
        """Return the matrix without one pure strategy of a player."""
        if seat == 0:
            return Matrix(self.names, _but(self.rows, place), self.columns, _but(self.payoffs, place))
        return Matrix(self.names, self.rows, _but(self.columns, place), [_but(row, place) for row in self.payoffs])

    def _cells(self) -> list[list[str]]:
        """Return the table as texts; in a zero-sum game only the row player's payoffs."""
        only_first = self.zero_sum
        corner = f"{self.names[0]} \\ {self.names[1]}"
        table = [[corner, *map(str, self.columns)]]
        for strategy, row in zip(self.rows, self.payoffs, strict=True):
            table.append(
                [str(strategy), *(str(row_payoff) if only_first else f"{row_payoff}, {column_payoff}" for row_payoff, column_payoff in row)]
            )
        return table

    def __str__(self) -> str:
        table = self._cells()
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        return "\n".join(" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table)

    def _repr_html_(self) -> str:
        """Return the table that a notebook shows."""
        head, *rows = [[escape(cell) for cell in row] for row in self._cells()]
        column_headers = [
            f'<th scope="col" title="{escape(strategy.told)}">{cell}</th>' for strategy, cell in zip(self.columns, head[1:], strict=True)
        ]
        head_row = f"<th>{head[0]}</th>{''.join(column_headers)}"
        body = "".join(
            f'<tr><th scope="row" title="{escape(strategy.told)}">{row[0]}</th>{"".join(f"<td>{cell}</td>" for cell in row[1:])}</tr>'
            for strategy, row in zip(self.rows, rows, strict=True)
        )
        caption = f"What {escape(self.names[0])} wins" if self.zero_sum else f"What {escape(self.names[0])} and {escape(self.names[1])} win"
        return f"<table><caption>{caption}</caption><thead><tr>{head_row}</tr></thead><tbody>{body}</tbody></table>"

    def __repr__(self) -> str:
        return f"<Matrix: {len(self.rows)} × {len(self.columns)}>"


One = TypeVar("One")


def _but(things: Sequence[One], place: int) -> list[One]:
    """Return all items but one."""
    return [*things[:place], *things[place + 1 :]]


def matrix(tree: Tree, *, limit: int = CELLS) -> Matrix:
    r"""Build the reduced strategic form of a small two-player game.

    A matrix with more cells than `limit` is refused, with its size.

    >>> from durak_widget import Game, analysis
    >>> table = matrix(analysis.build_from(Game.from_position(hands=["6c 8d", "7c"]), open_hands=True))
    >>> print(table)
    Player 1 \ Player 2 | beat 6c 7c, beat 6c 7c | beat 6c 7c, take | take, beat 6c 7c | take, take
    attack 6c           | -1                     | -1               | 1                | 1
    attack 8d           | 1                      | 1                | 1                | 1
    >>> print(table.dominated()[0])
    Player 1: attack 6c is weakly dominated by attack 8d
    """
    require_tree(tree)
    if tree.seats != 2:
        raise TreeError(
            f"a matrix has rows and columns, so it is of a game for two; this one has {tree.seats} player{'s' * (tree.seats != 1)}"
        )
    if forgets(tree) is None:
        _check(how_many(tree, 0), how_many(tree, 1), limit)
    paths, chance_probabilities = own_paths(tree)
    strategies = [_plans(tree, player, paths, limit) for player in (0, 1)]
    _check(len(strategies[0]), len(strategies[1]), limit)
    rows, columns = [_named(tree, player, strategies[player]) for player in (0, 1)]
    return Matrix(tree.names, rows, columns, _payoffs(tree, paths, chance_probabilities, rows, columns))


def _check(rows: int, columns: int, limit: int) -> None:
    """Refuse a matrix of too many cells."""
    if rows * columns > limit:
        row_text, column_text = (size_said(size) for size in (rows, columns))
        raise TreeError(
            f"the matrix would have {row_text} × {column_text} cells, and the limit is {limit:,}; take a smaller game, or give a higher limit="
        )


def size_said(size: int) -> str:
    """Format a number that may be very large, in few characters.

    >>> size_said(42_998), size_said(2**300)
    ('42,998', '10^90')
    """
    return f"{size:,}" if size < _MANY else f"10^{int(size.bit_length() * log10(2))}"


def how_many(tree: Tree, seat: int) -> int:
    """Count the pure strategies of a player with perfect recall, without listing them.

    >>> from durak_widget.gametheory import End, Turn, grow
    >>> how_many(grow("", {"": Turn(0, "?", [("l", "e"), ("r", "e")]), "e": End((0, 0))}.__getitem__, seats=2), 0)
    2
    """
    parent_choice: dict[int, tuple[int, int] | None] = {}
    last_choice: list[tuple[int, int] | None] = [None]
    for node, (actor, infoset) in enumerate(zip(tree.actor, tree.info, strict=True)):
        if actor == seat:
            parent_choice.setdefault(infoset, last_choice[node])
            last_choice.extend((infoset, action) for action in range(tree.count[node]))
        else:
            last_choice.extend([last_choice[node]] * tree.count[node])
    counts: dict[tuple[int, int] | None, int] = {}
    for infoset, choice in reversed(parent_choice.items()):
        counts[choice] = counts.get(choice, 1) * sum(counts.get((infoset, action), 1) for action in range(len(tree.sets[infoset].moves)))
    return counts.get(None, 1)


def own_paths(tree: Tree) -> tuple[list[tuple[Path, ...]], list[Fraction]]:
    """Compute the own actions of each player up to each history, and its chance probability.

    >>> from durak_widget.gametheory import textbook
    >>> paths, chances = own_paths(textbook("myerson"))
    >>> paths[-1], chances[-1]
    ((((2, 0),), ((1, 1),)), Fraction(1, 2))
    """
    paths: list[tuple[Path, ...]] = [((),) * tree.seats]
    chances = [Fraction(1)]
    for node in range(tree.histories):
        actor, infoset, path = tree.actor[node], tree.info[node], paths[node]
        for action in range(tree.count[node]):
            if actor == CHANCE:
                paths.append(path)
                chances.append(chances[node] * tree.chances[infoset].probabilities[action])
            else:
                paths.append((*path[:actor], (*path[actor], (infoset, action)), *path[actor + 1 :]))
                chances.append(chances[node])
    return paths, chances


def _reached(tree: Tree, seat: int, paths: list[tuple[Path, ...]]) -> dict[int, list[Path]]:
    """Find the ways on which a player can come to each of their information sets."""
    found: dict[int, dict[Path, None]] = {}
    for node, actor in enumerate(tree.actor):
        if actor == seat:
            found.setdefault(tree.info[node], {})[paths[node][seat]] = None
    return {infoset: list(infoset_paths) for infoset, infoset_paths in found.items()}


def _plans(tree: Tree, seat: int, paths: list[tuple[Path, ...]], limit: int) -> list[dict[int, int]]:
    """List all pure strategies of a player; refuse more than the limit."""
    found = []
    for pure_strategy in pure_plans(tree, seat, paths):
        found.append(pure_strategy)
        if len(found) > limit:
            raise TreeError(
                f"{player_named(tree.names, seat)} has more than {limit:,} pure strategies, and the limit is so many cells; take a smaller game, or give a higher limit="
            )
    return found


def plans_of(tree: Tree, limit: int = CELLS) -> list[list[Plan]]:
    """List the labelled pure strategies of each player, for any number of players.

    More than `limit` are refused.

    >>> from durak_widget.gametheory import textbook
    >>> [[str(strategy) for strategy in strategies] for strategies in plans_of(textbook("outside-option"))]
    [['book', 'concert, Bach', 'concert, Stravinsky'], ['Bach', 'Stravinsky']]
    """
    require_tree(tree)
    paths, _ = own_paths(tree)
    return [_named(tree, player, _plans(tree, player, paths, limit)) for player in range(tree.seats)]


def pure_plans(tree: Tree, seat: int, paths: list[tuple[Path, ...]]) -> Iterator[dict[int, int]]:
    """Generate all pure strategies of a player as mappings from information sets to actions.

    A strategy has an action at each information set to which the player's own earlier actions can lead.

    >>> from durak_widget.gametheory import textbook
    >>> game = textbook("outside-option")
    >>> list(pure_plans(game, 0, own_paths(game)[0]))
    [{0: 0}, {0: 1, 1: 0}, {0: 1, 1: 1}]
    """
    paths_by_infoset = _reached(tree, seat, paths)
    waiting: list[dict[int, int]] = [{}]
    while waiting:
        pure_strategy = waiting.pop()
        infoset = next(
            (
                infoset
                for infoset, infoset_paths in paths_by_infoset.items()
                if infoset not in pure_strategy and any(leads_along(pure_strategy, path) for path in infoset_paths)
            ),
            None,
        )
        if infoset is None:
            yield pure_strategy
        else:
            waiting += [pure_strategy | {infoset: action} for action in reversed(range(len(tree.sets[infoset].moves)))]


def leads_along(plan: Mapping[int, int], way: Path) -> bool:
    """Return whether a pure strategy follows this path.

    >>> leads_along({0: 1, 2: 0}, ((0, 1),)), leads_along({0: 1, 2: 0}, ((0, 1), (2, 1)))
    (True, False)
    """
    return all(plan.get(infoset) == action for infoset, action in way)


def _named(tree: Tree, seat: int, plans: list[dict[int, int]]) -> list[Plan]:
    """Label pure strategies with their actions.

    If the actions alone are ambiguous, the labels name the information sets too.
    """
    if plans == [{}]:
        return [Plan("nothing to decide", "nothing to decide", {})]
    own_infosets = [infoset for infoset, record in enumerate(tree.sets) if record.seat == seat]
    labels = [tree.sets[infoset].label for infoset in own_infosets]
    infoset_labels = {
        infoset: label if label and labels.count(label) == 1 else f"{label} [{number}]".strip()
        for number, (infoset, label) in enumerate(zip(own_infosets, labels, strict=True), 1)
    }
    short_labels = [", ".join(tree.sets[infoset].moves[action] for infoset, action in pure_strategy.items()) for pure_strategy in plans]
    full_labels = [
        "; ".join(f"{infoset_labels[infoset]}: {tree.sets[infoset].moves[action]}" for infoset, action in pure_strategy.items())
        for pure_strategy in plans
    ]
    displayed = short_labels if len(set(short_labels)) == len(plans) else full_labels
    return [Plan(*fields) for fields in zip(displayed, full_labels, plans, strict=True)]


def _payoffs(
    tree: Tree, paths: list[tuple[Path, ...]], chances: list[Fraction], rows: list[Plan], columns: list[Plan]
) -> list[list[tuple[Fraction, Fraction]]]:
    """Compute the expected payoffs of each pair of pure strategies."""
    payoffs_by_paths: dict[tuple[Path, ...], list[Fraction]] = {}
    for node, actor in enumerate(tree.actor):
        if actor == OVER:
            payoff_sum = payoffs_by_paths.setdefault(paths[node], [Fraction(0), Fraction(0)])
            for player, payoff in enumerate(tree.payoffs[tree.info[node]]):
                payoff_sum[player] += chances[node] * payoff
    denominator = lcm(*(row_payoff.denominator for payoff_sum in payoffs_by_paths.values() for row_payoff in payoff_sum))
    ends = [
        (row_path, column_path, int(row_payoff * denominator), int(column_payoff * denominator))
        for (row_path, column_path), (row_payoff, column_payoff) in payoffs_by_paths.items()
    ]
    paths_by_column = [{path for path in {end[1] for end in ends} if leads_along(column.moves, path)} for column in columns]
    table = []
    for row in rows:
        sums_by_path: dict[Path, tuple[int, int]] = {}
        for row_path, column_path, row_payoff, column_payoff in ends:
            if leads_along(row.moves, row_path):
                earlier = sums_by_path.get(column_path, (0, 0))
                sums_by_path[column_path] = earlier[0] + row_payoff, earlier[1] + column_payoff
        cells = []
        for column_paths in paths_by_column:
            matching = [payoff_sum for path, payoff_sum in sums_by_path.items() if path in column_paths]
            cells.append(
                (
                    Fraction(sum(row_payoff for row_payoff, _ in matching), denominator),
                    Fraction(sum(column_payoff for _, column_payoff in matching), denominator),
                )
            )
        table.append(cells)
    return table


def matrix_of(
    payoffs: object, *, rows: Sequence[str] | None = None, columns: Sequence[str] | None = None, names: Sequence[str] = ("Row", "Column")
) -> Matrix:
    r"""Build a matrix from rows of payoffs.

    A number is what the row player wins and the column player loses; a pair has the payoff of each.

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
    player_names = _called(names, 2, "players", ("Row", "Column"))
    strategies = [
        [Plan(name, name, {}) for name in _called(labels, count, kind, _some(count, upper=upper))]
        for labels, count, kind, upper in ((rows, len(cells), "rows", True), (columns, len(cells[0]), "columns", False))
    ]
    return Matrix(player_names, strategies[0], strategies[1], cells)


def number_of(value: object) -> Fraction:
    """Parse a payoff exactly: a decimal is what it looks like, not the nearest float.

    A payoff with too many digits is refused.

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
    """Parse the payoffs of both players in a cell."""
    if isinstance(cell, (str, AnyNumber)):
        payoff = number_of(cell)
        return payoff, -payoff
    pair = _listed(cell, "a cell is a number, or a pair of numbers: what it is worth to the row, and to the column")
    if len(pair) != 2:
        raise TreeError(f"a cell is a number, or a pair of numbers, not {quoted(cell)}")
    return number_of(pair[0]), number_of(pair[1])


def _listed(what: object, asked: str) -> list[object]:
    """Return the value as a list; refuse anything that cannot be one."""
    if isinstance(what, (str, bytes, dict)):
        raise TreeError(f"{asked}, not {quoted(what)}")
    try:
        return list(what)  # type: ignore[call-overload, no-any-return]
    except TypeError:
        raise TreeError(f"{asked}, not {quoted(what)}") from None


def _called(given: object, many: int, what: str, else_called: Sequence[str]) -> Sequence[str]:
    """Return distinct names, one for each item; the default names if none are given."""
    if given is None:
        return else_called
    labels = [str(label) for label in _listed(given, f"{what} are called by a list of names")]
    if len(labels) != many or len(set(labels)) != many:
        raise TreeError(
            f"there are {many} {what}, each with a name of its own; {len(set(labels))} names are given: {', '.join(labels)[:80]}"
        )
    return labels


def _some(many: int, *, upper: bool) -> list[str]:
    """Return default names: letters as far as they go, else numbered names."""
    if many > len(_LETTERS):
        return [f"{'R' if upper else 'c'}{number}" for number in range(1, many + 1)]
    return list(_LETTERS[:many].upper() if upper else _LETTERS[:many])
