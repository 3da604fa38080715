"""What is memory worth? The same bot with its memory and without, exactly, and what a bot without any thought loses."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from durak_widget.cards import Card
from durak_widget.games.solving.responses import exploitability, value, values
from durak_widget.games.solving.solution import Solution, solve
from durak_widget.games.solving.strategy import Strategy
from durak_widget.theory.judging.bot_strategies import strategy_of
from durak_widget.theory.results.miniature import Miniature, proved
from durak_widget.theory.results.plots import panels
from durak_widget.theory.results.result import Result, Row
from durak_widget.theory.trees.moments import firsts, moments

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

    from matplotlib.axes import Axes

    from durak_widget.games.trees.tree import InfoSet, Tree
    from durak_widget.theory.judging.bot_strategies import Player
    from durak_widget.theory.results.plots import Drawn, Dress

REMEMBERS, FORGETS, RANDOM, OPTIMAL = "remembers", "forgets", "random", "optimal"


@dataclass(frozen=True)
class Contest(Result):
    """Some players of one game, each in both seats against each other, all exactly: what `memory` and `naive` find."""

    question: ClassVar[str] = "Who wins what from whom?"

    game: Miniature
    solution: Solution
    """The equilibrium, with its certificate."""
    players: Mapping[str, Strategy]
    """What each of them does, in both seats."""
    exploitable: Mapping[str, Fraction]
    """What each loses on average of the seats against a best response."""

    @property
    def tree(self) -> Tree:
        """The game."""
        return self.solution.tree

    def worth(self, first: str, second: str) -> Fraction:
        """What the game is worth to the first, who is seat 0."""
        return Fraction(value(self.tree, self.players[first].replaced(1, self.players[second])))

    def gains(self, one: str, other: str) -> Fraction:
        """What one wins from the other, on average of the two seats."""
        return (self.worth(one, other) - self.worth(other, one)) / 2

    def said(self) -> list[str]:
        """The game, and what it is worth."""
        return [f"{self.game}: {self.tree.histories:,} histories, worth {self.solution.value} to who attacks first"]

    def table(self) -> list[Row]:
        """Who wins what from whom on average of the seats, and what a best response would win from it beyond the value."""
        return [
            {"player": one, **{f"v. {other}": self.gains(one, other) for other in self.players}, "exploitability": self.exploitable[one]}
            for one in self.players
        ]

    def draw(self, plt: ModuleType, ax: Axes | None, dress: Dress) -> Drawn:
        """What a best response wins from each player."""
        figure, (panel,) = panels(plt, ax, [0.34 * len(self.players) + 0.8])
        names = list(self.players)
        for place, name in enumerate(names):
            lost = self.exploitable[name]
            panel.barh(place, float(lost), color=dress.second, height=0.6)
            label = str(lost) if len(str(lost)) < 8 else f"{float(lost):.3f}"
            panel.annotate(label, (float(lost), place), (4, 0), textcoords="offset points", va="center")
        panel.set(yticks=range(len(names)), yticklabels=names, xlabel="lost to a best response, a game")
        panel.invert_yaxis()
        panel.margins(x=0.12)
        return figure


@dataclass(frozen=True)
class Memory(Contest):
    """What `memory` finds."""

    question: ClassVar[str] = "What is memory worth?"

    forgotten: tuple[int, int]
    """How many information sets there are, and how many of them a player tells apart that sees no more than what is there now."""

    def said(self) -> list[str]:
        """The answer in sentences."""
        known, told_apart = self.forgotten
        return [
            *super().said(),
            f"with memory the bot tells {known:,} information sets apart, without {told_apart:,}",
            f"with memory it can be exploited by {self.exploitable[REMEMBERS]}, without by {self.exploitable[FORGETS]}",
            f"against each other the one that remembers wins {self.gains(REMEMBERS, FORGETS)} a game",
        ]


def memory(*, game: str = "econ431 cd 678 2 none", bot: Player | None = None) -> Memory:
    """One bot twice: it reckons that everybody plays at random, and makes the move with the best expectation, by all it has seen or by its hand and the table alone.

    >>> found = memory(game="econ431 c 6789T 2 none")
    >>> found.gains("remembers", "random"), found.gains("forgets", "random")
    (Fraction(859, 2160), Fraction(839, 2160))

    Another bot may be given: it is shown all that its seat has seen, and only what one sees who comes to the table now.
    """
    one = Miniature.of(game)
    tree = one.tree()
    solution = solve(tree)
    proved(tree, solution)
    if bot is None:
        remembers, forgets = reckoning(tree)
        told_apart = len(set(tree.sets))
    else:
        remembers, forgets = (strategy_of(tree, bot, memory=memory) for memory in (True, False))
        told_apart = len({moment.sight(tree.actor[history], memory=False) for history, moment in moments(tree, firsts(tree))})
    players = {REMEMBERS: remembers, FORGETS: forgets, RANDOM: Strategy.uniform(tree), OPTIMAL: solution.strategy}
    return Memory(one, solution, players, _judged(tree, players), (len(tree.sets), told_apart))


def reckoning(tree: Tree) -> tuple[Strategy, Strategy]:
    """What a bot does that takes everybody to play at random: with memory, and without, where information sets with the same label are one."""
    standing = values(tree, Strategy.uniform(tree))
    expected: dict[InfoSet, list[Fraction]] = {}
    for here, known in zip(tree.sets, standing, strict=True):
        weighed = [Fraction(known.reach * worth) for worth in known.values or ()]
        before = expected.setdefault(here, [Fraction(0)] * len(weighed))
        expected[here] = [one + two for one, two in zip(before, weighed, strict=True)]
    remembers = [_best(known.counterfactual) for known in standing]
    return Strategy.choosing(tree, remembers), Strategy.choosing(tree, [_best(expected[here]) for here in tree.sets])


def _best(worths: Sequence[float | Fraction]) -> int:
    """The first of the best."""
    return max(range(len(worths)), key=worths.__getitem__)


def _judged(tree: Tree, players: Mapping[str, Strategy]) -> dict[str, Fraction]:
    return {name: Fraction(exploitability(tree, strategy)) for name, strategy in players.items()}


@dataclass(frozen=True)
class Naive(Contest):
    """What `naive` finds."""

    question: ClassVar[str] = "How much can be won from a player who follows a simple rule?"


def naive(*, game: str = "econ431 cd 678 2 c") -> Naive:
    """Simple rules of play, judged exactly: always the cheapest card, beating wherever one can, with throwing in and without; always taking.

    >>> {name: str(worth) for name, worth in naive(game="econ431 cd 67 2 c").exploitable.items()}
    {'random': '4/9', 'beats, throws in': '1/2', 'beats': '5/6', 'takes': '5/6', 'optimal': '0'}
    """
    one = Miniature.of(game)
    tree = one.tree()
    solution = solve(tree)
    proved(tree, solution)

    def playing(*first: str) -> Strategy:
        """Whoever makes the first of these moves that there is, and otherwise plays its cheapest card."""
        return Strategy.choosing(tree, [_chosen(here.moves, first, one.trump) for here in tree.sets])

    players = {
        RANDOM: Strategy.uniform(tree),
        "beats, throws in": playing(),
        "beats": playing("pass"),
        "takes": playing("take", "pass"),
        OPTIMAL: solution.strategy,
    }
    return Naive(one, solution, players, _judged(tree, players))


def _chosen(moves: Sequence[str], first: Sequence[str], trump: str) -> int:
    for move in first:
        if move in moves:
            return moves.index(move)
    return min(range(len(moves)), key=lambda place: _price(moves[place], trump))


def _price(move: str, trump: str) -> tuple[bool, bool, int]:
    """How dear a move is: to take or to pass is the dearest, then a trump, then a higher rank."""
    _, *cards = move.split()
    if not cards:
        return True, True, 0
    card = Card(cards[-1])
    return False, card.suit == trump, card.code % 13
