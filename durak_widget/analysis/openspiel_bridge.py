"""Converts games, trees and strategies between Durak and OpenSpiel, in both directions.

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

from durak_widget.analysis.deal_enumeration import deals_of
from durak_widget.analysis.information_state_strings import Recall
from durak_widget.analysis.rl_encoding import LONGEST, Encoding, actions_of
from durak_widget.cards import card_of, face_of
from durak_widget.engine import state_transitions
from durak_widget.engine.compiled_rules import kit_of
from durak_widget.engine.history import Story
from durak_widget.engine.observation import sight_of
from durak_widget.engine.state import dealt_state
from durak_widget.gametheory.gambit_files import to_efg
from durak_widget.gametheory.strategy import Strategy, StrategyError
from durak_widget.gametheory.tree import CHANCE, Draw, End, TreeError, Turn, grow, side_by_side
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.analysis.deal_enumeration import Deal
    from durak_widget.engine.moves import Move
    from durak_widget.gametheory.tree import Tree

__all__ = ["NAME", "load", "look", "policy", "register", "strategy", "tree_of"]

_FINEST: Final = 10**9
"""Maximum denominator of the fraction that stands for a float probability of OpenSpiel."""
NAME: Final = "python_durak"
"""Name of the game in OpenSpiel, where games written in Python start with `python_`."""
_DEFAULTS: Final[dict[str, Any]] = {"rules": "podkidnoy", "players": 2, "dealer": 0}
_AT_ONCE: Final = 10_000
"""Maximum number of deals for a single chance node; otherwise chance deals one card after another."""
_TYPE: Final = pyspiel.GameType(
    short_name=NAME,
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
    parameter_specification=_DEFAULTS,
)


def register(rules: Rules | str | None = None, dealer: int = 0) -> pyspiel.Game:
    """Return Durak as an OpenSpiel game, registered as `python_durak`.

    All decks, rules and numbers of players work.

    If there are few deals, chance deals at once, as at the root of `analysis.build`; otherwise one card after
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
    return pyspiel.load_game(NAME, params_of(Rules.of(rules), dealer))


def load(tree: Tree) -> pyspiel.Game:
    """Return a tree as a native OpenSpiel game, by way of `.efg`.

    OpenSpiel's algorithms in C++ are fastest on it.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> pyspiel.exploitability(load(tree), pyspiel.UniformRandomPolicy(load(tree)))
    0.25
    """
    return pyspiel.load_efg_game(to_efg(tree))


def tree_of(game: pyspiel.Game, *, limit: int | None = 100_000) -> Tree:
    """Return an OpenSpiel game with sequential moves as a tree for this package's solvers.

    >>> from durak_widget import gametheory
    >>> kuhn = tree_of(pyspiel.load_game("kuhn_poker"))
    >>> kuhn, gametheory.solve(kuhn).value
    (<Tree: 58 histories, 30 terminals, 6 + 6 information sets>, Fraction(-1, 18))
    """
    game_type = game.get_type()
    if game_type.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise TreeError(
            f"in {game_type.short_name} seats act at the same time; pyspiel.convert_to_turn_based(game) makes it one move after another"
        )
    return grow(game.new_initial_state(), look, seats=game.num_players(), title=str(game), limit=limit)


def look(state: pyspiel.State) -> Turn | Draw | End:
    """Return a state as a tree node, as `gametheory.grow` and `OutcomeSampling` need it.

    >>> look(pyspiel.load_game("tic_tac_toe").new_initial_state()).moves[4][0]
    'x(1,1)'
    """
    if state.is_terminal():
        return End(tuple([_fraction(payoff) for payoff in state.returns()]))
    player = state.current_player()
    moves = [(state.action_to_string(player, action), state.child(action)) for action in state.legal_actions()]
    if not state.is_chance_node():
        return Turn(player, state.information_state_string(player), moves)
    probabilities = [_fraction(probability) for _, probability in state.chance_outcomes()]
    total = sum(probabilities)
    return Draw([(name, probability / total, child) for (name, child), probability in zip(moves, probabilities, strict=True)])


