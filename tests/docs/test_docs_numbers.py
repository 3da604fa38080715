"""Each number that the docs tell has a place that it comes from.

What stands in an example is run, and what stands in a table is compared or listed here by its head. A number in a sentence (a fraction, a decimal, or
a whole number of three digits and more) must stand in an example or a table of its page, or be listed here with its source: a constant of the
program, something that is worked out on the spot, or the words that say why it is none of these.

A number stands in an example, which is run; else its source is named in `FROM` or `TABLES` here. Of `docs/results.md`: a sentence in `tests/theory/results/test_results_page.py`, worked out from
what the command printed, kept in `tests/data/results` (`python tests/theory/results/test_results_page.py NAME` prints it anew).
"""

from __future__ import annotations

import re
from fractions import Fraction
from importlib import import_module
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from durak_widget import Rules, theory
from durak_widget.theory.results.miniature import Miniature

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Source = str | Callable[[], object]

ROOT = Path(__file__).resolve().parents[2]
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]}
_NUMBER = re.compile(r"(?<![\w.:/])[−-]?\d+(?:,\d{3})*(?:\.\d+)?(?:/\d+(?:,\d{3})*)?")
_YEAR = re.compile(r"1[89]\d\d|20\d\d")


def numbers(text: str) -> list[str]:
    """The numbers of a text, without signs and commas."""
    return [one.lstrip("−-").replace(",", "") for one in _NUMBER.findall(text)]


def apart(page: str) -> tuple[str, list[list[str]], str]:
    """A page as its examples, its tables (each a list of lines) and its sentences."""
    code = "\n".join(re.findall(r"```.*?```", page, flags=re.DOTALL))
    rest = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    tables = [one.splitlines() for one in re.findall(r"(?:^\|.*\n?)+", rest, re.MULTILINE)]
    prose = re.sub(r"^\|.*\n?", "", rest, flags=re.MULTILINE)
    return code, tables, re.sub(r"`[^`]*`|\]\([^)]*\)", "", prose)


def constant(name: str) -> Callable[[], object]:
    """A number of the program, by the module and its name there."""
    module, _, of = name.rpartition(".")
    return lambda: getattr(import_module(f"durak_widget.{module}"), of)


def goal(line: str) -> Callable[[], object]:
    """A number that a benchmark is held to: it stands in that line of it."""

    def found() -> object:
        [match] = re.findall(re.escape(line) + r".*?, ([\d.]+), ", (ROOT / "benchmarks" / "table.py").read_text(encoding="utf-8"))
        return float(match)

    return found


def room(file: str, name: str) -> Callable[[], object]:
    """A number that the kernel has room for, in one of its files."""

    def found() -> object:
        text = (ROOT / "durak_widget" / "frontend" / "kernel" / file).read_text(encoding="utf-8")
        return int(re.findall(rf"^export const {name}: i32 = (\d+);$", text, re.MULTILINE)[0])

    return found


