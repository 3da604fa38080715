"""Evaluates decisions of a game: exactly if possible, otherwise by playouts.

A playout is a game that bots play to its end from a given position.

An evaluation is exact if everything can be known or if the few possible worlds can be searched completely. Otherwise each legal move is played out
in the same worlds. The last decision of a running game is evaluated from what its player could know. It is criticized only if a review of
the whole game would criticize it too. The effort sets the number of playouts, shared among all decisions, and the number of positions for
each endgame.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import factorial
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.endgame import solve_endgame
from durak_widget.analysis.exhaustive_world_search import solve_worlds
from durak_widget.analysis.possible_worlds import Worlds
from durak_widget.analysis.worlds_with_open_hands import OpenHandsWorlds
from durak_widget.bots.heuristic_bots import CarefulBot, prefer_usual_move
from durak_widget.engine.observation import Observation
from durak_widget.errors import PositionError
from durak_widget.fast_engine import describe_host, explain_unsupported_rules
from durak_widget.fast_engine.random_generator import mix_bits
from durak_widget.review.decisions import (
    MIN_WORLDS_TO_JUDGE,
    MISTAKE_THRESHOLD,
    Decision,
    WinShareScale,
    estimate_move_cost,
    estimate_unbiased_loss,
)
from durak_widget.review.turning_points import classify_mistake
from durak_widget.rules import attack

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from durak_widget.analysis.endgame import EndgameSolution
    from durak_widget.analysis.exhaustive_world_search import Bounds
    from durak_widget.analysis.monte_carlo_playouts import Playouts
    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.review.decisions import VerdictName
    from durak_widget.rules.ruleset import Rules

    RunPlayouts = Callable[[int, int], Playouts]
    """A function that plays out each legal move in a given number of worlds (possible deals), with a given seed."""

MAX_SEARCHED_WORLDS: Final = 8
"""The maximum number of possible worlds (ways to distribute the hidden cards) that are found by search; playouts
then use only these."""
MANY_ORDERS_TALON_SIZE: Final = 7
"""With this many cards in the talon, the number of possible orders is always at least `MIN_WORLDS_TO_JUDGE`: it is
90 or more, even with one known card and three pairs of equal cards."""
EXHAUSTIVE_SEARCH_BUDGET: Final = 40_000
"""The maximum number of positions to search, over all possible worlds together, in reviews, hints and win chances."""
MIN_WORLDS: Final = 4
"""The minimum number of possible worlds in which playouts (games to the end between bots) try each move."""
MAX_WORLDS: Final = 4000
"""The maximum number of possible worlds in which playouts (games to the end between bots) try each move."""
LONG_GAME_MOVES: Final = 300
"""The number of legal moves that a long two-player game is assumed to have; it decides how many playouts a move
gets."""
MOVES_PER_EXTRA_PLAYER: Final = 100
"""The number of legal moves by which each player after the second makes a long game longer."""
EXTRA_TRANSFER_MOVES: Final = 150
"""The number of legal moves by which a game is longer if attacks may be transferred."""
REMAINING_MOVES_FACTOR: Final = 2
"""A game is expected to have at least this many times as many legal moves in total as so far."""
_LUCK_DIVISOR: Final = 4
"""The playouts are divided into this number of equal parts, of which one part is used to measure luck."""


@dataclass(frozen=True)
class EvaluationSettings:
    """The settings with which the decisions of a game are evaluated."""

    scale: WinShareScale
    uses_all_cards: bool
    """True to judge a move by all cards, False to judge it by the cards that the player could know."""
    seed: int
    playouts: int
    """The total number of playouts for all decisions that can't be evaluated exactly."""
    positions: int
    """The maximum number of positions in the endgame search of each decision."""


