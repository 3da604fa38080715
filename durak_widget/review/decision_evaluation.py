"""Evaluates every decision of a game: exactly where possible, otherwise by playouts.

It is exact if everything can be known or if the few possible worlds can be searched completely. Otherwise each legal move is played out
in the same worlds. The last decision of a running game is evaluated from what its player could know. It is criticized only if a review of
the whole game would criticize it too. The effort sets the number of playouts, shared among all decisions, and the number of positions for
each endgame.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import factorial
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.endgame import solve
from durak_widget.analysis.exhaustive_world_search import gone_through
from durak_widget.analysis.possible_worlds import Worlds
from durak_widget.analysis.worlds_with_open_hands import FaceUp
from durak_widget.bots.heuristic_bots import Careful, preferred
from durak_widget.engine.observation import View
from durak_widget.errors import PositionError
from durak_widget.fast_engine import which, why_not
from durak_widget.fast_engine.random_generator import stirred
from durak_widget.review.decisions import BAR, FEW, Decision, ShareOfResult, costs_of, crossed
from durak_widget.review.turning_points import kind_of
from durak_widget.rules import attack

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from durak_widget.analysis.endgame import Ending
    from durak_widget.analysis.exhaustive_world_search import Bounds
    from durak_widget.analysis.monte_carlo_playouts import Playouts
    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.review.decisions import Said
    from durak_widget.rules.ruleset import Rules

    Trying = Callable[[int, int], Playouts]
    """A function that plays the legal moves out in a number of worlds, with a seed."""

SOUGHT: Final = 8
"""The most worlds that are used if each has to be found by search."""
ORDERS: Final = 7
"""The talon size that has more than `FEW` orders even with one fixed card and three pairs (90)."""
OUTRIGHT: Final = 40_000
"""The most positions for a complete search of all worlds, the same for reviews, hints and chances."""
LEAST: Final = 4
"""The least number of worlds in which each move is played out."""
MOST: Final = 4000
"""The largest number of worlds in which each move is played out."""
OFFERED: Final = 300
"""The number of legal moves in a long game for two, among which the playouts are shared."""
MORE: Final = 100
"""The number of legal moves that each further player adds."""
TRANSFERRED: Final = 150
"""The number of legal moves that transfers add."""
STILL: Final = 2
"""The factor from the legal moves so far to those of the whole game, once it is a long one."""
_LUCK: Final = 4
"""One in this many playouts is for luck."""


@dataclass(frozen=True)
class Asking:
    """The settings for evaluating decisions."""

    shares: ShareOfResult
    by_cards: bool
    """True to judge by all cards, False by what each seat could know."""
    seed: int
    playouts: int
    """The playouts shared among all decisions that have no exact evaluation."""
    positions: int
    """The most positions to search in an endgame, for each decision."""


def weighed(game: Game, seats: Collection[int], asking: Asking, judged: dict[int, Decision]) -> Iterator[None]:
    """Evaluate all decisions of these seats so far, and yield after each one.

    The results go into `judged` under the number of moves before each. Decisions that need no playouts come first.
    """
    position, history = game.copy(), game.course
    legal_move_counts: dict[int, int] = {}
    for ply, played_move in enumerate(history):
        if played_move.seat not in seats:
            continue
        position.goto(ply)
        decision = weighed_exactly(position, asking)
        if decision is None:
            legal_move_counts[ply] = len(position.legal_moves())
        else:
            judged[ply] = decision
            yield
    worlds = max(LEAST, min(MOST, asking.playouts // max(1, sum(legal_move_counts.values()))))
    for ply in legal_move_counts:
        position.goto(ply)
        judged[ply] = sampled(position, asking, worlds)
        yield


def weighed_exactly(game: Game, asking: Asking) -> Decision | None:
    """Return the exact evaluation of the next move; None if playouts are needed.

    The move to evaluate is the one that `Game.redo` would make.
    """
    view, decision = _begun(game, "forced")
    if decision.ways == 1:
        return replace(decision, loss=0.0, interval=(0.0, 0.0))
    ending = exact(game if asking.by_cards else view, asking.positions)
    if ending is None:
        return _weighed_outright(game, view, decision, asking)
    if ending.value is None or decision.move not in ending.moves:
        return None
    value, value_after = ending.value, ending.moves[decision.move]
    loss = asking.shares.known(value) - asking.shares.known(value_after)
    proved = replace(
        decision, loss=loss, interval=(loss, loss), value=value, left=value_after, error=loss, share=asking.shares.known(value)
    )
    if not loss:
        return replace(proved, verdict="best", better=decision.move)
    better = preferred(ending.quickest or ending.best, view, Careful().choose(view, Random(0)))
    return replace(proved, verdict="proved mistake", better=better, kind=kind_of(view, decision.move, better, proved=True))


def _weighed_outright(game: Game, view: View, bare: Decision, asking: Asking) -> Decision | None:
    """Return the evaluation by searching all of a few worlds; None if that is not possible."""
    result = held_outright(game if asking.by_cards else view, min(asking.positions, OUTRIGHT))
    if result is None:
        return None
    to_share, value, (lower_bound, upper_bounds) = asking.shares.known, result.value, result.moves[bare.move]
    evaluated = replace(bare, worlds=len(upper_bounds), outright=True, share=to_share(value), error=0.0)
    if lower_bound == value:
        return replace(evaluated, verdict="best", better=bare.move, loss=0.0, interval=(0.0, 0.0), value=value, left=value)
    loss = to_share(value) - sum(map(to_share, upper_bounds)) / len(upper_bounds)
    if loss <= BAR:
        return None
    better = preferred(result.best, view, Careful().choose(view, Random(0)))
    evaluated = replace(
        evaluated,
        better=better,
        loss=loss,
        interval=(loss, to_share(value) - to_share(lower_bound)),
        error=loss,
        kind=kind_of(view, bare.move, better),
    )
    if max(upper_bounds) < value:
        return replace(evaluated, verdict="proved mistake", value=value, left=max(upper_bounds))
    return replace(evaluated, verdict="mistake")


class Outright(NamedTuple):
    """The results of moves in all possible worlds, if one move is best in every world."""

    value: int
    """The value that the best move surely has: 1 won, 0 tied, -1 lost."""
    moves: dict[Move, Bounds]
    """The bounds of each legal move."""

    @property
    def best(self) -> list[Move]:
        """Return the moves that surely have this value."""
        return [move for move, bounds in self.moves.items() if bounds.least == self.value]


def held_outright(position: Game | View, positions: int) -> Outright | None:
    """Return what can be reached however the hidden cards lie.

    For a view the hidden cards vary; for a game all hands are open and the order of the talon varies. None if there are more than a few
    worlds, if the search takes more than this many positions, or if the best move depends on the hidden cards.

    >>> from durak_widget import Game
    >>> gone = "Qc 9h Th Jh Qh Kh 9s Js Qs Ks"
    >>> game = Game.at(f"ranks=9TJQKA, suits=chs, hand_size=3: Jc Kc Ac | Tc Ah As; trump c; talon Ts 9c; discard {gone}")
    >>> held = held_outright(game.view(0), 10_000)
    >>> held.value, held.best
    (1, [Move('attack Jc')])
    """
    try:
        worlds = _few_worlds(position)
        bounds_by_move = None if worlds is None else gone_through(worlds, positions)
    except PositionError:  # too many worlds to count or list
        return None
    if bounds_by_move is None:
        return None
    value = max(bounds.least for bounds in bounds_by_move.values())
    return None if any(max(bounds.most) > value for bounds in bounds_by_move.values()) else Outright(value, bounds_by_move)


def _few_worlds(position: Game | View) -> Worlds | FaceUp | None:
    """Return all worlds if they are few and two players are left; else None."""
    if len(position.seats_in) != 2:
        return None
    if isinstance(position, View):
        worlds = Worlds(position)
        return worlds if _few(worlds, position) else None
    open_worlds = FaceUp(position)
    return open_worlds if factorial(open_worlds.unknown) < FEW else None


def exact(position: Game | View, positions: int) -> Ending | None:
    """Return the solution of an endgame for two; None if there is none or a card is hidden."""
    try:
        return solve(position, budget=positions)
    except PositionError:
        return None


def sampled(game: Game, asking: Asking, count: int) -> Decision:
    """Return the evaluation of the next move by playouts in this many worlds.

    The two halves of the worlds have independent seeds.
    """
    view, decision = _begun(game, "cannot be told")
    width, world_seed = asking.shares.width, stirred(asking.seed ^ stirred(2 * game.ply))
    try:
        are_few, run_playouts = _trying_by_cards(game) if asking.by_cards else trying(view)
        first_half, second_half = run_playouts((count + 1) // 2, world_seed), run_playouts((count + 1) // 2, stirred(world_seed + 1))
    except PositionError:  # no world is found, or there are too many moves to try side by side
        return decision
    if not first_half.worlds or not second_half.worlds:
        return decision
    merged = _joined(first_half, second_half)
    cost = costs_of(merged, decision.move, width)
    evaluated = replace(
        decision,
        worlds=merged.worlds,
        share=asking.shares.share(merged[cost.better]),
        error=crossed(first_half, second_half, decision.move, width),
    )
    if are_few:  # few worlds show how one bot would go on, not what a move is worth
        return evaluated
    evaluated = replace(evaluated, better=cost.better, loss=cost.loss, interval=cost.interval)
    if cost.verdict == "cannot be told":
        return evaluated
    kind = kind_of(view, decision.move, cost.better) if cost.verdict == "mistake" else None
    return replace(evaluated, verdict=cost.verdict, kind=kind)


def _begun(game: Game, verdict: Said) -> tuple[View, Decision]:
    """Return the view of the acting seat, and its decision before the evaluation."""
    seat = game.actor
    assert seat is not None  # noqa: S101 - a move was made here
    view, later = game.view(seat), game.copy()
    return view, Decision(game.ply, game.bout, seat, later.redo(), len(view.legal_moves()), verdict)


def trying(view: View, plain: int | None = None) -> tuple[bool, Trying]:
    """Return whether there are few worlds, and a function that runs playouts in them.

    `plain` is the most worlds to use without the fast engine.
    """
    worlds = Worlds(view)
    max_count = SOUGHT if worlds.drawing() is None else MOST
    return _few(worlds, view), lambda count, seed: worlds.playouts(count=min(count, max_count), seed=seed, plain=plain)


def _few(worlds: Worlds, view: View) -> bool:
    """Return whether there are few worlds; a large talon alone has too many orders to count."""
    if view.talon_count - len(view.sight.talon_known) >= ORDERS:
        return False
    return worlds.are_fewer(FEW)


def _trying_by_cards(game: Game) -> tuple[bool, Trying]:
    """Return whether the talon has few orders, and a function for open-hand playouts."""
    open_worlds = FaceUp(game)
    return factorial(open_worlds.unknown) < FEW, lambda count, seed: open_worlds.worth(None, count=count, seed=seed)


def _joined(one: Playouts, two: Playouts) -> Playouts:
    """Return the playouts of both halves together."""
    return replace(
        one,
        worlds=one.worlds + two.worlds,
        given_up=one.given_up + two.given_up,
        sums=tuple(first_sum + second_sum for first_sum, second_sum in zip(one.sums, two.sums, strict=True)),
        products={pair: one.products[pair] + two.products[pair] for pair in one.products},
    )


def judged_by_itself(game: Game, ply: int, *, effort: Effort | None = None, seed: int = 1) -> Decision:
    """Return the evaluated decision after `ply` moves, as a later review would give it.

    The number of worlds in a review depends on how the game goes on, and more worlds can show more. The worlds are the same, the first
    ones of each half. So a mistake is called one only if it is one with as few worlds as a long game leaves, with twice as many, and so
    on up to the most.

    >>> from durak_widget import Game, Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> game.play("attack 9c")
    >>> found = judged_by_itself(game, 0)
    >>> found.verdict, str(found.better)
    ('proved mistake', 'attack 7d')
    """
    position, checked_effort = game.copy(), usual_for(game.rules) if effort is None else effort
    position.goto(ply)
    settings = Asking(
        ShareOfResult.of(game.rules), by_cards=False, seed=seed, playouts=checked_effort.judging, positions=checked_effort.positions
    )
    exact_decision = weighed_exactly(position, settings)
    if exact_decision is not None:
        return exact_decision
    worlds = max(LEAST, min(MOST, checked_effort.judging // _offered(game, ply)))
    decision = sampled(position, settings, worlds)
    while decision.verdict == "mistake" and worlds < MOST:
        worlds = min(MOST, 2 * worlds)
        decision = sampled(position, settings, worlds)
    return decision


def _offered(game: Game, ply: int) -> int:
    """Return the number of legal moves in the whole game, rather too high."""
    position, count = game.copy(), 0
    for before in range(ply + 1):
        position.goto(before)
        count += len(position.legal_moves())
    expected = OFFERED + MORE * (game.seats - 2) + TRANSFERRED * attack.allowed(game.rules)
    return max(expected, STILL * count)


class Effort(NamedTuple):
    """The playouts and endgame positions that a review may use.

    >>> Effort(1000, 50).judging, Effort(1000, 50).luck
    (750, 250)
    """

    playouts: int
    positions: int
    """The most positions to search in each endgame."""

    @property
    def luck(self) -> int:
        """Return the number of playouts for luck."""
        return self.playouts // _LUCK

    @property
    def judging(self) -> int:
        """Return the number of playouts for decisions."""
        return self.playouts - self.luck


KERNEL: Final = Effort(300_000, 100_000)
"""The usual effort with the fast engine: about two seconds for a game of two."""
PLAIN: Final = Effort(9_000, 5_000)
"""The usual effort in Python: four to ten seconds, with less sure results."""


def usual_for(rules: Rules) -> Effort:
    """Return the usual effort for these rules on this computer."""
    return KERNEL if why_not(rules) is None and not which().startswith("none") else PLAIN
