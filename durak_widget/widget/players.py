"""Who sits where at a table, and who looks at it: people at one screen, and bots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from durak_widget.bots.bot import YOU, get
from durak_widget.errors import DurakError, quoted, whole

if TYPE_CHECKING:
    from durak_widget.bots.bot import Bot, BotLike, Choice
    from durak_widget.game.game import Game

    Player = str | Bot | BotLike | Choice | None


class Players:
    """The players of a table, what is wrong with its bots, and which person is before the screen.

    >>> players = Players(3, {1: "you"})
    >>> players.names, players.people
    (('you', 'you', 'careful'), [0, 1])
    """

    def __init__(self, count: int, seats: Mapping[int, Player] | None = None) -> None:
        """Seat 0 is a person's and the others are careful bots', where nothing else is said."""
        if seats is not None and not isinstance(seats, Mapping):
            raise DurakError(f'seats says who sits where, such as {{0: "you", 1: "careful"}}, not {quoted(seats)}')
        self._bots: list[Bot | None] = [None, *[get("careful")] * (count - 1)]
        for seat, player in (seats or {}).items():
            self._bots[self.checked(seat)] = _bot(player)
        self._present: int | None = None
        self._seat = self.people[0] if self.people else 0
        self.troubles: dict[int, str] = {}
        """What a bot is in, if it is in trouble: `late` or `failed`."""
        self.failures: dict[int, Exception] = {}
        """What the bot of a seat raised last."""

    def checked(self, seat: object) -> int:
        """That seat, if there is one."""
        number = whole(seat)
        if number is None or not 0 <= number < len(self._bots):
            raise DurakError(f"there is no seat {quoted(seat)}; the seats are 0 to {len(self._bots) - 1}")
        return number

    @property
    def names(self) -> tuple[str, ...]:
        """Who plays each seat: `you`, or the name of a bot."""
        return tuple(YOU if bot is None else bot.name for bot in self._bots)

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, bot in enumerate(self._bots) if bot is None]

    def bot(self, seat: int) -> Bot | None:
        """The bot of a seat; None for a person."""
        return self._bots[seat]

    def put(self, seat: object, player: Player) -> None:
        """Let somebody else play a seat."""
        number = self.checked(seat)
        self._bots[number] = _bot(player)
        self.troubles.pop(number, None)
        self.failures.pop(number, None)
        if number == self._present:
            self._present = None

    def begin(self) -> None:
        """Another game: all trouble is over, and where several people play, each says again that they are there."""
        self.troubles.clear()
        self.failures.clear()
        if len(self.people) > 1:
            self._present = None

    def look(self, seat: object) -> None:
        """Somebody is before the screen who plays this seat, or watches it."""
        self._seat = self._present = self.checked(seat)

    def viewer(self, game: Game) -> tuple[int, bool]:
        """Whose hand lies at the bottom, and whether it is covered.

        Where several people share a screen, a hand is covered from the moment when another of them is to act, until they say that they are there.
        """
        people, actor = self.people, game.actor
        if len(people) < 2:
            return (self._present if self._present is not None else people[0] if people else self._seat), False
        if self._present is not None and self._called(game) in (None, self._present):
            return self._present, False
        return actor if actor in people and actor is not None else people[0], True

    def _called(self, game: Game) -> int | None:
        """The person who is to act now; None while nobody is, or while the game is looked back at."""
        return game.actor if game.actor in self.people and game.ply == game.last_ply else None

    def turn_away(self, game: Game) -> None:
        """When another person is called, whoever sat before the screen turns away, and would have to come back to see their hand."""
        if len(self.people) > 1 and self._called(game) not in (None, self._present):
            self._present = None


def _bot(player: Player) -> Bot | None:
    """The bot meant; None for a person at this table."""
    return None if player is None or player == YOU else get(player)
