"""The style sheets of the front end: names that mean one thing wherever widgets stand side by side, and how much of them a table loads."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from durak_widget.engine.card_svg import FONT_FAMILY

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "durak_widget" / "frontend" / "src"
SHEETS = {path.stem: path for path in SOURCES.rglob("*.css")}
SHARED = {"dk-primary"}
"""What all widgets have besides base.css."""


def classes(*names: str) -> set[str]:
    """The names of classes in these sheets."""
    text = "".join(SHEETS[name].read_text(encoding="utf-8") for name in names)
    return set(re.findall(r"\.(dk-[\w-]+)", re.sub(r"/\*.*?\*/|\{[^{}]*\}", "", text, flags=re.DOTALL)))


def test_what_stands_on_a_tree_has_a_name_of_its_own() -> None:
    """Tables, drawers, exercises and tournaments are on the same page as trees and matrices: a name for two things would have the look of both."""
    for other in ("table fullscreen", "drawers", "lesson", "contest"):
        assert classes("board", "board-panels", "matrix") & classes(*other.split()) - classes("base") <= SHARED


def test_drawers_and_exercises_share_what_tables_have() -> None:
    """And nothing else."""
    assert classes("drawers") & classes("lesson") <= classes("base", "table", "fullscreen")


def test_a_table_loads_no_more_than_is_promised() -> None:
    """Its script and style, as built, are within the limits of the benchmark."""
    goals = re.findall(
        r'Goal\("(?:script and style, minified|the same, gzipped)".*?, (\d+), "kB"\)', (ROOT / "benchmarks" / "table.py").read_text("utf-8")
    )
    raw = [(ROOT / "durak_widget" / "static" / name).read_bytes() for name in ("widget.js", "widget.css")]
    assert sum(map(len, raw)) <= int(goals[0]) * 1000
    assert sum(len(gzip.compress(one, 9)) for one in raw) <= int(goals[1]) * 1000


def test_all_is_written_in_the_same_fonts() -> None:
    """The page, what it measures, and every stored picture; none asks for system-ui, which is a typewriter's where only few fonts are."""
    sheet = re.search(r"--dk-sans: ([^;]+);", SHEETS["base"].read_text("utf-8"))
    measured = re.search(r"^const SANS = '(.+)';$", (SOURCES / "board" / "view" / "tree-layout.ts").read_text("utf-8"), re.MULTILINE)
    assert sheet
    assert measured
    assert f" {sheet[1]};" in (SOURCES / "web" / "play.css").read_text("utf-8")
    assert sheet[1] == measured[1] == FONT_FAMILY.replace(",", ", ").replace("'", '"')
    sources = {path for kind in ("py", "ts", "css") for path in (ROOT / "durak_widget").rglob(f"*.{kind}")}
    own = {path for path in sources if not {"static", "node_modules"} & set(path.parts)}
    assert {path.name for path in own if re.search("Segoe UI|system-ui", path.read_text("utf-8"))} == {
        "base.css",
        "play.css",
        "tree-layout.ts",
        "card_svg.py",
    }
