"""Tests of the games of numbers: exact points, rounds, limits of answers, and what is shown when."""

from __future__ import annotations

import json
import time
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_widget.live.number_games import QUESTION_CLASSES, FirstPriceAuction, Guess, PublicGoods, SecondPriceAuction
from durak_widget.live.question import LANGUAGES, AnswerError, SpecError, find_question_class, load_question

GAMES = [Guess(), PublicGoods(), FirstPriceAuction(), SecondPriceAuction()]
AUCTIONS = {"first_price": FirstPriceAuction, "second_price": SecondPriceAuction}


def ask(game):
    """Return the question of a game, as the event log keeps it."""
    spec = json.loads(json.dumps(game if isinstance(game, dict) else game.to_spec()))
    return load_question(spec, json.loads(json.dumps(find_question_class(spec).prepare(spec))))


def answer_all(question, numbers):
    """Return the answers of students who name these numbers."""
    return {seat: question.parse_answer(seat, {"number": str(number)}) for seat, number in enumerate(numbers)}


def points_of(question, numbers):
    """Return the points of students who name these numbers."""
    result = json.loads(json.dumps(question.score(answer_all(question, numbers), "en")))
    return [Fraction(question.get_points(result, seat)) for seat in range(len(numbers))]


def show(question, numbers, *, is_revealed, language="en", earlier=()):
    """Return the board for students who name these numbers."""
    answers = answer_all(question, numbers)
    return question.build_board(
        answers, question.score(answers, language), question.solve(), is_revealed=is_revealed, language=language, earlier=earlier
    )


def list_marks(board):
    """Return the marks of all bars of a board."""
    return {mark for group in board["groups"] for bar in group["bars"] for mark in bar["marks"]}


# --- Points ---


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=12))
def test_the_closest_guesses_win(tenths):
    """Exactly the numbers with the smallest distance to the target get a point."""
    guesses = [Fraction(number, 10) for number in tenths]
    target = Fraction(2, 3) * sum(guesses) / len(guesses)
    closest = min(abs(guess - target) for guess in guesses)
    assert points_of(ask(Guess()), guesses) == [int(abs(guess - target) == closest) for guess in guesses]


def test_guesses_equally_close_all_win():
    """With 3/4 of the average, 0 and 6 are equally far from the target 3."""
    assert points_of(ask(Guess(fraction="3/4")), [0, 6, 6]) == [1, 1, 1]


@given(st.lists(st.integers(0, 20), min_size=2, max_size=9), st.integers(2, 5))
def test_public_goods_pay_the_average_over_all_groups(gifts, size):
    """The points follow the formula of the expected payoff against the whole class."""
    multiplier = Fraction(8, 5)
    expected = [20 - gift + multiplier * (gift + (size - 1) * Fraction(sum(gifts) - gift, len(gifts) - 1)) / size for gift in gifts]
    assert points_of(ask(PublicGoods(group_size=size)), gifts) == expected


@pytest.mark.parametrize("kind", AUCTIONS)
@given(st.lists(st.integers(0, 400), min_size=2, max_size=9))
def test_auctions_pay_the_average_over_all_rivals(kind, quarters):
    """The points are the average profit of the auctions against each other student; a tie counts half."""
    question = ask(AUCTIONS[kind]())
    bids = [Fraction(number, 4) for number in quarters]

    def compute_profit(seat, rival):
        price = bids[seat] if kind == "first_price" else bids[rival]
        share = Fraction(1, 2) if bids[seat] == bids[rival] else int(bids[seat] > bids[rival])
        return share * (question.get_value(seat) - price)

    rivals = len(bids) - 1
    expected = [sum(compute_profit(seat, rival) for rival in range(len(bids)) if rival != seat) / rivals for seat in range(len(bids))]
    assert points_of(question, bids) == expected


@given(st.lists(st.integers(0, 100), min_size=2, max_size=9), st.data())
def test_bidding_the_value_is_never_worse_in_a_second_price_auction(bids, data):
    """No other bid of one student earns more against the same others."""
    question = ask(SecondPriceAuction())
    seat = data.draw(st.integers(0, len(bids) - 1))
    truthful = [question.get_value(seat) if index == seat else bid for index, bid in enumerate(bids)]
    assert points_of(question, truthful)[seat] >= points_of(question, bids)[seat]


@given(st.lists(st.integers(0, 100), min_size=2, max_size=8))
def test_what_the_class_lost_by_not_bidding_the_value(bids):
    """The loss is the average of what each student alone would have gained by bidding the value."""
    question = ask(SecondPriceAuction())
    result = question.score(answer_all(question, bids), "en")
    gains = [
        points_of(question, [question.get_value(seat) if index == seat else bid for index, bid in enumerate(bids)])[seat]
        - points_of(question, bids)[seat]
        for seat in range(len(bids))
    ]
    assert Fraction(result["lost"]) == sum(gains) / len(gains)


