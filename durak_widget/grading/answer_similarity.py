"""Detection of students with several wrong answers that are correct for another student.

For a student who works alone, each wrong answer is correct for a given other student with some probability, independently of other
answers. This probability is estimated as the larger of two shares. The first is over all pairs in the school class: how often a wrong
answer to this question is correct for the other student. The second is over all other students: how often exactly this answer is
correct. The result is how many classes of this size it takes, on average, until one pair agrees in this many answers or in something
even less probable. Answers are compared by their canonical texts.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.errors import USER_CODE_EXCEPTIONS
from durak_widget.exercises.base_exercise import find_exercise_class
from durak_widget.exercises.paper_form import convert_paper_answer, is_paper_answer
from durak_widget.gametheory.number_parsing import parse_number_readings
from durak_widget.homework.assignment import resolve_assignment

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.homework.assignment import Assignment

MIN_SHARED_ANSWERS: Final = 3
"""The minimum number of wrong answers, correct for the same other student, for which a pair of students can be reported."""
MIN_CLASSES_PER_CHANCE_PAIR: Final = 100
"""A pair of students is reported only if chance alone produces at most one such pair in this number of school classes."""
_MAX_CLASSES: Final = 10**6


class WrongAnswer(NamedTuple):
    """A wrong answer, and the students in whose version of the question it would be correct."""

    question_index: int
    right_for: frozenset[str]


class SuspiciousPair(NamedTuple):
    """Two students, one of whom gave wrong answers that would be correct for the other."""

    student: str
    other_student: str
    question_indices: tuple[int, ...]
    """The indices of the questions for which the first student's wrong answer would be correct for the other student."""
    wrong_count: int
    """How many wrong answers the first student gave in total."""
    class_count: int
    """In how many school classes chance alone produces about one pair like this; at most a million."""


def find_suspicious_pairs(wrong_answers: Mapping[str, Sequence[WrongAnswer]], students: Iterable[str]) -> list[SuspiciousPair]:
    """Find pairs of students in which one's wrong answers would be correct for the other.

    A pair is reported only if chance is a very unlikely explanation. In most school classes there is none.

    >>> alone = {name: [WrongAnswer(place, frozenset()) for place in range(6)] for name in "abcdefgh"}
    >>> find_suspicious_pairs(alone, "abcdefgh")
    []
    >>> found = find_suspicious_pairs({**alone, "a": [WrongAnswer(place, frozenset("b")) for place in range(6)]}, "abcdefgh")
    >>> found[0][:4], found[0].class_count > 1000
    (('a', 'b', (0, 1, 2, 3, 4, 5), 6), True)
    """
    names = list(dict.fromkeys(students))
    pair_counts, fit_counts = defaultdict[int, int](int), defaultdict[int, int](int)
    for wrong in wrong_answers.values():
        for answer in wrong:
            pair_counts[answer.question_index] += len(names) - 1
            fit_counts[answer.question_index] += len(answer.right_for)
    suspicious = []
    for student, wrong in wrong_answers.items():
        best: SuspiciousPair | None = None
        for other in dict.fromkeys(name for answer in wrong for name in sorted(answer.right_for)):
            indices = tuple(answer.question_index for answer in wrong if other in answer.right_for)
            if len(indices) < MIN_SHARED_ANSWERS:
                continue
            chances = []
            for answer in wrong:
                fits_here = other in answer.right_for
                class_rate = (fit_counts[answer.question_index] - fits_here + 1) / pair_counts[answer.question_index]
                answer_share = (len(answer.right_for) - fits_here) / max(len(names) - 2, 1)
                chances.append(min(max(class_rate, answer_share), 1.0))
            expected = len(names) * (len(names) - 1) * compute_tail_probability(len(indices), chances)
            classes = _MAX_CLASSES if expected * _MAX_CLASSES <= 1 else int(1 / expected)
            if classes >= MIN_CLASSES_PER_CHANCE_PAIR and (
                best is None or (classes, len(indices)) > (best.class_count, len(best.question_indices))
            ):
                best = SuspiciousPair(student, other, indices, len(wrong), classes)
        suspicious += [best] if best else []
    return suspicious


