"""What is done beside the table besides bots' moves: hints, and an evaluation as an example of what may come."""

from __future__ import annotations

import asyncio
import threading

import pytest

from durak_widget import DurakError, Table
from durak_widget.analysis import worlds
from support.loops import Slow, run, seen, settled, until
from support.tables import move, say


def wrong(view, rng):
    """A bot that fails."""
    raise ValueError("out of ideas")


# Hints


class Adviser:
    """Who gives hints, slowly or wrongly."""

    def __init__(self, choose) -> None:
        self.implementation = self.choose = choose


def test_a_hint_is_thought_about_beside_the_table() -> None:
    """Meanwhile the table answers; the hint comes with a scene of its own, and asking twice gives one."""

    async def story() -> None:
        slow = Slow()
        table = Table(seed=7)
        table._session.adviser = slow
        slow.implementation = slow
        before = table.scene["id"]
        say(table, "hint")
        await slow.thinks()
        say(table, "hint")
        assert move(table, "take")["note"]["kind"] == "refused"
        slow.may.set()
        scene = await seen(table, lambda scene: scene.get("note", {}).get("kind") == "hint")
        assert (scene["note"].get("card"), scene["id"], len(slow.threads)) == (None, before + 2, 1)
        assert (say(table, "hint")["note"]["card"], len(slow.threads)) == ("Jc", 1)

    run(story)


def test_a_hint_for_a_moment_that_has_passed_is_not_heard() -> None:
    """Somebody has moved on, and a hint for what was would mislead."""

    async def story() -> None:
        slow = Slow()
        slow.implementation = slow
        table = Table(seats={0: "you", 1: "you"}, seed=7)
        table._session.adviser = slow
        say(table, "here")
        say(table, "hint")
        await slow.thinks()
        scene = move(table, "attack Jc")
        await slow.answers()
        assert table.scene["id"] == scene["id"]

    run(story)


def test_a_hint_for_another_game_of_as_many_moves_is_not_heard() -> None:
    """A move was taken back and another one made: there are as many moves as before, and the hint for what was would mislead."""

    async def story() -> None:
        slow = Slow()
        slow.implementation = slow
        table = Table(seats={0: "you", 1: "you"}, seed=7)
        table._session.adviser = slow
        say(table, "here")
        move(table, "attack Jc")
        say(table, "here")
        say(table, "hint")
        await slow.thinks()
        table.game.undo()
        table.game.play("attack 9d")
        table.refresh()
        scene = table.scene
        await slow.answers()
        assert table.scene["id"] == scene["id"]
        say(table, "here")
        say(table, "hint")
        await seen(table, lambda scene: scene.get("note", {}).get("kind") == "hint")
        assert (say(table, "hint")["note"].get("on", "9d"), len(slow.threads)) == ("9d", 2)

    run(story)


