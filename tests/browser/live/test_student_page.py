"""Test the students' page in a browser, with the real server behind it."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from phone import SIZES, say
from playwright.sync_api import expect
from rendered_table import STATIC

from durak_widget.lessons import Choose
from durak_widget.live import server as live_server
from durak_widget.live.exercise_question import make_exercise_spec
from durak_widget.live.game_specs import make_game_spec
from durak_widget.live.number_games import Guess
from durak_widget.live.pages import get_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from class_server import ClassServer
    from phone import Phone

    OpenPhone = Callable[..., Phone]

MAX_REQUESTS = 7
MAX_BYTES = 40_000
"""Limits of the first page: requests, and bytes of all files together when they are compressed."""
PENNIES = make_game_spec([[(1, -1), (-1, 1)], [(-1, 1), (1, -1)]], rows=["heads", "tails"], columns=["heads", "tails"])
ENTRY = make_game_spec("entry")
GUESS = Guess(rounds=1).to_spec()
CHOICE = make_exercise_spec(Choose("Who wins?", {"The first": "", "Nobody": "Durak only has a loser."}, right="Nobody"))
PHASES = re.compile(r"\S")


def test_a_student_joins_answers_and_sees_the_result(class_server: ClassServer, open_phone: OpenPhone) -> None:
    """The page asks its own server for a few small files, keeps nothing in the browser, and is clean at each step."""
    phone = open_phone()
    expect(phone.heading).to_have_text(say("join.title"))
    phone.check_look()
    assert len(phone.requests) <= MAX_REQUESTS
    assert {urlsplit(request.url).netloc for request in phone.requests} == {urlsplit(class_server.url).netloc}
    files = [(STATIC / f"student.{kind}").read_bytes() for kind in ("html", "js", "css")]
    words = str(get_words("en", "live.phone.")).encode()
    assert sum(len(gzip.compress(data)) for data in (*files, words)) <= MAX_BYTES

    phone.join("Ann")
    expect(phone.heading).to_have_text(say("wait.title", name="Ann"))
    class_server.command("ask", spec=ENTRY)
    expect(phone.heading).to_be_focused()
    expect(phone.page.get_by_role("img")).to_be_visible()
    phone.check_look()
    phone.choose_first_actions()
    phone.send()
    assert list(class_server.answers) == ["Ann"]
    class_server.command("stop")
    expect(phone.page.get_by_role("radio").first).to_be_disabled()
    class_server.command("reveal")
    expect(phone.page.locator(".dp-card h1")).to_be_focused()
    phone.check_look()
    class_server.command("end")
    expect(phone.heading).to_have_text(say("ended.title"))
    assert phone.context.cookies() == []


@pytest.mark.slow
def test_a_reload_keeps_the_seat_and_the_answer(class_server: ClassServer, open_phone: OpenPhone) -> None:
    """The key is in the address, and nothing else is needed."""
    phone = open_phone().join("Ann")
    class_server.command("ask", spec=PENNIES)
    phone.option("tails").click()
    phone.send()
    phone.page.reload()
    expect(phone.option("tails")).to_be_checked()
    expect(phone.status).to_have_text(say("send.sent"))
    phone.option("heads").click()
    phone.send()
    assert class_server.state["counts"]["joined"] == 1
    assert class_server.answers == {"Ann": {"infosets": [0]}}


@pytest.mark.slow
def test_a_restart_of_the_server_keeps_what_is_typed(class_server: ClassServer, open_phone: OpenPhone) -> None:
    """An answer that is sent meanwhile arrives as soon as the server is back."""
    phone = open_phone().join("Ann")
    class_server.command("ask", spec=GUESS)
    field = phone.page.get_by_label(say("number.label"))
    field.fill("33,5")
    phone.may_lose_connection = True
    class_server.stop()
    expect(phone.offline_note).to_have_text(say("line.lost"))
    expect(field).to_be_focused()
    phone.page.keyboard.press("Enter")
    expect(phone.offline_note).to_have_text(say("line.lost_answer"))
    class_server.start()
    expect(phone.status).to_have_text(say("send.sent"))
    expect(phone.offline_note).to_be_hidden()
    expect(field).to_have_value("33,5")
    expect(field).to_be_focused()
    assert list(class_server.answers) == ["Ann"]


@pytest.mark.slow
@pytest.mark.parametrize("query", ["", "?transport=poll"], ids=["websocket", "polling"])
def test_a_phone_without_a_network_comes_back(class_server: ClassServer, open_phone: OpenPhone, query: str) -> None:
    """It shows that the connection is lost, and takes part again when the network is back."""
    phone = open_phone(query=query).join("Ann")
    class_server.command("ask", spec=PENNIES)
    expect(phone.option("heads")).to_be_visible()
    phone.may_lose_connection = True
    phone.context.set_offline(True)
    class_server.drop_connections()
    expect(phone.offline_note).to_have_text(PHASES)
    phone.option("heads").click()
    phone.page.locator(".dp-send [type=submit]").click()
    phone.context.set_offline(False)
    expect(phone.status).to_have_text(say("send.sent"))
    expect(phone.offline_note).to_be_hidden()
    assert list(class_server.answers) == ["Ann"]


@pytest.mark.slow
def test_where_websockets_are_blocked_the_page_polls(
    class_server: ClassServer, open_phone: OpenPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole question goes through long polling, and nobody has to choose it."""
    monkeypatch.setattr(live_server.StudentSocketHandler, "check_origin", lambda *_: False)
    phone = open_phone()
    phone.may_lose_connection = True
    phone.join("Ann")
    class_server.command("ask", spec=PENNIES)
    phone.option("heads").click()
    phone.send()
    class_server.command("reveal")
    expect(phone.page.locator(".dp-card")).to_be_visible()
    phone.page.reload()
    expect(phone.page.locator(".dp-card")).to_be_visible()
    assert class_server.state["counts"]["joined"] == 1


