"""The rules of a game worked out once, as the numbers, masks and tables that the engine looks up.

Everything a rule module answers is asked here, so that play itself asks nothing twice.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from durak_widget.cards import Card
from durak_widget.game.play.moves import PASS_MOVE, TAKE_MOVE, Move
from durak_widget.masks import FACES, ONE_DECK, SUIT_MASKS, bits_of, folded
from durak_widget.rules import (
    beating,
    dealing,
    declaring,
    exchange,
    limit,
    opening,
    pack,
    scoring,
    seating,
    throwing,
    transfer,
    trump,
    turns,
)

if TYPE_CHECKING:
    from durak_widget.game.play.moves import Verb
    from durak_widget.rules.book import Rules

_MOST_REMEMBERED = 1 << 14
_CLUBS, _DIAMONDS, _HEARTS, _ = SUIT_MASKS
_REST = ONE_DECK ^ _CLUBS ^ _DIAMONDS ^ _HEARTS
_PLAYED_CODES = 5 * FACES

COUNTS = tuple(code if code < FACES else 13 * (code // FACES - 1) + code % FACES % 13 for code in range(_PLAYED_CODES))
"""The face that each played code counts as."""
_OF_RANK = [sum(1 << f | 1 << f + FACES for f in range(FACES) if declaring.rank_of(f) == rank) for rank in range(14)]
SAME_RANK = tuple(_OF_RANK[declaring.rank_of(code % FACES)] for code in range(_PLAYED_CODES))
"""The mask (both copies) of the cards of the rank of each played code."""


class MoveLists(dict[int, tuple[Move, ...]]):
    """Lists of moves by the mask of the cards that make them: each list is made once, and a full memory starts anew."""

    __slots__ = ("table", "tail")

    def __init__(self, table: list[tuple[Move, ...]], tail: tuple[Move, ...] = ()) -> None:
        super().__init__()
        self.table, self.tail = table, tail

    def __missing__(self, mask: int) -> tuple[Move, ...]:
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        moves: list[Move] = []
        for face in bits_of(folded(mask)):
            moves += self.table[face]
        made = self[mask] = (*moves, *self.tail)
        return made


Answers = tuple[int, MoveLists, int, MoveLists]
"""What may answer a face: the cards (both copies) below the higher of its suit and the trump suit, and the memory of their moves; then those above.

