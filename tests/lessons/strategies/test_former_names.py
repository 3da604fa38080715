"""A program that imports by a name of before finds what has another name today, wherever and however it imports it."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from durak_widget import Card, Move, Rules, bots, lessons, theory
from durak_widget.lessons.strategies import former_names
from durak_widget.lessons.strategies.former_names import with_present_names

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLE = former_names.NAMES
NAMES = {
    "durak_widget.before.play.Move": "durak_widget.Move",
    "durak_widget.before.book.Laws": "durak_widget.Rules",
    "durak_widget.before.players": "durak_widget.bots",
    "durak_widget.before.judges.judged": "durak_widget.theory.judge",
    "durak_widget.bots.hire": "durak_widget.bots.get",
}


@pytest.fixture(autouse=True)
def renamed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let some names have been other ones before."""
    monkeypatch.setattr(former_names, "NAMES", NAMES)
    former_names.former_module.cache_clear()
    yield
    former_names.former_module.cache_clear()


def run(code: str) -> dict[str, object]:
    """The names that a program leaves."""
    space: dict[str, object] = {}
    exec(compile(with_present_names(code), "<program>", "exec", dont_inherit=True), space)  # noqa: S102 - it is this test's own
    return space


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("from durak_widget.before.play import Move as it", Move),
        ("from durak_widget.before.book import Laws; it = Laws", Rules),
        ("from durak_widget import Card, before\nit = Card, before.book.Laws", (Card, Rules)),
        ("from durak_widget.before import play, book\nit = play.Move, book.Laws", (Move, Rules)),
        ("from durak_widget.before.players import get as it", bots.get),
        ("from durak_widget.bots import hire, names\nit = hire, names", (bots.get, bots.names)),
        ("import durak_widget.before.play\nit = durak_widget.before.play.Move", Move),
        ("import durak_widget\nit = durak_widget.Card, durak_widget.before.book.Laws", (Card, Rules)),
        ("import durak_widget.before.play, durak_widget.cards\nit = durak_widget.before.play.Move, durak_widget.cards.Card", (Move, Card)),
        (
            "import math, durak_widget.before.play as play, durak_widget.cards as cards\nit = math.pi > 3, play.Move, cards.Card",
            (True, Move, Card),
        ),
        ("import durak_widget.before.players as it", bots),
        (
            "import durak_widget.before.judges as judges\nit = judges.judged, getattr(judges, 'jud' + 'ged')",
            (theory.judge,) * 2,
        ),
        (
            "import durak_widget.before as a\nfrom durak_widget import before as b\nimport durak_widget\nit = a is b is durak_widget.before",
            True,
        ),
        ("def f():\n    if True: from durak_widget.before.play import Move; return Move\nit = f()", Move),
        ("from durak_widget.before.play import (  # a comment\n    Move as one,\n    Move as two,\n); it = one, two", (Move, Move)),
        ("\ufeffä = 'ä'; from durak_widget.before.play import \\\r\n    Move as ö\r\nit = ö", Move),
    ],
)
def test_a_former_name_is_found(code: str, expected: object) -> None:
    """By `from`, by `import` with the attributes after it, and as a module that is a value."""
    assert run(code)["it"] == expected


@pytest.mark.parametrize(
    "code",
    [
        "from durak_widget import Move\nfrom durak_widget.bots import get\n",
        "import math\nTEXT = 'from durak_widget.before.play import Move'\n",
        "from durak_widget.before import *\n",
        "from .durak_widget.before.play import Move\n",
        "from durak_widget.before.play import\n",
        "import durak_widget.before.play \0",
        "import durak_widget.before.play; '\ud800'",
        7,
    ],
)
def test_other_programs_stay_as_they_are(code: str) -> None:
    """A program that cannot be parsed, and a value that is no program, stay as they are."""
    assert with_present_names(code) == code


def test_every_line_keeps_its_number() -> None:
    """So that a message says in which line of the student's program something is wrong."""
    code = "x = 1\nfrom durak_widget.before.play import (\n    Move,\n    Move as Same,\n)\nimport durak_widget.before.book as b\nhere = b.Nothing\n"
    assert with_present_names(code).count("\n") == code.count("\n")
    with pytest.raises(AttributeError, match=r"module 'durak_widget\.before\.book' has no attribute 'Nothing'") as raised:
        run(code)
    assert raised.traceback[-2].lineno + 1 == 7


def test_a_receipt_with_former_names_earns_what_it_earned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its program runs behind the walls, and finds there what has another name today."""
    homework = Path(__file__).parents[2] / "data" / "saved" / "homework"
    receipt = (homework / "collected" / "cleo.receipt.json").read_text(encoding="utf-8")
    for name, former in {
        "durak_widget.game.play.moves": "durak_widget.before.play",
        "durak_widget.rules.book import Rules as": "durak_widget.before.book import Laws as",
        "import durak_widget.bots as": "import durak_widget.before.players as",
    }.items():
        assert name in receipt
        receipt = receipt.replace(name, former)
    (tmp_path / "cleo.receipt.json").write_text(receipt, encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    expected = json.loads((homework / "expected.json").read_text(encoding="utf-8"))["econ431"]["Cleo Díaz"]
    marks = lessons.mark(tmp_path, "econ431", jobs=0)
    assert {row.question: str(row.points) for row in marks.rows} == expected
    monkeypatch.setattr(former_names, "NAMES", {})
    assert lessons.mark(tmp_path, "econ431", jobs=0, anew=True).of("Cleo Díaz")[-1].points == 0


def test_the_names_of_today_are_there() -> None:
    """Every row of the table leads to something that is public."""
    for present in TABLE.values():
        package, _, name = present.rpartition(".")
        assert name in import_module(package).__all__
