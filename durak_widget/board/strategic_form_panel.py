"""Shows the strategic form of a tree as a matrix, and highlights nodes and strategies.

For a selected cell, the tree highlights the nodes that its strategies reach; for the current node, the matrix
highlights the strategies that reach it.
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
    """The matrix of a tree's strategic form, shown beside the tree; each tree widget has one."""

    def __init__(self, view: TreeView) -> None:
        self.view = view
        self.is_shown = False
        self._highlighted: tuple[PureStrategy, PureStrategy] | None = None
        self._matrix_view_model: MatrixViewModel | None = None
        self._grid_wording: TreeWording | None = None

    def show(self, shown: bool) -> None:  # noqa: FBT001 - True to show it, False to hide it
        """Show the matrix of the strategic form beside the tree, or hide it."""
        if shown:
            self.get_matrix_view_model()
        self.is_shown = shown
        self.view.refresh("matrix")

    def highlight_strategies(self, strategies: tuple[PureStrategy, PureStrategy] | None) -> None:
        """Highlight the nodes that two pure strategies can reach; for None, remove highlights.

        Nothing is highlighted while the matrix beside the tree is visible.

        A separate matrix widget calls this method for its selected cell.
        """
        if strategies != self._highlighted:
            self._highlighted = strategies
            self.view.refresh("matrix")

    def get_matrix_view_model(self) -> MatrixViewModel:
        """Return the matrix of the strategic form, which the first call builds.

        Raise an error if the game is too large for a matrix, or does not have two players.
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
        """Build the trait `matrix`: the matrix if it is visible, and the tree nodes to highlight."""
        if not self.is_shown:
            return (
                {}
                if self._highlighted is None
                else {"reached_nodes": find_reached_nodes(self.view.tree, self._highlighted, self.view.expansion.is_shown)}
            )
        grid, unfolded = self.get_matrix_view_model(), self.view.expansion
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
        return {**grid.to_message(), "reached_nodes": reached_nodes, "leading_strategies": None if self.view.current_node == 0 else leads}


def build_strategic_form(tree: Tree) -> Matrix:
    """Build the strategic form of a two-player tree as a matrix.

    If the matrix would have more than 64 rows or columns, the error message gives its size.
    """
    if tree.player_count != 2:
        raise RefusedError("matrix.two", count=tree.player_count)
    if describe_imperfect_recall(tree) is None:
        require_small_matrix(count_pure_strategies(tree, 0), count_pure_strategies(tree, 1))
    table = matrix(tree)
    require_small_matrix(len(table.rows), len(table.columns))
    return table


def require_small_matrix(rows: int, columns: int) -> None:
    """Raise an error if a matrix has too many rows or columns to be readable."""
    if max(rows, columns) > MAX_SIZE:
        raise RefusedError("matrix.large", rows=format_size(rows), columns=format_size(columns))


def find_reached_nodes(tree: Tree, strategies: tuple[PureStrategy, PureStrategy], is_shown: Callable[[int], bool]) -> list[int]:
    """Return the visible nodes that play can reach under a pair of pure strategies.

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
    """Return whether each of a player's pure strategies can lead to a given node."""
    required: list[tuple[int, int]] = []
    while (parent := tree.parent[node]) >= 0:
        if tree.actor[parent] == player:
            required.append((tree.infoset_of[parent], node - tree.first_child[parent]))
        node = parent
    return [all(pure_strategy.actions.get(infoset_index) == action for infoset_index, action in required) for pure_strategy in strategies]


def build_matrix_wording(wording: TreeWording, table: Matrix) -> MatrixWording:
    """Build the object that names a tree's players and pure strategies in the matrix."""
    absent_minded = [
        player for player, player_recall in enumerate(find_player_recalls(wording.tree)) if player_recall.recall == "absent-minded"
    ]
    if not wording.is_durak:
        return MatrixWording(table, wording.voice, names=wording.player_names, absent_minded=absent_minded)
    symbol_names = TreeWording(wording.tree, wording.voice.language, wording.voice.card_letters)
    symbol_names.voice = symbol_names.symbol_voice
    return MatrixWording(
        table,
        wording.voice,
        names=wording.player_names,
        strategy_names=[_build_strategy_names(symbol_names, pure_strategies) for pure_strategies in (table.rows, table.columns)],
    )


def _build_strategy_names(wording: TreeWording, strategies: Sequence[PureStrategy]) -> list[StrategyName]:
    """Name pure strategies by their actions, and by information sets if names are equal."""
    short = [
        ", ".join(_format_action(wording, *choice) for choice in pure_strategy.actions.items()) or pure_strategy.short_label
        for pure_strategy in strategies
    ]
    full = [
        "; ".join(
            f"{wording.describe_infoset(infoset_index)} → {_format_action(wording, infoset_index, action)}"
            for infoset_index, action in pure_strategy.actions.items()
        )
        or pure_strategy.full_label
        for pure_strategy in strategies
    ]
    return [StrategyName(*pair) for pair in zip(short if len(set(short)) == len(short) else full, full, strict=True)]


def _format_action(wording: TreeWording, infoset: int, action: int) -> str:
    """Return the name of an action in the words of the tree widget."""
    return str(wording.describe_action(wording.tree.infosets[infoset].actions[action], action)["text"])


def _handle_grid_message(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - a tree widget, whose module imports this one
    """Handle a message about the matrix beside a tree; send the changed matrix to the page."""
    strategic: StrategicFormPanel = view.strategic_form
    matrix_view_model.handle_message(strategic.get_matrix_view_model(), message)
    strategic.is_shown = True
    view.refresh("matrix")


def _handle_show_matrix(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - a tree widget
    """Handle the message `show_matrix`: show the strategic form, or hide it."""
    view.strategic_form.show(message_parsing.get_flag(message, "on"))


MESSAGE_HANDLERS = {"show_matrix": _handle_show_matrix, **dict.fromkeys(matrix_view_model.MESSAGE_HANDLERS, _handle_grid_message)}
"""The function that handles each kind of message from the page about the matrix beside a tree."""
