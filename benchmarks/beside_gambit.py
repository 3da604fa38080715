"""Compare our pure equilibria and corners with those that pygambit found.

What pygambit found is kept in `tests/data/pygambit.json`: of each file a hash of its text, how many equilibria there are, each counted once, and a hash of what all of them do at each
information set; never the game. Where pygambit is installed, `python -m benchmarks beside_gambit write FOLDER` writes the table anew.
"""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from durak_widget import gametheory
from durak_widget.gametheory.mixed_to_behaviour import behaviour_from_equilibrium
from durak_widget.gametheory.pure_nash_equilibria import find_pure_equilibria

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from durak_widget.gametheory.tree import Tree

TABLE = Path(__file__).parents[1] / "tests" / "data" / "pygambit.json"
PROFILES = 100_000
"""Of games with more profiles of plans pygambit is not asked for pure equilibria."""
PLANS = 12
"""Of games in which a seat has more plans it is not asked for corners."""


def _row(row: Iterable[Fraction]) -> str:
    """What is done at an information set; a line where the seat's own plans never lead there."""
    likely = list(row)
    return ",".join(map(str, likely)) if sum(likely) else "-"


def summed(found: Iterable[str]) -> list[Any]:
    """How many different ones there are, and a hash of them all."""
    each = sorted(set(found))
    return [len(each), sha256("\n".join(each).encode()).hexdigest()[:16]]


def files(folder: str) -> Iterator[tuple[str, str, str]]:
    """The files by their names, with a hash of each text, and the text."""
    for path in sorted(Path(folder).glob("*.efg")):
        text = path.read_bytes()
        yield path.stem, sha256(text).hexdigest()[:16], text.decode(errors="replace")


def asked_of_pygambit(path: Path) -> dict[str, Any]:
    """What pygambit finds in a file: pure equilibria, and for two all corners."""
    import pygambit  # noqa: PLC0415 - only to write the table

    try:
        game = pygambit.read_efg(str(path))
    except Exception as error:  # noqa: BLE001 - whatever it says
        return {"refused": str(error)[:60]}
    sizes = [len(game.get_strategies(player)) for player in game.players]
    profiles, said = 1, dict[str, Any]()
    for size in sizes:
        profiles *= size

    def told(equilibria: Iterable[Any]) -> Iterator[str]:
        for one in equilibria:
            rows = eval(repr(one.as_behavior()), {"Rational": Fraction})  # noqa: S307 - a dict of lists of dicts
            yield "; ".join(_row(row.values()) for player in rows.values() for row in player)

    if not game.is_perfect_recall:
        return {"refused": "Computing equilibria of games with imperfect recall is not supported."}
    if profiles < PROFILES:
        said["pure"] = summed(told(pygambit.nash.enumpure_solve(game).equilibria))
    if len(sizes) == 2 and max(sizes) <= PLANS:
        said["corners"] = summed(told(pygambit.nash.enummixed_solve(game, rational=True).equilibria))
    return said


def write(folder: str) -> None:
    """Ask pygambit of every file, and keep what it says."""
    import pygambit  # noqa: PLC0415 - only to write the table

    kept = {}
    for name, number, _ in files(folder):
        began = perf_counter()
        kept[name] = {"sha256": number} | asked_of_pygambit(Path(folder) / f"{name}.efg")
        print(f"{name}: {perf_counter() - began:.1f} s", flush=True)
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in kept.items())
    TABLE.write_text(f'{{\n "pygambit": {json.dumps(pygambit.__version__)},\n "files": {{\n{lines}\n }}\n}}\n', encoding="utf-8")


def in_order(tree: Tree) -> list[int]:
    """The information sets seat by seat, each seat's in the order in which they are met, as pygambit has them."""
    first: dict[int, int] = {}
    waiting = [0]
    while waiting:
        here = waiting.pop()
        if tree.actor[here] >= 0:
            first.setdefault(tree.infoset_of[here], len(first))
        waiting += reversed(tree.children(here))
    return sorted(first, key=lambda place: (tree.infosets[place].player, first[place]))


def ours(tree: Tree, question: str) -> list[str] | None:
    """What we find, written as above; None where not all is looked for."""
    places = in_order(tree)
    if question == "pure":
        found = find_pure_equilibria(tree, PROFILES)
        if not found.complete:
            return None
        rows = [[_pure(tree, place, one.actions.get(place)) for place in places] for one in found.equilibria]
        return ["; ".join(map(_row, one)) for one in rows]
    table = gametheory.matrix(tree)
    corners = gametheory.equilibria(table)
    if not corners.complete:
        return None
    done = [behaviour_from_equilibrium(tree, table, one) for one in corners]
    return ["; ".join("-" if place in one.unreached_infosets else _row(one.strategy.rows[place]) for place in places) for one in done]  # type: ignore[arg-type]


def _pure(tree: Tree, place: int, move: int | None) -> list[Fraction]:
    """A move as a row; nothing where there is none."""
    return [Fraction(move == one) for one in range(len(tree.infosets[place].actions))]


def compare(folder: str, said: Callable[[str], object] = print) -> dict[str, list[int]]:
    """Compare a folder with the table: of each question in how many files we agree in number, in how many in the equilibria themselves, and of how many that was asked."""
    kept = json.loads(TABLE.read_text(encoding="utf-8"))
    counts = {"pure": [0, 0, 0], "corners": [0, 0, 0]}
    for name, number, text in files(folder):
        there = kept["files"].get(name)
        if there is None or there["sha256"] != number:
            said(f"{name}: not in the table, or another game since")
            continue
        tree = gametheory.from_efg(text)
        for question, count in counts.items():
            if question not in there:
                continue
            found = ours(tree, question)
            many, are = (None, None) if found is None else summed(found)
            count[0] += many == there[question][0]
            count[1] += are == there[question][1]
            count[2] += 1
            if are != there[question][1]:
                said(f"{name}, {question}: ours {many}, theirs {there[question][0]}" + ", but not the same" * (many == there[question][0]))
    for question, (same, alike, of) in counts.items():
        said(f"{question}: the same number as pygambit {kept['pygambit']} in {same} of {of} files, the same equilibria in {alike}")
    refused = sum("refused" in one for one in kept["files"].values())
    said(f"pygambit refuses {refused} of the {len(kept['files'])} files")
    return counts


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2])
    else:
        compare(sys.argv[1])
