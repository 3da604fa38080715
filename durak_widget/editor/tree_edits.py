"""All edits of a tree draft: branches, chance moves, payoffs, information sets, players.

Each edit takes a draft and returns the next draft with the node to show. An impossible edit is refused with a
sentence that says why. Nodes that a player can't distinguish are joined to an information set, and split from it
again.
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
"""The number of players with a sign and a color of their own."""
Next = tuple[GameDraft, int]


def add_move(draft: GameDraft, node: int, move: object = None, seat: int | None = None) -> Next:
    """Add a branch; at a terminal node its first branch, for this player.

    At a decision node the branch is added at all nodes of the information set.

    >>> draft, new = add_move(GameDraft(), 0, "bet")
    >>> draft, _ = add_move(draft, 0)
    >>> draft.moves(0), new, draft.places[0].below
    (('bet', 'a'), 1, (1, 3))
    """
    record, pen = draft.places[node], Pen(draft)
    label = _free_name(draft.moves(node)) if move is None else _new_name(draft.moves(node), move)
    if record.actor == OVER:
        actor = _next_seat(draft, node) if seat is None else draft.a_player(seat)
        child = pen.grow(node)
        pen.change(node, actor=actor, known=pen.a_set(DrawnSet(actor, "", (label,))), worth=())
        return pen.done(), child
    if record.actor == CHANCE:
        child = pen.grow(node)
        pen.change(node, moves=(*record.moves, label), likely=(*record.likely, None))
        return pen.done(), child
    infoset_record = draft.sets[record.known]
    pen.sets[record.known] = infoset_record._replace(moves=(*infoset_record.moves, label))
    children = {member: pen.grow(member) for member in draft.members(node)}
    return pen.done(), children[node]


def add_chance(draft: GameDraft, node: int) -> Next:
    """Let chance act at a node.

    A terminal node gets two branches, a chance node gets one more, and the branches of a player become chance moves.
    """
    record = draft.places[node]
    if record.actor == CHANCE:
        return add_move(draft, node)
    if record.actor >= 0:
        return hand_over(draft, node, CHANCE)
    pen = Pen(draft)
    first, _ = pen.grow(node), pen.grow(node)
    pen.change(node, actor=CHANCE, moves=("a", "b"), likely=(None, None), worth=())
    return pen.done(), first


def remove(draft: GameDraft, node: int) -> Next:
    """Remove the branch that leads to a node, with all that follows; at the root, remove all.

    The action is removed at all nodes of the information set.
    """
    pen, parent = Pen(draft), draft.places[node].up
    if node == ROOT:
        pen.end(ROOT)
        return pen.done(), ROOT
    index, infoset = draft.places[parent].below.index(node), draft.places[parent].known
    if infoset >= 0:
        actions = draft.sets[infoset].moves
        pen.sets[infoset] = draft.sets[infoset]._replace(moves=actions[:index] + actions[index + 1 :])
    for member in draft.members(parent):
        if member in pen.places:  # with imperfect recall, one member may have followed another
            pen.drop(index, member)
    return pen.done(), top_of(draft, node)


def cut_out(draft: GameDraft, node: int) -> Next:
    """Remove all that follows a node, which becomes terminal."""
    pen = Pen(draft)
    pen.end(node)
    return pen.done(), node


def rename(draft: GameDraft, node: int, move: object) -> Next:
    """Rename the action that leads to a node, at all nodes of the information set."""
    parent = draft.places[node].up
    if node == ROOT:
        raise RefusedError("sketch.refused.root")
    index, actions = draft.places[parent].below.index(node), draft.moves(parent)
    label = _new_name(actions[:index] + actions[index + 1 :], move)
    pen, record = Pen(draft), draft.places[parent]
    renamed = (*actions[:index], label, *actions[index + 1 :])
    if record.actor == CHANCE:
        pen.change(parent, moves=renamed)
    else:
        pen.sets[record.known] = draft.sets[record.known]._replace(moves=renamed)
    return pen.done(), node


def shift(draft: GameDraft, node: int, by: int) -> Next:
    """Move a branch by some positions among its siblings; negative numbers move it back."""
    parent = draft.places[node].up
    if node == ROOT:
        raise RefusedError("sketch.refused.root")
    index, count = draft.places[parent].below.index(node), len(draft.places[parent].below)
    target = max(0, min(index + by, count - 1))
    order = [other for other in range(count) if other != index]
    order.insert(target, index)
    pen = Pen(draft)
    infoset = draft.places[parent].known
    if infoset >= 0:
        pen.sets[infoset] = draft.sets[infoset]._replace(moves=tuple([draft.sets[infoset].moves[position] for position in order]))
    for member in draft.members(parent):
        _reorder(pen, member, order)
    return pen.done(), node


def set_likely(draft: GameDraft, node: int, likely: object) -> Next:
    """Set the probability of a chance move; if empty, it shares the rest with other moves."""
    parent = draft.places[node].up
    if node == ROOT or draft.places[parent].actor != CHANCE:
        raise RefusedError("sketch.refused.no_chance")
    blank = likely is None or (isinstance(likely, str) and not likely.strip())
    parsed = None if blank else _chance(likely)
    index, siblings = draft.places[parent].below.index(node), draft.places[parent].likely
    pen = Pen(draft)
    pen.change(parent, likely=(*siblings[:index], parsed, *siblings[index + 1 :]))
    return pen.done(), node


def _chance(likely: object) -> Fraction:
    """Return a probability, which may also be typed as a product."""
    parsed = input_parsing.number(likely)
    if not 0 <= parsed <= 1:
        raise RefusedError("board.refused.probability", text=input_parsing.quoted_short(likely))
    return parsed


def pay(draft: GameDraft, node: int, given: str | Sequence[object]) -> Next:
    """Set the payoffs of a terminal node, typed in one line or given as a list.

    A payoff that is None is not known yet.
    """
    if acts(draft.places[node].actor):
        raise RefusedError("sketch.refused.no_end")
    if isinstance(given, str):
        parsed: tuple[object, ...] = input_parsing.payoffs(given, draft.seats) if given.strip() else (None,) * draft.seats
    else:
        if len(given) != draft.seats:
            raise RefusedError(
                "sketch.refused.payoffs", text=", ".join(map(input_parsing.quoted_short, given)), example=input_parsing.example(draft.seats)
            )
        parsed = tuple([None if payoff is None else input_parsing.number(payoff) for payoff in given])
    pen = Pen(draft)
    pen.change(node, worth=parsed)
    return pen.done(), node


def hand_over(draft: GameDraft, node: int, actor: int) -> Next:
    """Let another player, or chance, act at a node.

    The player changes at all nodes of the information set.
    """
    record, pen = draft.places[node], Pen(draft)
    if record.actor == OVER:
        raise RefusedError("sketch.refused.nobody")
    if actor != CHANCE:
        draft.a_player(actor)
    if actor == record.actor:
        return draft, node
    if actor == CHANCE:
        if len(draft.members(node)) > 1:
            raise RefusedError("sketch.refused.chance_joined")
        actions = draft.moves(node)
        pen.change(node, actor=CHANCE, known=-1, moves=actions, likely=(None,) * len(actions))
    elif record.actor == CHANCE:
        pen.change(node, actor=actor, known=pen.a_set(DrawnSet(actor, "", record.moves)), moves=(), likely=())
    else:
        pen.sets[record.known] = draft.sets[record.known]._replace(seat=actor)
        for member in draft.members(node):
            pen.change(member, actor=actor)
    return pen.done(), node


def know(draft: GameDraft, node: int, label: object) -> Next:
    """Set the label of the information set of a node; an empty label removes it."""
    record = draft.places[node]
    if record.known < 0:
        raise RefusedError("sketch.refused.nobody")
    pen = Pen(draft)
    pen.sets[record.known] = draft.sets[record.known]._replace(label=input_parsing.name(label, empty=True))
    return pen.done(), node


def paste(draft: GameDraft, node: int, whence: GameDraft, top: int, *, joined: bool = False) -> Next:
    """Copy a branch to a terminal node.

    If `joined` is true, the players can't distinguish the copy from the original.

    >>> draft, new = add_move(GameDraft(), 0, "in")
    >>> draft, _ = add_move(draft, 0, "out")
    >>> draft, _ = add_move(draft, new, "fight")
    >>> draft, _ = paste(draft, draft.places[0].below[1], draft, new, joined=True)
    >>> [draft.members(child) for child in draft.places[0].below]
    [[1, 3], [1, 3]]
    """
    if acts(draft.places[node].actor):
        raise RefusedError("sketch.refused.no_room")
    max_player = max(whence.places[copied].actor for copied in whence.order(top))
    if max_player >= draft.seats:
        raise RefusedError("sketch.refused.players", count=max_player + 1)
    pen = Pen(draft)
    pen.copy(whence, top, node, joined=joined)
    return pen.done(), node


def _free_name(taken: Sequence[str]) -> str:
    """Return a name for a new branch: the first free letter."""
    names = (letter * times for times in range(1, 60) for letter in ascii_lowercase)
    return next(name for name in names if name not in taken)


def _new_name(others: Sequence[str], move: object) -> str:
    label = input_parsing.name(move)
    if label in others:
        raise RefusedError("sketch.refused.twice", move=label)
    return label


def _next_seat(draft: GameDraft, node: int) -> int:
    """Guess the player to act at a terminal node.

    It is the player who acts after a sibling branch, or else the one after the last player.
    """
    ancestor = draft.places[node].up
    while ancestor >= 0:
        record = draft.places[ancestor]
        sibling_actors = [draft.places[child].actor for child in record.below if draft.places[child].actor >= 0]
        if sibling_actors and draft.places[node].up == ancestor:
            return sibling_actors[0]
        if record.actor >= 0:
            return (record.actor + 1) % draft.seats
        ancestor = record.up
    return 0


def _reorder(pen: Pen, node: int, order: Sequence[int]) -> None:
    """Put the branches of a node into another order."""
    record = pen.places[node]
    pen.change(node, below=tuple([record.below[index] for index in order]))
    if record.moves:
        pen.change(node, moves=tuple([record.moves[index] for index in order]), likely=tuple([record.likely[index] for index in order]))


def join(draft: GameDraft, one: int, other: int) -> Next:
    """Join the information sets of two nodes; a terminal node gets the actions of the other.

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
    first_record, second_record = draft.sets[first.known], draft.sets[second.known]
    if sorted(first_record.moves) != sorted(second_record.moves) or (
        first_record.moves != second_record.moves and len({*first_record.moves}) < len(first_record.moves)
    ):
        raise RefusedError(
            "sketch.refused.join_moves",
            one=_listed(first_record.moves),
            other=_listed(second_record.moves),
            player=draft.player(first.actor),
        )
    pen = Pen(draft)
    order = [second_record.moves.index(action) for action in first_record.moves] if first_record.moves != second_record.moves else None
    for member in draft.members(other):
        children = draft.places[member].below
        pen.change(member, known=first.known, below=children if order is None else tuple([children[index] for index in order]))
    if not first_record.label and second_record.label:
        pen.sets[first.known] = first_record._replace(label=second_record.label)
    return pen.done(), other


