"""Test the entrants of a tournament: a name, an object, a file, a notebook, or another package."""

from __future__ import annotations

import json
import os
import sys
from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from durak_widget import Game, bots
from durak_widget.arena import bot_entrants
from durak_widget.arena import bot_entrants as module
from durak_widget.arena.bot_entrants import build_entrants, extract_bot_code
from durak_widget.errors import BotError
from durak_widget.sandbox.code_runner import SandboxedBot

if TYPE_CHECKING:
    import ast
    from pathlib import Path

FIRST = "def choose(view):\n    return view.legal_moves()[0]\n"


class Last:
    """Plays its last legal move."""

    def choose(self, view, _):
        """Return the last legal move."""
        return view.legal_moves()[-1]


def test_every_kind_of_entrant_is_accepted(tmp_path: Path) -> None:
    """Each has its name and kind: other people's code is text, the caller's bot is an object, a package bot is a name."""
    (tmp_path / "ann.py").write_text("\ufeff" + FIRST, encoding="utf-8")
    (tmp_path / "ben.ipynb").write_text(json.dumps({"cells": [{"cell_type": "code", "source": FIRST}]}))
    found = build_entrants(
        ["careful", "grandmother", Last, Last().choose, bots.get("careful", miserly=True), tmp_path / "ann.py", str(tmp_path / "ben.ipynb")]
    )
    assert [(entrant.name, entrant.kind) for entrant in found] == [
        ("careful", "ours"),
        ("grandmother", "ours"),
        ("Last", "own"),
        ("choose", "own"),
        ("careful(miserly=True)", "own"),
        ("ann", "code"),
        ("ben", "code"),
    ]
    assert found[5].bot_source == FIRST


def test_a_folder_gives_all_its_bots(tmp_path: Path) -> None:
    """In the order of names. Hidden and private files and other files are left out; all entrants except those of a folder can be named."""
    for name in ("b.py", "a.py", "_private.py", ".hidden.py", "notes.txt"):
        (tmp_path / name).write_text(FIRST)
    assert [entrant.name for entrant in build_entrants(tmp_path)] == ["a", "b"]
    assert [entrant.name for entrant in build_entrants({"us": "careful", "them": str(tmp_path)})] == ["us", "a", "b"]


def test_a_folder_may_be_given_by_its_bare_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If it is in the working directory; a name that a bot has means that bot."""
    monkeypatch.chdir(tmp_path)
    for folder in ("handed in", "careful"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "ann.py").write_text(FIRST)
    assert [(entrant.name, entrant.kind) for entrant in build_entrants(["handed in", "careful"])] == [("ann", "code"), ("careful", "ours")]


def test_another_package_provides_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """By an entry point; an installed bot runs in the sandbox like all other people's code."""
    points = [
        EntryPoint("theirs", "durak_widget.bots.heuristic_bots:CarefulBot", module.ENTRY_POINT_GROUP),
        EntryPoint("whole", "some_bot", module.ENTRY_POINT_GROUP),
    ]
    monkeypatch.setattr(module, "entry_points", lambda *, group: points if group == module.ENTRY_POINT_GROUP else [])
    found = build_entrants(["theirs", "whole"])
    assert [entrant.kind for entrant in found] == ["code", "code"]
    assert found[1].bot_source == "from some_bot import choose\n"
    view = Game(seed=7).view(0)
    with SandboxedBot(found[0].bot_source) as bot:
        assert bot.choose_at(view) == str(bots.get("careful").choose(view, None))


