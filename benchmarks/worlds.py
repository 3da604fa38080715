"""Draw worlds over all presets, check that each looks to its player like the real game, and time one."""

from __future__ import annotations

import argparse
from random import Random
from time import process_time

from durak_widget import Game, Rules, RulesError, analysis


def sized() -> list[tuple[str, Rules]]:
    """Every preset, for every number of players that it allows."""
    presets = [(name, players) for name in sorted(Rules.presets()) for players in range(2, 7)]
    return [(name, rules) for name, players in presets if (rules := fits(name, players)) is not None]


def fits(name: str, players: int) -> Rules | None:
    """A preset for so many; None if it is not for so many."""
    try:
        return Rules.preset(name, players=players)
    except RulesError:
        return None


def stopped(rules: Rules, rng: Random) -> Game:
    """A game of random moves, stopped anywhere; cards are swapped once in a while."""
    game = Game(rules, seed=rng.getrandbits(32))
    for _ in range(rng.randrange(150)):
        moves = game.legal_moves()
        if not moves:
            break
        usual = [move for move in moves if move.verb != "swap"]
        game.play(rng.choice(usual if rng.random() < 0.9 else moves))
    return game


def main(most: int, each: int = 20) -> None:
    """Draw so many worlds in all, some from each position; an AssertionError if one does not look right."""
    rng, drawn, every = Random(1), 0, sized()
    slowest: list[tuple[float, str]] = []
    while drawn < most:
        for name, rules in every:
            game = stopped(rules, rng)
            seat = rng.randrange(game.seats)
            view, begun = game.view(seat), process_time()
            some = analysis.worlds(view)
            for _ in range(each):
                assert some.sample(rng).view(seat) == view, str(game)  # noqa: S101 - this is what it is for
            drawn += each
            slowest = sorted([*slowest, (process_time() - begun, f"{name}, {game.seats} players, ply {game.ply}, seat {seat}")])[-5:]
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
            some = analysis.worlds(game.view(seed % 2))
            some.sample_state(rng)
            for (what, found), ask in zip(
                costs.items(), (some.sample, some.sample_state, lambda rng, some=some: some.sample(rng).ply), strict=True
            ):
                begun, times = process_time(), 100 if what == "drawn and looked at" else 1000
                for _ in range(times):
                    ask(rng)
                found.append((process_time() - begun) * 1_000_000 / times)
        told = "; ".join(f"{what} {sorted(found)[len(found) // 2]:.0f}, at most {max(found):.0f}" for what, found in costs.items())
        print(f"{name}, mid-game, microseconds a world: {told}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="worlds drawn over all presets")
    parser.add_argument("--worlds", type=int, default=100_000, help="how many are drawn in all")
    parser.add_argument("--each", type=int, default=20, help="how many from each position")
    arguments = parser.parse_args()
    main(arguments.worlds, arguments.each)
