"""Counts in how many ways unseen cards can be distributed, and samples the ways.

Cards about which the same is proved are of one kind, and are counted together. There are two dynamic
programmes. `Hand` goes back through the history of one seat and counts the ways in which it can have drawn
what it holds. `Layouts` deals the cards of each kind to one hand after another. Both are exact, in whole
numbers.
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
"""Number of cards of each kind."""


class TooManyError(Exception):
    """There are more cases than the budget allows."""


class _Leg(NamedTuple):
    """Period of a hand (see `Stretch`), in kinds of cards.

    It has the kinds that are absent at its end, those of which one is present, what was played in it, and how
    many cards were drawn before it.
    """

    lacks: tuple[int, ...]
    one_of: tuple[tuple[int, ...], ...]
    played: Kinds
    drew: int


class Hand:
    """Counts how a seat can have come to hold its unseen cards."""

    __slots__ = ("_can", "_free", "_legs", "_memory", "_stretches", "kinds", "most", "size")

    kinds: dict[int, int]
    """Kind of each face."""
    most: Kinds
    """Maximum number of cards of each kind in the hand."""

    def __init__(self, stretches: Sequence[Stretch], drawn: Sequence[tuple[int, ...]], size: int, faces: Sequence[int]) -> None:
        masks = [mask for stretch in stretches for mask in (stretch.lacks, *stretch.one_of)]
        all_faces = {*faces, *(face for stretch in stretches for face in stretch.played)}
        signature_of_face = {face: tuple(mask >> face & 1 for mask in masks) for face in sorted(all_faces)}
        kind_of_signature = {signature: kind for kind, signature in enumerate(dict.fromkeys(signature_of_face.values()))}
        self._stretches = stretches
        self.kinds, self.size = {face: kind_of_signature[signature] for face, signature in signature_of_face.items()}, size
        self._legs = [self._leg(stretch, len(slots)) for stretch, slots in zip(stretches, [(), *drawn], strict=True)]
        self._free = next((i for i, period in enumerate(self._legs) if period.lacks or period.one_of), len(self._legs))
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
        max_counts, drawn_since = [self.size] * len(self._legs[0].played), 0
        for period in reversed(self._legs):
            for kind in period.lacks:
                max_counts[kind] = min(max_counts[kind], drawn_since)
            drawn_since += period.drew
        return tuple(max_counts)

    def ways(self, held: Kinds) -> int:
        """Return the number of ways in which a hand of these kinds can have been dealt and drawn.

        The order in which cards were drawn counts.
        """
        return self._ways(len(self._legs) - 1, held)

    @property
    def ceiling(self) -> int:
        """Return the number of ways if nothing were proved, which is an upper bound."""
        return self._unbound(len(self._legs) - 1, self.size)

    def _unbound(self, i: int, size: int) -> int:
        """Return the ways to a hand of this size at the end of a period, if nothing is proved."""
        ways = 1
        for period in reversed(self._legs[1 : i + 1]):
            size += sum(period.played)
            ways *= perm(size, period.drew)
            size -= period.drew
        return ways

    def _ways(self, i: int, held: Kinds) -> int:
        """Return the number of ways to the end of a period."""
        period = self._legs[i]
        if any(held[kind] for kind in period.lacks) or not all(any(held[kind] for kind in kinds) for kinds in period.one_of):
            return 0
        if i == 0:
            return 1
        key = i, held
        ways = self._memory.get(key)
        if ways is None:
            before = tuple(map(int.__add__, held, period.played))
            if i <= self._free:
                ways = self._unbound(i, sum(held))
            else:
                ways = sum(count * self._ways(i - 1, counts_before) for count, counts_before in self._splits(i, before)) * factorial(
                    period.drew
                )
            self._memory[key] = ways
        return ways

    def can_be(self, held: Kinds) -> bool:
        """Return whether there is such a way, without counting all."""
        return self._can_be(len(self._legs) - 1, held)

    def _can_be(self, i: int, held: Kinds) -> bool:
        """Return whether there is a way to the end of a period."""
        period = self._legs[i]
        if any(held[kind] for kind in period.lacks) or not all(any(held[kind] for kind in kinds) for kinds in period.one_of):
            return False
        if i <= self._free:
            return True
        key = i, held
        is_possible = self._can.get(key)
        if is_possible is None:
            before = tuple(map(int.__add__, held, period.played))
            is_possible = self._can[key] = any(
                self._can_be(i - 1, tuple(map(int.__sub__, before, drawn))) for drawn in self._draws(i, before)
            )
        return is_possible

    def _splits(self, i: int, before: Kinds) -> Iterator[tuple[int, Kinds]]:
        """Yield the possible hands before a draw, with their number of ways."""
        for drawn in self._draws(i, before):
            yield prod(map(comb, before, drawn)), tuple(map(int.__sub__, before, drawn))

    def _draws(self, i: int, before: Kinds) -> Iterator[Kinds]:
        """Yield the possible draws: all cards of kinds that were absent before, and any others."""
        absent = set(self._legs[i - 1].lacks)
        return shares(before, self._legs[i].drew, [count if kind in absent else 0 for kind, count in enumerate(before)])

    def past(self, cards: list[int], rng: Random) -> list[list[int]]:
        """Return a random history of a hand of these faces: the deal, and then each draw in order.

        All histories are equally likely.
        """
        draws: list[list[int]] = []
        cards = cards[:]
        rng.shuffle(cards)
        for i in range(len(self._legs) - 1, 0, -1):
            cards += self._stretches[i].played
            options = list(self._splits(i, self.held(cards)))
            weights = [count * self._ways(i - 1, counts_before) for count, counts_before in options]
            counts_before = options[pick(list(accumulate(weights)), rng)][1]
            to_keep = list(counts_before)
            rng.shuffle(cards)
            kept_cards: list[int] = []
            drawn: list[int] = []
            for face in cards:
                kind = self.kinds[face]
                (kept_cards if to_keep[kind] else drawn).append(face)
                to_keep[kind] -= to_keep[kind] > 0
            draws.append(drawn)
            cards = kept_cards
        return [cards + self._stretches[0].played, *reversed(draws)]

    def pasts(self, cards: list[int]) -> Iterator[list[list[int]]]:
        """Yield all these histories, in a fixed order."""
        yield from self._pasts(len(self._legs) - 1, sorted(cards))

    def _pasts(self, i: int, cards: list[int]) -> Iterator[list[list[int]]]:
        if not self._ways(i, self.held(cards)):
            return
        cards = cards + self._stretches[i].played
        if i == 0:
            yield [cards]
            return
        for order in permutations(range(len(cards)), self._legs[i].drew):
            other_cards = [face for index, face in enumerate(cards) if index not in order]
            for before in self._pasts(i - 1, other_cards):
                yield [*before, [cards[index] for index in order]]

    def held(self, faces: Iterable[int]) -> Kinds:
        """Return the number of faces of each kind."""
        counts = [0] * len(self.most)
        for face in faces:
            counts[self.kinds[face]] += 1
        return tuple(counts)


class Layouts:
    """Counts and samples the ways to deal unseen cards to hands with proven limits.

    The cards left over may be anywhere.
    """

    __slots__ = ("_budget", "_each_way", "_memory", "_next", "_pool", "_to_hand", "hands", "levels", "start")

    def __init__(self, pool: Sequence[int], hands: Sequence[Hand], *, each_way: bool, budget: float = inf) -> None:
        self._pool, self.hands, self._each_way, self._budget = list(pool), hands, each_way, budget
        self.levels: list[dict[int, int]] = []
        """Kind of each face, for each hand, as far as it matters for this hand and the later ones."""
        for level in range(len(hands)):
            signature_of_face = {face: tuple(hand.kinds[face] for hand in hands[level:]) for face in sorted(set(pool))}
            kind_of_signature = {signature: kind for kind, signature in enumerate(dict.fromkeys(signature_of_face.values()))}
            self.levels.append({face: kind_of_signature[signature] for face, signature in signature_of_face.items()})
        self._to_hand = [self._map(kinds_here, hand.kinds) for kinds_here, hand in zip(self.levels, hands, strict=True)]
        self._next = [self._map(kinds_here, kinds_later) for kinds_here, kinds_later in zip(self.levels, self.levels[1:], strict=False)]
        self._memory: dict[tuple[int, Kinds], tuple[list[Kinds], list[int]]] = {}
        counts = [0] * (max(self.levels[0].values(), default=-1) + 1 if hands else 0)
        for face in pool if hands else ():
            counts[self.levels[0][face]] += 1
        self.start = tuple(counts)
        """Number of cards of each kind to deal."""

    @staticmethod
    def _map(fine: dict[int, int], coarse: dict[int, int]) -> list[int]:
        """Return the coarser kind for each finer kind."""
        return [kind for _, kind in sorted({fine[face]: coarse[face] for face in fine}.items())]

    def total(self) -> int:
        """Return the number of ways, not counting the order of the cards left over."""
        return self._total(0, self.start)

    def _total(self, level: int, left: Kinds) -> int:
        if level == len(self.hands):
            return 1
        totals = self.options(level, left)[1]
        return totals[-1] if totals else 0

    def options(self, level: int, left: Kinds) -> tuple[list[Kinds], list[int]]:
        """Return the possible counts for one hand, and the running sums of the ways that follow."""
        result = self._memory.get((level, left))
        if result is not None:
            return result
        hand, kind_in_hand = self.hands[level], self._to_hand[level]
        width, max_counts = len(hand.most), hand.most
        possible_counts, weights = [], []
        for counts in shares(tuple(min(kind_count, max_counts[kind_in_hand[kind]]) for kind, kind_count in enumerate(left)), hand.size):
            self._budget -= 1
            if self._budget < 0:
                raise TooManyError
            hand_counts = [0] * width
            for kind, kind_count in enumerate(counts):
                hand_counts[kind_in_hand[kind]] += kind_count
            ways = hand.ways(tuple(hand_counts)) if self._each_way else int(hand.can_be(tuple(hand_counts)))
            weight = self._total(level + 1, self.after(level, left, counts)) if ways else 0
            if weight:
                possible_counts.append(counts)
                weights.append(weight * prod(map(comb, left, counts)) * ways)
        result = self._memory[level, left] = possible_counts, list(accumulate(weights))
        return result

    def after(self, level: int, left: Kinds, share: Kinds) -> Kinds:
        """Return the counts of the cards left for the next hand, in its kinds."""
        if level + 1 == len(self.hands):
            return ()
        kind_in_next = self._next[level]
        counts = [0] * (max(kind_in_next, default=-1) + 1)
        for kind, count in enumerate(left):
            counts[kind_in_next[kind]] += count - share[kind]
        return tuple(counts)

    def without(self, mask: int) -> int:
        """Return the number of ways in which the first hand holds none of these faces.

        All cards of one kind are equally likely.
        """
        counts_in_mask = [0] * len(self.start)
        for face in self._pool:
            counts_in_mask[self.levels[0][face]] += mask >> face & 1
        counts_outside = tuple(map(int.__sub__, self.start, counts_in_mask))
        possible_counts, totals = self.options(0, self.start)
        weights = map(int.__sub__, totals, [0, *totals])
        return sum(
            weight // prod(map(comb, self.start, counts)) * prod(map(comb, counts_outside, counts))
            for counts, weight in zip(possible_counts, weights, strict=True)
        )

    def draw(self, rng: Random) -> list[Kinds]:
        """Return random counts of each kind for each hand, all ways equally likely."""
        left, sampled = self.start, []
        for level in range(len(self.hands)):
            possible_counts, totals = self.options(level, left)
            counts = possible_counts[pick(totals, rng)]
            sampled.append(counts)
            left = self.after(level, left, counts)
        return sampled

    def deal(self, rng: Random) -> tuple[list[list[int]], list[int]]:
        """Return random hands, and the cards left over in random order."""
        random_key = rng.random
        # a sort by random keys is as good as a shuffle, except for ties (once in 10^16), and four times as fast
        cards = sorted(self._pool, key=lambda _: random_key())
        hands = []
        for share, kind_of in zip(self.draw(rng), self.levels, strict=True):
            need, hand, left = list(share), list[int](), list[int]()
            for face in cards:
                kind = kind_of[face]
                if need[kind]:
                    need[kind] -= 1
                    hand.append(face)
                else:
                    left.append(face)
            if len(need) > 1:  # the remaining cards of a kind came later than the taken ones, so they are put in random order again
                left.sort(key=lambda _: random_key())
            hands.append(hand)
            cards = left
        return hands, cards

    def every(self) -> Iterator[tuple[list[list[int]], list[int]]]:
        """Yield all ways in a fixed order, with the cards left over in card order."""
        yield from self._every(0, self.start, self._pool, [])

    def _every(self, level: int, left: Kinds, cards: list[int], dealt: list[list[int]]) -> Iterator[tuple[list[list[int]], list[int]]]:
        if level == len(self.hands):
            yield dealt, cards
            return
        kinds = self.levels[level]
        for counts in self.options(level, left)[0]:
            groups = [[i for i, face in enumerate(cards) if kinds[face] == kind] for kind in range(len(counts))]
            for choice in product(*map(combinations, groups, counts)):
                indexes = {i for group_choice in choice for i in group_choice}
                hand = [face for i, face in enumerate(cards) if i in indexes]
                rest = [face for i, face in enumerate(cards) if i not in indexes]
                yield from self._every(level + 1, self.after(level, left, counts), rest, [*dealt, hand])


def shares(counts: Kinds, size: int, least: Sequence[int] | None = None) -> Iterator[Kinds]:
    """Yield every way to take `size` cards from these counts, at least `least` of each kind.

    >>> list(shares((2, 1), 2))
    [(2, 0), (1, 1)]
    """
    lower_limits = least or [0] * len(counts)
    available_from = [*accumulate(reversed(counts), initial=0)][::-1]
    required_from = [*accumulate(reversed(lower_limits), initial=0)][::-1]

    def distribute(kind: int, remaining: int) -> Iterator[Kinds]:
        if kind == len(counts):
            if not remaining:
                yield ()
            return
        for taken in range(
            min(counts[kind], remaining - required_from[kind + 1]), max(lower_limits[kind], remaining - available_from[kind + 1]) - 1, -1
        ):
            for rest in distribute(kind + 1, remaining - taken):
                yield (taken, *rest)

    return distribute(0, size)


def pick(totals: Sequence[int], rng: Random) -> int:
    """Return a random index, weighted by the differences of a running sum."""
    return 0 if len(totals) == 1 else bisect_right(totals, rng.randrange(totals[-1]))
