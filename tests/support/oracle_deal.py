"""The seats of a game and its deal, as the test oracle reads rule book §1, §4, §7 and §8."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from support.oracle_book import DEFAULTS, RANKS, Options, deck_of, in_order, refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Dealt:
    """The seats of one game of one rule set, and the cards that were dealt to them."""

    def __init__(self, options: Options, deck: Sequence[str], dealer: int) -> None:
        why = refusal(options)
        if why is not None:
            raise ValueError(why)
        self.options: Options = DEFAULTS | options
        if in_order(deck) != deck_of(self.options):
            raise ValueError("the deck does not hold exactly the cards of the options")
        self.players: int = self.options["players"]
        self.dealer = dealer
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.talon: list[str] = []
        self.aside: list[str] = []
        self.turn_up: str | None = None
        self.turn_up_lies: str | None = None  # "bottom", "top", "aside", "hand" or None
        self.hidden = False  # a hidden trump still lies face down under the turn-up
        self.trump: str | None = None
        self.places: list[int] = []
        self._deal(list(deck))

    # -- seats and sides

    def side(self, seat: int) -> int:
        """The team of a seat, or the seat itself without teams (§8)."""
        teams = {"none": self.players, "2v2": 2, "2v2v2": 3, "3v3": 2}[self.options["teams"]]
        return seat % teams

    def is_in(self, seat: int) -> bool:
        """A seat is in until it is out (§1)."""
        return seat not in self.places

    def clockwise(self, seat: int) -> list[int]:
        """All other seats, clockwise from the left of `seat` (§1)."""
        return [(seat + i) % self.players for i in range(1, self.players)]

    def next_in(self, seat: int) -> int:
        """The first seat clockwise after `seat` that is in (§1)."""
        return next(s for s in self.clockwise(seat) if self.is_in(s))

    # -- the deal (§4)

    def _shows(self, card: str) -> bool:
        """Can the card show a trump suit?  A joker cannot, nor a spade under spades_by_spades (§4.2)."""
        return card[0] != "X" and not (self.options["spades_by_spades"] and card[1] == "s")

    def _make_show(self, deck: list[str], place: int, others: Iterable[int]) -> bool:
        """Exchange the card at `place` with the first of `others` that can show a suit, if it cannot itself (§4.2)."""
        for other in [place, *others]:
            if self._shows(deck[other]):
                deck[place], deck[other] = deck[other], deck[place]
                return True
        return False

    def _deal(self, deck: list[str]) -> None:
        """Settle the trump suit, making the exchanges in the undealt deck; then deal (§4.1-§4.3)."""
        o, cards = self.options, len(deck)
        dealt = {"hand": self.players * o["hand_size"], "all": cards, "all_but_one": cards - 1}[o["deal"]]
        bottom = cards - 1
        if o["trump"] != "turn_up":
            self.trump = None if o["trump"] == "none" else o["trump"]
        elif dealt == cards:  # deal="all", or "hand" that leaves no talon: shown by the last card that can
            showing = [card for card in deck if self._shows(card)]
            if showing:
                self.turn_up, self.turn_up_lies = showing[-1], "hand"
        elif o["deal"] == "all_but_one":
            if self._make_show(deck, bottom, reversed(range(bottom))):
                self.turn_up, self.turn_up_lies = deck[bottom], "aside"
        elif o["hidden_trump"]:  # §4.3: first the hidden card, then the turn-up, from above the two
            self._make_show(deck, bottom, reversed(range(dealt, bottom - 1)))
            self._make_show(deck, bottom - 1, reversed(range(dealt, bottom - 1)))
            self.turn_up, self.turn_up_lies, self.hidden = deck[bottom - 1], "bottom", True
        elif o["turn_up"] == "top":
            if self._make_show(deck, dealt, range(dealt + 1, cards)):
                self.turn_up, self.turn_up_lies = deck[dealt], "top"
        elif self._make_show(deck, bottom, reversed(range(dealt, bottom))):
            self.turn_up, self.turn_up_lies = deck[bottom], o["turn_up"]
        if self.turn_up is not None and self._shows(self.turn_up):
            self.trump = self.turn_up[1]
        for i in range(dealt):  # one at a time, clockwise, starting left of the dealer
            self.hands[(self.dealer + 1 + i) % self.players].append(deck[i])
        self.hands = [in_order(hand) for hand in self.hands]
        self.talon = deck[dealt:]
        if o["deal"] == "all_but_one" or self.turn_up_lies == "aside":
            self.aside = [self.talon.pop()]

    @staticmethod
    def next_dealer(options: Options, dealer: int, fool: int | None) -> int:
        """Who deals the next game of a match: the fool, else whoever sits after the last dealer (§7)."""
        return (dealer + 1) % options["players"] if fool is None else fool

    def _opener(self, after: dict[str, Any] | None) -> int:
        """The first attacker of a game (§4.4), or of a later game of a match (§7)."""
        how = self.options["first_attacker"]
        if after is not None:
            if self.options["next_attacker"] != "right_of_fool":
                how = self.options["next_attacker"]
            elif after["fool"] is not None:
                fool = after["fool"]
                return next(s for s in reversed(self.clockwise(fool)) if self.side(s) != self.side(fool))
        seats = [*self.clockwise(self.dealer), self.dealer]
        trumps = [(RANKS.index(c[0]), i, s) for i, s in enumerate(seats) for c in self.hands[s] if c[1] == self.trump]
        if how == "lowest_trump" and trumps:
            return min(trumps)[2]
        return seats[0]
