"""The sentences that the user reads, in every language; each language is one file.

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

from durak_widget.i18n._translation import (
    Language,
    Rank,
    Seat,
    Suit,
    TranslatableText,
    Translator,
    get_complete_sentences,
    get_language,
    list_language_codes,
    list_offered_languages,
)

__all__ = [
    "LANGUAGES",
    "Language",
    "Rank",
    "Seat",
    "Suit",
    "TranslatableText",
    "Translator",
    "get_default_language",
    "get_front_end_texts",
    "get_language",
    "get_opponent_name",
    "list_language_codes",
    "set_default_language",
]

LANGUAGES: dict[str, str]
"""The languages that menus offer: each code, with the language's own name for itself.

A language is offered when it has 95 % of the sentences. `list_language_codes()` lists the others too; you can choose one by its code.
"""

_DEFAULT_LANGUAGE = ["en"]


def get_default_language() -> str:
    """Return the default language, which `durak_widget.defaults` sets."""
    return _DEFAULT_LANGUAGE[0]


def set_default_language(code: str) -> None:
    """Set the default language."""
    _DEFAULT_LANGUAGE[0] = code


def get_opponent_name(key: str, code: str) -> str:
    """Return the name of an opponent, for use outside of a sentence.

    >>> get_opponent_name("grandmother", "ru")
    'Бабушка'
    """
    name = get_language(code).people[key]["nom"]
    return name[0].upper() + name[1:]


def get_front_end_texts(code: str) -> dict[str, str]:
    """Return the texts that the front end needs in a language.

    They are its code, labels, roles, bots, and the parts of the name of a card; in English where the language lacks them.

    >>> said = get_front_end_texts("en")
    >>> said["trump"], said["talon.one"], said["card"].format(rank=said["rank.7"], of=said["of.c"])
    ('Trump: {suit}', 'Talon, {count} card', '7 of clubs')
    """
    return dict(_build_front_end_texts(code))


@lru_cache
def _build_front_end_texts(code: str) -> dict[str, str]:
    """Build the texts that the front end needs in a language."""
    words = get_language(code)
    sentences = get_complete_sentences(code)
    roles = {key: text for key, text in sentences.items() if key.startswith("role.") and not key.endswith(".you")}
    labels = {key.removeprefix("screen."): text for key, text in sentences.items() if key.startswith("screen.")}
    names = {key: text for key, text in sentences.items() if key in ("card", "card.as") or key.startswith("who.")}
    people = {f"who.{key}": get_opponent_name(key, code) for key in words.people} | {
        key: text for key, text in sentences.items() if key.startswith("people.") and key.endswith(".is")
    }
    ranks = {f"rank.{rank}": forms["nom"] for rank, forms in words.ranks.items()}
    suits = {f"suit.{suit}": forms["nom"] for suit, forms in words.suits.items()}
    suits_in_card_names = {f"of.{suit}": forms["of"] for suit, forms in words.suits.items()}
    jokers = {f"joker.{joker}": forms["nom"] for joker, forms in words.jokers.items()}
    return {"lang": code, **labels, **roles, **names, **people, **ranks, **suits, **suits_in_card_names, **jokers}


def __getattr__(name: str) -> dict[str, str]:
    """Compute the languages that menus offer when they are first needed."""
    if name != "LANGUAGES":
        raise AttributeError(f"durak_widget.i18n has no {name!r}; it has {', '.join(__all__)}")
    languages = globals()["LANGUAGES"] = {code: get_language(code).name for code in list_offered_languages()}
    return languages
