"""Solves two-player endgames without a talon in which no position can repeat.

It applies under rules where one card at a time waits to be beaten. Such an endgame has perfect information.
No position repeats: a beaten bout takes cards out of play, and a taken one leaves the attacker with fewer. So
a depth-first search finds who wins, and within how many bouts. Hands are small bit masks, and results are
cached only at the starts of bouts. Cheap cards are tried first. A card counts as more expensive if the
attacker holds others of its rank, because these could then be thrown in. The attacker tries to end the bout
before throwing in, and the defender tries taking last. The fast engine, where available, makes the same
steps. It counts the same number of positions for each answer. It also runs the search of
`cyclic_endgame_solver`.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from math import inf
from threading import get_ident
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.cards import bits_of
from durak_widget.engine.compiled_rules import SAME_RANK, mask_of_trumps
from durak_widget.engine.state import ADD
from durak_widget.fast_engine.engine_instance import by_kernel, machine_for
from durak_widget.rules import scoring

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from durak_widget.analysis.position_repetition import Starts
    from durak_widget.engine.compiled_rules import Kit
    from durak_widget.engine.state import State
    from durak_widget.fast_engine.engine_instance import Machine

NO_LIMIT: Final = 1e18
"""As many bouts as it takes. One less than this number is the same number."""

# What is found of a worth: whether the attacker reaches it, and whether that is known to be no draw
_REACHED: Final = 1
_SURE: Final = 2
_SURELY: Final = _REACHED | _SURE

# What is known of the start of a bout: within how many bouts it is not decided that the attacker loses, and from how many on it is; the same of its win
_NEVER_LOST, _LOST, _NEVER_WON, _WON = range(4)

# By how many places a card counts as dearer that has company of its rank in the attacker's hand
ATTACK_IN_COMPANY: Final = 8
ANSWER_IN_COMPANY: Final = 4
NO, YES, TOO_LARGE = range(3)
_WASM_NO_LIMIT: Final = 0xFFFE
"""As many bouts as it takes, as the fast engine writes it."""
_MOST: Final = (1 << 31) - 1
_GOING_ON, _DONE, _SPENT = range(3)
_NOT_OPEN: Final = -1
_WON_FLAG: Final = 4
_WORKED: Final = 8
_SURE_FLAG: Final = 16
_FORGOT: Final = 32
_NUMBERS: Final = count(1)


class TooLargeError(Exception):
    """The search has looked at as many positions as it may."""


def fits(state: State) -> bool:
    """Whether an ending is of the kind that is searched here."""
    return can_be_searched(state.kit) and (state.unbeaten <= 1 or state.taking)


def can_be_searched(kit: Kit) -> bool:
    """Whether endings under these rules are of that kind, as long as one card at a time waits to be beaten."""
    return not (kit.twins or kit.transfers or kit.several) and kit.beaten_first and all(len(codes) == 1 for codes in kit.plays)


class Duel:
    """The endings that one position leads to, and what is known of them so far.

    >>> from durak_widget import Game
    >>> state = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h").state
    >>> duel = Duel(state)
    >>> duel.wins(state, 0), duel.wins(state, 0, within=1)
    (True, False)
    """

    __slots__ = ("_given", "_kernel", "_lost", "_search")

    def __init__(self, state: State, budget: int | None = None, *, plainly: bool = False) -> None:
        self._given = state, inf if budget is None else budget
        self._search: _Search | None = None
        self._kernel = None if plainly else KernelSearch.of(state, ACYCLIC_STEPS, budget)
        self._lost: tuple[int, Hashable] | None = None
        """Who was last found to lose, and where."""

    @property
    def looked(self) -> int:
        """How many positions were looked at."""
        if self._kernel is not None:
            return self._kernel.looked
        return 0 if self._search is None else self._search.looked

    def wins(self, state: State, seat: int, within: float = NO_LIMIT) -> bool:
        """Whether a seat can force the win in so many bouts, the one that is on among them."""
        if state.outcome is not None:
            return seat in state.outcome.winners
        if within < 1:
            return False
        if within < NO_LIMIT:
            return self._asked(state, seat, within)[0]
        key = state.key()
        if self._lost == (state.attacker ^ state.defender ^ seat, key):
            return True
        wins, sure = self._asked(state, seat, within)
        if sure and not wins:
            self._lost = seat, key
        return wins

    def _asked(self, state: State, seat: int, within: float) -> tuple[bool, bool]:
        """Whether it wins, and whether it is known that there is no draw."""
        if (search := self._kernel) is not None:
            found = by_kernel(state.kit.rules, lambda machine: search.wins(machine, (state, seat, within)))
            if found == TOO_LARGE:
                raise TooLargeError
            if found is not None:
                return found == YES, search.sure
            self._kernel = None
            for question in search.asked:  # so that it knows what it would know if it had been the plain one from the start
                with suppress(TooLargeError):
                    self._plainly(*question)
        return self._plainly(state, seat, within)

    def _plainly(self, state: State, seat: int, within: float) -> tuple[bool, bool]:
        if self._search is None:
            self._search = _Search(*self._given)
        attacks = seat == state.attacker
        try:
            found = self._search.reaches(state, int(attacks), within)
        except RecursionError:
            raise TooLargeError from None
        return bool(found & _REACHED) == attacks, within >= NO_LIMIT and bool(found & _SURE)


class _Search:
    """The plain search of the endings that one position leads to.

    A question is whether the attacker reaches a `worth`: 1, it wins within so many bouts; 0, it does not lose within them. Hands are masks, and
    `room` is how many more cards may be thrown in.
    """

    def __init__(self, state: State, budget: float) -> None:
        trumps = mask_of_trumps(state.suit)
        there = state.table
        for hand in state.hands:
            there |= hand
        order = sorted(bits_of(there), key=lambda code: (trumps >> code & 1, SAME_RANK[code], code))
        self._bit = {code: 1 << place for place, code in enumerate(order)}
        self._beaters = {bit: self._small(state.reach[code]) for code, bit in self._bit.items()}
        ranks = {bit: self._small(SAME_RANK[code]) for code, bit in self._bit.items()}
        self._most = state.kit.most[1]
        self._known: dict[int, list[float]] = {}
        self._looked = [0]
        functions = _functions(state, self._beaters, ranks, self._known, self._looked, budget)
        self._start, self._start_short, self._waits, self._beaten, self._take = functions

    def _small(self, mask: int) -> int:
        bit = self._bit
        return sum([bit[code] for code in bits_of(mask) if code in bit])

    @property
    def looked(self) -> int:
        """How many positions were looked at."""
        return self._looked[0]

    def reaches(self, state: State, worth: int, within: float) -> int:
        """Whether the attacker of a state reaches a worth within so many bouts."""
        attack, defend = self._small(state.hands[state.attacker]), self._small(state.hands[state.defender])
        everything = attack | defend | self._small(state.table)
        room = state.limit - len(state.attacks)
        if not state.attacks:
            if room == min(self._most, defend.bit_count()):
                return self._start(attack, defend, worth, within)
            return self._start_short(attack, defend, worth, within, room)
        ranks = self._small(state.ranks)
        if not state.throwers:
            room = 0
        if state.taking:
            return self._take(attack, ranks, room, everything, worth, within, _SURE)
        if state.phase == ADD:
            return self._beaten(attack, defend, ranks, room, everything, worth, within)
        unbeaten = self._bit[state.attacks[state.beats.index(-1)]]
        return self._waits(attack, defend, ranks, room, self._beaters[unbeaten] & defend, everything, worth, within)


def _functions(
    state: State, beaters: dict[int, int], ranks: dict[int, int], known: dict[int, list[float]], looked: list[int], budget: float
) -> tuple[Callable[..., int], ...]:
    """The search itself: functions that share what they look up and what they remember, and say what is found."""
    kit = state.kit
    most, after_take, at_once = kit.most[1], kit.after_take, kit.at_once
    throws = bool(kit.throwers(state.attacker, state.defender, state.attacker, state.seats_in))
    both_out = scoring.outcome(kit.rules, 0, (*state.places, state.attacker, state.defender), [0] * kit.players, state.defender, ())
    won_by_both = state.attacker in both_out.winners
    without_draws = at_once or won_by_both
    orderly, size = in_a_row(beaters), len(beaters)

    def start(attack: int, defend: int, worth: int, within: float) -> int:
        """A bout begins; where there are no draws, who does not lose wins."""
        if within >= NO_LIMIT and without_draws:
            worth = 1
        if stands(attack, defend, worth, within, most):
            return _SURELY
        if not within:
            return worth ^ 1
        key = attack << size | defend
        there = known.get(key)
        if there is not None:
            if worth:
                if within <= there[_NEVER_WON]:
                    return 0 if there[_LOST] == inf else _SURE
                if within >= there[_WON]:
                    return _SURELY
            elif within <= there[_NEVER_LOST]:
                return _REACHED if there[_WON] == inf else _SURELY
            elif within >= there[_LOST]:
                return _SURE
        if looked[0] >= budget:
            raise TooLargeError
        looked[0] += 1
        room = defend.bit_count()
        found = begin(attack, defend, worth, within, most if most < room else room)  # noqa: FURB136 - min() is slow
        there = known.get(key)
        if there is None:
            there = known[key] = [0.0, inf, 0.0, inf]
        if found & _REACHED == worth or (found & _SURE and within >= NO_LIMIT):
            if found & _REACHED:
                there[_WON] = min(there[_WON], within)
                there[_NEVER_LOST] = NO_LIMIT  # who wins does not lose
            else:
                there[_LOST] = min(there[_LOST], within)
                there[_NEVER_WON] = NO_LIMIT
        else:
            there[_NEVER_WON if worth else _NEVER_LOST] = within
        return found

    def start_short(attack: int, defend: int, worth: int, within: float, room: int) -> int:
        """A bout begins in which no more than so many cards may be laid."""
        return _SURELY if stands(attack, defend, worth, within, 1) else begin(attack, defend, worth, within, room)

    def stands(attack: int, defend: int, worth: int, within: float, most: int) -> bool:
        """Whether the attacker wins without search.

        It lays what cannot be beaten from the bottom up, which makes none of the rest of it beatable, and then its last card, or cards, if they are of
        one rank: as one is beaten it throws in the next, and it is out when the defender still holds some.
        """
        if not orderly or (worth and attack.bit_count() > within):
            return False
        weak, same, left = 0, -1, attack
        while left:
            card = left & -left
            left ^= card
            if beaters[card] & defend:
                weak |= card
                same &= ranks[card]
                if weak & ~same:
                    return False
        last = weak.bit_count()
        if last > 1 and (last > most or not throws):
            return False
        return last < defend.bit_count() + attack.bit_count() - last

    def begin(attack: int, defend: int, worth: int, within: float, room: int) -> int:
        everything, more, sure = attack | defend, room - 1 if throws else 0, _SURE
        for card in in_order(ranks, attack, attack, ATTACK_IN_COMPANY):
            found = waits(attack ^ card, defend, ranks[card], more, beaters[card] & defend, everything, worth, within)
            if found & _REACHED:
                return found
            sure &= found
        return sure

    def waits(attack: int, defend: int, rank: int, room: int, options: int, everything: int, worth: int, within: float) -> int:
        """A card waits to be beaten by one of these."""
        if not attack and (at_once or not options):
            return _SURELY
        sure = _SURE
        for card in in_order(ranks, options, attack, ANSWER_IN_COMPANY):
            found = beaten(attack, defend ^ card, rank | ranks[card], room, everything, worth, within)
            if not found & _REACHED:
                return found
            sure &= found
        return take(attack, rank, room if after_take else 0, everything, worth, within, sure)

    def beaten(attack: int, defend: int, rank: int, room: int, everything: int, worth: int, within: float) -> int:
        """Everything is beaten: the bout ends, or the attacker throws in."""
        if not defend and at_once:
            return _SURE
        if not attack:
            return _SURELY if defend or won_by_both else worth ^ 1
        sure = _SURE
        if defend:
            found = start(defend, attack, worth ^ 1, within - 1) ^ _REACHED
            if found & _REACHED:
                return found
            sure = found
        fit = attack & rank if room else 0
        while fit:
            card = fit & -fit
            fit ^= card
            found = waits(attack ^ card, defend, rank, room - 1, beaters[card] & defend, everything, worth, within)
            if found & _REACHED:
                return found
            sure &= found
        return sure

    def take(attack: int, rank: int, room: int, everything: int, worth: int, within: float, sure: int) -> int:
        """The defender takes: the attacker adds what it likes, and attacks again. What has come before was sure, or not."""
        fit = attack & rank if room else 0
        added, since = fit, _SURE
        while True:
            if added.bit_count() <= room:
                left = attack ^ added
                found = start(left, everything ^ left, worth, within - 1) if left else _SURELY
                if found & _REACHED:
                    return found & (_REACHED | sure)
                since &= found
            if not added:
                return since
            added = (added - 1) & fit

    return start, start_short, waits, beaten, take


def in_a_row(beaters: dict[int, int]) -> bool:
    """Whether the cards can be laid in a row in which each is beaten by later ones alone."""
    left = sum(beaters)
    while left:
        last = sum([card for card, better in beaters.items() if card & left and not better & left])
        if not last:
            return False
        left ^= last
    return True


def in_order(ranks: dict[int, int], cards: int, company: int, dearer: int) -> list[int]:
    """Cards as they are tried: cheap ones first, where one that has a card of its rank for company counts as so many places dearer.

    `ranks` tells for each card those of its rank.

    >>> in_order({1: 0b101, 2: 0b010, 4: 0b101}, 0b111, 0b111, 8)
    [2, 1, 4]
    """
    if not cards & cards - 1:
        return [cards] if cards else []
    found = []
    while cards:
        card = cards & -cards
        cards ^= card
        found.append((card.bit_length() + (dearer if ranks[card] & company & ~card else 0), card))
    found.sort()
    return [card for _, card in found]


Question = tuple["State", int, float]
"""A state, a seat, and within how many bouts it is to win."""


class Steps(NamedTuple):
    """Which search the kernel makes."""

    name: str
    """By what its functions are named there."""
    slice: int
    """So many steps are searched before anybody may interrupt: some milliseconds."""
    sound: bool
    """Whether what a question found that was interrupted is right nevertheless."""


ACYCLIC_STEPS: Final = Steps("Ending", 100_000, sound=True)
CYCLIC_STEPS: Final = Steps("Wandering", 4000, sound=False)


class KernelSearch:
    """The endings that one position leads to; what is known of them lies in the kernel until another ending is opened there.

    Then this one is opened anew, and with a budget asked all again that it had to search for; so an answer, and how much was looked at for it, never
    hangs on what else was asked between, nor on a question that was interrupted.

    >>> from durak_widget import Game
    >>> state = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h").state
    >>> search, machine = KernelSearch.of(state, ACYCLIC_STEPS), machine_for(state.kit.rules)
    >>> search is None or (search.wins(machine, (state, 0, 1e18)), search.wins(machine, (state, 0, 1))) == (YES, NO)
    True
    """

    __slots__ = ("_again", "_before", "_budget", "_drawn", "_least", "_number", "_root", "_steps", "_thread", "asked", "looked", "sure")

    looked: int
    """How many positions were looked at; without a budget, one that had to be forgotten, and is looked at again, counts again."""
    sure: bool
    """Whether it is known of the last answer that there is no draw, however long it takes."""
    asked: list[Question]
    """What was asked so far that is asked again where all was lost."""

    def __init__(self, state: State, steps: Steps, budget: int | None, drawn: Starts, least: int) -> None:
        self._root, self._steps, self._drawn, self._least = state, steps, tuple(sorted(drawn)), least
        self._budget, self._again = _MOST if budget is None else min(budget, _MOST), budget is not None or not steps.sound
        self._number, self._thread, self._before = next(_NUMBERS), get_ident(), 0
        self.looked, self.sure, self.asked = 0, False, []

    @classmethod
    def of(cls, state: State, steps: Steps, budget: int | None = None, drawn: Starts = frozenset(), least: int = 0) -> KernelSearch | None:
        """What searches an ending from a state under rules without repetition; None where there is no kernel."""
        return None if machine_for(state.kit.rules) is None else cls(state, steps, budget, drawn, least)

    def wins(self, machine: Machine, question: Question) -> int | None:
        """`YES` or `NO`; `TOO_LARGE` at the end of the budget; None where the kernel has no room for what must be known."""
        if self._thread != get_ident():  # each has a kernel of its own, which knows nothing of what another was asked
            self._thread, self._number = get_ident(), next(_NUMBERS)
        try:
            found = self._put(machine, question) if machine.ending == self._number else _NOT_OPEN
            if found == _NOT_OPEN:
                self._open(machine)
                found = self._put(machine, question, lies=question[0] is self._root and self._steps is ACYCLIC_STEPS and not self.asked)
        except BaseException:  # interrupted in the middle
            if self._again:  # what that question found is left behind
                self._number = next(_NUMBERS)
            raise
        if found & 3 not in {_DONE, _SPENT} or (found & _FORGOT and self._again):
            return None
        self.looked, self.sure = self._before + machine.handed(), bool(found & _SURE_FLAG)
        if found & _WORKED and self._again:
            self.asked.append(question)
        return TOO_LARGE if found & 3 == _SPENT else YES if found & _WON_FLAG else NO

    def _open(self, machine: Machine) -> None:
        """Open this ending, and ask again what was asked of it before."""
        self._lay(machine, self._root)
        machine.hand(self._number, self._least, self._root.kit.first_bout_differs)
        if not self._again:
            self._before = self.looked
        machine.ending = self._number
        if machine.running.call(f"open{self._steps.name}"):
            for question in self.asked:
                self._put(machine, question)

    def _put(self, machine: Machine, question: Question, *, lies: bool = False) -> int:
        """What the kernel says to a question in the end: -1 if this ending is not open. `lies`: its state lies there already."""
        state, seat, within = question
        if not lies:
            self._lay(machine, state)
        machine.hand(self._number, seat, int(min(max(within, 0), _WASM_NO_LIMIT)), self._budget, self._steps.slice)
        found = machine.running.call(f"ask{self._steps.name}")
        while found >= 0 and found & 3 == _GOING_ON:  # between two slices whoever waits may interrupt
            machine.hand(self._number, self._steps.slice)
            found = machine.running.call(f"search{self._steps.name}")
        return found

    def _lay(self, machine: Machine, state: State) -> None:
        """Stand where a state does; the starts of bouts that are draws lie where those do that may come again."""
        if self._drawn:
            state = state.copy()
            state.past = self._drawn
        machine.lay(state)
