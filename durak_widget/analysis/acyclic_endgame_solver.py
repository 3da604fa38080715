"""Solves two-player endgames in which the talon is empty and no position can repeat.

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

from durak_widget.cards import bit_indices
from durak_widget.engine.compiled_rules import SAME_RANK_MASKS, trump_mask
from durak_widget.engine.state import PHASE_THROW_IN
from durak_widget.fast_engine.engine_instance import ask_fast_engine, get_engine_instance
from durak_widget.rules import scoring

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from durak_widget.analysis.position_repetition import BoutStarts
    from durak_widget.engine.compiled_rules import CompiledRules
    from durak_widget.engine.state import State
    from durak_widget.fast_engine.engine_instance import EngineInstance

NO_LIMIT: Final = 1e18
"""The value of `max_bouts` that means "no limit"; subtracting 1 from this float does not change it."""

# Bit flags of a search result: the attacker reaches the target value; the search proved that the game is not a draw
_REACHED: Final = 1
_DECISIVE: Final = 2
_REACHED_DECISIVELY: Final = _REACHED | _DECISIVE

# Indices of the four limits on bouts that are stored for a position: the largest limit at which the search found no
# loss, the smallest with a loss, the largest without a win, and the smallest with a win
_NEVER_LOST, _LOST, _NEVER_WON, _WON = range(4)

# The search tries cheap cards first, and counts a card as this many places more expensive if the attacker holds another
# card of its rank
ATTACK_RANK_PENALTY: Final = 8
ANSWER_RANK_PENALTY: Final = 4
NO, YES, TOO_LARGE = range(3)
_WASM_NO_LIMIT: Final = 0xFFFE
"""The number that means "no bout limit" in the fast engine."""
_MAX_BUDGET: Final = (1 << 31) - 1
_RUNNING, _DONE, _BUDGET_SPENT = range(3)
_NOT_LOADED: Final = -1
_WON_FLAG: Final = 4
_SEARCHED_FLAG: Final = 8
_DECISIVE_FLAG: Final = 16
_FORGOT_FLAG: Final = 32
_SEARCH_IDS: Final = count(1)


class TooLargeError(Exception):
    """An error raised when a search needs more positions than the budget allows."""


def is_acyclic_endgame(state: State) -> bool:
    """Return whether the solver for endgames without repetition can solve a position."""
    return has_acyclic_endgames(state.compiled_rules) and (state.unbeaten_count <= 1 or state.taking)


def has_acyclic_endgames(compiled: CompiledRules) -> bool:
    """Return whether the solver for endgames without repetition works under given rules.

    At most one card at a time may wait to be beaten.
    """
    return (
        not (compiled.has_two_decks or compiled.has_transfers or compiled.can_open_with_several)
        and compiled.throws_wait_until_beaten
        and all(len(codes) == 1 for codes in compiled.played_codes)
    )


class AcyclicEndgameSolver:
    """A solver of the endgames that follow from one position; it caches its results.

    >>> from durak_widget import Game
    >>> state = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h").state
    >>> duel = AcyclicEndgameSolver(state)
    >>> duel.can_win(state, 0), duel.can_win(state, 0, max_bouts=1)
    (True, False)
    """

    __slots__ = ("_fast_search", "_last_loss", "_python_search", "_search_arguments")

    def __init__(self, state: State, budget: int | None = None, *, python_only: bool = False) -> None:
        self._search_arguments = state, inf if budget is None else budget
        self._python_search: _PythonSearch | None = None
        self._fast_search = None if python_only else FastEngineSearch.create(state, ACYCLIC_SEARCH, budget)
        self._last_loss: tuple[int, Hashable] | None = None
        """The seat that loses in the last lost position that was found, and the position."""

    @property
    def positions_searched(self) -> int:
        """Return the number of positions searched so far."""
        if self._fast_search is not None:
            return self._fast_search.positions_searched
        return 0 if self._python_search is None else self._python_search.positions_searched

    def can_win(self, state: State, seat: int, max_bouts: float = NO_LIMIT) -> bool:
        """Return whether a seat can force a win in `max_bouts` bouts, including the current bout."""
        if state.outcome is not None:
            return seat in state.outcome.winners
        if max_bouts < 1:
            return False
        if max_bouts < NO_LIMIT:
            return self._search_win(state, seat, max_bouts)[0]
        key = state.key()
        if self._last_loss == (state.attacker ^ state.defender ^ seat, key):
            return True
        is_win, is_decisive = self._search_win(state, seat, max_bouts)
        if is_decisive and not is_win:
            self._last_loss = seat, key
        return is_win

    def _search_win(self, state: State, seat: int, max_bouts: float) -> tuple[bool, bool]:
        """Return whether a seat can win, and whether the search proved that the game is no draw."""
        if (search := self._fast_search) is not None:
            answer = ask_fast_engine(state.compiled_rules.rules, lambda machine: search.answer(machine, (state, seat, max_bouts)))
            if answer == TOO_LARGE:
                raise TooLargeError
            if answer is not None:
                return answer == YES, search.is_decisive
            self._fast_search = None
            # Repeat all earlier searches in Python, so that Python caches the same results as the fast engine
            for question in search.answered_questions:
                with suppress(TooLargeError):
                    self._search_win_in_python(*question)
        return self._search_win_in_python(state, seat, max_bouts)

    def _search_win_in_python(self, state: State, seat: int, max_bouts: float) -> tuple[bool, bool]:
        """Search for a win in Python, with the same result as `_search_win`."""
        if self._python_search is None:
            self._python_search = _PythonSearch(*self._search_arguments)
        is_attacker = seat == state.attacker
        try:
            result = self._python_search.can_reach(state, int(is_attacker), max_bouts)
        except RecursionError:
            raise TooLargeError from None
        return bool(result & _REACHED) == is_attacker, max_bouts >= NO_LIMIT and bool(result & _DECISIVE)


class _PythonSearch:
    """A search, in Python, of the endgames that follow from one position.

    It asks whether the attacker reaches a target value: 1, they win within this many bouts; 0, they don't
    lose within them. Hands are masks, and `room` is how many more cards may be thrown in.
    """

    def __init__(self, state: State, budget: float) -> None:
        trumps = trump_mask(state.trump_suit)
        all_cards = state.table
        for hand in state.hands:
            all_cards |= hand
        order = sorted(bit_indices(all_cards), key=lambda code: (trumps >> code & 1, SAME_RANK_MASKS[code], code))
        self._bit_of_card = {code: 1 << index for index, code in enumerate(order)}
        self._beaters_of_card = {bit: self._compact_mask(state.beater_masks[code]) for code, bit in self._bit_of_card.items()}
        ranks = {bit: self._compact_mask(SAME_RANK_MASKS[code]) for code, bit in self._bit_of_card.items()}
        self._max_attack_cards = state.compiled_rules.attack_limits[1]
        self._results: dict[int, list[float]] = {}
        self._position_counter = [0]
        functions = _make_search_functions(state, self._beaters_of_card, ranks, self._results, self._position_counter, budget)
        self._search_start, self._search_limited_start, self._search_unbeaten_card, self._search_all_beaten, self._search_take = functions

    def _compact_mask(self, mask: int) -> int:
        """Convert a mask of card codes to a mask with one bit for each card of the endgame."""
        bit = self._bit_of_card
        return sum([bit[code] for code in bit_indices(mask) if code in bit])

    @property
    def positions_searched(self) -> int:
        """Return the number of positions searched so far."""
        return self._position_counter[0]

    def can_reach(self, state: State, target: int, max_bouts: float) -> int:
        """Return flags that say whether the attacker can reach the value `target`.

        The attacker has at most `max_bouts` bouts to reach it.
        """
        attack, defend = self._compact_mask(state.hands[state.attacker]), self._compact_mask(state.hands[state.defender])
        everything = attack | defend | self._compact_mask(state.table)
        room = state.limit - len(state.attacks)
        if not state.attacks:
            if room == min(self._max_attack_cards, defend.bit_count()):
                return self._search_start(attack, defend, target, max_bouts)
            return self._search_limited_start(attack, defend, target, max_bouts, room)
        ranks = self._compact_mask(state.matching_rank_mask)
        if not state.throwers:
            room = 0
        if state.taking:
            return self._search_take(attack, ranks, room, everything, target, max_bouts, _DECISIVE)
        if state.phase == PHASE_THROW_IN:
            return self._search_all_beaten(attack, defend, ranks, room, everything, target, max_bouts)
        unbeaten = self._bit_of_card[state.attacks[state.beats.index(-1)]]
        return self._search_unbeaten_card(
            attack, defend, ranks, room, self._beaters_of_card[unbeaten] & defend, everything, target, max_bouts
        )


def _make_search_functions(
    state: State,
    beaters: dict[int, int],
    ranks: dict[int, int],
    results: dict[int, list[float]],
    position_counter: list[int],
    budget: float,
) -> tuple[Callable[..., int], ...]:
    """Return one search function for each kind of position, such as the start of a bout.

    They share their tables of cached results, and each returns result flags.
    """
    compiled = state.compiled_rules
    max_attack_cards, can_add_after_take, out_at_once = compiled.attack_limits[1], compiled.can_throw_after_take, compiled.goes_out_at_once
    can_throw_in = bool(compiled.find_throwers(state.attacker, state.defender, state.attacker, state.seats_in))
    both_out = scoring.build_outcome(
        compiled.rules, 0, (*state.places, state.attacker, state.defender), [0] * compiled.player_count, state.defender, ()
    )
    wins_if_both_out = state.attacker in both_out.winners
    has_no_draws = out_at_once or wins_if_both_out
    is_ordered, size = is_beating_ordered(beaters), len(beaters)

    def search_start(attack: int, defend: int, target: int, max_bouts: float) -> int:
        """Search the start of a bout in an endgame."""
        if max_bouts >= NO_LIMIT and has_no_draws:
            target = 1
        if wins_without_search(attack, defend, target, max_bouts, max_attack_cards):
            return _REACHED_DECISIVELY
        if not max_bouts:
            return target ^ 1
        key = attack << size | defend
        entry = results.get(key)
        if entry is not None:
            if target:
                if max_bouts <= entry[_NEVER_WON]:
                    return 0 if entry[_LOST] == inf else _DECISIVE
                if max_bouts >= entry[_WON]:
                    return _REACHED_DECISIVELY
            elif max_bouts <= entry[_NEVER_LOST]:
                return _REACHED if entry[_WON] == inf else _REACHED_DECISIVELY
            elif max_bouts >= entry[_LOST]:
                return _DECISIVE
        if position_counter[0] >= budget:
            raise TooLargeError
        position_counter[0] += 1
        room = defend.bit_count()
        result = search_attack(attack, defend, target, max_bouts, max_attack_cards if max_attack_cards < room else room)  # noqa: FURB136 - min() is slow
        entry = results.get(key)
        if entry is None:
            entry = results[key] = [0.0, inf, 0.0, inf]
        if result & _REACHED == target or (result & _DECISIVE and max_bouts >= NO_LIMIT):
            if result & _REACHED:
                entry[_WON] = min(entry[_WON], max_bouts)
                entry[_NEVER_LOST] = NO_LIMIT  # If the attacker can win, then they can also avoid a loss
            else:
                entry[_LOST] = min(entry[_LOST], max_bouts)
                entry[_NEVER_WON] = NO_LIMIT
        else:
            entry[_NEVER_WON if target else _NEVER_LOST] = max_bouts
        return result

    def search_limited_start(attack: int, defend: int, target: int, max_bouts: float, room: int) -> int:
        """Search the start of a bout in which at most `room` attacking cards may be played."""
        return (
            _REACHED_DECISIVELY
            if wins_without_search(attack, defend, target, max_bouts, 1)
            else search_attack(attack, defend, target, max_bouts, room)
        )

    def wins_without_search(attack: int, defend: int, target: int, max_bouts: float, max_attack_cards: int) -> bool:
        """Return whether a simple rule proves, without a search, that the attacker wins.

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
        """Search a position in which the attacker plays the first card of a bout."""
        all_cards, room_after, decisive = attack | defend, room - 1 if can_throw_in else 0, _DECISIVE
        for card in order_cheap_first(ranks, attack, attack, ATTACK_RANK_PENALTY):
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
        """Search a position where the defender must take, or beat a card with one of `options`."""
        if not attack and (out_at_once or not options):
            return _REACHED_DECISIVELY
        decisive = _DECISIVE
        for card in order_cheap_first(ranks, options, attack, ANSWER_RANK_PENALTY):
            result = search_all_beaten(attack, defend ^ card, rank | ranks[card], room, all_cards, target, max_bouts)
            if not result & _REACHED:
                return result
            decisive &= result
        return search_take(attack, rank, room if can_add_after_take else 0, all_cards, target, max_bouts, decisive)

    def search_all_beaten(attack: int, defend: int, rank: int, room: int, all_cards: int, target: int, max_bouts: float) -> int:
        """Search a position in which every attacking card is beaten.

        Either the bout ends, or the attacker throws in a card.
        """
        if not defend and out_at_once:
            return _DECISIVE
        if not attack:
            return _REACHED_DECISIVELY if defend or wins_if_both_out else target ^ 1
        decisive = _DECISIVE
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
        """Search a position in which the defender takes the cards.

        The attacker may add cards first, and then attacks again.

        `decisive` says whether the results of the other replies were decisive.
        """
        fitting = attack & rank if room else 0
        added, decisive_here = fitting, _DECISIVE
        while True:
            if added.bit_count() <= room:
                left = attack ^ added
                result = search_start(left, all_cards ^ left, target, max_bouts - 1) if left else _REACHED_DECISIVELY
                if result & _REACHED:
                    return result & (_REACHED | decisive)
                decisive_here &= result
            if not added:
                return decisive_here
            added = (added - 1) & fitting

    return search_start, search_limited_start, search_unbeaten_card, search_all_beaten, search_take


