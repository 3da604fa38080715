"""Test the problem set's endings for two hundred students, with an oracle that knows only text 003."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest
from econ431_games import Pay, pay_of
from econ431_students import STUDENTS, Ending, after_moves, ending_value, lines, scaled, tasks

from durak_widget import Game
from durak_widget.econ431.endgame_positions import PRESET, load_positions
from durak_widget.gametheory.tree import TERMINAL
from durak_widget.grading.answer_grading import compute_credit
from series.test_series_possible import why_impossible

TIMES = {"take": {2, 3}, "beat": {1, 2}}
"""The number of right moves to find among several, by the first right move."""


def game_of(quiz: Any) -> Game:
    """Return the position at the root of a tree."""
    return quiz.tree.origin.game


def value_at(quiz: Any, node: int) -> int:
    """Return the oracle's value of a history to player 1, in coins."""
    return coins(after_moves(Ending.of(game_of(quiz)), quiz.tree.actions_from_root(node)), pay_of(quiz.question))


@cache
def coins(ending: Ending, pay: Pay) -> int:
    """Return the coins of an ending when both play well and the loser pays."""
    if ending.winner is not None:
        lost = pay.each * len(ending.hands[1 - ending.winner]) + pay.stake
        return -lost if ending.winner else lost
    ways = [coins(then, pay) for then in ending.moves().values()]
    return min(ways) if ending.seat else max(ways)


def test_positions_are_possible_and_almost_all_different():
    """At most twenty of two hundred students share a position."""
    for name in ("extensive-form", "backward-induction", "beat-or-take"):
        quizzes = tasks(name)
        assert len({game_of(quiz).position for quiz in quizzes}) >= scaled(180)
        assert {why_impossible(game_of(quiz)) for quiz in quizzes} == {""}
        assert Counter(len(game_of(quiz).table) for quiz in quizzes) == {int(name == "beat-or-take"): len(STUDENTS)}
        for quiz in quizzes:
            question_text = quiz.question
            assert all(card.sign[0] in question_text for hand in game_of(quiz).hands for card in hand)


def test_every_stored_position_has_the_required_shape():
    """All have as many branches and decisions, and only picking up wins, in next year's class too."""
    positions = {
        which: [Ending.of(Game.from_position_line(f"{PRESET}: {line}")) for line in load_positions(which)]
        for which in ("draw", "values", "take", "beat")
    }
    assert {which: len(ones) for which, ones in positions.items()} == {"draw": 120, "values": 120, "take": 120, "beat": 60}
    assert {len(lines(position)) for position in positions["draw"]} <= {13, 14, 15}
    for position in positions["values"]:
        values = decision_values(after_moves(position, ()))
        assert len(values) in (9, 10)
        assert min(values.count(1), values.count(-1)) >= 3
    for which in ("take", "beat"):
        for position in positions[which]:
            [winning] = (move for move, then in position.moves().items() if ending_value(then) == (-1 if position.seat else 1))
            assert winning.partition(" ")[0] == which
            assert len(position.moves()) == 2
            assert moves_to_find(after_moves(position, ()), position.seat) <= TIMES[which]
            assert 2 in TIMES[which]


def decision_values(ending: Ending) -> list[int]:
    """Return the values wherever somebody has a choice."""
    if ending.winner is not None:
        return []
    return [ending_value(ending), *(value for move in ending.moves() for value in decision_values(after_moves(ending, (move,))))]


# The extensive form


def test_the_tree_equals_the_oracles():
    """Compare branch by branch, by the moves that lead to each end."""
    for quiz in tasks("extensive-form"):
        assert {tuple(way) for way in quiz.solution} == lines(Ending.of(game_of(quiz)))
        assert quiz.answer(quiz.solution)
        assert compute_credit(quiz) == 1
        ends = [way for way in map(tuple, quiz.solution) if quiz.tree.actor[_node(quiz, way)] == TERMINAL]
        for way in ends:  # the winner is at the end of each branch
            here = Ending.of(game_of(quiz))
            for move in way:
                here = here.moves()[move]
            assert quiz.tree.payoffs[quiz.tree.infoset_of[_node(quiz, way)]][0] == (-1 if here.winner else 1)


def _node(quiz: Any, way: tuple[str, ...]) -> int:
    here = 0
    for move in way:
        here = quiz.tree.first_child[here] + quiz.tree.infosets[quiz.tree.infoset_of[here]].actions.index(move)
    return here


def forbidden_branches(quiz: Any) -> list[int]:
    """Return the wrong branches that do not grow from another wrong one."""
    tree, right = quiz.tree, {_node(quiz, tuple(way)) for way in quiz.solution}
    return [end for end in range(1, tree.history_count) if end not in right and tree.parent[end] in {0, *right}]


