"""Wraps Durak as a PettingZoo environment in which agents act in turn (type AEC).

PettingZoo: J. K. Terry and others, *PettingZoo: Gym for multi-agent reinforcement learning* (2021),
https://arxiv.org/abs/2009.14471.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from gymnasium import logger, spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from durak_widget.analysis.rl_encoding import MAX_DECISIONS_PER_CARD, ObservationEncoder, action_space_of_rules
from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.engine.game import Game
from durak_widget.errors import PositionError
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["env", "raw_env"]


def env(rules: Rules | str | None = None, *, dealer: int | None = None, render_mode: str | None = None) -> AECEnv[str, Any, int]:
    """Return Durak as a PettingZoo environment that checks that each action is legal.

    An illegal move ends the game, and is punished with -1. An observation is a dict as in PettingZoo's card
    games: `observation` has numbers from 0 to 1, and `action_mask` marks the legal actions.
    `env.unwrapped.moves` has the move of each action. The rewards are `outcome.utilities`, at the end.

    >>> table = env("podkidnoy, players=3")
    >>> table.reset(seed=7)
    >>> table.possible_agents, table.agent_selection
    (['player_0', 'player_1', 'player_2'], 'player_0')
    >>> legal = table.observe(table.agent_selection)["action_mask"].nonzero()[0]
    >>> [str(table.unwrapped.moves[action]) for action in legal]
    ['attack 7c', 'attack Kc', 'attack 7d', 'attack 6h', 'attack Th', 'attack 7s']
    """
    bare_env = raw_env(rules, dealer=dealer, render_mode=render_mode)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(bare_env, illegal_reward=-1)))


class raw_env(AECEnv, EzPickle):  # type: ignore[misc]  # noqa: N801 - as PettingZoo calls it
    """Durak as a PettingZoo environment without PettingZoo's own checks of actions.

    `reset(seed=…)` shuffles and chooses the dealer. `dealer` fixes the dealer, and `reset(options={"deck":
    …})` the deck. An illegal move raises the error of `Game.play`.

    >>> table = raw_env("podkidnoy, suits=c, ranks=678, hand_size=1, trump=none, first_attacker=left_of_dealer", dealer=1, render_mode="ansi")
    >>> table.reset(options={"deck": "6c 7c 8c"})
    >>> table.render().partition(": ")[2]
    '| 7c; table 6c; talon 8c; bout 1; since 0 +6c |'
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "name": "durak_v0", "is_parallelizable": False}

    def __init__(self, rules: Rules | str | None = None, *, dealer: int | None = None, render_mode: str | None = None) -> None:
        EzPickle.__init__(self, rules, dealer=dealer, render_mode=render_mode)
        super().__init__()
        self.rules, self.dealer, self.render_mode = Rules.coerce(rules), dealer, render_mode
        action_space, self._encoder = action_space_of_rules(self.rules), ObservationEncoder(self.rules)
        self.moves = action_space.moves
        """For each action number: the move that it stands for."""
        self._numbers_of_moves, self._rng = action_space.numbers_of_moves, Random()
        self._max_decisions = MAX_DECISIONS_PER_CARD * len(compile_rules(self.rules).deck)
        self.game: Game | None = None
        """The current game, with all hidden cards."""
        self.possible_agents = [f"player_{seat}" for seat in range(compile_rules(self.rules).player_count)]
        """The names of the agents, one for each seat."""
        self.agents: list[str] = []
        size, count = self._encoder.vector_size, len(self.moves)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low=0, high=1, shape=(size,), dtype=np.float32),
                    "action_mask": spaces.Box(low=0, high=1, shape=(count,), dtype=np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return an agent's observation space; every call returns the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return an agent's action space; every call returns the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game with a shuffled deck, or with the deck in `options["deck"]`."""
        if seed is not None:
            self._rng = Random(seed)
        deck_seed, dealer = self._rng.getrandbits(32), self._rng.randrange(len(self.possible_agents))
        dealer = dealer if self.dealer is None else self.dealer
        deck = (options or {}).get("deck")
        self.game = Game(self.rules, seed=deck_seed, dealer=dealer) if deck is None else Game(self.rules, deck=deck, dealer=dealer)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._decision_count, self._skip_agent_selection = 0, None
        self._advance()

    def step(self, action: int | None) -> None:
        """Play the move of the agent to act, and the forced moves after it."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._require_game().play(self.moves[int(action)])  # type: ignore[arg-type]
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._decision_count += 1
        self._advance()

    def _require_game(self) -> Game:
        """Return the game; raise an error if no game has been started."""
        if self.game is None:
            raise PositionError("no cards have been dealt; call reset() first")
        return self.game

    def _advance(self) -> None:
        """Play forced moves until an agent has a choice or the game is over."""
        game = self._require_game()
        while len(legal := game.legal_moves()) == 1:
            game.play(legal[0])
        if game.actor is not None and self._decision_count < self._max_decisions:
            self.agent_selection = self.possible_agents[game.actor]
            return
        if game.outcome is not None:
            self.rewards = dict(zip(self.agents, game.outcome.utilities, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]
        self._deads_step_first()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what an agent observes, with a mask of its legal actions.

        The mask is empty if another agent is to act.
        """
        game, seat = self._require_game(), self.possible_agents.index(agent)
        mask = np.zeros(len(self.moves), dtype=np.int8)
        if game.actor == seat:
            mask[self._numbers_of_moves(game.legal_moves())] = 1
        return {"observation": np.array(self._encoder.encode(game.view(seat).data), dtype=np.float32), "action_mask": mask}

    def render(self) -> str | None:
        """Return the position with all hands as text, or None unless `render_mode` is "ansi"."""
        if self.render_mode != "ansi":
            logger.warn('render() shows nothing without a render mode; use render_mode="ansi"')
            return None
        game = self._require_game()
        return game.position if game.outcome is None else str(game.outcome)

    def close(self) -> None:
        """Do nothing, since the environment holds no resources."""
