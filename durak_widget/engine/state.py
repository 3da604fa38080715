"""The full state of one moment of a game, as plain numbers and masks.

The engine changes a `State` in place, and searches copy it cheaply. It contains hidden information, so only the game and the solvers of
`analysis` use it; all other code gets a `View`.
"""

from __future__ import annotations

from itertools import accumulate
from operator import xor
from random import Random
from typing import TYPE_CHECKING, Any, Final

from durak_widget.cards import FACES, ONE_DECK, face_of, plainly
from durak_widget.engine.compiled_rules import kit_of
from durak_widget.rules import deal_and_trump, turns

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from durak_widget.engine.compiled_rules import Answers, Kit
    from durak_widget.engine.moves import Move
    from durak_widget.rules.ruleset import Rules
    from durak_widget.rules.scoring import Outcome

OPEN: Final = 0
"""The phase in which the attacker opens a bout."""
ADD: Final = 1
"""The phase in which a player may throw in."""
DEFEND: Final = 2
"""The phase in which the defender beats, takes or transfers."""
OVER: Final = 3
"""The phase after the end of the game."""
_FROM_THE_RULES: Final = {"kit", "reach", "answers", "legal"}


class State:
    """A moment of a game; in masks the second copy of a face is 54 bits higher, see `cards`."""

    # Cards

    kit: Kit
    hands: list[int]
    """The hand of each seat."""
    rest: tuple[int, ...]
    """The talon as suffix masks: the cards that remain after 0, 1, 2, … draws; see `talon`."""
    suit: int | None
    """The index of the trump suit in `SUITS`."""
    turn_up: int
    """The bit of the face-up card, or 0."""
    face_up: int
    """The bit of the turn-up while it can still be drawn, else 0."""
    hidden: int
    """The bit of the face-down card under the turn-up, or 0."""
    aside: int
    """The bit of a card that is out of play from the deal on, or 0."""
    discard: int
    reach: tuple[int, ...]
    """For each face, the mask of the cards that can beat it with this trump suit."""
    answers: tuple[Answers, ...]
    """For each face, the beating moves by the masks of the cards that make them."""

    # The bout

    bout: int
    attacker: int
    defender: int
    limit: int
    attacks: list[int]
    """The played codes of the attacking cards, in the order played."""
    beats: list[int]
    """The played code of the card that beat each attacking card, or -1."""
    table: int
    """The mask of all cards on the table."""
    ranks: int
    """The mask of all cards whose rank is on the table."""
    unbeaten: int
    """The number of attacking cards that are not beaten."""
    newest: int
    """The seat that played the newest attacking card; the attacker while the table is empty."""
    throwers: tuple[int, ...]
    """The seats that may throw in, in the order in which they are asked; empty after the game."""
    passed: int
    """The mask of the seats that have passed."""
    taking: bool
    began: int
    """The mask of the seats that were in when the bout began."""
    shown: tuple[tuple[int, int], ...]
    """The trumps shown in this bout, as pairs of seat and face."""
    emptied: tuple[int, ...]
    """The seats that played their last card in this bout, in that order."""
    swapped_now: bool
    """True if the attacker has swapped before this bout."""

    # The game

    seats_in: int
    """The mask of the seats that are in."""
    places: tuple[int, ...]
    """The seats that are out, in the order in which they went out."""
    swapped: tuple[int, ...]
    """The number of swaps that each seat has made."""
    past: tuple[tuple[int, ...], ...]
    """The positions at starts of bouts that can still repeat: those since the last draw, discard or swap.

    Each is the attacker and the hands. It is empty if repetition ends no game, and after the game.
    """
    ply: int
    phase: int
    actor: int | None
    legal: tuple[Move, ...] | None
    """The legal moves, once they have been computed."""
    outcome: Outcome | None

    # Knowledge of the seats

    seen: list[int]
    """For each seat, the cards that all have seen go into its hand; only those still in it count."""
    put_back: tuple[int, ...]
    """For each seat, the cards that it put under the talon and can still locate."""
    ends: list[tuple[Any, ...]]
    """The ends of the bouts so far, as fields of a `BoutEnd`; each draw includes its mask, known to its seat only."""
    brought: tuple[tuple[int, int, int], ...]
    """The draws by swaps: ply, seat, and the mask, which only that seat knows."""

    __slots__ = tuple(__annotations__)

    @property
    def talon(self) -> tuple[int, ...]:
        """Return the bits of the cards still to be drawn, first on top."""
        rest = self.rest
        return tuple(map(xor, rest, rest[1:]))

    @property
    def most(self) -> int:
        """Return the maximum number of attacking cards in this bout, whatever the defender holds."""
        return self.kit.most[self.bout > 1]

    def copy(self) -> State:
        """Return an independent copy of the state."""
        new = State.__new__(State)
        new.kit = self.kit
        new.hands = self.hands[:]
        new.rest = self.rest
        new.suit, new.turn_up, new.face_up, new.hidden, new.aside = self.suit, self.turn_up, self.face_up, self.hidden, self.aside
        new.discard, new.reach, new.answers = self.discard, self.reach, self.answers
        new.bout, new.attacker, new.defender, new.limit = self.bout, self.attacker, self.defender, self.limit
        new.attacks, new.beats = self.attacks[:], self.beats[:]
        new.table, new.ranks, new.unbeaten, new.newest = self.table, self.ranks, self.unbeaten, self.newest
        new.throwers, new.passed, new.taking = self.throwers, self.passed, self.taking
        new.began, new.shown, new.emptied = self.began, self.shown, self.emptied
        new.seats_in, new.places = self.seats_in, self.places
        new.swapped, new.swapped_now, new.past = self.swapped, self.swapped_now, self.past
        new.seen, new.put_back, new.ends, new.brought = self.seen[:], self.put_back, self.ends[:], self.brought
        new.ply, new.phase, new.actor, new.legal, new.outcome = self.ply, self.phase, self.actor, self.legal, self.outcome
        return new

    def key(self) -> Hashable:
        """Return a key that is equal for positions from which play continues identically.

        The key leaves out the history, the knowledge of players, the copies of cards, and the discard pile. It includes details such as
        who showed a trump or which bout this is only if the rules depend on them. Positions that can still repeat are in the key where
        repetition ends a game: solvers use rules without repetition, and a rule of their own.

        >>> from durak_widget import Game
        >>> first, second = (Game.from_position(hands=["6c 7c", "9h Ts"], discard=discard).state for discard in ("", "Ac"))
        >>> first.key() == second.key()
        True
        """
        if self.outcome is not None:
            return OVER, self.outcome
        compiled, beats = self.kit, self.beats
        hands, table, talon = tuple(self.hands), self.table, self.rest
        if compiled.twins:
            hands, table, talon = tuple(map(plainly, hands)), plainly(table), tuple(map(face_of, self.talon))
        beaten = [beat >= 0 for beat in beats] if beats else ()
        return (
            *hands,
            talon,
            face_of(self.face_up) if self.face_up else None,
            bool(self.hidden),
            self.suit,
            self.actor,
            self.attacker,
            self.defender,
            self.limit,
            tuple(self.attacks),
            tuple(beaten),
            table,
            self.passed,
            self.taking,
            self.emptied,
            self.seats_in,
            self.places,
            self.bout == 1 and compiled.first_bout_differs,
            self.newest if compiled.newest_first else None,
            (self.began, self.shown) if compiled.transfers else None,
            (self.swapped, self.swapped_now) if compiled.swaps else None,
            tuple(sorted(self.past)),
        )

    def __reduce__(self) -> tuple[Any, tuple[Rules, dict[str, Any]]]:
        """Pickle the rules, not the tables compiled from them."""
        return _rebuilt, (self.kit.rules, {slot: getattr(self, slot) for slot in self.__slots__ if slot not in _FROM_THE_RULES})

    def lay_talon(self, talon: tuple[int, ...]) -> None:
        """Set the talon to these cards."""
        self.rest = tuple(accumulate(talon[::-1], initial=0))[::-1]

    def set_trump(self, suit: int | None) -> None:
        """Set the trump suit."""
        self.suit = suit
        self.reach, self.answers = self.kit.beating(suit)


