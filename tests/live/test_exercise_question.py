"""Tests of exercises as questions to the class: judged from JSON alone, and nothing is told before the reveal."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random

import pytest

from durak_widget import Game, gametheory
from durak_widget.exercises import goals
from durak_widget.homework.keyless_exercise import remove_key
from durak_widget.lessons import Bot, Choose, Number, OnMatrix, OnTree, Pick, Position, Predict, Sort, WhatIf
from durak_widget.live.exercise_question import ExerciseQuestion, make_exercise_spec
from durak_widget.live.question import LANGUAGES, AnswerError, SpecError, find_question_class, load_question

DILEMMA = {"rows": ["silent", "talks"], "columns": ["silent", "talks"], "names": ("Ann", "Bob")}
PAYOFFS = [[(3, 3), (0, 5)], [(5, 0), (1, 1)]]
WEAK = [[(1, 1), (1, 1)], [(1, 0), (0, 0)]]


def build_choice():
    """Return a question with two options, in two languages."""
    texts = {"a": {"en": "Ann", "lt": "Ona"}, "b": "Bob"}
    return Choose({"en": "Who wins?", "lt": "Kas laimi?"}, {"a": "No prize.", "b": "Last out."}, right="b", named=texts, why="So it is.")


def build_position():
    """Return a position in which one of three moves reaches the goal."""
    game = Game.from_position(hands=["9c Ah 7d", "Jd Qs"], trump="h", table="7c", attacker=1)
    return Position(game, goals.beat_all(trumps=False), solution=["beat 7c 9c"])


def build_number():
    """Return a number with two named mistakes."""
    mistakes = {"with_replacement": "2/25", "mine": ("1/9", {"en": "You forgot it.", "lt": "Pamiršai."})}
    return Number("How likely?", "1/10", mistakes=mistakes, why="One of ten.")


def build_comparison():
    """Return two moves to compare, each with a picture of what it leads to."""
    game = Game.from_position(hands=["9c Ah", "Jd Qs"], trump="h", table="7c", attacker=1)
    return WhatIf(game, {"beat 7c 9c": "It keeps the trump.", "beat 7c Ah": "The best card is gone."}, better="beat 7c 9c")


def build_prediction():
    """Return a question about who acts next."""
    game = Game.from_position("podkidnoy, players=3", hands=["7c 8c", "9c Th", "Jd Qd"], trump="h", table="7h", attacker=0)
    return Predict.next_to_act(game, "beat 7h Th")


EXERCISES = {
    "choice": build_choice,
    "prediction": build_prediction,
    "comparison": build_comparison,
    "pick": lambda: Pick.beaters("Tc", of="9c Jc Ah 6s Ts", trump="s"),
    "pick none": lambda: Pick.beaters("Ac", of="9c Jc", trump="s"),
    "sort": lambda: Sort("6s Ac 7c Ks", trump="s"),
    "number": build_number,
    "card number": lambda: Number.chance(Game(seed=7), "Ah"),
    "position": build_position,
    "strike": lambda: OnMatrix.strike(PAYOFFS, **DILEMMA),
    "strike weak": lambda: OnMatrix.strike(WEAK, weak=True, **DILEMMA),
    "best": lambda: OnMatrix.best(PAYOFFS, **DILEMMA),
    "cells": lambda: OnMatrix.equilibria(PAYOFFS, **DILEMMA),
    "cells of a tree": lambda: OnMatrix.equilibria(gametheory.textbook("entry")),
}


def ask(spec):
    """Return the question of a spec, as another process reads it from the event log."""
    spec = json.loads(json.dumps(spec))
    return load_question(spec, json.loads(json.dumps(find_question_class(spec).prepare(spec))))


@pytest.fixture(params=EXERCISES)
def question(request):
    """Return a question for each type of exercise."""
    return ask(make_exercise_spec(EXERCISES[request.param]()))


def score(question, *answers):
    """Return the result of a class with these answers."""
    return json.loads(json.dumps(question.score({seat: question.parse_answer(seat, answer) for seat, answer in enumerate(answers)}, "en")))


def show(question, answers, *, is_revealed, language="en", earlier=()):
    """Return the board of these answers by seat."""
    result = question.score(answers, language)
    return question.build_board(answers, result, None, is_revealed=is_revealed, language=language, earlier=earlier)


def list_marks(board):
    """Return the marks of the bars of a board by the labels of the bars."""
    return {bar["label"]: bar["marks"] for group in board["groups"] for bar in group["bars"] if bar["marks"]}


# --- Every type of exercise ---


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_class_with_simulated_students(question, language):
    """Simulated answers are valid, some are right, and every student gets a result in their language."""
    rng = Random(2)
    answers = {seat: question.pick_answer(seat, rng) for seat in range(40)}
    assert all(question.parse_answer(seat, answer) == answer for seat, answer in answers.items())
    result = json.loads(json.dumps(question.score(answers, "en")))
    assert 0 < result["right_count"] < 40
    for seat in answers:
        told = question.describe_result(result, seat, language)
        points = Fraction(question.get_points(result, seat))
        assert (points == 1) is told["is_right"]
        assert 0 <= points <= 1
        assert told["headline"]
        assert all(told["lines"])
    assert question.describe_result(result, 99, language)["is_right"] is None
    assert json.dumps(question.build_board(answers, result, {}, is_revealed=True, language=language))


def test_the_key_is_told_after_the_reveal_only(question):
    """A board has marks and explanations only after the reveal, and a form never has them."""
    rng = Random(2)
    answers = {seat: question.pick_answer(seat, rng) for seat in range(40)}
    hidden, shown = (show(question, answers, is_revealed=is_revealed) for is_revealed in (False, True))
    assert not list_marks(hidden)
    assert hidden["lines"] == []
    assert not any(bar["note"] for group in hidden["groups"] for bar in group["bars"])
    assert any(marks == ["right"] for marks in list_marks(shown).values()) or question.spec["exercise"]["right"] == []
    assert shown["lines"]


def test_the_form_does_not_depend_on_the_key(question):
    """The form of a phone is the same with another answer key."""
    data = dict(question.spec["exercise"])
    data |= {"right": data["right"] if data["type"] in {"sort", "number", "matrix"} else [data["items"][0]["id"]]}
    data |= {"reasons": {}, "solution": {}, "mistakes": {}}
    if data["type"] == "number":
        data["right"] = "12345"
    if data["type"] == "sort":
        data["right"] = data["right"][::-1]
    other = ask({**question.spec, "exercise": data})
    assert [other.build_form(3, language) for language in LANGUAGES] == [question.build_form(3, language) for language in LANGUAGES]


def test_answers_that_are_refused(question):
    """Junk of every kind is refused with a sentence."""
    for answer in (
        None,
        3,
        [],
        {},
        {"choice": 99},
        {"choice": True},
        {"choice": "0"},
        {"choices": [99]},
        {"choices": "a"},
        {"choices": [0] * 99},
    ):
        with pytest.raises(AnswerError) as caught:
            question.parse_answer(0, answer)
        assert caught.value.to_text("lt")
    for text in ("", " ", "?", "x" * 61, "9" * 5000, None, True, 10**400, float("nan")):
        with pytest.raises(AnswerError):
            question.parse_answer(0, {"text": text})


def test_asked_twice(question):
    """The board has both results; before the reveal neither has a mark, after it both have."""
    rng = Random(2)
    before, after = ({seat: question.pick_answer(seat, rng) for seat in range(40)} for _ in range(2))
    first = show(question, before, is_revealed=True)
    hidden = show(question, after, is_revealed=False, earlier=[first])
    [group] = hidden["earlier"][0]["groups"]
    assert [bar["count"] for bar in group["bars"]] == [bar["count"] for bar in first["groups"][0]["bars"]]
    assert not any(bar["marks"] or bar["note"] for bar in group["bars"])
    unmarked = show(question, before, is_revealed=False)
    shown = show(question, after, is_revealed=True, earlier=[unmarked])
    right = [label for label, marks in list_marks(shown).items() if marks == ["right"]]
    [group] = shown["earlier"][0]["groups"]
    assert all(bar["marks"] == ["right"] for bar in group["bars"] if bar["label"] in right)
    assert shown["earlier"][0]["title"] != shown["groups"][0]["title"]
    third = show(question, after, is_revealed=True, earlier=[first, first])
    assert len({board["title"] for board in third["earlier"]} | {third["groups"][0]["title"]}) == 3


def test_a_failed_worker(question):
    """Without a result the board shows the answers, and the solution as text."""
    answers = {0: question.pick_answer(0, Random(1))}
    board = question.build_board(answers, {"error": "timeout"}, None, is_revealed=True, language="en")
    assert board["groups"][0]["bars"]
    assert board["lines"]
    assert question.describe_result({"error": "timeout"}, 0, "en")["lines"]


def test_rows_of_data_have_no_translation(question):
    """The rows of an answer have names that don't depend on a language."""
    rows = question.list_choices(0, question.pick_answer(0, Random(3)))
    assert all(row["choice"] and row["probability"] == "1" for row in rows)


