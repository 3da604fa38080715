"""What is known of how a tree is played: by two routes wherever a number is stated."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from durak_widget import gametheory
from durak_widget.board import strategy_view_model as trait
from durak_widget.board.strategy_state import (
    StrategyState,
    are_moves_visible,
    change_probability,
    compute_game_value,
    find_likeliest_path,
    rescale_probabilities,
)
from durak_widget.gametheory import Strategy
from durak_widget.gametheory.best_responses import best_response_set, compute_guarantee, node_values, reach_probabilities
from durak_widget.gametheory.tree import CHANCE, TERMINAL, DecisionNode, TerminalNode, TreeError
from durak_widget.translated_errors import RefusedError
from support.textbook import HALF, kuhn, matching_pennies, signalling, tree_of, zero_sum

SIXTH = st.fractions(0, 1, max_denominator=12)


def three():
    """Seat 0 calls in seat 1 or 2, who takes all or shares: perfect information, three seats, not zero-sum."""
    return tree_of(
        {
            "": DecisionNode(0, "calls", [("one", "1"), ("two", "2")]),
            "1": DecisionNode(1, "asked", [("take", "t1"), ("share", "s1")]),
            "2": DecisionNode(2, "asked too", [("take", "t2"), ("share", "s2")]),
            "t1": TerminalNode((0, 3, 0)),
            "s1": TerminalNode((1, 2, 0)),
            "t2": TerminalNode((2, 0, 4)),
            "s2": TerminalNode((3, 0, 3)),
        },
        seats=3,
    )


def plans(tree, seat):
    """Every pure strategy of a seat, on top of uniform ones of the others."""
    base = Strategy.uniform(tree)
    places = [place for place, one in enumerate(tree.infosets) if one.player == seat]
    for choices in product(*(range(len(tree.infosets[place].actions)) for place in places)):
        rows = list(base.rows)
        for place, choice in zip(places, choices, strict=True):
            rows[place] = tuple(Fraction(move == choice) for move in range(len(rows[place])))
        yield Strategy(tree, rows)


def few(tree, seat, most=64):
    """Whether a seat has so few pure strategies that all can be tried."""
    number = 1
    for one in tree.infosets:
        number *= len(one.actions) if one.player == seat else 1
    return number <= most


def mixed(tree, numbers):
    """A strategy whose probabilities come from these numbers."""
    rows = []
    for place, one in enumerate(tree.infosets):
        weights = [1 + (numbers >> (3 * (place + move) % 40)) % 5 for move in range(len(one.actions))]
        rows.append([Fraction(weight, sum(weights)) for weight in weights])
    return Strategy(tree, rows)


@given(tree=zero_sum(deepest=3), numbers=st.integers(0, 2**48), seat=st.sampled_from([0, 1]))
def test_a_best_response_is_the_best_of_all_pure_strategies(tree, numbers, seat):
    """What `best_response_set` says is what trying every pure strategy of the seat finds, and each that makes only moves it names is as good."""
    assume(few(tree, seat))
    strategy = mixed(tree, numbers)
    found = best_response_set(tree, strategy, seat)
    assert found.value == gametheory.best_response(tree, strategy, seat).value
    tried = {plan: gametheory.value(tree, strategy.replace_player(seat, plan), seat) for plan in plans(tree, seat)}
    assert max(tried.values()) == found.value
    for plan, value in tried.items():
        if all(moves[plan.rows[place].index(1)] for place, moves in found.best_actions.items()):
            assert value == found.value


@given(tree=zero_sum(deepest=3), numbers=st.integers(0, 2**48), seat=st.sampled_from([0, 1]))
def test_what_is_given_away_is_what_is_missing_from_the_worth(tree, numbers, seat):
    """The worth of the game (from the linear program, and by a matrix of all plans where it is small) less the worst that any plan of the other does."""
    assume(few(tree, 1 - seat))
    strategy = mixed(tree, numbers)
    worth = gametheory.solve(tree, "lp").value
    assert compute_game_value(tree) == worth
    found, _ = compute_guarantee(tree, strategy, seat, worth)
    worst = min(gametheory.value(tree, strategy.replace_player(1 - seat, plan), seat) for plan in plans(tree, 1 - seat))
    assert found.guaranteed_value == worst
    assert found.loss == (worth if seat == 0 else -worth) - worst >= 0


@pytest.mark.parametrize("make", [kuhn, matching_pennies, signalling])
def test_the_solution_gives_nothing_away(make):
    """Neither seat of an equilibrium of the linear program loses anything, and both lose something by mixing evenly where that is none."""
    tree = make()
    plays = StrategyState(tree, gametheory.solve(tree, "lp"))
    plays.own_strategy = plays.solution.strategy
    for seat in (0, 1):
        plays.set_own_player(seat)
        assert plays.exploitability == 0
    even = StrategyState(tree)
    even.own_strategy = Strategy.uniform(tree)
    assert even.exploitability == gametheory.solve(tree).value - min(
        gametheory.value(tree, Strategy.uniform(tree).replace_player(1, plan)) for plan in plans(tree, 1)
    )
    assert (even.exploitability == 0) == (make is matching_pennies)


@given(row=st.lists(SIXTH, min_size=1, max_size=6), move=st.integers(0, 5), to=SIXTH)
def test_scaled_probabilities_add_up_exactly(row, move, to):
    """Whatever is set, all add up to 1, none is negative, the set one is as set, and the others keep their proportions."""
    assume(sum(row) > 0 and move < len(row))
    row = [one / sum(row) for one in row]
    found = rescale_probabilities(row, move, to)
    assert sum(found) == 1
    assert min(found) >= 0
    assert found[move] == (to if len(row) > 1 else 1)
    others = [place for place in range(len(row)) if place != move]
    if sum(row[place] for place in others):
        for one, two in product(others, others):
            assert found[one] * row[two] == found[two] * row[one]
    else:
        assert len({found[place] for place in others}) <= 1


@given(tree=zero_sum(deepest=3), steps=st.lists(st.tuples(st.integers(0, 99), st.integers(0, 9), SIXTH), max_size=12))
def test_however_often_one_sets_a_strategy_stays_one(tree, steps):
    """After any setting, also from what was learned in floats, every row is exact and adds up to 1."""
    assume(tree.infosets)
    plays = StrategyState(tree)
    plays.set_learned_strategy(Strategy(tree, [[1 / len(one.actions)] * len(one.actions) for one in tree.infosets]))
    for number, move, to in steps:
        place = number % len(tree.infosets)
        moves = len(tree.infosets[place].actions)
        plays.set_probability(place, move % moves, to if moves > 1 else 1)
        assert plays.own_strategy.exact
        assert all(sum(row) == 1 for row in plays.own_strategy.rows)
        assert plays.own_player == tree.infosets[place].player


@given(tree=zero_sum(deepest=3), numbers=st.integers(0, 2**48), seat=st.sampled_from([0, 1]))
def test_what_a_history_is_worth_is_the_mean_of_what_it_leads_to(tree, numbers, seat):
    """Forwards: the ends below a history, each times how likely it is from there, are what `node_values` finds backwards."""
    strategy = mixed(tree, numbers)
    found = node_values(tree, strategy, seat)

    def mean(here):
        if tree.actor[here] == TERMINAL:
            return tree.payoffs[tree.infoset_of[here]][seat]
        likely = (
            tree.chance_moves[tree.infoset_of[here]].probabilities if tree.actor[here] == CHANCE else strategy.rows[tree.infoset_of[here]]
        )
        return sum(one * mean(child) for one, child in zip(likely, tree.children(here), strict=True))

    assert found == [mean(here) for here in range(tree.history_count)]
    assert found[0] == gametheory.value(tree, strategy, seat)


@given(tree=zero_sum(deepest=3), numbers=st.integers(0, 2**48))
def test_what_is_told_is_what_the_theory_says(tree, numbers):
    """How likely play comes to each history shown, the values and the best moves, by `analysis` alone; and nothing of what is not shown."""
    strategy = mixed(tree, numbers)
    plays = StrategyState(tree)
    plays.own_strategy = strategy
    plays.mark_best_responses(0)
    plays.prepare_work(values=True)()()
    shown = [here for here in range(tree.history_count) if here < 4 or tree.parent[here] == 0]
    told = trait.strategy_to_message(plays, shown, values=True)
    reached = reach_probabilities(tree, strategy)
    assert told["which"] == "own"
    assert told["likely"].keys() == {str(tree.infoset_of[here]) for here in shown if tree.actor[here] >= 0}
    for place, row in told["weight"].items():
        assert row == [float(one) for one in strategy.rows[int(place)]]
        assert [Fraction(text) for text in told["likely"][place]] == list(strategy.rows[int(place)])
    assert told["reach"] == pytest.approx([float(reached[here]) for here in shown])
    both = [node_values(tree, strategy, seat) for seat in (0, 1)]
    assert [[Fraction(text) for text in pair] for pair in told["value"] if "≈" not in "".join(pair)] == [
        [one[here] for one in both] for here, pair in zip(shown, told["value"], strict=True) if "≈" not in "".join(pair)
    ]
    assert told["best_of"] == 0
    assert set(told["best"]) <= set(told["likely"])


def test_backward_induction_lights_its_line():
    """The way that is lit is the line of backward induction, history by history, and all draws of chance are lit."""
    tree = three()
    plays = StrategyState(tree)
    assert plays.methods == ("backward", "answer")
    plays.solve("backward")
    lit = trait.strategy_to_message(plays, range(tree.history_count))["lit"]
    assert tree.actions_from_root(lit[-1]) == plays.solution.backward_induction.line_of_play == ("two", "take")
    assert lit == [0, lit[1], lit[2]]
    cards = kuhn()
    found = find_likeliest_path(cards, Strategy.uniform(cards), range(cards.history_count))
    assert set(cards.children(0)) <= set(found)


def test_with_more_than_two_seats_a_gain_is_told():
    """Where a game is not zero-sum, one's own exploitability is what the seat itself would gain by its best response."""
    tree = three()
    plays = StrategyState(tree)
    plays.set_probability(0, 0, "1")
    assert (plays.own_player, plays.best_response_player) == (0, 0)
    assert plays.exploitability == Fraction(5, 2) - Fraction(1, 2)
    assert plays.own_results.best_responses[0].best_actions == {0: (False, True)}
    assert trait.strategy_to_message(plays, [0])["said"][0] == "Player 1 has 1/2, and could have 2 more by playing otherwise"
    plays.set_probability(0, 1, "100 %")
    assert plays.exploitability == 0
    assert trait.strategy_to_message(plays, [0])["own"]["said"] == "Player 1 has 5/2, and could not have more by playing otherwise"
    with pytest.raises(TreeError, match="needs two players, and this game has 3"):
        plays.solve("lp")


