"""`solve`: one question for all solvers, and one answer, with its proof."""

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
"""How a tree can be solved."""
FROM_THE_END: Final = "best moves from the last information sets to the first, by the probabilities of what is hidden"
"""What the method `backward` is called where chance hides something from a player: that is not backward induction as the books have it."""
_TAKES: Final = {
    "lp": {"exact"},
    "plans": set[str](),
    "cfr+": {"iterations", "until", "seconds", "progress"},
    "sampling": {"iterations", "seconds", "progress", "seed"},
    "pure": {"seconds"},
    "backward": set[str](),
}
_SHOWN: Final = 40
"""So many rows of its table a solution shows in a notebook."""
_SHORT: Final = 200
_TIES: Final = 6
"""So many ties are listed."""
NO_VALUE: Final = "only a game of two players whose payoffs always add up to the same has a value"
_LISTED: Final = 2000
"""A tree of more information sets is not listed there."""


@dataclass(frozen=True, repr=False)
class Solution:
    """What a solver found: what the game is worth, how to play it, and what proves it."""

    tree: Tree
    method: str
    """A key of `METHODS`."""
    strategy: Strategy
    """What both seats do: the strategy that the certificate speaks of, in exact fractions."""
    exploitability: Number
    """What a seat loses with it, on average of the seats, against a best response; exact. Where a game is not zero-sum the books call that its distance from an equilibrium."""
    seconds: float
    """What it took, the proof included."""
    certificate: Certificate | None = None
    """What each side's strategy guarantees; None where a game is not of two seats and zero-sum, which only backward induction takes."""
    backward: Backward | None = None
    """What backward induction found besides: the payoffs of all players, the line of play, the ties."""
    perfect: PerfectPayoffs | None = None
    """What backward induction found of a game that has no value: what each of its subgame-perfect equilibria pays, and which moves tie."""
    iterations: int | None = None
    """How many, of methods that have any."""
    interrupted: bool = False
    """Whether it was ended from the keyboard; all that is said holds nevertheless."""

    @property
    def value(self) -> Number:
        """What the game is worth to the first player: a Fraction where that is proved, otherwise a float, the middle of what is left open.

        Only a game of two players whose payoffs always add up to the same has a value; of a game of one player this is the optimum.
        """
        if self.backward is not None:
            return self._worth_of(self.backward)
        return self._bounds.value

    def _worth_of(self, found: Backward) -> Fraction:
        """What backward induction found for the first player, in a game that is worth that and nothing else."""
        if self.tree.seats > 1 and not has_value(self.tree):
            raise TreeError(NO_VALUE + "; .perfect.payoffs lists what the subgame-perfect equilibria pay")
        return found.values[0]

    @property
    def worths(self) -> tuple[Number, ...] | None:
        """What each player gets by the strategy, where a value does not say it; None where it does."""
        return self.backward.values if self.certificate is None and self.backward is not None else None

    @property
    def lower(self) -> Fraction:
        """The first player is certain to get so much on average."""
        return self._worth_of(self.backward) if self.backward is not None else self._bounds.lower

    @property
    def upper(self) -> Fraction:
        """The first player cannot get more on average, if the other plays well."""
        return self._worth_of(self.backward) if self.backward is not None else self._bounds.upper

    @property
    def exact(self) -> bool:
        """Whether what was found is proved to the last digit."""
        return self.backward is not None or self.lower == self.upper

    @property
    def _bounds(self) -> Certificate:
        if self.certificate is None:
            raise TreeError("this solution has no certificate, and is none of backward induction either")
        return self.certificate

    def table(self, *, exact: bool = False) -> list[dict[str, object]]:
        """A row for each move of each information set, for `pandas.DataFrame` and the like; `exact` gives fractions, which takes longer.

        `value` is what the seat may expect after the move, None where the other side never lets it come there; `reach` is how likely it comes there.
        """
        strategy = self.strategy if exact else Strategy(self.tree, [tuple(map(float, row)) for row in self.strategy.rows])
        return [
            {
                "seat": one.seat,
                "knows": one.label,
                "move": move,
                "probability": strategy.rows[place][number],
                "value": None if standing.values is None else standing.values[number],
                "reach": standing.reach,
            }
            for place, (one, standing) in enumerate(zip(self.tree.sets, values(self.tree, strategy), strict=True))
            for number, move in enumerate(one.moves)
        ]

    def _shown(self, row: dict[str, object]) -> list[object]:
        """The cells of a row, the player by their name."""
        return [player_named(self.tree.names, int(str(row["seat"]))), *list(row.values())[1:]]

    def _said(self) -> list[tuple[str, str]]:
        """The head of it, as names and texts."""
        said = self._found() if self.perfect is None else self._every(self.perfect)
        done = "" if self.iterations is None else f", {self.iterations:,} iterations"
        if self.backward is not None:
            several = self.perfect is not None and self.perfect.differ is not False
            said.append(("line of one of them" if several else "line", ", ".join(self.backward.line)))
        return [
            *said,
            ("found by", self.found_by + done + (", interrupted" if self.interrupted else "")),
            (
                "exploitability" if zero_sum(self.tree) else "Nash distance",
                str(self.exploitability) if not self.exploitability else _decimal(self.exploitability, 3),
            ),
            ("seconds", f"{self.seconds:.3g}"),
        ]

    @property
    def found_by(self) -> str:
        """What the method is called."""
        return FROM_THE_END if self.method == "backward" and hides(self.tree) else METHODS[self.method]

    def _found(self) -> list[tuple[str, str]]:
        """What the game is worth, or between what that lies."""
        player = player_named(self.tree.names, 0)
        if self.exact:
            worth = (
                f"{self.value}, exactly"
                if len(str(self.value)) < 40
                else f"{_decimal(self.value, 15)} (a fraction of {len(str(self.value))} characters)"
            )
        else:
            worth = f"{_decimal(self.value, 9)}: at least {_decimal(self.lower, 9)}, at most {_decimal(self.upper, 9)}"
            if self.method == "pure":
                worth = f"with pure strategies at least {self.lower}, at most {self.upper}"
        said = [(f"optimum of {player}" if self.tree.seats == 1 else f"value to {player}", worth)]
        if self.backward is not None:
            if self.tree.seats == 2 and self.certificate is None:
                said.append(("payoffs", payoffs_said(self.tree.names, self.backward.values)))
            if self.backward.ties:
                said.append(("ties", f"at {_sets(len(self.backward.ties))} other moves are as good"))
        return said

    def _every(self, perfect: PerfectPayoffs) -> list[tuple[str, str]]:
        """What each equilibrium pays, and which moves tie."""
        kind = "sequential equilibrium" if hides(self.tree) else "subgame-perfect"
        if perfect.complete:
            paid = "; ".join(payoffs_said(self.tree.names, one) for one in perfect.payoffs)
            more = "in pure strategies these and no others" if perfect.differ else "no others in pure strategies"
            said = [(f"{kind} payoffs", f"{paid} ({more})")]
        else:
            many = f"more than {LISTED} different ones" if perfect.differ else "not all found, and they may differ"
            one = payoffs_said(self.tree.names, self.backward.values) if self.backward is not None else ""
            said = [(f"{kind} payoffs", f"{many}; one of them: {one}")]
        if perfect.ties:
            shown = [
                f"{set_named(self.tree, tie.place)}: {', '.join(tie.moves)}" for tie in perfect.ties[: _TIES if perfect.complete else 0]
            ]
            left = len(perfect.ties) - len(shown)
            moves = sum(len(tie.moves) for tie in perfect.ties)
            many = f"{moves} moves at {_sets(len(perfect.ties))}" if not shown else f"and at {_sets(left, more=True)}"
            said.append(("ties" if perfect.complete else "moves that may tie", "; ".join([*shown, *[many] * bool(left)])))
        return said

    def __repr__(self) -> str:
        first = self._said()[0][1]
        if len(first) > _SHORT and self.perfect is not None:
            first = f"{len(self.perfect.payoffs)} payoff vectors"
        return f"<Solution: {first}, by {self.found_by}>"

    def __str__(self) -> str:
        return "\n".join(f"{name}: {text}" for name, text in self._said())

    def _repr_html_(self) -> str:
        head = "".join(
            f"<tr><th style='text-align:left'>{name}</th><td style='text-align:left'>{escape(text)}</td></tr>"
            for name, text in self._said()
        )
        rows = self.table() if len(self.tree.sets) <= _LISTED else []  # which visits every history
        body = "".join(
            "<tr>" + "".join(f"<td style='text-align:left'>{escape(_short(one))}</td>" for one in self._shown(row)) + "</tr>"
            for row in rows[:_SHOWN]
        )
        names = "".join(f"<th style='text-align:left'>{name}</th>" for name in (["player", *list(rows[0])[1:]] if rows else ()))
        if not rows and self.tree.sets:
            return f"<table>{head}</table><p>{len(self.tree.sets):,} information sets: .table() lists their moves</p>"
        more = f"<p>… and {len(rows) - _SHOWN:,} rows more: .table() has them all</p>" if len(rows) > _SHOWN else ""
        return f"<table>{head}</table><table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>{more}"


