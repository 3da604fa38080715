"""Defines the appearance settings of a card table, and the values that a user can choose."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeVar

import traitlets

from durak_widget.errors import DurakError, short_repr, suggest_nearest
from durak_widget.i18n import CARD_LETTER_CHOICES, LANGUAGES, list_language_codes

_MAX_PACE_MS: Final = 60_000
_Trait = TypeVar("_Trait", bound="traitlets.TraitType[Any, Any]")


SettingGroup = Literal["play", "look", "help", "teachers"]
"""The groups in which the settings panel shows the settings."""


def _make_setting(trait: _Trait, group: SettingGroup, offers: object = None) -> _Trait:
    """Mark a trait as a setting that the front end may change.

    `offers` are the values that the front end offers; None stands for a setting that is on or off.
    """
    return trait.tag(sync=True, page=True, group=group, offers=offers)


def _make_choice_setting(group: SettingGroup, *values: str, help: str) -> traitlets.Enum[Any]:  # noqa: A002 - as traitlets calls it
    return _make_setting(traitlets.Enum(values, values[0], help=help), group, list(values))


class LanguageTrait(traitlets.Enum[str]):
    """A trait whose value is the language code of a widget.

    Menus offer complete translations. The trait also accepts the code of an unfinished translation, in which missing sentences are in English.
    """

    def __init__(self, **more: Any) -> None:  # noqa: ANN401 - as an Enum takes it
        super().__init__(tuple(LANGUAGES), "en", **more)

    def validate(self, obj: Any, value: Any) -> str:  # noqa: ANN401 - as an Enum has it
        """Return the language code unchanged; raise an error if there is no such language."""
        return str(value) if value in list_language_codes() else super().validate(obj, value)


class SettingError(DurakError, traitlets.TraitError, ValueError):
    """The error for a value that a setting does not accept."""


class AppearanceSettings(traitlets.HasTraits):
    """The settings of a card table. Each group of the panel lists them in this order.

    >>> list_settings_for_page()[1], list_settings_for_page()[-1]
    ({'name': 'theme', 'group': 'look', 'values': ['auto', 'light', 'dark', 'contrast']}, {'name': 'covers', 'group': 'play'})
    """

    language = _make_setting(LanguageTrait(help="The language of the table."), "look", dict(LANGUAGES))
    theme = _make_choice_setting("look", "auto", "light", "dark", "contrast", help="The colours of the table: `auto` follows the page.")
    skin = _make_choice_setting("look", "felt", "slate", "linen", help="The cloth of the table.")
    back = _make_choice_setting("look", "lattice", "rings", "reeds", help="The backs of the cards.")
    pace = _make_setting(
        traitlets.Int(900, min=0, max=_MAX_PACE_MS, help="How long a bot seems to think, in milliseconds."), "play", [0, 400, 900, 1800]
    )
    four_colors = _make_setting(traitlets.Bool(False, help="Clubs are green, diamonds are blue."), "look")
    card_letters = _make_choice_setting(
        "look", *CARD_LETTER_CHOICES, help="The letters on cards: `auto` is as usual in the language, `international` is J Q K A."
    )
    motion = _make_setting(traitlets.Bool(True, help="Cards fly from their old position to the new one."), "look")
    sound = _make_setting(traitlets.Bool(False, help="A soft tap sounds for each card."), "look")
    aids = _make_setting(traitlets.Bool(True, help="Hovering over a card shows what it beats."), "help")
    memory = _make_setting(traitlets.Bool(False, help="The player can look at a list of the cards seen."), "help")
    coach = _make_setting(
        traitlets.Bool(False, help="A short comment after an expensive move, with a way to take it back; never in a game that counts."),
        "help",
    )
    chances = _make_setting(traitlets.Bool(False, help="A bar with the expected result; never in a game that counts."), "help")
    size = _make_choice_setting(
        "look", "normal", "large", help="The size of cards and words: `large` can be read from the back of a classroom."
    )
    steps = _make_setting(traitlets.Bool(False, help="Bots wait for *Next step* before each of their moves."), "teachers")
    hands = _make_choice_setting(
        "teachers", "own", "open", "hidden", help="Which hands are visible: your own, all (in front of a class), or none (to watch)."
    )
    early = _make_setting(
        traitlets.Bool(False, help="A card that you choose while others act waits, and is played as soon as it can be."), "play"
    )
    covers = _make_setting(traitlets.Bool(True, help="When two people share one screen, the hand is covered between their turns."), "play")
    door = traitlets.Any(False, read_only=True, help="Whether the rules are open at the start; or the presets to offer first.").tag(
        sync=True
    )

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute; raise a `SettingError` if it is a setting and the value is invalid."""
        if name in SETTINGS:
            check_setting(name, value)
        super().__setattr__(name, value)


SETTINGS: Final = {
    name: trait for name, trait in vars(AppearanceSettings).items() if isinstance(trait, traitlets.TraitType) and trait.metadata.get("page")
}
"""All settings that the front end may change, by name."""


def list_settings_for_page() -> list[dict[str, object]]:
    """Return the name, the group and the offered values of each setting.

    A setting that is on or off has no values.
    """
    entries = [({"name": name, "group": trait.metadata["group"]}, trait.metadata["offers"]) for name, trait in SETTINGS.items()]
    return [{**entry, "values": values} if values else entry for entry, values in entries]


def check_setting(name: str, value: object) -> None:
    """Raise a `SettingError` if a setting does not accept a value.

    >>> check_setting("pace", 100_000)
    Traceback (most recent call last):
    durak_widget.widgets.appearance_settings.SettingError: pace must be a whole number from 0 to 60000, not 100000
    >>> check_setting("language", "lit")
    Traceback (most recent call last):
    durak_widget.widgets.appearance_settings.SettingError: language must be one of 'en', 'lt', 'ru', not 'lit'. Did you mean 'lt'?
    """
    trait = SETTINGS[name]
    suggestion = ""
    if isinstance(trait, traitlets.Enum):
        values = [str(choice) for choice in trait.values or ()]
        is_valid, expected, suggestion = (
            is_valid_choice(trait, value),
            f"one of {', '.join(map(repr, values))}",
            suggest_nearest(value, values),
        )
    elif isinstance(trait, traitlets.Int):
        is_valid, expected = type(value) is int and 0 <= value <= _MAX_PACE_MS, f"a whole number from 0 to {_MAX_PACE_MS}"
    else:
        is_valid, expected = isinstance(value, bool), "True or False"
    if not is_valid:
        raise SettingError(f"{name} must be {expected}, not {short_repr(value)}{suggestion and '.'}{suggestion}")


def is_valid_choice(trait: traitlets.Enum[Any], value: object) -> bool:
    """Return whether a setting with a fixed list of choices accepts a value.

    >>> is_valid_choice(SETTINGS["theme"], "dark"), is_valid_choice(SETTINGS["theme"], "dusk"), is_valid_choice(SETTINGS["language"], ["en"])
    (True, False, False)
    """
    return isinstance(value, str) and (
        value in (trait.values or ()) or (isinstance(trait, LanguageTrait) and value in list_language_codes())
    )
