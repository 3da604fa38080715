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
    """A word in the cases that the language's sentences ask for; `nom` is the dictionary form."""

NAMINGS: Final = ("words", "signs", "codes")
_TEXT_STYLE: Final = "\ufe0e"
"""Written after a sign, to get a letter and not a coloured picture."""
_FOLDER = [dirname(__file__)]  # noqa: PTH120 - as above
_FACT: Final = re.compile(r"\{(\w+)")
"""A fact that a sentence names, such as `{card:acc}`."""
_WELL_FORMED: Final = re.compile(r"(?:[^{}]|\{[a-z_]+(?::[^{}]*)?\})*")
"""A sentence whose braces hold nothing but facts: no conversions, attributes or indices."""
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
    """A sentence within another sentence.

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
    """A formatter of sentences: the language, how cards are named, and which seat is `you`.

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
    """The opponents' keys by seat, for players who are called by a name."""

    def __post_init__(self) -> None:
        if self.cards not in NAMINGS:
            raise DurakError(f"cards={quoted(self.cards)} is no way to name cards; use {', '.join(map(repr, NAMINGS))}")
        language(self.language)

    def say(self, key: str, /, **facts: object) -> str:
        """Return the sentence of a key with these facts; it begins with a capital letter.

        If the language lacks it, all of it is in English.

        >>> Voice().say("screen.cards", count=1), Voice().say("screen.cards", count=2)
        ('1 card', '2 cards')
        """
        sentence = self._filled(key, facts)
        return sentence[0].upper() + sentence[1:] if sentence.endswith(".") else sentence

    def _filled(self, key: str, facts: Mapping[str, object]) -> str:
        """Return the sentence as it is used within another sentence."""
        template = self._template(key, facts)
        if template is None or not (self.language == "en" or is_well_formed(template)):
            if self.language == "en":
                raise KeyError(f"{key!r} has no words for {', '.join(facts) or 'no facts'}")
            return replace(self, language="en")._filled(key, facts)
        try:
            return template.format_map({name: _Said(self, fact) for name, fact in facts.items()})
        except (LookupError, ValueError, TypeError, AttributeError):  # the translation is malformed
            if self.language == "en":
                raise
            return replace(self, language="en")._filled(key, facts)

    def name(self, card: Card) -> str:
        """Return the name of a card, outside of a sentence.

        >>> Voice().name(Card("6d=h")), Voice(cards="codes").name(Card("6d=h")), Voice().name(Card("Xr"))
        ('6 of diamonds as hearts', '6d=h', 'red joker')
        """
        return str(card) if self.cards == "codes" else self._signed(card) if self._by_sign(card) else self._worded(card, "nom")

    def player(self, seat: int) -> str:
        """Return the name of the player at a seat, outside of a sentence.

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
        """Find the sentence of a key, before its facts are filled in."""
        words, count = self._language, facts.get("count")
        return next((sentence for variant in self._variants(key, facts) if (sentence := words.sentence(variant, count))), None)

    def _variants(self, key: str, facts: Mapping[str, object]) -> Iterator[str]:
        """Yield the keys that the sentence may have, the most specific first."""
        who = facts.get("who")
        is_addressed = self.me is not None and Seat(self.me) in ((who,) if isinstance(who, Seat) or not isinstance(who, tuple) else who)
        yield from (f"{key}.typed",) * (self.cards == "codes") + (f"{key}.you",) * is_addressed + (key,)

    def _named(self, value: object, how: str) -> str:
        """Format a fact in the form that its sentence asks for."""
        if isinstance(value, Fact):
            if how == "within":
                return self._filled(value.key, value.facts)
            sentence = self.say(value.key, **value.facts)
            return sentence[:1].lower() + sentence[1:] if how == "lower" else sentence
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
        """Format a number with its noun in the right plural form."""
        return noun["zero"] if number == 0 and "zero" in noun else f"{number} {noun[self._language.plural(number)]}"

    def _list(self, values: Iterable[object], how: str) -> str:
        """Format facts as a list, such as `a, b or c`.

        The first word of the form is the conjunction.
        """
        joint, _, rest = how.partition(" ")
        *first, last = [self._named(value, rest) for value in values] or [self.say("none")]
        if joint == "row":
            return (" " if self.cards == "codes" else ", ").join([*first, last])
        return ", ".join(first) + {"list": ", ", **self._language.joints}[joint] + last if first else last

    def _seat(self, seat: Seat, how: str) -> str:
        """Format the player at a seat."""
        words, has_codes = self._language, self.cards == "codes"
        forms = words.you if seat.number == self.me else words.seat if has_codes else words.people.get(self._name_at(seat), words.player)
        text = forms[how.removesuffix("capital").strip() or "nom"].format(number=seat.number + (not has_codes))
        return text[0].upper() + text[1:] if how.endswith("capital") else text

    def _name_at(self, seat: Seat) -> str:
        """Return the key of the opponent at a seat; empty if there is none."""
        return next((key for number, key in self.people if number == seat.number), "")

    def _card(self, card: Card, how: str) -> str:
        """Format a card."""
        case = how.removesuffix("laid").strip() or "nom"
        if self.cards == "words" or (self.cards == "signs" and card.is_joker):
            return self.say("card.said", card=self._worded(card, case))
        named = self._signed(card) if self.cards == "signs" else str(card)
        if self.cards == "codes" and card is not card.face and how.endswith("laid"):
            named = f"{Card.of(card.counts)} ({card})"  # as a move names it, and how it was played
        return self._language.signed.get(case, "{card}").format(card=named)

    def _by_sign(self, card: Card) -> bool:
        """Return whether a card is written as a sign."""
        return self.cards == "signs" and not card.is_joker

    def _signed(self, card: Card) -> str:
        """Format a card as a sign: `7♠`, `6♦ as ♥`."""
        sign = card.face.sign[:-1] + SUIT_SIGNS[card.face.suit or ""] + _TEXT_STYLE
        return sign if card is card.face else self.say("card.as", card=sign, suit=SUIT_SIGNS[card.suit or ""] + _TEXT_STYLE)

    def _worded(self, card: Card, case: str) -> str:
        """Format a card in words."""
        words = self._language
        if card.is_joker:
            return words.jokers[str(card)][case]
        name = self.say("card", rank=words.ranks[card.rank][case], of=words.suits[card.face.suit or ""]["of"])
        return name if card is card.face else self.say("card.as", card=name, suit=words.suits[card.suit or ""]["nom"])


class _Said:
    """A fact that `str.format` writes into a sentence."""

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
    """The plural forms of whole numbers, by their names in the Unicode CLDR."""
    plural: Callable[[int], str]
    """A function that returns the plural form of a number."""
    ranks: Mapping[str, Forms]
    """The names of the ranks."""
    suits: Mapping[str, Forms]
    """The names of the suits; `of` is the form in the name of a card."""
    jokers: Mapping[str, Forms]
    """The names of the two jokers."""
    signed: Forms
    """The way in which a card written as a sign shows a case that its sign can't show."""
    seat: Forms
    """A seat as programs count it, from 0."""
    player: Forms
    """The same as people at the table count, from 1."""
    you: Forms
    """The player who is spoken to."""
    people: Mapping[str, Forms]
    """The opponents in a sentence, by the keys that `bots.opponents` gives them."""
    joints: Mapping[str, str]
    """The conjunctions before the last item of a list."""
    nouns: Mapping[str, Mapping[str, str]]
    """The nouns for counts, in each plural form; `zero` is the text without a number."""
    sentences: Mapping[str, str]
    """The sentences by their keys. Behind a key, `.you` speaks to the seat that the sentence is about, `.typed` to those who
    type moves, and the name of a plural form is for a `{count}` of that form."""
    point: str = "."
    """The decimal point."""
    rules: Mapping[str, str] = {}
    """The texts about rules.

    In English these are beside each option, and other languages fall back to them.
    Keys: `option.<name>.<value>`; for a number `option.<name>`, where the name of a plural form may follow, `.zero` and `.none`;
    `preset.<name>` and `preset.<name>.title`.
    """

    def sentence(self, key: str, count: object = None) -> str | None:
        """Return the sentence of a key, in the form for a count; None if it is not translated."""
        return self._of(self.sentences, key, count)

    def rule(self, key: str, count: int = 0) -> str | None:
        """Return the text about a rule, in the form for a count; None if it is not translated.

        >>> language("ru").rule("preset.neighbours.title"), language("en").rule("preset.neighbours.title")
        ('Соседи', None)
        """
        return self._of(self.rules, key, count)

    def _of(self, said: Mapping[str, str], key: str, count: object) -> str | None:
        """Find a text; an empty one counts as missing."""
        return said.get(key) or (said.get(f"{key}.{self.plural(count)}") if isinstance(count, int) else None) or None


