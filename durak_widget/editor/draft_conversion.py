"""From a sketch to a tree, and from a tree to a sketch; and a tree for the eye of what is not whole yet."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from durak_widget.editor.lacks import require_complete
from durak_widget.editor.tree_draft import MOST, DrawnSet, GameDraft, Place, shown_names
from durak_widget.gametheory.tree import CHANCE, OVER, Draw, End, Tree, Turn, grow, require_tree
from durak_widget.i18n.user_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Hashable


def tree_of(draft: GameDraft) -> Tree:
    """The game that was drawn; refused in a sentence while something is missing.

    >>> tree_of(GameDraft())
    Traceback (most recent call last):
    durak_widget.i18n.user_errors.RefusedError: Nothing is drawn yet: add a move, let chance decide, or type what the game is worth.
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
