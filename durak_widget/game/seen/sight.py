"""What one seat may know of a moment, as plain numbers and masks: the door for whoever must be fast, in both directions.

`sight_of` looks at a state through the eyes of a seat; `state_of` makes a state again of what was seen and a guess at what was not.
A `Sight` is an information state of perfect recall: seats whose sights are equal now had equal sights at every moment before.
"""

from __future__ import annotations

from itertools import starmap
from operator import and_, xor
from typing import TYPE_CHECKING, Any, NamedTuple

from durak_widget.cards import FACES, face_of, minus, plainly, plus
from durak_widget.errors import PositionError
from durak_widget.game.engine import legal_moves
from durak_widget.game.kit import SAME_RANK, kit_of
from durak_widget.game.moves import KINDS
from durak_widget.game.state import blank, copies, copies_held
from durak_widget.game.story import DREW
from durak_widget.rules import trump

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.game.kit import Kit
    from durak_widget.game.moves import Move
    from durak_widget.game.state import State
    from durak_widget.game.story import Story
    from durak_widget.rules.book import Rules
    from durak_widget.rules.scoring import Outcome


_SWAP = KINDS["swap"]
"""The one kind of move whose cards nobody else sees."""


class Sight(NamedTuple):
    """All that one seat may know, as numbers and masks; see `cards` for the masks, in which copies are counted from the first.

    >>> from durak_widget import Game
    >>> sight = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h", table="7d/9d 7s").view(1).sight
    >>> sight.counts, sight.hand.bit_count(), sight.defender
    ((2, 2), 2, 1)
    """

    rules: Rules
    seat: int
    """Whose sight it is."""

    # Cards

    hand: int
    counts: tuple[int, ...]
    """How many cards each seat holds."""
    known: tuple[int, ...] | None
    """For each seat, the cards that the viewer knows it to hold; its own hand for itself. None without memory."""
    seen: tuple[int, ...]
    """For each seat, the cards that everybody knows it to hold; empty without memory."""
    discard: int
    """The discard pile; 0 without memory."""
    discard_count: int
    talon_count: int
    talon_known: tuple[tuple[int, int], ...]
    """The cards of the talon that the viewer knows: place from the top, and face."""
    suit: int | None
    """The trump suit by its place in `SUITS`."""
    turn_up: int | None
    """The face of the card that lies face up."""
    hidden: bool
    """Whether another card lies face down under it."""
    aside: bool
    """Whether a card that nobody may look at is out of play."""

    # The bout

    attacks: tuple[int, ...]
    """The attacking cards as played codes."""
    beats: tuple[int, ...]
    """The card that beat each, or -1."""
    table: int
    """The cards on the table."""
    attacker: int
    defender: int
    actor: int | None
    phase: int
    limit: int
    bout: int
    ply: int
    taking: bool
    passed: int
    """The mask of the seats that have passed."""
    newest: int
    """The seat that played the newest attacking card."""
    began: int
    """The mask of the seats that were in when the bout began."""
    shown: tuple[tuple[int, int], ...]
    """Which seat has shown which face in this bout."""
    emptied: tuple[int, ...]
    """The seats that played their last card in this bout."""
    swapped_now: bool
    """Whether the attacker has swapped before this bout."""

    # The game

    seats_in: int
    places: tuple[int, ...]
    swapped: tuple[int, ...]
    past: tuple[tuple[int, ...], ...]
    """The starts of bouts that may come again: the attacker, and for each seat the cards in which its hand then differed from now.

    Everybody saw those cards wander, so this is the same whatever lies hidden. With two decks there are two masks a seat, more then and more now.
    """
    legal: tuple[Move, ...]
    """The viewer's legal moves; none where another seat is to act."""
    outcome: Outcome | None

    # How it came to this

    ends: tuple[tuple[Any, ...], ...]
    """How the bouts so far ended, each the fields of a `BoutEnd` that everybody saw."""
    drew: tuple[tuple[int, int], ...]
    """What came into the viewer's hand from the talon: after how many moves, and which cards."""
    actors: tuple[int, ...]
    moves: tuple[Move | None, ...]
    """The moves so far; None for somebody else's swap."""
    first: Sight | None
    """What the viewer saw when the game began; None there."""
    covered: bool = False
    """Whether the hand, its swaps and all memory are left out."""

    @property
    def unseen(self) -> int:
        """The mask of the cards of which the viewer cannot say where they are, with their copies; all of the hidden ones without memory."""
        kit = kit_of(self.rules)
        placed = self.table | (1 << self.turn_up if self.turn_up is not None else 0)
        if not kit.twins:
            for mask in self.known or (self.hand,):
                placed |= mask
            for _, face in self.talon_known:
                placed |= 1 << face
            return kit.all_cards & ~(placed | self.discard)
        left = minus(minus(kit.all_cards, self.table), self.discard)
        for mask in self.known or (self.hand,):
            left = minus(left, mask)
        lying = [face for _, face in self.talon_known]
        if self.turn_up is not None and self.turn_up not in lying:
            lying.append(self.turn_up)
        for face in lying:
            left = minus(left, 1 << face)
        return left


