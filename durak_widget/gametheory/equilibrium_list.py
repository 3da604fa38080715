"""Describes equilibria that were found: the record, the textbook name, and remarks about the list.

The name says how far subgames and beliefs support an equilibrium, and whether its messages separate the
types. All facts are keys; each language has its own words for them, and `name` gives the English ones. If
several concepts reject an equilibrium, the oldest is named: failing subgame perfection (Selten 1965) needs no
beliefs.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from durak_widget.gametheory.backward_induction_solver import line
from durak_widget.gametheory.beliefs import weakly_perfect
from durak_widget.gametheory.best_responses import nash_conv
from durak_widget.gametheory.game_properties import cut, subgames
from durak_widget.gametheory.infoset_labels import move_named, set_named
from durak_widget.gametheory.player_labels import payoffs_said
from durak_widget.gametheory.signalling_games import no_signals, signalling
from durak_widget.gametheory.subgame_perfection import gains_in_subgames
from durak_widget.gametheory.tree import CHANCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.gametheory.beliefs import WeaklyPerfect
    from durak_widget.gametheory.sequential_equilibrium import Sequential
    from durak_widget.gametheory.signalling_games import Intuitive
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

SHOWN: Final = 8
"""The moves of so many information sets are told in a line."""
_NEAR: Final = 1e-6
_NAMES: Final[dict[str, str]] = {
    "sequential": "sequential equilibrium",
    "weak": "weak perfect Bayesian equilibrium",
    "subgame-perfect": "subgame-perfect equilibrium",
    "nash": "Nash equilibrium",
}
_NOTES: Final[dict[tuple[Way, bool], str]] = {
    ("seen", True): "Nothing is hidden: these are all subgame-perfect equilibria in pure strategies, and all others in pure plans.",
    ("seen", False): "Nothing is hidden: subgame-perfect equilibria, and others in pure plans, of perhaps many more.",
    (
        "all",
        True,
    ): "These are all Nash equilibria, in reduced plans, or their corners where there are infinitely many; each is proved in fractions.",
    ("one", True): "One Nash equilibrium of perhaps many, and all in pure plans; each is proved in fractions.",
    ("one", False): "Nash equilibria, of perhaps many more; each is proved in fractions.",
    ("pure", True): "These are all equilibria in pure plans; mixed ones are not listed.",
    ("pure", False): "Equilibria in pure plans, of perhaps many more; each is proved in fractions.",
    (
        "beside",
        True,
    ): "These are all equilibria in pure plans, and the one to which the path of logit equilibria leads; other mixed ones are not listed.",
    (
        "beside",
        False,
    ): "Equilibria in pure plans, and the one to which the path of logit equilibria leads, of perhaps many more; each is proved in fractions.",
    ("path", True): "No equilibrium in pure plans; the path of logit equilibria leads to this one, and there may be others.",
    ("path", False): "Where the path of logit equilibria leads; there may be others.",
    ("best", True): "One player decides all: no behaviour is better, and all that are as good and mix nothing are listed.",
    ("best", False): "One player decides all: nothing better was found, and others may be as good.",
    (
        "behaviour",
        True,
    ): "A player forgets. Nobody gains by any other behaviour, as it is chosen at the beginning, or where it is near, by another plan no more than rounding takes. All in which nobody mixes are listed; others may mix, and Nash's theorem promises none.",
    (
        "behaviour",
        False,
    ): "A player forgets. Nobody gains by any other behaviour, as it is chosen at the beginning, or where it is near, by another plan no more than rounding takes; there may be others, and Nash's theorem promises none.",
    (
        "plans",
        True,
    ): "A player forgets. These are all equilibria in mixes of plans, for which one would have to remember the draw; in behaviour, from move to move, none was found.",
    (
        "plans",
        False,
    ): "A player forgets. These are equilibria in mixes of plans, for which one would have to remember the draw; in behaviour, from move to move, none was found.",
    ("lost", False): "None was found: the path of logit equilibria led to none, which does not prove that there is none.",
    ("none", True): "No equilibrium is in pure plans. To look for others, this game or its numbers are too large.",
    (
        "none",
        False,
    ): "None was found, and this game or its numbers are too large to look further. Where a player forgets there may be none.",
}
Known = Literal["near", "sequential", "weak", "perfect", "nash", "best", "nearly"]
"""What is the most that is known of it: it is near an equilibrium; sequential; weak perfect Bayesian; subgame-perfect; a Nash equilibrium. Where one player decides all: the best that can be done, or near it."""


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


Bears = Literal["sequential", "weak", "subgame-perfect", "nash"]
"""What an equilibrium is called: the most that is proved of it. `weak` is a weak perfect Bayesian one."""
Fails = Literal["subgame-perfect", "sequential"]
"""What it is proved not to be."""
Messages = Literal["pooling", "separating", "partly separating"]
"""Whether all types send alike, no two of them the same, or neither: then a message may leave some in doubt, and others not."""


class Called(NamedTuple):
    """What the books call an equilibrium."""

    subgame_perfect: bool
    """Whether nobody gains in any subgame; in a game that has none but itself, every equilibrium."""
    weak: bool | None
    """Whether it is a weak perfect Bayesian equilibrium: the best that each can do everywhere, by beliefs that fit where play comes. None where that was not asked or decided."""
    sequential: bool | None
    """Whether, besides, some trembles lead to such beliefs. None where that was not decided."""
    bears: Bears
    """The name of the most that is proved of it, as far as the game tells that from less: where all information sets are come to anyway, all equilibria are sequential and nobody says so."""
    fails: Fails | None
    """What it is proved not to be, if anything."""
    messages: Messages | None = None
    """In a game of signals: whether they tell the types apart."""

    @property
    def name(self) -> str:
        """In the words of the books.

        >>> Called(subgame_perfect=False, weak=True, sequential=False, bears="weak", fails="subgame-perfect").name
        'weak perfect Bayesian equilibrium, not subgame-perfect'
        """
        return _NAMES[self.bears] + (f", not {self.fails}" if self.fails else "")


def called(
    tree: Tree,
    strategy: Strategy,
    sequential: bool | None,  # noqa: FBT001 - what is known, or not
    *,
    weak: bool | None = None,
    filled: bool = False,
) -> Called:
    """What an exact equilibrium is called of which it is known, or not, whether it is sequential, and `weak` perfect Bayesian; where what it does at some information sets was `filled` in, they might be filled better.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> entry, quiche = textbook("entry"), textbook("beer-quiche")
    >>> threat = Strategy.of(entry, {"begins": "stay out", "after an entry": "fight"})
    >>> called(entry, threat, sequential=False).name
    'Nash equilibrium, not subgame-perfect'
    >>> beer = Strategy.of(quiche, {"strong": "beer", "weak": "beer", "sees beer": "defer", "sees quiche": "duel"})
    >>> called(quiche, beer, sequential=True)
    Called(subgame_perfect=True, weak=True, sequential=True, bears='sequential', fails=None, messages='pooling')
    """
    parts = len(subgames(tree)) > 1
    perfect = bool(sequential) or not parts or not any(gains_in_subgames(tree, strategy).values())
    if sequential:
        weak = True
    elif weak is None:
        weak = perfect if _all_known(tree) else weakly_perfect(tree, strategy).holds  # where nothing is hidden there is nothing to believe
    settled = sequential is not None or not filled
    if settled and (not perfect or weak is False):
        sequential = False
    bears: Bears = "nash"
    if sequential and not always_come_to(tree):
        bears = "subgame-perfect" if _all_known(tree) else "sequential"
    elif not sequential:
        bears = "weak" if weak else "subgame-perfect" if perfect and parts else "nash"
    fails: Fails | None = "subgame-perfect" if settled and not perfect else "sequential" if sequential is False else None
    return Called(perfect, weak, sequential, bears, fails, None if no_signals(tree) else _messages(tree, strategy))


def always_come_to(tree: Tree) -> bool:
    """Whether play comes to every information set whatever anybody does: as where all choose at once, each knowing no more than what chance told it.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> [always_come_to(textbook(name)) for name in ("pennies", "bayes", "horse")]
    [True, True, False]
    """
    below: list[frozenset[int]] = [frozenset()] * tree.histories
    for here in reversed(range(tree.histories)):
        who, place, after = tree.actor[here], tree.info[here], [below[child] for child in tree.children(here)]
        if who == CHANCE:
            likely = tree.chances[place].probabilities
            below[here] = frozenset().union(*(one for one, chance in zip(after, likely, strict=True) if chance))
        elif who >= 0:
            below[here] = frozenset.intersection(*after) | {place}
    return len(below[0]) == len(tree.sets)


def _all_known(tree: Tree) -> bool:
    """Whether each information set is of one history."""
    return sum(who >= 0 for who in tree.actor) == len(tree.sets)


def _messages(tree: Tree, strategy: Strategy) -> Messages:
    """Whether the types that may be drawn send alike, or no two of them the same."""
    likely = tree.chances[tree.info[0]].probabilities
    types = [node for node, chance in zip(signalling(tree).types, likely, strict=True) if chance]
    sent = [
        {_seen(tree, child): chance for chance, child in zip(strategy.rows[tree.info[node]], tree.children(node), strict=True) if chance}
        for node in types
    ]
    if all(one == sent[0] for one in sent):
        return "pooling"
    apart = sum(map(len, sent)) == len(set().union(*sent))
    return "separating" if apart else "partly separating"


def _seen(tree: Tree, node: int) -> tuple[bool, int | str]:
    """What is seen of a message: where it is answered, or, where that ends the game, its name."""
    return (True, tree.info[node]) if tree.actor[node] >= 0 else (False, tree.move_to(node))


Way = Literal["seen", "all", "one", "pure", "beside", "path", "best", "behaviour", "plans", "lost", "none"]
"""What is listed: where nothing is hidden, those found from the end, and other pure ones; all equilibria, or their corners; one of perhaps many, with all in pure plans; those in pure plans; the same with the end of the logit path; that end alone; where one seat decides all, what is best for it; behaviour where a seat forgets; mixes of plans, which such a seat cannot play from move to move; nothing, where the path leads to none; nothing."""


def noted(way: Way, *, complete: bool, forgets: bool, outmixed: bool, undecided: int, unasked: int) -> str:
    """What is to be known of a list: whether all are there of which `way` speaks, whether a seat forgets, whether somebody gains by mixing where the plans of a mix do not, of how many what was not decided, and what not asked.

    >>> noted("pure", complete=True, forgets=False, outmixed=False, undecided=0, unasked=2)
    'These are all equilibria in pure plans; mixed ones are not listed. What beliefs make of 2 of them was not asked.'
    """
    return " ".join(
        [
            _NOTES[way, complete],
            *["What counts is what it is worth at the beginning, before anything is forgotten."] * (forgets and way == "best"),
            *["Those in which nobody mixes are behaviours too, but somebody gains by mixing from move to move."] * outmixed,
            *[f"Of {undecided} in which nobody mixes it was not decided whether somebody gains by mixing."] * bool(undecided),
            *[f"What beliefs make of {unasked} of them was not asked."] * bool(unasked),
        ]
    )