def _sets(count: int, *, more: bool = False) -> str:
    return f"{count} {'more ' if more else ''}information set{'' if count == 1 else 's'}"


def hides(tree: Tree) -> bool:
    """Say whether a player who is to act may not know what happened before.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> hides(textbook("kuhn")), hides(textbook("entry"))
    (True, False)
    """
    return tree.histories - tree.actor.count(OVER) - tree.actor.count(CHANCE) > len(tree.sets)


def _decimal(number: Number, digits: int) -> str:
    """A number in so many digits; one that no float can hold, by its power of ten."""
    try:
        return f"{float(number):.{digits}g}"
    except OverflowError:
        return f"about {'-' * (number < 0)}10^{len(str(int(abs(Fraction(number))))) - 1}"


def _short(one: object) -> str:
    """A cell of the table as it is shown."""
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
    """What a game is worth and how to play it, by one of `METHODS`; of two-player zero-sum games, but for "backward", which takes any in which no move is hidden.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> solve(tree).value, solve(tree, "backward").backward.line
    (Fraction(1, 1), ('l',))

    "lp" looks for exact fractions too (`exact`), and goes plan by plan, exactly, where numpy and scipy are not there and the tree is not too large; "plans" does so anywhere; "cfr+" goes on for so many `iterations`, until an exploitability or for some `seconds`;
    "sampling" for so many iterations or seconds, from a `seed`; "pure" takes at most some seconds. `progress`: True, or who is to be told.
    """
    require_tree(tree)
    given = {
        "iterations": iterations,
        "until": until,
        "seconds": seconds,
        "progress": progress,
        "seed": seed,
        "exact": None if exact else False,
    }
    if method not in METHODS:
        raise TreeError(f"there is no method {method!r}; there are {', '.join(METHODS)}")
    if wrong := sorted(name for name, one in given.items() if one is not None and name not in _TAKES[method]):
        raise TreeError(f"method {method!r} has no option {wrong[0]!r}; its options: {', '.join(sorted(_TAKES[method])) or 'none'}")
    began = perf_counter()
    if method == "backward":
        return _backward(tree, began)
    require_two_player_zero_sum(tree, f"method {method!r}")
    if method == "sampling":
        in_floats((one[0] for one in tree.payoffs), tree)
        sampling = OutcomeSampling(0, look_at(tree), seats=2, seed=seed or 0)
        sampling.run(10_000 if iterations is None else iterations, seconds=seconds, progress=progress)
        return _certified(
            tree, method, certify(tree, sampling.strategy(tree)), began, sampling.iterations, interrupted=sampling.interrupted
        )
    if method == "plans" or (method == "lp" and tree.histories <= PLAIN and not has_numpy_and_scipy()):
        return _certified(tree, "plans", certify(tree, double_oracle(tree).strategy), began)
    if method == "pure":
        end = None if seconds is None else began + seconds
        best = best_pure_strategy(tree, 0, end), best_pure_strategy(tree, 1, end)
        rows = [best[one.seat].rows[place] for place, one in enumerate(tree.sets)]
        return _certified(tree, method, certify(tree, made(tree.sets, rows)), began)
    with needing():
        from durak_widget.gametheory import cfr_plus, sequence_form  # noqa: PLC0415 - what needs numpy
        from durak_widget.gametheory import rational_recovery as fractions  # noqa: PLC0415 - as these
    began = perf_counter()  # to import scipy takes a second, once
    form = sequence_form.SequenceForm(tree)
    if method == "cfr+":
        run = cfr_plus.CFR(form).run(1000 if iterations is None else iterations, until=until, seconds=seconds, progress=progress)
        return _certified(tree, method, fractions.certified(form, run.strategy()), began, run.iterations, interrupted=run.interrupted)
    found = sequence_form.linear(form)
    return _certified(tree, method, fractions.proved(form, found) if exact else fractions.certified(form, form.strategy(found)), began)


def _certified(
    tree: Tree, method: str, certificate: Certificate, began: float, iterations: int | None = None, *, interrupted: bool = False
) -> Solution:
    """The solution that a certificate proves."""
    strategy, took = certificate.strategy, perf_counter() - began
    return Solution(tree, method, strategy, certificate.gap / 2, took, certificate, iterations=iterations, interrupted=interrupted)


def _backward(tree: Tree, began: float) -> Solution:
    """The solution that backward induction finds, proved by best responses."""
    found = backward_induction(tree)
    if zero_sum(tree):
        certificate = certify(tree, found.strategy)
        return Solution(tree, "backward", found.strategy, certificate.gap / 2, perf_counter() - began, certificate, found)
    lost = exploitability(tree, found.strategy)
    perfect = None if tree.seats == 1 or has_value(tree) else perfect_payoffs(tree)
    return Solution(tree, "backward", found.strategy, lost, perf_counter() - began, None, found, perfect)
