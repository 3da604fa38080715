"""A question that asks which nodes of a tree belong to the same information set."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING, Final

from durak_widget.analysis.game_at_node import restore_view
from durak_widget.cards import CardSet
from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.answer_form import convert_to_lists
from durak_widget.exercises.answer_parsing import question_or_default
from durak_widget.exercises.blackboard_exercise import BoardPicture, BoardQuestion, PartDescription
from durak_widget.exercises.blackboard_serialization import tree_to_dict
from durak_widget.exercises.exercise import AnswerGrade
from durak_widget.exercises.node_and_cell_lookup import (
    InfoSetReference,
    describe_node,
    describe_tree_player,
    find_decision_nodes,
    parse_node,
)
from durak_widget.exercises.paper_form import AnswerBlank, BoardPaperForm, clean_text, make_labels, parse_letter_list
from durak_widget.gametheory.tree import CHANCE, InfoSet, Tree, TreeError
from durak_widget.i18n import TranslatableText, Translator

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.paper_form import BlankTexts

MAX_DECISION_NODES: Final = 200
"""The largest number of decision nodes in a tree for a question on information sets."""
NodeGroups = tuple[tuple[int, ...], ...]
"""The groups of nodes that the student has joined, each with two or more nodes."""


class InformationSetQuestion(BoardQuestion[NodeGroups]):
    """A question about the nodes that the acting player can't distinguish."""

    question_kind = "sets"
    is_guessable = True

    def __init__(self, tree: Tree, question: Text, *, is_key_known: bool = True) -> None:
        """Ask about a tree's nodes; set `is_key_known` to False if the correct groups are unknown.

        The tree of a handed-out question has no information sets.
        """
        self._tree, self._decision_nodes = tree, find_decision_nodes(tree)
        if len(self._decision_nodes) > MAX_DECISION_NODES:
            raise DurakError(
                f"you can draw information sets on a tree with at most {MAX_DECISION_NODES} decision nodes, and this one has {len(self._decision_nodes):,}"
            )
        nodes_by_infoset: dict[int, list[int]] = {}
        for node in self._decision_nodes:
            nodes_by_infoset.setdefault(tree.infoset_of[node], []).append(node)
        self._right_groups: NodeGroups = tuple(tuple(group) for group in nodes_by_infoset.values() if len(group) > 1)
        if not self._right_groups and is_key_known:
            raise DurakError(
                "this tree has perfect information, so there is nothing to join; take a tree with hidden hands or hidden moves"
            )
        self.question = question_or_default(question, TranslatableText("lesson.tree.sets"))
        self._own_histories = _collect_own_histories(tree)
        self.required_nodes = self._decision_nodes

    def empty_answer(self) -> NodeGroups:
        """Return the empty answer, in which no nodes are joined into an information set."""
        return ()

    def parse_answer(self, answer: object) -> NodeGroups:
        """Parse groups of nodes, each a list of node numbers or move lists."""
        if not isinstance(answer, (list, tuple, set, frozenset)):
            raise DurakError(f"write the joined nodes as groups of histories, as in [[3, 5], [4, 6]], not as {short_repr(answer)}")
        groups = self.empty_answer()
        for group in answer:
            groups = self._join_nodes(groups, self._parse_nodes(group.split() if isinstance(group, str) else group))
        return groups

    def apply_message(self, previous_answer: NodeGroups, message: Mapping[str, object]) -> NodeGroups:
        """Join the nodes that a user clicked into one group, or take these nodes out of groups.

        The key `join` of `message` says which of the two to do.
        """
        nodes = self._parse_nodes(message.get("nodes"))
        if message.get("join") is True:
            return self._join_nodes(previous_answer, nodes)
        remaining = [tuple(node for node in group if node not in nodes) for group in previous_answer]
        return tuple(group for group in remaining if len(group) > 1)

    def _parse_nodes(self, nodes: object) -> list[int]:
        """Parse a group of nodes; raise an error if no player acts at one of them."""
        nodes = sorted(nodes, key=str) if isinstance(nodes, (set, frozenset)) else convert_to_lists(nodes)
        if not isinstance(nodes, (list, tuple)) or not 0 < len(nodes) <= MAX_DECISION_NODES:
            raise DurakError(f"a group must have two or more histories, as in [3, 5], not {short_repr(nodes)}")
        parsed = [parse_node(self._tree, node) for node in nodes]
        for node in parsed:
            if self._tree.actor[node] < 0:
                raise DurakError(f"at history {node} no player chooses; only decision nodes can be joined")
        return parsed

    def _join_nodes(self, groups: NodeGroups, nodes: Iterable[int]) -> NodeGroups:
        """Join the given nodes into one group, together with all groups that share a node."""
        joined = set(nodes)
        untouched = []
        for group in groups:
            if joined.isdisjoint(group):
                untouched.append(group)
            else:
                joined |= set(group)
        return tuple(sorted([*untouched, *([tuple(sorted(joined))] if len(joined) > 1 else [])]))

    def to_plain_data(self, answer: NodeGroups) -> object:
        """Return the groups of nodes that the student joined, as lists of node numbers."""
        return [list(group) for group in answer]

    def describe_missing_parts(self, answer: NodeGroups) -> Sequence[Text]:
        """If the student has joined no nodes into a group, return a note that says so."""
        return [] if answer else [TranslatableText("class.kept.blank")]

    def grade(self, answer: NodeGroups) -> AnswerGrade:
        """Grade each group of nodes as right if it consists of exactly one information set."""
        info = self._tree.infoset_of
        marks: dict[str, str] = {}
        reasons: list[Text] = []
        wrong: list[tuple[int, int]] = []
        for number, group in enumerate(answer):
            pair = next(((first, second) for first, second in combinations(group, 2) if info[first] != info[second]), None)
            mark = "wrong" if pair else "right" if group in self._right_groups else ""
            marks |= {str(number): mark} if mark else {}
            wrong += [pair] if pair else []
        reasons += [explain_difference(self._tree, *pair, self._own_histories) for pair in wrong[:2]]
        group_of = {node: index for index, group in enumerate(answer) for node in group}
        split = [group for group in self._right_groups if len({group_of.get(node, ~node) for node in group}) > 1]
        if not wrong and not split:
            return AnswerGrade(marks, [TranslatableText("lesson.tree.sets.right")], True)
        if not split:
            return AnswerGrade(marks, reasons, False)
        split_group = split[0]
        pair = next(
            (first, second)
            for first, second in combinations(split_group, 2)
            if group_of.get(first, ~first) != group_of.get(second, ~second)
        )
        same_view = TranslatableText(
            "lesson.tree.sets.same",
            {"who": self._describe_actor(split_group[0]), "one": self._describe_node(pair[0]), "other": self._describe_node(pair[1])},
        )
        remaining = TranslatableText("lesson.tree.sets.left", {"count": len(split)})
        return AnswerGrade(marks, [*reasons, remaining], False, [*reasons, same_view])

    def describe_parts(self, answer: NodeGroups, marks: Mapping[str, str]) -> Sequence[PartDescription]:
        """Describe each group of nodes by the moves that lead to each of the nodes."""
        return [
            PartDescription("", tuple(describe_node(self._tree, node) for node in group), marks.get(str(number), ""))
            for number, group in enumerate(answer)
        ]

    def build_picture(self, answer: NodeGroups | None, marks: Mapping[str, str]) -> BoardPicture:  # noqa: ARG002 - the picture shows the solution
        """Return a picture of the tree with its information sets."""
        return BoardPicture(self._tree)

    def _describe_actor(self, node: int) -> object:
        """Return the player who acts at a node, as a name or a seat."""
        return describe_tree_player(self._tree, self._tree.actor[node])

    def _describe_node(self, node: int) -> TranslatableText:
        return describe_node(self._tree, node)

    @property
    def solution(self) -> Sequence[object]:
        """Return the information sets that contain two or more nodes."""
        return [list(group) for group in self._right_groups]

    def to_snapshot(self) -> dict[str, object]:
        """Return the tree without its information sets, as JSON-compatible values."""
        return {"tree": tree_to_dict(separate_information_sets(self._tree))}

    def to_paper(self) -> BoardPaperForm:
        """Return the printed form of the question, with a letter at each decision node.

        The student joins nodes with lines, and also writes down the letters of each group.
        """
        labels = make_labels(len(self._decision_nodes))
        separator = "" if len(labels) <= 26 else " "

        def parse_texts(blank_texts: BlankTexts) -> object:
            groups = [
                parse_letter_list(part, labels)
                for part in re.split(r"[;,/|]" if separator else r"[;,/|\s]+", blank_texts[""])
                if clean_text(part)
            ]
            return (
                [[self._decision_nodes[labels.index(label)] for label in group] for group in groups if group] if blank_texts[""] else None
            )

        def write_solution() -> BlankTexts:
            return {
                "": ", ".join(separator.join(labels[self._decision_nodes.index(node)] for node in group) for group in self._right_groups)
            }

        return BoardPaperForm(
            dict(zip(self._decision_nodes, labels, strict=True)), (AnswerBlank(field_kind="line"),), parse_texts, write_solution
        )

    def sample_answers(self) -> Sequence[NodeGroups]:
        """Return sample answers: the correct one, the empty one, and all nodes in one group."""
        return [self._right_groups, self.empty_answer(), (tuple(self._decision_nodes),)]

    def view_fields(self, answer: NodeGroups, marks: Mapping[str, str], *, is_over: bool) -> dict[str, object]:
        """Return the groups of nodes and their grading marks, as data for the front end.

        The data also lists the nodes that the student may join.
        """
        return {"groups": [list(group) for group in answer], "marks": dict(marks), "allowed_nodes": [] if is_over else self._decision_nodes}


