"""Display of exercises in notebooks: a live page, and a static version for print."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from durak_widget.errors import DurakError, short_repr
from durak_widget.i18n import get_language as spoken
from durak_widget.widgets import user_defaults
from durak_widget.widgets.notebook_hosts import stack_widgets

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.exercises.exercise_widget import ExerciseWidget
    from durak_widget.table.players import Player
    from durak_widget.table.table_widget import Table
    from durak_widget.widgets.base_widget import BaseWidget


class NotebookDisplay(ABC):
    """A part of an exercise with its own live page, created when it is first displayed."""

    kind: ClassVar[str]
    """The kind of page to show; a `Drill` has the kind of its current question."""

    is_full_width: ClassVar[bool] = False
    """True if the static picture keeps its full width and scrolls sideways on narrow pages."""

    _page: ExerciseWidget | None = None

    def __init__(self, language: str | None) -> None:
        self._language = user_defaults.get_language() if language is None else language
        spoken(self._language)  # an unknown language code raises a DurakError that lists the languages

    @property
    def language(self) -> str:
        """Return the language code of the texts."""
        return self._language

    @language.setter
    def language(self, code: str) -> None:
        spoken(code)
        self._language = code
        self._propagate_language()
        self._refresh()

    def _propagate_language(self) -> None:  # noqa: B027 - most speak for themselves alone
        """Pass a new language on to the card table, tree or matrix."""

    @abstractmethod
    def view_model(self) -> dict[str, object]:
        """Return the content of the page as plain values."""

    @abstractmethod
    def static_mimebundle(self) -> dict[str, str]:
        """Return the static version, for print and for viewers that can't run Python."""

    def _on_first_display(self) -> None:  # noqa: B027 - most need nothing then
        """Prepare the object for its first display."""

    def _refresh(self) -> None:
        if self._page is not None:
            self._page.update_view()

    def _ipython_display_(self) -> None:
        """Display the live page and the static version, which is hidden by the live page."""
        self._display_page()

    def _display_page(self) -> None:
        from IPython.display import display  # noqa: PLC0415 - there wherever this is called

        page = self._get_page()
        display(self.static_mimebundle(), raw=True)  # type: ignore[no-untyped-call]
        data, metadata = page.build_live_bundle()
        display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]

    def _get_page(self) -> ExerciseWidget:
        from durak_widget.exercises.exercise_widget import ExerciseWidget  # noqa: PLC0415 - a page needs a notebook, an exercise does not

        if self._page is None:
            self._on_first_display()
            self._page = ExerciseWidget(self)
        return self._page

    @property
    def widgets(self) -> tuple[BaseWidget, ...]:
        """Return the widgets from top to bottom, for environments other than Jupyter.

        >>> from durak_widget.lessons import Pick
        >>> [type(widget).__name__ for widget in Pick.beaters("Tc", of="9c Jc", trump="h").widgets]
        ['ExerciseWidget']
        """
        return (self._get_page(),)

    def _display_(self) -> Any:  # noqa: ANN401 - what marimo makes of it
        """Return the display for marimo notebooks."""
        return stack_widgets(self.widgets)


class TableDisplay(NotebookDisplay):
    """A page with a card table below it; both use one language."""

    kind = "play"

    table: Table

    def _attach_table(self, table: Table) -> None:
        """Show a card table below this page, and call `_on_scene_change` whenever it changes."""
        self.table = table
        table.keep = False  # attempts at an exercise are not recorded as games
        table.observe(lambda _: self._on_scene_change(), "scene")  # the scene also changes when a move is taken back or replayed
        table.observe(lambda change: self._follow_language(change["new"]), "language")

    def _follow_language(self, language: str) -> None:
        """Use the language of the card table for the page, too."""
        if language != self._language:
            self.language = language

    @property
    def widgets(self) -> tuple[BaseWidget, ...]:
        """Return the page and the card table below it."""
        return (*super().widgets, self.table)

    @abstractmethod
    def _on_scene_change(self) -> None:
        """Update the page when the card table shows a new scene."""

    def _propagate_language(self) -> None:
        self.table.language = self._language

    def _ipython_display_(self) -> None:
        super()._ipython_display_()
        self.table._ipython_display_()


class BoardWidget(Protocol):
    """The interface of a widget that shows a tree or a matrix for an exercise."""

    language: str
    question: object

    def observe(self, handler: Callable[[Any], None], names: str) -> None:
        """Call `handler` when one of the widget's traits changes."""

    def _ipython_display_(self) -> None:
        """Display the live tree or matrix with its static picture."""


class BoardDisplay(NotebookDisplay):
    """A page above a tree or a matrix, whose widget is created when it is first needed."""

    kind = "board"
    is_full_width = True

    _view: BoardWidget | None = None

    @abstractmethod
    def _create_view(self) -> Any:  # noqa: ANN401 - a Tree or a Matrix, each with its own settings
        """Build the widget of the tree or matrix."""

    @property
    def view(self) -> Any:  # noqa: ANN401 - as above
        """Return the tree or matrix below the question, on which the user answers."""
        if self._view is None:
            self._view = self._create_view()
            self._view.question = self
            self._view.observe(lambda change: self._follow_language(change["new"]), "language")
        return self._view

    @property
    def widgets(self) -> tuple[BaseWidget, ...]:
        """Return the page, and the tree or matrix below it."""
        return (*super().widgets, self.view)

    def _follow_language(self, language: str) -> None:
        """Use the language of the tree or matrix for the page, too."""
        if language != self._language:
            self.language = language

    def _propagate_language(self) -> None:
        if self._view is not None:
            self._view.language = self._language

    def _refresh(self) -> None:
        super()._refresh()
        if self._view is not None:
            self._view.question = self  # setting the question makes the widget read the answer again

    def _ipython_display_(self) -> None:
        super()._ipython_display_()
        self.view._ipython_display_()


def require_opponents(others: object) -> Mapping[int, Player]:
    """Return the opponents by seat; raise a `DurakError` if the value is not a mapping."""
    if others is not None and not isinstance(others, Mapping):
        raise DurakError(f'others says who plays the other seats, such as {{1: "careful"}}, not {short_repr(others)}')
    return others or {}


def empty_view_model(kind: str) -> dict[str, object]:
    """Return the content of an empty page for a given kind of exercise."""
    return {
        "kind": kind, "question": "", "picture": "", "items": [], "trump": None, "given": [], "marks": {}, "said": [], "state": "", "tries": 0,
    }  # fmt: skip
