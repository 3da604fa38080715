"""Test that the docs agree with the program."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import docs_site
import pages
from durak_widget import Rules, Table, analysis, board, editor, gametheory, lessons

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
VISUAL_PAGES = (
    *("opponents", "endings-that-come-back", "review", "table", "tree-viewer", "on-the-tree", "sketch", "matrices", "textbook-games"),
    *("pictures", "class-play", "problem-set", "class-report", "marking", "exam", "first-hour", "class-tournament"),
    *(
        "play",
        "install",
        "at-the-kitchen-table",
        "homework",
        "beer-quiche",
        "bots",
        "rules",
        "arena",
        "lessons",
        "where-it-runs",
        "solving",
    ),
)
"""The pages about something that you can see."""


def test_generated_pages_are_up_to_date() -> None:
    """Lists of options, presets and codes, and the README picture, equal the output of `python tools/pages.py`."""
    for name in sorted(pages.PAGES):
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == pages.PAGES[name]()


def test_links_to_project_files_work() -> None:
    """(`make docs` checks the links of the site.)"""
    for page in [
        path
        for path in [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
        if path.parent.name != "site"
    ]:
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), target


def test_the_table_of_contents_lists_each_page_once() -> None:
    """The sections of the site come from it, so a page that is missing there has no place on the site."""
    contents = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    listed = Counter(re.findall(r"^- \[[^]]+\]\(([\w-]+\.md)\)", contents, re.MULTILINE))
    assert listed == Counter(path.name for path in (ROOT / "docs").glob("*.md") if path.name != "index.md")


def test_a_copy_of_the_site_links_to_itself() -> None:
    """The table of contents and links to the published site lead to pages of the copy."""
    assert [docs_site.document_of(link) for link in ("table.md", "../CHANGELOG.md", "adr", "site/api.md")] == [
        *("docs/table.md", "CHANGELOG.md", "docs/adr/index.md", "reference/api/index.md")
    ]
    for link, relative in (("play/#seed=1", "../play/index.html#seed=1"), ("", "../index.html"), ("a/b.png", "../a/b.png")):
        assert docs_site.with_relative_links(f'<a href="{docs_site.ADDRESS}{link}">', "../") == f'<a href="{relative}">'
    canonical = f'<link rel="canonical" href="{docs_site.ADDRESS}">'
    assert docs_site.with_relative_links(canonical, "../") == canonical


def test_the_shiny_recipe_follows_traits_that_exist() -> None:
    """The browser test of Shiny is slow, so it does not run after a trait gets another name."""
    page = (ROOT / "docs" / "where-it-runs.md").read_text(encoding="utf-8")
    widgets = {"table.widget": Table(), "quiz.widgets[0]": lessons.Pick("Which?", "7c 8c", "7c").widgets[0]}
    followed = re.findall(r'reactive_read\(([^,]+), "(\w+)"\)', page)
    assert [name for name, _ in followed] == list(widgets)
    assert all(widgets[name].has_trait(trait) for name, trait in followed)


@pytest.mark.parametrize("page", VISUAL_PAGES)
def test_pages_about_something_visible_have_a_picture(page: str) -> None:
    """A picture, or a board that becomes live on the site."""
    found = re.findall(r"^!\[.+\]\((images/[\w-]+\.\w+)\)$", (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert found
    assert [name for name in found if not (ROOT / "docs" / name).is_file()] == []


def test_the_site_shows_a_picture_in_the_colours_of_its_theme(tmp_path: Path) -> None:
    """Only a picture that has a dark version gets a second image."""
    (tmp_path / "images").mkdir()
    for name in ("board-dark.webp", "table-dark.png"):
        (tmp_path / "images" / name).touch()
    assert docs_site.add_dark_pictures("![A board](images/board.webp)", tmp_path).splitlines() == [
        "![A board](images/board.webp){.only-light}",
        "![A board](images/board-dark.webp){.only-dark}",
    ]
    assert "![A table](images/table-dark.png){.only-dark}" in docs_site.add_dark_pictures("![A table](images/table-light.png)", tmp_path)
    assert docs_site.add_dark_pictures("![A sheet](images/sheet.webp)", tmp_path) == "![A sheet](images/sheet.webp)"


def test_every_option_has_a_source() -> None:
    """The option's page says where it comes from."""
    sources = json.loads((ROOT / "docs" / "site" / "sources.json").read_text(encoding="utf-8"))
    assert sources.keys() == Rules.options().keys()
    assert all(sentence.endswith(".") for sentence in sources.values())


def names_on_the_api_page() -> set[tuple[str, str]]:
    """Return each name on the page with its module."""
    page = (ROOT / "docs" / "site" / "api.md").read_text(encoding="utf-8")
    return {
        (home, name)
        for home, members in re.findall(r"automodule:: durak_widget\.(\S+)\n   :members: (.+)", page)
        for name in members.split(", ")
    }


def module_on_page(face: ModuleType, module: str) -> str:
    """Return how the page writes a module that a public package names."""
    return (module if module.startswith("durak_widget.") else f"{face.__name__}.{module}").removeprefix("durak_widget.")


def test_the_api_page_lists_every_public_name_of_games_and_theory() -> None:
    """Each is there with its module, also those of endgame and those that need other packages."""
    named = names_on_the_api_page()
    homes = {home for home, _ in named}
    assert gametheory._MODULE_OF_NAME.keys() == {*gametheory.__all__, *gametheory._REQUIRED_PACKAGES}
    assert analysis._MODULE_OF_NAME.keys() | analysis._SUBMODULE_BY_NAME.keys() == {*analysis.__all__, *analysis._REQUIRED_PACKAGES}
    assert board._MODULE_OF_NAME.keys() == {*board.__all__}
    assert editor._MODULE_OF_NAME.keys() == {*editor.__all__}
    for face in (gametheory, analysis, board, editor):
        assert {
            (module_on_page(face, module), name_there or name)
            for name, home in face._MODULE_OF_NAME.items()
            for module, _, name_there in [home.partition(":")]
        } <= named
    assert {module_on_page(analysis, home) for home in analysis._SUBMODULE_BY_NAME.values()} <= homes
    assert {("analysis.endgame", name) for name in ("solve_endgame", "EndgameSolution", "refute")} <= named


def test_the_api_page_lists_every_public_name_of_lessons() -> None:
    """Each has an example, and type checkers find it in the same place."""
    face = ast.parse(Path(lessons.__file__).read_text(encoding="utf-8"))
    typed = {(node.module, name.name) for node in ast.walk(face) if isinstance(node, ast.ImportFrom) for name in node.names}
    for name, full_home in lessons._MODULE_OF_NAME.items():
        home, _, name_there = full_home.partition(":")
        if not home.startswith(("exercises", "lessons.")):
            assert (home, name) in names_on_the_api_page(), name
        assert (f"durak_widget.{home}", name_there or name) in typed, name
        if not home.startswith(("exercises", "lessons.")):
            assert ">>>" in getattr(lessons, name).__doc__, name


def test_lessons_exports_only_its_own_names() -> None:
    """Imports such as `typing.Any` are not among them."""
    assert {getattr(lessons, name).__module__.partition(".")[0] for name in lessons.__all__ if name != "goals"} == {"durak_widget"}
    assert {"Bot", "Number", "goals"} <= set(lessons.__all__)