ELSEWHERE = "docs/results.md is compared with what its commands print, in tests/theory/results/test_results_page.py"
MEASURED = "measured once, by the benchmark that stands beside it"
EXAMPLE = "an example"
FROM: dict[str, dict[str, Source]] = {
    "arena": {
        "130": constant("arena.command._INTERRUPTED"),
        "128": lambda: 8 * import_module("durak_widget.arena.deals")._SECRET_BYTES,
        **dict.fromkeys(("200000", "400", "3.2", "5.0"), "by tests/arena/test_planted.py, as stands beside them"),
        **dict.fromkeys(("100000", "0.05", "0.07", "0.11", "0.12"), "by `python -m benchmarks.luck`, as stands beside them"),
    },
    "README": {"3.10": "the Python that is needed, in pyproject.toml", "5000": constant("board.drawn.unfolded.AT_ONCE")},
    "binder": {"362": lambda: 426 - 64},  # the table there
    "bridges": {
        "10000": constant("theory.bridges.spiel._AT_ONCE"),
        "16.7": "the version of Gambit that was tried",
        "2/3": lambda: Fraction(2, 3),
        "19/45": "the value of econ431 cd 678 2 c aside, in docs/miniatures.md",
        "22/45": "what Gambit 16.7 gave for it",
    },
    "class-play": {"5000": constant("classroom.playing.decisions.BUDGET"), "50000": constant("classroom.playing.decisions.A_GAME")},
    "class-report": {
        "0.3": constant("classroom.reporting.wording._MUCH"),
        "0.1": constant("classroom.reporting.wording._SOME"),
        "5457": EXAMPLE,
        "1207": EXAMPLE,
        "200": EXAMPLE,
    },
    "classroom": {"93000": MEASURED, "8568": lambda: comb(18, 5), "0.15": MEASURED, "200": MEASURED},
    "endings": {"3.11": "the Python that was measured", "40000": constant("widget.helping.advising.PATIENCE")},
    "first-hour": {"200": constant("classroom.desks.luck.GAMES")},
    "judging": {
        "179": lambda: sizes("podkidnoy cd 67 1 c"),
        "91387": lambda: sizes("podkidnoy cd 678 1 c"),
        "117781": lambda: sizes("econ431 cd 678 2 c"),
        "110587": lambda: counted(Miniature.of("perevodnoy cd 678 1 c at most 2")),
        "103885": lambda: counted(Miniature.of("low_trump cd 67A 1 c")),
        "30000": "rounded from the sizes of these trees",
        "44000": "rounded from the sizes of these trees",
    },
    "kernel": {"8192": room("moves.ts", "MOST_MOVES"), "512": room("state.ts", "MOST_PAST")},
    "lessons": {"5000": constant("lessons.positions.ahead.PATIENCE")},
    "marking": {"150": "a class, as the command beside it makes it", "000": "two thirds of a million, in the line that is quoted"},
    "matrices": {
        "100000": constant("games.matrices.forms.CELLS"),
        "144": constant("board.matrices.striking.MIXED"),
        "1500": constant("games.matrices.equilibrium.CORNERS"),
    },
    "problem-set": {"431": "the name of the game", "150": "a class, as the command beside it makes it"},
    "readings": {f"00{number}": "the number of a text" for number in range(5)},
    "solving": {"0.75": MEASURED} | dict.fromkeys("174 147 582 385 188 497 568 138 500".split(), "measured, by the command beside it"),  # noqa: SIM905
    "play": {"20000": constant("page.boards._MOST")},
    "table": {
        "1.25": goal("a press to the new picture, p50"),
        "110": goal("script and style, minified"),
        "200": "the least width, in frontend/src/page/ground.css",
    },
    "many-machines": dict.fromkeys(("0.9", "1.8"), "by `make bench-arena BENCH_ARGS=shared`, as stands beside them"),
    "opponents": {"13680": "tests/docs/test_docs_ladder.py"},
    "teachers-guide": {
        "431": "the name of the game",
        "10000": constant("classroom.handing.sealing.MANY"),
        **dict.fromkeys(("100", "8100"), "by `make bench-arena BENCH_ARGS=class`, as stands beside them"),
    },
    "tree-viewer": {"20000": constant("board.drawn.unfolded.MOST"), "400": constant("board.trees.pictures._KEPT")},
    "trees": {
        "10000": constant("games.kit.gambit_words._LONGEST"),
        "262144": lambda: plans_of_the_page()[0],
        "2395421683200": lambda: plans_of_the_page()[1],
    },
    "worlds": {
        "100000": constant("theory.hidden.possible.MOST_LISTED"),
        "200000": constant("theory.hidden.laying.HANDS"),
        "3000": constant("theory.hidden.rewind.STEPS"),
    },
}
"""Of each page: the numbers of its sentences that stand in no example and no table of it, and where each comes from."""


def rows_of(page: str, head: str) -> list[list[str]]:
    """The cells of the table with that head."""
    [found] = [table for table in apart(PAGES[page])[1] if table[0].startswith(head)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found[2:]]


def miniatures() -> dict[str, list[str]]:
    """The rows of the published table of miniatures, of which a test computes some anew on each run: by the line of the game."""
    return {row[0].strip("`"): row[1:] for row in rows_of("miniatures", "| game |")}


