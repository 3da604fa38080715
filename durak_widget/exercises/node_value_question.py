"""A question about node values, which students find by backward induction.

A value is graded given the student's values below it, so that a mistake counts only once. A mistake is named only if it leads exactly
to the typed value and no other mistake does.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.board.number_format import format_number_in_sentence
from durak_widget.errors import DurakError, as_whole_number, short_repr
from durak_widget.exercises.answer_form import (
    compute_wrong_field_penalty,
    describe_incomplete_fields,
    format_as_typed,
    format_payoffs,
    parse_numbers,
    replace_hyphens,
)
from durak_widget.exercises.answer_parsing import question_or_default
from durak_widget.exercises.blackboard_exercise import BoardPicture, BoardQuestion, PartDescription
from durak_widget.exercises.blackboard_serialization import tree_to_dict
from durak_widget.exercises.exercise import AnswerGrade
from durak_widget.exercises.node_and_cell_lookup import (
    BranchReference,
    describe_node,
    describe_tree_player,
    parse_node,
    require_perfect_information,
)
from durak_widget.exercises.paper_form import AnswerBlank, BoardPaperForm, make_labels
from durak_widget.gametheory.game_properties import is_zero_sum
from durak_widget.gametheory.tree import CHANCE, TERMINAL
from durak_widget.i18n import TranslatableText
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from durak_widget.exercises.answer_form import TypedNumber
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.paper_form import BlankTexts
    from durak_widget.gametheory.tree import Tree

MAX_NODES: Final = 60
"""The largest number of nodes whose values one question asks for."""
MAX_VALUES_OF_NODE: Final = 500
"""The largest number of possible values of one node, if several actions are equally good."""


class NodeValueQuestion(BoardQuestion[dict[int, str]]):
    """A question about the values of tree nodes, for one player or for all players."""

    question_kind = "values"
    has_fields = True
    is_guessable = True

    def __init__(self, tree: Tree, nodes: Iterable[object] | None, player: int | None, question: Text) -> None:
        require_perfect_information(tree, "filling in values backwards")
        self._tree = tree
        asked_nodes = (
            [node for node in range(tree.history_count) if tree.actor[node] != TERMINAL] if nodes is None else _parse_nodes(tree, nodes)
        )
        if not 0 < len(asked_nodes) <= MAX_NODES:
            raise DurakError(
                f"an exercise can ask for values at 1 to {MAX_NODES} histories, not at {len(asked_nodes):,}; choose them with nodes=[…]"
            )
        self._nodes = sorted(asked_nodes)
        self.required_nodes = [child for node in self._nodes for child in tree.children(node)]
        number = None if player is None else as_whole_number(player)
        if player is not None and (number is None or number not in range(tree.player_count)):
            raise DurakError(f"there is no player {short_repr(player)}; the players are 0 to {tree.player_count - 1}")
        # In a zero-sum game, one number determines the values of both players
        number = 0 if number is None and is_zero_sum(tree) else number
        self.player = number
        self._players: Sequence[int] = range(tree.player_count) if number is None else [number]
        default_question = (
            TranslatableText("lesson.tree.values.all")
            if number is None
            else TranslatableText("lesson.tree.values.one", {"who": describe_tree_player(tree, number)})
        )
        self.question = question_or_default(question, default_question)
        self._true_values, _ = compute_possible_values(tree)

    def empty_answer(self) -> dict[int, str]:
        """Return the empty answer, without any values."""
        return {}

    def parse_answer(self, answer: object) -> dict[int, str]:
        """Parse node values, given as a dict by node, or as a list in the question's node order."""
        if isinstance(answer, dict):
            return {self._parse_node(node): format_as_typed(value) for node, value in answer.items()}
        is_list = isinstance(answer, list) or (isinstance(answer, tuple) and len(self._nodes) > 1 and len(answer) != len(self._players))
        typed_values = list(answer) if is_list else [answer]  # type: ignore[call-overload] # checked above
        if invalid := next(
            (value for value in typed_values if isinstance(value, (list, tuple)) and len(value) not in {1, self._tree.player_count}), None
        ):
            raise DurakError(f"a value must be a number, or one for each player, as in (1, -1), not {short_repr(invalid)}")
        if len(typed_values) > len(self._nodes):
            raise DurakError(f"give one value for each of the histories {', '.join(map(str, self._nodes))}, not {len(typed_values)}")
        return dict(zip(self._nodes, map(format_as_typed, typed_values), strict=False))

    def apply_message(self, previous_answer: dict[int, str], message: Mapping[str, object]) -> dict[int, str]:
        """Store the value that the user typed at a node."""
        text = message.get("text")
        if not isinstance(text, str):
            raise DurakError(f"a value must be a text, such as '1/2', not {short_repr(text)}")
        return {**previous_answer, self._parse_node(message.get("node")): format_as_typed(text)}

    def to_plain_data(self, answer: dict[int, str]) -> object:
        """Return the values that the student typed, by node number."""
        return {str(node): text for node, text in answer.items()}

    def is_mark_still_valid(self, key: str, old_answer: dict[int, str], new_answer: dict[int, str]) -> bool:
        """Return whether the old and the new answer have the same value at a node."""
        return old_answer.get(int(key)) == new_answer.get(int(key))

    def is_started(self, answer: dict[int, str]) -> bool:
        """Return whether the student has typed any value."""
        return any(map(str.strip, answer.values()))

    def is_unreadable(self, answer: dict[int, str]) -> bool:
        """Return whether the student typed some text, but no valid value."""
        typed_texts = [text for text in answer.values() if text.strip()]
        return bool(typed_texts) and not any(map(self._parse_values, typed_texts))

    def describe_missing_parts(self, answer: dict[int, str]) -> Sequence[Text]:
        """Return a note that says how many fields for values are empty or unreadable."""
        return describe_incomplete_fields([answer.get(node, "") for node in self._nodes], self._parse_values)

    def _parse_node(self, node: object) -> int:
        """Parse a node; raise an error if the question does not ask for the value of this node."""
        number = parse_node(self._tree, node)
        if number not in self._nodes:
            raise DurakError(f"the exercise does not ask for a value at history {number}, but at {', '.join(map(str, self._nodes))}")
        return number

    def grade(self, answer: dict[int, str]) -> AnswerGrade:
        """Grade each node value, given the student's values at the nodes below the node."""
        typed_values: dict[int, TypedValues] = {}
        unreadable_nodes = []
        for node in self._nodes:
            text = answer.get(node, "").strip()
            numbers = self._parse_values(text) if text else None
            if numbers is not None:
                typed_values[node] = numbers
            elif text:
                unreadable_nodes.append(node)
        findings = grade_values(self._tree, typed_values, self._players)
        marks = {str(node): finding.mark for node, finding in findings.items()} | {str(node): "wrong" for node in unreadable_nodes}
        missing = [node for node in self._nodes if node not in typed_values and node not in unreadable_nodes]
        if not missing and not unreadable_nodes and all(finding.mark == "right" for finding in findings.values()):
            return AnswerGrade(marks, [], True)
        reasons: list[Text] = [
            TranslatableText(
                f"lesson.tree.unread.{'one' if len(self._players) == 1 else 'all'}",
                {"text": answer[node][:20], "where": describe_node(self._tree, node)},
            )
            for node in unreadable_nodes
        ]
        # Explain mistakes near the end of the tree first, since these cause the mistakes closer to the root
        wrong = sorted((node for node, finding in findings.items() if finding.mark == "wrong"), key=lambda node: -node)
        named_reasons = [self._explain_mistake(node, findings[node]) for node in wrong[:2]]
        follows = [node for node, finding in findings.items() if finding.mark == "follows"]
        other_reasons: list[Text] = [
            TranslatableText("lesson.tree.follows", {"where": describe_node(self._tree, node)}) for node in follows[-1:]
        ]
        if missing:
            other_reasons.append(
                TranslatableText("lesson.tree.missing", {"count": len(missing), "where": describe_node(self._tree, missing[-1])})
            )
        explained = [
            self._explain_best_action(node, typed_values)
            if self._tree.actor[node] >= 0 and not findings[node].mistake_name
            else self._explain_mistake(node, findings[node])
            for node in wrong[:2]
        ]
        return AnswerGrade(marks, [*reasons, *named_reasons, *other_reasons], False, [*reasons, *explained, *other_reasons])

    def describe_parts(self, answer: dict[int, str], marks: Mapping[str, str]) -> Sequence[PartDescription]:
        """Describe the value that the student typed at each node."""
        return [
            PartDescription(describe_node(self._tree, node), replace_hyphens(text), marks.get(str(node), ""))
            for node in self._nodes
            if (text := answer.get(node, "").strip())
        ]

    def build_picture(self, answer: dict[int, str] | None, marks: Mapping[str, str]) -> BoardPicture:
        """Return a picture of the tree with correct node values and, beside them, wrong answers."""
        wrong = {node: f"✗ {replace_hyphens(text)}" for node, text in (answer or {}).items() if marks.get(str(node)) == "wrong"}
        return BoardPicture(self._tree, values=dict(zip(self._nodes, self.solution, strict=True)), labels=wrong)

    def compute_partial_credit(self, answer: dict[int, str], marks: Mapping[str, str]) -> Fraction:
        """Return the share of correct values; an unreadable value counts as a missing one."""
        return super().compute_partial_credit(answer, self.select_legible_marks(answer, marks))

    def select_legible_marks(self, answer: dict[int, str], marks: Mapping[str, str]) -> Mapping[str, str]:
        """Return the grading marks of the values that are readable numbers."""
        return {node: mark for node, mark in marks.items() if self._parse_values(answer.get(int(node), ""))}

    def compute_wrong_part_penalty(self) -> Fraction:
        """Return how many correct values lose their credit because of one wrong value.

        So a student who writes the same number everywhere earns nothing.
        """
        return compute_wrong_field_penalty(self.solution)

    def count_consistent_parts(self, answer: dict[int, str], marks: Mapping[str, str]) -> int:
        """Return how many values earn credit because they follow from an earlier mistake.

        The result is at most the number of correct values other than the most frequent value: if a student writes one number
        everywhere, it follows from itself, which proves nothing.
        """
        typed_values = {node: self._parse_values(text) for node, text in answer.items()}
        count = Counter(typed_values.values())
        most_frequent_value = max(count, key=lambda numbers: count[numbers], default=None)
        proved_count = sum(mark == "right" and typed_values.get(int(node)) != most_frequent_value for node, mark in marks.items())
        return min(sum(mark == "follows" for mark in marks.values()), proved_count)

    def _explain_best_action(self, node: int, typed_values: Mapping[int, TypedValues]) -> Text:
        """Explain which action is best for the acting player, given the values below the node."""
        tree, actor = self._tree, self._tree.actor[node]
        _, node_values = compute_possible_values(tree, typed_values, self._players, self._true_values)
        maxima = [max(values[actor] for values in node_values[child]) for child in tree.children(node)]
        best_action = maxima.index(max(maxima))
        facts = {"better": BranchReference(tree.first_child[node] + best_action), "more": format_number_in_sentence(max(maxima))}
        return TranslatableText(
            "lesson.tree.wrong.told", {"where": describe_node(tree, node), "who": describe_tree_player(tree, actor), **facts}
        )

    def _parse_values(self, text: str) -> TypedValues | None:
        """Parse a text in which a student typed one value for each player in the question.

        If the question is about one player, the values of all players are also accepted.
        """
        if len(self._players) == 1:
            single_value = parse_numbers(text, 1)
            all_numbers = None if single_value else parse_numbers(text, self._tree.player_count)
            return single_value or (all_numbers and (all_numbers[self._players[0]],))
        numbers = parse_numbers(text, len(self._players))
        return numbers if numbers is not None and len(numbers) == len(self._players) else None

    def _explain_mistake(self, node: int, finding: ValueGrade) -> Text:
        """Return a sentence that explains why a value is wrong."""
        tree, actor = self._tree, self._tree.actor[node]
        facts: dict[str, object] = {"where": describe_node(tree, node)}
        if finding.copied_child >= 0:
            facts["move"] = BranchReference(finding.copied_child)
        if finding.mistake_name == "swapped":
            is_single_player = len(self._players) == 1
            return TranslatableText(
                f"lesson.tree.wrong.{'turned' if is_single_player else 'swapped'}",
                {**facts, **({"who": describe_tree_player(tree, self._players[0])} if is_single_player else {})},
            )
        if finding.mistake_name == "elsewhere":
            return TranslatableText("lesson.tree.wrong.elsewhere", facts)
        if actor == CHANCE:
            return TranslatableText(f"lesson.tree.drawn.{finding.mistake_name or 'unclear'}", facts)
        return TranslatableText(
            f"lesson.tree.wrong.{finding.mistake_name or 'unclear'}", {**facts, "who": describe_tree_player(tree, actor)}
        )

    def to_snapshot(self) -> dict[str, object]:
        """Return the question's tree, nodes and player as JSON-compatible values."""
        return {"tree": tree_to_dict(self._tree), "nodes": self._nodes, "seat": self.player}

    def to_paper(self) -> BoardPaperForm:
        """Return the question for print, with a letter at each node and a box for each letter."""
        node_of_label = dict(zip(make_labels(len(self._nodes)), self._nodes, strict=True))

        def parse_texts(blank_texts: BlankTexts) -> object:
            typed_texts = {node_of_label[label]: text for label, text in blank_texts.items() if text}
            if unreadable := next((text for text in typed_texts.values() if self._parse_values(text) is None), None):
                raise RefusedError("lesson.hand.number.odd", text=unreadable[:20])
            return typed_texts or None

        return BoardPaperForm(
            {node: label for label, node in node_of_label.items()},
            tuple(AnswerBlank(label) for label in node_of_label),
            parse_texts,
            lambda: dict(zip(node_of_label, self.solution, strict=True)),
        )

    @property
    def solution(self) -> list[str]:
        """Return the correct value of each node that the question asks about, in node order."""
        values, _ = solve_backward(self._tree)
        return [format_payoffs(tuple([values[node][player] for player in self._players])) for node in self._nodes]

    def view_fields(self, answer: dict[int, str], marks: Mapping[str, str], *, is_over: bool) -> dict[str, object]:
        """Return each node's typed text and its grading mark, as data for the front end.

        The data also says whether the student may still change the text.
        """
        return {
            **({"has_many_values": True} if len(self._players) > 2 else {}),
            "nodes": {
                str(node): {
                    "text": answer.get(node, ""),
                    "mark": marks.get(str(node), ""),
                    "open": not is_over and marks.get(str(node)) != "right",
                }
                for node in self._nodes
            },
        }


