"""Builds the reduced strategic form of a two-player game, or a matrix of given payoffs.

Pure strategies that differ only at information sets which they never reach are one strategy here (von Stengel, B.
(2002): Computing equilibria for two-person games). The module finds strategies that another pure strategy dominates;
for dominance by a mixed strategy, see `bimatrix_equilibria`. Payoffs are rows of numbers (what the row player wins
from the column player) or rows of pairs.
"""

from __future__ import annotations

from fractions import Fraction
from html import escape
from math import lcm, log10
from numbers import Number as AnyNumber
from operator import le, lt
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from durak_widget.errors import short_repr
from durak_widget.gametheory.number_parsing import parse_exact_number
from durak_widget.gametheory.player_labels import format_player_name
from durak_widget.gametheory.tree import CHANCE, PAYOFF_TOO_LONG, TERMINAL, TreeError, describe_imperfect_recall, is_printable, require_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from durak_widget.gametheory.tree import Tree

MAX_CELLS: Final = 100_000
"""The default limit on the number of cells of a payoff matrix."""
_POWER_NOTATION_FROM: Final = 10**15
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_PAYOFFS_HINT: Final = "payoffs must be a list of rows, such as [[1, -1], [-1, 1]], or with a pair in each cell"
ActionPath = tuple[tuple[int, int], ...]
"""A player's own actions on the path to a node, as pairs of information set and action index."""


class PureStrategy(NamedTuple):
    """A pure strategy: an action at each information set that this strategy can reach."""

    short_label: str
    """A short label that lists the actions, with their information sets only if the actions alone are ambiguous."""
    full_label: str
    """A full label that lists each information set that the strategy can reach, with the action there."""
    actions: Mapping[int, int]
    """The index of the action at each information set, by the information set's index in `tree.infosets`."""

    def __str__(self) -> str:
        return self.short_label


class DominatedStrategy(NamedTuple):
    """A pure strategy that is dominated by another strategy of the same player.

    >>> str(DominatedStrategy(0, "Ann", "up", "down", is_strict=True))
    'Ann: up is strictly dominated by down'
    """

    player: int
    player_name: str
    strategy: str
    dominator: str
    is_strict: bool
    """True if the dominating strategy always pays more; False if it sometimes pays only the same."""

    def __str__(self) -> str:
        return f"{self.player_name}: {self.strategy} is {'strictly' if self.is_strict else 'weakly'} dominated by {self.dominator}"


class EliminationResult(NamedTuple):
    """The result of iterated elimination of dominated strategies."""

    steps: tuple[DominatedStrategy, ...]
    remaining: Matrix

    def __str__(self) -> str:
        return "\n".join([*map(str, self.steps), str(self.remaining)])


