"""An edition whose word stays with the teacher: what is handed out can be answered, and neither marked nor solved by the commands of a teacher."""

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

WORD = "willow by the brook"
OPEN = ASSIGNMENT.select_questions([question.name for question in ASSIGNMENT.questions if question.kind != "position"]).with_edition("2027")


@pytest.fixture(autouse=True)
def _cheap(monkeypatch):
    """A word is slow to try in earnest; here it costs next to nothing, since no claim but one is about that."""
    monkeypatch.setattr(key_derivation, "_COST", 2)
    for remembered in (derive_secret, key_derivation.slow_hash):
        remembered.cache_clear()
    yield
    for remembered in (derive_secret, key_derivation.slow_hash):
        remembered.cache_clear()


@pytest.fixture
def sealed(tmp_path):
    """The edition, and the folder of a student with nothing in it but the file that was handed out."""
    made, home = OPEN.with_passphrase(WORD), tmp_path / "home"
    home.mkdir()
    (home / format_questions_file_name(made, "Ann Lee")).write_text(format_questions_file(made, "Ann Lee"), encoding="utf-8")
    return made, home


def opened(sealed):
    """The homework as the student opens it, who has no word."""
    made, home = sealed
    return lessons.homework(
        OPEN,
        student="Ann Lee",
        edition=made.edition,
        folder=home,
        questions=home / format_questions_file_name(made, "Ann Lee"),
        language="en",
    )


def test_without_the_word_it_is_shown_and_kept_and_nothing_is_said(sealed) -> None:
    """Of every kind: the question as it was drawn; of a right answer the same is said as of a wrong one; both stand there again."""
    for question in OPEN.questions:
        work, drawn = opened(sealed), sealed[0].create_exercise(question.name, "Ann Lee")
        task = work[question.name]
        assert (task.question, task.number) == (drawn.question, drawn.number)
        right, other = drawn.solution, wrong(drawn, question.name)
        right = right[0] if question.kind in ("choose", "number") else right
        said = {str(work.answer(question.name, answer)) for answer in (other, right)}
        assert all(one.endswith("It is judged when the homework is marked; until then you can change it.") for one in said)
        assert not any(word in " ".join(said) for word in ("Right", "right.", "Not yet", "few possible"))
        assert not task.check()
        with pytest.raises(RefusedError):
            _ = task.solution
        with pytest.raises(RefusedError):
            task.reveal()
        again = opened(sealed)[question.name]
        assert again.last_answer == task.last_answer is not None
        task.view_model(), task.static_mimebundle()


def test_the_teacher_marks_it_with_the_word(sealed) -> None:
    """What was right has all points, what was wrong none, as in an edition without a word; the file that comes back with it is looked over."""
    made, home = sealed
    work = opened(sealed)
    for place, question in enumerate(OPEN.questions):
        task = made.create_exercise(question.name, "Ann Lee")
        right = task.solution[0] if question.kind in ("choose", "number") else task.solution
        work.answer(question.name, right if place % 2 else wrong(task, question.name))
    for told in ({"edition": "2027"}, {}):
        marks = lessons.mark(home, ASSIGNMENT, questions=[one.name for one in OPEN.questions], jobs=0, anew=True, word=WORD, **told)
        assert marks.students == ("Ann Lee",)
        assert all(row.credit == 1 for row in marks.rows[1::2])
        assert all(row.credit < 1 for row in marks.rows[::2])
        assert not [trouble for trouble in marks.problems if trouble.file]


def test_without_the_word_nobody_draws_or_marks(sealed) -> None:
    """All that a student has: the package, the file, the name of the edition. Key, marks, page and notebook are refused, each in that sentence."""
    made, home = sealed
    opened(sealed).answer("few", "7")
    refused = "drawn by a word that stays with the teacher"
    for attempt in (
        lambda: key(OPEN, student="Ann Lee", edition=made.edition).told("few"),
        lambda: lessons.mark(home, OPEN.with_edition(""), jobs=0),
        lambda: lessons.mark(home, OPEN, edition=made.edition, jobs=0),
        lambda: lessons.class_report(home, OPEN, edition=made.edition, jobs=0),
        lambda: OPEN.with_edition(made.edition).create_exercise("few", "Ann Lee"),
        lambda: lessons.homework(OPEN, student="Ann Lee", edition=made.edition, folder=None)["few"],
        lambda: PrintedExam(OPEN.with_edition(made.edition), ["Ann Lee"]),
    ):
        with pytest.raises(RefusedError, match=refused):
            attempt()
    with pytest.raises(RefusedError, match="is not the word of the edition"):
        lessons.mark(home, OPEN.with_edition(""), jobs=0, word="willow by the pond")
    plain_edition = lessons.mark(home, OPEN, edition="2027", jobs=0)  # another edition, with other questions
    assert not plain_edition.rows
    assert any("another edition" in trouble.sentence for trouble in plain_edition.problems)


