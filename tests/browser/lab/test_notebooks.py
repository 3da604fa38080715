"""Test every notebook of the series in JupyterLab: it runs, and each exercise is answered wrongly and rightly by clicks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from board_clicks import BOARDS
from homework_driver import answer_wrongly_then_rightly as kept
from human_player import HumanPlayer
from playwright.sync_api import expect

from durak_widget.exercises.student_progress import find_lesson
from support.spoken import english, english_text

if TYPE_CHECKING:
    from notebook_page import Notebook
    from playwright.sync_api import Locator

SERIES = sorted((Path(__file__).resolve().parents[3] / "notebooks").glob("*.ipynb"))

# Return moves with which a student loses a position against the same bots, found by trying all on a copy.
MISS = """
def _miss(task, most=6):
    copy = lessons.Position(task._start_game, task._goal, solution=task._solution, seat=task._seat, others=task._opponents)
    def after(moves):
        copy.restart()
        copy.answer(moves)
        return copy._goal_outcome
    def search(moves):
        finding = after(moves)
        if finding is not None:
            return None if finding[0] else moves
        copy._let_opponents_move()
        legal = [str(move) for move in copy.table.game.legal_moves()]
        return next(filter(None, (search([*moves, move]) for move in legal)), None) if len(moves) < most else None
    return search([])
"""


class NotebookExercise(NamedTuple):
    """An exercise on the page and its name in the kernel."""

    book: Notebook
    cell: Locator
    name: str
    table: int
    """The index of its own table on the page, if it has one."""

    @property
    def region(self) -> Locator:
        """Return its element."""
        return self.cell.get_by_role("region", name="Exercise:")

    @property
    def whole(self) -> Locator:
        """Return it with the feedback below its board."""
        return self.cell.locator(".dk-exercise, .dk-board-feedback")

    def ask(self, expression: str) -> Any:
        """Return a value from the kernel."""
        return self.book.python(f"{self.name}.{expression}")

    def item(self, code: str) -> Locator:
        """Return a card or an answer."""
        return self.region.locator(f"[data-item={json.dumps(code)}]")

    def press(self, button: str) -> None:
        """Press a button of the exercise."""
        self.whole.get_by_role("button", name=button, exact=True).click()

    @property
    def board(self) -> Locator:
        """Return the tree or matrix below it."""
        return self.cell.locator(".dk-board, .dk-matrix-board").last

    def know(self, expression: str) -> Any:
        """Return a value from the kernel, where the exercise is called `quiz`."""
        return self.book.python(f"(lambda quiz: {expression})({self.name})")

    def rest(self) -> None:
        """Do nothing: locators wait by themselves."""

    def expect_state(self, state: str) -> list[str]:
        """Check the state and that the page says what Python says, with a reason if it is wrong."""
        expect(self.region).to_have_attribute("data-state", state)
        lines = self.ask("view_model()")["feedback"]
        expect(self.whole.get_by_role("status").locator("p")).to_have_text(lines)
        assert lines[0] == {"right": english_text("lesson.right"), "wrong": english_text("lesson.not_yet")}[state]
        assert state == "right" or (len(lines) > 1 and all(lines[1:])), "what is wrong is said without a reason"
        one_of_five = self.ask("__class__.__name__") == "Daily"  # it is done when all others are
        assert self.ask("_is_solved" if one_of_five else "check()") is (state == "right")
        return lines


def pick_wrongly(exercise: NotebookExercise) -> None:
    """Pick one card too many."""
    right, cards = exercise.ask("solution"), [item for item, _ in exercise.ask("view_model()")["items"]]
    wrong = [card for card in cards if card not in right]
    assert wrong, "every card is right: there is nothing to get wrong"
    exercise.item(wrong[0]).click()
    exercise.press(english_text("screen.check"))
    exercise.expect_state("wrong")
    expect(exercise.item(wrong[0])).to_have_attribute("data-mark", "wrong")
    exercise.item(wrong[0]).click()


def pick_rightly(exercise: NotebookExercise) -> None:
    """Pick the right cards."""
    for card in exercise.ask("solution"):
        exercise.item(card).click()
    exercise.press(english_text("screen.check"))


def sort_wrongly(exercise: NotebookExercise) -> None:
    """Submit the cards as they are."""
    exercise.press(english_text("screen.check"))
    exercise.expect_state("wrong")


def sort_rightly(exercise: NotebookExercise) -> None:
    """Move each card to its place."""
    row = [item for item, _ in exercise.ask("view_model()")["items"]]
    for place, card in enumerate(exercise.ask("solution")):
        if row[place] != card:
            exercise.item(card).click()
            exercise.item(row[place]).click()
            row.remove(card)
            row.insert(place, card)
    exercise.press(english_text("screen.check"))


def choose_wrongly(exercise: NotebookExercise) -> None:
    """Choose every wrong answer. Each has a reason."""
    (right,), words = exercise.ask("solution"), dict(exercise.ask("view_model()")["items"])
    reasons = []
    for answer in (answer for answer in words if answer != right):
        expect(exercise.item(answer)).to_have_text(words[answer])
        exercise.item(answer).click()
        expect(exercise.item(answer)).to_have_attribute("data-mark", "wrong")
        reasons.append(exercise.expect_state("wrong"))
    assert reasons


def choose_rightly(exercise: NotebookExercise) -> None:
    """Choose the right answer."""
    exercise.item(exercise.ask("solution")[0]).click()


def number_wrongly(exercise: NotebookExercise) -> None:
    """Type unreadable text, which is no try, then each known mistake and another wrong number."""
    field = exercise.region.get_by_role("textbox")
    field.fill("a half")
    field.press("Enter")
    expect(exercise.region.get_by_role("status")).to_contain_text(english("lesson.number.unreadable"))
    assert exercise.ask("attempt_count") == 0
    for text in [*exercise.book.python(f"[str(one) for one in {exercise.name}.mistakes.values()]"), "-1"]:
        field.fill(text)
        exercise.press(english_text("screen.check"))
        expect(field).to_have_attribute("aria-invalid", "true")
        exercise.book.until(f"{exercise.name}.view_model()['answer'] == [{text!r}]")
        exercise.expect_state("wrong")


def number_rightly(exercise: NotebookExercise) -> None:
    """Type the right number, by keys."""
    field = exercise.region.get_by_role("textbox")
    field.fill(exercise.ask("solution")[0])
    field.press("Enter")


def do_position(exercise: NotebookExercise) -> None:
    """Miss the goal, then play the author's solution from the start."""
    exercise.book.execute(MISS)
    missing = exercise.book.python(f"_miss({exercise.name})")
    assert missing, "whatever one does, the goal is reached: there is nothing to get wrong"
    student = HumanPlayer(exercise.book, f"{exercise.name}.table", exercise.table)
    for moves, state in ((missing, "wrong"), (exercise.ask("solution"), "right")):
        for move in moves:
            student.settled()
            student.play(move)
        exercise.expect_state(state)
        if state == "wrong":
            student.table.get_by_role("button", name=english_text("screen.again"), exact=True).click()
            expect(exercise.region).not_to_have_attribute("data-state", "wrong")
            assert exercise.ask("hint()") == f"Move('{exercise.ask('solution')[0]}')", "a hint does not lead to the goal"


