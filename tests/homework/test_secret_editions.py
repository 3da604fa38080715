"""Test editions with a secret word: students can answer, but only the teacher can mark or solve them."""

from __future__ import annotations

import json
import os
import stat
import sys
from math import log2

import pytest

from durak_widget import gametheory, key_derivation, lessons
from durak_widget.errors import DurakError
from durak_widget.grading.command_line import main
from durak_widget.homework import assignment_edition
from durak_widget.homework.answer_key import key
from durak_widget.homework.assignment_edition import derive_secret, generate_passphrase, read_passphrase
from durak_widget.homework.exercise_snapshot import snapshot_to_dict, take_snapshot
from durak_widget.homework.question_file import format_questions_file, format_questions_file_name
from durak_widget.paper_exams.exam_sheets import PrintedExam
from durak_widget.translated_errors import RefusedError
from support.classroom_kinds import ASSIGNMENT, wrong
from support.spoken import english, english_text

WORD = "willow by the brook"
OPEN = ASSIGNMENT.select_questions([question.name for question in ASSIGNMENT.questions if question.kind != "position"]).with_edition("2027")


@pytest.fixture(autouse=True)
def _cheap(monkeypatch):
    """Make trying a word cheap, because only one test is about its cost."""
    monkeypatch.setattr(key_derivation, "_COST", 2)
    for remembered in (derive_secret, key_derivation.slow_hash):
        remembered.cache_clear()
    yield
    for remembered in (derive_secret, key_derivation.slow_hash):
        remembered.cache_clear()


@pytest.fixture
def sealed_edition(tmp_path):
    """Return the edition, and a student's folder with only the handed-out file."""
    edition, home = OPEN.with_passphrase(WORD), tmp_path / "home"
    home.mkdir()
    (home / format_questions_file_name(edition, "Ann Lee")).write_text(format_questions_file(edition, "Ann Lee"), encoding="utf-8")
    return edition, home


def student_homework(sealed_edition):
    """Return the homework as the student opens it, without the word."""
    edition, home = sealed_edition
    return lessons.homework(
        OPEN,
        student="Ann Lee",
        edition=edition.edition,
        folder=home,
        questions=home / format_questions_file_name(edition, "Ann Lee"),
        language="en",
    )


def test_students_can_answer_without_the_word_and_get_no_verdict(sealed_edition) -> None:
    """Questions of every kind are shown as drawn, and right and wrong answers get the same reply."""
    for question in OPEN.questions:
        work, exercise = student_homework(sealed_edition), sealed_edition[0].create_exercise(question.name, "Ann Lee")
        task = work[question.name]
        assert (task.question, task.number) == (exercise.question, exercise.number)
        right, other = exercise.solution, wrong(exercise, question.name)
        right = right[0] if question.kind in ("choose", "number") else right
        verdicts = {str(work.answer(question.name, answer)) for answer in (other, right)}
        assert all(verdict.endswith(english_text("class.kept.later")) for verdict in verdicts)
        assert not any(word in " ".join(verdicts) for word in ("Right", "right.", "Not yet", "few possible"))
        assert not task.check()
        with pytest.raises(RefusedError):
            _ = task.solution
        with pytest.raises(RefusedError):
            task.reveal()
        again = student_homework(sealed_edition)[question.name]
        assert again.last_answer == task.last_answer is not None
        task.view_model(), task.static_mimebundle()


def test_the_teacher_marks_with_the_word(sealed_edition) -> None:
    """Right answers earn full marks, wrong ones nothing. The returned file is checked."""
    edition, home = sealed_edition
    work = student_homework(sealed_edition)
    for place, question in enumerate(OPEN.questions):
        task = edition.create_exercise(question.name, "Ann Lee")
        right = task.solution[0] if question.kind in ("choose", "number") else task.solution
        work.answer(question.name, right if place % 2 else wrong(task, question.name))
    for options in ({"edition": "2027"}, {}):
        marks = lessons.mark(
            home, ASSIGNMENT, questions=[question.name for question in OPEN.questions], jobs=0, anew=True, word=WORD, **options
        )
        assert marks.students == ("Ann Lee",)
        assert all(row.credit == 1 for row in marks.rows[1::2])
        assert all(row.credit < 1 for row in marks.rows[::2])
        assert not [trouble for trouble in marks.problems if trouble.file]


