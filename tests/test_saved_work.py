"""Test old saved work: public functions and commands can still read it.

`tests/data/saved/README.md` says what each file is; `test_saved_homework.py` reads homework. These files are never made again: work that people have saved must stay readable.
"""

from __future__ import annotations

import json
import shutil
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from durak_widget import DurakError, Game, Match, Rules, Table, arena, bots, defaults, editor, gametheory, lessons
from durak_widget.arena.command_line import main as arena_command
from durak_widget.exercises.habit_bot import HABITS
from durak_widget.table import message_handlers
from durak_widget.web.board_links import BoardLink
from durak_widget.web.message_channel import CHANNEL
from durak_widget.web.share_links import TableLink
from durak_widget.web.table_page import TableVisit
from durak_widget.widgets.missed_endgames import MissedEndgame, MissedEndgames
from durak_widget.widgets.opponent_record import OpponentRecord, RemarkHistory
from support.spoken import english_text

SAVED = Path(__file__).parent / "data" / "saved"
NAMES = json.loads((SAVED / "names.json").read_text(encoding="utf-8"))


@pytest.fixture
def saved_copy(tmp_path):
    """Return a copy of all saved work, which a test may change."""
    return Path(shutil.copytree(SAVED, tmp_path / "saved"))


@pytest.fixture
def saved_home(saved_copy, monkeypatch):
    """Use the copy of `DURAK_WIDGET_HOME`, and return it."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(saved_copy / "home"))
    return saved_copy / "home"


# Games


def test_a_finished_game_has_the_same_end() -> None:
    """Its rules, moves and result are read."""
    game = Game.load(SAVED / "games" / "finished.durak")
    assert (str(game.rules), game.ply, game.bout, str(game.outcome)) == (
        "transfer, players=3",
        80,
        22,
        english_text("outcome.fool", who="seat 1"),
    )
    assert str(game) == (SAVED / "games" / "finished.durak").read_text(encoding="utf-8")


def test_undone_moves_can_be_redone() -> None:
    """The game was saved after three moves were undone."""
    game = Game.load(SAVED / "games" / "undone.durak")
    assert (game.ply, game.last_ply, game.outcome) == (9, 12, None)


def test_a_game_from_a_position_continues() -> None:
    """Its first move was made from that position."""
    game = Game.load(SAVED / "games" / "from-position.durak")
    assert (str(game.rules), list(map(str, game.moves)), game.actor) == ("transfer, players=3", ["attack Kd"], 0)


def test_a_position_with_history_is_read_and_written_again() -> None:
    """It has everybody's knowledge and the earlier starts of bouts."""
    text = (SAVED / "games" / "position.txt").read_text(encoding="utf-8").strip()
    game = Game.from_position_line(text)
    assert (game.position, game.bout, game.trump, game.seats) == (text, 6, "d", 4)


def test_a_match_is_read_game_by_game() -> None:
    """One file has three games. The same seed still deals the same first game."""
    found = lessons.games(SAVED / "games" / "match.durak")
    assert (len({row["file"] for row in found.rows}), found.troubles) == (3, ())
    match = Match("perevodnoy", seed=5)
    first = (SAVED / "games" / "match.durak").read_text(encoding="utf-8").split("\nDurak 1")[0]
    assert Game.parse(first).outcome.fool == 1
    for number in range(3):
        bots.play(match.game, ["careful", "hasty"], number)
        if number < 2:
            match.next_game()
    assert [side.wins for side in match.score] == [3, 0]
    assert str(match.games[0]).strip() == first.strip()


# Tournaments


def test_a_finished_tournament_has_the_same_results(capsys) -> None:
    """Function and command give places, ratings and eliminated bots with reasons."""
    ranking = arena.load(SAVED / "tournaments" / "finished.sqlite")
    assert (ranking.games_played, ranking.games_planned, ranking.seed, str(ranking.rules)) == (10, 10, "willow 27", "econ431")
    rows = [(row["name"], row["rank_low"], row["rank_high"], row["games"], row["forfeits"]) for row in ranking.rows()]
    assert rows == [("careful", 1, 3, 4, 0), ("ann", 1, 3, 4, 0), ("hasty", 1, 3, 4, 0), ("ben", None, None, 0, 4)]
    assert [row["rating"] for row in ranking.rows()[:3]] == pytest.approx([67.433, 44.451, 37.638], abs=0.001)
    assert (ranking.disqualified, ranking.forfeits[0].fact.key) == (("ben",), "arena.forfeit.move")
    assert Game.from_position_line(ranking.forfeits[0].position).bout == 13
    assert {str(game.game.outcome) for game in ranking.games if game.forfeited_by is None} == {
        english_text("outcome.fool", who="seat 0"),
        english_text("outcome.fool", who="seat 1"),
    }
    assert arena_command(["--file", str(SAVED / "tournaments" / "finished.sqlite")]) == 0
    assert "10 of 10 games" in capsys.readouterr().out


