"""What an option is: its values, what each means in words, and how a wrong one is refused.

Each rule module declares its options with `choice` and `number` as fields of a small frozen dataclass; `Rules` is
their union. So an option, its words, its checks and its rule stand in one module; its words in other languages stand in `i18n/`.
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
        """The values as a reader may write them."""
        return ", ".join(map(repr, self.says))

    def accepts(self, value: object) -> bool:
        """Whether the value is one of them, of the very type (1 is not True here)."""
        return any(value == known and type(value) is type(known) for known in self.says if isinstance(value, (str, bool, int)))

    def read(self, text: str) -> object:
        """The value that a text means; the text itself if none."""
        return next((value for value in self.says if str(value).lower() == text.lower()), text)

    def sentence(self, value: object, words: Language, key: str) -> str:
        """What the value means, in that language; the key is that of the option."""
        return words.rule(f"{key}.{value}") or self.says[value]

    def near(self, value: object) -> str:
        """The value that was perhaps meant."""
        words = [v for v in self.says if isinstance(v, str)]
        same = [word for word in words if isinstance(value, str) and (word == value.lower() or word == value.lower()[:1])]
        return f" Did you mean {same[0]!r}?" if same else nearest(value, words)


@dataclass(frozen=True)
class Number:
    """An option that counts something."""

    says: str
    least: int
    zero: str | None
    none: str | None

    def values(self) -> str:
        """The values as a reader may write them."""
        zero = "0 or " if self.zero is not None else ""
        return f"{zero}a whole number from {self.least} to {_MOST}" + (", or None" if self.none else "")

    def accepts(self, value: object) -> bool:
        """Whether the value is such a number."""
        if value is None:
            return self.none is not None
        return type(value) is int and (value >= self.least or (value == 0 and self.zero is not None)) and value <= _MOST

    def read(self, text: str) -> object:
        """The value that a text means; the text itself if none."""
        if text.lower() == "none":
            return None
        return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else text

    def sentence(self, value: int | None, words: Language, key: str) -> str:
        """What the value means, in that language; the key is that of the option."""
        if value is None:
            return words.rule(f"{key}.none") or self.none or ""
        if value == 0 and self.zero is not None:
            return words.rule(f"{key}.zero") or self.zero
        return (words.rule(key, value) or self.says).format(n=value, s="" if value == 1 else "s")

    def near(self, value: object) -> str:  # noqa: ARG002 - the same question as a Choice answers
        """No number is nearer than another."""
        return ""


@dataclass(frozen=True)
class Letters:
    """An option that picks letters out of an alphabet; it is kept in the alphabet's order."""

    alphabet: str
    says: str

    def values(self) -> str:
        """The values as a reader may write them."""
        return f"a choice of {self.alphabet!r}, each at most once"

    def accepts(self, value: object) -> bool:
        """Whether the value is such a text."""
        return isinstance(value, str) and bool(value) and len(set(value)) == len(value) and set(value) <= set(self.alphabet)

    def read(self, text: str) -> object:
        """The value that a text means."""
        return text

    def sentence(self, value: object, words: Language, key: str) -> str:
        """What the value means, in that language; the key is that of the option."""
        return (words.rule(key) or self.says).format(" ".join(SUIT_SIGNS.get(one, one) for one in str(value)).replace("T", "10"))

    def near(self, value: object) -> str:
        """A word with the same letters in the other case."""
        other = value[:40].swapcase() if isinstance(value, str) else ""
        return f" Did you mean {other!r}?" if self.accepts(other) else ""


def choice(default: Any, says: Mapping[Any, str]) -> Any:
    """Declare an option with a few values, given with their sentences."""
    return field(default=default, metadata={"option": Choice(says)})


def number(default: int | None, says: str, *, least: int = 1, zero: str | None = None, none: str | None = None) -> Any:
    """Declare an option that counts; `{n}` in its sentence is the number, `{s}` the plural's s."""
    return field(default=default, metadata={"option": Number(says, least, zero, none)})


def letters(default: str, alphabet: str, says: str) -> Any:
    """Declare an option that picks letters out of an alphabet; `{}` in its sentence are the letters."""
    return field(default=default, metadata={"option": Letters(alphabet, says)})


def refuse(name: str, value: object, wrong: str, mend: str, code: str, **facts: object) -> RulesError:
    """The error for an option that cannot be played with the others: what is wrong, and what would mend it; the code has the words for it at a table."""
    error = RulesError(f"Rules({name}={quoted(value)}): {wrong}; {mend}")
    error.code, error.facts = code, facts
    return error
