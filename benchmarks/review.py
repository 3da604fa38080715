"""Measure the review: `python -m benchmarks review luck|skill|seeds|coach|time [GAMES] [RULES] [BOT]`.

What the review's luck takes out of the variance and whether its mean is nothing, what each bot loses a decision, whether two seeds contradict, whether the coach calls anything a mistake that the review does not, how long it takes.
"""

from __future__ import annotations

import sys
from random import Random
from statistics import mean, variance
from time import perf_counter
from typing import TYPE_CHECKING

from durak_widget import Game, Rules, bots, fast_engine, review
from durak_widget.bots.heuristic_bots import CarefulBot
from durak_widget.review.decision_evaluation import evaluate_single_decision
from durak_widget.review.decisions import WinShareScale
from durak_widget.review.luck_and_skill import compute_win_share_timeline

if TYPE_CHECKING:
    from durak_widget.review.luck_and_skill import Skill

ERRS = 0.1
"""Seat 0 plays so many of its moves by chance, where the bot is `erring`; all others are the careful bot's."""
SMALL = "podkidnoy, ranks=TJQKA, suits=ch, hand_size=2"
"""Ten cards: `small` on the command line; 100,000 games of them are reviewed in minutes."""
WORLDS = 400, 12_000
"""So many playouts are shared out among the moments of a game whose luck is measured: of a small one, and of another. What few worlds do not tell adds to the variance that is left."""
RATED = ("random", "first", *(person.key for person in bots.people()), "careful", "searching")
BUDGET = 20_000


def played(rules: str, seed: int, bot: str = "erring", errs: float = ERRS) -> Game:
    """A whole game: all seats by the same bot, or by the careful one, while seat 0 errs now and then."""
    game, chance, careful = Game(rules, seed=seed), Random(seed), CarefulBot()
    if bot != "erring":
        return bots.play(game, [bot] * game.seats, seed)
    while game.actor is not None:
        view = game.view(game.actor)
        game.play(chance.choice(view.legal_moves()) if game.actor == 0 and chance.random() < errs else careful.choose(view, chance))
    return game


def luck(games: int, rules: str, bot: str) -> None:
    """The variance of a result that is left when luck is taken off, and the mean of luck in points of a hundred."""
    playouts, rules = (WORLDS[0], SMALL) if rules == "small" else (WORLDS[1], rules)
    book = Rules.coerce(rules)
    results, rest, cards, drawn, worlds = list[float](), list[float](), list[float](), list[float](), 0
    for seed in range(games):
        *_, found = compute_win_share_timeline(played(rules, seed, bot), (0,), WinShareScale.from_rules(book), seed=seed, playouts=playouts)
        assert found is not None  # noqa: S101 - the last one is
        one, worlds = found.breakdowns[0], found.world_count
        results.append(one.result)
        rest.append(one.result - one.total_luck)
        cards.append(one.total_luck)
        drawn.append(one.drawn)
        if (seed + 1) % 10_000 == 0 or seed + 1 == games:
            off, give = (tuple(f"{100 * by(some):+.2f}" for some in (cards, drawn)) for by in (mean, _half))
            print(
                f"{rules}, {bot}, {seed + 1} games, some {worlds} worlds a value: variance left {variance(rest) / variance(results):.2f}; "
                f"mean of luck {off[0]} \u00b1 {give[0][1:]}, of what was drawn {off[1]} \u00b1 {give[1][1:]} points of 100",
                flush=True,
            )


def _half(values: list[float]) -> float:
    """Half of the interval in which a mean lies 95 times of 100."""
    return 1.96 * float(variance(values) / len(values)) ** 0.5


def skill(games: int, rules: str, _: str) -> None:
    """What each bot loses a decision, against one another by turns."""
    found: dict[str, Skill] = {}
    for number in range(games):
        chance = Random(number)
        seated = chance.sample(RATED, 2)
        game = bots.play(Game(rules, seed=number), seated, number)
        for name, one in zip(seated, review.analyze(game, budget=BUDGET).skill, strict=True):
            found[name] = found[name] + one if name in found else one
    print(f"{rules}, {games} games of two of them; chances of 100 lost a decision, \u00b1 95 %")
    for name, one in sorted(found.items(), key=lambda item: -item[1].mean_loss):
        print(f"| {name} | {100 * one.mean_loss:.1f} \u00b1 {196 * one.standard_error:.1f} | {one.decision_count:,} | {one.title()} |")


def seeds(games: int, rules: str, bot: str) -> None:
    """How often one seed calls best what another calls a mistake."""
    told = against = 0
    for seed in range(games):
        game = played(rules, seed, bot, 0.25)
        pairs = zip(*(review.analyze(game, seed=chance, budget=100_000).decisions for chance in (1, 2)), strict=True)
        for one, other in pairs:
            against += {one.verdict, other.verdict} in ({"best", "mistake"}, {"best", "proved mistake"})
            told += one.verdict in {"best", "mistake"} and one.value is None
    print(f"{rules}, {games} games: {told} decisions told by playouts, {against} contradicted by another seed")


def coach(games: int, rules: str, bot: str) -> None:
    """How often the coach, who judges while a game goes on, and the review of all of it call a decision a mistake."""
    both = coach_alone = review_alone = many = 0
    for seed in range(games):
        game = played(rules, seed, bot, 0.25)
        for one in review.analyze(game).decisions:
            many += one.better_move is not None
            at_once = one.better_move is not None and evaluate_single_decision(game, one.ply).is_mistake
            both += at_once and one.is_mistake
            coach_alone += at_once and not one.is_mistake
            review_alone += one.is_mistake and not at_once
    print(
        f"{rules}, {games} games, {many} decisions with a choice: {both} mistakes to both, {coach_alone} to the coach alone, {review_alone} to the review alone"
    )


def time(games: int, rules: str, bot: str) -> None:
    """How long the usual review of a game takes."""
    took = []
    for seed in range(games):
        game, start = played(rules, seed, bot, 0.25), perf_counter()
        review.analyze(game)
        took.append(perf_counter() - start)
    print(f"{rules}, {games} games, {fast_engine.describe_host()}: {mean(took):.2f} s a game, {max(took):.2f} s at most")


if __name__ == "__main__":
    what, count, by, who = [*sys.argv[1:], *("luck", "200", "podkidnoy", "erring")[len(sys.argv) - 1 :]]
    {"luck": luck, "skill": skill, "seeds": seeds, "coach": coach, "time": time}[what](int(count), by, who)
