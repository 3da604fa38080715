"""Measure how strong the bots and the opponents are against one another, by tournaments of `durak_widget.arena`.

Every deal is played in every seating, so that luck of the deal counts for both. What is told is the share of points, a draw as half of one, with a 95 %
interval over the deals; where more than two play, how often the one among the others is the fool. Each part plays for so many seconds, or until it has
played as many deals as are asked for; `--jobs` or `--dask` say where. `--long` is for a night. `reference --keep FOLDER` plays all bots and people against one
another and keeps each such ladder as a file, which `arena.load` reads.
"""

from __future__ import annotations

import argparse
import platform
import sys
from contextlib import closing
from itertools import pairwise
from math import sqrt
from pathlib import Path
from statistics import mean, variance
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from durak_widget import Game, Rules, arena, bots, fast_engine
from durak_widget.analysis.possible_worlds import Worlds
from durak_widget.bots.monte_carlo_bot import MonteCarloBot
from durak_widget.parallel import WorkerPool, add_worker_options, count_cores, open_executor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from durak_widget import Observation
    from durak_widget.bots.bot import AnyBot, Bot
    from durak_widget.engine.state import State

PRESETS = ("podkidnoy", "perevodnoy", "econ431", "durnius", "thrown_up")
SECONDS, LONG = 6.0, 900.0
THINKING = 5
"""Who searches gets so many times as long."""
DEALS, MANY = 1000, 20_000
SEED = "strength"
EVERYBODY = ("random", "first", "careful", *(person.key for person in bots.people()))
"""All bots of the package, each once: what `hasty` is, and `counting`, is played by people."""
REFERENCE, REFERENCE_LONG = 720, 14_400
"""So many games a reference ladder of two has, and half as many more for each who sits there besides."""


class Match(NamedTuple):
    """What a part found: whose points, against whom, by which rules, over how many deals."""

    rules: str
    one: str
    others: str
    share: float
    """The points of the one, or how often it was the fool, in hundredths."""
    give: float
    deals: int
    wanted: str = ""

    def __str__(self) -> str:
        versus = f"{self.one} v {self.others}"
        return f"{self.rules:24} {versus:44} {self.share:5.1f} ± {self.give:.1f}   {self.deals:6} deals" + (
            f"   (wanted: {self.wanted})" if self.wanted else ""
        )


class Sees(Worlds):
    """The worlds of a cheat, who sees all hands: only the order of the talon is left to chance."""

    __slots__ = ("_truth",)

    def __init__(self, view: Observation, truth: State) -> None:
        super().__init__(view)
        self._truth = truth

    def sampling_tables(self) -> None:
        """Nothing is counted."""

    def sample_state(self, rng: Random) -> State:
        """The truth, with the unknown part of the talon shuffled."""
        state = self._truth.copy()
        talon = list(state.talon)
        lying = {place for place, bit in enumerate(talon) if bit & (state.drawable_turn_up | state.hidden_card)}
        free = [place for place in range(len(talon)) if place not in lying]
        cards = [talon[place] for place in free]
        rng.shuffle(cards)
        for place, card in zip(free, cards, strict=True):
            talon[place] = card
        state.set_talon(tuple(talon))
        return state


class Cheating(MonteCarloBot):
    """The same search by one who sees all hands; it must be told which game it plays."""

    def __init__(self, **settings: int) -> None:
        super().__init__(**settings)
        self.games: list[Game] = []

    def _create_worlds(self, view: Observation) -> Worlds:
        return Sees(view, self.games[-1].state)


def match(rules: str, one: AnyBot, other: AnyBot, limit: Limit, wanted: str = "", *, fool: bool = False) -> Match:
    """So many deals in every seating, or as many as fit into the time."""
    names = _name(one), _name(other)
    run = arena.Run(
        {names[0]: one, names[1]: other},
        rules,
        games=limit.deals * Rules.coerce(rules).players,
        against=names[1],
        seed=SEED,
        executor=limit.executor,
    )
    started = 0.0  # when the first deal has come: processes have begun by then
    with closing(run.play_deals()) as steps:
        for _ in steps:
            started = started or monotonic()
            if monotonic() - started > limit.seconds:
                break
    deal = run.schedule.games_per_deal
    found = [points[seated.index(names[0])] for _, seated, points, _ in run.ranking.games.list_headers()]
    found = [1 - point for point in found] if fool else found
    return told(rules, names, [mean(found[at : at + deal]) for at in range(0, len(found), deal)], wanted, fool=fool)


