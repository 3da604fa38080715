"""What the whole table sees of a bout while it runs: who may throw in, what lies there, and who is asked next.

It follows the engine without knowing a hand, since all of this is seen by everybody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.cards import FACES, ONE_DECK
from durak_widget.engine.compiled_rules import COUNTS, SAME_RANK, kit_of
from durak_widget.engine.moves import KINDS
from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from durak_widget.engine.compiled_rules import Kit
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Sight

PASS: Final = KINDS["pass"]
TAKE: Final = KINDS["take"]
SHOW: Final = KINDS["show"]
SWAP: Final = KINDS["swap"]
ASKED: Final = frozenset((KINDS["throw"], PASS))
"""The kinds of moves of a seat that was asked whether it throws in."""


class Bout:
    """A bout as the table sees it, from the beginning of the game to its end, one bout after another."""

    kit: Kit
    number: int
    attacker: int
    defender: int
    newest: int
    limit: int
    began: int
    passed: int
    taking: bool
    seats_in: int
    places: tuple[int, ...]
    emptied: tuple[int, ...]
    throwers: tuple[int, ...]
    ranks: int
    """The mask of the faces whose rank lies on the table."""
    laid: int
    """How many attacking cards there are."""
    open: list[int]
    """The faces, as they count, of the cards that are not beaten."""
    table: list[int]
    """The faces on the table."""
    counts: list[int]
    """How many cards each seat holds."""

    __slots__ = tuple(__annotations__)

    def __init__(self, begin: Sight) -> None:
        self.kit = kit = kit_of(begin.rules)
        self.counts = list(begin.counts)
        self.number, self.attacker, self.defender, self.newest = begin.bout, begin.attacker, begin.defender, begin.newest
        self.limit, self.began, self.passed, self.taking = begin.limit, begin.began, begin.passed, begin.taking
        self.seats_in, self.places, self.emptied = begin.seats_in, begin.places, begin.emptied
        self.throwers = kit.throwers(self.attacker, self.defender, self.newest, self.seats_in) if begin.outcome is None else ()
        self.ranks, self.laid, self.open, self.table = 0, len(begin.attacks), [], []
        for attack, beat in zip(begin.attacks, begin.beats, strict=True):
            self._put(attack)
            if beat < 0:
                self.open.append(COUNTS[attack])
            else:
                self._put(beat)

    def _put(self, code: int) -> None:
        self.ranks |= SAME_RANK[code] & ONE_DECK
        self.table.append(code % FACES)

    def opens(self, attacker: int) -> None:
        """The next bout begins."""
        kit = self.kit
        self.number += 1
        self.attacker = self.newest = attacker
        self.began = self.seats_in
        self.defender, self.throwers = kit.bouts[self.seats_in][attacker]
        self.limit = min(kit.most[self.number > 1], self.counts[self.defender])
        self.ranks = self.laid = self.passed = 0
        self.open, self.table, self.emptied, self.taking = [], [], (), False

    def follow(self, seat: int, move: Move) -> None:
        """A move is made; the cards of it have left the hand when this returns. (A swap changes nothing of a bout: `course` follows it.)"""
        kit, verb = self.kit, move.verb
        if move.kind == PASS:
            self.passed |= 1 << seat
        elif move.kind == TAKE:
            self.taking, self.passed = True, 0
        elif verb == "beat":
            self.open.remove(move.target)
            self._put(move.code)
            self._gives(seat)
            if kit.card_voids_passes:
                self.passed = 0
        elif move.kind == SHOW:
            self._pass_on()
        elif verb in ("attack", "throw", "transfer"):
            for card in move.cards:
                self._put(card.code)
                self.open.append(COUNTS[card.code])
                self.laid += 1
                self._gives(seat)
            self.newest = seat
            if verb == "transfer":
                self._pass_on()
            elif verb == "throw":
                if kit.card_voids_passes:
                    self.passed = 0
                if kit.newest_first:
                    self.throwers = kit.throwers(self.attacker, self.defender, self.newest, self.seats_in)
        else:
            raise DurakError(f"what {verb!r} does to a bout is not followed: say it in Bout.follow of durak_widget/analysis/bout.py")

    def _gives(self, seat: int) -> None:
        self.counts[seat] -= 1
        if not self.counts[seat]:
            self.emptied += (seat,)

    def _pass_on(self) -> None:
        """The defender becomes the attacker."""
        kit, after = self.kit, self.kit.opponent[self.began][self.defender]
        assert after is not None  # noqa: S101 - a bout has two sides
        self.limit = min(kit.most[self.number > 1], self.counts[after])
        self.attacker, self.defender, self.passed = self.defender, after, 0
        self.throwers = kit.throwers(self.attacker, self.defender, self.newest, self.seats_in)

    def leave(self, seats: tuple[int, ...]) -> None:
        """These seats are out, in this order."""
        self.places += seats
        for seat in seats:
            self.seats_in &= ~(1 << seat)

    def over_at_once(self) -> bool:
        """With the talon empty, those who have played their last card may be out now; whether that ends the game."""
        gone = tuple(seat for seat in self.emptied if self.seats_in >> seat & 1) if self.kit.at_once else ()
        if not gone:
            return False
        self.leave(gone)
        self.throwers = self.kit.throwers(self.attacker, self.defender, self.newest, self.seats_in)
        return self.kit.over(self.seats_in, self.places)

    def could_throw(self) -> tuple[int, ...]:
        """The seats that are asked in this order whether they throw in, each if it holds a fitting card."""
        kit = self.kit
        waits = kit.after_take if self.taking else (not self.open or self.laid - len(self.open) >= kit.beaten_needed)
        if not waits or self.laid >= self.limit:
            return ()
        return tuple(seat for seat in self.throwers if not self.passed >> seat & 1)
