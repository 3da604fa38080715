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
"""So many hands are looked at, by kinds of cards, before exact counting gives up: some seconds at most."""
LISTED: Final = 5_000
"""So many layouts are looked at one by one where there is no other way to count."""
TRIES: Final = 100_000
"""So many layouts are drawn by chance before none is found."""
_ALL: Final = (1 << 64) - 1
_ROW: Final = 64


class Layout(NamedTuple):
    """The unseen cards as they may lie, as faces: in each other hand, at each place of the talon that the viewer does not know, and nowhere."""

    hands: dict[int, list[int]]
    talon: list[int]
    spare: list[int]


class Laying:
    """The ways to lay the cards that a seat does not see, given all that is proved."""

    course: Course
    by_deal: bool
    """Whether each deal is equally likely; else each layout is."""
    pool: list[int]
    """The unseen cards."""
    sizes: dict[int, int]
    """How many unseen cards each other seat holds."""
    open: list[int]
    """The places of the talon of which the viewer does not know the card, from the top."""
    spare: int
    """How many cards lie aside, or in no place at all."""
    hands: dict[int, Hand]
    """What each other seat can hold; where nobody else swapped."""
    tried: int
    """How many layouts have been drawn by chance, and …"""
    kept: int
    """… how many of them can be."""
    _exact: Layouts | None
    _loose: Layouts | None
    _first: dict[int | None, Layouts | None]
    """The same as `exact`, with the hand of a seat or the talon laid first."""
    seats: list[int]
    """The other seats, in the order in which they are dealt to."""
    _counted: bool

    __slots__ = tuple(__annotations__)

    def __init__(self, course: Course, *, by_deal: bool) -> None:
        sight = course.sight
        self.course, self.by_deal, self.pool = course, by_deal, faces_of(sight.unseen)
        known = sight.known or ()
        self.sizes = {seat: count - known[seat].bit_count() for seat, count in enumerate(sight.counts) if seat != sight.seat}
        self.open = [place for place in course.talon if place not in course.faces]
        self.spare = len(self.pool) - sum(self.sizes.values()) - len(self.open)
        self.hands = {seat: Hand(course.stretches[seat], course.drawn[seat], size, self.pool) for seat, size in self.sizes.items()}
        self.seats = sorted(self.hands, key=lambda seat: (-len(self.hands[seat].most), seat))
        self.tried = self.kept = 0
        self._exact = self._loose = None
        self._counted, self._first = course.swapped, {}

    # Two ways to lay them

    @property
    def exact(self) -> Layouts | None:
        """All that may be and nothing else; None where there is too much to count."""
        if not self._counted:
            self._exact, self._counted = self._made([self.hands[seat] for seat in self.seats]), True
        return self._exact

    def _made(self, hands: list[Hand]) -> Layouts | None:
        made = Layouts(self.pool, hands, each_way=self.by_deal, budget=HANDS)
        try:
            made.total()
        except TooManyError:
            return None
        return made

    @property
    def loose(self) -> Layouts:
        """A little more than may be: all that is proved of each hand since it swapped, or where that is too much, only what it lacks since it drew last."""
        if self._loose is None:
            course = self.course
            lacks, rest = self._after_swaps() if course.swapped else (dict.fromkeys(self.seats, 0), [])
            others = [Hand([Stretch().lacking(mask)], [], size, self.pool) for mask, size in rest]
            made = None
            if course.swapped:
                made = self._made([*(self._since(seat, course.since.get(seat, 0), lacks[seat]) for seat in self.seats), *others])
            last = [self._since(seat, len(course.drawn[seat]), lacks[seat], lacks_only=True) for seat in self.seats]
            self._loose = made or Layouts(self.pool, [*last, *others], each_way=False)
        return self._loose

    def _since(self, seat: int, first: int, lacks: int, *, lacks_only: bool = False) -> Hand:
        """What a hand can hold by what is proved from that stretch on, and if it lacks these too."""
        *stretches, last = self.course.stretches[seat][first:]
        last = Stretch().lacking(last.lacks | lacks) if lacks_only else last.lacking(lacks)
        return Hand([*stretches, last], self.course.drawn[seat][first:], self.sizes[seat], self.pool)

    def _after_swaps(self) -> tuple[dict[int, int], list[tuple[int, int]]]:
        """Where a card that a seat was known to hold can have come by its swaps: what each hand lacks, and what the rest lacks, with its size."""
        course, could = self.course, dict.fromkeys(self.seats, 0)
        at, before, followed = dict[int, int](), dict[int, int](), 0
        for event in course.events:
            if isinstance(event, Drew | Swapped) and event.seat in could:
                came = 0
                for place in event.got if isinstance(event, Swapped) else event.places:
                    came |= at.get(place, 0)
                if isinstance(event, Swapped):
                    could[event.seat] |= event.knew
                    at |= dict.fromkeys(event.given, could[event.seat])
                    before |= dict.fromkeys(event.given, event.lacked & ~event.knew)
                    followed |= event.knew
                could[event.seat] |= came
        if kit_of(course.sight.rules).twins:
            followed = 0
        groups = [(followed & ~at[place[0]] | before[place[0]], len(place)) for place in self._groups()]
        talon = sum(place < course.begin.talon_count for place in self.open)
        rest = [*groups, (followed, talon), (followed, self.spare)]
        return {seat: followed & ~mask for seat, mask in could.items()}, rest

    def _groups(self) -> list[list[int]]:
        """The places of the talon that swaps filled unseen, those of each swap together."""
        swaps = [event.given for event in self.course.events if isinstance(event, Swapped)]
        groups = [[place for place in given if place in self.open] for given in swaps]
        return [group for group in groups if group]

    # Layouts

    def _layout(self, dealt: Sequence[list[int]], rest: list[int]) -> Layout:
        hands = dict(zip(self.seats, dealt, strict=False))
        if not self.course.swapped:
            return Layout(hands, rest[: len(self.open)], rest[len(self.open) :])
        *given, others, spare = dealt[len(hands) :]
        at: dict[int, int] = {}
        for group, cards in zip(self._groups(), given, strict=True):
            at |= zip(group, sorted(cards), strict=True)
        left = iter(others)
        return Layout(hands, [at[place] if place in at else next(left) for place in self.open], spare)

    def draw(self, rng: Random) -> Layout:
        """The cards laid by chance, each way as likely."""
        return self.draw_past(rng)[0]

    def draw_past(self, rng: Random) -> tuple[Layout, Past | None]:
        """A layout drawn with the past that shows that it can be, where one was looked for."""
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
        """Whether a layout drawn by chance can be; by deals, as often as there are ways to it."""
        for seat, cards in layout.hands.items():
            hand = self.hands[seat]
            ways = hand.ways(hand.held(cards))
            if not ways or (self.by_deal and rng.randrange(hand.ceiling) >= ways):
                return False
        return True

    def every(self) -> Iterator[Layout]:
        """All layouts that can be, in a fixed order."""
        rng = Random(0)
        for dealt, rest in (self.exact or self.loose).every():
            for layout in self._orders(dealt, rest):
                if self._exact is not None or (self.past(layout, rng) is not None if self.course.swapped else self._may_be(layout, rng)):
                    yield layout

    def _orders(self, dealt: list[list[int]], rest: list[int]) -> Iterator[Layout]:
        """Layouts with these hands, one for every order of the talon."""
        if self.course.swapped:
            *laid, others, spare = dealt
            for order in permutations(others):
                yield self._layout([*laid, list(order), spare], rest)
            return
        for order in permutations(range(len(rest)), len(self.open)):
            spare = [face for place, face in enumerate(rest) if place not in order]
            yield self._layout(dealt, [*(rest[place] for place in order), *spare])

    # Counts and chances

    def bound(self) -> int:
        """At most so many ways there are."""
        loose = self.loose
        if self.course.swapped:
            return loose.total() * factorial(loose.hands[-2].size)
        return loose.total() * self._around() * (prod(hand.ceiling for hand in self.hands.values()) if self.by_deal else 1)

    def total(self) -> int | None:
        """How many ways there are; None where that is too much to count."""
        if self.exact is not None:
            return self.exact.total() * self._around()
        return sum(1 for _ in self.every()) if not self.by_deal and self.bound() <= LISTED else None

    def are_fewer(self, than: int) -> bool:
        """Whether there are fewer ways than that; where they have to be listed, no more of them are. Where that is too much it is not said of them."""
        if self.exact is None and not self.by_deal and self.bound() <= LISTED:
            return sum(1 for _ in islice(self.every(), than)) < than
        total = self.total()
        return total is not None and total < than

    def _around(self) -> int:
        """The orders of the talon; by deals, also of what the viewer drew."""
        orders = perm(len(self.open) + self.spare, len(self.open))
        if self.by_deal:
            orders *= prod(factorial(len(event.places)) for event in self.course.events if isinstance(event, Drew) and event.mask)
        return orders

    def lacks(self, seat: int | None, mask: int) -> Fraction:
        """How likely it is that none of these is among the unseen cards of a seat, or of the talon."""
        if seat not in self._first:
            here = Hand([Stretch()], [], len(self.open), self.pool) if seat is None else self.hands[seat]
            others = [self.hands[other] for other in self.seats if other != seat]
            self._first[seat] = self._made([here, *others]) if self.exact is not None else None
        made = self._first[seat]
        return self._lacks_listed(seat, mask) if made is None else Fraction(made.without(mask), made.total())

    def _lacks_listed(self, seat: int | None, mask: int) -> Fraction:
        bound = self.bound()
        if bound > LISTED or self.by_deal:
            raise PositionError(
                f"there are at most {bound} worlds, and what is proved of them is too much to count; draw some with sample(rng) and count those"
            )
        cards = [layout.talon if seat is None else layout.hands[seat] for layout in self.every()]
        return Fraction(sum(not any(mask >> face & 1 for face in some) for some in cards), len(cards))

    # Pasts

    def past(self, layout: Layout, rng: Random) -> Past | None:
        """A way in which a layout can have come about, by chance."""
        faces = self.course.faces | dict(zip(self.open, layout.talon, strict=True))
        if self.course.swapped:
            return world_history_search.Search(self.course, rng).past(layout.hands, faces)
        return world_history_search.one(self.course, self.hands, layout.hands, faces, rng)

    def pasts(self, layout: Layout) -> Iterator[Past]:
        """All ways in which a layout can have come about; where nobody else swapped."""
        faces = self.course.faces | dict(zip(self.open, layout.talon, strict=True))
        yield from world_history_search.every(self.course, self.hands, layout.hands, faces)