def test_an_unfinished_tournament_is_shown_and_cannot_be_continued(saved_copy, monkeypatch) -> None:
    """Its four games are read. Bots could compute its deals, so it can't go on."""
    file = saved_copy / "tournaments" / "half.sqlite"
    half = arena.load(file)
    assert (half.games_played, half.games_planned, half.names, len(half.games[3].game.moves) > 0) == (
        4,
        12,
        ("ann", "careful", "hasty"),
        True,
    )
    monkeypatch.chdir(saved_copy / "tournaments")
    with pytest.raises(DurakError, match="earlier version"):
        arena.play(["ann.py", "careful", "hasty"], "econ431", games=12, seed="willow 27", file=file)
    assert arena.load(file).games_played == 4


# Games of a class


def test_class_games_are_read() -> None:
    """One is finished and one is not; each names the player of every move."""
    games = lessons.games(SAVED / "class-games")
    assert (len({row["file"] for row in games.rows}), games.troubles) == (2, ())
    assert {row["player"] for row in games.rows} == {"ann", "ben", "careful"}
    assert sorted({row["date"][:4] for row in games.rows}) == ["2026"]


def test_a_class_bot_plays_by_its_saved_counts() -> None:
    """The saved counts are those of the games beside it."""
    bot = lessons.class_bot(SAVED / "class-bot.json")
    assert bot.implementation == lessons.class_bot(lessons.games(SAVED / "class-games")).implementation
    assert bots.play(Game("econ431", seed=1), [bot, "careful"], 1).outcome is not None


# Data about a player


def test_progress_is_remembered(saved_home) -> None:
    """Solved exercises and their tries are there."""
    progress = lessons.Progress()
    assert (progress.solved_exercises, progress.tried_exercises) == (("01/trump", "04/challenge"), ("01/trump", "04/challenge", "10/odds"))
    assert "01/trump  solved at try 2" in repr(progress)


def test_beaten_opponents_stay_beaten(saved_home) -> None:
    """The next opponent, last words and counted deals are there."""
    rivals = OpponentRecord()
    assert (rivals.beaten_opponents, rivals.next_opponent, rivals.level, rivals.count_wins_needed("uncle")) == (("nephew",), "uncle", 2, 1)
    assert rivals.has_counted("uncle", "podkidnoy 0 1 False")
    assert RemarkHistory().get_recent("nephew") == ("people.nephew.won", "people.nephew.lost")
    assert Table(seats={1: "next"}).players == ("you", "uncle")


def test_missed_endings_and_the_daily_five_are_remembered(saved_home) -> None:
    """Due days and today's results are there."""
    known = MissedEndgames()
    assert known.pending == (
        MissedEndgame("econ431: 9c Ad Ah | Qc Ac Qd Th Qh As; trump h", date(2026, 3, 3), 0),
        MissedEndgame("Qh Ks | Kh Kc; trump h", date(2026, 3, 5), 1),
    )
    assert known.find_missed_date("Qh Ks | Kh Kc; trump h") == date(2026, 3, 1)
    assert lessons.Daily(today=lambda: date(2026, 3, 2)).results == {1: True, 2: False}


# The page to play


@pytest.fixture
def page(tmp_path, monkeypatch):
    """Return a visit to the page with these files in the browser."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", "")
    CHANNEL.clear()
    CHANNEL.connect(lambda *_: None)

    def visit(files, **options):
        found = TableVisit(tmp_path)
        found.handle_message({"kind": "begin", "files": files, "place": "https://x/play/", "language": "en", **options})
        return found

    yield visit
    CHANNEL.clear()
    message_handlers.LINK_MAKERS.clear()
    defaults(None)


def stored_file(name):
    """Return what a browser had stored."""
    return json.loads((SAVED / "page" / name).read_text(encoding="utf-8"))


def test_the_table_and_its_look_are_restored_in_the_browser(page) -> None:
    """Moves, players and language come from the browser's database."""
    base = stored_file("indexeddb.json")
    table = page(base["files"]).table
    assert (base["database"], base["version"], base["stores"]) == ("durak", 1, ["files"])
    assert (table.players, table.game.ply, table.game.bout, table.language) == (("you", "nephew"), 9, 5, "lt")
    assert list(map(str, table.game.moves[-2:])) == ["beat 6h Ah", "attack 7c"]


