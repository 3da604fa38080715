"""Measures the review: `python -m benchmarks review luck|skill|seeds|coach|time [GAMES] [RULES] [BOT]`.

The parts measure: `luck`, how much of the variance luck explains and whether mean luck is 0; `skill`, what each bot
loses per decision; `seeds`, whether two seeds contradict each other; `coach`, whether the coach and the review find
the same mistakes; `time`, how long a review takes.
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
"""For the bot `erring`, the fraction of seat 0's moves that are random; the careful bot makes all other moves."""
SMALL = "podkidnoy, ranks=TJQKA, suits=ch, hand_size=2"
"""Rules with ten cards, which `small` selects on the command line; 100,000 such games are reviewed in minutes."""
WORLDS = 400, 12_000
"""The number of playouts that measure luck: first for a small game, then for any other game. What few worlds do not
tell adds to the variance that is left."""
RATED = ("random", "first", *(person.key for person in bots.people()), "careful", "searching")
BUDGET = 20_000


def played(rules: str, seed: int, bot: str = "erring", errs: float = ERRS) -> Game:
    """Play a whole game between equal bots.

    The bot `erring` is the careful bot, but seat 0 sometimes moves at random.
    """
    game, chance, careful = Game(rules, seed=seed), Random(seed), CarefulBot()
    if bot != "erring":
        return bots.play(game, [bot] * game.seats, seed)
    while game.actor is not None:
        view = game.view(game.actor)
        game.play(chance.choice(view.legal_moves()) if game.actor == 0 and chance.random() < errs else careful.choose(view, chance))
    return game


def luck(games: int, rules: str, bot: str) -> None:
    """Measure how much of the variance of results remains without luck, and the mean luck."""
    playouts, rules = (WORLDS[0], SMALL) if rules == "small" else (WORLDS[1], rules)
    book = Rules.coerce(rules)
    results, rest, cards, drawn, worlds = list[float](), list[float](), list[float](), list[float](), 0
    for seed in range(games):
        *_, timeline = compute_win_share_timeline(
            played(rules, seed, bot), (0,), WinShareScale.from_rules(book), seed=seed, playouts=playouts
        )
        assert timeline is not None  # noqa: S101 - the last one is
        breakdown, worlds = timeline.breakdowns[0], timeline.world_count
        results.append(breakdown.result)
        rest.append(breakdown.result - breakdown.total_luck)
        cards.append(breakdown.total_luck)
        drawn.append(breakdown.drawn)
        if (seed + 1) % 10_000 == 0 or seed + 1 == games:
            off, give = (tuple(f"{100 * by(values):+.2f}" for values in (cards, drawn)) for by in (mean, _half))
            print(
                f"{rules}, {bot}, {seed + 1} games, some {worlds} worlds a value: variance left {variance(rest) / variance(results):.2f}; "
                f"mean of luck {off[0]} \u00b1 {give[0][1:]}, of what was drawn {off[1]} \u00b1 {give[1][1:]} points of 100",
                flush=True,
            )


def _half(values: list[float]) -> float:
    """Return half the width of a 95 % interval for the mean."""
    return 1.96 * float(variance(values) / len(values)) ** 0.5


def skill(games: int, rules: str, _: str) -> None:
    """Measure each bot's loss per decision, in games between random pairs of bots."""
    skills: dict[str, Skill] = {}
    for number in range(games):
        chance = Random(number)
        seated = chance.sample(RATED, 2)
        game = bots.play(Game(rules, seed=number), seated, number)
        for name, bot_skill in zip(seated, review.analyze(game, budget=BUDGET).skill, strict=True):
            skills[name] = skills[name] + bot_skill if name in skills else bot_skill
    print(f"{rules}, {games} games of two of them; chances of 100 lost a decision, \u00b1 95 %")
    for name, bot_skill in sorted(skills.items(), key=lambda item: -item[1].mean_loss):
        print(
            f"| {name} | {100 * bot_skill.mean_loss:.1f} \u00b1 {196 * bot_skill.standard_error:.1f} | {bot_skill.decision_count:,} | {bot_skill.title()} |"
        )


def seeds(games: int, rules: str, bot: str) -> None:
    """Count how often a move is best in a review with one seed, but a mistake with another."""
    told_count = contradicted_count = 0
    for seed in range(games):
        game = played(rules, seed, bot, 0.25)
        pairs = zip(*(review.analyze(game, seed=chance, budget=100_000).decisions for chance in (1, 2)), strict=True)
        for decision, other_decision in pairs:
            contradicted_count += {decision.verdict, other_decision.verdict} in ({"best", "mistake"}, {"best", "proved mistake"})
            told_count += decision.verdict in {"best", "mistake"} and decision.value is None
    print(f"{rules}, {games} games: {told_count} decisions told by playouts, {contradicted_count} contradicted by another seed")


def coach(games: int, rules: str, bot: str) -> None:
    """Count how often the coach (during a game) and the review (afterwards) find a mistake."""
    both = coach_alone = review_alone = decision_count = 0
    for seed in range(games):
        game = played(rules, seed, bot, 0.25)
        for decision in review.analyze(game).decisions:
            decision_count += decision.better_move is not None
            at_once = decision.better_move is not None and evaluate_single_decision(game, decision.ply).is_mistake
            both += at_once and decision.is_mistake
            coach_alone += at_once and not decision.is_mistake
            review_alone += decision.is_mistake and not at_once
    print(
        f"{rules}, {games} games, {decision_count} decisions with a choice: {both} mistakes to both, {coach_alone} to the coach alone, {review_alone} to the review alone"
    )


def time(games: int, rules: str, bot: str) -> None:
    """Measure how long the usual review of a game takes."""
    times = []
    for seed in range(games):
        game, start = played(rules, seed, bot, 0.25), perf_counter()
        review.analyze(game)
        times.append(perf_counter() - start)
    print(f"{rules}, {games} games, {fast_engine.describe_host()}: {mean(times):.2f} s a game, {max(times):.2f} s at most")


if __name__ == "__main__":
    what, count, by, who = [*sys.argv[1:], *("luck", "200", "podkidnoy", "erring")[len(sys.argv) - 1 :]]
    {"luck": luck, "skill": skill, "seeds": seeds, "coach": coach, "time": time}[what](int(count), by, who)
