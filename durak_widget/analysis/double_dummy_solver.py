"""Solves a whole deal with open cards: both players see both hands and the whole talon.

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

from durak_widget.analysis.acyclic_endgame_solver import TooLargeError, fits, in_a_row, in_order
from durak_widget.cards import bits_of
from durak_widget.engine.compiled_rules import SAME_RANK, mask_of_trumps
from durak_widget.engine.game import Game
from durak_widget.errors import PositionError, quoted, whole_number
from durak_widget.fast_engine.engine_instance import by_kernel
from durak_widget.rules import scoring

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.engine.state import State
    from durak_widget.fast_engine.engine_instance import Machine

BUDGET: Final = 300_000
"""Default limit on the starts of bouts to search: a few seconds."""
_TALON: Final = 6
"""Number of bits for the count of drawn talon cards."""
SLICE: Final = 20_000
"""Number of positions that the fast engine searches between two chances to interrupt."""
LEAST_POWER, MOST_POWER = 16, 24
"""Binary logarithms of the smallest and largest table in the fast engine, at most seven eighths full."""
MOST_KNOWN: Final = (1 << MOST_POWER) * 7 // 8
ANSWER_IN_COMPANY: Final = 8
"""Rank penalty of an answer, as in `acyclic_endgame_solver`; found by experiment."""
MOST_CARDS: Final = 48
"""Maximum number of cards in the fast engine."""


class Opened(NamedTuple):
    """Value of a deal with open cards."""

    value: int | None
    """Value for the attacker: 1 won, 0 drawn, -1 lost; None beyond the budget or if the rules are not supported."""
    attacker: int
    looked: int
    """Number of starts of bouts that were searched."""


def open_hands(game: Game, *, budget: int | None = BUDGET) -> Opened:
    """Return the value of a deal from the start of a bout, if both players see all cards.

    Once `budget` starts of bouts are known, the search stops without a value.

    >>> from durak_widget import Game
    >>> open_hands(Game("econ431, ranks=JQKA", seed=3)).value
    1
    >>> print(open_hands(Game("econ431", seed=3), budget=100).value)
    None
    """
    if not isinstance(game, Game):
        raise PositionError(f"a deal is a game, such as Game('econ431', seed=7), not {quoted(game)}")
    if budget is not None and ((whole := whole_number(budget)) is None or whole < 0):
        raise PositionError(f"budget={quoted(budget)} is how many starts of bouts may be looked at: a whole number from 0 on, or None")
    state = game.state
    if state.outcome is not None or state.attacks:
        raise PositionError("who wins with open cards is asked at the start of a bout; go back to one by game.undo()")
    if not _searched(state):
        return Opened(None, state.attacker, 0)
    deal = _Deal.of(state)
    result = by_kernel(state.kit.rules, lambda machine: _by_kernel(machine, deal, budget)) if len(deal.beaters) <= MOST_CARDS else None
    value, positions_searched = result or _plainly(deal, inf if budget is None else budget)
    return Opened(value, state.attacker, positions_searched)


def _plainly(deal: _Deal, budget: float) -> tuple[int | None, int]:
    """Return the value for the attacker, and the number of starts of bouts searched."""
    can_reach, results = _search(deal, budget)
    try:
        value = 1 if can_reach(1) else 0 if deal.may_be_drawn and can_reach(0) else -1
    except (TooLargeError, RecursionError):
        return None, sum(map(len, results))
    return value, sum(map(len, results))


def _by_kernel(machine: Machine, deal: _Deal, budget: int | None) -> tuple[int | None, int] | None:
    """Return the same as `_plainly`, found by the fast engine.

    None means that the fast engine has too little memory.
    """
    running, layout, max_positions = machine.running, machine.layout, MOST_KNOWN if budget is None else budget
    table_bits = max(LEAST_POWER, ((max_positions * 8 + 6) // 7 - 1).bit_length())  # the table may be seven eighths full
    if (table_bits > MOST_POWER and budget is not None) or not running.call("roomFor", min(table_bits, MOST_POWER)):
        return None
    while not running.call("clearRoom"):
        pass  # between two steps an interrupt is possible
    for name, form, values in (
        ("OPENED", "i", (len(deal.top) - 1, *deal.numbers)),
        ("BETTER", "Q", tuple(deal.beaters.values())),
        ("OF_RANK", "Q", tuple(deal.ranks.values())),
        ("TOP_OF_TALON", "Q", deal.top),
    ):
        running.write(layout[name], pack(f"<{len(values)}{form}", *values))
    positions_searched = 0

    def search_target(target: int) -> int:
        nonlocal positions_searched
        result = layout["PAUSE"]
        while result == layout["PAUSE"]:  # between two slices an interrupt is possible
            machine.hand(deal.attack, deal.defend, max_positions, SLICE)
            result = running.call("openReaches", deal.room, target)
            positions_searched = machine.handed()
        return result

    for value, target in ((1, 1), (0, 0)) if deal.may_be_drawn else ((1, 1),):
        result = search_target(target)
        if result == layout["TOO_MUCH"]:
            return None if budget is None else (None, positions_searched)
        if result == layout["REACHED"]:
            return value, positions_searched
    return -1, positions_searched


def _searched(state: State) -> bool:
    """Return whether the search supports a state's rules.

    They must have two players, one card at a time to beat, no swaps, and a fixed trump suit.
    """
    compiled = state.kit
    return compiled.players == 2 and fits(state) and not compiled.swaps and not state.hidden and len(state.talon) < 1 << _TALON


class _Deal(NamedTuple):
    """Deal as the search needs it: cards are bits, cheap ones lowest."""

    attack: int
    defend: int
    room: int
    """Maximum number of attacking cards in the first bout."""
    beaters: dict[int, int]
    """Cards that beat each card."""
    ranks: dict[int, int]
    """Cards of the same rank as each card."""
    top: list[int]
    """Mask of the drawn talon cards, by their number."""
    most: int
    refill: int
    after_take: bool
    at_once: bool
    orderly: bool
    throws: bool
    first: tuple[bool, bool]
    """Whether the attacker draws before the defender: after a beaten bout, and after a taken one."""
    won_by_both: bool
    """Whether the attacker wins if both go out together."""
    ends_first: bool
    """Whether to try the end of a bout before throwing in: with more ranks than cards of a rank, little fits."""

    @property
    def may_be_drawn(self) -> bool:
        """Return whether both players may go out together.

        They can't if a player who plays the last card is out at once.
        """
        return not self.at_once

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return everything but the cards as numbers for the fast engine."""
        return (
            min(self.most, 99),
            self.refill,
            self.after_take,
            self.at_once,
            self.orderly,
            self.throws,
            *self.first,
            self.won_by_both,
            self.ends_first,
        )

    @classmethod
    def of(cls, state: State) -> _Deal:
        """Return the deal of a state."""
        compiled, trumps = state.kit, mask_of_trumps(state.suit)
        all_cards = sum(state.hands) | sum(state.talon)
        order = sorted(bits_of(all_cards), key=lambda code: (trumps >> code & 1, SAME_RANK[code], code))
        bit_of_code = {code: 1 << index for index, code in enumerate(order)}

        def compact_mask(mask: int) -> int:
            return sum([bit_of_code[code] for code in bits_of(mask) if code in bit_of_code])

        beaters = {card: compact_mask(state.reach[code]) for code, card in bit_of_code.items()}
        of_rank = [compact_mask(SAME_RANK[code]) for code in bit_of_code]
        top = [0]
        for card_drawn in state.talon:
            top.append(top[-1] | compact_mask(card_drawn))
        both_out = scoring.outcome(compiled.rules, 0, (*state.places, state.attacker, state.defender), [0, 0], state.defender, ())
        return cls(
            attack=compact_mask(state.hands[state.attacker]),
            defend=compact_mask(state.hands[state.defender]),
            room=state.limit,
            beaters=beaters,
            ranks=dict(zip(beaters, of_rank, strict=True)),
            top=top,
            most=compiled.most[1],
            refill=compiled.hand_size,
            after_take=compiled.after_take,
            at_once=compiled.at_once,
            orderly=in_a_row(beaters),
            throws=bool(compiled.throwers(0, 1, 0, 3)),
            first=(compiled.draws[False][0][1][0] == 0, compiled.draws[True][0][1][0] == 0),
            won_by_both=state.attacker in both_out.winners,
            ends_first=len(set(of_rank)) > max(map(int.bit_count, of_rank), default=0),
        )