class Option(NamedTuple):
    """A way to give a hand cards of the kinds that are left."""

    upto: int
    """Of 2^64 numbers, those below that draw it, if they draw none before it."""
    leads_to: int
    """The node at which the next hand is dealt."""
    takes: Kinds


class Tables(NamedTuple):
    """How the unseen cards of a view are drawn."""

    pool: list[int]
    open: list[int]
    """The places of the talon, from the top, that get one."""
    seats: list[int]
    """The seats of the hands, in the order in which they are dealt."""
    kinds: list[list[int]]
    """For each hand the kind of each unseen card."""
    nodes: list[list[Option]]
    """What the next hand can take, by what is left; the first has all cards to give."""

    def draw(self, chance: SplitMix) -> Layout:
        """The cards laid by chance, each way as likely, as the kernel does it."""
        order = list(range(len(self.pool)))
        chance.shuffle(order)
        node, hands = 0, dict[int, list[int]]()
        for seat, kind_of in zip(self.seats, self.kinds, strict=True):
            options = self.nodes[node]
            option = options[0]
            if len(options) > 1:
                drawn = chance.bits()
                option = next((one for one in options[:-1] if drawn < one.upto), options[-1])
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
        """Whether the kernel has room for them."""
        options = sum(map(len, self.nodes))
        kinds = max((len(one.takes) for node in self.nodes for one in node), default=1)
        return options <= layout["MOST_OPTIONS"] and len(self.nodes) < layout["MOST_NODES"] and kinds <= layout["MOST_KINDS"]

    def written(self, layout: Mapping[str, int]) -> dict[str, bytes]:
        """What stands where in the kernel, by the names that it gives the places."""
        first, options = [0], [one for node in self.nodes for one in node]
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
            "SHARE_OF_CHANCE": pack(f"<{len(options)}Q", *(one.upto for one in options)),
            "LEADS_TO": pack(f"<{len(options)}i", *(one.leads_to for one in options)),
            "TAKES": b"".join(bytes(one.takes).ljust(layout["MOST_KINDS"], b"\0") for one in options),
        }


