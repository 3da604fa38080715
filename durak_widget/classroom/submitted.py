"""What a class has handed in: of each file whose it is and what is answered there, from receipts and from cells; nothing of it is run or believed.

A file that is broken, cut, renamed, there twice, somebody else's, or of another assignment is named in a sentence, and counts for what can be read of it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.classroom.assignment import edition_of
from durak_widget.classroom.cells import said_in, sources_of, text_of
from durak_widget.classroom.folders import File, Odd, parsed, read, shown
from durak_widget.classroom.lots import known_as, named
from durak_widget.classroom.receipt import MIME, MOST_TRIES, Receipt, receipt_of
from durak_widget.errors import DurakError
from durak_widget.words import Fact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from durak_widget.classroom.assignment import Assignment

_FORMAT: Final = "durak_widget.receipt"
_MOST_OUTPUTS: Final = 20_000
_MOST_TEXT: Final = 2**22
_NOBODY: Final = "nobody 0"
"""Stands for a name while everything else of a receipt is read."""


class Part(NamedTuple):
    """What one receipt says, or the cells of a notebook do."""

    student: str
    """Empty where it does not say."""
    assignment: str
    edition: str
    answers: Mapping[int | str, tuple[Any, int]]
    """By the name or number of a question: what was given, and how often something was."""
    written: bool = False
    """Whether it stands in cells."""


class HandedIn(NamedTuple):
    """What a file holds."""

    file: File
    parts: tuple[Part, ...] = ()
    odd: tuple[Fact, ...] = ()
    notebook: bool = False


class Given(NamedTuple):
    """An answer that counts."""

    given: Any
    tries: int
    other: Any = None
    """What the receipt has, where a cell gives something else: it counts where that cannot be read or run."""


class Work(NamedTuple):
    """What a student has answered in one file."""

    student: str
    file: str
    answers: dict[int, Given]
    """By the place of the question."""
    notebook: bool = False
    parts: tuple[Part, ...] = ()
    """What they were read from."""


def handed_in(file: File) -> HandedIn:
    """What a file holds: a notebook or a receipt."""
    data, odd = read(file)
    facts = list(odd)
    if not isinstance(data, dict):
        return HandedIn(file, (), (*facts, *([] if facts else [Fact("class.file.other")])))
    if isinstance(data.get("cells"), list):
        parts = tuple(_of_notebook(data["cells"], facts))
    elif _is_receipt(data):
        parts = tuple(_of_receipt(data, facts))
    else:
        return HandedIn(file, (), (*facts, Fact("class.file.other")))
    if not any(part.answers for part in parts) and not any(fact.key == "class.file.form" for fact in facts):
        facts.append(Fact("class.file.nothing"))
    return HandedIn(file, parts, tuple(facts), isinstance(data.get("cells"), list))


def _is_receipt(found: object) -> bool:
    return isinstance(found, dict) and isinstance(found.get("format"), str) and found["format"].startswith(_FORMAT)


def _of_receipt(found: dict[str, Any], odd: list[Fact]) -> Iterator[Part]:
    """What a receipt says; an answer that cannot be read is left out."""
    answers = found.get("answers", {})
    head: Receipt | None = None
    for student in (found.get("student"), _NOBODY):
        try:
            head = receipt_of({**found, "student": student, "answers": {}})
            break
        except (DurakError, RecursionError):
            continue
    if head is None or not isinstance(answers, dict):
        odd.append(Fact("class.file.form"))
        return
    kept: dict[int | str, tuple[Any, int]] = {}
    for name, one in list(answers.items())[:1000]:
        tries = one.get("tries") if isinstance(one, dict) else None
        sound = isinstance(tries, int) and not isinstance(tries, bool) and 0 < tries <= MOST_TRIES
        try:
            whole = receipt_of({**found, "student": _NOBODY, "answers": {name: {**one, "tries": tries if sound else 1}}})
            kept |= {question: (answer.given, answer.tries) for question, answer in whole.answers.items()}
        except (DurakError, RecursionError, TypeError):
            odd.append(Fact("class.file.answer", {"question": shown(str(name))[:60]}))
    yield Part("" if head.student == _NOBODY else head.student, head.assignment, head.edition, kept)


def _of_notebook(cells: Sequence[object], odd: list[Fact]) -> Iterator[Part]:
    """What the outputs of a notebook hold, then what its cells say."""
    for found in _receipts(cells):
        yield from _of_receipt(found, odd)
    said = said_in(sources_of(cells))
    odd += said.odd
    try:
        student = named(said.student) if said.student else ""
    except DurakError:
        student = ""
    if student or said.answers:
        yield Part(student, said.assignment, said.edition, {question: (given, 1) for question, given in said.answers.items()}, written=True)


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


# Whose it is, and what of it counts


class Sorted(NamedTuple):
    """The work of each student, in the order of their names; and what is wrong with which file."""

    works: dict[str, list[Work]]
    """By the name as it counts; of whoever is there several times, each file."""
    odd: list[Odd]


def sort_out(handed: Iterable[HandedIn], assignment: Assignment, own_edition: str = "", alias: Callable[[str], str] = known_as) -> Sorted:
    """Whose work is what; `own_edition` is that of the assignment itself, which a cell need not say, and `alias` the one name for all of somebody's."""
    odd: list[Odd] = []
    works: dict[str, list[tuple[Work, str]]] = defaultdict(list)
    for one in handed:
        odd += [Odd(one.file.name, fact) for fact in one.odd]
        work = _work(one, assignment, own_edition, odd)
        if work is not None:
            works[alias(work.student)].append((work, one.file.folder))
    own = {who: _own(who, works[who], assignment, alias, odd) for who in sorted(works)}
    empty = {work.file for who, several in own.items() if any(one.answers for one in several) for work in _spared(works[who])}
    return Sorted(own, [one for one in odd if one.file not in empty or one.fact.key != "class.file.nothing"])


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