def _parse_nodes(tree: Tree, nodes: Iterable[object]) -> set[int]:
    """Parse the nodes that a question asks about; raise an error for a terminal node."""
    parsed = {parse_node(tree, node) for node in (nodes if isinstance(nodes, (list, tuple, set, range)) else [nodes])}
    for node in parsed:
        if tree.actor[node] == TERMINAL:
            raise DurakError(f"at history {node} the game is over, and the tree shows its payoff; ask for a value before it")
    return parsed


Payoffs = tuple[Fraction, ...]
"""A tuple with one payoff or value for each player."""
TypedValues = tuple["TypedNumber", ...]
"""The numbers typed at a node: one for each player that the question asks about, or only one for the first of them."""


def compute_possible_values(
    tree: Tree,
    typed_values: Mapping[int, TypedValues] | None = None,
    players: Sequence[int] = (),
    true_values: Sequence[frozenset[Payoffs]] = (),
) -> tuple[list[frozenset[Payoffs]], list[frozenset[Payoffs]]]:
    """Return the possible values of each node, as if the student's values below were true.

    The second list replaces each computed value by the typed value, if there is one. A node has several possible values if equally good
    actions give the other players different payoffs.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "?", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, 0)), "r": TerminalNode((1, 2))}.__getitem__, player_count=2)
    >>> sorted(compute_possible_values(tree)[0][0])
    [(Fraction(1, 1), Fraction(0, 1)), (Fraction(1, 1), Fraction(2, 1))]
    """
    computed: list[frozenset[Payoffs]] = [frozenset()] * tree.history_count
    effective = list(computed)
    for node in reversed(range(tree.history_count)):
        actor, info = tree.actor[node], tree.infoset_of[node]
        child_values = [effective[child] for child in tree.children(node)]
        if actor == TERMINAL:
            computed[node] = frozenset([tree.payoffs[info]])
        elif actor == CHANCE:
            computed[node] = possible_chance_values(tree.chance_moves[info].probabilities, child_values)
        else:
            computed[node] = possible_decision_values(actor, child_values)
        if len(computed[node]) > MAX_VALUES_OF_NODE:
            raise DurakError("too many moves are equally good here to check the values; take a tree with fewer ties")
        typed = (typed_values or {}).get(node)
        effective[node] = computed[node] if typed is None else _apply_typed_values(tree, typed, players, computed[node], true_values[node])
    return computed, effective