def compute_tail_probability(min_count: int, probabilities: Sequence[float]) -> float:
    """Return the probability that at least `min_count` of several independent events occur.

    >>> compute_tail_probability(2, [0.5, 0.5, 0.5]), compute_tail_probability(1, []), compute_tail_probability(0, [])
    (0.5, 0, 1.0)
    """
    distribution = [1.0]
    for chance in probabilities:
        distribution = [
            (distribution[count] * (1 - chance) if count < len(distribution) else 0.0)
            + (distribution[count - 1] * chance if count else 0.0)
            for count in range(len(distribution) + 1)
        ]
    return sum(distribution[min_count:])


def format_class_count(classes: int) -> str:
    r"""Format an estimated number of school classes, rounded to one significant digit.

    >>> [format_class_count(classes).replace("\u202f", " ") for classes in (128, 98_765, 10**6)]
    ['100', '90 000', '>1 000 000']
    """
    scale = 10 ** (len(str(classes)) - 1)
    text = f"{classes // scale * scale:,}".replace(",", "\u202f")
    return f">{text}" if classes >= _MAX_CLASSES else text


class SolutionRequest(NamedTuple):
    """A request to compute the correct answers to some questions of an assignment."""

    assignment: Assignment | str
    edition: str
    question_indices: Sequence[int]
    """The indices of the questions for which correct answers are requested."""


def compute_right_answers(request: SolutionRequest, student: str) -> dict[int, str]:
    """Return the correct answers to a student's questions, by question index.

    Questions whose correct answer can't be computed are left out.

    >>> compute_right_answers(SolutionRequest("econ431", "2027", [4]), "Guest")
    {4: '101/143'}
    """
    assignment = resolve_assignment(request.assignment, request.edition)
    right_answers = {}
    for index in request.question_indices:
        try:
            exercise = assignment.create_exercise(index + 1, student)
            exercise.restore_answer(exercise.solution)  # A restored answer is stored without being graded, and without games against a bot
            right_answers[index] = normalize_answer(exercise.last_answer, assignment.questions[index].kind)
        except USER_CODE_EXCEPTIONS:  # noqa: PERF203 - an error in one question must not affect others
            continue
    return right_answers


def normalize_student_answer(assignment: Assignment, student: str, question_index: int, answer: Any) -> str:  # noqa: ANN401 - any value
    """Return a student's answer to a question as a text that is equal for equivalent answers.

    An answer typed from paper uses the letters of the student's sheet. The result is "" if the answer can't be read.

    >>> from durak_widget.econ431.problem_set import ASSIGNMENT
    >>> normalize_student_answer(ASSIGNMENT, "Guest", 4, {"by_hand": {"": "101/143"}}) == normalize_student_answer(ASSIGNMENT, "Guest", 4, "101/143")
    True
    """
    if is_paper_answer(answer):
        try:
            answer = convert_paper_answer(assignment.create_exercise(question_index + 1, student), answer)
        except USER_CODE_EXCEPTIONS:
            return ""
    return normalize_answer(answer, assignment.questions[question_index].kind)


def normalize_answer(answer: Any, kind: str) -> str:  # noqa: ANN401 - any value
    """Return the text of an answer in a standard form, which is equal for equivalent answers.

    >>> normalize_answer("0,5", "number") == normalize_answer(" 1/2 ", "number"), normalize_answer(["9c", "Kd"], "pick") == normalize_answer("Kd 9c", "pick")
    (True, True)
    >>> normalize_answer([[0, 1], [1, 0]], "matrix") == normalize_answer([[1, 0], [0, 1]], "matrix"), normalize_answer(["1", "2"], "matrix") == normalize_answer(["2", "1"], "matrix")
    (True, False)
    """
    form = find_exercise_class(kind).answer_form
    if form is not None and not form.is_single and isinstance(answer, (str, list, tuple)):
        return form.to_canonical_text([*map(str, answer.split() if isinstance(answer, str) else answer)])
    normalized = _normalize_value(answer)
    return normalized if isinstance(normalized, str) else json.dumps(normalized, sort_keys=True)


def _normalize_value(value: Any) -> Any:  # noqa: ANN401 - as above
    """Normalize the numbers and groups in an answer, and drop empty entries."""
    if isinstance(value, Mapping):
        return {str(key): normalized for key, item in value.items() if (normalized := _normalize_value(item)) not in ("", "0")}
    if isinstance(value, (list, tuple)):
        items = [_normalize_value(item) for item in value]
        return sorted(items, key=str) if any(isinstance(item, list) for item in items) else items
    text = " ".join(str(value).split())
    parsed = parse_number_readings(text)
    return str(parsed[0].value) if parsed else text
