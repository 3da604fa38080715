"""Makes two questions on mixed strategies.

One is to find a mixed equilibrium of a small game, the other to write a strategy that nobody can exploit.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.payoffs_in_coins import for_coins, priced, raised, settled
from durak_widget.econ431.endgame_positions import cards_in, dressed, kinds, laid, signs, together
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.number_exercise import Number
from durak_widget.exercises.strategy_exercise import Strategy
from durak_widget.gametheory.bimatrix_equilibria import minimax
from durak_widget.gametheory.outcome_sampling_mccfr import look_at
from durak_widget.gametheory.strategic_form import matrix
from durak_widget.gametheory.tree import Turn, grow
from durak_widget.homework.assignment import Question
from durak_widget.i18n import Fact, Seat, Suit

if TYPE_CHECKING:
    from random import Random

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.gametheory.strategic_form import Matrix
    from durak_widget.gametheory.tree import Draw, End, Tree

STAKES: Final = (1, 2, 3, 4, 5, 6)
"""Coins that the loser may have to pay in addition to one for each card left."""


class Price(NamedTuple):
    """The coins paid in a game whose equilibrium is read off a 2 by 2 matrix."""

    each: int
    """Paid by the loser, for each card left."""
    stake: int
    """Paid by the loser in addition."""
    toll: Fraction
    """Paid by a player who takes without having to.

    So one player's mixed strategy does not give away the other's.
    """


PRICES: Final = tuple(Price(each, stake, toll) for each in (1, 2, 3) for stake in (2, 3, 4, 5, 6) for toll in (Fraction(1, 2), Fraction(1)))


class Little(NamedTuple):
    """A 2 by 2 game: one choice of each player, with everything else decided."""

    cells: tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]
    """Payoffs of player 1: a row for each of its moves, a column for each of the other's."""
    known: str
    """The card that player 1 may lead and that the other has seen, in the cards of the kind."""
    led: str
    """The card that player 1 may lead instead."""

    @property
    def likely(self) -> tuple[Fraction, Fraction]:
        """Return each player's probability of the first of its two moves, in the only equilibrium."""
        (a, b), (c, d) = self.cells
        denominator = a - b - c + d
        return (d - c) / denominator, (d - b) / denominator

    @property
    def value(self) -> Fraction:
        """Return the value of the game for player 1."""
        (a, b), (c, d) = self.cells
        return (a * d - b * c) / (a - b - c + d)


def mixed(tree: Tree, game: Matrix) -> tuple[int, int] | None:
    """Find the one information set at which each player mixes in the equilibrium.

    Return None unless each player mixes at exactly one, between two actions.
    """
    equilibrium = minimax(game)
    infosets: list[int] = []
    for strategies, mix in ((game.rows, equilibrium.row), (game.columns, equilibrium.column)):
        played = [strategy.moves for strategy, probability in zip(strategies, mix, strict=True) if probability]
        mixing_infosets = {
            infoset for strategy in played for infoset in strategy if len({another.get(infoset) for another in played} - {None}) > 1
        }
        infosets += mixing_infosets if len(mixing_infosets) == 1 else []
    if len(infosets) != 2 or any(len(tree.sets[infoset].moves) != 2 for infoset in infosets):
        return None
    return infosets[0], infosets[1]


def decided(tree: Tree, made: dict[int, int]) -> Tree:
    """Return the game in which one action is fixed at each of these information sets."""
    inspect_node = look_at(tree)

    def fix_node(node: int) -> Turn | Draw | End:
        content = inspect_node(node)
        if isinstance(content, Turn) and content.knows in made:
            return Turn(content.seat, content.knows, [content.moves[made[content.knows]]])
        return content

    return grow(0, fix_node, seats=2)


