"""An editor for a game tree, without a page: edits, undo and redo, and the finished tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from durak_widget.board.message_parsing import MessageError
from durak_widget.board.tree_wording import plain_name
from durak_widget.editor import tree_edits
from durak_widget.editor.draft_conversion import draft_of, lacks, tree_of
from durak_widget.editor.export_formats import python_of
from durak_widget.editor.tree_draft import ROOT, GameDraft
from durak_widget.editor.undo_stack import Strokes
from durak_widget.errors import quoted, whole_number
from durak_widget.gametheory.gambit_files import to_efg
from durak_widget.gametheory.tree import CHANCE
from durak_widget.i18n import Fact
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from durak_widget.gametheory.tree import Tree


class Stroke(NamedTuple):
    """One step of editing: the draft, the node to show, and a sentence about the edit."""

    draft: GameDraft
    at: int
    did: Fact
    fresh: int = -1
    """The node of a new branch, which the page may ask to name; -1 if there is none."""


class Sketched:
    """An editor for a tree that is drawn action by action.

    Nodes have numbers, which they keep; the root is 0. Each edit returns a node: the one a new branch leads to, or
    else the one to show.

    >>> sketch = Sketched()
    >>> left = sketch.move(0, "left")
    >>> right = sketch.move(0, "right")
    >>> sketch.lacks[0]
    'After “left”: what this end is worth is not typed yet; write a payoff for each player, such as 1, 0.'
    >>> _ = sketch.pay(left, 1, -1), sketch.pay(right, "1/3, 0")
    >>> sketch.tree
    <Tree: 3 histories, 2 terminals, 1 + 0 information sets>
    >>> sketch.undo(), len(sketch.lacks), sketch.redo(), len(sketch.lacks)
    (True, 1, True, 0)
    """

    def __init__(self, tree: Tree | None = None) -> None:
        """Start from nothing or from a tree."""
        self.steps = Strokes(Stroke(GameDraft() if tree is None else draft_of(tree), ROOT, Fact("sketch.did.begun")))
        self._copied: tuple[GameDraft, int] | None = None

    @property
    def draft(self) -> GameDraft:
        """Return the draft as it is now."""
        return self.steps.now.draft

    @property
    def at(self) -> int:
        """Return the node that is shown."""
        return self.steps.now.at

    @property
    def lacks(self) -> list[str]:
        """Return what is missing, in sentences; an empty list for a complete game."""
        return [item.said() for item in lacks(self.draft)]

    @property
    def tree(self) -> Tree:
        """Return the tree; refuse a draft in which something is missing."""
        return tree_of(self.draft)

    @property
    def efg(self) -> str:
        """Return the game as the text of a Gambit file."""
        return to_efg(self.tree)

    @property
    def python(self) -> str:
        """Return the game as a Python expression.

        It needs `gametheory`, and `Fraction` if a number is not whole.
        """
        return python_of(self.tree)

    # Branches

    def move(self, node: int, move: str | None = None, *, seat: int | None = None) -> int:
        """Add a branch; at a terminal node its first branch, for this player.

        At a decision node the branch is added at all nodes of the information set.
        """
        draft, child = tree_edits.add_move(self.draft, self.draft.a_place(node), move, None if seat is None else self.draft.a_player(seat))
        self._step(Stroke(draft, node, Fact("sketch.did.move", {"move": plain_name(draft.move_to(child))}), child))
        return child

    def chance(self, node: int) -> int:
        """Let chance act at a node: two branches at a terminal node, else one more."""
        draft, child = tree_edits.add_chance(self.draft, self.draft.a_place(node))
        self._step(Stroke(draft, node, Fact("sketch.did.chance")))
        return child

    def remove(self, node: int) -> int:
        """Remove the branch that leads to a node, with all that follows."""
        action_name = plain_name(self.draft.move_to(node)) if self.draft.a_place(node) else "…"
        return self._take(*tree_edits.remove(self.draft, node), "remove", move=action_name)

    def cut(self, node: int) -> int:
        """Remove all that follows a node."""
        return self._take(*tree_edits.cut_out(self.draft, self.draft.a_place(node)), "cut")

    def rename(self, node: int, move: str) -> int:
        """Rename the action that leads to a node."""
        draft, current_node = tree_edits.rename(self.draft, self.draft.a_place(node), move)
        return self._take(draft, current_node, "rename", move=plain_name(draft.move_to(current_node)))

    def shift(self, node: int, by: int) -> int:
        """Move the branch that leads to a node by some positions among its siblings.

        Negative numbers move it back.
        """
        return self._take(*tree_edits.shift(self.draft, self.draft.a_place(node), a_step(by)), "shift")

    def copy(self, node: int) -> None:
        """Copy a node with all that follows to the clipboard."""
        self._copied = self.draft, self.draft.a_place(node)

    def paste(self, node: int, *, joined: bool = False) -> int:
        """Paste the copied branch at a terminal node.

        If `joined` is true, the players can't distinguish the copy from the original.
        """
        if self._copied is None:
            raise RefusedError("sketch.refused.nothing_copied")
        return self._take(*tree_edits.paste(self.draft, self.draft.a_place(node), *self._copied, joined=joined), "paste")

    # Actors and information sets

    def give(self, node: int, seat: int | None) -> int:
        """Let another player act at a node, with the same actions; None lets chance act."""
        actor = CHANCE if seat is None else self.draft.a_player(seat)
        draft, current_node = tree_edits.hand_over(self.draft, self.draft.a_place(node), actor)
        facts = {"player": Fact("tree.chance") if actor == CHANCE else draft.player(actor)}
        return self._take(draft, current_node, "give", **facts)

    def know(self, node: int, label: str) -> int:
        """Set the label of the information set of a node."""
        return self._take(*tree_edits.know(self.draft, self.draft.a_place(node), label), "know")

    def join(self, one: int, other: int) -> int:
        """Join the information sets of two nodes."""
        draft, current_node = tree_edits.join(self.draft, self.draft.a_place(one), self.draft.a_place(other))
        return self._take(draft, current_node, "join", count=len(draft.members(current_node)))

    def part(self, node: int) -> int:
        """Give a node an information set of its own."""
        return self._take(*tree_edits.part(self.draft, self.draft.a_place(node)), "part")

    # Numbers

    def likely(self, node: int, likely: object) -> int:
        """Set the probability of a chance move; if None, it shares the rest with other moves."""
        return self._take(*tree_edits.set_likely(self.draft, self.draft.a_place(node), likely), "likely")

    def pay(self, node: int, *worth: object) -> int:
        """Set the payoffs of a terminal node: a number for each player, or one text.

        A payoff that is None is not known yet.
        """
        entered = worth[0] if len(worth) == 1 and isinstance(worth[0], str) else worth
        return self._take(*tree_edits.pay(self.draft, self.draft.a_place(node), entered), "pay")

    # Players

    def player(self, seat: int, name: str) -> None:
        """Rename a player; an empty name brings the numbered name back."""
        self._stay(tree_edits.name_player(self.draft, self.draft.a_player(seat), name))

    def add_player(self, name: str = "") -> None:
        """Add a player."""
        self._stay(tree_edits.add_player(self.draft, name))

    def drop_player(self, seat: int) -> None:
        """Remove a player who acts at no node."""
        self._stay(tree_edits.drop_player(self.draft, self.draft.a_player(seat)))

    def call(self, title: str) -> None:
        """Set the title of the game."""
        self._stay(tree_edits.call(self.draft, title), "title")

    # Steps

    def undo(self) -> bool:
        """Take the last step back and return whether there was one."""
        undone_step = self.steps.now
        if not self.steps.undo():
            return False
        node, current_step = undone_step.at, self.steps.now
        while node not in current_step.draft.places:
            node = undone_step.draft.places[node].up if node in undone_step.draft.places else current_step.at
        self.stepped(Stroke(current_step.draft, node, Fact("sketch.undone", {"did": undone_step.did})))
        return True

    def redo(self) -> bool:
        """Do the step that was taken back last again; return whether there was one."""
        if not self.steps.redo():
            return False
        self.stepped(self.steps.now._replace(fresh=-1))
        return True

    def stepped(self, step: Stroke) -> None:
        """Receive each change of the draft; a subclass that shows the draft overrides this."""

    def _take(self, draft: GameDraft, at: int, did: str, **facts: object) -> int:
        self._step(Stroke(draft, at, Fact(f"sketch.did.{did}", facts)))
        return at

    def _step(self, step: Stroke) -> None:
        """Record a step, unless it changes nothing."""
        if step.draft is not self.draft and step.draft != self.draft:
            self.steps.take(step)
            self.stepped(step)

    def _stay(self, draft: GameDraft, did: str = "players") -> None:
        names = tuple([draft.player(player) for player in range(draft.seats)])
        self._take(draft, self.at, did, names=names, title=plain_name(draft.title))

    def __repr__(self) -> str:
        missing = len(self.lacks)
        return f"<Sketch of {len(self.draft.places):,} places{f'; missing: {missing:,}' if missing else ''}>"


def a_step(by: object) -> int:
    """Return by how many positions a branch is moved; refuse anything but a whole number.

    >>> a_step("up")
    Traceback (most recent call last):
    durak_widget.board.message_parsing.MessageError: a branch is moved by a whole number of places, such as 1 or -1, not 'up'
    """
    offset = whole_number(by)
    if offset is None:
        raise MessageError(f"a branch is moved by a whole number of places, such as 1 or -1, not {quoted(by)}")
    return offset
