"""Do the tests hang on anything of the machine? Runs them with other fonts, sizes, languages, time zones and hashes, and under load.

`make test-release` runs them all, which takes an hour or two; `python tools/anywhere.py dejavu turkish` only these. Nothing is installed:
fonts and languages are chosen for the runs alone, and what this machine does not have is said and left out. `noto+russian` is both at once.
Fonts are looked for where the machine has them and in the folders of DURAK_FONTS, which may be unpacked there (`dpkg -x`).
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parent.parent
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  {folders}
  <cachedir>{home}/cache</cachedir>
  <include ignore_missing="yes">/etc/fonts/conf.d</include>
</fontconfig>
"""
BROWSER, OTHERS, ALL = "browser", "not browser", ""


class NotHereError(Exception):
    """A circumstance that this machine cannot be put in, and why."""


class Circumstance(NamedTuple):
    """How the tests are run."""

    about: str
    tests: str
    """Which of them: an expression of marks."""
    environment: Callable[[Path], dict[str, str]] = lambda _: {}
    """What is set for them, given a folder for what that needs."""
    busy: int = 0
    """So many busy loops run beside them."""
    times: int = 1


class Result(NamedTuple):
    """What came of one run."""

    name: str
    passed: int
    failed: int
    seconds: float
    note: str = ""


def fonts(family: str) -> Callable[[Path], dict[str, str]]:
    """Only the fonts of the folders in which this family lies."""

    def environment(home: Path) -> dict[str, str]:
        brought = [folder for folder in os.environ.get("DURAK_FONTS", "").split(os.pathsep) if folder]
        asked = (["fc-list", family, "file"], ["fc-scan", "--format", "%{file}:%{family}\n", *brought])
        listed = [
            subprocess.run(command, capture_output=True, text=True, check=False).stdout
            for command in (asked if brought else asked[:1])
            if shutil.which(command[0])
        ]
        files = [line.partition(":")[::2] for found in listed for line in found.splitlines()]
        folders = sorted({str(Path(file).parent) for file, name in files if not name.strip() or family in name.split(",")})
        if not folders:
            raise NotHereError(f"the font {family} is not installed")
        config = home / "fonts.conf"
        config.write_text(FONTS.format(folders="\n  ".join(f"<dir>{folder}</dir>" for folder in folders), home=home), encoding="utf-8")
        return {"FONTCONFIG_FILE": str(config), "DURAK_FONT": "machine"}

    return environment


def language(code: str) -> Callable[[Path], dict[str, str]]:
    """The language of the system and of the browser, made for this run if the system does not have it."""

    def environment(home: Path) -> dict[str, str]:
        name = f"{code}.UTF-8"
        known = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout if shutil.which("locale") else ""
        found = {"LANG": name, "LC_ALL": name, "LANGUAGE": code, "DURAK_CHROMIUM": f"--lang={code[:2]} --accept-lang={code[:2]}"}
        if f"{code}.utf8" in known.splitlines():
            return found
        made = ["localedef", "-i", code, "-f", "UTF-8", str(home / name)]
        if not shutil.which("localedef") or subprocess.run(made, capture_output=True, check=False).returncode:
            raise NotHereError(f"the locale {name} is not here and cannot be made")
        return {**found, "LOCPATH": str(home)}

    return environment


def setting(**names: str) -> Callable[[Path], dict[str, str]]:
    """Just these names of the environment."""
    return lambda _: names


