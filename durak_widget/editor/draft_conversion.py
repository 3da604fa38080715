"""Converts a draft to a tree and a tree to a draft, and lists what an unfinished draft still lacks.

Each missing item comes with its node and a sentence in any language. An unfinished draft can still be shown:
it becomes a tree with placeholder numbers that are never displayed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.editor.input_parsing import example
from durak_widget.editor.tree_draft import MOST, ROOT, DrawnSet, GameDraft, Place, shown_names
from durak_widget.gametheory.tree import CHANCE, OVER, Draw, End, Tree, Turn, grow, require_tree
from durak_widget.i18n import Voice
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping


def tree_of(draft: GameDraft) -> Tree:
    """The game that was drawn; refused in a sentence while something is missing.

    >>> tree_of(GameDraft())
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: Nothing is drawn yet: add a move, let chance decide, or type what the game is worth.
    """
    require_complete(draft)
    return _grown(draft, draft.names)


def for_the_eye(draft: GameDraft) -> Tree:
    """A tree that looks like the sketch: where it is not whole, with numbers that nobody shows."""
    return _grown(draft, shown_names(draft))


def _grown(draft: GameDraft, names: tuple[str, ...]) -> Tree:
    places, sets = draft.places, draft.sets

    def look(node: int) -> Turn | Draw | End:
        place = places[node]
        if place.actor == OVER:
            return End(tuple([one or Fraction(0) for one in place.worth]))
        if place.actor == CHANCE:
            likely = draft.shares(node)
            known = [one for one in likely if one is not None]
            if len(known) < len(likely) or sum(known) != 1:
                known = [Fraction(1, len(likely))] * len(likely)
            return Draw(list(zip(place.moves, known, place.below, strict=True)))
        return Turn(place.actor, place.known, list(zip(sets[place.known].moves, place.below, strict=True)))

    def say(_: int, number: Hashable) -> str:
        return sets[number].label  # type: ignore[index] # the number of a set

    return grow(0, look, seats=draft.seats, title=draft.title, names=names, say=say)


def draft_of(tree: Tree) -> GameDraft:
    """A sketch of a tree, to go on with; its places have the numbers of the histories.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree_of(draft_of(textbook("kuhn"))) == textbook("kuhn")
    True
    """
    require_tree(tree)
    if tree.histories > MOST:
        raise RefusedError("sketch.refused.large", count=f"{tree.histories:,}", most=f"{MOST:,}")
    free = tree.histories
    places = {}
    for here, (up, actor, info) in enumerate(zip(tree.parent, tree.actor, tree.info, strict=True)):
        below = tuple(tree.children(here))
        if actor == OVER:
            places[here] = Place(up, worth=tree.payoffs[info])
        elif actor == CHANCE:
            places[here] = Place(up, CHANCE, below=below, moves=tree.chances[info].moves, likely=tree.chances[info].probabilities)
        else:
            places[here] = Place(up, actor, free + info, below)
    sets = {free + number: DrawnSet(*one) for number, one in enumerate(tree.sets)}
    return GameDraft(places, sets, tree.names, tree.title, free + len(sets))


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
