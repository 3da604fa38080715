"""Exports a tree draft by the ending of the file name: Gambit, Python, TikZ or SVG.

To add a format, add a line to `FORMS`. The Python export is one expression that builds the tree again, in the
style of the documentation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.atomic_files import keep_text
from durak_widget.board.picture_files import require_ending
from durak_widget.board.tree_wording import plain_name
from durak_widget.editor.draft_conversion import tree_of
from durak_widget.editor.view_model import Seen
from durak_widget.gametheory.gambit_files import to_efg
from durak_widget.gametheory.player_labels import default_name
from durak_widget.gametheory.tree import CHANCE, OVER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction
    from os import PathLike

    from durak_widget.editor.tree_draft import GameDraft
    from durak_widget.gametheory.tree import Tree


def python_of(tree: Tree) -> str:
    """Return a tree as one Python expression, with a line for each history.

    The expression needs `gametheory`, and `Fraction` if a number is not whole.

    >>> from fractions import Fraction
    >>> from durak_widget import gametheory
    >>> places = {"": gametheory.Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": gametheory.End((1, -1)), "r": gametheory.End((Fraction(1, 2), 0))}
    >>> tree = gametheory.grow("", places.__getitem__, seats=2)
    >>> print(python_of(tree))
    gametheory.grow("", {
        "": gametheory.Turn(0, "begins", [("l", "l"), ("r", "r")]),
        "l": gametheory.End((1, -1)),
        "r": gametheory.End((Fraction(1, 2), 0)),
    }.__getitem__, seats=2)
    >>> eval(python_of(tree)) == tree
    True
    """
    keys, is_label_enough = _keys(tree), _labels_tell(tree)
    lines = [f"    {keys[node]}: {_place(tree, node, keys, plain=is_label_enough)}," for node in _in_order(tree)]
    options = [f"seats={tree.seats}"]
    if tree.title:
        options.append(f"title={text_in_python(tree.title)}")
    if tree.names != tuple(map(default_name, range(tree.seats))):
        options.append(f"names={_row([text_in_python(name) for name in tree.names])}")
    if not is_label_enough:
        options.append("say=lambda seat, knows: knows[0]")
    return "\n".join([f"gametheory.grow({keys[0]}, {{", *lines, f"}}.__getitem__, {', '.join(options)})"])


def needs_fractions(tree: Tree) -> bool:
    """Return whether some number of a tree is not whole."""
    probabilities = [probability for chance in tree.chances for probability in chance.probabilities]
    return any(payoff.denominator != 1 for payoff in [*probabilities, *[number for payoffs in tree.payoffs for number in payoffs]])


def cell_of(tree: Tree) -> str:
    """Return the expression with its imports, to paste into an empty notebook.

    >>> from durak_widget import gametheory
    >>> print(cell_of(gametheory.grow("", {"": gametheory.End((1,))}.__getitem__, seats=1)))
    from durak_widget import gametheory
    <BLANKLINE>
    tree = gametheory.grow("", {
        "": gametheory.End((1,)),
    }.__getitem__, seats=1)
    """
    imports = ["from fractions import Fraction"] * needs_fractions(tree) + ["from durak_widget import gametheory"]
    return "\n".join([*imports, "", f"tree = {python_of(tree)}"])


def _in_order(tree: Tree) -> list[int]:
    """Return the nodes, parents before children."""
    stack, nodes = [0], []
    while stack:
        node = stack.pop()
        nodes.append(node)
        stack += reversed(tree.children(node))
    return nodes


def _keys(tree: Tree) -> list[str]:
    """Return the key of each node in the expression.

    These are the actions that lead to the node, if they are short and different for all nodes, or else its number.
    """
    paths = [", ".join(tree.moves_to(node)) for node in range(tree.histories)]
    short = len({*paths}) == len(paths) and max(map(len, paths)) <= 60
    return [text_in_python(path) for path in paths] if short else [str(node) for node in range(tree.histories)]


def _labels_tell(tree: Tree) -> bool:
    """Return whether no two information sets of a player have the same label."""
    return len({(record.seat, record.label) for record in tree.sets}) == len(tree.sets)


def _place(tree: Tree, here: int, keys: Sequence[str], *, plain: bool) -> str:
    actor, index, child_keys = tree.actor[here], tree.info[here], [keys[child_node] for child_node in tree.children(here)]
    if actor == OVER:
        return f"gametheory.End({_row([number_in_python(payoff) for payoff in tree.payoffs[index]])})"
    if actor == CHANCE:
        branches = zip(tree.chances[index].moves, tree.chances[index].probabilities, child_keys, strict=True)
        return f"gametheory.Draw([{', '.join(f'({text_in_python(action)}, {number_in_python(probability)}, {key})' for action, probability, key in branches)}])"
    record = tree.sets[index]
    knows = text_in_python(record.label) if plain else f"({text_in_python(record.label)}, {index})"
    actions = ", ".join(f"({text_in_python(action)}, {key})" for action, key in zip(record.moves, child_keys, strict=True))
    return f"gametheory.Turn({actor}, {knows}, [{actions}])"


def _row(parts: Sequence[str]) -> str:
    """Return the parts as a Python tuple."""
    return f"({', '.join(parts)}{',' * (len(parts) == 1)})"


def number_in_python(number: Fraction) -> str:
    """Return an exact number as Python code.

    >>> from fractions import Fraction
    >>> number_in_python(Fraction(-1, 3)), number_in_python(Fraction(2))
    ('Fraction(-1, 3)', '2')
    """
    return str(number) if number.denominator == 1 else f"Fraction({number.numerator}, {number.denominator})"


def text_in_python(text: str) -> str:
    """Return a text as Python code, in double quotation marks if possible."""
    literal = repr(text)
    return '"' + literal[1:-1] + '"' if literal[0] == "'" and '"' not in literal and "\\'" not in literal else literal


class SavedAs(NamedTuple):
    """A file format: its name on the page and a function that makes the text of a draft.

    The function takes the draft, a language and the direction in which the tree grows.
    """

    name: str
    text: Callable[[GameDraft, str, str], str]


FORMS: Final = {
    ".efg": SavedAs("efg", lambda draft, _, __: to_efg(tree_of(draft))),
    ".py": SavedAs("python", lambda draft, _, __: cell_of(tree_of(draft)) + "\n"),
    ".tex": SavedAs("tikz", lambda draft, language, direction: Seen(draft, language, direction).tikz),
    ".svg": SavedAs("svg", lambda draft, language, direction: Seen(draft, language, direction).svg),
}
"""The formats of a tree draft by file ending."""


def form_of_file(path: str | PathLike[str]) -> SavedAs:
    """Return the format for the ending of a file name.

    >>> form_of_file("my game.efg").name
    'efg'
    >>> form_of_file("my game.doc")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: a sketch is saved as .efg, .py, .tex or .svg, and 'my game.doc' ends otherwise
    """
    return FORMS[require_ending(path, FORMS, "a sketch")]


def save_sketch(draft: GameDraft, path: str | PathLike[str], language: str, direction: str) -> None:
    """Write a draft to a file, in the format of its ending."""
    keep_text(path, form_of_file(path).text(draft, language, direction))


def sketch_file(draft: GameDraft) -> str:
    """Return a file name for the draft, without an ending.

    >>> from durak_widget.editor.tree_draft import GameDraft
    >>> sketch_file(GameDraft(title="Beer & quiche")), sketch_file(GameDraft())
    ('beer-quiche', 'sketch')
    """
    return re.sub(r"\W+", "-", plain_name(draft.title).lower()).strip("-")[:60] or "sketch"
