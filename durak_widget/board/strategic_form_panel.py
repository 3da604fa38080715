"""The strategic form shown beside a tree, and what its matrix highlights in the tree.

A cell leads to nodes of the tree, and a node is reached by some of the pure strategies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from durak_widget.board import matrix_view_model, message_parsing
from durak_widget.board.matrix_view_model import MAX_SIZE, MatrixViewModel, MatrixWording, StrategyName
from durak_widget.board.tree_wording import TreeWording
from durak_widget.gametheory.game_properties import find_player_recalls
from durak_widget.gametheory.strategic_form import count_pure_strategies, format_size, matrix
from durak_widget.gametheory.tree import CHANCE, describe_imperfect_recall
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from durak_widget.board.view_protocols import TreeView
    from durak_widget.gametheory.strategic_form import Matrix, PureStrategy
    from durak_widget.gametheory.tree import Tree


class StrategicFormPanel:
    """The strategic form of a tree, with what is shown of it; each tree widget has one panel."""

    def __init__(self, view: TreeView) -> None:
        self.view = view
        self.is_shown = False
        self._highlighted: tuple[PureStrategy, PureStrategy] | None = None
        self._matrix_view_model: MatrixViewModel | None = None
        self._grid_wording: TreeWording | None = None

    def show(self, shown: bool) -> None:  # noqa: FBT001 - shown or not
        """Show the strategic form beside the tree, or hide it."""
        if shown:
            self.get_grid()
        self.is_shown = shown
        self.view.refresh("matrix")

    def highlight_strategies(self, strategies: tuple[PureStrategy, PureStrategy] | None) -> None:
        """While the matrix is hidden, highlight the nodes that two strategies reach (None: none).

        A matrix elsewhere uses this for its selected cell.
        """
        if strategies != self._highlighted:
            self._highlighted = strategies
            self.view.refresh("matrix")

    def get_grid(self) -> MatrixViewModel:
        """Return the matrix of the strategic form, which is built at the first call.

        A game that is too large for a matrix, or is not for two players, is refused.
        """
        names = self.view.wording
        if self._matrix_view_model is None:
            table = build_strategic_form(self.view.tree)
            self._matrix_view_model = MatrixViewModel(table, build_matrix_wording(names, table))
        elif self._grid_wording is not names:
            self._matrix_view_model.wording = build_matrix_wording(names, self._matrix_view_model.table)
        self._grid_wording = names
        return self._matrix_view_model

    def to_message(self) -> dict[str, Any]:
        """Return the trait `matrix`; for a hidden matrix, it has only the highlighted nodes."""
        if not self.is_shown:
            return (
                {}
                if self._highlighted is None
                else {"paths": find_reached_nodes(self.view.tree, self._highlighted, self.view.expansion.is_shown)}
            )
        grid, unfolded = self.get_grid(), self.view.expansion
        rows, columns = grid.table.rows, grid.table.columns
        reached_nodes = (
            []
            if grid.selected_cell is None
            else find_reached_nodes(self.view.tree, (rows[grid.selected_cell[0]], columns[grid.selected_cell[1]]), unfolded.is_shown)
        )
        leads = [
            find_leading_strategies(self.view.tree, self.view.current_node, player, strategies)
            for player, strategies in enumerate((rows, columns))
        ]
        return {**grid.to_message(), "paths": reached_nodes, "leads": None if self.view.current_node == 0 else leads}


def build_strategic_form(tree: Tree) -> Matrix:
    """Return the strategic form of a two-player tree.

    One with more than 64 × 64 pure strategies is refused with its size.
    """
    if tree.player_count != 2:
        raise RefusedError("matrix.two", count=tree.player_count)
    if describe_imperfect_recall(tree) is None:
        require_small_matrix(count_pure_strategies(tree, 0), count_pure_strategies(tree, 1))
    table = matrix(tree)
    require_small_matrix(len(table.rows), len(table.columns))
    return table


def require_small_matrix(rows: int, columns: int) -> None:
    """Raise an error if a matrix has too many rows or columns to read."""
    if max(rows, columns) > MAX_SIZE:
        raise RefusedError("matrix.large", rows=format_size(rows), columns=format_size(columns))


def find_reached_nodes(tree: Tree, strategies: tuple[PureStrategy, PureStrategy], is_shown: Callable[[int], bool]) -> list[int]:
    """Return the shown nodes that play can reach if the two players use two given strategies.

    >>> from durak_widget.gametheory import TerminalNode, DecisionNode, build_tree
    >>> places = {"": DecisionNode(0, "?", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}
    >>> tree = build_tree("", places.__getitem__, player_count=2)
    >>> find_reached_nodes(tree, (matrix(tree).rows[1], matrix(tree).columns[0]), lambda _: True)
    [0, 2]
    """
    reached = [0]
    for node in reached:
        actor, children = tree.actor[node], tree.children(node)
        if actor == CHANCE:
            probabilities = tree.chance_moves[tree.infoset_of[node]].probabilities
            reached += [child for child, probability in zip(children, probabilities, strict=True) if probability and is_shown(child)]
        elif actor >= 0 and is_shown(child := children[strategies[actor].actions[tree.infoset_of[node]]]):
            reached.append(child)
    return reached


def find_leading_strategies(tree: Tree, node: int, player: int, strategies: Sequence[PureStrategy]) -> list[bool]:
    """Return for each pure strategy of a player whether play can reach a node under it."""
    required: list[tuple[int, int]] = []
    while (parent := tree.parent[node]) >= 0:
        if tree.actor[parent] == player:
            required.append((tree.infoset_of[parent], node - tree.first_child[parent]))
        node = parent
    return [all(plan.actions.get(infoset_index) == action for infoset_index, action in required) for plan in strategies]


def build_matrix_wording(wording: TreeWording, table: Matrix) -> MatrixWording:
    """Build the wording of a tree's strategic form; in Durak, cards have suit symbols."""
    absent_minded = [player for player, memory in enumerate(find_player_recalls(wording.tree)) if memory.recall == "absent-minded"]
    if not wording.is_durak:
        return MatrixWording(table, wording.voice, names=wording.player_names, absent_minded=absent_minded)
    symbol_names = TreeWording(wording.tree, wording.voice.language)
    symbol_names.voice = symbol_names.symbol_voice
    return MatrixWording(
        table,
        wording.voice,
        names=wording.player_names,
        strategy_names=[_build_strategy_names(symbol_names, plans) for plans in (table.rows, table.columns)],
    )


def _build_strategy_names(wording: TreeWording, strategies: Sequence[PureStrategy]) -> list[StrategyName]:
    """Return names of pure strategies: short if distinct, otherwise with information sets."""
    short = [", ".join(_format_action(wording, *choice) for choice in plan.actions.items()) or plan.short_label for plan in strategies]
    full = [
        "; ".join(
            f"{wording.describe_infoset(infoset_index)} → {_format_action(wording, infoset_index, action)}"
            for infoset_index, action in plan.actions.items()
        )
        or plan.full_label
        for plan in strategies
    ]
    return [StrategyName(*pair) for pair in zip(short if len(set(short)) == len(short) else full, full, strict=True)]


def _format_action(wording: TreeWording, infoset: int, action: int) -> str:
    return str(wording.describe_action(wording.tree.infosets[infoset].actions[action], action)["said"])


def _handle_grid_message(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - a tree, which this room may not import
    """Handle a message about the matrix beside a tree, and update the matrix on the page."""
    strategic: StrategicFormPanel = view.strategic_form
    matrix_view_model.handle_message(strategic.get_grid(), message)
    strategic.is_shown = True
    view.refresh("matrix")


def _handle_matrix(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """Handle the message `matrix`: show or hide the strategic form."""
    view.strategic_form.show(message_parsing.get_flag(message, "on"))


MESSAGE_HANDLERS = {"matrix": _handle_matrix, **dict.fromkeys(matrix_view_model.MESSAGE_HANDLERS, _handle_grid_message)}
"""The handler for each kind of message about the matrix beside a tree."""
