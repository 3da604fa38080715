"""The sentences that people read, in every language: one file a language.

    en.py  lt.py  ru.py …   each one language: its sentences by key, its names of ranks and suits, its plural forms
    _translation.py         the type of such a file, which sentences it lacks, and how facts (cards, players, counts) get into a sentence

To change or add an English sentence, edit `en.py` alone. A language that lacks a sentence says it in English. So does one whose
translation names a fact that the English sentence no longer has. `python -m durak_widget.i18n` lists each language: how much it says,
and what is missing.

To add a language, run `python -m durak_widget.i18n de`. It writes `de.py` with all that is missing, the most frequent sentences first, between
empty quotes with the English beside it. Run it again at any time: it adds new sentences and keeps what you wrote. `Table(language="de")`
and `defaults(language="de")` speak it at once. Menus offer it when it has 95 % of the sentences and the names of all cards.

A sentence names its facts in the form that it needs: `{card:acc}` in the accusative, `{cards:or}` as a list, `{count:card}` with the noun,
`{said:lower}` as a sentence after a colon. A key that ends in `.you` speaks to the player it is about; `.one`, `.few` … are plural forms.
What the rules say is in English beside each option, and in other languages under `RULES`: `option.<name>.<value>`, `preset.<name>`.
"""

from __future__ import annotations

from functools import lru_cache

from durak_widget.i18n._translation import Fact, Language, Rank, Seat, Suit, Voice, codes, filled, language, offered

__all__ = ["LANGUAGES", "Fact", "Language", "Rank", "Seat", "Suit", "Voice", "called", "codes", "language", "screen", "speak", "spoken"]

LANGUAGES: dict[str, str]
"""The languages that menus offer, those with at least 95 % of the sentences: the code of each, and its own name for itself. `codes()` lists the others too; you can choose one by its code."""

_SPOKEN = ["en"]


def spoken() -> str:
    """The language of what shows itself in a notebook and was told of none, as `durak_widget.defaults` chooses it."""
    return _SPOKEN[0]


def speak(code: str) -> None:
    """Choose that language."""
    _SPOKEN[0] = code


def called(key: str, code: str) -> str:
    """What an opponent is called, on their own.

    >>> called("grandmother", "ru")
    'Бабушка'
    """
    name = language(code).people[key]["nom"]
    return name[0].upper() + name[1:]


def screen(code: str) -> dict[str, str]:
    """What a front end says by itself in that language: its code, labels, roles, bots, and the parts of the name of a card; in English what it has no words for.

    >>> said = screen("en")
    >>> said["trump"], said["talon.one"], said["card"].format(rank=said["rank.7"], of=said["of.c"])
    ('Trump: {suit}', 'Talon, {count} card', '7 of clubs')
    """
    return dict(_screen(code))


@lru_cache
def _screen(code: str) -> dict[str, str]:
    words = language(code)
    sentences = filled(code)
    roles = {key: said for key, said in sentences.items() if key.startswith("role.") and not key.endswith(".you")}
    labels = {key.removeprefix("screen."): said for key, said in sentences.items() if key.startswith("screen.")}
    names = {key: said for key, said in sentences.items() if key in ("card", "card.as") or key.startswith("who.")}
    people = {f"who.{key}": called(key, code) for key in words.people} | {
        key: said for key, said in sentences.items() if key.startswith("people.") and key.endswith(".is")
    }
    ranks = {f"rank.{rank}": forms["nom"] for rank, forms in words.ranks.items()}
    suits = {f"suit.{suit}": forms["nom"] for suit, forms in words.suits.items()}
    of = {f"of.{suit}": forms["of"] for suit, forms in words.suits.items()}
    jokers = {f"joker.{joker}": forms["nom"] for joker, forms in words.jokers.items()}
    return {"lang": code, **labels, **roles, **names, **people, **ranks, **suits, **of, **jokers}


def __getattr__(name: str) -> dict[str, str]:
    if name != "LANGUAGES":
        raise AttributeError(f"durak_widget.i18n has no {name!r}; it has {', '.join(__all__)}")
    found = globals()["LANGUAGES"] = {code: language(code).name for code in offered()}
    return found
