"""Test Durak in PettingZoo: it passes PettingZoo's own tests, shows nothing hidden, and has the right rewards."""

from __future__ import annotations

import pickle
import subprocess
import sys
from random import Random
from warnings import filterwarnings

import pytest

from durak_widget import Game, Move, Rules, analysis
from durak_widget.analysis.rl_encoding import ObservationEncoder
from durak_widget.engine.moves import IllegalMove
from durak_widget.errors import PositionError

pytest.importorskip("pettingzoo")
zoo = analysis.pettingzoo

TABLES = {
    "podkidnoy": Rules(),
    "three": Rules(players=3),
    "transfers, four": Rules.preset("transfer", players=4),
    "teams": Rules(players=4, teams="2v2"),
    "two decks, six": Rules.preset("two_decks", players=6),
    "swaps, five": Rules.preset("poker", players=5),
    "a chosen suit": Rules.preset("weli"),
    "first out": Rules(players=3, goal="first_out"),
}
EXPECTED_WARNINGS = (
    "Observation is not a NumPy array",  # it is a dict with a mask, as in its own card games, whose names are exempt
    "Observation space for each agent probably should be",
    "Action mask numpy array is all zeros",  # when the game is over
)


def total_rewards(table, seed=1, most=10_000):
    """Play at random to the end, and return the total reward of each agent."""
    rng, totals = Random(seed), dict.fromkeys(table.possible_agents, 0)
    for agent in table.agent_iter(most):
        observation, reward, over, cut, _ = table.last()
        totals[agent] += reward
        table.step(None if over or cut else int(rng.choice(observation["action_mask"].nonzero()[0])))
    return totals


@pytest.mark.parametrize("name", [*TABLES, *sorted(Rules.presets().keys() - TABLES.keys())])
@pytest.mark.sample(6)
def test_it_passes_pettingzoos_api_test(name):
    """With every preset and number of players: spaces, masks, rewards, the ends of agents."""
    from pettingzoo.test import api_test  # noqa: PLC0415 - only where it is installed

    for words in EXPECTED_WARNINGS:
        filterwarnings("ignore", message=words)  # for this test only
    api_test(zoo.env(TABLES.get(name) or Rules.preset(name)), num_cycles=150)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.sample(7)
def test_it_passes_pettingzoos_seed_test(name):
    """The same seed gives the same game."""
    from pettingzoo.test import seed_test  # noqa: PLC0415 - only where it is installed

    seed_test(lambda: zoo.env(TABLES[name]), num_cycles=60)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.sample(7)
def test_total_rewards_are_the_payoffs(name):
    """The total of each agent is that of the outcome, and the game can be replayed."""
    table = zoo.env(TABLES[name])
    for seed in range(4):
        table.reset(seed=seed)
        totals = total_rewards(table, seed)
        game = table.unwrapped.game
        assert tuple(totals.values()) == game.outcome.utilities
        assert Game.parse(str(game)).outcome == game.outcome
        assert table.agents == []


def test_actions_are_the_legal_moves():
    """At each step the mask of the agent to act has its legal moves, never only one; the masks of the others are empty."""
    table, rng = zoo.raw_env("transfer, players=3"), Random(5)
    table.reset(seed=5)
    game = table.game
    while game.outcome is None:
        for seat, agent in enumerate(table.possible_agents):
            mask = table.observe(agent)["action_mask"]
            legal = {table.moves[action] for action in mask.nonzero()[0]}
            assert legal == (set(game.legal_moves()) if seat == game.actor else set())
        assert len(game.legal_moves()) > 1
        assert table.agent_selection == f"player_{game.actor}"
        table.step(table.moves.index(rng.choice(game.legal_moves())))


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.sample(7)
def test_hidden_cards_are_not_observed_in_pettingzoo(name):
    """In any possible world a seat observes the same numbers."""
    rng, table = Random(2), zoo.raw_env(TABLES[name])
    table.reset(seed=2)
    game = table.game
    for _ in range(25):
        game.play(rng.choice(game.legal_moves()))
    for seat, agent in enumerate(table.possible_agents):
        here = table.observe(agent)
        worlds = analysis.worlds(game.view(seat))
        for _ in range(10):
            table.game = worlds.sample(rng)
            there = table.observe(agent)
            assert (there["observation"] == here["observation"]).all()
            assert (there["action_mask"] == here["action_mask"]).all()
        table.game = game


