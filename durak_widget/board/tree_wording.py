"""Describes a tree in one language: actions, chance moves, information sets, payoffs.

Durak moves are described as at the card table, with their cards. Names in other games are used unchanged. The module
also formats a tree as a text outline for terminals and screen readers, and describes a single node. It stores the
labels that users add to nodes and branches.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.analysis.deal_enumeration import CardTreeOrigin, IllegalMoveTreeOrigin, TreeOrigin
from durak_widget.analysis.game_at_node import restore_game
from durak_widget.board.message_parsing import MessageError, parse_history, parse_infoset
from durak_widget.board.number_format import format_short_number
from durak_widget.cards import Card
from durak_widget.engine.moves import Move
from durak_widget.engine.narration import format_played_move
from durak_widget.errors import as_whole_number, short_repr, suggest_nearest
from durak_widget.gametheory.player_labels import format_payoffs, is_unnamed
from durak_widget.gametheory.tree import CHANCE, TERMINAL
from durak_widget.i18n import Seat, Translator

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from durak_widget.gametheory.tree import Tree

_KNOWLEDGE_PATTERN: Final = re.compile(
    r"seat \d holds (?P<hand>[^,]+)(?P<others>(?:, seat \d holds [^,]+)*), table (?P<table>.+?)(?P<taken>, which is taken)?"
)
_OTHER_HAND_PATTERN: Final = re.compile(r"seat (\d) holds ([^,]+)")
"""The format of another player's hand in a label of an information set, as `analysis.build_game_tree` writes it."""
_DEAL_PATTERN: Final = re.compile(r"(?P<hands>[^|;]*(?:\|[^|;]*)+)(?P<more>(?:;.*)?)")
_CHANCE_MOVE_PATTERN: Final = re.compile(r"seat (?P<seat>\d) (?P<how>draws|is given) (?P<cards>.+)|then (?P<open>.+) lies open")
"""The format of a chance move, as `analysis.build_game_tree` writes it: cards drawn from the talon, or a card turned
up.
"""
_UNPRINTABLE_PATTERN: Final = re.compile(r"[^\x20-\x7e\xa0-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]+")
"""The pattern of characters that cannot be displayed: control characters, lone surrogates, and text direction marks.
"""
_MAX_NAME_LENGTH: Final = 300
_TABLE_PARTS: Final = ("talon", "turned", "shown")
"""The parts of a deal that are on the card table, and not in a player's hand."""
_MAX_OUTLINE_LINES: Final = 200
"""The maximum number of lines in the text outline of a tree."""
_MAX_LABEL_LENGTH: Final = 200
JsonObject = dict[str, Any]
"""A JSON object that is sent to the page."""


class _Deal(NamedTuple):
    """A deal of cards: the hand of each player, and the cards on the table."""

    hands: tuple[str, ...]
    talon: str = ""
    turned: str = ""
    shown: str = ""

    @classmethod
    def parse(cls, name: str) -> _Deal | None:
        """Parse a deal from the name of a chance move; return None for other chance moves."""
        match = _DEAL_PATTERN.fullmatch(name)
        if match is None:
            return None
        table_cards = dict[str, str]()
        for part in match["more"].split("; ")[1:]:
            part_name, _, cards = part.replace("turned up", "turned", 1).partition(" ")
            table_cards[part_name if part_name in cls._fields else "shown"] = cards
        return cls(tuple([hand.strip() for hand in match["hands"].split("|")]), **table_cards)