def test_all_trees_have_about_the_same_size():
    """They have 13 to 15 branches, and 5 to 7 tempting wrong ones."""
    shapes = Counter((len(quiz.solution), len(forbidden_branches(quiz))) for quiz in tasks("extensive-form"))
    assert {branches for branches, _ in shapes} <= {13, 14, 15}
    assert {wrong for _, wrong in shapes} <= {5, 6, 7}


def test_every_wrong_or_missing_branch_is_explained():
    """A wrong one gets its rule. A missing one is named at the second try."""
    for quiz in tasks("extensive-form"):
        right = [tuple(way) for way in quiz.solution]
        for end in forbidden_branches(quiz):
            way = quiz.tree.actions_from_root(end)
            quiz.restart()
            assert not quiz.answer([list(path) for path in (*right, way)])
            assert (quiz.mistake_name, quiz.marks[str(end)]) == ("tree.draw.wrong", "wrong")
            assert compute_credit(quiz) == 1 - Fraction(1, len(forbidden_branches(quiz)))
        leaf = Random(0).choice([way for way in right if not any(len(item) > len(way) and item[: len(way)] == way for item in right)])
        quiz.restart()
        quiz.answer([list(way) for way in right if way != leaf])
        assert quiz.mistake_name == "tree.draw.missing"
        quiz.answer([list(way) for way in right if way != leaf])
        assert quiz.mistake_name == "tree.draw.missed"
        assert compute_credit(quiz) == 1 - Fraction(1, len(right))


def test_drawing_all_or_no_branches_earns_nothing():
    """Wrong branches cancel right ones. Half of a tree earns half of the credit."""
    for quiz in tasks("extensive-form"):
        quiz.answer(list(range(1, quiz.tree.history_count)))
        assert compute_credit(quiz) == 0
        quiz.answer([])
        assert compute_credit(quiz) == 0
        some = [list(way) for way in quiz.solution if len(way) <= 2]
        quiz.answer(some)
        assert compute_credit(quiz) == Fraction(len(some), len(quiz.solution))


# Backward induction


def test_values_equal_the_oracles():
    """There are 9 or 10 decisions, and each player wins at least 3. Coins make a neighbour's values wrong."""
    for quiz in tasks("backward-induction"):
        nodes = [here for here in range(quiz.tree.history_count) if quiz.tree.actor[here] >= 0]
        values = [value_at(quiz, node) for node in nodes]
        assert list(map(int, quiz.solution)) == values
        assert len(nodes) in (9, 10)
        won = sum(value > 0 for value in values)
        assert 3 <= won <= len(nodes) - 3
        assert quiz.answer(values)
        assert compute_credit(quiz) == 1
    assert len({tuple(quiz.solution) for quiz in tasks("backward-induction")}) >= scaled(120)


