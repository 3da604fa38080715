"""Test visits to the learn page: the steps and their order, answers with reasons, languages, and stored progress."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from durak_widget import defaults
from durak_widget.cards import SUIT_SIGNS
from durak_widget.i18n import LANGUAGES, Translator, get_language
from durak_widget.lessons.first_steps import STEPS, WHOLE_GAME, FirstGame, FirstStep, create_step
from durak_widget.web.browser_files import PROGRESS_FILE
from durak_widget.web.learn_page import CHANNEL_NAME, LearnVisit, get_labels
from durak_widget.web.message_channel import CHANNEL
from support.tables import send_message

TASKS = STEPS[:-1]
LONGEST_ON_THE_FELT = 90


class Browser:
    """A browser that stores what it is asked to store, and reads the messages to the page."""

    def __init__(self, folder):
        self.folder, self.files, self.times, self.messages = folder, {}, 0, []
        CHANNEL.connect(lambda text, _: self.messages.append(json.loads(text)))

    def visit(self, **more):
        """Open the page in a new Python."""
        self.times += 1
        visit = LearnVisit(self.folder / str(self.times))
        self.say(kind="begin", files=dict(self.files), **{"language": "en", **more})
        return visit

    def say(self, **message):
        """Send a message from the page."""
        CHANNEL.receive(json.dumps({"id": CHANNEL_NAME, **message}))

    def press_next(self, visit):
        """Press *Next* at the exercise."""
        page, _ = visit.exercise.widgets
        page.handle_message({"kind": "next"})

    def heard(self, kind):
        """Return the new messages of a kind, and store what is to be stored."""
        found = [message for message in self.messages if message["kind"] == kind]
        for message in self.messages:
            if message["kind"] == "save_files":
                self.files.update(message["files"])
        self.messages.clear()
        return found


@pytest.fixture
def browser(monkeypatch, tmp_path):
    """Return a browser with an empty store."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", "")
    CHANNEL.clear()
    yield Browser(tmp_path)
    CHANNEL.clear()
    CHANNEL.connect(lambda *_: None)
    defaults(None)


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_can_be_solved_and_says_why(name, language):
    """The reason is in the visitor's language, and short enough to stand on the felt."""
    step = create_step(name, language=language)
    assert (step.check(), step.view_model()["has_next"]) == (False, False)
    verdict = step.answer(step.solution)
    assert (verdict.right, step.check(), step.view_model()["has_next"]) == (True, True, True)
    heading, reason = verdict.sentences
    assert heading == Translator(language).translate("lesson.right")
    assert 0 < len(reason) <= LONGEST_ON_THE_FELT
    assert "can_ask_why" not in step.view_model()


@pytest.mark.parametrize("name", TASKS)
def test_each_legal_move_is_answered(name):
    """A move that misses the point is answered with a reason, and the step can be tried again."""
    step = create_step(name)
    for move in step.table.game.legal_moves():
        step.restart()
        verdict = step.answer(str(move))
        if step.is_decided and not verdict:
            _, reason = verdict.sentences
            assert reason != Translator().translate("lesson.goal.other")
            assert not step.view_model()["has_next"]
    step.restart()
    assert step.answer(step.solution)


@pytest.mark.parametrize(("name", "card"), [("beat", "7c"), ("beat", "Kd"), ("trump", "Kd"), ("take", "Qs"), ("throw", "As")])
def test_a_card_that_may_not_be_played_is_refused_with_a_reason(name, card):
    """The reason is the rule book's. Nothing is lost, and the step goes on."""
    step = create_step(name)
    note = send_message(step.table, "explain_refusal", card=card)["note"]
    assert note["kind"] == "refused"
    assert note["text"]
    assert not step.is_decided


def test_the_steps_show_rules_that_hold():
    """What a step teaches is true of its position."""
    beat, trump, take, last = (create_step(name).table.game for name in ("beat", "trump", "take", "end"))
    assert {move.cards[1].suit for move in beat.legal_moves() if move.verb == "beat"} == {"c"}
    assert {move.cards[1].suit for move in trump.legal_moves() if move.verb == "beat"} == {trump.trump}
    assert [move.verb for move in take.legal_moves()] == ["take"]
    assert not last.talon
    drawn = create_step("pass")
    drawn.answer("pass")
    assert [len(hand) for hand in drawn.table.game.hands] == [6, 6]
    fool = create_step("end")
    fool.answer(fool.solution)
    assert fool.table.game.outcome.losers == (1,)


