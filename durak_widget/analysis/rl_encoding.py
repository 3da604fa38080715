"""Encodes observations as vectors, and moves as numbers, for reinforcement learning.

An observation is a vector of numbers from 0 to 1, of the same length under the same rules. Seats are counted
clockwise from the viewer, so that all seats look alike. Cards are the faces that cards of the deck can count
as. Every move that can occur under the rules has an action number, in the order of the rule book.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from durak_widget.cards import FACE_COUNT, SUITS, Card, bit_indices, merge_copies
from durak_widget.engine import state_transitions
from durak_widget.engine.compiled_rules import EFFECTIVE_FACES, compile_rules
from durak_widget.engine.moves import PASS_MOVE, TAKE_MOVE, VERBS, Move
from durak_widget.rules import attack, deal_and_trump, deck_and_beating

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from durak_widget.engine.compiled_rules import CompiledRules
    from durak_widget.engine.observation import ObservationData
    from durak_widget.rules.ruleset import Rules

MAX_DECISIONS_PER_CARD: Final = 100
"""OpenSpiel and PettingZoo need a limit on the length of a game: after this many decisions per card of the deck, the
game is a draw."""


class ObservationEncoder:
    """An encoder that turns an observation into a vector with named parts of fixed size.

    >>> from durak_widget import Game, Rules
    >>> rules = Rules(suits="c", ranks="678", hand_size=1, trump="none", first_attacker="left_of_dealer")
    >>> encoding = ObservationEncoder(rules)
    >>> dict(encoding.parts)["hand"], encoding.vector_size
    (3, 43)
    >>> numbers = encoding.encode(Game(rules, deck="6c 7c 8c").view(1).data)
    >>> numbers[:3], len(numbers)
    ([1.0, 0.0, 0.0], 43)
    """

    __slots__ = ("_copy_count", "_deck_size", "_faces", "_max_counts", "_seat_count", "parts", "vector_size")

    def __init__(self, rules: Rules) -> None:
        compiled, faces = compile_rules(rules), action_space_of_rules(rules).faces
        face_count, seat_count = len(faces), compiled.player_count
        self._faces, self._seat_count, self._copy_count, self._deck_size = faces, seat_count, 1 + compiled.has_two_decks, len(compiled.deck)
        code_count_of_face = Counter(
            EFFECTIVE_FACES[code] for face in bit_indices(merge_copies(compiled.deck_mask)) for code in compiled.played_codes[face]
        )
        self._max_counts = [self._copy_count * code_count_of_face[face] for face in faces]
        """For each card face: the maximum number of cards that can count as this face at one time."""
        self.parts: tuple[tuple[str, int], ...] = (
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
        """The name and the size of each part of the vector, in order."""
        self.vector_size = sum(size for _, size in self.parts)

    def encode(self, sight: ObservationData) -> list[float]:
        """Encode what a seat sees and remembers as a vector of numbers."""
        viewer, seat_count, deck_size = sight.seat, self._seat_count, float(self._deck_size)
        order = [(viewer + offset) % seat_count for offset in range(seat_count)]
        unbeaten = [code for code, beat in zip(sight.attacks, sight.beats, strict=True) if beat < 0]
        vector = self._encode_mask(sight.hand)
        vector += (
            self._encode_codes(sight.attacks)
            + self._encode_codes(unbeaten)
            + self._encode_codes([beat for beat in sight.beats if beat >= 0])
        )
        for seat in order:
            vector += self._encode_mask(sight.known_hands[seat] if sight.known_hands else 0)
        vector += self._encode_mask(sight.discard)
        vector += self._encode_codes([] if sight.turn_up is None else [sight.turn_up])
        vector += [float(suit == sight.trump_suit) for suit in range(len(SUITS))]
        vector += [sight.counts[seat] / deck_size for seat in order]
        vector += [sight.talon_count / deck_size, max(sight.limit - len(sight.attacks), 0) / deck_size, float(sight.taking)]
        for role_holder in (sight.attacker, sight.defender, sight.actor):
            vector += [float(seat == role_holder) for seat in order]
        for mask in (sight.passed, sight.seats_in):
            vector += [float(mask >> seat & 1) for seat in order]
        return vector

    def _encode_mask(self, mask: int) -> list[float]:
        """Return, for each card face, the fraction of its copies that a mask contains."""
        copies = self._copy_count
        if copies == 1:
            return [float(mask >> face & 1) for face in self._faces]
        return [((mask >> face & 1) + (mask >> face + FACE_COUNT & 1)) / copies for face in self._faces]

    def _encode_codes(self, codes: list[int] | tuple[int, ...]) -> list[float]:
        """Return, for each card face, the fraction of its copies that a list of cards contains."""
        counts = [EFFECTIVE_FACES[code] for code in codes]
        return (
            [counts.count(face) / max_count for face, max_count in zip(self._faces, self._max_counts, strict=True)]
            if counts
            else [0.0] * len(self._faces)
        )


class ActionSpace:
    """All moves that can occur under given rules, each with its action number.

    >>> from durak_widget import Move, Rules
    >>> some = action_space_of_rules(Rules(suits="c", ranks="67", hand_size=1, trump="none"))
    >>> [str(move) for move in some.moves]
    ['attack 6c', 'attack 7c', 'throw 6c', 'throw 7c', 'pass', 'beat 6c 7c', 'take']
    >>> some.numbers_of_moves((Move("take"), Move("beat 6c 7c")))
    [5, 6]
    """

    __slots__ = ("faces", "moves", "number_of_move")

    def __init__(self, rules: Rules) -> None:
        compiled = compile_rules(rules)
        self.faces = tuple(
            sorted(
                {EFFECTIVE_FACES[code] for face in bit_indices(merge_copies(compiled.deck_mask)) for code in compiled.played_codes[face]}
            )
        )
        """All card faces that some card of the deck can count as."""
        rank_of_verb = {verb: index for index, verb in enumerate(VERBS)}
        ordered_moves = sorted(dict.fromkeys(_all_moves(compiled, self.faces)), key=lambda move: (rank_of_verb[move.verb], len(move.cards)))
        self.moves: tuple[Move, ...] = tuple(ordered_moves)
        self.number_of_move = {move: index for index, move in enumerate(self.moves)}

    def __len__(self) -> int:
        return len(self.moves)

    def numbers_of_moves(self, moves: Iterable[Move]) -> list[int]:
        """Return the action numbers of given moves, in ascending order."""
        number_of_move = self.number_of_move
        return sorted([number_of_move[move] for move in moves])


@lru_cache(maxsize=128)
def action_space_of_rules(rules: Rules) -> ActionSpace:
    """Return the action space of given rules, from a cache if possible."""
    return ActionSpace(rules)


def _all_moves(compiled: CompiledRules, faces: tuple[int, ...]) -> Iterator[Move]:
    """Yield all moves that can occur under given rules, one kind of move after another."""
    deck = compiled.deck_mask
    yield from compiled.list_opening_moves(deck)
    if compiled.can_open_with_several:
        yield from (
            Move.from_cards("attack", *map(Card.from_code, codes))
            for codes in attack.list_opening_groups(deck, max(compiled.attack_limits), compiled.played_codes)
        )
    yield from compiled.throw_moves[deck]
    yield PASS_MOVE
    for suit in _possible_trump_suits(compiled):
        answers = compiled.get_beating_tables(suit)[1]
        for face in faces:
            low, lower, high, upper = answers[face]
            yield from (*lower[deck & low], *upper[deck & high])
    if compiled.has_transfers:
        yield from compiled.transfer_moves[deck]
    if compiled.can_transfer_by_showing:
        yield from (Move.from_cards("show", Card.from_code(face)) for face in bit_indices(merge_copies(deck)))
    yield TAKE_MOVE
    if compiled.max_swaps:
        yield from state_transitions.list_swap_moves(deck)


def _possible_trump_suits(compiled: CompiledRules) -> list[int | None]:
    """Return the suits that can be trumps, with None if a game may have no trumps."""
    fixed_suit = deal_and_trump.fixed_trump_suit(compiled.rules)
    if fixed_suit is not None:
        return [fixed_suit]
    return [None, *sorted(deck_and_beating.possible_trump_suits(compiled.rules))] if deal_and_trump.has_turn_up(compiled.rules) else [None]
