"""Messages from the page to a table, checked strictly: what the person wants to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.cards import Card
from durak_widget.errors import DurakError, quoted, whole_number
from durak_widget.rules import attack

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from durak_widget.engine.observation import View

_LONGEST: Final = 200
_LONGEST_PASTED: Final = 100_000


class IntentError(DurakError, ValueError):
    """A message that no table sends."""


class Intent(NamedTuple):
    """An action that a person asks for, and the moment that they saw then."""

    kind: str
    ply: int
    game: int
    text: str = ""
    """The move, or the card tried, or a game that was pasted."""
    on: str = ""
    """The card on the table that it was tried on."""
    verb: str = ""
    """The chosen way to play it: `transfer`, `show` or `swap`."""
    number: int = 0
    """The moment to go to, or the seat."""
    who: str = ""
    """The player to put in that seat."""
    branch: bool = False
    """Whether undone moves may be dropped."""
    draft: Mapping[str, object] = {}
    """The rules and players to play with instead."""


def understood(message: object, kinds: Mapping[str, Collection[str]]) -> Intent:
    """Return the intent of a message; `kinds` lists the fields that each kind requires.

    >>> kinds = {"move": ["move"], "undo": []}
    >>> understood({"kind": "move", "move": "take", "ply": 3, "game": 1}, kinds)
    Intent(kind='move', ply=3, game=1, text='take', on='', verb='', number=0, who='', branch=False, draft={})
    >>> understood({"kind": "cheat"}, kinds)
    Traceback (most recent call last):
    durak_widget.table.intents.IntentError: a message has a kind, one of move, undo, …, not 'cheat'
    """
    if not isinstance(message, dict):
        raise IntentError(f"a message is an object with a kind, not {quoted(message)}")
    kind = message.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        raise IntentError(f"a message has a kind, one of {', '.join(list(kinds)[:4])}, …, not {quoted(kind)}")
    for name in kinds[kind]:
        if name not in message:
            raise IntentError(f"a message of the kind {kind} says {name} too")
    numbers = {name: whole_number(message.get(name, 0)) for name in ("ply", "game", "to", "seat")}
    texts = {name: message.get(name, "") for name in ("move", "card", "on", "as", "who")}
    for name, number in numbers.items():
        if number is None:
            raise IntentError(f"{name} is a whole number, not {quoted(message[name])}")
    for name, value in texts.items():
        if not isinstance(value, str) or len(value) > _LONGEST or not value.isprintable():
            raise IntentError(f"{name} is a short text, not {quoted(value)}")
    draft = message.get("draft", {})
    if not isinstance(draft, dict):
        raise IntentError(f"draft is an object, not {quoted(draft)}")
    pasted = message.get("text", "") if "text" in kinds[kind] else ""
    if not isinstance(pasted, str) or len(pasted) > _LONGEST_PASTED:
        raise IntentError(f"text is a game or a position of at most {_LONGEST_PASTED} characters, not {quoted(pasted)}")
    number = numbers["to"] if "to" in kinds[kind] else numbers["seat"]
    return Intent(
        kind=kind,
        ply=numbers["ply"] or 0,
        game=numbers["game"] or 0,
        text=texts["move"] or texts["card"] or pasted,
        on=texts["on"],
        verb=texts["as"],
        number=number or 0,
        who=texts["who"],
        branch=message.get("branch") is True,
        draft=draft,
    )


def tried(view: View, card: str, on: str = "", verb: str = "") -> str:
    """Return the move that a person who tries this card most likely means.

    The rules can then say why it is not legal.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "9h Ts"], table="7d/9d 7s").view(1)
    >>> tried(view, "9h"), tried(view, "9h", verb="transfer")
    ('beat 7s 9h', 'transfer 9h')

    Where attacks are transferred, a card of their rank is meant for that:

    >>> tried(Game.from_position("transfer", hands=["9d", "8d Qd"], trump="h", table="8c").view(1), "8d")
    'transfer 8d'
    """
    if verb in ("transfer", "show"):
        return f"{verb} {card}"
    if verb == "swap":
        return f"swap {card} {next((str(other) for other in view.hand if str(other) != card), card)}"
    if not view.table:
        return f"attack {card}"
    if view.seat != view.defender:
        return f"throw {card}"
    unbeaten = view.table.unbeaten
    if not on and attack.allowed(view.rules) and card[:1] == view.table[0][0].rank:
        return f"transfer {card}"
    target = on or (str(Card.of(unbeaten[0].counts)) if unbeaten else str(Card.of(view.table[-1][0].counts)))
    return f"beat {target} {card}"
