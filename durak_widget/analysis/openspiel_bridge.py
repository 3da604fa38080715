"""Connects Durak and game trees with OpenSpiel: games, trees and strategies, in both directions.

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
"""A probability that OpenSpiel gives as a float is taken for the fraction near it whose denominator is at most so large."""
NAME: Final = "python_durak"
"""What the game is called in OpenSpiel, where games written in Python begin with that word."""
_DEFAULTS: Final[dict[str, Any]] = {"rules": "podkidnoy", "players": 2, "dealer": 0}
_AT_ONCE: Final = 10_000
"""So many deals at most are one chance node; otherwise the cards are dealt one after another."""
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
    """The game in OpenSpiel, where it is registered as `python_durak`: all decks, all rules, two to six players.

    Chance deals: where there are few deals, at once, as at the root of `analysis.build`; otherwise one card after another. Forced moves are made.
    An action is the number of a move; what a seat remembers is its information state.

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
    """A tree as a game of OpenSpiel's own kind, by way of `.efg`: what its algorithms written in C++ run on fastest.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> pyspiel.exploitability(load(tree), pyspiel.UniformRandomPolicy(load(tree)))
    0.25
    """
    return pyspiel.load_efg_game(to_efg(tree))


def tree_of(game: pyspiel.Game, *, limit: int | None = 100_000) -> Tree:
    """Any game of OpenSpiel in which seats act in turn, as a tree that all our solvers take.

    >>> from durak_widget import gametheory
    >>> kuhn = tree_of(pyspiel.load_game("kuhn_poker"))
    >>> kuhn, gametheory.solve(kuhn).value
    (<Tree: 58 histories, 30 terminals, 6 + 6 information sets>, Fraction(-1, 18))
    """
    kind = game.get_type()
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise TreeError(
            f"in {kind.short_name} seats act at the same time; pyspiel.convert_to_turn_based(game) makes it one move after another"
        )
    return grow(game.new_initial_state(), look, seats=game.num_players(), title=str(game), limit=limit)


def look(state: pyspiel.State) -> Turn | Draw | End:
    """What is to be done in a state, as `gametheory.grow` and `gametheory.OutcomeSampling` ask it.

    >>> look(pyspiel.load_game("tic_tac_toe").new_initial_state()).moves[4][0]
    'x(1,1)'
    """
    if state.is_terminal():
        return End(tuple([_fraction(worth) for worth in state.returns()]))
    seat = state.current_player()
    moves = [(state.action_to_string(seat, action), state.child(action)) for action in state.legal_actions()]
    if not state.is_chance_node():
        return Turn(seat, state.information_state_string(seat), moves)
    likely = [_fraction(chance) for _, chance in state.chance_outcomes()]
    whole = sum(likely)
    return Draw([(name, chance / whole, child) for (name, child), chance in zip(moves, likely, strict=True)])


def strategy(tree: Tree, policy: Any, game: pyspiel.Game | None = None) -> Strategy:  # noqa: ANN401 - one of theirs, of Python or of C++
    """What a policy of OpenSpiel does, as a strategy of the tree, so that `exploitability` and `certify` can judge it.

    `game` is the one that the policy plays, if not `load(tree)`: the one of `register(…)` for the tree of `build(…)`, or that of `tree_of`.

    >>> from durak_widget import Rules, analysis, gametheory
    >>> rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    >>> tree, game = analysis.build(rules, dealer=1), register(rules, dealer=1)
    >>> theirs = strategy(tree, pyspiel.UniformRandomPolicy(game), game)
    >>> round(gametheory.exploitability(tree, theirs), 9), round(float(gametheory.exploitability(tree, gametheory.Strategy.uniform(tree))), 9)
    (0.348958333, 0.348958333)
    """
    rows: list[tuple[float, ...]] = [()] * len(tree.sets)
    for place, state, actions in _sets(tree, game or load(tree)):
        likely = dict(policy.action_probabilities(state))
        if extra := sorted(likely.keys() - set(actions)):
            raise StrategyError(f"at {tree.sets[place].label!r} the policy makes action {extra[0]}, which is not legal there")
        rows[place] = tuple([float(likely.get(action, 0.0)) for action in actions])
    return Strategy(tree, rows)


def policy(tree: Tree, strategy: Strategy, game: pyspiel.Game | None = None) -> pyspiel.TabularPolicy:
    """A strategy of the tree as a policy of OpenSpiel, for its own judges and opponents.

    >>> from durak_widget import Rules, analysis, gametheory
    >>> rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    >>> tree, game = analysis.build(rules, dealer=1), register(rules, dealer=1)
    >>> round(pyspiel.exploitability(game, policy(tree, gametheory.solve(tree).strategy, game)), 9)
    0.0
    """
    strategy.require_sets(tree.sets)
    table = {}
    for place, state, actions in _sets(tree, game or load(tree)):
        chances = map(float, strategy.rows[place])
        table[state.information_state_string()] = list(zip(actions, chances, strict=True))
    return pyspiel.TabularPolicy(table)