def test_drawing_and_marking_need_the_word(sealed_edition) -> None:
    """With the package, the file and the edition's name, key, marks, pages and notebooks are refused."""
    edition, home = sealed_edition
    student_homework(sealed_edition).answer("few", "7")
    refused = english("class.word.wanted")
    for attempt in (
        lambda: key(OPEN, student="Ann Lee", edition=edition.edition).format_solution("few"),
        lambda: lessons.mark(home, OPEN.with_edition(""), jobs=0),
        lambda: lessons.mark(home, OPEN, edition=edition.edition, jobs=0),
        lambda: lessons.class_report(home, OPEN, edition=edition.edition, jobs=0),
        lambda: OPEN.with_edition(edition.edition).create_exercise("few", "Ann Lee"),
        lambda: lessons.homework(OPEN, student="Ann Lee", edition=edition.edition, folder=None)["few"],
        lambda: PrintedExam(OPEN.with_edition(edition.edition), ["Ann Lee"]),
    ):
        with pytest.raises(RefusedError, match=refused):
            attempt()
    with pytest.raises(RefusedError, match=english("class.word.other")):
        lessons.mark(home, OPEN.with_edition(""), jobs=0, word="willow by the pond")
    plain_edition = lessons.mark(home, OPEN, edition="2027", jobs=0)  # another edition, with other questions
    assert not plain_edition.rows
    assert any(english("class.file.edition").search(trouble.sentence) for trouble in plain_edition.problems)


def test_the_handed_out_file_does_not_depend_on_right_answers() -> None:
    """Two questions that look alike make the same file."""
    pairs = [
        [lessons.Choose("Which?", {"a": "It is.", "b": "It is."}, right=right) for right in "ab"],
        [lessons.Number("How many?", right, mistakes={"contrary": right + 1}) for right in (7, 8)],
        [lessons.Pick("Which?", "9c Td", right) for right in ("9c", "Td")],
    ]
    for first, other in pairs:
        assert snapshot_to_dict(take_snapshot(first)) == snapshot_to_dict(take_snapshot(other))
    trees = [coins_of(seen) for seen in ("none", "some")]
    assert trees[0].infosets != trees[1].infosets
    first, other = (lessons.OnTree.sets(tree).to_snapshot() for tree in trees)
    assert first == other
    bots = [lessons.Bot(24, pairs=20, seed=seed, own=True, base=base) for seed, base in (("a", 1), ("b", 2))]
    assert bots[0].to_snapshot() == bots[1].to_snapshot()


def coins_of(known):
    """Return a game of three coins; the last player has seen none or the first."""

    def look(where):
        if len(where) == 3:
            return gametheory.TerminalNode((1, -1))
        return gametheory.DecisionNode(
            int(len(where) == 2), where[0] if len(where) == 2 and known == "some" else len(where), [(coin, where + coin) for coin in "ht"]
        )

    return gametheory.build_tree("", look, player_count=2, label_infoset=lambda *_: "")


