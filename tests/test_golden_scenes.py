"""Scenes at telling moments, written down: what Python tells the front end, and what the TypeScript tests read.

    python tests/test_golden_scenes.py --write      writes them anew, to be read in review

Each file holds one scene and every legal move of its viewer; `words.json` holds what the front end says by itself, and `wire.json` what both
sides have to name alike. The language of all of them is that of `tests/support/languages/qkv.py`: a sentence is its key and its facts.
"""

from __future__ import annotations

import json
import sys
from itertools import product
from pathlib import Path

import ipywidgets
import pytest

from durak_widget import Table
from durak_widget.engine.moves import VERBS
from durak_widget.i18n import get_front_end_texts, get_language, list_language_codes
from durak_widget.table.message_handlers import MESSAGE_KINDS
from support.keyed import keyed_language
from support.moments import MOMENTS, moment_file

SCENES = Path(__file__).resolve().parent.parent / "durak_widget" / "frontend" / "test" / "scenes"
WORDS = SCENES.parent / "words.json"
WIRE = SCENES.parent / "wire.json"
COMMAND = "python tests/test_golden_scenes.py --write"


def written(name: str) -> str:
    """Return the file of a moment: what it is about, the scene, a line for each of its facts, and all legal moves of its viewer."""
    with keyed_language():
        found = moment_file(name)
    facts = [f"    {told(name)}: {told(fact)}" for name, fact in found["scene"].items()]
    lines = [
        "{",
        f'  "about": {told(found["about"])},',
        '  "scene": {',
        ",\n".join(facts),
        "  },",
        f'  "legal": {told(found["legal"])}',
        "}",
    ]
    return "\n".join(lines) + "\n"


def words() -> str:
    """Return what the front end says by itself, by key, and which plural form each language has for a number.

    The names of bots are left out: the front end shows whatever bots Python has.
    """
    with keyed_language() as code:
        keyed = {key: said for key, said in get_front_end_texts(code).items() if not key.startswith("who.")}
    numbers = (0, 1, 2, 3, 4, 5, 10, 11, 12, 14, 20, 21, 22, 25, 36, 101, 111)
    forms = {code: {number: get_language(code).plural(number) for number in numbers} for code in sorted(list_language_codes())}
    return json.dumps({"plurals": forms, "words": {**keyed, "lang": "en"}}, ensure_ascii=False, indent=1) + "\n"


def answers() -> dict[str, list[str]]:
    """Return what a table answers each kind of message with: a new scene, messages of some kinds, or both; tried at several moments."""
    found: dict[str, set[str]] = {kind: set() for kind in MESSAGE_KINDS}
    good: dict[str, object] = {
        "move": "take",
        "card": "9d",
        "to": 0,
        "seat": 1,
        "who": "careful",
        "draft": {},
        "text": "Qh Ks | Kh Kc; trump h",
    }
    bad = {**good, "draft": {"preset": "podkidnoy", "options": {"passport": True}}, "text": "?"}
    for kind, name, given in product(MESSAGE_KINDS, ("throwing_in", "over_and_turned"), (good, bad)):
        table = MOMENTS[name]()
        sent: list[dict[str, object]] = []
        table._session.send = sent.append
        before = table.scene
        message = {"kind": kind, "ply": before["ply"], "game": before["game"], **given}
        for callback in tuple(table._msg_callbacks.callbacks):
            callback(table, message, [])
        found[kind] |= {str(one["kind"]) for one in sent} | ({"scene"} if table.scene["id"] != before["id"] else set())
        table.close()
    return {kind: sorted(kinds) for kind, kinds in sorted(found.items())}


def wire() -> str:
    """Return what both sides have to name alike: the verbs of moves, the settings of the look, and what answers each kind of message."""
    table = Table()
    told = {"verbs": sorted(VERBS), "settings": table.settings, "answers": answers()}
    table.close()
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def told(fact: object) -> str:
    """A fact in one line."""
    return json.dumps(fact, ensure_ascii=False)


@pytest.fixture(autouse=True)
def _cleared():
    """Tables are kept by ipywidgets until they are closed."""
    yield
    ipywidgets.Widget.close_all()


def test_a_scene_is_as_it_was_written_down() -> None:
    """What the front end is told has not changed without anybody reading it."""
    for name in MOMENTS:
        path = SCENES / f"{name}.json"
        assert path.is_file(), f"run {COMMAND}"
        assert path.read_text(encoding="utf-8") == written(name), f"if this is meant, run {COMMAND} and read what has changed"


def test_the_words_are_as_they_were_written_down() -> None:
    """What the TypeScript tests say is what Python would have them say."""
    assert WORDS.read_text(encoding="utf-8") == words(), f"if this is meant, run {COMMAND} and read what has changed"


def test_what_both_sides_name_is_as_it_was_written_down() -> None:
    """A verb or a setting that one side does not know fails the tests of the other."""
    assert WIRE.read_text(encoding="utf-8") == wire(), f"if this is meant, run {COMMAND} and read what has changed"


def test_what_the_page_may_change_is_in_its_panel() -> None:
    """Each trait that the page may set is told as a setting, but the one by which it says what it has seen, and the tick of a table that keeps games."""
    table = Table()
    assert {setting["name"] for setting in table.settings} == set(table.traits(page=True)) - {"keeps"}


def test_every_file_is_of_a_moment() -> None:
    """No scene is left over."""
    assert {path.stem for path in SCENES.glob("*.json")} == MOMENTS.keys()


def write() -> None:
    """Write all of them anew."""
    SCENES.mkdir(parents=True, exist_ok=True)
    for path in SCENES.glob("*.json"):
        path.unlink()
    for name in MOMENTS:
        (SCENES / f"{name}.json").write_text(written(name), encoding="utf-8", newline="\n")
    WORDS.write_text(words(), encoding="utf-8", newline="\n")
    WIRE.write_text(wire(), encoding="utf-8", newline="\n")


if __name__ == "__main__" and "--write" in sys.argv:
    write()