class TreeWording:
    """Describes one tree in one language.

    >>> from durak_widget import Rules, analysis
    >>> rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    >>> names = TreeWording(analysis.build_game_tree(rules, dealer=1))
    >>> names.player_names, names.describe_actions(0)[0]["text"]
    (['Player 1', 'Player 2'], 'beats the 7 of diamonds with the 6 of clubs')
    """

    def __init__(self, tree: Tree, language: str = "en", card_letters: str = "") -> None:
        self.tree = tree
        self.is_durak = isinstance(tree.origin, (CardTreeOrigin, TreeOrigin, IllegalMoveTreeOrigin))
        """True if the tree is of the card game Durak."""
        self.voice = Translator(language, card_letters=card_letters)
        self.symbol_voice = replace(self.voice, cards="signs")
        self.player_names = [
            self.voice.translate("screen.name", number=player + 1) if is_unnamed(name, player) else name
            for player, name in enumerate(map(clean_name, tree.names))
        ]
        """The names of the players."""
        self.describe_action = lru_cache(maxsize=10_000)(self._describe_action_uncached)
        self.describe_label = lru_cache(maxsize=100_000)(self._describe_label_uncached)
        self.describe_deals = lru_cache(maxsize=100)(self._describe_deals_uncached)

    @property
    def title(self) -> str:
        """Return the title of the tree's game; return "" for a Durak tree."""
        return "" if self.is_durak else clean_name(self.tree.title)

    def describe_actions(self, infoset: int) -> list[JsonObject]:
        """Describe each action at an information set."""
        return [self.describe_action(text, number) for number, text in enumerate(self.tree.infosets[infoset].actions)]

    def describe_infoset(self, infoset: int) -> str:
        """Describe what the player knows at an information set."""
        return self.describe_label(self.tree.infosets[infoset].label)

    def _describe_label_uncached(self, label: str) -> str:
        """Describe what an information set's label says, without using the cache."""
        match = _KNOWLEDGE_PATTERN.fullmatch(label) if self.is_durak else None
        if match is None:
            return clean_name(label)
        table = self.voice.translate("tree.empty") if match["table"] == "empty" else self._format_cards(match["table"])
        facts = {
            "hand": self._format_hand(match["hand"]),
            "table": self.voice.translate("tree.taken", table=table) if match["taken"] else table,
        }
        other_hands = [(int(player), self._format_hand(hand)) for player, hand in _OTHER_HAND_PATTERN.findall(match["others"])]
        if not other_hands:
            return self.voice.translate("tree.knows", **facts)
        if len(other_hands) == 1:
            return self.voice.translate("tree.knows.both", other=other_hands[0][1], **facts)
        return self.voice.translate(
            "tree.knows.all", others=", ".join(f"{self.player_names[player]}: {hand}" for player, hand in other_hands), **facts
        )

    def describe_chance_moves(self, chance_index: int) -> list[JsonObject]:
        """Describe each outcome of a chance move, with its probability."""
        probabilities = self.tree.chance_moves[chance_index].probabilities
        return [
            {**self.describe_chance_move(chance_index, number), "probability": format_short_number(probability)}
            for number, probability in enumerate(probabilities)
        ]

    def format_payoffs(self, terminal_index: int) -> list[str]:
        """Format the payoff of each player at a terminal node."""
        return [format_short_number(payoff) for payoff in self.tree.payoffs[terminal_index]]

    def describe_branch(self, history: int) -> JsonObject:
        """Describe the action that led to a node; for the root, return a fixed description."""
        tree, parent = self.tree, self.tree.parent[history]
        if parent < 0:
            return {"text": self.voice.translate("tree.root")}
        number, info = history - tree.first_child[parent], tree.infoset_of[parent]
        if tree.actor[parent] == CHANCE:
            return self.describe_chance_move(info, number)
        return self.describe_action(tree.infosets[info].actions[number], number)

    def describe_actor(self, history: int) -> str:
        """Name the player who acts at a node, or chance; at a terminal node, say so."""
        actor = self.tree.actor[history]
        return (
            self.voice.translate("tree.chance")
            if actor == CHANCE
            else self.voice.translate("tree.end")
            if actor == TERMINAL
            else self.player_names[actor]
        )

    def _describe_action_uncached(self, text: str, number: int) -> JsonObject:
        """Describe an action in words, and in Durak also with cards, without using the cache."""
        if not self.is_durak:
            return {"text": clean_name(text) or str(number + 1)}
        move = Move(text)
        facts: dict[str, object] = {"cards": move.cards}
        if move.cards:
            facts |= {"target": move.cards[0], "card": move.cards[-1]}
        key = f"tree.{move.verb}" if move.verb in ("beat", "swap") else f"did.{move.verb}"
        described: JsonObject = {"text": self.voice.translate(key, **facts), "verb": move.verb}
        if move.verb == "beat":
            return {**described, "cards": [str(move.cards[1])], "beaten_cards": [str(move.cards[0])]}
        return {**described, "cards": [str(card) for card in move.cards]} if move.cards else described

    def is_deal(self, text: str) -> bool:
        """Return whether a chance move is a deal of cards."""
        return self.is_durak and "|" in text

    def describe_chance_move(self, chance_index: int, number: int) -> JsonObject:
        """Describe one outcome of a chance move; for a deal, name only how it differs from others."""
        text = self.tree.chance_moves[chance_index].actions[number]
        if not self.is_durak:
            return {"text": clean_name(text) or str(number + 1)}
        if self.is_deal(text):
            return self.describe_deals(chance_index)[number]
        phrases, cards = list[str](), list[str]()
        for part in text.split(", "):
            match = _CHANCE_MOVE_PATTERN.fullmatch(part)
            if match is None:
                return {"text": text}
            if match["open"]:
                phrases.append(self.voice.translate("tree.opens", cards=self._format_cards(match["open"])))
            else:
                key = "tree.draws" if match["how"] == "draws" else "tree.given"
                phrases.append(self.voice.translate(key, who=Seat(int(match["seat"])), cards=self._format_cards(match["cards"])))
                cards += match["cards"].split()
        return {"text": "; ".join(phrases), "cards": cards}

    def _describe_deals_uncached(self, chance_index: int) -> list[JsonObject]:
        """Describe how the possible deals at a chance node differ, without using the cache.

        Parts that are equal in all deals are left out. The talon is left out if the hands differ without it.
        """
        names = self.tree.chance_moves[chance_index].actions
        deals = [deal for deal in map(_Deal.parse, names) if deal is not None]
        if len(deals) < len(names):
            return [{"text": name} for name in names]
        parts = [name for name in _TABLE_PARTS if len({getattr(deal, name) for deal in deals}) > 1]
        players = [player for player, hands in enumerate(zip(*(deal.hands for deal in deals), strict=False)) if len(set(hands)) > 1]
        if not parts and not players:
            parts, players = list(_TABLE_PARTS), list(range(len(self.player_names)))
        short = [name for name in parts if name != "talon"]
        distinct = {(*(deal.hands[player] for player in players), *(getattr(deal, name) for name in short)) for deal in deals}
        if len(distinct) == len(deals) > 1:
            parts = short
        return [self._describe_deal(deal, players, parts) for deal in deals]

    def _describe_deal(self, deal: _Deal, players: list[int], parts: list[str]) -> JsonObject:
        """Describe a deal: the hands of given players, and given cards on the card table."""
        phrases = [f"{self.player_names[player]}: {self._format_hand(deal.hands[player])}" for player in players]
        phrases += [
            self.voice.translate(f"tree.{name}", cards=self._format_cards(getattr(deal, name))) for name in parts if getattr(deal, name)
        ]
        described: JsonObject = {"text": "; ".join(phrases), "hands": [hand.split() for hand in deal.hands]}
        return {**described, "talon": deal.talon.split()} if deal.talon else described

    def _format_hand(self, cards: str) -> str:
        """Format the cards of a hand; an empty hand becomes the word for "nothing"."""
        return self._format_cards(cards) if cards not in ("", "nothing") else self.voice.translate("tree.nothing")

    def _format_cards(self, cards: str) -> str:
        """Format card codes with suit symbols, for example `6♣ 7♦/9♦`."""
        return " ".join("/".join(self.symbol_voice.name_card(Card(code)) for code in pair.split("/")) for pair in cards.split())


