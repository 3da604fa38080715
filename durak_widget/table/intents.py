"""Parses messages from the page to a table strictly, as requests made by a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.cards import Card
from durak_widget.errors import DurakError, as_whole_number, short_repr
from durak_widget.rules import attack

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from durak_widget.engine.observation import Observation

_MAX_TEXT_LENGTH: Final = 200
_MAX_PASTED_LENGTH: Final = 100_000


class IntentError(DurakError, ValueError):
    """An error for a message that no valid table page would send."""


class Intent(NamedTuple):
    """An action that a person requests, with the game's position that the person saw."""

    kind: str
    ply: int
    game_number: int
    text: str = ""
    """The requested move, or the card that the person tried to play, or the text of a pasted game."""
    target_card: str = ""
    """The card on the table on which the person tried to play a card."""
    chosen_verb: str = ""
    """The verb that the person chose for playing the card: `transfer`, `show` or `swap`."""
    number: int = 0
    """The number of moves after which to show the game, or the number of the seat."""
    player_name: str = ""
    """The name of the bot or person to put in the seat."""
    drops_undone: bool = False
    """True if the request may drop moves that were undone."""
    draft: Mapping[str, object] = {}
    """The other rules and players that the person wants to use."""


def parse_intent(message: object, kinds: Mapping[str, Collection[str]]) -> Intent:
    """Return the action that a message requests; `kinds` lists each kind's required fields.

    >>> kinds = {"move": ["move"], "undo": []}
    >>> parse_intent({"kind": "move", "move": "take", "ply": 3, "game": 1}, kinds)
    Intent(kind='move', ply=3, game_number=1, text='take', target_card='', chosen_verb='', number=0, player_name='', drops_undone=False, draft={})
    >>> parse_intent({"kind": "cheat"}, kinds)
    Traceback (most recent call last):
    durak_widget.table.intents.IntentError: a message has a kind, one of move, undo, …, not 'cheat'
    """
    if not isinstance(message, dict):
        raise IntentError(f"a message is an object with a kind, not {short_repr(message)}")
    kind = message.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        raise IntentError(f"a message has a kind, one of {', '.join(list(kinds)[:4])}, …, not {short_repr(kind)}")
    for name in kinds[kind]:
        if name not in message:
            raise IntentError(f"a message of the kind {kind} says {name} too")
    numbers = {name: as_whole_number(message.get(name, 0)) for name in ("ply", "game", "to", "seat")}
    texts = {name: message.get(name, "") for name in ("move", "card", "on", "as", "who")}
    for name, number in numbers.items():
        if number is None:
            raise IntentError(f"{name} is a whole number, not {short_repr(message[name])}")
    for name, value in texts.items():
        if not isinstance(value, str) or len(value) > _MAX_TEXT_LENGTH or not value.isprintable():
            raise IntentError(f"{name} is a short text, not {short_repr(value)}")
    draft = message.get("draft", {})
    if not isinstance(draft, dict):
        raise IntentError(f"draft is an object, not {short_repr(draft)}")
    pasted = message.get("text", "") if "text" in kinds[kind] else ""
    if not isinstance(pasted, str) or len(pasted) > _MAX_PASTED_LENGTH:
        raise IntentError(f"text is a game or a position of at most {_MAX_PASTED_LENGTH} characters, not {short_repr(pasted)}")
    number = numbers["to"] if "to" in kinds[kind] else numbers["seat"]
    return Intent(
        kind=kind,
        ply=numbers["ply"] or 0,
        game_number=numbers["game"] or 0,
        text=texts["move"] or texts["card"] or pasted,
        target_card=texts["on"],
        chosen_verb=texts["as"],
        number=number or 0,
        player_name=texts["who"],
        drops_undone=message.get("branch") is True,
        draft=draft,
    )


def guess_move(view: Observation, card: str, target_card: str = "", verb: str = "") -> str:
    """Return the move that a person most likely means by trying to play a certain card.

    The rules can then say why it is not legal.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "9h Ts"], table="7d/9d 7s").view(1)
    >>> guess_move(view, "9h"), guess_move(view, "9h", verb="transfer")
    ('beat 7s 9h', 'transfer 9h')

    Where attacks are transferred, a card of their rank is meant for that:

    >>> guess_move(Game.from_position("transfer", hands=["9d", "8d Qd"], trump="h", table="8c").view(1), "8d")
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
    if not target_card and attack.has_transfers(view.rules) and card[:1] == view.table[0][0].rank:
        return f"transfer {card}"
    target = target_card or (
        str(Card.from_code(unbeaten[0].effective_face)) if unbeaten else str(Card.from_code(view.table[-1][0].effective_face))
    )
    return f"beat {target} {card}"
