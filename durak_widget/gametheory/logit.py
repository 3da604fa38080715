"""To which equilibrium do players come who err less and less, and what do they believe on the way? For any number of seats.

In a logit equilibrium a move of an information set is the likelier the more it is worth there: `exp(λ · worth)` in proportion, by what is believed, which is Bayes' rule, as nothing is
impossible yet. At λ = 0 all moves are alike; from there one path leads on, and where λ grows without end it comes to a sequential equilibrium (McKelvey, R. D. and Palfrey, T. R.
(1998): Quantal response equilibria for extensive form games. Experimental Economics 1, 9-41). It is followed in the logarithms of the probabilities (Turocy, T. L. (2010): Computing
sequential equilibria using agent quantal response equilibria. Economic Theory 42, 255-269), a step along the tangent and back by Newton's method.

At a fold the path goes on as the kept sign of a determinant says; where paths cross, only straight on goes on. So both are tried, and then payoffs that are nudged by a ten-millionth.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import inf
from operator import itemgetter
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.best_responses import best_response, in_floats, value
from durak_widget.gametheory.elimination import LARGEST
from durak_widget.gametheory.fitting import in_decimals
from durak_widget.gametheory.game_structure import measured
from durak_widget.gametheory.quantal_response import LogitBranch, LogitField
from durak_widget.gametheory.strategy import made
from durak_widget.gametheory.tree import OVER, forgets, require_tree

if TYPE_CHECKING:
    from durak_widget.gametheory.quantal_response import Floats
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

Rows = tuple[tuple[float, ...], ...]
STEPS: Final = 2000
"""So often the equations are looked at, all ways together."""
WORK: Final = 60_000_000
"""Less often in deep trees, where each look takes long: so often as comes to so many factors."""
NEAR: Final = 1e-6
"""Where the error is smaller, no other way is tried."""
_ENOUGH: Final = 1e-7
"""Where it is smaller, the path is not followed further."""
_NUDGE: Final = 1e-7
"""By so much of their range payoffs are nudged."""


class LogitPoint(NamedTuple):
    """A place on the path: a logit equilibrium."""

    rationality: float
    """λ, by one unit of the payoffs."""
    rows: Rows
    """How likely each move is, by information sets."""


class Logit(NamedTuple):
    """To where the path led."""

    strategy: Strategy
    """In floats."""
    beliefs: Rows
    """How likely each history is at each information set to whoever stands there."""
    rationality: float
    """λ at the end of the path, by one unit of the payoffs."""
    error: float
    """The most that a seat gains by leaving, at the beginning or at any information set by what it believes there; 1 is the range of its own payoffs. Of a game in which somebody forgets: at an information set alone."""
    path: tuple[LogitPoint, ...]
    """From the beginning, where all moves are alike."""
    forks: tuple[float, ...]
    """The λ near which the path is crossed by another. There it goes straight on, and what is told of where it ends is true of that arm alone."""
    nudged: bool
    """Whether payoffs had to be nudged, by a ten-millionth of their range: then no path is crossed, and which arm is taken was a matter of chance."""


def logit_path(tree: Tree, *, steps: int = STEPS) -> Logit:
    """The path of logit equilibria from where all moves are alike as far as it can be followed in so many steps: any game, any number of seats; one of many moves takes long (`followable`).

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> found = logit_path(textbook("horse"))
    >>> [tuple(round(one, 3) for one in row) for row in found.strategy]
    [(0.0, 1.0), (0.0, 1.0), (0.0, 1.0)]
    >>> [round(one, 2) for one in found.beliefs[1]], found.error < 1e-6, found.forks
    ([0.33, 0.67], True, ())
    """
    require_tree(tree)
    if not tree.sets:
        return Logit(made(tree.sets, ()), (), 0.0, 0.0, (LogitPoint(0.0, ()),), (), nudged=False)
    pay, span = _payoffs(tree)
    plain, own = LogitField(tree, pay), measured(tree)
    tried, left = list[tuple[float, LogitBranch, bool]](), min(steps, max(1, WORK // plain.work))
    for nudge, kept in ((0.0, False), (0.0, True), (_NUDGE, False), (_NUDGE, True)):
        lots = Random(1)
        field = LogitField(tree, [[one + nudge * lots.random() for one in line] for line in pay]) if nudge else plain
        branch = LogitBranch(field, kept=kept)
        branch.follow(left, partial(_is_near, own, plain, _ENOUGH + 1.5 * nudge))
        error = _error(own, plain, branch.points[-1][:-1])
        tried.append((error, branch, bool(nudge)))
        left -= branch.looks
        if error < NEAR or left <= 0:
            break
    error, branch, nudged = min(tried, key=itemgetter(0))
    return _told(tree, plain, branch, error, span, nudged=nudged)


def followable(tree: Tree) -> bool:
    """Say whether the path of a game can be followed in a short time: floats hold its payoffs, and it has at most 149 moves.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> followable(textbook("horse"))
    True
    """
    return sum(len(one.moves) for one in tree.sets) < LARGEST and in_decimals(tree)


def _told(tree: Tree, field: LogitField, branch: LogitBranch, error: float, span: float, *, nudged: bool) -> Logit:
    """What is to be known of a path."""
    path = tuple([LogitPoint(max(0.0, one[-1]) / span, field.chances(one[:-1])) for one in branch.points])
    beliefs = field.at(branch.points[-1][:-1]).beliefs
    return Logit(
        made(tree.sets, path[-1].rows),
        tuple(map(tuple, beliefs)),
        path[-1].rationality,
        error,
        path,
        tuple([one / span for one in branch.forks]),
        nudged,
    )


def _payoffs(tree: Tree) -> tuple[list[list[float]], float]:
    """What each end is worth to each seat, in the order of the ends, as parts of the range of all; and that range."""
    ends = [tree.payoffs[tree.info[here]] for here, who in enumerate(tree.actor) if who == OVER]
    least = list(map(min, zip(*ends, strict=True)))
    span = max(map(max, zip(*([one - low for one, low in zip(paid, least, strict=True)] for paid in ends), strict=True))) or Fraction(1)
    [whole] = map(float, in_floats([span], tree))
    return [[float(Fraction(one - low) / span) for one, low in zip(paid, least, strict=True)] for paid in ends], whole or 1.0


def _is_near(own: Tree, field: LogitField, most: float, logs: Floats) -> bool:
    """Whether the error is smaller than so much."""
    return _error(own, field, logs, most) < most


def _error(own: Tree, field: LogitField, logs: Floats, most: float = inf) -> float:
    """The most that a seat gains by leaving, at an information set or at the beginning, as a part of what it has at stake itself; where the first is not below `most`, the second is not asked."""
    regret = field.regret(logs)
    if not regret < most or forgets(own):
        return regret
    strategy = made(own.sets, field.chances(logs))
    gains = [float(best_response(own, strategy, seat).value - value(own, strategy, seat)) for seat in range(own.seats)]
    return max(regret, *gains)
