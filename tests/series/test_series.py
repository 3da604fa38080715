"""Test the stored series of notebooks: contents, links and hidden solutions."""

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
from durak_widget.exercises.student_progress import LESSON_SERIES, find_lesson
from durak_widget.i18n import get_language
from support.spoken import english_text

ROOT = Path(__file__).resolve().parents[2]
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NAMES = [path.name for path in PATHS]


@cache
def read_notebook(name: str) -> nbformat.NotebookNode:
    """Return a notebook as it is stored."""
    return nbformat.read(ROOT / "notebooks" / name, as_version=4)


def cell_sources(name: str, kind: str) -> str:
    """Return all cells of a notebook of that kind."""
    return "\n\n".join(cell.source for cell in read_notebook(name).cells if cell.cell_type == kind)


def test_notebooks_are_stored_clean() -> None:
    """They are as `python tools/notebooks.py` stores them: run in order, without widget state, exercise code folded."""
    for name in NAMES:
        stored = (ROOT / "notebooks" / name).read_text(encoding="utf-8")
        assert tool.stored(nbformat.reads(stored, as_version=4)) == stored
        counts = [cell.execution_count for cell in read_notebook(name).cells if cell.cell_type == "code"]
        assert counts == list(range(1, len(counts) + 1))
        assert "widget-view" not in stored


def test_a_folded_cell_does_not_reveal_the_answer() -> None:
    """JupyterLab shows its first line, which is a comment."""
    for name in NAMES:
        for cell in read_notebook(name).cells:
            if "hide-input" in cell.metadata.get("tags", ()):
                first = cell.source.splitlines()[0]
                assert first.startswith("# "), first


def test_outputs_contain_no_local_paths() -> None:
    """They have no memory addresses and errors either."""
    for name in NAMES:
        for cell in read_notebook(name).cells:
            for output in cell.get("outputs", ()):
                text = output.get("text", "") + re.sub(r'src="data:[^"]*"', "", "".join(map(str, output.get("data", {}).values())))
                assert output.output_type != "error", text
                assert not re.search(r"0x[0-9a-f]{6}|/(home|root|usr|tmp|work|Users)/|[A-Z]:\\", text), text


@pytest.mark.release
@pytest.mark.parametrize("name", NAMES)
def test_each_cell_can_be_run_again(name: str) -> None:
    """Students do that to start an exercise again."""
    names: dict[str, object] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in read_notebook(name).cells:
            for _ in range(2 if cell.cell_type == "code" else 0):
                exec(compile(cell.source, name, "exec"), names)  # noqa: S102 - our own notebooks


def lesson_number(name: str) -> str:
    """Return the number of a notebook, such as 07 or 07b."""
    return name.partition("_")[0]


def test_the_first_move_is_explained_before_the_first_table() -> None:
    """A beginner reads it before the table fills the page. The text names the button that helps."""
    cells = read_notebook(NAMES[0]).cells
    table = next(number for number, cell in enumerate(cells) if "Table(" in cell.source)
    hint = f"*{english_text('screen.hint')}*"
    explaining = [number for number, cell in enumerate(cells) if cell.cell_type == "markdown" and hint in cell.source]
    assert min(explaining) < table


def test_the_first_game_and_the_first_exercise_lead_to_the_next_lesson() -> None:
    """The page makes a button of the bold link in the text below."""
    cells = read_notebook(NAMES[0]).cells
    link = re.compile(rf"\*\*[^*]*\[[^\]]+\]\({re.escape(NAMES[1])}\)[^*]*\*\*")
    starts = [number for number, cell in enumerate(cells) if cell.source.startswith("from durak_widget") or "number=1," in cell.source]
    assert len(starts) == 2
    assert all(link.search(cells[number + 1].source) for number in starts)


LESSONS = [name for name in NAMES if lesson_number(name) not in {"00", "14", "16"}]


def test_each_lesson_has_a_challenge() -> None:
    """One exercise is the challenge, and the overview knows it."""
    for name in LESSONS:
        assert cell_sources(name, "code").count(f'name="{lesson_number(name)}/challenge"') == 1
        assert LESSON_SERIES[lesson_number(name)].has_challenge


def test_exercises_and_solutions_have_the_same_numbers() -> None:
    """They start at 1 in the order of cells."""
    for name in NAMES:
        numbers = re.findall(r"\bnumber=(\d+)", cell_sources(name, "code"))
        assert numbers == [str(n) for n in range(1, len(numbers) + 1)]
        if name in LESSONS:
            assert (
                re.findall(r"^(\d+)\. ", cell_sources(name, "markdown").split("<summary>Solutions</summary>")[1], re.MULTILINE) == numbers
            )