def test_exported_data_can_be_imported(page, tmp_path) -> None:
    """Test look, opponents, last words, games, and the table of a link."""
    visit = page({})
    visit.handle_message({"kind": "import_files", "text": (SAVED / "page" / "taken-along.json").read_text(encoding="utf-8")})
    table = visit.table
    assert (table.skin, table.pace, table.four_colors, str(table.game.outcome)) == (
        "slate",
        0,
        True,
        english_text("outcome.fool", who="seat 1"),
    )
    assert (OpponentRecord().count_wins_needed("nephew"), RemarkHistory().get_recent("nephew")[0]) == (1, "people.nephew.took")
    assert str(Game.load(tmp_path / "games" / "2026-11-28-101327-f10e1c7a.durak").outcome) == english_text("outcome.fool", who="seat 1")
    visit.handle_message({"kind": "link", "link": "#rules=perevodnoy&seed=5&seats=you,aunt"})
    assert (visit.table.players, visit.table.game.ply) == (("you", "aunt"), 2)


# Links


LINKS = json.loads((SAVED / "links.json").read_text(encoding="utf-8"))


def test_links_to_a_table_work_as_before() -> None:
    """Rules, players, language and cards are the same."""
    for name, rules, seats, language, ply, hands in (
        ("game", "transfer, players=3", (), "", 80, "a game that is over"),
        ("rules", "perevodnoy, players=3", (), "", 0, None),
        ("seed", "transfer", (), "", 0, "seed 7"),
        ("seats", "podkidnoy", ("you", "aunt"), "", 0, "seed 7"),
        ("position", "podkidnoy", (), "", 0, "6c 7c | 9h Ts"),
        ("language", "podkidnoy", (), "lt", 0, "6c 8d | 7c 9h"),
    ):
        link = TableLink.from_text(LINKS["table"][name])
        assert (str(link.game.rules), link.seats, link.language, link.game.ply) == (rules, seats, language, ply)
        if name == "game":
            assert str(link.game) == (SAVED / "games" / "finished.durak").read_text(encoding="utf-8")
        elif hands == "seed 7":
            assert link.game.hands == Game(rules, seed=7).hands
        elif hands:
            assert " | ".join(map(str, link.game.hands)) == hands


def test_links_to_a_board_work_as_before() -> None:
    """The tree or matrix and its display are the same."""
    for name, size, kind, depth, solved in (
        ("game", (55, 30), "tree", 1, False),
        ("efg", (5, 3), "tree", 2, False),
        ("position", (13, 8), "tree", 2, False),
        ("rules", (29, 18), "tree", 2, False),
        ("matrix", (9, 5), "matrix", 2, False),
        ("solved", (5, 3), "tree", 2, True),
        ("look", (9, 5), "tree", 2, False),
    ):
        link = BoardLink.from_text(LINKS["board"][name])
        assert ((link.game.history_count, link.game.terminal_count), link.kind, link.depth, link.shows_solution) == (
            size,
            kind,
            depth,
            solved,
        )
        board = link.build_board()
        if name == "look":
            assert (board.direction, board.language) == ("down", "ru")
        if name == "solved":
            assert board.solution.payoffs == (2, 2)


# Sketches and files of Gambit


def read_text(place):
    """Return the text of a saved file."""
    return (SAVED / place).read_text(encoding="utf-8")


def evaluate_cell(file, name):
    """Return the value of an exported cell's last statement. Its old names are replaced, as its owner has to do."""
    space: dict[str, object] = {}
    text = (
        file.read_text(encoding="utf-8")
        .replace("import theory\n", "import board, gametheory as theory\n")
        .replace("theory.Matrix(", "board.Matrix(")
        .replace("theory.grow(", "theory.build_tree(")
        .replace("theory.Draw(", "theory.ChanceNode(")
        .replace("theory.Turn(", "theory.DecisionNode(")
        .replace("theory.End(", "theory.TerminalNode(")
        .replace("seats=", "player_count=")
    )
    *above, last = text.rstrip().split("\n\n")
    exec(compile("\n\n".join(above), str(file), "exec"), space)  # noqa: S102 - it is our own file
    return eval(compile(last.removeprefix(f"{name} = "), str(file), "eval"), space)  # noqa: S307 - as above


