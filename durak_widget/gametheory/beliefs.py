"""What may be believed at each information set, and does a strategy stand by it?

Where play comes, the belief follows by Bayes' rule. Elsewhere a *weak* perfect Bayesian equilibrium lets everybody believe anything (Mas-Colell, A., Whinston, M. D.
and Green, J. R. (1995): Microeconomic theory, definition 9.C.3): weak, as such beliefs may contradict one another, and what the seat itself does. In a *sequential* one
they are limits of what trembling hands would let one believe: that is asked in `trembles`. All is exact here, and for anything that the seat may do from there on.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.gametheory.best_responses import reaches, worths
from durak_widget.gametheory.onward import Onward, members
from durak_widget.gametheory.strategy import pure_row
from durak_widget.gametheory.tree import CHANCE, TreeError, forgets, require_tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.gametheory.onward import Belief, Better
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree


class WeaklyPerfect(NamedTuple):
    """Whether a strategy is a weak perfect Bayesian equilibrium, and by which beliefs."""

    holds: bool | None
    """None where it was not decided."""
    beliefs: tuple[Belief, ...] = ()
    """Where it holds: one for each information set, by which nothing there is better."""
    against: int | None = None
    """Where it does not: the information set at which no belief helps; where it was not decided, the one that is left open."""
    better: tuple[Better, ...] = ()
    """What is better there: a mix of ways to go on, by what is believed where play comes, by any belief elsewhere."""


class Trace(NamedTuple):
    """How a history comes about under a strategy."""

    idle: frozenset[tuple[int, int]]
    """The moves on the way that the strategy never makes: of which information set, which."""
    likely: Fraction
    """How likely all the others are together."""


def bayes(tree: Tree, strategy: Strategy) -> list[tuple[Number, ...] | None]:
    """What Bayes' rule says at each information set; None where play never comes. Of floats it makes floats.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("beer-quiche")
    >>> both = Strategy.of(tree, {"strong": "beer", "weak": {"beer": Fraction(1, 9), "quiche": Fraction(8, 9)}})
    >>> bayes(tree, both)[both.place("sees beer")]
    (Fraction(81, 82), Fraction(1, 82))
    """
    require_tree(tree)
    likely, found = reaches(tree, strategy), list[tuple["Number", ...] | None]()
    for nodes in members(tree):
        total = sum([likely[node] for node in nodes])
        found.append(tuple([likely[node] / total for node in nodes]) if total else None)
    return found


def weakly_perfect(tree: Tree, strategy: Strategy) -> WeaklyPerfect:
    """Whether an exact strategy is a weak perfect Bayesian equilibrium: nobody has anything better to do anywhere, by beliefs that Bayes' rule gives where play comes.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> horse = textbook("horse")
    >>> across = Strategy.of(horse, {"begins": "across", "One went across": "across", "One or Two went down": "right"})
    >>> weakly_perfect(horse, across).beliefs
    ((Fraction(1, 1),), (Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 1),))
    >>> down = Strategy.of(horse, {"begins": "down", "One went across": "across", "One or Two went down": "left"})
    >>> weakly_perfect(horse, down).against == down.place("One went across")
    True
    """
    require_perfect_recall(tree, strategy)
    known, beliefs = bayes(tree, strategy), list["Belief"]()
    worth = [worths(tree, strategy, seat) for seat in range(tree.seats)]
    for place, nodes in enumerate(members(tree)):
        sure = known[place]
        corners = [tuple([Fraction(one) for one in sure])] if sure is not None else anything(len(nodes))
        found = Onward(tree, strategy, place, nodes, worth[tree.sets[place].seat]).believed(corners)
        if found.belief is None:
            return WeaklyPerfect(False if found.better else None, (), place, found.better)
        beliefs.append(found.belief)
    return WeaklyPerfect(True, tuple(beliefs))


def belief_bounds(tree: Tree, strategy: Strategy, place: int) -> tuple[tuple[Fraction, Fraction], ...] | None:
    """How little and how much each history of an information set may be believed in, so that nothing there is better; None where no belief will do, or too much would have to be tried.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> horse = textbook("horse")
    >>> across = Strategy.of(horse, {"begins": "across", "One went across": "across", "One or Two went down": "right"})
    >>> [tuple(map(str, one)) for one in belief_bounds(horse, across, across.place("One or Two went down"))]
    [('0', '1/3'), ('2/3', '1')]
    """
    require_perfect_recall(tree, strategy)
    sure, nodes = bayes(tree, strategy)[place], members(tree)[place]
    onward = Onward(tree, strategy, place, nodes, worths(tree, strategy, tree.sets[place].seat))
    corners = [tuple([Fraction(one) for one in sure])] if sure is not None else anything(len(nodes))
    if onward.believed(corners).belief is None:
        return None
    if sure is not None:
        return tuple([(one, one) for one in corners[0]])
    found = []
    for at in range(len(nodes)):
        others, most = (onward.most(corners, [int((one == at) is mine) for one in range(len(nodes))]) for mine in (False, True))
        if others is None or most is None:
            return None
        found.append((1 - others, most))
    return tuple(found)


def anything(many: int) -> list[Belief]:
    """The corners of all beliefs on so many histories: to be sure of one.

    >>> anything(2)
    [(Fraction(1, 1), Fraction(0, 1)), (Fraction(0, 1), Fraction(1, 1))]
    """
    return [pure_row(one, many) for one in range(many)]


def traces(tree: Tree, strategy: Strategy) -> list[Trace]:
    """How each history comes about under a strategy.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("beer-quiche")
    >>> beer = Strategy.of(tree, {"strong": "beer", "weak": "beer"})
    >>> [(sorted(one.idle), str(one.likely)) for one in traces(tree, beer)[:4]]
    [([], '1'), ([], '9/10'), ([], '1/10'), ([], '9/10')]
    """
    found = [Trace(frozenset(), Fraction(1))] * tree.histories
    for here, (who, place) in enumerate(zip(tree.actor, tree.info, strict=True)):
        idle, likely = found[here]
        for move, child in enumerate(tree.children(here)):
            one = tree.chances[place].probabilities[move] if who == CHANCE else strategy.rows[place][move]
            if one or who == CHANCE:
                found[child] = Trace(idle, likely * Fraction(one))
            else:
                found[child] = Trace(idle | {(place, move)}, likely)
    return found


def trembled(come: Sequence[Trace]) -> list[Belief]:
    """The corners of some beliefs on these histories among which are all that trembling hands can lead to.

    Whatever the hands, a history that takes all the slips of another and more is believed in no longer in the end; and those that take the same slips are as likely to one another as
    what else leads there.

    >>> slip, other = (0, 1), (1, 1)
    >>> come = [Trace(frozenset({slip}), Fraction(1, 2)), Trace(frozenset({slip}), Fraction(1, 4)), Trace(frozenset({slip, other}), Fraction(1)), Trace(frozenset({other}), Fraction(1))]
    >>> [tuple(map(str, one)) for one in trembled(come)]
    [('2/3', '1/3', '0', '0'), ('0', '0', '0', '1')]
    """
    kinds = list(dict.fromkeys(one.idle for one in come if one.likely))
    corners = []
    for kind in kinds:
        if not any(other < kind for other in kinds):
            total = sum([one.likely for one in come if one.idle == kind], Fraction(0))
            corners.append(tuple([one.likely / total if one.idle == kind else Fraction(0) for one in come]))
    return corners or anything(len(come))


def require_perfect_recall(tree: Tree, strategy: Strategy) -> None:
    """Refuse a game with imperfect recall, and a strategy that is not in exact fractions.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> driver = textbook("driver")
    >>> require_perfect_recall(driver, Strategy.uniform(driver))
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: beliefs are asked for where everybody remembers, and ...
    """
    require_tree(tree)
    strategy.require_sets(tree.sets)
    if not strategy.exact:
        raise TreeError(
            "what may be believed is decided in fractions, and this strategy has floats; exact_beside(tree, strategy) looks for an exact one beside it"
        )
    if said := forgets(tree):
        raise TreeError(f"beliefs are asked for where everybody remembers, and {said}")
