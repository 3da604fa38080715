"""Tests of a session's data: rows, points, charts and strategies."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

import pytest

from durak_widget import lessons
from durak_widget.errors import DurakError
from durak_widget.gametheory.best_responses import value
from durak_widget.live.class_session import ClassSession
from durak_widget.live.data_rows import COLUMNS, build_chart, build_rows, build_scores, build_strategy, format_rows
from durak_widget.live.event_log import EventLog
from durak_widget.live.exercise_question import ExerciseQuestion, make_exercise_spec
from durak_widget.live.game_question import GameQuestion, load_game, make_game_spec
from durak_widget.live.number_games import Guess
from durak_widget.live.question import find_question_class
from support.small_question import answer, ask, small_questions, work


@pytest.fixture(autouse=True, scope="module")
def _small_questions():
    with small_questions():
        yield


def _session():
    """Return a session with two students, a simulated one and a removed one, who all chose at two information sets."""
    session = ClassSession(EventLog(), now=0.0, code="BCDFGH")
    for name in ("Ann", "Bob", "Eve"):
        session.join(name, "en", 0.0)
    session.command({"do": "rehearse", "count": 1}, 0.0)
    ask(session, 10.0, places=["first", "second"], roles=2)
    for seat, choice in enumerate([1, 1, 2, 1]):
        answer(session, seat, choice, 12.5 + seat)
    answer(session, 0, 2, 20.25)
    session.command({"do": "remove", "seat": 2}, 21.0)
    session.command({"do": "stop"}, 22.0)
    work(session, 23.0)
    return session


def test_rows_say_who_chose_what_and_when():
    """There is one row for each choice, with the columns that are documented."""
    rows = build_rows(_session(), names=True)
    assert all(list(row) == list(COLUMNS) for row in rows)
    assert [(row["name"], row["infoset"], row["choice"], row["seconds"], row["role"]) for row in rows] == [
        ("Ann", "first", "option 2", 10.25, "role 0"),
        ("Ann", "second", "option 2", 10.25, "role 0"),
        ("Bob", "first", "option 1", 3.5, "role 1"),
        ("Bob", "second", "option 1", 3.5, "role 1"),
    ]


def test_names_and_simulated_students_are_there_only_on_request():
    """Without a request, the data has no names and no simulated students; removed students are never there."""
    rows = build_rows(_session())
    assert {row["seat"] for row in rows} == {0, 1}
    assert not any("name" in row or row["simulated"] for row in rows)
    assert {row["seat"] for row in build_rows(_session(), simulated=True)} == {0, 1, 3}


def test_points_count_once_for_each_answer():
    """The sum of the points in the rows is the sum of the points of the answers, however many information sets there are."""
    session = _session()
    rows = build_rows(session, simulated=True)
    assert [row["points"] for row in rows] == [0, None, 0.5, None, 0.5, None]
    assert [row["points_exact"] for row in rows] == ["0", None, "1/2", None, "1/2", None]


def _reveal(session, now):
    """Stop and reveal the current question."""
    if session.phase == "open":
        session.command({"do": "stop"}, now)
    work(session, now)
    session.command({"do": "reveal"}, now)


def _totals(session):
    """Return the totals on the panel by name, as numbers."""
    return {person["name"]: float(person["points"] or 0) for person in session.teacher_state()["people"]}


def _check_totals(session):
    """Check that the panel, the scores and the rows that count agree, and return the totals."""
    scores = build_scores(session, names=True, simulated=True)
    totals = {row["name"]: row["points"] for row in scores}
    assert totals == _totals(session)
    assert [row["points"] for row in scores] == sorted(totals.values(), reverse=True)
    sums = dict.fromkeys(totals, 0.0)
    for row in build_rows(session, names=True, simulated=True):
        sums[row["name"]] += row["points"] * row["counts"] if row["points"] is not None else 0
    assert sums == totals
    assert build_scores(session.log, names=True, simulated=True) == scores
    return totals


@pytest.mark.parametrize("is_first_revealed", [True, False])
def test_the_last_answer_counts(is_first_revealed):
    """Who does not answer again keeps the points of the first answer; who does has those of the last one, also if they are fewer."""
    session = ClassSession(EventLog(), now=0.0)
    for name in ("Ann", "Bob", "Eve"):
        session.join(name, "en", 0.0)
    ask(session, 1.0)
    for seat in range(3):
        answer(session, seat, 1, 2.0)
    if is_first_revealed:
        _reveal(session, 3.0)
        assert _check_totals(session) == {"Ann": 1, "Bob": 1, "Eve": 1}
    ask(session, 4.0, attempt=2)
    answer(session, 0, 1, 5.0)
    answer(session, 1, 2, 5.0)
    before = _totals(session)
    session.command({"do": "stop"}, 6.0)
    work(session, 6.0)
    assert _totals(session) == before, "nothing counts before it is revealed"
    _reveal(session, 7.0)
    assert _check_totals(session) == {"Ann": 0, "Bob": 0, "Eve": 1}
    rows = build_rows(session, names=True)
    assert [(row["attempt"], row["name"], row["counts"]) for row in rows] == [
        (1, "Ann", False),
        (1, "Bob", False),
        (1, "Eve", True),
        (2, "Ann", True),
        (2, "Bob", True),
    ]
    assert [row["answered"] for row in build_scores(session)] == [1, 1, 1]


def test_other_questions_between_two_attempts_change_nothing():
    """A question may be asked again at any time and in any way; it counts once."""
    session = ClassSession(EventLog(), now=0.0)
    for name in ("Ann", "Bob"):
        session.join(name, "en", 0.0)
    for now, spec in enumerate([{"options": 3, "again": True}, {"options": 4}, {"options": 3, "attempt": 2}, {"options": 3}]):
        ask(session, 10.0 * now, **spec)
        for seat in (0, 1):
            answer(session, seat, 1, 10.0 * now + 1)
        _reveal(session, 10.0 * now + 2)
    assert _check_totals(session) == {"Ann": 1, "Bob": 1}
    assert [row["answered"] for row in build_scores(session)] == [2, 2]


def test_each_round_counts():
    """The rounds of a game are different questions, but a game that is played again counts once."""
    session = ClassSession(EventLog(), now=0.0)
    for name in ("Ann", "Bob"):
        session.join(name, "en", 0.0)
    for now, numbers in enumerate([(30, 40), (50, 20), (10, 90), (70, 80)]):
        spec = {**(session.next_spec() or Guess(rounds=2).to_spec())}
        session.command({"do": "ask", "spec": spec, "prepared": find_question_class(spec).prepare(spec)}, 10.0 * now)
        for seat, number in enumerate(numbers):
            session.handle_message(seat, {"kind": "answer", "question": now + 1, "answer": {"number": str(number)}}, 10.0 * now + 1)
        _reveal(session, 10.0 * now + 2)
    assert [asked.round for asked in session.questions] == [1, 2, 1, 2]
    assert _check_totals(session) == {"Ann": 2, "Bob": 0}
    assert [row["answered"] for row in build_scores(session)] == [2, 2]


def test_a_result_that_comes_late_counts():
    """The worker may finish the first attempt after the second is revealed."""
    session = ClassSession(EventLog(), now=0.0)
    for name in ("Ann", "Bob"):
        session.join(name, "en", 0.0)
    ask(session, 1.0)
    for seat in (0, 1):
        answer(session, seat, 1, 2.0)
    ask(session, 3.0, attempt=2)
    late = [job for job in session.take_jobs() if job.kind == "score"]
    answer(session, 0, 2, 4.0)
    _reveal(session, 5.0)
    assert _check_totals(session) == {"Ann": 0, "Bob": 0}
    outcome = session.questions[0].question.score(late[0].answers, "en")
    session.finish_job("score", 1, outcome, 6.0)
    assert _check_totals(session) == {"Ann": 0, "Bob": 0.5}


def test_questions_that_are_not_revealed_do_not_count():
    """Their points are in the rows, but not in a total."""
    session = _session()
    assert not any(row["counts"] for row in build_rows(session))
    assert {row["points"] for row in build_scores(session)} == {0}
    session.command({"do": "reveal"}, 30.0)
    _check_totals(session)
    assert "name" not in build_scores(session)[0]
    assert {row["seat"] for row in build_scores(session)} == {0, 1}


@pytest.mark.parametrize("source", [lambda log: log, EventLog.to_text, lambda log: EventLog.from_text(log.to_text()).events])
def test_rows_come_from_a_log_too(source):
    """A log, its text and a list of events give the same rows as the session."""
    session = _session()
    assert build_rows(source(session.log)) == build_rows(session)


def test_rows_fit_a_spreadsheet():
    """A name that looks like a formula is harmless in a CSV file."""
    session = _session()
    session.command({"do": "rename", "seat": 0, "name": "=1+1"}, 30.0)
    table = _read_csv(format_rows(build_rows(session, names=True), names=True))
    assert table[0]["name"] == "'=1+1"


def _read_csv(text):
    """Return the rows of a CSV file."""
    return [*csv.DictReader(io.StringIO(text.lstrip("\ufeff")))]


@pytest.mark.parametrize(
    ("points", "number", "exact"),
    [
        ("-1/2", "-0.5", "-1/2"),
        ("-7", "-7", "-7"),
        ("819/2500", "0.3276", "819/2500"),
        ("1/3", "0.3333333333", "1/3"),
        ("1/8000000", "0.000000125", "1/8000000"),
    ],
)
def test_numbers_in_a_file_are_plain(points, number, exact):
    """A spreadsheet adds them: no apostrophe, no fraction, no exponent."""
    session = _session()
    session.questions[0].result["seats"]["0"]["points"] = points
    rows = build_rows(session)
    assert rows[0]["points"] == pytest.approx(float(Fraction(points)))
    table = _read_csv(format_rows(rows))
    assert (table[0]["points"], table[0]["points_exact"], table[0]["probability"]) == (number, exact, "1")
    assert table[1]["points"] == table[1]["points_exact"] == ""


def test_huge_points_are_no_error():
    """A number that no float can have is infinite, and its text is exact."""
    session = _session()
    session.questions[0].result["seats"]["0"]["points"] = str(-(10**400))
    rows = build_rows(session)
    assert rows[0]["points"] == float("-inf")
    assert _read_csv(format_rows(rows))[0]["points_exact"] == rows[0]["points_exact"]


def test_a_chart_counts_choices():
    """The chart is the one of the class's own games: how often each choice was made, of all choices there."""
    chart = build_chart(_session(), 1, simulated=True)
    assert [(row.occurrences, row.total) for row in chart] == [(1, 1), (1, 1), (2, 2), (2, 2)]
    assert chart.greatest.percent == 100
    with pytest.raises(DurakError):
        build_chart(_session(), 2)


