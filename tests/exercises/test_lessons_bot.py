"""A bot judged by games in pairs: what the games are, what is counted, what is said of what goes wrong, and in which forms it is given."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from math import sqrt
from random import Random

import pytest

from durak_widget import Game, bots, lessons
from durak_widget.bots.bot import create_player_rng
from durak_widget.engine.moves import IllegalMove
from durak_widget.errors import DurakError
from durak_widget.exercises.bot_exercise import BotExercise, play_baseline_games
from durak_widget.exercises.duplicate_bot_games import PairedGames, play_paired_games
from durak_widget.exercises.habit_bot import HABITS, HabitBot, parse_habits
from durak_widget.grading.answer_grading import compute_credit
from durak_widget.i18n import get_language
from durak_widget.translated_errors import RefusedError
from support.sizes import tried

FEW = PairedGames("econ431", "first", 12, "tests")
GOOD = {"lead": "low", "beat": "low", "take": "never", "throw": "plain"}
ALL = [HabitBot(*rules) for rules in product(*HABITS.values())]


def by_hand(bot, instance: PairedGames) -> list[int]:
    """The results of all games, played once more by `bots.play` alone."""
    found = []
    for deal in range(instance.deals):
        for seat in (0, 1):
            game = Game(instance.rules, seed=f"{instance.seed} {deal}")
            seated = [bots.get(instance.opponent)] * 2
            seated[seat] = bots.get(bot)
            while (actor := game.actor) is not None:
                game.play(seated[actor].choose(game.view(actor), Random(1)))
            found.append(1 if seat in game.outcome.winners else -1)
    return found


@pytest.mark.parametrize("bot", ["careful", "first", HabitBot("pair", "rank", "trump", "all")])
def test_the_games_are_those_of_the_seed_each_deal_twice(bot):
    """Counted anew: wins, losses, the average over pairs, and its standard error."""
    score, results = play_paired_games(bot, FEW), by_hand(bot, FEW)
    pairs = [Fraction(one + other, 2) for one, other in zip(results[::2], results[1::2], strict=True)]
    mean = sum(pairs) / len(pairs)
    assert (score.won, score.lost, score.tied) == (results.count(1), results.count(-1), 0)
    assert score.mean_result == mean
    assert score.standard_error == pytest.approx(sqrt(sum((one - mean) ** 2 for one in pairs) / (len(pairs) - 1) / len(pairs)))
    assert play_paired_games(bot, FEW) == score


def test_both_seats_get_the_same_cards():
    """Against itself a bot without chance wins from one seat just what it loses from the other."""
    for habits in ALL[::17]:
        by_itself = [
            bots.play(Game("econ431", seed=f"{FEW.seed} {deal}"), [habits, habits], 1).outcome.winners for deal in range(FEW.deals)
        ]
        assert all(len(one) == 1 for one in by_itself)
    assert play_paired_games("first", FEW).mean_result == 0 == play_baseline_games(FEW).mean_result
    assert play_paired_games("first", FEW)._replace(standard_error=0) == play_baseline_games(FEW)


def test_a_bot_has_its_chance_from_the_deal_alone():
    """So it plays the same again, and cannot tell the deck from it."""
    seen = []

    def choose(view, rng):
        seen.append(rng.random())
        return view.legal_moves()[0]

    play_paired_games(choose, FEW._replace(deals=1))
    drawn = list(seen)
    seen.clear()
    play_paired_games(choose, FEW._replace(deals=1))
    assert seen == drawn
    assert drawn[0] == create_player_rng("tests 0", 0).random()


def test_every_mix_of_habits_plays_whole_games():
    """Whatever is chosen, its moves are legal and its games end."""
    for habits in ALL[:: tried(9, 1)]:
        score = play_paired_games(habits, FEW._replace(deals=3))
        assert score.won + score.lost == 6
        assert not score.faults


def test_each_rule_is_one_that_changes_something():
    """Any two bots that differ in one habit play some game differently; so no row of rules says the same twice."""
    for habit, rules in HABITS.items():
        for one, other in product(rules, repeat=2):
            if one < other:
                base = GOOD | ({"lead": "high"} if habit != "lead" else {})
                ways = [parse_habits(base | {habit: rule}) for rule in (one, other)]
                assert any(
                    bots.play(Game("econ431", seed=seed), [ways[0], "careful"], 1).moves
                    != bots.play(Game("econ431", seed=seed), [ways[1], "careful"], 1).moves
                    for seed in range(60)
                ), (habit, one, other)


def test_an_object_that_chooses_is_a_bot_whatever_else_it_is():
    """Such as one that asks another process; it earns what it wins."""

    class Far:
        name = "the code"

        def choose(self, view, rng):
            return str(rng.choice(view.legal_moves()))

    quiz = BotExercise(7, pairs=6, seed="tests")
    quiz.answer(Far())
    assert quiz.last_answer == "the code"
    assert compute_credit(quiz) == quiz.credit
    assert quiz.score == play_paired_games("random", quiz.paired_games)


# What goes wrong


def raises(view):
    """It breaks off."""
    raise ZeroDivisionError("oh no")


def cheats(view):
    """A card that it does not hold."""
    return "attack Xr"


def leaves(view):
    """It would end whoever runs it."""
    raise SystemExit(3)


def test_what_a_bot_breaks_off_is_lost_and_said():
    """In a sentence of any language; nothing is raised."""
    for code in ["lt"]:
        for bot in [raises, cheats, leaves]:
            quiz = BotExercise(12, pairs=6, seed="tests", language=code)
            verdict = quiz.answer(bot)
            assert not verdict
            assert (quiz.score.won, quiz.score.lost) == (0, 12)
            assert quiz.credit == 0
            [fault] = quiz.score.faults
            assert (fault.kind, fault.games) == ("raised", 12)
            assert any("12" in line and fault.error_text in line for line in verdict.sentences)


def test_a_bot_that_thinks_too_long_loses_what_is_left():
    """And says so; what it has played before counts."""
    score = play_paired_games("careful", FEW, seconds=0)
    assert score.lost == 24
    assert [fault.kind for fault in score.faults] == ["slow"]


def test_whoever_interrupts_is_heard():
    """A person who stops the kernel stops the games."""

    def stops(view, rng):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_paired_games(stops, FEW)


def test_what_names_no_games_is_refused():
    """In a sentence."""
    for given in [
        None,
        {},
        {"rules": "econ431"},
        FEW._replace(deals=0)._asdict(),
        FEW._replace(deals=10**9)._asdict(),
        FEW._replace(rules="players=3")._asdict(),
    ]:
        with pytest.raises(DurakError):
            play_paired_games("first", given)


# As an exercise


def test_credit_grows_from_the_first_move_bot_to_the_goal():
    """In proportion, and never beyond."""
    quiz = BotExercise(24, pairs=12, seed="tests")
    seen = set()
    for habits in ALL[::5]:
        quiz.answer(habits._asdict())
        won = quiz.score.won
        assert quiz.credit == min(max(Fraction(won - 12, 12), 0), 1)
        seen.add(quiz.credit)
    assert {Fraction(0)} < seen
    quiz.answer("first")
    assert quiz.credit == 0
    quiz.answer("careful")
    easy = BotExercise(quiz.score.won, pairs=12, seed="tests")
    assert easy.answer(GOOD)
    assert easy.credit == 1


def test_a_goal_below_the_first_move_bot_is_all_or_nothing():
    """There is no way to go."""
    quiz = BotExercise(10, pairs=12, seed="tests")
    assert quiz.answer("first")
    assert quiz.credit == 1
    quiz.answer(raises)
    assert quiz.credit == 0


FORMS = [
    GOOD,
    [f"{habit}:{rule}" for habit, rule in GOOD.items()],
    "careful",
    bots.get("careful"),
    lambda view: view.legal_moves()[0],
    lambda view, rng: rng.choice(view.legal_moves()),
    {"code": "def choose(view):\n    return view.legal_moves()[0]"},
    {"code": "def choose(view, rng):\n    return view.legal_moves()[-1]"},
]


def test_a_bot_is_given_in_many_forms():
    """And what is kept of it judges alike, after a file too."""
    for form in FORMS:
        quiz = BotExercise(12, pairs=6, seed="tests")
        quiz.answer(form)
        assert quiz.attempt_count == 1
        assert quiz.last_answer is not None
        if not callable(form):  # a lambda has no text of its own
            other = BotExercise(12, pairs=6, seed="tests")
            other.answer(json.loads(json.dumps(quiz.last_answer)))
            assert other.score == quiz.score


def lowest(view):
    """A function of a student's."""
    return view.legal_moves()[0]


