"""Who plays in a sketch: names, one more, one less; and what the game is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.editor import input_parsing
from durak_widget.editor.pen import Pen, alone
from durak_widget.gametheory.player_labels import default_name, is_unnamed
from durak_widget.gametheory.tree import OVER
from durak_widget.i18n.user_errors import RefusedError

if TYPE_CHECKING:
    from durak_widget.editor.tree_draft import GameDraft

MOST_PLAYERS: Final = 6
"""So many have a sign and a colour of their own."""


def name_player(draft: GameDraft, seat: int, name: object) -> GameDraft:
    """Call a player so; nothing: it is counted again.

    >>> from durak_widget.editor.tree_draft import GameDraft
    >>> name_player(GameDraft(), 1, "Bob").names
    ('Player 1', 'Bob')
    """
    said = input_parsing.name(name, empty=True) or default_name(seat)
    return alone(draft, names=(*draft.names[:seat], said, *draft.names[seat + 1 :]))


def add_player(draft: GameDraft, name: object = "") -> GameDraft:
    """One player more, to whom no end is worth anything yet."""
    if draft.seats >= MOST_PLAYERS:
        raise RefusedError("sketch.refused.most_players", count=MOST_PLAYERS)
    draft = alone(draft, names=(*draft.names, default_name(draft.seats)))
    pen = Pen(draft)
    for node, place in draft.places.items():
        if place.actor == OVER:
            pen.change(node, worth=(*place.worth, None))
    return name_player(pen.done(), draft.seats - 1, name)


def drop_player(draft: GameDraft, seat: int) -> GameDraft:
    """One player less, if there is no place where that one is to act.

    >>> from durak_widget.editor.tree_draft import GameDraft
    >>> drop_player(GameDraft(), 0).names
    ('Player 1',)
    """
    if draft.seats == 1:
        raise RefusedError("sketch.refused.last_player")
    if any(known.seat == seat for known in draft.sets.values()):
        raise RefusedError("sketch.refused.acts", player=draft.player(seat))
    kept = [one for one in range(draft.seats) if one != seat]
    names = [default_name(at) if is_unnamed(draft.names[one], one) else draft.names[one] for at, one in enumerate(kept)]
    pen = Pen(alone(draft, names=tuple(names)))
    for number, known in draft.sets.items():
        pen.sets[number] = known._replace(seat=known.seat - (known.seat > seat))
    for node, place in draft.places.items():
        if place.actor == OVER:
            pen.change(node, worth=tuple([place.worth[one] for one in kept]))
        elif place.actor > seat:
            pen.change(node, actor=place.actor - 1)
    return pen.done()


def call(draft: GameDraft, title: object) -> GameDraft:
    """What the game is called."""
    return alone(draft, title=input_parsing.name(title, empty=True))
