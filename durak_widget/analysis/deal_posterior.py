"""Computes the probability of each deal, given the moves and the players' strategy.

By Bayes' rule it is proportional to the probability of being dealt, times the probability that all players
play these moves with these cards. A strategy gives that at each information set of a tree of the whole game,
or of an earlier position. Every deal of that tree is played through once, with the moves that were made.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from durak_widget.cards import plainly
from durak_widget.engine.history import DREW
from durak_widget.engine.state_transitions import PLAYS, legal_moves
from durak_widget.gametheory.strategy import require_strategy
from durak_widget.gametheory.tree import TreeError, require_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree


def weights_of(
    game: Game,
    before: Tree,
    strategy: Strategy,
    deals: Sequence[tuple[int | Fraction, State]],
    named: Callable[[State], str],
    begins: Game | None,
) -> dict[str, Number]:
    """Return the posterior weight of each deal of a position, by its name.

    All players have followed the strategy of the tree `before`. That tree has `deals` with their weights at
    its root, and goes on from the game `begins`, or is one of the whole game if that is None.

    >>> from durak_widget import Game, analysis, gametheory
    >>> rules = "podkidnoy, suits=c, ranks=6789T, hand_size=2, trump=c, attack_limit=1, first_attacker=left_of_dealer"
    >>> whole = analysis.build(rules, dealer=1)
    >>> game = Game(rules, deck="7c 8c 9c Tc 6c", dealer=1)
    >>> game.play("attack 7c")
    >>> tree = analysis.build_from(game, played=(whole, gametheory.Strategy.uniform(whole)))
    >>> len(tree.children(0)), set(tree.chances[0].probabilities)
    (12, {Fraction(1, 12)})
    """
    start, moves = _past(game, begins)
    replayed = _played_through(start, moves)
    if replayed is None:
        raise TreeError("what was played in this game cannot be played again from where the tree of the strategy begins")
    final_state, actors = replayed
    weight_of_deal: dict[str, Number] = {}
    for number, (dealt, deal_state) in enumerate(deals):
        if _shown(deal_state) != _shown(start):
            continue
        weight: Number = Fraction(dealt)
        node = before.first[0] + number if len(deals) > 1 else 0
        state = deal_state.copy()
        for seat, move in zip(actors, moves, strict=True):
            legal = legal_moves(state) if state.outcome is None and state.actor == seat else ()
            if move not in legal:
                weight = 0
                break
            if len(legal) > 1:
                index = legal.index(move)
                weight *= strategy.rows[before.info[node]][index]
                node = before.first[node] + index
            PLAYS[move.kind](state, move)
        if weight and _seen_by_all(state) == _seen_by_all(final_state):
            name = named(state)
            weight_of_deal[name] = weight_of_deal.get(name, 0) + weight
    return weight_of_deal


def checked_play(played: object) -> tuple[Tree, Strategy]:
    """Return a tree and its strategy; refuse anything else.

    >>> checked_play("well")
    Traceback (most recent call last):
    durak_widget.gametheory.tree.TreeError: played= is a tree of the game up to here, and a strategy for it: played=(tree, strategy)
    """
    if not isinstance(played, tuple) or len(played) != 2:
        raise TreeError("played= is a tree of the game up to here, and a strategy for it: played=(tree, strategy)")
    tree, strategy = played
    require_tree(tree)
    require_strategy(strategy)
    strategy.require_sets(tree.sets)
    return tree, strategy


def _past(game: Game, begins: Game | None) -> tuple[State, list[Move]]:
    """Return the state where the strategy's tree starts, and the moves since then."""
    whole = game.copy()
    start_ply = 0 if begins is None else begins.ply
    moves = list(game.moves[: game.ply])
    if begins is not None and (moves[:start_ply] != list(begins.moves[:start_ply]) or str(begins.rules) != str(game.rules)):
        raise TreeError("the strategy is for a tree of another game; take one of the position from which this game went on")
    whole.goto(start_ply)
    return whole.state, moves[start_ply:]


def _played_through(start: State, past: Sequence[Move]) -> tuple[State, list[int | None]] | None:
    """Return the final state and the actor of each move; None if a move is illegal."""
    state, actors = start.copy(), list[int | None]()
    for move in past:
        if state.outcome is not None or move not in legal_moves(state):
            return None
        actors.append(state.actor)
        PLAYS[move.kind](state, move)
    return state, actors


def _shown(state: State) -> tuple[object, ...]:
    """Return what all players see at the start of a deal."""
    return plainly(state.turn_up), state.suit, state.attacker, state.actor, tuple(map(plainly, state.seen))


def _seen_by_all(state: State) -> list[tuple[object, ...]]:
    """Return the public part of the ends of bouts: who drew how many, and what was turned up."""
    return [(tuple([(seat, count) for seat, count, _ in end[DREW]]), *end[DREW + 1 :]) for end in state.ends]