def test_one_s_own_strategy_begins_as_what_is_shown_and_can_be_forgotten():
    """It begins as the solution, belongs to the seat that was set last, marks the answer of the other, and forgotten gives the tree back."""
    tree = matching_pennies()
    plays = StrategyState(tree, gametheory.solve(tree))
    plays.set_probability(0, 0, "3/4")
    assert plays.own_strategy["hides"] == (Fraction(3, 4), Fraction(1, 4))
    assert plays.own_strategy["guesses"] == (HALF, HALF)
    assert (plays.shown_kind, plays.best_response_player, plays.exploitability) == ("own", 1, HALF)
    assert plays.own_results.best_responses[1].best_actions == {1: (False, True)}
    plays.set_probability(1, 0, "1/4")
    assert (plays.own_player, plays.best_response_player, plays.exploitability) == (1, 0, HALF)
    plays.show_strategy("solution")
    assert (plays.shown_strategy["hides"], plays.own_strategy is not None) == ((HALF, HALF), True)
    plays.forget_own_strategy()
    assert (plays.shown_kind, plays.own_strategy, plays.exploitability, plays.best_response_player) == ("solution", None, None, None)
    plays.solution = None
    assert (plays.shown_kind, plays.shown_strategy, trait.strategy_to_message(plays, [0])) == ("", None, {})


