"""Positions of the classroom game that were reached in play by lots, kept in `positions.txt`; suits and seats are changed by lots.

`tools/positions431.py` writes the file: positions alone, those of one question all of one size, without what is right there.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from durak_widget.cards import Card
from durak_widget.econ431.kinds import RANKS, SUITS, part_of
from durak_widget.engine.game import Game
from durak_widget.i18n import Fact, Voice
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from durak_widget.exercises.answer_parsing import Text

PRESET: Final = "econ431"
RULES: Final = Rules.preset(PRESET)
SUIT: Final = re.compile(rf"(?<=[{RANKS}])[{SUITS}]|(?<=trump )[{SUITS}]")
"""Where a suit stands in a line."""
EACH: Final = (1, 2, 3)
"""So many coins a card may cost the loser."""
BESIDES: Final = (1, 2, 3, 4)
"""So many the loser may pay besides."""


@cache
def positions(which: str) -> tuple[str, ...]:
    """The positions of a question, as lines without their rules.

    >>> len(positions("draw"))
    120
    """
    return part_of("positions.txt", which)


def position(lots: Random, which: str) -> Game:
    """One of them, with suits and seats changed by lots.

    >>> from random import Random
    >>> game = position(Random(1), "draw")
    >>> len(game.talon), sum(map(len, game.hands))
    (0, 5)
    """
    line, suits = lots.choice(positions(which)), dict(zip(SUITS, lots.sample(SUITS, 4), strict=True))
    line = SUIT.sub(lambda found: suits[found[0]], line)
    return Game.at(f"{PRESET}: {turned(line) if lots.randrange(2) else line}")


def turned(line: str) -> str:
    """A position with the seats exchanged.

    >>> turned("9c Kd | Tc; trump h; attacker 1"), turned("9c Kd | Tc; trump h")
    ('Tc | 9c Kd; trump h', 'Tc | 9c Kd; trump h; attacker 1')
    """
    hands, *facts = line.split("; ")
    one, _, other = hands.partition(" | ")
    facts = [fact for fact in facts if fact != "attacker 1"] if "attacker 1" in facts else [facts[0], "attacker 1", *facts[1:]]
    return "; ".join([f"{other} | {one}", *facts])


def signs(cards: Iterable[Card | str]) -> str:
    """Cards as they are written on a blackboard, the same in every language.

    >>> signs([Card("9c"), Card("Kh")]).split() == [f"9♣{chr(0xFE0E)}", f"K♥{chr(0xFE0E)}"]
    True
    """
    return " ".join(Voice(cards="signs").name(Card(card)) for card in cards)


def together(parts: list[Text]) -> Text:
    """Sentences, one after another."""
    *before, last = parts
    for part in reversed(before):
        last = Fact("lesson.under", {"rule": part, "asked": last})
    return last
