"""A slow, obvious reference implementation of RULES.md, used as a test oracle.

Everything is written for reading against the rule book: cards are strings ("6c", "Th", "Xr"),
hands are lists of them, options are a plain dict, and after every move the question "who acts now?"
is answered afresh from the text.  The section signs point into RULES.md.  The oracle shares no code
with the engine it checks and must never import it.
"""

from __future__ import annotations

import json
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Sequence

Options = dict[str, Any]

RANKS = "23456789TJQKAX"  # X is the rank of both jokers (§2)
SUITS = "cdhsrb"  # r and b are the colours of the jokers, which have no suit (§2)
RED = "dhr"

# --------------------------------------------------------------------------- options (§3)

#: The options and the presets, as the tables of §3 and §3.1 have them.
BOOK: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "book.json").read_text(encoding="utf-8"))
OPTIONS: dict[str, dict[str, Any]] = BOOK["options"]
PRESETS: dict[str, Options] = BOOK["presets"]

#: The options whose values are a short list, the default first; the whole numbers; the letters of an alphabet.
VALUES = {name: option["values"] for name, option in OPTIONS.items() if "values" in option}
NUMBERS = {name: option for name, option in OPTIONS.items() if "least" in option}
LETTERS = {name: option["letters"] for name, option in OPTIONS.items() if "letters" in option}

DEFAULTS: Options = {name: option["values"][0] if "values" in option else option["default"] for name, option in OPTIONS.items()}


def beside(name: str, value: Any) -> Options:
    """The options that a value of one needs beside it."""
    needed: Options = OPTIONS[name].get("beside", {})
    return needed.get(value, {}) if isinstance(value, str) and name not in LETTERS else needed


TEAM_PLAYERS = {"2v2": 4, "2v2v2": 6, "3v3": 6}  # §8


def card_key(card: str) -> tuple[int, int]:
    """Card order: suit, then rank; jokers last, red before black (§2)."""
    return SUITS.index(card[1]), RANKS.index(card[0])


def deck_of(options: Options) -> list[str]:
    """The deck in card order, copies side by side (§4.1)."""
    o = DEFAULTS | options
    faces = [rank + suit for suit in "cdhs" if suit in o["suits"] for rank in RANKS if rank in o["ranks"]]
    faces += ["Xr", "Xb"] if o["jokers"] else []
    return [face for face in faces for _ in range(o["decks"])]


def refusal(options: Options) -> str | None:
    """Why the rule set cannot be played, or None if it can (§3, end; §4.1; §4.3)."""
    o = DEFAULTS | options
    for name, value in o.items():
        if name in VALUES:
            good = any(value == v and type(value) is type(v) for v in VALUES[name])
        elif name in NUMBERS:
            good = NUMBERS[name]["none"] if value is None else type(value) is int and value >= NUMBERS[name]["least"]
        elif name in LETTERS:
            good = isinstance(value, str) and value != "" and set(value) <= set(LETTERS[name])
        else:
            return f"unknown option {name}"
        if not good:
            return f"unknown value {value!r} of {name}"
    cards, players = len(deck_of(o)), o["players"]
    dealt = {"hand": players * o["hand_size"], "all": cards, "all_but_one": cards - 1}[o["deal"]]
    if dealt > cards or dealt < players:
        return "more cards dealt than the deck holds, or a seat is dealt none"
    if o["passport"] and (not o["transfer"] or o["trump"] == "none"):
        return "passport needs transfer and trumps"
    if o["trump"] == "s" and o["spades_by_spades"]:
        return "spades are never trumps with spades_by_spades"
    if o["trump"] in ("c", "d", "h", "s") and o["trump"] not in o["suits"]:
        return "the deck lacks the trump suit"
    if o["teams"] != "none" and TEAM_PLAYERS[o["teams"]] != players:
        return "teams do not fit players"
    if o["hidden_trump"]:
        if (o["turn_up"], o["trump"], o["deal"]) != ("bottom", "turn_up", "hand"):
            return "hidden_trump needs turn_up='bottom', trump='turn_up', deal='hand'"
        if cards - dealt < 2:  # §4.3: no hidden card without two cards in the talon
            return "hidden_trump needs a talon of more than one card"
    if o["swaps"] and o["deal"] != "hand":
        return "swaps need deal='hand'"
    if o["low_trump_beats_ace"] and "A" not in o["ranks"]:
        return "low_trump_beats_ace needs an ace"
    if o["weli"] != "off" and "6" not in o["ranks"]:
        return "weli needs a six"
    if o["weli"] == "bells" and "d" not in o["suits"]:
        return "weli='bells' needs the six of diamonds"
    return None


