"""Homework: a student's questions, kept in the notebook and beside it, and handed in."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from durak_widget import Game, gametheory, lessons
from durak_widget.errors import DurakError
from durak_widget.exercises.exercise_widget import ExerciseWidget
from durak_widget.grading.answer_grading import compute_credit
from durak_widget.homework.assignment import Assignment, Question
from durak_widget.homework.receipt import MIME_TYPE, parse_receipt, receipt_from_dict
from durak_widget.i18n import LANGUAGES, Translator
from durak_widget.lessons import Number, OnTree, Progress, homework
from durak_widget.widgets import user_defaults
from support.classroom_kinds import ASSIGNMENT, KINDS, wrong


def work(folder=None, student="Ann", **more):
    """Somebody's homework."""
    return homework(ASSIGNMENT, student=student, folder=folder, **more)


def test_every_kind_is_kept_and_there_again_when_the_notebook_is_opened_again(tmp_path):
    """Done by code as by clicks; the file alone brings it back with what was said of it, and what it holds judges as it would have."""
    for name in KINDS:
        for right in (False, True):
            task = ASSIGNMENT.create_exercise(name, "Ann")
            given = task.solution if right else wrong(task, name)
            before = work(tmp_path)
            before.answer(name, given)
            again = work(tmp_path)
            assert again.receipt["answers"][name]["attempts"] == 1 + right
            assert again[name].last_answer == parse_receipt(again.receipt_path.read_bytes()).answers[name].answer
            assert (again[name].view_model()["state"], again[name].view_model()["said"]) == (
                before[name].view_model()["state"],
                before[name].view_model()["said"],
            )
            assert again[name].attempt_count == 1
            fresh = ASSIGNMENT.create_exercise(name, "Ann")
            assert fresh.answer(again.receipt["answers"][name]["answer"]).right is right
            assert (compute_credit(fresh) == 1) is right


def test_what_the_page_is_told_is_kept_is_in_the_file(tmp_path, monkeypatch):
    """Whoever reads it and closes the page at once has lost nothing."""
    one, told = work(tmp_path), []
    task = one["picked"]
    page = ExerciseWidget(task)
    monkeypatch.setattr(task, "_refresh", lambda: told.append((task.view_model()["state"], one.receipt_path.exists())))
    page.handle_message({"kind": "answer", "given": list(task.snapshot.items)[:1]})
    assert told[-1] == ("kept", True)
    assert ("kept", False) not in told


def test_what_is_done_by_clicks_is_kept_as_what_is_answered(tmp_path):
    """A message of the page, a deed on a board, a move at a table."""
    one = work(tmp_path)
    ExerciseWidget(one["picked"]).handle_message({"kind": "answer", "given": list(one["picked"].snapshot.items)[:1]})
    board = one["values"]
    board.handle_answer({"node": 0, "text": "1/2"})
    assert "values" not in one.receipt["answers"]
    ExerciseWidget(board).handle_message({"kind": "judge"})
    one["played"].table.play("take")
    assert one.receipt["answers"].keys() == {"picked", "values", "played"}
    assert one.receipt["answers"]["values"] == {"answer": {"0": "1/2"}, "attempts": 1}
    assert one.receipt["answers"]["played"] == {"answer": ["take"], "attempts": 1}


def test_what_is_changed_on_a_board_is_kept_only_when_it_is_kept():
    """The page says so, and the receipt holds what was kept."""
    one = work()
    one.answer("values", {"0": "1"})
    one["values"].handle_answer({"node": 0, "text": "2"})
    assert one["values"].view_model()["said"] == ["Changed since, and not kept yet."]
    assert one.receipt["answers"]["values"]["answer"] == {"0": "1"}
    one["values"].handle_answer({"node": 0, "text": "1"})
    assert one["values"].view_model()["said"][0] == "Your answer is kept."


def test_what_is_not_begun_is_not_kept():
    """On a board on which nothing stands; a sentence says so, and the question stays open."""
    for name in ("values", "fill", "path", "draw"):
        one = drawing() if name == "draw" else work()
        with pytest.raises(DurakError, match="nothing to keep yet"):
            one[name].grade_current_answer()
        assert one.receipt["answers"] == {}
        assert name in {one.assignment.questions[number - 1].name for number in one.unanswered_questions}


def test_where_to_do_nothing_is_an_answer_it_is_said_to_be_one():
    """No card, no place joined, no plan struck out, no payoff marked."""
    one = work()
    assert one.answer("picked", []).sentences[0] == "Your answer is kept: no card."
    for name in ("sets", "strike", "best"):
        assert one.answer(name, []).sentences[1] == "Nothing is done on the board: that, too, is an answer."


