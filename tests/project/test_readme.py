"""Test that the README is short, and that its links work in the README and on a package index."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
REPOSITORY = "https://github.com/durak-widget/durak_widget"
TOUR = ROOT / "docs" / "images" / "tour.webp"


@pytest.fixture
def build_hook(monkeypatch):
    """Return the module that hatchling loads."""
    pytest.importorskip("hatchling")
    monkeypatch.syspath_prepend(str(ROOT))
    monkeypatch.setattr(sys, "path", list(sys.path))  # the module adds a folder
    import hatch_build  # noqa: PLC0415 - it is beside the package

    return hatch_build


def test_the_readme_is_short():
    """It has at most 500 words, and its first sentence at most 20."""
    assert len(README.split()) <= 500
    first_sentence = README.split("\n\n")[1].split(". ")[0].split(".**")[0]
    assert len(first_sentence.split()) <= 20


def test_the_first_links_are_to_play_to_learn_and_to_teach():
    """They come right after the moving picture."""
    after_picture = README.split("docs/images/tour.webp)\n\n")[1].splitlines()[0]
    assert re.findall(r"\[([^]]+)\]", after_picture) == ["Play in your browser", "Lessons", "For teachers"]


def test_the_moving_picture_is_small_and_moves():
    """It is below 600 kB."""
    assert TOUR.stat().st_size < 600_000
    with pytest.importorskip("PIL.Image").open(TOUR) as image:
        assert image.n_frames > 20
        assert 700 <= image.width <= 850


def test_links_in_the_description_of_the_package_are_absolute(build_hook):
    """Each file of the project that the README links to has its address, and pictures have the address of the image."""
    metadata = {"urls": {"Homepage": REPOSITORY}}
    build_hook.ReadmeHook(str(ROOT), {}).update(metadata)
    assert metadata["readme"]["content-type"] == "text/markdown"
    text = metadata["readme"]["text"]
    addresses = re.findall(r"\]\(([^)]*)", text)
    assert addresses
    assert not [address for address in addresses if not address.startswith("https://")]
    files = {address.removeprefix(f"{REPOSITORY}/").split("/HEAD/")[1] for address in addresses if "/HEAD/" in address}
    assert files == {target for target in re.findall(r"\]\(([^)]*)", README) if ":" not in target}
    assert f"{REPOSITORY}/raw/HEAD/docs/images/tour.webp" in addresses


@pytest.mark.parametrize(
    ("markdown", "absolute"),
    [
        ("[docs](docs/a.md#b)", "[docs](R/blob/HEAD/docs/a.md#b)"),
        ("![a picture](a.png)", "![a picture](R/raw/HEAD/a.png)"),
        ("[![badge](a.svg)](docs/b.md) [c](d.md)", "[![badge](R/raw/HEAD/a.svg)](R/blob/HEAD/docs/b.md) [c](R/blob/HEAD/d.md)"),
        ("[site](https://example.org/) [below](#below) [mail](mailto:a@example.org)", None),
    ],
)
def test_only_relative_links_are_changed(build_hook, markdown, absolute):
    """Each kind of link."""
    assert build_hook.make_links_absolute(markdown, "R") == (absolute or markdown)
