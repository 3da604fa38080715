"""Anyone's strategy judged: what it guarantees from either seat, who punishes it most and how, and which of its decisions lose most."""

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
"""A float as near to 0 as this is shown as 0."""


class Leak(NamedTuple):
    """A decision that loses: made otherwise, it alone would let the strategy guarantee more."""

    place: int
    """The number of the information set."""
    knows: str
    """Its label: what lies before the seat."""
    seen: str
    """What the seat has seen before, in words; empty where the tree cannot say."""
    plays: str
    """What the strategy does there."""
    better: str
    """The move that it should make more often."""
    share: Number
    """How often: 1 is always, 1/2 half of the time, and otherwise as before."""
    saves: Number
    """How much more the seat would then be certain of."""
    reach: Number
    """How often play comes there against the punisher."""
    end: int
    """A history to the end in which it happens, of those that cost most the likeliest: `game_of(tree, end)` shows it, `tree.moves_to(end)` says it."""


class Judged(NamedTuple):
    """A strategy on one seat."""

    seat: int
    guarantees: Number
    """What it is certain of, whatever the other side does."""
    error: float
    """The standard error of that; 0 where the strategy is no estimate."""
    loses: Number | None
    """How much more the seat could be certain of; None where the game's value is not known."""
    punished: Strategy
    """Both seats: the strategy, and the answer that takes most from it; among those, one that is also ready for a slip."""
    leaks: tuple[Leak, ...]
    """Where it loses: the decisions that are most worth making otherwise, each by itself, the worst first."""

    @property
    def held(self) -> Held:
        """What the seat has by it, and could have."""
        return Held(self.seat, self.guarantees, None if self.loses is None else self.guarantees + self.loses)


@dataclass(frozen=True, repr=False)
class Judgement:
    """What a strategy is worth against whoever knows it; see `judge`."""

    tree: Tree
    name: str
    """Whose strategy it is."""
    strategy: Strategy
    sides: tuple[Judged, Judged]
    """The strategy on seat 0, and on seat 1."""
    solution: Solution | None
    """What the game is worth, and how it is played; None where that could not be found out."""

    @property
    def exploitability(self) -> Number:
        """What a seat loses with it on average against a best response: as `gametheory.exploitability`."""
        return -sum(side.guarantees for side in self.sides) / 2

    @property
    def error(self) -> float:
        """The standard error of the exploitability, where the strategy is an estimate; it errs upwards besides, as who punishes an estimate also punishes its error."""
        return sqrt(sum(side.error**2 for side in self.sides)) / 2

    def table(self) -> list[dict[str, object]]:
        """A row for each leak, for `pandas.DataFrame` and the like."""
        return [
            {"seat": side.seat, **leak._asdict(), "line": ", ".join(self.tree.moves_to(leak.end))}
            for side in self.sides
            for leak in side.leaks
        ]

    def _said(self) -> list[tuple[str, str]]:
        """The head of it, as names and texts."""
        lower, upper = self.sides[0].guarantees, -self.sides[1].guarantees
        worth = f"between {_number(lower)} and {_number(upper)}" if self.solution is None else _number(self.solution.value)
        said = [("exploitability", _number(self.exploitability, self.error)), (f"value to {default_name(0)}", worth)]
        for side in self.sides:
            lost = "" if side.loses is None else f", and loses {_number(side.loses)}"
            said.append((f"as {default_name(side.seat)}", f"is certain of {_number(side.guarantees, side.error)}{lost}"))
        return said

    def __repr__(self) -> str:
        return f"<Judgement of {self.name}: exploitability {_number(self.exploitability, self.error)}>"

    def __str__(self) -> str:
        lines = [self.name, *(f"{name}: {text}" for name, text in self._said())]
        for side in self.sides:
            lines += [f"{default_name(side.seat)} loses {_said_of(leak)}" for leak in side.leaks]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        cell = "<td style='text-align:left'>"
        head = "".join(f"<tr><th style='text-align:left'>{name}</th>{cell}{escape(text)}</td></tr>" for name, text in self._said())
        shown = ("saves", "seat", "knows", "plays", "better", "share", "reach", "seen")
        names = "".join(f"<th style='text-align:left'>{name}</th>" for name in shown)
        found = sorted(((leak, side.seat) for side in self.sides for leak in side.leaks), key=lambda one: one[0].saves, reverse=True)
        rows = [{"seat": seat, **leak._asdict()} for leak, seat in found]
        body = "".join("<tr>" + "".join(f"{cell}{escape(_short(row[name]))}</td>" for name in shown) + "</tr>" for row in rows)
        leaks = f"<table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>" if body else "<p>no decision loses by itself</p>"
        return f"<p>{escape(self.name)}</p><table>{head}</table>{leaks}"


