"""Test that every game in the docs is the game that the text says it is."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from typing import TYPE_CHECKING

from durak_widget import gametheory
from durak_widget.gametheory import textbook_games
from durak_widget.gametheory.tree import CHANCE, TERMINAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from durak_widget.board import Tree

ROOT = Path(__file__).resolve().parents[2]
SHELF = {path.stem: path.read_text(encoding="utf-8") for path in (Path(textbook_games.__file__).parent / "textbook").glob("*.efg")}
_WRITTEN = re.compile(r"""EFG 2 R .*?(?='''|\"\"\"|^```|\Z)""", re.DOTALL | re.MULTILINE)


def pages() -> Iterator[tuple[str, str]]:
    """Yield each page of the docs with its text, and each notebook with its cells."""
    for path in sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]):
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        yield path.relative_to(ROOT).as_posix(), "\n\n".join("".join(cell["source"]) for cell in cells)


def written_games() -> Iterator[tuple[str, str]]:
    """Yield each game written out in docs, notebooks and test data: its place and text."""
    for where, text in pages():
        for block in _WRITTEN.findall(re.sub(r"^(?:>>>|\.\.\.) ?", "", text, flags=re.MULTILINE)):
            yield where, block
    for path in sorted((ROOT / "tests" / "data" / "efg").glob("*.efg")):
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


GAMES = [(f"{where}: {gametheory.from_efg(text).title}", text) for where, text in written_games()]


def are_same_game(tree: Tree, other: Tree) -> bool:
    """Return whether two trees are the same game except for names and order of moves. Each information set is matched in one way."""
    if (tree.history_count, tree.terminal_count, tree.infoset_counts) != (other.history_count, other.terminal_count, other.infoset_counts):
        return False
    same = tuple[dict[int, tuple[int, tuple[int, ...]]], dict[int, int]]

    def orders(here: int, there: int, found: same) -> Iterator[tuple[tuple[int, ...], same]]:
        mine, theirs = tree.infoset_of[here], other.infoset_of[there]
        width = tree.child_count[here]
        if tree.actor[here] == CHANCE:
            probabilities, other_probabilities = tree.chance_moves[mine].probabilities, other.chance_moves[theirs].probabilities
            yield from (
                (way, found)
                for way in permutations(range(width))
                if all(probabilities[n] == other_probabilities[way[n]] for n in range(width))
            )
        elif mine in found[0] or theirs in found[1]:
            if mine in found[0] and found[0][mine][0] == theirs:
                yield found[0][mine][1], found
        else:
            for way in permutations(range(width)):
                yield way, ({**found[0], mine: (theirs, way)}, {**found[1], theirs: mine})

    def meet(todo: tuple[tuple[int, int], ...], found: same) -> bool:
        if not todo:
            return True
        (here, there), *rest = todo
        if (tree.actor[here], tree.child_count[here]) != (other.actor[there], other.child_count[there]):
            return False
        if tree.actor[here] == TERMINAL:
            return tree.payoffs[tree.infoset_of[here]] == other.payoffs[other.infoset_of[there]] and meet(tuple(rest), found)
        below, under = tree.children(here), other.children(there)
        return any(meet((*((below[n], under[way[n]]) for n in range(len(way))), *rest), then) for way, then in orders(here, there, found))

    return meet(((0, 0),), ({}, {}))


def pure_equilibria(tree: Tree) -> set[tuple[Fraction, ...]]:
    """Return the payoffs of each pure equilibrium, by trying every profile without a solver."""

    def paid(plan: tuple[int, ...]) -> tuple[Fraction, ...]:
        def below(here: int) -> tuple[Fraction, ...]:
            who, info = tree.actor[here], tree.infoset_of[here]
            if who == TERMINAL:
                return tree.payoffs[info]
            if who >= 0:
                return below(tree.children(here)[plan[info]])
            parts = [
                (probability, below(child))
                for probability, child in zip(tree.chances[info].probabilities, tree.children(here), strict=True)
            ]
            return tuple(sum((probability * payoffs[seat] for probability, payoffs in parts), Fraction(0)) for seat in range(tree.seats))

        return below(0)

    plans = {plan: paid(plan) for plan in product(*(range(len(infoset.actions)) for infoset in tree.infosets))}

    def gains(plan: tuple[int, ...], seat: int) -> bool:
        others = [place for place, infoset in enumerate(tree.infosets) if infoset.player != seat]
        return any(all(plan[n] == change[n] for n in others) and payoffs[seat] > plans[plan][seat] for change, payoffs in plans.items())

    return {payoffs for plan, payoffs in plans.items() if not any(gains(plan, seat) for seat in range(tree.player_count))}


def cited_game(text: str) -> str | None:
    """Return the textbook game that a text cites, by author and year or by title."""
    title = gametheory.from_efg(text).title
    for name, book in SHELF.items():
        author, year = re.search(r'^"(.+?), .*?\((\d{4})\)', book, re.MULTILINE).groups()  # type: ignore[union-attr] - each file names both
        if (author in text and year in text) or gametheory.textbook(name).title == title:
            return name
    return None


OWN = {
    "A card game": "myerson",
    'A "centipede" that pays as it goes': None,
    "A newcomer and a shop": None,
}
"""Games without a citation, by title: the textbook game that the page names, or None."""


def test_written_games_equal_the_textbook_games_they_cite() -> None:
    """Payoffs, chances and information sets must be those of the textbook file."""
    for where, text in GAMES:
        tree, name = gametheory.from_efg(text), cited_game(text)
        if name is None:
            assert tree.title in OWN, f"{where} is said to be of no book, and stands in no list of games of our own"
            name = OWN[tree.title]
        assert name is None or are_same_game(tree, gametheory.textbook(name)), f"{where} is not the game {name!r} of the textbooks"


def test_one_changed_payoff_makes_a_different_game() -> None:
    """Names and the order of moves do not matter."""
    horse = gametheory.textbook("horse")
    turned = SHELF["horse"].replace('"down" "across"', '"D" "A"').replace("Selten's", "a")
    assert are_same_game(horse, gametheory.from_efg(turned))
    for old, other in (("{ 3 2 2 }", "{ 0 0 0 }"), ("{ 4 4 0 }", "{ 0 0 1 }")):
        exchanged = SHELF["horse"].replace(old, "?").replace(other, old).replace("?", other)
        assert not are_same_game(horse, gametheory.from_efg(exchanged))


def test_every_version_of_seltens_horse_has_its_equilibria() -> None:
    """Selten (1975): (1, 1, 1) and (3, 2, 2) without mixing. Test the textbook file, the tests' own and the outlines."""
    horses = [gametheory.from_efg(text) for _, text in GAMES if gametheory.from_efg(text).player_count == 3]
    outlines = [
        tree_of_outline(text)
        for _, page in pages()
        for text in re.findall(r"^Selten's horse\. \d+ nodes.*?(?=^```|\n\n)", page, re.DOTALL | re.MULTILINE)
    ]
    assert horses
    assert outlines
    for tree in (gametheory.textbook("horse"), *horses, *outlines):
        assert pure_equilibria(tree) == {(1, 1, 1), (3, 2, 2)}


def tree_of_outline(text: str) -> Tree:
    """Return the tree of a text outline. Nodes with the same text for a player are one information set."""
    places, ways = {}, list[tuple[int, str]]()
    for line in text.splitlines()[1:]:
        indent, node, rest = re.match(r"( *)\[(\d+)\] (.*)", line).groups()  # type: ignore[union-attr] - or the outline is none
        move, _, label = rest.rpartition(": ")
        places[node] = [label, []]
        ways = [*ways[: len(indent) // 2], (int(node), move)]
        if len(ways) > 1:
            places[str(ways[-2][0])][1].append((move, node))
    names = dict.fromkeys(label.partition(" (")[0] for label, below in places.values() if below)
    seats = {name: seat for seat, name in enumerate(sorted(names, key=["One", "Two", "Three"].index))}

    def look(node: str) -> gametheory.DecisionNode | gametheory.TerminalNode:
        label, below = places[node]
        if not below:
            return gametheory.TerminalNode(tuple(Fraction(payoff) for payoff in label.removeprefix("the end, ").split(", ")))
        return gametheory.DecisionNode(seats[label.partition(" (")[0]], label, below)

    return gametheory.build_tree("0", look, player_count=len(seats))
