"""Samples where the unseen cards are, given everything that one player can infer.

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
from durak_widget.analysis.deal_counting import Hand, Layouts, TooManyError
from durak_widget.analysis.hand_inference import Drew, Stretch, Swapped, faces_of
from durak_widget.engine.compiled_rules import kit_of
from durak_widget.errors import PositionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from durak_widget.analysis.deal_counting import Kinds
    from durak_widget.analysis.hand_inference import Course
    from durak_widget.analysis.world_history_search import Past
    from durak_widget.fast_engine.random_generator import SplitMix

HANDS: Final = 200_000
"""Budget of exact counting, in hands by kinds of cards: some seconds at most."""
LISTED: Final = 5_000
"""Maximum number of layouts to list where there is no other way to count."""
TRIES: Final = 100_000
"""Number of random layouts to try before giving up."""
_ALL: Final = (1 << 64) - 1
_ROW: Final = 64


class Layout(NamedTuple):
    """Arrangement of the unseen cards, as faces.

    They are in each other hand, in each talon slot that the viewer doesn't know, and left over.
    """

    hands: dict[int, list[int]]
    talon: list[int]
    spare: list[int]


class Laying:
    """Counts, lists and samples the layouts of the unseen cards, given all that is proved."""

    course: Course
    by_deal: bool
    """Whether each deal is equally likely; otherwise each layout is."""
    pool: list[int]
    """Unseen cards."""
    sizes: dict[int, int]
    """Number of unseen cards in each other hand."""
    open: list[int]
    """Talon slots whose card the viewer doesn't know, from the top."""
    spare: int
    """Number of cards that are aside, or nowhere."""
    hands: dict[int, Hand]
    """Counters of each other hand, valid if nobody else swapped."""
    tried: int
    """Number of random layouts that were tried."""
    kept: int
    """Number of random layouts that were possible."""
    _exact: Layouts | None
    _loose: Layouts | None
    _first: dict[int | None, Layouts | None]
    """Layouts like `exact`, with one hand or the talon dealt first."""
    seats: list[int]
    """Other seats, in the order in which they are dealt to."""
    _counted: bool

    __slots__ = tuple(__annotations__)

    def __init__(self, course: Course, *, by_deal: bool) -> None:
        sight = course.sight
        self.course, self.by_deal, self.pool = course, by_deal, faces_of(sight.unseen)
        known_cards = sight.known or ()
        self.sizes = {seat: count - known_cards[seat].bit_count() for seat, count in enumerate(sight.counts) if seat != sight.seat}
        self.open = [slot for slot in course.talon if slot not in course.faces]
        self.spare = len(self.pool) - sum(self.sizes.values()) - len(self.open)
        self.hands = {seat: Hand(course.stretches[seat], course.drawn[seat], size, self.pool) for seat, size in self.sizes.items()}
        self.seats = sorted(self.hands, key=lambda seat: (-len(self.hands[seat].most), seat))
        self.tried = self.kept = 0
        self._exact = self._loose = None
        self._counted, self._first = course.swapped, {}

    # Exact and loose layouts

    @property
    def exact(self) -> Layouts | None:
        """Return exactly the possible layouts; None if there is too much to count."""
        if not self._counted:
            self._exact, self._counted = self._made([self.hands[seat] for seat in self.seats]), True
        return self._exact

    def _made(self, hands: list[Hand]) -> Layouts | None:
        layouts = Layouts(self.pool, hands, each_way=self.by_deal, budget=HANDS)
        try:
            layouts.total()
        except TooManyError:
            return None
        return layouts

    @property
    def loose(self) -> Layouts:
        """Return a slightly larger set of layouts.

        It uses all that is proved of each hand since it swapped. If that is too much to count, it uses only
        the faces that are absent from each hand since its last draw.
        """
        if self._loose is None:
            inference = self.course
            absent, other_limits = self._after_swaps() if inference.swapped else (dict.fromkeys(self.seats, 0), [])
            other_counters = [Hand([Stretch().lacking(mask)], [], size, self.pool) for mask, size in other_limits]
            layouts = None
            if inference.swapped:
                layouts = self._made(
                    [*(self._since(seat, inference.since.get(seat, 0), absent[seat]) for seat in self.seats), *other_counters]
                )
            last_periods = [self._since(seat, len(inference.drawn[seat]), absent[seat], lacks_only=True) for seat in self.seats]
            self._loose = layouts or Layouts(self.pool, [*last_periods, *other_counters], each_way=False)
        return self._loose

    def _since(self, seat: int, first: int, lacks: int, *, lacks_only: bool = False) -> Hand:
        """Return the counter of a hand from one period on, without these faces."""
        *periods, last_period = self.course.stretches[seat][first:]
        last_period = Stretch().lacking(last_period.lacks | lacks) if lacks_only else last_period.lacking(lacks)
        return Hand([*periods, last_period], self.course.drawn[seat][first:], self.sizes[seat], self.pool)

    def _after_swaps(self) -> tuple[dict[int, int], list[tuple[int, int]]]:
        """Return the limits that follow from where a known card of a swapping seat can be.

        These are the faces absent from each hand, and, for each other group of cards, the faces absent from
        it and its size.
        """
        inference, possible_faces = self.course, dict.fromkeys(self.seats, 0)
        possible_at, absent_at, tracked = dict[int, int](), dict[int, int](), 0
        for event in inference.events:
            if isinstance(event, Drew | Swapped) and event.seat in possible_faces:
                received = 0
                for slot in event.got if isinstance(event, Swapped) else event.places:
                    received |= possible_at.get(slot, 0)
                if isinstance(event, Swapped):
                    possible_faces[event.seat] |= event.knew
                    possible_at |= dict.fromkeys(event.given, possible_faces[event.seat])
                    absent_at |= dict.fromkeys(event.given, event.lacked & ~event.knew)
                    tracked |= event.knew
                possible_faces[event.seat] |= received
        if kit_of(inference.sight.rules).twins:
            tracked = 0
        groups = [(tracked & ~possible_at[slot[0]] | absent_at[slot[0]], len(slot)) for slot in self._groups()]
        talon_size = sum(slot < inference.begin.talon_count for slot in self.open)
        other_limits = [*groups, (tracked, talon_size), (tracked, self.spare)]
        return {seat: tracked & ~mask for seat, mask in possible_faces.items()}, other_limits

    def _groups(self) -> list[list[int]]:
        """Return the unknown talon slots that each swap filled."""
        swaps = [event.given for event in self.course.events if isinstance(event, Swapped)]
        groups = [[slot for slot in slots if slot in self.open] for slots in swaps]
        return [group for group in groups if group]

    # Layouts

    def _layout(self, dealt: Sequence[list[int]], rest: list[int]) -> Layout:
        hands = dict(zip(self.seats, dealt, strict=False))
        if not self.course.swapped:
            return Layout(hands, rest[: len(self.open)], rest[len(self.open) :])
        *group_cards, talon_cards, spare = dealt[len(hands) :]
        card_at: dict[int, int] = {}
        for group, cards in zip(self._groups(), group_cards, strict=True):
            card_at |= zip(group, sorted(cards), strict=True)
        remaining = iter(talon_cards)
        return Layout(hands, [card_at[slot] if slot in card_at else next(remaining) for slot in self.open], spare)

    def draw(self, rng: Random) -> Layout:
        """Return a random layout, all equally likely."""
        return self.draw_past(rng)[0]

    def draw_past(self, rng: Random) -> tuple[Layout, Past | None]:
        """Return a random layout and the history that proves it possible, if one was searched for."""
        if self.exact is not None:
            return self._layout(*self.exact.deal(rng)), None
        tries = TRIES // 100 if self.course.swapped else TRIES
        for _ in range(tries):
            layout = self._layout(*self.loose.deal(rng))
            self.tried += 1
            past = self.past(layout, rng) if self.course.swapped else None
            if past is not None or (not self.course.swapped and self._may_be(layout, rng)):
                self.kept += 1
                return layout, past
        raise PositionError(
            f"none of {tries} layouts drawn by chance can have come about, so tangled is what was proved; ask at an earlier or a later move"
        )

    def _may_be(self, layout: Layout, rng: Random) -> bool:
        """Return whether a random layout is accepted as possible.

        If deals are equally likely, it is accepted in proportion to its number of histories.
        """
        for seat, cards in layout.hands.items():
            hand = self.hands[seat]
            ways = hand.ways(hand.held(cards))
            if not ways or (self.by_deal and rng.randrange(hand.ceiling) >= ways):
                return False
        return True

    def every(self) -> Iterator[Layout]:
        """Yield all possible layouts in a fixed order."""
        rng = Random(0)
        for dealt, rest in (self.exact or self.loose).every():
            for layout in self._orders(dealt, rest):
                if self._exact is not None or (self.past(layout, rng) is not None if self.course.swapped else self._may_be(layout, rng)):
                    yield layout

    def _orders(self, dealt: list[list[int]], rest: list[int]) -> Iterator[Layout]:
        """Yield the layouts with these hands, one for every order of the talon."""
        if self.course.swapped:
            *hand_cards, talon_cards, spare = dealt
            for order in permutations(talon_cards):
                yield self._layout([*hand_cards, list(order), spare], rest)
            return
        for order in permutations(range(len(rest)), len(self.open)):
            spare = [face for index, face in enumerate(rest) if index not in order]
            yield self._layout(dealt, [*(rest[index] for index in order), *spare])

    # Counts and probabilities

    def bound(self) -> int:
        """Return an upper bound on the number of layouts."""
        layouts = self.loose
        if self.course.swapped:
            return layouts.total() * factorial(layouts.hands[-2].size)
        return layouts.total() * self._around() * (prod(hand.ceiling for hand in self.hands.values()) if self.by_deal else 1)

    def total(self) -> int | None:
        """Return the number of layouts; None if there is too much to count."""
        if self.exact is not None:
            return self.exact.total() * self._around()
        return sum(1 for _ in self.every()) if not self.by_deal and self.bound() <= LISTED else None

    def are_fewer(self, than: int) -> bool:
        """Return whether there are certainly fewer layouts than this.

        Where layouts have to be listed, no more than this many are. Where that is too slow, the answer is no.
        """
        if self.exact is None and not self.by_deal and self.bound() <= LISTED:
            return sum(1 for _ in islice(self.every(), than)) < than
        total = self.total()
        return total is not None and total < than

    def _around(self) -> int:
        """Return the number of talon orders, times those of the viewer's draws if deals are equal."""
        orders = perm(len(self.open) + self.spare, len(self.open))
        if self.by_deal:
            orders *= prod(factorial(len(event.places)) for event in self.course.events if isinstance(event, Drew) and event.mask)
        return orders

    def lacks(self, seat: int | None, mask: int) -> Fraction:
        """Return the probability that a seat's unseen cards, or the talon's, have none of these."""
        if seat not in self._first:
            counted_first = Hand([Stretch()], [], len(self.open), self.pool) if seat is None else self.hands[seat]
            others = [self.hands[other] for other in self.seats if other != seat]
            self._first[seat] = self._made([counted_first, *others]) if self.exact is not None else None
        layouts = self._first[seat]
        return self._lacks_listed(seat, mask) if layouts is None else Fraction(layouts.without(mask), layouts.total())

    def _lacks_listed(self, seat: int | None, mask: int) -> Fraction:
        bound = self.bound()
        if bound > LISTED or self.by_deal:
            raise PositionError(
                f"there are at most {bound} worlds, and what is proved of them is too much to count; draw some with sample(rng) and count those"
            )
        cards = [layout.talon if seat is None else layout.hands[seat] for layout in self.every()]
        return Fraction(sum(not any(mask >> face & 1 for face in held) for held in cards), len(cards))

    # Histories

    def past(self, layout: Layout, rng: Random) -> Past | None:
        """Return a random history that leads to a layout."""
        faces = self.course.faces | dict(zip(self.open, layout.talon, strict=True))
        if self.course.swapped:
            return world_history_search.Search(self.course, rng).past(layout.hands, faces)
        return world_history_search.one(self.course, self.hands, layout.hands, faces, rng)

    def pasts(self, layout: Layout) -> Iterator[Past]:
        """Yield all histories that lead to a layout; valid if nobody else swapped."""
        faces = self.course.faces | dict(zip(self.open, layout.talon, strict=True))
        yield from world_history_search.every(self.course, self.hands, layout.hands, faces)


