"""Describes equilibria that were found: the record, its textbook name, and notes.

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
"""The maximum number of information sets whose actions are listed in a line."""
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
"""The strongest property that is known.

Near an equilibrium; sequential; weak perfect Bayesian; subgame-perfect; Nash. In a one-player game: the best, or near it.
"""


class InSubgames(NamedTuple):
    """The answer whether an equilibrium is one of each subgame too."""

    holds: bool
    against: int | None = None
    """If it is not: the root of a subgame in which a player gains by deviating."""
    seen: bool = False
    """Whether the game has perfect information, so that every decision begins a subgame and beliefs add nothing."""


class Listed(NamedTuple):
    """An equilibrium with what is known about it."""

    strategy: Strategy
    worth: tuple[Number, ...]
    """The payoff of each player."""
    gain: Number
    """The total gain if each player alone changed to a best response: 0 if the equilibrium is proved in fractions."""
    verdict: Sequential | None = None
    """Whether it is sequential, with a proof; None if this was not examined.

    The proof is a sequence of trembles, or an information set at which beliefs fail.
    """
    refuted: tuple[Intuitive, ...] = ()
    """How the intuitive criterion refutes it, in a signalling game."""
    gains: tuple[Number, ...] = ()
    """What each player alone gains by deviating; empty if a player has imperfect recall, and only the total is known."""
    weakly: WeaklyPerfect | None = None
    """Whether it is a weak perfect Bayesian equilibrium; None if it is sequential, or if this was not examined."""
    subgames: InSubgames | None = None
    """Whether it is one of each subgame; None if the game has no other subgame, or if this was not examined."""
    named: Called | None = None
    """Its textbook name, and whether its messages separate the types; None if this was not examined."""
    signals: bool = False
    """Whether it is a signalling game, so that the intuitive criterion was checked."""
    tree: Tree | None = None
    """The game, for the names of players and information sets."""

    @property
    def called(self) -> Known:
        """Return the key of the strongest property that is known of it.

        >>> from durak_widget.gametheory.solver_selection import solve
        >>> from durak_widget.gametheory.textbook_games import textbook
        >>> [equilibrium.called for equilibrium in solve(textbook("entry"), "answer").found]
        ['perfect', 'nash', 'nash']
        """
        if len(self.worth) == 1:
            return "nearly" if self.gain else "best"
        if self.gain:
            return "near"
        proved_concept = "nash" if self.named is None else self.named.bears
        return "perfect" if proved_concept == "subgame-perfect" else proved_concept

    @property
    def lacks(self) -> Known | None:
        """Return the key of the property that it is proved to lack, though it is an equilibrium.

        This is `"perfect"` if a player gains in a subgame, else `"sequential"`; None if nothing is refuted.

        >>> from durak_widget.gametheory.solver_selection import solve
        >>> from durak_widget.gametheory.textbook_games import textbook
        >>> [equilibrium.lacks for equilibrium in solve(textbook("horse")).found]
        [None, 'sequential']
        """
        failed_concept = None if self.named is None or len(self.worth) == 1 else self.named.fails
        return "perfect" if failed_concept == "subgame-perfect" else failed_concept

    @property
    def name(self) -> str:
        """Return its textbook name.

        >>> from durak_widget.gametheory.solver_selection import solve
        >>> from durak_widget.gametheory.textbook_games import textbook
        >>> [equilibrium.name for equilibrium in solve(textbook("beer-quiche")).found][1:3]
        ['sequential equilibrium', 'sequential equilibrium, refuted by the intuitive criterion']
        """
        if len(self.worth) == 1:
            return "near the best behaviour" if self.gain else "best behaviour"
        if self.gain:
            return "near an equilibrium"
        concept_name = "Nash equilibrium" if self.named is None else self.named.name
        return f"{concept_name}, refuted by the intuitive criterion" if self.refuted else concept_name

    @property
    def plays(self) -> str:
        """Return the actions at each information set as text; if there are too many, their number.

        >>> from durak_widget.gametheory.solver_selection import solve
        >>> from durak_widget.gametheory.textbook_games import textbook
        >>> solve(textbook("bayes")).found[1].plays
        '...'
        """
        infosets, tree = self.strategy.sets, self.tree
        if len(infosets) > SHOWN or tree is None:
            return f"{len(infosets):,} information sets"
        return "; ".join(f"{set_named(tree, infoset)}: {_mix(tree, infoset, row)}" for infoset, row in enumerate(self.strategy.rows))

    @property
    def pays(self) -> str:
        """Return the payoffs of the players as text.

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
    """Equilibria with the same payoffs and the same line of play."""

    example: Listed
    """The first of them."""
    line: tuple[str, ...]
    """The most likely actions from the root to a terminal node."""
    times: int
    """The number of equilibria."""

    def __str__(self) -> str:
        count_text = f", {self.times:,} of them" if self.times > 1 else ""
        return f"{self.example.pays} by {', '.join(self.line)}: {self.example.name}{count_text}"


