"""CFR+ before one's eyes: a strategy on the tree that changes as it learns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.board.needs import View


class Learning:
    """What learns on a view: made by `view.learn()`."""

    def __init__(self, view: View) -> None:
        self.view = view
        raise DurakError("learning on the tree is not there yet")

    def told(self) -> dict[str, Any]:
        """The trait `learning`."""
        return {}

    def close(self) -> None:
        """Stop learning, and let go of everything."""


def learn(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401, ARG001
    """`learn {what}`."""
    raise DurakError("learning on the tree is not there yet")
