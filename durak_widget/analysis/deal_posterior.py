"""Computes each deal's weight, given a game's moves and the players' strategy.

By Bayes' rule, a deal's posterior probability is proportional to this weight: the probability that the cards are
dealt like this, times the probability that the players make these moves with these cards. The strategy gives the
probability of each move. It belongs to a tree of the whole game, or of an earlier position. Each deal at the root of
that tree is played through once, with the moves that were made.
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


def compute_posterior_weights(
    game: Game,
    earlier_tree: Tree,
    strategy: Strategy,
    deals: Sequence[tuple[int | Fraction, State]],
    format_deal: Callable[[State], str],
    start_game: Game | None,
) -> dict[str, Number]:
    """Return the posterior weight of each deal, given the moves that were made in a game.

    The weights are not divided by their sum. A deal that contradicts the moves or the public cards has no entry.

    `earlier_tree` begins at the position of `start_game`, or at the start of the game if that is None. All players are
    assumed to have followed `strategy` in this tree. `deals` lists the deals at its root, in the same order: each deal's
    weight, and its state before the moves.

    The keys of the result are the names that `format_deal` gives to the states after the moves. Deals that have the same
    name then are added up.

    This example computes the weights for the deals at the root of a new tree. All 12 of them are equally probable:

    >>> from durak_widget import Game, analysis, gametheory
    >>> rules = "podkidnoy, suits=c, ranks=6789T, hand_size=2, trump=c, attack_limit=1, first_attacker=left_of_dealer"
    >>> whole_game_tree = analysis.build_game_tree(rules, dealer=1)
    >>> game = Game(rules, deck="7c 8c 9c Tc 6c", dealer=1)
    >>> game.play("attack 7c")
    >>> tree = analysis.build_tree_from_position(game, played=(whole_game_tree, gametheory.Strategy.uniform(whole_game_tree)))
    >>> len(tree.children(0)), set(tree.chance_moves[0].probabilities)
    (12, {Fraction(1, 12)})
    """
    start, moves = _find_start_and_moves(game, start_game)
    replayed = _replay_moves(start, moves)
    if replayed is None:
        raise TreeError("the moves of this game cannot be replayed from the start of the strategy's tree")
    final_state, seats = replayed
    weight_of_deal: dict[str, Number] = {}
    for deal_index, (prior_weight, deal_state) in enumerate(deals):
        if _list_visible_facts(deal_state) != _list_visible_facts(start):
            continue
        weight: Number = Fraction(prior_weight)
        node = earlier_tree.first_child[0] + deal_index if len(deals) > 1 else 0
        state = deal_state.copy()
        for seat, move in zip(seats, moves, strict=True):
            legal = legal_moves(state) if state.outcome is None and state.actor == seat else ()
            if move not in legal:
                weight = 0
                break
            if len(legal) > 1:
                index = legal.index(move)
                weight *= strategy.rows[earlier_tree.infoset_of[node]][index]
                node = earlier_tree.first_child[node] + index
            MOVE_APPLIERS[move.kind](state, move)
        if weight and _list_visible_bout_ends(state) == _list_visible_bout_ends(final_state):
            name = format_deal(state)
            weight_of_deal[name] = weight_of_deal.get(name, 0) + weight
    return weight_of_deal


def require_tree_strategy_pair(played: object) -> tuple[Tree, Strategy]:
    """Return a tree and a strategy for it; raise an error if the argument is not such a pair.

    `played` is the argument that users pass as `played=` to `build_tree_from_position`.

    >>> require_tree_strategy_pair("well")
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: played= must be a tree of the game up to here, and a strategy for it: played=(tree, strategy)
    """
    if not isinstance(played, tuple) or len(played) != 2:
        raise TreeError("played= must be a tree of the game up to here, and a strategy for it: played=(tree, strategy)")
    tree, strategy = played
    require_tree(tree)
    require_strategy(strategy)
    strategy.require_same_infosets(tree.infosets)
    return tree, strategy


def _find_start_and_moves(game: Game, start_game: Game | None) -> tuple[State, list[Move]]:
    """Return a game's state at the position of `start_game`, and the game's later moves.

    If `start_game` is None, this is the start of the game. Raise an error if `start_game` has other rules or moves than
    the game had up to that position.
    """
    rewound_game = game.copy()
    start_ply = 0 if start_game is None else start_game.ply
    moves = list(game.moves[: game.ply])
    if start_game is not None and (moves[:start_ply] != list(start_game.moves[:start_ply]) or str(start_game.rules) != str(game.rules)):
        raise TreeError("the strategy is for a tree of another game; use a tree of the position from which this game went on")
    rewound_game.goto(start_ply)
    return rewound_game.state, moves[start_ply:]


def _replay_moves(start: State, moves: Sequence[Move]) -> tuple[State, list[int | None]] | None:
    """Replay moves; return the last state and each move's seat, or None if a move is illegal."""
    state, seats = start.copy(), list[int | None]()
    for move in moves:
        if state.outcome is not None or move not in legal_moves(state):
            return None
        seats.append(state.actor)
        MOVE_APPLIERS[move.kind](state, move)
    return state, seats


def _list_visible_facts(state: State) -> tuple[object, ...]:
    """List the facts in a state that all players can see.

    These are the turned-up card, the trump suit, the attacker, the seat to move, and the cards in each hand that all
    players saw go there. Two deals are compared by these facts.
    """
    return normalize_copies(state.turn_up), state.trump_suit, state.attacker, state.actor, tuple(map(normalize_copies, state.publicly_seen))


def _list_visible_bout_ends(state: State) -> list[tuple[object, ...]]:
    """List what all players could see at the end of each finished bout.

    Two deals are compared by this list. For each bout, it has how many cards each seat drew, the turned-up cards
    that were drawn, and the seats that left the game. Hidden draws are left out, and so is the rest of the bout,
    which follows from the moves.
    """
    return [
        (tuple([(seat, count) for seat, count, _ in bout_end[DRAW_COUNTS_INDEX]]), *bout_end[DRAW_COUNTS_INDEX + 1 :])
        for bout_end in state.bout_ends
    ]
