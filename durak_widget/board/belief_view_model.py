"""The beliefs that a tree widget shows: probabilities of nodes, and their sources.

On the path of play, Bayes' rule gives the belief. Off the path, a sequential equilibrium takes its beliefs from
trembles, and a weak perfect Bayesian equilibrium takes any beliefs that support it. For any other strategy, beliefs
off the path are open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from durak_widget.board.number_format import format_rounded, format_short_number
from durak_widget.gametheory.beliefs import bayesian_beliefs, belief_bounds, list_infoset_nodes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.gametheory.equilibrium_list import EquilibriumRecord
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

BeliefSource = Literal["bayes", "trembles", "fits", "open"]
"""How a belief was found: by Bayes' rule, by trembles, or so that the strategy is optimal; `open`
means that any belief is possible.
"""
_MAX_HISTORIES_FOR_BOUNDS: Final = 2_000
"""The maximum number of histories of a tree for which the lowest and highest beliefs are computed."""
_MAX_BOUNDED_INFOSETS: Final = 12
"""The maximum number of information sets for which the lowest and highest beliefs are computed."""


class InfosetBelief(NamedTuple):
    """The belief at an information set that has several nodes."""

    source: BeliefSource
    nodes: tuple[int, ...]
    """The node numbers of the information set."""
    probabilities: tuple[Number, ...] = ()
    """The probability of each node of the information set; empty if any belief is allowed."""
    bounds: tuple[tuple[Number, Number], ...] = ()
    """The lowest and highest probability of each node at which the equilibrium is still optimal; empty if these limits
    were not computed.
    """


def compute_beliefs(tree: Tree, strategy: Strategy, listed: EquilibriumRecord | None = None) -> dict[int, InfosetBelief]:
    """Return the belief at each information set that has several nodes.

    If the strategy comes from a list of equilibria, `listed` is its entry.

    >>> from durak_widget.gametheory.solver_selection import solve
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> horse = textbook("horse")
    >>> one, other = solve(horse).equilibria
    >>> [(found.source, tuple(map(str, found.probabilities))) for found in compute_beliefs(horse, one.strategy, one).values()]
    [('trembles', ('1/3', '2/3'))]
    >>> [(found.source, tuple(map(str, found.probabilities))) for found in compute_beliefs(horse, other.strategy, other).values()]
    [('bayes', ('1', '0'))]
    """
    bayes_beliefs = bayesian_beliefs(tree, strategy)
    source, off_path_beliefs = _find_off_path_beliefs(listed)
    result, bounded_count = dict[int, InfosetBelief](), 0
    for infoset_index, nodes in enumerate(list_infoset_nodes(tree)):
        if len(nodes) < 2:
            continue
        bayes_belief = bayes_beliefs[infoset_index]
        if bayes_belief is not None:
            result[infoset_index] = InfosetBelief("bayes", tuple(nodes), bayes_belief)
        elif off_path_beliefs:
            bounded_count += 1
            bounds = (
                belief_bounds(tree, strategy, infoset_index)
                if tree.history_count <= _MAX_HISTORIES_FOR_BOUNDS and bounded_count <= _MAX_BOUNDED_INFOSETS
                else None
            )
            result[infoset_index] = InfosetBelief(source, tuple(nodes), tuple(off_path_beliefs[infoset_index]), bounds or ())
        else:
            result[infoset_index] = InfosetBelief("open", tuple(nodes))
    return result


def _find_off_path_beliefs(listed: EquilibriumRecord | None) -> tuple[BeliefSource, Sequence[Sequence[Number]]]:
    """Return an equilibrium's beliefs at unreached information sets, with the belief source."""
    if listed is not None and listed.sequential_result is not None and listed.sequential_result.holds:
        return "trembles", listed.sequential_result.beliefs
    if listed is not None and listed.weak_result is not None and listed.weak_result.holds:
        return "fits", listed.weak_result.beliefs
    return "open", ()


def beliefs_to_message(beliefs: dict[int, InfosetBelief], infosets: Sequence[int], language: str) -> dict[str, dict[str, Any]]:
    """Build the message for the page with the probability of each node, as text and as number.

    >>> beliefs_to_message({3: InfosetBelief("bayes", (4, 7), (0.25, 0.75))}, [3, 5], "en")
    {'3': {'by': 'bayes', 'at': {'4': ['≈0.25', 0.25], '7': ['≈0.75', 0.75]}}}
    """
    return {
        str(infoset_index): _belief_to_message(beliefs[infoset_index], language) for infoset_index in infosets if infoset_index in beliefs
    }


def _belief_to_message(belief: InfosetBelief, language: str) -> dict[str, Any]:
    """Build the part of a message that describes the belief at one information set."""
    texts = [_format_probability(probability, language) for probability in belief.probabilities] or ["?"] * len(belief.nodes)
    weights = [float(probability) for probability in belief.probabilities] or [0.0] * len(belief.nodes)
    message: dict[str, Any] = {
        "by": belief.source,
        "at": {str(node): [text, weight] for node, text, weight in zip(belief.nodes, texts, weights, strict=True)},
    }
    if belief.bounds and any(low != high for low, high in belief.bounds):
        message["range"] = {
            str(node): [format_short_number(low, language), format_short_number(high, language)]
            for node, (low, high) in zip(belief.nodes, belief.bounds, strict=True)
        }
    return message


def _format_probability(probability: Number, language: str) -> str:
    """Format a probability in few characters: exactly, or rounded to two digits."""
    text = format_short_number(probability, language)
    return "≈" + format_rounded(round(float(probability), 2), language) if text.startswith("≈") else text
