"""Defines a translation (sentences and word forms) and formats sentences in its language.

The formatter also knows how cards are named, and which player is addressed as `you`. A sentence that a
language lacks is said in English.
"""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass, replace
from functools import lru_cache
from importlib import import_module
from os.path import dirname  # pathlib costs every import 5 ms
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, cast

from durak_widget.cards import SUIT_SIGNS, Card
from durak_widget.errors import DurakError, nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Forms = Mapping[str, str]
    """A word in the cases that the language's sentences ask for; `nom` is the one in a dictionary."""

NAMINGS: Final = ("words", "signs", "codes")
_TEXT_STYLE: Final = "\ufe0e"
"""After a sign: a letter, not a coloured picture."""
_FOLDER = [dirname(__file__)]  # noqa: PTH120 - as above
_FACT: Final = re.compile(r"\{(\w+)")
"""A fact that a sentence names, such as `{card:acc}`."""
_WELL_FORMED: Final = re.compile(r"(?:[^{}]|\{[a-z_]+(?::[^{}]*)?\})*")
"""A sentence whose braces hold nothing but facts: no conversions, no attributes, no places."""
ENOUGH: Final = 0.95
"""The share of the sentences that a language needs before menus offer it."""
Naming = Literal["words", "signs", "codes"]


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


class Language(NamedTuple):
    """One translation."""

    name: str
    """What the language calls itself."""
    plurals: tuple[str, ...]
    """The plural forms that it has for whole numbers, by their names in the Unicode CLDR."""
    plural: Callable[[int], str]
    """Which of them a number takes."""
    ranks: Mapping[str, Forms]
    """The names of the ranks."""
    suits: Mapping[str, Forms]
    """The names of the suits; `of` is the form in the name of a card."""
    jokers: Mapping[str, Forms]
    """The names of the two jokers."""
    signed: Forms
    """How a card written as a sign shows a case that can only be heard in its name."""
    seat: Forms
    """A seat as programs count it, from 0."""
    player: Forms
    """The same as people at the table count, from 1."""
    you: Forms
    """The one who is spoken to."""
    people: Mapping[str, Forms]
    """The opponents, by the keys that `bots.opponents` gives them, as they are called in a sentence."""
    joints: Mapping[str, str]
    """What stands before the last item of a list."""
    nouns: Mapping[str, Mapping[str, str]]
    """What is counted, in each plural form; `zero` is what is said, without a number, where there is none."""
    sentences: Mapping[str, str]
    """The sentences by their keys. Behind a key, `.you` speaks to the seat that the sentence is about, `.typed` to those who
    type moves, and the name of a plural form is for a `{count}` of that form."""
    point: str = "."
    """What stands before the decimals of a number."""
    rules: Mapping[str, str] = {}
    """What it says of the rules; in English each of these stands beside its option, and what a language lacks here is said so.
    Keys: `option.<name>.<value>`; for a number `option.<name>`, where the name of a plural form may follow, `.zero` and `.none`;
    `preset.<name>` and `preset.<name>.title`."""

    def sentence(self, key: str, count: object = None) -> str | None:
        """The sentence of that key, or the one for that number; None where it leaves that to English."""
        return self._of(self.sentences, key, count)

    def rule(self, key: str, count: int = 0) -> str | None:
        """What it says of a rule, in the form for that number; None where it leaves that to English.

        >>> language("ru").rule("preset.neighbours.title"), language("en").rule("preset.neighbours.title")
        ('Соседи', None)
        """
        return self._of(self.rules, key, count)

    def _of(self, said: Mapping[str, str], key: str, count: object) -> str | None:
        """What has no words yet is left to English, and so is what has none for this number."""
        return said.get(key) or (said.get(f"{key}.{self.plural(count)}") if isinstance(count, int) else None) or None


@lru_cache
def codes() -> tuple[str, ...]:
    """The codes of all languages there are, drafts too: the names of their files.

    >>> "en" in codes()
    True
    """
    from pkgutil import iter_modules  # noqa: PLC0415 - asked once, and by no program that says nothing

    return tuple(sorted(module.name for module in iter_modules(_FOLDER) if not module.name.startswith("_")))


@lru_cache
def offered() -> tuple[str, ...]:
    """Return the codes of the languages that menus offer: those with 95 % of the sentences and the names of all cards.

    >>> "en" in offered(), set(offered()) <= set(codes())
    (True, True)
    """
    return tuple(code for code in codes() if _is_offered(code))


def _is_offered(code: str) -> bool:
    try:
        return share_translated(language(code)) >= ENOUGH and names_all_cards(language(code))
    except Exception:  # noqa: BLE001 - a file that somebody is still writing; Voice(code) says what is wrong with it
        return False


def share_translated(words: Language) -> float:
    """Return the share of the English sentences that a language says itself, from 0 to 1."""
    english = language("en")
    return 1 - len(lacking(words.sentences, words.plurals)) / len(forms(english.sentences, english.plurals, words.plurals))


