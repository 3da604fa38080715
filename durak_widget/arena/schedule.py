"""Decides who plays whom on which deal: round robin, groups and seatings.

The schedule depends only on the seed and the names. It doesn't depend on the workers, or on which other
entrants fail. If a bot runs in the sandbox, the deals follow from a slow hash of the seed or from a random
secret. So no bot can work them out while it plays.
"""

from __future__ import annotations

import secrets
from collections import Counter
from itertools import combinations, permutations
from math import ceil, log2
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget import key_derivation
from durak_widget.errors import BotError, quoted, whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from durak_widget.arena.bot_entrants import Entrant

SYSTEMS: Final = ("all", "swiss", "against")
"""Each against each; each against those who stand alike; each against one."""
_ALL_SEATINGS: Final = 4
"""Up to so many sides sit in every order that there is."""
_LONGEST_SEED: Final = 1000
MOST_GAMES: Final = 1_000_000
"""More games would take days on one computer, and a file of more than a gigabyte."""
PLAIN, SLOW = 1, 2
"""The numbers of the derivations, kept in tournament files: from seed and names at once, or from a secret that is slow to find."""
_SECRET_BYTES: Final = 16
_EASY_NUMBER: Final = 2**40


class Meeting(NamedTuple):
    """One deal, which some entrants play in every seating."""

    number: int
    who: tuple[int, ...]
    """One for each side, by their numbers; more than once, where there are more sides than entrants."""
    round: int
    deal: str
    """What the cards come from, and all chance of those who play."""


