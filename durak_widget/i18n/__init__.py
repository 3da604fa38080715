"""The sentences that people read, in every language; each language is one file.

    en.py  lt.py  ru.py …   each one language: its sentences by key, its names of ranks and suits, its plural forms
    _translation.py         the type of such a file, which sentences it lacks, and how facts (cards, players, counts) get into a sentence

To change or add an English sentence, edit `en.py` alone. A language that lacks a sentence says it in English. So does one whose
translation names a fact that the English sentence no longer has. `python -m durak_widget.i18n` lists each language: how much it says,
and what is missing.

To add a language, run `python -m durak_widget.i18n de`. It writes `de.py` with all that is missing, the most frequent sentences first,
between empty quotes with the English beside it. Run it again at any time: it adds new sentences and keeps what you wrote.
`Table(language="de")` and `defaults(language="de")` speak it at once. Menus offer it when it has 95 % of the sentences and the names of the cards.

A sentence names its facts in the form that it needs: `{card:acc}` in the accusative, `{cards:or}` as a list, `{count:card}` with the noun,
`{said:lower}` as a sentence after a colon. A key that ends in `.you` speaks to the player it is about; `.one`, `.few` … are plural forms.
The rules are explained in English beside each option, and in other languages under `RULES`: `option.<name>.<value>`, `preset.<name>`.
"""

from __future__ import annotations

from functools import lru_cache

from durak_widget.i18n._translation import Fact, Language, Rank, Seat, Suit, Voice, codes, filled, language, offered

__all__ = ["LANGUAGES", "Fact", "Language", "Rank", "Seat", "Suit", "Voice", "called", "codes", "language", "screen", "speak", "spoken"]

LANGUAGES: dict[str, str]
"""The languages that menus offer: each code, and the language's own name for itself.

A language is offered when it has 95 % of the sentences. `codes()` lists the others too; you can choose one by its code.
"""

_SPOKEN = ["en"]


def spoken() -> str:
    """Return the default language, which `durak_widget.defaults` sets."""
    return _SPOKEN[0]


def speak(code: str) -> None:
    """Set the default language."""
    _SPOKEN[0] = code


def called(key: str, code: str) -> str:
    """Return the name of an opponent, outside of a sentence.

    >>> called("grandmother", "ru")
    'Бабушка'
    """
    name = language(code).people[key]["nom"]
    return name[0].upper() + name[1:]


def screen(code: str) -> dict[str, str]:
    """Return the texts that a front end needs in a language.

    They are its code, labels, roles, bots, and the parts of the name of a card; in English where the language lacks them.

    >>> said = screen("en")
    >>> said["trump"], said["talon.one"], said["card"].format(rank=said["rank.7"], of=said["of.c"])
    ('Trump: {suit}', 'Talon, {count} card', '7 of clubs')
    """
    return dict(_screen(code))


@lru_cache
def _screen(code: str) -> dict[str, str]:
    """Build the texts that a front end needs."""
    words = language(code)
    sentences = filled(code)
    roles = {key: text for key, text in sentences.items() if key.startswith("role.") and not key.endswith(".you")}
    labels = {key.removeprefix("screen."): text for key, text in sentences.items() if key.startswith("screen.")}
    names = {key: text for key, text in sentences.items() if key in ("card", "card.as") or key.startswith("who.")}
    people = {f"who.{key}": called(key, code) for key in words.people} | {
        key: text for key, text in sentences.items() if key.startswith("people.") and key.endswith(".is")
    }
    ranks = {f"rank.{rank}": forms["nom"] for rank, forms in words.ranks.items()}
    suits = {f"suit.{suit}": forms["nom"] for suit, forms in words.suits.items()}
    suits_in_card_names = {f"of.{suit}": forms["of"] for suit, forms in words.suits.items()}
    jokers = {f"joker.{joker}": forms["nom"] for joker, forms in words.jokers.items()}
    return {"lang": code, **labels, **roles, **names, **people, **ranks, **suits, **suits_in_card_names, **jokers}


def __getattr__(name: str) -> dict[str, str]:
    """Find the languages that menus offer, when they are first needed."""
    if name != "LANGUAGES":
        raise AttributeError(f"durak_widget.i18n has no {name!r}; it has {', '.join(__all__)}")
    languages = globals()["LANGUAGES"] = {code: language(code).name for code in offered()}
    return languages
