"""Words everything about a tree in one language: actions, chance, information, payoffs.

Durak moves are worded as at the card table, with their cards. Names from other games are shown as they are. The
module also writes a tree as a text outline for terminals and screen readers, and describes one node completely. It
holds the author's labels at nodes and branches.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.analysis.deal_enumeration import OfCards, Origin, Thought
from durak_widget.analysis.game_at_node import game_of
from durak_widget.board.message_parsing import MessageError, history, infoset
from durak_widget.board.number_format import number_written
from durak_widget.cards import Card
from durak_widget.engine.moves import Move
from durak_widget.engine.narration import deed
from durak_widget.errors import nearest, quoted, whole_number
from durak_widget.gametheory.player_labels import is_unnamed
from durak_widget.gametheory.tree import CHANCE, OVER
from durak_widget.i18n import Seat, Voice

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from durak_widget.gametheory.tree import Tree

_KNOWS: Final = re.compile(
    r"seat \d holds (?P<hand>[^,]+)(?P<others>(?:, seat \d holds [^,]+)*), table (?P<table>.+?)(?P<taken>, which is taken)?"
)
_OTHER: Final = re.compile(r"seat (\d) holds ([^,]+)")
"""The format in which `analysis.build` writes what a player knows."""
_DEAL: Final = re.compile(r"(?P<hands>[^|;]*(?:\|[^|;]*)+)(?P<more>(?:;.*)?)")
_CAME: Final = re.compile(r"seat (?P<seat>\d) (?P<how>draws|is given) (?P<cards>.+)|then (?P<open>.+) lies open")
"""The format in which it writes chance moves: a deal, or drawn cards."""
_UNSEEN: Final = re.compile(r"[^\x20-\x7e\xa0-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]+")
"""Characters that can't be shown: control characters, lone surrogates, and those that change the text direction."""
_LONGEST: Final = 300
_LYING: Final = ("talon", "turned", "shown")
"""The parts of a deal that lie on the table."""
_MOST: Final = 200
"""The most lines of an outline."""
_LONGEST_LABEL: Final = 200
Told = dict[str, Any]
"""A JSON object for the page."""


class _Deal(NamedTuple):
    """A deal: each player's hand, and what lies on the table."""

    hands: tuple[str, ...]
    talon: str = ""
    turned: str = ""
    shown: str = ""

    @classmethod
    def read(cls, name: str) -> _Deal | None:
        """Parse a deal from its name; return None if it is not one."""
        match = _DEAL.fullmatch(name)
        if match is None:
            return None
        table_cards = dict[str, str]()
        for part in match["more"].split("; ")[1:]:
            part_name, _, cards = part.replace("turned up", "turned", 1).partition(" ")
            table_cards[part_name if part_name in cls._fields else "shown"] = cards
        return cls(tuple([hand.strip() for hand in match["hands"].split("|")]), **table_cards)


