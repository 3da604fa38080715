"""Test paths of logit equilibria on the board: background work, slider, forks, refusals, and that exercises hide them."""

from __future__ import annotations

import threading

import pytest

from durak_widget import board, gametheory
from durak_widget.board import logit_path_view_model
from durak_widget.gametheory.quantal_response import follow_logit_path
from durak_widget.i18n import Translator
from durak_widget.translated_errors import RefusedError
from support.loops import run, wait_until
from support.spoken import english, english_text
from support.textbook import kuhn


def view_with_path(name, **look):
    """Return a view of a textbook game with its path."""
    view = board.Tree(gametheory.textbook(name), depth=9, **look)
    view.show_logit_equilibrium()
    return view


def test_page_can_ask_for_a_path_and_move_along_it():
    """A thread finds the path; each point is drawn with its beliefs, and closing ends all."""

    async def story() -> None:
        view = board.Tree(gametheory.textbook("horse"), depth=9)
        loop, worked = threading.get_ident(), []
        was = logit_path_view_model.follow_logit_path
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(logit_path_view_model, "follow_logit_path", lambda tree: (worked.append(threading.get_ident()), was(tree))[1])
            view.handle_message({"kind": "show_path", "on": True})
            assert view.solver_state["is_busy"]
            await wait_until(lambda: not view.solver_state["is_busy"])
        assert len(worked) == 1
        assert loop not in worked
        ends = len(view.path_view["x"]) - 1
        assert (view.solution_view["shown_kind"], view.solver_state["path_index"]) == ("path", ends)
        messages = []
        view.observe(messages.append, "path_view")
        view.handle_message({"kind": "go_to_path_point", "index": 0})
        assert view.solution_view["weight"]["0"] == [0.5, 0.5]
        assert view.solution_view["sentences"] == [english_text("board.path.at", at="0")]
        assert [text for text, _ in view.solution_view["beliefs"]["1"]["nodes"].values()] == ["≈0.67", "≈0.33"]
        assert messages == []  # only the step has changed and is sent
        view.handle_message({"kind": "start_own_strategy"})
        assert (view.solver_state["path_index"], view.solver_state["available_kinds"]) == (None, ["path", "own"])
        view.handle_message({"kind": "show_path", "on": False})
        assert (view.path_view, view.solver_state["available_kinds"]) == ({}, ["own"])
        view.close()

    run(story)


@pytest.mark.parametrize("name", ["horse", "outside-option", "beer-quiche", "kuhn", "driver", "entry"])
def test_plot_points_lie_on_the_path(name):
    """Each point has its λ and probabilities, from uniform play to the end. Points left out would add nothing."""
    view = view_with_path(name)
    message, path = view.path_view, follow_logit_path(view.tree)
    points = view.solver_panel.strategies.logit_path.points
    assert (points[0], points[-1]) == (path.path[0], path.path[-1])
    assert {len(message["x"]), len(message["rationality"])} == {len(points)}
    assert message["x"][0] == 0
    assert message["x"][-1] == 1
    assert all(0 <= x <= 1 for x in message["x"])
    for place, moves in message["infosets"].items():
        assert len(moves) == len(view.tree.infosets[int(place)].actions)
        assert [row[0] for row in moves] == pytest.approx([1 / len(moves)] * len(moves), abs=1e-4)
        assert [row[-1] for row in moves] == pytest.approx(list(path.path[-1].rows[int(place)]), abs=1e-4)
    left = path.path[len(points) - 1 : -1]
    assert all(
        abs(probability - end) < 0.002
        for point in left
        for row, last in zip(point.rows, path.path[-1].rows, strict=True)
        for probability, end in zip(row, last, strict=True)
    )


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", english_text("board.path.fork", at="0.897", value="0.897")),
        ("lt", "Ties λ = 0,897 kelias šakojasi"),
        ("ru", "При λ = 0,897 путь разветвляется"),
    ],
)
def test_a_fork_of_the_path_is_described(language, sentence):
    """In the outside option, the text says where the path forks and that it goes straight on."""
    message = view_with_path("outside-option", language=language).path_view
    assert message["sentences"][0].startswith(sentence)
    assert len(message["bifurcations"]) == 1


def test_code_can_move_to_a_rationality():
    """It goes to the nearest point, or to the end without an argument."""
    view = view_with_path("horse")
    end = view.strategy
    view.show_logit_equilibrium(2)
    assert view.solver_panel.strategies.logit_path.points[
        view.solver_panel.strategies.logit_path.current_index
    ].rationality == pytest.approx(1.875, abs=0.01)
    view.show_logit_equilibrium()
    assert view.strategy == end
    for wrong in (-1, 99, "1", None, True):
        with pytest.raises(RefusedError, match=english("board.refused.rationality")):
            view.solver_panel.go_to_path_point(wrong)
    with pytest.raises(RefusedError, match=english("board.refused.rationality")):
        board.Tree(kuhn()).solver_panel.go_to_path_point(0)


def test_a_path_found_by_the_solve_button_is_reused(monkeypatch):
    """The answer brings its path along."""
    tree = gametheory.textbook("driver")
    view = board.Tree(tree, gametheory.solve(tree))
    monkeypatch.setattr(logit_path_view_model, "follow_logit_path", None)
    view.show_logit_equilibrium()
    assert view.solver_panel.strategies.logit_path.path is view.solution.logit_path


def test_games_too_large_for_a_path_are_refused_with_a_message(monkeypatch):
    """Test too many nodes and too many moves."""
    view = board.Tree(kuhn())
    monkeypatch.setattr(logit_path_view_model, "MAX_HISTORIES", 5)
    with pytest.raises(RefusedError, match=english("board.refused.path.large", most="5")):
        view.show_logit_equilibrium()
    monkeypatch.setattr(logit_path_view_model, "MAX_HISTORIES", 5_000)

    monkeypatch.setattr(logit_path_view_model, "MAX_EQUATIONS", 20)
    with pytest.raises(RefusedError, match=english("board.refused.path", most="19")):
        view.show_logit_equilibrium()

    async def story() -> None:
        sent = []
        lost = board.Tree(kuhn(), language="lt")
        lost.send = sent.append
        lost.handle_message({"kind": "show_path", "on": True})
        await wait_until(lambda: not lost.solver_state["is_busy"])
        assert [message["text"] for message in sent] == [Translator("lt").translate("board.refused.path", most="19")]
        lost.close()

    run(story)


class Asks:
    """An exercise on the tree."""

    question_kind, is_over = "values", False

    def to_message(self):
        """Return an exercise to which nothing has been answered yet."""
        return {}


def test_paths_are_hidden_during_an_exercise():
    """Neither an old path is shown nor a new one made."""
    view = view_with_path("horse")
    view.question = Asks()
    assert view.path_view == {}
    for message in ({"kind": "show_path", "on": True}, {"kind": "go_to_path_point", "index": 1}):
        with pytest.raises(RefusedError, match=english("board.refused.asked")):
            view.handle_message(message)