@lru_cache
def codes() -> tuple[str, ...]:
    """Return the codes of all languages, drafts too: the names of their files.

    >>> "en" in codes()
    True
    """
    from pkgutil import iter_modules  # noqa: PLC0415 - asked once, and by no program that says nothing

    return tuple(sorted(module.name for module in iter_modules(_FOLDER) if not module.name.startswith("_")))


@lru_cache
def offered() -> tuple[str, ...]:
    """Return the codes of the languages that menus offer.

    Those have 95 % of the sentences and the names of all cards.

    >>> "en" in offered(), set(offered()) <= set(codes())
    (True, True)
    """
    return tuple(code for code in codes() if _is_offered(code))


def _is_offered(code: str) -> bool:
    """Return whether menus offer a language."""
    try:
        return share_translated(language(code)) >= ENOUGH and names_all_cards(language(code))
    except Exception:  # noqa: BLE001 - a file that somebody is still writing; Voice(code) says what is wrong with it
        return False


def share_translated(words: Language) -> float:
    """Return the share of the English sentences that a language translates, from 0 to 1."""
    english = language("en")
    return 1 - len(lacking(words.sentences, words.plurals)) / len(forms(english.sentences, english.plurals, words.plurals))


def names_all_cards(words: Language) -> bool:
    """Return whether a language has a name for each rank, suit and joker.

    It needs the form that stands alone, and for suits the form in the name of a card.
    """
    english = language("en")
    return all(
        (names.get(letter) or {}).get(form)
        for names, english_names, form in (
            (words.ranks, english.ranks, "nom"),
            (words.suits, english.suits, "nom"),
            (words.suits, english.suits, "of"),
            (words.jokers, english.jokers, "nom"),
        )
        for letter in english_names
    )


