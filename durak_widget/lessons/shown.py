"""What is shown in a notebook: a page where something is live, and its words and pictures where nothing is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from durak_widget.lessons.page import Page


class Shown(ABC):
    """Something with a page, which is made when it is first displayed."""

    _page: Page | None = None

    @property
    @abstractmethod
    def language(self) -> str:
        """The language in which it speaks."""

    @abstractmethod
    def sheet(self) -> dict[str, object]:
        """What the page shows, as plain values."""

    @abstractmethod
    def static(self) -> dict[str, str]:
        """The same for print, for GitHub, and where nothing is live."""

    @abstractmethod
    def answer(self, answer: object) -> object:
        """What a person answers."""

    def _changed(self) -> None:
        if self._page is not None:
            self._page.paint()

    def _ipython_display_(self) -> None:
        """The live page, and the static form as an output of its own, which the page hides."""
        from IPython.display import display  # noqa: PLC0415 - there wherever this is called

        from durak_widget.lessons.page import Page  # noqa: PLC0415 - a page needs a notebook, an exercise does not

        if self._page is None:
            self._page = Page(self)
        display(self.static(), raw=True)  # type: ignore[no-untyped-call]
        data, metadata = self._page.live()
        display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]
