"""Durak in OpenSpiel: a game registered there, small trees as its native data, its games as trees, and strategies there and back.

OpenSpiel: M. Lanctot and others, *OpenSpiel: A framework for reinforcement learning in games* (2019), https://arxiv.org/abs/1908.09453.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import pyspiel

from durak_widget.analysis.spiel import NAME, params_of
from durak_widget.gametheory.gambit_files import to_efg
from durak_widget.gametheory.strategy import Strategy, StrategyError
from durak_widget.gametheory.tree import CHANCE, Draw, End, TreeError, Turn, grow, side_by_side
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from durak_widget.gametheory.tree import Tree

__all__ = ["NAME", "load", "look", "policy", "register", "strategy", "tree_of"]

_FINEST: Final = 10**9
"""A probability that OpenSpiel gives as a float is taken for the fraction near it whose denominator is at most so large."""


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

    >>> from durak_widget import analysis
    >>> kuhn = tree_of(pyspiel.load_game("kuhn_poker"))
    >>> kuhn, analysis.solve(kuhn).value
    (<Tree: 58 histories, 30 terminals, 6 + 6 information sets>, Fraction(-1, 18))
    """
    kind = game.get_type()
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise TreeError(
            f"in {kind.short_name} seats act at the same time; pyspiel.convert_to_turn_based(game) makes it one move after another"
        )
    return grow(game.new_initial_state(), look, seats=game.num_players(), title=str(game), limit=limit)


def look(state: pyspiel.State) -> Turn | Draw | End:
    """What is to be done in a state, as `analysis.grow` and `analysis.OutcomeSampling` ask it.

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

    >>> from durak_widget import Rules, analysis
    >>> rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    >>> tree, game = analysis.build(rules, dealer=1), register(rules, dealer=1)
    >>> theirs = strategy(tree, pyspiel.UniformRandomPolicy(game), game)
    >>> round(analysis.exploitability(tree, theirs), 9), round(float(analysis.exploitability(tree, analysis.Strategy.uniform(tree))), 9)
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

    >>> from durak_widget import Rules, analysis
    >>> rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    >>> tree, game = analysis.build(rules, dealer=1), register(rules, dealer=1)
    >>> round(pyspiel.exploitability(game, policy(tree, analysis.solve(tree).strategy, game)), 9)
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
