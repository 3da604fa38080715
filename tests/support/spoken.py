"""What the tests of words share: every language, what it can say, and whether that is well said."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from durak_widget.i18n import get_language

TRANSLATED = ("en", "lt", "ru")
"""The languages that the tests try. Each but English may lack sentences, which are then said in English."""
EVERY = pytest.mark.parametrize("code", TRANSLATED)
LATIN = re.compile(r"[A-Za-z]{2,}")


def groups(code: str) -> set[str]:
    """The keys that stand in all plural forms of the language, without the form."""
    forms = get_language(code).plurals
    keys = get_language(code).sentences.keys()
    return {key.rpartition(".")[0] for key in keys if keys >= {f"{key.rpartition('.')[0]}.{form}" for form in forms}}


def keys(code: str) -> dict[str, set[str]]:
    """What the language can say, whatever its plural forms: each key with the facts that its sentences name."""
    found: dict[str, set[str]] = {}
    for key, sentence in get_language(code).sentences.items():
        stem, _, form = key.rpartition(".")
        facts = {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}
        found.setdefault(stem if form in get_language(code).plurals and stem in groups(code) else key, set()).update(facts)
    return found


def well_said(said: str) -> bool:
    """Return whether this is a whole sentence with nothing left open."""
    return said.endswith(".") and said[0] == said[0].upper() and not re.search(r"[{}]|None|  |\.\.| [.,:;]", said)


def english(key: str, **facts: str) -> re.Pattern[str]:
    """Return a pattern of the English sentence of `key`, with these facts; any other fact may be anything.

    A test that looks for a sentence by its key passes however the sentence is worded.
    """
    parts = Formatter().parse(get_language("en").sentences[key])
    found = (re.escape(text) + (re.escape(facts[fact]) if fact in facts else "" if fact is None else ".+?") for text, fact, _, _ in parts)
    return re.compile("".join(found), re.IGNORECASE)