def outcomes_of(found: Sequence[Listed]) -> tuple[PlayedOut, ...]:
    """Group equilibria by name, payoffs and line of play, in their order.

    >>> from durak_widget.gametheory.solver_selection import solve
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> for outcome in outcomes_of(solve(textbook("entry"), "answer").found):
    ...     print(outcome)
    Entrant 2, Chain store 2 by enter, share: subgame-perfect equilibrium
    Entrant 1, Chain store 5 by stay out: Nash equilibrium, not subgame-perfect, 2 of them
    """
    groups: dict[tuple[object, ...], list[Listed]] = {}
    lines: dict[tuple[object, ...], tuple[str, ...]] = {}
    for equilibrium in found:
        actions = () if equilibrium.tree is None else line(equilibrium.tree, equilibrium.strategy)
        key = (equilibrium.name, equilibrium.worth, actions)
        groups.setdefault(key, []).append(equilibrium)
        lines[key] = actions
    return tuple([PlayedOut(group[0], lines[key], len(group)) for key, group in groups.items()])


def in_subgames(tree: Tree, strategy: Strategy, begins: Sequence[int], *, seen: bool) -> InSubgames:
    """Decide whether a strategy is an equilibrium of each of the subgames with these roots.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> entry = textbook("entry")
    >>> in_subgames(entry, Strategy.of(entry, {0: "stay out", 1: "fight"}), [0, 1], seen=True)
    InSubgames(holds=False, against=1, seen=True)
    """
    if seen:
        gains = gains_in_subgames(tree, strategy)
        failing_root = next((root for root in reversed(begins) if gains[root]), None)
        return InSubgames(holds=failing_root is None, against=failing_root, seen=True)
    for root in reversed(begins):
        subtree = cut(tree, root)
        if nash_conv(subtree.tree, subtree.restricted(strategy)):
            return InSubgames(holds=False, against=root, seen=seen)
    return InSubgames(holds=True, seen=seen)


def moves_made(row: Sequence[Number]) -> list[tuple[int, Number]]:
    """Return the actions that are taken at an information set, with their probabilities.

    Actions with a probability of almost 0 are left out.

    >>> moves_made((Fraction(1, 2), Fraction(0), Fraction(1, 2)))
    [(0, Fraction(1, 2)), (2, Fraction(1, 2))]
    """
    return [(action, probability) for action, probability in enumerate(row) if probability > _NEAR]


def _number(number: Number) -> str:
    return str(number) if isinstance(number, Fraction) else f"≈{number:.4g}"


def _mix(tree: Tree, place: int, row: tuple[Number, ...]) -> str:
    """Format the actions with their probabilities; a certain action by its label alone."""
    played_actions = moves_made(row)
    labels = [move_named(tree, place, index) for index, _ in played_actions]
    return (
        labels[0]
        if len(played_actions) == 1
        else " + ".join(f"{_number(probability)} {label}" for label, (_, probability) in zip(labels, played_actions, strict=True))
    )


Bears = Literal["sequential", "weak", "subgame-perfect", "nash"]
"""The strongest concept that is proved; `weak` is weak perfect Bayesian equilibrium."""
Fails = Literal["subgame-perfect", "sequential"]
"""The concept that is refuted."""
Messages = Literal["pooling", "separating", "partly separating"]
"""Whether all types send the same message, no two types do, or neither.

If neither, some messages reveal the type and others do not.
"""


