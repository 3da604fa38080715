"""The information of one player: `View` for users, `Sight` as numbers and masks.

A `View` holds the open cards, the player's own hand, and everything they could remember. It is a value: it has no reference to the state
or the game, so nothing hidden can be reached from it. A `Sight` is an information state with perfect recall: if two are equal now, they
were equal at every earlier moment. `engine.determinization` makes a state again from a `Sight` and a guess at the hidden cards.
"""

from __future__ import annotations

from operator import and_, xor
from typing import TYPE_CHECKING, Any, NamedTuple

from durak_widget.cards import SUITS, Card, CardSet, bits_of, face_of, minus, plainly
from durak_widget.engine.compiled_rules import kit_of
from durak_widget.engine.history import BoutEnd, Pairs
from durak_widget.engine.moves import KINDS
from durak_widget.engine.state import ADD
from durak_widget.engine.state_transitions import legal_moves
from durak_widget.errors import PositionError, quoted, whole_number
from durak_widget.rules import deal_and_trump

if TYPE_CHECKING:
    from durak_widget.engine.history import Story
    from durak_widget.engine.moves import Move, Verb
    from durak_widget.engine.state import State
    from durak_widget.rules.ruleset import Rules
    from durak_widget.rules.scoring import Outcome

_SWAP = KINDS["swap"]
"""The only kind of move whose cards other seats do not see."""


class Played(NamedTuple):
    """A move as a seat saw it: the seat that moved, the verb, and the open cards.

    The cards of another seat's swap are left out.

    >>> str(Played(0, "attack", (Card("6c"),)))
    'attack 6c'
    """

    seat: int
    verb: Verb
    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return " ".join([self.verb, *map(str, self.cards)])


class Memory:
    """The information that a player with a perfect memory has beyond the open cards.

    >>> from durak_widget import Game
    >>> len(Game(seed=7).view(0).memory.unseen)
    29
    """

    __slots__ = ("_sight",)

    def __init__(self, sight: Sight) -> None:
        self._sight = sight

    @property
    def known(self) -> tuple[CardSet, ...]:
        """Return, for each seat, the cards known to be in its hand; for the viewer, the hand."""
        return tuple(map(CardSet.of, self._sight.known or ()))

    @property
    def discarded(self) -> CardSet:
        """Return the cards of the discard pile."""
        return CardSet.of(self._sight.discard)

    @property
    def talon(self) -> tuple[tuple[int, Card], ...]:
        """Return the talon cards that the viewer knows, each with its index from the top.

        Index 0 is drawn next.
        """
        return tuple((place, Card.of(face)) for place, face in self._sight.talon_known)

    @property
    def unseen(self) -> CardSet:
        """Return the cards whose location the viewer does not know."""
        return CardSet.of(self._sight.unseen)

    def _all(self) -> tuple[object, ...]:
        return self.known, self.discarded, self.talon, self.unseen

    def __eq__(self, other: object) -> bool:
        return self._all() == other._all() if isinstance(other, Memory) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return f"Memory(known={self.known}, discarded={self.discarded}, talon={self.talon}, unseen={self.unseen})"


