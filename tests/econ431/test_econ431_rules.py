"""The first three questions of the problem set, for two hundred students: what is right is what text 003 says, and every wrong answer is told why."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from class431 import HOMEWORK, RANKS, STUDENTS, beats, of_all, tasks

from durak_widget import Game
from durak_widget.econ431.endgame_positions import PRESET, load_positions, pick_position, swap_seats
from durak_widget.grading.answer_grading import compute_credit
from series.test_series_true import why_never

ANSWERED = {"moves": (5, 2), "what-beats-what": (7, 3)}
"""Of so many cards so many are right."""


@pytest.fixture(scope="module", params=ANSWERED)
def asked(request):
    """A question, and what each of the students is asked."""
    return request.param, tasks(request.param)


def cards(quiz) -> list[str]:
    """What can be picked."""
    return [item for item, _ in quiz.view_model()["items"]]


def by_text(name: str, quiz) -> set[str]:
    """What text 003 says: ranks on the table, or a higher card of the suit and trumps."""
    sheet = quiz.view_model()
    if name == "moves":
        ranks = {card.rank for pair in quiz._game.table for card in pair if card}
        return {card for card in cards(quiz) if card[0] in ranks}
    return {card for card in cards(quiz) if beats(card, sheet["target"], sheet["trump"])}


ASKED = re.compile(
    r"Player (\d) attacks and holds (.*), Player (\d) holds (.*)\. Trumps are (\w+)\. (.*) Who has to choose now, and between which moves\?"
)
FACE = re.compile(r"(10|[9JQKA])([♣♦♥♠])")


def on_paper(text: str) -> list[str]:
    """The cards that are named there."""
    return [rank.replace("10", "T") + "cdhs"["♣♦♥♠".index(suit)] for rank, suit in FACE.findall(text)]


def test_who_has_a_move_and_which_is_what_the_text_says():
    """Read from the words of the question alone: the attacker leads; what lies there is the defender's to beat or to take; then the attacker may go on, or stop."""
    for quiz in tasks("players"):
        attacker, hand, defender, others, trumps, table = ASKED.fullmatch(quiz.question).groups()
        lying, seats = on_paper(table), (f"player {attacker}", f"player {defender}")
        assert sorted(seats) == ["player 1", "player 2"]
        assert {len(on_paper(hand)), len(on_paper(others))} <= {2, 3, 4, 5, 6}
        if not lying:
            right = f"{seats[0]} attack"
        elif len(lying) == 1:
            beating = any(beats(card, lying[0], trumps[0]) for card in on_paper(others))
            right = f"{seats[1]} {'beat' if beating else 'take'}"
        else:
            assert beats(lying[1], lying[0], trumps[0])
            assert {card[0] for card in lying} & {card[0] for card in on_paper(hand)}
            right = f"{seats[0]} throw"
        for option, _ in quiz.view_model()["items"]:
            assert bool(quiz.answer(option)) is (option == right)
            wrong = "moves" if option.split()[:2] == right.split()[:2] else "other"
            assert quiz.mistake_name == ("" if option == right else f"class.econ431.players.{wrong}")
        assert quiz.solution == [right]


def test_who_has_a_move_is_no_guess():
    """Eight answers, of which each is right for some fifteen students or more; hardly two are asked the same."""
    quizzes = tasks("players")
    counts = Counter(quiz.solution[0] for quiz in quizzes)
    assert {len(quiz.view_model()["items"]) for quiz in quizzes} == {len(counts)} == {8}
    assert min(counts.values()) >= of_all(15)
    assert len({quiz.question for quiz in quizzes}) >= of_all(195)


def test_what_is_right_is_what_the_text_says(asked):
    """The model's answer is that of the rule read from the text, and no other set of cards is taken for right."""
    name, quizzes = asked
    for number, quiz in enumerate(quizzes):
        right = by_text(name, quiz)
        assert set(quiz.solution) == right
        every = [set(some) for size in range(len(cards(quiz)) + 1) for some in combinations(cards(quiz), size)]
        for some in every if number < 3 else Random(number).sample(every, 5):
            assert bool(quiz.answer(list(some))) is (some == right)


