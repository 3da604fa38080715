"""Describes the displayed strategy, at the visible nodes, in the message `solution`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.board.belief_view_model import beliefs_to_message
from durak_widget.board.logit_path_view_model import format_rationality
from durak_widget.board.number_format import format_short_number
from durak_widget.board.strategy_state import list_likeliest_nodes
from durak_widget.board.tree_wording import TreeWording
from durak_widget.gametheory.backward_induction_solver import MAX_LISTED_PAYOFFS
from durak_widget.gametheory.game_properties import is_zero_sum
from durak_widget.gametheory.infoset_labels import build_infoset_name
from durak_widget.gametheory.player_labels import format_payoffs, join_payoff_lists
from durak_widget.gametheory.tree import CHANCE
from durak_widget.gametheory.zero_sum_solver import has_hidden_information
from durak_widget.i18n import Translator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.board.strategy_state import StrategyResults, StrategyState
    from durak_widget.gametheory.backward_induction_solver import SubgamePerfectPayoffs, Tie
    from durak_widget.gametheory.best_responses import Guarantee
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree


_MAX_TIES: Final = 6
"""The maximum number of tied actions that the page lists."""
_MIN_SHOWN_PROBABILITY: Final = 0.0005
"""The smallest positive probability that the page shows as a number; a smaller one is shown as ≈0."""


def strategy_to_message(
    state: StrategyState,
    nodes: Sequence[int],
    *,
    values: bool = False,
    beliefs: bool = False,
    names: Sequence[str] = (),
    language: str = "en",
) -> dict[str, Any]:
    """Build the message for the page that describes the displayed strategy.

    `nodes` has parents before children, and `names` are the players' names.

    >>> from durak_widget.board.strategy_state import StrategyState
    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> plays = StrategyState(tree)
    >>> plays.set_probability(0, 0, "1/4")
    >>> message = strategy_to_message(plays, [0, 1, 2])
    >>> message["probabilities"], message["reach"], message["highlighted_nodes"]
    ({'0': ['1/4', '3/4']}, [1.0, 0.25, 0.75], [])
    """
    results = state.shown_results
    if results is None:
        return {}
    tree, strategy = state.tree, results.strategy
    wording = _StrategyWording(state, names or tree.names, language)
    infosets = dict.fromkeys(tree.infoset_of[node] for node in nodes if tree.actor[node] >= 0)
    responses = results.best_responses.get(state.best_response_player) if state.best_response_player is not None else None
    texts = {
        infoset_index: [wording.format_probability(probability) for probability in strategy.rows[infoset_index]]
        for infoset_index in infosets
    }
    return {
        "sentences": wording.describe_shown(),
        "shown_kind": state.shown_kind,
        "probabilities": {str(infoset_index): row for infoset_index, row in texts.items()},
        "weight": {str(infoset_index): [float(probability) for probability in strategy.rows[infoset_index]] for infoset_index in infosets},
        "reach": _compute_reach(tree, strategy, nodes),
        "values": None if not values or results.node_values is None else _format_node_values(results, tree, nodes, wording),
        "beliefs": None if not beliefs or results.beliefs is None else beliefs_to_message(results.beliefs, list(infosets), language),
        "highlighted_nodes": list_likeliest_nodes(tree, strategy, nodes) if state.shown_kind == "solution" else [],
        "best_responses": None
        if responses is None
        else {
            str(infoset_index): list(responses.best_actions[infoset_index])
            for infoset_index in infosets
            if infoset_index in responses.best_actions
        },
        "best_response_player": None if responses is None else state.best_response_player,
        "own_guarantee": wording.own_to_message(),
    }


def keep_probabilities_of_player(message: dict[str, Any], tree: Tree, player: int) -> dict[str, Any]:
    """Return a strategy's message with the probabilities of only one player."""
    own_rows = {
        name: {
            infoset_index: row for infoset_index, row in message.get(name, {}).items() if tree.infosets[int(infoset_index)].player == player
        }
        for name in ("probabilities", "weight")
    }
    return {**message, **own_rows} if message else message


