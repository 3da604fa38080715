"""The table below the browser: what it shows, what it takes people to mean, how its bots come to play, and that it tells no secret."""

from __future__ import annotations

import asyncio
import gc
import json
import re
import threading
from collections import Counter
from itertools import combinations, cycle, product
from random import Random

import ipywidgets
import pytest
from hypothesis import given, settings
from traitlets import TraitError

from durak_widget import BotError, Card, DurakError, Game, IllegalMove, Match, Move, Rules, RulesError, Table, bots
from durak_widget.bots import bot as bot_module
from durak_widget.cards import SUIT_NAMES, CardSet
from durak_widget.game import telling
from durak_widget.widget import intents
from durak_widget.widget import table as table_module
from durak_widget.widget.scene import short
from durak_widget.words import LANGUAGES, screen
from mixes import ALL_FACES, mixes, played, presets, seeds

TWO = {0: "you", 1: "you"}
anything = presets | mixes


@pytest.fixture(autouse=True)
def _cleared():
    """Tables are kept by ipywidgets until they are closed."""
    yield
    ipywidgets.Widget.close_all()


def tell(table: Table, message: object) -> dict:
    """Give the table a message as ipywidgets does, but for the net under its callbacks, which would hide what they raise."""
    for callback in tuple(table._msg_callbacks.callbacks):
        callback(table, message, [])
    return table.scene


def say(table: Table, kind: str, **more: object) -> dict:
    """What a person before the table means, with the moment that they see; the scene that answers."""
    return tell(table, {"kind": kind, "ply": table.scene["ply"], "game": table.scene["game"], **more})


def move(table: Table, text: object, **more: object) -> dict:
    """A move of the person before the table."""
    return say(table, "move", move=str(text), **more)


def listening(table: Table) -> list[dict]:
    """What the table sends besides its scenes, from now on."""
    sent: list[dict] = []
    table.send = sent.append
    return sent


def line(game: Game) -> tuple[Move, ...]:
    """All moves of a game, with those that were undone."""
    ahead = game.copy()
    ahead.goto(ahead.last_ply)
    return ahead.moves


def ended(rules: Rules | str = "podkidnoy", seed: int = 3) -> Game:
    """A game that is over."""
    return played(rules if isinstance(rules, Rules) else Rules.parse(rules), seed, 5000)


# What people mean


def test_a_move_is_played_and_shown() -> None:
    """The next scene stands one move later, with what was done, by whom, and in words."""
    table = Table(seats=TWO, seed=7)
    say(table, "here")
    before = table.scene
    scene = move(table, "attack Jc")
    assert (scene["id"], scene["ply"], scene["last"]) == (before["id"] + 1, 1, 1)
    assert scene["did"] == {"seat": 0, "verb": "attack", "cards": ["Jc"], "said": ["Player 1 attacks with the jack of clubs."]}
    assert scene["table"] == [["Jc", None]]
    assert "note" not in scene


def test_a_move_that_is_not_legal_is_refused_with_its_reason() -> None:
    """Nothing changes; the note names the rule in both ways, and its code."""
    table = Table(seed=7)
    scene = move(table, "take")
    assert (scene["ply"], table.game.ply) == (0, 0)
    assert scene["note"]["kind"] == "refused"
    assert scene["note"]["code"] == "nothing_to_take"
    assert [said[:26] for said in scene["note"]["said"]] == ["There is nothing to take: "] * 2
    table.refresh()
    assert "note" not in table.scene, "what was said once is not said again"


def test_a_move_of_somebody_else_is_refused() -> None:
    """While a bot is to act, the person at the table cannot act for it."""
    table = Table(seats={1: "careful"}, seed=7)
    move(table, "attack Jc")
    assert table.game.actor == 1
    assert move(table, table.game.legal_moves()[0])["note"]["code"] == "not_your_turn"
    assert table.game.ply == 1


@pytest.mark.parametrize("kind", intents.AT_THIS_PLY)
def test_what_was_meant_for_another_moment_is_not_done(kind: str) -> None:
    """Somebody who saw an older ply is told to look again."""
    table = Table(seed=7)
    table.play("attack Jc")
    scene = tell(table, {"kind": kind, "ply": 0, "game": 1, "move": "attack 9d", "card": "9d"})
    assert scene["note"] == {"kind": "told", "said": ["The table has moved on: look again."] * 2}
    assert (table.game.ply, scene["ply"]) == (1, 1)


@pytest.mark.parametrize("kind", intents.KINDS)
def test_what_was_meant_for_another_game_is_not_done(kind: str) -> None:
    """A click on a game that has been put away changes nothing in the new one."""
    table = Table(seed=7)
    sent = listening(table)
    say(table, "new")
    message = {
        "kind": kind,
        "ply": 0,
        "game": 1,
        "move": str(table.game.legal_moves()[0]),
        "card": "9d",
        "to": 0,
        "seat": 0,
        "who": "first",
    }
    game = table.game
    scene = tell(table, message)
    assert scene["note"]["said"][0] == "The table has moved on: look again."
    assert (table.game, game.ply, scene["game"], table.players[0], sent) == (game, 0, 2, "you", [])


@pytest.mark.parametrize(
    ("rules", "intent", "code", "words"),
    [
        ("podkidnoy", {"card": "6s"}, "too_low", "The 6 of spades does not beat the 7 of spades: "),
        ("podkidnoy", {"card": "9c", "on": "7s"}, "wrong_suit", "The 9 of clubs does not beat the 7 of spades: different suits, "),
        ("podkidnoy", {"card": "9c", "on": "7d"}, "already_beaten", "The 7 of diamonds is beaten already, by the 8 of diamonds."),
        ("podkidnoy", {"card": "7c", "as": "transfer"}, "transfer_not_played", "Attacks are not passed on under these rules: "),
        ("transfer", {"card": "7c", "as": "transfer"}, "transfer_after_beating", "The attack can no longer be passed on: "),
        ("passport", {"card": "7c", "as": "show"}, "transfer_after_beating", "The attack can no longer be passed on: "),
        ("poker", {"card": "7c", "as": "swap"}, "not_your_turn", "Not now: it is your turn to beat or take."),
        ("podkidnoy", {"card": "Ah"}, "not_in_hand", "The ace of hearts is not in your hand."),
        ("podkidnoy", {"card": "??"}, "unreadable", "'beat 7s ??' is not a move: "),
    ],
)
def test_why_not_is_answered_for_the_card_that_was_tried(rules: str, intent: dict, code: str, words: str) -> None:
    """The card tried, on the card that it was tried on, in the way that was chosen: the rule that forbids just that."""
    game = Game.from_position(rules, hands=["9h", "6s 7c 9c Ts"], trump="h", table="7d/8d 7s")
    note = say(Table(game, seats={0: "first", 1: "you"}), "why", **intent)["note"]
    assert (note["kind"], note["code"], note["card"], note.get("on")) == ("refused", code, intent["card"], intent.get("on"))
    assert note["said"][1].startswith(words)
    assert game.ply == 0


