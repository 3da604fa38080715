"""Words everything about a tree in one language: moves, chance moves, information and payoffs.

Durak moves are worded as at the card table, with their cards. Names from other games are shown as they are.
The module also writes a tree as a text outline for terminals and screen readers, and describes one node
completely. It holds the author's labels at nodes and branches.
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
"""How `analysis.build` says what a seat knows."""
_DEAL: Final = re.compile(r"(?P<hands>[^|;]*(?:\|[^|;]*)+)(?P<more>(?:;.*)?)")
_CAME: Final = re.compile(r"seat (?P<seat>\d) (?P<how>draws|is given) (?P<cards>.+)|then (?P<open>.+) lies open")
"""How it names what chance does: a deal, or what is drawn."""
_UNSEEN: Final = re.compile(r"[^\x20-\x7e\xa0-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]+")
"""What stands for no sign: control characters, halves of signs, and what would turn round the rest of the sentence."""
_LONGEST: Final = 300
_LYING: Final = ("talon", "turned", "shown")
"""What of a deal lies on the table."""
_MOST: Final = 200
"""So many lines an outline has at most."""
_LONGEST_LABEL: Final = 200
Told = dict[str, Any]
"""What the page is told of one thing."""


class _Deal(NamedTuple):
    """What is dealt: who holds what, and what lies on the table."""

    hands: tuple[str, ...]
    talon: str = ""
    turned: str = ""
    shown: str = ""

    @classmethod
    def read(cls, name: str) -> _Deal | None:
        """From its name, if it is one."""
        found = _DEAL.fullmatch(name)
        if found is None:
            return None
        lying = dict[str, str]()
        for part in found["more"].split("; ")[1:]:
            what, _, cards = part.replace("turned up", "turned", 1).partition(" ")
            lying[what if what in cls._fields else "shown"] = cards
        return cls(tuple([hand.strip() for hand in found["hands"].split("|")]), **lying)


class Names:
    """What is said of a tree in one language.

    >>> from durak_widget import Rules, analysis
    >>> rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    >>> names = Names(analysis.build(rules, dealer=1))
    >>> names.seats, names.moves(0)[0]["said"]
    (['Player 1', 'Player 2'], 'beats the 7 of diamonds with the 6 of clubs')
    """

    def __init__(self, tree: Tree, language: str = "en") -> None:
        self.tree = tree
        self.durak = isinstance(tree.origin, (OfCards, Origin, Thought))
        """Whether its moves are those of the card game."""
        self.spoken, self.written = Voice(language), Voice(language, cards="signs")
        self.seats = [
            self.spoken.say("screen.name", number=seat + 1) if is_unnamed(name, seat) else name
            for seat, name in enumerate(map(plain_name, tree.names))
        ]
        """What each seat is called."""
        self.move = lru_cache(maxsize=10_000)(self._move)
        self.label = lru_cache(maxsize=100_000)(self._label)
        self.deals = lru_cache(maxsize=100)(self._deals)

    @property
    def title(self) -> str:
        """What the game is called."""
        return "" if self.durak else plain_name(self.tree.title)

    def moves(self, place: int) -> list[Told]:
        """The moves of an information set."""
        return [self.move(text, number) for number, text in enumerate(self.tree.sets[place].moves)]

    def known(self, place: int) -> str:
        """What the seat knows at an information set."""
        return self.label(self.tree.sets[place].label)

    def _label(self, label: str) -> str:
        """What an information set is called, as it is said."""
        found = _KNOWS.fullmatch(label) if self.durak else None
        if found is None:
            return plain_name(label)
        table = self.spoken.say("tree.empty") if found["table"] == "empty" else self._signs(found["table"])
        facts = {"hand": self._hand(found["hand"]), "table": self.spoken.say("tree.taken", table=table) if found["taken"] else table}
        others = [(int(seat), self._hand(hand)) for seat, hand in _OTHER.findall(found["others"])]
        if not others:
            return self.spoken.say("tree.knows", **facts)
        if len(others) == 1:
            return self.spoken.say("tree.knows.both", other=others[0][1], **facts)
        return self.spoken.say("tree.knows.all", others=", ".join(f"{self.seats[seat]}: {hand}" for seat, hand in others), **facts)

    def drawn(self, place: int) -> list[Told]:
        """What chance may do, and how likely each is."""
        likely = self.tree.chances[place].probabilities
        return [{**self.chance(place, number), "likely": number_written(one)} for number, one in enumerate(likely)]

    def worth(self, place: int) -> list[str]:
        """What an end is worth to each seat."""
        return [number_written(one) for one in self.tree.payoffs[place]]

    def branch(self, history: int) -> Told:
        """The move that led to a history; of the root, nothing."""
        tree, before = self.tree, self.tree.parent[history]
        if before < 0:
            return {"said": self.spoken.say("tree.root")}
        number, info = history - tree.first[before], tree.info[before]
        if tree.actor[before] == CHANCE:
            return self.chance(info, number)
        return self.move(tree.sets[info].moves[number], number)

    def actor(self, history: int) -> str:
        """Who acts at a history, in words."""
        who = self.tree.actor[history]
        return self.spoken.say("tree.chance") if who == CHANCE else self.spoken.say("tree.end") if who == OVER else self.seats[who]

    def _move(self, text: str, number: int) -> Told:
        if not self.durak:
            return {"said": plain_name(text) or str(number + 1)}
        move = Move(text)
        facts: dict[str, object] = {"cards": move.cards}
        if move.cards:
            facts |= {"target": move.cards[0], "card": move.cards[-1]}
        key = f"tree.{move.verb}" if move.verb in ("beat", "swap") else f"did.{move.verb}"
        said: Told = {"said": self.spoken.say(key, **facts), "verb": move.verb}
        if move.verb == "beat":
            return {**said, "cards": [str(move.cards[1])], "on": [str(move.cards[0])]}
        return {**said, "cards": [str(card) for card in move.cards]} if move.cards else said

    def is_deal(self, text: str) -> bool:
        """Whether a move of chance deals the cards."""
        return self.durak and "|" in text

    def chance(self, place: int, number: int) -> Told:
        """What chance does there; of a deal it is said by what it differs from the others that are possible."""
        text = self.tree.chances[place].moves[number]
        if not self.durak:
            return {"said": plain_name(text) or str(number + 1)}
        if self.is_deal(text):
            return self.deals(place)[number]
        said, cards = list[str](), list[str]()
        for part in text.split(", "):
            came = _CAME.fullmatch(part)
            if came is None:
                return {"said": text}
            if came["open"]:
                said.append(self.spoken.say("tree.opens", cards=self._signs(came["open"])))
            else:
                key = "tree.draws" if came["how"] == "draws" else "tree.given"
                said.append(self.spoken.say(key, who=Seat(int(came["seat"])), cards=self._signs(came["cards"])))
                cards += came["cards"].split()
        return {"said": "; ".join(said), "cards": cards}

    def _deals(self, place: int) -> list[Told]:
        """All deals of a place of chance. What is the same in each is left out, and so is the talon where the hands tell them apart."""
        names = self.tree.chances[place].moves
        deals = [deal for deal in map(_Deal.read, names) if deal is not None]
        if len(deals) < len(names):
            return [{"said": name} for name in names]
        parts = [name for name in _LYING if len({getattr(deal, name) for deal in deals}) > 1]
        seats = [seat for seat, hands in enumerate(zip(*(deal.hands for deal in deals), strict=False)) if len(set(hands)) > 1]
        if not parts and not seats:
            parts, seats = list(_LYING), list(range(len(self.seats)))
        short = [name for name in parts if name != "talon"]
        told_apart = {(*(deal.hands[seat] for seat in seats), *(getattr(deal, name) for name in short)) for deal in deals}
        if len(told_apart) == len(deals) > 1:
            parts = short
        return [self._deal(deal, seats, parts) for deal in deals]

    def _deal(self, deal: _Deal, seats: list[int], parts: list[str]) -> Told:
        said = [f"{self.seats[seat]}: {self._hand(deal.hands[seat])}" for seat in seats]
        said += [self.spoken.say(f"tree.{name}", cards=self._signs(getattr(deal, name))) for name in parts if getattr(deal, name)]
        told: Told = {"said": "; ".join(said), "hands": [hand.split() for hand in deal.hands]}
        return {**told, "talon": deal.talon.split()} if deal.talon else told

    def _hand(self, cards: str) -> str:
        return self._signs(cards) if cards not in ("", "nothing") else self.spoken.say("tree.nothing")

    def _signs(self, cards: str) -> str:
        """Cards as people write them: `6♣ 7♦/9♦`."""
        return " ".join("/".join(self.written.name(Card(one)) for one in pair.split("/")) for pair in cards.split())


def plain_name(text: str) -> str:
    """What an author called something, as one line that can be shown: without what stands for no sign, and not endless.

    >>> plain_name("  a" + chr(10) + "b" + chr(0))
    'a b'
    """
    said = " ".join(_UNSEEN.sub(" ", text).split())
    return said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1]}…"


def outline(drawing: Mapping[str, Any], solution: Mapping[str, Any], names: Names, most: int = _MOST) -> str:
    """What is open of a tree, a line for each history, what follows it set in; with the numbers by which code can name them.

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


