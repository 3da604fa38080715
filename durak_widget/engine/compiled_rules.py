"""Compiles the rules of a game to numbers, bit masks and tables that are fast to look up.

The engine calls the functions of the rule modules only here, once for each rule set, and not again during play.
"""

from __future__ import annotations

from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

from durak_widget.cards import FACE_COUNT, ONE_DECK_MASK, SUIT_MASKS, Card, merge_copies
from durak_widget.engine.moves import PASS_MOVE, TAKE_MOVE, Move
from durak_widget.rules import attack, deal_and_trump, deck_and_beating, scoring, seating, turns

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.engine.moves import Verb
    from durak_widget.rules.ruleset import Rules

_CACHE_LIMIT = 1 << 14
_CLUBS, _DIAMONDS, _HEARTS, _ = SUIT_MASKS
_OTHER_FACES = ONE_DECK_MASK ^ _CLUBS ^ _DIAMONDS ^ _HEARTS
_PLAYED_CODES = 5 * FACE_COUNT

EFFECTIVE_FACES = tuple(
    code if code < FACE_COUNT else 13 * (code // FACE_COUNT - 1) + code % FACE_COUNT % 13 for code in range(_PLAYED_CODES)
)
"""The face code that a card counts as when it is played in a suit, indexed by the code of the played card."""
_RANK_MASKS = [sum(1 << f | 1 << f + FACE_COUNT for f in range(FACE_COUNT) if deck_and_beating.rank_index(f) == rank) for rank in range(14)]
SAME_RANK_MASKS = tuple(_RANK_MASKS[deck_and_beating.rank_index(code % FACE_COUNT)] for code in range(_PLAYED_CODES))
"""The bit mask of all cards that have the same rank as a played card, indexed by the code of the played card."""


class MoveListCache:
    """A cache that maps a bit mask of cards to the list of moves with these cards.

    The cache is cleared when it is full.

    >>> lists = MoveListCache(lambda face: (Move.from_cards("throw", Card.from_code(face)),), (PASS_MOVE,))
    >>> lists[0b11], list(lists.cache)
    ((Move('throw 2c'), Move('throw 3c'), Move('pass')), [0, 2, 3])
    """

    __slots__ = ("cache", "last_moves", "make_moves")

    cache: dict[int, tuple[Move, ...]]
    """The move lists that have been computed so far, indexed by the bit mask of their cards.

    The engine reads this dict first, because that is faster than a call to a Python method.
    """
    make_moves: Callable[[int], tuple[Move, ...]]
    """The function that lists the moves with one card, given the card's face code."""

    def __init__(self, make_moves: Callable[[int], tuple[Move, ...]], last_moves: tuple[Move, ...] = ()) -> None:
        self.cache, self.make_moves, self.last_moves = {}, make_moves, last_moves

    def __getitem__(self, mask: int) -> tuple[Move, ...]:
        moves = self.cache.get(mask)
        if moves is None:
            moves = self.last_moves
            if faces := merge_copies(mask):
                lowest = faces & -faces
                moves = self.make_moves(lowest.bit_length() - 1) + self[faces ^ lowest]
            if len(self.cache) >= _CACHE_LIMIT:
                self.cache.clear()
            self.cache[mask] = moves
        return moves


BeatingMoves = tuple[int, MoveListCache, int, MoveListCache]
"""The moves that beat one card face: two bit masks of beating cards (lower and higher), each with a cache of moves.

The lower mask has the beating cards of all suits before the attacked card's suit or the trump suit, whichever comes later in card order.
Splitting the cards into two masks keeps the caches small: cards of two suits can beat most cards, and a hand has few combinations in each.
"""


class CompiledRules:
    """A rule set, compiled to tables for fast play."""

    rules: Rules
    player_count: int
    side_of_seat: tuple[int, ...]
    """The number of each seat's side (a player alone, or a team)."""
    has_two_decks: bool
    """True if the deck has two copies of each card."""
    deck: tuple[int, ...]
    shuffle_steps: tuple[tuple[int, int], ...]
    """The steps of a shuffle, from the last card to the second: a card's index, and how many random bits the step needs."""
    deck_mask: int
    """The bit mask of all cards in the deck."""
    hand_size: int
    min_beaten_to_throw: int
    throws_wait_until_beaten: bool
    """True if players may throw in only after the defender has beaten all cards or has decided to take."""
    can_throw_after_take: bool
    card_cancels_passes: bool
    is_newest_asked_first: bool
    attack_limits: tuple[int, ...]
    """The maximum number of attacking cards: first for the first bout, then for all other bouts."""
    has_transfers: bool
    can_transfer_by_showing: bool
    first_transfer_bout: int
    first_bout_differs: bool
    can_open_with_several: bool
    max_swaps: int
    goes_out_at_once: bool
    repetitions_to_tie: int
    trump_showing_mask: int
    played_codes: list[tuple[int, ...]]
    """The codes that a card may be played as (one for each suit it may have), indexed by the card's face code."""
    free_suit_faces: int
    is_over_with: list[bool]
    """Whether the game is over, indexed by the bit mask of the seats that are still in the game."""
    next_opponent: list[list[int | None]]
    next_seat_in: list[list[int | None]]
    draw_orders: list[list[list[tuple[int, ...]]]]
    """The order in which the seats draw cards, indexed by whether the defender took, then by attacker, then by defender."""
    bout_roles: list[list[tuple[int, tuple[int, ...]]]]
    """The defender of a bout and the seats that may throw in, indexed by the bit mask of seats in the game, then by attacker."""
    opening_moves: tuple[MoveListCache, ...]
    """Four caches of opening moves: with clubs, with diamonds, with hearts, and with all other cards."""
    throw_moves: MoveListCache
    transfer_moves: MoveListCache
    _throwers_cache: dict[int, tuple[int, ...]]
    _beating_cache: dict[int | None, tuple[tuple[int, ...], tuple[BeatingMoves, ...]]]

    __slots__ = tuple(__annotations__)

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.player_count = players = seating.seat_count(rules)
        self.side_of_seat = seating.side_of_seat(rules)
        self.has_two_decks = deck_and_beating.has_two_decks(rules)
        self.deck = tuple(deck_and_beating.build_deck(rules))
        self.shuffle_steps = tuple((last, (last + 1).bit_length()) for last in range(len(self.deck) - 1, 0, -1))
        self.deck_mask = sum(self.deck)
        self.hand_size = deal_and_trump.hand_size(rules)
        self.min_beaten_to_throw = attack.min_beaten_to_throw(rules)
        self.throws_wait_until_beaten = self.min_beaten_to_throw == attack.NEVER
        self.can_throw_after_take = attack.can_throw_after_take(rules)
        self.card_cancels_passes = not attack.does_pass_outlast_cards(rules)
        self.is_newest_asked_first = attack.is_last_attacker_asked_first(rules)
        self.attack_limits = tuple(attack.max_attacks(rules, first_bout=is_first_bout) for is_first_bout in (True, False))
        self.has_transfers, self.can_transfer_by_showing = attack.has_transfers(rules), attack.can_transfer_by_showing(rules)
        self.first_transfer_bout = attack.first_transfer_bout(rules)
        self.first_bout_differs = self.attack_limits[0] != self.attack_limits[1] or (self.has_transfers and self.first_transfer_bout > 1)
        self.can_open_with_several = attack.can_open_with_several(rules)
        self.max_swaps = deal_and_trump.max_swaps(rules)
        self.goes_out_at_once = scoring.goes_out_at_once(rules)
        self.repetitions_to_tie = scoring.repetitions_to_tie(rules)
        self.trump_showing_mask = deal_and_trump.trump_showing_mask(rules)
        self.played_codes = deck_and_beating.list_played_codes(rules)
        self.free_suit_faces = deck_and_beating.free_suit_faces(rules)

        seats, seat_masks = range(players), range(1 << players)
        self.is_over_with = [scoring.is_game_over(rules, mask, ()) for mask in seat_masks]
        self.next_opponent = [[seating.find_next_opponent(rules, seat, mask) for seat in seats] for mask in seat_masks]
        self.next_seat_in = [[seating.find_next_seat_in(seat, mask, players) for seat in seats] for mask in seat_masks]
        self.draw_orders = [
            [[turns.list_draw_order(rules, attacker, defender, taken=taken) for defender in seats] for attacker in seats]
            for taken in (False, True)
        ]
        self._throwers_cache = {}
        self.bout_roles = [[self._find_bout_roles(seat, mask) for seat in seats] for mask in seat_masks]

        self.opening_moves = tuple(MoveListCache(cache(partial(self._list_moves_with_card, "attack"))) for _ in SUIT_MASKS)
        self.throw_moves = MoveListCache(cache(partial(self._list_moves_with_card, "throw")), (PASS_MOVE,))
        self.transfer_moves = MoveListCache(cache(partial(self._list_moves_with_card, "transfer")))
        self._beating_cache = {}

    def _list_moves_with_card(self, verb: Verb, face: int) -> tuple[Move, ...]:
        """Return the moves with a given verb and card, one for each suit the card may count as."""
        return tuple([Move.from_cards(verb, Card.from_code(code)) for code in self.played_codes[face]])

    def _list_beat_moves(self, attack: Card, beaters: int, face: int) -> tuple[Move, ...]:
        """Return the moves with which one card of the hand beats an attacking card.

        There is a move for each suit in which the card may be played. `beaters` is the bit mask of the card faces that beat the attacking card.
        """
        return tuple(
            [
                Move.from_cards("beat", attack, Card.from_code(code))
                for code in self.played_codes[face]
                if beaters >> EFFECTIVE_FACES[code] & 1
            ]
        )

    def _find_bout_roles(self, attacker: int, seats_in: int) -> tuple[int, tuple[int, ...]]:
        """Return the defender of a bout and the seats that may throw in, given the attacker.

        If the attacker has no opponent left, no bout begins; the function then returns the attacker as the defender.
        """
        defender = self.next_opponent[seats_in][attacker]
        return (attacker, ()) if defender is None else (defender, self.find_throwers(attacker, defender, attacker, seats_in))

    def find_throwers(self, attacker: int, defender: int, newest: int, seats_in: int) -> tuple[int, ...]:
        """Return the seats that may throw in, in the order in which they are asked."""
        key = attacker | defender << 3 | newest << 6 | seats_in << 9
        throwers = self._throwers_cache.get(key)
        if throwers is None:
            throwers = self._throwers_cache[key] = attack.order_throwers(self.rules, attacker, defender, newest, seats_in)
        return throwers

    def list_opening_moves(self, hand: int) -> tuple[Move, ...]:
        """Return the moves that open a bout with one card of a hand; `hand` is a bit mask."""
        if self.has_two_decks:
            hand = (hand | hand >> FACE_COUNT) & ONE_DECK_MASK
        clubs, diamonds, hearts, other_cards = self.opening_moves
        try:
            return (
                clubs.cache[hand & _CLUBS]
                + diamonds.cache[hand & _DIAMONDS]
                + hearts.cache[hand & _HEARTS]
                + other_cards.cache[hand & _OTHER_FACES]
            )
        except KeyError:
            return clubs[hand & _CLUBS] + diamonds[hand & _DIAMONDS] + hearts[hand & _HEARTS] + other_cards[hand & _OTHER_FACES]

    def get_beating_tables(self, trump_suit: int | None) -> tuple[tuple[int, ...], tuple[BeatingMoves, ...]]:
        """Return two tables for a trump suit: which cards beat each card, and the moves to do so.

        The first table has bit masks. A card that may be played in several suits is in the mask if it beats the face in one of them.
        """
        tables = self._beating_cache.get(trump_suit)
        if tables is None:
            played_masks = [
                (1 << card_face | 1 << card_face + FACE_COUNT, sum(1 << EFFECTIVE_FACES[code] for code in codes))
                for card_face, codes in enumerate(self.played_codes)
            ]
            beater_masks, beating_moves = [], []
            for face, mask in enumerate(deck_and_beating.beater_masks(self.rules, trump_suit)):
                beaters = sum([copies for copies, effective_mask in played_masks if mask & effective_mask])
                below = (1 << 13 * max(face // 13, trump_suit or 0)) - 1
                low_mask = beaters & (below | below << FACE_COUNT)
                make_beats = cache(partial(self._list_beat_moves, Card.from_code(face), mask))
                beater_masks.append(beaters)
                beating_moves.append((low_mask, MoveListCache(make_beats), beaters ^ low_mask, MoveListCache(make_beats, (TAKE_MOVE,))))
            tables = self._beating_cache[trump_suit] = tuple(beater_masks), tuple(beating_moves)
        return tables

    def is_over(self, seats_in: int, places: tuple[int, ...]) -> bool:
        """Return whether the game is over.

        `seats_in` is the bit mask of the seats in the game, and `places` the seats that are out, in the order in which they went out.
        """
        return self.is_over_with[seats_in] or (bool(places) and scoring.is_game_over(self.rules, seats_in, places))


@lru_cache(maxsize=128)
def compile_rules(rules: Rules) -> CompiledRules:
    """Compile a rule set to tables, or return the cached tables of an earlier call."""
    return CompiledRules(rules)


def trump_mask(suit: int | None) -> int:
    """Return the bit mask of all trumps in two decks; 0 if the game has no trump suit."""
    return 0 if suit is None else SUIT_MASKS[suit] | SUIT_MASKS[suit] << FACE_COUNT
