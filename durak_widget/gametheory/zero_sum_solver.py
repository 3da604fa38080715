"""Solves a zero-sum game with any of the solvers, and returns a proved solution."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from html import escape
from time import perf_counter
from typing import TYPE_CHECKING, Final

from durak_widget.gametheory.backward_induction_solver import LISTED, Backward, backward_induction, perfect_payoffs
from durak_widget.gametheory.best_responses import exploitability, in_floats, require_two_player_zero_sum, values
from durak_widget.gametheory.certificate import Certificate, certify
from durak_widget.gametheory.double_oracle_solver import best_pure_strategy, double_oracle
from durak_widget.gametheory.game_properties import PLAIN, has_value, zero_sum
from durak_widget.gametheory.infoset_labels import set_named
from durak_widget.gametheory.outcome_sampling_mccfr import OutcomeSampling, look_at
from durak_widget.gametheory.player_labels import payoffs_said, player_named
from durak_widget.gametheory.strategy import Strategy, made
from durak_widget.gametheory.tree import CHANCE, OVER, TreeError, require_tree
from durak_widget.optional_dependencies import has_numpy_and_scipy, needing

if TYPE_CHECKING:
    from durak_widget.gametheory.backward_induction_solver import PerfectPayoffs
    from durak_widget.gametheory.solver_progress import Show
    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import Tree

METHODS: Final = {
    "lp": "a linear program on the sequence form",
    "plans": "exact linear programs of a few plans at a time",
    "cfr+": "CFR+",
    "sampling": "outcome sampling",
    "pure": "branch and bound: the best pure strategy of either side",
    "backward": "backward induction",
}
"""The methods to solve a tree, with their names."""
FROM_THE_END: Final = "best moves from the last information sets to the first, by the probabilities of what is hidden"
"""The name of the method `backward` if chance hides something from a player: then it is not textbook backward induction."""
_TAKES: Final = {
    "lp": {"exact"},
    "plans": set[str](),
    "cfr+": {"iterations", "until", "seconds", "progress"},
    "sampling": {"iterations", "seconds", "progress", "seed"},
    "pure": {"seconds"},
    "backward": set[str](),
}
_SHOWN: Final = 40
"""The largest number of table rows shown in a notebook."""
_SHORT: Final = 200
_TIES: Final = 6
"""The largest number of ties listed."""
NO_VALUE: Final = "only a game of two players whose payoffs always add up to the same has a value"
_LISTED: Final = 2000
"""The largest number of information sets whose table is shown."""


@dataclass(frozen=True, repr=False)
class Solution:
    """The result of a solver: the value of the game, a strategy, and their proof."""

    tree: Tree
    method: str
    """A key of `METHODS`."""
    strategy: Strategy
    """The strategy of all players; it is the one of the certificate, in exact fractions."""
    exploitability: Number
    """The average loss of a player against a best response, exact. In a game that is not zero-sum it is the Nash distance."""
    seconds: float
    """The time it took, including the proof."""
    certificate: Certificate | None = None
    """The proof of what each strategy guarantees; None if the game is not a two-player zero-sum game."""
    backward: Backward | None = None
    """The result of backward induction: the payoffs of all players, the line of play, the ties."""
    perfect: PerfectPayoffs | None = None
    """The payoffs of the subgame-perfect equilibria of a game without a value, and the actions that tie."""
    iterations: int | None = None
    """The number of iterations, for methods that have any."""
    interrupted: bool = False
    """True if it was ended from the keyboard; the result is valid nevertheless."""

    @property
    def value(self) -> Number:
        """Return the value to the first player: a Fraction if it is proved, else a float.

        The float is the middle of the bounds. Only a game of two players whose payoffs always add up to the same has a
        value; for a game of one player this is the optimum.
        """
        if self.backward is not None:
            return self._worth_of(self.backward)
        return self._bounds.value

    def _worth_of(self, found: Backward) -> Fraction:
        """Return the first player's value by backward induction; refuse a game without a value."""
        if self.tree.seats > 1 and not has_value(self.tree):
            raise TreeError(NO_VALUE + "; .perfect.payoffs lists what the subgame-perfect equilibria pay")
        return found.values[0]

    @property
    def worths(self) -> tuple[Number, ...] | None:
        """Return the payoff of each player, if there is no value that says it; else None."""
        return self.backward.values if self.certificate is None and self.backward is not None else None

    @property
    def lower(self) -> Fraction:
        """Return what the first player is certain to get, on average."""
        return self._worth_of(self.backward) if self.backward is not None else self._bounds.lower

    @property
    def upper(self) -> Fraction:
        """Return the most that the first player can get on average, if the other plays well."""
        return self._worth_of(self.backward) if self.backward is not None else self._bounds.upper

    @property
    def exact(self) -> bool:
        """Return whether the result is proved to the last digit."""
        return self.backward is not None or self.lower == self.upper

    @property
    def _bounds(self) -> Certificate:
        if self.certificate is None:
            raise TreeError("this solution has no certificate, and is none of backward induction either")
        return self.certificate

    def table(self, *, exact: bool = False) -> list[dict[str, object]]:
        """Return a row for each action of each information set, for `pandas.DataFrame`.

        `exact` gives fractions, which takes longer. `value` is the player's expected payoff after the action, None where
        the other player never lets them come there; `reach` is the probability of reaching the information set.
        """
        strategy = self.strategy if exact else Strategy(self.tree, [tuple(map(float, row)) for row in self.strategy.rows])
        return [
            {
                "seat": record.seat,
                "knows": record.label,
                "move": action,
                "probability": strategy.rows[infoset][action_index],
                "value": None if standing.values is None else standing.values[action_index],
                "reach": standing.reach,
            }
            for infoset, (record, standing) in enumerate(zip(self.tree.sets, values(self.tree, strategy), strict=True))
            for action_index, action in enumerate(record.moves)
        ]

    def _shown(self, row: dict[str, object]) -> list[object]:
        """Return the cells of a row, with the player's name."""
        return [player_named(self.tree.names, int(str(row["seat"]))), *list(row.values())[1:]]

    def _said(self) -> list[tuple[str, str]]:
        """Return the summary of the solution, as names and texts."""
        rows = self._found() if self.perfect is None else self._every(self.perfect)
        iterations_text = "" if self.iterations is None else f", {self.iterations:,} iterations"
        if self.backward is not None:
            may_differ = self.perfect is not None and self.perfect.differ is not False
            rows.append(("line of one of them" if may_differ else "line", ", ".join(self.backward.line)))
        return [
            *rows,
            ("found by", self.found_by + iterations_text + (", interrupted" if self.interrupted else "")),
            (
                "exploitability" if zero_sum(self.tree) else "Nash distance",
                str(self.exploitability) if not self.exploitability else _decimal(self.exploitability, 3),
            ),
            ("seconds", f"{self.seconds:.3g}"),
        ]

    @property
    def found_by(self) -> str:
        """Return the name of the method."""
        return FROM_THE_END if self.method == "backward" and hides(self.tree) else METHODS[self.method]

    def _found(self) -> list[tuple[str, str]]:
        """Return the value of the game, or its bounds, as names and texts."""
        player_name = player_named(self.tree.names, 0)
        if self.exact:
            value_text = (
                f"{self.value}, exactly"
                if len(str(self.value)) < 40
                else f"{_decimal(self.value, 15)} (a fraction of {len(str(self.value))} characters)"
            )
        else:
            value_text = f"{_decimal(self.value, 9)}: at least {_decimal(self.lower, 9)}, at most {_decimal(self.upper, 9)}"
            if self.method == "pure":
                value_text = f"with pure strategies at least {self.lower}, at most {self.upper}"
        rows = [(f"optimum of {player_name}" if self.tree.seats == 1 else f"value to {player_name}", value_text)]
        if self.backward is not None:
            if self.tree.seats == 2 and self.certificate is None:
                rows.append(("payoffs", payoffs_said(self.tree.names, self.backward.values)))
            if self.backward.ties:
                rows.append(("ties", f"at {_sets(len(self.backward.ties))} other moves are as good"))
        return rows

    def _every(self, perfect: PerfectPayoffs) -> list[tuple[str, str]]:
        """Return the payoffs of each equilibrium and the actions that tie, as names and texts."""
        kind = "sequential equilibrium" if hides(self.tree) else "subgame-perfect"
        if perfect.complete:
            payoff_texts = "; ".join(payoffs_said(self.tree.names, payoffs) for payoffs in perfect.payoffs)
            remark = "in pure strategies these and no others" if perfect.differ else "no others in pure strategies"
            rows = [(f"{kind} payoffs", f"{payoff_texts} ({remark})")]
        else:
            count_text = f"more than {LISTED} different ones" if perfect.differ else "not all found, and they may differ"
            example = payoffs_said(self.tree.names, self.backward.values) if self.backward is not None else ""
            rows = [(f"{kind} payoffs", f"{count_text}; one of them: {example}")]
        if perfect.ties:
            tie_texts = [
                f"{set_named(self.tree, tie.place)}: {', '.join(tie.moves)}" for tie in perfect.ties[: _TIES if perfect.complete else 0]
            ]
            remaining = len(perfect.ties) - len(tie_texts)
            action_count = sum(len(tie.moves) for tie in perfect.ties)
            count_text = f"{action_count} moves at {_sets(len(perfect.ties))}" if not tie_texts else f"and at {_sets(remaining, more=True)}"
            rows.append(("ties" if perfect.complete else "moves that may tie", "; ".join([*tie_texts, *[count_text] * bool(remaining)])))
        return rows

    def __repr__(self) -> str:
        summary = self._said()[0][1]
        if len(summary) > _SHORT and self.perfect is not None:
            summary = f"{len(self.perfect.payoffs)} payoff vectors"
        return f"<Solution: {summary}, by {self.found_by}>"

    def __str__(self) -> str:
        return "\n".join(f"{name}: {text}" for name, text in self._said())

    def _repr_html_(self) -> str:
        summary = "".join(
            f"<tr><th style='text-align:left'>{name}</th><td style='text-align:left'>{escape(text)}</td></tr>"
            for name, text in self._said()
        )
        rows = self.table() if len(self.tree.sets) <= _LISTED else []  # the table visits every history
        body = "".join(
            "<tr>" + "".join(f"<td style='text-align:left'>{escape(_short(cell))}</td>" for cell in self._shown(row)) + "</tr>"
            for row in rows[:_SHOWN]
        )
        names = "".join(f"<th style='text-align:left'>{name}</th>" for name in (["player", *list(rows[0])[1:]] if rows else ()))
        if not rows and self.tree.sets:
            return f"<table>{summary}</table><p>{len(self.tree.sets):,} information sets: .table() lists their moves</p>"
        remaining_text = f"<p>… and {len(rows) - _SHOWN:,} rows more: .table() has them all</p>" if len(rows) > _SHOWN else ""
        return f"<table>{summary}</table><table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>{remaining_text}"


