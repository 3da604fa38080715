"""Compares our pure and extreme equilibria with those that pygambit found.

The file `tests/data/pygambit.json` stores what pygambit found for each file: a hash of the game's text, the number
of different equilibria, and a hash of all their strategies, but not the game itself. If pygambit is installed,
`python -m benchmarks beside_gambit write FOLDER` writes this table again.
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
"""The maximum number of strategy profiles in a game for which pygambit searches pure equilibria."""
PLANS = 12
"""The maximum number of strategies of a player for which pygambit searches extreme equilibria."""


def _row(row: Iterable[Fraction]) -> str:
    """Format an information set's probabilities, or "-" if the player's own moves exclude it."""
    probabilities = list(row)
    return ",".join(map(str, probabilities)) if sum(probabilities) else "-"


def summed(found: Iterable[str]) -> list[Any]:
    """Return how many different texts there are, and a hash of all of them."""
    different_texts = sorted(set(found))
    return [len(different_texts), sha256("\n".join(different_texts).encode()).hexdigest()[:16]]


def files(folder: str) -> Iterator[tuple[str, str, str]]:
    """Yield each file's name, a hash of its text, and the text."""
    for path in sorted(Path(folder).glob("*.efg")):
        text = path.read_bytes()
        yield path.stem, sha256(text).hexdigest()[:16], text.decode(errors="replace")


def asked_of_pygambit(path: Path) -> dict[str, Any]:
    """Return what pygambit finds in a file: pure equilibria, and extreme ones for two players."""
    import pygambit  # noqa: PLC0415 - only to write the table

    try:
        game = pygambit.read_efg(str(path))
    except Exception as error:  # noqa: BLE001 - whatever it says
        return {"refused": str(error)[:60]}
    sizes = [len(game.get_strategies(player)) for player in game.players]
    profiles, answers = 1, dict[str, Any]()
    for size in sizes:
        profiles *= size

    def format_equilibria(equilibria: Iterable[Any]) -> Iterator[str]:
        for equilibrium in equilibria:
            rows = eval(repr(equilibrium.as_behavior()), {"Rational": Fraction})  # noqa: S307 - a dict of lists of dicts
            yield "; ".join(_row(row.values()) for player in rows.values() for row in player)

    if not game.is_perfect_recall:
        return {"refused": "Computing equilibria of games with imperfect recall is not supported."}
    if profiles < PROFILES:
        answers["pure"] = summed(format_equilibria(pygambit.nash.enumpure_solve(game).equilibria))
    if len(sizes) == 2 and max(sizes) <= PLANS:
        answers["corners"] = summed(format_equilibria(pygambit.nash.enummixed_solve(game, rational=True).equilibria))
    return answers


def write(folder: str) -> None:
    """Run pygambit on every file, and save its results in the table."""
    import pygambit  # noqa: PLC0415 - only to write the table

    results_by_name = {}
    for name, number, _ in files(folder):
        start_time = perf_counter()
        results_by_name[name] = {"sha256": number} | asked_of_pygambit(Path(folder) / f"{name}.efg")
        print(f"{name}: {perf_counter() - start_time:.1f} s", flush=True)
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(result)}" for name, result in results_by_name.items())
    TABLE.write_text(f'{{\n "pygambit": {json.dumps(pygambit.__version__)},\n "files": {{\n{lines}\n }}\n}}\n', encoding="utf-8")


def in_order(tree: Tree) -> list[int]:
    """Return the information sets in pygambit's order.

    The order is by player, and then by when play first reaches the set.
    """
    first: dict[int, int] = {}
    waiting = [0]
    while waiting:
        node = waiting.pop()
        if tree.actor[node] >= 0:
            first.setdefault(tree.infoset_of[node], len(first))
        waiting += reversed(tree.children(node))
    return sorted(first, key=lambda place: (tree.infosets[place].player, first[place]))


def ours(tree: Tree, question: str) -> list[str] | None:
    """Return the equilibria that we find, as text; None if the search is not complete."""
    places = in_order(tree)
    if question == "pure":
        search = find_pure_equilibria(tree, PROFILES)
        if not search.complete:
            return None
        rows = [[_pure(tree, place, item.actions.get(place)) for place in places] for item in search.equilibria]
        return ["; ".join(map(_row, item)) for item in rows]
    table = gametheory.matrix(tree)
    corners = gametheory.equilibria(table)
    if not corners.complete:
        return None
    strategies = [behaviour_from_equilibrium(tree, table, item) for item in corners]
    return [
        "; ".join("-" if place in item.unreached_infosets else _row(item.strategy.rows[place]) for place in places) for item in strategies
    ]  # type: ignore[arg-type]


def _pure(tree: Tree, place: int, move: int | None) -> list[Fraction]:
    """Return an action as probabilities, which are all 0 if there is no action."""
    return [Fraction(move == action) for action in range(len(tree.infosets[place].actions))]


def compare(folder: str, said: Callable[[str], object] = print) -> dict[str, list[int]]:
    """Compare the games in a folder with the table.

    For each question, it counts the files with equal numbers of equilibria, with equal equilibria, and in all.
    """
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    counts = {"pure": [0, 0, 0], "corners": [0, 0, 0]}
    for name, number, text in files(folder):
        stored = table["files"].get(name)
        if stored is None or stored["sha256"] != number:
            said(f"{name}: not in the table, or another game since")
            continue
        tree = gametheory.from_efg(text)
        for question, count in counts.items():
            if question not in stored:
                continue
            our_equilibria = ours(tree, question)
            our_count, our_hash = (None, None) if our_equilibria is None else summed(our_equilibria)
            count[0] += our_count == stored[question][0]
            count[1] += our_hash == stored[question][1]
            count[2] += 1
            if our_hash != stored[question][1]:
                said(
                    f"{name}, {question}: ours {our_count}, theirs {stored[question][0]}"
                    + ", but not the same" * (our_count == stored[question][0])
                )
    for question, (same_number_count, equal_count, file_count) in counts.items():
        said(
            f"{question}: the same number as pygambit {table['pygambit']} in {same_number_count} of {file_count} files, the same equilibria in {equal_count}"
        )
    refused = sum("refused" in result for result in table["files"].values())
    said(f"pygambit refuses {refused} of the {len(table['files'])} files")
    return counts


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2])
    else:
        compare(sys.argv[1])
