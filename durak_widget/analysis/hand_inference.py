"""Infers from a game's history what one player can know about the unseen cards.

A player who was asked whether to throw in held a card of a rank on the table. One who could have been asked
and was not held none. Between two refills a hand gains no unseen card. So everything that is proved between
them is kept together, as one period of the game. The module follows the public side of each bout (who may
throw in, what is on the table, who acts next) without knowing any hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.cards import FACES, ONE_DECK, Card, bits_of, minus, plus
from durak_widget.engine.compiled_rules import COUNTS, SAME_RANK, kit_of, mask_of_trumps
from durak_widget.engine.history import BoutEnd
from durak_widget.engine.moves import KINDS
from durak_widget.engine.state import ADD
from durak_widget.errors import DurakError
from durak_widget.rules import deal_and_trump

if TYPE_CHECKING:
    from collections.abc import Collection

    from durak_widget.engine.compiled_rules import Kit
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Sight

PASS: Final = KINDS["pass"]
TAKE: Final = KINDS["take"]
SHOW: Final = KINDS["show"]
SWAP: Final = KINDS["swap"]
ASKED: Final = frozenset((KINDS["throw"], PASS))
"""Kinds of moves of a seat that was asked whether it throws in."""


class Stretch:
    """Period in which a hand drew no unseen card.

    It records which unseen cards the hand played then, and what is proved of those that it kept to the end.
    """

    __slots__ = ("lacks", "one_of", "played")

    played: list[int]
    """Faces that the seat played or showed, and that nobody had seen in its hand before."""
    lacks: int
    """Mask of the faces of which the hand kept no unseen card."""
    one_of: list[int]
    """Masks of faces: of each mask the hand kept at least one card."""

    def __init__(self) -> None:
        self.played, self.lacks, self.one_of = [], 0, []

    def lacking(self, mask: int) -> Stretch:
        """Return a period with one more fact: the hand kept none of these faces."""
        period = Stretch()
        period.played, period.lacks, period.one_of = self.played, self.lacks | mask, self.one_of[:]
        period.close()
        return period

    def close(self) -> None:
        """Remove the facts that follow from others."""
        open_masks = {mask & ~self.lacks for mask in self.one_of}
        self.one_of = sorted(mask for mask in open_masks if not any(narrower != mask and narrower & ~mask == 0 for narrower in open_masks))


class Drew(NamedTuple):
    """Draw of unseen cards: the seat, the talon slots, and the viewer's own cards if any."""

    seat: int
    places: tuple[int, ...]
    mask: int = 0


class Came(NamedTuple):
    """Unseen card of a hand that was revealed."""

    seat: int
    face: int


class Swapped(NamedTuple):
    """Swap of two cards by another seat, whose cards nobody else saw."""

    seat: int
    ply: int
    got: tuple[int, ...]
    """Slots from which the seat took cards."""
    given: tuple[int, ...]
    """Slots into which the seat put cards."""
    knew: int
    """Cards that the viewer knew in the hand before."""
    lacked: int
    """Mask of the faces of which the hand held no unseen card before."""


class Proved(NamedTuple):
    """Proof about a hand's unseen cards: it held none of some faces, or at least one."""

    seat: int
    mask: int
    held: bool


