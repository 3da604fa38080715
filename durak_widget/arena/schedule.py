"""Schedules which bots play against each other on each deal, and in which seats.

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
from durak_widget.errors import BotError, as_whole_number, short_repr

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from durak_widget.arena.bot_entrants import Entrant

SYSTEMS: Final = ("all", "swiss", "against")
"""The kinds of schedules: all pairs, Swiss rounds, and a ladder in which every bot plays against one reference bot."""
_MAX_SIDES_IN_EVERY_ORDER: Final = 4
"""The maximum number of sides (players or teams) with which a deal is played in every order of the bots around the
table."""
_MAX_SEED_LENGTH: Final = 1000
MAX_GAMES: Final = 1_000_000
"""The maximum number of games in a tournament; more would take days on one computer, in a file of over a gigabyte."""
PLAIN_DERIVATION, SLOW_DERIVATION = 1, 2
"""How deals are derived, as a number in tournament files: 1 for directly from the seed, and 2 for from a secret."""
_SECRET_BYTES: Final = 16
_EASY_NUMBER: Final = 2**40


class Meeting(NamedTuple):
    """A meeting: some entrants play one deal in each order of seats from `list_seatings`."""

    number: int
    entrants: tuple[int, ...]
    """The entrant on each side; if there are fewer entrants than sides, an entrant plays several sides."""
    round: int
    deal_seed: str
    """The text from which the deal and the bots' random numbers are generated."""


