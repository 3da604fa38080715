"""Test that the students' page has all its texts, in each language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from durak_widget.live.pages import get_words
from durak_widget.live.question import LANGUAGES

SOURCES = Path(__file__).resolve().parents[2] / "durak_widget" / "frontend" / "src" / "live" / "student"
PREFIX = "live.phone."


def declared_keys() -> set[str]:
    """Return the keys that the page declares."""
    return set(re.findall(r'\| "([\w.]+)"', (SOURCES / "texts.ts").read_text("utf-8")))


def test_every_declared_text_is_used() -> None:
    """Each key is named in a module of the page."""
    code = "".join(path.read_text("utf-8") for path in SOURCES.glob("*.ts") if path.name != "texts.ts")
    assert {key for key in declared_keys() if f'"{key}"' not in code} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_exists_with_the_same_values(language: str) -> None:
    """The page gets exactly the texts that it declares."""
    assert set(get_words(language, PREFIX)) - {"lang"} == declared_keys()
    english = get_words("en", PREFIX)
    for key, text in get_words(language, PREFIX).items():
        assert set(re.findall(r"{(\w+)}", text)) == set(re.findall(r"{(\w+)}", english[key])), key
