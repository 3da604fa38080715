"""Solves a zero-sum game with any of the solvers, and returns a proved solution."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from html import escape
from time import perf_counter
from typing import TYPE_CHECKING, Final

from durak_widget.gametheory.backward_induction_solver import (
    MAX_LISTED_PAYOFFS,
    BackwardInductionResult,
    backward_induction,
    find_subgame_perfect_payoffs,
)
from durak_widget.gametheory.best_responses import convert_payoffs_to_floats, exploitability, infoset_values, require_two_player_zero_sum
from durak_widget.gametheory.certificate import Certificate, certify
from durak_widget.gametheory.double_oracle_solver import double_oracle, find_best_pure_strategy
from durak_widget.gametheory.game_properties import MAX_PURE_PYTHON_HISTORIES, has_value, is_zero_sum
from durak_widget.gametheory.infoset_labels import format_infoset
from durak_widget.gametheory.outcome_sampling_mccfr import OutcomeSampling, make_expand_function
from durak_widget.gametheory.player_labels import format_payoffs, format_player_name, join_payoff_lists
from durak_widget.gametheory.strategy import Strategy, build_unchecked_strategy
from durak_widget.gametheory.tree import CHANCE, TERMINAL, TreeError, require_tree
from durak_widget.optional_dependencies import explain_missing_packages, has_numpy_and_scipy

if TYPE_CHECKING:
    from durak_widget.gametheory.backward_induction_solver import SubgamePerfectPayoffs
    from durak_widget.gametheory.solver_progress import ProgressListener
    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import Tree

METHODS: Final = {
    "lp": "a linear program on the sequence form",
    "plans": "exact linear programs of a few pure strategies at a time",
    "cfr+": "CFR+",
    "sampling": "outcome sampling",
    "pure": "branch and bound: the best pure strategy of each player",
    "backward": "backward induction",
}
"""The name of each solution method, as users see it; the dictionary's keys are the methods' keys."""
HIDDEN_CHANCE_METHOD_NAME: Final = "best moves from the last information sets to the first, weighted by the probability of what is hidden"
"""The display name of the method `backward` if a chance move is hidden from a player; the method is then not the one
of textbooks.
"""
_OPTIONS_BY_METHOD: Final = {
    "lp": {"exact"},
    "plans": set[str](),
    "cfr+": {"iterations", "until", "seconds", "progress"},
    "sampling": {"iterations", "seconds", "progress", "seed"},
    "pure": {"seconds"},
    "backward": set[str](),
}
_MAX_TABLE_ROWS: Final = 40
"""The maximum number of rows that a notebook shows of a solution's table."""
_MAX_SUMMARY_LENGTH: Final = 200
_MAX_TIES: Final = 6
"""The maximum number of ties (information sets with several best actions) that a summary lists."""
NO_VALUE_MESSAGE: Final = "only a two-player game whose payoffs always add up to the same number has a value"
_MAX_TABLE_INFOSETS: Final = 2000
"""The maximum number of information sets of a game for which a notebook shows the table of the solution."""


