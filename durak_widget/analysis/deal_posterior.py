"""How likely is each deal once it is known what was played, and by which strategy?

By Bayes' rule: as likely as it was dealt, times how likely everybody was to play so with these cards. A strategy says that at each information set of a tree of the whole game, or
of an earlier position of it; every deal of that tree is played through once, with the moves that were made.
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
    """By the name of each deal of a position, how likely it is beside the others, where all have played by this strategy of a tree that has these `deals` at its root, each with its weight.

    `begins` is the position from which that tree goes on; None where it is one of the whole game.

    >>> from durak_widget import Game, analysis, gametheory
    >>> rules = "podkidnoy, suits=c, ranks=6789T, hand_size=2, trump=c, attack_limit=1, first_attacker=left_of_dealer"
    >>> whole = analysis.build(rules, dealer=1)
    >>> game = Game(rules, deck="7c 8c 9c Tc 6c", dealer=1)
    >>> game.play("attack 7c")
    >>> tree = analysis.build_from(game, played=(whole, gametheory.Strategy.uniform(whole)))
    >>> len(tree.children(0)), set(tree.chances[0].probabilities)
    (12, {Fraction(1, 12)})
    """
    start, past = _past(game, begins)
    path = _played_through(start, past)
    if path is None:
        raise TreeError("what was played in this game cannot be played again from where the tree of the strategy begins")
    after, acted = path
    likely: dict[str, Number] = {}
    for number, (dealt, begun) in enumerate(deals):
        if _shown(begun) != _shown(start):
            continue
        weight: Number = Fraction(dealt)
        here = before.first[0] + number if len(deals) > 1 else 0
        state = begun.copy()
        for seat, move in zip(acted, past, strict=True):
            legal = legal_moves(state) if state.outcome is None and state.actor == seat else ()
            if move not in legal:
                weight = 0
                break
            if len(legal) > 1:
                place = legal.index(move)
                weight *= strategy.rows[before.info[here]][place]
                here = before.first[here] + place
            PLAYS[move.kind](state, move)
        if weight and _seen_by_all(state) == _seen_by_all(after):
            name = named(state)
            likely[name] = likely.get(name, 0) + weight
    return likely


def checked_play(played: object) -> tuple[Tree, Strategy]:
    """A tree, and a strategy for it; whatever is something else is refused.

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
    """Where the strategy's tree begins, and what was played since."""
    whole = game.copy()
    begun = 0 if begins is None else begins.ply
    moves = list(game.moves[: game.ply])
    if begins is not None and (moves[:begun] != list(begins.moves[:begun]) or str(begins.rules) != str(game.rules)):
        raise TreeError("the strategy is for a tree of another game; take one of the position from which this game went on")
    whole.goto(begun)
    return whole.state, moves[begun:]


def _played_through(start: State, past: Sequence[Move]) -> tuple[State, list[int | None]] | None:
    """What stands in the end, and who has made each move; None where one of them cannot be made."""
    state, acted = start.copy(), list[int | None]()
    for move in past:
        if state.outcome is not None or move not in legal_moves(state):
            return None
        acted.append(state.actor)
        PLAYS[move.kind](state, move)
    return state, acted


def _shown(state: State) -> tuple[object, ...]:
    """What all see where a deal begins."""
    return plainly(state.turn_up), state.suit, state.attacker, state.actor, tuple(map(plainly, state.seen))


def _seen_by_all(state: State) -> list[tuple[object, ...]]:
    """What all have seen of the ends of bouts: who drew how many, and what came to lie open."""
    return [(tuple([(seat, count) for seat, count, _ in end[DREW]]), *end[DREW + 1 :]) for end in state.ends]
