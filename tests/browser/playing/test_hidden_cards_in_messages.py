"""Test that no message to the browser names a card that its viewer may not know at that moment."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import pytest
from card_knowledge import find_card_names, known_cards_by_moment
from human_player import HumanPlayer, play_whole_game
from rendered_table import read_bundles

from durak_widget import Game
from support.spoken import english_text

BUNDLES = read_bundles()
RANKS = "9TJQKA"
DECK = [[rank + suit for rank in RANKS] for suit in "cdhs"]


def table_messages(messages: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any] | None]]:
    """Return all messages about the table as text, with the scene where there is one."""
    found = []
    for message in messages:
        kind, content = message["header"]["msg_type"], message["content"]
        if kind in {"comm_open", "comm_msg", "comm_info_reply"}:
            state = dict(content.get("data", {}).get("state", {}))
            for name in ("_esm", "_css", "words"):
                state.pop(name, None)
            if "content" in content.get("data", {}):
                said = dict(content["data"]["content"])
                if said.get("kind") == "seen_cards":  # the sorted list of all cards is no secret
                    assert said.pop("rows") == DECK
                if said.get("kind") in BUNDLES:  # the code of panels and extras is the same for everyone
                    assert said.pop("code") == BUNDLES[said["kind"]]
                if "picture" in said:
                    said["picture"] = re.sub(r"<defs>.*?</defs>", "", said["picture"], flags=re.DOTALL)
                state["content"] = said
            found.append((json.dumps(state, ensure_ascii=False), state.get("scene")))
        elif kind in {"display_data", "execute_result", "update_display_data", "stream"}:
            text = json.dumps(content, ensure_ascii=False)
            pictures = re.findall(r"data:image/svg\+xml;base64,([\w+/=]+)", text)
            words = [base64.b64decode(picture).decode() for picture in pictures]
            found.append((re.sub(r"base64,[\w+/=]+", "", text) + re.sub(r"<defs>.*?</defs>", "", " ".join(words), flags=re.DOTALL), None))
    return found


def find_leaks(messages: list[dict[str, Any]], game: Game) -> list[str]:
    """Return what the viewer could not know, scene by scene."""
    views = {seat: known_cards_by_moment(game, seat) for seat in (None, *range(len(game.hands)))}
    viewer, ply, found = None, 0, []
    for text, scene in table_messages(messages):
        if scene:
            viewer, ply = (None if scene.get("covered") else scene["viewer"]), scene["ply"]
        extra = find_card_names(text) - views[viewer][ply]
        if extra:
            found.append(f"seat {viewer} at move {ply} was told of {sorted(extra)}: {text[:200]}")
    return found


@pytest.mark.parametrize(
    ("rules", "seats"),
    [
        pytest.param("podkidnoy, players=3", "{0: 'you'}", id="with bots"),
        pytest.param("poker, players=3", "{0: 'you', 1: 'you', 2: 'careful'}", id="hot seat with swaps", marks=pytest.mark.slow),
    ],
)
def test_no_hidden_card_reaches_the_browser(notebook, rules, seats):
    """In a whole game with the move list and the seen cards open."""
    setup = "from durak_widget import Table"
    cell = f"table = Table({rules!r} + ', ranks={RANKS}', seats={seats}, seed=11, pace=0, motion=False, memory=True)\ntable"
    book = notebook([f"{setup}\n{cell}"])
    person = HumanPlayer(book)
    looks = iter(range(10**6))

    def look() -> None:
        if next(looks) % 8 == 0:
            for key, name in (("l", "Moves"), ("c", english_text("screen.seen")), ("x", "Share")):
                person.table.locator(".dk-hand-card").first.focus()
                person.page.keyboard.press(key)
                person.table.get_by_role("dialog", name=name).wait_for()
                person.page.keyboard.press("Escape")

    play_whole_game(person, seed=8, looking=look)
    game = Game.parse(book.python("str(table.game)"))
    received = list(book.received)
    scenes = [scene for _, scene in table_messages(received) if scene]
    assert len(scenes) > game.ply
    assert not find_leaks(received, game), "\n".join(find_leaks(received, game))
    named_cards = {card for text, _ in table_messages(received) for card in find_card_names(text)}
    assert len(named_cards) > 12  # the test does read the messages
    spied = json.loads(
        json.dumps(next(message for message in received if message["content"].get("data", {}).get("state", {}).get("scene")))
    )
    start = game.copy()
    start.goto(0)
    spied["content"]["data"]["state"]["scene"]["talon"] = [str(card) for card in start.talon]
    assert find_leaks([spied], game)  # so a talon in a scene would be found
