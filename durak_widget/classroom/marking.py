"""Marking a folder of homework: each student's instance is made again, and every answer judged anew; nothing that a file says of itself earns anything."""

from __future__ import annotations

import argparse
import io
import os
import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from durak_widget.classroom.assignment import assignment_of
from durak_widget.classroom.confined import Limits, weaker
from durak_widget.classroom.folders import File, Odd, files_in
from durak_widget.classroom.judging import Answered, How, Judged, judged
from durak_widget.classroom.lots import known_as
from durak_widget.classroom.marks import Marked, Marks, Trouble
from durak_widget.classroom.roster import Roster
from durak_widget.classroom.submitted import HandedIn, Work, edition_of_most, handed_in, sort_out
from durak_widget.classroom.workers import Failed, Lost, Workers
from durak_widget.errors import DurakError, quoted, whole_number
from durak_widget.files import path_of, replace_text
from durak_widget.words import Fact, Voice

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike

    from durak_widget.classroom.assignment import Assignment

_READING: Final = 60.0
_JUDGING: Final = 120.0
"""So many seconds an answer may take."""
_MOST_JOBS: Final = 64


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
        how = How(assignment if isinstance(assignment, str) else wanted, wanted.edition, language, run_code is True, limits)
        answers = [Answered(work.student, place, given) for work in works for place, given in work.answers.items()]
        found = [_judged(one, voice) for one in workers.each(judged, how, answers, _JUDGING)]
    worth = iter(found)
    results = {id(work): _rows(work, {place: next(worth) for place in work.answers}, wanted, voice) for work in works}
    rows: dict[str, list[Marked]] = {}
    for who, several in sorted_.works.items():
        best = max(several, key=lambda work: (sum(row.points for row in results[id(work)]), len(work.answers)))
        rows[who] = [row._replace(student=known.shown(best.student)) for row in results[id(best)]]
        odd += _again(known.shown(best.student), best, several, results)
    if missing := frozenset().union(*(one.missing for one in found)):
        odd.append(Odd("", weaker(missing)))
    marks = Marks(_with_roster(rows, odd, known, wanted, voice), _told(odd, voice))
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


def _again(student: str, best: Work, several: Sequence[Work], results: Mapping[int, Sequence[Marked]]) -> list[Odd]:
    """Of whoever is there several times, the files with other answers, which do not count; one that is only written otherwise is no other."""

    def heard(work: Work, place: int) -> tuple[object, ...]:
        row = results[id(work)][place]
        return place in work.answers, row.credit, row.mistake, row.said

    others = [
        work
        for work in several
        if work.answers and any(heard(work, place) != heard(best, place) for place in {**work.answers, **best.answers})
    ]
    return [Odd(work.file, Fact("class.file.again", {"student": student, "file": best.file})) for work in others]


def _judged(found: Any, voice: Voice) -> Judged:  # noqa: ANN401 - it may have failed
    """What came of judging an answer, also where nothing came of it."""
    if isinstance(found, Judged):
        return found
    if isinstance(found, Lost) and found.late:
        return Judged(Fraction(0), "", voice.say("class.mark.late", seconds=f"{_JUDGING:g}"))
    return Judged(Fraction(0), "", voice.say("class.mark.failed", kind=found.kind if isinstance(found, Failed) else type(found).__name__))


def _rows(work: Work, found: Mapping[int, Judged], wanted: Assignment, voice: Voice) -> list[Marked]:
    """A row for each question; without an answer it is worth nothing."""
    none = Judged(Fraction(0), "", voice.say("class.mark.none"))
    rows = []
    for place, one in enumerate(wanted.questions):
        worth, tries = found.get(place, none), work.answers[place].tries if place in work.answers else 0
        points = worth.credit * one.points
        rows.append(Marked(work.student, work.file, one.name, points, one.points, worth.credit, tries, worth.mistake, worth.said))
    return rows


def _with_roster(rows: dict[str, list[Marked]], odd: list[Odd], known: Roster, wanted: Assignment, voice: Voice) -> list[Marked]:
    """All rows, in the order of the roster, then of names."""
    found: list[Marked] = []
    for name in known.names:
        there = rows.pop(known_as(name), None)
        if there is None:
            odd.append(Odd("", Fact("class.file.missing", {"student": name})))
            there = _rows(Work(name, "", {}), {}, wanted, voice)
        found += there
    for there in rows.values():
        if known.names:
            odd.append(Odd(there[0].file, Fact("class.file.unlisted", {"student": there[0].student})))
        found += there
    return found


def _told(odd: Iterable[Odd], voice: Voice) -> list[Trouble]:
    """What was wrong, in words, each once."""
    return list(dict.fromkeys(Trouble(one.file, voice.say(one.fact.key, **one.fact.facts)) for one in odd))


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
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # not every console has every letter
    print(marks)  # noqa: T201 - that is what the command is for
    return 0 if marks.rows else 1
