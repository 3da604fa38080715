"""The beliefs (probabilities of nodes) that a tree widget shows, and their origin.

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
"""How a belief at an information set was found.

`bayes`: by Bayes' rule. `trembles`: from the trembles of a sequential equilibrium. `fits`: chosen so that the
strategy is optimal, as in a weak perfect Bayesian equilibrium. `open`: it was not found, and any belief is allowed.
"""
_MAX_HISTORIES_FOR_BOUNDS: Final = 2_000
"""The maximum number of histories of a tree for which the lowest and highest beliefs are computed."""
_MAX_INFOSETS_WITH_BOUNDS: Final = 12
"""The maximum number of information sets for which the lowest and highest beliefs are computed."""


class InfosetBelief(NamedTuple):
    """The belief at an information set that has several nodes."""

    source: BeliefSource
    """How the belief was found."""
    nodes: tuple[int, ...]
    """The node numbers of the information set."""
    probabilities: tuple[Number, ...] = ()
    """The probability of each node of the information set; empty if any belief is allowed."""
    bounds: tuple[tuple[Number, Number], ...] = ()
    """The lowest and highest probability of each node for which the equilibrium is still optimal; empty if they were
    not computed. They are computed only in a small tree, and only for beliefs off the path.
    """


def compute_beliefs(tree: Tree, strategy: Strategy, equilibrium: EquilibriumRecord | None = None) -> dict[int, InfosetBelief]:
    """Return the belief at each information set that has several nodes, keyed by its index.

    If the strategy comes from a list of equilibria, `equilibrium` is its entry in the list. It supplies the beliefs off
    the path of play; without it, these are open.

    >>> from durak_widget.gametheory.solver_selection import solve
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> horse = textbook("horse")
    >>> first, second = solve(horse).equilibria
    >>> [(found.source, tuple(map(str, found.probabilities))) for found in compute_beliefs(horse, first.strategy, first).values()]
    [('trembles', ('1/3', '2/3'))]
    >>> [(found.source, tuple(map(str, found.probabilities))) for found in compute_beliefs(horse, second.strategy, second).values()]
    [('bayes', ('1', '0'))]
    """
    bayes_beliefs = bayesian_beliefs(tree, strategy)
    off_path_source, off_path_beliefs = _find_off_path_beliefs(equilibrium)
    result, off_path_count = dict[int, InfosetBelief](), 0
    for infoset_index, nodes in enumerate(list_infoset_nodes(tree)):
        if len(nodes) < 2:
            continue
        bayes_belief = bayes_beliefs[infoset_index]
        if bayes_belief is not None:
            result[infoset_index] = InfosetBelief("bayes", tuple(nodes), bayes_belief)
        elif off_path_beliefs:
            off_path_count += 1
            bounds = (
                belief_bounds(tree, strategy, infoset_index)
                if tree.history_count <= _MAX_HISTORIES_FOR_BOUNDS and off_path_count <= _MAX_INFOSETS_WITH_BOUNDS
                else None
            )
            result[infoset_index] = InfosetBelief(off_path_source, tuple(nodes), tuple(off_path_beliefs[infoset_index]), bounds or ())
        else:
            result[infoset_index] = InfosetBelief("open", tuple(nodes))
    return result


def _find_off_path_beliefs(equilibrium: EquilibriumRecord | None) -> tuple[BeliefSource, Sequence[Sequence[Number]]]:
    """Return how an equilibrium's off-path beliefs were found, and these beliefs.

    The beliefs are indexed by information set and by node within it. If there are none, the sequence is empty.
    """
    if equilibrium is not None and equilibrium.sequential_result is not None and equilibrium.sequential_result.holds:
        return "trembles", equilibrium.sequential_result.beliefs
    if equilibrium is not None and equilibrium.weak_result is not None and equilibrium.weak_result.holds:
        return "fits", equilibrium.weak_result.beliefs
    return "open", ()


def beliefs_to_message(beliefs: dict[int, InfosetBelief], infosets: Sequence[int], language: str) -> dict[str, dict[str, Any]]:
    """Build a message for the page with the belief at each node, as text and as a number.

    The message has only the beliefs at the given `infosets`. Its keys are the indexes of information sets, and each
    value is built by `_belief_to_message`.

    >>> beliefs_to_message({3: InfosetBelief("bayes", (4, 7), (0.25, 0.75))}, [3, 5], "en")
    {'3': {'source': 'bayes', 'nodes': {'4': ['≈0.25', 0.25], '7': ['≈0.75', 0.75]}}}
    """
    return {
        str(infoset_index): _belief_to_message(beliefs[infoset_index], language) for infoset_index in infosets if infoset_index in beliefs
    }


def _belief_to_message(belief: InfosetBelief, language: str) -> dict[str, Any]:
    """Build the part of a message that describes the belief at one information set.

    `by` is the belief's source. `at` has a text and a number for each node; if any belief is allowed, these are "?" and
    0. `range` has the lowest and highest probability of each node as texts; it is left out if there is no choice.
    """
    texts = [_format_probability(probability, language) for probability in belief.probabilities] or ["?"] * len(belief.nodes)
    weights = [float(probability) for probability in belief.probabilities] or [0.0] * len(belief.nodes)
    message: dict[str, Any] = {
        "source": belief.source,
        "nodes": {str(node): [text, weight] for node, text, weight in zip(belief.nodes, texts, weights, strict=True)},
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