def judge(
    tree: Tree,
    strategy: Strategy | Player,
    *,
    most: int = 5,
    solution: Solution | None = None,
    samples: int = SAMPLES,
    seed: int | str = 0,
) -> Judgement:
    """What a strategy, or a bot's, guarantees on either seat of a game, who punishes it, and the decisions that lose `most`.

    A decision loses what would be gained by making it otherwise and leaving all others: by how much more the strategy would then guarantee, exactly.

    >>> from durak_widget import Rules, analysis
    >>> tree = analysis.build(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> found = judge(tree, lambda view, rng: view.legal_moves()[0])
    >>> found.exploitability, found.sides[1].guarantees, found.sides[1].loses
    (Fraction(1, 16), Fraction(5, 24), Fraction(1, 8))
    >>> worst = found.sides[1].leaks[0]
    >>> worst.knows, worst.plays, worst.better, worst.saves
    ('seat 1 holds 7c, table 6c', 'beat 6c 7c', 'take', Fraction(1, 24))

    The game is solved for its value, unless its `solution` is given; where numpy is missing the value is left open.
    """
    require_tree(tree)
    require_two_player_zero_sum(tree, "a judgement")
    if solution is not None and solution.tree is not tree and solution.tree != tree:
        raise TreeError("the solution is of another game; give that of this tree, or none, and it is found")
    if isinstance(strategy, Strategy):
        name, judged = "a strategy", strategy
    else:
        name, judged = bot_name(strategy), strategy_of(tree, strategy, samples=samples, seed=seed)
    if solution is None:
        solution = _solved(tree)
    return Judgement(tree, name, judged, (side_of(tree, judged, 0, most, solution), side_of(tree, judged, 1, most, solution)), solution)


def _solved(tree: Tree) -> Solution | None:
    """What the game is worth, if it can be found out here."""
    try:
        return solve(tree, "backward")
    except TreeError:
        pass
    try:
        return solve(tree)
    except MissingError:
        return None


def side_of(tree: Tree, strategy: Strategy, seat: int, most: int, solution: Solution | None) -> Judged:
    """The strategy judged on one seat."""
    repairs = Repairs(tree, strategy, seat)
    loses = None if solution is None else (solution.value if seat == 0 else -solution.value) - repairs.worth
    found = list(islice(repairs.best(), most))
    punished = repairs.punished
    leaks = _leaks(tree, strategy, seat, found, reaches(tree, punished)) if found else ()
    return Judged(seat, repairs.worth, repairs.error(strategy.samples), loses, punished, tuple(leaks))


def _leaks(tree: Tree, strategy: Strategy, seat: int, repairs: list[Repair], weights: list[Number]) -> Iterable[Leak]:
    """The repairs in words, with a line to the end for each."""
    ends: dict[int, tuple[Number, Number, int]] = {}
    reach: dict[int, Number] = {}
    places = {repair.place for repair in repairs}
    for end, (who, weight) in enumerate(zip(tree.actor, weights, strict=True)):
        if who == OVER and weight:
            cost, here = -tree.payoffs[tree.info[end]][seat], tree.parent[end]
            while here >= 0:
                if tree.actor[here] == seat and (place := tree.info[here]) in places:
                    reach[place] = reach.get(place, 0) + weight
                    if place not in ends or (cost, weight) > ends[place][:2]:
                        ends[place] = cost, weight, end
                here = tree.parent[here]
    for repair in repairs:
        one, row = tree.sets[repair.place], strategy.rows[repair.place]
        plays = ", ".join(
            move if likely == 1 else f"{move} ({_short(likely)})" for move, likely in zip(one.moves, row, strict=True) if likely
        )
        seen = told(tree, repair.place) if isinstance(tree.origin, Origin) else ""
        yield Leak(
            repair.place,
            one.label,
            seen,
            plays,
            one.moves[repair.move],
            repair.share,
            repair.saves,
            reach[repair.place],
            ends[repair.place][2],
        )


def _said_of(leak: Leak) -> str:
    """A leak as the end of a sentence."""
    instead = leak.better if leak.share == 1 else f"{leak.better} (more often by {_short(leak.share)})"
    return f"{_number(leak.saves)} at {leak.knows}: {leak.plays}, better {instead}" + (f" [{leak.seen}]" if leak.seen else "")


def _number(one: Number, error: float = 0.0) -> str:
    """A number as a text: a short fraction with its decimals, a long one or a float as decimals alone."""
    decimals = "0" if isinstance(one, float) and abs(one) < _NOTHING else f"{float(one):.3g}"
    if error:
        return f"{decimals} ± {error:.1g}"
    text = str(one)
    return decimals if isinstance(one, float) or len(text) > 20 else f"{text} ({decimals})" if "/" in text else text


def _short(one: object) -> str:
    """A cell of the table as it is shown."""
    return (
        str(one)
        if isinstance(one, Fraction) and len(str(one)) < 12
        else f"{float(one):.3g}"
        if isinstance(one, (Fraction, float))
        else str(one)
    )
