"""Describes the equilibria that a solver found, by their properties and textbook names.

The name says which equilibrium concept is proved in subgames and by beliefs. Properties are keys, which each language
has its own words for; `name` is in English. If several concepts reject an equilibrium, the oldest is named: failing
subgame perfection (Selten 1965) needs no beliefs.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from durak_widget.gametheory.backward_induction_solver import find_line_of_play
from durak_widget.gametheory.beliefs import evaluate_weak_perfect_bayesian
from durak_widget.gametheory.best_responses import nash_conv
from durak_widget.gametheory.game_properties import extract_subtree, find_subgame_roots
from durak_widget.gametheory.infoset_labels import format_action, format_infoset
from durak_widget.gametheory.player_labels import format_payoffs
from durak_widget.gametheory.signalling_games import describe_why_not_signalling, require_signalling_game
from durak_widget.gametheory.subgame_perfection import compute_gains_in_subgames
from durak_widget.gametheory.tree import CHANCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.gametheory.beliefs import WeakPerfectBayesianResult
    from durak_widget.gametheory.sequential_equilibrium import SequentialVerdict
    from durak_widget.gametheory.signalling_games import IntuitiveRefutation
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

MAX_SHOWN_INFOSETS: Final = 8
"""The maximum number of information sets whose actions are listed in one line of text."""
_TOLERANCE: Final = 1e-6
_CONCEPT_NAMES: Final[dict[str, str]] = {
    "sequential": "sequential equilibrium",
    "weak": "weak perfect Bayesian equilibrium",
    "subgame-perfect": "subgame-perfect equilibrium",
    "nash": "Nash equilibrium",
}
_NOTES: Final[dict[tuple[ListContents, bool], str]] = {
    (
        "seen",
        True,
    ): "The players see everything. The list has all subgame-perfect equilibria in pure strategies, and all other pure equilibria.",
    ("seen", False): "The players see everything. The list has some subgame-perfect and other pure equilibria; there may be many more.",
    (
        "all",
        True,
    ): "The list has all Nash equilibria in reduced strategies, or the extreme points if there are infinitely many. Two strategies count as one if they differ only at nodes that the player's own moves never lead to. Each one is proved in exact fractions.",
    (
        "one",
        True,
    ): "The list has the one Nash equilibrium that we found, and all pure ones. There may be other mixed equilibria. Each one is proved in exact fractions.",
    ("one", False): "The list has some Nash equilibria. There may be many more. Each one is proved in exact fractions.",
    ("pure", True): "The list has all equilibria in pure strategies. Mixed equilibria are not listed.",
    ("pure", False): "The list has some equilibria in pure strategies. There may be many more. Each one is proved in exact fractions.",
    (
        "beside",
        True,
    ): "The list has all pure equilibria, and the end of the path of logit equilibria. Other mixed equilibria are not listed.",
    (
        "beside",
        False,
    ): "The list has some pure equilibria, and the end of the path of logit equilibria. There may be many more. Each one is proved in exact fractions.",
    ("path", True): "There is no pure equilibrium. The path of logit equilibria leads to this one; there may be others.",
    ("path", False): "The path of logit equilibria leads to this equilibrium. There may be others.",
    ("best", True): "One player makes all the decisions. The list has all the best pure strategies. No other strategy is better.",
    ("best", False): "One player makes all the decisions. We found no better strategy than this, but others may be equally good.",
    (
        "behaviour",
        True,
    ): "A player has imperfect recall (they forget something that they knew or did). No player gains by another behaviour strategy, chosen before play. If an equilibrium is only close, no pure strategy gains more than a rounding error. The list has all pure equilibria. There may be mixed ones too. With imperfect recall, Nash's theorem doesn't guarantee an equilibrium.",
    (
        "behaviour",
        False,
    ): "A player has imperfect recall (they forget something that they knew or did). No player gains by another behaviour strategy, chosen before play. If an equilibrium is only close, no pure strategy gains more than a rounding error. There may be other equilibria. With imperfect recall, Nash's theorem doesn't guarantee an equilibrium.",
    (
        "plans",
        True,
    ): "A player has imperfect recall (they forget something that they knew or did), and no equilibrium in behaviour strategies was found. The list has all equilibria in mixed strategies. To play one, a player has to remember which pure strategy was chosen. This doesn't prove that there is no equilibrium in behaviour strategies.",
    (
        "plans",
        False,
    ): "A player has imperfect recall (they forget something that they knew or did), and no equilibrium in behaviour strategies was found. The list has some equilibria in mixed strategies. To play one, a player has to remember which pure strategy was chosen. This doesn't prove that there is no equilibrium in behaviour strategies.",
    ("lost", False): "The path of logit equilibria led to no equilibrium. That doesn't prove that none exists.",
    ("none", True): "There is no pure equilibrium. The game or its numbers are too large to search for other equilibria.",
    (
        "none",
        False,
    ): "No equilibrium was found. The game or its numbers are too large for a longer search. With imperfect recall, there may be no equilibrium.",
}
"""What a list of equilibria contains, in the words that a board uses."""
EquilibriumStatus = Literal["near", "sequential", "weak", "perfect", "nash", "best", "nearly"]
"""The key of the strongest property that an equilibrium is known to have.

