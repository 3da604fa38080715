"""Options: their values, a sentence for each value, and how wrong values are refused.

Each rule module declares its options with `choice`, `number` and `letters` as fields of a small frozen dataclass; `Rules` is their union.
So an option, its sentences, its checks and its rule are in one module. The sentences in other languages are in `i18n/`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from durak_widget.cards import SUIT_SIGNS
from durak_widget.errors import RulesError, nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.i18n import Language


_MOST = 1_000_000


@dataclass(frozen=True)
class Choice:
    """An option with a few values, each with its sentence."""

    says: Mapping[Any, str]

    def values(self) -> str:
        """Return the possible values as a reader may write them."""
        return ", ".join(map(repr, self.says))

    def accepts(self, value: object) -> bool:
        """Return whether the value is one of them, of exactly the same type (1 is not True)."""
        return any(value == known and type(value) is type(known) for known in self.says if isinstance(value, (str, bool, int)))

    def read(self, text: str) -> object:
        """Parse a text into a value; return the text itself if it is none."""
        return next((value for value in self.says if str(value).lower() == text.lower()), text)

    def sentence(self, value: object, words: Language, key: str) -> str:
        """Return the sentence for a value in a language; `key` is the key of the option."""
        return words.rule(f"{key}.{value}") or self.says[value]

    def near(self, value: object) -> str:
        """Return a hint with the value that was probably meant."""
        words = [known for known in self.says if isinstance(known, str)]
        same = [word for word in words if isinstance(value, str) and (word == value.lower() or word == value.lower()[:1])]
        return f" Did you mean {same[0]!r}?" if same else nearest(value, words)


@dataclass(frozen=True)
class Number:
    """An option that is a number."""

    says: str
    least: int
    zero: str | None
    none: str | None

    def values(self) -> str:
        """Return the possible values as a reader may write them."""
        zero = "0 or " if self.zero is not None else ""
        return f"{zero}a whole number from {self.least} to {_MOST}" + (", or None" if self.none else "")

    def accepts(self, value: object) -> bool:
        """Return whether the value is such a number."""
        if value is None:
            return self.none is not None
        return type(value) is int and (value >= self.least or (value == 0 and self.zero is not None)) and value <= _MOST

    def read(self, text: str) -> object:
        """Parse a text into a value; return the text itself if it is none."""
        if text.lower() == "none":
            return None
        return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else text

    def sentence(self, value: int | None, words: Language, key: str) -> str:
        """Return the sentence for a value in a language; `key` is the key of the option."""
        if value is None:
            return words.rule(f"{key}.none") or self.none or ""
        if value == 0 and self.zero is not None:
            return words.rule(f"{key}.zero") or self.zero
        return (words.rule(key, value) or self.says).format(n=value, s="" if value == 1 else "s")

    def near(self, value: object) -> str:  # noqa: ARG002 - the same question as a Choice answers
        """Return an empty hint: no number is more probable than another."""
        return ""


@dataclass(frozen=True)
class Letters:
    """An option that is a set of letters of an alphabet, kept in the alphabet's order."""

    alphabet: str
    says: str

    def values(self) -> str:
        """Return the possible values as a reader may write them."""
        return f"a choice of {self.alphabet!r}, each at most once"

    def accepts(self, value: object) -> bool:
        """Return whether the value is such a text."""
        return isinstance(value, str) and bool(value) and len(set(value)) == len(value) and set(value) <= set(self.alphabet)

    def read(self, text: str) -> object:
        """Return the text itself."""
        return text

    def sentence(self, value: object, words: Language, key: str) -> str:
        """Return the sentence for a value in a language; `key` is the key of the option."""
        return (words.rule(key) or self.says).format(" ".join(SUIT_SIGNS.get(letter, letter) for letter in str(value)).replace("T", "10"))

    def near(self, value: object) -> str:
        """Return a hint with the same letters in the other case, if they are allowed."""
        swapped = value[:40].swapcase() if isinstance(value, str) else ""
        return f" Did you mean {swapped!r}?" if self.accepts(swapped) else ""


def choice(default: Any, says: Mapping[Any, str]) -> Any:
    """Declare an option with a few values, given with their sentences."""
    return field(default=default, metadata={"option": Choice(says)})


def number(default: int | None, says: str, *, least: int = 1, zero: str | None = None, none: str | None = None) -> Any:
    """Declare a numeric option; in its sentence `{n}` is the number and `{s}` the plural's s."""
    return field(default=default, metadata={"option": Number(says, least, zero, none)})


def letters(default: str, alphabet: str, says: str) -> Any:
    """Declare an option that is a set of letters; `{}` in its sentence stands for them."""
    return field(default=default, metadata={"option": Letters(alphabet, says)})


def refuse(name: str, value: object, wrong: str, mend: str, code: str, **facts: object) -> RulesError:
    """Return the error for an option that conflicts with the others.

    It says the problem and how to fix it; the text of `code` at a table is in `i18n`.
    """
    error = RulesError(f"Rules({name}={quoted(value)}): {wrong}; {mend}")
    error.code, error.facts = code, facts
    return error