def test_what_is_left_to_do_is_said_of_what_is_kept():
    """Empty fields, what is no number, moves that lead to no end: each is seen by anybody, and tells nothing of what is right."""
    one = work()
    nodes = [*one["values"].to_message()["nodes"]]
    assert one.answer("values", {nodes[0]: "77"}).sentences[1:-1] == (f"Fields that are still empty: {len(nodes) - 1}.",)
    assert one.answer("values", dict.fromkeys(nodes, "77")).sentences[1:-1] == ()
    assert one.answer("values", dict.fromkeys(nodes, "abc")).sentences[1:-1] == (f"Fields that hold no number: {len(nodes)}.",)
    assert "still empty" in one.answer("fill", ["1", "x"]).sentences[1]
    assert one.answer("path", {0: one["path"].tree.last_action(1)}).sentences[1] == "The moves do not lead to an end yet."
    drawn = drawing()
    assert drawn.answer("draw", [["attack 9c"]]).sentences[1] == "Places at which the game goes on and no move is drawn yet: 1."
    assert len(drawn.answer("draw", drawn.assignment.create_exercise(1, "Ann").solution).sentences) == 2


def drawing(folder=None):
    """Homework of one question: an ending is drawn."""
    game = Game.from_position("econ431", hands=["9c Kd", "Tc"], trump="h")
    return homework(
        Assignment("drawing", "Drawing", [Question("draw", 4, "Draw", lambda _: OnTree.draw(game), "tree")]), student="Ann", folder=folder
    )


def test_a_drawing_that_is_opened_again_is_seen_as_it_was(tmp_path):
    """Every branch that was drawn is there, and what may be drawn next; so is a strategy that was set."""
    first = drawing(tmp_path)
    _ = first[1].view
    for node in (0, 0, 1):
        first[1].handle_answer(
            {"node": node, "move": first[1].tree.child_count[node] - 1 - (node + len(first[1].to_message()["drawn"])) % 2}
        )
    first[1].grade_current_answer()
    again = drawing(tmp_path)
    assert again[1].to_message()["drawn"] == first[1].to_message()["drawn"]
    assert again[1].view.drawing["nodes"]["id"] == first[1].view.drawing["nodes"]["id"]


def test_a_strategy_that_was_changed_is_not_said_to_be_kept():
    """It is set on the tree itself; the overview names it too."""
    one = work()
    quiz = one["strategy"]
    _ = quiz.view
    quiz.grade_current_answer()
    assert quiz.view_model()["state"] == "kept"
    kept = quiz.view.strategy
    quiz.view.strategy = gametheory.Strategy.from_choices(quiz.tree, [0] * len(quiz.tree.infosets))
    assert (quiz.view_model()["state"], quiz.view_model()["said"]) == ("", ["Changed since, and not kept yet."])
    assert "Begun, and not kept: 12." in one.view_model()["said"]
    quiz.view.strategy = kept
    assert quiz.view_model()["state"] == "kept"


def test_a_position_that_is_opened_again_shows_what_was_played(tmp_path):
    """At its end; it can be played anew, and till that is over the old answer stays."""
    first = work(tmp_path)
    first.answer("played", "take")
    again = work(tmp_path)
    table = again["played"].table
    assert [*map(str, table.game.history)] == [*map(str, first["played"].table.game.history)] != []
    assert again["played"].view_model()["said"][0] == "Your answer is kept."
    again["played"].restart()
    assert (again["played"].last_answer, again["played"].has_unsaved_changes, len(table.game.history)) == (["take"], False, 0)
    again.answer("played", ASSIGNMENT.create_exercise("played", "Ann").solution)
    assert again.receipt["answers"]["played"] == {"answer": ASSIGNMENT.create_exercise("played", "Ann").solution, "attempts": 2}


def test_the_overview_names_what_was_begun_and_not_kept(tmp_path):
    """When somebody comes to look at it, and when it is handed in."""
    one = work(tmp_path)
    one["values"].handle_answer({"node": 0, "text": "2"})
    number = one.assignment.find_question_index("values") + 1
    assert f"Begun, and not kept: {number}." in one.view_model()["said"]
    assert f"Begun, and not kept: {number}." in one.build_receipt_output()["text/html"]
    one["values"].grade_current_answer()
    assert "Begun" not in " ".join(one.view_model()["said"])


def test_answers_under_another_name_or_edition_are_named(tmp_path):
    """Where none of this student's lie there: a name was typed otherwise, or the edition forgotten; nobody's answers are opened for that."""
    work(tmp_path).answer("few", "1")
    other = work(tmp_path, student="Anne")
    assert "all-kinds-ann.receipt.json" in " ".join(other.view_model()["said"])
    other.answer("few", "1")
    assert "all-kinds-ann.receipt.json" not in " ".join(other.view_model()["said"])
    assert "all-kinds-ann.receipt.json" in " ".join(work(tmp_path, edition="2027").view_model()["said"])


