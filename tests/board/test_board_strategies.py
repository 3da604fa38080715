"""Test values, best responses and exploitability of strategies; each number is computed in two ways."""

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
    can_use_backward_induction,
    change_probability,
    compute_game_value,
    list_likeliest_nodes,
    rescale_probabilities,
)
from durak_widget.gametheory import Strategy
from durak_widget.gametheory.best_responses import best_response_set, compute_guarantee, node_values, reach_probabilities
from durak_widget.gametheory.tree import CHANCE, TERMINAL, DecisionNode, TerminalNode, TreeError
from durak_widget.translated_errors import RefusedError
from support.spoken import english, english_text
from support.textbook import HALF, kuhn, matching_pennies, signalling, tree_of, zero_sum

SIXTH = st.fractions(0, 1, max_denominator=12)


def three_players():
    """Return a game of perfect information with three players that is not zero-sum."""
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


def pure_strategies(tree, seat):
    """Yield every pure strategy of a player; the others play uniformly."""
    base = Strategy.uniform(tree)
    places = [place for place, infoset in enumerate(tree.infosets) if infoset.player == seat]
    for choices in product(*(range(len(tree.infosets[place].actions)) for place in places)):
        rows = list(base.rows)
        for place, choice in zip(places, choices, strict=True):
            rows[place] = tuple(Fraction(move == choice) for move in range(len(rows[place])))
        yield Strategy(tree, rows)


def has_few_strategies(tree, seat, most=64):
    """Return whether a player has few enough pure strategies to try them all."""
    number = 1
    for infoset in tree.infosets:
        number *= len(infoset.actions) if infoset.player == seat else 1
    return number <= most


def mixed_strategy(tree, numbers):
    """Return a strategy whose probabilities come from these numbers."""
    rows = []
    for place, infoset in enumerate(tree.infosets):
        weights = [1 + (numbers >> (3 * (place + move) % 40)) % 5 for move in range(len(infoset.actions))]
        rows.append([Fraction(weight, sum(weights)) for weight in weights])
    return Strategy(tree, rows)


@given(tree=zero_sum(deepest=3), numbers=st.integers(0, 2**48), seat=st.sampled_from([0, 1]))
def test_best_response_is_the_best_of_all_pure_strategies(tree, numbers, seat):
    """Compare `best_response_set` with a search through all pure strategies; each that it allows is as good."""
    assume(has_few_strategies(tree, seat))
    strategy = mixed_strategy(tree, numbers)
    found = best_response_set(tree, strategy, seat)
    assert found.value == gametheory.best_response(tree, strategy, seat).value
    tried = {plan: gametheory.value(tree, strategy.replace_player(seat, plan), seat) for plan in pure_strategies(tree, seat)}
    assert max(tried.values()) == found.value
    for plan, value in tried.items():
        if all(moves[plan.rows[place].index(1)] for place, moves in found.best_actions.items()):
            assert value == found.value


@given(tree=zero_sum(deepest=3), numbers=st.integers(0, 2**48), seat=st.sampled_from([0, 1]))
def test_exploitability_is_the_value_minus_the_worst_payoff(tree, numbers, seat):
    """The value comes from a linear program, and for small games also from a matrix of all strategies."""
    assume(has_few_strategies(tree, 1 - seat))
    strategy = mixed_strategy(tree, numbers)
    value = gametheory.solve(tree, "lp").value
    assert compute_game_value(tree) == value
    found, _ = compute_guarantee(tree, strategy, seat, value)
    worst = min(gametheory.value(tree, strategy.replace_player(1 - seat, plan), seat) for plan in pure_strategies(tree, 1 - seat))
    assert found.guaranteed_value == worst
    assert found.loss == (value if seat == 0 else -value) - worst >= 0


@pytest.mark.parametrize("make", [kuhn, matching_pennies, signalling])
def test_a_solution_has_no_exploitability(make):
    """No player of an equilibrium can lose. Uniform play loses where it is not an equilibrium."""
    tree = make()
    plays = StrategyState(tree, gametheory.solve(tree, "lp"))
    plays.own_strategy = plays.solution.strategy
    for seat in (0, 1):
        plays.set_own_player(seat)
        assert plays.own_loss == 0
    even = StrategyState(tree)
    even.own_strategy = Strategy.uniform(tree)
    assert even.own_loss == gametheory.solve(tree).value - min(
        gametheory.value(tree, Strategy.uniform(tree).replace_player(1, plan)) for plan in pure_strategies(tree, 1)
    )
    assert (even.own_loss == 0) == (make is matching_pennies)


