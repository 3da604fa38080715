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
"""Any number of bouts. One less than this float is the same float."""

# Flags of a search result: the attacker reaches the target value; the answer is known to hide no draw
_REACHED: Final = 1
_SURE: Final = 2
_SURELY: Final = _REACHED | _SURE

# Indexes of the bounds of a bout's start: the largest number of bouts without a loss of the attacker, the smallest
# with one; the same for its wins
_NEVER_LOST, _LOST, _NEVER_WON, _WON = range(4)

# Number of positions by which a card moves back in the order if the attacker holds others of its rank
ATTACK_IN_COMPANY: Final = 8
ANSWER_IN_COMPANY: Final = 4
NO, YES, TOO_LARGE = range(3)
_WASM_NO_LIMIT: Final = 0xFFFE
"""Any number of bouts, in the fast engine."""
_MOST: Final = (1 << 31) - 1
_GOING_ON, _DONE, _SPENT = range(3)
_NOT_OPEN: Final = -1
_WON_FLAG: Final = 4
_WORKED: Final = 8
_SURE_FLAG: Final = 16
_FORGOT: Final = 32
_NUMBERS: Final = count(1)


class TooLargeError(Exception):
    """Search that needs more positions than its budget."""


def fits(state: State) -> bool:
    """Return whether this solver can search an endgame."""
    return can_be_searched(state.kit) and (state.unbeaten <= 1 or state.taking)


def can_be_searched(kit: Kit) -> bool:
    """Return whether this solver can search endgames under these rules.

    At most one card at a time may wait to be beaten.
    """
    return not (kit.twins or kit.transfers or kit.several) and kit.beaten_first and all(len(codes) == 1 for codes in kit.plays)


