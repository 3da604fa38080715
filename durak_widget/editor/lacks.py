"""What a sketch still lacks before it is a game: each lack with its place, and its sentence in any language."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.editor.input_parsing import example
from durak_widget.editor.tree_draft import ROOT
from durak_widget.gametheory.tree import CHANCE, OVER
from durak_widget.i18n import Voice
from durak_widget.i18n.user_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.editor.tree_draft import GameDraft


class Lack(NamedTuple):
    """Something that is still to be drawn or typed, and where."""

    node: int
    key: str
    facts: Mapping[str, object]

    def said(self, language: str = "en") -> str:
        """What is missing, in a sentence."""
        return Voice(language).say(self.key, **self.facts)


def lacks(draft: GameDraft) -> list[Lack]:
    """All that is missing, in the order in which the tree is drawn; nothing where the game is whole.

    >>> from durak_widget.editor import tree_edits
    >>> from durak_widget.editor.tree_draft import GameDraft
    >>> draft, new = tree_edits.add_move(GameDraft(), 0, "stop")
    >>> [one.said() for one in lacks(draft)]
    ['After “stop”: what this end is worth is not typed yet; write a payoff for each player, such as 1, 0.']
    >>> lacks(tree_edits.pay(draft, new, "1, 0")[0])
    []
    """
    found = []
    for node in draft.order():
        place = draft.places[node]
        if place.actor == OVER and None in place.worth:
            if node == ROOT:
                return [Lack(ROOT, "sketch.lacks.all", {})]
            found.append(Lack(node, "sketch.lacks.payoff", {"way": draft.way(node), "example": example(draft.seats)}))
        elif place.actor == CHANCE:
            found += _chances(draft, node)
    return found


def _chances(draft: GameDraft, node: int) -> list[Lack]:
    """What is wrong with the probabilities of a place of chance."""
    likely = draft.places[node].likely
    total = sum((one for one in likely if one is not None), Fraction(0))
    if total == 1 or (total < 1 and None in likely):
        return []
    key = f"sketch.lacks.{'more' if total > 1 else 'less'}{'' if node else '.root'}"
    return [Lack(node, key, {"way": draft.way(node), "total": str(total)})]


def require_complete(draft: GameDraft) -> None:
    """Refuse an unfinished sketch, and name the first thing that is missing."""
    missing = lacks(draft)
    if missing:
        raise RefusedError(missing[0].key, **missing[0].facts)
