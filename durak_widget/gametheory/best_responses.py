"""Computes values, best responses, gains and exploitability, for any number of players.

It is plain Python: exact if the strategy is in Fractions, rounded if it holds floats. A best response is
found as in the sequence form. Each terminal node is credited to the player's own last move, and information
sets are decided from the last to the first. It needs perfect recall.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.gametheory.game_properties import instead, zero_sum
from durak_widget.gametheory.infoset_labels import place_quoted
from durak_widget.gametheory.player_labels import player_named
from durak_widget.gametheory.strategy import made, pure_row, require_strategy
from durak_widget.gametheory.tree import OVER, TreeError, require_tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

_NEAR = 1e-9
"""Floats that are nearer to each other are taken as equal."""


class Response(NamedTuple):
    """How one seat answers best what the others do."""

    value: Number
    """What it then has."""
    strategy: Strategy
    """The others' strategies, and the seat's pure answer."""


class Answers(NamedTuple):
    """All the ways in which one seat answers best what the others do."""

    value: Number
    """What it then has."""
    moves: dict[int, tuple[bool, ...]]
    """Of each of its information sets that the others let it come to: which moves are as good as the best."""


class Standing(NamedTuple):
    """What is known of one information set under a strategy."""

    reach: Number
    """How likely play comes there."""
    others: Number
    """How likely it would if the seat itself did all to get there: chance and the others alone."""
    values: tuple[Number, ...] | None
    """What the seat may expect there after each of its moves; None where the others never let it come there."""
    counterfactual: tuple[Number, ...]
    """The same times `others`: what a regret is the difference of."""


def value(tree: Tree, strategy: Strategy, seat: int = 0) -> Number:
    """What the game is worth to a seat when all play by the strategy.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> value(tree, Strategy.uniform(tree)), value(tree, Strategy.uniform(tree), seat=1)
    (Fraction(1, 2), Fraction(-1, 2))
    """
    _require_tree_and_strategy(tree, strategy)
    payoffs = _payoffs(tree, strategy, seat)
    weights = reaches(tree, strategy)
    total = _number(strategy, 0)
    for weight, who, place in zip(weights, tree.actor, tree.info, strict=True):
        if weight and who == OVER:
            total += weight * payoffs[place]
    return total


def best_response(tree: Tree, strategy: Strategy, seat: int, only: Mapping[int, int] = MappingProxyType({})) -> Response:
    """The most that a seat can get while the others play by the strategy, and a pure strategy that gets it; needs perfect recall.

    At some of its information sets the seat may be held to one move: `only`.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> best_response(tree, Strategy.uniform(tree), 0).value, best_response(tree, Strategy.uniform(tree), 0).strategy["begins"]
    (Fraction(1, 1), (Fraction(1, 1), Fraction(0, 1)))
    """
    gains, before = _gains(tree, strategy, seat, only)
    starts, rows = edges(tree), list(strategy.rows)
    for place, one in enumerate(tree.sets):
        if one.seat == seat:
            mine = gains[starts[place] + 1 : starts[place + 1] + 1]
            rows[place] = pure_row(only.get(place, mine.index(max(mine)) if place in before else 0), len(mine))
    return Response(gains[0], made(tree.sets, rows))


def answers(tree: Tree, strategy: Strategy, seat: int) -> Answers:
    """What a seat's best response brings it, and every move that one of its best responses may make: all that are as good as the best.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "l")]), "l": End((1, -1))}.__getitem__, seats=2)
    >>> answers(tree, Strategy.uniform(tree), 0)
    Answers(value=Fraction(1, 1), moves={0: (True, True)})
    """
    gains, before = _gains(tree, strategy, seat)
    starts, moves = edges(tree), dict[int, tuple[bool, ...]]()
    for place in before:
        mine = gains[starts[place] + 1 : starts[place + 1] + 1]
        best = max(mine)
        slack = 0 if strategy.exact else _NEAR * max(1.0, abs(float(best)))
        moves[place] = tuple([one >= best - slack for one in mine])
    return Answers(gains[0], moves)


def _gains(
    tree: Tree, strategy: Strategy, seat: int, only: Mapping[int, int] = MappingProxyType({})
) -> tuple[list[Number], dict[int, int]]:
    """What each of a seat's moves (see `edges`) brings it if it goes on as best it can, and of each set that the others let it come to the move before."""
    _require_tree_and_strategy(tree, strategy)
    ways, payoffs = _ways(tree, strategy), _payoffs(tree, strategy, seat)
    actor, first, info = tree.actor, tree.first, tree.info
    starts = edges(tree)
    gains = [_number(strategy, 0)] * (starts[-1] + 1)
    before: dict[int, int] = {}
    weights: list[Number] = [0] * tree.histories
    weights[0] = _number(strategy, 1)
    last = [0] * tree.histories
    for here, weight in enumerate(weights):  # what is written further on is read when its turn comes
        if not weight:
            continue
        who, place, child, edge = actor[here], info[here], first[here], last[here]
        if who == OVER:
            gains[edge] += weight * payoffs[place]
        elif who == seat:
            _require_same(tree, place, before.setdefault(place, edge), edge)
            for below, move in enumerate(range(starts[place] + 1, starts[place + 1] + 1), child):
                weights[below], last[below] = weight, move
        else:
            for likely in ways[who < 0][place]:
                if likely:
                    weights[child], last[child] = weight * likely, edge
                child += 1
    for place in reversed(before):  # in the order in which they were first met: an earlier one stands before
        best = gains[starts[place] + 1 + only[place]] if place in only else max(gains[starts[place] + 1 : starts[place + 1] + 1])
        if best:
            gains[before[place]] += best
    return gains, before