@settings(max_examples=20)
@given(st.lists(st.integers(0, 100), min_size=2, max_size=6))
def test_the_best_share_in_a_first_price_auction(bids):
    """The named shares, and no others, earn the most if each student alone bids that share."""
    question = ask(FirstPriceAuction())
    result = question.score(answer_all(question, bids), "en")

    def earn(share):
        return sum(
            points_of(question, [share * question.get_value(seat) if index == seat else bid for index, bid in enumerate(bids)])[seat]
            for seat in range(len(bids))
        ) / len(bids)

    profits = {Fraction(step, 20): earn(Fraction(step, 20)) for step in range(21)}
    best = max(profits.values())
    assert [Fraction(share) for share in result["best_shares"]] == [share for share, profit in profits.items() if profit == best]
    assert Fraction(result["best_profit"]) == best
    assert Fraction(result["average_profit"]) == sum(points_of(question, bids)) / len(bids)


@pytest.mark.parametrize("game", GAMES[1:], ids=lambda game: game.to_spec()["kind"])
def test_a_student_alone_gets_a_reason_instead_of_points(game):
    """Games that compare students need two of them; with one there are a sentence and no points."""
    question = ask(game)
    answers = answer_all(question, [7])
    result = question.score(answers, "en")
    told = question.describe_result(result, 0, "en")
    assert question.get_points(result, 0) is None
    assert told["headline"] in show(question, [7], is_revealed=True)["lines"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.to_spec()["kind"])
def test_no_answers(game):
    """A round without answers has a board and a result for those who were there."""
    question = ask(game)
    assert show(question, [], is_revealed=True)["groups"]
    assert question.describe_result(question.score({}, "en"), 0, "en")["is_right"] is None


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.to_spec()["kind"])
def test_a_failed_worker(game):
    """Without points there is still a board with the shares, and the next round can begin."""
    question = ask(game)
    answers, failed = answer_all(question, [3, 4]), {"error": "timeout"}
    board = question.build_board(answers, failed, None, is_revealed=True, language="en")
    assert board["groups"][0]["bars"]
    assert question.describe_result(failed, 0, "en")["headline"]
    assert question.build_next_spec(failed)["round"] == 2


# --- Rounds ---


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.to_spec()["kind"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_rounds(game, language):
    """A game goes through its rounds; theory and its marks come only after the last one, and averages are remembered."""
    question, earlier, rng = ask(game), [], Random(4)
    while True:
        answers = {seat: question.pick_answer(seat, rng) for seat in range(25)}
        assert all(question.parse_answer(seat, answer) == answer for seat, answer in answers.items())
        result = json.loads(json.dumps(question.score(answers, language)))
        board = question.build_board(answers, result, {}, is_revealed=True, language=language, earlier=earlier)
        assert sum(bar["count"] for bar in board["groups"][0]["bars"]) == 25
        assert len(board["earlier"]) == len(earlier)
        following = question.build_next_spec(result)
        assert bool(board["equilibria"]) == (following is None)
        if following is not None:
            assert "equilibrium" not in list_marks(board)
            assert following["history"][-1] == result["average"]
            earlier.append(board)
            question = ask(following)
        else:
            break
    assert [question.prepared["round"], len(question.prepared["history"])] == [3, 2]


def test_another_round_of_an_auction_has_other_values():
    """Values stay the same in a restarted process, and are drawn anew in the next round."""
    first = ask(FirstPriceAuction())
    second = ask(first.build_next_spec(first.score(answer_all(first, [1, 2]), "en")))
    values = [[question.get_value(seat) for seat in range(30)] for question in (first, load_question(first.spec, first.prepared), second)]
    assert values[0] == values[1] != values[2]
    assert all(0 <= value <= 100 for value in values[0])


def test_nobody_can_work_out_the_values_of_others():
    """The values do not follow from the spec, so nobody can find them by trying seeds; the next round says nothing about this one."""
    spec = {**FirstPriceAuction().to_spec(), "seed": 7, "secret": "x"}
    first, second = ask(spec), ask(spec)
    assert [first.get_value(seat) for seat in range(30)] != [second.get_value(seat) for seat in range(30)]
    assert first.prepared["secret"] not in json.dumps(first.build_next_spec(None))


def test_a_phone_reads_only_its_own_value():
    """The form of a seat has its own value as a fact, and nothing about the secret."""
    question = ask(SecondPriceAuction())
    for seat in range(20):
        form = question.build_form(seat, "en")
        assert str(question.get_value(seat)) in form["facts"][-1]
        assert question.prepared["secret"] not in json.dumps(form)


# --- What is shown ---


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.to_spec()["kind"])
def test_nothing_is_marked_before_the_reveal(game):
    """Shares are shown when the answers have stopped; marks, targets and payoffs wait for the reveal."""
    question = ask({**game.to_spec(), "rounds": 1})
    hidden, shown = (show(question, [3, 20, 20, 8], is_revealed=is_revealed) for is_revealed in (False, True))
    assert not list_marks(hidden)
    assert not hidden["equilibria"]
    assert set(hidden["lines"]) < set(shown["lines"])
    assert "equilibrium" in list_marks(shown)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.to_spec()["kind"])
