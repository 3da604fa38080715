"""Test homework: a student's questions are kept in the notebook and a receipt, and handed in."""

from __future__ import annotations

import json
import subprocess
import sys
from html import unescape

import pytest

from durak_widget import Game, gametheory, lessons
from durak_widget.errors import DurakError
from durak_widget.exercises.exercise_widget import ExerciseWidget
from durak_widget.grading.answer_grading import compute_credit
from durak_widget.homework.assignment import Assignment, Question
from durak_widget.homework.receipt import MIME_TYPE, parse_receipt, receipt_from_dict
from durak_widget.i18n import LANGUAGES, Translator, use_card_letters
from durak_widget.lessons import Number, OnTree, Progress, homework
from durak_widget.widgets import user_defaults
from support.classroom_kinds import ASSIGNMENT, KINDS, wrong
from support.spoken import english, english_text


def open_homework(folder=None, student="Ann", **more):
    """Return somebody's homework."""
    return homework(ASSIGNMENT, student=student, folder=folder, **more)


def test_every_kind_is_restored_when_the_notebook_is_opened_again(tmp_path):
    """Code and clicks, verdicts included. The file alone is enough, and it is judged the same."""
    for name in KINDS:
        for right in (False, True):
            task = ASSIGNMENT.create_exercise(name, "Ann")
            given = task.solution if right else wrong(task, name)
            before = open_homework(tmp_path)
            before.answer(name, given)
            again = open_homework(tmp_path)
            assert again.receipt["answers"][name]["attempts"] == 1 + right
            assert again[name].last_answer == parse_receipt(again.receipt_path.read_bytes()).answers[name].answer
            assert (again[name].view_model()["state"], again[name].view_model()["feedback"]) == (
                before[name].view_model()["state"],
                before[name].view_model()["feedback"],
            )
            assert again[name].attempt_count == 1
            fresh = ASSIGNMENT.create_exercise(name, "Ann")
            assert fresh.answer(again.receipt["answers"][name]["answer"]).right is right
            assert (compute_credit(fresh) == 1) is right


def test_an_answer_is_in_the_file_before_the_page_says_kept(tmp_path, monkeypatch):
    """Closing the page at once loses nothing."""
    work, messages = open_homework(tmp_path), []
    task = work["picked"]
    page = ExerciseWidget(task)
    monkeypatch.setattr(task, "_refresh", lambda: messages.append((task.view_model()["state"], work.receipt_path.exists())))
    page.handle_message({"kind": "answer", "answer": list(task.snapshot.items)[:1]})
    assert messages[-1] == ("saved", True)
    assert ("saved", False) not in messages


def test_clicks_are_kept_as_answers(tmp_path):
    """Test page messages, board actions and moves at a table."""
    work = open_homework(tmp_path)
    ExerciseWidget(work["picked"]).handle_message({"kind": "answer", "answer": list(work["picked"].snapshot.items)[:1]})
    board = work["values"]
    board.handle_answer({"node": 0, "text": "1/2"})
    assert "values" not in work.receipt["answers"]
    ExerciseWidget(board).handle_message({"kind": "grade_current_answer"})
    work["played"].table.play("take")
    assert work.receipt["answers"].keys() == {"picked", "values", "played"}
    assert work.receipt["answers"]["values"] == {"answer": {"0": "1/2"}, "attempts": 1}
    assert work.receipt["answers"]["played"] == {"answer": ["take"], "attempts": 1}


def test_changes_on_a_board_are_kept_only_after_keep():
    """The page says so, and the receipt has the kept answer."""
    work = open_homework()
    work.answer("values", {"0": "1"})
    work["values"].handle_answer({"node": 0, "text": "2"})
    assert work["values"].view_model()["feedback"] == [english_text("screen.keep.changed")]
    assert work.receipt["answers"]["values"]["answer"] == {"0": "1"}
    work["values"].handle_answer({"node": 0, "text": "1"})
    assert work["values"].view_model()["feedback"][0] == english_text("class.kept")


def test_an_empty_board_is_not_kept():
    """A message says so, and the question stays open."""
    for name in ("values", "fill", "path", "draw"):
        work = drawing_homework() if name == "draw" else open_homework()
        with pytest.raises(DurakError, match=english("class.kept.nothing")):
            work[name].grade_current_answer()
        assert work.receipt["answers"] == {}
        assert name in {work.assignment.questions[number - 1].name for number in work.unanswered_questions}


def test_an_empty_answer_is_announced_as_an_answer():
    """Test no card, no joined nodes, no elimination and no marks."""
    work = open_homework()
    assert work.answer("picked", []).sentences[0] == english_text("class.kept.none")
    for name in ("sets", "strike", "best"):
        assert work.answer(name, []).sentences[1] == english_text("class.kept.blank")


