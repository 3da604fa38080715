"""Which answers of a student count: of each question one, wherever it lies among what they have handed in."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.exercises.paper_form import by_hand
from durak_widget.grading.gradebook import Marked
from durak_widget.grading.submission_files import Odd
from durak_widget.grading.submissions import are_a_pair
from durak_widget.homework.receipt import kept_after, time_said
from durak_widget.i18n import Fact

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from durak_widget.grading.answer_grading import AnswerWorth
    from durak_widget.grading.submissions import Work
    from durak_widget.homework.assignment import Assignment
    from durak_widget.i18n import Voice


_OF_TWO: Final = {"class.file.copied", "class.file.somebody", "class.typed.other"}
"""Sentences whose other is somebody."""
_MOST_NAMED: Final = 50
"""So many files stand in a line."""


class FileWorth(NamedTuple):
    """What a student has answered in one file, and by its place what each answer is worth."""

    work: Work
    found: Mapping[int, AnswerWorth]

    def points(self, assignment: Assignment) -> Fraction:
        """All that it would earn alone."""
        return sum((one.credit * assignment.questions[place].points for place, one in self.found.items()), Fraction(0))


def rows(
    student: str,
    several: Sequence[FileWorth],
    assignment: Assignment,
    voice: Voice,
    held: Collection[int] = (),
    unsure: Collection[int] = (),
) -> list[Marked]:
    """A row for each question: of several answers the one that earns most, so that no file takes anything from anybody; without one, nothing.

    What is held is not marked: too many files answer it, or, where it is unsure, lines of a typed table contradict each other. Neither is what may be lost, since
    every file of the student is damaged.
    An answer that earns nothing, and what is said of it, is nobody's but in the file that earns most, or in the other of a pair: somebody else may have written it.
    """
    made = []
    best = best_of(several, assignment) if several else None
    own = several if _are_a_pair(several) else [best]
    lost = voice.say("class.mark.damaged")
    for place, asked in enumerate(assignment.questions):
        if place in held or place in unsure:
            waits = voice.say("class.mark.held" if place in held else "class.mark.unsure")
            made.append(Marked(student, "", asked.name, Fraction(0), asked.points, Fraction(0), 0, "", waits, held=True))
            continue
        there = [one for one in several if place in one.found and (one in own or one.found[place].credit)]
        if not there and several and all(one.work.damaged for one in several):
            made.append(Marked(student, several[0].work.file, asked.name, Fraction(0), asked.points, Fraction(0), 0, "", lost, held=True))
            continue
        if best is None or not there:
            none = voice.say("class.mark.none")
            made.append(Marked(student, best.work.file if best else "", asked.name, Fraction(0), asked.points, Fraction(0), 0, "", none))
            continue
        one = max(there, key=lambda one: (one.found[place].credit, one is best))
        worth, (given, _, other, _) = one.found[place], one.work.answers[place]
        same = [two.work.answers[place] for two in there if two.work.answers[place].given == given]
        tries, at = max(two.tries for two in same), min((two.at for two in same if two.at), default="")
        earned = worth.credit * asked.points
        row = Marked(student, one.work.file, asked.name, earned, asked.points, worth.credit, tries, worth.mistake, worth.said)
        made.append(row._replace(given=(given,) if other is None else (given, other), at=at))
    return made


def waiting(made: Iterable[Marked], held: Mapping[str, Mapping[int, Sequence[str]]], assignment: Assignment) -> Iterator[Odd]:
    """Of whom something is held, by their names, which questions and which files; in no file of theirs, since others may have chosen how these are called."""
    found: dict[str, list[int]] = {}
    for row in made:
        if row.held and assignment.place(row.question) in held.get(row.student, {}):
            found.setdefault(row.student, []).append(assignment.place(row.question))
    for student, places in found.items():
        files = sorted({file for place in places for file in held[student][place]})
        named = ", ".join(files[:_MOST_NAMED]) + (", …" if len(files) > _MOST_NAMED else "")
        questions = ", ".join(str(place + 1) for place in places)
        facts = {"student": student, "count": len(files), "files": named, "questions": questions}
        yield Odd("", Fact("class.file.held", facts), tuple(files))


def late(made: Iterable[Marked], due: datetime, assignment: Assignment) -> Iterator[Odd]:
    """Of whom answers were kept after they were due, which and when; and who has answers of which nothing says when."""
    after: dict[str, list[Marked]] = {}
    unknown: dict[str, None] = {}
    for row in made:
        if kept_after(row.at, due):
            after.setdefault(row.student, []).append(row)
        elif row.given and not row.at:
            unknown[row.student] = None
    for student, rows in after.items():
        told = ", ".join(f"{assignment.place(row.question) + 1} ({time_said(row.at, due)})" for row in rows)
        yield Odd(rows[0].file, Fact("class.file.late", {"student": student, "due": time_said(due, due), "questions": told}))
    if unknown:
        named = ", ".join([*unknown][:_MOST_NAMED]) + (", …" if len(unknown) > _MOST_NAMED else "")
        yield Odd("", Fact("class.file.untimed", {"students": named}))


def people_in(fact: Fact) -> tuple[str, ...]:
    """Whom a sentence about files names.

    >>> people_in(Fact("class.file.copied", {"student": "Ann Lee", "other": "Bob", "questions": "1"})), people_in(Fact("class.file.edition", {"other": "2026"}))
    (('Ann Lee', 'Bob'), ())
    """
    said = [fact.facts.get("student"), fact.facts.get("other") if fact.key in _OF_TWO else None]
    said += str(fact.facts.get("students", "")).split(", ") + re.findall(r"\((.+?)\)(?:; |$)", str(fact.facts.get("near", "")))
    return tuple([one for one in said if isinstance(one, str) and one])


def unread(several: Sequence[FileWorth], made: Sequence[Marked]) -> Iterator[Odd]:
    """The files in which answers that would count cannot be read, with the numbers of their questions; of what was typed off a sheet, each with why."""
    found: dict[str, list[str]] = {}
    for place, row in enumerate(made):
        own = [one for one in several if one.work.file == row.file and place in one.found]
        there = [one for one in own if one.found[place].unread]
        odd = next(
            (said for one in (*there, *own) if (said := one.found[place].odd or (one.found[place].said if one in there else ""))), ""
        )
        if odd and by_hand(own[0].work.answers[place].given):
            yield Odd(row.file, Fact("class.typed.unread", {"question": str(place + 1), "student": row.student, "said": odd}))
        elif there:
            found.setdefault(row.file, []).append(str(place + 1))
    for file, numbers in found.items():
        yield Odd(file, Fact("class.file.unread", {"questions": ", ".join(numbers)}))


def _are_a_pair(several: Sequence[FileWorth]) -> bool:
    """Whether all that is answered stands in a notebook and its receipt: a file without answers, which anybody may lay beside them, changes nothing."""
    return are_a_pair([one.work for one in several]) or are_a_pair([one.work for one in several if one.work.answers])


def best_of(several: Sequence[FileWorth], assignment: Assignment) -> FileWorth:
    """The file that earns most; of a notebook and a receipt that earn the same, the receipt, which knows how often something was answered."""
    return max(several, key=lambda one: (one.points(assignment), len(one.found), not one.work.notebook))


def again(student: str, several: Sequence[FileWorth], made: Sequence[Marked], assignment: Assignment) -> Iterator[Odd]:
    """Of whoever is there several times, the files with other answers, which is not to say fewer; a notebook and its receipt are one work, unless an answer in one is worth less."""
    best = best_of(several, assignment)
    pair = _are_a_pair(several)
    for one in several:
        if one is best:
            continue
        if pair:
            other = any(worth.credit != best.found[place].credit for place, worth in one.found.items() if place in best.found)
        else:
            there = best.work.answers
            other = any(place not in there or answer.given != there[place].given for place, answer in one.work.answers.items())
        if other:
            counts = any(row.file == one.work.file for row in made)
            facts = {"student": student} if counts else {"student": student, "file": best.work.file}
            yield Odd(one.work.file, Fact("class.file.partly" if counts else "class.file.again", facts))
