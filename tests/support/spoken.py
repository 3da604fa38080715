"""Shared helpers of language tests: every language, its sentences, and whether they are well formed."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from durak_widget.i18n import Translator, get_language

TRANSLATED = ("en", "lt", "ru")
"""The tested languages. All except English may lack sentences, which are then English."""
EVERY = pytest.mark.parametrize("code", TRANSLATED)
LATIN = re.compile(r"[A-Za-z]{2,}")


def plural_keys(code: str) -> set[str]:
    """Return the keys that exist in all plural forms of the language, without the form."""
    forms = get_language(code).plurals
    keys = get_language(code).sentences.keys()
    return {key.rpartition(".")[0] for key in keys if keys >= {f"{key.rpartition('.')[0]}.{form}" for form in forms}}


def sentence_keys(code: str) -> dict[str, set[str]]:
    """Return what the language can say: each key with the facts in its sentences, without plural forms."""
    found: dict[str, set[str]] = {}
    for key, sentence in get_language(code).sentences.items():
        stem, _, form = key.rpartition(".")
        facts = {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}
        found.setdefault(stem if form in get_language(code).plurals and stem in plural_keys(code) else key, set()).update(facts)
    return found


def is_complete_sentence(said: str) -> bool:
    """Return whether this is a whole sentence without unfilled fields."""
    return said.endswith(".") and said[0] == said[0].upper() and not re.search(r"[{}]|None|  |\.\.| [.,:;]", said)


def english(key: str, /, **facts: str) -> re.Pattern[str]:
    """Return a pattern of the English sentence of `key`, with these facts; any other fact may be anything.

    A test that finds a sentence by its key passes with any wording.
    """
    parts = Formatter().parse(get_language("en").sentences[key])
    found = (re.escape(text) + (re.escape(facts[fact]) if fact in facts else "" if fact is None else ".*?") for text, fact, _, _ in parts)
    return re.compile("".join(found), re.IGNORECASE)


def text_without_drawings(text: str) -> str:
    """Return the text that a page has where it draws the symbol of a suit after its name."""
    return re.sub(r"\N{NO-BREAK SPACE}[♣♦♥♠]\ufe0e", "\N{NO-BREAK SPACE}", text)


def english_text(key: str, /, **facts: object) -> str:
    """Return the English sentence of `key` with its facts, as the package writes it.

    A fact may be a text that the sentence shows as it is, such as `the 7 of clubs`. A key of a plural form ends in `.one` or `.other`.
    """
    return Translator().translate(key, **facts)
