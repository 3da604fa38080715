"""What a table shows beyond what one seat sees: hands that lie open, seats that are turned, bots that go step by step."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from durak_widget.engine import narration

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.engine.game import Game
    from durak_widget.table.players import Players
    from durak_widget.widgets.appearance_settings import Look


class Showing(NamedTuple):
    """What is shown besides, as the settings of the table have it.

    >>> Showing(step=True).facts()
    {'step': True}
    """

    hands: Mapping[int, list[str]] = MappingProxyType({})
    """Hands that lie open for everybody to see: all where that is chosen, else those that are left when the game is over."""
    turned: bool = False
    """Whether the table is looked at from another seat than one's own."""
    step: bool = False
    """Whether the bot that is to act waits for a word."""
    closed: bool = False
    """Whether no hand lies open, not even one's own."""

    @classmethod
    def of(cls, players: Players, game: Game, look: Look, acting: int | None, *, hides: bool = False) -> Showing:
        """What these settings show of that game; while it `hides` what is left, nobody's hand is turned up at its end."""
        left = game.outcome.losers if game.outcome and look.hands == "own" and not hides else ()
        open_to_all = range(game.seats) if look.hands == "open" else left
        hands = {seat: [str(card) for card in narration.hand(game.view(seat))] for seat in open_to_all}
        return cls(hands, players.turned(game, look), acting is not None and look.steps, look.hands == "hidden")

    def facts(self) -> dict[str, Any]:
        """What the scene says of it, but for the hands, which stand at their seats."""
        return {name: True for name in ("turned", "step", "closed") if getattr(self, name)}
