"""The data that the page needs to draw a tree: positions and texts of the visible nodes.

The columns are packed as bytes, and the description of an action is sent only once, even if many information sets
have it. The module also searches the whole tree for a text, including folded parts: in actions, in what players know,
and in payoffs.
"""

from __future__ import annotations

import re
from array import array
from struct import pack
from typing import TYPE_CHECKING, Any, Final

from durak_widget.board.tree_layout import lay_out_from_middle, lay_out_nodes, style_infoset_lines
from durak_widget.cards import Card
from durak_widget.errors import CardError, short_repr
from durak_widget.gametheory.tree import CHANCE, TERMINAL, TreeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from durak_widget.board.tree_expansion import TreeExpansion
    from durak_widget.board.tree_wording import TreeWording
    from durak_widget.gametheory.tree import Tree

FLOAT_COLUMNS: Final = ("row",)
"""The columns of node data that contain floats; all other columns contain integers."""
MAX_SEARCH_LENGTH: Final = 200
"""The maximum length, in characters, of a search text."""
_NODE_NUMBER_PATTERN: Final = re.compile(r"#?(\d{1,9})")
_PAYOFF_PATTERN: Final = re.compile(r"[-+−]?\d+(/\d+|\.\d+)?")
DrawingData = dict[str, Any]


def build_drawing(expansion: TreeExpansion, wording: TreeWording) -> DrawingData:
    """Build the data for drawing a tree's visible nodes, with information sets and payoffs.

    >>> from durak_widget.board.tree_wording import TreeWording
    >>> from durak_widget.board.tree_expansion import TreeExpansion
    >>> from durak_widget.gametheory import TerminalNode, DecisionNode, build_tree
    >>> places = {"": DecisionNode(0, "?", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}
    >>> tree = build_tree("", places.__getitem__, player_count=2)
    >>> told = build_drawing(TreeExpansion(tree), TreeWording(tree))
    >>> told["nodes"]["row"], told["payoffs"], told["infosets"]
    ([0.5, 0.0, 1.0], {'0': ['1', '-1'], '1': ['0', '0']}, {'0': {'label': '?', 'moves': [{'text': 'l'}, {'text': 'r'}]}})
    """
    tree, visible_nodes = expansion.tree, expansion.shown_nodes
    layout = lay_out_nodes(expansion)
    actor = [tree.actor[node] for node in visible_nodes]
    info = [tree.infoset_of[node] for node in visible_nodes]
    positions_of_infoset: dict[int, list[int]] = {}
    for position, (acting_player, info_index) in enumerate(zip(actor, info, strict=True)):
        if acting_player >= 0:
            positions_of_infoset.setdefault(info_index, []).append(position)
    signalling_layout = lay_out_from_middle(expansion)
    shared_infosets = {info_index: positions for info_index, positions in positions_of_infoset.items() if len(positions) > 1}
    return {
        "size": {"histories": tree.history_count, "shown": len(visible_nodes), "levels": layout.level_count, "rows": layout.row_count},
        "nodes": {
            "id": list(visible_nodes),
            "parent": layout.parent_position,
            "level": layout.level,
            "row": layout.row,
            "actor": actor,
            "info": info,
            "hidden_count": [expansion.count_hidden(node) for node in visible_nodes],
            "action": [node - tree.first_child[tree.parent[node]] if node else 0 for node in visible_nodes],
        },
        "infosets": {
            str(info_index): {"label": wording.describe_infoset(info_index), "moves": wording.describe_actions(info_index)}
            for info_index in positions_of_infoset
        },
        "chance_moves": {
            str(info_index): {"moves": wording.describe_chance_moves(info_index)} for info_index in _find_indexes(CHANCE, actor, info)
        },
        "payoffs": {str(info_index): wording.format_payoffs(info_index) for info_index in _find_indexes(TERMINAL, actor, info)},
        "shared_infosets": list(shared_infosets.values()),
        "lanes": [
            node.to_list()
            for node in style_infoset_lines(
                list(shared_infosets.values()),
                layout.level,
                layout.row,
                [wording.describe_infoset(info_index) for info_index in shared_infosets],
            )
        ],
        **({} if signalling_layout is None else {"signalling_layout": signalling_layout._asdict()}),
    }