def solve_backward(tree: Tree) -> tuple[list[Payoffs], dict[int, int]]:
    """Return each node's value by backward induction, and an optimal action at each node.

    If several actions are equally good, the first one is chosen.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "?", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, 0)), "r": TerminalNode((1, 2))}.__getitem__, player_count=2)
    >>> solve_backward(tree)[0][0], solve_backward(tree)[1]
    ((Fraction(1, 1), Fraction(0, 1)), {0: 0})
    """
    values: list[Payoffs] = [()] * tree.history_count
    moves: dict[int, int] = {}
    for node in reversed(range(tree.history_count)):
        child_values, actor, info = [values[child] for child in tree.children(node)], tree.actor[node], tree.infoset_of[node]
        if actor == TERMINAL:
            values[node] = tree.payoffs[info]
        elif actor == CHANCE:
            [values[node]] = possible_chance_values(tree.chance_moves[info].probabilities, [frozenset([value]) for value in child_values])
        else:
            moves[node] = max(range(len(child_values)), key=[value[actor] for value in child_values].__getitem__)
            values[node] = child_values[moves[node]]
    return values, moves


def possible_decision_values(player: int, child_values: Sequence[frozenset[Payoffs]]) -> frozenset[Payoffs]:
    """Return the possible values of a decision node, given the values of its child nodes."""
    lowest = [min(value[player] for value in values) for values in child_values]
    return frozenset(
        value
        for move, values in enumerate(child_values)
        for value in values
        if all(value[player] >= guaranteed for other_move, guaranteed in enumerate(lowest) if other_move != move)
    )


