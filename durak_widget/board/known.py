"""What is known of one strategy on a tree: what it is worth, who answers it and how, and the way that it most likely goes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from durak_widget.gametheory.game_structure import moves_are_seen
from durak_widget.gametheory.tree import CHANCE, OVER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.board.belief_view_model import Faced
    from durak_widget.gametheory.best_responses import Answers, Held
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

QUICK: Final = 20_000
"""What is to be worked out of a tree with more histories is not waited for."""


@dataclass(eq=False)
class Known:
    """What has been worked out of one strategy."""

    strategy: Strategy
    worths: tuple[list[Number], ...] | None = None
    """What each history is worth to each seat; of a zero-sum game of two to seat 0 alone."""
    beliefs: dict[int, Faced] | None = None
    """What is believed at each information set of several histories."""
    answers: dict[int, Answers] = field(default_factory=dict)
    """How each seat that was asked about answers best."""
    held: Held | None = None
    """What one's own seat has by it, and gives away."""


def put_held(known: Known, held: Held, shown_by: Answers | None) -> None:
    """Keep what was found out about one's own strategy."""
    known.held = held
    if shown_by is not None and held.by is not None:
        known.answers[held.by] = shown_by


def open_to_all(tree: Tree) -> bool:
    """Whether nobody's moves are hidden from anybody, so that backward induction applies.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> open_to_all(grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2))
    True
    """
    if tree.histories > QUICK:  # where this is told without going through it: each information set is a single history
        return tree.histories - tree.actor.count(OVER) - tree.actor.count(CHANCE) == len(tree.sets)
    return moves_are_seen(tree)


def way(tree: Tree, strategy: Strategy, shown: Sequence[int]) -> list[int]:
    """The histories among those shown (each after the one before it) to which the likeliest moves lead, the first of those equally likely, whatever chance draws.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> from durak_widget.gametheory.strategy import Strategy
    >>> way(tree, Strategy.of(tree, {"begins": "r"}), [0, 1, 2])
    [0, 2]
    """
    lit, found = {0}, [0]
    likeliest: dict[int, int] = {}
    for here in shown:
        before = tree.parent[here]
        if before not in lit:
            continue
        place, move = tree.info[before], here - tree.first[before]
        if tree.actor[before] == CHANCE:
            on = tree.chances[place].probabilities[move] > 0
        else:
            row = strategy.rows[place]
            if place not in likeliest:
                likeliest[place] = max(range(len(row)), key=row.__getitem__)
            on = move == likeliest[place]
        if on:
            lit.add(here)
            found.append(here)
    return found
