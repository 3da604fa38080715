"""Holds the players of a table, who is looking at it, and what a game means for the opponents.

People share one screen; the other players are bots. After a game against the opponents, the module finds
which of them is beaten, who comes next, and what they say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.bots.bot import NEXT, PEOPLE, YOU, get
from durak_widget.errors import DurakError, quoted, whole_number
from durak_widget.i18n import Fact, called, language
from durak_widget.rules import seating
from durak_widget.widgets import opponent_record
from durak_widget.widgets.missed_endgames import day_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from durak_widget.bots.bot import Bot, BotLike, Choice
    from durak_widget.engine.game import Game
    from durak_widget.i18n import Voice
    from durak_widget.widgets.appearance_settings import Look

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
        people = self.people
        self._seat = people[0] if people else 0
        self._present: int | None = None if len(people) > 1 else self._seat
        """Who is before the screen, as far as they have said so; a hand lies open to nobody else."""
        self._turned: tuple[int, int | None] | None = None
        """The seat from which the table is looked at instead, and which person was called when it was turned."""
        self._taken_back = False
        self._chosen: dict[int, Bot | None] = {}
        """Who sits down for the next game."""
        self.troubles: dict[int, str] = {}
        """What a bot is in, if it is in trouble: `late` or `failed`."""
        self.failures: dict[int | str, Exception] = {}
        """What the bot of a seat raised last, and what else failed at the table, by its name."""

    def checked(self, seat: object) -> int:
        """A seat, if there is one of that number."""
        number = whole_number(seat)
        if number is None or not 0 <= number < len(self._bots):
            raise DurakError(f"there is no seat {quoted(seat)}; the seats are 0 to {len(self._bots) - 1}")
        return number

    @property
    def names(self) -> tuple[str, ...]:
        """Who plays each seat: `you`, or the name of a bot."""
        return tuple(YOU if bot is None else bot.name for bot in self._bots)

    def bot_name(self, seat: int) -> Fact | str:
        """What the bot of a seat is called in a sentence."""
        key = f"who.{self.names[seat]}"
        return Fact(key) if key in language("en").sentences else self.names[seat]

    @property
    def called(self) -> tuple[tuple[int, str], ...]:
        """Who is called by a name: the opponents that sit here, each by the key that `bots.opponents` gives them; of two who are the same, neither.

        >>> Players(3, {1: "aunt", 2: "uncle"}).called, Players(3, {1: "aunt", 2: "aunt"}).called
        (((1, 'aunt'), (2, 'uncle')), ())
        """
        return called_of(self.names)

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, bot in enumerate(self._bots) if bot is None]

    def bot(self, seat: int) -> Bot | None:
        """The bot of a seat; None for a person."""
        return self._bots[seat]

    @property
    def next_names(self) -> tuple[str, ...]:
        """Who plays each seat in the next game.

        >>> players = Players(2, {1: "nephew"})
        >>> players.choose(1, "grandmother"); players.names, players.next_names
        (('you', 'nephew'), ('you', 'grandmother'))
        """
        bots = map(self.next_bot, range(len(self._bots)))
        return tuple(YOU if bot is None else bot.name for bot in bots)

    def next_bot(self, seat: int) -> Bot | None:
        """Return the bot that plays a seat in the next game; None for a person."""
        return self._chosen.get(seat, self._bots[seat])

    def choose(self, seat: object, player: Player) -> None:
        """Choose who plays a seat from the next game on."""
        self._chosen[self.checked(seat)] = _bot(player)

    @property
    def has_chosen(self) -> bool:
        """Whether somebody was chosen for the next game."""
        return bool(self._chosen)

    def take_chosen(self) -> dict[int, Bot | None]:
        """Return who was chosen for the next game, by seat, and forget it."""
        chosen, self._chosen = self._chosen, {}
        return chosen

    def put(self, seat: object, player: Player) -> None:
        """Let somebody else play a seat; who alone is left of several people says first that they are there."""
        number, alone = self.checked(seat), len(self.people) < 2
        self._bots[number] = _bot(player)
        self.troubles.pop(number, None)
        self.failures.pop(number, None)
        people = self.people
        if alone and self._present is not None and people == [number]:
            self._present = number  # nobody else was there
        elif not alone and self._present not in people:
            self._present = None

    def begin(self) -> None:
        """Another game: all trouble is over, and where several people play, each says again that they are there."""
        self.troubles.clear()
        self.failures.clear()
        self._turned = None
        if len(self.people) > 1:
            self._present = None

    def arrive(self, seat: object) -> None:
        """Somebody is before the screen who plays this seat, or watches it."""
        self._seat = self._present = self.checked(seat)
        self._turned = None

    def viewer(self, game: Game, look: Look) -> tuple[int, bool]:
        """Whose hand lies at the bottom, and whether it is covered.

        Where several people share a screen, a hand is covered from the moment when another of them is to act, until they say that they are there;
        and the hand of who alone is left of them too; unless they want no covers. Who turns the seats looks from another one till a person is called.
        """
        seat, covered = self._sits(game)
        if self.turned(game, look):
            assert self._turned is not None  # noqa: S101 - as has just been found
            seat, covered = self._turned[0], False
        return seat, look.hands == "hidden" or (covered and look.covers and look.hands != "open")

    def turned(self, game: Game, look: Look) -> bool:
        """Whether the table is looked at from another seat than that of who is before it."""
        if self._turned is None or self._turned[0] not in self._may_turn(look):
            return False
        return self._called(game) in (None, self._turned[1]) and self._turned[0] != self._sits(game)[0]

    def turn(self, game: Game, look: Look) -> bool:
        """Look from the next seat whose hand may be seen; False if there is no other."""
        seats, now = self._may_turn(look), self.viewer(game, look)[0]
        later = [seat for seat in (*range(now + 1, len(self._bots)), *range(now)) if seat in seats]
        if later:
            self._turned = later[0], self._called(game)
        return bool(later)

    def turn_back(self) -> None:
        """Look from one's own seat again."""
        self._turned = None

    def watches(self, seat: int) -> bool:
        """Whether who looks from there only watches: a bot has that seat, and people play elsewhere."""
        return bool(self.people) and self._bots[seat] is not None

    def _may_turn(self, look: Look) -> list[int]:
        """The seats from which one may look: all where every hand lies open, or none; those of friends; else one's own alone."""
        if look.hands != "own":
            return list(range(len(self._bots)))
        return [] if look.covers else self.people

    def _sits(self, game: Game) -> tuple[int, bool]:
        """Who is before the screen, and whether another should be."""
        people, actor = self.people, game.actor
        if self._present is not None and (len(people) < 2 or self._called(game) in (None, self._present)):
            return self._present, False
        if actor is not None and actor in people:
            return actor, True
        return people[0] if people else self._seat, True

    def _called(self, game: Game) -> int | None:
        """The person who is to act now; None while nobody is, or while the game is looked back at."""
        return game.actor if game.actor in self.people and (game.ply == game.last_ply or self._taken_back) else None

    def excuse(self) -> None:
        """Nobody is late any more: there is another moment to think about."""
        for seat in [seat for seat, trouble in self.troubles.items() if trouble == "late"]:
            del self.troubles[seat]

    def turn_away(self, game: Game, look: Look, *, taken_back: bool) -> None:
        """When another person is called, whoever sat before the screen turns away, and would have to come back to see their hand; among friends both look.

        Where moves were taken back, it goes on from there: whoever is to act then is called.
        """
        self._taken_back = taken_back
        called = self._called(game)
        if self._turned and called not in (None, self._turned[1]):
            self._turned = None
        if len(self.people) > 1 and called not in (None, self._present):
            self._present = None if look.covers else called


