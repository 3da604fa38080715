"""Solves miniatures: games with so few cards that the whole game is one tree."""

from __future__ import annotations

import re
import resource
import sys
from fractions import Fraction
from time import perf_counter
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget import Game, Rules, RulesError, analysis, gametheory
from durak_widget.analysis.durak_tree import MAX_HISTORIES
from durak_widget.cards import card_from_bit
from durak_widget.engine.compiled_rules import compile_rules
from result import Result, Row, share

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.gametheory.tree import Tree
    from durak_widget.gametheory.zero_sum_solver import Solution

RANKS: Final = "6789TJQKA"
_LINE: Final = re.compile(r"(\S+) (\w+) (\w+) (\d+) (\w+)( aside)?(?: at most (\d+))?", re.ASCII)

LINES: Final = """
podkidnoy cd 67 1 c
podkidnoy cd 67 1 none
podkidnoy cd 67 1 turn_up
podkidnoy cd 67 2 c
podkidnoy cd 67 2 none
podkidnoy cd 678 1 c
podkidnoy cd 678 1 none
podkidnoy cd 678 2 c
podkidnoy cd 678 2 none
podkidnoy cd 678 2 c aside
podkidnoy cd 678 3 c
podkidnoy cd 678 3 none
podkidnoy cdh 67 1 c
podkidnoy cdh 67 1 none
podkidnoy cdh 67 2 c
podkidnoy cdh 67 2 none
podkidnoy cdh 67 3 c
podkidnoy cdh 67 3 none
podkidnoy c 6789T 2 none
podkidnoy c 6789TJ 2 none
podkidnoy cdh 678 2 c aside
podkidnoy cd 6789 3 none aside
econ431 cd 67 1 c
econ431 cd 67 1 none
econ431 cd 67 1 turn_up
econ431 cd 67 2 c
econ431 cd 678 1 c
econ431 cd 678 1 none
econ431 cd 678 1 turn_up
econ431 cd 678 2 c
econ431 cd 678 2 none
econ431 cd 678 2 turn_up
econ431 cd 678 2 c aside
econ431 cd 678 3 c
econ431 cdh 67 1 c
econ431 cdh 67 2 c
econ431 cdh 67 2 none
econ431 cdh 67 3 c
econ431 c 6789TJ 2 none
econ431 cdh 678 2 c aside
econ431 cd 6789 3 none aside
perevodnoy cd 67 1 c
perevodnoy cd 67 2 c
perevodnoy cd 678 2 none
perevodnoy cd 678 3 c
perevodnoy cd 678 3 none
perevodnoy cdh 67 2 c
perevodnoy cdh 67 2 none
perevodnoy cdh 67 3 c
perevodnoy cdh 67 3 none
transfer cdh 67 3 c
passport cd 67 2 c
transfer cd 678 2 none
durnius cd 67 1 c
durnius cdh 67 3 c
durnius cd 678 3 c
thrown_up cd 678 2 none
thrown_up cdh 67 3 c
wikipedia cd 678 3 c
bulk cd 678 3 turn_up
bulk_transfer cd 678 3 turn_up
japanese ds 678 3 d
japanese_transfer ds 678 3 d
crazy ds 678 2 d aside
spades_by_spades hs 67 1 turn_up
siege cd 67 1 c
siege cdh 67 3 c
low_trump cd 67A 2 c aside
low_trump cd 6A 1 c
albanian cd 67 1 turn_up
albanian cd 678 1 turn_up
changeable_trump cd 67 1 turn_up
railway c 6789T 2 turn_up
poker c 6789TJ 2 none
weli cd 67 1 c
two_decks c 678 1 none
""".strip()
"""The games in docs/miniatures.md, each on a line that `Miniature.parse` can parse."""


