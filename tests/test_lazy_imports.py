"""Public names are imported when you ask for them, and say what they need."""

from __future__ import annotations

import subprocess
import sys

import pytest

from durak_widget import gametheory
from durak_widget.lazy_imports import make_lazy_attributes


def test_a_name_comes_from_its_module_here_or_elsewhere(monkeypatch):
    """A module has a short name in its own package, and its full name elsewhere; the package keeps what was found."""
    from durak_widget import rules  # noqa: PLC0415 - the package that gets names here

    get, names = make_lazy_attributes("durak_widget.rules", {"Preset": "preset_catalogue", "Card": "durak_widget.cards"})
    for name in names():
        monkeypatch.delitem(vars(rules), name, raising=False)
        found = get(name)
        assert found.__name__ == name
        assert vars(rules)[name] is found
        monkeypatch.delitem(vars(rules), name)


def test_a_name_that_needs_a_missing_package_is_not_listed():
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


def test_a_missing_package_is_named_and_other_errors_stay_what_they_are(monkeypatch):
    """A package that you can install is named. A module of ours that does not exist is a mistake of ours."""
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "durak_widget.analysis.pettingzoo_env", raising=False)
    get, _ = make_lazy_attributes("durak_widget.analysis", {"env": "pettingzoo_env", "nothing": "no_such_module"})
    with pytest.raises(gametheory.MissingPackageError, match="this needs PettingZoo: "):
        get("env")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        get("nothing")


def test_packages_whose_commands_look_at_the_path_first_import_nothing():
    """Somebody else's folder may come first on the path until the command has taken it off."""
    for package in ("arena", "lessons", "lazy_imports"):
        code = f"import sys; before = set(sys.modules); import durak_widget.{package}; print(sorted(set(sys.modules) - before))"
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        assert all("durak_widget" in name for name in done.stdout.strip("[]\n").split(", ")), done.stdout
