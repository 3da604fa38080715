"""Test sequential equilibria: literature results, numerical trembles, and games of perfect information."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from durak_widget import gametheory
from durak_widget.gametheory.beliefs import bayesian_beliefs, evaluate_weak_perfect_bayesian, list_infoset_nodes
from durak_widget.gametheory.best_responses import find_previous_actions, infoset_values, nash_conv, node_values
from durak_widget.gametheory.off_path_completion import complete_sequentially
from durak_widget.gametheory.sequential_equilibrium import (
    Tremble,
    compute_limit_beliefs,
    is_proved_by_trembles,
    verify_sequential_equilibrium,
)
from durak_widget.gametheory.strategy import Strategy
from support.hidden_trees import hidden_tree, settled, some_strategy
from support.random_trees import open_tree
from support.sizes import tried

F = Fraction
BEER = {"strong": "beer", "weak": "beer", "sees beer": "defer", "sees quiche": "duel"}
QUICHE = {"strong": "quiche", "weak": "quiche", "sees beer": "duel", "sees quiche": "defer"}
KNOWN = [
    ("beer-quiche", BEER, None),  # Cho and Kreps (1987)
    ("beer-quiche", QUICHE, None),
    ("horse", {"begins": "across", "One went across": "across", "One or Two went down": "right"}, None),  # Selten (1975)
    ("horse", {"begins": "down", "One went across": "across", "One or Two went down": "left"}, "One went across"),
    ("spence", {"worth 1": "none", "worth 2": "school", "sees school": "wage 2", "sees none": "wage 1"}, None),  # Spence (1973)
    ("spence", {"worth 1": "none", "worth 2": "none", "sees school": "wage 2", "sees none": "wage 2"}, None),
    ("spence", {"worth 1": "none", "worth 2": "none", "sees school": "wage 1", "sees none": "wage 2"}, None),
    ("spence", {"worth 1": "none", "worth 2": "none", "sees school": "wage 1", "sees none": "wage 1"}, None),
    ("outside-option", {0: "concert", 1: "Bach", 2: "Bach"}, None),  # Osborne and Rubinstein (1994)
    ("outside-option", {0: "book", 1: "Stravinsky", 2: "Stravinsky"}, None),
    ("outside-option", {0: "book", 1: {"Bach": F(3, 4), "Stravinsky": F(1, 4)}, 2: {"Bach": F(1, 4), "Stravinsky": F(3, 4)}}, None),
    ("outside-option", {0: "book", 1: "Bach", 2: "Stravinsky"}, 1),
    ("bayes", {0: "Bach", 1: "Bach", 2: "Stravinsky"}, None),  # Osborne (2004)
]


def test_textbook_strategies_are_sequential_as_in_the_literature():
    """A sequential equilibrium of a book is proved by trembles, and the proof is checked. For another, the information set that refutes it is named."""
    for name, chosen, against in KNOWN:
        tree = gametheory.textbook(name)
        strategy = Strategy.from_mapping(tree, chosen)
        found = verify_sequential_equilibrium(tree, strategy)
        assert found.holds is (against is None)
        assert found.failing_infoset == (None if against is None else strategy.find_infoset(against))
        assert is_proved_by_trembles(tree, strategy, found.trembles) is (against is None)
        assert found == verify_sequential_equilibrium(tree, strategy)


def test_a_weak_perfect_bayesian_equilibrium_may_not_be_sequential():
    """Two believes that One chose Bach, although One never would. These beliefs are allowed in a weak perfect Bayesian equilibrium; no trembles lead to them."""
    tree = gametheory.from_efg(
        'EFG 2 R "" { "One" "Two" } p "" 1 1 "" { "out" "in" } 0 t "" 1 "" { 2 2 } p "" 1 2 "" { "l" "r" } 0 '
        'p "" 2 1 "" { "x" "y" } 0 t "" 2 "" { 0 0 } t "" 3 "" { 0 1 } p "" 2 1 0 t "" 4 "" { 3 1 } t "" 5 "" { 1 0 }'
    )
    threat, comes_in = Strategy.from_choices(tree, [0, 1, 1]), Strategy.from_choices(tree, [1, 1, 0])
    assert evaluate_weak_perfect_bayesian(tree, threat).beliefs[2] == (F(1), F(0))
    assert verify_sequential_equilibrium(tree, threat)[:4] == (False, {}, (), 2)
    assert verify_sequential_equilibrium(tree, comes_in).holds


def perturbed_strategy(tree, strategy, trembles, little):
    """Return the strategy with its trembles, for a certain ε, exactly."""
    rows = []
    for place, row in enumerate(strategy.rows):
        slips = [
            trembles[place, move].weight * little ** trembles[place, move].order if not probability else F(0)
            for move, probability in enumerate(row)
        ]
        rows.append([slip or probability * (1 - sum(slips)) for probability, slip in zip(row, slips, strict=True)])
    return Strategy(tree, rows)


def random_game(seed):
    """Return a random game and a strategy in it that is often an equilibrium."""
    rng = Random(seed)
    tree = hidden_tree(rng, seats=rng.choice((2, 2, 3)), deep=rng.choice((2, 3, 4)), most=rng.choice((1, 2)))
    return tree, settled(rng, tree, some_strategy(rng, tree), rounds=60)


@pytest.fixture(scope="module")
def verified_games():
    """Return random games with strategies and their verification results."""
    return [(tree, strategy, verify_sequential_equilibrium(tree, strategy)) for tree, strategy in map(random_game, range(tried(80, 200)))]


@pytest.mark.slow
def test_small_trembles_converge_to_the_result(verified_games):
    """With ε = 10⁻⁴, then 10⁻⁶: Bayes' rule gives beliefs ever closer to the limits, and every move played loses ever less."""
    proved = 0
    for tree, strategy, found in verified_games:
        if not found.holds:
            continue
        proved += 1
        lost = []
        for little in (F(1, 10**4), F(1, 10**6)):
            moving = perturbed_strategy(tree, strategy, found.trembles, little)
            far = max(
                abs(belief - limit)
                for mine, end in zip(bayesian_beliefs(tree, moving), found.beliefs, strict=True)
                for belief, limit in zip(mine, end, strict=True)
            )
            short = [
                max(standing.action_values) - mine
                for row, standing in zip(strategy.rows, infoset_values(tree, moving), strict=True)
                for probability, mine in zip(row, standing.action_values, strict=True)
                if probability
            ]
            lost.append(max(far, *short))
        assert lost[0] < F(1, 10)
        assert lost[1] < F(1, 1000)
    assert proved > tried(15, 40)


