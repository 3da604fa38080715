"""Defines the last question of the problem set: write a bot that beats a given opponent.

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
"""The target for a student's bot is the best possible number of won games minus this number.

So students don't have to find which of a few good habits is luckiest on these deals.
"""


class DealPack(NamedTuple):
    """The deals of a bot question, with the opponent of the student's bot."""

    seed: str
    opponent: HabitBot
    best_habits: HabitBot
    """The combination of habits (simple rules of play) that wins most games against the opponent."""
    base_points: int
    """The mean of two numbers of won games: what random habits win on average, and what the best habits win."""
    max_points: int
    """The number of games that the best habits win against the opponent."""

    @classmethod
    def from_line(cls, line: str) -> DealPack:
        """Parse a line of the file `kinds.txt` that describes the deals and the opponent.

        >>> DealPack.from_line("pack 1 | lead:high beat:low take:never throw:all | lead:low beat:low take:trump throw:none | 74 99").max_points
        99
        """
        seed, other, best, won = line.split(" | ")
        return cls(seed, parse_habits(other), parse_habits(best), *map(int, won.split()))

    def __str__(self) -> str:
        return " | ".join((self.seed, self.opponent.to_line, self.best_habits.to_line, f"{self.base_points} {self.max_points}"))


def make_bot_question(rng: Random) -> BotExercise:
    """Build a question that asks students to write a bot that wins enough games.

    >>> from random import Random
    >>> quiz = make_bot_question(Random(1))
    >>> quiz.paired_games.opponent.split()[0].partition(":")[0], quiz.paired_games.deals
    ('lead', 60)
    """
    return _build_question(DealPack.from_line(rng.choice(load_endgames("packs"))), rng)


def _build_question(pack: DealPack, rng: Random) -> BotExercise:
    """Build a bot question from given deals, with a bot's possible rules in random order."""
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
    """Build a bot question with deals in which randomly chosen rules win few games.

    >>> from random import Random
    >>> make_fair_bot_question(Random(1)).paired_games.deals
    60
    """
    return _build_question(DealPack.from_line(rng.choice(load_endgames("packs.fair"))), rng)


BOT_QUESTIONS: Final = (Question("bot", 6, TranslatableText("class.econ431.games"), make_bot_question, "bot"),)
REVISED_BOT_QUESTIONS: Final = (BOT_QUESTIONS[0]._replace(make=make_fair_bot_question),)
"""The bot question of the problem set's revision 2."""
