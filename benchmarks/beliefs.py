"""`python -m benchmarks.beliefs FOLDER`: of a folder of Gambit's files, how near the logit path comes to an equilibrium, and how many equilibria are sequential.

`path` or `corners` after the folder: only that part.
"""

from __future__ import annotations

import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from durak_widget import games
from durak_widget.games.nash.fillings import sequentially_filled
from durak_widget.games.nash.logit import NEAR, logit_path
from durak_widget.games.nash.rounding import exact_beside
from durak_widget.games.nash.trembles import sequential, trembles_prove
from durak_widget.games.solving.responses import order_of
from durak_widget.games.solving.strategy import Strategy

if TYPE_CHECKING:
    from durak_widget.games.matrices.equilibrium import Equilibrium
    from durak_widget.games.matrices.forms import Matrix
    from durak_widget.games.trees.tree import Tree

CELLS = 5000
"""Matrices of more cells are left out, and games of more than so many equilibria."""
MOST = 40


def trees(folder: str) -> list[tuple[str, Tree]]:
    """The games of a folder, by the names of their files."""
    return [(one.stem, games.from_efg(one.read_text(encoding="utf-8", errors="replace"))) for one in sorted(Path(folder).glob("*.efg"))]


def as_behaviour(tree: Tree, table: Matrix, one: Equilibrium) -> tuple[Strategy, list[int]]:
    """An equilibrium of plans as a strategy, and the information sets to which a seat's own plans never lead."""
    rows: list[tuple[Fraction, ...]] = [()] * len(tree.sets)
    free = []
    for seat, (mix, plans) in enumerate(((one.row, table.rows), (one.column, table.columns))):
        for place in order_of(tree, seat):
            weights = [
                sum((likely for likely, plan in zip(mix, plans, strict=True) if plan.moves.get(place) == move), Fraction(0))
                for move in range(len(tree.sets[place].moves))
            ]
            whole = sum(weights)
            if not whole:
                free.append(place)
            rows[place] = tuple([weight / whole if whole else Fraction(move == 0) for move, weight in enumerate(weights)])
    return Strategy(tree, rows), free


def paths(found: list[tuple[str, Tree]]) -> None:
    """How near the path comes, how long it takes, and whether an exact equilibrium lies beside it."""
    near, exact, proved, recalled, worst, looked = 0, 0, 0, 0, (0.0, ""), perf_counter()
    for name, tree in found:
        begun = perf_counter()
        path = logit_path(tree)
        taken = perf_counter() - begun
        worst = max(worst, (taken, name))
        near += path.error < NEAR
        remembers = games.forgets(tree) is None
        recalled += remembers and path.error < NEAR
        if path.error >= NEAR or taken > 1:
            print(f"{name:60} error {path.error:8.1e}, {len(path.path):5} points, {taken:6.2f} s{'' if remembers else ', forgets'}")
        if remembers and path.error < NEAR and (beside := exact_beside(tree, path.strategy)):
            exact += 1
            proved += bool(sequential(tree, beside).holds)
    print(
        f"path: error < {NEAR:g} in {near} of {len(found)}, {recalled} of them with perfect recall; slowest {worst[0]:.2f} s ({worst[1]})"
    )
    print(f"exact beside it: {exact}, proved sequential {proved}; {perf_counter() - looked:.0f} s in all")


def corners(found: list[tuple[str, Tree]]) -> None:
    """Of all corners of small two-player games: how many are proved sequential, refuted, left open."""
    counted, files, worst, begun = Counter[str](), 0, (0.0, ""), perf_counter()
    for name, tree in found:
        if tree.seats != 2 or games.forgets(tree) is not None:
            continue
        try:
            table = games.matrix(tree)
        except games.TreeError:
            continue
        if len(table.rows) * len(table.columns) > CELLS:
            continue
        listed = games.equilibria(table)
        if not listed.complete or len(listed) > MOST:
            continue
        files += 1
        before = perf_counter()
        for one in listed:
            said = sequentially_filled(tree, *as_behaviour(tree, table, one))
            if said.verdict.holds and not trembles_prove(tree, said.strategy, said.verdict.trembles):
                counted["PROOF THAT IS NONE"] += 1
            counted[{True: "sequential", False: "refuted", None: "undecided"}[said.verdict.holds]] += 1
            if said.verdict.holds is None:
                print(f"{name:60} {str(one)[:70]}")
        worst = max(worst, (perf_counter() - before, name))
    print(f"corners: {dict(counted)} in {files} games, {perf_counter() - begun:.0f} s in all, slowest {worst[0]:.1f} s ({worst[1]})")


def main() -> None:
    """Work out what was asked, and print it."""
    folder, *parts = sys.argv[1:]
    found = trees(folder)
    if parts != ["corners"]:
        paths(found)
    if parts != ["path"]:
        corners(found)


if __name__ == "__main__":
    main()
