"""Restores the card game at a tree node, with all cards or as one player sees it.

A tree stores only numbers and its origin. The game is replayed when a node is asked for. Nodes that are asked
for together are reached in one walk along the branches that lead to them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from durak_widget.analysis.deal_enumeration import TreeOrigin
from durak_widget.cards import CardSet, card_from_bit, normalize_copies
from durak_widget.engine import position_notation
from durak_widget.engine.game import Game
from durak_widget.engine.history import DRAW_COUNTS_INDEX, GameHistory, Pairs
from durak_widget.engine.observation import Observation, observe_state
from durak_widget.engine.state_transitions import legal_moves
from durak_widget.gametheory.tree import CHANCE, TreeError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from durak_widget.analysis.deal_enumeration import Deal
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import ObservationData
    from durak_widget.engine.state import State
    from durak_widget.gametheory.tree import Tree

_Item = TypeVar("_Item")
BOUT_AFTER_FIRST: Final = 2
"""The bout number of a game that starts from a position; it is not 1, because special rules may hold for the first
bout."""


class NodeState:
    """A game's state at one node of a tree, with the history of moves that led to it."""

    __slots__ = ("_initial_sights", "_initial_state", "_origin", "history", "state")

    def __init__(self, origin: TreeOrigin, start: State) -> None:
        self._origin, self._initial_state = origin, start
        self._initial_sights: dict[int, ObservationData] = {}
        self.state, self.history = start.copy(), GameHistory(len(start.hands))

    def copy(self) -> NodeState:
        """Return an independent copy of the node's state and history."""
        new = NodeState.__new__(NodeState)
        new._origin, new._initial_state, new._initial_sights = self._origin, self._initial_state, self._initial_sights
        new.state, new.history = self.state.copy(), self.history.copy()
        return new

    def play(self, move: Move) -> None:
        """Play a move and record it in the history."""
        self.history.play(self.state, move)

    def make_sight(self, seat: int, *, memory: bool = True) -> ObservationData:
        """Return what a seat knows at the node, including all hands that the seat may see.

        Without `memory`, it is what a player sees who joins the table only now.
        """
        if not memory:
            return self._sight_without_memory(seat)
        first = None
        if self.history.moves:
            first = self._initial_sights.get(seat)
            if first is None:
                first = self._initial_sights[seat] = self._sight_of_state(
                    self._initial_state, seat, GameHistory(len(self._initial_state.hands)), None
                )
        return self._sight_of_state(self.state, seat, self.history, first)

    def _sight_of_state(self, state: State, seat: int, history: GameHistory, first_sight: ObservationData | None) -> ObservationData:
        """Return what a seat knows in a state, including all hands that the seat may see."""
        sight = observe_state(state, seat, history, first_sight)
        return sight._replace(known_hands=tuple(map(normalize_copies, state.hands))) if self._origin.sees_all_hands(seat) else sight

    def _sight_without_memory(self, seat: int) -> ObservationData:
        """Return what a seat would know if the game started at this node.

        There are no earlier moves, bouts or draws, and no record of cards that changed hands. Of the bout it
        says only whether it is the first.
        """
        sight = observe_state(self.state, seat, GameHistory(len(self.state.hands)), None, memory=False)
        return sight._replace(ply=0, bout=min(sight.bout, BOUT_AFTER_FIRST), bout_ends=(), own_draws=(), repeatable_positions=())

    def describe_observations(self, seat: int) -> str:
        """Format as text what a seat has observed since the start of the tree."""
        start, origin = self._initial_state, self._origin
        both = tuple(range(len(start.hands))) if origin.sees_all_hands(seat) else (seat,)
        sentences = [f"seat {holder} began with {CardSet.from_mask(start.hands[holder]) or 'nothing'}" for holder in both]
        sentences += [
            f"seat {holder} showed {CardSet.from_mask(shown_cards)}"
            for holder, shown_cards in enumerate(start.publicly_seen)
            if shown_cards & start.hands[holder]
        ]
        sentences += [f"{card_from_bit(start.turn_up)} lay open"] if start.turn_up else []
        sentences += [f"table {Pairs.from_codes(start.attacks, start.beats)}"] if start.attacks else []
        draws: dict[int, list[str]] = {}
        for ply, actor, mask in (
            *((end[0], actor, mask) for end in self.state.bout_ends for actor, _, mask in end[DRAW_COUNTS_INDEX]),
            *self.state.swap_draws,
        ):
            if actor in both and mask:
                draws.setdefault(ply, []).append(f"seat {actor} draws {CardSet.from_mask(mask)}")
        for end in self.state.bout_ends:
            if end[DRAW_COUNTS_INDEX + 1]:
                draws.setdefault(end[0], []).append(f"{' '.join(end[DRAW_COUNTS_INDEX + 1])} lies open")
        for ply, (actor, move) in enumerate(zip(self.history.actors, self.make_sight(seat).moves, strict=True), 1):
            sentences += [f"seat {actor}: {move or 'swap'}", *draws.get(ply, ())]
        return "; ".join(sentences)

    def to_game(self) -> Game:
        """Return the game from the root of the tree to the node."""
        game = Game.from_position_line(position_notation.format_position(self._initial_state))
        for move in self.history.moves:
            game.play(move)
        return game


