"""Test `durak-lessons`, which copies the lessons into a folder and never overwrites a student's work."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from durak_widget import safe_import_path
from durak_widget.lessons import notebook_installer

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


def test_all_lessons_are_copied_with_working_links(tmp_path, capsys):
    """Each is a valid notebook; only links to the docs are changed."""
    assert notebook_installer.main([str(tmp_path / "new" / "folder"), "--no-open"]) == 0
    assert capsys.readouterr().out == f"{len(NOTEBOOKS)} lessons are new in {tmp_path / 'new' / 'folder'}\n"
    found = sorted((tmp_path / "new" / "folder").iterdir())
    assert [path.name for path in found] == [path.name for path in NOTEBOOKS]
    for path, source in zip(found, NOTEBOOKS, strict=True):
        nbformat.validate(nbformat.read(path, as_version=4))
        text = path.read_text(encoding="utf-8")
        assert "](../docs/" not in text
        assert text.replace(notebook_installer._DOCS_URL, "../docs/") == source.read_text(encoding="utf-8")


def test_existing_files_are_not_overwritten(tmp_path, capsys):
    """A second copy keeps them."""
    mine = tmp_path / NOTEBOOKS[3].name
    mine.write_text("mine", encoding="utf-8")
    assert notebook_installer.main([str(tmp_path), "--no-open"]) == 0
    assert notebook_installer.main([str(tmp_path), "--no-open"]) == 0
    assert mine.read_text(encoding="utf-8") == "mine"
    first, second = capsys.readouterr().out.splitlines()
    assert re.search(r"; 1 \D+$", first)
    assert re.fullmatch(rf"0 \D+ {re.escape(str(tmp_path))}; {len(NOTEBOOKS)} \D+", second)


@pytest.mark.parametrize("opens", [True, False])
def test_the_first_lesson_is_opened_if_jupyterlab_is_installed(tmp_path, monkeypatch, capsys, opens):
    """Otherwise a message says what to install."""
    ran = []
    monkeypatch.setattr(notebook_installer, "is_installed", lambda _: opens)
    monkeypatch.setattr(
        notebook_installer.subprocess, "run", lambda command, **_: ran.append(command) or type("Done", (), {"returncode": 0})
    )
    assert notebook_installer.main([str(tmp_path)]) == 0
    assert [command[command.index(notebook_installer._OPEN_CODE) + 1] for command in ran] == (
        [str(tmp_path / "00_welcome.ipynb")] if opens else []
    )
    assert ("pip install 'durak_widget[lab]'" in capsys.readouterr().out) is not opens


def test_an_unwritable_folder_is_reported(tmp_path, capsys):
    """A file is in its place."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert notebook_installer.main([str(tmp_path / "file"), "--no-open"]) == 1
    assert "folder for the lessons" in capsys.readouterr().err


@pytest.mark.slow
def test_jupyterlab_imports_no_module_from_the_folder(tmp_path) -> None:
    """`durak-lessons .` beside a `pathlib.py` starts JupyterLab, and that file does not run."""
    (tmp_path / "pathlib.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nraise ImportError\n")
    start = [sys.executable, *safe_import_path.START_OPTIONS, "-c", notebook_installer._OPEN_CODE]
    command = [*start, "--version", *safe_import_path.build_worker_path(str(tmp_path))]
    known = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**known, notebook_installer._PYTHONPATH_VARIABLE: str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout[0].isdigit()
    assert not (tmp_path / "ran").exists()