Branch = tuple[object, object]
"""A move of an information set: the number of the set, and the place of the move or its name."""


class Labels:
    """The labels of one tree: any number at each node and on each branch.

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
        """Add a label; None takes away all that are there."""
        if text is not None and (not isinstance(text, str) or not text.strip() or len(text) > _LONGEST_LABEL):
            raise MessageError(f"a label is a short text, not {quoted(text)}; None takes away what is there")
        if isinstance(where, tuple):
            key = self._move(where)
            said = self._moves.setdefault(key, [])
        else:
            said = self._nodes.setdefault(history(self._tree, where), [])
        if text is None:
            said.clear()
        else:
            said.append(plain_name(text))

    def of(self, shown: Iterable[int]) -> dict[str, dict[str, list[str]]]:
        """The labels of these histories: beside each, and on the branch that leads to it."""
        tree, nodes, branches = self._tree, dict[str, list[str]](), dict[str, list[str]]()
        if not self._nodes and not self._moves:
            return {"nodes": nodes, "branches": branches}
        for one in shown:
            if self._nodes.get(one):
                nodes[str(one)] = list(self._nodes[one])
            before = tree.parent[one]
            if before >= 0 and tree.actor[before] >= 0:
                said = self._moves.get((tree.info[before], one - tree.first[before]))
                if said:
                    branches[str(one)] = list(said)
        return {"nodes": nodes, "branches": branches}

    def _move(self, where: tuple[object, ...]) -> tuple[int, int]:
        if len(where) != 2:
            raise MessageError(f"a branch is named by its information set and its move, such as (0, 'bet'), not {quoted(where)}")
        place, move = infoset(self._tree, where[0]), where[1]
        moves = self._tree.sets[place].moves
        number = moves.index(move) if isinstance(move, str) and move in moves else whole_number(move)
        if number is None or not 0 <= number < len(moves):
            raise MessageError(f"information set {place} has no move {quoted(move)}.{nearest(move, moves)} It has {', '.join(moves)}")
        return place, number
