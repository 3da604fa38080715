"""The positions of the series: what the lesson says, what the exercise accepts, what its hint shows and what an exact search proves is one and the same."""

from __future__ import annotations

import ast
import contextlib
import io
import re
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import nbformat
import pytest

from durak_widget import Game, Move, lessons
from durak_widget.analysis import endgame
from durak_widget.bots.heuristic_bots import CarefulBot
from durak_widget.cards import CardSet
from durak_widget.errors import PositionError
from durak_widget.lessons import Position
from durak_widget.rules import deck_and_beating
from durak_widget.table.hints import Adviser
from support.sizes import tried

if TYPE_CHECKING:
    from collections.abc import Iterator


def _laying(cells: list[str]) -> list[ast.stmt]:
    """Of these cells the statements that lay a `Position`, and those that their names come from."""
    wanted: list[ast.stmt] = []
    names: set[str] = set()
    for statement in reversed([one for cell in cells for one in ast.parse(cell).body]):
        within = [one for one in ast.walk(statement) if isinstance(one, (ast.Name, ast.alias))]
        named = {one.id if isinstance(one, ast.Name) else (one.asname or one.name) for one in within}
        sets = {one.id for one in within if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        brings = named if isinstance(statement, (ast.Import, ast.ImportFrom)) else sets
        if "Position(" in ast.unparse(statement) or brings & names:
            wanted.append(statement)
            names |= named
    return wanted[::-1]


@cache
def positions() -> dict[str, Position]:
    """Every `Position` that a notebook of the series shows, by its name: of its cells only those run that lay one, and the names that they use."""
    found: dict[str, Position] = {}

    class Found(Position):
        def __init__(self, *given: object, **more: object) -> None:
            super().__init__(*given, **more)
            found[self.name] = self

    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()):
        patch.setattr(lessons, "Position", Found)
        for path in sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb")):
            cells = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
            exec(compile(ast.Module(_laying(cells), []), path.name, "exec"), {})  # noqa: S102 - our own notebooks
    return found


DECIDED = {
    "02/challenge": 0,
    "03/challenge": 0,
    "04/get-out": 0,
    "04/one-shoulder": 1,
    "04/both-shoulders": 2,
    "04/ending-pair": 0,
    "04/ending-patience": 0,
    "04/challenge": 2,
    "05/challenge": 0,
    "06/challenge": 1,
    "07/spade-ace": 0,
    "07/two-kings": 0,
    "07/challenge": 0,
    "08/challenge": 0,
    "09/challenge": 0,
    "10/challenge": 0,
    "11/first-card": 0,
    "11/all-but-one": 0,
    "11/take": 0,
    "11/challenge": 0,
}
"""Those that are won or lost by the first move, with the epaulettes that are asked for."""
CHALLENGES = [f"{number:02}/challenge" for number in range(1, 12)]


def test_none_is_forgotten() -> None:
    """There are some in most lessons, and all that ask for a win are among those that are looked at below."""
    assert len(positions()) == 30
    assert [name for name in positions() if name.endswith("/challenge")] == CHALLENGES
    assert {name for name, task in positions().items() if "get_out" in str(task._goal.judge)} == set(DECIDED)


@pytest.mark.slow
def test_in_an_ending_where_all_is_known_the_other_hand_lies_open() -> None:
    """The lesson says that all is known: then it is to be seen, and not only in the text."""
    for name in ["04/ending-pair", "04/ending-patience"]:
        scene = positions()[name].table.scene
        assert len(scene["seats"][1]["hand"]) == scene["seats"][1]["cards"]


def test_hints_lead_to_the_goal_against_the_others_of_the_exercise() -> None:
    """Each is a move that may be made; after the goal is reached it is said that nothing is left to do."""
    for name in positions():
        task = positions()[name]
        task.restart()
        while task.view_model()["state"] == "":
            hint = task.hint()
            assert isinstance(hint, Move)
            task.answer(hint)
        assert task.check()
        assert task.hint().key == "table.goal_reached"
        task.restart()


def courses(task: Position) -> Iterator[list[str]]:
    """Every course of the game in which you follow the hints, and the others play whatever they may, until the goal is reached or missed."""
    waiting: list[list[str]] = [[]]
    while waiting:
        course = waiting.pop()
        lay(task, course)
        game = task.table.game
        if task.view_model()["state"] or game.outcome is not None:
            yield course
        elif game.actor == task._seat:
            hint = task.hint()
            assert isinstance(hint, Move), (course, hint)
            waiting.append([*course, str(hint)])
        else:
            waiting += [[*course, str(move)] for move in game.legal_moves()]


