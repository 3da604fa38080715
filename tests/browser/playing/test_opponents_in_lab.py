"""Test a day with opponents in JupyterLab, by mouse, touch and keys: win, lose, retry, and the ending on the next day."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import pytest
from human_player import HumanPlayer
from playwright.sync_api import expect

from durak_widget import Table, bots, review
from durak_widget.analysis.endgame import solve_endgame
from durak_widget.lessons.puzzle_practice import build_winnable_game
from support.spoken import english, english_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Locator

RULES = "podkidnoy, ranks=QKA, hand_size=3"
SEEDS = range(69, 400)
"""The first of these seeds that leads to the planned games. If bots change, it may be another."""
TABLE = """import os
os.environ["DURAK_WIDGET_HOME"] = {home!r}
from datetime import date, timedelta
from durak_widget import Table, lessons
from durak_widget.analysis.endgame import solve_endgame
clock = [date.today()]
table = Table({rules!r}, seats={{1: "next"}}, seed={seed}, pace=0, motion=False)
table"""
ENDINGS = """mine = lessons.MyEndings(today=lambda: clock[0], pace=0, motion=False)
mine"""


class PlannedGames(NamedTuple):
    """The person's moves, each after so many others, and the sentences about the lost game."""

    seed: int
    won: tuple[dict[int, str], dict[int, str]]
    lost: dict[int, str]
    said: str
    ply: int


class KeyboardUser(HumanPlayer):
    """A user without a pointer: digits, arrows and Tab."""

    def press(self, what: Locator) -> None:
        """Go there and press Enter."""
        here, keyboard = what.element_handle(), self.page.keyboard
        for _ in range(60):
            step = here.evaluate("""(there) => {
                const at = document.activeElement, hand = there.closest('.dk-hand');
                if (at === there) return 'Enter';
                if (hand) return String([...hand.querySelectorAll('.dk-hand-card')].indexOf(there) + 1);
                if (at.closest('.dk-hand') && there.closest('.dk-actions')) return 'ArrowDown';
                return there.closest('[data-roving]')?.contains(at) ? 'ArrowRight' : 'Tab';
            }""")
            keyboard.press(step)
            if step == "Enter":
                return
        raise AssertionError(f"no key leads to {here.inner_text()!r} from where the focus was")


@pytest.fixture(scope="module")
def planned_games(tmp_path_factory: pytest.TempPathFactory) -> PlannedGames:
    """Find the games without a page: two wins against the first opponent, and a won ending given away to the second."""
    return next(filter(None, (_told(seed, str(tmp_path_factory.mktemp("home"))) for seed in SEEDS)))


def _told(seed: int, home: str) -> PlannedGames | None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DURAK_WIDGET_HOME", home)
        table = Table(RULES, seats={1: "next"}, seed=seed)
        first = _played(table)
        _hear(table, "next_game")
        second = _played(table)
        if table.scene["result"].get("next_opponent") is None:
            return None
        _hear(table, "play_opponent", player=table.scene["result"]["next_opponent"])
        lost = _played(table, gives=True)
        found = review.analyze(table.game, 0)
        turn = found.main_turning_point
        if table.scene["result"]["won"] is not False or turn is None or not turn.is_proved or not turn.decision.move.cards:
            return None
        if turn.decision.seat != 0 or build_winnable_game(turn.position.position) is None:
            return None
        return PlannedGames(seed, (first, second), lost, found.sentence("en", cards="signs"), turn.decision.ply)


def _hear(table: Table, kind: str, **more: object) -> None:
    table.handle_message({"kind": kind, "game": table.scene["game"], "ply": table.scene["ply"], **more})


def _played(table: Table, *, gives: bool = False) -> dict[int, str]:
    """A game to its end, as one plays who counts, or gives the first won ending away; the person's moves."""
    made, given = {}, False
    for view in _turns(table):
        ending = None if table.game.talon or not gives else solve_endgame(table.game)
        bad = (
            [] if ending is None or (ending.value < 1 and not given) else [move for move, value in ending.move_values.items() if value < 0]
        )
        given = given or bool(bad)
        move = bad[0] if bad else bots.get("counting").choose(view, Random(0))
        made[view.ply] = str(move)
        table.play(move)
    return made


