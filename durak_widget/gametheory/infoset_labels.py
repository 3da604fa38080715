"""Formats information sets and actions for sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.gametheory.player_labels import player_named

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.gametheory.tree import Tree

LONGEST: Final = 4
"""The number of actions of a path that are listed."""


def set_named(tree: Tree, place: int) -> str:
    """Return the player and the label of an information set.

    Without a label, the actions that lead there stand in its place.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> set_named(textbook("entry"), 1)
    'Chain store (after an entry)'
    """
    player_name = player_named(tree.names, tree.sets[place].seat)
    infoset_name = name_of_set(tree, place)
    return f"{player_name} ({infoset_name})" if infoset_name else player_name


def place_quoted(tree: Tree, place: int) -> str:
    """Return an information set as it is called within a sentence about its player.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> place_quoted(textbook("entry"), 1)
    "'after an entry'"
    """
    label = tree.sets[place].label
    return repr(label) if label.strip() else f"the choice {name_of_set(tree, place) or 'at the start'}"


def move_named(tree: Tree, place: int, move: int) -> str:
    """Return the label of an action, or its number if it has none.

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
    """Return the name that distinguishes an information set from others of its player.

    This is its label, or else the actions that lead there. It is empty if the player has no other information set,
    or if it is the root. `known` returns the label of an information set, `move_to` the label of the action that leads
    to a node, and `after` puts a path into words.

    >>> from durak_widget.gametheory.tree import Draw, End, Turn, grow
    >>> nodes = {"": Draw([("good", "1/2", "g"), ("bad", "1/2", "b")]), "g": Turn(0, 1, [("offer", "1"), ("refuse", "1")]), "b": Turn(0, 2, [("offer", "1"), ("refuse", "1")]), "1": End((1, 0))}
    >>> tree = grow("", nodes.__getitem__, seats=2, say=lambda _, __: "")
    >>> name_of_set(tree, 0), name_of_set(tree, 1)
    ('after good', 'after bad')
    """
    known = known or (lambda index: " ".join(tree.sets[index].label.split()))
    move_to = move_to or (lambda node: tree.move_to(node).strip() or str(node - tree.first[tree.parent[node]] + 1))
    label = known(place)
    others = [other for other, record in enumerate(tree.sets) if record.seat == tree.sets[place].seat and other != place]
    if not others or (label and all(known(other) != label for other in others)):
        return label
    same_label = [other for other in others if known(other) == label] if label else others
    nodes_of: dict[int, list[int]] = {key: [] for key in (place, *same_label)}
    for node, actor in enumerate(tree.actor):
        if actor >= 0 and tree.info[node] in nodes_of:
            nodes_of[tree.info[node]].append(node)
    other_descriptions = [_by_ways(tree, nodes_of[other], move_to) for other in same_label]
    descriptions = _by_ways(tree, nodes_of[place], move_to)
    path = next(
        (
            candidate
            for position, candidate in enumerate(descriptions)
            if all(description[position] != candidate for description in other_descriptions)
        ),
        None,
    )
    if path is None:  # actions of the same name lead to both
        return f"{label or descriptions[0]} (no. {place + 1})".strip()
    path_text = after(path) if path else ""
    return f"{label} ({path_text})" if label and path_text else label or path_text


def _by_ways(tree: Tree, histories: Sequence[int], move_to: Callable[[int], str]) -> tuple[str, str, str]:
    """Return three descriptions of the paths to the nodes of an information set.

    The last of the actions on all paths, all actions that are on all paths, and all paths.
    """
    paths = list[list[str]]()
    for node in histories:
        path, ancestor = list[str](), node
        while ancestor > 0:
            path.append(move_to(ancestor))
            ancestor = tree.parent[ancestor]
        paths.append(path[::-1])
    all_paths = " / ".join(", ".join(path) for path in paths)
    common = [action for action in paths[0] if all(action in path for path in paths)]
    if not common:
        return all_paths, all_paths, all_paths
    return ", ".join(common if len(common) <= LONGEST else ["…", *common[1 - LONGEST :]]), ", ".join(common), all_paths
