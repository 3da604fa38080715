"""Helpers for the later questions: the problem set's games, played again from the text alone."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from itertools import permutations
from string import Formatter
from typing import Any, NamedTuple

from econ431_students import beats

from durak_widget.i18n import get_language


def find_facts(key: str, text: str) -> dict[str, str] | None:
    """Return each fact as the text writes it in the English sentence `class.econ431.{key}`, or None without this sentence."""
    found = sentence_pattern(f"class.econ431.{key}").search(text)
    return found and found.groupdict()


@cache
def sentence_pattern(key: str) -> re.Pattern[str]:
    """Return a pattern of an English sentence, with a group for each fact. So its wording may change."""
    pattern, named = "", set[str]()
    for words, fact, _, _ in Formatter().parse(get_language("en").sentences[key]):
        pattern += re.escape(words)
        if fact:
            pattern += f"(?P={fact})" if fact in named else f"(?P<{fact}>.+?)"
            named.add(fact)
    return re.compile(pattern)


def card_codes(text: str) -> list[str]:
    """Return the cards in a text, by their signs."""
    signs = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
    return [f"{rank.replace('10', 'T')}{signs[suit]}" for rank, suit in re.findall(r"(10|[9JQKA])([♣♦♥♠])", text)]


def trump_of(text: str) -> str:
    """Return the trump suit that a question names."""
    facts = next(facts for key in ("pair", "three", "first.asked") if (facts := find_facts(key, text)))
    return facts["suit"][0]


class Pay(NamedTuple):
    """What the loser pays: per card, a fixed sum, and a sum for picking up without need."""

    each: int = 1
    stake: int = 0
    toll: Fraction = Fraction(0)

    def coins(self, cards: int) -> int:
        """Return the first player's coins at an end. Negative numbers count the first player's own cards."""
        return self.each * cards + (self.stake if cards > 0 else -self.stake)


def pay_of(text: str) -> Pay:
    """Return what the loser pays by a question's text."""
    facts = next(facts for key in ("stake.each", "stake.more", "stake") if (facts := find_facts(key, text)) is not None)
    return Pay(**{name: int(number) for name, number in facts.items()})


class Now(NamedTuple):
    """A moment of the game with hands filled up to one card."""

    hands: tuple[frozenset[str], frozenset[str]]
    talon: tuple[str, ...]
    attacker: int = 0
    lying: tuple[str, ...] = ()
    """The cards on the table, beaten or not."""
    waiting: str = ""
    pairs: int = 0
    limit: int = 0
    size: int = 1
    """Hands are filled up to this number of cards."""

    def without(self, seat: int, card: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return the hands after this card was played."""
        first_hand, second_hand = (hand - {card} if at == seat else hand for at, hand in enumerate(self.hands))
        return first_hand, second_hand

    @property
    def winner(self) -> int | None:
        """Return the player who has no cards left, when the talon is empty."""
        return None if self.talon else next((seat for seat in (0, 1) if not self.hands[seat]), None)


def moves(now: Now, trump: str) -> dict[str, Now]:
    """Return the possible moves and their results, by text 003."""
    me, other = now.attacker, 1 - now.attacker
    if now.waiting:
        found = {}
        for card in now.hands[other]:
            if beats(card, now.waiting, trump):
                then = now._replace(hands=now.without(other, card), waiting="", lying=(*now.lying, card), pairs=now.pairs + 1)
                found[f"beat {now.waiting} {card}"] = then if then.winner is not None or can_go_on(then) else after_beaten_attack(then)
        taken = now.hands[other] | set(now.lying)
        hands = (now.hands[0], taken) if other else (taken, now.hands[1])
        return {**found, "take": after_drawing(now._replace(hands=hands), (other, me), me)}
    if not now.pairs:
        return {f"attack {card}": after_attack(now, card) for card in now.hands[me]}
    return {**{f"throw {card}": after_attack(now, card) for card in can_go_on(now)}, "pass": after_beaten_attack(now)}


def after_attack(now: Now, card: str) -> Now:
    """Return the game after the attacker's card. The limit is the defender's hand at the start of the attack."""
    limit = now.limit or min(5, len(now.hands[1 - now.attacker]))
    return now._replace(hands=now.without(now.attacker, card), waiting=card, lying=(*now.lying, card), limit=limit)


def can_go_on(now: Now) -> list[str]:
    """Return the cards with which the attacker may go on."""
    ranks = {card[0] for card in now.lying}
    return [card for card in now.hands[now.attacker] if card[0] in ranks and now.pairs < now.limit]


def after_beaten_attack(now: Now) -> Now:
    """Return the game after a beaten attack: cards are discarded, the attacker draws first, the other attacks."""
    return after_drawing(now, (now.attacker, 1 - now.attacker), 1 - now.attacker)


def after_drawing(now: Now, order: tuple[int, int], attacker: int) -> Now:
    """Return the game after hands are filled up and the next bout begins."""
    hands, talon = list(now.hands), now.talon
    for seat in order:
        many = max(now.size - len(hands[seat]), 0)
        hands[seat], talon = hands[seat] | frozenset(talon[:many]), talon[many:]
    return Now((hands[0], hands[1]), talon, attacker, size=now.size)


def cards_left(now: Now) -> int:
    """Return how many cards the loser has left."""
    return len(now.hands[1 - now.winner])


class Known(NamedTuple):
    """A decision node, and what its player has seen on the way."""

    now: Now
    seat: int
    seen: tuple[Any, ...]


def settle(now: Now, trump: str, seen: tuple[tuple[Any, ...], tuple[Any, ...]]) -> tuple[Now, tuple[tuple[Any, ...], tuple[Any, ...]]]:
    """Make forced moves, which both players see; each sees the cards they pick up."""
    while now.winner is None and len(ways := moves(now, trump)) == 1:
        [(move, then)] = ways.items()
        now, seen = then, seen_after(now, then, move, seen)
    return now, seen


def seen_after(now: Now, then: Now, move: str, seen: Any) -> Any:
    """Return what both players have seen after a move."""
    return tuple((*before, move, then.hands[seat], len(then.talon)) for seat, before in enumerate(seen))


def deals(first_hand: str, other: str, unseen: list[str], mine: int, theirs: int) -> list[Now]:
    """Return all deals of unseen cards: `mine` to the first player, `theirs` to the second, the rest to the talon."""
    found = []
    for order in permutations(unseen):
        hands = frozenset(first_hand.split()) | set(order[:mine]), frozenset(other.split()) | set(order[mine : mine + theirs])
        found.append(Now(hands, order[mine + theirs :]))
    return found


@cache
def outcomes(now: Now, trump: str) -> Any:
    """Return everything that may follow with open cards, whatever the payoffs: cards left at an end, or the player who decides."""
    if now.winner is not None:
        return -cards_left(now) if now.winner else cards_left(now)
    ways = moves(now, trump)
    found = frozenset((move == "take", outcomes(then, trump)) for move, then in ways.items())
    if len(ways) == 1:
        [(_, only)] = found
        return only
    return (1 - now.attacker if now.waiting else now.attacker), found


@cache
def outcome_value(outcome: Any, pay: Pay | None) -> Fraction:
    """Return the first player's coins, or 1 and -1 if `pay` is None."""
    if isinstance(outcome, int):
        return Fraction((1 if outcome > 0 else -1) if pay is None else pay.coins(outcome))
    seat, ways = outcome
    toll = pay.toll if pay else 0
    found = [outcome_value(then, pay) + take * (toll if seat else -toll) for take, then in ways]
    return min(found) if seat else max(found)


def best_value(now: Now, trump: str, pay: Pay | None) -> Fraction:
    """Return the same from a moment on."""
    return outcome_value(outcomes(now, trump), pay)


class WalkedNode(NamedTuple):
    """A history of a tree, with the game replayed to it."""

    here: int
    now: Now
    seen: tuple[tuple[Any, ...], tuple[Any, ...]]
    taken: int
    """How often player 2 picked up without need, minus how often player 1 did."""


class ById:
    """A tree compared by identity, so that caches find it quickly."""

    def __init__(self, tree: Any) -> None:
        self.tree = tree

    def __hash__(self) -> int:
        return id(self.tree)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ById) and self.tree is other.tree


