"""What a class has handed in: of each file whose it is and what is answered there, from receipts and from cells; nothing of it is run or believed.

A file that is broken, cut, renamed, there twice, somebody else's, or of another assignment is named in a sentence, and counts for what can be read of it.
"""

from __future__ import annotations

import contextlib
import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.errors import DurakError
from durak_widget.exercises.paper_form import by_hand
from durak_widget.grading.notebook_answers import said_in, sources_of, text_of
from durak_widget.grading.submission_files import TABLES, File, Odd, data_in, parsed, rows_in, shown
from durak_widget.homework.assignment import known_as, student_name
from durak_widget.homework.question_file import FORMAT as QUESTIONS
from durak_widget.homework.receipt import MIME, MOST_TRIES, Receipt, receipt_of
from durak_widget.i18n import Fact
from durak_widget.paper_exams.answer_spreadsheet import (
    COLUMNS,
    is_table,
    lacks_code,
    lost_columns,
    lost_edition,
    printed_paper,
    said_beside,
    typed_off,
)
from durak_widget.paper_exams.sheet_codes import codes_said

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from durak_widget.homework.assignment import Assignment

_FORMAT: Final = "durak_widget.receipt"
_MOST_OUTPUTS: Final = 20_000
_MOST_TEXT: Final = 2**22
_ANYBODY: Final = "X"
"""Stands for a name while everything else of a receipt is read."""
_MOST_FILES: Final = 12
"""Where answers differ, of so many files the best counts: a notebook and its receipt, handed in a few times."""
_MOST_BESTS: Final = 3
"""Of so many different answers of a student to a question the best counts; of more none, until whoever marks has said which are theirs."""


class Part(NamedTuple):
    """What one receipt says, or the cells of a notebook do."""

    student: str
    """Empty where it does not say."""
    assignment: str
    edition: str
    answers: Mapping[int | str, tuple[Any, int, str]]
    """By the name or number of a question: what was given, how often something was, and when, where that is said."""
    written: bool = False
    """Whether it stands in cells."""


class HandedIn(NamedTuple):
    """What a file holds."""

    file: File
    parts: tuple[Part, ...] = ()
    odd: tuple[Fact, ...] = ()
    notebook: bool = False
    table: tuple[tuple[str, ...], ...] = ()
    """What was typed off sheets of paper, line by line; it is of many students, see `typed_sheets`."""
    doubt: frozenset[str] = frozenset()
    """The questions to which such a table says different things of one student."""
    damaged: bool = False
    """Whether the file breaks off, so that answers may be lost."""


class Given(NamedTuple):
    """An answer that counts."""

    given: Any
    tries: int
    other: Any = None
    """What the receipt has, where a cell gives something else: it counts where that cannot be read or run."""
    at: str = ""
    """When it was kept, as the receipt says; nothing where none does."""


class Work(NamedTuple):
    """What a student has answered in one file."""

    student: str
    file: str
    answers: dict[int, Given]
    """By the place of the question."""
    notebook: bool = False
    parts: tuple[Part, ...] = ()
    """What they were read from."""
    doubt: frozenset[int] = frozenset()
    """The questions that cannot be marked, since two lines of a table say different things."""
    damaged: bool = False
    """Whether the file breaks off, so that answers may be lost."""


def without_table(found: HandedIn) -> HandedIn:
    """Return a file whose table does not count: it lies among homework, and nobody who marks has named it."""
    return HandedIn(found.file, (), (Fact("class.typed.unnamed", {"file": found.file.name, "option": "--typed"}),))


def handed_in(file: File) -> HandedIn:
    """What a file holds: a notebook, a receipt, or a table of what was typed off sheets."""
    if file.path.casefold().endswith(TABLES) and (rows := rows_in(file)):
        if isinstance(rows, Fact):
            return HandedIn(file, (), (rows,))
        if is_table(rows[0]):
            whose = tuple(Part(name_of(student), "", edition, {}) for student, edition in said_beside(rows) if edition)
            return HandedIn(file, whose, table=tuple(map(tuple, rows)))
        if lacks_code(rows[0]):
            return HandedIn(file, (), (Fact("class.typed.lost.code", {"column": COLUMNS[0], "head": ",".join(COLUMNS)}),))
    data, odd, open_at_break = data_in(file)
    facts = list(odd)
    if not isinstance(data, dict):
        return HandedIn(file, (), (*facts, *([] if facts else [Fact("class.file.other")])))
    if data.get("format") == QUESTIONS:  # what was handed out, and came back with the rest
        return HandedIn(file)
    if isinstance(data.get("cells"), list):
        parts = tuple(_of_notebook(data["cells"], facts))
    elif _is_receipt(data):
        parts = tuple(_of_receipt(data, facts))
    else:
        return HandedIn(file, (), (*facts, Fact("class.file.other")))
    if not any(part.answers for part in parts) and not any(fact.key == "class.file.form" for fact in facts):
        facts.append(Fact("class.file.nothing"))
    answered = data.keys() & {"answers", "cells"}
    lost = any(fact.key == "class.file.broken" for fact in facts) and (
        open_at_break > 1 or not answered
    )  # else all answers were closed before
    return HandedIn(file, parts, tuple(facts), isinstance(data.get("cells"), list), damaged=lost)


