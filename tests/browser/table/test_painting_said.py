"""What the front end says, by itself: what is read aloud, shown in the bubble or heard as a tap."""

from __future__ import annotations

import pytest
from painted import PATIENCE, WORDS, course, golden, intent

from durak_widget.i18n import get_front_end_texts

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
    "one": ["Player 2 attacks with 7♦."],
    "two": ["Bout 3.", "Player 2 attacks with 7♦."],
    "long": [
        "Player 2 throws in 10♠ and 10♣.",
        "You beat 10♦ with A♦. All beaten: 4 cards go to the discard pile. You draw 2 cards, Player 2 draws 1.",
    ],
    "russian": ["Игрок 2 отбивает 10♦ картой 8♥. Бито: 2 карты в сброс. Вы добираете 1 карту, игрок 2 — 1."],
    "lithuanian": ["Žaidėjas 2 muša 10♦ korta 8♥. Viskas atmušta: 2 kortos į krūvą. Jūs traukiate 1 kortą, žaidėjas 2 – 1."],
    "many": [f"Player {n} throws in {n}♠. Player {n} passes." for n in range(2, 7)],
}
# Of what was done last: the sentences that are seen, and those that stand out of their box in part, or have a part that is not seen.
WHOLE = """() => {
  const told = document.querySelector('.dk-recent-moves'), frame = told.getBoundingClientRect();
  const units = [...told.querySelectorAll('p, span')].filter((one) => getComputedStyle(one).display !== 'contents' && getComputedStyle(one).display !== 'inline');
  const here = units.map((one) => ({ one, box: one.getBoundingClientRect() })).filter(({ box }) => box.left < frame.right - 1);
  here.sort((a, b) => a.box.top - b.box.top);
  const whole = ({ one, box }) => box.top >= frame.top - 0.5 && box.bottom <= frame.bottom + 0.5 && one.scrollHeight <= one.clientHeight + 1;
  return { shown: here.map(({ one }) => one.textContent), cut: here.filter((one) => !whole(one)).map(({ one }) => one.textContent) };
}"""


def test_a_deed_is_read_aloud_with_the_call_after_it_once(blank):
    """The words of the move, in their order, then what is to be done; painted again they are not repeated."""
    before, attacked, taken = course(
        "podkidnoy, hand_size=2", 1, "attack 7c", "take", hands=["7c 8c", "9c Jd"], trump="s", talon="8d 8h 8s Ts", turn_up="Ts"
    )
    blank.lay(before)
    blank.take("said")
    for shown in (attacked, taken):
        blank.show(shown)
        said = blank.take("said")
        assert said == [" ".join([*shown["last_move"]["sentences"], shown["call_to_action"][1]])]
        assert len(shown["last_move"]["sentences"]) >= 1
        blank.page.evaluate("heard.get('change:scene')(); model.set('skin', 'linen'); model.set('skin', 'felt')")
        assert blank.take("said") == []
    blank.show(attacked, id=9)
    assert blank.take("said") == [attacked["call_to_action"][1]]  # gone back: nobody has done that now


def test_a_refusal_is_shown_beside_the_card_and_read_aloud_alone(blank):
    """The sentence, and not the call again; others' moves leave it there till it has been read, and then it goes with the moment that it was said of."""
    blank.lay(golden("stuck"))
    blank.take("said")
    refused = golden("refused")
    assert blank.show(refused)["bubble"] == refused["note"]["text"][0]
    assert blank.take("said") == [refused["note"]["text"][1]]
    bubble, card = blank.one(".dk-bubble").bounding_box(), blank.card("7c").bounding_box()
    assert bubble["y"] + bubble["height"] <= card["y"] + 1
    assert bubble["x"] <= card["x"] + card["width"] / 2 <= bubble["x"] + bubble["width"]
    reading = max(1500, 60 * len(refused["note"]["text"][0]))
    assert blank.show(golden("stuck", id=3))["bubble"] == refused["note"]["text"][0]
    assert blank.take("said") == []
    blank.elapse(reading)
    assert blank.read()["bubble"] is None
    blank.show({**refused, "id": 4})
    blank.elapse(reading)
    assert blank.read()["bubble"] is not None  # nothing has happened since
    assert blank.show(golden("stuck", id=5))["bubble"] is None
    blank.show({**refused, "id": 6})
    blank.elapse(2 * reading)
    assert blank.read()["bubble"] is None  # by itself, once it can be read twice


@pytest.mark.parametrize(("language", "width", "height"), [("ru", 340, 740), pytest.param("lt", 824, 390, marks=pytest.mark.slow)])
def test_what_is_said_of_a_card_covers_nothing_that_one_needs(blank, language, width, height):
    """Whichever card it is of: not the call, no button, and of the attack nothing, but where the page is too low for both."""
    blank.page.set_viewport_size({"width": 1200, "height": height})
    blank.lay(golden("stuck"), words=get_front_end_texts(language))
    blank.widen(width)
    blank.frames()
    said = REFUSED[language]
    for number, card in enumerate(golden("stuck")["hand"], 3):
        note = {"kind": "refused", "text": [said, said], "card": card, "code": "does_not_beat"}
        blank.show(golden("stuck", id=number, note=note))
        seen = blank.page.evaluate(COVERED)
        assert seen["bubble"] == said
        assert height < 460 or seen["over"] == [], seen
        assert not {"dk-prompt", "dk-actions"} & set(seen["over"]), seen
        assert seen["within"], seen
    blank.page.set_viewport_size({"width": 1200, "height": 800})


