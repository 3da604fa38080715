"""The mixed equilibrium, who attacks first and the strategy of the problem set, for two hundred students: by the model, and by a linear program or by going through all deals."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from math import prod
from random import Random

import pytest
from class431 import of_all, tasks
from econ431_later import Now, Pay, best, code, ends, follows, moves, pay_of, plans, reached, trump_of, walked, worth

from durak_widget.analysis.payoffs_in_coins import build_coin_tree, replace_solved_subtrees
from durak_widget.econ431.endgame_positions import build_game, load_endgames
from durak_widget.econ431.mixed_strategy_questions import PRICES, GamePrices, reduce_game
from durak_widget.gametheory import solve
from durak_widget.gametheory.tree import TERMINAL
from durak_widget.grading.answer_grading import compute_credit
from durak_widget.homework.answer_hashes import MIN_SEALABLE_ANSWERS, count_possible_answers
from support.sizes import tried

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
@pytest.mark.release
def test_a_right_number_is_right_in_every_writing(name):
    """And earns everything."""
    for task in tasks(name):
        for text in writings(task.right):
            assert task.answer(text), (task.question, text)
            assert compute_credit(task) == 1
        assert task.answer(json.loads(json.dumps(task.last_answer)))
        task.restart()


@pytest.mark.slow
def test_every_mistake_is_named_and_earns_nothing():
    """By its own sentence, where no other mistake gives the same."""
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
        assert min(met.values()) > of_all(40)


def test_instances_of_numbers_differ_and_are_of_one_kind():
    """Fractions between 0 and 1 that are not ½; halves of coins; none is the answer of many."""
    mixed, first = ([task.right for task in tasks(name)] for name in NUMBERS)
    assert len({task.question for task in tasks("mixed-equilibrium")}) >= of_all(190)
    assert len({task.question for task in tasks("attack-first")}) >= of_all(195)
    assert all(0 < one < 1 and one != Fraction(1, 2) for one in mixed)
    assert max(one.denominator for one in mixed) <= 60
    assert {one.denominator for one in first} == {1, 2}
    assert len(set(mixed)) >= tried(20, 45)
    assert max(Counter(mixed).values()) <= 15
    assert len(set(first)) >= tried(15, 35)


def test_where_few_answers_are_possible_nobody_is_told():
    """The same for every student: else some might try, and others could not."""
    for name in (*NUMBERS, "how-likely"):
        assert all(count_possible_answers(task) < MIN_SEALABLE_ANSWERS for task in tasks(name))


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
        facts = task._question.facts
        mix, theirs = little_of(task)
        assert task.right == (mix if facts["asked"] == facts["known"] else 1 - mix)
        assert first == pytest.approx(float(mix), abs=1e-9)
        assert mix * a + (1 - mix) * c == mix * b + (1 - mix) * d == pytest.approx(value)
        assert len({mix, 1 - mix, theirs, 1 - theirs}) == 4  # who knows how often the one does something does not know it of the other
        by_hand = {"other": 1 - task.right, "theirs": theirs, "taken": 1 - theirs, "value": mix * a + (1 - mix) * c}
        assert {name: one.value for name, one in task._mistakes.items()} == by_hand | {"even": Fraction(1, 2), "always": 1, "never": 0}
        assert min(a, d) > max(b, c) or max(a, d) < min(b, c)  # so there is one equilibrium alone


def little_of(task) -> tuple[Fraction, Fraction]:
    """How likely each makes the first of two moves, from the four numbers alone."""
    (a, b), (c, d) = numbers_in(task)
    return (d - c) / (a - b - c + d), (d - b) / (a - b - c + d)


@pytest.mark.release
def test_every_little_game_is_worth_what_the_whole_game_is():
    """Of every kind, and of each that is not another in other cards at every price: all plans of both against each other, the ends by the text, in a linear program; and each student's four numbers are of one of these."""
    numpy = pytest.importorskip("numpy")
    known: dict[object, dict[GamePrices, float]] = {}
    cells = set()
    for number, kind in enumerate(load_endgames("apart")):
        tree, trump = replace_solved_subtrees(build_coin_tree(build_game(kind))), kind.partition("trump ")[2][0]
        there, now = reached(tree), {one.here: one for one in walked(tree, trump)}
        rows, columns = (numpy.array([[one.fits(seat, plan) for one in there] for plan in plans(tree, seat)], float) for seat in (0, 1))
        game = tuple((one.chance, now[one.here].taken, follows(now[one.here].now, trump)) for one in there)
        same = known.setdefault((rows.tobytes(), columns.tobytes(), game), {})
        for price in PRICES[number % 6 :: 6] if same else PRICES:
            if price not in same:
                pay = Pay(*price)
                won = [float(chance * (worth(then, pay) + taken * pay.toll)) for chance, taken, then in game]
                same[price] = minimax((rows * won @ columns.T).tolist())[0]
            found = reduce_game(kind, price)
            assert same[price] == pytest.approx(float(found.value)), (kind, price)
            cells.add(found.payoffs)
    assert {tuple(map(tuple, numbers_in(task))) for task in tasks("mixed-equilibrium")} <= cells


