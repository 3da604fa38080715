"""Test announcements, bubbles and sounds of the table."""

from __future__ import annotations

import pytest
from rendered_table import PATIENCE, WORDS, golden_scene, make_intent, play_scenes

from durak_widget.i18n import get_front_end_texts
from support.spoken import english_text

REFUSED = {
    "en": "The 7 of clubs does not beat the ace of diamonds: it is of another suit, and no trump.",
    "ru": "Семёрка треф не бьёт туза бубён: она другой масти и не козырь.",
    "lt": "Kryžių septynakė nemuša būgnų tūzo: ji kitos spalvos ir ne koziris.",
}
COVERED = """() => {
  const box = (one) => one.getBoundingClientRect();
  const bubble = document.querySelector('.dk-bubble'), b = box(bubble), felt = box(document.querySelector('.dk-felt'));
  const meets = (a) => a.width && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return {
    bubble: bubble.textContent, within: b.left >= felt.left && b.right <= felt.right && b.top >= felt.top,
    over: [...document.querySelectorAll('.dk-prompt, .dk-actions button, .dk-navigation button, .dk-pair, .dk-hand-card')].filter((one) => meets(box(one)))
      .map((one) => one.closest('.dk-actions, .dk-navigation')?.className ?? one.className),
  };
}"""
TOLD = {
    "one": [english_text("deed.attack", who="Player 2", cards="7♦")],
    "two": ["Bout 3.", english_text("deed.attack", who="Player 2", cards="7♦")],
    "long": [
        english_text("deed.throw", who="Player 2", card="10♠ and 10♣"),
        f"{english_text('deed.beat.you', who='You', target='10♦', card='A♦')} {english_text('end.beaten.other', count='4 cards')} {english_text('end.draws.you', who='You', count='2 cards')}, {english_text('end.draws_too', who='Player 2', count='1')}.",
    ],
    "russian": ["Игрок 2 отбивает 10♦ картой 8♥. Бито: 2 карты в сброс. Вы добираете 1 карту, игрок 2 — 1."],
    "lithuanian": ["Žaidėjas 2 muša 10♦ korta 8♥. Viskas atmušta: 2 kortos į krūvą. Jūs traukiate 1 kortą, žaidėjas 2 – 1."],
    "many": [f"Player {n} throws in {n}♠. Player {n} passes." for n in range(2, 7)],
}
# Of the recent moves, return the visible sentences and the partly visible or overflowing ones.
WHOLE = """() => {
  const told = document.querySelector('.dk-recent-moves'), frame = told.getBoundingClientRect();
  const units = [...told.querySelectorAll('p, span')].filter((one) => getComputedStyle(one).display !== 'contents' && getComputedStyle(one).display !== 'inline');
  const here = units.map((one) => ({ one, box: one.getBoundingClientRect() })).filter(({ box }) => box.left < frame.right - 1);
  here.sort((a, b) => a.box.top - b.box.top);
  const whole = ({ one, box }) => box.top >= frame.top - 0.5 && box.bottom <= frame.bottom + 0.5 && one.scrollHeight <= one.clientHeight + 1;
  return { shown: here.map(({ one }) => one.textContent), cut: here.filter((one) => !whole(one)).map(({ one }) => one.textContent) };
}"""


def test_a_move_is_announced_once_with_the_prompt(table_page):
    """A move is announced once with the prompt."""
    before, attacked, taken = play_scenes(
        "podkidnoy, hand_size=2", 1, "attack 7c", "take", hands=["7c 8c", "9c Jd"], trump="s", talon="8d 8h 8s Ts", turn_up="Ts"
    )
    table_page.mount(before)
    table_page.drain("said")
    for table_scene in (attacked, taken):
        table_page.show(table_scene)
        sentence = table_page.drain("said")
        assert sentence == [" ".join([*table_scene["last_move"]["sentences"], table_scene["call_to_action"][1]])]
        assert len(table_scene["last_move"]["sentences"]) >= 1
        table_page.page.evaluate("heard.get('change:scene')(); model.set('skin', 'linen'); model.set('skin', 'felt')")
        assert table_page.drain("said") == []
    table_page.show(attacked, id=9)
    assert table_page.drain("said") == [attacked["call_to_action"][1]]  # after going back there is no new move


