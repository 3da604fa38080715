"""What is read aloud, as the browser's own accessibility tree has it: each live region of the package says what is new, and once."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from ear import Ear
from painted import golden
from painted_contest import contests
from painted_exercise import Page, loaded
from painted_matrix import matrices
from painted_tree import ENDING

from durak_widget import Table, analysis, board, bots, lessons
from durak_widget.tournament_widget.widget import Tournament
from support.tournaments import Running

if TYPE_CHECKING:
    from durak_widget.engine.game import Game

pytestmark = pytest.mark.slow


def choice(game: Game) -> Any:
    """A sensible move."""
    return bots.get("careful").choose(game.view(0), Random(0))


@pytest.fixture
def lesson(pages):
    """A page for exercises."""
    context = pages.context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    yield Page(loaded(context))
    context.close()


@pytest.fixture
def matrix(pages):
    """A page for matrices."""
    context = pages.context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    yield matrices(context.new_page())
    context.close()


@pytest.fixture
def contest(pages):
    """A page for tournaments."""
    context = pages.context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    yield contests(context.new_page())
    context.close()


def a_game(blank):
    """A whole game of three."""
    live = Table("perevodnoy, players=3", seats={0: "you", 1: "careful", 2: "careful"}, seed=7, pace=60_000)
    blank.lay(live.scene)
    ear, scenes = Ear(blank.page), []
    while live.game.outcome is None:
        if not live.step():
            live.play(choice(live.game))
        scenes.append({**live.scene, "game": 4})
    live.close()
    blank.page.evaluate("async (all) => { for (const scene of all) { model.set('scene', scene); await 0; } }", scenes)
    return ear


def a_share(blank):
    """What was copied, and twice what cannot be laid."""
    blank.lay(golden("defending"))
    blank.press("x")
    blank.hear({"kind": "share", "text": "A table.", "picture": "<svg xmlns='http://www.w3.org/2000/svg'/>"})
    ear = Ear(blank.page)
    blank.page.get_by_role("button", name="In words").click()
    blank.page.wait_for_function("document.querySelector('.dk-panel [role=status]').textContent")
    for said in ("'Tx' is not a card", "'Ty' is not a card"):
        blank.hear({"kind": "unreadable", "text": [said, said]})
    return ear


def an_exercise(lesson):
    """An answer that is wrong, and one that is right."""
    quiz = lessons.Pick.beaters("9d", of="6d Td Kd Ac 7s 8d", trump="s")
    lesson.lay(quiz)
    ear = Ear(lesson.page)
    for given in ("6d Ac", "Td Kd 7s"):
        quiz.answer(given)
        lesson.show(quiz)
    return ear


def a_coach(lesson):
    """A whole game with a coach."""
    quiz = lessons.Guided(seed=7)
    lesson.lay(quiz)
    ear = Ear(lesson.page)
    while quiz.table.game.outcome is None:
        if not quiz.table.step():
            quiz.table.play(choice(quiz.table.game))
        lesson.show(quiz)
    return ear


def a_tree(board_page):
    """Places that open, and what was found."""
    board_page.lay(board.Tree(analysis.build_tree_from_position(ENDING), depth=1))
    ear = Ear(board_page.page)
    board_page.page.locator(".dk-search-field").fill("take")
    board_page.page.wait_for_function("document.querySelector('.dk-search-count').textContent")
    board_page.page.locator(".dk-hidden-count").first.click()
    board_page.rest()
    return ear


def a_matrix(matrix):
    """What is struck out, and what is then."""
    matrix.lay(board.Matrix([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], rows=["silent", "talks"], columns=["silent", "talks"]))
    ear = Ear(matrix.page)
    for _ in range(2):
        matrix.click(matrix.tool("Strike a dominated plan"))
    return ear


def a_tournament(contest):
    """It is begun and ends; then twice what is not there is asked for."""
    contest.lay(Tournament(Running()))
    ear = Ear(contest.page)
    contest.button("Begin").click()
    contest.until("done")
    for game in (5000, 6000):
        contest.view._receive_message(contest.view, {"kind": "open_game", "game": game}, [])
        contest.tell()
    return ear


ROOMS = {
    a_game: ("blank", {"talk dk-sr-only"}),
    a_share: ("blank", {"share dk-small", "share dk-share-error"}),
    an_exercise: ("lesson", {"exercise dk-feedback"}),
    a_coach: ("lesson", {"exercise dk-feedback"}),
    a_tree: ("board_page", {"said dk-sr-only", "tools dk-search-count"}),
    a_matrix: ("matrix", {"matrixpage dk-sr-only"}),
    a_tournament: ("contest", {"contestview dk-sr-only", "contestview dk-tournament-error"}),
}
"""Each of them, the page that it needs, and the regions that it makes speak: where each is made, and its class."""


@pytest.mark.parametrize("scene", [pytest.param(scene, marks=[] if scene is an_exercise else pytest.mark.slow) for scene in ROOMS])
def test_what_is_said_is_read_once(request, scene):
    """A reader that honours the tree reads what came into each region, and no older sentence with it."""
    page, regions = ROOMS[scene]
    heard = scene(request.getfixturevalue(page)).heard()
    assert set(heard) == {region.split()[1] for region in regions}
    for said, read in heard.values():
        assert 0 < said == read