def _bot(player: Player) -> Bot | None:
    """The bot meant; None for a person at this table."""
    if player is None or player == YOU:
        return None
    return get(opponent_record.now() if player == NEXT else player)


def called_of(names: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """Of those who sit there the opponents, who are called by their names; see `Players.called`.

    >>> called_of(("you", "bookkeeper"))
    ((1, 'bookkeeper'),)
    """
    return tuple((seat, name) for seat, name in enumerate(names) if name in PEOPLE and names.count(name) == 1)


class Rivalry(NamedTuple):
    """What is said at the end of a game against opponents.

    >>> from durak_widget.i18n import Voice
    >>> Rivalry((), "", ()).lines(Voice())
    []
    """

    said: tuple[tuple[int, Fact], ...]
    """What each opponent says, by the seat."""
    meet: str
    """Who may be met next; nobody, where nothing leads on."""
    leads: tuple[Fact, ...]
    """How one stands."""

    def lines(self, voice: Voice) -> list[str]:
        """All of it in words."""
        names = dict(voice.people)
        says = [voice.say("table.rival.says", who=called(names[seat], voice.language), said=said) for seat, said in self.said]
        return [*says, *(_line(voice, fact) for fact in self.leads)]


def _line(voice: Voice, fact: Fact) -> str:
    names = {name: called(str(fact.facts[name]), voice.language) for name in ("who", "next") if name in fact.facts}
    return voice.say(fact.key, **{**fact.facts, **names})


def over(game: Game, players: Players, *, dealt: bool, helped: bool, late: Collection[int] = ()) -> Rivalry:
    """A game is over that a person played: what the opponents say, and, if it was `dealt`, nobody `helped` or came `late` to a seat, what is remembered of it."""
    from durak_widget.table.opponent_remarks import how_it_ended  # noqa: PLC0415 - asked at the end of a game alone

    people, outcome = players.people, game.outcome
    if outcome is None or len(people) != 1 or not players.called:
        return Rivalry((), "", ())
    said = tuple((seat, how_it_ended(game, seat, key) if seat in late else _says(game, seat, key)) for seat, key in players.called)
    if helped or late or not dealt:
        why = "helped" if helped else "late"
        return Rivalry(said, "", (Fact(f"table.rival.{why}"),) if dealt else ())
    me, known, sides = people[0], opponent_record.rivals_here(), seating.sides(game.rules)
    if known is None:
        return Rivalry(said, "", ())
    deal = _deal(game)
    if any(known.knows(key, deal) for _, key in players.called):
        return Rivalry(said, "", (Fact("table.rival.before"),))
    leads: list[Fact] = []
    with suppress(DurakError):  # where the file cannot be written, a table is no worse for it
        for seat, key in players.called:
            if sides[seat] == sides[me]:
                continue  # who plays on one's own side is no opponent
            won = me in outcome.winners and (game.seats == 2 or seat == outcome.fool)
            if won or me in outcome.losers:
                leads.append(_noted(known, key, deal, won=won))
    following = known.next
    return Rivalry(said, following if following and _is_open(following, players, known) else "", tuple(leads[:1]))


def _says(game: Game, seat: int, key: str) -> Fact:
    """What an opponent says, not what they said last; where nothing can be remembered, whatever is most their own."""
    from durak_widget.table.opponent_remarks import saying  # noqa: PLC0415 - asked at the end of a game alone

    heard: opponent_record.Sayings | None = None
    with suppress(DurakError):
        heard = opponent_record.Sayings()
    said = saying(game, seat, key, heard.of(key) if heard else ())
    with suppress(DurakError):
        if heard:
            heard.note(key, said.key)
    return said


def _deal(game: Game) -> str:
    """What tells a deal of today from others: the rules, and what it was dealt by. On another day it is as good as new."""
    return sha256(f"{day_of(None)} {game.rules!r} {game.seed!r}".encode()).hexdigest()[:16]


def _noted(known: opponent_record.Rivals, key: str, deal: str, *, won: bool) -> Fact:
    """What is said once a game against an opponent is remembered."""
    before = key in known.beaten
    beaten = known.note(key, won=won, deal=deal)
    following = known.next
    if before or beaten:
        stem = "table.rival.again" if before else "table.rival.beaten"
        if following is not None:
            return Fact(stem, {"who": key, "next": following})
        return Fact(f"{stem}.{'all' if key == list(PEOPLE)[-1] else 'alone'}", {"who": key})
    return Fact("table.rival.one" if known.wanting(key) == 1 else "table.rival.two", {"who": key})


def _is_open(following: str, players: Players, known: opponent_record.Rivals) -> bool:
    """Whether the next may sit down: all who sit here have been beaten, and they do not sit here already."""
    here = {key for _, key in players.called}
    return here <= set(known.beaten) and following not in here
