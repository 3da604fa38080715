"""Loads positions for endgame questions, and gives them random suits, ranks and seats.

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
from durak_widget.gametheory.outcome_sampling_mccfr import make_expand_function
from durak_widget.gametheory.tree import DecisionNode, TerminalNode, Tree, build_tree
from durak_widget.i18n import TranslatableText, Translator
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.gametheory.tree import ChanceNode

PRESET: Final = "econ431"
RULES: Final = Rules.preset(PRESET)
RANKS: Final = "9TJQKA"
SUITS: Final = "cdhs"
SUIT_PATTERN: Final = re.compile(rf"(?<=[{RANKS}])[{SUITS}]|(?<=trump )[{SUITS}]")
"""Matches a suit letter in a position line (a position as one line of text)."""
COINS_PER_CARD: Final = (1, 2, 3)
"""The possible prices of a card, in coins; the loser pays the price for each card that they have left."""
EXTRA_STAKES: Final = (1, 2, 3, 4)
"""The possible stakes, in coins; the loser pays the stake in addition to the price of the cards."""
_CARD_PATTERN: Final = re.compile(rf"[{RANKS}][{SUITS}]")
DECK: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)


@cache
def load_positions(part_name: str) -> tuple[str, ...]:
    """Load all positions that a question may use, each as a line of text without the rules.

    >>> len(load_positions("draw"))
    120
    """
    return load_part("positions.txt", part_name)


def pick_position(rng: Random, part_name: str) -> Game:
    """Pick a random position for a question, with random suits and random seats.

    >>> from random import Random
    >>> game = pick_position(Random(1), "draw")
    >>> len(game.talon), sum(map(len, game.hands))
    (0, 5)
    """
    line, suits = rng.choice(load_positions(part_name)), dict(zip(SUITS, rng.sample(SUITS, 4), strict=True))
    line = SUIT_PATTERN.sub(lambda match: suits[match[0]], line)
    return Game.from_position_line(f"{PRESET}: {swap_seats(line) if rng.randrange(2) else line}")


def swap_seats(line: str) -> str:
    """Swap the two players' seats in a position that is written as a line of text.

    >>> swap_seats("9c Kd | Tc; trump h; attacker 1"), swap_seats("9c Kd | Tc; trump h")
    ('Tc | 9c Kd; trump h', 'Tc | 9c Kd; trump h; attacker 1')
    """
    hands, *facts = line.split("; ")
    first_hand, _, second_hand = hands.partition(" | ")
    facts = [fact for fact in facts if fact != "attacker 1"] if "attacker 1" in facts else [facts[0], "attacker 1", *facts[1:]]
    return "; ".join([f"{second_hand} | {first_hand}", *facts])


_SIGN_TRANSLATOR = Translator(cards="signs", card_letters="international")
"""The translator for cards in the data of questions, which have the same letters in all languages."""


def format_cards(cards: Iterable[Card | str]) -> str:
    """Format cards with suit symbols; the result is the same in all languages.

    >>> format_cards([Card("9c"), Card("Kh")]).split() == [f"9♣{chr(0xFE0E)}", f"K♥{chr(0xFE0E)}"]
    True
    """
    return " ".join(_SIGN_TRANSLATOR.name_card(Card(card)) for card in cards)


def join_sentences(sentences: list[Text]) -> Text:
    """Join sentences to a single text that can be translated."""
    *before, last = sentences
    for part in reversed(before):
        last = TranslatableText("lesson.under", {"rule": part, "asked": last})
    return last


@cache
def load_endgames(part_name: str) -> tuple[str, ...]:
    """Load the endgames in one section of the file `kinds.txt`, each as a line of text.

    >>> len(load_endgames("mix")) >= 40
    True
    """
    return load_part("kinds.txt", part_name)


def load_part(file: str, part_name: str) -> tuple[str, ...]:
    """Return the lines of one section of a file; the line `# <name>` starts a section."""
    text = (files("durak_widget.econ431") / file).read_text(encoding="utf-8")
    parts = {part.partition("\n")[0]: part.strip().split("\n")[1:] for part in text.split("\n# ")}
    return tuple(parts[part_name])


def randomize_suits_and_ranks(rng: Random, line: str) -> str:
    """Replace an endgame's suits and ranks by random ones; a higher rank stays higher.

    >>> from random import Random
    >>> randomize_suits_and_ranks(Random(1), "9c Td | Jc; trump h")
    '9d Qh | Kd; trump c'
    """
    suits = dict(zip(SUITS, rng.sample(SUITS, 4), strict=True))
    used = sorted({card[0] for card in _CARD_PATTERN.findall(line)}, key=RANKS.index)
    ranks = dict(zip(used, sorted(rng.sample(RANKS, len(used)), key=RANKS.index), strict=True))
    renamed = _CARD_PATTERN.sub(lambda match: ranks[match[0][0]] + suits[match[0][1]], line)
    return re.sub(rf"trump ([{SUITS}])", lambda match: f"trump {suits[match[1]]}", renamed)


def build_game(line: str, rng: Random | None = None) -> Game:
    """Build a game from a position line; the turned-up card is a random trump.

    >>> build_game("9c Td | Jc; trump h; talon Qd Kh; seen 9c | Jc").hands
    (CardSet('9c Td'), CardSet('Jc'))
    """
    cards = _CARD_PATTERN.findall(line)
    trump = line.partition("trump ")[2][0]
    free = [card for card in DECK if card[1] == trump and card not in cards]
    turn_up = rng.choice(free) if rng else free[0]
    discard = " ".join(card for card in DECK if card not in cards and card != turn_up)
    rules = "econ431, hand_size=1" if "talon" in line else "econ431"
    return Game.from_position_line(f"{rules}: {line}; turn-up {turn_up}; discard {discard}")


def list_cards(line: str) -> list[str]:
    """Return the cards that occur in a position line, in order and without repetition.

    >>> list_cards("9c Td | Jc; trump h; seen 9c | Jc")
    ['9c', 'Td', 'Jc']
    """
    return list(dict.fromkeys(_CARD_PATTERN.findall(line)))


def shuffle_actions(tree: Tree, rng: Random) -> Tree:
    """Return a tree in which the actions of players and of chance are in random order.

    >>> from random import Random
    >>> places = {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}
    >>> tree = build_tree("", places.__getitem__, player_count=2)
    >>> {shuffle_actions(tree, Random(seed)).infosets[0].actions for seed in range(9)} == {("l", "r"), ("r", "l")}
    True
    """
    inspect_node, labels = make_expand_function(tree), [record.label for record in tree.infosets]
    orders = [rng.sample(range(len(record.actions)), len(record.actions)) for record in tree.infosets]

    def shuffle_node(node: int) -> DecisionNode | ChanceNode | TerminalNode:
        """Return a node of the tree with its actions in random order."""
        content = inspect_node(node)
        if isinstance(content, TerminalNode):
            return content
        if isinstance(content, DecisionNode):
            return content._replace(actions=[content.actions[index] for index in orders[tree.infoset_of[node]]])
        return content._replace(actions=rng.sample(content.actions, len(content.actions)))

    shuffled_tree = build_tree(
        0,
        shuffle_node,
        player_count=tree.player_count,
        title=tree.title,
        names=tree.names,
        label_infoset=lambda _, index: labels[index],  # type: ignore[call-overload] # as in `replace_solved_subtrees`
    )
    shuffled_tree.origin = tree.origin
    return shuffled_tree