@lru_cache
def filled(code: str) -> Mapping[str, str]:
    """Return the sentences of a language by key; in English those that it lacks.

    >>> filled("en") == language("en").sentences
    True
    """
    words, english = language(code), language("en")
    english_sentences = forms(english.sentences, english.plurals, words.plurals)
    return {key: sentence for key, sentence in words.sentences.items() if sentence} | {
        key: english_sentences[key] for key in lacking(words.sentences, words.plurals)
    }


def lacking(said: Mapping[str, str], plurals: tuple[str, ...]) -> list[str]:
    """Return the keys of the sentences that are not translated.

    They are in the plural forms of this language and in the order of English. A sentence counts as missing if it names a
    fact that the English one does not have: no caller would supply it.

    >>> lacking({"screen.hand": "Jūsų kortos"}, ("one", "few", "other"))[3:8]
    ['card.as', 'card.said', 'screen.region', 'screen.table', 'screen.talon.one']
    """
    english = language("en")
    english_forms, stems = forms(english.sentences, english.plurals, plurals), counted(english.sentences, english.plurals)

    def is_translated(key: str) -> bool:
        """Return whether a key has a usable sentence."""
        stem = uncounted(key, stems, plurals)
        sentence = said.get(key) or said.get(stem)
        if not sentence:
            return False
        english_sentence = (
            english_forms[key] if stem == key else " ".join(english.sentences.get(f"{stem}.{form}", "") for form in english.plurals)
        )
        return english_sentence == sentence or facts_in(sentence) <= facts_in(english_sentence)

    return [key for key in english_forms if not is_translated(key)]


def facts_in(sentence: str) -> set[str]:
    """Return the names of the facts in a sentence; `{"?"}` if its braces are malformed.

    >>> sorted(facts_in("{who} beats {card:acc}")), facts_in("{card!r}") == facts_in("{card") == {"?"}
    (['card', 'who'], True)
    """
    return set(_FACT.findall(sentence)) if is_well_formed(sentence) else {"?"}


def is_well_formed(sentence: str) -> bool:
    """Return whether the braces of a sentence hold nothing but facts.

    >>> is_well_formed("{who} beats {card:acc}"), is_well_formed("{card.voice}")
    (True, False)
    """
    return _WELL_FORMED.fullmatch(sentence) is not None


def forms(said: Mapping[str, str], theirs: tuple[str, ...], plurals: tuple[str, ...]) -> dict[str, str]:
    """Return all sentences by the keys that a language with these plural forms uses.

    >>> forms({"you": "you", "card.one": "1 card", "card.other": "cards"}, ("one", "other"), ("one", "few", "many"))
    {'you': 'you', 'card.one': '1 card', 'card.few': 'cards', 'card.many': 'cards'}
    """
    stems = counted(said, theirs)
    expanded: dict[str, str] = {}
    for key, sentence in said.items():
        stem = uncounted(key, stems, theirs)
        expanded |= (
            {key: sentence}
            if stem == key
            else {f"{stem}.{plural_form}": said.get(f"{stem}.{plural_form}", said[f"{stem}.{theirs[-1]}"]) for plural_form in plurals}
        )
    return expanded


def counted(said: Mapping[str, str], plurals: tuple[str, ...]) -> set[str]:
    """Return the keys that have a sentence for each plural form, without that form."""
    stems = {key.removesuffix(f".{plurals[0]}") for key in said if key.endswith(f".{plurals[0]}")}
    return {stem for stem in stems if all(f"{stem}.{form}" in said for form in plurals)}


def uncounted(key: str, stems: set[str], plurals: tuple[str, ...]) -> str:
    """Return a key without its plural form, if it has one.

    >>> uncounted("card.one", {"card"}, ("one", "other")), uncounted("card.as", {"card"}, ("one", "other"))
    ('card', 'card.as')
    """
    stem, _, form = key.rpartition(".")
    return stem if form in plurals and stem in stems else key


def language(code: str) -> Language:
    """Return the language of a code.

    >>> language("en").name
    'English'
    """
    if code not in codes():  # a value of any type
        raise DurakError(f"there are no words in {quoted(code)}; there are words in {', '.join(offered())}.{nearest(code, codes())}")
    return _found(code)


@lru_cache
def _found(code: str) -> Language:
    """Import the module of a language."""
    return cast("Language", import_module(f"durak_widget.i18n.{code}").LANGUAGE)