def test_a_refusal_is_shown_at_its_card_and_announced_alone(table_page):
    """It survives others' moves until it was read, and goes with its moment."""
    table_page.mount(golden_scene("stuck"))
    table_page.drain("said")
    refused = golden_scene("refused")
    assert table_page.show(refused)["bubble"] == refused["note"]["text"][0]
    assert table_page.drain("said") == [refused["note"]["text"][1]]
    bubble, card = table_page.locate(".dk-bubble").bounding_box(), table_page.card("7c").bounding_box()
    assert bubble["y"] + bubble["height"] <= card["y"] + 1
    assert bubble["x"] <= card["x"] + card["width"] / 2 <= bubble["x"] + bubble["width"]
    reading = max(1500, 60 * len(refused["note"]["text"][0]))
    assert table_page.show(golden_scene("stuck", id=3))["bubble"] == refused["note"]["text"][0]
    assert table_page.drain("said") == []
    table_page.elapse(reading)
    assert table_page.read()["bubble"] is None
    table_page.show({**refused, "id": 4})
    table_page.elapse(reading)
    assert table_page.read()["bubble"] is not None  # nothing has happened since
    assert table_page.show(golden_scene("stuck", id=5))["bubble"] is None
    table_page.show({**refused, "id": 6})
    table_page.elapse(2 * reading)
    assert table_page.read()["bubble"] is None  # automatically, after twice the reading time


@pytest.mark.parametrize(("language", "width", "height"), [("ru", 340, 740), pytest.param("lt", 824, 390, marks=pytest.mark.slow)])
def test_a_bubble_covers_no_prompt_or_button(table_page, language, width, height):
    """And no attack, unless the page is too low for both."""
    table_page.page.set_viewport_size({"width": 1200, "height": height})
    table_page.mount(golden_scene("stuck"), words=get_front_end_texts(language))
    table_page.set_width(width)
    table_page.wait_for_frames()
    sentence = REFUSED[language]
    for number, card in enumerate(golden_scene("stuck")["hand"], 3):
        note = {"kind": "refused", "text": [sentence, sentence], "card": card, "code": "does_not_beat"}
        table_page.show(golden_scene("stuck", id=number, note=note))
        covered = table_page.page.evaluate(COVERED)
        assert covered["bubble"] == sentence
        assert height < 460 or covered["over"] == [], covered
        assert not {"dk-prompt", "dk-actions"} & set(covered["over"]), covered
        assert covered["within"], covered
    table_page.page.set_viewport_size({"width": 1200, "height": 800})


@pytest.mark.parametrize(("width", "height"), [(340, 740), pytest.param(824, 390, marks=pytest.mark.slow)])
def test_a_bubble_is_near_its_card_when_the_table_is_empty(table_page, width, height):
    """Not over the seats and the trump."""
    table_page.page.set_viewport_size({"width": 1200, "height": height})
    table_page.mount(golden_scene("opening"))
    table_page.set_width(width)
    table_page.wait_for_frames()
    card = golden_scene("opening")["hand"][0]
    table_page.show(
        golden_scene("opening", id=3, note={"kind": "refused", "text": [REFUSED["en"]] * 2, "card": card, "code": "not_your_turn"})
    )
    bubble, near = table_page.locate(".dk-bubble").bounding_box(), table_page.card(card).bounding_box()
    for selector in (".dk-seat", ".dk-trump", ".dk-deck"):
        box = table_page.locate(selector).bounding_box()
        assert box["y"] + box["height"] <= bubble["y"] or box["x"] + box["width"] <= bubble["x"], selector
    assert near["y"] - 150 < bubble["y"] + bubble["height"] <= near["y"]
    table_page.page.set_viewport_size({"width": 1200, "height": 800})


@pytest.mark.parametrize(("width", "height"), [(1000, 800), (256, 800), pytest.param(824, 390, marks=pytest.mark.slow)])
def test_recent_moves_are_shown_in_whole_sentences(table_page, width, height):
    """The newest at the bottom, with no line cut off."""
    table_page.page.set_viewport_size({"width": 1200, "height": height})
    table_page.mount(golden_scene("stuck"))
    table_page.set_width(width)
    table_page.wait_for_frames()
    for number, (name, sentences) in enumerate(TOLD.items(), 3):
        table_page.show(golden_scene("stuck", id=number, commentary=list(sentences), ply=1, last_ply=1))
        covered = table_page.page.evaluate(WHOLE)
        assert covered["shown"], (name, covered)
        assert covered["shown"][-1].strip() == (sentences[-1] if width > 900 else sentences[-1].split(". ")[-1]), (name, covered)
        assert covered["cut"] == [], (name, covered)
    table_page.page.set_viewport_size({"width": 1200, "height": 800})


