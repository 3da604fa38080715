"""Decides who plays whom on which deal: round robin, groups and seatings.

The schedule depends only on the seed and the names. It doesn't depend on the workers, or on which other entrants fail. If a bot runs in
the sandbox, the deals follow from a slow hash of the seed or from a random secret. So no bot can work them out while it plays.
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
"""The systems: all pairs, Swiss rounds, and a ladder where all play against one bot."""
_ALL_SEATINGS: Final = 4
"""The number of sides up to which every order is a seating."""
_LONGEST_SEED: Final = 1000
MOST_GAMES: Final = 1_000_000
"""The most games: more would take days on one computer, and a file of over a gigabyte."""
PLAIN, SLOW = 1, 2
"""The derivations of deals, by number in tournament files: from the seed, or from a slow secret."""
_SECRET_BYTES: Final = 16
_EASY_NUMBER: Final = 2**40


class Meeting(NamedTuple):
    """One deal that a group of entrants plays in every seating."""

    number: int
    who: tuple[int, ...]
    """The entrant for each side; one comes more than once if there are more sides than entrants."""
    round: int
    deal: str
    """The seed of the cards and of the bots' random generators."""


class Schedule(NamedTuple):
    """The schedule of a tournament."""

    system: str
    names: tuple[str, ...]
    sides: int
    games: int
    """The requested number of games, which is filled up to whole rounds."""
    match: int
    """The number of games in a row at each seating; the fool deals the next."""
    seed: int | str
    against: int | None
    key: str = ""
    """The secret behind the deals if sandboxed code plays; empty if they follow from the seed."""

    @property
    def a_deal(self) -> int:
        """Return the number of games for a deal."""
        group = self._group(tuple(range(len(self.names))), 0) if self.against is None else self._beside(self._others()[0])
        return len(seatings(group)) * self.match

    @property
    def rounds(self) -> int:
        """Return the number of rounds.

        In a round everybody plays once, except those whom the number of sides leaves over.
        """
        groups_in_round = self.a_round
        if self.system == "swiss":
            return min(len(self.names) - 1, ceil(log2(len(self.names))) + 3)
        return max(1, ceil(self.games / (groups_in_round * self.a_deal)))

    @property
    def a_round(self) -> int:
        """Return the number of groups in a round, each with deals of its own."""
        return len(self._others()) if self.against is not None else max(1, len(self.names) // self.sides)

    @property
    def deals(self) -> int:
        """Return the number of deals that a group plays in a round."""
        return max(1, ceil(self.games / (self.rounds * self.a_round * self.a_deal))) if self.system == "swiss" else 1

    @property
    def planned(self) -> int:
        """Return the number of games if no bot is disqualified."""
        return self.rounds * self.a_round * self.deals * self.a_deal

    def _others(self) -> list[int]:
        return [entrant for entrant in range(len(self.names)) if entrant != self.against]

    def _beside(self, one: int) -> tuple[int, ...]:
        """Return a group of the ladder: one entrant, and the reference bot on all other sides."""
        assert self.against is not None  # noqa: S101 - it is asked of a ladder
        return (one, *[self.against] * (self.sides - 1))

    def _group(self, some: tuple[int, ...], turn: int) -> tuple[int, ...]:
        """Return a group with one entrant for each side; with too few, some sit twice by turns."""
        group = list(some[: self.sides])
        while len(group) < self.sides:
            group.append(some[(turn + len(group) - len(some)) % len(some)])
        return tuple(group)

    def meetings(self, points: Callable[[], Sequence[float | None]]) -> Iterator[list[Meeting]]:
        """Yield the meetings of each round.

        Swiss rounds call `points` for the points so far, which are None for a disqualified entrant.

        >>> order = Schedule("all", ("a", "b", "c"), 2, 6, 1, 1, None)
        >>> [[meeting.who for meeting in meetings] for meetings in order.meetings(lambda: [])]
        [[(1, 2)], [(0, 2)], [(0, 1)]]
        """
        deal_counts: dict[tuple[int, ...], int] = {}
        number = 0
        for round_number, groups in enumerate(self.groups(points)):
            round_meetings = []
            for group in groups:
                names_text = ", ".join(sorted(quoted(self.names[entrant]) for entrant in group))
                members = tuple(sorted(group))
                for _ in range(self.deals):
                    deal_counts[members] = deal_counts.get(members, 0) + 1
                    round_meetings.append(
                        Meeting(number, group, round_number, f"{self.key or self.seed} {names_text} {deal_counts[members]}")
                    )
                    number += 1
            yield round_meetings

    def groups(self, points: Callable[[], Sequence[float | None]]) -> Iterator[list[tuple[int, ...]]]:
        """Yield the groups of each round; each plays `deals` meetings in a row.

        `points` is used as in `meetings`.
        """
        rng = Random(
            f"{self.key or self.seed} who meets whom {len(self.names)}"
        )  # without the names, so that other names meet in the same order
        random_rounds = self._drawn(rng)
        pair_counts = Counter[frozenset[int]]()
        for round_number in range(self.rounds):
            groups = self._swiss(points(), pair_counts, rng) if self.system == "swiss" else next(random_rounds)
            yield groups if self.against is not None else [self._group(group, round_number) for group in groups]

    def _drawn(self, chance: Random) -> Iterator[list[tuple[int, ...]]]:
        """Yield rounds without end in which all pairs meet equally often, as nearly as possible."""
        entrants = list(range(len(self.names)))
        if self.against is not None:
            while True:
                yield [self._beside(entrant) for entrant in self._others()]
        if self.sides >= len(entrants):
            while True:
                yield [tuple(entrants)]
        if self.sides == 2:
            chance.shuffle(entrants)
            yield from _circle(entrants)
        table_counts, pair_counts = dict.fromkeys(entrants, 0), Counter[frozenset[int]]()
        tables_per_round = len(entrants) // self.sides
        while True:  # more than two at a table: choose who has sat least, beside those they have met least
            random_order = {entrant: chance.random() for entrant in entrants}
            chosen = sorted(entrants, key=lambda entrant: (table_counts[entrant], random_order[entrant]))[: tables_per_round * self.sides]
            chance.shuffle(chosen)
            for entrant in chosen:
                table_counts[entrant] += 1
            tables = self._tables(chosen, pair_counts)
            pair_counts.update(_pairs_at(tables))
            yield tables

    def _swiss(self, points: Sequence[float | None], past: Counter[frozenset[int]], chance: Random) -> list[tuple[int, ...]]:
        """Return the groups of a Swiss round: entrants with similar points meet.

        Two meet again only if it can't be avoided. Of those left over, the entrants rest that have rested least.
        """
        active = [entrant for entrant in range(len(self.names)) if not points or points[entrant] is not None]
        random_order = {entrant: chance.random() for entrant in range(len(self.names))}
        active.sort(key=lambda entrant: (-(points[entrant] or 0.0) if points else 0.0, random_order[entrant]))
        for _ in range(len(active) % self.sides):
            active.pop(min(range(len(active)), key=lambda index: (past[frozenset({active[index]})], -index)))
        tables = (_pairs(active, past, [2000]) if self.sides == 2 else None) or self._tables(active, past)
        past.update(_pairs_at(tables))
        seated = {entrant for table in tables for entrant in table}
        past.update(frozenset({entrant}) for entrant in range(len(self.names)) if entrant not in seated)
        return tables

    def _tables(self, there: list[int], past: Counter[frozenset[int]]) -> list[tuple[int, ...]]:
        """Return tables from the top: each adds the nearest entrant that met the fewest there."""
        waiting, tables = list(there), list[tuple[int, ...]]()
        while waiting:
            table = [waiting.pop(0)]
            while len(table) < self.sides:
                table.append(
                    waiting.pop(
                        min(
                            range(len(waiting)),
                            key=lambda index: (sum(past[frozenset((waiting[index], member))] for member in table), index),
                        )
                    )
                )
            tables.append(tuple(table))
        return tables


def _pairs_at(tables: Iterable[tuple[int, ...]]) -> Iterator[frozenset[int]]:
    """Return every pair at a table."""
    return (frozenset(pair) for table in tables for pair in combinations(table, 2))


def _pairs(there: list[int], past: Container[frozenset[int]], patience: list[int]) -> list[tuple[int, ...]] | None:
    """Return pairs of near entrants that have not met; None if there are none.

    None also if they are not found in `patience[0]` steps.
    """
    if not there:
        return []
    first, *rest = there
    for opponent in rest:
        patience[0] -= 1
        if patience[0] < 0:
            return None
        if frozenset((first, opponent)) not in past:
            other_pairs = _pairs([entrant for entrant in rest if entrant != opponent], past, patience)
            if other_pairs is not None:
                return [(first, opponent), *other_pairs]
    return None


def _circle(everybody: list[int]) -> Iterator[list[tuple[int, ...]]]:
    """Yield a round robin of pairs in as few rounds as possible, again and again.

    With an odd number one rests in each round.
    """
    circle: list[int | None] = [*everybody, *([None] if len(everybody) % 2 else [])]
    while True:
        for _ in range(len(circle) - 1):
            half = len(circle) // 2
            pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
            yield [(first, second) for first, second in pairs if first is not None and second is not None]
            circle = [circle[0], circle[-1], *circle[1:-1]]


def seatings(who: Sequence[int]) -> list[tuple[int, ...]]:
    """Return every seating of the entrants; with five or six, every rotation both ways round.

    >>> seatings((4, 7)), len(seatings((1, 2, 2))), len(seatings(range(4))), len(seatings(range(6)))
    ([(4, 7), (7, 4)], 3, 24, 12)
    """
    if len(who) <= _ALL_SEATINGS:
        return sorted(set(permutations(who)))
    rotations = [tuple(order[start:]) + tuple(order[:start]) for order in (list(who), list(reversed(who))) for start in range(len(who))]
    return sorted(set(rotations))


def schedule_of(
    names: tuple[str, ...], sides: int, *, system: str, games: object, match: object, seed: object, against: str | None, key: str = ""
) -> Schedule:
    """Return the schedule of a tournament; refuse an impossible one.

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
    game_count, match_length = whole_number(games), whole_number(match)
    if game_count is None or not 1 <= game_count <= MOST_GAMES:
        raise BotError(f"games={quoted(games)} is how many games are played in all: a whole number from 1 to {MOST_GAMES}")
    if match_length is None or not 1 <= match_length <= 100:
        raise BotError(f"match={quoted(match)} is how many games are played in a row at each seating: a whole number from 1 to 100")
    valid_seed = require_seed(seed)
    if system == "swiss" and len(names) <= sides:
        raise BotError(f"in Swiss rounds more take part than sit at one table, which are {sides}")
    against_index = None if against is None else names.index(against)
    return Schedule(system, names, sides, game_count, match_length, valid_seed, against_index, key)


def require_seed(seed: object) -> int | str:
    """Return a seed that cards can be dealt from; refuse anything else.

    >>> require_seed(True)
    Traceback (most recent call last):
    durak_widget.errors.BotError: seed=True is what all cards are drawn from: a whole number or a text
    """
    if isinstance(seed, bool) or not isinstance(seed, (int, str)):
        raise BotError(f"seed={quoted(seed)} is what all cards are drawn from: a whole number or a text")
    if (
        abs(seed) >= 10**_LONGEST_SEED
        if isinstance(seed, int)
        else len(seed) > _LONGEST_SEED or any("\ud800" <= character <= "\udfff" for character in seed)
    ):
        raise BotError(
            f"seed={quoted(seed)} is what all cards are drawn from: at most {_LONGEST_SEED} digits, or signs of a text that can be kept"
        )
    return seed


class DealSource(NamedTuple):
    """The source of a tournament's deals."""

    derivation: int
    seed: int | str
    key: str = ""
    """The secret that deals follow from; empty for the plain derivation."""


def deal_source(entrants: Iterable[Entrant], seed: int | str | None, kept: Mapping[str, Any]) -> DealSource:
    r"""Return the source of the deals; `kept` is the stored data if the tournament goes on.

    Deals of our own bots and of the caller's functions follow from the seed, which is 1 if none is given. A bot that is run in a sandbox
    could try many seeds while it plays, so its deals follow from a slow hash of the seed, or from a random secret. A tournament that goes
    on keeps its secret.

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
        return DealSource(SLOW, seed, str(kept["key"]))  # even if this Python can't derive it
    if key_derivation.AVAILABLE:
        return DealSource(SLOW, seed, _slow_key(seed))
    return DealSource(SLOW, seed, secrets.token_hex(_SECRET_BYTES))


def may_be_guessed(seed: int | str, key: str) -> bool:
    """Return whether a program could find the secret by trying seeds, at 0.1 seconds each.

    A random secret does not follow from the seed, so it can't be found, however easy the seed is.

    >>> may_be_guessed(1, "0" * 32), may_be_guessed("willow", _slow_key("willow")), may_be_guessed("5f3e9c1d7a2b4068", _slow_key("5f3e9c1d7a2b4068"))
    (False, True, False)
    """
    is_easy = abs(seed) < _EASY_NUMBER if isinstance(seed, int) else key_derivation.is_easy_to_guess(seed)
    return is_easy and key_derivation.AVAILABLE and key == _slow_key(seed)


def _slow_key(seed: int | str) -> str:
    """Return the secret that follows from a seed."""
    return key_derivation.slow_hash(f"{type(seed).__name__} {seed}", "durak_widget arena", _SECRET_BYTES).hex()
