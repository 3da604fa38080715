"""Compares the speed of the fast engine with that of plain Python.

All times are seconds of this process's CPU time on one core, as medians over the turns. Both sides take part in
each turn, so that a busy machine slows both. Each part in `PARTS` is one function.
"""

from __future__ import annotations

import argparse
import platform
import sys
from contextlib import contextmanager
from functools import partial
from itertools import count
from random import Random
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from durak_widget import Game, Rules, fast_engine
from durak_widget.analysis.acyclic_endgame_solver import AcyclicEndgameSolver, is_acyclic_endgame
from durak_widget.analysis.cyclic_endgame_solver import CyclicEndgameSolver
from durak_widget.analysis.double_dummy_solver import MAX_STORED_POSITIONS, _DealAsBits, solve_double_dummy
from durak_widget.analysis.double_dummy_solver import _solve_in_python as _plain_deal
from durak_widget.analysis.endgame import EndgameSolution
from durak_widget.analysis.monte_carlo_playouts import run_playouts
from durak_widget.analysis.position_repetition import remove_repetition_rule
from durak_widget.analysis.possible_worlds import Worlds
from durak_widget.bots import get
from durak_widget.engine import state_transitions
from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.engine.state import deal_state, shuffle_deck
from durak_widget.fast_engine.engine_instance import EngineInstance, get_engine_instance
from durak_widget.fast_engine.game_simulation import POLICIES, _simulate_in_python
from durak_widget.fast_engine.state_encoding import encode_rules
from durak_widget.fast_engine.wasm_host import get_host

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from durak_widget import Move, Observation

TURNS = 5
RULES = {
    "podkidnoy": Rules(),
    "transfer": Rules.preset("transfer"),
    "econ431": Rules.preset("econ431"),
    "podkidnoy, four players": Rules(players=4),
}
SEEDS = count(1)
WANTED = {
    "6 + 6, podkidnoy: median": "at most 0.1",
    "8 + 8, podkidnoy: median": "at most 15",
    "9 + 9, podkidnoy: median": "at most 500",
    "4 + 4, perevodnoy: slowest": "at most 20",
}
"""The required times in milliseconds, on a machine where plain Python plays 4,900 random games a second."""
LARGE = 7
"""An endgame is large if each hand has at least this number of cards."""
DEALS = {4: 200}  # For every other hand size, there are fifty deals
KINDS = ((4, "transfer"), (4, "perevodnoy"), (4, "passport"), (6, "podkidnoy"), (6, "econ431"), (7, "podkidnoy"), (8, "podkidnoy"))


def deal(rules: Rules, cards: int, seed: int) -> Game:
    """Deal two random hands of a given size, with a random trump suit."""
    rng = Random(seed)
    chosen = rng.sample([rank + suit for suit in rules.suits for rank in rules.ranks], 2 * cards)
    return Game.from_position(rules, hands=[" ".join(chosen[:cards]), " ".join(chosen[cards:])], trump=rng.choice("cdhs"))


class Row(NamedTuple):
    """A measurement: its name, the fast engine's speed or time, and that of plain Python."""

    name: str
    here: float
    plain: float | None
    unit: str
    least: str = ""
    """The required speed or time, as the docs state it."""

    def __str__(self) -> str:
        text = f"{self.name:44} {_short(self.here):>12} {self.unit}"
        if self.plain is not None:
            faster = self.plain / self.here if self.unit == "ms" else self.here / self.plain
            text += f", plain Python {_short(self.plain)}: {faster:,.0f} x"
        return text + (f" (wanted: {self.least})" if self.least else "")


def _short(number: float) -> str:
    """Format a number with as many decimals as are useful."""
    return f"{number:,.2f}" if number < 10 else f"{number:,.1f}" if number < 1000 else f"{number:,.0f}"


def spent(what: Callable[[], object]) -> float:
    """Return the CPU time in seconds that one call of a function takes."""
    start = process_time()
    what()
    return process_time() - start


