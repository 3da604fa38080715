"""Students' programs import by former names in the process in which they run, and nowhere else."""

from __future__ import annotations

import json
import re
import sys
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from durak_widget import Game, Rules, lessons
from durak_widget.arena.bot_entrants import build_entrants
from durak_widget.arena.duplicate_games import DEFAULT_LIMITS, TournamentTerms, play_meeting
from durak_widget.arena.schedule import Meeting
from durak_widget.homework.assignment import resolve_assignment
from durak_widget.homework.student_homework import try_program
from durak_widget.sandbox import code_runner, former_module_names
from durak_widget.sandbox.code_runner import run_code

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

VIEW = Game(seed=7).view(0)
NAMES = {
    "durak_widget.before.play.Move": "durak_widget.Move",  # its module has no row
    "durak_widget.before.book": "durak_widget.rules.ruleset",
    "durak_widget.before.book.Laws": "durak_widget.Rules",  # the names of this module went to two modules
    "durak_widget.before.book.Move": "durak_widget.engine.moves.Move",
    "durak_widget.before.players": "durak_widget.bots",
    "durak_widget.former": "durak_widget.fast_engine",
    "durak_widget.former.games": "durak_widget.fast_engine.game_simulation",
    "durak_widget.former.seen": "durak_widget.fast_engine.state_queries",
    "durak_widget.bots.play": "durak_widget.bots.bot",
    "durak_widget.bots.hire": "durak_widget.bots.get",
    "durak_widget.cards.Pair": "durak_widget.Pairs",
    "durak_widget.board.before.own": "durak_widget.board.strategy_state",
    "durak_widget.arena.Contest": "durak_widget.arena.Ranking",
    "durak_widget.arena.schedule.Match": "durak_widget.arena.schedule.Meeting",
    "durak_widget.review.luck": "durak_widget.review.luck_and_skill",
    "durak_widget.review.decisions.Choice": "durak_widget.review.Decision",
}