@given(row=st.lists(SIXTH, min_size=1, max_size=6), move=st.integers(0, 5), to=SIXTH)
def test_rescaled_probabilities_add_up_to_one(row, move, to):
    """None is negative, the changed one is as set, and the others keep their proportions."""
    assume(sum(row) > 0 and move < len(row))
    row = [weight / sum(row) for weight in row]
    found = rescale_probabilities(row, move, to)
    assert sum(found) == 1
    assert min(found) >= 0
    assert found[move] == (to if len(row) > 1 else 1)
    others = [place for place in range(len(row)) if place != move]
    if sum(row[place] for place in others):
        for index, other_index in product(others, others):
            assert found[index] * row[other_index] == found[other_index] * row[index]
    else:
        assert len({found[place] for place in others}) <= 1


@given(tree=zero_sum(deepest=3), steps=st.lists(st.tuples(st.integers(0, 99), st.integers(0, 9), SIXTH), max_size=12))
def test_a_strategy_stays_valid_after_many_changes(tree, steps):
    """Every row is exact and adds up to 1, also if it was learned in floats."""
    assume(tree.infosets)
    plays = StrategyState(tree)
    plays.set_learned_strategy(Strategy(tree, [[1 / len(infoset.actions)] * len(infoset.actions) for infoset in tree.infosets]))
    for number, move, to in steps:
        place = number % len(tree.infosets)
        moves = len(tree.infosets[place].actions)
        plays.set_probability(place, move % moves, to if moves > 1 else 1)
        assert plays.own_strategy.exact
        assert all(sum(row) == 1 for row in plays.own_strategy.rows)
        assert plays.own_player == tree.infosets[place].player


@given(tree=zero_sum(deepest=3), numbers=st.integers(0, 2**48), seat=st.sampled_from([0, 1]))
def test_value_of_a_history_is_the_mean_of_its_ends(tree, numbers, seat):
    """Compare `node_values`, found backwards, with the ends weighted by their probabilities."""
    strategy = mixed_strategy(tree, numbers)
    found = node_values(tree, strategy, seat)

    def mean(here):
        if tree.actor[here] == TERMINAL:
            return tree.payoffs[tree.infoset_of[here]][seat]
        probabilities = (
            tree.chance_moves[tree.infoset_of[here]].probabilities if tree.actor[here] == CHANCE else strategy.rows[tree.infoset_of[here]]
        )
        return sum(probability * mean(child) for probability, child in zip(probabilities, tree.children(here), strict=True))

    assert found == [mean(here) for here in range(tree.history_count)]
    assert found[0] == gametheory.value(tree, strategy, seat)


@given(tree=zero_sum(deepest=3), numbers=st.integers(0, 2**48))
def test_values_on_the_board_match_the_analysis(tree, numbers):
    """Reach, values and best moves are those of `analysis`, for the histories shown only."""
    strategy = mixed_strategy(tree, numbers)
    plays = StrategyState(tree)
    plays.own_strategy = strategy
    plays.mark_best_responses(0)
    plays.prepare_computation(values=True)()()
    shown_nodes = [here for here in range(tree.history_count) if here < 4 or tree.parent[here] == 0]
    message = trait.strategy_to_message(plays, shown_nodes, values=True)
    reached = reach_probabilities(tree, strategy)
    assert message["shown_kind"] == "own"
    assert message["probabilities"].keys() == {str(tree.infoset_of[here]) for here in shown_nodes if tree.actor[here] >= 0}
    for place, row in message["weight"].items():
        assert row == [float(probability) for probability in strategy.rows[int(place)]]
        assert [Fraction(text) for text in message["probabilities"][place]] == list(strategy.rows[int(place)])
    assert message["reach"] == pytest.approx([float(reached[here]) for here in shown_nodes])
    both = [node_values(tree, strategy, seat) for seat in (0, 1)]
    assert [[Fraction(text) for text in pair] for pair in message["values"] if "≈" not in "".join(pair)] == [
        [values[here] for values in both] for here, pair in zip(shown_nodes, message["values"], strict=True) if "≈" not in "".join(pair)
    ]
    assert message["best_response_player"] == 0
    assert set(message["best_responses"]) <= set(message["probabilities"])


