"""Three questions of hidden cards: information sets of an ending with hidden cards, its strategic form, and plans that are dominated."""

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
"""The parts of the file for a form to be filled in, by what the game is worth to who attacks: each is drawn as often as the others."""
STRUCK: Final = ("strike.even", "strike.lost")
"""The same for plans to be struck out; where who attacks wins, too few of them go."""
STAKES: Final = (2, 3, 4, 5, 6, 8, 10)
"""So many coins the loser may pay, where the strategic form is asked for."""
BLIND_SETS: Final = Fraction(1, 3)
"""Everybody joins the two places at which the first player begins: one group of three."""
BLIND_FORM: Final = Fraction(1, 4)
BLIND_STRIKE: Final = Fraction(3, 4)
"""What blind answers get of cells and of plans, after what wrong ones cost. Most that begin with an attack or beat twice are dominated, whatever the cards."""


def sets(lots: Random) -> OnTree:
    """What can a player not tell apart who does not know one card of the other?

    >>> from random import Random
    >>> len(sets(Random(1)).solution)
    3
    """
    tree, told = _hidden(lots, "sets")
    asked = together([told, Fact("class.econ431.settled"), Fact("class.econ431.sets.asked")])
    return OnTree.sets(tree, question=asked, why=Fact("class.econ431.sets.why"))


def form(lots: Random) -> OnMatrix:
    """The strategic form of such an ending: one that is won, one that is lost, or one that is neither.

    >>> from random import Random
    >>> len(form(Random(1)).solution)
    12
    """
    tree, told = _hidden(lots, lots.choice(FORMS))
    asked = together([told, Fact("class.econ431.settled"), _order(tree, told), Fact("class.econ431.fill.asked", _PLAYERS)])
    return OnMatrix.fill(tree, question=asked, why=Fact("class.econ431.fill.why", _PLAYERS))


def dominated(lots: Random) -> OnMatrix:
    """The plans of such an ending that nobody needs: one that is lost, or one that is worth nothing to either.

    >>> from random import Random
    >>> len(dominated(Random(1)).solution)
    6
    """
    tree, told = _hidden(lots, lots.choice(STRUCK))
    asked = together([told, Fact("class.econ431.settled"), _order(tree, told), Fact("class.econ431.strike.asked", _PLAYERS)])
    return OnMatrix.strike(tree, weak=True, question=asked, why=Fact("class.econ431.strike.why"))


def fair_sets(lots: Random) -> OnTree:
    """Ask the same with the moves in random order; the one group that is alike for everybody earns nothing alone.

    >>> from random import Random
    >>> len(fair_sets(Random(1)).solution)
    3
    """
    tree, told = _hidden(lots, "sets")
    asked = together([told, Fact("class.econ431.settled"), Fact("class.econ431.sets.asked")])
    return OnTree.sets(moves_shuffled(tree, lots), question=asked, why=Fact("class.econ431.sets.why")).beyond_guessing(BLIND_SETS)


def fair_form(lots: Random) -> OnMatrix:
    """Ask the same for a stake in coins, with the plans in random order; guesses earn nothing.

    >>> from random import Random
    >>> len(fair_form(Random(1)).solution)
    12
    """
    tree, told = _hidden(lots, "fill.fair")
    stake = lots.choice(STAKES)
    tree = moves_shuffled(_for_stake(tree, stake), lots)
    coins = Fact("class.econ431.fill.coins", {**_PLAYERS, "stake": str(stake)})
    asked = together([told, Fact("class.econ431.settled"), _order(tree, told), coins])
    return OnMatrix.fill(tree, question=asked, why=Fact("class.econ431.fill.why", _PLAYERS)).beyond_guessing(BLIND_FORM)


def fair_dominated(lots: Random) -> OnMatrix:
    """Ask the same with the plans in random order; guesses earn nothing.

    >>> from random import Random
    >>> len(fair_dominated(Random(1)).solution)
    6
    """
    tree, told = _hidden(lots, "strike.fair")
    tree = moves_shuffled(tree, lots)
    asked = together([told, Fact("class.econ431.settled"), _order(tree, told), Fact("class.econ431.strike.asked", _PLAYERS)])
    return OnMatrix.strike(tree, weak=True, question=asked, why=Fact("class.econ431.strike.why")).beyond_guessing(BLIND_STRIKE)


def _for_stake(tree: Tree, stake: int) -> Tree:
    """Return the game in which the loser pays the winner so much."""
    look, labels = look_at(tree), [one.label for one in tree.sets]

    def told(here: int) -> Turn | Draw | End:
        found = look(here)
        return End(tuple([stake * one for one in found.payoffs])) if isinstance(found, End) else found

    new = grow(0, told, seats=tree.seats, title=tree.title, say=lambda _, place: labels[place])  # type: ignore[call-overload] # as in `settled`
    new.origin = tree.origin
    return new


def _order(tree: Tree, told: Fact) -> Fact:
    """In which order a plan of the second player says what it does: by the card that the first has not seen."""
    known = str(told.facts["known"])
    hands = [one.label.partition(" holds ")[2].partition(",")[0].split() for one in tree.sets if one.seat == 1]
    first, second = ([card for card in map(signs, ([card] for card in hand)) if card != known] for hand in hands)
    return Fact("class.econ431.order", {**_PLAYERS, "first": " ".join(first), "second": " ".join(second)})


def _hidden(lots: Random, which: str) -> tuple[Tree, Fact]:
    """A tree in which one card is hidden, without what follows when all is known; and the position in words."""
    line = dressed(lots, lots.choice(kinds(which)))
    cards = cards_in(line)
    facts = {"hand": signs(cards[:2]), "known": signs(cards[2:3]), "hidden": signs(sorted(cards[3:5]))}
    told = Fact("class.econ431.pair", {**_PLAYERS, **facts, "suit": Suit(line.partition("trump ")[2][0])})
    return settled(build_from(laid(line, lots))), told


HIDDEN_CARD_QUESTIONS: Final = (
    Question("information-sets", 3, Fact("class.econ431.sets"), sets, "tree"),
    Question("strategic-form", 4, Fact("class.econ431.fill"), form, "matrix"),
    Question("dominance", 3, Fact("class.econ431.strike"), dominated, "matrix"),
)
REVISED_HIDDEN_CARD_QUESTIONS: Final = tuple(
    one._replace(make=make) for one, make in zip(HIDDEN_CARD_QUESTIONS, (fair_sets, fair_form, fair_dominated), strict=True)
)
"""What revision 2 asks in another way."""
