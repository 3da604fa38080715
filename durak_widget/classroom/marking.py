"""Marking a folder of homework: each student's instance is made again, and every answer judged anew; nothing that a file says of itself earns anything."""

from __future__ import annotations

import argparse
import os
import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.board.refusing import RefusedError
from durak_widget.classroom.assignment import assignment_of
from durak_widget.classroom.confined import Confined, Limits, weaker
from durak_widget.classroom.credit import credit, mistake
from durak_widget.classroom.folders import File, Odd, files_in
from durak_widget.classroom.lots import known_as
from durak_widget.classroom.marks import Marked, Marks, Trouble
from durak_widget.classroom.roster import Roster
from durak_widget.classroom.submitted import HandedIn, Work, edition_of_most, handed_in, sort_out
from durak_widget.classroom.workers import Lost, Workers
from durak_widget.errors import ENDINGS, DurakError, quoted, whole_number
from durak_widget.files import path_of, replace_text
from durak_widget.lessons.strategies import Strategy
from durak_widget.words import Fact, Voice

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from durak_widget.classroom.assignment import Assignment, Question
    from durak_widget.classroom.submitted import Given
    from durak_widget.lessons.task import Task

_READING: Final = 60.0
_JUDGING: Final = 300.0
"""So many seconds the work of one student may take."""
_MOST_JOBS: Final = 64
_LONGEST: Final = 2000


class _How(NamedTuple):
    """How answers are judged."""

    assignment: Assignment | str
    """As a text where that finds it: it may be made of what cannot be carried to another process."""
    edition: str
    language: str
    runs_code: bool
    limits: Limits


class _Judged(NamedTuple):
    """The rows of one piece of work, and which walls were missing around its code."""

    rows: tuple[Marked, ...]
    missing: frozenset[str]

    @property
    def points(self) -> Fraction:
        return sum((row.points for row in self.rows), Fraction(0))


def mark(
    folder: str | PathLike[str],
    assignment: Assignment | str = "econ431",
    *,
    edition: str | int = "",
    roster: str | PathLike[str] | Roster | None = None,
    out: str | PathLike[str] | None = None,
    jobs: int | None = None,
    language: str = "en",
    run_code: bool = True,
    limits: Limits = Limits(),  # noqa: B008 - it is a value
) -> Marks:
    """The marks of all that lies in a folder, notebooks and receipts, however it is called and laid.

    `out` is a file for them as CSV, `roster` one with the names of the class. Without an `edition` that of most files is taken. Strategies and bots that
    were given as code run in processes of their own (see `confined`), or not at all with `run_code=False`.
    """
    voice = Voice(language)
    own = assignment_of(assignment)
    wanted = assignment_of(assignment, str(edition)) if edition != "" else own
    known = Roster.read(roster) if isinstance(roster, (str, os.PathLike)) else roster or Roster([])
    files, odd = files_in(folder)
    aside = {os.path.realpath(path_of(one)) for one in (out, roster) if isinstance(one, (str, os.PathLike))}
    files = [file for file in files if file.path not in aside]
    with Workers(_jobs(jobs)) as workers:
        read = workers.each(_reading, None, files, _READING)
        handed = [_read(*one) for one in zip(files, read, strict=True)]
        if edition == "" and not own.edition and (most := edition_of_most(handed, own.name)):
            wanted = own.of(most)
            odd.append(Odd("", Fact("class.file.which", {"edition": most})))
        sorted_ = sort_out(handed, wanted, own.edition, known.main)
        odd += sorted_.odd
        works = [work for several in sorted_.works.values() for work in several]
        how = _How(assignment if isinstance(assignment, str) else wanted, wanted.edition, language, run_code is True, limits)
        done = workers.each(judged, how, works, _JUDGING)
    results = {id(work): _whole(work, one, wanted, voice) for work, one in zip(works, done, strict=True)}
    rows: dict[str, tuple[Marked, ...]] = {}
    for who, several in sorted_.works.items():
        best = max(several, key=lambda work: (results[id(work)].points, len(work.answers)))
        rows[who] = tuple(row._replace(student=known.shown(best.student)) for row in results[id(best)].rows)
        odd += _again(known.shown(best.student), best, several)
    marks = Marks(*_with_roster(rows, odd, known, wanted, voice, _missing(results.values())))
    if out is not None:
        replace_text(out, "\ufeff" + marks.csv())
    return marks


