"""Does any seat gain by another pure plan, and where do a strategy's own moves lead?"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from durak_widget.gametheory.best_responses import best_response, nash_conv, value
from durak_widget.gametheory.strategic_form import own_paths, pure_plans
from durak_widget.gametheory.strategy import made, pure_row
from durak_widget.gametheory.tree import TreeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

_TRIED: Final = 20_000


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


def no_plan_gains(tree: Tree, strategy: Strategy, near: float) -> bool:
    """Whether no seat gains by a pure plan more than so much of all that is at stake; a plan moves otherwise at several places at once.

    Where nobody is at one information set twice, no other way of moving gains then either: what it is worth is linear in each.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> driver = textbook("driver")
    >>> [no_plan_gains(driver, Strategy(driver, [(1 - on, on)]), 1e-6) for on in (0.5, 0.25)]
    [True, False]
    """
    span = max((float(max(paid) - min(paid)) for paid in zip(*tree.payoffs, strict=True)), default=0.0)
    paths, _ = own_paths(tree)
    for seat in range(tree.seats):
        has = float(value(tree, strategy, seat)) + near * span
        for plan in islice(pure_plans(tree, seat, paths), _TRIED):
            rows = list(strategy.rows)
            for place, move in plan.items():
                rows[place] = pure_row(move, len(rows[place]))
            if value(tree, made(tree.sets, rows), seat) > has:
                return False
    return True


def mixes(tree: Tree, strategy: Strategy) -> bool:
    """Whether somebody mixes at an information set to which its own moves lead.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> outside, half = textbook("outside-option"), {"Bach": 0.5, "Stravinsky": 0.5}
    >>> plays = {(0, "chooses a concert"): half, (1, "chooses a concert"): "Bach"}
    >>> [mixes(outside, Strategy.of(outside, plays | {"stays or goes": one})) for one in ("book", "concert")]
    [False, True]
    """
    free = never_led(tree, strategy)
    return any(max(row) < 1 for place, row in enumerate(strategy.rows) if place not in free)


def never_led(tree: Tree, strategy: Strategy) -> frozenset[int]:
    """The information sets to which the moves of their own seat never lead: what is done there is nothing to anybody.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> outside = textbook("outside-option")
    >>> [never_led(outside, Strategy.of(outside, {"stays or goes": one})) for one in ("book", "concert")]
    [frozenset({1}), frozenset()]
    """
    paths, _ = own_paths(tree)
    led = {
        place
        for here, (who, place) in enumerate(zip(tree.actor, tree.info, strict=True))
        if who >= 0 and all(strategy.rows[one][move] for one, move in paths[here][who])
    }
    return frozenset(range(len(tree.sets))) - led


def alike(tree: Tree, strategy: Strategy, other: Strategy) -> bool:
    """Whether two strategies do the same wherever their own moves lead.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> outside = textbook("outside-option")
    >>> one, two = (Strategy.of(outside, {0: "book", 1: move, 2: "Bach"}) for move in ("Bach", "Stravinsky"))
    >>> alike(outside, one, two), alike(outside, one, Strategy.uniform(outside))
    (True, False)
    """
    free = never_led(tree, strategy)
    return free == never_led(tree, other) and all(strategy.rows[one] == other.rows[one] for one in range(len(tree.sets)) if one not in free)
