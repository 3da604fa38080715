"""Counts, for each kind of game, how often exact equilibria are found, and takes the time.

FOLDER contains games as Gambit's `.efg` files; without it, the textbook games are used. After them come random
two-player games, up to a size that takes long. Lemke's algorithm finds one equilibrium (with two players and
perfect recall), trying all strategies finds the pure equilibria, and one subgame-perfect equilibrium is built from
the smallest subgames up. An equilibrium counts only if best responses in every subgame prove it. Times are CPU
seconds. `plainly` works without numpy and scipy.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path
from random import Random
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from durak_widget import gametheory
from durak_widget.gametheory.game_properties import find_game_properties
from durak_widget.gametheory.pure_nash_equilibria import find_pure_equilibria
from durak_widget.gametheory.sequence_form_lcp import find_lemke_equilibrium
from durak_widget.gametheory.subgame_perfection import (
    compute_gains_in_subgames,
    find_subgame_perfect_equilibria,
    solve_by_lemke,
    solve_by_pure_equilibria,
)
from durak_widget.gametheory.tree import ChanceNode, DecisionNode, TerminalNode, build_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from durak_widget.gametheory.tree import Tree

TEXTBOOK = (
    "bayes beer-quiche centipede chain-store driver entry horse kuhn myerson outside-option pennies spence ultimatum".split()  # noqa: SIM905
)
SIZES = ((3, 4, 2), (4, 4, 2), (3, 5, 2), (5, 4, 2), (4, 5, 2), (4, 4, 3), (5, 6, 2))
"""The sizes of random games: how many cards a player may get, how many moves are made, and how many actions each
has."""


class Taken(NamedTuple):
    """The result of one question about one game, with the time that it took."""

    name: str
    good: bool
    many: int
    seconds: float


def games(folder: str | None) -> Iterator[tuple[str, Tree]]:
    """Yield the games in a folder, or the textbook games, with their names."""
    if folder is None:
        yield from ((name, gametheory.textbook(name)) for name in TEXTBOOK)
        return
    for path in sorted(Path(folder).glob("*.efg")):
        yield path.stem, gametheory.from_efg(path.read_text(encoding="utf-8", errors="replace"))


def dealt(cards: int, plies: int, ways: int, seed: int = 7) -> Tree:
    """Build a random game with hidden cards.

    Each of two players is dealt a card that the other does not see. Then they move in turn and see the moves. The game
    is not zero-sum.
    """
    chance = Random(seed)

    def look(history: tuple[object, ...]) -> DecisionNode | ChanceNode | TerminalNode:
        if not history:
            return ChanceNode(
                [(f"{first} {second}", Fraction(1, cards**2), ((first, second),)) for first in range(cards) for second in range(cards)]
            )
        if len(history) > plies:
            return TerminalNode((chance.randint(-9, 9), chance.randint(-9, 9)))
        seat = (len(history) - 1) % 2
        return DecisionNode(seat, (history[0][seat], history[1:]), [(str(way), (*history, way)) for way in range(ways)])  # type: ignore[index]

    return build_tree((), look, player_count=2)


def asked(name: str, tree: Tree, question: Callable[[Tree], tuple[bool, int]]) -> Taken:
    """Ask a question about a game, and return the result with the time."""
    start_time = process_time()
    is_answered, answer_count = question(tree)
    return Taken(name, is_answered, answer_count, process_time() - start_time)


def find_one_by_lemke(tree: Tree) -> tuple[bool, int]:
    """Return whether Lemke's algorithm finds an equilibrium, and 1 as its number."""
    return gametheory.nash_conv(tree, find_lemke_equilibrium(tree)) == 0, 1


def unmixed(tree: Tree) -> tuple[bool, int]:
    """Return whether all pure equilibria are found, and their number."""
    search = find_pure_equilibria(tree)
    return search.complete, len(search.equilibria)


