"""Converts a draft to a tree and back, and lists what an unfinished draft still lacks.

Each missing item comes with its node and a sentence in any language. An unfinished draft can still be shown: it
becomes a tree with placeholder numbers that are never displayed.
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
    """Return the tree of a draft; refuse a draft in which something is missing.

    >>> tree_of(GameDraft())
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: Nothing is drawn yet: add a move, let chance decide, or type what the game is worth.
    """
    require_complete(draft)
    return _grown(draft, draft.names)


def for_the_eye(draft: GameDraft) -> Tree:
    """Return a tree that looks like the draft; missing numbers become placeholders."""
    return _grown(draft, shown_names(draft))


def _grown(draft: GameDraft, names: tuple[str, ...]) -> Tree:
    nodes, infosets = draft.places, draft.sets

    def expand(node: int) -> Turn | Draw | End:
        record = nodes[node]
        if record.actor == OVER:
            return End(tuple([payoff or Fraction(0) for payoff in record.worth]))
        if record.actor == CHANCE:
            probabilities = draft.shares(node)
            complete = [probability for probability in probabilities if probability is not None]
            if len(complete) < len(probabilities) or sum(complete) != 1:
                complete = [Fraction(1, len(probabilities))] * len(probabilities)
            return Draw(list(zip(record.moves, complete, record.below, strict=True)))
        return Turn(record.actor, record.known, list(zip(infosets[record.known].moves, record.below, strict=True)))

    def label_infoset(_: int, number: Hashable) -> str:
        return infosets[number].label  # type: ignore[index] # the number of an information set

    return grow(0, expand, seats=draft.seats, title=draft.title, names=names, say=label_infoset)


def draft_of(tree: Tree) -> GameDraft:
    """Return a draft of a tree; its nodes have the numbers of the histories.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree_of(draft_of(textbook("kuhn"))) == textbook("kuhn")
    True
    """
    require_tree(tree)
    if tree.histories > MOST:
        raise RefusedError("sketch.refused.large", count=f"{tree.histories:,}", most=f"{MOST:,}")
    first_infoset = tree.histories
    nodes = {}
    for node, (parent, actor, index) in enumerate(zip(tree.parent, tree.actor, tree.info, strict=True)):
        children = tuple(tree.children(node))
        if actor == OVER:
            nodes[node] = Place(parent, worth=tree.payoffs[index])
        elif actor == CHANCE:
            nodes[node] = Place(parent, CHANCE, below=children, moves=tree.chances[index].moves, likely=tree.chances[index].probabilities)
        else:
            nodes[node] = Place(parent, actor, first_infoset + index, children)
    infosets = {first_infoset + number: DrawnSet(*record) for number, record in enumerate(tree.sets)}
    return GameDraft(nodes, infosets, tree.names, tree.title, first_infoset + len(infosets))


class Lack(NamedTuple):
    """Something that is still to be drawn or typed, and at which node."""

    node: int
    key: str
    facts: Mapping[str, object]

    def said(self, language: str = "en") -> str:
        """Return what is missing, as a sentence."""
        return Voice(language).say(self.key, **self.facts)


def lacks(draft: GameDraft) -> list[Lack]:
    """Return all that is missing, in drawing order; an empty list for a complete game.

    >>> from durak_widget.editor import tree_edits
    >>> from durak_widget.editor.tree_draft import GameDraft
    >>> draft, new = tree_edits.add_move(GameDraft(), 0, "stop")
    >>> [item.said() for item in lacks(draft)]
    ['After “stop”: what this end is worth is not typed yet; write a payoff for each player, such as 1, 0.']
    >>> lacks(tree_edits.pay(draft, new, "1, 0")[0])
    []
    """
    missing = []
    for node in draft.order():
        record = draft.places[node]
        if record.actor == OVER and None in record.worth:
            if node == ROOT:
                return [Lack(ROOT, "sketch.lacks.all", {})]
            missing.append(Lack(node, "sketch.lacks.payoff", {"way": draft.way(node), "example": example(draft.seats)}))
        elif record.actor == CHANCE:
            missing += _chances(draft, node)
    return missing


def _chances(draft: GameDraft, node: int) -> list[Lack]:
    """Return what is wrong with the probabilities of a chance node."""
    probabilities = draft.places[node].likely
    total = sum((probability for probability in probabilities if probability is not None), Fraction(0))
    if total == 1 or (total < 1 and None in probabilities):
        return []
    key = f"sketch.lacks.{'more' if total > 1 else 'less'}{'' if node else '.root'}"
    return [Lack(node, key, {"way": draft.way(node), "total": str(total)})]


def require_complete(draft: GameDraft) -> None:
    """Refuse an unfinished draft and name the first thing that is missing."""
    missing = lacks(draft)
    if missing:
        raise RefusedError(missing[0].key, **missing[0].facts)