# --- The types one by one ---


def test_a_choice():
    """A phone gets the texts in its language; the result says the reason of the chosen option."""
    question = ask(make_exercise_spec(build_choice(), title="Quiz"))
    form = question.build_form(0, "lt")
    assert (form["title"], form["text"], [option["text"] for option in form["options"]]) == ("Quiz", "Kas laimi?", ["Ona", "Bob"])
    result = score(question, {"choice": 0}, {"choice": 1})
    assert question.describe_result(result, 0, "en")["lines"][0] == "No prize."
    assert question.describe_result(result, 1, "en")["lines"] == ["Last out.", "So it is."]
    board = show(question, {0: {"choice": 0}}, is_revealed=True)
    assert list_marks(board) == {"Ann": ["mistake"], "Bob": ["right"]}
    assert board["groups"][0]["bars"][0]["note"] == "No prize."


def test_a_pick_has_partial_credit():
    """Credit for some of the cards is as in the exercise."""
    exercise = EXERCISES["pick"]()
    question = ask(make_exercise_spec(exercise))
    cards = [item["id"] for item in question.spec["exercise"]["items"]]
    for chosen in ([], [0], [1], [1, 3], [1, 3, 4], [0, 1, 3, 4]):
        result = score(question, {"choices": chosen})
        exercise.restart()
        verdict = exercise.answer([cards[index] for index in chosen])
        assert Fraction(question.get_points(result, 0)) == exercise.credit
        told = question.describe_result(result, 0, "en")
        wrong_reasons = {text for text in verdict.sentences[1:] if 0 in chosen}
        assert wrong_reasons <= set(told["lines"])


