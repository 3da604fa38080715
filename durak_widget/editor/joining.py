"""Which places a player cannot tell apart: joined by a line, and told apart again."""

from __future__ import annotations

from durak_widget.board.tree_wording import plain_name
from durak_widget.editor.pen import Pen
from durak_widget.editor.tree_draft import GameDraft
from durak_widget.gametheory.tree import CHANCE, OVER
from durak_widget.i18n.user_errors import RefusedError

Next = tuple[GameDraft, int]


def join(draft: GameDraft, one: int, other: int) -> Next:
    """Let a player not tell two places apart, nor any that either is joined with already; an end gets the moves of the other.

    >>> from durak_widget.editor import tree_edits
    >>> draft, new = tree_edits.add_move(GameDraft(), 0, "up")
    >>> draft, _ = tree_edits.add_move(draft, 0, "down")
    >>> draft, _ = tree_edits.add_move(draft, new, "left")
    >>> draft, _ = join(draft, new, draft.places[0].below[1])
    >>> draft.members(new), draft.moves(3)
    ([1, 3], ('left',))
    """
    if one == other:
        raise RefusedError("sketch.refused.itself")
    first, second = draft.places[one], draft.places[other]
    if CHANCE in (first.actor, second.actor):
        raise RefusedError("sketch.refused.join_chance")
    if first.actor == second.actor == OVER:
        raise RefusedError("sketch.refused.join_ends")
    if first.actor == OVER:
        return _grown(draft, one, other)
    if second.actor == OVER:
        draft, _ = _grown(draft, other, one)
        return draft, other
    if first.known == second.known:
        raise RefusedError("sketch.refused.joined")
    if first.actor != second.actor:
        raise RefusedError("sketch.refused.join_players", one=draft.player(first.actor), other=draft.player(second.actor))
    mine, its = draft.sets[first.known], draft.sets[second.known]
    if sorted(mine.moves) != sorted(its.moves) or (mine.moves != its.moves and len({*mine.moves}) < len(mine.moves)):
        raise RefusedError("sketch.refused.join_moves", one=_listed(mine.moves), other=_listed(its.moves), player=draft.player(first.actor))
    pen = Pen(draft)
    order = [its.moves.index(move) for move in mine.moves] if mine.moves != its.moves else None
    for node in draft.members(other):
        below = draft.places[node].below
        pen.change(node, known=first.known, below=below if order is None else tuple([below[at] for at in order]))
    if not mine.label and its.label:
        pen.sets[first.known] = mine._replace(label=its.label)
    return pen.done(), other


def part(draft: GameDraft, node: int) -> Next:
    """Let a player tell this place from all others."""
    place = draft.places[node]
    if len(draft.members(node)) < 2:
        raise RefusedError("sketch.refused.alone")
    pen = Pen(draft)
    pen.change(node, known=pen.a_set(draft.sets[place.known]._replace(label="")))
    return pen.done(), node


def _grown(draft: GameDraft, end: int, other: int) -> Next:
    """Draw the moves of a place at an end, which is joined with it."""
    pen, place = Pen(draft), draft.places[other]
    pen.change(end, actor=place.actor, known=place.known, worth=())
    for _ in place.below:
        pen.grow(end)
    return pen.done(), end


def _listed(moves: tuple[str, ...]) -> str:
    return ", ".join(map(plain_name, moves))