def test_the_opponent_takes_the_card_that_is_thrown_in_while_he_takes():
    """The table answers at once: he takes both cards, and the learner attacks again."""
    step = create_step("taking")
    [thrown, attack] = ["9d", "9s"]
    assert sorted(move.verb for move in step.table.game.legal_moves()) == ["pass", "throw"]
    step.answer(f"throw {thrown}")
    game = step.table.game
    assert {attack, thrown} <= {str(card) for card in game.hands[1]}
    assert (len(game.hands[0]), game.attacker, len(game.table)) == (6, 0, 0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_shows_the_symbol_of_each_suit_that_it_names(language):
    """The symbols are those of the cards and of the suit in the question; other exercises have none."""
    suits = {"beat": "cc", "trump": "hd", "take": "ss", "throw": "cc", "pass": "h", "taking": "s"}
    for name in TASKS:
        shown = sorted(re.findall(r"\N{NO-BREAK SPACE}([♣♦♥♠])\ufe0e", create_step(name, language=language).question))
        assert shown == sorted(SUIT_SIGNS[letter] for letter in suits.get(name, ""))


def test_a_screen_reader_hears_a_reason_without_symbols():
    """The table shows the symbol of the suit, and a screen reader hears its name only."""
    step = create_step("trump")
    step.answer("take")
    written, spoken = step.table.scene["verdict"]["text"]
    assert ("♥" in written, "♥" in spoken) == (True, False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_end_of_the_whole_game_names_no_button_that_the_page_lacks(language):
    """The page hides the button for the next game, and leads to the page to play."""
    game = create_step(WHOLE_GAME, language=language)
    game.table.seat_player(0, "careful")
    while game.table.step():
        pass
    labels = get_language(language).sentences
    assert all(labels["screen.next_game"] not in text for text in (*game.sentences, game.question, *game.table.scene["commentary"]))
    assert labels["learn.play"] in game.question


def test_the_whole_game_has_a_coach_and_a_named_opponent():
    """It begins with the visitor, and the coach may comment, so it does not count as a win."""
    game = create_step(WHOLE_GAME)
    assert (game.table.players, game.table.game.actor) == (("you", "nephew"), 0)
    assert (game.table.coach, game.table._session.is_counted) == (True, False)
    question = game.question
    game.table.seat_player(0, "careful")
    while game.table.step():
        pass
    assert game.check()
    assert game.question != question


def test_next_works_only_after_a_right_answer(browser):
    """The page is told when a step is solved."""
    visit = browser.visit()
    for number, name in enumerate(TASKS):
        assert isinstance(visit.exercise, FirstStep)
        assert (visit.step, STEPS[visit.step]) == (number, name)
        browser.press_next(visit)
        assert visit.step == number
        assert not browser.heard("progress")[-1]["is_solved"]
        visit.exercise.answer(visit.exercise.solution)
        shown = browser.heard("progress")[-1]
        assert (shown["id"], shown["step"], shown["is_solved"], shown["is_done"]) == (CHANNEL_NAME, number, True, True)
        browser.press_next(visit)
    assert isinstance(visit.exercise, FirstGame)
    assert browser.heard("progress")[-1]["step"] == len(TASKS)


def test_a_shown_solution_leads_on_too(browser):
    """It does not count as solved."""
    visit = browser.visit()
    visit.exercise.reveal()
    shown = browser.heard("progress")[-1]
    assert (shown["is_solved"], shown["is_done"], visit.exercise.view_model()["has_next"]) == (False, True, True)
    browser.press_next(visit)
    assert (visit.step, visit.solved) == (1, set())


WALK = """
import json, sys
from pathlib import Path
from durak_widget.web import anywidget_shim
anywidget_shim.install_shims()
from durak_widget.lessons.first_steps import STEPS
from durak_widget.web.learn_page import LearnVisit
from durak_widget.web.message_channel import CHANNEL
messages = []
CHANNEL.connect(lambda text, _: messages.append(json.loads(text)))
visit = LearnVisit(Path(sys.argv[1]))
visit.handle_message({"kind": "begin", "files": {}, "language": "en"})
for _ in STEPS[:-1]:
    visit.exercise.answer(visit.exercise.solution)
    visit.exercise.next()
seen = {name for name in ("numpy", "ipywidgets", "IPython") if hasattr(sys.modules.get(name), "__file__")}
print(json.dumps([messages, sorted(seen)]))
"""


def test_each_step_opens_one_exercise_and_one_table(tmp_path):
    """Those before are closed. A table is opened at its first position: the page does not see how the exercise checks its solution.

    Nothing of a notebook is imported.
    """
    process = subprocess.run([sys.executable, "-c", WALK, str(tmp_path)], capture_output=True, text=True, check=True)
    messages, seen = json.loads(process.stdout)
    opened = [message for message in messages if message["kind"] == "open"]
    assert sorted(message["bundle"] for message in opened) == sorted(["lesson.js", "widget.js"] * len(STEPS))
    scenes = [message["state"]["scene"] for message in opened if "scene" in message["state"]]
    assert {(scene["ply"], scene["last_ply"]) for scene in scenes} == {(0, 0)}
    assert len({message["id"] for message in messages if message["kind"] == "close"}) == 2 * len(TASKS)
    assert seen == []


def test_steps_can_be_skipped_and_repeated(browser):
    """An impossible step is ignored."""
    visit = browser.visit()
    for step in (3, 1, 99, -1, "2"):
        browser.say(kind="step", step=step)
    assert visit.step == 1
    assert not visit.exercise.check()


def test_a_later_visit_goes_on_where_the_visitor_was(browser):
    """At the same step, with the solved ones known, in the language and look of the last visit."""
    visit = browser.visit(language="lt")
    visit.exercise.answer(visit.exercise.solution)
    browser.press_next(visit)
    visit.exercise.table.skin = "slate"
    browser.heard("progress")
    again = browser.visit(language="ru")
    assert (again.step, again.solved, again.exercise.table.skin) == (1, {"attack"}, "slate")
    assert (again.exercise.language, again.exercise.table.language) == ("ru", "ru")


def test_an_unfinished_game_goes_on_at_the_next_visit(browser):
    """The coach is still there. A finished game is followed by a new one."""
    visit = browser.visit()
    browser.say(kind="step", step=len(TASKS))
    table = visit.exercise.table
    table.play(table.game.legal_moves()[0])
    browser.heard("progress")
    before = table.game.moves
    table = browser.visit().exercise.table
    assert (table.game.moves[: len(before)], table.coach) == (before, True)
    table.seat_player(0, "careful")
    while table.step():
        pass
    assert browser.heard("progress")[-1]["is_solved"]
    assert browser.visit().exercise.table.game.ply == 0


@pytest.mark.parametrize("text", ["", "[]", "{", '{"step": 3}', '{"step": "none", "solved": []}', '{"step": "take", "solved": 1}'])
def test_unreadable_progress_begins_at_the_first_step(browser, text):
    """An invalid game is dropped."""
    browser.files[PROGRESS_FILE] = text
    assert browser.visit().step == 0
    browser.files[PROGRESS_FILE] = json.dumps({"step": WHOLE_GAME, "solved": [], "game": "nonsense"})
    assert isinstance(browser.visit().exercise, FirstGame)


def test_the_language_of_the_table_is_that_of_the_page(browser):
    """The settings at the table change the question too, and the next step."""
    visit = browser.visit()
    question = visit.exercise.question
    visit.exercise.table.language = "lt"
    assert visit.exercise.question != question
    visit.exercise.answer(visit.exercise.solution)
    browser.press_next(visit)
    assert visit.exercise.language == "lt"
    assert set(get_labels("en")) == set(get_labels("lt"))


def test_files_of_another_tab_are_stored_and_its_step_is_not(browser):
    """Otherwise a game that was won in the other tab would be lost."""
    visit = browser.visit()
    step = visit.files.read(PROGRESS_FILE)
    browser.heard("save_files")
    browser.say(kind="files_changed", files={"players.json": "{}", PROGRESS_FILE: "{}"})
    assert (visit.files.read("players.json"), visit.files.read(PROGRESS_FILE)) == ("{}", step)
    visit._save_changes()
    assert all("players.json" not in message["files"] for message in browser.heard("save_files"))
    visit.close()
