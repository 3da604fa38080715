"""Samples possible worlds under all presets, and checks that each fits its view."""

from __future__ import annotations

import argparse
from random import Random
from time import process_time

from durak_widget import Game, Rules, RulesError, analysis


def sized() -> list[tuple[str, Rules]]:
    """Return the rules of every preset for each number of players that it allows."""
    presets = [(name, players) for name in sorted(Rules.presets()) for players in range(2, 7)]
    return [(name, rules) for name, players in presets if (rules := fits(name, players)) is not None]


def fits(name: str, players: int) -> Rules | None:
    """Return a preset for a number of players, or None if it does not allow that number."""
    try:
        return Rules.preset(name, players=players)
    except RulesError:
        return None


def stopped(rules: Rules, rng: Random) -> Game:
    """Play some random moves, and return the game; swaps are rare."""
    game = Game(rules, seed=rng.getrandbits(32))
    for _ in range(rng.randrange(150)):
        moves = game.legal_moves()
        if not moves:
            break
        usual = [move for move in moves if move.verb != "swap"]
        game.play(rng.choice(usual if rng.random() < 0.9 else moves))
    return game


def main(most: int, each: int = 20) -> None:
    """Sample worlds from many positions; raise an AssertionError if one does not fit its view."""
    rng, drawn, every = Random(1), 0, sized()
    slowest: list[tuple[float, str]] = []
    while drawn < most:
        for name, rules in every:
            game = stopped(rules, rng)
            seat = rng.randrange(game.seats)
            view, start_time = game.view(seat), process_time()
            possible_worlds = analysis.worlds(view)
            for _ in range(each):
                assert possible_worlds.sample(rng).view(seat) == view, str(game)  # noqa: S101 - this is what it is for
            drawn += each
            slowest = sorted([*slowest, (process_time() - start_time, f"{name}, {game.seats} players, ply {game.ply}, seat {seat}")])[-5:]
    print(f"{drawn:,} worlds drawn, and every one looks like the real game; the slowest positions, {each} worlds each:")
    for seconds, what in reversed(slowest):
        print(f"{seconds:8.2f} s  {what}")
    for name in ("podkidnoy", "transfer", "econ431", "two_decks"):
        rules = Rules.preset(name)
        costs: dict[str, list[float]] = {"drawn": [], "drawn and made a state": [], "drawn and looked at": []}
        for seed in range(20):
            game = Game(rules, seed=seed)
            for _ in range(25):
                if game.actor is not None:
                    game.play(rng.choice(game.legal_moves()))
            possible_worlds = analysis.worlds(game.view(seed % 2))
            possible_worlds.sample_state(rng)
            for (what, times_of_method), ask in zip(
                costs.items(),
                (
                    possible_worlds.sample,
                    possible_worlds.sample_state,
                    lambda rng, possible_worlds=possible_worlds: possible_worlds.sample(rng).ply,
                ),
                strict=True,
            ):
                start_time, times = process_time(), 100 if what == "drawn and looked at" else 1000
                for _ in range(times):
                    ask(rng)
                times_of_method.append((process_time() - start_time) * 1_000_000 / times)
        costs_text = "; ".join(
            f"{what} {sorted(times_of_method)[len(times_of_method) // 2]:.0f}, at most {max(times_of_method):.0f}"
            for what, times_of_method in costs.items()
        )
        print(f"{name}, mid-game, microseconds a world: {costs_text}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="worlds drawn over all presets")
    parser.add_argument("--worlds", type=int, default=100_000, help="how many are drawn in all")
    parser.add_argument("--each", type=int, default=20, help="how many from each position")
    arguments = parser.parse_args()
    main(arguments.worlds, arguments.each)
