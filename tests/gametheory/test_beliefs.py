"""Test beliefs and weak perfect Bayesian equilibria: literature results, and the definition on a grid of beliefs."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from random import Random

import pytest

from durak_widget import gametheory
from durak_widget.gametheory.beliefs import (
    BeliefSearch,
    bayesian_beliefs,
    belief_bounds,
    compute_node_reaches,
    evaluate_weak_perfect_bayesian,
    find_undominated_actions,
    list_infoset_nodes,
    list_tremble_beliefs,
)
from durak_widget.gametheory.best_responses import node_values
from durak_widget.gametheory.exact_lp import Tableau
from durak_widget.gametheory.strategy import Strategy
from support.hidden_trees import comes, gains_from, hidden_tree, plans_from, settled, some_strategy
from support.sizes import tried

F = Fraction
BEER = {"strong": "beer", "weak": "beer", "sees beer": "defer", "sees quiche": "duel"}
QUICHE = {"strong": "quiche", "weak": "quiche", "sees beer": "duel", "sees quiche": "defer"}

# A strategy of a textbook, and the information set at which it fails; None if it passes
KNOWN = [
    ("beer-quiche", BEER, None),  # Cho and Kreps (1987)
    ("beer-quiche", QUICHE, None),
    ("beer-quiche", BEER | {"sees quiche": "defer"}, "weak"),
    ("horse", {"begins": "across", "One went across": "across", "One or Two went down": "right"}, None),  # Selten (1975)
    ("horse", {"begins": "down", "One went across": "across", "One or Two went down": "left"}, "One went across"),
    ("spence", {"worth 1": "none", "worth 2": "school", "sees school": "wage 2", "sees none": "wage 1"}, None),  # Spence (1973)
    ("spence", {"worth 1": "none", "worth 2": "none", "sees school": "wage 1", "sees none": "wage 2"}, None),
    ("spence", {"worth 1": "none", "worth 2": "none", "sees school": "wage 1", "sees none": "wage 1"}, None),
    ("outside-option", {0: "concert", 1: "Bach", 2: "Bach"}, None),  # Osborne and Rubinstein (1994)
    ("outside-option", {0: "book", 1: "Stravinsky", 2: "Stravinsky"}, None),
    ("outside-option", {0: "book", 1: "Bach", 2: "Stravinsky"}, 1),
    ("bayes", {0: "Bach", 1: "Bach", 2: "Stravinsky"}, None),  # Osborne (2004)
    ("entry", {0: 1, 1: 1}, 1),
]


def strategy_from(tree, chosen):
    """Return a strategy given by labels or numbers."""
    return Strategy.from_mapping(
        tree, {key: tree.infosets[key].actions[move] if isinstance(move, int) else move for key, move in chosen.items()}
    )


def test_textbook_strategies_are_classified_as_in_the_literature():
    """A strategy that a book calls a perfect Bayesian equilibrium passes; for another, the information set at which it fails is named."""
    for name, chosen, against in KNOWN:
        tree = gametheory.textbook(name)
        strategy = strategy_from(tree, chosen)
        found = evaluate_weak_perfect_bayesian(tree, strategy)
        assert found.holds is (against is None)
        assert found.failing_infoset == (None if against is None else strategy.find_infoset(against))


def test_belief_bounds_in_beer_quiche():
    """If all have beer, the other duels after quiche as long as strong is not more likely than weak; if all have quiche, the same is true after beer."""
    tree = gametheory.textbook("beer-quiche")
    for chosen, surprising in ((BEER, "sees quiche"), (QUICHE, "sees beer")):
        strategy = Strategy.from_mapping(tree, chosen)
        assert belief_bounds(tree, strategy, strategy.find_infoset(surprising)) == ((0, F(1, 2)), (F(1, 2), 1))
    expected = {"sees beer": ((F(9, 10),) * 2, (F(1, 10),) * 2)}
    strategy = Strategy.from_mapping(tree, BEER)
    assert belief_bounds(tree, strategy, strategy.find_infoset("sees beer")) == expected["sees beer"]


def test_belief_bounds_in_seltens_horse():
    """Three goes right as long as it believes with at most 1/3 that One went down."""
    tree = gametheory.textbook("horse")
    strategy = strategy_from(tree, KNOWN[3][1])
    assert belief_bounds(tree, strategy, 1) == ((0, F(1, 3)), (F(2, 3), 1))
    assert belief_bounds(tree, strategy_from(tree, KNOWN[4][1]), 2) is None


def random_game(seed):
    """Return a random game and a strategy in it."""
    rng = Random(seed)
    tree = hidden_tree(rng, seats=rng.choice((2, 2, 3)), deep=rng.choice((2, 3, 4)), most=rng.choice((1, 3)))
    strategy = some_strategy(rng, tree)
    return tree, settled(rng, tree, strategy) if rng.random() < 0.7 else strategy


def supports_strategy(gains, belief):
    """Does no pure strategy gain under a belief?"""
    return all(sum(gain * probability for gain, probability in zip(row, belief, strict=True)) <= 0 for row in gains)


def belief_grid(many, parts=12):
    """Yield beliefs over `many` histories, in multiples of 1/`parts`."""
    for cut in product(range(parts + 1), repeat=many - 1):
        if sum(cut) <= parts:
            yield tuple([F(part, parts) for part in (*cut, parts - sum(cut))])


def random_beliefs(rng, many):
    """Yield a hundred random beliefs over `many` histories."""
    for _ in range(100):
        parts = [rng.choice((0, 0, 1, 2, 5)) for _ in range(many - 1)]
        yield [F(part, sum(parts) + 1) for part in (*parts, 1)]


def test_weak_perfect_bayesian_matches_the_definition():
    """In random games no continuation gains under the belief shown. If there is none, a mixture gains at every history, and no belief of a grid works."""
    seen = {True: 0, False: 0}
    for seed in range(tried(50, 150)):
        tree, strategy = random_game(seed)
        found = evaluate_weak_perfect_bayesian(tree, strategy)
        assert found.holds is not None
        seen[found.holds] += 1
        sets = list_infoset_nodes(tree)
        for place, nodes in enumerate(sets if found.holds else sets[: found.failing_infoset + 1]):
            gains = gains_from(tree, strategy, place)
            reach_probabilities = [comes(tree, strategy, node) for node in nodes]
            sure = [reach / sum(reach_probabilities) for reach in reach_probabilities] if sum(reach_probabilities) else None
            if found.holds:
                assert supports_strategy(gains, found.beliefs[place])
                assert sure is None or sure == list(found.beliefs[place])
            elif place == found.failing_infoset:
                assert (
                    not supports_strategy(gains, sure)
                    if sure
                    else not any(
                        supports_strategy(gains, belief)
                        for belief in (belief_grid(len(nodes)) if len(nodes) < 4 else random_beliefs(Random(seed), len(nodes)))
                    )
                )
                assert mixture_gains(tree, strategy, place, found.deviations, sure)
            elif sure:
                assert supports_strategy(gains, sure)
    assert min(seen.values()) > tried(8, 30)


def mixture_gains(tree, strategy, place, better, sure):
    """Does a mixture of continuations gain: under the known belief, or else at every history?"""
    seat, nodes, total = tree.infosets[place].player, list_infoset_nodes(tree)[place], 0
    now = node_values(tree, strategy, seat)
    assert sum(deviation.probability for deviation in better) == 1
    gains = [F(0)] * len(nodes)
    for probability, moves in better:
        rows = list(strategy.rows)
        for infoset, move in moves.items():
            assert tree.infosets[infoset].player == seat
            rows[infoset] = tuple([F(int(number == move)) for number in range(len(rows[infoset]))])
        after = node_values(tree, Strategy(tree, rows), seat)
        gains = [gain + probability * (after[node] - now[node]) for gain, node in zip(gains, nodes, strict=True)]
    total = sum(gain * probability for gain, probability in zip(gains, sure or [], strict=sure is not None))
    return total > 0 if sure else min(gains) > 0


def test_belief_bounds_are_tight():
    """With two histories a belief at the bounds works, and one just outside does not. With any number, all working beliefs of a grid are inside."""
    tight = 0
    for seed in range(tried(40, 120)):
        tree, strategy = random_game(seed)
        for place, nodes in enumerate(list_infoset_nodes(tree)):
            if len(nodes) not in {2, 3} or any(comes(tree, strategy, node) for node in nodes):
                continue
            gains, bounds = gains_from(tree, strategy, place), belief_bounds(tree, strategy, place)
            fitting = [belief for belief in belief_grid(len(nodes)) if supports_strategy(gains, belief)]
            if bounds is None:
                assert not fitting
                continue
            assert all(low <= probability <= high for belief in fitting for probability, (low, high) in zip(belief, bounds, strict=True))
            if len(nodes) == 2:
                low, high = bounds[0]
                assert supports_strategy(gains, (low, 1 - low))
                assert supports_strategy(gains, (high, 1 - high))
                for out in (low - F(1, 10**6), high + F(1, 10**6)):
                    if 0 <= out <= 1:
                        tight += 1
                        assert not supports_strategy(gains, (out, 1 - out))
    assert tight > tried(3, 10)


def test_bayesian_beliefs_are_reach_divided_by_total_reach():
    """Bayes' rule: the probability of each history divided by that of the information set; None if it is not reached."""
    for seed in range(15):
        tree, strategy = random_game(seed)
        for nodes, belief in zip(list_infoset_nodes(tree), bayesian_beliefs(tree, strategy), strict=True):
            reach_probabilities = [comes(tree, strategy, node) for node in nodes]
            assert belief == (
                tuple([reach / sum(reach_probabilities) for reach in reach_probabilities]) if sum(reach_probabilities) else None
            )