@pytest.mark.slow
def test_the_page_is_in_a_sandbox(class_server: ClassServer, open_phone: OpenPhone) -> None:
    """It has an origin of its own, and no storage: it can do nothing with the rest of the server."""
    phone = open_phone().join("Ann")
    assert phone.page.evaluate("self.origin") == "null"
    for store in ("localStorage", "sessionStorage", "document.cookie"):
        found = phone.page.evaluate(f"(() => {{ try {{ return String({store}) }} catch (error) {{ return error.name }} }})()")
        assert found == "SecurityError", store
    class_server.command("ask", spec=ENTRY)
    image = phone.page.get_by_role("img")
    expect(image).to_be_visible()
    assert image.evaluate("(image) => image.complete && image.naturalWidth > 0")


@pytest.mark.slow
def test_the_page_works_by_keys_alone(class_server: ClassServer, open_phone: OpenPhone) -> None:
    """Join, choose, correct a missing choice, enlarge the picture, and send."""
    phone = open_phone(size="laptop")
    press = phone.page.keyboard.press
    expect(phone.page.get_by_label(say("join.name"))).to_be_focused()
    phone.page.keyboard.type("Ann")
    press("Enter")
    expect(phone.heading).to_have_text(say("wait.title", name="Ann"))
    class_server.command("ask", spec=make_game_spec("beer-quiche"))
    expect(phone.heading).to_be_focused()
    press("Tab")
    press("Enter")
    dialog = phone.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    press("Escape")
    expect(dialog).to_be_hidden()
    press("Tab")
    press("ArrowDown")
    press("Tab")
    press("Tab")
    press("Enter")
    second = phone.page.get_by_role("group").nth(2)
    expect(second.get_by_role("radio").first).to_be_focused()
    expect(second.get_by_text(say("need.infoset"))).to_be_visible()
    press("Space")
    press("Enter")
    expect(phone.status).to_have_text(say("send.sent"))
    assert class_server.answers == {"Ann": {"infosets": [1, 0]}}


@pytest.mark.slow
def test_a_mix_by_slider_is_sent_in_percent(class_server: ClassServer, open_phone: OpenPhone) -> None:
    """The slider starts from the chosen action."""
    phone = open_phone().join("Ann")
    class_server.command("ask", spec={**PENNIES, "mix": True})
    phone.option("heads").click()
    phone.page.get_by_role("switch").click()
    slider = phone.page.get_by_role("slider")
    expect(slider).to_have_value("100")
    slider.fill("30")
    phone.check_look()
    phone.send()
    assert class_server.answers == {"Ann": {"infosets": [[30, 70]]}}
    phone.page.reload()
    expect(phone.page.get_by_role("slider")).to_have_value("30")


