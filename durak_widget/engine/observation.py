"""Defines what a player knows about a game, for users and as numbers and masks.

An `Observation` holds the open cards, the player's own hand, and everything they could remember. It is a value: it has no reference to the state
or the game, so nothing hidden can be reached from it. An `ObservationData` is an information state with perfect recall: if two are equal now, they
were equal at every earlier moment. `engine.determinization` makes a state again from an `ObservationData` and a guess at the hidden cards.
"""

from __future__ import annotations

from operator import and_, xor
from typing import TYPE_CHECKING, Any, NamedTuple

from durak_widget.cards import SUITS, Card, CardSet, bit_indices, face_from_bit, normalize_copies, subtract_cards
from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.engine.history import BoutEnd, Pairs
from durak_widget.engine.moves import KIND_OF_VERB
from durak_widget.engine.state import PHASE_THROW_IN
from durak_widget.engine.state_transitions import legal_moves
from durak_widget.errors import PositionError, as_whole_number, short_repr
from durak_widget.rules import deal_and_trump

if TYPE_CHECKING:
    from durak_widget.engine.history import GameHistory
    from durak_widget.engine.moves import Move, Verb
    from durak_widget.engine.state import State
    from durak_widget.rules.ruleset import Rules
    from durak_widget.rules.scoring import Outcome

_SWAP_KIND = KIND_OF_VERB["swap"]
"""The verb index of a swap, the only move whose cards the other seats do not see."""


class PlayedMove(NamedTuple):
    """A move as a seat saw it: the seat that moved, the verb, and the open cards.

    The cards of another seat's swap are left out.

    >>> str(PlayedMove(0, "attack", (Card("6c"),)))
    'attack 6c'
    """

    seat: int
    verb: Verb
    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return " ".join([self.verb, *map(str, self.cards)])


class Memory:
    """The knowledge of a player with a perfect memory, in addition to the open cards.

    >>> from durak_widget import Game
    >>> len(Game(seed=7).view(0).memory.unseen)
    29
    """

    __slots__ = ("_data",)

    def __init__(self, data: ObservationData) -> None:
        self._data = data

    @property
    def known(self) -> tuple[CardSet, ...]:
        """Return the cards known to be in each hand; for the observing seat, its whole hand."""
        return tuple(map(CardSet.from_mask, self._data.known_hands or ()))

    @property
    def discarded(self) -> CardSet:
        """Return the cards in the discard pile."""
        return CardSet.from_mask(self._data.discard)

    @property
    def talon(self) -> tuple[tuple[int, Card], ...]:
        """Return the talon cards that the observing seat knows, each with its index from the top.

        Index 0 is drawn next.
        """
        return tuple((index, Card.from_code(face)) for index, face in self._data.known_talon_cards)

    @property
    def unseen(self) -> CardSet:
        """Return the cards whose location the observing seat does not know."""
        return CardSet.from_mask(self._data.unseen)

    def _as_tuple(self) -> tuple[object, ...]:
        return self.known, self.discarded, self.talon, self.unseen

    def __eq__(self, other: object) -> bool:
        return self._as_tuple() == other._as_tuple() if isinstance(other, Memory) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._as_tuple())

    def __repr__(self) -> str:
        return f"Memory(known={self.known}, discarded={self.discarded}, talon={self.talon}, unseen={self.unseen})"


