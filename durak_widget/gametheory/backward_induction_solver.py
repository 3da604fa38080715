"""Solves games with observed actions by backward induction.

The result is exact, for any number of players. The solver applies if no player's *actions* are hidden. Chance
moves may be hidden, as long as all players know the same about the actions. Then beliefs do not depend on the
strategies, and each information set can be decided before those that lead to it.

If actions tie, `perfect_payoffs` finds every payoff vector of the equilibria in pure strategies. Each information
set has the set of payoff vectors that play can lead to from there. A player keeps the vectors that are at least as
good as the worst that each other action can lead to. A chance node adds one vector of each branch to one of every
other. If a set becomes too large, only the lowest and the highest payoff of each player are kept. The result does
not depend on the order of actions, players or information sets.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.best_responses import edges
from durak_widget.gametheory.game_properties import instead
from durak_widget.gametheory.infoset_labels import set_named
from durak_widget.gametheory.strategy import Strategy
from durak_widget.gametheory.tree import CHANCE, OVER, TreeError, forgets, require_tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.gametheory.tree import Tree

LISTED: Final = 100
"""The maximum number of payoff vectors that are listed."""
_KEPT: Final = 200
"""The maximum number of payoff vectors that are stored for an information set."""

Payoffs = tuple["Fraction", ...]
"""The payoff of each player."""
_Chosen = dict[Payoffs, "tuple[int, tuple[Payoffs, ...]]"]
"""The payoff vectors that an information set can lead to.