def test_a_kept_answer_lists_its_missing_parts():
    """Empty fields, texts that are no numbers, and moves without an end are visible without the key."""
    work = open_homework()
    nodes = [*work["values"].to_message()["nodes"]]
    assert work.answer("values", {nodes[0]: "77"}).sentences[1:-1] == (english_text("class.kept.empty", count=len(nodes) - 1),)
    assert work.answer("values", dict.fromkeys(nodes, "77")).sentences[1:-1] == ()
    assert work.answer("values", dict.fromkeys(nodes, "abc")).sentences[1:-1] == (english_text("class.kept.unread", count=len(nodes)),)
    fields = len(ASSIGNMENT.create_exercise("fill", "Ann").solution)
    assert work.answer("fill", ["1", "x"]).sentences[1] == english_text("class.kept.empty", count=fields - 2)
    assert work.answer("path", {0: work["path"].tree.last_action(1)}).sentences[1] == english_text("class.kept.way")
    drawing = drawing_homework()
    assert drawing.answer("draw", [["attack 9c"]]).sentences[1] == english_text("class.kept.undrawn", count=1)
    assert len(drawing.answer("draw", drawing.assignment.create_exercise(1, "Ann").solution).sentences) == 2


def drawing_homework(folder=None):
    """Return homework of one question: drawing an ending."""
    game = Game.from_position("econ431", hands=["9c Kd", "Tc"], trump="h")
    return homework(
        Assignment("drawing", "Drawing", [Question("draw", 4, "Draw", lambda _: OnTree.draw(game), "tree")]), student="Ann", folder=folder
    )


def test_a_reopened_drawing_looks_as_before(tmp_path):
    """All branches and the next possible ones are there. Strategies do the same."""
    first = drawing_homework(tmp_path)
    _ = first[1].view
    for node in (0, 0, 1):
        first[1].handle_answer(
            {"node": node, "action": first[1].tree.child_count[node] - 1 - (node + len(first[1].to_message()["drawn_nodes"])) % 2}
        )
    first[1].grade_current_answer()
    again = drawing_homework(tmp_path)
    assert again[1].to_message()["drawn_nodes"] == first[1].to_message()["drawn_nodes"]
    assert again[1].view.drawing["nodes"]["id"] == first[1].view.drawing["nodes"]["id"]


def test_a_changed_strategy_is_not_reported_as_kept():
    """It is set on the tree itself. The overview names it too."""
    work = open_homework()
    quiz = work["strategy"]
    _ = quiz.view
    quiz.grade_current_answer()
    assert quiz.view_model()["state"] == "saved"
    strategy = quiz.view.strategy
    quiz.view.strategy = gametheory.Strategy.from_choices(quiz.tree, [0] * len(quiz.tree.infosets))
    assert (quiz.view_model()["state"], quiz.view_model()["feedback"]) == ("", [english_text("screen.keep.changed")])
    assert english_text("class.loose", questions="12") in work.view_model()["feedback"]
    quiz.view.strategy = strategy
    assert quiz.view_model()["state"] == "saved"


def test_a_reopened_position_shows_its_game(tmp_path):
    """It is at its end. It can be played again, and the old answer stays until then."""
    first = open_homework(tmp_path)
    first.answer("played", "take")
    again = open_homework(tmp_path)
    table = again["played"].table
    assert [*map(str, table.game.history)] == [*map(str, first["played"].table.game.history)] != []
    assert again["played"].view_model()["feedback"][0] == english_text("class.kept")
    again["played"].restart()
    assert (again["played"].last_answer, again["played"].has_unsaved_changes, len(table.game.history)) == (["take"], False, 0)
    again.answer("played", ASSIGNMENT.create_exercise("played", "Ann").solution)
    assert again.receipt["answers"]["played"] == {"answer": ASSIGNMENT.create_exercise("played", "Ann").solution, "attempts": 2}


def test_the_overview_names_unfinished_answers(tmp_path):
    """It does when opened, and when handing in."""
    work = open_homework(tmp_path)
    work["values"].handle_answer({"node": 0, "text": "2"})
    number = work.assignment.find_question_index("values") + 1
    assert english_text("class.loose", questions=str(number)) in work.view_model()["feedback"]
    assert english_text("class.loose", questions=str(number)) in unescape(work.build_receipt_output()["text/html"])
    work["values"].grade_current_answer()
    assert not english("class.loose").search(" ".join(work.view_model()["feedback"]))


def test_answers_under_another_name_or_edition_are_mentioned(tmp_path):
    """Only if this student has none. Nobody's answers are opened for that."""
    open_homework(tmp_path).answer("few", "1")
    other = open_homework(tmp_path, student="Anne")
    assert "all-kinds-ann.receipt.json" in " ".join(other.view_model()["feedback"])
    other.answer("few", "1")
    assert "all-kinds-ann.receipt.json" not in " ".join(other.view_model()["feedback"])
    assert "all-kinds-ann.receipt.json" in " ".join(open_homework(tmp_path, edition="2027").view_model()["feedback"])


