"""Evaluates a strategy: its guaranteed value, its best response, and its worst decisions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from html import escape
from itertools import islice
from math import sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.bot_strategy_conversion import DEFAULT_SAMPLES, convert_bot_to_strategy, get_bot_name
from durak_widget.analysis.deal_enumeration import TreeOrigin
from durak_widget.analysis.game_at_node import describe_infoset_history
from durak_widget.gametheory.best_responses import Guarantee, reach_probabilities, require_two_player_zero_sum
from durak_widget.gametheory.infoset_regret import DecisionImprovementSearch
from durak_widget.gametheory.player_labels import default_name
from durak_widget.gametheory.strategy import Strategy
from durak_widget.gametheory.tree import TERMINAL, TreeError, require_tree
from durak_widget.gametheory.zero_sum_solver import Solution, solve
from durak_widget.optional_dependencies import MissingPackageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from durak_widget.analysis.bot_strategy_conversion import BotLike
    from durak_widget.gametheory.infoset_regret import DecisionImprovement
    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import Tree

_SHOWN_AS_ZERO: Final = 1e-12
"""The absolute value below which a floating-point number is printed as 0."""


class Leak(NamedTuple):
    """A costly decision: changing only this decision would raise the strategy's guarantee."""

    infoset: int
    """The index of the information set at which the decision is made."""
    label: str
    """The label of the information set at which the decision is made."""
    observations: str
    """The player's earlier observations as text; empty if the tree does not record them."""
    current_actions: str
    """The actions that the strategy now takes at this information set, with their probabilities."""
    better_action: str
    """The action that the strategy should take more often."""
    share: Number
    """The probability with which the strategy should replace its present choice by the better action; 1 means always."""
    gain: Number
    """The increase of the player's guaranteed value if only this decision changes."""
    reach_probability: Number
    """The probability that play reaches the decision against the opponent's best response."""
    terminal_history: int
    """The terminal history after this decision in which the player loses most; pass it to `restore_game(tree, end)` or
    `tree.actions_from_root(end)`."""


class PlayerEvaluation(NamedTuple):
    """The evaluation of a strategy for one player."""

    player: int
    guaranteed_value: Number
    """The value that the strategy guarantees the player, whatever the opponent does."""
    standard_error: float
    """The standard error of the guaranteed value; 0 if the strategy is not an estimate."""
    loss: Number | None
    """The value of the game minus the guaranteed value; None if the value of the game is unknown."""
    best_response_profile: Strategy
    """A strategy profile: the player's strategy, and the opponent's best response to it. The response stays best after
    any mistake of the player."""
    leaks: tuple[Leak, ...]
    """The costly decisions, from the largest loss to the smallest; for each loss, all other decisions stay as they are."""

    @property
    def guarantee(self) -> Guarantee:
        """Return the guaranteed value of the strategy, and the highest guarantee of any strategy."""
        return Guarantee(self.player, self.guaranteed_value, None if self.loss is None else self.guaranteed_value + self.loss)


