"""Converts games, trees and strategies between durak_widget and OpenSpiel.

It registers Durak as an OpenSpiel game and loads small trees as OpenSpiel's native games. It turns OpenSpiel
games into trees, and converts strategies to policies and back. OpenSpiel: M. Lanctot and others, *OpenSpiel:
A framework for reinforcement learning in games* (2019), https://arxiv.org/abs/1908.09453.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyspiel

from durak_widget.analysis.deal_enumeration import enumerate_deals
from durak_widget.analysis.information_state_strings import PlayRecord
from durak_widget.analysis.rl_encoding import MAX_DECISIONS_PER_CARD, ObservationEncoder, action_space_of_rules
from durak_widget.cards import card_from_bit, face_from_bit
from durak_widget.engine import state_transitions
from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.engine.history import GameHistory
from durak_widget.engine.observation import observe_state
from durak_widget.engine.state import deal_state
from durak_widget.gametheory.gambit_files import to_efg
from durak_widget.gametheory.strategy import Strategy, StrategyError
from durak_widget.gametheory.tree import CHANCE, ChanceNode, DecisionNode, TerminalNode, TreeError, build_tree, walk_in_parallel
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.analysis.deal_enumeration import Deal
    from durak_widget.engine.moves import Move
    from durak_widget.gametheory.tree import Tree

__all__ = [
    "GAME_NAME",
    "convert_game_to_tree",
    "convert_policy_to_strategy",
    "convert_strategy_to_policy",
    "convert_tree_to_game",
    "expand_state",
    "register",
]

_MAX_DENOMINATOR: Final = 10**9
"""The maximum denominator of the fraction that replaces a float probability from OpenSpiel."""
GAME_NAME: Final = "python_durak"
"""Durak's name in OpenSpiel, where the names of games written in Python start with `python_`."""
_DEFAULT_PARAMS: Final[dict[str, Any]] = {"rules": "podkidnoy", "players": 2, "dealer": 0}
_MAX_ROOT_DEALS: Final = 10_000
"""The maximum number of deals in a single chance node; for more deals, each card is dealt by its own chance node."""
_GAME_TYPE: Final = pyspiel.GameType(
    short_name=GAME_NAME,
    long_name="Durak",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=6,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULT_PARAMS,
)


def register(rules: Rules | str | None = None, dealer: int = 0) -> pyspiel.Game:
    """Register Durak in OpenSpiel as `python_durak`, and load the game.

    All decks, rules and numbers of players work.

    If there are few deals, chance deals at once, as at the root of `analysis.build_game_tree`; otherwise one card after
    another. Forced moves are made automatically. An action is the number of a move. What a player remembers
    is their information state.

    >>> from durak_widget import Rules
    >>> game = register(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> state = game.new_initial_state()
    >>> state.is_chance_node(), len(state.legal_actions()), state.action_to_string(0)
    (True, 24, '6c | 6d; talon 7c 7d')
    >>> state.apply_action(3)
    >>> state.information_state_string(state.current_player())
    'seat 1 holds 7c, trump c; seat 0 attack 6c; seat 1'
    """
    return pyspiel.load_game(GAME_NAME, format_params(Rules.coerce(rules), dealer))


def convert_tree_to_game(tree: Tree) -> pyspiel.Game:
    """Convert a tree to a game that OpenSpiel loads natively, using the .efg file format.

    OpenSpiel's algorithms in C++ are fastest on it.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> pyspiel.exploitability(convert_tree_to_game(tree), pyspiel.UniformRandomPolicy(convert_tree_to_game(tree)))
    0.25
    """
    return pyspiel.load_efg_game(to_efg(tree))


def convert_game_to_tree(game: pyspiel.Game, *, limit: int | None = 100_000) -> Tree:
    """Convert an OpenSpiel game with sequential moves to a tree for this package's solvers.

    >>> from durak_widget import gametheory
    >>> kuhn = convert_game_to_tree(pyspiel.load_game("kuhn_poker"))
    >>> kuhn, gametheory.solve(kuhn).value
    (<Tree: 58 histories, 30 terminals, 6 + 6 information sets>, Fraction(-1, 18))
    """
    game_type = game.get_type()
    if game_type.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise TreeError(
            f"in {game_type.short_name} players move at the same time; pyspiel.convert_to_turn_based(game) makes a game with one move after another"
        )
    return build_tree(game.new_initial_state(), expand_state, player_count=game.num_players(), title=str(game), limit=limit)


