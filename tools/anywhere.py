"""Runs the tests under other conditions, to find out whether they depend on this machine.

The conditions are other fonts, sizes, languages, time zones and hashes, and a busy machine.

`make test-release` runs the tests under all conditions, which takes an hour or two. `python tools/anywhere.py
dejavu turkish` uses only two of them, one after the other, and `noto+russian` uses two at once. Nothing is
installed: fonts and languages are chosen for one run, and a condition that this machine can't provide is reported
and left out. Fonts are looked for on the machine and in the folders of DURAK_FONTS, which may contain unpacked
packages (`dpkg -x`).
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
    """An error because this machine can't provide a condition, with the reason."""


class Circumstance(NamedTuple):
    """A condition under which to run the tests, such as another font."""

    about: str
    tests: str
    """The tests to run, as a pytest mark expression; empty for all tests."""
    environment: Callable[[Path], dict[str, str]] = lambda _: {}
    """A function that returns environment variables for the tests; its argument is a folder for files that they
    need."""
    busy: int = 0
    """The number of busy loops that run during the tests."""
    times: int = 1


class Result(NamedTuple):
    """The result of one run of the tests."""

    name: str
    passed: int
    failed: int
    seconds: float
    note: str = ""


def fonts(family: str) -> Callable[[Path], dict[str, str]]:
    """Provide only the fonts in the folders that contain a font family."""

    def environment(home: Path) -> dict[str, str]:
        extra_folders = [folder for folder in os.environ.get("DURAK_FONTS", "").split(os.pathsep) if folder]
        commands = (["fc-list", family, "file"], ["fc-scan", "--format", "%{file}:%{family}\n", *extra_folders])
        listed = [
            subprocess.run(command, capture_output=True, text=True, check=False).stdout
            for command in (commands if extra_folders else commands[:1])
            if shutil.which(command[0])
        ]
        files = [line.partition(":")[::2] for output in listed for line in output.splitlines()]
        folders = sorted({str(Path(file).parent) for file, name in files if not name.strip() or family in name.split(",")})
        if not folders:
            raise NotHereError(f"the font {family} is not installed")
        config = home / "fonts.conf"
        config.write_text(FONTS.format(folders="\n  ".join(f"<dir>{folder}</dir>" for folder in folders), home=home), encoding="utf-8")
        return {"FONTCONFIG_FILE": str(config), "DURAK_FONT": "machine"}

    return environment


def language(code: str) -> Callable[[Path], dict[str, str]]:
    """Use a language for the system and the browser; if its locale is missing, create it."""

    def environment(home: Path) -> dict[str, str]:
        name = f"{code}.UTF-8"
        known_locales = (
            subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout if shutil.which("locale") else ""
        )
        variables = {"LANG": name, "LC_ALL": name, "LANGUAGE": code, "DURAK_CHROMIUM": f"--lang={code[:2]} --accept-lang={code[:2]}"}
        if f"{code}.utf8" in known_locales.splitlines():
            return variables
        localedef_command = ["localedef", "-i", code, "-f", "UTF-8", str(home / name)]
        if not shutil.which("localedef") or subprocess.run(localedef_command, capture_output=True, check=False).returncode:
            raise NotHereError(f"the locale {name} is not installed, and it cannot be made")
        return {**variables, "LOCPATH": str(home)}

    return environment


def setting(**names: str) -> Callable[[Path], dict[str, str]]:
    """Set some environment variables to fixed values."""
    return lambda _: names


CIRCUMSTANCES = {
    "here": Circumstance("like this computer", ALL, setting(DURAK_FONT="machine")),
    "liberation": Circumstance("only the Liberation fonts", BROWSER, fonts("Liberation Sans")),
    "dejavu": Circumstance("only the DejaVu fonts", BROWSER, fonts("DejaVu Sans")),
    "noto": Circumstance("only the Noto fonts", BROWSER, fonts("Noto Sans")),
    "zoom": Circumstance("1.25 screen pixels for each pixel of the page", BROWSER, setting(DURAK_ZOOM="1.25")),
    "turkish": Circumstance("in Turkish", ALL, language("tr_TR")),
    "russian": Circumstance("in Russian", ALL, language("ru_RU")),
    "kathmandu": Circumstance("in another time zone", ALL, setting(TZ="Asia/Kathmandu")),
    "hash": Circumstance("with another hash seed", OTHERS, setting(PYTHONHASHSEED="1")),
    "load": Circumstance("with two busy loops in the background", BROWSER, busy=2, times=5),
}


