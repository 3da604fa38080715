"""Where a game turned, painted: the sentence on the card, the door to all of it, the line with its marks, and that nothing moves when it comes."""

from __future__ import annotations

import pytest
from painted import golden, intent

from durak_widget import Game, review
from durak_widget.i18n import Translator, get_front_end_texts

pytestmark = pytest.mark.slow

SOON = {"text": ["The game is being looked through …"] * 2, "turning_points": []}
PLACES = "all => all.map((one) => { const { left, top } = one.getBoundingClientRect(); return [one.dataset.action, left, top]; })"


def told(language: str = "en", by: str = "what it knew") -> dict:
    """All that Python tells of it."""
    return {"kind": "review", **review.analyze(GAME, 0, by=by, budget=2000).view_model(language)}


GAME = Game.from_position(
    hands=["Ks 7d", "9c Qd Kd"],
    trump="h",
    discard="6c 7c 8c Tc Jc Qc Kc Ac 6d 8d 9d Td Jd Ad 6h 7h 8h 9h Th Jh Qh Kh Ah 6s 7s 8s 9s Ts Js Qs As",
)
for move in ("attack 7d", "beat 7d Qd", "attack 9c", "take", "attack Kd", "take"):
    GAME.play(move)


@pytest.mark.parametrize(("language", "width"), [("ru", 360), pytest.param("lt", 900, marks=pytest.mark.slow)])
def test_nothing_moves_when_it_is_known(blank, language, width):
    """Its room is there with the end: *Next game* stays under the pointer."""
    turned = golden("over_and_turned")
    blank.lay({**turned, "review": SOON}, words=get_front_end_texts(language), language=language)
    blank.widen(width)
    blank.frames()
    actions = blank.page.locator(".dk-actions button")
    places = actions.evaluate_all(PLACES)
    assert [name for name, *_ in places] == ["next", "turned"]
    blank.show(turned, id=turned["id"] + 1)
    assert blank.one(".dk-turning-point-text").inner_text().startswith("You had it won in bout 2.")
    assert actions.evaluate_all(PLACES) == places
    button = blank.one(".dk-retry-button")
    box, card = button.bounding_box(), blank.one(".dk-result-card").bounding_box()
    assert card["x"] <= box["x"]
    assert box["x"] + box["width"] <= card["x"] + card["width"]
    assert box["y"] + box["height"] <= card["y"] + card["height"]
    button.click()
    assert blank.take() == [intent("retry_decision", turned["ply"], to_ply=0)]


def test_its_drawer_tells_all_of_it_and_leads_there(blank):
    """The worst with what was better, the line with a mark, two bars, every decision behind a fold; each button has a name and leads there."""
    turned = golden("over_and_turned")
    blank.lay(turned)
    blank.click("[data-action=turned]")
    assert blank.take() == [intent("review", turned["ply"])]
    blank.hear(told())
    assert blank.read()["panel"] == "Where it turned"
    panel = blank.page.get_by_role("dialog", name="Where it turned")
    assert "Better: attack with K♠" in panel.locator(".dk-worst-moves").inner_text()
    assert panel.locator(".dk-win-chart polyline").count() == 1
    assert panel.locator(".dk-luck-bar").count() == 2
    assert "beside a careful player" in panel.inner_text()
    panel.get_by_role("button", name="You had it won in bout 2. 7♦︎ gave it away.").click()
    panel.get_by_role("button", name="See it on the table").click()
    panel.get_by_role("button", name="Try it again").click()
    goto = intent("goto", turned["ply"], to_ply=0)
    assert blank.take() == [goto, goto, intent("retry_decision", turned["ply"], to_ply=0)]
    fold = panel.locator("summary")
    assert not panel.locator(".dk-move-entry").first.is_visible()
    fold.click()
    panel.locator(".dk-move-entry").nth(1).click()
    assert blank.take() == [intent("goto", turned["ply"], to_ply=1)]
    assert panel.locator(".dk-move-entry").count() == GAME.ply


@pytest.mark.parametrize("key", ["see"])
def test_what_leads_to_the_table_shows_it_from_its_top(blank, screen_of, key):
    """On a phone held upright, where the drawer lies below the felt: once that moment is painted, the line with the name of the rules is seen."""
    turned = golden("over_and_turned")
    blank.lay(turned)
    screen_of(360, 740)
    blank.widen(360)
    blank.click("[data-action=turned]")
    blank.hear(told())
    blank.page.locator(f"[data-key^={key}]").last.scroll_into_view_if_needed()
    top = "document.querySelector('.dk-table-header').getBoundingClientRect().top"
    assert blank.page.evaluate(top) < 0
    blank.page.locator(f"[data-key^={key}]").last.click()
    blank.show({**{name: fact for name, fact in turned.items() if name != "result"}, "id": turned["id"] + 1, "ply": 3})
    blank.frames()
    assert 0 <= blank.page.evaluate(top) < 100