def expand_state(state: pyspiel.State) -> DecisionNode | ChanceNode | TerminalNode:
    """Expand an OpenSpiel state to a tree node, for use by `build_tree` or `OutcomeSampling`.

    >>> expand_state(pyspiel.load_game("tic_tac_toe").new_initial_state()).actions[4][0]
    'x(1,1)'
    """
    if state.is_terminal():
        return TerminalNode(tuple([_to_fraction(payoff) for payoff in state.returns()]))
    player = state.current_player()
    moves = [(state.action_to_string(player, action), state.child(action)) for action in state.legal_actions()]
    if not state.is_chance_node():
        return DecisionNode(player, state.information_state_string(player), moves)
    probabilities = [_to_fraction(probability) for _, probability in state.chance_outcomes()]
    total = sum(probabilities)
    return ChanceNode([(name, probability / total, child) for (name, child), probability in zip(moves, probabilities, strict=True)])


def convert_policy_to_strategy(tree: Tree, policy: Any, game: pyspiel.Game | None = None) -> Strategy:  # noqa: ANN401 - one of theirs, of Python or of C++
    """Convert an OpenSpiel policy to a strategy in a tree.

    `game` is the game that the policy plays, if it isn't `convert_tree_to_game(tree)`: that of `register(…)` for a tree of
    `build(…)`, or that of `convert_game_to_tree`.

    >>> from durak_widget import Rules, analysis, gametheory
    >>> rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    >>> tree, game = analysis.build_game_tree(rules, dealer=1), register(rules, dealer=1)
    >>> theirs = convert_policy_to_strategy(tree, pyspiel.UniformRandomPolicy(game), game)
    >>> round(gametheory.exploitability(tree, theirs), 9), round(float(gametheory.exploitability(tree, gametheory.Strategy.uniform(tree))), 9)
    (0.348958333, 0.348958333)
    """
    rows: list[tuple[float, ...]] = [()] * len(tree.infosets)
    for infoset, state, actions in _match_infosets(tree, game or convert_tree_to_game(tree)):
        probability_of_action = dict(policy.action_probabilities(state))
        if extra := sorted(probability_of_action.keys() - set(actions)):
            raise StrategyError(f"at {tree.infosets[infoset].label!r} the policy plays action {extra[0]}, which is not legal there")
        rows[infoset] = tuple([float(probability_of_action.get(action, 0.0)) for action in actions])
    return Strategy(tree, rows)


def convert_strategy_to_policy(tree: Tree, strategy: Strategy, game: pyspiel.Game | None = None) -> pyspiel.TabularPolicy:
    """Convert a strategy in a tree to an OpenSpiel policy.

    >>> from durak_widget import Rules, analysis, gametheory
    >>> rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    >>> tree, game = analysis.build_game_tree(rules, dealer=1), register(rules, dealer=1)
    >>> round(pyspiel.exploitability(game, convert_strategy_to_policy(tree, gametheory.solve(tree).strategy, game)), 9)
    0.0
    """
    strategy.require_same_infosets(tree.infosets)
    table = {}
    for infoset, state, actions in _match_infosets(tree, game or convert_tree_to_game(tree)):
        probabilities = map(float, strategy.rows[infoset])
        table[state.information_state_string()] = list(zip(actions, probabilities, strict=True))
    return pyspiel.TabularPolicy(table)


def _match_infosets(tree: Tree, game: pyspiel.Game) -> Iterator[tuple[int, pyspiel.State, list[int]]]:
    """Yield each information set of a tree, with a matching OpenSpiel state and the actions.

    The state's actions are in the tree's order.
    """

    def actions(node: int, state: pyspiel.State) -> list[int]:
        """Return a state's OpenSpiel actions in the order of the tree node's actions."""
        player, index = tree.actor[node], tree.infoset_of[node]
        if state.is_terminal() or (not state.is_chance_node() if player == CHANCE else state.current_player() != player):
            raise _make_mismatch_error(tree, game, node)
        moves = (tree.chance_moves if player == CHANCE else tree.infosets)[index].actions
        named = sorted((state.action_to_string(action), action) for action in state.legal_actions())
        if [name for name, _ in named] != sorted(moves):
            raise _make_mismatch_error(tree, game, node)
        order = sorted(range(len(moves)), key=moves.__getitem__)
        action_by_index = dict(zip(order, [action for _, action in named], strict=True))
        return [action_by_index[index] for index in range(len(moves))]

    def below(node: int, state: pyspiel.State) -> list[pyspiel.State]:
        """Return the OpenSpiel states that follow a state, in the order of the tree's actions."""
        return [state.child(action) for action in actions(node, state)]

    for infoset, node, state in walk_in_parallel(tree, game.new_initial_state(), below):
        yield infoset, state, actions(node, state)