def _sets(tree: Tree, game: pyspiel.Game) -> Iterator[tuple[int, pyspiel.State, list[int]]]:
    """Of each information set: its place, a state that is in it, and the actions that its moves are."""

    def actions(here: int, state: pyspiel.State) -> list[int]:
        who, place = tree.actor[here], tree.info[here]
        if state.is_terminal() or (not state.is_chance_node() if who == CHANCE else state.current_player() != who):
            raise _other(tree, game, here)
        moves = (tree.chances if who == CHANCE else tree.sets)[place].moves
        named = sorted((state.action_to_string(action), action) for action in state.legal_actions())
        if [name for name, _ in named] != sorted(moves):
            raise _other(tree, game, here)
        order = sorted(range(len(moves)), key=moves.__getitem__)
        meant = dict(zip(order, [action for _, action in named], strict=True))
        return [meant[place] for place in range(len(moves))]

    def below(here: int, state: pyspiel.State) -> list[pyspiel.State]:
        return [state.child(action) for action in actions(here, state)]

    for place, here, state in side_by_side(tree, game.new_initial_state(), below):
        yield place, state, actions(here, state)


def _other(tree: Tree, game: pyspiel.Game, here: int) -> TreeError:
    """The refusal of a game that is not the tree's."""
    return TreeError(
        f"{game.get_type().short_name} is another game than the tree: they differ after {', '.join(tree.moves_to(here)) or 'the start'}; "
        "give the one of load(tree), or register(…) with the same rules and dealer"
    )


def _fraction(number: float) -> Fraction:
    """The fraction that a float most likely stands for."""
    return Fraction(number).limit_denominator(_FINEST)


def params_of(rules: Rules, dealer: int) -> dict[str, Any]:
    """What is said to OpenSpiel of some rules, without the signs that mean something to it."""
    text = str(rules).replace(", ", " ").replace("=", ":")
    return {"rules": text, "players": kit_of(rules).players, "dealer": dealer}


def rules_of(params: dict[str, Any]) -> Rules:
    """The rules that are meant by that."""
    rules = Rules.parse(str(params.get("rules", _DEFAULTS["rules"])).replace(" ", ", ").replace(":", "="))
    players = params.get("players", kit_of(rules).players)
    return rules if players == kit_of(rules).players else rules.replace(players=players)


class Book(NamedTuple):
    """What is worked out once of some rules and a dealer."""

    rules: Rules
    dealer: int
    deals: tuple[Deal, ...]
    """All deals where they are few; else none."""
    weight: int
    """What the deals weigh together."""
    moves: tuple[Move, ...]
    encoding: Encoding

    def __deepcopy__(self, memo: object) -> Book:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return book_of, (self.rules, self.dealer)


@lru_cache(maxsize=32)
def book_of(rules: Rules, dealer: int) -> Book:
    """The book of some rules and a dealer."""
    deals: Sequence[Deal] = ()
    players = kit_of(rules).players
    if dealer not in range(players):
        raise TreeError(f"dealer={dealer!r} is not a seat; the seats are 0 to {players - 1}")
    if players == 2:
        try:
            deals = deals_of(rules, dealer, _AT_ONCE)
        except TreeError:  # there are more
            deals = ()
    return Book(rules, dealer, tuple(deals), int(sum(deal.weight for deal in deals)), actions_of(rules).moves, Encoding(rules))


def book_for(params: dict[str, Any]) -> Book:
    """The book of what was said to OpenSpiel."""
    return book_of(rules_of(params), params.get("dealer", _DEFAULTS["dealer"]))


class At(NamedTuple):
    """Where a game in OpenSpiel stands. It is a value, so that a copy of a state costs nothing."""

    book: Book
    cards: tuple[int, ...]
    """The bits of the cards dealt so far, where they are dealt one after another."""
    play: Recall | None
    """Play, once all is dealt."""

    @property
    def over(self) -> bool:
        """Whether it is over: by the rules, or because it went on for longer than a game can be said to last."""
        play = self.play
        return play is not None and (play.state.outcome is not None or play.decisions >= longest(self.book.rules))

    def chances(self) -> list[tuple[int, float]]:
        """What chance may do now, and how likely each is."""
        deals, whole = self.book.deals, self.book.weight
        if deals:
            return [(place, float(deal.weight / whole)) for place, deal in enumerate(deals)]
        left: dict[int, list[int]] = {}
        for place, card in enumerate(kit_of(self.book.rules).deck):
            if card not in self.cards:
                left.setdefault(face_of(card), []).append(place)
        whole = len(kit_of(self.book.rules).deck) - len(self.cards)
        return [(places[0], len(places) / whole) for places in left.values()]  # copies of a card are one outcome

    def after(self, action: int) -> At:
        """What follows."""
        book = self.book
        if self.play is not None:
            return self._replace(play=self.play.after(book.moves[action]))
        if book.deals:
            return self._replace(play=Recall.of(book.deals[action].state))
        deck = kit_of(book.rules).deck
        cards = (*self.cards, deck[action])
        if len(cards) < len(deck):
            return self._replace(cards=cards)
        state = dealt_state(kit_of(book.rules), cards, book.dealer)
        state_transitions.begin(state)
        return At(book, (), Recall.of(state))

    def __deepcopy__(self, memo: object) -> At:
        return self


