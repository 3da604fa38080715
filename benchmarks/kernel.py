"""`make bench-kernel`: how fast the kernel is beside plain Python, by turns in one run.

All times are seconds of CPU of this process on one core, medians over the turns: in each turn either side does its share, so that a machine that is
busy for a while is busy for both. What is measured stands in `PARTS`, one function each.
"""

from __future__ import annotations

import argparse
import platform
import sys
from itertools import count
from random import Random
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from durak_widget import Game, Rules, kernel
from durak_widget.bots import get
from durak_widget.kernel.games import POLICIES, _plainly
from durak_widget.kernel.hosts import host
from durak_widget.kernel.image import rules_image
from durak_widget.kernel.machine import Machine, machine_for
from durak_widget.theory.hidden.playouts import _plainly as _played_out
from durak_widget.theory.hidden.possible import Worlds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from durak_widget import Move, View

TURNS = 5
RULES = {
    "podkidnoy": Rules(),
    "transfer": Rules.preset("transfer"),
    "econ431": Rules.preset("econ431"),
    "podkidnoy, four players": Rules(players=4),
}
SEEDS = count(1)


class Row(NamedTuple):
    """What one part found: its name, a speed each, or what one time took."""

    name: str
    here: float
    plain: float | None
    unit: str
    least: str = ""
    """What is wanted, as issue and docs have it."""

    def __str__(self) -> str:
        shown = f"{self.name:44} {self.here:12,.1f} {self.unit}" if self.here < 1000 else f"{self.name:44} {self.here:12,.0f} {self.unit}"
        if self.plain is not None:
            shown += f", plain Python {self.plain:,.0f}: {self.here / self.plain:,.0f} x"
        return shown + (f" (wanted: {self.least})" if self.least else "")


def spent(what: Callable[[], object]) -> float:
    """The seconds of CPU that something takes once."""
    start = process_time()
    what()
    return process_time() - start


def by_turns(turns: int, here: Callable[[], float], plain: Callable[[], float]) -> tuple[float, float]:
    """The medians of two speeds, measured one after the other, again and again."""
    found = [(here(), plain()) for _ in range(turns)]
    return median(one for one, _ in found), median(other for _, other in found)


def whole_games(turns: int) -> Iterator[Row]:
    """Whole games a second, from the deal to the end, of each policy; on the plain way the careful bot is given views, as at the table."""
    for policy, wanted in (("random", "50 x, 200,000"), ("careful", "80 x, 500,000")):
        for name, rules in RULES.items():
            machine_for(rules)
            many, few = 40_000, 100 if policy == "random" else 25

            def here(rules: Rules = rules, policy: str = policy, many: int = many) -> float:
                return many / spent(lambda: kernel.games(rules, count=many, seed=next(SEEDS), policy=policy))

            def plain(rules: Rules = rules, policy: str = policy, few: int = few) -> float:
                return few / spent(lambda: _plainly(rules, few, next(SEEDS), [POLICIES.index(policy)] * rules.players))

            yield Row(f"{policy} games, {name}", *by_turns(turns, here, plain), "a second", wanted if name == "podkidnoy" else "")


def playouts(turns: int) -> Iterator[Row]:
    """Playouts a second by the careful policy from mid-game: each legal move in worlds that respect what play has proved; and one move, so that each has a world of its own."""
    for players in (2, 3, 4):
        views = [view for seed in range(8) if (view := _mid_game(players, seed)) is not None]
        for name, most in (("each legal move", 64), ("one move a world", 1)):

            def speed(play: Callable[[View, tuple[Move, ...]], int], most: int = most, views: list[View] = views) -> float:
                made = 0
                start = process_time()
                for view in views:
                    made += play(view, view.legal_moves()[:most])
                return made / (process_time() - start)

            def here(view: View, moves: tuple[Move, ...]) -> int:
                return 10_000 * len(kernel.playouts(view, moves, count=10_000, seed=next(SEEDS)))

            def plain(view: View, moves: tuple[Move, ...]) -> int:
                worlds = Worlds(view)
                _played_out(worlds, worlds.drawing(), moves, 6, next(SEEDS), [POLICIES.index("careful")] * len(view.counts))
                return 6 * len(moves)

            found = by_turns(turns, lambda: speed(here), lambda: speed(plain))
            yield Row(f"playouts, {players} players, {name}", *found, "a second", "100 x, 700,000 for two" if most == 1 else "")


def _mid_game(players: int, seed: int) -> View | None:
    """What a seat sees after some turns of careful play; None where the game was over by then."""
    game, careful = Game(Rules(players=players), seed=seed), get("careful")
    while game.actor is not None and game.ply < 16 * (players - 1):
        game.play(careful.choose(game.view(game.actor), Random(seed)))
    return None if game.actor is None else game.view(game.actor)


def loading(turns: int) -> Iterator[Row]:
    """The milliseconds from nothing but the file in memory to a kernel that has the rules: a new one is started, an image made and laid."""
    for players in (2, 6):
        rules = Rules(players=players)
        layout = machine_for(rules).layout

        def load(rules: Rules = rules, layout: dict[str, int] = layout) -> None:
            machine = Machine(host().start())
            machine.running.write(layout["IMAGE"], rules_image(rules, layout))
            if not machine.running.call("imageStands"):
                raise SystemExit("the kernel does not take the image of the rules")

        took = [1000 * spent(load) for _ in range(max(turns, 15))]
        yield Row(f"loading, with the image for {players} players", median(took), None, "ms", "at most 30")


def one_call(turns: int) -> Iterator[Row]:
    """The microseconds of one call with least work, in and out: of a function that does next to nothing, of one game, of a moment laid and its moves listed."""
    game, calls = Game(seed=7), 2000
    machine = machine_for(game.rules)

    def least() -> None:
        for _ in range(calls):
            machine.hand(20)
            machine.running.call("drawThree")
            machine.handed()

    def one_game() -> None:
        for _ in range(calls):
            kernel.games(game.rules, count=1)

    def listed() -> None:
        for _ in range(calls):
            kernel.legal_moves(game)

    for name, what, wanted in (("least work", least, "at most 60"), ("one whole game", one_game, ""), ("kernel.legal_moves", listed, "")):
        yield Row(f"a call: {name}", median(1e6 * spent(what) / calls for _ in range(turns)), None, "microseconds", wanted)


PARTS: dict[str, Callable[[int], Iterator[Row]]] = {"games": whole_games, "playouts": playouts, "loading": loading, "calls": one_call}
"""What is measured, by its name. Another part is a function that yields its rows, and a line here."""


def main() -> int:
    """Print the figures; 1 where there is no kernel to measure."""
    parser = argparse.ArgumentParser(description="how fast the kernel is beside plain Python")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"which parts ({', '.join(PARTS)}); otherwise all")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"how many turns, {TURNS} otherwise")
    arguments = parser.parse_args()
    if unknown := set(arguments.parts) - PARTS.keys():
        parser.error(f"there is no part {', '.join(sorted(unknown))}; say {', '.join(PARTS)}")
    print(
        f"Python {platform.python_version()} on {platform.machine()}, the kernel by {kernel.which()}; CPU time, medians of {arguments.turns} turns"
    )
    if kernel.which().startswith("none"):
        return 1
    for part in arguments.parts or PARTS:
        for row in PARTS[part](arguments.turns):
            print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
