"""Builds trees of endgames that also contain illegal moves, for exercises about the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.analysis.deal_enumeration import Thought
from durak_widget.cards import CardSet
from durak_widget.engine.history import Pairs
from durak_widget.engine.moves import Move
from durak_widget.engine.state_transitions import legal_moves, play
from durak_widget.gametheory.tree import OVER, End, TreeError, Turn, grow

if TYPE_CHECKING:
    from durak_widget.engine.game import Game
    from durak_widget.engine.state import State
    from durak_widget.gametheory.tree import Tree

MOST: Final = 1000
"""Limit on the number of histories."""
Place = tuple["State", "Move | None"]


def thinkable(game: Game) -> Tree:
    """Build an endgame's tree in which players may also try cards that the rules forbid.

    The defender may try to beat with any card of their hand, and the attacker may try to throw in any card.

    >>> from durak_widget import Game
    >>> thinkable(Game.from_position("econ431", hands=["9c Kd", "Tc 9d Jc"], trump="h"))
    <Tree: 63 histories, 27 terminals, 16 + 20 information sets>
    """
    compiled = game.state.kit
    if compiled.twins or compiled.transfers or compiled.swaps or any(len(codes) > 1 for codes in compiled.plays):
        raise TreeError(
            "what one may think of is known where cards are attacked with, beaten and thrown in, and nothing else; take econ431"
        )
    labels: list[str] = []

    def expand_node(pending: Place) -> Turn | End:
        state, move = pending
        if move is not None:
            state = state.copy()
            play(state, move)
        if state.outcome is not None:
            return End(tuple(map(int, state.outcome.utilities)))
        seat = state.actor
        assert seat is not None  # noqa: S101 - somebody acts while the game is not over
        hands = ", ".join(f"seat {holder} holds {CardSet.of(state.hands[holder])}" for holder in (seat, 1 - seat))
        labels.append(f"{hands}, table {Pairs.of(state.attacks, state.beats) or 'empty'}{', which is taken' if state.taking else ''}")
        return Turn(seat, len(labels) - 1, [(str(option), (state, option)) for option in _thought_of(state, seat)])

    tree = grow((game.state, None), expand_node, seats=2, say=lambda _, memory: labels[int(str(memory))], limit=MOST)
    tree.origin = Thought(game)
    return tree


def _thought_of(state: State, seat: int) -> list[Move]:
    """Return the legal moves and the moves with wrong cards, in the order of the rules."""
    legal, hand = legal_moves(state), CardSet.of(state.hands[seat])
    *_, last = legal
    if not state.attacks:
        return list(legal)
    if seat != state.defender:
        return [*(Move.of("throw", card) for card in hand), last]
    unbeaten_cards = Pairs.of(state.attacks, state.beats).unbeaten
    return [*(Move.of("beat", attack, card) for attack in unbeaten_cards for card in hand), last]


def lawful(tree: Tree, game: Game) -> frozenset[int]:
    """Return the histories of such a tree that the legal moves lead to, without the root.

    >>> from durak_widget import Game
    >>> game = Game.from_position("econ431", hands=["9c Kd", "Tc"], trump="h")
    >>> len(lawful(thinkable(game), game)), thinkable(game).histories
    (7, 9)
    """
    histories = set[int]()
    waiting: list[tuple[int, State]] = [(0, game.state)]
    while waiting:
        history, state = waiting.pop()
        for move in legal_moves(state) if state.outcome is None else ():
            child = tree.first[history] + tree.sets[tree.info[history]].moves.index(str(move))
            histories.add(child)
            next_state = state.copy()
            play(next_state, move)
            waiting.append((child, next_state))
    return frozenset(histories)


def as_allowed(tree: Tree, game: Game) -> Tree:
    """Return the tree without the illegal moves.

    >>> from durak_widget import Game
    >>> game = Game.from_position("econ431", hands=["9c Kd", "Tc"], trump="h")
    >>> as_allowed(thinkable(game), game)
    <Tree: 8 histories, 3 terminals, 3 + 2 information sets>
    """
    legal = lawful(tree, game)

    def expand_node(node: int) -> Turn | End:
        if tree.actor[node] == OVER:
            return End(tree.payoffs[tree.info[node]])
        return Turn(tree.actor[node], node, [(tree.move_to(child), child) for child in tree.children(node) if child in legal])

    legal_tree = grow(0, expand_node, seats=2, say=lambda _, node: tree.sets[tree.info[int(str(node))]].label)
    legal_tree.origin = Thought(game)
    return legal_tree