def clean_name(text: str) -> str:
    """Clean a name from a user: one line, a limited length, no unprintable characters.

    >>> clean_name("  a" + chr(10) + "b" + chr(0))
    'a b'
    """
    cleaned = " ".join(_UNPRINTABLE_PATTERN.sub(" ", text).split())
    return cleaned if len(cleaned) <= _MAX_NAME_LENGTH else f"{cleaned[: _MAX_NAME_LENGTH - 1]}…"


def format_outline(
    drawing: Mapping[str, Any], solution: Mapping[str, Any], wording: TreeWording, max_lines: int = _MAX_OUTLINE_LINES
) -> str:
    """Format the visible part of a tree as an indented outline with node numbers.

    >>> from durak_widget.board import Tree
    >>> from durak_widget.gametheory import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "?", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> print(Tree(tree))
    3 nodes, all shown.
    [0] Player 1 (?)
      [1] l: the end, 1, -1
      [2] r: the end, 0, 0
    """
    say, nodes, size = wording.voice.translate, drawing["nodes"], drawing["size"]
    key = "tree.size.all" if size["shown"] == size["histories"] else "tree.size"
    header = say(key, count=size["histories"], shown=size["shown"])
    lines = [f"{drawing['title']}. {header}" if drawing["title"] else header, *solution.get("sentences", [])]
    positions = range(min(len(nodes["id"]), max_lines))
    lines += ["  " * nodes["level"][position] + _format_outline_line(drawing, solution, wording, position) for position in positions]
    if len(nodes["id"]) > max_lines:
        lines.append(say("tree.and_more", count=len(nodes["id"]) - max_lines))
    return "\n".join(lines)


