"""The last question of the problem set: program a bot that beats a known opponent.

The bot plays each of the student's own deals twice, with the seats swapped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.econ431.endgame_positions import load_endgames
from durak_widget.exercises.bot_exercise import BotExercise
from durak_widget.exercises.habit_bot import HABITS, HabitBot, parse_habits
from durak_widget.homework.assignment import Question
from durak_widget.i18n import TranslatableText

if TYPE_CHECKING:
    from random import Random

PAIR_COUNT: Final = 60
GOAL_MARGIN: Final = 3
"""The number of games by which the goal for students is below the best possible result.

So students don't have to find which of a few good habits is luckiest on these deals.
"""


class DealPack(NamedTuple):
    """The deals, the opponent and the best possible result of a bot question."""

    seed: str
    opponent: HabitBot
    best_habits: HabitBot
    """The combination of habits that wins the most games."""
    base_points: int
    """The midpoint between the average result of random habits and the best result."""
    max_points: int
    """The number of games that the best habits win."""

    @classmethod
    def from_line(cls, line: str) -> DealPack:
        """Build the deals from a line of the file `load_endgames.txt`.

        >>> DealPack.from_line("pack 1 | lead:high beat:low take:never throw:all | lead:low beat:low take:trump throw:none | 74 99").max_points
        99
        """
        seed, other, best, won = line.split(" | ")
        return cls(seed, parse_habits(other), parse_habits(best), *map(int, won.split()))

    def __str__(self) -> str:
        return " | ".join((self.seed, self.opponent.to_line, self.best_habits.to_line, f"{self.base_points} {self.max_points}"))


def make_bot_question(rng: Random) -> BotExercise:
    """Build a bot question: win a number of games against a known opponent.

    >>> from random import Random
    >>> quiz = make_bot_question(Random(1))
    >>> quiz.paired_games.opponent.split()[0].partition(":")[0], quiz.paired_games.deals
    ('lead', 60)
    """
    return _build_question(DealPack.from_line(rng.choice(load_endgames("packs"))), rng)


def _build_question(pack: DealPack, rng: Random) -> BotExercise:
    """Build a bot question with some deals, with the rules of the bot in random order."""
    rows = {habit: rng.sample(rules, len(rules)) for habit, rules in HABITS.items()}
    return BotExercise(
        pack.max_points - GOAL_MARGIN,
        pairs=PAIR_COUNT,
        seed=pack.seed,
        opponent=pack.opponent,
        solution=pack.best_habits,
        base=pack.base_points,
        rows=rows,
        own=True,
        why=TranslatableText("class.econ431.games.why"),
    )


def make_fair_bot_question(rng: Random) -> BotExercise:
    """Build a bot question with deals in which no habits win many games on average.

    >>> from random import Random
    >>> make_fair_bot_question(Random(1)).paired_games.deals
    60
    """
    return _build_question(DealPack.from_line(rng.choice(load_endgames("packs.fair"))), rng)


BOT_QUESTIONS: Final = (Question("bot", 6, TranslatableText("class.econ431.games"), make_bot_question, "bot"),)
REVISED_BOT_QUESTIONS: Final = (BOT_QUESTIONS[0]._replace(make=make_fair_bot_question),)
"""The bot question in the form that revision 2 of the problem set uses."""