def _is_receipt(found: object) -> bool:
    return isinstance(found, dict) and isinstance(found.get("format"), str) and found["format"].startswith(_FORMAT)


def _of_receipt(found: dict[str, Any], odd: list[Fact]) -> Iterator[Part]:
    """What a receipt says; an answer that cannot be read is left out."""
    answers = found.get("answers", {})
    head: Receipt | None = None
    with contextlib.suppress(DurakError, RecursionError):
        head = receipt_of({**found, "student": _ANYBODY, "answers": {}})
    if head is None or not isinstance(answers, dict):
        odd.append(Fact("class.file.form"))
        return
    kept: dict[int | str, tuple[Any, int, str]] = {}
    for name, one in list(answers.items())[:1000]:
        tries = one.get("tries") if isinstance(one, dict) else None
        sound = isinstance(tries, int) and not isinstance(tries, bool) and 0 < tries <= MOST_TRIES
        try:
            whole = receipt_of({**found, "student": _ANYBODY, "answers": {name: {**one, "tries": tries if sound else 1}}})
            kept |= {question: (answer.given, answer.tries, answer.at) for question, answer in whole.answers.items()}
        except (DurakError, RecursionError, TypeError):
            odd.append(Fact("class.file.answer", {"question": shown(str(name))[:60]}))
    yield Part(name_of(found.get("student")), head.assignment, head.edition, kept)


def _of_notebook(cells: Sequence[object], odd: list[Fact]) -> Iterator[Part]:
    """What the outputs of a notebook hold, then what its cells say."""
    for found in _receipts(cells):
        yield from _of_receipt(found, odd)
    said = said_in(sources_of(cells))
    odd += said.odd
    student = name_of(said.student)
    if student or said.answers:
        yield Part(
            student, said.assignment, said.edition, {question: (given, 1, "") for question, given in said.answers.items()}, written=True
        )


def _receipts(cells: Sequence[object]) -> Iterator[dict[str, Any]]:
    """The receipts among the outputs, in their order: as data, or as the text that stands for it."""
    outputs = (one for cell in cells if isinstance(cell, dict) and isinstance(cell.get("outputs"), list) for one in cell["outputs"])
    for count, output in enumerate(outputs):
        if count >= _MOST_OUTPUTS or not isinstance(output, dict):
            continue
        data = output.get("data")
        kept = data.get(MIME) if isinstance(data, dict) else None
        found = kept if isinstance(kept, dict) else _read_off(text_of(kept))
        if not _is_receipt(found):
            found = _read_off(text_of(data.get("text/plain")) if isinstance(data, dict) else text_of(output.get("text")))
        if isinstance(found, dict) and _is_receipt(found):
            yield found


def _read_off(text: str) -> object:
    """The receipt that a text holds, if it does."""
    begins = text.find("{")
    if begins < 0 or _FORMAT not in text or len(text) > _MOST_TEXT:
        return None
    return parsed(text[begins : text.rfind("}") + 1], []).data


def typed_sheets(
    handed: Iterable[HandedIn], assignment: Assignment, students: Sequence[str], alias: Callable[[str], str], *, chosen: bool = False
) -> list[HandedIn]:
    """What the files hold, with each table parted into what it says of each student; `assignment` has the questions that are marked, `chosen` where somebody said so: they were printed."""
    found: list[HandedIn] = []
    for one in handed:
        if not one.table:
            found.append(one)
            continue
        known = [*students] or named_beside(one.table)
        paper = assignment if chosen else printed_paper(one.table, assignment, known)
        sheets, odd = typed_off(one.table, paper, known, alias)
        facts = [
            *(odd if sheets else lost_edition(one.table, paper, odd)),
            *([] if known else [Fact("class.typed.roster", {"column": "student"})]),
        ]
        facts += lost_columns(one.table, paper, known) if sheets else []
        found.append(HandedIn(one.file, (), tuple(facts), table=one.table))
        for sheet in sheets:
            name = f"{one.file.name}:{'+'.join(map(str, sheet.lines))}"
            answers: dict[int | str, tuple[Any, int, str]] = {question: (given, 1, "") for question, given in sheet.answers.items()}
            part = Part(sheet.student, assignment.name, assignment.edition, answers)
            found.append(HandedIn(one.file._replace(name=name), (part,), doubt=sheet.doubt))
    return found


