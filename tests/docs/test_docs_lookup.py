"""Test that the pages on keys and commands list the keys and options that the program has."""

from __future__ import annotations

import argparse
import contextlib
import re
from pathlib import Path

import pytest

from durak_widget.arena import command_line as arena
from durak_widget.grading import command_line as grading
from durak_widget.lessons import notebook_installer
from durak_widget.live import command_line as class_command

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "durak_widget" / "frontend" / "src"
KEYBOARD = (ROOT / "docs" / "keyboard.md").read_text(encoding="utf-8")
COMMANDS = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")


def section_text(page: str, heading: str) -> str:
    """Return the text under a heading of a page."""
    assert f"\n## {heading}\n" in page
    return page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def listed_keys(heading: str) -> set[str]:
    """Return the letters and signs that the page lists; a key with Ctrl counts as the letter."""
    keys = {key.rpartition("+")[2] or key for key in re.findall(r"`([^` ]+)`", section_text(KEYBOARD, heading))}
    return {key.replace("−", "-").lower() for key in keys if len(key) == 1 and key not in "←→↑↓" and not key.isdigit()}


@pytest.mark.parametrize(
    ("heading", "sources"),
    [
        ("Table", ["table/intents/actions.ts", "widgets/protocol/scene.ts"]),
        ("Tree", ["board/intents/tree-keys.ts"]),
        ("Tree editor", ["editor/toolbar.ts"]),
    ],
)
def test_the_keyboard_page_lists_all_keys(heading, sources):
    """Letters and signs; the spare keys for zooming are left out."""
    text = "\n".join((SOURCES / source).read_text(encoding="utf-8") for source in sources)
    rows = re.findall(r"actions: \{(.*?)\}[,\s]*\}", text, re.DOTALL)
    assert rows
    keys = {key for row in rows for key in re.findall(r'"?([^\s":,]+)"?: (?:\[?")', row)}
    keys |= set(re.findall(r'(?:press|run)Row\("(.)"', text)) | set(re.findall(r'by: "\w+", key: "(.)"', text))
    shown = {key.rpartition("+")[2] or key for key in keys}
    assert {key for key in shown if len(key) == 1 and not key.isdigit()} - {"=", "_"} == listed_keys(heading)


def options_of(run, *arguments: str, monkeypatch) -> set[str]:
    """Return the options of the parser that a command uses."""
    parsers: list[argparse.ArgumentParser] = []

    def parse(parser, _args=None, _namespace=None):
        parsers.append(parser)
        raise SystemExit(0)

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse)
    with contextlib.suppress(SystemExit):  # some commands return its code instead
        run([*arguments])
    return {option for action in parsers[0]._actions for option in action.option_strings if option.startswith("--")} - {"--help"}


@pytest.mark.parametrize(
    ("heading", "run"),
    [
        ("durak-marks", grading.mark_command),
        ("durak-marks report", grading.report_command),
        ("durak-marks hand-out", grading.hand_out_command),
        ("durak-marks deals", grading.deals_command),
        ("durak-arena", arena.main),
        ("durak-lessons", notebook_installer.main),
        ("durak-class", class_command.main),
    ],
)
def test_the_page_on_commands_lists_all_options(heading, run, monkeypatch):
    """`report` also has most options of `durak-marks`, and the page says which it has not."""
    listed = set(re.findall(r"`(--[a-z-]+)", section_text(COMMANDS, heading)))
    options = options_of(run, monkeypatch=monkeypatch)
    if run is grading.report_command:
        marks = set(re.findall(r"`(--[a-z-]+)", section_text(COMMANDS, "durak-marks")))
        assert listed >= options - marks
        assert listed - options == marks - options
    else:
        assert listed == options


def test_the_page_on_commands_has_every_command():
    """Each command of the package has a heading."""
    scripts = re.findall(r"^(durak-\w+) = ", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    names = {*scripts, *(f"durak-marks {name}" for name in grading.COMMANDS if name != "mark")}
    assert names <= set(re.findall(r"^## (.+)$", COMMANDS, re.MULTILINE))