In two halves, since most cards are answered from two suits, and a suit is held in few ways: few lists, soon made.
"""


class Kit:
    """One rule set, ready to be played."""

    rules: Rules
    players: int
    side: tuple[int, ...]
    """The side of each seat."""
    twins: bool
    """Whether there are two cards of each face."""
    deck: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    """The places of the deck from the last to the second, each with how many random bits number the places up to it."""
    all_cards: int
    """The mask of the deck."""
    hand_size: int
    beaten_needed: int
    after_take: bool
    card_voids_passes: bool
    newest_first: bool
    most: tuple[int, ...]
    """The most attacking cards in the first bout, and in the others."""
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
    """For every face, the codes that it may be played as."""
    declared: int
    over_with: list[bool]
    """For every mask of seats that are in, whether that alone ends the game."""
    opponent: list[list[int | None]]
    next_in: list[list[int | None]]
    draws: list[list[list[tuple[int, ...]]]]
    """Who draws in which order: where the defender took or not, by attacker and defender."""
    bouts: list[list[tuple[int, tuple[int, ...]]]]
    """The defender and the throwers of a bout, by the mask of the seats that are in and the attacker."""
    attacks: tuple[MoveLists, ...]
    """The openings from the clubs, the diamonds, the hearts, and all other cards of a hand."""
    throws: MoveLists
    transfer_moves: MoveLists
    _throwers: dict[int, tuple[int, ...]]
    _beating: dict[int | None, tuple[tuple[int, ...], tuple[Answers, ...]]]

    __slots__ = tuple(__annotations__)

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.players = players = seating.seats(rules)
        self.side = seating.sides(rules)
        self.twins = pack.two_decks(rules)
        self.deck = tuple(pack.deck(rules))
        self.places = tuple((last, (last + 1).bit_length()) for last in range(len(self.deck) - 1, 0, -1))
        self.all_cards = sum(self.deck)
        self.hand_size = dealing.hand_size(rules)
        self.beaten_needed = throwing.beaten_needed(rules)
        self.after_take = throwing.after_take(rules)
        self.card_voids_passes = not throwing.pass_outlasts_cards(rules)
        self.newest_first = throwing.newest_first(rules)
        self.most = tuple(limit.most(rules, first_bout=first) for first in (True, False))
        self.transfers, self.shows = transfer.allowed(rules), transfer.by_showing(rules)
        self.transfer_from = transfer.first_bout(rules)
        self.first_bout_differs = self.most[0] != self.most[1] or (self.transfers and self.transfer_from > 1)
        self.several = opening.several(rules)
        self.swaps = exchange.times(rules)
        self.at_once = scoring.out_at_once(rules)
        self.times_to_draw = scoring.times_to_draw(rules)
        self.can_show = trump.can_show(rules)
        self.plays = declaring.plays(rules)
        self.declared = declaring.covered(rules)

        seats, groups = range(players), range(1 << players)
        self.over_with = [scoring.over(rules, group, ()) for group in groups]
        self.opponent = [[seating.next_opponent(rules, seat, group) for seat in seats] for group in groups]
        self.next_in = [[seating.next_in(seat, group, players) for seat in seats] for group in groups]
        self.draws = [[[turns.draws(rules, a, d, taken=taken) for d in seats] for a in seats] for taken in (False, True)]
        self._throwers = {}
        self.bouts = [[self._bout(seat, group) for seat in seats] for group in groups]

        attacks, throws = self._moves_by_face("attack"), self._moves_by_face("throw")
        self.attacks = tuple(MoveLists(attacks) for _ in SUIT_MASKS)
        self.throws = MoveLists(throws, (PASS_MOVE,))
        self.transfer_moves = MoveLists(self._moves_by_face("transfer"))
        self._beating = {}

    def _moves_by_face(self, verb: Verb) -> list[tuple[Move, ...]]:
        return [tuple(Move.of(verb, Card.of(code)) for code in codes) for codes in self.plays]

    def _bout(self, attacker: int, seats_in: int) -> tuple[int, tuple[int, ...]]:
        """The defender of a bout that this seat opens, and the throwers in the order in which they are asked.

        Where no opponent is left no bout is opened; the seat then stands for its own defender.
        """
        defender = self.opponent[seats_in][attacker]
        return (attacker, ()) if defender is None else (defender, self.throwers(attacker, defender, attacker, seats_in))

    def throwers(self, attacker: int, defender: int, newest: int, seats_in: int) -> tuple[int, ...]:
        """The seats that may throw in, in the order in which they are asked."""
        key = attacker | defender << 3 | newest << 6 | seats_in << 9
        found = self._throwers.get(key)
        if found is None:
            found = self._throwers[key] = throwing.asked(self.rules, attacker, defender, newest, seats_in)
        return found

    def openings(self, hand: int) -> tuple[Move, ...]:
        """The moves that open with one card of a hand."""
        if self.twins:
            hand = (hand | hand >> FACES) & ONE_DECK
        clubs, diamonds, hearts, rest = self.attacks
        return clubs[hand & _CLUBS] + diamonds[hand & _DIAMONDS] + hearts[hand & _HEARTS] + rest[hand & _REST]

    def beating(self, suit: int | None) -> tuple[tuple[int, ...], tuple[Answers, ...]]:
        """With this trump suit, for every face: the mask of the cards that may answer it, and the answers.

        A card that may be played in a chosen suit is in the mask if it beats the face in one of them.
        """
        found = self._beating.get(suit)
        if found is None:
            masks = beating.beaters(self.rules, suit)
            reach, answers = [], []
            for face in range(FACES):
                mask = masks[face]
                table = []
                for d in range(FACES):
                    codes = [code for code in self.plays[d] if mask >> COUNTS[code] & 1]
                    table.append(tuple(Move.of("beat", Card.of(face), Card.of(code)) for code in codes))
                able = sum(1 << d | 1 << d + FACES for d in range(FACES) if table[d])
                below = (1 << 13 * max(face // 13, suit or 0)) - 1
                low = able & (below | below << FACES)
                reach.append(able)
                answers.append((low, MoveLists(table), able ^ low, MoveLists(table, (TAKE_MOVE,))))
            found = self._beating[suit] = tuple(reach), tuple(answers)
        return found

    def over(self, seats_in: int, places: tuple[int, ...]) -> bool:
        """Whether the game is over with these seats in (a mask) and these out."""
        return self.over_with[seats_in] or (bool(places) and scoring.over(self.rules, seats_in, places))


@lru_cache(maxsize=128)
def kit_of(rules: Rules) -> Kit:
    """The kit of a rule set, made once."""
    return Kit(rules)


def mask_of_trumps(suit: int | None) -> int:
    """The mask (both copies) of a suit; 0 for none."""
    return 0 if suit is None else SUIT_MASKS[suit] | SUIT_MASKS[suit] << FACES