def test_sequential_implies_weak_perfect_bayesian_and_nash(verified_games):
    """A sequential equilibrium is a weak perfect Bayesian one, and that is a Nash equilibrium."""
    for tree, strategy, found in verified_games:
        if found.holds:
            assert evaluate_weak_perfect_bayesian(tree, strategy).holds
            assert nash_conv(tree, strategy) == 0
            assert is_proved_by_trembles(tree, strategy, found.trembles)


def test_a_refuted_strategy_has_a_gain_under_any_trembles(verified_games):
    """The mixture of continuations gains under the beliefs of any small trembles; two hundred are tried."""
    rng, refuted = Random(1), 0
    for tree, strategy, found in verified_games:
        if found.holds is not False:
            continue
        refuted += 1
        seat, nodes = tree.infosets[found.failing_infoset].player, list_infoset_nodes(tree)[found.failing_infoset]
        now = node_values(tree, strategy, seat)
        gains = [F(0)] * len(nodes)
        for probability, moves in found.deviations:
            rows = list(strategy.rows)
            for infoset, move in moves.items():
                rows[infoset] = tuple([F(int(number == move)) for number in range(len(rows[infoset]))])
            after = node_values(tree, Strategy(tree, rows), seat)
            gains = [gain + probability * (after[node] - now[node]) for gain, node in zip(gains, nodes, strict=True)]
        idle = [(place, move) for place, row in enumerate(strategy.rows) for move, probability in enumerate(row) if not probability]
        for _ in range(3):
            belief = compute_limit_beliefs(
                tree, strategy, {infoset: Tremble(F(rng.randint(1, 9), rng.randint(1, 9)), rng.randint(1, 3)) for infoset in idle}
            )[found.failing_infoset]
            assert sum(sure * gain for sure, gain in zip(belief, gains, strict=True)) > 0
    assert refuted > tried(7, 20)


@pytest.mark.slow
def test_few_games_stay_undecided(verified_games):
    """Almost all of these games are decided."""
    assert sum(found.holds is None for _, _, found in verified_games) <= 2


def test_perfect_information_agrees_with_backward_induction():
    """There a strategy is sequential exactly if no single deviation gains at any history; all are decided."""
    rng, seen = Random(2), {True: 0, False: 0}
    for _ in range(tried(60, 150)):
        tree = open_tree(rng)
        if not tree.infosets:
            continue
        strategy = some_strategy(rng, tree)
        if rng.random() < 0.6:
            strategy = gametheory.backward_induction(tree).strategy
        each = [node_values(tree, strategy, seat) for seat in range(tree.player_count)]
        good = all(
            not probability or each[who][child] == max(each[who][other] for other in tree.children(here))
            for here, who in enumerate(tree.actor)
            if who >= 0
            for probability, child in zip(strategy.rows[tree.infoset_of[here]], tree.children(here), strict=True)
        )
        assert verify_sequential_equilibrium(tree, strategy).holds is good
        seen[good] += 1
    assert min(seen.values()) > tried(7, 20)


