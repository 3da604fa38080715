"""The page for the wall: what it claims, what it escapes, what it needs."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from durak_widget.arena.shown import claims, wall
from durak_widget.words import Voice
from spoken import WHOLE
from tournaments import HOSTILE, Lost, Played, Stood, not_begun, of_four, of_many

VOID = {"meta", "br", "circle", "path", "img"}


class Elements(HTMLParser):
    """The elements of a page, and whether each that is begun is ended."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.wrong: list[str] = []
        self.text = ""
        self.feed(page)
        self.wrong += self.open

    def handle_starttag(self, tag, attrs):
        """One more is open."""
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        """Nothing stays open."""
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        """The last that was opened is closed."""
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"/{tag}")

    def handle_data(self, data):
        """What is read."""
        if not self.open or self.open[-1] != "style":
            self.text += data


@pytest.mark.parametrize("language", WHOLE)
@pytest.mark.parametrize("result", [of_four(), of_many(), not_begun()], ids=["four", "many", "none"])
def test_a_page_is_whole_and_needs_nothing_else(result, language):
    """Each element is ended, nothing is fetched, no script runs, whatever bots are called; every sentence has words."""
    page = Elements(wall.page(result, language))
    assert page.wrong == []
    names = [name for _, attributes in page.found for name in attributes]
    assert not {"src", "href", "onerror", "onclick"} & set(names)
    assert {tag for tag, _ in page.found} & {"script", "img", "link", "iframe", "base"} == set()
    assert "arena." not in page.text.replace("durak_widget.arena", "")
    assert not re.search(r"[{}]", page.text.replace(HOSTILE[-1][8:], "").replace("{bot}", ""))


def test_names_are_shown_as_they_are_called():
    """A name with signs of a page in it is read as it was given; what turns lines round is left out, and it stands apart from what is beside it."""
    page = Elements(wall.page(of_many()))
    assert HOSTILE[0] in page.text
    assert HOSTILE[2] in page.text
    assert "agnorw &amp; {bot} %s" not in page.text.replace("gnorw &amp; {bot} %s", "")
    assert "\u202e" not in page.text


def test_nobody_is_called_better_without_proof():
    """Ann is better than all; of two who look unlike nothing is said but that they cannot be told apart, and how many games would do."""
    said = claims.standing_said(of_four(), Voice())
    assert said == [
        "Ann is better than every other: sure.",
        "Ben is better than Cem: sure.",
        "Cem and Dora cannot be told apart yet: some 600 games more would do.",
        "Each rating is known to within 5 points of 100.",
    ]
    unsure = of_four(standing=Stood(("Ben", "Ann", "Dora", "Cem"), (58.0, 71.0, 34.5, 36.0), 30.0, 200))
    assert claims.standing_said(unsure, Voice()) == [
        "Ann, Ben, Cem and Dora cannot be told apart yet.",
        "Some 21000 games more, and each rating would be known to within 5 points of 100.".replace("21000", "21\u202f000"),
    ]
    assert "sure" not in wall.page(unsure).split("<main>")[1]


def test_a_run_on_top_is_told_as_one():
    """Who stands first within a tie is not said to lead."""
    tied = of_four(standing=Stood(("Ben", "Ann", "Dora", "Cem"), (70.0, 71.0, 34.5, 20.0), 4.0, 200))
    assert claims.standing_said(tied, Voice())[:3] == [
        "Ann and Ben cannot be told apart yet: some 600 games more would do.",
        "Each of them is better than every other: sure.",
        "Dora is better than Cem: sure.",
    ]


def test_ties_that_overlap_are_brackets_side_by_side():
    """Who cannot be told apart from either neighbour stands in two brackets."""
    standing = Stood(("a", "b", "c"), (60.0, 55.0, 50.0), 3.0, 100)
    assert standing.groups == ((0, 1), (1, 2))
    assert claims.lanes(standing) == [[(0, 1)], [(1, 2)]]


def test_who_is_out_stands_there_with_the_reason():
    """Every forfeit with its sentence and its position; who is out has no place where nothing is known, and stays in the table."""
    lost = tuple(Lost("Cem", game, "Cem chose 7♣, which it does not hold", "podkidnoy: <6c>") for game in (3, 9, 17))
    names, known = ("Ann", "Ben", "Cem"), Stood(("Ann", "Ben"), (60.0, 40.0), 3.0, 100)

    class WithoutCem(Stood):
        @property
        def ratings(self):
            return (*known.ratings, None)

        order, groups = known.order, known.groups

        def share(self, i, j):
            return None if 2 in (i, j) else known.share(i, j)

        def better(self, i, j):
            return 2 not in (i, j) and known.better(i, j)

    page = wall.page(Played(names, WithoutCem(names, (60.0, 40.0, 0.0), 3.0, 100), forfeits=lost, out=("Cem",)))
    text = Elements(page).text
    assert text.count("which it does not hold.") == 3
    assert "podkidnoy: <6c>" in text
    assert "Cem is out after three forfeits." in text
    assert text.count("Cem (out)") == 1
