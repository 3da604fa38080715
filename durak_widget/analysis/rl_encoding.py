"""What a seat may know of a moment as numbers from 0 to 1, always as many under the same rules: for those who learn from numbers.

Seats are counted from the viewer on, clockwise, so that all of them look alike. Cards are the faces that those of the deck can count as.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from durak_widget.analysis.actions import actions_of
from durak_widget.cards import FACES, SUITS, bits_of, folded
from durak_widget.engine.compiled_rules import COUNTS, kit_of

if TYPE_CHECKING:
    from durak_widget.engine.observation import Sight
    from durak_widget.rules.ruleset import Rules


class Encoding:
    """How a sight is written down: in pieces, each with a name and so many numbers.

    >>> from durak_widget import Game, Rules
    >>> rules = Rules(suits="c", ranks="678", hand_size=1, trump="none", first_attacker="left_of_dealer")
    >>> encoding = Encoding(rules)
    >>> dict(encoding.pieces)["hand"], encoding.size
    (3, 43)
    >>> numbers = encoding.numbers(Game(rules, deck="6c 7c 8c").view(1).sight)
    >>> numbers[:3], len(numbers)
    ([1.0, 0.0, 0.0], 43)
    """

    __slots__ = ("_copies", "_faces", "_most", "_seats", "_size_of_deck", "pieces", "size")

    def __init__(self, rules: Rules) -> None:
        kit, faces = kit_of(rules), actions_of(rules).faces
        cards, seats = len(faces), kit.players
        self._faces, self._seats, self._copies, self._size_of_deck = faces, seats, 1 + kit.twins, len(kit.deck)
        ways = Counter(COUNTS[code] for face in bits_of(folded(kit.all_cards)) for code in kit.plays[face])
        self._most = [self._copies * ways[face] for face in faces]
        """How many cards can count as each face at once."""
        self.pieces: tuple[tuple[str, int], ...] = (
            ("hand", cards),
            ("attacks", cards),
            ("unbeaten", cards),
            ("beats", cards),
            ("known", cards * seats),
            ("discard", cards),
            ("turn_up", cards),
            ("trump", len(SUITS)),
            ("counts", seats),
            ("talon", 1),
            ("room", 1),
            ("taking", 1),
            ("attacker", seats),
            ("defender", seats),
            ("actor", seats),
            ("passed", seats),
            ("seats_in", seats),
        )
        """What stands where: the name and the number of numbers of each piece, in order."""
        self.size = sum(size for _, size in self.pieces)

    def numbers(self, sight: Sight) -> list[float]:
        """A sight as numbers; what was not remembered is not in them."""
        viewer, seats, whole = sight.seat, self._seats, float(self._size_of_deck)
        order = [(viewer + place) % seats for place in range(seats)]
        unbeaten = [code for code, beat in zip(sight.attacks, sight.beats, strict=True) if beat < 0]
        found = self._held(sight.hand)
        found += self._laid(sight.attacks) + self._laid(unbeaten) + self._laid([beat for beat in sight.beats if beat >= 0])
        for seat in order:
            found += self._held(sight.known[seat] if sight.known else 0)
        found += self._held(sight.discard)
        found += self._laid([] if sight.turn_up is None else [sight.turn_up])
        found += [float(suit == sight.suit) for suit in range(len(SUITS))]
        found += [sight.counts[seat] / whole for seat in order]
        found += [sight.talon_count / whole, max(sight.limit - len(sight.attacks), 0) / whole, float(sight.taking)]
        for who in (sight.attacker, sight.defender, sight.actor):
            found += [float(seat == who) for seat in order]
        for mask in (sight.passed, sight.seats_in):
            found += [float(mask >> seat & 1) for seat in order]
        return found

    def _held(self, mask: int) -> list[float]:
        """A mask, a number for each face."""
        copies = self._copies
        if copies == 1:
            return [float(mask >> face & 1) for face in self._faces]
        return [((mask >> face & 1) + (mask >> face + FACES & 1)) / copies for face in self._faces]

    def _laid(self, codes: list[int] | tuple[int, ...]) -> list[float]:
        """Cards on the table as what they count as, a number for each face."""
        counts = [COUNTS[code] for code in codes]
        return (
            [counts.count(face) / most for face, most in zip(self._faces, self._most, strict=True)] if counts else [0.0] * len(self._faces)
        )
