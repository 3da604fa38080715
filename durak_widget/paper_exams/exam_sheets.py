"""Makes an exam to print for a school class, with an answer key and an answer table.

Each student's sheets have their own random questions and space for answers. Each page shows the student's name, a
code and the page number.
"""

from __future__ import annotations

import os
import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.atomic_files import require_path
from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.answer_parsing import translate_text
from durak_widget.exercises.paper_form import make_labels, require_paper_question
from durak_widget.homework.assignment import parse_question_list, resolve_newest_revision
from durak_widget.homework.assignment_edition import require_strong_passphrase
from durak_widget.homework.csv_tables import BOM, format_csv
from durak_widget.homework.html_page import Page
from durak_widget.homework.notebook_writer import format_passphrase_file_name, format_passphrase_text, write_files
from durak_widget.homework.receipt import format_receipt_file_name
from durak_widget.homework.roster import Roster
from durak_widget.i18n import Translator
from durak_widget.paper_exams.answer_spreadsheet import FIXED_COLUMNS, format_heading
from durak_widget.paper_exams.page_layout import PAGE_WIDTH, QuestionBlock, build_blocks, split_into_pages
from durak_widget.paper_exams.sheet_codes import MAX_PAGES, SheetCode, build_code_prefix

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike

    from durak_widget.homework.assignment import Assignment, Question

_SHEET_CSS: Final = (
    f".leaf{{background:#fff;color:#000;width:{PAGE_WIDTH:g}mm;max-width:none;font-size:10pt;line-height:4.9mm;margin:0 auto 8mm;break-after:page}}.leaf:last-child{{break-after:auto}}"
    ".leaf header{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 6mm;border-bottom:.35mm solid #000;padding-bottom:1.6mm;margin-bottom:4.5mm;height:14.5mm;align-items:end}"
    ".leaf header b{font-size:13pt;display:block;line-height:6mm;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}.leaf header span{display:block;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}"
    ".leaf header .code{font:700 14pt/6mm ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;letter-spacing:.06em;text-align:right}.leaf header .page{text-align:right}"
    ".ask{break-inside:avoid;margin:0 0 6.5mm}.ask:last-child{margin-bottom:0}.ask h2{font-size:11.5pt;line-height:6mm;margin:0 0 1.6mm;font-weight:700}.ask h2 span{font-weight:400;font-size:10pt}"
    ".ask p{max-width:none;margin:0 0 1.4mm}.ask .lead{color:#000}.ask .group{height:8mm;padding-top:2.5mm;margin:0;white-space:nowrap;overflow:hidden}.ask .how{font-style:italic}.ask figure{margin:0 0 2mm;break-inside:avoid}.ask figure img{display:block;width:100%;max-width:none!important;max-height:none!important}"
    ".ask ul.ticks{list-style:none;margin:0;padding:0;max-width:none}.ask ul.ticks li{margin:0;padding:.45mm 0 .45mm 12mm;text-indent:-12mm;line-height:4.9mm}"
    ".ask ul.ticks i{display:inline-block;width:3.6mm;height:3.6mm;border:.3mm solid #000;vertical-align:-.5mm;margin-right:2.2mm;text-indent:0}.ask ul.ticks b{display:inline-block;width:5mm;text-indent:0}"
    ".boxes{display:grid;grid-template-columns:repeat(5,36mm)}.boxes.shares{grid-template-columns:repeat(2,90mm)}.boxes span{display:flex;align-items:center;height:10.5mm;padding-right:4mm}.boxes b{min-width:6mm}"
    ".boxes em,.rule em{font-style:normal;flex:0 1 auto;padding-right:2mm}.boxes.shares em{flex:1 1 auto;line-height:4.2mm;max-height:8.6mm;overflow:hidden}.boxes i{flex:1 1 auto;height:8mm;border:.3mm solid #000}.boxes.shares i{flex:0 0 24mm}"
    ".rule{display:flex;align-items:flex-end;height:11.5mm;padding-bottom:1.5mm}.rule b{padding-right:2.5mm}.rule.work{height:22mm}.rule i{flex:1 1 auto;border-bottom:.35mm solid #000;height:7mm}.rule.work i{flex:0 0 80mm}"
    "table.by-hand{table-layout:fixed;border-collapse:collapse;font-size:12.5px;line-height:17px}table.by-hand th,table.by-hand td{border:.25mm solid #000;padding:3px 6px;text-align:center;vertical-align:middle;color:#000;font-weight:500}"
    "table.by-hand tbody th{text-align:left}table.by-hand thead th{font-size:12.5px;color:#000;vertical-align:middle}table.by-hand .corner{text-align:left;font-weight:400}table.by-hand td{position:relative;font-size:14px;font-variant-numeric:tabular-nums}"
    "table.by-hand .by-letter{position:absolute;left:4px;top:1px;font-size:10.5px;line-height:13px}"
    "@media screen{.leaf{padding:14mm 15mm;box-sizing:content-box;box-shadow:0 1px 8px #0004}main{max-width:none;padding:8mm 4mm}}"
    "@media screen and (max-width:820px){main{padding:2mm}.leaf{width:auto;padding:4mm}.leaf header{height:auto}.leaf header b,.leaf header span{white-space:normal}.ask figure{max-width:100%;overflow-x:auto}"
    ".boxes,.boxes.shares{grid-template-columns:repeat(auto-fill,minmax(min(36mm,100%),1fr))}.boxes.shares{grid-template-columns:1fr}.ask .group{white-space:normal;height:auto}"
    "table.by-hand{table-layout:auto;width:auto!important}table.by-hand col{width:auto!important}table.by-hand td{min-width:3.4rem}}"
    "@page{margin:14mm 15mm 12mm}@media print{html,body{font-size:10pt}main{padding:0}.leaf{margin:0}}"
)
_ORDERED_LABEL_COUNT: Final = 700
"""The number of different letters of question parts (a to z, then aa and so on) that the table can put in order."""
_KEY_CSS: Final = (
    ".one{break-inside:avoid;margin:4mm 0 0;font-size:.88rem;line-height:1.4}.one h2{margin:0 0 1mm;font-size:1.05rem}.one .codes{max-width:none;margin:0 0 1mm}.one code{font:.85rem ui-monospace,'DejaVu Sans Mono',monospace;margin-right:.7rem;white-space:nowrap}"
    ".one table{width:100%}.one td,.one th{padding:.12rem .5rem}.one td:last-child{width:99%;font-variant-numeric:tabular-nums}.one th{white-space:nowrap}.one td span{white-space:nowrap;margin-right:.7em}"
    "@media screen and (max-width:560px){.one table,.one tbody{display:block}.one tr{display:grid;grid-template-columns:1fr auto;padding:.2rem 0;border-bottom:1px solid var(--line)}"
    ".one td,.one th{border:0;padding:0}.one th{white-space:normal}.one td:last-child{grid-column:1/-1;width:auto}}"
)