def possible_chance_values(probabilities: Sequence[Fraction], child_values: Sequence[frozenset[Payoffs]]) -> frozenset[Payoffs]:
    """Return the possible expected values of a chance node."""
    sums: set[Payoffs] = {(Fraction(0),) * len(next(iter(child_values[0])))}
    for probability, values in zip(probabilities, child_values, strict=True):
        sums = {
            tuple([total + probability * payoff for total, payoff in zip(so_far, value, strict=True)])
            for so_far in sums
            for value in values
        }
        if len(sums) > MAX_VALUES_OF_NODE:
            break
    return frozenset(sums)


def _apply_typed_values(
    tree: Tree, typed_values: TypedValues, players: Sequence[int], computed: frozenset[Payoffs], true_values: frozenset[Payoffs]
) -> frozenset[Payoffs]:
    """Return every combination of payoffs that the numbers typed by a student may stand for."""
    for values in (computed, true_values):
        if intended := frozenset(value for value in values if matches_payoffs(typed_values, players, value)):
            return intended
    has_zero_sum = is_zero_sum(tree)
    completed = set()
    for value in computed:
        payoffs = list(value)
        for player, number in zip(players, typed_values, strict=False):
            payoffs[player] = number.value
            if has_zero_sum and len(typed_values) == 1:
                payoffs[1 - player] = -number.value
        completed.add(tuple(payoffs))
    return frozenset(completed)