def test_nothing_is_handed_in_before_something_is_kept():
    """It says so; and a saved overview says of when it is."""
    one = work()
    assert "nothing to hand in" in one.build_receipt_output()["text/html"]
    assert "Save the notebook now" not in one.build_receipt_output()["text/html"]
    assert "So it stood when this cell was run." in one.static_mimebundle()["text/plain"]
    assert "run the cell with your name" in one["values"].static_mimebundle()["text/html"]


def test_questions_are_found_by_name_or_number_and_are_one_each():
    """The same exercise each time, bearing its number."""
    one = work()
    assert one[3] is one["chosen"]
    assert one["chosen"].view_model()["number"] == "3"
    with pytest.raises(DurakError, match=f"has no question {len(ASSIGNMENT.questions) + 1}"):
        _ = one[len(ASSIGNMENT.questions) + 1]


def test_what_cannot_be_read_is_refused_and_no_try():
    """Nothing is kept of it, and what was kept stays."""
    one = work()
    one.answer("few", "12")
    for name, none in (
        ("few", "a dozen"),
        ("picked", "6c 6c"),
        ("chosen", "fourth"),
        ("values", {"99": "1"}),
        ("strategy", {"0": {"heads": 2}}),
        ("row", "9c"),
    ):
        with pytest.raises(DurakError):
            one.answer(name, none)
    assert one.receipt["answers"] == {"few": {"answer": "12", "attempts": 1}}


