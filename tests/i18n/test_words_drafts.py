"""Test unfinished languages: English fills gaps, menus leave them out, and a command lists missing sentences."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib import invalidate_caches
from pathlib import Path

import pytest
from test_words import rule_keys

from durak_widget import DurakError, Table, defaults, i18n, lessons
from durak_widget.board.matrix_widget import MatrixWidget
from durak_widget.board.tree_widget import TreeWidget
from durak_widget.i18n import LANGUAGES, Translator, _translation
from durak_widget.i18n.__main__ import main
from durak_widget.i18n._translation_draft import render_stub
from durak_widget.rules.rules_form import collect_rule_sentences
from support.asked import coins
from support.spoken import sentence_keys

TWENTY = {
    "card": "{of} {rank}",
    "card.said": "{card}",
    "screen.hand": "Ihre Hand",
    "screen.table": "Tisch",
    "screen.take": "Nehmen",
    "screen.pass": "Passen",
    "screen.transfer": "Weitergeben",
    "screen.hint": "Rat",
    "screen.undo": "Zurück",
    "screen.redo": "Wieder vor",
    "screen.new": "Neues Spiel",
    "screen.trump": "Trumpf: {suit}",
    "screen.cards.one": "{count} Karte",
    "screen.cards.other": "{count} Karten",
    "call.take": "nehmen",
    "deed.take": "{who} nimmt.",
    "deed.take.you": "Sie nehmen.",
    "lesson.right": "Richtig.",
    "lesson.says_you": "Sie",
    "board.busy": "",
}
"""The start of a language with an unused code (`qaa`); the last sentence is missing."""

EVERYWHERE = """
import json, sys, tempfile
from durak_widget import i18n
folder = sys.argv[1]
i18n.__path__.append(folder)
i18n._translation._LANGUAGE_FOLDERS.append(folder)

from support.asked import DEFENDING, ONE_OF_EACH, coins
from support.classroom_class import marks
from durak_widget import Game, Rules, Table, board, gametheory, lessons
from durak_widget.homework.exercise_snapshot import take_snapshot
from durak_widget.class_games.frequency_chart import Share, FrequencyChart
from durak_widget.i18n import LANGUAGES, Translator, get_front_end_texts

ending = Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h")
said = {}
for code in ["en", "ru", "lt", "qaa"]:
    table = Table("podkidnoy", seed=7, language=code, pace=0, door=True, seats={0: "you", 1: "first"})
    for kind in ("hint", "draft", "describe_table", "move_list"):
        table.handle_message({"kind": kind, "ply": table.game.ply, "game": 1, "draft": {"preset": "passport", "options": {}, "seats": [], "number": 1}})
    table.step()
    table.handle_message({"kind": "move", "ply": table.game.ply, "game": 1, "move": "pass"})
    notes = [str(table.scene["note"])]
    while table.game.actor is not None:
        table.play(table.game.legal_moves()[0])
    heard = [*notes, str(table.words), str(table.scene), table._repr_mimebundle_()[0]["text/plain"]]
    heard += [Rules.preset("passport").explain(code), Game(seed=3).svg(language=code)]
    for name, example in ONE_OF_EACH.items():
        task = example.make(code)
        heard += [json.dumps(task.view_model()), task.static_mimebundle()["text/html"]]
        if example.wrong is not None:
            heard.append(str(task.answer(example.wrong)))
            heard.append(str(task.answer(task.solution)))
    goal = lessons.goals.get_out()
    position = lessons.Position(ending, goal, solution=["attack Ks", "attack 7d"], others={1: "careful"}, language=code, pace=0)
    heard += [str(position.answer("attack 7d")), str(position.view_model())]
    tree = board.Tree(coins(), language=code)
    tree.solve()
    heard += [tree._repr_mimebundle_()[0]["text/html"], str(tree), str(board.Matrix(gametheory.matrix(coins()), language=code))]
    heard.append(str(take_snapshot(ONE_OF_EACH["Pick"].make(code)).question))
    heard.append(str(FrequencyChart([Share("careful", 3, 12), Share("random", 8, 10)]).ask_greatest("Who?", language=code).answer("careful")))
    heard.append(lessons.class_report(marks(4), language=code)._repr_html_())
    said[code] = [str(one) for one in heard]
    table.close()