def test_what_is_handed_out_does_not_hang_on_what_is_right() -> None:
    """Two questions that look alike and have different answers are the same file: so no answer is in it."""
    pairs = [
        [lessons.Choose("Which?", {"a": "It is.", "b": "It is."}, right=right) for right in "ab"],
        [lessons.Number("How many?", right, mistakes={"contrary": right + 1}) for right in (7, 8)],
        [lessons.Pick("Which?", "9c Td", right) for right in ("9c", "Td")],
    ]
    for one, other in pairs:
        assert snapshot_to_dict(take_snapshot(one)) == snapshot_to_dict(take_snapshot(other))
    trees = [coins_of(seen) for seen in ("none", "some")]
    assert trees[0].infosets != trees[1].infosets
    one, other = (lessons.OnTree.sets(tree).to_snapshot() for tree in trees)
    assert one == other
    bots = [lessons.Bot(24, pairs=20, seed=seed, own=True, base=base) for seed, base in (("a", 1), ("b", 2))]
    assert bots[0].to_snapshot() == bots[1].to_snapshot()


def coins_of(known):
    """A game of three coins, in which the last to choose has seen none of them, or the first."""

    def look(where):
        if len(where) == 3:
            return gametheory.TerminalNode((1, -1))
        return gametheory.DecisionNode(
            int(len(where) == 2), where[0] if len(where) == 2 and known == "some" else len(where), [(one, where + one) for one in "ht"]
        )

    return gametheory.build_tree("", look, player_count=2, label_infoset=lambda *_: "")


def test_neither_the_word_nor_what_comes_of_it_leaves_the_teacher(tmp_path, capsys) -> None:
    """Of all that is written for students nothing has the word or its secret; a new word is made each time, and kept beside the key."""
    roster = tmp_path / "class.csv"
    roster.write_text("name\nAnn Lee\nBen Moss\n", encoding="utf-8")
    out = tmp_path / "out"
    chosen = [*_line(roster, out), "--word"]
    assert main(chosen) == 0
    [kept] = out.glob("teacher/*.word.txt")
    found = read_passphrase(kept)
    made = lessons.Assignment("small", "Small", ASSIGNMENT.questions[:4], "2027").with_passphrase(found)
    files = [path.read_text(encoding="utf-8") for path in out.rglob("students/*")]
    assert len(files) == 4
    assert not any(found in text or made._secret.hex() in text for text in files)
    assert found in kept.read_text(encoding="utf-8")
    assert os.name == "nt" or stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert f'word="{kept.name}"' in next(out.glob("teacher/*.ipynb")).read_text(encoding="utf-8").replace("\\", "")
    assert main(chosen) == 0  # the same files again, with the word that is kept there
    assert sorted(out.glob("teacher/*.word.txt")) == [kept]
    assert main([*_line(roster, tmp_path / "again"), "--word"]) == 0
    assert read_passphrase(next((tmp_path / "again").glob("teacher/*.word.txt"))) != found
    capsys.readouterr()
    for weak in ("aaaaaaaaaaaa", "123456789012", "password1234", "ab ab ab ab ab ab"):
        assert main([*_line(roster, tmp_path / "none"), "--word", weak]) == 1
        assert "Let hand-out make a word" in capsys.readouterr().err
    for more, said in ((["--word", "willow"], "too short for a word"), (["--word", "--nbgrader"], "a word stays with you")):
        assert main([*_line(roster, tmp_path / "none"), *more]) == 1
        assert said in capsys.readouterr().err
    assert main(["hand-out", "small_for_words:SMALL", "--out", str(tmp_path / "none"), "--word"]) == 1
    assert "give the names of the class" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def _line(roster, out):
    return ["hand-out", "small_for_words:SMALL", "--edition", "2027", "--students", str(roster), "--out", str(out)]


@pytest.fixture(autouse=True)
def _small(tmp_path, monkeypatch):
    """An assignment in a file of the teacher's own, which students do not get."""
    text = "from support.classroom_kinds import ASSIGNMENT, Assignment\nSMALL = Assignment('small', 'Small', ASSIGNMENT.questions[:4])\n"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "small_for_words.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "mine"))
    yield
    sys.modules.pop("small_for_words", None)