class Duel:
    """Solver of the endgames that follow from one position, with what it has found so far.

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
        """Seat that was last found to lose, and its position."""

    @property
    def looked(self) -> int:
        """Return the number of positions searched so far."""
        if self._kernel is not None:
            return self._kernel.looked
        return 0 if self._search is None else self._search.looked

    def wins(self, state: State, seat: int, within: float = NO_LIMIT) -> bool:
        """Return whether a seat can force a win within this many bouts, the current one included."""
        if state.outcome is not None:
            return seat in state.outcome.winners
        if within < 1:
            return False
        if within < NO_LIMIT:
            return self._asked(state, seat, within)[0]
        key = state.key()
        if self._lost == (state.attacker ^ state.defender ^ seat, key):
            return True
        is_win, is_decisive = self._asked(state, seat, within)
        if is_decisive and not is_win:
            self._lost = seat, key
        return is_win

    def _asked(self, state: State, seat: int, within: float) -> tuple[bool, bool]:
        """Return whether a seat wins, and whether the answer is known to hide no draw."""
        if (search := self._kernel) is not None:
            answer = by_kernel(state.kit.rules, lambda machine: search.wins(machine, (state, seat, within)))
            if answer == TOO_LARGE:
                raise TooLargeError
            if answer is not None:
                return answer == YES, search.sure
            self._kernel = None
            for question in search.asked:  # bring the Python search to the state it would have if it had answered all questions
                with suppress(TooLargeError):
                    self._plainly(*question)
        return self._plainly(state, seat, within)

    def _plainly(self, state: State, seat: int, within: float) -> tuple[bool, bool]:
        if self._search is None:
            self._search = _Search(*self._given)
        is_attacker = seat == state.attacker
        try:
            result = self._search.reaches(state, int(is_attacker), within)
        except RecursionError:
            raise TooLargeError from None
        return bool(result & _REACHED) == is_attacker, within >= NO_LIMIT and bool(result & _SURE)


class _Search:
    """Search in Python of the endgames that follow from one position.

    It asks whether the attacker reaches a target value: 1, they win within this many bouts; 0, they don't
    lose within them. Hands are masks, and `room` is how many more cards may be thrown in.
    """

    def __init__(self, state: State, budget: float) -> None:
        trumps = mask_of_trumps(state.suit)
        all_cards = state.table
        for hand in state.hands:
            all_cards |= hand
        order = sorted(bits_of(all_cards), key=lambda code: (trumps >> code & 1, SAME_RANK[code], code))
        self._bit = {code: 1 << index for index, code in enumerate(order)}
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
        """Return the number of positions searched so far."""
        return self._looked[0]

    def reaches(self, state: State, worth: int, within: float) -> int:
        """Return the result flags for a target value within this many bouts."""
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
    """Return the search functions, which share their tables and return result flags."""
    compiled = state.kit
    max_attack_cards, can_add_after_take, out_at_once = compiled.most[1], compiled.after_take, compiled.at_once
    can_throw_in = bool(compiled.throwers(state.attacker, state.defender, state.attacker, state.seats_in))
    both_out = scoring.outcome(
        compiled.rules, 0, (*state.places, state.attacker, state.defender), [0] * compiled.players, state.defender, ()
    )
    wins_if_both_out = state.attacker in both_out.winners
    has_no_draws = out_at_once or wins_if_both_out
    is_ordered, size = in_a_row(beaters), len(beaters)

    def search_start(attack: int, defend: int, target: int, max_bouts: float) -> int:
        """Search the start of a bout; without draws, a player who doesn't lose wins."""
        if max_bouts >= NO_LIMIT and has_no_draws:
            target = 1
        if wins_without_search(attack, defend, target, max_bouts, max_attack_cards):
            return _SURELY
        if not max_bouts:
            return target ^ 1
        key = attack << size | defend
        entry = known.get(key)
        if entry is not None:
            if target:
                if max_bouts <= entry[_NEVER_WON]:
                    return 0 if entry[_LOST] == inf else _SURE
                if max_bouts >= entry[_WON]:
                    return _SURELY
            elif max_bouts <= entry[_NEVER_LOST]:
                return _REACHED if entry[_WON] == inf else _SURELY
            elif max_bouts >= entry[_LOST]:
                return _SURE
        if looked[0] >= budget:
            raise TooLargeError
        looked[0] += 1
        room = defend.bit_count()
        result = search_attack(attack, defend, target, max_bouts, max_attack_cards if max_attack_cards < room else room)  # noqa: FURB136 - min() is slow
        entry = known.get(key)
        if entry is None:
            entry = known[key] = [0.0, inf, 0.0, inf]
        if result & _REACHED == target or (result & _SURE and max_bouts >= NO_LIMIT):
            if result & _REACHED:
                entry[_WON] = min(entry[_WON], max_bouts)
                entry[_NEVER_LOST] = NO_LIMIT  # who wins does not lose
            else:
                entry[_LOST] = min(entry[_LOST], max_bouts)
                entry[_NEVER_WON] = NO_LIMIT
        else:
            entry[_NEVER_WON if target else _NEVER_LOST] = max_bouts
        return result

    def search_limited_start(attack: int, defend: int, target: int, max_bouts: float, room: int) -> int:
        """Search the start of a bout in which at most `room` cards may be played."""
        return (
            _SURELY if wins_without_search(attack, defend, target, max_bouts, 1) else search_attack(attack, defend, target, max_bouts, room)
        )

    def wins_without_search(attack: int, defend: int, target: int, max_bouts: float, max_attack_cards: int) -> bool:
        """Return whether the attacker wins without search.

        They first attack with the cards that can't be beaten, cheapest first; this keeps the rest unbeatable.
        They then attack with their last card, or their last cards of one rank: when one is beaten they throw
        in the next. They are out while the defender still holds cards.
        """
        if not is_ordered or (target and attack.bit_count() > max_bouts):
            return False
        beatable, same_rank, left = 0, -1, attack
        while left:
            card = left & -left
            left ^= card
            if beaters[card] & defend:
                beatable |= card
                same_rank &= ranks[card]
                if beatable & ~same_rank:
                    return False
        beatable_count = beatable.bit_count()
        if beatable_count > 1 and (beatable_count > max_attack_cards or not can_throw_in):
            return False
        return beatable_count < defend.bit_count() + attack.bit_count() - beatable_count

    def search_attack(attack: int, defend: int, target: int, max_bouts: float, room: int) -> int:
        all_cards, room_after, decisive = attack | defend, room - 1 if can_throw_in else 0, _SURE
        for card in in_order(ranks, attack, attack, ATTACK_IN_COMPANY):
            result = search_unbeaten_card(
                attack ^ card, defend, ranks[card], room_after, beaters[card] & defend, all_cards, target, max_bouts
            )
            if result & _REACHED:
                return result
            decisive &= result
        return decisive

    def search_unbeaten_card(
        attack: int, defend: int, rank: int, room: int, options: int, all_cards: int, target: int, max_bouts: float
    ) -> int:
        """Search a position in which a card waits to be beaten by one of the `options`."""
        if not attack and (out_at_once or not options):
            return _SURELY
        decisive = _SURE
        for card in in_order(ranks, options, attack, ANSWER_IN_COMPANY):
            result = search_all_beaten(attack, defend ^ card, rank | ranks[card], room, all_cards, target, max_bouts)
            if not result & _REACHED:
                return result
            decisive &= result
        return search_take(attack, rank, room if can_add_after_take else 0, all_cards, target, max_bouts, decisive)

    def search_all_beaten(attack: int, defend: int, rank: int, room: int, all_cards: int, target: int, max_bouts: float) -> int:
        """Search a position with all cards beaten: the bout ends, or the attacker throws in."""
        if not defend and out_at_once:
            return _SURE
        if not attack:
            return _SURELY if defend or wins_if_both_out else target ^ 1
        decisive = _SURE
        if defend:
            result = search_start(defend, attack, target ^ 1, max_bouts - 1) ^ _REACHED
            if result & _REACHED:
                return result
            decisive = result
        fitting = attack & rank if room else 0
        while fitting:
            card = fitting & -fitting
            fitting ^= card
            result = search_unbeaten_card(attack ^ card, defend, rank, room - 1, beaters[card] & defend, all_cards, target, max_bouts)
            if result & _REACHED:
                return result
            decisive &= result
        return decisive

    def search_take(attack: int, rank: int, room: int, all_cards: int, target: int, max_bouts: float, decisive: int) -> int:
        """Search a take: the attacker adds any fitting cards, and attacks again.

        `decisive` says whether the results of the other replies were.
        """
        fitting = attack & rank if room else 0
        added, decisive_here = fitting, _SURE
        while True:
            if added.bit_count() <= room:
                left = attack ^ added
                result = search_start(left, all_cards ^ left, target, max_bouts - 1) if left else _SURELY
                if result & _REACHED:
                    return result & (_REACHED | decisive)
                decisive_here &= result
            if not added:
                return decisive_here
            added = (added - 1) & fitting

    return search_start, search_limited_start, search_unbeaten_card, search_all_beaten, search_take