def named_beside(rows: Sequence[Sequence[str]]) -> list[str]:
    """The students who are named beside the codes of a table."""
    return [name for name in dict.fromkeys(name_of(student) for student, _ in said_beside(rows)) if name]


# Whose it is, and what of it counts


class Sorted(NamedTuple):
    """The work of each student, in the order of their names; and what is wrong with which file."""

    works: dict[str, list[Work]]
    """By the name as it counts; of whoever is there several times, each file."""
    odd: list[Odd]
    held: dict[str, dict[int, list[str]]]
    """Of whom which questions are not marked yet, since more files than may be tried answer them differently; and which files."""
    unsure: Mapping[str, frozenset[int]] = {}
    """Of whom which questions are not marked yet, since two lines of a table say different things."""


def sort_out(handed: Iterable[HandedIn], assignment: Assignment, own_edition: str = "", alias: Callable[[str], str] = known_as) -> Sorted:
    """Whose work is what; `own_edition` is that of the assignment itself, which a cell need not say, and `alias` the one name for all of somebody's."""
    odd: list[Odd] = []
    works: dict[str, list[tuple[Work, str]]] = defaultdict(list)
    for one in handed:
        odd += [Odd(one.file.name, fact, codes_said(fact.facts) if one.table else ()) for fact in one.odd]
        work = _work(one, assignment, own_edition, odd)
        if work is not None:
            works[alias(work.student)].append((work, one.file.folder))
    whole = {who: _own(who, works[who], assignment, alias, odd) for who in sorted(works)}
    held = {who: found for who, several in whole.items() if (found := _unlike(several))}
    unsure = {who: _unsure(several) for who, several in whole.items()}
    whole = {who: [_without_doubt(work) for work in several] for who, several in whole.items()}
    own = {who: _without({*held.get(who, {}), *unsure[who]}, several) for who, several in whole.items()}
    empty = {work.file for who, several in whole.items() if any(one.answers for one in several) for work in _spared(works[who])}
    told = [one for one in odd if one.file not in empty or one.fact.key != "class.file.nothing"]
    return Sorted(own, told, held, {who: places for who, places in unsure.items() if places})


def _unsure(several: Sequence[Work]) -> frozenset[int]:
    """The questions to which lines of a table say different things, and no file of the student's own says anything."""
    doubt = frozenset[int]().union(*(work.doubt for work in several))
    return doubt - {place for work in several for place, answer in work.answers.items() if not by_hand(answer.given)}


def _without_doubt(work: Work) -> Work:
    """A work without the answers to which lines of a table say different things."""
    return work._replace(answers={place: answer for place, answer in work.answers.items() if place not in work.doubt})


def _spared(files: Sequence[tuple[Work, str]]) -> Iterator[Work]:
    """The files that may be empty, since what is answered stands in the one that is handed in with them."""
    pair = are_a_pair([work for work, _ in files])
    return (work for work, folder in files if not work.answers and (pair or folder))


def are_a_pair(several: Sequence[Work]) -> bool:
    """Whether that is a notebook and the receipt that its student has handed in with it: what one lacks is no fault of it.

    >>> work = Work("Ann", "ann.ipynb", {}, notebook=True)
    >>> are_a_pair([work]), are_a_pair([work, work._replace(file="ann.receipt.json", notebook=False)])
    (False, True)
    """
    return sorted(work.notebook for work in several) == [False, True]


def fits(part: Part, name: str) -> bool:
    """Whether that is an answer to the assignment of this name."""
    return part.assignment in ("", name) or (part.written and ":" in part.assignment)


def _work(one: HandedIn, assignment: Assignment, own_edition: str, odd: list[Odd]) -> Work | None:
    """What of a file counts."""
    name = one.file.name
    parts = [part for part in one.parts if fits(part, assignment.name)]
    if not parts:
        if one.parts:
            odd.append(Odd(name, Fact("class.file.assignment", {"other": shown(one.parts[-1].assignment)[:60]})))
        return None
    unsaid = {own_edition, *(part.edition for part in parts if not part.written)}  # what a cell means that names none
    named = assignment.edition_named
    ours = [part for part in parts if assignment.edition in (unsaid if part.written and not part.edition else {named(part.edition)})]
    if not ours:
        odd.append(Odd(name, Fact("class.file.edition", {"other": shown(parts[-1].edition)[:60] or "–"})))
        return None
    said = [part.student for part in ours if part.written and part.student] or [part.student for part in ours if part.student]
    student = said[-1] if said else name_of(one.file.folder)
    if not student:
        odd.append(Odd(name, Fact("class.file.nobody", {"code": 'lessons.homework(…, student="Ann Lee")'})))
        return None
    whose = known_as(student)
    others = {known_as(part.student): part.student for part in ours if part.student and known_as(part.student) != whose}
    odd += [Odd(name, Fact("class.file.foreign", {"student": other})) for other in others.values()]
    own = tuple(part for part in ours if known_as(part.student or student) == whose)
    unsure = frozenset(assignment.place(question) for question in one.doubt)
    return Work(student, name, _answers(own, assignment, name, odd), one.notebook, own, unsure, one.damaged)


