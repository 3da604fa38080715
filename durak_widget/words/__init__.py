"""What is said to people, in any language? One translation is one file of this folder; when something is said, others know.

    en.py  lt.py  ru.py …   each one language: its sentences by key, its names of ranks and suits, its plural forms
    _language.py            what such a file holds
    _voice.py               how a sentence is said: its facts are values, which the language names

A language is added by adding its file, which `python -m durak_widget.words CODE` writes, and of which it says what is missing. What one does not say is said in English.

To add one: `python -m durak_widget.words de` writes `de.py`: the forms of its nouns, its plurals, and its sentences by the keys of `en.py`, most heard first, each between empty quotes
with the English beside it. Run it again whenever you like: it says how many are left, writes what has come since, and keeps what you wrote. Meanwhile `Table(language="de")` and
`defaults(language="de")` speak it, in English where it has no words; no menu has it, and no test asks anything of it. Once it says all that English says it is offered; then it is put
into `WHOLE` of `tests/spoken.py`, and `tests/words/test_words.py` names what is missing.

A sentence asks for its facts as it needs them: `{card:acc}` in the accusative, `{cards:or}` as a list, `{count:card}` with the noun, `{said:lower}` as a sentence after a colon; behind a key, `.you` speaks to the player it is
about, and `.one`, `.few` … are plural forms. A new sentence is a key in every one of these files. What the rules mean stands in English beside each option, and in the other languages
under `RULES`: `option.<name>.<value>`, `preset.<name>`.
"""

from __future__ import annotations

from functools import lru_cache

from durak_widget.words._language import Language, codes, filled, language, whole
from durak_widget.words._voice import Fact, Rank, Seat, Suit, Voice

__all__ = ["LANGUAGES", "Fact", "Language", "Rank", "Seat", "Suit", "Voice", "called", "codes", "language", "screen", "speak", "spoken"]

LANGUAGES: dict[str, str]
"""The languages that are offered, since they are whole: the code of each, and its own name for itself. `codes()` has the drafts too, which are spoken when they are asked for."""

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
        raise AttributeError(f"durak_widget.words has no {name!r}; it has {', '.join(__all__)}")
    found = globals()["LANGUAGES"] = {code: language(code).name for code in whole()}
    return found
