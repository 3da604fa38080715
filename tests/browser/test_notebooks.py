"""Every notebook of the series in a real JupyterLab: it runs, everything in it is painted, and each exercise is done wrongly and rightly by clicks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from person import Person
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from notebook_page import Notebook
    from playwright.sync_api import Locator

SERIES = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))

# How a position can be lost against the same bots: the moves of its pupil, found by trying all of them on a copy.
MISS = """
def _miss(task, most=6):
    copy = type(task)(task._start, task._goal, solution=task._solution, seat=task._seat, others=task._others)
    def after(moves):
        copy.again()
        copy.answer(moves)
        return copy._finding
    def search(moves):
        finding = after(moves)
        if finding is not None:
            return None if finding[0] else moves
        copy._others_move()
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

    def ask(self, expression: str) -> Any:
        """What the kernel knows of it."""
        return self.book.python(f"{self.name}.{expression}")

    def item(self, code: str) -> Locator:
        """A card or an answer."""
        return self.region.locator(f"[data-item={json.dumps(code)}]")

    def press(self, button: str) -> None:
        """A button of the exercise."""
        self.region.get_by_role("button", name=button, exact=True).click()

    def judged(self, state: str) -> list[str]:
        """It was judged so, and says on the page what Python says, with a reason for what is wrong."""
        expect(self.region).to_have_attribute("data-state", state)
        said = self.ask("sheet()")["said"]
        expect(self.region.get_by_role("status").locator("p")).to_have_text(said)
        assert said[0] == {"right": "Right.", "wrong": "Not yet."}[state]
        assert state == "right" or (len(said) > 1 and all(said[1:])), "what is wrong is said without a reason"
        assert self.ask("check()") is (state == "right")
        return said


def pick(asked: Asked) -> None:
    """One card too many, or one too few; then just the right ones."""
    right, cards = asked.ask("solution"), [item for item, _ in asked.ask("sheet()")["items"]]
    wrong = [card for card in cards if card not in right]
    assert wrong, "every card is right: there is nothing to get wrong"
    asked.item(wrong[0]).click()
    asked.press("Check")
    asked.judged("wrong")
    expect(asked.item(wrong[0])).to_have_attribute("data-mark", "wrong")
    asked.item(wrong[0]).click()
    for card in right:
        asked.item(card).click()
    asked.press("Check")
    asked.judged("right")


def sort(asked: Asked) -> None:
    """As it lies there, which must be wrong; then in order."""
    row, right = [item for item, _ in asked.ask("sheet()")["items"]], asked.ask("solution")
    asked.press("Check")
    asked.judged("wrong")
    lay(asked, row, right)
    asked.press("Check")
    asked.judged("right")


def lay(asked: Asked, row: list[str], right: list[str]) -> None:
    """Each card is taken up and laid where it belongs."""
    for place, card in enumerate(right):
        if row[place] != card:
            asked.item(card).click()
            asked.item(row[place]).click()
            row.remove(card)
            row.insert(place, card)


def choose(asked: Asked) -> None:
    """Every wrong answer, each of which says why; then the right one."""
    (right,), words = asked.ask("solution"), dict(asked.ask("sheet()")["items"])
    heard = []
    for answer in (answer for answer in words if answer != right):
        expect(asked.item(answer)).to_have_text(words[answer])
        asked.item(answer).click()
        expect(asked.item(answer)).to_have_attribute("data-mark", "wrong")
        heard.append(asked.judged("wrong"))
    assert heard
    asked.item(right).click()
    asked.judged("right")


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
            asked.press("Try again")
            expect(asked.region).not_to_have_attribute("data-state", "wrong")
            assert asked.ask("hint()") == f"Move('{asked.ask('solution')[0]}')", "a hint does not lead to the goal"


