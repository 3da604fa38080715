"""A whole deal with open cards: two hands and the order of the talon are known to both, so who wins?

As in the double dummy of bridge, nothing is hidden, and the deal has a value of its own: what it would be worth to two players who make no mistake
and see every card. It is no forecast of people, who see their own hand alone. As in `duel`, no position can come again: each bout takes cards out of play or
out of the talon, or leaves the attacker with fewer. Decks of sixteen cards are searched within seconds; of eighteen most, given a larger budget.
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
"""So many starts of bouts are looked at, if nothing else is said: a few seconds."""
_TALON: Final = 6
"""Bits enough for how many cards of the talon are drawn."""
SLICE: Final = 20_000
"""So many more the kernel looks at before anybody may interrupt."""
LEAST_POWER, MOST_POWER = 16, 24
"""The kernel has room for 2 to the power of that many, as it is asked for; at most seven eighths of it is taken."""
MOST_KNOWN: Final = (1 << MOST_POWER) * 7 // 8
ANSWER_IN_COMPANY: Final = 8
"""By how many places an answer counts as dearer that leaves something to throw in: as in `duel`, tried out for deals."""
MOST_CARDS: Final = 48
"""So many cards its positions have room for."""


class Opened(NamedTuple):
    """What a deal is worth where both see every card."""

    value: int | None
    """To the seat that attacks: 1 won, 0 drawn, -1 lost; None beyond the budget, or under rules that are not searched so."""
    attacker: int
    looked: int
    """How many starts of bouts were looked at."""


def open_hands(game: Game, *, budget: int | None = BUDGET) -> Opened:
    """Who wins from the start of a bout if both see both hands and the order of the talon; none is begun any more once `budget` starts of bouts are known.

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
    found = by_kernel(state.kit.rules, lambda machine: _by_kernel(machine, deal, budget)) if len(deal.beaters) <= MOST_CARDS else None
    value, looked = found or _plainly(deal, inf if budget is None else budget)
    return Opened(value, state.attacker, looked)


def _plainly(deal: _Deal, budget: float) -> tuple[int | None, int]:
    """What a deal is worth to the attacker, and how much was looked at for it."""
    reaches, known = _search(deal, budget)
    try:
        value = 1 if reaches(1) else 0 if deal.may_be_drawn and reaches(0) else -1
    except (TooLargeError, RecursionError):
        return None, sum(map(len, known))
    return value, sum(map(len, known))


