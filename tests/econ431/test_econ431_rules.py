"""Test the first three questions for two hundred students: right answers follow text 003, and wrong ones are explained."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from econ431_games import card_codes, find_facts
from econ431_students import HOMEWORK, RANKS, STUDENTS, beats, scaled, tasks

from durak_widget import Game
from durak_widget.econ431.endgame_positions import PRESET, load_positions, pick_position, swap_seats
from durak_widget.grading.answer_grading import compute_credit
from series.test_series_possible import why_impossible

ANSWERED = {"moves": (5, 2), "what-beats-what": (7, 3)}
"""The number of cards, and how many of them are right."""


@pytest.fixture(scope="module", params=ANSWERED)
def question_tasks(request):
    """Return a question, and each student's task."""
    return request.param, tasks(request.param)


def cards(quiz) -> list[str]:
    """Return the cards that can be picked."""
    return [item for item, _ in quiz.view_model()["items"]]


def by_text_003(name: str, quiz) -> set[str]:
    """Return the right cards by text 003: ranks on the table, or higher cards of the suit and trumps."""
    sheet = quiz.view_model()
    if name == "moves":
        ranks = {card.rank for pair in quiz._game.table for card in pair if card}
        return {card for card in cards(quiz) if card[0] in ranks}
    return {card for card in cards(quiz) if beats(card, sheet["target"], sheet["trump"])}


def test_the_player_to_move_and_their_moves_follow_text_003():
    """They are read from the question's words alone: who leads, beats, picks up, goes on or stops."""
    for quiz in tasks("players"):
        facts = find_facts("players.asked", quiz.question)
        lying, hand, others = (card_codes(facts[which]) for which in ("table", "hand", "others"))
        seats, trumps = (facts["one"].lower(), facts["other"].lower()), facts["suit"]
        assert sorted(seats) == ["player 1", "player 2"]
        assert {len(hand), len(others)} <= {2, 3, 4, 5, 6}
        if not lying:
            right = f"{seats[0]} attack"
        elif len(lying) == 1:
            beating = any(beats(card, lying[0], trumps[0]) for card in others)
            right = f"{seats[1]} {'beat' if beating else 'take'}"
        else:
            assert beats(lying[1], lying[0], trumps[0])
            assert {card[0] for card in lying} & {card[0] for card in hand}
            right = f"{seats[0]} throw"
        for option, _ in quiz.view_model()["items"]:
            assert bool(quiz.answer(option)) is (option == right)
            wrong = "moves" if option.split()[:2] == right.split()[:2] else "other"
            assert quiz.mistake_name == ("" if option == right else f"class.econ431.players.{wrong}")
        assert quiz.solution == [right]


def test_the_player_to_move_cannot_be_guessed():
    """Each of eight answers is right for some fifteen students or more, and almost all tasks differ."""
    quizzes = tasks("players")
    counts = Counter(quiz.solution[0] for quiz in quizzes)
    assert {len(quiz.view_model()["items"]) for quiz in quizzes} == {len(counts)} == {8}
    assert min(counts.values()) >= scaled(15)
    assert len({quiz.question for quiz in quizzes}) >= scaled(195)


def test_right_answers_follow_text_003(question_tasks):
    """The key is the only accepted set of cards."""
    name, quizzes = question_tasks
    for number, quiz in enumerate(quizzes):
        right = by_text_003(name, quiz)
        assert set(quiz.solution) == right
        every = [set(some) for size in range(len(cards(quiz)) + 1) for some in combinations(cards(quiz), size)]
        for some in every if number < 3 else Random(number).sample(every, 5):
            assert bool(quiz.answer(list(some))) is (some == right)


def test_tasks_are_equally_hard_and_almost_all_different(question_tasks):
    """Cards and right answers are equally many; at most ten of two hundred students share a task."""
    name, quizzes = question_tasks
    assert {(len(cards(quiz)), len(quiz.solution)) for quiz in quizzes} == {ANSWERED[name]}
    assert len({(tuple(cards(quiz)), quiz.question, str(quiz._game and quiz._game.position)) for quiz in quizzes}) >= scaled(190)
    assert max(Counter(tuple(quiz.solution) for quiz in quizzes).values()) <= 10  # a neighbour's answer is wrong


