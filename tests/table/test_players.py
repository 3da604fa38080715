"""Test seats and open hands with several people at one screen."""

from __future__ import annotations

import pytest

from durak_widget import Table
from durak_widget.engine import narration
from support.spoken import english_text
from support.spy import Spy, cards_in
from support.tables import TWO, finished_game, make_move, send_message


def test_a_hand_is_covered_until_its_person_is_there() -> None:
    """At another person's turn the table shows backs and refuses moves."""
    table, before, covered = Table(seats=TWO, seed=7), None, 0
    while table.game.outcome is None:
        scene, actor, ply, text = table.scene, table.game.actor, table.game.ply, table.game.legal_moves()[-1]
        assert ("covered" in scene) == (actor != before)
        if actor != before:
            assert (scene["viewer"], scene["hand"], scene["legal"], scene["can"].get("hint")) == (actor, [], {}, None)
            assert make_move(table, text)["ply"] == ply
            scene = send_message(table, "uncover_hand")
            before, covered = actor, covered + 1
        assert (scene["viewer"], scene["ply"], len(scene["hand"])) == (actor, ply, scene["seats"][actor]["cards"])
        make_move(table, text)
    assert covered > 10


def test_a_persons_hand_stays_open_while_bots_move() -> None:
    """It is covered only for another person."""
    table = Table("podkidnoy, players=4", seats={0: "you", 1: "first", 2: "you", 3: "first"}, seed=11)
    shown_hands = set()
    for _ in range(400):
        seat, scene = table.game.actor, table.scene
        if seat is None:
            break
        shown_hands.add((scene["viewer"], "covered" in scene))
        if table.players[seat] == "you":
            assert scene["viewer"] == seat
            send_message(table, "uncover_hand")
            make_move(table, table.game.legal_moves()[-1])
        else:
            assert "covered" not in scene or table.game.ply < 3
            table.step()
    assert {(0, True), (2, True), (0, False), (2, False)} <= shown_hands
    assert "result" in table.scene


def test_undo_while_the_next_person_is_called_shows_no_hand() -> None:
    """Whoever presses undo has to say first that they are there."""
    table = Table(seats=TWO, seed=7)
    send_message(table, "uncover_hand")
    hand = table.scene["hand"]
    scene = make_move(table, "attack Jc")
    assert (scene["viewer"], scene["covered"]) == (1, True)
    scene = send_message(table, "undo")
    assert (scene["viewer"], scene["hand"], scene["ply"], scene["last_ply"]) == (0, [], 0, 1)
    assert scene["covered"]
    scene = send_message(table, "uncover_hand")
    assert (scene["viewer"], scene["hand"]) == (0, hand)
    assert "covered" not in scene
    scene = make_move(table, "attack 9d", drops_undone=True)
    assert (scene["viewer"], scene["covered"], scene["table"]) == (1, True, [["9d", None]])


@pytest.mark.parametrize("covers", [True, False])
def test_undoing_another_persons_move_hands_the_screen_over(covers: bool) -> None:  # noqa: FBT001 - as the setting
    """With covers that person confirms first; among friends it continues at once."""
    table = Table(seats=TWO, seed=7, covers=covers)
    if covers:
        send_message(table, "uncover_hand")
    hand = table.scene["hand"]
    make_move(table, "attack Jc")
    if covers:
        send_message(table, "uncover_hand")
    scene = send_message(table, "undo")
    assert (scene["viewer"], scene["actor"], scene.get("covered", False)) == (0, 0, covers)
    if covers:
        assert scene["hand"] == []
        scene = send_message(table, "uncover_hand")
    assert scene["hand"] == hand
    assert make_move(table, "attack 9d")["table"] == [["9d", None]]


def test_friends_can_turn_the_seats_after_undo() -> None:
    """They see the other hand, and their own again."""
    table = Table(seats=TWO, seed=7, covers=False)
    make_move(table, "attack Jc")
    send_message(table, "undo")
    assert [send_message(table, kind)["viewer"] for kind in ("rotate_view", "reset_view")] == [1, 0]


@pytest.mark.parametrize("kind", ["move", "explain_refusal"])
def test_a_refusal_reveals_no_covered_hand(kind: str) -> None:
    """Trying moves shows nothing under the backs."""
    table = Table(seats=TWO, seed=7)
    tried = {"move": "move", "explain_refusal": "card"}[kind]
    for card in ("Jc", "2c", "6c", "8h"):
        note = send_message(table, kind, **{tried: f"attack {card}" if kind == "move" else card})["note"]
        assert note["text"] == [english_text("table.stale")] * 2