@cache
def little(kind: str, price: Price) -> Little | None:
    """Reduce a game to one choice of each player, with everything else played optimally.

    The value stays the same. Return None where the game is not of this kind.

    >>> found = little(kinds("apart")[0], PRICES[0])
    >>> found.value == found.likely[0] * found.cells[0][0] + (1 - found.likely[0]) * found.cells[1][0]
    True
    """
    tree = settled(priced(_tree(kind), *price))
    game = matrix(tree)
    infosets = mixed(tree, game)
    if infosets is None:
        return None
    own_infoset, other_infoset = infosets
    leads, answers = tree.sets[own_infoset].moves, tree.sets[other_infoset].moves
    known_lead = next((move for move in leads if answers[0].startswith(f"beat {move[-2:]} ")), "")
    if not known_lead or answers[1] != "take" or not all(move.startswith("attack ") for move in leads):
        return None
    lead_order = sorted(range(2), key=lambda move: leads[move] != known_lead)
    (a, b), (c, d) = (
        [minimax(matrix(decided(tree, {own_infoset: move, other_infoset: answer}))).value for answer in (0, 1)] for move in lead_order
    )
    if not (min(a, d) > max(b, c) or max(a, d) < min(b, c)):
        return None
    return Little(((a, b), (c, d)), *(leads[move][-2:] for move in lead_order))


@cache
def _tree(kind: str) -> Tree:
    """Build the tree of an endgame in which each card costs one coin."""
    return for_coins(laid(kind))


def mixture(lots: Random) -> Number:
    """Build a question that asks for the probability of one of two leads in the equilibrium.

    >>> from random import Random
    >>> 0 < mixture(Random(1)).right < 1
    True
    """
    original, price = lots.choice(kinds("apart")), lots.choice(PRICES)
    reduced = little(original, price)
    if reduced is None:  # tools/kinds431.py and the tests make sure that this does not happen
        raise DurakError(f"{quoted(original)} is no kind of game that must mix")
    line = dressed(lots, original)
    new_card = dict(zip(cards_in(original), cards_in(line), strict=True))
    (a, b), (c, d) = ([_said(value) for value in row] for row in reduced.cells)
    own, other_player = reduced.likely
    known, led = (signs([new_card[card]]) for card in (reduced.known, reduced.led))
    asked_card, other_card = (known, led) if (first := bool(lots.randrange(2))) else (led, known)
    right = own if first else 1 - own
    facts: dict[str, object] = {"next": Seat(1), "hand": f"{known} {led}", "known": known, "led": led, "a": a, "b": b, "c": c, "d": d}
    facts |= {"asked": asked_card, "other": other_card}
    mistaken = {
        "other": 1 - right,
        "theirs": other_player,
        "taken": 1 - other_player,
        "value": reduced.value,
        "even": Fraction(1, 2),
        "always": 1,
        "never": 0,
    }
    mistakes = {name: (value, Fact(f"class.econ431.mix.{name}", facts)) for name, value in mistaken.items()}
    why = Fact("class.econ431.mix.why", {**facts, "value": _said(reduced.value)})
    return Number(Fact("class.econ431.mix.asked", facts), right, mistakes=mistakes, hint=Fact("class.econ431.mix.hint", facts), why=why)


def unexploited(lots: Random) -> Strategy:
    """Build a question that asks for a strategy that the attacker can't exploit.

    The defender has to mix at one information set.

    >>> from random import Random
    >>> unexploited(Random(1)).tree.infosets
    (3, 6)
    """
    kind, stake = lots.choice(kinds("mix")), lots.choice(STAKES)
    line = dressed(lots, kind)
    game = laid(line, lots)
    question = Fact("class.econ431.exploit.asked", {"other": Seat(1)})
    parts: list[Text] = [three(line), paid(stake), Fact("class.econ431.settled"), question]
    return Strategy(raised(settled(for_coins(game)), stake), seat=1, question=together(parts), why=Fact("class.econ431.exploit.why"))


def three(line: str) -> Fact:
    """Describe a position in which the attacker holds one of three cards."""
    cards = cards_in(line)
    facts = {"known": signs(cards[:1]), "hidden": signs(sorted([cards[1], *cards[3:5]])), "theirs": signs(cards[2:3])}
    return Fact("class.econ431.three", {"one": Seat(0), "other": Seat(1), "suit": Suit(line.partition("trump ")[2][0]), **facts})


def paid(stake: int) -> Fact:
    """Say how much the loser pays."""
    return Fact("class.econ431.stake.more", {"stake": str(stake)}) if stake else Fact("class.econ431.stake")


def _said(number: Fraction) -> str:
    """Format a number with a proper minus sign."""
    return str(number).replace("-", "−")


MIXED_STRATEGY_QUESTIONS: Final = (Question("mixed-equilibrium", 4, Fact("class.econ431.mix"), mixture, "number"),)
EQUILIBRIUM_STRATEGY_QUESTIONS: Final = (Question("no-exploit", 6, Fact("class.econ431.exploit"), unexploited, "strategy"),)
