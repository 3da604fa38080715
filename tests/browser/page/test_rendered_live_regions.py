"""Test what is announced, from the browser's accessibility tree: each live region says what is new, once."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from rendered_exercise import ExercisePage, load_exercise_page
from rendered_matrix import load_matrix_page
from rendered_table import golden_scene
from rendered_tournament import load_tournament_page
from rendered_tree import ENDING
from screen_reader import ScreenReader

from durak_widget import Table, analysis, board, bots, lessons
from durak_widget.tournament_widget.widget import Tournament
from support.spoken import english_text
from support.tournaments import Running

if TYPE_CHECKING:
    from durak_widget.engine.game import Game

pytestmark = pytest.mark.slow


def choose_move(game: Game) -> Any:
    """Return a sensible move."""
    return bots.get("careful").choose(game.view(0), Random(0))


@pytest.fixture
def lesson(pages):
    """Open a page for exercises."""
    context = pages.context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    yield ExercisePage(load_exercise_page(context))
    context.close()


@pytest.fixture
def matrix(pages):
    """Open a page for matrices."""
    context = pages.context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    yield load_matrix_page(context.new_page())
    context.close()


@pytest.fixture
def tournament_page(pages):
    """Open a page for tournaments."""
    context = pages.context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    yield load_tournament_page(context.new_page())
    context.close()


def play_a_game(table_page):
    """Play a whole game of three."""
    live = Table("perevodnoy, players=3", seats={0: "you", 1: "careful", 2: "careful"}, seed=7, pace=60_000)
    table_page.mount(live.scene)
    reader, scenes = ScreenReader(table_page.page), []
    while live.game.outcome is None:
        if not live.step():
            live.play(choose_move(live.game))
        scenes.append({**live.scene, "game": 4})
    live.close()
    table_page.page.evaluate("async (all) => { for (const scene of all) { model.set('scene', scene); await 0; } }", scenes)
    return reader


def share_a_game(table_page):
    """Copy a game, then paste invalid text twice."""
    table_page.mount(golden_scene("defending"))
    table_page.press("x")
    table_page.receive({"kind": "share", "text": "A table.", "picture": "<svg xmlns='http://www.w3.org/2000/svg'/>"})
    reader = ScreenReader(table_page.page)
    table_page.page.get_by_role("button", name=english_text("screen.copy.words")).click()
    table_page.page.wait_for_function("document.querySelector('.dk-panel [role=status]').textContent")
    for said in ("'Tx' is not a card", "'Ty' is not a card"):
        table_page.receive({"kind": "unreadable", "text": [said, said]})
    return reader


def do_an_exercise(lesson):
    """Answer wrongly, then rightly."""
    quiz = lessons.Pick.beaters("9d", of="6d Td Kd Ac 7s 8d", trump="s")
    lesson.mount(quiz)
    reader = ScreenReader(lesson.page)
    for given in ("6d Ac", "Td Kd 7s"):
        quiz.answer(given)
        lesson.show(quiz)
    return reader


def play_with_a_coach(lesson):
    """Play a whole game with a coach."""
    quiz = lessons.Guided(seed=7)
    lesson.mount(quiz)
    reader = ScreenReader(lesson.page)
    while quiz.table.game.outcome is None:
        if not quiz.table.step():
            quiz.table.play(choose_move(quiz.table.game))
        lesson.show(quiz)
    return reader


def explore_a_tree(board_page):
    """Unfold nodes and search."""
    board_page.mount(board.Tree(analysis.build_tree_from_position(ENDING), depth=1))
    reader = ScreenReader(board_page.page)
    board_page.page.locator(".dk-search-field").fill("take")
    board_page.page.wait_for_function("document.querySelector('.dk-search-count').textContent")
    board_page.page.locator(".dk-hidden-count").first.click()
    board_page.rest()
    return reader


def solve_a_matrix(matrix):
    """Strike dominated strategies."""
    matrix.mount(board.Matrix([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], rows=["silent", "talks"], columns=["silent", "talks"]))
    reader = ScreenReader(matrix.page)
    for _ in range(2):
        matrix.click(matrix.tool(english_text("screen.matrix.strike")))
    return reader


def run_a_tournament(tournament_page):
    """Run it, then ask twice for a missing game."""
    tournament_page.mount(Tournament(Running()))
    reader = ScreenReader(tournament_page.page)
    tournament_page.button(english_text("arena.begin")).click()
    tournament_page.until("done")
    for game in (5000, 6000):
        tournament_page.view._receive_message(tournament_page.view, {"kind": "open_game", "game": game}, [])
        tournament_page.sync()
    return reader


SCENARIOS = {
    play_a_game: ("table_page", {"talk dk-sr-only"}),
    share_a_game: ("table_page", {"share dk-small", "share dk-share-error"}),
    do_an_exercise: ("lesson", {"exercise dk-feedback"}),
    play_with_a_coach: ("lesson", {"exercise dk-feedback"}),
    explore_a_tree: ("board_page", {"said dk-sr-only", "tools dk-search-count"}),
    solve_a_matrix: ("matrix", {"matrixpage dk-sr-only"}),
    run_a_tournament: ("tournament_page", {"contestview dk-sr-only", "contestview dk-tournament-error"}),
}
"""Each scenario with its page and its live regions: a short name of the source, and the class."""


@pytest.mark.parametrize("scene", [pytest.param(scene, marks=[] if scene is do_an_exercise else pytest.mark.slow) for scene in SCENARIOS])
def test_every_announcement_is_read_once(request, scene):
    """No older sentence is read again."""
    page, regions = SCENARIOS[scene]
    heard = scene(request.getfixturevalue(page)).announcements()
    assert set(heard) == {region.split()[1] for region in regions}
    for said, read in heard.values():
        assert 0 < said == read
