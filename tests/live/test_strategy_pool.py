"""Test what a class earns: against every pair of students played out one by one, for any trees, mixes and numbers of players."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import gametheory
from durak_widget.gametheory.strategy import Strategy, pure_row
from durak_widget.gametheory.tree import TERMINAL, TreeError
from durak_widget.live.strategy_pool import StrategyPool, average_row
from support.by_trying import payoffs
from support.random_trees import hidden_tree, open_tree

TEXTBOOK = [
    "bayes",
    "beer-quiche",
    "centipede",
    "driver",
    "entry",
    "horse",
    "kuhn",
    "myerson",
    "outside-option",
    "pennies",
    "spence",
    "ultimatum",
]


def random_row(rng, count, *, mix):
    """Return a pure row, or a row of percentages."""
    if not mix or rng.random() < 0.3:
        return pure_row(rng.randrange(count), count)
    cuts = sorted(rng.choice((0, 25, 50, 90, 100)) for _ in range(count - 1))
    return tuple(Fraction(end - start, 100) for start, end in zip([0, *cuts], [*cuts, 100], strict=True))


def random_class(tree, rng, *, mix=False, most=4):
    """Return a few strategies of each player."""
    return [
        [
            {
                place: random_row(rng, len(infoset.actions), mix=mix)
                for place, infoset in enumerate(tree.infosets)
                if infoset.player == player
            }
            for _ in range(rng.randint(1, most))
        ]
        for player in range(tree.player_count)
    ]


def played_out(tree, strategies, player, own):
    """Return the average payoff of a strategy against each combination of students in the other roles, played out one by one."""
    others = [[own] if other == player else strategies[other] for other in range(tree.player_count)]
    results = []
    for combination in product(*others):
        rows = [combination[infoset.player][place] for place, infoset in enumerate(tree.infosets)]
        results.append(payoffs(tree, Strategy(tree, rows))[player])
    return sum(results, Fraction(0)) / len(results)


def all_pure(tree, player):
    """Return every choice of one action at each information set of a player."""
    places = [place for place, infoset in enumerate(tree.infosets) if infoset.player == player]
    for choice in product(*(range(len(tree.infosets[place].actions)) for place in places)):
        yield {place: pure_row(action, len(tree.infosets[place].actions)) for place, action in zip(places, choice, strict=True)}


def reached_with(tree, strategies, player, own):
    """Return the information sets of a player that some play of the student against the class reaches."""
    others = [[own] if other == player else strategies[other] for other in range(tree.player_count)]
    found = set()
    for combination in product(*others):
        reach = [0] * tree.history_count
        reach[0] = 1
        for node in range(tree.history_count):
            actor, place = tree.actor[node], tree.infoset_of[node]
            if actor == TERMINAL or not reach[node]:
                continue
            if actor == player:
                found.add(place)
            row = combination[actor][place] if actor >= 0 else tree.chance_moves[place].probabilities
            for child, share in zip(tree.children(node), row, strict=True):
                reach[child] = reach[node] * share
    return found


def check_points(tree, strategies):
    """Check each student's points and the average of each role."""
    pool = StrategyPool(tree, strategies)
    for player in range(tree.player_count):
        points = [pool.payoff(player, own) for own in strategies[player]]
        assert points == [played_out(tree, strategies, player, own) for own in strategies[player]]
        assert pool.average_payoff(player) == sum(points, Fraction(0)) / len(points)


@given(st.integers(0, 2**32), st.booleans(), st.sampled_from((1, 2, 3)))
def test_points_are_the_average_of_all_games(number, mix, seats):
    """Each student has the average of the games against all students of the other roles."""
    rng = Random(number)
    tree = hidden_tree(rng, seats=seats, most=4)
    check_points(tree, random_class(tree, rng, mix=mix))


@given(st.integers(0, 2**32))
def test_points_with_perfect_information(number):
    """The same in trees of two or three players who see everything."""
    rng = Random(number)
    tree = open_tree(rng)
    check_points(tree, random_class(tree, rng, mix=True, most=3))


@pytest.mark.parametrize("name", TEXTBOOK)
def test_points_in_textbook_games(name):
    """The same in the textbook games, also of three players and with imperfect recall."""
    tree = gametheory.textbook(name)
    for mix in (False, True):
        check_points(tree, random_class(tree, Random(name), mix=mix, most=5))


def imperfect_tree():
    """Return a tree whose first player forgets what they did, and whose second player has seen nothing."""
    nodes = {"": gametheory.DecisionNode(0, "first", [("l", "l"), ("r", "r")])}
    for first in "lr":
        nodes[first] = gametheory.DecisionNode(1, "blind", [("u", first + "u"), ("d", first + "d")])
        for second in "ud":
            nodes[first + second] = gametheory.DecisionNode(0, "again", [("l", first + second + "l"), ("r", first + second + "r")])
            for last in "lr":
                value = 3 * (first == last) - (second == "u") + (first == "r")
                nodes[first + second + last] = gametheory.TerminalNode((value, -2 * value))
    return gametheory.build_tree("", nodes.__getitem__, player_count=2)


