"""Share the built page, its server and a visitor between the tests of the site."""

from __future__ import annotations

import re
import shutil

import pytest
from file_server import serve
from fonts import WIDEST
from visitor import Visitor

import play_page
from support.once import made_once

SEEDED = """{
  let state = 20261130;
  crypto.getRandomValues = (view) => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 24;
    return view;
  };
}
"""
"""With it Python deals the same cards in each run: otherwise a test fails once in a hundred runs, on a rare deal."""


@pytest.fixture(scope="session")
def folder(bundle, tmp_path_factory):
    """Build the page once, for all processes. Each gets a copy."""
    place, built = tmp_path_factory.mktemp("site"), made_once(tmp_path_factory.getbasetemp(), "page-to-play", play_page.build)
    shutil.copytree(built, place / "play")
    worker = place / "play/worker.js"
    worker.write_text(SEEDED + worker.read_text(encoding="utf-8"), encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def site(folder):
    """Serve the page."""
    with serve(folder) as server:
        yield server


@pytest.fixture
def visitor(browsers, site, request):
    """Return a new visitor. Fail on browser errors."""
    more = getattr(request, "param", {})
    context = browsers(WIDEST).new_context(
        **{"viewport": {"width": 1200, "height": 800}, "locale": "en-GB", "reduced_motion": "reduce", **more}
    )
    new_visitor = Visitor(context, site.url)
    yield new_visitor
    problems = list(new_visitor.problems)  # requests cut off by closing the page are no failures
    context.close()
    site.gone.clear()
    site.cut(off=False)
    assert [problem for problem in problems if not re.search(new_visitor.expected, problem)] == []
