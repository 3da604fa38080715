"""Test the how-to guides for teachers: their examples run and print what they show; links and messages are those of the program."""

from __future__ import annotations

import ast
import csv
import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from durak_widget import Game, gametheory, lessons
from durak_widget.arena.command_line import main as arena
from durak_widget.grading.command_line import COMMANDS, main
from durak_widget.i18n import get_language
from support.spoken import english, english_text

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    *("first-hour", "lesson-plans", "course", "class-tournament", "marking", "exam", "classroom", "own-games", "problem-set"),
    *("class-report", "binder"),
)
TEXTS = {name: (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in PAGES}


def list_blocks(text):
    """Return the language and the body of each code block, also of those inside lists."""
    return [
        (kind, re.sub(f"^{indent}", "", body, flags=re.MULTILINE))
        for indent, kind, body in re.findall(r"^( *)```(\w+)\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE)
    ]


BLOCKS = {name: list_blocks(text) for name, text in TEXTS.items()}
FILES = {
    name: {body.splitlines()[0].removeprefix("# "): body for kind, body in blocks if kind == "python" and body.startswith("# ")}
    for name, blocks in BLOCKS.items()
}
"""All code blocks whose first line names a file, by page."""


SCRIPT = "import sys\nfrom durak_widget.console_scripts import run_marks\nsys.exit(run_marks())\n"
"""The script `durak-marks`, as pip writes it."""


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    """Return the command that the package installs."""
    path = tmp_path_factory.mktemp("bin") / "durak-marks"
    path.write_text(SCRIPT, encoding="utf-8")
    return str(path)


def run_command(words, folder):
    """Return what a command prints in that folder."""
    where = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    done = subprocess.run([sys.executable, *words], cwd=folder, env=where, capture_output=True, encoding="utf-8", timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.replace("\\", "/")


@pytest.fixture(scope="module")
def worked_example(tmp_path_factory, script):
    """Run the worked example in its own folder, and return printed and promised text."""
    folder = tmp_path_factory.mktemp("guide")
    printed = []
    for kind, body in BLOCKS["classroom"]:
        if kind == "python":
            name = body.splitlines()[0].removeprefix("# ")
            (folder / name).write_text(body, encoding="utf-8")
            output = run_command([name], folder) if "print(" in body else ""
        elif kind == "text":
            printed.append((output, body))
        elif body.startswith("mkdir "):
            (folder / body.split()[1]).mkdir()
        else:
            command, *words = body.split()
            output = run_command({"python": words, "durak-marks": [script, *words]}[command], folder)
    return folder, printed


@pytest.mark.slow
def test_the_worked_example_prints_what_the_page_shows(worked_example):
    """It is tried, handed out, answered by two students and marked."""
    _, printed = worked_example
    assert len(printed) == 5
    for printed_text, promised in printed:
        assert [line.rstrip() for line in printed_text.splitlines()] == promised.splitlines()


@pytest.mark.slow
def test_the_worked_example_writes_the_named_files(worked_example):
    """These are notebooks, and the mark table with the mistake."""
    folder, _ = worked_example
    rows = list(csv.DictReader((folder / "marks.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert [row["mistake"] for row in rows if (row["student"], row["question"]) == ("Ben Moss", "a-trump")] == ["number.contrary"]
    assert "Ann Lee" not in (folder / "week" / "students" / "my-week.ipynb").read_text(encoding="utf-8")


@pytest.fixture
def custom_module(tmp_path, monkeypatch):
    """Return an assignment of the page, imported."""

    def imported(name):
        (tmp_path / name).write_text(FILES["classroom"][name], encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, Path(name).stem, raising=False)
        return import_module(Path(name).stem).ASSIGNMENT

    return imported


def test_the_custom_questions_are_equally_hard_and_have_correct_solutions(custom_module):
    """Three cards of six are right, five nodes are asked about, and keys are computed in a second way."""
    assignment, seen = custom_module("my_week.py").with_edition("2027"), Counter()
    for number in range(20):
        student = f"student {number}"
        beats, chance, ending = (assignment.create_exercise(question.name, student) for question in assignment.questions)
        assert len(beats.solution) == 3
        trumps = int(re.search(r"and (\d) of the 17", chance.question)[1])
        none = Fraction(1)
        for seed in range(5):
            none *= Fraction(17 - trumps - seed, 17 - seed)
        assert Fraction(chance.solution[0]) == 1 - none
        assert (len(ending.solution), set(ending.solution)) == (5, {"1", "-1"})
        assert Fraction(ending.solution[0]) == gametheory.solve(ending.tree).value
        seen.update([tuple(beats.solution), trumps, ending.question])
    assert len(seen) > 20


def test_sheets_printed_from_a_cell_equal_those_of_the_command(tmp_path, monkeypatch):
    """The page works where nothing is installed. The results can be compared by its second command."""
    monkeypatch.chdir(tmp_path)
    exec(FILES["first-hour"]["in a cell"], {})  # noqa: S102 - the page's own cell
    from_a_cell = Path("deals.html").read_text(encoding="utf-8")
    printed, compared = (body.split() for kind, body in BLOCKS["first-hour"] if kind == "sh")
    assert main(printed[1:]) == 0
    assert Path("deals.html").read_text(encoding="utf-8") == from_a_cell
    Path("results.csv").write_text("desk,deal,durak\n1,1,A\n2,1,B\n", encoding="utf-8")
    assert main(compared[1:]) == 0
    assert "<html" in Path("compared.html").read_text(encoding="utf-8")


def test_the_bout_on_the_board_follows_the_rules():
    """Test move by move: what beats, what can be thrown in, and what follows."""
    bout = Game.from_position("econ431", hands=["9c Jd Qh Ks Ad", "Tc Jc 9h Qs Kd"], trump="h", talon="9d Td Th Ac Kc Qc")
    may = ["beat 9c Tc", "beat 9c Jc", "beat 9c 9h", "take"], ["throw Jd", "pass"], ["throw Ks", "pass"], ["beat Ks 9h", "take"]
    for moves, allowed in zip((["attack 9c"], ["beat 9c Jc"], ["throw Jd", "beat Jd Kd"], ["throw Ks"]), may, strict=True):
        for move in moves:
            bout.play(move)
        assert [str(move) for move in bout.legal_moves()] == allowed
    taken = bout.copy()
    taken.play("take")
    assert ([len(hand) for hand in taken.hands], taken.attacker) == ([5, 8], 0)
    for move in ("beat Ks 9h", "pass"):
        if move in map(str, bout.legal_moves()):
            bout.play(move)
    assert ([len(hand) for hand in bout.hands], bout.attacker) == ([5, 5], 1)


@pytest.fixture(scope="module")
def link_functions():
    """Return the two functions of the page."""
    names: dict[str, object] = {}
    for example in doctest.DocTestParser().get_examples(TEXTS["binder"]):
        if example.source.startswith(("from ", "def ")):
            exec(example.source, names)  # noqa: S102 - the page's own functions
    return names


def test_binder_links_open_existing_notebooks(link_functions):
    """Each link of the table equals the function's result, and has the README badge's address."""
    badge = re.search(r'"(https://mybinder\.org/[^"]+)"', (ROOT / "docs" / "site" / "binder.html").read_text(encoding="utf-8"))[1]
    assert link_functions["on_binder"]("durak-widget/durak_widget", "notebooks/00_welcome.ipynb") == badge
    assert badge.replace("doc%2F", "lab%2F") in TEXTS["first-hour"]
    rows = re.findall(r"\]\(\.\./(notebooks/\w+\.ipynb)\) \| \[open\]\((\S+)\) \|", TEXTS["binder"])
    assert len(rows) == 12
    for notebook, address in rows:
        assert link_functions["on_binder"]("durak-widget/durak_widget", notebook) == address
        assert (ROOT / parse_qs(urlsplit(address).query)["urlpath"][0].removeprefix("doc/tree/")).is_file()


def test_hub_links_have_the_nbgitpuller_format(link_functions):
    """The query has the repository, the notebook in its folder, and the branch."""
    for hub in ("https://hub.example.edu", "https://hub.example.edu/", "https://example.edu/jupyter/"):
        for ending in ("", ".git", "/"):
            repository = f"https://git.example.edu/games/econ{ending}"
            address = urlsplit(link_functions["on_a_hub"](hub, repository, "students/Žydrė & co.ipynb", branch="spring/2027"))
            assert address.scheme == "https"
            assert address.path == f"{urlsplit(hub).path.rstrip('/')}/hub/user-redirect/git-pull"
            assert parse_qs(address.query, strict_parsing=True) == {
                "repo": [repository],
                "urlpath": ["lab/tree/econ/students/Žydrė & co.ipynb"],
                "branch": ["spring/2027"],
            }


def test_every_command_of_the_pages_is_valid(capsys):
    """Each line names a command with existing options. All are of the script, which imports no module from a folder of homework."""
    lines = [
        line
        for blocks in BLOCKS.values()
        for kind, body in blocks
        if kind == "sh"
        for line in body.splitlines()
        if line.startswith(("python", "durak-marks"))
    ]
    assert len(lines) >= 17
    for line in lines:
        _, *words = line.split()
        command = words[0] if words[0] in COMMANDS else "mark"
        assert line.startswith("durak-marks"), line
        assert main([command, "-h"]) == 0
        assert set(re.findall(r"--[a-z]+", line)) <= set(re.findall(r"--[a-z]+", capsys.readouterr().out)), line


@pytest.mark.slow
def test_the_tournament_lesson_runs(tmp_path, monkeypatch, capsys):
    """Its lines and cells run in order in one folder with fewer games: trial, live play, continuation and results."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "ann.py").write_text("def choose(view, rng):\n    return view.legal_moves()[0]\n", encoding="utf-8")
    shutil.copy(ROOT / "notebooks" / "17_write_a_bot.ipynb", tmp_path / "bots" / "ben.ipynb")
    tried, played = (line.split()[1:] for kind, body in BLOCKS["class-tournament"] if kind == "sh" for line in body.splitlines())
    fewer = {"300": "2", "3000": "4"}
    assert arena([fewer.get(word, word) for word in tried]) == 0
    assert "2 of 2 games" in capsys.readouterr().out
    names: dict[str, object] = {}
    exec(FILES["class-tournament"]["on the day"].replace("games=3000", "games=2"), names)  # noqa: S102 - the page's own cell
    assert names["tournament"].play().games_played == 2
    assert arena([fewer.get(word, word) for word in played]) == 0
    assert "4 of 4 games" in capsys.readouterr().out
    assert "<bdi>ben</bdi>" in (tmp_path / "wall.html").read_text(encoding="utf-8")
    exec(FILES["class-tournament"]["afterwards"], names)  # noqa: S102 - as above
    assert (names["ranking"].games_played, names["ranking"].disqualified) == (4, ())


@pytest.mark.slow
def test_the_page_on_protection_lists_what_students_can_run(tmp_path, script):
    """In a student's folder one command shows all points, the others all solutions."""
    text = (ROOT / "docs" / "sandbox.md").read_text(encoding="utf-8").partition("can run these very lines")[2]
    (mark, key, solve) = re.findall(r"`((?:durak-marks|python|from|gametheory)[ .][^`]+)`", text)[:3]
    work = f"from durak_widget import gametheory, lessons; homework = lessons.homework('econ431', student='Ann Lee', edition='2027', folder={str(tmp_path)!r}); "
    moves = lessons.homework("econ431", student="Ann Lee", edition="2027", folder=tmp_path)
    moves.answer("moves", moves.assignment.create_exercise("moves", "Ann Lee").solution)
    command, *words = mark.split()
    output = run_command({"python": words, "durak-marks": [script, *words]}[command], tmp_path)
    assert re.search(r"^Ann Lee .* 2 of 52$", output, re.MULTILINE)
    assert len([*(tmp_path / words[-1]).glob("*.html")]) == 1
    assert len(run_command(["-c", f"{key}; {work}print({solve}.value)"], tmp_path).splitlines()) > 15


def test_messages_on_the_pages_equal_those_of_marking():
    """Each sentence of the tables of messages is the same word for word."""
    table = TEXTS["marking"].partition("| it says |")[2].partition("| you want to |")[0]
    quoted = re.findall(r"“([^”]+)”", table)
    assert len(quoted) >= 9
    known = [sentence for key, sentence in get_language("en").sentences.items() if key.startswith("class.file.")]
    for text in quoted:
        assert any(text in sentence for sentence in known), text
    table = TEXTS["exam"].partition("| it says |")[2]
    quoted = re.findall(r"“([^”]+)”", table)
    assert len(quoted) >= 8
    known = [
        re.sub(r"\{\w+\}", "…", sentence)
        for key, sentence in get_language("en").sentences.items()
        if key.startswith(("class.typed.", "lesson.hand."))
    ]
    for text in quoted:
        parts = [part.strip() for part in re.sub(r"Ann Lee|Ben Moss", "…", text).split("…")]
        assert any(all(part in sentence for part in parts) for sentence in known), text


def test_the_paper_exam_gives_the_results_shown(tmp_path, monkeypatch, capsys) -> None:
    """It is handed out to three students, typed in and marked. After the correction the last one has the stated points."""
    monkeypatch.chdir(tmp_path)
    text = TEXTS["exam"]
    printed, table = "", None
    for name, kind, rows in re.findall(r"(?:^`(\S+\.csv)`:\n\n)?^```(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        body = rows
        if name:
            table = tmp_path / name
            if table.exists():  # the answers are typed into the table that was handed out
                head = [line.split(",")[:3] for line in table.read_text(encoding="utf-8-sig").splitlines()]
                mended = rows.replace("W788E", "W788B")
                assert [line.split(",")[:3] for line in mended.splitlines()] == head
                assert mended.splitlines()[0] == table.read_text(encoding="utf-8-sig").splitlines()[0]
            table.write_text(rows, encoding="utf-8")
        elif kind == "sh":
            words = shlex.split(body)
            line = words[1:] if words[1] in COMMANDS else ["mark", *words[1:], "--jobs", "0"]
            assert main(line) == 0
            printed = capsys.readouterr().out
        else:
            assert printed == body
    files = re.findall(r"^\| `((?:paper|teacher)/[^`]*)` \|", text, re.MULTILINE)
    assert files
    assert all((tmp_path / "exam" / path).is_file() for path in files)
    key = (tmp_path / "exam/teacher/econ431-exam-rev2-sealed-u49ua-key.html").read_text(encoding="utf-8")
    assert all(text in key for text in ("ZZM4U-1-6", "<td>cdf</td>", "<td>13/18</td>", "<td>b e g k</td>"))
    assert table is not None
    table.write_text(table.read_text(encoding="utf-8").replace("W788E", "W788B"), encoding="utf-8")
    assert main(line) == 0
    after = capsys.readouterr().out
    assert [row.split() for row in after.splitlines() if row.startswith("Cleo Diaz  ")] == [["Cleo", "Diaz", "2", "3", "0", "5", "of", "8"]]
    assert (
        f"Cleo Diaz, question 3: {english_text('class.mark.unread', said=english_text('lesson.hand.no_letter', text='z', first='a', last='n'))}"
        in after
    )


def test_an_edition_with_a_passphrase_works_as_the_page_shows(tmp_path, monkeypatch, capsys) -> None:
    """Without the passphrase, marking is refused."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "class.csv").write_text("name\nAnn Lee\n", encoding="utf-8")
    (tmp_path / "collected").mkdir()
    section = TEXTS["problem-set"].partition("\n## Add a passphrase\n")[2].partition("\n## ")[0]
    [(_, block)] = list_blocks(section)
    first, second = (shlex.split(line) for line in block.splitlines())
    assert main(first[1:]) == 0
    [word] = tmp_path.glob("econ/teacher/*.word.txt")
    [file] = tmp_path.glob("econ/students/*.questions.json")
    assert re.fullmatch(r"econ431-2027-rev2-sealed-\w{5}\.word\.txt", word.name)
    edition = re.search(r'"edition": "([^"]+)"', file.read_text(encoding="utf-8"))
    assert edition is not None
    work = lessons.homework("econ431", student="Ann Lee", edition=edition[1], folder="collected", questions=file)
    assert english("class.kept").search(str(work.answer("players", "player 1 attack")))
    line = ["mark", *("econ/teacher/" + word.name if "word.txt" in argument else argument for argument in second[1:]), "--jobs", "0"]
    assert main(line) == 0
    assert "Ann Lee" in capsys.readouterr().out
    at = line.index("--word")
    assert main(line[:at] + line[at + 2 :]) == 1
    assert english("class.word.wanted").search(capsys.readouterr().err)


def test_the_homework_of_the_course_has_different_games():
    """Each row of its table is a game with questions that fit it, and the example is one of the rows."""
    rows = re.findall(r"^\| \d \| `([\w-]+)` \| `(\{.*?\})` \| (?:`\"(.*?)\"`)? ?\| `(\[.*?\])` \|$", TEXTS["course"], re.MULTILINE)
    assert len(rows) == 4
    for name, numbers, condition, asked in rows:
        random_numbers = eval(numbers, {"between": lessons.between})  # noqa: S307 - the page's own example
        game = lessons.own_game(gametheory.textbook(name), name=name, lots=random_numbers, so_that=condition or ())
        trial = game.trial(ast.literal_eval(asked), 8)
        assert all(question.different_answers > 1 for question in trial.questions)
    names: dict[str, object] = {}
    exec(FILES["course"]["week5.py"], names)  # noqa: S102 - the page's own file
    assert [question.name for question in names["ASSIGNMENT"].questions] == ["mixing", "value"]