class StudentSheets(NamedTuple):
    """One student's exam pages."""

    student: str
    code_prefix: str
    """The beginning of the page codes, which is the same on all pages of this student."""
    pages: tuple[str, ...]
    """The exam pages of this student, as HTML."""

    @property
    def codes(self) -> tuple[str, ...]:
        """Return the codes that are printed on this student's pages, in order."""
        return tuple(SheetCode(self.code_prefix, page).text for page in range(1, len(self.pages) + 1))


class PrintedExam:
    """An exam to print in one language, with pages for each student of a class.

    >>> from durak_widget.homework.assignment import get_assignment
    >>> exam = PrintedExam(get_assignment("econ431", "2027").select_questions(["players", "how-likely"]), ["Ann Lee", "Bob"])
    >>> exam.student_sheets[0].codes, exam.build_answer_csv().splitlines()[0][1:]
    (('B2Y84-1-E', 'B2Y84-2-M'), 'code,student,edition,1 players,2 how-likely')
    """

    def __init__(self, assignment: Assignment, students: Sequence[str], language: str = "en") -> None:
        """Build all students' pages; raise an error if two students would have the same codes."""
        if not students:
            raise DurakError("on paper each student has their own sheets; give the names of the class with --students")
        self.assignment, self.language = assignment, language
        self._translator = Translator(language)
        self._labels: dict[str, dict[str, None]] = {question.name: {} for question in assignment.questions}
        """For each question, by its name: the labels of its parts on any student's sheets. The dict is an ordered set."""
        self._solutions: dict[str, list[list[tuple[str, str]]]] = {}
        """For each student, and for each question in order: the label and the solution of each part."""
        prefixes = {student: build_code_prefix(assignment, student) for student in students}
        if len(set(prefixes.values())) < len(prefixes):
            same_code = [student for student, prefix in prefixes.items() if list(prefixes.values()).count(prefix) > 1]
            raise DurakError(f"{short_repr(same_code[0])} and {short_repr(same_code[1])} get the same code; change one of the names")
        self.student_sheets = tuple(self._build_student_sheets(student, prefix) for student, prefix in prefixes.items())

    @property
    def title(self) -> str:
        """Return the exam's title in the exam's language, with the name of the edition."""
        title = translate_text(self.assignment.title, self._translator)
        return f"{title} · {self.assignment.edition}" if self.assignment.edition else title

    def _build_student_sheets(self, student: str, code_prefix: str) -> StudentSheets:
        """Build one student's pages, and note the solutions for the answer key."""
        blocks: list[QuestionBlock] = []
        solutions = self._solutions[student] = []
        for number, question in enumerate(self.assignment.questions, 1):
            exercise = self.assignment.create_exercise(question.name, student)
            exercise.language = self.language
            paper_question = require_paper_question(exercise)
            self._labels[question.name] |= dict.fromkeys(blank.label for blank in paper_question.blanks)
            solution_texts = paper_question.write_solution()
            solutions.append([(blank.label, solution_texts[blank.label]) for blank in paper_question.blanks])
            title = f"{number}. {escape(translate_text(question.title, self._translator))}"
            lead = _markdown_to_html(translate_text(question.lead, self._translator))
            blocks += build_blocks(title, self._format_points(question.points), lead, paper_question, str(number), self._translator)
        pages = split_into_pages(blocks)
        if len(pages) > MAX_PAGES:
            raise DurakError(
                f"the exam of {student} has {len(pages)} pages, and the page codes are only enough for {MAX_PAGES}; ask fewer questions"
            )
        return StudentSheets(
            student, code_prefix, tuple(self._render_page(student, code_prefix, page_index, pages) for page_index in range(len(pages)))
        )

    def _render_page(self, student: str, code_prefix: str, page_index: int, pages: Sequence[Sequence[QuestionBlock]]) -> str:
        """Return one exam page of a student as HTML, with a header.

        `pages` has the question blocks of all the student's pages, because the header shows the number of pages.
        """
        page_count_text = self._translate("page", page=str(page_index + 1), pages=str(len(pages)))
        question_count_text = self._translate(
            "begin", count=len(self.assignment.questions), points=self._format_points(self.assignment.points)
        )
        title = self.title if page_index else f"{self.title} · {question_count_text}"
        code = SheetCode(code_prefix, page_index + 1).text
        header_html = f'<div><b>{escape(student)}</b><span>{escape(title)}</span></div><div><span class="code">{code}</span><span class="page">{escape(page_count_text)}</span></div>'
        return f'<section class="leaf"><header>{header_html}</header>{"".join(block.html for block in pages[page_index])}</section>'

    def _translate(self, key: str, **facts: object) -> str:
        """Return a text to print on the exam, in the exam's language, with `facts` inserted."""
        return self._translator.translate(f"class.paper.{key}", **facts)

    def _format_points(self, points: int) -> str:
        """Format a number of points in the exam's language, for example "3 points"."""
        return self._translator.translate("class.points", count=points)

    def build_print_document(self, student: str | None = None) -> Page:
        """Return an HTML document to print, with the pages of all students or of one student."""
        pages = [page for sheets in self.student_sheets if student in (None, sheets.student) for page in sheets.pages]
        title = self.title if student is None else f"{self.title} · {student}"
        return Page(title, "".join(pages), language=self.language, style=_SHEET_CSS)

    def build_answer_csv(self) -> str:
        """Return, as CSV text, an empty table in which the teacher types the answers.

        It has a row for each student and a column for each part of a question. The cells for answers are empty.
        """
        column_headings = list(FIXED_COLUMNS)
        for number, question in enumerate(self.assignment.questions, 1):
            position_of_label = {label: position for position, label in enumerate(make_labels(_ORDERED_LABEL_COUNT))}
            labels = sorted(self._labels[question.name], key=lambda label: position_of_label.get(label, -1))
            column_headings += [format_heading(number, label, question.name) for label in labels]
        rows = [[sheets.codes[0], sheets.student, self.assignment.edition] for sheets in self.student_sheets]
        text = format_csv(column_headings, [[*row, *[""] * (len(column_headings) - len(row))] for row in rows])
        return BOM + text.replace("\r\n", "\n")  # Write \n as line end, because Python reads every line end of the file as \n

    def build_key_page(self, facts: Mapping[str, str]) -> Page:
        """Return the answer key: each student's solutions, with the student's page codes.

        `facts` has two entries: `table` is the name of the file for typed answers, and `command` is the command that
        grades it.
        """
        parts = [
            f"<h1>{escape(self._translate('key'))}</h1>",
            f'<p class="lead">{escape(self.title)}</p>',
            f"<p>{escape(self._translate('key.how', **facts))}</p>",
        ]
        parts += [f"<p>{escape(self._translate('key.several'))}</p>"]
        for sheets in self.student_sheets:
            rows = "".join(
                map(
                    self._render_solution_row,
                    range(1, 1 + len(self.assignment.questions)),
                    self.assignment.questions,
                    self._solutions[sheets.student],
                )
            )
            codes = " ".join(f"<code>{code}</code>" for code in sheets.codes)
            parts.append(
                f'<section class="one"><h2>{escape(sheets.student)}</h2><p class="codes">{codes}</p><table><tbody>{rows}</tbody></table></section>'
            )
        return Page(f"{self._translate('key')}: {self.title}", "".join(parts), language=self.language, style=_KEY_CSS)

    def _render_solution_row(self, number: int, question: Question, part_solutions: Iterable[tuple[str, str]]) -> str:
        """Return a table row with the solution of each part of a question.

        `part_solutions` has the label and the solution of each part; a question with a single part may have no label.
        """
        parts = [(label, escape(re.sub(r"-(?=\d)", "−", text))) for label, text in part_solutions]
        solution = " ".join(f"<span><b>{label}</b> {text}</span>" if label else text for label, text in parts)
        title = escape(translate_text(question.title, self._translator))
        return f'<tr><th scope="row">{number}. {title}</th><td class="num">{question.points}</td><td>{solution}</td></tr>'


