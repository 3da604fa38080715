"""A review's sentences, checked by the slow oracle without code of the engine, the solver or the review."""

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
"""The limit of positions computed for an ending."""


class WatchedOracle(Oracle):
    """The oracle, with the cards that everybody has seen go into a hand and not leave it."""

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
        shown_cards = [card for seat, card in self._shown if seat == self.defender]
        for card in shown_cards:
            self.openly[self.defender][card] = max(1, self.openly[self.defender][card])
        super()._pass_on(to)

    def _end_bout(self) -> None:
        if self.taking:
            self.openly[self.defender] += Counter(face(card) for pair in self.table for card in pair if card is not None)
        super()._end_bout()

    def beats(self, card: str, attacking: str) -> bool:
        """Return whether a card of a hand beats an attacking one, in any way of playing it."""
        return any(beats(self.options, self.trump, reads(way), reads(attacking)) for way in self._ways(card))

    def branch(self) -> WatchedOracle:
        """Return a copy of the position to play on from, without its history."""
        other = object.__new__(type(self))
        for name, value in vars(self).items():
            kept = value
            if name == "_seen":
                kept = []
            elif name in {"hands", "table"}:
                kept = [list(cards) for cards in value]
            elif name == "openly":
                kept = [Counter(cards) for cards in value]
            elif isinstance(value, (list, set)):
                kept = type(value)(value)
            setattr(other, name, kept)
        return other

    def place(self) -> Hashable:
        """Return everything that matters for an ending from here on."""
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


def oracle_states(game: Game) -> list[WatchedOracle]:
    """Return the oracle before each move of a game, and after the last."""
    deck = next(line for line in str(game).splitlines() if line.startswith("Deck: ")).split()[1:]
    slow = WatchedOracle(options_of(game.rules), deck, game.dealer)
    found = [slow]
    for move in game.moves:
        before = slow
        slow = before.branch()
        slow._seen = list(before._seen)
        slow.play(str(move))
        found.append(slow)
    return found


def options_of(rules: Rules) -> dict[str, Any]:
    """Return all options by name."""
    return {name: getattr(rules, name) for name in BOOK["options"]}


class ForcedResults:
    """What each of two remaining players can force from each reachable position, by iteration until nothing changes."""

    def __init__(self, root: WatchedOracle) -> None:
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

    def value(self, slow: WatchedOracle, seat: int) -> int | None:
        """Return 1, 0 or -1 for a seat, or None for a position that was not computed."""
        place = self.places.get(slow.place())
        if place is None or not self.whole:
            return None
        other = next(player for player in self.seats if player != seat)
        return int(self.wins[seat][place]) - int(self.wins[other][place])


class EndingValues:
    """The oracle's exact values of a game's last positions."""

    def __init__(self, course: list[WatchedOracle]) -> None:
        self.course = course
        self.known: ForcedResults | None = None

    def value(self, ply: int, move: str | None = None) -> int | None:
        """Return the value to the player to move, or after a move, or None if it was not computed."""
        slow = self.course[ply]
        often = slow.options["repetition"]
        if slow.talon or sum(map(slow.is_in, range(slow.players))) != 2 or sum(map(len, slow.hands)) + len(slow.table) > 9:
            return None
        if often is not None and any(slow._seen.count(position) >= often - 1 for position in slow._seen):
            return None
        seat = slow.actor
        if seat is None:
            return None
        if self.known is None or slow.place() not in self.known.places:
            self.known = ForcedResults(slow)
        if move is None:
            return self.known.value(slow, seat)
        after = slow.branch()
        after.options = {**slow.options, "repetition": None}
        after.play(move)
        return self.known.value(after, seat)


def move_text(move: object) -> tuple[str, list[str]]:
    """Return a move's verb and cards in the oracle's notation."""
    verb, *cards = str(move).split()
    return verb, cards


def cards_of_move(move: object) -> list[str]:
    """Return the cards that leave the hand with a move."""
    verb, cards = move_text(move)
    return {"beat": cards[1:], "show": []}.get(verb, cards)


def can_beat_all(slow: WatchedOracle) -> bool:
    """Return whether the defender could beat all open attacks with different cards; every way is tried."""
    open_cards = slow._unbeaten()

    def fits(left: list[str], hand: list[str]) -> bool:
        return not left or any(
            slow.beats(card, left[0]) and fits(left[1:], hand[:place] + hand[place + 1 :]) for place, card in enumerate(hand)
        )

    return fits(open_cards, slow.hands[slow.defender])


def is_of_kind(kind: str, decision: Decision, slow: WatchedOracle) -> bool:
    """Return whether a mistake is of this kind."""
    (verb, cards), (other, instead) = move_text(decision.move), move_text(decision.better_move)
    hand = slow.hands[decision.seat]
    ranks = Counter(card[0] for card in hand)
    trumps = [card for card in cards_of_move(decision.move) if card[1] == slow.trump]
    if kind == "trump":
        spared = not [card for card in cards_of_move(decision.better_move) if card[1] == slow.trump]
        same = verb != "beat" or cards[0] == instead[0]
        return bool(trumps) and spared and same and (verb == other or (verb, other) == ("throw", "pass"))
    if kind == "pair" and verb == "attack":
        return other == "attack" and len(cards) == 1 < len(instead) and {card[0] for card in instead} == {cards[0][0]}
    if kind == "pair":
        return verb == other == "beat" and cards[0] == instead[0] and ranks[cards[1][0]] == 2 and ranks[instead[1][0]] == 1
    if kind == "take":
        return (
            verb == "take"
            and decision.seat == slow.defender
            and (other in {"transfer", "show"} or (other == "beat" and can_beat_all(slow)))
        )
    if kind == "throw":
        return slow.taking and (verb, other) == ("throw", "pass")
    return kind == "ending" and decision.verdict == "proved mistake"


def was_seen_in_hand(decision: Decision, slow: WatchedOracle, who: int, card: Card) -> bool:
    """Return whether all saw that card go into that hand, and it beats the played card, and no seen card beats the better move."""
    seen = slow.openly[who]
    (verb, cards), (other, instead) = move_text(decision.move), move_text(decision.better_move)
    truly = str(card) in slow.hands[who] and seen[str(card)] > 0 and not slow.taking and who == slow.defender
    better = verb == other and not any(slow.beats(held, instead[-1]) for held in seen if seen[held] > 0)
    return truly and slow.beats(str(card), cards[-1]) and better


def is_repetition(course: list[WatchedOracle]) -> bool:
    """Return whether the last position of a line occurred before."""
    *before, last = [slow.place() for slow in course]
    return last in before


def is_out_of_order(plies: list[int]) -> bool:
    """Return whether some of these plies are before those they follow."""
    return any(first >= other for first, other in pairwise(plies))
