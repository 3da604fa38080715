"""Test background jobs of a table besides bots' moves: hints, and evaluations as an example."""

from __future__ import annotations

import asyncio
import threading

import pytest

from durak_widget import DurakError, Table
from durak_widget.analysis import worlds
from durak_widget.i18n import Translator
from support.loops import Slow, run, wait_for_scene, wait_until, wait_until_idle
from support.spoken import english, english_text
from support.tables import make_move, send_message


def failing_bot(view, rng):
    """Raise an error."""
    raise ValueError("out of ideas")


# Hints


class Adviser:
    """An adviser whose hints are slow or wrong."""

    def __init__(self, choose) -> None:
        self.implementation = self.choose = choose


def test_a_hint_is_computed_in_the_background() -> None:
    """The table answers meanwhile; the hint comes with its own scene, once."""

    async def story() -> None:
        slow = Slow()
        table = Table(seed=7)
        table._session.adviser = slow
        slow.implementation = slow
        before = table.scene["id"]
        send_message(table, "hint")
        await slow.thinks()
        send_message(table, "hint")
        assert make_move(table, "take")["note"]["kind"] == "refused"
        slow.may.set()
        scene = await wait_for_scene(table, lambda scene: scene.get("note", {}).get("kind") == "hint")
        assert (scene["note"].get("card"), scene["id"], len(slow.threads)) == (None, before + 2, 1)
        assert (send_message(table, "hint")["note"]["card"], len(slow.threads)) == ("Jc", 1)

    run(story)


def test_a_hint_for_a_past_moment_is_dropped() -> None:
    """Somebody has moved on, so it would be wrong."""

    async def story() -> None:
        slow = Slow()
        slow.implementation = slow
        table = Table(seats={0: "you", 1: "you"}, seed=7)
        table._session.adviser = slow
        send_message(table, "uncover_hand")
        send_message(table, "hint")
        await slow.thinks()
        scene = make_move(table, "attack Jc")
        await slow.answers()
        assert table.scene["id"] == scene["id"]

    run(story)


def test_a_hint_for_another_game_of_equal_length_is_dropped() -> None:
    """A move was undone and another made."""

    async def story() -> None:
        slow = Slow()
        slow.implementation = slow
        table = Table(seats={0: "you", 1: "you"}, seed=7)
        table._session.adviser = slow
        send_message(table, "uncover_hand")
        make_move(table, "attack Jc")
        send_message(table, "uncover_hand")
        send_message(table, "hint")
        await slow.thinks()
        table.game.undo()
        table.game.play("attack 9d")
        table.refresh()
        scene = table.scene
        await slow.answers()
        assert table.scene["id"] == scene["id"]
        send_message(table, "uncover_hand")
        send_message(table, "hint")
        await wait_for_scene(table, lambda scene: scene.get("note", {}).get("kind") == "hint")
        assert (send_message(table, "hint")["note"].get("target", "9d"), len(slow.threads)) == ("9d", 2)

    run(story)


def test_a_bot_thinking_about_another_game_is_asked_again() -> None:
    """The game was changed by hand; the old move is dropped, and the bot has not failed."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={0: "you", 1: slow}, seed=7, pace=0)
        table.play("attack Jc")
        await slow.thinks()
        table.game.undo()
        table.game.play("attack 9d")
        table.refresh()
        slow.may.set()
        await wait_for_scene(table, lambda scene: scene["ply"] > 1)
        assert (table.failures, str(table.game.moves[0]), len(slow.threads)) == ({}, "attack 9d", 2)

    run(story)


def test_a_callback_that_exits_does_not_end_the_kernel() -> None:
    """It is reported as a failure, whoever made the move."""
    table = Table(seats={0: "you", 1: "first"}, seed=7)

    def leave(played):
        raise SystemExit("bye")

    table.on_move(leave)
    table.play("attack Jc")
    assert table.step()
    assert str(table.failures["on_move"]) == "it ended with SystemExit"
    send_message(table, "undo")
    assert table.scene["ply"] == 0


@pytest.mark.parametrize("language", ["ru", "lt"])
def test_a_failed_job_is_named_in_the_language_of_the_table(language: str) -> None:
    """The internal English name appears only in the Python code."""
    table = Table(seed=7, language=language)
    table._session.adviser = Adviser(failing_bot)
    send_message(table, "hint")
    text = table.scene["note"]["text"][0]
    assert Translator(language).translate("table.job.hint").casefold() in text.casefold()
    assert "hint" not in text.replace("table.failures['hint']", "")


def test_error_texts_of_jobs_do_not_reach_the_page() -> None:
    """They may name hidden cards, also in errors of this package."""
    table = Table(seats={0: "you", 1: "first"}, seed=7)
    table.play("attack Jc")
    table._session.start_viewer_job("advice", lambda: table.game.copy().play("beat Jc 6h"), print)
    assert "IllegalMove" in table.scene["note"]["text"][0]
    assert not english("refusal.not_in_hand").search(str(table.scene["note"]))


def test_the_name_of_the_bots_job_is_reserved() -> None:
    """Another job under it would take the bot's turn."""
    table = Table(seed=7)
    with pytest.raises(DurakError, match=r"'bot'.*job of the bots"):
        table._session.start_viewer_job("bot", int, print)