def _ask_exercise(exercise, answers, language):
    """Return a session in which each student answered an exercise."""
    spec = make_exercise_spec(exercise)
    session = ClassSession(EventLog(), now=0.0, language=language)
    for seat in range(len(answers)):
        session.join(f"Student {seat}", "en", 0.0)
    session.command({"do": "ask", "spec": spec, "prepared": ExerciseQuestion.prepare(spec)}, 1.0)
    for seat, given in enumerate(answers):
        assert session.handle_message(seat, {"kind": "answer", "question": 1, "answer": given}, 2.0)[-1].message["answer"]
    return session


@pytest.mark.parametrize("language", ["en", "lt", "ru"])
@pytest.mark.parametrize(
    ("exercise", "given"),
    [
        (lessons.Choose("Who?", {"odd": "", "even": ""}, right="odd"), {"choice": 1}),
        (lessons.Pick("Which?", ["6s", "Jd", "Ah"], ["Jd", "Ah"]), {"choices": [1, 2]}),
    ],
)
def test_choices_are_what_students_read(exercise, given, language):
    """The rows have the texts of the options in the session's language."""
    session = _ask_exercise(exercise, [given], language)
    options = [option["text"].replace("\ufe0e", "") for option in session.current.question.build_form(0, language)["options"]]
    chosen = given["choices"] if "choices" in given else [given["choice"]]
    assert [row["choice"] for row in build_rows(session)] == [options[index] for index in chosen]


