"""Test the game review: the sentence on the end card, the panel and the chart."""

from __future__ import annotations

import pytest
from rendered_table import WORDS, golden_scene, make_intent

from durak_widget import Game, review
from durak_widget.i18n import Translator, get_front_end_texts
from support.spoken import english_text

pytestmark = pytest.mark.slow

SOON = {"text": [Translator("en").translate("table.reviewing")] * 2, "turning_points": [], "is_pending": True}
PLACES = "all => all.map((one) => { const { left, top } = one.getBoundingClientRect(); return [one.dataset.action, left, top]; })"


def review_messages(language: str = "en", by: str = "what it knew") -> dict:
    """Return everything that Python sends."""
    return {"kind": "review", **review.analyze(GAME, 0, by=by, budget=2000).view_model(language)}


GAME = Game.from_position(
    hands=["Ks 7d", "9c Qd Kd"],
    trump="h",
    discard="6c 7c 8c Tc Jc Qc Kc Ac 6d 8d 9d Td Jd Ad 6h 7h 8h 9h Th Jh Qh Kh Ah 6s 7s 8s 9s Ts Js Qs As",
)
for move in ("attack 7d", "beat 7d Qd", "attack 9c", "take", "attack Kd", "take"):
    GAME.play(move)


@pytest.mark.parametrize(("language", "width"), [("ru", 360), pytest.param("lt", 900, marks=pytest.mark.slow)])
def test_nothing_moves_when_the_review_arrives(table_page, language, width):
    """*Next game* stays under the pointer, and the button that leads to the key moment takes no other button's place."""
    turned = golden_scene("over_and_turned")
    table_page.mount({**turned, "review": SOON}, words=get_front_end_texts(language), language=language)
    table_page.set_width(width)
    table_page.page.wait_for_selector(".dk-review-note")
    assert table_page.locate(".dk-review-note").inner_text() == SOON["text"][0]
    actions = table_page.page.locator(".dk-actions button")
    places = actions.evaluate_all(PLACES)
    assert [name for name, *_ in places] == ["next"]
    table_page.show(turned, id=turned["id"] + 1)
    assert actions.evaluate_all(PLACES)[:1] == places
    assert [name for name, *_ in actions.evaluate_all(PLACES)] == ["next", "turned"]
    assert table_page.locate(".dk-review-note").inner_text() == ""


def test_without_a_turning_point_none_is_offered(table_page):
    """The result says that no mistake was found, and offers the replay."""
    turned = golden_scene("over_and_turned")
    table_page.mount({**turned, "review": {"text": ["No mistake.", "No mistake."], "turning_points": []}})
    table_page.page.wait_for_selector(".dk-review-note")
    assert table_page.locate(".dk-review-note").inner_text() == "No mistake."
    assert [name for name, _ in table_page.read()["actions"]] == ["next", "replay"]


def test_a_missed_retry_can_be_repeated_from_the_result(table_page):
    """The button is within the card."""
    turned = golden_scene("over_and_turned")
    table_page.mount({**turned, "review": {"text": [english_text("lesson.not_yet"), english_text("lesson.not_yet")], "retry_ply": 0}})
    button = table_page.locate(".dk-retry-button")
    box, card = button.bounding_box(), table_page.locate(".dk-result-card").bounding_box()
    assert card["x"] <= box["x"]
    assert box["x"] + box["width"] <= card["x"] + card["width"]
    assert box["y"] + box["height"] <= card["y"] + card["height"]
    button.click()
    assert table_page.drain() == [make_intent("retry_decision", turned["ply"], to_ply=0)]


def test_the_review_panel_shows_the_key_moment_and_folds_the_rest(table_page):
    """First one sentence, *See it*, *Try it again* and the marked curve. Numbers, method and decisions unfold."""
    turned = golden_scene("over_and_turned")
    table_page.mount(turned)
    table_page.click("[data-action=turned]")
    assert table_page.drain() == [make_intent("review", turned["ply"])]
    message = review_messages()
    table_page.receive(message)
    assert table_page.read()["panel"] == WORDS["turned"]
    panel = table_page.page.get_by_role("dialog", name=WORDS["turned"])
    assert "Better: attack with K♠" in panel.inner_text()
    assert panel.locator(".dk-win-chart polyline").count() == 1
    goto = make_intent("goto", turned["ply"], to_ply=0)
    panel.locator(".dk-turning-point").click()
    panel.locator("[data-key=see0]").click()
    panel.locator("[data-key=again0]").click()
    assert table_page.drain() == [goto, goto, make_intent("retry_decision", turned["ply"], to_ply=0)]
    for hidden in (panel.locator(".dk-luck-bar").first, panel.get_by_text(message["method"]), panel.locator("[data-key=decisions]")):
        assert not hidden.is_visible()
    panel.locator("[data-key=more]").click()
    assert panel.locator(".dk-luck-bar").count() == 2
    assert message["worst"][0]["explanation"] in panel.inner_text()
    assert not panel.locator(".dk-move-entry").first.is_visible()
    panel.locator("[data-key=decisions]").click()
    panel.locator(".dk-move-entry").nth(1).click()
    assert table_page.drain() == [make_intent("goto", turned["ply"], to_ply=1)]
    assert panel.locator(".dk-move-entry").count() == GAME.ply


