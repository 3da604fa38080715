"""View model of a tree: positions and texts of the shown nodes, as columns.

It packs the columns as bytes for the page, and sends each action's wording only once, however many information sets
have it. It also searches the whole tree for a text, folded parts included: in actions, in what players know, and in
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
"""The largest length of a search text."""
_NUMBER: Final = re.compile(r"#?(\d{1,9})")
_WORTH: Final = re.compile(r"[-+−]?\d+(/\d+|\.\d+)?")
Drawing = dict[str, Any]


def nodes_of(unfolded: Unfolded, names: Names) -> Drawing:
    """Return the shown nodes as columns, with information sets, chance moves and payoffs.

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
    layout = lay(unfolded)
    actor = [tree.actor[node] for node in shown]
    info = [tree.info[node] for node in shown]
    positions_of_infoset: dict[int, list[int]] = {}
    for position, (acting_player, info_index) in enumerate(zip(actor, info, strict=True)):
        if acting_player >= 0:
            positions_of_infoset.setdefault(info_index, []).append(position)
    signalling_layout = fan(unfolded)
    shared_infosets = {info_index: positions for info_index, positions in positions_of_infoset.items() if len(positions) > 1}
    return {
        "size": {"histories": tree.histories, "shown": len(shown), "levels": layout.levels, "rows": layout.rows},
        "nodes": {
            "id": list(shown),
            "up": layout.up,
            "level": layout.level,
            "row": layout.row,
            "actor": actor,
            "info": info,
            "more": [unfolded.more(node) for node in shown],
            "at": [node - tree.first[tree.parent[node]] if node else 0 for node in shown],
        },
        "sets": {
            str(info_index): {"said": names.known(info_index), "moves": names.moves(info_index)} for info_index in positions_of_infoset
        },
        "chances": {str(info_index): {"moves": names.drawn(info_index)} for info_index in _of(CHANCE, actor, info)},
        "ends": {str(info_index): names.worth(info_index) for info_index in _of(OVER, actor, info)},
        "joined": list(shared_infosets.values()),
        "lanes": [
            node.told()
            for node in lanes(
                list(shared_infosets.values()), layout.level, layout.row, [names.known(info_index) for info_index in shared_infosets]
            )
        ],
        **({} if signalling_layout is None else {"fan": signalling_layout._asdict()}),
    }


def _of(who: int, actor: Sequence[int], info: Sequence[int]) -> dict[int, None]:
    """Return the information indexes of the nodes where this player acts, each once."""
    return dict.fromkeys(index for acting, index in zip(actor, info, strict=True) if acting == who)


def crumbs(names: Names, at: int) -> list[dict[str, Any]]:
    """Return the path from the root to a node."""
    path, current = list[dict[str, Any]](), at
    while current >= 0:
        path.append({"id": current, **names.branch(current)})
        current = names.tree.parent[current]
    return path[::-1]


def found_of(unfolded: Unfolded, text: str, found: Mapping[int, int], at: int) -> Drawing | None:
    """Return the search result: shown matches, their number, and the current one from 1."""
    if not text:
        return None
    return {"text": text, "ids": [node for node in unfolded.shown if node in found], "count": len(found), "place": found.get(at, -1) + 1}


def packed(nodes: Mapping[str, Any]) -> Drawing:
    """Pack what `nodes_of` returns into the form that is sent to the page.

    An action is the index of an entry of `moves`; a column is little-endian int32, or float64.

    >>> told = packed({"nodes": {"id": [0, 1]}, "sets": {"4": {"said": "?", "moves": [{"said": "l"}, {"said": "l"}]}}, "chances": {}})
    >>> told["nodes"]["id"].hex(), told["moves"], told["sets"]
    ('0000000001000000', [{'said': 'l'}], {'4': ['?', 0, 0]})
    """
    actions, numbers = list[Any](), dict[str, int]()

    def number_moves(described_moves: Iterable[Mapping[str, Any]]) -> list[int]:
        indexes = []
        for action in described_moves:
            key = repr(action)
            if key not in numbers:
                numbers[key] = len(actions)
                actions.append(action)
            indexes.append(numbers[key])
        return indexes

    columns = {name: pack(f"<{len(column)}{'d' if name in HALVES else 'i'}", *column) for name, column in nodes["nodes"].items()}
    sets = {key: [record["said"], *number_moves(record["moves"])] for key, record in nodes["sets"].items()}
    return {**nodes, "nodes": columns, "moves": actions, "sets": sets}


