"""The unfinished tree in a tree editor, as an immutable value.

A draft has nodes, information sets and players, complete or not. An edit never changes a draft: it changes a mutable
copy (`DraftBuilder`), from which the next draft is built.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.board.message_parsing import MessageError
from durak_widget.board.tree_wording import clean_name
from durak_widget.errors import as_whole_number, short_repr
from durak_widget.gametheory.player_labels import default_name, is_unnamed
from durak_widget.gametheory.tree import CHANCE, TERMINAL
from durak_widget.i18n import Seat
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MAX_NODES: Final = 2_000
"""The maximum number of nodes in a tree draft; no user is expected to draw more."""
ROOT: Final = 0


class DraftNode(NamedTuple):
    """A node of a tree draft: who acts there, and the branches that start there."""

    parent: int = -1
    actor: int = TERMINAL
    """The number of the player who acts at the node; `CHANCE`; or `TERMINAL` if the node has no branches."""
    infoset: int = -1
    """The number of the node's information set; -1 at a chance node or a terminal node."""
    children: tuple[int, ...] = ()
    actions: tuple[str, ...] = ()
    """The names of the chance moves at a chance node; a player's actions are stored with the information set."""
    probabilities: tuple[Fraction | None, ...] = ()
    """The probability of each chance move. Moves with None share what is left of 1 equally."""
    payoffs: tuple[Fraction | None, ...] = ()
    """The payoff of each player at a terminal node; None for a payoff that the user has not typed yet."""


class DraftInfoSet(NamedTuple):
    """An information set of a tree draft: its player has the same actions at all its nodes."""

    player: int
    label: str
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TreeDraft:
    """An unfinished game tree; two drafts are equal if all their parts are equal.

    >>> TreeDraft().player_count, TreeDraft().nodes[0].payoffs, TreeDraft() == TreeDraft()
    (2, (None, None), True)
    """

    nodes: Mapping[int, DraftNode] = field(default_factory=lambda: {ROOT: DraftNode(payoffs=(None, None))})
    """The nodes by their numbers. The root is 0, and a node keeps its number until it is removed."""
    infosets: Mapping[int, DraftInfoSet] = field(default_factory=dict)
    names: tuple[str, ...] = (default_name(0), default_name(1))
    """The name of each player; the default names are `Player 1`, `Player 2` and so on."""
    title: str = ""
    next_number: int = 1
    """The number for the next new node or information set."""

    @property
    def player_count(self) -> int:
        """Return the number of players in the game."""
        return len(self.names)

    def require_node(self, node: object) -> int:
        """Return the number of a node; raise an error if the draft has no such node.

        >>> TreeDraft().require_node(7)
        Traceback (most recent call last):
        durak_widget.board.message_parsing.MessageError: there is no node 7 in this sketch; there are 0
        """
        number = as_whole_number(node)
        if number is None or number not in self.nodes:
            examples = ", ".join(map(str, list(self.nodes)[:12]))
            raise MessageError(
                f"there is no node {short_repr(node)} in this sketch; there are {examples}{' …' if len(self.nodes) > 12 else ''}"
            )
        return number

    def require_player(self, player: object) -> int:
        """Return the number of a player; raise an error if the draft has no such player."""
        number = as_whole_number(player)
        if number is None or not 0 <= number < self.player_count:
            raise MessageError(f"there is no player {short_repr(player)} in this sketch; the players are 0 to {self.player_count - 1}")
        return number

    def get_actions(self, node: int) -> tuple[str, ...]:
        """Return the names of the actions, or of the chance moves, at a node."""
        record = self.nodes[node]
        return self.infosets[record.infoset].actions if record.actor >= 0 else record.actions

    def get_action_to(self, node: int) -> str:
        """Return the name of the branch that leads to a node."""
        parent = self.nodes[node].parent
        return self.get_actions(parent)[self.nodes[parent].children.index(node)]

    def list_infoset_nodes(self, node: int) -> list[int]:
        """List all nodes in the information set of a given node, including that node.

        For a chance node or a terminal node, the list has only the node itself.
        """
        infoset = self.nodes[node].infoset
        return [node] if infoset < 0 else [other for other, record in self.nodes.items() if record.infoset == infoset]

    def iterate_nodes(self, start: int = ROOT) -> Iterator[int]:
        """Yield a given node and all nodes below it, parents before children."""
        stack = [start]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(self.nodes[node].children)

    def compute_chance_probabilities(self, node: int) -> list[Fraction | None]:
        """Compute the probability of each branch at a chance node; None for unknown probabilities.

        Branches without a typed probability share what is left of 1 equally; they are None if less than 0 is left.

        >>> from durak_widget.editor import tree_edits
        >>> draft, _ = tree_edits.add_chance_move(TreeDraft(), 0)
        >>> draft.compute_chance_probabilities(0), tree_edits.set_probability(draft, 1, "1/3")[0].compute_chance_probabilities(0)
        ([Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 3), Fraction(2, 3)])
        """
        probabilities = self.nodes[node].probabilities
        rest, blanks = 1 - sum((typed for typed in probabilities if typed is not None), Fraction(0)), probabilities.count(None)
        share = rest / blanks if blanks and rest >= 0 else None
        return [share if typed is None else typed for typed in probabilities]

    def describe_player(self, player: int) -> Seat | str:
        """Return a player's name in a form that can be used in a sentence."""
        name = self.names[player]
        return Seat(player) if is_unnamed(name, player) else clean_name(name)

    def describe_path(self, node: int) -> str:
        """Return the actions that lead to a node, as text for a sentence; for the root, return ""."""
        actions = list[str]()
        while node != ROOT:
            actions.append(clean_name(self.get_action_to(node)) or "?")
            node = self.nodes[node].parent
        return ", ".join(reversed(actions))


