"""Every notebook of the series in a real JupyterLab: it runs, everything in it is painted, and each exercise is done wrongly and rightly by clicks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from on_boards import BOARDS
from on_homework import done as kept
from person import Person
from playwright.sync_api import expect

if TYPE_CHECKING:
    from notebook_page import Notebook
    from playwright.sync_api import Locator

SERIES = sorted((Path(__file__).resolve().parents[3] / "notebooks").glob("*.ipynb"))

# How a position can be lost against the same bots: the moves of its pupil, found by trying all of them on a copy.
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


class Asked(NamedTuple):
    """An exercise on the page, and what it is called in the kernel."""

    book: Notebook
    cell: Locator
    name: str
    table: int
    """Which of the tables of the page is its own, if it has one."""

    @property
    def region(self) -> Locator:
        """Where it stands."""
        return self.cell.get_by_role("region", name="Exercise:")

    @property
    def whole(self) -> Locator:
        """All of it: what is asked on a tree or a matrix is judged below that."""
        return self.cell.locator(".dk-exercise, .dk-board-feedback")

    def ask(self, expression: str) -> Any:
        """What the kernel knows of it."""
        return self.book.python(f"{self.name}.{expression}")

    def item(self, code: str) -> Locator:
        """A card or an answer."""
        return self.region.locator(f"[data-item={json.dumps(code)}]")

    def press(self, button: str) -> None:
        """A button of the exercise."""
        self.whole.get_by_role("button", name=button, exact=True).click()

    @property
    def board(self) -> Locator:
        """The tree or the matrix below it."""
        return self.cell.locator(".dk-board, .dk-matrix-board").last

    def know(self, expression: str) -> Any:
        """What the kernel knows of it, under the name of `quiz`."""
        return self.book.python(f"(lambda quiz: {expression})({self.name})")

    def rest(self) -> None:
        """A locator waits by itself."""

    def judged(self, state: str) -> list[str]:
        """It was judged so, and says on the page what Python says, with a reason for what is wrong."""
        expect(self.region).to_have_attribute("data-state", state)
        said = self.ask("view_model()")["feedback"]
        expect(self.whole.get_by_role("status").locator("p")).to_have_text(said)
        assert said[0] == {"right": "Right.", "wrong": "Not yet."}[state]
        assert state == "right" or (len(said) > 1 and all(said[1:])), "what is wrong is said without a reason"
        one_of_five = self.ask("__class__.__name__") == "Daily"  # which is done when all are
        assert self.ask("_is_solved" if one_of_five else "check()") is (state == "right")
        return said


def pick_wrongly(asked: Asked) -> None:
    """One card too many."""
    right, cards = asked.ask("solution"), [item for item, _ in asked.ask("view_model()")["items"]]
    wrong = [card for card in cards if card not in right]
    assert wrong, "every card is right: there is nothing to get wrong"
    asked.item(wrong[0]).click()
    asked.press("Check")
    asked.judged("wrong")
    expect(asked.item(wrong[0])).to_have_attribute("data-mark", "wrong")
    asked.item(wrong[0]).click()


def pick_rightly(asked: Asked) -> None:
    """Just the right ones."""
    for card in asked.ask("solution"):
        asked.item(card).click()
    asked.press("Check")


def sort_wrongly(asked: Asked) -> None:
    """As it lies there."""
    asked.press("Check")
    asked.judged("wrong")


def sort_rightly(asked: Asked) -> None:
    """Each card is taken up and laid where it belongs."""
    row = [item for item, _ in asked.ask("view_model()")["items"]]
    for place, card in enumerate(asked.ask("solution")):
        if row[place] != card:
            asked.item(card).click()
            asked.item(row[place]).click()
            row.remove(card)
            row.insert(place, card)
    asked.press("Check")


def choose_wrongly(asked: Asked) -> None:
    """Every wrong answer, each of which says why."""
    (right,), words = asked.ask("solution"), dict(asked.ask("view_model()")["items"])
    heard = []
    for answer in (answer for answer in words if answer != right):
        expect(asked.item(answer)).to_have_text(words[answer])
        asked.item(answer).click()
        expect(asked.item(answer)).to_have_attribute("data-mark", "wrong")
        heard.append(asked.judged("wrong"))
    assert heard


def choose_rightly(asked: Asked) -> None:
    """The right one."""
    asked.item(asked.ask("solution")[0]).click()


def number_wrongly(asked: Asked) -> None:
    """What cannot be read, which is no try; then each mistake that is named, and a number that nothing gives."""
    field = asked.region.get_by_role("textbox")
    field.fill("a half")
    field.press("Enter")
    expect(asked.region.get_by_role("status")).to_contain_text("cannot be read")
    assert asked.ask("attempt_count") == 0
    for text in [*asked.book.python(f"[str(one) for one in {asked.name}.mistakes.values()]"), "-1"]:
        field.fill(text)
        asked.press("Check")
        expect(field).to_have_attribute("aria-invalid", "true")
        asked.book.until(f"{asked.name}.view_model()['answer'] == [{text!r}]")
        asked.judged("wrong")


def number_rightly(asked: Asked) -> None:
    """By keys alone."""
    field = asked.region.get_by_role("textbox")
    field.fill(asked.ask("solution")[0])
    field.press("Enter")


def position(asked: Asked) -> None:
    """Moves that miss the goal; then, from the beginning, the author's solution."""
    asked.book.execute(MISS)
    missing = asked.book.python(f"_miss({asked.name})")
    assert missing, "whatever one does, the goal is reached: there is nothing to get wrong"
    pupil = Person(asked.book, f"{asked.name}.table", asked.table)
    for moves, state in ((missing, "wrong"), (asked.ask("solution"), "right")):
        for move in moves:
            pupil.settled()
            pupil.play(move)
        asked.judged(state)
        if state == "wrong":
            pupil.table.get_by_role("button", name="Try again", exact=True).click()
            expect(asked.region).not_to_have_attribute("data-state", "wrong")
            assert asked.ask("hint()") == f"Move('{asked.ask('solution')[0]}')", "a hint does not lead to the goal"