def do_drill(exercise: NotebookExercise) -> None:
    """Answer a question wrongly, solve it, then answer the next rightly."""
    wrongly, rightly = QUESTIONS[exercise.ask("exercise.kind")]
    question = exercise._replace(name=f"{exercise.name}.exercise")
    wrongly(question)
    rightly(question)
    question.expect_state("right")
    expect(exercise.region.locator(".dk-streak")).to_contain_text("In a row: 0")
    exercise.press("Next")
    expect(exercise.region).not_to_have_attribute("data-state", "right")
    rightly(question)
    expect(exercise.region.locator(".dk-streak")).to_contain_text("In a row: 1")


def do_coached_game(exercise: NotebookExercise) -> None:
    """Try an illegal card and read the reason, then play a game with the coach commenting."""
    student, refused = HumanPlayer(exercise.book, f"{exercise.name}.table", exercise.table), False
    for _ in range(200):
        scene = student.settled()
        view = exercise.ask("view_model()")
        advice = [text for text, kind in zip(view["feedback"], view["feedback_kinds"], strict=True) if kind != "event"]
        shown = exercise.region.get_by_role("status").locator("p")
        expect(shown).to_have_text(advice) if advice else expect(shown).to_have_count(1)  # Moves are folded away
        if "result" in scene:
            break
        unlit = student.hand.locator(".dk-hand-card[aria-disabled=true]").first
        if not refused and unlit.count():
            unlit.click(force=True)  # an illegal card can still be clicked
            expect(student.table.locator(".dk-bubble")).to_be_visible()
            assert student.table.locator(".dk-bubble").inner_text().strip()
            refused = True
        student.play(exercise.book.python(f"str({exercise.name}.table.game.legal_moves()[0])"))
    assert refused, "nothing could be tried that may not be played"
    assert exercise.ask("check()") is True


def do_on_board(exercise: NotebookExercise) -> None:
    """Answer on a tree or a matrix, wrongly then rightly."""
    for click, state in zip(BOARDS[exercise.ask("question_kind")], ("wrong", "right"), strict=True):
        click(exercise)
        exercise.press(english_text("screen.check"))
        exercise.expect_state(state)
        if state == "wrong":
            exercise.press(english_text("screen.again"))


Click = Callable[[NotebookExercise], None]