def test_handing_in_nothing_is_refused():
    """A saved overview gives its time."""
    work = open_homework()
    page = unescape(work.build_receipt_output()["text/html"])
    assert english("class.handed.none").search(page)
    assert not english("class.handed").search(page)
    assert english("class.stood").search(work.static_mimebundle()["text/plain"])
    assert english("class.picture").search(unescape(work["values"].static_mimebundle()["text/html"]))


def test_questions_are_found_by_name_or_number_and_made_once():
    """The same exercise is returned, with its number."""
    work = open_homework()
    assert work[3] is work["chosen"]
    assert work["chosen"].view_model()["number"] == "3"
    with pytest.raises(DurakError, match=f"has no question {len(ASSIGNMENT.questions) + 1}"):
        _ = work[len(ASSIGNMENT.questions) + 1]


def test_unreadable_answers_are_refused_and_count_as_no_try():
    """The earlier answer stays."""
    work = open_homework()
    work.answer("few", "12")
    for name, none in (
        ("few", "a dozen"),
        ("picked", "6c 6c"),
        ("chosen", "fourth"),
        ("values", {"99": "1"}),
        ("strategy", {"0": {"heads": 2}}),
        ("row", "9c"),
    ):
        with pytest.raises(DurakError):
            work.answer(name, none)
    assert work.receipt["answers"] == {"few": {"answer": "12", "attempts": 1}}


