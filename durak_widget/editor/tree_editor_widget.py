"""The tree editor: a notebook widget in which a user draws a game tree by clicks.

Python stores the draft and lists what it lacks; the page displays the draft and sends what the user does.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Final

import traitlets

from durak_widget.board.tree_view_model import pack_drawing
from durak_widget.board.tree_wording import take_first_lines
from durak_widget.editor.draft_conversion import find_missing_items
from durak_widget.editor.export_formats import EXPORT_FORMATS, save_draft, suggest_file_stem
from durak_widget.editor.message_handlers import MESSAGE_HANDLERS, handle_message
from durak_widget.editor.refused_text import RefusedText
from durak_widget.editor.tree_editor import EditStep, TreeEditor
from durak_widget.editor.view_model import DraftViewModel
from durak_widget.engine.table_svg import render_image
from durak_widget.i18n import TranslatableText, Translator, get_front_end_texts
from durak_widget.translated_errors import error_to_text
from durak_widget.widgets.base_widget import LanguageThemeMixin, StaticPictureWidget, build_picture_bundle, load_front_end_file

if TYPE_CHECKING:
    from os import PathLike

    from ipywidgets import Layout  # type: ignore[import-untyped]

    from durak_widget.gametheory.tree import Tree

_MAX_LISTED_ITEMS: Final = 20
"""The maximum number of missing parts of a draft that the page lists."""
_EXPORTS_BY_NAME: Final = {form.name: (ending, form) for ending, form in EXPORT_FORMATS.items()}


class Sketch(TreeEditor, LanguageThemeMixin, StaticPictureWidget):
    """A tree editor for clicks, touch or keys; every step can be undone.

    >>> from durak_widget import editor, gametheory
    >>> sketch = editor.Sketch()
    >>> for move in ("heads", "tails"):
    ...     place = sketch.add_action(0, move)
    >>> sketch
    <Sketch of 3 nodes; missing: 2>
    >>> _ = sketch.set_payoffs(1, 1, -1), sketch.set_payoffs(3, "-1, 1")
    >>> print(sketch.python)
    gametheory.build_tree("", {
        "": gametheory.DecisionNode(0, "", [("heads", "heads"), ("tails", "tails")]),
        "heads": gametheory.TerminalNode((1, -1)),
        "tails": gametheory.TerminalNode((-1, 1)),
    }.__getitem__, player_count=2)
    """

    _esm = load_front_end_file("sketch.js")
    _css = load_front_end_file("sketch.css")
    message_kinds = MESSAGE_HANDLERS.keys()
    setting_names = (*LanguageThemeMixin.setting_names, "direction")
    export_names = _EXPORTS_BY_NAME.keys()
    """The names of the export formats that the page can request."""

    drawing_view = traitlets.Dict(read_only=True).tag(sync=True)
    focus_view = traitlets.Dict(read_only=True).tag(sync=True)
    tree_draft_view = traitlets.Dict(read_only=True).tag(sync=True)
    words = traitlets.Dict(read_only=True).tag(sync=True)
    direction = traitlets.Enum(("right", "down"), "right", help="The direction in which the tree grows.").tag(sync=True, page=True)

    def __init__(self, tree: Tree | None = None, *, layout: Layout | dict[str, str] | None = None, **settings: object) -> None:
        """Start with an empty tree draft, or with a tree of at most 2,000 histories.

        More options are `language`, `theme` and `direction`.
        """
        self._apply_settings(settings, "tree", "layout")
        TreeEditor.__init__(self, tree)
        self._step_count, self._drawing_number, self._shown_step = 0, 0, self.history.current
        self.refused_text = RefusedText()
        self._apply_language()
        StaticPictureWidget.__init__(self, layout=layout)
        self.observe(lambda _: self._apply_language(), "language")
        self.observe(lambda _: self.refresh(), "direction")

    @property
    def current_node(self) -> int:
        """Return the number of the node that is selected for editing."""
        return self._shown_step.node

    def go_to(self, node: object) -> None:
        """Select a node for editing."""
        self._shown_step = self._shown_step._replace(node=self.draft.require_node(node))
        self._send_current_node()

    def on_step(self, step: EditStep) -> None:
        """Show the tree draft on the page after a step of editing."""
        self._shown_step = step
        self._step_count += 1
        self.refused_text.forget()
        self.refresh()

    def copy(self, node: int) -> None:
        """Copy a node, with all nodes below it, to the editor's clipboard."""
        super().copy(node)
        self.on_step(EditStep(self.draft, node, TranslatableText("sketch.did.copy")))

    # --- Pictures and files ---

    def svg(self) -> str:
        """Return the tree draft, finished or not, as a self-contained SVG picture."""
        return self._build_view_model().svg

    def save(self, path: str | PathLike[str]) -> None:
        """Save the tree draft to a file; the ending of the file name chooses the format.

        The endings are `.efg` for Gambit, `.py` for a cell of Python, `.tex` for LaTeX and `.svg` for a picture.
        """
        save_draft(self.draft, path, self.language, self.direction)

    def send_export(self, format_name: str) -> None:
        """Send the page the tree draft as text in the format that the page requested."""
        ending, export_format = _EXPORTS_BY_NAME[format_name]
        text = export_format.render(self.draft, self.language, self.direction)
        self.send({"kind": "export", "format": format_name, "name": suggest_file_stem(self.draft) + ending, "text": text})

    def __str__(self) -> str:
        return "\n".join(
            [self._build_view_model().text, *[item.to_text(self.language) for item in find_missing_items(self.draft)[:_MAX_LISTED_ITEMS]]]
        )

    def _build_view_model(self) -> DraftViewModel:
        return DraftViewModel(self.draft, self.language, self.direction)

    # --- Messages to and from the page ---

    def refresh(self) -> None:
        """Send the tree draft in its current state to the page."""
        with self.hold_sync() if getattr(self, "comm", None) else nullcontext():  # Send all changes to the page in one message
            view, missing, voice = self._build_view_model(), find_missing_items(self.draft), Translator(self.language)
            listed = [{"id": item.node, "text": item.to_text(self.language)} for item in missing[:_MAX_LISTED_ITEMS]]
            more = len(missing) - len(listed)
            self._drawing_number += 1  # An edit can move any node, so a new layout number tells the page to lay out the tree again
            self.set_trait("drawing_view", {**view.drawing, "layout_id": self._drawing_number, **pack_drawing(view.drawing)})
            self.set_trait(
                "tree_draft_view",
                {
                    "version": self._step_count,
                    "can_undo": self.history.undo_count > 0,
                    "can_redo": self.history.redo_count > 0,
                    "has_copy": self._clipboard is not None,
                    "last_step": voice.translate(self._shown_step.description.key, **self._shown_step.description.facts),
                    "new_node": self._shown_step.new_node,
                    "missing": listed,
                    "more_missing": voice.translate("sketch.lacks.others", count=more) if more else "",
                    **view.build_field_values(),
                },
            )
            self._send_current_node()

    def _send_current_node(self) -> None:
        """Send the number of the selected node to the page."""
        self.set_trait(
            "focus_view", {"id": self._drawing_number, "current_node": self.current_node, "breadcrumbs": [], "search_result": None}
        )

    def handle_message(self, message: object) -> None:
        """Handle a message that the page sent."""
        with self.refused_text.watch(message):
            handle_message(self, message)

    def report_error(self, error: Exception) -> None:
        """Show an error message beside the drawing of the tree."""
        self.send({"kind": "error", "text": error_to_text(error, self.language)})

    def _build_static_bundle(self) -> dict[str, str]:
        """Build a picture and a text of the draft to save in the notebook."""
        view = self._build_view_model()
        return build_picture_bundle(
            render_image(view.svg, take_first_lines(view.text)), Translator(self.language).translate("sketch.picture"), str(self)
        )

    def _apply_language(self) -> None:
        """Send the editor's texts to the page in the current language."""
        self.set_trait("words", get_front_end_texts(self.language))
        self.refresh()

    def __repr__(self) -> str:
        return TreeEditor.__repr__(self)
