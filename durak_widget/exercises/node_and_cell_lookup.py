"""Lookup of tree nodes, strategies and matrix cells by their names or numbers.

A node is given by its number or by the moves that lead to it. A strategy or cell is given by its index or its
label.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.board.tree_wording import TreeWording
from durak_widget.engine.moves import Move
from durak_widget.errors import DurakError, as_whole_number, short_repr, suggest_nearest
from durak_widget.gametheory import infoset_labels
from durak_widget.gametheory.infoset_labels import MAX_SHOWN_ACTIONS, format_infoset
from durak_widget.gametheory.player_labels import find_player, is_unnamed
from durak_widget.gametheory.strategic_form import Matrix, matrix, matrix_from_payoffs
from durak_widget.gametheory.tree import TERMINAL, Tree
from durak_widget.i18n import Seat, TranslatableText

if TYPE_CHECKING:
    from durak_widget.gametheory.strategic_form import PureStrategy

MAX_STRATEGIES: Final = 64
"""The largest number of pure strategies that a player may have in a matrix exercise."""


class PathReference(NamedTuple):
    """A placeholder in a message for the moves that lead to a node."""

    node: int


class BranchReference(NamedTuple):
    """A placeholder in a message for the last move before a node."""

    node: int


class ActionReference(NamedTuple):
    """A placeholder in a message for an action at an information set."""

    infoset: int
    action: int


class InfoSetReference(NamedTuple):
    """A placeholder in a message for the name of an information set."""

    infoset: int


class StrategyReference(NamedTuple):
    """A placeholder in a message for the name of a pure strategy of a matrix."""

    player: int
    strategy: int


def parse_node(tree: Tree, node: object) -> int:
    """Return the number of a tree node, given this number or the moves that lead to the node.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "?", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> parse_node(tree, 2), parse_node(tree, ["r"]), parse_node(tree, [])
    (2, 2, 0)
    >>> parse_node(tree, 3)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: there is no history 3; give a number from 0 to 2, or the moves that lead there, as in ['l']
    """
    number = as_whole_number(int(node) if isinstance(node, str) and node.isascii() and node.isdecimal() and len(node) < 10 else node)
    if number is not None and 0 <= number < tree.history_count:
        return number
    if number is None and isinstance(node, Sequence):
        reached_node = 0
        for move in [node] if isinstance(node, str) else node:
            reached_node = tree.first_child[reached_node] + parse_action(tree, reached_node, move)
        return reached_node
    example = [tree.last_action(1)] if tree.history_count > 1 else []
    raise DurakError(
        f"there is no history {short_repr(node)}; give a number from 0 to {tree.history_count - 1}, or the moves that lead there, as in {example!r}"
    )


def parse_action(tree: Tree, node: int, action: object) -> int:
    """Return the index of an action at a node, given the action's name or this index.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "?", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> parse_action(tree, 0, "r"), parse_action(tree, 0, 0)
    (1, 0)
    """
    actions = [] if tree.actor[node] == TERMINAL else [tree.last_action(child) for child in tree.children(node)]
    text, number = str(action) if isinstance(action, (str, Move)) else "", as_whole_number(action)
    if text in actions:
        return actions.index(text)
    if number is not None and 0 <= number < len(actions):
        return number
    listing = ", ".join(actions) or "none: the game is over"
    raise DurakError(f"at history {node} there is no move {short_repr(action)}; there are {listing}.{suggest_nearest(text[:100], actions)}")


def describe_node(tree: Tree, node: int) -> TranslatableText:
    """Return a translatable text that describes a node by the moves that lead to it.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "?", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> describe_node(tree, 0), describe_node(tree, 1).facts
    (TranslatableText(key='lesson.tree.start', facts={}), {'moves': PathReference(node=1)})
    """
    return (
        TranslatableText("lesson.tree.after", {"moves": PathReference(node)})
        if tree.parent[node] >= 0
        else TranslatableText("lesson.tree.start")
    )


def format_reference(wording: TreeWording, reference: object) -> str:
    """Return the name that replaces a placeholder, such as the name of a move or a strategy.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> places = {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": DecisionNode(1, "?", [("x", "l")])}
    >>> names = TreeWording(build_tree("", places.__getitem__, player_count=2))
    >>> [format_reference(names, reference) for reference in (PathReference(3), BranchReference(3), ActionReference(0, 0), InfoSetReference(0))]
    ['r, x', 'x', 'l', 'begins']
    """
    tree = wording.tree
    match reference:
        case PathReference(node):
            path = [node]
            while tree.parent[path[-1]] > 0:
                path.append(tree.parent[path[-1]])
            labels = [str(wording.describe_branch(step)["text"]) for step in reversed(path)]
            return ", ".join(labels if len(labels) <= MAX_SHOWN_ACTIONS else ["…", *labels[1 - MAX_SHOWN_ACTIONS :]])
        case BranchReference(node):
            return str(wording.describe_branch(node)["text"])
        case ActionReference(infoset, move):
            return str(wording.describe_actions(infoset)[move]["text"])
        case InfoSetReference(infoset):
            return name_infoset(wording, infoset) or _name_only_infoset(wording, infoset) or str(wording.describe_branch(0)["text"])
        case _:
            return str(reference)


def name_infoset(wording: TreeWording, infoset: int) -> str:
    """Return the name of an information set, which says what the player knows there.

    If that is not enough, the name has the moves so far. It distinguishes the information set from the others of its player. It is
    empty if there are no others, or at the root.

    >>> from durak_widget.gametheory.tree import ChanceNode, TerminalNode, DecisionNode, build_tree
    >>> places = {"": ChanceNode([("good", "1/2", "g"), ("bad", "1/2", "b")]), "g": DecisionNode(0, 1, [("offer", "1"), ("refuse", "1")]), "b": DecisionNode(0, 2, [("offer", "1"), ("refuse", "1")]), "1": TerminalNode((1, 0))}
    >>> names = TreeWording(build_tree("", places.__getitem__, player_count=2, label_infoset=lambda _, __: ""))
    >>> name_infoset(names, 0), name_infoset(names, 1)
    ('good', 'bad')
    """
    return infoset_labels.build_infoset_name(
        wording.tree, infoset, wording.describe_infoset, lambda history: str(wording.describe_branch(history)["text"]), "{}".format
    )


def _name_only_infoset(wording: TreeWording, infoset: int) -> str:
    """Return the player's name if the player has only one information set; otherwise ""."""
    player = wording.tree.infosets[infoset].player
    return wording.player_names[player] if wording.tree.infoset_counts[player] == 1 else ""


def build_tree_wording(tree: Tree, language: str) -> TreeWording:
    """Return an object that formats the texts of a tree and shows cards with suit symbols."""
    wording = TreeWording(tree, language)
    wording.voice = wording.symbol_voice
    return wording


def describe_tree_player(tree: Tree, player: int) -> Seat | str:
    """Return the name of a player of a tree, or the seat if the player has no name."""
    return describe_player(tree.names, player)


def describe_player(names: Sequence[str], player: int) -> Seat | str:
    """Return the name of a player, or the seat if the player has no name.

    >>> describe_player(("Ann", "seat 1"), 0), describe_player(("Ann", "seat 1"), 1)
    ('Ann', Seat(number=1))
    """
    return Seat(player) if is_unnamed(names[player], player) else names[player]


def find_decision_nodes(tree: Tree) -> list[int]:
    """Return the decision nodes of a tree in the order of their numbers."""
    return [node for node, actor in enumerate(tree.actor) if actor >= 0]


def require_perfect_information(tree: Tree, question_phrase: str) -> None:
    """Raise an error if a tree has imperfect information.

    The error message starts with `question_phrase`.
    """
    seen: set[int] = set()
    for node in find_decision_nodes(tree):
        infoset = tree.infoset_of[node]
        if infoset in seen:
            raise DurakError(
                f"{question_phrase} needs a tree with perfect information, and {format_infoset(tree, infoset)} does not know what the others did; take a tree with open hands (open_hands=True), or ask with OnTree.sets or Strategy"
            )
        seen.add(infoset)


Cell = tuple[int, int]
"""A matrix cell, as the pair (row index, column index)."""


def require_matrix(
    source: object, rows: Sequence[str] | None = None, columns: Sequence[str] | None = None, names: Sequence[str] = ()
) -> Matrix:
    r"""Return a payoff matrix built from a tree, a `gametheory.matrix` or rows of payoffs.

    A payoff is a number, which the opponent loses, or a pair of numbers.

    >>> print(require_matrix([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], rows=["silent", "talks"], columns=["silent", "talks"], names=("Ann", "Bob")))
    Ann \ Bob | silent | talks
    silent    | 3, 3   | 0, 5
    talks     | 5, 0   | 1, 1
    """
    if isinstance(source, (Matrix, Tree)):
        table = source if isinstance(source, Matrix) else matrix(source)
    else:
        table = matrix_from_payoffs(source, rows=rows, columns=columns, names=tuple(names) or ("Row", "Column"))
    if max(len(table.rows), len(table.columns)) > MAX_STRATEGIES:
        raise DurakError(
            f"an exercise needs a matrix of at most {MAX_STRATEGIES} × {MAX_STRATEGIES} cells, and this one is {table!r}; take a smaller game"
        )
    return table


def parse_strategy(strategies: Sequence[PureStrategy], value: object) -> int:
    """Return the index of a pure strategy, given the strategy's name or this index.

    >>> parse_strategy([*require_matrix([[1], [2]], rows=["up", "down"]).rows], "down")
    1
    """
    number, labels = as_whole_number(value), [strategy.short_label for strategy in strategies]
    if number is not None and 0 <= number < len(strategies):
        return number
    if isinstance(value, str) and value in labels:
        return labels.index(value)
    raise DurakError(
        f"there is no pure strategy {short_repr(value)}; give one of {', '.join(map(short_repr, labels[:8]))}, or a number from 0 on.{suggest_nearest(value, labels)}"
    )


def strategies_of_player(matrix: Matrix, player: int) -> tuple[PureStrategy, ...]:
    """Return the pure strategies of a player in a matrix."""
    return matrix.columns if player else matrix.rows


def parse_cell(matrix: Matrix, cell: object) -> Cell:
    """Return a matrix cell, given its row and its column by name or by index.

    >>> parse_cell(require_matrix([[1, -1], [-1, 1]], rows=["heads", "tails"]), ("tails", 0))
    (1, 0)
    """
    if not isinstance(cell, (list, tuple)) or len(cell) != 2:
        raise DurakError(f"a cell must be a row and a column, as in (0, 1), not {short_repr(cell)}")
    return parse_strategy(matrix.rows, cell[0]), parse_strategy(matrix.columns, cell[1])


def parse_player(matrix: Matrix, player: object) -> int:
    """Return a player's index (0: rows, 1: columns), given this index or the player's name.

    >>> parse_player(require_matrix([[1]], names=("Ann", "Bob")), "Bob")
    1
    """
    player_by_name = find_player(matrix.names, player)
    number = as_whole_number(player) if player_by_name is None else player_by_name
    if number not in (0, 1):
        raise DurakError(
            f"{short_repr(player)} is not a player of this matrix; {matrix.names[0]} (0) has the rows, {matrix.names[1]} (1) the columns"
        )
    return number