class Observation:
    """The knowledge that one seat has about a game.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h", table="7d/9d 7s").view(1)
    >>> str(view.hand), view.counts, view.trump, view.role
    ('9h Ts', (2, 2), 'h', 'defends')
    """

    __slots__ = ("_data",)

    def __init__(self, data: ObservationData) -> None:
        self._data = data

    @property
    def data(self) -> ObservationData:
        """Return the observation as plain numbers and masks for fast code; see `ObservationData`."""
        return self._data

    @property
    def seat(self) -> int:
        """Return the seat that observes."""
        return self._data.seat

    @property
    def rules(self) -> Rules:
        """Return the rules of the game."""
        return self._data.rules

    @property
    def hand(self) -> CardSet:
        """Return the observing seat's own cards; no cards if the hand is hidden."""
        return CardSet.from_mask(self._data.hand)

    @property
    def counts(self) -> tuple[int, ...]:
        """Return the number of cards in each hand."""
        return self._data.counts

    @property
    def table(self) -> Pairs:
        """Return the pairs on the table: attacking cards with the cards that beat them."""
        return Pairs.from_codes(self._data.attacks, self._data.beats)

    @property
    def trump(self) -> str | None:
        """Return the trump suit as a letter of `cdhs`; None without trumps."""
        return None if self._data.trump_suit is None else SUITS[self._data.trump_suit]

    @property
    def turn_up(self) -> Card | None:
        """Return the face-up card that shows the trump suit; None once it has been drawn."""
        return None if self._data.turn_up is None else Card.from_code(self._data.turn_up)

    @property
    def talon_count(self) -> int:
        """Return the number of cards that are still to be drawn."""
        return self._data.talon_count

    @property
    def discard_count(self) -> int:
        """Return the number of cards in the discard pile."""
        return self._data.discard_count

    @property
    def attacker(self) -> int:
        """Return the seat that attacks in this bout."""
        return self._data.attacker

    @property
    def defender(self) -> int:
        """Return the seat that defends in this bout."""
        return self._data.defender

    @property
    def actor(self) -> int | None:
        """Return the seat whose turn it is to act; None when the game is over."""
        return self._data.actor

    @property
    def limit(self) -> int:
        """Return the maximum number of attacking cards in this bout."""
        return self._data.limit

    @property
    def bout(self) -> int:
        """Return the number of the current bout, counted from 1."""
        return self._data.bout

    @property
    def ply(self) -> int:
        """Return the number of moves that have been made."""
        return self._data.ply

    @property
    def taking(self) -> bool:
        """Return whether the defender has announced that they will take the cards."""
        return self._data.taking

    @property
    def passed(self) -> tuple[int, ...]:
        """Return the seats whose decision to pass (not to throw in) still counts."""
        return tuple(bit_indices(self._data.passed))

    @property
    def seats_in(self) -> tuple[int, ...]:
        """Return the seats that are still in the game."""
        return tuple(bit_indices(self._data.seats_in))

    @property
    def places(self) -> tuple[int, ...]:
        """Return the seats that are out, in the order in which they went out."""
        return self._data.places

    @property
    def swap_counts(self) -> tuple[int, ...]:
        """Return how often each seat has swapped cards with the talon."""
        return self._data.swap_counts

    @property
    def shown_trumps(self) -> tuple[tuple[int, Card], ...]:
        """Return the trumps shown in this bout, each with the seat that showed it."""
        return tuple((seat, Card.from_code(face)) for seat, face in self._data.shown_trumps)

    @property
    def outcome(self) -> Outcome | None:
        """Return the result of the game; None while the game goes on."""
        return self._data.outcome

    @property
    def role(self) -> str:
        """Return the observing seat's role, such as `attacks`, `defends` or `waits`."""
        return self.role_of(self._data.seat)

    def role_of(self, seat: int) -> str:
        """Return a seat's role: `attacks`, `throws in`, `defends`, `takes`, `out` or `waits`.

        >>> from durak_widget import Game
        >>> [Game(seed=7).view(0).role_of(seat) for seat in (0, 1)]
        ['attacks', 'defends']
        """
        data = self._data
        number = as_whole_number(seat)
        if number is None or not 0 <= number < len(data.counts):
            raise PositionError(f"{short_repr(seat)} is not a seat; the seats are 0 to {len(data.counts) - 1}")
        if not data.seats_in >> number & 1:
            return "out"
        if seat == data.defender:
            return "takes" if data.taking else "defends"
        if seat == data.attacker:
            return "attacks"
        return "throws in" if seat == data.actor and data.phase == PHASE_THROW_IN else "waits"

    @property
    def history(self) -> tuple[PlayedMove, ...]:
        """Return all moves so far, as the observing seat saw them.

        >>> from durak_widget import Game
        >>> game = Game(seed=7); game.play("attack Jc")
        >>> game.view(1).history
        (PlayedMove(seat=0, verb='attack', cards=(Card('Jc'),)),)
        """
        return tuple(
            PlayedMove(seat, "swap", ()) if move is None else PlayedMove(seat, move.verb, move.cards)
            for seat, move in zip(self._data.actors, self._data.moves, strict=True)
        )

    @property
    def bout_ends(self) -> tuple[BoutEnd, ...]:
        """Return the ends of the bouts so far: taken or beaten, the cards, and the draws.

        >>> from durak_widget import Game
        >>> game = Game.from_position(hands=["6c 7c", "8d 9d"], talon="Ac")
        >>> game.play("attack 6c"); game.play("take")
        >>> end = game.view(1).bout_ends[0]
        >>> str(end.table), end.taken, end.draw_counts, game.view(0).bout_ends[0].own_draw
        ('6c', True, ((0, 1),), CardSet('Ac'))
        """
        own_draws = dict(self._data.own_draws)
        return tuple(BoutEnd._make((*end, own_draws.get(end[0], 0))) for end in self._data.bout_ends)

    @property
    def memory(self) -> Memory | None:
        """Return what a player with perfect memory knows; None where memory is switched off.

        >>> from durak_widget import Game
        >>> game = Game.from_position(hands=["6c 7c", "8d 9d"], talon="Ac")
        >>> game.play("attack 6c"); game.play("take")
        >>> game.view(0).memory.known[1]
        CardSet('6c')
        """
        return None if self._data.known_hands is None else Memory(self._data)

    def beaters(self, card: Card | str) -> CardSet:
        """Return the cards of the deck that beat a given card with the current trump suit.

        See `Rules.beaters`.

        >>> from durak_widget import Game
        >>> view = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h", table="Jc").view(1)
        >>> view.hand & view.beaters("Jc")
        CardSet('9h')
        """
        return self.rules.beaters(card, self.trump)

    def without_hand(self) -> Observation:
        """Return the observation without the hand, so that it has only public information.

        The hand, its legal moves, its swaps and all memory are left out; `counts` still has the number of cards.

        >>> from durak_widget import Game
        >>> view = Game.from_position(hands=["6c 7c", "9h Ts"]).view(0).without_hand()
        >>> view
        <Observation of seat 0: ply 0, hand covered, table empty, attacks>
        >>> view.hand, view.counts, view.legal_moves()
        (CardSet(''), (2, 2), ())
        """
        return Observation(hide_hand(self._data))

    def without_legal_moves(self) -> Observation:
        """Return the observation without the legal moves, for questions about the moves.

        >>> from durak_widget import Game
        >>> view = Game.from_position(hands=["6c 7c", "9h Ts"]).view(0).without_legal_moves()
        >>> view.hand, view.legal_moves()
        (CardSet('6c 7c'), ())
        """
        return Observation(self._data._replace(legal_moves=()))

    @property
    def is_hand_hidden(self) -> bool:
        """Return whether the observing seat's own hand is left out; see `without_hand`."""
        return self._data.is_hand_hidden

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the observing seat's legal moves; no moves when another seat is to act.

        >>> from durak_widget import Game
        >>> game = Game.from_position(hands=["6c", "7c 8d"])
        >>> game.view(0).legal_moves(), game.view(1).legal_moves()
        ((Move('attack 6c'),), ())
        """
        return self._data.legal_moves

    def __eq__(self, other: object) -> bool:
        return self._data == other._data if isinstance(other, Observation) else NotImplemented

    def __hash__(self) -> int:
        data = self._data
        start = data.first_observation or data
        return hash((data.seat, data.ply, data.hand, data.turn_up, data.beats, data.own_draws, data.moves, start.hand, start.turn_up))

    def __repr__(self) -> str:
        hand = "covered" if self.is_hand_hidden else self.hand
        return f"<Observation of seat {self.seat}: ply {self.ply}, hand {hand}, table {self.table or 'empty'}, {self.role}>"


class ObservationData(NamedTuple):
    """All that one seat knows, as numbers and masks that do not tell copies of a card apart.

    See `cards` for the masks.

    >>> from durak_widget import Game
    >>> sight = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h", table="7d/9d 7s").view(1).data
    >>> sight.counts, sight.hand.bit_count(), sight.defender
    ((2, 2), 2, 1)
    """

    rules: Rules
    seat: int
    """The seat that observes."""

    # Fields about cards

    hand: int
    counts: tuple[int, ...]
    """The number of cards in each hand."""
    known_hands: tuple[int, ...] | None
    """For each seat, the cards that the observing seat knows to be in its hand; None without memory."""
    publicly_known: tuple[int, ...]
    """For each seat, the cards that all seats know to be in its hand; empty without memory."""
    discard: int
    """The mask of the discard pile; 0 without memory."""
    discard_count: int
    talon_count: int
    known_talon_cards: tuple[tuple[int, int], ...]
    """The talon cards that the observing seat knows, as pairs of index from the top and face."""
    trump_suit: int | None
    """The index of the trump suit in `SUITS`."""
    turn_up: int | None
    """The face of the turn-up, which is the face-up card that shows the trump suit."""
    has_hidden_card: bool
    """True if another card is face down under the turn-up."""
    has_card_aside: bool
    """True if a card that no seat may see is out of play."""

    # Fields about the current bout

    attacks: tuple[int, ...]
    """The played codes of the attacking cards."""
    beats: tuple[int, ...]
    """For each attacking card: the played code of the card that beat it, or -1."""
    table: int
    """The mask of all cards on the table."""
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
    newest_card_seat: int
    """The seat that played the newest attacking card."""
    seats_at_bout_start: int
    """The mask of the seats that were still in when the bout began."""
    shown_trumps: tuple[tuple[int, int], ...]
    """The trumps shown in this bout, as pairs of seat and face."""
    emptied_seats: tuple[int, ...]
    """The seats that played their last card in this bout."""
    has_swapped: bool
    """True if the attacker has swapped cards with the talon before this bout."""

    # Fields about the whole game

    seats_in: int
    places: tuple[int, ...]
    swap_counts: tuple[int, ...]
    repeatable_positions: tuple[tuple[int, ...], ...]
    """The positions, at starts of bouts, that can occur again: the attacker, and the cards by which each hand has changed since then.

    All seats saw those cards move, so this does not depend on hidden cards. With two decks there are two masks for each seat: the cards
    it had then and not now, and the opposite.
    """
    legal_moves: tuple[Move, ...]
    """The observing seat's legal moves; no moves where another seat is to act."""
    outcome: Outcome | None

    # Fields about the past

    bout_ends: tuple[tuple[Any, ...], ...]
    """The ends of the bouts so far, as the public fields of a `BoutEnd`."""
    own_draws: tuple[tuple[int, int], ...]
    """The observing seat's draws from the talon, as pairs of ply and mask."""
    actors: tuple[int, ...]
    moves: tuple[Move | None, ...]
    """The moves made so far; None in place of another seat's swap."""
    first_observation: ObservationData | None
    """What the observing seat knew when the game began; None at that moment itself."""
    is_hand_hidden: bool = False
    """True if the observing seat's hand, its swaps and all memory are left out."""

    @property
    def unseen(self) -> int:
        """Return the mask of the cards whose location the observing seat does not know.

        Without memory these are all hidden cards.
        """
        compiled = compile_rules(self.rules)
        located = self.table | (1 << self.turn_up if self.turn_up is not None else 0)
        if not compiled.has_two_decks:
            for mask in self.known_hands or (self.hand,):
                located |= mask
            for _, face in self.known_talon_cards:
                located |= 1 << face
            return compiled.deck_mask & ~(located | self.discard)
        unlocated = subtract_cards(subtract_cards(compiled.deck_mask, self.table), self.discard)
        for mask in self.known_hands or (self.hand,):
            unlocated = subtract_cards(unlocated, mask)
        talon_faces = [face for _, face in self.known_talon_cards]
        if self.turn_up is not None and self.turn_up not in talon_faces:
            talon_faces.append(self.turn_up)
        for face in talon_faces:
            unlocated = subtract_cards(unlocated, 1 << face)
        return unlocated


