"""Opponents on the painted table: a face and a name, what they say at the end, and the button that seats the next."""

from __future__ import annotations

from random import Random

import pytest
from painted import axed, ground, scene

from durak_widget import Game, Table, bots, review
from durak_widget.i18n import get_front_end_texts
from durak_widget.table.analysis_jobs import build_review_view

pytestmark = pytest.mark.slow

GONE = "6c 7c 8c Tc Jc Qc Kc Ac 6d 8d 9d Td Jd Ad 6h 7h 8h 9h Th Jh Qh Kh Ah 6s 7s 8s 9s Ts Js Qs As"
LOST = Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h", discard=GONE)
"""The king of spades, which must be taken, wins; the seven loses."""


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory):
    """Nobody has been beaten yet."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DURAK_WIDGET_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(scope="module")
def table(home):
    """The nephew was beaten there; and the first scene of the first game against him."""
    table, good = Table(seats={1: "nephew"}, seed=5), bots.get("counting")
    first, times = dict(table.scene), 0
    while times < 2:
        while table.game.outcome is None:
            if table.game.actor == 0:
                table.play(good.choose(table.game.view(0), Random(1)))
            else:
                table.step()
        times += table.scene["result"]["won"] is True
        if times < 2:
            table.handle_message({"kind": "next_game", "game": table.scene["game"], "ply": table.scene["ply"]})
    return first, table


@pytest.fixture
def beaten(table):
    """The first scene of a game against the nephew, and the last of the second one that was won."""
    return table[0], dict(table[1].scene)


@pytest.fixture(scope="module")
def lost(home):
    """A game that was given away to the uncle."""
    table = Table(LOST.copy(), seats={1: "uncle"})
    table.play("attack 7d")
    while table.game.outcome is None:
        if not table.step():
            table.play("take")
    return table


def test_an_opponent_has_a_name_and_a_face(blank, beaten):
    """At the plate and in its name, beside the role; who is no opponent any more has neither."""
    first, _ = beaten
    blank.lay(first, words=get_front_end_texts("en"))
    seat = blank.read()["seats"][0]
    assert (seat["shown"], seat["name"].startswith("Tim, 6 cards")) == ("Tim", True)
    assert blank.page.locator(".dk-plate .dk-portrait svg path").count() > 3
    assert "nephew" in blank.page.locator(".dk-portrait").get_attribute("title")
    other = {**first, "id": first["id"] + 1, "seats": [first["seats"][0], {"cards": 6, "role": "attacks", "player": "careful"}]}
    blank.show(other)
    assert blank.read()["seats"][0]["shown"] == "Player 2"
    assert blank.page.locator(".dk-portrait").count() == 0


def test_who_is_beaten_says_so_and_the_next_sits_down_at_a_press(blank, beaten):
    """The end card has their sentence and how one stands; the first button is the next opponent, also by keys."""
    _, last = beaten
    blank.lay(last, words=get_front_end_texts("en"))
    told = blank.read()
    assert any(line.startswith("Tim: “") for line in told["over"]["lines"])
    assert "You have beaten Tim, two games of three. Next: Uncle Yasha." in told["over"]["lines"]
    assert told["actions"][0] == ["meet", "Play Uncle Yasha"]
    blank.click("[data-action=meet]")
    assert {"kind": "play_opponent", "player": "uncle"}.items() <= blank.take()[-1].items()


APART = """() => {
  const boxes = ['.dk-open-hand', '.dk-plate', '.dk-result-card', '.dk-discard .dk-pile', '.dk-trump .dk-suit', '.dk-table-header .dk-match-score'].map((one) => document.querySelector(`.dk ${one}`).getBoundingClientRect());
  const felt = document.querySelector('.dk-felt').getBoundingClientRect(), [hand, ...others] = boxes;
  return [others.every((one) => one.right <= hand.left || hand.right <= one.left || one.bottom <= hand.top || hand.bottom <= one.top),
    felt.left <= hand.left && hand.right <= felt.right];
}"""


@pytest.mark.parametrize("width", [830, pytest.param(360, marks=pytest.mark.slow)])
def test_the_hand_that_is_turned_up_raises_nothing(blank, beaten, width):
    """It lies beside the plate, or between the trumps and the discard pile, over nothing else, and the card at the end is where it would be without it."""
    _, last = beaten
    closed = {**last, "seats": [{name: fact for name, fact in seat.items() if name != "hand"} for seat in last["seats"]]}
    tops = []
    for shown in (closed, {**last, "id": last["id"] + 1}):
        blank.lay(shown, words=get_front_end_texts("en"))
        blank.widen(width)
        blank.page.wait_for_function("document.querySelector('.dk-portrait')")
        blank.frames()
        tops.append(blank.one(".dk-result-card").bounding_box()["y"])
    assert tops[0] == tops[1]
    assert blank.page.locator(".dk-open-hand .dk-card").count() == 8
    assert blank.page.evaluate(APART) == [True, True]


TOLD = {"kind": "opponents", "beaten": ["nephew"], "next_opponent": "uncle"}
EVERYBODY = [*(person.key for person in bots.people()), *bots.names()]
FITS = """() => {
  const panel = document.querySelector('.dk-panel'), width = panel.clientWidth;
  return [...panel.querySelectorAll('.dk-opponents button')].map((one) => [one.textContent, one.offsetWidth, one.offsetHeight, one.scrollWidth <= one.clientWidth + 1 && one.offsetLeft + one.offsetWidth <= width]);
}"""


def test_whom_one_plays_with_stands_first_in_the_settings(blank):
    """People by their strength, each with a face, who they are, and whether they are beaten; bots apart, after them; nobody is locked."""
    blank.lay(scene(Game(seed=5)), bots=EVERYBODY)
    blank.click("[data-bar=settings]")
    assert [one for one in blank.take() if one["kind"] == "opponents"]
    blank.hear(TOLD)
    panel = blank.page.locator(".dk-panel")
    assert panel.locator("h3").all_inner_texts() == ["Play with", "Bots", "Who plays"]
    assert panel.locator("button, select, input").nth(1).get_attribute("data-key") == "sits-nephew"
    assert panel.locator(".dk-opponent b").all_inner_texts() == [person.name() for person in bots.people()]
    assert panel.locator(".dk-opponent .dk-small").all_inner_texts() == [person.character() for person in bots.people()]
    assert panel.locator(".dk-opponent i").all_inner_texts() == ["beaten", "next", "later", "later", "later", "later"]
    for beaten, following, said in (
        ("uncle", EVERYBODY[2], ["", "beaten", "next", "later", "later", "later"]),
        ("grandmother", None, [""] * 5 + ["beaten"]),
    ):
        blank.hear({**TOLD, "beaten": [beaten], "next_opponent": following})
        assert panel.locator(".dk-opponent i").all_inner_texts() == said  # of who was passed over there is nothing to say
    assert panel.locator(".dk-opponent svg:has(path)").count() == 6
    assert panel.locator(".dk-button-row .dk-player-choice").all_inner_texts() == EVERYBODY[len(bots.people()) :]
    assert panel.locator(".dk-opponents :disabled").count() == 0
    blank.one("[data-key=sits-grandmother]").focus()
    blank.keyboard.press("Enter")
    assert {"kind": "seat_player", "seat": 1, "player": "grandmother"}.items() <= blank.take()[-1].items()


def test_who_sits_there_is_marked_and_the_focus_stays(blank):
    """Once Python has seated somebody the list says so, and who chose by keys is still there; of a game that was begun otherwise it is said that it will not count, with another beside."""
    first = scene(Game(seed=5))
    blank.lay(first, bots=EVERYBODY)
    blank.click("[data-bar=settings]")
    blank.one("[data-key=sits-aunt]").focus()
    blank.keyboard.press("Enter")
    seated = {**first, "id": 2, "seats": [first["seats"][0], {**first["seats"][1], "player": "aunt", "is_named": "Aunt Lida"}]}
    blank.show(seated)
    assert blank.page.locator(".dk-opponents .dk-player-choice[aria-pressed=true]").all_inner_texts() == [
        blank.one("[data-key=sits-aunt]").inner_text()
    ]
    assert blank.read()["focus"] == "sits-aunt"
    assert blank.page.locator("[data-key=fresh]").count() == 0
    blank.show({**seated, "id": 3, "last_ply": 4})
    blank.click("[data-key=sits-uncle]")
    blank.show(
        {
            **seated,
            "id": 4,
            "last_ply": 4,
            "ply": 4,
            "seats": [first["seats"][0], {**first["seats"][1], "player": "uncle", "is_named": "Uncle Yasha"}],
        }
    )
    assert blank.one("[data-key=fresh]").is_visible()


def test_of_several_places_one_is_chosen_for(blank):
    """One's own too; and a task leaves the seats as they are."""
    blank.lay(scene(Game("podkidnoy, players=3", seed=5)), bots=EVERYBODY)
    blank.click("[data-bar=settings]")
    assert blank.one(".dk-panel h3").inner_text() == "Who shall play for Player 2?"
    blank.click("[data-key=seat2]")
    assert blank.one(".dk-panel h3").inner_text() == "Who shall play for Player 3?"
    assert blank.read()["focus"] == "seat2"
    blank.click("[data-key=sits-uncle]")
    assert {"kind": "seat_player", "seat": 2, "player": "uncle"}.items() <= blank.take()[-1].items()
    blank.lay({**scene(Game(seed=5)), "task": True}, bots=EVERYBODY)
    blank.click("[data-bar=settings]")
    assert blank.page.locator(".dk-panel .dk-opponents").count() == 0
    assert blank.page.locator(".dk-panel .dk-setting").count() > 5


