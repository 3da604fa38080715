"""Test the turning point after a game: one sentence, another try, and nothing during the game or for others."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from durak_widget import Game, Match, Table, bots, review
from durak_widget.i18n import Seat, Translator
from durak_widget.review.decision_evaluation import Effort
from durak_widget.table.analysis_jobs import ReviewJob
from support.loops import run, wait_for_scene, wait_until_idle
from support.spoken import english_text
from support.spy import Spy
from support.tables import record_messages, send_message

ALL_BUT_FIVE = "6c 7c 8c Tc Jc Qc Kc Ac 6d 8d 9d Td Jd Ad 6h 7h 8h 9h Th Jh Qh Kh Ah 6s 7s 8s 9s Ts Js Qs As"  # a player with full memory knows all hands
WON = {"hands": ["Ks 7d", "9c Qd Kd"], "trump": "h", "discard": ALL_BUT_FIVE}
"""Seat 0 leads: the king of spades, which can't be beaten, wins; the seven loses."""


@pytest.fixture(autouse=True)
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Review games in a fraction of the time."""
    for how in ("FAST_ENGINE_EFFORT", "PYTHON_EFFORT"):
        monkeypatch.setattr(f"durak_widget.review.decision_evaluation.{how}", Effort(20_000, 3_000))


def table_at_moment(**more: object) -> Table:
    """Return a table at that moment."""
    return Table(Game.from_position(**WON), {0: "you", 1: "careful", **more.pop("seats", {})}, seed=1, pace=0, **more)


def is_found(scene: dict) -> bool:
    """Return whether the turning point was found."""
    return "review" in scene and scene["review"] != SOON


SOON = {"text": [Translator("en").translate("table.reviewing")] * 2, "turning_points": [], "is_pending": True}


async def lose_game(table: Table) -> dict:
    """Give the game away, and return the scene that says so."""
    table.play("attack 7d")
    await wait_for_scene(table, lambda scene: scene["actor"] == 0)
    table.play("take")
    await wait_for_scene(table, lambda scene: "result" in scene or scene["actor"] == 0)
    if "result" not in table.scene:
        table.play("take")
    await wait_for_scene(table, lambda scene: "result" in scene)
    return await wait_for_scene(table, is_found)


def test_a_lost_win_is_explained_and_can_be_tried_again() -> None:
    """It is written and spoken. The position opens with its goal, a win is reported, and the match continues."""

    async def story() -> None:
        table = table_at_moment()
        sent = record_messages(table)
        scene = await lose_game(table)
        match = table.match
        written, spoken = scene["review"]["text"]
        for text, mistake, better in ((written, "7♦︎", "attack with K♠︎"), (spoken, "the 7 of diamonds", "attack with the king of spades")):
            voice = Translator("en", own_seat=0)
            assert text.startswith(voice.translate("review.had.won", bout=2, who=Seat(0)))
            assert mistake in text
            assert f"Better: {better}." in text
            assert text.endswith(voice.translate("table.tomorrow"))
        assert (scene["review"]["retry_ply"], scene["review"]["turning_points"], sent) == (
            0,
            [0],
            [{"kind": "announcement", "text": spoken}],
        )
        sent.clear()
        scene = send_message(table, "retry_decision", to_ply=0)
        goal = Translator("en").translate("table.trial.out", bout=2)
        assert (scene["commentary"], "note" in scene) == ([goal], False), "written once"
        assert sent == [{"kind": "announcement", "text": goal}]
        assert (scene["hand"], scene["ply"], table.players) == (["7d", "Ks"], 0, ("you", "careful"))
        assert "review" not in scene
        table.play("attack Ks")
        await wait_for_scene(table, lambda scene: scene["actor"] == 0)
        if "pass" in table.scene["legal"]:
            table.play("pass")
        table.play("attack 7d")
        scene = await wait_for_scene(table, lambda scene: "result" in scene)
        assert scene["result"]["won"] is True
        assert scene["review"] == {"text": [Translator("en").translate("table.trial.done")] * 2}
        assert [row[1:4] for row in scene["result"]["score"]] == [[0, 0, 1], [1, 0, 0]]
        scene = send_message(table, "next_game")
        assert table.match is match
        assert (scene["ply"], scene["talon"], len(match.games)) == (0, 24, 2)
        assert "review" not in scene

    run(story)


def test_the_end_card_says_that_the_search_is_running() -> None:
    """Nothing moves later. In a script without a loop there is no note."""

    async def story() -> None:
        table, scenes = table_at_moment(), []
        table.observe(lambda change: scenes.append(change["new"]), "scene")
        await lose_game(table)
        ends = [scene["review"] for scene in scenes if "result" in scene]
        assert ends[0] == SOON
        assert is_found({"review": ends[-1]})

    run(story)
    table = Table(bots.play(Game(seed=7), ["careful", "first"], 1))
    table.refresh()
    assert "review" not in table.scene


def test_a_failed_search_is_reported_once(monkeypatch) -> None:
    """It is not repeated, and Python has the error."""

    def fails(_game: Game, settings: object) -> None:
        raise ZeroDivisionError("a card")

    monkeypatch.setattr("durak_widget.review.analyze_in_steps", fails)

    async def story() -> None:
        table = Table(bots.play(Game(seed=7), ["careful", "first"], 1), {0: "you"}, pace=0)
        table._session.start_jobs()
        scene = await wait_for_scene(table, lambda scene: "note" in scene)
        assert "ZeroDivisionError" in scene["note"]["text"][0]
        assert "a card" not in str(scene)
        assert type(table.failures["review"]) is ZeroDivisionError
        table._session.start_jobs()
        await check_no_review(table)

    run(story)


def test_a_missed_second_try_can_be_repeated() -> None:
    """It can be repeated often, and *New game* ends it."""

    async def story() -> None:
        table = table_at_moment()
        await lose_game(table)
        send_message(table, "retry_decision", to_ply=0)
        scene = await lose_game(table)
        assert scene["review"] == {"text": [Translator("en").translate("table.trial.missed")] * 2, "retry_ply": 0}
        scene = send_message(table, "retry_decision", to_ply=0)
        assert (scene["ply"], bool(scene["commentary"]), "review" in scene) == (0, True, False)
        scene = send_message(table, "new_game")
        assert (scene["talon"], len(table.match.games)) == (24, 2)

    run(story)


def test_a_second_try_does_not_count(tmp_path) -> None:
    """No file is written."""

    async def story() -> None:
        table = table_at_moment(keep=str(tmp_path))
        await lose_game(table)
        files = sorted(tmp_path.iterdir())
        assert len(files) == 1
        send_message(table, "retry_decision", to_ply=0)
        await lose_game(table)
        assert sorted(tmp_path.iterdir()) == files

    run(story)


def test_the_whole_review_is_shown_on_request() -> None:
    """It has the chart, the worst move with its refutation, luck and skill, and all decisions, when looking back too."""

    async def story() -> None:
        table = table_at_moment()
        sent = record_messages(table)
        scene = await lose_game(table)
        send_message(table, "goto", to_ply=0)
        assert table.scene["review"] == scene["review"]
        send_message(table, "review")
        message = sent[-1]
        found = review.analyze(table.game, 0)
        assert message["kind"] == "review"
        assert scene["review"]["text"][0].startswith(f"{message['text']} Better: attack with K♠︎.")
        worst = message["worst"][0]
        assert f"{worst['text']} {worst['explanation']}" == found.turning_points[0].to_text(cards="signs", me=0)
        assert "Better: attack with K♠" in message["worst"][0]["text"]
        assert message["worst"][0]["is_own"] is True
        assert message["turning_points"] == [[0, message["text"]]]
        assert [point[:2] for point in message["chart"]["points"]] == [[chance.ply, chance.bout] for chance in found.chances]
        assert sum(len(rows) for _, rows in message["decisions"]) == len(found.decisions)
        luck = found.luck[0]
        assert [bar[1] for bar in message["luck"]["bars"]] == [
            pytest.approx(100 * (luck.deal + luck.drawn)),
            pytest.approx(100 * (luck.own + luck.others)),
        ]

    run(story)


def test_an_opponents_mistake_is_described_without_another_try() -> None:
    """It was another's decision."""

    async def story() -> None:
        table = Table(Game.from_position(**WON), {0: "first", 1: "you"}, seed=1, pace=0)
        for move in ("attack 7d", "beat 7d Qd", "attack 9c", "take", "attack Kd", "take"):
            table.play(move)
        scene = await wait_for_scene(table, is_found)
        gift = Translator("en", own_seat=1).translate("review.gift", bout=2, who=Seat(0), whom=Seat(1))
        assert scene["review"]["text"][0] == english_text("past.attack", who=f"{gift} Player 1", cards="7♦︎")
        assert "retry_ply" not in scene["review"]
        scene = send_message(table, "retry_decision", to_ply=0)
        assert (scene["note"]["text"][0], scene["game"]) == (english_text("table.stale"), 1)

    run(story)