def nash_conv(tree: Tree, strategy: Strategy) -> Number:
    """What all seats together would gain if each alone went over to its best response: 0 exactly at an equilibrium.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> nash_conv(tree, Strategy.uniform(tree)), nash_conv(tree, Strategy.of(tree, {"begins": "l"}))
    (Fraction(1, 2), Fraction(0, 1))
    """
    _require_tree_and_strategy(tree, strategy)
    gains = [best_response(tree, strategy, seat).value - value(tree, strategy, seat) for seat in range(tree.seats)]
    return sum(gains)


def exploitability(tree: Tree, strategy: Strategy) -> Number:
    """What a seat loses on average against a best response: `nash_conv` divided by the number of seats, as in OpenSpiel.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> exploitability(tree, Strategy.uniform(tree))
    Fraction(1, 4)
    """
    _require_tree_and_strategy(tree, strategy)
    return nash_conv(tree, strategy) / tree.seats


def values(tree: Tree, strategy: Strategy) -> list[Standing]:
    """Of each information set: how likely play comes there, and what each move is worth to the seat that is to act there.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> [(one.reach, one.values) for one in values(tree, Strategy.uniform(tree))]
    [(Fraction(1, 1), (Fraction(1, 1), Fraction(0, 1)))]
    """
    _require_tree_and_strategy(tree, strategy)
    starts, zero = edges(tree), _number(strategy, 0)
    reach: list[Number] = [zero] * len(tree.sets)
    others: list[Number] = [zero] * len(tree.sets)
    counter: list[Number] = [zero] * starts[-1]
    whole = reaches(tree, strategy)
    for seat in range(tree.seats):
        weights, worth = reaches(tree, strategy, seat), worths(tree, strategy, seat)
        for here, who in enumerate(tree.actor):
            if who == seat:
                place, weight = tree.info[here], weights[here]
                reach[place] += whole[here]
                others[place] += weight
                for edge, child in zip(range(starts[place], starts[place + 1]), tree.children(here), strict=True):
                    counter[edge] += weight * worth[child]
    found = []
    for place, likely in enumerate(others):
        mine = tuple(counter[starts[place] : starts[place + 1]])
        found.append(Standing(reach[place], likely, tuple([one / likely for one in mine]) if likely else None, mine))
    return found


def reaches(tree: Tree, strategy: Strategy, without: int | None = None) -> list[Number]:
    """How likely play comes to each history; `without` one seat: how likely it would if that seat did all to get there.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> reaches(tree, Strategy.uniform(tree)), reaches(tree, Strategy.uniform(tree), 0)
    ([Fraction(1, 1), Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 1), Fraction(1, 1), Fraction(1, 1)])
    """
    ways, actor, first, info = _ways(tree, strategy), tree.actor, tree.first, tree.info
    weights: list[Number] = [0] * tree.histories
    weights[0] = _number(strategy, 1)
    for here, weight in enumerate(weights):
        who, child = actor[here], first[here]
        if not weight or who == OVER:
            continue
        if who == without:
            for _ in range(tree.count[here]):
                weights[child] = weight
                child += 1
        else:
            for likely in ways[who < 0][info[here]]:
                if likely:
                    weights[child] = weight * likely
                child += 1
    return weights


