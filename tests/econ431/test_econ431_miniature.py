"""Test the mixed equilibrium, the first attacker and the strategy for two hundred students, with linear programs and all deals."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from math import prod
from random import Random

import pytest
from econ431_games import (
    Now,
    Pay,
    best_value,
    card_codes,
    ends,
    moves,
    outcome_value,
    outcomes,
    pay_of,
    pure_strategies,
    reached_ends,
    trump_of,
    walk,
)
from econ431_students import scaled, tasks

from durak_widget.analysis.payoffs_in_coins import build_coin_tree, replace_solved_subtrees
from durak_widget.econ431.endgame_positions import build_game, load_endgames
from durak_widget.econ431.mixed_strategy_questions import PRICES, GamePrices, reduce_game
from durak_widget.gametheory import solve
from durak_widget.gametheory.tree import TERMINAL
from durak_widget.grading.answer_grading import compute_credit
from durak_widget.homework.answer_hashes import MIN_SEALABLE_ANSWERS, count_possible_answers
from support.sizes import tried

NUMBERS = {"mixed-equilibrium": "class.econ431.mix", "attack-first": "class.econ431.first"}


def notations(number: Fraction) -> list[str]:
    """Return the notations that people use for a number."""
    given = [str(number), f" {number} ", str(number).replace("-", "−"), f"{float(number):.4f}", f"{float(number):.3f}".replace(".", ",")]
    return [*given, f"{100 * float(number):.2f} %"] if 0 < number < 1 else given


def minimax(table: list[list[Fraction]]) -> tuple[float, list[float]]:
    """Return the value of a table of wins to the rows, and their mix, by a linear program."""
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
@pytest.mark.release
def test_a_right_number_is_accepted_in_every_notation(name):
    """It earns full marks."""
    for task in tasks(name):
        for text in notations(task.right):
            assert task.answer(text), (task.question, text)
            assert compute_credit(task) == 1
        assert task.answer(json.loads(json.dumps(task.last_answer)))
        task.restart()


@pytest.mark.slow
def test_every_mistake_is_named_and_earns_nothing():
    """It has its own sentence if no other mistake gives the same number."""
    for name, known in NUMBERS.items():
        met = Counter()
        for task in tasks(name):
            for which, value in task.mistakes.items():
                verdict = task.answer(value)
                assert not verdict
                assert compute_credit(task) == 0
                assert task.mistake_name == f"{known}.{which}"
                met[which] += 1
            assert not task.answer(task.right + 1000)
            assert task.mistake_name in ("number.large", "number.small")
            task.restart()
        assert met.keys() | {"never"} == {*tasks(name)[0]._mistakes, "never"}
        assert min(met.values()) > scaled(40)


def test_instances_have_different_numbers_of_the_same_kind():
    """Probabilities are between 0 and 1 and not ½, coins are halves, and no answer is common."""
    mixed, first = ([task.right for task in tasks(name)] for name in NUMBERS)
    assert len({task.question for task in tasks("mixed-equilibrium")}) >= scaled(190)
    assert len({task.question for task in tasks("attack-first")}) >= scaled(195)
    assert all(0 < probability < 1 and probability != Fraction(1, 2) for probability in mixed)
    assert max(probability.denominator for probability in mixed) <= 60
    assert {probability.denominator for probability in first} == {1, 2}
    assert len(set(mixed)) >= tried(20, 45)
    assert max(Counter(mixed).values()) <= 15
    assert len(set(first)) >= tried(15, 35)


def test_homework_gives_no_verdict_if_few_answers_are_possible():
    """This is the same for every student, so no one can guess by trying."""
    for name in (*NUMBERS, "how-likely"):
        assert all(count_possible_answers(task) < MIN_SEALABLE_ANSWERS for task in tasks(name))


# The mixed equilibrium


def numbers_in(task) -> list[list[Fraction]]:
    """Return the four cells, from the question's text."""
    facts = task._question.facts
    return [[Fraction(str(facts[name]).replace("−", "-")) for name in row] for row in ("ab", "cd")]


def test_the_mix_equals_a_linear_program_on_the_four_numbers():
    """The value can't be had in any other way."""
    for task in tasks("mixed-equilibrium"):
        (a, b), (c, d) = table = numbers_in(task)
        value, (first, _) = minimax(table)
        facts = task._question.facts
        mix, theirs = mix_of(task)
        assert task.right == (mix if facts["asked"] == facts["known"] else 1 - mix)
        assert first == pytest.approx(float(mix), abs=1e-9)
        assert mix * a + (1 - mix) * c == mix * b + (1 - mix) * d == pytest.approx(value)
        assert len({mix, 1 - mix, theirs, 1 - theirs}) == 4  # one player's probability does not give the other's
        by_hand = {"other": 1 - task.right, "theirs": theirs, "taken": 1 - theirs, "value": mix * a + (1 - mix) * c}
        assert {name: mistake.value for name, mistake in task._mistakes.items()} == by_hand | {
            "even": Fraction(1, 2),
            "always": 1,
            "never": 0,
        }
        assert min(a, d) > max(b, c) or max(a, d) < min(b, c)  # so there is exactly one equilibrium


