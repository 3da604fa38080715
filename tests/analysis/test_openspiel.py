"""Test Durak in OpenSpiel: it passes OpenSpiel's own tests, equals our trees, and strategies can be exchanged."""

from __future__ import annotations

import pickle
import subprocess
import sys
from random import Random

import pytest

from durak_widget import Rules, RulesError, analysis, gametheory
from durak_widget.gametheory import StrategyError, TreeError
from durak_widget.gametheory.tree import CHANCE, TERMINAL
from support.textbook import kuhn
from support.tree_games import SMALL, small

spiel = pytest.importorskip("pyspiel")
openspiel = analysis.openspiel

WHOLE = {
    "podkidnoy": Rules(),
    "transfers, three players": Rules.preset("transfer", players=3),
    "teams": Rules(players=4, teams="2v2"),
    "two decks, six players": Rules.preset("two_decks", players=6),
    "swaps": Rules.preset("poker", players=5),
    "a trump that changes": Rules.preset("changeable_trump"),
    "played in a chosen suit": Rules.preset("weli"),
}
"""Whole decks, whose cards are dealt one after another."""


@pytest.mark.slow
@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.sample(7)
def test_whole_decks_pass_openspiels_simulation_test(name):
    """Random plays check every guarantee of an OpenSpiel game, and states are saved and loaded."""
    spiel.random_sim_test(openspiel.register(WHOLE[name], dealer=1), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.sample(7)
def test_small_decks_pass_openspiels_simulation_test(name):
    """The same with all deals as one chance node."""
    spiel.random_sim_test(openspiel.register(SMALL[name], dealer=1), num_sims=5, serialize=True, verbose=False)


@pytest.mark.parametrize("name", Rules.presets())
@pytest.mark.sample(8)
def test_every_preset_passes_openspiels_simulation_test(name):
    """The rules are restored from the game text of OpenSpiel."""
    game = openspiel.register(Rules.preset(name))
    assert spiel.load_game(str(game)).data.rules == Rules.preset(name)
    spiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.slow
def test_the_game_is_loaded_by_its_name():
    """As any game of OpenSpiel, with its parameter syntax."""
    for players in range(2, 7):
        game = spiel.load_game(f"python_durak(players={players},rules=transfer suits:cdhs ranks:6789TJQKA,dealer=1)")
        assert game.num_players() == players
        assert str(spiel.load_game(str(game))) == str(game)
        spiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_invalid_rules_are_refused():
    """With the same message as elsewhere, however the game is loaded."""
    with pytest.raises(TreeError, match=r"dealer .*2"):
        openspiel.register(dealer=2)
    with pytest.raises(TreeError, match=r"dealer .*3"):
        spiel.load_game("python_durak(players=3,dealer=3)")
    with pytest.raises(RulesError, match="there is no preset 'transfr'"):
        spiel.load_game("python_durak(rules=transfr)")


@pytest.mark.slow
def test_it_passes_openspiels_python_simulations():
    """`open_spiel/python/tests/games_sim_test.py`: the game, its type and its states are pickled and cloned, and returns are in range."""
    games_sim_test = pytest.importorskip("open_spiel.python.tests.games_sim_test")
    test = games_sim_test.GamesSimTest()
    for rules in (WHOLE["podkidnoy"], WHOLE["teams"], SMALL["transfer with a talon"]):
        test.sim_game(openspiel.register(rules, dealer=1))


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.sample(14)
def test_the_openspiel_game_equals_the_tree(name):
    """The histories are equal. Information states are equal exactly if the information sets in the tree are."""
    tree, known = analysis.build_game_tree(SMALL[name], dealer=1), {}
    waiting = [(0, openspiel.register(SMALL[name], dealer=1).new_initial_state())]
    while waiting:
        here, state = waiting.pop()
        who, place = tree.actor[here], tree.infoset_of[here]
        assert state.is_terminal() == (who == TERMINAL)
        if who == TERMINAL:
            assert state.returns() == list(map(float, tree.payoffs[place]))
            continue
        assert state.is_chance_node() == (who == CHANCE)
        if who >= 0:
            assert known.setdefault(place, state.information_state_string(who)) == state.information_state_string()
        children = {tree.last_action(child): child for child in tree.children(here)}
        actions = {state.action_to_string(action): action for action in state.legal_actions()}
        assert children.keys() == actions.keys()
        waiting += [(child, state.child(actions[name])) for name, child in children.items()]
    assert len(known) == len(set(known.values())) == len(tree.infosets)


def test_dealing_card_by_card_gives_the_same_game():
    """A small game dealt card by card, as large decks are, has the same value and exploitability."""
    rules = small("podkidnoy", suits="c", ranks="6789", trump="none")
    tree = analysis.build_game_tree(rules, dealer=1)
    game = openspiel.register(rules, dealer=1)
    state = game.new_initial_state()
    state.play_state = state.play_state._replace(data=state.play_state.data._replace(deals=()))
    slowly = gametheory.build_tree(state, openspiel.expand_state, player_count=2)
    assert slowly.history_count > tree.history_count
    assert gametheory.solve(slowly).value == gametheory.solve(tree).value


def test_copies_of_a_card_are_dealt_as_one_action():
    """With two decks a chance node names each face once, with a probability by its remaining copies."""
    state = openspiel.register(Rules.preset("two_decks", players=3)).new_initial_state()
    first = state.legal_actions()[0]
    assert len(state.chance_outcomes()) == 36
    state.apply_action(first)
    probabilities = {state.action_to_string(action): chance for action, chance in state.chance_outcomes()}
    assert len(probabilities) == 36
    assert sorted(probabilities.values())[:2] == pytest.approx([1 / 71, 2 / 71])


def test_a_game_longer_than_the_maximum_is_a_draw():
    """OpenSpiel needs a maximal game length; a longer game ends there, and nobody has won."""
    game = openspiel.register(small("podkidnoy", ranks="67"), dealer=1)
    state = game.new_initial_state()
    state.apply_action(3)
    state.play_state.record.decision_count = game.max_game_length()
    assert state.is_terminal()
    assert state.returns() == [0, 0]
    assert state.current_player() == spiel.PlayerId.TERMINAL
    assert state.legal_actions() == []


def test_hidden_cards_are_not_observed():
    """The other's hand and the order of the talon do not change what a seat observes or remembers."""
    game = openspiel.register(small("podkidnoy", suits="cdh", ranks="67", hand=2), dealer=1)
    seen = {}
    for action in game.new_initial_state().legal_actions():
        state = game.new_initial_state()
        state.apply_action(action)
        hand = str(state).partition(" | ")[0]
        observed = state.information_state_string(0), state.observation_string(0), tuple(state.observation_tensor(0))
        assert seen.setdefault(hand, observed) == observed
    assert len(seen) == 15


def test_an_observation_has_named_parts():
    """By name, and as one row of numbers from 0 to 1."""
    from open_spiel.python.observation import make_observation  # noqa: PLC0415 - only where it is installed

    rng, game = Random(3), openspiel.register(WHOLE["transfers, three players"])
    state, observation = game.new_initial_state(), make_observation(game)
    recalled = make_observation(game, spiel.IIGObservationType(perfect_recall=True))
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        observation.set_from(state, 1)
        assert 0 <= observation.tensor.min() <= observation.tensor.max() <= 1
    assert observation.dict["hand"].sum() == state.play_state.record.state.hands[1].bit_count()
    assert list(observation.dict)[:3] == ["hand", "attacks", "unbeaten"]
    assert recalled.string_from(state, 1) == state.information_state_string(1)
    assert state.information_state_string(1).startswith("seat 1 holds ")
    with pytest.raises(TreeError, match="no observation types"):
        game.make_py_observer(None, {"colour": 1})
    with pytest.raises(TreeError, match=r"PrivateInfoType\.SINGLE_PLAYER"):
        game.make_py_observer(spiel.IIGObservationType(perfect_recall=False, private_info=spiel.PrivateInfoType.ALL_PLAYERS))


MINIATURES = {
    "podkidnoy": small("podkidnoy", ranks="67"),
    "podkidnoy without trumps": small("podkidnoy", suits="c", ranks="678", trump="none"),
    "econ431": small("econ431", ranks="67"),
    "transfers": small("perevodnoy", ranks="67"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MINIATURES)
@pytest.mark.sample(4)
def test_openspiel_finds_our_value(name):
    """Its CFR+ on the registered game: by its own best responses, the strategy guarantees both players almost the proved value."""
    rules = MINIATURES[name]
    game, value = openspiel.register(rules, dealer=1), gametheory.solve(analysis.build_game_tree(rules, dealer=1)).value
    solver = spiel.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    root, learned = game.new_initial_state(), solver.average_policy()
    upper, lower = (spiel.TabularBestResponse(game, seat, learned).value_from_state(root) for seat in (0, 1))
    assert -lower - 1e-9 <= value <= upper + 1e-9
    assert upper + lower < 0.02


@pytest.mark.slow
@pytest.mark.parametrize("name", MINIATURES)
@pytest.mark.sample(4)
def test_openspiels_exploitability_equals_ours(name):
    """For its CFR+ on the registered game and on the `.efg`, and for ours after as many iterations."""
    rules = MINIATURES[name]
    tree = analysis.build_game_tree(rules, dealer=1)
    for game in (openspiel.register(rules, dealer=1), openspiel.convert_tree_to_game(tree)):
        solver = spiel.CFRPlusSolver(game)
        for _ in range(15):
            solver.evaluate_and_update_policy()
        learned = openspiel.convert_policy_to_strategy(tree, solver.average_policy(), game)
        judged = gametheory.exploitability(tree, learned)
        assert judged == pytest.approx(spiel.exploitability(game, solver.average_policy()), abs=1e-9)
        assert judged == pytest.approx(gametheory.CFR(tree).run(15).exploitability(), abs=1e-9)
        certificate = gametheory.certify(tree, learned)
        assert certificate.lower <= gametheory.solve(tree).value <= certificate.upper


def test_our_equilibrium_is_one_in_openspiel():
    """OpenSpiel's exploitability of it is 0, in the registered game and in the `.efg`."""
    rules = MINIATURES["transfers"]
    tree = analysis.build_game_tree(rules, dealer=1)
    strategy = gametheory.solve(tree).strategy
    for game in (openspiel.register(rules, dealer=1), openspiel.convert_tree_to_game(tree)):
        theirs = openspiel.convert_strategy_to_policy(tree, strategy, game)
        assert spiel.exploitability(game, theirs) == pytest.approx(0, abs=1e-9)
        back = openspiel.convert_policy_to_strategy(tree, theirs, game)
        assert [tuple(map(float, row)) for row in strategy] == list(back)


def test_a_python_policy_is_converted_too():
    """OpenSpiel has two kinds of policies; both are accepted."""
    from open_spiel.python import policy  # noqa: PLC0415 - only where it is installed

    tree = analysis.build_game_tree(MINIATURES["podkidnoy"], dealer=1)
    game = openspiel.register(MINIATURES["podkidnoy"], dealer=1)
    uniform = [tuple(map(float, row)) for row in gametheory.Strategy.uniform(tree)]
    assert list(openspiel.convert_policy_to_strategy(tree, policy.UniformRandomPolicy(game), game)) == uniform


def test_any_openspiel_game_becomes_a_tree():
    """Its poker is solved exactly; a game that cannot be a tree is refused with a message."""
    tree = openspiel.convert_game_to_tree(spiel.load_game("kuhn_poker"))
    assert gametheory.solve(tree).value == gametheory.solve(kuhn()).value
    assert gametheory.describe_imperfect_recall(tree) is None
    with pytest.raises(TreeError, match="same time"):
        openspiel.convert_game_to_tree(spiel.load_game("matrix_rps"))
    with pytest.raises(TreeError, match="more than 10 histories"):
        openspiel.convert_game_to_tree(spiel.load_game("kuhn_poker"), limit=10)


def test_mismatched_games_and_policies_are_refused():
    """Another game, a policy with an illegal action: one sentence each."""
    tree = analysis.build_game_tree(MINIATURES["podkidnoy"], dealer=1)
    other = openspiel.register(MINIATURES["econ431"], dealer=0)
    with pytest.raises(TreeError, match=r"python_durak is another game than the tree: they differ after"):
        openspiel.convert_policy_to_strategy(tree, spiel.UniformRandomPolicy(other), other)

    class IllegalPolicy:
        def action_probabilities(self, _):
            return {10**6: 1.0}

    class EmptyPolicy:
        def action_probabilities(self, _):
            return {}

    with pytest.raises(StrategyError, match="1000000"):
        openspiel.convert_policy_to_strategy(tree, IllegalPolicy())
    with pytest.raises(StrategyError, match=r"\b1, not 0"):
        openspiel.convert_policy_to_strategy(tree, EmptyPolicy())


def test_a_game_and_its_states_are_pickled():
    """By their parameters; a copy is independent."""
    game = openspiel.register(MINIATURES["transfers"], dealer=1)
    state = pickle.loads(pickle.dumps(game)).new_initial_state()
    state.apply_action(3)
    other, copy = pickle.loads(pickle.dumps(state)), state.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert str(other) == str(state) != str(copy)
    assert other.history() == state.history() == [3]


def test_openspiel_is_imported_on_first_use():
    """Only `analysis.openspiel` imports OpenSpiel; if it is missing, one sentence says what to do."""
    code = """
import sys
sys.modules["pyspiel"] = None
from durak_widget import analysis
assert "durak_widget.analysis.openspiel_bridge" not in sys.modules
try:
    analysis.openspiel
except ImportError as error:
    assert "pip install 'durak_widget[openspiel]'" in str(error), error
else:
    raise SystemExit("imported")
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
