"""Formats the names of information sets and actions for use in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.gametheory.player_labels import format_player_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.gametheory.tree import Tree

MAX_SHOWN_ACTIONS: Final = 4
"""The maximum number of actions that the description of a path lists."""


def format_infoset(tree: Tree, infoset: int) -> str:
    """Return the player's name and the label of an information set.

    If the label is empty, the actions that lead to the information set replace it.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> format_infoset(textbook("entry"), 1)
    'Chain store (after an entry)'
    """
    player_name = format_player_name(tree.names, tree.infosets[infoset].player)
    infoset_name = build_infoset_name(tree, infoset)
    return f"{player_name} ({infoset_name})" if infoset_name else player_name


def quote_infoset(tree: Tree, infoset: int) -> str:
    """Return an information set's label in quotes, or a description if the label is empty.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> quote_infoset(textbook("entry"), 1)
    "'after an entry'"
    """
    label = tree.infosets[infoset].label
    return repr(label) if label.strip() else f"the choice {build_infoset_name(tree, infoset) or 'at the start'}"


def format_action(tree: Tree, infoset: int, action: int) -> str:
    """Return the label of an action; for an empty label, return the action's number (from 1).

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> format_action(textbook("entry"), 1, 0)
    'share'
    """
    return tree.infosets[infoset].actions[action].strip() or str(action + 1)


def build_infoset_name(
    tree: Tree,
    infoset: int,
    get_label: Callable[[int], str] | None = None,
    get_action: Callable[[int], str] | None = None,
    format_path: Callable[[str], str] = "after {}".format,
) -> str:
    """Return a name that distinguishes an information set from others of the same player.

    The name is the label, or else the actions that lead to the information set. It is empty if the player has no
    other information set, or if the information set is at the root. `get_label` returns the label of an information
    set, `get_action` the label of the action that leads to a node, and `format_path` puts a path into words.

    >>> from durak_widget.gametheory.tree import ChanceNode, TerminalNode, DecisionNode, build_tree
    >>> nodes = {"": ChanceNode([("good", "1/2", "g"), ("bad", "1/2", "b")]), "g": DecisionNode(0, 1, [("offer", "1"), ("refuse", "1")]), "b": DecisionNode(0, 2, [("offer", "1"), ("refuse", "1")]), "1": TerminalNode((1, 0))}
    >>> tree = build_tree("", nodes.__getitem__, player_count=2, label_infoset=lambda _, __: "")
    >>> build_infoset_name(tree, 0), build_infoset_name(tree, 1)
    ('after good', 'after bad')
    """
    get_label = get_label or (lambda index: " ".join(tree.infosets[index].label.split()))
    get_action = get_action or (lambda node: tree.last_action(node).strip() or str(node - tree.first_child[tree.parent[node]] + 1))
    label = get_label(infoset)
    other_infosets = [
        other for other, record in enumerate(tree.infosets) if record.player == tree.infosets[infoset].player and other != infoset
    ]
    if not other_infosets or (label and all(get_label(other) != label for other in other_infosets)):
        return label
    same_label = [other for other in other_infosets if get_label(other) == label] if label else other_infosets
    nodes_of: dict[int, list[int]] = {key: [] for key in (infoset, *same_label)}
    for node, actor in enumerate(tree.actor):
        if actor >= 0 and tree.infoset_of[node] in nodes_of:
            nodes_of[tree.infoset_of[node]].append(node)
    other_descriptions = [_describe_paths(tree, nodes_of[other], get_action) for other in same_label]
    descriptions = _describe_paths(tree, nodes_of[infoset], get_action)
    path = next(
        (
            candidate
            for position, candidate in enumerate(descriptions)
            if all(description[position] != candidate for description in other_descriptions)
        ),
        None,
    )
    if path is None:  # The paths to both information sets have the same action names, so only a number can distinguish the sets
        return f"{label or descriptions[0]} (no. {infoset + 1})".strip()
    path_text = format_path(path) if path else ""
    return f"{label} ({path_text})" if label and path_text else label or path_text


def _describe_paths(tree: Tree, nodes: Sequence[int], get_action: Callable[[int], str]) -> tuple[str, str, str]:
    """Return three descriptions of the paths to an information set, the shortest first.

    The three descriptions are: the last actions that all paths have in common, all actions that they have in common,
    and all paths.
    """
    paths = list[list[str]]()
    for node in nodes:
        path, ancestor = list[str](), node
        while ancestor > 0:
            path.append(get_action(ancestor))
            ancestor = tree.parent[ancestor]
        paths.append(path[::-1])
    all_paths = " / ".join(", ".join(path) for path in paths)
    common = [action for action in paths[0] if all(action in path for path in paths)]
    if not common:
        return all_paths, all_paths, all_paths
    return ", ".join(common if len(common) <= MAX_SHOWN_ACTIONS else ["…", *common[1 - MAX_SHOWN_ACTIONS :]]), ", ".join(common), all_paths
