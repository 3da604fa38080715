"""A table before a class: hands that lie open or hidden, no covers among friends, seats that are turned, bots that go step by step."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from durak_widget import Game, Table
from support.loops import run, seen, settled
from support.tables import TWO, move, say

THREE = {0: "you", 1: "first", 2: "first"}


def hands(scene: dict) -> dict[int, list[str]]:
    """Which other hands a scene shows."""
    return {seat: one["hand"] for seat, one in enumerate(scene["seats"]) if "hand" in one}


def test_no_other_hand_is_told_unless_it_is_asked_for() -> None:
    """Closed at first; open, each at its seat; closed again when the setting goes."""
    table = Table("podkidnoy, players=3", THREE, seed=7)
    assert hands(table.scene) == {}
    table.hands = "open"
    assert {seat: set(cards) for seat, cards in hands(table.scene).items()} == {
        seat: {str(card) for card in table.game.hands[seat]} for seat in (1, 2)
    }
    table.hands = "own"
    assert hands(table.scene) == {}


def test_the_page_may_open_them_but_not_in_an_exercise() -> None:
    """There its author says, and the page is told how it stays."""
    table, told = Table(seed=7), []
    table.set_state({"hands": "open"})
    assert hands(table.scene)
    table.hands = "own"
    table.task = SimpleNamespace(is_single_move=False, is_decided=False, verdict=lambda _: None)  # type: ignore[assignment]
    table.send_state = lambda key=None: told.append(key)
    table.set_state({"hands": "open", "sound": True})
    assert (table.hands, hands(table.scene), table.sound, told[-1]) == ("own", {}, True, "hands")
    table.hands = "open"
    assert hands(table.scene)


def test_bots_see_no_open_hand() -> None:
    """What lies open before the class does not reach a bot."""
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


def test_hidden_hands_are_nobodys() -> None:
    """Who watches sees backs alone, and no word on what could be played; the verdict is told at the end."""
    table = Table(Game(seed=7), seed=1, hands="hidden")
    scene = table.scene
    assert (scene["covered"], scene["closed"], scene["hand"], scene["legal"]) == (True, True, [], {})
    assert move(table, "attack Jc")["ply"] == 0
    while table.game.actor is not None:
        table.play(table.game.legal_moves()[0])
    assert table.scene["over"]["said"]


def test_among_friends_no_hand_is_covered() -> None:
    """The table shows whoever is to act, at once; with covers again, they say first that they are there."""
    table = Table(Game(seed=7), TWO, covers=False)
    assert "covered" not in table.scene
    move(table, "attack Jc")
    assert (table.scene["me"], "covered" in table.scene, len(table.scene["hand"])) == (1, False, 6)
    table.covers = True
    move(table, "take")
    assert table.scene["covered"]


def test_among_friends_the_last_one_stays_while_bots_play() -> None:
    """Between two people's turns nobody's hand comes and goes."""
    table = Table(Game("podkidnoy, players=3", seed=7), {0: "you", 1: "first", 2: "you"}, covers=False, pace=60_000)
    while table.game.actor != 2:
        table.play(table.game.legal_moves()[0])
    move(table, table.game.legal_moves()[0])
    while table.game.actor != 1:
        table.play(table.game.legal_moves()[0])
    assert (table.scene["me"], "covered" in table.scene) in {(0, False), (2, False)}


def test_the_seats_are_turned_where_hands_lie_open() -> None:
    """One looks from each in turn, without a word on what a bot could play; and goes home."""
    table = Table(Game("podkidnoy, players=3", seed=7), THREE, hands="open", pace=60_000)
    seen = []
    for _ in range(3):
        say(table, "turn")
        seen.append((table.scene["me"], table.scene.get("turned", False), table.scene["legal"] == {}))
    assert [me for me, *_ in seen] == [1, 2, 0]
    assert [turned for _, turned, _ in seen] == [True, True, False]
    assert all(quiet for me, _, quiet in seen if me)
    say(table, "turn")
    assert say(table, "home")["me"] == 0


def test_nobody_plays_for_a_bot_from_its_seat() -> None:
    """Its card is refused there, and the game stands."""
    table = Table(Game(seed=7), {0: "first", 1: "you"}, hands="open", pace=60_000)
    scene = say(table, "turn")
    assert (scene["me"], scene["actor"]) == (0, 0)
    assert move(table, "attack Jc")["note"]["kind"] == "told"
    assert table.game.ply == 0


def test_the_seats_stay_where_a_hand_would_be_shown() -> None:
    """With hands closed one has one's own seat, and is told why; what was turned goes back when they close."""
    table = Table(Game(seed=7), seed=1, pace=60_000)
    assert say(table, "turn")["note"]["said"][0].startswith("From another seat you may look where")
    assert table.scene["me"] == 0
    table.hands = "open"
    say(table, "turn")
    table.hands = "own"
    assert (table.scene["me"], hands(table.scene)) == (0, {})
    hot = Table(Game(seed=7), TWO)
    say(hot, "here")
    assert say(hot, "turn")["me"] == 0


