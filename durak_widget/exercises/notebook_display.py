"""What is shown in a notebook: a page where something is live, and its words and pictures where nothing is."""

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
    """Something with a page, which is made when it is first displayed."""

    kind: ClassVar[str]
    """How the page deals with it; a `Drill` is of the kind of its question."""

    wide: ClassVar[bool] = False
    """Whether a picture of it is as large as it has to be, so that one scrolls where there is less room."""

    _page: ExercisePage | None = None

    def __init__(self, language: str | None) -> None:
        self._language = user_defaults.language() if language is None else language
        spoken(self._language)  # a DurakError says which there are

    @property
    def language(self) -> str:
        """The language in which it speaks; set another, and it changes on the page too."""
        return self._language

    @language.setter
    def language(self, code: str) -> None:
        spoken(code)
        self._language = code
        self._respoken()
        self._changed()

    def _respoken(self) -> None:  # noqa: B027 - most speak for themselves alone
        """Another language is spoken now: by what else?"""

    @abstractmethod
    def sheet(self) -> dict[str, object]:
        """What the page shows, as plain values."""

    @abstractmethod
    def static(self) -> dict[str, str]:
        """An exercise for print, for GitHub, and where nothing is live."""

    def _first_displayed(self) -> None:  # noqa: B027 - most need nothing then
        """Hear that the exercise is displayed for the first time."""

    def _changed(self) -> None:
        if self._page is not None:
            self._page.paint()

    def _ipython_display_(self) -> None:
        """The live page, and the static form as an output of its own, which the page hides."""
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
        """What it is made of, from above: for whatever shows widgets and is no Jupyter.

        >>> from durak_widget.lessons import Pick
        >>> [type(one).__name__ for one in Pick.beaters("Tc", of="9c Jc", trump="h").widgets]
        ['ExercisePage']
        """
        return (self._made_page(),)

    def _display_(self) -> Any:  # noqa: ANN401 - what marimo makes of it
        """As marimo shows it."""
        return stacked(self.widgets)


class AtTable(Displayed):
    """Something shown above a table, which speaks the same language."""

    kind = "play"

    table: Table

    def _lay_table(self, table: Table) -> None:
        """From now on this table is its own; what it thinks of each scene is `_looked`."""
        self.table = table
        table.keep = False  # what is tried in an exercise is no game
        table.observe(lambda _: self._looked(), "scene")  # a move, but also one taken back or looked at again
        table.observe(lambda change: self._follow(change["new"]), "language")

    def _follow(self, language: str) -> None:
        """The table was told to speak another language."""
        if language != self._language:
            self.language = language

    @property
    def widgets(self) -> tuple[Door, ...]:
        """The page, and the table below it."""
        return (*super().widgets, self.table)

    @abstractmethod
    def _looked(self) -> None:
        """The table shows another scene."""

    def _respoken(self) -> None:
        self.table.language = self._language

    def _ipython_display_(self) -> None:
        super()._ipython_display_()
        self.table._ipython_display_()


class Blackboard(Protocol):
    """A widget on which something can be asked: a tree, or a matrix."""

    language: str
    task: object

    def observe(self, handler: Callable[[Any], None], names: str) -> None:
        """Call back when a setting has changed."""

    def _ipython_display_(self) -> None:
        """The live page with its static picture."""


class AtBoard(Displayed):
    """Something shown above a tree or a matrix, on which it is done; that is made when it is first asked for."""

    kind = "board"
    wide = True

    _view: Blackboard | None = None

    @abstractmethod
    def _made_view(self) -> Any:  # noqa: ANN401 - a Tree or a Matrix, each with its own settings
        """The tree or the matrix, on which nothing is asked yet."""

    @property
    def view(self) -> Any:  # noqa: ANN401 - as above
        """The tree or the matrix below the question: what is done there is judged."""
        if self._view is None:
            self._view = self._made_view()
            self._view.task = self
            self._view.observe(lambda change: self._follow(change["new"]), "language")
        return self._view

    @property
    def widgets(self) -> tuple[Door, ...]:
        """The page, and below it what is asked about."""
        return (*super().widgets, self.view)

    def _follow(self, language: str) -> None:
        """Speak another language, as was said."""
        if language != self._language:
            self.language = language

    def _respoken(self) -> None:
        if self._view is not None:
            self._view.language = self._language

    def _changed(self) -> None:
        super()._changed()
        if self._view is not None:
            self._view.task = self  # it looks again at what is given

    def _ipython_display_(self) -> None:
        super()._ipython_display_()
        self.view._ipython_display_()


def others_of(others: object) -> Mapping[int, Player]:
    """Who plays the other seats."""
    if others is not None and not isinstance(others, Mapping):
        raise DurakError(f'others says who plays the other seats, such as {{1: "careful"}}, not {quoted(others)}')
    return others or {}


def blank_sheet(kind: str) -> dict[str, object]:
    """A sheet on which nothing stands yet."""
    return {
        "kind": kind, "question": "", "picture": "", "items": [], "trump": None, "given": [], "marks": {}, "said": [], "state": "", "tries": 0,
    }  # fmt: skip