def longest(rules: Rules) -> int:
    """After so many decisions a game is a draw in OpenSpiel, which wants to know how long one can be."""
    return LONGEST * len(kit_of(rules).deck)


class DurakGame(pyspiel.Game):  # type: ignore[misc]
    """Durak, as OpenSpiel wants a game to be."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        book = book_for(given)
        rules, kit = book.rules, kit_of(book.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(book.moves),
            max_chance_outcomes=max(len(kit.deck), len(book.deals)),
            num_players=kit.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=longest(rules),
        )
        super().__init__(_TYPE, info, given)

    @property
    def book(self) -> Book:
        """What is known of its rules: found by its parameters, for a game that was pickled comes back with nothing else."""
        return book_for(self.get_parameters())

    def new_initial_state(self) -> DurakState:
        """A game before the deal."""
        return DurakState(self)

    def make_py_observer(self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None) -> Observer:
        """Who observes states: what a seat sees, or all that it remembers."""
        return Observer(self.book, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)

    def max_chance_nodes_in_history(self) -> int:
        """How often chance decides."""
        return 1 if self.book.deals else len(kit_of(self.book.rules).deck)


class DurakState(pyspiel.State):  # type: ignore[misc]
    """A moment of it."""

    def __init__(self, game: DurakGame) -> None:
        super().__init__(game)
        book = game.book
        self.at = At(book, (), Recall.of(book.deals[0].state) if len(book.deals) == 1 else None)

    def current_player(self) -> int:
        """The seat to act, or chance, or that it is over."""
        play = self.at.play
        if play is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.at.over else play.state.actor  # type: ignore[return-value]

    def _legal_actions(self, player: int) -> list[int]:
        play = self.at.play
        if play is None or play.state.actor != player or self.at.over:
            return []
        return actions_of(self.at.book.rules).numbers(state_transitions.legal_moves(play.state))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals, or the cards that may come next, each with how likely it is."""
        return self.at.chances()

    def _apply_action(self, action: int) -> None:
        self.at = self.at.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        book = self.at.book
        if player != pyspiel.PlayerId.CHANCE:
            return str(book.moves[action])
        return book.deals[action].name if book.deals else str(card_of(kit_of(book.rules).deck[action]))

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.at.over

    def returns(self) -> list[float]:
        """What the game is worth to each seat; nothing while it goes on."""
        play = self.at.play
        if play is None or play.state.outcome is None:
            return [0.0] * kit_of(self.at.book.rules).players
        return list(play.state.outcome.utilities)

    def __str__(self) -> str:
        at = self.at
        return str(at.play) if at.play is not None else f"dealt {' '.join(str(card_of(card)) for card in at.cards) or 'nothing'}"


class Observer:
    """What a seat sees of a state, as numbers and in words; with perfect recall all that it remembers, in words alone."""

    def __init__(self, book: Book, kind: pyspiel.IIGObservationType, params: dict[str, Any] | None) -> None:
        if params:
            raise TreeError(f"this game has no ways of observing to choose from, and {params} was given; leave it out")
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise TreeError("a seat observes what lies open and its own cards; ask for public_info=True and PrivateInfoType.SINGLE_PLAYER")
        self._encoding, self._recalls = book.encoding, kind.perfect_recall
        self.tensor = np.zeros(0 if self._recalls else self._encoding.size, np.float32)
        """The observation as numbers."""
        self.dict: dict[str, Any] = {}
        """Its pieces by name, which share its memory."""
        place = 0
        for name, size in () if self._recalls else self._encoding.pieces:
            self.dict[name] = self.tensor[place : place + size]
            place += size

    def set_from(self, state: DurakState, player: int) -> None:
        """Observe a state."""
        play = state.at.play
        if play is None or self._recalls:
            self.tensor.fill(0)
        else:
            self.tensor[:] = self._encoding.numbers(sight_of(play.state, player, Story(play.state.kit.players), None))

    def string_from(self, state: DurakState, player: int) -> str:
        """An observation in words."""
        play = state.at.play
        if play is None:
            return f"seat {player} waits for the deal"
        return play.recalled(player) if self._recalls else play.seen(player)


pyspiel.register_game(_TYPE, DurakGame)