def name_of(said: object) -> str:
    """The name of a student, as a receipt, a cell or a folder of nbgrader's says it; nothing, where that is no name."""
    try:
        return student_name(said)
    except DurakError:
        return ""


def _answers(parts: Sequence[Part], assignment: Assignment, name: str, odd: list[Odd]) -> dict[int, Given]:
    """The answers that count: of several receipts that with the most tries, which is the latest; then what cells give."""
    found: dict[int, Given] = {}
    for part in sorted(parts, key=lambda part: part.written):
        for question, (given, tries, at) in part.answers.items():
            try:
                place = assignment.place(question)
            except DurakError:
                odd.append(Odd(name, Fact("class.file.question", {"question": shown(str(question))[:60]})))
                continue
            before = found.get(place)
            if part.written:
                same = before is None or json.dumps(before.given, sort_keys=True) == json.dumps(given, sort_keys=True)
                known = before.at if same and before is not None else ""
                found[place] = Given(given, before.tries if before else tries, None if same or before is None else before.given, known)
            elif before is None or tries >= before.tries:
                found[place] = Given(given, tries, at=at)
    return found


def _own(who: str, files: Sequence[tuple[Work, str]], assignment: Assignment, alias: Callable[[str], str], odd: list[Odd]) -> list[Work]:
    """The work of a student; where some lies in a folder of their name, what lies in the folders of others does not count."""
    strange = [folder != "" and alias(name_of(folder) or "0") != who for _, folder in files]
    theirs = any(folder and not other for (_, folder), other in zip(files, strange, strict=True))
    if theirs or len({folder for _, folder in files if folder}) > 1:  # one of them has handed in the work of another, or of nobody
        for (work, folder), other in zip(files, strange, strict=True):
            if other:
                odd.append(Odd(work.file, Fact("class.file.somebody", {"student": work.student, "other": folder})))
    if theirs:
        files = [one for one, other in zip(files, strange, strict=True) if not other]
    return list(_together(files, assignment))


def _unlike(works: Sequence[Work]) -> dict[int, list[str]]:
    """The questions to which the files of a student give more different answers than may be tried, each with those files."""
    said: dict[int, dict[frozenset[str], list[str]]] = defaultdict(lambda: defaultdict(list))
    for work in works:
        for place, answer in work.answers.items():
            alike = frozenset(_plain(one) for one in (answer.given, answer.other) if one is not None)
            said[place][alike].append(work.file)
    return {
        place: sorted(file for files in ones.values() for file in files)
        for place, ones in sorted(said.items())
        if len(ones) > _MOST_BESTS or (len(ones) > 1 and sum(map(len, ones.values())) > _MOST_FILES)
    }


def _plain(given: Any) -> str:  # noqa: ANN401 - whatever somebody has answered
    """One text for what is written as a value and as its text, for cards in a list and in a line.

    >>> _plain(36) == _plain("36"), _plain(["7c", "8c"]) == _plain("7c 8c"), _plain([["a"], ["b"]]) == _plain([["a", "b"]])
    (True, True, False)
    """
    if isinstance(given, list) and all(isinstance(one, str) for one in given):
        given = " ".join(given)
    return " ".join(given.split()) if isinstance(given, str) else json.dumps(given, sort_keys=True)


def _without(held: Collection[int], works: list[Work]) -> list[Work]:
    """What is left of these works without the questions that are held; of files in which nothing else is, none, but one where there is no other."""
    left = [work._replace(answers={place: one for place, one in work.answers.items() if place not in held}) for work in works]
    return [one for one, work in zip(left, works, strict=True) if one.answers or not work.answers] or left[:1]


def _together(files: Sequence[tuple[Work, str]], assignment: Assignment) -> Iterator[Work]:
    """What lies in the folder that nbgrader made for a student, who alone has put it there, as one work: each question is answered once."""
    laid: dict[tuple[str, str], list[Work]] = defaultdict(list)
    for work, folder in files:
        laid[folder, known_as(work.student) if folder else work.file].append(work)
    for several in laid.values():
        if len(several) == 1:
            yield several[0]
            continue
        parts = tuple(part for work in several for part in work.parts)
        first = max(several, key=lambda work: work.notebook)
        yield first._replace(answers=_answers(parts, assignment, first.file, []), parts=parts)