class Course:
    """Game as one seat saw it: what each other seat may have held, and the talon's cards.

    A slot is a card of the talon at the start, counted from the top. A card that a swap puts into the talon
    gets a new slot.
    """

    sight: Sight
    begin: Sight
    """View of the seat at the start of the game."""
    stretches: list[list[Stretch]]
    """Facts about each seat's unseen cards, by period between its draws."""
    drawn: list[list[tuple[int, ...]]]
    """Slots that each seat drew unseen between one period and the next."""
    known: list[int]
    """Cards that the viewer knows in each hand; not updated for the viewer."""
    faces: dict[int, int]
    """Known faces, by slot."""
    talon: list[int]
    """Slots that are still to be drawn, first on top."""
    events: list[Drew | Came | Swapped | Proved]
    """Events that moved unseen cards or proved something about them, in order."""
    since: dict[int, int]
    """First period after its last swap, for each other seat that has swapped."""
    likely: Collection[str]
    _bout: Bout
    _hidden: int
    _up: int
    _places: int

    __slots__ = tuple(__annotations__)

    def __init__(self, sight: Sight, likely: Collection[str] = ()) -> None:
        self.sight, self.begin, self.likely = sight, sight.first or sight, likely
        start = self.begin
        assert start.known is not None  # noqa: S101 - whoever asks has seen to it
        self.known, seats = list(start.known), range(len(start.counts))
        self.stretches, self.drawn = [[Stretch()] for _ in seats], [[] for _ in seats]
        self.talon, self.faces, self._places = list(range(start.talon_count)), dict(start.talon_known), start.talon_count
        self.events, self.since = [], {}
        is_in_talon = start.turn_up is not None and deal_and_trump.place_of_turn_up(sight.rules) != "aside"
        self._up = deal_and_trump.index_of_turn_up(sight.rules, start.talon_count, hides=start.hidden) if is_in_talon else -1
        self._hidden = start.talon_count - 1 if start.hidden else -1
        self._bout = Bout(start)
        if start.attacks and start.outcome is None:
            self._weigh(self._asked(0))
        self._follow()
        for period in (period for seat_periods in self.stretches for period in seat_periods):
            period.close()

    def _follow(self) -> None:
        """Replay all moves."""
        sight, bout = self.sight, self._bout
        ends = {end[0]: BoutEnd(*end) for end in sight.ends[len(self.begin.ends) :]}
        own_draws = dict(sight.drew)
        suits = {end.bout: end.suit for end in ends.values()}
        for ply, (seat, move) in enumerate(zip(sight.actors, sight.moves, strict=True), 1):
            if move is None or move.kind == SWAP:
                self._swap(seat, move, ply, own_draws.get(ply, 0))
                continue
            self._plays(seat, move, suits.get(bout.number, sight.suit))
            if self.talon or not bout.over_at_once():
                self._weigh(self._asked(ply))
            if ply in ends:
                self._end(ends[ply], own_draws.get(ply, 0))
                if ply < len(sight.moves) or sight.outcome is None:
                    bout.opens(sight.actors[ply] if ply < len(sight.moves) else sight.attacker)

    @property
    def swapped(self) -> bool:
        """Return whether another seat has swapped cards."""
        return bool(self.since)

    # Facts

    def _asked(self, ply: int) -> int | None:
        """Return the seat that was asked to throw in after this many moves, or None."""
        sight = self.sight
        if ply < len(sight.moves):
            move = sight.moves[ply]
            return sight.actors[ply] if move is not None and move.kind in ASKED else None
        return sight.actor if sight.phase == ADD else None

    def _weigh(self, asked: int | None) -> None:
        """Record the facts that follow from who is asked to throw in, and who is not."""
        fitting_faces = self._bout.ranks
        for seat in self._bout.could_throw():
            if seat == asked:
                self._prove(seat, fitting_faces, held=True)
                return
            self._prove(seat, fitting_faces, held=False)

    def _prove(self, seat: int, mask: int, *, held: bool) -> None:
        """Record that a seat holds at least one of these faces, or none."""
        if seat == self.sight.seat:
            return
        if not held:
            self.stretches[seat][-1].lacks |= mask
        elif self._knows(seat, mask):
            return
        else:
            self.stretches[seat][-1].one_of.append(mask)
        self.events.append(Proved(seat, mask, held))

    def _knows(self, seat: int, mask: int) -> bool:
        """Return whether one of these faces is known to be in a hand."""
        return (self.known[seat] & mask) != 0

    def _comes_to_light(self, seat: int, face: int) -> None:
        """Reveal an unseen card of a hand; facts that it fulfils are removed."""
        period = self.stretches[seat][-1]
        period.played.append(face)
        period.one_of = [mask for mask in period.one_of if not mask >> face & 1]
        self.events.append(Came(seat, face))

    # Events

    def _plays(self, seat: int, move: Move, suit: int | None) -> None:
        """Apply a move that all players saw."""
        bout, is_other_seat = self._bout, seat != self.sight.seat
        if move.kind == PASS and "passed" in self.likely:
            self._prove(seat, bout.ranks & ~mask_of_trumps(suit), held=False)
        if move.kind == TAKE and "took" in self.likely and len(bout.open) == 1:
            self._prove(seat, bout.kit.beating(suit)[0][bout.open[0]] & ONE_DECK, held=False)
        for card in (move.cards[-1:] if move.verb == "beat" else move.cards) if is_other_seat else ():
            bit = 1 << card.face_code
            if not self.known[seat] & bit:
                self._comes_to_light(seat, card.face_code)
                if move.kind == SHOW:
                    self.known[seat] = plus(self.known[seat], bit)
            elif move.kind != SHOW:
                self.known[seat] = minus(self.known[seat], bit)
        bout.follow(seat, move)

    def _end(self, end: BoutEnd, mine: int) -> None:
        """Apply the end of a bout: who took, drew, and went out."""
        bout = self._bout
        if end.taken:
            bout.counts[end.defender] += len(bout.table)
            for face in bout.table:
                self.known[end.defender] = plus(self.known[end.defender], 1 << face)
        if end.turned:
            if self._hidden >= 0:
                self.faces[self._hidden] = Card(end.turned[-1]).code
            self._up, self._hidden = self._hidden, -1
        for seat, count in end.drew:
            slots, self.talon = tuple(self.talon[:count]), self.talon[count:]
            bout.counts[seat] += count
            self._draws(seat, slots, mine if seat == self.sight.seat else 0)
        bout.leave(end.out)

    def _draws(self, seat: int, places: tuple[int, ...], mine: int = 0) -> None:
        """Apply a draw; known talon cards become known cards of the hand."""
        unseen = []
        for slot in places:
            if slot not in self.faces:
                unseen.append(slot)
                continue
            bit = 1 << self.faces[slot]
            self.known[seat] = plus(self.known[seat], bit)
            mine = minus(mine, bit)
        if unseen:
            self.events.append(Drew(seat, tuple(unseen), mine))
            self.stretches[seat].append(Stretch())
            self.drawn[seat].append(tuple(unseen))

    def _swap(self, seat: int, move: Move | None, ply: int, mine: int) -> None:
        """Apply a swap, by the viewer or unseen."""
        face_down_slots = [slot for slot in self.talon if slot not in (self._up, self._hidden)]
        top_index = self.talon.index(face_down_slots[0])
        taken_slots, returned_slots = tuple(face_down_slots[:2]), (self._places, self._places + 1)
        self._places += 2
        self.talon = [*self.talon[:top_index], *face_down_slots[2:], *returned_slots, *self.talon[top_index + len(face_down_slots) :]]
        if move is not None:
            self._draws(seat, taken_slots, mine)
            self.faces |= {slot: card.face_code for slot, card in zip(returned_slots, move.cards, strict=True)}
            return
        self.events.append(Swapped(seat, ply, taken_slots, returned_slots, self.known[seat], self.stretches[seat][-1].lacks))
        self.known[seat] = 0
        self.stretches[seat].append(Stretch())
        self.drawn[seat].append(())
        self.since[seat] = len(self.drawn[seat])
        for slot in taken_slots:
            if slot in self.faces:
                self.known[seat] = plus(self.known[seat], 1 << self.faces[slot])


