"""Holds all edits of a tree draft: branches, chance moves, payoffs, information sets, players, title.

Each edit takes a draft and returns the next draft with the node to show. An impossible edit is refused with a
sentence that says why. Nodes that a player can't distinguish are joined to an information set, and split from
it again.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING, Final

from durak_widget.board.tree_wording import plain_name
from durak_widget.editor import input_parsing
from durak_widget.editor.tree_draft import ROOT, DrawnSet, GameDraft, Pen, acts, alone, top_of
from durak_widget.gametheory.player_labels import default_name, is_unnamed
from durak_widget.gametheory.tree import CHANCE, OVER
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

MOST_PLAYERS: Final = 6
"""So many have a sign and a colour of their own."""
Next = tuple[GameDraft, int]


def add_move(draft: GameDraft, node: int, move: object = None, seat: int | None = None) -> Next:
    """Add a branch: at an end its first, of this seat; else one more, at all places that the player cannot tell apart.

    >>> draft, new = add_move(GameDraft(), 0, "bet")
    >>> draft, _ = add_move(draft, 0)
    >>> draft.moves(0), new, draft.places[0].below
    (('bet', 'a'), 1, (1, 3))
    """
    place, pen = draft.places[node], Pen(draft)
    said = _free_name(draft.moves(node)) if move is None else _new_name(draft.moves(node), move)
    if place.actor == OVER:
        whose = _next_seat(draft, node) if seat is None else draft.a_player(seat)
        new = pen.grow(node)
        pen.change(node, actor=whose, known=pen.a_set(DrawnSet(whose, "", (said,))), worth=())
        return pen.done(), new
    if place.actor == CHANCE:
        new = pen.grow(node)
        pen.change(node, moves=(*place.moves, said), likely=(*place.likely, None))
        return pen.done(), new
    known = draft.sets[place.known]
    pen.sets[place.known] = known._replace(moves=(*known.moves, said))
    grown = {one: pen.grow(one) for one in draft.members(node)}
    return pen.done(), grown[node]


def add_chance(draft: GameDraft, node: int) -> Next:
    """Let chance decide: at an end two ways, equally likely; where chance decides, one way more; where a player does, the same branches are chance's."""
    place = draft.places[node]
    if place.actor == CHANCE:
        return add_move(draft, node)
    if place.actor >= 0:
        return hand_over(draft, node, CHANCE)
    pen = Pen(draft)
    first, _ = pen.grow(node), pen.grow(node)
    pen.change(node, actor=CHANCE, moves=("a", "b"), likely=(None, None), worth=())
    return pen.done(), first


def remove(draft: GameDraft, node: int) -> Next:
    """Take away the branch that leads to a place, with all that follows, wherever the player cannot tell it apart; at the root, all."""
    pen, up = Pen(draft), draft.places[node].up
    if node == ROOT:
        pen.end(ROOT)
        return pen.done(), ROOT
    at, known = draft.places[up].below.index(node), draft.places[up].known
    if known >= 0:
        moves = draft.sets[known].moves
        pen.sets[known] = draft.sets[known]._replace(moves=moves[:at] + moves[at + 1 :])
    for one in draft.members(up):
        if one in pen.places:  # where somebody forgets, one of them may have followed another
            pen.drop(at, one)
    return pen.done(), top_of(draft, node)


def cut_out(draft: GameDraft, node: int) -> Next:
    """Take away all that follows a place, which is an end then."""
    pen = Pen(draft)
    pen.end(node)
    return pen.done(), node


def rename(draft: GameDraft, node: int, move: object) -> Next:
    """Call the branch that leads to a place otherwise, wherever the player cannot tell it apart."""
    up = draft.places[node].up
    if node == ROOT:
        raise RefusedError("sketch.refused.root")
    at, moves = draft.places[up].below.index(node), draft.moves(up)
    said = _new_name(moves[:at] + moves[at + 1 :], move)
    pen, place = Pen(draft), draft.places[up]
    others = (*moves[:at], said, *moves[at + 1 :])
    if place.actor == CHANCE:
        pen.change(up, moves=others)
    else:
        pen.sets[place.known] = draft.sets[place.known]._replace(moves=others)
    return pen.done(), node


def shift(draft: GameDraft, node: int, by: int) -> Next:
    """Draw a branch so many places later among those beside it, or earlier."""
    up = draft.places[node].up
    if node == ROOT:
        raise RefusedError("sketch.refused.root")
    at, count = draft.places[up].below.index(node), len(draft.places[up].below)
    to = max(0, min(at + by, count - 1))
    order = [one for one in range(count) if one != at]
    order.insert(to, at)
    pen = Pen(draft)
    known = draft.places[up].known
    if known >= 0:
        pen.sets[known] = draft.sets[known]._replace(moves=tuple([draft.sets[known].moves[one] for one in order]))
    for one in draft.members(up):
        _reorder(pen, one, order)
    return pen.done(), node