@dataclass(frozen=True, repr=False)
class StrategyEvaluation:
    """The value of a strategy against opponents who know it; see `evaluate_strategy`."""

    tree: Tree
    name: str
    """The name of the player or bot that uses the strategy."""
    strategy: Strategy
    player_evaluations: tuple[PlayerEvaluation, PlayerEvaluation]
    """The evaluations for player 0 and player 1."""
    solution: Solution | None
    """The value and solution of the game; None if it could not be solved."""

    @property
    def exploitability(self) -> Number:
        """Return the players' average loss against a best response of the opponent.

        See `gametheory.exploitability`.
        """
        return -sum(side.guaranteed_value for side in self.player_evaluations) / 2

    @property
    def standard_error(self) -> float:
        """Return the exploitability's standard error; 0 unless the strategy is an estimate.

        The estimate is also biased upwards, as a best response to it also exploits its errors.
        """
        return sqrt(sum(side.standard_error**2 for side in self.player_evaluations)) / 2

    def table(self) -> list[dict[str, object]]:
        """Return a table with a row for each costly decision, for example for `pandas.DataFrame`."""
        return [
            {"player": side.player, **leak._asdict(), "line": ", ".join(self.tree.actions_from_root(leak.terminal_history))}
            for side in self.player_evaluations
            for leak in side.leaks
        ]

    def _summary_rows(self) -> list[tuple[str, str]]:
        """Return the lines of the evaluation's summary, each as a label and a text."""
        lower, upper = self.player_evaluations[0].guaranteed_value, -self.player_evaluations[1].guaranteed_value
        value_text = (
            f"between {_format_number(lower)} and {_format_number(upper)}" if self.solution is None else _format_number(self.solution.value)
        )
        rows = [("exploitability", _format_number(self.exploitability, self.standard_error)), (f"value to {default_name(0)}", value_text)]
        for side in self.player_evaluations:
            loss_text = "" if side.loss is None else f", and loses {_format_number(side.loss)}"
            rows.append(
                (
                    f"as {default_name(side.player)}",
                    f"guarantees {_format_number(side.guaranteed_value, side.standard_error)}{loss_text}",
                )
            )
        return rows

    def __repr__(self) -> str:
        return f"<StrategyEvaluation of {self.name}: exploitability {_format_number(self.exploitability, self.standard_error)}>"

    def __str__(self) -> str:
        lines = [self.name, *(f"{name}: {text}" for name, text in self._summary_rows())]
        for side in self.player_evaluations:
            lines += [f"{default_name(side.player)} loses {_format_leak(leak)}" for leak in side.leaks]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        cell_tag = "<td style='text-align:left'>"
        summary = "".join(
            f"<tr><th style='text-align:left'>{name}</th>{cell_tag}{escape(text)}</td></tr>" for name, text in self._summary_rows()
        )
        columns = ("gain", "player", "label", "current_actions", "better_action", "share", "reach_probability", "observations")
        names = "".join(f"<th style='text-align:left'>{name}</th>" for name in columns)
        leaks_by_player = sorted(
            ((leak, side.player) for side in self.player_evaluations for leak in side.leaks), key=lambda pair: pair[0].gain, reverse=True
        )
        rows = [{"player": player, **leak._asdict()} for leak, player in leaks_by_player]
        body = "".join("<tr>" + "".join(f"{cell_tag}{escape(_format_cell(row[name]))}</td>" for name in columns) + "</tr>" for row in rows)
        leaks = f"<table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>" if body else "<p>no decision loses by itself</p>"
        return f"<p>{escape(self.name)}</p><table>{summary}</table>{leaks}"


def evaluate_strategy(
    tree: Tree,
    strategy: Strategy | BotLike,
    *,
    max_leaks: int = 5,
    solution: Solution | None = None,
    samples: int = DEFAULT_SAMPLES,
    seed: int | str = 0,
) -> StrategyEvaluation:
    """Evaluate the strategy of a player or bot against opponents who know it.

    The result has what it guarantees either player, a best response, and the `max_leaks` costliest decisions. The
    loss of a decision is exactly how much more the strategy would guarantee with that decision changed and
    all others kept.

    >>> from durak_widget import Rules, analysis
    >>> tree = analysis.build_game_tree(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> found = evaluate_strategy(tree, lambda view, rng: view.legal_moves()[0])
    >>> found.exploitability, found.player_evaluations[1].guaranteed_value, found.player_evaluations[1].loss
    (Fraction(1, 16), Fraction(5, 24), Fraction(1, 8))
    >>> worst = found.player_evaluations[1].leaks[0]
    >>> worst.label, worst.current_actions, worst.better_action, worst.gain
    ('seat 1 holds 7c, table 6c', 'beat 6c 7c', 'take', Fraction(1, 24))

    The game is solved for its value unless you pass its `solution`. Without numpy the value may stay unknown.
    """
    require_tree(tree)
    require_two_player_zero_sum(tree, "a judgement")
    if solution is not None and solution.tree is not tree and solution.tree != tree:
        raise TreeError("the solution is for another game; give a solution of this tree, or leave it out, and it will be computed")
    if isinstance(strategy, Strategy):
        name, evaluated_strategy = "a strategy", strategy
    else:
        name, evaluated_strategy = get_bot_name(strategy), convert_bot_to_strategy(tree, strategy, samples=samples, seed=seed)
    if solution is None:
        solution = _try_to_solve(tree)
    return StrategyEvaluation(
        tree,
        name,
        evaluated_strategy,
        (
            evaluate_player(tree, evaluated_strategy, 0, max_leaks, solution),
            evaluate_player(tree, evaluated_strategy, 1, max_leaks, solution),
        ),
        solution,
    )


