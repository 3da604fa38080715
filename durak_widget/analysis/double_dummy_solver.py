"""Solves a deal whose cards are all open: both players see both hands and the talon.

As in the double dummy problem of bridge, nothing is hidden, and the deal has a value: its result between two
players who make no mistake and see every card. It doesn't predict what people do, who see only their own
hand. No position repeats, as in `acyclic_endgame_solver`: each bout takes cards out of play or out of the
talon, or leaves the attacker with fewer. Decks of sixteen cards are searched within seconds, most of eighteen
with a larger budget.
"""

from __future__ import annotations

from math import inf
from struct import pack
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.acyclic_endgame_solver import TooLargeError, is_acyclic_endgame, is_beating_ordered, order_cheap_first
from durak_widget.cards import bit_indices
from durak_widget.engine.compiled_rules import SAME_RANK_MASKS, trump_mask
from durak_widget.engine.game import Game
from durak_widget.errors import PositionError, as_whole_number, short_repr
from durak_widget.fast_engine.engine_instance import ask_fast_engine
from durak_widget.rules import scoring

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.engine.state import State
    from durak_widget.fast_engine.engine_instance import EngineInstance

DEFAULT_BUDGET: Final = 300_000
"""The default limit on the number of bout starts to search; a search up to this limit takes a few seconds."""
_TALON_BITS: Final = 6
"""The number of bits that the search uses for the number of drawn talon cards."""
SLICE_SIZE: Final = 20_000
"""The number of positions that the fast engine searches before the user can interrupt it."""
MIN_TABLE_BITS, MAX_TABLE_BITS = 16, 24
"""The base-2 logarithms of the minimum and maximum size of the fast engine's result table. At most 7/8 of a table are filled."""
MAX_STORED_POSITIONS: Final = (1 << MAX_TABLE_BITS) * 7 // 8
ANSWER_RANK_PENALTY: Final = 8
"""The search tries a beating card this many places later if the attacker holds a card of the same rank; the number was
found by experiment."""
MAX_CARDS: Final = 48
"""The maximum number of cards in a deal that the fast engine can search."""


class DoubleDummyResult(NamedTuple):
    """The value of a deal in which both players see every card."""

    value: int | None
    """The value for the attacker: 1 won, 0 drawn, -1 lost; None if the budget was too small or the rules are not supported."""
    attacker: int
    positions_searched: int
    """The number of bout starts that were searched."""


def solve_double_dummy(game: Game, *, budget: int | None = DEFAULT_BUDGET) -> DoubleDummyResult:
    """Return the value of a deal at the start of a bout, if both players see every card.

    Once `budget` starts of bouts are known, the search stops without a value.

    >>> from durak_widget import Game
    >>> solve_double_dummy(Game("econ431, ranks=JQKA", seed=3)).value
    1
    >>> print(solve_double_dummy(Game("econ431", seed=3), budget=100).value)
    None
    """
    if not isinstance(game, Game):
        raise PositionError(f"a deal must be a game, such as Game('econ431', seed=7), not {short_repr(game)}")
    if budget is not None and ((whole := as_whole_number(budget)) is None or whole < 0):
        raise PositionError(
            f"budget must be a whole number from 0 on, or None, not {short_repr(budget)}: it is the number of bout starts to search"
        )
    state = game.state
    if state.outcome is not None or state.attacks:
        raise PositionError("this solver needs the start of a bout; go back to one with game.undo()")
    if not _is_supported(state):
        return DoubleDummyResult(None, state.attacker, 0)
    deal = _DealAsBits.from_state(state)
    result = (
        ask_fast_engine(state.compiled_rules.rules, lambda machine: _solve_in_fast_engine(machine, deal, budget))
        if len(deal.beaters) <= MAX_CARDS
        else None
    )
    value, positions_searched = result or _solve_in_python(deal, inf if budget is None else budget)
    return DoubleDummyResult(value, state.attacker, positions_searched)


