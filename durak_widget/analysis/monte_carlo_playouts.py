"""Estimates a seat's moves by playouts in random possible worlds.

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

from durak_widget.analysis.acyclic_endgame_solver import Duel, TooLargeError, can_be_searched
from durak_widget.analysis.information_set_values import Foresight
from durak_widget.engine import state_transitions
from durak_widget.engine.compiled_rules import kit_of
from durak_widget.engine.moves import Move
from durak_widget.engine.state import OPEN
from durak_widget.errors import PositionError, quoted
from durak_widget.fast_engine.engine_instance import by_kernel
from durak_widget.fast_engine.game_simulation import POLICIES, SLICE, chooser, number_in, policies_named
from durak_widget.fast_engine.random_generator import SplitMix, stirred
from durak_widget.fast_engine.state_encoding import move_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from durak_widget.analysis.world_sampling import Layout, Tables
    from durak_widget.engine.compiled_rules import Kit
    from durak_widget.engine.observation import View
    from durak_widget.engine.state import State
    from durak_widget.fast_engine.engine_instance import Machine

PARTS: Final = 60
"""Units of a win in which results are counted; any number of winners can share them evenly."""
LONGEST: Final = 10_000
"""Maximum number of moves in a playout."""
MOST_TRIED: Final = 64
"""Maximum number of moves to compare."""
MOST_SECONDS: Final = 86_400
"""Maximum time: one day."""
MOST_DECIDED: Final = 16
"""Maximum number of cards in endgames that are solved during playouts; more would take longer than everything else."""
FEW_POSITIONS: Final = 100
"""Search budget for such an endgame, as in the fast engine; beyond it play goes on, and a later position is tried."""
USUAL: Final = 1000
"""Default number of worlds."""


@dataclass(frozen=True, eq=False, repr=False)
class Playouts(Mapping[Move, float]):
    """Average result of each move: 1 for a win, -1 for a loss, shared by winners or losers.

    `fast_engine.playouts` makes it.

    >>> from durak_widget import Game, fast_engine
    >>> found = fast_engine.playouts(Game.at("6c 7c | 9h Ts; trump h").view(0), count=100)
    >>> found.worlds, found.best, dict(found)
    (100, Move('attack 7c'), {Move('attack 6c'): -0.38, Move('attack 7c'): -0.33})
    """

    moves: tuple[Move, ...]
    """Moves that were tried."""
    worlds: int
    """Number of worlds in which each move was tried."""
    given_up: int
    """Number of further worlds that were given up because a game did not end."""
    sums: tuple[int, ...]
    products: dict[tuple[int, int], int]
    """Sum of the products of two moves' results, by the moves' indexes; in sixtieths of a win, like `sums`."""
    seconds: float | None = None
    """Time in which the worlds had to fit, measuring included; None if their number was asked for."""

    def __getitem__(self, move: Move | str) -> float:
        """Return the average result of a move."""
        return self.sums[self._place(move)] / (PARTS * self.worlds) if self.worlds else 0.0

    def __iter__(self) -> Iterator[Move]:
        return iter(self.moves)

    def __len__(self) -> int:
        return len(self.moves)

    def __contains__(self, move: object) -> bool:
        return move in self.moves or str(move) in map(str, self.moves)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Playouts) and self._whole() == other._whole()

    def __hash__(self) -> int:
        return hash((self.moves, self.worlds, self.sums))

    def _whole(self) -> tuple[object, ...]:
        return self.moves, self.worlds, self.given_up, self.sums, self.products

    @property
    def best(self) -> Move | None:
        """Return the move with the highest average, the first of equal ones.

        It is None if no world was played to its end.
        """
        if not self.worlds:
            return None
        return self.moves[max(range(len(self.moves)), key=lambda index: (self.sums[index], -index))]

    def difference(self, move: Move | str, other: Move | str) -> tuple[float, float]:
        """Return how much better one move is than another, and the standard error of that.

        The error is small because both were tried in the same worlds.

        >>> from durak_widget import Game, fast_engine
        >>> found = fast_engine.playouts(Game(seed=7).view(0), count=200)
        >>> more, error = found.difference("attack 9d", "attack Jh")
        >>> more > 0, 0 < error < 0.1
        (True, True)
        """
        index, other_index = self._place(move), self._place(other)
        if not self.worlds:
            return 0.0, inf
        mean = (self.sums[index] - self.sums[other_index]) / self.worlds
        square = (
            self._product(index, index) - 2 * self._product(index, other_index) + self._product(other_index, other_index)
        ) / self.worlds
        return mean / PARTS, sqrt(max(square - mean * mean, 0.0) / self.worlds) / PARTS

    def error(self, move: Move | str) -> float:
        """Return the standard error of a move's average result.

        >>> from durak_widget import Game, fast_engine
        >>> found = fast_engine.playouts(Game(seed=7).view(0), count=200)
        >>> 0.05 < found.error("attack 9d") < 0.1
        True
        """
        index = self._place(move)
        if not self.worlds:
            return inf
        mean, square = self.sums[index] / self.worlds, self._product(index, index) / self.worlds
        return sqrt(max(square - mean * mean, 0.0) / self.worlds) / PARTS

    def differences(self) -> list[list[tuple[float, float]]]:
        """Return the difference and its standard error for every pair of moves.

        The move of the row is compared with the move of the column.

        >>> from durak_widget import Game, fast_engine
        >>> found = fast_engine.playouts(Game.at("6c 7c | 9h Ts; trump h"), count=100)
        >>> [[round(more, 2) for more, _ in row] for row in found.differences()]
        [[0.0, -0.05], [0.05, 0.0]]
        """
        return [[self.difference(row_move, column_move) for column_move in self.moves] for row_move in self.moves]

    def _product(self, one: int, two: int) -> int:
        return self.products[max(one, two), min(one, two)]

    def _place(self, move: Move | str) -> int:
        parsed = Move(move)
        if parsed not in self.moves:
            raise PositionError(f"{quoted(str(parsed))} was not tried; tried were: {', '.join(map(str, self.moves))}")
        return self.moves.index(parsed)

    def __repr__(self) -> str:
        return f"<Playouts: {self.worlds} worlds, {', '.join(f'{move} {self[move]:+.3f}' for move in self.moves)}>"

    def __str__(self) -> str:
        ranked = sorted(self.moves, key=lambda move: -self[move])
        lines = [f"{self.worlds} worlds" + ("" if self.seconds is None else f", as many as fit into {self.seconds:g} seconds here")]
        for move in ranked:
            deficit, error = self.difference(ranked[0], move)
            lines.append(
                f"{move!s:24} {self[move]:+.3f}" + (f"   {deficit:.3f} ± {1.96 * error:.3f} less" if move is not ranked[0] else "")
            )
        return "\n".join(lines)


class Drawable(Protocol):
    """Interface of possible worlds for playouts: the part of `Worlds` that they need."""

    @property
    def view(self) -> View:
        """Return the view that all worlds show the seat."""

    def require_some_world(self) -> None:
        """Refuse an empty set of worlds."""

    def drawing(self) -> Tables | None:
        """Return the sampling tables; None if counting would have taken too long."""

    def bare(self) -> State:
        """Return the part of the state that all worlds share."""

    def laid(self, layout: Layout) -> State:
        """Return the world in which the unseen cards are as in a layout."""

    def state(self, rng: Random) -> State:
        """Return a random world, for use where there are no sampling tables."""


class _Asked(NamedTuple):
    """Parameters of a run of playouts."""

    moves: tuple[Move, ...]
    worlds: int
    seed: int
    policies: list[int]
    decided: int
    seat: int
    """Seat whose results count."""
    ahead: bool
    """Whether that seat looks ahead."""


def played_out(
    worlds: Drawable,
    moves: Iterable[Move | str] | None,
    *,
    count: int,
    seed: int,
    policy: str | Sequence[str],
    seconds: float | None = None,
    decided: int = 0,
    ahead: bool = False,
    plainly: bool = False,
    plain: int | None = None,
    whose: int | None = None,
) -> Playouts:
    """Try legal moves in possible worlds and play them out; see `fast_engine.playouts`.

    The results count for the seat of the view, or for the seat `whose`. Where the fast engine does not play,
    or gives up a world, there are at most `plain` worlds, as Python takes about a thousand times as long.

    >>> from durak_widget import Game, analysis
    >>> worlds = analysis.worlds(Game.at("6c 7c | 9h Ts; trump h").view(0))
    >>> both = [played_out(worlds, None, count=50, seed=1, policy="careful", plainly=plainly) for plainly in (False, True)]
    >>> both[0] == both[1]
    True
    """
    view = worlds.view
    legal = view.legal_moves()
    if not legal:
        raise PositionError("playouts try the legal moves of a seat, and this view's seat is not to act; ask game.view(game.actor)")
    tried = _tried(moves, legal)
    world_count, first_seed = number_in("count", count, 10**12), number_in("seed", seed, (1 << 64) - 1)
    policies = policies_named(policy, len(view.counts))
    max_decided_cards = number_in("decided", decided, MOST_DECIDED) if decidable(kit_of(view.rules)) else 0
    if seconds is not None and (isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 < seconds <= MOST_SECONDS):
        raise PositionError(f"seconds={quoted(seconds)} is no time to try moves in: say a number above 0, {MOST_SECONDS} at most")
    if not isinstance(ahead, bool):
        raise PositionError(f"ahead is True or False, not {quoted(ahead)}")
    seat = view.seat if whose is None else whose
    if ahead and POLICIES[policies[seat]] != "careful":
        raise PositionError(
            "ahead=True looks for better than what the careful bot would play; leave policy='careful' to the seat, or ahead out"
        )
    worlds.require_some_world()
    tables = worlds.drawing()

    def run(run_world_count: int) -> Playouts:
        request = _Asked(tried, run_world_count, first_seed, policies, max_decided_cards, seat, ahead)
        engine_result = None if plainly else by_kernel(view.rules, lambda machine: _by_kernel(machine, worlds, tables, request))
        if engine_result is not None:
            return engine_result
        return _plainly(worlds, tables, request if plain is None else request._replace(worlds=min(run_world_count, plain)))

    if seconds is None:
        return run(world_count)
    return replace(run(_worlds_in(seconds, run)), seconds=seconds)


def _worlds_in(seconds: float, made: Callable[[int], object]) -> int:
    """Return how many worlds fit into this time here, measuring included.

    The number of worlds is doubled until a run takes a tenth of the time.
    """
    begin_time, world_count = perf_counter(), 1
    while True:
        start = perf_counter()
        made(world_count)
        duration = perf_counter() - start
        if duration >= seconds / 10:
            return max(1, int(world_count * (seconds - (perf_counter() - begin_time)) / duration))
        world_count *= 2


def _tried(moves: Iterable[Move | str] | None, legal: tuple[Move, ...]) -> tuple[Move, ...]:
    if moves is not None and not isinstance(moves, Iterable):
        raise PositionError(f"moves={quoted(moves)} are no moves to try; say a list of them, such as ['take'], or None for all")
    tried = legal if moves is None else tuple(dict.fromkeys(map(Move, moves)))
    for move in tried:
        if move not in legal:
            raise PositionError(f"{move} is not legal here; legal are: {', '.join(map(str, legal))}")
    if not 0 < len(tried) <= MOST_TRIED:
        raise PositionError(f"{len(tried)} moves are too many or too few to try side by side; name 1 to {MOST_TRIED} of them by moves=[…]")
    return tried


def _chance(seed: int, number: int) -> int:
    """Return the random seed of the world with this number."""
    return stirred(seed ^ stirred(number))


# In the fast engine


def _by_kernel(machine: Machine, worlds: Drawable, tables: Tables | None, asked: _Asked) -> Playouts | None:
    layout, running = machine.layout, machine.running
    usable_tables = tables if tables is not None and tables.fits(layout) else None
    base_state = worlds.state(Random(asked.seed)) if usable_tables is None else worlds.bare()
    counted_state = base_state.copy()
    counted_state.actor = asked.seat  # the fast engine counts results for the seat to act
    machine.lay(counted_state)
    running.write(layout["LIST"], b"".join(move_number(move).to_bytes(8, "little") for move in asked.moves))
    machine.hand(asked.seed, asked.worlds)
    policies = sum(policy << 3 * index for index, policy in enumerate(asked.policies))
    running.call("askPlayouts", len(asked.moves), policies, asked.decided, int(asked.ahead))
    machine.lay(base_state)
    if usable_tables is not None:
        for name, data in usable_tables.written(layout).items():
            running.write(layout[name], data)
        running.call("takeBare")
        while not running.call("playPlayouts", SLICE):
            pass  # between two slices an interrupt is possible
    else:
        for number in range(asked.worlds):
            world_seed = _chance(asked.seed, number)
            machine.lay(_drawn(worlds, tables, world_seed))
            machine.hand(world_seed)
            running.call("inWorld")
    played_count, given_up = unpack("<2Q", running.read(layout["WORLDS"], 16))
    move_count = len(asked.moves)
    sums = unpack(f"<{move_count}q", running.read(layout["SUMS"], 8 * move_count))
    products = unpack(f"<{MOST_TRIED**2}q", running.read(layout["PRODUCTS"], 8 * MOST_TRIED**2))
    products_by_pair = {(i, j): products[i * MOST_TRIED + j] for i in range(move_count) for j in range(i + 1)}
    return None if given_up else Playouts(asked.moves, played_count, 0, sums, products_by_pair)


def _drawn(worlds: Drawable, tables: Tables | None, chance: int) -> State:
    """Return the world with this seed, from the tables if there are any."""
    return worlds.state(Random(chance)) if tables is None else worlds.laid(tables.draw(SplitMix(chance)))


# In Python


def _plainly(worlds: Drawable, tables: Tables | None, asked: _Asked) -> Playouts:
    moves, seat = asked.moves, asked.seat
    choosers = [chooser(policy) for policy in asked.policies]
    statistics = Foresight(seat) if asked.ahead else None
    sums, given_up = [0] * len(moves), 0
    index_pairs = [(index, other_index) for index in range(len(moves)) for other_index in range(index + 1)]
    products = dict.fromkeys(index_pairs, 0)
    for number in range(asked.worlds):
        world_seed = _chance(asked.seed, number)
        world = _drawn(worlds, tables, world_seed)
        results: list[int] = []
        for index, move in enumerate(moves):
            state, rng = world.copy(), SplitMix(stirred(world_seed + index + 1))
            if statistics is not None:
                statistics.begin(move)
            state_transitions.play(state, move)
            value: float | None = None
            while state.actor is not None and state.ply - world.ply < LONGEST:
                if asked.decided and _is_ending(state, asked.decided) and (value := _decided(state, seat)) is not None:
                    break
                if statistics is not None and state.actor == seat and statistics.looks:
                    state_transitions.play(state, statistics.hopeful(state))
                else:
                    state_transitions.play(state, choosers[state.actor](state, rng))
            if value is None and state.outcome is not None:
                value = state.outcome.utilities[seat]
            if value is None:
                break
            results.append(round(PARTS * value))
            if statistics is not None:
                statistics.learn(results[-1])
        else:
            for index, result in enumerate(results):
                sums[index] += result
            for other_index, index in index_pairs:
                products[other_index, index] += results[other_index] * results[index]
            continue
        given_up += 1
    return Playouts(moves, asked.worlds - given_up, given_up, tuple(sums), products)


def decidable(kit: Kit) -> bool:
    """Return whether playouts under these rules can solve an endgame.

    There must be two players, and no position may repeat.
    """
    return kit.players == 2 and can_be_searched(kit)


def _is_ending(state: State, cards: int) -> bool:
    """Return whether a bout starts with an empty talon and at most this many cards."""
    return state.phase == OPEN and len(state.rest) == 1 and sum(map(int.bit_count, state.hands)) <= cards


def _decided(state: State, seat: int) -> int | None:
    """Return an endgame's value for a seat; None beyond the budget."""
    solver = Duel(state, FEW_POSITIONS, plainly=True)
    try:
        value = 1 if solver.wins(state, state.attacker) else -int(solver.wins(state, state.defender))
    except TooLargeError:
        return None
    return value if seat == state.attacker else -value