def _by_kernel(machine: Machine, deal: _Deal, budget: int | None) -> tuple[int | None, int] | None:
    """What the kernel makes of a deal, after a search as long as the plain one; None where it has no room for so much."""
    running, layout, most = machine.running, machine.layout, MOST_KNOWN if budget is None else budget
    power = max(LEAST_POWER, ((most * 8 + 6) // 7 - 1).bit_length())  # seven eighths of the room are enough
    if (power > MOST_POWER and budget is not None) or not running.call("roomFor", min(power, MOST_POWER)):
        return None
    while not running.call("clearRoom"):
        pass  # between two steps whoever waits may interrupt
    for name, form, values in (
        ("OPENED", "i", (len(deal.top) - 1, *deal.numbers)),
        ("BETTER", "Q", tuple(deal.beaters.values())),
        ("OF_RANK", "Q", tuple(deal.ranks.values())),
        ("TOP_OF_TALON", "Q", deal.top),
    ):
        running.write(layout[name], pack(f"<{len(values)}{form}", *values))
    looked = 0

    def reaches(worth: int) -> int:
        nonlocal looked
        found = layout["PAUSE"]
        while found == layout["PAUSE"]:  # between two slices whoever waits may interrupt
            machine.hand(deal.attack, deal.defend, most, SLICE)
            found = running.call("openReaches", deal.room, worth)
            looked = machine.handed()
        return found

    for value, worth in ((1, 1), (0, 0)) if deal.may_be_drawn else ((1, 1),):
        found = reaches(worth)
        if found == layout["TOO_MUCH"]:
            return None if budget is None else (None, looked)
        if found == layout["REACHED"]:
            return value, looked
    return -1, looked


def _searched(state: State) -> bool:
    """Whether these rules are: two players, one card at a time to beat, nothing swapped and no trump that changes."""
    kit = state.kit
    return kit.players == 2 and fits(state) and not kit.swaps and not state.hidden and len(state.talon) < 1 << _TALON


class _Deal(NamedTuple):
    """A deal as it is searched: cards are bits, cheap ones lowest; an answer that leaves something to throw in counts as dearer."""

    attack: int
    defend: int
    room: int
    """How many attacking cards there may be in the first bout."""
    beaters: dict[int, int]
    """For each card those that beat it."""
    ranks: dict[int, int]
    """For each card those of its rank."""
    top: list[int]
    """For each number of drawn cards, all of them."""
    most: int
    refill: int
    after_take: bool
    at_once: bool
    orderly: bool
    throws: bool
    first: tuple[bool, bool]
    """Whether the attacker draws before the defender: after a bout that was beaten, and after one that was taken."""
    won_by_both: bool
    """Whether the attacker has won if both go out together."""
    ends_first: bool
    """Whether the end of a bout is tried before throwing in: where there are more ranks than cards of one, so that little fits (tried out)."""

    @property
    def may_be_drawn(self) -> bool:
        """Whether both may go out together: not where who plays the last card is out at once."""
        return not self.at_once

    @property
    def numbers(self) -> tuple[int, ...]:
        """What there is but for cards, as the kernel is told it."""
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
        """The deal of a state."""
        kit, trumps = state.kit, mask_of_trumps(state.suit)
        there = sum(state.hands) | sum(state.talon)
        order = sorted(bits_of(there), key=lambda code: (trumps >> code & 1, SAME_RANK[code], code))
        bit = {code: 1 << place for place, code in enumerate(order)}

        def small(mask: int) -> int:
            return sum([bit[code] for code in bits_of(mask) if code in bit])

        beaters = {one: small(state.reach[code]) for code, one in bit.items()}
        of_rank = [small(SAME_RANK[code]) for code in bit]
        top = [0]
        for drawn in state.talon:
            top.append(top[-1] | small(drawn))
        both_out = scoring.outcome(kit.rules, 0, (*state.places, state.attacker, state.defender), [0, 0], state.defender, ())
        return cls(
            attack=small(state.hands[state.attacker]),
            defend=small(state.hands[state.defender]),
            room=state.limit,
            beaters=beaters,
            ranks=dict(zip(beaters, of_rank, strict=True)),
            top=top,
            most=kit.most[1],
            refill=kit.hand_size,
            after_take=kit.after_take,
            at_once=kit.at_once,
            orderly=in_a_row(beaters),
            throws=bool(kit.throwers(0, 1, 0, 3)),
            first=(kit.draws[False][0][1][0] == 0, kit.draws[True][0][1][0] == 0),
            won_by_both=state.attacker in both_out.winners,
            ends_first=len(set(of_rank)) > max(map(int.bit_count, of_rank), default=0),
        )


def _search(deal: _Deal, budget: float) -> tuple[Callable[[int], bool], tuple[dict[int, bool], dict[int, bool]]]:
    """The search: a function that says whether the attacker reaches a worth (1, it wins; 0, it does not lose), and what it remembers."""
    beaters, ranks, top, end, size = deal.beaters, deal.ranks, deal.top, len(deal.top) - 1, len(deal.beaters)
    most, refill, after_take, at_once = deal.most, deal.refill, deal.after_take, deal.at_once
    orderly, throws, first, won_by_both, ends_first = deal.orderly, deal.throws, deal.first, deal.won_by_both, deal.ends_first
    known: tuple[dict[int, bool], dict[int, bool]] = ({}, {})

    def start(attack: int, defend: int, talon: int, worth: int) -> bool:
        key = (attack << size | defend) << _TALON | talon
        memory = known[worth]
        found = memory.get(key)
        if found is None:
            if len(known[0]) + len(known[1]) >= budget:
                raise TooLargeError
            found = begin(attack, defend, talon, worth, min(most, defend.bit_count()))
            memory[key] = found
        return found

    def begin(attack: int, defend: int, talon: int, worth: int, room: int) -> bool:
        everything, more, left = attack | defend, room - 1 if throws else 0, attack
        if orderly and talon == end:  # all but one cannot be beaten: as in `duel`
            weak = 0
            while left and weak < 2:
                card = left & -left
                left ^= card
                weak += bool(beaters[card] & defend)
            if not weak or (weak == 1 and attack & (attack - 1)):
                return True
        left = attack
        while left:
            card = left & -left
            left ^= card
            if answer(attack ^ card, defend, talon, ranks[card], more, beaters[card] & defend, everything, worth):
                return True
        return False

    def answer(attack: int, defend: int, talon: int, rank: int, room: int, options: int, everything: int, worth: int) -> bool:
        """A card waits to be beaten."""
        if at_once and not attack and talon == end:
            return True
        for card in in_order(ranks, options, attack, ANSWER_IN_COMPANY):
            if not asked(attack, defend ^ card, talon, rank | ranks[card], room, everything, worth):
                return False
        return take(attack, talon, rank, room if after_take else 0, everything, worth)

    def asked(attack: int, defend: int, talon: int, rank: int, room: int, everything: int, worth: int) -> bool:
        """Everything is beaten: the bout ends, or the attacker throws in; `ends_first` says which is tried first."""
        if at_once and not defend and talon == end:
            return False
        if ends_first and beaten(attack, defend, talon, worth):
            return True
        fit = attack & rank if room else 0
        while fit:
            card = fit & -fit
            fit ^= card
            if answer(attack ^ card, defend, talon, rank, room - 1, beaters[card] & defend, everything, worth):
                return True
        return not ends_first and beaten(attack, defend, talon, worth)

    def beaten(attack: int, defend: int, talon: int, worth: int) -> bool:
        """The bout is beaten: both draw, and the defender opens the next."""
        attack, defend, talon = refilled(attack, defend, talon, taken=False)
        if not attack:
            return defend != 0 or won_by_both or not worth
        return defend != 0 and not start(defend, attack, talon, 1 - worth)

    def take(attack: int, talon: int, rank: int, room: int, everything: int, worth: int) -> bool:
        """The defender takes: the attacker adds what it likes, and attacks again."""
        fit = attack & rank if room else 0
        added = fit
        while True:
            if added.bit_count() <= room:
                left = attack ^ added
                left, held, drawn = refilled(left, everything ^ left, talon, taken=True)
                if not left or start(left, held, drawn, worth):
                    return True
            if not added:
                return False
            added = (added - 1) & fit

    def refilled(attack: int, defend: int, talon: int, *, taken: bool) -> tuple[int, int, int]:
        """The hands after both have drawn, and how much of the talon is then gone."""
        if talon == end:
            return attack, defend, talon
        mine, other = (attack, defend) if first[taken] else (defend, attack)
        upto = min(end, talon + max(0, refill - mine.bit_count()))
        mine, talon = mine | top[upto] ^ top[talon], upto
        upto = min(end, talon + max(0, refill - other.bit_count()))
        other, talon = other | top[upto] ^ top[talon], upto
        return (mine, other, talon) if first[taken] else (other, mine, talon)

    return lambda worth: begin(deal.attack, deal.defend, 0, worth, deal.room), known
