"""Defines the named opponents, from weak to strong, each with their own playing style."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from durak_widget.bots.bot import OPPONENT_BOTS, Bot, get
from durak_widget.errors import BotError, short_repr, suggest_nearest
from durak_widget.i18n import TranslatableText, Translator, get_opponent_name


@dataclass(frozen=True, eq=False, repr=False)
class Person:
    """A named opponent with a character; `bots.people()` returns all of them.

    >>> from durak_widget import bots
    >>> tim, *_, grandmother = bots.people()
    >>> tim, grandmother.name("ru"), grandmother.bot
    (<Person nephew>, 'Бабушка', <Bot grandmother>)
    >>> print(tim.character())
    The nephew: any card will do, as long as it's quick.
    """

    key: str
    """The name that `bots.get` accepts for this opponent."""

    def name(self, language: str = "en") -> str:
        """Return the opponent's name, translated to a language."""
        return get_opponent_name(self.key, language)

    def character(self, language: str = "en") -> str:
        """Return a short description of the opponent's character."""
        return Translator(language).translate("sentence", said=TranslatableText(f"people.{self.key}.is"))

    @property
    def level(self) -> int:
        """Return the opponent's rank in strength: 1 for the weakest, 2 for the next, and so on."""
        return list(OPPONENT_BOTS).index(self.key) + 1

    @property
    def bot(self) -> Bot:
        """Return the bot that chooses this opponent's moves."""
        return get(self.key)

    def __repr__(self) -> str:
        return f"<Person {self.key}>"


_OPPONENTS: Final = tuple(map(Person, OPPONENT_BOTS))


def people() -> tuple[Person, ...]:
    """Return the named opponents, from the weakest to the strongest.

    Each opponent wins clearly more than half of the points against the opponent before; `docs/strength.md` has the numbers.

    >>> [person.key for person in people()]
    ['nephew', 'uncle', 'neighbour', 'aunt', 'bookkeeper', 'grandmother']
    """
    return _OPPONENTS


def person(key: str) -> Person:
    """Return the named opponent with a given key; raise an error if there is none.

    >>> person("aunt").level
    4
    """
    opponent = next((opponent for opponent in _OPPONENTS if opponent.key == key), None)
    if opponent is None:
        raise BotError(f"there is no opponent {short_repr(key)}.{suggest_nearest(key, OPPONENT_BOTS)} bots.people() lists them all")
    return opponent