Near an equilibrium; sequential; weak perfect Bayesian; subgame-perfect; Nash. In a one-player game: the best, or near it.
"""


class SubgameResult(NamedTuple):
    """The result of checking whether an equilibrium is subgame perfect."""

    holds: bool
    failing_root: int | None = None
    """If the equilibrium is not subgame perfect: the root of a subgame in which a player gains by deviating."""
    has_perfect_information: bool = False
    """True if the game has perfect information; then a subgame begins at each decision node, and no beliefs are
    needed.
    """


class EquilibriumRecord(NamedTuple):
    """An equilibrium, with the properties that it is known to have or not to have."""

    strategy: Strategy
    payoffs: tuple[Number, ...]
    """The payoff of each player."""
    total_gain: Number
    """The sum of the players' gains from deviating alone, which is 0 if the equilibrium is proved in exact fractions."""
    sequential_result: SequentialVerdict | None = None
    """The result of checking whether the equilibrium is sequential, with a proof; None if this was not checked.

    The proof is a sequence of trembles, or an information set at which beliefs fail.
    """
    intuitive_refutations: tuple[IntuitiveRefutation, ...] = ()
    """The reasons why the intuitive criterion rejects the equilibrium; always empty if the game is not a signalling
    game.
    """
    player_gains: tuple[Number, ...] = ()
    """The gain of each player from deviating alone; empty if a player has imperfect recall, because then only the sum
    is computed.
    """
    weak_result: WeakPerfectBayesianResult | None = None
    """The result of checking for weak perfect Bayesian equilibrium; None if the equilibrium is sequential or was not
    checked.
    """
    subgame_result: SubgameResult | None = None
    """The result of checking for subgame perfection; None if there is no smaller subgame or if this was not checked.
    """
    classification: Classification | None = None
    """The equilibrium's textbook name, and whether its messages separate the types; None if the equilibrium was not
    classified.
    """
    is_signalling_game: bool = False
    """True if the game is a signalling game, so that the intuitive criterion was checked."""
    tree: Tree | None = None
    """The game tree, from which the names of players and information sets are taken."""

    @property
    def status(self) -> EquilibriumStatus:
        """Return the key of the strongest property that the equilibrium is known to have.

        >>> from durak_widget.gametheory.solver_selection import solve
        >>> from durak_widget.gametheory.textbook_games import textbook
        >>> [equilibrium.status for equilibrium in solve(textbook("entry"), "answer").equilibria]
        ['perfect', 'nash', 'nash']
        """
        if len(self.payoffs) == 1:
            return "nearly" if self.total_gain else "best"
        if self.total_gain:
            return "near"
        proved_concept = "nash" if self.classification is None else self.classification.proved_concept
        return "perfect" if proved_concept == "subgame-perfect" else proved_concept

    @property
    def failed_status(self) -> EquilibriumStatus | None:
        """Return the key of a property that the equilibrium provably lacks, or None.

        This is `"perfect"` if a player gains in a subgame, else `"sequential"`; None if nothing is refuted.

        >>> from durak_widget.gametheory.solver_selection import solve
        >>> from durak_widget.gametheory.textbook_games import textbook
        >>> [equilibrium.failed_status for equilibrium in solve(textbook("horse")).equilibria]
        [None, 'sequential']
        """
        failed_concept = None if self.classification is None or len(self.payoffs) == 1 else self.classification.failed_concept
        return "perfect" if failed_concept == "subgame-perfect" else failed_concept

    @property
    def name(self) -> str:
        """Return the textbook name of the equilibrium.

        >>> from durak_widget.gametheory.solver_selection import solve
        >>> from durak_widget.gametheory.textbook_games import textbook
        >>> [equilibrium.name for equilibrium in solve(textbook("beer-quiche")).equilibria][1:3]
        ['sequential equilibrium', 'sequential equilibrium, fails the intuitive criterion']
        """
        if len(self.payoffs) == 1:
            return "near the best behaviour" if self.total_gain else "best behaviour"
        if self.total_gain:
            return "near an equilibrium"
        concept_name = "Nash equilibrium" if self.classification is None else self.classification.name
        return f"{concept_name}, fails the intuitive criterion" if self.intuitive_refutations else concept_name

    @property
    def strategy_text(self) -> str:
        """Return the actions at all information sets as text, unless there are too many sets.

        If there are more than `MAX_SHOWN_INFOSETS` information sets, the text has only their number.

        >>> from durak_widget.gametheory.solver_selection import solve
        >>> from durak_widget.gametheory.textbook_games import textbook
        >>> solve(textbook("bayes")).equilibria[1].strategy_text
        '...'
        """
        infosets, tree = self.strategy.infosets, self.tree
        if len(infosets) > MAX_SHOWN_INFOSETS or tree is None:
            return f"{len(infosets):,} information sets"
        return "; ".join(
            f"{format_infoset(tree, infoset)}: {_format_mixture(tree, infoset, row)}" for infoset, row in enumerate(self.strategy.rows)
        )

    @property
    def payoffs_text(self) -> str:
        """Return the players' equilibrium payoffs as text.

        >>> from durak_widget.gametheory.solver_selection import solve
        >>> from durak_widget.gametheory.textbook_games import textbook
        >>> solve(textbook("entry")).equilibria[0].payoffs_text
        'Entrant: 2; Chain store: 2'
        """
        return format_payoffs([""] * len(self.payoffs) if self.tree is None else self.tree.names, list(map(_format_number, self.payoffs)))

    def __str__(self) -> str:
        messages = (
            f", {self.classification.message_pattern}" if self.classification is not None and self.classification.message_pattern else ""
        )
        return f"{self.name}{messages}, pays {self.payoffs_text} ({self.strategy_text})"


