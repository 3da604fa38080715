"""Builds endgame trees that also contain illegal moves, for exercises on the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.analysis.deal_enumeration import IllegalMoveTreeOrigin
from durak_widget.cards import CardSet
from durak_widget.engine.history import Pairs
from durak_widget.engine.moves import Move
from durak_widget.engine.state_transitions import apply_move, legal_moves
from durak_widget.gametheory.tree import TERMINAL, DecisionNode, TerminalNode, TreeError, build_tree

if TYPE_CHECKING:
    from durak_widget.engine.game import Game
    from durak_widget.engine.state import State
    from durak_widget.gametheory.tree import Tree

MAX_HISTORIES: Final = 1000
"""The limit on the number of histories in a tree with illegal moves."""
PendingNode = tuple["State", "Move | None"]


def build_tree_with_illegal_moves(game: Game) -> Tree:
    """Build an endgame tree in which players may also play cards that the rules forbid.

    The defender may try to beat with any card of their hand, and the attacker may try to throw in any card.

    >>> from durak_widget import Game
    >>> build_tree_with_illegal_moves(Game.from_position("econ431", hands=["9c Kd", "Tc 9d Jc"], trump="h"))
    <Tree: 63 histories, 27 terminals, 16 + 20 information sets>
    """
    compiled = game.state.compiled_rules
    if compiled.has_two_decks or compiled.has_transfers or compiled.max_swaps or any(len(codes) > 1 for codes in compiled.played_codes):
        raise TreeError("a tree with illegal moves needs rules with only attacks, beats and throw-ins; use econ431")
    labels: list[str] = []

    def expand_node(pending: PendingNode) -> DecisionNode | TerminalNode:
        state, move = pending
        if move is not None:
            state = state.copy()
            apply_move(state, move)
        if state.outcome is not None:
            return TerminalNode(tuple(map(int, state.outcome.utilities)))
        seat = state.actor
        assert seat is not None  # noqa: S101 - somebody acts while the game is not over
        hands = ", ".join(f"seat {holder} holds {CardSet.from_mask(state.hands[holder])}" for holder in (seat, 1 - seat))
        labels.append(
            f"{hands}, table {Pairs.from_codes(state.attacks, state.beats) or 'empty'}{', which is taken' if state.taking else ''}"
        )
        return DecisionNode(seat, len(labels) - 1, [(str(option), (state, option)) for option in _moves_to_consider(state, seat)])

    tree = build_tree(
        (game.state, None), expand_node, player_count=2, label_infoset=lambda _, memory: labels[int(str(memory))], limit=MAX_HISTORIES
    )
    tree.origin = IllegalMoveTreeOrigin(game)
    return tree


def _moves_to_consider(state: State, seat: int) -> list[Move]:
    """Return a seat's moves in the tree: all legal moves, and the moves with forbidden cards."""
    legal, hand = legal_moves(state), CardSet.from_mask(state.hands[seat])
    *_, last = legal
    if not state.attacks:
        return list(legal)
    if seat != state.defender:
        return [*(Move.from_cards("throw", card) for card in hand), last]
    unbeaten_cards = Pairs.from_codes(state.attacks, state.beats).unbeaten
    return [*(Move.from_cards("beat", attack, card) for attack in unbeaten_cards for card in hand), last]


def legal_histories(tree: Tree, game: Game) -> frozenset[int]:
    """Return the histories (other than the root) in which every move is legal.

    >>> from durak_widget import Game
    >>> game = Game.from_position("econ431", hands=["9c Kd", "Tc"], trump="h")
    >>> len(legal_histories(build_tree_with_illegal_moves(game), game)), build_tree_with_illegal_moves(game).history_count
    (7, 9)
    """
    histories = set[int]()
    waiting: list[tuple[int, State]] = [(0, game.state)]
    while waiting:
        history, state = waiting.pop()
        for move in legal_moves(state) if state.outcome is None else ():
            child = tree.first_child[history] + tree.infosets[tree.infoset_of[history]].actions.index(str(move))
            histories.add(child)
            next_state = state.copy()
            apply_move(next_state, move)
            waiting.append((child, next_state))
    return frozenset(histories)


def remove_illegal_moves(tree: Tree, game: Game) -> Tree:
    """Return a copy of a tree without its illegal moves.

    >>> from durak_widget import Game
    >>> game = Game.from_position("econ431", hands=["9c Kd", "Tc"], trump="h")
    >>> remove_illegal_moves(build_tree_with_illegal_moves(game), game)
    <Tree: 8 histories, 3 terminals, 3 + 2 information sets>
    """
    legal = legal_histories(tree, game)

    def expand_node(node: int) -> DecisionNode | TerminalNode:
        if tree.actor[node] == TERMINAL:
            return TerminalNode(tree.payoffs[tree.infoset_of[node]])
        return DecisionNode(tree.actor[node], node, [(tree.last_action(child), child) for child in tree.children(node) if child in legal])

    legal_tree = build_tree(
        0, expand_node, player_count=2, label_infoset=lambda _, node: tree.infosets[tree.infoset_of[int(str(node))]].label
    )
    legal_tree.origin = IllegalMoveTreeOrigin(game)
    return legal_tree