def drill(asked: Asked) -> None:
    """A question wrongly, which is then solved; the next one rightly."""
    kind = asked.ask("exercise.kind")
    one = asked._replace(name=f"{asked.name}.exercise")
    {"pick": pick, "sort": sort, "choose": choose}[kind](one)
    expect(asked.region.locator(".dk-streak")).to_contain_text("In a row: 0")
    asked.press("Next")
    expect(asked.region).not_to_have_attribute("data-state", "right")
    if kind == "sort":
        lay(asked, [item for item, _ in asked.ask("sheet()")["items"]], asked.ask("solution"))
    else:
        for item in asked.ask("solution"):
            asked.item(item).click()
    if kind != "choose":
        asked.press("Check")
    expect(asked.region.locator(".dk-streak")).to_contain_text("In a row: 1")


def guided(asked: Asked) -> None:
    """A card that may not be played, with the reason; then a game to its end, with a word of the coach at every step."""
    pupil, refused = Person(asked.book, f"{asked.name}.table", asked.table), False
    for _ in range(200):
        scene = pupil.settled()
        expect(asked.region.get_by_role("status").locator("p")).to_have_text(asked.ask("said"))
        if "over" in scene:
            break
        unlit = pupil.hand.locator(".dk-mine[aria-disabled=true]").first
        if not refused and unlit.count():
            unlit.click(force=True)  # what may not be played can be tried all the same
            expect(pupil.table.locator(".dk-bubble")).to_be_visible()
            assert pupil.table.locator(".dk-bubble").inner_text().strip()
            refused = True
        pupil.play(asked.book.python(f"str({asked.name}.table.game.legal_moves()[0])"))
    assert refused, "nothing could be tried that may not be played"
    assert asked.ask("check()") is True


KINDS: dict[str, Callable[[Asked], None]] = {
    "Pick": pick,
    "Sort": sort,
    "Choose": choose,
    "Predict": choose,
    "WhatIf": choose,
    "Position": position,
    "Drill": drill,
    "Guided": guided,
}


@pytest.mark.parametrize("path", SERIES, ids=lambda path: path.stem)
def test_a_notebook_is_done_by_clicks(notebook, path: Path):
    """Run all, then each exercise in its order: wrongly with a reason, then rightly, with the same words in Python and on the page."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    places = [n for n, cell in enumerate(cells) if cell["cell_type"] == "code" and cell["source"]]
    folded = [n for n, cell in enumerate(cells) if "exercise" in cell["metadata"].get("tags", ())]
    book = notebook(path, reduced_motion=True)
    shown = book.python("{n: type(one).__name__ for n, one in Out.items()}")
    made = {places[n - 1]: (f"Out[{n}]", kind) for n, kind in shown.items() if kind in KINDS}
    assert sorted(made) == folded, "a cell is tagged as an exercise, and only such a cell, when it shows one"
    names = [name for name in book.python("[getattr(one, 'name', '') for one in Out.values()]") if name]
    assert len(names) == len(set(names)), "two exercises are remembered under one name"
    assert all(name.startswith(f"{path.name[:2]}/") for name in names)

    tables = [n for n, kind in ((places[n - 1], kind) for n, kind in shown.items()) if kind in {"Table", "Position", "Guided"}]
    expect(book.page.get_by_role("region", name="Durak table", exact=True)).to_have_count(len(tables))
    expect(book.page.get_by_role("region", name="Exercise:")).to_have_count(len(made))
    for n in tables:
        table = book.cell(n).get_by_role("region", name="Durak table", exact=True)
        table.scroll_into_view_if_needed()
        expect(table).to_be_visible()
    for n, (name, kind) in sorted(made.items()):
        asked = Asked(book, book.cell(n), name, tables.index(n) if n in tables else -1)
        asked.region.scroll_into_view_if_needed()
        expect(asked.region).to_be_visible()
        if kind in {"Position", "Guided"}:
            book.execute(f"{name}.table.pace = 0; {name}.table.motion = False")
        KINDS[kind](asked)
