"""Opponents: people to play with, in the order of their strength, each with a way to play that is theirs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from durak_widget.bots.bot import PEOPLE, Bot, get
from durak_widget.errors import BotError, nearest, quoted
from durak_widget.i18n import Fact, Voice, called


@dataclass(frozen=True, eq=False, repr=False)
class Person:
    """Somebody to play with; `bots.people()` names them all.

    >>> from durak_widget import bots
    >>> tim, *_, grandmother = bots.people()
    >>> tim, grandmother.name("ru"), grandmother.bot
    (<Person nephew>, 'Бабушка', <Bot grandmother>)
    >>> print(tim.character())
    The nephew: any card will do, as long as it is quick.
    """

    key: str
    """What `bots.get` knows them by."""

    def name(self, language: str = "en") -> str:
        """What they are called."""
        return called(self.key, language)

    def character(self, language: str = "en") -> str:
        """Who they are, in a sentence or two."""
        return Voice(language).say("sentence", said=Fact(f"people.{self.key}.is"))

    @property
    def level(self) -> int:
        """Which they are in the order of strength, from 1."""
        return list(PEOPLE).index(self.key) + 1

    @property
    def bot(self) -> Bot:
        """Their way to play, under their name."""
        return get(self.key)

    def __repr__(self) -> str:
        return f"<Person {self.key}>"


_ALL: Final = tuple(map(Person, PEOPLE))


def people() -> tuple[Person, ...]:
    """The opponents, from the weakest to the strongest: each wins clearly more than half of the points against the one before; `docs/opponents.md` has the figures.

    >>> [person.key for person in people()]
    ['nephew', 'uncle', 'neighbour', 'aunt', 'bookkeeper', 'grandmother']
    """
    return _ALL


def person(key: str) -> Person:
    """The opponent whom `bots.get` knows by that name.

    >>> person("aunt").level
    4
    """
    found = next((one for one in _ALL if one.key == key), None)
    if found is None:
        raise BotError(f"there is no opponent {quoted(key)}.{nearest(key, PEOPLE)} bots.people() names them all")
    return found
