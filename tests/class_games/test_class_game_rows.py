"""Test kept games as data: each row is true, has no hidden information, and hostile files do no harm."""

from __future__ import annotations

import ast
import csv
import io
import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from durak_widget import DurakError, Game, Rules, Table, analysis, bots, defaults, lessons
from durak_widget.class_games import game_files
from durak_widget.class_games.decision_table import COLUMNS, iterate_decisions
from durak_widget.class_games.game_dataset import games
from durak_widget.class_games.game_files import RecordedGame
from durak_widget.i18n import Translator
from support.spoken import english_text

ROOT = Path(__file__).resolve().parents[2]
PLAYED = [
    ("podkidnoy", ["careful", "random"]),
    ("transfer, players=3", ["careful", "random", "first"]),
    ("econ431", ["random", "random"]),
    ("albanian", ["random", "careful"]),
    ("players=4, teams=2v2", ["random", "careful", "first", "careful"]),
    ("siege", ["first", "random"]),
]


def play_game(rules: str, names: list[str], seed: int = 1) -> Game:
    """Return a whole game of bots."""
    return bots.play(Game(rules, seed=seed), names, seed)


def test_a_row_describes_its_decision() -> None:
    """The game is replayed to check the player, the legal moves, the choice, the counts and every other column."""
    for rules, names in PLAYED:
        game = play_game(rules, names)
        found = games([game], names=names)
        again = Game(rules, seed=1)
        assert [row["chosen"] for row in found] == [str(move) for move in game.moves]
        for row, move in zip(found, game.moves, strict=True):
            view, legal = again.view(again.actor or 0), again.legal_moves()
            assert tuple(row) == found.columns == tuple(COLUMNS)
            assert (row["ply"], row["bout"], row["seat"], row["who"]) == (again.ply + 1, again.bout, again.actor, names[again.actor or 0])
            assert row["moves"].split("; ") == list(map(str, legal))
            assert (row["possible"], row["talon"], row["hand"], row["table"]) == (
                len(legal),
                len(again.talon),
                len(view.hand),
                len(again.table),
            )
            assert row["others"].split() == [str(len(again.hands[(view.seat + n) % again.seats])) for n in range(1, again.seats)]
            assert row["role"] == {"attack": "leads", "swap": "leads", "throw": "throws in", "pass": "throws in"}.get(
                legal[0].verb, "defends"
            )
            assert row["verb"] == move.verb
            assert row["card"] == (str(move.cards[-1].face) if move.cards else "")
            assert (row["took"], row["took_though"]) == (
                (None, None) if row["role"] != "defends" else (move.verb == "take", row["took_though"])
            )
            assert not row["took_though"] or any(move.verb == "beat" for move in legal)
            assert all(isinstance(value, (str, int, bool, type(None))) for value in row.values())
            assert row["later_result"] == (row["seat"] in game.outcome.winners) - (row["seat"] in game.outcome.losers)
            again.play(move)


def test_the_cheapest_move_follows_the_order_of_cards() -> None:
    """Plain cards come before trumps, then by rank, among moves that do the same with one card."""
    for row in games([play_game("podkidnoy", ["random", "random"], seed) for seed in range(6)], budget=0):
        alike = [move.split()[-1] for move in row["moves"].split("; ") if move.split()[0] == row["verb"] and " " in move]
        if not alike or len(row["chosen"].split()) > 3 or row["verb"] == "attack":
            continue
        trumps = [card for card in alike if row["trump"] and card[1] == row["card"][1]]
        better = [card for card in alike if card not in trumps] if row["trump"] else alike
        order = "6789TJQKA"
        if row["trump"]:
            expected = not [c for c in alike if c[1] != row["card"][1]] and order.index(row["card"][0]) == min(
                order.index(c[0]) for c in alike
            )
            assert row["cheapest"] == expected
        elif all(card[1] == row["card"][1] for card in better):
            assert row["cheapest"] == (order.index(row["card"][0]) == min(order.index(c[0]) for c in alike))


