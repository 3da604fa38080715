"""A tree drawn by clicks in the notebook: Python holds it and says what is missing; the page shows it, and says what a person means."""

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
"""So much of what is missing is said at once."""
_EXPORTS: Final = {form.name: (ending, form) for ending, form in FORMS.items()}


class Sketch(Sketched, Dressed, Pictured):
    """A game tree to draw by clicks, by touch or by keys: from nothing, or from any tree; every step can be taken back.

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
    """What a page may ask for as a text."""

    drawing = traitlets.Dict(read_only=True).tag(sync=True)
    looked = traitlets.Dict(read_only=True).tag(sync=True)
    sketch = traitlets.Dict(read_only=True).tag(sync=True)
    words = traitlets.Dict(read_only=True).tag(sync=True)
    direction = traitlets.Enum(("right", "down"), "right", help="Where the tree grows.").tag(sync=True, page=True)

    def __init__(self, tree: Tree | None = None, *, layout: Layout | dict[str, str] | None = None, **look: object) -> None:
        """Begin from nothing, or from a tree of up to 2,000 histories. What else may be said is how it looks: `language`, `theme`, `direction`."""
        self._dress(look, "tree", "layout")
        Sketched.__init__(self, tree)
        self._turn, self._painted, self._shown = 0, 0, self.steps.now
        self._reword()
        Pictured.__init__(self, layout=layout)
        self.observe(lambda _: self._reword(), "language")
        self.observe(lambda _: self.paint(), "direction")

    # What is looked at

    @property
    def at(self) -> int:
        """The place that is looked at."""
        return self._shown.at

    def look(self, node: object) -> None:
        """Go to a place."""
        self._shown = self._shown._replace(at=self.draft.a_place(node))
        self._look()

    def stepped(self, step: Stroke) -> None:
        """Show what there is now."""
        self._shown = step
        self._turn += 1
        self.paint()

    def copy(self, node: int) -> None:
        """Keep a place with all that follows, to draw it again elsewhere."""
        super().copy(node)
        self.stepped(Stroke(self.draft, node, Fact("sketch.did.copy")))

    # What comes out of it

    def svg(self) -> str:
        """The sketch as a picture that needs nothing else, whole or not."""
        return self._seen().svg

    def save(self, path: str | PathLike[str]) -> None:
        """Write it into a file, as its name ends: `.efg` for Gambit, `.py` as a cell of Python, `.tex` for LaTeX, `.svg` as a picture."""
        save_sketch(self.draft, path, self.language, self.direction)

    def export(self, what: str) -> None:
        """Send the page a text of it: that of such a file."""
        ending, form = _EXPORTS[what]
        text = form.text(self.draft, self.language, self.direction)
        self.send({"kind": "export", "what": what, "name": sketch_file(self.draft) + ending, "text": text})

    def __str__(self) -> str:
        return "\n".join([self._seen().said, *[one.said(self.language) for one in lacks(self.draft)[:_LISTED]]])

    def _seen(self) -> Seen:
        return Seen(self.draft, self.language, self.direction)

    # The page

    def paint(self) -> None:
        """Tell the page what there is now."""
        with self.hold_sync() if getattr(self, "comm", None) else nullcontext():  # the page hears of all of it at once
            seen, missing, voice = self._seen(), lacks(self.draft), Voice(self.language)
            listed = [{"id": one.node, "said": one.said(self.language)} for one in missing[:_LISTED]]
            more = len(missing) - len(listed)
            self._painted += 1  # anything may lie elsewhere now
            self.set_trait("drawing", {**seen.drawing, "laid": self._painted, **packed(seen.drawing)})
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
                    **seen.fields(),
                },
            )
            self._look()

    def _look(self) -> None:
        self.set_trait("looked", {"id": self._painted, "at": self.at, "crumbs": [], "found": None})

    def hear(self, message: object) -> None:
        """What a person means is done."""
        hear_sketch(self, message)

    def went_wrong(self, error: Exception) -> None:
        """Say it beside the sketch."""
        self.send({"kind": "error", "said": said_of(error, self.language)})

    def _still(self) -> dict[str, str]:
        seen = self._seen()
        return standing_for(image(seen.svg, beginning(seen.said)), Voice(self.language).say("sketch.picture"), str(self))

    def _reword(self) -> None:
        """Another language is spoken now."""
        self.set_trait("words", screen(self.language))
        self.paint()

    def __repr__(self) -> str:
        return Sketched.__repr__(self)
