"""Grades a folder of homework: rebuilds each student's instance and judges every answer again.

Nothing that a file says about itself earns points. If the teacher names no edition, the folder's only edition
is used. If there are several, the teacher has to choose one.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from contextlib import nullcontext
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import path_of
from durak_widget.errors import DurakError, quoted, whole_number
from durak_widget.grading.answer_grading import Answered, AnswerWorth, How, judged
from durak_widget.grading.answer_similarity import DrawnAgain, WrongAnswer, classes_said, copied, meant, right_answers
from durak_widget.grading.attempt_selection import FileWorth, again, best_of, late, people_in, unread, waiting
from durak_widget.grading.attempt_selection import rows as counted
from durak_widget.grading.gradebook import Marked, Marks, Trouble, changed
from durak_widget.grading.grading_cache import Remembered
from durak_widget.grading.output_files import MARKS, place_of, require_writable, write_output
from durak_widget.grading.submission_files import File, Odd, files_in, require_outside_import_path, typed_table
from durak_widget.grading.submissions import HandedIn, fits, handed_in, name_of, named_beside, sort_out, typed_sheets, without_table
from durak_widget.homework.assignment import assignment_of, edition_of, known_as, questions_said
from durak_widget.homework.assignment_edition import is_exact, revised_exactly, word_given
from durak_widget.homework.csv_tables import BOM
from durak_widget.homework.receipt import due_time
from durak_widget.homework.roster import Roster
from durak_widget.i18n import Fact, Voice
from durak_widget.paper_exams.answer_spreadsheet import codes_typed, printed_paper
from durak_widget.paper_exams.sheet_codes import SheetCode, codes_of
from durak_widget.parallel import TIMED_OUT, Failed, WorkerPool, cores
from durak_widget.sandbox.code_runner import Limits, weaker

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from os import PathLike

    from durak_widget.homework.assignment import Assignment

_READING: Final = 60.0
_JUDGING: Final = 120.0
"""So many seconds an answer may take."""
_MOST_JOBS: Final = 64
_COPIED: Final = "class.file.copied"
_FOR_TEACHERS: Final = {_COPIED, "class.typed.unread"}
"""What stands on no page that is given back: a remark, and what stands there with its question already."""


def mark(
    folder: str | PathLike[str],
    assignment: Assignment | str = "econ431",
    *,
    edition: str | int | None = None,
    roster: str | PathLike[str] | Roster | None = None,
    out: str | PathLike[str] | None = None,
    jobs: int | None = None,
    executor: object = None,
    language: str = "en",
    run_code: bool = True,
    changes: str | PathLike[str] | None = None,
    limits: Limits = Limits(),  # noqa: B008 - it is a value
    anew: bool = False,
    questions: Iterable[object] | str | None = None,
    word: object = None,
    due: str | datetime | None = None,
    typed: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
) -> Marks:
    """The marks of all that lies in a folder, notebooks and receipts, however it is called and laid.

    `out` is a file for them as CSV, `roster` one with the names of the class. Without an `edition` the one that was handed in is taken. Strategies and bots that
    were given as code run in processes of their own (see `confined`), or not at all with `run_code=False`. `changes` is a CSV of points that you have set
    yourself: student, question, points, why. Answers that were judged before are not judged again, but with `anew`. Some `questions` alone are marked where
    no others were asked, as on a paper; a table of what was typed off sheets may be the folder itself, and says by its columns which they were. `word` is that by
    which the questions were drawn, or the file that keeps it, where one stays with the teacher. Of whom answers were kept after they were `due`, by the clock of
    their computer, is said in a line; nothing is taken off. `typed` names tables that you typed off sheets and that count beside the folder; no other table in it does,
    since a student may have put it there.

    So many `jobs` are worker processes. An `executor` of `concurrent.futures` or a client of Dask judges the answers in their place; files are still read on
    this computer. The marks are the same.

    >>> from tempfile import mkdtemp
    >>> from durak_widget import lessons
    >>> folder = mkdtemp()
    >>> work = lessons.homework("econ431", student="Ann", folder=folder)
    >>> verdict = work.answer("moves", work.assignment.task("moves", "Ann").solution)
    >>> marks = mark(folder, jobs=0)
    >>> marks.students, marks.points("Ann"), marks.rows[0].said
    (('Ann',), Fraction(2, 1), 'No answer.')
    """
    require_outside_import_path(folder)  # before anything else is imported
    voice = Voice(language)
    if out is not None:
        require_writable(out, folder, MARKS)
    kept = None if word is None else word_given(word)
    until = None if due is None else due_time(due)
    own = assignment_of(assignment)
    wanted = assignment_of(assignment, str(edition)) if edition is not None else own
    known = Roster.read(roster) if isinstance(roster, (str, os.PathLike)) else roster or Roster([])
    files, odd = files_in(folder)
    aside = {place_of(one) for one in (out, roster, changes) if isinstance(one, (str, os.PathLike))}
    tables = {place_of(table): typed_table(table) for table in ([typed] if isinstance(typed, (str, os.PathLike)) else typed)}
    files = [*tables.values(), *(file for file in files if file.path not in {*aside, *tables})]
    if executor is not None and jobs is not None:
        raise DurakError(f"jobs={quoted(jobs)} and executor={quoted(executor)} are two answers to who marks; say one of them")
    with WorkerPool(_jobs(jobs), path_of(folder)) as readers, _judges(readers, executor, path_of(folder)) as judges:
        read = readers.run(_reading, files, seconds=_READING)
        alone = bool(os.path.isfile(path_of(folder)))  # noqa: PTH113 - a path may be given as a text
        handed = [_read(*one) for one in zip(files, read, strict=True)]
        handed = [one if alone or not one.table or one.file.path in tables else without_table(one) for one in handed]
        if edition is None and not own.edition and (handed_out := edition_handed_in(handed, own, known)):
            wanted = own.of(handed_out)
            odd += [] if handed[0].table and len(handed) == 1 else [Odd("", Fact("class.file.which", {"edition": handed_out}))]
        if edition is not None and not is_exact(str(edition)):
            wanted = revision_handed_in(handed, [one.opened(kept) for one in wanted.every_revision()], known)
        wanted = wanted.opened(kept)
        wanted = _asked(wanted, questions, handed[0].table if alone and handed else (), known)
        handed = typed_sheets(handed, wanted, known.names, known.main, chosen=questions is not None)
        sorted_ = sort_out(handed, wanted, own.edition, known.main)
        odd += sorted_.odd
        works = [work for several in sorted_.works.values() for work in several]
        some = tuple(one.name for one in wanted.questions) if len(wanted.questions) < len(own.questions) else ()
        how = How(assignment if isinstance(assignment, str) else wanted, wanted.edition, language, run_code is True, limits, some, kept)
        asked = [Answered(work.student, place, given) for work in works for place, given in work.answers.items()]
        distinct = {_same(one): one for one in asked}  # a notebook and its receipt say most things twice
        before = Remembered(how, folder)
        found: dict[str, Any] = {} if anew else {key: done for key in distinct if (done := before.of(key))}
        new = {key: one for key, one in distinct.items() if key not in found}
        found |= dict(zip(new, judges.run(judged, list(new.values()), common=how, seconds=_JUDGING), strict=True))
        before.keep({key: one for key, one in found.items() if isinstance(one, AnswerWorth)})
        worth = {key: _judged(one, voice) for key, one in found.items()}
        wrong = {one.place for key, one in distinct.items() if worth[key].credit < 1}
        names = [*dict.fromkeys([*known.names, *(several[0].student for several in sorted_.works.values())])]
        drawn = DrawnAgain(how.assignment, how.edition, sorted(wrong))
        right = _right_answers(drawn, names, judges, before, anew=anew) if len(sorted_.works) > 1 else {}
    rows: dict[str, list[Marked]] = {}
    held: dict[str, dict[int, list[str]]] = {}
    for who, several in sorted_.works.items():
        theirs = [
            FileWorth(work, {place: worth[_same(Answered(work.student, place, given))] for place, given in work.answers.items()})
            for work in several
        ]
        name = known.shown(best_of(theirs, wanted).work.student)
        held[name] = sorted_.held.get(who, {})
        rows[who] = counted(name, theirs, wanted, voice, held[name], sorted_.unsure.get(who, ()))
        odd += again(name, theirs, rows[who], wanted)
        odd += unread(theirs, rows[who])
    if missing := frozenset().union(*(one.missing for one in worth.values())):
        odd.append(Odd("", weaker(missing)))
    named = [file.name for file in files] + [one.file for one in odd]
    owners = {work.file: known.shown(best.student) for several in sorted_.works.values() for best in several[:1] for work in several}
    listed = _with_roster(rows, odd, known, named, wanted, voice)
    odd += [] if until is None else late(listed, until, wanted)
    odd += _copies(listed, right, wanted, known)
    if changes is not None:
        listed = changed(listed, changes, known, wanted, voice)
    odd += waiting(listed, held, wanted)
    marks = Marks(
        listed,
        _told(_by_student(odd, owners, listed, known), voice),
        assignment=wanted,
        roster=known,
        folder=path_of(folder),
    )
    if out is not None:
        write_output(out, BOM + marks.csv())
    return marks


def _asked(wanted: Assignment, questions: Iterable[object] | str | None, alone: Sequence[Sequence[str]], known: Roster) -> Assignment:
    """The assignment with the questions that were asked: those that are named, or, of a table that is marked alone, those of its paper."""
    if questions is not None:
        return wanted.chosen(questions_said(questions))
    return printed_paper(alone, wanted, known.names or named_beside(alone)) if alone else wanted


def _judges(readers: WorkerPool, executor: object, folder: str) -> AbstractContextManager[WorkerPool]:
    """Who judges the answers: somebody's executor, if there is one. Files are read by processes of this machine all the same: no other may have the folder."""
    return nullcontext(readers) if executor is None else WorkerPool(executor, folder)


