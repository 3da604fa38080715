"""Draws instances of equal difficulty, as measured by the solvers, for all students.

The difficulty is the one that most random instances have.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.custom_games.game_instance import holds
from durak_widget.custom_games.question_catalog import fitting
from durak_widget.errors import DurakError
from durak_widget.gametheory.gambit_files import to_efg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.custom_games.game_instance import DrawnGame
    from durak_widget.custom_games.game_template import GameMaker
    from durak_widget.custom_games.question_type import AskedByName

Measure = tuple[tuple[int, ...], ...]
"""The difficulty of each question, as numbers."""
SAMPLE: Final = 60
"""The number of suitable games from which the usual difficulty is found."""
TRIES: Final = 3000
"""The number of random games after which an error says that none fits, and why."""
PATIENCE: Final = 20.0
"""The time limit if no game has fitted; once one has, time does not count, so that the result is the same on every computer."""
_KEPT: Final = 256
"""The number of cached instances; each question of a student asks for the same one."""


class InVain:
    """A tally of random games that were rejected, and why."""

    def __init__(self) -> None:
        self.draws, self._began = 0, process_time()
        self.failed: Counter[str] = Counter()

    @property
    def late(self) -> bool:
        """Return whether the time limit is over."""
        return process_time() - self._began > PATIENCE

    def __str__(self) -> str:
        reasons = [f"{reason!r} failed {count:,} times" for reason, count in self.failed.most_common()]
        return f"of {self.draws:,} draws " + ", ".join(reasons)


class EvenGames:
    """Draws a student's game: it meets all conditions and is as difficult as everybody's."""

    def __init__(self, drawing: GameMaker, questions: Sequence[AskedByName]) -> None:
        self.drawing, self.questions = drawing, tuple(questions)
        self.tally = InVain()
        """The tally of the games from which the difficulty was found."""
        first = self._first()
        self._refuse_what_does_not_fit(first)
        self.target = self._usual()
        """The difficulty for everybody."""
        self._made: dict[int, DrawnGame] = {}

    def _seed(self, place: int) -> int:
        return Random(f"{self.drawing.name} {place}").getrandbits(128)

    def _first(self) -> DrawnGame:
        """Return a first game that meets the conditions, to find out which questions fit."""
        tally = InVain()
        for index in range(TRIES):
            game = self._drawn(Random(self._seed(index)), tally)
            if game is not None:
                return game
            if tally.late:
                break
        raise DurakError(f"no game is as it must be: {tally}; draw from more numbers, or ask for less")

    def _refuse_what_does_not_fit(self, game: DrawnGame) -> None:
        for question in self.questions:
            if problem := question.unfit(game):
                raise _refused(question, game, problem)

    def _refuse_what_cannot_be_made(self, game: DrawnGame) -> None:
        """Refuse a question whose exercise can't be built, now instead of for a student."""
        for question in self.questions:
            try:
                question.make(game)
            except DurakError as error:  # noqa: PERF203 - the first is told
                raise _refused(question, game, str(error)) from None

    def _usual(self) -> Measure:
        """Return the most frequent difficulty of the first games; of several, the first found."""
        tally, frequencies = self.tally, Counter[Measure]()
        for index in range(TRIES):
            game = self._drawn(Random(self._seed(index)), tally)
            difficulty = None if game is None else self._measured(game, tally)
            if game is not None and difficulty is not None:
                if not frequencies:
                    self._refuse_what_cannot_be_made(game)
                frequencies[difficulty] += 1
            if sum(frequencies.values()) == SAMPLE or (not frequencies and tally.late):
                break
        if not frequencies:
            raise DurakError(f"no game is as it must be: {tally}; draw from more numbers, or ask for less")
        return frequencies.most_common(1)[0][0]

    def _drawn(self, rng: Random, tally: InVain) -> DrawnGame | None:
        tally.draws += 1
        game = self.drawing.drawn(rng)
        if game is None:
            tally.failed["the chances of a draw add up to 1"] += 1
            return None
        for condition in self.drawing.so_that:
            if not holds(condition, game):
                tally.failed[condition.said] += 1
                return None
        return game

    def _measured(self, game: DrawnGame, tally: InVain) -> Measure | None:
        difficulty = []
        for question in self.questions:
            numbers = question.measure(game)
            if numbers is None:
                tally.failed[f"{question.name}: {question.lacks}"] += 1
                return None
            difficulty.append(numbers)
        return tuple(difficulty)

    def of(self, lots: Random) -> DrawnGame:
        """Return the game of the student with this random generator, the same for all questions."""
        seed = lots.getrandbits(128)
        if seed not in self._made:
            while len(self._made) >= _KEPT:
                del self._made[next(iter(self._made))]
            self._made[seed] = self._fitting(Random(seed), InVain())
        return self._made[seed]

    def _fitting(self, rng: Random, tally: InVain) -> DrawnGame:
        for _ in range(10 * TRIES):
            game = self._drawn(rng, tally)
            if game is None:
                continue
            for question, target in zip(self.questions, self.target, strict=True):
                if question.measure(game) != target:
                    tally.failed[f"{question.name} as hard as for the others"] += 1
                    break
            else:
                return game
        raise DurakError(f"no game is as hard as the others: {tally}; draw from more numbers, or ask for less")

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_made": {}}


def _refused(one: AskedByName, game: DrawnGame, why: str) -> DurakError:
    """Return the error for a question that does not fit, with those that do."""
    others = [name for name in fitting(game) if name != one.name]
    return DurakError(f"the question {one.name!r} does not fit this game: {why}. What fits: {', '.join(others) or 'none'}")


class Tried(NamedTuple):
    """The results of a trial for one question."""

    name: str
    counted: str
    """The difficulty, which is the same for everybody, as text."""
    different: int
    """The number of different right answers among the students."""

    def __str__(self) -> str:
        answers = "the same answer for all" if self.different == 1 else f"{self.different} different answers"
        return f"{self.name} ({self.counted}): {answers}" if self.counted else f"{self.name}: {answers}"


class GameTrial(NamedTuple):
    """The results of a trial: how many different games, how difficult, and what was rejected."""

    students: int
    different: int
    questions: tuple[Tried, ...]
    tally: InVain

    def __str__(self) -> str:
        rejected = [f"drawn in vain: {self.tally}"] if self.tally.failed else []
        return "\n".join(
            [f"{self.students} students, {self.different} different games", *(f"  {question}" for question in self.questions), *rejected]
        )


def trial_of(even: EvenGames, students: int) -> GameTrial:
    """Return the results of a trial for numbered students."""
    games = [even.of(Random(f"trial {number}")) for number in range(students)]
    trials = []
    for question, difficulty in zip(even.questions, even.target, strict=True):
        counted = ", ".join(f"{label}: {count}" for label, count in zip(question.counted, difficulty, strict=False))
        trials.append(Tried(question.name, counted, len({repr(question.make(game).solution) for game in games})))
    return GameTrial(students, len({to_efg(game.tree) for game in games}), tuple(trials), even.tally)