def sight_of(state: State, seat: int, story: Story, first: Sight | None, *, memory: bool = True) -> Sight:
    """What a seat may know of a state to which that story led from what it saw `first`.

    Without `memory` that is only what lies open, what was played, and its own cards.
    """
    kit, hands, turn_up = state.kit, state.hands, state.turn_up
    mine, twins = state.put_back[seat], kit.twins
    known: tuple[int, ...] | None = None
    seen: tuple[int, ...] = ()
    talon_known: list[tuple[int, int]] = []
    if memory:
        seen = tuple(map(and_, state.seen, hands))
        sure = [hand & mine | of_all for hand, of_all in zip(hands, seen, strict=True)] if mine else list(seen)
        sure[seat] = hands[seat]
        if twins:
            seen, sure = tuple(map(plainly, seen)), list(map(plainly, sure))
        known = tuple(sure)
        if mine:
            followed = mine | state.face_up
            talon_known = [(place, face_of(bit)) for place, bit in enumerate(state.talon) if bit & followed]
        elif state.face_up:
            talon_known = [(trump.index_of_turn_up(kit.rules, len(state.rest) - 1, hides=state.hidden != 0), face_of(turn_up))]
    actor, moves = state.actor, story.moves
    ends, drew = story.seen_by(state, seat)
    return Sight(
        kit.rules,
        seat,
        plainly(hands[seat]) if twins else hands[seat],
        tuple([hand.bit_count() for hand in hands]),
        known,
        seen,
        plainly(state.discard) if memory else 0,
        state.discard.bit_count(),
        len(state.rest) - 1,
        tuple(talon_known),
        state.suit,
        face_of(turn_up) if turn_up else None,
        bool(state.hidden),
        state.aside not in (0, turn_up),
        tuple(state.attacks),
        tuple(state.beats),
        plainly(state.table) if twins else state.table,
        state.attacker,
        state.defender,
        actor,
        state.phase,
        state.limit,
        state.bout,
        state.ply,
        state.taking,
        state.passed,
        state.newest,
        state.began,
        state.shown,
        state.emptied,
        state.swapped_now,
        state.seats_in,
        state.places,
        state.swapped,
        _since(state) if state.past else (),
        legal_moves(state) if actor == seat else (),
        state.outcome,
        ends,
        drew,
        tuple(story.actors),
        tuple([None if move.kind == _SWAP and who != seat else move for who, move in zip(story.actors, moves, strict=True)])
        if kit.swaps
        else tuple(moves),
        first,
    )


def _since(state: State) -> tuple[tuple[int, ...], ...]:
    """The starts of bouts that may come again, each by what has wandered since, which everybody saw."""
    if not state.kit.twins:
        return tuple([(attacker, *map(xor, then, state.hands)) for attacker, *then in state.past])
    now = list(map(plainly, state.hands))
    return tuple(
        (attacker, *(mask for one, other in zip(then, now, strict=True) for mask in (minus(one, other), minus(other, one))))
        for attacker, *then in state.past
    )


