"""Draws a random game for each student, with questions of equal difficulty for all.

The difficulty is the one that most random instances have.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.custom_games.game_instance import is_condition_met
from durak_widget.custom_games.question_catalog import list_fitting_questions
from durak_widget.errors import DurakError
from durak_widget.gametheory.gambit_files import to_efg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.custom_games.game_instance import GameInstance
    from durak_widget.custom_games.game_template import GameTemplate
    from durak_widget.custom_games.question_type import GameQuestion

Difficulty = tuple[tuple[int, ...], ...]
"""The difficulties of all questions about a game, each a tuple of numbers."""
SAMPLE_SIZE: Final = 60
"""The number of suitable random games that are drawn to find the most frequent difficulty."""
MAX_DRAWS: Final = 3000
"""The maximum number of random games in the search for a suitable game; then the search ends with an error."""
TIME_LIMIT_SECONDS: Final = 20.0
"""The maximum time in seconds to find the first suitable game; after that, time must not influence which games are
found."""
_MAX_CACHED_GAMES: Final = 256
"""The maximum number of games in the cache; the cache avoids a new search for each question to the same student."""


class RejectionTally:
    """Counts how many random games were rejected, by the reason for the rejection."""

    def __init__(self) -> None:
        self.draw_count, self._start_time = 0, process_time()
        self.failure_counts: Counter[str] = Counter()

    @property
    def is_out_of_time(self) -> bool:
        """Return whether the time to find a first suitable game is over."""
        return process_time() - self._start_time > TIME_LIMIT_SECONDS

    def __str__(self) -> str:
        reasons = [f"{reason!r} failed {count:,} times" for reason, count in self.failure_counts.most_common()]
        return f"of {self.draw_count:,} draws " + ", ".join(reasons)


class EqualDifficultySampler:
    """Draws random games that meet a teacher's conditions and are equally difficult."""

    def __init__(self, template: GameTemplate, questions: Sequence[GameQuestion]) -> None:
        self.template, self.questions = template, tuple(questions)
        self.rejections = RejectionTally()
        """The count of games that were rejected in the search for the usual difficulty."""
        first = self._sample_first_game()
        self._require_suitable_questions(first)
        self.target_difficulty = self._find_usual_difficulty()
        """The difficulty that all students' games must have."""
        self._games_by_seed: dict[int, GameInstance] = {}

    def _derive_seed(self, index: int) -> int:
        """Return the seed of random game number `index`, for finding the most common difficulty."""
        return Random(f"{self.template.name} {index}").getrandbits(128)

    def _sample_first_game(self) -> GameInstance:
        """Draw a first game that meets the conditions; the questions are checked with it."""
        tally = RejectionTally()
        for index in range(MAX_DRAWS):
            game = self._sample_game(Random(self._derive_seed(index)), tally)
            if game is not None:
                return game
            if tally.is_out_of_time:
                break
        raise DurakError(f"no random game meets the conditions: {tally}; draw from more numbers, or ask for less")

    def _require_suitable_questions(self, game: GameInstance) -> None:
        """Raise an error if a question of the assignment does not fit `game`."""
        for question in self.questions:
            if problem := question.find_problem(game):
                raise _build_refusal(question, game, problem)

    def _require_buildable_exercises(self, game: GameInstance) -> None:
        """Raise an error if a question's exercise can't be built for `game`."""
        for question in self.questions:
            try:
                question.build_exercise(game)
            except DurakError as error:  # noqa: PERF203 - the first is told
                raise _build_refusal(question, game, str(error)) from None

    def _find_usual_difficulty(self) -> Difficulty:
        """Return the difficulty that random games have most often; in a tie, the first one drawn."""
        tally, frequencies = self.rejections, Counter[Difficulty]()
        for index in range(MAX_DRAWS):
            game = self._sample_game(Random(self._derive_seed(index)), tally)
            difficulty = None if game is None else self._measure_game(game, tally)
            if game is not None and difficulty is not None:
                if not frequencies:
                    self._require_buildable_exercises(game)
                frequencies[difficulty] += 1
            if sum(frequencies.values()) == SAMPLE_SIZE or (not frequencies and tally.is_out_of_time):
                break
        if not frequencies:
            raise DurakError(f"no random game meets the conditions: {tally}; draw from more numbers, or ask for less")
        return frequencies.most_common(1)[0][0]

    def _sample_game(self, rng: Random, tally: RejectionTally) -> GameInstance | None:
        """Return a random game, or None if the game does not meet the teacher's conditions."""
        tally.draw_count += 1
        game = self.template.sample(rng)
        if game is None:
            tally.failure_counts["the probabilities of a chance move add up to 1"] += 1
            return None
        for condition in self.template.conditions:
            if not is_condition_met(condition, game):
                tally.failure_counts[condition.description] += 1
                return None
        return game

    def _measure_game(self, game: GameInstance, tally: RejectionTally) -> Difficulty | None:
        """Return each question's difficulty for a game; None if a question can't be asked."""
        difficulty = []
        for question in self.questions:
            numbers = question.measure_difficulty(game)
            if numbers is None:
                tally.failure_counts[f"{question.name}: {question.missing_feature}"] += 1
                return None
            difficulty.append(numbers)
        return tuple(difficulty)

    def get_game(self, rng: Random) -> GameInstance:
        """Return the game of one student, which is the same in all questions to this student."""
        seed = rng.getrandbits(128)
        if seed not in self._games_by_seed:
            while len(self._games_by_seed) >= _MAX_CACHED_GAMES:
                del self._games_by_seed[next(iter(self._games_by_seed))]
            self._games_by_seed[seed] = self._sample_matching_game(Random(seed), RejectionTally())
        return self._games_by_seed[seed]

    def _sample_matching_game(self, rng: Random, tally: RejectionTally) -> GameInstance:
        """Return a random game with the difficulty that all students' games must have."""
        for _ in range(10 * MAX_DRAWS):
            game = self._sample_game(rng, tally)
            if game is None:
                continue
            for question, target in zip(self.questions, self.target_difficulty, strict=True):
                if question.measure_difficulty(game) != target:
                    tally.failure_counts[f"{question.name} as difficult as for the others"] += 1
                    break
            else:
                return game
        raise DurakError(f"no random game is as difficult as the others: {tally}; draw from more numbers, or ask for less")

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_games_by_seed": {}}


