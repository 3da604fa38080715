"""What the tests of words share: every language, what it can say, and whether that is well said."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from durak_widget.words import Voice, language

WHOLE = ("en", "lt", "ru")
"""The languages that say all, and are to stay so: what one of them lacks is named, while one that is being written may lack anything."""
EVERY = pytest.mark.parametrize("code", WHOLE)
LATIN = re.compile(r"[A-Za-z]{2,}")


def groups(code: str) -> set[str]:
    """The keys that stand in all plural forms of the language, without the form."""
    forms = language(code).plurals
    keys = language(code).sentences.keys()
    return {key.rpartition(".")[0] for key in keys if keys >= {f"{key.rpartition('.')[0]}.{form}" for form in forms}}


def keys(code: str) -> dict[str, set[str]]:
    """What the language can say, whatever its plural forms: each key with the facts that its sentences name."""
    found: dict[str, set[str]] = {}
    for key, sentence in language(code).sentences.items():
        stem, _, form = key.rpartition(".")
        facts = {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}
        found.setdefault(stem if form in language(code).plurals and stem in groups(code) else key, set()).update(facts)
    return found


def well_said(said: str, voice: Voice) -> bool:
    """Whether this is a whole sentence in its language."""
    whole = said.endswith(".") and said[0] == said[0].upper() and not re.search(r"[{}]|None|  |\.\.| [.,:;]", said)
    foreign = LATIN.search(said) if voice.language == "ru" and voice.cards != "codes" else None
    return whole and foreign is None
