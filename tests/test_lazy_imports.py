"""Test public names that are imported on demand and say what they need."""

from __future__ import annotations

import subprocess
import sys

import pytest

from durak_widget import gametheory
from durak_widget.lazy_imports import make_lazy_attributes


def test_a_name_can_come_from_this_or_another_package(monkeypatch):
    """A module has a short name in its own package and its full name elsewhere. The package keeps the result."""
    from durak_widget import rules  # noqa: PLC0415 - the package that gets names here

    get, names = make_lazy_attributes("durak_widget.rules", {"Preset": "preset_catalogue", "Card": "durak_widget.cards"})
    for name in names():
        monkeypatch.delitem(vars(rules), name, raising=False)
        found = get(name)
        assert found.__name__ == name
        assert vars(rules)[name] is found
        monkeypatch.delitem(vars(rules), name)


def test_a_name_with_a_missing_requirement_is_not_listed():
    """`dir` leaves it out. If none is left, the error lists all there are."""
    some = {"Card": "cards", "Game": "engine.game"}
    _, names = make_lazy_attributes("durak_widget", some, needs={"Game": ("json", "no_such_package")})
    assert names() == ["Card"]
    get, names = make_lazy_attributes("durak_widget", some, needs=dict.fromkeys(some, ("no_such_package",)))
    assert names() == []
    with pytest.raises(AttributeError, match=r"durak_widget has no 'Gmae'; it has Card, Game$"):
        get("Gmae")
    with pytest.raises(AttributeError, match=r"durak_widget has no '_ipython_'$"):
        get("_ipython_")


def test_missing_packages_are_named_and_other_errors_unchanged(monkeypatch):
    """An installable package is named. A missing module of this project is a bug."""
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "durak_widget.analysis.pettingzoo_env", raising=False)
    get, _ = make_lazy_attributes("durak_widget.analysis", {"env": "pettingzoo_env", "nothing": "no_such_module"})
    with pytest.raises(gametheory.MissingPackageError, match="this needs PettingZoo: "):
        get("env")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        get("nothing")


def test_packages_with_commands_import_nothing_before_checking_the_path():
    """A foreign folder may be first on the path until the command removes it."""
    for package in ("arena", "lessons", "lazy_imports"):
        code = f"import sys; before = set(sys.modules); import durak_widget.{package}; print(sorted(set(sys.modules) - before))"
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        assert all("durak_widget" in name for name in done.stdout.strip("[]\n").split(", ")), done.stdout