def _by_face(pool: list[int], kinds: list[int]) -> bytes:
    """The kind of each face."""
    row = bytearray(_ROW)
    for face, kind in zip(pool, kinds, strict=True):
        row[face] = kind
    return bytes(row)


def tables_of(laying: Laying) -> Tables | None:
    """The tables of what has been counted; None where that was too much to count, where others have swapped cards unseen, or deals are counted."""
    made = laying.exact
    if made is None or laying.by_deal or not made.total():
        return None
    numbers, nodes = {(0, made.start): 0}, list[list[Option]]()
    todo = deque(numbers)
    while todo:
        level, left = todo.popleft()
        if level == len(made.hands):
            nodes.append([])
            continue
        found, totals = made.options(level, left)
        options = []
        for takes, total in zip(found, totals, strict=True):
            after = level + 1, made.after(level, left, takes)
            if after not in numbers:
                numbers[after] = len(numbers)
                todo.append(after)
            options.append(Option(min((total << 64) // totals[-1], _ALL), numbers[after], takes))
        nodes.append(options)
    kinds = [[kind_of[face] for face in laying.pool] for kind_of in made.levels]
    sight = laying.course.sight
    known = dict(sight.talon_known)
    return Tables(laying.pool, [place for place in range(sight.talon_count) if place not in known], laying.seats, kinds, nodes)
