"""Endings with hidden cards, played for coins: the loser pays one for each card that is left, and a stake besides."""

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
    """A tree whose ends are worth coins."""

    def over(self, state: State) -> End:
        """The loser pays one coin for each card that it holds."""
        loser = 0 if state.outcome.utilities[0] < 0 else 1  # type: ignore[union-attr]
        coins = state.hands[loser].bit_count()
        return self.end((coins, -coins) if loser else (-coins, coins))


def for_coins(game: Game) -> Tree:
    """The game as it goes on from a position with hidden cards, for coins.

    >>> from durak_widget import Game
    >>> gone = "9c Tc Jc 9d Td Jd Qd Th Jh Qh Kh Ah 9s Ts Js Qs Ks As"
    >>> game = Game.at(f"econ431, hand_size=1: Kc Ac | Kd; attacker 1; table Qc; trump h; talon Ad; turn-up 9h; seen Kc Ac |; discard {gone}")
    >>> sorted({str(worth[0]) for worth in for_coins(game).payoffs})
    ['-4', '2']
    """
    origin = Origin(game.rules, game.dealer, game.copy())
    paid = Paid()
    tree = grow(origin.deals(_LIMIT), paid.look, seats=2, title="for coins", say=paid.says, limit=_LIMIT)
    tree.origin = origin
    return tree


def raised(tree: Tree, stake: int) -> Tree:
    """The game in which the loser pays a stake besides: who wins or loses more still does, and so well-played endings stay as they are.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> places = {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((-2, 2))}
    >>> [str(worth[0]) for worth in raised(grow("", places.__getitem__, seats=2), 3).payoffs]
    ['4', '-5']
    """
    new = Tree(tree.seats, tree.title, tree.names)
    for name in ("actor", "parent", "first", "count", "info", "levels", "chances", "origin", "sets"):
        setattr(new, name, getattr(tree, name))
    new.payoffs = [tuple([one + stake if one > 0 else one - stake for one in worth]) for worth in tree.payoffs]
    return new


def priced(tree: Tree, each: int, stake: int, toll: Fraction | int) -> Tree:
    """The game in which the loser pays so much for each card and a stake besides, and whoever takes by choice pays the other a toll.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> places = {"": Turn(0, "begins", [("take", "l"), ("beat", "r")]), "l": End((1, -1)), "r": End((-2, 2))}
    >>> [str(worth[0]) for worth in priced(grow("", places.__getitem__, seats=2), 2, 3, 1).payoffs]
    ['4', '-7']
    """
    paid = [Fraction(0)] * tree.histories
    for here in range(1, tree.histories):
        above = tree.parent[here]
        took = tree.actor[above] >= 0 and tree.move_to(here) == "take"
        paid[here] = paid[above] + (toll if tree.actor[above] else -toll) * took
    look, labels = look_at(tree), [one.label for one in tree.sets]

    def told(here: int) -> Turn | Draw | End:
        if tree.actor[here] != OVER:
            return look(here)
        cards = tree.payoffs[tree.info[here]][0]
        won = each * cards + (stake if cards > 0 else -stake) + paid[here]
        return End((won, -won))

    new = grow(0, told, seats=2, title=tree.title, say=lambda _, place: labels[place])  # type: ignore[call-overload] # as in `settled`
    new.origin = tree.origin
    return new


def settled(tree: Tree) -> Tree:
    """The game without what follows when everybody knows everything: there stands what it then comes to, by backward induction.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> places = {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}
    >>> settled(grow("", places.__getitem__, seats=2))
    <Tree: 1 histories, 1 terminals, 0 + 0 information sets>
    """
    met = Counter(info for info, actor in zip(tree.info, tree.actor, strict=True) if actor >= 0)
    worth: list[tuple[Fraction | int, ...] | None] = [None] * tree.histories
    for here in reversed(range(tree.histories)):
        actor = tree.actor[here]
        if actor == OVER:
            worth[here] = tree.payoffs[tree.info[here]]
        elif actor >= 0 and met[tree.info[here]] == 1:
            below = [worth[child] for child in tree.children(here)]
            if None not in below:
                worth[here] = max((one for one in below if one is not None), key=lambda one: one[actor])
    look = look_at(tree)

    def told(here: int) -> Turn | Draw | End:
        found = worth[here]
        return look(here) if found is None else End(found)

    labels = [one.label for one in tree.sets]
    new = grow(0, told, seats=2, title=tree.title, say=lambda _, place: labels[place])  # type: ignore[call-overload] # numbers, as `look_at` has them
    new.origin = tree.origin
    return new
