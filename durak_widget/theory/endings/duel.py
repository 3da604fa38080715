"""Two hands and no talon, under rules where one card at a time waits to be beaten: who wins, and within how many bouts?

Such an ending is a game of perfect information, and none of its positions can come again: a bout that is beaten takes cards out of play, and one that
is taken leaves the attacker with fewer. So it is searched depth first, hands as masks of few bits, and what is known is remembered at the
starts of bouts alone. Cheap cards are tried first and taking last, and an attacker all but one of whose cards cannot be beaten wins without search
(but for an only card that is beaten: where both then run out, that is a draw).

Where there is a kernel and no budget, it searches so (`by_kernel`), and looks at fewer positions: it knows that who wins does not lose. With a budget
the search is the plain one, so that as much is known with a kernel as without.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Final

from durak_widget.game.play.kit import SAME_RANK, mask_of_trumps
from durak_widget.game.play.state import ADD
from durak_widget.kernel.machine import by_kernel
from durak_widget.masks import bits_of
from durak_widget.rules import scoring, throwing
from durak_widget.theory.endings.by_kernel import TOO_LARGE, YES, KernelSearch

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.game.play.state import State

EVER: Final = 1e18
"""As many bouts as it takes: a number so large that one less is the same."""


Known = dict[int, tuple[float, float]]
"""By the hands at the start of a bout: within how many bouts a worth is not yet decided, and from how many on it is."""


class TooLargeError(Exception):
    """The search has looked at as many positions as it may."""


def fits(state: State) -> bool:
    """Whether an ending is of the kind that is searched here."""
    kit = state.kit
    return (
        not (kit.twins or kit.transfers or kit.several)
        and kit.beaten_needed == throwing.NEVER
        and all(len(codes) == 1 for codes in kit.plays)
        and (state.unbeaten <= 1 or state.taking)
    )


class Duel:
    """The endings that one position leads to, and what is known of them so far.

    >>> from durak_widget import Game
    >>> state = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h").state
    >>> duel = Duel(state)
    >>> duel.wins(state, 0), duel.wins(state, 0, within=1)
    (True, False)
    """

    __slots__ = ("_answer", "_asked", "_beaters", "_begin", "_bit", "_given", "_kernel", "_known", "_start", "_take", "most")

    def __init__(self, state: State, budget: int | None = None, *, plainly: bool = False) -> None:
        self._given = state, budget
        self._kernel = None if plainly or budget is not None else KernelSearch.of(state)
        if self._kernel is None:
            self._begin_plainly()

    def _begin_plainly(self) -> None:
        """Search without the kernel from now on."""
        self._kernel = None
        state, budget = self._given
        trumps = mask_of_trumps(state.suit)
        there = state.table
        for hand in state.hands:
            there |= hand
        order = sorted(bits_of(there), key=lambda code: (trumps >> code & 1, SAME_RANK[code], code))
        self._bit = {code: 1 << place for place, code in enumerate(order)}
        self._beaters = {bit: self._small(state.reach[code]) for code, bit in self._bit.items()}
        ranks = {bit: self._small(SAME_RANK[code]) for code, bit in self._bit.items()}
        self.most = state.kit.most[1]
        self._known: tuple[Known, Known] = ({}, {})
        functions = _search(state, self._beaters, ranks, self._known, inf if budget is None else budget)
        self._begin, self._start, self._asked, self._answer, self._take = functions

    def _small(self, mask: int) -> int:
        bit = self._bit
        return sum([bit[code] for code in bits_of(mask) if code in bit])

    @property
    def looked(self) -> int:
        """How many positions were looked at."""
        if self._kernel is not None:
            return self._kernel.looked
        return len(self._known[0]) + len(self._known[1])

    def wins(self, state: State, seat: int, within: float = EVER) -> bool:
        """Whether a seat can force the win in so many bouts, the one that is on among them."""
        if state.outcome is not None:
            return seat in state.outcome.winners
        if within < 1:
            return False
        attacks = seat == state.attacker
        try:
            return self._reaches(state, int(attacks), within) == attacks
        except RecursionError:
            raise TooLargeError from None

    def _reaches(self, state: State, worth: int, within: float) -> bool:
        if (search := self._kernel) is not None:
            seat = state.attacker if worth else state.defender
            found = by_kernel(state.kit.rules, lambda machine: search.wins(machine, state, seat, within))
            if found == TOO_LARGE:
                raise TooLargeError
            if found is not None:
                return (found == YES) == (worth != 0)
            self._begin_plainly()
        attack, defend = self._small(state.hands[state.attacker]), self._small(state.hands[state.defender])
        everything = attack | defend | self._small(state.table)
        room = state.limit - len(state.attacks)
        if not state.attacks:
            if room == min(self.most, defend.bit_count()):
                return self._start(attack, defend, worth, within)
            return self._begin(attack, defend, worth, within, room)
        ranks = self._small(state.ranks)
        if not state.throwers:
            room = 0
        if state.taking:
            return self._take(attack, ranks, room, everything, worth, within)
        if state.phase == ADD:
            return self._asked(attack, defend, ranks, room, everything, worth, within)
        unbeaten = self._bit[state.attacks[state.beats.index(-1)]]
        return self._answer(attack, defend, ranks, room, self._beaters[unbeaten] & defend, everything, worth, within)


def _search(
    state: State, beaters: dict[int, int], ranks: dict[int, int], known: tuple[Known, Known], budget: float
) -> tuple[Callable[..., bool], ...]:
    """The search itself: functions that share what they look up and what they remember.

    Each says whether the attacker reaches a `worth`: 1, it wins within so many bouts; 0, it does not lose within them. Hands are masks,
    and `room` is how many more cards may be thrown in.
    """
    kit = state.kit
    most, after_take, at_once = kit.most[1], kit.after_take, kit.at_once
    throws = bool(kit.throwers(state.attacker, state.defender, state.attacker, state.seats_in))
    both_out = scoring.outcome(kit.rules, 0, (*state.places, state.attacker, state.defender), [0] * kit.players, state.defender, ())
    won_by_both = state.attacker in both_out.winners
    orderly, size, nothing = in_a_row(beaters), len(beaters), (0.0, inf)

    def start(attack: int, defend: int, worth: int, within: float) -> bool:
        key = attack << size | defend
        memory = known[worth]
        never, surely = memory.get(key, nothing)
        if within <= never:
            return not worth
        if within >= surely:
            return bool(worth)
        if len(known[0]) + len(known[1]) >= budget:
            raise TooLargeError
        room = defend.bit_count()
        found = begin(attack, defend, worth, within, most if most < room else room)  # noqa: FURB136 - min() is slow
        memory[key] = (never, within) if found == worth else (within, surely)
        return found

    def begin(attack: int, defend: int, worth: int, within: float, room: int) -> bool:
        everything = attack | defend
        if orderly and attack.bit_count() <= within:
            # All but one cannot be beaten: whatever is taken makes no card of these beatable, and the last goes out. (An only one may be a draw.)
            weak, left = 0, attack
            while left and weak < 2:
                card = left & -left
                left ^= card
                if beaters[card] & defend:
                    weak += 1
            if not weak or (weak == 1 and attack & (attack - 1)):
                return True
        more, left = room - 1 if throws else 0, attack
        while left:
            card = left & -left
            left ^= card
            if answer(attack ^ card, defend, ranks[card], more, beaters[card] & defend, everything, worth, within):
                return True
        return False

    def answer(attack: int, defend: int, rank: int, room: int, options: int, everything: int, worth: int, within: float) -> bool:
        """A card waits to be beaten."""
        if at_once and not attack:
            return True
        while options:
            card = options & -options
            options ^= card
            if not asked(attack, defend ^ card, rank | ranks[card], room, everything, worth, within):
                return False
        return take(attack, rank, room if after_take else 0, everything, worth, within)

    def asked(attack: int, defend: int, rank: int, room: int, everything: int, worth: int, within: float) -> bool:
        """Everything is beaten: the attacker throws in, or the bout ends."""
        if not defend and at_once:
            return False
        if room:
            fit = attack & rank
            while fit:
                card = fit & -fit
                fit ^= card
                if answer(attack ^ card, defend, rank, room - 1, beaters[card] & defend, everything, worth, within):
                    return True
        if not attack:
            return defend != 0 or won_by_both or not worth
        return defend != 0 and not start(defend, attack, 1 - worth, within - 1)

    def take(attack: int, rank: int, room: int, everything: int, worth: int, within: float) -> bool:
        """The defender takes: the attacker adds what it likes, and attacks again."""
        fit = attack & rank if room else 0
        added = fit
        while True:
            if added.bit_count() <= room:
                left = attack ^ added
                if not left or start(left, everything ^ left, worth, within - 1):
                    return True
            if not added:
                return False
            added = (added - 1) & fit

    return begin, start, asked, answer, take


def in_a_row(beaters: dict[int, int]) -> bool:
    """Whether the cards can be laid in a row in which each is beaten by later ones alone."""
    left = sum(beaters)
    while left:
        last = sum([card for card, better in beaters.items() if card & left and not better & left])
        if not last:
            return False
        left ^= last
    return True
