"""Computes each deal's posterior probability from the moves and the players' strategy.

By Bayes' rule it is proportional to the probability of being dealt, times the probability that all players
play these moves with these cards. A strategy gives that at each information set of a tree of the whole game,
or of an earlier position. Every deal of that tree is played through once, with the moves that were made.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from durak_widget.cards import normalize_copies
from durak_widget.engine.history import DRAW_COUNTS_INDEX
from durak_widget.engine.state_transitions import MOVE_APPLIERS, legal_moves
from durak_widget.gametheory.strategy import require_strategy
from durak_widget.gametheory.tree import TreeError, require_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree


def compute_deal_weights(
    game: Game,
    earlier_tree: Tree,
    strategy: Strategy,
    deals: Sequence[tuple[int | Fraction, State]],
    name_deal: Callable[[State], str],
    start_game: Game | None,
) -> dict[str, Number]:
    """Return a dict from each deal's name to its posterior weight after a game's moves.

    All players have followed the strategy of the tree `earlier_tree`. That tree has `deals` with their weights at
    its root, and goes on from the game `start_game`, or is one of the whole game if that is None.

    >>> from durak_widget import Game, analysis, gametheory
    >>> rules = "podkidnoy, suits=c, ranks=6789T, hand_size=2, trump=c, attack_limit=1, first_attacker=left_of_dealer"
    >>> whole = analysis.build_game_tree(rules, dealer=1)
    >>> game = Game(rules, deck="7c 8c 9c Tc 6c", dealer=1)
    >>> game.play("attack 7c")
    >>> tree = analysis.build_tree_from_position(game, played=(whole, gametheory.Strategy.uniform(whole)))
    >>> len(tree.children(0)), set(tree.chance_moves[0].probabilities)
    (12, {Fraction(1, 12)})
    """
    start, moves = _moves_since_start(game, start_game)
    replayed = _replay(start, moves)
    if replayed is None:
        raise TreeError("what was played in this game cannot be played again from where the tree of the strategy begins")
    final_state, actors = replayed
    weight_of_deal: dict[str, Number] = {}
    for number, (dealt, deal_state) in enumerate(deals):
        if _visible_start(deal_state) != _visible_start(start):
            continue
        weight: Number = Fraction(dealt)
        node = earlier_tree.first_child[0] + number if len(deals) > 1 else 0
        state = deal_state.copy()
        for seat, move in zip(actors, moves, strict=True):
            legal = legal_moves(state) if state.outcome is None and state.actor == seat else ()
            if move not in legal:
                weight = 0
                break
            if len(legal) > 1:
                index = legal.index(move)
                weight *= strategy.rows[earlier_tree.infoset_of[node]][index]
                node = earlier_tree.first_child[node] + index
            MOVE_APPLIERS[move.kind](state, move)
        if weight and _public_bout_ends(state) == _public_bout_ends(final_state):
            name = name_deal(state)
            weight_of_deal[name] = weight_of_deal.get(name, 0) + weight
    return weight_of_deal


def require_tree_and_strategy(played: object) -> tuple[Tree, Strategy]:
    """Return a pair of a tree and a strategy; raise an error if the value is not such a pair.

    >>> require_tree_and_strategy("well")
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: played= is a tree of the game up to here, and a strategy for it: played=(tree, strategy)
    """
    if not isinstance(played, tuple) or len(played) != 2:
        raise TreeError("played= is a tree of the game up to here, and a strategy for it: played=(tree, strategy)")
    tree, strategy = played
    require_tree(tree)
    require_strategy(strategy)
    strategy.require_same_infosets(tree.infosets)
    return tree, strategy


def _moves_since_start(game: Game, start_game: Game | None) -> tuple[State, list[Move]]:
    """Return the state at the root of a strategy's tree, and the moves played from there."""
    whole = game.copy()
    start_ply = 0 if start_game is None else start_game.ply
    moves = list(game.moves[: game.ply])
    if start_game is not None and (moves[:start_ply] != list(start_game.moves[:start_ply]) or str(start_game.rules) != str(game.rules)):
        raise TreeError("the strategy is for a tree of another game; take one of the position from which this game went on")
    whole.goto(start_ply)
    return whole.state, moves[start_ply:]


def _replay(start: State, moves: Sequence[Move]) -> tuple[State, list[int | None]] | None:
    """Replay moves; return the final state and each move's seat, or None at an illegal move."""
    state, actors = start.copy(), list[int | None]()
    for move in moves:
        if state.outcome is not None or move not in legal_moves(state):
            return None
        actors.append(state.actor)
        MOVE_APPLIERS[move.kind](state, move)
    return state, actors


def _visible_start(state: State) -> tuple[object, ...]:
    """Return what all players can see at the start of a deal, such as the turned-up card."""
    return normalize_copies(state.turn_up), state.trump_suit, state.attacker, state.actor, tuple(map(normalize_copies, state.publicly_seen))


def _public_bout_ends(state: State) -> list[tuple[object, ...]]:
    """Return what all players saw as each bout ended: the draw counts and the open cards."""
    return [(tuple([(seat, count) for seat, count, _ in end[DRAW_COUNTS_INDEX]]), *end[DRAW_COUNTS_INDEX + 1 :]) for end in state.bout_ends]
