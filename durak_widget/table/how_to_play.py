"""Explains the game in six pictures: attack, beat, trump, take, throw in, the fool.

The pictures show one game between you and Tim, which the rules engine plays again.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from durak_widget.cards import SUITS
from durak_widget.engine.compact_table_svg import draw_compact_table
from durak_widget.engine.game import Game
from durak_widget.i18n import Suit, Translator, choose_card_letters
from durak_widget.table.scene import describe_last_moves

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.table.intents import Intent
    from durak_widget.table.session import Session

SEED: Final = 45143
"""The seed of the game in the pictures."""
MOVES: Final = (
    "attack 6c; beat 6c 7c; throw 6s; beat 6s 9d; throw 7s; beat 7s Qd; attack Ac; beat Ac 8d; pass; attack Th; beat Th Ad; throw Ts; "
    "beat Ts As; attack Qc; take; throw Qh; attack 7h; beat 7h 8h; attack 8c; beat 8c 9c; throw 9s; take; attack Jh; beat Jh Ah; pass; "
    "attack 8c; beat 8c Qc; attack 8s; beat 8s Td; attack 9c; beat 9c Jc; throw 9s; beat 9s Js; pass; attack 9h; beat 9h Jd; attack Tc; "
    "beat Tc Kd; throw Kc; beat Kc 6d; throw 6h; beat 6h Qh; pass; attack Kh; take; attack 7d; take"
)
"""The moves of the game in the pictures, from the deal to the fool."""
STEPS: Final[Mapping[str, int]] = {"attack": 1, "beat": 31, "trump": 8, "take": 15, "throw": 3, "fool": 47}
"""The pictures in reading order, each with the number of moves before it."""
_OPPONENT: Final = (1, "nephew")


def play_example() -> Game:
    """Play the game in the pictures; each move is checked by the rules."""
    game = Game(seed=SEED)
    for move in MOVES.split("; "):
        game.play(move)
    return game


def build_how_to_play_message(language: str, card_letters: str = "") -> dict[str, Any]:
    """Build the message with the six pictures: the title, sentence and SVG of each.

    `card_letters` is a value of that setting; if it is "", use the user's default.

    >>> message = build_how_to_play_message("en")
    >>> [title for title, *_ in message["steps"]]
    ['Attack', 'Beat', 'Trump', 'Take', 'Throw in', 'The fool']
    """
    return _build_message(language, choose_card_letters(language, card_letters))


@cache
def _build_message(language: str, card_letters: str) -> dict[str, Any]:
    """Build the message in a language, with cards in certain letters."""
    game = play_example()
    facts: dict[str, Any] = {"own_seat": 0, "opponent_keys": (_OPPONENT,), "card_letters": card_letters}
    spoken, written, with_symbols = (Translator(language, cards=naming, **facts) for naming in ("words", "signs", "both"))
    suits = tuple(map(Suit, SUITS))
    steps = []
    for name, ply in STEPS.items():
        game.goto(ply)
        view = game.view(0)
        last_moves = describe_last_moves(view, spoken, view.seat)
        description = " ".join(last_moves[:1] if ply == 1 else last_moves)
        svg = draw_compact_table(view, written, description, f"how-{name}-")
        steps.append([spoken.translate(f"how.{name}.title"), with_symbols.translate(f"how.{name}", suits=suits), svg])
    return {"kind": "how_to_play", "language": language, "steps": steps}


def send_how_to_play(session: Session, _: Intent) -> None:
    """Send the six pictures in the language of the table, with its letters on cards."""
    session.send(build_how_to_play_message(session.appearance.language, session.appearance.card_letters))
