"""View model of beliefs: probabilities at information sets, and their sources.

Where play arrives, Bayes' rule gives the belief. Elsewhere a sequential equilibrium takes its beliefs from trembles,
and a weak perfect Bayesian equilibrium takes any beliefs that fit. For any other strategy the belief there is open.
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
"""The source of a belief; `open` means that nothing determines it."""
_ASKED: Final = 2_000
"""The largest tree, in histories, for which bounds on beliefs are computed."""
_BOUNDS: Final = 12
"""The largest number of information sets for which they are computed."""


class Faced(NamedTuple):
    """The belief at one information set with several nodes."""

    by: By
    nodes: tuple[int, ...]
    """The nodes of the information set."""
    likely: tuple[Number, ...] = ()
    """The probability of each node; empty if anything may be believed."""
    bounds: tuple[tuple[Number, Number], ...] = ()
    """The smallest and largest probability of each node with which no other action becomes better, if computed."""


def beliefs_of(tree: Tree, strategy: Strategy, listed: Listed | None = None) -> dict[int, Faced]:
    """Return the belief at each information set with several nodes.

    If the strategy is an equilibrium of a list, give that entry as `listed`.

    >>> from durak_widget.gametheory.solver_selection import solve
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> horse = textbook("horse")
    >>> one, other = solve(horse).found
    >>> [(found.by, tuple(map(str, found.likely))) for found in beliefs_of(horse, one.strategy, one).values()]
    [('trembles', ('1/3', '2/3'))]
    >>> [(found.by, tuple(map(str, found.likely))) for found in beliefs_of(horse, other.strategy, other).values()]
    [('bayes', ('1', '0'))]
    """
    bayes_beliefs = bayes(tree, strategy)
    source, off_path_beliefs = _others(listed)
    result, bounded_count = dict[int, Faced](), 0
    for infoset_index, nodes in enumerate(members(tree)):
        if len(nodes) < 2:
            continue
        bayes_belief = bayes_beliefs[infoset_index]
        if bayes_belief is not None:
            result[infoset_index] = Faced("bayes", tuple(nodes), bayes_belief)
        elif off_path_beliefs:
            bounded_count += 1
            bounds = belief_bounds(tree, strategy, infoset_index) if tree.histories <= _ASKED and bounded_count <= _BOUNDS else None
            result[infoset_index] = Faced(source, tuple(nodes), tuple(off_path_beliefs[infoset_index]), bounds or ())
        else:
            result[infoset_index] = Faced("open", tuple(nodes))
    return result


def _others(listed: Listed | None) -> tuple[By, Sequence[Sequence[Number]]]:
    """Return the source and the beliefs of an equilibrium where play never arrives."""
    if listed is not None and listed.verdict is not None and listed.verdict.holds:
        return "trembles", listed.verdict.beliefs
    if listed is not None and listed.weakly is not None and listed.weakly.holds:
        return "fits", listed.weakly.beliefs
    return "open", ()


def beliefs_told(faced: dict[int, Faced], places: Sequence[int], language: str) -> dict[str, dict[str, Any]]:
    """Return the beliefs at these information sets as a message: text and weight per node.

    >>> beliefs_told({3: Faced("bayes", (4, 7), (0.25, 0.75))}, [3, 5], "en")
    {'3': {'by': 'bayes', 'at': {'4': ['≈0.25', 0.25], '7': ['≈0.75', 0.75]}}}
    """
    return {str(infoset_index): _told(faced[infoset_index], language) for infoset_index in places if infoset_index in faced}


def _told(one: Faced, language: str) -> dict[str, Any]:
    """Return the belief at one information set as a message."""
    texts = [_text(probability, language) for probability in one.likely] or ["?"] * len(one.nodes)
    weights = [float(probability) for probability in one.likely] or [0.0] * len(one.nodes)
    message: dict[str, Any] = {
        "by": one.by,
        "at": {str(node): [text, weight] for node, text, weight in zip(one.nodes, texts, weights, strict=True)},
    }
    if one.bounds and any(low != high for low, high in one.bounds):
        message["range"] = {
            str(node): [number_written(low, language), number_written(high, language)]
            for node, (low, high) in zip(one.nodes, one.bounds, strict=True)
        }
    return message


def _text(likely: Number, language: str) -> str:
    """Format a probability for a small bar; a rounded one gets two digits."""
    text = number_written(likely, language)
    return "≈" + in_few_digits(round(float(likely), 2), language) if text.startswith("≈") else text
