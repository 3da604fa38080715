"""What one language brings along: its sentences, and the forms of the words that stand in them."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from os.path import dirname  # pathlib costs every import 5 ms
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from durak_widget.errors import DurakError, nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Forms = Mapping[str, str]
    """A word in the cases that the language's sentences ask for; `nom` is the one in a dictionary."""

_FOLDER = [dirname(__file__)]  # noqa: PTH120 - as above


_FACT: Final = re.compile(r"\{(\w+)")
"""A fact that a sentence names, such as `{card:acc}`."""
_WELL_FORMED: Final = re.compile(r"(?:[^{}]|\{[a-z_]+(?::[^{}]*)?\})*")
"""A sentence whose braces hold nothing but facts: no conversions, no attributes, no places."""


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


ENOUGH: Final = 0.95
"""The share of the sentences that a language needs before menus offer it."""


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