@pytest.mark.parametrize("mix", [False, True])
def test_points_with_imperfect_recall(mix):
    """Points are exact where no behaviour strategy does what the class does, because a player forgets."""
    tree = imperfect_tree()
    for number in range(5):
        strategies = random_class(tree, Random(number), mix=mix, most=4)
        check_points(tree, strategies)
        best = StrategyPool(tree, strategies).best_response(0)
        assert best.value == max(played_out(tree, strategies, 0, own) for own in all_pure(tree, 0))


@given(st.integers(0, 2**32), st.booleans(), st.sampled_from((2, 3)))
def test_best_responses_are_exactly_the_best_strategies(number, mix, seats):
    """The value is the best of all pure strategies, and the named actions are those that the best strategies play, ties included."""
    rng = Random(number)
    tree = hidden_tree(rng, seats=seats, most=3)
    strategies = random_class(tree, rng, mix=mix, most=3)
    pool = StrategyPool(tree, strategies)
    for player in range(seats):
        values = [(own, played_out(tree, strategies, player, own)) for own in all_pure(tree, player)]
        best = max(value for _, value in values)
        response = pool.best_response(player)
        assert response.value == best
        played: dict[int, set[int]] = {}
        for own, value in values:
            reached = reached_with(tree, strategies, player, own)
            assert (value == best) == all(own[place].index(1) in response.best_actions[place] for place in reached)
            if value == best:
                for place in reached:
                    played.setdefault(place, set()).add(own[place].index(1))
        assert set(response.played_infosets) == set(played)
        assert {place: tuple(sorted(actions)) for place, actions in played.items()} == {
            place: response.best_actions[place] for place in response.played_infosets
        }


@given(st.integers(0, 2**32), st.booleans())
def test_the_behaviour_strategy_plays_like_the_class(number, mix):
    """With perfect recall, all players' average payoffs under the class's behaviour strategy are those of the class."""
    rng = Random(number)
    tree = hidden_tree(rng, seats=rng.choice((2, 3)), most=4)
    pool = StrategyPool(tree, random_class(tree, rng, mix=mix))
    strategy = pool.to_strategy()
    assert [gametheory.value(tree, strategy, player) for player in range(tree.player_count)] == [
        pool.average_payoff(player) for player in range(tree.player_count)
    ]
    for player in range(tree.player_count):
        assert gametheory.best_response(tree, strategy, player).value == pool.best_response(player).value


def test_later_choices_count_only_for_those_who_get_there():
    """Two of three students take the book at once, so only the third one's choice of a concert matters; raw shares count all."""
    outside = gametheory.textbook("outside-option")
    first, second = pure_row(0, 2), pure_row(1, 2)
    students = [{0: first, 1: first}, {0: first, 1: first}, {0: second, 1: second}]
    pool = StrategyPool(outside, [students, [{2: first}]])
    assert pool.to_strategy()[1] == second
    assert pool.average_rows()[1] == (Fraction(2, 3), Fraction(1, 3))


def test_a_mix_counts_as_often_as_it_gets_there():
    """A student who goes out with probability 1/4 counts a quarter of a student who always does."""
    outside = gametheory.textbook("outside-option")
    quarter = (Fraction(3, 4), Fraction(1, 4))
    students = [{0: quarter, 1: pure_row(0, 2)}, {0: pure_row(1, 2), 1: pure_row(1, 2)}]
    assert StrategyPool(outside, [students, [{2: quarter}]]).to_strategy()[1] == (Fraction(1, 5), Fraction(4, 5))


def test_all_answers_count_where_nobody_gets():
    """Where no student's own choices lead, the class's strategy has the shares of all answers."""
    outside = gametheory.textbook("outside-option")
    students = [{0: pure_row(0, 2), 1: pure_row(action, 2)} for action in (0, 0, 1)]
    assert StrategyPool(outside, [students, [{2: pure_row(0, 2)}]]).to_strategy()[1] == (Fraction(2, 3), Fraction(1, 3))


def test_a_role_without_answers_leaves_the_others_without_points():
    """Nobody has an expected payoff against nobody, except the missing role itself, which still has best responses."""
    entry = gametheory.textbook("entry")
    pool = StrategyPool(entry, [[{0: pure_row(0, 2)}], []])
    assert pool.missing_players == (1,)
    with pytest.raises(TreeError):
        pool.payoff(0, {0: pure_row(0, 2)})
    assert pool.best_response(1).best_actions == {1: (0,)}


def test_an_average_of_no_rows_is_none():
    """Without answers there are no shares."""
    assert average_row([]) is None
