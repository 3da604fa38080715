"""Builds endgame trees in which the loser pays coins for the cards left in their hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.analysis.deal_enumeration import TreeOrigin
from durak_widget.analysis.durak_tree import HiddenHandsTreeBuilder
from durak_widget.gametheory.outcome_sampling_mccfr import make_expand_function
from durak_widget.gametheory.tree import TERMINAL, TerminalNode, Tree, build_tree

if TYPE_CHECKING:
    from durak_widget.engine.game import Game
    from durak_widget.engine.state import State
    from durak_widget.gametheory.tree import ChanceNode, DecisionNode

_MAX_HISTORIES: Final = 5000


class CoinTreeBuilder(HiddenHandsTreeBuilder):
    """A builder of game trees whose payoffs are in coins."""

    def make_end_of_game(self, state: State) -> TerminalNode:
        """Return a terminal node where the loser pays one coin for each card in their hand."""
        loser = 0 if state.outcome.utilities[0] < 0 else 1  # type: ignore[union-attr]
        coins = state.hands[loser].bit_count()
        return self.make_terminal_node((coins, -coins) if loser else (-coins, coins))


def build_coin_tree(game: Game) -> Tree:
    """Build a tree with hidden hands from a position, with payoffs in coins.

    >>> from durak_widget import Game
    >>> gone = "9c Tc Jc 9d Td Jd Qd Th Jh Qh Kh Ah 9s Ts Js Qs Ks As"
    >>> game = Game.from_position_line(f"econ431, hand_size=1: Kc Ac | Kd; attacker 1; table Qc; trump h; talon Ad; turn-up 9h; seen Kc Ac |; discard {gone}")
    >>> sorted({str(worth[0]) for worth in build_coin_tree(game).payoffs})
    ['-4', '2']
    """
    origin = TreeOrigin(game.rules, game.dealer, game.copy())
    builder = CoinTreeBuilder()
    tree = build_tree(
        origin.list_deals(_MAX_HISTORIES),
        builder.expand_node,
        player_count=2,
        title="for coins",
        label_infoset=builder.label_of_infoset,
        limit=_MAX_HISTORIES,
    )
    tree.origin = origin
    return tree


def add_stake(tree: Tree, stake: int) -> Tree:
    """Return a copy of a coin tree in which the loser also pays `stake` coins.

    Higher wins and losses stay higher, so optimal play in an endgame stays optimal.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> places = {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((-2, 2))}
    >>> [str(worth[0]) for worth in add_stake(build_tree("", places.__getitem__, player_count=2), 3).payoffs]
    ['4', '-5']
    """
    raised_tree = Tree(tree.player_count, tree.title, tree.names)
    for name in ("actor", "parent", "first_child", "child_count", "infoset_of", "level_starts", "chance_moves", "origin", "infosets"):
        setattr(raised_tree, name, getattr(tree, name))
    raised_tree.payoffs = [tuple([payoff + stake if payoff > 0 else payoff - stake for payoff in payoffs]) for payoffs in tree.payoffs]
    return raised_tree


def set_coin_prices(tree: Tree, coins_per_card: int, stake: int, toll: Fraction | int) -> Tree:
    """Return a coin tree with new prices: coins for each card, a stake, and a toll for taking.

    A player who takes by choice pays the toll to the other.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> places = {"": DecisionNode(0, "begins", [("take", "l"), ("beat", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((-2, 2))}
    >>> [str(worth[0]) for worth in set_coin_prices(build_tree("", places.__getitem__, player_count=2), 2, 3, 1).payoffs]
    ['4', '-7']
    """
    tolls = [Fraction(0)] * tree.history_count
    for node in range(1, tree.history_count):
        parent_node = tree.parent[node]
        is_take = tree.actor[parent_node] >= 0 and tree.last_action(node) == "take"
        tolls[node] = tolls[parent_node] + (toll if tree.actor[parent_node] else -toll) * is_take
    expand_original, labels = make_expand_function(tree), [record.label for record in tree.infosets]

    def expand_node(node: int) -> DecisionNode | ChanceNode | TerminalNode:
        if tree.actor[node] != TERMINAL:
            return expand_original(node)
        cards = tree.payoffs[tree.infoset_of[node]][0]
        payoff = coins_per_card * cards + (stake if cards > 0 else -stake) + tolls[node]
        return TerminalNode((payoff, -payoff))

    priced_tree = build_tree(0, expand_node, player_count=2, title=tree.title, label_infoset=lambda _, infoset: labels[infoset])  # type: ignore[call-overload] # as in `replace_solved_subtrees`
    priced_tree.origin = tree.origin
    return priced_tree


def replace_solved_subtrees(tree: Tree) -> Tree:
    """Return a tree in which a terminal node replaces each perfect-information subgame.

    The payoff is the subgame's value by backward induction.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> places = {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}
    >>> replace_solved_subtrees(build_tree("", places.__getitem__, player_count=2))
    <Tree: 1 histories, 1 terminals, 0 + 0 information sets>
    """
    visits = Counter(info for info, actor in zip(tree.infoset_of, tree.actor, strict=True) if actor >= 0)
    values: list[tuple[Fraction | int, ...] | None] = [None] * tree.history_count
    for node in reversed(range(tree.history_count)):
        actor = tree.actor[node]
        if actor == TERMINAL:
            values[node] = tree.payoffs[tree.infoset_of[node]]
        elif actor >= 0 and visits[tree.infoset_of[node]] == 1:
            child_values = [values[child] for child in tree.children(node)]
            if None not in child_values:
                values[node] = max(
                    (child_value for child_value in child_values if child_value is not None), key=lambda child_value: child_value[actor]
                )
    expand_original = make_expand_function(tree)

    def expand_node(node: int) -> DecisionNode | ChanceNode | TerminalNode:
        value = values[node]
        return expand_original(node) if value is None else TerminalNode(value)

    labels = [record.label for record in tree.infosets]
    reduced_tree = build_tree(0, expand_node, player_count=2, title=tree.title, label_infoset=lambda _, infoset: labels[infoset])  # type: ignore[call-overload] # numbers, as `make_expand_function` has them
    reduced_tree.origin = tree.origin
    return reduced_tree
