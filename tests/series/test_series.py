"""The series as it is stored: what is promised in it is there, its links lead somewhere, it is spelt as in the dictionary, and it tells no secret."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from spellchecker import SpellChecker

import notebooks as tool
from durak_widget import Rules
from durak_widget.lessons.kit.series import SERIES

ROOT = Path(__file__).resolve().parents[2]
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
BOOKS = {path.name: nbformat.read(path, as_version=4) for path in PATHS}
WORDS = ROOT / "tests" / "words.txt"


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
            assert "hide-input" in cell.metadata.get("tags", ()) or max(map(len, cell.source.splitlines())) <= 90, cell.source


@every_notebook
def test_a_folded_cell_gives_nothing_away(name: str) -> None:
    """JupyterLab shows its first line, which is a comment."""
    for cell in BOOKS[name].cells:
        if "hide-input" in cell.metadata.get("tags", ()):
            first = cell.source.splitlines()[0]
            assert first.startswith("# "), first


@every_notebook
def test_no_output_names_a_place_on_a_machine(name: str) -> None:
    """Nor an address in memory, nor an error."""
    for cell in BOOKS[name].cells:
        for output in cell.get("outputs", ()):
            said = output.get("text", "") + re.sub(r'src="data:[^"]*"', "", "".join(map(str, output.get("data", {}).values())))
            assert output.output_type != "error", said
            assert not re.search(r"0x[0-9a-f]{6}|/(home|root|usr|tmp|work|Users)/|[A-Z]:\\", said), said


@every_notebook
@pytest.mark.long
def test_a_cell_can_be_run_again(name: str) -> None:
    """As somebody does who wants to begin an exercise anew."""
    names: dict[str, object] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in BOOKS[name].cells:
            for _ in range(2 if cell.cell_type == "code" else 0):
                exec(compile(cell.source, name, "exec"), names)  # noqa: S102 - our own notebooks


HOMEWORK = "14_problem_set.ipynb"  # it has no challenge, and gives no solutions away
LESSONS = [name for name in BOOKS if "01" <= name[:2] <= "13" or name[:2] in {"15", "17", "18", "19"}]
PLAIN = [name for name in BOOKS if name[:2] <= "06"]
every_lesson = pytest.mark.parametrize("name", LESSONS)
HOW = "press **Shift + Enter** (or ▶"


def _is_to_do(cell: Any) -> bool:
    """Whether a cell shows an exercise, a table, or a picture of a game."""
    return cell.cell_type == "code" and any("text/html" in output.get("data", {}) for output in cell.outputs)


@every_notebook
def test_the_first_thing_to_do_comes_at_once(name: str) -> None:
    """After sixty words at most, which say what to press and where to look; nothing stands between them and the first cell."""
    cells = BOOKS[name].cells
    first = next(place for place, cell in enumerate(cells) if _is_to_do(cell))
    words = re.findall(r"[\w’']+", _prose("\n".join(cell.source for cell in cells[:first])))
    assert first == 1, "the first code that is run shows something"
    assert len(words) <= 60, len(words)
    assert HOW in cells[0].source
    assert re.search(r"comes? alive|one step down", cells[0].source)


@every_notebook
def test_a_notebook_has_its_parts(name: str) -> None:
    """A title, and links to its neighbours and to the glossary at its end; after the doing what one can now, where the rules come from, solutions."""
    prose = sources(name, "markdown")
    assert re.match(r"# \S", prose)
    end = prose.split("</details>")[-1]
    at = PATHS.index(ROOT / "notebooks" / name)
    for neighbour in PATHS[max(0, at - 1) : at + 2]:
        assert neighbour.name == name or f"]({neighbour.name})" in end
    assert "](../docs/glossary.md)" in end
    if name[:2] != "00":
        able = prose.split("## You can now")[1].split("##")[0]
        assert able.count("\n- ") >= 3
        assert prose.count("## Where these rules come from") == 1
        assert prose.count("<details><summary>Solutions</summary>") == (name != HOMEWORK)


@every_lesson
def test_a_lesson_ends_in_a_challenge(name: str) -> None:
    """It is the last thing to do before one hears what one can now; the road map knows of it."""
    cells = BOOKS[name].cells
    [place] = [n for n, cell in enumerate(cells) if f'name="{name[:2]}/challenge"' in cell.source]
    assert cells[place - 1].source.startswith("## The challenge: ")
    assert cells[place + 1].source.startswith("## You can now")
    assert "\n**Next: [" in cells[place + 1].source
    assert SERIES[name[:2]].challenge


@every_notebook
def test_each_exercise_is_led_to(name: str) -> None:
    """A line says what comes next; exercises are numbered as their solutions are."""
    cells = BOOKS[name].cells
    for place, cell in enumerate(cells):
        if "exercise" in cell.metadata.get("tags", ()) and place > 1:
            lead = cells[place - 1]
            assert lead.cell_type == "code" or re.search(
                r"\*\*Next: |## The challenge|## For the curious|there is a question", lead.source
            ), lead.source
    numbers = re.findall(r"\bnumber=(\d+)", sources(name, "code"))
    assert numbers == [str(n) for n in range(1, len(numbers) + 1)]
    if name in LESSONS:
        assert re.findall(r"^(\d+)\. ", sources(name, "markdown").split("<summary>Solutions</summary>")[1], re.MULTILINE) == numbers


@pytest.mark.parametrize("name", PLAIN)
def test_no_option_is_named_where_people_play(name: str) -> None:
    """Until lesson 6 rules are told in words; their names in code stand in notebook 16."""
    named = set(re.findall(r"`(\w+)", sources(name, "markdown")))
    assert named & (set(Rules.options()) - set(Rules.presets())) == set()


def test_one_word_for_one_thing() -> None:
    """To pass is to throw in no more; an attack is transferred, or handed on."""
    pages = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")} | {
        name: sources(name, "markdown") + sources(name, "code") for name in BOOKS
    }
    for name, text in pages.items():
        assert not re.findall(
            r"[^.]*\bpass(?:e[sd]|ing)? (?:(?:it|them|both|all|this|nothing|an? \w+|the \w+) )?(?:on|back)\b[^.]*", text
        ), name


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


INDEX = "16_under_the_hood.ipynb"


def _index() -> dict[str, dict[str, str]]:
    """Of presets and of options: in which notebook the index of the last says that each is explained."""
    found: dict[str, dict[str, str]] = {"presets": {}, "options": {}}
    for lesson, presets, options in re.findall(
        r"^\| \d+ · \[[^]]+\]\(([^)]+)\) \| (.*?) \| (.*?) \|$", sources(INDEX, "markdown"), re.MULTILINE
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


def _presets_of(lesson: str) -> set[str]:
    """Those that the code of a lesson names."""
    return {name for name in Rules.presets() if re.search(rf"[\"']{name}(, [^\"']*)?[\"']", sources(lesson, "code"))}


@pytest.mark.parametrize(("name", "lesson"), sorted(_index()["presets"].items()))
def test_a_preset_is_met_where_the_index_says(name: str, lesson: str) -> None:
    """Code names it there, and the prose speaks of it in words: nobody there writes code."""
    assert name in _presets_of(lesson), f"{name} is not named in the code of {lesson}"
    prose, words = sources(lesson, "markdown"), {"econ431": "Econ 431"}.get(name, name.replace("_", " "))
    assert re.search(rf"\*{words}\b", prose, re.IGNORECASE), f"{name} is not spoken of in {lesson}"
    assert f"`{name}`" not in prose, f"{name} is named in {lesson} as in code"


@pytest.mark.parametrize(("name", "lesson"), sorted(_index()["options"].items()))
def test_an_option_is_met_where_the_index_says(name: str, lesson: str) -> None:
    """It is set there, by itself or by a preset."""
    calls = re.findall(r"(?:Rules|Rules\.preset|Rules\.parse|\.replace)\([^()]*\)", sources(lesson, "code"))
    by_preset = any(getattr(Rules.preset(preset), name) != getattr(Rules(), name) for preset in _presets_of(lesson))
    assert by_preset or any(re.search(rf"\b{name} ?=", call) for call in calls), f"{name} is not set in {lesson}"


@pytest.mark.parametrize("name", ["07_variants_1.ipynb", "08_variants_2.ipynb"])
def test_every_variant_is_played_at_a_click(name: str) -> None:
    """Whatever preset the index names for a lesson on variants is offered by the door of a table there."""
    offered = set(re.findall(r'"(\w+)"', " ".join(cell.source for cell in BOOKS[name].cells if "door=" in cell.source)))
    shown = set(re.findall(r'^Table\("(\w+)', sources(name, "code"), re.MULTILINE))
    assert {preset for preset, lesson in _index()["presets"].items() if lesson == name} <= offered | shown


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
    if path.name == "glossary.md":
        text = re.sub(r"^(\|[^|]*\|[^|]*\|).*", r"\1", text, flags=re.MULTILINE)  # the rest of a row is in other languages
    assert _unknown(text) == set()
