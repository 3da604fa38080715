"""Which answers of a student count: of each question one, wherever it lies among what they have handed in."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.classroom.folders import Odd
from durak_widget.classroom.marks import Marked
from durak_widget.classroom.submitted import are_a_pair
from durak_widget.words import Fact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from durak_widget.classroom.assignment import Assignment
    from durak_widget.classroom.judging import Judged
    from durak_widget.classroom.submitted import Work
    from durak_widget.words import Voice


class Worth(NamedTuple):
    """What a student has answered in one file, and by its place what each answer is worth."""

    work: Work
    found: Mapping[int, Judged]

    def points(self, assignment: Assignment) -> Fraction:
        """All that it would earn alone."""
        return sum((one.credit * assignment.questions[place].points for place, one in self.found.items()), Fraction(0))


def rows(student: str, several: Sequence[Worth], assignment: Assignment, voice: Voice) -> list[Marked]:
    """A row for each question: of several answers the one that earns most, so that no file takes anything from anybody; without one, nothing."""
    made = []
    best = best_of(several, assignment) if several else None
    for place, asked in enumerate(assignment.questions):
        there = [one for one in several if place in one.found]
        if best is None or not there:
            none = voice.say("class.mark.none")
            made.append(Marked(student, best.work.file if best else "", asked.name, Fraction(0), asked.points, Fraction(0), 0, "", none))
            continue
        one = max(there, key=lambda one: (one.found[place].credit, one is best))
        worth, given = one.found[place], one.work.answers[place].given
        tries = max(other.work.answers[place].tries for other in there if other.work.answers[place].given == given)
        points = worth.credit * asked.points
        made.append(Marked(student, one.work.file, asked.name, points, asked.points, worth.credit, tries, worth.mistake, worth.said))
    return made


def best_of(several: Sequence[Worth], assignment: Assignment) -> Worth:
    """The file that earns most; of a notebook and a receipt that earn the same, the receipt, which knows how often something was answered."""
    return max(several, key=lambda one: (one.points(assignment), len(one.found), not one.work.notebook))


def again(student: str, several: Sequence[Worth], made: Sequence[Marked], assignment: Assignment) -> Iterator[Odd]:
    """Of whoever is there several times, the files with other answers; a notebook and its receipt are one work, unless an answer in one is worth less."""
    best = best_of(several, assignment)
    pair = are_a_pair([one.work for one in several])
    for one in several:
        if one is best:
            continue
        if pair:
            other = any(worth.credit != best.found[place].credit for place, worth in one.found.items() if place in best.found)
        else:
            other = {place: answer.given for place, answer in one.work.answers.items()} != {
                place: answer.given for place, answer in best.work.answers.items()
            }
        if other:
            counts = any(row.file == one.work.file for row in made)
            facts = {"student": student} if counts else {"student": student, "file": best.work.file}
            yield Odd(one.work.file, Fact("class.file.partly" if counts else "class.file.again", facts))