def is_beating_ordered(beaters: dict[int, int]) -> bool:
    """Return whether the relation "beats" between the cards has no cycle."""
    left = sum(beaters)
    while left:
        unbeatable = sum([card for card, beating in beaters.items() if card & left and not beating & left])
        if not unbeatable:
            return False
        left ^= unbeatable
    return True


def order_cheap_first(ranks: dict[int, int], cards: int, attacker_hand: int, rank_penalty: int) -> list[int]:
    """Return the cards in the order in which the search tries them, cheapest first.

    A card counts as this many positions more expensive if `attacker_hand` holds another card of its rank. `ranks`
    gives for each card those of its rank.

    >>> order_cheap_first({1: 0b101, 2: 0b010, 4: 0b101}, 0b111, 0b111, 8)
    [2, 1, 4]
    """
    if not cards & cards - 1:
        return [cards] if cards else []
    ordered = []
    while cards:
        card = cards & -cards
        cards ^= card
        ordered.append((card.bit_length() + (rank_penalty if ranks[card] & attacker_hand & ~card else 0), card))
    ordered.sort()
    return [card for _, card in ordered]


SearchQuestion = tuple["State", int, float]
"""A question to an endgame search: can this seat win this state within this number of bouts?"""


class FastSearchKind(NamedTuple):
    """A kind of endgame search in the fast engine."""

    name: str
    """The part of the fast engine's function names that is different for each kind of search."""
    slice_size: int
    """The number of search steps in one call of the fast engine; the user can interrupt the search between two
    calls."""
    has_valid_partial_results: bool
    """True if the cached results of an interrupted search can still be used."""


