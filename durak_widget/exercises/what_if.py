"""One position, two moves, side by side: what would come of each."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from durak_widget.engine.moves import Move
from durak_widget.engine.narration import advised
from durak_widget.errors import DurakError
from durak_widget.exercises.answer_parsing import texts_of
from durak_widget.exercises.choice_exercise import Choose
from durak_widget.exercises.prediction_exercise import outcome_of
from durak_widget.i18n import Fact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Unpack

    from durak_widget.engine.game import Game
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.exercise import Aside


class WhatIf(Choose):
    """Which of two moves would you rather make? Both are shown, as they would leave the table.

    >>> from durak_widget import Game
    >>> game = Game.from_position(hands=["9c Ah", "Jd Qs"], trump="h", table="7c", attacker=1)
    >>> quiz = WhatIf(game, {"beat 7c 9c": "It keeps the trump.", "beat 7c Ah": "The best card of all is gone."}, better="beat 7c 9c")
    >>> print(quiz.answer("beat 7c Ah"))
    Not yet. The best card of all is gone.
    """

    def __init__(self, game: Game, moves: Mapping[str, Text], *, better: str, question: Text = "", **more: Unpack[Aside]) -> None:
        """Lay two moves side by side, each with what is to be said of it."""
        named = texts_of(moves)
        if len(named) != 2:
            raise DurakError(f"two moves are laid side by side, not {len(named)}: {', '.join(named) or 'none'}")
        reasons = {str(Move(text)): reason for text, reason in named.items()}
        self._ways = {text: outcome_of(game, text) for text in reasons}
        said = {text: advised(Move(text)) for text in reasons}
        super().__init__(question or Fact("lesson.what_if"), reasons, str(Move(better)), named=said, game=game, **more)

    @property
    def ways(self) -> Mapping[str, Game]:
        """The positions to which both moves lead."""
        return self._ways

    def _read(self, answer: object) -> list[str]:
        given = answer[0] if isinstance(answer, list) and len(answer) == 1 else answer
        return super()._read(str(Move(given)) if isinstance(given, (str, Move)) else given)

    def _seen(self) -> dict[str, object]:
        """The two tables, each in its answer."""
        return {"pictures": {text: self._drawn(after) for text, after in self._ways.items()}}

    def _printed(self) -> str:
        """What follows each move, each below its move."""
        figures = "".join(
            f'<figure style="flex:1 1 400px;max-width:560px;margin:0"><figcaption style="margin:14px 0 6px"><b>{escape(self._text(self._named[text]))}</b></figcaption>'
            f"{self._drawn(after)}</figure>"
            for text, after in self._ways.items()
        )
        return f'<div style="display:flex;flex-wrap:wrap;gap:12px">{figures}</div>'

    def _drawn(self, game: Game) -> str:
        return self._picture_of(game)._repr_mimebundle_()["text/html"]