Each comes with an action that gets it, and the vectors that the next information sets must have.
"""
_Added = dict[Payoffs, "tuple[Payoffs, ...]"]
"""The payoff vectors that an action can lead to, each with the vectors of the next information sets."""


class Tie(NamedTuple):
    """An information set with several best actions; the first of them was taken."""

    place: int
    label: str
    moves: tuple[str, ...]


class Backward(NamedTuple):
    """The result of backward induction."""

    values: tuple[Fraction, ...]
    """The value of the game for each player."""
    strategy: Strategy
    """A subgame-perfect pure strategy: best at every information set, also off the path of play."""
    line: tuple[str, ...]
    """The actions from the root on under this strategy; at a chance node the most likely one, the first if several are."""
    ties: tuple[Tie, ...]
    """The information sets with other best actions, given how play goes on after them.

    Another choice can change what the other players get; see `perfect_payoffs`.
    """


def backward_induction(tree: Tree) -> Backward:
    """Solve a game with observed actions from its end.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> nodes = {"": Turn(0, "begins", [("stop", "s"), ("go", "g")]), "s": End((1, 0)), "g": Turn(1, "answers", [("take", "t"), ("share", "h")])}
    >>> result = backward_induction(grow("", {**nodes, "t": End((0, 3)), "h": End((2, 2))}.__getitem__, seats=2))
    >>> result.values, result.line, result.strategy["answers"], result.ties
    ((Fraction(1, 1), Fraction(0, 1)), ('stop',), (Fraction(1, 1), Fraction(0, 1)), ())
    """
    forward_pass = forward(tree)
    offsets, payoffs, previous_actions, draws = forward_pass
    choices, ties = [0] * len(tree.sets), []
    for infoset in reversed(previous_actions):
        record, following = tree.sets[infoset], payoffs[offsets[infoset] + 1 : offsets[infoset + 1] + 1]
        column = draws[infoset] * tree.seats + record.seat
        best = max(vector[column] for vector in following)
        best_actions = [action for action, vector in enumerate(following) if vector[column] == best]
        choices[infoset] = best_actions[0]
        if len(best_actions) > 1:
            ties.append(Tie(infoset, record.label, tuple([record.moves[action] for action in best_actions])))
        total, best_payoffs = payoffs[previous_actions[infoset]], following[best_actions[0]]
        for index, payoff in enumerate(best_payoffs):
            total[index] += payoff
    strategy = Strategy.choosing(tree, choices)
    return Backward(tuple(payoffs[0][: tree.seats]), strategy, line(tree, strategy), tuple(reversed(ties)))


class Forward(NamedTuple):
    """The result of one pass through a game with observed actions, from the root."""

    starts: list[int]
    """The offsets that `edges` returns."""
    worth: list[list[Fraction]]
    """For each last action: the payoffs at the terminal nodes that come next, weighted by chance.

    They are listed for all players, once for each number of impossible chance moves (those with probability 0).
    """
    before: dict[int, int]
    """For each information set, those from the root first: the last action before it."""
    least: dict[int, int]
    """For each information set: the least number of impossible chance moves on the way there."""


def forward(tree: Tree) -> Forward:
    """Go through a game from the root, and refuse it if an action is hidden.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> forward(textbook("entry")).before
    {0: 0, 1: 1}
    """
    require_tree(tree)
    offsets, players = edges(tree), range(tree.seats)
    draws = _never_drawn(tree)
    payoffs = [
        [Fraction(0)] * (tree.seats * (1 + max(draws))) for _ in range(offsets[-1] + 1)
    ]  # apart, by the number of impossible chance moves
    previous_actions: dict[int, int] = {}
    min_draws: dict[int, int] = {}
    last_actions, weights = [0] * tree.histories, [Fraction(1)] * tree.histories
    for node, (actor, infoset, first_child) in enumerate(zip(tree.actor, tree.info, tree.first, strict=True)):
        previous_action, weight = last_actions[node], weights[node]
        if actor == OVER:
            for player in players:
                payoffs[previous_action][draws[node] * tree.seats + player] += weight * tree.payoffs[infoset][player]
        elif actor == CHANCE:
            for child_node, probability in enumerate(tree.chances[infoset].probabilities, first_child):
                last_actions[child_node], weights[child_node] = previous_action, weight * (probability or 1)
        else:
            min_draws[infoset] = min(draws[node], min_draws.get(infoset, draws[node]))
            if previous_actions.setdefault(infoset, previous_action) != previous_action:
                if problem := forgets(tree):
                    raise TreeError(f"{problem}; solvers need a tree with perfect recall")
                raise TreeError(
                    f"backward induction needs a game in which all moves are seen, and {set_named(tree, infoset)} does not know what the others did: {instead(tree)}"
                )
            for child_node, own_action in enumerate(range(offsets[infoset] + 1, offsets[infoset + 1] + 1), first_child):
                last_actions[child_node], weights[child_node] = own_action, weight
    return Forward(offsets, payoffs, previous_actions, min_draws)


def _never_drawn(tree: Tree) -> list[int]:
    """Return for each node the number of impossible chance moves that lead there.

    Best actions are found after such moves too, though their payoffs do not count before.
    """
    draws = [0] * tree.histories
    if not any(0 in chance_move.probabilities for chance_move in tree.chances):
        return draws
    for node, (actor, infoset) in enumerate(zip(tree.actor, tree.info, strict=True)):
        for action, child in enumerate(tree.children(node)):
            draws[child] = draws[node] + (actor == CHANCE and not tree.chances[infoset].probabilities[action])
    return draws


def line(tree: Tree, strategy: Strategy) -> tuple[str, ...]:
    """Return the most likely actions from the root to a terminal node.

    Of several that are equally likely, the first is taken.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> line(tree, Strategy.of(tree, {"begins": "r"}))
    ('r',)
    """
    return tree.moves_to((histories_played(tree, strategy) or [0])[-1])


def histories_played(tree: Tree, strategy: Strategy) -> list[int]:
    """Return the nodes on that line of play, without the root.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> histories_played(textbook("entry"), Strategy.of(textbook("entry"), {"begins": "stay out"}))
    [2]
    """
    node, nodes = 0, list[int]()
    while tree.actor[node] != OVER:
        infoset = tree.info[node]
        probabilities = tree.chances[infoset].probabilities if tree.actor[node] == CHANCE else strategy.rows[infoset]
        node = tree.first[node] + max(range(len(probabilities)), key=probabilities.__getitem__)
        nodes.append(node)
    return nodes


class _Range(NamedTuple):
    """The lowest and the highest payoff of each player.

    It stands for the payoff vectors if there are too many of them to keep.
    """

    least: Payoffs
    most: Payoffs
    several: bool = False
    """Whether there is certainly more than one payoff vector."""


_Known = _Chosen | _Range


class PerfectPayoffs(NamedTuple):
    """The payoffs of subgame-perfect equilibria in pure strategies, and the ties."""

    payoffs: tuple[Payoffs, ...]
    """Every payoff vector, in order; empty if there are more than `LISTED`."""
    complete: bool
    """Whether every payoff vector is listed."""
    differ: bool | None
    """Whether there are several payoff vectors; None if that is not known."""
    ties: tuple[Tie, ...]
    """The information sets at which actions tie, for some way of playing on.

    If `complete` is false, the actions may or may not tie.
    """
    strategies: tuple[Strategy, ...]
    """An equilibrium for each payoff vector; empty if a part of the game has too many payoff vectors."""


def perfect_payoffs(tree: Tree) -> PerfectPayoffs:
    """Return the payoffs of all subgame-perfect equilibria in pure strategies.

    The actions of all players must be observed. If something else is hidden, such as a card, these are the sequential
    equilibria in pure strategies.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> nodes = {"": Turn(0, "begins", [("out", "o"), ("in", "i")]), "i": Turn(1, "answers", [("share", "s"), ("fight", "f")])}
    >>> tree = grow("", {**nodes, "o": End((1, 4)), "s": End((2, 0)), "f": End((0, 0))}.__getitem__, seats=2)
    >>> result = perfect_payoffs(tree)
    >>> [tuple(map(int, payoffs)) for payoffs in result.payoffs], result.complete, [tie.moves for tie in result.ties]
    ([(1, 4), (2, 0)], True, [('share', 'fight')])
    """
    search = _Search(tree)
    outcomes, ties = search.run()
    if isinstance(outcomes, _Range) or len(outcomes) > LISTED:
        differ = True if not isinstance(outcomes, _Range) or outcomes.several else None
        return PerfectPayoffs((), complete=False, differ=differ, ties=ties, strategies=())
    payoffs = tuple(sorted(outcomes))
    strategies = tuple([search.played(outcomes[vector]) for vector in payoffs]) if search.all_kept else ()
    return PerfectPayoffs(payoffs, complete=True, differ=len(payoffs) > 1, ties=ties, strategies=strategies)


class _Search:
    """A search for the payoff vectors of each information set, from the last to the first."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._starts, self._worth, self._before, self._layer = forward(tree)
        self._known: list[_Known] = [{}] * len(tree.sets)
        self._after: dict[int, list[int]] = {}
        for infoset, action in self._before.items():
            self._after.setdefault(action, []).append(infoset)

    @property
    def all_kept(self) -> bool:
        """Return whether every payoff vector of every information set was kept."""
        return not any(isinstance(payoffs, _Range) for payoffs in self._known)

    def run(self) -> tuple[_Added | _Range, tuple[Tie, ...]]:
        """Return the payoff vectors of the whole game, and the ties."""
        ties = []
        for infoset in reversed(self._before):
            record = self._tree.sets[infoset]
            outcomes = [self._brought(action, self._layer[infoset]) for action in self._edges(infoset)]
            self._known[infoset], tied_actions = _chosen(record.seat, outcomes)
            if len(tied_actions) > 1:
                ties.append(Tie(infoset, record.label, tuple([record.moves[action] for action in tied_actions])))
        return self._brought(0, 0), tuple(sorted(ties))

    def _edges(self, place: int) -> range:
        return range(self._starts[place] + 1, self._starts[place + 1] + 1)

    def _follow(self, edge: int, layer: int) -> list[int]:
        """Return the information sets after an action that count for its payoffs.

        Those after an impossible chance move do not.
        """
        return [infoset for infoset in self._after.get(edge, ()) if self._layer[infoset] == layer]

    def _brought(self, edge: int, layer: int) -> _Added | _Range:
        """Return the payoff vectors that an action can lead to."""
        player_count = self._tree.seats
        terminal_payoffs = tuple(self._worth[edge][layer * player_count : (layer + 1) * player_count])
        return _added(terminal_payoffs, [self._known[infoset] for infoset in self._follow(edge, layer)])

    def played(self, parts: tuple[Payoffs, ...]) -> Strategy:
        """Return an equilibrium in which the first information sets have these payoff vectors.

        A player who leaves the path of play gets the least that can follow.
        """
        choices = [0] * len(self._tree.sets)
        waiting = self._wanted(0, 0, parts, 0)
        while waiting:
            infoset, payoffs = waiting.pop()
            outcomes, layer, player = self._known[infoset], self._layer[infoset], self._tree.sets[infoset].seat
            assert isinstance(outcomes, dict)  # noqa: S101 - asked for only where all was kept
            choices[infoset], parts = outcomes[payoffs]
            for index, action in enumerate(self._edges(infoset)):
                waiting += self._wanted(action, layer, parts if index == choices[infoset] else None, player)
        return Strategy.choosing(self._tree, choices)

    def _wanted(self, edge: int, layer: int, parts: tuple[Payoffs, ...] | None, seat: int) -> list[tuple[int, Payoffs]]:
        """Return the payoff vector that each information set after an action must have.

        These are the given `parts`, or else the vectors with the least payoff for the player.
        """
        required = {} if parts is None else dict(zip(self._follow(edge, layer), parts, strict=True))
        return [
            (infoset, required.get(infoset) or min(_vectors(self._known[infoset]), key=lambda payoffs: (payoffs[seat], payoffs)))
            for infoset in self._after.get(edge, ())
        ]