def test_marks_lie_below_the_slider_till_another_game_begins(blank):
    """Also while one looks back; the drawer closes with the game that it tells of."""
    turned = golden("over_and_turned")
    blank.lay(turned)
    blank.loaded()
    blank.page.wait_for_function("document.querySelector('.dk-replay-slider').list?.options.length === 1")
    marks = "[...document.querySelector('.dk-replay-slider').list.options].map(({ value }) => value)"
    back = {name: fact for name, fact in turned.items() if name != "result"}
    blank.show({**back, "id": turned["id"] + 1, "ply": 3})
    blank.frames()
    assert blank.page.evaluate(marks) == ["0"]
    blank.show({**turned, "id": turned["id"] + 2})
    blank.click("[data-action=turned]")
    blank.hear(told())
    blank.show({**golden("opening"), "id": turned["id"] + 3}, game=5)
    blank.frames()
    assert blank.page.evaluate(marks) == []
    assert blank.read()["panel"] is None


def test_what_is_opened_too_early_says_so_and_is_told_later(blank):
    """Till it is known the drawer says that it is looked for."""
    turned = golden("over_and_turned")
    blank.lay({**turned, "review": SOON})
    blank.click("[data-action=turned]")
    assert "being looked through" in blank.page.get_by_role("dialog").inner_text()
    blank.take()
    blank.show(turned, id=turned["id"] + 1)
    blank.frames()
    assert blank.take() == [intent("review", turned["ply"])]
    blank.hear(told())
    assert "Better" in blank.page.get_by_role("dialog").inner_text()


@pytest.mark.parametrize(("language", "width"), [("ru", 360)])
def test_it_is_judged_by_all_cards_at_a_press_and_back(blank, language, width):
    """The button says what it does, and meanwhile that it is done; a second press asks nothing more; it keeps the focus, and fits."""
    turned, words = golden("over_and_turned"), Translator(language)
    cards, seat, soon = (words.translate(key) for key in ("review.by.cards", "review.by.seat", "table.reviewing"))
    blank.lay(turned, words=get_front_end_texts(language), language=language)
    blank.widen(width)
    blank.click("[data-action=turned]")
    blank.hear(told(language))
    blank.take()
    panel = blank.page.get_by_role("dialog")
    button = panel.get_by_role("button", name=cards)
    button.click()
    assert blank.take() == [intent("review_by_cards", turned["ply"])]
    waits = panel.get_by_role("button", name=soon)
    waits.click()
    assert blank.take() == []
    blank.hear(told(language, "all cards"))
    back = panel.get_by_role("button", name=seat)
    assert back.evaluate("one => one === one.getRootNode().activeElement")
    box, room = back.bounding_box(), panel.bounding_box()
    assert room["x"] <= box["x"]
    assert box["x"] + box["width"] <= room["x"] + room["width"]
    assert back.evaluate("one => one.scrollWidth <= one.clientWidth")
    assert told(language, "all cards")["method"] in panel.inner_text()
    back.press("Enter")
    assert blank.take() == [intent("review", turned["ply"])]
    blank.hear(told(language))
    assert button.is_visible()


def test_in_another_language_it_is_told_as_it_was_judged(blank):
    """Whoever looks at what all cards say is told that anew, and nothing else."""
    turned = golden("over_and_turned")
    blank.lay(turned)
    blank.click("[data-action=turned]")
    blank.hear(told("en", "all cards"))
    blank.take()
    blank.show({**turned, "id": turned["id"] + 1, "review": {**turned["review"], "text": ["Kitaip.", "Kitaip."]}})
    blank.frames()
    assert blank.take() == [intent("review_by_cards", turned["ply"])]


@pytest.mark.parametrize("width", [360])
def test_joy_comes_first_and_large(blank, width):
    """Who has won reads that before all else; what a move cost is said small, and paler than the rest."""
    turned = golden("over_and_turned")
    blank.lay({**turned, "result": {**turned["result"], "won": True}})
    blank.widen(width)
    blank.page.wait_for_selector(".dk-turning-point-text")
    size = "one => parseFloat(getComputedStyle(one).fontSize)"
    joy, cost = (blank.one(one).evaluate(size) for one in (".dk-verdict", ".dk-turning-point-text"))
    assert joy > 1.8 * cost
    assert blank.one(".dk-verdict").bounding_box()["y"] < blank.one(".dk-turning-point-text").bounding_box()["y"]
    blank.lay(turned)
    blank.page.wait_for_selector(".dk-turning-point-text")
    joy, cost = (blank.one(one).evaluate(size) for one in (".dk-verdict", ".dk-turning-point-text"))
    assert joy < 1.5 * cost