def test_typed_answers_are_what_students_mean():
    """A number is as it was typed, also in a file; the letters of cards in order are written out."""
    session = _ask_exercise(lessons.Number("1 - 2?", -1), [{"text": "-1"}], "en")
    assert _read_csv(format_rows(build_rows(session)))[0]["choice"] == "-1"
    session = _ask_exercise(lessons.Sort(["6s", "7d", "Jd"], trump="s"), [{"text": "A B C"}], "lt")
    [row] = build_rows(session)
    assert {"♠", "♦"} <= {*row["choice"]}


def test_an_answer_without_any_option_has_a_row():
    """Its points would be lost otherwise."""
    session = _ask_exercise(lessons.Pick("Which?", ["6s", "Jd"], ["Jd"]), [{"choices": []}], "en")
    session.command({"do": "stop"}, 3.0)
    work(session, 4.0)
    [row] = build_rows(session)
    assert row["points"] is not None
    assert row["choice"]


# --- Games ---


@pytest.mark.parametrize("language", ["en", "lt", "ru"])
def test_a_game_is_in_the_language_of_the_session(language):
    """Roles, decisions and actions are those that a student with this language reads."""
    texts = {"rows": {"en": ["up", "down"], "lt": ["aukštyn", "žemyn"]}, "names": {"en": ["Ann", "Bob"], "lt": ["Ona", "Bobas"]}}
    spec = {"kind": "game", "payoffs": [["1", "2"], ["3", "4"]], "mix": True, **texts}
    session = ClassSession(EventLog(), now=0.0, language=language)
    session.join("Student", "en", 0.0)
    session.command({"do": "ask", "spec": spec, "prepared": GameQuestion.prepare(spec)}, 1.0)
    session.handle_message(0, {"kind": "answer", "question": 1, "answer": {"infosets": [[25, 75]]}}, 2.0)
    known = "lt" if language == "lt" else "en"
    assert [(row["role"], row["choice"]) for row in build_rows(session)] == [
        (texts["names"][known][0], row) for row in texts["rows"][known]
    ]