class Miniature(NamedTuple):
    """A game with few cards: rules, suits, ranks and hand size.

    Seat 0 attacks first, all deals are equally likely.

    >>> game = Miniature.parse("podkidnoy cd 67 1 c")
    >>> game.tree(), str(game)
    (<Tree: 179 histories, 114 terminals, 18 + 40 information sets>, 'podkidnoy, 2 × 2, 1 each, clubs')
    """

    preset: str
    suits: str
    ranks: str
    hand: int
    trump: str
    """The letter of the trump suit, "none", or "turn_up" for the suit of the turned-up card."""
    talon: bool = True
    """True if players draw the cards that were not dealt. Otherwise these lie aside, face down."""
    attacks: int | None = None
    """The maximum number of attacking cards in a bout; None for as many as a hand."""

    @classmethod
    def parse(cls, line: str) -> Miniature:
        """Parse a line: preset, suits, ranks, hand size, trump, and perhaps more options.

        The options are "aside" and "at most 2" (attacking cards in a bout).
        """
        match = _LINE.fullmatch(" ".join(line.split()))
        if match is None:
            msg = f"{line!r} is not a miniature; write preset, suits, ranks, hand size and trump, as in 'podkidnoy cd 67 1 c'"
            raise RulesError(msg)
        preset, suits, ranks, hand, trump, aside, most = match.groups()
        return cls(preset, suits, ranks, int(hand), trump, aside is None, int(most) if most else None)

    @property
    def line(self) -> str:
        """Format the miniature as a line that `parse` can parse."""
        aside = "" if self.talon else " aside"
        most = "" if self.attacks is None else f" at most {self.attacks}"
        return f"{self.preset} {self.suits} {self.ranks} {self.hand} {self.trump}{aside}{most}"

    @property
    def rules(self) -> Rules:
        """Return the rules of the miniature."""
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
        """Return the size of the deck as text: the number of suits × the number of ranks."""
        return f"{len(self.suits)} × {len(self.ranks)}"

    @property
    def rest(self) -> str:
        """Return what happens to undealt cards: "drawn", "aside", or "none" if there are none.

        >>> [Miniature.parse(line).rest for line in ("podkidnoy cd 67 1 c", "podkidnoy cd 67 1 c aside", "podkidnoy cd 67 2 c")]
        ['drawn', 'aside', 'none']
        """
        game = Game(self.rules, seed=0)
        if game.talon and self.talon:
            return "drawn"
        return "aside" if game.talon or game.card_aside else "none"

    @property
    def columns(self) -> Row:
        """Return the first columns of a table row about the miniature."""
        return {"rules": self.preset, "suits × ranks": self.deck, "hand": self.hand, "trump": self.trump, "the rest": self.rest}

    def tree(self, *, open_hands: bool = False, limit: int = MAX_HISTORIES) -> Tree:
        """Build the game tree over all deals."""
        rules = self.rules
        if self.talon:
            return analysis.build_game_tree(rules, dealer=1, open_hands=open_hands, limit=limit)
        cards = [card_from_bit(code) for code in compile_rules(rules).deck]
        hands = [cards[: self.hand], cards[self.hand : 2 * self.hand]]
        game = Game.from_position(rules, hands=hands, trump=None if self.trump == "none" else self.trump)
        return analysis.build_tree_from_position(game, open_hands, limit=limit)

    def __str__(self) -> str:
        trump = {"none": "no trumps", "turn_up": "turned up", "c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}[self.trump]
        aside = "" if self.talon else ", the rest aside"
        most = "" if self.attacks is None else f", at most {self.attacks} a bout"
        return f"{self.preset}, {self.deck}, {self.hand} each, {trump}{aside}{most}"


class Solved(NamedTuple):
    """A miniature with its exact value for the player who attacks first."""

    miniature: Miniature
    value: Fraction
    histories: int
    infosets: tuple[int, ...]
    seconds: float
    """The time in seconds to build the tree, solve it and check the certificate."""
    gap: Fraction


def solved(miniature: Miniature, *, open_hands: bool = False, limit: int = MAX_HISTORIES) -> Solved:
    """Build a miniature, solve it, and check the certificate.

    >>> solved(Miniature.parse("podkidnoy cd 67 1 c"))[1:4]
    (Fraction(-1, 3), 179, (18, 40))
    """
    start_time = perf_counter()
    tree = miniature.tree(open_hands=open_hands, limit=limit)
    solution = gametheory.solve(tree, "backward" if open_hands else "lp")
    gap = require_exact(tree, solution)
    return Solved(miniature, Fraction(solution.value), tree.history_count, tree.infoset_counts, perf_counter() - start_time, gap)


def require_exact(tree: Tree, solution: Solution) -> Fraction:
    """Check a solution's certificate, and return its gap; raise an error unless the gap is 0."""
    gap = None if solution.certificate is None else gametheory.check_certificate(tree, solution.certificate)
    if gap is None or gap:
        raise ArithmeticError(f"the value of {tree.title} was not found exactly: the gap is {gap}")
    return gap


def sizes(decks: str, hands: str) -> list[tuple[str, str, int]]:
    """Return suits, ranks and hand size for each deck (suits x ranks) with each hand size.

    >>> sizes("2x3 3x2", "1")
    [('cd', '678', 1), ('cdh', '67', 1)]
    """
    counts = [tuple(map(int, deck.split("x"))) for deck in decks.split()]
    return [("cdhs"[:suits], RANKS[:ranks], int(hand)) for suits, ranks in counts for hand in hands.split()]


def miniatures(*, only: str = "") -> Result:
    """Solve all miniatures in docs/miniatures.md, or those whose line begins with `only`.

    >>> [(row["game"], str(row["value"])) for row in miniatures(only="podkidnoy cd 67 1").rows]
    [('`podkidnoy cd 67 1 c`', '-1/3'), ('`podkidnoy cd 67 1 none`', '1/4'), ('`podkidnoy cd 67 1 turn_up`', '-1/3')]
    """
    games = [solved(Miniature.parse(line)) for line in LINES.splitlines() if line.startswith(only)]
    rows: list[Row] = [
        {
            "game": f"`{game.miniature.line}`",
            "the rest": game.miniature.rest,
            "value": game.value,
            "histories": game.histories,
            "information sets": " + ".join(f"{count:,}" for count in game.infosets),
        }
        for game in games
    ]
    return Result([f"{len(games)} games, each solved exactly and its certificate checked."], rows)


def largest(*, game: str = "econ431 cdhs 67 4 c at most 1", limit: int = 10_000_000) -> Result:
    """Solve one large miniature, and report the time and the memory.

    The usual one takes some minutes and 11 GB of memory.
    """
    result = solved(Miniature.parse(game), limit=limit)
    sets = " + ".join(f"{count:,}" for count in result.infosets)
    gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20 / (1024 if sys.platform == "darwin" else 1)
    sentences = [
        f"{result.miniature}: worth {result.value} to the player who attacks first.",
        f"{result.histories:,} histories, {sets} information sets.",
        f"Built, solved and checked in {result.seconds:.0f} s, with {gigabytes:.1f} GB of memory.",
    ]
    return Result(sentences, [])


def first_attack(
    *, rules: str = "econ431 podkidnoy perevodnoy", decks: str = "2x2 2x3 3x2", hands: str = "1 2 3", trumps: str = "c none"
) -> Result:
    """Find the value of attacking first, with and without trumps and a talon.

    >>> print(first_attack(rules="podkidnoy", decks="2x2", hands="1"))
    Without a talon the player who attacks first is favoured in 2 of 2 (100.0 %).
    A talon makes attacking first worse in 2 of 2 pairs, better in 0; the defender is then favoured in 1.
    Trumps make attacking first worse in 2 of 2 pairs, better in 0.
    With a talon, two cards each instead of one make attacking first worse in 0 of 0 pairs, better in 0.
    rules      suits × ranks  hand  trump  the rest  value  histories
    podkidnoy  2 × 2          1     c      drawn     −1/3   179
    podkidnoy  2 × 2          1     c      aside     1/2    25
    podkidnoy  2 × 2          1     none   drawn     1/4    85
    podkidnoy  2 × 2          1     none   aside     5/6    17
    """
    games = [
        solved(Miniature(preset, suits, ranks, hand, trump, talon))
        for preset in rules.split()
        for suits, ranks, hand in sizes(decks, hands)
        for trump in trumps.split()
        for talon in (True, False)
        if 2 * hand + (not talon) <= len(suits) * len(ranks)
    ]
    values = {game.miniature: game.value for game in games}
    rest = {game: game.rest for game in values}
    undrawn = [value for game, value in values.items() if rest[game] != "drawn"]

    def pairs(changed: Callable[[Miniature], Miniature]) -> list[tuple[Fraction, Fraction]]:
        """Return the values of each game and of its changed version, if both were solved."""
        return [(value, values[changed(game)]) for game, value in values.items() if changed(game) != game and changed(game) in values]

    talon = pairs(lambda game: game._replace(talon=True))
    trump = pairs(lambda game: game._replace(trump="c"))
    larger = pairs(lambda game: game._replace(hand=2) if game.hand == 1 and rest.get(game._replace(hand=2)) == "drawn" else game)
    sentences = [
        f"Without a talon the player who attacks first is favoured in {share(sum(value > 0 for value in undrawn), len(undrawn))}.",
        f"A talon makes attacking first {_compared(talon)}; the defender is then favoured in {sum(after < 0 for _, after in talon)}.",
        f"Trumps make attacking first {_compared(trump)}.",
        f"With a talon, two cards each instead of one make attacking first {_compared(larger)}.",
    ]
    return Result(sentences, [{**game.miniature.columns, "value": game.value, "histories": game.histories} for game in games])


def _compared(pairs: list[tuple[Fraction, Fraction]]) -> str:
    worse, better = sum(after < before for before, after in pairs), sum(after > before for before, after in pairs)
    return f"worse in {worse} of {len(pairs)} pairs, better in {better}"


def seeing(*, rules: str = "econ431 podkidnoy", decks: str = "2x2 2x3 3x2", hands: str = "1 2 3", trumps: str = "c none") -> Result:
    """Find how much open hands change the value for the player who attacks first.

    The cards that were not dealt are drawn, and stay hidden.

    >>> print(seeing(rules="podkidnoy", decks="2x2", hands="1"))
    Open hands help the player who attacks first in 0 of 2 (0.0 %), the player who defends first in 0 of 2 (0.0 %).
    rules      suits × ranks  hand  trump  the rest  hidden  open  seeing is worth
    podkidnoy  2 × 2          1     c      drawn     −1/3    −1/3  0
    podkidnoy  2 × 2          1     none   drawn     1/4     1/4   0
    """
    games = [
        Miniature(preset, suits, ranks, hand, trump)
        for preset in rules.split()
        for suits, ranks, hand in sizes(decks, hands)
        if 2 * hand <= len(suits) * len(ranks)
        for trump in trumps.split()
    ]
    values = [(solved(game).value, solved(game, open_hands=True).value) for game in games]
    first, second = (sum(sign * (seen - hidden) > 0 for hidden, seen in values) for sign in (1, -1))
    sentence = (
        f"Open hands help the player who attacks first in {share(first, len(games))}, "
        f"the player who defends first in {share(second, len(games))}."
    )
    rows: list[Row] = [
        {**game.columns, "hidden": hidden, "open": seen, "seeing is worth": seen - hidden}
        for game, (hidden, seen) in zip(games, values, strict=True)
    ]
    return Result([sentence], rows)