@pytest.mark.parametrize(("width", "height", "language"), [(330, 700, "ru")])
def test_a_finger_meets_everybody(blank, width, height, language):
    """Each button is at least 44 pixels wide and high, and holds its words within the drawer."""
    before = blank.page.viewport_size
    blank.page.set_viewport_size({"width": max(width, 340), "height": height})
    try:
        blank.lay(scene(Game(seed=5)), bots=EVERYBODY, words=get_front_end_texts(language), language=language)
        blank.widen(width)
        blank.press("g", at="")
        blank.hear(TOLD)
        found = blank.page.evaluate(FITS)
        assert len(found) == len(EVERYBODY) + 3
        assert [one for one in found if one[1] < 44 or one[2] < 44 or not one[3]] == []
    finally:
        blank.page.set_viewport_size(before)


@pytest.mark.parametrize("theme", ["dark"])
def test_axe_finds_nothing_where_opponents_sit(blank, table, lost, theme):
    """On the card at the end, beaten and lost; in the settings, and where another is chosen to sit down; in the drawer that says where it turned, with every decision unfolded."""
    won, found = table[1], review.analyze(lost.game, 0, budget=2000)
    with ground(blank.page, theme):
        for language in ("en",):
            won.language = lost.language = language
            look = {"words": get_front_end_texts(language), "language": language, "theme": theme, "bots": won.get_state()["bots"]}
            blank.lay(won.scene, **look)
            assert axed(blank.page, ".dk") == []
            blank.click("[data-bar=settings]")
            blank.hear(TOLD)
            assert blank.page.locator(".dk-opponent").count() == 6
            assert axed(blank.page, ".dk") == []
            voices = lost._session.get_voices(lost.game.view(0))
            blank.lay({**lost.scene, "review": build_review_view(found, voices)}, **look)
            blank.click("[data-action=turned]")
            blank.hear({"kind": "review", **found.view_model(voices.written)})
            blank.click(".dk-panel summary")
            assert blank.one(".dk-panel .dk-move-entry").is_visible()
            assert blank.one(".dk-result-card .dk-retry-button").is_visible()
            assert axed(blank.page, ".dk") == []