def _then(start: tuple[int, ...], hands: Sequence[int], *, twins: bool) -> tuple[int, ...]:
    """One of those starts again, given the hands of now."""
    attacker, *wandered = start
    if not twins:
        return (attacker, *map(xor, wandered, hands))
    return (
        attacker,
        *(plus(minus(plainly(hand), more), less) for hand, less, more in zip(hands, wandered[::2], wandered[1::2], strict=True)),
    )


def covered(sight: Sight) -> Sight:
    """The same with nothing in it but what lies open to the whole table."""
    moves = tuple(None if move is None or move.kind == _SWAP else move for move in sight.moves)
    first = None if sight.first is None else covered(sight.first)
    return sight._replace(
        hand=0, known=None, seen=(), discard=0, talon_known=(), legal=(), drew=(), moves=moves, first=first, covered=True
    )  # fmt: skip


# And back


def state_of(sight: Sight, hands: Sequence[int], talon: Sequence[int]) -> State:
    """The state that a seat sees so, if the hands (masks) are these and the talon (faces, first on top) is this one.

    Given what was true, every slot comes back as it was, but for what others alone know: which cards they drew and put back.

    >>> from durak_widget import Game
    >>> game = Game(seed=7); game.play("attack Jc")
    >>> state = state_of(game.view(0).sight, [hand.mask for hand in game.hands], [card.code for card in game.talon])
    >>> state.key() == game.state.key()
    True
    """
    kit = kit_of(sight.rules)
    _check(sight, hands, talon, kit)
    hands, state = list(map(plainly, hands)), blank(kit)
    out = 1 << sight.turn_up if sight.turn_up is not None and trump.place_of_turn_up(sight.rules) == "aside" else 0
    if sight.aside:
        out = _rest_of(kit, sight, hands, talon)
    bits = list(talon)
    if kit.twins:
        used = 0
        found = []
        for mask in (sight.table, sight.discard, out, *hands):
            laid = copies(mask, used)
            used |= laid
            found.append(laid)
        state.table, state.discard, state.aside, *state.hands = found
        for place, face in enumerate(talon):
            bits[place] = 1 << face + FACES if used >> face & 1 else 1 << face
            used |= bits[place]
        state.seen = list(starmap(copies_held, zip(sight.seen, state.hands, strict=True)))
    else:
        state.table, state.discard, state.aside, state.hands = sight.table, sight.discard, out, list(hands)
        state.seen = list(sight.seen)
        bits = [1 << face for face in talon]
    state.lay_talon(tuple(bits))
    state.set_trump(sight.suit)
    _turn_up(state, sight)
    _follow(state, sight)
    state.bout, state.attacker, state.defender, state.limit = sight.bout, sight.attacker, sight.defender, sight.limit
    state.attacks, state.beats = list(sight.attacks), list(sight.beats)
    for code in (*sight.attacks, *sight.beats):
        if code >= 0:
            state.ranks |= SAME_RANK[code]
    state.unbeaten = sight.beats.count(-1)
    state.newest, state.passed, state.taking = sight.newest, sight.passed, sight.taking
    state.began, state.shown, state.emptied = sight.began, sight.shown, sight.emptied
    state.seats_in, state.places, state.swapped, state.swapped_now = sight.seats_in, sight.places, sight.swapped, sight.swapped_now
    state.ply, state.phase, state.actor, state.outcome = sight.ply, sight.phase, sight.actor, sight.outcome
    mine = dict(sight.drew)
    for end in sight.ends:
        drew = tuple((seat, count, mine[end[0]] if seat == sight.seat else 0) for seat, count in end[DREW])
        state.ends.append((*end[:DREW], drew, *end[DREW + 1 :]))
        mine.pop(end[0], None)
    state.brought = tuple(
        (ply + 1, seat, mine.get(ply + 1, 0))
        for ply, (seat, move) in enumerate(zip(sight.actors, sight.moves, strict=True))
        if move is None or move.kind == _SWAP
    )
    if sight.outcome is None:
        state.throwers = kit.throwers(state.attacker, state.defender, state.newest, state.seats_in)
        state.past = tuple([_then(start, state.hands, twins=kit.twins) for start in sight.past])
    return state


