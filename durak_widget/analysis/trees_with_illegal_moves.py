"""An ending as somebody may think of it who does not know all the rules: with the moves that they forbid, beside those that they allow."""

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
"""Of more histories nobody thinks."""
Place = tuple["State", "Move | None"]


def thinkable(game: Game) -> Tree:
    """An ending in which whoever defends may think of beating with any card of the hand, and whoever throws in of any card.

    >>> from durak_widget import Game
    >>> thinkable(Game.from_position("econ431", hands=["9c Kd", "Tc 9d Jc"], trump="h"))
    <Tree: 63 histories, 27 terminals, 16 + 20 information sets>
    """
    kit = game.state.kit
    if kit.twins or kit.transfers or kit.swaps or any(len(codes) > 1 for codes in kit.plays):
        raise TreeError(
            "what one may think of is known where cards are attacked with, beaten and thrown in, and nothing else; take econ431"
        )
    labels: list[str] = []

    def look(place: Place) -> Turn | End:
        state, move = place
        if move is not None:
            state = state.copy()
            play(state, move)
        if state.outcome is not None:
            return End(tuple(map(int, state.outcome.utilities)))
        seat = state.actor
        assert seat is not None  # noqa: S101 - somebody acts while the game is not over
        hands = ", ".join(f"seat {one} holds {CardSet.of(state.hands[one])}" for one in (seat, 1 - seat))
        labels.append(f"{hands}, table {Pairs.of(state.attacks, state.beats) or 'empty'}{', which is taken' if state.taking else ''}")
        return Turn(seat, len(labels) - 1, [(str(one), (state, one)) for one in _thought_of(state, seat)])

    tree = grow((game.state, None), look, seats=2, say=lambda _, knows: labels[int(str(knows))], limit=MOST)
    tree.origin = Thought(game)
    return tree


def _thought_of(state: State, seat: int) -> list[Move]:
    """The moves that may be made, and those with cards of the hand that somebody might take for such, in the order of the rule book."""
    legal, hand = legal_moves(state), CardSet.of(state.hands[seat])
    *_, last = legal
    if not state.attacks:
        return list(legal)
    if seat != state.defender:
        return [*(Move.of("throw", card) for card in hand), last]
    waiting = Pairs.of(state.attacks, state.beats).unbeaten
    return [*(Move.of("beat", attack, card) for attack in waiting for card in hand), last]


def lawful(tree: Tree, game: Game) -> frozenset[int]:
    """The histories of such a tree that the rules lead to, but for its root.

    >>> from durak_widget import Game
    >>> game = Game.from_position("econ431", hands=["9c Kd", "Tc"], trump="h")
    >>> len(lawful(thinkable(game), game)), thinkable(game).histories
    (7, 9)
    """
    found = set[int]()
    waiting: list[tuple[int, State]] = [(0, game.state)]
    while waiting:
        here, state = waiting.pop()
        for move in legal_moves(state) if state.outcome is None else ():
            end = tree.first[here] + tree.sets[tree.info[here]].moves.index(str(move))
            found.add(end)
            after = state.copy()
            play(after, move)
            waiting.append((end, after))
    return frozenset(found)


def as_allowed(tree: Tree, game: Game) -> Tree:
    """What is left of such a tree when the moves that the rules forbid are taken out.

    >>> from durak_widget import Game
    >>> game = Game.from_position("econ431", hands=["9c Kd", "Tc"], trump="h")
    >>> as_allowed(thinkable(game), game)
    <Tree: 8 histories, 3 terminals, 3 + 2 information sets>
    """
    right = lawful(tree, game)

    def look(here: int) -> Turn | End:
        if tree.actor[here] == OVER:
            return End(tree.payoffs[tree.info[here]])
        return Turn(tree.actor[here], here, [(tree.move_to(child), child) for child in tree.children(here) if child in right])

    found = grow(0, look, seats=2, say=lambda _, here: tree.sets[tree.info[int(str(here))]].label)
    found.origin = Thought(game)
    return found