@pytest.mark.parametrize(("rules", "names"), PLAYED)
@pytest.mark.sample(3)
def test_a_row_depends_only_on_what_its_player_knows(rules: str, names: list[str]) -> None:
    """It is the same in every world that the player can't distinguish, except for what comes later."""
    game, rng, count = play_game(rules, names), Random(1), 0
    rows = games([game], names=names).rows
    for ply in range(0, game.ply, 6 if game.seats == 2 else 24):
        now = game.copy()
        now.goto(ply)
        now.forget_undone()
        seat = now.actor
        worlds = analysis.worlds(now.view(seat))
        for world in [worlds.sample(rng)]:
            assert world.view(seat) == now.view(seat)
            other = world.copy()
            other.play(game.moves[ply])
            row = list(iterate_decisions(RecordedGame("game 1", "", "", other, tuple(names[entry.seat] for entry in other.history))))[ply]
            mine = rows[ply]
            assert {k: v for k, v in row.items() if not k.startswith("later_")} == {
                k: v for k, v in mine.items() if not k.startswith("later_")
            }
            count += world.hands != now.hands
    assert count


def test_values_match_backward_induction() -> None:
    """Small endings are searched completely."""
    rules = Rules(suits="cd", ranks="678", hand_size=1)
    begun = Game.from_position(rules, hands=["6c 7d", "7c 8c"], trump="d", discard="6d 8d")
    found = 0
    for seed in range(20):
        game = bots.play(begun.copy(), ["random", "random"], seed)
        for row in games([game]):
            moment = games([game]).moment(row)
            expected = {str(move): _after(moment, move, row["seat"], 9) for move in moment.legal_moves()}
            if None in expected.values() or row["value"] is None:
                continue
            found += 1
            assert row["value"] == max(expected.values())
            assert row["value_after"] == expected[row["chosen"]]
            assert row["mistake"] == (expected[row["chosen"]] < max(expected.values()))
            assert row["at_stake"] in {None, min(expected.values()) < max(expected.values())}
    assert found > 20


def _after(game: Game, move: object, seat: int, most: int) -> int | None:
    """Return the value after a move by trying everything, or None if it takes too long."""
    game = game.copy()
    game.play(move)
    if game.outcome is not None:
        return (seat in game.outcome.winners) - (seat in game.outcome.losers)
    if not most:
        return None
    values = [_after(game, move, seat, most - 1) for move in game.legal_moves()]
    best = max if game.actor == seat else min
    sure = 1 if game.actor == seat else -1
    return sure if sure in values else None if None in values else best(values)


def test_values_are_consistent_through_a_game() -> None:
    """The value after a decision is the value before the next one. Only a mistake changes it."""
    seen = 0
    for before, after in pairwise(games().rows):
        if before["file"] == after["file"] and None not in (before["value"], after["value"]):
            assert before["value_after"] == (after["value"] if before["seat"] == after["seat"] else -after["value"])
            assert before["mistake"] == (before["value_after"] < before["value"])
            seen += 1
    assert seen > 200


def test_games_kept_by_a_table_can_be_read(tmp_path: Path) -> None:
    """Players and the student's name (from the folder) are there."""
    for student, seed in (("ann", 1), ("ben", 2)):
        table = Table(seed=seed, keep=tmp_path / student)
        while table.game.outcome is None:
            if not table.step():
                table.play(table.game.legal_moves()[0])
        table.close()
    found = games(tmp_path)
    assert found.troubles == ()
    assert {(row["who"], row["student"], row["player"]) for row in found} == {
        ("you", "ann", "ann"), ("you", "ben", "ben"), ("careful", "ann", "careful"), ("careful", "ben", "careful"),
    }  # fmt: skip
    assert all(row["file"].startswith(row["student"] + "/") and row["date"] for row in found)
    assert games(next((tmp_path / "ann").iterdir())).rows[0]["who"] == found.rows[0]["who"]
    assert len(found.where(player="ann")) + len(found.where(player="ben")) + len(found.where(who="careful")) == len(found)


