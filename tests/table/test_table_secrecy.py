"""Test that no hidden information leaves Python."""

from __future__ import annotations

import json
from random import Random

from hypothesis import given, settings

from durak_widget import Rules, Table
from durak_widget.cards import SUIT_NAMES
from durak_widget.table import session
from support.mixes import ALL_FACES, played, seeds
from support.sizes import tried
from support.spy import Spy
from support.tables import TWO, anything, send_message

KINDS = [
    "uncover_hand", "uncover_hand", "move", "move", "move", "explain_refusal", "undo", "redo", "goto", "move_list", "seen_cards", "hint", "drop_undone_moves", "seat_player", "share", "rotate_view", "reset_view",
    "step", "check_text", "open_text", "describe_table", "describe_hand", "describe_last_moves", "describe_piles",
]  # fmt: skip


def play_with_spy(rules: Rules, seed: int, steps: int = 60) -> int:
    """Play a game by all kinds of messages, with people and bots, while a spy reads everything. Return how much it read."""
    rng = Random(seed)
    seats = {seat: rng.choice(["you", "you", "random"]) for seat in range(rules.players)}
    table = Table(played(rules, seed, rng.randrange(80)), seats=seats, seed=seed, memory=rng.random() < 0.7)
    spy = Spy(table)
    spy.scene()
    for step in range(steps):
        legal = [str(move) for move in table.game.legal_moves()] or ["take"]
        kind = rng.choice(KINDS)
        if rng.random() < 0.1:
            table.set_state(rng.choice([{"hands": rng.choice(["own", "own", "open", "hidden"])}, {"covers": rng.random() < 0.7}]))
            spy.scene()
        if table.game.outcome and rng.random() < 0.1:
            kind = rng.choice(["new_game", "next_game", "deal"])
        verb = rng.choice(["attack", "throw", "beat 7c", "transfer", "show"])
        more = {
            "move": {"move": rng.choice([*legal, *legal, f"{verb} {rng.choice(ALL_FACES)}"]), "drops_undone": rng.random() < 0.7},
            "explain_refusal": {"card": rng.choice(ALL_FACES), "verb": rng.choice(["", "transfer", "show", "swap"])},
            "goto": {"to_ply": rng.randrange(table.game.last_ply + 1)},
            **{pasted: {"text": rng.choice([str(table.game), "6c | 7c x", "6c"])} for pasted in ("check_text", "open_text")},
            "seat_player": {"seat": rng.randrange(rules.players), "player": rng.choice(["you", "random"])},
            "deal": {"draft": {"seats": rng.choices(["you", "random"], k=rules.players)}},
        }.get(kind, {})
        send_message(table, kind, **more)
        spy.scene(json.dumps(more))
        if table.step():
            spy.scene()
        if step % 6 == 0:
            spy.picture()
    table.close()
    assert spy.leaks == []
    return spy.read


@settings(max_examples=tried(6, 300))
@given(anything, seeds)
def test_scenes_and_messages_contain_no_hidden_cards(rules: Rules, seed: int) -> None:
    """Pictures don't either, whatever is asked."""
    assert play_with_spy(rules, seed) > 60


def with_a_hand(table: Table, scene: dict) -> dict:
    """Return the scene with another seat's hand in words."""
    other = (scene["viewer"] + 1) % len(scene["seats"])
    return {
        **scene,
        "call_to_action": [
            f"Player {other + 1} has " + ", ".join(f"{card.rank} of {SUIT_NAMES[card.suit]}" for card in table.game.hands[other])
        ],
    }


def test_the_spy_finds_a_leak_in_a_scene(monkeypatch) -> None:
    """The test adds a hidden hand to one scene."""
    make, tables = session.build_scene, []
    monkeypatch.setattr(session, "build_scene", lambda *given: with_a_hand(tables[0], make(*given)) if tables else make(*given))
    table = Table(seats=TWO, seed=7)
    spy = Spy(table)
    spy.scene()
    tables.append(table)
    assert spy.leaks == []
    table.refresh()
    spy.scene()
    assert len(spy.leaks) == 1
