"""Small endings of the classroom game, one of each kind, kept in `kinds.txt`; a student gets one in other suits and ranks.

`tools/kinds431.py` writes the file. Which card beats which stays the same, and so does all that follows; what is right does not stand there.
Of deals for bots it does: to find the best habits all 108 have to play, which takes half a minute, and whoever looks there could let them play.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from durak_widget.engine.game import Game

if TYPE_CHECKING:
    from random import Random

RANKS: Final = "9TJQKA"
SUITS: Final = "cdhs"
DECK: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
_CARD: Final = re.compile(rf"[{RANKS}][{SUITS}]")


@cache
def kinds(which: str) -> tuple[str, ...]:
    """The lines of a part of the file.

    >>> len(kinds("mix")) >= 40
    True
    """
    return part_of("kinds.txt", which)


def part_of(file: str, which: str) -> tuple[str, ...]:
    """The lines of a part of one of our files, which begins with `# <its name>`."""
    text = (files("durak_widget.econ431") / file).read_text(encoding="utf-8")
    named = {part.partition("\n")[0]: part.strip().split("\n")[1:] for part in text.split("\n# ")}
    return tuple(named[which])


def dressed(lots: Random, kind: str) -> str:
    """An ending in other suits, and in other ranks in the same order.

    >>> from random import Random
    >>> dressed(Random(1), "9c Td | Jc; trump h")
    '9d Qh | Kd; trump c'
    """
    suits = dict(zip(SUITS, lots.sample(SUITS, 4), strict=True))
    used = sorted({card[0] for card in _CARD.findall(kind)}, key=RANKS.index)
    ranks = dict(zip(used, sorted(lots.sample(RANKS, len(used)), key=RANKS.index), strict=True))
    line = _CARD.sub(lambda found: ranks[found[0][0]] + suits[found[0][1]], kind)
    return re.sub(rf"trump ([{SUITS}])", lambda found: f"trump {suits[found[1]]}", line)


def laid(line: str, lots: Random | None = None) -> Game:
    """The position of a line: a card of the trump suit is turned up, by lots, and all that is not named has gone.

    >>> laid("9c Td | Jc; trump h; talon Qd Kh; seen 9c | Jc").hands
    (CardSet('9c Td'), CardSet('Jc'))
    """
    cards = _CARD.findall(line)
    trump = line.partition("trump ")[2][0]
    free = [card for card in DECK if card[1] == trump and card not in cards]
    shown = lots.choice(free) if lots else free[0]
    gone = " ".join(card for card in DECK if card not in cards and card != shown)
    rules = "econ431, hand_size=1" if "talon" in line else "econ431"
    return Game.at(f"{rules}: {line}; turn-up {shown}; discard {gone}")


def cards_in(line: str) -> list[str]:
    """The cards of a line, in their order.

    >>> cards_in("9c Td | Jc; trump h; seen 9c | Jc")
    ['9c', 'Td', 'Jc']
    """
    return list(dict.fromkeys(_CARD.findall(line)))