def _added(ends: Payoffs, parts: Sequence[_Known]) -> _Added | _Range:
    """Add one payoff vector of each part to the terminal payoffs, in every combination."""
    sums: _Added = {ends: ()}
    for part in parts:
        if isinstance(part, dict):
            sums = {
                tuple([payoff + more_payoff for payoff, more_payoff in zip(total, vector, strict=True)]): (*vectors, vector)
                for total, vectors in sums.items()
                for vector in part
            }
        if isinstance(part, _Range) or len(sums) > _KEPT:
            several = any(part_payoffs.several if isinstance(part_payoffs, _Range) else len(part_payoffs) > 1 for part_payoffs in parts)
            part_ranges = [part_payoffs if isinstance(part_payoffs, _Range) else _range_of(part_payoffs) for part_payoffs in parts]
            return _Range(
                _sum_of(ends, (part_range.least for part_range in part_ranges)),
                _sum_of(ends, (part_range.most for part_range in part_ranges)),
                several,
            )
    return sums


def _vectors(known: _Known | _Added | _Range) -> Iterable[Payoffs]:
    """Return the payoff vectors that were kept; for a range, its two ends."""
    return (known.least, known.most) if isinstance(known, _Range) else known


def _sum_of(first: Payoffs, others: Iterable[Payoffs]) -> Payoffs:
    """Add payoff vectors."""
    return tuple([sum(payoffs, Fraction(0)) for payoffs in zip(first, *others, strict=True)])


