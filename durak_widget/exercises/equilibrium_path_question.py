"""A question about the equilibrium path: the student clicks the best actions on a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.board.number_format import format_number_in_sentence
from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.answer_parsing import question_or_default
from durak_widget.exercises.blackboard_exercise import BoardPicture, BoardQuestion, PartDescription
from durak_widget.exercises.blackboard_serialization import tree_to_dict
from durak_widget.exercises.exercise import AnswerGrade
from durak_widget.exercises.node_and_cell_lookup import (
    BranchReference,
    describe_node,
    describe_tree_player,
    find_decision_nodes,
    parse_action,
    parse_node,
    require_perfect_information,
)
from durak_widget.exercises.node_value_question import (
    Payoffs,
    compute_possible_values,
    possible_chance_values,
    possible_decision_values,
    solve_backward,
)
from durak_widget.exercises.paper_form import AnswerBlank, BoardPaperForm, make_labels, parse_letter_list
from durak_widget.gametheory.tree import CHANCE, TERMINAL
from durak_widget.i18n import TranslatableText
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.paper_form import BlankTexts
    from durak_widget.gametheory.tree import Tree

ChosenActions = dict[int, int]
"""The index of the chosen action at each tree node."""


class EquilibriumPathQuestion(BoardQuestion[ChosenActions]):
    """A question that asks for optimal actions, on the equilibrium path or at every node."""

    question_kind = "path"
    has_fields = True
    is_guessable = True
    has_text_solution = True

    def __init__(self, tree: Tree, question: Text, *, asks_everywhere: bool) -> None:
        require_perfect_information(tree, "clicking the best path")
        if not find_decision_nodes(tree):
            raise DurakError("in this tree no player has a choice, so there is no move to click")
        self._tree, self._asks_everywhere = tree, asks_everywhere
        self._true_values, _ = compute_possible_values(tree)
        self.question = question_or_default(question, TranslatableText("lesson.tree.path.whole" if asks_everywhere else "lesson.tree.path"))

    def empty_answer(self) -> ChosenActions:
        """Return the empty answer, in which no action is chosen."""
        return {}

    def parse_answer(self, answer: object) -> ChosenActions:
        """Parse chosen actions, given as a list in order of play or as a dict by tree node."""
        chosen: ChosenActions = {}
        if isinstance(answer, dict):
            for node, action in answer.items():
                history = self._require_decision_node(node)
                chosen[history] = parse_action(self._tree, history, action)
            return chosen
        actions = [answer] if isinstance(answer, str) else list(answer) if isinstance(answer, (list, tuple)) else None
        if actions is None:
            raise DurakError(
                f"write the moves in order, as in ['go', 'stop'], or by history, as in {{0: 'go'}}, not as {short_repr(answer)}"
            )
        for history in self._iterate_asked_nodes(chosen):
            if actions:
                chosen[history] = parse_action(self._tree, history, actions.pop(0))
        if actions:
            raise DurakError(f"the answer has {len(actions)} moves too many: the game is over before {short_repr(actions[0])}")
        return chosen

    def apply_message(self, previous_answer: ChosenActions, message: Mapping[str, object]) -> ChosenActions:
        """Choose the action that the user clicked; if it is already chosen, undo the choice."""
        node = self._require_decision_node(message.get("node"))
        action = message.get("action")
        if action is None or previous_answer.get(node) == action:  # A second click on a chosen action undoes the choice
            return {other_node: other_action for other_node, other_action in previous_answer.items() if other_node != node}
        return {**previous_answer, node: parse_action(self._tree, node, action)}

    def to_plain_data(self, answer: ChosenActions) -> object:
        """Return a dict with the name of the chosen action at each node, by node number."""
        return {str(node): self._tree.last_action(self._tree.first_child[node] + action) for node, action in answer.items()}

    def is_mark_still_valid(self, key: str, old_answer: ChosenActions, new_answer: ChosenActions) -> bool:
        """Return whether the old and the new answer have the same action at a node."""
        return old_answer.get(int(key)) == new_answer.get(int(key))

    def is_started(self, answer: ChosenActions) -> bool:
        """Return whether the student has chosen any action."""
        return bool(answer)

    def describe_missing_parts(self, answer: ChosenActions) -> Sequence[Text]:
        """Return a note if the chosen path ends at a node where an action is still missing."""
        return [] if all(node in answer for node in self._iterate_asked_nodes(answer)) else [TranslatableText("class.kept.way")]

    def _require_decision_node(self, node: object) -> int:
        """Return the number of a node; raise an error if no player chooses there."""
        number = parse_node(self._tree, node)
        if self._tree.actor[number] < 0:
            raise DurakError(f"at history {number} no player chooses; click a move of a player")
        return number

    def _iterate_asked_nodes(self, chosen: ChosenActions) -> Iterator[int]:
        """Yield the nodes at which the student has to choose an action, starting at the root.

        If the question asks only for the path, these are the nodes to which the chosen actions lead.
        """
        pending_nodes = [0]
        while pending_nodes:
            node = pending_nodes.pop()
            actor, children = self._tree.actor[node], self._tree.children(node)
            if actor == TERMINAL:
                continue
            if actor >= 0:
                yield node
                if not self._asks_everywhere:
                    pending_nodes += [children[chosen[node]]] if node in chosen else []
                    continue
            pending_nodes += reversed(children)

    def grade(self, answer: ChosenActions) -> AnswerGrade:
        """Grade the action chosen at each node, given the student's choices below the node."""
        tree = self._tree
        asked_nodes = list(self._iterate_asked_nodes(answer))
        missing = [node for node in asked_nodes if node not in answer]
        played_values, follows = self._evaluate_choices({node: answer[node] for node in asked_nodes if node in answer})
        marks: dict[str, str] = {}
        with_error_below: set[int] = set()
        wrong: list[int] = []
        for node in sorted(follows, reverse=True):
            is_best = bool(
                self._true_values[tree.first_child[node] + answer[node]]
                & possible_decision_values(tree.actor[node], self._child_values(node, self._true_values))
            )
            has_error_below = node in with_error_below
            marks[str(node)] = "right" if is_best and (follows[node] or has_error_below) else "follows" if follows[node] else "wrong"
            wrong += [node] if marks[str(node)] == "wrong" else []
            if not is_best or has_error_below:
                with_error_below.add(node)
            if node in with_error_below and node:
                with_error_below.add(self._previous_choice(node, follows))
        marks = dict(sorted(marks.items(), key=lambda entry: int(entry[0])))
        if not missing and all(mark == "right" for mark in marks.values()):
            return AnswerGrade(marks, [], True)
        reasons: list[Text] = []
        if wrong:
            node = max(wrong) if self._asks_everywhere else min(wrong, key=asked_nodes.index)
            reasons.append(self._explain_better_action(node, answer[node], played_values))
        consistent = [int(key) for key, mark in marks.items() if mark == "follows"]
        reasons += [TranslatableText("lesson.tree.path.follows", {"where": describe_node(tree, consistent[-1])})] if consistent else []
        if missing and not wrong:
            reasons.append(TranslatableText("lesson.tree.path.missing", {"count": len(missing), "where": describe_node(tree, missing[0])}))
        return AnswerGrade(marks, reasons, False)

    def describe_parts(self, answer: ChosenActions, marks: Mapping[str, str]) -> Sequence[PartDescription]:
        """Describe the chosen action at each node."""
        tree = self._tree
        return [
            PartDescription(describe_node(tree, node), BranchReference(tree.first_child[node] + action), marks.get(str(node), ""))
            for node, action in sorted(answer.items())
        ]

    def build_picture(self, answer: ChosenActions | None, marks: Mapping[str, str]) -> BoardPicture:
        """Draw a path of optimal actions on the tree.

        If the student's answer is correct, draw that path; otherwise draw the path of the solution.
        """
        chosen = answer if answer and marks and set(marks.values()) == {"right"} else self.parse_answer(self.solution)
        return BoardPicture(
            self._tree, highlighted_nodes=frozenset([0, *(self._tree.first_child[node] + action for node, action in chosen.items())])
        )

    def _child_values(self, node: int, values: Sequence[frozenset[Payoffs]]) -> list[frozenset[Payoffs]]:
        """Return, for each child of a node, the set of its possible values."""
        return [values[child] for child in self._tree.children(node)]

    def _previous_choice(self, node: int, clicked: Mapping[int, bool]) -> int:
        """Return the nearest node above `node` where an action was chosen, or the root."""
        node = self._tree.parent[node]
        while node > 0 and node not in clicked:
            node = self._tree.parent[node]
        return node

    def _evaluate_choices(self, chosen: ChosenActions) -> tuple[list[frozenset[Payoffs]], dict[int, bool]]:
        """Return each node's value if players follow the chosen actions and play best elsewhere.

        The second result says for each chosen action whether it is best, given the actions chosen below.
        """
        tree = self._tree
        values: list[frozenset[Payoffs]] = [frozenset()] * tree.history_count
        follows: dict[int, bool] = {}
        for node in reversed(range(tree.history_count)):
            actor, index, child_values = tree.actor[node], tree.infoset_of[node], self._child_values(node, values)
            if actor == TERMINAL:
                values[node] = frozenset([tree.payoffs[index]])
            elif actor == CHANCE:
                values[node] = possible_chance_values(tree.chance_moves[index].probabilities, child_values)
            elif node in chosen:
                chosen_values = child_values[chosen[node]]
                best_values = chosen_values & possible_decision_values(actor, child_values)
                follows[node] = bool(best_values)
                values[node] = best_values or chosen_values
            else:
                values[node] = possible_decision_values(actor, child_values)
        return values, follows

    def _explain_better_action(self, node: int, action: int, played_values: Sequence[frozenset[Payoffs]]) -> Text:
        """Explain which other action would have given the acting player a higher payoff."""
        tree, actor = self._tree, self._tree.actor[node]
        comparison, played_comparison = (
            self._compare_with_best(node, action, node_values) for node_values in (self._true_values, played_values)
        )
        own_payoff, best_payoff, best_action = comparison if comparison[1] > comparison[0] else played_comparison
        facts = {"move": BranchReference(tree.first_child[node] + action), "better": BranchReference(tree.first_child[node] + best_action)}
        payoffs = {"mine": format_number_in_sentence(own_payoff), "more": format_number_in_sentence(best_payoff)}
        return TranslatableText(
            "lesson.tree.path.better", {"where": describe_node(tree, node), "who": describe_tree_player(tree, actor), **facts, **payoffs}
        )

    def _compare_with_best(self, node: int, action: int, values: Sequence[frozenset[Payoffs]]) -> tuple[Fraction, Fraction, int]:
        """Return the highest payoff after an action, and the best guaranteed payoff at the node.

        The third result is the index of the action that guarantees this payoff.
        """
        player, child_values = self._tree.actor[node], self._child_values(node, values)
        guaranteed = [min(payoffs[player] for payoffs in outcomes) for outcomes in child_values]
        return max(payoffs[player] for payoffs in child_values[action]), max(guaranteed), guaranteed.index(max(guaranteed))

    @property
    def solution(self) -> Sequence[object]:
        """Return a correct action at each node that the question asks about, in order of play.

        If several actions are correct, return the first.
        """
        chosen: ChosenActions = {}
        actions = []
        _, best_actions = solve_backward(self._tree)
        for node in self._iterate_asked_nodes(chosen):
            chosen[node] = best_actions[node]
            actions.append(self._tree.last_action(self._tree.first_child[node] + best_actions[node]))
        return actions

    def to_snapshot(self) -> dict[str, object]:
        """Return the tree and the scope of the question as JSON-compatible values."""
        return {"tree": tree_to_dict(self._tree), "whole": self._asks_everywhere}

    def to_paper(self) -> BoardPaperForm:
        """Return the question for print; it asks for the letters of the chosen branches."""
        tree = self._tree
        children = [child for node in find_decision_nodes(tree) for child in tree.children(node)]
        labels = make_labels(len(children))

        def parse_texts(blank_texts: BlankTexts) -> object:
            chosen: dict[int, int] = {}
            for letter in parse_letter_list(blank_texts[""], labels):
                child = children[labels.index(letter)]
                node = tree.parent[child]
                if node in chosen:
                    raise RefusedError(
                        "lesson.hand.two_moves", move=labels[children.index(tree.first_child[node] + chosen[node])], other=letter
                    )
                chosen[node] = child - tree.first_child[node]
            return chosen or None

        def write_solution() -> BlankTexts:
            _, best_actions = solve_backward(tree)
            chosen: ChosenActions = {}
            for node in self._iterate_asked_nodes(chosen):
                chosen[node] = best_actions[node]
            return {"": " ".join(labels[children.index(tree.first_child[node] + action)] for node, action in chosen.items())}

        return BoardPaperForm(dict(zip(children, labels, strict=True)), (AnswerBlank(field_kind="line"),), parse_texts, write_solution)

    def view_fields(self, answer: ChosenActions, marks: Mapping[str, str], *, is_over: bool) -> dict[str, object]:  # noqa: ARG002 - the widget reads `is_over` itself
        """Return the chosen actions and their grading marks, as data for the front end."""
        return {"moves": {str(node): action for node, action in answer.items()}, "marks": dict(marks)}