def test_a_sort_is_typed_in_letters_or_cards():
    """Letters with or without spaces and the cards themselves are the same answer, and the first wrong pair is explained."""
    question = ask(make_exercise_spec(EXERCISES["sort"]()))
    answers = [question.parse_answer(0, {"text": text}) for text in ("cbad", "C, b, a; d", "7c Ac 6s Ks")]
    assert answers[0] == answers[1] == answers[2]
    result = score(question, answers[0], {"text": "c a b d"})
    assert [question.get_points(result, seat) for seat in (0, 1)] == ["1", "0"]
    assert str(EXERCISES["sort"]().answer("7c 6s Ac Ks").sentences[1]) in question.describe_result(result, 1, "en")["lines"]
    with pytest.raises(AnswerError):
        question.parse_answer(0, {"text": "abc"})


def test_a_number_with_named_mistakes():
    """Every notation of the right number is right; a named mistake has its own bar with its sentence."""
    question = ask(make_exercise_spec(build_number()))
    texts = ["1/10", "0,1", "10 %", "0.10", "1/9", "2/25", "0.08", "0.9"]
    answers = {seat: question.parse_answer(seat, {"text": text}) for seat, text in enumerate(texts)}
    result = question.score(answers, "en")
    assert [question.get_points(result, seat) for seat in answers] == ["1"] * 4 + ["0"] * 4
    assert [result["seats"][str(seat)]["mistake"] for seat in (4, 5, 6, 7)] == ["mine", "with_replacement", "with_replacement", ""]
    bars = {bar["label"]: bar for bar in show(question, answers, is_revealed=True, language="lt")["groups"][0]["bars"]}
    assert (bars["1/10"]["count"], bars["1/9"]["count"], bars["2/25"]["count"]) == (4, 1, 2)
    assert bars["1/9"]["note"] == "Pamiršai."
    assert question.describe_result(result, 4, "lt")["lines"][0] == "Pamiršai."