@settings(max_examples=40)
@given(anything, seeds)
def test_why_not_has_an_answer_for_every_card(rules: Rules, seed: int) -> None:
    """Whatever is tried at whatever moment is explained, or may be played now."""
    rng = Random(seed)
    table = Table(played(rules, seed, rng.randrange(60)), seats=dict.fromkeys(range(rules.players), "you"))
    say(table, "here")
    for card, verb in product(rng.sample(ALL_FACES, 6), ("", "transfer", "show", "swap")):
        note = say(table, "why", card=card, **{"as": verb})["note"]
        assert note["kind"] == "refused" or f"{card}" in str(table.game.legal_moves())
        assert all(said.endswith(".") and "{" not in said for said in note["said"])


def test_a_hint_names_a_move_that_may_be_made() -> None:
    """The card and its target make a legal move; who is not to act is told so."""
    game = Game.from_position(hands=["6c 9h", "9c Ts Ah"], trump="h", table="7c")
    table = Table(game, seats={0: "careful", 1: "you"})
    note = say(table, "hint")["note"]
    assert note["kind"] == "hint"
    assert game.why_not(f"beat {note['on']} {note['card']}") is None
    assert note["said"][1] == "Hint: Beat the 7 of clubs with the 9 of clubs."
    assert table.scene["can"] == {"hint": True}
    move(table, "take")
    assert "hint" not in table.scene["can"]
    assert say(table, "hint")["note"]["said"][0] == "There is no hint now: it is not your turn."


def test_the_scene_is_shown_again_to_who_asks() -> None:
    """A page that has come back is told what there is to see, and nothing else happens."""
    table = Table(seed=7)
    before = table.scene
    assert {**say(table, "show"), "id": before["id"]} == before
    assert table.scene["id"] > before["id"]


@pytest.mark.parametrize("to", [-1, 6, 10**30])
def test_a_moment_that_is_not_there_is_refused(to: int) -> None:
    """Going to it leaves the game where it is, and says which moments there are."""
    table = Table(played(Rules(), 7, 5))
    scene = say(table, "goto", to=to)
    assert "goto takes 0 to 5" in scene["note"]["said"][0]
    assert (scene["ply"], scene["last"], table.game.ply) == (5, 5, 5)


def test_every_moment_can_be_gone_to() -> None:
    """Back and forth through a game that is over: each scene is that of its moment."""
    game = ended()
    table = Table(game.copy())
    for to in (0, 5, 3, game.ply, 1):
        scene = say(table, "goto", to=to)
        assert (scene["ply"], scene["last"], "over" in scene) == (to, game.ply, to == game.ply)
        assert table.game.moves == game.moves[:to]


def test_a_message_without_what_it_needs_is_refused() -> None:
    """Each kind says what it lacks."""
    table = Table(seed=7)
    for kind, name in (("move", "move"), ("why", "card"), ("goto", "to"), ("seat", "seat")):
        assert say(table, kind)["note"]["said"][0] == f"a message of the kind {kind} says {name} too"


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
    {"kind": "why", "card": "\ud800"},
    {"kind": "why", "card": ["6c"]},
    {"kind": "why", "card": "6c", "on": 7},
    {"kind": "why", "card": "6c", "as": {}},
    {"kind": "goto", "to": "end"},
    {"kind": "goto", "to": None},
    {"kind": "seat", "seat": 0, "who": None},
    {"kind": "seat", "seat": "0", "who": "you"},
    {"kind": "seat", "seat": 9, "who": "you"},
    {"kind": "seat", "seat": 0, "who": "nobody"},
    {"kind": "next"},
]


@pytest.mark.parametrize("message", MALFORMED, ids=range(len(MALFORMED)))
def test_a_malformed_message_is_answered_by_an_error(message: object) -> None:
    """Nothing is raised and nothing is swallowed: the scene says what is wrong with it, in a sentence."""
    table = Table(seed=7)
    if isinstance(message, dict):
        message = {"ply": 0, "game": 1, **message}
    scene = tell(table, message)
    assert scene["id"] == 2
    assert scene["note"]["kind"] == "error"
    assert all(10 < len(said) < 300 for said in scene["note"]["said"])
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
    "here",
    0,
    1,
]


def mangled(message: dict, rng: Random) -> object:
    """The message with something wrong in it, or not."""
    message = dict(message)
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        how, name = rng.randrange(5), rng.choice(list(message) or ["kind"])
        if how == 0:
            message.pop(name, None)
        elif how == 1:
            message[name] = rng.choice(ODD)
        elif how == 2:
            message[rng.choice(["branch", "as", "on", "who", "to", "seat", "card", "move"])] = rng.choice(ODD)
        elif how == 3:
            message["kind"] = rng.choice(intents.KINDS)
        elif isinstance(message[name], int):
            message[name] += rng.choice([-1, 1])
    return rng.choice(ODD) if rng.random() < 0.02 else message


def good(table: Table, rng: Random) -> dict:
    """A message that a table might send at this moment, or a little off."""
    game, scene = table.game, table.scene
    moves = [*game.legal_moves(), *line(game)] or ["take"]
    whole = {
        "move": str(rng.choice(moves)),
        "card": rng.choice(ALL_FACES),
        "to": rng.randrange(game.last_ply + 1),
        "seat": rng.randrange(len(table.players)),
        "who": rng.choice(["you", "first", "random", "careful"]),
        "branch": rng.random() < 0.5,
    }
    kind = rng.choice([*intents.KINDS, *["move", "here"] * 5])
    needs = {"move": ("move", "branch"), "why": ("card",), "goto": ("to",), "seat": ("seat", "who")}.get(kind, ())
    return {"kind": kind, "ply": scene["ply"], "game": scene["game"], **{name: whole[name] for name in needs}}


@pytest.mark.parametrize(
    ("rules", "seats"),
    [
        ("podkidnoy", {1: "careful"}),
        ("passport, players=3", {0: "you", 1: "you", 2: "you"}),
        ("siege, weli=sixes", {0: "you", 1: "you"}),
        ("poker, players=3", {0: "first", 1: "you", 2: "you"}),
        ("full_jokers, decks=2", {0: "first", 1: "first"}),
    ],
)
def test_no_message_does_any_harm(rules: str, seats: dict) -> None:
    """Of a thousand messages, many mangled, each is answered, and none does to the game what it does not say."""
    table, rng = Table(rules, seats=seats, seed=5), Random(rules)
    sent, done = listening(table), Counter()
    for _ in range(1000):
        table.step()
        game, scene, before, ply, count = table.game, table.scene, line(table.game), table.game.ply, len(sent)
        legal, covered = game.legal_moves(), "covered" in scene
        message = mangled(good(table, rng), rng)
        after = tell(table, message)
        assert after["id"] > scene["id"] or len(sent) > count, message
        json.dumps([after, sent[count:]], ensure_ascii=False, allow_nan=False).encode()
        now = line(table.game)
        kind = message.get("kind") if isinstance(message, dict) else None
        if table.game is not game:
            assert kind in {"new", "next"}
            assert (now, after["game"]) == ((), scene["game"] + 1)
        elif now != before:
            assert kind in {"move", "branch"}
            if kind == "branch":
                assert (now, table.game.ply) == (before[:ply], ply)
            else:
                assert not covered
                assert message.get("branch") is True or ply == len(before)
                assert Move(message["move"]) in legal
                assert now == (*before[:ply], Move(message["move"]))
        elif table.game.ply != ply:
            assert kind in {"undo", "redo", "goto"} or (kind == "move" and Move(message["move"]) is before[ply])
        assert (after["ply"], after["last"]) == (table.game.ply, table.game.last_ply)
        done[kind if "note" not in after else after["note"]["kind"]] += 1
    assert {"error", "told"} <= done.keys()
    assert done["move"] > 10


