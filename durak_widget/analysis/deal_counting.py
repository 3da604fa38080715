"""Counting in how many ways unseen cards can lie: by how many cards of each kind, so that cards of which the same is proved are counted together.

Two dynamic programmes. `Hand` goes back through the past of one seat and counts the ways in which it can have drawn what it holds; `Layouts` deals
the cards of each kind to one place after another. Both are exact, in whole numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, combinations, permutations, product
from math import comb, factorial, inf, perm, prod
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from random import Random

    from durak_widget.analysis.hand_inference import Stretch

Kinds = tuple[int, ...]
"""How many cards of each kind."""


class TooManyError(Exception):
    """There are more cases than the budget allows."""


class _Leg(NamedTuple):
    """A stretch in kinds: which kinds are not there at its end, of which there is one at least, what was played in it, and how many were drawn before it."""

    lacks: tuple[int, ...]
    one_of: tuple[tuple[int, ...], ...]
    played: Kinds
    drew: int


class Hand:
    """What a seat can hold unseen, and in how many ways it can have come to hold that."""

    __slots__ = ("_can", "_free", "_legs", "_memory", "_stretches", "kinds", "most", "size")

    kinds: dict[int, int]
    """The kind of each face."""
    most: Kinds
    """The most cards that it can hold of each kind."""

    def __init__(self, stretches: Sequence[Stretch], drawn: Sequence[tuple[int, ...]], size: int, faces: Sequence[int]) -> None:
        masks = [mask for stretch in stretches for mask in (stretch.lacks, *stretch.one_of)]
        everything = {*faces, *(face for stretch in stretches for face in stretch.played)}
        marks = {face: tuple(mask >> face & 1 for mask in masks) for face in sorted(everything)}
        numbers = {mark: kind for kind, mark in enumerate(dict.fromkeys(marks.values()))}
        self._stretches = stretches
        self.kinds, self.size = {face: numbers[mark] for face, mark in marks.items()}, size
        self._legs = [self._leg(stretch, len(places)) for stretch, places in zip(stretches, [(), *drawn], strict=True)]
        self._free = next((i for i, leg in enumerate(self._legs) if leg.lacks or leg.one_of), len(self._legs))
        self._memory: dict[tuple[int, Kinds], int] = {}
        self._can: dict[tuple[int, Kinds], bool] = {}
        self.most = self._bounds()

    def _leg(self, stretch: Stretch, drew: int) -> _Leg:
        played = [0] * (max(self.kinds.values(), default=-1) + 1)
        for face in stretch.played:
            played[self.kinds[face]] += 1
        return _Leg(self._of(stretch.lacks), tuple(map(self._of, stretch.one_of)), tuple(played), drew)

    def _of(self, mask: int) -> tuple[int, ...]:
        return tuple(sorted({kind for face, kind in self.kinds.items() if mask >> face & 1}))

    def _bounds(self) -> Kinds:
        most, drawn = [self.size] * len(self._legs[0].played), 0
        for leg in reversed(self._legs):
            for kind in leg.lacks:
                most[kind] = min(most[kind], drawn)
            drawn += leg.drew
        return tuple(most)

    def ways(self, held: Kinds) -> int:
        """In how many ways, counted with the order in which cards were drawn, a hand of these kinds can have been dealt and drawn."""
        return self._ways(len(self._legs) - 1, held)

    @property
    def ceiling(self) -> int:
        """The ways there would be if nothing were proved: never fewer."""
        return self._unbound(len(self._legs) - 1, self.size)

    def _unbound(self, i: int, size: int) -> int:
        """The ways to the end of that stretch, to a hand of so many cards, where nothing is proved before."""
        found = 1
        for leg in reversed(self._legs[1 : i + 1]):
            size += sum(leg.played)
            found *= perm(size, leg.drew)
            size -= leg.drew
        return found

    def _ways(self, i: int, held: Kinds) -> int:
        """The ways to the end of that stretch."""
        leg = self._legs[i]
        if any(held[kind] for kind in leg.lacks) or not all(any(held[kind] for kind in kinds) for kinds in leg.one_of):
            return 0
        if i == 0:
            return 1
        key = i, held
        found = self._memory.get(key)
        if found is None:
            before = tuple(map(int.__add__, held, leg.played))
            if i <= self._free:
                found = self._unbound(i, sum(held))
            else:
                found = sum(count * self._ways(i - 1, kept) for count, kept in self._splits(i, before)) * factorial(leg.drew)
            self._memory[key] = found
        return found

    def can_be(self, held: Kinds) -> bool:
        """Whether there is any such way: found without counting them all."""
        return self._can_be(len(self._legs) - 1, held)

    def _can_be(self, i: int, held: Kinds) -> bool:
        """Whether there is one to the end of that stretch."""
        leg = self._legs[i]
        if any(held[kind] for kind in leg.lacks) or not all(any(held[kind] for kind in kinds) for kinds in leg.one_of):
            return False
        if i <= self._free:
            return True
        key = i, held
        found = self._can.get(key)
        if found is None:
            before = tuple(map(int.__add__, held, leg.played))
            found = self._can[key] = any(self._can_be(i - 1, tuple(map(int.__sub__, before, drawn))) for drawn in self._draws(i, before))
        return found

    def _splits(self, i: int, before: Kinds) -> Iterator[tuple[int, Kinds]]:
        """What can have been there before a draw: in how many ways, and how much of each kind."""
        for drawn in self._draws(i, before):
            yield prod(map(comb, before, drawn)), tuple(map(int.__sub__, before, drawn))

    def _draws(self, i: int, before: Kinds) -> Iterator[Kinds]:
        """What can have been drawn: all there was by then that had not been there."""
        gone = set(self._legs[i - 1].lacks)
        return shares(before, self._legs[i].drew, [count if kind in gone else 0 for kind, count in enumerate(before)])

    def past(self, cards: list[int], rng: Random) -> list[list[int]]:
        """A way in which a hand of these faces can have been dealt and drawn, each as likely: what was dealt, and then each draw in its order."""
        pieces: list[list[int]] = []
        cards = cards[:]
        rng.shuffle(cards)
        for i in range(len(self._legs) - 1, 0, -1):
            cards += self._stretches[i].played
            options = list(self._splits(i, self.held(cards)))
            weights = [count * self._ways(i - 1, kept) for count, kept in options]
            kept = options[pick(list(accumulate(weights)), rng)][1]
            left = list(kept)
            rng.shuffle(cards)
            stay: list[int] = []
            drawn: list[int] = []
            for face in cards:
                kind = self.kinds[face]
                (stay if left[kind] else drawn).append(face)
                left[kind] -= left[kind] > 0
            pieces.append(drawn)
            cards = stay
        return [cards + self._stretches[0].played, *reversed(pieces)]

    def pasts(self, cards: list[int]) -> Iterator[list[list[int]]]:
        """All those ways, in a fixed order."""
        yield from self._pasts(len(self._legs) - 1, sorted(cards))

    def _pasts(self, i: int, cards: list[int]) -> Iterator[list[list[int]]]:
        if not self._ways(i, self.held(cards)):
            return
        cards = cards + self._stretches[i].played
        if i == 0:
            yield [cards]
            return
        for order in permutations(range(len(cards)), self._legs[i].drew):
            kept = [face for place, face in enumerate(cards) if place not in order]
            for before in self._pasts(i - 1, kept):
                yield [*before, [cards[place] for place in order]]

    def held(self, faces: Iterable[int]) -> Kinds:
        """How many of each kind there are among some faces."""
        counts = [0] * len(self.most)
        for face in faces:
            counts[self.kinds[face]] += 1
        return tuple(counts)


class Layouts:
    """All ways to lay unseen cards into hands of which something is proved; what is left over lies anywhere."""

    __slots__ = ("_budget", "_each_way", "_memory", "_next", "_pool", "_to_hand", "hands", "levels", "start")

    def __init__(self, pool: Sequence[int], hands: Sequence[Hand], *, each_way: bool, budget: float = inf) -> None:
        self._pool, self.hands, self._each_way, self._budget = list(pool), hands, each_way, budget
        self.levels: list[dict[int, int]] = []
        """For each hand, the kind of each face as far as it matters for this hand and the later ones."""
        for level in range(len(hands)):
            marks = {face: tuple(hand.kinds[face] for hand in hands[level:]) for face in sorted(set(pool))}
            numbers = {mark: kind for kind, mark in enumerate(dict.fromkeys(marks.values()))}
            self.levels.append({face: numbers[mark] for face, mark in marks.items()})
        self._to_hand = [self._map(here, hand.kinds) for here, hand in zip(self.levels, hands, strict=True)]
        self._next = [self._map(here, later) for here, later in zip(self.levels, self.levels[1:], strict=False)]
        self._memory: dict[tuple[int, Kinds], tuple[list[Kinds], list[int]]] = {}
        counts = [0] * (max(self.levels[0].values(), default=-1) + 1 if hands else 0)
        for face in pool if hands else ():
            counts[self.levels[0][face]] += 1
        self.start = tuple(counts)
        """How many cards of each kind there are to lay."""

    @staticmethod
    def _map(fine: dict[int, int], coarse: dict[int, int]) -> list[int]:
        """For each kind of the finer kind of kinds, the coarser one."""
        return [kind for _, kind in sorted({fine[face]: coarse[face] for face in fine}.items())]

    def total(self) -> int:
        """How many ways there are, but for the order of what is left over."""
        return self._total(0, self.start)

    def _total(self, level: int, left: Kinds) -> int:
        if level == len(self.hands):
            return 1
        totals = self.options(level, left)[1]
        return totals[-1] if totals else 0

    def options(self, level: int, left: Kinds) -> tuple[list[Kinds], list[int]]:
        """What the hand of that level can hold of the cards left, and the running sum of the ways that go on from it."""
        found = self._memory.get((level, left))
        if found is not None:
            return found
        hand, to_hand = self.hands[level], self._to_hand[level]
        width, most = len(hand.most), hand.most
        shares_found, weights = [], []
        for share in shares(tuple(min(count, most[to_hand[kind]]) for kind, count in enumerate(left)), hand.size):
            self._budget -= 1
            if self._budget < 0:
                raise TooManyError
            held = [0] * width
            for kind, count in enumerate(share):
                held[to_hand[kind]] += count
            ways = hand.ways(tuple(held)) if self._each_way else int(hand.can_be(tuple(held)))
            weight = self._total(level + 1, self.after(level, left, share)) if ways else 0
            if weight:
                shares_found.append(share)
                weights.append(weight * prod(map(comb, left, share)) * ways)
        found = self._memory[level, left] = shares_found, list(accumulate(weights))
        return found

    def after(self, level: int, left: Kinds, share: Kinds) -> Kinds:
        """The cards left for the next hand, in its kinds."""
        if level + 1 == len(self.hands):
            return ()
        to_next = self._next[level]
        counts = [0] * (max(to_next, default=-1) + 1)
        for kind, count in enumerate(left):
            counts[to_next[kind]] += count - share[kind]
        return tuple(counts)

    def without(self, mask: int) -> int:
        """In how many ways the first hand holds none of these faces: of each kind, any of its cards are as likely as any others."""
        marked = [0] * len(self.start)
        for face in self._pool:
            marked[self.levels[0][face]] += mask >> face & 1
        others = tuple(map(int.__sub__, self.start, marked))
        found, totals = self.options(0, self.start)
        weights = map(int.__sub__, totals, [0, *totals])
        return sum(
            weight // prod(map(comb, self.start, share)) * prod(map(comb, others, share))
            for share, weight in zip(found, weights, strict=True)
        )

    def draw(self, rng: Random) -> list[Kinds]:
        """How many cards of each kind each hand holds, each way as likely."""
        left, drawn = self.start, []
        for level in range(len(self.hands)):
            found, totals = self.options(level, left)
            share = found[pick(totals, rng)]
            drawn.append(share)
            left = self.after(level, left, share)
        return drawn

    def deal(self, rng: Random) -> tuple[list[list[int]], list[int]]:
        """The cards of each hand, and what is left over in an order by chance."""
        by_chance = rng.random
        # of two cards one comes first as likely as the other, but for once in 10^16 times: four times as fast as a shuffle
        rest = sorted(self._pool, key=lambda _: by_chance())
        dealt = []
        for share, kind_of in zip(self.draw(rng), self.levels, strict=True):
            need, hand, left = list(share), list[int](), list[int]()
            for face in rest:
                kind = kind_of[face]
                if need[kind]:
                    need[kind] -= 1
                    hand.append(face)
                else:
                    left.append(face)
            if len(need) > 1:  # those left of a kind of which some were taken came later than the others
                left.sort(key=lambda _: by_chance())
            dealt.append(hand)
            rest = left
        return dealt, rest

    def every(self) -> Iterator[tuple[list[list[int]], list[int]]]:
        """All ways, in a fixed order; what is left over in card order."""
        yield from self._every(0, self.start, self._pool, [])

    def _every(self, level: int, left: Kinds, cards: list[int], dealt: list[list[int]]) -> Iterator[tuple[list[list[int]], list[int]]]:
        if level == len(self.hands):
            yield dealt, cards
            return
        kinds = self.levels[level]
        for share in self.options(level, left)[0]:
            groups = [[i for i, face in enumerate(cards) if kinds[face] == kind] for kind in range(len(share))]
            for chosen in product(*map(combinations, groups, share)):
                places = {i for some in chosen for i in some}
                hand = [face for i, face in enumerate(cards) if i in places]
                rest = [face for i, face in enumerate(cards) if i not in places]
                yield from self._every(level + 1, self.after(level, left, share), rest, [*dealt, hand])


def shares(counts: Kinds, size: int, least: Sequence[int] | None = None) -> Iterator[Kinds]:
    """Every way to take so many in all of so many of each kind, at least so many of each.

    >>> list(shares((2, 1), 2))
    [(2, 0), (1, 1)]
    """
    low = least or [0] * len(counts)
    most = [*accumulate(reversed(counts), initial=0)][::-1]
    must = [*accumulate(reversed(low), initial=0)][::-1]

    def go(kind: int, left: int) -> Iterator[Kinds]:
        if kind == len(counts):
            if not left:
                yield ()
            return
        for take in range(min(counts[kind], left - must[kind + 1]), max(low[kind], left - most[kind + 1]) - 1, -1):
            for rest in go(kind + 1, left - take):
                yield (take, *rest)

    return go(0, size)


def pick(totals: Sequence[int], rng: Random) -> int:
    """One of several, each as likely as its share of a running sum."""
    return 0 if len(totals) == 1 else bisect_right(totals, rng.randrange(totals[-1]))
