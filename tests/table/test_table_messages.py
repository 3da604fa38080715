"""Test messages of the table: they do what people intend, and none does harm."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import given

from durak_widget import Game, Move, Rules, Table
from durak_widget.table.message_handlers import MESSAGE_KINDS
from support.mixes import ALL_FACES, played, seeds
from support.sizes import tried
from support.spoken import english, english_text
from support.tables import TWO, all_moves, anything, deliver_message, finished_game, make_move, record_messages, send_message

# Messages of people


def test_a_move_is_played_and_shown() -> None:
    """The next scene is one move later, with the move, the player and words."""
    table = Table(seats=TWO, seed=7)
    send_message(table, "uncover_hand")
    before = table.scene
    scene = make_move(table, "attack Jc")
    assert (scene["id"], scene["ply"], scene["last_ply"]) == (before["id"] + 1, 1, 1)
    assert scene["last_move"] == {
        "seat": 0,
        "verb": "attack",
        "cards": ["Jc"],
        "sentences": [english_text("deed.attack", who="Player 1", cards="the jack of clubs")],
    }
    assert scene["table"] == [["Jc", None]]
    assert "note" not in scene


def test_an_illegal_move_is_refused_with_its_reason() -> None:
    """Nothing changes. The note has the rule in two forms and its code."""
    table = Table(seed=7)
    scene = make_move(table, "take")
    assert (scene["ply"], table.game.ply) == (0, 0)
    assert scene["note"]["kind"] == "refused"
    assert scene["note"]["code"] == "nothing_to_take"
    assert all(english("refusal.nothing_to_take").match(sentence) for sentence in scene["note"]["text"])
    table.refresh()
    assert "note" not in table.scene, "what was said once is not said again"


def test_a_move_for_another_player_is_refused() -> None:
    """At a bot's turn the person can't move."""
    table = Table(seats={1: "careful"}, seed=7)
    make_move(table, "attack Jc")
    assert table.game.actor == 1
    assert make_move(table, table.game.legal_moves()[0])["note"]["code"] == "not_your_turn"
    assert table.game.ply == 1


def test_only_some_messages_depend_on_the_moment() -> None:
    """These are moves, questions about moves, presence and branching. Others work at any moment."""
    assert [kind for kind, meaning in MESSAGE_KINDS.items() if meaning.needs_current_ply] == [
        "move",
        "explain_refusal",
        "hint",
        "uncover_hand",
        "drop_undone_moves",
    ]


def test_a_message_for_another_moment_is_refused() -> None:
    """The page showed an older ply."""
    for kind in [kind for kind, meaning in MESSAGE_KINDS.items() if meaning.needs_current_ply]:
        table = Table(seed=7)
        table.play("attack Jc")
        scene = deliver_message(table, {"kind": kind, "ply": 0, "game": 1, "move": "attack 9d", "card": "9d"})
        assert scene["note"] == {"kind": "info", "text": [english_text("table.stale")] * 2}
        assert (table.game.ply, scene["ply"]) == (1, 1)


def test_a_message_for_another_game_is_refused() -> None:
    """A click on an old game changes nothing."""
    for kind in MESSAGE_KINDS:
        table = Table(seed=7)
        sent = record_messages(table)
        send_message(table, "new_game")
        message = {
            "kind": kind,
            "ply": 0,
            "game": 1,
            "move": str(table.game.legal_moves()[0]),
            "card": "9d",
            "to_ply": 0,
            "seat": 0,
            "player": "first",
            "draft": {"preset": "siege"},
            "text": "6c | 7c",
        }
        game = table.game
        scene = deliver_message(table, message)
        assert scene["note"]["text"][0] == english_text("table.stale")
        assert (table.game, game.ply, scene["game"], table.players[0], sent) == (game, 0, 2, "you", [])


WHY_NOT_IS_ANSWERED_FOR_THE_CARD_THAT_WAS_TRIED = [
    ("podkidnoy", {"card": "6s"}, "too_low", english("refusal.too_low", card="the 6 of spades", target="the 7 of spades")),
    ("podkidnoy", {"card": "9c", "target": "7s"}, "wrong_suit", english("refusal.wrong_suit", card="the 9 of clubs", suit="clubs")),
    ("podkidnoy", {"card": "9c", "target": "7d"}, "already_beaten", english("refusal.already_beaten", by="the 8 of diamonds")),
    ("podkidnoy", {"card": "7c", "verb": "transfer"}, "transfer_not_played", english("refusal.transfer_not_played")),
    ("transfer", {"card": "7c", "verb": "transfer"}, "transfer_after_beating", english("refusal.transfer_after_beating")),
    ("passport", {"card": "7c", "verb": "show"}, "transfer_after_beating", english("refusal.transfer_after_beating")),
    ("poker", {"card": "7c", "verb": "swap"}, "not_your_turn", english("refusal.not_your_turn.you")),
    ("podkidnoy", {"card": "Ah"}, "not_in_hand", english("refusal.not_in_hand.you", card="the ace of hearts")),
    ("podkidnoy", {"card": "??"}, "unreadable", english("refusal.unreadable", text="'beat 7s ??'")),
    ("transfer", {"card": "??"}, "unreadable", english("refusal.unreadable", text="'beat 7s ??'")),
]


def test_why_not_explains_the_card_that_was_tried() -> None:
    """It is about the card, its target and the chosen verb."""
    for rules, intent, code, sentence in WHY_NOT_IS_ANSWERED_FOR_THE_CARD_THAT_WAS_TRIED:
        game = Game.from_position(rules, hands=["9h", "6s 7c 9c Ts"], trump="h", table="7d/8d 7s")
        note = send_message(Table(game, seats={0: "first", 1: "you"}), "explain_refusal", **intent)["note"]
        assert (note["kind"], note["code"], note["card"], note.get("target")) == ("refused", code, intent["card"], intent.get("target"))
        assert sentence.fullmatch(note["text"][1])
        assert game.ply == 0


@given(anything, seeds)
def test_why_not_has_an_answer_for_every_card(rules: Rules, seed: int) -> None:
    """Each card is explained or playable at every moment."""
    rng = Random(seed)
    table = Table(played(rules, seed, rng.randrange(60)), seats=dict.fromkeys(range(rules.players), "you"))
    send_message(table, "uncover_hand")
    for card, verb in product(rng.sample(ALL_FACES, 6), ("", "transfer", "show", "swap")):
        note = send_message(table, "explain_refusal", card=card, verb=verb)["note"]
        assert note["kind"] == "refused" or f"{card}" in str(table.game.legal_moves())
        assert all(sentence.endswith(".") and "{" not in sentence for sentence in note["text"])


def test_a_hint_comes_in_two_steps() -> None:
    """First a thought, then a legal move and why. At another's turn it is refused."""
    game = Game.from_position(hands=["6c 9h", "9c Ts Ah"], trump="h", table="7c", talon="8d 8s 8h Td")
    table = Table(game, seats={0: "careful", 1: "you"})
    assert "has_shown_thought" not in table.scene
    first = send_message(table, "hint")
    assert first["note"] == {"kind": "hint", "text": [english_text("hint.thought.plain")] * 2}
    assert (first["has_shown_thought"], first["can"]) == (True, {"hint": True})
    for _ in range(2):  # and again, whatever messages came between
        note = send_message(table, "hint")["note"]
        assert note["kind"] == "hint"
        assert game.why_not(f"beat {note['target']} {note['card']}") is None
        assert all(words in note["text"][1] for words in ("7 of clubs", "9 of clubs", english_text("hint.reason.plain")))
        send_message(table, "explain_refusal", card="Ts", target="7c")
    assert table.scene["can"] == {"hint": True}
    make_move(table, "take")
    assert "hint" not in table.scene["can"]
    assert "has_shown_thought" not in table.scene
    assert send_message(table, "hint")["note"]["text"][0] == english_text("table.no_hint")


