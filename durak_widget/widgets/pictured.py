"""What stands for a widget where nothing is live: a picture with its words, which the live page hides."""

from __future__ import annotations

from html import escape
from typing import Any, Final

from durak_widget.widgets.base_widget import Door

LATER: Final = (
    "<style>@media screen{.durak-picture{max-height:0;overflow:hidden;animation:durak-picture 0s 2000ms forwards}}"
    "@keyframes durak-picture{to{max-height:none}}</style>"
)
"""The picture waits a moment: most often the live page is there by then, and hides it."""


class Pictured(Door):
    """A widget of which a picture is stored: for a notebook that is opened again, for GitHub, for print."""

    def _still(self) -> dict[str, str]:
        """What stands for it, as an output of a notebook; see `standing_for`."""
        raise NotImplementedError  # each widget says it: traits and abstract classes have metaclasses that do not mix

    def _repr_mimebundle_(self, **kwargs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """The live page; and what stands for it, for where nothing is live."""
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, **self._still()}, metadata

    def _ipython_display_(self) -> None:
        """What stands for it as an output of its own: a notebook that is opened again shows it; then the live page, unless it is closed."""
        from IPython.display import display  # noqa: PLC0415 - there wherever this is called

        display(self._still(), raw=True)  # type: ignore[no-untyped-call]
        if self.comm is not None:  # not closed
            data, metadata = self.live()
            display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]


def standing_for(picture: str, note: str, text: str) -> dict[str, str]:
    """A picture that the live page hides, with a note on how it comes alive; and what it says in words."""
    return {"text/html": f'<div class="durak-picture">{LATER}{picture}<p>{escape(note)}</p></div>', "text/plain": text}