def rules_wrongly(exercise: NotebookExercise) -> None:
    """Choose the last rule of each row and read how many games that wins."""
    for row in exercise.region.get_by_role("radiogroup").all():
        row.get_by_role("radio").last.click()
    exercise.press(english_text("screen.check"))


def rules_rightly(exercise: NotebookExercise) -> None:
    """Choose the rules of the solution."""
    for habit, rule in exercise.ask("solution").items():
        exercise.region.locator(f'[data-item="{habit}:{rule}"]').click()
    exercise.press(english_text("screen.check"))


QUESTIONS: dict[str, tuple[Click, Click]] = {
    "pick": (pick_wrongly, pick_rightly),
    "sort": (sort_wrongly, sort_rightly),
    "choose": (choose_wrongly, choose_rightly),
    "number": (number_wrongly, number_rightly),
    "bot": (rules_wrongly, rules_rightly),
}
"""How each kind of question is answered by clicks: wrongly, then rightly."""
OTHERS: dict[str, Click] = {
    "Position": do_position,
    "Daily": do_position,
    "Endings": do_position,
    "MyEndings": do_position,
    "Drill": do_drill,
    "Guided": do_coached_game,
    "OnTree": do_on_board,
    "OnMatrix": do_on_board,
    "StrategyExercise": do_on_board,
}
"""How each other class of exercise is done."""


def do_exercise(exercise: NotebookExercise, name: str, kind: str) -> None:
    """Answer by clicks, wrongly then rightly."""
    if name in OTHERS:
        OTHERS[name](exercise)
        return
    assert kind in QUESTIONS, f"nobody knows how an exercise of the kind {kind} is done by clicks: add it to QUESTIONS"
    for click, state in zip(QUESTIONS[kind], ("wrong", "right"), strict=True):
        click(exercise)
        exercise.expect_state(state)


WIDE: dict[str, Any] = {"viewport": (1280, 800), "theme": "light"}
NARROW: dict[str, Any] = {"viewport": (360, 780), "theme": "dark"}
"""A phone with the dark theme."""
SEEN = {"02"}
"""`make test-all` does this one, which has many kinds of exercises; those on boards are done on painted pages; the others, which nbval runs too, are done in `make test-release`, or by their names."""


@pytest.mark.parametrize(
    ("path", "look"),
    [pytest.param(path, WIDE, id=path.stem, marks=pytest.mark.slow if path.stem[:2] in SEEN else pytest.mark.release) for path in SERIES]
    + [pytest.param(path, NARROW, id=f"{path.stem}-narrow", marks=pytest.mark.release) for path in SERIES if path.stem[:2] in {"14", "15"}],
)
def test_every_exercise_of_a_notebook_is_answered_by_clicks(notebook, path: Path, look: dict[str, Any]):
    """Run all cells, then answer each exercise wrongly, with a reason, and rightly. Page and Python agree."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    cell_indices = [n for n, cell in enumerate(cells) if cell["cell_type"] == "code" and cell["source"]]
    folded = [n for n, cell in enumerate(cells) if "exercise" in cell["metadata"].get("tags", ())]
    book = notebook(path, reduced_motion=True, **look)
    outputs = book.python(
        "{n: (type(one).__name__, one.view_model().get('kind', '') if callable(getattr(one, 'view_model', None)) else '') for n, one in Out.items()}"
    )
    made = {cell_indices[n - 1]: (f"Out[{n}]", *which) for n, which in outputs.items() if which[1] not in {"", "progress"}}
    assert sorted(made) == folded, "a cell is tagged as an exercise, and only such a cell, when it shows one"
    names = [name for name in book.python("[getattr(one, 'name', '') for one in Out.values()]") if name]
    assert len(names) == len(set(names)), "two exercises are remembered under one name"
    assert {find_lesson(name) for name in names} <= {path.name.partition("_")[0]}

    tables = [cell_indices[n - 1] for n, (name, kind) in outputs.items() if name == "Table" or kind == "play"]
    expect(book.page.get_by_role("region", name=english_text("screen.region"), exact=True)).to_have_count(len(tables))
    expect(book.page.get_by_role("region", name="Exercise:")).to_have_count(len(made))
    for n in tables:
        table = book.cell(n).get_by_role("region", name=english_text("screen.region"), exact=True)
        table.scroll_into_view_if_needed()
        expect(table).to_be_visible()
    for n, (called, name, kind) in sorted(made.items()):
        exercise = NotebookExercise(book, book.cell(n), called, tables.index(n) if n in tables else -1)
        exercise.region.scroll_into_view_if_needed()
        expect(exercise.region).to_be_visible()
        if kind == "play":
            book.execute(f"{called}.table.pace = 0; {called}.table.motion = False")
        if exercise.ask("view_model()").get("is_grading_deferred"):
            kept(exercise, kind)
        else:
            do_exercise(exercise, name, kind)