def matches_payoffs(typed_values: TypedValues, players: Sequence[int], payoffs: Payoffs) -> bool:
    """Return whether typed numbers equal the given payoffs, up to the allowed rounding error."""
    return all(number.matches(payoffs[player]) for player, number in zip(players, typed_values, strict=False))


class ValueGrade(NamedTuple):
    """The grade of one typed value."""

    mark: str
    """The grading mark: `right`, `wrong` or `follows`.

    `follows` means that the value is correct, given the student's wrong values below it.
    """
    mistake_name: str = ""
    """The name of the mistake that explains a wrong value; empty if it is unknown."""
    copied_child: int = -1
    """The child node from which the student copied the value; -1 if that is unknown."""


def grade_values(tree: Tree, typed_values: Mapping[int, TypedValues], players: Sequence[int]) -> dict[int, ValueGrade]:
    """Grade the values that the student typed at nodes: a number for each of `players`.

    A single number is the value for the first of these players.
    """
    truth, _ = compute_possible_values(tree)
    computed, node_values = compute_possible_values(tree, typed_values, players, truth)
    has_mistake: list[bool] = [False] * tree.history_count
    findings: dict[int, ValueGrade] = {}
    for node in reversed(range(tree.history_count)):
        has_mistake[node] = any(has_mistake[child] for child in tree.children(node))
        if node not in typed_values:
            continue
        follows, is_true = (
            any(matches_payoffs(typed_values[node], players, value) for value in values) for values in (computed[node], truth[node])
        )
        if is_true and (follows or has_mistake[node]):
            findings[node] = ValueGrade("right")
        elif is_true:
            findings[node] = ValueGrade("wrong", "elsewhere")
        elif follows:
            findings[node] = ValueGrade("follows")
        else:
            findings[node] = ValueGrade("wrong", *_identify_mistake(tree, node, typed_values[node], players, computed, node_values))
        has_mistake[node] = has_mistake[node] or not is_true
    return dict(sorted(findings.items()))


