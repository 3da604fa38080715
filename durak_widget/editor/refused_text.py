"""Remembers that an editor refused a typed text, because the page still shows this text."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Iterator


class RefusedText:
    """The error of the last typed text, if it was refused and the page can still show it.

    >>> refused = RefusedText()
    >>> try:
    ...     with refused.watch({"kind": "set_cell", "row": 0, "column": 0, "text": "x"}):
    ...         raise DurakError("“x” isn't a number.")
    ... except DurakError:
    ...     print(refused.error)
    “x” isn't a number.
    >>> with refused.watch({"kind": "set_cell", "row": 0, "column": 0, "text": "1, 0"}):
    ...     pass
    >>> print(refused.error)
    None
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forget the refused text.

        For example, the page now shows the draft after another edit.
        """
        self.error: DurakError | None = None
        self._field: dict[str, object] = {}

    @contextmanager
    def watch(self, message: object) -> Iterator[None]:
        """Remember the error if a message of the page has a text that is refused.

        Forget an earlier error if the message has an accepted text for the same field, or selects another node.
        """
        fields: dict[str, Any] = message if isinstance(message, dict) else {}
        field = _describe_field(fields) if "text" in fields else {}
        try:
            yield
        except DurakError as error:
            if field:
                self.error, self._field = error, field
            raise
        is_other_node = fields.get("kind") == "select_node" and self._field.get("id", fields.get("id")) != fields.get("id")
        if field == self._field or is_other_node:
            self.forget()


def _describe_field(message: dict[str, Any]) -> dict[str, object]:
    """Return a message without its text.

    A pasted table belongs to the cell in which it begins.
    """
    field = {name: value for name, value in message.items() if name != "text"}
    return {**field, "kind": "set_cell"} if field.get("kind") == "paste_table" else field