def test_the_identity_of_a_bot_is_its_code() -> None:
    """Other code, or other settings, is another bot with the same name."""

    def identity_of(bot: object) -> str:
        return build_entrants({"one": bot, "other": "first"})[0].identity  # type: ignore[dict-item]

    assert identity_of(Last()) == identity_of(Last())
    assert identity_of(bots.get("careful", miserly=True)) != identity_of(bots.get("careful", miserly=False))
    assert identity_of(FIRST) != identity_of(FIRST + "\n")


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        (["careful"], "at least 2 .*not 1"),
        (["careful", "careful"], "'careful'"),
        (["careful", "carefull"], "Did you mean 'careful'"),
        (["careful", "no/such.py"], "read.*file"),
        (["careful", "a\0.py"], "there is no bot"),
        (["careful", 3], "3 is not a bot"),
        (3, "bots must be a list"),
        ({"you": "careful", "b": "first"}, "'you' is none|not 'you'"),
    ],
)
def test_invalid_entrants_are_refused(given: object, wrong: str) -> None:
    """One message each, before anything is played."""
    with pytest.raises(BotError, match=wrong):
        build_entrants(given)  # type: ignore[arg-type]


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    """Too large, not text, not a notebook, without a bot, nested too deeply: one message each."""
    deep = "x = " + "[" * 90 + "]" * 90 + "\n"
    for name, data, wrong in (
        ("big.py", b"#" * 1_000_001, "longer than"),
        ("raw.py", b"\xff\xfe", "UTF-8"),
        ("cut.ipynb", b'{"cells": [', "notebook that can be"),
        ("deep.ipynb", b"[" * 100_000, "notebook that can be"),
        ("none.ipynb", json.dumps({"cells": [{"cell_type": "code", "source": deep}]}).encode(), "defines a bot"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(BotError, match=wrong):
            build_entrants(["careful", tmp_path / name])
    (tmp_path / "empty").mkdir()
    with pytest.raises(BotError, match="there is no bot in"):
        build_entrants(["careful", tmp_path / "empty"])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes by names")
def test_pipes_and_devices_are_refused(tmp_path: Path) -> None:
    """A pipe or a device with the name of a bot file, or a link to one: one message, and no waiting for its end."""
    os.mkfifo(tmp_path / "ann.py")
    with pytest.raises(BotError, match="pipe or a device"):
        build_entrants(["careful", tmp_path / "ann.py"])
    (tmp_path / "ben.py").symlink_to("/dev/zero")
    with pytest.raises(BotError, match="pipe or a device"):
        build_entrants(["careful", tmp_path / "ben.py"])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes and links by names")
def test_invalid_files_of_a_folder_are_left_out_and_listed(tmp_path: Path) -> None:
    """A file without a bot does not stop the tournament, a link is not followed, and each has its reason."""
    good = "def choose(view):\n    return view.legal_moves()[0]\n"
    for name in ("ann.py", "ben.py", "line\nbreak.py", f"{'x' * 200}.py"):
        (tmp_path / name).write_text(good)
    notebook = json.dumps({"cells": [{"cell_type": "code", "source": good}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    (tmp_path / "ann.ipynb").write_text(notebook)
    (tmp_path / "secret.txt").write_text(good)
    (tmp_path / "link.py").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "self.py").symlink_to(tmp_path / "self.py")
    (tmp_path / "folder.py").mkdir()
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "raw.py").write_bytes(b"\xff\xfe")
    (tmp_path / "empty.ipynb").write_bytes(b"")
    left_out: list[str] = []
    assert [entrant.name for entrant in build_entrants(tmp_path, left_out)] == ["ann.ipynb", "ann.py", "ben"]
    odd = ("line", "xxx", "link.py", "self.py", "folder.py", "pipe.py", "raw.py", "empty.ipynb")
    assert len(left_out) == len(odd)
    assert all(any(name in left_out_reason for left_out_reason in left_out) for name in odd)
    assert sum("it is a link" in left_out_reason for left_out_reason in left_out) == 2


def test_a_duplicate_name_in_a_folder_is_left_out(tmp_path: Path) -> None:
    """A file with the name of another bot is left out and listed."""
    good = "def choose(view):\n    return view.legal_moves()[0]\n"
    for name in ("ann.py", "ann.py.py", "careful.py"):
        (tmp_path / name).write_text(good)
    notebook = json.dumps({"cells": [{"cell_type": "code", "source": good}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    (tmp_path / "ann.ipynb").write_text(notebook)
    left_out: list[str] = []
    found = [entrant.name for entrant in build_entrants([tmp_path, "careful"], left_out)]
    assert found == ["ann.ipynb", "ann.py", "careful"]
    assert [("ann.py" in left_out_reason, "careful" in left_out_reason) for left_out_reason in left_out] == [(True, False), (False, True)]


def test_a_notebook_bot_comes_with_its_definitions() -> None:
    """The last bot, its helpers from other cells in their last version, imports and values; no other code."""
    written = [
        "%matplotlib inline\nfrom __future__ import annotations\nimport random, math as m",
        "LOW = 1\nLOW += 1\nrandom.seed(1)\nprint('hello')",
        ["def lowest(view):\n", "    return 1 / 0\n"],
        "def lowest(view):\n    return view.legal_moves()[LOW - 2]",
        "class Mine:\n    def choose(self, view, rng):\n        return lowest(view)\n\nMine().choose(None, None)",
        "this is no Python",
        "!pip install something",
    ]
    text = json.dumps(
        {
            "cells": [
                {"cell_type": "markdown", "source": "def choose(view): pass"},
                *({"cell_type": "code", "source": source} for source in written),
            ]
        }
    )
    code = extract_bot_code(text, "mine.ipynb")
    assert code.splitlines()[0] == "from __future__ import annotations"
    assert "1 / 0" not in code
    assert "hello" not in code
    assert "Mine()" not in code
    assert code.endswith("choose = Mine\n")
    space: dict[str, object] = {}
    exec(compile(code, "<test>", "exec", dont_inherit=True), space)  # noqa: S102 - it is this test's own
    assert space["LOW"] == 2
    assert "m" not in sys.modules


def test_a_notebook_is_scanned_once() -> None:
    """With any number of names, the cells are not searched again for each name."""
    looked: list[ast.stmt] = []
    real = bot_entrants._find_defined_names

    def count_calls(node: ast.stmt) -> set[str]:
        looked.append(node)
        return real(node)

    lines = "".join(f"a{i} = 1\n" for i in range(100))
    text = json.dumps(
        {"cells": [{"cell_type": "code", "source": f"{lines}def choose(view):\n    return {'+'.join(f'a{i}' for i in range(100))}"}]}
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bot_entrants, "_find_defined_names", count_calls)
        assert extract_bot_code(text, "ann.ipynb").startswith(lines.replace("\n", "\n\n"))
    assert len(looked) == 101


def test_in_a_browser_other_peoples_code_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no sandbox in a browser; bots by name and functions of the notebook play as usual."""
    (tmp_path / "ann.py").write_text(FIRST, encoding="utf-8")
    monkeypatch.setattr(module, "sys", SimpleNamespace(platform="emscripten"))
    with pytest.raises(BotError, match=r"'ann'.*Python"):
        build_entrants(["careful", tmp_path / "ann.py"])
    assert [entrant.kind for entrant in build_entrants(["careful", Last()])] == ["ours", "own"]