CIRCUMSTANCES = {
    "here": Circumstance("as this machine is", ALL, setting(DURAK_FONT="machine")),
    "liberation": Circumstance("no fonts but Liberation", BROWSER, fonts("Liberation Sans")),
    "dejavu": Circumstance("no fonts but DejaVu", BROWSER, fonts("DejaVu Sans")),
    "noto": Circumstance("no fonts but Noto", BROWSER, fonts("Noto Sans")),
    "zoom": Circumstance("1.25 pixels of the screen to one of the page", BROWSER, setting(DURAK_ZOOM="1.25")),
    "turkish": Circumstance("in Turkish", ALL, language("tr_TR")),
    "russian": Circumstance("in Russian", ALL, language("ru_RU")),
    "kathmandu": Circumstance("in another time zone", ALL, setting(TZ="Asia/Kathmandu")),
    "hash": Circumstance("with other hashes", OTHERS, setting(PYTHONHASHSEED="1")),
    "load": Circumstance("two busy loops beside", BROWSER, busy=2, times=5),
}


def together(names: str) -> Circumstance:
    """One circumstance, or several at once: `noto+russian`."""
    ones = [CIRCUMSTANCES[name] for name in names.split("+")]
    if len(ones) == 1:
        return ones[0]
    return Circumstance(
        ", ".join(one.about for one in ones),
        ones[0].tests if len({one.tests for one in ones}) == 1 else ALL,
        lambda home: {name: value for one in ones for name, value in one.environment(home).items()},
        max(one.busy for one in ones),
        max(one.times for one in ones),
    )


@contextlib.contextmanager
def busy(loops: int) -> Iterator[None]:
    """Keep the machine busy meanwhile."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for loop in running:
            loop.kill()
            loop.wait()


def run(name: str, circumstance: Circumstance, arguments: list[str]) -> Result:
    """Run the tests in a circumstance; what they print is seen as it comes."""
    print(f"== {name}: {circumstance.about}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        try:
            environment = {**os.environ, **circumstance.environment(home)}
        except NotHereError as reason:
            print(f"left out: {reason}", flush=True)
            return Result(name, 0, 0, 0, f"left out: {reason}")
        report = home / "report.xml"
        marks = ["-m", circumstance.tests] if circumstance.tests else []
        began = time.monotonic()
        with busy(circumstance.busy):
            command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--junitxml={report}", *marks, *arguments]
            status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        seconds = time.monotonic() - began
        if not report.is_file():
            return Result(name, 0, 1, seconds, f"pytest ended with {status}")
        total = {key: int(value) for key, value in ET.parse(report).getroot()[0].items() if value.isdecimal()}  # noqa: S314 - our own
        failed = total["failures"] + total["errors"]
        return Result(name, total["tests"] - failed - total["skipped"], failed or int(status not in {0, 5}), seconds)


def main() -> int:
    """Run what was asked for, and print the table."""
    lines = [f"  {name:11} {one.about}{f', {one.times} times' * (one.times > 1)}" for name, one in CIRCUMSTANCES.items()]
    parser = argparse.ArgumentParser(
        description=__doc__, epilog="circumstances:\n" + "\n".join(lines), formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("where", nargs="*", metavar="circumstance", help="which of those below; all, if none is named")
    parser.add_argument("--pytest", default="", help="more options for pytest, in one text")
    parser.add_argument("--times", type=int, help="how often in each of them, if not as often as it says")
    given = parser.parse_args()
    unknown = [name for names in given.where for name in names.split("+") if name not in CIRCUMSTANCES]
    if unknown:
        parser.error(f"there is no {unknown[0]}; there are {', '.join(CIRCUMSTANCES)}")
    results = [
        run(f"{name} {turn}" if times > 1 else name, one, shlex.split(given.pytest))
        for name, one in ((name, together(name)) for name in given.where or CIRCUMSTANCES)
        for times in (given.times or one.times,)
        for turn in range(1, times + 1)
    ]
    wide = max(12, *(len(result.name) for result in results))
    print(f"{'circumstance':{wide}} {'passed':>7} {'failed':>7} {'seconds':>8}")
    for result in results:
        print(f"{result.name:{wide}} {result.passed:7} {result.failed:7} {result.seconds:8.0f}  {result.note}".rstrip())
    return int(any(result.failed for result in results))


if __name__ == "__main__":
    sys.exit(main())