def by_turns(turns: int, here: Callable[[], float], plain: Callable[[], float]) -> tuple[float, float]:
    """Measure two speeds alternately, several times, and return the median of each."""
    speeds = [(here(), plain()) for _ in range(turns)]
    return median(our_speed for our_speed, _ in speeds), median(plain_speed for _, plain_speed in speeds)


def whole_games(turns: int) -> Iterator[Row]:
    """Measure whole games per second with each policy, from the deal to the end.

    In plain Python, random moves are played on states with Python's random generator, and careful moves are chosen
    on states; this is the fastest way.
    """
    for policy, requirement in (("random", "50 x, 200,000"), ("careful", "80 x, 500,000")):
        for name, rules in RULES.items():
            get_engine_instance(rules)
            fast_count, plain_count = 40_000, 400 if policy == "random" else 25

            def here(rules: Rules = rules, policy: str = policy, fast_count: int = fast_count) -> float:
                return fast_count / spent(lambda: fast_engine.simulate_games(rules, count=fast_count, seed=next(SEEDS), policy=policy))

            def plain(rules: Rules = rules, policy: str = policy, plain_count: int = plain_count) -> float:
                if policy == "random":
                    return plain_count / spent(lambda: _at_random(rules, plain_count, next(SEEDS)))
                return plain_count / spent(
                    lambda: _simulate_in_python(rules, plain_count, next(SEEDS), [POLICIES.index(policy)] * rules.players)
                )

            yield Row(f"{policy} games, {name}", *by_turns(turns, here, plain), "a second", requirement if name == "podkidnoy" else "")


def _at_random(rules: Rules, count: int, seed: int) -> None:
    """Play random games on states in plain Python, each from a new deal."""
    compiled_rules, choose = compile_rules(rules), Random(seed).random
    moves_of, play = state_transitions.legal_moves, state_transitions.apply_move
    for number in range(count):
        state = deal_state(compiled_rules, shuffle_deck(compiled_rules, count * seed + number), 0)
        state_transitions.begin_first_bout(state)
        while state.actor is not None:
            moves = moves_of(state)
            play(state, moves[int(choose() * len(moves))])


def playouts(turns: int) -> Iterator[Row]:
    """Measure careful playouts per second from the middle of games.

    There are three ways: each legal move in possible worlds; the same with lookahead; and one move, so that each
    playout has its own world.
    """
    for players in (2, 3, 4):
        views = [view for seed in range(8) if (view := _mid_game(players, seed)) is not None]
        for name, most, ahead in (("each legal move", 64, False), ("each, looking ahead", 64, True), ("one move a world", 1, False)):

            def speed(play: Callable[[Observation, tuple[Move, ...]], int], most: int = most, views: list[Observation] = views) -> float:
                playout_count = 0
                start = process_time()
                for view in views:
                    playout_count += play(view, view.legal_moves()[:most])
                return playout_count / (process_time() - start)

            def here(view: Observation, moves: tuple[Move, ...], *, ahead: bool = ahead) -> int:
                return 10_000 * len(fast_engine.playouts(view, moves, count=10_000, seed=next(SEEDS), ahead=ahead))

            def plain(view: Observation, moves: tuple[Move, ...], *, ahead: bool = ahead) -> int:
                run_playouts(Worlds(view), moves, count=6, seed=next(SEEDS), policy="careful", python_only=True, ahead=ahead)
                return 6 * len(moves)

            speeds = by_turns(turns, lambda: speed(here), lambda: speed(plain))
            yield Row(f"playouts, {players} players, {name}", *speeds, "a second", "100 x, 700,000 for two" if most == 1 else "")


def _mid_game(players: int, seed: int) -> Observation | None:
    """Return a view after some turns of careful play, or None if the game was over by then."""
    game, careful = Game(Rules(players=players), seed=seed), get("careful")
    while game.actor is not None and game.ply < 16 * (players - 1):
        game.play(careful.choose(game.view(game.actor), Random(seed)))
    return None if game.actor is None else game.view(game.actor)


