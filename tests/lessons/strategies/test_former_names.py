"""A program that imports by a name of before finds what has another name today, wherever and however it imports it."""

from __future__ import annotations

import json
import pickle
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import durak_widget
import durak_widget.theory as theory_again
from durak_widget import Card, Game, Move, Rules, bots, lessons, theory
from durak_widget import bots as players
from durak_widget.board.kit.refusing import RefusedError
from durak_widget.bots.bot import OWN
from durak_widget.games.answers.answer import solve
from durak_widget.lessons.strategies import former_names
from durak_widget.lessons.strategies.former_names import with_present_names
from durak_widget.lessons.strategies.programs import program_of
from durak_widget.rules.book import Rules as Laws
from durak_widget.theory.endings import endgame
from durak_widget.words._voice import Fact

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


def uses_what_is_public(view, rng):
    """Names of the package, as a student's notebook has them."""
    found = endgame.solve, solve, theory_again.build, durak_widget.Game, Card, Laws, players.get("careful"), Fact
    return found and Move(str(view.legal_moves()[0]))


def test_a_program_is_written_with_public_names() -> None:
    """Whatever module a student imports a name from, the program imports it from the package that lists it."""
    text = program_of(uses_what_is_public)
    imported = {line for line in text.splitlines() if line.startswith(("from durak_widget", "import durak_widget"))}
    assert imported == {
        "from durak_widget import Card",
        "from durak_widget import Move",
        "from durak_widget import Rules as Laws",
        "from durak_widget import bots as players",
        "from durak_widget import theory as theory_again",
        "from durak_widget.games import solve",
        "from durak_widget.theory import endgame",
        "from durak_widget.words import Fact",
        "import durak_widget",
    }
    space: dict[str, Any] = {}
    exec(compile(text, "<program>", "exec", dont_inherit=True), space)  # noqa: S102 - as above
    view = Game(seed=7).view(0)
    assert space["choose"](view, None) == uses_what_is_public(view, None)


@pytest.mark.parametrize("bot", [*map(bots.get, OWN), bots.get("grandmother"), bots.get("careful", miserly=True)], ids=repr)
def test_a_bot_of_the_package_is_asked_for_by_its_name(bot: bots.Bot) -> None:
    """So a program needs neither its class nor what is inside; a bot that was changed is written as it is now."""
    text = program_of(lambda view, rng: bot.choose(view, rng))  # noqa: PLW0108 - which is what a student writes
    assert {line for line in text.splitlines() if "import" in line} == {
        "from durak_widget.bots import Bot",
        "from durak_widget.bots import get as _bot_by_name",
    }
    space: dict[str, Any] = {}
    exec(compile(text, "<program>", "exec", dont_inherit=True), space)  # noqa: S102 - as above
    assert pickle.dumps(space["bot"]) == pickle.dumps(bot)


def test_a_bot_that_was_changed_is_written_as_it_is() -> None:
    """A name and settings would make another one."""
    bot = bots.get("counting")
    bot.plays._careful.miserly = True
    space: dict[str, Any] = {}
    exec(compile(program_of(lambda view, rng: bot.choose(view, rng)), "<program>", "exec", dont_inherit=True), space)  # noqa: S102, PLW0108 - as above
    assert space["bot"].plays._careful.miserly


def test_a_bot_that_holds_a_function_is_written_as_it_is() -> None:
    """It can't be compared by pickling it."""
    bot = bots.get("careful")
    bot.plays.score = bots.get("first").plays.choose if hasattr(bots.get("first").plays, "choose") else bots.get("first").plays
    space: dict[str, Any] = {}
    exec(compile(program_of(lambda view, rng: bot.choose(view, rng)), "<program>", "exec", dont_inherit=True), space)  # noqa: S102, PLW0108 - as above
    assert callable(space["bot"].plays.score)


def test_a_function_without_a_module_is_refused_in_a_sentence() -> None:
    """`exec` makes such functions."""
    space: dict[str, Any] = {}
    exec("def choose(view):\n    return view.legal_moves()[0]", space)  # noqa: S102 - as above
    with pytest.raises(RefusedError):
        program_of(space["choose"])