@pytest.mark.parametrize("key", ["see"])
def test_going_to_a_moment_scrolls_to_the_top_of_the_table(table_page, set_screen_size, key):
    """On an upright phone, once the moment is rendered."""
    turned = golden_scene("over_and_turned")
    table_page.mount(turned)
    set_screen_size(360, 740)
    table_page.set_width(360)
    table_page.click("[data-action=turned]")
    table_page.receive(review_messages())
    table_page.page.locator(f"[data-key^={key}]").last.scroll_into_view_if_needed()
    top = "document.querySelector('.dk-table-header').getBoundingClientRect().top"
    assert table_page.page.evaluate(top) < 0
    table_page.page.locator(f"[data-key^={key}]").last.click()
    table_page.show({**{name: fact for name, fact in turned.items() if name != "result"}, "id": turned["id"] + 1, "ply": 3})
    table_page.wait_for_frames()
    assert 0 <= table_page.page.evaluate(top) < 100


def test_turning_points_are_marked_below_the_slider(table_page):
    """Until the next game, which also closes the panel."""
    turned = golden_scene("over_and_turned")
    table_page.mount(turned)
    table_page.wait_for_panel()
    table_page.page.wait_for_function("document.querySelector('.dk-replay-slider').list?.options.length === 1")
    marks = "[...document.querySelector('.dk-replay-slider').list.options].map(({ value }) => value)"
    back = {name: fact for name, fact in turned.items() if name != "result"}
    table_page.show({**back, "id": turned["id"] + 1, "ply": 3})
    table_page.wait_for_frames()
    assert table_page.page.evaluate(marks) == ["0"]
    table_page.show({**turned, "id": turned["id"] + 2})
    table_page.click("[data-action=turned]")
    table_page.receive(review_messages())
    table_page.show({**golden_scene("opening"), "id": turned["id"] + 3}, game=5)
    table_page.wait_for_frames()
    assert table_page.page.evaluate(marks) == []
    assert table_page.read()["panel"] is None


def test_a_key_does_not_open_a_review_before_it_is_there(table_page):
    """Then it opens it."""
    turned = golden_scene("over_and_turned")
    table_page.mount({**turned, "review": SOON})
    table_page.locate("").focus()
    table_page.keyboard.press("e")
    assert table_page.read()["panel"] is None
    table_page.show(turned, id=turned["id"] + 1)
    table_page.keyboard.press("e")
    table_page.wait_for_panel()
    assert table_page.drain()[-1] == make_intent("review", turned["ply"])
    table_page.receive(review_messages())
    assert "Better" in table_page.page.get_by_role("dialog").inner_text()


@pytest.mark.parametrize(("language", "width"), [("ru", 360)])
def test_the_review_switches_between_known_and_all_cards(table_page, language, width):
    """The button shows progress, ignores a second click, keeps the focus and fits."""
    turned, words = golden_scene("over_and_turned"), Translator(language)
    cards, seat, soon = (words.translate(key) for key in ("review.by.cards", "review.by.seat", "table.reviewing"))
    table_page.mount(turned, words=get_front_end_texts(language), language=language)
    table_page.set_width(width)
    table_page.click("[data-action=turned]")
    table_page.receive(review_messages(language))
    table_page.drain()
    panel = table_page.page.get_by_role("dialog")
    panel.locator("[data-key=more]").click()
    button = panel.get_by_role("button", name=cards)
    button.click()
    assert table_page.drain() == [make_intent("review_by_cards", turned["ply"])]
    waits = panel.get_by_role("button", name=soon)
    waits.click()
    assert table_page.drain() == []
    table_page.receive(review_messages(language, "all cards"))
    back = panel.get_by_role("button", name=seat)
    assert back.evaluate("one => one === one.getRootNode().activeElement")
    box, room = back.bounding_box(), panel.bounding_box()
    assert room["x"] <= box["x"]
    assert box["x"] + box["width"] <= room["x"] + room["width"]
    assert back.evaluate("one => one.scrollWidth <= one.clientWidth")
    assert review_messages(language, "all cards")["method"] in panel.inner_text()
    back.press("Enter")
    assert table_page.drain() == [make_intent("review", turned["ply"])]
    table_page.receive(review_messages(language))
    assert button.is_visible()


def test_a_change_of_language_keeps_the_kind_of_review(table_page):
    """A change of language keeps the kind of review."""
    turned = golden_scene("over_and_turned")
    table_page.mount(turned)
    table_page.click("[data-action=turned]")
    table_page.receive(review_messages("en", "all cards"))
    table_page.drain()
    table_page.show({**turned, "id": turned["id"] + 1, "review": {**turned["review"], "text": ["Kitaip.", "Kitaip."]}})
    table_page.wait_for_frames()
    assert table_page.drain() == [make_intent("review_by_cards", turned["ply"])]


@pytest.mark.parametrize("width", [360])
def test_a_win_looks_unlike_a_defeat(table_page, width):
    """Its words are larger and in another colour, and its card has another frame."""
    turned = golden_scene("over_and_turned")
    looks = []
    for won in (True, False):
        table_page.mount({**turned, "result": {**turned["result"], "won": won}})
        table_page.set_width(width)
        table_page.page.wait_for_selector(".dk-review-note", state="attached")
        style = "one => { const { fontSize, color } = getComputedStyle(one); return [parseFloat(fontSize), color, getComputedStyle(one.closest('.dk-result-card')).boxShadow]; }"
        looks.append(table_page.locate(".dk-verdict").evaluate(style))
    (large, *win), (small, *defeat) = looks
    assert large > small
    assert all(mine != theirs for mine, theirs in zip(win, defeat, strict=True))
