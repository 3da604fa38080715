"""Homework: a student's questions, kept in the notebook and beside it, and handed in."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from durak_widget import Game, gametheory, lessons
from durak_widget.errors import DurakError
from durak_widget.exercises.exercise_widget import ExercisePage
from durak_widget.grading.answer_grading import credit
from durak_widget.homework.assignment import Assignment, Question
from durak_widget.homework.receipt import MIME, receipt_from, receipt_of
from durak_widget.i18n import LANGUAGES, Voice
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
            task = ASSIGNMENT.task(name, "Ann")
            given = task.solution if right else wrong(task, name)
            before = work(tmp_path)
            before.answer(name, given)
            again = work(tmp_path)
            assert again.receipt["answers"][name]["tries"] == 1 + right
            assert again[name].given == receipt_from(again.file.read_bytes()).answers[name].given
            assert (again[name].sheet()["state"], again[name].sheet()["said"]) == (
                before[name].sheet()["state"],
                before[name].sheet()["said"],
            )
            assert again[name].tries == 1
            fresh = ASSIGNMENT.task(name, "Ann")
            assert fresh.answer(again.receipt["answers"][name]["given"]).right is right
            assert (credit(fresh) == 1) is right


def test_what_the_page_is_told_is_kept_is_in_the_file(tmp_path, monkeypatch):
    """Whoever reads it and closes the page at once has lost nothing."""
    one, told = work(tmp_path), []
    task = one["picked"]
    page = ExercisePage(task)
    monkeypatch.setattr(task, "_changed", lambda: told.append((task.sheet()["state"], one.file.exists())))
    page.hear({"kind": "answer", "given": list(task.paper.items)[:1]})
    assert told[-1] == ("kept", True)
    assert ("kept", False) not in told


def test_what_is_done_by_clicks_is_kept_as_what_is_answered(tmp_path):
    """A message of the page, a deed on a board, a move at a table."""
    one = work(tmp_path)
    ExercisePage(one["picked"]).hear({"kind": "answer", "given": list(one["picked"].paper.items)[:1]})
    board = one["values"]
    board.give({"node": 0, "text": "1/2"})
    assert "values" not in one.receipt["answers"]
    ExercisePage(board).hear({"kind": "judge"})
    one["played"].table.play("take")
    assert one.receipt["answers"].keys() == {"picked", "values", "played"}
    assert one.receipt["answers"]["values"] == {"given": {"0": "1/2"}, "tries": 1}
    assert one.receipt["answers"]["played"] == {"given": ["take"], "tries": 1}


def test_what_is_changed_on_a_board_is_kept_only_when_it_is_kept():
    """The page says so, and the receipt holds what was kept."""
    one = work()
    one.answer("values", {"0": "1"})
    one["values"].give({"node": 0, "text": "2"})
    assert one["values"].sheet()["said"] == ["Changed since, and not kept yet."]
    assert one.receipt["answers"]["values"]["given"] == {"0": "1"}
    one["values"].give({"node": 0, "text": "1"})
    assert one["values"].sheet()["said"][0] == "Your answer is kept."


def test_what_is_not_begun_is_not_kept():
    """On a board on which nothing stands; a sentence says so, and the question stays open."""
    for name in ("values", "fill", "path", "draw"):
        one = drawing() if name == "draw" else work()
        with pytest.raises(DurakError, match="nothing to keep yet"):
            one[name].judge()
        assert one.receipt["answers"] == {}
        assert name in {one.assignment.questions[number - 1].name for number in one.left}


def test_where_to_do_nothing_is_an_answer_it_is_said_to_be_one():
    """No card, no place joined, no plan struck out, no payoff marked."""
    one = work()
    assert one.answer("picked", []).said[0] == "Your answer is kept: no card."
    for name in ("sets", "strike", "best"):
        assert one.answer(name, []).said[1] == "Nothing is done on the board: that, too, is an answer."


def test_what_is_left_to_do_is_said_of_what_is_kept():
    """Empty fields, what is no number, moves that lead to no end: each is seen by anybody, and tells nothing of what is right."""
    one = work()
    nodes = [*one["values"].shown()["nodes"]]
    assert one.answer("values", {nodes[0]: "77"}).said[1:-1] == (f"Fields that are still empty: {len(nodes) - 1}.",)
    assert one.answer("values", dict.fromkeys(nodes, "77")).said[1:-1] == ()
    assert one.answer("values", dict.fromkeys(nodes, "abc")).said[1:-1] == (f"Fields that hold no number: {len(nodes)}.",)
    assert "still empty" in one.answer("fill", ["1", "x"]).said[1]
    assert one.answer("path", {0: one["path"].tree.move_to(1)}).said[1] == "The moves do not lead to an end yet."
    drawn = drawing()
    assert drawn.answer("draw", [["attack 9c"]]).said[1] == "Places at which the game goes on and no move is drawn yet: 1."
    assert len(drawn.answer("draw", drawn.assignment.task(1, "Ann").solution).said) == 2


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
        first[1].give({"node": node, "move": first[1].tree.count[node] - 1 - (node + len(first[1].shown()["drawn"])) % 2})
    first[1].judge()
    again = drawing(tmp_path)
    assert again[1].shown()["drawn"] == first[1].shown()["drawn"]
    assert again[1].view.drawing["nodes"]["id"] == first[1].view.drawing["nodes"]["id"]


def test_a_strategy_that_was_changed_is_not_said_to_be_kept():
    """It is set on the tree itself; the overview names it too."""
    one = work()
    quiz = one["strategy"]
    _ = quiz.view
    quiz.judge()
    assert quiz.sheet()["state"] == "kept"
    kept = quiz.view.strategy
    quiz.view.strategy = gametheory.Strategy.choosing(quiz.tree, [0] * len(quiz.tree.sets))
    assert (quiz.sheet()["state"], quiz.sheet()["said"]) == ("", ["Changed since, and not kept yet."])
    assert "Begun, and not kept: 12." in one.sheet()["said"]
    quiz.view.strategy = kept
    assert quiz.sheet()["state"] == "kept"


def test_a_position_that_is_opened_again_shows_what_was_played(tmp_path):
    """At its end; it can be played anew, and till that is over the old answer stays."""
    first = work(tmp_path)
    first.answer("played", "take")
    again = work(tmp_path)
    table = again["played"].table
    assert [*map(str, table.game.course)] == [*map(str, first["played"].table.game.course)] != []
    assert again["played"].sheet()["said"][0] == "Your answer is kept."
    again["played"].again()
    assert (again["played"].given, again["played"].loose, len(table.game.course)) == (["take"], False, 0)
    again.answer("played", ASSIGNMENT.task("played", "Ann").solution)
    assert again.receipt["answers"]["played"] == {"given": ASSIGNMENT.task("played", "Ann").solution, "tries": 2}


def test_the_overview_names_what_was_begun_and_not_kept(tmp_path):
    """When somebody comes to look at it, and when it is handed in."""
    one = work(tmp_path)
    one["values"].give({"node": 0, "text": "2"})
    number = one.assignment.place("values") + 1
    assert f"Begun, and not kept: {number}." in one.sheet()["said"]
    assert f"Begun, and not kept: {number}." in one.handed_in()["text/html"]
    one["values"].judge()
    assert "Begun" not in " ".join(one.sheet()["said"])


def test_answers_under_another_name_or_edition_are_named(tmp_path):
    """Where none of this student's lie there: a name was typed otherwise, or the edition forgotten; nobody's answers are opened for that."""
    work(tmp_path).answer("few", "1")
    other = work(tmp_path, student="Anne")
    assert "all-kinds-ann.receipt.json" in " ".join(other.sheet()["said"])
    other.answer("few", "1")
    assert "all-kinds-ann.receipt.json" not in " ".join(other.sheet()["said"])
    assert "all-kinds-ann.receipt.json" in " ".join(work(tmp_path, edition="2027").sheet()["said"])


def test_nothing_is_handed_in_before_something_is_kept():
    """It says so; and a saved overview says of when it is."""
    one = work()
    assert "nothing to hand in" in one.handed_in()["text/html"]
    assert "Save the notebook now" not in one.handed_in()["text/html"]
    assert "So it stood when this cell was run." in one.static()["text/plain"]
    assert "run the cell with your name" in one["values"].static()["text/html"]


def test_questions_are_found_by_name_or_number_and_are_one_each():
    """The same exercise each time, bearing its number."""
    one = work()
    assert one[3] is one["chosen"]
    assert one["chosen"].sheet()["number"] == "3"
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
    assert one.receipt["answers"] == {"few": {"given": "12", "tries": 1}}


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
        task = named.task(name, "Ann")
        one[name]._first_displayed()
        one.answer(name, task.solution)
        assert f"14/{name}" not in Progress().tried
        task._first_displayed()
        task.answer(task.solution)
        assert f"14/{name}" in Progress().solved


def test_the_text_of_a_program_is_kept_and_not_run(tmp_path):
    """Where one is taken; elsewhere it is no answer."""
    code = {"code": "raise SystemExit('run')"}
    one = work(tmp_path)
    verdict = one.answer("strategy", code)
    assert verdict.said[0] == "Your answer is kept."
    again = work(tmp_path)
    assert again["strategy"].sheet()["state"] == "kept"
    assert again.receipt["answers"]["strategy"] == {"given": code, "tries": 1}
    with pytest.raises(DurakError):
        one.answer("values", code)


def test_a_strategy_may_be_a_function_which_is_kept_as_what_it_chooses():
    """So that no program is run when it is marked."""
    one = work()
    one.answer("strategy", lambda _: {"heads": "1/4", "tails": "3/4"})
    assert one.receipt["answers"]["strategy"]["given"] == {"0": {"heads": "1/4", "tails": "3/4"}}


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
    sheet, static = one.sheet(), one.static()
    said = " ".join(sheet["said"])
    assert ", ".join(str(number) for number in range(1, len(ASSIGNMENT.questions) + 1) if number != 4) in said
    assert "homework.hand_in()" in said
    assert one.file.name in said
    assert sheet["picture"].count("✓") == 1
    assert static["text/plain"].startswith(sheet["question"])
    assert all(line in static["text/plain"] for line in sheet["said"])
    for name in KINDS:
        one.answer(name, wrong(ASSIGNMENT.task(name, "Ann"), name))
    assert one.left == ()
    assert not any("{" in line for line in one.sheet()["said"])
    assert one["few"].language == code


def test_the_overview_is_painted_anew_with_each_answer():
    """And in another language when that is set, with every question."""
    one = work()
    one._page = page = ExercisePage(one)
    one.answer("few", "12")
    assert page.sheet["picture"].count("✓") == 1
    one.language = "lt"
    assert page.language == "lt"
    assert one["few"].language == "lt"
    page.hear({"kind": "look"})


def test_what_is_handed_in_is_the_receipt_as_data_and_as_text(monkeypatch):
    """As an output of the cell, which stands in the notebook; without a notebook it is printed."""
    one = work()
    one.answer("few", "12")
    found = one.handed_in()
    assert found[MIME] == json.loads(found["text/plain"]) == one.receipt
    assert receipt_of(found[MIME]).student == "Ann"
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
    assert json.loads(run.stdout)["answers"] == {"few": {"given": "1", "tries": 1}}


def test_names_are_shown_as_written_and_never_as_markup():
    """In the overview and in what is handed in."""
    one = work(student="<b>Ann</b> & Co")
    assert "<b>Ann</b>" not in one.static()["text/html"].replace("&lt;b&gt;", "")
    assert "&lt;b&gt;Ann&lt;/b&gt; &amp; Co" in one.static()["text/html"]
    assert "&lt;b&gt;Ann" in one.handed_in()["text/html"]
    assert one.receipt["student"] == "<b>Ann</b> & Co"


def test_an_answer_that_can_no_longer_be_read_is_named(tmp_path):
    """As of a question that has changed since: the rest goes on."""
    one = work(tmp_path)
    one.answer("few", "12")
    one.answer("chosen", "first")
    text = one.file.read_text(encoding="utf-8").replace('"first"', '"fifth"')
    one.file.write_text(text, encoding="utf-8")
    again = work(tmp_path)
    assert again["chosen"].given is None
    assert "question 3 cannot be read" in " ".join(again.sheet()["said"])
    assert again["few"].given == "12"
    again.answer("chosen", "second")
    assert receipt_from(again.file.read_bytes()).answers["chosen"].given == "second"


def test_another_edition_is_another_receipt(tmp_path):
    """Last year's answers are not this year's."""
    one, other = work(tmp_path, edition="2027"), work(tmp_path, edition="2028")
    one.answer("few", "1")
    other.answer("few", "2")
    assert {path.name for path in tmp_path.glob("*.json")} == {"all-kinds-2027-ann.receipt.json", "all-kinds-2028-ann.receipt.json"}
    assert homework(ASSIGNMENT.of("2027"), student="Ann", folder=tmp_path)["few"].given == "1"


def test_a_mistake_of_an_authors_is_told_when_the_question_is_opened():
    """And the other questions are there."""
    questions = [Question("bad", 1, "Bad", lambda lots: lots), Question("good", 1, "Good", lambda lots: Number("?", lots.randint(1, 9)))]
    one = homework(Assignment("mixed", "Mixed", questions), student="Ann", folder=None)
    with pytest.raises(DurakError, match="'bad' made"):
        _ = one[1]
    assert one.answer(2, "3").said[0] == "Your answer is kept."
    assert lessons.homework is homework


def test_every_question_says_where_a_name_is_typed():
    """A question stands far from the cell with the name, and has no quotation marks itself."""
    for code in sorted(LANGUAGES):
        question = homework(ASSIGNMENT, student="", language=code)[3]
        assert question.sheet()["said"] == [Voice(code).say("class.no_name.where")]
        assert question.sheet()["said"][0] in question.static()["text/html"]
