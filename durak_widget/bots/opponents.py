"""The named opponents, of increasing strength, each with their own way of playing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from durak_widget.bots.bot import OPPONENT_BOTS, Bot, get
from durak_widget.errors import BotError, short_repr, suggest_nearest
from durak_widget.i18n import TranslatableText, Translator, get_opponent_name


@dataclass(frozen=True, eq=False, repr=False)
class Person:
    """An opponent with a name and a character; `bots.people()` returns all of them.

    >>> from durak_widget import bots
    >>> tim, *_, grandmother = bots.people()
    >>> tim, grandmother.name("ru"), grandmother.bot
    (<Person nephew>, 'Бабушка', <Bot grandmother>)
    >>> print(tim.character())
    The nephew: any card will do, as long as it is quick.
    """

    key: str
    """The name of the opponent that `bots.get` accepts."""

    def name(self, language: str = "en") -> str:
        """Return the opponent's name in a language."""
        return get_opponent_name(self.key, language)

    def character(self, language: str = "en") -> str:
        """Return a short description of the opponent's character."""
        return Translator(language).translate("sentence", said=TranslatableText(f"people.{self.key}.is"))

    @property
    def level(self) -> int:
        """Return the opponent's number in the order of strength; the weakest has number 1."""
        return list(OPPONENT_BOTS).index(self.key) + 1

    @property
    def bot(self) -> Bot:
        """Return the bot that plays for this opponent."""
        return get(self.key)

    def __repr__(self) -> str:
        return f"<Person {self.key}>"


_OPPONENTS: Final = tuple(map(Person, OPPONENT_BOTS))


def people() -> tuple[Person, ...]:
    """Return the named opponents, from the weakest to the strongest.

    Each wins clearly more than half of the points against the one before; `docs/opponents.md` has the figures.

    >>> [person.key for person in people()]
    ['nephew', 'uncle', 'neighbour', 'aunt', 'bookkeeper', 'grandmother']
    """
    return _OPPONENTS


def person(key: str) -> Person:
    """Return the opponent with a given name.

    >>> person("aunt").level
    4
    """
    found = next((opponent for opponent in _OPPONENTS if opponent.key == key), None)
    if found is None:
        raise BotError(f"there is no opponent {short_repr(key)}.{suggest_nearest(key, OPPONENT_BOTS)} bots.people() names them all")
    return found
