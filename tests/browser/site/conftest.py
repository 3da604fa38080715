"""What the tests of the site share: the page to play, built once, handed out by a server of files; and somebody who comes to it."""

from __future__ import annotations

import os
import re
import shutil

import pytest
from fonts import WIDEST
from served import served
from visiting import Visitor

import play_page


@pytest.fixture(scope="session")
def folder(bundle, tmp_path_factory):
    """The page as it is built: once, however many processes test it; each has a copy."""
    place, built = tmp_path_factory.mktemp("site"), built_once(tmp_path_factory.getbasetemp())
    shutil.copytree(built, place / "play")
    return place


def built_once(base):
    """Where it lies, built by whoever comes first. Beside the folders of all processes, where there are several."""
    import fcntl  # noqa: PLC0415 - which Windows has not, where no test of a browser runs

    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "page-to-play"
    with place.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.with_suffix(".whole").is_file():
            play_page.build(place)
            place.with_suffix(".whole").touch()
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