def test_a_function_is_kept_as_its_text():
    """Under the name that is asked for, so that it can be run elsewhere."""
    quiz = BotExercise(12, pairs=6, seed="tests")
    quiz.defer_grading()
    quiz.answer(lowest)
    assert quiz.last_answer["code"].endswith("choose = lowest\n")
    other = BotExercise(12, pairs=6, seed="tests")
    other.answer(quiz.last_answer)
    assert other.score == play_paired_games("first", other.paired_games)


def test_what_is_no_bot_is_refused_and_no_try():
    """In a sentence; what stood there before stands."""
    for form in [
        7,
        object(),
        "carefull",
        {"lead": "low"},
        {"lead": "lwo"},
        {"lean": "low"},
        [7],
        [],
        {"code": 7},
        {"code": "def choose(view: oops"},
        {"code": "1 / 0"},
        {"code": "x = 1"},
        {"code": "raise SystemExit"},
        BotExercise,
    ]:
        quiz = BotExercise(12, pairs=6, seed="tests")
        quiz.answer("first")
        with pytest.raises((DurakError, IllegalMove)) as refused:
            quiz.answer(form)
        assert len(str(refused.value)) > 20
        assert (quiz.attempt_count, quiz.last_answer) == (1, "first")


def test_a_row_without_a_rule_is_said_on_the_page():
    """In the language of the page."""
    quiz = BotExercise(12, pairs=6, seed="tests")
    with pytest.raises(RefusedError) as refused:
        quiz.answer(["lead:low"])
    assert str(refused.value) == get_language("en").sentences["lesson.bot.missing"]


