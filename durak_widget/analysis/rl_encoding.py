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
"""Number of decisions, for each card of the deck, after which a game is ended as a draw where tools need a limit."""


class Encoding:
    """Encoder of observations as vectors, in named parts of fixed sizes.

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
        compiled, faces = kit_of(rules), actions_of(rules).faces
        face_count, seat_count = len(faces), compiled.players
        self._faces, self._seats, self._copies, self._size_of_deck = faces, seat_count, 1 + compiled.twins, len(compiled.deck)
        code_count_of_face = Counter(COUNTS[code] for face in bits_of(folded(compiled.all_cards)) for code in compiled.plays[face])
        self._most = [self._copies * code_count_of_face[face] for face in faces]
        """Maximum number of cards that count as each face at once."""
        self.pieces: tuple[tuple[str, int], ...] = (
            ("hand", face_count),
            ("attacks", face_count),
            ("unbeaten", face_count),
            ("beats", face_count),
            ("known", face_count * seat_count),
            ("discard", face_count),
            ("turn_up", face_count),
            ("trump", len(SUITS)),
            ("counts", seat_count),
            ("talon", 1),
            ("room", 1),
            ("taking", 1),
            ("attacker", seat_count),
            ("defender", seat_count),
            ("actor", seat_count),
            ("passed", seat_count),
            ("seats_in", seat_count),
        )
        """Name and size of each part, in order."""
        self.size = sum(size for _, size in self.pieces)

    def numbers(self, sight: Sight) -> list[float]:
        """Return the vector of a sight, without anything that the seat does not remember."""
        viewer, seat_count, deck_size = sight.seat, self._seats, float(self._size_of_deck)
        order = [(viewer + offset) % seat_count for offset in range(seat_count)]
        unbeaten = [code for code, beat in zip(sight.attacks, sight.beats, strict=True) if beat < 0]
        vector = self._held(sight.hand)
        vector += self._laid(sight.attacks) + self._laid(unbeaten) + self._laid([beat for beat in sight.beats if beat >= 0])
        for seat in order:
            vector += self._held(sight.known[seat] if sight.known else 0)
        vector += self._held(sight.discard)
        vector += self._laid([] if sight.turn_up is None else [sight.turn_up])
        vector += [float(suit == sight.suit) for suit in range(len(SUITS))]
        vector += [sight.counts[seat] / deck_size for seat in order]
        vector += [sight.talon_count / deck_size, max(sight.limit - len(sight.attacks), 0) / deck_size, float(sight.taking)]
        for role_holder in (sight.attacker, sight.defender, sight.actor):
            vector += [float(seat == role_holder) for seat in order]
        for mask in (sight.passed, sight.seats_in):
            vector += [float(mask >> seat & 1) for seat in order]
        return vector

    def _held(self, mask: int) -> list[float]:
        """Return one number for each face of a mask."""
        copies = self._copies
        if copies == 1:
            return [float(mask >> face & 1) for face in self._faces]
        return [((mask >> face & 1) + (mask >> face + FACES & 1)) / copies for face in self._faces]

    def _laid(self, codes: list[int] | tuple[int, ...]) -> list[float]:
        """Return one number for each face that the cards on the table count as."""
        counts = [COUNTS[code] for code in codes]
        return (
            [counts.count(face) / max_count for face, max_count in zip(self._faces, self._most, strict=True)]
            if counts
            else [0.0] * len(self._faces)
        )


class Actions:
    """Moves that can occur under some rules, in the order of the rules, each with its number.

    >>> from durak_widget import Move, Rules
    >>> some = actions_of(Rules(suits="c", ranks="67", hand_size=1, trump="none"))
    >>> [str(move) for move in some.moves]
    ['attack 6c', 'attack 7c', 'throw 6c', 'throw 7c', 'pass', 'beat 6c 7c', 'take']
    >>> some.numbers((Move("take"), Move("beat 6c 7c")))
    [5, 6]
    """

    __slots__ = ("faces", "moves", "number")

    def __init__(self, rules: Rules) -> None:
        compiled = kit_of(rules)
        self.faces = tuple(sorted({COUNTS[code] for face in bits_of(folded(compiled.all_cards)) for code in compiled.plays[face]}))
        """Faces that a card of this deck can count as."""
        rank_of_verb = {verb: index for index, verb in enumerate(VERBS)}
        ordered_moves = sorted(dict.fromkeys(_all(compiled, self.faces)), key=lambda move: (rank_of_verb[move.verb], len(move.cards)))
        self.moves: tuple[Move, ...] = tuple(ordered_moves)
        self.number = {move: index for index, move in enumerate(self.moves)}

    def __len__(self) -> int:
        return len(self.moves)

    def numbers(self, moves: Iterable[Move]) -> list[int]:
        """Return the numbers of these moves in ascending order."""
        number_of_move = self.number
        return sorted([number_of_move[move] for move in moves])


@lru_cache(maxsize=128)
def actions_of(rules: Rules) -> Actions:
    """Return the cached action space of these rules."""
    return Actions(rules)


def _all(kit: Kit, faces: tuple[int, ...]) -> Iterator[Move]:
    """Yield all moves, verb by verb."""
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
    """Return the suits that can be trump, with None if there may be no trump."""
    fixed_suit = deal_and_trump.fixed_suit(kit.rules)
    if fixed_suit is not None:
        return [fixed_suit]
    return [None, *sorted(deck_and_beating.trump_suits(kit.rules))] if deal_and_trump.turns_up(kit.rules) else [None]
