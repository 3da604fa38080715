"""Test a table shown to a class: open and hidden hands, friends, turned seats and single steps."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from durak_widget import Game, Table
from support.loops import run, wait_for_scene, wait_until_idle
from support.spoken import english
from support.tables import TWO, make_move, send_message

THREE = {0: "you", 1: "first", 2: "first"}


def shown_hands(scene: dict) -> dict[int, list[str]]:
    """Return the other hands that a scene shows."""
    return {seat: seat_state["hand"] for seat, seat_state in enumerate(scene["seats"]) if "hand" in seat_state}


def test_other_hands_are_shown_only_on_request() -> None:
    """They are closed at first, opened at their seats, and closed with the setting."""
    table = Table("podkidnoy, players=3", THREE, seed=7)
    assert shown_hands(table.scene) == {}
    table.hands = "open"
    assert {seat: set(cards) for seat, cards in shown_hands(table.scene).items()} == {
        seat: {str(card) for card in table.game.hands[seat]} for seat in (1, 2)
    }
    table.hands = "own"
    assert shown_hands(table.scene) == {}


def test_the_page_can_open_hands_except_in_exercises() -> None:
    """There the author decides, and the page is reset."""
    table, messages = Table(seed=7), []
    table.set_state({"hands": "open"})
    assert shown_hands(table.scene)
    table.hands = "own"
    table.task = SimpleNamespace(is_single_move=False, is_decided=False, verdict=lambda _: None)  # type: ignore[assignment]
    table.send_state = lambda key=None: messages.append(key)
    table.set_state({"hands": "open", "sound": True})
    assert (table.hands, shown_hands(table.scene), table.sound, messages[-1]) == ("own", {}, True, "hands")
    table.hands = "open"
    assert shown_hands(table.scene)


def test_bots_do_not_see_open_hands() -> None:
    """They are only on the page."""
    heard = []

    def spying(view, rng):
        heard.append(view)
        return view.legal_moves()[0]

    table = Table(Game(seed=7), {0: "you", 1: spying}, hands="open", pace=0)
    table.play("attack Jc")
    table.step()
    before = Game(seed=7)
    before.play("attack Jc")
    assert heard == [before.view(1)]


def test_hidden_hands_are_shown_to_nobody() -> None:
    """Viewers see backs and no legal moves. The verdict comes at the end."""
    table = Table(Game(seed=7), seed=1, hands="hidden")
    scene = table.scene
    assert (scene["covered"], scene["hides_hands"], scene["hand"], scene["legal"]) == (True, True, [], {})
    assert make_move(table, "attack Jc")["ply"] == 0
    while table.game.actor is not None:
        table.play(table.game.legal_moves()[0])
    assert table.scene["result"]["text"]


def test_among_friends_no_hand_is_covered() -> None:
    """The table shows the player to move at once. With covers they confirm first."""
    table = Table(Game(seed=7), TWO, covers=False)
    assert "covered" not in table.scene
    make_move(table, "attack Jc")
    assert (table.scene["viewer"], "covered" in table.scene, len(table.scene["hand"])) == (1, False, 6)
    table.covers = True
    make_move(table, "take")
    assert table.scene["covered"]


def test_among_friends_the_last_hand_stays_while_bots_play() -> None:
    """Between two people's turns no hand changes."""
    table = Table(Game("podkidnoy, players=3", seed=7), {0: "you", 1: "first", 2: "you"}, covers=False, pace=60_000)
    while table.game.actor != 2:
        table.play(table.game.legal_moves()[0])
    make_move(table, table.game.legal_moves()[0])
    while table.game.actor != 1:
        table.play(table.game.legal_moves()[0])
    assert (table.scene["viewer"], "covered" in table.scene) in {(0, False), (2, False)}


def test_seats_can_be_turned_if_hands_are_open() -> None:
    """Each is shown in turn without a bot's legal moves, and back."""
    table = Table(Game("podkidnoy, players=3", seed=7), THREE, hands="open", pace=60_000)
    seen = []
    for _ in range(3):
        send_message(table, "rotate_view")
        seen.append((table.scene["viewer"], table.scene.get("is_rotated", False), table.scene["legal"] == {}))
    assert [me for me, *_ in seen] == [1, 2, 0]
    assert [turned for _, turned, _ in seen] == [True, True, False]
    assert all(quiet for me, _, quiet in seen if me)
    send_message(table, "rotate_view")
    assert send_message(table, "reset_view")["viewer"] == 0


def test_nobody_can_play_for_a_bot_from_its_seat() -> None:
    """The card is refused, and the game stays."""
    table = Table(Game(seed=7), {0: "first", 1: "you"}, hands="open", pace=60_000)
    scene = send_message(table, "rotate_view")
    assert (scene["viewer"], scene["actor"]) == (0, 0)
    assert make_move(table, "attack Jc")["note"]["kind"] == "info"
    assert table.game.ply == 0