def from_below(tree: Tree) -> tuple[bool, int]:
    """Return whether a subgame-perfect equilibrium is found, and how many are found."""
    result = find_subgame_perfect_equilibria(tree, solve_by_lemke if tree.player_count == 2 else solve_by_pure_equilibria, 1)
    return any(not any(compute_gains_in_subgames(tree, strategy).values()) for strategy in result.strategies), len(result.strategies)


def answered(tree: Tree) -> tuple[bool, int]:
    """Return whether `gametheory.solve` finds an equilibrium, and how many it lists."""
    answer = gametheory.solve(tree)
    if not isinstance(answer, gametheory.GameAnswer):
        return answer.exact, 1
    return bool(answer.equilibria or answer.mixed_equilibria), len(answer.equilibria)


def named(tree: Tree) -> Counter[str]:
    """Count how many equilibria of a game are sequential, refuted or undecided."""
    equilibria = getattr(gametheory.solve(tree), "found", ())
    names = {True: "sequential", False: "refuted", None: "undecided"}
    return Counter(names[equilibrium.classification.sequential] for equilibrium in equilibria if equilibrium.classification is not None)


def print_results(kind: tuple[str, ...], asked_of: dict[str, list[Taken]], files: int) -> None:
    """Print the results for one kind of games in a few lines."""
    print(f"{', '.join(kind)}: {files} files")
    for question, results in asked_of.items():
        slowest = max(results, key=lambda result: result.seconds)
        missing = [result.name for result in results if not result.good]
        print(
            f"    {question:16} {sum(result.good for result in results):4} of {len(results):3}, {sum(result.many for result in results):6} found, "
            f"{sum(result.seconds for result in results):7.2f} s, worst {slowest.seconds:6.2f} s ({slowest.name})"
            + (f"; not {', '.join(missing[:6])}" if missing else "")
        )


def main(folder: str | None) -> None:
    """Ask the questions that fit each game, and print the results."""
    kinds: dict[tuple[str, ...], dict[str, list[Taken]]] = defaultdict(lambda: defaultdict(list))
    files: dict[tuple[str, ...], int] = defaultdict(int)
    beliefs = Counter[str]()
    for name, tree in games(folder):
        kind = find_game_properties(tree)
        players = str(kind.player_count) if kind.player_count < 3 else "3 or more"
        information = (
            ("nothing hidden" if kind.has_perfect_information else "hidden",) if kind.recall == "perfect" else (f"recall {kind.recall}",)
        )
        game_kind = (f"{players} seats", *information, *((f"{kind.payoff_sum} sum",) if kind.player_count == 2 else ()))
        files[game_kind] += 1
        kinds[game_kind]["gametheory.solve"].append(asked(name, tree, answered))
        beliefs += named(tree)
        if kind.recall == "perfect" and kind.player_count == 2:
            kinds[game_kind]["one by Lemke"].append(asked(name, tree, find_one_by_lemke))
        if kind.recall != "absent-minded":
            kinds[game_kind]["all pure ones"].append(asked(name, tree, unmixed))
        if kind.recall == "perfect":
            kinds[game_kind]["subgame-perfect"].append(asked(name, tree, from_below))
    for game_kind in sorted(files):
        print_results(game_kind, kinds[game_kind], files[game_kind])
    every = [result for asked_of in kinds.values() for result in asked_of["gametheory.solve"]]
    print(
        f"gametheory.solve: {sum(result.good for result in every)} of {len(every)} answered, {sum(result.seconds for result in every):.1f} s; {dict(beliefs)}"
    )
    for size in SIZES:
        tree = dealt(*size)
        taken, whole = asked("", tree, find_one_by_lemke), asked("", tree, answered)
        print(
            f"random, {tree.history_count:,} histories, {sum(tree.infoset_counts)} information sets: one by Lemke {taken.seconds:.2f} s, gametheory.solve {whole.seconds:.2f} s"
        )


if __name__ == "__main__":
    if "plainly" in sys.argv:
        sys.modules["numpy"] = sys.modules["scipy"] = None  # type: ignore[assignment] # as where they are not installed
    given = [argument for argument in sys.argv[1:] if argument != "plainly"]
    main(given[0] if given else None)