HOSTILE = {
    "empty.durak": b"",
    "binary.durak": bytes(range(256)),
    "cut.durak": str(play_game("podkidnoy", ["first", "first"])).encode()[:500],
    "illegal.durak": str(play_game("podkidnoy", ["first", "first"])).replace("take", "pass").encode(),
    "foreign.durak": b"\x89PNG\r\n\x1a\n" + b"Durak 1\n" * 9,
    "many.durak": b"Durak 1\n" * 400_000,
    "long.durak": b"Durak 1\nDeck: " + b"6c " * 20_000,
    "gigantic.durak": b"Durak 1\n" + b"#" * 5_000_000,
    "position.durak": b"6c 7c | 9h Ts; trump h",
    "begun.durak": str(Game(seed=1)).encode(),
    "version.durak": b"Durak 2\nResult: *",
    "seats.durak": b"Durak 1\n# Seat 9: you\nRules: players=9999\nDeck: 6c\nResult: *",
}


@pytest.mark.skipif(sys.platform != "linux", reason="pipes, and names that are no text, as on Linux")
def test_a_hostile_folder_is_reported_and_its_good_games_are_read(tmp_path: Path) -> None:
    """Each other file is skipped with a message."""
    good = play_game("podkidnoy", ["careful", "random"])
    (tmp_path / "ann").mkdir()
    good.save(tmp_path / "ann" / "good.durak")
    for name, data in HOSTILE.items():
        (tmp_path / "ann" / name).write_bytes(data)
    (tmp_path / "ann" / "notes.txt").write_text("mine", encoding="utf-8")
    (tmp_path / ".hidden").mkdir()
    good.save(tmp_path / ".hidden" / "more.durak")
    (tmp_path / "folder.durak").mkdir()
    (tmp_path / "link.durak").symlink_to("/etc/hostname")
    os.mkfifo(tmp_path / "pipe.durak")
    good.save(tmp_path / "ann" / "good copy.durak")
    (tmp_path / os.fsdecode(b"b\xffd.durak")).write_bytes(b"x")
    found = games(tmp_path)
    assert [str(row["chosen"]) for row in found] == [str(move) for move in good.moves]
    named = {trouble.file: trouble.sentence for trouble in found.troubles}
    assert named.keys() == {f"ann/{name}" for name in HOSTILE} | {"link.durak", "pipe.durak", "ann/good.durak", "b?d.durak"}
    assert all(sentence and "\n" not in sentence and len(sentence) < 300 for sentence in named.values())
    assert "once" in named["ann/good.durak"]
    assert "regular file" in named["link.durak"]
    assert "line" in named["ann/illegal.durak"]
    assert str(len(found.troubles)) in found._repr_html_()


def test_a_damaged_file_is_read_or_reported(tmp_path: Path) -> None:
    """Two hundred files with changed, repeated, cut or mixed lines never stop the rest."""
    rng, text = Random(1), str(play_game("podkidnoy", ["careful", "random"])).replace("\n", "\n# Seat 0: you\n", 1)
    for number in range(200):
        lines = text.splitlines()
        for _ in range(rng.randint(1, 3)):
            place = rng.randrange(len(lines))
            line = lines[place] or " "
            at = rng.randrange(len(line))
            changed = line[:at] + rng.choice(["", "9", ";", "6c", "\u2028", "-1", "é", "\0", line]) + line[at + rng.randrange(2) :]
            lines[place : place + rng.randrange(2) + 1] = [changed] * rng.randint(0, 2)
            lines = lines or [""]
        (tmp_path / f"{number:03}.durak").write_text("\n".join(lines), encoding="utf-8")
    found = games(tmp_path, budget=0)
    read = {row["file"] for row in found}
    assert read | {trouble.file.split(" ")[0] for trouble in found.troubles} == {f"{number:03}.durak" for number in range(200)}
    assert len(read) < 150
    assert all(trouble.sentence and trouble.sentence.isprintable() for trouble in found.troubles)
    assert found.csv()
    assert lessons.class_bot(found).implementation.decisions


