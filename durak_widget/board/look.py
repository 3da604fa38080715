"""How a tree on the blackboard looks: each setting declared once, with what it may be."""

from __future__ import annotations

from typing import Final

import traitlets

from durak_widget.errors import DurakError, nearest, quoted
from durak_widget.i18n import LANGUAGES
from durak_widget.widgets import user_defaults
from durak_widget.widgets.appearance_settings import SettingError, Spoken, is_one_of


class BoardLook(traitlets.HasTraits):
    """The settings of a tree, which its page may change too."""

    language = Spoken(help="The language that it speaks.").tag(sync=True, page=True)
    theme = traitlets.Enum(("auto", "light", "dark", "contrast"), "auto", help="The colours of the room.").tag(sync=True, page=True)
    direction = traitlets.Enum(("right", "down"), "right", help="Where the tree grows.").tag(sync=True, page=True)
    four_colors = traitlets.Bool(False, help="Clubs green, diamonds blue.").tag(sync=True, page=True)
    values = traitlets.Bool(False, help="What each history is worth.").tag(sync=True, page=True)
    from_middle = traitlets.Bool(True, help="Signalling games open from the middle to both sides, as books draw them.").tag(
        sync=True, page=True
    )
    beliefs = traitlets.Enum(("auto", "on", "off"), "auto", help="What is believed at each information set.").tag(sync=True, page=True)
    hands = traitlets.Enum(("own", "open"), "own", help="Which hands lie open on the table beside it.").tag(sync=True, page=True)

    settings: traitlets.List[dict[str, object]] = traitlets.List(read_only=True).tag(sync=True)
    """What the page offers of these."""

    @traitlets.default("settings")
    def _offered(self) -> list[dict[str, object]]:
        values = {name: list(trait.values or ()) for name, trait in SETTINGS.items() if isinstance(trait, traitlets.Enum)}
        offers: dict[str, object] = {**values, "language": dict(LANGUAGES)}
        return [{"name": name, "values": offers[name]} if name in offers else {"name": name} for name in SETTINGS]

    def take(self, look: dict[str, object]) -> None:
        """Take what is said, and the habits of the reader for what is not."""
        for name in look:
            if name not in SETTINGS:
                raise DurakError(
                    f"Tree has no option {name!r}.{nearest(name, ['solution', 'depth', 'layout', *SETTINGS])} It has solution, depth, layout, {', '.join(SETTINGS)}"
                )
        chosen = user_defaults.chosen()
        for name in SETTINGS:
            if look.get(name) is not None:
                setattr(self, name, look[name])
            elif name in ("language", "theme", "four_colors") and name in chosen:
                setattr(self, name, chosen[name])

    def __setattr__(self, name: str, value: object) -> None:
        """A setting takes what it says that it takes, and refuses the rest in a sentence."""
        if name in SETTINGS:
            check_setting(name, value)
        super().__setattr__(name, value)


SETTINGS: Final = {
    name: trait for name, trait in vars(BoardLook).items() if isinstance(trait, traitlets.TraitType) and trait.metadata.get("page")
}
"""Every setting by its name."""


def check_setting(name: str, value: object) -> None:
    """Refuse a value that the setting of that name does not take.

    >>> check_setting("direction", "dwn")
    Traceback (most recent call last):
    durak_widget.widgets.appearance_settings.SettingError: direction='dwn': direction takes 'right', 'down'. Did you mean 'down'?
    """
    trait = SETTINGS[name]
    if isinstance(trait, traitlets.Enum):
        values = [str(one) for one in trait.values or ()]
        fits, takes, near = is_one_of(trait, value), ", ".join(map(repr, values)), nearest(value, values)
    else:
        fits, takes, near = isinstance(value, bool), "True or False", ""
    if not fits:
        raise SettingError(f"{name}={quoted(value)}: {name} takes {takes}{near and '.'}{near}")