def drill(asked: Asked) -> None:
    """A question wrongly, which is then solved; the next one rightly."""
    wrongly, rightly = QUESTIONS[asked.ask("exercise.kind")]
    one = asked._replace(name=f"{asked.name}.exercise")
    wrongly(one)
    rightly(one)
    one.judged("right")
    expect(asked.region.locator(".dk-streak")).to_contain_text("In a row: 0")
    asked.press("Next")
    expect(asked.region).not_to_have_attribute("data-state", "right")
    rightly(one)
    expect(asked.region.locator(".dk-streak")).to_contain_text("In a row: 1")


def guided(asked: Asked) -> None:
    """A card that may not be played, with the reason; then a game to its end, with a word of the coach at every step."""
    pupil, refused = Person(asked.book, f"{asked.name}.table", asked.table), False
    for _ in range(200):
        scene = pupil.settled()
        expect(asked.region.get_by_role("status").locator("p")).to_have_text(asked.ask("sentences"))
        if "result" in scene:
            break
        unlit = pupil.hand.locator(".dk-hand-card[aria-disabled=true]").first
        if not refused and unlit.count():
            unlit.click(force=True)  # what may not be played can be tried all the same
            expect(pupil.table.locator(".dk-bubble")).to_be_visible()
            assert pupil.table.locator(".dk-bubble").inner_text().strip()
            refused = True
        pupil.play(asked.book.python(f"str({asked.name}.table.game.legal_moves()[0])"))
    assert refused, "nothing could be tried that may not be played"
    assert asked.ask("check()") is True


def on_board(asked: Asked) -> None:
    """On its tree or its matrix, wrongly and then rightly."""
    for click, state in zip(BOARDS[asked.ask("question_kind")], ("wrong", "right"), strict=True):
        click(asked)
        asked.press("Check")
        asked.judged(state)
        if state == "wrong":
            asked.press("Try again")


Click = Callable[[Asked], None]


def habits_wrongly(asked: Asked) -> None:
    """The last rule of each row, and it is said how many games that wins."""
    for row in asked.region.get_by_role("radiogroup").all():
        row.get_by_role("radio").last.click()
    asked.press("Check")


def habits_rightly(asked: Asked) -> None:
    """The rules of the solution."""
    for habit, rule in asked.ask("solution").items():
        asked.region.locator(f'[data-item="{habit}:{rule}"]').click()
    asked.press("Check")