def remove_evaluations(message: dict[str, Any]) -> dict[str, Any]:
    """Return a strategy's message without evaluations, such as values and best responses."""
    return (
        {
            **message,
            "sentences": [],
            "values": None,
            "beliefs": None,
            "best_responses": None,
            "best_response_player": None,
            "own_guarantee": None,
        }
        if message
        else message
    )


def _compute_reach(tree: Tree, strategy: Strategy, nodes: Sequence[int]) -> list[float]:
    """Return the probability that play under a strategy reaches each of the given nodes.

    Parents come before children in `nodes`, so no other node of the tree has to be visited.
    """
    reach: dict[int, float] = {}
    for node in nodes:
        parent = tree.parent[node]
        if parent < 0:
            reach[node] = 1.0
            continue
        index, action = tree.infoset_of[parent], node - tree.first_child[parent]
        row = tree.chance_moves[index].probabilities if tree.actor[parent] == CHANCE else strategy.rows[index]
        reach[node] = reach[parent] * float(row[action])
    return list(reach.values())


def _format_node_values(results: StrategyResults, tree: Tree, nodes: Sequence[int], wording: _StrategyWording) -> list[list[str]]:
    """Format each node's value for each player as text."""
    node_values = results.node_values or ()
    if len(node_values) < tree.player_count:
        return [[wording.format_value(node_values[0][node]), wording.format_value(-node_values[0][node])] for node in nodes]
    return [[wording.format_value(values_of_player[node]) for values_of_player in node_values] for node in nodes]


def format_method(method: str, language: str = "en") -> str:
    """Return the name of a solution method in a given language.

    >>> format_method("lp"), format_method("cfr+", "lt")
    ('a linear program', 'CFR+')
    """
    return "CFR+" if method == "cfr+" else Translator(language).translate(f"board.method.{method}")


def describe_equilibrium_payoffs(
    perfect_payoffs: SubgamePerfectPayoffs, wording: TreeWording, player_names: Sequence[str], shown_payoffs: str
) -> list[str]:
    """Describe all subgame-perfect equilibria: their payoffs and their equally good actions.

    >>> from durak_widget.gametheory.backward_induction_solver import find_subgame_perfect_payoffs
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("ultimatum")
    >>> for line in describe_equilibrium_payoffs(find_subgame_perfect_payoffs(tree), TreeWording(tree), tree.names, "Proposer: 4; Responder: 0"):
    ...     print(line)
    Payoffs of the subgame-perfect equilibria in pure strategies: (Proposer: 3; Responder: 1), (Proposer: 4; Responder: 0)
    shown here: Proposer: 4; Responder: 0
    Responder (is offered 0) has several equally good moves: accept, reject
    """
    tree, say = wording.tree, wording.voice.translate
    kind = "sequential" if has_hidden_information(tree) else "perfect"
    if perfect_payoffs.complete:
        language = wording.voice.language
        payoff_texts = join_payoff_lists(
            [
                format_payoffs(player_names, [format_short_number(payoff, language).replace("-", "−") for payoff in payoffs])
                for payoffs in perfect_payoffs.payoffs
            ]
        )
        lines = [say(f"board.solved.{kind}", payoffs=payoff_texts)] + [say("board.solved.shown", payoffs=shown_payoffs)] * (
            bool(shown_payoffs) and len(perfect_payoffs.payoffs) > 1
        )
    else:
        lines = [
            say(
                f"board.solved.{kind}.{'many' if perfect_payoffs.has_several else 'unknown'}",
                count=MAX_LISTED_PAYOFFS,
                payoffs=shown_payoffs,
            )
        ]
        moves = sum(len(tie.actions) for tie in perfect_payoffs.ties)
        return [*lines, say("board.solved.tie.count", count=len(perfect_payoffs.ties), moves=moves)]
    for tie in perfect_payoffs.ties[:_MAX_TIES]:
        facts = {"name": player_names[tree.infosets[tie.infoset].player], "moves": _format_tied_actions(wording, tie)}
        knows = describe_infoset(wording, tie.infoset)
        lines.append(say("board.solved.tie", knows=knows, **facts) if knows else say("board.solved.tie.only", **facts))
    if (hidden_ties := len(perfect_payoffs.ties) - _MAX_TIES) > 0:
        lines.append(say("board.solved.tie.more", count=hidden_ties))
    return lines


