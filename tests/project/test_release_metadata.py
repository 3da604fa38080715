"""Test that all files of a release give the same version and address."""

from __future__ import annotations

import re
from pathlib import Path

import durak_widget

ROOT = Path(__file__).resolve().parents[2]


def test_all_files_give_the_same_version():
    """Citation files have the package's version."""
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited[1] == durak_widget.__version__


def test_all_files_give_the_same_address():
    """The project's address is always the same."""
    places = {
        found
        for name in ("pyproject.toml", "CITATION.cff", "SECURITY.md", "README.md", "durak_widget/lessons/notebook_installer.py")
        for found in re.findall(r"https://github\.com/([\w-]+/[\w-]+)", (ROOT / name).read_text(encoding="utf-8"))
    }
    assert places == {"durak-widget/durak_widget"}


def test_the_security_page_says_whom_to_tell():
    """Other pages link to it, and agree with it."""
    security_page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    for page in re.findall(r"\]\((docs/[\w-]+\.md)", security_page):
        assert (ROOT / page).is_file()
    assert "](SECURITY.md)" in (ROOT / "CODE_OF_CONDUCT.md").read_text(encoding="utf-8")