def _make_mismatch_error(tree: Tree, game: pyspiel.Game, node: int) -> TreeError:
    """Return an error which says that an OpenSpiel game does not match a tree."""
    return TreeError(
        f"{game.get_type().short_name} is another game than the tree: they differ after {', '.join(tree.actions_from_root(node)) or 'the start'}; give the game of load(tree), or register(…) with the same rules and dealer"
    )


def _to_fraction(number: float) -> Fraction:
    """Convert a float to the closest fraction with a denominator of limited size."""
    return Fraction(number).limit_denominator(_MAX_DENOMINATOR)


def format_params(rules: Rules, dealer: int) -> dict[str, Any]:
    """Format rules as a parameter of OpenSpiel, without OpenSpiel's special characters."""
    text = str(rules).replace(", ", " ").replace("=", ":")
    return {"rules": text, "players": compile_rules(rules).player_count, "dealer": dealer}


def parse_params(params: dict[str, Any]) -> Rules:
    """Parse the rules from the parameters of an OpenSpiel game."""
    rules = Rules.parse(str(params.get("rules", _DEFAULT_PARAMS["rules"])).replace(" ", ", ").replace(":", "="))
    players = params.get("players", compile_rules(rules).player_count)
    return rules if players == compile_rules(rules).player_count else rules.replace(players=players)


class GameData(NamedTuple):
    """Data that all OpenSpiel games with the same rules and dealer share."""

    rules: Rules
    dealer: int
    deals: tuple[Deal, ...]
    """All possible deals, or an empty tuple if they are too many for one chance node."""
    total_weight: int
    """The sum of the weights of all deals."""
    moves: tuple[Move, ...]
    encoder: ObservationEncoder

    def __deepcopy__(self, memo: object) -> GameData:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return compute_game_data, (self.rules, self.dealer)


@lru_cache(maxsize=32)
def compute_game_data(rules: Rules, dealer: int) -> GameData:
    """Compute the data that all OpenSpiel games with the same rules and dealer share."""
    deals: Sequence[Deal] = ()
    players = compile_rules(rules).player_count
    if dealer not in range(players):
        raise TreeError(f"dealer must be a seat from 0 to {players - 1}, not {dealer!r}")
    if players == 2:
        try:
            deals = enumerate_deals(rules, dealer, _MAX_ROOT_DEALS)
        except TreeError:  # There are too many deals for one chance node, so chance deals the cards one by one
            deals = ()
    return GameData(
        rules, dealer, tuple(deals), int(sum(deal.weight for deal in deals)), action_space_of_rules(rules).moves, ObservationEncoder(rules)
    )


def game_data_from_params(params: dict[str, Any]) -> GameData:
    """Return the shared data for an OpenSpiel game with given parameters."""
    return compute_game_data(parse_params(params), params.get("dealer", _DEFAULT_PARAMS["dealer"]))


class PlayState(NamedTuple):
    """An immutable game state, which several OpenSpiel states can share without a copy."""

    data: GameData
    dealt_cards: tuple[int, ...]
    """The cards dealt so far, each as a bit; used if chance deals one card after another."""
    record: PlayRecord | None
    """The record of the play after the deal; None while cards are being dealt."""

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended by the rules or by reaching the limit on decisions."""
        record = self.record
        return record is not None and (record.state.outcome is not None or record.decision_count >= max_decisions(self.data.rules))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the actions of a chance node (deals, or next cards) with their probabilities."""
        deals, total = self.data.deals, self.data.total_weight
        if deals:
            return [(index, float(deal.weight / total)) for index, deal in enumerate(deals)]
        remaining: dict[int, list[int]] = {}
        for index, card in enumerate(compile_rules(self.data.rules).deck):
            if card not in self.dealt_cards:
                remaining.setdefault(face_from_bit(card), []).append(index)
        total = len(compile_rules(self.data.rules).deck) - len(self.dealt_cards)
        return [(indexes[0], len(indexes) / total) for indexes in remaining.values()]  # Two copies of a card count as one outcome

    def apply_action(self, action: int) -> PlayState:
        """Return the game state after an action of a player or of chance."""
        data = self.data
        if self.record is not None:
            return self._replace(record=self.record.play_move(data.moves[action]))
        if data.deals:
            return self._replace(record=PlayRecord.from_state(data.deals[action].state))
        deck = compile_rules(data.rules).deck
        cards = (*self.dealt_cards, deck[action])
        if len(cards) < len(deck):
            return self._replace(dealt_cards=cards)
        state = deal_state(compile_rules(data.rules), cards, data.dealer)
        state_transitions.begin_first_bout(state)
        return PlayState(data, (), PlayRecord.from_state(state))

    def __deepcopy__(self, memo: object) -> PlayState:
        return self


def max_decisions(rules: Rules) -> int:
    """Return the number of decisions after which OpenSpiel ends a game as a draw."""
    return MAX_DECISIONS_PER_CARD * len(compile_rules(rules).deck)


