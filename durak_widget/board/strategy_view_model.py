"""View model of the shown strategy (the trait `solution`), for the shown nodes only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.board.belief_view_model import beliefs_told
from durak_widget.board.logit_path_view_model import rational_said
from durak_widget.board.number_format import number_written
from durak_widget.board.strategy_state import way
from durak_widget.board.tree_wording import Names
from durak_widget.gametheory.backward_induction_solver import LISTED
from durak_widget.gametheory.game_properties import zero_sum
from durak_widget.gametheory.infoset_labels import name_of_set
from durak_widget.gametheory.player_labels import payoffs_said
from durak_widget.gametheory.tree import CHANCE
from durak_widget.gametheory.zero_sum_solver import hides
from durak_widget.i18n import Voice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.board.strategy_state import Known, Strategies
    from durak_widget.gametheory.backward_induction_solver import PerfectPayoffs, Tie
    from durak_widget.gametheory.best_responses import Held
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree


_TIES: Final = 6
"""The most ties that are listed."""
_NOTHING: Final = 0.0005
"""A smaller probability is shown as ≈0."""


def told(
    plays: Strategies, shown: Sequence[int], *, values: bool = False, beliefs: bool = False, names: Sequence[str] = (), language: str = "en"
) -> dict[str, Any]:
    """Return the shown strategy as a message for the page.

    `shown` has each node after its parent, and `names` are the players' names.

    >>> from durak_widget.board.strategy_state import Strategies
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> plays = Strategies(tree)
    >>> plays.likely(0, 0, "1/4")
    >>> message = told(plays, [0, 1, 2])
    >>> message["likely"], message["reach"], message["lit"]
    ({'0': ['1/4', '3/4']}, [1.0, 0.25, 0.75], [])
    """
    results = plays.known
    if results is None:
        return {}
    tree, strategy = plays.tree, results.strategy
    wording = _Sayer(plays, names or tree.names, language)
    infosets = dict.fromkeys(tree.info[item] for item in shown if tree.actor[item] >= 0)
    responses = results.answers.get(plays.best_of) if plays.best_of is not None else None
    texts = {infoset_index: [wording.likely(item) for item in strategy.rows[infoset_index]] for infoset_index in infosets}
    return {
        "said": wording.lines(),
        "which": plays.which,
        "likely": {str(infoset_index): row for infoset_index, row in texts.items()},
        "weight": {str(infoset_index): [float(item) for item in strategy.rows[infoset_index]] for infoset_index in infosets},
        "reach": _reach(tree, strategy, shown),
        "value": None if not values or results.worths is None else _values(results, tree, shown, wording),
        "beliefs": None if not beliefs or results.beliefs is None else beliefs_told(results.beliefs, list(infosets), language),
        "lit": way(tree, strategy, shown) if plays.which == "solution" else [],
        "best": None
        if responses is None
        else {str(infoset_index): list(responses.moves[infoset_index]) for infoset_index in infosets if infoset_index in responses.moves},
        "best_of": None if responses is None else plays.best_of,
        "own": wording.own(),
    }


def of_seat(told: dict[str, Any], tree: Tree, seat: int) -> dict[str, Any]:
    """Keep only one player's probabilities, because the others' strategies are unknown."""
    own_rows = {
        name: {infoset_index: row for infoset_index, row in told.get(name, {}).items() if tree.sets[int(infoset_index)].seat == seat}
        for name in ("likely", "weight")
    }
    return {**told, **own_rows} if told else told


def unsaid(told: dict[str, Any]) -> dict[str, Any]:
    """Remove every evaluation of the shown strategy: values, losses, best responses."""
    return {**told, "said": [], "value": None, "beliefs": None, "best": None, "best_of": None, "own": None} if told else told


def _reach(tree: Tree, strategy: Strategy, shown: Sequence[int]) -> list[float]:
    """Return the probability that play reaches each of the nodes.

    Each node is after its parent, so no other node has to be looked at.
    """
    reach: dict[int, float] = {}
    for node in shown:
        parent = tree.parent[node]
        if parent < 0:
            reach[node] = 1.0
            continue
        index, action = tree.info[parent], node - tree.first[parent]
        row = tree.chances[index].probabilities if tree.actor[parent] == CHANCE else strategy.rows[index]
        reach[node] = reach[parent] * float(row[action])
    return list(reach.values())


def _values(known: Known, tree: Tree, shown: Sequence[int], sayer: _Sayer) -> list[list[str]]:
    """Return the values of each node to the players, as text."""
    node_values = known.worths or ()
    if len(node_values) < tree.seats:
        return [[sayer.text(node_values[0][node]), sayer.text(-node_values[0][node])] for node in shown]
    return [[sayer.text(values_of_player[node]) for values_of_player in node_values] for node in shown]


def method_of(method: str, language: str = "en") -> str:
    """Return the name of a solving method.

    >>> method_of("lp"), method_of("cfr+", "lt")
    ('a linear program', 'CFR+')
    """
    return "CFR+" if method == "cfr+" else Voice(language).say(f"board.method.{method}")


def perfect_said(perfect: PerfectPayoffs, names: Names, seats: Sequence[str], shown: str) -> list[str]:
    """Return what the subgame-perfect equilibria of a game pay, and which actions tie.

    >>> from durak_widget.gametheory.backward_induction_solver import perfect_payoffs
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("ultimatum")
    >>> for line in perfect_said(perfect_payoffs(tree), Names(tree), tree.names, "Proposer 4, Responder 0"):
    ...     print(line)
    Subgame-perfect equilibria in pure strategies pay: Proposer 3, Responder 1; Proposer 4, Responder 0
    shown here: Proposer 4, Responder 0
    Responder (is offered 0) has equally good moves: accept, reject
    """
    tree, say = names.tree, names.spoken.say
    kind = "sequential" if hides(tree) else "perfect"
    if perfect.complete:
        language = names.spoken.language
        payoff_texts = "; ".join(
            payoffs_said(seats, [number_written(payoff, language).replace("-", "−") for payoff in payoffs]) for payoffs in perfect.payoffs
        )
        lines = [say(f"board.solved.{kind}", payoffs=payoff_texts)] + [say("board.solved.shown", payoffs=shown)] * (
            bool(shown) and len(perfect.payoffs) > 1
        )
    else:
        lines = [say(f"board.solved.{kind}.{'many' if perfect.differ else 'unknown'}", count=LISTED, payoffs=shown)]
        moves = sum(len(tie.moves) for tie in perfect.ties)
        return [*lines, say("board.solved.tie.count", count=len(perfect.ties), moves=moves)]
    for tie in perfect.ties[:_TIES]:
        facts = {"name": seats[tree.sets[tie.place].seat], "moves": _tied(names, tie)}
        knows = place_known(names, tie.place)
        lines.append(say("board.solved.tie", knows=knows, **facts) if knows else say("board.solved.tie.only", **facts))
    if (hidden_ties := len(perfect.ties) - _TIES) > 0:
        lines.append(say("board.solved.tie.more", count=hidden_ties))
    return lines


def _tied(names: Names, tie: Tie) -> str:
    """Return the tied actions, as the view words them."""
    all_actions = names.tree.sets[tie.place].moves
    return ", ".join(str(names.move(action, all_actions.index(action))["said"]) for action in tie.moves)


def place_known(names: Names, place: int) -> str:
    """Return what distinguishes an information set from its player's others, in words."""
    say = names.spoken.say
    return name_of_set(
        names.tree,
        place,
        names.known,
        lambda history: str(names.branch(history)["said"]),
        lambda moves: say("board.solved.tie.after", moves=moves),
    )


