"""Measures the speed of rules and games, and compares it with OpenSpiel's Python games.

All times are seconds of this process's CPU time, the best of several rounds. The machine is noisy, so compare
ratios within one run. The benchmark fails only if a ratio is too high: the time of a whole game divided by that of
shuffling its deck.
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
from random import Random
from time import process_time
from typing import TYPE_CHECKING

from durak_widget import Game, Rules
from durak_widget.cards import bit_indices, face_from_bit
from durak_widget.engine import state_transitions
from durak_widget.engine.determinization import build_state

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.engine.observation import ObservationData
    from durak_widget.engine.state import State

ROUNDS = 5
RULES = {
    "podkidnoy": Rules(),
    "transfer": Rules.preset("transfer"),
    "econ431": Rules.preset("econ431"),
    "podkidnoy, three players": Rules(players=3),
}
GOAL = 60
"""A random game of podkidnoy should take at most as long as this number of shuffles of its deck. It takes 40 to 44 on
Python 3.10 to 3.13. It takes 40 to 44 on Python 3.10 to 3.13."""
EARLY = ("the masks of a memory", "a world, made a state")
YARDSTICKS = ("python_block_dominoes", "python_liars_poker")


def best(run: Callable[[], float]) -> float:
    """Return the best result of a few rounds."""
    return max(run() for _ in range(ROUNDS))


def whole_games(rules: Rules, games: int) -> tuple[float, float]:
    """Play random games; return the games and decisions per second of CPU time."""
    decisions = 0
    choose = Random(1).random
    start = process_time()
    for seed in range(games):
        game = Game(rules, seed=seed)
        while game.actor is not None:
            moves = game.legal_moves()
            game.play(moves[int(choose() * len(moves))])
        decisions += game.ply
    spent = process_time() - start
    return games / spent, decisions / spent


def shuffles(times: int) -> float:
    """Return how many decks of 36 this machine shuffles per second of CPU time."""
    deck, shuffle = list(range(36)), Random(1).shuffle
    start = process_time()
    for _ in range(times):
        shuffle(deck)
    return times / (process_time() - start)


def parts(games: int) -> tuple[float, float, float]:
    """Return the microseconds for the deal, the moves and the lists of legal moves of a game."""
    rules = RULES["podkidnoy"]
    dealt = [Game(rules, seed=seed) for seed in range(games)]
    choose = Random(1).random
    for game in dealt:
        while game.actor is not None:
            moves = game.legal_moves()
            game.play(moves[int(choose() * len(moves))])
    line = [game.moves for game in dealt]

    def replay(*, listing: bool) -> float:
        states = [Game(rules, seed=seed).state for seed in range(games)]
        start_time = process_time()
        for state, moves in zip(states, line, strict=True):
            for move in moves:
                if listing:
                    state_transitions.legal_moves(state)
                state_transitions.MOVE_APPLIERS[move.kind](state, move)
        return process_time() - start_time

    carried = min(replay(listing=False) for _ in range(ROUNDS))
    listed = min(replay(listing=True) for _ in range(ROUNDS)) - carried
    return each(lambda: Game(rules, seed=7), games), 1e6 * carried / games, 1e6 * listed / games


def perft(game: Game, depth: int) -> int:
    """Return the number of sequences of `depth` moves, by copying each position."""
    moves = game.legal_moves()
    if depth == 1:
        return len(moves)
    count = 0
    for move in moves:
        branch = game.copy()
        branch.play(move)
        count += perft(branch, depth - 1)
    return count


def each(what: Callable[[], object], times: int) -> float:
    """Return the CPU time in microseconds that a function takes in the best of a few rounds."""

    def run() -> float:
        start = process_time()
        for _ in range(times):
            what()
        return (process_time() - start) / times

    return min(run() for _ in range(ROUNDS)) * 1e6


def world(sight: ObservationData, rng: Random) -> State:
    """Return a state in which the cards that a seat can't locate are placed at random."""
    hidden = [face_from_bit(1 << bit) for bit in bit_indices(sight.unseen)]
    rng.shuffle(hidden)
    hands = list(sight.known_hands or ())
    for seat, hand in enumerate(hands):
        for _ in range(sight.counts[seat] - hand.bit_count()):
            hands[seat] |= 1 << hidden.pop()
    at = dict(sight.known_talon_cards)
    return build_state(sight, hands, [at[place] if place in at else hidden.pop() for place in range(sight.talon_count)])


