"""Count the games, kind by kind, of which exact equilibria are found, and time that.

FOLDER holds games as Gambit's `.efg` files; without one the games of the textbooks are taken. Below stand random games for two, up to where it takes long.
One equilibrium is found by Lemke's algorithm (two seats that forget nothing), those in which nobody mixes by trying, one that is subgame-perfect from
below: by Lemke's algorithm again, or by plans where more than two play. Nothing counts that best responses have not proved, in every subgame.
Seconds are of the processor. `plainly`: as if numpy and scipy were not there.
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
"""How many cards each may hold, how many moves are made, and among how many."""


class Taken(NamedTuple):
    """What came of a question to one game, and how long that took."""

    name: str
    good: bool
    many: int
    seconds: float


def games(folder: str | None) -> Iterator[tuple[str, Tree]]:
    """The games by their names."""
    if folder is None:
        yield from ((name, gametheory.textbook(name)) for name in TEXTBOOK)
        return
    for path in sorted(Path(folder).glob("*.efg")):
        yield path.stem, gametheory.from_efg(path.read_text(encoding="utf-8", errors="replace"))


def dealt(cards: int, plies: int, ways: int, seed: int = 7) -> Tree:
    """A random game for two: each is dealt a card that the other does not see, then they move in turn and see the moves; not zero-sum."""
    chance = Random(seed)

    def look(done: tuple[object, ...]) -> DecisionNode | ChanceNode | TerminalNode:
        if not done:
            return ChanceNode(
                [(f"{one} {other}", Fraction(1, cards**2), ((one, other),)) for one in range(cards) for other in range(cards)]
            )
        if len(done) > plies:
            return TerminalNode((chance.randint(-9, 9), chance.randint(-9, 9)))
        seat = (len(done) - 1) % 2
        return DecisionNode(seat, (done[0][seat], done[1:]), [(str(way), (*done, way)) for way in range(ways)])  # type: ignore[index]

    return build_tree((), look, player_count=2)


def asked(name: str, tree: Tree, question: Callable[[Tree], tuple[bool, int]]) -> Taken:
    """What comes of a question, and how long it takes."""
    began = process_time()
    good, many = question(tree)
    return Taken(name, good, many, process_time() - began)


def one(tree: Tree) -> tuple[bool, int]:
    """Whether Lemke's algorithm finds an equilibrium: it refuses what is none."""
    return gametheory.nash_conv(tree, find_lemke_equilibrium(tree)) == 0, 1


def unmixed(tree: Tree) -> tuple[bool, int]:
    """Whether all equilibria in which nobody mixes are found, and how many are."""
    found = find_pure_equilibria(tree)
    return found.complete, len(found.equilibria)


def from_below(tree: Tree) -> tuple[bool, int]:
    """Whether there is one from which nobody gains in any subgame."""
    found = find_subgame_perfect_equilibria(tree, solve_by_lemke if tree.player_count == 2 else solve_by_pure_equilibria, 1)
    return any(not any(compute_gains_in_subgames(tree, one).values()) for one in found.strategies), len(found.strategies)


def answered(tree: Tree) -> tuple[bool, int]:
    """Whether `gametheory.solve` answers: with something found, or mixes of plans where a seat forgets; and how much it lists."""
    answer = gametheory.solve(tree)
    if not isinstance(answer, gametheory.GameAnswer):
        return answer.exact, 1
    return bool(answer.equilibria or answer.mixed_equilibria), len(answer.equilibria)


def named(tree: Tree) -> Counter[str]:
    """What beliefs make of the equilibria of a game of which that is asked."""
    found = getattr(gametheory.solve(tree), "found", ())
    known = {True: "sequential", False: "refuted", None: "undecided"}
    return Counter(known[one.classification.sequential] for one in found if one.classification is not None)


def told(kind: tuple[str, ...], asked_of: dict[str, list[Taken]], files: int) -> None:
    """A kind of games in a few lines."""
    print(f"{', '.join(kind)}: {files} files")
    for question, taken in asked_of.items():
        slowest = max(taken, key=lambda one: one.seconds)
        missing = [one.name for one in taken if not one.good]
        print(
            f"    {question:16} {sum(one.good for one in taken):4} of {len(taken):3}, {sum(one.many for one in taken):6} found, "
            f"{sum(one.seconds for one in taken):7.2f} s, worst {slowest.seconds:6.2f} s ({slowest.name})"
            + (f"; not {', '.join(missing[:6])}" if missing else "")
        )


def main(folder: str | None) -> None:
    """Ask every game what may be asked of its kind, and print what came of it."""
    kinds: dict[tuple[str, ...], dict[str, list[Taken]]] = defaultdict(lambda: defaultdict(list))
    files: dict[tuple[str, ...], int] = defaultdict(int)
    beliefs = Counter[str]()
    for name, tree in games(folder):
        kind = find_game_properties(tree)
        many = str(kind.player_count) if kind.player_count < 3 else "3 or more"
        seen = ("nothing hidden" if kind.has_perfect_information else "hidden",) if kind.recall == "perfect" else (f"recall {kind.recall}",)
        here = (f"{many} seats", *seen, *((f"{kind.payoff_sum} sum",) if kind.player_count == 2 else ()))
        files[here] += 1
        kinds[here]["gametheory.solve"].append(asked(name, tree, answered))
        beliefs += named(tree)
        if kind.recall == "perfect" and kind.player_count == 2:
            kinds[here]["one by Lemke"].append(asked(name, tree, one))
        if kind.recall != "absent-minded":
            kinds[here]["all pure ones"].append(asked(name, tree, unmixed))
        if kind.recall == "perfect":
            kinds[here]["subgame-perfect"].append(asked(name, tree, from_below))
    for here in sorted(files):
        told(here, kinds[here], files[here])
    every = [one for asked_of in kinds.values() for one in asked_of["gametheory.solve"]]
    print(
        f"gametheory.solve: {sum(one.good for one in every)} of {len(every)} answered, {sum(one.seconds for one in every):.1f} s; {dict(beliefs)}"
    )
    for size in SIZES:
        tree = dealt(*size)
        taken, whole = asked("", tree, one), asked("", tree, answered)
        print(
            f"random, {tree.history_count:,} histories, {sum(tree.infoset_counts)} information sets: one by Lemke {taken.seconds:.2f} s, gametheory.solve {whole.seconds:.2f} s"
        )


if __name__ == "__main__":
    if "plainly" in sys.argv:
        sys.modules["numpy"] = sys.modules["scipy"] = None  # type: ignore[assignment] # as where they are not installed
    given = [one for one in sys.argv[1:] if one != "plainly"]
    main(given[0] if given else None)