offers = [setting["values"] for setting in table.settings if setting["name"] == "language"]
told = {
    "said": said, "offers": offers, "languages": dict(LANGUAGES),
    "voice": [Translator("qaa", own_seat=0).translate("deed.take", who=i18n.Seat(0)), Translator("qaa").translate("deed.beat", who=i18n.Seat(1), target=i18n.Rank("7"), card=i18n.Rank("9"))],
    "screen": [get_front_end_texts("qaa")[key] for key in ("hand", "region", "cards.one", "talon.other")],
}
print(json.dumps(told))
"""


def write_language(folder: Path, sentences: dict[str, str], code: str = "qaa") -> Path:
    """Write a language file with these sentences."""
    path = folder / f"{code}.py"
    lines = "".join(f"    {key!r}: {text!r},\n" for key, text in sentences.items())
    path.write_text(render_stub(code).replace("SENTENCES: Final = {\n", f"SENTENCES: Final = {{\n{lines}"), encoding="utf-8")
    clear_caches()
    return path


def clear_caches() -> None:
    """Forget all languages that were found and read."""
    for cache in (
        _translation.list_language_codes,
        _translation.list_offered_languages,
        _translation.get_complete_sentences,
        _translation._load_language,
        i18n._build_front_end_texts,
    ):
        cache.cache_clear()
    sys.modules.pop("durak_widget.i18n.qaa", None)
    invalidate_caches()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder in which languages are found too."""
    monkeypatch.setattr(_translation, "_LANGUAGE_FOLDERS", [*_translation._LANGUAGE_FOLDERS, str(tmp_path)])
    monkeypatch.setattr(i18n, "__path__", _translation._LANGUAGE_FOLDERS)
    clear_caches()
    yield tmp_path
    clear_caches()


def test_without_a_code_the_languages_and_their_gaps_are_listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each missing key has a line, and no file is written."""
    path = write_language(folder, TWENTY)
    text = path.read_text(encoding="utf-8")
    assert main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines if not line.startswith(" ")] == ["en", "lt", "qaa", "ru"]
    assert "  missing: deed.beat" in lines
    assert "  missing: deed.take" not in lines
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.slow
def test_an_unfinished_language_changes_no_other(tmp_path: Path) -> None:
    """With twenty German words, everything works in English, Russian and Lithuanian, and partly in German."""
    write_language(tmp_path, TWENTY)
    folders = {"PYTHONPATH": str(Path(__file__).parents[1]), "DURAK_WIDGET_HOME": str(tmp_path / "home")}
    ran = subprocess.run(
        [sys.executable, "-c", EVERYWHERE, str(tmp_path)], env={**os.environ, **folders}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    result = json.loads(ran.stdout)
    assert result["languages"] == result["offers"][0] == dict(LANGUAGES)
    assert result["voice"] == ["Sie nehmen.", "Player 2 beats 7 with 9."]
    assert result["screen"] == ["Ihre Hand", "Durak table", "{count} Karte", "Talon, {count} cards"]
    texts = result["said"]
    assert len({len(heard) for heard in texts.values()}) == 1
    assert [code for code, heard in texts.items() if not all(heard)] == []
    assert [text for text in texts["en"] if "Richtig" in text or "Ihre Hand" in text] == []
    assert [text for text in texts["qaa"] if text.startswith("Richtig.")]


def test_an_unfinished_language_works_by_its_code_and_is_not_offered(folder: Path) -> None:
    """Tables, trees, matrices, exercises and settings accept it. Menus and messages list only finished ones."""
    write_language(folder, TWENTY)
    assert "qaa" not in LANGUAGES
    assert _translation.list_offered_languages() == tuple(sorted(LANGUAGES))
    assert (Table(language="qaa").words["hand"], TreeWidget(coins(), language="qaa").words["region"]) == ("Ihre Hand", "Durak table")
    assert MatrixWidget([[1, 0], [0, 1]], language="qaa").words["take"] == "Nehmen"
    try:
        assert defaults(language="qaa")["language"] == "qaa"
        assert lessons.Pick("Which?", "7c 8c", "7c").answer("7c").sentences[0] == "Richtig."
    finally:
        defaults(None)
    with pytest.raises(DurakError, match=r"language .*'en', 'lt', 'ru', not 'dr'$"):
        Table(language="dr")
    with pytest.raises(DurakError, match=r"there are words in en, lt, ru\."):
        Translator("dr")


@pytest.mark.parametrize("text", ["LANGUAGE = (", "raise SystemError", "LANGUAGE = 7", "from durak_widget.i18n import nothing"])
def test_an_unreadable_language_file_changes_no_other(folder: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Its author sees where it is wrong, nobody else does."""
    (folder / "qaa.py").write_text(text, encoding="utf-8")
    assert _translation.list_offered_languages() == tuple(sorted(LANGUAGES))
    assert main(["qaa"]) == 1
    assert capsys.readouterr().err.startswith(f"{folder / 'qaa.py'} cannot be read: ")
    assert (folder / "qaa.py").read_text(encoding="utf-8") == text


