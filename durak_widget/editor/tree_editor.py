"""A tree drawn by hand, without a page: what can be done to it, each step of which can be taken back, and what comes out of it."""

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
    """A sketch, where one looks on it, and what was done last, as a sentence."""

    draft: GameDraft
    at: int
    did: Fact
    fresh: int = -1
    """The place to which a branch leads that has just been drawn, and may want a name."""


class Sketched:
    """A tree that is drawn move by move.

    Places have numbers, which they keep; the root is 0. Each deed gives the number of a place: that to which a new branch leads, else where one then looks.

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
        """Begin from nothing, or from a tree."""
        self.steps = Strokes(Stroke(GameDraft() if tree is None else draft_of(tree), ROOT, Fact("sketch.did.begun")))
        self._copied: tuple[GameDraft, int] | None = None

    # What there is

    @property
    def draft(self) -> GameDraft:
        """The sketch as it is now."""
        return self.steps.now.draft

    @property
    def at(self) -> int:
        """The place that is looked at."""
        return self.steps.now.at

    @property
    def lacks(self) -> list[str]:
        """What is missing before it is a game, in sentences; nothing where it is whole."""
        return [one.said() for one in lacks(self.draft)]

    @property
    def tree(self) -> Tree:
        """The game that was drawn; refused in a sentence while something is missing."""
        return tree_of(self.draft)

    @property
    def efg(self) -> str:
        """The game as the text of a file that Gambit reads."""
        return to_efg(self.tree)

    @property
    def python(self) -> str:
        """The game as an expression of Python, which needs `gametheory`, and `Fraction` where a number is not whole."""
        return python_of(self.tree)

    # Branches

    def move(self, node: int, move: str | None = None, *, seat: int | None = None) -> int:
        """Add a branch: at an end its first, of this seat; else one more, wherever the player cannot tell the place apart."""
        draft, new = tree_edits.add_move(self.draft, self.draft.a_place(node), move, None if seat is None else self.draft.a_player(seat))
        self._step(Stroke(draft, node, Fact("sketch.did.move", {"move": plain_name(draft.move_to(new))}), new))
        return new

    def chance(self, node: int) -> int:
        """Let chance decide at a place: two ways at an end, else one way more."""
        draft, new = tree_edits.add_chance(self.draft, self.draft.a_place(node))
        self._step(Stroke(draft, node, Fact("sketch.did.chance")))
        return new

    def remove(self, node: int) -> int:
        """Take away the branch that leads to a place, with all that follows."""
        said = plain_name(self.draft.move_to(node)) if self.draft.a_place(node) else "…"
        return self._take(*tree_edits.remove(self.draft, node), "remove", move=said)

    def cut(self, node: int) -> int:
        """Take away all that follows a place."""
        return self._take(*tree_edits.cut_out(self.draft, self.draft.a_place(node)), "cut")

    def rename(self, node: int, move: str) -> int:
        """Call the branch that leads to a place otherwise."""
        draft, at = tree_edits.rename(self.draft, self.draft.a_place(node), move)
        return self._take(draft, at, "rename", move=plain_name(draft.move_to(at)))

    def shift(self, node: int, by: int) -> int:
        """Draw the branch that leads to a place so many places later among those beside it, or earlier."""
        return self._take(*tree_edits.shift(self.draft, self.draft.a_place(node), a_step(by)), "shift")

    def copy(self, node: int) -> None:
        """Keep a place with all that follows, to draw it again elsewhere."""
        self._copied = self.draft, self.draft.a_place(node)

    def paste(self, node: int, *, joined: bool = False) -> int:
        """Draw at an end what was copied; `joined`: so that the players cannot tell the copy from the first."""
        if self._copied is None:
            raise RefusedError("sketch.refused.nothing_copied")
        return self._take(*tree_edits.paste(self.draft, self.draft.a_place(node), *self._copied, joined=joined), "paste")

    # Who acts, and what is known

    def give(self, node: int, seat: int | None) -> int:
        """Let another player act at a place, with the moves that are there; None: chance."""
        whose = CHANCE if seat is None else self.draft.a_player(seat)
        draft, at = tree_edits.hand_over(self.draft, self.draft.a_place(node), whose)
        who = {"player": Fact("tree.chance") if whose == CHANCE else draft.player(whose)}
        return self._take(draft, at, "give", **who)

    def know(self, node: int, label: str) -> int:
        """Say what the player knows at a place."""
        return self._take(*tree_edits.know(self.draft, self.draft.a_place(node), label), "know")

    def join(self, one: int, other: int) -> int:
        """Let the player not tell two places apart."""
        draft, at = tree_edits.join(self.draft, self.draft.a_place(one), self.draft.a_place(other))
        return self._take(draft, at, "join", count=len(draft.members(at)))

    def part(self, node: int) -> int:
        """Let the player tell this place from all others."""
        return self._take(*tree_edits.part(self.draft, self.draft.a_place(node)), "part")

    # Numbers

    def likely(self, node: int, likely: object) -> int:
        """How likely chance leads to a place; None: it shares what the others leave."""
        return self._take(*tree_edits.set_likely(self.draft, self.draft.a_place(node), likely), "likely")

    def pay(self, node: int, *worth: object) -> int:
        """What an end is worth: a number for each player, or a text with all of them; None for what is not said yet."""
        given = worth[0] if len(worth) == 1 and isinstance(worth[0], str) else worth
        return self._take(*tree_edits.pay(self.draft, self.draft.a_place(node), given), "pay")

    # Players

    def player(self, seat: int, name: str) -> None:
        """Call a player so; nothing: it is counted again."""
        self._stay(tree_edits.name_player(self.draft, self.draft.a_player(seat), name))

    def add_player(self, name: str = "") -> None:
        """One player more."""
        self._stay(tree_edits.add_player(self.draft, name))

    def drop_player(self, seat: int) -> None:
        """One player less, if there is no place where that one is to act."""
        self._stay(tree_edits.drop_player(self.draft, self.draft.a_player(seat)))

    def call(self, title: str) -> None:
        """What the game is called."""
        self._stay(tree_edits.call(self.draft, title), "title")

    # Steps

    def undo(self) -> bool:
        """Take the last step back; whether there was one."""
        undone = self.steps.now
        if not self.steps.undo():
            return False
        here, now = undone.at, self.steps.now
        while here not in now.draft.places:
            here = undone.draft.places[here].up if here in undone.draft.places else now.at
        self.stepped(Stroke(now.draft, here, Fact("sketch.undone", {"did": undone.did})))
        return True

    def redo(self) -> bool:
        """Do again what was taken back last; whether there was anything."""
        if not self.steps.redo():
            return False
        self.stepped(self.steps.now._replace(fresh=-1))
        return True

    def stepped(self, step: Stroke) -> None:
        """Whoever shows the sketch hears here that it has changed, where, and what was done."""

    def _take(self, draft: GameDraft, at: int, did: str, **facts: object) -> int:
        self._step(Stroke(draft, at, Fact(f"sketch.did.{did}", facts)))
        return at

    def _step(self, step: Stroke) -> None:
        """What changes nothing is no step."""
        if step.draft is not self.draft and step.draft != self.draft:
            self.steps.take(step)
            self.stepped(step)

    def _stay(self, draft: GameDraft, did: str = "players") -> None:
        names = tuple([draft.player(seat) for seat in range(draft.seats)])
        self._take(draft, self.at, did, names=names, title=plain_name(draft.title))

    def __repr__(self) -> str:
        missing = len(self.lacks)
        return f"<Sketch of {len(self.draft.places):,} places{f'; missing: {missing:,}' if missing else ''}>"


def a_step(by: object) -> int:
    """By how many places a branch is moved; what is no such number is refused.

    >>> a_step("up")
    Traceback (most recent call last):
    durak_widget.board.message_parsing.MessageError: a branch is moved by a whole number of places, such as 1 or -1, not 'up'
    """
    number = whole_number(by)
    if number is None:
        raise MessageError(f"a branch is moved by a whole number of places, such as 1 or -1, not {quoted(by)}")
    return number