def test_a_bubble_goes_with_its_card_and_the_next_action(table_page):
    """A bubble goes with its card and the next action."""
    refused = golden_scene("refused")
    for change in ({"hand": [card for card in refused["hand"] if card != "7c"]}, {"game": 5}):
        table_page.mount(golden_scene("stuck"))
        table_page.show(refused)
        assert table_page.show({**golden_scene("stuck"), **change, "id": 3}, **({"game": 5} if "game" in change else {}))["bubble"] is None
    table_page.mount(golden_scene("stuck"))
    table_page.show(refused)
    table_page.click("[data-action=take]")
    assert table_page.read()["bubble"] is None


def test_advice_about_a_turn_goes_with_the_turn(table_page):
    """Before it is read, too. An error stays until it is read."""
    before, attacked = play_scenes("podkidnoy", 1, "attack 7c", hands=["7c 8c", "9c Jd"], trump="s", talon="8d Ts", turn_up="Ts")
    for kind, stays in (("refused", False), ("hint", False), ("error", True)):
        for first, second in ((before, attacked), (attacked, before)):  # the turn comes, or passes on
            table_page.mount(first)
            text = "You can't play the jack of diamonds."
            assert table_page.show({**first, "note": {"kind": kind, "text": [text] * 2, "card": "Jd"}}, id=3)["bubble"] == text
            assert (table_page.show(second, id=4)["bubble"] == text) is stays, kind


@pytest.mark.parametrize("name", ["refused", "hinted"])
def test_a_new_view_shows_no_old_note(table_page, name):
    """A new view shows no old note."""
    painted = table_page.mount(golden_scene(name))
    assert (painted["bubble"], painted["status"]) == (None, golden_scene(name)["call_to_action"][1])


def test_a_visitor_of_the_web_page_reads_nothing_about_python(table_page):
    """Only a notebook has a kernel and cells."""
    table_page.mount(golden_scene("stuck"))
    table_page.page.evaluate("document.documentElement.dataset.languages = 'en'")
    table_page.click("[data-action=take]")
    table_page.elapse(PATIENCE)
    assert table_page.read()["bubble"] == WORDS["unanswered.page"]
    table_page.page.evaluate("delete document.documentElement.dataset.languages")


def test_a_missing_answer_and_a_lost_kernel_are_reported(table_page):
    """The card returns. Without a kernel the buttons go."""
    table_page.mount(golden_scene("stuck"))
    table_page.click("[data-action=take]")
    table_page.elapse(PATIENCE)
    painted = table_page.read()
    assert (painted["bubble"], painted["status"]) == (WORDS["unanswered"], WORDS["unanswered"])
    table_page.page.evaluate("window.gone = true")
    table_page.click("[data-action=take]")
    painted = table_page.read()
    assert (painted["call"], painted["actions"], painted["status"]) == (WORDS["gone"], [], WORDS["gone"])
    table_page.page.evaluate("window.gone = false; heard.get('comm_live_update')()")
    assert table_page.read()["call"] == golden_scene("stuck")["call_to_action"][0]
    assert table_page.drain()[-1] == make_intent("refresh", 0)


def test_sounds_are_played_only_if_enabled(table_page):
    """One per move, higher for the own move. None for a new table."""
    start, attacked, beaten = play_scenes(
        "podkidnoy", 0, "attack 7c", "beat 7c 9c", hands=["7c 8c", "9c Jd"], trump="s", talon="8d Ts", turn_up="Ts"
    )
    for sound, pitches in ((False, []), (True, [520, 390])):
        table_page.mount(start, sound=sound)
        assert table_page.drain("taps") == []
        table_page.show(attacked)
        table_page.show(beaten)
        table_page.page.wait_for_function("count => taps.length === count", arg=len(pitches))
        assert table_page.drain("taps") == pitches
