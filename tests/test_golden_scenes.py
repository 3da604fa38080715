"""Test stored scenes: the messages from Python to the front end, which the TypeScript tests read too.

python tests/test_golden_scenes.py --write      writes all files again, for review

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


def scene_file(name: str) -> str:
    """Return the text of a moment's file: its title, the scene by facts, and the viewer's legal moves."""
    with keyed_language():
        found = moment_file(name)
    facts = [f"    {format_fact(name)}: {format_fact(fact)}" for name, fact in found["scene"].items()]
    lines = [
        "{",
        f'  "about": {format_fact(found["about"])},',
        '  "scene": {',
        ",\n".join(facts),
        "  },",
        f'  "legal": {format_fact(found["legal"])}',
        "}",
    ]
    return "\n".join(lines) + "\n"


def front_end_texts() -> str:
    """Return the front end's texts by key, and each language's plural form for numbers.

    The names of bots are left out: the front end shows whatever bots Python has.
    """
    with keyed_language() as code:
        keyed = {key: text for key, text in get_front_end_texts(code).items() if not key.startswith("who.")}
    numbers = (0, 1, 2, 3, 4, 5, 10, 11, 12, 14, 20, 21, 22, 25, 36, 101, 111)
    forms = {code: {number: get_language(code).plural(number) for number in numbers} for code in sorted(list_language_codes())}
    return json.dumps({"plurals": forms, "words": {**keyed, "lang": "en"}}, ensure_ascii=False, indent=1) + "\n"


def message_answers() -> dict[str, list[str]]:
    """Return what a table answers to each kind of message, tried at several moments: scenes, messages or both."""
    found: dict[str, set[str]] = {kind: set() for kind in MESSAGE_KINDS}
    good: dict[str, object] = {
        "move": "take",
        "card": "9d",
        "to_ply": 0,
        "seat": 1,
        "player": "careful",
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
        found[kind] |= {str(message["kind"]) for message in sent} | ({"scene"} if table.scene["id"] != before["id"] else set())
        table.close()
    return {kind: sorted(kinds) for kind, kinds in sorted(found.items())}


def shared_names() -> str:
    """Return what both sides must name alike: verbs, display settings and answers to messages."""
    table = Table()
    names = {"verbs": sorted(VERBS), "settings": table.settings, "answers": message_answers()}
    table.close()
    return json.dumps(names, ensure_ascii=False, indent=1) + "\n"


def format_fact(fact: object) -> str:
    """Return a fact in one line."""
    return json.dumps(fact, ensure_ascii=False)


@pytest.fixture(autouse=True)
def _cleared():
    """Close all tables after the test, because ipywidgets keeps them until then."""
    yield
    ipywidgets.Widget.close_all()


def test_scenes_equal_their_stored_files() -> None:
    """A change of the messages to the front end must be reviewed."""
    for name in MOMENTS:
        path = SCENES / f"{name}.json"
        assert path.is_file(), f"run {COMMAND}"
        assert path.read_text(encoding="utf-8") == scene_file(name), f"if this is meant, run {COMMAND} and read what has changed"


def test_front_end_texts_equal_the_stored_file() -> None:
    """The TypeScript tests use the texts of Python."""
    assert WORDS.read_text(encoding="utf-8") == front_end_texts(), f"if this is meant, run {COMMAND} and read what has changed"


def test_shared_names_equal_the_stored_file() -> None:
    """A verb or setting missing on one side fails the other's tests."""
    assert WIRE.read_text(encoding="utf-8") == shared_names(), f"if this is meant, run {COMMAND} and read what has changed"


def test_every_page_trait_is_in_the_settings_panel() -> None:
    """Exceptions are the scene shown, and the checkbox of saved games."""
    table = Table()
    assert {setting["name"] for setting in table.settings} == set(table.traits(page=True)) - {"saves_games"}


def test_every_stored_file_has_a_scene() -> None:
    """No file is left over."""
    assert {path.stem for path in SCENES.glob("*.json")} == MOMENTS.keys()


def write() -> None:
    """Write all files again."""
    SCENES.mkdir(parents=True, exist_ok=True)
    for path in SCENES.glob("*.json"):
        path.unlink()
    for name in MOMENTS:
        (SCENES / f"{name}.json").write_text(scene_file(name), encoding="utf-8", newline="\n")
    WORDS.write_text(front_end_texts(), encoding="utf-8", newline="\n")
    WIRE.write_text(shared_names(), encoding="utf-8", newline="\n")


if __name__ == "__main__" and "--write" in sys.argv:
    write()
