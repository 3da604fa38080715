"""Stores the user's default settings for new widgets, as long as Python runs."""

from __future__ import annotations

from typing import Any, Final

from durak_widget.errors import DurakError, short_repr, suggest_nearest
from durak_widget.i18n import set_default_card_letters, set_default_language

_DEFAULTS: Final[dict[str, Any]] = {}
_SAVE_FOLDER: Final[list[str]] = []


def get_defaults() -> dict[str, Any]:
    """Return the default values that the user has chosen, by the name of the setting."""
    return dict(_DEFAULTS)


def get_language() -> str:
    """Return the default language of tables and exercises, as a language code."""
    return str(_DEFAULTS.get("language", "en"))


def get_save_folder() -> str | None:
    """Return the folder in which tables save games by default; None if there is none."""
    return _SAVE_FOLDER[0] if _SAVE_FOLDER else None


def defaults(*forget: None, **settings: object) -> dict[str, object]:
    """Set the defaults of new tables and the language of all widgets; return all defaults.

    The setting `card_letters` applies to all widgets too. `defaults(None)` resets all of them. With `keep="games"`, tables save games in this folder; with `keep=False`, they save none.

    >>> from durak_widget import Table
    >>> defaults(language="lt", skin="slate")["language"]
    'lt'
    >>> Table(seed=7).skin, Table(seed=7, skin="linen").skin
    ('slate', 'linen')
    >>> defaults(None)["language"]
    'en'
    """
    from durak_widget.widgets.appearance_settings import SETTINGS, check_setting  # noqa: PLC0415 - exercises ask for the language, and need no traits
    from durak_widget.widgets.saved_games import parse_folder_option  # noqa: PLC0415 - as below

    if any(argument is not None for argument in forget):
        raise DurakError(
            f'defaults needs settings with names, such as defaults(language="lt"), or None to forget them, not {short_repr(forget[0])}'
        )
    folder = parse_folder_option(settings.pop("keep")) if (sets_folder := "keep" in settings) else None
    for name, value in settings.items():
        if name not in SETTINGS:
            raise DurakError(
                f"a table has no setting {name!r}.{suggest_nearest(name, [*SETTINGS, 'keep'])} Its settings are {', '.join(SETTINGS)}, and keep"
            )
        check_setting(name, value)
    if forget:
        _DEFAULTS.clear()
    if forget or sets_folder:
        _SAVE_FOLDER[:] = [folder] if folder else []
    _DEFAULTS.update(settings)
    set_default_language(get_language())
    set_default_card_letters(str(_DEFAULTS.get("card_letters", "auto")))
    return {**{name: _DEFAULTS.get(name, trait.default_value) for name, trait in SETTINGS.items()}, "keep": get_save_folder()}