def evaluate_decisions(game: Game, seats: Collection[int], settings: EvaluationSettings, decisions: dict[int, Decision]) -> Iterator[None]:
    """Evaluate all decisions of `seats`; yield None after each, so that a caller can pause.

    The results go into `decisions` under the number of moves before each. Decisions that need no playouts come first.
    """
    position, history = game.copy(), game.history
    legal_move_counts: dict[int, int] = {}
    for ply, played_move in enumerate(history):
        if played_move.seat not in seats:
            continue
        position.goto(ply)
        decision = evaluate_exactly(position, settings)
        if decision is None:
            legal_move_counts[ply] = len(position.legal_moves())
        else:
            decisions[ply] = decision
            yield
    worlds = max(MIN_WORLDS, min(MAX_WORLDS, settings.playouts // max(1, sum(legal_move_counts.values()))))
    for ply in legal_move_counts:
        position.goto(ply)
        decisions[ply] = evaluate_by_playouts(position, settings, worlds)
        yield


def evaluate_exactly(game: Game, settings: EvaluationSettings) -> Decision | None:
    """Return the exact evaluation of the next move, or None if only an estimate is possible.

    The move to evaluate is the one that `Game.redo` would make.
    """
    view, decision = _start_decision(game, "forced")
    if decision.legal_move_count == 1:
        return replace(decision, loss=0.0, loss_interval=(0.0, 0.0))
    ending = solve_if_endgame(game if settings.uses_all_cards else view, settings.positions)
    if ending is None:
        return _evaluate_exhaustively(game, view, decision, settings)
    if ending.value is None or decision.move not in ending.move_values:
        return None
    value, value_after = ending.value, ending.move_values[decision.move]
    loss = settings.scale.outcome_to_share(value) - settings.scale.outcome_to_share(value_after)
    proved = replace(
        decision,
        loss=loss,
        loss_interval=(loss, loss),
        value=value,
        value_after=value_after,
        unbiased_loss=loss,
        best_share=settings.scale.outcome_to_share(value),
    )
    if not loss:
        return replace(proved, verdict="best", better_move=decision.move)
    better = prefer_usual_move(ending.quickest_moves or ending.best_moves, view, CarefulBot().choose(view, Random(0)))
    return replace(
        proved, verdict="proved mistake", better_move=better, mistake_kind=classify_mistake(view, decision.move, better, is_proved=True)
    )


def _evaluate_exhaustively(game: Game, view: Observation, decision: Decision, settings: EvaluationSettings) -> Decision | None:
    """Evaluate the next move by a search of all possible worlds, if that gives a clear result.

    Return None if the search is too long, if no move is best in all worlds, or if the loss is too small to be called a mistake.
    """
    result = search_all_worlds(game if settings.uses_all_cards else view, min(settings.positions, EXHAUSTIVE_SEARCH_BUDGET))
    if result is None:
        return None
    to_share, value, (lower_bound, upper_bounds) = settings.scale.outcome_to_share, result.value, result.bounds_by_move[decision.move]
    evaluated = replace(decision, world_count=len(upper_bounds), is_exhaustive=True, best_share=to_share(value), unbiased_loss=0.0)
    if lower_bound == value:
        return replace(
            evaluated, verdict="best", better_move=decision.move, loss=0.0, loss_interval=(0.0, 0.0), value=value, value_after=value
        )
    loss = to_share(value) - sum(map(to_share, upper_bounds)) / len(upper_bounds)
    if loss <= MISTAKE_THRESHOLD:
        return None
    better = prefer_usual_move(result.best_moves, view, CarefulBot().choose(view, Random(0)))
    evaluated = replace(
        evaluated,
        better_move=better,
        loss=loss,
        loss_interval=(loss, to_share(value) - to_share(lower_bound)),
        unbiased_loss=loss,
        mistake_kind=classify_mistake(view, decision.move, better),
    )
    if max(upper_bounds) < value:
        return replace(evaluated, verdict="proved mistake", value=value, value_after=max(upper_bounds))
    return replace(evaluated, verdict="mistake")


class ExhaustiveResult(NamedTuple):
    """The result of a search that found a best move for all possible worlds."""

    value: int
    """The value that the best move guarantees, whatever the hidden cards are: 1 for a win, 0 for a tie, -1 for a
    loss."""
    bounds_by_move: dict[Move, Bounds]
    """For each legal move, the value that it guarantees in all possible worlds, and its value in each world with all
    cards known."""

    @property
    def best_moves(self) -> list[Move]:
        """Return the moves that guarantee the best result, whatever the hidden cards are."""
        return [move for move, bounds in self.bounds_by_move.items() if bounds.guaranteed_value == self.value]


def search_all_worlds(position: Game | Observation, positions: int) -> ExhaustiveResult | None:
    """Find the moves that are best in all possible worlds, and the value that they guarantee.

    For a view the hidden cards vary; for a game all hands are open and the order of the talon varies. None if there are more than a few
    worlds, if the search takes more than this many positions, or if the best move depends on the hidden cards.

    >>> from durak_widget import Game
    >>> gone = "Qc 9h Th Jh Qh Kh 9s Js Qs Ks"
    >>> game = Game.from_position_line(f"ranks=9TJQKA, suits=chs, hand_size=3: Jc Kc Ac | Tc Ah As; trump c; talon Ts 9c; discard {gone}")
    >>> held = search_all_worlds(game.view(0), 10_000)
    >>> held.value, held.best_moves
    (1, [Move('attack Jc')])
    """
    try:
        worlds = _get_few_worlds(position)
        bounds_by_move = None if worlds is None else solve_worlds(worlds, positions)
    except PositionError:  # There are too many worlds to count, or too many to list
        return None
    if bounds_by_move is None:
        return None
    value = max(bounds.guaranteed_value for bounds in bounds_by_move.values())
    return (
        None if any(max(bounds.value_by_world) > value for bounds in bounds_by_move.values()) else ExhaustiveResult(value, bounds_by_move)
    )


def _get_few_worlds(position: Game | Observation) -> Worlds | OpenHandsWorlds | None:
    """Return all possible worlds (deals of hidden cards) of a position; None if many."""
    if len(position.seats_in) != 2:
        return None
    if isinstance(position, Observation):
        worlds = Worlds(position)
        return worlds if _has_few_worlds(worlds, position) else None
    open_worlds = OpenHandsWorlds(position)
    return open_worlds if factorial(open_worlds.unknown_card_count) < MIN_WORLDS_TO_JUDGE else None


def solve_if_endgame(position: Game | Observation, positions: int) -> EndgameSolution | None:
    """Solve an endgame of two players with known cards; return None for other positions."""
    try:
        return solve_endgame(position, budget=positions)
    except PositionError:
        return None


def evaluate_by_playouts(game: Game, settings: EvaluationSettings, world_count: int) -> Decision:
    """Evaluate the next move by playouts in a random sample of the possible worlds.

    The two halves of the worlds have independent seeds.
    """
    view, decision = _start_decision(game, "cannot be told")
    width, world_seed = settings.scale.width, mix_bits(settings.seed ^ mix_bits(2 * game.ply))
    try:
        are_few, run_playouts = _prepare_open_playouts(game) if settings.uses_all_cards else prepare_playouts(view)
        first_half, second_half = (
            run_playouts((world_count + 1) // 2, world_seed),
            run_playouts((world_count + 1) // 2, mix_bits(world_seed + 1)),
        )
    except PositionError:  # No possible world was found, or there are too many moves to compare
        return decision
    if not first_half.world_count or not second_half.world_count:
        return decision
    merged = _merge_playouts(first_half, second_half)
    cost = estimate_move_cost(merged, decision.move, width)
    evaluated = replace(
        decision,
        world_count=merged.world_count,
        best_share=settings.scale.payoff_to_share(merged[cost.better_move]),
        unbiased_loss=estimate_unbiased_loss(first_half, second_half, decision.move, width),
    )
    if are_few:  # If few worlds are possible, playouts show how a bot would continue, but not how good a move is
        return evaluated
    evaluated = replace(evaluated, better_move=cost.better_move, loss=cost.loss, loss_interval=cost.loss_interval)
    if cost.verdict == "cannot be told":
        return evaluated
    kind = classify_mistake(view, decision.move, cost.better_move) if cost.verdict == "mistake" else None
    return replace(evaluated, verdict=cost.verdict, mistake_kind=kind)


def _start_decision(game: Game, verdict: VerdictName) -> tuple[Observation, Decision]:
    """Return a `Decision` for the next move, not evaluated yet, and the view of its player."""
    seat = game.actor
    assert seat is not None  # noqa: S101 - a move was made here
    view, later = game.view(seat), game.copy()
    return view, Decision(game.ply, game.bout, seat, later.redo(), len(view.legal_moves()), verdict)


def prepare_playouts(view: Observation, max_python_worlds: int | None = None) -> tuple[bool, RunPlayouts]:
    """Return whether few worlds (deals of hidden cards) are possible, and a playout function.

    The worlds are those that agree with `view`.

    `max_python_worlds` is the most worlds to use without the fast engine.
    """
    worlds = Worlds(view)
    max_count = MAX_SEARCHED_WORLDS if worlds.sampling_tables() is None else MAX_WORLDS
    return _has_few_worlds(worlds, view), lambda count, seed: worlds.playouts(
        count=min(count, max_count), seed=seed, max_python_worlds=max_python_worlds
    )


def _has_few_worlds(worlds: Worlds, view: Observation) -> bool:
    """Return whether few worlds (deals of hidden cards) are possible in a player's view.

    With a large talon, the answer is no.
    """
    if view.talon_count - len(view.data.known_talon_cards) >= MANY_ORDERS_TALON_SIZE:
        return False
    return worlds.has_fewer_than(MIN_WORLDS_TO_JUDGE)


def _prepare_open_playouts(game: Game) -> tuple[bool, RunPlayouts]:
    """Return whether few talon orders are possible, and a function that runs playouts.

    All hands are open.
    """
    open_worlds = OpenHandsWorlds(game)
    return factorial(open_worlds.unknown_card_count) < MIN_WORLDS_TO_JUDGE, lambda count, seed: open_worlds.run_playouts(
        None, count=count, seed=seed
    )


def _merge_playouts(first_half: Playouts, second_half: Playouts) -> Playouts:
    """Combine the results of two sets of playouts, with different worlds, into one result."""
    return replace(
        first_half,
        world_count=first_half.world_count + second_half.world_count,
        given_up_count=first_half.given_up_count + second_half.given_up_count,
        sums=tuple(first_sum + second_sum for first_sum, second_sum in zip(first_half.sums, second_half.sums, strict=True)),
        products={pair: first_half.products[pair] + second_half.products[pair] for pair in first_half.products},
    )


def evaluate_single_decision(game: Game, ply: int, *, effort: Effort | None = None, seed: int = 1) -> Decision:
    """Evaluate the decision after `ply` moves; a mistake here is also one in a full review.

    The number of worlds in a review depends on how the game goes on, and more worlds can show more. The worlds are the same, the first
    ones of each half. So a mistake is called one only if it is one with as few worlds as a long game leaves, with twice as many, and so
    on up to the most.

    >>> from durak_widget import Game, Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> game.play("attack 9c")
    >>> found = evaluate_single_decision(game, 0)
    >>> found.verdict, str(found.better_move)
    ('proved mistake', 'attack 7d')
    """
    position, checked_effort = game.copy(), get_default_effort(game.rules) if effort is None else effort
    position.goto(ply)
    settings = EvaluationSettings(
        WinShareScale.from_rules(game.rules),
        uses_all_cards=False,
        seed=seed,
        playouts=checked_effort.decision_playouts,
        positions=checked_effort.positions,
    )
    exact_decision = evaluate_exactly(position, settings)
    if exact_decision is not None:
        return exact_decision
    worlds = max(MIN_WORLDS, min(MAX_WORLDS, checked_effort.decision_playouts // _estimate_total_moves(game, ply)))
    decision = evaluate_by_playouts(position, settings, worlds)
    while decision.verdict == "mistake" and worlds < MAX_WORLDS:
        worlds = min(MAX_WORLDS, 2 * worlds)
        decision = evaluate_by_playouts(position, settings, worlds)
    return decision


def _estimate_total_moves(game: Game, ply: int) -> int:
    """Return an estimate, rather too high than too low, of all legal moves in the whole game."""
    position, count = game.copy(), 0
    for before in range(ply + 1):
        position.goto(before)
        count += len(position.legal_moves())
    expected = LONG_GAME_MOVES + MOVES_PER_EXTRA_PLAYER * (game.seats - 2) + EXTRA_TRANSFER_MOVES * attack.has_transfers(game.rules)
    return max(expected, REMAINING_MOVES_FACTOR * count)


class Effort(NamedTuple):
    """The limits on the work of a review: the number of playouts, and of searched positions.

    >>> Effort(1000, 50).decision_playouts, Effort(1000, 50).luck_playouts
    (750, 250)
    """

    playouts: int
    positions: int
    """The maximum number of positions to search in one endgame."""

    @property
    def luck_playouts(self) -> int:
        """Return the number of playouts that measure luck."""
        return self.playouts // _LUCK_DIVISOR

    @property
    def decision_playouts(self) -> int:
        """Return the number of playouts that evaluate decisions."""
        return self.playouts - self.luck_playouts


FAST_ENGINE_EFFORT: Final = Effort(300_000, 100_000)
"""The default limits with the fast engine; a two-player game takes about two seconds."""
PYTHON_EFFORT: Final = Effort(9_000, 5_000)
"""The default limits without the fast engine; a game takes four to ten seconds, and results are less certain."""


def get_default_effort(rules: Rules) -> Effort:
    """Return the default limits of a review for given rules, with or without the fast engine."""
    return FAST_ENGINE_EFFORT if explain_unsupported_rules(rules) is None and not describe_host().startswith("none") else PYTHON_EFFORT
