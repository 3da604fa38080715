"""The endings of the problem set, for two hundred students: every tree, value and move by an oracle that knows only text 003."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest
from class431 import STUDENTS, Ending, after, lines, of_all, tasks, worth
from econ431_later import Pay, pay_of

from durak_widget import Game
from durak_widget.econ431.endgame_positions import PRESET, load_positions
from durak_widget.gametheory.tree import TERMINAL
from durak_widget.grading.answer_grading import compute_credit
from series.test_series_true import why_never

TIMES = {"take": {2, 3}, "beat": {1, 2}}
"""So often the right one among several moves has to be found, by what is right first."""


def game_of(quiz: Any) -> Game:
    """The position that a tree begins with."""
    return quiz.tree.origin.game


def worth_at(quiz: Any, node: int) -> int:
    """What a history is worth to player 1, in coins, as the oracle has it."""
    return coins(after(Ending.of(game_of(quiz)), quiz.tree.actions_from_root(node)), pay_of(quiz.question))


@cache
def coins(ending: Ending, pay: Pay) -> int:
    """What an ending comes to when both play well, and the loser pays."""
    if ending.winner is not None:
        lost = pay.each * len(ending.hands[1 - ending.winner]) + pay.stake
        return -lost if ending.winner else lost
    ways = [coins(after, pay) for after in ending.moves().values()]
    return min(ways) if ending.seat else max(ways)


def test_hardly_two_are_asked_the_same_and_every_position_could_have_arisen():
    """Of two hundred at most twenty are asked what another is asked."""
    for name in ("extensive-form", "backward-induction", "beat-or-take"):
        quizzes = tasks(name)
        assert len({game_of(quiz).position for quiz in quizzes}) >= of_all(180)
        assert {why_never(game_of(quiz)) for quiz in quizzes} == {""}
        assert Counter(len(game_of(quiz).table) for quiz in quizzes) == {int(name == "beat-or-take"): len(STUDENTS)}
        for quiz in quizzes:
            said = quiz.question
            assert all(card.sign[0] in said for hand in game_of(quiz).hands for card in hand)


def test_every_position_that_is_kept_is_of_its_kind():
    """Whatever the lots may draw, in next year's class too: as many branches, as many places to decide, and only taking wins."""
    kept = {
        which: [Ending.of(Game.from_position_line(f"{PRESET}: {line}")) for line in load_positions(which)]
        for which in ("draw", "values", "take", "beat")
    }
    assert {which: len(ones) for which, ones in kept.items()} == {"draw": 120, "values": 120, "take": 120, "beat": 60}
    assert {len(lines(one)) for one in kept["draw"]} <= {13, 14, 15}
    for one in kept["values"]:
        values = decided(after(one, ()))
        assert len(values) in (9, 10)
        assert min(values.count(1), values.count(-1)) >= 3
    for which in ("take", "beat"):
        for one in kept[which]:
            [winning] = (move for move, then in one.moves().items() if worth(then) == (-1 if one.seat else 1))
            assert winning.partition(" ")[0] == which
            assert len(one.moves()) == 2
            assert found(after(one, ()), one.seat) <= TIMES[which]
            assert 2 in TIMES[which]


def decided(ending: Ending) -> list[int]:
    """What it is worth wherever somebody has something to decide."""
    if ending.winner is not None:
        return []
    return [worth(ending), *(value for move in ending.moves() for value in decided(after(ending, (move,))))]


# The extensive form


def test_the_tree_is_that_of_the_oracle():
    """Branch by branch, each named by the moves that lead to its end."""
    for quiz in tasks("extensive-form"):
        assert {tuple(way) for way in quiz.solution} == lines(Ending.of(game_of(quiz)))
        assert quiz.answer(quiz.solution)
        assert compute_credit(quiz) == 1
        ends = [way for way in map(tuple, quiz.solution) if quiz.tree.actor[_node(quiz, way)] == TERMINAL]
        for way in ends:  # what stands at the end of a branch is who has won
            here = Ending.of(game_of(quiz))
            for move in way:
                here = here.moves()[move]
            assert quiz.tree.payoffs[quiz.tree.infoset_of[_node(quiz, way)]][0] == (-1 if here.winner else 1)