def test_file_contents_are_not_trusted(tmp_path: Path) -> None:
    """Markup and formulas in names are plain text, and a player outside the game has no name."""
    game = play_game("podkidnoy", ["first", "first"])
    begin, _, rest = str(game).partition("\n")
    remarks = [
        "# Seat 0: <script>alert(1)</script>",
        "# Seat 1 from move 0: =1+1",
        "# Seat 7: nobody",
        "# Seat 1 from move 9999: late",
        "# Date: \x07",
    ]
    (tmp_path / "a.durak").write_text("\n".join([begin, *remarks, rest]), encoding="utf-8")
    found = games(tmp_path)
    assert {row["player"] for row in found} == {"<script>alert(1)</script>", "=1+1"}
    assert {row["date"] for row in found} == {""}
    assert "<script>" not in found._repr_html_()
    assert "<script>" not in found.share("took", by="player")._repr_html_()
    cells = [cell for line in csv.reader(io.StringIO(found.csv())) for cell in line]
    assert "'=1+1" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))]


def test_invalid_arguments_are_refused_with_a_message(tmp_path: Path) -> None:
    """Test unknown questions, and paths that are not folders."""
    found = games()
    for wrong, sentence in (
        (lambda: games(tmp_path / "no"), "there is no folder"),
        (lambda: games(7), "name of a file must be a text"),
        (lambda: games([7]), "not 7"),
        (lambda: games([Game(seed=1)], names=["a"]), "player on each"),
        (lambda: games(budget=-1), r"budget .*-1"),
        (lambda: games(tmp_path, names=["ann", "ben"]), "a folder already has the names"),
        (lambda: found.where(rol="leads"), "Did you mean 'role'"),
        (lambda: found.share("tok"), "Did you mean 'took'"),
        (lambda: found.moment({"file": "x", "ply": 1}), "moment needs one of these rows"),
        (lambda: found.share("took", by="player")["nobody"], "there is no 'nobody' here"),
        (lambda: found.where(player="nobody").share("took").greatest, "no decisions are left"),
    ):
        with pytest.raises(DurakError, match=sentence):
            wrong()
    assert games(tmp_path).rows == []
    nothing = found.where(player="nobody").share("took")
    assert str(nothing) == english_text("class.play.none")
    assert nothing._repr_html_() == f"<p>{english_text('class.play.none')}</p>"


def test_shares_are_counted_correctly() -> None:
    """They are counted by hand. Unknown values are left out, and 1 is not `True`."""
    found = games()
    for name in ("careful", "miserly", "random"):
        able = [row for row in found.rows if row["player"] == name and row["could_beat"] is True]
        share = found.where(could_beat=True).share("took", by="player")[name]
        assert (share.occurrences, share.total) == (sum(row["took"] for row in able), len(able))
    leads = found.where(role="leads").share("place", by="player")
    assert sum(lead.occurrences for lead in leads if lead.label.startswith("random")) == len(found.where(role="leads", player="random"))
    assert len(found.where(seat=True)) == 0
    assert len(found.where(seat=1)) == len([row for row in found if row["seat"] == 1])
    assert len(found.where(seat=[0, 1])) == len(found)