def test_guessed_values_earn_little():
    """Constants, the payoffs of ends or random ones earn less than a third on average. Half of the values earn half."""
    earned = {"same": Fraction(0), "lots": Fraction(0)}
    for number, quiz in enumerate(tasks("backward-induction")):
        rng, many = Random(number), len(quiz.solution)
        there = sorted({str(payoff[0]) for payoff in quiz.tree.payoffs})
        for way, values in (("same", [rng.choice(there)] * many), ("lots", rng.choices(there, k=many))):
            quiz.answer(values)
            earned[way] += compute_credit(quiz) / len(STUDENTS)
        quiz.restart()
        quiz.answer(quiz.solution[: many // 2])
        assert compute_credit(quiz) == Fraction(many // 2, many)
    assert max(earned.values()) < Fraction(1, 3)


def test_values_are_accepted_in_every_notation():
    """Test both minus signs, pairs for both players, and the other player's value added."""
    for quiz in tasks("backward-induction"):
        for write in ("{0}", " {0} ", "{0}.0", "{0}, {1}", "({0}; {1})", "{0}/1"):
            answer = [write.format(value, -int(value)).replace("-", "−") for value in quiz.solution]
            assert quiz.answer(answer), answer


@pytest.mark.release
def test_wrong_values_are_named_and_only_their_own_credit_is_lost():
    """Test the other's best, an average and the other's payoff. All values reversed earn nothing; consistent ones count."""
    met: dict[str, Counter[str]] = {"least": Counter(), "average": Counter(), "turned": Counter()}
    for number, quiz in enumerate(tasks("backward-induction")):
        tree = quiz.tree
        nodes = [here for here in range(tree.history_count) if tree.actor[here] >= 0]
        right = dict(zip(nodes, quiz.solution, strict=True))
        for node in nodes[number % 3 :: 3]:
            below = [value_at(quiz, child) for child in tree.children(node)]
            wrong = {
                "least": max(below) if tree.actor[node] else min(below),
                "average": Fraction(sum(below), len(below)),
                "turned": -int(right[node]),
            }
            for name, value in wrong.items():
                if str(value) == right[node]:
                    continue
                quiz.restart()
                assert not quiz.answer({**right, node: str(value)})
                assert quiz.marks[str(node)] == "wrong"
                assert compute_credit(quiz) >= Fraction(len(nodes) - 4, len(nodes))
                met[name][quiz.mistake_name.removeprefix("tree.wrong.")] += 1
        quiz.restart()
        quiz.answer({node: value for node, value in right.items() if node != nodes[0]})
        assert (quiz.mistake_name, compute_credit(quiz)) == ("tree.missing", Fraction(len(nodes) - 1, len(nodes)))
        quiz.answer({node: str(-int(value)) for node, value in right.items()})
        assert compute_credit(quiz) == 0
    for name, sentence in met.items():
        assert set(sentence) <= {name, "other", "unclear"}  # the worst for the player to move is the best for the other
        assert sentence["unclear"] < sentence.total() / 10
        assert sentence[name] > scaled(150)


# Picking up on purpose


def test_either_only_picking_up_or_only_one_card_wins():
    """The card could be beaten. Each is right for about half of the students."""
    first = Counter()
    for quiz in tasks("beat-or-take"):
        start = Ending.of(game_of(quiz))
        mine = -1 if start.seat else 1
        ways = {move: ending_value(then) * mine for move, then in start.moves().items()}
        assert len(ways) >= 2
        assert [move for move, value in ways.items() if value == 1] == quiz.solution[:1]
        first[quiz.solution[0].partition(" ")[0]] += 1
    assert set(first) == {"take", "beat"}
    assert min(first.values()) >= scaled(80)


def test_right_lines_have_equal_length_for_every_student():
    """Each move keeps the value. The player has to find two or three right moves."""
    for quiz in tasks("beat-or-take"):
        here = after_moves(Ending.of(game_of(quiz)), ())
        for move in quiz.solution:
            then = after_moves(here, (move,))
            assert ending_value(then) == ending_value(here)
            here = then
        assert here.winner == Ending.of(game_of(quiz)).seat
        times = moves_to_find(after_moves(Ending.of(game_of(quiz)), ()), Ending.of(game_of(quiz)).seat)
        assert max(times) >= 2
        assert times <= TIMES[quiz.solution[0].partition(" ")[0]]
        assert 14 <= quiz.tree.history_count <= 40


def test_picking_up_cannot_be_judged_without_a_search():
    """Both cases have two moves, the same number of cards and trees of about the same size."""
    sizes = {which: [quiz.tree.history_count for quiz in tasks("beat-or-take") if quiz.solution[0].startswith(which)] for which in TIMES}
    assert {len(Ending.of(game_of(quiz)).moves()) for quiz in tasks("beat-or-take")} == {2}
    assert {sum(map(len, game_of(quiz).hands)) for quiz in tasks("beat-or-take")} == {4}
    assert all(min(counts) <= 15 and max(counts) > 20 for counts in sizes.values())
    take, beat = (sum(counts) / len(counts) for counts in sizes.values())
    assert abs(take - beat) < 4


def moves_to_find(ending: Ending, seat: int) -> set[int]:
    """Return how often a player has to find the right one of several moves, in every line of good play."""
    if ending.winner is not None:
        return {0}
    then = {move: after_moves(ending, (move,)) for move in ending.moves()}
    good = [next_ending for next_ending in then.values() if ending_value(next_ending) == ending_value(ending)]
    hard = ending.seat == seat and len(good) < len(then)
    return {hard + more for next_ending in good for more in moves_to_find(next_ending, seat)}


def test_wrong_moves_are_refuted_and_every_good_line_is_accepted():
    """The reason shows what follows, and what another move would bring."""
    for quiz in tasks("beat-or-take"):
        for move in set(quiz.tree.infosets[quiz.tree.infoset_of[0]].actions) - {quiz.solution[0]}:
            quiz.restart()
            assert not quiz.answer([move])
            assert (quiz.mistake_name, compute_credit(quiz)) == ("tree.path.better", 0)
        quiz.restart()
        quiz.answer(quiz.solution[:-1])
        assert quiz.mistake_name == "tree.path.missing"
        assert 0 < compute_credit(quiz) < 1
        for number in range(3):
            assert quiz.answer(good_line(quiz, Random(number)))
            assert compute_credit(quiz) == 1


def good_line(quiz: Any, rng: Random) -> list[str]:
    """Return a random line in which both play well."""
    here, way = after_moves(Ending.of(game_of(quiz)), ()), []
    while here.winner is None:
        way.append(rng.choice(sorted(move for move in here.moves() if ending_value(after_moves(here, (move,))) == ending_value(here))))
        here = after_moves(here, (way[-1],))
    return way
