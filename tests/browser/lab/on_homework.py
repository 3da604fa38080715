"""How homework is done by clicks: wrongly, and then rightly; either is kept, and nothing is said of what is right but where a seal says it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from on_boards import BOARDS
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

# The kept exercise, with the solution that it does not tell; and how the same question judges what it keeps.
KNOWING = """
class _Knowing:
    def __init__(self, quiz):
        self.quiz = quiz
        self.solution = self.fresh().solution
    def fresh(self):
        return homework.assignment.create_exercise(int(self.quiz.number), homework.student)
    def right(self):
        fresh = self.fresh()
        return bool(fresh.answer(self.quiz.last_answer))
    def __getattr__(self, name):
        return getattr(self.quiz, name)
"""


class Kept:
    """An exercise of homework on the page, which is asked as any other is."""

    def __init__(self, asked: Any) -> None:
        asked.book.execute(f"{KNOWING}\n_kept = _Knowing({asked.name})")
        self._asked = asked._replace(name="_kept")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._asked, name)

    def press(self, button: str) -> None:
        """There is one button for answers, which keeps them."""
        self._asked.press("Keep the answer" if button == "Check" else button)

    def kept(self, *, right: bool) -> None:
        """So it is kept, and no mark says whether it is right; the page says what Python says. Judged anew, it is what it is."""
        expect(self.whole.get_by_role("status").locator("p").first).to_contain_text("ept")
        self.book.until(f"{self.name}.attempt_count and {self.name}.right() is {right}")
        expect(self.whole.get_by_role("status").locator("p")).to_have_text(self.ask("view_model()")["feedback"])
        state = self.ask("view_model()")["state"]
        expect(self.region).to_have_attribute("data-state", state)
        assert state in {"saved", "right" if right else "wrong"}
        if state == "saved":  # else a seal has said it
            assert self.cell.locator("[data-mark=right], [data-mark=wrong], [data-mark=follows]").count() == 0
        assert self.whole.get_by_role("button", name="Show the solution").count() == 0


def picked(kept: Kept, cards: list[str]) -> None:
    """Just these cards."""
    for item, _ in kept.ask("view_model()")["items"]:
        card = kept.item(item)
        if (card.get_attribute("aria-pressed") == "true") != (item in cards):
            card.click()
    kept.press("Check")


def pick(kept: Kept) -> None:
    """One card less than all that are right; then these."""
    right = kept.ask("solution")
    picked(kept, right[1:])
    kept.kept(right=False)
    picked(kept, right)
    kept.kept(right=True)


def number(kept: Kept) -> None:
    """A number that nothing gives; then the right one, by keys alone."""
    field = kept.region.get_by_role("textbox")
    for text, right in (("-77/13", False), (kept.ask("solution")[0], True)):
        field.fill(text)
        field.press("Enter")
        kept.book.until(f"{kept.name}.view_model()['answer'] == [{text!r}]")
        kept.kept(right=right)


def choose(kept: Kept) -> None:
    """Another answer, and then the right one."""
    (right,) = kept.ask("solution")
    wrong = next(item for item, _ in kept.ask("view_model()")["items"] if item != right)
    for item in (wrong, right):
        kept.item(item).click()
        kept.kept(right=item == right)


def bot(kept: Kept) -> None:
    """The last rule of each row; then those of the solution."""
    for row in kept.region.get_by_role("radiogroup").all():
        row.get_by_role("radio").last.click()
    kept.press("Check")
    kept.kept(right=False)
    for habit, rule in kept.ask("solution").items():
        kept.item(f"{habit}:{rule}").click()
    kept.press("Check")
    kept.kept(right=True)


def board(kept: Kept) -> None:
    """On its tree or its matrix; between the two it begins anew."""
    wrongly, rightly = BOARDS[kept.ask("question_kind")]
    for click in (wrongly, rightly):
        kept.know("quiz.restart()")
        click(kept)
        kept.press("Check")
        kept.kept(right=click is rightly)


KEPT: dict[str, Callable[[Kept], None]] = {"pick": pick, "number": number, "choose": choose, "bot": bot, "board": board}
"""How homework is done by clicks, by its kind."""


def done(asked: Any, kind: str) -> None:
    """By clicks, wrongly and then rightly: the last answer stands in the receipt."""
    assert kind in KEPT, f"nobody knows how homework of the kind {kind} is done by clicks: add it to KEPT"
    kept = Kept(asked)
    KEPT[kind](kept)
    name = asked.book.python(f"homework.assignment.questions[int({asked.name}.number) - 1].name")
    assert asked.book.python(f"homework.receipt['answers'][{json.dumps(name)}]['given'] == {asked.name}.last_answer")