def seconds_of_cpu(code: str) -> float:
    """Return the CPU time of a fresh Python for a line of code, in the best of nine runs."""
    wrap = f"import resource\n{code}\nuse = resource.getrusage(resource.RUSAGE_SELF)\nprint(use.ru_utime + use.ru_stime)"
    tries = [subprocess.run([sys.executable, "-c", wrap], capture_output=True, text=True, check=True).stdout for _ in range(9)]
    return min(map(float, tries))


def yardstick(name: str, games: int) -> float:
    """Play random games of an OpenSpiel game written in Python; return decisions per second."""
    import pyspiel  # noqa: PLC0415 - an optional extra
    from open_spiel.python.games import block_dominoes, liars_poker  # noqa: F401, PLC0415 - registers them

    game, rng, decisions = pyspiel.load_game(name), Random(1), 0
    start = process_time()
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                action = rng.choices(outcomes, weights)[0]
            else:
                action = rng.choice(state.legal_actions())
                decisions += 1
            state.apply_action(action)
    return decisions / (process_time() - start)


def main() -> int:
    """Print all results; return 1 if podkidnoy is too slow in comparison with shuffles."""
    parser = argparse.ArgumentParser(description="how fast the model is")
    parser.add_argument("--games", type=int, default=2000, help="whole games in each round")
    parser.add_argument("--games-only", action="store_true", help="measure whole games and nothing else")
    arguments = parser.parse_args()
    games = arguments.games
    print(f"Python {platform.python_version()} on {platform.machine()}; per second of CPU, the best of {ROUNDS} rounds")
    speeds = {}
    for name, rules in RULES.items():
        speeds[name], decisions = max(whole_games(rules, games) for _ in range(ROUNDS))
        print(f"{name:26} {speeds[name]:10,.0f} whole random games {decisions:12,.0f} decisions")

    if arguments.games_only:
        return 0
    deals, carried, listed = parts(games // 4)
    print(
        f"of a podkidnoy game: {deals:.0f} microseconds the deal, {carried:.0f} carrying out its moves, {listed:.0f} listing the legal ones"
    )

    def nodes() -> float:
        start = process_time()
        return perft(Game(seed=1), 6) / (process_time() - start)

    print(f"{'perft':26} {best(nodes):10,.0f} nodes (depth 6, positions copied)")
    game = Game(Rules(players=3), seed=1)
    rng = Random(1)
    for _ in range(60):
        game.play(rng.choice(game.legal_moves()))
    text, state = str(game), game.state
    early = Game(seed=1).view(0)
    costs = {
        "a view": each(lambda: game.view(0), 5000),
        "a view and its memory": each(lambda: game.view(0).memory, 2000),
        "the masks of a memory": each(lambda: early.data.unseen, 5000),
        "a world, made a state": each(lambda: world(early.data, rng), 2000),
        "the key of a state": each(state.key, 5000),
        "a copy": each(game.copy, 5000),
        "undo and redo": each(lambda: (game.undo(), game.redo()), 500),
        "to text": each(lambda: str(game), 500),
        "from text": each(lambda: Game.parse(text), 500),
        "a picture": each(lambda: game.svg(0), 50),
    }
    for name, cost in costs.items():
        print(f"{name:26} {cost:10,.1f} microseconds ({'two players, 29 cards hidden' if name in EARLY else 'three players, move 60'})")
    bare = seconds_of_cpu("pass")
    for code in ("import durak_widget", "from durak_widget import Game"):
        print(f"{code:26} {1000 * (seconds_of_cpu(code) - bare):10,.1f} ms over a bare python")
    try:
        rates = {name: best(lambda name=name: yardstick(name, 60)) for name in YARDSTICKS}
    except ImportError:
        print("OpenSpiel is not installed (pip install open-spiel): no yardstick")
    else:
        ours = best(lambda: whole_games(Rules(), games // 4)[1])
        for name, rate in rates.items():
            print(f"{name:26} {rate:10,.0f} decisions; podkidnoy makes {ours / rate:.1f} times as many")
    shuffles_per_game = best(lambda: shuffles(10 * games)) / speeds["podkidnoy"]
    verdict = "reached" if shuffles_per_game <= GOAL else "MISSED"
    print(f"podkidnoy: a whole game takes as long as {shuffles_per_game:.1f} shuffles of its deck, {verdict}: at most {GOAL}")
    return int(shuffles_per_game > GOAL)


if __name__ == "__main__":
    sys.exit(main())