def strategy(tree: Tree, policy: Any, game: pyspiel.Game | None = None) -> Strategy:  # noqa: ANN401 - one of theirs, of Python or of C++
    """Return an OpenSpiel policy as a strategy of the tree, to measure its exploitability.

    `game` is the game that the policy plays, if it isn't `load(tree)`: that of `register(…)` for a tree of
    `build(…)`, or that of `tree_of`.

    >>> from durak_widget import Rules, analysis, gametheory
    >>> rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    >>> tree, game = analysis.build(rules, dealer=1), register(rules, dealer=1)
    >>> theirs = strategy(tree, pyspiel.UniformRandomPolicy(game), game)
    >>> round(gametheory.exploitability(tree, theirs), 9), round(float(gametheory.exploitability(tree, gametheory.Strategy.uniform(tree))), 9)
    (0.348958333, 0.348958333)
    """
    rows: list[tuple[float, ...]] = [()] * len(tree.sets)
    for infoset, state, actions in _sets(tree, game or load(tree)):
        probability_of_action = dict(policy.action_probabilities(state))
        if extra := sorted(probability_of_action.keys() - set(actions)):
            raise StrategyError(f"at {tree.sets[infoset].label!r} the policy makes action {extra[0]}, which is not legal there")
        rows[infoset] = tuple([float(probability_of_action.get(action, 0.0)) for action in actions])
    return Strategy(tree, rows)


def policy(tree: Tree, strategy: Strategy, game: pyspiel.Game | None = None) -> pyspiel.TabularPolicy:
    """Return a strategy of the tree as an OpenSpiel policy.

    >>> from durak_widget import Rules, analysis, gametheory
    >>> rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    >>> tree, game = analysis.build(rules, dealer=1), register(rules, dealer=1)
    >>> round(pyspiel.exploitability(game, policy(tree, gametheory.solve(tree).strategy, game)), 9)
    0.0
    """
    strategy.require_sets(tree.sets)
    table = {}
    for infoset, state, actions in _sets(tree, game or load(tree)):
        probabilities = map(float, strategy.rows[infoset])
        table[state.information_state_string()] = list(zip(actions, probabilities, strict=True))
    return pyspiel.TabularPolicy(table)


def _sets(tree: Tree, game: pyspiel.Game) -> Iterator[tuple[int, pyspiel.State, list[int]]]:
    """Yield each information set with a state in it, and the OpenSpiel actions of its actions."""

    def actions(node: int, state: pyspiel.State) -> list[int]:
        player, index = tree.actor[node], tree.info[node]
        if state.is_terminal() or (not state.is_chance_node() if player == CHANCE else state.current_player() != player):
            raise _other(tree, game, node)
        moves = (tree.chances if player == CHANCE else tree.sets)[index].moves
        named = sorted((state.action_to_string(action), action) for action in state.legal_actions())
        if [name for name, _ in named] != sorted(moves):
            raise _other(tree, game, node)
        order = sorted(range(len(moves)), key=moves.__getitem__)
        action_by_index = dict(zip(order, [action for _, action in named], strict=True))
        return [action_by_index[index] for index in range(len(moves))]

    def below(node: int, state: pyspiel.State) -> list[pyspiel.State]:
        return [state.child(action) for action in actions(node, state)]

    for infoset, node, state in side_by_side(tree, game.new_initial_state(), below):
        yield infoset, state, actions(node, state)


def _other(tree: Tree, game: pyspiel.Game, here: int) -> TreeError:
    """Return the error for a game that is not the tree's."""
    return TreeError(
        f"{game.get_type().short_name} is another game than the tree: they differ after {', '.join(tree.moves_to(here)) or 'the start'}; "
        "give the one of load(tree), or register(…) with the same rules and dealer"
    )


def _fraction(number: float) -> Fraction:
    """Return the fraction that a float most likely stands for."""
    return Fraction(number).limit_denominator(_FINEST)


