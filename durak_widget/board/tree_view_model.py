"""What the page is told of a tree: where everything lies that is shown, and what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from durak_widget.board.fanned import fan
from durak_widget.board.lanes import lanes
from durak_widget.board.lay import lay
from durak_widget.gametheory.tree import CHANCE, OVER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.board.tree_expansion import Unfolded
    from durak_widget.board.tree_wording import Names

Drawing = dict[str, Any]


def nodes_of(unfolded: Unfolded, names: Names) -> Drawing:
    """All that is shown, as columns; and what is said of the information sets, of chance and of the ends among it.

    >>> from durak_widget.board.tree_wording import Names
    >>> from durak_widget.board.tree_expansion import Unfolded
    >>> from durak_widget.analysis import End, Turn, grow
    >>> places = {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}
    >>> tree = grow("", places.__getitem__, seats=2)
    >>> told = nodes_of(Unfolded(tree), Names(tree))
    >>> told["nodes"]["row"], told["ends"], told["sets"]
    ([0.5, 0.0, 1.0], {'0': ['1', '-1'], '1': ['0', '0']}, {'0': {'said': '?', 'moves': [{'said': 'l'}, {'said': 'r'}]}})
    """
    tree, shown = unfolded.tree, unfolded.shown
    laid = lay(unfolded)
    actor = [tree.actor[one] for one in shown]
    info = [tree.info[one] for one in shown]
    met: dict[int, list[int]] = {}
    for place, (who, known) in enumerate(zip(actor, info, strict=True)):
        if who >= 0:
            met.setdefault(known, []).append(place)
    fanned = fan(unfolded)
    joined = {known: places for known, places in met.items() if len(places) > 1}
    return {
        "size": {"histories": tree.histories, "shown": len(shown), "levels": laid.levels, "rows": laid.rows},
        "nodes": {
            "id": list(shown),
            "up": laid.up,
            "level": laid.level,
            "row": laid.row,
            "actor": actor,
            "info": info,
            "more": [unfolded.more(one) for one in shown],
            "at": [one - tree.first[tree.parent[one]] if one else 0 for one in shown],
        },
        "sets": {str(known): {"said": names.known(known), "moves": names.moves(known)} for known in met},
        "chances": {str(known): {"moves": names.drawn(known)} for known in _of(CHANCE, actor, info)},
        "ends": {str(known): names.worth(known) for known in _of(OVER, actor, info)},
        "joined": list(joined.values()),
        "lanes": [one.told() for one in lanes(list(joined.values()), laid.level, laid.row, [names.known(known) for known in joined])],
        **({} if fanned is None else {"fan": fanned._asdict()}),
    }


def _of(who: int, actor: Sequence[int], info: Sequence[int]) -> dict[int, None]:
    """What is known where that one acts, each once."""
    return dict.fromkeys(known for acts, known in zip(actor, info, strict=True) if acts == who)


def crumbs(names: Names, at: int) -> list[dict[str, Any]]:
    """The way from the root to a history."""
    way, here = list[dict[str, Any]](), at
    while here >= 0:
        way.append({"id": here, **names.branch(here)})
        here = names.tree.parent[here]
    return way[::-1]


def found_of(unfolded: Unfolded, text: str, found: Mapping[int, int], at: int) -> Drawing | None:
    """What was looked for: those of the histories found that are shown, how many there are in all, and which of them one looks at, from 1."""
    if not text:
        return None
    return {"text": text, "ids": [one for one in unfolded.shown if one in found], "count": len(found), "place": found.get(at, -1) + 1}