def random_mix(rng: random.Random) -> Options:
    """A free mix of all options that §3 does not refuse: draw one, throw it away if it cannot be played."""
    while True:
        # The default of an option is drawn more often, so that clashing mixes do not crowd out the others.
        o: Options = {name: values[0] if rng.random() < 0.25 else rng.choice(values) for name, values in VALUES.items()}
        if rng.random() < 0.4:
            o["deal"] = "hand"
        if rng.random() < 0.5:
            o["teams"] = "none"
        if o["teams"] != "none" and rng.random() < 0.8:
            o["players"] = TEAM_PLAYERS[o["teams"]]
        o["ranks"] = DEFAULTS["ranks"]
        if rng.random() < 0.7:
            some = set(rng.sample(RANKS[:-1], rng.randint(1, 13)))
            o["ranks"] = "".join(rank for rank in RANKS if rank in some)
        o["suits"] = DEFAULTS["suits"]
        if rng.random() < 0.5:
            few = set(rng.sample("cdhs", rng.randint(1, 4)))
            o["suits"] = "".join(suit for suit in "cdhs" if suit in few)
        o |= {name: rng.choice(number["mixed"]) for name, number in NUMBERS.items()}
        if refusal(o) is None:
            return {name: o[name] for name in DEFAULTS}


# --------------------------------------------------------------------------- cards (§2)


def face(played: str) -> str:
    """The card itself, whatever suit it was declared in: "6d=h" is the card "6d" (§5.7)."""
    return played[:2]


def reads(played: str) -> str:
    """How a card counts, and is named, on the table: "6d=h" reads "6h" (§5.7)."""
    return played[0] + played[-1]


def in_order(cards: Iterable[str]) -> list[str]:
    """The cards in card order (§2)."""
    return sorted(cards, key=card_key)


def beats(options: Options, trump: str | None, d: str, a: str) -> bool:
    """Does `d` beat `a`, both named as they count on the table?  The lines of §2.1, in turn."""
    d_rank, a_rank = RANKS.index(d[0]), RANKS.index(a[0])
    if a[0] == "X":
        return False
    if options["spades_by_spades"] and a[1] == "s":
        return d[1] == "s" and d_rank > a_rank
    if d[0] == "X":
        return (d[1] in RED) == (a[1] in RED)
    if d[1] == a[1]:
        lowest = min(options["ranks"], key=RANKS.index)
        low_on_ace = options["low_trump_beats_ace"] and a[1] == trump and a[0] == "A" and d[0] == lowest
        return d_rank > a_rank or low_on_ace
    return d[1] == trump


# --------------------------------------------------------------------------- a game


class Oracle:
    """One game of one rule set.

    `table` holds `[attacking card, beating card or None]` with cards as played ("6d=h"), in the order
    in which the attacking cards were put down.  `turn_up` is the face-up card while it lies by the
    talon or out of play, or (where everything is dealt) in the hand that shows it; `aside` holds the
    cards out of play.  `after` may be the outcome of the previous game of a match (§7).
    """

    def __init__(self, options: Options, deck: Sequence[str], dealer: int, after: dict[str, Any] | None = None) -> None:
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
        self.discard: list[str] = []
        self.places: list[int] = []
        self.swaps_used = [0] * self.players
        self.bout = 0
        self._ply = 0
        self._last_card = [0] * self.players  # the ply at which each seat last played a card
        self._seen: list[tuple[Any, ...]] = []  # positions since the last draw or discard (§6.6)
        self._outcome: dict[str, Any] | None = None
        self._deal(list(deck))
        self._start_bout(self._opener(after))
        self._next_actor()

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
            shown = [card for card in deck if self._shows(card)]
            if shown:
                self.turn_up, self.turn_up_lies = shown[-1], "hand"
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
        """The cards with which the attack may be passed on if `added` cards join the attacking ones."""
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