def _jobs(jobs: int | None) -> int:
    if jobs is None:
        return min(cores(), _MOST_JOBS)
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


def _same(one: Answered) -> str:
    """What is the same for answers that are worth the same: the same of the same student, whose name may be written in several ways."""
    return json.dumps([known_as(one.student), one.place, one.given.given, one.given.other], sort_keys=True)


def _judged(found: Any, voice: Voice) -> AnswerWorth:  # noqa: ANN401 - it may have failed
    """What came of judging an answer, also where nothing came of it."""
    if isinstance(found, AnswerWorth):
        return found
    if isinstance(found, Failed) and found.kind == TIMED_OUT:
        return AnswerWorth(Fraction(0), "", voice.say("class.mark.late", seconds=f"{_JUDGING:g}"))
    return AnswerWorth(
        Fraction(0), "", voice.say("class.mark.failed", kind=found.kind if isinstance(found, Failed) else type(found).__name__)
    )


def _with_roster(
    rows: dict[str, list[Marked]], odd: list[Odd], known: Roster, files: Sequence[str], wanted: Assignment, voice: Voice
) -> list[Marked]:
    """All rows, in the order of the roster, then of names; of whom nothing counts, which files bear the name."""
    found: list[Marked] = []
    bears: dict[str, list[str]] = {}
    for file in dict.fromkeys(files):
        for name in known.borne_by(file):
            bears.setdefault(name, []).append(file)
    for name in known.names:
        there = rows.pop(known_as(name), None)
        if there is None:
            theirs = [Odd(file, Fact("class.file.theirs", {"student": name})) for file in bears.get(name, ()) if file]
            odd += theirs or [Odd("", Fact("class.file.missing", {"student": name}))]
            there = counted(name, [], wanted, voice)
        found += there
    for there in rows.values():
        if known.names:
            odd.append(Odd(there[0].file, Fact("class.file.unlisted", {"student": there[0].student})))
        found += there
    return found


