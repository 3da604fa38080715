"""Test table settings: declared once, sent to the page, documented, translated and checked."""

from __future__ import annotations

from pathlib import Path

import pytest
import traitlets

from durak_widget import Table
from durak_widget.i18n import LANGUAGES, get_front_end_texts
from durak_widget.widgets.appearance_settings import SETTINGS, list_settings_for_page

OFFERS = {setting["name"]: setting.get("values", [True, False]) for setting in list_settings_for_page()}
WRONG = (None, [], {}, "🂡", -1, 10**9, 1.5, "\ud800")


def test_the_page_gets_the_settings() -> None:
    """They come in panel order with their values. A checkbox has none."""
    table = Table(seed=7)
    assert table.get_state()["settings"] == table.settings == list_settings_for_page()
    assert [setting["name"] for setting in list_settings_for_page()] == [
        "language", "theme", "skin", "back", "pace", "four_colors", "card_letters", "motion", "sound", "aids", "memory", "coach", "chances", "size", "steps", "hands", "early", "covers",
    ]  # fmt: skip
    assert table.early is False  # selecting a card does not ask the table to wait
    assert list_settings_for_page()[0] == {"name": "language", "group": "look", "values": dict(LANGUAGES)}
    assert list_settings_for_page()[4:6] == [
        {"name": "pace", "group": "play", "values": [0, 400, 900, 1800]},
        {"name": "four_colors", "group": "look"},
    ]
    with pytest.raises(traitlets.TraitError):
        table.settings = []


def test_each_setting_is_complete() -> None:
    """It has texts for itself, its group and its values in every language, and each value works."""
    groups = {str(setting["name"]): setting["group"] for setting in list_settings_for_page()}
    assert {groups["steps"], groups["hands"]} == {"teachers"}
    for name in SETTINGS:
        for code in LANGUAGES:
            words = get_front_end_texts(code)
            assert f"set.{name}" in words
            assert f"settings.{groups[name]}" in words
            if name != "language" and OFFERS[name] != [True, False]:
                assert [f"{name}.{value}" for value in OFFERS[name] if f"{name}.{value}" not in words] == []
        for value in OFFERS[name]:
            assert getattr(Table(**{name: value}), name) == value


def table_with_message_log(sent_keys: list[str]) -> Table:
    """Return a table that notes the name of each value that it sends to its page."""
    table = Table(seed=7)
    table.send_state = lambda key=None: sent_keys.append(key)
    return table


def test_a_setting_can_be_changed_from_page_and_code() -> None:
    """Test arguments and attributes. A wrong value from the page changes nothing and is refused."""
    for name in SETTINGS:
        messages: list[str] = []
        table = table_with_message_log(messages)
        for value in OFFERS[name]:
            table.set_state({name: value})
            assert table.get_state()[name] == getattr(table, name) == value
        messages.clear()
        before, scene = getattr(table, name), table.scene
        other = {"sound": not table.sound} if name != "sound" else {"motion": not table.motion}
        for wrong in WRONG:
            table.set_state({name: wrong, **other})
            assert (getattr(table, name), table.scene["ply"]) == (before, scene["ply"])
        assert messages.count(name) == len(WRONG)
        assert all(getattr(table, key) == value for key, value in other.items()), "what was right is changed"


def test_each_setting_is_documented() -> None:
    """The docs have its values and its sentence."""
    for name in SETTINGS:
        trait, values = SETTINGS[name], OFFERS[name]
        values_text = (
            f"`{trait.min}` to `{trait.max}`"
            if isinstance(trait, traitlets.Int)
            else ", ".join(f"`{value!r}`".replace("'", '"') for value in values)
        )
        page = (Path(__file__).parents[2] / "docs" / "table.md").read_text(encoding="utf-8")
        assert f"| `{name}` | {values_text} | {trait.help} |" in page.splitlines()
        assert repr(trait.default_value).replace("'", '"') in values_text or isinstance(trait, traitlets.Int)


def test_the_page_can_change_only_settings() -> None:
    """Other writable traits are whether games are kept, and the scene shown."""
    assert Table(seed=1).traits(page=True).keys() == {*SETTINGS, "saves_games"}
