"""Display of exercises in notebooks: an interactive page, and a static version for print."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from durak_widget.errors import DurakError, short_repr
from durak_widget.i18n import get_language as require_language
from durak_widget.widgets import user_defaults
from durak_widget.widgets.notebook_hosts import stack_widgets

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.exercises.exercise_widget import ExerciseWidget
    from durak_widget.table.players import Player
    from durak_widget.table.table_widget import Table
    from durak_widget.widgets.base_widget import BaseWidget


class NotebookDisplay(ABC):
    """The base class of objects that a notebook displays as an interactive page."""

    kind: ClassVar[str]
    """The type of page to show; a `Drill` has the type of its current question."""

    is_full_width: ClassVar[bool] = False
    """True if the static picture keeps its full width and scrolls sideways on narrow pages."""

    _page: ExerciseWidget | None = None

    def __init__(self, language: str | None) -> None:
        self._language = user_defaults.get_language() if language is None else language
        require_language(self._language)  # Raise an error, which lists all languages, for an unknown language code

    @property
    def language(self) -> str:
        """Return the language code of the object's texts."""
        return self._language

    @language.setter
    def language(self, code: str) -> None:
        require_language(code)
        self._language = code
        self._propagate_language()
        self._refresh()

    def _propagate_language(self) -> None:  # noqa: B027 - most objects contain no other widgets
        """Set the language of the card table, tree or matrix to the language of this object."""

    @abstractmethod
    def view_model(self) -> dict[str, object]:
        """Return the data that the front end displays, as JSON-compatible values."""

    @abstractmethod
    def static_mimebundle(self) -> dict[str, str]:
        """Return a static version of the object, for print and for viewers that can't run Python."""

    def _on_first_display(self) -> None:  # noqa: B027 - most objects need no preparation
        """Prepare the object when a notebook displays it for the first time."""

    def _refresh(self) -> None:
        """Send the current data to the front end, if the object has been displayed."""
        if self._page is not None:
            self._page.update_view()

    def _ipython_display_(self) -> None:
        """Display the object in a notebook; the front end hides the static version."""
        self._display_page()

    def _display_page(self) -> None:
        """Display the interactive page of the object, and a static version for print."""
        from IPython.display import display  # noqa: PLC0415 - IPython is installed if this method is called

        page = self._get_page()
        display(self.static_mimebundle(), raw=True)  # type: ignore[no-untyped-call]
        data, metadata = page.build_live_bundle()
        display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]

    def _get_page(self) -> ExerciseWidget:
        """Return the widget that displays the object; create it if it does not exist yet."""
        from durak_widget.exercises.exercise_widget import ExerciseWidget  # noqa: PLC0415 - only pages need the widget

        if self._page is None:
            self._on_first_display()
            self._page = ExerciseWidget(self)
        return self._page

    @property
    def widgets(self) -> tuple[BaseWidget, ...]:
        """Return the object's widgets from top to bottom, for notebooks other than Jupyter.

        >>> from durak_widget.lessons import Pick
        >>> [type(widget).__name__ for widget in Pick.beaters("Tc", of="9c Jc", trump="h").widgets]
        ['ExerciseWidget']
        """
        return (self._get_page(),)

    def _display_(self) -> Any:  # noqa: ANN401 - an object of marimo
        """Return the object's display for marimo notebooks."""
        return stack_widgets(self.widgets)


class TableDisplay(NotebookDisplay):
    """The base class of pages with a card table below them, in the same language."""

    kind = "play"

    table: Table

    def _attach_table(self, table: Table) -> None:
        """Show a card table below this page; update the page after each change of the table."""
        self.table = table
        table.keep = False  # Attempts at an exercise are not recorded as games
        table.observe(lambda _: self._on_scene_change(), "scene")  # The scene (what is displayed) also changes when a move is undone
        table.observe(lambda change: self._follow_language(change["new"]), "language")

    def _follow_language(self, language: str) -> None:
        """Change the page to the language of the card table."""
        if language != self._language:
            self.language = language

    @property
    def widgets(self) -> tuple[BaseWidget, ...]:
        """Return the page and the card table below it."""
        return (*super().widgets, self.table)

    @abstractmethod
    def _on_scene_change(self) -> None:
        """Update the text above the card table after a change of the table."""

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
        """Call `handler` when one of the named widget traits changes."""

    def _ipython_display_(self) -> None:
        """Display the interactive tree or matrix, with its static picture."""


class BoardDisplay(NotebookDisplay):
    """The base class of pages with a tree or a matrix below them."""

    kind = "board"
    is_full_width = True

    _view: BoardWidget | None = None

    @abstractmethod
    def _create_view(self) -> Any:  # noqa: ANN401 - a tree widget or a matrix widget
        """Create the widget that shows the tree or matrix."""

    @property
    def view(self) -> Any:  # noqa: ANN401 - as above
        """Return the widget of the tree or matrix, on which the student answers."""
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
        """Change the page to the language of the tree or matrix."""
        if language != self._language:
            self.language = language

    def _propagate_language(self) -> None:
        if self._view is not None:
            self._view.language = self._language

    def _refresh(self) -> None:
        super()._refresh()
        if self._view is not None:
            self._view.question = self  # Assigning the question again makes the widget display the current answer

    def _ipython_display_(self) -> None:
        super()._ipython_display_()
        self.view._ipython_display_()


def require_opponents(others: object) -> Mapping[int, Player]:
    """Return `others`, which maps seats to opponents; raise an error if it is not a mapping."""
    if others is not None and not isinstance(others, Mapping):
        raise DurakError(f'others must say who plays the other seats, such as {{1: "careful"}}, not {short_repr(others)}')
    return others or {}


def empty_view_model(kind: str) -> dict[str, object]:
    """Return the data of an exercise type that has nothing to display yet."""
    return {
        "kind": kind, "question": "", "picture": "", "items": [], "trump": None, "answer": [], "marks": {}, "feedback": [], "state": "", "attempt_count": 0,
    }  # fmt: skip
