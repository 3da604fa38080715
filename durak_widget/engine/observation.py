"""Defines observations: everything that one player knows about a game.

An `Observation` has the open cards, the player's own hand, and everything that the player could remember. It has no reference to the state or
the game, so hidden information cannot be reached from it. An `ObservationData` has the same content as plain numbers and bit masks. It is an
information state with perfect recall: if two are equal now, they were equal at every earlier moment. `engine.determinization` builds a state
from an `ObservationData` and a guess at the hidden cards.
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
"""The value of `Move.kind` for a swap, which is the only move whose cards the other seats do not see."""


class PlayedMove(NamedTuple):
    """A past move as the observing seat saw it: the seat that moved, the verb, and the cards.

    A swap by another seat has no cards here, because they are hidden.

    >>> str(PlayedMove(0, "attack", (Card("6c"),)))
    'attack 6c'
    """

    seat: int
    verb: Verb
    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return " ".join([self.verb, *map(str, self.cards)])


class Memory:
    """What a player with a perfect memory knows in addition to the open cards.

    >>> from durak_widget import Game
    >>> len(Game(seed=7).view(0).memory.unseen)
    29
    """

    __slots__ = ("_data",)

    def __init__(self, data: ObservationData) -> None:
        self._data = data

    @property
    def known(self) -> tuple[CardSet, ...]:
        """Return the cards that the observing seat knows to be in each seat's hand."""
        return tuple(map(CardSet.from_mask, self._data.known_hands or ()))

    @property
    def discarded(self) -> CardSet:
        """Return the cards in the discard pile, as a player with a perfect memory knows them."""
        return CardSet.from_mask(self._data.discard)

    @property
    def talon(self) -> tuple[tuple[int, Card], ...]:
        """Return the talon cards that the observing seat knows, each with its index in the talon.

        The card at index 0 is on top and is drawn next.
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
    """Everything that a player in one seat knows: their hand, the open cards and past moves.

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
        """Return the observation as plain numbers and bit masks, for fast code."""
        return self._data

    @property
    def seat(self) -> int:
        """Return the observing seat: the seat whose knowledge the observation has."""
        return self._data.seat

    @property
    def rules(self) -> Rules:
        """Return the rules of the game."""
        return self._data.rules

    @property
    def hand(self) -> CardSet:
        """Return the cards in the observing seat's hand; an empty set if the hand is hidden."""
        return CardSet.from_mask(self._data.hand)

    @property
    def counts(self) -> tuple[int, ...]:
        """Return the number of cards in each hand."""
        return self._data.counts

    @property
    def table(self) -> Pairs:
        """Return the table as pairs: an attacking card, and the card that beat it (or None)."""
        return Pairs.from_codes(self._data.attacks, self._data.beats)

    @property
    def trump(self) -> str | None:
        """Return the trump suit: `c`, `d`, `h` or `s`, or None if the game has no trumps."""
        return None if self._data.trump_suit is None else SUITS[self._data.trump_suit]

    @property
    def turn_up(self) -> Card | None:
        """Return the face-up card that shows the trump suit; None if no such card is left."""
        return None if self._data.turn_up is None else Card.from_code(self._data.turn_up)

    @property
    def talon_count(self) -> int:
        """Return the number of cards in the talon (the draw pile)."""
        return self._data.talon_count

    @property
    def discard_count(self) -> int:
        """Return the number of cards in the discard pile."""
        return self._data.discard_count

    @property
    def attacker(self) -> int:
        """Return the seat that attacks in the current bout."""
        return self._data.attacker

    @property
    def defender(self) -> int:
        """Return the seat that defends in the current bout."""
        return self._data.defender

    @property
    def actor(self) -> int | None:
        """Return the seat whose turn it is; None when the game is over."""
        return self._data.actor

    @property
    def limit(self) -> int:
        """Return the maximum number of attacking cards in the current bout."""
        return self._data.limit

    @property
    def bout(self) -> int:
        """Return the number of the current bout, counted from 1."""
        return self._data.bout

    @property
    def ply(self) -> int:
        """Return the number of moves that have been made in the game."""
        return self._data.ply

    @property
    def taking(self) -> bool:
        """Return whether the defender has already decided to take the cards in this bout."""
        return self._data.taking

    @property
    def passed(self) -> tuple[int, ...]:
        """Return the seats that have passed and are not asked again to throw in."""
        return tuple(bit_indices(self._data.passed))

    @property
    def seats_in(self) -> tuple[int, ...]:
        """Return the seats that are still in the game."""
        return tuple(bit_indices(self._data.seats_in))

    @property
    def places(self) -> tuple[int, ...]:
        """Return the seats that have left the game, in the order in which they left it."""
        return self._data.places

    @property
    def swap_counts(self) -> tuple[int, ...]:
        """Return how often each seat has swapped cards with the talon in this game."""
        return self._data.swap_counts

    @property
    def shown_trumps(self) -> tuple[tuple[int, Card], ...]:
        """Return the trumps that players have shown (to transfer) in this bout, with their seats."""
        return tuple((seat, Card.from_code(face)) for seat, face in self._data.shown_trumps)

    @property
    def outcome(self) -> Outcome | None:
        """Return the result of the game; None while the game is not over."""
        return self._data.outcome

    @property
    def role(self) -> str:
        """Return what the observing seat does now, such as `attacks`, `defends` or `waits`."""
        return self.role_of(self._data.seat)

    def role_of(self, seat: int) -> str:
        """Return what a seat does: `attacks`, `throws in`, `defends`, `takes`, `waits` or `out`.

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
        """Return all past moves, as the observing seat saw them.

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
        """Return how each finished bout ended: the cards, who took them, and each seat's draws.

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
        """Return what a player with perfect memory knows; None for an observation without memory.

        >>> from durak_widget import Game
        >>> game = Game.from_position(hands=["6c 7c", "8d 9d"], talon="Ac")
        >>> game.play("attack 6c"); game.play("take")
        >>> game.view(0).memory.known[1]
        CardSet('6c')
        """
        return None if self._data.known_hands is None else Memory(self._data)

    def beaters(self, card: Card | str) -> CardSet:
        """Return the cards of the deck that beat a given card, with the trump suit of this game.

        See `Rules.beaters`.

        >>> from durak_widget import Game
        >>> view = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h", table="Jc").view(1)
        >>> view.hand & view.beaters("Jc")
        CardSet('9h')
        """
        return self.rules.beaters(card, self.trump)

    def without_hand(self) -> Observation:
        """Return a copy of the observation that has only public information.

        The copy lacks the hand, the legal moves, the cards of swaps, and all memory. `counts` still has the number of cards in the hand.

        >>> from durak_widget import Game
        >>> view = Game.from_position(hands=["6c 7c", "9h Ts"]).view(0).without_hand()
        >>> view
        <Observation of seat 0: ply 0, hand covered, table empty, attacks>
        >>> view.hand, view.counts, view.legal_moves()
        (CardSet(''), (2, 2), ())
        """
        return Observation(hide_hand(self._data))

    def without_legal_moves(self) -> Observation:
        """Return a copy of the observation that does not contain the legal moves.

        Exercises that ask for the legal moves need such a copy.

        >>> from durak_widget import Game
        >>> view = Game.from_position(hands=["6c 7c", "9h Ts"]).view(0).without_legal_moves()
        >>> view.hand, view.legal_moves()
        (CardSet('6c 7c'), ())
        """
        return Observation(self._data._replace(legal_moves=()))

    @property
    def is_hand_hidden(self) -> bool:
        """Return whether this observation lacks the observing seat's own hand."""
        return self._data.is_hand_hidden

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the observing seat's legal moves; an empty tuple if it is another seat's turn.

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
    """Everything that one seat knows about a game, as plain numbers and bit masks.

    The masks do not distinguish the two copies of a card. The module `cards` explains them.

    >>> from durak_widget import Game
    >>> data = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h", table="7d/9d 7s").view(1).data
    >>> data.counts, data.hand.bit_count(), data.defender
    ((2, 2), 2, 1)
    """

    rules: Rules
    seat: int
    """The observing seat: the seat whose knowledge the observation has."""

    # --- Fields that describe the cards ---

    hand: int
    counts: tuple[int, ...]
    """The number of cards in each hand."""
    known_hands: tuple[int, ...] | None
    """The cards that the observing seat knows to be in each hand, as bit masks; None without memory."""
    publicly_known: tuple[int, ...]
    """The cards that all seats know to be in each hand, as bit masks; empty without memory."""
    discard: int
    """The bit mask of the discard pile; 0 without memory."""
    discard_count: int
    talon_count: int
    known_talon_cards: tuple[tuple[int, int], ...]
    """The talon cards that the observing seat knows, as pairs of the index from the top and the face code."""
    trump_suit: int | None
    """The trump suit, as an index in `SUITS`; None if the game has no trumps."""
    turn_up: int | None
    """The face code of the face-up card that shows the trump suit; None if no such card is left."""
    has_hidden_card: bool
    """True if there is a hidden card under the face-up trump card."""
    has_card_aside: bool
    """True if one card that no player may see has been out of play since the deal."""

    # --- Fields that describe the current bout ---

    attacks: tuple[int, ...]
    """The codes of the attacking cards, in the order in which they were played."""
    beats: tuple[int, ...]
    """The code of the card that beat each attacking card; -1 if no card has beaten it yet."""
    table: int
    """The bit mask of all cards on the table."""
    attacker: int
    defender: int
    actor: int | None
    phase: int
    limit: int
    bout: int
    ply: int
    taking: bool
    passed: int
    """The bit mask of the seats that have passed, so that they are not asked again to throw in."""
    newest_card_seat: int
    """The seat that played the last attacking card."""
    seats_at_bout_start: int
    """The bit mask of the seats that were still in the game when the bout began."""
    shown_trumps: tuple[tuple[int, int], ...]
    """The trumps that players have shown (to transfer) in this bout, as pairs of a seat and a face code."""
    emptied_seats: tuple[int, ...]
    """The seats that played their last card in this bout."""
    has_swapped: bool
    """True if the attacker has swapped cards with the talon before opening this bout."""

    # --- Fields that describe the whole game ---

    seats_in: int
    places: tuple[int, ...]
    swap_counts: tuple[int, ...]
    repeatable_positions: tuple[tuple[int, ...], ...]
    """The earlier starts of bouts that can still occur again, for the rule that repetition ends the game.

    Each has the attacker, and for each hand the bit mask of the cards that have changed since then. All seats saw those cards move, so the masks
    do not depend on hidden cards. With two decks there are two masks for each seat: the cards that it had then but not now, and the opposite.
    """
    legal_moves: tuple[Move, ...]
    """The observing seat's legal moves; empty if it is another seat's turn."""
    outcome: Outcome | None

    # --- Fields that describe the past ---

    bout_ends: tuple[tuple[Any, ...], ...]
    """How each finished bout ended, as a tuple with the public fields of a `BoutEnd`."""
    own_draws: tuple[tuple[int, int], ...]
    """The observing seat's draws from the talon, as pairs of a ply and the bit mask of the cards."""
    actors: tuple[int, ...]
    moves: tuple[Move | None, ...]
    """All moves of the game so far; another seat's swap is None, because the swapped cards are hidden."""
    first_observation: ObservationData | None
    """What the observing seat knew when the game began; None if no move has been made yet."""
    is_hand_hidden: bool = False
    """True if this observation lacks the observing seat's hand and swaps, and all memory."""

    @property
    def unseen(self) -> int:
        """Return the bit mask of the cards whose location the observing seat does not know.

        Without memory, these are all cards that are neither open nor in the seat's own hand.
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
    """Return what a seat knows about a game that is in the given state.

    `history` is the history that led to the state, and `first_observation` is what the seat knew at the start. Without `memory`, the result has
    only the open cards, the moves, and the seat's own cards.
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
    """Encode the earlier positions that may occur again, as changes of the hands since then."""
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
    """Return only the public part of an observation: what all players know."""
    moves = tuple(None if move is None or move.kind == _SWAP_KIND else move for move in observation.moves)
    first = None if observation.first_observation is None else hide_hand(observation.first_observation)
    return observation._replace(
        hand=0, known_hands=None, publicly_known=(), discard=0, known_talon_cards=(), legal_moves=(), own_draws=(), moves=moves, first_observation=first, is_hand_hidden=True
    )  # fmt: skip
