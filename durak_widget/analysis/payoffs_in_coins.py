"""Endgames with hidden cards for coins: the loser pays for each card left, plus a stake."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.analysis.deal_enumeration import Origin
from durak_widget.analysis.durak_tree import Hidden
from durak_widget.gametheory.outcome_sampling_mccfr import look_at
from durak_widget.gametheory.tree import OVER, End, Tree, grow

if TYPE_CHECKING:
    from durak_widget.engine.game import Game
    from durak_widget.engine.state import State
    from durak_widget.gametheory.tree import Draw, Turn

_LIMIT: Final = 5000


class Paid(Hidden):
    """Tree builder whose payoffs are coins."""

    def over(self, state: State) -> End:
        """Return the end where the loser pays one coin for each card in their hand."""
        loser = 0 if state.outcome.utilities[0] < 0 else 1  # type: ignore[union-attr]
        coins = state.hands[loser].bit_count()
        return self.end((coins, -coins) if loser else (-coins, coins))


def for_coins(game: Game) -> Tree:
    """Return the tree of a game from a position with hidden cards, with payoffs in coins.

    >>> from durak_widget import Game
    >>> gone = "9c Tc Jc 9d Td Jd Qd Th Jh Qh Kh Ah 9s Ts Js Qs Ks As"
    >>> game = Game.at(f"econ431, hand_size=1: Kc Ac | Kd; attacker 1; table Qc; trump h; talon Ad; turn-up 9h; seen Kc Ac |; discard {gone}")
    >>> sorted({str(worth[0]) for worth in for_coins(game).payoffs})
    ['-4', '2']
    """
    origin = Origin(game.rules, game.dealer, game.copy())
    builder = Paid()
    tree = grow(origin.deals(_LIMIT), builder.look, seats=2, title="for coins", say=builder.says, limit=_LIMIT)
    tree.origin = origin
    return tree


def raised(tree: Tree, stake: int) -> Tree:
    """Return the tree in which the loser also pays a stake.

    Higher wins and losses stay higher, so optimal play in an endgame stays optimal.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> places = {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((-2, 2))}
    >>> [str(worth[0]) for worth in raised(grow("", places.__getitem__, seats=2), 3).payoffs]
    ['4', '-5']
    """
    raised_tree = Tree(tree.seats, tree.title, tree.names)
    for name in ("actor", "parent", "first", "count", "info", "levels", "chances", "origin", "sets"):
        setattr(raised_tree, name, getattr(tree, name))
    raised_tree.payoffs = [tuple([payoff + stake if payoff > 0 else payoff - stake for payoff in payoffs]) for payoffs in tree.payoffs]
    return raised_tree


def priced(tree: Tree, each: int, stake: int, toll: Fraction | int) -> Tree:
    """Return the tree with other prices: so much for each card, plus a stake and a toll.

    A player who takes by choice pays the toll to the other.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> places = {"": Turn(0, "begins", [("take", "l"), ("beat", "r")]), "l": End((1, -1)), "r": End((-2, 2))}
    >>> [str(worth[0]) for worth in priced(grow("", places.__getitem__, seats=2), 2, 3, 1).payoffs]
    ['4', '-7']
    """
    tolls = [Fraction(0)] * tree.histories
    for node in range(1, tree.histories):
        parent_node = tree.parent[node]
        is_take = tree.actor[parent_node] >= 0 and tree.move_to(node) == "take"
        tolls[node] = tolls[parent_node] + (toll if tree.actor[parent_node] else -toll) * is_take
    expand_original, labels = look_at(tree), [record.label for record in tree.sets]

    def expand_node(node: int) -> Turn | Draw | End:
        if tree.actor[node] != OVER:
            return expand_original(node)
        cards = tree.payoffs[tree.info[node]][0]
        payoff = each * cards + (stake if cards > 0 else -stake) + tolls[node]
        return End((payoff, -payoff))

    priced_tree = grow(0, expand_node, seats=2, title=tree.title, say=lambda _, infoset: labels[infoset])  # type: ignore[call-overload] # as in `settled`
    priced_tree.origin = tree.origin
    return priced_tree


def settled(tree: Tree) -> Tree:
    """Return the tree with each perfect-information subgame replaced by its value.

    The values come from backward induction.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> places = {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}
    >>> settled(grow("", places.__getitem__, seats=2))
    <Tree: 1 histories, 1 terminals, 0 + 0 information sets>
    """
    visits = Counter(info for info, actor in zip(tree.info, tree.actor, strict=True) if actor >= 0)
    values: list[tuple[Fraction | int, ...] | None] = [None] * tree.histories
    for node in reversed(range(tree.histories)):
        actor = tree.actor[node]
        if actor == OVER:
            values[node] = tree.payoffs[tree.info[node]]
        elif actor >= 0 and visits[tree.info[node]] == 1:
            child_values = [values[child] for child in tree.children(node)]
            if None not in child_values:
                values[node] = max(
                    (child_value for child_value in child_values if child_value is not None), key=lambda child_value: child_value[actor]
                )
    expand_original = look_at(tree)

    def expand_node(node: int) -> Turn | Draw | End:
        value = values[node]
        return expand_original(node) if value is None else End(value)

    labels = [record.label for record in tree.sets]
    reduced_tree = grow(0, expand_node, seats=2, title=tree.title, say=lambda _, infoset: labels[infoset])  # type: ignore[call-overload] # numbers, as `look_at` has them
    reduced_tree.origin = tree.origin
    return reduced_tree
