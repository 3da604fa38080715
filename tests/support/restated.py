"""What a review says, said anew by the slow oracle, which shares no code with the engine, the solver or the review."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from support.oracle import Oracle
from support.oracle_book import BOOK, beats, face, reads

if TYPE_CHECKING:
    from collections.abc import Hashable

    from durak_widget import Card, Game, Rules
    from durak_widget.review import Decision

MOST = 4000
"""So many positions of an ending are worked out at most."""


class Watched(Oracle):
    """The oracle, and which cards everybody has seen go into a hand, and not come out again."""

    def __init__(self, *given: Any) -> None:
        self.openly: list[Counter[str]] = []
        super().__init__(*given)
        self.openly = [Counter() for _ in range(self.players)]
        if self.turn_up_lies == "hand":
            holder = next(seat for seat, hand in enumerate(self.hands) if self.turn_up in hand)
            self.openly[holder][str(self.turn_up)] += 1

    def _play_card(self, seat: int, way: str) -> None:
        super()._play_card(seat, way)
        self.openly[seat] -= Counter([face(way)])

    def _swap(self, seat: int, cards: list[str]) -> None:
        super()._swap(seat, cards)
        self.openly[seat] -= Counter(cards)

    def _draw(self, seat: int) -> None:
        open_top = self.turn_up_lies == "top" or (self.turn_up_lies == "bottom" and not self.hidden and len(self.talon) == 1)
        if open_top:
            self.openly[seat][self.talon[0]] += 1
        super()._draw(seat)

    def _pass_on(self, to: int) -> None:
        shown = [card for seat, card in self._shown if seat == self.defender]
        for card in shown:
            self.openly[self.defender][card] = max(1, self.openly[self.defender][card])
        super()._pass_on(to)

    def _end_bout(self) -> None:
        if self.taking:
            self.openly[self.defender] += Counter(face(card) for pair in self.table for card in pair if card is not None)
        super()._end_bout()

    def beats(self, card: str, attacking: str) -> bool:
        """Whether one card of a hand beats an attacking one, in any way in which it may be played."""
        return any(beats(self.options, self.trump, reads(way), reads(attacking)) for way in self._ways(card))

    def branch(self) -> Watched:
        """The same position, to be played on from; what came up before is forgotten."""
        other = object.__new__(type(self))
        for name, value in vars(self).items():
            kept = value
            if name == "_seen":
                kept = []
            elif name in {"hands", "table"}:
                kept = [list(one) for one in value]
            elif name == "openly":
                kept = [Counter(one) for one in value]
            elif isinstance(value, (list, set)):
                kept = type(value)(value)
            setattr(other, name, kept)
        return other

    def place(self) -> Hashable:
        """All that matters of an ending from here on."""
        return (
            self.actor,
            self.attacker,
            self.defender,
            *(tuple(sorted(hand)) for hand in self.hands),
            tuple(tuple(pair) for pair in self.table),
            self.taking,
            frozenset(self._passed),
            frozenset(self._shown),
            self.limit,
            self._newest_by,
            self.bout == 1,
            tuple(sorted(range(self.players), key=lambda seat: self._last_card[seat])),
            tuple(self.places),
        )


def watched(game: Game) -> list[Watched]:
    """The oracle before each move of a game that was dealt, and after the last."""
    deck = next(line for line in str(game).splitlines() if line.startswith("Deck: ")).split()[1:]
    slow = Watched(options_of(game.rules), deck, game.dealer)
    found = [slow]
    for move in game.moves:
        before = slow
        slow = before.branch()
        slow._seen = list(before._seen)
        slow.play(str(move))
        found.append(slow)
    return found


def options_of(rules: Rules) -> dict[str, Any]:
    """All options by their names."""
    return {name: getattr(rules, name) for name in BOOK["options"]}


class Forced:
    """What each of the two that are left can force from each position that can be reached: by all of these, till nothing changes."""

    def __init__(self, root: Watched) -> None:
        start = root.branch()
        start.options = {**root.options, "repetition": None}
        self.seats = [seat for seat in range(start.players) if start.is_in(seat)]
        self.places: dict[Hashable, int] = {start.place(): 0}
        self.following: list[list[int]] = []
        self.actors: list[int | None] = []
        self.winners: list[list[int]] = []
        waiting = [start]
        for slow in waiting:
            if len(waiting) > MOST:
                break
            over = slow.outcome()
            self.actors.append(slow.actor)
            self.winners.append([] if over is None else over["winners"])
            self.following.append([])
            for move in slow.legal():
                after = slow.branch()
                after.play(move)
                found = self.places.setdefault(after.place(), len(waiting))
                if found == len(waiting):
                    waiting.append(after)
                self.following[-1].append(found)
        self.whole = len(self.following) == len(waiting)
        self.wins = {seat: self._wins(seat) for seat in self.seats} if self.whole else {}

    def _wins(self, seat: int) -> list[bool]:
        won = [seat in winners for winners in self.winners]
        changed = True
        while changed:
            changed = False
            for place in reversed(range(len(won))):
                if not won[place] and self.following[place]:
                    some = any if self.actors[place] == seat else all
                    won[place] = some(won[after] for after in self.following[place])
                    changed |= won[place]
        return won

    def worth(self, slow: Watched, seat: int) -> int | None:
        """1, 0 or -1 to a seat; None of a position that was not worked out."""
        place = self.places.get(slow.place())
        if place is None or not self.whole:
            return None
        other = next(one for one in self.seats if one != seat)
        return int(self.wins[seat][place]) - int(self.wins[other][place])


class Endings:
    """The exact values of a game's last moments, as the oracle has them."""

    def __init__(self, course: list[Watched]) -> None:
        self.course = course
        self.known: Forced | None = None

    def worth(self, ply: int, move: str | None = None) -> int | None:
        """What it is worth to who acts there, or is after that move; None where that is not worked out."""
        slow = self.course[ply]
        often = slow.options["repetition"]
        if slow.talon or sum(map(slow.is_in, range(slow.players))) != 2 or sum(map(len, slow.hands)) + len(slow.table) > 9:
            return None
        if often is not None and any(slow._seen.count(one) >= often - 1 for one in slow._seen):
            return None
        seat = slow.actor
        if seat is None:
            return None
        if self.known is None or slow.place() not in self.known.places:
            self.known = Forced(slow)
        if move is None:
            return self.known.worth(slow, seat)
        after = slow.branch()
        after.options = {**slow.options, "repetition": None}
        after.play(move)
        return self.known.worth(after, seat)


