"""What is found out beside the game about the moment that a viewer sees, such as who stands better: by jobs, and told with the scene."""

from __future__ import annotations

from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any, Protocol

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from durak_widget.engine.observation import View

    Finder = Callable[[View], Sequence[float]]


class Asks(Protocol):
    """Who has something done beside the table."""

    def __call__(self, name: str, work: Callable[[], Any], heard: Callable[[Any], None], *, by: object) -> object:
        """Have it done, for what is seen now."""


class Findings:
    """Who finds out what, and what they have found out about the moment that was asked for last.

    >>> def at_once(name, work, heard, *, by):
    ...     heard(work())
    >>> findings = Findings(at_once, shown=lambda: None)
    >>> findings.put("cards", lambda view: [len(view.hand)])
    True
    >>> from durak_widget import Game
    >>> findings.seek(Game(seed=7).view(0), moment=1); findings.at(1), findings.at(2)
    ({'cards': (6.0,)}, {})
    """

    def __init__(self, asks: Asks, shown: Callable[[], None]) -> None:
        """Whatever is found out is shown."""
        self._asks, self._shown = asks, shown
        self._finders: dict[str, Finder] = {}
        self._moment: Hashable = None
        self._found: dict[str, tuple[float, ...]] = {}

    @property
    def sought(self) -> bool:
        """Whether anything is to be found out at all."""
        return bool(self._finders)

    def put(self, name: str, finder: Finder | None) -> bool:
        """From now on that is found out by somebody else, or by nobody; whether that is another than before."""
        if self._finders.get(name) is finder:
            return False
        self._finders.pop(name, None)
        self._found.pop(name, None)
        if finder is not None:
            self._finders[name] = finder
        return True

    def at(self, moment: Hashable) -> Mapping[str, Sequence[float]]:
        """What has been found out about this moment, by the name under which the page is told it."""
        if moment != self._moment:
            self._moment, self._found = moment, {}
        return self._found

    def seek(self, view: View, moment: Hashable) -> None:
        """Have everything found out that is not known of this moment; of a covered hand nothing is."""
        known = self.at(moment)
        for name, finder in self._finders.items():
            if name not in known and not view.is_covered:
                self._asks(name, partial(finder, view), partial(self._hear, name), by=finder)

    def _hear(self, name: str, values: Sequence[float]) -> None:
        """What is found is told to the page as numbers that can be drawn; nothing, where there are none."""
        numbers = tuple(map(float, values))
        wrong = next((one for one in numbers if not isfinite(one)), None)
        if wrong is not None:
            raise DurakError(f"{name} is told to the page as numbers that can be drawn, not as {wrong}; give finite ones")
        if numbers:
            self._found[name] = numbers
            self._shown()