def test_theory_waits_for_the_last_attempt(game):
    """A game that the class will play again shows neither the equilibrium nor its marks, although it is the last round."""
    shown = show(ask({**game.to_spec(), "rounds": 1, "again": True}), [3, 20, 20, 8], is_revealed=True)
    assert not shown["equilibria"]
    assert "equilibrium" not in list_marks(shown)
    assert shown["lines"]


def test_bins_of_guesses():
    """Bins have sensible limits, and the last one includes the maximum."""
    bars = show(ask(Guess()), [0, "9.9", 10, 100], is_revealed=False)["groups"][0]["bars"]
    assert [bars[0]["label"], bars[1]["label"], bars[-1]["label"]] == ["0–9", "10–19", "90–100"]
    assert [bars[0]["count"], bars[1]["count"], bars[-1]["count"]] == [2, 1, 1]


def test_forms_do_not_depend_on_other_answers():
    """The next round's form is the same whatever the class has answered before."""
    question = ask(Guess())
    forms = {
        json.dumps(ask(question.build_next_spec(question.score(answer_all(question, numbers), "en"))).build_form(0, "en"))
        for numbers in ([1, 2], [50, 60])
    }
    assert len(forms) == 1


def test_the_teachers_own_title_and_text():
    """A spec may have its own title and text, in one language or in several."""
    question = ask({**Guess().to_spec(), "title": {"en": "Beauty", "lt": "Grožis"}, "text": "Think."})
    form = question.build_form(0, "lt")
    assert (form["title"], form["text"]) == ("Grožis", "Think.")


# --- Answers and specs that are refused ---


@pytest.mark.parametrize(
    ("typed", "number"), [("33.5", "33.5"), ("33,5", "33.5"), (" 100/3 ", "100/3"), (7, "7"), (2.5, "2.5"), ("½", "0.5"), ("050", "50")]
)
def test_numbers_in_usual_notations(typed, number):
    """Decimals with a comma or a point and fractions are read, and stored in one form."""
    assert ask(Guess()).parse_answer(0, {"number": typed}) == {"number": number}


@pytest.mark.parametrize(
    "answer",
    [
        *(
            {"number": typed}
            for typed in ("", "many", "-1", "100.5", "1" * 21, "9^9^9^9", "1/1001", "0.12345", True, None, [3], float("nan"))
        ),
        *({"number": typed} for typed in (float("inf"), 10**300, 2**20_000, "ab" * 3000)),
        None,
        3,
        [],
        {},
        {"text": "3"},
    ],
    ids=lambda answer: str(answer)[:20] if not isinstance(answer, dict) else "",
)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.to_spec()["kind"])
def test_refused_answers(game, answer):
    """Other answers are refused with a sentence in each language."""
    with pytest.raises(AnswerError) as caught:
        ask(game).parse_answer(0, answer)
    assert len({caught.value.to_text(language) for language in LANGUAGES}) == 3


def test_whole_numbers_only():
    """Gifts are whole, and bids have at most two decimals."""
    with pytest.raises(AnswerError):
        ask(PublicGoods()).parse_answer(0, {"number": "2.5"})
    with pytest.raises(AnswerError):
        ask(FirstPriceAuction()).parse_answer(0, {"number": "1/3"})


@pytest.mark.parametrize(
    "build",
    [
        lambda: Guess(fraction="3/2"),
        lambda: Guess(fraction="two"),
        lambda: Guess(rounds=0),
        lambda: Guess(maximum=1.5),
        lambda: PublicGoods(multiplier=-1),
        lambda: PublicGoods(group_size=1),
        lambda: PublicGoods(endowment="x"),
        lambda: FirstPriceAuction(lowest=50, highest=50),
        lambda: SecondPriceAuction(rounds=1000),
    ],
)
def test_refused_games(build):
    """A game that cannot be asked is refused when the teacher makes it."""
    with pytest.raises(SpecError):
        build().to_spec()


@pytest.mark.parametrize("kind", QUESTION_CLASSES)
def test_a_short_spec_has_default_values(kind):
    """A spec may leave out everything but its kind; bad rounds and histories are refused."""
    assert ask({"kind": kind}).build_form(0, "en")["type"] == "number"
    for extra in ({"round": 4}, {"history": "all"}, {"history": ["x"]}, {"rounds": True}):
        with pytest.raises(SpecError):
            ask({"kind": kind, **extra})


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.to_spec()["kind"])
def test_a_large_class_is_scored_quickly(game):
    """300 students are scored in 50 ms on an idle machine; the test allows a busy one."""
    question, rng = ask(game), Random(1)
    answers = {seat: question.pick_answer(seat, rng) for seat in range(300)}
    seconds = []
    for _ in range(3):
        start = time.process_time()
        question.score(answers, "en")
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.05


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.to_spec()["kind"])
def test_rows_of_data(game):
    """An answer is one row with the number as its choice."""
    question = ask(game)
    [row] = question.list_choices(0, {"number": "7"})
    assert (row["choice"], row["probability"]) == ("7", "1")
