"""Reads the positions for endgame questions, and changes suits, ranks or seats randomly.

`positions.txt` holds positions that were reached in random play; suits and seats are exchanged. The file is
written by `tools/positions431.py`, and the positions of one question all have the same size. `kinds.txt`
holds small endgames, one of each kind; suits and ranks are changed so that which card beats which stays the
same. It is written by `tools/kinds431.py`. The files hold no answers, except for the deals of the bot
question. There, all 108 habits have to play to find the best ones, which takes half a minute. The actions of a
tree can be shuffled too, so that the same position on the screen means something else for each student.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from durak_widget.cards import Card
from durak_widget.engine.game import Game
from durak_widget.gametheory.outcome_sampling_mccfr import look_at
from durak_widget.gametheory.tree import End, Tree, Turn, grow
from durak_widget.i18n import Fact, Voice
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.gametheory.tree import Draw

PRESET: Final = "econ431"
RULES: Final = Rules.preset(PRESET)
RANKS: Final = "9TJQKA"
SUITS: Final = "cdhs"
SUIT: Final = re.compile(rf"(?<=[{RANKS}])[{SUITS}]|(?<=trump )[{SUITS}]")
"""A suit in a position line."""
EACH: Final = (1, 2, 3)
"""Coins that the loser may have to pay for each card."""
BESIDES: Final = (1, 2, 3, 4)
"""Coins that the loser may have to pay in addition."""
_CARD: Final = re.compile(rf"[{RANKS}][{SUITS}]")
DECK: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)


@cache
def positions(which: str) -> tuple[str, ...]:
    """Return the positions of a question, as lines without their rules.

    >>> len(positions("draw"))
    120
    """
    return part_of("positions.txt", which)


def position(lots: Random, which: str) -> Game:
    """Pick a random position of a question and change its suits and seats at random.

    >>> from random import Random
    >>> game = position(Random(1), "draw")
    >>> len(game.talon), sum(map(len, game.hands))
    (0, 5)
    """
    line, suits = lots.choice(positions(which)), dict(zip(SUITS, lots.sample(SUITS, 4), strict=True))
    line = SUIT.sub(lambda match: suits[match[0]], line)
    return Game.at(f"{PRESET}: {turned(line) if lots.randrange(2) else line}")


def turned(line: str) -> str:
    """Return a position line with the seats exchanged.

    >>> turned("9c Kd | Tc; trump h; attacker 1"), turned("9c Kd | Tc; trump h")
    ('Tc | 9c Kd; trump h', 'Tc | 9c Kd; trump h; attacker 1')
    """
    hands, *facts = line.split("; ")
    first_hand, _, second_hand = hands.partition(" | ")
    facts = [fact for fact in facts if fact != "attacker 1"] if "attacker 1" in facts else [facts[0], "attacker 1", *facts[1:]]
    return "; ".join([f"{second_hand} | {first_hand}", *facts])


def signs(cards: Iterable[Card | str]) -> str:
    """Return cards as they are written on a blackboard, the same in every language.

    >>> signs([Card("9c"), Card("Kh")]).split() == [f"9♣{chr(0xFE0E)}", f"K♥{chr(0xFE0E)}"]
    True
    """
    return " ".join(Voice(cards="signs").name(Card(card)) for card in cards)


def together(parts: list[Text]) -> Text:
    """Join sentences into one text."""
    *before, last = parts
    for part in reversed(before):
        last = Fact("lesson.under", {"rule": part, "asked": last})
    return last


@cache
def kinds(which: str) -> tuple[str, ...]:
    """Return the endgames of a part of `kinds.txt`, as lines.

    >>> len(kinds("mix")) >= 40
    True
    """
    return part_of("kinds.txt", which)


def part_of(file: str, which: str) -> tuple[str, ...]:
    """Return the lines of a part of a file; the part begins with `# <its name>`."""
    text = (files("durak_widget.econ431") / file).read_text(encoding="utf-8")
    parts = {part.partition("\n")[0]: part.strip().split("\n")[1:] for part in text.split("\n# ")}
    return tuple(parts[which])


def dressed(lots: Random, kind: str) -> str:
    """Return an endgame with random suits, and with random ranks in the same order.

    >>> from random import Random
    >>> dressed(Random(1), "9c Td | Jc; trump h")
    '9d Qh | Kd; trump c'
    """
    suits = dict(zip(SUITS, lots.sample(SUITS, 4), strict=True))
    used = sorted({card[0] for card in _CARD.findall(kind)}, key=RANKS.index)
    ranks = dict(zip(used, sorted(lots.sample(RANKS, len(used)), key=RANKS.index), strict=True))
    renamed = _CARD.sub(lambda match: ranks[match[0][0]] + suits[match[0][1]], kind)
    return re.sub(rf"trump ([{SUITS}])", lambda match: f"trump {suits[match[1]]}", renamed)


def laid(line: str, lots: Random | None = None) -> Game:
    """Build the position of a line, with a random trump turned up and the rest discarded.

    >>> laid("9c Td | Jc; trump h; talon Qd Kh; seen 9c | Jc").hands
    (CardSet('9c Td'), CardSet('Jc'))
    """
    cards = _CARD.findall(line)
    trump = line.partition("trump ")[2][0]
    free = [card for card in DECK if card[1] == trump and card not in cards]
    turn_up = lots.choice(free) if lots else free[0]
    gone = " ".join(card for card in DECK if card not in cards and card != turn_up)
    rules = "econ431, hand_size=1" if "talon" in line else "econ431"
    return Game.at(f"{rules}: {line}; turn-up {turn_up}; discard {gone}")


def cards_in(line: str) -> list[str]:
    """Return the cards of a line, in their order.

    >>> cards_in("9c Td | Jc; trump h; seen 9c | Jc")
    ['9c', 'Td', 'Jc']
    """
    return list(dict.fromkeys(_CARD.findall(line)))


def moves_shuffled(tree: Tree, lots: Random) -> Tree:
    """Return the same game with the actions of each information set and chance move shuffled.

    >>> from random import Random
    >>> places = {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}
    >>> tree = grow("", places.__getitem__, seats=2)
    >>> {moves_shuffled(tree, Random(seed)).sets[0].moves for seed in range(9)} == {("l", "r"), ("r", "l")}
    True
    """
    inspect_node, labels = look_at(tree), [record.label for record in tree.sets]
    orders = [lots.sample(range(len(record.moves)), len(record.moves)) for record in tree.sets]

    def shuffle_node(node: int) -> Turn | Draw | End:
        content = inspect_node(node)
        if isinstance(content, End):
            return content
        if isinstance(content, Turn):
            return content._replace(moves=[content.moves[index] for index in orders[tree.info[node]]])
        return content._replace(moves=lots.sample(content.moves, len(content.moves)))

    shuffled_tree = grow(0, shuffle_node, seats=tree.seats, title=tree.title, names=tree.names, say=lambda _, index: labels[index])  # type: ignore[call-overload] # as in `settled`
    shuffled_tree.origin = tree.origin
    return shuffled_tree