@pytest.mark.slow
def test_a_mix_is_set_by_keys_in_the_order_of_the_screen(class_server: ClassServer, open_phone: OpenPhone) -> None:
    """The switch stays where it is, the slider comes next, and what each action earns is still there."""
    phone = open_phone(size="laptop").join("Ann")
    class_server.command("ask", spec={**PENNIES, "mix": True})
    switch = phone.page.get_by_role("switch")
    before = switch.bounding_box()
    detail = phone.page.locator(".dp-option small").first.inner_text()
    switch.focus()
    phone.page.keyboard.press("Space")
    assert switch.bounding_box() == before
    phone.page.keyboard.press("Tab")
    expect(phone.page.get_by_role("slider")).to_be_focused()
    expect(phone.page.locator(".dp-mix").get_by_text(detail)).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("shown", ["same question", "next question"])
def test_an_answer_that_comes_too_late_is_reported(class_server: ClassServer, open_phone: OpenPhone, shown: str) -> None:
    """The student learns it when the connection is back, whatever the page shows by then, and can dismiss it."""
    phone = open_phone().join("Ann")
    class_server.command("ask", spec=CHOICE)
    expect(phone.option("Nobody")).to_be_visible()
    title = phone.heading.inner_text()
    phone.may_lose_connection = True
    phone.context.set_offline(True)
    class_server.drop_connections()
    expect(phone.offline_note).to_have_text(say("line.lost"))
    phone.option("Nobody").click()
    phone.page.locator(".dp-send [type=submit]").click()
    expect(phone.offline_note).to_have_text(say("line.lost_answer"))
    class_server.command("stop")
    if shown == "next question":
        class_server.command("ask", spec=PENNIES)
    phone.context.set_offline(False)
    late = phone.page.get_by_role("alert")
    expect(late).to_contain_text(say("late", title=title))
    phone.check_look()
    late.get_by_role("button").click()
    expect(late).to_be_hidden()


@pytest.mark.slow
def test_a_change_that_was_not_sent_is_named_at_the_stop(class_server: ClassServer, open_phone: OpenPhone) -> None:
    """The page shows the answer that counts and says so, and the result names it in words."""
    phone = open_phone().join("Ann")
    class_server.command("ask", spec=PENNIES)
    phone.option("heads").click()
    phone.send()
    phone.option("tails").click()
    class_server.command("stop")
    expect(phone.status).to_have_text(re.compile(f"^{re.escape(say('stopped.change_lost'))} heads"))
    expect(phone.option("heads")).to_be_checked()


@pytest.mark.slow
def test_a_result_names_the_own_answer(class_server: ClassServer, open_phone: OpenPhone) -> None:
    """A student sees what the result is about, without opening the question."""
    phone = open_phone().join("Ann")
    class_server.command("ask", spec=CHOICE)
    phone.option("The first").click()
    phone.send()
    class_server.command("reveal")
    expect(phone.page.locator(".dp-card").get_by_text("The first", exact=True)).to_be_visible()


@pytest.mark.slow
def test_a_missing_second_answer_is_not_called_a_missing_answer(class_server: ClassServer, open_phone: OpenPhone) -> None:
    """A student who did answer the first time is told which attempt has no answer."""
    phone = open_phone().join("Ann")
    class_server.command("ask", spec=CHOICE)
    phone.option("Nobody").click()
    phone.send()
    class_server.command("stop")
    class_server.command("again")
    expect(phone.status).to_have_text(say("again.first"))
    class_server.command("reveal")
    expect(phone.heading).to_have_text(say("result.none_again", attempt=2))


@pytest.mark.slow
def test_a_question_asked_again_begins_with_the_first_answer(class_server: ClassServer, open_phone: OpenPhone) -> None:
    """It survives a reload, counts only when it is sent again, and the page says so."""
    phone = open_phone().join("Ann")
    class_server.command("ask", spec=PENNIES)
    phone.option("tails").click()
    phone.send()
    class_server.command("stop")
    phone.page.reload()
    expect(phone.option("tails")).to_be_disabled()
    class_server.command("again")
    expect(phone.option("tails")).to_be_checked()
    expect(phone.status).to_have_text(say("again.first"))
    phone.check_look()
    assert class_server.answers == {}
    phone.send()
    assert class_server.answers == {"Ann": {"infosets": [1]}}


