"""The fifth to the seventh question: an ending drawn as a tree, solved backwards, and one in which it is best to take.

The endings have been reached in play by lots and are kept in `endings.txt`, which `tools/endings431.py` writes: positions alone, without what is right there.
Suits and seats are changed by lots.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from durak_widget.classroom.assignment import Question
from durak_widget.classroom.econ431.played import signs
from durak_widget.game.game import Game
from durak_widget.lessons.on_tree import OnTree
from durak_widget.theory.building import build_from
from durak_widget.words import Fact, Seat, Suit

if TYPE_CHECKING:
    from random import Random

    from durak_widget.lessons.given import Text
    from durak_widget.theory.tree import Tree

_CARD: Final = re.compile(r"(?<=[9TJQKA])[cdhs]|(?<=trump )[cdhs]")


@cache
def endings(which: str) -> tuple[str, ...]:
    """The positions of a question, as lines without their rules.

    >>> len(endings("draw")) > 50
    True
    """
    text = (files("durak_widget.classroom.econ431") / "endings.txt").read_text(encoding="utf-8")
    named = [part.partition("\n") for part in text.split("\n# ")[1:]]
    return tuple(next(lines for name, _, lines in named if name == which).split("\n"))


def ending(lots: Random, which: str) -> Game:
    """One of these positions, with suits and seats changed by lots.

    >>> from random import Random
    >>> game = ending(Random(1), "draw")
    >>> len(game.talon), game.bout
    (0, 2)
    """
    line, suits = lots.choice(endings(which)), dict(zip("cdhs", lots.sample("cdhs", 4), strict=True))
    line = _CARD.sub(lambda found: suits[found[0]], line)
    return Game.at(f"econ431: {turned(line) if lots.randrange(2) else line}")


def turned(line: str) -> str:
    """The same with the seats exchanged.

    >>> turned("9c Kd | Tc; trump h; attacker 1"), turned("9c Kd | Tc; trump h")
    ('Tc | 9c Kd; trump h', 'Tc | 9c Kd; trump h; attacker 1')
    """
    hands, _, rest = line.partition("; ")
    one, _, other = hands.partition(" | ")
    facts = rest.split("; ")
    facts = [fact for fact in facts if fact != "attacker 1"] if "attacker 1" in facts else [facts[0], "attacker 1", *facts[1:]]
    return f"{other} | {one}; {'; '.join(facts)}"


def draws(lots: Random) -> OnTree:
    """The extensive form of an ending, to be drawn.

    >>> from random import Random
    >>> draws(Random(1)).asks
    'draw'
    """
    game = ending(lots, "draw")
    return OnTree.draw(game, question=_asked(game, Fact("lesson.tree.draw")), why=Fact("class.econ431.draw.why"))


def backwards(lots: Random) -> OnTree:
    """What is an ending worth, wherever somebody decides?

    >>> from random import Random
    >>> len(backwards(Random(1)).solution) in (9, 10)
    True
    """
    game = ending(lots, "values")
    asked = Fact("lesson.under", {"rule": Fact("lesson.tree.values.one", {"who": Seat(0)}), "asked": Fact("class.econ431.values.worth")})
    return OnTree.values(_tree(game), question=_asked(game, asked), why=Fact("class.econ431.values.why"))


def takes(lots: Random) -> OnTree:
    """How does an ending go in which one could beat, and does well to take?

    >>> from random import Random
    >>> takes(Random(1)).solution[0]
    'take'
    """
    game = ending(lots, "take")
    return OnTree.path(_tree(game), question=_asked(game, Fact("lesson.tree.path")), why=Fact("class.econ431.take.why"))


def _tree(game: Game) -> Tree:
    return build_from(game, open_hands=True)


def _asked(game: Game, asked: Text) -> Text:
    """The question, with the position before it."""
    facts = {f"{name}": signs(game.hands[seat]) or "–" for seat, name in enumerate(("hand", "others"))}
    said: dict[str, object] = {"one": Seat(0), "other": Seat(1), "who": Seat(game.attacker), "suit": Suit(str(game.trump)), **facts}
    key = f"class.econ431.ending{'.attacked' if game.table else ''}"
    return Fact("lesson.under", {"rule": Fact(key, {**said, "table": signs(game.table.unbeaten)}), "asked": asked})


QUESTIONS: Final = (
    Question("extensive-form", 4, Fact("class.econ431.draw"), draws, "tree"),
    Question("backward-induction", 4, Fact("class.econ431.values"), backwards, "tree"),
    Question("beat-or-take", 3, Fact("class.econ431.take"), takes, "tree"),
)
