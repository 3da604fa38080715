"""Durak in PettingZoo: an environment in which agents act in turn (AEC), for whoever trains them.

PettingZoo: J. K. Terry and others, *PettingZoo: Gym for multi-agent reinforcement learning* (2021), https://arxiv.org/abs/2009.14471.
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
    """The game as an environment that says what is wrong: an illegal move ends the game, and is punished with -1.

    An observation is a dict as in PettingZoo's card games: `observation`, numbers from 0 to 1, and `action_mask`, which actions are legal now.
    `env.unwrapped.moves` are the moves that the actions are. Rewards are `outcome.utilities`, at the end.

    >>> table = env("podkidnoy, players=3")
    >>> table.reset(seed=7)
    >>> table.possible_agents, table.agent_selection
    (['player_0', 'player_1', 'player_2'], 'player_0')
    >>> legal = table.observe(table.agent_selection)["action_mask"].nonzero()[0]
    >>> [str(table.unwrapped.moves[action]) for action in legal]
    ['attack 7c', 'attack Kc', 'attack 7d', 'attack 6h', 'attack Th', 'attack 7s']
    """
    made = raw_env(rules, dealer=dealer, render_mode=render_mode)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)))


class raw_env(AECEnv, EzPickle):  # type: ignore[misc]  # noqa: N801 - as PettingZoo calls it
    """The bare environment: an illegal move is refused with its reason, as `Game.play` does it, and nothing has changed.

    `reset(seed=…)` shuffles and says who deals; `dealer` lets one seat deal always, and `reset(options={"deck": …})` gives a deck in an order.

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
        actions, self._encoding = actions_of(self.rules), Encoding(self.rules)
        self.moves = actions.moves
        """The move that each action is."""
        self._numbers, self._random = actions.numbers, Random()
        self._longest = LONGEST * len(kit_of(self.rules).deck)
        self.game: Game | None = None
        """The game that is played: what nobody may see is in it."""
        self.possible_agents = [f"player_{seat}" for seat in range(kit_of(self.rules).players)]
        """Of each seat its agent."""
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
        """What an agent's observations are among; the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent's actions are among; the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal anew: a deck shuffled with the seed, or in the order of `options["deck"]`."""
        if seed is not None:
            self._random = Random(seed)
        shuffled, dealer = self._random.getrandbits(32), self._random.randrange(len(self.possible_agents))
        dealer = dealer if self.dealer is None else self.dealer
        deck = (options or {}).get("deck")
        self.game = Game(self.rules, seed=shuffled, dealer=dealer) if deck is None else Game(self.rules, deck=deck, dealer=dealer)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._decisions, self._skip_agent_selection = 0, None
        self._go_on()

    def step(self, action: int | None) -> None:
        """Make the move of the agent whose turn it is, and those that are then forced."""
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
        """The game, once there is one."""
        if self.game is None:
            raise PositionError("no cards have been dealt: call reset() first")
        return self.game

    def _go_on(self) -> None:
        """Make the moves that are forced, until somebody has a choice or the game is over."""
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
        """What an agent may know of the moment, and what it may do: nothing where another is to act."""
        game, seat = self._playing(), self.possible_agents.index(agent)
        mask = np.zeros(len(self.moves), dtype=np.int8)
        if game.actor == seat:
            mask[self._numbers(game.legal_moves())] = 1
        return {"observation": np.array(self._encoding.numbers(game.view(seat).sight), dtype=np.float32), "action_mask": mask}

    def render(self) -> str | None:
        """The moment as a line of text for an onlooker, who sees all hands; nothing without `render_mode="ansi"`."""
        if self.render_mode != "ansi":
            logger.warn('render() shows nothing without a way to: say render_mode="ansi"')
            return None
        game = self._playing()
        return game.position if game.outcome is None else str(game.outcome)

    def close(self) -> None:
        """Nothing is held that must be let go."""
