"""Samples where the unseen cards may be, given all that one player can infer.

Where counting is cheap, the layouts are counted and sampled exactly. Elsewhere it samples from a slightly
larger set and rejects the impossible layouts. The counts become tables from which the fast engine samples.
The same sampling is written in Python and gives the same worlds.
"""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from itertools import islice, permutations
from math import factorial, perm, prod
from random import Random
from struct import pack
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis import world_history_search
from durak_widget.analysis.deal_counting import HandCounter, LayoutCounter, TooManyError
from durak_widget.analysis.hand_inference import HandPeriod, UnseenDraw, UnseenSwap, list_faces
from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.errors import PositionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from durak_widget.analysis.deal_counting import KindCounts
    from durak_widget.analysis.hand_inference import GameInference
    from durak_widget.analysis.world_history_search import WorldHistory
    from durak_widget.fast_engine.random_generator import SplitMix64

COUNTING_BUDGET: Final = 200_000
"""Exact counting stops after this number of hands, which takes a few seconds at most."""
MAX_LISTED_LAYOUTS: Final = 5_000
"""The maximum number of card layouts to list one by one, if no faster count is possible."""
MAX_TRIES: Final = 100_000
"""The number of random card layouts after which the sampler gives up looking for a possible one."""
_MAX_UINT64: Final = (1 << 64) - 1
_ROW_LENGTH: Final = 64


class CardLayout(NamedTuple):
    """An arrangement of the unseen cards: in hands, in the talon, or left over.

    `hands` has each hand but the viewer's own, and `talon` the slots that the viewer doesn't know.
    """

    hands: dict[int, list[int]]
    talon: list[int]
    leftover: list[int]