def _identify_mistake(
    tree: Tree,
    node: int,
    typed_values: TypedValues,
    players: Sequence[int],
    computed: Sequence[frozenset[Payoffs]],
    effective: Sequence[frozenset[Payoffs]],
) -> tuple[str, int]:
    """Return the mistake behind a wrong value, and the child node whose value was copied.

    Return "" and -1 if there is not exactly one such mistake.
    """
    child_value_sets = [effective[child] for child in tree.children(node)]
    # At a chance node nobody chooses, so only the values that the question asks for matter
    relevant_players = players if tree.actor[node] == CHANCE else range(tree.player_count)
    if any(
        len({tuple([value[player] for player in relevant_players]) for value in values}) > 1
        for values in (*child_value_sets, computed[node])
    ):
        return "", -1
    right, *child_values = [next(iter(values)) for values in (computed[node], *child_value_sets)]
    matching_moves = [move for move, value in enumerate(child_values) if matches_payoffs(typed_values, players, value)]
    mistake_names = [
        name
        for name, value in list_mistake_values(tree, node, child_values, right, players)
        if matches_payoffs(typed_values, players, value)
    ]
    distinct_names = dict.fromkeys(mistake_names)
    if distinct_names.keys() == {"least", "other"}:  # In a zero-sum game, the best value for one player is the worst for the other
        del distinct_names["other"]
    move = tree.first_child[node] + matching_moves[0] if len(matching_moves) == 1 or (matching_moves and "one" in distinct_names) else -1
    if len(distinct_names) == 1:
        return next(iter(distinct_names)), move
    if distinct_names:
        return "", move
    actor = tree.actor[node]
    if actor >= 0 and matching_moves:
        return ("less", move) if move >= 0 else ("", -1)
    return ("none" if actor >= 0 else ""), -1


def list_mistake_values(
    tree: Tree, node: int, child_values: Sequence[Payoffs], right_value: Payoffs, players: Sequence[int]
) -> list[tuple[str, Payoffs]]:
    """Return the name of each typical mistake at a node, with the wrong value that results.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "?", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> [(name, str(values[0])) for name, values in list_mistake_values(tree, 0, [(Fraction(1), Fraction(-1)), (Fraction(0), Fraction(0))], (Fraction(1), Fraction(-1)), [0])]
    [('least', '0'), ('average', '1/2'), ('swapped', '-1')]
    """
    actor, all_players = tree.actor[node], range(tree.player_count)
    mean = tuple([sum((value[player] for value in child_values), Fraction(0)) / len(child_values) for player in all_players])
    results: list[tuple[str, Payoffs]] = []
    if actor == CHANCE:
        probabilities = tree.chance_moves[tree.infoset_of[node]].probabilities
        results += [("one", value) for value in child_values]
        results += [("plain", mean)] if len(set(probabilities)) > 1 else []
        results += [("sum", tuple([total * len(child_values) for total in mean]))] if len(child_values) > 1 else []
    elif len(child_values) > 1:
        has_zero_sum = is_zero_sum(tree)
        low = min(value[actor] for value in child_values)
        asks_actor = len(players) > 1 or actor in players
        if asks_actor and low < right_value[actor]:
            results += [("least", value) for value in child_values if value[actor] == low]
        for other in all_players:
            if other != actor and not (has_zero_sum and asks_actor):
                high = max(value[other] for value in child_values)
                results += [("other", value) for value in child_values if value[other] == high and value[actor] < right_value[actor]]
        results.append(("average", mean))
    if tree.player_count == 2 or len(players) == 1:
        for other in all_players:
            if other != players[0]:
                swapped = list(right_value)
                swapped[players[0]], swapped[other] = right_value[other], right_value[players[0]]
                results.append(("swapped", tuple(swapped)))
    return results
