"""Measures the strength of bots and opponents in tournaments of `durak_widget.arena`.

Every deal is played in every seating, so that the luck of the deal is the same for both sides. The result is the
percentage of points (a tie counts as half a point) with a 95 % interval over the deals. With more than two players,
it is how often the one bot among the others is the fool. Each part plays for some seconds, or until a number of
deals is reached; `--jobs` or `--dask` say where. `--long` is for a night. `reference --keep FOLDER` plays all bots
and opponents against each other and stores each ladder as a file for `arena.load`.
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
"""A match with a searching bot gets this many times as much time as any other match."""
DEALS, MANY = 1000, 20_000
SEED = "strength"
EVERYBODY = ("random", "first", "careful", *(person.key for person in bots.people()))
"""All bots of the package, without those that already play under the name of an opponent."""
REFERENCE, REFERENCE_LONG = 720, 14_400
"""The number of games in a reference ladder for two players, usually and in a long run; each further player adds half
as many."""


class Match(NamedTuple):
    """The result of a match: a bot's points against other bots under some rules."""

    rules: str
    bot: str
    others: str
    share: float
    """The points of the first bot in percent, or how often it was the fool."""
    give: float
    deals: int
    wanted: str = ""

    def __str__(self) -> str:
        versus = f"{self.bot} v {self.others}"
        return f"{self.rules:24} {versus:44} {self.share:5.1f} ± {self.give:.1f}   {self.deals:6} deals" + (
            f"   (wanted: {self.wanted})" if self.wanted else ""
        )


class Sees(Worlds):
    """A cheating bot's possible worlds: it sees all hands, so only the talon is random."""

    __slots__ = ("_truth",)

    def __init__(self, view: Observation, truth: State) -> None:
        super().__init__(view)
        self._truth = truth

    def sampling_tables(self) -> None:
        """Return None, because no tables are needed to shuffle the talon."""

    def sample_state(self, rng: Random) -> State:
        """Return the real state, with the unknown part of the talon shuffled."""
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
    """A searching bot that sees all hands; the caller must give it the game it plays."""

    def __init__(self, **settings: int) -> None:
        super().__init__(**settings)
        self.games: list[Game] = []

    def _create_worlds(self, view: Observation) -> Worlds:
        return Sees(view, self.games[-1].state)


def match(rules: str, bot: AnyBot, other: AnyBot, limit: Limit, wanted: str = "", *, fool: bool = False) -> Match:
    """Play deals in every seating, until a number of deals or a time limit is reached."""
    names = _name(bot), _name(other)
    run = arena.Run(
        {names[0]: bot, names[1]: other},
        rules,
        games=limit.deals * Rules.coerce(rules).players,
        against=names[1],
        seed=SEED,
        executor=limit.executor,
    )
    started = 0.0  # The time at which the first deal was finished, when all processes were running
    with closing(run.play_deals()) as steps:
        for _ in steps:
            started = started or monotonic()
            if monotonic() - started > limit.seconds:
                break
    deal = run.schedule.games_per_deal
    deal_points = [points[seated.index(names[0])] for _, seated, points, _ in run.ranking.games.list_headers()]
    deal_points = [1 - point for point in deal_points] if fool else deal_points
    return summarize_match(rules, names, [mean(deal_points[at : at + deal]) for at in range(0, len(deal_points), deal)], wanted, fool=fool)


def summarize_match(rules: str, names: tuple[str, str], found: list[float], wanted: str, *, fool: bool = False) -> Match:
    """Return the result of a match from the points of its deals, with an interval."""
    give = 1.96 * sqrt(variance(found) / len(found)) if len(found) > 1 else 1.0
    return Match(rules, names[0], names[1] + (": the fool" if fool else ""), 100 * mean(found), 100 * give, len(found), wanted)


def cheated(playing: tuple[Bot, AnyBot], deal: int) -> float:
    """Play a deal from both seats with a cheating bot, and return its mean points."""
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
    """Play a cheating bot against another bot until the time is over."""
    cheat = bots.get(Cheating(playouts=750))
    started, deal_points = 0.0, list[float]()
    with WorkerPool(limit.executor) as pool, closing(pool.run_unordered(cheated, range(limit.deals), common=(cheat, other))) as results:
        for _, points in results:
            started = started or monotonic()
            deal_points.append(points)
            if monotonic() - started > limit.seconds:
                break
    return summarize_match("podkidnoy", ("Cheating(750)", _name(other)), deal_points, wanted)


def _name(playing: AnyBot) -> str:
    implementation = getattr(playing, "implementation", playing)
    settings = f"({implementation.playouts})" if isinstance(implementation, MonteCarloBot) and not isinstance(playing, str) else ""
    return playing if isinstance(playing, str) else type(implementation).__name__ + settings