# Back and forth


@settings(max_examples=60)
@given(anything, seeds)
def test_undo_and_redo_land_where_a_person_is_to_act(rules: Rules, seed: int) -> None:
    """Undo goes back to the last decision of a person at the table, redo on to the next; among bots alone, move by move."""
    rng = Random(seed)
    seats = {seat: rng.choice(["you", "first"]) for seat in range(rules.players)}
    people = {seat for seat, player in seats.items() if player == "you"}
    game = played(rules, seed, rng.randrange(1, 80))
    course = [one.seat for one in game.course]
    table = Table(game, seats=seats)
    table.game.goto(rng.randrange(game.ply + 1))
    table.refresh()
    for _ in range(12):
        ply, last = game.ply, game.last_ply
        kind = rng.choice(["undo", "redo"])
        scene = say(table, kind)
        if kind == "undo":
            mine = [at for at in range(ply) if course[at] in people]
            to = mine[-1] if mine else max(ply - 1, 0)
        else:
            mine = [at for at in range(ply + 1, last) if course[at] in people]
            to = mine[0] if mine else last if people else min(ply + 1, last)
        assert (scene["ply"], scene["last"]) == (to, last)
        assert ("note" in scene) == (ply == to)
        assert scene["can"].get("undo", False) == (to > 0)
        assert scene["can"].get("redo", False) == (to < last)


def test_what_was_undone_is_dropped_only_when_that_is_asked_for() -> None:
    """Another move is refused at first, played with `branch`, and then there is nothing more to redo."""
    table = Table(seats={1: "first"}, seed=7)
    move(table, "attack Jc")
    table.step()
    say(table, "goto", to=0)
    first, other = table.game.legal_moves()[:2]
    scene = move(table, other)
    assert scene["note"]["said"][0] == "Moves that were undone would be dropped: ask for that first."
    assert (scene["ply"], scene["last"]) == (0, 2)
    scene = move(table, other, branch=True)
    assert (scene["ply"], scene["last"], scene["can"].get("redo")) == (1, 1, None)
    assert table.game.moves == (other,) != (first,)


@pytest.mark.parametrize("branch", [False, True])
def test_playing_the_move_that_was_undone_is_a_redo(branch: bool) -> None:  # noqa: FBT001 - whether the person said so too
    """Nothing is dropped: the moves after it are still there."""
    table = Table(seats=TWO, seed=7)
    say(table, "here")
    move(table, "attack Jc")
    say(table, "here")
    move(table, "take")
    scene = say(table, "goto", to=0)
    assert (scene["me"], scene["covered"]) == (0, True)  # player 2 has turned away when player 1 was called
    say(table, "here")
    scene = move(table, "attack jc", branch=branch)
    assert (scene["ply"], scene["last"]) == (1, 2)


def test_the_game_goes_on_from_where_one_looks() -> None:
    """`branch` drops the moves ahead; a bot that is to act there acts again."""
    table = Table(seats={1: "first"}, seed=7)
    move(table, "attack Jc")
    assert table.step()
    scene = say(table, "goto", to=1)
    assert not table.step(), "nobody plays on while somebody looks back"
    scene = say(table, "branch")
    assert (scene["ply"], scene["last"], scene["seats"][1]["bot"]) == (1, 1, "thinks")
    assert table.step()


# Several people at one screen


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
    data, _ = table._repr_mimebundle_()
    assert named(data["text/plain"]) & hands == {str(card) for card in table.game.hands[0]}


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
    """When a bot takes over from the other person, the table is that of the one who stays, and takes their moves."""
    table = Table(seats=TWO, seed=7)
    say(table, "here")
    say(table, "seat", seat=0, who="first")
    assert (table.seat, table.scene["me"], "covered" in table.scene) == (1, 1, False)
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
    assert table.scene["hand"] == [str(card) for card in telling.hand(table.game.view(2))]


# What is open to be seen, as a card's code wherever it is written or told

NAMES = {"10": "T", "jack": "J", "queen": "Q", "king": "K", "ace": "A"}
CODE = re.compile(r"(?<![0-9A-Za-z])(?:([2-9TJQKA])([cdhs])|X([rb]))(?![0-9A-Za-z])")
SIGN = re.compile(r"(10|[2-9JQKA])([♣♦♥♠])")
NAME = re.compile(rf"({'|'.join(['[2-9]', *NAMES])}) of ({'|'.join(SUIT_NAMES.values())})|(red|black) joker")


def named(text: str) -> set[str]:
    """The codes of all cards that occur in a text: as codes, with signs, or by their names."""
    letters = {name: suit for suit, name in SUIT_NAMES.items()} | dict(zip("♣♦♥♠", "cdhs", strict=True))
    found = {f"{rank}{suit}" if rank else f"X{joker}" for rank, suit, joker in CODE.findall(text)}
    found |= {f"{NAMES.get(rank, rank)}{letters[suit]}" for rank, suit in SIGN.findall(text)}
    return found | {f"{NAMES.get(rank, rank)}{letters[suit]}" if rank else f"X{joker[0]}" for rank, suit, joker in NAME.findall(text)}


# The list of moves, and of cards


def test_the_list_of_moves_is_that_of_the_whole_game() -> None:
    """A heading for each bout, each move once and in order, also those that were undone."""
    game = ended("transfer, players=3")
    table = Table(game)
    sent = listening(table)
    say(table, "goto", to=4)
    say(table, "list")
    assert [said["kind"] for said in sent] == ["list"]
    headings = sent[0]["bouts"]
    assert [ply for heading in headings for ply, _ in heading["moves"]] == list(range(1, game.last_ply + 1))
    assert [heading["bout"] for heading in headings] == list(range(1, len(headings) + 1))
    assert all("end" in heading for heading in headings[:-1])
    assert all(words.startswith(("Player ", "You ")) for heading in headings for _, words in heading["moves"])


def test_the_cards_seen_are_told_only_where_that_aid_is_on() -> None:
    """With it, every card of the deck has its place or is unknown; without it, there is an answer and no list."""
    table = Table("two_decks", seed=7)
    sent = listening(table)
    before = table.scene["id"]
    assert say(table, "seen")["id"] > before
    assert sent == []
    table.memory = True
    for _ in range(30):
        say(table, "move", move=str(table.game.legal_moves()[0])) if table.game.actor == 0 else table.step()
    say(table, "seen")
    told = sent[-1]
    assert [len(row) for row in told["rows"]] == [9] * 4
    hand = Counter(str(card) for card in table.game.hands[0])
    assert hand == Counter({card: places.count("hand") for card, places in told["where"].items() if "hand" in places})
    gone = Counter(str(card) for card in table.game.discard)
    assert gone == Counter({card: places.count("gone") for card, places in told["where"].items() if "gone" in places})