class Schedule(NamedTuple):
    """The settings that determine which entrants of a tournament play which deals."""

    system: str
    names: tuple[str, ...]
    sides: int
    games: int
    """The number of games that the user asks for; the schedule may have more, to complete its last round."""
    match: int
    """The number of games in a match, which is a series with the same order of seats; the fool of a game deals the
    next one."""
    seed: int | str
    against: int | None
    key: str = ""
    """The secret from which deals are derived, so that sandboxed code can't predict them; if it is empty, deals come
    from the seed."""

    @property
    def games_per_deal(self) -> int:
        """Return the number of games that are played from each deal."""
        group = (
            self._fill_group(tuple(range(len(self.names))), 0)
            if self.against is None
            else self._build_ladder_group(self._list_challengers()[0])
        )
        return len(list_seatings(group)) * self.match

    @property
    def round_count(self) -> int:
        """Return the number of rounds in the schedule.

        In a round everybody plays once, except those whom the number of sides leaves over.
        """
        groups_in_round = self.groups_per_round
        if self.system == "swiss":
            return min(len(self.names) - 1, ceil(log2(len(self.names))) + 3)
        return max(1, ceil(self.games / (groups_in_round * self.games_per_deal)))

    @property
    def groups_per_round(self) -> int:
        """Return the number of groups in a round; the entrants of a group play each other."""
        return len(self._list_challengers()) if self.against is not None else max(1, len(self.names) // self.sides)

    @property
    def deals_per_group(self) -> int:
        """Return the number of deals that a group plays in a round."""
        return max(1, ceil(self.games / (self.round_count * self.groups_per_round * self.games_per_deal))) if self.system == "swiss" else 1

    @property
    def games_planned(self) -> int:
        """Return the number of games if no bot is disqualified."""
        return self.round_count * self.groups_per_round * self.deals_per_group * self.games_per_deal

    def _list_challengers(self) -> list[int]:
        """Return all entrants of a ladder except the one bot against which all others play."""
        return [entrant for entrant in range(len(self.names)) if entrant != self.against]

    def _build_ladder_group(self, challenger: int) -> tuple[int, ...]:
        """Return a group of a ladder (all play against one bot): a challenger and that one bot."""
        assert self.against is not None  # noqa: S101 - it is asked of a ladder
        return (challenger, *[self.against] * (self.sides - 1))

    def _fill_group(self, members: tuple[int, ...], round_number: int) -> tuple[int, ...]:
        """Assign entrants to sides; with fewer entrants than sides, some play several sides."""
        group = list(members[: self.sides])
        while len(group) < self.sides:
            group.append(members[(round_number + len(group) - len(members)) % len(members)])
        return tuple(group)

    def generate_meetings(self, get_points: Callable[[], Sequence[float | None]]) -> Iterator[list[Meeting]]:
        """Yield the meetings of each round; in a meeting, some entrants play one deal.

        Swiss rounds call `get_points` for the points so far, which are None for a disqualified entrant.

        >>> order = Schedule("all", ("a", "b", "c"), 2, 6, 1, 1, None)
        >>> [[meeting.entrants for meeting in meetings] for meetings in order.generate_meetings(lambda: [])]
        [[(1, 2)], [(0, 2)], [(0, 1)]]
        """
        deal_counts: dict[tuple[int, ...], int] = {}
        number = 0
        for round_number, groups in enumerate(self.generate_groups(get_points)):
            round_meetings = []
            for group in groups:
                names_text = ", ".join(sorted(short_repr(self.names[entrant]) for entrant in group))
                members = tuple(sorted(group))
                for _ in range(self.deals_per_group):
                    deal_counts[members] = deal_counts.get(members, 0) + 1
                    round_meetings.append(
                        Meeting(number, group, round_number, f"{self.key or self.seed} {names_text} {deal_counts[members]}")
                    )
                    number += 1
            yield round_meetings

    def generate_groups(self, get_points: Callable[[], Sequence[float | None]]) -> Iterator[list[tuple[int, ...]]]:
        """Yield, for each round, the groups of entrants who play each other.

        Each group plays `deals_per_group` meetings in a row.

        `get_points` is used as in `generate_meetings`.
        """
        rng = Random(
            f"{self.key or self.seed} who meets whom {len(self.names)}"
        )  # Names are not part of the seed, so renaming a bot does not change the schedule
        random_rounds = self._generate_rounds(rng)
        pair_counts = Counter[frozenset[int]]()
        for round_number in range(self.round_count):
            groups = self._pair_swiss_round(get_points(), pair_counts, rng) if self.system == "swiss" else next(random_rounds)
            yield groups if self.against is not None else [self._fill_group(group, round_number) for group in groups]

    def _generate_rounds(self, rng: Random) -> Iterator[list[tuple[int, ...]]]:
        """Yield endlessly many rounds, in which all pairs of entrants play about equally often."""
        entrants = list(range(len(self.names)))
        if self.against is not None:
            while True:
                yield [self._build_ladder_group(entrant) for entrant in self._list_challengers()]
        if self.sides >= len(entrants):
            while True:
                yield [tuple(entrants)]
        if self.sides == 2:
            rng.shuffle(entrants)
            yield from _generate_round_robin(entrants)
        table_counts, pair_counts = dict.fromkeys(entrants, 0), Counter[frozenset[int]]()
        tables_per_round = len(entrants) // self.sides
        while True:  # Choose the entrants with the fewest games, and seat together those that have rarely met
            random_order = {entrant: rng.random() for entrant in entrants}
            chosen = sorted(entrants, key=lambda entrant: (table_counts[entrant], random_order[entrant]))[: tables_per_round * self.sides]
            rng.shuffle(chosen)
            for entrant in chosen:
                table_counts[entrant] += 1
            tables = self._arrange_tables(chosen, pair_counts)
            pair_counts.update(_list_pairs(tables))
            yield tables

    def _pair_swiss_round(self, points: Sequence[float | None], pair_counts: Counter[frozenset[int]], rng: Random) -> list[tuple[int, ...]]:
        """Return the groups of a Swiss round; in a group, entrants with similar points play.

        Two meet again only if it can't be avoided. If some are left over, those rest who have rested least often.
        """
        active = [entrant for entrant in range(len(self.names)) if not points or points[entrant] is not None]
        random_order = {entrant: rng.random() for entrant in range(len(self.names))}
        active.sort(key=lambda entrant: (-(points[entrant] or 0.0) if points else 0.0, random_order[entrant]))
        for _ in range(len(active) % self.sides):
            active.pop(min(range(len(active)), key=lambda index: (pair_counts[frozenset({active[index]})], -index)))
        tables = (_pair_without_repeats(active, pair_counts, [2000]) if self.sides == 2 else None) or self._arrange_tables(
            active, pair_counts
        )
        pair_counts.update(_list_pairs(tables))
        seated = {entrant for table in tables for entrant in table}
        pair_counts.update(frozenset({entrant}) for entrant in range(len(self.names)) if entrant not in seated)
        return tables

    def _arrange_tables(self, entrants: list[int], pair_counts: Counter[frozenset[int]]) -> list[tuple[int, ...]]:
        """Seat entrants at tables, so that entrants with many common games sit apart."""
        waiting, tables = list(entrants), list[tuple[int, ...]]()
        while waiting:
            table = [waiting.pop(0)]
            while len(table) < self.sides:
                table.append(
                    waiting.pop(
                        min(
                            range(len(waiting)),
                            key=lambda index: (sum(pair_counts[frozenset((waiting[index], member))] for member in table), index),
                        )
                    )
                )
            tables.append(tuple(table))
        return tables


def _list_pairs(tables: Iterable[tuple[int, ...]]) -> Iterator[frozenset[int]]:
    """Return all pairs of entrants who sit at the same table."""
    return (frozenset(pair) for table in tables for pair in combinations(table, 2))


def _pair_without_repeats(
    entrants: list[int], played_pairs: Container[frozenset[int]], steps_left: list[int]
) -> list[tuple[int, ...]] | None:
    """Pair entrants with similar points and no common game; return None if that is impossible.

    None also if they are not found in `steps_left[0]` steps.
    """
    if not entrants:
        return []
    first, *rest = entrants
    for opponent in rest:
        steps_left[0] -= 1
        if steps_left[0] < 0:
            return None
        if frozenset((first, opponent)) not in played_pairs:
            other_pairs = _pair_without_repeats([entrant for entrant in rest if entrant != opponent], played_pairs, steps_left)
            if other_pairs is not None:
                return [(first, opponent), *other_pairs]
    return None


def _generate_round_robin(entrants: list[int]) -> Iterator[list[tuple[int, ...]]]:
    """Yield, again and again, rounds of two-player games in which each pair plays once.

    With an odd number one rests in each round.
    """
    circle: list[int | None] = [*entrants, *([None] if len(entrants) % 2 else [])]
    while True:
        for _ in range(len(circle) - 1):
            half = len(circle) // 2
            pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
            yield [(first, second) for first, second in pairs if first is not None and second is not None]
            circle = [circle[0], circle[-1], *circle[1:-1]]


def list_seatings(entrants: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the orders of seats for a deal: all, or only some for five or six entrants.

    For five or six entrants, they are the rotations of one order and of its reverse.

    >>> list_seatings((4, 7)), len(list_seatings((1, 2, 2))), len(list_seatings(range(4))), len(list_seatings(range(6)))
    ([(4, 7), (7, 4)], 3, 24, 12)
    """
    if len(entrants) <= _MAX_SIDES_IN_EVERY_ORDER:
        return sorted(set(permutations(entrants)))
    rotations = [
        tuple(order[start:]) + tuple(order[:start])
        for order in (list(entrants), list(reversed(entrants)))
        for start in range(len(entrants))
    ]
    return sorted(set(rotations))


def build_schedule(
    names: tuple[str, ...], sides: int, *, system: str, games: object, match: object, seed: object, against: str | None, key: str = ""
) -> Schedule:
    """Build a tournament's schedule; raise an error if the settings don't allow one.

    >>> build_schedule(("a", "b"), 2, system="all", games=5, match=1, seed=1, against=None).games_planned
    6
    """
    if against is not None and system == "all":
        system = "against"
    if system not in SYSTEMS:
        raise BotError(f"system must be one of {', '.join(map(repr, SYSTEMS))}, not {short_repr(system)}")
    if system == "against" and against is None:
        raise BotError('a ladder needs the bot that all others play against: against="careful"')
    if system == "swiss" and against is not None:
        raise BotError("Swiss rounds have no bot that all others play against; leave out system or against")
    game_count, match_length = as_whole_number(games), as_whole_number(match)
    if game_count is None or not 1 <= game_count <= MAX_GAMES:
        raise BotError(f"games must be a whole number from 1 to {MAX_GAMES}, the total number of games, not {short_repr(games)}")
    if match_length is None or not 1 <= match_length <= 100:
        raise BotError(f"match must be a whole number from 1 to 100, the number of games in a row at each seating, not {short_repr(match)}")
    valid_seed = require_seed(seed)
    if system == "swiss" and len(names) <= sides:
        raise BotError(f"Swiss rounds need more bots than one table has seats, which are {sides}")
    against_index = None if against is None else names.index(against)
    return Schedule(system, names, sides, game_count, match_length, valid_seed, against_index, key)


def require_seed(seed: object) -> int | str:
    """Return `seed`; raise an error if `seed` is not valid for dealing cards.

    >>> require_seed(True)
    Traceback (most recent call last):
    durak_widget.errors.BotError: seed must be a whole number or a text, not True: it is the seed of all cards
    """
    if isinstance(seed, bool) or not isinstance(seed, (int, str)):
        raise BotError(f"seed must be a whole number or a text, not {short_repr(seed)}: it is the seed of all cards")
    if (
        abs(seed) >= 10**_MAX_SEED_LENGTH
        if isinstance(seed, int)
        else len(seed) > _MAX_SEED_LENGTH or any("\ud800" <= character <= "\udfff" for character in seed)
    ):
        raise BotError(
            f"seed={short_repr(seed)} is too long or cannot be stored; use a number of at most {_MAX_SEED_LENGTH} digits, or a text of at most that many printable characters"
        )
    return seed


class DealSource(NamedTuple):
    """The source from which a tournament derives its deals: a seed, or a secret."""

    derivation: int
    seed: int | str
    key: str = ""
    """The secret from which the deals are derived; if it is empty, they come from the seed."""


def choose_deal_source(entrants: Iterable[Entrant], seed: int | str | None, stored: Mapping[str, Any]) -> DealSource:
    r"""Choose whether the deals of a tournament are derived from a seed or from a secret.

    `stored` has the settings in the tournament file.

    Deals of our own bots and of the caller's functions follow from the seed, which is 1 if none is given. A bot that is run in a sandbox
    could try many seeds while it plays, so its deals follow from a slow hash of the seed, or from a random secret. A tournament that goes
    on keeps its secret.

    >>> from durak_widget.arena.bot_entrants import build_entrants
    >>> choose_deal_source(build_entrants(["careful", "first"]), None, {})
    DealSource(derivation=1, seed=1, key='')
    >>> choose_deal_source(build_entrants({"Ann": "def choose(view):\n    return view.legal_moves()[0]", "first": "first"}), "a seed", {}).derivation
    2
    """
    if not any(entrant.kind == "code" for entrant in entrants):
        return DealSource(PLAIN_DERIVATION, seed if seed is not None else stored.get("seed", 1))
    if seed is None:
        seed = stored["seed"] if "seed" in stored else secrets.token_hex(_SECRET_BYTES)
    if stored.get("key") and (type(seed), seed) == (type(stored.get("seed")), stored.get("seed")):
        return DealSource(SLOW_DERIVATION, seed, str(stored["key"]))  # A stored secret is valid even in a Python without scrypt
    if key_derivation.HAS_SCRYPT:
        return DealSource(SLOW_DERIVATION, seed, _derive_key(seed))
    return DealSource(SLOW_DERIVATION, seed, secrets.token_hex(_SECRET_BYTES))


def is_guessable(seed: int | str, key: str) -> bool:
    """Return whether a program could find the secret `key` by trying likely seeds.

    It would need 0.1 seconds for each seed.

    A random secret does not follow from the seed, so it can't be found, however easy the seed is.

    >>> is_guessable(1, "0" * 32), is_guessable("willow", _derive_key("willow")), is_guessable("5f3e9c1d7a2b4068", _derive_key("5f3e9c1d7a2b4068"))
    (False, True, False)
    """
    is_easy = abs(seed) < _EASY_NUMBER if isinstance(seed, int) else key_derivation.is_easy_to_guess(seed)
    return is_easy and key_derivation.HAS_SCRYPT and key == _derive_key(seed)


def _derive_key(seed: int | str) -> str:
    """Derive the secret for the deals of a tournament from its seed."""
    return key_derivation.slow_hash(f"{type(seed).__name__} {seed}", "durak_widget arena", _SECRET_BYTES).hex()