def test_wrong_trembles_prove_nothing():
    """A proof is refused if a tremble is missing, is zero, or is at a move that the strategy plays."""
    for name in ("beer-quiche", "horse"):
        tree, strategy = gametheory.textbook(name), None
        for known, chosen, against in KNOWN:
            if known == name and against is None:
                strategy = Strategy.from_mapping(tree, chosen)
        trembles = verify_sequential_equilibrium(tree, strategy).trembles
        first = next(iter(trembles))
        assert is_proved_by_trembles(tree, strategy, trembles)
        assert not is_proved_by_trembles(tree, strategy, {infoset: tremble for infoset, tremble in trembles.items() if infoset != first})
        assert not is_proved_by_trembles(tree, strategy, trembles | {first: Tremble(F(0), 1)})
        assert not is_proved_by_trembles(tree, strategy, trembles | {first: Tremble(F(1), 0)})
        assert not is_proved_by_trembles(tree, strategy, trembles | {(first[0], 1 - first[1]): Tremble(F(1), 1)})


def test_the_weights_of_trembles_matter():
    """Beer for all is proved if the weak type trembles often enough; a hundred times as many trembles of the strong type prove nothing."""
    tree = gametheory.textbook("beer-quiche")
    strategy = Strategy.from_mapping(tree, BEER)
    slips = {key: Tremble(F(1), 1) for key in verify_sequential_equilibrium(tree, strategy).trembles}
    strong = strategy.find_infoset("strong"), 1
    assert not is_proved_by_trembles(tree, strategy, slips)
    assert is_proved_by_trembles(tree, strategy, slips | {strong: Tremble(F(1, 9), 1)})
    assert not is_proved_by_trembles(tree, strategy, slips | {strong: Tremble(F(1, 8), 1)})
    assert is_proved_by_trembles(tree, strategy, slips | {strong: Tremble(F(100), 2)})


def as_behaviour(tree, table, equilibrium):
    """Return an equilibrium of the matrix as a strategy, with the information sets that a player's own moves never reach."""
    rows, free = [()] * len(tree.infosets), []
    for seat, (mix, plans) in enumerate(((equilibrium.row, table.rows), (equilibrium.column, table.columns))):
        for place in find_previous_actions(tree, seat):
            moves = range(len(tree.infosets[place].actions))
            weights = [
                sum((probability for probability, plan in zip(mix, plans, strict=True) if plan.actions.get(place) == move), F(0))
                for move in moves
            ]
            whole = sum(weights)
            free += [] if whole else [place]
            rows[place] = [weight / whole if whole else F(move == 0) for move, weight in enumerate(weights)]
    return Strategy(tree, rows), free


def test_free_choices_of_matrix_equilibria_are_completed():
    """For every equilibrium of the matrix: if it is called sequential, its completion is proved; if it is refuted, so is every completion tried here, also mixed ones."""
    for name in ("beer-quiche", "entry", "outside-option", "spence"):
        tree, rng = gametheory.textbook(name), Random(4)
        table = gametheory.matrix(tree)
        for equilibrium in gametheory.equilibria(table):
            strategy, free = as_behaviour(tree, table, equilibrium)
            found = complete_sequentially(tree, strategy, free)
            assert found.verdict.holds is not None
            assert [row for place, row in enumerate(found.strategy.rows) if place not in free] == [
                row for place, row in enumerate(strategy.rows) if place not in free
            ]
            if found.verdict.holds:
                assert is_proved_by_trembles(tree, found.strategy, found.verdict.trembles)
                continue
            for _ in range(20):
                rows = list(strategy.rows)
                for place in free:
                    cut = F(rng.randint(0, 6), 6)
                    rows[place] = (cut, 1 - cut) if len(rows[place]) == 2 else rows[place]
                assert verify_sequential_equilibrium(tree, Strategy(tree, rows), tries=4).holds is not True


def test_an_empty_threat_is_refuted_in_every_completion():
    """In entry, equilibria with the threat to fight are refuted, and one is proved."""
    tree = gametheory.textbook("entry")
    table = gametheory.matrix(tree)
    verdicts = [
        complete_sequentially(tree, *as_behaviour(tree, table, equilibrium)).verdict.holds for equilibrium in gametheory.equilibria(table)
    ]
    assert sorted(verdicts) == [False, False, True]


def test_a_completion_may_need_a_mixed_strategy():
    """After One goes in, Two may start matching pennies; both stay out, and no pure choice there is sequential. One half each is."""
    tree = gametheory.from_efg(
        'EFG 2 R "" { "One" "Two" } p "" 1 1 "" { "out" "in" } 0 t "" 1 "" { 2 0 } p "" 2 1 "" { "back" "on" } 0 t "" 2 "" { 0 1 } '
        'p "" 1 2 "" { "h" "t" } 0 p "" 2 2 "" { "h" "t" } 0 t "" 3 "" { 4 -4 } t "" 4 "" { -4 4 } p "" 2 2 0 t "" 4 t "" 3'
    )
    strategy = Strategy.from_choices(tree, [0, 0, 0, 0])
    found = complete_sequentially(tree, strategy, [2, 3])
    assert found.verdict.holds
    assert found.strategy.rows == ((1, 0), (1, 0), (F(1, 2), F(1, 2)), (F(1, 2), F(1, 2)))
    assert is_proved_by_trembles(tree, found.strategy, found.verdict.trembles)
    for moves in product((0, 1), repeat=2):
        assert verify_sequential_equilibrium(tree, Strategy.from_choices(tree, [0, 0, *moves])).holds is False