def list_shown_names(draft: TreeDraft) -> tuple[str, ...]:
    """List the players' names, with an empty text for each player who has a default name.

    The page displays numbers for players without names.
    """
    return tuple(["" if is_unnamed(name, player) else name for player, name in enumerate(draft.names)])


def is_not_terminal(actor: int) -> bool:
    """Return whether `actor` is a player or chance, and not the mark of a terminal node."""
    return actor >= CHANCE


class DraftBuilder:
    """A builder that changes a copy of a tree draft; the original draft stays unchanged.

    >>> before = TreeDraft()
    >>> pen = DraftBuilder(before)
    >>> pen.add_terminal(0), pen.build().nodes[1].parent, len(before.nodes)
    (1, 0, 1)
    """

    def __init__(self, draft: TreeDraft) -> None:
        self.draft = draft
        self.nodes, self.infosets = dict(draft.nodes), dict(draft.infosets)
        self._next_number = draft.next_number

    def build(self) -> TreeDraft:
        """Return the changed draft; information sets without nodes are left out."""
        used = {node_record.infoset for node_record in self.nodes.values()}
        infosets = {infoset: record for infoset, record in self.infosets.items() if infoset in used}
        return replace(self.draft, nodes=self.nodes, infosets=infosets, next_number=self._next_number)

    def update_node(self, node: int, **fields: Any) -> None:  # noqa: ANN401 - fields of `DraftNode`
        """Replace the given fields of a node's record."""
        self.nodes[node] = self.nodes[node]._replace(**fields)

    def take_number(self) -> int:
        """Return a number that the draft has never used, for a new node or information set."""
        self._next_number += 1
        return self._next_number - 1

    def add_infoset(self, record: DraftInfoSet) -> int:
        """Add an information set to the draft; return the number of the set."""
        infoset = self.take_number()
        self.infosets[infoset] = record
        return infoset

    def add_terminal(self, parent: int) -> int:
        """Add a terminal node as the last child of a node; return the number of the new node."""
        if len(self.nodes) >= MAX_NODES:
            raise RefusedError("sketch.refused.many", most=f"{MAX_NODES:,}")
        node = self.take_number()
        self.nodes[node] = DraftNode(parent, payoffs=(None,) * self.draft.player_count)
        self.update_node(parent, children=(*self.nodes[parent].children, node))
        return node

    def remove_subtrees(self, roots: Iterable[int]) -> None:
        """Remove the given nodes, and all nodes below them."""
        stack = [node for node in roots if node in self.nodes]
        while stack:
            stack += self.nodes.pop(stack.pop()).children

    def make_terminal(self, node: int) -> None:
        """Make a node terminal: remove all nodes below it, and empty its payoffs."""
        self.remove_subtrees(self.nodes[node].children)
        self.nodes[node] = DraftNode(self.nodes[node].parent, payoffs=(None,) * self.draft.player_count)

    def remove_branch(self, index: int, node: int) -> None:
        """Remove one branch of a node, and all nodes to which it leads.

        The actions of an information set are not changed.
        """
        record = self.nodes[node]
        self.remove_subtrees([record.children[index]])
        children = record.children[:index] + record.children[index + 1 :]
        if not children:
            self.make_terminal(node)
        elif record.actions:
            self.update_node(
                node,
                children=children,
                actions=record.actions[:index] + record.actions[index + 1 :],
                probabilities=record.probabilities[:index] + record.probabilities[index + 1 :],
            )
        else:
            self.update_node(node, children=children)

    def copy_subtree(self, source: TreeDraft, source_root: int, target: int, *, joined: bool) -> None:
        """Copy a subtree of this draft, or of an earlier draft, to a terminal node of this draft.

        Nodes that share an information set in the source also share one in this draft. If `joined` is True, a copied
        node is in the same information set as its original.
        """
        infosets: dict[int, int] = {}
        stack = [(source_root, target)]
        while stack:
            source_node, target_node = stack.pop()
            record = source.nodes[source_node]
            infoset = record.infoset
            if infoset >= 0:
                is_shared = joined and self.infosets.get(infoset) == source.infosets[infoset]
                if infoset not in infosets:
                    infosets[infoset] = infoset if is_shared else self.add_infoset(source.infosets[infoset])
                infoset = infosets[infoset]
            self.update_node(
                target_node,
                actor=record.actor,
                infoset=infoset,
                actions=record.actions,
                probabilities=record.probabilities,
                payoffs=self._adapt_payoffs(record),
            )
            stack += [(child, self.add_terminal(target_node)) for child in record.children]

    def _adapt_payoffs(self, record: DraftNode) -> tuple[object, ...]:
        """Return a terminal node's payoffs, with exactly one entry for each player of this draft."""
        player_count = self.draft.player_count
        return () if record.children else (*record.payoffs, *(None,) * player_count)[:player_count]


def replace_fields(draft: TreeDraft, **fields: Any) -> TreeDraft:  # noqa: ANN401 - fields of `TreeDraft`
    """Return a copy of a tree draft in which the given fields are replaced."""
    return replace(draft, **fields)


def find_parent_or_root(draft: TreeDraft, node: int) -> int:
    """Return a node's parent, which the editor selects after it removes the node.

    For the root, return the root.
    """
    return max(draft.nodes[node].parent, ROOT)
