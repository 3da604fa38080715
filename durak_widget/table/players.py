"""The players of a table, the person at the screen, and the result against the opponents.

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
    """The players of a table, problems with its bots, and the person who is at the screen.

    >>> players = Players(3, {1: "you"})
    >>> players.names, players.people
    (('you', 'you', 'careful'), [0, 1])
    """

    def __init__(self, count: int, seats: Mapping[int, Player] | None = None) -> None:
        """Seat the players; by default seat 0 is a person's and careful bots have the others."""
        if seats is not None and not isinstance(seats, Mapping):
            raise DurakError(f'seats says who sits where, such as {{0: "you", 1: "careful"}}, not {quoted(seats)}')
        self._bots: list[Bot | None] = [None, *[get("careful")] * (count - 1)]
        for seat, player in (seats or {}).items():
            self._bots[self.checked(seat)] = _bot(player)
        people = self.people
        self._seat = people[0] if people else 0
        self._present: int | None = None if len(people) > 1 else self._seat
        """The seat of the person at the screen, as far as they have said so; only they see a hand."""
        self._turned: tuple[int, int | None] | None = None
        """The seat that the table is viewed from instead, and the person whose turn it was then."""
        self._taken_back = False
        self._chosen: dict[int, Bot | None] = {}
        """The players for the next game, by seat."""
        self.troubles: dict[int, str] = {}
        """The problem of a bot, by seat: `late` or `failed`."""
        self.failures: dict[int | str, Exception] = {}
        """The last error of the bot of a seat, and of other things that failed, by name."""

    def checked(self, seat: object) -> int:
        """Return a seat; refuse one that does not exist."""
        number = whole_number(seat)
        if number is None or not 0 <= number < len(self._bots):
            raise DurakError(f"there is no seat {quoted(seat)}; the seats are 0 to {len(self._bots) - 1}")
        return number

    @property
    def names(self) -> tuple[str, ...]:
        """Return the player of each seat: `you`, or the name of a bot."""
        return tuple(YOU if bot is None else bot.name for bot in self._bots)

    def bot_name(self, seat: int) -> Fact | str:
        """Return what the bot of a seat is called in a sentence."""
        key = f"who.{self.names[seat]}"
        return Fact(key) if key in language("en").sentences else self.names[seat]

    @property
    def called(self) -> tuple[tuple[int, str], ...]:
        """Return the seats of opponents called by name, with their keys in `bots.opponents`.

        An opponent that sits at two seats is not called by name.

        >>> Players(3, {1: "aunt", 2: "uncle"}).called, Players(3, {1: "aunt", 2: "aunt"}).called
        (((1, 'aunt'), (2, 'uncle')), ())
        """
        return called_of(self.names)

    @property
    def people(self) -> list[int]:
        """Return the seats of people."""
        return [seat for seat, bot in enumerate(self._bots) if bot is None]

    def bot(self, seat: int) -> Bot | None:
        """Return the bot of a seat; None for a person."""
        return self._bots[seat]

    @property
    def next_names(self) -> tuple[str, ...]:
        """Return the player of each seat in the next game.

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
        """Return whether anyone was chosen for the next game."""
        return bool(self._chosen)

    def take_chosen(self) -> dict[int, Bot | None]:
        """Return who was chosen for the next game, by seat, and forget it."""
        chosen, self._chosen = self._chosen, {}
        return chosen

    def put(self, seat: object, player: Player) -> None:
        """Change the player of a seat; a single remaining person must say that they are there."""
        number, was_alone = self.checked(seat), len(self.people) < 2
        self._bots[number] = _bot(player)
        self.troubles.pop(number, None)
        self.failures.pop(number, None)
        people = self.people
        if was_alone and self._present is not None and people == [number]:
            self._present = number  # nobody else was at the screen
        elif not was_alone and self._present not in people:
            self._present = None

    def begin(self) -> None:
        """Prepare for another game: clear all problems; people who share a screen check in again."""
        self.troubles.clear()
        self.failures.clear()
        self._turned = None
        if len(self.people) > 1:
            self._present = None

    def arrive(self, seat: object) -> None:
        """Note that the person who plays or watches this seat is at the screen."""
        self._seat = self._present = self.checked(seat)
        self._turned = None

    def viewer(self, game: Game, look: Look) -> tuple[int, bool]:
        """Return the seat whose hand is at the bottom, and whether that hand is covered.

        Where several people share a screen, a hand is covered from the moment when another of them is to act, until that person says that
        they are there, unless covers are switched off. The hand of the only person left is covered in the same way. A person who has
        rotated the table keeps that view until somebody is to act.
        """
        seat, covered = self._sits(game)
        if self.turned(game, look):
            assert self._turned is not None  # noqa: S101 - as has just been found
            seat, covered = self._turned[0], False
        return seat, look.hands == "hidden" or (covered and look.covers and look.hands != "open")

    def turned(self, game: Game, look: Look) -> bool:
        """Return whether the table is viewed from another seat than that of the person at it."""
        if self._turned is None or self._turned[0] not in self._may_turn(look):
            return False
        return self._called(game) in (None, self._turned[1]) and self._turned[0] != self._sits(game)[0]

    def turn(self, game: Game, look: Look) -> bool:
        """View the table from the next seat whose hand may be seen; return False if there is none."""
        seats, current = self._may_turn(look), self.viewer(game, look)[0]
        candidates = [seat for seat in (*range(current + 1, len(self._bots)), *range(current)) if seat in seats]
        if candidates:
            self._turned = candidates[0], self._called(game)
        return bool(candidates)

    def turn_back(self) -> None:
        """View the table from the person's own seat again."""
        self._turned = None

    def watches(self, seat: int) -> bool:
        """Return whether a viewer at that seat only watches: it is a bot's, and people play too."""
        return bool(self.people) and self._bots[seat] is not None

    def _may_turn(self, look: Look) -> list[int]:
        """Return the seats that the table may be viewed from.

        These are all seats if all hands are open or none is, those of people if covers are off, else none.
        """
        if look.hands != "own":
            return list(range(len(self._bots)))
        return [] if look.covers else self.people

    def _sits(self, game: Game) -> tuple[int, bool]:
        """Return the seat of the person at the screen, and whether somebody else should be there."""
        people, actor = self.people, game.actor
        if self._present is not None and (len(people) < 2 or self._called(game) in (None, self._present)):
            return self._present, False
        if actor is not None and actor in people:
            return actor, True
        return people[0] if people else self._seat, True

    def _called(self, game: Game) -> int | None:
        """Return the person who is to act now; None if nobody is, or while looking back."""
        return game.actor if game.actor in self.people and (game.ply == game.last_ply or self._taken_back) else None

    def excuse(self) -> None:
        """Clear the late mark of all bots: there is a new moment to think about."""
        for seat in [seat for seat, trouble in self.troubles.items() if trouble == "late"]:
            del self.troubles[seat]

    def turn_away(self, game: Game, look: Look, *, taken_back: bool) -> None:
        """Update who is at the screen when another person is to act.

        The person before has to come back to see their hand; with covers off both look. After a move was taken back, the person to act
        then is called.
        """
        self._taken_back = taken_back
        called_seat = self._called(game)
        if self._turned and called_seat not in (None, self._turned[1]):
            self._turned = None
        if len(self.people) > 1 and called_seat not in (None, self._present):
            self._present = None if look.covers else called_seat


