"""What one seat may know of a moment, as plain numbers and masks: the door for whoever must be fast.

`sight_of` looks at a state through the eyes of a seat; `restored.state_of` makes a state again of what was seen and a guess at what was not.
A `Sight` is an information state of perfect recall: seats whose sights are equal now had equal sights at every moment before.
"""

from __future__ import annotations

from operator import and_, xor
from typing import TYPE_CHECKING, Any, NamedTuple

from durak_widget.cards import face_of, minus, plainly
from durak_widget.engine.compiled_rules import kit_of
from durak_widget.engine.moves import KINDS
from durak_widget.engine.state_transitions import legal_moves
from durak_widget.rules import deal_and_trump

if TYPE_CHECKING:
    from durak_widget.engine.history import Story
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State
    from durak_widget.rules.ruleset import Rules
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
            talon_known = [(deal_and_trump.index_of_turn_up(kit.rules, len(state.rest) - 1, hides=state.hidden != 0), face_of(turn_up))]
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


def covered(sight: Sight) -> Sight:
    """What lies open to the whole table, and nothing else."""
    moves = tuple(None if move is None or move.kind == _SWAP else move for move in sight.moves)
    first = None if sight.first is None else covered(sight.first)
    return sight._replace(
        hand=0, known=None, seen=(), discard=0, talon_known=(), legal=(), drew=(), moves=moves, first=first, covered=True
    )  # fmt: skip