async def check_no_review(table: Table) -> None:
    """Check that nothing is found, searched or shown."""
    for _ in range(20):
        await asyncio.sleep(0.01)
        await wait_until_idle()
    assert "review" not in table.scene
    assert table._session.get_review() is None
    sent = record_messages(table)
    send_message(table, "review")
    assert sent == []


def test_nothing_is_shown_during_a_game() -> None:
    """It stops when the last moves are undone and played differently."""

    async def story() -> None:
        table = table_at_moment()
        table.play("attack 7d")
        await check_no_review(table)
        await lost_from_here(table)
        scene = send_message(table, "undo")
        assert scene["taken_back"] is True
        await check_no_review(table)
        assert send_message(table, "retry_decision", to_ply=0)["note"]["text"][0] == english_text("table.stale")

    async def lost_from_here(table: Table) -> None:
        table.play("take")
        await wait_for_scene(table, lambda scene: "result" in scene or scene["actor"] == 0)
        if "result" not in table.scene:
            table.play("take")
        await wait_for_scene(table, is_found)

    run(story)


def test_viewers_and_exercises_get_no_turning_point() -> None:
    """Bots alone are not judged, and exercises judge themselves."""

    class Task:
        is_single_move, is_decided = False, False

        def restart(self) -> None: ...

        def hint(self) -> None: ...

        def verdict(self, _) -> None: ...

    async def story() -> None:
        await check_no_review(Table(bots.play(Game(seed=7), ["careful", "first"], 1), {0: "careful", 1: "first"}, pace=0))
        table = Table(bots.play(Game(seed=7), ["careful", "first"], 1), pace=0)
        table.task = Task()
        await check_no_review(table)

    run(story)


