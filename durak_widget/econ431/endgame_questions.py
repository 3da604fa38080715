"""Three questions of endings: an ending drawn as a tree, one solved backwards, and one in which it is best to take, or is not."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.analysis.coin_payoff_trees import for_coins, priced
from durak_widget.analysis.durak_tree import build_from
from durak_widget.econ431.endgame_positions import BESIDES, EACH, position, signs, together
from durak_widget.econ431.move_order import moves_shuffled
from durak_widget.exercises.tree_exercise import OnTree
from durak_widget.homework.assignment import Question
from durak_widget.i18n import Fact, Seat, Suit

if TYPE_CHECKING:
    from random import Random

    from durak_widget.engine.game import Game
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.gametheory.tree import Tree


def draws(lots: Random) -> OnTree:
    """The extensive form of an ending, to be drawn.

    >>> from random import Random
    >>> draws(Random(1)).asks
    'draw'
    """
    game = position(lots, "draw")
    return OnTree.draw(game, question=_asked(game, Fact("lesson.tree.draw")), why=Fact("class.econ431.draw.why"))


def backwards(lots: Random) -> OnTree:
    """What is an ending worth, in coins, wherever somebody decides? So many numbers are possible that nobody guesses them.

    >>> from random import Random
    >>> len(backwards(Random(1)).solution) in (9, 10)
    True
    """
    game, each, stake = position(lots, "values"), lots.choice(EACH), lots.choice(BESIDES)
    paid = Fact("class.econ431.stake.each", {"each": str(each), "stake": str(stake)})
    asked = together([paid, Fact("lesson.tree.values.one", {"who": Seat(0)})])
    return OnTree.values(priced(for_coins(game), each, stake, 0), question=_asked(game, asked), why=Fact("class.econ431.values.why"))


def fair_backwards(lots: Random) -> OnTree:
    """Ask the same at an ending in which "the player who moves wins" is no good guess, with the moves in random order; guesses earn nothing.

    >>> from random import Random
    >>> len(fair_backwards(Random(1)).solution) in (9, 10)
    True
    """
    game, each, stake = position(lots, "values.fair"), lots.choice(EACH), lots.choice(BESIDES)
    paid = Fact("class.econ431.stake.each", {"each": str(each), "stake": str(stake)})
    asked = together([paid, Fact("lesson.tree.values.one", {"who": Seat(0)})])
    tree = moves_shuffled(priced(for_coins(game), each, stake, 0), lots)
    return OnTree.values(tree, question=_asked(game, asked), why=Fact("class.econ431.values.why")).beyond_guessing(BLIND_VALUES)


def takes(lots: Random) -> OnTree:
    """How does an ending go in which a card lies there that could be beaten: does well who takes, or who beats it? Either is so for half of the students.

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
    """The question, with the position before it."""
    facts = {f"{name}": signs(game.hands[seat]) or "–" for seat, name in enumerate(("hand", "others"))}
    said: dict[str, object] = {"one": Seat(0), "other": Seat(1), "who": Seat(game.attacker), "suit": Suit(str(game.trump)), **facts}
    key = f"class.econ431.ending{'.attacked' if game.table else ''}"
    return together([Fact(key, {**said, "table": signs(game.table.unbeaten)}), asked])


BLIND_VALUES: Final = Fraction(1, 4)
"""Blind answers get about this share of the values, after what wrong ones cost."""
ENDGAME_QUESTIONS: Final = (
    Question("extensive-form", 4, Fact("class.econ431.draw"), draws, "tree"),
    Question("backward-induction", 4, Fact("class.econ431.values"), backwards, "tree"),
    Question("beat-or-take", 3, Fact("class.econ431.take"), takes, "tree"),
)
REVISED_ENDGAME_QUESTIONS: Final = (ENDGAME_QUESTIONS[1]._replace(make=fair_backwards),)
"""What revision 2 asks in another way."""
