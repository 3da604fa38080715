"""Test positions of the series: lesson text, exercise, hint and exact search agree."""

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
from support.spoken import english_text

if TYPE_CHECKING:
    from collections.abc import Iterator


def _laying(cells: list[str]) -> list[ast.stmt]:
    """Return the statements of these cells that make a `Position`, and those they depend on."""
    wanted: list[ast.stmt] = []
    names: set[str] = set()
    for statement in reversed([node for cell in cells for node in ast.parse(cell).body]):
        within = [node for node in ast.walk(statement) if isinstance(node, (ast.Name, ast.alias))]
        named = {node.id if isinstance(node, ast.Name) else (node.asname or node.name) for node in within}
        sets = {node.id for node in within if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        brings = named if isinstance(statement, (ast.Import, ast.ImportFrom)) else sets
        if "Position(" in ast.unparse(statement) or brings & names:
            wanted.append(statement)
            names |= named
    return wanted[::-1]


@cache
def positions() -> dict[str, Position]:
    """Return every `Position` in a notebook, by name; only the needed cells run."""
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
    "07b/challenge": 0,
    "08/challenge": 0,
    "09/challenge": 0,
    "10/challenge": 0,
    "11/first-card": 0,
    "11/all-but-one": 0,
    "11/take": 0,
    "11/challenge": 0,
}
"""Positions decided by the first move, with the required epaulettes."""
CHALLENGES = [
    *(f"{number:02}/challenge" for number in range(1, 8)),
    "07b/challenge",
    *(f"{number:02}/challenge" for number in range(8, 12)),
]


def test_every_position_is_checked() -> None:
    """Most lessons have some, and all that ask for a win are in the lists below."""
    assert len(positions()) == 31
    assert [name for name in positions() if name.endswith("/challenge")] == CHALLENGES
    assert {name for name, task in positions().items() if "get_out" in str(task._goal.judge)} == set(DECIDED)


@pytest.mark.slow
def test_an_ending_with_all_cards_known_shows_the_other_hand() -> None:
    """The text says that all is known, so it is open."""
    for name in ["04/ending-pair", "04/ending-patience"]:
        scene = positions()[name].table.scene
        assert len(scene["seats"][1]["hand"]) == scene["seats"][1]["cards"]


def test_hints_lead_to_the_goal_against_the_exercises_players() -> None:
    """Each is legal, and at the goal the hint says that nothing is left."""
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


def all_lines(task: Position) -> Iterator[list[str]]:
    """Yield every line in which you follow the hints and others play anything, until the goal is decided."""
    waiting: list[list[str]] = [[]]
    while waiting:
        course = waiting.pop()
        position_after(task, course)
        game = task.table.game
        if task.view_model()["state"] or game.outcome is not None:
            yield course
        elif game.actor == task._seat:
            hint = task.hint()
            assert isinstance(hint, Move), (course, hint)
            waiting.append([*course, str(hint)])
        else:
            waiting += [[*course, str(move)] for move in game.legal_moves()]


def position_after(task: Position, course: list[str]) -> None:
    """Set up the position after these moves."""
    task.restart()
    for move in course:
        task.table.play(move)


def test_hints_lead_to_the_goal_against_all_replies() -> None:
    """This includes replies other than in the solution."""
    for name in list(positions())[:: tried(10, 1)]:
        task, ways = positions()[name], 0
        for course in all_lines(task):
            ways += 1
            position_after(task, course)
            assert task.view_model()["state"] == "right", course
        assert ways
        task.restart()


def test_the_exercise_accepts_exactly_the_moves_that_a_search_proves() -> None:
    """After each first move, losing ones are refused at once, and for winning ones the hint goes on."""
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
                assert (verdict.sentences[0], task.view_model()["state"], task.hint().key) == (
                    english_text("lesson.not_yet"),
                    "wrong",
                    "table.again_first",
                )
                assert task.view_model()["feedback"] == list(verdict.sentences)
        task.restart()


def played_position(game: Game) -> Game:
    """Return the same position as known to a player who played up to it: all other cards are discarded."""
    held = {str(card) for hand in game.hands for card in hand} | set(re.findall(r"\w\w", str(game.table)))
    rest = [str(card) for card in CardSet.from_mask(deck_and_beating.deck_faces(game.rules)) if str(card) not in held]
    trump = game.trump and str(game.trump)
    turn_up = next(card for card in rest if card[-1] == trump) if game.rules.turn_up == "aside" else None
    return Game.from_position(
        game.rules,
        hands=[" ".join(map(str, hand)) for hand in game.hands],
        trump=None if turn_up else trump,
        turn_up=turn_up,
        attacker=game.attacker,
        table=str(game.table),
        discard=" ".join(card for card in rest if card != turn_up),
    )


def test_the_hint_of_an_ordinary_table_agrees() -> None:
    """It teaches the same; for epaulettes it may only win."""
    for name in list(DECIDED)[:: tried(4, 1)]:
        task = positions()[name]
        asked = 0 if name in {"04/challenge", "06/challenge"} else DECIDED[name]
        assert (
            Adviser().choose(played_position(task._start_game).view(task._seat), Random(1))
            in endgame.solve_endgame(task._start_game, epaulettes=asked).best_moves
        )


def test_a_challenge_has_one_winning_first_card() -> None:
    """Equal ranks count as one. Always playing the cheapest card fails."""
    for name in [name for name in CHALLENGES if name in DECIDED]:
        task = positions()[name]
        found = endgame.solve_endgame(task._start_game, epaulettes=DECIDED[name])
        assert len({(move.verb, *(card.rank for card in move.cards)) for move in found.best_moves}) == 1
        task.restart()
        while task.view_model()["state"] == "":
            task.answer(CarefulBot().choose(task.table.game.view(task._seat), Random(1)))
        assert task.view_model()["state"] == "wrong"
        task.restart()


def test_the_lessons_move_is_a_best_move() -> None:
    """This is so wherever it can be proved; other positions have hidden cards or more players."""
    for name in positions():
        task = positions()[name]
        try:
            found = endgame.solve_endgame(task._start_game)
        except PositionError:
            return
        assert Move(task.solution[0]) in found.best_moves


def test_a_card_that_can_no_longer_be_beaten_ends_the_exercise() -> None:
    """In 08 the trump went on the club, and the heart is left."""
    task = positions()["08/siege-defend"]
    task.restart()
    assert "You had a card for each" in str(task.answer("beat 8c 6s"))
    assert task.hint().key == "table.again_first"
    task.restart()
    assert task.answer("beat 8c Qc").sentences == ()
    assert task.hint() == Move("beat 8h 6s")
    task.restart()
