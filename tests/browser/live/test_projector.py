"""Test the projector page in a browser: what the class sees, what only the teacher sees, and each of the teacher's commands."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from projector_session import PICTURE, ProjectorSession, make_board, make_people, make_state
from rendered_table import AXE, STATIC
from rendered_tree import TreePage

from durak_widget.live.pages import get_words
from durak_widget.live.room_widget import RoomWidget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Locator, Page

WORDS = get_words("en", "live.board.")
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
FAULTS = """async () => (await axe.run(document, { rules: { region: { enabled: false } } })).violations
  .flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html]))"""
OUTSIDE = """() => { const box = document.querySelector('.dk-live-stage').getBoundingClientRect();
  return [...document.querySelectorAll('.dk-live-code span:not(.dk-sr-only), .dk-live-qr, .dk-live-here')]
    .filter((one) => { const { left, right, bottom } = one.getBoundingClientRect(); return left < box.left || right > box.right || bottom > box.bottom; })
    .map((one) => one.className); }"""


@pytest.fixture(scope="module")
def session(bundle) -> Iterator[ProjectorSession]:
    """Serve the page with the headers of the real server."""
    session = ProjectorSession()
    yield session
    session.close()


@pytest.fixture
def open_page(pages, session) -> Iterator[Callable[..., Page]]:
    """Return a function that opens the page in a state. Fail on errors of the page."""
    contexts, problems = [], []

    def open_page(state: dict[str, Any], *, wall: bool = False, size: tuple[int, int] = (1280, 800), **options: Any) -> Page:
        session.commands.clear()
        session.refusal = ""
        session.show(state)
        context = pages.context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(session.wall_address if wall else session.address)
        page.locator(f".dk-live-stage[data-phase={state['phase']}]").wait_for()
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []


def button(page: Page, key: str, **facts: object) -> Locator:
    """Return a button by the key of its label."""
    return page.get_by_role("button", name=WORDS[key].format(**facts), exact=True)


def main_button(page: Page) -> Locator:
    """Return the main button."""
    return page.locator(".dk-live-main")


def test_the_lobby_shows_how_to_join_and_who_is_here(open_page, session):
    """The code is large, and names appear as students join, also when there are many."""
    page = open_page(make_state("lobby"), wall=True)
    height = page.locator(".dk-live-code").evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")
    assert height >= 800 / 8
    expect(page.get_by_role("img", name=WORDS["qr"])).to_be_visible()
    code = page.locator(".dk-live-code").bounding_box()
    session.show(people=make_people(300))
    expect(page.locator(".dk-live-here")).to_contain_text("300")
    expect(page.get_by_text("Ona20")).to_be_visible()
    assert page.locator(".dk-live-code").bounding_box() == code
    assert page.evaluate(OUTSIDE) == []


def test_the_wall_shows_no_shares_before_stop_and_nothing_of_the_teacher(open_page, session):
    """While a question is open, only the count is on the wall."""
    state = make_state("open", people=make_people(23, answered=14), plan=make_plan(0))
    page = open_page(state, wall=True)
    expect(page.locator(".dk-live-count")).to_have_text(WORDS["answered.other"].format(count=14, all=23))
    for selector in (".dk-live-bar", ".dk-live-controls", ".dk-live-panel", ".dk-live-people"):
        expect(page.locator(selector)).to_have_count(0)
    for text in ("Benas", "A note for the teacher"):
        expect(page.get_by_text(text)).to_have_count(0)
    session.show(make_state("stopped", people=state["people"]))
    expect(page.locator(".dk-live-bar")).to_have_count(4)


def test_the_teacher_sees_the_answers_so_far_only_on_a_click(open_page, session):
    """The tally is folded; once the teacher has opened it, it is open for the next question too."""
    page = open_page(make_state("open", people=make_people(5, answered=2)))
    tally = page.locator(".dk-live-section-tally")
    expect(tally.locator(".dk-live-bar").first).to_be_hidden()
    tally.locator("summary").click()
    expect(tally.locator(".dk-live-bar").first).to_be_visible()
    session.show(make_state("stopped"))
    expect(tally).to_be_hidden()
    session.show(make_state("open"))
    expect(tally.locator(".dk-live-bar").first).to_be_visible()


def test_the_main_button_leads_through_a_question_from_one_place(open_page, session):
    """Ask, stop, reveal and next are at the same place, and no click means two of them."""
    page = open_page(make_state("lobby", plan=make_plan(-1), main="next", people=make_people(3)))
    box = main_button(page).bounding_box()
    main_button(page).click()
    page.locator("[data-command=stop]").wait_for()
    main_button(page).dblclick()
    page.locator("[data-command=reveal]").wait_for()
    main_button(page).click()
    page.locator(".dk-live-stage[data-phase=revealed]").wait_for()
    assert [command["do"] for command in session.commands] == ["next", "stop", "reveal"]
    assert main_button(page).bounding_box() == box


def test_a_slow_command_says_that_the_session_calculates(open_page, session):
    """While the worker computes, the page says so."""
    state = make_state("stopped", people=make_people(3))
    page = open_page(state)
    session.show({**state, "question": {**state["question"], "is_working": True}})
    expect(page.locator(".dk-live-line")).to_have_text(WORDS["calculating"])
    expect(page.locator(".dk-live-facts")).to_have_text(WORDS["calculating"])
    expect(page.get_by_role("status")).to_have_text(WORDS["calculating"])


def test_without_a_plan_the_main_button_opens_the_questions(open_page, session):
    """Each question of the list is asked by a click; there is no list while a question is open."""
    page = open_page(make_state("lobby"))
    main_button(page).click()
    questions = page.locator(".dk-live-question")
    expect(questions.first).to_be_focused()
    page.keyboard.press("Enter")
    page.locator(".dk-live-stage[data-phase=open]").wait_for()
    assert session.commands == [{"do": "ask", "spec": {"kind": "game", "textbook": "pennies"}}]
    expect(questions).to_have_count(0)
    session.show(make_state("revealed"))
    main_button(page).click()
    button(page, "ask.first_price").click()
    page.locator(".dk-live-stage[data-phase=open]").wait_for()
    assert session.commands[-1]["spec"].keys() == {"kind", "seed"}


def test_a_refusal_is_shown_and_the_next_command_removes_it(open_page, session):
    """The teacher sees the sentence of the session."""
    page = open_page(make_state("open"))
    session.refusal = "The disk is full."
    main_button(page).click()
    alert = page.locator(".dk-live-error")
    expect(alert).to_have_text("The disk is full.")
    session.refusal = ""
    main_button(page).click()
    expect(alert).to_be_empty()


def test_marks_are_explained_and_each_has_its_own_sign(open_page):
    """The legend lists exactly the marks in use, and every mark has a name for screen readers."""
    page = open_page(make_state("revealed"))
    legend = page.locator(".dk-live-legend li")
    assert [text[0] for text in legend.all_inner_texts()] == ["★", "◆"]
    expect(page.locator(".dk-live-bar", has_text="fight").get_by_role("img", name=WORDS["mark.best"])).to_be_visible()
    for sentence in make_board(is_revealed=True)["equilibria"]:
        expect(page.get_by_text(sentence)).to_be_visible()


def test_a_question_that_was_asked_twice_is_compared(open_page):
    """The first answers are beside the new ones, in the same order."""
    page = open_page(make_state("revealed", board=make_board(is_revealed=True, earlier=True)), wall=True)
    columns = page.locator(".dk-live-column")
    expect(columns).to_have_count(2)
    left, right = columns.first.bounding_box(), columns.last.bounding_box()
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] < right["x"]


@pytest.mark.parametrize(("size", "fits"), [((1280, 800), True), ((844, 390), False)])
def test_a_large_picture_keeps_its_text_readable(open_page, size, fits):
    """A picture fits its place as long as its text is readable; a larger one scrolls in its place."""
    width = 600 if fits else 6000
    large = PICTURE.replace('viewBox="0 0 300 160" width="300"', f'viewBox="0 0 {width} 160" width="{width}"')
    page = open_page(make_state("revealed", board=make_board(is_revealed=True, picture=large)), wall=True, size=size)
    box, image = page.locator(".dk-live-picture"), page.locator(".dk-live-picture img")
    image.evaluate("(one) => one.decode()")
    scale = image.bounding_box()["width"] / width
    assert 12.5 * scale >= (14.9 if fits else 9.8)
    assert (image.bounding_box()["width"] <= box.bounding_box()["width"] + 1) == fits
    assert page.evaluate(SIDEWAYS) == 0


def test_a_student_is_renamed_and_removed(open_page, session):
    """Escape keeps the name, and a student is removed only after a second question."""
    page = open_page(make_state("open", people=make_people(3, answered=1)))
    button(page, "rename", name="Ann").click()
    field = page.get_by_label(WORDS["rename.label"])
    field.fill("Nobody")
    field.press("Escape")
    assert session.commands == []
    button(page, "rename", name="Ann").click()
    session.show(people=make_people(3, answered=2))
    expect(field).to_be_focused()
    field.fill("Anna")
    field.press("Enter")
    expect(button(page, "remove", name="Anna")).to_be_visible()
    button(page, "remove", name="Benas").click()
    expect(button(page, "cancel")).to_be_focused()
    page.keyboard.press("Escape")
    assert [command["do"] for command in session.commands] == ["rename"]
    button(page, "remove", name="Benas").click()
    button(page, "remove.yes").click()
    expect(page.locator(".dk-live-people tbody tr")).to_have_count(2)
    assert session.commands[-1] == {"do": "remove", "seat": 1}


def test_simulated_students_are_offered_only_without_real_ones(open_page, session):
    """They come and go by the same button."""
    page = open_page(make_state("lobby"))
    button(page, "rehearse", count=30).click()
    button(page, "dismiss").click()
    expect(button(page, "rehearse", count=30)).to_be_visible()
    assert [command["do"] for command in session.commands] == ["rehearse", "dismiss_simulated"]
    session.show(people=make_people(1))
    expect(button(page, "rehearse", count=30)).to_be_hidden()


def test_the_session_ends_only_after_a_second_question(open_page, session):
    """The safe answer has the focus."""
    page = open_page(make_state("revealed", people=make_people(2)))
    button(page, "end").click()
    expect(button(page, "cancel")).to_be_focused()
    page.keyboard.press("Enter")
    assert session.commands == []
    button(page, "end").click()
    page.get_by_role("dialog").get_by_role("button", name=WORDS["end"]).click()
    page.locator(".dk-live-stage[data-phase=ended]").wait_for()
    expect(main_button(page)).to_be_hidden()


def make_plan(current: int) -> dict[str, Any]:
    """Return a plan with three steps."""
    steps = [
        {
            "title": f"Step {index}",
            "note": "A note for the teacher",
            "minutes": 5,
            "is_done": index < current,
            "is_current": index == current,
        }
        for index in range(3)
    ]
    return {"title": "An hour", "steps": steps, "is_finished": current >= len(steps)}


def test_the_plan_shows_where_the_class_is(open_page, session):
    """The note of the current step is visible, and the end of the plan is announced in words."""
    page = open_page(make_state("open", plan=make_plan(1)))
    expect(page.locator("[aria-current=step]")).to_contain_text("A note for the teacher")
    expect(page.locator(".dk-live-steps [data-done]")).to_have_count(1)
    session.show(make_state("revealed", plan=make_plan(3), main="end"))
    expect(page.locator(".dk-live-line")).to_contain_text(WORDS["last"])


def test_a_lost_session_is_reported_and_found_again(open_page, session):
    """The page tries again until the process is back, and shows the newest state."""
    page = open_page(make_state("lobby"))
    session.stop()
    banner = page.locator(".dk-live-banner")
    expect(banner).to_have_text(WORDS["lost"])
    expect(main_button(page)).to_have_attribute("aria-disabled", "true")
    session.state = make_state("open", people=make_people(4, answered=1))
    session.start()
    page.locator(".dk-live-stage[data-phase=open]").wait_for()
    expect(banner).to_be_empty()
    main_button(page).click()
    page.locator(".dk-live-stage[data-phase=stopped]").wait_for()


def test_a_wrong_secret_is_explained(open_page, session):
    """A page with an old link does not try for ever."""
    page = open_page(make_state("lobby"))
    page.goto(session.address.replace("#", "?other#no-"))
    expect(page.locator(".dk-live-banner")).to_have_text(WORDS["refused"])


def test_the_language_follows_the_session(open_page, session):
    """The teacher changes it, and all pages follow."""
    page = open_page(make_state("lobby"))
    page.get_by_label(WORDS["language"]).select_option("lt")
    expect(main_button(page)).to_have_text(get_words("lt", "live.board.")["main.ask"])
    expect(page.locator("html")).to_have_attribute("lang", "lt")


def test_full_screen_closes_the_panel(open_page):
    """In full screen the class probably sees the page, so what is for the teacher is closed."""
    page = open_page(make_state("open", people=make_people(4)))
    expect(page.locator(".dk-live-panel")).to_be_visible()
    button(page, "fullscreen").click()
    expect(button(page, "fullscreen.leave")).to_be_visible()
    expect(page.locator(".dk-live-panel")).to_be_hidden()
    expect(main_button(page)).to_be_visible()
    button(page, "fullscreen.leave").click()
    expect(page.locator(".dk-live-panel")).to_be_visible()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("phase", ["lobby", "open", "revealed"])
def test_the_page_is_accessible_and_fits(open_page, phase, dark):
    """No axe violation, and nothing scrolls sideways, in light and dark."""
    state = make_state(phase, people=make_people(12, answered=5), plan=make_plan(1))
    page = open_page(state, color_scheme="dark" if dark else "light", bypass_csp=True)
    page.add_script_tag(path=AXE)
    assert page.evaluate(FAULTS) == []
    for width, height in ((1920, 1080), (844, 390), (400, 800)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(SIDEWAYS) == 0


def test_a_step_of_the_plan_is_asked_by_a_click(open_page, session):
    """Any step can be asked or left out, but not while a question is open; the current one is asked again."""
    page = open_page(make_state("revealed", plan=make_plan(1)))
    asks = page.locator(".dk-live-ask")
    expect(asks).to_have_count(3)
    asks.nth(2).click()
    page.locator(".dk-live-stage[data-phase=open]").wait_for()
    expect(asks).to_have_count(0)
    session.show(make_state("revealed", plan=make_plan(1)))
    asks.nth(1).click()
    page.locator(".dk-live-stage[data-phase=open]").wait_for()
    assert session.commands == [{"do": "ask_step", "step": 2}, {"do": "again"}]


def test_the_question_is_shown_while_it_is_open(open_page, session):
    """The class and the teacher see the text, the picture and the options beside the count."""
    state = make_state("open", people=make_people(23, answered=14))
    state["question"]["options"] = ["enter", "stay out"]
    page = open_page(state, wall=True)
    expect(page.get_by_role("img", name="The tree of the game.")).to_be_visible()
    expect(page.get_by_text("A rival decides whether to enter.")).to_be_visible()
    expect(page.locator(".dk-live-options li")).to_have_text(["enter", "stay out"])
    expect(page.locator(".dk-live-count")).to_be_visible()
    assert page.locator(".dk-live-stage").evaluate("(one) => one.scrollHeight <= one.clientHeight + 1")


def test_the_teacher_is_warned_of_students_and_roles_that_are_away(open_page, session):
    """A role without anybody who can answer is named before Stop, and only to the teacher."""
    people = [{**person, "role": "Even" if person["seat"] < 3 else "Odd"} for person in make_people(4)]
    state = make_state("open", people=people)
    state["question"]["roles"] = ["Even", "Odd", "Third"]
    page = open_page(state)
    missing = page.locator(".dk-live-missing")
    expect(missing).to_contain_text(people[3]["name"])
    expect(missing).to_contain_text(WORDS["role.away.one"].format(role="Odd"))
    expect(missing).to_contain_text(WORDS["role.nobody"].format(role="Third"))
    session.show(people=[{**person, "here": True} for person in people])
    expect(missing).to_have_text(WORDS["role.nobody"].format(role="Third"))


def test_students_are_sorted_by_points_and_scores_are_shown(open_page, session):
    """The best ten are on the projector after a click, and the list of the teacher is sorted by its heads."""
    page = open_page(make_state("revealed", people=make_people(30)))
    points = page.locator(".dk-live-people tbody tr td:nth-child(3)")
    expect(points.first).to_be_empty()
    button(page, "people.sort", column=WORDS["people.points"]).click()
    expect(points.first).to_have_text("2.5")
    expect(points.last).to_be_empty()
    button(page, "scores.show").click()
    expect(page.locator(".dk-live-scores tr")).to_have_count(10)
    button(page, "scores.hide").click()
    expect(page.locator(".dk-live-scores")).to_have_count(0)


def test_nobody_else_can_join_after_a_second_question(open_page, session):
    """The teacher closes and opens the session for new students, and removes those who never answer."""
    page = open_page(make_state("revealed", people=make_people(3), commands=["remove_silent"]))
    for key in ("entry.close", "entry.open", "silent"):
        button(page, key).click()
        expect(button(page, "cancel")).to_be_focused()
        page.get_by_role("dialog").get_by_role("button", name=WORDS[key], exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(button(page, "silent")).to_be_hidden()  # the session has got the last command
    assert [command["do"] for command in session.commands] == ["close_entry", "open_entry", "remove_silent"]


def test_open_answers_stay_as_the_teacher_left_them(open_page, session):
    """The answers so far stay open at the next question."""
    page = open_page(make_state("open"))
    tally = page.locator(".dk-live-section-tally")
    tally.locator("summary").click()
    session.show(make_state("revealed"))
    expect(tally).to_be_hidden()
    session.show(make_state("open"))
    expect(tally).to_have_attribute("open", "")


# --- In a notebook ---


class RoomPage(TreePage):
    """A page with the widget of a room."""

    def rest(self) -> None:
        """Wait until it is painted."""
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@pytest.fixture
def room_page(pages) -> Iterator[RoomPage]:
    """Open a page with the bundle, as in a notebook."""
    context = pages.context(viewport={"width": 900, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.set_content("<!doctype html><body></body>")
    page.add_style_tag(content=(STATIC / "projector.css").read_text(encoding="utf-8"))
    url = f"data:text/javascript;base64,{b64encode((STATIC / 'projector.js').read_bytes()).decode()}"
    page.evaluate("async (url) => { window.board = (await import(url)).default; }", url)
    yield RoomPage(page)
    context.close()
    assert problems == []


def test_the_widget_shows_the_room_in_a_notebook(room_page):
    """The same page, with commands as messages: Python replies, and the page follows."""
    widget = RoomWidget(make_state("open", people=make_people(23, answered=14)))
    room_page.mount(widget, 800)
    page = room_page.page
    box = main_button(page).bounding_box()
    main_button(page).click()
    (message,) = (message for message in room_page.sent() if message["kind"] == "command")
    assert message["command"] == {"do": "stop"}
    expect(main_button(page)).to_have_attribute("aria-busy", "true")
    widget.state = make_state("stopped", language="lt", people=make_people(23, answered=14))
    widget.send({"kind": "reply", "id": message["id"], "reply": {}})
    room_page.sync()
    expect(main_button(page)).to_have_text(get_words("lt", "live.board.")["main.reveal"])
    expect(main_button(page)).not_to_have_attribute("aria-busy", "true")
    assert main_button(page).bounding_box() == box
    assert page.evaluate(SIDEWAYS) == 0


def test_the_widget_says_when_the_session_or_python_is_lost(room_page):
    """Python may have lost the session, or the kernel may be gone."""
    widget = RoomWidget(make_state("open"))
    room_page.mount(widget, 800)
    banner = room_page.page.locator(".dk-live-banner")
    widget.connected = False
    room_page.sync()
    expect(banner).to_have_text(WORDS["lost"])
    widget.connected = True
    room_page.sync()
    expect(banner).to_be_empty()
    room_page.page.evaluate("window.gone = true")
    main_button(room_page.page).click()
    expect(banner).to_have_text(WORDS["lost.python"])


def test_no_button_moves_in_a_notebook(room_page):
    """The widget is as high in each phase, and the buttons that change the session stay where they are."""
    page = room_page.page
    plan = {"plan": make_plan(1), "people": make_people(23, answered=14)}
    widget = RoomWidget(make_state("lobby", **plan))
    room_page.mount(widget, 800)
    places = set()
    for phase in ("lobby", "open", "stopped", "revealed"):
        widget.state = make_state(phase, main="next", **plan)
        room_page.sync()
        page.locator(f".dk-live-stage[data-phase={phase}]").wait_for()
        boxes = [page.locator(name).bounding_box() for name in (".dk-live", ".dk-live-main", ".dk-live-end")]
        places.add(tuple((box["x"], box["y"], box["height"]) for box in boxes))
    assert len(places) == 1
