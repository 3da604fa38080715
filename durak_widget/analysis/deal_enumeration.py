"""Which deals can there be: all that a deck can give, or all that may still be so in one position."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from math import comb, factorial, perm
from operator import and_
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.analysis.deal_posterior import weights_of
from durak_widget.analysis.possible_worlds import worlds
from durak_widget.cards import FACES, CardSet, bits_of, card_of, face_of, folded, plainly
from durak_widget.engine import state_transitions
from durak_widget.engine.compiled_rules import kit_of
from durak_widget.engine.state import dealt_state
from durak_widget.gametheory.tree import TreeError
from durak_widget.rules import deal_and_trump

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.engine.compiled_rules import Kit
    from durak_widget.engine.game import Game
    from durak_widget.engine.state import State
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree
    from durak_widget.rules.ruleset import Rules


class Deal(NamedTuple):
    """One way in which the hidden cards may lie."""

    name: str
    weight: int | Fraction
    """How likely it is, beside the others."""
    state: State


def two_play(rules: Rules) -> Kit:
    """The kit of rules for two players, over all deals; others are refused."""
    kit = kit_of(rules)
    if kit.players != 2:
        raise TreeError(
            f"a tree of all deals is made of games for two, and these rules have {kit.players} players; say players=2, "
            "or lay a position of theirs and take build_from(game)"
        )
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
        state = dealt_state(kit, deck, dealer)
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
        state_transitions.begin(state)
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
    each = deal_and_trump.dealt_cards(kit.rules)
    return each - each // 2, each // 2, len(kit.deck) - each


def _at_least(kit: Kit) -> int:
    """A number of deals that there are at least, found without dealing any."""
    first, second, rest = _sizes(kit)
    deck = len(kit.deck)
    twins = deck // 2 if kit.twins else 0
    if (
        deal_and_trump.turns_up(kit.rules) and kit.all_cards & ~kit.can_show
    ):  # what may be exchanged for another: count no order of the talon
        return comb(first + second, first) >> twins
    return comb(deck, first) * comb(deck - first, second) * factorial(rest) >> twins


def _decks(kit: Kit) -> Iterator[tuple[list[int], int]]:
    """Decks that between them deal every deal, each with how many orders of the deck it stands for.

    The order counts of what is not dealt; and of the cards dealt last where one of them may show the trump suit, back to the first that can.
    """
    rest, deck = _sizes(kit)[2], kit.deck
    shows = deal_and_trump.turns_up(kit.rules) and not deal_and_trump.leaves_talon(kit.rules)
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
    """The deals that may still be so in a position: the true one, whatever a seat that holds its hand may think of, whatever in that another may, and so on.

    >>> from durak_widget import Game
    >>> game = Game.from_position("suits=c, ranks=6789, hand_size=1", hands=["7c", "8c"], discard="6c", trump="c", talon="9c")
    >>> [deal.name for deal in deals_from(game, 100, open_hands=False)]
    ['7c | 8c; talon 9c', '7c | 9c; talon 8c', '8c | 7c; talon 9c', '8c | 9c; talon 7c', '9c | 7c; talon 8c', '9c | 8c; talon 7c']
    """
    state = game.state
    kit = state.kit
    if state.outcome is not None:
        raise TreeError("the game is over, and a tree is of what may still be played; go back with game.goto")
    if any(state.swapped):
        raise TreeError(
            "cards were swapped with the talon, of which one seat alone knows; take the tree of the rules, or a position before the swap"
        )
    hidden = _hidden(state)
    found: dict[str, Deal] = {}
    for other in _open(state, hidden, limit) if open_hands else _thought_of(game, limit):
        name = name_of(other)
        if name not in found:
            if len(found) == limit:
                raise too_many(limit + 1, limit)
            found[name] = Deal(name, _ways(other, hidden) if kit.twins else 1, _begun(other))
    return sorted(found.values())


def _hidden(state: State) -> int:
    """The cards that not everybody can place."""
    seen: int = sum(map(and_, state.hands, state.seen))
    return state.kit.all_cards & ~(state.table | state.discard | state.face_up | seen | (state.turn_up & state.aside))


def _open(state: State, hidden: int, limit: int) -> Iterator[State]:
    """The moment with its talon in every order that may be."""
    left = hidden & ~sum(state.hands)
    under = [place for place, bit in enumerate(state.talon) if not bit & state.face_up]
    orders = perm(left.bit_count(), len(under))
    if orders > limit:
        raise too_many(orders, limit)
    for cards in permutations([1 << bit for bit in bits_of(left)], len(under)):
        talon = list(state.talon)
        for place, card in zip(under, cards, strict=True):
            talon[place] = card
        other = state.copy()
        other.lay_talon(tuple(talon))
        other.hidden = talon[-1] if state.hidden else 0
        yield other


def _thought_of(game: Game, limit: int) -> Iterator[State]:
    """The moment as it may be: what one seat cannot tell from the truth, what in that another cannot tell from it, and so on."""
    waiting = [(game, seat) for seat in range(game.seats)]
    asked = {(seat, hand.mask) for seat, hand in enumerate(game.hands)}
    while waiting:
        here, seat = waiting.pop()
        possible = worlds(here.view(seat))
        count = possible.count()
        if count.exact and count > limit:
            raise too_many(count, limit)
        for world in possible.all(count):
            state = world.state
            yield state
            for other, hand in enumerate(state.hands):
                knows = (other, plainly(hand))
                if other != seat and knows not in asked:
                    asked.add(knows)
                    waiting.append((world, other))


def _ways(state: State, hidden: int) -> int:
    """In how many ways the copies of the hidden cards can lie so: those of a face that lie in two places may change them."""
    both = folded(hidden & hidden >> FACES)
    together = sum(folded(hand & hand >> FACES & both).bit_count() for hand in state.hands)
    elsewhere = both & ~folded(sum(state.hands) | sum(state.talon))
    return 1 << both.bit_count() - together - elsewhere.bit_count()


def _begun(state: State) -> State:
    """A moment at which a tree begins: how it came about is in what everybody may think of it, and nowhere else."""
    state = state.copy()
    state.ends, state.brought, state.legal = [], (), None
    return state


# What a tree was made from


class Origin(NamedTuple):
    """What a tree of Durak was made from: the rules and who dealt, or a game; and who sees what."""

    rules: Rules
    dealer: int
    game: Game | None = None
    """The game that it goes on from; None for the game over all deals."""
    open_hands: bool = False
    seeing: tuple[int, ...] = ()
    """The seats that see the other's hand, where not all hands are open."""
    played: tuple[Tree, Strategy] | None = None
    """Of a position: a tree of the game up to there, and a strategy by which all have played; None where what was played tells nothing."""

    def deals(self, limit: int) -> list[Deal]:
        """All that chance may deal at the root, in one order; refused if they are more than so many."""
        if self.game is None:
            return deals_of(self.rules, self.dealer, limit)
        deals = deals_from(self.game, limit, open_hands=self.open_hands)
        return deals if self.played is None else _weighed(self.game, deals, *self.played, limit)

    def sees(self, seat: int) -> bool:
        """Whether that seat sees both hands."""
        return self.open_hands or seat in self.seeing


