"""What the tests of the later questions share: the games of the problem set played once more, from the text alone, and two hundred students."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple

from class431 import beats


def code(text: str) -> list[str]:
    """The cards of a text in which they stand with their signs."""
    signs = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
    return [f"{rank.replace('10', 'T')}{signs[suit]}" for rank, suit in re.findall(r"(10|[9JQKA])([♣♦♥♠])", text)]


def trump_of(text: str) -> str:
    """The trump suit that a question names."""
    return re.search(r"Trumps are (\w)", text)[1]


class Pay(NamedTuple):
    """What the loser pays: for each card, and besides; and what is paid by who takes and need not."""

    each: int = 1
    stake: int = 0
    toll: Fraction = Fraction(0)

    def coins(self, cards: int) -> int:
        """What an end brings the first player; with a minus, so many cards are left to itself."""
        return self.each * cards + (self.stake if cards > 0 else -self.stake)


def pay_of(text: str) -> Pay:
    """What a question says that the loser pays."""
    each, besides = (re.search(pattern, text) for pattern in (r"pays (\d+) for each", r"and (\d+) besides"))
    return Pay(int(each[1]) if each else 1, int(besides[1]) if besides else 0)


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
    size: int = 1
    """So many cards a hand is filled up to."""

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
        hands = (now.hands[0], taken) if other else (taken, now.hands[1])
        return {**found, "take": drawn(now._replace(hands=hands), (other, me), me)}
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
    return drawn(now, (now.attacker, 1 - now.attacker), 1 - now.attacker)


def drawn(now: Now, order: tuple[int, int], attacker: int) -> Now:
    """Hands are filled up, and the next bout begins."""
    hands, talon = list(now.hands), now.talon
    for seat in order:
        many = max(now.size - len(hands[seat]), 0)
        hands[seat], talon = hands[seat] | frozenset(talon[:many]), talon[many:]
    return Now((hands[0], hands[1]), talon, attacker, size=now.size)


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


@cache
def follows(now: Now, trump: str) -> Any:
    """All that may follow when all is known, whatever is paid: at an end the cards that are left, else who decides between taking and what else."""
    if now.winner is not None:
        return -left(now) if now.winner else left(now)
    ways = moves(now, trump)
    found = frozenset((move == "take", follows(then, trump)) for move, then in ways.items())
    if len(ways) == 1:
        [(_, only)] = found
        return only
    return (1 - now.attacker if now.waiting else now.attacker), found


@cache
def worth(after: Any, pay: Pay | None) -> Fraction:
    """What it comes to: coins for the first player, or 1 and -1 (`pay=None`)."""
    if isinstance(after, int):
        return Fraction((1 if after > 0 else -1) if pay is None else pay.coins(after))
    seat, ways = after
    toll = pay.toll if pay else 0
    found = [worth(then, pay) + take * (toll if seat else -toll) for take, then in ways]
    return min(found) if seat else max(found)


def best(now: Now, trump: str, pay: Pay | None) -> Fraction:
    """The same from a moment on."""
    return worth(follows(now, trump), pay)


class Walked(NamedTuple):
    """A history of a tree, as the game is played anew."""

    here: int
    now: Now
    seen: tuple[tuple[Any, ...], tuple[Any, ...]]
    taken: int
    """How often the second player took and need not, less how often the first did."""


class One:
    """A tree as itself, not as equal to others: so what is known of it is found again at once."""

    def __init__(self, tree: Any) -> None:
        self.tree = tree

    def __hash__(self) -> int:
        return id(self.tree)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, One) and self.tree is other.tree


def walked(tree: Any, trump: str, attacker: int = 0) -> list[Walked]:
    """Every history but the first, by the moves that lead there; what may be done is what the tree has."""
    return _walked(One(tree), trump, attacker)


@cache
def _walked(one: One, trump: str, attacker: int) -> list[Walked]:
    tree = one.tree
    found = []
    waiting = []
    for deal in tree.children(0):
        hands, _, talon = tree.last_action(deal).partition("; talon ")
        one, two = (frozenset(hand.split()) for hand in hands.split(" | "))
        now = Now((one, two), tuple(talon.partition(";")[0].split()), attacker)
        waiting.append((deal, now, ((one,), (two,)), 0))
    while waiting:
        here, now, seen, taken = waiting.pop()
        now, seen = settle(now, trump, seen)
        found.append(Walked(here, now, seen, taken))
        if tree.actor[here] >= 0:
            ways = moves(now, trump)
            assert sorted(ways) == sorted(map(tree.last_action, tree.children(here)))
            assert tree.actor[here] == (1 - now.attacker if now.waiting else now.attacker)
            for child in tree.children(here):
                move = tree.last_action(child)
                took = (move == "take") * (1 if tree.actor[here] else -1)
                waiting.append((child, ways[move], after(now, ways[move], move, seen), taken + took))
    return found


def ends(tree: Any, trump: str, pay: Pay | None) -> dict[int, Fraction]:
    """What each end is worth to the first player."""
    toll = pay.toll if pay else 0
    return {one.here: best(one.now, trump, pay) + toll * one.taken for one in walked(tree, trump) if tree.actor[one.here] < 0}


class Reached(NamedTuple):
    """How an end is reached: how likely chance does what leads there, and what each seat does on the way."""

    here: int
    chance: Fraction
    choices: tuple[dict[int, int], dict[int, int]]

    def fits(self, seat: int, plan: dict[int, int]) -> bool:
        """Whether this plan of a seat lets it come to that."""
        return all(plan.get(place) == move for place, move in self.choices[seat].items())


def reached(tree: Any) -> list[Reached]:
    """Every end."""
    found = []
    waiting: list[Reached] = [Reached(0, Fraction(1), ({}, {}))]
    while waiting:
        one = waiting.pop()
        here, actor = one.here, tree.actor[one.here]
        children = list(tree.children(here))
        if not children:
            found.append(one)
        for number, child in enumerate(children):
            if actor < 0:
                waiting.append(Reached(child, one.chance / len(children), one.choices))
            else:
                mine = {**one.choices[actor], tree.infoset_of[here]: number}
                waiting.append(Reached(child, one.chance, (one.choices[0], mine) if actor else (mine, one.choices[1])))
    return found


def plans(tree: Any, seat: int) -> list[dict[int, int]]:
    """Every choice at all the information sets of a seat."""
    found: list[dict[int, int]] = [{}]
    for place, one in enumerate(tree.infosets):
        if one.player == seat:
            found = [{**plan, place: move} for plan in found for move in range(len(one.actions))]
    return found
