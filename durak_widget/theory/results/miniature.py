"""A miniature: a rule set on a deck so small that the whole game can be written down as a tree, and solved."""

from __future__ import annotations

import re
from fractions import Fraction
from time import perf_counter
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.cards import card_of
from durak_widget.errors import RulesError
from durak_widget.game.game import Game
from durak_widget.game.play.kit import kit_of
from durak_widget.games.solving.checker import check
from durak_widget.games.solving.solution import Solution, solve
from durak_widget.rules.book import Rules
from durak_widget.theory.trees.building import LIMIT, build, build_from
from durak_widget.work.sharing import every_value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from durak_widget.games.trees.tree import Tree

RANKS: Final = "6789TJQKA"
"""Those of which a miniature has the first few."""
_LINE: Final = re.compile(r"(\S+) (\w+) (\w+) (\d+) (\w+)( aside)?(?: at most (\d+))?", re.ASCII)


class Miniature(NamedTuple):
    """A small deck under some rules. Seat 0 attacks first, all deals are equally likely, an attack has at most as many cards as a hand.

    >>> one = Miniature.of("podkidnoy cd 67 1 c")
    >>> one.tree(), str(one)
    (<Tree: 179 histories, 114 terminals, 18 + 40 information sets>, 'podkidnoy, 2 × 2, 1 each, clubs')
    """

    preset: str
    suits: str
    ranks: str
    hand: int
    trump: str
    """A suit, "none", or "turn_up": the card that the deal turns up shows it."""
    talon: bool = True
    """Whether what is not dealt is drawn; otherwise it lies aside, unseen."""
    attacks: int | None = None
    """How many cards an attack may have, if not as many as a hand."""

    @classmethod
    def of(cls, line: str) -> Miniature:
        """One line: preset, suits, ranks, cards a hand, trump; "aside" if what is not dealt lies there; "at most 2" for cards an attack may have."""
        read = _LINE.fullmatch(" ".join(line.split()))
        if read is None:
            msg = (
                f"{line!r} names no miniature; say preset, suits, ranks, cards a hand and trump, as in 'podkidnoy cd 67 1 c', "
                "then 'aside' if what is not dealt lies there, and 'at most 2' for cards an attack may have"
            )
            raise RulesError(msg)
        preset, suits, ranks, hand, trump, aside, most = read.groups()
        return cls(preset, suits, ranks, int(hand), trump, aside is None, int(most) if most else None)

    @property
    def line(self) -> str:
        """The line that `of` reads."""
        aside = "" if self.talon else " aside"
        most = "" if self.attacks is None else f" at most {self.attacks}"
        return f"{self.preset} {self.suits} {self.ranks} {self.hand} {self.trump}{aside}{most}"

    @property
    def rules(self) -> Rules:
        """The rules of the miniature as a value."""
        return Rules.preset(
            self.preset,
            suits=self.suits,
            ranks=self.ranks,
            hand_size=self.hand,
            trump=self.trump,
            attack_limit=self.attacks or self.hand,
            first_attacker="left_of_dealer",
        )

    @property
    def deck(self) -> str:
        """Suits times ranks."""
        return f"{len(self.suits)} × {len(self.ranks)}"

    @property
    def rest(self) -> str:
        """What happens to the cards that are not dealt: drawn, aside, or none.

        >>> [Miniature.of(line).rest for line in ("podkidnoy cd 67 1 c", "podkidnoy cd 67 1 c aside", "podkidnoy cd 67 2 c")]
        ['drawn', 'aside', 'none']
        """
        dealt = Game(self.rules, seed=0)
        if dealt.talon and self.talon:
            return "drawn"
        return "aside" if dealt.talon or dealt.aside else "none"

    @property
    def columns(self) -> dict[str, object]:
        """What it is, for the rows of a table."""
        return {"rules": self.preset, "suits × ranks": self.deck, "hand": self.hand, "trump": self.trump, "the rest": self.rest}

    def tree(self, *, open_hands: bool = False, limit: int = LIMIT) -> Tree:
        """The game over all deals."""
        rules = self.rules
        if self.talon:
            return build(rules, dealer=1, open_hands=open_hands, limit=limit)
        cards = list(map(card_of, kit_of(rules).deck))
        hands = [cards[: self.hand], cards[self.hand : 2 * self.hand]]
        return build_from(
            Game.from_position(rules, hands=hands, trump=None if self.trump == "none" else self.trump), open_hands, limit=limit
        )

    def __str__(self) -> str:
        trump = {"none": "no trumps", "turn_up": "turned up", "c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}[self.trump]
        aside = "" if self.talon else ", the rest aside"
        most = "" if self.attacks is None else f", at most {self.attacks} a bout"
        return f"{self.preset}, {self.deck}, {self.hand} each, {trump}{aside}{most}"


def sizes(decks: str, hands: str) -> list[tuple[str, str, int]]:
    """The suits, the ranks and the cards a hand of each deck (suits x ranks) with each hand.

    >>> sizes("2x3 3x2", "1")
    [('cd', '678', 1), ('cdh', '67', 1)]
    """
    for kind, text, right, example in (("decks", decks, r"[1-4]x[1-9]", "2x3 3x2"), ("hands", hands, r"[1-9]\d?", "1 2")):
        for word in text.split():
            if not re.fullmatch(right, word, re.ASCII):
                what = "suits x ranks, at most 4x9" if kind == "decks" else "cards a hand"
                raise RulesError(f"{kind}={text!r}: {word!r} is not {what}; say it as in {kind}={example!r}")
    pairs = [("cdhs"[: int(suits)], RANKS[: int(ranks)]) for suits, ranks in (word.split("x") for word in decks.split())]
    return [(suits, ranks, int(hand)) for suits, ranks in pairs for hand in hands.split()]


class Worth(NamedTuple):
    """What a miniature is worth to who attacks first, exactly, and what it took."""

    miniature: Miniature
    value: Fraction
    histories: int
    infosets: tuple[int, ...]
    seconds: float
    """To build it, to solve it, and to have the certificate checked by another."""
    gap: Fraction
    """What the checker says that the certificate leaves open: 0, or there is no worth."""


def worth(miniature: Miniature, *, open_hands: bool = False, limit: int = LIMIT) -> Worth:
    """A miniature built, solved and checked.

    >>> worth(Miniature.of("podkidnoy cd 67 1 c"))[1:4]
    (Fraction(-1, 3), 179, (18, 40))
    """
    began = perf_counter()
    tree = miniature.tree(open_hands=open_hands, limit=limit)
    solution = solve(tree, "backward" if open_hands else "lp")
    gap = proved(tree, solution)
    return Worth(miniature, Fraction(solution.value), tree.histories, tree.infosets, perf_counter() - began, gap)


def proved_worths(games: Iterable[Miniature], *, open_too: bool = False, executor: object = None) -> tuple[Worth, ...]:
    """What each of several miniatures is worth, by whoever works; with hands open too: after each game the same with open hands.

    >>> [one.value for one in proved_worths([Miniature.of("podkidnoy cd 67 1 c")], open_too=True)]
    [Fraction(-1, 3), Fraction(-1, 3)]
    """
    things = [(game, seen) for game in games for seen in ((False, True) if open_too else (False,))]
    return tuple(every_value(_worth, things, executor=executor))


def _worth(_: None, game: tuple[Miniature, bool]) -> Worth:
    return worth(game[0], open_hands=game[1])


def proved(tree: Tree, solution: Solution) -> Fraction:
    """The gap that the independent checker finds: 0, for a value that is not proved to the last digit is refused."""
    gap = None if solution.certificate is None else check(tree, solution.certificate)
    if gap is None or gap:
        msg = f"the value of {tree.title} was not found exactly"
        raise ArithmeticError(msg if gap is None else f"{msg}: a gap of {float(gap):.3g} is left")
    return gap


def deck_and_hand(game: Miniature) -> str:
    """A deck and a hand, short enough for the left edge of a phone."""
    return f"{game.deck}, {game.hand} each"