def params_of(rules: Rules, dealer: int) -> dict[str, Any]:
    """Return rules as OpenSpiel parameters, without characters that are special there."""
    text = str(rules).replace(", ", " ").replace("=", ":")
    return {"rules": text, "players": kit_of(rules).players, "dealer": dealer}


def rules_of(params: dict[str, Any]) -> Rules:
    """Return the rules of OpenSpiel parameters."""
    rules = Rules.parse(str(params.get("rules", _DEFAULTS["rules"])).replace(" ", ", ").replace(":", "="))
    players = params.get("players", kit_of(rules).players)
    return rules if players == kit_of(rules).players else rules.replace(players=players)


class Book(NamedTuple):
    """Data that are computed once for rules and a dealer."""

    rules: Rules
    dealer: int
    deals: tuple[Deal, ...]
    """All deals if they are few; otherwise empty."""
    weight: int
    """Sum of the deals' weights."""
    moves: tuple[Move, ...]
    encoding: Encoding

    def __deepcopy__(self, memo: object) -> Book:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return book_of, (self.rules, self.dealer)


@lru_cache(maxsize=32)
def book_of(rules: Rules, dealer: int) -> Book:
    """Compute the game data for rules and a dealer."""
    deals: Sequence[Deal] = ()
    players = kit_of(rules).players
    if dealer not in range(players):
        raise TreeError(f"dealer={dealer!r} is not a seat; the seats are 0 to {players - 1}")
    if players == 2:
        try:
            deals = deals_of(rules, dealer, _AT_ONCE)
        except TreeError:  # there are too many
            deals = ()
    return Book(rules, dealer, tuple(deals), int(sum(deal.weight for deal in deals)), actions_of(rules).moves, Encoding(rules))


def book_for(params: dict[str, Any]) -> Book:
    """Return the game data for OpenSpiel parameters."""
    return book_of(rules_of(params), params.get("dealer", _DEFAULTS["dealer"]))


class At(NamedTuple):
    """Immutable state of a game in OpenSpiel, so that copying a state costs nothing."""

    book: Book
    cards: tuple[int, ...]
    """Bits of the cards dealt so far, if they are dealt one after another."""
    play: Recall | None
    """Play after the deal."""

    @property
    def over(self) -> bool:
        """Return whether the game is over, by the rules or by the maximum number of decisions."""
        record = self.play
        return record is not None and (record.state.outcome is not None or record.decisions >= longest(self.book.rules))

    def chances(self) -> list[tuple[int, float]]:
        """Return the possible chance actions with their probabilities."""
        deals, total = self.book.deals, self.book.weight
        if deals:
            return [(index, float(deal.weight / total)) for index, deal in enumerate(deals)]
        remaining: dict[int, list[int]] = {}
        for index, card in enumerate(kit_of(self.book.rules).deck):
            if card not in self.cards:
                remaining.setdefault(face_of(card), []).append(index)
        total = len(kit_of(self.book.rules).deck) - len(self.cards)
        return [(indexes[0], len(indexes) / total) for indexes in remaining.values()]  # copies of a card are one outcome

    def after(self, action: int) -> At:
        """Return the state after an action."""
        data = self.book
        if self.play is not None:
            return self._replace(play=self.play.after(data.moves[action]))
        if data.deals:
            return self._replace(play=Recall.of(data.deals[action].state))
        deck = kit_of(data.rules).deck
        cards = (*self.cards, deck[action])
        if len(cards) < len(deck):
            return self._replace(cards=cards)
        state = dealt_state(kit_of(data.rules), cards, data.dealer)
        state_transitions.begin(state)
        return At(data, (), Recall.of(state))

    def __deepcopy__(self, memo: object) -> At:
        return self


def longest(rules: Rules) -> int:
    """Return the number of decisions after which a game is a draw, as OpenSpiel needs a limit."""
    return LONGEST * len(kit_of(rules).deck)


