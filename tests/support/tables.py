"""What the tests of the table share: how a person speaks to it, and what it answers."""

from __future__ import annotations

from durak_widget import Game, Move, Rules, Table
from support.mixes import mixes, played, presets

TWO = {0: "you", 1: "you"}


anything = presets | mixes


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
    table._session.send = sent.append
    return sent


def line(game: Game) -> tuple[Move, ...]:
    """All moves of a game, with those that were undone."""
    ahead = game.copy()
    ahead.goto(ahead.last_ply)
    return ahead.moves


def ended(rules: Rules | str = "podkidnoy", seed: int = 3) -> Game:
    """A game that is over."""
    return played(rules if isinstance(rules, Rules) else Rules.parse(rules), seed, 5000)