def order_of(tree: Tree, seat: int) -> dict[int, int]:
    """The information sets of a seat, an earlier one before a later one, and of each the seat's own last move (see `edges`), 0 for none.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> places = {"": Turn(0, "?", [("a", "a"), ("b", "b")]), "a": End((0,)), "b": Turn(0, "b!", [("c", "a")])}
    >>> order_of(grow("", places.__getitem__, seats=1), 0)
    {0: 0, 1: 2}
    """
    before: dict[int, int] = {}
    starts, last = edges(tree), [0] * tree.histories
    for here, (who, place, child, count) in enumerate(zip(tree.actor, tree.info, tree.first, tree.count, strict=True)):
        edge = last[here]
        if who == seat:
            _require_same(tree, place, before.setdefault(place, edge), edge)
            last[child : child + count] = range(starts[place] + 1, starts[place + 1] + 1)
        elif count:
            last[child : child + count] = [edge] * count
    return before


def edges(tree: Tree) -> list[int]:
    """Where the moves of each information set begin if all are written one after another, and at the end how many there are.

    The moves of set i are numbered `edges(tree)[i] + 1` and so on: 0 stands for no move made yet.
    """
    return list(accumulate((len(one.moves) for one in tree.sets), initial=0))


def _require_tree_and_strategy(tree: Tree, strategy: Strategy) -> None:
    """Refuse anything but a `Tree` and a `Strategy`."""
    require_tree(tree)
    require_strategy(strategy)


def worths(tree: Tree, strategy: Strategy, seat: int) -> list[Number]:
    """What each history is worth to a seat if all play on by the strategy.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> worths(tree, Strategy.uniform(tree), 1)
    [Fraction(-1, 2), Fraction(-1, 1), Fraction(0, 1)]
    """
    _require_tree_and_strategy(tree, strategy)
    ways, payoffs = _ways(tree, strategy), _payoffs(tree, strategy, seat)
    worth = [_number(strategy, 0)] * tree.histories
    for here in reversed(range(tree.histories)):
        who, place = tree.actor[here], tree.info[here]
        if who == OVER:
            worth[here] = payoffs[place]
        else:
            worth[here] = sum(
                [likely * worth[child] for likely, child in zip(ways[who < 0][place], tree.children(here), strict=True) if likely]
            )
    return worth


def _ways(tree: Tree, strategy: Strategy) -> tuple[Sequence[Sequence[Number]], Sequence[Sequence[Number]]]:
    """The probabilities of the seats' moves, and those of chance: floats if any of the strategy's is."""
    strategy.require_sets(tree.sets)
    drawn = [one.probabilities for one in tree.chances]
    return strategy.rows, drawn if strategy.exact else [tuple(map(float, one)) for one in drawn]


def _payoffs(tree: Tree, strategy: Strategy, seat: int) -> list[Number]:
    """What each end is worth to a seat: floats if any of the strategy's probabilities is."""
    if not 0 <= seat < tree.seats:
        raise TreeError(f"there is no seat {seat}; the seats are 0 to {tree.seats - 1}")
    exact = strategy.exact
    return [one[seat] for one in tree.payoffs] if exact else in_floats([one[seat] for one in tree.payoffs])


def in_floats(worths: Iterable[Number], tree: Tree | None = None) -> list[Number]:
    """These payoffs as floats; those that no float can hold are refused, with what takes the tree without floats.

    >>> in_floats([10**400])
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: a payoff of this game is too large for decimals, by which this is reckoned
    """
    try:
        return [float(one) for one in worths]
    except OverflowError:
        there = "" if tree is None else f"; {instead(tree)}"
        raise TreeError(f"a payoff of this game is too large for decimals, by which this is reckoned{there}") from None


def _number(strategy: Strategy, whole: int) -> Number:
    """A whole number, as the strategy's numbers are: a Fraction, or a float."""
    return Fraction(whole) if strategy.exact else float(whole)