def part(draft: GameDraft, node: int) -> Next:
    """Give a node an information set of its own."""
    record = draft.places[node]
    if len(draft.members(node)) < 2:
        raise RefusedError("sketch.refused.alone")
    pen = Pen(draft)
    pen.change(node, known=pen.a_set(draft.sets[record.known]._replace(label="")))
    return pen.done(), node


def _grown(draft: GameDraft, end: int, other: int) -> Next:
    """Draw the actions of a node at a terminal node, and join it to the information set."""
    pen, record = Pen(draft), draft.places[other]
    pen.change(end, actor=record.actor, known=record.known, worth=())
    for _ in record.below:
        pen.grow(end)
    return pen.done(), end


def _listed(moves: tuple[str, ...]) -> str:
    return ", ".join(map(plain_name, moves))


def name_player(draft: GameDraft, seat: int, name: object) -> GameDraft:
    """Rename a player; an empty name brings the numbered name back.

    >>> from durak_widget.editor.tree_draft import GameDraft
    >>> name_player(GameDraft(), 1, "Bob").names
    ('Player 1', 'Bob')
    """
    new_name = input_parsing.name(name, empty=True) or default_name(seat)
    return alone(draft, names=(*draft.names[:seat], new_name, *draft.names[seat + 1 :]))


