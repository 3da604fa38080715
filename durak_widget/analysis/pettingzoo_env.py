"""Wraps Durak as a PettingZoo environment (AEC) in which agents act in turn.

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

from durak_widget.analysis.rl_encoding import LONGEST, Encoding, actions_of
from durak_widget.engine.compiled_rules import kit_of
from durak_widget.engine.game import Game
from durak_widget.errors import PositionError
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["env", "raw_env"]


def env(rules: Rules | str | None = None, *, dealer: int | None = None, render_mode: str | None = None) -> AECEnv[str, Any, int]:
    """Return the game as an environment with PettingZoo's usual checks.

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
    """Bare environment: an illegal move is refused with its reason, as by `Game.play`.

    `reset(seed=…)` shuffles and chooses the dealer. `dealer` fixes the dealer, and `reset(options={"deck":
    …})` the deck.

    >>> table = raw_env("podkidnoy, suits=c, ranks=678, hand_size=1, trump=none, first_attacker=left_of_dealer", dealer=1, render_mode="ansi")
    >>> table.reset(options={"deck": "6c 7c 8c"})
    >>> table.render().partition(": ")[2]
    '| 7c; table 6c; talon 8c; bout 1; since 0 +6c |'
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "name": "durak_v0", "is_parallelizable": False}

    def __init__(self, rules: Rules | str | None = None, *, dealer: int | None = None, render_mode: str | None = None) -> None:
        EzPickle.__init__(self, rules, dealer=dealer, render_mode=render_mode)
        super().__init__()
        self.rules, self.dealer, self.render_mode = Rules.of(rules), dealer, render_mode
        action_space, self._encoding = actions_of(self.rules), Encoding(self.rules)
        self.moves = action_space.moves
        """Move of each action."""
        self._numbers, self._random = action_space.numbers, Random()
        self._longest = LONGEST * len(kit_of(self.rules).deck)
        self.game: Game | None = None
        """Current game, with the hidden cards."""
        self.possible_agents = [f"player_{seat}" for seat in range(kit_of(self.rules).players)]
        """Agent of each seat."""
        self.agents: list[str] = []
        size, count = self._encoding.size, len(self.moves)
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
        """Return an agent's observation space, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return an agent's action space, the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game, shuffled with the seed, or with the deck of `options["deck"]`."""
        if seed is not None:
            self._random = Random(seed)
        deck_seed, dealer = self._random.getrandbits(32), self._random.randrange(len(self.possible_agents))
        dealer = dealer if self.dealer is None else self.dealer
        deck = (options or {}).get("deck")
        self.game = Game(self.rules, seed=deck_seed, dealer=dealer) if deck is None else Game(self.rules, deck=deck, dealer=dealer)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._decisions, self._skip_agent_selection = 0, None
        self._go_on()

    def step(self, action: int | None) -> None:
        """Play the move of the agent to act, and the forced moves after it."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._playing().play(self.moves[int(action)])  # type: ignore[arg-type]
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._decisions += 1
        self._go_on()

    def _playing(self) -> Game:
        """Return the game; refuse if there is none yet."""
        if self.game is None:
            raise PositionError("no cards have been dealt: call reset() first")
        return self.game

    def _go_on(self) -> None:
        """Play forced moves until an agent has a choice or the game is over."""
        game = self._playing()
        while len(legal := game.legal_moves()) == 1:
            game.play(legal[0])
        if game.actor is not None and self._decisions < self._longest:
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
        """Return what an agent sees and which actions are legal: none if another is to act."""
        game, seat = self._playing(), self.possible_agents.index(agent)
        mask = np.zeros(len(self.moves), dtype=np.int8)
        if game.actor == seat:
            mask[self._numbers(game.legal_moves())] = 1
        return {"observation": np.array(self._encoding.numbers(game.view(seat).sight), dtype=np.float32), "action_mask": mask}

    def render(self) -> str | None:
        """Return the position as text with all hands, or None without `render_mode="ansi"`."""
        if self.render_mode != "ansi":
            logger.warn('render() shows nothing without a way to: say render_mode="ansi"')
            return None
        game = self._playing()
        return game.position if game.outcome is None else str(game.outcome)

    def close(self) -> None:
        """Do nothing, as there are no resources to release."""
