"""The endings of the problem set, for two hundred students: every tree, value and move by an oracle that knows only text 003."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest
from class431 import Ending, after, lines, tasks, worth

from durak_widget import Game
from durak_widget.classroom.credit import credit, mistake
from durak_widget.classroom.econ431.positions import PRESET, positions
from durak_widget.theory.tree import OVER
from test_series_true import why_never


@cache
def asked(name: str) -> list[Any]:
    """What each of the students is asked there."""
    return tasks(name)


def game_of(quiz: Any) -> Game:
    """The position that a tree begins with."""
    return quiz.tree.origin.game


def worth_at(quiz: Any, node: int) -> int:
    """What a history is worth to player 1, as the oracle has it."""
    return worth(after(Ending.of(game_of(quiz)), quiz.tree.moves_to(node)))


@pytest.mark.parametrize("name", ["extensive-form", "backward-induction", "beat-or-take"])
def test_hardly_two_are_asked_the_same_and_every_position_could_have_arisen(name: str):
    """Of two hundred at most twenty are asked what another is asked."""
    quizzes = asked(name)
    assert len({game_of(quiz).position for quiz in quizzes}) >= 180
    assert {why_never(game_of(quiz)) for quiz in quizzes} == {""}
    assert Counter(len(game_of(quiz).table) for quiz in quizzes) == {int(name == "beat-or-take"): 200}
    for quiz in quizzes:
        said = quiz.question
        assert all(card.sign[0] in said for hand in game_of(quiz).hands for card in hand)


def test_every_position_that_is_kept_is_of_its_kind():
    """Whatever the lots may draw, in next year's class too: as many branches, as many places to decide, and only taking wins."""
    kept = {which: [Ending.of(Game.at(f"{PRESET}: {line}")) for line in positions(which)] for which in ("draw", "values", "take")}
    assert {len(ones) for ones in kept.values()} == {120}
    assert {len(lines(one)) for one in kept["draw"]} <= {13, 14, 15}
    for one in kept["values"]:
        values = decided(after(one, ()))
        assert len(values) in (9, 10)
        assert min(values.count(1), values.count(-1)) >= 3
    for one in kept["take"]:
        winning = {move for move, then in one.moves().items() if worth(then) == (-1 if one.seat else 1)}
        assert winning == {"take"}
        assert found(after(one, ()), one.seat) <= {2, 3}


def decided(ending: Ending) -> list[int]:
    """What it is worth wherever somebody has something to decide."""
    if ending.winner is not None:
        return []
    return [worth(ending), *(value for move in ending.moves() for value in decided(after(ending, (move,))))]


# The extensive form


def test_the_tree_is_that_of_the_oracle():
    """Branch by branch, each named by the moves that lead to its end."""
    for quiz in asked("extensive-form"):
        assert {tuple(way) for way in quiz.solution} == lines(Ending.of(game_of(quiz)))
        assert quiz.answer(quiz.solution)
        assert credit(quiz) == 1
        ends = [way for way in map(tuple, quiz.solution) if quiz.tree.actor[_node(quiz, way)] == OVER]
        for way in ends:  # what stands at the end of a branch is who has won
            here = Ending.of(game_of(quiz))
            for move in way:
                here = here.moves()[move]
            assert quiz.tree.payoffs[quiz.tree.info[_node(quiz, way)]][0] == (-1 if here.winner else 1)


def _node(quiz: Any, way: tuple[str, ...]) -> int:
    here = 0
    for move in way:
        here = quiz.tree.first[here] + quiz.tree.sets[quiz.tree.info[here]].moves.index(move)
    return here


def forbidden(quiz: Any) -> list[int]:
    """The branches that are wrong, and grow from none that is."""
    tree, right = quiz.tree, {_node(quiz, tuple(way)) for way in quiz.solution}
    return [end for end in range(1, tree.histories) if end not in right and tree.parent[end] in {0, *right}]


def test_all_trees_are_equally_large():
    """13 to 15 branches, and 5 to 7 of those beside them that somebody might think of."""
    shapes = Counter((len(quiz.solution), len(forbidden(quiz))) for quiz in asked("extensive-form"))
    assert {branches for branches, _ in shapes} <= {13, 14, 15}
    assert {wrong for _, wrong in shapes} <= {5, 6, 7}


def test_every_branch_that_is_wrong_or_missing_is_named():
    """By the rule that forbids it; or where it is missing, and at the second try which it is."""
    for quiz in asked("extensive-form"):
        right = [tuple(way) for way in quiz.solution]
        for end in forbidden(quiz):
            way = quiz.tree.moves_to(end)
            quiz.again()
            assert not quiz.answer([list(one) for one in (*right, way)])
            assert (mistake(quiz), quiz.marks[str(end)]) == ("tree.draw.wrong", "wrong")
            assert credit(quiz) == 1 - Fraction(1, len(forbidden(quiz)))
        leaf = Random(0).choice([way for way in right if not any(len(one) > len(way) and one[: len(way)] == way for one in right)])
        quiz.again()
        quiz.answer([list(way) for way in right if way != leaf])
        assert mistake(quiz) == "tree.draw.missing"
        quiz.answer([list(way) for way in right if way != leaf])
        assert mistake(quiz) == "tree.draw.missed"
        assert credit(quiz) == 1 - Fraction(1, len(right))


