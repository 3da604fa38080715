"""The docs say what the program does."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pages
from durak_widget import Rules, analysis, board, editor, gametheory, lessons

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]


def test_listed_pages_are_up_to_date() -> None:
    """A page that lists options, presets or codes, and the picture of the README, are what `python tools/pages.py` writes."""
    for name in sorted(pages.PAGES):
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == pages.PAGES[name]()


def test_links_lead_somewhere() -> None:
    """A link to a file of the project names one that is there. (`make docs` follows those of the site.)"""
    for page in [
        path
        for path in [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
        if path.parent.name != "site"
    ]:
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), target


def test_the_front_page_lists_no_page_twice_under_a_heading() -> None:
    """A list that stands there in an old and a new version links the same pages twice."""
    front = (ROOT / "docs" / "site" / "index.md").read_text(encoding="utf-8")
    for section in front.split("\n## ")[1:]:
        links = [link for line in section.splitlines() if line.startswith("- ") for link in re.findall(r"\]\(([^)]+)\)", line)]
        assert [link for link, times in Counter(links).items() if times > 1] == [], section.splitlines()[0]


def test_every_option_has_a_source() -> None:
    """The page of an option says where it comes from."""
    sources = json.loads((ROOT / "docs" / "site" / "sources.json").read_text(encoding="utf-8"))
    assert sources.keys() == Rules.options().keys()
    assert all(sentence.endswith(".") for sentence in sources.values())


def in_the_api_page() -> set[tuple[str, str]]:
    """Each name that stands there, with its home."""
    page = (ROOT / "docs" / "site" / "api.md").read_text(encoding="utf-8")
    return {
        (home, name)
        for home, members in re.findall(r"automodule:: durak_widget\.(\S+)\n   :members: (.+)", page)
        for name in members.split(", ")
    }


def home_of(face: ModuleType, module: str) -> str:
    """Return how the page writes a module that a public face names."""
    return (module if module.startswith("durak_widget.") else f"{face.__name__}.{module}").removeprefix("durak_widget.")


def test_every_name_of_theory_is_in_the_api_page() -> None:
    """Each public name of games and of theory stands there with its home: those that need other packages too, and those of endgame."""
    named = in_the_api_page()
    homes = {home for home, _ in named}
    assert gametheory._MODULE_OF_NAME.keys() == {*gametheory.__all__, *gametheory._REQUIRED_PACKAGES}
    assert analysis._MODULE_OF_NAME.keys() | analysis._SUBMODULE_BY_NAME.keys() == {*analysis.__all__, *analysis._REQUIRED_PACKAGES}
    assert board._MODULE_OF_NAME.keys() == {*board.__all__}
    assert editor._MODULE_OF_NAME.keys() == {*editor.__all__}
    for face in (gametheory, analysis, board, editor):
        assert {
            (home_of(face, module), name_there or name)
            for name, home in face._MODULE_OF_NAME.items()
            for module, _, name_there in [home.partition(":")]
        } <= named
    assert {home_of(analysis, home) for home in analysis._SUBMODULE_BY_NAME.values()} <= homes
    assert {("analysis.endgame", name) for name in ("solve_endgame", "EndgameSolution", "refute")} <= named


def test_every_name_that_lessons_fetch_is_in_the_api_page_and_has_its_type() -> None:
    """Each stands there with its home in the classroom and shows an example, and whoever reads types finds it in the same place."""
    face = ast.parse(Path(lessons.__file__).read_text(encoding="utf-8"))
    typed = {(node.module, one.name) for node in ast.walk(face) if isinstance(node, ast.ImportFrom) for one in node.names}
    for name, full_home in lessons._MODULE_OF_NAME.items():
        home, _, name_there = full_home.partition(":")
        if not home.startswith(("exercises", "lessons.")):
            assert (home, name) in in_the_api_page(), name
        assert (f"durak_widget.{home}", name_there or name) in typed, name
        if not home.startswith(("exercises", "lessons.")):
            assert ">>>" in getattr(lessons, name).__doc__, name


def test_lessons_name_what_is_theirs() -> None:
    """What they import to be made of, such as `typing.Any`, is none of their names."""
    assert {getattr(lessons, name).__module__.partition(".")[0] for name in lessons.__all__ if name != "goals"} == {"durak_widget"}
    assert {"Bot", "Number", "goals"} <= set(lessons.__all__)