class Schedule(NamedTuple):
    """How a tournament is laid out."""

    system: str
    names: tuple[str, ...]
    sides: int
    games: int
    """So many are asked for; those that are played fill whole rounds."""
    match: int
    """So many games are played one after the other at each seating, the fool dealing the next."""
    seed: int | str
    against: int | None
    key: str = ""
    """What deals follow from where other people's code plays; empty where they follow from the seed."""

    @property
    def a_deal(self) -> int:
        """How many games a deal is played in by so many different entrants."""
        here = self._group(tuple(range(len(self.names))), 0) if self.against is None else self._beside(self._others()[0])
        return len(seatings(here)) * self.match

    @property
    def rounds(self) -> int:
        """How many rounds there are; in each everybody plays once, but for those whom the number leaves over."""
        a_round = self.a_round
        if self.system == "swiss":
            return min(len(self.names) - 1, ceil(log2(len(self.names))) + 3)
        return max(1, ceil(self.games / (a_round * self.a_deal)))

    @property
    def a_round(self) -> int:
        """How many meet in a round, each with a deal of their own."""
        return len(self._others()) if self.against is not None else max(1, len(self.names) // self.sides)

    @property
    def deals(self) -> int:
        """How many deals those who meet in a round play."""
        return max(1, ceil(self.games / (self.rounds * self.a_round * self.a_deal))) if self.system == "swiss" else 1

    @property
    def planned(self) -> int:
        """How many games are played, if nobody is out."""
        return self.rounds * self.a_round * self.deals * self.a_deal

    def _others(self) -> list[int]:
        return [one for one in range(len(self.names)) if one != self.against]

    def _beside(self, one: int) -> tuple[int, ...]:
        """One, and on all other sides whom all are measured by."""
        assert self.against is not None  # noqa: S101 - it is asked of a ladder
        return (one, *[self.against] * (self.sides - 1))

    def _group(self, some: tuple[int, ...], turn: int) -> tuple[int, ...]:
        """So many as there are sides: where there are fewer entrants, some of them sit there twice, by turns."""
        group = list(some[: self.sides])
        while len(group) < self.sides:
            group.append(some[(turn + len(group) - len(some)) % len(some)])
        return tuple(group)

    def meetings(self, points: Callable[[], Sequence[float | None]]) -> Iterator[list[Meeting]]:
        """The meetings, round by round; Swiss rounds ask for the points that each has by then, None for who is out.

        >>> order = Schedule("all", ("a", "b", "c"), 2, 6, 1, 1, None)
        >>> [[one.who for one in some] for some in order.meetings(lambda: [])]
        [[(1, 2)], [(0, 2)], [(0, 1)]]
        """
        met: dict[tuple[int, ...], int] = {}
        number = 0
        for turn, groups in enumerate(self.groups(points)):
            some = []
            for group in groups:
                called = ", ".join(sorted(quoted(self.names[one]) for one in group))
                key = tuple(sorted(group))
                for _ in range(self.deals):
                    met[key] = met.get(key, 0) + 1
                    some.append(Meeting(number, group, turn, f"{self.key or self.seed} {called} {met[key]}"))
                    number += 1
            yield some

    def groups(self, points: Callable[[], Sequence[float | None]]) -> Iterator[list[tuple[int, ...]]]:
        """Yield for each round who sits together; each group plays `deals` meetings in a row. `points` as for `meetings`."""
        chance = Random(f"{self.key or self.seed} who meets whom {len(self.names)}")  # not by names: the same order of entrants meets alike
        drawn = self._drawn(chance)
        past = Counter[frozenset[int]]()
        for turn in range(self.rounds):
            groups = self._swiss(points(), past, chance) if self.system == "swiss" else next(drawn)
            yield groups if self.against is not None else [self._group(group, turn) for group in groups]

    def _drawn(self, chance: Random) -> Iterator[list[tuple[int, ...]]]:
        """Rounds without end in which everybody meets everybody as often, as nearly as there are rounds."""
        everybody = list(range(len(self.names)))
        if self.against is not None:
            while True:
                yield [self._beside(one) for one in self._others()]
        if self.sides >= len(everybody):
            while True:
                yield [tuple(everybody)]
        if self.sides == 2:
            chance.shuffle(everybody)
            yield from _circle(everybody)
        sat, past = dict.fromkeys(everybody, 0), Counter[frozenset[int]]()
        many = len(everybody) // self.sides
        while True:  # more than two at a table: drawn anew, those first who have sat least, beside those whom they have met least
            lots = {one: chance.random() for one in everybody}
            there = sorted(everybody, key=lambda one: (sat[one], lots[one]))[: many * self.sides]
            chance.shuffle(there)
            for one in there:
                sat[one] += 1
            found = self._tables(there, past)
            past.update(_pairs_at(found))
            yield found

    def _swiss(self, points: Sequence[float | None], past: Counter[frozenset[int]], chance: Random) -> list[tuple[int, ...]]:
        """Who stands alike meets; two who have met before only where it cannot be helped, and those rest who have rested least."""
        there = [one for one in range(len(self.names)) if not points or points[one] is not None]
        lots = {one: chance.random() for one in range(len(self.names))}
        there.sort(key=lambda one: (-(points[one] or 0.0) if points else 0.0, lots[one]))
        for _ in range(len(there) % self.sides):
            there.pop(min(range(len(there)), key=lambda at: (past[frozenset({there[at]})], -at)))
        found = (_pairs(there, past, [2000]) if self.sides == 2 else None) or self._tables(there, past)
        past.update(_pairs_at(found))
        sitting = {one for table in found for one in table}
        past.update(frozenset({one}) for one in range(len(self.names)) if one not in sitting)
        return found

    def _tables(self, there: list[int], past: Counter[frozenset[int]]) -> list[tuple[int, ...]]:
        """Each table from the top: the nearest who have met the fewest of those who sit there."""
        left, found = list(there), list[tuple[int, ...]]()
        while left:
            table = [left.pop(0)]
            while len(table) < self.sides:
                table.append(left.pop(min(range(len(left)), key=lambda at: (sum(past[frozenset((left[at], one))] for one in table), at))))
            found.append(tuple(table))
        return found


def _pairs_at(tables: Iterable[tuple[int, ...]]) -> Iterator[frozenset[int]]:
    """Each two who sit at one table."""
    return (frozenset(pair) for table in tables for pair in combinations(table, 2))


def _pairs(there: list[int], past: Container[frozenset[int]], patience: list[int]) -> list[tuple[int, ...]] | None:
    """Each with the nearest whom it has not met; None where that leads nowhere, or is looked for too long."""
    if not there:
        return []
    first, *rest = there
    for other in rest:
        patience[0] -= 1
        if patience[0] < 0:
            return None
        if frozenset((first, other)) not in past:
            more = _pairs([one for one in rest if one != other], past, patience)
            if more is not None:
                return [(first, other), *more]
    return None


def _circle(everybody: list[int]) -> Iterator[list[tuple[int, ...]]]:
    """Each against each once in as few rounds as can be, again and again; who is left over rests."""
    there: list[int | None] = [*everybody, *([None] if len(everybody) % 2 else [])]
    while True:
        for _ in range(len(there) - 1):
            half = len(there) // 2
            pairs = zip(there[:half], reversed(there[half:]), strict=True)
            yield [(one, other) for one, other in pairs if one is not None and other is not None]
            there = [there[0], there[-1], *there[1:-1]]


def seatings(who: Sequence[int]) -> list[tuple[int, ...]]:
    """Every way in which they sit, side by side; five and six sit in every chair, both ways round.

    >>> seatings((4, 7)), len(seatings((1, 2, 2))), len(seatings(range(4))), len(seatings(range(6)))
    ([(4, 7), (7, 4)], 3, 24, 12)
    """
    if len(who) <= _ALL_SEATINGS:
        return sorted(set(permutations(who)))
    turned = [tuple(way[at:]) + tuple(way[:at]) for way in (list(who), list(reversed(who))) for at in range(len(who))]
    return sorted(set(turned))


def schedule_of(
    names: tuple[str, ...], sides: int, *, system: str, games: object, match: object, seed: object, against: str | None, key: str = ""
) -> Schedule:
    """How a tournament is laid out; what cannot be is refused.

    >>> schedule_of(("a", "b"), 2, system="all", games=5, match=1, seed=1, against=None).planned
    6
    """
    if against is not None and system == "all":
        system = "against"
    if system not in SYSTEMS:
        raise BotError(f"system={quoted(system)} is none of: {', '.join(map(repr, SYSTEMS))}")
    if system == "against" and against is None:
        raise BotError('a ladder names whom all play against: against="careful"')
    if system == "swiss" and against is not None:
        raise BotError("in Swiss rounds nobody plays against one alone; leave system or against out")
    many, row = whole_number(games), whole_number(match)
    if many is None or not 1 <= many <= MOST_GAMES:
        raise BotError(f"games={quoted(games)} is how many games are played in all: a whole number from 1 to {MOST_GAMES}")
    if row is None or not 1 <= row <= 100:
        raise BotError(f"match={quoted(match)} is how many games are played in a row at each seating: a whole number from 1 to 100")
    whole = require_seed(seed)
    if system == "swiss" and len(names) <= sides:
        raise BotError(f"in Swiss rounds more take part than sit at one table, which are {sides}")
    place = None if against is None else names.index(against)
    return Schedule(system, names, sides, many, row, whole, place, key)


def require_seed(seed: object) -> int | str:
    """Return what cards can be dealt from; refuse anything else.

    >>> require_seed(True)
    Traceback (most recent call last):
    durak_widget.errors.BotError: seed=True is what all cards are drawn from: a whole number or a text
    """
    if isinstance(seed, bool) or not isinstance(seed, (int, str)):
        raise BotError(f"seed={quoted(seed)} is what all cards are drawn from: a whole number or a text")
    if (
        abs(seed) >= 10**_LONGEST_SEED
        if isinstance(seed, int)
        else len(seed) > _LONGEST_SEED or any("\ud800" <= sign <= "\udfff" for sign in seed)
    ):
        raise BotError(
            f"seed={quoted(seed)} is what all cards are drawn from: at most {_LONGEST_SEED} digits, or signs of a text that can be kept"
        )
    return seed


class DealSource(NamedTuple):
    """Where a tournament's deals come from."""

    derivation: int
    seed: int | str
    key: str = ""
    """The secret that deals follow from; empty for the plain derivation."""


def deal_source(entrants: Iterable[Entrant], seed: int | str | None, kept: Mapping[str, Any]) -> DealSource:
    r"""Return where the deals come from; `kept` is what a file says that began the same tournament.

    Deals of our own bots and of the caller's functions follow from the seed, which is 1 if none is given. A bot that is run in a sandbox could
    try many seeds while it plays, so its deals follow from a slow hash of the seed, or from a random secret. A tournament that goes on keeps its secret.

    >>> from durak_widget.arena.bot_entrants import entrants
    >>> deal_source(entrants(["careful", "first"]), None, {})
    DealSource(derivation=1, seed=1, key='')
    >>> deal_source(entrants({"Ann": "def choose(view):\n    return view.legal_moves()[0]", "first": "first"}), "a seed", {}).derivation
    2
    """
    if not any(entrant.kind == "code" for entrant in entrants):
        return DealSource(PLAIN, seed if seed is not None else kept.get("seed", 1))
    if seed is None:
        seed = kept["seed"] if "seed" in kept else secrets.token_hex(_SECRET_BYTES)
    if kept.get("key") and (type(seed), seed) == (type(kept.get("seed")), kept.get("seed")):
        return DealSource(SLOW, seed, str(kept["key"]))  # also where this Python could not derive it
    if key_derivation.AVAILABLE:
        return DealSource(SLOW, seed, _slow_key(seed))
    return DealSource(SLOW, seed, secrets.token_hex(_SECRET_BYTES))


def may_be_guessed(seed: int | str, key: str) -> bool:
    """Return whether a program could find the secret that deals follow from by trying seeds, although each takes a tenth of a second.

    A random secret does not follow from the seed, so it can't be found, however easy the seed is.

    >>> may_be_guessed(1, "0" * 32), may_be_guessed("willow", _slow_key("willow")), may_be_guessed("5f3e9c1d7a2b4068", _slow_key("5f3e9c1d7a2b4068"))
    (False, True, False)
    """
    easy = abs(seed) < _EASY_NUMBER if isinstance(seed, int) else key_derivation.is_easy_to_guess(seed)
    return easy and key_derivation.AVAILABLE and key == _slow_key(seed)


def _slow_key(seed: int | str) -> str:
    """Return the secret that follows from a seed."""
    return key_derivation.slow_hash(f"{type(seed).__name__} {seed}", "durak_widget arena", _SECRET_BYTES).hex()