def explain_difference(tree: Tree, first_node: int, second_node: int, own_histories: Sequence[tuple[tuple[int, int], ...]]) -> Text:
    """Explain how the acting player distinguishes two nodes that the student joined."""
    facts: dict[str, object] = {"one": describe_node(tree, first_node), "other": describe_node(tree, second_node)}
    actor = tree.actor[first_node]
    if actor != tree.actor[second_node]:
        return TranslatableText(
            "lesson.tree.apart.players",
            {**facts, "who": describe_tree_player(tree, actor), "next": describe_tree_player(tree, tree.actor[second_node])},
        )
    facts["who"] = describe_tree_player(tree, actor)
    first_record, second_record = tree.infosets[tree.infoset_of[first_node]], tree.infosets[tree.infoset_of[second_node]]
    hands = _format_hand(tree, tree.infoset_of[first_node]), _format_hand(tree, tree.infoset_of[second_node])
    if None not in hands and hands[0] != hands[1]:
        return TranslatableText("lesson.tree.apart.cards", {**facts, "hand": hands[0] or "–", "others": hands[1] or "–"})
    if first_record.actions != second_record.actions:
        return TranslatableText("lesson.tree.apart.moves", facts)
    if own_histories[first_node] != own_histories[second_node]:
        return TranslatableText("lesson.tree.apart.did", facts)
    if first_record.label != second_record.label:
        return TranslatableText(
            "lesson.tree.apart.sees",
            {**facts, "label": InfoSetReference(tree.infoset_of[first_node]), "others": InfoSetReference(tree.infoset_of[second_node])},
        )
    return TranslatableText("lesson.tree.apart.saw", facts)


