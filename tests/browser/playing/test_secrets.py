"""Nothing secret crosses the wire: of all that the browser receives, every card is one that the viewer may know at that moment."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import pytest
from known_cards import known, named
from painted import STATIC
from person import Person, whole_game

from durak_widget import Game

DRAWERS = (STATIC / "drawers.js").read_text(encoding="utf-8")
RANKS = "9TJQKA"
DECK = [[rank + suit for rank in RANKS] for suit in "cdhs"]


def shown(messages: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any] | None]]:
    """All that was sent of the table, as text; with the scene where it is one."""
    found = []
    for message in messages:
        kind, content = message["header"]["msg_type"], message["content"]
        if kind in {"comm_open", "comm_msg", "comm_info_reply"}:
            state = dict(content.get("data", {}).get("state", {}))
            for name in ("_esm", "_css", "words"):
                state.pop(name, None)
            if "content" in content.get("data", {}):
                said = dict(content["data"]["content"])
                if said.get("kind") == "seen_cards":  # the deck itself, in its order, is no secret
                    assert said.pop("rows") == DECK
                if said.get("kind") == "panels":  # what drawers are made of is the same for everybody
                    assert said.pop("code") == DRAWERS
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


def leaks(messages: list[dict[str, Any]], game: Game) -> list[str]:
    """What was told that the viewer of the moment could not know, scene by scene."""
    views = {seat: known(game, seat) for seat in (None, *range(len(game.hands)))}
    viewer, ply, found = None, 0, []
    for text, scene in shown(messages):
        if scene:
            viewer, ply = (None if scene.get("covered") else scene["viewer"]), scene["ply"]
        extra = named(text) - views[viewer][ply]
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
def test_no_card_reaches_a_browser_that_may_not_see_it(notebook, rules, seats):
    """A whole game, with the list of moves and the cards seen open beside it: every message is looked through."""
    setup = "from durak_widget import Table"
    cell = f"table = Table({rules!r} + ', ranks={RANKS}', seats={seats}, seed=11, pace=0, motion=False, memory=True)\ntable"
    book = notebook([f"{setup}\n{cell}"])
    person = Person(book)
    looks = iter(range(10**6))

    def look() -> None:
        if next(looks) % 8 == 0:
            for key, name in (("l", "Moves"), ("c", "Cards seen"), ("x", "Share")):
                person.table.locator(".dk-hand-card").first.focus()
                person.page.keyboard.press(key)
                person.table.get_by_role("dialog", name=name).wait_for()
                person.page.keyboard.press("Escape")

    whole_game(person, seed=8, looking=look)
    game = Game.parse(book.python("str(table.game)"))
    received = list(book.received)
    scenes = [scene for _, scene in shown(received) if scene]
    assert len(scenes) > game.ply
    assert not leaks(received, game), "\n".join(leaks(received, game))
    told = {card for text, _ in shown(received) for card in named(text)}
    assert len(told) > 12  # the test does read what was told
    spied = json.loads(
        json.dumps(next(message for message in received if message["content"].get("data", {}).get("state", {}).get("scene")))
    )
    start = game.copy()
    start.goto(0)
    spied["content"]["data"]["state"]["scene"]["talon"] = [str(card) for card in start.talon]
    assert leaks([spied], game)  # a talon in a scene would be found