def _jobs(jobs: int | None) -> int:
    if jobs is None:
        return min(len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1, _MOST_JOBS)
    count = whole_number(jobs)
    if count is None or not 0 <= count <= _MOST_JOBS:
        raise DurakError(
            f"jobs={quoted(jobs)} is in how many processes to mark: a whole number from 1 to {_MOST_JOBS}, or 0 for none but this one"
        )
    return count


def _reading(_: None, file: File) -> HandedIn:
    """What a file holds, found out where nothing is lost if it makes the program that reads it fall."""
    return handed_in(file)


def _read(file: File, found: Any) -> HandedIn:  # noqa: ANN401 - it may have failed
    return found if isinstance(found, HandedIn) else HandedIn(file, (), (Fact("class.file.crashed"),))


def _again(student: str, best: Work, several: Sequence[Work]) -> list[Odd]:
    """Of whoever is there several times, the files with other answers, which do not count."""
    counts = {place: one.given for place, one in best.answers.items()}
    others = [work for work in several if {place: one.given for place, one in work.answers.items()} != counts]
    return [Odd(work.file, Fact("class.file.again", {"student": student, "file": best.file})) for work in others]


def _missing(results: Iterable[_Judged]) -> frozenset[str]:
    return frozenset().union(*(one.missing for one in results))


def _with_roster(
    rows: dict[str, tuple[Marked, ...]], odd: list[Odd], known: Roster, wanted: Assignment, voice: Voice, missing: frozenset[str]
) -> tuple[list[Marked], list[Trouble]]:
    """All rows, in the order of the roster, then of names; and all that was wrong."""
    found: list[Marked] = []
    for name in known.names:
        there = rows.pop(known_as(name), None)
        if there is None:
            odd.append(Odd("", Fact("class.file.missing", {"student": name})))
            there = _nothing(wanted, Work(name, "", {}), voice)
        found += there
    for there in rows.values():
        if known.names:
            odd.append(Odd(there[0].file, Fact("class.file.unlisted", {"student": there[0].student})))
        found += there
    if missing:
        odd.append(Odd("", weaker(missing)))
    return found, [Trouble(one.file, voice.say(one.fact.key, **one.fact.facts)) for one in dict.fromkeys(map(_kept, odd))]


class _Kept(NamedTuple):
    """What is wrong, as it can be told from the same said twice."""

    file: str
    said: tuple[str, tuple[tuple[str, Any], ...]]

    @property
    def fact(self) -> Fact:
        return Fact(self.said[0], dict(self.said[1]))


def _kept(odd: Odd) -> _Kept:
    return _Kept(odd.file, (odd.fact.key, tuple(odd.fact.facts.items())))


def _nothing(wanted: Assignment, work: Work, voice: Voice, said: Fact = Fact("class.mark.none")) -> tuple[Marked, ...]:  # noqa: B008 - it is a value
    text = voice.say(said.key, **said.facts)
    return tuple(
        Marked(
            work.student,
            work.file,
            one.name,
            Fraction(0),
            one.points,
            Fraction(0),
            work.answers[place].tries if place in work.answers else 0,
            "",
            text,
        )
        for place, one in enumerate(wanted.questions)
    )


def _whole(work: Work, done: Any, wanted: Assignment, voice: Voice) -> _Judged:  # noqa: ANN401 - it may have failed
    """What came of judging one student's work, also where nothing came of it."""
    if isinstance(done, _Judged):
        return done
    late = isinstance(done, Lost) and done.late
    fact = Fact("class.mark.late", {"seconds": f"{_JUDGING:g}"}) if late else Fact("class.mark.failed", {"kind": type(done).__name__})
    return _Judged(_nothing(wanted, work, voice, fact), frozenset())


# One student's work


def judged(how: _How, work: Work) -> _Judged:
    """Every question of the assignment, made and judged for that student."""
    assignment, voice = assignment_of(how.assignment, how.edition), Voice(how.language)
    missing: set[str] = set()
    rows = [_row(how, assignment, place, work, voice, missing) for place in range(len(assignment.questions))]
    return _Judged(tuple(rows), frozenset(missing))