def loading(turns: int) -> Iterator[Row]:
    """Measure the milliseconds to start an engine from a file in memory and load rules."""
    for players in (2, 6):
        rules = Rules(players=players)
        layout = get_engine_instance(rules).layout

        def load(rules: Rules = rules, layout: dict[str, int] = layout) -> None:
            machine = EngineInstance(get_host().start())
            machine.wasm.write(layout["IMAGE"], encode_rules(rules, layout))
            if not machine.wasm.call("imageStands"):
                raise SystemExit("the fast engine does not accept these rules")

        times = [1000 * spent(load) for _ in range(max(turns, 15))]
        yield Row(f"loading, with the image for {players} players", median(times), None, "ms", "at most 30")


def one_call(turns: int) -> Iterator[Row]:
    """Measure the microseconds of a single call with little work.

    The calls are: a trivial function, one game, and the legal moves of a position.
    """
    game, calls = Game(seed=7), 2000
    machine = get_engine_instance(game.rules)

    def least() -> None:
        for _ in range(calls):
            machine.write_inbox(20)
            machine.wasm.call("drawThree")
            machine.read_inbox()

    def one_game() -> None:
        for _ in range(calls):
            fast_engine.simulate_games(game.rules, count=1)

    def listed() -> None:
        for _ in range(calls):
            fast_engine.legal_moves(game)

    for name, what, requirement in (
        ("least work", least, "at most 60"),
        ("one whole game", one_game, ""),
        ("fast_engine.legal_moves", listed, ""),
    ):
        yield Row(f"a call: {name}", median(1e6 * spent(what) / calls for _ in range(turns)), None, "microseconds", requirement)


def endings(turns: int) -> Iterator[Row]:
    """Measure how long the fast engine and plain Python take to solve random endgames.

    Larger endgames are solved only once.
    """
    for cards, name in KINDS:
        rules, deal_count = Rules.preset(name), DEALS.get(cards, 50)
        pairs_of_times = [_solved(deal(rules, cards, seed), turns if cards < LARGE else 1) for seed in range(deal_count)]
        yield from _shares(f"{cards} + {cards}, {name}", *(sorted(times) for times in zip(*pairs_of_times, strict=True)))


def largest(turns: int) -> Iterator[Row]:  # noqa: ARG001 - each is solved once
    """Measure the time to solve endgames that are too large for plain Python."""
    for cards, name, deal_count in ((6, "perevodnoy", 50), (9, "podkidnoy", 50)):
        rules = Rules.preset(name)
        get_engine_instance(rules)
        deals = [deal(rules, cards, seed) for seed in range(deal_count)]
        times = [1000 * spent(partial(_solve, game, plainly=False)) for game in deals]
        yield from _shares(f"{cards} + {cards}, {name}", sorted(times))


def open_cards(turns: int) -> Iterator[Row]:  # noqa: ARG001 - each is solved once
    """Measure how long the fast engine and plain Python take for deals of sixteen open cards."""
    deals = [Game("econ431, ranks=JQKA", seed=seed) for seed in range(8)]
    pairs_of_times = [by_turns(1, lambda game=game: _opened(game), lambda game=game: _opened(game, plainly=True)) for game in deals]
    yield from _shares("open, 16 cards, econ431", *(sorted(times) for times in zip(*pairs_of_times, strict=True)))


def wide_open(turns: int) -> Iterator[Row]:  # noqa: ARG001 - each is solved once
    """Measure the time to solve deals of eighteen open cards in the fast engine.

    If a deal needs too much memory, it is the time until the engine gives up.
    """
    yield from _shares("open, 18 cards, econ431", sorted(_opened(Game("econ431, suits=cdh", seed=seed)) for seed in range(30)))


def _opened(game: Game, *, plainly: bool = False) -> float:
    """Return the milliseconds to solve a deal with open cards."""
    if plainly:
        return 1000 * spent(lambda: _plain_deal(_DealAsBits.from_state(game.state), MAX_STORED_POSITIONS))
    get_engine_instance(game.rules)
    return 1000 * spent(lambda: solve_double_dummy(game, budget=MAX_STORED_POSITIONS))