def _solve_in_python(deal: _DealAsBits, budget: float) -> tuple[int | None, int]:
    """Return a deal's value for the attacker, and the number of searched bout starts.

    The value is None if the search exceeds its budget.
    """
    can_reach, results = _make_search(deal, budget)
    try:
        value = 1 if can_reach(1) else 0 if deal.can_be_drawn and can_reach(0) else -1
    except (TooLargeError, RecursionError):
        return None, sum(map(len, results))
    return value, sum(map(len, results))


def _solve_in_fast_engine(machine: EngineInstance, deal: _DealAsBits, budget: int | None) -> tuple[int | None, int] | None:
    """Solve a deal with open cards in the fast engine.

    Return the attacker's value and the number of searched bout starts.

    None means that the fast engine has too little memory.
    """
    running, layout, max_positions = machine.wasm, machine.layout, MAX_STORED_POSITIONS if budget is None else budget
    # Only seven eighths of the table of positions may be filled, so the table must be larger than the budget
    table_bits = max(MIN_TABLE_BITS, ((max_positions * 8 + 6) // 7 - 1).bit_length())
    if (table_bits > MAX_TABLE_BITS and budget is not None) or not running.call("roomFor", min(table_bits, MAX_TABLE_BITS)):
        return None
    while not running.call("clearRoom"):
        pass  # Each call clears a part of the table, so that the user can interrupt between two calls
    for name, form, values in (
        ("OPENED", "i", (len(deal.drawn_cards) - 1, *deal.engine_numbers)),
        ("BETTER", "Q", tuple(deal.beaters.values())),
        ("OF_RANK", "Q", tuple(deal.ranks.values())),
        ("TOP_OF_TALON", "Q", deal.drawn_cards),
    ):
        running.write(layout[name], pack(f"<{len(values)}{form}", *values))
    positions_searched = 0

    def search_target(target: int) -> int:
        """Run the fast engine's search for a target value until the search has a result."""
        nonlocal positions_searched
        result = layout["PAUSE"]
        while result == layout["PAUSE"]:  # Each call does a part of the search, so that the user can interrupt it
            machine.write_inbox(deal.attacker_hand, deal.defender_hand, max_positions, SLICE_SIZE)
            result = running.call("openReaches", deal.first_bout_limit, target)
            positions_searched = machine.read_inbox()
        return result

    for value, target in ((1, 1), (0, 0)) if deal.can_be_drawn else ((1, 1),):
        result = search_target(target)
        if result == layout["TOO_MUCH"]:
            return None if budget is None else (None, positions_searched)
        if result == layout["REACHED"]:
            return value, positions_searched
    return -1, positions_searched


def _is_supported(state: State) -> bool:
    """Return whether the search with all cards open works under the rules of a state.

    They must have two players, one card at a time to beat, no swaps, and a fixed trump suit.
    """
    compiled = state.compiled_rules
    return (
        compiled.player_count == 2
        and is_acyclic_endgame(state)
        and not compiled.max_swaps
        and not state.hidden_card
        and len(state.talon) < 1 << _TALON_BITS
    )


class _DealAsBits(NamedTuple):
    """A deal in which each card is represented by one bit; cheaper cards have lower bits."""

    attacker_hand: int
    defender_hand: int
    first_bout_limit: int
    """The maximum number of attacking cards in the first bout."""
    beaters: dict[int, int]
    """For each card, the mask of the cards that beat it."""
    ranks: dict[int, int]
    """For each card, the mask of the cards of the same rank."""
    drawn_cards: list[int]
    """Element `n` of this list is the mask of the first `n` talon cards."""
    bout_limit: int
    hand_size: int
    can_add_after_take: bool
    out_at_once: bool
    is_beating_ordered: bool
    can_throw_in: bool
    attacker_draws_first: tuple[bool, bool]
    """Two flags that say whether the attacker draws first: after all cards were beaten, and after the defender took."""
    attacker_wins_if_both_out: bool
    """True if the attacker wins when both players go out in the same bout."""
    tries_end_first: bool
    """True if the search tries to end a bout before it tries to throw in; this is faster when few cards match the
    table, that is, with more ranks than suits."""

    @property
    def can_be_drawn(self) -> bool:
        """Return whether the deal can end in a draw, because both players may go out at once.

        They can't if a player who plays the last card is out at once.
        """
        return not self.out_at_once

    @property
    def engine_numbers(self) -> tuple[int, ...]:
        """Return the deal's rules, without its cards, as numbers for the fast engine."""
        return (
            min(self.bout_limit, 99),
            self.hand_size,
            self.can_add_after_take,
            self.out_at_once,
            self.is_beating_ordered,
            self.can_throw_in,
            *self.attacker_draws_first,
            self.attacker_wins_if_both_out,
            self.tries_end_first,
        )

    @classmethod
    def from_state(cls, state: State) -> _DealAsBits:
        """Return the deal of a state, with one bit for each card; cheaper cards have lower bits."""
        compiled, trumps = state.compiled_rules, trump_mask(state.trump_suit)
        all_cards = sum(state.hands) | sum(state.talon)
        order = sorted(bit_indices(all_cards), key=lambda code: (trumps >> code & 1, SAME_RANK_MASKS[code], code))
        bit_of_code = {code: 1 << index for index, code in enumerate(order)}

        def compact_mask(mask: int) -> int:
            return sum([bit_of_code[code] for code in bit_indices(mask) if code in bit_of_code])

        beaters = {card: compact_mask(state.beater_masks[code]) for code, card in bit_of_code.items()}
        of_rank = [compact_mask(SAME_RANK_MASKS[code]) for code in bit_of_code]
        top = [0]
        for card_drawn in state.talon:
            top.append(top[-1] | compact_mask(card_drawn))
        both_out = scoring.build_outcome(compiled.rules, 0, (*state.places, state.attacker, state.defender), [0, 0], state.defender, ())
        return cls(
            attacker_hand=compact_mask(state.hands[state.attacker]),
            defender_hand=compact_mask(state.hands[state.defender]),
            first_bout_limit=state.limit,
            beaters=beaters,
            ranks=dict(zip(beaters, of_rank, strict=True)),
            drawn_cards=top,
            bout_limit=compiled.attack_limits[1],
            hand_size=compiled.hand_size,
            can_add_after_take=compiled.can_throw_after_take,
            out_at_once=compiled.goes_out_at_once,
            is_beating_ordered=is_beating_ordered(beaters),
            can_throw_in=bool(compiled.find_throwers(0, 1, 0, 3)),
            attacker_draws_first=(compiled.draw_orders[False][0][1][0] == 0, compiled.draw_orders[True][0][1][0] == 0),
            attacker_wins_if_both_out=state.attacker in both_out.winners,
            tries_end_first=len(set(of_rank)) > max(map(int.bit_count, of_rank), default=0),
        )


def _make_search(deal: _DealAsBits, budget: float) -> tuple[Callable[[int], bool], tuple[dict[int, bool], dict[int, bool]]]:
    """Return the search function for a deal, and the tables with the cached results.

    The function says whether the attacker reaches a target value: 1, they win; 0, they don't lose.
    """
    beaters, ranks, drawn_cards, end, size = deal.beaters, deal.ranks, deal.drawn_cards, len(deal.drawn_cards) - 1, len(deal.beaters)
    bout_limit, hand_size, can_add_after_take, out_at_once = deal.bout_limit, deal.hand_size, deal.can_add_after_take, deal.out_at_once
    is_ordered, can_throw_in, attacker_draws_first, wins_if_both_out, tries_end_first = (
        deal.is_beating_ordered,
        deal.can_throw_in,
        deal.attacker_draws_first,
        deal.attacker_wins_if_both_out,
        deal.tries_end_first,
    )
    results: tuple[dict[int, bool], dict[int, bool]] = ({}, {})

    def search_start(attack: int, defend: int, talon: int, target: int) -> bool:
        """Search the start of a bout, using cached results."""
        key = (attack << size | defend) << _TALON_BITS | talon
        results_of_target = results[target]
        result = results_of_target.get(key)
        if result is None:
            if len(results[0]) + len(results[1]) >= budget:
                raise TooLargeError
            result = search_attack(attack, defend, talon, target, min(bout_limit, defend.bit_count()))
            results_of_target[key] = result
        return result

    def search_attack(attack: int, defend: int, talon: int, target: int, room: int) -> bool:
        """Search a position in which the attacker plays the first card of a bout."""
        all_cards, room_after, left = attack | defend, room - 1 if can_throw_in else 0, attack
        # The attacker wins without a search if at most one of their cards can be beaten, as in `acyclic_endgame_solver`
        if is_ordered and talon == end:
            beatable_count = 0
            while left and beatable_count < 2:
                card = left & -left
                left ^= card
                beatable_count += bool(beaters[card] & defend)
            if not beatable_count or (beatable_count == 1 and attack & (attack - 1)):
                return True
        left = attack
        while left:
            card = left & -left
            left ^= card
            if search_unbeaten_card(attack ^ card, defend, talon, ranks[card], room_after, beaters[card] & defend, all_cards, target):
                return True
        return False

    def search_unbeaten_card(attack: int, defend: int, talon: int, rank: int, room: int, options: int, all_cards: int, target: int) -> bool:
        """Search a position in which the defender must beat an attacking card or take."""
        if out_at_once and not attack and talon == end:
            return True
        for card in order_cheap_first(ranks, options, attack, ANSWER_RANK_PENALTY):
            if not search_all_beaten(attack, defend ^ card, talon, rank | ranks[card], room, all_cards, target):
                return False
        return search_take(attack, talon, rank, room if can_add_after_take else 0, all_cards, target)

    def search_all_beaten(attack: int, defend: int, talon: int, rank: int, room: int, all_cards: int, target: int) -> bool:
        """Search a position in which every attacking card is beaten.

        Either the bout ends, or the attacker throws in a card.

        `tries_end_first` says which comes first.
        """
        if out_at_once and not defend and talon == end:
            return False
        if tries_end_first and search_bout_end(attack, defend, talon, target):
            return True
        fitting = attack & rank if room else 0
        while fitting:
            card = fitting & -fitting
            fitting ^= card
            if search_unbeaten_card(attack ^ card, defend, talon, rank, room - 1, beaters[card] & defend, all_cards, target):
                return True
        return not tries_end_first and search_bout_end(attack, defend, talon, target)

    def search_bout_end(attack: int, defend: int, talon: int, target: int) -> bool:
        """End a bout in which all cards are beaten, and search the next bout.

        Both players draw, and the defender becomes the attacker.
        """
        attack, defend, talon = refill_hands(attack, defend, talon, taken=False)
        if not attack:
            return defend != 0 or wins_if_both_out or not target
        return defend != 0 and not search_start(defend, attack, talon, 1 - target)

    def search_take(attack: int, talon: int, rank: int, room: int, all_cards: int, target: int) -> bool:
        """Search a position in which the defender takes the cards.

        The attacker may add cards first, and then attacks again.
        """
        fitting = attack & rank if room else 0
        added = fitting
        while True:
            if added.bit_count() <= room:
                left = attack ^ added
                left, taker_hand, drawn = refill_hands(left, all_cards ^ left, talon, taken=True)
                if not left or search_start(left, taker_hand, drawn, target):
                    return True
            if not added:
                return False
            added = (added - 1) & fitting

    def refill_hands(attack: int, defend: int, talon: int, *, taken: bool) -> tuple[int, int, int]:
        """Return both hands after the players draw, and the number of talon cards drawn so far."""
        if talon == end:
            return attack, defend, talon
        first_hand, second_hand = (attack, defend) if attacker_draws_first[taken] else (defend, attack)
        drawn_after = min(end, talon + max(0, hand_size - first_hand.bit_count()))
        first_hand, talon = first_hand | drawn_cards[drawn_after] ^ drawn_cards[talon], drawn_after
        drawn_after = min(end, talon + max(0, hand_size - second_hand.bit_count()))
        second_hand, talon = second_hand | drawn_cards[drawn_after] ^ drawn_cards[talon], drawn_after
        return (first_hand, second_hand, talon) if attacker_draws_first[taken] else (second_hand, first_hand, talon)

    return lambda target: search_attack(deal.attacker_hand, deal.defender_hand, 0, target, deal.first_bout_limit), results