def _node(quiz: Any, way: tuple[str, ...]) -> int:
    here = 0
    for move in way:
        here = quiz.tree.first_child[here] + quiz.tree.infosets[quiz.tree.infoset_of[here]].actions.index(move)
    return here


def forbidden(quiz: Any) -> list[int]:
    """The branches that are wrong, and grow from none that is."""
    tree, right = quiz.tree, {_node(quiz, tuple(way)) for way in quiz.solution}
    return [end for end in range(1, tree.history_count) if end not in right and tree.parent[end] in {0, *right}]


def test_all_trees_are_equally_large():
    """13 to 15 branches, and 5 to 7 of those beside them that somebody might think of."""
    shapes = Counter((len(quiz.solution), len(forbidden(quiz))) for quiz in tasks("extensive-form"))
    assert {branches for branches, _ in shapes} <= {13, 14, 15}
    assert {wrong for _, wrong in shapes} <= {5, 6, 7}


def test_every_branch_that_is_wrong_or_missing_is_named():
    """By the rule that forbids it; or where it is missing, and at the second try which it is."""
    for quiz in tasks("extensive-form"):
        right = [tuple(way) for way in quiz.solution]
        for end in forbidden(quiz):
            way = quiz.tree.actions_from_root(end)
            quiz.restart()
            assert not quiz.answer([list(one) for one in (*right, way)])
            assert (quiz.mistake_name, quiz.marks[str(end)]) == ("tree.draw.wrong", "wrong")
            assert compute_credit(quiz) == 1 - Fraction(1, len(forbidden(quiz)))
        leaf = Random(0).choice([way for way in right if not any(len(one) > len(way) and one[: len(way)] == way for one in right)])
        quiz.restart()
        quiz.answer([list(way) for way in right if way != leaf])
        assert quiz.mistake_name == "tree.draw.missing"
        quiz.answer([list(way) for way in right if way != leaf])
        assert quiz.mistake_name == "tree.draw.missed"
        assert compute_credit(quiz) == 1 - Fraction(1, len(right))


def test_drawing_everything_or_nothing_earns_nothing():
    """What is forbidden takes back what is allowed; half of a tree is half of the credit."""
    for quiz in tasks("extensive-form"):
        quiz.answer(list(range(1, quiz.tree.history_count)))
        assert compute_credit(quiz) == 0
        quiz.answer([])
        assert compute_credit(quiz) == 0
        some = [list(way) for way in quiz.solution if len(way) <= 2]
        quiz.answer(some)
        assert compute_credit(quiz) == Fraction(len(some), len(quiz.solution))


# Backward induction


def test_values_are_those_of_the_oracle():
    """At every history at which somebody decides: 9 or 10 of them, each player winning at least 3; in coins, so that a neighbour's values are no answer."""
    for quiz in tasks("backward-induction"):
        nodes = [here for here in range(quiz.tree.history_count) if quiz.tree.actor[here] >= 0]
        values = [worth_at(quiz, node) for node in nodes]
        assert list(map(int, quiz.solution)) == values
        assert len(nodes) in (9, 10)
        won = sum(value > 0 for value in values)
        assert 3 <= won <= len(nodes) - 3
        assert quiz.answer(values)
        assert compute_credit(quiz) == 1
    assert len({tuple(quiz.solution) for quiz in tasks("backward-induction")}) >= of_all(120)