def _right_answers(
    drawn: DrawnAgain, names: Sequence[str], judges: WorkerPool, before: Remembered, *, anew: bool
) -> dict[str, dict[int, str]]:
    """What is right for each of these students, where somebody has something wrong; what was worked out before is remembered."""
    said = {name: {place: one.said for place in drawn.places if (one := before.of(_right_of(name, place)))} for name in names}
    new = [name for name in names if anew or len(said[name]) < len(drawn.places)]
    found = dict(zip(new, judges.run(right_answers, new, common=drawn, seconds=_JUDGING), strict=True))
    for name, right in found.items():
        said[name] = right if isinstance(right, dict) else {}
    keys = {_right_of(name, place): one for name in found for place, one in said[name].items()}
    before.keep({key: AnswerWorth(Fraction(1), "", one, lasting=True) for key, one in keys.items()})
    return said


def _right_of(name: str, place: int) -> str:
    """By what the right answer of a student is remembered."""
    return json.dumps(["right", known_as(name), place])


def _copies(listed: Sequence[Marked], right: Mapping[str, Mapping[int, str]], wanted: Assignment, known: Roster) -> Iterable[Odd]:
    """Who has answers that are right for somebody else, as far as chance hardly does that."""
    shown = {name: known.shown(name) for name in right}
    names = {one: name for name, one in shown.items()}
    files = {row.student: row.file for row in listed if row.file}
    fits: dict[tuple[int, str], set[str]] = {}
    for name, own in right.items():
        for place, one in own.items():
            fits.setdefault((place, one), set()).add(shown[name])
    for row in listed:
        place = wanted.place(row.question)
        if row.given and row.credit == 1:
            fits.setdefault((place, meant(wanted, names.get(row.student, row.student), place, row.given[0])), set()).add(row.student)
    wrong: dict[str, list[WrongAnswer]] = {}
    for row in listed:
        place = wanted.place(row.question)
        if row.given and row.credit < 1:
            others = fits.get((place, meant(wanted, names.get(row.student, row.student), place, row.given[0])), set()) - {row.student}
            wrong.setdefault(row.student, []).append(WrongAnswer(place, frozenset(others)))
    for found in copied(wrong, [*shown.values(), *files]):
        facts = {"student": found.student, "other": found.other, "count": str(len(found.places)), "wrong": str(found.wrong)}
        facts |= {"questions": ", ".join(str(place + 1) for place in found.places), "classes": classes_said(found.classes)}
        yield Odd(files[found.student], Fact(_COPIED, facts), tuple(file for file in [files.get(found.other, "")] if file))