# Who attacks first


def coins_of(task) -> list[Fraction]:
    """What both games bring, each played out by the text."""
    cards, trump, pay = code(task.question), trump_of(task.question), pay_of(task.question)
    facts = task._question.facts
    hands = [frozenset(code(facts[name])) for name in ("first", "second")]
    assert set(cards) == hands[0] | hands[1]
    assert sorted(map(len, hands)) == [2, 3]
    return [best(Now((one, other), ()), trump, pay) for one, other in (hands, hands[::-1])]


def test_attacking_first_is_worth_what_two_games_are_on_average():
    """Each played out by the text, for what the loser pays."""
    for task in tasks("attack-first"):
        coins, pay = coins_of(task), pay_of(task.question)
        assert task.right == sum(coins) / 2
        cards = sum((abs(one) - pay.stake) / pay.each * (1 if one > 0 else -1) for one in coins) / 2
        plain = Fraction(sum(1 if one > 0 else -1 for one in coins), 2)
        by_hand = {"plain": plain, "cards": cards, "sum": sum(coins), "turned": -task.right, "best": max(coins)}
        assert {name: one.value for name, one in task._mistakes.items()} == by_hand


def test_it_is_an_advantage_for_some_a_drawback_for_others_and_nothing_for_a_few():
    """So nobody's answer is another's; and the work is the same: as many decisions, whichever it is."""
    met = Counter((task.right > 0) - (task.right < 0) for task in tasks("attack-first"))
    assert met[1] > of_all(60)
    assert met[-1] > of_all(60)
    assert of_all(15) <= met[0] <= of_all(50)
    sizes = {}
    for answer in ("yes", "no", "even"):
        for kind in load_endgames(f"first.{answer}"):
            one, other = (frozenset(hand.split()) for hand in kind.partition(";")[0].split(" | "))
            begin = [Now(hands, ()) for hands in ((one, other), (other, one))]
            trump = kind.partition("trump ")[2][0]
            value = sum(best(now, trump, Pay()) for now in begin)
            assert {"yes": value > 0, "no": value < 0, "even": value == 0}[answer]
            sizes.setdefault(answer, []).append(sum(decisions(now, trump) for now in begin))
    assert all(26 <= size <= 36 for found in sizes.values() for size in found)
    average = [sum(found) / len(found) for found in sizes.values()]
    assert max(average) - min(average) < 3, average


def decisions(now: Now, trump: str) -> int:
    """In how many places somebody has something to decide."""
    then = [] if now.winner is not None else list(moves(now, trump).values())
    return (len(then) > 1) + sum(decisions(one, trump) for one in then)


# A strategy that nobody can exploit


class ByHand:
    """A strategy of the second player against every plan of the other."""

    def __init__(self, task) -> None:
        tree = task.tree
        coins = ends(tree, trump_of(task.question), pay_of(task.question))
        there = reached(tree)
        self.ends = [(one.chance * coins[one.here], one.choices[1]) for one in there]
        self.plans = [[number for number, one in enumerate(there) if one.fits(0, plan)] for plan in plans(tree, 0)]

    def lost(self, likely: dict[int, list[Fraction]]) -> Fraction:
        """The most that any plan takes from these probabilities."""
        chances = [prod([likely[place][move] for place, move in choices.items()]) for _, choices in self.ends]
        brings = {number: coins * chance for number, ((coins, _), chance) in enumerate(zip(self.ends, chances, strict=True)) if chance}
        return max(sum((brings[number] for number in plan if number in brings), Fraction(0)) for plan in self.plans)

    def least(self, plans_of_mine: list[dict[int, int]]) -> int:
        """The least that any of these plans loses, in shares of a deal."""
        numpy = pytest.importorskip("numpy")
        mine = [[all(plan[place] == move for place, move in choices.items()) for _, choices in self.ends] for plan in plans_of_mine]
        theirs = [[number in plan for number in range(len(self.ends))] for plan in map(set, self.plans)]
        coins = [int(6 * coins) for coins, _ in self.ends]
        return int((numpy.array(mine, int) * coins @ numpy.array(theirs, int).T).max(axis=1).min())