class Option(NamedTuple):
    """Choice of how many cards of each remaining kind a hand gets."""

    upto: int
    """Upper limit of the random 64-bit numbers that choose this option, if no earlier one is chosen."""
    leads_to: int
    """Node at which the next hand is dealt."""
    takes: Kinds


class Tables(NamedTuple):
    """Tables from which the unseen cards of a view are sampled."""

    pool: list[int]
    open: list[int]
    """Talon slots, from the top, that get a card."""
    seats: list[int]
    """Seats of the hands, in the order in which they are dealt."""
    kinds: list[list[int]]
    """Kind of each unseen card, for each hand."""
    nodes: list[list[Option]]
    """Options of the next hand, by the cards left; at the first node all cards are left."""

    def draw(self, chance: SplitMix) -> Layout:
        """Return a random layout, all equally likely, in the same way as the fast engine."""
        order = list(range(len(self.pool)))
        chance.shuffle(order)
        node, hands = 0, dict[int, list[int]]()
        for seat, kind_of in zip(self.seats, self.kinds, strict=True):
            options = self.nodes[node]
            option = options[0]
            if len(options) > 1:
                number = chance.bits()
                option = next((candidate for candidate in options[:-1] if number < candidate.upto), options[-1])
            need, hand, left = list(option.takes), list[int](), list[int]()
            for card in order:
                kind = kind_of[card]
                if need[kind]:
                    need[kind] -= 1
                    hand.append(self.pool[card])
                else:
                    left.append(card)
            if len(need) > 1:
                chance.shuffle(left)
            order, node = left, option.leads_to
            hands[seat] = hand
        rest = [self.pool[card] for card in order]
        return Layout(hands, rest[: len(self.open)], rest[len(self.open) :])

    def fits(self, layout: Mapping[str, int]) -> bool:
        """Return whether the fast engine has enough space for the tables."""
        options = sum(map(len, self.nodes))
        kinds = max((len(option.takes) for node in self.nodes for option in node), default=1)
        return options <= layout["MOST_OPTIONS"] and len(self.nodes) < layout["MOST_NODES"] and kinds <= layout["MOST_KINDS"]

    def written(self, layout: Mapping[str, int]) -> dict[str, bytes]:
        """Return the data for the fast engine, by the names of its memory areas."""
        first, options = [0], [option for node in self.nodes for option in node]
        for node in self.nodes:
            first.append(first[-1] + len(node))
        levels = b"".join(pack("<4B", seat, 0, max(kinds, default=0) + 1, 0) for seat, kinds in zip(self.seats, self.kinds, strict=True))
        kinds = b"".join(_by_face(self.pool, row) for row in self.kinds)
        return {
            "LAYING": pack("<3i", len(self.pool), len(self.seats), len(self.open)),
            "POOL": bytes(self.pool),
            "OPEN_PLACES": bytes(self.open),
            "LEVELS": levels,
            "KINDS": kinds,
            "NODES": pack(f"<{len(first)}i", *first),
            "SHARE_OF_CHANCE": pack(f"<{len(options)}Q", *(option.upto for option in options)),
            "LEADS_TO": pack(f"<{len(options)}i", *(option.leads_to for option in options)),
            "TAKES": b"".join(bytes(option.takes).ljust(layout["MOST_KINDS"], b"\0") for option in options),
        }


