"""How does what takes time go a hundred times faster, by the same file wherever it runs? What a move does is said in `game`, by whose rules this is held.

The rules stay in Python: the kernel plays by an image that is made of them, and is held to the engine move for move. Without it all goes the plain
way, slower, and gives the same answers; `which()` says what runs it here, `why_not(rules)` which rules it leaves to the engine.

>>> from durak_widget import kernel
>>> kernel.games("podkidnoy", count=200, seed=1, policy=["careful", "random"]).won[0] > 150
True
"""

from __future__ import annotations

from durak_widget.kernel.expressed import why_not
from durak_widget.kernel.games import WholeGames, games
from durak_widget.kernel.hosts import which
from durak_widget.kernel.seen import legal_moves, played

__all__ = ["WholeGames", "games", "legal_moves", "played", "which", "why_not"]