def observe_state(
    state: State, seat: int, history: GameHistory, first_observation: ObservationData | None, *, memory: bool = True
) -> ObservationData:
    """Return what a seat knows, given the full state.

    `history` is the history that led to the state, and `first_observation` is what the seat saw at the start. Without `memory`, the result has only the
    open cards, the moves and the seat's own cards.
    """
    compiled, hands, turn_up = state.compiled_rules, state.hands, state.turn_up
    put_back, has_two_decks = state.cards_put_back[seat], compiled.has_two_decks
    known: tuple[int, ...] | None = None
    publicly_known: tuple[int, ...] = ()
    talon_known: list[tuple[int, int]] = []
    if memory:
        publicly_known = tuple(map(and_, state.publicly_seen, hands))
        hands_known = (
            [hand & put_back | publicly_seen for hand, publicly_seen in zip(hands, publicly_known, strict=True)]
            if put_back
            else list(publicly_known)
        )
        hands_known[seat] = hands[seat]
        if has_two_decks:
            publicly_known, hands_known = tuple(map(normalize_copies, publicly_known)), list(map(normalize_copies, hands_known))
        known = tuple(hands_known)
        if put_back:
            tracked = put_back | state.drawable_turn_up
            talon_known = [(index, face_from_bit(bit)) for index, bit in enumerate(state.talon) if bit & tracked]
        elif state.drawable_turn_up:
            talon_known = [
                (
                    deal_and_trump.turn_up_index(compiled.rules, len(state.talon_suffix_masks) - 1, has_hidden_card=state.hidden_card != 0),
                    face_from_bit(turn_up),
                )
            ]
    actor, moves = state.actor, history.moves
    ends, own_draws = history.get_ends_and_draws(state, seat)
    return ObservationData(
        compiled.rules,
        seat,
        normalize_copies(hands[seat]) if has_two_decks else hands[seat],
        tuple([hand.bit_count() for hand in hands]),
        known,
        publicly_known,
        normalize_copies(state.discard) if memory else 0,
        state.discard.bit_count(),
        len(state.talon_suffix_masks) - 1,
        tuple(talon_known),
        state.trump_suit,
        face_from_bit(turn_up) if turn_up else None,
        bool(state.hidden_card),
        state.card_aside not in (0, turn_up),
        tuple(state.attacks),
        tuple(state.beats),
        normalize_copies(state.table) if has_two_decks else state.table,
        state.attacker,
        state.defender,
        actor,
        state.phase,
        state.limit,
        state.bout,
        state.ply,
        state.taking,
        state.passed,
        state.newest_card_seat,
        state.seats_at_bout_start,
        state.shown_trumps,
        state.emptied_seats,
        state.has_swapped,
        state.seats_in,
        state.places,
        state.swap_counts,
        _encode_repeatable_positions(state) if state.repeatable_positions else (),
        legal_moves(state) if actor == seat else (),
        state.outcome,
        ends,
        own_draws,
        tuple(history.actors),
        tuple(
            [
                None if move.kind == _SWAP_KIND and actor_seat != seat else move
                for actor_seat, move in zip(history.actors, moves, strict=True)
            ]
        )
        if compiled.max_swaps
        else tuple(moves),
        first_observation,
    )


def _encode_repeatable_positions(state: State) -> tuple[tuple[int, ...], ...]:
    """Encode the positions that can occur again, as changes of hands that all seats saw."""
    if not state.compiled_rules.has_two_decks:
        return tuple([(attacker, *map(xor, hands_then, state.hands)) for attacker, *hands_then in state.repeatable_positions])
    hands_now = list(map(normalize_copies, state.hands))
    return tuple(
        (
            attacker,
            *(
                mask
                for then, hand_now in zip(hands_then, hands_now, strict=True)
                for mask in (subtract_cards(then, hand_now), subtract_cards(hand_now, then))
            ),
        )
        for attacker, *hands_then in state.repeatable_positions
    )


def hide_hand(observation: ObservationData) -> ObservationData:
    """Return the public part of an observation, which all players know."""
    moves = tuple(None if move is None or move.kind == _SWAP_KIND else move for move in observation.moves)
    first = None if observation.first_observation is None else hide_hand(observation.first_observation)
    return observation._replace(
        hand=0, known_hands=None, publicly_known=(), discard=0, known_talon_cards=(), legal_moves=(), own_draws=(), moves=moves, first_observation=first, is_hand_hidden=True
    )  # fmt: skip