def _by_face(pool: list[int], kinds: list[int]) -> bytes:
    """Return the kind of each face."""
    row = bytearray(_ROW)
    for face, kind in zip(pool, kinds, strict=True):
        row[face] = kind
    return bytes(row)


def tables_of(laying: Laying) -> Tables | None:
    """Return the tables for sampling; None if there was too much to count.

    There are none either if another seat has swapped cards unseen, or if deals are equally likely.
    """
    layouts = laying.exact
    if layouts is None or laying.by_deal or not layouts.total():
        return None
    numbers, nodes = {(0, layouts.start): 0}, list[list[Option]]()
    queue = deque(numbers)
    while queue:
        level, left = queue.popleft()
        if level == len(layouts.hands):
            nodes.append([])
            continue
        choices, totals = layouts.options(level, left)
        options = []
        for kind_counts, total in zip(choices, totals, strict=True):
            next_key = level + 1, layouts.after(level, left, kind_counts)
            if next_key not in numbers:
                numbers[next_key] = len(numbers)
                queue.append(next_key)
            options.append(Option(min((total << 64) // totals[-1], _ALL), numbers[next_key], kind_counts))
        nodes.append(options)
    kinds = [[kind_of[face] for face in laying.pool] for kind_of in layouts.levels]
    sight = laying.course.sight
    known_faces = dict(sight.talon_known)
    return Tables(laying.pool, [slot for slot in range(sight.talon_count) if slot not in known_faces], laying.seats, kinds, nodes)
