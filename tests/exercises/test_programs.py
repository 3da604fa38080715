"""A student's function as the text of a program: which names of the package the program imports, and from where."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import durak_widget
import durak_widget.analysis as analysis_again
from durak_widget import Card, Game, Move, bots
from durak_widget import bots as players
from durak_widget.analysis import endgame
from durak_widget.bots.bot import BUILT_IN_BOTS
from durak_widget.exercises.program_source import build_program
from durak_widget.gametheory.solver_selection import solve
from durak_widget.i18n._translation import TranslatableText
from durak_widget.rules.ruleset import Rules as Laws
from durak_widget.translated_errors import RefusedError


def uses_what_is_public(view, rng):
    """Names of the package, as a student's notebook has them."""
    found = (
        endgame.solve_endgame,
        solve,
        analysis_again.build_game_tree,
        durak_widget.Game,
        Card,
        Laws,
        players.get("careful"),
        TranslatableText,
    )
    return found and Move(str(view.legal_moves()[0]))


def test_a_program_is_written_with_public_names() -> None:
    """Whatever module a student imports a name from, the program imports it from the package that lists it."""
    text = build_program(uses_what_is_public)
    imported = {line for line in text.splitlines() if line.startswith(("from durak_widget", "import durak_widget"))}
    assert imported == {
        "from durak_widget import Card",
        "from durak_widget import Move",
        "from durak_widget import Rules as Laws",
        "from durak_widget import bots as players",
        "from durak_widget import analysis as analysis_again",
        "from durak_widget.gametheory import solve",
        "from durak_widget.analysis import endgame",
        "from durak_widget.i18n import TranslatableText",
        "import durak_widget",
    }
    space: dict[str, Any] = {}
    exec(compile(text, "<program>", "exec", dont_inherit=True), space)  # noqa: S102 - it is this test's own
    view = Game(seed=7).view(0)
    assert space["choose"](view, None) == uses_what_is_public(view, None)


@pytest.mark.parametrize("bot", [*map(bots.get, BUILT_IN_BOTS), bots.get("grandmother"), bots.get("careful", miserly=True)], ids=repr)
def test_a_bot_of_the_package_is_written_by_its_name(bot: bots.Bot) -> None:
    """The program needs neither its class nor its attributes."""
    text = build_program(lambda view, rng: bot.choose(view, rng))  # noqa: PLW0108 - which is what a student writes
    assert {line for line in text.splitlines() if "import" in line} == {
        "from durak_widget.bots import Bot",
        "from durak_widget.bots import get as _bot_by_name",
    }
    space: dict[str, Any] = {}
    exec(compile(text, "<program>", "exec", dont_inherit=True), space)  # noqa: S102 - as above
    assert pickle.dumps(space["bot"]) == pickle.dumps(bot)


def test_a_changed_bot_is_written_with_its_state() -> None:
    """Name and settings would make another one."""
    bot = bots.get("counting")
    bot.implementation._careful.miserly = True
    space: dict[str, Any] = {}
    exec(compile(build_program(lambda view, rng: bot.choose(view, rng)), "<program>", "exec", dont_inherit=True), space)  # noqa: S102, PLW0108 - as above
    assert space["bot"].implementation._careful.miserly


def test_a_bot_that_holds_a_function_is_written_with_its_state() -> None:
    """It can't be compared by pickling it."""
    bot = bots.get("careful")
    bot.implementation.score = (
        bots.get("first").implementation.choose if hasattr(bots.get("first").implementation, "choose") else bots.get("first").implementation
    )
    space: dict[str, Any] = {}
    exec(compile(build_program(lambda view, rng: bot.choose(view, rng)), "<program>", "exec", dont_inherit=True), space)  # noqa: S102, PLW0108 - as above
    assert callable(space["bot"].implementation.score)


def test_a_function_without_a_module_is_refused_in_a_sentence() -> None:
    """`exec` makes such functions."""
    space: dict[str, Any] = {}
    exec("def choose(view):\n    return view.legal_moves()[0]", space)  # noqa: S102 - as above
    with pytest.raises(RefusedError):
        build_program(space["choose"])
