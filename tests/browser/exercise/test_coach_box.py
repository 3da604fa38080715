"""Test the coach's box: its height is constant, so that no message moves a card."""

from __future__ import annotations

import pytest
from human_player import HumanPlayer

from support.sizes import tried

PLACES = """() => {
    const from = document.querySelector('.jp-InputArea').getBoundingClientRect().top;  // a page that is scrolled has not moved
    const box = (one) => { const { top, height } = document.querySelector(one).getBoundingClientRect(); return [top - from, height]; };
    const coach = document.querySelector('.dk-coach'), status = coach.querySelector('[role=status]');
    return { table: box('.dk:not(.dk-exercise)'), hand: box('.dk-hand')[0], coach: box('.dk-coach'), lesson: box('.dk-exercise')[1],
        hidden: status.scrollTop, wide: coach.scrollWidth - coach.clientWidth, said: status.innerText };
}"""


@pytest.mark.parametrize(("viewport", "how"), [((1280, 800), "mouse"), ((390, 800), "touch")])
@pytest.mark.release
def test_messages_of_the_coach_move_no_card(notebook, viewport, how):
    """The table, the hand and the box stay in place during a game. The advice begins at the top of the box, and nothing is wider than it."""
    code = "from durak_widget import lessons\nquiz = lessons.Guided('perevodnoy', seed=5, about='transfer', pace=0, motion=False)\nquiz"
    book = notebook([code], viewport=viewport, touch=how == "touch")
    student = HumanPlayer(book, "quiz.table", how=how)
    student.start()
    found, messages = [], set()
    for _ in range(tried(7, 14)):
        scene, legal = student.turn()
        if "result" in scene:
            break
        found.append(student.page.evaluate(PLACES))
        messages.add(found[-1]["said"])
        student.play(next((move for move in legal if move.startswith("beat")), legal[0]))
    assert len(found) > tried(5, 8)
    assert len(messages) > tried(3, 5)
    first = found[0]
    assert (first["coach"][0] > first["hand"]) is (how == "touch")  # on a phone the box is below the table, near the hand
    assert {layout["hidden"] for layout in found} == {0}
    assert {layout["wide"] for layout in found} == {0}
    assert {(layout["table"][0], layout["hand"], layout["coach"][1]) for layout in found} == {
        (first["table"][0], first["hand"], first["coach"][1])
    }
    if how == "mouse":  # a large hand has two rows on a phone
        assert {(layout["table"][1], layout["coach"][0], layout["lesson"]) for layout in found} == {
            (first["table"][1], first["coach"][0], first["lesson"])
        }


@pytest.mark.slow
@pytest.mark.parametrize("topic", ["throw", "end", "transfer"])
def test_the_first_advice_is_readable_on_a_phone(notebook, topic):
    """All lines of it are visible. A phone shows no scroll bar, so nobody would look for more."""
    code = f"from durak_widget import lessons\nlessons.Guided('passport', seed=11, about='{topic}', pace=0, motion=False)"
    book = notebook([code], viewport=(360, 740), touch=True)
    box = book.page.locator(".dk-coach [role=status]")
    box.wait_for()
    assert box.inner_text()
    assert box.evaluate("(box) => box.scrollHeight <= box.clientHeight")
