"""Makes the last question: write a bot that beats a known opponent.

The bot plays each of the student's own deals twice, with the seats swapped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.econ431.endgame_positions import kinds
from durak_widget.exercises.bot_exercise import Bot
from durak_widget.exercises.habit_bot import HABITS, Habits, habits_of
from durak_widget.homework.assignment import Question
from durak_widget.i18n import Fact

if TYPE_CHECKING:
    from random import Random

PAIRS: Final = 60
LESS: Final = 3
"""Number of games below the best result at which the goal is set.

So students don't have to find which of a few good habits is luckiest on these deals.
"""


class DealPack(NamedTuple):
    """The deals, the opponent and the reachable results of one bot question."""

    seed: str
    other: Habits
    best: Habits
    """The habits that win most, of all combinations."""
    base: int
    """The middle between the average result of random habits and the best result."""
    most: int
    """The result of the best habits."""

    @classmethod
    def of(cls, line: str) -> DealPack:
        """Parse a line of `kinds.txt`.

        >>> DealPack.of("pack 1 | lead:high beat:low take:never throw:all | lead:low beat:low take:trump throw:none | 74 99").most
        99
        """
        seed, other, best, won = line.split(" | ")
        return cls(seed, habits_of(other), habits_of(best), *map(int, won.split()))

    def __str__(self) -> str:
        return " | ".join((self.seed, self.other.text, self.best.text, f"{self.base} {self.most}"))


def games(lots: Random) -> Bot:
    """Build a bot question: win a number of games against a known opponent.

    >>> from random import Random
    >>> quiz = games(Random(1))
    >>> quiz.instance.opponent.split()[0].partition(":")[0], quiz.instance.deals
    ('lead', 60)
    """
    return _asked(DealPack.of(lots.choice(kinds("packs"))), lots)


def _asked(pack: DealPack, lots: Random) -> Bot:
    """Build a bot question on these deals, with the rules in random order."""
    rows = {habit: lots.sample(rules, len(rules)) for habit, rules in HABITS.items()}
    return Bot(
        pack.most - LESS,
        pairs=PAIRS,
        seed=pack.seed,
        opponent=pack.other,
        solution=pack.best,
        base=pack.base,
        rows=rows,
        own=True,
        why=Fact("class.econ431.games.why"),
    )


def fair_games(lots: Random) -> Bot:
    """Build the same question on deals where no combination of habits earns much on average.

    >>> from random import Random
    >>> fair_games(Random(1)).instance.deals
    60
    """
    return _asked(DealPack.of(lots.choice(kinds("packs.fair"))), lots)


BOT_QUESTIONS: Final = (Question("bot", 6, Fact("class.econ431.games"), games, "bot"),)
REVISED_BOT_QUESTIONS: Final = (BOT_QUESTIONS[0]._replace(make=fair_games),)
"""The questions that revision 2 asks in another way."""