class Finder:
    """A text search in one tree.

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
        """Return the nodes that match a text, in drawing order.

        A match is a node after such an action, a node where a player knows such a thing, an end with such a payoff,
        or a node's number.
        """
        if not isinstance(text, str) or len(text) > LONGEST:
            raise TreeError(
                f"what is looked for is a short text such as '9c', a move, a label or the number of a history, not {quoted(text)}"
            )
        text = text.strip()
        if not text:
            return []
        matches = self._named(text, names) or self._labelled(text, names)
        order = self.order()
        return sorted(matches, key=order.__getitem__)

    def order(self) -> array[int]:
        """Return each node's position in the drawing of the whole tree, parents first."""
        if self._order is None:
            tree = self.tree
            size = array("i", [1]) * tree.histories
            parent, first, count = tree.parent, tree.first, tree.count
            for node in range(tree.histories - 1, 0, -1):
                size[parent[node]] += size[node]
            order = array("i", bytes(4 * tree.histories))
            for node in range(tree.histories):
                position = order[node] + 1
                for child in range(first[node], first[node] + count[node]):
                    order[child] = position
                    position += size[child]
            self._order = order
        return self._order

    def _named(self, text: str, names: Names) -> set[int]:
        """Find nodes by number, by payoff, or by action."""
        matches: set[int] = set()
        number = _NUMBER.fullmatch(text)
        if number is not None and int(number[1]) < self.tree.histories:
            matches.add(int(number[1]))
            if text.startswith("#"):
                return matches
        if _WORTH.fullmatch(text):
            wanted = text.replace("−", "-").removeprefix("+")
            matches.update(self._at(OVER, [wanted in names.worth(terminal) for terminal in range(len(self.tree.payoffs))]))
        return matches | self._moved(self._fits(text), names, a_card=_card(text) is not None)

    def _moved(self, fits: Callable[[str], bool], names: Names, *, a_card: bool) -> set[int]:
        """Find the nodes after a matching action.

        A card is searched for only where it is played or drawn, because every deal contains it.
        """
        tree, match_cache = self.tree, dict[tuple[str, ...], list[int]]()

        def find_matches(moves: tuple[str, ...], describe: Callable[[str, int], str]) -> list[int]:
            cached = match_cache.get(moves)
            if cached is None:
                cached = match_cache[moves] = [index for index, move in enumerate(moves) if fits(move) or fits(describe(move, index))]
            return cached

        matches_by_infoset = [find_matches(record.moves, lambda move, index: str(names.move(move, index)["said"])) for record in tree.sets]
        match_cache = {}
        chance_texts = [tuple(["" if names.is_deal(move) and a_card else move for move in record.moves]) for record in tree.chances]
        matches_by_chance = [
            find_matches(moves, lambda move, index: "" if names.durak else move or str(index + 1)) for moves in chance_texts
        ]
        if not any(matches_by_infoset) and not any(matches_by_chance):
            return set()
        nodes: set[int] = set()
        for actor, info_index, first in zip(tree.actor, tree.info, tree.first, strict=True):
            if actor != OVER:
                matches = matches_by_chance[info_index] if actor == CHANCE else matches_by_infoset[info_index]
                if matches:
                    nodes.update([first + index for index in matches])
        return nodes

    def _labelled(self, text: str, names: Names) -> set[int]:
        """Find nodes by the label of their information set, as given or as worded."""
        matches_text, tree = self._fits(text), self.tree
        labels = {record.label for record in tree.sets}
        fitting = {label for label in labels if matches_text(label)} or {label for label in labels if matches_text(names.label(label))}
        return set(self._at(None, [record.label in fitting for record in tree.sets]))

    def _at(self, who: int | None, hits: Sequence[bool]) -> list[int]:
        """Return the nodes of one actor (None: any player) whose information index is a hit."""
        if not any(hits):
            return []
        tree = self.tree
        return [
            node
            for node, (actor, info) in enumerate(zip(tree.actor, tree.info, strict=True))
            if (actor >= 0 if who is None else actor == who) and hits[info]
        ]

    @staticmethod
    def _fits(text: str) -> Callable[[str], bool]:
        """Return a function that tests a name for the text.

        A card must be a whole word; any other text may be anywhere.
        """
        card = _card(text)
        if card is None:
            wanted = text.casefold()
            return lambda name: wanted in name.casefold()
        word = re.compile(rf"(?<![\w=]){re.escape(card)}(?!\w)", re.IGNORECASE)
        return lambda name: word.search(name) is not None


def _card(text: str) -> str | None:
    """Return the code of the card that a text is; None if it is not a card."""
    try:
        return str(Card(text))
    except CardError:
        return None