def _require_same(tree: Tree, place: int, one: int, other: int) -> None:
    """Refuse a game with imperfect recall: two ways into an information set by other moves of its player."""
    if one != other:
        who = player_named(tree.names, tree.sets[place].seat)
        raise TreeError(f"{who} forgets what they did before {place_quoted(tree, place)}; solvers need a tree with perfect recall")


def require_two_player_zero_sum(tree: Tree, asked: str) -> None:
    """Refuse a game that is not for two players, or not zero-sum; `asked` needs both."""
    if tree.seats != 2:
        raise TreeError(f"{asked} needs two players, and this game has {tree.seats}; {instead(tree)}")
    if any(sum(one) for one in tree.payoffs):
        raise TreeError(f"{asked} needs a zero-sum game, in which one player wins what the other loses, and this is none; {instead(tree)}")


class Held(NamedTuple):
    """What a seat has by its strategy, and what it could have.

    >>> from fractions import Fraction
    >>> Held(0, Fraction(1, 2), Fraction(1)).lost, Held(0, Fraction(1, 2), None).lost
    (Fraction(1, 2), None)
    """

    seat: int
    sure: Number
    """What it has while the other answers as well as possible; where nobody else answers, what it has when all play so."""
    best: Number | None
    """What it could have: what the game is worth to it, or else what its own best response to the others brings; None where that is not known."""
    by: int | None = None
    """Whose best response shows it, where a tree asks."""

    @property
    def lost(self) -> Number | None:
        """How much it gives away; None where it is not known what it could have."""
        lost = None if self.best is None else self.best - self.sure
        return max(lost, 0.0) if isinstance(lost, float) else lost  # in floats even the best may seem to lose or gain a little


def answerer(tree: Tree, seat: int) -> int:
    """Whose best response shows what a seat gives away: the other's, who wins what it loses; in any other game its own."""
    return 1 - seat if zero_sum(tree) else seat


def held_by(tree: Tree, strategy: Strategy, seat: int, worth: Number | None, by: int | None = None) -> tuple[Held, Answers | None]:
    """What a seat has by its strategy, and the best response that shows it, None where who answers forgets; `worth` is what the game is worth to seat 0.

    `by`: who answers, where that is not who answers in such a game: the seat itself, where how the others play is known.

    >>> from fractions import Fraction
    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> held_by(tree, Strategy.uniform(tree), 0, Fraction(1))[0]
    Held(seat=0, sure=Fraction(1, 2), best=Fraction(1, 1), by=1)
    """
    by = answerer(tree, seat) if by is None else by
    try:
        found = answers(tree, strategy, by)
    except TreeError:  # that seat forgets what it did
        return Held(seat, value(tree, strategy, seat), None, by), None
    if by == seat:
        return Held(seat, value(tree, strategy, seat), found.value, by), found
    return Held(seat, -found.value, worth if worth is None or seat == 0 else -worth, by), found


def worths_of(tree: Tree, strategy: Strategy) -> tuple[Number, ...]:
    """What each seat gets.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> worths_of(textbook("entry"), Strategy.of(textbook("entry"), {"begins": "stay out"}))
    (Fraction(1, 1), Fraction(5, 1))
    """
    return tuple([value(tree, strategy, seat) for seat in range(tree.seats)])


def gains_by(tree: Tree, strategy: Strategy, worth: Sequence[Number]) -> tuple[Number, ...]:
    """What each seat gains alone by its best response, beyond what the strategy is worth to it.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> pennies = textbook("pennies")
    >>> gains_by(pennies, Strategy.of(pennies, {0: "heads", 1: "heads"}), (1, -1))
    (Fraction(0, 1), Fraction(2, 1))
    """
    return tuple([best_response(tree, strategy, seat).value - has for seat, has in enumerate(worth)])


def lost_by(tree: Tree, strategy: Strategy) -> Number:
    """What all gain by leaving; of a game in which somebody forgets that cannot be asked, and nothing is promised.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> [lost_by(tree, Strategy.uniform(tree)) for tree in map(textbook, ("entry", "driver"))]
    [Fraction(1, 2), inf]
    """
    try:
        return nash_conv(tree, strategy)
    except TreeError:
        return float("inf")