def _check(sight: Sight, hands: Sequence[int], talon: Sequence[int], kit: Kit) -> None:
    """Refuse a world that this seat does not see so."""
    if sight.known is None or sight.covered:
        raise PositionError("a state is made of a view with memory that is not covered; ask game.view(seat) for one")
    try:
        fits = len(hands) == len(sight.counts) and len(talon) == sight.talon_count
        fits = fits and 0 <= min(talon, default=0) <= max(talon, default=0) < FACES
        counts = tuple(map(int.bit_count, hands)) if fits else ()
    except TypeError:
        raise PositionError("hands are masks and the talon is faces: numbers, as in [hand.mask …] and [card.code …]") from None
    if counts != sight.counts:
        raise PositionError(f"give hands of {sight.counts} cards, and a talon of {sight.talon_count} faces from 0 to {FACES - 1}")
    lying = [1 << face for face in talon]
    if kit.twins:
        left, laid = kit.all_cards, 0
        for bit in lying:
            laid |= bit << FACES if laid & bit else bit
        fits = laid.bit_count() == len(talon)
        for mask in (sight.table, sight.discard, *map(plainly, hands), laid):
            fits, left = fits and not minus(mask, left), minus(left, mask)
        fits = fits and all(not minus(known, plainly(hand)) for known, hand in zip(sight.known, hands, strict=True))
    else:
        everything = sum(hands) + sum(lying) + sight.table + sight.discard  # a card that is there twice makes fewer bits
        fits = everything.bit_count() == sum(counts) + len(talon) + sight.table.bit_count() + sight.discard_count
        fits = fits and not everything & ~kit.all_cards and not any(known & ~hand for known, hand in zip(sight.known, hands, strict=True))
    if not fits or any(talon[place] != face for place, face in sight.talon_known) or plainly(hands[sight.seat]) != sight.hand:
        raise PositionError(
            f"seat {sight.seat} sees that these hands and this talon cannot be; give every card a place that its view allows"
        )


def _rest_of(kit: Kit, sight: Sight, hands: Sequence[int], talon: Sequence[int]) -> int:
    """The one card that lies nowhere else; where more than one is missing, nobody can say which is aside."""
    left = minus(minus(kit.all_cards, sight.table), sight.discard)
    for mask in (*map(plainly, hands), *(1 << face for face in talon)):
        left = minus(left, mask)
    if left.bit_count() != 1:
        raise PositionError(
            f"a card lies aside, and {left.bit_count()} are in no place; only where the whole deck is there can it be said which"
        )
    return left


def _turn_up(state: State, sight: Sight) -> None:
    """The card that lies face up, and the one under it."""
    if sight.turn_up is None:
        return
    if trump.place_of_turn_up(sight.rules) == "aside":
        state.turn_up = state.aside
        return
    talon = state.talon
    state.turn_up = state.face_up = talon[trump.index_of_turn_up(sight.rules, len(talon), hides=sight.hidden)]
    if sight.hidden:
        state.hidden = talon[-1]


def _follow(state: State, sight: Sight) -> None:
    """The cards that the viewer put under the talon: those of the talon that it knows, and those it knows somebody drew."""
    if not any(state.kit.swaps and times for times in sight.swapped):
        return
    mine, talon = 0, state.talon
    for place, _ in sight.talon_known:
        mine |= talon[place] & ~state.face_up
    for seat, hand in enumerate(state.hands):
        if seat != sight.seat and sight.known:
            only_mine = minus(sight.known[seat], sight.seen[seat])
            mine |= copies_held(only_mine, hand & ~state.seen[seat]) & hand if only_mine else 0
    state.put_back = tuple(mine if seat == sight.seat else 0 for seat in range(len(state.hands)))
