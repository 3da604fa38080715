"""Whom does a player think it is facing at each information set, and where does that come from: Bayes' rule, trembling hands, or nothing but that it fits?

Where play comes, Bayes' rule says it. Elsewhere the beliefs of a sequential equilibrium are those to which its trembles lead, those of a weak perfect Bayesian one are some that fit;
of any other strategy nothing is said there: anything may be believed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from durak_widget.board.number_format import in_few_digits, number_written
from durak_widget.gametheory.beliefs import bayes, belief_bounds, members

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.gametheory.equilibrium_list import Listed
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

By = Literal["bayes", "trembles", "fits", "open"]
"""Where a belief comes from; `open`: nowhere, as nothing says what is believed there."""
_ASKED: Final = 2_000
"""Of a tree of no more histories it is asked how much may be believed,"""
_BOUNDS: Final = 12
"""at so many information sets."""


class Faced(NamedTuple):
    """What is believed at one information set of several histories."""

    by: By
    nodes: tuple[int, ...]
    """Its histories."""
    likely: tuple[Number, ...] = ()
    """How likely each of them is held to be; nothing where anything may be believed."""
    bounds: tuple[tuple[Number, Number], ...] = ()
    """How little and how much each of them may be believed in without anything becoming better there, where that was asked."""


def beliefs_of(tree: Tree, strategy: Strategy, listed: Listed | None = None) -> dict[int, Faced]:
    """What is believed at each information set of several histories; `listed` is the equilibrium that the strategy is, where it is one.

    >>> from durak_widget.gametheory.solver_selection import solve
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> horse = textbook("horse")
    >>> one, other = solve(horse).found
    >>> [(found.by, tuple(map(str, found.likely))) for found in beliefs_of(horse, one.strategy, one).values()]
    [('trembles', ('1/3', '2/3'))]
    >>> [(found.by, tuple(map(str, found.likely))) for found in beliefs_of(horse, other.strategy, other).values()]
    [('bayes', ('1', '0'))]
    """
    known = bayes(tree, strategy)
    by, others = _others(listed)
    found, asked = dict[int, Faced](), 0
    for place, nodes in enumerate(members(tree)):
        if len(nodes) < 2:
            continue
        sure = known[place]
        if sure is not None:
            found[place] = Faced("bayes", tuple(nodes), sure)
        elif others:
            asked += 1
            wide = belief_bounds(tree, strategy, place) if tree.histories <= _ASKED and asked <= _BOUNDS else None
            found[place] = Faced(by, tuple(nodes), tuple(others[place]), wide or ())
        else:
            found[place] = Faced("open", tuple(nodes))
    return found


def _others(listed: Listed | None) -> tuple[By, Sequence[Sequence[Number]]]:
    """What an equilibrium says of the information sets to which play never comes."""
    if listed is not None and listed.verdict is not None and listed.verdict.holds:
        return "trembles", listed.verdict.beliefs
    if listed is not None and listed.weakly is not None and listed.weakly.holds:
        return "fits", listed.weakly.beliefs
    return "open", ()


def beliefs_told(faced: dict[int, Faced], places: Sequence[int], language: str) -> dict[str, dict[str, Any]]:
    """What the page is told of the beliefs at these information sets: of each history its text and its weight.

    >>> beliefs_told({3: Faced("bayes", (4, 7), (0.25, 0.75))}, [3, 5], "en")
    {'3': {'by': 'bayes', 'at': {'4': ['≈0.25', 0.25], '7': ['≈0.75', 0.75]}}}
    """
    return {str(place): _told(faced[place], language) for place in places if place in faced}


def _told(one: Faced, language: str) -> dict[str, Any]:
    """One information set of that."""
    texts = [_text(likely, language) for likely in one.likely] or ["?"] * len(one.nodes)
    weights = [float(likely) for likely in one.likely] or [0.0] * len(one.nodes)
    told: dict[str, Any] = {
        "by": one.by,
        "at": {str(node): [text, weight] for node, text, weight in zip(one.nodes, texts, weights, strict=True)},
    }
    if one.bounds and any(low != high for low, high in one.bounds):
        told["range"] = {
            str(node): [number_written(low, language), number_written(high, language)]
            for node, (low, high) in zip(one.nodes, one.bounds, strict=True)
        }
    return told


def _text(likely: Number, language: str) -> str:
    """How likely, as it stands in a small bar: what is rounded, by two digits."""
    text = number_written(likely, language)
    return "≈" + in_few_digits(round(float(likely), 2), language) if text.startswith("≈") else text
