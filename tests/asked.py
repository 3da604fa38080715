"""What tests of lessons share: two positions, and a page that keeps what it says."""

from __future__ import annotations

from durak_widget import Game
from durak_widget.lessons.page import Page

THROWING = Game.from_position(hands=["7h 9s Kd 7s", "Th Jh"], trump="s", attacker=0, table="7c/9c")
DEFENDING = Game.from_position(hands=["9c Ah 7d", "Jd Qs"], trump="h", table="7c", attacker=1)


class Told(Page):
    """A page whose messages to the browser are kept."""

    def send(self, content: object, buffers: object = None) -> None:  # noqa: ARG002
        """Keep it."""
        self.told = [*getattr(self, "told", []), content]