def edition_of_most(handed: Iterable[HandedIn], name: str) -> str:
    """The edition that most students have handed in, by their receipts and cells; however many files somebody has, they count once."""
    whose: dict[str, set[str]] = defaultdict(set)
    for one in handed:
        parts = [part for part in one.parts if _fits(part, name) and _is_edition(part.edition)]
        kept = [part for part in parts if not part.written] or parts
        for part in kept:
            student = part.student or next((other.student for other in one.parts if other.student), "") or _name_of(one.file.folder)
            if student:
                whose[part.edition].add(known_as(student))
    return max(sorted(whose, reverse=True), key=lambda edition: len(whose[edition]), default="")


def _is_edition(edition: str) -> bool:
    try:
        return edition_of(edition) == edition
    except DurakError:
        return False


def _fits(part: Part, name: str) -> bool:
    return part.assignment in ("", name) or (part.written and ":" in part.assignment)


def _work(one: HandedIn, assignment: Assignment, own_edition: str, odd: list[Odd]) -> Work | None:
    """What of a file counts."""
    name = one.file.name
    parts = [part for part in one.parts if _fits(part, assignment.name)]
    if not parts:
        if one.parts:
            odd.append(Odd(name, Fact("class.file.assignment", {"other": shown(one.parts[-1].assignment)[:60]})))
        return None
    unsaid = {own_edition, *(part.edition for part in parts if not part.written)}  # what a cell means that names none
    ours = [part for part in parts if assignment.edition in (unsaid if part.written and not part.edition else {part.edition})]
    if not ours:
        odd.append(Odd(name, Fact("class.file.edition", {"other": shown(parts[-1].edition)[:60] or "–"})))
        return None
    said = [part.student for part in ours if part.written and part.student] or [part.student for part in ours if part.student]
    student = said[-1] if said else _name_of(one.file.folder)
    if not student:
        odd.append(Odd(name, Fact("class.file.nobody", {"code": 'lessons.homework(…, student="Ann Lee")'})))
        return None
    whose = known_as(student)
    others = {known_as(part.student): part.student for part in ours if part.student and known_as(part.student) != whose}
    odd += [Odd(name, Fact("class.file.foreign", {"student": other})) for other in others.values()]
    own = tuple(part for part in ours if known_as(part.student or student) == whose)
    return Work(student, name, _answers(own, assignment, name, odd), one.notebook, own)


def _name_of(folder: str) -> str:
    try:
        return named(folder) if folder else ""
    except DurakError:
        return ""


def _answers(parts: Sequence[Part], assignment: Assignment, name: str, odd: list[Odd]) -> dict[int, Given]:
    """The answers that count: of several receipts that with the most tries, which is the latest; then what cells give."""
    found: dict[int, Given] = {}
    for part in sorted(parts, key=lambda part: part.written):
        for question, (given, tries) in part.answers.items():
            try:
                place = assignment.place(question)
            except DurakError:
                odd.append(Odd(name, Fact("class.file.question", {"question": shown(str(question))[:60]})))
                continue
            before = found.get(place)
            if part.written:
                same = before is None or json.dumps(before.given, sort_keys=True) == json.dumps(given, sort_keys=True)
                found[place] = Given(given, before.tries if before else tries, None if same or before is None else before.given)
            elif before is None or tries >= before.tries:
                found[place] = Given(given, tries)
    return found


def _own(who: str, files: Sequence[tuple[Work, str]], assignment: Assignment, alias: Callable[[str], str], odd: list[Odd]) -> list[Work]:
    """The work of a student; where some lies in a folder of their name, what lies in the folders of others does not count."""
    strange = [folder != "" and alias(_name_of(folder) or "0") != who for _, folder in files]
    theirs = any(folder and not other for (_, folder), other in zip(files, strange, strict=True))
    if theirs or len({folder for _, folder in files if folder}) > 1:  # one of them has handed in the work of another, or of nobody
        for (work, folder), other in zip(files, strange, strict=True):
            if other:
                odd.append(Odd(work.file, Fact("class.file.somebody", {"student": work.student, "other": folder})))
    if theirs:
        files = [one for one, other in zip(files, strange, strict=True) if not other]
    return list(_together(files, assignment))


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