class CardLayoutSampler:
    """Counts, lists and samples layouts of the unseen cards that agree with all proved facts."""

    inference: GameInference
    deals_are_equal: bool
    """True if all deals are equally probable, False if all layouts are."""
    unseen_cards: list[int]
    """The cards that the observing seat does not see."""
    unseen_counts: dict[int, int]
    """The number of unseen cards in each hand other than the observer's."""
    unknown_slots: list[int]
    """The talon slots whose card the observing seat doesn't know, from the top."""
    leftover_count: int
    """The number of unseen cards that are neither in a hand nor in the talon."""
    hand_counters: dict[int, HandCounter]
    """A counter of the possible cards of each hand other than the observer's; valid if no other seat swapped cards with
    the talon."""
    tried_count: int
    """The number of random layouts that the sampler has tried."""
    accepted_count: int
    """The number of tried layouts that turned out to be possible."""
    _exact_layouts: LayoutCounter | None
    _loose_layouts: LayoutCounter | None
    _layouts_by_first_hand: dict[int | None, LayoutCounter | None]
    """Counters of the possible layouts; the key of a counter is the seat to which it deals first (None for the talon)."""
    dealing_order: list[int]
    """The seats other than the observer, in the order in which the counter deals to them."""
    _is_counted: bool

    __slots__ = tuple(__annotations__)

    def __init__(self, inference: GameInference, *, deals_are_equal: bool) -> None:
        sight = inference.sight
        self.inference, self.deals_are_equal, self.unseen_cards = inference, deals_are_equal, list_faces(sight.unseen)
        known_cards = sight.known_hands or ()
        self.unseen_counts = {seat: count - known_cards[seat].bit_count() for seat, count in enumerate(sight.counts) if seat != sight.seat}
        self.unknown_slots = [slot for slot in inference.talon_slots if slot not in inference.face_of_slot]
        self.leftover_count = len(self.unseen_cards) - sum(self.unseen_counts.values()) - len(self.unknown_slots)
        self.hand_counters = {
            seat: HandCounter(inference.periods[seat], inference.drawn_slots[seat], size, self.unseen_cards)
            for seat, size in self.unseen_counts.items()
        }
        self.dealing_order = sorted(self.hand_counters, key=lambda seat: (-len(self.hand_counters[seat].max_counts), seat))
        self.tried_count = self.accepted_count = 0
        self._exact_layouts = self._loose_layouts = None
        self._is_counted, self._layouts_by_first_hand = inference.has_unseen_swaps, {}

    # --- Count the possible layouts ---

    @property
    def exact_layouts(self) -> LayoutCounter | None:
        """Return a counter of the possible layouts, or None if counting would take too long."""
        if not self._is_counted:
            self._exact_layouts, self._is_counted = self._count_layouts([self.hand_counters[seat] for seat in self.dealing_order]), True
        return self._exact_layouts

    def _count_layouts(self, hand_counters: list[HandCounter]) -> LayoutCounter | None:
        """Count the layouts; return None if that takes too long."""
        layouts = LayoutCounter(self.unseen_cards, hand_counters, counts_histories=self.deals_are_equal, budget=COUNTING_BUDGET)
        try:
            layouts.count()
        except TooManyError:
            return None
        return layouts

    @property
    def loose_layouts(self) -> LayoutCounter:
        """Return a counter of layouts that ignores some facts and so counts too many layouts.

        It uses all that is proved of each hand since it swapped. If that is too much to count, it uses only
        the faces that are absent from each hand since its last draw.
        """
        if self._loose_layouts is None:
            inference = self.inference
            absent, other_limits = self._limits_after_swaps() if inference.has_unseen_swaps else (dict.fromkeys(self.dealing_order, 0), [])
            other_counters = [
                HandCounter([HandPeriod().with_absent_faces(mask)], [], size, self.unseen_cards) for mask, size in other_limits
            ]
            layouts = None
            if inference.has_unseen_swaps:
                layouts = self._count_layouts(
                    [
                        *(self._hand_since(seat, inference.period_after_swap.get(seat, 0), absent[seat]) for seat in self.dealing_order),
                        *other_counters,
                    ]
                )
            last_periods = [
                self._hand_since(seat, len(inference.drawn_slots[seat]), absent[seat], only_absent_faces=True)
                for seat in self.dealing_order
            ]
            self._loose_layouts = layouts or LayoutCounter(self.unseen_cards, [*last_periods, *other_counters], counts_histories=False)
        return self._loose_layouts

    def _hand_since(self, seat: int, first_period: int, absent_faces: int, *, only_absent_faces: bool = False) -> HandCounter:
        """Return a counter of a hand's cards that uses only facts from a given period on.

        Some card faces are excluded.
        """
        *periods, last_period = self.inference.periods[seat][first_period:]
        last_period = (
            HandPeriod().with_absent_faces(last_period.absent_faces | absent_faces)
            if only_absent_faces
            else last_period.with_absent_faces(absent_faces)
        )
        return HandCounter(
            [*periods, last_period], self.inference.drawn_slots[seat][first_period:], self.unseen_counts[seat], self.unseen_cards
        )

    def _limits_after_swaps(self) -> tuple[dict[int, int], list[tuple[int, int]]]:
        """Return which card faces cannot be in each hand or group of talon slots after swaps.

        These are the faces absent from each hand, and, for each other group of cards, the faces absent from
        it and its size.
        """
        inference, possible_faces = self.inference, dict.fromkeys(self.dealing_order, 0)
        possible_at, absent_at, tracked = dict[int, int](), dict[int, int](), 0
        for event in inference.events:
            if isinstance(event, UnseenDraw | UnseenSwap) and event.seat in possible_faces:
                received = 0
                for slot in event.taken_slots if isinstance(event, UnseenSwap) else event.slots:
                    received |= possible_at.get(slot, 0)
                if isinstance(event, UnseenSwap):
                    possible_faces[event.seat] |= event.known_before
                    possible_at |= dict.fromkeys(event.returned_slots, possible_faces[event.seat])
                    absent_at |= dict.fromkeys(event.returned_slots, event.absent_before & ~event.known_before)
                    tracked |= event.known_before
                possible_faces[event.seat] |= received
        if compile_rules(inference.sight.rules).has_two_decks:
            tracked = 0
        groups = [(tracked & ~possible_at[slot[0]] | absent_at[slot[0]], len(slot)) for slot in self._swapped_slot_groups()]
        talon_size = sum(slot < inference.initial_sight.talon_count for slot in self.unknown_slots)
        other_limits = [*groups, (tracked, talon_size), (tracked, self.leftover_count)]
        return {seat: tracked & ~mask for seat, mask in possible_faces.items()}, other_limits

    def _swapped_slot_groups(self) -> list[list[int]]:
        """Return the talon slots into which swaps put unknown cards, in one list for each swap."""
        swaps = [event.returned_slots for event in self.inference.events if isinstance(event, UnseenSwap)]
        groups = [[slot for slot in slots if slot in self.unknown_slots] for slots in swaps]
        return [group for group in groups if group]

    # --- Sample and list layouts ---

    def _make_layout(self, dealt_hands: Sequence[list[int]], rest: list[int]) -> CardLayout:
        """Build a layout from dealt hands and the remaining cards."""
        hands = dict(zip(self.dealing_order, dealt_hands, strict=False))
        if not self.inference.has_unseen_swaps:
            return CardLayout(hands, rest[: len(self.unknown_slots)], rest[len(self.unknown_slots) :])
        *group_cards, talon_cards, spare = dealt_hands[len(hands) :]
        card_at: dict[int, int] = {}
        for group, cards in zip(self._swapped_slot_groups(), group_cards, strict=True):
            card_at |= zip(group, sorted(cards), strict=True)
        remaining = iter(talon_cards)
        return CardLayout(hands, [card_at[slot] if slot in card_at else next(remaining) for slot in self.unknown_slots], spare)

    def sample(self, rng: Random) -> CardLayout:
        """Return a random layout, where either all layouts or all deals are equally probable."""
        return self.sample_with_history(rng)[0]

    def sample_with_history(self, rng: Random) -> tuple[CardLayout, WorldHistory | None]:
        """Return a random layout, and (if the sampling needed one) a history that leads to it."""
        if self.exact_layouts is not None:
            return self._make_layout(*self.exact_layouts.sample_hands(rng)), None
        tries = MAX_TRIES // 100 if self.inference.has_unseen_swaps else MAX_TRIES
        for _ in range(tries):
            layout = self._make_layout(*self.loose_layouts.sample_hands(rng))
            self.tried_count += 1
            past = self.sample_history(layout, rng) if self.inference.has_unseen_swaps else None
            if past is not None or (not self.inference.has_unseen_swaps and self._accept(layout, rng)):
                self.accepted_count += 1
                return layout, past
        raise PositionError(
            f"none of {tries} random deals agrees with what is proved about the hands; try again at an earlier or later move"
        )

    def _accept(self, layout: CardLayout, rng: Random) -> bool:
        """Decide at random whether to keep a random layout (rejection sampling).

        If deals are equally likely, it is accepted in proportion to its number of histories.
        """
        for seat, cards in layout.hands.items():
            hand = self.hand_counters[seat]
            ways = hand.count_ways(hand.count_kinds(cards))
            if not ways or (self.deals_are_equal and rng.randrange(hand.max_ways) >= ways):
                return False
        return True

    def all_layouts(self) -> Iterator[CardLayout]:
        """Yield all possible layouts in a fixed order."""
        rng = Random(0)
        for dealt, rest in (self.exact_layouts or self.loose_layouts).all_ways():
            for layout in self._layouts_with_hands(dealt, rest):
                if self._exact_layouts is not None or (
                    self.sample_history(layout, rng) is not None if self.inference.has_unseen_swaps else self._accept(layout, rng)
                ):
                    yield layout

    def _layouts_with_hands(self, dealt_hands: list[list[int]], rest: list[int]) -> Iterator[CardLayout]:
        """Yield the layouts with given hands, one for each order of the unknown talon cards."""
        if self.inference.has_unseen_swaps:
            *hand_cards, talon_cards, spare = dealt_hands
            for order in permutations(talon_cards):
                yield self._make_layout([*hand_cards, list(order), spare], rest)
            return
        for order in permutations(range(len(rest)), len(self.unknown_slots)):
            spare = [face for index, face in enumerate(rest) if index not in order]
            yield self._make_layout(dealt_hands, [*(rest[index] for index in order), *spare])

    # --- Numbers of layouts, and probabilities ---

    def upper_bound(self) -> int:
        """Return an upper bound on the number of possible layouts."""
        layouts = self.loose_layouts
        if self.inference.has_unseen_swaps:
            return layouts.count() * factorial(layouts.hand_counters[-2].size)
        return (
            layouts.count()
            * self._count_talon_orders()
            * (prod(hand.max_ways for hand in self.hand_counters.values()) if self.deals_are_equal else 1)
        )

    def count(self) -> int | None:
        """Return the number of possible layouts, or None if counting would take too long."""
        if self.exact_layouts is not None:
            return self.exact_layouts.count() * self._count_talon_orders()
        return sum(1 for _ in self.all_layouts()) if not self.deals_are_equal and self.upper_bound() <= MAX_LISTED_LAYOUTS else None

    def has_fewer_than(self, limit: int) -> bool:
        """Return whether the number of possible layouts is certainly below a limit.

        Where layouts have to be listed, no more than this many are. Where that is too slow, the answer is no.
        """
        if self.exact_layouts is None and not self.deals_are_equal and self.upper_bound() <= MAX_LISTED_LAYOUTS:
            return sum(1 for _ in islice(self.all_layouts(), limit)) < limit
        total = self.count()
        return total is not None and total < limit

    def _count_talon_orders(self) -> int:
        """Return in how many orders the talon's unknown cards can be.

        If deals are equally probable, each order also counts once for each order in which the observer can have drawn.
        """
        orders = perm(len(self.unknown_slots) + self.leftover_count, len(self.unknown_slots))
        if self.deals_are_equal:
            orders *= prod(
                factorial(len(event.slots)) for event in self.inference.events if isinstance(event, UnseenDraw) and event.own_cards
            )
        return orders

    def probability_of_none(self, seat: int | None, mask: int) -> Fraction:
        """Return the probability that none of a seat's unseen cards has a face in `mask`.

        Without a seat, it is the probability for the talon.
        """
        if seat not in self._layouts_by_first_hand:
            counted_first = (
                HandCounter([HandPeriod()], [], len(self.unknown_slots), self.unseen_cards) if seat is None else self.hand_counters[seat]
            )
            other_counters = [self.hand_counters[other] for other in self.dealing_order if other != seat]
            self._layouts_by_first_hand[seat] = (
                self._count_layouts([counted_first, *other_counters]) if self.exact_layouts is not None else None
            )
        layouts = self._layouts_by_first_hand[seat]
        return (
            self._probability_of_none_by_listing(seat, mask) if layouts is None else Fraction(layouts.count_without(mask), layouts.count())
        )

    def _probability_of_none_by_listing(self, seat: int | None, mask: int) -> Fraction:
        """Compute the same probability as `probability_of_none`, by listing all layouts."""
        bound = self.upper_bound()
        if bound > MAX_LISTED_LAYOUTS or self.deals_are_equal:
            raise PositionError(
                f"there are up to {bound} worlds, too many to count with all that is proved about them; draw some with sample(rng) and count those"
            )
        cards = [layout.talon if seat is None else layout.hands[seat] for layout in self.all_layouts()]
        return Fraction(sum(not any(mask >> face & 1 for face in held) for held in cards), len(cards))

    # --- Histories that lead to a layout ---

    def sample_history(self, layout: CardLayout, rng: Random) -> WorldHistory | None:
        """Return a random history that leads to a layout."""
        faces = self.inference.face_of_slot | dict(zip(self.unknown_slots, layout.talon, strict=True))
        if self.inference.has_unseen_swaps:
            return world_history_search.HistorySearch(self.inference, rng).find_history(layout.hands, faces)
        return world_history_search.sample_history(self.inference, self.hand_counters, layout.hands, faces, rng)

    def all_histories(self, layout: CardLayout) -> Iterator[WorldHistory]:
        """Yield all histories of a layout; no seat except the observer may have swapped cards."""
        faces = self.inference.face_of_slot | dict(zip(self.unknown_slots, layout.talon, strict=True))
        yield from world_history_search.all_histories(self.inference, self.hand_counters, layout.hands, faces)


