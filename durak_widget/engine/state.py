"""Defines the full state of a game at one moment, as plain numbers and bit masks.

The engine changes a `State` in place, and searches can copy it quickly. The state contains hidden information, so only the game and the solvers
of `analysis` use it. All other code gets an `Observation`.
"""

from __future__ import annotations

from itertools import accumulate
from operator import xor
from random import Random
from typing import TYPE_CHECKING, Any, Final

from durak_widget.cards import FACE_COUNT, ONE_DECK_MASK, face_from_bit, normalize_copies
from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.rules import deal_and_trump, turns

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from durak_widget.engine.compiled_rules import BeatingMoves, CompiledRules
    from durak_widget.engine.moves import Move
    from durak_widget.rules.ruleset import Rules
    from durak_widget.rules.scoring import Outcome

PHASE_OPEN: Final = 0
"""The phase in which the attacker plays the first card of a bout."""
PHASE_THROW_IN: Final = 1
"""The phase in which a player may throw in."""
PHASE_DEFEND: Final = 2
"""The phase in which the defender beats a card, takes all cards, or transfers the attack."""
PHASE_OVER: Final = 3
"""The phase after the end of the game."""
_DERIVED_SLOTS: Final = {"compiled_rules", "beater_masks", "beating_moves", "legal_moves"}


