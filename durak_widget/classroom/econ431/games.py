"""The last question: a bot, judged by games in pairs on the student's own deals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.classroom.assignment import Question
from durak_widget.classroom.econ431.kinds import kinds
from durak_widget.lessons.bot_task import Bot
from durak_widget.words import Fact

if TYPE_CHECKING:
    from random import Random

PAIRS: Final = 60
GOAL: Final = 84
"""Of 120 games: what the careful bot wins, on the deals of `kinds.txt` at least."""


def games(lots: Random) -> Bot:
    """Make a bot that wins so many of these games.

    >>> from random import Random
    >>> games(Random(1)).instance.opponent
    'first'
    """
    return Bot(GOAL, pairs=PAIRS, seed=lots.choice(kinds("packs")), own=True, why=Fact("class.econ431.games.why"))


QUESTIONS: Final = (Question("bot", 6, Fact("class.econ431.games"), games, "bot"),)
