"""Makes an assignment from a game that a teacher wrote; each student gets random numbers."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from durak_widget.custom_games.game_template import GameTemplate
from durak_widget.custom_games.instance_difficulty import EqualDifficultySampler, GameTrial, run_trial
from durak_widget.custom_games.question_catalog import parse_questions, require_independent_questions
from durak_widget.errors import DurakError, as_whole_number, short_repr
from durak_widget.exercises.answer_parsing import require_text
from durak_widget.homework.assignment import Assignment, Question
from durak_widget.i18n import TranslatableText

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from durak_widget.custom_games.game_template import RandomNumber
    from durak_widget.custom_games.question_type import GameQuestion
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import Task

_NAME_PATTERN: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
_MAX_STUDENTS: Final = 1000


class OwnGame:
    """A game that a teacher wrote for homework; create it with `own_game`.

    >>> from durak_widget.lessons import between
    >>> from durak_widget.gametheory import textbook
    >>> game = own_game(textbook("entry"), lots={"payoffs": between(0, 9)}, so_that=["no ties", "two pure equilibria"])
    >>> homework = game.assignment("entry", "A shop and a rival", ask=["values", "path", "equilibria"])
    >>> homework
    <Assignment 'entry': 3 questions, 9 points>
    >>> homework.create_exercise("values", "Ann").tree == homework.create_exercise("path", "ann").tree, homework.create_exercise("values", "Ann").tree == homework.create_exercise("values", "Ben").tree
    (True, False)
    """

    def __init__(self, template: GameTemplate, story: Text) -> None:
        self._template, self.story = template, require_text(story)

    @property
    def name(self) -> str:
        """Return the game's name; students' random numbers and stored answers depend on it."""
        return self._template.name

    def questions(self, ask: object) -> tuple[Question, ...]:
        """Return questions about the game, which you can combine with other questions.

        A student gets the same instance of the game in all of them.

        >>> from durak_widget.gametheory import textbook
        >>> [question.name for question in own_game(textbook("kuhn"), name="poker").questions(["value", "strategy"])]
        ['poker-value', 'poker-strategy']
        """
        sampler = self._build_sampler(ask)
        names: list[str] = []
        questions = []
        for index, question in enumerate(sampler.questions):
            name = f"{self.name}-{question.name}"
            names.append(name)
            occurrence = names.count(name)
            title = question.request.title or TranslatableText(f"class.own.{question.name}")
            questions.append(
                Question(
                    name if occurrence == 1 else f"{name}-{occurrence}",
                    question.request.points or question.points,
                    title,
                    ExerciseMaker(sampler, index),
                    question.kind,
                    self.story if index == 0 else "",
                    seed_name=self.name,
                )
            )
        return tuple(questions)

    def assignment(self, name: str, title: Text, ask: object, *, edition: str = "") -> Assignment:
        """Return an assignment that has only questions about this game."""
        return Assignment(name, title, self._shorten_names(self.questions(ask)), edition)

    def _shorten_names(self, questions: Sequence[Question]) -> list[Question]:
        """Remove the game's name from the start of each question's name."""
        return [question._replace(name=question.name.removeprefix(f"{self.name}-")) for question in questions]

    def trial(self, ask: object, students: int = 30) -> GameTrial:
        """Try questions with imaginary students, before you use the questions in homework.

        The result says how many different games there are, how difficult they are, and what was rejected.

        >>> from durak_widget.lessons import between
        >>> print(own_game([[1, -1], [-1, 1]], lots={"payoffs": between(-9, 9)}, so_that="somebody mixes").trial(["mixing", "value"], students=20))
        20 students, 20 different games
          mixing (strategies mixed: 2, strategies that the other player mixes: 2): 16 different answers
          value (strategies mixed: 2, strategies that the other player mixes: 2): 20 different answers
        rejected: of 193 draws 'somebody mixes' failed 133 times
        """
        count = as_whole_number(students)
        if count is None or not 0 < count <= _MAX_STUDENTS:
            raise DurakError(f"students must be a number from 1 to {_MAX_STUDENTS}, not {short_repr(students)}")
        return run_trial(self._build_sampler(ask), count)

    def _build_sampler(self, ask: object) -> EqualDifficultySampler:
        """Return a sampler that draws random games for the questions in `ask`.

        Raise an error if a question does not fit the game.

        This is so if two actions have the same name, if one question gives the answer to another, or if a student
        could not know what is asked.
        """
        questions = parse_questions(ask)
        self._template.require_distinct_actions()
        sampler = EqualDifficultySampler(self._template, questions)  # The constructor checks that each question fits the game
        require_independent_questions(questions, self.name)
        if not self.story and any(question.name == "sets" and not question.request.question for question in questions):
            raise DurakError(
                "'sets' asks what a player cannot distinguish, and its tree does not show that; say who sees what in own_game(…, story=…), or in ask('sets', question=…)"
            )
        return sampler

    def __repr__(self) -> str:
        return (
            f"<OwnGame {self.name!r}: {self._template.source_game!r}>"
            if self._template.source_game is not None
            else f"<OwnGame {self.name!r}>"
        )


class ExerciseMaker:
    """A callable that takes a student's random numbers and makes the exercise of one question."""

    first_move: Final = "view.actions[0]"
    """Code for the game's first action, as a part of the program that students start from. The module
    `homework.notebook_writer` reads it."""

    def __init__(self, sampler: EqualDifficultySampler, index: int) -> None:
        self._sampler, self._index = sampler, index

    @property
    def question(self) -> GameQuestion:
        """Return the question that the exercises of this maker ask."""
        return self._sampler.questions[self._index]

    def __call__(self, rng: Random) -> Task:
        """Return one student's exercise, which contains the solution."""
        return self.question.build_exercise(self._sampler.get_game(rng))