class HandOption(NamedTuple):
    """A possible hand in the sampling tables, as the number of cards of each kind."""

    upper_limit: int
    """This option is chosen if a random 64-bit number is below this limit and not below the limit of an earlier
    option."""
    next_node: int
    """The index, in the sampling tables, of the node that deals the next hand."""
    kind_counts: KindCounts


class SamplingTables(NamedTuple):
    """The tables that playouts use to sample a view's unseen cards."""

    unseen_cards: list[int]
    unknown_slots: list[int]
    """The talon slots to which the tables deal a card, from the top."""
    dealing_order: list[int]
    """The seats whose hands are dealt, in the order of dealing."""
    kind_of_card: list[list[int]]
    """For each hand in dealing order, the kind number of each unseen card."""
    nodes: list[list[HandOption]]
    """For each node, the options for the next hand; a node stands for the remaining number of cards of each kind, and
    at node 0 all unseen cards remain."""

    def sample(self, rng: SplitMix64) -> CardLayout:
        """Return a random layout; the fast engine samples the same layout from the same seed."""
        order = list(range(len(self.unseen_cards)))
        rng.shuffle(order)
        node, hands = 0, dict[int, list[int]]()
        for seat, kind_of in zip(self.dealing_order, self.kind_of_card, strict=True):
            options = self.nodes[node]
            option = options[0]
            if len(options) > 1:
                number = rng.next_bits()
                option = next((candidate for candidate in options[:-1] if number < candidate.upper_limit), options[-1])
            need, hand, left = list(option.kind_counts), list[int](), list[int]()
            for card in order:
                kind = kind_of[card]
                if need[kind]:
                    need[kind] -= 1
                    hand.append(self.unseen_cards[card])
                else:
                    left.append(card)
            if len(need) > 1:
                rng.shuffle(left)
            order, node = left, option.next_node
            hands[seat] = hand
        rest = [self.unseen_cards[card] for card in order]
        return CardLayout(hands, rest[: len(self.unknown_slots)], rest[len(self.unknown_slots) :])

    def fits_fast_engine(self, layout: Mapping[str, int]) -> bool:
        """Return whether the fast engine has enough memory for the sampling tables."""
        options = sum(map(len, self.nodes))
        kinds = max((len(option.kind_counts) for node in self.nodes for option in node), default=1)
        return options <= layout["MOST_OPTIONS"] and len(self.nodes) < layout["MOST_NODES"] and kinds <= layout["MOST_KINDS"]

    def to_engine_data(self, layout: Mapping[str, int]) -> dict[str, bytes]:
        """Return the sampling tables as bytes for each memory area of the fast engine."""
        first, options = [0], [option for node in self.nodes for option in node]
        for node in self.nodes:
            first.append(first[-1] + len(node))
        levels = b"".join(
            pack("<4B", seat, 0, max(kinds, default=0) + 1, 0) for seat, kinds in zip(self.dealing_order, self.kind_of_card, strict=True)
        )
        kinds = b"".join(_kinds_by_face(self.unseen_cards, row) for row in self.kind_of_card)
        return {
            "LAYING": pack("<3i", len(self.unseen_cards), len(self.dealing_order), len(self.unknown_slots)),
            "POOL": bytes(self.unseen_cards),
            "OPEN_PLACES": bytes(self.unknown_slots),
            "LEVELS": levels,
            "KINDS": kinds,
            "NODES": pack(f"<{len(first)}i", *first),
            "SHARE_OF_CHANCE": pack(f"<{len(options)}Q", *(option.upper_limit for option in options)),
            "LEADS_TO": pack(f"<{len(options)}i", *(option.next_node for option in options)),
            "TAKES": b"".join(bytes(option.kind_counts).ljust(layout["MOST_KINDS"], b"\0") for option in options),
        }