def test_where_answers_are_kept_nothing_is_played():
    """Nor is the text of a program run, nor anything said of the goal."""
    quiz = BotExercise(12, pairs=6, seed="tests")
    quiz.defer_grading()
    for form in (GOOD, "careful", {"code": "1 / 0"}):
        verdict = quiz.answer(form)
        assert quiz.score is None
        assert quiz.last_answer == form
        assert not any(sign.isdigit() for line in verdict.sentences for sign in line)
    with pytest.raises(RefusedError):
        quiz.reveal()
    with pytest.raises(RefusedError):
        _ = quiz.solution
    assert "data-answer" not in quiz.static_mimebundle()["text/html"]
    quiz.restore_answer(GOOD)
    assert quiz.view_model()["given"] == [f"{habit}:{rule}" for habit, rule in GOOD.items()]


def test_a_goal_is_so_many_of_the_games():
    """Others are refused."""
    for goal in [0, -1, 13, "many", 1.5, None]:
        with pytest.raises(DurakError):
            BotExercise(goal, pairs=6)


def test_draws_count_half():
    """Under rules that have them."""
    quiz = lessons.Bot(6, rules="podkidnoy, suits=cd, ranks=6789, hand_size=2", pairs=40, seed="tests", opponent="careful")
    quiz.answer("random")
    score = quiz.score
    assert score.tied
    assert score.mean_result == Fraction(score.won - score.lost, 80)
    assert str(score.tied) in quiz.answer("random").sentences[1]