def take_first_lines(text: str, count: int = 40) -> str:
    """Return the first lines of a text outline, as the alternative text of a picture."""
    return "\n".join(text.split("\n")[:count])


def _format_outline_line(drawing: Mapping[str, Any], solution: Mapping[str, Any], wording: TreeWording, position: int) -> str:
    """Format one node of the text outline: branch, actor, payoffs, value and labels."""
    nodes = drawing["nodes"]
    parent_position, actor, info, hidden_count, history = (
        nodes[name][position] for name in ("parent", "actor", "info", "hidden_count", "id")
    )
    labels = drawing.get("labels", {"nodes": {}, "branches": {}})
    branch = list[str]()
    if parent_position >= 0:
        index, parent_info = nodes["action"][position], str(nodes["info"][parent_position])
        if nodes["actor"][parent_position] == CHANCE:
            described = drawing["chance_moves"][parent_info]["moves"][index]
            branch = [described["text"], described["probability"]]
        else:
            branch = [
                drawing["infosets"][parent_info]["moves"][index]["text"],
                *([solution["probabilities"][parent_info][index]] if parent_info in solution.get("probabilities", {}) else []),
            ]
        branch += labels["branches"].get(str(history), [])
    if actor == TERMINAL:
        node = [wording.voice.translate("tree.end"), *drawing["payoffs"][str(info)]]
    elif actor == CHANCE:
        node = [wording.voice.translate("tree.chance")]
    else:
        knowledge = drawing["infosets"][str(info)]["label"]
        node = [f"{drawing['players'][actor]} ({knowledge})" if knowledge else drawing["players"][actor]]
    value = (solution.get("values") or {position: None})[position]
    if value and actor != TERMINAL:
        node.append(wording.voice.translate("tree.value", value=", ".join(value)))
    node += labels["nodes"].get(str(history), [])
    if hidden_count:
        node.append(f"+{hidden_count}")
    return f"[{history}] {', '.join(branch)}{': ' if branch else ''}{', '.join(node)}"


