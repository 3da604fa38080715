"""What the docs count is counted here: each number that a page tells, beside where it comes from."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from books_matrices import BOOKS as MATRICES
from books_trees import BOOKS as TREES
from durak_widget import Rules, kernel
from durak_widget.games.solving import checker
from durak_widget.games.trees.books import _names as textbook_games
from durak_widget.theory.endings import proof
from durak_widget.theory.results.solved import LINES
from durak_widget.widget.kit.look import SETTINGS
from durak_widget.words import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
LATER = 18
"""The number of the first lesson that came after those on how the house is built."""
ONES = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def in_words(number: int) -> str:
    """A number as it is written out.

    >>> in_words(13), in_words(30), in_words(76)
    ('thirteen', 'thirty', 'seventy-six')
    """
    if number < 20:
        return ONES[number]
    tens, ones = divmod(number, 10)
    return TENS[tens - 2] + (f"-{ONES[ones]}" if ones else "")


def notebooks(first: int = 0, last: int = 99, *, later: bool = False) -> Callable[[], int]:
    """How many there are, of these numbers; and of the lessons that came `later`, behind those on how the house is built."""
    return lambda: sum(
        first <= n <= last or (later and n >= LATER) for n in (int(path.name[:2]) for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"))
    )


def lines_of(module: ModuleType) -> Callable[[], int]:
    """How many lines its functions have but for their docstrings, to the nearest ten."""

    def count() -> int:
        tree = ast.parse(inspect.getsource(module))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        bodies = [node.body[1:] if ast.get_docstring(node) else node.body for node in functions]
        return round(len({line for body in bodies for one in body for line in range(one.lineno, one.end_lineno + 1)}) / 10) * 10

    return count


COUNTS: list[tuple[str, str, Callable[[], int]]] = [
    ("README.md", r"(\w+) lessons that begin at nothing", notebooks(0, 15, later=True)),
    ("README.md", r"the first notebook\]\(\S+\), and (\w+) more", notebooks(1, 15, later=True)),
    ("README.md", r"\| game theory \| (\w+) lessons: \[counting cards", notebooks(10, 13, later=True)),
    ("docs/site/index.md", r"(\w+) lessons that begin at nothing", notebooks(0, 15, later=True)),
    ("docs/site/index.md", r"00_welcome\.ipynb\) and (\w+) lessons more", notebooks(1, 15, later=True)),
    ("docs/textbook-games.md", r"(\w+) that everybody teaches come along", lambda: len(textbook_games())),
    ("notebooks/11_endings_solved.ipynb", r"textbook-games\.md\) has (\w+) trees without any cards", lambda: len(textbook_games())),
    ("CHANGELOG.md", r"(\w+) games that everybody teaches", lambda: len(textbook_games())),
    ("CHANGELOG.md", r"\*\*(\w+) more notebooks\*\*, for who has never seen a game tree", notebooks(10, 13)),
    ("CHANGELOG.md", r"\*\*(\w+) notebooks\*\* that teach Durak from nothing", notebooks(0, 9)),
    ("CHANGELOG.md", r"(\d+) presets from five sources", lambda: len(Rules.presets())),
    ("CHANGELOG.md", r"any mix of their (\d+) options", lambda: len(Rules.options())),
    ("CHANGELOG.md", r"(\w+) skins, \w+ card backs", lambda: len(SETTINGS["skin"].values)),
    ("CHANGELOG.md", r"\w+ skins, (\w+) card backs", lambda: len(SETTINGS["back"].values)),
    ("CHANGELOG.md", r"in (?:all )?(?!several)(\w+) languages\b", lambda: len(LANGUAGES)),
    ("CHANGELOG.md", r"([\w-]+) miniatures of \d+ rule sets", lambda: len(LINES.splitlines())),
    ("CHANGELOG.md", r"miniatures of (\d+) rule sets", lambda: len({line.split()[0] for line in LINES.splitlines()})),
    ("docs/results.md", r"\[([\w-]+) miniatures\]\(miniatures\.md\) of \d+ rule sets", lambda: len(LINES.splitlines())),
    ("docs/results.md", r"miniatures\]\(miniatures\.md\) of (\d+) rule sets", lambda: len({line.split()[0] for line in LINES.splitlines()})),
    ("docs/kernel.md", r"All (\d+) presets are played", lambda: sum(kernel.why_not(name) is None for name in Rules.presets())),
    ("docs/endings.md", r"The checker is some (\w+) lines \(`durak_widget/theory/endings/proof\.py`\)", lines_of(proof)),
    ("docs/solving.md", r"It is (\w+) lines in a module of its own \(`durak_widget/games/solving/checker\.py`\)", lines_of(checker)),
    ("docs/solving.md", r"([\w-]+) games of five textbooks have the equilibria", lambda: len(MATRICES) + len(TREES)),
    ("CONTRIBUTING.md", r"(\w+) bundles: widget \(", lambda: (ROOT / "durak_widget/frontend/build.mjs").read_text(encoding="utf-8").count('.ts", out: ')),
]  # fmt: skip
"""A page, a sentence of it with a number, and what is counted. A page that counts another thing gets a line here."""


@pytest.mark.parametrize(("page", "sentence", "count"), COUNTS, ids=lambda one: one if isinstance(one, str) else "")
def test_what_the_docs_count_is_there(page: str, sentence: str, count: Callable[[], int]) -> None:
    """As many as the page says, in words or figures; and the sentence stands there still, so that nothing is compared with nothing."""
    told = re.findall(sentence, (ROOT / page).read_text(encoding="utf-8"))
    assert told, f"{page} no longer says {sentence!r}: put its new words, or none, into COUNTS of tests/docs/test_docs_counts.py"
    right = count()
    assert {one.lower() for one in told} <= {str(right), in_words(right)}, f"{page} says {', '.join(told)}, but there are {right}"
