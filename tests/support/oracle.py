"""A slow, obvious reference implementation of the rule book (docs/rule-book.md), used as a test oracle.

Everything is written for reading against the rule book: cards are strings ("6c", "Th", "Xr"),
hands are lists of them, options are a plain dict, and after every move the question "who acts now?"
is answered afresh from the text.  The section signs point into docs/rule-book.md.  The oracle shares no code
with the engine it checks and must never import it.  `oracle_book.py` has the options and the cards,
`oracle_deal.py` the seats and the deal.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from support.oracle_book import Options, beats, card_key, face, in_order, reads
from support.oracle_deal import Dealt

if TYPE_CHECKING:
    from collections.abc import Sequence


class Oracle(Dealt):
    """One game of one rule set.

    `table` holds `[attacking card, beating card or None]` with cards as played ("6d=h"), in the order
    in which the attacking cards were put down.  `turn_up` is the face-up card while it lies by the
    talon or out of play, or (where everything is dealt) in the hand that shows it; `aside` holds the
    cards out of play.  `after` may be the outcome of the previous game of a match (§7).
    """

    def __init__(self, options: Options, deck: Sequence[str], dealer: int, after: dict[str, Any] | None = None) -> None:
        super().__init__(options, deck, dealer)
        self.discard: list[str] = []
        self.swaps_used = [0] * self.players
        self.bout = 0
        self._ply = 0
        self._last_card = [0] * self.players  # the ply at which each seat last played a card
        self._seen: list[tuple[Any, ...]] = []  # positions since the last draw or discard (§6.6)
        self._outcome: dict[str, Any] | None = None
        self._start_bout(self._opener(after))
        self._next_actor()

    # -- bouts (§5)

    def _start_bout(self, attacker: int) -> None:
        """A new bout opened by `attacker` on its next opponent (§4.4, §6.3)."""
        self.bout += 1
        self.attacker = attacker
        opponents = [s for s in self.clockwise(attacker) if self.side(s) != self.side(attacker)]
        self.defender = next(s for s in opponents if self.is_in(s))
        self.limit = self._limit_of(self.defender)
        self.table: list[list[str | None]] = []
        self.taking = False
        self.actor: int | None = attacker
        self._passed: set[int] = set()
        self._shown: set[tuple[int, str]] = set()
        self._swapped = False
        self._newest_by = attacker  # the seat that played the newest attacking card
        self._in_at_start = [s for s in range(self.players) if self.is_in(s)]
        hands = tuple(tuple(in_order(hand)) for hand in self.hands)
        self._seen.append((hands, attacker, self.trump, tuple(self.swaps_used)))
        if self._seen.count(self._seen[-1]) == self.options["repetition"]:  # §6.6
            self._finish([], [], None, [])

    def _limit_of(self, seat: int) -> int:
        """The limit if `seat` became the defender now (§5.1)."""
        limits = [self.options["attack_limit"], len(self.hands[seat])]
        if self.bout == 1:
            limits.append(self.options["first_bout_limit"])
        return min(limit for limit in limits if limit is not None)

    def _attacks(self) -> list[str]:
        """The attacking cards as played, oldest first."""
        return [str(a) for a, _ in self.table]

    def _unbeaten(self) -> list[str]:
        """The attacking cards without a beating card, by their place on the table (§5)."""
        return [str(a) for a, d in self.table if d is None]

    def _ways(self, card: str) -> list[str]:
        """The texts under which a card may be played: a weli in any suit of the deck (§5.7)."""
        weli = self.options["weli"]
        if (weli == "sixes" and card[0] == "6") or (weli == "bells" and card == "6d"):
            suits = [suit for suit in "cdhs" if suit in self.options["suits"]]
            return [card if suit == card[1] else f"{card}={suit}" for suit in suits]
        return [card]

    def _faces(self, seat: int) -> list[str]:
        """The different faces in a hand, in card order; copies are interchangeable (§2)."""
        return in_order(set(self.hands[seat]))

    # -- throwing in (§5.3)

    def _throws(self, seat: int) -> list[str]:
        """The cards, as played, that a seat may throw now."""
        by = self.options["throw_in_by"]
        named = {
            "all": seat != self.defender,
            "neighbours": seat in (self.attacker, self.next_in(self.defender)),
            "attacker": seat == self.attacker,
            "nobody": False,
        }[by]
        if not named or not self.is_in(seat) or self.side(seat) == self.side(self.defender):
            return []
        if len(self.table) >= self.limit:
            return []
        ranks = {card[0] for pair in self.table for card in pair if card is not None}
        return [way for card in self._faces(seat) if card[0] in ranks for way in self._ways(card)]

    def _throwers_are_asked(self) -> bool:
        """Is this a moment at which throwers are asked (§5.3)?"""
        if self.taking:
            return bool(self.options["throw_in_after_take"])
        when = self.options["throw_in_when"]
        if when == "all_beaten":
            return not self._unbeaten()
        if when == "first_beaten":
            return any(d is not None for _, d in self.table)
        return True  # "any_time"; the table is never empty here

    def _asked(self) -> list[int]:
        """The seats to be asked, the first in priority first (§5.3)."""
        if not self._throwers_are_asked():
            return []
        order = [self.attacker, *self.clockwise(self.defender)]
        if self.options["priority"] == "last_thrower":
            order.insert(0, self._newest_by)
        return [s for s in order if s not in self._passed and self._throws(s)]

    # -- transfers (§5.5, §5.6)

    def _transfer_to(self) -> int:
        """N: the defender's next opponent among the seats that were in when the bout began (§5.5)."""
        after = self.clockwise(self.defender)
        return next(s for s in after if s in self._in_at_start and self.side(s) != self.side(self.defender))

    def _transferable(self, added: int) -> list[str]:
        """The cards with which the attack may be transferred if `added` cards join the attacking ones."""
        if not self.options["transfer"] or any(d is not None for _, d in self.table):
            return []
        if self.bout == 1 and not self.options["transfer_first_bout"]:
            return []
        if len(self.table) + added > self._limit_of(self._transfer_to()):
            return []
        rank = self._attacks()[0][0]
        cards = [card for card in self._faces(self.defender) if card[0] == rank]
        return [card for card in cards if (self.defender, card) not in self._shown]

    # -- legal moves (§9)

    def legal(self) -> list[str]:
        """The legal moves of the seat that acts, in the order of §9."""
        if self.actor is None:
            return []
        if not self.table:
            return self._legal_openings() + self._legal_swaps()
        if self.actor != self.defender:
            return [f"throw {way}" for way in self._throws(self.actor)] + ["pass"]
        return self._legal_defences()

    def _legal_openings(self) -> list[str]:
        """`attack`, with one card or, under opening="same_rank", several of one rank (§5.2)."""
        hand, suits = in_order(self.hands[self.attacker]), "cdhsrb"
        most = self.limit if self.options["opening"] == "same_rank" else 1
        plays: set[tuple[str, ...]] = set()
        for rank in {card[0] for card in hand}:
            group = [card for card in hand if card[0] == rank]
            for size in range(1, min(most, len(group)) + 1):
                for cards in set(combinations(group, size)):
                    for ways in product(*(self._ways(card) for card in cards)):
                        plays.add(tuple(sorted(ways, key=lambda w: (card_key(face(w)), suits.index(w[-1])))))

        def order(play: tuple[str, ...]) -> tuple[Any, ...]:
            return len(play), [card_key(face(w)) for w in play], [suits.index(w[-1]) for w in play]

        return ["attack " + " ".join(play) for play in sorted(plays, key=order)]

    def _face_down(self) -> slice:
        """Where the face-down cards of the talon lie, without a hidden trump (§5.8)."""
        above = 1 if self.turn_up_lies == "top" else 0
        below = (2 if self.hidden else 1) if self.turn_up_lies == "bottom" else 0
        return slice(above, max(above, len(self.talon) - below))

    def _legal_swaps(self) -> list[str]:
        """`swap`, once before the opening attack (§5.8)."""
        if self._swapped or self.swaps_used[self.attacker] >= self.options["swaps"]:
            return []
        if len(self.talon[self._face_down()]) < 2:
            return []
        pairs = set(combinations(in_order(self.hands[self.attacker]), 2))
        return [f"swap {x} {y}" for x, y in sorted(pairs, key=lambda pair: [card_key(card) for card in pair])]

    def _legal_defences(self) -> list[str]:
        """`beat`, `transfer`, `show` and `take` (§5.4-§5.6)."""
        moves: list[str] = []
        for target in dict.fromkeys(reads(a) for a in self._unbeaten()):  # cards that read alike: once (§5.7)
            for card in self._faces(self.defender):
                ways = [way for way in self._ways(card) if beats(self.options, self.trump, reads(way), target)]
                moves += [f"beat {target} {way}" for way in ways]
        moves += [f"transfer {way}" for card in self._transferable(1) for way in self._ways(card)]
        if self.options["passport"]:
            moves += [f"show {card}" for card in self._transferable(0) if card[1] == self.trump]
        return [*moves, "take"]

    # -- playing a move

    def play(self, move: str) -> None:
        """Carry out a legal move, and settle who acts next."""
        assert move in self.legal(), f"{move!r} is not legal"
        assert self.actor is not None
        seat, (verb, *cards) = self.actor, move.split()
        self._ply += 1
        if verb == "attack":
            for way in cards:
                self._put(seat, way)
        elif verb == "throw":
            self._put(seat, cards[0])
        elif verb == "pass":
            self._passed.add(seat)
        elif verb == "beat":
            target, way = cards
            pair = next(p for p in self.table if p[1] is None and reads(str(p[0])) == target)
            self._play_card(seat, way)
            pair[1] = way
        elif verb == "transfer":
            to = self._transfer_to()
            self._put(seat, cards[0])
            self._pass_on(to)
        elif verb == "show":
            self._shown.add((seat, cards[0]))
            self._pass_on(self._transfer_to())
        elif verb == "take":
            self.taking = True
            self._passed.clear()  # a pass stands no longer than until the defender takes (§5.3)
        elif verb == "swap":
            self._swap(seat, cards)
        if self.options["out_when"] == "at_once" and not self.talon and not self.hands[seat]:
            self._go_out([seat], self._attacks())  # §6.4
        self._next_actor()

    def _play_card(self, seat: int, way: str) -> None:
        """A card leaves a hand for the table; passes "until_card" are void (§5.3)."""
        self.hands[seat].remove(face(way))
        self._last_card[seat] = self._ply
        if self.options["pass_lasts"] == "until_card":  # noqa: S105 - a pass, not a password
            self._passed.clear()

    def _put(self, seat: int, way: str) -> None:
        """A new attacking card."""
        self._play_card(seat, way)
        self.table.append([way, None])
        self._newest_by = seat

    def _pass_on(self, to: int) -> None:
        """After a transfer or a show: the roles move on, and every pass is void (§5.3, §5.5, §5.6)."""
        self.attacker, self.defender = self.defender, to
        self.limit = self._limit_of(to)
        self._passed.clear()

    def _swap(self, seat: int, cards: list[str]) -> None:
        """Two cards of the hand for the two topmost face-down cards of the talon (§5.8)."""
        where = self._face_down()
        down = self.talon[where]
        for card in cards:
            self.hands[seat].remove(card)
        self.hands[seat] = in_order(self.hands[seat] + down[:2])
        self.talon[where] = down[2:] + cards
        self.swaps_used[seat] += 1
        self._swapped = True

    def _next_actor(self) -> None:
        """Who acts now; ends the bout when there is nobody left to act in it (§5.3, §5.4)."""
        if self._outcome is None and self.table:
            asked = self._asked()
            if asked:
                self.actor = asked[0]
            elif self._unbeaten() and not self.taking:
                self.actor = self.defender
            else:
                self._end_bout()
        if self._outcome is not None:
            self.actor = None

    # -- the end of a bout (§6)

    def _end_bout(self) -> None:
        """The cards, the refill, who is out, and the next bout (§6.1-§6.4)."""
        attacks = self._attacks()
        cards = [face(card) for pair in self.table for card in pair if card is not None]
        self.table = []
        if self.taking:
            self.hands[self.defender] = in_order(self.hands[self.defender] + cards)
        else:
            self.discard += cards
            self._seen.clear()
        self._refill()
        if not self.talon:
            empty = [s for s in range(self.players) if self.is_in(s) and not self.hands[s]]
            self._go_out(sorted(empty, key=lambda s: self._last_card[s]), attacks)
        if self._outcome is None:
            stays = self.is_in(self.defender) and not self.taking
            self._start_bout(self.defender if stays else self.next_in(self.defender))

    def _refill(self) -> None:
        """Each seat in turn draws up to the hand size (§6.2)."""
        order = [self.attacker] + [s for s in self.clockwise(self.attacker) if s != self.defender] + [self.defender]
        if self.options["draw_order"] == "loser_first":
            loser = self.defender if self.taking else self.attacker
            order = [loser] + [s for s in order if s != loser]
        for seat in order:
            while self.is_in(seat) and self.talon and len(self.hands[seat]) < self.options["hand_size"]:
                self._draw(seat)

    def _draw(self, seat: int) -> None:
        """One card from the top; under a turn-up that is drawn the hidden trump is turned face up (§4.3)."""
        self.hands[seat] = in_order([*self.hands[seat], self.talon.pop(0)])
        self._seen.clear()
        if self.turn_up_lies == "bottom" and self.hidden and len(self.talon) == 1:
            self.turn_up, self.hidden = self.talon[0], False
            if self._shows(self.turn_up):
                self.trump = self.turn_up[1]
        elif self.turn_up_lies == "top" or (self.turn_up_lies == "bottom" and not self.talon):
            self.turn_up = self.turn_up_lies = None

    # -- the end of the game (§6.4-§6.7)

    def _go_out(self, seats: list[int], attacks: list[str]) -> None:
        """Seats go out, in this order; then the game may be over (§6.5)."""
        self.places += seats
        everyone = range(self.players)
        if self.options["goal"] == "first_out":
            if self.places:
                first = self.places[0]
                winners = [s for s in everyone if self.side(s) == self.side(first)]
                losers = [s for s in everyone if s not in winners]
                self._finish(winners, losers, losers[0] if self.players == 2 else None, attacks)
            return
        left = [s for s in everyone if self.is_in(s)]
        sides = {self.side(s) for s in left}
        if not sides:
            self._finish([], [], None, attacks)
        elif len(sides) == 1:
            losers = [s for s in everyone if self.side(s) in sides]
            winners = [s for s in everyone if s not in losers]
            fool = max(left, key=lambda s: (len(self.hands[s]), -s))
            self._finish(winners, losers, fool, attacks)

    def _finish(self, winners: list[int], losers: list[int], fool: int | None, attacks: list[str]) -> None:
        """The outcome (§6.7); `attacks` are the attacking cards of the final bout, oldest first."""
        epaulettes = 0
        if fool is not None and self.side(self.defender) == self.side(fool):
            sixes = [card[0] == "6" for card in attacks]
            if sixes[-1]:
                epaulettes = 2 if sixes[-2:] == [True, True] else 1
        utilities = [0.0] * self.players
        for s in winners:
            utilities[s] = 1 / len(winners)
        for s in losers:
            utilities[s] = -1 / len(losers)
        self._outcome = {"winners": winners, "losers": losers, "fool": fool, "places": list(self.places)}
        self._outcome |= {"epaulettes": epaulettes, "utilities": utilities}

    def outcome(self) -> dict[str, Any] | None:
        """The outcome of a game that is over, else None (§6.7)."""
        return self._outcome
