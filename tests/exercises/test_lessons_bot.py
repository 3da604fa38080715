"""Test bots as answers: the pairs of games, the score, errors, and the accepted forms."""

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


def play_all(bot, instance: PairedGames) -> list[int]:
    """Return the results of all games, played again by `bots.play` alone."""
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
def test_the_games_follow_from_the_seed_with_each_deal_twice(bot):
    """Wins, losses, the mean over pairs and its standard error are computed again."""
    score, results = play_paired_games(bot, FEW), play_all(bot, FEW)
    pairs = [Fraction(won + other, 2) for won, other in zip(results[::2], results[1::2], strict=True)]
    mean = sum(pairs) / len(pairs)
    assert (score.won, score.lost, score.tied) == (results.count(1), results.count(-1), 0)
    assert score.mean_result == mean
    assert score.standard_error == pytest.approx(sqrt(sum((pair - mean) ** 2 for pair in pairs) / (len(pairs) - 1) / len(pairs)))
    assert play_paired_games(bot, FEW) == score


def test_both_players_get_the_same_cards():
    """A deterministic bot against itself wins from one side what it loses from the other."""
    for habits in ALL[::17]:
        by_itself = [
            bots.play(Game("econ431", seed=f"{FEW.seed} {deal}"), [habits, habits], 1).outcome.winners for deal in range(FEW.deals)
        ]
        assert all(len(result) == 1 for result in by_itself)
    assert play_paired_games("first", FEW).mean_result == 0 == play_baseline_games(FEW).mean_result
    assert play_paired_games("first", FEW)._replace(standard_error=0) == play_baseline_games(FEW)


def test_a_bots_randomness_follows_from_the_deal():
    """It plays the same again, and can't find the deck from it."""
    seen = []

    def choose(view, rng):
        seen.append(rng.random())
        return view.legal_moves()[0]

    play_paired_games(choose, FEW._replace(deals=1))
    seeds = list(seen)
    seen.clear()
    play_paired_games(choose, FEW._replace(deals=1))
    assert seen == seeds
    assert seeds[0] == create_player_rng("tests 0", 0).random()


def test_every_mix_of_habits_plays_whole_games():
    """All moves are legal, and all games end."""
    for habits in ALL[:: tried(9, 1)]:
        score = play_paired_games(habits, FEW._replace(deals=3))
        assert score.won + score.lost == 6
        assert not score.faults


def test_every_habit_changes_some_game():
    """No two rows of rules mean the same."""
    for habit, rules in HABITS.items():
        for habits, other in product(rules, repeat=2):
            if habits < other:
                base = GOOD | ({"lead": "high"} if habit != "lead" else {})
                ways = [parse_habits(base | {habit: rule}) for rule in (habits, other)]
                assert any(
                    bots.play(Game("econ431", seed=seed), [ways[0], "careful"], 1).moves
                    != bots.play(Game("econ431", seed=seed), [ways[1], "careful"], 1).moves
                    for seed in range(60)
                ), (habit, habits, other)


def test_any_object_with_a_choose_method_is_a_bot():
    """An example asks another process. It earns what it wins."""

    class Far:
        name = "the code"

        def choose(self, view, rng):
            return str(rng.choice(view.legal_moves()))

    quiz = BotExercise(7, pairs=6, seed="tests")
    quiz.answer(Far())
    assert quiz.last_answer == "the code"
    assert compute_credit(quiz) == quiz.credit
    assert quiz.score == play_paired_games("random", quiz.paired_games)


# Errors


def raises(view):
    """Raise an error."""
    raise ZeroDivisionError("oh no")


def cheats(view):
    """Play a card that it doesn't have."""
    return "attack Xr"


def leaves(view):
    """Exit the process."""
    raise SystemExit(3)


def test_an_error_of_a_bot_loses_the_game_and_is_reported():
    """The message exists in every language, and nothing is raised."""
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


def test_a_slow_bot_loses_the_remaining_games():
    """A message says so, and earlier games count."""
    score = play_paired_games("careful", FEW, seconds=0)
    assert score.lost == 24
    assert [fault.kind for fault in score.faults] == ["slow"]


def test_an_interrupt_stops_the_games():
    """Interrupting the kernel works."""

    def stops(view, rng):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_paired_games(stops, FEW)


def test_invalid_game_settings_are_refused():
    """The message says what is wrong."""
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


def test_credit_grows_linearly_from_the_first_move_bot_to_the_goal():
    """It never exceeds full marks."""
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


def test_a_goal_below_the_first_move_bot_gives_all_or_nothing():
    """There is no partial credit."""
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


def test_a_bot_is_accepted_in_many_forms():
    """The kept form is judged the same, also after a file."""
    for form in FORMS:
        quiz = BotExercise(12, pairs=6, seed="tests")
        quiz.answer(form)
        assert quiz.attempt_count == 1
        assert quiz.last_answer is not None
        if not callable(form):  # a lambda has no source of its own
            other = BotExercise(12, pairs=6, seed="tests")
            other.answer(json.loads(json.dumps(quiz.last_answer)))
            assert other.score == quiz.score


def lowest(view):
    """Play the lowest card, as a student's function."""
    return view.legal_moves()[0]


def test_a_function_is_kept_as_its_source():
    """It has the required name, so it runs elsewhere."""
    quiz = BotExercise(12, pairs=6, seed="tests")
    quiz.defer_grading()
    quiz.answer(lowest)
    assert quiz.last_answer["code"].endswith("choose = lowest\n")
    other = BotExercise(12, pairs=6, seed="tests")
    other.answer(quiz.last_answer)
    assert other.score == play_paired_games("first", other.paired_games)


def test_invalid_bots_are_refused_and_count_as_no_try():
    """The earlier answer stays."""
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


def test_a_row_without_a_rule_is_reported_on_the_page():
    """The message is in the page language."""
    quiz = BotExercise(12, pairs=6, seed="tests")
    with pytest.raises(RefusedError) as refused:
        quiz.answer(["lead:low"])
    assert str(refused.value) == get_language("en").sentences["lesson.bot.missing"]


def test_graded_answers_play_no_games():
    """No program runs, and the page says nothing on the goal."""
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
    assert quiz.view_model()["answer"] == [f"{habit}:{rule}" for habit, rule in GOOD.items()]


def test_a_goal_must_be_a_possible_number_of_games():
    """Others are refused."""
    for goal in [0, -1, 13, "many", 1.5, None]:
        with pytest.raises(DurakError):
            BotExercise(goal, pairs=6)


def test_ties_count_half():
    """Some rules have ties."""
    quiz = lessons.Bot(6, rules="podkidnoy, suits=cd, ranks=6789, hand_size=2", pairs=40, seed="tests", opponent="careful")
    quiz.answer("random")
    score = quiz.score
    assert score.tied
    assert score.mean_result == Fraction(score.won - score.lost, 80)
    assert str(score.tied) in quiz.answer("random").sentences[1]