def test_backward_induction_highlights_its_line_of_play():
    """The line is followed history by history, and all chance moves are highlighted."""
    tree = three_players()
    plays = StrategyState(tree)
    assert plays.methods == ("backward", "answer")
    plays.solve("backward")
    lit = trait.strategy_to_message(plays, range(tree.history_count))["highlighted_nodes"]
    assert tree.actions_from_root(lit[-1]) == plays.solution.backward_induction.line_of_play == ("two", "take")
    assert lit == [0, lit[1], lit[2]]
    cards = kuhn()
    found = list_likeliest_nodes(cards, Strategy.uniform(cards), range(cards.history_count))
    assert set(cards.children(0)) <= set(found)


def test_games_of_three_players_show_a_gain_instead_of_a_loss():
    """Where the game is not zero-sum, exploitability is what the player gains by a best response."""
    tree = three_players()
    plays = StrategyState(tree)
    plays.set_probability(0, 0, "1")
    assert (plays.own_player, plays.best_response_player) == (0, 0)
    assert plays.own_loss == Fraction(5, 2) - Fraction(1, 2)
    assert plays.own_results.best_responses[0].best_actions == {0: (False, True)}
    assert trait.strategy_to_message(plays, [0])["sentences"][0] == english_text("board.own.gain", name="Player 1", sure="1/2", lost="2")
    plays.set_probability(0, 1, "100 %")
    assert plays.own_loss == 0
    assert trait.strategy_to_message(plays, [0])["own_guarantee"]["text"] == english_text("board.own.no_gain", name="Player 1", sure="5/2")
    with pytest.raises(TreeError, match="needs two players, and this game has 3"):
        plays.solve("lp")


def test_your_own_strategy_starts_from_the_solution_and_can_be_removed():
    """It belongs to the player set last and marks the other's best response. Removed, the tree is as before."""
    tree = matching_pennies()
    plays = StrategyState(tree, gametheory.solve(tree))
    plays.set_probability(0, 0, "3/4")
    assert plays.own_strategy["hides"] == (Fraction(3, 4), Fraction(1, 4))
    assert plays.own_strategy["guesses"] == (HALF, HALF)
    assert (plays.shown_kind, plays.best_response_player, plays.own_loss) == ("own", 1, HALF)
    assert plays.own_results.best_responses[1].best_actions == {1: (False, True)}
    plays.set_probability(1, 0, "1/4")
    assert (plays.own_player, plays.best_response_player, plays.own_loss) == (1, 0, HALF)
    plays.show_strategy("solution")
    assert (plays.shown_strategy["hides"], plays.own_strategy is not None) == ((HALF, HALF), True)
    plays.delete_own_strategy()
    assert (plays.shown_kind, plays.own_strategy, plays.own_loss, plays.best_response_player) == ("solution", None, None, None)
    plays.solution = None
    assert (plays.shown_kind, plays.shown_strategy, trait.strategy_to_message(plays, [0])) == ("", None, {})


@given(tree=zero_sum(deepest=3))
def test_backward_induction_is_offered_only_where_it_works(tree):
    """Compare `can_use_backward_induction` with backward induction."""
    if can_use_backward_induction(tree):
        assert gametheory.backward_induction(tree).values[0] == gametheory.solve(tree, "lp").value
    else:
        with pytest.raises(TreeError, match="others did"):
            gametheory.backward_induction(tree)


@given(tree=zero_sum(deepest=3), open_tree=zero_sum(deepest=3, open_moves=True))
def test_every_method_on_offer_solves_the_game(tree, open_tree):
    """No offered method refuses the game."""
    for game in (tree, open_tree):
        plays = StrategyState(game)
        for method in set(plays.methods) & {"backward", "lp"}:
            plays.solve(method)
            assert plays.solution.method == method
    assert "backward" in StrategyState(open_tree).methods


def test_invalid_probabilities_are_refused_and_change_nothing():
    """Whatever is typed or sent, the message says why."""
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


def test_the_only_move_of_a_node_keeps_probability_one():
    """It cannot be changed."""
    tree = tree_of({"": DecisionNode(0, "forced", [("go", "e")]), "e": TerminalNode((1, -1))})
    with pytest.raises(RefusedError, match=english("board.refused.one_move")):
        change_probability(tree, Strategy.uniform(tree), 0, 0, HALF)
    assert change_probability(tree, Strategy.uniform(tree), 0, 0, Fraction(1)) == Strategy.uniform(tree)
