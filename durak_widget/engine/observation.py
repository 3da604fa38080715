"""Defines what one player may know of a game: `View` for users, `Sight` as numbers and masks for speed.

A view holds the open cards, the player's own hand, and everything they could remember. It is a value: it has
no reference to the state or the game, so nothing hidden can be reached from it. A sight is an information
state with perfect recall: if two sights are equal now, they were equal at every earlier moment.
`engine.determinization` makes a state again from a sight and a guess at the hidden cards.
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
"""The one kind of move whose cards nobody else sees."""


class Played(NamedTuple):
    """One move as a seat saw it: whose, what, and the cards that lay open (none for somebody else's swap).

    >>> str(Played(0, "attack", (Card("6c"),)))
    'attack 6c'
    """

    seat: int
    verb: Verb
    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return " ".join([self.verb, *map(str, self.cards)])


class Memory:
    """What a player with a perfect memory knows beyond what lies open.

    >>> from durak_widget import Game
    >>> len(Game(seed=7).view(0).memory.unseen)
    29
    """

    __slots__ = ("_sight",)

    def __init__(self, sight: Sight) -> None:
        self._sight = sight

    @property
    def known(self) -> tuple[CardSet, ...]:
        """For each seat, the cards that it is known to hold; for the viewer, its hand."""
        return tuple(map(CardSet.of, self._sight.known or ()))

    @property
    def discarded(self) -> CardSet:
        """The cards of the discard pile."""
        return CardSet.of(self._sight.discard)

    @property
    def talon(self) -> tuple[tuple[int, Card], ...]:
        """The cards of the talon that the viewer knows, each with its place from the top (0 is drawn next)."""
        return tuple((place, Card.of(face)) for place, face in self._sight.talon_known)

    @property
    def unseen(self) -> CardSet:
        """The cards of which the viewer cannot say where they are."""
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
    """What one seat may know of a game.

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
        """The view as plain numbers and masks, for whoever must be fast; what each means stands in `durak_widget.engine.observation`."""
        return self._sight

    @property
    def seat(self) -> int:
        """The seat whose view this is."""
        return self._sight.seat

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._sight.rules

    @property
    def hand(self) -> CardSet:
        """The viewer's own cards; none in a covered view."""
        return CardSet.of(self._sight.hand)

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return self._sight.counts

    @property
    def table(self) -> Pairs:
        """The pairs on the table."""
        return Pairs.of(self._sight.attacks, self._sight.beats)

    @property
    def trump(self) -> str | None:
        """The trump suit, one of `cdhs`; None without trumps."""
        return None if self._sight.suit is None else SUITS[self._sight.suit]

    @property
    def turn_up(self) -> Card | None:
        """The card that lies face up and shows the trump suit; None once it has been drawn."""
        return None if self._sight.turn_up is None else Card.of(self._sight.turn_up)

    @property
    def talon_count(self) -> int:
        """How many cards are still to be drawn."""
        return self._sight.talon_count

    @property
    def discard_count(self) -> int:
        """How many cards lie in the discard pile."""
        return self._sight.discard_count

    @property
    def attacker(self) -> int:
        """The seat that attacks."""
        return self._sight.attacker

    @property
    def defender(self) -> int:
        """The seat that defends."""
        return self._sight.defender

    @property
    def actor(self) -> int | None:
        """The seat to act; None when the game is over."""
        return self._sight.actor

    @property
    def limit(self) -> int:
        """The most attacking cards in this bout."""
        return self._sight.limit

    @property
    def bout(self) -> int:
        """The number of the bout, from 1."""
        return self._sight.bout

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return self._sight.ply

    @property
    def taking(self) -> bool:
        """Whether the defender has said that it takes."""
        return self._sight.taking

    @property
    def passed(self) -> tuple[int, ...]:
        """The seats whose pass stands."""
        return tuple(bits_of(self._sight.passed))

    @property
    def seats_in(self) -> tuple[int, ...]:
        """The seats that are still in the game."""
        return tuple(bits_of(self._sight.seats_in))

    @property
    def places(self) -> tuple[int, ...]:
        """The seats that are out, in the order in which they went."""
        return self._sight.places

    @property
    def swapped(self) -> tuple[int, ...]:
        """How often each seat has swapped cards with the talon."""
        return self._sight.swapped

    @property
    def shown(self) -> tuple[tuple[int, Card], ...]:
        """Which seat has shown which trump in this bout."""
        return tuple((seat, Card.of(face)) for seat, face in self._sight.shown)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self._sight.outcome

    @property
    def role(self) -> str:
        """What the viewer does now: `attacks`, `throws in`, `defends`, `takes`, `out` or `waits`."""
        return self.role_of(self._sight.seat)

    def role_of(self, seat: int) -> str:
        """What a seat does now: `attacks`, `throws in`, `defends`, `takes`, `out` or `waits`.

        >>> from durak_widget import Game
        >>> [Game(seed=7).view(0).role_of(seat) for seat in (0, 1)]
        ['attacks', 'defends']
        """
        sight = self._sight
        number = whole_number(seat)
        if number is None or not 0 <= number < len(sight.counts):
            raise PositionError(f"{quoted(seat)} is not a seat; the seats are 0 to {len(sight.counts) - 1}")
        if not sight.seats_in >> number & 1:
            return "out"
        if seat == sight.defender:
            return "takes" if sight.taking else "defends"
        if seat == sight.attacker:
            return "attacks"
        return "throws in" if seat == sight.actor and sight.phase == ADD else "waits"

    @property
    def course(self) -> tuple[Played, ...]:
        """All moves so far, as the viewer saw them.

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
        """How the bouts so far ended: taken or beaten, which cards, who drew how many.

        >>> from durak_widget import Game
        >>> game = Game.from_position(hands=["6c 7c", "8d 9d"], talon="Ac")
        >>> game.play("attack 6c"); game.play("take")
        >>> end = game.view(1).ends[0]
        >>> str(end.table), end.taken, end.drew, game.view(0).ends[0].drawn
        ('6c', True, ((0, 1),), CardSet('Ac'))
        """
        drew = dict(self._sight.drew)
        return tuple(BoutEnd._make((*end, drew.get(end[0], 0))) for end in self._sight.ends)

    @property
    def memory(self) -> Memory | None:
        """What a player with a perfect memory knows besides; None where that aid is switched off.

        >>> from durak_widget import Game
        >>> game = Game.from_position(hands=["6c 7c", "8d 9d"], talon="Ac")
        >>> game.play("attack 6c"); game.play("take")
        >>> game.view(0).memory.known[1]
        CardSet('6c')
        """
        return None if self._sight.known is None else Memory(self._sight)

    def beaters(self, card: Card | str) -> CardSet:
        """The cards of the deck that beat this one, under these rules and with the trumps of now; see `Rules.beaters`.

        >>> from durak_widget import Game
        >>> view = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h", table="Jc").view(1)
        >>> view.hand & view.beaters("Jc")
        CardSet('9h')
        """
        return self.rules.beaters(card, self.trump)

    def covered(self) -> View:
        """What somebody sees who sits at this place and may not look into its hand: no more than lies open to the whole table.

        The hand, its legal moves, its swaps and all memory are not in it; `counts` still says how many cards there are.

        >>> from durak_widget import Game
        >>> view = Game.from_position(hands=["6c 7c", "9h Ts"]).view(0).covered()
        >>> view
        <View of seat 0: ply 0, hand covered, table empty, attacks>
        >>> view.hand, view.counts, view.legal_moves()
        (CardSet(''), (2, 2), ())
        """
        return View(covered(self._sight))

    def silent(self) -> View:
        """The view without a word on what may be played: for a question about it.

        >>> from durak_widget import Game
        >>> view = Game.from_position(hands=["6c 7c", "9h Ts"]).view(0).silent()
        >>> view.hand, view.legal_moves()
        (CardSet('6c 7c'), ())
        """
        return View(self._sight._replace(legal=()))

    @property
    def is_covered(self) -> bool:
        """Whether the viewer's own hand is left out; see `covered`."""
        return self._sight.covered

    def legal_moves(self) -> tuple[Move, ...]:
        """The viewer's legal moves; none when another seat is to act.

        >>> from durak_widget import Game
        >>> game = Game.from_position(hands=["6c", "7c 8d"])
        >>> game.view(0).legal_moves(), game.view(1).legal_moves()
        ((Move('attack 6c'),), ())
        """
        return self._sight.legal

    def __eq__(self, other: object) -> bool:
        return self._sight == other._sight if isinstance(other, View) else NotImplemented

    def __hash__(self) -> int:
        sight = self._sight
        began = sight.first or sight
        return hash((sight.seat, sight.ply, sight.hand, sight.turn_up, sight.beats, sight.drew, sight.moves, began.hand, began.turn_up))

    def __repr__(self) -> str:
        hand = "covered" if self.is_covered else self.hand
        return f"<View of seat {self.seat}: ply {self.ply}, hand {hand}, table {self.table or 'empty'}, {self.role}>"


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