def names_all_cards(words: Language) -> bool:
    """Return whether a language has a name for each rank, suit and joker, in the forms that stand alone and in the name of a card."""
    english = language("en")
    return all(
        (theirs.get(letter) or {}).get(form)
        for theirs, ours, form in (
            (words.ranks, english.ranks, "nom"),
            (words.suits, english.suits, "nom"),
            (words.suits, english.suits, "of"),
            (words.jokers, english.jokers, "nom"),
        )
        for letter in ours
    )


@lru_cache
def filled(code: str) -> Mapping[str, str]:
    """The sentences of a language by their keys; in English those that it lacks.

    >>> filled("en") == language("en").sentences
    True
    """
    words, english = language(code), language("en")
    theirs = forms(english.sentences, english.plurals, words.plurals)
    return {key: said for key, said in words.sentences.items() if said} | {
        key: theirs[key] for key in lacking(words.sentences, words.plurals)
    }


def lacking(said: Mapping[str, str], plurals: tuple[str, ...]) -> list[str]:
    """Return the keys of the sentences that must be said in English, in the order of English, in the plural forms of this language.

    Those are the missing ones, and those that name a fact that the English sentence does not have: nobody would supply it.

    >>> lacking({"screen.hand": "Jūsų kortos"}, ("one", "few", "other"))[3:8]
    ['card.as', 'card.said', 'screen.region', 'screen.table', 'screen.talon.one']
    """
    english = language("en")
    asked, stems = forms(english.sentences, english.plurals, plurals), counted(english.sentences, english.plurals)

    def is_said(key: str) -> bool:
        stem = uncounted(key, stems, plurals)
        sentence = said.get(key) or said.get(stem)
        if not sentence:
            return False
        given = asked[key] if stem == key else " ".join(english.sentences.get(f"{stem}.{form}", "") for form in english.plurals)
        return given == sentence or facts_in(sentence) <= facts_in(given)

    return [key for key in asked if not is_said(key)]


def facts_in(sentence: str) -> set[str]:
    """Return the names of the facts in a sentence, or what no sentence has where its braces are not in order.

    >>> sorted(facts_in("{who} beats {card:acc}")), facts_in("{card!r}") == facts_in("{card") == {"?"}
    (['card', 'who'], True)
    """
    return set(_FACT.findall(sentence)) if is_well_formed(sentence) else {"?"}


def is_well_formed(sentence: str) -> bool:
    """Return whether the braces of a sentence hold nothing but facts, each in a form that it asks for.

    >>> is_well_formed("{who} beats {card:acc}"), is_well_formed("{card.voice}")
    (True, False)
    """
    return _WELL_FORMED.fullmatch(sentence) is not None


def forms(said: Mapping[str, str], theirs: tuple[str, ...], plurals: tuple[str, ...]) -> dict[str, str]:
    """All that is said, by the keys under which a language with these plural forms says it.

    >>> forms({"you": "you", "card.one": "1 card", "card.other": "cards"}, ("one", "other"), ("one", "few", "many"))
    {'you': 'you', 'card.one': '1 card', 'card.few': 'cards', 'card.many': 'cards'}
    """
    stems = counted(said, theirs)
    found: dict[str, str] = {}
    for key, sentence in said.items():
        stem = uncounted(key, stems, theirs)
        found |= (
            {key: sentence}
            if stem == key
            else {f"{stem}.{one}": said.get(f"{stem}.{one}", said[f"{stem}.{theirs[-1]}"]) for one in plurals}
        )
    return found


def counted(said: Mapping[str, str], plurals: tuple[str, ...]) -> set[str]:
    """The keys that stand there in each of these plural forms, without the form."""
    stems = {key.removesuffix(f".{plurals[0]}") for key in said if key.endswith(f".{plurals[0]}")}
    return {stem for stem in stems if all(f"{stem}.{form}" in said for form in plurals)}


def uncounted(key: str, stems: set[str], plurals: tuple[str, ...]) -> str:
    """A key without its plural form, if it has one of these.

    >>> uncounted("card.one", {"card"}, ("one", "other")), uncounted("card.as", {"card"}, ("one", "other"))
    ('card', 'card.as')
    """
    stem, _, form = key.rpartition(".")
    return stem if form in plurals and stem in stems else key


def language(code: str) -> Language:
    """The language of a code.

    >>> language("en").name
    'English'
    """
    if code not in codes():  # whatever it is: what is no text is not among them
        raise DurakError(f"there are no words in {quoted(code)}; there are words in {', '.join(offered())}.{nearest(code, codes())}")
    return _found(code)


@lru_cache
def _found(code: str) -> Language:
    return cast("Language", import_module(f"durak_widget.i18n.{code}").LANGUAGE)