def _build_refusal(question: GameQuestion, game: GameInstance, reason: str) -> DurakError:
    """Return an error which says that a question does not fit, and which questions would fit."""
    fitting_questions = [name for name in list_fitting_questions(game) if name != question.name]
    return DurakError(
        f"the question {question.name!r} does not fit this game: {reason}. These questions fit: {', '.join(fitting_questions) or 'none'}"
    )


class QuestionTrial(NamedTuple):
    """How one question worked in a trial with imaginary students."""

    name: str
    difficulty_text: str
    """The difficulty of the question, which is the same for all students, as text."""
    different_answers: int
    """The number of different correct answers, over all imaginary students."""

    def __str__(self) -> str:
        answers = "the same answer for all" if self.different_answers == 1 else f"{self.different_answers} different answers"
        return f"{self.name} ({self.difficulty_text}): {answers}" if self.difficulty_text else f"{self.name}: {answers}"


class GameTrial(NamedTuple):
    """How a teacher's game worked in a trial: how many versions were different or rejected."""

    students: int
    different_games: int
    questions: tuple[QuestionTrial, ...]
    rejections: RejectionTally

    def __str__(self) -> str:
        rejected = [f"rejected: {self.rejections}"] if self.rejections.failure_counts else []
        return "\n".join(
            [
                f"{self.students} students, {self.different_games} different games",
                *(f"  {question}" for question in self.questions),
                *rejected,
            ]
        )


def run_trial(sampler: EqualDifficultySampler, students: int) -> GameTrial:
    """Try questions with a number of imaginary students, and return the results."""
    games = [sampler.get_game(Random(f"trial {number}")) for number in range(students)]
    trials = []
    for question, difficulty in zip(sampler.questions, sampler.target_difficulty, strict=True):
        counted = ", ".join(f"{label}: {count}" for label, count in zip(question.difficulty_labels, difficulty, strict=False))
        trials.append(QuestionTrial(question.name, counted, len({repr(question.build_exercise(game).solution) for game in games})))
    return GameTrial(students, len({to_efg(game.tree) for game in games}), tuple(trials), sampler.rejections)