class View:
    """The information that one seat has in a game.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h", table="7d/9d 7s").view(1)
    >>> str(view.hand), view.counts, view.trump, view.role
    ('9h Ts', (2, 2), 'h', 'defends')
    """

    __slots__ = ("_sight",)

    def __init__(self, sight: Sight) -> None:
        self._sight = sight

    @property
    def sight(self) -> Sight:
        """Return the observation as plain numbers and masks, for fast code; see `Sight`."""
        return self._sight

    @property
    def seat(self) -> int:
        """Return the seat that observes."""
        return self._sight.seat

    @property
    def rules(self) -> Rules:
        """Return the rules of the game."""
        return self._sight.rules

    @property
    def hand(self) -> CardSet:
        """Return the viewer's own cards; none if the hand is hidden."""
        return CardSet.of(self._sight.hand)

    @property
    def counts(self) -> tuple[int, ...]:
        """Return the number of cards in each hand."""
        return self._sight.counts

    @property
    def table(self) -> Pairs:
        """Return the pairs on the table."""
        return Pairs.of(self._sight.attacks, self._sight.beats)

    @property
    def trump(self) -> str | None:
        """Return the trump suit, one of `cdhs`; None without trumps."""
        return None if self._sight.suit is None else SUITS[self._sight.suit]

    @property
    def turn_up(self) -> Card | None:
        """Return the face-up card that shows the trump suit; None once it has been drawn."""
        return None if self._sight.turn_up is None else Card.of(self._sight.turn_up)

    @property
    def talon_count(self) -> int:
        """Return how many cards are still to be drawn."""
        return self._sight.talon_count

    @property
    def discard_count(self) -> int:
        """Return how many cards are in the discard pile."""
        return self._sight.discard_count

    @property
    def attacker(self) -> int:
        """Return the seat that attacks."""
        return self._sight.attacker

    @property
    def defender(self) -> int:
        """Return the seat that defends."""
        return self._sight.defender

    @property
    def actor(self) -> int | None:
        """Return the seat to act; None when the game is over."""
        return self._sight.actor

    @property
    def limit(self) -> int:
        """Return the maximum number of attacking cards in this bout."""
        return self._sight.limit

    @property
    def bout(self) -> int:
        """Return the number of the bout, from 1."""
        return self._sight.bout

    @property
    def ply(self) -> int:
        """Return how many moves have been made."""
        return self._sight.ply

    @property
    def taking(self) -> bool:
        """Return whether the defender has announced to take."""
        return self._sight.taking

    @property
    def passed(self) -> tuple[int, ...]:
        """Return the seats whose pass is still valid."""
        return tuple(bits_of(self._sight.passed))

    @property
    def seats_in(self) -> tuple[int, ...]:
        """Return the seats that are still in the game."""
        return tuple(bits_of(self._sight.seats_in))

    @property
    def places(self) -> tuple[int, ...]:
        """Return the seats that are out, in the order in which they went out."""
        return self._sight.places

    @property
    def swapped(self) -> tuple[int, ...]:
        """Return how often each seat has swapped cards with the talon."""
        return self._sight.swapped

    @property
    def shown(self) -> tuple[tuple[int, Card], ...]:
        """Return the trumps shown in this bout, each with the seat that showed it."""
        return tuple((seat, Card.of(face)) for seat, face in self._sight.shown)

    @property
    def outcome(self) -> Outcome | None:
        """Return how the game ended; None while it goes on."""
        return self._sight.outcome

    @property
    def role(self) -> str:
        """Return the viewer's role: `attacks`, `throws in`, `defends`, `takes`, `out` or `waits`."""
        return self.role_of(self._sight.seat)

    def role_of(self, seat: int) -> str:
        """Return a seat's role: `attacks`, `throws in`, `defends`, `takes`, `out` or `waits`.

        >>> from durak_widget import Game
        >>> [Game(seed=7).view(0).role_of(seat) for seat in (0, 1)]
        ['attacks', 'defends']
        """
        data = self._sight
        number = whole_number(seat)
        if number is None or not 0 <= number < len(data.counts):
            raise PositionError(f"{quoted(seat)} is not a seat; the seats are 0 to {len(data.counts) - 1}")
        if not data.seats_in >> number & 1:
            return "out"
        if seat == data.defender:
            return "takes" if data.taking else "defends"
        if seat == data.attacker:
            return "attacks"
        return "throws in" if seat == data.actor and data.phase == ADD else "waits"

    @property
    def course(self) -> tuple[Played, ...]:
        """Return all moves so far, as the viewer saw them.

        >>> from durak_widget import Game
        >>> game = Game(seed=7); game.play("attack Jc")
        >>> game.view(1).course
        (Played(seat=0, verb='attack', cards=(Card('Jc'),)),)
        """
        return tuple(
            Played(seat, "swap", ()) if move is None else Played(seat, move.verb, move.cards)
            for seat, move in zip(self._sight.actors, self._sight.moves, strict=True)
        )

    @property
    def ends(self) -> tuple[BoutEnd, ...]:
        """Return how the bouts so far ended: taken or beaten, the cards, and the draws.

        >>> from durak_widget import Game
        >>> game = Game.from_position(hands=["6c 7c", "8d 9d"], talon="Ac")
        >>> game.play("attack 6c"); game.play("take")
        >>> end = game.view(1).ends[0]
        >>> str(end.table), end.taken, end.drew, game.view(0).ends[0].drawn
        ('6c', True, ((0, 1),), CardSet('Ac'))
        """
        own_draws = dict(self._sight.drew)
        return tuple(BoutEnd._make((*end, own_draws.get(end[0], 0))) for end in self._sight.ends)

    @property
    def memory(self) -> Memory | None:
        """Return what a player with a perfect memory knows; None where memory is switched off.

        >>> from durak_widget import Game
        >>> game = Game.from_position(hands=["6c 7c", "8d 9d"], talon="Ac")
        >>> game.play("attack 6c"); game.play("take")
        >>> game.view(0).memory.known[1]
        CardSet('6c')
        """
        return None if self._sight.known is None else Memory(self._sight)

    def beaters(self, card: Card | str) -> CardSet:
        """Return the cards of the deck that beat this one, with the current trumps.

        See `Rules.beaters`.

        >>> from durak_widget import Game
        >>> view = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h", table="Jc").view(1)
        >>> view.hand & view.beaters("Jc")
        CardSet('9h')
        """
        return self.rules.beaters(card, self.trump)

    def covered(self) -> View:
        """Return the view without the hand: only what is open to the whole table.

        The hand, its legal moves, its swaps and all memory are left out; `counts` still has the number of cards.

        >>> from durak_widget import Game
        >>> view = Game.from_position(hands=["6c 7c", "9h Ts"]).view(0).covered()
        >>> view
        <View of seat 0: ply 0, hand covered, table empty, attacks>
        >>> view.hand, view.counts, view.legal_moves()
        (CardSet(''), (2, 2), ())
        """
        return View(covered(self._sight))

    def silent(self) -> View:
        """Return the view without the legal moves, for a question about them.

        >>> from durak_widget import Game
        >>> view = Game.from_position(hands=["6c 7c", "9h Ts"]).view(0).silent()
        >>> view.hand, view.legal_moves()
        (CardSet('6c 7c'), ())
        """
        return View(self._sight._replace(legal=()))

    @property
    def is_covered(self) -> bool:
        """Return whether the viewer's own hand is left out; see `covered`."""
        return self._sight.covered

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the viewer's legal moves; none when another seat is to act.

        >>> from durak_widget import Game
        >>> game = Game.from_position(hands=["6c", "7c 8d"])
        >>> game.view(0).legal_moves(), game.view(1).legal_moves()
        ((Move('attack 6c'),), ())
        """
        return self._sight.legal

    def __eq__(self, other: object) -> bool:
        return self._sight == other._sight if isinstance(other, View) else NotImplemented

    def __hash__(self) -> int:
        data = self._sight
        start = data.first or data
        return hash((data.seat, data.ply, data.hand, data.turn_up, data.beats, data.drew, data.moves, start.hand, start.turn_up))

    def __repr__(self) -> str:
        hand = "covered" if self.is_covered else self.hand
        return f"<View of seat {self.seat}: ply {self.ply}, hand {hand}, table {self.table or 'empty'}, {self.role}>"


class Sight(NamedTuple):
    """All information of one seat, as numbers and masks with copies counted from the first.

    See `cards` for the masks.

    >>> from durak_widget import Game
    >>> sight = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h", table="7d/9d 7s").view(1).sight
    >>> sight.counts, sight.hand.bit_count(), sight.defender
    ((2, 2), 2, 1)
    """

    rules: Rules
    seat: int
    """The seat that observes."""

    # Cards

    hand: int
    counts: tuple[int, ...]
    """The number of cards in each hand."""
    known: tuple[int, ...] | None
    """For each seat, the cards that the viewer knows it holds; its own hand for itself. None without memory."""
    seen: tuple[int, ...]
    """For each seat, the cards that all seats know it holds; empty without memory."""
    discard: int
    """The discard pile; 0 without memory."""
    discard_count: int
    talon_count: int
    talon_known: tuple[tuple[int, int], ...]
    """The talon cards that the viewer knows: index from the top, and face."""
    suit: int | None
    """The index of the trump suit in `SUITS`."""
    turn_up: int | None
    """The face of the face-up card."""
    hidden: bool
    """True if another card is face down under the turn-up."""
    aside: bool
    """True if a card that no seat may see is out of play."""

    # The bout

    attacks: tuple[int, ...]
    """The played codes of the attacking cards."""
    beats: tuple[int, ...]
    """The played code of the card that beat each, or -1."""
    table: int
    """The mask of the cards on the table."""
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
    """The trumps shown in this bout, as pairs of seat and face."""
    emptied: tuple[int, ...]
    """The seats that played their last card in this bout."""
    swapped_now: bool
    """True if the attacker has swapped before this bout."""

    # The game

    seats_in: int
    places: tuple[int, ...]
    swapped: tuple[int, ...]
    past: tuple[tuple[int, ...], ...]
    """The repeatable starts of bouts: the attacker, and for each seat the cards that its hand has changed by since.

    All seats saw those cards move, so this does not depend on hidden cards. With two decks there are two masks for each seat: the cards
    it had then and not now, and the opposite.
    """
    legal: tuple[Move, ...]
    """The viewer's legal moves; none where another seat is to act."""
    outcome: Outcome | None

    # History

    ends: tuple[tuple[Any, ...], ...]
    """The ends of the bouts so far, as the public fields of a `BoutEnd`."""
    drew: tuple[tuple[int, int], ...]
    """The viewer's draws from the talon: ply and mask."""
    actors: tuple[int, ...]
    moves: tuple[Move | None, ...]
    """The moves so far; None for a swap of another seat."""
    first: Sight | None
    """The observation of the viewer when the game began; None at that moment."""
    covered: bool = False
    """True if the hand, its swaps and all memory are left out."""

    @property
    def unseen(self) -> int:
        """Return the mask of the cards whose location the viewer does not know, with copies.

        Without memory these are all hidden cards.
        """
        compiled = kit_of(self.rules)
        located = self.table | (1 << self.turn_up if self.turn_up is not None else 0)
        if not compiled.twins:
            for mask in self.known or (self.hand,):
                located |= mask
            for _, face in self.talon_known:
                located |= 1 << face
            return compiled.all_cards & ~(located | self.discard)
        unlocated = minus(minus(compiled.all_cards, self.table), self.discard)
        for mask in self.known or (self.hand,):
            unlocated = minus(unlocated, mask)
        talon_faces = [face for _, face in self.talon_known]
        if self.turn_up is not None and self.turn_up not in talon_faces:
            talon_faces.append(self.turn_up)
        for face in talon_faces:
            unlocated = minus(unlocated, 1 << face)
        return unlocated