# From Python


def test_another_game_another_match_and_other_rules_are_laid_on_the_table() -> None:
    """Each is shown at once as a new game, and who sits there stays, as long as there are as many seats."""
    table = Table(seats={1: "first"}, seed=7)
    game = ended(seed=5)
    table.game = game
    assert (table.game, table.match.game, table.scene["game"], table.scene["ply"]) == (game, game, 2, game.ply)
    match = Match("transfer", seed=1)
    table.match = match
    assert (table.match, table.game, table.rules) == (match, match.game, Rules.preset("transfer"))
    assert (table.scene["game"], table.players) == (3, ("you", "first"))
    table.rules = "podkidnoy, players=3"
    assert (table.scene["game"], table.players, len(table.scene["seats"])) == (4, ("you", "careful", "careful"), 3)
    assert table.rules == Rules(players=3)


def test_a_game_changed_by_hand_is_shown_when_one_asks() -> None:
    """The table shows the game that it was given, not a copy."""
    game = Game(seed=7)
    table = Table(game)
    game.play("attack Jc")
    assert table.scene["ply"] == 0
    table.refresh()
    assert (table.scene["ply"], table.scene["table"]) == (1, [["Jc", None]])


def test_the_seat_at_the_bottom_can_be_set() -> None:
    """The hand shown is that of the seat named."""
    table = Table("podkidnoy, players=3", seed=7)
    for seat in (2, 1, 0):
        table.seat = seat
        assert (table.seat, table.scene["me"]) == (seat, seat)
        assert set(table.scene["hand"]) == {str(card) for card in table.game.hands[seat]}


def test_players_are_people_names_bots_and_functions() -> None:
    """Whatever can play may sit down; the scene says who sits where."""

    def last(view, rng):
        return view.legal_moves()[-1]

    table = Table("podkidnoy, players=5", seats={0: None, 1: "random", 2: last, 3: bots.get("careful", miserly=True)})
    assert table.players == ("you", "random", "last", "careful(miserly=True)", "careful")
    assert [seat["who"] for seat in table.scene["seats"]] == list(table.players)
    table.seat_player(2, "first")
    assert table.scene["seats"][2]["who"] == table.players[2] == "first"


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        (lambda _: Table("transfr"), RulesError, "Did you mean 'transfer'"),
        (lambda _: Table(7), RulesError, "7 does not say rules"),
        (lambda _: Table(seats={2: "you"}), DurakError, "there is no seat 2; the seats are 0 to 1"),
        (lambda _: Table(seats={"0": "you"}), DurakError, "there is no seat '0'"),
        (lambda _: Table(seats={True: "you"}), DurakError, "there is no seat True"),
        (lambda _: Table(seats=["you", "careful"]), DurakError, "seats says who sits where"),
        (lambda _: Table(seats={1: "carefull"}), BotError, "Did you mean 'careful'"),
        (lambda _: Table(seats={1: 7}), BotError, "7 is not a bot"),
        (lambda _: Table(languge="ru"), DurakError, "Table has no option 'languge'. Did you mean 'language'"),
        (lambda _: Table(scene={}), TraitError, "read-only"),
        (lambda table: setattr(table, "game", "transfer"), DurakError, "'transfer' is not a Game"),
        (lambda table: setattr(table, "match", table.game), DurakError, "is not a Match"),
        (lambda table: setattr(table, "rules", "transfr"), RulesError, "Did you mean 'transfer'"),
        (lambda table: setattr(table, "seat", 2), DurakError, "there is no seat 2"),
        (lambda table: table.seat_player(2, "you"), DurakError, "there is no seat 2"),
        (lambda table: table.seat_player(1, "carefull"), BotError, "Did you mean 'careful'"),
        (lambda table: table.play("take"), IllegalMove, "nothing to take"),
        (lambda table: table.on_move("print"), DurakError, "on_move takes a function of one move, not 'print'"),
        (lambda table: table.on_move(print, remove=True), DurakError, "is not called back"),
    ],
)
def test_wrong_arguments_are_refused(wrong, error: type[Exception], words: str) -> None:
    """The error says what is wrong, and the table is as it was."""
    table = Table(seats={1: "first"}, seed=7)
    scene, game = table.scene, table.game
    with pytest.raises(error, match=re.escape(words)):
        wrong(table)
    assert (table.game, table.players, table.scene) == (game, ("you", "first"), scene)
    assert move(table, "attack Jc")["ply"] == 1


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("language", "lt", ["English", "", None, 7]),
        ("theme", "dark", ["blue", True]),
        ("skin", "linen", ["gold"]),
        ("back", "reeds", ["bees"]),
        ("four_colors", True, ["yes", 2]),
        ("motion", False, ["no"]),
        ("sound", True, [None]),
        ("aids", False, ["off"]),
        ("memory", True, ["on"]),
        ("pace", 60_000, [-1, 60_001, 1.5, "fast"]),
        ("scene", None, [{}]),
        ("words", None, [{}]),
        ("languages", None, [{}]),
        ("bots", None, [[]]),
        ("confirm", None, [True]),
    ],
)
def test_every_trait_refuses_what_it_cannot_be(name: str, good: object, bad: list) -> None:
    """A wrong value changes nothing; those that Python alone writes cannot be set at all."""
    table = Table(seed=7)
    if good is not None:
        setattr(table, name, good)
    before = getattr(table, name)
    for value in bad:
        with pytest.raises(TraitError):
            setattr(table, name, value)
    assert getattr(table, name) == before
    if good is not None:
        assert before == getattr(Table(seed=7, **{name: good}), name) == good


def test_a_table_that_could_not_be_laid_leaves_nothing_behind() -> None:
    """It can be collected without a word."""
    for wrong in ({"languge": "ru"}, {"seats": {5: "you"}}, {"game": "transfr"}, {"theme": "blue"}):
        with pytest.raises((DurakError, TraitError)):
            Table(**wrong)
    gc.collect()


def test_callbacks_hear_every_move_until_they_are_removed() -> None:
    """Moves of people, of bots and from Python; what is redone is not made again."""
    table, heard, also = Table(seats={1: "first"}, seed=7), [], []
    table.on_move(heard.append)
    table.on_move(also.append)
    move(table, "attack Jc")
    table.step()
    table.on_move(also.append, remove=True)
    say(table, "goto", to=1)
    say(table, "redo")
    table.play(table.game.legal_moves()[0])
    assert heard == list(table.game.course)
    assert [one.seat for one in heard[:2]] == [0, 1]
    assert also == heard[:2]


def test_a_callback_that_fails_is_shown_and_stops_nothing() -> None:
    """The note says what it raised, the others are called, and the game goes on."""
    table, heard = Table(seats={1: "first"}, seed=7), []

    def fail(played):
        raise ZeroDivisionError("no luck")

    table.on_move(fail)
    table.on_move(heard.append)
    scene = move(table, "attack Jc")
    assert scene["note"] == {"kind": "error", "said": ["A callback failed: ZeroDivisionError: no luck"] * 2}
    table.step()
    assert (table.game.ply, len(heard)) == (2, 2)


