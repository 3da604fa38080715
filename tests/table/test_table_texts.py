"""Test texts beside the game: last actions, last words, spoken descriptions, and tables of bots."""

from __future__ import annotations

import pytest

from durak_widget import Card, Game, Match, Rules, Table
from durak_widget.engine.narration import sort_hand
from durak_widget.engine.outcome_wording import build_farewell_fact
from durak_widget.i18n import LANGUAGES, Seat, Translator
from support.spoken import english_text
from support.tables import record_messages, send_message

THREE = {"hands": ["7c 9d Kc", "9c Th Ac", "7d 9s Qs"], "trump": "h"}


def scenes_of_game(*moves: str, **placed: object) -> list[dict]:
    """Return Player 1's scenes at a table of three, after each of these moves."""
    table = Table(Game.from_position("podkidnoy, players=3", **{**THREE, **placed}), seats={0: "you", 1: "first", 2: "first"}, pace=60_000)
    scenes = []
    for move in moves:
        table.game.play(move)
        table.refresh()
        scenes.append(table.scene)
    return scenes


def test_a_seats_last_action_is_shown_until_its_next() -> None:
    """It is short and of this bout. The viewer's own is not shown."""
    actions = [
        [seat.get("last_action") for seat in scene["seats"]]
        for scene in scenes_of_game("attack 7c", "beat 7c 9c", "throw 9d", "take", "pass")
    ]
    assert actions == [
        [None, None, None],
        [None, "beats 7♣︎", None],
        [None, "beats 7♣︎", None],
        [None, "takes", None],
        [None, "takes", "passes"],
    ]


def test_last_actions_stay_until_the_next_bout_starts() -> None:
    """After a bout you still see them, and the next action clears the others."""
    scenes = scenes_of_game("attack 7c", "take", "throw 7d", "attack 9s")
    assert [scene["bout"] - scenes[0]["bout"] for scene in scenes] == [0, 0, 1, 1]
    assert [seat.get("last_action") for seat in scenes[2]["seats"]] == [None, "takes", "throws in 7♦︎"]
    assert [seat.get("last_action") for seat in scenes[3]["seats"]] == [None, None, english_text("did.attack", cards="9♠︎")]


def test_the_player_of_a_card_is_shown_where_unclear() -> None:
    """With three players each attacking card has its seat. With two it needs none."""
    assert scenes_of_game("attack 7c", "beat 7c 9c", "throw 9d")[-1]["attackers"] == [0, 0]
    twins = Game.from_position("two_decks, players=3", hands=["7c 8d", "9c Th Ac", "7c 6s"], trump="h", attacker=0)
    for move in ("attack 7c", "beat 7c 9c", "throw 7c"):
        twins.play(move)
    assert Table(twins, seats={0: "you", 1: "first", 2: "first"}).scene["attackers"] == [0, 2], "twins are told apart by who laid them"
    assert "attackers" not in Table(Game.from_position(hands=["7c 8c", "9c Td"], table="7d", trump="h")).scene
    assert "attackers" not in Table(Game.from_position("podkidnoy, players=3", **THREE, table="8d")).scene


def test_picking_up_is_announced_once() -> None:
    """The cards say it. While others may throw in, only the word is there."""
    table = Table(Game.from_position(hands=["7c 8c", "9d Td"], trump="h"), seats={1: "you", 0: "first"}, pace=60_000)
    for move in ("attack 7c", "take"):
        table.game.play(move)
    table.refresh()
    assert table.scene["last_move"]["sentences"][0] == Translator(own_seat=0).translate("end.taken", who=Seat(0), count=1)
    assert not any(line.count("You take") > 1 for line in table.scene["commentary"])


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_player_gets_a_last_word(language: str) -> None:
    """Safe, fool and tie have a sentence each. Who did not win hears how many bouts it took."""
    texts = set()
    for rules, hands, moves in (
        ("podkidnoy", ["7c", "8d 9d"], ["attack 7c", "take"]),
        ("podkidnoy", ["7c", "9c"], ["attack 7c", "beat 7c 9c"]),
    ):
        game = Game.from_position(rules, hands=hands, trump="h")
        for move in moves:
            game.play(move)
        for seat in (0, 1):
            fact = build_farewell_fact(game.outcome, seat, 21)
            texts.add(Translator(language, own_seat=seat).translate(fact.key, **fact.facts))
    assert len(texts) == 3
    assert sum("21" in sentence for sentence in texts) == 2


def test_partners_get_the_farewell_of_their_side() -> None:
    """Partners are out or lose together."""
    game = Game.from_position("teams, players=4", hands=["7c", "8d 9d", "", "9s"], trump="h", attacker=0, bout=9)
    match = Match.from_game(game)
    while match.game.actor is not None:
        match.game.play(match.game.legal_moves()[-1])
    outcome = match.game.outcome
    keys = {build_farewell_fact(outcome, seat, 1).key for seat in range(4)}
    assert keys <= {"farewell.won", "farewell.fool", "farewell.lost"}
    assert "farewell.won" in keys