class DurakGame(pyspiel.Game):  # type: ignore[misc]
    """The OpenSpiel class of the game Durak."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        parameters = params or {}
        data = game_data_from_params(parameters)
        rules, compiled = data.rules, compile_rules(data.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(data.moves),
            max_chance_outcomes=max(len(compiled.deck), len(data.deals)),
            num_players=compiled.player_count,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=max_decisions(rules),
        )
        super().__init__(_GAME_TYPE, info, parameters)

    @property
    def data(self) -> GameData:
        """Return the data that is common to all games with the same parameters.

        A pickled game has only its parameters.
        """
        return game_data_from_params(self.get_parameters())

    def new_initial_state(self) -> DurakState:
        """Return the OpenSpiel state before the deal."""
        return DurakState(self)

    def make_py_observer(self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None) -> Observer:
        """Return an observer of what a player sees now, or of all that the player remembers."""
        return Observer(self.data, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)

    def max_chance_nodes_in_history(self) -> int:
        """Return the maximum number of chance moves in one play of the game."""
        return 1 if self.data.deals else len(compile_rules(self.data.rules).deck)


class DurakState(pyspiel.State):  # type: ignore[misc]
    """A state of Durak in OpenSpiel."""

    def __init__(self, game: DurakGame) -> None:
        super().__init__(game)
        data = game.data
        self.play_state = PlayState(data, (), PlayRecord.from_state(data.deals[0].state) if len(data.deals) == 1 else None)

    def current_player(self) -> int:
        """Return the player to act, or OpenSpiel's number for chance or for the end of the game."""
        record = self.play_state.record
        if record is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.play_state.is_over else record.state.actor  # type: ignore[return-value]

    def _legal_actions(self, player: int) -> list[int]:
        record = self.play_state.record
        if record is None or record.state.actor != player or self.play_state.is_over:
            return []
        return action_space_of_rules(self.play_state.data.rules).numbers_of_moves(state_transitions.legal_moves(record.state))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the actions of a chance node (deals, or next cards) with their probabilities."""
        return self.play_state.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.play_state = self.play_state.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        data = self.play_state.data
        if player != pyspiel.PlayerId.CHANCE:
            return str(data.moves[action])
        return data.deals[action].name if data.deals else str(card_from_bit(compile_rules(data.rules).deck[action]))

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.play_state.is_over

    def returns(self) -> list[float]:
        """Return each player's payoff, which is 0 until the game is over."""
        record = self.play_state.record
        if record is None or record.state.outcome is None:
            return [0.0] * compile_rules(self.play_state.data.rules).player_count
        return list(record.state.outcome.utilities)

    def __str__(self) -> str:
        current = self.play_state
        return (
            str(current.record)
            if current.record is not None
            else f"dealt {' '.join(str(card_from_bit(card)) for card in current.dealt_cards) or 'nothing'}"
        )


class Observer:
    """An OpenSpiel observer, which encodes what a player knows as numbers and as text.

    With perfect recall it has all that the player remembers, as text only.
    """

    def __init__(self, data: GameData, observation_type: pyspiel.IIGObservationType, params: dict[str, Any] | None) -> None:
        if params:
            raise TreeError(f"this game has no observation types to choose from; leave out {params}")
        if not observation_type.public_info or observation_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise TreeError(
                "a player observes the open cards and their own hand; ask for public_info=True and PrivateInfoType.SINGLE_PLAYER"
            )
        self._encoder, self._has_perfect_recall = data.encoder, observation_type.perfect_recall
        self.tensor = np.zeros(0 if self._has_perfect_recall else self._encoder.vector_size, np.float32)
        """The observation of a player as an array of numbers."""
        self.dict: dict[str, Any] = {}
        """The named parts of the observation, as views of parts of the array."""
        offset = 0
        for name, size in () if self._has_perfect_recall else self._encoder.parts:
            self.dict[name] = self.tensor[offset : offset + size]
            offset += size

    def set_from(self, state: DurakState, player: int) -> None:
        """Fill the array of numbers with what a player knows in a state."""
        record = state.play_state.record
        if record is None or self._has_perfect_recall:
            self.tensor.fill(0)
        else:
            self.tensor[:] = self._encoder.encode(
                observe_state(record.state, player, GameHistory(record.state.compiled_rules.player_count), None)
            )

    def string_from(self, state: DurakState, player: int) -> str:
        """Return, as text, what a player knows in a state."""
        record = state.play_state.record
        if record is None:
            return f"seat {player} waits for the deal"
        return record.format_information_state(player) if self._has_perfect_recall else record.format_observation(player)


pyspiel.register_game(_GAME_TYPE, DurakGame)
