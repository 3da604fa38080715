"""Test opponents at the table: faces, remarks, and the button for the next opponent."""

from __future__ import annotations

from random import Random

import pytest
from rendered_table import find_axe_violations, page_theme, scene

from durak_widget import Game, Table, bots, review
from durak_widget.i18n import get_front_end_texts
from durak_widget.table.analysis_jobs import build_review_view
from support.spoken import english_text

pytestmark = pytest.mark.slow

GONE = "6c 7c 8c Tc Jc Qc Kc Ac 6d 8d 9d Td Jd Ad 6h 7h 8h 9h Th Jh Qh Kh Ah 6s 7s 8s 9s Ts Js Qs As"
LOST = Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h", discard=GONE)
"""The king of spades wins because it has to be taken. The seven loses."""


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory):
    """Start with no opponent beaten."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DURAK_WIDGET_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(scope="module")
def table(home):
    """Return a table at which the nephew was beaten, and the first scene against him."""
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
    """Return the first scene against the nephew and the last one of the second won game."""
    return table[0], dict(table[1].scene)


@pytest.fixture(scope="module")
def lost(home):
    """Return a game lost to the uncle."""
    table = Table(LOST.copy(), seats={1: "uncle"})
    table.play("attack 7d")
    while table.game.outcome is None:
        if not table.step():
            table.play("take")
    return table


def test_an_opponent_has_a_name_and_a_face(table_page, beaten):
    """At the plate and in its label. Other bots have neither."""
    first, _ = beaten
    table_page.mount(first, words=get_front_end_texts("en"))
    seat = table_page.read()["seats"][0]
    assert (seat["shown"], seat["name"].startswith("Tim, 6 cards")) == ("Tim", True)
    assert table_page.page.locator(".dk-plate .dk-portrait svg path").count() > 3
    assert table_page.page.locator(".dk-portrait").get_attribute("title") == get_front_end_texts("en")["people.nephew.is"]
    other = {**first, "id": first["id"] + 1, "seats": [first["seats"][0], {"cards": 6, "role": "attacks", "player": "careful"}]}
    table_page.show(other)
    assert table_page.read()["seats"][0]["shown"] == "Player 2"
    assert table_page.page.locator(".dk-portrait").count() == 0


def test_a_beaten_opponent_speaks_and_the_next_is_one_click_away(table_page, beaten):
    """The first button of the end card, also by keys."""
    _, last = beaten
    table_page.mount(last, words=get_front_end_texts("en"))
    table_page.page.wait_for_selector(".dk-opponent-face")
    painted = table_page.read()
    assert "Tim" in painted["over"]["verdict"]
    quotes = table_page.page.locator(".dk-result-card .dk-opponent-remark")
    assert [quotes.nth(i).get_attribute("data-opponent") for i in range(2)] == ["nephew", "uncle"]
    for i, (_, name, text) in enumerate(last["result"]["quotes"]):
        assert quotes.nth(i).inner_text().split() == f"{name}: {text}".split()
    beaten_face, next_face = (box.bounding_box() for box in table_page.page.locator(".dk-opponent-face").all())
    assert next_face["width"] > beaten_face["width"] > 60
    assert beaten_face["x"] < next_face["x"]
    size = "one => parseFloat(getComputedStyle(one).fontSize)"
    verdict = table_page.locate(".dk-verdict").evaluate(size)
    assert verdict > max(line.evaluate(size) for line in table_page.page.locator(".dk-felt p:not(.dk-verdict)").all())
    assert painted["actions"][:2] == [
        ["meet", english_text("screen.meet", who="Uncle Yasha")],
        ["next", english_text("screen.meet", who="Tim")],
    ]
    table_page.click("[data-action=meet]")
    assert {"kind": "play_opponent", "player": "uncle"}.items() <= table_page.drain()[-1].items()


def test_after_the_last_opponent_all_beaten_ones_are_shown(table_page, beaten):
    """Grandmother is the largest, the others stand below her, and nobody follows."""
    _, last = beaten
    everybody = [person.key for person in bots.people()]
    over = {name: fact for name, fact in last["result"].items() if name != "next_opponent"}
    over["quotes"] = [["grandmother", "Grandmother", "“Well.”"]]
    over["beaten"] = {"opponent": "grandmother", "text": ["You beat Grandmother!"] * 2, "all_beaten": everybody}
    table_page.mount({**last, "result": over}, words=get_front_end_texts("en"))
    table_page.page.wait_for_selector(".dk-all-beaten")
    widths = [face.bounding_box()["width"] for face in table_page.page.locator(".dk-opponent-face").all()]
    assert len(widths) == len(everybody)
    assert widths[0] > 2 * max(widths[1:])
    assert table_page.read()["actions"][0][0] == "next"
    table_page.show({**last, "id": last["id"] + 1, "result": over, "review": {"text": ["", ""], "turning_points": []}})
    assert table_page.page.locator(".dk-opponent-face").count() == len(everybody), "each once"


def test_a_beaten_opponent_is_celebrated_for_half_a_second(table_page, beaten):
    """The two faces move, the button is there at once, and without motion nothing moves."""
    _, last = beaten
    before = {
        **{name: fact for name, fact in last.items() if name != "result"},
        "id": 1,
        "ply": last["ply"] - 1,
        "last_ply": last["ply"] - 1,
    }
    moving = "document.getAnimations().filter(({ effect }) => effect.target.matches('.dk-opponent-face')).map(({ effect }) => effect.getComputedTiming().endTime)"
    for motion in (True, False):
        table_page.mount(before, words=get_front_end_texts("en"), motion=motion)
        table_page.page.wait_for_selector(".dk-portrait")
        table_page.locate("").focus()
        table_page.show(last)
        assert table_page.read()["focus"] == "meet"
        times = table_page.page.evaluate(moving)
        assert (len(times) == 2 and max(times) <= 600) if motion else times == []


def test_the_table_keeps_its_height_at_the_end(table_page, beaten):
    """Nothing below the felt moves, although the own hand is empty."""
    _, last = beaten
    before = {
        **{name: fact for name, fact in last.items() if name != "result"},
        "id": 1,
        "ply": last["ply"] - 1,
        "last_ply": last["ply"] - 1,
    }
    table_page.mount({**before, "hand": ["6c", "7c"]}, words=get_front_end_texts("en"))
    table_page.page.wait_for_selector(".dk-portrait")
    table_page.wait_for_frames()
    height = table_page.locate(".dk-felt").bounding_box()["height"]
    table_page.show(last)
    table_page.page.wait_for_selector(".dk-opponent-face")
    table_page.wait_for_frames()
    assert table_page.locate(".dk-felt").bounding_box()["height"] == height


APART = """() => {
  const boxes = ['.dk-open-hand', '.dk-plate', '.dk-result-card', '.dk-discard .dk-pile', '.dk-trump .dk-suit', '.dk-table-header .dk-match-score'].map((one) => document.querySelector(`.dk ${one}`).getBoundingClientRect());
  const felt = document.querySelector('.dk-felt').getBoundingClientRect(), [hand, ...others] = boxes;
  return [others.every((one) => one.right <= hand.left || hand.right <= one.left || one.bottom <= hand.top || hand.bottom <= one.top),
    felt.left <= hand.left && hand.right <= felt.right];
}"""


@pytest.mark.parametrize("width", [830, pytest.param(360, marks=pytest.mark.slow)])
def test_an_open_hand_does_not_move_the_end_card(table_page, beaten, width):
    """It is beside the plate, or between trump and discard pile, and covers nothing."""
    _, last = beaten
    closed = {**last, "seats": [{name: fact for name, fact in seat.items() if name != "hand"} for seat in last["seats"]]}
    tops = []
    for table_scene in (closed, {**last, "id": last["id"] + 1}):
        table_page.mount(table_scene, words=get_front_end_texts("en"))
        table_page.set_width(width)
        table_page.page.wait_for_function("document.querySelector('.dk-portrait')")
        table_page.wait_for_frames()
        tops.append(table_page.locate(".dk-result-card").bounding_box()["y"])
    assert tops[0] == tops[1]
    assert table_page.page.locator(".dk-open-hand .dk-card").count() == 8
    assert table_page.page.evaluate(APART) == [True, True]


TOLD = {"kind": "opponents", "beaten": ["nephew"], "next_opponent": "uncle"}
EVERYBODY = [*(person.key for person in bots.people()), *bots.names()]
FITS = """() => {
  const panel = document.querySelector('.dk-panel'), width = panel.clientWidth;
  return [...panel.querySelectorAll('.dk-opponents button')].map((one) => [one.textContent, one.offsetWidth, one.offsetHeight, one.scrollWidth <= one.clientWidth + 1 && one.offsetLeft + one.offsetWidth <= width]);
}"""


def test_opponents_come_first_in_the_settings(table_page):
    """By strength, with face, character and state. Bots follow. No opponent is locked."""
    table_page.mount(scene(Game(seed=5)), bots=EVERYBODY)
    table_page.choose("settings")
    assert [message for message in table_page.drain() if message["kind"] == "opponents"]
    table_page.receive(TOLD)
    panel = table_page.page.locator(".dk-panel")
    assert panel.locator("h3").all_inner_texts()[:3] == [english_text("screen.play_with"), "Bots", english_text("screen.seats")]
    assert panel.locator("button, select, input").nth(1).get_attribute("data-key") == "sits-nephew"
    assert panel.locator(".dk-opponent b").all_inner_texts() == [person.name() for person in bots.people()]
    assert panel.locator(".dk-opponent .dk-small").all_inner_texts() == [person.character() for person in bots.people()]
    assert panel.locator(".dk-opponent i").all_inner_texts() == ["beaten", "next", "later", "later", "later", "later"]
    for beaten, following, sentence in (
        ("uncle", EVERYBODY[2], ["", "beaten", "next", "later", "later", "later"]),
        ("grandmother", None, [""] * 5 + ["beaten"]),
    ):
        table_page.receive({**TOLD, "beaten": [beaten], "next_opponent": following})
        assert panel.locator(".dk-opponent i").all_inner_texts() == sentence  # skipped opponents have no remark
    assert panel.locator(".dk-opponent svg:has(path)").count() == 6
    assert panel.locator(".dk-button-row .dk-player-choice").all_inner_texts() == EVERYBODY[len(bots.people()) :]
    assert panel.locator(".dk-opponents :disabled").count() == 0
    table_page.locate("[data-key=sits-grandmother]").focus()
    table_page.keyboard.press("Enter")
    assert {"kind": "seat_player", "seat": 1, "player": "grandmother"}.items() <= table_page.drain()[-1].items()


def test_the_seated_opponent_is_marked_and_the_focus_stays(table_page):
    """If the running game does not count, the panel says so and offers a new one."""
    first = scene(Game(seed=5))
    table_page.mount(first, bots=EVERYBODY)
    table_page.choose("settings")
    table_page.locate("[data-key=sits-aunt]").focus()
    table_page.keyboard.press("Enter")
    seated = {**first, "id": 2, "seats": [first["seats"][0], {**first["seats"][1], "player": "aunt", "is_named": "Aunt Lida"}]}
    table_page.show(seated)
    assert table_page.page.locator(".dk-opponents .dk-player-choice[aria-pressed=true]").all_inner_texts() == [
        table_page.locate("[data-key=sits-aunt]").inner_text()
    ]
    assert table_page.read()["focus"] == "sits-aunt"
    assert table_page.page.locator("[data-key=fresh]").count() == 0
    table_page.show({**seated, "id": 3, "last_ply": 4})
    table_page.click("[data-key=sits-uncle]")
    table_page.show(
        {
            **seated,
            "id": 4,
            "last_ply": 4,
            "ply": 4,
            "seats": [first["seats"][0], {**first["seats"][1], "player": "uncle", "is_named": "Uncle Yasha"}],
        }
    )
    assert table_page.locate("[data-key=fresh]").is_visible()


def test_opponents_are_chosen_per_seat(table_page):
    """The own seat too. A task keeps its seats."""
    table_page.mount(scene(Game("podkidnoy, players=3", seed=5)), bots=EVERYBODY)
    table_page.choose("settings")
    assert table_page.locate(".dk-panel h3").inner_text() == english_text("screen.who_plays", player="Player 2")
    table_page.click("[data-key=seat2]")
    assert table_page.locate(".dk-panel h3").inner_text() == english_text("screen.who_plays", player="Player 3")
    assert table_page.read()["focus"] == "seat2"
    table_page.click("[data-key=sits-uncle]")
    assert {"kind": "seat_player", "seat": 2, "player": "uncle"}.items() <= table_page.drain()[-1].items()
    table_page.mount({**scene(Game(seed=5)), "task": True}, bots=EVERYBODY)
    table_page.choose("settings")
    assert table_page.page.locator(".dk-panel .dk-opponents").count() == 0
    assert table_page.page.locator(".dk-panel .dk-setting").count() > 5


@pytest.mark.parametrize(("width", "height", "language"), [(330, 700, "ru")])
def test_opponent_buttons_are_large_enough_for_touch(table_page, width, height, language):
    """At least 44 pixels, with their text inside the panel."""
    before = table_page.page.viewport_size
    table_page.page.set_viewport_size({"width": max(width, 340), "height": height})
    try:
        table_page.mount(scene(Game(seed=5)), bots=EVERYBODY, words=get_front_end_texts(language), language=language)
        table_page.set_width(width)
        table_page.press("g", at="")
        table_page.receive(TOLD)
        found = table_page.page.evaluate(FITS)
        assert len(found) == len(EVERYBODY) + 3
        assert [button for button in found if button[1] < 44 or button[2] < 44 or not button[3]] == []
    finally:
        table_page.page.set_viewport_size(before)


@pytest.mark.parametrize("theme", ["dark"])
def test_axe_finds_no_violation_with_opponents(table_page, table, lost, theme):
    """On the end card, in the settings and in the review."""
    won, found = table[1], review.analyze(lost.game, 0, budget=2000)
    with page_theme(table_page.page, theme):
        for language in ("en",):
            won.language = lost.language = language
            look = {"words": get_front_end_texts(language), "language": language, "theme": theme, "bots": won.get_state()["bots"]}
            table_page.mount(won.scene, **look)
            assert find_axe_violations(table_page.page, ".dk") == []
            table_page.choose("settings")
            table_page.receive(TOLD)
            assert table_page.page.locator(".dk-opponent").count() == 6
            assert find_axe_violations(table_page.page, ".dk") == []
            voices = lost._session.get_voices(lost.game.view(0))
            table_page.mount({**lost.scene, "review": build_review_view(found, voices)}, **look)
            table_page.click("[data-action=turned]")
            table_page.receive({"kind": "review", **found.view_model(voices.written)})
            table_page.click(".dk-panel [data-key=more]")
            table_page.click(".dk-panel [data-key=decisions]")
            assert table_page.locate(".dk-panel .dk-move-entry").is_visible()
            table_page.click(".dk-score summary")
            assert table_page.locate(".dk-score-table").is_visible()
            assert find_axe_violations(table_page.page, ".dk") == []