class _Sayer:
    """The wording of numbers and sentences about a strategy, in one language."""

    def __init__(self, plays: Strategies, names: Sequence[str], language: str) -> None:
        self._plays, self._names, self._language = plays, names, language
        self._voice = Voice(language)
        self._texts: dict[Number, str] = {}

    def text(self, number: Number) -> str:
        """Format a number; the result is cached."""
        cached = self._texts.get(number)
        if cached is None:
            cached = self._texts[number] = number_written(number, self._language)
        return cached

    def spoken(self, number: Number) -> str:
        """Format a value for a sentence, with a minus sign instead of a hyphen."""
        return self.text(number).replace("-", "−")

    def payoffs(self, paid: Sequence[Number]) -> str:
        """Format each player's payoff."""
        return payoffs_said(self._names, list(map(self.spoken, paid)))

    def likely(self, number: Number) -> str:
        """Format a probability for a branch; a tiny one is ≈0, to save space."""
        return "≈0" if 0 < number < _NOTHING else self.text(number)

    def lines(self) -> list[str]:
        """Describe the shown strategy in a few short lines."""
        plays = self._plays
        describe_by_kind = {"solution": self._of_solution, "path": self._of_path, "own": self._of_own}
        lines = describe_by_kind.get(plays.which, self._of_learning)()
        responses = plays.known.answers.get(plays.best_of) if plays.known is not None and plays.best_of is not None else None
        if responses is not None and plays.best_of is not None:
            lines.append(self._voice.say("board.best", name=self._names[plays.best_of], value=self.spoken(responses.value)))
        return lines

    def _of_solution(self) -> list[str]:
        solution, say = self._plays.solution, self._voice.say
        if solution is None:
            return []
        name, lines, listed = self._names[0], list[str](), self._plays.listed
        if listed is not None:
            values = zip(self._names, listed.worth, strict=True)
            return [
                " · ".join(say("board.solved.worth", name=player_name, value=self.spoken(value)) for player_name, value in values),
                say(f"board.answer.called.{listed.called}"),
            ]
        if solution.perfect is not None and solution.perfect.differ is not False:
            lines += perfect_said(
                solution.perfect, Names(self._plays.tree, self._language), self._names, self.payoffs(solution.worths or ())
            )
        elif solution.worths is not None:
            values = zip(self._names, solution.worths, strict=True)
            lines.append(" · ".join(say("board.solved.worth", name=player_name, value=self.spoken(value)) for player_name, value in values))
        elif solution.exact:
            lines.append(say("board.solved.exact", name=name, value=self.spoken(solution.value)))
        else:
            lower, upper = self.spoken(solution.lower), self.spoken(solution.upper)
            key = "board.solved.pure" if solution.method == "pure" else "board.solved.between"
            facts = {"lower": lower, "upper": upper} | ({} if solution.method == "pure" else {"value": self.spoken(solution.value)})
            lines.append(say(key, name=name, **facts))
        lines.append(
            say(
                "board.solved.by",
                method=method_of("hidden" if solution.method == "backward" and hides(solution.tree) else solution.method, self._language),
            )
        )
        if solution.exploitability:
            key = "board.solved.left" if zero_sum(self._plays.tree) else "board.solved.distance"
            lines.append(say(key, lost=self.spoken(solution.exploitability)))
        if solution.perfect is None and solution.backward is not None and solution.backward.ties:
            lines.append(say("board.solved.ties"))
        return lines

    def _of_path(self) -> list[str]:
        path = self._plays.way
        return (
            [] if path is None else [self._voice.say("board.path.at", at=rational_said(path.points[path.at].rationality, self._language))]
        )

    def _of_learning(self) -> list[str]:
        return [self._voice.say("board.learned", method=method_of("cfr+"))]

    def _of_own(self) -> list[str]:
        results = self._plays.own_known
        return [self._voice.say("board.busy") if results is None or results.held is None else self._of(results, results.held)]

    def _of(self, known: Known, held: Held) -> str:
        """Describe what the own strategy guarantees, and what it loses."""
        facts = {"name": self._names[held.seat], "sure": self.spoken(held.sure)}
        if held.by not in known.answers:
            return self._voice.say("board.own.forgets", **facts)
        if held.by == held.seat:
            return (
                self._voice.say("board.own.gain", lost=self.spoken(held.lost), **facts)
                if held.lost
                else self._voice.say("board.own.no_gain", **facts)
            )
        if held.lost is None or held.best is None:
            return self._voice.say("board.own.unknown", **facts)
        if not held.lost:
            return self._voice.say("board.own.nothing", **facts)
        return self._voice.say("board.own.lost", lost=self.spoken(held.lost), worth=self.spoken(held.best), **facts)

    def own(self) -> dict[str, Any] | None:
        """Return the own strategy's evaluation for the page, whatever is shown."""
        results = self._plays.own_known
        if results is None:
            return None
        player, held = self._plays.seat, results.held
        if held is None:
            return {"seat": player, "exploitability": "", "value": "", "worth": "", "by": None, "said": self._voice.say("board.busy")}
        return {
            "seat": player,
            "exploitability": "" if held.lost is None else self.text(held.lost),
            "value": self.text(held.sure),
            "worth": self.text(held.best) if held.best is not None and held.by != held.seat else "",
            "by": held.by,
            "said": self._of(results, held),
        }