def own_game(
    source: object,
    *,
    name: str = "",
    lots: Mapping[str, RandomNumber] | None = None,
    so_that: object = (),
    story: Text = "",
    zero_sum: bool | None = None,
    shuffle: bool = False,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
) -> OwnGame:
    """Create a game for homework from a tree, a matrix, a file or a text of yours.

    `source` is a tree, the name of an `.efg` file or its text, a matrix, rows of payoffs, or a function of a random
    generator that makes one of these.

    `lots` names the random numbers: `"payoff at In, Fight of Two"`, `"payoffs of Two"`, `"payoffs"` (all), `"chance
    of strong"`. `so_that` names the conditions: `"one pure equilibrium"`, `"no ties"`, or a function of the game. A
    zero-sum game stays zero-sum, unless `zero_sum=False`. With `shuffle` the actions are in another order for each
    student. `rows`, `columns` and `names` are for rows of payoffs. `story` is the text before the first question.

    >>> from durak_widget.lessons import between
    >>> own_game([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], name="dilemma", names=("Ann", "Bob"), lots={"payoff at A, a of Ann": between(2, 4)})
    <OwnGame 'dilemma': <Matrix: 2 × 2>>
    >>> own_game([[1, 2], [3, 4]], lots={"payoff at A, a": between(1, 2)}, so_that="somebody mixes").questions("value")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: no random game meets the conditions: of 3,000 draws 'somebody mixes' failed 3,000 times; draw from more numbers, or ask for less
    """
    matrix_names: dict[str, Any] = {"rows": rows, "columns": columns, "names": names}
    template = GameTemplate(
        _choose_name(name, source), source, lots=lots, so_that=so_that, zero_sum=zero_sum, shuffle=shuffle, **matrix_names
    )
    return OwnGame(template, story)


def _choose_name(name: object, source: object) -> str:
    """Return the name that the teacher gave or, without one, the name of the game's file."""
    if not name:
        stem = PurePath(source).stem if isinstance(source, (str, PurePath)) and "\n" not in str(source) else ""
        file_name = re.sub(r"[^a-z0-9]+", "-", stem.casefold()).strip("-")[:40].strip("-")
        return file_name if _NAME_PATTERN.fullmatch(file_name) else "game"
    if not isinstance(name, str) or not _NAME_PATTERN.fullmatch(name):
        raise DurakError(f"a game's name must have only small letters, digits and hyphens, as in name='entry', not {short_repr(name)}")
    return name