def told(rules: str, names: tuple[str, str], found: list[float], wanted: str, *, fool: bool = False) -> Match:
    """What deals have brought, with its interval."""
    give = 1.96 * sqrt(variance(found) / len(found)) if len(found) > 1 else 1.0
    return Match(rules, names[0], names[1] + (": the fool" if fool else ""), 100 * mean(found), 100 * give, len(found), wanted)


def cheated(playing: tuple[Bot, AnyBot], deal: int) -> float:
    """The points of a cheat, who is told which game it plays, from both seats of a deal."""
    cheat, other = playing
    points = []
    for seat in (0, 1):
        game = Game(seed=f"{SEED} {deal}")
        cheat.implementation.games = [game]  # type: ignore[union-attr] # it is a cheat
        bots.play(game, [cheat, other] if seat == 0 else [other, cheat], f"{deal} {seat}")
        assert game.outcome is not None  # noqa: S101 - it has been played
        points.append((game.outcome.utilities[seat] + 1) / 2)
    return mean(points)


def cheats(other: AnyBot, limit: Limit, wanted: str = "") -> Match:
    """A cheat against somebody, as long as there is time."""
    cheat = bots.get(Cheating(playouts=750))
    started, found = 0.0, list[float]()
    with WorkerPool(limit.executor) as pool, closing(pool.run_unordered(cheated, range(limit.deals), common=(cheat, other))) as came:
        for _, points in came:
            started = started or monotonic()
            found.append(points)
            if monotonic() - started > limit.seconds:
                break
    return told("podkidnoy", ("Cheating(750)", _name(other)), found, wanted)


def _name(playing: AnyBot) -> str:
    plays = getattr(playing, "implementation", playing)
    settings = f"({plays.playouts})" if isinstance(plays, MonteCarloBot) and not isinstance(playing, str) else ""
    return playing if isinstance(playing, str) else type(plays).__name__ + settings


class Limit(NamedTuple):
    """How long a part may play."""

    seconds: float
    deals: int
    executor: object = None
    keep: str | None = None
    """A folder for the files of reference ladders."""
    games: int = REFERENCE

    def for_who(self, key: str) -> Limit:
        """Longer for who searches."""
        return self.longer(THINKING) if key == bots.people()[-1].key else self

    def longer(self, times: float) -> Limit:
        """So many times as long."""
        return self._replace(seconds=times * self.seconds)


# What is measured


def ladder(limit: Limit) -> Iterator[Match]:
    """Every opponent against the one before, in five presets."""
    keys = [person.key for person in bots.people()]
    for rules in PRESETS:
        for below, above in pairwise(keys):
            yield match(rules, above, below, limit.for_who(above), "58")


def company(limit: Limit) -> Iterator[Match]:
    """One among others of the level below, three and four at the table."""
    keys = [person.key for person in bots.people()]
    for players in (3, 4):
        for below, above in pairwise(keys):
            yield match(f"podkidnoy, players={players}", above, below, limit.for_who(above), f"below {100 / players:.0f}", fool=True)


def best(limit: Limit) -> Iterator[Match]:
    """What counts and what searches against what is careful, and against what counts."""
    longer = limit.longer(3)
    yield match("podkidnoy", "counting", "careful", longer, "60")
    yield match("podkidnoy", bots.get("searching", playouts=750), "careful", longer, "82")
    yield match("podkidnoy", bots.get("searching", playouts=750), "counting", longer, "60")
    yield match("podkidnoy", bots.get("searching", playouts=20_000), "careful", longer, "87")
    yield match("podkidnoy", bots.get("searching", playouts=20_000), "counting", longer, "68")
    yield match("econ431", bots.get("searching", playouts=3000), "counting", longer, "65")
    yield match("perevodnoy", bots.get("searching", playouts=3000), "careful", longer, "85")
    yield match("podkidnoy, players=3", bots.get("searching", playouts=3000), "careful", longer, "at most 20", fool=True)


