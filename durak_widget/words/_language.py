"""What one language brings along: its sentences, and the forms of the words that stand in them."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from os.path import dirname  # pathlib costs every import 5 ms
from typing import TYPE_CHECKING, NamedTuple, cast

from durak_widget.errors import DurakError, nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Forms = Mapping[str, str]
    """A word in the cases that the language's sentences ask for; `nom` is the one in a dictionary."""

_FOLDER = [dirname(__file__)]  # noqa: PTH120 - as above


class Language(NamedTuple):
    """One translation."""

    name: str
    """What the language calls itself."""
    plurals: tuple[str, ...]
    """The plural forms that it has for whole numbers, by their names in the Unicode CLDR."""
    plural: Callable[[int], str]
    """Which of them a number takes."""
    ranks: Mapping[str, Forms]
    """The names of the ranks."""
    suits: Mapping[str, Forms]
    """The names of the suits; `of` is the form in the name of a card."""
    jokers: Mapping[str, Forms]
    """The names of the two jokers."""
    signed: Forms
    """How a card written as a sign shows a case that can only be heard in its name."""
    seat: Forms
    """A seat as programs count it, from 0."""
    player: Forms
    """The same as people at the table count, from 1."""
    you: Forms
    """The one who is spoken to."""
    joints: Mapping[str, str]
    """What stands before the last item of a list."""
    nouns: Mapping[str, Mapping[str, str]]
    """What is counted, in each plural form."""
    sentences: Mapping[str, str]
    """The sentences by their keys. Behind a key, `.you` speaks to the seat that the sentence is about, `.typed` to those who
    type moves, and the name of a plural form is for a `{count}` of that form."""
    rules: Mapping[str, str] = {}
    """What it says of the rules; in English each of these stands beside its option, and what a language lacks here is said so.
    Keys: `option.<name>.<value>`; for a number `option.<name>`, where the name of a plural form may follow, `.zero` and `.none`;
    `preset.<name>` and `preset.<name>.title`."""

    def rule(self, key: str, count: int = 0) -> str | None:
        """What it says of a rule, in the form for that number; None where it leaves that to English.

        >>> language("ru").rule("preset.neighbours.title"), language("en").rule("preset.neighbours.title")
        ('Соседи', None)
        """
        return self.rules.get(key) or self.rules.get(f"{key}.{self.plural(count)}")


@lru_cache
def codes() -> tuple[str, ...]:
    """The codes of all languages there are: the names of their files.

    >>> "en" in codes()
    True
    """
    from pkgutil import iter_modules  # noqa: PLC0415 - asked once, and by no program that says nothing

    return tuple(sorted(module.name for module in iter_modules(_FOLDER) if not module.name.startswith("_")))


def language(code: str) -> Language:
    """The language of a code.

    >>> language("en").name
    'English'
    """
    if code not in codes():  # whatever it is: what is no text is not among them
        raise DurakError(f"there are no words in {quoted(code)}; there are words in {', '.join(codes())}.{nearest(code, codes())}")
    return _found(code)


@lru_cache
def _found(code: str) -> Language:
    return cast("Language", import_module(f"durak_widget.words.{code}").LANGUAGE)