def in_a_row(beaters: dict[int, int]) -> bool:
    """Return whether the cards can be ordered so that only later cards beat a card."""
    left = sum(beaters)
    while left:
        unbeatable = sum([card for card, beating in beaters.items() if card & left and not beating & left])
        if not unbeatable:
            return False
        left ^= unbeatable
    return True


def in_order(ranks: dict[int, int], cards: int, company: int, dearer: int) -> list[int]:
    """Return the cards cheapest first, as they are tried.

    A card counts as this many positions more expensive if `company` holds another card of its rank. `ranks`
    gives for each card those of its rank.

    >>> in_order({1: 0b101, 2: 0b010, 4: 0b101}, 0b111, 0b111, 8)
    [2, 1, 4]
    """
    if not cards & cards - 1:
        return [cards] if cards else []
    ordered = []
    while cards:
        card = cards & -cards
        cards ^= card
        ordered.append((card.bit_length() + (dearer if ranks[card] & company & ~card else 0), card))
    ordered.sort()
    return [card for _, card in ordered]


Question = tuple["State", int, float]
"""State, seat, and number of bouts within which the seat is to win."""


class Steps(NamedTuple):
    """Kind of endgame search in the fast engine."""

    name: str
    """Part of its function names in the fast engine."""
    slice: int
    """Number of steps between two chances to interrupt: some milliseconds."""
    sound: bool
    """Whether partial results of an interrupted search are correct."""


ACYCLIC_STEPS: Final = Steps("Ending", 100_000, sound=True)
CYCLIC_STEPS: Final = Steps("Wandering", 4000, sound=False)


