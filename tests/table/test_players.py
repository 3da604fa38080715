"""Who sits where, and whose hand lies open: several people at one screen."""

from __future__ import annotations

import pytest

from durak_widget import Table
from durak_widget.engine import narration
from support.spy import Spy, named
from support.tables import TWO, ended, move, say


def test_a_hand_is_covered_until_its_person_is_there() -> None:
    """When it is another person's turn the table shows backs, and takes no move before somebody says that they are there."""
    table, before, covered = Table(seats=TWO, seed=7), None, 0
    while table.game.outcome is None:
        scene, actor, ply, text = table.scene, table.game.actor, table.game.ply, table.game.legal_moves()[-1]
        assert ("covered" in scene) == (actor != before)
        if actor != before:
            assert (scene["me"], scene["hand"], scene["legal"], scene["can"].get("hint")) == (actor, [], {}, None)
            assert move(table, text)["ply"] == ply
            scene = say(table, "here")
            before, covered = actor, covered + 1
        assert (scene["me"], scene["ply"], len(scene["hand"])) == (actor, ply, scene["seats"][actor]["cards"])
        move(table, text)
    assert covered > 10


def test_whoever_has_just_moved_goes_on_seeing_while_bots_move() -> None:
    """The hand at the bottom is covered for another person only, never for the bots in between."""
    table = Table("podkidnoy, players=4", seats={0: "you", 1: "first", 2: "you", 3: "first"}, seed=11)
    shown = set()
    for _ in range(400):
        seat, scene = table.game.actor, table.scene
        if seat is None:
            break
        shown.add((scene["me"], "covered" in scene))
        if table.players[seat] == "you":
            assert scene["me"] == seat
            say(table, "here")
            move(table, table.game.legal_moves()[-1])
        else:
            assert "covered" not in scene or table.game.ply < 3
            table.step()
    assert {(0, True), (2, True), (0, False), (2, False)} <= shown
    assert "over" in table.scene


def test_taking_back_while_the_next_person_is_called_shows_no_hand() -> None:
    """Once the next person is called, whoever presses undo has to say first who they are."""
    table = Table(seats=TWO, seed=7)
    say(table, "here")
    hand = table.scene["hand"]
    scene = move(table, "attack Jc")
    assert (scene["me"], scene["covered"]) == (1, True)
    scene = say(table, "undo")
    assert (scene["me"], scene["hand"], scene["ply"], scene["last"]) == (0, [], 0, 1)
    assert scene["covered"]
    scene = say(table, "here")
    assert (scene["me"], scene["hand"]) == (0, hand)
    assert "covered" not in scene
    scene = move(table, "attack 9d", branch=True)
    assert (scene["me"], scene["covered"], scene["table"]) == (1, True, [["9d", None]])


@pytest.mark.parametrize("covers", [True, False])
def test_who_takes_back_somebody_elses_move_hands_the_screen_over(covers: bool) -> None:  # noqa: FBT001 - as the setting
    """The next person was there already: with covers the one whose turn it now is says so first, among friends they go on at once; nobody is stuck."""
    table = Table(seats=TWO, seed=7, covers=covers)
    if covers:
        say(table, "here")
    hand = table.scene["hand"]
    move(table, "attack Jc")
    if covers:
        say(table, "here")
    scene = say(table, "undo")
    assert (scene["me"], scene["actor"], scene.get("covered", False)) == (0, 0, covers)
    if covers:
        assert scene["hand"] == []
        scene = say(table, "here")
    assert scene["hand"] == hand
    assert move(table, "attack 9d")["table"] == [["9d", None]]


def test_friends_turn_the_seats_also_where_moves_were_taken_back() -> None:
    """The other hand is looked at, and one's own again."""
    table = Table(seats=TWO, seed=7, covers=False)
    move(table, "attack Jc")
    say(table, "undo")
    assert [say(table, kind)["me"] for kind in ("turn", "home")] == [1, 0]


@pytest.mark.parametrize("kind", ["move", "why"])
def test_a_covered_hand_is_not_told_by_a_refusal(kind: str) -> None:
    """Nobody learns by trying what lies under the backs."""
    table = Table(seats=TWO, seed=7)
    tried = {"move": "move", "why": "card"}[kind]
    for card in ("Jc", "2c", "6c", "8h"):
        note = say(table, kind, **{tried: f"attack {card}" if kind == "move" else card})["note"]
        assert note["said"] == ["The table has moved on: look again."] * 2