def sizes(line: str) -> int:
    """How many histories a miniature has."""
    return int(miniatures()[line][4].replace(",", ""))


def counted(game: Miniature) -> int:
    """How many histories a game has, counted without building them."""
    return theory.histories(game.rules, dealer=1)


def plans_of_the_page() -> tuple[int, int]:
    """How many plans the two seats of the tree at the top of that page have."""
    tree = theory.build(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    forms = import_module("durak_widget.games.matrices.forms")
    return forms.how_many(tree, 0), forms.how_many(tree, 1)


WORDS = "says what something is; its numbers are those of names, settings or examples"
TABLES: dict[tuple[str, str], str] = {
    ("arena", "| word | what it says |"): WORDS,
    ("arena", "| | |"): WORDS,
    ("arena", "| five bots, 200"): "by tests/arena/test_planted.py, as stands above it",
    ("arena", "| rules and bots |"): "by `python -m benchmarks.luck left`, as stands above it",
    ("binder", "| file |"): WORDS,
    ("binder", "| package |"): "measured by `python tools/ways_in.py`",
    ("binder", "| | image grows by"): "measured by `python tools/ways_in.py`, before and after",
    ("binder", "| way in |"): "measured by `python tools/ways_in.py`; that all notebooks are clean, by tests/project/test_ways_in.py",
    ("bridges", "| game (sixes"): MEASURED,
    ("class-play", "| column |"): WORDS,
    ("class-report", "| part |"): WORDS,
    ("classroom", "| what is asked | what the"): WORDS,
    ("classroom", "| question |"): MEASURED,
    ("dependencies", "| extra |"): WORDS,
    ("dependencies", "| npm |"): WORDS,
    ("endings", "| cards, rules |"): MEASURED,
    ("endings", "| deals, cards |"): MEASURED,
    ("glossary", "| word |"): WORDS,
    ("judging", "| game, ranks, hand |"): "the values below; the rest by `python -m benchmarks.judging`",
    ("judging", "| game | bot | seat |"): "by `python -m benchmarks.judging`",
    ("judging", "| game, suits × ranks, hand |"): "test_what_a_secret_is_worth_is_what_is_found, and what is hidden is compared below",
    ("kernel", "| where |"): WORDS,
    ("opponents", "| who | plays as |"): WORDS,
    ("opponents", "| against the one before |"): 'by `make strength BENCH_ARGS="ladder --seconds 14"`',
    ("opponents", "| 2 at a table |"): "tests/docs/test_docs_ladder.py",
    ("opponents", "| 3 at a table |"): "tests/docs/test_docs_ladder.py",
    ("opponents", "| 4 at a table |"): "tests/docs/test_docs_ladder.py",
    ("opponents", "| two players | share"): 'by `make strength BENCH_ARGS="best --seconds 40"`',
    ("opponents", "| on the same deals |"): 'by `make strength BENCH_ARGS="cheat --seconds 60"`',
    ("lessons", "| name | the mistake |"): WORDS,
    ("marking", "| on the command line |"): WORDS,
    ("marking", "| what is held |"): WORDS,
    ("matrices", "| game |"): "test_sizes_and_numbers_of_equilibria_are_what_is_found; seconds were measured once",
    ("miniatures", "| game |"): "tests/theory/results/test_results_games.py",
    ("notation", "| part |"): WORDS,
    ("on-the-tree", "| game |"): WORDS,
    (
        "own-games",
        "| name | what is done |",
    ): "points are those of `points` in durak_widget/classroom/own, compared by tests/classroom/own/test_own_page.py",
    ("play", "| | | first table seen"): "by `make bench-site`",
    ("play", "| seconds until"): "by `make bench-site`",
    ("positions", "| argument |"): WORDS,
    ("readings", "| question |"): WORDS,
    ("results", "| | exactly |"): ELSEWHERE,
    ("results", "| game |"): "measured once, and needs 11 GB; each value with its certificate",
    ("many-machines", "| `executor=` |"): "an example",
    ("many-machines", "| who works, two"): "by `python -m benchmarks.sharing`, as stands above it",
    ("review", "| who plays |"): "by `python -m benchmarks.review luck`, as stands below it",
    ("review", "| bot | lost"): "by `python -m benchmarks.review skill 240`; the titles, by tests/review/test_review_told.py",
    ("rules", "| option |"): "tools/pages.py",
    ("rules", "| preset |"): "tools/pages.py",
    ("solving", "| rules, suits × ranks, hand |"): "values and sizes below; the rest was measured once",
    ("solving", "| seats | kind |"): "measured, by `python -m benchmarks.answers FOLDER`, as stands above it",
    ("teachers-guide", "| | on the table |"): "tests/classroom/test_guide.py",
    ("teachers-guide", "| without the word |"): "tests/classroom/handing/test_ready_made.py",
    ("teachers-guide", "| minutes |"): WORDS,
    ("teachers-guide", "| they say |"): WORDS,
    ("teachers-guide", "| when |"): WORDS,
    ("teachers-guide", "| week |"): WORDS,
    ("teachers-guide", "| you want to |"): WORDS,
    ("teachers-guide", "| question | what earns part of the points |"): "tests/classroom/econ431/test_econ431_blind.py",
    ("textbook-games", "| name |"): "tests/games/test_foreign.py, and below",
    ("tree-viewer", "| | |"): WORDS,
    ("tree-viewer", "| name ends in |"): "durak_widget/board/kit/printed.py: _DENSE, _WIDEST",
    ("trees", "| rules, deck, hand |"): "histories below; seconds and memory were measured once",
    (
        "where-it-runs",
        "| place | tried with |",
    ): "the versions that `tests/browser/neighbours` installs, read from the table itself; of the others those that `make test` has",
}
"""Each table of the docs in which there are numbers, by its page and how its head begins, and what they come from."""


@pytest.mark.parametrize("page", [name for name in PAGES if name != "results"])
def test_each_number_of_a_sentence_has_a_source(page: str) -> None:
    """It stands in an example or a table of its page, or is listed; whoever writes another is asked for its source by name."""
    code, tables, prose = apart(PAGES[page])
    known = {*numbers(code), *numbers("\n".join(line for table in tables for line in table)), *FROM.get(page, {})}
    told = {one for one in numbers(prose) if len(one.partition(".")[0]) > 2 or not one.isdigit()}
    assert not {one for one in told - known if not _YEAR.fullmatch(one)}, f"docs/{page}.md tells numbers that are listed nowhere in FROM"


def listed() -> Iterator[tuple[str, str]]:
    """Every number that is listed with a source that can be asked."""
    for page, found in FROM.items():
        yield from ((page, number) for number, source in found.items() if callable(source))


@pytest.mark.parametrize(("page", "number"), list(listed()))
def test_a_number_is_that_of_its_source(page: str, number: str) -> None:
    """The constant that the program goes by, or what is worked out here."""
    source = FROM[page][number]
    assert callable(source)
    if page == "bridges":
        pytest.importorskip("pyspiel")
    assert Fraction(number) == Fraction(str(source()))


def test_no_source_is_listed_that_nobody_needs() -> None:
    """What no page tells any more goes from the lists."""
    assert {(page, number) for page, found in FROM.items() for number in found} <= {
        (page, number) for page, text in PAGES.items() for number in numbers(apart(text)[2])
    }
    heads = {(page, table[0]) for page, text in PAGES.items() for table in apart(text)[1]}
    assert not [(page, head) for page, head in TABLES if not any(at == page and line.startswith(head) for at, line in heads)]


@pytest.mark.parametrize("page", PAGES)
def test_each_table_with_numbers_is_listed(page: str) -> None:
    """By its page and its head, with what it comes from."""
    for table in apart(PAGES[page])[1]:
        if numbers(re.sub(r"`[^`]*`|\[[^\]]*\]\([^)]*\)", "", "\n".join(table[2:]))):
            assert any(table[0].startswith(head) for at, head in TABLES if at == page), (
                f"docs/{page}.md: the table {table[0]!r} is not in TABLES"
            )


def line_of(told: str) -> str:
    """The line of a miniature, as three pages name one: `podkidnoy, 3 × 2, 1`, clubs being trumps."""
    preset, deck, hand = (one.strip(" `") for one in told.split(",")[:3])
    suits, ranks = (int(one) for one in deck.split("×"))
    return f"{preset} {'cdhs'[:suits]} {'6789TJQKA'[:ranks]} {hand[0]} {'none' if 'no trumps' in told else 'c'}"


@pytest.mark.parametrize(
    ("page", "head", "name", "columns"),
    [
        ("solving", "| rules, suits × ranks, hand |", 0, {1: 4, 2: 3}),
        ("judging", "| game, suits × ranks, hand |", 0, {1: 3}),
    ],
)
def test_tables_tell_what_the_table_of_miniatures_does(page: str, head: str, name: int, columns: dict[int, int]) -> None:
    """Values and histories of the same games, cell by cell."""
    known, met = miniatures(), 0
    for row in rows_of(page, head):
        if (line := line_of(row[name])) in known and "card" not in row[name]:
            met += 1
            assert [row[column] for column in columns] == [known[line][column] for column in columns.values()], line
    assert met >= 5


def test_values_of_judged_games_are_those_of_the_miniatures() -> None:
    """Where a game stands in both tables."""
    known = miniatures()
    rows = {row[0]: row[1] for row in rows_of("judging", "| game, ranks, hand |") if row[0]}
    met = 0
    for told, value in rows.items():
        preset, ranks, hand = told.split(", ")
        if (line := f"{preset} cd {ranks} {hand} c") in known:
            met += 1
            assert value == known[line][3], line
    assert met >= 3


@pytest.mark.long
def test_the_sizes_of_large_trees_are_counted_without_building_them() -> None:
    """The table of trees, and the last lines of the table of solvers."""
    for row in rows_of("trees", "| rules, deck, hand |"):
        preset, deck = row[0].split(",")[0].strip("`"), re.search(r"(\d) × (\d)", row[0])
        hand = {"two": 2, "three": 3}[re.search(r"(two|three) each", row[0])[1]]  # type: ignore[index] - each says it
        assert deck is not None
        one = Miniature(preset, "cdhs"[: int(deck[1])], "6789TJQKA"[: int(deck[2])], hand, "c")
        assert f"{counted(one):,}" == row[1], row[0]
    for row in rows_of("solving", "| rules, suits × ranks, hand |")[-2:]:
        most = 1 if "one card a bout" in row[0] else 2
        assert f"{counted(Miniature.of(f'econ431 cdhs 67 4 none at most {most}')):,}" == row[1], row[0]


def test_sizes_and_numbers_of_equilibria_are_what_is_found() -> None:
    """The table of matrices: 2⁹ − 1 meeting places, and Kuhn's poker."""
    rows = {row[0]: row for row in rows_of("matrices", "| game |")}
    assert rows["meeting at one of nine places"][2] == f"{2**9 - 1}, all"
    small = theory.equilibria([[(int(one == other), int(one == other)) for other in range(4)] for one in range(4)])
    assert (len(small), small.complete) == (2**4 - 1, True)
    kuhn = theory.matrix(theory.textbook("kuhn"))
    assert rows["Kuhn's poker"][1] == f"{len(kuhn.rows)} × {len(kuhn.columns)}"
    assert rows["Kuhn's poker"][2] == f"worth {str(theory.minimax(kuhn).value).replace('-', '−')}; one mixed"


SECRETS = [row[0] for row in rows_of("judging", "| game, suits × ranks, hand |")]


@pytest.mark.long
@pytest.mark.parametrize("game", SECRETS)
def test_what_a_secret_is_worth_is_what_is_found(game: str) -> None:
    """Hidden, open, and one seat alone seeing: four games solved for each row of the table."""
    [row] = [one for one in rows_of("judging", "| game, suits × ranks, hand |") if one[0] == game]
    secret = theory.secret(Miniature.of(line_of(game)).rules, dealer=1)
    found = re.findall(r"-?\d+(?:/\d+)?", re.sub(r"seat \d", "", repr(secret)))
    assert [one.replace("-", "−") for one in found] == row[1:]
