"""The rules of a game compiled to the numbers, masks and tables that the engine looks up.

The functions of the rule modules are called here only, so they are not called again during play.
"""

from __future__ import annotations

from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

from durak_widget.cards import FACES, ONE_DECK, SUIT_MASKS, Card, folded
from durak_widget.engine.moves import PASS_MOVE, TAKE_MOVE, Move
from durak_widget.rules import attack, deal_and_trump, deck_and_beating, scoring, seating, turns

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.engine.moves import Verb
    from durak_widget.rules.ruleset import Rules

_MOST_REMEMBERED = 1 << 14
_CLUBS, _DIAMONDS, _HEARTS, _ = SUIT_MASKS
_REST = ONE_DECK ^ _CLUBS ^ _DIAMONDS ^ _HEARTS
_PLAYED_CODES = 5 * FACES

COUNTS = tuple(code if code < FACES else 13 * (code // FACES - 1) + code % FACES % 13 for code in range(_PLAYED_CODES))
"""The face that each played code counts as."""
_OF_RANK = [sum(1 << f | 1 << f + FACES for f in range(FACES) if deck_and_beating.rank_of(f) == rank) for rank in range(14)]
SAME_RANK = tuple(_OF_RANK[deck_and_beating.rank_of(code % FACES)] for code in range(_PLAYED_CODES))
"""The mask (both copies) of the cards of the same rank, for each played code."""


class MoveLists:
    """A cache of move lists by the mask of their cards; a full cache is cleared.

    >>> lists = MoveLists(lambda face: (Move.of("throw", Card.of(face)),), (PASS_MOVE,))
    >>> lists[0b11], list(lists.made)
    ((Move('throw 2c'), Move('throw 3c'), Move('pass')), [0, 2, 3])
    """

    __slots__ = ("made", "of", "tail")

    made: dict[int, tuple[Move, ...]]
    """The lists made so far.

    The engine looks here first, because a lookup in a plain dict is faster than a call of our own class.
    """
    of: Callable[[int], tuple[Move, ...]]
    """The function that returns the moves of one face."""

    def __init__(self, of: Callable[[int], tuple[Move, ...]], tail: tuple[Move, ...] = ()) -> None:
        self.made, self.of, self.tail = {}, of, tail

    def __getitem__(self, mask: int) -> tuple[Move, ...]:
        moves = self.made.get(mask)
        if moves is None:
            moves = self.tail
            if faces := folded(mask):
                lowest = faces & -faces
                moves = self.of(lowest.bit_length() - 1) + self[faces ^ lowest]
            if len(self.made) >= _MOST_REMEMBERED:
                self.made.clear()
            self.made[mask] = moves
        return moves


Answers = tuple[int, MoveLists, int, MoveLists]
"""The beating moves for a face: a mask of the lower cards with their cache, and the same for the higher ones.

The mask (both copies) has the cards below the end of the higher of its suit and the trump suit. With two halves the caches stay small:
most cards are beaten from two suits, and a suit can be held in few ways.
"""


class Kit:
    """A rule set, compiled for play."""

    rules: Rules
    players: int
    side: tuple[int, ...]
    """The side of each seat."""
    twins: bool
    """True if there are two cards of each face."""
    deck: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    """The steps of a shuffle, from the last card to the second: index, and number of random bits for it."""
    all_cards: int
    """The mask of the deck."""
    hand_size: int
    beaten_needed: int
    beaten_first: bool
    """True if throwers are asked only when all cards are beaten, or the defender takes."""
    after_take: bool
    card_voids_passes: bool
    newest_first: bool
    most: tuple[int, ...]
    """The maximum numbers of attacking cards in the first bout and in the others."""
    transfers: bool
    shows: bool
    transfer_from: int
    first_bout_differs: bool
    several: bool
    swaps: int
    at_once: bool
    times_to_draw: int
    can_show: int
    plays: list[tuple[int, ...]]
    """For each face, the codes that it may be played as."""
    declared: int
    over_with: list[bool]
    """For each mask of seats that are in, whether that alone ends the game."""
    opponent: list[list[int | None]]
    next_in: list[list[int | None]]
    draws: list[list[list[tuple[int, ...]]]]
    """The seats in the order in which they draw, by whether the defender took, attacker and defender."""
    bouts: list[list[tuple[int, tuple[int, ...]]]]
    """The defender and the throwers of a bout, by the mask of the seats that are in and the attacker."""
    attacks: tuple[MoveLists, ...]
    """The opening moves from the clubs, the diamonds, the hearts, and the other cards of a hand."""
    throws: MoveLists
    transfer_moves: MoveLists
    _throwers: dict[int, tuple[int, ...]]
    _beating: dict[int | None, tuple[tuple[int, ...], tuple[Answers, ...]]]

    __slots__ = tuple(__annotations__)

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.players = players = seating.seats(rules)
        self.side = seating.sides(rules)
        self.twins = deck_and_beating.two_decks(rules)
        self.deck = tuple(deck_and_beating.deck(rules))
        self.places = tuple((last, (last + 1).bit_length()) for last in range(len(self.deck) - 1, 0, -1))
        self.all_cards = sum(self.deck)
        self.hand_size = deal_and_trump.hand_size(rules)
        self.beaten_needed = attack.beaten_needed(rules)
        self.beaten_first = self.beaten_needed == attack.NEVER
        self.after_take = attack.after_take(rules)
        self.card_voids_passes = not attack.pass_outlasts_cards(rules)
        self.newest_first = attack.newest_first(rules)
        self.most = tuple(attack.most(rules, first_bout=is_first_bout) for is_first_bout in (True, False))
        self.transfers, self.shows = attack.allowed(rules), attack.by_showing(rules)
        self.transfer_from = attack.first_bout(rules)
        self.first_bout_differs = self.most[0] != self.most[1] or (self.transfers and self.transfer_from > 1)
        self.several = attack.several(rules)
        self.swaps = deal_and_trump.times(rules)
        self.at_once = scoring.out_at_once(rules)
        self.times_to_draw = scoring.times_to_draw(rules)
        self.can_show = deal_and_trump.can_show(rules)
        self.plays = deck_and_beating.plays(rules)
        self.declared = deck_and_beating.covered(rules)

        seats, seat_masks = range(players), range(1 << players)
        self.over_with = [scoring.over(rules, mask, ()) for mask in seat_masks]
        self.opponent = [[seating.next_opponent(rules, seat, mask) for seat in seats] for mask in seat_masks]
        self.next_in = [[seating.next_in(seat, mask, players) for seat in seats] for mask in seat_masks]
        self.draws = [
            [[turns.draws(rules, attacker, defender, taken=taken) for defender in seats] for attacker in seats] for taken in (False, True)
        ]
        self._throwers = {}
        self.bouts = [[self._bout(seat, mask) for seat in seats] for mask in seat_masks]

        self.attacks = tuple(MoveLists(cache(partial(self._played, "attack"))) for _ in SUIT_MASKS)
        self.throws = MoveLists(cache(partial(self._played, "throw")), (PASS_MOVE,))
        self.transfer_moves = MoveLists(cache(partial(self._played, "transfer")))
        self._beating = {}

    def _played(self, verb: Verb, face: int) -> tuple[Move, ...]:
        """Return the moves of a verb with a card."""
        return tuple([Move.of(verb, Card.of(code)) for code in self.plays[face]])

    def _beats(self, attack: Card, able: int, face: int) -> tuple[Move, ...]:
        """Return the moves with this face that beat an attacking card.

        `able` is the mask of the cards that beat it.
        """
        return tuple([Move.of("beat", attack, Card.of(code)) for code in self.plays[face] if able >> COUNTS[code] & 1])

    def _bout(self, attacker: int, seats_in: int) -> tuple[int, tuple[int, ...]]:
        """Return the defender of a bout that this seat opens, and the throwers in order.

        Without an opponent no bout is opened; the seat is then its own defender.
        """
        defender = self.opponent[seats_in][attacker]
        return (attacker, ()) if defender is None else (defender, self.throwers(attacker, defender, attacker, seats_in))

    def throwers(self, attacker: int, defender: int, newest: int, seats_in: int) -> tuple[int, ...]:
        """Return the seats that may throw in, in the order in which they are asked."""
        key = attacker | defender << 3 | newest << 6 | seats_in << 9
        throwers = self._throwers.get(key)
        if throwers is None:
            throwers = self._throwers[key] = attack.asked(self.rules, attacker, defender, newest, seats_in)
        return throwers

    def openings(self, hand: int) -> tuple[Move, ...]:
        """Return the moves that open with one card of a hand."""
        if self.twins:
            hand = (hand | hand >> FACES) & ONE_DECK
        clubs, diamonds, hearts, rest = self.attacks
        try:
            return clubs.made[hand & _CLUBS] + diamonds.made[hand & _DIAMONDS] + hearts.made[hand & _HEARTS] + rest.made[hand & _REST]
        except KeyError:
            return clubs[hand & _CLUBS] + diamonds[hand & _DIAMONDS] + hearts[hand & _HEARTS] + rest[hand & _REST]

    def beating(self, suit: int | None) -> tuple[tuple[int, ...], tuple[Answers, ...]]:
        """Return, for each face, the mask of the cards that can beat it, and the beating moves.

        This depends on the trump suit. A card that may be played in a chosen suit is in the mask if it beats the face in one of them.
        """
        tables = self._beating.get(suit)
        if tables is None:
            played_masks = [
                (1 << card_face | 1 << card_face + FACES, sum(1 << COUNTS[code] for code in codes))
                for card_face, codes in enumerate(self.plays)
            ]
            reach, answers = [], []
            for face, mask in enumerate(deck_and_beating.beaters(self.rules, suit)):
                beaters = sum([copies for copies, effective_mask in played_masks if mask & effective_mask])
                below = (1 << 13 * max(face // 13, suit or 0)) - 1
                low_mask = beaters & (below | below << FACES)
                make_beats = cache(partial(self._beats, Card.of(face), mask))
                reach.append(beaters)
                answers.append((low_mask, MoveLists(make_beats), beaters ^ low_mask, MoveLists(make_beats, (TAKE_MOVE,))))
            tables = self._beating[suit] = tuple(reach), tuple(answers)
        return tables

    def over(self, seats_in: int, places: tuple[int, ...]) -> bool:
        """Return whether the game is over with these seats in (a mask) and these out."""
        return self.over_with[seats_in] or (bool(places) and scoring.over(self.rules, seats_in, places))


@lru_cache(maxsize=128)
def kit_of(rules: Rules) -> Kit:
    """Return the compiled form of a rule set, from a cache."""
    return Kit(rules)


def mask_of_trumps(suit: int | None) -> int:
    """Return the mask (both copies) of a suit; 0 for none."""
    return 0 if suit is None else SUIT_MASKS[suit] | SUIT_MASKS[suit] << FACES
