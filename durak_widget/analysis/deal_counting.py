"""Counts and samples the ways to distribute the unseen cards among hands and talon.

Cards about which the same is proved are of one kind, and are counted together. There are two dynamic
programmes. `HandCounter` goes back through the history of one seat and counts the ways in which it can have drawn
what it holds. `LayoutCounter` deals the cards of each kind to one hand after another. Both are exact, in whole
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

    from durak_widget.analysis.hand_inference import HandPeriod

KindCounts = tuple[int, ...]
"""The number of cards of each kind; cards are of one kind if the same facts are proved about all of them."""


class TooManyError(Exception):
    """An error raised when an exact count needs more cases than the budget allows."""


class _PeriodOfKinds(NamedTuple):
    """A period between two draws of one hand, described by kinds of cards.

    See `HandPeriod`.

    It has the kinds that are absent at its end, those of which one is present, what was played in it, and how
    many cards were drawn before it.
    """

    absent_kinds: tuple[int, ...]
    present_kinds: tuple[tuple[int, ...], ...]
    played: KindCounts
    draw_count: int


class HandCounter:
    """A counter of the ways in which one seat can have received its unseen cards."""

    __slots__ = ("_first_restricted", "_hand_periods", "_periods", "_possible_by_key", "_ways_by_key", "kind_of_face", "max_counts", "size")

    kind_of_face: dict[int, int]
    """The kind number of each card face."""
    max_counts: KindCounts
    """The maximum number of cards of each kind in the hand."""

    def __init__(self, hand_periods: Sequence[HandPeriod], drawn_slots: Sequence[tuple[int, ...]], size: int, faces: Sequence[int]) -> None:
        masks = [mask for hand_period in hand_periods for mask in (hand_period.absent_faces, *hand_period.present_masks)]
        all_faces = {*faces, *(face for hand_period in hand_periods for face in hand_period.played)}
        signature_of_face = {face: tuple(mask >> face & 1 for mask in masks) for face in sorted(all_faces)}
        kind_of_signature = {signature: kind for kind, signature in enumerate(dict.fromkeys(signature_of_face.values()))}
        self._hand_periods = hand_periods
        self.kind_of_face, self.size = {face: kind_of_signature[signature] for face, signature in signature_of_face.items()}, size
        self._periods = [
            self._make_period(hand_period, len(slots)) for hand_period, slots in zip(hand_periods, [(), *drawn_slots], strict=True)
        ]
        self._first_restricted = next(
            (i for i, period in enumerate(self._periods) if period.absent_kinds or period.present_kinds), len(self._periods)
        )
        self._ways_by_key: dict[tuple[int, KindCounts], int] = {}
        self._possible_by_key: dict[tuple[int, KindCounts], bool] = {}
        self.max_counts = self._compute_max_counts()

    def _make_period(self, hand_period: HandPeriod, draw_count: int) -> _PeriodOfKinds:
        """Convert a `HandPeriod` to the same period described by kinds of cards."""
        played = [0] * (max(self.kind_of_face.values(), default=-1) + 1)
        for face in hand_period.played:
            played[self.kind_of_face[face]] += 1
        return _PeriodOfKinds(
            self._kinds_in_mask(hand_period.absent_faces),
            tuple(map(self._kinds_in_mask, hand_period.present_masks)),
            tuple(played),
            draw_count,
        )

    def _kinds_in_mask(self, mask: int) -> tuple[int, ...]:
        """Return the kinds of the card faces in a mask."""
        return tuple(sorted({kind for face, kind in self.kind_of_face.items() if mask >> face & 1}))

    def _compute_max_counts(self) -> KindCounts:
        """Compute the maximum number of cards of each kind that the hand can have."""
        max_counts, drawn_since = [self.size] * len(self._periods[0].played), 0
        for period in reversed(self._periods):
            for kind in period.absent_kinds:
                max_counts[kind] = min(max_counts[kind], drawn_since)
            drawn_since += period.draw_count
        return tuple(max_counts)

    def count_ways(self, counts: KindCounts) -> int:
        """Return the number of ways to get a hand with a given number of cards of each kind.

        The order in which cards were drawn counts.
        """
        return self._count_ways_until(len(self._periods) - 1, counts)

    @property
    def max_ways(self) -> int:
        """Return an upper bound on the number of ways to get a hand with `size` cards.

        It ignores all proved facts.
        """
        return self._count_unrestricted(len(self._periods) - 1, self.size)

    def _count_unrestricted(self, i: int, size: int) -> int:
        """Return the number of ways to get a hand of a given size, ignoring all proved facts."""
        ways = 1
        for period in reversed(self._periods[1 : i + 1]):
            size += sum(period.played)
            ways *= perm(size, period.draw_count)
            size -= period.draw_count
        return ways

    def _count_ways_until(self, i: int, counts: KindCounts) -> int:
        """Return the number of ways to have given cards in the hand at the end of period `i`.

        Only ways that agree with the proved facts are counted.
        """
        period = self._periods[i]
        if any(counts[kind] for kind in period.absent_kinds) or not all(
            any(counts[kind] for kind in kinds) for kinds in period.present_kinds
        ):
            return 0
        if i == 0:
            return 1
        key = i, counts
        ways = self._ways_by_key.get(key)
        if ways is None:
            before = tuple(map(int.__add__, counts, period.played))
            if i <= self._first_restricted:
                ways = self._count_unrestricted(i, sum(counts))
            else:
                ways = sum(
                    count * self._count_ways_until(i - 1, counts_before) for count, counts_before in self._splits_before_draw(i, before)
                ) * factorial(period.draw_count)
            self._ways_by_key[key] = ways
        return ways

    def is_possible(self, counts: KindCounts) -> bool:
        """Return whether a hand with given cards is possible under the proved facts."""
        return self._is_possible_until(len(self._periods) - 1, counts)

    def _is_possible_until(self, i: int, counts: KindCounts) -> bool:
        """Return whether the proved facts allow a hand with given cards at the end of a period."""
        period = self._periods[i]
        if any(counts[kind] for kind in period.absent_kinds) or not all(
            any(counts[kind] for kind in kinds) for kinds in period.present_kinds
        ):
            return False
        if i <= self._first_restricted:
            return True
        key = i, counts
        is_possible = self._possible_by_key.get(key)
        if is_possible is None:
            before = tuple(map(int.__add__, counts, period.played))
            is_possible = self._possible_by_key[key] = any(
                self._is_possible_until(i - 1, tuple(map(int.__sub__, before, drawn))) for drawn in self._possible_draws(i, before)
            )
        return is_possible

    def _splits_before_draw(self, i: int, before: KindCounts) -> Iterator[tuple[int, KindCounts]]:
        """Yield each possible hand before a draw, with the number of ways to draw the other cards."""
        for drawn in self._possible_draws(i, before):
            yield prod(map(comb, before, drawn)), tuple(map(int.__sub__, before, drawn))

    def _possible_draws(self, i: int, before: KindCounts) -> Iterator[KindCounts]:
        """Yield each possible set of drawn cards, as the number of cards of each kind.

        If a card is proved to be absent before the draw, it was drawn.
        """
        absent = set(self._periods[i - 1].absent_kinds)
        return enumerate_shares(before, self._periods[i].draw_count, [count if kind in absent else 0 for kind, count in enumerate(before)])

    def sample_history(self, cards: list[int], rng: Random) -> list[list[int]]:
        """Return a random history of a hand: the dealt cards, and then the cards of each draw.

        All histories are equally likely.
        """
        draws: list[list[int]] = []
        cards = cards[:]
        rng.shuffle(cards)
        for i in range(len(self._periods) - 1, 0, -1):
            cards += self._hand_periods[i].played
            options = list(self._splits_before_draw(i, self.count_kinds(cards)))
            weights = [count * self._count_ways_until(i - 1, counts_before) for count, counts_before in options]
            counts_before = options[pick_weighted(list(accumulate(weights)), rng)][1]
            to_keep = list(counts_before)
            rng.shuffle(cards)
            kept_cards: list[int] = []
            drawn: list[int] = []
            for face in cards:
                kind = self.kind_of_face[face]
                (kept_cards if to_keep[kind] else drawn).append(face)
                to_keep[kind] -= to_keep[kind] > 0
            draws.append(drawn)
            cards = kept_cards
        return [cards + self._hand_periods[0].played, *reversed(draws)]

    def all_histories(self, cards: list[int]) -> Iterator[list[list[int]]]:
        """Yield all histories of a hand in a fixed order.

        A history has the dealt cards, and then the cards of each draw.
        """
        yield from self._histories_until(len(self._periods) - 1, sorted(cards))

    def _histories_until(self, i: int, cards: list[int]) -> Iterator[list[list[int]]]:
        """Yield all histories of a hand that consists of given cards at the end of period `i`."""
        if not self._count_ways_until(i, self.count_kinds(cards)):
            return
        cards = cards + self._hand_periods[i].played
        if i == 0:
            yield [cards]
            return
        for order in permutations(range(len(cards)), self._periods[i].draw_count):
            other_cards = [face for index, face in enumerate(cards) if index not in order]
            for before in self._histories_until(i - 1, other_cards):
                yield [*before, [cards[index] for index in order]]

    def count_kinds(self, faces: Iterable[int]) -> KindCounts:
        """Return, for each kind of cards, how many of the given card faces belong to the kind."""
        counts = [0] * len(self.max_counts)
        for face in faces:
            counts[self.kind_of_face[face]] += 1
        return tuple(counts)


class LayoutCounter:
    """A counter of the ways to deal the unseen cards to hands, given proved facts about hands.

    The cards left over may be anywhere.
    """

    __slots__ = (
        "_budget",
        "_counts_histories",
        "_kind_in_hand",
        "_kind_in_next",
        "_options_by_key",
        "_unseen_cards",
        "hand_counters",
        "initial_counts",
        "kind_of_face_by_level",
    )

    def __init__(
        self, unseen_cards: Sequence[int], hand_counters: Sequence[HandCounter], *, counts_histories: bool, budget: float = inf
    ) -> None:
        self._unseen_cards, self.hand_counters, self._counts_histories, self._budget = (
            list(unseen_cards),
            hand_counters,
            counts_histories,
            budget,
        )
        self.kind_of_face_by_level: list[dict[int, int]] = []
        """For each hand: the kind of each card face; faces of one kind are equivalent for this hand and the hands dealt later."""
        for level in range(len(hand_counters)):
            signature_of_face = {
                face: tuple(hand.kind_of_face[face] for hand in hand_counters[level:]) for face in sorted(set(unseen_cards))
            }
            kind_of_signature = {signature: kind for kind, signature in enumerate(dict.fromkeys(signature_of_face.values()))}
            self.kind_of_face_by_level.append({face: kind_of_signature[signature] for face, signature in signature_of_face.items()})
        self._kind_in_hand = [
            self._coarsen_kinds(kinds_here, hand.kind_of_face)
            for kinds_here, hand in zip(self.kind_of_face_by_level, hand_counters, strict=True)
        ]
        self._kind_in_next = [
            self._coarsen_kinds(kinds_here, kinds_later)
            for kinds_here, kinds_later in zip(self.kind_of_face_by_level, self.kind_of_face_by_level[1:], strict=False)
        ]
        self._options_by_key: dict[tuple[int, KindCounts], tuple[list[KindCounts], list[int]]] = {}
        counts = [0] * (max(self.kind_of_face_by_level[0].values(), default=-1) + 1 if hand_counters else 0)
        for face in unseen_cards if hand_counters else ():
            counts[self.kind_of_face_by_level[0][face]] += 1
        self.initial_counts = tuple(counts)
        """The number of cards of each kind before any hand is dealt."""

    @staticmethod
    def _coarsen_kinds(fine: dict[int, int], coarse: dict[int, int]) -> list[int]:
        """Return, for each fine kind of cards, the coarse kind that contains the fine kind."""
        return [kind for _, kind in sorted({fine[face]: coarse[face] for face in fine}.items())]

    def count(self) -> int:
        """Return the number of ways to deal the hands.

        The order of the remaining cards does not count.
        """
        return self._count_from(0, self.initial_counts)

    def _count_from(self, level: int, left: KindCounts) -> int:
        """Return the number of ways to deal the hand with index `level` and all hands after it."""
        if level == len(self.hand_counters):
            return 1
        totals = self.options_at(level, left)[1]
        return totals[-1] if totals else 0

    def options_at(self, level: int, left: KindCounts) -> tuple[list[KindCounts], list[int]]:
        """Return all possible hands with index `level`, and running sums of their weights.

        A hand is given as the number of cards of each kind.
        """
        result = self._options_by_key.get((level, left))
        if result is not None:
            return result
        hand, kind_in_hand = self.hand_counters[level], self._kind_in_hand[level]
        width, max_counts = len(hand.max_counts), hand.max_counts
        possible_counts, weights = [], []
        for counts in enumerate_shares(
            tuple(min(kind_count, max_counts[kind_in_hand[kind]]) for kind, kind_count in enumerate(left)), hand.size
        ):
            self._budget -= 1
            if self._budget < 0:
                raise TooManyError
            hand_counts = [0] * width
            for kind, kind_count in enumerate(counts):
                hand_counts[kind_in_hand[kind]] += kind_count
            ways = hand.count_ways(tuple(hand_counts)) if self._counts_histories else int(hand.is_possible(tuple(hand_counts)))
            weight = self._count_from(level + 1, self.counts_after(level, left, counts)) if ways else 0
            if weight:
                possible_counts.append(counts)
                weights.append(weight * prod(map(comb, left, counts)) * ways)
        result = self._options_by_key[level, left] = possible_counts, list(accumulate(weights))
        return result

    def counts_after(self, level: int, left: KindCounts, counts_taken: KindCounts) -> KindCounts:
        """Return the number of cards of each kind that remain after one hand is dealt."""
        if level + 1 == len(self.hand_counters):
            return ()
        kind_in_next = self._kind_in_next[level]
        counts = [0] * (max(kind_in_next, default=-1) + 1)
        for kind, count in enumerate(left):
            counts[kind_in_next[kind]] += count - counts_taken[kind]
        return tuple(counts)

    def count_without(self, mask: int) -> int:
        """Count the ways to deal the hands if the first hand gets none of the faces in `mask`.

        All cards of one kind are equally likely.
        """
        counts_in_mask = [0] * len(self.initial_counts)
        for face in self._unseen_cards:
            counts_in_mask[self.kind_of_face_by_level[0][face]] += mask >> face & 1
        counts_outside = tuple(map(int.__sub__, self.initial_counts, counts_in_mask))
        possible_counts, totals = self.options_at(0, self.initial_counts)
        weights = map(int.__sub__, totals, [0, *totals])
        return sum(
            weight // prod(map(comb, self.initial_counts, counts)) * prod(map(comb, counts_outside, counts))
            for counts, weight in zip(possible_counts, weights, strict=True)
        )

    def sample_counts(self, rng: Random) -> list[KindCounts]:
        """Return a random deal: for each hand, the number of cards of each kind."""
        left, sampled = self.initial_counts, []
        for level in range(len(self.hand_counters)):
            possible_counts, totals = self.options_at(level, left)
            counts = possible_counts[pick_weighted(totals, rng)]
            sampled.append(counts)
            left = self.counts_after(level, left, counts)
        return sampled

    def sample_hands(self, rng: Random) -> tuple[list[list[int]], list[int]]:
        """Return the hands of a random deal, and then the remaining cards in random order."""
        random_key = rng.random
        # Sorting by random keys is four times as fast as `rng.shuffle`; equal keys occur once in 10^16
        cards = sorted(self._unseen_cards, key=lambda _: random_key())
        hands = []
        for share, kind_of in zip(self.sample_counts(rng), self.kind_of_face_by_level, strict=True):
            need, hand, left = list(share), list[int](), list[int]()
            for face in cards:
                kind = kind_of[face]
                if need[kind]:
                    need[kind] -= 1
                    hand.append(face)
                else:
                    left.append(face)
            # The hand got the first cards of each kind, so the remaining cards are shuffled again
            if len(need) > 1:
                left.sort(key=lambda _: random_key())
            hands.append(hand)
            cards = left
        return hands, cards

    def all_ways(self) -> Iterator[tuple[list[list[int]], list[int]]]:
        """Yield all ways to deal the hands, in a fixed order; the remaining cards are sorted."""
        yield from self._ways_from(0, self.initial_counts, self._unseen_cards, [])

    def _ways_from(
        self, level: int, left: KindCounts, cards: list[int], hands_so_far: list[list[int]]
    ) -> Iterator[tuple[list[list[int]], list[int]]]:
        """Yield all ways to deal the hand with index `level` and all hands after it."""
        if level == len(self.hand_counters):
            yield hands_so_far, cards
            return
        kinds = self.kind_of_face_by_level[level]
        for counts in self.options_at(level, left)[0]:
            groups = [[i for i, face in enumerate(cards) if kinds[face] == kind] for kind in range(len(counts))]
            for choice in product(*map(combinations, groups, counts)):
                indexes = {i for group_choice in choice for i in group_choice}
                hand = [face for i, face in enumerate(cards) if i in indexes]
                rest = [face for i, face in enumerate(cards) if i not in indexes]
                yield from self._ways_from(level + 1, self.counts_after(level, left, counts), rest, [*hands_so_far, hand])


def enumerate_shares(counts: KindCounts, size: int, min_counts: Sequence[int] | None = None) -> Iterator[KindCounts]:
    """Yield each choice of `size` cards, as the number of cards taken of each kind.

    At least `min_counts` cards of each kind are taken.

    >>> list(enumerate_shares((2, 1), 2))
    [(2, 0), (1, 1)]
    """
    lower_limits = min_counts or [0] * len(counts)
    available_from = [*accumulate(reversed(counts), initial=0)][::-1]
    required_from = [*accumulate(reversed(lower_limits), initial=0)][::-1]

    def distribute(kind: int, remaining: int) -> Iterator[KindCounts]:
        """Yield each way to take `remaining` cards of kind number `kind` and later kinds."""
        if kind == len(counts):
            if not remaining:
                yield ()
            return
        for taken_count in range(
            min(counts[kind], remaining - required_from[kind + 1]), max(lower_limits[kind], remaining - available_from[kind + 1]) - 1, -1
        ):
            for rest in distribute(kind + 1, remaining - taken_count):
                yield (taken_count, *rest)

    return distribute(0, size)


def pick_weighted(totals: Sequence[int], rng: Random) -> int:
    """Return a random index, with probabilities proportional to the weights.

    The weights are given as their running sums.
    """
    return 0 if len(totals) == 1 else bisect_right(totals, rng.randrange(totals[-1]))