class Names:
    """The wording of a tree in one language.

    >>> from durak_widget import Rules, analysis
    >>> rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    >>> names = Names(analysis.build(rules, dealer=1))
    >>> names.seats, names.moves(0)[0]["said"]
    (['Player 1', 'Player 2'], 'beats the 7 of diamonds with the 6 of clubs')
    """

    def __init__(self, tree: Tree, language: str = "en") -> None:
        self.tree = tree
        self.durak = isinstance(tree.origin, (OfCards, Origin, Thought))
        """True if the tree is of the card game."""
        self.spoken, self.written = Voice(language), Voice(language, cards="signs")
        self.seats = [
            self.spoken.say("screen.name", number=player + 1) if is_unnamed(name, player) else name
            for player, name in enumerate(map(plain_name, tree.names))
        ]
        """The names of the players."""
        self.move = lru_cache(maxsize=10_000)(self._move)
        self.label = lru_cache(maxsize=100_000)(self._label)
        self.deals = lru_cache(maxsize=100)(self._deals)

    @property
    def title(self) -> str:
        """Return the title of the game."""
        return "" if self.durak else plain_name(self.tree.title)

    def moves(self, place: int) -> list[Told]:
        """Describe the actions of an information set."""
        return [self.move(text, number) for number, text in enumerate(self.tree.sets[place].moves)]

    def known(self, place: int) -> str:
        """Describe what the player knows at an information set."""
        return self.label(self.tree.sets[place].label)

    def _label(self, label: str) -> str:
        """Word the label of an information set."""
        match = _KNOWS.fullmatch(label) if self.durak else None
        if match is None:
            return plain_name(label)
        table = self.spoken.say("tree.empty") if match["table"] == "empty" else self._signs(match["table"])
        facts = {"hand": self._hand(match["hand"]), "table": self.spoken.say("tree.taken", table=table) if match["taken"] else table}
        other_hands = [(int(player), self._hand(hand)) for player, hand in _OTHER.findall(match["others"])]
        if not other_hands:
            return self.spoken.say("tree.knows", **facts)
        if len(other_hands) == 1:
            return self.spoken.say("tree.knows.both", other=other_hands[0][1], **facts)
        return self.spoken.say("tree.knows.all", others=", ".join(f"{self.seats[player]}: {hand}" for player, hand in other_hands), **facts)

    def drawn(self, place: int) -> list[Told]:
        """Describe the moves of a chance node, with their probabilities."""
        probabilities = self.tree.chances[place].probabilities
        return [{**self.chance(place, number), "likely": number_written(probability)} for number, probability in enumerate(probabilities)]

    def worth(self, place: int) -> list[str]:
        """Format the payoffs at a terminal node."""
        return [number_written(payoff) for payoff in self.tree.payoffs[place]]

    def branch(self, history: int) -> Told:
        """Describe the action that led to a node; for the root, name it."""
        tree, parent = self.tree, self.tree.parent[history]
        if parent < 0:
            return {"said": self.spoken.say("tree.root")}
        number, info = history - tree.first[parent], tree.info[parent]
        if tree.actor[parent] == CHANCE:
            return self.chance(info, number)
        return self.move(tree.sets[info].moves[number], number)

    def actor(self, history: int) -> str:
        """Return who acts at a node, in words."""
        actor = self.tree.actor[history]
        return self.spoken.say("tree.chance") if actor == CHANCE else self.spoken.say("tree.end") if actor == OVER else self.seats[actor]

    def _move(self, text: str, number: int) -> Told:
        if not self.durak:
            return {"said": plain_name(text) or str(number + 1)}
        move = Move(text)
        facts: dict[str, object] = {"cards": move.cards}
        if move.cards:
            facts |= {"target": move.cards[0], "card": move.cards[-1]}
        key = f"tree.{move.verb}" if move.verb in ("beat", "swap") else f"did.{move.verb}"
        described: Told = {"said": self.spoken.say(key, **facts), "verb": move.verb}
        if move.verb == "beat":
            return {**described, "cards": [str(move.cards[1])], "on": [str(move.cards[0])]}
        return {**described, "cards": [str(card) for card in move.cards]} if move.cards else described

    def is_deal(self, text: str) -> bool:
        """Return True if a chance move deals the cards."""
        return self.durak and "|" in text

    def chance(self, place: int, number: int) -> Told:
        """Describe a chance move; a deal by its differences from the other possible deals."""
        text = self.tree.chances[place].moves[number]
        if not self.durak:
            return {"said": plain_name(text) or str(number + 1)}
        if self.is_deal(text):
            return self.deals(place)[number]
        phrases, cards = list[str](), list[str]()
        for part in text.split(", "):
            match = _CAME.fullmatch(part)
            if match is None:
                return {"said": text}
            if match["open"]:
                phrases.append(self.spoken.say("tree.opens", cards=self._signs(match["open"])))
            else:
                key = "tree.draws" if match["how"] == "draws" else "tree.given"
                phrases.append(self.spoken.say(key, who=Seat(int(match["seat"])), cards=self._signs(match["cards"])))
                cards += match["cards"].split()
        return {"said": "; ".join(phrases), "cards": cards}

    def _deals(self, place: int) -> list[Told]:
        """Describe all deals of a chance node by their differences.

        Equal parts are left out, and so is the talon if the hands alone differ.
        """
        names = self.tree.chances[place].moves
        deals = [deal for deal in map(_Deal.read, names) if deal is not None]
        if len(deals) < len(names):
            return [{"said": name} for name in names]
        parts = [name for name in _LYING if len({getattr(deal, name) for deal in deals}) > 1]
        players = [player for player, hands in enumerate(zip(*(deal.hands for deal in deals), strict=False)) if len(set(hands)) > 1]
        if not parts and not players:
            parts, players = list(_LYING), list(range(len(self.seats)))
        short = [name for name in parts if name != "talon"]
        distinct = {(*(deal.hands[player] for player in players), *(getattr(deal, name) for name in short)) for deal in deals}
        if len(distinct) == len(deals) > 1:
            parts = short
        return [self._deal(deal, players, parts) for deal in deals]

    def _deal(self, deal: _Deal, seats: list[int], parts: list[str]) -> Told:
        phrases = [f"{self.seats[player]}: {self._hand(deal.hands[player])}" for player in seats]
        phrases += [self.spoken.say(f"tree.{name}", cards=self._signs(getattr(deal, name))) for name in parts if getattr(deal, name)]
        described: Told = {"said": "; ".join(phrases), "hands": [hand.split() for hand in deal.hands]}
        return {**described, "talon": deal.talon.split()} if deal.talon else described

    def _hand(self, cards: str) -> str:
        return self._signs(cards) if cards not in ("", "nothing") else self.spoken.say("tree.nothing")

    def _signs(self, cards: str) -> str:
        """Format cards with suit symbols: `6♣ 7♦/9♦`."""
        return " ".join("/".join(self.written.name(Card(code)) for code in pair.split("/")) for pair in cards.split())


