"""The series as it is stored: what is promised in it is there, its links lead somewhere, and it tells no secret."""

from __future__ import annotations

import contextlib
import io
import re
from functools import cache
from pathlib import Path

import nbformat
import pytest

import notebooks as tool
from durak_widget import Rules
from durak_widget.exercises.student_progress import LESSON_SERIES

ROOT = Path(__file__).resolve().parents[2]
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NAMES = [path.name for path in PATHS]


@cache
def book(name: str) -> nbformat.NotebookNode:
    """A notebook as it is stored."""
    return nbformat.read(ROOT / "notebooks" / name, as_version=4)


def sources(name: str, kind: str) -> str:
    """All cells of a notebook of that kind."""
    return "\n\n".join(cell.source for cell in book(name).cells if cell.cell_type == kind)


def test_a_notebook_is_stored_clean() -> None:
    """As `python tools/notebooks.py` stores it: run from top to bottom, without the state of a widget, with the code of exercises folded away."""
    for name in NAMES:
        stored = (ROOT / "notebooks" / name).read_text(encoding="utf-8")
        assert tool.stored(nbformat.reads(stored, as_version=4)) == stored
        counts = [cell.execution_count for cell in book(name).cells if cell.cell_type == "code"]
        assert counts == list(range(1, len(counts) + 1))
        assert "widget-view" not in stored


def test_a_folded_cell_gives_nothing_away() -> None:
    """JupyterLab shows its first line, which is a comment."""
    for name in NAMES:
        for cell in book(name).cells:
            if "hide-input" in cell.metadata.get("tags", ()):
                first = cell.source.splitlines()[0]
                assert first.startswith("# "), first


def test_no_output_names_a_place_on_a_machine() -> None:
    """Nor an address in memory, nor an error."""
    for name in NAMES:
        for cell in book(name).cells:
            for output in cell.get("outputs", ()):
                said = output.get("text", "") + re.sub(r'src="data:[^"]*"', "", "".join(map(str, output.get("data", {}).values())))
                assert output.output_type != "error", said
                assert not re.search(r"0x[0-9a-f]{6}|/(home|root|usr|tmp|work|Users)/|[A-Z]:\\", said), said


@pytest.mark.release
@pytest.mark.parametrize("name", NAMES)
def test_a_cell_can_be_run_again(name: str) -> None:
    """As somebody does who wants to begin an exercise anew."""
    names: dict[str, object] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in book(name).cells:
            for _ in range(2 if cell.cell_type == "code" else 0):
                exec(compile(cell.source, name, "exec"), names)  # noqa: S102 - our own notebooks


LESSONS = [name for name in NAMES if "01" <= name[:2] <= "13" or name[:2] in {"15", "17", "18", "19"}]


def test_a_lesson_has_a_challenge() -> None:
    """One exercise of it is the challenge, and the road map knows of it."""
    for name in LESSONS:
        assert sources(name, "code").count(f'name="{name[:2]}/challenge"') == 1
        assert LESSON_SERIES[name[:2]].has_challenge


def test_exercises_are_numbered_as_their_solutions_are() -> None:
    """From 1 on, in the order of the cells."""
    for name in NAMES:
        numbers = re.findall(r"\bnumber=(\d+)", sources(name, "code"))
        assert numbers == [str(n) for n in range(1, len(numbers) + 1)]
        if name in LESSONS:
            assert re.findall(r"^(\d+)\. ", sources(name, "markdown").split("<summary>Solutions</summary>")[1], re.MULTILINE) == numbers


def test_links_of_a_notebook_lead_somewhere() -> None:
    """To a file of the project, and to a heading that is there."""
    for name in NAMES:
        for target, heading in re.findall(r"\]\(([^)#\s]*)(?:#([^)]*))?\)", sources(name, "markdown")):
            assert not target.startswith(("http:", "//")), target
            path = ROOT / "notebooks" / target if target else ROOT / "notebooks" / name
            assert target.startswith("https://") or path.is_file(), target
            assert not heading or heading.replace("-", " ").lower() in path.read_text(encoding="utf-8").lower(), heading


def test_exercises_are_counted() -> None:
    """How many there are in the series is what the progress of a student is measured by."""
    for name in NAMES:
        named = re.findall(rf'name="({name[:2]}/[^"]+)"', sources(name, "code"))
        assert len(named) == len(set(named)) == LESSON_SERIES[name[:2]].exercise_count
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


def test_the_index_has_every_option_and_only_presets_that_there_are() -> None:
    """A new option is explained in a lesson. A new preset, which mixes options that are explained, may be in none."""
    index = _index()
    assert set(index["presets"]) <= set(Rules.presets())
    assert set(index["options"]) == set(Rules.options())


def _presets_of(lesson: str) -> set[str]:
    """Those that the code of a lesson names."""
    return {name for name in Rules.presets() if re.search(rf"[\"']{name}(, [^\"']*)?[\"']", sources(lesson, "code"))}


def test_a_preset_is_met_where_the_index_says() -> None:
    """Code names it there, and the prose speaks of it in words: nobody there writes code."""
    for name, lesson in sorted(_index()["presets"].items()):
        assert name in _presets_of(lesson), f"{name} is not named in the code of {lesson}"
        prose, words = sources(lesson, "markdown"), {"econ431": "Econ 431"}.get(name, name.replace("_", " "))
        assert re.search(rf"\*{words}\b", prose, re.IGNORECASE), f"{name} is not spoken of in {lesson}"
        assert f"`{name}`" not in prose, f"{name} is named in {lesson} as in code"


def test_an_option_is_met_where_the_index_says() -> None:
    """It is set there, by itself or by a preset."""
    for name, lesson in sorted(_index()["options"].items()):
        calls = re.findall(r"(?:Rules|Rules\.preset|Rules\.parse|\.replace)\([^()]*\)", sources(lesson, "code"))
        by_preset = any(getattr(Rules.preset(preset), name) != getattr(Rules(), name) for preset in _presets_of(lesson))
        assert by_preset or any(re.search(rf"\b{name} ?=", call) for call in calls), f"{name} is not set in {lesson}"


def test_every_variant_is_played_at_a_click() -> None:
    """Whatever preset the index names for a lesson on variants is offered by the door of a table there."""
    for name in ["07_variants_1.ipynb", "08_variants_2.ipynb"]:
        offered = set(re.findall(r'"(\w+)"', " ".join(cell.source for cell in book(name).cells if "door=" in cell.source)))
        shown = set(re.findall(r'^Table\("(\w+)', sources(name, "code"), re.MULTILINE))
        assert {preset for preset, lesson in _index()["presets"].items() if lesson == name} <= offered | shown
