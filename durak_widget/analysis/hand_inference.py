"""Infers from the history of a game what one player can know about the cards that they don't see.

A player who was asked whether to throw in held a card of a rank on the table. One who could have been asked
and was not held none. Between two refills a hand gains no unseen card. So everything that is proved between
them is kept together, as one stretch of the game. The module follows the public side of each bout (who may
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
"""The kinds of moves of a seat that was asked whether it throws in."""


class Stretch:
    """A time in which a hand drew nothing unseen: which of its unseen cards it played then, and what is proved of those that it kept to the end."""

    __slots__ = ("lacks", "one_of", "played")

    played: list[int]
    """The faces that it played or showed, and that nobody had seen in its hand before."""
    lacks: int
    """The mask of the faces of which it kept none unseen."""
    one_of: list[int]
    """Masks of faces: of each of them it kept one at least."""

    def __init__(self) -> None:
        self.played, self.lacks, self.one_of = [], 0, []

    def lacking(self, mask: int) -> Stretch:
        """A stretch with a proof more: the hand kept none of these."""
        other = Stretch()
        other.played, other.lacks, other.one_of = self.played, self.lacks | mask, self.one_of[:]
        other.close()
        return other

    def close(self) -> None:
        """Leave out what follows from the rest."""
        kept = {mask & ~self.lacks for mask in self.one_of}
        self.one_of = sorted(mask for mask in kept if not any(other != mask and other & ~mask == 0 for other in kept))


class Drew(NamedTuple):
    """Cards drawn unseen: by whom, from which places, and the mask of what, if that was the viewer."""

    seat: int
    places: tuple[int, ...]
    mask: int = 0


class Came(NamedTuple):
    """An unseen card of a hand came to light."""

    seat: int
    face: int


class Swapped(NamedTuple):
    """Another seat swapped two cards: nobody else saw what it gave."""

    seat: int
    ply: int
    got: tuple[int, ...]
    """The places from which it took."""
    given: tuple[int, ...]
    """The places to which it put."""
    knew: int
    """The cards that the viewer knew it to hold before."""
    lacked: int
    """The mask of the faces of which it held none unseen before."""


class Proved(NamedTuple):
    """What was proved of the unseen cards of a hand at that moment: that it held none of some faces, or one of them at least."""

    seat: int
    mask: int
    held: bool


class Course:
    """A game as one seat saw it: what each other seat may have held, and where each card of the talon came to lie.

    A place is a card of the talon as it lay at the beginning, counted from the top; a card that a swap puts there gets a place of its own.
    """

    sight: Sight
    begin: Sight
    """What the seat saw when the game began."""
    stretches: list[list[Stretch]]
    """For each seat, what is proved of its unseen cards between its draws."""
    drawn: list[list[tuple[int, ...]]]
    """For each seat, the places that it drew unseen between one stretch and the next."""
    known: list[int]
    """For each seat, the cards that the viewer knows it to hold; not kept up for the viewer."""
    faces: dict[int, int]
    """The places of which the viewer knows the face."""
    talon: list[int]
    """The places that are still to be drawn, first on top."""
    events: list[Drew | Came | Swapped | Proved]
    """All that moved unseen cards, or proved something of them, in the order in which it happened."""
    since: dict[int, int]
    """For each other seat that has swapped, its first stretch after it did so last."""
    likely: Collection[str]
    _bout: Bout
    _hidden: int
    _up: int
    _places: int

    __slots__ = tuple(__annotations__)

    def __init__(self, sight: Sight, likely: Collection[str] = ()) -> None:
        self.sight, self.begin, self.likely = sight, sight.first or sight, likely
        begin = self.begin
        assert begin.known is not None  # noqa: S101 - whoever asks has seen to it
        self.known, seats = list(begin.known), range(len(begin.counts))
        self.stretches, self.drawn = [[Stretch()] for _ in seats], [[] for _ in seats]
        self.talon, self.faces, self._places = list(range(begin.talon_count)), dict(begin.talon_known), begin.talon_count
        self.events, self.since = [], {}
        lies = begin.turn_up is not None and deal_and_trump.place_of_turn_up(sight.rules) != "aside"
        self._up = deal_and_trump.index_of_turn_up(sight.rules, begin.talon_count, hides=begin.hidden) if lies else -1
        self._hidden = begin.talon_count - 1 if begin.hidden else -1
        self._bout = Bout(begin)
        if begin.attacks and begin.outcome is None:
            self._weigh(self._asked(0))
        self._follow()
        for stretch in (one for past in self.stretches for one in past):
            stretch.close()

    def _follow(self) -> None:
        """Follow all moves."""
        sight, bout = self.sight, self._bout
        ends = {end[0]: BoutEnd(*end) for end in sight.ends[len(self.begin.ends) :]}
        mine = dict(sight.drew)
        suits = {end.bout: end.suit for end in ends.values()}
        for ply, (seat, move) in enumerate(zip(sight.actors, sight.moves, strict=True), 1):
            if move is None or move.kind == SWAP:
                self._swap(seat, move, ply, mine.get(ply, 0))
                continue
            self._plays(seat, move, suits.get(bout.number, sight.suit))
            if self.talon or not bout.over_at_once():
                self._weigh(self._asked(ply))
            if ply in ends:
                self._end(ends[ply], mine.get(ply, 0))
                if ply < len(sight.moves) or sight.outcome is None:
                    bout.opens(sight.actors[ply] if ply < len(sight.moves) else sight.attacker)

    @property
    def swapped(self) -> bool:
        """Whether another seat has swapped cards."""
        return bool(self.since)

    # What is proved

    def _asked(self, ply: int) -> int | None:
        """The seat that was asked to throw in after so many moves; None if none was."""
        sight = self.sight
        if ply < len(sight.moves):
            move = sight.moves[ply]
            return sight.actors[ply] if move is not None and move.kind in ASKED else None
        return sight.actor if sight.phase == ADD else None

    def _weigh(self, asked: int | None) -> None:
        """Note what it proves who is asked to throw in, and who is not."""
        fits = self._bout.ranks
        for seat in self._bout.could_throw():
            if seat == asked:
                self._prove(seat, fits, held=True)
                return
            self._prove(seat, fits, held=False)

    def _prove(self, seat: int, mask: int, *, held: bool) -> None:
        """The seat holds one of these at least, or none."""
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
        """Whether one of these is known to be in that hand."""
        return (self.known[seat] & mask) != 0

    def _comes_to_light(self, seat: int, face: int) -> None:
        """An unseen card of a hand is seen; what was proved by its being there needs no other."""
        stretch = self.stretches[seat][-1]
        stretch.played.append(face)
        stretch.one_of = [mask for mask in stretch.one_of if not mask >> face & 1]
        self.events.append(Came(seat, face))

    # What happened

    def _plays(self, seat: int, move: Move, suit: int | None) -> None:
        """A move that everybody saw."""
        bout, other = self._bout, seat != self.sight.seat
        if move.kind == PASS and "passed" in self.likely:
            self._prove(seat, bout.ranks & ~mask_of_trumps(suit), held=False)
        if move.kind == TAKE and "took" in self.likely and len(bout.open) == 1:
            self._prove(seat, bout.kit.beating(suit)[0][bout.open[0]] & ONE_DECK, held=False)
        for card in (move.cards[-1:] if move.verb == "beat" else move.cards) if other else ():
            bit = 1 << card.face_code
            if not self.known[seat] & bit:
                self._comes_to_light(seat, card.face_code)
                if move.kind == SHOW:
                    self.known[seat] = plus(self.known[seat], bit)
            elif move.kind != SHOW:
                self.known[seat] = minus(self.known[seat], bit)
        bout.follow(seat, move)

    def _end(self, end: BoutEnd, mine: int) -> None:
        """The end of a bout: who took, drew, and went out."""
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
            places, self.talon = tuple(self.talon[:count]), self.talon[count:]
            bout.counts[seat] += count
            self._draws(seat, places, mine if seat == self.sight.seat else 0)
        bout.leave(end.out)

    def _draws(self, seat: int, places: tuple[int, ...], mine: int = 0) -> None:
        """A seat draws; what the viewer knew of it in the talon it knows of it in the hand."""
        unseen = []
        for place in places:
            if place not in self.faces:
                unseen.append(place)
                continue
            bit = 1 << self.faces[place]
            self.known[seat] = plus(self.known[seat], bit)
            mine = minus(mine, bit)
        if unseen:
            self.events.append(Drew(seat, tuple(unseen), mine))
            self.stretches[seat].append(Stretch())
            self.drawn[seat].append(tuple(unseen))

    def _swap(self, seat: int, move: Move | None, ply: int, mine: int) -> None:
        """A swap, by the viewer or unseen."""
        down = [place for place in self.talon if place not in (self._up, self._hidden)]
        top = self.talon.index(down[0])
        got, given = tuple(down[:2]), (self._places, self._places + 1)
        self._places += 2
        self.talon = [*self.talon[:top], *down[2:], *given, *self.talon[top + len(down) :]]
        if move is not None:
            self._draws(seat, got, mine)
            self.faces |= {place: card.face_code for place, card in zip(given, move.cards, strict=True)}
            return
        self.events.append(Swapped(seat, ply, got, given, self.known[seat], self.stretches[seat][-1].lacks))
        self.known[seat] = 0
        self.stretches[seat].append(Stretch())
        self.drawn[seat].append(())
        self.since[seat] = len(self.drawn[seat])
        for place in got:
            if place in self.faces:
                self.known[seat] = plus(self.known[seat], 1 << self.faces[place])


def faces_of(mask: int) -> list[int]:
    """The faces of a mask in card order, each as often as it is there."""
    return sorted(bit % FACES for bit in bits_of(mask))


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
            raise DurakError(
                f"what {verb!r} does to a bout is not followed: say it in Bout.follow of durak_widget/analysis/hand_inference.py"
            )

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