def test_the_word_and_its_secret_stay_with_the_teacher(tmp_path, capsys) -> None:
    """No student file contains them. A new word is made each time and stored beside the key."""
    roster = tmp_path / "class.csv"
    roster.write_text("name\nAnn Lee\nBen Moss\n", encoding="utf-8")
    out = tmp_path / "out"
    chosen = [*_line(roster, out), "--word"]
    assert main(chosen) == 0
    [word_file] = out.glob("teacher/*.word.txt")
    found = read_passphrase(word_file)
    edition = lessons.Assignment("small", "Small", ASSIGNMENT.questions[:4], "2027").with_passphrase(found)
    files = [path.read_text(encoding="utf-8") for path in out.rglob("students/*")]
    assert len(files) == 4
    assert not any(found in text or edition._secret.hex() in text for text in files)
    assert found in word_file.read_text(encoding="utf-8")
    assert os.name == "nt" or stat.S_IMODE(word_file.stat().st_mode) == 0o600
    assert f'word="{word_file.name}"' in next(out.glob("teacher/*.ipynb")).read_text(encoding="utf-8").replace("\\", "")
    assert main(chosen) == 0  # the same files again, with the stored word
    assert sorted(out.glob("teacher/*.word.txt")) == [word_file]
    assert main([*_line(roster, tmp_path / "again"), "--word"]) == 0
    assert read_passphrase(next((tmp_path / "again").glob("teacher/*.word.txt"))) != found
    capsys.readouterr()
    for weak in ("aaaaaaaaaaaa", "123456789012", "password1234", "ab ab ab ab ab ab"):
        assert main([*_line(roster, tmp_path / "none"), "--word", weak]) == 1
        assert "Let hand-out make" in capsys.readouterr().err
    for more, sentence in ((["--word", "willow"], "too short"), (["--word", "--nbgrader"], "--word or --nbgrader")):
        assert main([*_line(roster, tmp_path / "none"), *more]) == 1
        assert sentence in capsys.readouterr().err
    assert main(["hand-out", "small_for_words:SMALL", "--out", str(tmp_path / "none"), "--word"]) == 1
    assert "--students" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def _line(roster, out):
    return ["hand-out", "small_for_words:SMALL", "--edition", "2027", "--students", str(roster), "--out", str(out)]


@pytest.fixture(autouse=True)
def _small(tmp_path, monkeypatch):
    """Write an assignment into a file that students do not get."""
    text = "from support.classroom_kinds import ASSIGNMENT, Assignment\nSMALL = Assignment('small', 'Small', ASSIGNMENT.questions[:4])\n"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "small_for_words.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "mine"))
    yield
    sys.modules.pop("small_for_words", None)


def test_students_do_not_need_the_teachers_module(tmp_path, monkeypatch) -> None:
    """The handed-out file is enough; the module that draws the questions is never imported."""
    edition = lessons.Assignment("small", "Small", ASSIGNMENT.questions[:4], "2027").with_passphrase(WORD)
    file = tmp_path / format_questions_file_name(edition, "Ann Lee")
    file.write_text(format_questions_file(edition, "Ann Lee"), encoding="utf-8")
    monkeypatch.setitem(sys.modules, "small_for_words", None)
    work = lessons.homework("small_for_words:SMALL", student="ann lee", edition=edition.edition, folder=None, questions=file)
    assert work.answer("few", "12") is not None
    assert work.receipt["assignment"] == "small"


def test_a_changed_handed_out_file_is_refused(sealed_edition) -> None:
    """Test missing, cut, changed, other students' and other editions' files. Nothing is kept."""
    made, home = sealed_edition
    file = home / format_questions_file_name(made, "Ann Lee")
    text = file.read_text(encoding="utf-8")

    def refusal_for(student="Ann Lee", edition=""):
        with pytest.raises(RefusedError) as caught:
            lessons.homework(OPEN, student=student, edition=edition, folder=None, questions=file)
        return str(caught.value)

    assert english("class.word.theirs", student="Ann Lee").search(refusal_for("Ben Moss"))
    assert english("class.word.theirs", student="Ann Lee").search(refusal_for(edition="2028"))
    file.write_text(text[:-9], encoding="utf-8")
    assert english("class.word.broken").search(refusal_for())
    file.write_text(text.replace('"points": 1', '"points": 2', 1), encoding="utf-8")
    assert english("class.word.broken").search(refusal_for())
    file.unlink()
    assert english("class.word.missing").search(refusal_for())