def plain_name(text: str) -> str:
    """Clean an author's name: one line, no unprintable characters, limited length.

    >>> plain_name("  a" + chr(10) + "b" + chr(0))
    'a b'
    """
    cleaned = " ".join(_UNSEEN.sub(" ", text).split())
    return cleaned if len(cleaned) <= _LONGEST else f"{cleaned[: _LONGEST - 1]}…"


def outline(drawing: Mapping[str, Any], solution: Mapping[str, Any], names: Names, most: int = _MOST) -> str:
    """Return the open part of a tree as an indented outline with node numbers.

    >>> from durak_widget.board import Tree
    >>> from durak_widget.gametheory import End, Turn, grow
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
    lines += ["  " * nodes["level"][position] + _line(drawing, solution, names, position) for position in shown]
    if len(nodes["id"]) > most:
        lines.append(say("tree.and_more", count=len(nodes["id"]) - most))
    return "\n".join(lines)


def beginning(said: str, lines: int = 40) -> str:
    """Return the first lines of an outline, as a screen reader reads it for a picture."""
    return "\n".join(said.split("\n")[:lines])


def _line(drawing: Mapping[str, Any], solution: Mapping[str, Any], names: Names, place: int) -> str:
    nodes = drawing["nodes"]
    parent_position, actor, info, hidden_count, history = (nodes[name][place] for name in ("up", "actor", "info", "more", "id"))
    labels = drawing.get("labels", {"nodes": {}, "branches": {}})
    branch = list[str]()
    if parent_position >= 0:
        index, parent_info = nodes["at"][place], str(nodes["info"][parent_position])
        if nodes["actor"][parent_position] == CHANCE:
            described = drawing["chances"][parent_info]["moves"][index]
            branch = [described["said"], described["likely"]]
        else:
            branch = [
                drawing["sets"][parent_info]["moves"][index]["said"],
                *([solution["likely"][parent_info][index]] if parent_info in solution.get("likely", {}) else []),
            ]
        branch += labels["branches"].get(str(history), [])
    if actor == OVER:
        node = [names.spoken.say("tree.end"), *drawing["ends"][str(info)]]
    elif actor == CHANCE:
        node = [names.spoken.say("tree.chance")]
    else:
        knowledge = drawing["sets"][str(info)]["said"]
        node = [f"{drawing['seats'][actor]} ({knowledge})" if knowledge else drawing["seats"][actor]]
    value = (solution.get("value") or {place: None})[place]
    if value and actor != OVER:
        node.append(names.spoken.say("tree.value", value=", ".join(value)))
    node += labels["nodes"].get(str(history), [])
    if hidden_count:
        node.append(f"+{hidden_count}")
    return f"[{history}] {', '.join(branch)}{': ' if branch else ''}{', '.join(node)}"


def detail(names: Names, history: int, alike: int) -> str:
    """Describe a node completely: who acts, what the player knows, and the moves so far.

    `alike` is the number of nodes in its information set.
    """
    tree, say = names.tree, names.spoken.say
    actor, info_index = tree.actor[history], tree.info[history]
    if actor == OVER:
        sentences = [
            say(
                "tree.at_end",
                worth=", ".join(f"{player} {payoff}" for player, payoff in zip(names.seats, names.worth(info_index), strict=True)),
            )
        ]
    elif actor == CHANCE:
        sentences = [say("tree.at_chance")]
    else:
        facts = {"seat": names.seats[actor], "known": names.known(info_index)}
        sentences = [say("tree.at_seat" if facts["known"] else "tree.at_seat.plain", **facts)]
        if alike > 1:
            sentences.append(say("tree.alike", count=alike, seat=names.seats[actor]))
    path = []
    node = history
    while node > 0:
        path.append(names.branch(node)["said"])
        node = tree.parent[node]
    if names.durak and actor != CHANCE:
        moves_so_far = game_of(tree, history).course
        if moves_so_far:
            sentences.append(say("tree.played", deeds=" ".join(deed(played, names.spoken) for played in moves_so_far)))
    elif path:
        sentences.append(say("tree.way", way="; ".join(path[::-1])))
    return " ".join(sentences)


Branch = tuple[object, object]
"""An action of an information set: the set's number, and the action's index or name."""


class Labels:
    """The author's labels of one tree: any number at each node and on each branch.

    >>> from durak_widget.gametheory import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> labels = Labels(tree); labels.put(1, "well done"); labels.put((0, "r"), "safe")
    >>> labels.of([0, 1, 2])
    {'nodes': {'1': ['well done']}, 'branches': {'2': ['safe']}}
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._nodes: dict[int, list[str]] = {}
        self._moves: dict[tuple[int, int], list[str]] = {}

    def put(self, where: object, text: str | None) -> None:
        """Add a label; None removes all labels there."""
        if text is not None and (not isinstance(text, str) or not text.strip() or len(text) > _LONGEST_LABEL):
            raise MessageError(f"a label is a short text, not {quoted(text)}; None takes away what is there")
        if isinstance(where, tuple):
            key = self._move(where)
            texts = self._moves.setdefault(key, [])
        else:
            texts = self._nodes.setdefault(history(self._tree, where), [])
        if text is None:
            texts.clear()
        else:
            texts.append(plain_name(text))

    def of(self, shown: Iterable[int]) -> dict[str, dict[str, list[str]]]:
        """Return the labels of these nodes, and of the branches that lead to them."""
        tree, node_texts, branch_texts = self._tree, dict[str, list[str]](), dict[str, list[str]]()
        if not self._nodes and not self._moves:
            return {"nodes": node_texts, "branches": branch_texts}
        for node in shown:
            if self._nodes.get(node):
                node_texts[str(node)] = list(self._nodes[node])
            parent = tree.parent[node]
            if parent >= 0 and tree.actor[parent] >= 0:
                texts = self._moves.get((tree.info[parent], node - tree.first[parent]))
                if texts:
                    branch_texts[str(node)] = list(texts)
        return {"nodes": node_texts, "branches": branch_texts}

    def _move(self, where: tuple[object, ...]) -> tuple[int, int]:
        if len(where) != 2:
            raise MessageError(f"a branch is named by its information set and its move, such as (0, 'bet'), not {quoted(where)}")
        infoset_index, action = infoset(self._tree, where[0]), where[1]
        actions = self._tree.sets[infoset_index].moves
        number = actions.index(action) if isinstance(action, str) and action in actions else whole_number(action)
        if number is None or not 0 <= number < len(actions):
            raise MessageError(
                f"information set {infoset_index} has no move {quoted(action)}.{nearest(action, actions)} It has {', '.join(actions)}"
            )
        return infoset_index, number
