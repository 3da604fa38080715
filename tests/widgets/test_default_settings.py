"""Test default settings of new tables, and refusals of wrong values."""

from __future__ import annotations

import subprocess
import sys

import pytest
import traitlets

import durak_widget
from durak_widget import DurakError, Game, Table, analysis, lessons
from durak_widget.widgets.appearance_settings import SETTINGS

WRONG = {
    "language": ("lit", None, ["en"]),
    "theme": ("drak", 1),
    "skin": ("", b"felt"),
    "back": ("ring", {}),
    "card_letters": ("rusian", "ru", None),
    "pace": (100_000, -1, 1.5, "900", None, True),
    "size": ("huge", 2),
    "hands": ("opne", True),
    **dict.fromkeys(
        ("four_colors", "motion", "sound", "aids", "memory", "coach", "chances", "steps", "early", "covers"), (1, 0, "yes", None)
    ),
}


@pytest.fixture(autouse=True)
def _reset_defaults():
    """Reset all default settings, for other tests."""
    yield
    durak_widget.defaults(None)


def check_refused(name: str, value: object) -> None:
    """Check one case of the next test."""
    assert WRONG.keys() == SETTINGS.keys()
    table = Table(seed=7)
    before = getattr(table, name)
    acts = [lambda: setattr(table, name, value), lambda: durak_widget.defaults(**{name: value})]
    if value is not None:  # as an argument, None stands for the default
        acts.append(lambda: Table(**{name: value}))
    for act in acts:
        with pytest.raises(DurakError, match=rf"^{name}\b") as refused:
            act()
        assert isinstance(refused.value, traitlets.TraitError)
    assert getattr(table, name) == before == durak_widget.defaults()[name]


def test_a_wrong_value_is_refused_with_alternatives() -> None:
    """Arguments, attributes and defaults all say what would be right, and nothing changes."""
    for name, value in [(name, value) for name, values in WRONG.items() for value in values]:
        check_refused(name, value)


def test_a_refusal_suggests_the_closest_value() -> None:
    """It appears if something similar exists."""
    with pytest.raises(DurakError, match=r"'auto', 'light', 'dark', 'contrast', not 'drak'\. Did you mean 'dark'\?"):
        Table(theme="drak")


def test_defaults_apply_to_all_new_tables() -> None:
    """They set the language of exercises too. A table's own arguments win, and existing tables stay."""
    before = Table(seed=7)
    assert durak_widget.defaults(language="lt", skin="slate", pace=0) | {} == durak_widget.defaults()
    table = Table(seed=7, skin="linen")
    assert (table.language, table.skin, table.pace, table.theme) == ("lt", "linen", 0, "auto")
    assert (before.language, before.skin) == ("en", "felt")
    exercises = [
        lessons.Choose("?", {"a": "", "b": ""}, right="a"),
        lessons.Drill("beats", seed=1),
        lessons.Guided(seed=7),
        lessons.Progress(),
        lessons.Pick.beaters("9d", of="6d Td", trump="s"),
    ]
    assert {exercise.language for exercise in exercises} == {exercises[2].table.language} == {"lt"}
    assert lessons.Choose("?", {"a": "", "b": ""}, right="a", language="en").language == "en"
    assert durak_widget.defaults(None)["language"] == Table(seed=7).language == lessons.Guided(seed=7).language == "en"


def test_defaults_are_independent_of_each_other() -> None:
    """A refused call changes nothing, not even in part."""
    durak_widget.defaults(language="ru")
    durak_widget.defaults(skin="slate")
    for wrong in ({"theme": "dark", "skin": "silk"}, {"theme": "dark", "skn": "slate"}):
        with pytest.raises(DurakError):
            durak_widget.defaults(**wrong)
    found = durak_widget.defaults()
    assert (found["language"], found["skin"], found["theme"]) == ("ru", "slate", "auto")
    with pytest.raises(DurakError, match=r"Did you mean 'skin'\?"):
        durak_widget.defaults(skn="slate")
    with pytest.raises(DurakError, match="such as defaults"):
        durak_widget.defaults("lt")  # type: ignore[arg-type]


def test_defaults_do_not_open_or_hide_hands_of_exercises() -> None:
    """The author decides, because the page can't change it."""
    for hands in ["open", "hidden"]:
        durak_widget.defaults(hands=hands)
        game = durak_widget.Game.from_position(hands=["9c Ah 7d", "Jd Qs"], trump="h", table="7c", attacker=1)
        goal, solution = lessons.goals.beat_all(trumps=False), ["beat 7c 9c"]
        scene = lessons.Position(game, goal, solution=solution).table.scene
        assert (len(scene["hand"]), [seat for seat in scene["seats"] if "hand" in seat]) == (3, [])
        assert lessons.Position(game, goal, solution=solution, hands="open").table.hands == "open"


def test_setting_defaults_loads_no_widgets() -> None:
    """Exercises load none either."""
    code = """
import sys, durak_widget
durak_widget.defaults(language="ru")
assert durak_widget.lessons.Choose("?", {"a": "", "b": ""}, right="a").language == "ru"
assert "ipywidgets" not in sys.modules and "anywidget" not in sys.modules
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_static_pictures_use_the_default_language() -> None:
    """Test games and views, which have no language of their own."""
    game = Game(seed=7)
    displayed = (game, analysis.worlds(game.view(0)))
    for language, seat in (("ru", "Игрок 2"), ("lt", "Žaidėjas 2"), ("en", "Player 2")):
        durak_widget.defaults(language=language)
        for displayed_object in displayed:
            assert all(seat in output for output in displayed_object._repr_mimebundle_().values()), language