def _kinds_by_face(unseen_cards: list[int], kinds: list[int]) -> bytes:
    """Return the kind number of each card face as one byte."""
    row = bytearray(_ROW_LENGTH)
    for face, kind in zip(unseen_cards, kinds, strict=True):
        row[face] = kind
    return bytes(row)


def make_sampling_tables(sampler: CardLayoutSampler) -> SamplingTables | None:
    """Return the tables for sampling layouts, or None if counting would take too long.

    There are none either if another seat has swapped cards unseen, or if deals are equally likely.
    """
    layouts = sampler.exact_layouts
    if layouts is None or sampler.deals_are_equal or not layouts.count():
        return None
    numbers, nodes = {(0, layouts.initial_counts): 0}, list[list[HandOption]]()
    queue = deque(numbers)
    while queue:
        level, left = queue.popleft()
        if level == len(layouts.hand_counters):
            nodes.append([])
            continue
        choices, totals = layouts.options_at(level, left)
        options = []
        for kind_counts, total in zip(choices, totals, strict=True):
            next_key = level + 1, layouts.counts_after(level, left, kind_counts)
            if next_key not in numbers:
                numbers[next_key] = len(numbers)
                queue.append(next_key)
            options.append(HandOption(min((total << 64) // totals[-1], _MAX_UINT64), numbers[next_key], kind_counts))
        nodes.append(options)
    kinds = [[kind_of[face] for face in sampler.unseen_cards] for kind_of in layouts.kind_of_face_by_level]
    sight = sampler.inference.sight
    known_faces = dict(sight.known_talon_cards)
    return SamplingTables(
        sampler.unseen_cards, [slot for slot in range(sight.talon_count) if slot not in known_faces], sampler.dealing_order, kinds, nodes
    )
