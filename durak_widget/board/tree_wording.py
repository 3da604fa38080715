"""What is said of a tree: of its moves, of what chance does, of what a seat knows, of what an end is worth, in one of the languages.

Moves of Durak are told as its table tells them, with their cards; what other games are called is said as it stands.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.analysis.deal_enumeration import OfCards, Origin, Thought
from durak_widget.board.number_format import number_written
from durak_widget.cards import Card
from durak_widget.engine.moves import Move
from durak_widget.gametheory.player_labels import is_unnamed
from durak_widget.gametheory.tree import CHANCE, OVER
from durak_widget.i18n import Seat, Voice

if TYPE_CHECKING:
    from durak_widget.gametheory.tree import Tree

Told = dict[str, Any]
"""What the page is told of one thing."""

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
