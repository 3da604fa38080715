"""What may be believed, and whether a strategy stands by it: the books' answers, and the definition, plan by plan, over a grid of beliefs."""

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

# Each strategy of a textbook, and the information set at which it does not stand; None where it does
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


def of(tree, chosen):
    """A strategy, said by labels or numbers."""
    return Strategy.from_mapping(
        tree, {key: tree.infosets[key].actions[move] if isinstance(move, int) else move for key, move in chosen.items()}
    )


def test_the_books_say_so():
    """A strategy that books call a perfect Bayesian equilibrium stands; of another the set is named at which it does not."""
    for name, chosen, against in KNOWN:
        tree = gametheory.textbook(name)
        strategy = of(tree, chosen)
        found = evaluate_weak_perfect_bayesian(tree, strategy)
        assert found.holds is (against is None)
        assert found.failing_infoset == (None if against is None else strategy.find_infoset(against))


def test_after_quiche_strong_is_at_most_as_likely_as_weak():
    """Who sees quiche for breakfast, where all have beer, duels as long as strong is not likelier than weak; and the other way round of beer."""
    tree = gametheory.textbook("beer-quiche")
    for chosen, surprising in ((BEER, "sees quiche"), (QUICHE, "sees beer")):
        strategy = Strategy.from_mapping(tree, chosen)
        assert belief_bounds(tree, strategy, strategy.find_infoset(surprising)) == ((0, F(1, 2)), (F(1, 2), 1))
    expected = {"sees beer": ((F(9, 10),) * 2, (F(1, 10),) * 2)}
    strategy = Strategy.from_mapping(tree, BEER)
    assert belief_bounds(tree, strategy, strategy.find_infoset("sees beer")) == expected["sees beer"]


def test_three_may_believe_a_third():
    """Of Selten's horse: Three goes right as long as it believes at most 1/3 that One went down."""
    tree = gametheory.textbook("horse")
    strategy = of(tree, KNOWN[3][1])
    assert belief_bounds(tree, strategy, 1) == ((0, F(1, 3)), (F(2, 3), 1))
    assert belief_bounds(tree, of(tree, KNOWN[4][1]), 2) is None


def drawn(seed):
    """A random game and a strategy in it."""
    rng = Random(seed)
    tree = hidden_tree(rng, seats=rng.choice((2, 2, 3)), deep=rng.choice((2, 3, 4)), most=rng.choice((1, 3)))
    strategy = some_strategy(rng, tree)
    return tree, settled(rng, tree, strategy) if rng.random() < 0.7 else strategy


def fits(gains, belief):
    """Whether no plan gains by a belief."""
    return all(sum(one * likely for one, likely in zip(row, belief, strict=True)) <= 0 for row in gains)


def grid(many, parts=12):
    """Beliefs on so many histories, in so many parts."""
    for cut in product(range(parts + 1), repeat=many - 1):
        if sum(cut) <= parts:
            yield tuple([F(one, parts) for one in (*cut, parts - sum(cut))])


def beliefs_of(rng, many):
    """A hundred beliefs on many histories, by lot."""
    for _ in range(100):
        parts = [rng.choice((0, 0, 1, 2, 5)) for _ in range(many - 1)]
        yield [F(one, sum(parts) + 1) for one in (*parts, 1)]


def test_it_is_as_the_definition_says():
    """Of random games: the belief that is shown withstands every plan from there on; where none is said to, a mix of plans gains everywhere, and no belief of a grid fits."""
    seen = {True: 0, False: 0}
    for seed in range(tried(50, 150)):
        tree, strategy = drawn(seed)
        found = evaluate_weak_perfect_bayesian(tree, strategy)
        assert found.holds is not None
        seen[found.holds] += 1
        sets = list_infoset_nodes(tree)
        for place, nodes in enumerate(sets if found.holds else sets[: found.failing_infoset + 1]):
            gains = gains_from(tree, strategy, place)
            likely = [comes(tree, strategy, node) for node in nodes]
            sure = [one / sum(likely) for one in likely] if sum(likely) else None
            if found.holds:
                assert fits(gains, found.beliefs[place])
                assert sure is None or sure == list(found.beliefs[place])
            elif place == found.failing_infoset:
                assert (
                    not fits(gains, sure)
                    if sure
                    else not any(fits(gains, one) for one in (grid(len(nodes)) if len(nodes) < 4 else beliefs_of(Random(seed), len(nodes))))
                )
                assert gained(tree, strategy, place, found.deviations, sure)
            elif sure:
                assert fits(gains, sure)
    assert min(seen.values()) > tried(8, 30)


def gained(tree, strategy, place, better, sure):
    """Whether a mix of ways to go on gains: by what is sure, or at every history."""
    seat, nodes, total = tree.infosets[place].player, list_infoset_nodes(tree)[place], 0
    now = node_values(tree, strategy, seat)
    assert sum(one.probability for one in better) == 1
    gains = [F(0)] * len(nodes)
    for likely, moves in better:
        rows = list(strategy.rows)
        for one, move in moves.items():
            assert tree.infosets[one].player == seat
            rows[one] = tuple([F(int(number == move)) for number in range(len(rows[one]))])
        after = node_values(tree, Strategy(tree, rows), seat)
        gains = [gain + likely * (after[node] - now[node]) for gain, node in zip(gains, nodes, strict=True)]
    total = sum(one * likely for one, likely in zip(gains, sure or [], strict=sure is not None))
    return total > 0 if sure else min(gains) > 0