class DurakGame(pyspiel.Game):  # type: ignore[misc]
    """Durak as an OpenSpiel game."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        parameters = params or {}
        data = book_for(parameters)
        rules, compiled = data.rules, kit_of(data.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(data.moves),
            max_chance_outcomes=max(len(compiled.deck), len(data.deals)),
            num_players=compiled.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=longest(rules),
        )
        super().__init__(_TYPE, info, parameters)

    @property
    def book(self) -> Book:
        """Return the game data, found by the parameters because a pickle keeps nothing else."""
        return book_for(self.get_parameters())

    def new_initial_state(self) -> DurakState:
        """Return the state before the deal."""
        return DurakState(self)

    def make_py_observer(self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None) -> Observer:
        """Return an observer of what a player sees, or of all that they remember."""
        return Observer(self.book, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)

    def max_chance_nodes_in_history(self) -> int:
        """Return the number of chance moves in a game."""
        return 1 if self.book.deals else len(kit_of(self.book.rules).deck)


class DurakState(pyspiel.State):  # type: ignore[misc]
    """State of Durak in OpenSpiel."""

    def __init__(self, game: DurakGame) -> None:
        super().__init__(game)
        data = game.book
        self.at = At(data, (), Recall.of(data.deals[0].state) if len(data.deals) == 1 else None)

    def current_player(self) -> int:
        """Return the player to act, or OpenSpiel's number for chance or the end."""
        record = self.at.play
        if record is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.at.over else record.state.actor  # type: ignore[return-value]

    def _legal_actions(self, player: int) -> list[int]:
        record = self.at.play
        if record is None or record.state.actor != player or self.at.over:
            return []
        return actions_of(self.at.book.rules).numbers(state_transitions.legal_moves(record.state))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible deals or next cards with their probabilities."""
        return self.at.chances()

    def _apply_action(self, action: int) -> None:
        self.at = self.at.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        data = self.at.book
        if player != pyspiel.PlayerId.CHANCE:
            return str(data.moves[action])
        return data.deals[action].name if data.deals else str(card_of(kit_of(data.rules).deck[action]))

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.at.over

    def returns(self) -> list[float]:
        """Return each player's payoff; 0 while the game goes on."""
        record = self.at.play
        if record is None or record.state.outcome is None:
            return [0.0] * kit_of(self.at.book.rules).players
        return list(record.state.outcome.utilities)

    def __str__(self) -> str:
        current = self.at
        return (
            str(current.play)
            if current.play is not None
            else f"dealt {' '.join(str(card_of(card)) for card in current.cards) or 'nothing'}"
        )


class Observer:
    """Observation of a state by a player, as numbers and as text.

    With perfect recall it has all that the player remembers, as text only.
    """

    def __init__(self, book: Book, kind: pyspiel.IIGObservationType, params: dict[str, Any] | None) -> None:
        if params:
            raise TreeError(f"this game has no ways of observing to choose from, and {params} was given; leave it out")
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise TreeError("a seat observes what lies open and its own cards; ask for public_info=True and PrivateInfoType.SINGLE_PLAYER")
        self._encoding, self._recalls = book.encoding, kind.perfect_recall
        self.tensor = np.zeros(0 if self._recalls else self._encoding.size, np.float32)
        """Observation as numbers."""
        self.dict: dict[str, Any] = {}
        """Parts of the tensor by name, which share its memory."""
        offset = 0
        for name, size in () if self._recalls else self._encoding.pieces:
            self.dict[name] = self.tensor[offset : offset + size]
            offset += size

    def set_from(self, state: DurakState, player: int) -> None:
        """Observe a state for a player."""
        record = state.at.play
        if record is None or self._recalls:
            self.tensor.fill(0)
        else:
            self.tensor[:] = self._encoding.numbers(sight_of(record.state, player, Story(record.state.kit.players), None))

    def string_from(self, state: DurakState, player: int) -> str:
        """Return an observation as text."""
        record = state.at.play
        if record is None:
            return f"seat {player} waits for the deal"
        return record.recalled(player) if self._recalls else record.seen(player)


pyspiel.register_game(_TYPE, DurakGame)
