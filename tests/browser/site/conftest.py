"""What the tests of the site share: the page to play, built once, handed out by a server of files; and somebody who comes to it."""

from __future__ import annotations

import re
import shutil

import pytest
from fonts import WIDEST
from served import served
from visiting import Visitor

import play_page
from support.once import made_once


@pytest.fixture(scope="session")
def folder(bundle, tmp_path_factory):
    """The page as it is built: once, however many processes test it; each has a copy."""
    place, built = tmp_path_factory.mktemp("site"), made_once(tmp_path_factory.getbasetemp(), "page-to-play", play_page.build)
    shutil.copytree(built, place / "play")
    return place


@pytest.fixture(scope="module")
def site(folder):
    """The page, handed out."""
    with served(folder) as one:
        yield one


@pytest.fixture
def visitor(browsers, site, request):
    """Somebody who has never been there; at the end nothing may have gone wrong."""
    more = getattr(request, "param", {})
    context = browsers(WIDEST).new_context(
        **{"viewport": {"width": 1200, "height": 800}, "locale": "en-GB", "reduced_motion": "reduce", **more}
    )
    one = Visitor(context, site.url)
    yield one
    problems = list(one.problems)  # what is cut off by closing it is none
    context.close()
    site.gone.clear()
    site.cut(off=False)
    assert [problem for problem in problems if not re.search(one.expected, problem)] == []