def test_every_question_has_tempting_wrong_cards():
    """One rank is only in the defence, one trump does not fit, and two higher cards have other suits."""
    for quiz in tasks("moves"):
        game, wrong = quiz._game, set(cards(quiz)) - set(quiz.solution)
        attacks, defence = ({card.rank for card in side if card} for side in zip(*game.table, strict=True))
        assert {card[0] for card in quiz.solution} & (defence - attacks)
        assert any(card[1] == str(game.trump) for card in wrong)
    for quiz in tasks("what-beats-what"):
        target, trump = quiz.view_model()["target"], quiz.view_model()["trump"]
        wrong = sorted(set(cards(quiz)) - set(quiz.solution))
        assert Counter("same" if card[1] == target[1] else "higher" if RANKS.index(card[0]) > RANKS.index(target[0]) else "equal" for card in wrong) == {"same": 1, "higher": 2, "equal": 1}  # fmt: skip
        assert any(card[1] == trump and RANKS.index(card[0]) <= RANKS.index(target[0]) for card in quiz.solution)


def test_the_explanation_of_the_player_to_move_is_true():
    """The attacker goes on or stops, the defender beats or picks up, and drawing is no one's choice."""
    for quiz in tasks("moves"):
        game = quiz._game
        assert (game.actor, {move.verb for move in game.legal_moves()}) == (game.attacker, {"throw", "pass"})
        for move in game.legal_moves():
            after = game.copy()
            after.play(move)
            if move.verb == "pass":
                assert (len(after.talon) < len(game.talon)) is (min(map(len, game.hands)) < game.rules.hand_size)
                continue
            [(target, _)] = [pair for pair in after.table if pair[1] is None]
            beating = {f"beat {target} {card}" for card in after.hands[after.actor] if beats(str(card), str(target), str(game.trump))}
            assert (after.actor, set(map(str, after.legal_moves()))) == (game.defender, {"take", *beating})
            assert after.talon == game.talon


def test_every_wrong_card_is_explained_and_missing_cards_are_counted(question_tasks):
    """Reasons are another rank, another suit or too low."""
    name, quizzes = question_tasks
    for quiz in quizzes:
        right = quiz.solution
        for card in set(cards(quiz)) - set(right):
            quiz.answer([*right, card])
            expected = "rank_not_on_table" if name == "moves" else "too_low" if card[1] == quiz.view_model()["target"][1] else "wrong_suit"
            assert quiz.mistake_name == f"refusal.{expected}"
            assert quiz.view_model()["marks"][card] == "wrong"
        quiz.answer(right[1:])
        assert quiz.mistake_name == "missed"


def test_half_right_answers_earn_half_and_picking_all_earns_little(question_tasks):
    """A wrong card cancels a right one."""
    for quiz in question_tasks[1]:
        right, wrong = quiz.solution, [card for card in cards(quiz) if card not in quiz.solution]
        for given in ([], right[:1], [*right[:1], wrong[0]], [*right, wrong[0]], cards(quiz), right):
            quiz.answer(given)
            found = sum(card in right for card in given) - sum(card in wrong for card in given)
            most = len(right) - (set(given) != set(right))
            assert compute_credit(quiz) == Fraction(min(max(found, 0), most), len(right))


def test_positions_are_possible():
    """All cards exist, two are discarded at a time, and nobody has too few, in any suits and roles."""
    for which in ("moves", "draw", "values", "take"):
        for line in load_positions(which):
            game = Game.from_position_line(f"{PRESET}: {line}")
            lying = [card for pair in game.table for card in pair if card]
            assert sum(map(len, (*game.hands, lying, game.talon, game.discard))) == 23
            assert game.turn_up is not None
            assert game.turn_up.suit == str(game.trump)
            assert why_impossible(game) == ""
        for number in range(50):
            game = pick_position(Random(number), which)
            assert why_impossible(game) == ""


def test_swapping_the_players_twice_changes_nothing():
    """Only the players are exchanged."""
    for line in load_positions("take"):
        game, other = (Game.from_position_line(f"{PRESET}: {position}") for position in (line, swap_seats(line)))
        assert (game.hands, game.attacker, game.table) == (other.hands[::-1], 1 - other.attacker, other.table)
        assert Game.from_position_line(f"{PRESET}: {swap_seats(swap_seats(line))}").position == game.position


def test_questions_are_complete_in_every_language():
    """No words of another language appear."""
    for name in ("players", *ANSWERED):
        quiz = tasks(name)[0]
        texts = []
        for language in ("en", "ru", "lt"):
            quiz.language = language
            quiz.answer(quiz.solution)
            texts.append((quiz.question, *quiz._build_verdict().sentences))
        assert len({text[0] for text in texts}) == len({text[-1] for text in texts}) == 3


def test_minus_signs_are_read_as_minus():
    """They are as long as on the tree; after a dash they count twice: “с Q♥ — −14/3”."""
    for question in HOMEWORK.questions:
        quiz = HOMEWORK.create_exercise(question.name, STUDENTS[0])
        for language in ("en", "ru", "lt"):
            quiz.language = language
            assert not re.search(r"[–—] ?−|(?<![\w-])-\d", quiz.question), quiz.question
