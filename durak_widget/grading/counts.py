"""How a class stands, in numbers: each question's difficulty, what it tells apart, its mistakes and tries, and each student's points."""

from __future__ import annotations

from collections import Counter
from statistics import StatisticsError, correlation, fmean, median, quantiles
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from durak_widget.grading.gradebook import Marked

FEWEST: Final = 5
"""Of fewer students no correlation is told."""


class Cell(NamedTuple):
    """What a student has of a question."""

    credit: float
    tries: int
    answered: bool


class MistakeCount(NamedTuple):
    """A mistake, how many made it, and what one of them was told."""

    name: str
    """Empty where a wrong answer is no mistake with a name."""
    many: int
    said: str


class QuestionCount(NamedTuple):
    """A question in numbers."""

    name: str
    of: int
    mean: float
    """The mean credit: how easy it was."""
    answered: int
    tells: float | None
    """The correlation of its credit with the points of all other questions; None where that cannot be said."""
    tries: tuple[float, float, float] | None
    """The median, and the two between which the middle half lies."""
    mistakes: tuple[MistakeCount, ...]
    stuck: tuple[str, ...]
    """Who has none of its points."""


class ClassStanding:
    """The marks of a class, counted.

    >>> from durak_widget.grading.gradebook import Marked
    >>> from fractions import Fraction
    >>> rows = [Marked("Ann", "a", "q", Fraction(2), 2, Fraction(1), 1, "", ""), Marked("Bob", "b", "q", Fraction(0), 2, Fraction(0), 3, "turned", "No.")]
    >>> standing = ClassStanding(rows)
    >>> standing.students, standing.asked[0].mean, standing.asked[0].mistakes
    (('Bob', 'Ann'), 0.5, (MistakeCount(name='turned', many=1, said='No.'),))
    """

    def __init__(self, rows: Iterable[Marked]) -> None:
        every = list(rows)
        worth = {row.question: row.of for row in every}
        self.of = sum(worth.values())
        """The points that there are."""
        here = {row.student for row in every if _answered(row)}
        self.absent = tuple(dict.fromkeys(row.student for row in every if row.student not in here))
        """Of whom no answer counts: they are in none of the numbers, since they say nothing about the questions."""
        self._rows = {(row.student, row.question): row for row in every if row.student in here}
        self.cells = {place: Cell(float(row.credit), row.tries, _answered(row)) for place, row in self._rows.items()}
        self.held = {place for place, row in self._rows.items() if row.held}
        """The students and questions of whom nothing is marked yet, or may be lost: they stand in no average."""
        self._unsure = {student for student, _ in self.held}
        points: dict[str, float] = dict.fromkeys((student for student, _ in self._rows), 0.0)
        for row in self._rows.values():
            points[row.student] += float(row.points)
        self.points: Mapping[str, float] = points
        self.students = tuple(sorted(points, key=lambda name: (points[name], name)))
        """Those with the fewest points first."""
        self.asked = tuple([self._asked(question, of) for question, of in worth.items()])

    def cell(self, student: str, question: str) -> Cell:
        """What a student has of a question."""
        return self.cells.get((student, question), Cell(0.0, 0, answered=False))

    @property
    def shares(self) -> list[float]:
        """The share of all points that each student has of whom everything is marked."""
        return [self.points[student] / self.of if self.of else 0.0 for student in self.students if student not in self._unsure]

    @property
    def first(self) -> list[QuestionCount]:
        """The questions that need help first: those with the least mean credit."""
        return sorted(self.asked, key=lambda one: one.mean)

    def _asked(self, question: str, of: int) -> QuestionCount:
        known = [student for student in self.students if (student, question) not in self.held]
        whole = [student for student in known if student not in self._unsure]
        cells = [self.cell(student, question) for student in known]
        rows = [row for (_, name), row in self._rows.items() if name == question]
        tries = [cell.tries for cell in cells if cell.tries > 0]
        earned = [self.cell(student, question).credit for student in whole]
        rest = [self.points[student] - of * credit for student, credit in zip(whole, earned, strict=True)]
        return QuestionCount(
            question,
            of,
            fmean(cell.credit for cell in cells) if cells else 0.0,
            sum(cell.answered for cell in cells),
            _correlated(earned, rest),
            _middle(tries),
            _mistakes(rows, [row for row in rows if self.cells[row.student, question].answered]),
            tuple([student for student, cell in zip(known, cells, strict=True) if not cell.credit]),
        )


def _answered(row: Marked) -> bool:
    return row.tries > 0 or row.credit > 0 or bool(row.mistake)


def _correlated(ones: list[float], others: list[float]) -> float | None:
    """Pearson's correlation; None of few, or where one of both never changes."""
    if len(ones) < FEWEST or max(others) - min(others) < 1e-9:
        return None
    try:
        return correlation(ones, others)
    except StatisticsError:
        return None


def _middle(tries: list[int]) -> tuple[float, float, float] | None:
    if not tries:
        return None
    low, _, high = quantiles(tries, n=4, method="inclusive") if len(tries) > 1 else (tries[0],) * 3
    return float(median(tries)), low, high


def _mistakes(rows: list[Marked], answered: list[Marked]) -> tuple[MistakeCount, ...]:
    """The mistakes, the commonest first; wrong answers without a name stand last."""
    wrong = [row for row in answered if row.credit < 1]
    counts = Counter(row.mistake for row in wrong)
    said = {row.mistake: row.said for row in reversed(rows) if row.said and row.credit < 1}
    order = sorted(counts, key=lambda name: (not name, -counts[name], name))
    return tuple([MistakeCount(name, counts[name], said.get(name, "")) for name in order])