def slices(turns: int) -> Iterator[Row]:
    """Measure the milliseconds of the longest call of the fast engine.

    The user can interrupt only between two calls.
    """
    for name, ask in (
        ("whole games", lambda: fast_engine.simulate_games("podkidnoy", count=30_000)),
        ("playouts", lambda: fast_engine.playouts(Game(seed=7), count=10_000)),
        ("an ending, 9 + 9", lambda: _solve(deal(Rules(), 9, 0), plainly=False)),
        ("an ending, 6 + 6, perevodnoy", lambda: _solve(deal(Rules.preset("perevodnoy"), 6, 0), plainly=False)),
        ("open cards, 18", lambda: solve_double_dummy(Game("econ431, suits=cdh", seed=1), budget=MAX_STORED_POSITIONS)),
    ):
        longest = []
        for _ in range(turns):
            with _watched() as calls:
                ask()
            longest.append(1000 * max(calls))
        yield Row(f"the longest call: {name}", median(longest), None, "ms", "at most 50")


@contextmanager
def _watched() -> Iterator[list[float]]:
    """Collect the CPU time in seconds of each call of the fast engine in a `with` block."""
    calls: list[float] = []
    running = type(get_engine_instance(Rules()).wasm)
    call = running.call

    def timed(self: object, name: str, *numbers: int) -> int:
        start = process_time()
        result = call(self, name, *numbers)
        calls.append(process_time() - start)
        return result

    running.call = timed
    try:
        yield calls
    finally:
        running.call = call


def _shares(name: str, here: Sequence[float], plain: Sequence[float] | None = None) -> Iterator[Row]:
    """Yield the median, the 90th percentile and the maximum of sorted times."""
    for what, place in (("median", len(here) // 2), ("nine of ten within", len(here) * 9 // 10 - 1), ("slowest", -1)):
        requirement = WANTED.get(f"{name}: {what}", "")
        yield Row(f"{name}: {what}", here[place], None if plain is None else plain[place], "ms", requirement)


def _solved(game: Game, turns: int) -> tuple[float, float]:
    """Return the milliseconds that an endgame takes in the fast engine, and in plain Python."""
    _solve(game, plainly=False)  # Loads the rules into the engine before the clock starts
    return by_turns(
        turns, lambda: 1000 * spent(lambda: _solve(game, plainly=False)), lambda: 1000 * spent(lambda: _solve(game, plainly=True))
    )


def _solve(game: Game, *, plainly: bool) -> EndgameSolution:
    state, drawn = remove_repetition_rule(game.state)
    solver = (
        AcyclicEndgameSolver(state, python_only=plainly)
        if is_acyclic_endgame(state)
        else CyclicEndgameSolver(state, None, drawn, python_only=plainly)
    )
    return EndgameSolution(state, solver, drawn, None)


PARTS: dict[str, Callable[[int], Iterator[Row]]] = {
    "games": whole_games,
    "playouts": playouts,
    "loading": loading,
    "calls": one_call,
    "endings": endings,
    "open": open_cards,
    "slices": slices,
}
"""The parts of the benchmark, by name. Another part is a function that yields its rows, and a line here."""
LONG: dict[str, Callable[[int], Iterator[Row]]] = {"largest": largest, "wide": wide_open}
"""The parts that take minutes; they run only if they are named."""


def main() -> int:
    """Print the results; return 1 if there is no fast engine to measure."""
    parser = argparse.ArgumentParser(description="how fast the kernel is beside plain Python")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"which parts ({', '.join(PARTS)}, otherwise all; {', '.join(LONG)})")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"how many turns, {TURNS} otherwise")
    arguments = parser.parse_args()
    every = {**PARTS, **LONG}
    if unknown := set(arguments.parts) - every.keys():
        parser.error(f"there is no part {', '.join(sorted(unknown))}; say {', '.join(every)}")
    print(
        f"Python {platform.python_version()} on {platform.machine()}, the kernel by {fast_engine.describe_host()}; CPU time, medians of {arguments.turns} turns"
    )
    if fast_engine.describe_host().startswith("none"):
        return 1
    for part in arguments.parts or PARTS:
        for row in every[part](arguments.turns):
            print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
