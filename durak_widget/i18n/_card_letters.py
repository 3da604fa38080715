"""Defines the letters that cards show: J Q K A, or the letters of a language.

The letters are only for readers. Files, links, codes and Python use `2`–`9`, `T`, `J`, `Q`, `K` and `A` in every language.

Sources for the letters of each language:

- Russian decks have В, Д, К and Т (валет, дама, король, туз). See the table of indices at https://members.tripod.com/a_pollett/cardindd.htm and
  the "card symbol" entries in `po/ru.po` of GNOME's Aisleriot.
- Lithuanian letters are the first letters of the names: B (bartukas or berniukas), D (dama), K (karalius) and T (tūzas). `po/lt.po` of Aisleriot has
  B, K and T too. It has M for the queen, although its sentences call her "dama"; here she has D. Many decks sold in Lithuania have J, Q, K and A, and
  so does the glossary https://casinoguru.lt/kazino-terminai/card-abbreviations/; the setting `international` is for them.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

from durak_widget.cards import Card

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CARD_LETTERS: Final[Mapping[str, Mapping[str, str]]] = {
    "international": {"T": "10", "J": "J", "Q": "Q", "K": "K", "A": "A"},
    "russian": {"T": "10", "J": "В", "Q": "Д", "K": "К", "A": "Т"},
    "lithuanian": {"T": "10", "J": "B", "Q": "D", "K": "K", "A": "T"},
}
"""For each choice of letters: what a card shows for a rank. Other ranks are shown as they are."""
CARD_LETTER_CHOICES: Final = ("auto", *CARD_LETTERS)
"""The values of the setting `card_letters`; `auto` means the letters of the language."""
_default_choice: Final = ["auto"]
_choice_in_block: Final = ContextVar("card_letters", default="")
_SIGN_PATTERN: Final = re.compile(r"(?<!\w)[JQKA](?=[♣♦♥♠])")
_LATIN_TEN_PATTERN: Final = re.compile(r"(?<!\w)T[cdhs♣♦♥♠](?!\w)", re.IGNORECASE)


def get_default_card_letters() -> str:
    """Return the user's default for the setting `card_letters`."""
    return _choice_in_block.get() or _default_choice[0]


def set_default_card_letters(choice: str) -> None:
    """Set the default of the setting `card_letters`, which `durak_widget.defaults` sets."""
    _default_choice[0] = choice


@contextmanager
def use_card_letters(choice: str) -> Iterator[None]:
    """Use a value of the setting `card_letters` as the default in a `with` block.

    >>> with use_card_letters("russian"):
    ...     get_default_card_letters()
    'russian'
    >>> get_default_card_letters()
    'auto'
    """
    token = _choice_in_block.set(choice)
    try:
        yield
    finally:
        _choice_in_block.reset(token)


def localize_signs(text: str, letters: Mapping[str, str]) -> str:
    """Replace J, Q, K and A before suit symbols in a text by the given letters.

    >>> localize_signs("K♠ 10♦ A♥", CARD_LETTERS["lithuanian"])
    'K♠ 10♦ T♥'
    """
    return _SIGN_PATTERN.sub(lambda match: letters[match[0]], text)


def find_ambiguous_ten(text: str, letters: Mapping[str, str]) -> dict[str, str]:
    """Find a typed card that can be a ten or an ace.

    Return the card, how to write each, and the text with aces; return {} if no card is ambiguous. A typed T is the ten.
    But if the cards show the Latin letter T for the ace, the user may mean the ace.

    >>> find_ambiguous_ten("beat 9s t♠", CARD_LETTERS["lithuanian"])
    {'text': 't♠', 'ten': '10s', 'ace': 'As', 'as_ace': 'beat 9s As'}
    >>> find_ambiguous_ten("beat 9s Ts", CARD_LETTERS["international"])
    {}
    """
    match = _LATIN_TEN_PATTERN.search(text) if letters["A"] == "T" else None
    if match is None:
        return {}
    suit = Card(match[0]).suit
    as_ace = _LATIN_TEN_PATTERN.sub(lambda ten: f"A{Card(ten[0]).suit}", text)
    return {"text": match[0], "ten": f"10{suit}", "ace": f"A{suit}", "as_ace": as_ace}
