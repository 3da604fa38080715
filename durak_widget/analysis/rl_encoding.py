"""Encodes observations as vectors and moves as action numbers, for reinforcement learning.

An observation is a vector of numbers from 0 to 1, of the same length under the same rules. Seats are counted
clockwise from the viewer, so that all seats look alike. Cards are the faces that cards of the deck can count
as. Every move that can occur under the rules has an action number, in the order of the rule book.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from durak_widget.cards import FACES, SUITS, Card, bits_of, folded
from durak_widget.engine import state_transitions
from durak_widget.engine.compiled_rules import COUNTS, kit_of
from durak_widget.engine.moves import PASS_MOVE, TAKE_MOVE, VERBS, Move
from durak_widget.rules import attack, deal_and_trump, deck_and_beating

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from durak_widget.engine.compiled_rules import Kit
    from durak_widget.engine.observation import Sight
    from durak_widget.rules.ruleset import Rules

LONGEST: Final = 100
"""A game of so many decisions a card of its deck is ended as a draw, where a tool must know how long a game can be; none that anybody plays comes near."""


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


class Actions:
    """The moves that can come up under some rules, in the order of the rule book, and the number of each.

    >>> from durak_widget import Move, Rules
    >>> some = actions_of(Rules(suits="c", ranks="67", hand_size=1, trump="none"))
    >>> [str(move) for move in some.moves]
    ['attack 6c', 'attack 7c', 'throw 6c', 'throw 7c', 'pass', 'beat 6c 7c', 'take']
    >>> some.numbers((Move("take"), Move("beat 6c 7c")))
    [5, 6]
    """

    __slots__ = ("faces", "moves", "number")

    def __init__(self, rules: Rules) -> None:
        kit = kit_of(rules)
        self.faces = tuple(sorted({COUNTS[code] for face in bits_of(folded(kit.all_cards)) for code in kit.plays[face]}))
        """The faces that a card of this deck can count as."""
        order = {verb: place for place, verb in enumerate(VERBS)}
        found = sorted(dict.fromkeys(_all(kit, self.faces)), key=lambda move: (order[move.verb], len(move.cards)))
        self.moves: tuple[Move, ...] = tuple(found)
        self.number = {move: place for place, move in enumerate(self.moves)}

    def __len__(self) -> int:
        return len(self.moves)

    def numbers(self, moves: Iterable[Move]) -> list[int]:
        """The numbers of these moves, the lowest first."""
        number = self.number
        return sorted([number[move] for move in moves])


@lru_cache(maxsize=128)
def actions_of(rules: Rules) -> Actions:
    """The moves that can come up under these rules: worked out once."""
    return Actions(rules)


def _all(kit: Kit, faces: tuple[int, ...]) -> Iterator[Move]:
    """They, verb by verb."""
    deck = kit.all_cards
    yield from kit.openings(deck)
    if kit.several:
        yield from (Move.of("attack", *map(Card.of, codes)) for codes in attack.groups(deck, max(kit.most), kit.plays))
    yield from kit.throws[deck]
    yield PASS_MOVE
    for suit in _suits(kit):
        answers = kit.beating(suit)[1]
        for face in faces:
            low, lower, high, upper = answers[face]
            yield from (*lower[deck & low], *upper[deck & high])
    if kit.transfers:
        yield from kit.transfer_moves[deck]
    if kit.shows:
        yield from (Move.of("show", Card.of(face)) for face in bits_of(folded(deck)))
    yield TAKE_MOVE
    if kit.swaps:
        yield from state_transitions.swaps(deck)


def _suits(kit: Kit) -> list[int | None]:
    """The suits that can be trump; None where there may be none."""
    fixed = deal_and_trump.fixed_suit(kit.rules)
    if fixed is not None:
        return [fixed]
    return [None, *sorted(deck_and_beating.trump_suits(kit.rules))] if deal_and_trump.turns_up(kit.rules) else [None]