@pytest.mark.parametrize("typed", ["25", "1.5", "101", "150%", "-1/2", "7/2"])
def test_a_probability_is_between_0_and_1(typed):
    """A number that can't be a probability is refused at once; the sentence is the same whatever the right answer is."""
    sentences = set()
    for right in ("1/10", "1/4", "9/10"):
        question = ask(make_exercise_spec(Number("How likely?", right)))
        with pytest.raises(AnswerError) as refused:
            question.parse_answer(0, {"text": typed})
        sentences.add(tuple(refused.value.to_text(language) for language in LANGUAGES))
    assert len(sentences) == 1


@pytest.mark.parametrize(("asked", "right"), [("How many?", "1/2"), ("How many cards make a trump likely?", "3")])
def test_other_numbers_may_be_more_than_1(asked, right):
    """Only a question about a probability refuses other numbers."""
    assert ask(make_exercise_spec(Number(asked, right))).parse_answer(0, {"text": "25"}) == {"text": "25"}


def test_the_hint_is_no_answer():
    """The hint of a number contains no number, so it can't give the answer away."""
    for right in ("3", "1/4", "1/2"):
        form = ask(make_exercise_spec(Number("How much?", right))).build_form(0, "en")
        assert not any(character.isdigit() for character in form["hint"] + form["placeholder"])


def test_many_different_numbers():
    """The most frequent numbers have bars, others are counted together, and long ones are listed as text."""
    question = ask(make_exercise_spec(build_number()))
    texts = [*(f"0.{number}" for number in range(21, 33)), "0.21", "0.21", "0." + "1" * 57]
    answers = {seat: question.parse_answer(seat, {"text": text}) for seat, text in enumerate(texts)}
    board = show(question, answers, is_revealed=False)
    bars = board["groups"][0]["bars"]
    assert (bars[0]["label"], bars[0]["count"]) == ("0.21", 3)
    assert sum(bar["count"] for bar in bars) == len(texts) - 1
    assert len(bars) == 9
    assert "1" * 57 in " ".join(board["lines"])


def test_the_order_of_answers_does_not_matter():
    """The board is the same whoever answered first."""
    question = ask(make_exercise_spec(build_number()))
    answers = [{"text": text} for text in ("0.7", "0.3", "0.5", "1/10", "0.3")]
    boards = [show(question, dict(enumerate(order)), is_revealed=False) for order in (answers, answers[::-1])]
    assert boards[0] == boards[1]


def test_a_position_offers_all_legal_moves():
    """Each legal move is an option, and the exercise's goal judges it."""
    exercise = build_position()
    exercise.answer("take")
    question = ask(make_exercise_spec(exercise))
    moves = [item["id"] for item in question.spec["exercise"]["items"]]
    assert sorted(moves) == sorted(map(str, exercise.table.game.legal_moves()))
    assert question.spec["exercise"]["right"] == ["beat 7c 9c"]
    assert exercise.attempt_count == 0
    form = question.build_form(0, "en")
    assert form["picture"].startswith("<svg")
    assert form["picture_text"]