def test_the_scene_is_sent_again_on_request() -> None:
    """A reloaded page gets everything, and nothing else happens."""
    table = Table(seed=7)
    before = table.scene
    assert {**send_message(table, "refresh"), "id": before["id"]} == before
    assert table.scene["id"] > before["id"]


def test_a_missing_moment_is_refused() -> None:
    """The game stays, and the message gives the range."""
    for to in [-1, 6, 10**30]:
        table = Table(played(Rules(), 7, 5))
        scene = send_message(table, "goto", to_ply=to)
        assert "goto takes 0 to 5" in scene["note"]["text"][0]
        assert (scene["ply"], scene["last_ply"], table.game.ply) == (5, 5, 5)


def test_every_moment_can_be_shown() -> None:
    """Test a finished game in both directions."""
    game = finished_game()
    table = Table(game.copy())
    for to in (0, 5, 3, game.ply, 1):
        scene = send_message(table, "goto", to_ply=to)
        assert (scene["ply"], scene["last_ply"], "result" in scene) == (to, game.ply, to == game.ply)
        assert table.game.moves == game.moves[:to]


def test_a_message_without_its_fields_is_refused() -> None:
    """Each kind names what is missing."""
    table = Table(seed=7)
    assert {kind: meaning.required_fields for kind, meaning in MESSAGE_KINDS.items() if meaning.required_fields} == {
        "move": ("move",), "explain_refusal": ("card",), "goto": ("to_ply",), "retry_decision": ("to_ply",), "play_opponent": ("player",), "draft": ("draft",), "deal": ("draft",), "check_text": ("text",), "open_text": ("text",), "seat_player": ("seat", "player"),
    }  # fmt: skip
    for kind, (name, *_) in ((kind, meaning.required_fields) for kind, meaning in MESSAGE_KINDS.items() if meaning.required_fields):
        text = send_message(table, kind)["note"]["text"][0]
        assert kind in text
        assert name in text