def sight_of(state: State, seat: int, story: Story, first: Sight | None, *, memory: bool = True) -> Sight:
    """Return what a seat knows of a state.

    `story` is the history that led to the state, and `first` is what the seat saw at the start. Without `memory`, the result has only the
    open cards, the moves and the seat's own cards.
    """
    compiled, hands, turn_up = state.kit, state.hands, state.turn_up
    put_back, has_two_decks = state.put_back[seat], compiled.twins
    known: tuple[int, ...] | None = None
    publicly_known: tuple[int, ...] = ()
    talon_known: list[tuple[int, int]] = []
    if memory:
        publicly_known = tuple(map(and_, state.seen, hands))
        hands_known = (
            [hand & put_back | publicly_seen for hand, publicly_seen in zip(hands, publicly_known, strict=True)]
            if put_back
            else list(publicly_known)
        )
        hands_known[seat] = hands[seat]
        if has_two_decks:
            publicly_known, hands_known = tuple(map(plainly, publicly_known)), list(map(plainly, hands_known))
        known = tuple(hands_known)
        if put_back:
            tracked = put_back | state.face_up
            talon_known = [(index, face_of(bit)) for index, bit in enumerate(state.talon) if bit & tracked]
        elif state.face_up:
            talon_known = [
                (deal_and_trump.index_of_turn_up(compiled.rules, len(state.rest) - 1, hides=state.hidden != 0), face_of(turn_up))
            ]
    actor, moves = state.actor, story.moves
    ends, own_draws = story.seen_by(state, seat)
    return Sight(
        compiled.rules,
        seat,
        plainly(hands[seat]) if has_two_decks else hands[seat],
        tuple([hand.bit_count() for hand in hands]),
        known,
        publicly_known,
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
        plainly(state.table) if has_two_decks else state.table,
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
        own_draws,
        tuple(story.actors),
        tuple([None if move.kind == _SWAP and actor_seat != seat else move for actor_seat, move in zip(story.actors, moves, strict=True)])
        if compiled.swaps
        else tuple(moves),
        first,
    )


def _since(state: State) -> tuple[tuple[int, ...], ...]:
    """Return the repeatable starts of bouts as changes of hands, which all seats saw."""
    if not state.kit.twins:
        return tuple([(attacker, *map(xor, hands_then, state.hands)) for attacker, *hands_then in state.past])
    hands_now = list(map(plainly, state.hands))
    return tuple(
        (
            attacker,
            *(
                mask
                for then, hand_now in zip(hands_then, hands_now, strict=True)
                for mask in (minus(then, hand_now), minus(hand_now, then))
            ),
        )
        for attacker, *hands_then in state.past
    )


def covered(sight: Sight) -> Sight:
    """Return the part of an observation that is open to the whole table."""
    moves = tuple(None if move is None or move.kind == _SWAP else move for move in sight.moves)
    first = None if sight.first is None else covered(sight.first)
    return sight._replace(
        hand=0, known=None, seen=(), discard=0, talon_known=(), legal=(), drew=(), moves=moves, first=first, covered=True
    )  # fmt: skip