def test_drawing_everything_or_nothing_earns_nothing():
    """What is forbidden takes back what is allowed; half of a tree is half of the credit."""
    for quiz in asked("extensive-form"):
        quiz.answer(list(range(1, quiz.tree.histories)))
        assert credit(quiz) == 0
        quiz.answer([])
        assert credit(quiz) == 0
        some = [list(way) for way in quiz.solution if len(way) <= 2]
        quiz.answer(some)
        assert credit(quiz) == Fraction(len(some), len(quiz.solution))


# Backward induction


def test_values_are_those_of_the_oracle():
    """At every history at which somebody decides: 9 or 10 of them, each player winning at least 3."""
    for quiz in asked("backward-induction"):
        nodes = [here for here in range(quiz.tree.histories) if quiz.tree.actor[here] >= 0]
        values = [worth_at(quiz, node) for node in nodes]
        assert list(map(int, quiz.solution)) == values
        assert len(nodes) in (9, 10)
        assert min(values.count(1), values.count(-1)) >= 3
        assert quiz.answer(values)
        assert credit(quiz) == 1


def test_values_are_right_in_every_writing():
    """A whole number with either minus, as a pair for both players, or with the other player's after it."""
    for quiz in asked("backward-induction"):
        for write in ("{0}", " {0} ", "{0}.0", "{0}, {1}", "({0}; {1})", "{0}/1"):
            answer = [write.format(value, -int(value)).replace("-", "−") for value in quiz.solution]
            assert quiz.answer(answer), answer


def test_wrong_values_are_named_and_cost_what_they_are():
    """An average where nobody tosses a coin, at each place; all turned round; some left out; what only follows is not held against anybody."""
    for quiz in asked("backward-induction"):
        nodes = [here for here in range(quiz.tree.histories) if quiz.tree.actor[here] >= 0]
        right = dict(zip(nodes, quiz.solution, strict=True))
        for node in nodes:
            below = {worth_at(quiz, child) for child in quiz.tree.children(node)}
            quiz.again()
            assert not quiz.answer({**right, node: "0"})
            if below == {1, -1} and quiz.tree.count[node] == 2:
                assert mistake(quiz) == "tree.wrong.average"
            assert quiz.marks[str(node)] == "wrong"
            quiz.again()
            quiz.answer({**right, node: str(-int(right[node]))})
            assert quiz.marks[str(node)] == "wrong"
            assert credit(quiz) >= Fraction(len(nodes) - 2, len(nodes))
        quiz.again()
        quiz.answer({node: value for node, value in right.items() if node != nodes[0]})
        assert (mistake(quiz), credit(quiz)) == ("tree.missing", Fraction(len(nodes) - 1, len(nodes)))
        quiz.answer({node: str(-int(value)) for node, value in right.items()})
        assert credit(quiz) < Fraction(1, 2)


# Taking on purpose


def test_only_taking_wins():
    """The card could be beaten, and whoever beats loses against somebody who plays well."""
    for quiz in asked("beat-or-take"):
        start = Ending.of(game_of(quiz))
        mine = -1 if start.seat else 1
        ways = {move: worth(then) * mine for move, then in start.moves().items()}
        assert len(ways) >= 2
        assert {move for move, value in ways.items() if value == 1} == {"take"}
        assert quiz.solution[0] == "take"


def test_the_way_is_one_of_the_oracle_and_as_long_for_everybody():
    """Each move keeps what the player has; whoever takes has to find two or three right moves, however the other plays."""
    for quiz in asked("beat-or-take"):
        here = after(Ending.of(game_of(quiz)), ())
        for move in quiz.solution:
            then = after(here, (move,))
            assert worth(then) == worth(here)
            here = then
        assert here.winner == Ending.of(game_of(quiz)).seat
        assert found(after(Ending.of(game_of(quiz)), ()), Ending.of(game_of(quiz)).seat) <= {2, 3}
        assert 14 <= quiz.tree.histories <= 40


def found(ending: Ending, seat: int) -> set[int]:
    """How often a seat has to find the right one among several moves, in every line of good play."""
    if ending.winner is not None:
        return {0}
    then = {move: after(ending, (move,)) for move in ending.moves()}
    good = [one for one in then.values() if worth(one) == worth(ending)]
    hard = ending.seat == seat and len(good) < len(then)
    return {hard + more for one in good for more in found(one, seat)}


def test_every_other_move_is_refuted_and_what_is_right_still_counts():
    """Whoever beats hears what that brings, and what taking would bring; any way of good play is right."""
    for quiz in asked("beat-or-take"):
        beating = [move for move in quiz.tree.sets[quiz.tree.info[0]].moves if move != "take"]
        for move in beating:
            quiz.again()
            assert not quiz.answer([move])
            assert (mistake(quiz), credit(quiz)) == ("tree.path.better", 0)
        quiz.again()
        quiz.answer(quiz.solution[:-1])
        assert mistake(quiz) == "tree.path.missing"
        assert 0 < credit(quiz) < 1
        for number in range(3):
            assert quiz.answer(played(quiz, Random(number)))
            assert credit(quiz) == 1


def played(quiz: Any, lots: Random) -> list[str]:
    """A way on which both play well, drawn by lots."""
    here, way = after(Ending.of(game_of(quiz)), ()), []
    while here.winner is None:
        way.append(lots.choice(sorted(move for move in here.moves() if worth(after(here, (move,))) == worth(here))))
        here = after(here, (way[-1],))
    return way