ACYCLIC_SEARCH: Final = FastSearchKind("Ending", 100_000, has_valid_partial_results=True)
CYCLIC_SEARCH: Final = FastSearchKind("Wandering", 4000, has_valid_partial_results=False)


class FastEngineSearch:
    """A search, in the fast engine, of the endgames that follow from one position.

    The fast engine keeps the results until another endgame is loaded. Then this one is loaded again. With a
    budget, all questions that needed a search are asked again, so an answer and its number of positions never
    depend on other searches or on interrupted questions.

    >>> from durak_widget import Game
    >>> state = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h").state
    >>> search, machine = FastEngineSearch.create(state, ACYCLIC_SEARCH), get_engine_instance(state.compiled_rules.rules)
    >>> search is None or (search.answer(machine, (state, 0, 1e18)), search.answer(machine, (state, 0, 1))) == (YES, NO)
    True
    """

    __slots__ = (
        "_budget",
        "_drawn_starts",
        "_kind",
        "_min_epaulettes",
        "_positions_before",
        "_repeats_questions",
        "_root_state",
        "_search_id",
        "_thread",
        "answered_questions",
        "is_decisive",
        "positions_searched",
    )

    positions_searched: int
    """The number of positions searched; without a budget, a position that is searched twice counts twice."""
    is_decisive: bool
    """True if the last answer proves that the game is not a draw, however many bouts it takes."""
    answered_questions: list[SearchQuestion]
    """The questions answered so far; the search asks them again if the fast engine has lost the results."""

    def __init__(self, state: State, kind: FastSearchKind, budget: int | None, drawn_starts: BoutStarts, min_epaulettes: int) -> None:
        self._root_state, self._kind, self._drawn_starts, self._min_epaulettes = state, kind, tuple(sorted(drawn_starts)), min_epaulettes
        self._budget, self._repeats_questions = (
            _MAX_BUDGET if budget is None else min(budget, _MAX_BUDGET),
            budget is not None or not kind.has_valid_partial_results,
        )
        self._search_id, self._thread, self._positions_before = next(_SEARCH_IDS), get_ident(), 0
        self.positions_searched, self.is_decisive, self.answered_questions = 0, False, []

    @classmethod
    def create(
        cls, state: State, kind: FastSearchKind, budget: int | None = None, drawn_starts: BoutStarts = frozenset(), min_epaulettes: int = 0
    ) -> FastEngineSearch | None:
        """Create a search of the endgames after a state; return None if there is no fast engine.

        The state must have no repetition rule.
        """
        return None if get_engine_instance(state.compiled_rules.rules) is None else cls(state, kind, budget, drawn_starts, min_epaulettes)

    def answer(self, machine: EngineInstance, question: SearchQuestion) -> int | None:
        """Return `YES` if a seat can force a win, `NO` if not, or `TOO_LARGE` if over budget.

        None means that the fast engine has too little memory.
        """
        if self._thread != get_ident():  # Each thread has its own fast engine, so another thread's engine has no results yet
            self._thread, self._search_id = get_ident(), next(_SEARCH_IDS)
        try:
            result = self._send_question(machine, question) if machine.open_endgame == self._search_id else _NOT_LOADED
            if result == _NOT_LOADED:
                self._load(machine)
                result = self._send_question(
                    machine,
                    question,
                    is_placed=question[0] is self._root_state and self._kind is ACYCLIC_SEARCH and not self.answered_questions,
                )
        except BaseException:  # `BaseException` includes an interrupt by the user
            if (
                self._repeats_questions
            ):  # With a new search id, the fast engine loads the endgame again, without the interrupted search's results
                self._search_id = next(_SEARCH_IDS)
            raise
        if result & 3 not in {_DONE, _BUDGET_SPENT} or (result & _FORGOT_FLAG and self._repeats_questions):
            return None
        self.positions_searched, self.is_decisive = self._positions_before + machine.read_inbox(), bool(result & _DECISIVE_FLAG)
        if result & _SEARCHED_FLAG and self._repeats_questions:
            self.answered_questions.append(question)
        return TOO_LARGE if result & 3 == _BUDGET_SPENT else YES if result & _WON_FLAG else NO

    def _load(self, machine: EngineInstance) -> None:
        """Load the endgame into the fast engine, and run all earlier searches there again."""
        self._place_state(machine, self._root_state)
        machine.write_inbox(self._search_id, self._min_epaulettes, self._root_state.compiled_rules.first_bout_differs)
        if not self._repeats_questions:
            self._positions_before = self.positions_searched
        machine.open_endgame = self._search_id
        if machine.wasm.call(f"open{self._kind.name}"):
            for question in self.answered_questions:
                self._send_question(machine, question)

    def _send_question(self, machine: EngineInstance, question: SearchQuestion, *, is_placed: bool = False) -> int:
        """Send `question` to the fast engine, and return the engine's result as bit flags.

        The result is -1 if the endgame is not loaded. `is_placed` says that the question's state is in the fast
        engine already.
        """
        state, seat, max_bouts = question
        if not is_placed:
            self._place_state(machine, state)
        machine.write_inbox(self._search_id, seat, int(min(max(max_bouts, 0), _WASM_NO_LIMIT)), self._budget, self._kind.slice_size)
        result = machine.wasm.call(f"ask{self._kind.name}")
        while result >= 0 and result & 3 == _RUNNING:  # Each call searches for a short time, so that the user can interrupt the search
            machine.write_inbox(self._search_id, self._kind.slice_size)
            result = machine.wasm.call(f"search{self._kind.name}")
        return result

    def _place_state(self, machine: EngineInstance, state: State) -> None:
        """Copy a state into the fast engine, with the positions whose repetition is a draw."""
        if self._drawn_starts:
            state = state.copy()
            state.repeatable_positions = self._drawn_starts
        machine.load_state(state)