def test_each_person_gets_their_own_turning_point() -> None:
    """Several people each read about their moves after confirming that they are there."""

    async def story() -> None:
        game = Game.from_position(**WON)
        for move in ("attack 7d", "beat 7d Qd", "attack 9c", "take", "attack Kd", "take"):
            game.play(move)
        table = Table(game, {0: "you", 1: "you"}, seed=1)
        table.refresh()
        assert table._session.find_viewing_person() is None
        table.seat = 1
        table._session.update()
        scene = await wait_for_scene(table, is_found)
        assert scene["review"]["text"][0].startswith(
            Translator("en", own_seat=1).translate("review.gift", bout=2, who=Seat(0), whom=Seat(1))
        )
        table.seat = 0
        assert table.scene["review"]["text"][0].startswith(Translator("en", own_seat=0).translate("review.had.won", bout=2, who=Seat(0)))

    run(story)


def test_the_turning_point_is_dropped_with_the_next_game() -> None:
    """Nothing of the old game is shown."""

    async def story() -> None:
        table = Table(bots.play(Game(seed=7), ["careful", "first"], 1), {0: "you"}, pace=60_000)
        sent = record_messages(table)
        table.refresh()
        table._session.start_jobs()
        await wait_until_idle()
        send_message(table, "next_game")
        await check_no_review(table)
        assert sent == []

    run(story)


