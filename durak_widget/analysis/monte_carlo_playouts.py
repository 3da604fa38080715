"""Estimates the values of a seat's moves by playing games out from random possible worlds.

Every move is tried in the same worlds, so that the differences between moves have a small error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import inf, sqrt
from random import Random
from struct import unpack
from time import perf_counter
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from durak_widget.analysis.acyclic_endgame_solver import AcyclicEndgameSolver, TooLargeError, has_acyclic_endgames
from durak_widget.analysis.information_set_values import LookaheadStatistics
from durak_widget.engine import state_transitions
from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.engine.moves import Move
from durak_widget.engine.state import PHASE_OPEN
from durak_widget.errors import PositionError, short_repr
from durak_widget.fast_engine.engine_instance import ask_fast_engine
from durak_widget.fast_engine.game_simulation import POLICIES, SLICE_MOVES, get_choose_function, parse_policies, require_number_in_range
from durak_widget.fast_engine.random_generator import SplitMix64, mix_bits
from durak_widget.fast_engine.state_encoding import encode_move

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from durak_widget.analysis.world_sampling import CardLayout, SamplingTables
    from durak_widget.engine.compiled_rules import CompiledRules
    from durak_widget.engine.observation import Observation
    from durak_widget.engine.state import State
    from durak_widget.fast_engine.engine_instance import EngineInstance

UNITS_PER_WIN: Final = 60
"""The number of result units in a win; 60 can be divided evenly among any number of winners."""
MAX_MOVES: Final = 10_000
"""The maximum number of moves in a playout."""
MAX_TRIED_MOVES: Final = 64
"""The maximum number of moves that one run of playouts may compare."""
MAX_SECONDS: Final = 86_400
"""The maximum time limit for playouts, in seconds (one day)."""
MAX_DECIDED_CARDS: Final = 16
"""The maximum number of cards in an endgame that a playout solves; larger endgames take too much time."""
ENDGAME_BUDGET: Final = 100
"""The maximum number of positions in the search of one endgame in a playout; if more are needed, the playout
plays the endgame instead of solving it."""
DEFAULT_WORLD_COUNT: Final = 1000
"""The default number of random possible worlds for a run of playouts."""


@dataclass(frozen=True, eq=False, repr=False)
class Playouts(Mapping[Move, float]):
    """The average result of each move in playouts, from -1 (a loss) to 1 (a win).

    Several winners share 1, and several losers share -1.

    `fast_engine.playouts` makes it.

    >>> from durak_widget import Game, fast_engine
    >>> found = fast_engine.playouts(Game.from_position_line("6c 7c | 9h Ts; trump h").view(0), count=100)
    >>> found.world_count, found.best, dict(found)
    (100, Move('attack 7c'), {Move('attack 6c'): -0.38, Move('attack 7c'): -0.33})
    """

    moves: tuple[Move, ...]
    """The moves that the playouts compared."""
    world_count: int
    """The number of possible worlds in which each move was tried."""
    given_up_count: int
    """The number of worlds that were left out, because a playout in them did not end."""
    sums: tuple[int, ...]
    products: dict[tuple[int, int], int]
    """For each pair of moves (as indices), the sum over all worlds of the product of the two moves' results, each in
    sixtieths of a win."""
    seconds: float | None = None
    """The time limit that determined the number of worlds, including the time to measure the speed; None if the caller
    chose the number of worlds."""

    def __getitem__(self, move: Move | str) -> float:
        """Return the average result of a move."""
        return self.sums[self._index_of(move)] / (UNITS_PER_WIN * self.world_count) if self.world_count else 0.0

    def __iter__(self) -> Iterator[Move]:
        return iter(self.moves)

    def __len__(self) -> int:
        return len(self.moves)

    def __contains__(self, move: object) -> bool:
        return move in self.moves or str(move) in map(str, self.moves)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Playouts) and self._comparison_key() == other._comparison_key()

    def __hash__(self) -> int:
        return hash((self.moves, self.world_count, self.sums))

    def _comparison_key(self) -> tuple[object, ...]:
        """Return the attributes by which two `Playouts` objects are compared for equality."""
        return self.moves, self.world_count, self.given_up_count, self.sums, self.products

    @property
    def best(self) -> Move | None:
        """Return the move with the highest average result; among equal moves, the first.

        It is None if no world was played to its end.
        """
        if not self.world_count:
            return None
        return self.moves[max(range(len(self.moves)), key=lambda index: (self.sums[index], -index))]

    def difference(self, move: Move | str, other: Move | str) -> tuple[float, float]:
        """Return the difference between two moves' averages, and the difference's standard error.

        The error is small because both were tried in the same worlds.

        >>> from durak_widget import Game, fast_engine
        >>> found = fast_engine.playouts(Game(seed=7).view(0), count=200)
        >>> more, error = found.difference("attack 9d", "attack Jh")
        >>> more > 0, 0 < error < 0.1
        (True, True)
        """
        index, other_index = self._index_of(move), self._index_of(other)
        if not self.world_count:
            return 0.0, inf
        mean = (self.sums[index] - self.sums[other_index]) / self.world_count
        square = (
            self._product_sum(index, index) - 2 * self._product_sum(index, other_index) + self._product_sum(other_index, other_index)
        ) / self.world_count
        return mean / UNITS_PER_WIN, sqrt(max(square - mean * mean, 0.0) / self.world_count) / UNITS_PER_WIN

    def standard_error(self, move: Move | str) -> float:
        """Return the standard error of a move's average result.

        >>> from durak_widget import Game, fast_engine
        >>> found = fast_engine.playouts(Game(seed=7).view(0), count=200)
        >>> 0.05 < found.standard_error("attack 9d") < 0.1
        True
        """
        index = self._index_of(move)
        if not self.world_count:
            return inf
        mean, square = self.sums[index] / self.world_count, self._product_sum(index, index) / self.world_count
        return sqrt(max(square - mean * mean, 0.0) / self.world_count) / UNITS_PER_WIN

    def differences(self) -> list[list[tuple[float, float]]]:
        """Return, for each pair of moves, the difference of their average results.

        Each comes with its standard error.

        The move of the row is compared with the move of the column.

        >>> from durak_widget import Game, fast_engine
        >>> found = fast_engine.playouts(Game.from_position_line("6c 7c | 9h Ts; trump h"), count=100)
        >>> [[round(more, 2) for more, _ in row] for row in found.differences()]
        [[0.0, -0.05], [0.05, 0.0]]
        """
        return [[self.difference(row_move, column_move) for column_move in self.moves] for row_move in self.moves]

    def _product_sum(self, index: int, other_index: int) -> int:
        """Return the sum, over all worlds, of the product of two moves' results.

        The moves are given as indices.
        """
        return self.products[max(index, other_index), min(index, other_index)]

    def _index_of(self, move: Move | str) -> int:
        """Return the index of a move; raise an error if the playouts did not try the move."""
        parsed = Move(move)
        if parsed not in self.moves:
            raise PositionError(f"{short_repr(str(parsed))} was not tried; these moves were: {', '.join(map(str, self.moves))}")
        return self.moves.index(parsed)

    def __repr__(self) -> str:
        return f"<Playouts: {self.world_count} worlds, {', '.join(f'{move} {self[move]:+.3f}' for move in self.moves)}>"

    def __str__(self) -> str:
        ranked = sorted(self.moves, key=lambda move: -self[move])
        lines = [f"{self.world_count} worlds" + ("" if self.seconds is None else f", as many as fit into {self.seconds:g} seconds here")]
        for move in ranked:
            deficit, error = self.difference(ranked[0], move)
            lines.append(
                f"{move!s:24} {self[move]:+.3f}" + (f"   {deficit:.3f} ± {1.96 * error:.3f} less" if move is not ranked[0] else "")
            )
        return "\n".join(lines)


class SampleableWorlds(Protocol):
    """The methods that a set of possible worlds must have for playouts.

    The class `Worlds`, for example, has these methods.
    """

    @property
    def view(self) -> Observation:
        """Return what one seat sees; this view is the same in all possible worlds."""

    def require_some_world(self) -> None:
        """Raise an error if no world is possible."""

    def sampling_tables(self) -> SamplingTables | None:
        """Return tables to sample random worlds from; None if making them would take too long."""

    def known_state(self) -> State:
        """Return the part of the game state that is equal in all possible worlds."""

    def state_of_layout(self, layout: CardLayout) -> State:
        """Return the game state of the world with a given layout of the unseen cards."""

    def sample_state(self, rng: Random) -> State:
        """Return the state of a random world, for callers that have no sampling tables."""


class _PlayoutRequest(NamedTuple):
    """The parameters of a run of playouts."""

    moves: tuple[Move, ...]
    world_count: int
    seed: int
    policy_numbers: list[int]
    max_decided_cards: int
    seat: int
    """The seat that the results are for: a win of this seat counts as positive."""
    looks_ahead: bool
    """True if the seat looks ahead in playouts, using statistics of its later moves."""


def run_playouts(
    worlds: SampleableWorlds,
    moves: Iterable[Move | str] | None,
    *,
    count: int,
    seed: int,
    policy: str | Sequence[str],
    seconds: float | None = None,
    decided: int = 0,
    ahead: bool = False,
    python_only: bool = False,
    max_python_worlds: int | None = None,
    for_seat: int | None = None,
) -> Playouts:
    """Play out games from possible worlds after each legal move; see `fast_engine.playouts`.

    The results count for the seat of the view, or for the seat `for_seat`. Where the fast engine does not play,
    or gives up a world, there are at most `max_python_worlds` worlds, as Python takes about a thousand times as long.

    >>> from durak_widget import Game, analysis
    >>> worlds = analysis.worlds(Game.from_position_line("6c 7c | 9h Ts; trump h").view(0))
    >>> both = [run_playouts(worlds, None, count=50, seed=1, policy="careful", python_only=plainly) for plainly in (False, True)]
    >>> both[0] == both[1]
    True
    """
    view = worlds.view
    legal = view.legal_moves()
    if not legal:
        raise PositionError("playouts try a seat's legal moves, and this view's seat does not have to move now; use game.view(game.actor)")
    tried = _parse_moves(moves, legal)
    world_count, first_seed = require_number_in_range("count", count, 10**12), require_number_in_range("seed", seed, (1 << 64) - 1)
    policies = parse_policies(policy, len(view.counts))
    max_decided_cards = (
        require_number_in_range("decided", decided, MAX_DECIDED_CARDS) if can_decide_endgames(compile_rules(view.rules)) else 0
    )
    if seconds is not None and (isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 < seconds <= MAX_SECONDS):
        raise PositionError(f"seconds must be a number above 0 and at most {MAX_SECONDS}, not {short_repr(seconds)}")
    if not isinstance(ahead, bool):
        raise PositionError(f"ahead must be True or False, not {short_repr(ahead)}")
    seat = view.seat if for_seat is None else for_seat
    if ahead and POLICIES[policies[seat]] != "careful":
        raise PositionError(
            "ahead=True looks for better moves than the careful bot's; use policy='careful' for this seat, or leave out ahead"
        )
    worlds.require_some_world()
    tables = worlds.sampling_tables()

    def run(run_world_count: int) -> Playouts:
        """Run the playouts in a number of worlds, in the fast engine if possible."""
        request = _PlayoutRequest(tried, run_world_count, first_seed, policies, max_decided_cards, seat, ahead)
        engine_result = (
            None if python_only else ask_fast_engine(view.rules, lambda machine: _run_in_fast_engine(machine, worlds, tables, request))
        )
        if engine_result is not None:
            return engine_result
        return _run_in_python(
            worlds, tables, request if max_python_worlds is None else request._replace(world_count=min(run_world_count, max_python_worlds))
        )

    if seconds is None:
        return run(world_count)
    return replace(run(_count_worlds_that_fit(seconds, run)), seconds=seconds)


def _count_worlds_that_fit(seconds: float, run: Callable[[int], object]) -> int:
    """Measure the speed of playouts, and return how many worlds fit into a time limit.

    The number of worlds is doubled until a run takes a tenth of the time.
    """
    begin_time, world_count = perf_counter(), 1
    while True:
        start = perf_counter()
        run(world_count)
        duration = perf_counter() - start
        if duration >= seconds / 10:
            return max(1, int(world_count * (seconds - (perf_counter() - begin_time)) / duration))
        world_count *= 2


def _parse_moves(moves: Iterable[Move | str] | None, legal: tuple[Move, ...]) -> tuple[Move, ...]:
    """Return the moves to try; raise an error if one is illegal or if there are too many."""
    if moves is not None and not isinstance(moves, Iterable):
        raise PositionError(f"moves must be a list of moves, such as ['take'], or None for all, not {short_repr(moves)}")
    tried = legal if moves is None else tuple(dict.fromkeys(map(Move, moves)))
    for move in tried:
        if move not in legal:
            raise PositionError(f"{move} is not legal here; the legal moves are: {', '.join(map(str, legal))}")
    if not 0 < len(tried) <= MAX_TRIED_MOVES:
        raise PositionError(f"{len(tried)} moves cannot be compared; give 1 to {MAX_TRIED_MOVES} of them with moves=[…]")
    return tried


def _world_seed(seed: int, number: int) -> int:
    """Return the random seed of the world with a given number."""
    return mix_bits(seed ^ mix_bits(number))


# --- Playouts in the fast engine ---


def _run_in_fast_engine(
    machine: EngineInstance, worlds: SampleableWorlds, tables: SamplingTables | None, request: _PlayoutRequest
) -> Playouts | None:
    layout, running = machine.layout, machine.wasm
    usable_tables = tables if tables is not None and tables.fits_fast_engine(layout) else None
    base_state = worlds.sample_state(Random(request.seed)) if usable_tables is None else worlds.known_state()
    counted_state = base_state.copy()
    counted_state.actor = request.seat  # The fast engine returns results from the point of view of the seat to act
    machine.load_state(counted_state)
    running.write(layout["LIST"], b"".join(encode_move(move).to_bytes(8, "little") for move in request.moves))
    machine.write_inbox(request.seed, request.world_count)
    policies = sum(policy << 3 * index for index, policy in enumerate(request.policy_numbers))
    running.call("askPlayouts", len(request.moves), policies, request.max_decided_cards, int(request.looks_ahead))
    machine.load_state(base_state)
    if usable_tables is not None:
        for name, data in usable_tables.to_engine_data(layout).items():
            running.write(layout[name], data)
        running.call("takeBare")
        while not running.call("playPlayouts", SLICE_MOVES):
            pass  # Each call runs only a part of the playouts, so that the user can interrupt the run
    else:
        for number in range(request.world_count):
            world_seed = _world_seed(request.seed, number)
            machine.load_state(_sample_world(worlds, tables, world_seed))
            machine.write_inbox(world_seed)
            running.call("inWorld")
    played_count, given_up = unpack("<2Q", running.read(layout["WORLDS"], 16))
    move_count = len(request.moves)
    sums = unpack(f"<{move_count}q", running.read(layout["SUMS"], 8 * move_count))
    products = unpack(f"<{MAX_TRIED_MOVES**2}q", running.read(layout["PRODUCTS"], 8 * MAX_TRIED_MOVES**2))
    products_by_pair = {(i, j): products[i * MAX_TRIED_MOVES + j] for i in range(move_count) for j in range(i + 1)}
    return None if given_up else Playouts(request.moves, played_count, 0, sums, products_by_pair)


def _sample_world(worlds: SampleableWorlds, tables: SamplingTables | None, world_seed: int) -> State:
    """Return the state of a random world for a seed; use sampling tables if they are given."""
    return worlds.sample_state(Random(world_seed)) if tables is None else worlds.state_of_layout(tables.sample(SplitMix64(world_seed)))


# --- Playouts in Python ---


def _run_in_python(worlds: SampleableWorlds, tables: SamplingTables | None, request: _PlayoutRequest) -> Playouts:
    moves, seat = request.moves, request.seat
    choosers = [get_choose_function(policy) for policy in request.policy_numbers]
    statistics = LookaheadStatistics(seat) if request.looks_ahead else None
    sums, given_up = [0] * len(moves), 0
    index_pairs = [(index, other_index) for index in range(len(moves)) for other_index in range(index + 1)]
    products = dict.fromkeys(index_pairs, 0)
    for number in range(request.world_count):
        world_seed = _world_seed(request.seed, number)
        world = _sample_world(worlds, tables, world_seed)
        results: list[int] = []
        for index, move in enumerate(moves):
            state, rng = world.copy(), SplitMix64(mix_bits(world_seed + index + 1))
            if statistics is not None:
                statistics.start_playout(move)
            state_transitions.apply_move(state, move)
            value: float | None = None
            while state.actor is not None and state.ply - world.ply < MAX_MOVES:
                if (
                    request.max_decided_cards
                    and _is_small_endgame(state, request.max_decided_cards)
                    and (value := _solve_small_endgame(state, seat)) is not None
                ):
                    break
                if statistics is not None and state.actor == seat and statistics.is_recording:
                    state_transitions.apply_move(state, statistics.choose_move(state))
                else:
                    state_transitions.apply_move(state, choosers[state.actor](state, rng))
            if value is None and state.outcome is not None:
                value = state.outcome.utilities[seat]
            if value is None:
                break
            results.append(round(UNITS_PER_WIN * value))
            if statistics is not None:
                statistics.record_result(results[-1])
        else:
            for index, result in enumerate(results):
                sums[index] += result
            for other_index, index in index_pairs:
                products[other_index, index] += results[other_index] * results[index]
            continue
        given_up += 1
    return Playouts(moves, request.world_count - given_up, given_up, tuple(sums), products)


def can_decide_endgames(compiled: CompiledRules) -> bool:
    """Return whether playouts can solve endgames under given rules.

    There must be two players, and no position may repeat.
    """
    return compiled.player_count == 2 and has_acyclic_endgames(compiled)


def _is_small_endgame(state: State, cards: int) -> bool:
    """Return whether a state starts a bout in an endgame that is small enough to solve."""
    return state.phase == PHASE_OPEN and len(state.talon_suffix_masks) == 1 and sum(map(int.bit_count, state.hands)) <= cards


def _solve_small_endgame(state: State, seat: int) -> int | None:
    """Return an endgame's value for a seat, or None if the search budget is too small."""
    solver = AcyclicEndgameSolver(state, ENDGAME_BUDGET, python_only=True)
    try:
        value = 1 if solver.can_win(state, state.attacker) else -int(solver.can_win(state, state.defender))
    except TooLargeError:
        return None
    return value if seat == state.attacker else -value
