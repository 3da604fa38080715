"""Test the style sheets: class names are unique across widgets, and tables load few of them."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from durak_widget.engine.card_svg import FONT_FAMILY

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "durak_widget" / "frontend" / "src"
SHEETS = {path.stem: path for path in SOURCES.rglob("*.css")}
SHARED = {"dk-primary"}
"""Style sheets that all widgets share with base.css."""


def class_names(*names: str) -> set[str]:
    """Return the class names in these sheets."""
    text = "".join(SHEETS[name].read_text(encoding="utf-8") for name in names)
    return set(re.findall(r"\.(dk-[\w-]+)", re.sub(r"/\*.*?\*/|\{[^{}]*\}", "", text, flags=re.DOTALL)))


def test_tree_classes_are_not_used_by_other_widgets() -> None:
    """Tables, panels, exercises and tournaments are on the same page, and would share the look."""
    for other in ("table fullscreen", "panels extras", "lesson", "contest"):
        assert class_names("board", "board-panels", "matrix") & class_names(*other.split()) - class_names("base") <= SHARED


def test_panels_and_exercises_share_only_table_classes() -> None:
    """They share nothing else."""
    assert class_names("panels") & class_names("lesson") <= class_names("base", "table", "fullscreen")


def test_the_table_bundle_is_within_its_size_limits() -> None:
    """Test the built script and style with the limits of the benchmark."""
    goals = re.findall(
        r'Goal\("(?:script and style, minified|the same, gzipped)".*?, (\d+), "kB"\)', (ROOT / "benchmarks" / "table.py").read_text("utf-8")
    )
    raw = [(ROOT / "durak_widget" / "static" / name).read_bytes() for name in ("widget.js", "widget.css")]
    assert sum(map(len, raw)) <= int(goals[0]) * 1000
    assert sum(len(gzip.compress(size, 9)) for size in raw) <= int(goals[1]) * 1000


def test_all_text_uses_the_same_fonts() -> None:
    """Test pages, measurements and stored pictures. None uses system-ui, which can be monospaced."""
    sheet = re.search(r"--dk-sans: ([^;]+);", SHEETS["base"].read_text("utf-8"))
    measured = re.search(r"^const SANS = '(.+)';$", (SOURCES / "board" / "view" / "tree-layout.ts").read_text("utf-8"), re.MULTILINE)
    assert sheet
    assert measured
    for page in (SOURCES / "web" / "play.css", SOURCES / "live" / "student" / "student.css"):
        assert f" {sheet[1]};" in page.read_text("utf-8")
    assert sheet[1] == measured[1] == FONT_FAMILY.replace(",", ", ").replace("'", '"')
    sources = {path for kind in ("py", "ts", "css") for path in (ROOT / "durak_widget").rglob(f"*.{kind}")}
    own = {path for path in sources if not {"static", "node_modules"} & set(path.parts)}
    assert {path.name for path in own if re.search("Segoe UI|system-ui", path.read_text("utf-8"))} == {
        "base.css",
        "play.css",
        "student.css",
        "tree-layout.ts",
        "card_svg.py",
    }
