"""Test number questions: right numbers are accepted in every notation, and mistakes are named only if proved."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import Game
from durak_widget.analysis import worlds
from durak_widget.errors import DurakError
from durak_widget.exercises.card_probabilities import MISTAKE_NAMES, HiddenHand, RandomHandDraw, build_posterior_answer_key
from durak_widget.gametheory.number_parsing import parse_number_readings
from durak_widget.i18n import LANGUAGES, get_language
from durak_widget.lessons import Number
from support.asked import RecordingPage
from support.sizes import tried
from support.spoken import english, english_text

SPACES = ["", " ", "\u00a0", "\u2009", "\u202f", "  "]
fractions = st.fractions(min_value=-50, max_value=5000, max_denominator=10_000)
spaces = st.sampled_from(SPACES)


def question_for(right: object, **more: object) -> Number:
    """Return a question with that answer."""
    return Number("How likely?", right, **more)  # type: ignore[arg-type] - whatever a test gives


# Right answers are accepted


@given(fractions, spaces, spaces, st.sampled_from("-−–‑"), st.sampled_from("/⁄∕÷"), st.sampled_from(sorted(LANGUAGES)))
def test_right_fractions_are_accepted_in_every_notation(
    right: Fraction, before: str, within: str, minus: str, stroke: str, code: str
) -> None:
    """Test spaces, minus signs, strokes, mixed numbers, percent, unreduced fractions and code."""
    quiz = question_for(right, language=code)
    sign, over, under = (minus if right < 0 else ""), abs(right.numerator), right.denominator
    whole, rest = divmod(over, under)
    writings = [
        f"{before}{sign}{over}{within}{stroke}{within}{under}{before}",
        f"{sign}{7 * over}{stroke}{7 * under}",
        f"= {sign}{over}{stroke}{under}",
        f"{sign}{100 * over}/{under}{within}%",
        *([f"{sign}{whole}{within or ' '}{rest}{stroke}{under}"] if rest else [f"{sign}{whole}", f"{sign}{whole}."]),
    ]
    for answer in [*writings, right, right.numerator if right.denominator == 1 else right]:
        assert quiz.answer(answer), answer


@given(st.decimals(min_value=-9_999, max_value=99_999, places=4), st.sampled_from(".,"), spaces, st.sampled_from(sorted(LANGUAGES)))
def test_right_decimals_are_accepted_in_every_notation(right: Decimal, point: str, space: str, code: str) -> None:
    """Test points, commas, missing and extra zeros, percent and code."""
    quiz = question_for(Fraction(right), language=code)
    text, percent = (f"{number:f}".replace(".", point) for number in (right, right * 100))
    short = text.rstrip("0").removesuffix(point)
    bare = short.replace(f"0{point}", point, 1) if short.removeprefix("-").startswith(f"0{point}") else short
    for answer in (text, f"{text}00", short, bare, f"{percent}{space}%", f" {text.replace('-', '−')} ", right, float(right)):
        assert quiz.answer(answer), answer


@given(st.integers(min_value=1000, max_value=10**30), st.sampled_from(" '’\u00a0\u2009\u202f,"))
def test_digits_may_be_grouped(right: int, gap: str) -> None:
    """Test the separators of many countries."""
    quiz = question_for(right)
    for answer in (f"{right:,}".replace(",", gap), str(right), right, f"{right}/1"):
        assert quiz.answer(answer), answer


@given(st.fractions(min_value=Fraction(1, 500), max_value=1, max_denominator=3000), st.integers(2, 9))
def test_rounded_numbers_are_accepted(right: Fraction, digits: int) -> None:
    """Test two digits or more, decimals, percent and the tolerance."""
    with_digits = f"{Decimal(right.numerator) / Decimal(right.denominator):.{digits}g}"
    near = Fraction(with_digits)
    quiz = question_for(right)
    for answer in (with_digits, with_digits.replace(".", ","), *([f"{Decimal(with_digits).scaleb(2):f} %"] if near < 1 else [])):
        assert quiz.answer(answer), answer
    rough = question_for(right, tolerance=abs(near - right))
    assert rough.answer(near)


def test_other_notations_are_read_too() -> None:
    """Test fraction characters, digits of other scripts and words for percent."""
    for text, value in [
        ("½", "1/2"),
        ("1½", "3/2"),
        ("−¾", "-3/4"),
        ("2 ⅓", "7/3"),
        ("٣/٤", "3/4"),
        ("1/2 %", "1/200"),
        ("33 1/3 percent", "1/3"),
        ("50 проц.", "1/2"),
        ("50 procentų", "1/2"),
        ("３", "3"),
        ("1 + 1/2", "3/2"),
        ("≈ 0.25", "1/4"),
        ("5e-1", "1/2"),
    ]:
        assert [reading.value for reading in parse_number_readings(text)] == [Fraction(value)]


def test_floating_point_results_are_accepted() -> None:
    """The last digit may be wrong, as a number or as pasted text."""
    assert question_for("3/10").answer(0.1 + 0.2)
    assert question_for("3/10").answer(str(0.1 + 0.2))
    assert not question_for("3/10").answer("0.30001")


# Wrong answers


HOSTILE = ["", " ", "a half", "1/0", "0/0", "1//2", "1/2/3", "..", ".", "%", "-", "--1", "1e999999999", "²", "1,2,3", "nan", "inf", "9" * 5000, f"1/2{9999 * ' '}3", "\x00", "1 2", "<b>1</b>"]  # fmt: skip
OTHERS: list[object] = [None, True, [], ["1", "2"], {}, float("nan"), float("inf"), Decimal("NaN"), Decimal("1e999999"), object(), 1j, b"1"]


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_unreadable_numbers_are_refused_and_count_as_no_try(code: str) -> None:
    """Code gets English, the page its language. The earlier answer stays."""
    quiz = question_for("1/2", language=code)
    quiz.answer("1/3")
    before = quiz.view_model()
    for answer in [*HOSTILE, *OTHERS]:
        with pytest.raises(DurakError) as refused:
            quiz.answer(answer)
        assert str(refused.value) == get_language("en").sentences["lesson.number.unreadable"], answer
    page = RecordingPage(quiz)
    page._receive_message(page, {"kind": "answer", "answer": ["a half"]}, [])
    assert page.told == [{"kind": "error", "text": get_language(code).sentences["lesson.number.unreadable"]}]
    assert quiz.view_model() == before
    assert quiz.attempt_count == 1


@given(st.text(max_size=200))
def test_any_text_is_judged_or_refused(text: str) -> None:
    """Hypothesis makes the texts."""
    quiz = question_for("1/2")
    try:
        quiz.answer(text)
    except DurakError as error:
        assert english("lesson.number.unreadable").search(str(error)) or english("lesson.number.too_large").search(str(error))


def test_a_number_rounded_too_coarsely_counts_as_no_try() -> None:
    """5/18 is 27.777… %; a mistake would give 0.2801."""
    for answer, code in [
        ("0.3", "coarse"),
        ("0.27", "cut"),
        ("27 %", "cut"),
        ("0.277", "cut"),
        ("27.8", "percent"),
        ("28", "percent"),
        ("0.28", "shared"),
    ]:
        quiz = question_for("5/18", mistakes={"gone": "0.2801"})
        verdict = quiz.answer(answer)
        assert verdict.sentences[0] == "Nearly."
        assert verdict.sentences[1] == get_language("en").sentences[f"lesson.number.{code}"].replace("{given}", answer)
        assert (quiz.attempt_count, quiz.check(), quiz.view_model()["state"]) == (0, False, "wrong")
        assert quiz.answer("0.278").sentences == ("Right.", "5/18 ≈ 0.278")
        assert quiz.attempt_count == 1


def test_far_off_numbers_are_called_too_large_or_too_small() -> None:
    """The author's hint follows. Ambiguous texts are just wrong."""
    quiz = question_for(100, hint="Count the pairs.")
    assert quiz.answer(101).sentences == (english_text("lesson.not_yet"), english_text("lesson.number.large"), "Count the pairs.")
    assert quiz.answer(99).sentences[1] == english_text("lesson.number.small")
    assert quiz.answer("1,234").sentences[1] == english_text("lesson.number.other")