class State:
    """The full state of a game at one moment, with the hidden cards.

    The module `cards` explains the bit masks of cards.
    """

    # --- Fields that describe the cards ---

    compiled_rules: CompiledRules
    hands: list[int]
    """The cards in each seat's hand, as bit masks."""
    talon_suffix_masks: tuple[int, ...]
    """The talon as bit masks: the mask at index i has the cards that remain after i cards are drawn."""
    trump_suit: int | None
    """The trump suit, as an index in `SUITS`; None if the game has no trumps."""
    turn_up: int
    """The bit of the turn-up, which is the face-up card that shows the trump suit; 0 if there is none."""
    drawable_turn_up: int
    """The bit of the turn-up while a player can still draw it; otherwise 0."""
    hidden_card: int
    """The bit of the face-down card under the turn-up; 0 if there is none."""
    card_aside: int
    """The bit of the card that has been out of play since the deal; 0 if there is none."""
    discard: int
    beater_masks: tuple[int, ...]
    """The cards that beat each card under the current trump suit, as bit masks indexed by face code."""
    beating_moves: tuple[BeatingMoves, ...]
    """The moves that beat each card, as caches indexed by face code; see `BeatingMoves`."""

    # --- Fields that describe the current bout ---

    bout: int
    attacker: int
    defender: int
    limit: int
    attacks: list[int]
    """The codes of the attacking cards, in the order in which they were played."""
    beats: list[int]
    """The code of the card that beat each attacking card; -1 if no card has beaten it yet."""
    table: int
    """The bit mask of all cards on the table."""
    matching_rank_mask: int
    """The bit mask of all cards that have the same rank as a card on the table, which are the cards to throw in."""
    unbeaten_count: int
    """The number of attacking cards that no card has beaten yet."""
    newest_card_seat: int
    """The seat that played the last attacking card; the attacker while the table is empty."""
    throwers: tuple[int, ...]
    """The seats that may throw in, in the order in which they are asked; empty after the game."""
    passed: int
    """The bit mask of the seats that have passed, so that they are not asked again to throw in."""
    taking: bool
    seats_at_bout_start: int
    """The bit mask of the seats that were still in the game when the bout began."""
    shown_trumps: tuple[tuple[int, int], ...]
    """The trumps that players have shown (to transfer) in this bout, as pairs of a seat and a face code."""
    emptied_seats: tuple[int, ...]
    """The seats that played their last card in this bout, in the order of play."""
    has_swapped: bool
    """True if the attacker has swapped cards with the talon before opening this bout."""

    # --- Fields that describe the whole game ---

    seats_in: int
    """The bit mask of the seats that are still in the game."""
    places: tuple[int, ...]
    """The seats that have left the game, in the order in which they left it."""
    swap_counts: tuple[int, ...]
    """The number of swaps with the talon that each seat has made in this game."""
    repeatable_positions: tuple[tuple[int, ...], ...]
    """The starts of bouts since the last draw, discard or swap: only these positions can occur again.

    Each has the attacker and the hands. The tuple is empty after the game, and if the rules have no tie by repetition.
    """
    ply: int
    phase: int
    actor: int | None
    legal_moves: tuple[Move, ...] | None
    """The legal moves of the seat whose turn it is; None until they are computed."""
    outcome: Outcome | None

    # --- Fields that describe what each seat knows ---

    publicly_seen: list[int]
    """The cards that all players saw go into each hand, as bit masks; some of these cards may have left the hand again."""
    cards_put_back: tuple[int, ...]
    """The cards that each seat has put under the talon and can still locate, as bit masks."""
    bout_ends: list[tuple[Any, ...]]
    """How each finished bout ended, as the fields of a `BoutEnd`; each draw also has the bit mask of the drawn cards."""
    swap_draws: tuple[tuple[int, int, int], ...]
    """The cards drawn in swaps: the ply, the seat, and the bit mask of the cards, which only this seat knows."""

    __slots__ = tuple(__annotations__)

    @property
    def talon(self) -> tuple[int, ...]:
        """Return the talon cards as bits, top card first."""
        suffix_masks = self.talon_suffix_masks
        return tuple(map(xor, suffix_masks, suffix_masks[1:]))

    @property
    def max_attacks(self) -> int:
        """Return the rules' limit on attacking cards in this bout; ignore the defender's hand."""
        return self.compiled_rules.attack_limits[self.bout > 1]

    def copy(self) -> State:
        """Return a copy of the state that can change independently."""
        new = State.__new__(State)
        new.compiled_rules = self.compiled_rules
        new.hands = self.hands[:]
        new.talon_suffix_masks = self.talon_suffix_masks
        new.trump_suit, new.turn_up, new.drawable_turn_up, new.hidden_card, new.card_aside = (
            self.trump_suit,
            self.turn_up,
            self.drawable_turn_up,
            self.hidden_card,
            self.card_aside,
        )
        new.discard, new.beater_masks, new.beating_moves = self.discard, self.beater_masks, self.beating_moves
        new.bout, new.attacker, new.defender, new.limit = self.bout, self.attacker, self.defender, self.limit
        new.attacks, new.beats = self.attacks[:], self.beats[:]
        new.table, new.matching_rank_mask, new.unbeaten_count, new.newest_card_seat = (
            self.table,
            self.matching_rank_mask,
            self.unbeaten_count,
            self.newest_card_seat,
        )
        new.throwers, new.passed, new.taking = self.throwers, self.passed, self.taking
        new.seats_at_bout_start, new.shown_trumps, new.emptied_seats = self.seats_at_bout_start, self.shown_trumps, self.emptied_seats
        new.seats_in, new.places = self.seats_in, self.places
        new.swap_counts, new.has_swapped, new.repeatable_positions = self.swap_counts, self.has_swapped, self.repeatable_positions
        new.publicly_seen, new.cards_put_back, new.bout_ends, new.swap_draws = (
            self.publicly_seen[:],
            self.cards_put_back,
            self.bout_ends[:],
            self.swap_draws,
        )
        new.ply, new.phase, new.actor, new.legal_moves, new.outcome = self.ply, self.phase, self.actor, self.legal_moves, self.outcome
        return new

    def key(self) -> Hashable:
        """Return a dict key for the position; equal keys mean that the same moves can follow.

        The key leaves out the history, the knowledge of players, which copy of a card is where, and the discard pile. It includes details such as
        who showed a trump, or the number of the bout, only if the rules depend on them. If the rules have a tie by repetition, the key includes
        the positions that can still repeat. Solvers use rules without such ties, and handle repetition in their own way.

        >>> from durak_widget import Game
        >>> first, second = (Game.from_position(hands=["6c 7c", "9h Ts"], discard=discard).state for discard in ("", "Ac"))
        >>> first.key() == second.key()
        True
        """
        if self.outcome is not None:
            return PHASE_OVER, self.outcome
        compiled, beats = self.compiled_rules, self.beats
        hands, table, talon = tuple(self.hands), self.table, self.talon_suffix_masks
        if compiled.has_two_decks:
            hands, table, talon = tuple(map(normalize_copies, hands)), normalize_copies(table), tuple(map(face_from_bit, self.talon))
        beaten = [beat >= 0 for beat in beats] if beats else ()
        return (
            *hands,
            talon,
            face_from_bit(self.drawable_turn_up) if self.drawable_turn_up else None,
            bool(self.hidden_card),
            self.trump_suit,
            self.actor,
            self.attacker,
            self.defender,
            self.limit,
            tuple(self.attacks),
            tuple(beaten),
            table,
            self.passed,
            self.taking,
            self.emptied_seats,
            self.seats_in,
            self.places,
            self.bout == 1 and compiled.first_bout_differs,
            self.newest_card_seat if compiled.is_newest_asked_first else None,
            (self.seats_at_bout_start, self.shown_trumps) if compiled.has_transfers else None,
            (self.swap_counts, self.has_swapped) if compiled.max_swaps else None,
            tuple(sorted(self.repeatable_positions)),
        )

    def __reduce__(self) -> tuple[Any, tuple[Rules, dict[str, Any]]]:
        """Return what pickle saves: the rules and the fields, without the compiled tables."""
        return _rebuild_state, (
            self.compiled_rules.rules,
            {slot: getattr(self, slot) for slot in self.__slots__ if slot not in _DERIVED_SLOTS},
        )

    def set_talon(self, talon: tuple[int, ...]) -> None:
        """Set the talon to the given cards (as bits, top card first)."""
        self.talon_suffix_masks = tuple(accumulate(talon[::-1], initial=0))[::-1]

    def set_trump(self, suit: int | None) -> None:
        """Set the trump suit and the tables that depend on it."""
        self.trump_suit = suit
        self.beater_masks, self.beating_moves = self.compiled_rules.get_beating_tables(suit)