def set_likely(draft: GameDraft, node: int, likely: object) -> Next:
    """How likely chance leads to a place; nothing typed: it shares what the others leave."""
    up = draft.places[node].up
    if node == ROOT or draft.places[up].actor != CHANCE:
        raise RefusedError("sketch.refused.no_chance")
    blank = likely is None or (isinstance(likely, str) and not likely.strip())
    chance = None if blank else _chance(likely)
    at, given = draft.places[up].below.index(node), draft.places[up].likely
    pen = Pen(draft)
    pen.change(up, likely=(*given[:at], chance, *given[at + 1 :]))
    return pen.done(), node


def _chance(likely: object) -> Fraction:
    """A probability, which may be typed as a product too."""
    chance = input_parsing.number(likely)
    if not 0 <= chance <= 1:
        raise RefusedError("board.refused.probability", text=input_parsing.quoted_short(likely))
    return chance


def pay(draft: GameDraft, node: int, given: str | Sequence[object]) -> Next:
    """What an end is worth to the players: typed in one line, or one after another; None where it is not said yet."""
    if acts(draft.places[node].actor):
        raise RefusedError("sketch.refused.no_end")
    if isinstance(given, str):
        worth: tuple[object, ...] = input_parsing.payoffs(given, draft.seats) if given.strip() else (None,) * draft.seats
    else:
        if len(given) != draft.seats:
            raise RefusedError(
                "sketch.refused.payoffs", text=", ".join(map(input_parsing.quoted_short, given)), example=input_parsing.example(draft.seats)
            )
        worth = tuple([None if one is None else input_parsing.number(one) for one in given])
    pen = Pen(draft)
    pen.change(node, worth=worth)
    return pen.done(), node


def hand_over(draft: GameDraft, node: int, actor: int) -> Next:
    """Let another player act at a place, and wherever that one cannot tell it apart; or chance, or a player instead of chance."""
    place, pen = draft.places[node], Pen(draft)
    if place.actor == OVER:
        raise RefusedError("sketch.refused.nobody")
    if actor != CHANCE:
        draft.a_player(actor)
    if actor == place.actor:
        return draft, node
    if actor == CHANCE:
        if len(draft.members(node)) > 1:
            raise RefusedError("sketch.refused.chance_joined")
        moves = draft.moves(node)
        pen.change(node, actor=CHANCE, known=-1, moves=moves, likely=(None,) * len(moves))
    elif place.actor == CHANCE:
        pen.change(node, actor=actor, known=pen.a_set(DrawnSet(actor, "", place.moves)), moves=(), likely=())
    else:
        pen.sets[place.known] = draft.sets[place.known]._replace(seat=actor)
        for one in draft.members(node):
            pen.change(one, actor=actor)
    return pen.done(), node


def know(draft: GameDraft, node: int, label: object) -> Next:
    """Say what a player knows at a place: what its information set is called; nothing: it has no name."""
    place = draft.places[node]
    if place.known < 0:
        raise RefusedError("sketch.refused.nobody")
    pen = Pen(draft)
    pen.sets[place.known] = draft.sets[place.known]._replace(label=input_parsing.name(label, empty=True))
    return pen.done(), node


def paste(draft: GameDraft, node: int, whence: GameDraft, top: int, *, joined: bool = False) -> Next:
    """Draw a copy of a branch at an end; `joined`: so that the players cannot tell it from the first.

    >>> draft, new = add_move(GameDraft(), 0, "in")
    >>> draft, _ = add_move(draft, 0, "out")
    >>> draft, _ = add_move(draft, new, "fight")
    >>> draft, _ = paste(draft, draft.places[0].below[1], draft, new, joined=True)
    >>> [draft.members(one) for one in draft.places[0].below]
    [[1, 3], [1, 3]]
    """
    if acts(draft.places[node].actor):
        raise RefusedError("sketch.refused.no_room")
    seat = max(whence.places[one].actor for one in whence.order(top))
    if seat >= draft.seats:
        raise RefusedError("sketch.refused.players", count=seat + 1)
    pen = Pen(draft)
    pen.copy(whence, top, node, joined=joined)
    return pen.done(), node


# What else there is to it
def _free_name(taken: Sequence[str]) -> str:
    """What a branch is called of which nobody has said it: the first letter that is free."""
    letters = (letter * times for times in range(1, 60) for letter in ascii_lowercase)
    return next(one for one in letters if one not in taken)


def _new_name(others: Sequence[str], move: object) -> str:
    said = input_parsing.name(move)
    if said in others:
        raise RefusedError("sketch.refused.twice", move=said)
    return said


def _next_seat(draft: GameDraft, node: int) -> int:
    """Who probably acts at an end: whoever acts already where one came from by the other branches; else the player after the last."""
    up = draft.places[node].up
    while up >= 0:
        place = draft.places[up]
        beside = [draft.places[one].actor for one in place.below if draft.places[one].actor >= 0]
        if beside and draft.places[node].up == up:
            return beside[0]
        if place.actor >= 0:
            return (place.actor + 1) % draft.seats
        up = place.up
    return 0


def _reorder(pen: Pen, node: int, order: Sequence[int]) -> None:
    """Let what follows a place stand in another order."""
    place = pen.places[node]
    pen.change(node, below=tuple([place.below[one] for one in order]))
    if place.moves:
        pen.change(node, moves=tuple([place.moves[one] for one in order]), likely=tuple([place.likely[one] for one in order]))


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
