"""A game-tree editor without a user interface: edits, undo, redo, and the finished tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from durak_widget.board.message_parsing import MessageError
from durak_widget.board.tree_wording import clean_name
from durak_widget.editor import tree_edits
from durak_widget.editor.draft_conversion import draft_from_tree, find_missing_items, tree_from_draft
from durak_widget.editor.export_formats import format_python
from durak_widget.editor.tree_draft import ROOT, TreeDraft
from durak_widget.editor.undo_stack import UndoStack
from durak_widget.errors import as_whole_number, short_repr
from durak_widget.gametheory.gambit_files import to_efg
from durak_widget.gametheory.tree import CHANCE
from durak_widget.i18n import TranslatableText
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from durak_widget.gametheory.tree import Tree


class EditStep(NamedTuple):
    """The tree draft after one edit, the node to show, and a sentence that describes the edit."""

    draft: TreeDraft
    node: int
    description: TranslatableText
    new_node: int = -1
    """The node at the end of a new branch, so that the page can ask for the branch's name; -1 if there is no new
    branch.
    """


class TreeEditor:
    """An editor in which a user draws a game tree action by action.

    Nodes have numbers, which never change; the root is 0. Each edit returns the number of a node: the end of a new
    branch, or else the node to show.

    >>> sketch = TreeEditor()
    >>> left = sketch.add_action(0, "left")
    >>> right = sketch.add_action(0, "right")
    >>> sketch.missing_items[0]
    'After “left”, the payoffs are missing. Write one for each player, such as 1, 0.'
    >>> _ = sketch.set_payoffs(left, 1, -1), sketch.set_payoffs(right, "1/3, 0")
    >>> sketch.tree
    <Tree: 3 histories, 2 terminals, 1 + 0 information sets>
    >>> sketch.undo(), len(sketch.missing_items), sketch.redo(), len(sketch.missing_items)
    (True, 1, True, 0)
    """

    def __init__(self, tree: Tree | None = None) -> None:
        """Start with an empty tree draft, or with a given tree."""
        self.history = UndoStack(
            EditStep(TreeDraft() if tree is None else draft_from_tree(tree), ROOT, TranslatableText("sketch.did.begun"))
        )
        self._clipboard: tuple[TreeDraft, int] | None = None

    @property
    def draft(self) -> TreeDraft:
        """Return the tree draft in its current state."""
        return self.history.current.draft

    @property
    def current_node(self) -> int:
        """Return the number of the node that is selected for editing."""
        return self.history.current.node

    @property
    def missing_items(self) -> list[str]:
        """Return a list with a sentence about each missing part of the draft."""
        return [item.to_text() for item in find_missing_items(self.draft)]

    @property
    def tree(self) -> Tree:
        """Return the finished tree; raise an error if a part of the draft is missing."""
        return tree_from_draft(self.draft)

    @property
    def efg(self) -> str:
        """Return the finished game as the text of a Gambit file."""
        return to_efg(self.tree)

    @property
    def python(self) -> str:
        """Return Python code for an expression that builds the finished game.

        It needs `gametheory`, and `Fraction` if a number is not whole.
        """
        return format_python(self.tree)

    # --- Branches ---

    def add_action(self, node: int, action: str | None = None, *, player: int | None = None) -> int:
        """Add a branch at a node; at a terminal node, `player` says who will act there.

        At a decision node the branch is added at all nodes of the information set.
        """
        draft, child = tree_edits.add_action(
            self.draft, self.draft.require_node(node), action, None if player is None else self.draft.require_player(player)
        )
        self._record_step(
            EditStep(draft, node, TranslatableText("sketch.did.move", {"move": clean_name(draft.get_action_to(child))}), child)
        )
        return child

    def add_chance_move(self, node: int) -> int:
        """Let chance act at a node: a terminal node gets two branches, a chance node one more."""
        draft, child = tree_edits.add_chance_move(self.draft, self.draft.require_node(node))
        self._record_step(EditStep(draft, node, TranslatableText("sketch.did.chance")))
        return child

    def remove_branch(self, node: int) -> int:
        """Remove the branch that leads to a node, and all nodes below it."""
        action_name = clean_name(self.draft.get_action_to(node)) if self.draft.require_node(node) else "…"
        return self._record_edit(*tree_edits.remove_branch(self.draft, node), "remove", move=action_name)

    def remove_children(self, node: int) -> int:
        """Remove all nodes below a given node."""
        return self._record_edit(*tree_edits.remove_children(self.draft, self.draft.require_node(node)), "cut")

    def rename_action(self, node: int, action: str) -> int:
        """Rename the action on the branch that leads to a node."""
        draft, current_node = tree_edits.rename_action(self.draft, self.draft.require_node(node), action)
        return self._record_edit(draft, current_node, "rename", move=clean_name(draft.get_action_to(current_node)))

    def shift_branch(self, node: int, offset: int) -> int:
        """Move a branch by `offset` places among the branches of the same parent.

        The branch is the one that leads to `node`. A negative number moves the branch back.
        """
        return self._record_edit(*tree_edits.shift_branch(self.draft, self.draft.require_node(node), require_offset(offset)), "shift")

    def copy(self, node: int) -> None:
        """Copy a node, with all nodes below it, to the editor's clipboard."""
        self._clipboard = self.draft, self.draft.require_node(node)

    def paste(self, node: int, *, joined: bool = False) -> int:
        """Paste the node on the editor's clipboard, with all nodes below it, at a terminal node.

        If `joined` is True, the players can't distinguish the copy from the original.
        """
        if self._clipboard is None:
            raise RefusedError("sketch.refused.nothing_copied")
        return self._record_edit(
            *tree_edits.paste_subtree(self.draft, self.draft.require_node(node), *self._clipboard, joined=joined), "paste"
        )

    # --- Actors and information sets ---

    def set_actor(self, node: int, player: int | None) -> int:
        """Let another player act at a node, with the same actions.

        If `player` is None, let chance act.
        """
        actor = CHANCE if player is None else self.draft.require_player(player)
        draft, current_node = tree_edits.set_actor(self.draft, self.draft.require_node(node), actor)
        facts = {"player": TranslatableText("tree.chance") if actor == CHANCE else draft.describe_player(actor)}
        return self._record_edit(draft, current_node, "give", **facts)

    def set_label(self, node: int, label: str) -> int:
        """Set the label of a node's information set."""
        return self._record_edit(*tree_edits.set_label(self.draft, self.draft.require_node(node), label), "know")

    def join_infosets(self, node: int, other_node: int) -> int:
        """Put two nodes into one information set; a terminal node gets the other node's actions."""
        draft, current_node = tree_edits.join_infosets(self.draft, self.draft.require_node(node), self.draft.require_node(other_node))
        return self._record_edit(draft, current_node, "join", count=len(draft.list_infoset_nodes(current_node)))

    def split_infoset(self, node: int) -> int:
        """Move a node from its information set to a new set that contains only this node."""
        return self._record_edit(*tree_edits.split_infoset(self.draft, self.draft.require_node(node)), "part")

    # --- Probabilities and payoffs ---

    def set_probability(self, node: int, probability: object) -> int:
        """Set the probability of a chance move; None means that the probability is not yet known.

        The chance moves with None share the remaining probability equally.
        """
        return self._record_edit(*tree_edits.set_probability(self.draft, self.draft.require_node(node), probability), "likely")

    def set_payoffs(self, node: int, *payoffs: object) -> int:
        """Set the payoffs of a terminal node, given as numbers or as one line of text.

        None stands for a payoff that is not known yet.
        """
        entered = payoffs[0] if len(payoffs) == 1 and isinstance(payoffs[0], str) else payoffs
        return self._record_edit(*tree_edits.set_payoffs(self.draft, self.draft.require_node(node), entered), "pay")

    # --- Players and title ---

    def rename_player(self, player: int, name: str) -> None:
        """Rename a player; for an empty name, use the default name with the player's number."""
        self._record_game_edit(tree_edits.rename_player(self.draft, self.draft.require_player(player), name))

    def add_player(self, name: str = "") -> None:
        """Add a player to the game."""
        self._record_game_edit(tree_edits.add_player(self.draft, name))

    def remove_player(self, player: int) -> None:
        """Remove a player who does not act at any node of the tree."""
        self._record_game_edit(tree_edits.remove_player(self.draft, self.draft.require_player(player)))

    def set_title(self, title: str) -> None:
        """Set the title of the game."""
        self._record_game_edit(tree_edits.set_title(self.draft, title), "title")

    # --- Undo and redo ---

    def undo(self) -> bool:
        """Undo the last step of editing; return whether there was a step to undo."""
        undone_step = self.history.current
        if not self.history.undo():
            return False
        node, current_step = undone_step.node, self.history.current
        while node not in current_step.draft.nodes:
            node = undone_step.draft.nodes[node].parent if node in undone_step.draft.nodes else current_step.node
        self.on_step(EditStep(current_step.draft, node, TranslatableText("sketch.undone", {"did": undone_step.description})))
        return True

    def redo(self) -> bool:
        """Redo the step that was undone last; return whether there was a step to redo."""
        if not self.history.redo():
            return False
        self.on_step(self.history.current._replace(new_node=-1))
        return True

    def on_step(self, step: EditStep) -> None:
        """Do nothing; a widget overrides this method to show the draft after each step."""

    def _record_edit(self, draft: TreeDraft, node: int, message_key: str, **facts: object) -> int:
        """Record an edit of the tree with its description; return the node to show."""
        self._record_step(EditStep(draft, node, TranslatableText(f"sketch.did.{message_key}", facts)))
        return node

    def _record_step(self, step: EditStep) -> None:
        """Record a step of editing, so that it can be undone; ignore a step without changes."""
        if step.draft is not self.draft and step.draft != self.draft:
            self.history.push(step)
            self.on_step(step)

    def _record_game_edit(self, draft: TreeDraft, message_key: str = "players") -> None:
        """Record an edit of the players or the title."""
        names = tuple([draft.describe_player(player) for player in range(draft.player_count)])
        self._record_edit(draft, self.current_node, message_key, names=names, title=clean_name(draft.title))

    def __repr__(self) -> str:
        missing = len(self.missing_items)
        return f"<Sketch of {len(self.draft.nodes):,} nodes{f'; missing: {missing:,}' if missing else ''}>"


def require_offset(value: object) -> int:
    """Return how far to move a branch; raise an error if this number is not an integer.

    >>> require_offset("up")
    Traceback (most recent call last):
    durak_widget.board.message_parsing.MessageError: a branch moves by a whole number of positions, such as 1 or -1, not 'up'
    """
    offset = as_whole_number(value)
    if offset is None:
        raise MessageError(f"a branch moves by a whole number of positions, such as 1 or -1, not {short_repr(value)}")
    return offset