def test_a_callback_may_play() -> None:
    """A second player can be written as a callback: the moves are made in order, each heard once."""
    table, heard = Table(seats=TWO, seed=7), []

    def answer(played):
        heard.append(played)
        if table.game.actor == 1:
            table.play(table.game.legal_moves()[-1])

    table.on_move(answer)
    table.play("attack Jc")
    assert [one.verb for one in heard] == ["attack", "take"]
    assert table.scene["ply"] == table.game.ply == 2


def test_a_bot_that_cannot_be_made_is_told_of(monkeypatch, caplog) -> None:
    """A registered class that raises when it is made harms nothing when a person seats it."""
    monkeypatch.setitem(bot_module._others, "broken", type("Broken", (), {"__init__": lambda _: 1 / 0}))
    table = Table(seed=7)
    scene = say(table, "seat", seat=1, who="broken")
    assert scene["note"] == {"kind": "error", "said": ["That did not work: ZeroDivisionError."] * 2}
    assert table.players == ("you", "careful")
    assert "ZeroDivisionError" in caplog.text


def test_a_closed_table_can_still_be_looked_at() -> None:
    """Displaying it shows the picture alone."""
    table, shown = Table(seed=7), []
    table.close()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("IPython.display.display", lambda data, **_: shown.append(data))
        table._ipython_display_()
    assert [sorted(data) for data in shown] == [["text/html", "text/plain"]]


# Languages


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_the_table_speaks_the_language_that_is_chosen(code: str) -> None:
    """The call, the labels and what is said besides change with it, from Python and from the page."""
    table = Table(played(Rules(), 3, 12), seats=TWO, language=code)
    told = [table.scene["call"], table.words["take"], move(table, "tak")["note"]["said"], say(table, "hint")["note"]["said"]]
    say(table, "list")
    for other in sorted(LANGUAGES):
        before = table.scene["id"]
        table.set_state({"language": other})
        assert table.words == screen(other)
        assert table.scene["id"] > before or other == code == min(LANGUAGES)
        now = [table.scene["call"], table.words["take"], move(table, "tak")["note"]["said"], say(table, "hint")["note"]["said"]]
        assert (now == told) == (other == code)
    assert table.languages == dict(LANGUAGES)


# The match


def play_on(table: Table, how: int = -1) -> dict:
    """The game played to its end."""
    while table.game.outcome is None:
        table.play(table.game.legal_moves()[how])
    return table.scene


def test_the_score_of_a_match_grows_game_by_game() -> None:
    """`next` counts the game that is over; `new` deals it again, as if it had not been; neither is mixed up."""
    table = Table("podkidnoy, players=3", seats={0: "you", 1: "first", 2: "first"}, seed=2)
    assert "the next game is dealt when this one is over" in say(table, "next")["note"]["said"][0]
    won, games = Counter(), 0
    for turn in range(5):
        play_on(table, turn % 2 - 1)
        winners = table.game.outcome.winners
        won.update(winners)
        games += 1
        score = table.scene["over"]["score"]
        assert [row[0] for row in score] == ["You", "Player 2", "Player 3"]
        assert [row[1] for row in score] == [won[seat] for seat in range(3)]
        assert all(sum(row[1:4]) == games for row in score)
        number = table.scene["game"]
        if turn == 2:
            say(table, "new")
            won.subtract(winners)
            games -= 1
        else:
            say(table, "next")
        assert (table.scene["game"], table.scene["ply"], "over" in table.scene) == (number + 1, 0, False)


def test_a_match_that_is_lost_leads_to_a_new_one() -> None:
    """When a side has received every epaulette the table says so, and `next` begins a match without a score."""
    rules = Rules(ranks="67", hand_size=2, attack_limit=2)
    table = Table(rules, seats={0: "random", 1: "random"}, seed=1)
    while "match" not in play_on(table)["over"]:
        first = table.match
        say(table, "next")
        assert table.match is first
    assert table.scene["over"]["match"].startswith("The match is over, with every epaulette for ")
    say(table, "next")
    assert table.match is not first
    assert (table.rules, table.match.games, table.match.score[0].lost) == (rules, (table.game,), 0)
    assert {row[4] for row in play_on(table)["over"]["score"]} <= {"", "6"}


# Bots, on the loop of a notebook


def run(story) -> None:
    """Let a story happen on a loop of its own, which hears of nothing that went wrong unseen."""
    wrong = []

    async def told() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: wrong.append(context))
        await asyncio.wait_for(story(), timeout=20)
        gc.collect()
        await settled()

    asyncio.run(told())
    assert wrong == []


async def settled() -> None:
    """Whatever had been asked of the loop is done."""
    loop = asyncio.get_running_loop()
    for _ in range(4):
        done = loop.create_future()
        loop.call_soon(done.set_result, None)
        await done


async def seen(table: Table, fact) -> dict:
    """The first scene, from now on, of which that is true."""
    found = asyncio.get_running_loop().create_future()

    def look(_: object = None) -> None:
        if not found.done() and fact(table.scene):
            found.set_result(table.scene)

    table.observe(look, "scene")
    look()
    try:
        return await asyncio.wait_for(found, timeout=10)
    finally:
        table.unobserve(look, "scene")


class Slow:
    """A bot that begins to think, and goes on only when it is let; its later turns take no time."""

    def __init__(self, then=None) -> None:
        self.begun, self.may, self.then = asyncio.Event(), threading.Event(), then
        self.loop, self.threads = asyncio.get_running_loop(), []

    def choose(self, view, _):
        """Its move, at last."""
        self.threads.append(threading.current_thread())
        self.loop.call_soon_threadsafe(self.begun.set)
        assert self.may.wait(timeout=15)
        return self.then(view) if self.then else view.legal_moves()[0]

    async def thinks(self) -> None:
        """It has begun to think."""
        await asyncio.wait_for(self.begun.wait(), timeout=10)
        self.begun.clear()

    async def answers(self) -> None:
        """It is let go on, and has answered."""
        self.may.set()
        for thread in self.threads:
            thread.join(timeout=10)
            assert not thread.is_alive()
        await settled()


def test_bots_play_a_whole_game_by_themselves() -> None:
    """From the deal to the end, each move told to whoever asked, and nobody thinks any more."""
    heard = []

    async def story() -> None:
        idle = asyncio.all_tasks()
        table = Table("podkidnoy, players=4", seats={0: "random", 1: "first", 2: "careful", 3: "random"}, seed=3, pace=0)
        table.on_move(heard.append)
        scene = await seen(table, lambda scene: "over" in scene)
        assert heard == list(table.game.course)
        assert scene["ply"] == table.game.ply == len(heard) > 20
        assert not any("bot" in seat for seat in scene["seats"])
        assert asyncio.all_tasks() == idle

    run(story)


def test_a_bot_answers_the_person_at_the_table() -> None:
    """A whole game of one person and two bots: the person's moves come as messages, the bots' by themselves."""

    async def story() -> None:
        table = Table("transfer, players=3", seats={0: "you", 1: "careful", 2: "first"}, seed=5, pace=0)
        while table.game.outcome is None:
            scene = await seen(table, lambda scene: scene["actor"] in (0, None))
            if scene["actor"] == 0:
                assert "bot" not in scene["seats"][0]
                assert "note" not in move(table, table.game.legal_moves()[0])
        assert "over" in table.scene

    run(story)