def test_the_picture_of_a_shared_table_shows_no_hand() -> None:
    """Stored text and drawing have open cards only."""
    table = Table(seats=TWO, seed=7)
    data, _ = table._repr_mimebundle_()
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == table.model_id
    hands = {str(card) for hand in table.game.hands for card in hand}
    assert not cards_in(data["text/plain"]) & hands
    assert not cards_in(data["text/html"].partition('src="')[0]) & hands
    send_message(table, "uncover_hand")
    assert table.scene["hand"]
    data, _ = table._repr_mimebundle_()
    assert not cards_in(data["text/plain"]) & hands, "another person may open the notebook next"
    assert not cards_in(data["text/html"].partition('src="')[0]) & hands
    alone, _ = Table(seed=7)._repr_mimebundle_()
    assert cards_in(alone["text/plain"]) & hands == {str(card) for card in table.game.hands[0]}


def test_a_finished_game_of_several_people_is_covered_too() -> None:
    """Hands and result appear after confirmation."""
    table = Table(finished_game(), seats=TWO)
    assert (table.scene["covered"], table.scene["hand"], "result" in table.scene) == (True, [], False)
    assert "result" in send_message(table, "uncover_hand")


def test_swapped_cards_are_not_listed_over_a_covered_hand() -> None:
    """The viewer may be somebody else."""
    table = Table("poker", seats=TWO, seed=7)
    spy = Spy(table)
    for text in ("swap Jc 9d", "attack Th"):
        send_message(table, "uncover_hand")
        make_move(table, text)
    send_message(table, "uncover_hand")
    make_move(table, "take")
    assert (table.scene["viewer"], table.scene["covered"]) == (0, True)
    send_message(table, "move_list")
    send_message(table, "uncover_hand")
    send_message(table, "move_list")
    assert (spy.read, spy.leaks) == (2, [])


def test_the_only_remaining_person_sits_at_the_bottom() -> None:
    """A bot replaces the other person; they confirm first."""
    table = Table(seats=TWO, seed=7)
    send_message(table, "uncover_hand")
    send_message(table, "seat_player", seat=0, player="first")
    assert (table.seat, table.scene["viewer"], table.scene["hand"], table.scene["covered"]) == (1, 1, [], True)
    assert send_message(table, "uncover_hand")["hand"]
    table.step()
    assert make_move(table, "take")["ply"] == 2


def test_a_new_game_of_several_people_is_covered_again() -> None:
    """Nobody sees the new hand of the last viewer."""
    table = Table(seats=TWO, seed=7)
    send_message(table, "uncover_hand")
    assert send_message(table, "new_game")["covered"]


def test_a_table_of_bots_is_seen_from_a_chosen_seat() -> None:
    """Python sets the seat at the bottom."""
    table = Table("podkidnoy, players=3", seats={0: "first", 1: "first", 2: "first"}, seed=7)
    assert table.scene["viewer"] == 0
    table.seat = 2
    table.step()
    assert table.scene["viewer"] == table.seat == 2
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
def test_seating_bots_reveals_no_other_hand(ways: list) -> None:
    """While the second person is called, changes of players show no new hand before confirmation."""
    table = Table(seats=TWO, seed=7)
    send_message(table, "uncover_hand")
    make_move(table, "attack Jc")
    assert table.scene["covered"]
    for seat, who in ways:
        scene = send_message(table, "seat_player", seat=seat, player=who)
        assert (scene["hand"], scene["covered"]) == ([], True)
    assert send_message(table, "uncover_hand")["hand"]


def test_the_only_person_at_a_table_may_change_seats() -> None:
    """They watch bots, change their seat, and their hand stays open."""
    table = Table(seats={1: "first"}, seed=7)
    for seat, who, me in ((0, "first", 0), (1, "you", 1), (1, "first", 1), (0, "you", 0)):
        scene = send_message(table, "seat_player", seat=seat, player=who)
        assert (scene["viewer"], "covered" in scene, len(scene["hand"])) == (me, False, 6)
    scene = send_message(table, "seat_player", seat=1, player="you")
    assert (scene["viewer"], "covered" in scene) == (0, False), "whoever was there is still there"
    make_move(table, "attack Jc")
    assert table.scene["covered"]


def test_a_person_stays_in_view_when_another_leaves() -> None:
    """Of three people one leaves, not the viewer."""
    table = Table("podkidnoy, players=3", seats=dict.fromkeys(range(3), "you"), seed=7)
    me = send_message(table, "uncover_hand")["viewer"]
    for seat in {0, 1, 2} - {me}:
        scene = send_message(table, "seat_player", seat=seat, player="first")
        assert (scene["viewer"], "covered" in scene) == (me, False)