def test_the_picture_of_a_shared_table_shows_no_hand() -> None:
    """What is stored with the notebook is what lies open, in words and drawn."""
    table = Table(seats=TWO, seed=7)
    data, _ = table._repr_mimebundle_()
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == table.model_id
    hands = {str(card) for hand in table.game.hands for card in hand}
    assert not named(data["text/plain"]) & hands
    assert not named(data["text/html"].partition('src="')[0]) & hands
    say(table, "here")
    assert table.scene["hand"]
    data, _ = table._repr_mimebundle_()
    assert not named(data["text/plain"]) & hands, "another person may open the notebook next"
    assert not named(data["text/html"].partition('src="')[0]) & hands
    alone, _ = Table(seed=7)._repr_mimebundle_()
    assert named(alone["text/plain"]) & hands == {str(card) for card in table.game.hands[0]}


def test_a_game_of_several_people_that_is_over_is_covered_too() -> None:
    """How it ended is told with the hands, once somebody says that they are there."""
    table = Table(ended(), seats=TWO)
    assert (table.scene["covered"], table.scene["hand"], "over" in table.scene) == (True, [], False)
    assert "over" in say(table, "here")


def test_what_one_swapped_is_not_listed_over_a_covered_hand() -> None:
    """Whoever sits before the backs may be somebody else, and which cards were put back is not for them."""
    table = Table("poker", seats=TWO, seed=7)
    spy = Spy(table)
    for text in ("swap Jc 9d", "attack Th"):
        say(table, "here")
        move(table, text)
    say(table, "here")
    move(table, "take")
    assert (table.scene["me"], table.scene["covered"]) == (0, True)
    say(table, "list")
    say(table, "here")
    say(table, "list")
    assert (spy.read, spy.leaks) == (2, [])


def test_the_only_person_left_sits_at_the_bottom() -> None:
    """When a bot takes over from the other person, the table is that of the one who stays, once they say that they are there."""
    table = Table(seats=TWO, seed=7)
    say(table, "here")
    say(table, "seat", seat=0, who="first")
    assert (table.seat, table.scene["me"], table.scene["hand"], table.scene["covered"]) == (1, 1, [], True)
    assert say(table, "here")["hand"]
    table.step()
    assert move(table, "take")["ply"] == 2


def test_a_new_game_of_several_people_is_covered_again() -> None:
    """Nobody sees the new hand of the one who sat there last."""
    table = Table(seats=TWO, seed=7)
    say(table, "here")
    assert say(table, "new")["covered"]


def test_a_table_of_bots_is_seen_from_the_seat_one_chooses() -> None:
    """Where nobody plays, the seat at the bottom is set from Python."""
    table = Table("podkidnoy, players=3", seats={0: "first", 1: "first", 2: "first"}, seed=7)
    assert table.scene["me"] == 0
    table.seat = 2
    table.step()
    assert table.scene["me"] == table.seat == 2
    assert table.scene["hand"] == [str(card) for card in narration.sort_hand(table.game.view(2))]


@pytest.mark.parametrize(
    "ways",
    [
        [(0, "careful")],
        [(0, "careful"), (1, "careful")],
        [(0, "careful"), (1, "careful"), (0, "you")],
        [(0, "careful"), (1, "careful"), (1, "you")],
        [(1, "careful"), (0, "careful"), (1, "you")],
    ],
    ids=lambda ways: " then ".join(f"{who} on {seat}" for seat, who in ways),
)
def test_nobody_sees_the_hand_of_another_by_seating_bots(ways: list) -> None:
    """While the second person is called, whoever changes who plays sees no hand that was not theirs before somebody says that they are there."""
    table = Table(seats=TWO, seed=7)
    say(table, "here")
    move(table, "attack Jc")
    assert table.scene["covered"]
    for seat, who in ways:
        scene = say(table, "seat", seat=seat, who=who)
        assert (scene["hand"], scene["covered"]) == ([], True)
    assert say(table, "here")["hand"]


def test_who_is_alone_at_a_table_may_change_places() -> None:
    """Nobody else was ever there: they watch bots, sit down on another chair, and their hand lies open."""
    table = Table(seats={1: "first"}, seed=7)
    for seat, who, me in ((0, "first", 0), (1, "you", 1), (1, "first", 1), (0, "you", 0)):
        scene = say(table, "seat", seat=seat, who=who)
        assert (scene["me"], "covered" in scene, len(scene["hand"])) == (me, False, 6)
    scene = say(table, "seat", seat=1, who="you")
    assert (scene["me"], "covered" in scene) == (0, False), "whoever was there is still there"
    move(table, "attack Jc")
    assert table.scene["covered"]


def test_who_stays_while_another_leaves_goes_on_seeing() -> None:
    """Of three people one leaves, and the one before the screen is still there."""
    table = Table("podkidnoy, players=3", seats=dict.fromkeys(range(3), "you"), seed=7)
    me = say(table, "here")["me"]
    for seat in {0, 1, 2} - {me}:
        scene = say(table, "seat", seat=seat, who="first")
        assert (scene["me"], "covered" in scene) == (me, False)
