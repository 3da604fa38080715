"""What the tests of the later questions share: the games of the problem set played once more, from the text alone, and two hundred students."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple

from durak_widget.classroom.assignment import Assignment
from durak_widget.classroom.econ431 import first, games, hidden, mixing

RANKS = "9TJQKA"
HOMEWORK = Assignment("econ431", "Econ 431", [*hidden.QUESTIONS, *mixing.QUESTIONS, *first.QUESTIONS, *mixing.LATER, *games.QUESTIONS])
STUDENTS = [f"Student {number}" for number in range(200)]


@cache
def tasks(question: str) -> tuple[Any, ...]:
    """What each student is asked there."""
    return tuple(HOMEWORK.task(question, student) for student in STUDENTS)


def code(text: str) -> list[str]:
    """The cards of a text in which they stand with their signs."""
    signs = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
    return [f"{rank.replace('10', 'T')}{signs[suit]}" for rank, suit in re.findall(r"(10|[9JQKA])([♣♦♥♠])", text)]


def trump_of(text: str) -> str:
    """The trump suit that a question names."""
    return re.search(r"Trumps are (\w)", text)[1]


def stake_of(text: str) -> int:
    """What the loser pays besides."""
    found = re.search(r"and (\d+) besides", text)
    return int(found[1]) if found else 0


def beats(card: str, target: str, trump: str) -> bool:
    """A higher card of the suit, or a trump."""
    if card[1] == target[1]:
        return RANKS.index(card[0]) > RANKS.index(target[0])
    return card[1] == trump


class Now(NamedTuple):
    """A moment of the game with hands filled up to one card."""

    hands: tuple[frozenset[str], frozenset[str]]
    talon: tuple[str, ...]
    attacker: int = 0
    lying: tuple[str, ...] = ()
    """What lies there, beaten or not."""
    waiting: str = ""
    pairs: int = 0
    limit: int = 0

    def without(self, seat: int, card: str) -> tuple[frozenset[str], frozenset[str]]:
        """The hands once this card was played."""
        one, two = (hand - {card} if at == seat else hand for at, hand in enumerate(self.hands))
        return one, two

    @property
    def winner(self) -> int | None:
        """Who has played its last card when there is nothing left to draw."""
        return None if self.talon else next((seat for seat in (0, 1) if not self.hands[seat]), None)


def moves(now: Now, trump: str) -> dict[str, Now]:
    """What may be done, and what comes of it, by text 003."""
    me, other = now.attacker, 1 - now.attacker
    if now.waiting:
        found = {}
        for card in now.hands[other]:
            if beats(card, now.waiting, trump):
                then = now._replace(hands=now.without(other, card), waiting="", lying=(*now.lying, card), pairs=now.pairs + 1)
                found[f"beat {now.waiting} {card}"] = then if then.winner is not None or can_go_on(then) else ended(then)
        taken = now.hands[other] | set(now.lying)
        return {**found, "take": drawn(Now((now.hands[0], taken) if other else (taken, now.hands[1]), now.talon, me), (other, me), me)}
    if not now.pairs:
        return {f"attack {card}": laid(now, card) for card in now.hands[me]}
    return {**{f"throw {card}": laid(now, card) for card in can_go_on(now)}, "pass": ended(now)}


def laid(now: Now, card: str) -> Now:
    """The attacker plays a card; how many it may play is how many cards the defender held when the attack began."""
    limit = now.limit or min(5, len(now.hands[1 - now.attacker]))
    return now._replace(hands=now.without(now.attacker, card), waiting=card, lying=(*now.lying, card), limit=limit)


def can_go_on(now: Now) -> list[str]:
    """The cards with which the attacker may go on."""
    ranks = {card[0] for card in now.lying}
    return [card for card in now.hands[now.attacker] if card[0] in ranks and now.pairs < now.limit]


def ended(now: Now) -> Now:
    """All was beaten: the pairs are gone, the attacker draws first, and the other attacks."""
    return drawn(Now(now.hands, now.talon, 1 - now.attacker), (now.attacker, 1 - now.attacker), 1 - now.attacker)


def drawn(now: Now, order: tuple[int, int], attacker: int) -> Now:
    """Hands are filled up to one card."""
    hands, talon = list(now.hands), now.talon
    for seat in order:
        if not hands[seat] and talon:
            hands[seat], talon = frozenset(talon[:1]), talon[1:]
    return Now((hands[0], hands[1]), talon, attacker)


def left(now: Now) -> int:
    """How many cards the loser has left."""
    return len(now.hands[1 - now.winner])


class Known(NamedTuple):
    """A place at which somebody decides, and what that player has seen on the way."""

    now: Now
    seat: int
    seen: tuple[Any, ...]


def settle(now: Now, trump: str, seen: tuple[tuple[Any, ...], tuple[Any, ...]]) -> tuple[Now, tuple[tuple[Any, ...], tuple[Any, ...]]]:
    """Forced moves are made, and both see them; each sees what it draws."""
    while now.winner is None and len(ways := moves(now, trump)) == 1:
        [(move, then)] = ways.items()
        now, seen = then, after(now, then, move, seen)
    return now, seen


def after(now: Now, then: Now, move: str, seen: Any) -> Any:
    """What both have seen once this was played: the move, and the own hand."""
    return tuple((*before, move, then.hands[seat], len(then.talon)) for seat, before in enumerate(seen))


def deals(one: str, other: str, unseen: list[str], mine: int, theirs: int) -> list[Now]:
    """All the ways in which unseen cards may lie: `mine` with the first, `theirs` with the second player, the rest to draw."""
    found = []
    for order in permutations(unseen):
        hands = frozenset(one.split()) | set(order[:mine]), frozenset(other.split()) | set(order[mine : mine + theirs])
        found.append(Now(hands, order[mine + theirs :]))
    return found


def best(now: Now, trump: str, stake: int | None) -> Fraction:
    """What it comes to when all is known: coins for the first player, or 1 and -1 (`stake=None`)."""
    if now.winner is not None:
        worth = 1 if stake is None else left(now) + stake
        return Fraction(-worth if now.winner else worth)
    seat = 1 - now.attacker if now.waiting else now.attacker
    ways = [best(then, trump, stake) for then in moves(now, trump).values()]
    return min(ways) if seat else max(ways)


class Walked(NamedTuple):
    """A history of a tree, as the game is played anew."""

    here: int
    now: Now
    seen: tuple[tuple[Any, ...], tuple[Any, ...]]


def walked(tree: Any, trump: str, attacker: int = 0) -> list[Walked]:
    """Every history but the first, by the moves that lead there; what may be done is what the tree has."""
    found = []
    waiting = []
    for deal in tree.children(0):
        hands, _, talon = tree.move_to(deal).partition("; talon ")
        one, two = (frozenset(hand.split()) for hand in hands.split(" | "))
        now = Now((one, two), tuple(talon.partition(";")[0].split()), attacker)
        waiting.append((deal, now, ((one,), (two,))))
    while waiting:
        here, now, seen = waiting.pop()
        now, seen = settle(now, trump, seen)
        found.append(Walked(here, now, seen))
        if tree.actor[here] >= 0:
            ways = moves(now, trump)
            assert sorted(ways) == sorted(map(tree.move_to, tree.children(here)))
            assert tree.actor[here] == (1 - now.attacker if now.waiting else now.attacker)
            for child in tree.children(here):
                move = tree.move_to(child)
                waiting.append((child, ways[move], after(now, ways[move], move, seen)))
    return found


def ends(tree: Any, trump: str, stake: int | None) -> dict[int, Fraction]:
    """What each end is worth to the first player."""
    return {one.here: best(one.now, trump, stake) for one in walked(tree, trump) if tree.actor[one.here] < 0}


def played(tree: Any, worth: dict[int, Fraction], likely: Any, here: int = 0) -> Fraction:
    """What comes of the probabilities that `likely` gives for each information set."""
    if here in worth:
        return worth[here]
    children = tree.children(here)
    chances = [Fraction(1, len(children))] * len(children) if tree.actor[here] < 0 else likely(tree.info[here])
    return sum((one * played(tree, worth, likely, child) for one, child in zip(chances, children, strict=True) if one), Fraction(0))


def pure(plan: dict[int, int], tree: Any) -> dict[int, list[Fraction]]:
    """A plan as probabilities; where it says nothing, play never comes."""
    return {place: [Fraction(move == at) for at in range(len(tree.sets[place].moves))] for place, move in plan.items()}


def plans(tree: Any, seat: int) -> list[dict[int, int]]:
    """Every choice at all the information sets of a seat."""
    found: list[dict[int, int]] = [{}]
    for place, one in enumerate(tree.sets):
        if one.seat == seat:
            found = [{**plan, place: move} for plan in found for move in range(len(one.moves))]
    return found
