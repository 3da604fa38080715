"""Displays exercises in notebooks: a live page, and a static form for print and GitHub."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from durak_widget.errors import DurakError, quoted
from durak_widget.i18n import language as spoken
from durak_widget.widgets import user_defaults
from durak_widget.widgets.notebook_hosts import stacked

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.exercises.exercise_widget import ExercisePage
    from durak_widget.table.players import Player
    from durak_widget.table.table_widget import Table
    from durak_widget.widgets.base_widget import Door


class Displayed(ABC):
    """An object with a live page, which is made when it is first displayed."""

    kind: ClassVar[str]
    """The name by which the page chooses its form; a `Drill` has the kind of its question."""

    wide: ClassVar[bool] = False
    """True if the static picture keeps its full width and scrolls sideways on narrow pages."""

    _page: ExercisePage | None = None

    def __init__(self, language: str | None) -> None:
        self._language = user_defaults.language() if language is None else language
        spoken(self._language)  # a DurakError lists the languages

    @property
    def language(self) -> str:
        """Return the language of the texts."""
        return self._language

    @language.setter
    def language(self, code: str) -> None:
        spoken(code)
        self._language = code
        self._respoken()
        self._changed()

    def _respoken(self) -> None:  # noqa: B027 - most speak for themselves alone
        """Pass a new language on to the table or board."""

    @abstractmethod
    def sheet(self) -> dict[str, object]:
        """Return the content of the page as plain values."""

    @abstractmethod
    def static(self) -> dict[str, str]:
        """Return the static form, for print and for viewers without a live page."""

    def _first_displayed(self) -> None:  # noqa: B027 - most need nothing then
        """Prepare for the first display."""

    def _changed(self) -> None:
        if self._page is not None:
            self._page.paint()

    def _ipython_display_(self) -> None:
        """Display the live page and the static form, which the page hides."""
        self._display_page()

    def _display_page(self) -> None:
        from IPython.display import display  # noqa: PLC0415 - there wherever this is called

        page = self._made_page()
        display(self.static(), raw=True)  # type: ignore[no-untyped-call]
        data, metadata = page.live()
        display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]

    def _made_page(self) -> ExercisePage:
        from durak_widget.exercises.exercise_widget import ExercisePage  # noqa: PLC0415 - a page needs a notebook, an exercise does not

        if self._page is None:
            self._first_displayed()
            self._page = ExercisePage(self)
        return self._page

    @property
    def widgets(self) -> tuple[Door, ...]:
        """Return the widgets of the display from top to bottom, for hosts other than Jupyter.

        >>> from durak_widget.lessons import Pick
        >>> [type(widget).__name__ for widget in Pick.beaters("Tc", of="9c Jc", trump="h").widgets]
        ['ExercisePage']
        """
        return (self._made_page(),)

    def _display_(self) -> Any:  # noqa: ANN401 - what marimo makes of it
        """Return the display for marimo."""
        return stacked(self.widgets)


class AtTable(Displayed):
    """A page above a card table in the same language."""

    kind = "play"

    table: Table

    def _lay_table(self, table: Table) -> None:
        """Take a table over; `_looked` is called at each new scene."""
        self.table = table
        table.keep = False  # attempts at an exercise are not recorded as games
        table.observe(lambda _: self._looked(), "scene")  # also after a move is taken back or shown again
        table.observe(lambda change: self._follow(change["new"]), "language")

    def _follow(self, language: str) -> None:
        """Take over the language of the table."""
        if language != self._language:
            self.language = language

    @property
    def widgets(self) -> tuple[Door, ...]:
        """Return the page, and the table below it."""
        return (*super().widgets, self.table)

    @abstractmethod
    def _looked(self) -> None:
        """React to a new scene of the table."""

    def _respoken(self) -> None:
        self.table.language = self._language

    def _ipython_display_(self) -> None:
        super()._ipython_display_()
        self.table._ipython_display_()


class Blackboard(Protocol):
    """A widget that shows a tree or a matrix for an exercise."""

    language: str
    task: object

    def observe(self, handler: Callable[[Any], None], names: str) -> None:
        """Call `handler` when a setting has changed."""

    def _ipython_display_(self) -> None:
        """Display the live board with its static picture."""


class AtBoard(Displayed):
    """A page above a tree or a matrix, which is made when it is first needed."""

    kind = "board"
    wide = True

    _view: Blackboard | None = None

    @abstractmethod
    def _made_view(self) -> Any:  # noqa: ANN401 - a Tree or a Matrix, each with its own settings
        """Build the tree or matrix widget."""

    @property
    def view(self) -> Any:  # noqa: ANN401 - as above
        """Return the tree or matrix below the question, on which the user answers."""
        if self._view is None:
            self._view = self._made_view()
            self._view.task = self
            self._view.observe(lambda change: self._follow(change["new"]), "language")
        return self._view

    @property
    def widgets(self) -> tuple[Door, ...]:
        """Return the page, and the board below it."""
        return (*super().widgets, self.view)

    def _follow(self, language: str) -> None:
        """Take over the language of the board."""
        if language != self._language:
            self.language = language

    def _respoken(self) -> None:
        if self._view is not None:
            self._view.language = self._language

    def _changed(self) -> None:
        super()._changed()
        if self._view is not None:
            self._view.task = self  # the board reads the answer again

    def _ipython_display_(self) -> None:
        super()._ipython_display_()
        self.view._ipython_display_()


def others_of(others: object) -> Mapping[int, Player]:
    """Return the opponents by seat, or raise a `DurakError` if it is not a mapping."""
    if others is not None and not isinstance(others, Mapping):
        raise DurakError(f'others says who plays the other seats, such as {{1: "careful"}}, not {quoted(others)}')
    return others or {}


def blank_sheet(kind: str) -> dict[str, object]:
    """Return the content of an empty page."""
    return {
        "kind": kind, "question": "", "picture": "", "items": [], "trump": None, "given": [], "marks": {}, "said": [], "state": "", "tries": 0,
    }  # fmt: skip