def test_the_scene_says_who_thinks() -> None:
    """While a bot thinks, its seat says so; once it has moved, no more."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        scene = move(table, "attack Jc")
        assert [seat.get("bot") for seat in scene["seats"]] == [None, "thinks"]
        await slow.thinks()
        await slow.answers()
        assert (table.scene["ply"], [seat.get("bot") for seat in table.scene["seats"]]) == (2, [None, None])

    run(story)


def rude(view, rng):
    """A bot that wants out."""
    raise SystemExit(3)


def wrong(view, rng):
    """A bot that fails."""
    raise ValueError("out of ideas")


def dumb(view, rng):
    """A bot that fails without a word."""
    raise LookupError


def cheat(view, rng):
    """A bot that plays a card that it does not have, or out of turn."""
    return "attack 2c"


def nobody(view, rng):
    """A bot that chooses nothing."""


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        (wrong, "The bot wrong of Player 2 failed: ValueError."),
        (dumb, "The bot dumb of Player 2 failed: LookupError."),
        (rude, "The bot rude of Player 2 failed: RuntimeError."),
        (cheat, "The bot cheat of Player 2 failed: BotError."),
        (nobody, "The bot nobody of Player 2 failed: BotError."),
    ],
)
def test_a_bot_that_fails_is_shown_and_can_be_replaced(bot, words: str) -> None:
    """The game stands where it was, nobody asks the bot again, and another one goes on in its place."""

    async def story() -> None:
        idle = asyncio.all_tasks()
        table = Table(seats={1: bot}, seed=7, pace=0)
        move(table, "attack Jc")
        scene = await seen(table, lambda scene: scene["seats"][1].get("bot") == "failed")
        assert scene["note"]["kind"] == "error"
        assert scene["note"]["said"][1].startswith(words)
        assert isinstance(table.failures[1], Exception)
        assert str(table.failures[1]) not in scene["note"]["said"][1] or not str(table.failures[1])
        assert (scene["ply"], scene["actor"]) == (1, 1)
        table.refresh()
        await settled()
        assert table.scene["seats"][1]["bot"] == "failed"
        assert asyncio.all_tasks() == idle
        say(table, "seat", seat=1, who="careful")
        scene = await seen(table, lambda scene: scene["ply"] == 2)
        assert (scene["seats"][1]["who"], scene["seats"][1].get("bot")) == ("careful", None)

    run(story)


def test_a_person_can_take_over_from_a_bot_that_fails() -> None:
    """The seat is played by whoever sits down there."""

    async def story() -> None:
        table = Table(seats={1: wrong}, seed=7, pace=0)
        move(table, "attack Jc")
        await seen(table, lambda scene: scene["seats"][1].get("bot") == "failed")
        assert say(table, "seat", seat=1, who="you")["covered"]
        say(table, "here")
        assert move(table, "take")["ply"] == 2

    run(story)


@pytest.fixture
def hasty(monkeypatch) -> None:
    """A table that calls a bot late after the blink of an eye."""
    monkeypatch.setattr(Table, "patience", lambda _: 0.01)


def test_a_bot_that_hangs_is_called_late_and_its_answer_is_still_welcome(hasty) -> None:
    """Nothing is blocked meanwhile, and when it answers it has moved."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        scene = await seen(table, lambda scene: scene["seats"][1].get("bot") == "late")
        assert scene["note"] == {"kind": "error", "said": ["The bot Slow of Player 2 has not answered for 0 s."] * 2}
        assert move(table, "take")["note"]["kind"] == "refused"
        await slow.answers()
        assert (table.scene["ply"], table.scene["seats"][1].get("bot")) == (2, None)

    run(story)


def test_a_bot_that_hangs_can_be_replaced(hasty) -> None:
    """Another one plays in its place, and what it says at last is not heard."""

    async def story() -> None:
        slow = Slow(lambda view: view.legal_moves()[-1])
        table = Table(seats={1: slow}, seed=7, pace=0)
        heard = []
        table.on_move(heard.append)
        move(table, "attack Jc")
        await seen(table, lambda scene: scene["seats"][1].get("bot") == "late")
        say(table, "seat", seat=1, who="first")
        scene = await seen(table, lambda scene: scene["ply"] == 2)
        await slow.answers()
        assert table.scene["seats"][1] == {"cards": 5, "role": "defends", "who": "first"}
        assert (table.scene["ply"], len(heard), str(heard[1])) == (scene["ply"], 2, str(table.game.moves[1]))

    run(story)


def test_a_bot_is_late_for_one_turn_only(hasty) -> None:
    """When its turn is taken back it is late no more."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        await seen(table, lambda scene: scene["seats"][1].get("bot") == "late")
        assert "bot" not in say(table, "undo")["seats"][1]
        assert say(table, "redo")["seats"][1]["bot"] == "thinks"
        await slow.answers()

    run(story)


def test_a_bot_that_hangs_and_then_fails_is_shown(hasty) -> None:
    """Late, then failed: the seat says what is true now."""

    async def story() -> None:
        slow = Slow(lambda view: wrong(view, None))
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        await seen(table, lambda scene: scene["seats"][1].get("bot") == "late")
        await slow.answers()
        assert table.scene["seats"][1]["bot"] == "failed"

    run(story)


def test_undo_while_a_bot_thinks() -> None:
    """Its thought is forgotten, whatever comes of it; redo lets it think again."""

    async def story() -> None:
        idle, slow = asyncio.all_tasks(), Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        await slow.thinks()
        scene = say(table, "undo")
        await settled()
        assert asyncio.all_tasks() == idle
        assert (scene["ply"], scene["last"], [seat.get("bot") for seat in scene["seats"]]) == (0, 1, [None, None])
        await slow.answers()
        assert (table.game.ply, table.game.last_ply, table.scene["id"]) == (0, 1, scene["id"])
        say(table, "redo")
        await seen(table, lambda scene: scene["ply"] == 2)
        assert len(slow.threads) == 2

    run(story)


def test_a_bot_is_asked_once() -> None:
    """Whatever else is done at the table while it thinks."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        await slow.thinks()
        table.refresh()
        table.language = "lt"
        table.pace = 400
        say(table, "list")
        move(table, "take")
        await settled()
        await slow.answers()
        assert (len(slow.threads), table.scene["ply"]) == (1, 2)

    run(story)


def test_a_game_changed_by_hand_while_a_bot_thinks() -> None:
    """What it thought of the game as it was is not played, and no fault of the bot's."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        await slow.thinks()
        table.game.undo()
        await slow.answers()
        table.refresh()
        assert (table.scene["ply"], table.scene["last"], table.scene["seats"][1].get("bot")) == (0, 1, None)

    run(story)


def test_a_thought_that_is_forgotten_fails_in_silence() -> None:
    """Nobody is told of the failure of a bot whose turn was taken back."""

    async def story() -> None:
        slow = Slow(lambda view: wrong(view, None))
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        await slow.thinks()
        scene = say(table, "undo")
        await slow.answers()
        assert table.scene["id"] == scene["id"]

    run(story)


def test_a_new_game_while_a_bot_thinks() -> None:
    """What it thought of the old game is not played in the new one."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        await slow.thinks()
        heard = []
        table.on_move(heard.append)
        scene = say(table, "new")
        assert (scene["game"], scene["ply"]) == (2, 0)
        await slow.answers()
        await seen(table, lambda scene: scene["actor"] == 0)
        assert heard == list(table.game.course)
        assert all(one.seat == 1 for one in heard)

    run(story)