class EquilibriumOutcome(NamedTuple):
    """A group of equilibria with equal payoffs and an equal line of play."""

    example: EquilibriumRecord
    """The first equilibrium of the group."""
    line_of_play: tuple[str, ...]
    """The most probable actions from the root to a terminal node."""
    equilibrium_count: int
    """The number of equilibria in the group."""

    def __str__(self) -> str:
        count_text = f", {self.equilibrium_count:,} of them" if self.equilibrium_count > 1 else ""
        return f"{self.example.payoffs_text} by {', '.join(self.line_of_play)}: {self.example.name}{count_text}"


def group_by_outcome(equilibria: Sequence[EquilibriumRecord]) -> tuple[EquilibriumOutcome, ...]:
    """Group equilibria with the same name, the same payoffs and the same line of play.

    >>> from durak_widget.gametheory.solver_selection import solve
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> for outcome in group_by_outcome(solve(textbook("entry"), "answer").equilibria):
    ...     print(outcome)
    Entrant: 2; Chain store: 2 by enter, share: subgame-perfect equilibrium
    Entrant: 1; Chain store: 5 by stay out: Nash equilibrium, not subgame-perfect, 2 of them
    """
    groups: dict[tuple[object, ...], list[EquilibriumRecord]] = {}
    lines: dict[tuple[object, ...], tuple[str, ...]] = {}
    for equilibrium in equilibria:
        actions = () if equilibrium.tree is None else find_line_of_play(equilibrium.tree, equilibrium.strategy)
        key = (equilibrium.name, equilibrium.payoffs, actions)
        groups.setdefault(key, []).append(equilibrium)
        lines[key] = actions
    return tuple([EquilibriumOutcome(group[0], lines[key], len(group)) for key, group in groups.items()])