def cheat(limit: Limit) -> Iterator[Match]:
    """The same search by one who sees all hands, beside an honest one, on the same deals, both against what counts; and one against the other."""
    longer = limit.longer(3)
    yield match("podkidnoy", bots.get("searching", playouts=750), "counting", longer)
    yield cheats("counting", longer)
    yield cheats(bots.get("searching", playouts=750), longer, "at most 55")


def child(limit: Limit) -> Iterator[Match]:
    """The first opponent against a plain habit: the lowest card that will do, trumps kept while there is a talon."""
    yield match("podkidnoy", bots.get("careful", miserly=True), "nephew", limit, "50")


def references(folder: str | None) -> Iterator[tuple[str, int, Path | None]]:
    """Each reference ladder: preset, how many play, and its file."""
    for players in (2, 3, 4):
        for preset in PRESETS:
            if preset != "econ431" or players == 2:  # which is a game for two
                yield preset, players, None if folder is None else Path(folder) / f"{preset}-{players}.sqlite"


def reference(limit: Limit) -> Iterator[str]:
    """All bots and people against one another, in five presets, two to four at a table: the ladder that the docs publish."""
    for preset, players, file in references(limit.keep):
        rules = preset if players == 2 else f"{preset}, players={players}"
        ranking = arena.play(EVERYBODY, rules, games=limit.games * players // 2, seed=SEED, executor=limit.executor, file=file)
        yield f"{rules}\n{ranking}\n"


def tables(limit: Limit) -> Iterator[str]:
    """The reference ladders that are kept in a folder, as lines of the docs."""
    found = {(players, preset): arena.load(file) for preset, players, file in references(limit.keep) if file is not None and file.is_file()}
    for many in (2, 3, 4):
        there = {preset: ranking for (players, preset), ranking in found.items() if players == many}
        first, *_ = there.values()
        yield f"| {many} at a table | {' | '.join(there)} |\n|{'---|' * (len(there) + 1)}"
        for row in sorted(first.rows(), key=lambda row: -row["rating"]):
            cells = [cell(other) for ranking in there.values() for other in ranking.rows() if other["name"] == row["name"]]
            yield f"| `{row['name']}` | {' | '.join(cells)} |"
        yield f"| games | {' | '.join(str(ranking.games_played) for ranking in there.values())} |\n"


def cell(row: dict[str, object]) -> str:
    """A rating, with what is left open."""
    return f"{row['rating']:.0f} ({row['low']:.0f}–{row['high']:.0f})"


PARTS: dict[str, Callable[[Limit], Iterator[object]]] = {
    "ladder": ladder,
    "company": company,
    "best": best,
    "cheat": cheat,
    "child": child,
    "reference": reference,
    "tables": tables,
}
SELDOM = ("reference", "tables")
"""What is done only where it is asked for."""


def main(words: list[str]) -> None:
    """Play, and tell."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks strength")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="some parts alone (all but reference and tables)")
    parser.add_argument("--long", action="store_true", help="for a night")
    parser.add_argument("--seconds", type=float, help="for each match")
    parser.add_argument("--games", type=int, help="of each reference ladder")
    parser.add_argument("--keep", metavar="FOLDER", help="keep the files of reference ladders there; they go on where they were stopped")
    add_worker_options(parser, "one for each core")
    asked = parser.parse_args(words)
    with open_executor(asked.jobs, asked.dask) as executor:
        limit = Limit(
            asked.seconds or (LONG if asked.long else SECONDS),
            MANY if asked.long else DEALS,
            count_cores() if executor is None else executor,
            asked.keep,
            asked.games or (REFERENCE_LONG if asked.long else REFERENCE),
        )
        print(
            f"Python {platform.python_version()} on {platform.machine()}, the kernel: {fast_engine.describe_host()}; shares of points in hundredths, 95 %",
            flush=True,
        )
        for name in asked.parts or [part for part in PARTS if part not in SELDOM]:
            for found in PARTS[name](limit):
                print(found, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
