"""What do a seat's moves bring, on average, in the worlds that it may think of? Each is tried on the same worlds, so that they can be told apart."""

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
"""What a game is worth is counted in parts of a win: as many as any number of winners shares evenly."""
LONGEST: Final = 10_000
"""So many moves a playout may take."""
MOST_TRIED: Final = 64
"""So many moves are tried side by side at most."""
MOST_SECONDS: Final = 86_400
"""A day."""
MOST_DECIDED: Final = 16
"""Of so many cards endings in playouts may be that are decided: more would take longer than all else."""
FEW_POSITIONS: Final = 100
"""So many positions are looked at to decide one, as in the kernel; if that is too few, play goes on, and it is tried again with fewer cards."""
USUAL: Final = 1000
"""In so many worlds moves are tried if nothing else is said."""


@dataclass(frozen=True, eq=False, repr=False)
class Playouts(Mapping[Move, float]):
    """What each move of a seat has brought on average: 1 for a win, -1 for a loss, shared with those who win or lose too. `fast_engine.playouts` makes it.

    >>> from durak_widget import Game, fast_engine
    >>> found = fast_engine.playouts(Game.at("6c 7c | 9h Ts; trump h").view(0), count=100)
    >>> found.worlds, found.best, dict(found)
    (100, Move('attack 7c'), {Move('attack 6c'): -0.38, Move('attack 7c'): -0.33})
    """

    moves: tuple[Move, ...]
    """The moves that were tried."""
    worlds: int
    """In how many worlds each was tried."""
    given_up: int
    """How many more were given up because a game had no end in sight."""
    sums: tuple[int, ...]
    products: dict[tuple[int, int], int]
    """For each pair of moves, by their places, the sum of the products of what they brought; all in sixtieths of a win."""
    seconds: float | None = None
    """Into how much time, measuring and all, so many worlds were to fit; None where their number was asked for."""

    def __getitem__(self, move: Move | str) -> float:
        """What a move brought on average."""
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
        """The move that brought most; of equal ones the first. None where no world was played to its end."""
        if not self.worlds:
            return None
        return self.moves[max(range(len(self.moves)), key=lambda place: (self.sums[place], -place))]

    def difference(self, move: Move | str, other: Move | str) -> tuple[float, float]:
        """How much more one move brought than another, and the standard error of that: both were tried in the same worlds, which makes it small.

        >>> from durak_widget import Game, fast_engine
        >>> found = fast_engine.playouts(Game(seed=7).view(0), count=200)
        >>> more, error = found.difference("attack 9d", "attack Jh")
        >>> more > 0, 0 < error < 0.1
        (True, True)
        """
        one, two = self._place(move), self._place(other)
        if not self.worlds:
            return 0.0, inf
        mean = (self.sums[one] - self.sums[two]) / self.worlds
        square = (self._product(one, one) - 2 * self._product(one, two) + self._product(two, two)) / self.worlds
        return mean / PARTS, sqrt(max(square - mean * mean, 0.0) / self.worlds) / PARTS

    def error(self, move: Move | str) -> float:
        """The standard error of what a move brought.

        >>> from durak_widget import Game, fast_engine
        >>> found = fast_engine.playouts(Game(seed=7).view(0), count=200)
        >>> 0.05 < found.error("attack 9d") < 0.1
        True
        """
        place = self._place(move)
        if not self.worlds:
            return inf
        mean, square = self.sums[place] / self.worlds, self._product(place, place) / self.worlds
        return sqrt(max(square - mean * mean, 0.0) / self.worlds) / PARTS

    def differences(self) -> list[list[tuple[float, float]]]:
        """For every pair of moves, how much more the move of a row brought than that of a column, and the standard error of that.

        >>> from durak_widget import Game, fast_engine
        >>> found = fast_engine.playouts(Game.at("6c 7c | 9h Ts; trump h"), count=100)
        >>> [[round(more, 2) for more, _ in row] for row in found.differences()]
        [[0.0, -0.05], [0.05, 0.0]]
        """
        return [[self.difference(one, other) for other in self.moves] for one in self.moves]

    def _product(self, one: int, two: int) -> int:
        return self.products[max(one, two), min(one, two)]

    def _place(self, move: Move | str) -> int:
        found = Move(move)
        if found not in self.moves:
            raise PositionError(f"{quoted(str(found))} was not tried; tried were: {', '.join(map(str, self.moves))}")
        return self.moves.index(found)

    def __repr__(self) -> str:
        return f"<Playouts: {self.worlds} worlds, {', '.join(f'{move} {self[move]:+.3f}' for move in self.moves)}>"

    def __str__(self) -> str:
        ranked = sorted(self.moves, key=lambda move: -self[move])
        lines = [f"{self.worlds} worlds" + ("" if self.seconds is None else f", as many as fit into {self.seconds:g} seconds here")]
        for move in ranked:
            less, error = self.difference(ranked[0], move)
            lines.append(f"{move!s:24} {self[move]:+.3f}" + (f"   {less:.3f} ± {1.96 * error:.3f} less" if move is not ranked[0] else ""))
        return "\n".join(lines)


