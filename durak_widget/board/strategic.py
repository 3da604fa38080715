"""The strategic form beside a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.board.needs import View


class Strategic:
    """The strategic form of a view's tree, and what of it is shown: one for each view."""

    def __init__(self, view: View) -> None:
        self.view = view

    def show(self, on: bool) -> None:  # noqa: ARG002, FBT001 - shown or not
        """Show it beside the tree, or no more."""
        raise DurakError("the strategic form beside the tree is not there yet")

    def told(self) -> dict[str, Any]:
        """The trait `matrix`; {} where it is not shown."""
        return {}


def show(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401, ARG001
    """`matrix {on}`."""
    raise DurakError("the strategic form beside the tree is not there yet")


cell = strike = unstrike = show