def together(names: str) -> Circumstance:
    """Return the condition of a given name; `noto+russian` combines two conditions."""
    circumstances = [CIRCUMSTANCES[name] for name in names.split("+")]
    if len(circumstances) == 1:
        return circumstances[0]
    return Circumstance(
        ", ".join(circumstance.about for circumstance in circumstances),
        circumstances[0].tests if len({circumstance.tests for circumstance in circumstances}) == 1 else ALL,
        lambda home: {name: value for circumstance in circumstances for name, value in circumstance.environment(home).items()},
        max(circumstance.busy for circumstance in circumstances),
        max(circumstance.times for circumstance in circumstances),
    )


@contextlib.contextmanager
def busy(loops: int) -> Iterator[None]:
    """Keep the machine busy with some loops during a `with` block."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for loop in running:
            loop.kill()
            loop.wait()


def run(name: str, circumstance: Circumstance, arguments: list[str]) -> Result:
    """Run the tests under a condition, and print their output as it comes."""
    print(f"== {name}: {circumstance.about}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        try:
            environment = {**os.environ, **circumstance.environment(home)}
        except NotHereError as reason:
            print(f"skipped: {reason}", flush=True)
            return Result(name, 0, 0, 0, f"left out: {reason}")
        report = home / "report.xml"
        marks = ["-m", circumstance.tests] if circumstance.tests else []
        start_time = time.monotonic()
        with busy(circumstance.busy):
            command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--junitxml={report}", *marks, *arguments]
            status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        seconds = time.monotonic() - start_time
        if not report.is_file():
            return Result(name, 0, 1, seconds, f"pytest ended with {status}")
        total = {key: int(value) for key, value in ET.parse(report).getroot()[0].items() if value.isdecimal()}  # noqa: S314 - our own
        failed = total["failures"] + total["errors"]
        return Result(name, total["tests"] - failed - total["skipped"], failed or int(status not in {0, 5}), seconds)


def main() -> int:
    """Run the tests under the conditions in the arguments, and print a table of results."""
    lines = [
        f"  {name:11} {circumstance.about}{f', {circumstance.times} times' * (circumstance.times > 1)}"
        for name, circumstance in CIRCUMSTANCES.items()
    ]
    parser = argparse.ArgumentParser(
        description=__doc__, epilog="circumstances:\n" + "\n".join(lines), formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("where", nargs="*", metavar="circumstance", help="one or more of the circumstances below; all, if you name none")
    parser.add_argument("--pytest", default="", help="more options for pytest, in one text")
    parser.add_argument("--times", type=int, help="the number of runs for each, if not the number given below")
    arguments = parser.parse_args()
    unknown = [name for names in arguments.where for name in names.split("+") if name not in CIRCUMSTANCES]
    if unknown:
        parser.error(f"there is no {unknown[0]}; there are {', '.join(CIRCUMSTANCES)}")
    results = [
        run(f"{name} {turn}" if times > 1 else name, circumstance, shlex.split(arguments.pytest))
        for name, circumstance in ((name, together(name)) for name in arguments.where or CIRCUMSTANCES)
        for times in (arguments.times or circumstance.times,)
        for turn in range(1, times + 1)
    ]
    wide = max(12, *(len(result.name) for result in results))
    print(f"{'circumstance':{wide}} {'passed':>7} {'failed':>7} {'seconds':>8}")
    for result in results:
        print(f"{result.name:{wide}} {result.passed:7} {result.failed:7} {result.seconds:8.0f}  {result.note}".rstrip())
    return int(any(result.failed for result in results))


if __name__ == "__main__":
    sys.exit(main())
