"""The whole truth of one moment of a game, as plain numbers and masks.

A `State` is changed in place by the engine and copied cheaply by whoever searches. It holds what nobody may see: only
the game, and the solvers of `analysis` touch one; everybody else is given a `View`.
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
"""The attacker opens a bout."""
ADD: Final = 1
"""A thrower is asked."""
DEFEND: Final = 2
"""The defender beats, takes or transfers the attack."""
OVER: Final = 3
"""The game is over."""
_FROM_THE_RULES: Final = {"kit", "reach", "answers", "legal"}


class State:
    """A moment of a game. Masks have both copies of a face; see `cards`."""

    # Where the cards are

    kit: Kit
    hands: list[int]
    """The hand of each seat."""
    rest: tuple[int, ...]
    """The talon: the mask of the cards that remain in it when so many more are drawn, from all to none; see `talon`."""
    suit: int | None
    """The trump suit by its place in `SUITS`."""
    turn_up: int
    """The bit of the card that lies face up, or 0."""
    face_up: int
    """The turn-up while it can still be drawn, else 0."""
    hidden: int
    """The bit of the card that lies face down under the turn-up, or 0."""
    aside: int
    """The bit of a card out of play from the deal on, or 0."""
    discard: int
    reach: tuple[int, ...]
    """For every face, the cards that may answer it with this trump suit."""
    answers: tuple[Answers, ...]
    """For every face, the answers by the masks of the cards that make them."""

    # The bout

    bout: int
    attacker: int
    defender: int
    limit: int
    attacks: list[int]
    """The attacking cards as played codes, in the order played."""
    beats: list[int]
    """The card that beat each, or -1."""
    table: int
    """The mask of all cards on the table."""
    ranks: int
    """The mask of all cards whose rank lies on the table."""
    unbeaten: int
    """How many attacking cards are not beaten."""
    newest: int
    """The seat that played the newest attacking card; while none lies there, the attacker."""
    throwers: tuple[int, ...]
    """The seats that may throw in, in the order in which they are asked; none when the game is over."""
    passed: int
    """The mask of the seats that have passed."""
    taking: bool
    began: int
    """The mask of the seats that were in when the bout began."""
    shown: tuple[tuple[int, int], ...]
    """Which seat has shown which face in this bout."""
    emptied: tuple[int, ...]
    """The seats that played their last card in this bout, in that order."""
    swapped_now: bool
    """Whether the attacker has swapped before this bout."""

    # The game

    seats_in: int
    """The mask of the seats that are in."""
    places: tuple[int, ...]
    """The seats that are out, in the order in which they went."""
    swapped: tuple[int, ...]
    """How often each seat has swapped."""
    past: tuple[tuple[int, ...], ...]
    """The positions at the starts of bouts that may still come again: those since the last card drawn, discarded or swapped.

    Each is the attacker and the hands; there are none where repetition ends no game, and none when the game is over.
    """
    ply: int
    phase: int
    actor: int | None
    legal: tuple[Move, ...] | None
    """The legal moves, once somebody has asked for them."""
    outcome: Outcome | None

    # What was seen

    seen: list[int]
    """For each seat, the cards that everybody has seen go into its hand (those of them that it still holds count)."""
    put_back: tuple[int, ...]
    """For each seat, the cards that it put under the talon and can still follow."""
    ends: list[tuple[Any, ...]]
    """How the bouts so far ended, each the fields of a `BoutEnd`; who drew how many comes with the mask of what, which only that seat knows."""
    brought: tuple[tuple[int, int, int], ...]
    """What swaps brought: after how many moves, which seat, and the mask of what, which only that seat knows."""

    __slots__ = tuple(__annotations__)

    @property
    def talon(self) -> tuple[int, ...]:
        """The bits of the cards still to be drawn, first on top."""
        rest = self.rest
        return tuple(map(xor, rest, rest[1:]))

    @property
    def most(self) -> int:
        """The most attacking cards in this bout, whatever the defender holds."""
        return self.kit.most[self.bout > 1]

    def copy(self) -> State:
        """Another state that stands at the same moment and goes its own way."""
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
        """What tells two moments under the same rules apart: equal keys, and play from there on is the same.

        How play came there, what anybody knows, which copy of a card lies where, and the discard pile are not in it; of what may not matter later
        (who beat what with what, whose the newest card is, which bout it is) only what these rules ask. Where repetition ends a game, the positions
        that may come again are: solvers use rules without it, and a rule of their own.

        >>> from durak_widget import Game
        >>> one, other = (Game.from_position(hands=["6c 7c", "9h Ts"], discard=gone).state for gone in ("", "Ac"))
        >>> one.key() == other.key()
        True
        """
        if self.outcome is not None:
            return OVER, self.outcome
        kit, beats = self.kit, self.beats
        hands, table, talon = tuple(self.hands), self.table, self.rest
        if kit.twins:
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
            self.bout == 1 and kit.first_bout_differs,
            self.newest if kit.newest_first else None,
            (self.began, self.shown) if kit.transfers else None,
            (self.swapped, self.swapped_now) if kit.swaps else None,
            tuple(sorted(self.past)),
        )

    def __reduce__(self) -> tuple[Any, tuple[Rules, dict[str, Any]]]:
        """A pickle holds the rules, not the tables made from them."""
        return _rebuilt, (self.kit.rules, {slot: getattr(self, slot) for slot in self.__slots__ if slot not in _FROM_THE_RULES})

    def lay_talon(self, talon: tuple[int, ...]) -> None:
        """Put these cards down as the talon."""
        self.rest = tuple(accumulate(talon[::-1], initial=0))[::-1]

    def set_trump(self, suit: int | None) -> None:
        """Make this suit trump."""
        self.suit = suit
        self.reach, self.answers = self.kit.beating(suit)


def _rebuilt(rules: Rules, slots: dict[str, Any]) -> State:
    state = blank_state(kit_of(rules))
    for slot, value in slots.items():
        setattr(state, slot, value)
    state.set_trump(state.suit)
    return state


def blank_state(kit: Kit) -> State:
    """A state with no card anywhere and nobody at turn, to be filled: who fills it lays the talon and sets the trump."""
    state = State.__new__(State)
    seats = kit.players
    state.kit, state.hands, state.seen = kit, [0] * seats, [0] * seats
    state.turn_up = state.face_up = state.hidden = state.aside = state.discard = 0
    state.bout = state.attacker = state.defender = state.limit = state.newest = 0
    state.attacks, state.beats = [], []
    state.table = state.ranks = state.unbeaten = state.passed = 0
    state.throwers, state.shown, state.emptied, state.places, state.past, state.brought, state.ends = (), (), (), (), (), (), []
    state.taking = state.swapped_now = False
    state.began = state.seats_in = (1 << seats) - 1
    state.swapped = state.put_back = (0,) * seats
    state.ply, state.phase, state.actor, state.legal, state.outcome = 0, OVER, None, None, None
    return state


def shuffled(kit: Kit, seed: int | str) -> list[int]:
    """The deck shuffled with that seed, as bits: step by step here, so that no other Python deals another game (and it is faster)."""
    deck = list(kit.deck)
    draw = Random(seed).getrandbits
    for last, size in kit.places:
        other = draw(size)
        while other > last:
            other = draw(size)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def dealt_state(kit: Kit, deck: Sequence[int], dealer: int) -> State:
    """The state after the deal, before the first bout begins; the first attacker of a first game is set."""
    cards = list(deck)
    state = blank_state(kit)
    turned = deal_and_trump.show(kit.rules, cards, kit.can_show)
    state.hands = deal_and_trump.hands(kit.rules, cards, dealer)
    state.lay_talon(turned.talon)
    state.set_trump(turned.suit)
    state.turn_up, state.hidden, state.aside = turned.turn_up, turned.hidden, turned.aside
    state.face_up = 0 if turned.aside else turned.turn_up
    if turned.held:
        state.seen = [hand & turned.held for hand in state.hands]
    state.attacker = turns.opens_first_game(kit.rules, state.hands, turned.suit, dealer)
    return state


def copies(mask: int, used: int) -> int:
    """The faces of a mask as copies that are not used yet."""
    double = mask >> FACES
    single = mask & ONE_DECK & ~double
    return double | double << FACES | single & ~used | (single & used) << FACES


def copies_held(faces: int, hand: int) -> int:
    """The copies of those faces in a hand."""
    double = faces >> FACES
    single = faces & ONE_DECK & ~double
    return double | double << FACES | single & hand | (single & ~hand) << FACES
