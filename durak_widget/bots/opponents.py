"""The opponents: named people of rising strength, each with a way of playing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from durak_widget.bots.bot import PEOPLE, Bot, get
from durak_widget.errors import BotError, nearest, quoted
from durak_widget.i18n import Fact, Voice, called


@dataclass(frozen=True, eq=False, repr=False)
class Person:
    """An opponent with a name and a character; `bots.people()` returns them all.

    >>> from durak_widget import bots
    >>> tim, *_, grandmother = bots.people()
    >>> tim, grandmother.name("ru"), grandmother.bot
    (<Person nephew>, 'Бабушка', <Bot grandmother>)
    >>> print(tim.character())
    The nephew: any card will do, as long as it is quick.
    """

    key: str
    """The name that `bots.get` takes."""

    def name(self, language: str = "en") -> str:
        """Return the opponent's name in a language."""
        return called(self.key, language)

    def character(self, language: str = "en") -> str:
        """Return a short description of the opponent."""
        return Voice(language).say("sentence", said=Fact(f"people.{self.key}.is"))

    @property
    def level(self) -> int:
        """Return the place in the order of strength, from 1."""
        return list(PEOPLE).index(self.key) + 1

    @property
    def bot(self) -> Bot:
        """Return the bot that plays for this opponent."""
        return get(self.key)

    def __repr__(self) -> str:
        return f"<Person {self.key}>"


_ALL: Final = tuple(map(Person, PEOPLE))


def people() -> tuple[Person, ...]:
    """Return the opponents, from the weakest to the strongest.

    Each wins clearly more than half of the points against the one before; `docs/opponents.md` has the figures.

    >>> [person.key for person in people()]
    ['nephew', 'uncle', 'neighbour', 'aunt', 'bookkeeper', 'grandmother']
    """
    return _ALL


def person(key: str) -> Person:
    """Return the opponent with this name.

    >>> person("aunt").level
    4
    """
    found = next((opponent for opponent in _ALL if opponent.key == key), None)
    if found is None:
        raise BotError(f"there is no opponent {quoted(key)}.{nearest(key, PEOPLE)} bots.people() names them all")
    return found
