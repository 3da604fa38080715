"""An assignment handed out on paper: what is to be printed, the key, and the table into which answers are typed, as files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from durak_widget.atomic_files import path_of
from durak_widget.errors import DurakError
from durak_widget.homework.assignment import questions_said, to_hand_out
from durak_widget.homework.edition import word_to_hand_out
from durak_widget.homework.notebook_writer import word_name, word_told, write_files
from durak_widget.homework.receipt import file_name
from durak_widget.homework.roster import Roster
from durak_widget.i18n import Voice
from durak_widget.paper_exams.exam_sheets import Papers

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from durak_widget.homework.assignment import Assignment


def on_paper(
    assignment: Assignment | str,
    out: str | PathLike[str],
    *,
    edition: str = "",
    roster: str | PathLike[str] | Roster | None = None,
    questions: Iterable[object] | str | None = None,
    language: str = "en",
    force: bool = False,
    word: object = None,
) -> tuple[Path, ...]:
    """Write sheets to be printed into a folder: `paper/` has one file for the class and one for each student, `teacher/` the key and the table for what is typed.

    Some `questions` alone are asked, if they are named: `"1,3,7"`. With a `word`, which `teacher/` keeps, nobody else can draw them, before the hour or after. What was changed there is written over only by `force`.
    """
    kept = None if word is None else word_to_hand_out(word)
    wanted = to_hand_out(assignment, str(edition)).opened(kept)
    asked = wanted if questions is None else wanted.chosen(questions_said(questions))
    known = Roster.read(roster) if isinstance(roster, (str, os.PathLike)) else roster
    if known is None:
        raise DurakError("on paper each student has sheets of their own: give the names of the class, by --students class.csv")
    papers = Papers(asked, known.names, language)
    folder, stem = Path(path_of(out)), file_name(wanted.name, wanted.edition, "x").removesuffix("-x.receipt.json")
    table = folder / "teacher" / f"{stem}.csv"
    own = "" if assignment == "econ431" else f" --assignment {assignment if isinstance(assignment, str) else wanted.name}"
    line = f"durak-marks {table.name}{own} --roster …{'' if kept is None else f' --word {word_name(wanted)}'}"
    files = {folder / "paper" / f"{stem}.html": papers.printed().html}
    for student in known.names:
        own = file_name(wanted.name, wanted.edition, student).removesuffix(".receipt.json")
        files[folder / "paper" / f"{own}.html"] = papers.printed(student).html
    files[folder / "teacher" / f"{stem}-key.html"] = papers.key({"table": table.name, "command": line}).html
    files[table] = papers.table()
    if kept is not None:
        files[folder / "teacher" / word_name(wanted)] = word_told(wanted, kept, Voice(language))
    if table.exists() and table.read_text(encoding="utf-8", errors="replace") != files[table]:
        raise DurakError(
            f"{table} is there already, and something was typed into it: take it away first, since --force does not write over it either"
        )
    write_files(files, force=force)
    return tuple(files)