def test_homework_is_not_recorded_as_progress(tmp_path, monkeypatch):
    """A kept answer solves nothing, even if the exercise has a name."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path))

    def named_too(kind):
        def make(lots):
            task = KINDS[kind][0](lots)
            task.name = f"14/{kind}"
            return task

        return make

    kinds = ("few", "path", "strategy")
    named = Assignment("named", "Named", [Question(kind, 1, kind, named_too(kind), KINDS[kind][1]) for kind in kinds])
    work = homework(named, student="Ann", folder=None)
    for name in kinds:
        task = named.create_exercise(name, "Ann")
        work[name]._on_first_display()
        work.answer(name, task.solution)
        assert f"14/{name}" not in Progress().tried_exercises
        task._on_first_display()
        task.answer(task.solution)
        assert f"14/{name}" in Progress().solved_exercises


def test_program_text_is_kept_and_not_run(tmp_path):
    """Questions without programs refuse it."""
    code = {"code": "raise SystemExit('run')"}
    work = open_homework(tmp_path)
    verdict = work.answer("strategy", code)
    assert verdict.sentences[0] == english_text("class.kept")
    again = open_homework(tmp_path)
    assert again["strategy"].view_model()["state"] == "saved"
    assert again.receipt["answers"]["strategy"] == {"answer": code, "attempts": 1}
    with pytest.raises(DurakError):
        work.answer("values", code)


def test_a_strategy_function_is_kept_as_its_choices():
    """No program runs when it is marked."""
    work = open_homework()
    work.answer("strategy", lambda _: {"heads": "1/4", "tails": "3/4"})
    assert work.receipt["answers"]["strategy"]["answer"] == {"0": {"heads": "1/4", "tails": "3/4"}}


def test_invalid_names_are_refused_in_every_language():
    """The message says what to do, and comes first."""
    for code, sentence in (
        ("en", english_text("class.no_name", example='student="Ann Lee"')),
        ("ru", "Впишите своё имя"),
        ("lt", "įrašykite savo vardą"),
    ):
        user_defaults.defaults(language=code)
        with pytest.raises(DurakError, match='student="Ann Lee"') as refused:
            homework("no-such-assignment", student="…")
        [line] = refused.value._render_traceback_()
        assert sentence in line
    user_defaults.defaults(None)
    with pytest.raises(DurakError, match="there is no assignment"):
        homework("no-such-assignment", student="Ann")


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_the_overview_lists_open_questions_and_how_to_hand_in(tmp_path, code):
    """It is complete in every language, live and static."""
    work = open_homework(tmp_path, language=code)
    work.answer(4, "12")
    sheet, static = work.view_model(), work.static_mimebundle()
    text = " ".join(sheet["feedback"])
    assert ", ".join(str(number) for number in range(1, len(ASSIGNMENT.questions) + 1) if number != 4) in text
    assert "homework.hand_in()" in text
    assert work.receipt_path.name in text
    assert sheet["picture"].count("✓") == 1
    assert static["text/plain"].startswith(sheet["question"])
    assert all(line in static["text/plain"] for line in sheet["feedback"])
    with use_card_letters("international"):  # The answers are codes, in which T is the ten.
        for name in KINDS:
            work.answer(name, wrong(ASSIGNMENT.create_exercise(name, "Ann"), name))
    assert work.unanswered_questions == ()
    assert not any("{" in line for line in work.view_model()["feedback"])
    assert work["few"].language == code


def test_the_overview_is_updated_after_each_answer():
    """Changing the language updates it and every question."""
    work = open_homework()
    work._page = page = ExerciseWidget(work)
    work.answer("few", "12")
    assert page.exercise_view["picture"].count("✓") == 1
    work.language = "lt"
    assert page.language == "lt"
    assert work["few"].language == "lt"
    page.handle_message({"kind": "reload"})


def test_the_receipt_is_handed_in_as_data_and_text(monkeypatch):
    """The cell output is stored in the notebook. Elsewhere it is printed."""
    work = open_homework()
    work.answer("few", "12")
    found = work.build_receipt_output()
    assert found[MIME_TYPE] == json.loads(found["text/plain"]) == work.receipt
    assert receipt_from_dict(found[MIME_TYPE]).student == "Ann"
    assert english_text("class.done", done="1", all=str(len(ASSIGNMENT.questions))) in found["text/html"]
    assert "durak-picture" not in found["text/html"]  # it is hidden beside a live widget
    outputs = []
    monkeypatch.setattr("IPython.get_ipython", object)
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw: outputs.append((bundle, raw)))
    work.hand_in()
    assert outputs == [(found, True)]


def test_a_receipt_can_be_shown_without_a_notebook(capsys):
    """It is text that can be copied."""
    code = (
        "import sys; sys.path += ['tests']\n"
        "from support.classroom_kinds import ASSIGNMENT; from durak_widget.lessons import homework\n"
        "one = homework(ASSIGNMENT, student='Ann', folder=None); one.answer('few', '1'); one.hand_in()"
    )
    run = subprocess.run([sys.executable, "-X", "utf8", "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(run.stdout)["answers"] == {"few": {"answer": "1", "attempts": 1}}


def test_names_are_escaped():
    """Test the overview and the receipt output."""
    work = open_homework(student="<b>Ann</b> & Co")
    assert "<b>Ann</b>" not in work.static_mimebundle()["text/html"].replace("&lt;b&gt;", "")
    assert "&lt;b&gt;Ann&lt;/b&gt; &amp; Co" in work.static_mimebundle()["text/html"]
    assert "&lt;b&gt;Ann" in work.build_receipt_output()["text/html"]
    assert work.receipt["student"] == "<b>Ann</b> & Co"


def test_an_answer_that_can_no_longer_be_read_is_named(tmp_path):
    """The question may have changed. Other answers work."""
    work = open_homework(tmp_path)
    work.answer("few", "12")
    work.answer("chosen", "first")
    text = work.receipt_path.read_text(encoding="utf-8").replace('"first"', '"fifth"')
    work.receipt_path.write_text(text, encoding="utf-8")
    again = open_homework(tmp_path)
    assert again["chosen"].last_answer is None
    assert english("class.lost", number="3").search(" ".join(again.view_model()["feedback"]))
    assert again["few"].last_answer == "12"
    again.answer("chosen", "second")
    assert parse_receipt(again.receipt_path.read_bytes()).answers["chosen"].answer == "second"


def test_another_edition_has_another_receipt(tmp_path):
    """Last year's answers are not this year's."""
    work, other = open_homework(tmp_path, edition="2027"), open_homework(tmp_path, edition="2028")
    work.answer("few", "1")
    other.answer("few", "2")
    assert {path.name for path in tmp_path.glob("*.json")} == {"all-kinds-2027-ann.receipt.json", "all-kinds-2028-ann.receipt.json"}
    assert homework(ASSIGNMENT.with_edition("2027"), student="Ann", folder=tmp_path)["few"].last_answer == "1"


def test_an_error_of_an_author_is_shown_when_the_question_is_opened():
    """Other questions work."""
    questions = [Question("bad", 1, "Bad", lambda lots: lots), Question("good", 1, "Good", lambda lots: Number("?", lots.randint(1, 9)))]
    work = homework(Assignment("mixed", "Mixed", questions), student="Ann", folder=None)
    with pytest.raises(DurakError, match="'bad' made"):
        _ = work[1]
    assert work.answer(2, "3").sentences[0] == english_text("class.kept")
    assert lessons.homework is homework


def test_every_question_says_where_to_type_the_name():
    """The cell with the name may be far away, and the question has no quotation marks."""
    for code in sorted(LANGUAGES):
        question = homework(ASSIGNMENT, student="", language=code)[3]
        assert question.view_model()["feedback"] == [Translator(code).translate("class.no_name.where")]
        assert question.view_model()["feedback"][0] in question.static_mimebundle()["text/html"]
