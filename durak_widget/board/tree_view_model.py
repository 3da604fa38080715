"""Builds the view model of a tree: positions and texts of the shown nodes, as columns.

It packs the columns as bytes for the page and sends each move only once, however many information sets have
it. It also searches the whole tree for a text, folded parts included: in moves, in what players know, and in
payoffs.
"""

from __future__ import annotations

import re
from array import array
from struct import pack
from typing import TYPE_CHECKING, Any, Final

from durak_widget.board.tree_layout import fan, lanes, lay
from durak_widget.cards import Card
from durak_widget.errors import CardError, quoted
from durak_widget.gametheory.tree import CHANCE, OVER, TreeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from durak_widget.board.tree_expansion import Unfolded
    from durak_widget.board.tree_wording import Names
    from durak_widget.gametheory.tree import Tree

HALVES: Final = ("row",)
"""The columns that are not of whole numbers."""
LONGEST: Final = 200
"""How long a text that is looked for may be."""
_NUMBER: Final = re.compile(r"#?(\d{1,9})")
_WORTH: Final = re.compile(r"[-+−]?\d+(/\d+|\.\d+)?")
Drawing = dict[str, Any]


def nodes_of(unfolded: Unfolded, names: Names) -> Drawing:
    """All that is shown, as columns; and what is said of the information sets, of chance and of the ends among it.

    >>> from durak_widget.board.tree_wording import Names
    >>> from durak_widget.board.tree_expansion import Unfolded
    >>> from durak_widget.gametheory import End, Turn, grow
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


def packed(nodes: Mapping[str, Any]) -> Drawing:
    """What `nodes_of` tells, as small as it is sent: a move is the number of one of `moves`, a column is little-endian int32, or float64.

    >>> told = packed({"nodes": {"id": [0, 1]}, "sets": {"4": {"said": "?", "moves": [{"said": "l"}, {"said": "l"}]}}, "chances": {}})
    >>> told["nodes"]["id"].hex(), told["moves"], told["sets"]
    ('0000000001000000', [{'said': 'l'}], {'4': ['?', 0, 0]})
    """
    moves, numbers = list[Any](), dict[str, int]()

    def numbered(all_of: Iterable[Mapping[str, Any]]) -> list[int]:
        found = []
        for move in all_of:
            key = repr(move)
            if key not in numbers:
                numbers[key] = len(moves)
                moves.append(move)
            found.append(numbers[key])
        return found

    columns = {name: pack(f"<{len(column)}{'d' if name in HALVES else 'i'}", *column) for name, column in nodes["nodes"].items()}
    sets = {key: [one["said"], *numbered(one["moves"])] for key, one in nodes["sets"].items()}
    return {**nodes, "nodes": columns, "moves": moves, "sets": sets}


class Finder:
    """Looks for texts in one tree.

    >>> from durak_widget import Rules, analysis
    >>> from durak_widget.board.tree_wording import Names
    >>> tree = analysis.build(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> finder = Finder(tree)
    >>> found = finder.find("take", Names(tree))
    >>> len(found), tree.move_to(found[0])
    (64, 'take')
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._order: array[int] | None = None

    def find(self, text: str, names: Names) -> list[int]:
        """The histories that a text names, in the order in which they are drawn: what a move leads to, where a seat knows it, an end worth that, a number."""
        if not isinstance(text, str) or len(text) > LONGEST:
            raise TreeError(
                f"what is looked for is a short text such as '9c', a move, a label or the number of a history, not {quoted(text)}"
            )
        text = text.strip()
        if not text:
            return []
        found = self._named(text, names) or self._labelled(text, names)
        order = self.order()
        return sorted(found, key=order.__getitem__)

    def order(self) -> array[int]:
        """Of each history its place in the drawing of the whole tree, each before what it leads to."""
        if self._order is None:
            tree = self.tree
            size = array("i", [1]) * tree.histories
            parent, first, count = tree.parent, tree.first, tree.count
            for here in range(tree.histories - 1, 0, -1):
                size[parent[here]] += size[here]
            order = array("i", bytes(4 * tree.histories))
            for here in range(tree.histories):
                place = order[here] + 1
                for child in range(first[here], first[here] + count[here]):
                    order[child] = place
                    place += size[child]
            self._order = order
        return self._order

    def _named(self, text: str, names: Names) -> set[int]:
        """By number, by what an end is worth, by moves."""
        found: set[int] = set()
        number = _NUMBER.fullmatch(text)
        if number is not None and int(number[1]) < self.tree.histories:
            found.add(int(number[1]))
            if text.startswith("#"):
                return found
        if _WORTH.fullmatch(text):
            wanted = text.replace("−", "-").removeprefix("+")
            found.update(self._at(OVER, [wanted in names.worth(place) for place in range(len(self.tree.payoffs))]))
        return found | self._moved(self._fits(text), names, a_card=_card(text) is not None)

    def _moved(self, fits: Callable[[str], bool], names: Names, *, a_card: bool) -> set[int]:
        """What the moves lead to that fit; a card is looked for where it is played or drawn: it lies in every deal."""
        tree, told = self.tree, dict[tuple[str, ...], list[int]]()

        def places(moves: tuple[str, ...], say: Callable[[str, int], str]) -> list[int]:
            known = told.get(moves)
            if known is None:
                known = told[moves] = [place for place, move in enumerate(moves) if fits(move) or fits(say(move, place))]
            return known

        by_set = [places(one.moves, lambda move, place: str(names.move(move, place)["said"])) for one in tree.sets]
        told = {}
        drawn = [tuple(["" if names.is_deal(move) and a_card else move for move in one.moves]) for one in tree.chances]
        by_chance = [places(moves, lambda move, place: "" if names.durak else move or str(place + 1)) for moves in drawn]
        if not any(by_set) and not any(by_chance):
            return set()
        found: set[int] = set()
        for who, info, first in zip(tree.actor, tree.info, tree.first, strict=True):
            if who != OVER:
                here = by_chance[info] if who == CHANCE else by_set[info]
                if here:
                    found.update([first + place for place in here])
        return found

    def _labelled(self, text: str, names: Names) -> set[int]:
        """Where a seat knows it: the label of its information set, as it is or as it is said."""
        fits, tree = self._fits(text), self.tree
        labels = {one.label for one in tree.sets}
        fitting = {label for label in labels if fits(label)} or {label for label in labels if fits(names.label(label))}
        return set(self._at(None, [one.label in fitting for one in tree.sets]))

    def _at(self, who: int | None, hits: Sequence[bool]) -> list[int]:
        """The histories whose place in the list of ends (or, with None, of information sets) is one of these."""
        if not any(hits):
            return []
        tree = self.tree
        return [
            here
            for here, (actor, info) in enumerate(zip(tree.actor, tree.info, strict=True))
            if (actor >= 0 if who is None else actor == who) and hits[info]
        ]

    @staticmethod
    def _fits(text: str) -> Callable[[str], bool]:
        """Whether a name has the text: a card as a whole word, anything else anywhere."""
        card = _card(text)
        if card is None:
            wanted = text.casefold()
            return lambda name: wanted in name.casefold()
        word = re.compile(rf"(?<![\w=]){re.escape(card)}(?!\w)", re.IGNORECASE)
        return lambda name: word.search(name) is not None


def _card(text: str) -> str | None:
    """The code of the card that a text is; None where it is none."""
    try:
        return str(Card(text))
    except CardError:
        return None
