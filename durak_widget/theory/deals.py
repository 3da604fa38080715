"""Which deals can there be: all that a deck can give, or all that may still be so in one position."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb, factorial
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.cards import CardSet, card_of, face_of, minus, plainly, plus
from durak_widget.game import engine
from durak_widget.game.kit import kit_of
from durak_widget.game.state import dealt
from durak_widget.rules import dealing, trump
from durak_widget.theory.tree import TreeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.game.game import Game
    from durak_widget.game.kit import Kit
    from durak_widget.game.state import State
    from durak_widget.rules.book import Rules


class Deal(NamedTuple):
    """One way in which the hidden cards may lie."""

    name: str
    weight: int
    """How likely it is, beside the others."""
    state: State


def two_play(rules: Rules) -> Kit:
    """The kit of rules for two players; others are refused."""
    kit = kit_of(rules)
    if kit.players != 2:
        raise TreeError(f"a tree is made of games for two, and these rules have {kit.players} players; say players=2")
    return kit


def too_many(deals: int, limit: int) -> TreeError:
    """The refusal of a game that has more deals than its tree may have histories."""
    return TreeError(
        f"the tree would have at least {deals:,} histories, one a deal, and the limit is {limit:,}; take a smaller deck, or give a higher limit="
    )


def name_of(state: State) -> str:
    """A deal in words: the hands, the talon from the top, and the card that shows the trump suit where it lies elsewhere.

    >>> from durak_widget import Game
    >>> name_of(Game.from_position(hands=["6c 7c", "9h Ts"], talon="Kc Ah", turn_up="Ah").state)
    '6c 7c | 9h Ts; talon Kc Ah'
    """
    said = [" | ".join(str(CardSet.of(hand)) for hand in state.hands).strip()]
    if state.rest[0]:
        said.append(f"talon {' '.join(str(card_of(bit)) for bit in state.talon)}")
    if state.aside and state.turn_up:
        said.append(f"turned up {card_of(state.turn_up)}")
    return "; ".join(said)


# All deals of a deck


def deals_of(rules: Rules, dealer: int, limit: int) -> list[Deal]:
    """All deals of a deck, with play begun; those that are the same are one, as often as it comes up.

    >>> from durak_widget import Rules
    >>> rules = Rules(suits="c", ranks="678", hand_size=1, trump="none", first_attacker="left_of_dealer")
    >>> [(deal.name, deal.weight) for deal in deals_of(rules, 1, 100)][:2]
    [('6c | 7c; talon 8c', 1), ('6c | 8c; talon 7c', 1)]
    """
    kit = two_play(rules)
    if dealer not in range(kit.players):
        raise TreeError(f"dealer={dealer!r} is not a seat; the seats are 0 and 1")
    least = _at_least(kit)
    if least > limit:
        raise too_many(least, limit)
    found: dict[tuple[object, ...], tuple[State, int]] = {}
    for deck, weight in _decks(kit):
        state = dealt(kit, deck, dealer)
        key = (
            *map(plainly, state.hands),
            tuple(map(face_of, state.talon)),
            *(face_of(bit) if bit else None for bit in (state.aside, state.turn_up, state.hidden)),
            state.suit,
            state.attacker,
            *map(plainly, state.seen),
        )
        known, before = found.get(key, (state, 0))
        found[key] = known, before + weight
        if len(found) > limit:
            raise too_many(len(found), limit)
    for state, _ in found.values():
        engine.begin(state)
    by_name: dict[str, int] = {}
    deals = []
    for state, weight in found.values():
        name = name_of(state)
        by_name[name] = by_name.get(name, 0) + 1
        deals.append((name, weight, state))
    return sorted(Deal(name if by_name[name] == 1 else f"{name}; {_shown(state)}", weight, state) for name, weight, state in deals)


def _shown(state: State) -> str:
    """Which card shows the trump suit from a hand."""
    return f"shown {' '.join(str(CardSet.of(seen)) for seen in state.seen if seen)}"


def _sizes(kit: Kit) -> tuple[int, int, int]:
    """How many cards go to the one who is dealt first, to the other, and to neither."""
    each = dealing.dealt_cards(kit.rules)
    return each - each // 2, each // 2, len(kit.deck) - each


def _at_least(kit: Kit) -> int:
    """A number of deals that there are at least, found without dealing any."""
    first, second, rest = _sizes(kit)
    deck = len(kit.deck)
    twins = deck // 2 if kit.twins else 0
    if trump.turns_up(kit.rules) and kit.all_cards & ~kit.can_show:  # what may be exchanged for another: count no order of the talon
        return comb(first + second, first) >> twins
    return comb(deck, first) * comb(deck - first, second) * factorial(rest) >> twins


def _decks(kit: Kit) -> Iterator[tuple[list[int], int]]:
    """Decks that between them deal every deal, each with how many orders of the deck it stands for.

    The order counts of what is not dealt; and of the cards dealt last where one of them may show the trump suit, back to the first that can.
    """
    rest, deck = _sizes(kit)[2], kit.deck
    shows = trump.turns_up(kit.rules) and not dealing.leaves_talon(kit.rules)
    for last in _lasts(deck, rest, kit.can_show if shows else 0):
        left = [card for card in deck if card not in last]
        one = len(left) - len(left) // 2
        weight = factorial(one) * factorial(len(left) - one)
        for mine in combinations(left, one):
            theirs = [card for card in left if card not in mine]
            made = [0] * len(left)
            made[0::2], made[1::2] = mine, theirs
            yield [*made, *last], weight


def _lasts(deck: Sequence[int], rest: int, able: int, last: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """The ways in which a deck may end: so many cards, and before them as many as it takes to hold one that is able."""
    if len(last) >= rest and (not able or len(last) == len(deck) or any(card & able for card in last)):
        yield last
        return
    for card in deck:
        if card not in last:
            yield from _lasts(deck, rest, able, (card, *last))


# All deals that may still be so


def deals_from(game: Game, limit: int, *, open_hands: bool) -> list[Deal]:
    """The deals that may still be so in a position: the true one, whatever a seat that holds its hand may think of, whatever in that the other may, and so on.

    >>> from durak_widget import Game
    >>> game = Game.from_position("suits=c, ranks=6789, hand_size=1", hands=["7c", "8c"], discard="6c", trump="c", talon="9c")
    >>> [deal.name for deal in deals_from(game, 100, open_hands=False)]
    ['7c | 8c; talon 9c', '7c | 9c; talon 8c', '8c | 7c; talon 9c', '8c | 9c; talon 7c', '9c | 7c; talon 8c', '9c | 8c; talon 7c']
    """
    state = game.state
    kit = two_play(state.kit.rules)
    if state.outcome is not None:
        raise TreeError("the game is over, and a tree is of what may still be played; go back with game.goto")
    if any(state.swapped):
        raise TreeError(
            "cards were swapped with the talon, of which one seat alone knows; take the tree of the rules, or a position before the swap"
        )
    seen = [hand & known for hand, known in zip(state.hands, state.seen, strict=True)]
    placed = state.table | state.discard | state.face_up | sum(seen) | (state.turn_up & state.aside)
    unknown = kit.all_cards & ~placed
    hidden = [hand & ~known for hand, known in zip(state.hands, seen, strict=True)]
    under = [place for place, bit in enumerate(state.talon) if not bit & state.face_up]
    found: dict[str, Deal] = {}
    for hands in _hands(state, (hidden[0], hidden[1]), unknown, limit, open_hands=open_hands):
        left = _bits(unknown & ~(hands[0] | hands[1]))
        for cards in permutations(left, len(under)):
            talon = list(state.talon)
            for place, card in zip(under, cards, strict=True):
                talon[place] = card
            deal = _laid(state, [hand | known for hand, known in zip(hands, seen, strict=True)], tuple(talon))
            name = name_of(deal)
            before = found.get(name)
            found[name] = Deal(name, 1, deal) if before is None else before._replace(weight=before.weight + 1)
            if len(found) > limit:
                raise too_many(len(found), limit)
    return sorted(found.values())


def _bits(mask: int) -> list[int]:
    """The bits of a mask, lowest first."""
    found = []
    while mask:
        found.append(mask & -mask)
        mask &= mask - 1
    return found


def _hands(state: State, true: tuple[int, int], unknown: int, limit: int, *, open_hands: bool) -> list[tuple[int, int]]:
    """What of their hands nobody was shown, as it may be: the truth, and all that is reached from it by what one seat cannot tell from it."""
    reached = {true: None}
    asked: set[tuple[int, int]] = set()
    waiting = [] if open_hands else [true]
    while waiting:
        pair = waiting.pop()
        for seat, hand in enumerate(pair):
            if (seat, plainly(hand)) in asked:
                continue
            asked.add((seat, plainly(hand)))
            for mine in _alike(hand, unknown) if state.kit.twins else (hand,):
                for cards in combinations(_bits(unknown & ~mine), true[1 - seat].bit_count()):
                    other = (mine, sum(cards)) if seat == 0 else (sum(cards), mine)
                    if other not in reached and _could_be(state, other):
                        reached[other] = None
                        waiting.append(other)
                        if len(reached) > limit:
                            raise too_many(len(reached), limit)
    return list(reached)


def _alike(hand: int, unknown: int) -> list[int]:
    """The hands that look like this one, with other copies of its cards."""
    return [mask for mask in map(sum, combinations(_bits(unknown), hand.bit_count())) if plainly(mask) == plainly(hand)]


def _could_be(state: State, hidden: tuple[int, int]) -> bool:
    """Whether with these cards in hand the same seat would be asked for the same now."""
    if not state.attacks:
        return True
    other = state.copy()
    other.hands = [hand & seen | cards for hand, seen, cards in zip(state.hands, state.seen, hidden, strict=True)]
    engine.resume(other)
    return (other.actor, other.phase, other.bout) == (state.actor, state.phase, state.bout)


def _laid(state: State, hands: list[int], talon: tuple[int, ...]) -> State:
    """The same moment with the cards laid otherwise: what wandered since a bout began wandered in this deal too."""
    other = state.copy()
    other.hands, other.legal = hands, None
    other.lay_talon(talon)
    if state.hidden:
        other.hidden = talon[-1]
    if state.aside and not state.turn_up:
        other.aside = state.kit.all_cards & ~(sum(hands) | sum(talon) | state.table | state.discard)
    now, then = list(map(plainly, state.hands)), list(map(plainly, hands))
    other.past = tuple(
        (attacker, *(plus(minus(new, minus(old, before)), minus(before, old)) for before, old, new in zip(start, now, then, strict=True)))
        for attacker, *start in state.past
    )
    return other