def test_the_search_runs_in_slices() -> None:
    """Messages are answered in between, and results are kept."""
    works, found = [], []
    turned = ReviewJob(lambda work, heard: works.append((work, heard)), lambda: found.append(True))
    game = bots.play(Game(seed=7), ["careful", "first"], 1)
    turned.request(1, game)
    turned.request(1, game)
    assert len(works) == 1
    while not found:
        work, heard = works[-1]
        heard(work())
    assert len(works) > 1
    assert turned.get_review(1, 0).sentence() == review.analyze(game, 0).sentence()
    turned.request(None, None)
    assert turned.get_review(1, 0) is None
    turned.request(2, game)
    work, heard = works[-1]
    turned.request(None, None)
    count = len(works)
    heard(work())  # the result is not needed any more
    assert (len(works), len(found)) == (count, 1)


def test_opponents_are_called_by_their_names() -> None:
    """All texts of the review use them."""

    async def story() -> None:
        table = Table(Game.from_position(**WON), {0: "aunt", 1: "you"}, seed=1, pace=0)
        sent = record_messages(table)
        for move in ("attack 7d", "beat 7d Qd", "attack 9c", "take", "attack Kd", "take"):
            table.play(move)
        scene = await wait_for_scene(table, is_found)
        assert "unt" in scene["review"]["text"][0]
        send_message(table, "review")
        assert "Player 1" not in str(sent[-1]["worst"])

    run(story)


def test_the_turning_point_reveals_no_hidden_cards() -> None:
    """Before the end only seen cards appear, also when the deal is played again."""

    async def story() -> None:
        table = Table(Game(seed=7), {0: "you", 1: "careful"}, pace=0, seed=1)
        spy = Spy(table)
        table.observe(lambda _: "result" in table.scene or spy.scene(), "scene")
        while table.game.outcome is None:
            if table.game.actor == 0:
                table.play(table.game.legal_moves()[-1])
            else:
                table.step()
        scene = await wait_for_scene(table, is_found)
        assert spy.leaks == []
        read = spy.read
        scene = send_message(table, "retry_decision", to_ply=scene["review"]["retry_ply"])
        assert scene["talon"] > 0
        assert spy.read > read
        for _ in range(4):
            if table.game.actor == 0:
                table.play(table.game.legal_moves()[0])
            else:
                table.step()
        assert spy.leaks == []

    run(story)


@pytest.mark.slow
def test_undo_stops_at_the_start_of_a_second_try() -> None:
    """It says that there is nothing more; looking back still works."""

    async def story() -> None:
        table = Table(Game(seed=7), {0: "you", 1: "careful"}, pace=0, seed=1)
        while table.game.outcome is None:
            if table.game.actor == 0:
                table.play(table.game.legal_moves()[-1])
            else:
                table.step()
        first = (await wait_for_scene(table, is_found))["review"]["retry_ply"]
        scene = send_message(table, "retry_decision", to_ply=first)
        assert 0 < scene["ply"] == first
        assert send_message(table, "undo")["note"]["text"][0] == english_text("screen.no_undo")
        table.play(table.game.legal_moves()[0])
        await wait_for_scene(table, lambda scene: scene["actor"] == 0 or "result" in scene)
        scene = send_message(table, "undo")
        assert (scene["ply"], "undo" in scene["can"]) == (first, False)
        assert send_message(table, "goto", to_ply=0)["ply"] == 0
        assert send_message(table, "drop_undone_moves")["ply"] == first, "no other game is made of it"

    run(story)


def test_the_match_continues_from_any_moment_looked_at() -> None:
    """An earlier moment may have been shown when the try started."""

    async def story() -> None:
        table = table_at_moment()
        await lose_game(table)
        send_message(table, "goto", to_ply=1)
        send_message(table, "retry_decision", to_ply=0)
        scene = send_message(table, "next_game")
        assert scene["talon"] == 24
        assert isinstance(table.match, Match)

    run(story)


def test_an_unfinished_game_loads_no_review() -> None:
    """The table alone does not import it."""
    code = "import sys; from durak_widget import Table; table = Table(seed=7); table.play('attack Jc'); sys.exit('durak_widget.review' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