def test_a_student_needs_nothing_of_the_teachers_own(tmp_path, monkeypatch) -> None:
    """An assignment of a teacher's own opens from the file alone: the module that draws its questions is not asked for."""
    made = lessons.Assignment("small", "Small", ASSIGNMENT.questions[:4], "2027").with_passphrase(WORD)
    file = tmp_path / format_questions_file_name(made, "Ann Lee")
    file.write_text(format_questions_file(made, "Ann Lee"), encoding="utf-8")
    monkeypatch.setitem(sys.modules, "small_for_words", None)
    work = lessons.homework("small_for_words:SMALL", student="ann lee", edition=made.edition, folder=None, questions=file)
    assert work.answer("few", "12") is not None
    assert work.receipt["assignment"] == "small"


def test_a_file_that_is_not_as_it_was_handed_out_is_refused_in_a_sentence(sealed) -> None:
    """Missing, cut, changed, somebody else's, of another edition: one sentence each, and nothing is kept under it."""
    made, home = sealed
    file = home / format_questions_file_name(made, "Ann Lee")
    text = file.read_text(encoding="utf-8")

    def said(student="Ann Lee", edition=""):
        with pytest.raises(RefusedError) as caught:
            lessons.homework(OPEN, student=student, edition=edition, folder=None, questions=file)
        return str(caught.value)

    assert "has the questions of Ann Lee, 2027 sealed" in said("Ben Moss")
    assert "has the questions of Ann Lee" in said(edition="2028")
    file.write_text(text[:-9], encoding="utf-8")
    assert "is not as it was handed out" in said()
    file.write_text(text.replace('"points": 1', '"points": 2', 1), encoding="utf-8")
    assert "is not as it was handed out" in said()
    file.unlink()
    assert "is not here: lay it beside the notebook" in said()


def test_what_cannot_be_handed_out_ready_made_says_so() -> None:
    """A position that is played has its goal in code: the question is named."""
    with pytest.raises(RefusedError, match="Question 13 cannot be handed out ready-made"):
        format_questions_file(ASSIGNMENT.with_passphrase(WORD), "Ann Lee")


def test_a_hostile_file_runs_nothing_and_is_refused(sealed) -> None:
    """A tree whose histories do not fit, a kind that is none, a text that is no question: refused, however the sum is."""
    made, home = sealed
    found = json.loads((home / format_questions_file_name(made, "Ann Lee")).read_text(encoding="utf-8"))
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
        with pytest.raises(RefusedError, match="is not as it was handed out"):
            HandedOutAssignment(broken, "x").create_exercise(name, "Ann Lee")


def test_a_word_makes_an_edition_of_its_own() -> None:
    """The same word, the same questions, wherever they are drawn; another word or another year, others; on paper too, by their codes."""
    one, same, other = OPEN.with_passphrase(WORD), OPEN.with_passphrase(f"  {WORD} "), OPEN.with_passphrase(generate_passphrase())
    asked = [
        made.create_exercise("many", "Ann Lee").solution
        for made in (OPEN, one, same, other, OPEN.with_edition("2028").with_passphrase(WORD))
    ]
    assert asked[1] == asked[2]
    assert len({str(solution) for solution in asked}) == 4
    assert one.select_questions(["many"]).create_exercise(1, "Ann Lee").solution == asked[1]
    assert len({PrintedExam(made.select_questions(["few"]), ["Ann Lee"]).student_sheets[0].code_prefix for made in (OPEN, one, other)}) == 3
    assert one.with_edition(one.edition).with_passphrase(WORD).edition == one.edition


def test_to_try_words_is_slow(monkeypatch) -> None:
    """A guess costs a tenth of a second and 32 MB, and a word that is made has 79 bits of chance, as it is said."""
    monkeypatch.undo()
    assert int(assignment_edition._GROUP_COUNT * assignment_edition._GROUP_LENGTH * log2(len(assignment_edition._ALPHABET))) == 79
    assert (key_derivation._COST * key_derivation._BLOCK * 128, key_derivation._COST) == (2**25, 2**15)
    with pytest.raises(DurakError, match="holds no word"):
        read_passphrase(__file__)


def test_a_board_that_was_handed_out_looks_as_it_was_drawn() -> None:
    """Of the problem set: each tree and matrix is the same picture, with its cards and their words in every language; it is laid on no table."""
    from durak_widget.econ431.problem_set import ASSIGNMENT as ECON  # noqa: PLC0415 - that test alone needs it

    made = ECON.with_edition("2027").with_passphrase(WORD)
    for name in ("extensive-form", "backward-induction", "information-sets", "strategic-form", "dominance", "no-exploit"):
        drawn = made.create_exercise(name, "Ann Lee")
        again = type(drawn).from_snapshot(json.loads(json.dumps(drawn.to_snapshot())))
        for language in ("en", "lt"):
            drawn.language = again.language = language
            assert again.question == drawn.question
            shown, seen = (task._create_view() for task in (again, drawn))
            assert str(shown) == str(seen)
            assert not hasattr(shown, "svg") or shown.svg() == seen.svg()
