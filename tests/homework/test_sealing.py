"""Test seals: right answers and named mistakes open them, and looking at them reveals nothing."""

from __future__ import annotations

import hashlib
import json
import zlib
from base64 import urlsafe_b64encode
from fractions import Fraction
from random import Random

import pytest

from durak_widget.errors import DurakError
from durak_widget.exercises.number_exercise import format_sealed_number, list_sealed_forms
from durak_widget.gametheory.number_parsing import parse_number_readings
from durak_widget.homework import answer_hashes
from durak_widget.homework.answer_hashes import MIN_SEALABLE_ANSWERS, count_possible_answers, seal_answers
from durak_widget.homework.assignment import get_assignment
from durak_widget.homework.keyless_exercise import remove_key, seal, sealed
from durak_widget.i18n import LANGUAGES, Translator
from durak_widget.lessons import Choose, Number, OnTree, Pick, Sort
from support.classroom_kinds import ASSIGNMENT
from support.spoken import english, english_text

RIGHT = "3583/4807"
MISTAKES = {"contrary": "1224/4807", "mine": ("1/7", {"en": "A seventh?", "ru": "Седьмая?", "lt": "Septintadalis?"})}


def number_question():
    """Return a number question with two named mistakes."""
    return Number("How likely?", RIGHT, mistakes=MISTAKES)


def test_a_right_number_is_right_in_every_precise_notation():
    """Test fractions, and six digits or more."""
    for text in (RIGHT, "7166/9614", "0.745371", "74.5371 %", ".7453713", "0,7453713335", "3583 / 4807"):
        verdict = remove_key(number_question()).answer(text)
        assert (bool(verdict), verdict.sentences) == (True, (english_text("class.right"),))


def test_a_wrong_number_is_explained():
    """Mistakes are named in the student's language. Coarse numbers get no verdict."""
    for text, sentence in (
        ("1224/4807", " ".join([english_text("class.not_yet"), english_text("lesson.number.contrary")])),
        ("0.254629", " ".join([english_text("class.not_yet"), english_text("lesson.number.contrary")])),
        ("1/7", f"{english_text('class.not_yet')} A seventh?"),
        ("1/3", english_text("class.not_yet")),
        ("0.745370", f"{english_text('class.not_yet')} The last digit was cut off: round it."),
        ("0.745", " ".join([english_text("class.kept"), english_text("class.kept.coarse.other", count="6")])),
    ):
        verdict = remove_key(number_question()).answer(text)
        assert not verdict
        if "cut" in sentence:
            assert len(verdict.sentences) == 2
            assert verdict.sentences[0] == english_text("class.not_yet")
        else:
            assert str(verdict) == sentence


def test_a_mistake_is_named_in_every_language():
    """Test the package's and an author's own."""
    quiz = remove_key(number_question())
    quiz.language = "ru"
    assert quiz.answer("1/7").sentences == (Translator("ru").translate("class.not_yet"), "Седьмая?")
    quiz.language = "lt"
    assert (
        quiz.answer("1224/4807").sentences[1] == Number("", "1/2", mistakes={"contrary": "1/3"}, language="lt").answer("1/3").sentences[1]
    )


def test_the_check_never_contradicts_marking():
    """Test right, wrong and close answers: if the check says right, marking does too."""
    draw = Random(3)
    for student in range(2):
        task = ASSIGNMENT.create_exercise("many", f"student {student}")
        quiz, right = remove_key(task), task.right
        near = [right, right + Fraction(1, 10**6), right * Fraction(999, 1000), 1 - right, Fraction(draw.randrange(10**6), 10**6)]
        for value in near:
            for text in (str(value), f"{float(value):.6f}", f"{float(value):.8f}"):
                if quiz.answer(text):
                    assert task.answer(text), text


def test_a_large_number_must_be_exact():
    """Six digits open its seal, but integers and fractions are exact."""
    quiz = remove_key(Number("How many?", 261273600, mistakes={"ordered": 31352832000}))
    assert [str(quiz.answer(text)) for text in ("261273601", "261 273 600", "31352832000", "31352832001")] == [
        english_text("class.not_yet"),
        english_text("class.right"),
        f"{english_text('class.not_yet')} {Number('', 1, mistakes={'ordered': 2}).answer(2).sentences[1]}",
        english_text("class.not_yet"),
    ]
    near = Fraction(RIGHT) + Fraction(1, 10**9)
    assert not remove_key(number_question()).answer(str(near))


def test_a_row_is_checked_if_there_are_many_orders():
    """Ten cards have millions of them."""
    task = ASSIGNMENT.create_exercise("row", "Ann")
    quiz = remove_key(task)
    assert not quiz.answer(task.solution[::-1])
    assert quiz.answer(task.solution)


def test_questions_with_few_answers_are_not_checked():
    """The answer is kept, and a token has no seal."""
    for make, many in (
        (lambda: Pick("Which?", "6c 7c 8c 9c Tc Jc Qc Kc Ac", "6c"), 512),
        (lambda: Choose("Who?", {"a": "", "b": "", "c": ""}, right="a"), 3),
        (lambda: Sort("6c 7c 8c 9c Tc", trump=None), 120),
        (lambda: Number("How many?", 12), 13),
        (lambda: Number("How likely?", "5/18"), 98),
        (lambda: Number("How likely?", "0.5", tolerance="1/1000"), 1001),
    ):
        task = make()
        assert count_possible_answers(task) == many < MIN_SEALABLE_ANSWERS
        assert seal_answers(task) is None
        for quiz in (remove_key(task), sealed(seal(task))):
            for answer in (task.solution, quiz.snapshot.items and [*quiz.snapshot.items][-1:]):
                if answer and not (quiz.snapshot.kind == "sort" and len(answer) < 5):
                    verdict = quiz.answer(answer)
                    assert not verdict
                    assert english("class.kept.few").match(verdict.sentences[1])


