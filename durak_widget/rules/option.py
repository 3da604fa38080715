"""Defines rule options: their allowed values, and a sentence that explains each value.

Each rule module declares its options as fields of a small frozen dataclass, with `declare_choice`, `declare_number` and `declare_letters`.
`Rules` inherits from all these dataclasses. So an option, its sentences, its checks and its rule are in one module. The sentences in other
languages are in `i18n/`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from durak_widget.cards import SUIT_SIGNS
from durak_widget.errors import RulesError, short_repr, suggest_nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.i18n import Language


_MAX_NUMBER = 1_000_000


@dataclass(frozen=True)
class ChoiceOption:
    """A rule option with a few possible values; a sentence explains each value."""

    sentences: Mapping[Any, str]

    def describe_values(self) -> str:
        """Describe the values that the option allows, for an error message."""
        return ", ".join(map(repr, self.sentences))

    def accepts(self, value: object) -> bool:
        """Return whether the option allows a value; the type must match too (1 is not True)."""
        return any(value == allowed and type(value) is type(allowed) for allowed in self.sentences if isinstance(value, (str, bool, int)))

    def parse(self, text: str) -> object:
        """Parse a text into a value of the option; return an invalid text unchanged."""
        return next((value for value in self.sentences if str(value).lower() == text.lower()), text)

    def explain(self, value: object, language: Language, key: str) -> str:
        """Return a sentence that explains a value, in a given language.

        `key` identifies the option in the catalogue of texts.
        """
        return language.find_rule_text(f"{key}.{value}") or self.sentences[value]

    def suggest(self, value: object) -> str:
        """Return a hint that names the most similar allowed value; "" if no value is similar."""
        allowed_words = [allowed for allowed in self.sentences if isinstance(allowed, str)]
        matches = [word for word in allowed_words if isinstance(value, str) and (word == value.lower() or word == value.lower()[:1])]
        return f" Did you mean {matches[0]!r}?" if matches else suggest_nearest(value, allowed_words)


@dataclass(frozen=True)
class NumberOption:
    """A rule option whose value is a number."""

    template: str
    minimum: int
    zero_sentence: str | None
    none_sentence: str | None

    def describe_values(self) -> str:
        """Describe the values that the option allows, for an error message."""
        zero = "0 or " if self.zero_sentence is not None else ""
        return f"{zero}a whole number from {self.minimum} to {_MAX_NUMBER}" + (", or None" if self.none_sentence else "")

    def accepts(self, value: object) -> bool:
        """Return whether a value is a number in the allowed range (or None, if this is allowed)."""
        if value is None:
            return self.none_sentence is not None
        return type(value) is int and (value >= self.minimum or (value == 0 and self.zero_sentence is not None)) and value <= _MAX_NUMBER

    def parse(self, text: str) -> object:
        """Parse a text into a value of the option; return an invalid text unchanged."""
        if text.lower() == "none":
            return None
        return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else text

    def explain(self, value: int | None, language: Language, key: str) -> str:
        """Return a sentence that explains a value, in a given language.

        `key` identifies the option in the catalogue of texts.
        """
        if value is None:
            return language.find_rule_text(f"{key}.none") or self.none_sentence or ""
        if value == 0 and self.zero_sentence is not None:
            return language.find_rule_text(f"{key}.zero") or self.zero_sentence
        return (language.find_rule_text(key, value) or self.template).format(n=value, s="" if value == 1 else "s")

    def suggest(self, value: object) -> str:  # noqa: ARG002 - the same question as a Choice answers
        """Return "", because there is no useful hint for a wrong number."""
        return ""


def format_letters(value: str, language: Language) -> str:
    """Format ranks with the letters that cards show, or suits with suit symbols."""
    return " ".join(SUIT_SIGNS.get(letter) or language.letters.get(letter, letter) for letter in value)


@dataclass(frozen=True)
class LettersOption:
    """A rule option whose value is some letters of an alphabet, such as ranks or suits."""

    alphabet: str
    template: str

    def describe_values(self) -> str:
        """Describe the values that the option allows, for an error message."""
        return f"a choice of {self.alphabet!r}, each at most once"

    def accepts(self, value: object) -> bool:
        """Return whether a value is a text of different letters that are all allowed."""
        return isinstance(value, str) and bool(value) and len(set(value)) == len(value) and set(value) <= set(self.alphabet)

    def parse(self, text: str) -> object:
        """Return the text unchanged, because the value of this option is a text."""
        return text

    def explain(self, value: object, language: Language, key: str) -> str:
        """Return a sentence that explains a value, in a given language.

        `key` identifies the option in the catalogue of texts.
        """
        return (language.find_rule_text(key) or self.template).format(format_letters(str(value), language))

    def suggest(self, value: object) -> str:
        """Suggest capital or small letters instead, if that makes an invalid value valid."""
        swapped = value[:40].swapcase() if isinstance(value, str) else ""
        return f" Did you mean {swapped!r}?" if self.accepts(swapped) else ""


def declare_choice(default: Any, sentences: Mapping[Any, str]) -> Any:
    """Declare a dataclass field for a rule option that allows a few values."""
    return field(default=default, metadata={"option": ChoiceOption(sentences)})


def declare_number(
    default: int | None, template: str, *, minimum: int = 1, zero_sentence: str | None = None, none_sentence: str | None = None
) -> Any:
    """Declare a dataclass field for a rule option whose value is a number.

    The sentence `template` contains `{n}` for the number, and may contain `{s}` for the plural ending.
    """
    return field(default=default, metadata={"option": NumberOption(template, minimum, zero_sentence, none_sentence)})


def declare_letters(default: str, alphabet: str, template: str) -> Any:
    """Declare a dataclass field for a rule option whose value is some letters of an alphabet.

    The sentence `template` contains `{}` for the letters.
    """
    return field(default=default, metadata={"option": LettersOption(alphabet, template)})


def build_option_error(name: str, value: object, problem: str, fix: str, code: str, **facts: object) -> RulesError:
    """Build the error for a rule option whose value conflicts with the other options.

    The message names the problem and a fix. Widgets show a translated message instead, which they find by `code` in `i18n`.
    """
    error = RulesError(f"Rules({name}={short_repr(value)}): {problem}; {fix}")
    error.code, error.facts = code, facts
    return error
