"""Which edition a class has had, where whoever marks does not say: the one that is there; where there are several, they are asked."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from durak_widget.errors import DurakError
from durak_widget.grading.submissions import fits, name_of, named_beside
from durak_widget.homework.assignment import edition_of, known_as
from durak_widget.homework.edition import revised_exactly
from durak_widget.paper_exams.answer_table import codes_typed, printed_paper
from durak_widget.paper_exams.sheet_codes import SheetCode, codes_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.grading.submissions import HandedIn
    from durak_widget.homework.assignment import Assignment
    from durak_widget.homework.roster import Roster


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
