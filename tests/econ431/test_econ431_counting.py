"""Test counting and probability for two hundred students: all hands are counted, and positions replayed."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, factorial, perm
from random import Random
from typing import Any

import pytest
from econ431_students import DECK, STUDENTS, beats, tasks

from durak_widget import Game
from durak_widget.analysis import worlds
from durak_widget.econ431.probability_questions import COUNTING_MISTAKES, COUNTING_QUESTIONS, PROBABILITY_MISTAKES
from durak_widget.exercises.card_probabilities import HiddenHand
from durak_widget.grading.answer_grading import compute_credit
from durak_widget.homework.answer_hashes import MIN_SEALABLE_ANSWERS, count_possible_answers
from support.sizes import tried

NAMED = {question.name: set(question.make(Random(1)).mistakes) for question in COUNTING_QUESTIONS}
"""Each question of the module with the mistakes of its instances; new ones are tested automatically."""


@pytest.fixture(scope="module", params=NAMED)
def question_tasks(request):
    """Return a question, and each student's task."""
    return request.param, tasks(request.param)


class Seen:
    """What a student can see in the picture and the question, as card codes."""

    def __init__(self, quiz: Any) -> None:
        game = quiz._game
        view = game.view(0)
        self.trump = str(game.trump)
        self.own = {str(card) for card in view.hand}
        self.laid = {str(card) for pair in view.table for card in pair if card}
        self.gone = {str(card) for card in game.discard}
        self.turned = {str(view.turn_up)}
        self.size, self.talon = view.counts[1], view.talon_count
        self.hidden = DECK - self.own - self.laid - self.gone - self.turned
        self.target = str(quiz._question.facts["card"])

    def good(self, card: str) -> bool:
        """Return whether it beats the card of the question."""
        return beats(card, self.target, self.trump)

    def held(self, hidden: Any = None, size: int = 0) -> Counter[int]:
        """Return how many hands have this many good cards, by going through all."""
        return Counter(sum(map(self.good, hand)) for hand in combinations(sorted(hidden or self.hidden), size or self.size))


def compute_by_hand(name: str, seen: Seen) -> dict[str, Fraction]:
    """Return the right number and each mistake's number, computed without the package."""
    hidden, size = sorted(seen.hidden), seen.size
    good, bad = [card for card in hidden if seen.good(card)], [card for card in hidden if not seen.good(card)]
    more = {"own": seen.own, "gone": seen.gone | seen.laid, "turned": seen.turned}
    more["seen"] = more["own"] | more["gone"] | more["turned"]
    suited = sum(card[1] == seen.target[1] for card in good)
    wider = {kind: (sum(map(seen.good, cards)) + len(good), len(hidden) + len(cards)) for kind, cards in more.items()}
    if name == "how-many-ways":
        two, three, orders = comb(len(good), 2), comb(len(bad), size - 2), factorial(seen.talon)
        return {
            "right": Fraction(two * three * orders),
            **{kind: Fraction(comb(g, 2) * comb(h - g, size - 2) * perm(h - size, seen.talon)) for kind, (g, h) in wider.items()},
            "ordered": Fraction(perm(size) * two * three * orders),
            "talon": Fraction(two * three),
            "every": Fraction(comb(len(hidden), size) * orders),
            "rest": Fraction(two * comb(len(hidden) - 2, size - 2) * orders),
            "least": Fraction(sum(comb(len(good), k) * comb(len(bad), size - k) for k in range(2, size + 1)) * orders),
            "sum": Fraction((two + three) * orders),
            "without_trumps": Fraction(comb(suited, 2) * comb(len(hidden) - suited, size - 2) * orders),
        }
    none = Fraction(comb(len(bad), size), comb(len(hidden), size))
    share = Fraction(len(good), len(hidden))
    return {
        "right": 1 - none,
        **{kind: 1 - Fraction(comb(h - g, size), comb(h, size)) for kind, (g, h) in wider.items()},
        "contrary": none,
        "with_replacement": 1 - (1 - share) ** size,
        "without_trumps": 1 - Fraction(comb(len(hidden) - suited, size), comb(len(hidden), size)),
        "one_card": share,
        "added": share * size,
        "exactly": Fraction(len(good) * comb(len(bad), size - 1), comb(len(hidden), size)),
    }


def test_every_named_mistake_belongs_to_a_question():
    """There is no mistake that can't occur."""
    assert {"how-many-ways": set(COUNTING_MISTAKES), "how-likely": set(PROBABILITY_MISTAKES)} == NAMED


def test_the_right_number_counts_all_hands(question_tasks):
    """The package uses a formula; the test deals every hand."""
    name, quizzes = question_tasks
    for quiz in quizzes:
        seen = Seen(quiz)
        held = seen.held()
        assert quiz.right == (held[2] * factorial(seen.talon) if name == "how-many-ways" else 1 - Fraction(held[0], held.total()))
        assert quiz.right == compute_by_hand(name, seen)["right"]