def evaluate_in_subgames(tree: Tree, strategy: Strategy, roots: Sequence[int], *, perfect_information: bool) -> SubgameResult:
    """Decide whether a strategy is an equilibrium in each subgame with one of the given roots.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> entry = textbook("entry")
    >>> evaluate_in_subgames(entry, Strategy.from_mapping(entry, {0: "stay out", 1: "fight"}), [0, 1], perfect_information=True)
    SubgameResult(holds=False, failing_root=1, has_perfect_information=True)
    """
    if perfect_information:
        gains = compute_gains_in_subgames(tree, strategy)
        failing_root = next((root for root in reversed(roots) if gains[root]), None)
        return SubgameResult(holds=failing_root is None, failing_root=failing_root, has_perfect_information=True)
    for root in reversed(roots):
        subtree = extract_subtree(tree, root)
        if nash_conv(subtree.tree, subtree.restrict(strategy)):
            return SubgameResult(holds=False, failing_root=root, has_perfect_information=perfect_information)
    return SubgameResult(holds=True, has_perfect_information=perfect_information)


def list_played_actions(row: Sequence[Number]) -> list[tuple[int, Number]]:
    """Return the actions of positive probability at an information set, with probabilities.

    Actions with a probability of almost 0 are left out.

    >>> list_played_actions((Fraction(1, 2), Fraction(0), Fraction(1, 2)))
    [(0, Fraction(1, 2)), (2, Fraction(1, 2))]
    """
    return [(action, probability) for action, probability in enumerate(row) if probability > _TOLERANCE]


def _format_number(number: Number) -> str:
    """Format an exact number in full, and a float with four digits after ≈."""
    return str(number) if isinstance(number, Fraction) else f"≈{number:.4g}"


def _format_mixture(tree: Tree, infoset: int, row: tuple[Number, ...]) -> str:
    """Format an action that is certain, or a mixture of actions with their probabilities."""
    played_actions = list_played_actions(row)
    labels = [format_action(tree, infoset, index) for index, _ in played_actions]
    return (
        labels[0]
        if len(played_actions) == 1
        else " + ".join(f"{_format_number(probability)} {label}" for label, (_, probability) in zip(labels, played_actions, strict=True))
    )


ProvedConcept = Literal["sequential", "weak", "subgame-perfect", "nash"]
"""The key of the strongest equilibrium concept that is proved; `weak` means weak perfect Bayesian equilibrium."""
FailedConcept = Literal["subgame-perfect", "sequential"]
"""The key of the equilibrium concept whose conditions an equilibrium provably violates."""
MessagePattern = Literal["pooling", "separating", "partly separating"]
"""The key of the message pattern in a signalling game: all types send the same message, no two types do, or neither.

If neither, some messages reveal the type and others do not.
"""


