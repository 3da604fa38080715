"""The default settings of new tables, and the language, in this Python session."""

from __future__ import annotations

from typing import Any, Final

from durak_widget.errors import DurakError, nearest, quoted
from durak_widget.i18n import speak

_CHOSEN: Final[dict[str, Any]] = {}
_KEPT: Final[list[str]] = []


def chosen() -> dict[str, Any]:
    """Return the settings that the user has chosen, by name."""
    return dict(_CHOSEN)


def language() -> str:
    """Return the language of tables and exercises."""
    return str(_CHOSEN.get("language", "en"))


def kept() -> str | None:
    """Return the folder in which tables save their games; None if the user has chosen none."""
    return _KEPT[0] if _KEPT else None


def defaults(*forget: None, **look: object) -> dict[str, object]:
    """Choose the settings of all new tables, and the language of everything else; return them.

    `defaults(None)` resets them. With `keep="games"` tables save their games in that folder, with `keep=False` no longer.

    >>> from durak_widget import Table
    >>> defaults(language="lt", skin="slate")["language"]
    'lt'
    >>> Table(seed=7).skin, Table(seed=7, skin="linen").skin
    ('slate', 'linen')
    >>> defaults(None)["language"]
    'en'
    """
    from durak_widget.widgets.appearance_settings import SETTINGS, check_setting  # noqa: PLC0415 - exercises ask for the language, and need no traits
    from durak_widget.widgets.saved_games import folder_of  # noqa: PLC0415 - as below

    if any(argument is not None for argument in forget):
        raise DurakError(
            f'defaults takes settings by name, such as defaults(language="lt"), or None to forget them, not {quoted(forget[0])}'
        )
    folder = folder_of(look.pop("keep")) if (sets_folder := "keep" in look) else None
    for name, value in look.items():
        if name not in SETTINGS:
            raise DurakError(f"a table has no setting {name!r}.{nearest(name, [*SETTINGS, 'keep'])} It has {', '.join(SETTINGS)}, and keep")
        check_setting(name, value)
    if forget:
        _CHOSEN.clear()
    if forget or sets_folder:
        _KEPT[:] = [folder] if folder else []
    _CHOSEN.update(look)
    speak(language())
    return {**{name: _CHOSEN.get(name, trait.default_value) for name, trait in SETTINGS.items()}, "keep": kept()}
