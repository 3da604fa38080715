"""Two questions of mixing: an equilibrium that must mix, read off a little game; and a strategy that nobody can exploit."""

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
"""What the loser may pay besides one coin for each card that is left."""


class Price(NamedTuple):
    """What is paid where an equilibrium is read off a little game."""

    each: int
    """By the loser, for each card that is left."""
    stake: int
    """By the loser besides."""
    toll: Fraction
    """By whoever takes and need not: so the one mix does not tell the other."""


PRICES: Final = tuple(Price(each, stake, toll) for each in (1, 2, 3) for stake in (2, 3, 4, 5, 6) for toll in (Fraction(1, 2), Fraction(1)))


class Little(NamedTuple):
    """What is left of a game when all is decided but one choice of each player."""

    cells: tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]
    """What the first player wins: in the rows its two moves, in the columns those of the other."""
    known: str
    """The card that the first player may lead and the other has seen, in the cards of the kind."""
    led: str
    """The card that it may lead instead."""

    @property
    def likely(self) -> tuple[Fraction, Fraction]:
        """How likely each player makes the first of its two moves, in the one equilibrium."""
        (a, b), (c, d) = self.cells
        whole = a - b - c + d
        return (d - c) / whole, (d - b) / whole

    @property
    def value(self) -> Fraction:
        """What the game is worth to the first player."""
        (a, b), (c, d) = self.cells
        return (a * d - b * c) / (a - b - c + d)


def mixed(tree: Tree, game: Matrix) -> tuple[int, int] | None:
    """Where each player chooses by lot in the equilibrium, if each does at one place, and there between two moves."""
    found = minimax(game)
    places: list[int] = []
    for plans, mix in ((game.rows, found.row), (game.columns, found.column)):
        played = [plan.moves for plan, likely in zip(plans, mix, strict=True) if likely]
        several = {place for plan in played for place in plan if len({other.get(place) for other in played} - {None}) > 1}
        places += several if len(several) == 1 else []
    if len(places) != 2 or any(len(tree.sets[place].moves) != 2 for place in places):
        return None
    return places[0], places[1]


def decided(tree: Tree, made: dict[int, int]) -> Tree:
    """The game in which at these information sets one move has been decided on."""
    look = look_at(tree)

    def told(here: int) -> Turn | Draw | End:
        found = look(here)
        if isinstance(found, Turn) and found.knows in made:
            return Turn(found.seat, found.knows, [found.moves[made[found.knows]]])
        return found

    return grow(0, told, seats=2)


@cache
def little(kind: str, price: Price) -> Little | None:
    """What is left of a game when all else is played as well as can be: then this is worth what the whole is worth.

    >>> found = little(kinds("apart")[0], PRICES[0])
    >>> found.value == found.likely[0] * found.cells[0][0] + (1 - found.likely[0]) * found.cells[1][0]
    True
    """
    tree = settled(priced(_tree(kind), *price))
    game = matrix(tree)
    places = mixed(tree, game)
    if places is None:
        return None
    mine, theirs = places
    leads, answers = tree.sets[mine].moves, tree.sets[theirs].moves
    known = next((move for move in leads if answers[0].startswith(f"beat {move[-2:]} ")), "")
    if not known or answers[1] != "take" or not all(move.startswith("attack ") for move in leads):
        return None
    ways = sorted(range(2), key=lambda move: leads[move] != known)
    (a, b), (c, d) = ([minimax(matrix(decided(tree, {mine: move, theirs: answer}))).value for answer in (0, 1)] for move in ways)
    if not (min(a, d) > max(b, c) or max(a, d) < min(b, c)):
        return None
    return Little(((a, b), (c, d)), *(leads[move][-2:] for move in ways))


@cache
def _tree(kind: str) -> Tree:
    """The game of a kind, for a coin a card."""
    return for_coins(laid(kind))


def mixture(lots: Random) -> Number:
    """How likely is one of two leads in the equilibrium?

    >>> from random import Random
    >>> 0 < mixture(Random(1)).right < 1
    True
    """
    kind, price = lots.choice(kinds("apart")), lots.choice(PRICES)
    found = little(kind, price)
    if found is None:  # as tools/kinds431.py and the tests see to, there is none such
        raise DurakError(f"{quoted(kind)} is no kind of game that must mix")
    line = dressed(lots, kind)
    now = dict(zip(cards_in(kind), cards_in(line), strict=True))
    (a, b), (c, d) = ([_said(one) for one in row] for row in found.cells)
    mine, theirs = found.likely
    known, led = (signs([now[card]]) for card in (found.known, found.led))
    asked, other = (known, led) if (first := bool(lots.randrange(2))) else (led, known)
    right = mine if first else 1 - mine
    facts: dict[str, object] = {"next": Seat(1), "hand": f"{known} {led}", "known": known, "led": led, "a": a, "b": b, "c": c, "d": d}
    facts |= {"asked": asked, "other": other}
    given = {
        "other": 1 - right,
        "theirs": theirs,
        "taken": 1 - theirs,
        "value": found.value,
        "even": Fraction(1, 2),
        "always": 1,
        "never": 0,
    }
    mistakes = {name: (value, Fact(f"class.econ431.mix.{name}", facts)) for name, value in given.items()}
    why = Fact("class.econ431.mix.why", {**facts, "value": _said(found.value)})
    return Number(Fact("class.econ431.mix.asked", facts), right, mistakes=mistakes, hint=Fact("class.econ431.mix.hint", facts), why=why)


def unexploited(lots: Random) -> Strategy:
    """How should the defender play, who must mix at one place?

    >>> from random import Random
    >>> unexploited(Random(1)).tree.infosets
    (3, 6)
    """
    kind, stake = lots.choice(kinds("mix")), lots.choice(STAKES)
    line = dressed(lots, kind)
    game = laid(line, lots)
    asked = Fact("class.econ431.exploit.asked", {"other": Seat(1)})
    parts: list[Text] = [three(line), paid(stake), Fact("class.econ431.settled"), asked]
    return Strategy(raised(settled(for_coins(game)), stake), seat=1, question=together(parts), why=Fact("class.econ431.exploit.why"))


def three(line: str) -> Fact:
    """A position in which one of three cards is held by who attacks, in words."""
    cards = cards_in(line)
    facts = {"known": signs(cards[:1]), "hidden": signs(sorted([cards[1], *cards[3:5]])), "theirs": signs(cards[2:3])}
    return Fact("class.econ431.three", {"one": Seat(0), "other": Seat(1), "suit": Suit(line.partition("trump ")[2][0]), **facts})


def paid(stake: int) -> Fact:
    """What the loser pays, in words."""
    return Fact("class.econ431.stake.more", {"stake": str(stake)}) if stake else Fact("class.econ431.stake")


def _said(number: Fraction) -> str:
    """A number with the sign that people write."""
    return str(number).replace("-", "−")


MIXED_STRATEGY_QUESTIONS: Final = (Question("mixed-equilibrium", 4, Fact("class.econ431.mix"), mixture, "number"),)
EQUILIBRIUM_STRATEGY_QUESTIONS: Final = (Question("no-exploit", 6, Fact("class.econ431.exploit"), unexploited, "strategy"),)