def _search(deal: _Deal, budget: float) -> tuple[Callable[[int], bool], tuple[dict[int, bool], dict[int, bool]]]:
    """Return the search function and its results.

    The function says whether the attacker reaches a target value: 1, they win; 0, they don't lose.
    """
    beaters, ranks, drawn_cards, end, size = deal.beaters, deal.ranks, deal.top, len(deal.top) - 1, len(deal.beaters)
    bout_limit, hand_size, can_add_after_take, out_at_once = deal.most, deal.refill, deal.after_take, deal.at_once
    is_ordered, can_throw_in, attacker_draws_first, wins_if_both_out, tries_end_first = (
        deal.orderly,
        deal.throws,
        deal.first,
        deal.won_by_both,
        deal.ends_first,
    )
    results: tuple[dict[int, bool], dict[int, bool]] = ({}, {})

    def search_start(attack: int, defend: int, talon: int, target: int) -> bool:
        key = (attack << size | defend) << _TALON | talon
        results_of_target = results[target]
        result = results_of_target.get(key)
        if result is None:
            if len(results[0]) + len(results[1]) >= budget:
                raise TooLargeError
            result = search_attack(attack, defend, talon, target, min(bout_limit, defend.bit_count()))
            results_of_target[key] = result
        return result

    def search_attack(attack: int, defend: int, talon: int, target: int, room: int) -> bool:
        all_cards, room_after, left = attack | defend, room - 1 if can_throw_in else 0, attack
        if is_ordered and talon == end:  # the attacker wins at once if at most one card can be beaten, as in `acyclic_endgame_solver`
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
        """Search a position in which a card waits to be beaten."""
        if out_at_once and not attack and talon == end:
            return True
        for card in in_order(ranks, options, attack, ANSWER_IN_COMPANY):
            if not search_all_beaten(attack, defend ^ card, talon, rank | ranks[card], room, all_cards, target):
                return False
        return search_take(attack, talon, rank, room if can_add_after_take else 0, all_cards, target)

    def search_all_beaten(attack: int, defend: int, talon: int, rank: int, room: int, all_cards: int, target: int) -> bool:
        """Search a position with all cards beaten: the bout ends, or the attacker throws in.

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
        """Search the end of a beaten bout: both draw, and the defender attacks next."""
        attack, defend, talon = refill_hands(attack, defend, talon, taken=False)
        if not attack:
            return defend != 0 or wins_if_both_out or not target
        return defend != 0 and not search_start(defend, attack, talon, 1 - target)

    def search_take(attack: int, talon: int, rank: int, room: int, all_cards: int, target: int) -> bool:
        """Search a take: the attacker adds any fitting cards, and attacks again."""
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
        """Return the hands after both have drawn, and the number of talon cards drawn by then."""
        if talon == end:
            return attack, defend, talon
        first_hand, second_hand = (attack, defend) if attacker_draws_first[taken] else (defend, attack)
        drawn_after = min(end, talon + max(0, hand_size - first_hand.bit_count()))
        first_hand, talon = first_hand | drawn_cards[drawn_after] ^ drawn_cards[talon], drawn_after
        drawn_after = min(end, talon + max(0, hand_size - second_hand.bit_count()))
        second_hand, talon = second_hand | drawn_cards[drawn_after] ^ drawn_cards[talon], drawn_after
        return (first_hand, second_hand, talon) if attacker_draws_first[taken] else (second_hand, first_hand, talon)

    return lambda target: search_attack(deal.attack, deal.defend, 0, target, deal.room), results
