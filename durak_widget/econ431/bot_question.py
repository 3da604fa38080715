"""Defines the last question of the problem set: program a bot that beats a known opponent.

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
"""The target that students must reach is the best possible result minus this number of games.

So students don't have to find which of a few good habits is luckiest on these deals.
"""


class DealPack(NamedTuple):
    """The deals of a bot question, with the opponent and the best possible result."""

    seed: str
    opponent: HabitBot
    best_habits: HabitBot
    """The combination of habits (simple rules of play) that wins the most games."""
    base_points: int
    """A number of won games: halfway between the average of random habits and the best result."""
    max_points: int
    """The number of games that the best habits win."""

    @classmethod
    def from_line(cls, line: str) -> DealPack:
        """Parse the deals from a line of the file `kinds.txt`.

        >>> DealPack.from_line("pack 1 | lead:high beat:low take:never throw:all | lead:low beat:low take:trump throw:none | 74 99").max_points
        99
        """
        seed, other, best, won = line.split(" | ")
        return cls(seed, parse_habits(other), parse_habits(best), *map(int, won.split()))

    def __str__(self) -> str:
        return " | ".join((self.seed, self.opponent.to_line, self.best_habits.to_line, f"{self.base_points} {self.max_points}"))


def make_bot_question(rng: Random) -> BotExercise:
    """Build a question that asks students to program a bot that wins a number of games.

    >>> from random import Random
    >>> quiz = make_bot_question(Random(1))
    >>> quiz.paired_games.opponent.split()[0].partition(":")[0], quiz.paired_games.deals
    ('lead', 60)
    """
    return _build_question(DealPack.from_line(rng.choice(load_endgames("packs"))), rng)


def _build_question(pack: DealPack, rng: Random) -> BotExercise:
    """Build a bot question from a pack of deals; the rules for each habit are in random order."""
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
    """Build a bot question with deals in which random habits win only few games.

    >>> from random import Random
    >>> make_fair_bot_question(Random(1)).paired_games.deals
    60
    """
    return _build_question(DealPack.from_line(rng.choice(load_endgames("packs.fair"))), rng)


BOT_QUESTIONS: Final = (Question("bot", 6, TranslatableText("class.econ431.games"), make_bot_question, "bot"),)
REVISED_BOT_QUESTIONS: Final = (BOT_QUESTIONS[0]._replace(make=make_fair_bot_question),)
"""The bot question as it is in revision 2 of the problem set."""