def always(plan: dict[int, int], tree) -> dict[int, list[Fraction]]:
    """A plan as probabilities."""
    return {place: [Fraction(move == at) for at in range(len(tree.infosets[place].actions))] for place, move in plan.items()}


@pytest.mark.release
def test_the_tree_of_the_strategy_is_the_game_of_the_text():
    """The same moves, things seen, and coins; of one size for everybody."""
    all_ = tasks("no-exploit")
    assert len({task.question for task in all_}) >= of_all(195)
    assert {task.tree.infoset_counts for task in all_} == {(3, 6)}
    assert {task.tree.child_count[0] for task in all_} == {6}
    for task in all_:
        tree = task.tree
        for here, coins in ends(tree, trump_of(task.question), pay_of(task.question)).items():
            assert tree.payoffs[tree.infoset_of[here]] == (coins, -coins)
        known = {}
        for one in walked(tree, trump_of(task.question)):
            if (actor := tree.actor[one.here]) >= 0:
                assert known.setdefault((actor, one.seen[actor]), tree.infoset_of[one.here]) == tree.infoset_of[one.here]
        assert len(known) == len(tree.infosets)


@pytest.mark.release
def test_what_a_strategy_loses_is_what_the_best_plan_takes():
    """Drawn evenly, drawn by lots, and the solution: every plan of the other tried; partial credit in proportion."""
    for number, task in enumerate(tasks("no-exploit")):
        tree, lots, by_hand = task.tree, Random(number), ByHand(task)
        value = Fraction(solve(tree).value)
        own = [place for place, one in enumerate(tree.infosets) if one.player == 1]
        even = {place: [Fraction(1, len(tree.infosets[place].actions))] * len(tree.infosets[place].actions) for place in own}
        drawn = always({place: lots.randrange(len(one)) for place, one in even.items()}, tree)
        beginning = by_hand.lost(even) - value
        assert beginning > 0
        for likely in (even, drawn):
            lost = by_hand.lost(likely) - value
            verdict = task.answer({place: dict(zip(tree.infosets[place].actions, row, strict=True)) for place, row in likely.items()})
            assert task.loss == lost
            assert bool(verdict) is (not lost)
            assert task.credit == max(1 - lost / beginning, Fraction(0))
        assert task.answer(task.solution)
        assert task.loss == 0
        assert task.credit == compute_credit(task) == 1
        table = {place: [Fraction(one) for one in row] for place, row in enumerate(task._answer.rows) if place in own}
        assert by_hand.lost(table) == value
        task.restart()


@pytest.mark.release
def test_whoever_does_not_mix_can_be_exploited():
    """Every pure plan of the second player tried: each loses something."""
    for task in tasks("no-exploit"):
        assert ByHand(task).least(plans(task.tree, 1)) > 6 * Fraction(solve(task.tree).value)


@pytest.mark.slow
def test_a_strategy_is_given_as_a_function_of_the_view_too():
    """What a seat sees of Durak, not the number of a set; and it is kept as plain values."""
    for task in tasks("no-exploit")[:5]:
        task.answer(lambda view: view.legal_moves()[0])
        kept, lost = json.loads(json.dumps(task.last_answer)), task.loss
        task.restart()
        task.answer(kept)
        assert task.loss == lost
        task.restart()


def test_no_end_is_without_coins():
    """The loser always has a card."""
    for task in tasks("no-exploit")[:20]:
        tree = task.tree
        assert all(tree.payoffs[tree.infoset_of[here]][0] for here in range(tree.history_count) if tree.actor[here] == TERMINAL)