def test_a_bot_that_thought_about_another_game_of_as_many_moves_is_asked_anew() -> None:
    """The game was changed by hand while it thought: what it thought is dropped, and it has not failed."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={0: "you", 1: slow}, seed=7, pace=0)
        table.play("attack Jc")
        await slow.thinks()
        table.game.undo()
        table.game.play("attack 9d")
        table.refresh()
        slow.may.set()
        await seen(table, lambda scene: scene["ply"] > 1)
        assert (table.failures, str(table.game.moves[0]), len(slow.threads)) == ({}, "attack 9d", 2)

    run(story)


def test_a_callback_that_ends_the_program_ends_nothing() -> None:
    """In a kernel every game would be lost with it: it is told as a failure, whoever made the move."""
    table = Table(seats={0: "you", 1: "first"}, seed=7)

    def leave(played):
        raise SystemExit("bye")

    table.on_move(leave)
    table.play("attack Jc")
    assert table.step()
    assert str(table.failures["on_move"]) == "it ended with SystemExit"
    say(table, "undo")
    assert table.scene["ply"] == 0


def test_what_a_job_says_does_not_reach_the_page() -> None:
    """It may name cards of a hand, also in an error of this package."""
    table = Table(seats={0: "you", 1: "first"}, seed=7)
    table.play("attack Jc")
    table._session.start_viewer_job("advice", lambda: table.game.copy().play("beat Jc 6h"), print)
    assert "IllegalMove" in table.scene["note"]["said"][0]
    assert "which holds" not in str(table.scene["note"])


def test_the_name_of_the_bots_job_is_theirs() -> None:
    """Whoever asked for something under it would take the turn away from a bot."""
    table = Table(seed=7)
    with pytest.raises(DurakError, match="'bot' is the job of the bots"):
        table._session.start_viewer_job("bot", int, print)


def test_whoever_stops_a_program_stops_a_hint_too() -> None:
    """In a script, where a hint is thought about at once."""

    def stop(view, rng):
        raise KeyboardInterrupt

    table = Table(seed=7)
    table._session.adviser = Adviser(stop)
    with pytest.raises(KeyboardInterrupt):
        say(table, "hint")


@pytest.mark.parametrize("loop", [True, False], ids=["in a notebook", "in a script"])
def test_a_hint_that_fails_leaves_the_table_alive(loop: bool) -> None:  # noqa: FBT001 - a table of cases
    """It is told by the class of its error, as of a bot, and the next message is answered."""

    async def story() -> None:
        table = Table(seed=7)
        table._session.adviser = Adviser(wrong)
        say(table, "hint")
        if loop:
            await seen(table, lambda scene: "note" in scene)
        assert table.scene["note"]["said"][0] == "What was asked for (hint) failed: ValueError. Its whole error: table.failures['hint']."
        assert str(table.failures["hint"]) == "out of ideas"
        assert move(table, "attack Jc")["ply"] == 1

    if loop:
        run(story)
    else:
        with pytest.raises(StopIteration):
            story().send(None)


def test_a_hint_that_hangs_leaves_the_table_alive(hasty) -> None:
    """It is said once, and the person plays on; later hints wait for the one who gives them."""

    async def story() -> None:
        slow = Slow()
        slow.implementation = slow
        table = Table(seats={1: "first"}, seed=7, pace=0)
        table._session.adviser = slow
        say(table, "hint")
        scene = await seen(table, lambda scene: "note" in scene)
        assert scene["note"]["said"][0] == "What was asked for (hint) has not come for 0 s."
        move(table, "attack Jc")
        await seen(table, lambda scene: scene["ply"] == 2)
        while table.game.actor != 0:
            await seen(table, lambda scene: scene["actor"] == 0)
        say(table, "hint")
        await settled()
        assert len(slow.threads) == 1
        slow.may.set()
        await seen(table, lambda scene: scene.get("note", {}).get("kind") == "hint")
        assert len(slow.threads) == 2

    run(story)


# Any other job: an evaluation


def evaluated(table: Table, judge) -> list[float]:
    """What an evaluation of what the viewer sees says, as a table would show it beside the game."""
    heard: list[float] = []
    view = table._session.build_view()
    table._session.start_viewer_job("worth", lambda: judge(view), heard.append)
    return heard


def test_an_evaluation_is_heard() -> None:
    """It runs off the loop, and its result is heard on it."""

    async def story() -> None:
        where = []
        table = Table(seed=7)
        heard = evaluated(table, lambda view: where.append(threading.current_thread()) or len(view.hand) / 12)
        table.refresh()
        await until(lambda: heard)
        assert (heard, where[0] is threading.main_thread()) == ([0.5], False)

    run(story)


def test_an_evaluation_that_raises_leaves_the_table_alive() -> None:
    """Also where it is its hearer that raises; the next one is heard."""

    async def story() -> None:
        table = Table(seed=7)
        heard = evaluated(table, lambda _: 1 / 0)
        await seen(table, lambda scene: "note" in scene)
        assert (heard, type(table.failures["worth"])) == ([], ZeroDivisionError)
        table._session.start_viewer_job("worth", lambda: 1, lambda _: [].pop())
        await until(lambda: isinstance(table.failures["worth"], IndexError))
        assert move(table, "attack Jc")["ply"] == 1
        heard = evaluated(table, lambda view: view.ply)
        await until(lambda: heard)
        assert heard == [1]

    run(story)


def test_an_evaluation_that_hangs_keeps_nobody_waiting(hasty) -> None:
    """It is said, and what it says at last about a moment that has passed is not heard."""

    async def story() -> None:
        may = threading.Event()
        table = Table(seats={1: "first"}, seed=7, pace=0)
        heard = evaluated(table, lambda _: may.wait(15))
        await seen(table, lambda scene: "has not come" in scene.get("note", {"said": [""]})["said"][0])
        move(table, "attack Jc")
        await seen(table, lambda scene: scene["ply"] == 2)
        may.set()
        await until(lambda: not any(thread.name == "durak worth" for thread in threading.enumerate()))
        await settled()
        assert heard == []

    run(story)


def test_an_evaluation_is_dropped_when_the_table_is_closed() -> None:
    """Nobody hears of it, and no task is left."""

    async def story() -> None:
        idle, may = asyncio.all_tasks(), threading.Event()
        table = Table(seed=7)
        heard = evaluated(table, lambda _: may.wait(15))
        await settled()
        table.close()
        await settled()
        assert asyncio.all_tasks() == idle
        may.set()
        await until(lambda: not any(thread.name == "durak worth" for thread in threading.enumerate()))
        await settled()
        assert heard == []

    run(story)


# What is found out about each moment


def test_what_is_found_out_about_a_moment_is_told_with_it() -> None:
    """Sought anew at every moment and told with its scene, by the last finder of that name, until nobody looks any more."""

    async def story() -> None:
        table = Table(seats={1: "first"}, seed=7, pace=0)
        table._session.set_finder("worth", lambda view: [view.ply / 10])
        table._session.set_finder("cards", lambda view: [len(view.hand)])
        assert (await seen(table, lambda scene: len(scene.get("beside", {})) == 2))["beside"] == {"worth": [0], "cards": [6]}
        assert not move(table, "attack Jc").get("beside")
        await seen(table, lambda scene: scene["ply"] == 2 and scene.get("beside") == {"worth": [0.2], "cards": [5]})
        table._session.set_finder("worth", lambda _: [7])
        await seen(table, lambda scene: scene.get("beside") == {"worth": [7], "cards": [5]})
        table._session.set_finder("worth", None)
        assert table.scene["beside"] == {"cards": [5]}
        before = table.scene["id"]
        table._session.set_finder("worth", None)
        assert table.scene["id"] == before, "nothing has changed"

    run(story)


def test_who_finds_out_remembers_what_the_seat_has_seen() -> None:
    """Worlds can be counted, whether or not the table lists the cards seen: with the seat's own memory, and nothing of another seat."""

    async def story() -> None:
        views = []
        table = Table(seats={1: "first"}, seed=7, pace=0)
        table._session.set_finder("beaten", lambda view: views.append(view) or [worlds(view).chance_of_any(1, "Ah Kh")])
        share = float(worlds(table.game.view(0)).chance_of_any(1, "Ah Kh"))
        await seen(table, lambda scene: scene.get("beside") == {"beaten": [share]})
        move(table, "attack Jc")
        await seen(table, lambda scene: scene["ply"] == 2 and scene.get("beside"))
        assert not table.failures
        then = table.game.copy()
        then.goto(0)
        assert (views[0], views[-1]) == (then.view(0), table.game.view(0))
        assert not table.memory

    run(story)


