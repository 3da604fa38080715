"""What the front end says, by itself: what is read aloud, shown in the bubble or heard as a tap."""

from __future__ import annotations

import pytest
from painted import PATIENCE, WORDS, course, golden, intent


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
        assert said == [" ".join([*shown["did"]["said"], shown["call"][1]])]
        assert len(shown["did"]["said"]) >= 1
        blank.page.evaluate("heard.get('change:scene')(); model.set('skin', 'linen'); model.set('skin', 'felt')")
        assert blank.take("said") == []
    blank.show(attacked, id=9)
    assert blank.take("said") == [attacked["call"][1]]  # gone back: nobody has done that now


def test_a_refusal_is_shown_beside_the_card_and_read_aloud_alone(blank):
    """The sentence, and not the call again; others' moves leave it there till it has been read, and then it goes with the moment that it was said of."""
    blank.lay(golden("stuck"))
    blank.take("said")
    refused = golden("refused")
    assert blank.show(refused)["bubble"] == refused["note"]["said"][0]
    assert blank.take("said") == [refused["note"]["said"][1]]
    bubble, card = blank.one(".dk-bubble").bounding_box(), blank.card("7c").bounding_box()
    assert bubble["y"] + bubble["height"] <= card["y"] + 1
    assert bubble["x"] <= card["x"] + card["width"] / 2 <= bubble["x"] + bubble["width"]
    reading = max(1500, 60 * len(refused["note"]["said"][0]))
    assert blank.show(golden("stuck", id=3))["bubble"] == refused["note"]["said"][0]
    assert blank.take("said") == []
    blank.elapse(reading)
    assert blank.read()["bubble"] is None
    blank.show({**refused, "id": 4})
    blank.elapse(reading)
    assert blank.read()["bubble"] is not None  # nothing has happened since
    assert blank.show(golden("stuck", id=5))["bubble"] is None


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
    assert (painted["bubble"], painted["status"]) == (None, golden(name)["call"][1])


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
    assert blank.read()["call"] == golden("stuck")["call"][0]
    assert blank.take()[-1] == intent("show", 0)


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
        assert blank.take("taps") == pitches