@contextmanager
def use_names(names: Mapping[str, str]) -> Iterator[None]:
    """Let programs run in processes that have this table."""
    begins = code_runner._START_CODE.replace(
        "del sys.path[0]\n",
        f"from durak_widget.sandbox import former_module_names\nformer_module_names.NAMES = {names!r}\ndel sys.path[0]\n",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(code_runner, "_START_CODE", begins)
        code_runner._close_idle_supervisors()  # so that a new supervisor starts
        try:
            yield
        finally:
            code_runner._close_idle_supervisors()


@pytest.fixture(scope="module")
def former_names_in_use() -> Iterator[None]:
    """Use the table above."""
    with use_names(NAMES):
        yield


def error_of(code: str) -> str:
    """Return what goes wrong when a program runs and makes a move."""
    return str(run_code(f"{code}\ndef choose(view):\n    return str(view.legal_moves()[0])\n", [VIEW]).error or "")


@pytest.mark.usefixtures("former_names_in_use")
@pytest.mark.parametrize(
    "code",
    [
        # a name, a module, a package
        "from durak_widget.before.play import Move; import durak_widget as today; assert Move is today.Move",
        "from durak_widget.before.players import get; from durak_widget.bots import get as same; assert get is same",
        "from durak_widget.before import play, book; import durak_widget as today; assert (play.Move, book.Rules) == (today.Move, today.Rules)",
        "from durak_widget import before, Card; assert before.book.Laws(players=3) and Card('As')",
        "import durak_widget.before.players as players; assert players.get('careful')",
        "import durak_widget.before.play; assert durak_widget.before.play.Move is durak_widget.Move",
        "import durak_widget; assert durak_widget.before.book.Laws is durak_widget.Rules",
        "def f():\n    from durak_widget.before.play import Move; return Move\nassert f()('take')",
        # a module whose names went to two modules, one of them under another name
        "from durak_widget.before.book import Laws, Rules, Move; import durak_widget; assert Laws is Rules and Move is durak_widget.Move",
        # a function that is called like a module: the attribute is the function, as it always was
        "from durak_widget.former import games; assert games.__name__ == 'simulate_games'",
        "import durak_widget.former.games as games; assert games.__name__ == 'simulate_games'",
        "from durak_widget.former.games import games, WholeGames; assert games.__module__ == WholeGames.__module__",
        "from durak_widget.former import seen, which; assert seen.played and which",
        "from durak_widget.bots import play; from durak_widget.bots.play import play as same; assert play is same",
        # import * of public names
        "from durak_widget.before.players import *; assert get('careful') and 'Random' not in globals()",
        "from durak_widget.before.book import *; assert Rules is Laws and Move",
        "from durak_widget.before.play import *; assert 'Move' not in globals()",
        # a module of today that lost a name: a package and a plain module, already loaded and not
        "from durak_widget.bots import hire, names; from durak_widget.bots import get; assert hire is get and names",
        "from durak_widget.cards import Card, Pair; import durak_widget; assert Pair is durak_widget.Pairs",
        "from durak_widget.arena import Contest; from durak_widget import arena; assert Contest is arena.Ranking",
        "from durak_widget.arena.schedule import Match, Meeting; assert Match is Meeting",
        "from durak_widget.review.decisions import Choice, Decision; assert Choice is Decision",  # its package loads it too
        # a package of today that lost modules, and is not loaded yet
        "import durak_widget.board.before.own as own; import durak_widget.board.strategy_state as same; assert own.change_probability is same.change_probability",
        "import durak_widget.board.before.own; assert durak_widget.board.before.own.change_probability",
        "from durak_widget.board.before.own import change_probability; from durak_widget.board.strategy_state import change_probability as same; assert change_probability is same",
        "from durak_widget.board import before; from durak_widget import board; from durak_widget.board.strategy_state import change_probability; assert before.own.change_probability is change_probability",
        "import durak_widget.board.strategy_state, durak_widget.board.before.own; assert durak_widget.board.before.own.change_probability",
        "import durak_widget.review.luck as luck; from durak_widget.review import ResultBreakdown; assert luck.Fortune is ResultBreakdown",
        "from durak_widget.review.luck import Fortune; from durak_widget.review.luck_and_skill import ResultBreakdown as same; assert Fortune is same",
        # other ways
        "from importlib import import_module; assert import_module('durak_widget.before.play').Move('take')",
        "import durak_widget.before.book as book; assert hasattr(book, 'Rules') and not hasattr(book, 'Nothing') and not hasattr(book, '__file__')",
        pytest.param("import durak_widget.before.book\n#" + "x" * 99_800, id="as long as a program may be"),
    ],
)
def test_a_program_can_import_a_former_name(code: str) -> None:
    """However a program imports it, it gets today's object."""
    assert not error_of(code)


@pytest.mark.parametrize(
    "code",
    [
        "from durak_widget import View; import durak_widget as today; assert View is today.Observation",
        "from durak_widget.gametheory import grow, Turn; from durak_widget.gametheory.tree import build_tree; assert grow is build_tree and Turn",
        "from durak_widget import Game; view = Game(seed=7).view(0); assert view.course is view.history == () and view.ends is view.bout_ends",
        "from durak_widget import Game; assert Game.of(Game(seed=7).state).hands == Game(seed=7).hands",
        "from durak_widget import gametheory; assert gametheory.textbook('kuhn').sets[0].moves",
        "import durak_widget.bots.heuristic_bots as bots; assert bots.Careful is bots.CarefulBot",
    ],
)
def test_a_former_name_inside_a_module_or_class_is_found(code: str) -> None:
    """Today's modules and classes keep their former names and attributes. Today's names come first."""
    assert not error_of(code)


@pytest.mark.usefixtures("former_names_in_use")
@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("from durak_widget.before.book import (\n    Laws,\n    Nothing,\n)", "ImportError (cannot import name 'Nothing' from 'durak_widget.before.book'"),
        ("from durak_widget.before import nothing", "ImportError (cannot import name 'nothing' from 'durak_widget.before'"),
        ("import durak_widget.before.nothing", "ModuleNotFoundError (No module named 'durak_widget.before.nothing')"),
        ("from durak_widget.before.play.nothing import Move", "ModuleNotFoundError (No module named 'durak_widget.before.play.nothing')"),
        ("import durak_widget.before as b; b.nothing", "AttributeError (module 'durak_widget.before' has no attribute 'nothing')"),
        ("import durak_widget.former; durak_widget.former.nothing", "AttributeError (module 'durak_widget.former' has no attribute 'nothing')"),
        ("import durak_widget; durak_widget.Gmae", "AttributeError (durak_widget has no 'Gmae'; it has "),
        ("import durak_widget.cards; durak_widget.cards.Nothing", "AttributeError (module 'durak_widget.cards' has no attribute 'Nothing')"),
    ],
)  # fmt: skip
def test_an_unknown_name_raises_the_usual_error(code: str, sentence: str) -> None:
    """The error gives the module and the line of the program."""
    heard = error_of(f"\n\n{code}")
    assert heard.startswith(f"The code raised {sentence}")
    assert heard.endswith(" in line 3.")


def test_import_star_gives_the_former_names() -> None:
    """Names that need numpy or a widget are left out."""
    with use_names(former_module_names.NAMES):
        assert not error_of("from durak_widget import *; assert theory.solve and games.grow and kernel.games and Game")
        assert not error_of(
            "import sys; sys.modules.update(dict.fromkeys(('numpy', 'anywidget')))\n"
            "from durak_widget.theory import *; assert solve and Worlds and 'CFR' not in globals() and 'Tree' not in globals()"
        )
        assert not error_of("from durak_widget.games.nash import pure_ones; assert pure_ones.pure_ones")


def test_a_current_module_is_never_replaced() -> None:
    """It does not matter whether it is loaded, or what the table says."""
    wrong = {
        "durak_widget.cards": "durak_widget.bots",
        "durak_widget.arena.schedule": "durak_widget.bots",
        "durak_widget.arena": "durak_widget.bots",
    }
    with use_names(wrong):
        assert not error_of("from durak_widget.cards import Card; assert Card.__module__ == 'durak_widget.cards'")
        assert not error_of("from durak_widget.arena.schedule import Meeting; assert Meeting.__module__ == 'durak_widget.arena.schedule'")
        assert not error_of("import durak_widget.arena as arena; assert 'Ranking' in arena.__all__")