MALFORMED = [
    None,
    7,
    "move",
    [],
    {},
    {"kind": None},
    {"kind": []},
    {"kind": "cheat"},
    {"kind": "MOVE"},
    {"kind": "move", "move": 7},
    {"kind": "move", "move": None},
    {"kind": "move", "move": "take", "ply": "0"},
    {"kind": "move", "move": "take", "ply": True},
    {"kind": "move", "move": "take", "ply": 0.0},
    {"kind": "move", "move": "take", "ply": float("nan")},
    {"kind": "move", "move": "x" * 1000},
    {"kind": "explain_refusal", "card": "\ud800"},
    {"kind": "explain_refusal", "card": ["6c"]},
    {"kind": "explain_refusal", "card": "6c", "target": 7},
    {"kind": "explain_refusal", "card": "6c", "verb": {}},
    {"kind": "goto", "to_ply": "end"},
    {"kind": "goto", "to_ply": None},
    {"kind": "seat_player", "seat": 0, "player": None},
    {"kind": "seat_player", "seat": "0", "player": "you"},
    {"kind": "seat_player", "seat": 9, "player": "you"},
    {"kind": "seat_player", "seat": 0, "player": "nobody"},
    {"kind": "next_game"},
    {"kind": "draft", "draft": "siege"},
    {"kind": "draft", "draft": {"preset": "seige"}},
    {"kind": "draft", "draft": {"preset": ["siege"]}},
    {"kind": "draft", "draft": {"options": [1]}},
    {"kind": "draft", "draft": {"options": {"transfr": True}}},
    {"kind": "draft", "draft": {"options": {"transfer": 1}}},
    {"kind": "draft", "draft": {"seats": "you"}},
    {"kind": "draft", "draft": {"seats": [None]}},
    {"kind": "draft", "draft": {"seed": 7}},
    {"kind": "draft", "draft": {"number": "7"}},
    {"kind": "draft", "draft": {"number": 1.5}},
    {"kind": "deal", "draft": {"seed": "-1"}},
    {"kind": "deal", "draft": {"seats": ["you", "nobody"]}},
]


def test_a_malformed_message_is_answered_with_an_error() -> None:
    """Nothing is raised, and the scene says what is wrong."""
    for message in MALFORMED:
        table, given = Table(seed=7), message
        if isinstance(message, dict):
            given = {"ply": 0, "game": 1, **message}
        scene = deliver_message(table, given)
        assert scene["id"] == 2
        assert (scene["note"]["kind"], table.failures) == ("error", {})
        assert all(10 < len(sentence) < 300 for sentence in scene["note"]["text"])
        assert table.game.ply == 0