def test_skipped_files_are_always_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long file names are read, and an unreadable folder is reported."""
    (tmp_path / "A.DURAK").write_text(str(play_game(*PLAYED[0])), encoding="utf-8")
    (tmp_path / "ann").mkdir()
    scandir = os.scandir

    def shut(place: Any) -> Any:
        if Path(place).name == "ann":
            raise PermissionError(13, "Permission denied", str(place))
        return scandir(place)

    monkeypatch.setattr(os, "scandir", shut)
    found = games(tmp_path)
    assert set(found.games_by_file) == {"A.DURAK"}
    assert list(map(str, found.troubles)) == ["ann: it cannot be read: Permission denied"]


def test_exported_tables_open_in_spreadsheets(tmp_path: Path) -> None:
    """The file starts with a byte order mark. If it can't be written, a message says so."""
    path = tmp_path / "games.csv"
    assert path.write_bytes(b"") == 0
    text = games().csv(path)
    assert path.read_bytes() == b"\xef\xbb\xbf" + text.encode()
    for write in (games().csv, lessons.class_bot().save):
        with pytest.raises(DurakError, match=r"cannot write .*: No such file or directory"):
            write(tmp_path / "no" / "where")
    lessons.class_bot().save(tmp_path / "LAST.JSON")
    assert lessons.class_bot(tmp_path / "LAST.JSON").implementation == lessons.class_bot().implementation


def test_rows_can_be_loaded_by_pandas() -> None:
    """They are dicts with the same keys and plain values, and survive a trip through text."""
    found = games()
    lines = list(csv.DictReader(io.StringIO(found.csv())))
    assert len(lines) == len(found)
    for line, row in zip(lines[:200], found, strict=False):
        assert line == {name: "" if value is None else str(value) for name, value in row.items()}
    assert list(pytest.importorskip("pandas").DataFrame(found.rows).columns) == list(found.columns)


def test_the_sample_equals_the_output_of_its_command() -> None:
    """It is small, too."""
    done = subprocess.run([sys.executable, ROOT / "tools" / "sample_games.py", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert game_files.SAMPLE.stat().st_size < 50_000
    assert games().troubles == ()
    games().rows.clear()
    assert len(games()) > 2000, "whoever changes their rows does not change those of others"


def test_messages_follow_the_language_setting() -> None:
    """They use the language of the package."""
    try:
        defaults(language="ru")
        table, translator = games(), Translator("ru")
        decisions = translator.translate("class.play.decisions", count=len(table))
        players = ", ".join(sorted({row["player"] for row in table}))
        assert str(table) == translator.translate("class.play.games", count=36, decisions=decisions, players=players)
        taken = table.share("took")
        assert [translator.translate("class.play.of", count=row.occurrences, all=row.total) in str(taken) for row in taken.rows] == [True]
    finally:
        defaults(None)


def test_notebook_15_works_with_any_games(tmp_path: Path) -> None:
    """Test one game, a game of three players, and both. Every cell shows something, each exercise can be answered."""
    cells = json.loads((ROOT / "notebooks" / "15_what_did_we_play.ipynb").read_text(encoding="utf-8"))["cells"]
    code = [ast.parse("".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]
    left = Game(seed=3)
    left.play(left.legal_moves()[0])
    three = bots.play(Game("players=3", seed=1), ["first", "careful", "random"], 1)
    for name, games_there in {"left": [left], "three": [three], "both": [left, three]}.items():
        folder = tmp_path / name
        folder.mkdir()
        for number, game in enumerate(games_there):
            (folder / f"{number}.durak").write_text(str(game), encoding="utf-8")
        space: dict[str, Any] = {}
        for cell in code:
            *before, last = ast.unparse(cell).replace("folder = None", f"folder = {str(folder)!r}").split("\n")
            exec("\n".join(before), space)  # noqa: S102 - the cells of our own notebook
            output = eval(last, space)  # noqa: S307 - as above
            if hasattr(output, "solution"):
                assert output.static_mimebundle()["text/html"]
                assert output.answer(output.solution), output.question
            else:
                assert str(output)
                assert getattr(output, "_repr_html_", lambda: "<p>")().startswith("<")
