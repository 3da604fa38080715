"""A language for tests: each sentence is its key and its facts, such as `deed.beat|card=9c|target=7c|who=Player 2`.

Stored files in it do not change when an English sentence is reworded, only when it gets another key or other facts. No real language has its code.
"""

from __future__ import annotations

import re
from typing import Final

from durak_widget.i18n import get_language
from durak_widget.i18n._translation import Language
from durak_widget.rules.rules_form import collect_rule_sentences

_FACT: Final = re.compile(r"\{(\w+)[^}]*\}")
_ENGLISH: Final = get_language("en")
_IN_SENTENCES: Final = {"sentence": "{said}", "none": "none", "card": "{rank}{of}", "card.as": "{card}={suit}", "card.said": "{card}"}
"""The parts of cards and of whole sentences."""


class _AnyForm(dict[str, str]):
    """The same form of a word for every case."""

    def __missing__(self, _: str) -> str:
        return self["nom"]


def _keyed(key: str, sentence: str) -> str:
    facts = dict.fromkeys(_FACT.findall(sentence))
    return "|".join([key, *(f"{name}={{{name}}}" for name in sorted(facts))])


def _letters(names: object) -> dict[str, _AnyForm]:
    return {letter: _AnyForm(nom=letter) for letter in names}  # type: ignore[attr-defined]


LANGUAGE: Final = Language(
    name="keys",
    plurals=_ENGLISH.plurals,
    plural=_ENGLISH.plural,
    ranks=_letters(_ENGLISH.ranks),
    suits=_letters(_ENGLISH.suits),
    jokers=_letters(_ENGLISH.jokers),
    symbol_forms={},
    seat=_AnyForm(nom="seat {number}"),
    player=_AnyForm(nom="Player {number}"),
    you=_AnyForm(nom="you"),
    people=_letters(_ENGLISH.people),
    conjunctions=dict.fromkeys(_ENGLISH.conjunctions, ", ") | {"": ", "},
    nouns={noun: dict.fromkeys(_ENGLISH.plurals, noun) for noun in _ENGLISH.nouns},
    sentences={key: _keyed(key, said) for key, said in _ENGLISH.sentences.items()} | _IN_SENTENCES,
    rules={key: _keyed(key, said.replace("{s}", "")) for key, said in collect_rule_sentences().items()},
)