def _turns(table: Table) -> Iterator:
    while table.game.outcome is None:
        if table.game.actor == 0:
            yield table.game.view(0)
        else:
            table.step()


@pytest.mark.release
@pytest.mark.parametrize("how", ["mouse", "touch", "keys"])
def test_a_day_with_opponents(notebook, planned_games, tmp_path, how):
    """Step by step, from the page: sentences, buttons and panel, and what is remembered."""
    look = {"viewport": (360, 740), "touch": True, "theme": "dark"} if how == "touch" else {}
    cells = [TABLE.format(home=str(tmp_path), rules=RULES, seed=planned_games.seed), ENDINGS]
    book = notebook(cells, reduced_motion=True, **look)
    person = (KeyboardUser if how == "keys" else HumanPlayer)(book, "table", 0, how)
    table = person.table
    card, status = table.locator(".dk-result-card"), table.locator("[role=status]")
    region = book.page.get_by_role("region", name="Exercise:")
    expect(region.locator(".dk-question")).to_contain_text(english("lesson.endings.none"))
    table.locator("[tabindex='0']").first.focus()

    # Beat an opponent
    expect(table.locator(".dk-seat .dk-name").first).to_have_text("Tim")
    play_moves(person, planned_games.won[0])
    expect(card).to_contain_text(english_text("table.rival.one", who="Tim"))
    person.press(person.button(english_text("screen.next_game")))
    play_moves(person, planned_games.won[1])
    expect(card.locator(".dk-verdict")).to_contain_text("Tim")
    expect(card.locator("[data-opponent=nephew] svg, [data-opponent=uncle] svg")).to_have_count(2)

    # Lose to the next one
    person.press(person.button(english_text("screen.meet", who="Uncle Yasha")))
    expect(table.locator(".dk-seat .dk-name").first).to_have_text("Uncle Yasha")
    play_moves(person, planned_games.lost)
    expect(status).to_contain_text("could have won")

    # Look at the turning point
    if how == "keys":
        book.page.keyboard.press("e")
    else:
        person.press(table.locator("[data-action=turned]"))
    panel = table.get_by_role("dialog", name=english_text("screen.turned"))
    expect(panel).to_contain_text("Better: ")
    person.press(panel.get_by_role("button", name=planned_games.said))
    expect(table).to_have_attribute("data-ply", str(planned_games.ply))
    expect(card).to_be_hidden()

    # Try again and win
    person.press(panel.get_by_role("button", name=english_text("screen.retry")).first)
    expect(panel).to_be_hidden()
    expect(table.locator(".dk-recent-moves")).to_contain_text(
        re.compile("|".join(english(f"table.trial.{goal}").pattern for goal in ("out", "draw")), re.IGNORECASE)
    )
    while not book.python("table.game.outcome"):
        person.settled()
        person.play(book.python("str(solve_endgame(table.game).quickest_moves[0])"))
        book.until("table.game.outcome or table.game.actor == 0")
    expect(card).to_contain_text(english("table.trial.done"))
    person.press(person.button(english_text("screen.next_game")))
    expect(card).to_be_hidden()
    assert book.python("(len(table.match.games), table.game.outcome, table.players[1])") == (2, None, "uncle")

    # Find the lost ending on the next day
    again = type(person)(book, "mine.table", 1, how)
    book.execute("clock[0] = date.today() + timedelta(1)")
    book.cell(1).locator(".cm-content").click()
    book.page.keyboard.press("Control+Enter")
    expect(region.locator(".dk-question")).to_contain_text(english("lesson.endings.mine.one", count="1"))
    again.table.locator("[tabindex='0']").first.focus()
    for move in book.python("mine.solution"):
        again.settled()
        again.play(move)
    expect(region).to_have_attribute("data-state", "right")
    assert book.python("(mine.left_count, mine.check())") == (0, True)


def play_moves(person: HumanPlayer, moves: dict[int, str]) -> None:
    """Play a game by the person's moves, each as soon as the page shows its moment."""
    person.book.until("table.game.outcome is None and not table.scene.get('result')")
    person.start()
    for ply, move in moves.items():
        expect(person.table).to_have_attribute("data-ply", str(ply))
        person.play(move)
    expect(person.table.locator(".dk-result-card")).to_be_visible()
