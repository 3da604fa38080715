"""How every table looks that is made from now on, where nothing else is said: the habits of whoever sits at this kernel."""

from __future__ import annotations

from typing import Any, Final

from durak_widget.errors import DurakError, nearest, quoted
from durak_widget.i18n import speak

_CHOSEN: Final[dict[str, Any]] = {}
_KEPT: Final[list[str]] = []


def chosen() -> dict[str, Any]:
    """What has been chosen, by the names of the settings."""
    return dict(_CHOSEN)


def language() -> str:
    """The language in which tables and exercises speak."""
    return str(_CHOSEN.get("language", "en"))


def kept() -> str | None:
    """The folder in which tables keep their games; None, where nobody has asked for that."""
    return _KEPT[0] if _KEPT else None


def defaults(*forget: None, **look: object) -> dict[str, object]:
    """Choose how every table looks that is made from now on, and in which language all else speaks; what holds now is given. `defaults(None)` forgets it.

    With `keep="games"` tables keep their games in that folder, with `keep=False` no longer.

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

    if any(one is not None for one in forget):
        raise DurakError(
            f'defaults takes settings by name, such as defaults(language="lt"), or None to forget them, not {quoted(forget[0])}'
        )
    folder = folder_of(look.pop("keep")) if (asked := "keep" in look) else None
    for name, value in look.items():
        if name not in SETTINGS:
            raise DurakError(f"a table has no setting {name!r}.{nearest(name, [*SETTINGS, 'keep'])} It has {', '.join(SETTINGS)}, and keep")
        check_setting(name, value)
    if forget:
        _CHOSEN.clear()
    if forget or asked:
        _KEPT[:] = [folder] if folder else []
    _CHOSEN.update(look)
    speak(language())
    return {**{name: _CHOSEN.get(name, trait.default_value) for name, trait in SETTINGS.items()}, "keep": kept()}