def test_the_observation_encodes_the_cards():
    """Part by part, with seats counted from the viewer."""
    table = zoo.raw_env(Rules(players=3, suits="cd", ranks="6789", hand_size=2, trump="c"))
    table.reset(seed=1)
    table.game = Game.from_position(table.rules, hands=["6c 8c", "8d 9d", "6d"], trump="c", table="7d/9c 7c")
    pieces, numbers, place = {}, list(table.observe("player_1")["observation"]), 0
    for name, size in table._encoder.parts:
        pieces[name], place = numbers[place : place + size], place + size
    faces = ["6c", "7c", "8c", "9c", "6d", "7d", "8d", "9d"]
    assert place == len(numbers)
    assert {
        name: [face for face, there in zip(faces, pieces[name], strict=True) if there] for name in ("hand", "attacks", "unbeaten", "beats")
    } == {
        "hand": ["8d", "9d"],
        "attacks": ["7c", "7d"],
        "unbeaten": ["7c"],
        "beats": ["9c"],
    }
    assert pieces["counts"] == pytest.approx([2 / 8, 1 / 8, 2 / 8])
    assert (pieces["attacker"], pieces["defender"], pieces["actor"]) == ([0, 0, 1], [1, 0, 0], [1, 0, 0])
    assert pieces["trump"] == [1, 0, 0, 0]


@pytest.mark.parametrize("name", sorted(Rules.presets()))
@pytest.mark.sample(7)
def test_every_number_is_from_0_to_1(name):
    """Also if several cards count as the same one, as cards played in a chosen suit do."""
    encoding, rng = ObservationEncoder(Rules.preset(name)), Random(name)
    for seed in range(4):
        game = Game(Rules.preset(name), seed=seed)
        while game.actor is not None and game.ply < 400:
            numbers = encoding.encode(game.view(game.actor).data)
            assert (min(numbers) >= 0, max(numbers) <= 1, len(numbers)) == (True, True, encoding.vector_size), str(game)
            game.play(rng.choice(game.legal_moves()))


def test_an_illegal_action_is_refused_or_loses():
    """`raw_env` refuses it with a reason; with `env` it ends the game, and the agent loses."""
    table = zoo.raw_env()
    table.reset(seed=3)
    before = table.observe(table.agent_selection)
    with pytest.raises(IllegalMove):
        table.step(table.moves.index(Move("take")))
    assert (table.observe(table.agent_selection)["observation"] == before["observation"]).all()
    with pytest.raises(PositionError, match=r"call reset\(\) first"):
        zoo.raw_env(render_mode="ansi").render()
    table = zoo.env()
    table.reset(seed=3)
    loser = table.agent_selection
    table.step(table.unwrapped.moves.index(Move("take")))
    assert all(table.terminations.values())
    assert table.rewards[loser] == -1


def test_an_endless_game_is_truncated():
    """A game longer than any real one is truncated, and nobody gets a reward."""
    table = zoo.raw_env()
    table.reset(seed=3)
    table._max_decisions = 4
    assert set(total_rewards(table).values()) == {0}
    assert table._decision_count == 4


def test_decks_and_dealers_can_be_given():
    """A deck in an order, and a fixed dealer; `render` gives the position as a line of text."""
    table = zoo.raw_env("suits=c, ranks=678, hand_size=1, trump=none, first_attacker=left_of_dealer", dealer=1, render_mode="ansi")
    table.reset(options={"deck": "6c 7c 8c"})
    assert table.game.dealer == 1
    assert table.render() == table.game.position
    assert "| 7c; table 6c; talon 8c" in table.render()
    total_rewards(table)
    assert table.render() == str(table.game.outcome)
    assert str(table) == "durak_v0"


def test_an_environment_can_be_pickled():
    """Training in several processes needs it."""
    table = pickle.loads(pickle.dumps(zoo.raw_env("podkidnoy, players=3", dealer=2)))
    table.reset(seed=1)
    assert (table.num_agents, table.game.dealer) == (3, 2)


def test_pettingzoo_is_imported_on_first_use():
    """Only `analysis.pettingzoo` imports PettingZoo; if it is missing, one sentence says what to do."""
    code = """
import sys
sys.modules["pettingzoo"] = None
from durak_widget import analysis
assert "durak_widget.analysis.pettingzoo_env" not in sys.modules
try:
    analysis.pettingzoo
except ImportError as error:
    assert "pip install 'durak_widget[pettingzoo]'" in str(error), error
else:
    raise SystemExit("imported")
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
