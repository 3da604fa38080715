"""What a release says of itself in several places is said alike."""

from __future__ import annotations

import re
from pathlib import Path

import durak_widget

ROOT = Path(__file__).resolve().parents[2]


def test_the_version_is_one():
    """The package's own stands in what others cite."""
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited[1] == durak_widget.__version__


def test_the_project_lies_in_one_place():
    """Wherever its address is said, it is the same one."""
    places = {
        found
        for name in ("pyproject.toml", "CITATION.cff", "SECURITY.md", "README.md", "durak_widget/lessons/notebook_installer.py")
        for found in re.findall(r"https://github\.com/([\w-]+/[\w-]+)", (ROOT / name).read_text(encoding="utf-8"))
    }
    assert places == {"durak-widget/durak_widget"}


def test_whoever_finds_something_knows_whom_to_tell():
    """The page on security promises what other pages hold, and leads to them."""
    told = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    for page in re.findall(r"\]\((docs/[\w-]+\.md)", told):
        assert (ROOT / page).is_file()
    assert "](SECURITY.md)" in (ROOT / "CODE_OF_CONDUCT.md").read_text(encoding="utf-8")
