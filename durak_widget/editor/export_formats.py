"""Exports a tree draft by the ending of the file name: .efg, Python, TikZ or SVG.

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
    """One expression, a line for each history; it needs `gametheory`, and `Fraction` where a number is none that is whole.

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
    keys, plain = _keys(tree), _labels_tell(tree)
    lines = [f"    {keys[here]}: {_place(tree, here, keys, plain=plain)}," for here in _in_order(tree)]
    options = [f"seats={tree.seats}"]
    if tree.title:
        options.append(f"title={text_in_python(tree.title)}")
    if tree.names != tuple(map(default_name, range(tree.seats))):
        options.append(f"names={_row([text_in_python(name) for name in tree.names])}")
    if not plain:
        options.append("say=lambda seat, knows: knows[0]")
    return "\n".join([f"gametheory.grow({keys[0]}, {{", *lines, f"}}.__getitem__, {', '.join(options)})"])


def needs_fractions(tree: Tree) -> bool:
    """Whether some number of a tree is not whole."""
    likely = [one for chance in tree.chances for one in chance.probabilities]
    return any(one.denominator != 1 for one in [*likely, *[one for worth in tree.payoffs for one in worth]])


def cell_of(tree: Tree) -> str:
    """What one may paste into an empty notebook: the expression, with what it imports.

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
    """The histories, each before what it leads to."""
    waiting, found = [0], []
    while waiting:
        here = waiting.pop()
        found.append(here)
        waiting += reversed(tree.children(here))
    return found


def _keys(tree: Tree) -> list[str]:
    """What each history is called in the expression: the moves that lead there, where that tells them apart and is short; else its number."""
    ways = [", ".join(tree.moves_to(here)) for here in range(tree.histories)]
    short = len({*ways}) == len(ways) and max(map(len, ways)) <= 60
    return [text_in_python(way) for way in ways] if short else [str(here) for here in range(tree.histories)]


def _labels_tell(tree: Tree) -> bool:
    """Whether the labels alone tell the information sets of each seat apart."""
    return len({(one.seat, one.label) for one in tree.sets}) == len(tree.sets)


def _place(tree: Tree, here: int, keys: Sequence[str], *, plain: bool) -> str:
    actor, info, below = tree.actor[here], tree.info[here], [keys[child] for child in tree.children(here)]
    if actor == OVER:
        return f"gametheory.End({_row([number_in_python(one) for one in tree.payoffs[info]])})"
    if actor == CHANCE:
        drawn = zip(tree.chances[info].moves, tree.chances[info].probabilities, below, strict=True)
        return f"gametheory.Draw([{', '.join(f'({text_in_python(move)}, {number_in_python(likely)}, {child})' for move, likely, child in drawn)}])"
    known = tree.sets[info]
    knows = text_in_python(known.label) if plain else f"({text_in_python(known.label)}, {info})"
    moves = ", ".join(f"({text_in_python(move)}, {child})" for move, child in zip(known.moves, below, strict=True))
    return f"gametheory.Turn({actor}, {knows}, [{moves}])"


def _row(parts: Sequence[str]) -> str:
    """A tuple."""
    return f"({', '.join(parts)}{',' * (len(parts) == 1)})"


def number_in_python(number: Fraction) -> str:
    """An exact number, as one writes it there.

    >>> from fractions import Fraction
    >>> number_in_python(Fraction(-1, 3)), number_in_python(Fraction(2))
    ('Fraction(-1, 3)', '2')
    """
    return str(number) if number.denominator == 1 else f"Fraction({number.numerator}, {number.denominator})"


def text_in_python(text: str) -> str:
    """A text in double quotation marks, as a person would write it."""
    said = repr(text)
    return '"' + said[1:-1] + '"' if said[0] == "'" and '"' not in said and "\\'" not in said else said


class SavedAs(NamedTuple):
    """A kind of file: what it is called on the page, and its text, of a sketch in a language, as it grows."""

    name: str
    text: Callable[[GameDraft, str, str], str]


FORMS: Final = {
    ".efg": SavedAs("efg", lambda draft, _, __: to_efg(tree_of(draft))),
    ".py": SavedAs("python", lambda draft, _, __: cell_of(tree_of(draft)) + "\n"),
    ".tex": SavedAs("tikz", lambda draft, language, direction: Seen(draft, language, direction).tikz),
    ".svg": SavedAs("svg", lambda draft, language, direction: Seen(draft, language, direction).svg),
}
"""What a sketch can be saved as."""


def form_of_file(path: str | PathLike[str]) -> SavedAs:
    """The kind of file that a name asks for.

    >>> form_of_file("my game.efg").name
    'efg'
    >>> form_of_file("my game.doc")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: a sketch is saved as .efg, .py, .tex or .svg, and 'my game.doc' ends otherwise
    """
    return FORMS[require_ending(path, FORMS, "a sketch")]


def save_sketch(draft: GameDraft, path: str | PathLike[str], language: str, direction: str) -> None:
    """Write a sketch into a file."""
    keep_text(path, form_of_file(path).text(draft, language, direction))


def sketch_file(draft: GameDraft) -> str:
    """What a file of it might be called, without its ending.

    >>> from durak_widget.editor.tree_draft import GameDraft
    >>> sketch_file(GameDraft(title="Beer & quiche")), sketch_file(GameDraft())
    ('beer-quiche', 'sketch')
    """
    return re.sub(r"\W+", "-", plain_name(draft.title).lower()).strip("-")[:60] or "sketch"
