"""A plugin of pytest: says at the start how long the tests take here, and as they go how far they are; `--note-seconds` keeps what they took for that.

What each file takes is kept in tests/data/seconds.json with how long a small loop took beside it, so that a slower machine is told of more minutes.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

sys.modules.setdefault("rfc3987_syntax", None)  # jsonschema, which nbval loads, has it build grammars for seconds, and can do without it
KEPT = Path(__file__).resolve().parent.parent / "tests" / "data" / "seconds.json"
EVERY = 30  # seconds between two lines
USUAL = 0.05  # seconds of a test that nothing is known of


def loop() -> float:
    """Seconds of a small loop: the best of three, for others may be at work here."""

    def once() -> float:
        began = time.perf_counter()
        sum(number * number % 7 for number in range(300_000))
        return time.perf_counter() - began

    return min(once() for _ in range(3))


def minutes(seconds: float) -> str:
    """As one says it.

    >>> minutes(20), minutes(80), minutes(500)
    ('less than a minute', 'about a minute', 'about 8 minutes')
    """
    whole = round(seconds / 60)
    return "less than a minute" if seconds < 40 else f"about {whole} minutes" if whole > 1 else "about a minute"


def file_of(nodeid: str) -> str:
    """The file of a test."""
    return nodeid.partition("::")[0]


class HowFar:
    """Counts the work that is done, on the side that sees all tests."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.kept: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.is_file() else {"loop": loop(), "files": {}}
        self.each: dict[str, float] = {}
        """What one test of a file takes, in seconds of the machine that they were kept on."""
        self.all = self.done = self.here = 0.0
        """Of the work in seconds of that machine: all, and what is done; and how long all takes on this one."""
        self.took: Counter[str] = Counter()
        self.began = self.said = time.monotonic()

    def say(self, text: str) -> None:
        """A line of its own among the dots."""
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.ensure_newline()
            reporter.write_line(text)

    def begin(self, nodeids: Iterable[str], processes: int) -> None:
        """These are to be run."""
        counts = Counter(map(file_of, nodeids))
        files = self.kept["files"]
        self.each = {file: files.get(file, USUAL * count) / count for file, count in counts.items()}
        self.all = sum(self.each[file] * count for file, count in counts.items())
        self.here = self.all / processes * loop() / self.kept["loop"]
        self.say(f"{sum(counts.values())} tests: {minutes(self.here)} here, in {processes} process{'es' * (processes > 1)}")

    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """The processes know what there is; each says the same."""
        if not self.all:
            self.begin(ids, len(self.config.getoption("tx")))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """One process alone."""
        if session.items and not self.config.getoption("numprocesses", None):
            self.begin([item.nodeid for item in session.items], 1)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One more; now and then a line says how far it is."""
        file = file_of(report.nodeid)
        self.took[file] += report.duration
        if report.when != "teardown" or not self.all:
            return
        self.done += self.each.get(file, 0)
        now = time.monotonic()
        if now - self.said >= EVERY:
            self.said = now
            share = min(1.0, self.done / self.all)
            whole = (now - self.began) / share if share > 0.1 else self.here  # the first tests say little of the others
            self.say(f"-- {share:.0%} of the work is done; {minutes(whole * (1 - share))} to go")

    def pytest_sessionfinish(self) -> None:
        """Keep what it took, if that was asked for; files that were not run keep theirs."""
        if self.config.getoption("--note-seconds"):
            files = {**self.kept["files"], **{file: round(seconds, 2) for file, seconds in self.took.items()}}
            kept = {"loop": round(loop(), 4), "files": {file: files[file] for file in sorted(files)}}
            KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--note-seconds` keeps what each file took, for the next time."""
    parser.addoption("--note-seconds", action="store_true", help="keep in tests/data/seconds.json how long each file of tests takes")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Count where all is seen: not in the processes that do the work, nor where tests are only listed."""
    if not hasattr(config, "workerinput") and not config.option.collectonly:
        config.pluginmanager.register(HowFar(config))