def test_nothing_is_found_out_about_a_covered_hand() -> None:
    """Before the next person is there, nobody looks."""

    async def story() -> None:
        looked = []
        table = Table(seats={0: "you", 1: "you"}, seed=7)
        table._session.set_finder("worth", lambda view: looked.append(view.seat) or [1])
        await settled()
        assert (looked, "beside" in table.scene, table.scene["covered"]) == ([], False, True)
        say(table, "here")
        await seen(table, lambda scene: scene.get("beside") == {"worth": [1]})
        assert looked == [0]

    run(story)


@pytest.mark.parametrize("value", [None, float("nan"), ["much"]])
def test_what_cannot_be_drawn_is_not_told(value: object) -> None:
    """The page is told numbers; of anything else it is said that it failed."""

    async def story() -> None:
        table = Table(seed=7)
        table._session.set_finder("worth", lambda _: value)
        scene = await seen(table, lambda scene: "note" in scene)
        assert (scene["note"]["kind"], table.scene["beside"]) == ("error", {})
        assert move(table, "attack Jc")["ply"] == 1

    run(story)


@pytest.mark.parametrize("how", ["hangs", "replaced"])
def test_who_finds_nothing_out_harms_nothing(hasty, how: str) -> None:
    """One that raises or hangs is told of, and the game goes on; one that was replaced is not heard."""

    async def story() -> None:
        may = threading.Event()
        table = Table(seats={1: "first"}, seed=7, pace=0)
        table._session.set_finder("worth", lambda _: 1 / 0 if how == "raises" else may.wait(15))
        if how == "replaced":
            await settled()
            table._session.set_finder("worth", lambda _: [5])
            await seen(table, lambda scene: scene.get("beside") == {"worth": [5]})
        else:
            await seen(table, lambda scene: "(worth)" in scene.get("note", {"said": [""]})["said"][0])
        assert ("worth" in table.failures) == (how == "raises")
        move(table, "attack Jc")
        await seen(table, lambda scene: scene["ply"] == 2)
        may.set()
        await settled()
        assert table.scene.get("beside", {}).get("worth") == ([5] if how == "replaced" else None) or how == "hangs"

    run(story)
