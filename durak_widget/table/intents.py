"""Parses and checks the messages with which the front end reports a user's actions."""

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
    """The error for an invalid message; the package's own front end sends no such message."""


class Intent(NamedTuple):
    """An action that the user requests, with the position on the screen at that time."""

    kind: str
    ply: int
    game_number: int
    text: str = ""
    """For a move: the move, or the card that the user tried to play; for a pasted game: its text."""
    target_card: str = ""
    """The card on the table onto which the user dropped a card, or an empty text."""
    chosen_verb: str = ""
    """The kind of move that the user chose for the card: `transfer`, `show`, `swap`, or an empty text."""
    number: int = 0
    """The ply of the position to show, or the number of a seat; the kind of the action decides which."""
    player_name: str = ""
    """The name of a seat's new player: `you` for a person, or the name of a bot."""
    drops_undone: bool = False
    """True if the user agrees that the table deletes the moves that they have taken back."""
    draft: Mapping[str, object] = {}
    """The rules and players that the user has chosen in the rules dialog."""


def parse_intent(message: object, kinds: Mapping[str, Collection[str]]) -> Intent:
    """Parse a message from the front end into the action that the user requests.

    `kinds` maps each kind of message to its required fields. If the message is invalid, the function raises an `IntentError`.

    >>> kinds = {"move": ["move"], "undo": []}
    >>> parse_intent({"kind": "move", "move": "take", "ply": 3, "game": 1}, kinds)
    Intent(kind='move', ply=3, game_number=1, text='take', target_card='', chosen_verb='', number=0, player_name='', drops_undone=False, draft={})
    >>> parse_intent({"kind": "cheat"}, kinds)
    Traceback (most recent call last):
    durak_widget.table.intents.IntentError: the kind of a message must be one of move, undo, …, not 'cheat'
    """
    if not isinstance(message, dict):
        raise IntentError(f"a message must be an object with a kind, not {short_repr(message)}")
    kind = message.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        raise IntentError(f"the kind of a message must be one of {', '.join(list(kinds)[:4])}, …, not {short_repr(kind)}")
    for name in kinds[kind]:
        if name not in message:
            raise IntentError(f"a message of the kind {kind} must also have {name}")
    numbers = {name: as_whole_number(message.get(name, 0)) for name in ("ply", "game", "to_ply", "seat")}
    texts = {name: message.get(name, "") for name in ("move", "card", "target", "verb", "player")}
    for name, number in numbers.items():
        if number is None:
            raise IntentError(f"{name} must be a whole number, not {short_repr(message[name])}")
    for name, value in texts.items():
        if not isinstance(value, str) or len(value) > _MAX_TEXT_LENGTH or not value.isprintable():
            raise IntentError(f"{name} must be a short text, not {short_repr(value)}")
    draft = message.get("draft", {})
    if not isinstance(draft, dict):
        raise IntentError(f"draft must be an object, not {short_repr(draft)}")
    pasted = message.get("text", "") if "text" in kinds[kind] else ""
    if not isinstance(pasted, str) or len(pasted) > _MAX_PASTED_LENGTH:
        raise IntentError(f"text must be a game or a position of at most {_MAX_PASTED_LENGTH} characters, not {short_repr(pasted)}")
    number = numbers["to_ply"] if "to_ply" in kinds[kind] else numbers["seat"]
    return Intent(
        kind=kind,
        ply=numbers["ply"] or 0,
        game_number=numbers["game"] or 0,
        text=texts["move"] or texts["card"] or pasted,
        target_card=texts["target"],
        chosen_verb=texts["verb"],
        number=number or 0,
        player_name=texts["player"],
        drops_undone=message.get("drops_undone") is True,
        draft=draft,
    )


def guess_move(view: Observation, card: str, target_card: str = "", verb: str = "") -> str:
    """Guess which move the user wants to make when they try to play a card.

    The rules can then say why this move is illegal.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "9h Ts"], table="7d/9d 7s").view(1)
    >>> guess_move(view, "9h"), guess_move(view, "9h", verb="transfer")
    ('beat 7s 9h', 'transfer 9h')

    If the rules allow transfers, a card of the attacking cards' rank is a transfer:

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
