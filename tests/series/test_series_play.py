"""Test lesson 15 on its games: each number in two ways, and that it works with anybody's games."""

from __future__ import annotations

import ast
import contextlib
import io
import re
from fractions import Fraction
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
import pytest

from durak_widget import Game, Table, bots
from durak_widget.analysis import endgame
from durak_widget.bots.heuristic_bots import CarefulBot
from durak_widget.class_games.game_files import SAMPLE
from support.spoken import english

if TYPE_CHECKING:
    from collections.abc import Iterator

again = pytest.mark.slow
"""A mark for tests that compute the notebook's numbers again."""
STEM = "15_what_did_we_play"
BOOK = nbformat.read(Path(__file__).resolve().parents[2] / "notebooks" / f"{STEM}.ipynb", as_version=4)
PROSE = "\n".join(cell.source for cell in BOOK.cells if cell.cell_type == "markdown")


def run_notebook(folder: str = "None") -> dict[str, Any]:
    """Return the notebook's names and exercises, with this folder instead of none."""
    found: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in BOOK.cells:
            if cell.cell_type != "code":
                continue
            *body, last = ast.parse(cell.source.replace("folder = None", f"folder = {folder}")).body
            exec(compile(ast.Module(body, []), STEM, "exec"), found)  # noqa: S102 - our own notebooks
            output = eval(compile(ast.Expression(last.value), STEM, "eval"), found)  # type: ignore[attr-defined] # noqa: S307 - as above
            found[getattr(output, "name", "") or ast.unparse(last)] = output
    return found


@cache
def notebook_names() -> dict[str, Any]:
    """Return the names of the stored notebook, run once."""
    return run_notebook()


def output_of(ending: str) -> str:
    """Return the stored output of the cell whose code ends so."""
    [cell] = [
        cell
        for cell in BOOK.cells
        if cell.cell_type == "code" and (cell.source == ending or (len(ending) > 9 and cell.source.endswith(ending)))
    ]
    return "".join(output["data"]["text/plain"] for output in cell.outputs)


def decisions() -> Iterator[tuple[str, Game, str]]:
    """Yield each decision of the sample from the notation alone: player, game before, move."""
    for text in re.split(r"(?m)^(?=Durak 1$)", SAMPLE.read_text(encoding="utf-8"))[1:]:
        who = dict(re.findall(r"^# Seat (\d): (.+)$", text, re.MULTILINE))
        game = Game.parse(text)
        moves = game.moves
        game.goto(0)
        for move in moves:
            yield who[str(game.actor)], game, str(move)
            game.play(move)


def can_beat_all(game: Game) -> bool:
    """Return whether the defender's hand can beat all cards; every way is tried."""
    view = game.view(game.actor or 0)
    lying = [attack for attack, beat in game.table if beat is None]
    return any(
        all(card in view.beaters(attack) for attack, card in zip(lying, way, strict=True)) for way in permutations(view.hand, len(lying))
    )


@cache
def counts_by_player() -> dict[str, dict[str, list[int]]]:
    """Return counts by question and player, from the games themselves."""
    found: dict[str, dict[str, list[int]]] = {"took": {}, "needless": {}, "trumps": {}}

    def count(question: str, who: str, *, yes: bool) -> None:
        counts = found[question].setdefault(who, [0, 0])
        counts[0] += yes
        counts[1] += 1

    for who, game, move in decisions():
        verbs = {move.verb for move in game.legal_moves()}
        if "take" in verbs:
            able = can_beat_all(game)
            if able:
                count("took", who, yes=move == "take")
            if move == "take":
                count("needless", who, yes=able)
        if "attack" in verbs and game.talon:
            count("trumps", who, yes=move[-1] == game.trump)
    return found


@again
def test_shares_equal_those_of_the_games() -> None:
    """Picking up, unneeded picking up and leading trumps are counted again with all ways of beating."""
    for question, code in (("took", "takes"), ("needless", '"could_beat", by="player")'), ("trumps", "trumps")):
        for who, (many, of) in counts_by_player()[question].items():
            assert re.search(rf"^{who} +{many} of {of} ", output_of(code) + "\n", re.MULTILINE), (question, who)


def solutions() -> dict[str, str]:
    """Return the answers in the last cell, by number."""
    return dict(re.findall(r"^(\d)\. (.*)\.$", PROSE.split("<summary>Solutions</summary>")[1], re.MULTILINE))


@again
def test_the_printed_solutions_equal_the_exercises() -> None:
    """Texts and the fraction are the same."""
    printed, asked = (
        solutions(),
        [notebook_names()[f"15/{name}"] for name in ("takes", "together", "of-what", "trumps", "at-stake", "loss", "copies")],
    )
    assert len(printed) == len(asked)
    for number, quiz in enumerate(asked, 1):
        [right] = quiz.solution
        assert printed[str(number)].replace("⁄", "/").split(", which")[0] == right


@again
def test_player_with_the_largest_share_is_the_solution() -> None:
    """They are compared exactly."""
    for question, name in (("took", "takes"), ("trumps", "trumps")):
        parts = {who: Fraction(*count) for who, count in counts_by_player()[question].items()}
        assert notebook_names()[f"15/{name}"].solution == [max(parts, key=parts.__getitem__)]


