"""What a table shows beyond what one seat sees: hands that lie open, seats that are turned, bots that go step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from durak_widget.game.shown import sentences

if TYPE_CHECKING:
    from durak_widget.game.game import Game
    from durak_widget.widget.kit.look import Look
    from durak_widget.widget.playing.players import Players


class Showing(NamedTuple):
    """What is shown besides, as the settings of the table have it.

    >>> Showing(step=True).facts()
    {'step': True}
    """

    hands: tuple[list[str], ...] | None = None
    """All hands, where they lie open for everybody to see."""
    turned: bool = False
    """Whether the table is looked at from another seat than one's own."""
    step: bool = False
    """Whether the bot that is to act waits for a word."""
    closed: bool = False
    """Whether no hand lies open, not even one's own."""

    @classmethod
    def of(cls, players: Players, game: Game, look: Look, acting: int | None) -> Showing:
        """What these settings show of that game."""
        hands = (
            tuple([str(card) for card in sentences.hand(game.view(seat))] for seat in range(game.seats)) if look.hands == "open" else None
        )
        return cls(hands, players.turned(game, look), acting is not None and look.steps, look.hands == "hidden")

    def facts(self) -> dict[str, Any]:
        """What the scene says of it, but for the hands, which stand at their seats."""
        return {name: True for name in ("turned", "step", "closed") if getattr(self, name)}
