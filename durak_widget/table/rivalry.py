"""What a game against opponents leads to: which of them is beaten by it, who comes next, and what they say of it."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.bots.bot import PEOPLE
from durak_widget.errors import DurakError
from durak_widget.i18n import Fact, called
from durak_widget.rules import seating
from durak_widget.widgets import opponent_record
from durak_widget.widgets.missed_endgames import day_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from durak_widget.engine.game import Game
    from durak_widget.i18n import Voice
    from durak_widget.table.players import Players


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
    from durak_widget.table.saying import how_it_ended  # noqa: PLC0415 - asked at the end of a game alone

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
    from durak_widget.table.saying import saying  # noqa: PLC0415 - asked at the end of a game alone

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