# Places that run programs


def test_programs_in_old_receipts_find_their_imports() -> None:
    """Changed bots and rules were written with their module."""
    with use_names(former_module_names.NAMES):
        assert not error_of("from durak_widget.bots.styles import Generous; from durak_widget.bots.simple import first")
        assert not error_of("from durak_widget.rules.form import rules_title; from durak_widget.masks import bits_of")
        assert not error_of(
            "from durak_widget.games.trees.tree import End; from durak_widget.gametheory import TerminalNode; assert End is TerminalNode"
        )
        assert not error_of("from durak_widget.theory import solve, worlds, textbook; assert solve(textbook('kuhn'))")


PROGRAM = "from durak_widget.before.play import Move\ndef choose(view):\n    return Move(str(view.legal_moves()[0]))\n"


def test_a_receipt_with_former_names_earns_the_same_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Marking runs its program unchanged."""
    homework = Path(__file__).parents[1] / "data" / "saved" / "homework"
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
    with use_names({**former_module_names.NAMES, **NAMES}):
        marks = lessons.mark(tmp_path, "econ431", jobs=0)
        assert {row.question: str(row.points) for row in marks.rows} == expected
    with use_names({}):
        assert lessons.mark(tmp_path, "econ431", jobs=0, anew=True).get_rows("Cleo Díaz")[-1].points == 0


@pytest.mark.usefixtures("former_names_in_use")
def test_an_answer_with_former_names_is_accepted() -> None:
    """The student sees at once that it runs."""
    task = resolve_assignment("econ431", "2027").create_exercise(15, "Ann Lee")
    assert try_program(task, PROGRAM, "en").key == "class.tried"


@pytest.mark.usefixtures("former_names_in_use")
def test_a_bot_with_former_names_plays_in_a_tournament() -> None:
    """It forfeits no game."""
    games = play_meeting(
        TournamentTerms(Rules(), build_entrants({"ann": PROGRAM, "first": "first"}), 1, DEFAULT_LIMITS), Meeting(0, (0, 1), 0, "a deal")
    ).games
    assert [game.forfeit for game in games] == [None, None]


@pytest.mark.usefixtures("former_names_in_use")
def test_former_names_exist_only_in_program_processes() -> None:
    """The marking process has only today's names."""
    assert not error_of(PROGRAM)
    assert "durak_widget.before" not in sys.modules


# The table


def is_module(name: str) -> bool:
    """Return whether a module exists today; an empty folder left by git is none."""
    try:
        return getattr(find_spec(name), "origin", None) is not None
    except ModuleNotFoundError:  # its package does not exist, or is not a package
        return False


def is_name(name: str) -> bool:
    """Return whether a current module has this public name."""
    module, _, last = name.rpartition(".")
    return is_module(module) and not last.startswith("_") and hasattr(import_module(module), last)


def wrong_rows(names: Mapping[str, str]) -> list[str]:
    """Return the former names that lead nowhere, and those that exist today."""
    return [
        former
        for former, today in names.items()
        if is_module(former) or not (is_module(today) or (is_name(today) and not is_name(former)))
    ]  # fmt: skip


def test_every_renamed_name_exists_today() -> None:
    """Each row names an object of a module or an attribute of a class, and no former name is used again."""
    wrong = []
    for former, today in former_module_names.read_renamed_names().items():
        owner, _, name = former.rpartition(".")
        if (find_spec("pyspiel") is None and "openspiel" in former) or (find_spec("pettingzoo") is None and "pettingzoo" in former):
            continue
        if is_module(owner):
            wrong += [former] * (hasattr(import_module(owner), name) or not is_name(today))
        else:
            module, _, class_name = owner.rpartition(".")
            known, new = getattr(import_module(module), class_name), today.rpartition(".")[2]
            source = Path(import_module(module).__file__ or "").read_text(encoding="utf-8")
            wrong += [former] * (hasattr(known, name) or not (hasattr(known, new) or re.search(rf"\b{new}\b", source)))
    assert wrong == []


def test_every_row_leads_from_a_former_to_a_current_name() -> None:
    """A module may have the name of a function of its package, and is found all the same."""
    assert wrong_rows(former_module_names.NAMES) == []
    assert wrong_rows(NAMES) == []
    for former, today in {
        "durak_widget.before": "durak_widget.nothing",
        "durak_widget.before.Move": "durak_widget.nothing.Move",
        "durak_widget.before.Laws": "durak_widget.rules.ruleset.Laws",
        "durak_widget.before.Moves": "durak_widget.Move.verbs",
        "durak_widget.before.private": "durak_widget.bots._nothing",
        "durak_widget.cards": "durak_widget.cards",
        "durak_widget.board": "durak_widget.board",
        "durak_widget.bots.get": "durak_widget.bots.register",
    }.items():
        assert wrong_rows({**NAMES, former: today}) == [former]