def test_all_are_equally_hard_and_hardly_two_are_asked_the_same(asked):
    """As many cards, as many right ones; of two hundred at most ten are asked what another is asked."""
    name, quizzes = asked
    assert {(len(cards(quiz)), len(quiz.solution)) for quiz in quizzes} == {ANSWERED[name]}
    assert len({(tuple(cards(quiz)), quiz.question, str(quiz._game and quiz._game.position)) for quiz in quizzes}) >= of_all(190)
    assert max(Counter(tuple(quiz.solution) for quiz in quizzes).values()) <= 10  # the answer of a neighbour is no answer


def test_every_question_has_its_traps():
    """Of the ranks that fit one lies there only in the defence, and a trump does not fit; of what does not beat, two are higher cards of other suits."""
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


def test_what_is_said_of_who_has_a_move_is_so():
    """Now the attacker alone, to go on or to end; once a card is to be beaten the defender alone, to beat where a card can, or to take; cards are drawn by nobody's choice, when the attack is over."""
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


def test_every_wrong_card_is_named_by_its_rule_and_a_missing_one_is_counted(asked):
    """A card of another rank, of another suit, or too low; and who leaves one out hears that."""
    name, quizzes = asked
    for quiz in quizzes:
        right = quiz.solution
        for card in set(cards(quiz)) - set(right):
            quiz.answer([*right, card])
            expected = "rank_not_on_table" if name == "moves" else "too_low" if card[1] == quiz.view_model()["target"][1] else "wrong_suit"
            assert quiz.mistake_name == f"refusal.{expected}"
            assert quiz.view_model()["marks"][card] == "wrong"
        quiz.answer(right[1:])
        assert quiz.mistake_name == "missed"


def test_half_right_is_half_the_credit_and_picking_all_earns_little(asked):
    """A wrong card takes back a right one."""
    for quiz in asked[1]:
        right, wrong = quiz.solution, [card for card in cards(quiz) if card not in quiz.solution]
        for given in ([], right[:1], [*right[:1], wrong[0]], [*right, wrong[0]], cards(quiz), right):
            quiz.answer(given)
            found = sum(card in right for card in given) - sum(card in wrong for card in given)
            most = len(right) - (set(given) != set(right))
            assert compute_credit(quiz) == Fraction(min(max(found, 0), most), len(right))


def test_positions_could_have_arisen():
    """Every card is somewhere, two go at a time, nobody has drawn too little; whatever suits and seats they come in."""
    for which in ("moves", "draw", "values", "take"):
        for line in load_positions(which):
            game = Game.from_position_line(f"{PRESET}: {line}")
            lying = [card for pair in game.table for card in pair if card]
            assert sum(map(len, (*game.hands, lying, game.talon, game.discard))) == 23
            assert game.turn_up is not None
            assert game.turn_up.suit == str(game.trump)
            assert why_never(game) == ""
        for number in range(50):
            game = pick_position(Random(number), which)
            assert why_never(game) == ""


def test_turned_twice_is_as_before():
    """Only the seats are exchanged."""
    for line in load_positions("take"):
        game, other = (Game.from_position_line(f"{PRESET}: {one}") for one in (line, swap_seats(line)))
        assert (game.hands, game.attacker, game.table) == (other.hands[::-1], 1 - other.attacker, other.table)
        assert Game.from_position_line(f"{PRESET}: {swap_seats(swap_seats(line))}").position == game.position


def test_questions_are_asked_in_every_language():
    """Nothing of one language stands in another."""
    for name in ("players", *ANSWERED):
        quiz = tasks(name)[0]
        said = []
        for language in ("en", "ru", "lt"):
            quiz.language = language
            quiz.answer(quiz.solution)
            said.append((quiz.question, *quiz._build_verdict().sentences))
        assert len({one[0] for one in said}) == len({one[-1] for one in said}) == 3


def test_a_minus_is_read_as_a_minus():
    """It is as long as on the tree, and behind no dash: “с Q♥ — −14/3” takes away twice."""
    for question in HOMEWORK.questions:
        quiz = HOMEWORK.create_exercise(question.name, STUDENTS[0])
        for language in ("en", "ru", "lt"):
            quiz.language = language
            assert not re.search(r"[–—] ?−|(?<![\w-])-\d", quiz.question), quiz.question