def _range_of(paid: Iterable[Payoffs]) -> _Range:
    """Return the lowest and the highest payoff of each player."""
    columns = list(zip(*paid, strict=True))
    return _Range(tuple(map(min, columns)), tuple(map(max, columns)))


def _chosen(seat: int, ways: Sequence[_Added | _Range]) -> tuple[_Known, list[int]]:
    """Return the payoff vectors that a player can choose, and the actions that tie.

    The player never accepts less than the best guaranteed payoff.
    """
    ranges = [outcome if isinstance(outcome, _Range) else _range_of(outcome) for outcome in ways]
    best_guaranteed = max(payoff_range.least[seat] for payoff_range in ranges)
    good_actions = [action for action, payoff_range in enumerate(ranges) if payoff_range.most[seat] >= best_guaranteed]
    selected: _Chosen = {}
    for action in good_actions:
        outcome = ways[action]
        if isinstance(outcome, dict):
            for vector, parts in outcome.items():
                if vector[seat] >= best_guaranteed:
                    selected.setdefault(vector, (action, parts))
    if len(selected) > _KEPT or any(isinstance(ways[action], _Range) for action in good_actions):
        lower, upper, _ = _range_of([vector for action in good_actions for vector in _vectors(ranges[action])])
        every_vector_fits = len(good_actions) == 1 and ranges[good_actions[0]].least[seat] == best_guaranteed
        several = ranges[good_actions[0]].several if every_vector_fits else all(isinstance(outcome, dict) for outcome in ways)
        return _Range((*lower[:seat], best_guaranteed, *lower[seat + 1 :]), upper, several), good_actions
    own_payoffs = {
        action: {vector[seat] for vector in _vectors(ways[action]) if vector[seat] >= best_guaranteed} for action in good_actions
    }
    count = Counter(value for values in own_payoffs.values() for value in values)
    return selected, [action for action in good_actions if any(count[value] > 1 for value in own_payoffs[action])]