def faces_of(mask: int) -> list[int]:
    """Return the faces of a mask in card order, with their copies."""
    return sorted(code % FACES for code in bits_of(mask))


class Bout:
    """Public side of the current bout, updated from the start of the game to its end."""

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
    """Mask of the faces that have a rank on the table."""
    laid: int
    """Number of attacking cards on the table."""
    open: list[int]
    """Unbeaten cards, as the faces that they count as."""
    table: list[int]
    """Faces on the table."""
    counts: list[int]
    """Number of cards in each hand."""

    __slots__ = tuple(__annotations__)

    def __init__(self, begin: Sight) -> None:
        self.kit = compiled = kit_of(begin.rules)
        self.counts = list(begin.counts)
        self.number, self.attacker, self.defender, self.newest = begin.bout, begin.attacker, begin.defender, begin.newest
        self.limit, self.began, self.passed, self.taking = begin.limit, begin.began, begin.passed, begin.taking
        self.seats_in, self.places, self.emptied = begin.seats_in, begin.places, begin.emptied
        self.throwers = compiled.throwers(self.attacker, self.defender, self.newest, self.seats_in) if begin.outcome is None else ()
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
        """Start the next bout."""
        compiled = self.kit
        self.number += 1
        self.attacker = self.newest = attacker
        self.began = self.seats_in
        self.defender, self.throwers = compiled.bouts[self.seats_in][attacker]
        self.limit = min(compiled.most[self.number > 1], self.counts[self.defender])
        self.ranks = self.laid = self.passed = 0
        self.open, self.table, self.emptied, self.taking = [], [], (), False

    def follow(self, seat: int, move: Move) -> None:
        """Apply a move; its cards have then left the hand.

        A swap does not change the bout; `Course` handles it.
        """
        compiled, verb = self.kit, move.verb
        if move.kind == PASS:
            self.passed |= 1 << seat
        elif move.kind == TAKE:
            self.taking, self.passed = True, 0
        elif verb == "beat":
            self.open.remove(move.target)
            self._put(move.code)
            self._gives(seat)
            if compiled.card_voids_passes:
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
                if compiled.card_voids_passes:
                    self.passed = 0
                if compiled.newest_first:
                    self.throwers = compiled.throwers(self.attacker, self.defender, self.newest, self.seats_in)
        else:
            raise DurakError(
                f"what {verb!r} does to a bout is not followed: say it in Bout.follow of durak_widget/analysis/hand_inference.py"
            )

    def _gives(self, seat: int) -> None:
        self.counts[seat] -= 1
        if not self.counts[seat]:
            self.emptied += (seat,)

    def _pass_on(self) -> None:
        """Make the defender the attacker."""
        compiled, next_defender = self.kit, self.kit.opponent[self.began][self.defender]
        assert next_defender is not None  # noqa: S101 - a bout has two sides
        self.limit = min(compiled.most[self.number > 1], self.counts[next_defender])
        self.attacker, self.defender, self.passed = self.defender, next_defender, 0
        self.throwers = compiled.throwers(self.attacker, self.defender, self.newest, self.seats_in)

    def leave(self, seats: tuple[int, ...]) -> None:
        """Remove these seats from the game, in this order."""
        self.places += seats
        for seat in seats:
            self.seats_in &= ~(1 << seat)

    def over_at_once(self) -> bool:
        """Remove the seats that are out at once, and return whether that ends the game.

        With an empty talon, a seat may be out as soon as it plays its last card.
        """
        finished = tuple(seat for seat in self.emptied if self.seats_in >> seat & 1) if self.kit.at_once else ()
        if not finished:
            return False
        self.leave(finished)
        self.throwers = self.kit.throwers(self.attacker, self.defender, self.newest, self.seats_in)
        return self.kit.over(self.seats_in, self.places)

    def could_throw(self) -> tuple[int, ...]:
        """Return the seats that are asked to throw in if they can, in this order."""
        compiled = self.kit
        is_asking = compiled.after_take if self.taking else (not self.open or self.laid - len(self.open) >= compiled.beaten_needed)
        if not is_asking or self.laid >= self.limit:
            return ()
        return tuple(seat for seat in self.throwers if not self.passed >> seat & 1)
