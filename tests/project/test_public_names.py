"""Test the public names of analysis, board, editor, gametheory and live, with and without optional packages."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from importlib.util import find_spec
from types import SimpleNamespace

import pytest

from durak_widget import analysis, board, editor, gametheory, live, optional_dependencies

NEEDS = {
    analysis: analysis._REQUIRED_PACKAGES,
    board: dict.fromkeys(board.__all__, ("anywidget",)),
    editor: dict.fromkeys(editor.__all__, ("anywidget",)),
    gametheory: gametheory._REQUIRED_PACKAGES,
    live: live._REQUIRED_PACKAGES,
}
"""The packages that public names need, by the package that has these names."""
EVERY = pytest.mark.parametrize("package", NEEDS, ids=[package.__name__ for package in NEEDS])

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
def test_help_and_import_star_need_no_other_package():
    """`help`, `inspect.getmembers` and `import *` show what works; other names say what to install."""
    for known in BLOCKED.values():
        code = """
import inspect, pydoc
from durak_widget import analysis, board, editor, gametheory
assert "best_response" in pydoc.render_doc(gametheory) and "worlds" in pydoc.render_doc(analysis)
names = {}
for package in (analysis, gametheory):
    exec(f"from {package.__name__} import *", names)
    assert set(package.__all__) == set(dir(package)) == set(dict(inspect.getmembers(package))) <= set(names)
for package in (board, editor):
    assert pydoc.render_doc(package) and dir(package) == inspect.getmembers(package) == []
    try:
        exec(f"from {package.__name__} import *", names)
    except gametheory.MissingPackageError as error:
        assert "pip install anywidget" in str(error)
    else:
        raise SystemExit(package.__name__)
needing = [(package, name) for package in (board, editor) for name in package.__all__]
for package, name in ((gametheory, "CFR"), (analysis, "openspiel"), (analysis, "pettingzoo"), *needing):
    assert name not in names
    try:
        getattr(package, name)
    except gametheory.MissingPackageError as error:
        assert "pip install" in str(error)
    else:
        raise SystemExit(name)
try:
    analysis.bild
except AttributeError as error:
    assert "it has DoubleDummyResult, " in str(error) and "openspiel" not in str(error)
else:
    raise SystemExit("bild")
"""
        done = subprocess.run([sys.executable, "-c", known + code], check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_table_and_board_give_the_same_message_without_anywidget():
    """It says what to install."""
    for hidden in (("anywidget",), ("anywidget", "traitlets", "ipywidgets")):
        code = f"""
import sys
sys.modules.update(dict.fromkeys({hidden!r}))
import durak_widget
from durak_widget import board, editor
said = set()
for package, name in ((durak_widget, "Table"), (board, "Tree"), (board, "Matrix"), (editor, "Sketch"), (editor, "MatrixSketch")):
    try:
        getattr(package, name)
    except ImportError as error:
        said.add(f"{{type(error).__name__}}: {{error}}")
[said] = said
print(said)
"""
        done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
        assert re.match(r"MissingPackageError: .*\banywidget: pip install anywidget\. ", done.stdout), done.stderr


@EVERY
def test_dir_lists_what_is_installed(package):
    """A name that needs other packages is in `dir` only if Python finds these; `help` shows the same names."""
    for name, packages in NEEDS[package].items():
        is_installed = all(find_spec(needed) for needed in packages)
        assert (name in dir(package)) == is_installed
        assert not is_installed or name in dict(inspect.getmembers(package))


@pytest.mark.parametrize("package", [analysis, gametheory], ids=["analysis", "gametheory"])
def test_import_star_gives_names_that_need_only_python(package):
    """In `board` and `editor` every name needs anywidget."""
    assert not NEEDS[package].keys() & set(package.__all__)


@EVERY
def test_every_public_name_has_a_docstring(package):
    """Each name that `dir` lists is there, and `__all__` is sorted."""
    assert dir(package)
    for name in dir(package):
        assert getattr(package, name).__doc__, name
    assert package.__all__ == sorted(package.__all__)
    assert set(package.__all__) <= set(dir(package))


@EVERY
def test_an_unknown_name_is_refused_with_the_list(package):
    """The message lists every public name."""
    with pytest.raises(AttributeError, match=rf"{package.__name__} has no 'bild'; it has {dir(package)[0]}, ") as refused:
        _ = package.bild
    assert str(refused.value).endswith(", ".join(dir(package)))


@pytest.mark.parametrize(
    ("package", "name", "needed"), [(analysis, "openspiel", "pyspiel"), (board, "Tree", "anywidget"), (gametheory, "CFR", "numpy")]
)
def test_a_module_without_a_spec_is_not_installed(monkeypatch, package, name, needed):
    """A test or a user may have put an empty module in its place."""
    monkeypatch.setitem(sys.modules, needed, type(sys)(needed))
    assert not optional_dependencies.is_installed(needed)
    assert name not in dir(package)


@pytest.mark.parametrize(
    ("platform", "notebook", "package", "helps"),
    [
        ("linux", False, "numpy", "this needs numpy and scipy: pip install 'durak_widget[theory]'. Without"),
        ("linux", True, "scipy", "this needs numpy and scipy: run %pip install numpy scipy in a"),
        (
            "emscripten",
            True,
            "numpy",
            "this needs numpy and scipy: run %pip install numpy scipy in a",
        ),
        ("emscripten", False, "numpy", "this needs numpy and scipy: await micropip.install(['numpy', 'scipy']). Without"),
        ("linux", False, "segno", "a live class session needs tornado and segno: pip install 'durak_widget[live]'. Without"),
        ("linux", True, "tornado", "a live class session needs tornado and segno: run %pip install tornado segno in a"),
        ("emscripten", False, "tornado", "a live class session needs tornado and segno: Python in a browser cannot"),
        ("emscripten", True, "pyspiel", "this needs OpenSpiel: Python in a browser cannot"),
    ],
)
def test_messages_on_missing_packages_fit_the_platform(monkeypatch, platform, notebook, package, helps):
    """A terminal, a notebook and a browser each get a command that works there."""
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: object() if notebook else None))
    with pytest.raises(gametheory.MissingPackageError) as missing, optional_dependencies.explain_missing_packages():
        raise ImportError(name=package)
    assert str(missing.value).startswith(helps)
