"""What information sets are called in a sentence: by their labels, and without one by the moves that lead there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.gametheory.player_labels import player_named

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.gametheory.tree import Tree

LONGEST: Final = 4
"""So many moves of a way are said."""


def set_named(tree: Tree, place: int) -> str:
    """Return whose information set that is, and which: by its label, or by the moves that lead there.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> set_named(textbook("entry"), 1)
    'Chain store (after an entry)'
    """
    player = player_named(tree.names, tree.sets[place].seat)
    known = name_of_set(tree, place)
    return f"{player} ({known})" if known else player


def place_quoted(tree: Tree, place: int) -> str:
    """Return which information set that is, in the middle of a sentence about its player.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> place_quoted(textbook("entry"), 1)
    "'after an entry'"
    """
    label = tree.sets[place].label
    return repr(label) if label.strip() else f"the choice {name_of_set(tree, place) or 'at the start'}"


def move_named(tree: Tree, place: int, move: int) -> str:
    """Return what a move is called: by its number if it has no name.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> move_named(textbook("entry"), 1, 0)
    'share'
    """
    return tree.sets[place].moves[move].strip() or str(move + 1)


def name_of_set(
    tree: Tree,
    place: int,
    known: Callable[[int], str] | None = None,
    move_to: Callable[[int], str] | None = None,
    after: Callable[[str], str] = "after {}".format,
) -> str:
    """Return what tells an information set from the others of its player: its label, else the moves that lead there; nothing where it is the only one, or the beginning.

    `known` says what a label is called, `move_to` what the move to a history is called, and `after` how moves that lead there are said.

    >>> from durak_widget.gametheory.tree import Draw, End, Turn, grow
    >>> places = {"": Draw([("good", "1/2", "g"), ("bad", "1/2", "b")]), "g": Turn(0, 1, [("offer", "1"), ("refuse", "1")]), "b": Turn(0, 2, [("offer", "1"), ("refuse", "1")]), "1": End((1, 0))}
    >>> tree = grow("", places.__getitem__, seats=2, say=lambda _, __: "")
    >>> name_of_set(tree, 0), name_of_set(tree, 1)
    ('after good', 'after bad')
    """
    known = known or (lambda one: " ".join(tree.sets[one].label.split()))
    move_to = move_to or (lambda history: tree.move_to(history).strip() or str(history - tree.first[tree.parent[history]] + 1))
    label = known(place)
    others = [other for other, one in enumerate(tree.sets) if one.seat == tree.sets[place].seat and other != place]
    if not others or (label and all(known(other) != label for other in others)):
        return label
    alike = [other for other in others if known(other) == label] if label else others
    homes: dict[int, list[int]] = {one: [] for one in (place, *alike)}
    for here, actor in enumerate(tree.actor):
        if actor >= 0 and tree.info[here] in homes:
            homes[tree.info[here]].append(here)
    theirs = [_by_ways(tree, homes[other], move_to) for other in alike]
    own = _by_ways(tree, homes[place], move_to)
    said = next((name for at, name in enumerate(own) if all(one[at] != name for one in theirs)), None)
    if said is None:  # moves of one name lead there
        return f"{label or own[0]} (no. {place + 1})".strip()
    way = after(said) if said else ""
    return f"{label} ({way})" if label and way else label or way


def _by_ways(tree: Tree, histories: Sequence[int], move_to: Callable[[int], str]) -> tuple[str, str, str]:
    """What leads to the histories of an information set: the moves that lie on all ways there, the last of them; all of them; and all of the ways."""
    ways = list[list[str]]()
    for here in histories:
        way, above = list[str](), here
        while above > 0:
            way.append(move_to(above))
            above = tree.parent[above]
        ways.append(way[::-1])
    each = " / ".join(", ".join(way) for way in ways)
    common = [move for move in ways[0] if all(move in way for way in ways)]
    if not common:
        return each, each, each
    return ", ".join(common if len(common) <= LONGEST else ["…", *common[1 - LONGEST :]]), ", ".join(common), each
