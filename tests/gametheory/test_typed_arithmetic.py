"""Test typed arithmetic: expressions are numbers wherever a number is read, and no input takes long."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial
from time import process_time

import pytest

from durak_widget.board.number_format import parse_probability
from durak_widget.exercises.answer_form import parse_number, parse_numbers
from durak_widget.gametheory import DecisionNode, TerminalNode, build_tree
from durak_widget.gametheory.number_parsing import is_too_large_to_write, parse_exact_number, parse_number_readings
from durak_widget.grading.notebook_answers import read_notebook_answers
from durak_widget.homework.assignment import get_assignment
from durak_widget.lessons import Number, OnMatrix, OnTree, homework
from durak_widget.translated_errors import RefusedError
from support.spoken import english

WRITTEN = {
    "15*21*362880": 15 * 21 * 362880,
    "15 · 21 · 362 880": 15 * 21 * 362880,
    "15×21×9!": 15 * 21 * 362880,
    "15 x 21 x 9!": 15 * 21 * 362880,
    "(15/18)^5": Fraction(15, 18) ** 5,
    "(15/18)**5": Fraction(15, 18) ** 5,
    "(15/18)⁵": Fraction(15, 18) ** 5,
    "1 - (15/18)^5": 1 - Fraction(15, 18) ** 5,
    "1−15/18·14/17": 1 - Fraction(15, 18) * Fraction(14, 17),
    "9!": factorial(9),
    "C(15,4)": comb(15, 4),
    "C(15; 4)": comb(15, 4),
    "С(15, 4)": comb(15, 4),
    "15 choose 4": comb(15, 4),
    "15C4": comb(15, 4),
    "comb(15, 4)/comb(18, 4)": Fraction(comb(15, 4), comb(18, 4)),
    "math.factorial(5)": 120,
    "1 - C(13,5)/C(18,5)": 1 - Fraction(comb(13, 5), comb(18, 5)),
    "2(3+4)": 14,
    "(1/2)(1/3)": Fraction(1, 6),
    "2^-2": Fraction(1, 4),
    "2^3^2": 512,
    "-2²": -4,
    "3·-2": -6,
    "3!·2!": 12,
    "25·2 %": Fraction(1, 2),
    "0,5·0,5": Fraction(1, 4),
    "(-1)^1000001": -1,
    "= 6·7": 42,
}


def test_an_expression_is_read_as_its_value():
    """With the signs of any keyboard, exactly."""
    for text, value in WRITTEN.items():
        assert parse_exact_number(text) == value


def test_invalid_expressions_are_not_numbers():
    """They raise no error either."""
    for text in (
        "",
        "a half",
        "1/0",
        "2 3",
        "(1/2",
        "1/2)",
        "3..5",
        "x",
        "C(15)",
        "C(15,4,3)",
        "C(-1,2)",
        "(1/2)!",
        "2^(1/2)",
        "0^0",
        "5!!x",
        "1/2/3",
        "--1",
        "9c",
        "K!",
        "1+",
        "*2",
        "()",
        "C",
        "½²",
    ):
        assert parse_number_readings(text) == ()
        assert not is_too_large_to_write(text)


def test_too_large_expressions_are_refused_quickly():
    """One sentence says why, and no attempt is counted."""
    for text in (
        "9^9^9",
        "9^9^9^9",
        "200!",
        "(9!)!",
        "10^400",
        "(1/3)^9999999",
        "1000000!",
        "C(100000, 50000)",
        "2^1000·2^1000",
        "3!!!!!!",
    ):
        start = process_time()
        assert parse_number_readings(text) == ()
        assert is_too_large_to_write(text)
        assert process_time() - start < 0.2
        quiz = Number("How many?", 12)
        with pytest.raises(RefusedError, match=english("lesson.number.too_large")):
            quiz.answer(text)
        assert quiz.attempt_count == 0


def test_no_input_takes_long():
    """However it is nested."""
    for text in (
        "(" * 119,
        "9" * 119,
        "-" * 118 + "9",
        "9!" * 59,
        "2^" * 59 + "2",
        "1+" * 59 + "1",
        "1,000" * 23,
        "C(" * 59,
        "(((1)))" * 16,
    ):
        start = process_time()
        parse_number_readings(text)
        assert process_time() - start < 0.5


def test_a_decimal_in_an_expression_limits_its_precision():
    """The result has as many correct digits as the decimal, however the expression is written."""
    quiz = Number("How likely?", Fraction(15, 18) ** 5)
    assert "Nearly" in str(quiz.answer("0.8333^5"))
    assert quiz.answer("0.402")
    assert not quiz.answer("0.9^5")
    assert not quiz.answer("0.99^60")
    [wide] = parse_number_readings("0.99^50")
    [plain] = parse_number_readings("0.61")
    assert (wide.last_digit_unit, wide.significant_digits) == (plain.last_digit_unit, plain.significant_digits)


def test_lessons_and_homework_accept_expressions():
    """With the mouse and in code, in the exercise that needs them. The answer is stored as typed, and it opens the sealed solution."""
    task = get_assignment("econ431").with_edition("2027").create_exercise("how-many-ways", "Ann Lee")
    assert task.answer("15·21·9!")
    work = homework("econ431", student="Ann Lee", edition="2027", folder=None)
    assert work.answer("how-many-ways", "15*21*362880")
    assert work.receipt["answers"]["how-many-ways"]["answer"] == "15*21*362880"


def test_notebook_cells_are_read_with_powers():
    """Python syntax is accepted within the same limits, and no code runs."""
    begins = 'homework = lessons.homework("econ431", student="Ann")'
    found = read_notebook_answers(
        [
            begins,
            "homework.answer(4, 15 * 21 * 362880)",
            "homework.answer(5, 1 - (15/18)**5)",
            "homework.answer(12, pow(2, -3))",
            "homework.answer(13, 9**9**9)",
        ]
    )
    assert found.answers == {4: "114307200", 5: str(1 - Fraction(15, 18) ** 5), 12: "1/8"}
    assert [fact.key for fact in found.problems] == ["class.file.unwritten"]


def test_boards_accept_expressions_and_split_lists():
    """A value, a payoff or a probability may be an expression; two numbers side by side are two numbers."""
    places = {"": DecisionNode(0, "?", [("l", "l"), ("r", "r")]), "l": TerminalNode((6, -6)), "r": TerminalNode((1, -1))}
    tree = build_tree("", places.__getitem__, player_count=2)
    assert OnTree.values(tree, player=0).answer(["3!"])
    assert OnMatrix.fill(tree).answer(["2·3", "2-1"])
    assert parse_probability("(1/2)^2") == Fraction(1, 4)
    assert [number.value for number in parse_numbers("1 -1", 2)] == [1, -1]
    assert [number.value for number in parse_numbers("2·3, -3!", 2)] == [6, -6]
    assert parse_number("1 -1") is None
