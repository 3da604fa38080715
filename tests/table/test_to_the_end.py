"""Who is out sees at once how it ends: those who are left play on without a rest, and whoever wants something else is heard."""

from __future__ import annotations

from durak_widget import Game, Table
from support.loops import Slow, run, seen, settled
from support.tables import listening, say

SEATS = {0: "you", 1: "first", 2: "first"}
LEFT = {"hands": ["Ac", "6c 7d 8d 9d Jd", "6s 7s 8s 9s Js"], "trump": "h"}
"""Seat 0 is out when its only card has been taken, and two are left with some rounds to play."""


def out(**more: object) -> Table:
    """A table at which the person has just gone out, where bots take their time."""
    table = Table(
        Game.from_position("podkidnoy, players=3", **LEFT), {**SEATS, **more.pop("seats", {})}, seed=1, **{"pace": 60_000, **more}
    )
    table.play("attack Ac")
    while not table.game.view(0).bout_ends:
        table.step()
    return table


def test_it_is_offered_to_who_is_out_and_to_nobody_else() -> None:
    """Not before, not where bots play among themselves or wait for each word, not at an earlier moment, and not when it is over."""
    before = Table(Game.from_position("podkidnoy, players=3", **LEFT), SEATS)
    assert "end" not in before.scene["can"]
    assert out().scene["can"]["end"] is True
    assert "end" not in out(steps=True).scene["can"]
    table = out()
    table.seat_player(0, "first")
    assert "end" not in table.scene["can"]
    table.seat_player(0, "you")
    table.seat_player(1, "you")
    assert "end" not in table.scene["can"]
    table = out()
    assert "end" not in say(table, "goto", to=0)["can"]
    say(table, "goto", to=2)
    while table.step():
        pass
    assert ("end" in table.scene["can"], "over" in table.scene) == (False, True)


def test_it_ends_at_once_at_any_pace() -> None:
    """Every move is made and told in Python, and hardly one of them is shown."""

    async def story() -> None:
        table, heard, scenes = out(), [], []
        table.on_move(heard.append)
        table.observe(lambda change: scenes.append(change["new"]), "scene")
        say(table, "end")
        scene = await seen(table, lambda scene: "over" in scene)
        assert heard == list(table.game.history[2:])
        assert scene["ply"] == table.game.ply > 8
        assert len(scenes) < len(heard)

    run(story)


def test_meanwhile_the_table_hears_what_is_said() -> None:
    """A bot that thinks long holds up nobody; whoever goes back has left, and bots take their time again."""

    async def story() -> None:
        slow = Slow()
        table = out(seats={2: slow})
        sent = listening(table)
        say(table, "end")
        await slow.thinks()
        assert table.scene["seats"][2]["bot"] == "thinks"
        say(table, "holding")
        assert [one["kind"] for one in sent] == ["told"]
        assert say(table, "goto", to=0)["ply"] == 0
        await slow.answers()
        assert (table.game.ply, table.game.last_ply) == (0, 2)
        scene = say(table, "goto", to=2)
        assert scene["can"]["end"] is True
        await settled()
        assert table.game.last_ply == 2  # a rest of a minute
        table.close()

    run(story)


def test_where_nothing_runs_by_itself_nothing_is_played() -> None:
    """In a script it is asked for in Python: `table.step()`."""
    table = out()
    assert say(table, "end")["ply"] == 2
    assert table.step()
