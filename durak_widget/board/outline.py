"""A tree in words: an outline for a terminal and for screen readers, and all that there is to say of one history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.analysis.node_positions import game_of
from durak_widget.engine.narration import deed
from durak_widget.gametheory.tree import CHANCE, OVER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.board.tree_wording import Names

_MOST: Final = 200
"""So many lines an outline has at most."""


def outline(drawing: Mapping[str, Any], solution: Mapping[str, Any], names: Names, most: int = _MOST) -> str:
    """What is open of a tree, a line for each history, what follows it set in; with the numbers by which code can name them.

    >>> from durak_widget.analysis import End, Tree, Turn, grow
    >>> tree = grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> print(Tree(tree))
    Places: 3, all shown.
    [0] Player 1 (?)
      [1] l: the end, 1, -1
      [2] r: the end, 0, 0
    """
    say, nodes, size = names.spoken.say, drawing["nodes"], drawing["size"]
    key = "tree.size.all" if size["shown"] == size["histories"] else "tree.size"
    head = say(key, count=size["histories"], shown=size["shown"])
    lines = [f"{drawing['title']}. {head}" if drawing["title"] else head, *solution.get("said", [])]
    shown = range(min(len(nodes["id"]), most))
    lines += ["  " * nodes["level"][place] + _line(drawing, solution, names, place) for place in shown]
    if len(nodes["id"]) > most:
        lines.append(say("tree.and_more", count=len(nodes["id"]) - most))
    return "\n".join(lines)


def beginning(said: str, lines: int = 40) -> str:
    """The first lines of an outline: what is read aloud of a picture."""
    return "\n".join(said.split("\n")[:lines])


def _line(drawing: Mapping[str, Any], solution: Mapping[str, Any], names: Names, place: int) -> str:
    nodes = drawing["nodes"]
    up, actor, info, more, history = (nodes[name][place] for name in ("up", "actor", "info", "more", "id"))
    labels = drawing.get("labels", {"nodes": {}, "branches": {}})
    branch = list[str]()
    if up >= 0:
        at, before = nodes["at"][place], str(nodes["info"][up])
        if nodes["actor"][up] == CHANCE:
            told = drawing["chances"][before]["moves"][at]
            branch = [told["said"], told["likely"]]
        else:
            branch = [
                drawing["sets"][before]["moves"][at]["said"],
                *([solution["likely"][before][at]] if before in solution.get("likely", {}) else []),
            ]
        branch += labels["branches"].get(str(history), [])
    if actor == OVER:
        node = [names.spoken.say("tree.end"), *drawing["ends"][str(info)]]
    elif actor == CHANCE:
        node = [names.spoken.say("tree.chance")]
    else:
        known = drawing["sets"][str(info)]["said"]
        node = [f"{drawing['seats'][actor]} ({known})" if known else drawing["seats"][actor]]
    value = (solution.get("value") or {place: None})[place]
    if value and actor != OVER:
        node.append(names.spoken.say("tree.value", value=", ".join(value)))
    node += labels["nodes"].get(str(history), [])
    if more:
        node.append(f"+{more}")
    return f"[{history}] {', '.join(branch)}{': ' if branch else ''}{', '.join(node)}"


def detail(names: Names, history: int, alike: int) -> str:
    """All that there is to say of a history: who acts, what that seat knows, with what it cannot tell it apart, and how it came about."""
    tree, say = names.tree, names.spoken.say
    who, info = tree.actor[history], tree.info[history]
    if who == OVER:
        said = [say("tree.at_end", worth=", ".join(f"{seat} {one}" for seat, one in zip(names.seats, names.worth(info), strict=True)))]
    elif who == CHANCE:
        said = [say("tree.at_chance")]
    else:
        facts = {"seat": names.seats[who], "known": names.known(info)}
        said = [say("tree.at_seat" if facts["known"] else "tree.at_seat.plain", **facts)]
        if alike > 1:
            said.append(say("tree.alike", count=alike, seat=names.seats[who]))
    way = []
    here = history
    while here > 0:
        way.append(names.branch(here)["said"])
        here = tree.parent[here]
    if names.durak and who != CHANCE:
        course = game_of(tree, history).course
        if course:
            said.append(say("tree.played", deeds=" ".join(deed(played, names.spoken) for played in course)))
    elif way:
        said.append(say("tree.way", way="; ".join(way[::-1])))
    return " ".join(said)