@again
def test_share_of_all_takes_is_not_the_average_of_shares() -> None:
    """Test sums, the average of shares, and the stated percentages."""
    took = counts_by_player()["took"].values()
    right = Fraction(sum(many for many, _ in took), sum(of for _, of in took))
    quiz = notebook_names()["15/together"]
    assert [str(right)] == quiz.solution
    assert quiz.mistakes["averaged"] == sum(Fraction(*count) for count in took) / len(took) != right
    assert f"about {round(100 * right)} %" in PROSE
    assert bool(quiz.answer(f"{round(100 * right)} %"))
    verdict = str(quiz.answer(str(quiz.mistakes["averaged"])))
    assert english("class.play.averaged").search(verdict)


@again
def test_share_of_avoidable_takes_is_one_quarter() -> None:
    """There are ten takes, nine forced, and three beaten."""
    takes, forced, beaten = 10, 9, 3
    assert Fraction(takes - forced, takes - forced + beaten) == Fraction(1, 4)
    assert Fraction(takes - forced, takes + beaten) == Fraction(1, 13)
    for text in (f"take {takes} times", "Nine times", f"beat {beaten} times", "once you could have beaten"):
        assert text in notebook_names()["15/of-what"].question


@again
def test_counted_mistakes_are_proved() -> None:
    """A strategy for each player guarantees the value before and after the move, against every reply."""
    rows = notebook_names()["games"].where(mistake=True).rows
    by_player = {mistake.label: mistake.occurrences for mistake in notebook_names()["mistakes"]}
    assert sum(by_player.values()) >= len([row for row in rows if row["at_stake"]]) > 8
    proved = 0
    for row in rows:
        before = notebook_names()["games"].moment(row)
        if sum(map(len, before.hands)) > 9:
            continue  # there are thousands of lines, which the search's own tests cover
        after = before.copy()
        after.play(row["chosen"])
        for game, value in ((before, row["value"]), (after, row["value_after"])):
            if game.outcome is not None:
                continue
            ending = endgame.solve_endgame(game)
            assert ending.value == (value if ending.seat == row["seat"] else -value)
            assert all(ending.prove(seat).is_valid(game) for seat in range(2))
            proved += 1
    assert proved > 8


@again
def test_the_challenge_is_won_as_the_text_says() -> None:
    """The king of clubs can't be beaten. The cheapest cards do not win, nor did the real player."""
    task = notebook_names()["15/challenge"]
    assert task.solution == ["attack Kc", "attack Ac", "attack 9s"]
    assert task._start_game.trump == "c"
    assert not task._start_game.hands[0] & task._start_game.view(1).beaters("Kc")
    assert "The challenge: the king of clubs first." in PROSE
    for course in (_cheaply(task), [next(row["chosen"] for row in notebook_names()["games"].where(mistake=True) if _same(row, task))]):
        task.restart()
        for move in course:
            if task.view_model()["state"] == "":
                task.answer(move)
        assert task.view_model()["state"] == "wrong"
    task.restart()
    assert bool(task.answer(task.solution))


def _same(row: dict[str, Any], task: Any) -> bool:
    return notebook_names()["games"].moment(row).position == task._start_game.position


def _cheaply(task: Any) -> Iterator[Any]:
    while task.view_model()["state"] == "":
        yield CarefulBot().choose(task.table.game.view(task._seat), None)  # type: ignore[arg-type] # it takes no chances


@again
def test_the_first_position_is_not_the_challenges() -> None:
    """They are two positions."""
    assert notebook_names()["games.mistake()"].game.position != notebook_names()["15/challenge"]._start_game.position


@again
def test_the_bot_at_the_table_learned_from_these_games() -> None:
    """It is the same wherever the notebook runs."""
    assert notebook_names()["table"].players == ("you", "class")
    assert notebook_names()["bot"].implementation == run_notebook()["bot"].implementation


CLASSES = {
    "one-game": [("careful", 1)],
    "two-students": [("careful", 1), ("random", 2), ("first", 3)],
    "one-who-never-ends": [("first", 4), ("first", 5)],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSES)
def test_the_notebook_works_with_games_of_any_class(name: str, tmp_path: Path) -> None:
    """Only the folder is changed: every cell runs, and exercises can be solved with these games."""
    for player, seed in CLASSES[name]:
        table = Table(seats={1: player}, seed=seed, keep=tmp_path / f"student {seed % 2}")
        while table.game.outcome is None and (name != "one-who-never-ends" or table.game.ply < 7):
            if not table.step():
                table.play(table.game.legal_moves()[-1 if seed % 2 else 0])
        table.close()
    found = run_notebook(repr(str(tmp_path)))
    assert found["games"].troubles == ()
    assert {row["student"] for row in found["games"]} == {f"student {seed % 2}" for _, seed in CLASSES[name]}
    for exercise in [value for key, value in found.items() if key.startswith("15/")]:
        assert bool(exercise.answer(exercise.solution if exercise.kind == "play" else exercise.solution[0])), exercise.name
    chosen = [row for row in found["games"] if row["who"] == "you" and row["possible"] > 1]
    assert found["bot"].implementation.decisions == len(chosen)
    assert bots.play(Game(seed=1), [found["bot"], "careful"], 1).outcome is not None