QUESTIONS: dict[str, tuple[Click, Click]] = {
    "pick": (pick_wrongly, pick_rightly),
    "sort": (sort_wrongly, sort_rightly),
    "choose": (choose_wrongly, choose_rightly),
    "number": (number_wrongly, number_rightly),
    "bot": (habits_wrongly, habits_rightly),
}
"""How a question is answered by clicks, by its kind: wrongly, then rightly."""
OTHERS: dict[str, Click] = {
    "Position": position,
    "Daily": position,
    "Endings": position,
    "MyEndings": position,
    "Drill": drill,
    "Guided": guided,
    "OnTree": on_board,
    "OnMatrix": on_board,
    "StrategyExercise": on_board,
}
"""How everything else is done, by its class."""


def done(asked: Asked, name: str, kind: str) -> None:
    """By clicks, wrongly and then rightly."""
    if name in OTHERS:
        OTHERS[name](asked)
        return
    assert kind in QUESTIONS, f"nobody knows how an exercise of the kind {kind} is done by clicks: add it to QUESTIONS"
    for click, state in zip(QUESTIONS[kind], ("wrong", "right"), strict=True):
        click(asked)
        asked.judged(state)


WIDE: dict[str, Any] = {"viewport": (1280, 800), "theme": "light"}
NARROW: dict[str, Any] = {"viewport": (360, 780), "theme": "dark"}
"""As it is seen on a telephone at night."""
SEEN = {"02"}
"""`make test-all` does this one, which has many kinds of exercises; those on boards are done on painted pages; the others, which nbval runs too, are done in `make test-release`, or by their names."""


@pytest.mark.parametrize(
    ("path", "look"),
    [pytest.param(path, WIDE, id=path.stem, marks=pytest.mark.slow if path.stem[:2] in SEEN else pytest.mark.release) for path in SERIES]
    + [pytest.param(path, NARROW, id=f"{path.stem}-narrow", marks=pytest.mark.release) for path in SERIES if path.stem[:2] in {"14", "15"}],
)
def test_a_notebook_is_done_by_clicks(notebook, path: Path, look: dict[str, Any]):
    """Run all, then each exercise in its order: wrongly with a reason, then rightly, with the same words in Python and on the page."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    places = [n for n, cell in enumerate(cells) if cell["cell_type"] == "code" and cell["source"]]
    folded = [n for n, cell in enumerate(cells) if "exercise" in cell["metadata"].get("tags", ())]
    book = notebook(path, reduced_motion=True, **look)
    shown = book.python(
        "{n: (type(one).__name__, one.view_model().get('kind', '') if callable(getattr(one, 'view_model', None)) else '') for n, one in Out.items()}"
    )
    made = {places[n - 1]: (f"Out[{n}]", *which) for n, which in shown.items() if which[1] not in {"", "progress"}}
    assert sorted(made) == folded, "a cell is tagged as an exercise, and only such a cell, when it shows one"
    names = [name for name in book.python("[getattr(one, 'name', '') for one in Out.values()]") if name]
    assert len(names) == len(set(names)), "two exercises are remembered under one name"
    assert all(name.startswith(f"{path.name[:2]}/") for name in names)

    tables = [places[n - 1] for n, (name, kind) in shown.items() if name == "Table" or kind == "play"]
    expect(book.page.get_by_role("region", name="Durak table", exact=True)).to_have_count(len(tables))
    expect(book.page.get_by_role("region", name="Exercise:")).to_have_count(len(made))
    for n in tables:
        table = book.cell(n).get_by_role("region", name="Durak table", exact=True)
        table.scroll_into_view_if_needed()
        expect(table).to_be_visible()
    for n, (called, name, kind) in sorted(made.items()):
        asked = Asked(book, book.cell(n), called, tables.index(n) if n in tables else -1)
        asked.region.scroll_into_view_if_needed()
        expect(asked.region).to_be_visible()
        if kind == "play":
            book.execute(f"{called}.table.pace = 0; {called}.table.motion = False")
        if asked.ask("view_model()").get("is_grading_deferred"):
            kept(asked, kind)
        else:
            done(asked, name, kind)