def test_mistakes_give_other_numbers_and_are_named(question_tasks):
    """Each number differs in every instance, and its mistake is named to the student."""
    name, quizzes = question_tasks
    for quiz in quizzes:
        expected = compute_by_hand(name, Seen(quiz))
        expected.pop("right")
        assert quiz.mistakes == expected
        for kind, value in expected.items():
            assert not quiz.answer(str(value))
            assert quiz.mistake_name.rpartition(".")[2] == kind
            assert compute_credit(quiz) == 0


def test_the_count_equals_the_worlds_of_the_analysis():
    """`analysis.worlds` also gives the probability that exactly two cards beat."""
    for quiz in tasks("how-many-ways")[:10]:
        seen, found = Seen(quiz), worlds(quiz._game.view(0))
        assert found.count() == quiz.mistakes["every"]
        assert len(seen.hidden) == seen.size + seen.talon
        two = HiddenHand(quiz._game, seat=0).build_probability_answer_key("", 2, 2, beats=seen.target).right
        assert two * found.count() == quiz.right


def test_there_are_too_many_possible_numbers_to_guess():
    """So homework may say at once whether the count is right."""
    for quiz in tasks("how-many-ways"):
        assert count_possible_answers(quiz) >= MIN_SEALABLE_ANSWERS


def test_a_right_number_is_accepted_in_every_notation(question_tasks):
    """Test fractions, decimals with point or comma, percent, and separators between thousands."""
    name, quizzes = question_tasks
    for quiz in quizzes:
        right = quiz.right
        if name == "how-many-ways":
            written = [str(right), f"{int(right):,}", f"{int(right):,}".replace(",", " "), int(right), right, f" {right} "]
        else:
            per_cent = f"{float(100 * right):.2f}"
            decimals = [f"{float(right):.{digits}f}" for digits in (2, 3, 4, 6)]
            written = [str(right), right, f"{right.numerator * 3} / {right.denominator * 3}", *decimals, decimals[2].replace(".", ",")]
            written += [decimals[1].lstrip("0"), f"{per_cent} %", f"{per_cent}%".replace(".", ",")]
        for notation in written:
            assert quiz.answer(notation), notation
            assert compute_credit(quiz) == 1


def test_tasks_are_equally_hard_and_almost_all_different(question_tasks):
    """Hands have the same size; known cards and most numbers differ."""
    name, quizzes = question_tasks
    shapes = set()
    for quiz in quizzes:
        seen = Seen(quiz)
        shapes.add(sum(map(seen.good, seen.hidden)))
        assert len(seen.own) == 5
        assert seen.size in (4, 5)
        assert 2 <= len(seen.gone) <= 10
        assert set(quiz.mistakes) == NAMED[name]
    assert shapes <= set(range(3 if name == "how-many-ways" else 2, 8))
    assert len({(quiz.question, quiz._game.position) for quiz in quizzes}) == len(STUDENTS)
    rights = Counter(quiz.right for quiz in quizzes)
    assert len(rights) >= tried(15, 24)
    assert max(rights.values()) <= 24


def test_positions_come_from_a_playable_game(question_tasks):
    """A prepared deck is played from its deal to the position shown."""
    for quiz in question_tasks[1]:
        game = quiz._game
        played = replay(game)
        for name in ("hands", "talon", "turn_up", "trump", "attacker", "actor", "table", "discard", "bout"):
            assert getattr(played, name) == getattr(game, name), name


def replay(game: Game) -> Game:
    """Play one bout after another; in each, one card is beaten and no more follows."""
    trump = str(game.trump)
    pairs = paired(sorted(map(str, game.discard)), trump)
    bouts, last = len(pairs), game.attacker
    starts = [last if (bouts - bout) % 2 == 0 else 1 - last for bout in range(bouts)]
    table_cards = [str(card) for pair in game.table for card in pair if card]
    comes: list[list[str]] = [[], []]
    for start, (attack, beat) in zip(starts, pairs, strict=True):
        comes[start].append(attack)
        comes[1 - start].append(beat)
    for seat, hand in enumerate(game.hands):
        comes[seat] += [str(card) for card in hand] + (table_cards if seat == last else [])
    first = starts[0]
    deck = [comes[seat][number] for number in range(5) for seat in (first, 1 - first)]
    for bout, start in enumerate(starts):
        deck += [comes[start][5 + bout], comes[1 - start][5 + bout]]  # the unsuccessful attacker draws first
    deck += [*map(str, game.talon), str(game.turn_up)]
    played = Game("econ431", deck=deck, dealer=1 - first)
    for attack, beat in pairs:
        for move in (f"attack {attack}", f"beat {attack} {beat}"):
            played.play(move)
        if played.table:
            played.play("pass")
    for card in table_cards:
        played.play(f"attack {card}")
    return played


def paired(cards: list[str], trump: str) -> list[tuple[str, str]]:
    """Return the discarded cards as attacks and the cards that beat them."""
    if not cards:
        return []
    first, *others = cards
    for other in others:
        rest = [card for card in others if card != other]
        for attack, beat in ((first, other), (other, first)):
            if beats(beat, attack, trump) and (len(rest) == 0 or paired(rest, trump)):
                return [(attack, beat), *paired(rest, trump)]
    return []