class Called(NamedTuple):
    """The textbook name of an equilibrium, and the facts behind it."""

    subgame_perfect: bool
    """Whether no player gains in any subgame; true for every equilibrium of a game without other subgames."""
    weak: bool | None
    """Whether it is a weak perfect Bayesian equilibrium.

    No continuation is better at any information set, by beliefs that follow Bayes' rule on the path of play. None if this
    was not examined or decided.
    """
    sequential: bool | None
    """Whether in addition some trembles lead to such beliefs; None if this was not decided."""
    bears: Bears
    """The strongest concept that is proved, as far as it means something in the game.

    If play always reaches all information sets, all equilibria are sequential, and the name does not mention it.
    """
    fails: Fails | None
    """The concept that is refuted, if any."""
    messages: Messages | None = None
    """In a signalling game: whether the messages separate the types."""

    @property
    def name(self) -> str:
        """Return the textbook name in English.

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
    """Classify an exact equilibrium.

    `sequential` and `weak` (weak perfect Bayesian) say what is known, None if nothing. `filled` means that the strategy was
    completed at some information sets, so other actions there might do better.

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
    has_subgames = len(subgames(tree)) > 1
    is_subgame_perfect = bool(sequential) or not has_subgames or not any(gains_in_subgames(tree, strategy).values())
    if sequential:
        weak = True
    elif weak is None:
        # with perfect information, beliefs are trivial
        weak = is_subgame_perfect if _all_known(tree) else weakly_perfect(tree, strategy).holds
    is_decided = sequential is not None or not filled
    if is_decided and (not is_subgame_perfect or weak is False):
        sequential = False
    proved_concept: Bears = "nash"
    if sequential and not always_come_to(tree):
        proved_concept = "subgame-perfect" if _all_known(tree) else "sequential"
    elif not sequential:
        proved_concept = "weak" if weak else "subgame-perfect" if is_subgame_perfect and has_subgames else "nash"
    failed_concept: Fails | None = (
        "subgame-perfect" if is_decided and not is_subgame_perfect else "sequential" if sequential is False else None
    )
    return Called(
        is_subgame_perfect, weak, sequential, proved_concept, failed_concept, None if no_signals(tree) else _messages(tree, strategy)
    )


def always_come_to(tree: Tree) -> bool:
    """Return whether play reaches every information set, whatever the players do.

    An example is a game of simultaneous choices, in which each player knows only the chance moves they have seen.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> [always_come_to(textbook(name)) for name in ("pennies", "bayes", "horse")]
    [True, True, False]
    """
    always_reached: list[frozenset[int]] = [frozenset()] * tree.histories
    for node in reversed(range(tree.histories)):
        actor, infoset, child_sets = tree.actor[node], tree.info[node], [always_reached[child] for child in tree.children(node)]
        if actor == CHANCE:
            probabilities = tree.chances[infoset].probabilities
            always_reached[node] = frozenset().union(
                *(reached for reached, probability in zip(child_sets, probabilities, strict=True) if probability)
            )
        elif actor >= 0:
            always_reached[node] = frozenset.intersection(*child_sets) | {infoset}
    return len(always_reached[0]) == len(tree.sets)


def _all_known(tree: Tree) -> bool:
    """Return whether each information set has one node."""
    return sum(actor >= 0 for actor in tree.actor) == len(tree.sets)


def _messages(tree: Tree, strategy: Strategy) -> Messages:
    """Return whether the possible types send the same message, or no two of them do."""
    probabilities = tree.chances[tree.info[0]].probabilities
    type_nodes = [node for node, probability in zip(signalling(tree).types, probabilities, strict=True) if probability]
    messages_of = [
        {
            _seen(tree, child): probability
            for probability, child in zip(strategy.rows[tree.info[node]], tree.children(node), strict=True)
            if probability
        }
        for node in type_nodes
    ]
    if all(messages == messages_of[0] for messages in messages_of):
        return "pooling"
    is_separating = sum(map(len, messages_of)) == len(set().union(*messages_of))
    return "separating" if is_separating else "partly separating"


def _seen(tree: Tree, node: int) -> tuple[bool, int | str]:
    """Return what is observed of a message.

    This is the information set at which it is answered, or the label of the action if that ends the game.
    """
    return (True, tree.info[node]) if tree.actor[node] >= 0 else (False, tree.move_to(node))


Way = Literal["seen", "all", "one", "pure", "beside", "path", "best", "behaviour", "plans", "lost", "none"]
"""The contents of the list, as a key for its note.

- `seen`: with perfect information, the equilibria from backward induction, and other pure ones.
- `all`: all equilibria, or the vertices of their set. `one`: one of perhaps many, and all pure ones.
- `pure`: pure equilibria. `beside`: these, and the end of the logit path. `path`: that end alone.
- `best`: in a one-player game, the best strategy.
- `behaviour`: behaviour strategies, if a player has imperfect recall. `plans`: mixed strategies, which such a player
  cannot play from action to action.
- `lost`: nothing, as the logit path led to no equilibrium. `none`: nothing.
"""


def noted(way: Way, *, complete: bool, forgets: bool, outmixed: bool, undecided: int, unasked: int) -> str:
    """Return the note on a list of equilibria.

    `complete` says whether everything that `way` speaks of is in the list, `forgets` whether a player has imperfect
    recall, and `outmixed` whether a player gains by a behaviour strategy where no pure strategy of a mixture does.
    `undecided` and `unasked` are the numbers of equilibria that were not decided, and not examined.

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
