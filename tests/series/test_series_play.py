"""What lesson 15 says of the games that come with it, each number by two routes; and that it works on anybody's games unchanged."""

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

if TYPE_CHECKING:
    from collections.abc import Iterator

again = pytest.mark.slow
"""For what works out again what the notebook says."""
STEM = "15_what_did_we_play"
BOOK = nbformat.read(Path(__file__).resolve().parents[2] / "notebooks" / f"{STEM}.ipynb", as_version=4)
PROSE = "\n".join(cell.source for cell in BOOK.cells if cell.cell_type == "markdown")


def run(folder: str = "None") -> dict[str, Any]:
    """What the notebook names, its exercises by their names, with this folder in place of none."""
    found: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in BOOK.cells:
            if cell.cell_type != "code":
                continue
            *body, last = ast.parse(cell.source.replace("folder = None", f"folder = {folder}")).body
            exec(compile(ast.Module(body, []), STEM, "exec"), found)  # noqa: S102 - our own notebooks
            shown = eval(compile(ast.Expression(last.value), STEM, "eval"), found)  # type: ignore[attr-defined] # noqa: S307 - as above
            found[getattr(shown, "name", "") or ast.unparse(last)] = shown
    return found


@cache
def names() -> dict[str, Any]:
    """The notebook as it is stored, run once."""
    return run()


def output(said: str) -> str:
    """What the cell whose code ends so has shown, as it is stored."""
    [cell] = [
        cell for cell in BOOK.cells if cell.cell_type == "code" and (cell.source == said or (len(said) > 9 and cell.source.endswith(said)))
    ]
    return "".join(one["data"]["text/plain"] for one in cell.outputs)


def walked() -> Iterator[tuple[str, Game, str]]:
    """Each decision of the sample, read by nothing but the notation: who, the game before it, the move."""
    for text in re.split(r"(?m)^(?=Durak 1$)", SAMPLE.read_text(encoding="utf-8"))[1:]:
        who = dict(re.findall(r"^# Seat (\d): (.+)$", text, re.MULTILINE))
        game = Game.parse(text)
        moves = game.moves
        game.goto(0)
        for move in moves:
            yield who[str(game.actor)], game, str(move)
            game.play(move)


def can_beat_all(game: Game) -> bool:
    """Whether the hand of whoever defends has a card for each that lies there: every way is tried."""
    view = game.view(game.actor or 0)
    lying = [attack for attack, beat in game.table if beat is None]
    return any(
        all(card in view.beaters(attack) for attack, card in zip(lying, way, strict=True)) for way in permutations(view.hand, len(lying))
    )


@cache
def counted() -> dict[str, dict[str, list[int]]]:
    """By question and player how many of how many, counted from the games themselves."""
    found: dict[str, dict[str, list[int]]] = {"took": {}, "needless": {}, "trumps": {}}

    def count(question: str, who: str, *, yes: bool) -> None:
        one = found[question].setdefault(who, [0, 0])
        one[0] += yes
        one[1] += 1

    for who, game, move in walked():
        verbs = {one.verb for one in game.legal_moves()}
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
def test_shares_are_those_of_the_games_themselves() -> None:
    """Taking, needless taking, trumps led: counted anew from the notation, with every way of beating tried."""
    for question, said in (("took", "takes"), ("needless", '"could_beat", by="player")'), ("trumps", "trumps")):
        for who, (many, of) in counted()[question].items():
            assert re.search(rf"^{who} +{many} of {of} ", output(said) + "\n", re.MULTILINE), (question, who)


def solutions() -> dict[str, str]:
    """The answers that the last cell tells, by their numbers."""
    return dict(re.findall(r"^(\d)\. (.*)\.$", PROSE.split("<summary>Solutions</summary>")[1], re.MULTILINE))


@again
def test_the_solutions_are_those_of_the_exercises() -> None:
    """Word for word; and the fraction."""
    told, asked = solutions(), [names()[f"15/{name}"] for name in ("takes", "together", "of-what", "trumps", "at-stake", "loss", "copies")]
    assert len(told) == len(asked)
    for number, quiz in enumerate(asked, 1):
        [right] = quiz.solution
        assert told[str(number)].replace("⁄", "/").split(", which")[0] == right


@again
def test_who_takes_and_who_leads_trumps() -> None:
    """By the exact parts."""
    for question, name in (("took", "takes"), ("trumps", "trumps")):
        parts = {who: Fraction(*count) for who, count in counted()[question].items()}
        assert names()[f"15/{name}"].solution == [max(parts, key=parts.__getitem__)]