def test_weak_dominance_marks_no_other_order_as_a_mistake():
    """If other strategies may be eliminated in another order, none of them is marked as a mistake."""
    question = ask(make_exercise_spec(EXERCISES["strike weak"]()))
    answers = {0: {"choices": list(range(4))}}
    assert set(map(tuple, list_marks(show(question, answers, is_revealed=True)).values())) <= {("right",)}


def test_eliminations_need_no_order():
    """A phone marks strategies without an order; they are judged in an order in which they can be eliminated."""
    matrix = [[(3, 0), (2, 1), (0, 0)], [(1, 1), (1, 2), (5, 0)], [(0, 4), (0, 2), (0, 0)]]
    exercise = OnMatrix.strike(matrix)
    question = ask(make_exercise_spec(exercise))
    right = [index for index, item in enumerate(question.spec["exercise"]["items"]) if item["id"] in question.spec["exercise"]["right"]]
    assert question.get_points(score(question, {"choices": right[::-1]}), 0) == "1"


def test_cells_are_judged_as_in_the_exercise():
    """The sentences about a wrong cell are those of the exercise."""
    exercise = EXERCISES["cells"]()
    question = ask(make_exercise_spec(exercise))
    result = score(question, {"choices": [0]})
    verdict = exercise.answer([(0, 0)])
    assert question.describe_result(result, 0, "en")["lines"][: len(verdict.sentences) - 1] == list(verdict.sentences[1:])


# --- Exercises and specs that are refused ---


@pytest.mark.parametrize(
    "build",
    [
        lambda: "a song",
        lambda: OnTree.values(gametheory.textbook("entry")),
        lambda: OnMatrix.fill(gametheory.textbook("pennies")),
        lambda: Bot(30),
        lambda: remove_key(build_number()),
        lambda: OnMatrix.best([[(row * column, row) for column in range(8)] for row in range(8)]),
        lambda: Position(
            Game.from_position(hands=["9c Ah 7d", "Jd Qs"], trump="h", table="7c 7h", attacker=1),
            goals.beat_all(),
            solution=["beat 7c 9c", "beat 7h Ah"],
        ),
    ],
)
def test_exercises_that_cannot_be_asked(build):
    """Other exercises are refused before anything is asked."""
    exercise = build()
    with pytest.raises(SpecError):
        make_exercise_spec(exercise)


@pytest.mark.parametrize(
    "change",
    [
        {"type": "riddle"},
        {"type": None},
        {"items": []},
        {"items": [{"id": "a"}, {"id": "a"}]},
        {"right": ["z"]},
        {"right": []},
        {"right": 3},
        {"question": 5},
        {"question": "x" * 10_000},
    ],
)
def test_specs_that_cannot_be_asked(change):
    """A spec with a broken key or text is refused before it gets into the log."""
    spec = make_exercise_spec(build_choice())
    with pytest.raises(SpecError):
        ExerciseQuestion.prepare({**spec, "exercise": {**spec["exercise"], **change}})


@pytest.mark.parametrize("data", [None, [], "x", {}, {"type": "number", "right": "many"}, {"type": "sort", "items": [], "right": []}])
def test_data_that_is_no_exercise(data):
    """Data of another form is refused too."""
    with pytest.raises(SpecError):
        ExerciseQuestion.prepare({"kind": "exercise", "exercise": data})


def test_an_exercise_keeps_its_language_and_answer():
    """Making a spec changes nothing of an exercise that a student has answered."""
    exercise = build_choice()
    exercise.language = "ru"
    exercise.answer("a")
    make_exercise_spec(exercise)
    assert (exercise.language, exercise.last_answer, exercise.attempt_count) == ("ru", "a", 1)


def test_reasons_of_homework_stay_secret():
    """An exercise whose grading is deferred does not tell its reasons."""
    for build in (build_choice, EXERCISES["sort"]):
        exercise = build()
        exercise.defer_grading()
        with pytest.raises(ValueError, match=r"."):
            exercise.explain_pairs() if isinstance(exercise, Sort) else exercise.explain_items()
