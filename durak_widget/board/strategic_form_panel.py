"""The strategic form beside a tree, and how the two belong together: where a cell leads, and which plans lead to a history."""

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
    """The strategic form of a view's tree, and what of it is shown: one for each view."""

    def __init__(self, view: TreeView) -> None:
        self.view = view
        self.on = False
        self._lit: tuple[Plan, Plan] | None = None
        self._grid: Grid | None = None
        self._named: Names | None = None

    def show(self, on: bool) -> None:  # noqa: FBT001 - shown or not
        """Show it beside the tree, or no more."""
        if on:
            self.grid()
        self.on = on
        self.view.paint("matrix")

    def light(self, plans: tuple[Plan, Plan] | None) -> None:
        """Light where these plans lead while it is not shown, as for a cell of a matrix elsewhere; None: no more."""
        if plans != self._lit:
            self._lit = plans
            self.view.paint("matrix")

    def grid(self) -> Grid:
        """The matrix, which is made when it is first asked for; of a game that is too large for it, or not for two, none is."""
        names = self.view.names
        if self._grid is None:
            table = form_of(self.view.tree)
            self._grid = Grid(table, saying_of(names, table))
        elif self._named is not names:
            self._grid.saying = saying_of(names, self._grid.table)
        self._named = names
        return self._grid

    def told(self) -> dict[str, Any]:
        """The trait `matrix`; where it is not shown, only the way that is lit all the same."""
        if not self.on:
            return {} if self._lit is None else {"paths": ways(self.view.tree, self._lit, self.view.unfolded.is_shown)}
        grid, unfolded = self.grid(), self.view.unfolded
        rows, columns = grid.table.rows, grid.table.columns
        reached = (
            [] if grid.selected is None else ways(self.view.tree, (rows[grid.selected[0]], columns[grid.selected[1]]), unfolded.is_shown)
        )
        leads = [leading(self.view.tree, self.view.at, seat, plans) for seat, plans in enumerate((rows, columns))]
        return {**grid.told(), "paths": reached, "leads": None if self.view.at == 0 else leads}


def form_of(tree: Tree) -> Matrix:
    """The strategic form of a tree for two; one of more than 64 × 64 plans is refused with its size."""
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
    """The histories that play comes to, likely or not, if both follow these plans: those that are shown.

    >>> from durak_widget.gametheory import End, Turn, grow
    >>> places = {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}
    >>> tree = grow("", places.__getitem__, seats=2)
    >>> ways(tree, (matrix(tree).rows[1], matrix(tree).columns[0]), lambda _: True)
    [0, 2]
    """
    found = [0]
    for here in found:
        actor, children = tree.actor[here], tree.children(here)
        if actor == CHANCE:
            likely = tree.chances[tree.info[here]].probabilities
            found += [child for child, one in zip(children, likely, strict=True) if one and shown(child)]
        elif actor >= 0 and shown(child := children[plans[actor].moves[tree.info[here]]]):
            found.append(child)
    return found


def leading(tree: Tree, node: int, seat: int, plans: Sequence[Plan]) -> list[bool]:
    """Of each plan of a seat, whether play can come to a history by it."""
    way: list[tuple[int, int]] = []
    while (before := tree.parent[node]) >= 0:
        if tree.actor[before] == seat:
            way.append((tree.info[before], node - tree.first[before]))
        node = before
    return [all(plan.moves.get(info) == move for info, move in way) for plan in plans]


def saying_of(names: Names, table: Matrix) -> Saying:
    """What is said of the strategic form of a tree; plans of cards as people write cards."""
    absent = [seat for seat, memory in enumerate(memories(names.tree)) if memory.recall == "absent-minded"]
    if not names.durak:
        return Saying(table, names.spoken, names=names.seats, absent=absent)
    written = Names(names.tree, names.spoken.language)
    written.spoken = written.written
    return Saying(table, names.spoken, names=names.seats, heads=[_heads(written, plans) for plans in (table.rows, table.columns)])


def _heads(names: Names, plans: Sequence[Plan]) -> list[Head]:
    """Plans in the language of the view: in short where that tells them apart, else with what the seat knows."""
    short = [", ".join(_move(names, *one) for one in plan.moves.items()) or plan.words for plan in plans]
    told = [
        "; ".join(f"{names.known(info)} → {_move(names, info, move)}" for info, move in plan.moves.items()) or plan.told for plan in plans
    ]
    return [Head(*said) for said in zip(short if len(set(short)) == len(short) else told, told, strict=True)]


def _move(names: Names, info: int, move: int) -> str:
    return str(names.move(names.tree.sets[info].moves[move], move)["said"])


def _on_grid(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - a tree, which this room may not import
    """What is done to the matrix beside a tree; it is shown then."""
    strategic: Strategic = view.strategic
    matrix_view_model.do(strategic.grid(), message)
    strategic.on = True
    view.paint("matrix")


def _show(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """`matrix {on}`."""
    view.strategic.show(message_parsing.flag(message, "on"))


DEEDS = {"matrix": _show, **dict.fromkeys(matrix_view_model.DEEDS, _on_grid)}
"""Every kind of message about the matrix that a tree understands."""
