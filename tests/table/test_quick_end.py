"""Test the quick end: a player who is out can let the others play on without pauses."""

from __future__ import annotations

from durak_widget import Game, Table
from support.loops import Slow, run, wait_for_scene, wait_until_idle
from support.tables import record_messages, send_message

SEATS = {0: "you", 1: "first", 2: "first"}
LEFT = {"hands": ["Ac", "6c 7d 8d 9d Jd", "6s 7s 8s 9s Js"], "trump": "h"}
"""Seat 0 is out when its only card is picked up; two players have some bouts left."""


def table_after_going_out(**more: object) -> Table:
    """Return a table whose person has just gone out; bots play slowly."""
    table = Table(
        Game.from_position("podkidnoy, players=3", **LEFT), {**SEATS, **more.pop("seats", {})}, seed=1, **{"pace": 60_000, **more}
    )
    table.play("attack Ac")
    while not table.game.view(0).bout_ends:
        table.step()
    return table


def test_the_quick_end_is_offered_only_to_a_player_who_is_out() -> None:
    """Not earlier, among bots alone, with steps, when looking back, or after the end."""
    before = Table(Game.from_position("podkidnoy, players=3", **LEFT), SEATS)
    assert "end" not in before.scene["can"]
    assert table_after_going_out().scene["can"]["end"] is True
    assert "end" not in table_after_going_out(steps=True).scene["can"]
    table = table_after_going_out()
    table.seat_player(0, "first")
    assert "end" not in table.scene["can"]
    table.seat_player(0, "you")
    table.seat_player(1, "you")
    assert "end" not in table.scene["can"]
    table = table_after_going_out()
    assert "end" not in send_message(table, "goto", to_ply=0)["can"]
    send_message(table, "goto", to_ply=2)
    while table.step():
        pass
    assert ("end" in table.scene["can"], "result" in table.scene) == (False, True)


def test_the_quick_end_ignores_the_pace() -> None:
    """Every move is made and reported in Python, and few are shown."""

    async def story() -> None:
        table, heard, scenes = table_after_going_out(), [], []
        table.on_move(heard.append)
        table.observe(lambda change: scenes.append(change["new"]), "scene")
        send_message(table, "play_to_end")
        scene = await wait_for_scene(table, lambda scene: "result" in scene)
        assert heard == list(table.game.history[2:])
        assert scene["ply"] == table.game.ply > 8
        assert len(scenes) < len(heard)

    run(story)


def test_the_table_answers_during_the_quick_end() -> None:
    """A slow bot blocks nobody. Going back stops it, and bots are slow again."""

    async def story() -> None:
        slow = Slow()
        table = table_after_going_out(seats={2: slow})
        sent = record_messages(table)
        send_message(table, "play_to_end")
        await slow.thinks()
        assert table.scene["seats"][2]["bot_state"] == "thinks"
        send_message(table, "describe_hand")
        assert [message["kind"] for message in sent] == ["announcement"]
        assert send_message(table, "goto", to_ply=0)["ply"] == 0
        await slow.answers()
        assert (table.game.ply, table.game.last_ply) == (0, 2)
        scene = send_message(table, "goto", to_ply=2)
        assert scene["can"]["end"] is True
        await wait_until_idle()
        assert table.game.last_ply == 2  # a pause of a minute
        table.close()

    run(story)


def test_the_quick_end_needs_an_event_loop() -> None:
    """In a script `table.step()` does it."""
    table = table_after_going_out()
    assert send_message(table, "play_to_end")["ply"] == 2
    assert table.step()