def test_links_in_notebooks_work() -> None:
    """They lead to project files and existing headings."""
    for name in NAMES:
        for target, heading in re.findall(r"\]\(([^)#\s]*)(?:#([^)]*))?\)", cell_sources(name, "markdown")):
            assert not target.startswith(("http:", "//")), target
            path = ROOT / "notebooks" / target if target else ROOT / "notebooks" / name
            assert target.startswith("https://") or path.is_file(), target
            assert not heading or heading.replace("-", " ").lower() in path.read_text(encoding="utf-8").lower(), heading


def test_next_and_back_lead_to_the_neighbours() -> None:
    """After "You can now" and at the end of the page. The last lesson leads on to the docs."""
    for before, name, after in zip([None, *NAMES], NAMES, [*NAMES[1:], None], strict=False):
        text = cell_sources(name, "markdown")
        onward = re.findall(r"\bNext: \[[^]]+\]\(([^)]+)\)", text)
        assert onward
        assert after is None or set(onward) == {after}, name
        assert before is None or f"]({before}) · [Glossary]" in text, name


def test_lessons_name_what_is_on_the_screen() -> None:
    """Buttons to press, and commands of the menu."""
    labels = set(get_language("en").sentences.values())
    named = set()
    for name in NAMES:
        for line in cell_sources(name, "markdown").splitlines():
            named |= set(
                re.findall(
                    r"\*([A-Z][^*]+)\*" if "menu **⋯**" in line else r"\b[Pp]ress \*([A-Z][^*]+)\*", re.sub(r"\*\*[^*]+\*\*", "", line)
                )
            )
    assert len(named) > 10
    assert named <= labels


def test_each_notebook_has_as_many_exercises_as_its_lesson_counts() -> None:
    """A student's progress is measured by it."""
    for name in NAMES:
        named = [found for found in re.findall(r'name="([^"]+)"', cell_sources(name, "code")) if find_lesson(found) == lesson_number(name)]
        assert len(named) == len(set(named)) == LESSON_SERIES[lesson_number(name)].exercise_count
        assert cell_sources(name, "code").count('name="') == len(named)


INDEX = "16_under_the_hood.ipynb"


def _index() -> dict[str, dict[str, str]]:
    """Return where the last notebook's index says that each preset and option is explained."""
    found: dict[str, dict[str, str]] = {"presets": {}, "options": {}}
    for lesson, presets, options in re.findall(
        r"^\| \w+ · \[[^]]+\]\(([^)]+)\) \| (.*?) \| (.*?) \|$", cell_sources(INDEX, "markdown"), re.MULTILINE
    ):
        for kind, cell in (("presets", presets), ("options", options)):
            for name in re.findall(r"`(\w+)`", cell):
                assert name not in found[kind], f"{name} is in the index twice"
                found[kind][name] = lesson
    return found


def test_the_index_has_every_option_and_only_existing_presets() -> None:
    """A new option must be explained in a lesson; a preset that mixes options need not."""
    index = _index()
    assert set(index["presets"]) <= set(Rules.presets())
    assert set(index["options"]) == set(Rules.options())


def _presets_of(lesson: str) -> set[str]:
    """Return the presets that the code of a lesson names."""
    return {name for name in Rules.presets() if re.search(rf"[\"']{name}(, [^\"']*)?[\"']", cell_sources(lesson, "code"))}


def test_presets_appear_where_the_index_says() -> None:
    """Code names them, and the text describes them in words."""
    for name, lesson in sorted(_index()["presets"].items()):
        assert name in _presets_of(lesson), f"{name} is not named in the code of {lesson}"
        prose, words = cell_sources(lesson, "markdown"), {"econ431": "Econ 431"}.get(name, name.replace("_", " "))
        assert re.search(rf"\*{words}\b", prose, re.IGNORECASE), f"{name} is not spoken of in {lesson}"
        assert f"`{name}`" not in prose, f"{name} is named in {lesson} as in code"


def test_options_appear_where_the_index_says() -> None:
    """Code sets them directly or by a preset."""
    for name, lesson in sorted(_index()["options"].items()):
        calls = re.findall(r"(?:Rules|Rules\.preset|Rules\.parse|\.replace)\([^()]*\)", cell_sources(lesson, "code"))
        by_preset = any(getattr(Rules.preset(preset), name) != getattr(Rules(), name) for preset in _presets_of(lesson))
        assert by_preset or any(re.search(rf"\b{name} ?=", call) for call in calls), f"{name} is not set in {lesson}"


def test_every_variant_can_be_played_by_a_click() -> None:
    """The rules dialog of a table in the variants lesson offers every preset of the index."""
    for name in ["07_variants_1.ipynb", "07b_throwing_in.ipynb", "08_variants_2.ipynb"]:
        offered = set(re.findall(r'"(\w+)"', " ".join(cell.source for cell in read_notebook(name).cells if "door=" in cell.source)))
        presets = set(re.findall(r'^Table\("(\w+)', cell_sources(name, "code"), re.MULTILINE))
        assert {preset for preset, lesson in _index()["presets"].items() if lesson == name} <= offered | presets
