"""What do the books call an equilibrium: how far do subgames and beliefs bear it out, and do its messages tell the types apart?

All answers are keys; `name` puts them into the words of the books. Where the same is refused by several ideas, the oldest is named: who leaves a subgame (Selten 1965)
needs no beliefs to be refuted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from durak_widget.gametheory.beliefs import weakly_perfect
from durak_widget.gametheory.signalling_games import no_signals, signalling
from durak_widget.gametheory.subgame_perfection import gains_in_subgames
from durak_widget.gametheory.subgames import subgames
from durak_widget.gametheory.tree import CHANCE

if TYPE_CHECKING:
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

Bears = Literal["sequential", "weak", "subgame-perfect", "nash"]
"""What an equilibrium is called: the most that is proved of it. `weak` is a weak perfect Bayesian one."""
Fails = Literal["subgame-perfect", "sequential"]
"""What it is proved not to be."""
Messages = Literal["pooling", "separating", "partly separating"]
"""Whether all types send alike, no two of them the same, or neither: then a message may leave some in doubt, and others not."""
_NAMES: Final[dict[str, str]] = {
    "sequential": "sequential equilibrium",
    "weak": "weak perfect Bayesian equilibrium",
    "subgame-perfect": "subgame-perfect equilibrium",
    "nash": "Nash equilibrium",
}


class Called(NamedTuple):
    """What the books call an equilibrium."""

    subgame_perfect: bool
    """Whether nobody gains in any subgame; in a game that has none but itself, every equilibrium."""
    weak: bool | None
    """Whether it is a weak perfect Bayesian equilibrium: the best that each can do everywhere, by beliefs that fit where play comes. None where that was not asked or decided."""
    sequential: bool | None
    """Whether, besides, some trembles lead to such beliefs. None where that was not decided."""
    bears: Bears
    """The name of the most that is proved of it, as far as the game tells that from less: where all information sets are come to anyway, all equilibria are sequential and nobody says so."""
    fails: Fails | None
    """What it is proved not to be, if anything."""
    messages: Messages | None = None
    """In a game of signals: whether they tell the types apart."""

    @property
    def name(self) -> str:
        """In the words of the books.

        >>> Called(subgame_perfect=False, weak=True, sequential=False, bears="weak", fails="subgame-perfect").name
        'weak perfect Bayesian equilibrium, not subgame-perfect'
        """
        return _NAMES[self.bears] + (f", not {self.fails}" if self.fails else "")


def called(
    tree: Tree,
    strategy: Strategy,
    sequential: bool | None,  # noqa: FBT001 - what is known, or not
    *,
    weak: bool | None = None,
    filled: bool = False,
) -> Called:
    """What an exact equilibrium is called of which it is known, or not, whether it is sequential, and `weak` perfect Bayesian; where what it does at some information sets was `filled` in, they might be filled better.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> entry, quiche = textbook("entry"), textbook("beer-quiche")
    >>> threat = Strategy.of(entry, {"begins": "stay out", "after an entry": "fight"})
    >>> called(entry, threat, sequential=False).name
    'Nash equilibrium, not subgame-perfect'
    >>> beer = Strategy.of(quiche, {"strong": "beer", "weak": "beer", "sees beer": "defer", "sees quiche": "duel"})
    >>> called(quiche, beer, sequential=True)
    Called(subgame_perfect=True, weak=True, sequential=True, bears='sequential', fails=None, messages='pooling')
    """
    parts = len(subgames(tree)) > 1
    perfect = bool(sequential) or not parts or not any(gains_in_subgames(tree, strategy).values())
    if sequential:
        weak = True
    elif weak is None:
        weak = perfect if _all_known(tree) else weakly_perfect(tree, strategy).holds  # where nothing is hidden there is nothing to believe
    settled = sequential is not None or not filled
    if settled and (not perfect or weak is False):
        sequential = False
    bears: Bears = "nash"
    if sequential and not always_come_to(tree):
        bears = "subgame-perfect" if _all_known(tree) else "sequential"
    elif not sequential:
        bears = "weak" if weak else "subgame-perfect" if perfect and parts else "nash"
    fails: Fails | None = "subgame-perfect" if settled and not perfect else "sequential" if sequential is False else None
    return Called(perfect, weak, sequential, bears, fails, None if no_signals(tree) else _messages(tree, strategy))


def always_come_to(tree: Tree) -> bool:
    """Whether play comes to every information set whatever anybody does: as where all choose at once, each knowing no more than what chance told it.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> [always_come_to(textbook(name)) for name in ("pennies", "bayes", "horse")]
    [True, True, False]
    """
    below: list[frozenset[int]] = [frozenset()] * tree.histories
    for here in reversed(range(tree.histories)):
        who, place, after = tree.actor[here], tree.info[here], [below[child] for child in tree.children(here)]
        if who == CHANCE:
            likely = tree.chances[place].probabilities
            below[here] = frozenset().union(*(one for one, chance in zip(after, likely, strict=True) if chance))
        elif who >= 0:
            below[here] = frozenset.intersection(*after) | {place}
    return len(below[0]) == len(tree.sets)


def _all_known(tree: Tree) -> bool:
    """Whether each information set is of one history."""
    return sum(who >= 0 for who in tree.actor) == len(tree.sets)


def _messages(tree: Tree, strategy: Strategy) -> Messages:
    """Whether the types that may be drawn send alike, or no two of them the same."""
    likely = tree.chances[tree.info[0]].probabilities
    types = [node for node, chance in zip(signalling(tree).types, likely, strict=True) if chance]
    sent = [
        {_seen(tree, child): chance for chance, child in zip(strategy.rows[tree.info[node]], tree.children(node), strict=True) if chance}
        for node in types
    ]
    if all(one == sent[0] for one in sent):
        return "pooling"
    apart = sum(map(len, sent)) == len(set().union(*sent))
    return "separating" if apart else "partly separating"


def _seen(tree: Tree, node: int) -> tuple[bool, int | str]:
    """What is seen of a message: where it is answered, or, where that ends the game, its name."""
    return (True, tree.info[node]) if tree.actor[node] >= 0 else (False, tree.move_to(node))
