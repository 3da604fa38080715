"""The mixed equilibrium, who attacks first, the strategy and the bot of the problem set, for two hundred students: by the model, and by a linear program or by going through all deals."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random

import pytest
from econ431_later import Now, best, code, ends, plans, played, pure, stake_of, tasks, trump_of, walked

from durak_widget.classroom.credit import credit, mistake
from durak_widget.classroom.econ431.games import GOAL, PAIRS
from durak_widget.classroom.econ431.kinds import kinds
from durak_widget.classroom.econ431.mixing import STAKES, little
from durak_widget.lessons.paired import Pairs, play_pairs
from durak_widget.theory import solve
from durak_widget.theory.tree import OVER

NUMBERS = {"mixed-equilibrium": "class.econ431.mix", "attack-first": "class.econ431.first"}


def writings(number: Fraction) -> list[str]:
    """How people write it."""
    given = [str(number), f" {number} ", str(number).replace("-", "−"), f"{float(number):.4f}", f"{float(number):.3f}".replace(".", ",")]
    return [*given, f"{100 * float(number):.2f} %"] if 0 < number < 1 else given


def minimax(table: list[list[Fraction]]) -> tuple[float, list[float]]:
    """What a table of wins is worth to the rows, and how they mix: a linear program."""
    linprog = pytest.importorskip("scipy.optimize").linprog
    many = len(table)
    above = [[-float(row[column]) for row in table] + [1.0] for column in range(len(table[0]))]
    found = linprog(
        [0.0] * many + [-1.0],
        A_ub=above,
        b_ub=[0.0] * len(above),
        A_eq=[[1.0] * many + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * many + [(None, None)],
    )
    assert found.success
    return -found.fun, list(found.x[:-1])


@pytest.mark.parametrize("name", NUMBERS)
def test_a_right_number_is_right_in_every_writing(name):
    """And earns everything."""
    for task in tasks(name):
        for text in writings(task.right):
            assert task.answer(text), (task.question, text)
            assert credit(task) == 1
        assert task.answer(json.loads(json.dumps(task.given)))
        task.again()


@pytest.mark.parametrize("name", NUMBERS)
def test_every_mistake_is_named_and_earns_nothing(name):
    """By its own sentence, where no other mistake gives the same."""
    met = Counter()
    for task in tasks(name):
        for which, value in task.mistakes.items():
            verdict = task.answer(value)
            assert not verdict
            assert credit(task) == 0
            assert mistake(task) == f"{NUMBERS[name]}.{which}"
            met[which] += 1
        assert not task.answer(task.right + 7)
        assert mistake(task) in ("number.large", "number.small")
        task.again()
    assert set(met) == set(tasks(name)[0]._mistakes)
    assert min(met.values()) > 40


def test_instances_of_numbers_differ_and_are_of_one_kind():
    """Fractions between 0 and 1 that are not ½; thirds of coins."""
    mixed, first = ([task.right for task in tasks(name)] for name in NUMBERS)
    assert len({task.question for task in tasks("mixed-equilibrium")}) >= 190
    assert len({task.question for task in tasks("attack-first")}) >= 195
    assert all(0 < one < 1 and one != Fraction(1, 2) for one in mixed)
    assert {one.denominator for one in first} == {3}
    assert len(set(mixed)) >= 8
    assert len(set(first)) >= 5


# The mixed equilibrium


def numbers_in(task) -> list[list[Fraction]]:
    """The four cells, as the question says them."""
    facts = task._question.facts
    return [[Fraction(str(facts[name]).replace("−", "-")) for name in row] for row in ("ab", "cd")]


def test_the_mix_is_that_of_a_linear_program_on_what_is_asked():
    """Of the four numbers that stand in the question, and in no other way can the value be had."""
    for task in tasks("mixed-equilibrium"):
        (a, b), (c, d) = table = numbers_in(task)
        value, (first, _) = minimax(table)
        assert first == pytest.approx(float(task.right), abs=1e-9)
        mix = task.right
        assert mix * a + (1 - mix) * c == mix * b + (1 - mix) * d == pytest.approx(value)
        assert sum(little_of(task)) == 1  # the other beats as often as you do not lead that card: one sentence says both
        assert min(a, d) > max(b, c) or max(a, d) < min(b, c)  # so there is one equilibrium alone


def little_of(task) -> tuple[Fraction, Fraction]:
    """How likely each makes the first of two moves, from the four numbers alone."""
    (a, b), (c, d) = numbers_in(task)
    return (d - c) / (a - b - c + d), (d - b) / (a - b - c + d)


@cache
def whole(kind: str) -> tuple[object, str]:
    """The game of a kind, and its trump suit."""
    from durak_widget.classroom.econ431.kinds import laid  # noqa: PLC0415
    from durak_widget.theory.coins import for_coins, settled  # noqa: PLC0415

    return settled(for_coins(laid(kind))), kind.partition("trump ")[2][0]


def test_the_little_game_is_worth_what_the_whole_game_is():
    """Of kinds and stakes: all plans of both against each other, the ends by the text, in a linear program."""
    for number, kind in enumerate(kinds("mix")[::2]):
        stake = STAKES[number % len(STAKES)]
        tree, trump = whole(kind)
        worth = ends(tree, trump, stake)
        mine, theirs = ([pure(plan, tree) for plan in plans(tree, seat)] for seat in (0, 1))
        table = [[played(tree, worth, (one | other).__getitem__) for other in theirs] for one in mine]
        assert minimax(table)[0] == pytest.approx(float(little(kind, stake).value)), kind


# Who attacks first


def test_attacking_first_is_worth_what_six_deals_are_on_average():
    """Each dealt and played out by the text, with its stake."""
    for task in tasks("attack-first"):
        text = task.question
        cards, trump, stake = code(text), trump_of(text), stake_of(text)
        assert len(cards) == 4
        deals = [Now((frozenset(mine), frozenset(cards) - set(mine)), ()) for mine in combinations(cards, 2)]
        coins = [best(deal, trump, stake) for deal in deals]
        assert task.right == sum(coins) / 6
        won = Fraction(sum(one > 0 for one in coins), 6)
        by_hand = {"won": won, "plain": 2 * won - 1, "sum": sum(coins), "turned": -task.right, "best": max(coins)}
        assert {name: one.value for name, one in task._mistakes.items()} == by_hand


# A strategy that nobody can exploit


def lost_by_hand(task, likely: dict[int, list[Fraction]]) -> Fraction:
    """The most that any plan of the other takes from a strategy of the second player."""
    tree = task.tree
    worth = ends(tree, trump_of(task.question), stake_of(task.question))
    return max(played(tree, worth, (pure(plan, tree) | likely).__getitem__) for plan in plans(tree, 0))


def test_the_tree_of_the_strategy_is_the_game_of_the_text():
    """The same moves, things seen, and coins; of one size for everybody."""
    all_ = tasks("no-exploit")
    assert len({task.question for task in all_}) >= 195
    assert {task.tree.infosets for task in all_} == {(3, 6)}
    assert {task.tree.count[0] for task in all_} == {6}
    for task in all_:
        tree = task.tree
        for here, worth in ends(tree, trump_of(task.question), stake_of(task.question)).items():
            assert tree.payoffs[tree.info[here]] == (worth, -worth)
        known = {}
        for one in walked(tree, trump_of(task.question)):
            if (actor := tree.actor[one.here]) >= 0:
                assert known.setdefault((actor, one.seen[actor]), tree.info[one.here]) == tree.info[one.here]
        assert len(known) == len(tree.sets)


def test_what_a_strategy_loses_is_what_the_best_plan_takes():
    """Drawn evenly, drawn by lots, and the solution: every plan of the other tried; partial credit in proportion."""
    for number, task in enumerate(tasks("no-exploit")):
        tree, lots = task.tree, Random(number)
        value = Fraction(solve(tree).value)
        own = [place for place, one in enumerate(tree.sets) if one.seat == 1]
        even = {place: [Fraction(1, len(tree.sets[place].moves))] * len(tree.sets[place].moves) for place in own}
        drawn = pure({place: lots.randrange(len(one)) for place, one in even.items()}, tree)
        beginning = lost_by_hand(task, even) - value
        assert beginning > 0
        for likely in (even, drawn):
            lost = lost_by_hand(task, likely) - value
            verdict = task.answer({place: dict(zip(tree.sets[place].moves, row, strict=True)) for place, row in likely.items()})
            assert task.loss == lost
            assert bool(verdict) is (not lost)
            assert task.credit == max(1 - lost / beginning, Fraction(0))
        assert task.answer(task.solution)
        assert task.loss == 0
        assert task.credit == credit(task) == 1
        table = {place: [Fraction(one) for one in row] for place, row in enumerate(task._given.rows) if place in own}
        assert lost_by_hand(task, table) == value
        task.again()


def test_whoever_does_not_mix_can_be_exploited():
    """Every pure plan of the second player tried, for some of the students: each loses something."""
    for task in tasks("no-exploit")[:12]:
        tree = task.tree
        value = Fraction(solve(tree).value)
        assert min(lost_by_hand(task, pure(plan, tree)) for plan in plans(tree, 1)) > value


def test_a_strategy_is_given_as_a_function_of_the_view_too():
    """What a seat sees of Durak, not the number of a set; and it is kept as plain values."""
    for task in tasks("no-exploit")[:5]:
        task.answer(lambda view: view.legal_moves()[0])
        kept, lost = json.loads(json.dumps(task.given)), task.loss
        task.again()
        task.answer(kept)
        assert task.loss == lost
        task.again()


# The bot


def test_on_every_pack_of_deals_the_goal_is_the_same_work():
    """What the careful bot wins there is the goal or little more; habits do it by clicks."""
    assert len(kinds("packs")) >= 40
    assert len({task.instance.seed for task in tasks("bot")}) >= 35
    for seed in kinds("packs")[::6]:
        score = play_pairs("careful", Pairs("econ431", "first", PAIRS, seed))
        assert GOAL <= score.won <= GOAL + 5
    for task in tasks("bot")[:3]:
        assert task.answer(task.solution)
        assert credit(task) == 1
        task.answer("first")
        assert credit(task) == 0


def test_no_end_is_without_coins():
    """The loser always has a card."""
    for task in tasks("no-exploit")[:20]:
        tree = task.tree
        assert all(tree.payoffs[tree.info[here]][0] for here in range(tree.histories) if tree.actor[here] == OVER)