@pytest.mark.slow
def test_a_reload_keeps_what_is_not_sent(class_server: ClassServer, open_phone: OpenPhone) -> None:
    """A page in a sandbox has no storage, and still the sliders are where they were."""
    phone = open_phone().join("Ann")
    class_server.command("ask", spec={**PENNIES, "mix": True})
    phone.page.get_by_role("switch").click()
    phone.page.get_by_role("slider").fill("71")
    phone.page.reload()
    expect(phone.page.get_by_role("slider")).to_have_value("71")
    assert class_server.answers == {}
    phone.send()
    assert class_server.answers == {"Ann": {"infosets": [[71, 29]]}}


@pytest.mark.slow
@pytest.mark.parametrize("spec", [make_game_spec("kuhn", mix=True), {**PENNIES, "mix": True}], ids=["tree", "matrix"])
def test_the_bar_with_the_button_hides_nothing_without_a_hint(
    class_server: ClassServer, open_phone: OpenPhone, spec: dict[str, Any]
) -> None:
    """As long as inputs are below the bar, a button leads to them; at the end the last one is above the bar."""
    phone = open_phone().join("Ann")
    class_server.command("ask", spec=spec)
    more = phone.page.get_by_text(say("more"), exact=True)
    expect(phone.page.locator(".dp-send")).to_be_visible()
    hidden = "document.querySelector('.dp-fields').getBoundingClientRect().bottom - document.querySelector('.dp-send').getBoundingClientRect().top"
    phone.page.wait_for_function(
        f"!document.querySelector('.dp-more').checkVisibility({{ visibilityProperty: true }}) === ({hidden} <= 10)"
    )
    for _ in range(20):
        if phone.page.evaluate(f"{hidden} <= 10"):
            break
        before = phone.page.evaluate("scrollY")
        more.click()
        phone.page.wait_for_function(f"scrollY > {before}")
    expect(more).to_be_hidden()
    phone.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert phone.page.evaluate(hidden) <= 0


@pytest.mark.slow
def test_an_enlarged_picture_is_first_whole_and_makes_room_for_news(class_server: ClassServer, open_phone: OpenPhone) -> None:
    """The buttons and a tap make it larger; when the answers stop, it closes."""
    phone = open_phone().join("Ann")
    class_server.command("ask", spec=make_game_spec("kuhn"))
    phone.page.locator(".dp-picture-open").click()
    dialog = phone.page.get_by_role("dialog")
    image = dialog.get_by_role("img")
    is_whole = "(image) => { const area = image.parentElement; return area.scrollWidth <= area.clientWidth && area.scrollHeight <= area.clientHeight }"
    phone.page.wait_for_function("document.querySelector('.dp-zoom img').style.width")
    assert image.evaluate(is_whole)
    phone.check_look()
    dialog.get_by_role("button", name=say("picture.larger")).click()
    phone.page.wait_for_function(
        "document.querySelector('.dp-zoom-scroll').scrollWidth > document.querySelector('.dp-zoom-scroll').clientWidth"
    )
    image.click()
    assert image.evaluate(is_whole)
    class_server.command("stop")
    expect(dialog).to_be_hidden()
    expect(phone.status).to_contain_text(say("stopped.title"))


@pytest.mark.slow
@pytest.mark.parametrize("last", ["stop", "reveal"])
def test_someone_who_comes_between_two_questions_is_greeted(class_server: ClassServer, open_phone: OpenPhone, last: str) -> None:
    """They see that they are in, not that their answer is missing, also after a reload."""
    class_server.command("ask", spec=PENNIES)
    class_server.command(last)
    phone = open_phone().join("Vera")
    for _ in range(2):
        expect(phone.heading).to_have_text(say("wait.title", name="Vera"))
        phone.page.reload()
    class_server.command("ask", spec=GUESS)
    expect(phone.page.get_by_label(say("number.label"))).to_be_visible()


@pytest.mark.slow
def test_nobody_joins_a_class_that_is_over(class_server: ClassServer, open_phone: OpenPhone) -> None:
    """The page says that it is over, without a form."""
    phone = open_phone()
    expect(phone.heading).to_be_visible()
    class_server.command("end")
    phone.page.get_by_label(say("join.name")).fill("Ann")
    phone.button("join.go").click()
    expect(phone.heading).to_have_text(say("ended.title"))
    phone.check_look()