def describe_node(wording: TreeWording, history: int, infoset_size: int) -> str:
    """Describe a node in sentences: who acts, what the player knows, and the moves so far.

    `infoset_size` is the number of nodes in its information set.
    """
    tree, say = wording.tree, wording.voice.translate
    actor, info_index = tree.actor[history], tree.infoset_of[history]
    if actor == TERMINAL:
        sentences = [say("tree.at_end", payoffs=format_payoffs(wording.player_names, wording.format_payoffs(info_index)))]
    elif actor == CHANCE:
        sentences = [say("tree.at_chance")]
    else:
        facts = {"seat": wording.player_names[actor], "known": wording.describe_infoset(info_index)}
        sentences = [say("tree.at_seat" if facts["known"] else "tree.at_seat.plain", **facts)]
        if infoset_size > 1:
            sentences.append(say("tree.alike", count=infoset_size, seat=wording.player_names[actor]))
    path = []
    node = history
    while node > 0:
        path.append(wording.describe_branch(node)["text"])
        node = tree.parent[node]
    if wording.is_durak and actor != CHANCE:
        moves_so_far = restore_game(tree, history).history
        if moves_so_far:
            sentences.append(say("tree.played", deeds=" ".join(format_played_move(played, wording.voice) for played in moves_so_far)))
    elif path:
        sentences.append(say("tree.way", way="; ".join(path[::-1])))
    return " ".join(sentences)


BranchKey = tuple[object, object]
"""How users name a branch in `TreeLabels`: the number of its information set, and the index or the name of its
action.
"""


class TreeLabels:
    """The labels that a user has added to the nodes and branches of one tree.

    >>> from durak_widget.gametheory import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "?", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> labels = TreeLabels(tree); labels.add_label(1, "well done"); labels.add_label((0, "r"), "safe")
    >>> labels.get_labels([0, 1, 2])
    {'nodes': {'1': ['well done']}, 'branches': {'2': ['safe']}}
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._node_labels: dict[int, list[str]] = {}
        self._branch_labels: dict[tuple[int, int], list[str]] = {}

    def add_label(self, where: object, text: str | None) -> None:
        """Add a label to a node or a branch; for None, remove all labels there."""
        if text is not None and (not isinstance(text, str) or not text.strip() or len(text) > _MAX_LABEL_LENGTH):
            raise MessageError(f"a label must be a short text, or None to remove it, not {short_repr(text)}")
        if isinstance(where, tuple):
            key = self._parse_branch(where)
            texts = self._branch_labels.setdefault(key, [])
        else:
            texts = self._node_labels.setdefault(parse_history(self._tree, where), [])
        if text is None:
            texts.clear()
        else:
            texts.append(clean_name(text))

    def get_labels(self, nodes: Iterable[int]) -> dict[str, dict[str, list[str]]]:
        """Return the labels of given nodes, and of the branches that lead to them."""
        tree, node_texts, branch_texts = self._tree, dict[str, list[str]](), dict[str, list[str]]()
        if not self._node_labels and not self._branch_labels:
            return {"nodes": node_texts, "branches": branch_texts}
        for node in nodes:
            if self._node_labels.get(node):
                node_texts[str(node)] = list(self._node_labels[node])
            parent = tree.parent[node]
            if parent >= 0 and tree.actor[parent] >= 0:
                texts = self._branch_labels.get((tree.infoset_of[parent], node - tree.first_child[parent]))
                if texts:
                    branch_texts[str(node)] = list(texts)
        return {"nodes": node_texts, "branches": branch_texts}

    def _parse_branch(self, where: tuple[object, ...]) -> tuple[int, int]:
        """Return a branch's information set and action; raise an error for an invalid branch."""
        if len(where) != 2:
            raise MessageError(f"a branch must be given as its information set and its move, such as (0, 'bet'), not {short_repr(where)}")
        infoset_index, action = parse_infoset(self._tree, where[0]), where[1]
        actions = self._tree.infosets[infoset_index].actions
        number = actions.index(action) if isinstance(action, str) and action in actions else as_whole_number(action)
        if number is None or not 0 <= number < len(actions):
            raise MessageError(
                f"information set {infoset_index} has no move {short_repr(action)}.{suggest_nearest(action, actions)} Its moves are {', '.join(actions)}"
            )
        return infoset_index, number