def test_node_reaches_separate_unplayed_actions():
    """A node's reach has the actions that the strategy never plays, and the probability of the rest. Without such actions it is the probability of the node."""
    for seed in range(15):
        tree, strategy = random_game(seed)
        for here, node_reach in enumerate(compute_node_reaches(tree, strategy)):
            assert comes(tree, strategy, here) == (0 if node_reach.unplayed_actions else node_reach.probability)
            assert all(strategy.rows[place][move] == 0 for place, move in node_reach.unplayed_actions)


def test_trembles_lead_to_bayes_rule_at_reached_sets():
    """At an information set that is reached, trembles can lead only to the belief of Bayes' rule."""
    for seed in range(15):
        tree, strategy = random_game(seed)
        come = compute_node_reaches(tree, strategy)
        for nodes, belief in zip(list_infoset_nodes(tree), bayesian_beliefs(tree, strategy), strict=True):
            if belief is not None:
                assert list_tremble_beliefs([come[node] for node in nodes]) == [belief]


def test_undominated_actions_are_best_under_some_belief():
    """Compared on a grid as fine as the payoffs: which moves are best under some belief about two histories."""
    rng = Random(5)
    for _ in range(100):
        action_payoffs = [[F(rng.randint(-3, 3)), F(rng.randint(-3, 3))] for _ in range(rng.choice((2, 3)))]
        beliefs = {F(n, d) for d in range(1, 13) for n in range(d + 1)}
        has = [[payoff * sure + other * (1 - sure) for payoff, other in action_payoffs] for sure in beliefs]
        assert find_undominated_actions(action_payoffs) == sorted(
            {move for line in has for move, payoff in enumerate(line) if payoff == max(line)}
        )