def lay(task: Position, course: list[str]) -> None:
    """The position after these moves, whoever made them."""
    task.restart()
    for move in course:
        task.table.play(move)


def test_hints_lead_to_the_goal_whatever_the_others_play() -> None:
    """Also where they answer otherwise than when the solution was tried."""
    for name in list(positions())[:: tried(10, 1)]:
        task, ways = positions()[name], 0
        for course in courses(task):
            ways += 1
            lay(task, course)
            assert task.view_model()["state"] == "right", course
        assert ways
        task.restart()


def test_what_an_exercise_accepts_is_what_a_search_proves() -> None:
    """After each first move: what gives the goal away is said to at once, with nothing left open; what keeps it goes on, and the hint does too."""
    for name, asked in DECIDED.items():
        task = positions()[name]
        found = endgame.solve_endgame(task._start_game, epaulettes=asked)
        assert found.value == 1
        assert Move(task.solution[0]) in found.best_moves
        assert len(found.best_moves) < len(found.move_values)
        for move in found.move_values:
            task.restart()
            verdict = task.answer(move)
            if move in found.best_moves:
                assert verdict.sentences == ()
                assert isinstance(task.hint(), Move)
            else:
                assert (verdict.sentences[0], task.view_model()["state"], task.hint().key) == ("Not yet.", "wrong", "table.again_first")
                assert task.view_model()["said"] == list(verdict.sentences)
        task.restart()


def played(game: Game) -> Game:
    """The same position as whoever has played up to it knows it: all other cards have gone."""
    held = {str(card) for hand in game.hands for card in hand} | set(re.findall(r"\w\w", str(game.table)))
    rest = [str(card) for card in CardSet.from_mask(deck_and_beating.deck_faces(game.rules)) if str(card) not in held]
    return Game.from_position(
        game.rules,
        hands=[" ".join(map(str, hand)) for hand in game.hands],
        trump=game.trump and str(game.trump),
        attacker=game.attacker,
        table=str(game.table),
        discard=" ".join(rest[: -1 if game.rules.turn_up == "aside" else None]),
    )


def test_the_hint_of_a_plain_table_agrees() -> None:
    """Whoever comes to it in a game of their own is told what the lesson teaches; for epaulettes that cost a detour, at least how to win."""
    for name in list(DECIDED)[:: tried(4, 1)]:
        task = positions()[name]
        asked = 0 if name in {"04/challenge", "06/challenge"} else DECIDED[name]
        assert (
            Adviser().choose(played(task._start_game).view(task._seat), Random(1))
            in endgame.solve_endgame(task._start_game, epaulettes=asked).best_moves
        )


def test_a_challenge_is_only_just_won() -> None:
    """One card begins it, or its twin in rank; and whoever always plays the cheapest card that does it is led astray."""
    for name in [name for name in CHALLENGES if name in DECIDED]:
        task = positions()[name]
        found = endgame.solve_endgame(task._start_game, epaulettes=DECIDED[name])
        assert len({(move.verb, *(card.rank for card in move.cards)) for move in found.best_moves}) == 1
        task.restart()
        while task.view_model()["state"] == "":
            task.answer(CarefulBot().choose(task.table.game.view(task._seat), Random(1)))
        assert task.view_model()["state"] == "wrong"
        task.restart()


def test_what_a_lesson_calls_right_is_best() -> None:
    """Wherever that can be proved; in the others something is hidden, or more than two play."""
    for name in positions():
        task = positions()[name]
        try:
            found = endgame.solve_endgame(task._start_game)
        except PositionError:
            return
        assert Move(task.solution[0]) in found.best_moves


def test_what_cannot_be_beaten_any_more_is_said_at_once() -> None:
    """In 08: the trump went on the club, and nothing is left for the heart."""
    task = positions()["08/siege-defend"]
    task.restart()
    assert "You had a card for each" in str(task.answer("beat 8c 6s"))
    assert task.hint().key == "table.again_first"
    task.restart()
    assert task.answer("beat 8c Qc").sentences == ()
    assert task.hint() == Move("beat 8h 6s")
    task.restart()