def test_the_whole_table_is_described_on_request() -> None:
    """It has turn, task, seats, cards, talon, trumps, hand and legal moves in the table's language."""
    table = Table(seed=7, language="en")
    heard = record_messages(table)
    send_message(table, "describe_table")
    [spoken] = [message for message in heard if message["kind"] == "announcement"]
    call = table.scene["call_to_action"][0]
    for part in (call, "Player 2", "Table: empty", "Trump: hearts", "Talon, 24 cards", "jack of clubs"):
        assert part in spoken["text"]
    assert "\n" not in spoken["text"]


def test_picked_up_cards_are_named_in_the_spoken_text() -> None:
    """Yours are named, others' counted, covered ones counted."""
    game = Game.from_position(
        "podkidnoy, players=3, hand_size=2", hands=["7c 8d", "9c Th", "9d 6s"], trump="h", talon="Ac Kd Qs Jh", attacker=0
    )
    game.play("attack 7c")
    table = Table(game, seats={0: "you", 1: "you", 2: "first"}, pace=60_000)
    table.play("take")
    assert "ace of clubs" not in str(table.scene), "player 2, who took, looks on"
    for seat, sentences in (
        (0, ["Player 2 takes 1 card.", "You draw the ace of clubs."]),
        (1, ["You take 1 card.", "Player 1 draws 1 card."]),
    ):
        looks = Table(game, seats={seat: "you", **{other: "first" for other in range(3) if other != seat}}, pace=60_000)
        assert looks.scene["last_move"]["sentences"] == sentences


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_a_part_of_the_table_is_described_on_request(language: str) -> None:
    """Hand, last action, trumps and piles have sentences that are in the whole text or were spoken."""
    game = Game.from_position("podkidnoy, hand_size=2", hands=["7c 8d", "9c Th"], trump="h", talon="Ac Kd Qs Jh", turn_up="Jh", attacker=0)
    table = Table(game, seats={0: "you", 1: "first"}, pace=60_000, language=language)
    heard = record_messages(table)

    def asked(kind: str) -> str:
        heard.clear()
        send_message(table, kind)
        return str(heard[-1]["text"])

    assert asked("describe_last_moves") == Translator(language).translate("told.nothing")
    table.play("attack 7c")
    table.play("take")
    whole, now = asked("describe_table"), Translator(language, own_seat=0)
    assert asked("describe_piles") in whole
    assert asked("describe_hand").partition(": ")[2] == ", ".join(map(now.name_card, sort_hand(table.game.view(0)))) + "."
    assert asked("describe_last_moves").endswith(" ".join(table.scene["last_move"]["sentences"]))
    assert now.translate("deed.attack", who=Seat(0), cards=(Card("7c"),)) in asked("describe_last_moves")


def test_a_table_of_bots_addresses_nobody_as_you() -> None:
    """No card can be clicked, and no hint is offered."""
    table = Table(Rules(players=3), seats={0: "first", 1: "first", 2: "first"}, seed=7, pace=60_000)
    for _ in range(4):
        scene = table.scene
        assert (scene["legal"], scene["can"].get("hint")) == ({}, None)
        assert not any("you" in text.casefold() for text in [*scene["call_to_action"], *scene.get("commentary", [])])
        table.step()


def test_bots_alone_pause_and_start() -> None:
    """*Pause* stops them, *Start* continues."""
    table = Table(seats={0: "first", 1: "first"}, seed=7, pace=60_000)
    send_message(table, "start")
    assert "is_waiting" not in table.scene
    send_message(table, "stop")
    assert table.scene["is_waiting"] is True
    send_message(table, "start")
    assert "is_waiting" not in table.scene


def test_a_pass_need_not_end_the_bout_with_three_players() -> None:
    """Somebody else may still throw in. With two it ends."""
    three = Game.from_position("podkidnoy, players=3", **THREE)
    for move in ("attack 7c", "beat 7c 9c"):
        three.play(move)
    assert Table(three, seats={0: "you", 1: "first", 2: "first"}, pace=60_000).scene["can"].get("done") is True
    three.play("pass")
    assert three.actor == 2
    last = Table(three, seats={0: "first", 1: "first", 2: "you"}, pace=60_000).scene
    assert "pass" in last["legal"]
    assert "done" not in last["can"], "nobody else may lay a card"
    two = Table(Game.from_position(hands=["7c 9d", "9c Td"], trump="h", table="7s/9s", attacker=0), seats={1: "first"})
    assert "pass" in two.scene["legal"]
    assert "done" not in two.scene["can"]