def test_unsuitable_questions_for_secret_editions_are_reported() -> None:
    """A position's goal is code, so its question is named."""
    with pytest.raises(RefusedError, match=english("class.word.screen", number="13")):
        format_questions_file(ASSIGNMENT.with_passphrase(WORD), "Ann Lee")


def test_a_hostile_file_runs_nothing_and_is_refused(sealed_edition) -> None:
    """Test invalid trees, kinds and texts, whatever the checksum."""
    edition, home = sealed_edition
    found = json.loads((home / format_questions_file_name(edition, "Ann Lee")).read_text(encoding="utf-8"))
    from durak_widget.homework.question_file import HandedOutAssignment  # noqa: PLC0415 - only here it is made of what is no file

    places = {question.name: place for place, question in enumerate(OPEN.questions)}
    for name, change in (
        ("values", {"tree": {**found["questions"][places["values"]]["exercise"]["tree"], "first_child": [0]}}),
        ("values", {"tree": {**found["questions"][places["values"]]["exercise"]["tree"], "infoset_of": [10**6] * 7}}),
        ("values", {"asks": "all"}),
        ("strategy", {"question": {"en": 7}}),
        ("best", {"table": {"names": [], "rows": [], "columns": [], "payoffs": []}}),
    ):
        broken = json.loads(json.dumps(found))
        broken["questions"][places[name]]["exercise"] |= change
        with pytest.raises(RefusedError, match=english("class.word.broken")):
            HandedOutAssignment(broken, "x").create_exercise(name, "Ann Lee")


def test_a_word_makes_its_own_edition() -> None:
    """The same word gives the same questions everywhere; another word or year gives others, on paper too."""
    first, same, other = OPEN.with_passphrase(WORD), OPEN.with_passphrase(f"  {WORD} "), OPEN.with_passphrase(generate_passphrase())
    asked = [
        edition.create_exercise("many", "Ann Lee").solution
        for edition in (OPEN, first, same, other, OPEN.with_edition("2028").with_passphrase(WORD))
    ]
    assert asked[1] == asked[2]
    assert len({str(solution) for solution in asked}) == 4
    assert first.select_questions(["many"]).create_exercise(1, "Ann Lee").solution == asked[1]
    assert (
        len({PrintedExam(edition.select_questions(["few"]), ["Ann Lee"]).student_sheets[0].code_prefix for edition in (OPEN, first, other)})
        == 3
    )
    assert first.with_edition(first.edition).with_passphrase(WORD).edition == first.edition


def test_trying_words_is_slow(monkeypatch) -> None:
    """A guess costs a tenth of a second and 32 MB; a new word has 79 bits of entropy."""
    monkeypatch.undo()
    assert int(assignment_edition._GROUP_COUNT * assignment_edition._GROUP_LENGTH * log2(len(assignment_edition._ALPHABET))) == 79
    assert (key_derivation._COST * key_derivation._BLOCK * 128, key_derivation._COST) == (2**25, 2**15)
    with pytest.raises(DurakError, match="no passphrase in"):
        read_passphrase(__file__)


def test_handed_out_boards_look_as_drawn() -> None:
    """Each tree and matrix of the problem set has the same picture and texts in every language, without a table."""
    from durak_widget.econ431.problem_set import ASSIGNMENT as ECON  # noqa: PLC0415 - that test alone needs it

    edition = ECON.with_edition("2027").with_passphrase(WORD)
    for name in ("extensive-form", "backward-induction", "information-sets", "strategic-form", "dominance", "no-exploit"):
        exercise = edition.create_exercise(name, "Ann Lee")
        again = type(exercise).from_snapshot(json.loads(json.dumps(exercise.to_snapshot())))
        for language in ("en", "lt"):
            exercise.language = again.language = language
            assert again.question == exercise.question
            stored, seen = (task._create_view() for task in (again, exercise))
            assert str(stored) == str(seen)
            assert not hasattr(stored, "svg") or stored.svg() == seen.svg()