@given(tree=zero_sum(deepest=3))
def test_backward_induction_is_offered_just_where_it_works(tree):
    """`are_moves_visible` says yes exactly where backward induction finds no hidden move."""
    if are_moves_visible(tree):
        assert gametheory.backward_induction(tree).values[0] == gametheory.solve(tree, "lp").value
    else:
        with pytest.raises(TreeError, match="does not know what the others did"):
            gametheory.backward_induction(tree)


@given(tree=zero_sum(deepest=3), open_one=zero_sum(deepest=3, open_moves=True))
def test_what_is_offered_solves(tree, open_one):
    """Each method that is offered takes the game."""
    for one in (tree, open_one):
        plays = StrategyState(one)
        for method in set(plays.methods) & {"backward", "lp"}:
            plays.solve(method)
            assert plays.solution.method == method
    assert "backward" in StrategyState(open_one).methods


def test_what_is_no_probability_is_refused_and_nothing_changes():
    """Whatever is typed or sent, a wrong input is refused in a sentence and leaves the strategy as it was."""
    for place, move, to in [
        (0, 0, "x"),
        (0, 0, "1/0"),
        (0, 0, "-1/2"),
        (0, 0, "3/2"),
        (0, 0, None),
        (9, 0, "1"),
        (0, 2, "1"),
        (-1, 0, "1"),
        ("0", 0, "1"),
        (0, 0.5, "1"),
        (0, 0, "9" * 99),
        (0, 0, True),
    ]:
        plays = StrategyState(matching_pennies())
        plays.set_probability(0, 0, "1/3")
        before = plays.own_strategy
        for code in ("en", "ru", "lt"):
            with pytest.raises(RefusedError) as refused:
                plays.set_probability(place, move, to)
            assert refused.value.to_text(code).endswith((".", "%."))
        assert plays.own_strategy is before


def test_a_move_without_choice_is_certain():
    """Where there is one move its probability stays 1."""
    tree = tree_of({"": DecisionNode(0, "forced", [("go", "e")]), "e": TerminalNode((1, -1))})
    with pytest.raises(RefusedError, match="only one move"):
        change_probability(tree, Strategy.uniform(tree), 0, 0, HALF)
    assert change_probability(tree, Strategy.uniform(tree), 0, 0, Fraction(1)) == Strategy.uniform(tree)