def test_the_best_continuation_is_the_best_pure_strategy():
    """Under any belief, the maximum from an information set on is the payoff of the best pure strategy."""
    rng = Random(3)
    for seed in range(15):
        tree, strategy = random_game(seed)
        for place, nodes in enumerate(list_infoset_nodes(tree)):
            parts = [rng.randint(0, 3) for _ in nodes]
            parts[0] += not any(parts)
            belief = [F(part, sum(parts)) for part in parts]
            seat = tree.infosets[place].player
            has = [node_values(tree, continuation, seat) for continuation in plans_from(tree, strategy, place)]
            most = max(sum(probability * values[node] for probability, node in zip(belief, nodes, strict=True)) for values in has)
            assert BeliefSearch(tree, strategy, place, nodes, node_values(tree, strategy, seat)).find_best_continuation(belief)[0] == most


def test_the_simplex_maximizes_any_program():
    """With two unknowns, the best corner equals the best intersection of two lines, and the dual prices bound it from above."""
    rng = Random(7)
    for _ in range(60):
        lines = [[rng.randint(-4, 4), rng.randint(-4, 4)] for _ in range(3)] + [[1, 1]]
        right, aim = [rng.randint(0, 4) for _ in range(3)] + [rng.randint(1, 4)], [rng.randint(-3, 5), rng.randint(-3, 5)]
        table = Tableau(lines, right)
        corner, prices = table.maximize(aim), table.dual_prices(aim)
        rules = [*zip(lines, right, strict=True), ([-1, 0], 0), ([0, -1], 0)]
        points = []
        for ((a, b), e), ((c, d), f) in combinations(rules, 2):
            if a * d != b * c:
                point = F(e * d - b * f, a * d - b * c), F(a * f - e * c, a * d - b * c)
                if all(x * point[0] + y * point[1] <= most for (x, y), most in rules):
                    points.append(point)
        most = max(aim[0] * x + aim[1] * y for x, y in points)
        assert corner.weights in points
        assert aim[0] * corner.weights[0] + aim[1] * corner.weights[1] == most
        assert min(prices) >= 0
        assert sum(price * side for price, side in zip(prices, right, strict=True)) == most


def test_undecidable_questions_are_refused():
    """Rounded probabilities and imperfect recall have an error that says why."""
    tree, driver = gametheory.textbook("horse"), gametheory.textbook("driver")
    with pytest.raises(gametheory.TreeError, match="this strategy has floats"):
        evaluate_weak_perfect_bayesian(tree, Strategy(tree, [(0.5, 0.5)] * 3))
    with pytest.raises(gametheory.TreeError, match="Driver"):
        evaluate_weak_perfect_bayesian(driver, Strategy.uniform(driver))


def test_a_search_without_rounds_returns_no_result():
    """With zero rounds nothing is decided, and nothing is claimed."""
    tree = gametheory.textbook("horse")
    strategy = Strategy.uniform(tree)
    onward = BeliefSearch(tree, strategy, 1, [1, 5], node_values(tree, strategy, 2))
    assert onward.find_belief([(F(1), F(0))], max_rounds=0) == (None, ())
    assert onward.maximize_weight([(F(1), F(0))], [1], max_rounds=0) is None