def test_an_interrupt_stops_a_hint() -> None:
    """In a script the hint is computed at once."""

    def stop(view, rng):
        raise KeyboardInterrupt

    table = Table(seed=7)
    table._session.adviser = Adviser(stop)
    with pytest.raises(KeyboardInterrupt):
        send_message(table, "hint")


@pytest.mark.parametrize("loop", [True, False], ids=["in a notebook", "in a script"])
def test_a_failed_hint_does_not_stop_the_table(loop: bool) -> None:  # noqa: FBT001 - a table of cases
    """The error's class is shown, and the next message is answered."""

    async def story() -> None:
        table = Table(seed=7)
        table._session.adviser = Adviser(failing_bot)
        send_message(table, "hint")
        if loop:
            await wait_for_scene(table, lambda scene: "note" in scene)
        assert table.scene["note"]["text"][0] == english_text(
            "table.job_failed", what=english_text("table.job.hint"), why="ValueError", where="table.failures['hint']"
        )
        assert str(table.failures["hint"]) == "out of ideas"
        assert make_move(table, "attack Jc")["ply"] == 1

    if loop:
        run(story)
    else:
        with pytest.raises(StopIteration):
            story().send(None)


def test_a_hanging_hint_does_not_stop_the_table(short_delay) -> None:
    """A note appears once, and later hints wait for it."""

    async def story() -> None:
        slow = Slow()
        slow.implementation = slow
        table = Table(seats={1: "first"}, seed=7, pace=0)
        table._session.adviser = slow
        send_message(table, "hint")
        scene = await wait_for_scene(table, lambda scene: "note" in scene)
        assert scene["note"]["text"][0] == english_text("table.job_late", what=english_text("table.job.hint"), seconds="0")
        make_move(table, "attack Jc")
        await wait_for_scene(table, lambda scene: scene["ply"] == 2)
        while table.game.actor != 0:
            await wait_for_scene(table, lambda scene: scene["actor"] == 0)
        send_message(table, "hint")
        await wait_until_idle()
        assert len(slow.threads) == 1
        slow.may.set()
        await wait_for_scene(table, lambda scene: scene.get("note", {}).get("kind") == "hint")
        assert len(slow.threads) == 2

    run(story)


# Another job: an evaluation


def evaluate_view(table: Table, judge) -> list[float]:
    """Return the result of an evaluation of the view, as a table would show it."""
    heard: list[float] = []
    view = table._session.build_view()
    table._session.start_viewer_job("worth", lambda: judge(view), heard.append)
    return heard


def test_an_evaluation_delivers_its_result() -> None:
    """It runs off the loop, the result arrives on it."""

    async def story() -> None:
        where = []
        table = Table(seed=7)
        heard = evaluate_view(table, lambda view: where.append(threading.current_thread()) or len(view.hand) / 12)
        table.refresh()
        await wait_until(lambda: heard)
        assert (heard, where[0] is threading.main_thread()) == ([0.5], False)

    run(story)


def test_an_evaluation_that_raises_does_not_stop_the_table() -> None:
    """Its callback may raise too. The next one works."""

    async def story() -> None:
        table = Table(seed=7)
        heard = evaluate_view(table, lambda _: 1 / 0)
        await wait_for_scene(table, lambda scene: "note" in scene)
        assert (heard, type(table.failures["worth"])) == ([], ZeroDivisionError)
        table._session.start_viewer_job("worth", lambda: 1, lambda _: [].pop())
        await wait_until(lambda: isinstance(table.failures["worth"], IndexError))
        assert make_move(table, "attack Jc")["ply"] == 1
        heard = evaluate_view(table, lambda view: view.ply)
        await wait_until(lambda: heard)
        assert heard == [1]

    run(story)


def test_a_hanging_evaluation_does_not_stop_the_table(short_delay) -> None:
    """A note appears, and its late result is dropped."""

    async def story() -> None:
        may = threading.Event()
        table = Table(seats={1: "first"}, seed=7, pace=0)
        heard = evaluate_view(table, lambda _: may.wait(15))
        await wait_for_scene(table, lambda scene: english("table.job_late").search(scene.get("note", {"text": [""]})["text"][0]))
        make_move(table, "attack Jc")
        await wait_for_scene(table, lambda scene: scene["ply"] == 2)
        may.set()
        await wait_until(lambda: not any(thread.name == "durak worth" for thread in threading.enumerate()))
        await wait_until_idle()
        assert heard == []

    run(story)