class KernelSearch:
    """Search in the fast engine of the endgames that follow from one position.

    The fast engine keeps the results until another endgame is loaded. Then this one is loaded again. With a
    budget, all questions that needed a search are asked again, so an answer and its number of positions never
    depend on other searches or on interrupted questions.

    >>> from durak_widget import Game
    >>> state = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h").state
    >>> search, machine = KernelSearch.of(state, ACYCLIC_STEPS), machine_for(state.kit.rules)
    >>> search is None or (search.wins(machine, (state, 0, 1e18)), search.wins(machine, (state, 0, 1))) == (YES, NO)
    True
    """

    __slots__ = ("_again", "_before", "_budget", "_drawn", "_least", "_number", "_root", "_steps", "_thread", "asked", "looked", "sure")

    looked: int
    """Number of positions searched; without a budget, those that are searched again count again."""
    sure: bool
    """Whether the last answer is known to hide no draw, however long it takes."""
    asked: list[Question]
    """Questions that are asked again when the results were lost."""

    def __init__(self, state: State, steps: Steps, budget: int | None, drawn: Starts, least: int) -> None:
        self._root, self._steps, self._drawn, self._least = state, steps, tuple(sorted(drawn)), least
        self._budget, self._again = _MOST if budget is None else min(budget, _MOST), budget is not None or not steps.sound
        self._number, self._thread, self._before = next(_NUMBERS), get_ident(), 0
        self.looked, self.sure, self.asked = 0, False, []

    @classmethod
    def of(cls, state: State, steps: Steps, budget: int | None = None, drawn: Starts = frozenset(), least: int = 0) -> KernelSearch | None:
        """Return a search of endgames under rules without repetition; None without fast engine."""
        return None if machine_for(state.kit.rules) is None else cls(state, steps, budget, drawn, least)

    def wins(self, machine: Machine, question: Question) -> int | None:
        """Return `YES`, `NO`, or `TOO_LARGE` at the end of the budget.

        None means that the fast engine has too little memory.
        """
        if self._thread != get_ident():  # each thread has a fast engine of its own
            self._thread, self._number = get_ident(), next(_NUMBERS)
        try:
            result = self._put(machine, question) if machine.ending == self._number else _NOT_OPEN
            if result == _NOT_OPEN:
                self._open(machine)
                result = self._put(machine, question, lies=question[0] is self._root and self._steps is ACYCLIC_STEPS and not self.asked)
        except BaseException:  # interrupted
            if self._again:  # drop the results of that question
                self._number = next(_NUMBERS)
            raise
        if result & 3 not in {_DONE, _SPENT} or (result & _FORGOT and self._again):
            return None
        self.looked, self.sure = self._before + machine.handed(), bool(result & _SURE_FLAG)
        if result & _WORKED and self._again:
            self.asked.append(question)
        return TOO_LARGE if result & 3 == _SPENT else YES if result & _WON_FLAG else NO

    def _open(self, machine: Machine) -> None:
        """Load this endgame, and ask again what was asked before."""
        self._lay(machine, self._root)
        machine.hand(self._number, self._least, self._root.kit.first_bout_differs)
        if not self._again:
            self._before = self.looked
        machine.ending = self._number
        if machine.running.call(f"open{self._steps.name}"):
            for question in self.asked:
                self._put(machine, question)

    def _put(self, machine: Machine, question: Question, *, lies: bool = False) -> int:
        """Return the fast engine's final answer to a question, -1 if this endgame is not loaded.

        `lies` says that the question's state is in the fast engine already.
        """
        state, seat, max_bouts = question
        if not lies:
            self._lay(machine, state)
        machine.hand(self._number, seat, int(min(max(max_bouts, 0), _WASM_NO_LIMIT)), self._budget, self._steps.slice)
        result = machine.running.call(f"ask{self._steps.name}")
        while result >= 0 and result & 3 == _GOING_ON:  # between two slices an interrupt is possible
            machine.hand(self._number, self._steps.slice)
            result = machine.running.call(f"search{self._steps.name}")
        return result

    def _lay(self, machine: Machine, state: State) -> None:
        """Put a state into the fast engine, with the bout starts that end in a draw."""
        if self._drawn:
            state = state.copy()
            state.past = self._drawn
        machine.lay(state)