class Drawable(Protocol):
    """Worlds, as far as they have to be drawn: all that `possible_worlds.Worlds` says of them otherwise is not asked here."""

    @property
    def view(self) -> View:
        """What all of them show the seat."""

    def require_some_world(self) -> None:
        """Refuse worlds of which there is none."""

    def drawing(self) -> Tables | None:
        """How they are drawn from what was counted; None where it was too much to count."""

    def bare(self) -> State:
        """What all of them share."""

    def laid(self, layout: Layout) -> State:
        """The world in which the unseen cards lie so."""

    def state(self, rng: Random) -> State:
        """One by chance, where nothing was counted."""


class _Asked(NamedTuple):
    """What is asked of worlds."""

    moves: tuple[Move, ...]
    worlds: int
    seed: int
    policies: list[int]
    decided: int
    seat: int
    """For whom it counts, and …"""
    ahead: bool
    """… whether that seat looks ahead."""


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
    """Each legal move of the seat that sees these worlds, or some, tried in as many of them and played out by a policy; see `fast_engine.playouts`.

    What they bring is counted for that seat, or for the one `whose` worth is asked. Where the kernel does not play them, or gives some up, there are
    no more than `plain` worlds, if that is said: a thousand times as many would be waited for.

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
    many, start = number_in("count", count, 10**12), number_in("seed", seed, (1 << 64) - 1)
    policies = policies_named(policy, len(view.counts))
    cards = number_in("decided", decided, MOST_DECIDED) if decidable(kit_of(view.rules)) else 0
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

    def made(some: int) -> Playouts:
        asked = _Asked(tried, some, start, policies, cards, seat, ahead)
        found = None if plainly else by_kernel(view.rules, lambda machine: _by_kernel(machine, worlds, tables, asked))
        if found is not None:
            return found
        return _plainly(worlds, tables, asked if plain is None else asked._replace(worlds=min(some, plain)))

    if seconds is None:
        return made(many)
    return replace(made(_worlds_in(seconds, made)), seconds=seconds)


def _worlds_in(seconds: float, made: Callable[[int], object]) -> int:
    """How many worlds fit into so much time here, measuring included: twice as many are tried again and again, until they take a tenth of it."""
    began, few = perf_counter(), 1
    while True:
        start = perf_counter()
        made(few)
        took = perf_counter() - start
        if took >= seconds / 10:
            return max(1, int(few * (seconds - (perf_counter() - began)) / took))
        few *= 2


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
    """The chance of the world of that number."""
    return stirred(seed ^ stirred(number))


# By the kernel


def _by_kernel(machine: Machine, worlds: Drawable, tables: Tables | None, asked: _Asked) -> Playouts | None:
    layout, running = machine.layout, machine.running
    drawn = tables if tables is not None and tables.fits(layout) else None
    laid = worlds.state(Random(asked.seed)) if drawn is None else worlds.bare()
    counts = laid.copy()
    counts.actor = asked.seat  # it counts for the seat that is to act where it is asked
    machine.lay(counts)
    running.write(layout["LIST"], b"".join(move_number(move).to_bytes(8, "little") for move in asked.moves))
    machine.hand(asked.seed, asked.worlds)
    policies = sum(policy << 3 * place for place, policy in enumerate(asked.policies))
    running.call("askPlayouts", len(asked.moves), policies, asked.decided, int(asked.ahead))
    machine.lay(laid)
    if drawn is not None:
        for name, some in drawn.written(layout).items():
            running.write(layout[name], some)
        running.call("takeBare")
        while not running.call("playPlayouts", SLICE):
            pass  # between two slices whoever waits may interrupt
    else:
        for number in range(asked.worlds):
            chance = _chance(asked.seed, number)
            machine.lay(_drawn(worlds, tables, chance))
            machine.hand(chance)
            running.call("inWorld")
    played, given_up = unpack("<2Q", running.read(layout["WORLDS"], 16))
    tried = len(asked.moves)
    sums = unpack(f"<{tried}q", running.read(layout["SUMS"], 8 * tried))
    products = unpack(f"<{MOST_TRIED**2}q", running.read(layout["PRODUCTS"], 8 * MOST_TRIED**2))
    by_pair = {(i, j): products[i * MOST_TRIED + j] for i in range(tried) for j in range(i + 1)}
    return None if given_up else Playouts(asked.moves, played, 0, sums, by_pair)


def _drawn(worlds: Drawable, tables: Tables | None, chance: int) -> State:
    """A world by that chance: from the tables, or where nothing was counted, as one is found."""
    return worlds.state(Random(chance)) if tables is None else worlds.laid(tables.draw(SplitMix(chance)))


# The plain way


def _plainly(worlds: Drawable, tables: Tables | None, asked: _Asked) -> Playouts:
    tried, seat = asked.moves, asked.seat
    choose = [chooser(policy) for policy in asked.policies]
    ahead = Foresight(seat) if asked.ahead else None
    sums, given_up = [0] * len(tried), 0
    pairs = [(two, one) for two in range(len(tried)) for one in range(two + 1)]
    products = dict.fromkeys(pairs, 0)
    for number in range(asked.worlds):
        chance = _chance(asked.seed, number)
        world = _drawn(worlds, tables, chance)
        brought: list[int] = []
        for place, move in enumerate(tried):
            state, own = world.copy(), SplitMix(stirred(chance + place + 1))
            if ahead is not None:
                ahead.begin(move)
            state_transitions.play(state, move)
            value: float | None = None
            while state.actor is not None and state.ply - world.ply < LONGEST:
                if asked.decided and _is_ending(state, asked.decided) and (value := _decided(state, seat)) is not None:
                    break
                if ahead is not None and state.actor == seat and ahead.looks:
                    state_transitions.play(state, ahead.hopeful(state))
                else:
                    state_transitions.play(state, choose[state.actor](state, own))
            if value is None and state.outcome is not None:
                value = state.outcome.utilities[seat]
            if value is None:
                break
            brought.append(round(PARTS * value))
            if ahead is not None:
                ahead.learn(brought[-1])
        else:
            for place, worth in enumerate(brought):
                sums[place] += worth
            for one, two in pairs:
                products[one, two] += brought[one] * brought[two]
            continue
        given_up += 1
    return Playouts(tried, asked.worlds - given_up, given_up, tuple(sums), products)


def decidable(kit: Kit) -> bool:
    """Whether playouts under these rules can stop at an ending and decide it: two play, and no position can come again."""
    return kit.players == 2 and can_be_searched(kit)


def _is_ending(state: State, cards: int) -> bool:
    """Whether a bout begins, nothing is left to draw, and so many cards are in play at most."""
    return state.phase == OPEN and len(state.rest) == 1 and sum(map(int.bit_count, state.hands)) <= cards


def _decided(state: State, seat: int) -> int | None:
    """What an ending is worth to a seat if nobody makes a mistake; None where so few positions do not decide it."""
    duel = Duel(state, FEW_POSITIONS, plainly=True)
    try:
        value = 1 if duel.wins(state, state.attacker) else -int(duel.wins(state, state.defender))
    except TooLargeError:
        return None
    return value if seat == state.attacker else -value