def _find_indexes(wanted_actor: int, actors: Sequence[int], indexes: Sequence[int]) -> dict[int, None]:
    """Return the entries of `indexes` at a given actor's nodes, each entry only once."""
    return dict.fromkeys(index for acting, index in zip(actors, indexes, strict=True) if acting == wanted_actor)


def build_breadcrumbs(wording: TreeWording, node: int) -> list[dict[str, Any]]:
    """Return the number and description of each node on the path from the root to a node."""
    path, current = list[dict[str, Any]](), node
    while current >= 0:
        path.append({"id": current, **wording.describe_branch(current)})
        current = wording.tree.parent[current]
    return path[::-1]


def build_search_result(expansion: TreeExpansion, text: str, match_positions: Mapping[int, int], current_node: int) -> DrawingData | None:
    """Build the message about a search: the number of matches, and which match is current."""
    if not text:
        return None
    return {
        "text": text,
        "ids": [node for node in expansion.shown_nodes if node in match_positions],
        "count": len(match_positions),
        "position": match_positions.get(current_node, -1) + 1,
    }


def pack_drawing(drawing: Mapping[str, Any]) -> DrawingData:
    """Convert a drawing made by `build_drawing` to the compact form sent to the page.

    An action becomes an index into the list `moves`; a column becomes bytes, as little-endian int32 or float64.

    >>> told = pack_drawing({"nodes": {"id": [0, 1]}, "infosets": {"4": {"label": "?", "moves": [{"text": "l"}, {"text": "l"}]}}, "chance_moves": {}})
    >>> told["nodes"]["id"].hex(), told["moves"], told["infosets"]
    ('0000000001000000', [{'text': 'l'}], {'4': ['?', 0, 0]})
    """
    actions, numbers = list[Any](), dict[str, int]()

    def number_moves(described_moves: Iterable[Mapping[str, Any]]) -> list[int]:
        """Return each move's index in the list `actions`; first add any missing moves to it."""
        indexes = []
        for action in described_moves:
            key = repr(action)
            if key not in numbers:
                numbers[key] = len(actions)
                actions.append(action)
            indexes.append(numbers[key])
        return indexes

    columns = {name: pack(f"<{len(column)}{'d' if name in FLOAT_COLUMNS else 'i'}", *column) for name, column in drawing["nodes"].items()}
    infosets = {key: [record["label"], *number_moves(record["moves"])] for key, record in drawing["infosets"].items()}
    return {**drawing, "nodes": columns, "moves": actions, "infosets": infosets}