def _markdown_to_html(markdown: str) -> str:
    """Convert Markdown with bold and italic text, but no other markup, to HTML.

    >>> _markdown_to_html("A **plan** says *it*.")
    'A <b>plan</b> says <em>it</em>.'
    """
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escape(markdown, quote=False))
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", text)


def write_exam_sheets(
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
    """Write all files of an exam to a folder: exam pages, answer key and answer table.

    In the folder `out`, `paper/` gets one file for the class and one for each student. `teacher/` gets the key and the
    table for typed answers. Return the paths of all these files.

    `roster` is the class, or the path of its file; it is required. `questions` selects some questions: `"1,3,7"`.

    `word` is a passphrase. Nobody who does not know it can generate the same questions, before the exam or after. It is
    stored in a file in `teacher/`.

    Existing files with other contents are overwritten only with `force`. A table with typed answers is never
    overwritten: you get an error.
    """
    passphrase = None if word is None else require_strong_passphrase(word)
    full_assignment = resolve_newest_revision(assignment, str(edition)).unlock(passphrase)
    selected_assignment = full_assignment if questions is None else full_assignment.select_questions(parse_question_list(questions))
    class_roster = Roster.load(roster) if isinstance(roster, (str, os.PathLike)) else roster
    if class_roster is None:
        raise DurakError("on paper each student has their own sheets; give the names of the class with --students class.csv")
    printed_exam = PrintedExam(selected_assignment, class_roster.names, language)
    folder = Path(require_path(out))
    class_stem = format_receipt_file_name(full_assignment.name, full_assignment.edition, "x").removesuffix("-x.receipt.json")
    table_path = folder / "teacher" / f"{class_stem}.csv"
    assignment_option = (
        "" if assignment == "econ431" else f" --assignment {assignment if isinstance(assignment, str) else full_assignment.name}"
    )
    passphrase_option = "" if passphrase is None else f" --word {format_passphrase_file_name(full_assignment)}"
    command = f"durak-marks {table_path.name}{assignment_option} --roster …{passphrase_option}"
    files = {folder / "paper" / f"{class_stem}.html": printed_exam.build_print_document().html}
    for student in class_roster.names:
        student_stem = format_receipt_file_name(full_assignment.name, full_assignment.edition, student).removesuffix(".receipt.json")
        files[folder / "paper" / f"{student_stem}.html"] = printed_exam.build_print_document(student).html
    files[folder / "teacher" / f"{class_stem}-key.html"] = printed_exam.build_key_page({"table": table_path.name, "command": command}).html
    files[table_path] = printed_exam.build_answer_csv()
    if passphrase is not None:
        files[folder / "teacher" / format_passphrase_file_name(full_assignment)] = format_passphrase_text(
            full_assignment, passphrase, Translator(language)
        )
    if table_path.exists() and table_path.read_text(encoding="utf-8", errors="replace") != files[table_path]:
        raise DurakError(
            f"{table_path} already exists, and somebody has typed answers into it. Move it first; --force does not overwrite it"
        )
    write_files(files, force=force)
    return tuple(files)