@again
def test_all_together() -> None:
    """The sums, what the average of the parts would be, and the per cents that are told."""
    took = counted()["took"].values()
    right = Fraction(sum(many for many, _ in took), sum(of for _, of in took))
    quiz = names()["15/together"]
    assert [str(right)] == quiz.solution
    assert quiz.mistakes["averaged"] == sum(Fraction(*one) for one in took) / len(took) != right
    assert f"about {round(100 * right)} %" in PROSE
    assert bool(quiz.answer(f"{round(100 * right)} %"))
    said = str(quiz.answer(str(quiz.mistakes["averaged"])))
    assert "average of the parts" in said


@again
def test_once_in_four() -> None:
    """Ten takes, nine of them forced; three beaten."""
    takes, forced, beaten = 10, 9, 3
    assert Fraction(takes - forced, takes - forced + beaten) == Fraction(1, 4)
    assert Fraction(takes - forced, takes + beaten) == Fraction(1, 13)
    for text in (f"take {takes} times", "Nine times", f"beat {beaten} times", "once you could have beaten"):
        assert text in names()["15/of-what"].question


@again
def test_mistakes_are_proved() -> None:
    """For each that the notebook counts, a strategy for either side which guarantees what the ending is worth, walked through against every reply; before the move and after it."""
    rows = names()["games"].where(mistake=True).rows
    by_player = {one.label: one.occurrences for one in names()["mistakes"]}
    assert sum(by_player.values()) >= len([row for row in rows if row["at_stake"]]) > 8
    proved = 0
    for row in rows:
        before = names()["games"].moment(row)
        if sum(map(len, before.hands)) > 9:
            continue  # thousands of ways: those are left to the tests of the search
        after = before.copy()
        after.play(row["chosen"])
        for game, worth in ((before, row["value"]), (after, row["value_after"])):
            if game.outcome is not None:
                continue
            ending = endgame.solve_endgame(game)
            assert ending.value == (worth if ending.seat == row["seat"] else -worth)
            assert all(ending.prove(seat).is_valid(game) for seat in range(2))
            proved += 1
    assert proved > 8


@again
def test_the_challenge_is_won_as_it_is_told() -> None:
    """The king of clubs first, which nothing beats; who plays the cheapest cards does not win, and neither did the player of the game."""
    task = names()["15/challenge"]
    assert task.solution == ["attack Kc", "attack Ac", "attack 9s"]
    assert task._start_game.trump == "c"
    assert not task._start_game.hands[0] & task._start_game.view(1).beaters("Kc")
    assert "The challenge: the king of clubs first." in PROSE
    for course in (_cheaply(task), [next(row["chosen"] for row in names()["games"].where(mistake=True) if _same(row, task))]):
        task.restart()
        for move in course:
            if task.view_model()["state"] == "":
                task.answer(move)
        assert task.view_model()["state"] == "wrong"
    task.restart()
    assert bool(task.answer(task.solution))


def _same(row: dict[str, Any], task: Any) -> bool:
    return names()["games"].moment(row).position == task._start_game.position


def _cheaply(task: Any) -> Iterator[Any]:
    while task.view_model()["state"] == "":
        yield CarefulBot().choose(task.table.game.view(task._seat), None)  # type: ignore[arg-type] # it takes no chances


@again
def test_what_is_shown_first_does_not_tell_the_challenge() -> None:
    """They are two positions."""
    assert names()["games.mistake()"].game.position != names()["15/challenge"]._start_game.position


@again
def test_the_bot_at_the_table_has_read_these_games() -> None:
    """And is the same wherever the notebook is run."""
    assert names()["table"].players == ("you", "class")
    assert names()["bot"].implementation == run()["bot"].implementation


CLASSES = {
    "one-game": [("careful", 1)],
    "two-students": [("careful", 1), ("random", 2), ("first", 3)],
    "one-who-never-ends": [("first", 4), ("first", 5)],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSES)
def test_it_works_on_the_games_of_any_class(name: str, tmp_path: Path) -> None:
    """One line is changed, the folder: every cell runs, every exercise can be solved, and its answers are of these games."""
    for player, seed in CLASSES[name]:
        table = Table(seats={1: player}, seed=seed, keep=tmp_path / f"student {seed % 2}")
        while table.game.outcome is None and (name != "one-who-never-ends" or table.game.ply < 7):
            if not table.step():
                table.play(table.game.legal_moves()[-1 if seed % 2 else 0])
        table.close()
    found = run(repr(str(tmp_path)))
    assert found["games"].troubles == ()
    assert {row["student"] for row in found["games"]} == {f"student {seed % 2}" for _, seed in CLASSES[name]}
    for exercise in [one for key, one in found.items() if key.startswith("15/")]:
        assert bool(exercise.answer(exercise.solution if exercise.kind == "play" else exercise.solution[0])), exercise.name
    chosen = [row for row in found["games"] if row["who"] == "you" and row["possible"] > 1]
    assert found["bot"].implementation.decisions == len(chosen)
    assert bots.play(Game(seed=1), [found["bot"], "careful"], 1).outcome is not None
