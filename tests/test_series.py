"""The series as it is stored: what is promised in it is there, its links lead somewhere, it is spelt as in the dictionary, and it tells no secret."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from spellchecker import SpellChecker

from durak_widget import Rules
from durak_widget.lessons.series import SERIES

ROOT = Path(__file__).resolve().parent.parent
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
BOOKS = {path.name: nbformat.read(path, as_version=4) for path in PATHS}
WORDS = ROOT / "tests" / "words.txt"
_SPEC = importlib.util.spec_from_file_location("notebooks", ROOT / "tools" / "notebooks.py")
tool = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(tool)


def sources(name: str, kind: str) -> str:
    """All cells of a notebook of that kind."""
    return "\n\n".join(cell.source for cell in BOOKS[name].cells if cell.cell_type == kind)


every_notebook = pytest.mark.parametrize("name", BOOKS)


@every_notebook
def test_a_notebook_is_stored_clean(name: str) -> None:
    """As `make notebooks` stores it: run from top to bottom, without the state of a widget, with the code of exercises folded away."""
    stored = (ROOT / "notebooks" / name).read_text(encoding="utf-8")
    assert tool.stored(nbformat.reads(stored, as_version=4)) == stored
    counts = [cell.execution_count for cell in BOOKS[name].cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))
    assert "widget-view" not in stored


@every_notebook
def test_cells_are_short(name: str) -> None:
    """At most fifteen lines; what is not folded away is no wider than a line of code is read."""
    for cell in BOOKS[name].cells:
        if cell.cell_type == "code":
            assert len(cell.source.splitlines()) <= 15, cell.source
            assert "exercise" in cell.metadata.get("tags", ()) or max(map(len, cell.source.splitlines())) <= 120, cell.source


@every_notebook
def test_a_folded_cell_gives_nothing_away(name: str) -> None:
    """JupyterLab shows its first line."""
    for cell in BOOKS[name].cells:
        if "exercise" in cell.metadata.get("tags", ()):
            first = cell.source.splitlines()[0]
            assert not re.search(r"\b(right|better|why|solution|hands|talon|deck) ?=", first), first


@every_notebook
def test_no_output_names_a_place_on_a_machine(name: str) -> None:
    """Nor an address in memory, nor an error."""
    for cell in BOOKS[name].cells:
        for output in cell.get("outputs", ()):
            said = output.get("text", "") + re.sub(r'src="data:[^"]*"', "", "".join(map(str, output.get("data", {}).values())))
            assert output.output_type != "error", said
            assert not re.search(r"0x[0-9a-f]{6}|/(home|root|usr|tmp|work|Users)/|[A-Z]:\\", said), said


@every_notebook
def test_a_cell_can_be_run_again(name: str) -> None:
    """As somebody does who wants to begin an exercise anew."""
    names: dict[str, object] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in BOOKS[name].cells:
            for _ in range(2 if cell.cell_type == "code" else 0):
                exec(compile(cell.source, name, "exec"), names)  # noqa: S102 - our own notebooks


@every_notebook
def test_a_notebook_has_its_parts(name: str) -> None:
    """A title, aims, where the rules come from, exercises with folded solutions, and a link on."""
    prose = sources(name, "markdown")
    assert re.match(r"# \S", prose)
    assert prose.count("\n- ") >= 3
    for heading in ("## Where these rules come from", "## Exercises", "<details><summary>Solutions</summary>"):
        assert heading in prose
    at = PATHS.index(ROOT / "notebooks" / name)
    for neighbour in PATHS[max(0, at - 1) : at + 2]:
        assert (
            neighbour.name == name or f"]({neighbour.name})" in prose.split("</details>")[-1] or neighbour.name < name == "01_trumps.ipynb"
        )


@every_notebook
def test_links_of_a_notebook_lead_somewhere(name: str) -> None:
    """To a file of the project, and to a heading that is there."""
    for target, heading in re.findall(r"\]\(([^)#\s]*)(?:#([^)]*))?\)", sources(name, "markdown")):
        assert not target.startswith(("http:", "//")), target
        path = ROOT / "notebooks" / target if target else ROOT / "notebooks" / name
        assert target.startswith("https://") or path.is_file(), target
        assert not heading or heading.replace("-", " ").lower() in path.read_text(encoding="utf-8").lower(), heading


@every_notebook
def test_exercises_are_counted(name: str) -> None:
    """How many there are in the series is what the progress of a student is measured by."""
    named = re.findall(rf'name="({name[:2]}/[^"]+)"', sources(name, "code"))
    assert len(named) == len(set(named)) == SERIES[name[:2]].exercises
    assert sources(name, "code").count('name="') == len(named)


def _index() -> dict[str, dict[str, str]]:
    """Of presets and of options: in which notebook the index of the first says that each is explained."""
    found: dict[str, dict[str, str]] = {"presets": {}, "options": {}}
    for lesson, presets, options in re.findall(
        r"^\| \d+ · \[[^]]+\]\(([^)]+)\) \| (.*?) \| (.*?) \|$", sources("00_welcome.ipynb", "markdown"), re.MULTILINE
    ):
        for kind, cell in (("presets", presets), ("options", options)):
            for name in re.findall(r"`(\w+)`", cell):
                assert name not in found[kind], f"{name} is in the index twice"
                found[kind][name] = lesson
    return found


def test_every_preset_and_every_option_is_in_the_index() -> None:
    """Of those that `Rules` knows, none is left out and none invented."""
    index = _index()
    assert set(index["presets"]) == set(Rules.presets())
    assert set(index["options"]) == set(Rules.options())


@pytest.mark.parametrize(("name", "lesson"), sorted(_index()["presets"].items()))
def test_a_preset_is_met_where_the_index_says(name: str, lesson: str) -> None:
    """Code names it there, and the prose speaks of it."""
    assert re.search(rf"[\"']{name}(, [^\"']*)?[\"']", sources(lesson, "code")), f"{name} is not named in the code of {lesson}"
    assert re.search(rf"`{name}`|\"{name}[\",]", sources(lesson, "markdown")), f"{name} is not spoken of in {lesson}"


@pytest.mark.parametrize(("name", "lesson"), sorted(_index()["options"].items()))
def test_an_option_is_met_where_the_index_says(name: str, lesson: str) -> None:
    """It is set there, and spoken of."""
    code = sources(lesson, "code")
    calls = re.findall(r"(?:Rules|Rules\.preset|Rules\.parse|\.replace)\([^()]*\)", code)
    assert any(re.search(rf"\b{name} ?=", call) for call in calls), f"{name} is not set in {lesson}"
    assert re.search(rf"`{name}[`=]", sources(lesson, "markdown")), f"{name} is not spoken of in {lesson}"


def _prose(source: str) -> str:
    """The words that a person reads: without code, formulas, links, tags and notation of cards."""
    source = re.sub(r"```.*?```", " ", source, flags=re.DOTALL)
    return re.sub(r"`[^`]*`|\]\([^)]*\)|<[^>]*>|https?://\S+|\{[^}]*\}|&\w+;", " ", source)


def _unknown(text: str) -> set[str]:
    words = set(re.findall(r"[A-Za-z]+(?:['’][a-z]+)?", _prose(text)))
    known = set(WORDS.read_text(encoding="utf-8").split())
    plain = {re.sub(r"['’](s|t|re|ll|ve|d|m)?$", "", word) for word in words}
    asked = {word for word in plain if len(word) > 3 and word not in known and word.lower() not in known}
    return set(_DICTIONARY.unknown(asked))


_DICTIONARY: Any = SpellChecker(language="en")
PAGES = [*PATHS, *sorted((ROOT / "docs").rglob("*.md")), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_words_are_spelt_as_in_the_dictionary(path: Path) -> None:
    """Words of the game and of the house stand in tests/words.txt."""
    if path.suffix == ".ipynb":
        strings = [string for string in re.findall(r'"([^"\n]+)"', sources(path.name, "code")) if " " in string]
        text = " ".join([sources(path.name, "markdown"), *strings])
    else:
        text = path.read_text(encoding="utf-8")
    assert _unknown(text) == set()