class Classification(NamedTuple):
    """The textbook name of an equilibrium, and the properties that justify this name."""

    subgame_perfect: bool
    """True if no player gains in any subgame; this includes games whose only subgame is the whole game."""
    weak_perfect_bayesian: bool | None
    """True if the equilibrium is weak perfect Bayesian.

    That means: no continuation is better at any information set, under beliefs that follow Bayes' rule on the path of
    play. None if this was not checked or not decided.
    """
    sequential: bool | None
    """True if the equilibrium is sequential: it is supported by limit beliefs of some trembles. None if this was not
    decided.
    """
    proved_concept: ProvedConcept
    """The strongest equilibrium concept that is proved, among the concepts that are meaningful in the game.

    If play always reaches all information sets, all equilibria are sequential, and the name does not mention it.
    """
    failed_concept: FailedConcept | None
    """The equilibrium concept whose conditions the equilibrium provably violates, if there is one."""
    message_pattern: MessagePattern | None = None
    """In a signalling game: whether all types send the same message, all send different messages, or neither."""

    @property
    def name(self) -> str:
        """Return the equilibrium's textbook name in English.

        >>> Classification(subgame_perfect=False, weak_perfect_bayesian=True, sequential=False, proved_concept="weak", failed_concept="subgame-perfect").name
        'weak perfect Bayesian equilibrium, not subgame-perfect'
        """
        return _CONCEPT_NAMES[self.proved_concept] + (f", not {self.failed_concept}" if self.failed_concept else "")


def classify_equilibrium(
    tree: Tree,
    strategy: Strategy,
    sequential: bool | None,  # noqa: FBT001 - a result with three values
    *,
    weak: bool | None = None,
    has_completed_infosets: bool = False,
) -> Classification:
    """Classify an exact equilibrium by its equilibrium concept and its message pattern.

    `sequential` and `weak` (weak perfect Bayesian) are results of earlier checks; None means undecided.
    `has_completed_infosets` means that actions were filled in at some information sets, so other actions there might
    give a better name.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> entry, quiche = textbook("entry"), textbook("beer-quiche")
    >>> threat = Strategy.from_mapping(entry, {"begins": "stay out", "after an entry": "fight"})
    >>> classify_equilibrium(entry, threat, sequential=False).name
    'Nash equilibrium, not subgame-perfect'
    >>> beer = Strategy.from_mapping(quiche, {"strong": "beer", "weak": "beer", "sees beer": "defer", "sees quiche": "duel"})
    >>> classify_equilibrium(quiche, beer, sequential=True)
    Classification(subgame_perfect=True, weak_perfect_bayesian=True, sequential=True, proved_concept='sequential', failed_concept=None, message_pattern='pooling')
    """
    has_subgames = len(find_subgame_roots(tree)) > 1
    is_subgame_perfect = bool(sequential) or not has_subgames or not any(compute_gains_in_subgames(tree, strategy).values())
    if sequential:
        weak = True
    elif weak is None:
        # With perfect information each information set has one node, so only one belief is possible
        weak = is_subgame_perfect if _has_perfect_information(tree) else evaluate_weak_perfect_bayesian(tree, strategy).holds
    is_decided = sequential is not None or not has_completed_infosets
    if is_decided and (not is_subgame_perfect or weak is False):
        sequential = False
    proved_concept: ProvedConcept = "nash"
    if sequential and not is_every_infoset_always_reached(tree):
        proved_concept = "subgame-perfect" if _has_perfect_information(tree) else "sequential"
    elif not sequential:
        proved_concept = "weak" if weak else "subgame-perfect" if is_subgame_perfect and has_subgames else "nash"
    failed_concept: FailedConcept | None = (
        "subgame-perfect" if is_decided and not is_subgame_perfect else "sequential" if sequential is False else None
    )
    return Classification(
        is_subgame_perfect,
        weak,
        sequential,
        proved_concept,
        failed_concept,
        None if describe_why_not_signalling(tree) else _find_message_pattern(tree, strategy),
    )


def is_every_infoset_always_reached(tree: Tree) -> bool:
    """Return whether play reaches every information set, whatever strategies the players use.

    An example is a game of simultaneous choices, in which each player knows only the chance moves they have seen.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> [is_every_infoset_always_reached(textbook(name)) for name in ("pennies", "bayes", "horse")]
    [True, True, False]
    """
    always_reached: list[frozenset[int]] = [frozenset()] * tree.history_count
    for node in reversed(range(tree.history_count)):
        actor, infoset, child_sets = tree.actor[node], tree.infoset_of[node], [always_reached[child] for child in tree.children(node)]
        if actor == CHANCE:
            probabilities = tree.chance_moves[infoset].probabilities
            always_reached[node] = frozenset().union(
                *(reached for reached, probability in zip(child_sets, probabilities, strict=True) if probability)
            )
        elif actor >= 0:
            always_reached[node] = frozenset.intersection(*child_sets) | {infoset}
    return len(always_reached[0]) == len(tree.infosets)