def _sets(count: int, *, more: bool = False) -> str:
    return f"{count} {'more ' if more else ''}information set{'' if count == 1 else 's'}"


def hides(tree: Tree) -> bool:
    """Return whether a player who is to act may not know what happened before.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> hides(textbook("kuhn")), hides(textbook("entry"))
    (True, False)
    """
    return tree.histories - tree.actor.count(OVER) - tree.actor.count(CHANCE) > len(tree.sets)


def _decimal(number: Number, digits: int) -> str:
    """Format a number with this many digits; if no float can hold it, as a power of ten."""
    try:
        return f"{float(number):.{digits}g}"
    except OverflowError:
        return f"about {'-' * (number < 0)}10^{len(str(int(abs(Fraction(number))))) - 1}"


def _short(one: object) -> str:
    """Format a cell of the table."""
    return "–" if one is None else f"{one:.4g}" if isinstance(one, float) else str(one)


def solve(
    tree: Tree,
    method: str = "lp",
    *,
    exact: bool = True,
    iterations: int | None = None,
    until: float | None = None,
    seconds: float | None = None,
    progress: Show = None,
    seed: int | None = None,
) -> Solution:
    """Solve a two-player zero-sum game by one of `METHODS`.

    "lp" also looks for exact fractions (`exact`). Without numpy and scipy, and for trees that are not too large, it
    uses "plans". "plans" is exact and needs only Python. "cfr+" runs for a number of `iterations`, until an
    exploitability, or for some `seconds`. "sampling" runs for a number of iterations or seconds, from a `seed`. "pure"
    takes at most some seconds. "backward" takes any game in which no action is hidden. `progress` is True or a function
    to call.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> solve(tree).value, solve(tree, "backward").backward.line
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
        raise TreeError(f"there is no method {method!r}; there are {', '.join(METHODS)}")
    if unknown_options := sorted(name for name, option_value in options.items() if option_value is not None and name not in _TAKES[method]):
        raise TreeError(
            f"method {method!r} has no option {unknown_options[0]!r}; its options: {', '.join(sorted(_TAKES[method])) or 'none'}"
        )
    start_time = perf_counter()
    if method == "backward":
        return _backward(tree, start_time)
    require_two_player_zero_sum(tree, f"method {method!r}")
    if method == "sampling":
        in_floats((payoffs[0] for payoffs in tree.payoffs), tree)
        sampling = OutcomeSampling(0, look_at(tree), seats=2, seed=seed or 0)
        sampling.run(10_000 if iterations is None else iterations, seconds=seconds, progress=progress)
        return _certified(
            tree, method, certify(tree, sampling.strategy(tree)), start_time, sampling.iterations, interrupted=sampling.interrupted
        )
    if method == "plans" or (method == "lp" and tree.histories <= PLAIN and not has_numpy_and_scipy()):
        return _certified(tree, "plans", certify(tree, double_oracle(tree).strategy), start_time)
    if method == "pure":
        deadline = None if seconds is None else start_time + seconds
        best_strategies = best_pure_strategy(tree, 0, deadline), best_pure_strategy(tree, 1, deadline)
        rows = [best_strategies[record.seat].rows[infoset] for infoset, record in enumerate(tree.sets)]
        return _certified(tree, method, certify(tree, made(tree.sets, rows)), start_time)
    with needing():
        from durak_widget.gametheory import cfr_plus, sequence_form  # noqa: PLC0415 - what needs numpy
        from durak_widget.gametheory import rational_recovery as fractions  # noqa: PLC0415 - as these
    start_time = perf_counter()  # importing scipy takes a second, once
    form = sequence_form.SequenceForm(tree)
    if method == "cfr+":
        cfr = cfr_plus.CFR(form).run(1000 if iterations is None else iterations, until=until, seconds=seconds, progress=progress)
        return _certified(tree, method, fractions.certified(form, cfr.strategy()), start_time, cfr.iterations, interrupted=cfr.interrupted)
    probabilities = sequence_form.linear(form)
    return _certified(
        tree,
        method,
        fractions.proved(form, probabilities) if exact else fractions.certified(form, form.strategy(probabilities)),
        start_time,
    )


def _certified(
    tree: Tree, method: str, certificate: Certificate, began: float, iterations: int | None = None, *, interrupted: bool = False
) -> Solution:
    """Build the solution that a certificate proves."""
    strategy, elapsed = certificate.strategy, perf_counter() - began
    return Solution(tree, method, strategy, certificate.gap / 2, elapsed, certificate, iterations=iterations, interrupted=interrupted)


def _backward(tree: Tree, began: float) -> Solution:
    """Solve a game by backward induction, proved by best responses."""
    result = backward_induction(tree)
    if zero_sum(tree):
        certificate = certify(tree, result.strategy)
        return Solution(tree, "backward", result.strategy, certificate.gap / 2, perf_counter() - began, certificate, result)
    nash_distance = exploitability(tree, result.strategy)
    perfect_result = None if tree.seats == 1 or has_value(tree) else perfect_payoffs(tree)
    return Solution(tree, "backward", result.strategy, nash_distance, perf_counter() - began, None, result, perfect_result)
