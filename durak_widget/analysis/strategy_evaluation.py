"""Evaluates a strategy: what it guarantees, its best response, and its worst decisions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from html import escape
from itertools import islice
from math import sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.bot_strategy_conversion import SAMPLES, bot_name, strategy_of
from durak_widget.analysis.deal_enumeration import Origin
from durak_widget.analysis.game_at_node import told
from durak_widget.gametheory.best_responses import Held, reaches, require_two_player_zero_sum
from durak_widget.gametheory.infoset_regret import Repairs
from durak_widget.gametheory.player_labels import default_name
from durak_widget.gametheory.strategy import Strategy
from durak_widget.gametheory.tree import OVER, TreeError, require_tree
from durak_widget.gametheory.zero_sum_solver import Solution, solve
from durak_widget.optional_dependencies import MissingError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from durak_widget.analysis.bot_strategy_conversion import Player
    from durak_widget.gametheory.infoset_regret import Repair
    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import Tree

_NOTHING: Final = 1e-12
"""Absolute value below which a float is shown as 0."""


class Leak(NamedTuple):
    """Costly decision: changing it alone would let the strategy guarantee more."""

    place: int
    """Number of the information set."""
    knows: str
    """Label of the information set."""
    seen: str
    """Observations of the player before, as text; empty if the tree has none."""
    plays: str
    """Actions of the strategy there."""
    better: str
    """Action to choose more often."""
    share: Number
    """Probability of changing to that action: 1 is always, 1/2 half of the time, and otherwise as before."""
    saves: Number
    """Increase of the value that the player is guaranteed."""
    reach: Number
    """Probability that play reaches the decision against the best response."""
    end: int
    """A costliest history with the decision, the likeliest of these, for `game_of(tree, end)` and `tree.moves_to(end)`."""


class Judged(NamedTuple):
    """Evaluation of a strategy for one player."""

    seat: int
    guarantees: Number
    """Value that the player is guaranteed, whatever the opponent does."""
    error: float
    """Standard error of that; 0 if the strategy is not an estimate."""
    loses: Number | None
    """How much more the player could be guaranteed; None if the game's value is unknown."""
    punished: Strategy
    """The strategy with a best response to it, one that is also good after mistakes."""
    leaks: tuple[Leak, ...]
    """Costliest decisions, each considered alone, the worst first."""

    @property
    def held(self) -> Held:
        """Return what the strategy guarantees the player, and what they could have."""
        return Held(self.seat, self.guarantees, None if self.loses is None else self.guarantees + self.loses)


@dataclass(frozen=True, repr=False)
class Judgement:
    """Value of a strategy against opponents who know it; see `judge`."""

    tree: Tree
    name: str
    """Name of the strategy's owner."""
    strategy: Strategy
    sides: tuple[Judged, Judged]
    """Evaluations for player 0 and player 1."""
    solution: Solution | None
    """Value and solution of the game; None if it could not be solved."""

    @property
    def exploitability(self) -> Number:
        """Return the average loss against a best response, as `gametheory.exploitability`."""
        return -sum(side.guarantees for side in self.sides) / 2

    @property
    def error(self) -> float:
        """Return the standard error of the exploitability, if the strategy is an estimate.

        The estimate is also biased upwards, as a best response to it also exploits its errors.
        """
        return sqrt(sum(side.error**2 for side in self.sides)) / 2

    def table(self) -> list[dict[str, object]]:
        """Return a row for each leak, for example for `pandas.DataFrame`."""
        return [
            {"seat": side.seat, **leak._asdict(), "line": ", ".join(self.tree.moves_to(leak.end))}
            for side in self.sides
            for leak in side.leaks
        ]

    def _said(self) -> list[tuple[str, str]]:
        """Return the rows of the summary, as names and texts."""
        lower, upper = self.sides[0].guarantees, -self.sides[1].guarantees
        value_text = f"between {_number(lower)} and {_number(upper)}" if self.solution is None else _number(self.solution.value)
        rows = [("exploitability", _number(self.exploitability, self.error)), (f"value to {default_name(0)}", value_text)]
        for side in self.sides:
            loss_text = "" if side.loses is None else f", and loses {_number(side.loses)}"
            rows.append((f"as {default_name(side.seat)}", f"is certain of {_number(side.guarantees, side.error)}{loss_text}"))
        return rows

    def __repr__(self) -> str:
        return f"<Judgement of {self.name}: exploitability {_number(self.exploitability, self.error)}>"

    def __str__(self) -> str:
        lines = [self.name, *(f"{name}: {text}" for name, text in self._said())]
        for side in self.sides:
            lines += [f"{default_name(side.seat)} loses {_said_of(leak)}" for leak in side.leaks]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        cell_tag = "<td style='text-align:left'>"
        summary = "".join(f"<tr><th style='text-align:left'>{name}</th>{cell_tag}{escape(text)}</td></tr>" for name, text in self._said())
        columns = ("saves", "seat", "knows", "plays", "better", "share", "reach", "seen")
        names = "".join(f"<th style='text-align:left'>{name}</th>" for name in columns)
        leaks_by_player = sorted(
            ((leak, side.seat) for side in self.sides for leak in side.leaks), key=lambda pair: pair[0].saves, reverse=True
        )
        rows = [{"seat": seat, **leak._asdict()} for leak, seat in leaks_by_player]
        body = "".join("<tr>" + "".join(f"{cell_tag}{escape(_short(row[name]))}</td>" for name in columns) + "</tr>" for row in rows)
        leaks = f"<table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>" if body else "<p>no decision loses by itself</p>"
        return f"<p>{escape(self.name)}</p><table>{summary}</table>{leaks}"


