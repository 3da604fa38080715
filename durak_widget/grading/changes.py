"""Points that a teacher sets: a table of who gets how many for what, and why, kept beside the work, so that it holds whenever that is marked again."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.errors import DurakError, quoted
from durak_widget.homework.assignment import known_as
from durak_widget.homework.csv_tables import table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from durak_widget.grading.gradebook import Marked
    from durak_widget.homework.assignment import Assignment
    from durak_widget.homework.roster import Roster
    from durak_widget.i18n import Voice

OVERRIDE_COLUMNS: Final = ("student", "question", "points", "why")


def changed(rows: Sequence[Marked], path: str | PathLike[str], known: Roster, assignment: Assignment, voice: Voice) -> list[Marked]:
    """The rows with the points that the table sets; whatever in it fits nobody is refused, so that no change is lost unseen."""
    head, *lines = table(path, "table of changes") or [[]]
    titles = [cell.casefold() for cell in head]
    if not {*OVERRIDE_COLUMNS[:3]} <= {*titles}:
        raise DurakError(f"the table of changes has the columns {', '.join(OVERRIDE_COLUMNS)}, and its first line is to name them")
    place = {(known_as(row.student), row.question): at for at, row in enumerate(rows)}
    found = list(rows)
    for number, line in enumerate(lines, 2):
        told = dict(zip(titles, line, strict=False))
        student, question, points = (told.get(name, "") for name in OVERRIDE_COLUMNS[:3])
        try:
            asked = assignment.questions[assignment.place(int(question) if question.isdecimal() else question)]
            at = place[known.main(student), asked.name]
            worth = Fraction(points.replace(",", "."))
        except KeyError:
            raise DurakError(f"line {number} of the changes: nobody is called {quoted(student)} in these marks") from None
        except (ValueError, ZeroDivisionError):
            raise DurakError(f"line {number} of the changes: {quoted(points)} is no number of points, such as 2 or 1.5") from None
        if not 0 <= worth <= asked.points:
            raise DurakError(f"line {number} of the changes: {asked.name} has from 0 to {asked.points} points, not {points}")
        why = told.get("why", "") or voice.say("class.mark.changed")
        found[at] = found[at]._replace(points=worth, credit=worth / asked.points, mistake="", said=why, held=False)
    return found