class Matrix:
    r"""The payoff matrix of a two-player game in strategic form; player 1 has the rows.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> ends = {"uu": TerminalNode((3, 3)), "ud": TerminalNode((0, 5)), "du": TerminalNode((5, 0)), "dd": TerminalNode((1, 1))}
    >>> game = {"": DecisionNode(0, "", [("silent", "u"), ("talks", "d")]), **{side: DecisionNode(1, "", [("silent", f"{side}u"), ("talks", f"{side}d")]) for side in "ud"}}
    >>> dilemma = matrix(build_tree("", (game | ends).__getitem__, player_count=2, names=("Ann", "Bob")))
    >>> print(dilemma)
    Ann \ Bob | silent | talks
    silent    | 3, 3   | 0, 5
    talks     | 5, 0   | 1, 1
    >>> print(dilemma.eliminate_dominated())
    Ann: silent is strictly dominated by talks
    Bob: silent is strictly dominated by talks
    Ann \ Bob | talks
    talks     | 1, 1
    """

    __slots__ = ("columns", "names", "payoffs", "rows")

    def __init__(
        self,
        names: Sequence[str],
        rows: Sequence[PureStrategy],
        columns: Sequence[PureStrategy],
        payoffs: Sequence[Sequence[tuple[Fraction, Fraction]]],
    ) -> None:
        self.names = tuple(names)
        """The names of the two players."""
        self.rows, self.columns = tuple(rows), tuple(columns)
        self.payoffs = tuple(map(tuple, payoffs))
        """The payoffs of both players in each cell, row by row."""

    @property
    def is_zero_sum(self) -> bool:
        """Return whether the players' payoffs add up to 0 in every cell."""
        return all(row_payoff == -column_payoff for row in self.payoffs for row_payoff, column_payoff in row)

    def dominated_strategies(self, *, weak: bool = True) -> tuple[DominatedStrategy, ...]:
        """Return the pure strategies that another strategy of the same player dominates.

        Each strategy is listed once: as strictly dominated if some other strategy dominates it strictly, else as
        weakly dominated.
        """
        return tuple(dominated for _, dominated in self._find_dominated(weak=weak))

    def _find_dominated(self, *, weak: bool) -> Iterator[tuple[int, DominatedStrategy]]:
        """Yield each dominated pure strategy of either player, with the strategy's index."""
        yield from self._find_dominated_of_player(0, weak=weak)
        yield from self._find_dominated_of_player(1, weak=weak)

    def _find_dominated_of_player(self, player: int, *, weak: bool) -> Iterator[tuple[int, DominatedStrategy]]:
        """Yield each dominated pure strategy of one player, with the strategy's index."""
        strategies = (self.rows, self.columns)[player]
        table = self.payoffs if player == 0 else zip(*self.payoffs, strict=True)
        fractions = [[cell[player] for cell in payoff_line] for payoff_line in table]
        denominator = lcm(*(payoff.denominator for payoff_line in fractions for payoff in payoff_line))
        scaled = [[payoff.numerator * (denominator // payoff.denominator) for payoff in payoff_line] for payoff_line in fractions]
        totals = list(map(sum, scaled))
        for index, (strategy, own_payoffs) in enumerate(zip(strategies, scaled, strict=True)):
            weak_dominator = None
            for other, other_payoffs, total in zip(strategies, scaled, totals, strict=True):
                if total > totals[index] and all(map(le, own_payoffs, other_payoffs)):
                    if all(map(lt, own_payoffs, other_payoffs)):
                        yield index, DominatedStrategy(player, self.names[player], strategy.short_label, other.short_label, is_strict=True)
                        break
                    weak_dominator = weak_dominator or other
            else:
                if weak_dominator and weak:
                    yield (
                        index,
                        DominatedStrategy(player, self.names[player], strategy.short_label, weak_dominator.short_label, is_strict=False),
                    )

    def eliminate_dominated(self, *, weak: bool = False) -> EliminationResult:
        """Eliminate dominated strategies from the matrix one after another, and record each step.

        For strict dominance, the order of elimination does not matter. For weak dominance, the result can depend on
        it. Here rows are eliminated first, from the top, and strictly dominated strategies before weakly dominated
        ones.
        """
        remaining = self
        steps: list[DominatedStrategy] = []
        while True:
            indexed_step = next(remaining._find_dominated(weak=False), None) or (
                next(remaining._find_dominated(weak=True), None) if weak else None
            )
            if indexed_step is None:
                return EliminationResult(tuple(steps), remaining)
            index, step = indexed_step
            steps.append(step)
            remaining = remaining._without_strategy(step.player, index)

    def _without_strategy(self, player: int, index: int) -> Matrix:
        """Return the payoff matrix without one pure strategy of a player."""
        if player == 0:
            return Matrix(self.names, _without_index(self.rows, index), self.columns, _without_index(self.payoffs, index))
        return Matrix(self.names, self.rows, _without_index(self.columns, index), [_without_index(row, index) for row in self.payoffs])

    def _cell_texts(self) -> list[list[str]]:
        """Return the cells of the matrix as text; for a zero-sum matrix, only player 1's payoffs."""
        only_first = self.is_zero_sum
        corner = f"{self.names[0]} \\ {self.names[1]}"
        table = [[corner, *map(str, self.columns)]]
        for strategy, row in zip(self.rows, self.payoffs, strict=True):
            table.append(
                [str(strategy), *(str(row_payoff) if only_first else f"{row_payoff}, {column_payoff}" for row_payoff, column_payoff in row)]
            )
        return table

    def __str__(self) -> str:
        table = self._cell_texts()
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        return "\n".join(" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table)

    def _repr_html_(self) -> str:
        """Return the matrix as an HTML table for a notebook."""
        header, *rows = [[escape(cell) for cell in row] for row in self._cell_texts()]
        column_headers = [
            f'<th scope="col" title="{escape(strategy.full_label)}">{cell}</th>'
            for strategy, cell in zip(self.columns, header[1:], strict=True)
        ]
        header_row = f"<th>{header[0]}</th>{''.join(column_headers)}"
        body = "".join(
            f'<tr><th scope="row" title="{escape(strategy.full_label)}">{row[0]}</th>{"".join(f"<td>{cell}</td>" for cell in row[1:])}</tr>'
            for strategy, row in zip(self.rows, rows, strict=True)
        )
        caption = (
            f"What {escape(self.names[0])} wins" if self.is_zero_sum else f"What {escape(self.names[0])} and {escape(self.names[1])} win"
        )
        return f"<table><caption>{caption}</caption><thead><tr>{header_row}</tr></thead><tbody>{body}</tbody></table>"

    def __repr__(self) -> str:
        return f"<Matrix: {len(self.rows)} × {len(self.columns)}>"


Item = TypeVar("Item")


def _without_index(items: Sequence[Item], index: int) -> list[Item]:
    """Return a list without the item at a given index."""
    return [*items[:index], *items[index + 1 :]]


def matrix(tree: Tree, *, limit: int = MAX_CELLS) -> Matrix:
    r"""Build the reduced strategic form of a small two-player game.

    If the matrix would have more than `limit` cells, the error message gives its size.

    >>> from durak_widget import Game, analysis
    >>> table = matrix(analysis.build_tree_from_position(Game.from_position(hands=["6c 8d", "7c"]), open_hands=True))
    >>> print(table)
    Player 1 \ Player 2 | beat 6c 7c, beat 6c 7c | beat 6c 7c, take | take, beat 6c 7c | take, take
    attack 6c           | -1                     | -1               | 1                | 1
    attack 8d           | 1                      | 1                | 1                | 1
    >>> print(table.dominated_strategies()[0])
    Player 1: attack 6c is weakly dominated by attack 8d
    """
    require_tree(tree)
    if tree.player_count != 2:
        raise TreeError(f"a matrix needs a game of two players; this one has {tree.player_count} player{'s' * (tree.player_count != 1)}")
    if describe_imperfect_recall(tree) is None:
        _require_size_within_limit(count_pure_strategies(tree, 0), count_pure_strategies(tree, 1), limit)
    paths, chance_probabilities = compute_own_paths(tree)
    strategies = [_list_strategies_within_limit(tree, player, paths, limit) for player in (0, 1)]
    _require_size_within_limit(len(strategies[0]), len(strategies[1]), limit)
    rows, columns = [_label_strategies(tree, player, strategies[player]) for player in (0, 1)]
    return Matrix(tree.names, rows, columns, _compute_payoffs(tree, paths, chance_probabilities, rows, columns))


def _require_size_within_limit(rows: int, columns: int, limit: int) -> None:
    """Raise an error if a matrix of the given size has too many cells."""
    if rows * columns > limit:
        row_text, column_text = (format_size(size) for size in (rows, columns))
        raise TreeError(
            f"the matrix would have {row_text} × {column_text} cells, and the limit is {limit:,}; take a smaller game, or give a higher limit="
        )


def format_size(size: int) -> str:
    """Format a whole number with few characters; a very large number becomes a power of ten.

    >>> format_size(42_998), format_size(2**300)
    ('42,998', '10^90')
    """
    return f"{size:,}" if size < _POWER_NOTATION_FROM else f"10^{int(size.bit_length() * log10(2))}"


def count_pure_strategies(tree: Tree, player: int) -> int:
    """Count the pure strategies of a player with perfect recall, without listing them.

    >>> from durak_widget.gametheory import TerminalNode, DecisionNode, build_tree
    >>> count_pure_strategies(build_tree("", {"": DecisionNode(0, "?", [("l", "e"), ("r", "e")]), "e": TerminalNode((0, 0))}.__getitem__, player_count=2), 0)
    2
    """
    parent_choice: dict[int, tuple[int, int] | None] = {}
    last_choice: list[tuple[int, int] | None] = [None]
    for node, (actor, infoset) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)):
        if actor == player:
            parent_choice.setdefault(infoset, last_choice[node])
            last_choice.extend((infoset, action) for action in range(tree.child_count[node]))
        else:
            last_choice.extend([last_choice[node]] * tree.child_count[node])
    counts: dict[tuple[int, int] | None, int] = {}
    for infoset, choice in reversed(parent_choice.items()):
        counts[choice] = counts.get(choice, 1) * sum(
            counts.get((infoset, action), 1) for action in range(len(tree.infosets[infoset].actions))
        )
    return counts.get(None, 1)


def compute_own_paths(tree: Tree) -> tuple[list[tuple[ActionPath, ...]], list[Fraction]]:
    """Return every player's actions on the path to each history, and the chance probability.

    >>> from durak_widget.gametheory import textbook
    >>> paths, chances = compute_own_paths(textbook("myerson"))
    >>> paths[-1], chances[-1]
    ((((2, 0),), ((1, 1),)), Fraction(1, 2))
    """
    paths: list[tuple[ActionPath, ...]] = [((),) * tree.player_count]
    chances = [Fraction(1)]
    for node in range(tree.history_count):
        actor, infoset, path = tree.actor[node], tree.infoset_of[node], paths[node]
        for action in range(tree.child_count[node]):
            if actor == CHANCE:
                paths.append(path)
                chances.append(chances[node] * tree.chance_moves[infoset].probabilities[action])
            else:
                paths.append((*path[:actor], (*path[actor], (infoset, action)), *path[actor + 1 :]))
                chances.append(chances[node])
    return paths, chances


def _find_paths_to_infosets(tree: Tree, player: int, paths: list[tuple[ActionPath, ...]]) -> dict[int, list[ActionPath]]:
    """Find the sequences of a player's actions that lead to each of their information sets."""
    paths_by_infoset: dict[int, dict[ActionPath, None]] = {}
    for node, actor in enumerate(tree.actor):
        if actor == player:
            paths_by_infoset.setdefault(tree.infoset_of[node], {})[paths[node][player]] = None
    return {infoset: list(infoset_paths) for infoset, infoset_paths in paths_by_infoset.items()}


def _list_strategies_within_limit(tree: Tree, player: int, paths: list[tuple[ActionPath, ...]], limit: int) -> list[dict[int, int]]:
    """List all pure strategies of a player; raise an error if there are more than a limit."""
    pure_strategies = []
    for pure_strategy in generate_pure_strategies(tree, player, paths):
        pure_strategies.append(pure_strategy)
        if len(pure_strategies) > limit:
            raise TreeError(
                f"{format_player_name(tree.names, player)} has more than {limit:,} pure strategies, and the matrix may have at most {limit:,} cells; take a smaller game, or give a higher limit="
            )
    return pure_strategies


def list_pure_strategies(tree: Tree, limit: int = MAX_CELLS) -> list[list[PureStrategy]]:
    """List the pure strategies of each player with their labels, for any number of players.

    Raise an error if a player has more than `limit` strategies.

    >>> from durak_widget.gametheory import textbook
    >>> [[str(strategy) for strategy in strategies] for strategies in list_pure_strategies(textbook("outside-option"))]
    [['book', 'concert, Bach', 'concert, Stravinsky'], ['Bach', 'Stravinsky']]
    """
    require_tree(tree)
    paths, _ = compute_own_paths(tree)
    return [
        _label_strategies(tree, player, _list_strategies_within_limit(tree, player, paths, limit)) for player in range(tree.player_count)
    ]


def generate_pure_strategies(tree: Tree, player: int, paths: list[tuple[ActionPath, ...]]) -> Iterator[dict[int, int]]:
    """Generate all pure strategies of a player as mappings from information sets to actions.

    A strategy has an action at each information set to which the player's own earlier actions can lead.

    >>> from durak_widget.gametheory import textbook
    >>> game = textbook("outside-option")
    >>> list(generate_pure_strategies(game, 0, compute_own_paths(game)[0]))
    [{0: 0}, {0: 1, 1: 0}, {0: 1, 1: 1}]
    """
    paths_by_infoset = _find_paths_to_infosets(tree, player, paths)
    waiting: list[dict[int, int]] = [{}]
    while waiting:
        pure_strategy = waiting.pop()
        infoset = next(
            (
                infoset
                for infoset, infoset_paths in paths_by_infoset.items()
                if infoset not in pure_strategy and any(follows_path(pure_strategy, path) for path in infoset_paths)
            ),
            None,
        )
        if infoset is None:
            yield pure_strategy
        else:
            waiting += [pure_strategy | {infoset: action} for action in reversed(range(len(tree.infosets[infoset].actions)))]


def follows_path(pure_strategy: Mapping[int, int], path: ActionPath) -> bool:
    """Return whether a player's pure strategy takes all actions of the player on a given path.

    >>> follows_path({0: 1, 2: 0}, ((0, 1),)), follows_path({0: 1, 2: 0}, ((0, 1), (2, 1)))
    (True, False)
    """
    return all(pure_strategy.get(infoset) == action for infoset, action in path)


def _label_strategies(tree: Tree, player: int, pure_strategies: list[dict[int, int]]) -> list[PureStrategy]:
    """Give each pure strategy a short and a full label that list its actions.

    If the actions alone are ambiguous, the labels name the information sets too.
    """
    if pure_strategies == [{}]:
        return [PureStrategy("nothing to decide", "nothing to decide", {})]
    own_infosets = [infoset for infoset, record in enumerate(tree.infosets) if record.player == player]
    labels = [tree.infosets[infoset].label for infoset in own_infosets]
    infoset_labels = {
        infoset: label if label and labels.count(label) == 1 else f"{label} [{number}]".strip()
        for number, (infoset, label) in enumerate(zip(own_infosets, labels, strict=True), 1)
    }
    short_labels = [
        ", ".join(tree.infosets[infoset].actions[action] for infoset, action in pure_strategy.items()) for pure_strategy in pure_strategies
    ]
    full_labels = [
        "; ".join(f"{infoset_labels[infoset]}: {tree.infosets[infoset].actions[action]}" for infoset, action in pure_strategy.items())
        for pure_strategy in pure_strategies
    ]
    displayed = short_labels if len(set(short_labels)) == len(pure_strategies) else full_labels
    return [PureStrategy(*fields) for fields in zip(displayed, full_labels, pure_strategies, strict=True)]


def _compute_payoffs(
    tree: Tree,
    paths: list[tuple[ActionPath, ...]],
    chance_probabilities: list[Fraction],
    rows: list[PureStrategy],
    columns: list[PureStrategy],
) -> list[list[tuple[Fraction, Fraction]]]:
    """Compute both players' expected payoffs in every cell of the strategic form."""
    payoffs_by_paths: dict[tuple[ActionPath, ...], list[Fraction]] = {}
    for node, actor in enumerate(tree.actor):
        if actor == TERMINAL:
            payoff_sum = payoffs_by_paths.setdefault(paths[node], [Fraction(0), Fraction(0)])
            for player, payoff in enumerate(tree.payoffs[tree.infoset_of[node]]):
                payoff_sum[player] += chance_probabilities[node] * payoff
    denominator = lcm(*(row_payoff.denominator for payoff_sum in payoffs_by_paths.values() for row_payoff in payoff_sum))
    ends = [
        (row_path, column_path, int(row_payoff * denominator), int(column_payoff * denominator))
        for (row_path, column_path), (row_payoff, column_payoff) in payoffs_by_paths.items()
    ]
    paths_by_column = [{path for path in {end[1] for end in ends} if follows_path(column.actions, path)} for column in columns]
    table = []
    for row in rows:
        sums_by_path: dict[ActionPath, tuple[int, int]] = {}
        for row_path, column_path, row_payoff, column_payoff in ends:
            if follows_path(row.actions, row_path):
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


def matrix_from_payoffs(
    payoffs: object, *, rows: Sequence[str] | None = None, columns: Sequence[str] | None = None, names: Sequence[str] = ("Row", "Column")
) -> Matrix:
    r"""Build a matrix from rows of payoffs.

    A number is the amount that the row player wins from the column player; a pair has the payoff of each player.

    >>> print(matrix_from_payoffs([[(3, 2), (0, 0)], [(0, 0), ("1/2", 3)]], rows=["opera", "match"], columns=["opera", "match"], names=("Ann", "Bob")))
    Ann \ Bob | opera | match
    opera     | 3, 2  | 0, 0
    match     | 0, 0  | 1/2, 3
    >>> print(matrix_from_payoffs([[1, -1], [-1, 1]]))
    Row \ Column | a  | b
    A            | 1  | -1
    B            | -1 | 1
    """
    table = [
        _require_list(row, "a row of the matrix must be a list of numbers, or of pairs") for row in _require_list(payoffs, _PAYOFFS_HINT)
    ]
    if not table or not table[0]:
        raise TreeError("a matrix must have at least one row and one column; this one is empty")
    if len({len(row) for row in table}) > 1:
        raise TreeError(f"all rows of a matrix must have the same length; these have {', '.join(str(len(row)) for row in table)} cells")
    cells = [[_parse_cell(cell) for cell in row] for row in table]
    player_names = _require_names(names, 2, "players", ("Row", "Column"))
    strategies = [
        [PureStrategy(name, name, {}) for name in _require_names(labels, count, kind, _default_names(count, upper=upper))]
        for labels, count, kind, upper in ((rows, len(cells), "rows", True), (columns, len(cells[0]), "columns", False))
    ]
    return Matrix(player_names, strategies[0], strategies[1], cells)


def parse_payoff(value: object) -> Fraction:
    """Parse a payoff exactly: 0.1 means 1/10, not the nearest float.

    Raise an error if the payoff has too many digits.

    >>> parse_payoff(0.1), parse_payoff("-3/4"), parse_payoff("2,5")
    (Fraction(1, 10), Fraction(-3, 4), Fraction(5, 2))
    """
    number = Fraction(value) if type(value) in {int, Fraction} else parse_exact_number(value)  # type: ignore[call-overload]
    if number is None:
        raise TreeError(f"a payoff must be a number or a fraction, such as 3, -1 or '1/2', not {short_repr(value)}")
    if not is_printable(number):
        raise TreeError(PAYOFF_TOO_LONG)
    return number


def _parse_cell(cell: object) -> tuple[Fraction, Fraction]:
    """Parse the payoffs of both players in one cell of a matrix."""
    if isinstance(cell, (str, AnyNumber)):
        payoff = parse_payoff(cell)
        return payoff, -payoff
    pair = _require_list(cell, "a cell must be a number, or a pair of numbers: the payoff of the row player, and of the column player")
    if len(pair) != 2:
        raise TreeError(f"a cell must be a number, or a pair of numbers, not {short_repr(cell)}")
    return parse_payoff(pair[0]), parse_payoff(pair[1])


def _require_list(value: object, expected: str) -> list[object]:
    """Convert a value to a list; raise an error if the value is not iterable."""
    if isinstance(value, (str, bytes, dict)):
        raise TreeError(f"{expected}, not {short_repr(value)}")
    try:
        return list(value)  # type: ignore[call-overload, no-any-return]
    except TypeError:
        raise TreeError(f"{expected}, not {short_repr(value)}") from None


def _require_names(names: object, count: int, kind: str, default_names: Sequence[str]) -> Sequence[str]:
    """Check names: there must be one name for each item, and all names must be different.

    Return default names if no names are given.
    """
    if names is None:
        return default_names
    labels = [str(label) for label in _require_list(names, f"{kind} must be a list of names")]
    if len(labels) != count or len(set(labels)) != count:
        raise TreeError(
            f"there are {count} {kind}, and each needs its own name; you gave {len(set(labels))} different names: {', '.join(labels)[:80]}"
        )
    return labels


def _default_names(count: int, *, upper: bool) -> list[str]:
    """Return default names: letters, or numbered names if there are more names than letters."""
    if count > len(_LETTERS):
        return [f"{'R' if upper else 'c'}{number}" for number in range(1, count + 1)]
    return list(_LETTERS[:count].upper() if upper else _LETTERS[:count])