def _format_tied_actions(wording: TreeWording, tie: Tie) -> str:
    """Name the equally good best actions at an information set."""
    all_actions = wording.tree.infosets[tie.infoset].actions
    return ", ".join(str(wording.describe_action(action, all_actions.index(action))["text"]) for action in tie.actions)


def describe_infoset(wording: TreeWording, infoset: int) -> str:
    """Describe an information set in words that no other set of the same player has."""
    say = wording.voice.translate
    return build_infoset_name(
        wording.tree,
        infoset,
        wording.describe_infoset,
        lambda history: str(wording.describe_branch(history)["text"]),
        lambda moves: say("board.solved.tie.after", moves=moves),
    )


class _StrategyWording:
    """Formats numbers and sentences about a strategy in one language."""

    def __init__(self, state: StrategyState, names: Sequence[str], language: str) -> None:
        self._state, self._names, self._language = state, names, language
        self._voice = Translator(language)
        self._texts: dict[Number, str] = {}

    def format_value(self, number: Number) -> str:
        """Format a number for the page; cache the text, because many nodes have equal values."""
        cached = self._texts.get(number)
        if cached is None:
            cached = self._texts[number] = format_short_number(number, self._language)
        return cached

    def format_in_sentence(self, number: Number) -> str:
        """Format a number for use in a sentence, with a minus sign instead of a hyphen."""
        return self.format_value(number).replace("-", "−")

    def format_payoffs(self, payoffs: Sequence[Number]) -> str:
        """Format the payoff of every player as a phrase."""
        return format_payoffs(self._names, list(map(self.format_in_sentence, payoffs)))

    def format_probability(self, number: Number) -> str:
        """Format a probability for a branch; a tiny probability becomes ≈0 to save space."""
        return "≈0" if 0 < number < _MIN_SHOWN_PROBABILITY else self.format_value(number)

    def describe_shown(self) -> list[str]:
        """Describe the displayed strategy in a few short lines."""
        state = self._state
        describe_by_kind = {
            "solution": self._describe_solution,
            "path": self._describe_logit_path_point,
            "own": self._describe_user_strategy,
        }
        lines = describe_by_kind.get(state.shown_kind, self._describe_learned_strategy)()
        responses = (
            state.shown_results.best_responses.get(state.best_response_player)
            if state.shown_results is not None and state.best_response_player is not None
            else None
        )
        if responses is not None and state.best_response_player is not None:
            lines.append(
                self._voice.translate(
                    "board.best", name=self._names[state.best_response_player], value=self.format_in_sentence(responses.value)
                )
            )
        return lines

    def _describe_solution(self) -> list[str]:
        """Describe the solution: the game's value or the payoffs, and the method."""
        solution, say = self._state.solution, self._voice.translate
        if solution is None:
            return []
        name, lines, listed = self._names[0], list[str](), self._state.selected_equilibrium
        if listed is not None:
            values = zip(self._names, listed.payoffs, strict=True)
            return [
                " · ".join(
                    say("board.solved.worth", name=player_name, value=self.format_in_sentence(value)) for player_name, value in values
                ),
                say(f"board.answer.called.{listed.status}"),
            ]
        if solution.perfect_payoffs is not None and solution.perfect_payoffs.has_several is not False:
            lines += describe_equilibrium_payoffs(
                solution.perfect_payoffs,
                TreeWording(self._state.tree, self._language),
                self._names,
                self.format_payoffs(solution.payoffs or ()),
            )
        elif solution.payoffs is not None:
            values = zip(self._names, solution.payoffs, strict=True)
            lines.append(
                " · ".join(
                    say("board.solved.worth", name=player_name, value=self.format_in_sentence(value)) for player_name, value in values
                )
            )
        elif solution.exact:
            lines.append(say("board.solved.exact", name=name, value=self.format_in_sentence(solution.value)))
        else:
            lower, upper = self.format_in_sentence(solution.lower), self.format_in_sentence(solution.upper)
            key = "board.solved.pure" if solution.method == "pure" else "board.solved.between"
            facts = {"lower": lower, "upper": upper} | (
                {} if solution.method == "pure" else {"value": self.format_in_sentence(solution.value)}
            )
            lines.append(say(key, name=name, **facts))
        hides_chance = solution.method == "backward" and has_hidden_information(solution.tree)
        lines.append(say("board.solved.by", method=format_method("hidden" if hides_chance else solution.method, self._language)))
        if hides_chance:
            lines.append(say("board.solved.by.hidden"))
        if solution.exploitability:
            key = "board.solved.left" if is_zero_sum(self._state.tree) else "board.solved.distance"
            lines.append(say(key, lost=self.format_in_sentence(solution.exploitability)))
        if solution.perfect_payoffs is None and solution.backward_induction is not None and solution.backward_induction.ties:
            lines.append(say("board.solved.ties"))
        return lines

    def _describe_logit_path_point(self) -> list[str]:
        """Describe the selected point of the logit path by its λ."""
        path = self._state.logit_path
        return (
            []
            if path is None
            else [
                self._voice.translate("board.path.at", at=format_rationality(path.points[path.current_index].rationality, self._language))
            ]
        )

    def _describe_learned_strategy(self) -> list[str]:
        """Describe the displayed strategy as one that CFR+ has learned."""
        return [self._voice.translate("board.learned", method=format_method("cfr+"))]

    def _describe_user_strategy(self) -> list[str]:
        """Describe what the user's own strategy guarantees."""
        results = self._state.own_results
        return [
            self._voice.translate("board.busy")
            if results is None or results.own_guarantee is None
            else self._describe_guarantee(results, results.own_guarantee)
        ]

    def _describe_guarantee(self, results: StrategyResults, guarantee: Guarantee) -> str:
        """Describe what the user's own strategy guarantees, and how much more is possible."""
        facts = {"name": self._names[guarantee.player], "sure": self.format_in_sentence(guarantee.guaranteed_value)}
        if guarantee.responder not in results.best_responses:
            return self._voice.translate("board.own.forgets", **facts)
        if guarantee.responder == guarantee.player:
            return (
                self._voice.translate("board.own.gain", lost=self.format_in_sentence(guarantee.loss), **facts)
                if guarantee.loss
                else self._voice.translate("board.own.no_gain", **facts)
            )
        if guarantee.loss is None or guarantee.best_value is None:
            return self._voice.translate("board.own.unknown", **facts)
        if not guarantee.loss:
            return self._voice.translate("board.own.nothing", **facts)
        return self._voice.translate(
            "board.own.lost", lost=self.format_in_sentence(guarantee.loss), value=self.format_in_sentence(guarantee.best_value), **facts
        )

    def own_to_message(self) -> dict[str, Any] | None:
        """Build the message that evaluates the user's own strategy, even if it is not displayed."""
        results = self._state.own_results
        if results is None:
            return None
        player, guarantee = self._state.own_player, results.own_guarantee
        if guarantee is None:
            return {
                "player": player,
                "exploitability": "",
                "value": "",
                "best_value": "",
                "responder": None,
                "text": self._voice.translate("board.busy"),
            }
        return {
            "player": player,
            "exploitability": "" if guarantee.loss is None else self.format_value(guarantee.loss),
            "value": self.format_value(guarantee.guaranteed_value),
            "best_value": self.format_value(guarantee.best_value)
            if guarantee.best_value is not None and guarantee.responder != guarantee.player
            else "",
            "responder": guarantee.responder,
            "text": self._describe_guarantee(results, guarantee),
        }
