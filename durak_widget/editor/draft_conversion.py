"""Converts tree drafts (unfinished trees) to trees and back, and lists what a draft lacks.

Each missing part has its node, and a sentence in the user's language. To be drawn, an unfinished draft is converted
to a tree with placeholder numbers, which are never displayed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.editor.input_parsing import format_example_payoffs
from durak_widget.editor.tree_draft import MAX_NODES, ROOT, DraftInfoSet, DraftNode, TreeDraft, list_shown_names
from durak_widget.gametheory.tree import CHANCE, TERMINAL, ChanceNode, DecisionNode, TerminalNode, Tree, build_tree, require_tree
from durak_widget.i18n import Translator
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping


def tree_from_draft(draft: TreeDraft) -> Tree:
    """Convert a finished draft to a tree; raise an error if a part of the draft is missing.

    >>> tree_from_draft(TreeDraft())
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: Nothing is drawn yet. Add a move or a chance move, or type the payoffs.
    """
    require_complete(draft)
    return _build_tree(draft, draft.names)


def tree_for_display(draft: TreeDraft) -> Tree:
    """Convert a draft to a tree of the same shape, with placeholders for missing numbers."""
    return _build_tree(draft, list_shown_names(draft))


def _build_tree(draft: TreeDraft, names: tuple[str, ...]) -> Tree:
    """Build a tree from a draft: missing payoffs become 0, invalid probabilities become equal."""
    nodes, infosets = draft.nodes, draft.infosets

    def expand(node: int) -> DecisionNode | ChanceNode | TerminalNode:
        """Convert a node of the draft to the kind of node that `build_tree` needs."""
        record = nodes[node]
        if record.actor == TERMINAL:
            return TerminalNode(tuple([payoff or Fraction(0) for payoff in record.payoffs]))
        if record.actor == CHANCE:
            probabilities = draft.compute_chance_probabilities(node)
            complete = [probability for probability in probabilities if probability is not None]
            if len(complete) < len(probabilities) or sum(complete) != 1:
                complete = [Fraction(1, len(probabilities))] * len(probabilities)
            return ChanceNode(list(zip(record.actions, complete, record.children, strict=True)))
        return DecisionNode(record.actor, record.infoset, list(zip(infosets[record.infoset].actions, record.children, strict=True)))

    def label_infoset(_: int, number: Hashable) -> str:
        return infosets[number].label  # type: ignore[index] # `number` is the number of an information set

    return build_tree(0, expand, player_count=draft.player_count, title=draft.title, names=names, label_infoset=label_infoset)


def draft_from_tree(tree: Tree) -> TreeDraft:
    """Convert a tree to a draft whose nodes have the same numbers as the tree's histories.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree_from_draft(draft_from_tree(textbook("kuhn"))) == textbook("kuhn")
    True
    """
    require_tree(tree)
    if tree.history_count > MAX_NODES:
        raise RefusedError("sketch.refused.large", count=f"{tree.history_count:,}", most=f"{MAX_NODES:,}")
    first_infoset = tree.history_count
    nodes = {}
    for node, (parent, actor, index) in enumerate(zip(tree.parent, tree.actor, tree.infoset_of, strict=True)):
        children = tuple(tree.children(node))
        if actor == TERMINAL:
            nodes[node] = DraftNode(parent, payoffs=tree.payoffs[index])
        elif actor == CHANCE:
            nodes[node] = DraftNode(
                parent,
                CHANCE,
                children=children,
                actions=tree.chance_moves[index].actions,
                probabilities=tree.chance_moves[index].probabilities,
            )
        else:
            nodes[node] = DraftNode(parent, actor, first_infoset + index, children)
    infosets = {first_infoset + number: DraftInfoSet(*record) for number, record in enumerate(tree.infosets)}
    return TreeDraft(nodes, infosets, tree.names, tree.title, first_infoset + len(infosets))


class MissingItem(NamedTuple):
    """A part that is missing from an unfinished draft, and the node where it is missing."""

    node: int
    key: str
    facts: Mapping[str, object]

    def to_text(self, language: str = "en") -> str:
        """Return a sentence that says what the draft lacks, and at which node."""
        return Translator(language).translate(self.key, **self.facts)


def find_missing_items(draft: TreeDraft) -> list[MissingItem]:
    """List what a draft lacks, in the order in which nodes are drawn.

    The list is empty for a finished draft.

    >>> from durak_widget.editor import tree_edits
    >>> from durak_widget.editor.tree_draft import TreeDraft
    >>> draft, new = tree_edits.add_action(TreeDraft(), 0, "stop")
    >>> [item.to_text() for item in find_missing_items(draft)]
    ['After “stop”, the payoffs are missing. Write one for each player, such as 1, 0.']
    >>> find_missing_items(tree_edits.set_payoffs(draft, new, "1, 0")[0])
    []
    """
    missing = []
    for node in draft.iterate_nodes():
        record = draft.nodes[node]
        if record.actor == TERMINAL and None in record.payoffs:
            if node == ROOT:
                return [MissingItem(ROOT, "sketch.lacks.all", {})]
            missing.append(
                MissingItem(
                    node, "sketch.lacks.payoff", {"way": draft.describe_path(node), "example": format_example_payoffs(draft.player_count)}
                )
            )
        elif record.actor == CHANCE:
            missing += _check_probabilities(draft, node)
    return missing


def _check_probabilities(draft: TreeDraft, node: int) -> list[MissingItem]:
    """Return a list with the error in a chance node's probabilities; [] if there is none."""
    probabilities = draft.nodes[node].probabilities
    total = sum((probability for probability in probabilities if probability is not None), Fraction(0))
    if total == 1 or (total < 1 and None in probabilities):
        return []
    key = f"sketch.lacks.{'more' if total > 1 else 'less'}{'' if node else '.root'}"
    return [MissingItem(node, key, {"way": draft.describe_path(node), "total": str(total)})]


def require_complete(draft: TreeDraft) -> None:
    """Raise an error if a draft is unfinished; the error names the first missing part."""
    missing = find_missing_items(draft)
    if missing:
        raise RefusedError(missing[0].key, **missing[0].facts)
