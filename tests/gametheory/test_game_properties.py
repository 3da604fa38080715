"""Test the properties of a game: recall of each player, the sum of payoffs, hidden information."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import gametheory
from durak_widget.gametheory.game_properties import PlayerRecall, find_game_properties, find_player_recalls, to_zero_sum
from durak_widget.gametheory.sequence_form_lcp import find_lemke_equilibrium
from durak_widget.gametheory.tree import ChanceNode, DecisionNode, TerminalNode, build_tree, describe_imperfect_recall
from support import textbook
from support.by_trying import payoffs
from support.random_trees import hidden_tree, open_tree
from support.sizes import tried

TEXTBOOK = {
    "bayes": ("perfect", "general", False, False, True),
    "beer-quiche": ("perfect", "general", False, False, True),
    "centipede": ("perfect", "general", True, True, False),
    "chain-store": ("perfect", "general", True, True, False),
    "driver": ("absent-minded", "general", False, False, False),
    "entry": ("perfect", "general", True, True, False),
    "horse": ("perfect", "general", False, False, False),
    "kuhn": ("perfect", "zero", False, False, True),
    "myerson": ("perfect", "zero", False, False, True),
    "outside-option": ("perfect", "general", False, False, False),
    "pennies": ("perfect", "zero", False, False, False),
    "spence": ("perfect", "general", False, False, True),
    "ultimatum": ("perfect", "general", True, True, False),
}


def test_textbook_games_have_the_known_properties():
    """Recall, sum of payoffs, observed actions, perfect information, chance moves."""
    for name, known in TEXTBOOK.items():
        kind = find_game_properties(gametheory.textbook(name))
        assert (kind.recall, kind.payoff_sum, kind.has_observed_actions, kind.has_perfect_information, kind.has_chance_moves) == known
        assert kind.player_count == len(kind.player_recalls) == gametheory.textbook(name).player_count


@given(st.integers(0, 2**32))
def test_players_of_random_games_have_perfect_recall(number):
    """In these games a player's knowledge is the list of all that the player saw."""
    rng = Random(number)
    for tree in (hidden_tree(rng, seats=3), open_tree(rng)):
        assert set(find_player_recalls(tree)) == {PlayerRecall("perfect")}


@given(st.integers(0, 2**32))
def test_merged_information_sets_are_found(number):
    """Two information sets of a player become one. The two functions agree on whether the player still has perfect recall."""
    rng = Random(number)
    tree = hidden_tree(rng, seats=2)
    pairs = [
        (number, two)
        for number, first in enumerate(tree.infosets)
        for two, second in enumerate(tree.infosets)
        if number < two and (first.player, first.actions) == (second.player, second.actions)
    ]
    if not pairs:
        return
    kept, joined = rng.choice(pairs)

    def node_at(here):
        place = tree.infoset_of[here]
        if tree.actor[here] == -2:
            return TerminalNode(tree.payoffs[place])
        if tree.actor[here] == -1:
            return ChanceNode(
                list(zip(tree.chance_moves[place].actions, tree.chance_moves[place].probabilities, tree.children(here), strict=True))
            )
        return DecisionNode(
            tree.actor[here], kept if place == joined else place, list(zip(tree.infosets[place].actions, tree.children(here), strict=True))
        )

    merged = build_tree(0, node_at, player_count=2)
    found = find_player_recalls(merged)
    assert (describe_imperfect_recall(merged) is None) == all(memory.recall == "perfect" for memory in found)
    for seat, memory in enumerate(found):
        twice = {
            merged.infoset_of[here]
            for here in range(merged.history_count)
            if merged.actor[here] == seat
            and merged.infoset_of[here] in {merged.infoset_of[above] for above in ancestors(merged, here) if merged.actor[above] == seat}
        }
        assert (memory.recall == "absent-minded") == bool(twice)
        assert memory.infoset is None or merged.infosets[memory.infoset].player == seat
        if memory.recall == "absent-minded":
            assert memory.infoset in twice


def ancestors(tree, here):
    """Yield the histories on the way to a history."""
    while tree.parent[here] >= 0:
        here = tree.parent[here]
        yield here


def test_the_forgetful_player_and_infoset_are_named():
    """The first player chooses, forgets, and chooses again; the second sees everything."""
    places = {"": DecisionNode(0, "first", [("h", "h"), ("t", "t")])}
    for move in "ht":
        places[move] = DecisionNode(1, f"sees {move}", [("h", move + "h"), ("t", move + "t")])
        for two in "ht":
            places[move + two] = DecisionNode(0, "last", [("h", move + two + "h"), ("t", move + two + "t")])
            places |= {move + two + three: TerminalNode((1, 0) if move == three else (0, 1)) for three in "ht"}
    tree = build_tree("", places.__getitem__, player_count=2)
    kind = find_game_properties(tree)
    last = [infoset.label for infoset in tree.infosets].index("last")
    assert kind.player_recalls == (PlayerRecall("imperfect", last), PlayerRecall("perfect"))
    assert (kind.recall, kind.payoff_sum, kind.constant_sum) == ("imperfect", "constant", 1)


@given(textbook.zero_sum(), st.fractions(-5, 5, max_denominator=4))
def test_a_zero_sum_solution_solves_the_constant_sum_game(tree, pot):
    """With the constant added again, both players get what another solver finds for the game itself."""
    places = {}

    def node_at(here):
        place = tree.infoset_of[here]
        if tree.actor[here] == -2:
            return TerminalNode((tree.payoffs[place][0] + pot / 3, tree.payoffs[place][1] + pot * 2 / 3))
        if tree.actor[here] == -1:
            return ChanceNode(
                list(zip(tree.chance_moves[place].actions, tree.chance_moves[place].probabilities, tree.children(here), strict=True))
            )
        places[place] = None
        return DecisionNode(tree.actor[here], place, list(zip(tree.infosets[place].actions, tree.children(here), strict=True)))

    game = build_tree(0, node_at, player_count=2)
    assert find_game_properties(game).constant_sum == pot
    solution = gametheory.solve(to_zero_sum(game), "plans")
    assert (solution.value, pot - solution.value) == payoffs(game, find_lemke_equilibrium(game)) == payoffs(game, solution.strategy)
    assert gametheory.nash_conv(game, solution.strategy) == 0


def test_only_constant_sum_games_become_zero_sum():
    """A game whose payoffs do not have a constant sum, or with another number of players, is refused."""
    for name in ("entry", "horse", "driver"):
        with pytest.raises(gametheory.TreeError, match="constant"):
            to_zero_sum(gametheory.textbook(name))


@pytest.mark.parametrize("stakes", [(1, 10**8, 1), (10**15, 1, 1), (1, 1, 10**15)])
@pytest.mark.parametrize("seed", range(tried(1, 6)))
def test_tolerance_is_relative_to_each_players_payoffs(stakes, seed):
    """Three choose at once; the tolerance of each player depends on that player's own payoff range, however large the others' are."""
    rng = Random(seed)

    def node_at(where):
        if len(where) == 3:
            return TerminalNode(tuple(stake * rng.randint(-5, 5) for stake in stakes))
        return DecisionNode(len(where), f"chooses {len(where)}", [(move, where + move) for move in "ab"])

    tree = build_tree("", node_at, player_count=3)
    answer = gametheory.solve(tree)
    for equilibrium in answer.equilibria:
        for gain, player_payoffs in zip(equilibrium.player_gains, zip(*tree.payoffs, strict=True), strict=True):
            assert float(gain) <= 1e-5 * (max(player_payoffs) - min(player_payoffs))
    assert answer.equilibria