def test_the_command_writes_missing_sentences(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """First the whole file, then what is still missing, most frequent first, with English beside it. Existing text stays."""
    path = folder / "qaa.py"
    assert main(["qaa"]) == 1
    out = capsys.readouterr().out
    many = re.match(r"qaa: ([\d,]+) of ([\d,]+) sentences and (\d+) of (\d+) of the rules still to write\n", out)
    assert many[1] == many[2]
    assert many[3] == many[4]
    empty = path.read_text(encoding="utf-8")
    asked = re.findall(r'^    "([^"]+)": "",  # .+$', empty, re.MULTILINE)
    assert len(asked) == int(many[1].replace(",", "")) + int(many[3])
    assert {*asked, *(key.removesuffix(".one").removesuffix(".other") for key in asked)} >= {*sentence_keys("en"), *rule_keys()}
    first = list(dict.fromkeys(key.partition(".")[0] for key in asked))
    assert first[:7] == ["sentence", "none", "card", "screen", "call", "did", "advice"]
    assert first[-3:] == ["live", "option", "preset"]
    assert main(["qaa"]) == 1
    assert path.read_text(encoding="utf-8") == empty
    begun = empty.replace('"screen.hand": "",  # Your hand', '"screen.hand": "Ihre Hand",  # mine').replace(
        '"none": "",', '"none": "keine",'
    )
    path.write_text(begun, encoding="utf-8")
    assert main(["qaa"]) == 1
    left = len(asked) - int(many[3]) - 2
    assert f"qaa: {left:,} of {many[2]} sentences" in capsys.readouterr().out
    again = path.read_text(encoding="utf-8")
    assert '"screen.hand": "Ihre Hand",  # mine' in again
    assert '"none": "keine",  # no cards' in again
    assert sorted(again.splitlines()) == sorted(begun.splitlines())


def test_a_complete_language_is_offered(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One missing sentence is allowed, and the command names it."""
    path = folder / "qaa.py"
    forms = ('plurals=("one", "other")', 'plurals=("one", "few", "other")')
    main(["qaa"])
    path.write_text(path.read_text(encoding="utf-8").replace(*forms), encoding="utf-8")
    main(["qaa"])
    capsys.readouterr()
    full = re.sub(r'": "",  # (.+)$', r'": "\1",', path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    path.write_text(full, encoding="utf-8")
    assert '"screen.cards.few": "{count} cards",' in full
    assert main(["qaa"]) == 0
    assert re.fullmatch(r"qaa: 0 of [\d,]+ sentences and 0 of \d+ of the rules still to write\n", capsys.readouterr().out)
    clear_caches()
    assert "qaa" in _translation.list_offered_languages()
    path.write_text(full.replace('    "screen.cards.few": "{count} cards",\n', ""), encoding="utf-8")
    clear_caches()
    assert "qaa" in _translation.list_offered_languages()
    assert main(["qaa"]) == 1
    assert "1 of " in capsys.readouterr().out


def test_odd_language_entries_are_reported(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Test unknown keys, other facts, and a file without the dictionary."""
    write_language(folder, {"crad": "…", "screen.trump": "Trumpf: {farbe}"})
    assert main(["qaa"]) == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith("crad, screen.trump: ")
    (folder / "qaa.py").write_text(
        "from durak_widget.i18n.en import LANGUAGE as EN\nLANGUAGE = EN._replace(sentences={})\n", encoding="utf-8"
    )
    assert main(["qaa"]) == 1
    assert "there is no dictionary SENTENCES = {…} in the file" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["qaa", "ru"], ["../x"], ["DE"], ["en"], ["--help"]])
def test_invalid_language_codes_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """English is the reference, so it is refused too. Nothing is written."""
    assert main(arguments) == 2
    assert "such as de" in capsys.readouterr().err


def test_the_command_asks_for_the_same_rule_texts_as_the_tests() -> None:
    """Facts are the same."""
    assert {
        key: {fact for fact in re.findall(r"{(\w*)}", sentence) if fact != "s"} for key, sentence in collect_rule_sentences().items()
    } == rule_keys()
