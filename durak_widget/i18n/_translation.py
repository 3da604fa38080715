"""How a sentence is said: in which language, with which names for cards, and to whom."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from durak_widget.cards import SUIT_SIGNS, Card
from durak_widget.errors import DurakError, quoted
from durak_widget.i18n._language import is_well_formed, language

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from durak_widget.i18n._language import Language

Naming = Literal["words", "signs", "codes"]
NAMINGS: Final = ("words", "signs", "codes")
_TEXT_STYLE: Final = "\ufe0e"
"""After a sign: a letter, not a coloured picture."""


class Seat(NamedTuple):
    """A seat, as a fact of a sentence."""

    number: int


class Suit(NamedTuple):
    """A suit, as a fact of a sentence."""

    letter: str


class Rank(NamedTuple):
    """A rank, as a fact of a sentence."""

    letter: str


class Fact(NamedTuple):
    """A sentence within a sentence.

    >>> Voice().say("sentence", said=Fact("outcome.fool", {"who": Seat(1)}))
    'Player 2 is the fool.'
    >>> Voice().say("review.better", said=Fact("advice.take"))
    'Better: take.'
    >>> Voice().say("review.cost", said=Fact("past.take", {"who": Seat(1)}), bout=3, percent=20)
    'Bout 3: Player 2 took. That cost about 20 of 100 chances.'
    """

    key: str
    facts: Mapping[str, object] = {}


@dataclass(frozen=True)
class Voice:
    """How things are said: the language, how cards are named, and which seat is `you`.

    With codes, seats are counted from 0 as in programs; otherwise players are counted from 1.

    >>> Voice().say("deed.beat", who=Seat(1), target=Card("7c"), card=Card("9c"))
    'Player 2 beats the 7 of clubs with the 9 of clubs.'
    >>> Voice(cards="codes", me=1).say("deed.beat", who=Seat(1), target=Card("7c"), card=Card("9c"))
    'You beat 7c with 9c.'
    >>> Voice("ru", people=((1, "grandmother"),)).say("outcome.fool", who=Seat(1))
    'бабушка остаётся в дураках'
    >>> Voice("ru").say("review.skill.count", who=Seat(1), percent=4.5, count=100)
    'Игрок 2: 4,5 из 100 шансов потеряно за ход, 100 невынужденных решений.'
    """

    language: str = "en"
    _: KW_ONLY
    cards: Naming = "words"
    me: int | None = None
    people: tuple[tuple[int, str], ...] = ()
    """Who sits where and is called by a name, by the keys of the opponents."""

    def __post_init__(self) -> None:
        if self.cards not in NAMINGS:
            raise DurakError(f"cards={quoted(self.cards)} is no way to name cards; use {', '.join(map(repr, NAMINGS))}")
        language(self.language)

    def say(self, key: str, /, **facts: object) -> str:
        """The words of that key, with these facts in it; a sentence begins with a capital. What the language has no words for is said in English, all of it.

        >>> Voice().say("screen.cards", count=1), Voice().say("screen.cards", count=2)
        ('1 card', '2 cards')
        """
        said = self._filled(key, facts)
        return said[0].upper() + said[1:] if said.endswith(".") else said

    def _filled(self, key: str, facts: Mapping[str, object]) -> str:
        """The words with these facts in them, as they stand within another sentence."""
        template = self._template(key, facts)
        if template is None or not (self.language == "en" or is_well_formed(template)):
            if self.language == "en":
                raise KeyError(f"{key!r} has no words for {', '.join(facts) or 'no facts'}")
            return replace(self, language="en")._filled(key, facts)
        try:
            return template.format_map({name: _Said(self, fact) for name, fact in facts.items()})
        except (LookupError, ValueError, TypeError, AttributeError):  # a translation that is malformed, or names what English no longer has
            if self.language == "en":
                raise
            return replace(self, language="en")._filled(key, facts)

    def name(self, card: Card) -> str:
        """A card on its own, not in a sentence.

        >>> Voice().name(Card("6d=h")), Voice(cards="codes").name(Card("6d=h")), Voice().name(Card("Xr"))
        ('6 of diamonds as hearts', '6d=h', 'red joker')
        """
        return str(card) if self.cards == "codes" else self._signed(card) if self._by_sign(card) else self._worded(card, "nom")

    def player(self, seat: int) -> str:
        """Who sits there, on their own, not in a sentence.

        >>> Voice(people=((1, "aunt"),)).player(1), Voice().player(1)
        ('Aunt Lida', 'Player 2')
        """
        key = self._name_at(Seat(seat))
        name = self._language.people[key]["nom"] if key else self.say("screen.name", number=seat + 1)
        return name[0].upper() + name[1:]

    @property
    def _language(self) -> Language:
        return language(self.language)

    def _template(self, key: str, facts: Mapping[str, object]) -> str | None:
        words, count = self._language, facts.get("count")
        return next((said for variant in self._variants(key, facts) if (said := words.sentence(variant, count))), None)

    def _variants(self, key: str, facts: Mapping[str, object]) -> Iterator[str]:
        """The keys under which the sentence may stand, the fittest first."""
        who = facts.get("who")
        mine = self.me is not None and Seat(self.me) in ((who,) if isinstance(who, Seat) or not isinstance(who, tuple) else who)
        yield from (f"{key}.typed",) * (self.cards == "codes") + (f"{key}.you",) * mine + (key,)

    def _named(self, value: object, how: str) -> str:
        """A fact as it stands in a sentence that asks for it like this."""
        if isinstance(value, Fact):
            if how == "within":
                return self._filled(value.key, value.facts)
            said = self.say(value.key, **value.facts)
            return said[:1].lower() + said[1:] if how == "lower" else said
        if isinstance(value, Card):
            return self._card(value, how)
        if isinstance(value, Seat):
            return self._seat(value, how)
        if isinstance(value, Suit):
            return self._language.suits[value.letter][how or "nom"]
        if isinstance(value, Rank):
            return self._language.ranks[value.letter][how or "nom"]
        if isinstance(value, int):
            return self._counted(value, self._language.nouns[how]) if how else str(value)
        if isinstance(value, float):
            return f"{value:.1f}".replace(".", self._language.point)
        return value if isinstance(value, str) else self._list(value, how)  # type: ignore[arg-type]

    def _counted(self, number: int, noun: Mapping[str, str]) -> str:
        return noun["zero"] if number == 0 and "zero" in noun else f"{number} {noun[self._language.plural(number)]}"

    def _list(self, values: Iterable[object], how: str) -> str:
        """`a, b or c`, of any facts; the first word asked for is the joint."""
        joint, _, rest = how.partition(" ")
        *first, last = [self._named(value, rest) for value in values] or [self.say("none")]
        if joint == "row":
            return (" " if self.cards == "codes" else ", ").join([*first, last])
        return ", ".join(first) + {"list": ", ", **self._language.joints}[joint] + last if first else last

    def _seat(self, seat: Seat, how: str) -> str:
        words, coded = self._language, self.cards == "codes"
        forms = words.you if seat.number == self.me else words.seat if coded else words.people.get(self._name_at(seat), words.player)
        said = forms[how.removesuffix("capital").strip() or "nom"].format(number=seat.number + (not coded))
        return said[0].upper() + said[1:] if how.endswith("capital") else said

    def _name_at(self, seat: Seat) -> str:
        return next((key for number, key in self.people if number == seat.number), "")

    def _card(self, card: Card, how: str) -> str:
        case = how.removesuffix("laid").strip() or "nom"
        if self.cards == "words" or (self.cards == "signs" and card.is_joker):
            return self.say("card.said", card=self._worded(card, case))
        named = self._signed(card) if self.cards == "signs" else str(card)
        if self.cards == "codes" and card is not card.face and how.endswith("laid"):
            named = f"{Card.of(card.counts)} ({card})"  # as a move names it, and how it was played
        return self._language.signed.get(case, "{card}").format(card=named)

    def _by_sign(self, card: Card) -> bool:
        return self.cards == "signs" and not card.is_joker

    def _signed(self, card: Card) -> str:
        """`7♠`, `6♦ as ♥`."""
        sign = card.face.sign[:-1] + SUIT_SIGNS[card.face.suit or ""] + _TEXT_STYLE
        return sign if card is card.face else self.say("card.as", card=sign, suit=SUIT_SIGNS[card.suit or ""] + _TEXT_STYLE)

    def _worded(self, card: Card, case: str) -> str:
        words = self._language
        if card.is_joker:
            return words.jokers[str(card)][case]
        name = self.say("card", rank=words.ranks[card.rank][case], of=words.suits[card.face.suit or ""]["of"])
        return name if card is card.face else self.say("card.as", card=name, suit=words.suits[card.suit or ""]["nom"])


class _Said:
    """A fact while it is written into a sentence."""

    __slots__ = ("value", "voice")

    def __init__(self, voice: Voice, value: object) -> None:
        self.voice, self.value = voice, value

    def __format__(self, how: str) -> str:
        return self.voice._named(self.value, how)