def test_nothing_is_recorded_as_progress(tmp_path, monkeypatch):
    """Homework is no lesson: whoever keeps an answer has solved nothing, also of an exercise that elsewhere is remembered by its name."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path))

    def named_too(kind):
        def make(lots):
            task = KINDS[kind][0](lots)
            task.name = f"14/{kind}"
            return task

        return make

    kinds = ("few", "path", "strategy")
    named = Assignment("named", "Named", [Question(kind, 1, kind, named_too(kind), KINDS[kind][1]) for kind in kinds])
    one = homework(named, student="Ann", folder=None)
    for name in kinds:
        task = named.create_exercise(name, "Ann")
        one[name]._on_first_display()
        one.answer(name, task.solution)
        assert f"14/{name}" not in Progress().tried_exercises
        task._on_first_display()
        task.answer(task.solution)
        assert f"14/{name}" in Progress().solved_exercises


def test_the_text_of_a_program_is_kept_and_not_run(tmp_path):
    """Where one is taken; elsewhere it is no answer."""
    code = {"code": "raise SystemExit('run')"}
    one = work(tmp_path)
    verdict = one.answer("strategy", code)
    assert verdict.sentences[0] == "Your answer is kept."
    again = work(tmp_path)
    assert again["strategy"].view_model()["state"] == "kept"
    assert again.receipt["answers"]["strategy"] == {"answer": code, "attempts": 1}
    with pytest.raises(DurakError):
        one.answer("values", code)


def test_a_strategy_may_be_a_function_which_is_kept_as_what_it_chooses():
    """So that no program is run when it is marked."""
    one = work()
    one.answer("strategy", lambda _: {"heads": "1/4", "tails": "3/4"})
    assert one.receipt["answers"]["strategy"]["answer"] == {"0": {"heads": "1/4", "tails": "3/4"}}


def test_what_is_no_name_is_refused_in_a_sentence_in_every_language():
    """It says what to do; nothing else is looked at before."""
    for code, said in (("en", "Type your name"), ("ru", "Впишите своё имя"), ("lt", "įrašykite savo vardą")):
        user_defaults.defaults(language=code)
        with pytest.raises(DurakError, match='as in student="Ann Lee"') as refused:
            homework("no-such-assignment", student="…")
        [line] = refused.value._render_traceback_()
        assert said in line
    user_defaults.defaults(None)
    with pytest.raises(DurakError, match="there is no assignment"):
        homework("no-such-assignment", student="Ann")


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_the_overview_says_what_is_left_and_how_to_hand_in(tmp_path, code):
    """In every language, live and static; when all is answered, that too."""
    one = work(tmp_path, language=code)
    one.answer(4, "12")
    sheet, static = one.view_model(), one.static_mimebundle()
    said = " ".join(sheet["said"])
    assert ", ".join(str(number) for number in range(1, len(ASSIGNMENT.questions) + 1) if number != 4) in said
    assert "homework.hand_in()" in said
    assert one.receipt_path.name in said
    assert sheet["picture"].count("✓") == 1
    assert static["text/plain"].startswith(sheet["question"])
    assert all(line in static["text/plain"] for line in sheet["said"])
    for name in KINDS:
        one.answer(name, wrong(ASSIGNMENT.create_exercise(name, "Ann"), name))
    assert one.unanswered_questions == ()
    assert not any("{" in line for line in one.view_model()["said"])
    assert one["few"].language == code


def test_the_overview_is_painted_anew_with_each_answer():
    """And in another language when that is set, with every question."""
    one = work()
    one._page = page = ExerciseWidget(one)
    one.answer("few", "12")
    assert page.sheet["picture"].count("✓") == 1
    one.language = "lt"
    assert page.language == "lt"
    assert one["few"].language == "lt"
    page.handle_message({"kind": "look"})


def test_what_is_handed_in_is_the_receipt_as_data_and_as_text(monkeypatch):
    """As an output of the cell, which stands in the notebook; without a notebook it is printed."""
    one = work()
    one.answer("few", "12")
    found = one.build_receipt_output()
    assert found[MIME_TYPE] == json.loads(found["text/plain"]) == one.receipt
    assert receipt_from_dict(found[MIME_TYPE]).student == "Ann"
    assert f"1 of {len(ASSIGNMENT.questions)} questions are answered." in found["text/html"]
    assert "durak-picture" not in found["text/html"]  # which is hidden beside something live
    shown = []
    monkeypatch.setattr("IPython.get_ipython", object)
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw: shown.append((bundle, raw)))
    one.hand_in()
    assert shown == [(found, True)]


def test_a_receipt_can_be_shown_without_a_notebook(capsys):
    """As text, which can be copied."""
    code = (
        "import sys; sys.path += ['tests']\n"
        "from support.classroom_kinds import ASSIGNMENT; from durak_widget.lessons import homework\n"
        "one = homework(ASSIGNMENT, student='Ann', folder=None); one.answer('few', '1'); one.hand_in()"
    )
    run = subprocess.run([sys.executable, "-X", "utf8", "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(run.stdout)["answers"] == {"few": {"answer": "1", "attempts": 1}}


def test_names_are_shown_as_written_and_never_as_markup():
    """In the overview and in what is handed in."""
    one = work(student="<b>Ann</b> & Co")
    assert "<b>Ann</b>" not in one.static_mimebundle()["text/html"].replace("&lt;b&gt;", "")
    assert "&lt;b&gt;Ann&lt;/b&gt; &amp; Co" in one.static_mimebundle()["text/html"]
    assert "&lt;b&gt;Ann" in one.build_receipt_output()["text/html"]
    assert one.receipt["student"] == "<b>Ann</b> & Co"


def test_an_answer_that_can_no_longer_be_read_is_named(tmp_path):
    """As of a question that has changed since: the rest goes on."""
    one = work(tmp_path)
    one.answer("few", "12")
    one.answer("chosen", "first")
    text = one.receipt_path.read_text(encoding="utf-8").replace('"first"', '"fifth"')
    one.receipt_path.write_text(text, encoding="utf-8")
    again = work(tmp_path)
    assert again["chosen"].last_answer is None
    assert "question 3 cannot be read" in " ".join(again.view_model()["said"])
    assert again["few"].last_answer == "12"
    again.answer("chosen", "second")
    assert parse_receipt(again.receipt_path.read_bytes()).answers["chosen"].answer == "second"


def test_another_edition_is_another_receipt(tmp_path):
    """Last year's answers are not this year's."""
    one, other = work(tmp_path, edition="2027"), work(tmp_path, edition="2028")
    one.answer("few", "1")
    other.answer("few", "2")
    assert {path.name for path in tmp_path.glob("*.json")} == {"all-kinds-2027-ann.receipt.json", "all-kinds-2028-ann.receipt.json"}
    assert homework(ASSIGNMENT.with_edition("2027"), student="Ann", folder=tmp_path)["few"].last_answer == "1"


def test_a_mistake_of_an_authors_is_told_when_the_question_is_opened():
    """And the other questions are there."""
    questions = [Question("bad", 1, "Bad", lambda lots: lots), Question("good", 1, "Good", lambda lots: Number("?", lots.randint(1, 9)))]
    one = homework(Assignment("mixed", "Mixed", questions), student="Ann", folder=None)
    with pytest.raises(DurakError, match="'bad' made"):
        _ = one[1]
    assert one.answer(2, "3").sentences[0] == "Your answer is kept."
    assert lessons.homework is homework


def test_every_question_says_where_a_name_is_typed():
    """A question stands far from the cell with the name, and has no quotation marks itself."""
    for code in sorted(LANGUAGES):
        question = homework(ASSIGNMENT, student="", language=code)[3]
        assert question.view_model()["said"] == [Translator(code).translate("class.no_name.where")]
        assert question.view_model()["said"][0] in question.static_mimebundle()["text/html"]