@dataclass(frozen=True, repr=False)
class Solution:
    """The result of a solver: the value of the game, a strategy, and a proof of both."""

    tree: Tree
    method: str
    """The key of the solution method in `METHODS`."""
    strategy: Strategy
    """The strategies of all players, in exact fractions; the certificate proves what they guarantee."""
    exploitability: Number
    """The exact exploitability, which is the players' average loss against best responses. If the game is not
    zero-sum, it is the Nash distance.
    """
    seconds: float
    """The number of seconds that the solver took, including the proof."""
    certificate: Certificate | None = None
    """The proof of the payoffs that the players' strategies guarantee; None if the game is not a two-player zero-sum
    game.
    """
    backward_induction: BackwardInductionResult | None = None
    """The result of backward induction: the payoffs of all players, the line of play, and the ties."""
    perfect_payoffs: SubgamePerfectPayoffs | None = None
    """The payoffs of the subgame-perfect equilibria and the tied actions, for a game that has no value."""
    iterations: int | None = None
    """The number of iterations that the solver ran; None for methods without iterations."""
    interrupted: bool = False
    """True if the user interrupted the solver from the keyboard; the result is still valid."""

    @property
    def value(self) -> Number:
        """Return the game's value for the first player: a Fraction if it is proved, else a float.

        The float is the middle of the bounds. Among games of several players, only two-player constant-sum games have
        a value; for a one-player game it is the player's highest payoff.
        """
        if self.backward_induction is not None:
            return self._backward_induction_value(self.backward_induction)
        return self._require_certificate.value

    def _backward_induction_value(self, backward_result: BackwardInductionResult) -> Fraction:
        """Return the first player's value by backward induction; raise an error if there is none."""
        if self.tree.player_count > 1 and not has_value(self.tree):
            raise TreeError(NO_VALUE_MESSAGE + "; .perfect_payoffs.payoffs lists what the subgame-perfect equilibria pay")
        return backward_result.values[0]

    @property
    def payoffs(self) -> tuple[Number, ...] | None:
        """Return each player's payoff, or None if a certificate bounds the game's value instead."""
        return self.backward_induction.values if self.certificate is None and self.backward_induction is not None else None

    @property
    def lower(self) -> Fraction:
        """Return the expected payoff that the first player's strategy guarantees."""
        return (
            self._backward_induction_value(self.backward_induction)
            if self.backward_induction is not None
            else self._require_certificate.lower
        )

    @property
    def upper(self) -> Fraction:
        """Return the first player's highest expected payoff against the second player's strategy."""
        return (
            self._backward_induction_value(self.backward_induction)
            if self.backward_induction is not None
            else self._require_certificate.upper
        )

    @property
    def exact(self) -> bool:
        """Return whether the value is proved exactly, in fractions."""
        return self.backward_induction is not None or self.lower == self.upper

    @property
    def _require_certificate(self) -> Certificate:
        """Return the certificate of the solution; raise an error if there is none."""
        if self.certificate is None:
            raise TreeError("this solution has no certificate, and it was not found by backward induction")
        return self.certificate

    def table(self, *, exact: bool = False) -> list[dict[str, object]]:
        """Return the solution as rows for `pandas.DataFrame`, one for each action.

        With `exact`, the numbers are fractions, which takes longer. `value` is the player's expected payoff after the
        action, or None if the other player never allows the information set; `reach` is the probability of reaching
        it.
        """
        strategy = self.strategy if exact else Strategy(self.tree, [tuple(map(float, row)) for row in self.strategy.rows])
        return [
            {
                "seat": record.player,
                "knows": record.label,
                "move": action,
                "probability": strategy.rows[infoset][action_index],
                "value": None if standing.action_values is None else standing.action_values[action_index],
                "reach": standing.reach_probability,
            }
            for infoset, (record, standing) in enumerate(zip(self.tree.infosets, infoset_values(self.tree, strategy), strict=True))
            for action_index, action in enumerate(record.actions)
        ]

    def _format_row(self, row: dict[str, object]) -> list[object]:
        """Format one row of the solution's table, with the player's name instead of the number."""
        return [format_player_name(self.tree.names, int(str(row["seat"]))), *list(row.values())[1:]]

    def _summary_rows(self) -> list[tuple[str, str]]:
        """Return a summary of the solution as pairs of a heading and a text."""
        rows = self._value_rows() if self.perfect_payoffs is None else self._equilibrium_payoff_rows(self.perfect_payoffs)
        iterations_text = "" if self.iterations is None else f", {self.iterations:,} iterations"
        if self.backward_induction is not None:
            may_differ = self.perfect_payoffs is not None and self.perfect_payoffs.has_several is not False
            rows.append(("line of one of them" if may_differ else "line", ", ".join(self.backward_induction.line_of_play)))
        return [
            *rows,
            ("found by", self.method_name + iterations_text + (", interrupted" if self.interrupted else "")),
            (
                "exploitability" if is_zero_sum(self.tree) else "Nash distance",
                str(self.exploitability) if not self.exploitability else _format_decimal(self.exploitability, 3),
            ),
            ("seconds", f"{self.seconds:.3g}"),
        ]

    @property
    def method_name(self) -> str:
        """Return the name of the solution method."""
        return HIDDEN_CHANCE_METHOD_NAME if self.method == "backward" and has_hidden_information(self.tree) else METHODS[self.method]

    def _value_rows(self) -> list[tuple[str, str]]:
        """Return summary lines on the value of the game, or on bounds of the value."""
        player_name = format_player_name(self.tree.names, 0)
        if self.exact:
            value_text = (
                f"{self.value}, exactly"
                if len(str(self.value)) < 40
                else f"{_format_decimal(self.value, 15)} (a fraction of {len(str(self.value))} characters)"
            )
        else:
            value_text = (
                f"{_format_decimal(self.value, 9)}: at least {_format_decimal(self.lower, 9)}, at most {_format_decimal(self.upper, 9)}"
            )
            if self.method == "pure":
                value_text = f"with pure strategies at least {self.lower}, at most {self.upper}"
        rows = [(f"optimum of {player_name}" if self.tree.player_count == 1 else f"value to {player_name}", value_text)]
        if self.backward_induction is not None:
            if self.tree.player_count == 2 and self.certificate is None:
                rows.append(("payoffs", format_payoffs(self.tree.names, self.backward_induction.values)))
            if self.backward_induction.ties:
                rows.append(("ties", f"at {_format_infoset_count(len(self.backward_induction.ties))} other moves are equally good"))
        return rows

    def _equilibrium_payoff_rows(self, perfect_payoffs: SubgamePerfectPayoffs) -> list[tuple[str, str]]:
        """Return summary lines on the equilibrium payoffs, and on ties between best actions."""
        kind = "sequential equilibrium" if has_hidden_information(self.tree) else "subgame-perfect"
        if perfect_payoffs.complete:
            payoff_texts = join_payoff_lists([format_payoffs(self.tree.names, payoffs) for payoffs in perfect_payoffs.payoffs])
            remark = "in pure strategies these and no others" if perfect_payoffs.has_several else "no others in pure strategies"
            rows = [(f"{kind} payoffs", f"{payoff_texts} ({remark})")]
        else:
            count_text = (
                f"more than {MAX_LISTED_PAYOFFS} different ones"
                if perfect_payoffs.has_several
                else "not all were found, and they may differ"
            )
            example = format_payoffs(self.tree.names, self.backward_induction.values) if self.backward_induction is not None else ""
            rows = [(f"{kind} payoffs", f"{count_text}; one of them: {example}")]
        if perfect_payoffs.ties:
            tie_texts = [
                f"{format_infoset(self.tree, tie.infoset)}: {', '.join(tie.actions)}"
                for tie in perfect_payoffs.ties[: _MAX_TIES if perfect_payoffs.complete else 0]
            ]
            remaining = len(perfect_payoffs.ties) - len(tie_texts)
            action_count = sum(len(tie.actions) for tie in perfect_payoffs.ties)
            count_text = (
                f"{action_count} moves at {_format_infoset_count(len(perfect_payoffs.ties))}"
                if not tie_texts
                else f"and at {_format_infoset_count(remaining, more=True)}"
            )
            rows.append(
                ("ties" if perfect_payoffs.complete else "moves that may tie", "; ".join([*tie_texts, *[count_text] * bool(remaining)]))
            )
        return rows

    def __repr__(self) -> str:
        summary = self._summary_rows()[0][1]
        if len(summary) > _MAX_SUMMARY_LENGTH and self.perfect_payoffs is not None:
            summary = f"{len(self.perfect_payoffs.payoffs)} payoff vectors"
        return f"<Solution: {summary}, by {self.method_name}>"

    def __str__(self) -> str:
        return "\n".join(f"{name}: {text}" for name, text in self._summary_rows())

    def _repr_html_(self) -> str:
        summary = "".join(
            f"<tr><th style='text-align:left'>{name}</th><td style='text-align:left'>{escape(text)}</td></tr>"
            for name, text in self._summary_rows()
        )
        # No table is shown for a large game, because building the table visits every history
        rows = self.table() if len(self.tree.infosets) <= _MAX_TABLE_INFOSETS else []
        body = "".join(
            "<tr>" + "".join(f"<td style='text-align:left'>{escape(_format_cell(cell))}</td>" for cell in self._format_row(row)) + "</tr>"
            for row in rows[:_MAX_TABLE_ROWS]
        )
        names = "".join(f"<th style='text-align:left'>{name}</th>" for name in (["player", *list(rows[0])[1:]] if rows else ()))
        if not rows and self.tree.infosets:
            return f"<table>{summary}</table><p>{len(self.tree.infosets):,} information sets: .table() lists their moves</p>"
        remaining_text = (
            f"<p>… and {len(rows) - _MAX_TABLE_ROWS:,} more rows: .table() has them all</p>" if len(rows) > _MAX_TABLE_ROWS else ""
        )
        return f"<table>{summary}</table><table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>{remaining_text}"


