"""The strategic form beside a tree, and the links between the two.

A cell leads to nodes of the tree, and a node is reached by some of the pure strategies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from durak_widget.board import matrix_view_model, message_parsing
from durak_widget.board.matrix_view_model import MOST, Grid, Head, Saying
from durak_widget.board.tree_wording import Names
from durak_widget.gametheory.game_properties import memories
from durak_widget.gametheory.strategic_form import how_many, matrix, size_said
from durak_widget.gametheory.tree import CHANCE, forgets
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from durak_widget.board.view_protocols import TreeView
    from durak_widget.gametheory.strategic_form import Matrix, Plan
    from durak_widget.gametheory.tree import Tree


class Strategic:
    """The strategic form of a view's tree with its display state; one per view."""

    def __init__(self, view: TreeView) -> None:
        self.view = view
        self.on = False
        self._lit: tuple[Plan, Plan] | None = None
        self._grid: Grid | None = None
        self._named: Names | None = None

    def show(self, on: bool) -> None:  # noqa: FBT001 - shown or not
        """Show the strategic form beside the tree, or hide it."""
        if on:
            self.grid()
        self.on = on
        self.view.paint("matrix")

    def light(self, plans: tuple[Plan, Plan] | None) -> None:
        """Highlight where these strategies lead while the form is hidden; None: nothing.

        A matrix elsewhere uses this for its selected cell.
        """
        if plans != self._lit:
            self._lit = plans
            self.view.paint("matrix")

    def grid(self) -> Grid:
        """Return the matrix, made at the first call.

        A game that is too large for a matrix, or is not for two players, is refused.
        """
        names = self.view.names
        if self._grid is None:
            table = form_of(self.view.tree)
            self._grid = Grid(table, saying_of(names, table))
        elif self._named is not names:
            self._grid.saying = saying_of(names, self._grid.table)
        self._named = names
        return self._grid

    def told(self) -> dict[str, Any]:
        """Return the trait `matrix`; if the form is hidden, only the highlighted nodes."""
        if not self.on:
            return {} if self._lit is None else {"paths": ways(self.view.tree, self._lit, self.view.unfolded.is_shown)}
        grid, unfolded = self.grid(), self.view.unfolded
        rows, columns = grid.table.rows, grid.table.columns
        reached_nodes = (
            [] if grid.selected is None else ways(self.view.tree, (rows[grid.selected[0]], columns[grid.selected[1]]), unfolded.is_shown)
        )
        leads = [leading(self.view.tree, self.view.at, player, strategies) for player, strategies in enumerate((rows, columns))]
        return {**grid.told(), "paths": reached_nodes, "leads": None if self.view.at == 0 else leads}


def form_of(tree: Tree) -> Matrix:
    """Return the strategic form of a two-player tree.

    One with more than 64 × 64 pure strategies is refused with its size.
    """
    if tree.seats != 2:
        raise RefusedError("matrix.two", count=tree.seats)
    if forgets(tree) is None:
        require_small_matrix(how_many(tree, 0), how_many(tree, 1))
    table = matrix(tree)
    require_small_matrix(len(table.rows), len(table.columns))
    return table


def require_small_matrix(rows: int, columns: int) -> None:
    """Refuse a matrix with too many rows or columns to read."""
    if max(rows, columns) > MOST:
        raise RefusedError("matrix.large", rows=size_said(rows), columns=size_said(columns))


def ways(tree: Tree, plans: tuple[Plan, Plan], shown: Callable[[int], bool]) -> list[int]:
    """Return the shown nodes that play can reach if both players use these strategies.

    >>> from durak_widget.gametheory import End, Turn, grow
    >>> places = {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}
    >>> tree = grow("", places.__getitem__, seats=2)
    >>> ways(tree, (matrix(tree).rows[1], matrix(tree).columns[0]), lambda _: True)
    [0, 2]
    """
    reached = [0]
    for node in reached:
        actor, children = tree.actor[node], tree.children(node)
        if actor == CHANCE:
            probabilities = tree.chances[tree.info[node]].probabilities
            reached += [child for child, probability in zip(children, probabilities, strict=True) if probability and shown(child)]
        elif actor >= 0 and shown(child := children[plans[actor].moves[tree.info[node]]]):
            reached.append(child)
    return reached


def leading(tree: Tree, node: int, seat: int, plans: Sequence[Plan]) -> list[bool]:
    """Return for each pure strategy of a player whether it lets play reach a node."""
    required: list[tuple[int, int]] = []
    while (parent := tree.parent[node]) >= 0:
        if tree.actor[parent] == seat:
            required.append((tree.info[parent], node - tree.first[parent]))
        node = parent
    return [all(plan.moves.get(infoset_index) == action for infoset_index, action in required) for plan in plans]


def saying_of(names: Names, table: Matrix) -> Saying:
    """Build the wording of a tree's strategic form; in Durak with suit symbols for cards."""
    absent_minded = [player for player, memory in enumerate(memories(names.tree)) if memory.recall == "absent-minded"]
    if not names.durak:
        return Saying(table, names.spoken, names=names.seats, absent=absent_minded)
    symbol_names = Names(names.tree, names.spoken.language)
    symbol_names.spoken = symbol_names.written
    return Saying(table, names.spoken, names=names.seats, heads=[_heads(symbol_names, plans) for plans in (table.rows, table.columns)])


def _heads(names: Names, plans: Sequence[Plan]) -> list[Head]:
    """Name pure strategies: in short if those differ, otherwise with what the player knows."""
    short = [", ".join(_move(names, *choice) for choice in plan.moves.items()) or plan.words for plan in plans]
    full = [
        "; ".join(f"{names.known(infoset_index)} → {_move(names, infoset_index, action)}" for infoset_index, action in plan.moves.items())
        or plan.told
        for plan in plans
    ]
    return [Head(*pair) for pair in zip(short if len(set(short)) == len(short) else full, full, strict=True)]


def _move(names: Names, info: int, move: int) -> str:
    return str(names.move(names.tree.sets[info].moves[move], move)["said"])


def _on_grid(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - a tree, which this room may not import
    """Handle a message about the matrix beside a tree, and show the matrix."""
    strategic: Strategic = view.strategic
    matrix_view_model.do(strategic.grid(), message)
    strategic.on = True
    view.paint("matrix")


def _show(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """Handle `matrix {on}`."""
    view.strategic.show(message_parsing.flag(message, "on"))


DEEDS = {"matrix": _show, **dict.fromkeys(matrix_view_model.DEEDS, _on_grid)}
"""The handler of each kind of message about the matrix that a tree understands."""
