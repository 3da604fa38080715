"""What is first asked of a game: what each seat remembers, what the payoffs add up to, what is hidden."""

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


def test_the_textbooks_are_of_these_kinds():
    """Who remembers, what is shared, whether moves are seen and all is known, whether anything is drawn."""
    for name, known in TEXTBOOK.items():
        kind = find_game_properties(gametheory.textbook(name))
        assert (kind.recall, kind.payoff_sum, kind.has_observed_actions, kind.has_perfect_information, kind.has_chance_moves) == known
        assert kind.player_count == len(kind.player_recalls) == gametheory.textbook(name).player_count


@given(st.integers(0, 2**32))
def test_who_forgets_nothing_is_told_so(number):
    """What each seat knows of such a game is the list of all that it saw."""
    rng = Random(number)
    for tree in (hidden_tree(rng, seats=3), open_tree(rng)):
        assert set(find_player_recalls(tree)) == {PlayerRecall("perfect")}


@given(st.integers(0, 2**32))
def test_a_seat_that_is_made_to_forget_is_found(number):
    """Two information sets of a seat become one: then it may forget, and both ways of asking agree on whether."""
    rng = Random(number)
    tree = hidden_tree(rng, seats=2)
    pairs = [
        (one, two)
        for one, first in enumerate(tree.infosets)
        for two, second in enumerate(tree.infosets)
        if one < two and (first.player, first.actions) == (second.player, second.actions)
    ]
    if not pairs:
        return
    one, two = rng.choice(pairs)

    def look(here):
        place = tree.infoset_of[here]
        if tree.actor[here] == -2:
            return TerminalNode(tree.payoffs[place])
        if tree.actor[here] == -1:
            return ChanceNode(
                list(zip(tree.chance_moves[place].actions, tree.chance_moves[place].probabilities, tree.children(here), strict=True))
            )
        return DecisionNode(
            tree.actor[here], one if place == two else place, list(zip(tree.infosets[place].actions, tree.children(here), strict=True))
        )

    merged = build_tree(0, look, player_count=2)
    found = find_player_recalls(merged)
    assert (describe_imperfect_recall(merged) is None) == all(memory.recall == "perfect" for memory in found)
    for seat, memory in enumerate(found):
        twice = {
            merged.infoset_of[here]
            for here in range(merged.history_count)
            if merged.actor[here] == seat
            and merged.infoset_of[here] in {merged.infoset_of[above] for above in before(merged, here) if merged.actor[above] == seat}
        }
        assert (memory.recall == "absent-minded") == bool(twice)
        assert memory.infoset is None or merged.infosets[memory.infoset].player == seat
        if memory.recall == "absent-minded":
            assert memory.infoset in twice


def before(tree, here):
    """The histories on the way to one."""
    while tree.parent[here] >= 0:
        here = tree.parent[here]
        yield here


def test_which_seat_forgets_and_where():
    """The first draws, forgets, and draws again; the second sees it all."""
    places = {"": DecisionNode(0, "first", [("h", "h"), ("t", "t")])}
    for one in "ht":
        places[one] = DecisionNode(1, f"sees {one}", [("h", one + "h"), ("t", one + "t")])
        for two in "ht":
            places[one + two] = DecisionNode(0, "last", [("h", one + two + "h"), ("t", one + two + "t")])
            places |= {one + two + three: TerminalNode((1, 0) if one == three else (0, 1)) for three in "ht"}
    tree = build_tree("", places.__getitem__, player_count=2)
    kind = find_game_properties(tree)
    last = [one.label for one in tree.infosets].index("last")
    assert kind.player_recalls == (PlayerRecall("imperfect", last), PlayerRecall("perfect"))
    assert (kind.recall, kind.payoff_sum, kind.constant_sum) == ("imperfect", "constant", 1)


@given(textbook.zero_sum(), st.fractions(-5, 5, max_denominator=4))
def test_a_solution_of_the_zero_sum_game_is_one_of_the_constant_sum_game(tree, pot):
    """With the constant added again, both players get what another solver finds for the game itself."""
    places = {}

    def look(here):
        place = tree.infoset_of[here]
        if tree.actor[here] == -2:
            return TerminalNode((tree.payoffs[place][0] + pot / 3, tree.payoffs[place][1] + pot * 2 / 3))
        if tree.actor[here] == -1:
            return ChanceNode(
                list(zip(tree.chance_moves[place].actions, tree.chance_moves[place].probabilities, tree.children(here), strict=True))
            )
        places[place] = None
        return DecisionNode(tree.actor[here], place, list(zip(tree.infosets[place].actions, tree.children(here), strict=True)))

    game = build_tree(0, look, player_count=2)
    assert find_game_properties(game).constant_sum == pot
    solution = gametheory.solve(to_zero_sum(game), "plans")
    assert (solution.value, pot - solution.value) == payoffs(game, find_lemke_equilibrium(game)) == payoffs(game, solution.strategy)
    assert gametheory.nash_conv(game, solution.strategy) == 0


def test_no_constant_can_be_taken_from_other_games():
    """Where payoffs add up to now this and now that, or not two play."""
    for name in ("entry", "horse", "driver"):
        with pytest.raises(gametheory.TreeError, match="a constant can be taken away where two play"):
            to_zero_sum(gametheory.textbook(name))


@pytest.mark.parametrize("stakes", [(1, 10**8, 1), (10**15, 1, 1), (1, 1, 10**15)])
@pytest.mark.parametrize("seed", range(tried(1, 6)))
def test_what_is_near_is_near_for_each_seat_by_what_it_has_at_stake(stakes, seed):
    """Three choose at once; what one plays for is nothing beside what another does, and is not forgotten for that."""
    rng = Random(seed)

    def look(where):
        if len(where) == 3:
            return TerminalNode(tuple(stake * rng.randint(-5, 5) for stake in stakes))
        return DecisionNode(len(where), f"chooses {len(where)}", [(move, where + move) for move in "ab"])

    tree = build_tree("", look, player_count=3)
    answer = gametheory.solve(tree)
    for one in answer.equilibria:
        for gain, paid in zip(one.player_gains, zip(*tree.payoffs, strict=True), strict=True):
            assert float(gain) <= 1e-5 * (max(paid) - min(paid))
    assert answer.equilibria