def _by_student(odd: Iterable[Odd], owners: Mapping[str, str], listed: Sequence[Marked], known: Roster) -> list[Odd]:
    """What is of the whole first; then what is of each student, who stand as in the table; then files that are of nobody, by their names."""
    places = {student: place for place, student in enumerate(dict.fromkeys(row.student for row in listed))}

    def key(one: Odd) -> tuple[int, int, str]:
        told = one.fact.facts.get("student")
        names = [owners.get(one.file), *([told] if isinstance(told, str) else []), *(known.borne_by(one.file) if one.file else ())]
        place = next((places[name] for name in names if name in places), None)
        if place is not None:
            return 1, place, one.file
        return (2 if one.file else 0), 0, one.file

    return sorted(odd, key=key)


def _told(odd: Iterable[Odd], voice: Voice) -> list[Trouble]:
    """What was wrong, in words, each once."""
    said = [
        Trouble(one.file, voice.say(one.fact.key, **one.fact.facts), one.others, one.fact.key in _FOR_TEACHERS, people_in(one.fact))
        for one in odd
    ]
    return list(dict.fromkeys(said))


# The command


def edition_handed_in(handed: Iterable[HandedIn], own: Assignment, roster: Roster) -> str:
    """The one edition of an assignment that the class has handed in, by receipts and cells; of a class with a roster only who is on it is asked.

    A name counts once, however many files bear it, and for each edition that stands there with it: nobody is outvoted.
    """
    whose = _students_by_edition(handed, own, roster)
    return _the_only_one(whose, own.name, "editions", roster)


def revision_handed_in(handed: Sequence[HandedIn], revisions: Sequence[Assignment], roster: Roster) -> Assignment:
    """Return which revision of an edition the class has handed in, by receipts, cells and codes of sheets; the first where nobody has handed in any.

    Where the class has handed in several it is refused, with how many students have each: nobody chooses by what a receipt says.
    """
    if len(revisions) == 1:
        return revisions[0]
    names = {one.edition: one for one in revisions}
    found = _students_by_edition(handed, revisions[0], roster)
    whose = {edition: set(found.get(edition, ())) for edition in names}
    for one in handed:
        if one.table:
            for edition, wanted in names.items():
                whose[edition] |= _by_codes(one.table, wanted, roster)
    chosen = _the_only_one({edition: students for edition, students in whose.items() if students}, revisions[0].name, "revisions", roster)
    return names.get(chosen, revisions[0])


def _by_codes(rows: Sequence[Sequence[str]], wanted: Assignment, roster: Roster) -> set[str]:
    """Return whose sheets of this revision were typed into a table."""
    students = roster.names or named_beside(rows)
    known = codes_of(printed_paper(rows, wanted, students), students)
    typed = [read.whose for one in codes_typed(rows) if (read := SheetCode.read(one))]
    return {roster.main(known[whose]) for whose in typed if whose in known}


def _students_by_edition(handed: Iterable[HandedIn], own: Assignment, roster: Roster) -> dict[str, set[str]]:
    """Return the students who have handed in each edition."""
    whose: dict[str, set[str]] = defaultdict(set)
    for one in handed:
        parts = [part for part in one.parts if fits(part, own.name) and _is_edition(part.edition)]
        for part in [part for part in parts if not part.written] or parts:
            student = part.student or next((other.student for other in one.parts if other.student), "") or name_of(one.file.folder)
            if student:
                whose[own.edition_named(part.edition)].add(roster.main(student))
    return whose


def _the_only_one(whose: dict[str, set[str]], name: str, what: str, roster: Roster) -> str:
    """Return the only edition that the class has; nothing where there is none. Several are refused."""
    listed = {known_as(one) for one in roster.names}
    class_ = {edition: names & listed for edition, names in whose.items() if names & listed} or whose
    if len(class_) > 1:
        most = sorted(class_, key=lambda edition: (-len(class_[edition]), edition))
        told = ", ".join(f"{_said(edition, what)} ({len(class_[edition])})" for edition in most[:5])
        more = f" and {len(most) - 5} more" if len(most) > 5 else ""
        raise DurakError(
            f"{len(most)} {what} of {name} were handed in, by so many students: {told}{more}; "
            f"say by --edition which is to be marked (in Python by edition=)"
        )
    return next(iter(class_), "")


def _said(edition: str, what: str) -> str:
    """Return an edition as a teacher can name it, where a plain name would leave open which revision is meant."""
    return revised_exactly(edition) if what == "revisions" else edition or "none"


def _is_edition(edition: str) -> bool:
    try:
        return edition_of(edition) == edition
    except DurakError:
        return False
