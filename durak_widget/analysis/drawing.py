"""Worlds drawn by the kernel's chance: what `laying` has counted, as tables that the kernel draws from, and the same draws counted out in Python."""

from __future__ import annotations

from collections import deque
from struct import pack
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.world_sampling import Layout

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.analysis.deal_counting import Kinds
    from durak_widget.analysis.world_sampling import Laying
    from durak_widget.fast_engine.random_generator import SplitMix

_ALL: Final = (1 << 64) - 1
_ROW: Final = 64


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