def _weighed(game: Game, deals: Sequence[Deal], before: Tree, strategy: Strategy, limit: int) -> list[Deal]:
    """These deals with how likely each is after what was played; those that it rules out are gone."""
    origin = before.origin
    if not isinstance(origin, Origin) or origin.open_hands or origin.seeing:
        raise TreeError(
            "what was played tells something where it was played with hidden hands: played= takes a tree that analysis.build or analysis.build_from has made so"
        )
    if origin.game is None and (str(origin.rules) != str(game.rules) or origin.dealer != game.dealer):
        raise TreeError(
            f"the strategy is for games by {origin.rules}, dealer {origin.dealer}; this one is by {game.rules}, dealer {game.dealer}"
        )
    dealt = [(deal.weight, deal.state) for deal in origin.deals(limit)]
    likely = weights_of(game, before, strategy, dealt, name_of, origin.game)
    if not likely.get(name_of(game.state)):
        raise TreeError(
            "by this strategy nobody who held what is held would have played as was played here; take one that makes these moves at times"
        )
    return [deal._replace(weight=Fraction(likely[deal.name])) for deal in deals if likely.get(deal.name)]


class OfCards:
    """What a tree knows of where it comes from that was handed out: it speaks of cards, and leads back to no game."""


class Thought(NamedTuple):
    """What a tree was made from that has, beside the moves of Durak, some that the rules forbid: it speaks of cards, but is laid on no table."""

    game: Game
