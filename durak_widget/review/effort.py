"""How much work a review is worth: so many playouts, shared out among all decisions, and so many positions of each ending."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.fast_engine import which, why_not

if TYPE_CHECKING:
    from durak_widget.rules.ruleset import Rules

_LUCK: Final = 4
"""A fourth of the playouts goes to luck."""


class Effort(NamedTuple):
    """What may be spent on one review.

    >>> Effort(1000, 50).judging, Effort(1000, 50).luck
    (750, 250)
    """

    playouts: int
    positions: int
    """So many are looked at for each ending."""

    @property
    def luck(self) -> int:
        """So many playouts go to luck, and …"""
        return self.playouts // _LUCK

    @property
    def judging(self) -> int:
        """… so many to decisions."""
        return self.playouts - self.luck


KERNEL: Final = Effort(300_000, 100_000)
"""Where the kernel plays them: some two seconds for a game of two."""
PLAIN: Final = Effort(9_000, 5_000)
"""In plain Python: some four seconds, ten on a slow machine, and so less can be told."""


def usual_for(rules: Rules) -> Effort:
    """What a review is worth where nothing else is said."""
    return KERNEL if why_not(rules) is None and not which().startswith("none") else PLAIN