def _has_perfect_information(tree: Tree) -> bool:
    """Return whether each information set of the tree has exactly one node."""
    return sum(actor >= 0 for actor in tree.actor) == len(tree.infosets)


def _find_message_pattern(tree: Tree, strategy: Strategy) -> MessagePattern:
    """Return whether a signalling strategy is pooling, separating or partly separating."""
    probabilities = tree.chance_moves[tree.infoset_of[0]].probabilities
    type_nodes = [node for node, probability in zip(require_signalling_game(tree).type_nodes, probabilities, strict=True) if probability]
    messages_of = [
        {
            _find_observed_message(tree, child): probability
            for probability, child in zip(strategy.rows[tree.infoset_of[node]], tree.children(node), strict=True)
            if probability
        }
        for node in type_nodes
    ]
    if all(messages == messages_of[0] for messages in messages_of):
        return "pooling"
    is_separating = sum(map(len, messages_of)) == len(set().union(*messages_of))
    return "separating" if is_separating else "partly separating"


def _find_observed_message(tree: Tree, node: int) -> tuple[bool, int | str]:
    """Return what identifies a message: the information set at which the receiver observes it.

    A message that ends the game is identified by the label of the sender's action.
    """
    return (True, tree.infoset_of[node]) if tree.actor[node] >= 0 else (False, tree.last_action(node))


ListContents = Literal["seen", "all", "one", "pure", "beside", "path", "best", "behaviour", "plans", "lost", "none"]
"""A key that tells which equilibria a list contains, used to choose the note about the list.

- `seen`: with perfect information, the equilibria from backward induction, and other pure ones.
- `all`: all equilibria, or the vertices of their set. `one`: one of perhaps many, and all pure ones.
- `pure`: pure equilibria. `beside`: these, and the end of the logit path. `path`: that end alone.
- `best`: in a one-player game, the best strategy.
- `behaviour`: behaviour strategies, if a player has imperfect recall. `plans`: mixed strategies, which such a player
  cannot play from action to action.
- `lost`: nothing, as the logit path led to no equilibrium. `none`: nothing.
"""


def describe_list(
    contents: ListContents, *, complete: bool, imperfect_recall: bool, gains_by_mixing: bool, undecided: int, unchecked: int
) -> str:
    """Return a note that says which equilibria a list contains.

    `complete` says whether the list has all equilibria of the kind `contents`, `imperfect_recall` whether a player
    has imperfect recall, and `gains_by_mixing` whether a player gains by a behaviour strategy where no pure strategy
    of a mixture does. `undecided` and `unchecked` are the numbers of equilibria whose check was undecided or left
    out.

    >>> describe_list("pure", complete=True, imperfect_recall=False, gains_by_mixing=False, undecided=0, unchecked=2)
    'The list has all equilibria in pure strategies. Mixed equilibria are not listed. Equilibria that may be sequential, but were not checked: 2. There were too many to check, so they are listed last, as Nash equilibria.'
    """
    return " ".join(
        [
            _NOTES[contents, complete],
            *["A strategy is judged by its value at the start, before the player forgets anything."]
            * (imperfect_recall and contents == "best"),
            *["Some pure equilibria of the matrix aren't equilibria here, because a player gains by choosing at random at each move."]
            * gains_by_mixing,
            *[
                f"{undecided} pure {'equilibrium is' if undecided == 1 else 'equilibria are'}n't listed. In {'it' if undecided == 1 else 'these'}, we don't know if a player could gain by choosing at random at each move."
            ]
            * bool(undecided),
            *[
                f"Equilibria that may be sequential, but were not checked: {unchecked}. There were too many to check, so they are listed last, as Nash equilibria."
            ]
            * bool(unchecked),
        ]
    )