def test_seats_cannot_be_turned_if_that_would_show_a_hand() -> None:
    """With closed hands a message says why; turned seats go back when hands close."""
    table = Table(Game(seed=7), seed=1, pace=60_000)
    assert english("table.own_seat").match(send_message(table, "rotate_view")["note"]["text"][0])
    assert table.scene["viewer"] == 0
    table.hands = "open"
    send_message(table, "rotate_view")
    table.hands = "own"
    assert (table.scene["viewer"], shown_hands(table.scene)) == (0, {})
    hot = Table(Game(seed=7), TWO)
    send_message(hot, "uncover_hand")
    assert send_message(hot, "rotate_view")["viewer"] == 0


def test_a_bots_seat_cannot_be_claimed() -> None:
    """“I am here” at its open seat does not keep its hand when all close."""
    table = Table(Game(seed=7), {0: "first", 1: "you"}, hands="open", pace=60_000)
    send_message(table, "rotate_view")
    send_message(table, "uncover_hand")
    table.hands = "own"
    assert table.scene["viewer"] == 1


def test_friends_can_turn_the_seats() -> None:
    """The next called person is then shown."""
    table = Table(Game(seed=7), TWO, covers=False)
    assert send_message(table, "rotate_view")["viewer"] == 1
    table.play("attack Jc")
    assert table.scene["viewer"] == 1
    table.play("take")
    assert table.scene["viewer"] == 0


@pytest.mark.parametrize("language", ["en", "lt", "ru"])
def test_a_viewer_at_a_bots_seat_is_not_addressed_as_you(language: str) -> None:
    """The call names the player to move."""
    table = Table(Game(seed=7), {0: "first", 1: "you"}, hands="open", pace=60_000, language=language)
    scene = send_message(table, "rotate_view")
    assert scene["viewer"] == 0
    assert "1" in scene["call_to_action"][0]


def test_with_steps_bots_wait_for_each_click() -> None:
    """None moves automatically. Without steps they go on."""

    async def story() -> None:
        table = Table("podkidnoy", {0: "first", 1: "first"}, seed=7, pace=0, steps=True)
        await wait_until_idle()
        assert (table.game.ply, table.scene["waits_for_step"]) == (0, True)
        assert all("bot_state" not in seat for seat in table.scene["seats"])
        for ply in (1, 2, 3):
            send_message(table, "step")
            await wait_for_scene(table, lambda scene, ply=ply: scene["ply"] == ply)
            await wait_until_idle()
            assert (table.game.ply, table.scene["waits_for_step"]) == (ply, True)
        table.steps = False
        await wait_for_scene(table, lambda scene: "result" in scene)

    run(story)


def test_switching_steps_on_stops_a_thinking_bot() -> None:
    """It starts again at the next click."""

    async def story() -> None:
        table = Table("podkidnoy", {0: "first", 1: "first"}, seed=7, pace=60_000)
        table.refresh()
        await wait_until_idle()
        table.steps = True
        table.pace = 0
        for _ in range(20):
            await wait_until_idle()
        assert (table.game.ply, table.scene["waits_for_step"]) == (0, True)
        send_message(table, "step")
        await wait_for_scene(table, lambda scene: scene["ply"] == 1)

    run(story)


def test_a_step_has_no_effect_at_a_persons_turn() -> None:
    """The person plays."""
    table = Table(seed=7, steps=True)
    assert send_message(table, "step")["ply"] == 0
    assert "waits_for_step" not in table.scene


def test_remaining_cards_are_shown_after_the_end() -> None:
    """They are the fool's. Not in exercises, with hidden hands, or under a cover."""
    start = {"hands": ["Ac", "6c 7d"], "trump": "h"}
    table = Table(Game.from_position(**start), {1: "first"})
    table.play("attack Ac")
    assert shown_hands(table.scene) == {}
    while table.step():
        pass
    assert shown_hands(table.scene) == {1: [str(card) for card in table.game.hands[1]]} != {1: []}
    table.hands = "hidden"
    assert shown_hands(table.scene) == {}
    table.hands = "own"
    table.task = SimpleNamespace(is_single_move=False, is_decided=False, verdict=lambda _: None)  # type: ignore[assignment]
    assert shown_hands(table.scene) == {}
    table.task = None
    assert shown_hands(send_message(table, "goto", to_ply=1)) == {}


def check_hands(solved, seen) -> None:
    """Check one case of the next test."""
    game = Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h")
    table = Table(game, {1: "first"}, pace=0)
    table.task = SimpleNamespace(is_single_move=False, is_decided=True, verdict=lambda _: (solved, "So it is."))  # type: ignore[assignment]
    for move in ("attack Ks", "take", "attack 7d"):
        assert shown_hands(table.scene) == {}
        table.play(move)
    table.play("take")
    assert table.game.outcome
    assert {seat: {*cards} for seat, cards in shown_hands(table.scene).items()} == ({1: set(map(str, table.game.hands[1]))} if seen else {})


def test_the_fools_cards_are_shown_when_an_exercise_is_solved() -> None:
    """The game is over; not if it is missed, or kept and still changeable."""
    for solved, visible in [(True, True), (False, False), (None, False)]:
        check_hands(solved, visible)