def _play(game, answers, **options):
    """Return a session in which students gave answers to a game; seat n has role n % 2."""
    spec = make_game_spec(game, **options)
    session = ClassSession(EventLog(), now=0.0)
    for seat in range(len(answers)):
        session.join(f"Student {seat}", "en", 0.0)
    session.command({"do": "ask", "spec": spec, "prepared": GameQuestion.prepare(spec)}, 1.0)
    for seat, choices in enumerate(answers):
        message = {"kind": "answer", "question": 1, "answer": {"infosets": choices}}
        assert session.handle_message(seat, message, 2.0)[-1].message["answer"]
    return session


ENTRY = [[0], [0], [0], [1], [1], [0]]


def test_the_class_strategy_earns_what_the_class_earns():
    """The average of the students' points is the value of the class's strategy."""
    session = _play("entry", ENTRY)
    session.command({"do": "stop"}, 3.0)
    work(session, 4.0)
    points = [Fraction(row["points_exact"]) for row in build_rows(session) if row["role"] == "Entrant"]
    strategy = build_strategy(session)
    assert strategy[0] == (Fraction(2, 3), Fraction(1, 3))
    assert value(load_game(session.current.spec).tree, strategy, 0) == sum(points) / len(points)


def test_mixes_count_in_parts():
    """A mix of 25 % is a quarter of a student in the strategy, and 25 of 100 in the chart; the row says 0.25."""
    session = _play([[(1, -1), (-1, 1)], [(-1, 1), (1, -1)]], [[[25, 75]], [[50, 50]], [[100, 0]]], mix=True)
    assert build_strategy(session)[0] == (Fraction(5, 8), Fraction(3, 8))
    assert [row["probability"] for row in build_rows(session)] == [0.25, 0.75, 0.5, 0.5, 1]
    assert [(row.occurrences, row.total) for row in build_chart(session)][:2] == [(125, 200), (75, 200)]


def test_the_last_game_is_meant():
    """Without a number, the strategy is of the last game, and a question of another kind has none."""
    session = _play("entry", ENTRY)
    ask(session, 5.0)
    assert build_strategy(session)[1] == build_strategy(session, 1)[1]
    for number in (0, 2, 3, "1"):
        with pytest.raises(DurakError):
            build_strategy(session, number)
    with pytest.raises(DurakError):
        build_strategy(_session())


def test_a_game_without_answers_has_equal_probabilities():
    """If nobody has answered yet, the strategy says nothing about the class, but it is a strategy."""
    session = _play("entry", [])
    assert build_strategy(session)[0] == (Fraction(1, 2), Fraction(1, 2))
