"""Makes three questions on hidden cards: information sets, strategic form and dominance."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.analysis.durak_tree import build_from
from durak_widget.analysis.payoffs_in_coins import settled
from durak_widget.econ431.endgame_positions import cards_in, dressed, kinds, laid, moves_shuffled, signs, together
from durak_widget.exercises.matrix_exercise import OnMatrix
from durak_widget.exercises.tree_exercise import OnTree
from durak_widget.gametheory.outcome_sampling_mccfr import look_at
from durak_widget.gametheory.tree import End, grow
from durak_widget.homework.assignment import Question
from durak_widget.i18n import Fact, Seat, Suit

if TYPE_CHECKING:
    from random import Random

    from durak_widget.gametheory.tree import Draw, Tree, Turn

_PLAYERS: Final = {"one": Seat(0), "other": Seat(1)}
FORMS: Final = ("fill.won", "fill.even", "fill.lost")
"""The parts of the file for the strategic form, by the value for the attacker; each is equally likely."""
STRUCK: Final = ("strike.even", "strike.lost")
"""The parts of the file for dominance; where the attacker wins, too few strategies are dominated."""
STAKES: Final = (2, 3, 4, 5, 6, 8, 10)
"""Coins that the loser may have to pay, where the strategic form is asked for."""
BLIND_SETS: Final = Fraction(1, 3)
"""Share that everyone gets for joining the two nodes at which player 1 begins: one group of three."""
BLIND_FORM: Final = Fraction(1, 4)
BLIND_STRIKE: Final = Fraction(3, 4)
"""Share that blind answers get of cells and of strategies, after the penalty for wrong ones.

Most strategies that begin with an attack or beat twice are dominated, whatever the cards.
"""


def sets(lots: Random) -> OnTree:
    """Build a question on the information sets of a player who can't see one card.

    >>> from random import Random
    >>> len(sets(Random(1)).solution)
    3
    """
    tree, position = _hidden(lots, "sets")
    question = together([position, Fact("class.econ431.settled"), Fact("class.econ431.sets.asked")])
    return OnTree.sets(tree, question=question, why=Fact("class.econ431.sets.why"))


def form(lots: Random) -> OnMatrix:
    """Build a question on the strategic form of an endgame that is won, lost or neither.

    >>> from random import Random
    >>> len(form(Random(1)).solution)
    12
    """
    tree, position = _hidden(lots, lots.choice(FORMS))
    question = together([position, Fact("class.econ431.settled"), _order(tree, position), Fact("class.econ431.fill.asked", _PLAYERS)])
    return OnMatrix.fill(tree, question=question, why=Fact("class.econ431.fill.why", _PLAYERS))


def dominated(lots: Random) -> OnMatrix:
    """Build a question on the dominated strategies of an endgame.

    The endgame is lost for the attacker or worth nothing to either player.

    >>> from random import Random
    >>> len(dominated(Random(1)).solution)
    6
    """
    tree, position = _hidden(lots, lots.choice(STRUCK))
    question = together([position, Fact("class.econ431.settled"), _order(tree, position), Fact("class.econ431.strike.asked", _PLAYERS)])
    return OnMatrix.strike(tree, weak=True, question=question, why=Fact("class.econ431.strike.why"))


def fair_sets(lots: Random) -> OnTree:
    """Build the same question with the actions shuffled.

    The one group that everyone finds earns nothing alone.

    >>> from random import Random
    >>> len(fair_sets(Random(1)).solution)
    3
    """
    tree, position = _hidden(lots, "sets")
    question = together([position, Fact("class.econ431.settled"), Fact("class.econ431.sets.asked")])
    return OnTree.sets(moves_shuffled(tree, lots), question=question, why=Fact("class.econ431.sets.why")).beyond_guessing(BLIND_SETS)


def fair_form(lots: Random) -> OnMatrix:
    """Build the same question for a stake in coins, with the strategies shuffled.

    Guesses earn nothing.

    >>> from random import Random
    >>> len(fair_form(Random(1)).solution)
    12
    """
    tree, position = _hidden(lots, "fill.fair")
    stake = lots.choice(STAKES)
    tree = moves_shuffled(_for_stake(tree, stake), lots)
    coins = Fact("class.econ431.fill.coins", {**_PLAYERS, "stake": str(stake)})
    question = together([position, Fact("class.econ431.settled"), _order(tree, position), coins])
    return OnMatrix.fill(tree, question=question, why=Fact("class.econ431.fill.why", _PLAYERS)).beyond_guessing(BLIND_FORM)


def fair_dominated(lots: Random) -> OnMatrix:
    """Build the same question with the strategies shuffled; guesses earn nothing.

    >>> from random import Random
    >>> len(fair_dominated(Random(1)).solution)
    6
    """
    tree, position = _hidden(lots, "strike.fair")
    tree = moves_shuffled(tree, lots)
    question = together([position, Fact("class.econ431.settled"), _order(tree, position), Fact("class.econ431.strike.asked", _PLAYERS)])
    return OnMatrix.strike(tree, weak=True, question=question, why=Fact("class.econ431.strike.why")).beyond_guessing(BLIND_STRIKE)


def _for_stake(tree: Tree, stake: int) -> Tree:
    """Return the same game with the payoffs multiplied by a stake."""
    inspect_node, labels = look_at(tree), [record.label for record in tree.sets]

    def scale_node(node: int) -> Turn | Draw | End:
        content = inspect_node(node)
        return End(tuple([stake * payoff for payoff in content.payoffs])) if isinstance(content, End) else content

    scaled_tree = grow(0, scale_node, seats=tree.seats, title=tree.title, say=lambda _, infoset: labels[infoset])  # type: ignore[call-overload] # as in `settled`
    scaled_tree.origin = tree.origin
    return scaled_tree


def _order(tree: Tree, told: Fact) -> Fact:
    """Say in which order a strategy of player 2 lists its actions.

    The order is that of the cards that player 1 may lead and player 2 has not seen.
    """
    known = str(told.facts["known"])
    hands = [record.label.partition(" holds ")[2].partition(",")[0].split() for record in tree.sets if record.seat == 1]
    first, second = ([card for card in map(signs, ([card] for card in hand)) if card != known] for hand in hands)
    return Fact("class.econ431.order", {**_PLAYERS, "first": " ".join(first), "second": " ".join(second)})


def _hidden(lots: Random, which: str) -> tuple[Tree, Fact]:
    """Return a tree in which one card is hidden, and the position in words.

    The tree ends as soon as all is known.
    """
    line = dressed(lots, lots.choice(kinds(which)))
    cards = cards_in(line)
    facts = {"hand": signs(cards[:2]), "known": signs(cards[2:3]), "hidden": signs(sorted(cards[3:5]))}
    position = Fact("class.econ431.pair", {**_PLAYERS, **facts, "suit": Suit(line.partition("trump ")[2][0])})
    return settled(build_from(laid(line, lots))), position


HIDDEN_CARD_QUESTIONS: Final = (
    Question("information-sets", 3, Fact("class.econ431.sets"), sets, "tree"),
    Question("strategic-form", 4, Fact("class.econ431.fill"), form, "matrix"),
    Question("dominance", 3, Fact("class.econ431.strike"), dominated, "matrix"),
)
REVISED_HIDDEN_CARD_QUESTIONS: Final = tuple(
    one._replace(make=make) for one, make in zip(HIDDEN_CARD_QUESTIONS, (fair_sets, fair_form, fair_dominated), strict=True)
)
"""The questions that revision 2 asks in another way."""
