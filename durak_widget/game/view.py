"""What one seat may know: what lies open, its own hand, and what it could have remembered.

A view is a value. It holds no reference to the state or to the game, so nothing hidden can be reached from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from durak_widget.cards import SUITS, Card, CardSet, bits_of, face_of, plainly
from durak_widget.game import engine
from durak_widget.game.moves import SWAP
from durak_widget.game.pairs import BoutEnd, Pairs
from durak_widget.game.state import DEFEND, OPEN
from durak_widget.rules import pack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.game.moves import Move, Verb
    from durak_widget.game.state import State
    from durak_widget.rules.book import Rules
    from durak_widget.rules.scoring import Outcome


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


class Memory(NamedTuple):
    """What a player with a perfect memory knows beyond what lies open.

    >>> from durak_widget import Game
    >>> len(Game(seed=7).view(0).memory.unseen)
    29
    """

    known: tuple[CardSet, ...]
    """For each seat, the cards that it is known to hold; for the viewer, its hand."""
    discarded: CardSet
    """The cards of the discard pile."""
    talon: tuple[tuple[int, Card], ...]
    """The cards of the talon that the viewer knows, each with its place from the top (0 is drawn next)."""
    unseen: CardSet
    """The cards of which the viewer cannot say where they are."""


class _Sight(NamedTuple):
    """All that a view holds; two views are equal when these are."""

    rules: Rules
    seat: int
    hand: int
    counts: tuple[int, ...]
    known: tuple[int, ...] | None
    discard: int
    discard_count: int
    talon_count: int
    talon_known: tuple[tuple[int, int], ...]
    suit: int | None
    turn_up: int | None
    attacks: tuple[int, ...]
    beats: tuple[int, ...]
    attacker: int
    defender: int
    actor: int | None
    phase: int
    limit: int
    bout: int
    ply: int
    taking: bool
    passed: int
    seats_in: int
    places: tuple[int, ...]
    swapped: tuple[int, ...]
    shown: tuple[tuple[int, int], ...]
    ends: tuple[tuple[Any, ...], ...]
    actors: tuple[int, ...]
    moves: tuple[Move | None, ...]
    legal: tuple[Move, ...]
    outcome: Outcome | None
    covered: bool = False


class View:
    """What one seat may know of a game.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h", table="7d/9d 7s").view(1)
    >>> str(view.hand), view.counts, view.trump, view.role
    ('9h Ts', (2, 2), 'h', 'defends')
    """

    __slots__ = ("_sight",)

    def __init__(self, sight: _Sight) -> None:
        self._sight = sight

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
        if not sight.seats_in >> seat & 1:
            return "out"
        if seat == sight.defender:
            return "takes" if sight.taking else "defends"
        if seat == sight.attacker:
            return "attacks"
        return "throws in" if seat == sight.actor and sight.phase not in (OPEN, DEFEND) else "waits"

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
        >>> str(end.table), end.taken, end.drew
        ('6c', True, ((0, 1),))
        """
        return tuple(map(BoutEnd._make, self._sight.ends))

    @property
    def memory(self) -> Memory | None:
        """What a player with a perfect memory knows besides; None where that aid is switched off.

        >>> from durak_widget import Game
        >>> game = Game.from_position(hands=["6c 7c", "8d 9d"], talon="Ac")
        >>> game.play("attack 6c"); game.play("take")
        >>> game.view(0).memory.known[1]
        CardSet('6c')
        """
        sight = self._sight
        if sight.known is None:
            return None
        known, discarded = tuple(map(CardSet.of, sight.known)), CardSet.of(sight.discard)
        talon = tuple((place, Card.of(face)) for place, face in sight.talon_known)
        unseen = CardSet.of(sum(pack.deck(sight.rules)))
        for cards in (*known, discarded):
            unseen -= cards
        lying = [Card.of(code) for code in (*sight.attacks, *sight.beats) if code >= 0]
        in_talon = [card for _, card in talon]
        lying += in_talon
        if self.turn_up is not None and self.turn_up not in in_talon:  # it lies aside
            lying.append(self.turn_up)
        return Memory(known, discarded, talon, unseen - lying)

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
        moves = tuple(None if move is None or move.kind == SWAP else move for move in self._sight.moves)
        return View(self._sight._replace(hand=0, known=None, discard=0, talon_known=(), moves=moves, legal=(), covered=True))

    def silent(self) -> View:
        """The same without a word on what may be played: for a question about it.

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
        return hash((sight.seat, sight.ply, sight.hand, sight.attacks, sight.beats))

    def __repr__(self) -> str:
        hand = "covered" if self.is_covered else self.hand
        return f"<View of seat {self.seat}: ply {self.ply}, hand {hand}, table {self.table or 'empty'}, {self.role}>"


def view_of(state: State, seat: int, actors: Sequence[int], moves: Sequence[Move], *, memory: bool = True) -> View:
    """What a seat may know of a state, to which these moves of these seats have led."""
    mine = state.put_back[seat]
    known: tuple[int, ...] | None = None
    talon_known: list[tuple[int, int]] = []
    if memory:
        known = tuple(plainly(hand if who == seat else (state.seen[who] | mine) & hand) for who, hand in enumerate(state.hands))
        if mine or state.face_up:
            left = state.talon[state.drawn :]
            talon_known = [(place, face_of(bit)) for place, bit in enumerate(left) if bit & (mine | state.face_up)]
    return View(
        _Sight(
            rules=state.kit.rules,
            seat=seat,
            hand=plainly(state.hands[seat]),
            counts=tuple(hand.bit_count() for hand in state.hands),
            known=known,
            discard=plainly(state.discard) if memory else 0,
            discard_count=state.discard.bit_count(),
            talon_count=len(state.talon) - state.drawn,
            talon_known=tuple(talon_known),
            suit=state.suit,
            turn_up=face_of(state.turn_up) if state.turn_up else None,
            attacks=tuple(state.attacks),
            beats=tuple(state.beats),
            attacker=state.attacker,
            defender=state.defender,
            actor=state.actor,
            phase=state.phase,
            limit=state.limit,
            bout=state.bout,
            ply=state.ply,
            taking=state.taking,
            passed=state.passed,
            seats_in=state.seats_in,
            places=state.places,
            swapped=state.swapped,
            shown=state.shown,
            ends=tuple(state.ends),
            actors=tuple(actors),
            moves=tuple(None if move.kind == SWAP and who != seat else move for who, move in zip(actors, moves, strict=True))
            if state.kit.swaps
            else tuple(moves),
            legal=engine.legal_moves(state) if state.actor == seat else (),
            outcome=state.outcome,
        )
    )