def test_a_table_closed_while_a_bot_thinks() -> None:
    """Nothing is played there any more, and no task is left."""

    async def story() -> None:
        idle, slow = asyncio.all_tasks(), Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        await slow.thinks()
        table.close()
        await settled()
        assert asyncio.all_tasks() == idle
        await slow.answers()
        assert table.game.ply == 1
        table.close()

    run(story)


def test_a_loop_that_ends_while_a_bot_thinks(caplog) -> None:
    """The notebook's kernel may stop at any time; the thought is lost without a noise."""
    kept = []

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        kept.extend((slow, table))
        move(table, "attack Jc")
        await slow.thinks()

    run(story)
    slow, table = kept
    slow.may.set()
    slow.threads[0].join(timeout=10)
    assert (table.game.ply, caplog.text) == (1, "")
    table.refresh()
    table.close()


def test_a_faster_pace_is_felt_at_once() -> None:
    """A bot that takes its time before it thinks does so no longer when the pace is changed."""

    async def story() -> None:
        table = Table(seats={1: "first"}, seed=7, pace=60_000)
        move(table, "attack Jc")
        await settled()
        assert table.scene["ply"] == 1
        table.set_state({"pace": 0})
        await seen(table, lambda scene: scene["ply"] == 2)

    run(story)


def test_a_table_laid_before_the_loop_ran_plays_on_it() -> None:
    """Its bots wake with the first thing that is done at it."""
    table = Table(seats={1: "first"}, seed=7, pace=0)

    async def story() -> None:
        move(table, "attack Jc")
        await seen(table, lambda scene: scene["ply"] == 2)

    run(story)


# Nothing secret


def open_to(game: Game, seat: int, *, covered: bool) -> set[str]:
    """The cards that whoever sits there may know of: what has lain open, what the seat put back itself, and its hand unless that is covered."""
    start = game.copy()
    start.goto(0)
    state = start.state
    cards = [start.turn_up, *(card for seen, hand in zip(state.seen, state.hands, strict=True) for card in CardSet.of(seen & hand))]
    for one in game.course:
        if one.verb != "swap" or (one.seat == seat and not covered):
            cards += one.cards
    turned = [card for end in game.view(seat).ends for card in end.turned]
    hand = [] if covered else game.hands[seat]
    return {str(card.face) for card in (*cards, *hand) if card} | {str(Card.of(card.counts)) for card in cards if card} | set(turned)


class Spy:
    """Reads everything that a table lets out, and objects to each card that its viewer may not know."""

    def __init__(self, table: Table) -> None:
        self.table, self.read, self.last, self.leaks = table, 0, 0, []
        table.send = self.message

    def viewer(self) -> tuple[int, bool]:
        """Who sits at the bottom, and whether under backs; what else the table shows must fit that."""
        scene = self.table.scene
        return scene["me"], "covered" in scene

    def scene(self, asked: str = "") -> None:
        """The scene, if it is a new one, shows no card but those, and the one that was asked about."""
        seat, covered = self.viewer()
        if self.table.scene["id"] == self.last:
            return
        self.last = self.table.scene["id"]
        self.judge(self.table.scene, open_to(self.table.game, seat, covered=covered) | named(asked))

    def picture(self) -> None:
        """Nor does the picture, which is stored with the notebook."""
        seat, covered = self.viewer()
        data, _ = self.table._repr_mimebundle_()
        text = data["text/plain"] + data["text/html"].partition('src="')[0]
        self.judge(text, open_to(self.table.game, seat, covered=covered))

    def message(self, content: dict) -> None:
        """The moves are listed to the last, also those that were undone; the deck is listed whole, and the places are what is told."""
        seat, covered = self.viewer()
        game = self.table.game.copy()
        if content["kind"] == "list":
            game.goto(game.last_ply)
        told = content["where"] if content["kind"] == "seen" else content
        self.judge(told, open_to(game, seat, covered=covered))

    def judge(self, told: object, allowed: set[str]) -> None:
        """Note the cards named there that are not among these, and where."""
        self.read += 1
        if leak := named(json.dumps(told, ensure_ascii=False)) - allowed:
            self.leaks.append((leak, told))


def look_and_play(rules: Rules, seed: int, steps: int = 60) -> int:
    """A game by messages of all kinds, with people and bots on its seats, under the eyes of a spy: how much it has read."""
    rng = Random(seed)
    seats = {seat: rng.choice(["you", "you", "random"]) for seat in range(rules.players)}
    table = Table(played(rules, seed, rng.randrange(80)), seats=seats, seed=seed, memory=rng.random() < 0.7)
    spy = Spy(table)
    spy.scene()
    for step in range(steps):
        legal = [str(one) for one in table.game.legal_moves()] or ["take"]
        kind = rng.choice(["here", "here", "move", "move", "move", "why", "undo", "redo", "goto", "list", "seen", "hint", "branch", "seat"])
        if table.game.outcome and rng.random() < 0.1:
            kind = rng.choice(["new", "next"])
        verb = rng.choice(["attack", "throw", "beat 7c", "transfer", "show"])
        more = {
            "move": {"move": rng.choice([*legal, *legal, f"{verb} {rng.choice(ALL_FACES)}"]), "branch": rng.random() < 0.7},
            "why": {"card": rng.choice(ALL_FACES), "as": rng.choice(["", "transfer", "show", "swap"])},
            "goto": {"to": rng.randrange(table.game.last_ply + 1)},
            "seat": {"seat": rng.randrange(rules.players), "who": rng.choice(["you", "random"])},
        }.get(kind, {})
        say(table, kind, **more)
        spy.scene(json.dumps(more))
        if table.step():
            spy.scene()
        if step % 6 == 0:
            spy.picture()
    table.close()
    assert spy.leaks == []
    return spy.read


@settings(max_examples=60)
@given(anything, seeds)
def test_nothing_secret_leaves_python(rules: Rules, seed: int) -> None:
    """In no scene, message or picture is there a card that the one who looks may not know, whatever is asked."""
    assert look_and_play(rules, seed) > 60


def with_talon(table: Table, scene: dict) -> dict:
    """A scene with the top of the talon in it."""
    return {**scene, "next": [str(card) for card in table.game.talon[:1]]}


def with_a_hand(table: Table, scene: dict) -> dict:
    """A scene with the hand of another seat in it, in words."""
    other = (scene["me"] + 1) % len(scene["seats"])
    return {
        **scene,
        "call": [f"Player {other + 1} has " + ", ".join(f"{card.rank} of {SUIT_NAMES[card.suit]}" for card in table.game.hands[other])],
    }