def test_custom_mistakes_have_their_own_sentence() -> None:
    """They exist in several languages. A name without any text is refused."""
    mine = {"mine": (Fraction(1, 9), {"en": "You forgot the jack.", "ru": "Вы забыли валета."})}
    assert question_for("1/4", mistakes=mine).answer("1/9").sentences[1] == "You forgot the jack."
    assert question_for("1/4", mistakes=mine, language="ru").answer("1/9").sentences[1] == "Вы забыли валета."
    with pytest.raises(DurakError, match="Did you mean 'contrary'"):
        question_for("1/4", mistakes={"contary": "3/4"})
    for right in ("a half", None, True):
        with pytest.raises(DurakError, match="number"):
            question_for(right)
    with pytest.raises(DurakError, match=r"tolerance .*-1"):
        question_for("1/2", tolerance=-1)


# Named mistakes


def instances(count: int) -> list[Number]:
    """Return random questions of every builder that takes numbers."""
    rng, questions = Random(13), []
    for seed in range(count // 10):  # a question on a deal, as in a lesson
        view = Game(rng.choice(["econ431", "podkidnoy", ""]) or None, seed=seed).view(0)
        cards = rng.sample(list(view.memory.unseen), rng.randint(1, 3))
        asks = (
            (Number.chance, {}),
            (Number.chance, {"least": 2, "most": 2}),
            (Number.chance, {"most": 0}),
            (Number.average, {}),
            (Number.count, {}),
        )
        ask, more = rng.choice(asks)
        questions.append(ask(view, cards, **more))
    while len(questions) < count:
        hidden = rng.randint(1, 36)
        good, draw_count = rng.randint(0, hidden), rng.randint(0, hidden)
        least = rng.randint(0, 3)
        extra = {name: (cards := rng.randint(0, 6), rng.randint(0, cards)) for name in ("own", "gone", "turned")}
        draw = RandomHandDraw(hidden, good, draw_count, extra, rng.randint(0, good))
        kinds = [
            draw.build_probability_answer_key(),
            draw.build_probability_answer_key(least, least),
            draw.build_probability_answer_key(least),
            draw.build_average_answer_key(),
            draw.build_hand_count_answer_key(),
        ]
        prior, if_so, if_not = (Fraction(rng.randint(0, 12), 12) for _ in range(3))
        if prior * if_so + (1 - prior) * if_not:
            kinds.append(build_posterior_answer_key(prior, if_so, if_not))
        kind = rng.choice(kinds)
        questions.append(Number("?", kind.right, mistakes=kind.mistakes))
    return questions


@pytest.mark.slow
def test_every_mistake_is_named_exactly_where_it_is_proved() -> None:
    """A thousand questions: its number differs from the right one and all other mistakes. Each name occurs."""
    met = set()
    for quiz in instances(tried(150, 1000)):
        every = {name: mistake.value for name, mistake in quiz._mistakes.items()}
        for name, value in every.items():
            alone = value != quiz.right and list(every.values()).count(value) == 1
            verdict = str(quiz.answer(value))
            sentence = get_language("en").sentences[f"lesson.number.{name}"]
            assert (sentence in verdict) is alone, (name, every, quiz.right)
            assert verdict.startswith("Right.") is (value == quiz.right)
            assert alone is (name in quiz.mistakes)
            met |= {name} if alone else set()
        if quiz.right not in (0, 1):  # a rounded mistake is named only if no other number rounds to it
            for name, value in quiz.mistakes.items():
                near = f"{float(value):.3f}"
                if 0 < float(near) < 1000 and str(get_language("en").sentences[f"lesson.number.{name}"]) in str(quiz.answer(near)):
                    fits = [other for other, number in every.items() if abs(number - Fraction(near)) <= Fraction(1, 2000)]
                    assert fits == [name]
                    assert abs(quiz.right - Fraction(near)) > Fraction(1, 2000)
    assert met == set(MISTAKE_NAMES) - {"unplayed"}  # it occurs in games, below


def test_every_mistake_has_its_own_sentence_and_is_in_the_docs() -> None:
    """There is one in every language, and no two are the same."""
    for name in MISTAKE_NAMES:
        for code in LANGUAGES:
            sentences = get_language(code).sentences
            assert list(sentences.values()).count(sentences[f"lesson.number.{name}"]) == 1
        assert f"`{name}`" in (Path(__file__).resolve().parents[2] / "docs" / "exercise-types.md").read_text(encoding="utf-8")


def test_mistakes_compute_what_their_names_say() -> None:
    """Each is counted card by card in a small deck."""
    cards, good, draw_count = range(6), {0, 1}, 3
    draw = RandomHandDraw(6, 2, 3)
    hands = list(combinations(cards, draw_count))
    share = Fraction(sum(bool(good & set(hand)) for hand in hands), len(hands))
    found = draw.build_probability_answer_key()
    assert found.right == share
    tuples = [(a, b, c) for a in cards for b in cards for c in cards]
    assert found.mistakes["with_replacement"] == Fraction(sum(bool(good & set(item)) for item in tuples), len(tuples))
    assert found.mistakes["exactly"] == Fraction(sum(len(good & set(hand)) == 1 for hand in hands), len(hands))
    assert found.mistakes["added"] == 2 * Fraction(sum(0 in hand for hand in hands), len(hands)) == draw.build_average_answer_key().right
    both = draw.build_probability_answer_key(1, 1)
    orders = list(permutations(cards, draw_count))
    first = Fraction(sum(order[0] in good and not good & set(order[1:]) for order in orders), len(orders))
    assert both.mistakes["one_order"] == first
    assert draw.build_hand_count_answer_key().mistakes["ordered"] == 4  # the two given cards and one of four others
    assert RandomHandDraw(6, 0, 3).build_hand_count_answer_key().mistakes["ordered"] == len(orders)
    assert RandomHandDraw(6, 0, 3).build_hand_count_answer_key().right == len(hands)


# Hidden cards


def test_probabilities_equal_those_over_all_worlds() -> None:
    """Test positions with and without conclusions from play, by deals."""
    proved = 0
    for seed in range(14):
        game = Game("econ431", seed=seed)
        rng = Random(seed)
        while game.outcome is None and game.ply < 60:
            game.play(rng.choice(game.legal_moves()))
            if game.actor is None or len(game.talon) > 1 or game.ply % 3:
                continue
            view = game.view(game.actor)
            found = list(worlds(view, each="deal").all(limit=50_000)) if worlds(view, each="deal").count() <= 300 else []
            hidden = HiddenHand(view)
            unseen = list(view.memory.unseen)[:3]
            if not found or len(unseen) < 2:
                continue
            for least, most in ((1, None), (2, None), (1, 1), (0, 0)):
                held = [sum(card in world.hands[hidden.seat] for card in unseen) for world in found]
                right = Fraction(sum(least <= n <= (n if most is None else most) for n in held), len(found))
                assert hidden.build_probability_answer_key(unseen, least, most).right == right
            assert hidden.build_average_answer_key(unseen).right == Fraction(sum(held), len(found))
            assert hidden.build_hand_count_answer_key().right == len({world.hands[hidden.seat] for world in found})
            task, plain = Number.chance(view, unseen[:1]), hidden.to_random_draw(unseen[:1]).probability_of_count()
            if task.right != plain:
                assert bool(english("lesson.number.unplayed").search(str(task.answer(plain)))) is ("unplayed" in task.mistakes)
                proved += "unplayed" in task.mistakes
        if proved and seed >= tried(4, 13):
            return
    pytest.fail("too few cases of this kind were met")


def test_a_question_about_a_game_shows_its_picture_but_a_view_does_not() -> None:
    """The player to move sees it, and both ask the same."""
    game = Game(seed=7)
    of_game, bare = Number.chance(game, "Ah"), Number.chance(game.view(game.actor), "Ah")
    assert of_game.question == bare.question
    assert of_game.right == bare.right
    assert of_game.view_model()["picture"]
    assert not bare.view_model()["picture"]


def test_every_question_exists_in_every_language() -> None:
    """Test one card, several, trumps, and cards that beat: at least, exactly, none."""
    for code in sorted(LANGUAGES):
        game = Game(seed=7)
        questions = [
            Number.count(game), Number.count(game, "Ah"), Number.average(game, "trumps"), Number.average(game, "Ah Kh"), Number.chance(game, "Ah", most=0),
            *(Number.chance(game, **what, **many) for what in ({"holds": "trumps"}, {"holds": "Ah Kh Qh"}, {"beats": "Kc"}) for many in ({}, {"least": 2}, {"least": 2, "most": 2}, {"most": 0})),
        ]  # fmt: skip
        for quiz in questions:
            quiz.language = code
            assert quiz.question.endswith("?")
            assert "lesson." not in quiz.question
            assert "{" not in quiz.question
        assert len({quiz.question for quiz in questions}) == len(questions)


def test_invalid_number_questions_are_refused() -> None:
    """Authors read what would be right."""
    game = Game("podkidnoy, players=3", seed=1)
    for call, sentence in (
        (lambda: Number.chance(game, "Ah"), "whose hand"),
        (lambda: Number.chance(7, "Ah"), "game.*view"),
        (lambda: Number.chance(game, "Ah Kh Qh", least=1, most=2, holder=1), "give its text: question="),
        (lambda: Number.chance(game, "Ah", least=-1, holder=1), r"least .*-1"),
        (lambda: Number.chance(game, "Ah", least=0, holder=1), "give its text: question="),
        (lambda: Number.chance(Game(seed=1)), "name the cards"),
        (lambda: Number.chance(Game("no_trumps", seed=1), "trumps"), "there are no trumps"),
        (lambda: Number.chance(Game("two_decks", seed=1), "Ah"), "with one deck"),
        (lambda: question_for("1/2", mistakes=["contrary"]), "mistakes must"),
        (lambda: Number.random_draw("?", 5, 6, 1), "5 hidden cards"),
        (lambda: Number.random_draw("?", 10**9, 6, 1), "number of hidden cards"),
        (lambda: Number.bayes("?", 2, 1, 1), "0.*1"),
        (lambda: Number.bayes("?", "1/2", 0, 0), "must be possible"),
    ):
        with pytest.raises(DurakError, match=sentence):
            call()
