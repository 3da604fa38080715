"""The settings of a table: each declared once, told to the page, in the docs, in every language, and refused when it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
import traitlets

from durak_widget import Table
from durak_widget.i18n import LANGUAGES, get_front_end_texts
from durak_widget.widgets.appearance_settings import SETTINGS, list_settings_for_page

OFFERS = {one["name"]: one.get("values", [True, False]) for one in list_settings_for_page()}
WRONG = (None, [], {}, "🂡", -1, 10**9, 1.5, "\ud800")


def test_the_page_is_told_the_settings() -> None:
    """In the order of its panel, each with what it offers; a tick offers nothing."""
    table = Table(seed=7)
    assert table.get_state()["settings"] == table.settings == list_settings_for_page()
    assert [one["name"] for one in list_settings_for_page()] == [
        "language", "theme", "skin", "back", "pace", "four_colors", "motion", "sound", "aids", "memory", "coach", "chances", "size", "steps", "hands", "early", "covers",
    ]  # fmt: skip
    assert table.early is False  # who only tries a card has not asked that it wait
    assert list_settings_for_page()[0] == {"name": "language", "values": dict(LANGUAGES)}
    assert list_settings_for_page()[4:6] == [{"name": "pace", "values": [0, 400, 900, 1800]}, {"name": "four_colors"}]
    with pytest.raises(traitlets.TraitError):
        table.settings = []


def test_a_setting_is_all_there() -> None:
    """It is offered with words for itself and for its values in every language, and what it offers may be chosen."""
    for name in SETTINGS:
        for code in LANGUAGES:
            words = get_front_end_texts(code)
            assert f"set.{name}" in words
            if name != "language" and OFFERS[name] != [True, False]:
                assert [f"{name}.{value}" for value in OFFERS[name] if f"{name}.{value}" not in words] == []
        for value in OFFERS[name]:
            assert getattr(Table(**{name: value}), name) == value


def listened_to(told: list[str]) -> Table:
    """Return a table that notes the name of each value that it sends to its page."""
    table = Table(seed=7)
    table.send_state = lambda key=None: told.append(key)
    return table


def test_a_setting_goes_to_the_page_and_back() -> None:
    """From the page, as an argument and as an attribute; a wrong value from the page changes nothing, and the page is told what there is."""
    for name in SETTINGS:
        told: list[str] = []
        table = listened_to(told)
        for value in OFFERS[name]:
            table.set_state({name: value})
            assert table.get_state()[name] == getattr(table, name) == value
        told.clear()
        before, scene = getattr(table, name), table.scene
        other = {"sound": not table.sound} if name != "sound" else {"motion": not table.motion}
        for wrong in WRONG:
            table.set_state({name: wrong, **other})
            assert (getattr(table, name), table.scene["ply"]) == (before, scene["ply"])
        assert told.count(name) == len(WRONG)
        assert all(getattr(table, one) == value for one, value in other.items()), "what was right is changed"


def test_a_setting_stands_in_the_docs() -> None:
    """With its values and its sentence."""
    for name in SETTINGS:
        trait, values = SETTINGS[name], OFFERS[name]
        said = (
            f"`{trait.min}` to `{trait.max}`"
            if isinstance(trait, traitlets.Int)
            else ", ".join(f"`{value!r}`".replace("'", '"') for value in values)
        )
        page = (Path(__file__).parents[2] / "docs" / "table.md").read_text(encoding="utf-8")
        assert f"| `{name}` | {said} | {trait.help} |" in page.splitlines()
        assert repr(trait.default_value).replace("'", '"') in said or isinstance(trait, traitlets.Int)


def test_what_is_no_setting_is_not_the_pages() -> None:
    """Of all traits the page may change the settings, whether games are kept, and which scene it has shown."""
    assert Table(seed=1).traits(page=True).keys() == {*SETTINGS, "keeps"}
