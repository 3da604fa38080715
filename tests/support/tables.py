"""Shared helpers of table tests: a person's messages, and the table's answers."""

from __future__ import annotations

from random import Random

from durak_widget import Game, Move, Rules, Table, bots
from support.mixes import mixes, played, presets

TWO = {0: "you", 1: "you"}


anything = presets | mixes


def deliver_message(table: Table, message: object) -> dict:
    """Send the table a message like ipywidgets, but without its handling of exceptions."""
    for callback in tuple(table._msg_callbacks.callbacks):
        callback(table, message, [])
    return table.scene


def send_message(table: Table, kind: str, **more: object) -> dict:
    """Send a person's message with the moment that they see, and return the scene that answers."""
    return deliver_message(table, {"kind": kind, "ply": table.scene["ply"], "game": table.scene["game"], **more})


def make_move(table: Table, text: object, **more: object) -> dict:
    """Make the person's move."""
    return send_message(table, "move", move=str(text), **more)


def record_messages(table: Table) -> list[dict]:
    """Return the list to which all later messages except scenes are added."""
    sent: list[dict] = []
    table._session.send = sent.append
    return sent


def play_on(table: Table, bot: str = "first") -> dict:
    """Play the table's game to its end, and return the last scene; a bot of that name plays the person's seat."""
    chooses = bots.get(bot)
    while table.game.outcome is None:
        if table.players[table.game.actor] == "you":
            table.play(chooses.choose(table.game.view(table.game.actor), Random(1)))
        else:
            table.step()
    return table.scene


def all_moves(game: Game) -> tuple[Move, ...]:
    """Return all moves of a game, with the undone ones."""
    ahead = game.copy()
    ahead.goto(ahead.last_ply)
    return ahead.moves


def finished_game(rules: Rules | str = "podkidnoy", seed: int = 3) -> Game:
    """Return a finished game."""
    return played(rules if isinstance(rules, Rules) else Rules.parse(rules), seed, 5000)
