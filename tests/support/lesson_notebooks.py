"""Helpers for lessons 12, 13, 18 and 19: a notebook's names, and games in which a choice is fixed."""

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


def run_notebook(stem: str) -> dict[str, Any]:
    """Return the names in a notebook's cells, with its exercises."""
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


def stored_output(stem: str, said: str) -> str:
    """Return the stored output of the cell whose code contains these words."""
    [cell] = [cell for cell in nbformat.read(NOTEBOOKS / f"{stem}.ipynb", as_version=4).cells if said in cell.source and cell.outputs]
    return "".join(output.get("text", "") for output in cell.outputs)


def fix_moves(tree: Tree, made: Mapping[int, str]) -> Tree:
    """Return the same game with one move fixed at these information sets."""
    look = make_expand_function(tree)

    def told(here: int) -> gametheory.DecisionNode | gametheory.ChanceNode | gametheory.TerminalNode:
        found = look(here)
        if isinstance(found, gametheory.DecisionNode) and found.knowledge in made:
            return gametheory.DecisionNode(
                found.player, found.knowledge, [move for move in found.actions if move[0] == made[found.knowledge]]
            )  # type: ignore[index]
        return found

    return gametheory.build_tree(0, told, player_count=2)


def pure_strategies(tree: Tree, seat: int) -> Iterator[dict[int, int]]:
    """Yield every choice of a player at all sets, reached or not, without the strategic form."""
    found: list[dict[int, int]] = [{}]
    for place, infoset in enumerate(tree.infosets):
        if infoset.player == seat:
            found = [{**plan, place: move} for plan in found for move in range(len(infoset.actions))]
    yield from found


def play_strategies(tree: Tree, choices: Mapping[int, int], here: int = 0) -> Fraction | int:
    """Return seat 0's payoff when these strategies meet, by walking through the tree."""
    who, place = tree.actor[here], tree.infoset_of[here]
    if who == TERMINAL:
        return tree.payoffs[place][0]
    if who == CHANCE:
        probabilities = tree.chance_moves[place].probabilities
        return sum(
            probability * play_strategies(tree, choices, child)
            for probability, child in zip(probabilities, tree.children(here), strict=True)
        )
    return play_strategies(tree, choices, tree.children(here)[choices[place]])


def open_value(tree: Tree, here: int = 0) -> Fraction | int:
    """Return the value of a game with open information to seat 0, computed here from its ends."""
    who, place = tree.actor[here], tree.infoset_of[here]
    if who == TERMINAL:
        return tree.payoffs[place][0]
    below = [open_value(tree, child) for child in tree.children(here)]
    if who == CHANCE:
        return sum(probability * value for probability, value in zip(tree.chance_moves[place].probabilities, below, strict=True))
    return max(below) if who == 0 else min(below)