def test_a_sketch_of_a_tree_is_read_and_solved() -> None:
    """Gambit file and Python give one tree of value 5/9. A sketch can be made from it."""
    tree = gametheory.from_efg(read_text("sketches/tree.efg"))
    assert (tree.names, tree.title, tree.history_count) == (("Ann", "Bob"), "A coin and a guess", 11)
    assert tree == evaluate_cell(SAVED / "sketches" / "tree.py", "tree")
    assert gametheory.solve(tree).value == Fraction(5, 9)
    assert editor.Sketch(tree).tree == tree


def test_a_sketch_of_a_matrix_is_read_and_solved() -> None:
    """Gambit file and Python have two pure equilibria and a mixed one."""
    matrix = gametheory.from_nfg(read_text("sketches/matrix.nfg"))
    assert matrix.payoffs[1][0] == (Fraction(1, 2), 0)
    written, sketched = evaluate_cell(SAVED / "sketches" / "matrix.py", "matrix").remaining_matrix, editor.MatrixSketch(matrix).matrix
    assert [(sketch.rows, sketch.columns, sketch.payoffs) for sketch in (written, sketched)] == [
        (matrix.rows, matrix.columns, matrix.payoffs)
    ] * 2
    assert len(gametheory.equilibria(matrix)) == 3


def test_gambit_files_are_read_and_solved() -> None:
    """Trees written by `to_efg` have the same values."""
    for name, value in (("kuhn", Fraction(-1, 18)), ("durak", -1)):
        tree = gametheory.from_efg(read_text(f"gambit/{name}.efg"))
        assert gametheory.solve(tree).value == value


def test_other_gambit_files_are_read() -> None:
    """There are a textbook tree and two matrices."""
    assert gametheory.from_efg(read_text("gambit/entry.efg")) == gametheory.textbook("entry")
    assert gametheory.from_nfg(read_text("gambit/entry.nfg")).payoffs == gametheory.matrix(gametheory.textbook("entry")).payoffs
    assert gametheory.minimax(gametheory.from_nfg(read_text("gambit/pennies.nfg"))).value == 0


# Names


def test_names_used_by_saved_work_still_exist() -> None:
    """New ones may be added, none may go or change. `docs/file-formats.md` lists them."""
    from durak_widget.bots.bot import OPPONENT_BOTS  # noqa: PLC0415 - here is where each group of names stands today
    from durak_widget.custom_games.question_catalog import QUESTION_TYPES  # noqa: PLC0415 - as above
    from durak_widget.engine.moves import REFUSAL_CODES  # noqa: PLC0415 - as above
    from durak_widget.exercises.base_exercise import Task, find_exercise_class  # noqa: PLC0415 - as above
    from durak_widget.exercises.student_progress import LESSON_SERIES  # noqa: PLC0415 - as above
    from durak_widget.homework.assignment import get_assignment  # noqa: PLC0415 - as above
    from durak_widget.i18n.en import SENTENCES  # noqa: PLC0415 - as above
    from durak_widget.widgets.appearance_settings import list_settings_for_page  # noqa: PLC0415 - as above

    looks = {setting["name"]: list(setting.get("values", [False, True])) for setting in list_settings_for_page()}
    for name, questions in NAMES["assignments"].items():
        assert {question.name: question.points for question in get_assignment(name).questions} == questions
    assert [kind for kind in NAMES["kinds of questions"] if find_exercise_class(kind) is Task] == []
    assert {
        name: Rules.parse(", ".join(["podkidnoy", *(f"{option}={value}" for option, value in changes.items())]))
        for name, changes in NAMES["presets"].items()
    } == {name: Rules.preset(name) for name in NAMES["presets"]}
    for group, known in {
        "questions about a game of one's own": QUESTION_TYPES,
        "lessons": LESSON_SERIES,
        "habits": [f"{habit} {rule}" for habit, rules in HABITS.items() for rule in rules],
        "options": Rules.options(),
        "refusals": REFUSAL_CODES,
        "settings of a table": [f"{name} {value}" for name, values in looks.items() for value in values],
        "bots": bots.names(),
        "opponents": OPPONENT_BOTS,
        "sentences kept in files": SENTENCES,
    }.items():
        wanted = NAMES[group]
        wanted = [f"{name} {value}" for name, values in wanted.items() for value in values] if isinstance(wanted, dict) else wanted
        assert set(wanted) - set(known) == set(), group
    assert [name for name in NAMES["textbook games"] if gametheory.textbook(name).history_count < 3] == []


def test_exercises_keep_their_names() -> None:
    """Progress is remembered by them."""
    notebooks = Path(__file__).parents[1] / "notebooks"
    sources = "".join(path.read_text(encoding="utf-8") for path in notebooks.glob("*.ipynb"))
    assert [name for name in NAMES["exercises"] if f'name=\\"{name}\\"' not in sources] == []