ODD = [
    None,
    -1,
    10**30,
    1.5,
    float("nan"),
    True,
    "",
    "x" * 500,
    "\ud800",
    "\x00",
    "🂡",
    "take",
    "attack Jc",
    [],
    {},
    [[]],
    "you",
    "uncover_hand",
    0,
    1,
]


def mangle(message: dict, rng: Random) -> object:
    """Return the message, perhaps with something wrong in it."""
    message = dict(message)
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        how, name = rng.randrange(5), rng.choice(list(message) or ["kind"])
        if how == 0:
            message.pop(name, None)
        elif how == 1:
            message[name] = rng.choice(ODD)
        elif how == 2:
            message[rng.choice(["drops_undone", "verb", "target", "player", "to_ply", "seat", "card", "move", "text"])] = rng.choice(ODD)
        elif how == 3:
            message["kind"] = rng.choice(list(MESSAGE_KINDS))
        elif isinstance(message[name], int):
            message[name] += rng.choice([-1, 1])
    return rng.choice(ODD) if rng.random() < 0.02 else message


def valid_message(table: Table, rng: Random) -> dict:
    """Return a message that a table might send now, or nearly so."""
    game, scene = table.game, table.scene
    moves = [*game.legal_moves(), *all_moves(game)] or ["take"]
    whole = {
        "move": str(rng.choice(moves)),
        "card": rng.choice(ALL_FACES),
        "to_ply": rng.randrange(game.last_ply + 1),
        "seat": rng.randrange(len(table.players)),
        "player": rng.choice(["you", "first", "random", "careful"]),
        "drops_undone": rng.random() < 0.5,
        "draft": {"preset": rng.choice(["siege", "poker", "teams"]), "players": rng.choice([2, 3, 9, None])},
        "text": str(game),
    }
    kind = rng.choice([*MESSAGE_KINDS, *["move", "uncover_hand"] * 12])
    needs = (*MESSAGE_KINDS[kind].required_fields, *["drops_undone"] * (kind == "move"))
    return {"kind": kind, "ply": scene["ply"], "game": scene["game"], **{name: whole[name] for name in needs}}


@pytest.mark.parametrize(
    ("rules", "seats"),
    [
        ("passport, players=3", {0: "you", 1: "you", 2: "you"}),
        ("poker, players=3", {0: "first", 1: "you", 2: "you"}),
    ],
)
def test_no_message_does_harm(rules: str, seats: dict) -> None:
    """A thousand messages, many mangled, are answered, and change only what they say."""
    table, rng = Table(rules, seats=seats, seed=5), Random(rules)
    sent, done = record_messages(table), Counter()
    for _ in range(tried(150, 1000)):
        table.step()
        game, scene, before, ply, count = table.game, table.scene, all_moves(table.game), table.game.ply, len(sent)
        legal, covered = game.legal_moves(), "covered" in scene
        message = mangle(valid_message(table, rng), rng)
        after = deliver_message(table, message)
        assert after["id"] > scene["id"] or len(sent) > count, message
        json.dumps([after, sent[count:]], ensure_ascii=False, allow_nan=False).encode()
        now = all_moves(table.game)
        kind = message.get("kind") if isinstance(message, dict) else None
        if table.game is not game:
            assert kind in {"new_game", "next_game", "deal", "open_text", "play_opponent"}
            assert (now, after["game"]) == (before if kind == "open_text" else (), scene["game"] + 1)
        elif now != before:
            assert kind in {"move", "drop_undone_moves"}
            if kind == "drop_undone_moves":
                assert (now, table.game.ply) == (before[:ply], ply)
            else:
                assert not covered
                assert message.get("drops_undone") is True or ply == len(before) or scene.get("taken_back")
                assert Move(message["move"]) in legal
                assert now == (*before[:ply], Move(message["move"]))
        elif table.game.ply != ply:
            assert kind in {"undo", "redo", "goto"} or (kind == "move" and Move(message["move"]) is before[ply])
        assert (after["ply"], after["last_ply"]) == (table.game.ply, table.game.last_ply)
        done[kind if "note" not in after else after["note"]["kind"]] += 1
    assert {"error", "info"} <= done.keys()
    assert done["move"] > tried(2, 10)
