"""Makes four questions on endgames.

They are: draw the tree, solve it by backward induction, take or beat, attack first or not. In the last one both
hands are open, and a coin decides who gets which hand: is it an advantage to attack first?
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.durak_tree import build_from
from durak_widget.analysis.payoffs_in_coins import for_coins, priced, settled
from durak_widget.econ431.endgame_positions import BESIDES, EACH, dressed, kinds, laid, moves_shuffled, position, signs, together
from durak_widget.exercises.number_exercise import Number
from durak_widget.exercises.tree_exercise import OnTree
from durak_widget.homework.assignment import Question
from durak_widget.i18n import Fact, Seat, Suit

if TYPE_CHECKING:
    from random import Random

    from durak_widget.engine.game import Game
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.gametheory.tree import Tree

BLIND_VALUES: Final = Fraction(1, 4)
"""Share of the values that blind guesses get, after the penalty for wrong ones."""
ANSWERS: Final = (*3 * ("yes", "no"), "even")
"""Answers to "is it an advantage?", each as often as it is listed; each is the part `first.<answer>` of the file."""


def draws(lots: Random) -> OnTree:
    """Build a question that asks for the extensive form of an endgame.

    >>> from random import Random
    >>> draws(Random(1)).asks
    'draw'
    """
    game = position(lots, "draw")
    return OnTree.draw(game, question=_asked(game, Fact("lesson.tree.draw")), why=Fact("class.econ431.draw.why"))


def backwards(lots: Random) -> OnTree:
    """Build a question that asks for the value, in coins, of each decision node of an endgame.

    So many numbers are possible that guessing does not help.

    >>> from random import Random
    >>> len(backwards(Random(1)).solution) in (9, 10)
    True
    """
    game, each, stake = position(lots, "values"), lots.choice(EACH), lots.choice(BESIDES)
    paid = Fact("class.econ431.stake.each", {"each": str(each), "stake": str(stake)})
    question = together([paid, Fact("lesson.tree.values.one", {"who": Seat(0)})])
    return OnTree.values(priced(for_coins(game), each, stake, 0), question=_asked(game, question), why=Fact("class.econ431.values.why"))


def fair_backwards(lots: Random) -> OnTree:
    """Build the same question so that blind guesses earn nothing.

    In its endgame "the player who moves wins" is no good guess, and the actions are in random order.

    >>> from random import Random
    >>> len(fair_backwards(Random(1)).solution) in (9, 10)
    True
    """
    game, each, stake = position(lots, "values.fair"), lots.choice(EACH), lots.choice(BESIDES)
    paid = Fact("class.econ431.stake.each", {"each": str(each), "stake": str(stake)})
    question = together([paid, Fact("lesson.tree.values.one", {"who": Seat(0)})])
    tree = moves_shuffled(priced(for_coins(game), each, stake, 0), lots)
    return OnTree.values(tree, question=_asked(game, question), why=Fact("class.econ431.values.why")).beyond_guessing(BLIND_VALUES)


def takes(lots: Random) -> OnTree:
    """Build a question that asks for the equilibrium path of an endgame with a card to beat.

    Taking is right for half of the students, beating for the other half.

    >>> from random import Random
    >>> sorted({takes(Random(seed)).solution[0][:4] for seed in range(5)})
    ['beat', 'take']
    """
    right = lots.choice(("take", "beat"))
    game = position(lots, right)
    return OnTree.path(_tree(game), question=_asked(game, Fact("lesson.tree.path")), why=Fact(f"class.econ431.take.why.{right}"))


def _tree(game: Game) -> Tree:
    return build_from(game, open_hands=True)


def _asked(game: Game, asked: Text) -> Text:
    """Return the question with the position before it."""
    facts = {f"{name}": signs(game.hands[seat]) or "–" for seat, name in enumerate(("hand", "others"))}
    names: dict[str, object] = {"one": Seat(0), "other": Seat(1), "who": Seat(game.attacker), "suit": Suit(str(game.trump)), **facts}
    key = f"class.econ431.ending{'.attacked' if game.table else ''}"
    return together([Fact(key, {**names, "table": signs(game.table.unbeaten)}), asked])


ENDGAME_QUESTIONS: Final = (
    Question("extensive-form", 4, Fact("class.econ431.draw"), draws, "tree"),
    Question("backward-induction", 4, Fact("class.econ431.values"), backwards, "tree"),
    Question("beat-or-take", 3, Fact("class.econ431.take"), takes, "tree"),
)
REVISED_ENDGAME_QUESTIONS: Final = (ENDGAME_QUESTIONS[1]._replace(make=fair_backwards),)
"""The questions that revision 2 asks in another way."""


class FirstWorth(NamedTuple):
    """The value of attacking first, when a coin decides who gets which hand."""

    ways: tuple[Fraction, ...]
    """The value in coins with one hand, and with the other."""
    cards: tuple[Fraction, ...]
    """The same in cards that the loser has left."""

    @property
    def value(self) -> Fraction:
        """Return the average over both hands."""
        return sum(self.ways, Fraction(0)) / len(self.ways)

    @property
    def mistakes(self) -> dict[str, Fraction]:
        """Return the results of common mistakes, by name."""
        return {
            "sum": sum(self.ways, Fraction(0)),
            "turned": -self.value,
            "best": max(self.ways),
            "cards": sum(self.cards, Fraction(0)) / len(self.cards),
            "plain": Fraction(sum(1 if value > 0 else -1 for value in self.ways), len(self.ways)),
        }


@cache
def cards_left(kind: str) -> tuple[Fraction, ...]:
    """Return how many cards the loser has left, for the hands as given and exchanged.

    The number is negative where the player who attacks first loses.

    >>> [int(cards) for cards in cards_left("9h Jd | 9d Ah Qd; trump h")]
    [-2, -1]
    """
    hands, _, rest = kind.partition(";")
    first_hand, _, second_hand = hands.partition(" | ")
    counts = []
    for variant in (f"{first_hand} | {second_hand};{rest}", f"{second_hand} | {first_hand};{rest}"):
        [(won, _)] = settled(for_coins(laid(variant))).payoffs
        counts.append(Fraction(won))
    return tuple(counts)


def worth_of(kind: str, each: int, stake: int) -> FirstWorth:
    """Return the value of attacking first, when the loser pays for each card and a stake.

    >>> str(worth_of("9h Jd | 9d Ah Qd; trump h", 2, 3).value)
    '-6'
    """
    cards = cards_left(kind)
    return FirstWorth(tuple(each * count + (stake if count > 0 else -stake) for count in cards), cards)


def first(lots: Random) -> Number:
    """Build a question that asks for the value of attacking first, averaged over both deals.

    >>> from random import Random
    >>> {(number > 0) - (number < 0) for number in (first(Random(seed)).right for seed in range(9))} == {-1, 0, 1}
    True
    """
    answer = lots.choice(ANSWERS)
    line, each, stake = lots.choice(kinds(f"first.{answer}")), lots.choice(EACH), lots.choice(BESIDES)
    attack_value = worth_of(line, each, stake)
    game = laid(dressed(lots, line), lots)
    first_hand, second_hand = (signs(hand) for hand in lots.sample(game.hands, 2))
    prices = {"each": str(each), "stake": str(stake)}
    facts: dict[str, object] = {"next": Seat(1), "first": first_hand, "second": second_hand, "suit": Suit(str(game.trump))}
    mistakes = {name: (value, Fact(f"class.econ431.first.{name}", prices)) for name, value in attack_value.mistakes.items()}
    why = Fact(f"class.econ431.first.why.{answer}")
    return Number(
        Fact("class.econ431.first.asked", {**facts, "paid": Fact("class.econ431.stake.each", prices)}),
        attack_value.value,
        mistakes=mistakes,
        hint=Fact("class.econ431.first.hint"),
        why=why,
    )


FIRST_MOVE_QUESTIONS: Final = (Question("attack-first", 4, Fact("class.econ431.first"), first, "number"),)