def replay_nodes(tree: Tree, histories: Collection[int]) -> Iterator[tuple[int, NodeState]]:
    """Yield each given history of a tree with its game state, after forced moves are played.

    The states must not be changed. Where no player knows the order of the talon and no card is drawn yet, it
    is one possible order.

    >>> from durak_widget import Rules, analysis
    >>> tree = analysis.build_game_tree(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> [(history, moment.state.ply) for history, moment in replay_nodes(tree, [1, 26])]
    [(1, 5), (26, 6)]
    """
    origin = tree.origin
    if not isinstance(origin, TreeOrigin):
        raise TreeError(
            "this tree was not made from a game of durak, so it has no moments to return to; make such a tree with analysis.build_game_tree or analysis.build_tree_from_position"
        )
    needed = _histories_on_paths(tree, histories)
    waiting: list[tuple[int, list[NodeState], Move | None]] = []
    if needed:
        deals: Sequence[Deal] = origin.list_deals(tree.history_count)
        if tree.actor[0] == CHANCE and not origin.open_hands:
            deals = _order_by_names(deals, [deal.name for deal in deals], tree.chance_moves[tree.infoset_of[0]].actions)
        waiting.append((0, [NodeState(origin, deal.state) for deal in deals], None))
    while waiting:
        history, worlds, move = waiting.pop()
        parts = _split_by_observation(worlds, move, all_observe=origin.open_hands)
        if history in histories:
            yield history, parts[0][0]
        following: list[tuple[int, list[NodeState], Move | None]] = []
        if tree.actor[history] == CHANCE:
            following = [(child, part, None) for child, part in zip(tree.children(history), parts, strict=True) if child in needed]
        else:
            legal_here = legal_moves(worlds[0].state)
            legal = _order_by_names(legal_here, list(map(str, legal_here)), tree.infosets[tree.infoset_of[history]].actions)
            following = [(child, worlds, move) for child, move in zip(tree.children(history), legal, strict=True) if child in needed]
            following[:-1] = [(child, [world.copy() for world in worlds], move) for child, _, move in following[:-1]]
        waiting += reversed(following)


def _order_by_names(items: Sequence[_Item], names: Sequence[str], wanted_names: Sequence[str]) -> Sequence[_Item]:
    """Put items into the order that `wanted_names` gives for the items' names.

    Return the items unchanged if their names are not exactly the wanted ones.
    """
    by_name = dict(zip(names, items, strict=True))
    return [by_name[name] for name in wanted_names] if by_name.keys() == set(wanted_names) and len(by_name) == len(wanted_names) else items


def _histories_on_paths(tree: Tree, histories: Collection[int]) -> set[int]:
    """Return the given histories of a tree together with all their ancestors."""
    on_paths: set[int] = set()
    for history in histories:
        ancestor = history
        while ancestor >= 0 and ancestor not in on_paths:
            on_paths.add(ancestor)
            ancestor = tree.parent[ancestor]
    return on_paths


