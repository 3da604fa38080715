"""What do the books call an equilibrium that was found, and what is known of it? By keys and places: whoever says it in a language has the words; in English it says itself."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from durak_widget.gametheory.backward_induction_solver import line
from durak_widget.gametheory.best_responses import nash_conv
from durak_widget.gametheory.infoset_labels import move_named, set_named
from durak_widget.gametheory.player_labels import payoffs_said
from durak_widget.gametheory.subgame_perfection import gains_in_subgames
from durak_widget.gametheory.subgames import cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.gametheory.beliefs import WeaklyPerfect
    from durak_widget.gametheory.called import Called
    from durak_widget.gametheory.sequential_equilibrium import Sequential
    from durak_widget.gametheory.signalling_games import Intuitive
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

Known = Literal["near", "sequential", "weak", "perfect", "nash", "best", "nearly"]
"""What is the most that is known of it: it is near an equilibrium; sequential; weak perfect Bayesian; subgame-perfect; a Nash equilibrium. Where one player decides all: the best that can be done, or near it."""
SHOWN: Final = 8
"""The moves of so many information sets are told in a line."""
_NEAR: Final = 1e-6


class InSubgames(NamedTuple):
    """Whether an equilibrium is one of each subgame too."""

    holds: bool
    against: int | None = None
    """Where it does not: the history at which a subgame begins in which somebody gains by leaving it."""
    seen: bool = False
    """Whether nothing is hidden, so that a subgame begins wherever somebody is to act, and beliefs add nothing."""


class Listed(NamedTuple):
    """An equilibrium."""

    strategy: Strategy
    worth: tuple[Number, ...]
    """What each seat gets."""
    gain: Number
    """What all seats together gain if each alone leaves it for its best response: 0 where it is proved in fractions."""
    verdict: Sequential | None = None
    """Whether it is sequential, with the trembles that prove it or the information set that refutes it; None where that was not asked."""
    refuted: tuple[Intuitive, ...] = ()
    """How the intuitive criterion refutes it, where the game is one of signals."""
    gains: tuple[Number, ...] = ()
    """What each seat gains alone by leaving it; nothing where a seat forgets, of which only the whole is known."""
    weakly: WeaklyPerfect | None = None
    """Whether it is a weak perfect Bayesian equilibrium; None where it is a sequential one, or that was not asked."""
    subgames: InSubgames | None = None
    """Whether it is one of each subgame; None where the whole is the only one, or that was not asked."""
    named: Called | None = None
    """How far subgames and beliefs bear it out, and what its messages tell; None where that was not asked."""
    signals: bool = False
    """Whether the game is one of signals, so that the intuitive criterion was asked."""
    tree: Tree | None = None
    """The game, by which players and information sets are named."""

    @property
    def called(self) -> Known:
        """What the books call it, as a key: the most that is known of it.

        >>> from durak_widget.gametheory.solver_selection import solve
        >>> from durak_widget.gametheory.textbook_games import textbook
        >>> [one.called for one in solve(textbook("entry"), "answer").found]
        ['perfect', 'nash', 'nash']
        """
        if len(self.worth) == 1:
            return "nearly" if self.gain else "best"
        if self.gain:
            return "near"
        bears = "nash" if self.named is None else self.named.bears
        return "perfect" if bears == "subgame-perfect" else bears

    @property
    def lacks(self) -> Known | None:
        """What it is proved not to be, though it is an equilibrium: `"perfect"` where somebody gains in a subgame, else `"sequential"`; None where nothing is refuted.

        >>> from durak_widget.gametheory.solver_selection import solve
        >>> from durak_widget.gametheory.textbook_games import textbook
        >>> [one.lacks for one in solve(textbook("horse")).found]
        [None, 'sequential']
        """
        fails = None if self.named is None or len(self.worth) == 1 else self.named.fails
        return "perfect" if fails == "subgame-perfect" else fails

    @property
    def name(self) -> str:
        """What the books call it.

        >>> from durak_widget.gametheory.solver_selection import solve
        >>> from durak_widget.gametheory.textbook_games import textbook
        >>> [one.name for one in solve(textbook("beer-quiche")).found][1:3]
        ['sequential equilibrium', 'sequential equilibrium, refuted by the intuitive criterion']
        """
        if len(self.worth) == 1:
            return "near the best behaviour" if self.gain else "best behaviour"
        if self.gain:
            return "near an equilibrium"
        name = "Nash equilibrium" if self.named is None else self.named.name
        return f"{name}, refuted by the intuitive criterion" if self.refuted else name

    @property
    def plays(self) -> str:
        """What is done at each information set, in words; of many sets, how many there are.

        >>> from durak_widget.gametheory.solver_selection import solve
        >>> from durak_widget.gametheory.textbook_games import textbook
        >>> solve(textbook("bayes")).found[1].plays
        '...'
        """
        sets, tree = self.strategy.sets, self.tree
        if len(sets) > SHOWN or tree is None:
            return f"{len(sets):,} information sets"
        return "; ".join(f"{set_named(tree, place)}: {_mix(tree, place, row)}" for place, row in enumerate(self.strategy.rows))

    @property
    def pays(self) -> str:
        """What each player gets, in words.

        >>> from durak_widget.gametheory.solver_selection import solve
        >>> from durak_widget.gametheory.textbook_games import textbook
        >>> solve(textbook("entry")).found[0].pays
        'Entrant 2, Chain store 2'
        """
        return payoffs_said([""] * len(self.worth) if self.tree is None else self.tree.names, list(map(_number, self.worth)))

    def __str__(self) -> str:
        messages = f", {self.named.messages}" if self.named is not None and self.named.messages else ""
        return f"{self.name}{messages}, pays {self.pays} ({self.plays})"


class PlayedOut(NamedTuple):
    """What some equilibria come to: the same payoffs by the same line of play."""

    example: Listed
    """The first of them."""
    line: tuple[str, ...]
    """The most likely moves from the start to the end."""
    times: int
    """How many of them were found."""

    def __str__(self) -> str:
        many = f", {self.times:,} of them" if self.times > 1 else ""
        return f"{self.example.pays} by {', '.join(self.line)}: {self.example.name}{many}"


def outcomes_of(found: Sequence[Listed]) -> tuple[PlayedOut, ...]:
    """Return what equilibria come to, in their order: those with the same name, payoffs and line of play together.

    >>> from durak_widget.gametheory.solver_selection import solve
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> for one in outcomes_of(solve(textbook("entry"), "answer").found):
    ...     print(one)
    Entrant 2, Chain store 2 by enter, share: subgame-perfect equilibrium
    Entrant 1, Chain store 5 by stay out: Nash equilibrium, not subgame-perfect, 2 of them
    """
    same: dict[tuple[object, ...], list[Listed]] = {}
    lines: dict[tuple[object, ...], tuple[str, ...]] = {}
    for one in found:
        way = () if one.tree is None else line(one.tree, one.strategy)
        key = (one.name, one.worth, way)
        same.setdefault(key, []).append(one)
        lines[key] = way
    return tuple([PlayedOut(ones[0], lines[key], len(ones)) for key, ones in same.items()])


def in_subgames(tree: Tree, strategy: Strategy, begins: Sequence[int], *, seen: bool) -> InSubgames:
    """Whether a strategy is an equilibrium of each of the subgames that begin at these histories.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> entry = textbook("entry")
    >>> in_subgames(entry, Strategy.of(entry, {0: "stay out", 1: "fight"}), [0, 1], seen=True)
    InSubgames(holds=False, against=1, seen=True)
    """
    if seen:
        gains = gains_in_subgames(tree, strategy)
        against = next((begin for begin in reversed(begins) if gains[begin]), None)
        return InSubgames(holds=against is None, against=against, seen=True)
    for begin in reversed(begins):
        part = cut(tree, begin)
        if nash_conv(part.tree, part.restricted(strategy)):
            return InSubgames(holds=False, against=begin, seen=seen)
    return InSubgames(holds=True, seen=seen)


def moves_made(row: Sequence[Number]) -> list[tuple[int, Number]]:
    """Which moves are made at an information set, and how likely each is; what is next to never is left out.

    >>> moves_made((Fraction(1, 2), Fraction(0), Fraction(1, 2)))
    [(0, Fraction(1, 2)), (2, Fraction(1, 2))]
    """
    return [(move, likely) for move, likely in enumerate(row) if likely > _NEAR]


def _number(number: Number) -> str:
    return str(number) if isinstance(number, Fraction) else f"≈{number:.4g}"


def _mix(tree: Tree, place: int, row: tuple[Number, ...]) -> str:
    """What is done with which probability; what is sure, by its name alone."""
    done = moves_made(row)
    moves = [move_named(tree, place, move) for move, _ in done]
    return moves[0] if len(done) == 1 else " + ".join(f"{_number(likely)} {move}" for move, (_, likely) in zip(moves, done, strict=True))