def test_nobody_is_there_for_a_bot() -> None:
    """Who says “I am here” at a bot's seat that was open does not keep its hand when all are closed."""
    table = Table(Game(seed=7), {0: "first", 1: "you"}, hands="open", pace=60_000)
    say(table, "turn")
    say(table, "here")
    table.hands = "own"
    assert table.scene["me"] == 1


def test_friends_turn_the_seats_between_them() -> None:
    """Till another one is called, who then is shown."""
    table = Table(Game(seed=7), TWO, covers=False)
    assert say(table, "turn")["me"] == 1
    table.play("attack Jc")
    assert table.scene["me"] == 1
    table.play("take")
    assert table.scene["me"] == 0


@pytest.mark.parametrize("language", ["en", "lt", "ru"])
def test_whoever_looks_from_a_bots_seat_is_not_spoken_to(language: str) -> None:
    """The call names the player to act, and says nobody is “you”."""
    table = Table(Game(seed=7), {0: "first", 1: "you"}, hands="open", pace=60_000, language=language)
    scene = say(table, "turn")
    assert scene["me"] == 0
    assert "1" in scene["call"][0]


def test_bots_wait_for_the_next_step() -> None:
    """With steps, each of their moves waits for a word, and none comes by itself; without, they go on."""

    async def story() -> None:
        table = Table("podkidnoy", {0: "first", 1: "first"}, seed=7, pace=0, steps=True)
        await settled()
        assert (table.game.ply, table.scene["step"]) == (0, True)
        assert all("bot" not in seat for seat in table.scene["seats"])
        for ply in (1, 2, 3):
            say(table, "step")
            await seen(table, lambda scene, ply=ply: scene["ply"] == ply)
            await settled()
            assert (table.game.ply, table.scene["step"]) == (ply, True)
        table.steps = False
        await seen(table, lambda scene: "over" in scene)

    run(story)


def test_the_bot_that_thinks_waits_too_when_steps_are_switched_on() -> None:
    """What it had begun is begun again at the next word."""

    async def story() -> None:
        table = Table("podkidnoy", {0: "first", 1: "first"}, seed=7, pace=60_000)
        table.refresh()
        await settled()
        table.steps = True
        table.pace = 0
        for _ in range(20):
            await settled()
        assert (table.game.ply, table.scene["step"]) == (0, True)
        say(table, "step")
        await seen(table, lambda scene: scene["ply"] == 1)

    run(story)


def test_a_step_is_nothing_to_a_person() -> None:
    """Whose turn it is, plays."""
    table = Table(seed=7, steps=True)
    assert say(table, "step")["ply"] == 0
    assert "step" not in table.scene


def test_when_it_is_over_the_cards_that_are_left_turn_up() -> None:
    """Those of the fool, and no moment earlier; not in an exercise, not where no hand shall be seen, and not under a cover."""
    start = {"hands": ["Ac", "6c 7d"], "trump": "h"}
    table = Table(Game.from_position(**start), {1: "first"})
    table.play("attack Ac")
    assert hands(table.scene) == {}
    while table.step():
        pass
    assert hands(table.scene) == {1: [str(card) for card in table.game.hands[1]]} != {1: []}
    table.hands = "hidden"
    assert hands(table.scene) == {}
    table.hands = "own"
    table.task = SimpleNamespace(is_single_move=False, is_decided=False, verdict=lambda _: None)  # type: ignore[assignment]
    assert hands(table.scene) == {}
    table.task = None
    assert hands(say(table, "goto", to=1)) == {}


def check_hands(solved, seen) -> None:
    """Check one case of the next test."""
    game = Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h")
    table = Table(game, {1: "first"}, pace=0)
    table.task = SimpleNamespace(is_single_move=False, is_decided=True, verdict=lambda _: (solved, "So it is."))  # type: ignore[assignment]
    for one in ("attack Ks", "take", "attack 7d"):
        assert hands(table.scene) == {}
        table.play(one)
    table.play("take")
    assert table.game.outcome
    assert {seat: {*cards} for seat, cards in hands(table.scene).items()} == ({1: set(map(str, table.game.hands[1]))} if seen else {})


def test_where_a_task_is_done_the_fools_cards_turn_up() -> None:
    """The game is over, so all may be seen; not where it is missed, and tried again, nor where an answer is only kept and may yet be changed."""
    for solved, shown in [(True, True), (False, False), (None, False)]:
        check_hands(solved, shown)