def _format_hand(tree: Tree, infoset: int) -> str | None:
    """Return the hand that a Durak player holds at an information set; None for other games."""
    try:
        return " ".join(map(Translator(cards="signs", card_letters="international").name_card, CardSet(restore_view(tree, infoset).hand)))
    except TreeError:
        return None


def _collect_own_histories(tree: Tree) -> list[tuple[tuple[int, int], ...]]:
    """Return, for each node, the earlier information sets and actions of the acting player."""
    histories: list[tuple[tuple[tuple[int, int], ...], ...]] = [((),) * tree.player_count]
    for node in range(tree.history_count):
        actor, info = tree.actor[node], tree.infoset_of[node]
        for move in range(tree.child_count[node]):
            history = histories[node]
            histories.append(history if actor == CHANCE else (*history[:actor], (*history[actor], (info, move)), *history[actor + 1 :]))
    return [history[actor] if actor >= 0 else () for history, actor in zip(histories, tree.actor, strict=True)]


def separate_information_sets(tree: Tree) -> Tree:
    """Return a copy of the tree in which each decision node is an information set of its own.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> ends = {first + second: TerminalNode((0, 0)) for first in "lr" for second in "lr"}
    >>> moves = {first: DecisionNode(1, "?", [("l", first + "l"), ("r", first + "r")]) for first in "lr"}
    >>> tree = build_tree("", {"": DecisionNode(0, "?", [("l", "l"), ("r", "r")]), **moves, **ends}.__getitem__, player_count=2)
    >>> tree, separate_information_sets(tree)
    (<Tree: 7 histories, 4 terminals, 1 + 1 information sets>, <Tree: 7 histories, 4 terminals, 1 + 2 information sets>)
    """
    copied = Tree(tree.player_count, tree.title, tree.names)
    for name in ("actor", "parent", "first_child", "child_count", "level_starts", "chance_moves", "payoffs", "origin"):
        setattr(copied, name, getattr(tree, name))
    copied.infoset_of = tree.infoset_of[:]
    for node in find_decision_nodes(tree):
        record = tree.infosets[tree.infoset_of[node]]
        copied.infoset_of[node] = len(copied.infosets)
        copied.infosets.append(InfoSet(record.player, "", record.actions))
    return copied