class Limit(NamedTuple):
    """The limits on how long a part of the benchmark plays."""

    seconds: float
    deals: int
    executor: object = None
    keep: str | None = None
    """The folder in which files of reference ladders are stored."""
    games: int = REFERENCE

    def for_who(self, key: str) -> Limit:
        """Return a longer limit for the opponent who searches, and this limit for all others."""
        return self.longer(THINKING) if key == bots.people()[-1].key else self

    def longer(self, times: float) -> Limit:
        """Return the limit with its time multiplied by a number."""
        return self._replace(seconds=times * self.seconds)


# --- Parts of the benchmark ---


def ladder(limit: Limit) -> Iterator[Match]:
    """Match every opponent with the previous (weaker) one, under five presets."""
    keys = [person.key for person in bots.people()]
    for rules in PRESETS:
        for below, above in pairwise(keys):
            yield match(rules, above, below, limit.for_who(above), "58")


def company(limit: Limit) -> Iterator[Match]:
    """Match one bot with others of the next lower level, with three and four players."""
    keys = [person.key for person in bots.people()]
    for players in (3, 4):
        for below, above in pairwise(keys):
            yield match(f"podkidnoy, players={players}", above, below, limit.for_who(above), f"below {100 / players:.0f}", fool=True)


def best(limit: Limit) -> Iterator[Match]:
    """Match the counting and searching bots with the careful bot, and with each other."""
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
    """Match a cheating and an honest searching bot with the counting bot, and with each other."""
    longer = limit.longer(3)
    yield match("podkidnoy", bots.get("searching", playouts=750), "counting", longer)
    yield cheats("counting", longer)
    yield cheats(bots.get("searching", playouts=750), longer, "at most 55")


def child(limit: Limit) -> Iterator[Match]:
    """Match the weakest opponent with a simple habit: play the lowest card, and save trumps."""
    yield match("podkidnoy", bots.get("careful", miserly=True), "nephew", limit, "50")


def references(folder: str | None) -> Iterator[tuple[str, int, Path | None]]:
    """Yield the preset, the number of players and the file of each reference ladder."""
    for players in (2, 3, 4):
        for preset in PRESETS:
            if preset != "econ431" or players == 2:  # econ431 has rules for two players only
                yield preset, players, None if folder is None else Path(folder) / f"{preset}-{players}.sqlite"


def reference(limit: Limit) -> Iterator[str]:
    """Play all bots and opponents against each other; the docs publish these ladders.

    There are five presets, and two to four players.
    """
    for preset, players, file in references(limit.keep):
        rules = preset if players == 2 else f"{preset}, players={players}"
        ranking = arena.play(EVERYBODY, rules, games=limit.games * players // 2, seed=SEED, executor=limit.executor, file=file)
        yield f"{rules}\n{ranking}\n"


def tables(limit: Limit) -> Iterator[str]:
    """Format the stored reference ladders as table lines for the docs."""
    rankings = {
        (players, preset): arena.load(file) for preset, players, file in references(limit.keep) if file is not None and file.is_file()
    }
    for player_count in (2, 3, 4):
        rankings_by_preset = {preset: ranking for (players, preset), ranking in rankings.items() if players == player_count}
        first, *_ = rankings_by_preset.values()
        yield f"| {player_count} at a table | {' | '.join(rankings_by_preset)} |\n|{'---|' * (len(rankings_by_preset) + 1)}"
        for row in sorted(first.rows(), key=lambda row: -row["rating"]):
            cells = [cell(other) for ranking in rankings_by_preset.values() for other in ranking.rows() if other["name"] == row["name"]]
            yield f"| `{row['name']}` | {' | '.join(cells)} |"
        yield f"| games | {' | '.join(str(ranking.games_played) for ranking in rankings_by_preset.values())} |\n"


def cell(row: dict[str, object]) -> str:
    """Format a rating with its interval."""
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
"""The parts that run only if they are named."""


def main(words: list[str]) -> None:
    """Run the parts of the benchmark that the arguments name, and print the results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks strength")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="some parts alone (all but reference and tables)")
    parser.add_argument("--long", action="store_true", help="for a night")
    parser.add_argument("--seconds", type=float, help="for each match")
    parser.add_argument("--games", type=int, help="of each reference ladder")
    parser.add_argument("--keep", metavar="FOLDER", help="keep the files of reference ladders there; they go on where they were stopped")
    add_worker_options(parser, "one for each core")
    arguments = parser.parse_args(words)
    with open_executor(arguments.jobs, arguments.dask) as executor:
        limit = Limit(
            arguments.seconds or (LONG if arguments.long else SECONDS),
            MANY if arguments.long else DEALS,
            count_cores() if executor is None else executor,
            arguments.keep,
            arguments.games or (REFERENCE_LONG if arguments.long else REFERENCE),
        )
        print(
            f"Python {platform.python_version()} on {platform.machine()}, the kernel: {fast_engine.describe_host()}; shares of points in hundredths, 95 %",
            flush=True,
        )
        for name in arguments.parts or [part for part in PARTS if part not in SELDOM]:
            for result in PARTS[name](limit):
                print(result, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