def _rebuild_state(rules: Rules, slot_values: dict[str, Any]) -> State:
    """Rebuild a state from the data that pickle has saved."""
    state = create_blank_state(compile_rules(rules))
    for slot, value in slot_values.items():
        setattr(state, slot, value)
    state.set_trump(state.trump_suit)
    return state


def create_blank_state(compiled: CompiledRules) -> State:
    """Create an empty state, which has no cards and in which it is nobody's turn.

    The caller has to set all fields that differ, and always the talon and the trump suit.
    """
    state = State.__new__(State)
    seat_count = compiled.player_count
    state.compiled_rules, state.hands, state.publicly_seen = compiled, [0] * seat_count, [0] * seat_count
    state.turn_up = state.drawable_turn_up = state.hidden_card = state.card_aside = state.discard = 0
    state.bout = state.attacker = state.defender = state.limit = state.newest_card_seat = 0
    state.attacks, state.beats = [], []
    state.table = state.matching_rank_mask = state.unbeaten_count = state.passed = 0
    state.throwers, state.shown_trumps, state.emptied_seats, state.places, state.repeatable_positions, state.swap_draws, state.bout_ends = (
        (),
        (),
        (),
        (),
        (),
        (),
        [],
    )
    state.taking = state.has_swapped = False
    state.seats_at_bout_start = state.seats_in = (1 << seat_count) - 1
    state.swap_counts = state.cards_put_back = (0,) * seat_count
    state.ply, state.phase, state.actor, state.legal_moves, state.outcome = 0, PHASE_OVER, None, None, None
    return state


def shuffle_deck(compiled: CompiledRules, seed: int | str) -> list[int]:
    """Shuffle the deck with a seed, and return the shuffled cards as bits.

    The function has its own shuffle, so that one seed deals the same game in every version of Python. This is also faster.
    """
    deck = list(compiled.deck)
    random_bits = Random(seed).getrandbits
    for last, bit_count in compiled.shuffle_steps:
        index = random_bits(bit_count)
        while index > last:
            index = random_bits(bit_count)
        deck[last], deck[index] = deck[index], deck[last]
    return deck


def deal_state(compiled: CompiledRules, deck: Sequence[int], dealer: int) -> State:
    """Deal a shuffled deck, and return the state before the first bout begins."""
    cards = list(deck)
    state = create_blank_state(compiled)
    reveal = deal_and_trump.reveal_trump(compiled.rules, cards, compiled.trump_showing_mask)
    state.hands = deal_and_trump.deal_hands(compiled.rules, cards, dealer)
    state.set_talon(reveal.talon)
    state.set_trump(reveal.trump_suit)
    state.turn_up, state.hidden_card, state.card_aside = reveal.turn_up, reveal.hidden_card, reveal.card_aside
    state.drawable_turn_up = 0 if reveal.card_aside else reveal.turn_up
    if reveal.card_in_hand:
        state.publicly_seen = [hand & reveal.card_in_hand for hand in state.hands]
    state.attacker = turns.find_first_attacker(compiled.rules, state.hands, reveal.trump_suit, dealer)
    return state


def assign_unused_copies(mask: int, used: int) -> int:
    """Choose one copy of each given card of a double deck; choose copies that are not used.

    Return the bit mask of the chosen copies.
    """
    second_copies = mask >> FACE_COUNT
    single_copies = mask & ONE_DECK_MASK & ~second_copies
    return second_copies | second_copies << FACE_COUNT | single_copies & ~used | (single_copies & used) << FACE_COUNT


def find_copies_in_hand(faces: int, hand: int) -> int:
    """Find which copy of each given card of a double deck is in a hand; return a bit mask."""
    second_copies = faces >> FACE_COUNT
    single_copies = faces & ONE_DECK_MASK & ~second_copies
    return second_copies | second_copies << FACE_COUNT | single_copies & hand | (single_copies & ~hand) << FACE_COUNT