def walk(tree: Any, trump: str, attacker: int = 0) -> list[WalkedNode]:
    """Return every history but the root, by its moves. The tree says which moves are possible."""
    return _walked(ById(tree), trump, attacker)


@cache
def _walked(by_id: ById, trump: str, attacker: int) -> list[WalkedNode]:
    tree = by_id.tree
    found = []
    waiting = []
    for deal in tree.children(0):
        hands, _, talon = tree.last_action(deal).partition("; talon ")
        first_hand, second_hand = (frozenset(hand.split()) for hand in hands.split(" | "))
        now = Now((first_hand, second_hand), tuple(talon.partition(";")[0].split()), attacker)
        waiting.append((deal, now, ((first_hand,), (second_hand,)), 0))
    while waiting:
        here, now, seen, taken = waiting.pop()
        now, seen = settle(now, trump, seen)
        found.append(WalkedNode(here, now, seen, taken))
        if tree.actor[here] >= 0:
            ways = moves(now, trump)
            assert sorted(ways) == sorted(map(tree.last_action, tree.children(here)))
            assert tree.actor[here] == (1 - now.attacker if now.waiting else now.attacker)
            for child in tree.children(here):
                move = tree.last_action(child)
                took = (move == "take") * (1 if tree.actor[here] else -1)
                waiting.append((child, ways[move], seen_after(now, ways[move], move, seen), taken + took))
    return found


def ends(tree: Any, trump: str, pay: Pay | None) -> dict[int, Fraction]:
    """Return each end's payoff to the first player."""
    toll = pay.toll if pay else 0
    return {node.here: best_value(node.now, trump, pay) + toll * node.taken for node in walk(tree, trump) if tree.actor[node.here] < 0}


class ReachedEnd(NamedTuple):
    """How an end is reached: its chance probability, and the choices of each player."""

    here: int
    chance: Fraction
    choices: tuple[dict[int, int], dict[int, int]]

    def fits(self, seat: int, plan: dict[int, int]) -> bool:
        """Return whether a player's strategy allows this end."""
        return all(plan.get(place) == move for place, move in self.choices[seat].items())


def reached_ends(tree: Any) -> list[ReachedEnd]:
    """Return every end."""
    found = []
    waiting: list[ReachedEnd] = [ReachedEnd(0, Fraction(1), ({}, {}))]
    while waiting:
        node = waiting.pop()
        here, actor = node.here, tree.actor[node.here]
        children = list(tree.children(here))
        if not children:
            found.append(node)
        for number, child in enumerate(children):
            if actor < 0:
                waiting.append(ReachedEnd(child, node.chance / len(children), node.choices))
            else:
                mine = {**node.choices[actor], tree.infoset_of[here]: number}
                waiting.append(ReachedEnd(child, node.chance, (node.choices[0], mine) if actor else (mine, node.choices[1])))
    return found


def pure_strategies(tree: Any, seat: int) -> list[dict[int, int]]:
    """Return every pure strategy of a player."""
    found: list[dict[int, int]] = [{}]
    for place, infoset in enumerate(tree.infosets):
        if infoset.player == seat:
            found = [{**plan, place: move} for plan in found for move in range(len(infoset.actions))]
    return found