def test_an_evaluation_is_dropped_when_the_table_is_closed() -> None:
    """No callback runs, and no task is left."""

    async def story() -> None:
        idle, may = asyncio.all_tasks(), threading.Event()
        table = Table(seed=7)
        heard = evaluate_view(table, lambda _: may.wait(15))
        await wait_until_idle()
        table.close()
        await wait_until_idle()
        assert asyncio.all_tasks() == idle
        may.set()
        await wait_until(lambda: not any(thread.name == "durak worth" for thread in threading.enumerate()))
        await wait_until_idle()
        assert heard == []

    run(story)


# Findings about each moment


def test_findings_about_a_moment_come_with_its_scene() -> None:
    """They are computed at every moment by the last finder of that name, until the page is closed."""

    async def story() -> None:
        table = Table(seats={1: "first"}, seed=7, pace=0)
        table._session.set_finder("worth", lambda view: [view.ply / 10])
        table._session.set_finder("cards", lambda view: [len(view.hand)])
        assert (await wait_for_scene(table, lambda scene: len(scene.get("analysis", {})) == 2))["analysis"] == {"worth": [0], "cards": [6]}
        assert not make_move(table, "attack Jc").get("analysis")
        await wait_for_scene(table, lambda scene: scene["ply"] == 2 and scene.get("analysis") == {"worth": [0.2], "cards": [5]})
        table._session.set_finder("worth", lambda _: [7])
        await wait_for_scene(table, lambda scene: scene.get("analysis") == {"worth": [7], "cards": [5]})
        table._session.set_finder("worth", None)
        assert table.scene["analysis"] == {"cards": [5]}
        before = table.scene["id"]
        table._session.set_finder("worth", None)
        assert table.scene["id"] == before, "nothing has changed"

    run(story)


def test_finders_get_the_seats_own_memory() -> None:
    """Worlds can be counted with or without the aid of seen cards, and nothing of other seats."""

    async def story() -> None:
        views = []
        table = Table(seats={1: "first"}, seed=7, pace=0)
        table._session.set_finder("beaten", lambda view: views.append(view) or [worlds(view).chance_of_any(1, "Ah Kh")])
        share = float(worlds(table.game.view(0)).chance_of_any(1, "Ah Kh"))
        await wait_for_scene(table, lambda scene: scene.get("analysis") == {"beaten": [share]})
        make_move(table, "attack Jc")
        await wait_for_scene(table, lambda scene: scene["ply"] == 2 and scene.get("analysis"))
        assert not table.failures
        then = table.game.copy()
        then.goto(0)
        assert (views[0], views[-1]) == (then.view(0), table.game.view(0))
        assert not table.memory

    run(story)


def test_covered_hands_are_not_evaluated() -> None:
    """The next person is not there yet."""

    async def story() -> None:
        looked = []
        table = Table(seats={0: "you", 1: "you"}, seed=7)
        table._session.set_finder("worth", lambda view: looked.append(view.seat) or [1])
        await wait_until_idle()
        assert (looked, "analysis" in table.scene, table.scene["covered"]) == ([], False, True)
        send_message(table, "uncover_hand")
        await wait_for_scene(table, lambda scene: scene.get("analysis") == {"worth": [1]})
        assert looked == [0]

    run(story)


@pytest.mark.parametrize("value", [None, float("nan"), ["much"]])
def test_findings_that_are_not_numbers_fail(value: object) -> None:
    """The page gets a failure instead."""

    async def story() -> None:
        table = Table(seed=7)
        table._session.set_finder("worth", lambda _: value)
        scene = await wait_for_scene(table, lambda scene: "note" in scene)
        assert (scene["note"]["kind"], table.scene["analysis"]) == ("error", {})
        assert make_move(table, "attack Jc")["ply"] == 1

    run(story)


@pytest.mark.parametrize("how", ["hangs", "replaced"])
def test_a_failing_finder_does_not_stop_the_table(short_delay, how: str) -> None:
    """Errors and timeouts are noted, and a replaced one is ignored."""

    async def story() -> None:
        may = threading.Event()
        table = Table(seats={1: "first"}, seed=7, pace=0)
        table._session.set_finder("worth", lambda _: 1 / 0 if how == "raises" else may.wait(15))
        if how == "replaced":
            await wait_until_idle()
            table._session.set_finder("worth", lambda _: [5])
            await wait_for_scene(table, lambda scene: scene.get("analysis") == {"worth": [5]})
        else:
            await wait_for_scene(table, lambda scene: "worth" in scene.get("note", {"text": [""]})["text"][0])
        assert ("worth" in table.failures) == (how == "raises")
        make_move(table, "attack Jc")
        await wait_for_scene(table, lambda scene: scene["ply"] == 2)
        may.set()
        await wait_until_idle()
        assert table.scene.get("analysis", {}).get("worth") == ([5] if how == "replaced" else None) or how == "hangs"

    run(story)