def _bot(player: Player) -> Bot | None:
    """Return the bot that is meant; None for a person at this table."""
    if player is None or player == YOU:
        return None
    return get(opponent_record.now() if player == NEXT else player)


def called_of(names: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """Return the seats of opponents that are called by name; see `Players.called`.

    >>> called_of(("you", "bookkeeper"))
    ((1, 'bookkeeper'),)
    """
    return tuple((seat, name) for seat, name in enumerate(names) if name in PEOPLE and names.count(name) == 1)


class Rivalry(NamedTuple):
    """The result of a game against opponents, and what they say.

    >>> from durak_widget.i18n import Voice
    >>> Rivalry((), "", ()).lines(Voice())
    []
    """

    said: tuple[tuple[int, Fact], ...]
    """The remark of each opponent, with the seat."""
    meet: str
    """The opponent that may be met next; empty if there is none."""
    leads: tuple[Fact, ...]
    """How the user now stands."""

    def lines(self, voice: Voice) -> list[str]:
        """Return all of it as sentences."""
        names = dict(voice.people)
        sentences = [voice.say("table.rival.says", who=called(names[seat], voice.language), said=remark) for seat, remark in self.said]
        return [*sentences, *(_line(voice, fact) for fact in self.leads)]


def _line(voice: Voice, fact: Fact) -> str:
    names = {name: called(str(fact.facts[name]), voice.language) for name in ("who", "next") if name in fact.facts}
    return voice.say(fact.key, **{**fact.facts, **names})


def over(game: Game, players: Players, *, dealt: bool, helped: bool, late: Collection[int] = ()) -> Rivalry:
    """Record a finished game of one person; return the remarks and how they now stand.

    A game counts only if it was `dealt` here, nobody `helped`, and no player came `late` to a seat.
    """
    from durak_widget.table.opponent_remarks import how_it_ended  # noqa: PLC0415 - asked at the end of a game alone

    people, outcome = players.people, game.outcome
    if outcome is None or len(people) != 1 or not players.called:
        return Rivalry((), "", ())
    remarks = tuple((seat, how_it_ended(game, seat, key) if seat in late else _says(game, seat, key)) for seat, key in players.called)
    if helped or late or not dealt:
        reason = "helped" if helped else "late"
        return Rivalry(remarks, "", (Fact(f"table.rival.{reason}"),) if dealt else ())
    own_seat, record, sides = people[0], opponent_record.rivals_here(), seating.sides(game.rules)
    if record is None:
        return Rivalry(remarks, "", ())
    deal_hash = _deal(game)
    if any(record.knows(key, deal_hash) for _, key in players.called):
        return Rivalry(remarks, "", (Fact("table.rival.before"),))
    standing: list[Fact] = []
    with suppress(DurakError):  # the game goes on if the file cannot be written
        for seat, key in players.called:
            if sides[seat] == sides[own_seat]:
                continue  # a partner is not an opponent
            won = own_seat in outcome.winners and (game.seats == 2 or seat == outcome.fool)
            if won or own_seat in outcome.losers:
                standing.append(_noted(record, key, deal_hash, won=won))
    next_opponent = record.next
    return Rivalry(remarks, next_opponent if next_opponent and _is_open(next_opponent, players, record) else "", tuple(standing[:1]))


def _says(game: Game, seat: int, key: str) -> Fact:
    """Return a remark of an opponent that differs from their last ones.

    Where nothing can be stored, it is the most typical one.
    """
    from durak_widget.table.opponent_remarks import saying  # noqa: PLC0415 - asked at the end of a game alone

    remark_history: opponent_record.Sayings | None = None
    with suppress(DurakError):
        remark_history = opponent_record.Sayings()
    remark = saying(game, seat, key, remark_history.of(key) if remark_history else ())
    with suppress(DurakError):
        if remark_history:
            remark_history.note(key, remark.key)
    return remark


def _deal(game: Game) -> str:
    """Return a hash of the day, the rules and the seed: a deal counts as new on another day."""
    return sha256(f"{day_of(None)} {game.rules!r} {game.seed!r}".encode()).hexdigest()[:16]


def _noted(known: opponent_record.Rivals, key: str, deal: str, *, won: bool) -> Fact:
    """Record the result against an opponent and return how the user now stands."""
    was_beaten = key in known.beaten
    is_beaten = known.note(key, won=won, deal=deal)
    next_opponent = known.next
    if was_beaten or is_beaten:
        stem = "table.rival.again" if was_beaten else "table.rival.beaten"
        if next_opponent is not None:
            return Fact(stem, {"who": key, "next": next_opponent})
        return Fact(f"{stem}.{'all' if key == list(PEOPLE)[-1] else 'alone'}", {"who": key})
    return Fact("table.rival.one" if known.wanting(key) == 1 else "table.rival.two", {"who": key})


def _is_open(following: str, players: Players, known: opponent_record.Rivals) -> bool:
    """Return whether all opponents here are beaten and the next one is not among them."""
    seated = {key for _, key in players.called}
    return seated <= set(known.beaten) and following not in seated
