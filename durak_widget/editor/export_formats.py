"""Exports a tree draft to a file in Gambit's format, or as Python, TikZ or SVG.

The ending of the file name chooses the format. To add a format, add a line to `EXPORT_FORMATS`. The Python export
is one expression that builds the tree, in the style of the documentation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.atomic_files import save_text
from durak_widget.board.picture_files import require_ending
from durak_widget.board.tree_wording import clean_name
from durak_widget.editor.draft_conversion import tree_from_draft
from durak_widget.editor.view_model import DraftViewModel
from durak_widget.gametheory.gambit_files import to_efg
from durak_widget.gametheory.player_labels import default_name
from durak_widget.gametheory.tree import CHANCE, TERMINAL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction
    from os import PathLike

    from durak_widget.editor.tree_draft import TreeDraft
    from durak_widget.gametheory.tree import Tree


def format_python(tree: Tree) -> str:
    """Format a tree as a Python expression that builds this tree, one history per line.

    The expression needs `gametheory`, and `Fraction` if a number is not whole.

    >>> from fractions import Fraction
    >>> from durak_widget import gametheory
    >>> places = {"": gametheory.DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": gametheory.TerminalNode((1, -1)), "r": gametheory.TerminalNode((Fraction(1, 2), 0))}
    >>> tree = gametheory.build_tree("", places.__getitem__, player_count=2)
    >>> print(format_python(tree))
    gametheory.build_tree("", {
        "": gametheory.DecisionNode(0, "begins", [("l", "l"), ("r", "r")]),
        "l": gametheory.TerminalNode((1, -1)),
        "r": gametheory.TerminalNode((Fraction(1, 2), 0)),
    }.__getitem__, player_count=2)
    >>> eval(format_python(tree)) == tree
    True
    """
    keys, is_label_enough = _build_node_keys(tree), _are_labels_unique(tree)
    lines = [f"    {keys[node]}: {_format_node(tree, node, keys, is_label_enough=is_label_enough)}," for node in _list_nodes(tree)]
    options = [f"player_count={tree.player_count}"]
    if tree.title:
        options.append(f"title={format_python_text(tree.title)}")
    if tree.names != tuple(map(default_name, range(tree.player_count))):
        options.append(f"names={_format_tuple([format_python_text(name) for name in tree.names])}")
    if not is_label_enough:
        options.append("label_infoset=lambda player, knowledge: knowledge[0]")
    return "\n".join([f"gametheory.build_tree({keys[0]}, {{", *lines, f"}}.__getitem__, {', '.join(options)})"])


def needs_fractions(tree: Tree) -> bool:
    """Return whether a tree has a payoff or a probability that is not a whole number."""
    probabilities = [probability for chance in tree.chance_moves for probability in chance.probabilities]
    return any(payoff.denominator != 1 for payoff in [*probabilities, *[number for payoffs in tree.payoffs for number in payoffs]])


def format_notebook_cell(tree: Tree) -> str:
    """Format a tree as Python code with imports, to paste into an empty notebook.

    >>> from durak_widget import gametheory
    >>> print(format_notebook_cell(gametheory.build_tree("", {"": gametheory.TerminalNode((1,))}.__getitem__, player_count=1)))
    from durak_widget import gametheory
    <BLANKLINE>
    tree = gametheory.build_tree("", {
        "": gametheory.TerminalNode((1,)),
    }.__getitem__, player_count=1)
    """
    imports = ["from fractions import Fraction"] * needs_fractions(tree) + ["from durak_widget import gametheory"]
    return "\n".join([*imports, "", f"tree = {format_python(tree)}"])


def _list_nodes(tree: Tree) -> list[int]:
    """List all nodes of a tree, parents before children."""
    stack, nodes = [0], []
    while stack:
        node = stack.pop()
        nodes.append(node)
        stack += reversed(tree.children(node))
    return nodes


def _build_node_keys(tree: Tree) -> list[str]:
    """Return the dictionary keys under which the exported Python code stores the nodes.

    The key is the list of actions that lead to the node, if these lists are short and all different, or else the
    number of the node.
    """
    paths = [", ".join(tree.actions_from_root(node)) for node in range(tree.history_count)]
    short = len({*paths}) == len(paths) and max(map(len, paths)) <= 60
    return [format_python_text(path) for path in paths] if short else [str(node) for node in range(tree.history_count)]


def _are_labels_unique(tree: Tree) -> bool:
    """Return whether every player's information sets have different labels."""
    return len({(record.player, record.label) for record in tree.infosets}) == len(tree.infosets)


def _format_node(tree: Tree, node: int, keys: Sequence[str], *, is_label_enough: bool) -> str:
    """Format one node as Python code.

    `keys` has the dictionary key of every node.
    """
    actor, index, child_keys = tree.actor[node], tree.infoset_of[node], [keys[child_node] for child_node in tree.children(node)]
    if actor == TERMINAL:
        return f"gametheory.TerminalNode({_format_tuple([format_python_number(payoff) for payoff in tree.payoffs[index]])})"
    if actor == CHANCE:
        branches = zip(tree.chance_moves[index].actions, tree.chance_moves[index].probabilities, child_keys, strict=True)
        return f"gametheory.ChanceNode([{', '.join(f'({format_python_text(action)}, {format_python_number(probability)}, {key})' for action, probability, key in branches)}])"
    record = tree.infosets[index]
    knows = format_python_text(record.label) if is_label_enough else f"({format_python_text(record.label)}, {index})"
    actions = ", ".join(f"({format_python_text(action)}, {key})" for action, key in zip(record.actions, child_keys, strict=True))
    return f"gametheory.DecisionNode({actor}, {knows}, [{actions}])"


def _format_tuple(parts: Sequence[str]) -> str:
    """Format a Python tuple whose items are already Python code."""
    return f"({', '.join(parts)}{',' * (len(parts) == 1)})"


def format_python_number(number: Fraction) -> str:
    """Format an exact number as Python code.

    >>> from fractions import Fraction
    >>> format_python_number(Fraction(-1, 3)), format_python_number(Fraction(2))
    ('Fraction(-1, 3)', '2')
    """
    return str(number) if number.denominator == 1 else f"Fraction({number.numerator}, {number.denominator})"


def format_python_text(text: str) -> str:
    """Format a text as a Python string literal, in double quotation marks if possible."""
    literal = repr(text)
    return '"' + literal[1:-1] + '"' if literal[0] == "'" and '"' not in literal and "\\'" not in literal else literal


class ExportFormat(NamedTuple):
    """A file format for tree drafts: the format's name, and a function to write a draft.

    The function takes the draft, a language and the direction in which the tree grows.
    """

    name: str
    render: Callable[[TreeDraft, str, str], str]


EXPORT_FORMATS: Final = {
    ".efg": ExportFormat("efg", lambda draft, _, __: to_efg(tree_from_draft(draft))),
    ".py": ExportFormat("python", lambda draft, _, __: format_notebook_cell(tree_from_draft(draft)) + "\n"),
    ".tex": ExportFormat("tikz", lambda draft, language, direction: DraftViewModel(draft, language, direction).tikz),
    ".svg": ExportFormat("svg", lambda draft, language, direction: DraftViewModel(draft, language, direction).svg),
}
"""The file formats in which a tree draft can be saved; the keys are endings of file names."""


def find_export_format(path: str | PathLike[str]) -> ExportFormat:
    """Return the export format for a file name's ending; raise an error for other endings.

    >>> find_export_format("my game.efg").name
    'efg'
    >>> find_export_format("my game.doc")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: the file name of a sketch must end with .efg, .py, .tex or .svg, and 'my game.doc' does not
    """
    return EXPORT_FORMATS[require_ending(path, EXPORT_FORMATS, "a sketch")]


def save_draft(draft: TreeDraft, path: str | PathLike[str], language: str, direction: str) -> None:
    """Save a tree draft to a file; the ending of the file name chooses the format."""
    save_text(path, find_export_format(path).render(draft, language, direction))


def suggest_file_stem(draft: TreeDraft) -> str:
    """Suggest a file name for a draft, made from the draft's title, without an ending.

    >>> from durak_widget.editor.tree_draft import TreeDraft
    >>> suggest_file_stem(TreeDraft(title="Beer & quiche")), suggest_file_stem(TreeDraft())
    ('beer-quiche', 'sketch')
    """
    return re.sub(r"\W+", "-", clean_name(draft.title).lower()).strip("-")[:60] or "sketch"