def test_possible_answers_are_counted_approximately():
    """Fractions with bounded denominators are counted one by one."""
    for right in (Fraction(5, 18), Fraction(13, 40), Fraction(37, 13)):
        size = max(right, Fraction(1))
        counted = len({Fraction(n, d) for d in range(1, right.denominator + 1) for n in range(1, int(size * d) + 1)})
        assert counted / 1.6 < count_possible_answers(Number("?", right)) < counted * 1.6


def test_without_scrypt_answers_are_not_checked(monkeypatch):
    """Some Pythons lack it. Nothing fails, and a message says so."""
    quiz = remove_key(number_question())
    monkeypatch.delattr(hashlib, "scrypt")
    for task in (quiz, remove_key(number_question()), sealed(seal(number_question()))):
        verdict = task.answer(RIGHT)
        assert not verdict
        assert verdict.sentences[0] == english_text("class.kept")
        assert english("class.kept.unchecked").search(str(verdict))


def test_seals_look_alike_whatever_they_contain():
    """Number, length and order are the same, with a new salt each time."""
    first, other, again = seal_answers(number_question()), seal_answers(Number("How likely?", "13/4807")), seal_answers(number_question())
    assert [len(first.entries), len(other.entries)] == [12, 12]
    assert {len(box) for seals in (first, other) for _, box in seals.entries} == {256}
    assert first.salt != again.salt
    assert not {tag for tag, _ in first.entries} & {tag for tag, _ in again.entries}
    for seals in (first, other):
        assert list(seals.entries) == sorted(seals.entries)


def test_a_guess_costs_what_the_docs_say(guess_price, monkeypatch):
    """It needs 16 MB and one pass, as in docs/sandbox.md."""
    monkeypatch.setattr(answer_hashes, "_SCRYPT_COST", guess_price)
    calls = []
    real = hashlib.scrypt
    try:
        hashlib.scrypt = lambda *given, **more: (calls.append(more), real(*given, **more))[1]
        seal_answers(number_question())
        call_count = len(calls)
        remove_key(Pick("Which?", "6c 7c", "6c"))
    finally:
        hashlib.scrypt = real
    assert (call_count, len(calls)) == (3, 3)
    assert {(call["n"], call["r"], call["p"]) for call in calls} == {(2**14, 8, 1)}


def test_a_fraction_and_its_decimals_have_the_same_seal():
    """Rounded to six digits they are the same text."""
    for value in ("6/29", "-6/29", "475020", "1144066", "999999.5", "1/3000000", "0", "0.0999999999"):
        exact = Fraction(value)
        digits = f"{abs(float(exact)):.5e}"
        found = parse_number_readings(("-" if exact < 0 else "") + str(Fraction(digits)))[0].value
        assert format_sealed_number(found) == format_sealed_number(exact)


def test_a_cut_off_decimal_is_tried_with_the_next_digit():
    """Both ways of rounding are tried, and no others."""
    [reading] = parse_number_readings("0.206896")
    assert list_sealed_forms(reading) == [format_sealed_number(Fraction(206896, 10**6)), format_sealed_number(Fraction(206897, 10**6))]
    assert list_sealed_forms(parse_number_readings("0.2069")[0]) == []
    assert list_sealed_forms(parse_number_readings("6/29")[0]) == [format_sealed_number(Fraction(6, 29))]


def test_unsealable_exercises_are_refused():
    """Boards, and objects that are no exercise."""
    for what in (OnTree, "7", None, 7):
        thing = ASSIGNMENT.create_exercise("values", "Ann") if what is OnTree else what
        with pytest.raises(DurakError, match="exercise"):
            seal(thing)
        assert answer_hashes.seals_from_dict(answer_hashes.seals_to_dict(found := seal_answers(number_question()))) == found


def test_questions_with_fewer_seals_can_still_be_read(monkeypatch):
    """Earlier tokens had four seals per question."""
    with monkeypatch.context() as before:
        before.setattr(answer_hashes, "_SEAL_COUNT", 4)
        token = seal(number_question())
    assert str(sealed(token).answer("3583/4807")) == english_text("class.right")


@pytest.mark.parametrize("text", ["[" * 20_000, '{"few": true, "paper":' + '{"a":' * 900 + "{}" + "}" * 901])
def test_deeply_nested_json_is_refused_before_parsing(monkeypatch, text):
    """Python in a browser crashes on it, and a page may open other people's files."""
    deep = "durak-sealed-2:" + urlsafe_b64encode(zlib.compress(text.encode())).decode()
    seal_of_theirs = answer_hashes.Seals(b"0" * 16, ((b"1" * 16, b"2" * 16),))
    monkeypatch.setattr(answer_hashes, "_derive_tag_and_key", lambda *_: (b"1" * 16, b"3" * 48))
    monkeypatch.setattr(answer_hashes, "_xor_with_keystream", lambda *_: text.encode())
    monkeypatch.setattr(json, "loads", lambda *_, **__: pytest.fail("it was parsed"))
    with pytest.raises(DurakError, match="exercise that was handed"):
        sealed(deep)
    assert seal_of_theirs.open_seal("7") is None


def test_each_named_mistake_is_named_in_every_language():
    """All eleven of the problem set's checked question are tested."""
    task = get_assignment("econ431").with_edition("2027").create_exercise("how-many-ways", "Ann Lee")
    kept_task = remove_key(task)
    assert len(task.mistakes) == 11
    for code in LANGUAGES:
        task.language = kept_task.language = code
        for value, sentence in task.mistake_messages.items():
            assert str(kept_task.answer(value)).endswith(sentence)