def judge(
    tree: Tree,
    strategy: Strategy | Player,
    *,
    most: int = 5,
    solution: Solution | None = None,
    samples: int = SAMPLES,
    seed: int | str = 0,
) -> Judgement:
    """Evaluate the strategy of a player or bot against opponents who know it.

    The result has what it guarantees either player, a best response, and the `most` costliest decisions. The
    loss of a decision is exactly how much more the strategy would guarantee with that decision changed and
    all others kept.

    >>> from durak_widget import Rules, analysis
    >>> tree = analysis.build(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> found = judge(tree, lambda view, rng: view.legal_moves()[0])
    >>> found.exploitability, found.sides[1].guarantees, found.sides[1].loses
    (Fraction(1, 16), Fraction(5, 24), Fraction(1, 8))
    >>> worst = found.sides[1].leaks[0]
    >>> worst.knows, worst.plays, worst.better, worst.saves
    ('seat 1 holds 7c, table 6c', 'beat 6c 7c', 'take', Fraction(1, 24))

    The game is solved for its value unless you pass its `solution`. Without numpy the value may stay unknown.
    """
    require_tree(tree)
    require_two_player_zero_sum(tree, "a judgement")
    if solution is not None and solution.tree is not tree and solution.tree != tree:
        raise TreeError("the solution is of another game; give that of this tree, or none, and it is found")
    if isinstance(strategy, Strategy):
        name, evaluated_strategy = "a strategy", strategy
    else:
        name, evaluated_strategy = bot_name(strategy), strategy_of(tree, strategy, samples=samples, seed=seed)
    if solution is None:
        solution = _solved(tree)
    return Judgement(
        tree,
        name,
        evaluated_strategy,
        (side_of(tree, evaluated_strategy, 0, most, solution), side_of(tree, evaluated_strategy, 1, most, solution)),
        solution,
    )


def _solved(tree: Tree) -> Solution | None:
    """Return the solution of a game, or None if it can't be solved here."""
    try:
        return solve(tree, "backward")
    except TreeError:
        pass
    try:
        return solve(tree)
    except MissingError:
        return None


def side_of(tree: Tree, strategy: Strategy, seat: int, most: int, solution: Solution | None) -> Judged:
    """Return the evaluation of a strategy for one player."""
    repairs = Repairs(tree, strategy, seat)
    loss = None if solution is None else (solution.value if seat == 0 else -solution.value) - repairs.worth
    best_repairs = list(islice(repairs.best(), most))
    profile = repairs.punished
    leaks = _leaks(tree, strategy, seat, best_repairs, reaches(tree, profile)) if best_repairs else ()
    return Judged(seat, repairs.worth, repairs.error(strategy.samples), loss, profile, tuple(leaks))


def _leaks(tree: Tree, strategy: Strategy, seat: int, repairs: list[Repair], weights: list[Number]) -> Iterable[Leak]:
    """Yield the repairs as leaks, with a line to the end for each."""
    worst_ends: dict[int, tuple[Number, Number, int]] = {}
    reach_of_infoset: dict[int, Number] = {}
    infosets = {repair.place for repair in repairs}
    for end, (actor, reach_probability) in enumerate(zip(tree.actor, weights, strict=True)):
        if actor == OVER and reach_probability:
            cost, node = -tree.payoffs[tree.info[end]][seat], tree.parent[end]
            while node >= 0:
                if tree.actor[node] == seat and (infoset := tree.info[node]) in infosets:
                    reach_of_infoset[infoset] = reach_of_infoset.get(infoset, 0) + reach_probability
                    if infoset not in worst_ends or (cost, reach_probability) > worst_ends[infoset][:2]:
                        worst_ends[infoset] = cost, reach_probability, end
                node = tree.parent[node]
    for repair in repairs:
        record, row = tree.sets[repair.place], strategy.rows[repair.place]
        current_actions = ", ".join(
            move if probability == 1 else f"{move} ({_short(probability)})"
            for move, probability in zip(record.moves, row, strict=True)
            if probability
        )
        observations = told(tree, repair.place) if isinstance(tree.origin, Origin) else ""
        yield Leak(
            repair.place,
            record.label,
            observations,
            current_actions,
            record.moves[repair.move],
            repair.share,
            repair.saves,
            reach_of_infoset[repair.place],
            worst_ends[repair.place][2],
        )


def _said_of(leak: Leak) -> str:
    """Return a leak as the end of a sentence."""
    better_play = leak.better if leak.share == 1 else f"{leak.better} (more often by {_short(leak.share)})"
    return f"{_number(leak.saves)} at {leak.knows}: {leak.plays}, better {better_play}" + (f" [{leak.seen}]" if leak.seen else "")


def _number(one: Number, error: float = 0.0) -> str:
    """Return a number as text.

    A short fraction is shown with its decimals, and a long one or a float as decimals only.
    """
    decimals = "0" if isinstance(one, float) and abs(one) < _NOTHING else f"{float(one):.3g}"
    if error:
        return f"{decimals} ± {error:.1g}"
    text = str(one)
    return decimals if isinstance(one, float) or len(text) > 20 else f"{text} ({decimals})" if "/" in text else text


def _short(one: object) -> str:
    """Return a table cell as text."""
    return (
        str(one)
        if isinstance(one, Fraction) and len(str(one)) < 12
        else f"{float(one):.3g}"
        if isinstance(one, (Fraction, float))
        else str(one)
    )
