"""The public names of theory, with the packages that some of them need and without."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib.util import find_spec
from types import SimpleNamespace

import pytest

from durak_widget import analysis, gametheory
from durak_widget.gametheory import optional_dependencies

REFUSES = """
import sys

class Refuses:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"numpy", "scipy", "pyspiel", "open_spiel", "pettingzoo", "gymnasium", "pygambit", "matplotlib", "anywidget"}:
            {how}

sys.meta_path.insert(0, Refuses())
"""
BLOCKED = {
    "refused": REFUSES.replace("{how}", "raise ModuleNotFoundError(name=name)"),
    "hidden": """
import sys
sys.modules.update(dict.fromkeys(("numpy", "scipy", "pyspiel", "open_spiel", "pettingzoo", "gymnasium", "pygambit", "matplotlib", "anywidget")))
""",
}


@pytest.mark.slow
def test_help_and_star_need_no_other_package():
    """`help`, `inspect.getmembers` and `import *` show what is there without them; what is not there says what to install."""
    for known in BLOCKED.values():
        code = """
import inspect, pydoc
from durak_widget import analysis, board, gametheory
assert "best_response" in pydoc.render_doc(gametheory) and "worlds" in pydoc.render_doc(analysis) and pydoc.render_doc(board)
names = {}
for face in (analysis, gametheory):
    exec(f"from {face.__name__} import *", names)
    assert set(face.__all__) == set(dir(face)) == set(dict(inspect.getmembers(face))) <= set(names)
for face, name in ((gametheory, "CFR"), (board, "Tree"), (board, "Matrix"), (analysis, "openspiel"), (analysis, "pettingzoo")):
    assert name not in names
    try:
        getattr(face, name)
    except gametheory.MissingError as error:
        assert "pip install" in str(error)
    else:
        raise SystemExit(name)
try:
    analysis.bild
except AttributeError as error:
    assert "it has Count, " in str(error) and "openspiel" not in str(error)
else:
    raise SystemExit("bild")
"""
        done = subprocess.run([sys.executable, "-c", known + code], check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_the_table_says_what_it_needs_as_a_tree_does():
    """Whoever has installed the package alone hears one sentence, not that there is no module of some other name."""
    for hidden in (("anywidget",), ("anywidget", "traitlets", "ipywidgets")):
        code = f"""
import sys
sys.modules.update(dict.fromkeys({hidden!r}))
import durak_widget
from durak_widget import board
said = set()
for room, name in ((durak_widget, "Table"), (board, "Tree"), (board, "Matrix")):
    try:
        getattr(room, name)
    except ImportError as error:
        said.add(f"{{type(error).__name__}}: {{error}}")
[said] = said
print(said)
"""
        done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
        assert done.stdout.startswith("MissingError: a table or a tree in the notebook needs anywidget: pip install anywidget. "), (
            done.stderr
        )


def test_what_is_installed_is_shown():
    """`dir` has a name that needs packages where these are found, and only there; `import *` never has it."""
    assert not set(analysis._NEEDS) & set(analysis.__all__)
    for name, packages in analysis._NEEDS.items():
        there = all(find_spec(package) for package in packages)
        assert (name in dir(analysis)) == there
        assert not there or name in dict(inspect.getmembers(analysis))


def test_every_name_can_be_had_and_others_are_refused_with_the_list():
    """Each has a docstring; a name that is none is answered by all there are."""
    for name in dir(analysis):
        assert getattr(analysis, name).__doc__, name
    assert analysis.__all__ == sorted(analysis.__all__)
    with pytest.raises(AttributeError, match=r"durak_widget\.analysis has no 'bild'; it has Count, ") as refused:
        _ = analysis.bild
    assert str(refused.value).endswith(", ".join(dir(analysis)))


def test_a_package_without_a_spec_is_not_there(monkeypatch):
    """A module that somebody put in its place is none that can be used."""
    monkeypatch.setitem(sys.modules, "pyspiel", type(sys)("pyspiel"))
    assert not optional_dependencies.is_there("pyspiel")
    assert "openspiel" not in dir(analysis)


@pytest.mark.parametrize(
    ("platform", "notebook", "package", "helps"),
    [
        ("linux", False, "numpy", "this needs numpy and scipy: pip install 'durak_widget[theory]'. Without"),
        ("linux", True, "scipy", "this needs numpy and scipy: run %pip install numpy scipy in a cell of its own, and ask again. Without"),
        (
            "emscripten",
            True,
            "numpy",
            "this needs numpy and scipy: run %pip install numpy scipy in a cell of its own, and ask again. Without",
        ),
        ("emscripten", False, "numpy", "this needs numpy and scipy: await micropip.install(['numpy', 'scipy']). Without"),
        ("emscripten", True, "pyspiel", "this needs OpenSpiel: Python in a browser cannot have it; elsewhere: pip install "),
    ],
)
def test_what_is_missing_says_what_helps_there(monkeypatch, platform, notebook, package, helps):
    """In a terminal pip, in a notebook its cell, in a browser what a browser has: nobody is told to do what cannot be done there."""
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: object() if notebook else None))
    with pytest.raises(gametheory.MissingError) as missing, optional_dependencies.needing():
        raise ImportError(name=package)
    assert str(missing.value).startswith(helps)
