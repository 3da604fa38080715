"""Updates examples in docs, docstrings and notebooks whose output has changed.

It also writes the generated pages again.

    python tools/update_examples.py               # everything
    python tools/update_examples.py docs/table.md durak_widget/i18n notebooks/01_first_bout.ipynb

Use it after you reworded a sentence, and read the diff before you commit: it writes down whatever the examples print. Examples that raise an
error where they should not, and outputs with `...` in them, are listed for you to change by hand.
"""

from __future__ import annotations

import doctest
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ("durak_widget", "docs", "README.md", "CONTRIBUTING.md")


class Change(NamedTuple):
    """A replacement of some lines of a file by new lines."""

    line: int
    before: list[str]
    after: list[str]


class Collector:
    """A pytest plugin that collects what each failed example printed."""

    def __init__(self) -> None:
        self.changes: dict[Path, list[Change]] = defaultdict(list)
        self.by_hand: list[str] = []

    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """Collect each failed example of a test item."""
        if call.excinfo is None:
            return
        error = call.excinfo.value
        for failure in getattr(error, "failures", [error]):
            if isinstance(failure, doctest.DocTestFailure):
                self.note(failure.test, failure.example, failure.got)
            elif not isinstance(error, pytest.skip.Exception):
                self.by_hand.append(f"{item.nodeid}: {type(failure).__name__}")

    def note(self, test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        """Collect the change of an example that printed `got`."""
        path, line = Path(str(test.filename)), (test.lineno or 0) + example.lineno + example.source.count("\n")
        if example.want and not example.exc_msg and "..." in example.want:
            self.by_hand.append(f"{path}:{line + 1}: the output has ... in it")
            return
        if example.exc_msg and not got.startswith("Traceback"):
            self.by_hand.append(f"{path}:{line + 1}: it no longer raises an error")
            return
        if example.exc_msg:
            head = example.want[: example.want.rindex(example.exc_msg)] if example.exc_msg in example.want else ""
            got = head + _message_of_traceback(got)
        indent = " " * example.indent
        before = [indent + text if text else text for text in example.want.splitlines()]
        after = [indent + (text or "<BLANKLINE>") for text in got.splitlines()]
        self.changes[path].append(Change(line, before, after))


def _message_of_traceback(text: str) -> str:
    """Return the last part of a traceback, which has the error and its message."""
    lines = text.splitlines()
    start = next(number for number, line in enumerate(lines) if number and line and not line.startswith(" "))
    return "\n".join(lines[start:]) + "\n"


def _count_indent(text: str) -> int:
    """Return the number of spaces at the start of a line."""
    return len(text) - len(text.lstrip(" "))


def rewrite(path: Path, changes: list[Change]) -> list[str]:
    """Apply changes to a file; return a line of text for each change that does not match it."""
    lines, mismatches = path.read_text(encoding="utf-8").split("\n"), []
    for line, before, after in sorted(changes, reverse=True):
        end = line + len(before)
        found = lines[line:end]
        # From Python 3.13 on, docstrings have no indentation, so the examples in them have less than the file
        indent = " " * (_count_indent(found[0]) - _count_indent(before[0])) if found and before else ""
        expected, replacement = ([indent + text if text else text for text in texts] for texts in (before, after))
        if [text.rstrip() for text in found] == [text.rstrip() for text in expected]:
            lines[line:end] = replacement
        elif len(expected) == 1 and found and found[0].startswith(expected[0]) and found[0].endswith('"""'):
            lines[line] = replacement[0] + '"""'
        else:
            mismatches.append(f"{path}:{line + 1}: cannot find the output in the file")
    path.write_text("\n".join(lines), encoding="utf-8", newline="\n")
    return mismatches


def main() -> int:
    """Update the examples in the given files and folders, or in all."""
    named = sys.argv[1:]
    notebooks = [name for name in named if name.endswith(".ipynb")]
    pages = [name for name in named if not name.endswith(".ipynb")]
    by_hand: list[str] = []
    if pages or not named:
        collector = Collector()
        options = ["-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-n", "0", "--doctest-continue-on-failure"]
        code = pytest.main([*options, *(pages or [str(ROOT / name) for name in EXAMPLES])], plugins=[collector])
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
            return int(code)
        by_hand = collector.by_hand
        for path, changes in collector.changes.items():
            by_hand += rewrite(path, changes)
            print(f"{path}: {len(changes)} examples")
    if not named:
        subprocess.run([sys.executable, str(ROOT / "tools" / "pages.py")], check=True)  # Writes the generated pages and images again
    if notebooks or not named:
        subprocess.run([sys.executable, str(ROOT / "tools" / "notebooks.py"), *notebooks], check=True)
    print(*(f"change by hand: {line}" for line in by_hand), sep="\n")
    return 1 if by_hand else 0


if __name__ == "__main__":
    sys.exit(main())