def _split_by_observation(worlds: list[NodeState], move: Move | None, *, all_observe: bool) -> list[list[NodeState]]:
    """Play a move and forced moves in given worlds, and group the worlds by chance outcome.

    With open hands, worlds stay together if all players observe the same. With hidden hands chance acts only
    at the root, so each world is a part of its own. There is one part if chance does not act.
    """
    while True:
        if move is not None:
            for world in worlds:
                world.play(move)
        if len(worlds) > 1:
            parts: dict[object, list[NodeState]] = {}
            for number, world in enumerate(worlds):
                parts.setdefault(tuple(map(world.make_sight, range(len(world.state.hands)))) if all_observe else number, []).append(world)
            if len(parts) > 1:
                return list(parts.values())
        legal = legal_moves(worlds[0].state)
        if len(legal) != 1:
            return [worlds]
        move = legal[0]


def first_histories(tree: Tree) -> list[int]:
    """Return the first history of each information set of a tree.

    >>> from durak_widget import Rules, analysis
    >>> tree = analysis.build_game_tree(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> first_histories(tree)[:4]
    [1, 2, 28, 3]
    """
    histories = [-1] * len(tree.infosets)
    for history, (actor, infoset) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)):
        if actor >= 0 and histories[infoset] < 0:
            histories[infoset] = history
    return histories


def restore_game(tree: Tree, history: int) -> Game:
    """Return the card game at a history, to inspect it or to play on.

    Forced moves that follow the history are played too.

    >>> from durak_widget import Rules, analysis
    >>> tree = analysis.build_game_tree(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> tree.infosets[tree.infoset_of[1]].label, restore_game(tree, 1)
    ('seat 1 holds 6c 7c 6d, table 7d', <Game 'ranks=67, suits=cd, hand_size=1, trump=c, first_attacker=left_of_dealer': bout 3, ply 5, seat 1 to act>)
    """
    if not 0 <= history < tree.history_count:
        raise TreeError(f"there is no history {history}; the histories are numbered from 0 to {tree.history_count - 1}")
    if tree.actor[history] == CHANCE:
        raise TreeError(f"history {history} has a chance move, and its cards are not drawn yet; take one of tree.children({history})")
    return next(moment for _, moment in replay_nodes(tree, [history])).to_game()


def restore_view(tree: Tree, infoset: int) -> Observation:
    """Return the view, as bots receive it, of the player who acts at an information set.

    All histories of the information set have this view. Where the tree shows the other hand too
    (`open_hands=True`, `seeing=`), `memory.known` holds both.

    >>> from durak_widget import Rules, analysis
    >>> tree = analysis.build_game_tree(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> restore_view(tree, 0), restore_view(tree, 0).memory.unseen
    (<Observation of seat 1: ply 5, hand 6c 7c 6d, table 7d, defends>, CardSet(''))
    """
    return Observation(_state_at_infoset(tree, infoset).make_sight(tree.infosets[infoset].player))


def describe_infoset_history(tree: Tree, infoset: int) -> str:
    """Format as text what the player observed before acting at an information set.

    This distinguishes information sets that have the same label.

    >>> from durak_widget import Rules, analysis
    >>> tree = analysis.build_game_tree(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> describe_infoset_history(tree, 0)
    'seat 1 began with 6d; seat 0: attack 6c; seat 1: take; seat 0: attack 7c; seat 1: take; seat 0: attack 7d'
    """
    return _state_at_infoset(tree, infoset).describe_observations(tree.infosets[infoset].player)


def _state_at_infoset(tree: Tree, infoset: int) -> NodeState:
    """Return the game state at the first history of an information set."""
    if not 0 <= infoset < len(tree.infosets):
        raise TreeError(f"there is no information set {infoset}; the information sets are numbered from 0 to {len(tree.infosets) - 1}")
    history = next(
        node
        for node, (actor, infoset_of_node) in enumerate(zip(tree.actor, tree.infoset_of, strict=True))
        if actor >= 0 and infoset_of_node == infoset
    )
    return next(moment for _, moment in replay_nodes(tree, [history]))
