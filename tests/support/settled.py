"""What the tests of lessons 12, 13, 18 and 19 share: a notebook's names, and games in which a choice has been made beforehand."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
import pytest

from durak_widget import gametheory, lessons
from durak_widget.gametheory.outcome_sampling_mccfr import make_expand_function
from durak_widget.gametheory.tree import CHANCE, TERMINAL

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction

    from durak_widget.gametheory.tree import Tree

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
KINDS = ("Choose", "Number", "OnMatrix", "OnTree", "Strategy")


def run(stem: str) -> dict[str, Any]:
    """Whatever the cells of a notebook name, and its exercises by theirs."""
    found: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()):
        for kind in KINDS:

            class Kept(getattr(lessons, kind)):  # type: ignore[misc] - whichever it is
                def __init__(self, *given: object, **more: object) -> None:
                    super().__init__(*given, **more)
                    found[self.name] = self

            patch.setattr(lessons, kind, Kept)
        for cell in nbformat.read(NOTEBOOKS / f"{stem}.ipynb", as_version=4).cells:
            if cell.cell_type == "code":
                exec(cell.source, found)  # noqa: S102 - our own notebooks
    return found


def output(stem: str, said: str) -> str:
    """What the cell whose code holds these words has printed, as it is stored."""
    [cell] = [cell for cell in nbformat.read(NOTEBOOKS / f"{stem}.ipynb", as_version=4).cells if said in cell.source and cell.outputs]
    return "".join(one.get("text", "") for one in cell.outputs)


def forced(tree: Tree, made: Mapping[int, str]) -> Tree:
    """The same game, but that at these information sets one move has been decided on beforehand."""
    look = make_expand_function(tree)

    def told(here: int) -> gametheory.DecisionNode | gametheory.ChanceNode | gametheory.TerminalNode:
        found = look(here)
        if isinstance(found, gametheory.DecisionNode) and found.knowledge in made:
            return gametheory.DecisionNode(
                found.player, found.knowledge, [move for move in found.actions if move[0] == made[found.knowledge]]
            )  # type: ignore[index]
        return found

    return gametheory.build_tree(0, told, player_count=2)


def plans(tree: Tree, seat: int) -> Iterator[dict[int, int]]:
    """Every choice that a seat may make at all its sets, whether or not play comes there: counted out, without the strategic form."""
    found: list[dict[int, int]] = [{}]
    for place, one in enumerate(tree.infosets):
        if one.player == seat:
            found = [{**plan, place: move} for plan in found for move in range(len(one.actions))]
    yield from found


def played(tree: Tree, choices: Mapping[int, int], here: int = 0) -> Fraction | int:
    """What seat 0 wins if these plans meet, by walking through the tree."""
    who, place = tree.actor[here], tree.infoset_of[here]
    if who == TERMINAL:
        return tree.payoffs[place][0]
    if who == CHANCE:
        likely = tree.chance_moves[place].probabilities
        return sum(one * played(tree, choices, child) for one, child in zip(likely, tree.children(here), strict=True))
    return played(tree, choices, tree.children(here)[choices[place]])


def best_for(tree: Tree, here: int = 0) -> Fraction | int:
    """What a game without secrets is worth to seat 0, from its ends, in a few lines of our own."""
    who, place = tree.actor[here], tree.infoset_of[here]
    if who == TERMINAL:
        return tree.payoffs[place][0]
    below = [best_for(tree, child) for child in tree.children(here)]
    if who == CHANCE:
        return sum(one * worth for one, worth in zip(tree.chance_moves[place].probabilities, below, strict=True))
    return max(below) if who == 0 else min(below)