def test_bounds_are_as_wide_as_they_can_be():
    """Of sets with two histories: at its bounds a belief fits, just outside of them it does not; and every belief of a grid that fits lies within, whatever the set."""
    tight = 0
    for seed in range(tried(40, 120)):
        tree, strategy = drawn(seed)
        for place, nodes in enumerate(list_infoset_nodes(tree)):
            if len(nodes) not in {2, 3} or any(comes(tree, strategy, node) for node in nodes):
                continue
            gains, bounds = gains_from(tree, strategy, place), belief_bounds(tree, strategy, place)
            fitting = [one for one in grid(len(nodes)) if fits(gains, one)]
            if bounds is None:
                assert not fitting
                continue
            assert all(low <= one <= high for belief in fitting for one, (low, high) in zip(belief, bounds, strict=True))
            if len(nodes) == 2:
                low, high = bounds[0]
                assert fits(gains, (low, 1 - low))
                assert fits(gains, (high, 1 - high))
                for out in (low - F(1, 10**6), high + F(1, 10**6)):
                    if 0 <= out <= 1:
                        tight += 1
                        assert not fits(gains, (out, 1 - out))
    assert tight > tried(3, 10)


def test_bayes_is_reach_by_reach():
    """What Bayes' rule says is how likely each history is, divided by how likely the set is; nothing where play never comes."""
    for seed in range(15):
        tree, strategy = drawn(seed)
        for nodes, belief in zip(list_infoset_nodes(tree), bayesian_beliefs(tree, strategy), strict=True):
            likely = [comes(tree, strategy, node) for node in nodes]
            assert belief == (tuple([one / sum(likely) for one in likely]) if sum(likely) else None)


def test_slips_and_the_rest_make_a_history():
    """A history takes the slips that the strategy never makes, and all else on the way is as likely as it is: where there is no slip, that is how likely it is."""
    for seed in range(15):
        tree, strategy = drawn(seed)
        for here, one in enumerate(compute_node_reaches(tree, strategy)):
            assert comes(tree, strategy, here) == (0 if one.unplayed_actions else one.probability)
            assert all(strategy.rows[place][move] == 0 for place, move in one.unplayed_actions)


def test_where_play_comes_trembles_lead_to_bayes():
    """Of a set to which play comes, the only belief to which trembles can lead is that of Bayes' rule."""
    for seed in range(15):
        tree, strategy = drawn(seed)
        come = compute_node_reaches(tree, strategy)
        for nodes, belief in zip(list_infoset_nodes(tree), bayesian_beliefs(tree, strategy), strict=True):
            if belief is not None:
                assert list_tremble_beliefs([come[node] for node in nodes]) == [belief]


def test_a_move_is_best_by_some_belief():
    """By a grid as fine as the payoffs: of two histories, which moves are best by some belief."""
    rng = Random(5)
    for _ in range(100):
        worth = [[F(rng.randint(-3, 3)), F(rng.randint(-3, 3))] for _ in range(rng.choice((2, 3)))]
        beliefs = {F(n, d) for d in range(1, 13) for n in range(d + 1)}
        has = [[one * sure + other * (1 - sure) for one, other in worth] for sure in beliefs]
        assert find_undominated_actions(worth) == sorted({move for line in has for move, one in enumerate(line) if one == max(line)})


def test_what_is_best_from_a_set_on_is_the_best_of_all_plans():
    """By any belief: the most that a seat can have from a set on is what the best of its plans brings."""
    rng = Random(3)
    for seed in range(15):
        tree, strategy = drawn(seed)
        for place, nodes in enumerate(list_infoset_nodes(tree)):
            parts = [rng.randint(0, 3) for _ in nodes]
            parts[0] += not any(parts)
            belief = [F(one, sum(parts)) for one in parts]
            seat = tree.infosets[place].player
            has = [node_values(tree, one, seat) for one in plans_from(tree, strategy, place)]
            most = max(sum(likely * one[node] for likely, node in zip(belief, nodes, strict=True)) for one in has)
            assert BeliefSearch(tree, strategy, place, nodes, node_values(tree, strategy, seat)).find_best_continuation(belief)[0] == most


def test_the_simplex_takes_any_right_side_and_aim():
    """Of programs with two unknowns: the best corner has as much of the aim as the best of all points where two lines meet; and its prices bound that from above."""
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


def test_what_cannot_be_decided_is_refused():
    """Rounded probabilities, and a seat that forgets: each is told why."""
    tree, driver = gametheory.textbook("horse"), gametheory.textbook("driver")
    with pytest.raises(gametheory.TreeError, match="this strategy has floats"):
        evaluate_weak_perfect_bayesian(tree, Strategy(tree, [(0.5, 0.5)] * 3))
    with pytest.raises(gametheory.TreeError, match="where everybody remembers, and Driver forgets"):
        evaluate_weak_perfect_bayesian(driver, Strategy.uniform(driver))


def test_too_much_to_try_is_left_open():
    """With no round to look for a better way, nothing is decided, and nothing is claimed."""
    tree = gametheory.textbook("horse")
    strategy = Strategy.uniform(tree)
    onward = BeliefSearch(tree, strategy, 1, [1, 5], node_values(tree, strategy, 2))
    assert onward.find_belief([(F(1), F(0))], max_rounds=0) == (None, ())
    assert onward.maximize_weight([(F(1), F(0))], [1], max_rounds=0) is None
