"""Which edition a class has had, where whoever marks does not say: the one that is there; where there are several, they are asked."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from durak_widget.classroom.asking.assignment import edition_of
from durak_widget.classroom.asking.lots import known_as
from durak_widget.classroom.marking.submitted import fits, name_of
from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from durak_widget.classroom.marking.roster import Roster
    from durak_widget.classroom.marking.submitted import HandedIn


def edition_handed_in(handed: Iterable[HandedIn], name: str, roster: Roster) -> str:
    """The one edition of an assignment that the class has handed in, by receipts and cells; of a class with a roster only who is on it is asked.

    A name counts once, however many files bear it, and for each edition that stands there with it: nobody is outvoted.
    """
    whose: dict[str, set[str]] = defaultdict(set)
    for one in handed:
        parts = [part for part in one.parts if fits(part, name) and _is_edition(part.edition)]
        for part in [part for part in parts if not part.written] or parts:
            student = part.student or next((other.student for other in one.parts if other.student), "") or name_of(one.file.folder)
            if student:
                whose[part.edition].add(roster.main(student))
    listed = {known_as(one) for one in roster.names}
    class_ = {edition: names & listed for edition, names in whose.items() if names & listed} or whose
    if len(class_) > 1:
        most = sorted(class_, key=lambda edition: (-len(class_[edition]), edition))
        told = ", ".join(f"{edition or 'none'} ({len(class_[edition])})" for edition in most[:5])
        more = f" and {len(most) - 5} more" if len(most) > 5 else ""
        raise DurakError(
            f"{len(most)} editions of {name} were handed in, by so many students: {told}{more}; "
            f"say by --edition which is to be marked (in Python by edition=)"
        )
    return next(iter(class_), "")


def _is_edition(edition: str) -> bool:
    try:
        return edition_of(edition) == edition
    except DurakError:
        return False
