"""A notebook widget in which a game tree is drawn by clicks.

Python holds the draft and says what is missing; the page shows it and sends what the user does.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Final

import traitlets

from durak_widget.board.tree_view_model import packed
from durak_widget.board.tree_wording import beginning
from durak_widget.editor.draft_conversion import lacks
from durak_widget.editor.export_formats import FORMS, save_sketch, sketch_file
from durak_widget.editor.message_handlers import SKETCHES, hear_sketch
from durak_widget.editor.tree_editor import Sketched, Stroke
from durak_widget.editor.view_model import Seen
from durak_widget.engine.table_svg import image
from durak_widget.i18n import Fact, Voice, screen
from durak_widget.translated_errors import said_of
from durak_widget.widgets.base_widget import Dressed, Pictured, built, standing_for

if TYPE_CHECKING:
    from os import PathLike

    from ipywidgets import Layout  # type: ignore[import-untyped]

    from durak_widget.gametheory.tree import Tree

_LISTED: Final = 20
"""The most missing items that are listed at once."""
_EXPORTS: Final = {form.name: (ending, form) for ending, form in FORMS.items()}


class Sketch(Sketched, Dressed, Pictured):
    """A game tree to draw by clicks, by touch or by keys; every step can be taken back.

    >>> from durak_widget import editor, gametheory
    >>> sketch = editor.Sketch()
    >>> for move in ("heads", "tails"):
    ...     place = sketch.move(0, move)
    >>> sketch
    <Sketch of 3 places; missing: 2>
    >>> _ = sketch.pay(1, 1, -1), sketch.pay(3, "-1, 1")
    >>> print(sketch.python)
    gametheory.grow("", {
        "": gametheory.Turn(0, "", [("heads", "heads"), ("tails", "tails")]),
        "heads": gametheory.End((1, -1)),
        "tails": gametheory.End((-1, 1)),
    }.__getitem__, seats=2)
    """

    _esm = built("sketch.js")
    _css = built("sketch.css")
    kinds = SKETCHES.keys()
    wears = (*Dressed.wears, "direction")
    exports = _EXPORTS.keys()
    """The texts that a page may ask for."""

    drawing = traitlets.Dict(read_only=True).tag(sync=True)
    looked = traitlets.Dict(read_only=True).tag(sync=True)
    sketch = traitlets.Dict(read_only=True).tag(sync=True)
    words = traitlets.Dict(read_only=True).tag(sync=True)
    direction = traitlets.Enum(("right", "down"), "right", help="Where the tree grows.").tag(sync=True, page=True)

    def __init__(self, tree: Tree | None = None, *, layout: Layout | dict[str, str] | None = None, **look: object) -> None:
        """Start from nothing or from a tree of up to 2,000 histories.

        More options are `language`, `theme` and `direction`.
        """
        self._dress(look, "tree", "layout")
        Sketched.__init__(self, tree)
        self._turn, self._painted, self._shown = 0, 0, self.steps.now
        self._reword()
        Pictured.__init__(self, layout=layout)
        self.observe(lambda _: self._reword(), "language")
        self.observe(lambda _: self.paint(), "direction")

    @property
    def at(self) -> int:
        """Return the node that is shown."""
        return self._shown.at

    def look(self, node: object) -> None:
        """Go to a node."""
        self._shown = self._shown._replace(at=self.draft.a_place(node))
        self._look()

    def stepped(self, step: Stroke) -> None:
        """Show the draft after a step."""
        self._shown = step
        self._turn += 1
        self.paint()

    def copy(self, node: int) -> None:
        """Copy a node with all that follows to the clipboard."""
        super().copy(node)
        self.stepped(Stroke(self.draft, node, Fact("sketch.did.copy")))

    # Output

    def svg(self) -> str:
        """Return the draft, complete or not, as a self-contained SVG picture."""
        return self._seen().svg

    def save(self, path: str | PathLike[str]) -> None:
        """Write the draft to a file, in the format of its ending.

        The endings are `.efg` for Gambit, `.py` for a cell of Python, `.tex` for LaTeX and `.svg` for a picture.
        """
        save_sketch(self.draft, path, self.language, self.direction)

    def export(self, what: str) -> None:
        """Send the page the text of such a file."""
        ending, export_format = _EXPORTS[what]
        text = export_format.text(self.draft, self.language, self.direction)
        self.send({"kind": "export", "what": what, "name": sketch_file(self.draft) + ending, "text": text})

    def __str__(self) -> str:
        return "\n".join([self._seen().said, *[item.said(self.language) for item in lacks(self.draft)[:_LISTED]]])

    def _seen(self) -> Seen:
        return Seen(self.draft, self.language, self.direction)

    # The page

    def paint(self) -> None:
        """Send the current draft to the page."""
        with self.hold_sync() if getattr(self, "comm", None) else nullcontext():  # the page gets all new values at once
            view, missing, voice = self._seen(), lacks(self.draft), Voice(self.language)
            listed = [{"id": item.node, "said": item.said(self.language)} for item in missing[:_LISTED]]
            more = len(missing) - len(listed)
            self._painted += 1  # all nodes may have moved
            self.set_trait("drawing", {**view.drawing, "laid": self._painted, **packed(view.drawing)})
            self.set_trait(
                "sketch",
                {
                    "turn": self._turn,
                    "undo": self.steps.past > 0,
                    "redo": self.steps.undone > 0,
                    "copied": self._copied is not None,
                    "did": voice.say(self._shown.did.key, **self._shown.did.facts),
                    "fresh": self._shown.fresh,
                    "lacks": listed,
                    "more": voice.say("sketch.lacks.others", count=more) if more else "",
                    **view.fields(),
                },
            )
            self._look()

    def _look(self) -> None:
        self.set_trait("looked", {"id": self._painted, "at": self.at, "crumbs": [], "found": None})

    def hear(self, message: object) -> None:
        """Do what a message from the page asks for."""
        hear_sketch(self, message)

    def went_wrong(self, error: Exception) -> None:
        """Show an error beside the drawing."""
        self.send({"kind": "error", "said": said_of(error, self.language)})

    def _still(self) -> dict[str, str]:
        view = self._seen()
        return standing_for(image(view.svg, beginning(view.said)), Voice(self.language).say("sketch.picture"), str(self))

    def _reword(self) -> None:
        """Send the words of the new language to the page."""
        self.set_trait("words", screen(self.language))
        self.paint()

    def __repr__(self) -> str:
        return Sketched.__repr__(self)