class NodeFinder:
    """A search for nodes of one tree that match a text.

    >>> from durak_widget import Rules, analysis
    >>> from durak_widget.board.tree_wording import TreeWording
    >>> tree = analysis.build_game_tree(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> finder = NodeFinder(tree)
    >>> found = finder.find("take", TreeWording(tree))
    >>> len(found), tree.last_action(found[0])
    (64, 'take')
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._order: array[int] | None = None

    def find(self, text: str, wording: TreeWording) -> list[int]:
        """Return the nodes that match a search text, in the order in which they are drawn.

        A node matches if the text occurs in the action that leads to it or in what the player knows there, or if it
        is the node's number or a payoff at a terminal node.
        """
        if not isinstance(text, str) or len(text) > MAX_SEARCH_LENGTH:
            raise TreeError(
                f"search for a short text, such as a card '9c', a move, a label or the number of a history, not {short_repr(text)}"
            )
        text = text.strip()
        if not text:
            return []
        matches = self._find_by_number_or_action(text, wording) or self._find_by_label(text, wording)
        order = self.drawing_order()
        return sorted(matches, key=order.__getitem__)

    def drawing_order(self) -> array[int]:
        """Return each node's position in a drawing of the whole tree, parents before children."""
        if self._order is None:
            tree = self.tree
            size = array("i", [1]) * tree.history_count
            parent, first, count = tree.parent, tree.first_child, tree.child_count
            for node in range(tree.history_count - 1, 0, -1):
                size[parent[node]] += size[node]
            order = array("i", bytes(4 * tree.history_count))
            for node in range(tree.history_count):
                position = order[node] + 1
                for child in range(first[node], first[node] + count[node]):
                    order[child] = position
                    position += size[child]
            self._order = order
        return self._order

    def _find_by_number_or_action(self, text: str, wording: TreeWording) -> set[int]:
        """Return the nodes whose number, payoff or last action matches a search text."""
        matches: set[int] = set()
        number = _NODE_NUMBER_PATTERN.fullmatch(text)
        if number is not None and int(number[1]) < self.tree.history_count:
            matches.add(int(number[1]))
            if text.startswith("#"):
                return matches
        if _PAYOFF_PATTERN.fullmatch(text):
            payoff_text = text.replace("−", "-").removeprefix("+")
            matches.update(
                self._select_nodes(
                    TERMINAL, [payoff_text in wording.format_payoffs(terminal) for terminal in range(len(self.tree.payoffs))]
                )
            )
        return matches | self._find_by_action(self._build_matcher(text), wording, is_card=_parse_card(text) is not None)

    def _find_by_action(self, matches_text: Callable[[str], bool], wording: TreeWording, *, is_card: bool) -> set[int]:
        """Return the nodes that follow an action or chance move that matches a search text.

        A card is searched for only where it is played or drawn, because every deal contains it.
        """
        tree, match_cache = self.tree, dict[tuple[str, ...], list[int]]()

        def find_matches(moves: tuple[str, ...], describe: Callable[[str, int], str]) -> list[int]:
            """Return the indexes of the moves that match the search text; cache them."""
            cached = match_cache.get(moves)
            if cached is None:
                cached = match_cache[moves] = [
                    index for index, move in enumerate(moves) if matches_text(move) or matches_text(describe(move, index))
                ]
            return cached

        matches_by_infoset = [
            find_matches(record.actions, lambda move, index: str(wording.describe_action(move, index)["text"])) for record in tree.infosets
        ]
        match_cache = {}
        chance_texts = [
            tuple(["" if wording.is_deal(move) and is_card else move for move in record.actions]) for record in tree.chance_moves
        ]
        matches_by_chance = [
            find_matches(moves, lambda move, index: "" if wording.is_durak else move or str(index + 1)) for moves in chance_texts
        ]
        if not any(matches_by_infoset) and not any(matches_by_chance):
            return set()
        nodes: set[int] = set()
        for actor, info_index, first in zip(tree.actor, tree.infoset_of, tree.first_child, strict=True):
            if actor != TERMINAL:
                matches = matches_by_chance[info_index] if actor == CHANCE else matches_by_infoset[info_index]
                if matches:
                    nodes.update([first + index for index in matches])
        return nodes

    def _find_by_label(self, text: str, wording: TreeWording) -> set[int]:
        """Return the nodes whose information set has a label that matches a search text.

        If no label matches, search the descriptions of the labels in words.
        """
        matches_text, tree = self._build_matcher(text), self.tree
        labels = {record.label for record in tree.infosets}
        fitting = {label for label in labels if matches_text(label)} or {
            label for label in labels if matches_text(wording.describe_label(label))
        }
        return set(self._select_nodes(None, [record.label in fitting for record in tree.infosets]))

    def _select_nodes(self, wanted_actor: int | None, hits: Sequence[bool]) -> list[int]:
        """Return a player's nodes at the information sets that `hits` marks with True.

        If `wanted_actor` is None, return the nodes of all players.
        """
        if not any(hits):
            return []
        tree = self.tree
        return [
            node
            for node, (actor, info) in enumerate(zip(tree.actor, tree.infoset_of, strict=True))
            if (actor >= 0 if wanted_actor is None else actor == wanted_actor) and hits[info]
        ]

    @staticmethod
    def _build_matcher(text: str) -> Callable[[str], bool]:
        """Return a function that tells whether a name contains the search text.

        A card must be a whole word; any other text may be anywhere.
        """
        card = _parse_card(text)
        if card is None:
            folded_text = text.casefold()
            return lambda name: folded_text in name.casefold()
        card_pattern = re.compile(rf"(?<![\w=]){re.escape(card)}(?!\w)", re.IGNORECASE)
        return lambda name: card_pattern.search(name) is not None


def _parse_card(text: str) -> str | None:
    """Return a search text as a card code, or None if the text is not exactly one card."""
    try:
        return str(Card(text))
    except CardError:
        return None