def _format_infoset_count(count: int, *, more: bool = False) -> str:
    return f"{count} {'more ' if more else ''}information set{'' if count == 1 else 's'}"


def has_hidden_information(tree: Tree) -> bool:
    """Return whether some player may have to act without knowing all earlier moves.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> has_hidden_information(textbook("kuhn")), has_hidden_information(textbook("entry"))
    (True, False)
    """
    return tree.history_count - tree.actor.count(TERMINAL) - tree.actor.count(CHANCE) > len(tree.infosets)


def _format_decimal(number: Number, digits: int) -> str:
    """Format a number with `digits` significant digits; a huge number becomes a power of ten."""
    try:
        return f"{float(number):.{digits}g}"
    except OverflowError:
        return f"about {'-' * (number < 0)}10^{len(str(int(abs(Fraction(number))))) - 1}"


def _format_cell(value: object) -> str:
    """Format the content of a cell in a solution's table."""
    return "–" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


def solve(
    tree: Tree,
    method: str = "lp",
    *,
    exact: bool = True,
    iterations: int | None = None,
    until: float | None = None,
    seconds: float | None = None,
    progress: ProgressListener = None,
    seed: int | None = None,
) -> Solution:
    """Solve a two-player zero-sum game by one of the methods in `METHODS`.

    "lp" also looks for exact fractions (`exact`). Without numpy and scipy, and for trees that are not too large, it
    uses "plans". "plans" is exact and needs only Python. "cfr+" runs for a number of `iterations`, until an
    exploitability, or for some `seconds`. "sampling" runs for a number of iterations or seconds, from a `seed`.
    "pure" stops after some seconds. "backward" solves any game with observed actions. `progress` is True or a
    function to call.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> solve(tree).value, solve(tree, "backward").backward_induction.line_of_play
    (Fraction(1, 1), ('l',))
    """
    require_tree(tree)
    options = {
        "iterations": iterations,
        "until": until,
        "seconds": seconds,
        "progress": progress,
        "seed": seed,
        "exact": None if exact else False,
    }
    if method not in METHODS:
        raise TreeError(f"there is no method {method!r}; the methods are {', '.join(METHODS)}")
    if unknown_options := sorted(
        name for name, option_value in options.items() if option_value is not None and name not in _OPTIONS_BY_METHOD[method]
    ):
        raise TreeError(
            f"method {method!r} has no option {unknown_options[0]!r}; its options are {', '.join(sorted(_OPTIONS_BY_METHOD[method])) or 'none'}"
        )
    start_time = perf_counter()
    if method == "backward":
        return _solve_by_backward_induction(tree, start_time)
    require_two_player_zero_sum(tree, f"method {method!r}")
    if method == "sampling":
        convert_payoffs_to_floats((payoffs[0] for payoffs in tree.payoffs), tree)
        sampling = OutcomeSampling(0, make_expand_function(tree), player_count=2, seed=seed or 0)
        sampling.run(10_000 if iterations is None else iterations, seconds=seconds, progress=progress)
        return _build_certified_solution(
            tree, method, certify(tree, sampling.strategy(tree)), start_time, sampling.iterations, interrupted=sampling.interrupted
        )
    if method == "plans" or (method == "lp" and tree.history_count <= MAX_PURE_PYTHON_HISTORIES and not has_numpy_and_scipy()):
        return _build_certified_solution(tree, "plans", certify(tree, double_oracle(tree).strategy), start_time)
    if method == "pure":
        deadline = None if seconds is None else start_time + seconds
        best_strategies = find_best_pure_strategy(tree, 0, deadline), find_best_pure_strategy(tree, 1, deadline)
        rows = [best_strategies[record.player].rows[infoset] for infoset, record in enumerate(tree.infosets)]
        return _build_certified_solution(tree, method, certify(tree, build_unchecked_strategy(tree.infosets, rows)), start_time)
    with explain_missing_packages():
        from durak_widget.gametheory import cfr_plus, sequence_form  # noqa: PLC0415 - needs numpy
        from durak_widget.gametheory import rational_recovery as fractions  # noqa: PLC0415 - needs numpy
    start_time = perf_counter()  # Measure the time only from here on, because importing scipy for the first time takes a second
    form = sequence_form.SequenceForm(tree)
    if method == "cfr+":
        cfr = cfr_plus.CFR(form).run(1000 if iterations is None else iterations, until=until, seconds=seconds, progress=progress)
        return _build_certified_solution(
            tree, method, fractions.certify_in_sequence_form(form, cfr.strategy()), start_time, cfr.iterations, interrupted=cfr.interrupted
        )
    probabilities = sequence_form.solve_linear_program(form)
    return _build_certified_solution(
        tree,
        method,
        fractions.recover_exact_certificate(form, probabilities)
        if exact
        else fractions.certify_in_sequence_form(form, form.to_strategy(probabilities)),
        start_time,
    )


def _build_certified_solution(
    tree: Tree, method: str, certificate: Certificate, start_time: float, iterations: int | None = None, *, interrupted: bool = False
) -> Solution:
    """Build a solution of a zero-sum game with a certificate of its value."""
    strategy, elapsed = certificate.strategy, perf_counter() - start_time
    return Solution(tree, method, strategy, certificate.gap / 2, elapsed, certificate, iterations=iterations, interrupted=interrupted)


def _solve_by_backward_induction(tree: Tree, start_time: float) -> Solution:
    """Solve a game by backward induction, with a proof by best responses."""
    result = backward_induction(tree)
    if is_zero_sum(tree):
        certificate = certify(tree, result.strategy)
        return Solution(tree, "backward", result.strategy, certificate.gap / 2, perf_counter() - start_time, certificate, result)
    nash_distance = exploitability(tree, result.strategy)
    perfect_result = None if tree.player_count == 1 or has_value(tree) else find_subgame_perfect_payoffs(tree)
    return Solution(tree, "backward", result.strategy, nash_distance, perf_counter() - start_time, None, result, perfect_result)
