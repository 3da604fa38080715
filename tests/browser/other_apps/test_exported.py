"""Test notebooks exported by nbconvert to HTML, slides and PDF: they show the stored pictures."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from app_driver import open_app_page
from fonts import WIDEST
from playwright.sync_api import expect

import ways_in

TRUMPS = Path(__file__).resolve().parents[3] / "notebooks" / "01_trumps.ipynb"
OTHERS = {"html": {"cdnjs.cloudflare.com"}, "slides": {"cdnjs.cloudflare.com", "unpkg.com"}}
"""The machines that nbconvert's own pages ask."""
AS_WEBPDF = """
import sys
from playwright.async_api import BrowserType
launch = BrowserType.launch
BrowserType.launch = lambda self, **more: launch(self, executable_path=sys.argv.pop(), **more)
from nbconvert.nbconvertapp import main
main(["--to", "webpdf", "--disable-chromium-sandbox", *sys.argv[1:-1]])
"""
"""`jupyter nbconvert --to webpdf` with the installed browser. By itself it requires Playwright's own."""


def convert(to: str, folder: Path) -> Path:
    """Return what `jupyter nbconvert --to` makes of a stored notebook."""
    command = [sys.executable, "-m", "nbconvert", "--to", to, "--output-dir", str(folder), str(TRUMPS)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
    (made,) = folder.glob("01_trumps*.html")
    return made


@pytest.mark.release
@pytest.mark.parametrize("to", OTHERS)
def test_an_exported_notebook_shows_its_pictures(browsers, tmp_path, to):
    """Each has its text alternative. No other machine is asked."""
    made = convert(to, tmp_path)
    with open_app_page(browsers(WIDEST), made.as_uri()) as page:
        pictures = page.page.locator(".durak-picture")
        expect(pictures.first).to_be_visible()
        expect(page.page.locator(".durak-picture p").last).to_be_visible()  # without a live widget it is shown now
        heights = pictures.evaluate_all("all => all.map((one) => one.getBoundingClientRect().height)")
        assert len(heights) > 5
        assert min(heights) > 30  # the lowest is one line of text
        images = page.page.locator(".durak-picture img")
        assert images.evaluate_all("all => all.every((one) => one.complete && one.naturalWidth > 0 && one.alt.length > 20)")
        assert page.far <= OTHERS[to], page.far


@pytest.mark.release
def test_a_pdf_has_all_pictures(tmp_path):
    """As many as the page."""
    browser = ways_in.run("sh", "tools/browser.sh", cwd=TRUMPS.parents[1], env=dict(os.environ)).splitlines()[-1]
    command = [sys.executable, "-c", AS_WEBPDF, "--output-dir", str(tmp_path), str(TRUMPS), browser]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
    pdf = (tmp_path / "01_trumps.pdf").read_bytes()
    assert pdf.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) > 3
    assert len(pdf) > 100_000