def mix_of(task) -> tuple[Fraction, Fraction]:
    """Return the probability of each player's first move, from the four numbers alone."""
    (a, b), (c, d) = numbers_in(task)
    return (d - c) / (a - b - c + d), (d - b) / (a - b - c + d)


@pytest.mark.release
def test_the_two_by_two_game_has_the_value_of_the_whole_game():
    """For every kind of game, all strategies of both players are compared in a linear program.

    Each student's four numbers are one of these.
    """
    numpy = pytest.importorskip("numpy")
    known: dict[object, dict[GamePrices, float]] = {}
    cells = set()
    for number, kind in enumerate(load_endgames("apart")):
        tree, trump = replace_solved_subtrees(build_coin_tree(build_game(kind))), kind.partition("trump ")[2][0]
        there, now = reached_ends(tree), {node.here: node for node in walk(tree, trump)}
        rows, columns = (
            numpy.array([[reached.fits(seat, plan) for reached in there] for plan in pure_strategies(tree, seat)], float) for seat in (0, 1)
        )
        game = tuple((reached.chance, now[reached.here].taken, outcomes(now[reached.here].now, trump)) for reached in there)
        same = known.setdefault((rows.tobytes(), columns.tobytes(), game), {})
        for price in PRICES[number % 6 :: 6] if same else PRICES:
            if price not in same:
                pay = Pay(*price)
                won = [float(chance * (outcome_value(then, pay) + taken * pay.toll)) for chance, taken, then in game]
                same[price] = minimax((rows * won @ columns.T).tolist())[0]
            found = reduce_game(kind, price)
            assert same[price] == pytest.approx(float(found.value)), (kind, price)
            cells.add(found.payoffs)
    assert {tuple(map(tuple, numbers_in(task))) for task in tasks("mixed-equilibrium")} <= cells


# Who attacks first


def coins_of(task) -> list[Fraction]:
    """Return the coins of both games, each played by the text."""
    cards, trump, pay = card_codes(task.question), trump_of(task.question), pay_of(task.question)
    facts = task._question.facts
    hands = [frozenset(card_codes(facts[name])) for name in ("first", "second")]
    assert set(cards) == hands[0] | hands[1]
    assert sorted(map(len, hands)) == [2, 3]
    return [best_value(Now((first, other), ()), trump, pay) for first, other in (hands, hands[::-1])]


def test_attacking_first_brings_the_average_of_two_games():
    """Each is played by the text, for what the loser pays."""
    for task in tasks("attack-first"):
        coins, pay = coins_of(task), pay_of(task.question)
        assert task.right == sum(coins) / 2
        cards = sum((abs(coin) - pay.stake) / pay.each * (1 if coin > 0 else -1) for coin in coins) / 2
        plain = Fraction(sum(1 if coin > 0 else -1 for coin in coins), 2)
        by_hand = {"plain": plain, "cards": cards, "sum": sum(coins), "turned": -task.right, "best": max(coins)}
        assert {name: mistake.value for name, mistake in task._mistakes.items()} == by_hand


def test_attacking_first_helps_some_students_and_hurts_others():
    """For a few it makes no difference. There are always as many decisions."""
    met = Counter((task.right > 0) - (task.right < 0) for task in tasks("attack-first"))
    assert met[1] > scaled(60)
    assert met[-1] > scaled(60)
    assert scaled(15) <= met[0] <= scaled(50)
    sizes = {}
    for answer in ("yes", "no", "even"):
        for kind in load_endgames(f"first.{answer}"):
            first, other = (frozenset(hand.split()) for hand in kind.partition(";")[0].split(" | "))
            begin = [Now(hands, ()) for hands in ((first, other), (other, first))]
            trump = kind.partition("trump ")[2][0]
            value = sum(best_value(now, trump, Pay()) for now in begin)
            assert {"yes": value > 0, "no": value < 0, "even": value == 0}[answer]
            sizes.setdefault(answer, []).append(sum(count_decisions(now, trump) for now in begin))
    assert all(26 <= size <= 36 for found in sizes.values() for size in found)
    average = [sum(found) / len(found) for found in sizes.values()]
    assert max(average) - min(average) < 3, average


def count_decisions(now: Now, trump: str) -> int:
    """Return in how many nodes somebody has a choice."""
    then = [] if now.winner is not None else list(moves(now, trump).values())
    return (len(then) > 1) + sum(count_decisions(next_state, trump) for next_state in then)


# A strategy that nobody can exploit