@pytest.mark.parametrize(("width", "height"), [(340, 740), pytest.param(824, 390, marks=pytest.mark.slow)])
def test_where_nothing_lies_it_is_said_near_the_card(blank, width, height):
    """Below the attack, where the middle of the table is free, and not over the seats and the trump, far from what it speaks of."""
    blank.page.set_viewport_size({"width": 1200, "height": height})
    blank.lay(golden("opening"))
    blank.widen(width)
    blank.frames()
    card = golden("opening")["hand"][0]
    blank.show(golden("opening", id=3, note={"kind": "refused", "text": [REFUSED["en"]] * 2, "card": card, "code": "not_your_turn"}))
    bubble, near = blank.one(".dk-bubble").bounding_box(), blank.card(card).bounding_box()
    for one in (".dk-seat", ".dk-trump", ".dk-deck"):
        box = blank.one(one).bounding_box()
        assert box["y"] + box["height"] <= bubble["y"] or box["x"] + box["width"] <= bubble["x"], one
    assert near["y"] - 150 < bubble["y"] + bubble["height"] <= near["y"]
    blank.page.set_viewport_size({"width": 1200, "height": 800})


@pytest.mark.parametrize(("width", "height"), [(1000, 800), (256, 800), pytest.param(824, 390, marks=pytest.mark.slow)])
def test_of_what_was_done_last_whole_sentences_are_shown(blank, width, height):
    """The newest at the bottom, and no line cut off, however many there are and however long."""
    blank.page.set_viewport_size({"width": 1200, "height": height})
    blank.lay(golden("stuck"))
    blank.widen(width)
    blank.frames()
    for number, (name, told) in enumerate(TOLD.items(), 3):
        blank.show(golden("stuck", id=number, commentary=list(told), ply=1, last_ply=1))
        seen = blank.page.evaluate(WHOLE)
        assert seen["shown"], (name, seen)
        assert seen["shown"][-1].strip() == (told[-1] if width > 900 else told[-1].split(". ")[-1]), (name, seen)
        assert seen["cut"] == [], (name, seen)
    blank.page.set_viewport_size({"width": 1200, "height": 800})


def test_what_was_said_goes_with_its_card_and_with_what_one_does(blank):
    """Of a card that is gone nothing more is said, and whoever goes on has read it."""
    refused = golden("refused")
    for change in ({"hand": [card for card in refused["hand"] if card != "7c"]}, {"game": 5}):
        blank.lay(golden("stuck"))
        blank.show(refused)
        assert blank.show({**golden("stuck"), **change, "id": 3}, **({"game": 5} if "game" in change else {}))["bubble"] is None
    blank.lay(golden("stuck"))
    blank.show(refused)
    blank.click("[data-action=take]")
    assert blank.read()["bubble"] is None


@pytest.mark.parametrize("name", ["refused", "hinted"])
def test_a_note_is_old_on_a_table_that_is_just_being_laid(blank, name):
    """A second view of a table shows the game, not what somebody was told before."""
    painted = blank.lay(golden(name))
    assert (painted["bubble"], painted["status"]) == (None, golden(name)["call_to_action"][1])


def test_no_answer_and_no_kernel_are_said(blank):
    """After a while without an answer it is said, and the card comes down; where nothing can be sent, the buttons go."""
    blank.lay(golden("stuck"))
    blank.click("[data-action=take]")
    blank.elapse(PATIENCE)
    painted = blank.read()
    assert (painted["bubble"], painted["status"]) == (WORDS["unanswered"], WORDS["unanswered"])
    blank.page.evaluate("window.gone = true")
    blank.click("[data-action=take]")
    painted = blank.read()
    assert (painted["call"], painted["actions"], painted["status"]) == (WORDS["gone"], [], WORDS["gone"])
    blank.page.evaluate("window.gone = false; heard.get('comm_live_update')()")
    assert blank.read()["call"] == golden("stuck")["call_to_action"][0]
    assert blank.take()[-1] == intent("refresh", 0)


def test_a_tap_is_heard_only_by_those_who_ask(blank):
    """One for each move, mine higher than another's; none for a table just laid, nor when the sound is off."""
    start, attacked, beaten = course(
        "podkidnoy", 0, "attack 7c", "beat 7c 9c", hands=["7c 8c", "9c Jd"], trump="s", talon="8d Ts", turn_up="Ts"
    )
    for sound, pitches in ((False, []), (True, [520, 390])):
        blank.lay(start, sound=sound)
        assert blank.take("taps") == []
        blank.show(attacked)
        blank.show(beaten)
        blank.page.wait_for_function("count => taps.length === count", arg=len(pitches))
        assert blank.take("taps") == pitches