def _rebuilt(rules: Rules, slots: dict[str, Any]) -> State:
    state = blank_state(kit_of(rules))
    for slot, value in slots.items():
        setattr(state, slot, value)
    state.set_trump(state.suit)
    return state


def blank_state(kit: Kit) -> State:
    """Create a state without cards and without an actor, to be filled by the caller.

    The caller has to set the talon and the trump suit.
    """
    state = State.__new__(State)
    seat_count = kit.players
    state.kit, state.hands, state.seen = kit, [0] * seat_count, [0] * seat_count
    state.turn_up = state.face_up = state.hidden = state.aside = state.discard = 0
    state.bout = state.attacker = state.defender = state.limit = state.newest = 0
    state.attacks, state.beats = [], []
    state.table = state.ranks = state.unbeaten = state.passed = 0
    state.throwers, state.shown, state.emptied, state.places, state.past, state.brought, state.ends = (), (), (), (), (), (), []
    state.taking = state.swapped_now = False
    state.began = state.seats_in = (1 << seat_count) - 1
    state.swapped = state.put_back = (0,) * seat_count
    state.ply, state.phase, state.actor, state.legal, state.outcome = 0, OVER, None, None, None
    return state


def shuffled(kit: Kit, seed: int | str) -> list[int]:
    """Return the deck shuffled with this seed, as bits.

    The shuffle is written out here, so that no other version of Python deals another game; it is also faster.
    """
    deck = list(kit.deck)
    random_bits = Random(seed).getrandbits
    for last, bit_count in kit.places:
        index = random_bits(bit_count)
        while index > last:
            index = random_bits(bit_count)
        deck[last], deck[index] = deck[index], deck[last]
    return deck


def dealt_state(kit: Kit, deck: Sequence[int], dealer: int) -> State:
    """Return the state after the deal, before the first bout, with its first attacker set."""
    cards = list(deck)
    state = blank_state(kit)
    reveal = deal_and_trump.show(kit.rules, cards, kit.can_show)
    state.hands = deal_and_trump.hands(kit.rules, cards, dealer)
    state.lay_talon(reveal.talon)
    state.set_trump(reveal.suit)
    state.turn_up, state.hidden, state.aside = reveal.turn_up, reveal.hidden, reveal.aside
    state.face_up = 0 if reveal.aside else reveal.turn_up
    if reveal.held:
        state.seen = [hand & reveal.held for hand in state.hands]
    state.attacker = turns.opens_first_game(kit.rules, state.hands, reveal.suit, dealer)
    return state


def copies(mask: int, used: int) -> int:
    """Return the faces of a mask as copies that are not used yet."""
    second_copies = mask >> FACES
    single_copies = mask & ONE_DECK & ~second_copies
    return second_copies | second_copies << FACES | single_copies & ~used | (single_copies & used) << FACES


def copies_held(faces: int, hand: int) -> int:
    """Return the copies of these faces that are in a hand."""
    second_copies = faces >> FACES
    single_copies = faces & ONE_DECK & ~second_copies
    return second_copies | second_copies << FACES | single_copies & hand | (single_copies & ~hand) << FACES
