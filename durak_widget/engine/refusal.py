"""Why a move is refused: a stable code, and the facts, of which a voice makes a sentence in its language."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from durak_widget.errors import DurakError
from durak_widget.i18n import Fact, Voice

if TYPE_CHECKING:
    from collections.abc import Mapping

CODES: Final = (
    "game_over",
    "not_your_turn",
    "not_in_hand",
    "unreadable",
    "open_first",
    "one_card_only",
    "same_rank_only",
    "rank_not_on_table",
    "limit_reached",
    "may_not_throw",
    "too_early_to_throw",
    "not_on_table",
    "already_beaten",
    "too_low",
    "wrong_suit",
    "only_spades_beat_spades",
    "nothing_beats_joker",
    "joker_wrong_colour",
    "transfer_not_played",
    "transfer_after_beating",
    "transfer_rank",
    "transfer_too_many",
    "transfer_first_bout",
    "already_shown",
    "not_the_trump",
    "nothing_to_take",
    "swap_not_played",
    "swap_used_up",
    "swap_talon",
    "suit_not_yours_to_choose",
)
"""The stable codes."""


@dataclass(frozen=True)
class Refusal:
    """Why a move is refused.

    >>> from durak_widget import Game
    >>> refusal = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h").why_not("attack 8c")
    >>> print(refusal)
    8c is not in the hand of seat 0, which holds 6c 7c. Seat 0 may: attack 6c, attack 7c
    """

    key: str
    """Which sentence: the code, or a case of it such as `not_your_turn.taking`."""
    facts: Mapping[str, object] = field(default_factory=dict, hash=False)
    """What the sentence names: cards, seats, numbers, and sentences within it."""

    @property
    def code(self) -> str:
        """The stable code of the reason, such as `too_low`."""
        return self.key.partition(".")[0]

    def said(self, voice: Voice) -> str:
        """The sentence; for those who type moves, with the moves that the seat to act may make instead.

        >>> from durak_widget import Game
        >>> refusal = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h").why_not("attack 8c")
        >>> refusal.said(Voice("en", me=0))
        'The 8 of clubs is not in your hand.'
        """
        sentence = voice.say(f"refusal.{self.key}", **self.facts)
        may = self.facts.get("may")
        return f"{sentence} {voice.say(may.key, **may.facts)}" if isinstance(may, Fact) and voice.cards == "codes" else sentence

    def __str__(self) -> str:
        return self.said(Voice(cards="codes"))


class IllegalMove(DurakError, ValueError):  # noqa: N818 - the public name, like python-chess's IllegalMoveError without its tail
    """A move that the rules refuse; the game is as it was.

    >>> from durak_widget import Game
    >>> try:
    ...     Game.from_position(hands=["6c", "7c"]).play("take")
    ... except IllegalMove as error:
    ...     print(error.code, "-", error)
    nothing_to_take - There is nothing to take: no card lies on the table. Seat 0 may: attack 6c
    """

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal

    @property
    def code(self) -> str:
        """The stable name of the reason, such as `too_low`."""
        return self.refusal.code

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[Refusal]]:
        return IllegalMove, (self.refusal,)