def test_guessed_values_earn_little():
    """The same number everywhere, whichever stands at an end, or numbers of ends by lots: on average less than a third; half of the values are half of the credit."""
    earned = {"same": Fraction(0), "lots": Fraction(0)}
    for number, quiz in enumerate(tasks("backward-induction")):
        lots, many = Random(number), len(quiz.solution)
        there = sorted({str(worth[0]) for worth in quiz.tree.payoffs})
        for way, values in (("same", [lots.choice(there)] * many), ("lots", lots.choices(there, k=many))):
            quiz.answer(values)
            earned[way] += compute_credit(quiz) / len(STUDENTS)
        quiz.restart()
        quiz.answer(quiz.solution[: many // 2])
        assert compute_credit(quiz) == Fraction(many // 2, many)
    assert max(earned.values()) < Fraction(1, 3)


def test_values_are_right_in_every_writing():
    """A whole number with either minus, as a pair for both players, or with the other player's after it."""
    for quiz in tasks("backward-induction"):
        for write in ("{0}", " {0} ", "{0}.0", "{0}, {1}", "({0}; {1})", "{0}/1"):
            answer = [write.format(value, -int(value)).replace("-", "−") for value in quiz.solution]
            assert quiz.answer(answer), answer


@pytest.mark.release
def test_wrong_values_are_named_and_cost_what_they_are():
    """What is best for the other, an average, what the other gets: each is named where nothing else gives the same; turned round all of them earn nothing, and what only follows is not held against anybody."""
    met: dict[str, Counter[str]] = {"least": Counter(), "average": Counter(), "turned": Counter()}
    for number, quiz in enumerate(tasks("backward-induction")):
        tree = quiz.tree
        nodes = [here for here in range(tree.history_count) if tree.actor[here] >= 0]
        right = dict(zip(nodes, quiz.solution, strict=True))
        for node in nodes[number % 3 :: 3]:
            below = [worth_at(quiz, child) for child in tree.children(node)]
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
    for name, said in met.items():
        assert set(said) <= {name, "other", "unclear"}  # what is least for who chooses is best for the other
        assert said["unclear"] < said.total() / 10
        assert said[name] > of_all(150)


# Taking on purpose


def test_only_taking_wins_or_only_one_card():
    """The card could be beaten; for about half of the students whoever beats it loses, for the others whoever takes: so nobody knows before looking."""
    first = Counter()
    for quiz in tasks("beat-or-take"):
        start = Ending.of(game_of(quiz))
        mine = -1 if start.seat else 1
        ways = {move: worth(then) * mine for move, then in start.moves().items()}
        assert len(ways) >= 2
        assert [move for move, value in ways.items() if value == 1] == quiz.solution[:1]
        first[quiz.solution[0].partition(" ")[0]] += 1
    assert set(first) == {"take", "beat"}
    assert min(first.values()) >= of_all(80)


def test_the_way_is_one_of_the_oracle_and_as_long_for_everybody():
    """Each move keeps what the player has; who is to act has to find two right moves or three, where taking is right in every line, where it is not in some."""
    for quiz in tasks("beat-or-take"):
        here = after(Ending.of(game_of(quiz)), ())
        for move in quiz.solution:
            then = after(here, (move,))
            assert worth(then) == worth(here)
            here = then
        assert here.winner == Ending.of(game_of(quiz)).seat
        times = found(after(Ending.of(game_of(quiz)), ()), Ending.of(game_of(quiz)).seat)
        assert max(times) >= 2
        assert times <= TIMES[quiz.solution[0].partition(" ")[0]]
        assert 14 <= quiz.tree.history_count <= 40


def test_nothing_but_looking_tells_whether_to_take():
    """Whether it is right to take or to beat: there are two moves, as many cards, and trees of about the same size."""
    sizes = {which: [quiz.tree.history_count for quiz in tasks("beat-or-take") if quiz.solution[0].startswith(which)] for which in TIMES}
    assert {len(Ending.of(game_of(quiz)).moves()) for quiz in tasks("beat-or-take")} == {2}
    assert {sum(map(len, game_of(quiz).hands)) for quiz in tasks("beat-or-take")} == {4}
    assert all(min(found) <= 15 and max(found) > 20 for found in sizes.values())
    take, beat = (sum(found) / len(found) for found in sizes.values())
    assert abs(take - beat) < 4


def found(ending: Ending, seat: int) -> set[int]:
    """How often a seat has to find the right one among several moves, in every line of good play."""
    if ending.winner is not None:
        return {0}
    then = {move: after(ending, (move,)) for move in ending.moves()}
    good = [one for one in then.values() if worth(one) == worth(ending)]
    hard = ending.seat == seat and len(good) < len(then)
    return {hard + more for one in good for more in found(one, seat)}


def test_every_other_move_is_refuted_and_what_is_right_still_counts():
    """Whoever begins wrongly hears what that brings, and what another move would; any way of good play is right."""
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
            assert quiz.answer(played(quiz, Random(number)))
            assert compute_credit(quiz) == 1


def played(quiz: Any, lots: Random) -> list[str]:
    """A way on which both play well, drawn by lots."""
    here, way = after(Ending.of(game_of(quiz)), ()), []
    while here.winner is None:
        way.append(lots.choice(sorted(move for move in here.moves() if worth(after(here, (move,))) == worth(here))))
        here = after(here, (way[-1],))
    return way