@pytest.mark.slow
def test_a_new_question_does_not_take_the_focus_from_someone_who_types(class_server: ClassServer, open_phone: OpenPhone) -> None:
    """A student who fixes their name goes on typing, and the name is saved."""
    phone = open_phone().join("Anm")
    phone.page.get_by_role("button", name="Anm").click()
    field = phone.page.get_by_label(say("join.name"))
    field.fill("Ann")
    class_server.command("ask", spec=PENNIES)
    expect(phone.page.get_by_role("heading", level=1, include_hidden=True)).not_to_have_text(say("wait.title", name="Anm"))
    expect(field).to_be_focused()
    phone.check_look()
    phone.page.keyboard.press("Enter")
    expect(phone.page.get_by_text(say("menu.saved"))).to_be_visible()
    assert [person["name"] for person in class_server.state["people"]] == ["Ann"]


@pytest.mark.slow
def test_the_language_changes_without_losing_what_is_chosen(class_server: ClassServer, open_phone: OpenPhone) -> None:
    """The browser's language is first; the chosen one survives a reload, and the session writes in it too."""
    phone = open_phone(locale="lt-LT").join_in("lt", "Ona")
    class_server.command("ask", spec=PENNIES)
    phone.option("tails").click()
    text = phone.page.locator(".dp-question-text")
    before = text.inner_text()
    phone.page.get_by_role("button", name="Ona").click()
    phone.page.get_by_role("button", name="Русский").click()
    expect(text).not_to_have_text(before)
    expect(phone.option("tails")).to_be_checked()
    assert phone.page.evaluate("document.documentElement.lang") == "ru"
    phone.page.reload()
    expect(phone.page.locator("html")).to_have_attribute("lang", "ru")


@pytest.mark.slow
def test_one_seat_on_two_pages_belongs_to_the_last_one(class_server: ClassServer, open_phone: OpenPhone) -> None:
    """The first page does not fight for it, and can take it back."""
    first = open_phone().join("Ann")
    second = open_phone(query=f"#{urlsplit(first.page.url).fragment}")
    expect(second.heading).to_have_text(say("wait.title", name="Ann"))
    expect(first.heading).to_have_text(say("elsewhere.title"))
    first.button("elsewhere.here").click()
    expect(first.heading).to_have_text(say("wait.title", name="Ann"))
    expect(second.heading).to_have_text(say("elsewhere.title"))
    assert class_server.state["counts"]["joined"] == 1


@pytest.mark.slow
def test_a_removed_student_can_join_again(class_server: ClassServer, open_phone: OpenPhone) -> None:
    """The old key is forgotten, also after a reload."""
    phone = open_phone().join("Nobody")
    class_server.command("remove", seat=0)
    expect(phone.heading).to_have_text(say("removed.title"))
    phone.button("removed.again").click()
    phone.join("Ann")
    phone.page.reload()
    expect(phone.heading).to_have_text(say("wait.title", name="Ann"))


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("locale", ["en", "lt", "ru"])
def test_every_view_fits_the_screen(class_server: ClassServer, open_phone: OpenPhone, size: str, locale: str) -> None:
    """Each form and each result, in each language, light and dark: nothing is cut off, and axe finds nothing."""
    phone = open_phone(size=size, locale=locale, color_scheme="dark" if size == "landscape" else "light")
    phone.check_look()
    phone.join_in(locale, "Anastasija Konstantinopolskaja")
    phone.check_look()
    for spec in (make_game_spec("kuhn", mix=True), GUESS, CHOICE, PENNIES):
        class_server.command("ask", spec=spec)
        expect(phone.page.locator(".dp-send [type=submit]")).to_be_visible()
        phone.page.locator(".dp-send [type=submit]").click()
        phone.check_look()
        class_server.command("stop")
        expect(phone.page.locator(".dp-send [type=submit]")).to_be_hidden()
        phone.check_look()
        class_server.command("reveal")
        phone.page.locator("summary").click()
        phone.check_look()


@pytest.mark.slow
def test_thirty_pages_answer_a_tree(class_server: ClassServer, open_phone: OpenPhone) -> None:
    """All answers arrive, and each page gets its own result."""
    names = [f"Student {number}" for number in range(1, 31)]
    phones = [open_phone().join(name) for name in names]
    class_server.command("ask", spec=ENTRY)
    for phone in phones:
        phone.choose_first_actions()
        phone.page.locator(".dp-send [type=submit]").click()
    for phone in phones:
        expect(phone.status).to_have_text(say("send.sent"))
    assert sorted(class_server.answers) == sorted(names)
    class_server.command("reveal")
    for phone in phones:
        expect(phone.page.locator(".dp-card h1")).to_be_visible()