def add_player(draft: GameDraft, name: object = "") -> GameDraft:
    """Add a player, without payoffs yet."""
    if draft.seats >= MOST_PLAYERS:
        raise RefusedError("sketch.refused.most_players", count=MOST_PLAYERS)
    draft = alone(draft, names=(*draft.names, default_name(draft.seats)))
    pen = Pen(draft)
    for node, record in draft.places.items():
        if record.actor == OVER:
            pen.change(node, worth=(*record.worth, None))
    return name_player(pen.done(), draft.seats - 1, name)


def drop_player(draft: GameDraft, seat: int) -> GameDraft:
    """Remove a player who acts at no node.

    >>> from durak_widget.editor.tree_draft import GameDraft
    >>> drop_player(GameDraft(), 0).names
    ('Player 1',)
    """
    if draft.seats == 1:
        raise RefusedError("sketch.refused.last_player")
    if any(record.seat == seat for record in draft.sets.values()):
        raise RefusedError("sketch.refused.acts", player=draft.player(seat))
    remaining = [other for other in range(draft.seats) if other != seat]
    names = [
        default_name(new_player) if is_unnamed(draft.names[old_player], old_player) else draft.names[old_player]
        for new_player, old_player in enumerate(remaining)
    ]
    pen = Pen(alone(draft, names=tuple(names)))
    for infoset, infoset_record in draft.sets.items():
        pen.sets[infoset] = infoset_record._replace(seat=infoset_record.seat - (infoset_record.seat > seat))
    for node, node_record in draft.places.items():
        if node_record.actor == OVER:
            pen.change(node, worth=tuple([node_record.worth[other] for other in remaining]))
        elif node_record.actor > seat:
            pen.change(node, actor=node_record.actor - 1)
    return pen.done()


def call(draft: GameDraft, title: object) -> GameDraft:
    """Set the title of the game."""
    return alone(draft, title=input_parsing.name(title, empty=True))
