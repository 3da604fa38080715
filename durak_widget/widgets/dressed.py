"""The look of a widget that has few settings: its language, and the colours of the room."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import traitlets

from durak_widget.errors import DurakError, nearest, quoted
from durak_widget.widgets import user_defaults
from durak_widget.widgets.appearance_settings import Spoken, is_one_of

if TYPE_CHECKING:
    from collections.abc import Mapping


class Dressed(traitlets.HasTraits):
    """A widget that speaks a language, by day or by night: what `defaults` chose holds where nothing else is said."""

    wears: ClassVar[tuple[str, ...]] = ("language", "theme")
    """Its settings."""
    language = Spoken(help="The language that it speaks.").tag(sync=True, page=True)
    theme = traitlets.Enum(("auto", "light", "dark", "contrast"), "auto", help="The colours of the room.").tag(sync=True, page=True)

    def _dress(self, look: Mapping[str, object], *takes: str) -> None:
        """Look as is said; what it does not take is refused in a sentence, which names what else it `takes`."""
        known = [*takes, *self.wears]
        for name, value in {**{name: one for name, one in user_defaults.chosen().items() if name in self.wears}, **look}.items():
            if name not in self.wears:
                raise DurakError(f"{type(self).__name__} has no option {name!r}.{nearest(name, known)} It has {', '.join(known)}")
            setting = self.traits()[name]
            if not (isinstance(setting, traitlets.Enum) and is_one_of(setting, value)):
                raise DurakError(f"{name}={quoted(value)}: {name} takes {', '.join(map(repr, getattr(setting, 'values', ())))}")
            setattr(self, name, value)