def _try_to_solve(tree: Tree) -> Solution | None:
    """Return the solution of a game, or None if no installed solver can solve it."""
    try:
        return solve(tree, "backward")
    except TreeError:
        pass
    try:
        return solve(tree)
    except MissingPackageError:
        return None


def evaluate_player(tree: Tree, strategy: Strategy, player: int, max_leaks: int, solution: Solution | None) -> PlayerEvaluation:
    """Return the evaluation of a strategy for one player."""
    repairs = DecisionImprovementSearch(tree, strategy, player)
    loss = None if solution is None else (solution.value if player == 0 else -solution.value) - repairs.value
    best_repairs = list(islice(repairs.iterate_improvements(), max_leaks))
    profile = repairs.worst_case_strategy
    leaks = _describe_leaks(tree, strategy, player, best_repairs, reach_probabilities(tree, profile)) if best_repairs else ()
    return PlayerEvaluation(player, repairs.value, repairs.standard_error(strategy.sample_counts), loss, profile, tuple(leaks))


def _describe_leaks(
    tree: Tree, strategy: Strategy, player: int, repairs: list[DecisionImprovement], reach_probabilities: list[Number]
) -> Iterable[Leak]:
    """Yield each costly decision with its best change and its costliest terminal history."""
    worst_ends: dict[int, tuple[Number, Number, int]] = {}
    reach_of_infoset: dict[int, Number] = {}
    infosets = {repair.infoset for repair in repairs}
    for end, (actor, reach_probability) in enumerate(zip(tree.actor, reach_probabilities, strict=True)):
        if actor == TERMINAL and reach_probability:
            cost, node = -tree.payoffs[tree.infoset_of[end]][player], tree.parent[end]
            while node >= 0:
                if tree.actor[node] == player and (infoset := tree.infoset_of[node]) in infosets:
                    reach_of_infoset[infoset] = reach_of_infoset.get(infoset, 0) + reach_probability
                    if infoset not in worst_ends or (cost, reach_probability) > worst_ends[infoset][:2]:
                        worst_ends[infoset] = cost, reach_probability, end
                node = tree.parent[node]
    for repair in repairs:
        record, row = tree.infosets[repair.infoset], strategy.rows[repair.infoset]
        current_actions = ", ".join(
            move if probability == 1 else f"{move} ({_format_cell(probability)})"
            for move, probability in zip(record.actions, row, strict=True)
            if probability
        )
        observations = describe_infoset_history(tree, repair.infoset) if isinstance(tree.origin, TreeOrigin) else ""
        yield Leak(
            repair.infoset,
            record.label,
            observations,
            current_actions,
            record.actions[repair.action],
            repair.share,
            repair.gain,
            reach_of_infoset[repair.infoset],
            worst_ends[repair.infoset][2],
        )


def _format_leak(leak: Leak) -> str:
    """Format a costly decision as a phrase that can end a sentence."""
    better_play = leak.better_action if leak.share == 1 else f"{leak.better_action} (more often by {_format_cell(leak.share)})"
    return f"{_format_number(leak.gain)} at {leak.label}: {leak.current_actions}, better {better_play}" + (
        f" [{leak.observations}]" if leak.observations else ""
    )


def _format_number(number: Number, error: float = 0.0) -> str:
    """Format a number as text, with its standard error if it has one.

    A short fraction is shown with its decimals, and a long one or a float as decimals only.
    """
    decimals = "0" if isinstance(number, float) and abs(number) < _SHOWN_AS_ZERO else f"{float(number):.3g}"
    if error:
        return f"{decimals} ± {error:.1g}"
    text = str(number)
    return decimals if isinstance(number, float) or len(text) > 20 else f"{text} ({decimals})" if "/" in text else text


def _format_cell(value: object) -> str:
    """Format a number or text for a table cell."""
    return (
        str(value)
        if isinstance(value, Fraction) and len(str(value)) < 12
        else f"{float(value):.3g}"
        if isinstance(value, (Fraction, float))
        else str(value)
    )
