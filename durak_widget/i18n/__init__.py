"""All texts that users read, in every language; each language is one file.

    en.py  lt.py  ru.py …   one language each: its sentences by key, its names of ranks and suits, its plural forms
    _card_letters.py        the letters that cards show, and their sources
    _translation.py         the class of a language, the search for missing sentences, and the formatting of facts (cards, players, counts)

To change or add an English sentence, edit only `en.py`. If a language lacks a sentence, users see the English sentence. They also see it if the
translation contains a fact that the English sentence no longer has. `python -m durak_widget.i18n` prints for each language how much is translated
and what is missing.

To add a language, run `python -m durak_widget.i18n de`. The command writes `de.py` with all missing sentences, the most frequent ones first, as
empty strings with the English text beside them. Run it again at any time: it adds new sentences and keeps your translations.
`Table(language="de")` and `defaults(language="de")` use the language at once. Menus offer a language when it has 95 % of the sentences and the
names of all cards.

A fact in a sentence has the grammatical form that the sentence needs: `{card:acc}` is in the accusative, `{cards:or}` is a list, `{count:card}`
has a noun, and `{said:lower}` is a sentence after a colon. A key that ends in `.you` is for the player that the sentence is about; `.one`,
`.few` … are plural forms. The English explanations of rules are beside each rule option; other languages have them under `RULES`, with the keys
`option.<name>.<value>` and `preset.<name>`.
"""

from __future__ import annotations

from functools import lru_cache

from durak_widget.i18n._card_letters import (
    CARD_LETTER_CHOICES,
    CARD_LETTERS,
    find_ambiguous_ten,
    get_default_card_letters,
    set_default_card_letters,
    use_card_letters,
)
from durak_widget.i18n._translation import (
    Language,
    Rank,
    Seat,
    Suit,
    TranslatableText,
    Translator,
    choose_card_letters,
    get_complete_sentences,
    get_language,
    list_language_codes,
    list_offered_languages,
)

__all__ = [
    "CARD_LETTERS",
    "CARD_LETTER_CHOICES",
    "LANGUAGES",
    "Language",
    "Rank",
    "Seat",
    "Suit",
    "TranslatableText",
    "Translator",
    "choose_card_letters",
    "find_ambiguous_ten",
    "get_default_card_letters",
    "get_default_language",
    "get_front_end_texts",
    "get_language",
    "get_opponent_name",
    "list_language_codes",
    "set_default_card_letters",
    "set_default_language",
    "use_card_letters",
]

LANGUAGES: dict[str, str]
"""The languages that menus offer: for each language code, the name of the language in the language itself.

Menus offer a language when it has 95 % of the sentences. `list_language_codes()` also lists the others, which users can choose by their codes.
"""

_DEFAULT_LANGUAGE = ["en"]


def get_default_language() -> str:
    """Return the code of the default language, which `durak_widget.defaults` sets."""
    return _DEFAULT_LANGUAGE[0]


def set_default_language(code: str) -> None:
    """Set the default language of all widgets, by its language code."""
    _DEFAULT_LANGUAGE[0] = code


def get_opponent_name(key: str, code: str) -> str:
    """Return the name of a named opponent in a given language, for use outside of sentences.

    >>> get_opponent_name("grandmother", "ru")
    'Бабушка'
    """
    name = get_language(code).people[key]["nom"]
    return name[0].upper() + name[1:]


def get_front_end_texts(code: str, card_letters: str = "") -> dict[str, str]:
    """Return all texts that the front end needs, in a given language.

    They are the language code, labels, roles, bot names, the parts of card names, and the letters that cards show. Missing texts are in English.
    `card_letters` is a value of the setting with this name; if it is "", use the user's default.

    >>> texts = get_front_end_texts("en")
    >>> texts["trump"], texts["talon.one"], texts["card"].format(rank=texts["rank.7"], of=texts["of.c"])
    ('Trump: {suit}', 'Talon, {count} card', '7 of clubs')
    """
    letters = CARD_LETTERS[choose_card_letters(code, card_letters)]
    return {**_build_front_end_texts(code), **{f"letter.{rank}": letter for rank, letter in letters.items()}}


@lru_cache
def _build_front_end_texts(code: str) -> dict[str, str]:
    """Build all texts that the front end needs, in a given language."""
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
    """Compute the constant `LANGUAGES` when it is first used."""
    if name != "LANGUAGES":
        raise AttributeError(f"durak_widget.i18n has no {name!r}; it has {', '.join(__all__)}")
    languages = globals()["LANGUAGES"] = {code: get_language(code).name for code in list_offered_languages()}
    return languages