class ByHand:
    """A strategy of the second player against every strategy of the other."""

    def __init__(self, task) -> None:
        tree = task.tree
        coins = ends(tree, trump_of(task.question), pay_of(task.question))
        there = reached_ends(tree)
        self.ends = [(end.chance * coins[end.here], end.choices[1]) for end in there]
        self.plans = [[number for number, end in enumerate(there) if end.fits(0, plan)] for plan in pure_strategies(tree, 0)]

    def lost(self, strategy: dict[int, list[Fraction]]) -> Fraction:
        """Return the most that any strategy wins against these probabilities."""
        chances = [prod([strategy[place][move] for place, move in choices.items()]) for _, choices in self.ends]
        brings = {number: coins * chance for number, ((coins, _), chance) in enumerate(zip(self.ends, chances, strict=True)) if chance}
        return max(sum((brings[number] for number in plan if number in brings), Fraction(0)) for plan in self.plans)

    def least(self, plans_of_mine: list[dict[int, int]]) -> int:
        """Return the least that any of these strategies loses, as a share of a deal."""
        numpy = pytest.importorskip("numpy")
        mine = [[all(plan[place] == move for place, move in choices.items()) for _, choices in self.ends] for plan in plans_of_mine]
        theirs = [[number in plan for number in range(len(self.ends))] for plan in map(set, self.plans)]
        coins = [int(6 * coins) for coins, _ in self.ends]
        return int((numpy.array(mine, int) * coins @ numpy.array(theirs, int).T).max(axis=1).min())


def pure_as_mixed(plan: dict[int, int], tree) -> dict[int, list[Fraction]]:
    """Return a pure strategy as probabilities."""
    return {place: [Fraction(move == at) for at in range(len(tree.infosets[place].actions))] for place, move in plan.items()}


@pytest.mark.release
def test_the_strategy_tree_is_the_game_of_the_text():
    """It has the same moves, information and coins, and one size for everybody."""
    all_ = tasks("no-exploit")
    assert len({task.question for task in all_}) >= scaled(195)
    assert {task.tree.infoset_counts for task in all_} == {(3, 6)}
    assert {task.tree.child_count[0] for task in all_} == {6}
    for task in all_:
        tree = task.tree
        for here, coins in ends(tree, trump_of(task.question), pay_of(task.question)).items():
            assert tree.payoffs[tree.infoset_of[here]] == (coins, -coins)
        known = {}
        for node in walk(tree, trump_of(task.question)):
            if (actor := tree.actor[node.here]) >= 0:
                assert known.setdefault((actor, node.seen[actor]), tree.infoset_of[node.here]) == tree.infoset_of[node.here]
        assert len(known) == len(tree.infosets)


@pytest.mark.release
def test_exploitability_is_what_the_best_strategy_wins():
    """Test uniform, random and solution strategies against all of the other's. Credit is proportional."""
    for number, task in enumerate(tasks("no-exploit")):
        tree, rng, by_hand = task.tree, Random(number), ByHand(task)
        value = Fraction(solve(tree).value)
        own = [place for place, infoset in enumerate(tree.infosets) if infoset.player == 1]
        even = {place: [Fraction(1, len(tree.infosets[place].actions))] * len(tree.infosets[place].actions) for place in own}
        random_strategy = pure_as_mixed({place: rng.randrange(len(row)) for place, row in even.items()}, tree)
        beginning = by_hand.lost(even) - value
        assert beginning > 0
        for strategy in (even, random_strategy):
            lost = by_hand.lost(strategy) - value
            verdict = task.answer({place: dict(zip(tree.infosets[place].actions, row, strict=True)) for place, row in strategy.items()})
            assert task.loss == lost
            assert bool(verdict) is (not lost)
            assert task.credit == max(1 - lost / beginning, Fraction(0))
        assert task.answer(task.solution)
        assert task.loss == 0
        assert task.credit == compute_credit(task) == 1
        table = {place: [Fraction(probability) for probability in row] for place, row in enumerate(task._answer.rows) if place in own}
        assert by_hand.lost(table) == value
        task.restart()


@pytest.mark.release
def test_every_pure_strategy_can_be_exploited():
    """Each pure strategy of the second player loses something."""
    for task in tasks("no-exploit"):
        assert ByHand(task).least(pure_strategies(task.tree, 1)) > 6 * Fraction(solve(task.tree).value)


@pytest.mark.slow
def test_a_strategy_can_be_a_function_of_the_view():
    """It gets Durak's view, not a set number, and is kept as plain values."""
    for task in tasks("no-exploit")[:5]:
        task.answer(lambda view: view.legal_moves()[0])
        stored, lost = json.loads(json.dumps(task.last_answer)), task.loss
        task.restart()
        task.answer(stored)
        assert task.loss == lost
        task.restart()


def test_every_end_has_coins():
    """The loser always has a card."""
    for task in tasks("no-exploit")[:20]:
        tree = task.tree
        assert all(tree.payoffs[tree.infoset_of[here]][0] for here in range(tree.history_count) if tree.actor[here] == TERMINAL)