def names(move: object) -> tuple[str, list[str]]:
    """The verb and the cards of a move, as the oracle has them."""
    verb, *cards = str(move).split()
    return verb, cards


def gone(move: object) -> list[str]:
    """The cards that leave the hand with a move, as they are played."""
    verb, cards = names(move)
    return {"beat": cards[1:], "show": []}.get(verb, cards)


def covers(slow: Watched) -> bool:
    """Whether the defender could beat all that lies unbeaten, each with a card of its own; every way is tried."""
    open_cards = slow._unbeaten()

    def fits(left: list[str], hand: list[str]) -> bool:
        return not left or any(
            slow.beats(card, left[0]) and fits(left[1:], hand[:place] + hand[place + 1 :]) for place, card in enumerate(hand)
        )

    return fits(open_cards, slow.hands[slow.defender])


def bears_out(kind: str, one: Decision, slow: Watched) -> bool:
    """Whether what is said of a mistake of this kind is so."""
    (verb, cards), (other, instead) = names(one.move), names(one.better_move)
    hand = slow.hands[one.seat]
    ranks = Counter(card[0] for card in hand)
    trumps = [card for card in gone(one.move) if card[1] == slow.trump]
    if kind == "trump":
        spared = not [card for card in gone(one.better_move) if card[1] == slow.trump]
        same = verb != "beat" or cards[0] == instead[0]
        return bool(trumps) and spared and same and (verb == other or (verb, other) == ("throw", "pass"))
    if kind == "pair" and verb == "attack":
        return other == "attack" and len(cards) == 1 < len(instead) and {card[0] for card in instead} == {cards[0][0]}
    if kind == "pair":
        return verb == other == "beat" and cards[0] == instead[0] and ranks[cards[1][0]] == 2 and ranks[instead[1][0]] == 1
    if kind == "take":
        return verb == "take" and one.seat == slow.defender and (other in {"transfer", "show"} or (other == "beat" and covers(slow)))
    if kind == "throw":
        return slow.taking and (verb, other) == ("throw", "pass")
    return kind == "ending" and one.verdict == "proved mistake"


def seen_well(one: Decision, slow: Watched, who: int, card: Card) -> bool:
    """Whether all had seen that card go into that hand, whether it lies there and beats what was played, and nothing seen there beats the better move."""
    seen = slow.openly[who]
    (verb, cards), (other, instead) = names(one.move), names(one.better_move)
    truly = str(card) in slow.hands[who] and seen[str(card)] > 0 and not slow.taking and who == slow.defender
    better = verb == other and not any(slow.beats(held, instead[-1]) for held in seen if seen[held] > 0)
    return truly and slow.beats(str(card), cards[-1]) and better


def again(course: list[Watched]) -> bool:
    """Whether the last position of a line was there before."""
    *before, last = [slow.place() for slow in course]
    return last in before


def out_of_order(plies: list[int]) -> bool:
    """Whether some of these come before what they follow."""
    return any(one >= other for one, other in pairwise(plies))