def _row(how: _How, assignment: Assignment, place: int, work: Work, voice: Voice, missing: set[str]) -> Marked:
    question, answer = assignment.questions[place], work.answers.get(place)
    earned, name, said = Fraction(0), "", voice.say("class.mark.none")
    if answer is not None:
        earned, name, said = _answered(how, assignment, question, work.student, answer, voice, missing)
    tries = 0 if answer is None else answer.tries
    text = "".join(sign if sign.isprintable() else " " for sign in said[:_LONGEST])
    return Marked(work.student, work.file, question.name, earned * question.points, question.points, earned, tries, name, text)


def _answered(
    how: _How, assignment: Assignment, question: Question, student: str, answer: Given, voice: Voice, missing: set[str]
) -> tuple[Fraction, str, str]:
    """What an answer earns, the mistake by its name, and why; where what stands in a cell cannot be read or run, what the receipt has."""
    said = ""
    for given in (answer.given, answer.other):
        if given is None:
            continue
        try:
            task = assignment.task(question.name, student)
            task.language = how.language
            trouble, verdict = _judge(how, task, given, voice, missing)
            if not trouble:
                return credit(task), mistake(task), verdict or voice.say("class.mark.open")
        except ENDINGS as error:  # whatever an answer brings about, everything else is marked
            trouble = voice.say("class.mark.failed", kind=type(error).__name__[:60])
        said = said or trouble
    return Fraction(0), "", said


def _judge(how: _How, task: Task, given: Any, voice: Voice, missing: set[str]) -> tuple[str, str]:  # noqa: ANN401 - whatever was given
    """What is wrong with an answer, so that it cannot be judged, or else the verdict. Code is never handed to the exercise: it would run it here."""
    try:
        if not (isinstance(given, dict) and "code" in given):
            return "", str(task.answer(given))
        if not isinstance(task, Strategy) and task.kind != "bot":
            return voice.say("class.mark.no_code"), ""
        if not how.runs_code:
            return voice.say("class.code.unasked"), ""
        with Confined(given["code"], how.limits) as code:
            try:
                return "", str(task.answer(code.at if isinstance(task, Strategy) else code))
            except DurakError:
                if code.trouble is None:
                    raise
                return code.trouble.said(how.language), ""
            finally:
                missing |= code.missing
    except DurakError as error:
        said = error.said(how.language) if isinstance(error, RefusedError) else str(error)
        return voice.say("class.mark.unread", said=said), ""


# The command


def command(arguments: Sequence[str]) -> int:
    """`python -m durak_widget.lessons mark FOLDER`: prints the marks and what was wrong, and writes them as CSV."""
    parser = argparse.ArgumentParser("python -m durak_widget.lessons mark", description="Marks a folder of notebooks and receipts.")
    parser.add_argument("folder", help="what students have handed in, however it is laid; nbgrader's submitted/ too")
    parser.add_argument("--assignment", default="econ431", help="its name, or module:NAME of one of your own (econ431)")
    parser.add_argument("--edition", default="", help="the year or class whose questions they were (that of most files)")
    parser.add_argument("--roster", help="CSV with the names of the class")
    parser.add_argument("--out", help="CSV for the marks, a line for each question with the reason")
    parser.add_argument("--totals", help="CSV with a line for each student")
    parser.add_argument("--jobs", type=int, help="in how many processes (one for each core); 0: in this one")
    parser.add_argument("--language", default="en", help="of the reasons: en, ru or lt")
    parser.add_argument("--no-code", action="store_true", help="do not run strategies and bots that were given as code")
    try:
        told = parser.parse_args(list(arguments))
    except SystemExit as left:
        return int(left.code or 0)
    for name in (told.out, told.totals):
        if name and not (Path(name).resolve().parent.is_dir()):
            raise DurakError(f"there is no folder for {quoted(name)}; make it, or write the marks elsewhere")
    marks = mark(
        told.folder,
        told.assignment,
        edition=told.edition,
        roster=told.roster,
        out=told.out,
        jobs=told.jobs,
        language=told.language,
        run_code=not told.no_code,
    )
    if told.totals:
        replace_text(told.totals, "\ufeff" + marks.totals())
    print(marks)  # noqa: T201 - that is what the command is for
    return 0