def with_the_covered_hand(table: Table, scene: dict) -> dict:
    """A scene that shows what lies under the backs."""
    return {**scene, "hand": [str(card) for card in table.game.hands[scene["me"]]]}


@pytest.mark.parametrize("leak", [with_talon, with_a_hand, with_the_covered_hand])
def test_a_leak_in_a_scene_would_be_found(leak, monkeypatch) -> None:
    """The spy objects to a planted one."""
    make, tables = table_module.scene_of, []
    monkeypatch.setattr(table_module, "scene_of", lambda *given: leak(tables[0], make(*given)) if tables else make(*given))
    table = Table(seats=TWO, seed=7)
    spy = Spy(table)
    spy.scene()
    tables.append(table)
    assert spy.leaks == []
    table.refresh()
    spy.scene()
    assert len(spy.leaks) == 1


def test_a_leak_in_a_message_or_a_picture_would_be_found(monkeypatch) -> None:
    """So it does in what is sent besides, and in what is stored."""
    table = Table(seats=TWO, seed=7, memory=True)
    spy = Spy(table)
    say(table, "list")
    say(table, "seen")
    spy.picture()
    assert (spy.read, spy.leaks) == (3, [])
    hidden = {**table_module.seen(table.game.view(0)), "where": {str(table.game.talon[0]): ["talon"]}}
    monkeypatch.setattr(table_module, "seen", lambda _: hidden)
    monkeypatch.setattr(table_module, "listing", lambda *_: [{"bout": 1, "moves": [[1, str(table.game.talon[0])]]}])
    monkeypatch.setattr(Table, "_view", lambda table: table.game.view(0))
    say(table, "list")
    say(table, "seen")
    spy.picture()
    assert len(spy.leaks) == 3


# How large a scene is


def preset(name: str, players: int) -> Rules | None:
    """That preset for so many, if there is one."""
    try:
        return Rules.preset(name, players=players)
    except RulesError:
        return None


@pytest.mark.parametrize(("players", "most"), [(2, 4000), (3, 6000), (6, 6000)])
def test_a_scene_is_small(players: int, most: int) -> None:
    """At every ply of a game of each preset, seen by whoever is to act, in all languages by turns: its bytes as Jupyter sends them."""
    turns, rng = cycle(sorted(LANGUAGES)), Random(players)
    for rules in filter(None, (preset(name, players) for name in sorted(Rules.presets()))):
        table = Table(rules, seats=dict.fromkeys(range(players), "you"), seed=players)
        game = table.game
        while game.actor is not None:
            table.seat = game.actor
            table.language = next(turns)
            assert table.scene["legal"]
            assert len(json.dumps(table.scene, ensure_ascii=False).encode()) <= most, rules
            game.play(rng.choice(game.legal_moves()))
        table.refresh()
        assert table.scene["over"]
        assert len(json.dumps(table.scene, ensure_ascii=False).encode()) <= most, rules


# The short form of the legal moves


def written_out(legal: dict, hand: list[str]) -> set[Move]:
    """Every legal move that the short form stands for."""
    ones = {verb: [[card] for card in legal.get(verb, ())] for verb in ("attack", "throw", "transfer", "show")}
    ones["beat"] = [[on, card] for on, cards in legal.get("beat", ()) for card in cards]
    ones["swap"] = [list(two) for two in combinations(legal.get("swap", ()), 2)]
    ones |= {verb: [[]] for verb in ("pass", "take") if legal.get(verb)}
    ways: dict[str, list[list[str]]] = {}
    for card in hand:
        ways.setdefault(card[0], []).append([played for played in legal.get("attack", ()) if played[:2] == card])
    for count, rank in product(range(2, legal.get("several", 1) + 1), ways):
        ones["attack"] += [list(cards) for some in combinations(ways[rank], count) for cards in product(*some)]
    return {Move(" ".join([verb, *cards])) for verb, each in ones.items() for cards in each}


@settings(max_examples=80)
@given(anything | mixes.map(lambda rules: mixed(rules, opening="same_rank")), seeds)
def test_the_short_form_stands_for_the_legal_moves(rules: Rules, seed: int) -> None:
    """Written out again it is the same set of moves, at every moment of a game."""
    game, rng = Game(rules, seed=seed), Random(seed)
    while game.actor is not None and game.ply < 200:
        view = game.view(game.actor)
        hand = telling.hand(view)
        legal = short(view.legal_moves(), hand)
        assert written_out(legal, [str(card) for card in hand]) == set(game.legal_moves())
        game.play(rng.choice(game.legal_moves()))


def mixed(rules: Rules, **more: object) -> Rules:
    """The rules with a change, if they can be played so."""
    try:
        return rules.replace(**more)
    except RulesError:
        return rules


def test_a_page_changes_how_the_table_looks_and_nothing_else() -> None:
    """What ipywidgets would let a page overwrite, scenes and words among it, stays as Python has it."""
    table = Table(seed=7)
    scene, words = table.scene, table.words
    table.set_state({"scene": {"hand": []}, "words": {}, "bots": [], "_esm": "alert(1)", "skin": "linen"})
    assert (table.scene, table.words, table.skin) == (scene, words, "linen")
    assert "alert" not in table._esm


def test_what_callbacks_play_is_told_in_order_to_everybody() -> None:
    """A callback that plays on does so after all have heard of the move before."""
    table = Table(seats=TWO, seed=7)
    heard: list[str] = []

    def answer(played) -> None:
        if played.verb == "attack":
            table.play(table.game.legal_moves()[0])

    table.on_move(answer)
    table.on_move(lambda played: heard.append(played.verb))
    table.play("attack Jc")
    assert heard == [played.verb for played in table.game.course]
    assert len(heard) == 2


def test_an_observer_that_plays_is_no_different() -> None:
    """Somebody who watches the scene may play too: callbacks hear of each move once, in order."""
    table = Table(seats=TWO, seed=7)
    heard: list[str] = []
    table.on_move(lambda played: heard.append(str(played)))

    def answer(change) -> None:
        if change["new"]["ply"] == 1:
            table.play(table.game.legal_moves()[0])

    table.observe(answer, "scene")
    table.play("attack Jc")
    assert heard == [str(played) for played in table.game.course]


def test_a_bot_registered_later_is_offered(monkeypatch) -> None:
    """The page offers every bot that there is now."""
    table = Table(seed=7)
    monkeypatch.setitem(bot_module._others, "latecomer", lambda view, _: view.legal_moves()[0])
    table.refresh()
    assert "latecomer" in table.bots


def test_a_table_is_opened_with_all_there_is_to_see() -> None:
    """What a page is sent first has the scene and the words in it."""
    table = Table(seed=7, language="lt")
    assert table.scene["id"] == 1
    assert table.get_state()["scene"]["call"] == table.scene["call"]
    assert table.words["take"] == "Imti"


def test_failures_belong_to_the_bot_that_sits_there() -> None:
    """Another player in the seat, or another game, and they are gone."""
    table = Table(seats={0: "you", 1: lambda view, _: view.nothing}, seed=7)
    table.play("attack Jc")
    turn = table.turn()
    table.failed(turn, ValueError("no"))
    assert list(table.failures) == [1]
    table.seat_player(1, "random")
    assert table.failures == {}
