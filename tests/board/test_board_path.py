"""The path of logit equilibria on the board: followed beside the page, walked by a slider, its forks said; refused where it cannot be, and silent where something is asked."""

from __future__ import annotations

import threading

import pytest

from durak_widget import board, gametheory
from durak_widget.board import logit_path_view_model
from durak_widget.gametheory.quantal_response import follow_logit_path
from durak_widget.i18n import Translator
from durak_widget.translated_errors import RefusedError
from support.loops import run, until
from support.textbook import kuhn


def followed_on(name, **look):
    """A game of the textbooks, open, with its path beside it."""
    view = board.Tree(gametheory.textbook(name), depth=9, **look)
    view.show_logit_equilibrium()
    return view


def test_the_page_asks_and_walks():
    """On a thread; then each point that the slider comes to is drawn, and believed; closed, nothing is left of it."""

    async def story() -> None:
        view = board.Tree(gametheory.textbook("horse"), depth=9)
        loop, worked = threading.get_ident(), []
        was = logit_path_view_model.follow_logit_path
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(logit_path_view_model, "follow_logit_path", lambda tree: (worked.append(threading.get_ident()), was(tree))[1])
            view.handle_message({"kind": "path", "on": True})
            assert view.solving["busy"]
            await until(lambda: not view.solving["busy"])
        assert len(worked) == 1
        assert loop not in worked
        ends = len(view.told_path["x"]) - 1
        assert (view.told_solution["which"], view.solving["step"]) == ("path", ends)
        told = []
        view.observe(told.append, "told_path")
        view.handle_message({"kind": "rational", "to": 0})
        assert view.told_solution["weight"]["0"] == [0.5, 0.5]
        assert view.told_solution["said"] == ["logit equilibrium at λ = 0"]
        assert [text for text, _ in view.told_solution["beliefs"]["1"]["at"].values()] == ["≈0.67", "≈0.33"]
        assert told == []  # only the step has changed, and is told
        view.handle_message({"kind": "own"})
        assert (view.solving["step"], view.solving["there"]) == (None, ["path", "own"])
        view.handle_message({"kind": "path", "on": False})
        assert (view.told_path, view.solving["there"]) == ({}, ["own"])
        view.close()

    run(story)


@pytest.mark.parametrize("name", ["horse", "outside-option", "beer-quiche", "kuhn", "driver", "entry"])
def test_the_plot_is_that_of_the_path(name):
    """Every kept point with its λ and its probabilities, from where all moves are alike to the end; what is left out was still already."""
    view = followed_on(name)
    told, path = view.told_path, follow_logit_path(view.tree)
    points = view.solver_panel.strategies.logit_path.points
    assert (points[0], points[-1]) == (path.path[0], path.path[-1])
    assert {len(told["x"]), len(told["rational"])} == {len(points)}
    assert told["x"][0] == 0
    assert told["x"][-1] == 1
    assert all(0 <= one <= 1 for one in told["x"])
    for place, moves in told["sets"].items():
        assert len(moves) == len(view.tree.infosets[int(place)].actions)
        assert [row[0] for row in moves] == pytest.approx([1 / len(moves)] * len(moves), abs=1e-4)
        assert [row[-1] for row in moves] == pytest.approx(list(path.path[-1].rows[int(place)]), abs=1e-4)
    left = path.path[len(points) - 1 : -1]
    assert all(
        abs(one - end) < 0.002
        for point in left
        for row, last in zip(point.rows, path.path[-1].rows, strict=True)
        for one, end in zip(row, last, strict=True)
    )


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "At λ = 0.897 the path forks"), ("lt", "Ties λ = 0,897 kelias šakojasi"), ("ru", "При λ = 0,897 путь разветвляется")],
)
def test_a_fork_is_said(language, said):
    """Of the outside option: where it forks, and that it goes straight on; in the words of the page."""
    told = followed_on("outside-option", language=language).told_path
    assert told["said"][0].startswith(said)
    assert len(told["forks"]) == 1


def test_from_code_it_goes_to_a_rationality():
    """The nearest point; without one, where it ends."""
    view = followed_on("horse")
    end = view.strategy
    view.show_logit_equilibrium(2)
    assert view.solver_panel.strategies.logit_path.points[
        view.solver_panel.strategies.logit_path.current_index
    ].rationality == pytest.approx(1.875, abs=0.01)
    view.show_logit_equilibrium()
    assert view.strategy == end
    for wrong in (-1, 99, "1", None, True):
        with pytest.raises(RefusedError, match="no such point"):
            view.solver_panel.go_to_path_point(wrong)
    with pytest.raises(RefusedError, match="no such point"):
        board.Tree(kuhn()).solver_panel.go_to_path_point(0)


def test_what_an_answer_has_followed_is_not_followed_again(monkeypatch):
    """An answer that came by the path brings it along."""
    tree = gametheory.textbook("driver")
    view = board.Tree(tree, gametheory.solve(tree))
    monkeypatch.setattr(logit_path_view_model, "follow_logit_path", None)
    view.show_logit_equilibrium()
    assert view.solver_panel.strategies.logit_path.path is view.solution.logit_path


def test_what_cannot_be_followed_is_refused_in_a_sentence(monkeypatch):
    """A tree that has too many places, or too many moves."""
    view = board.Tree(kuhn())
    monkeypatch.setattr(logit_path_view_model, "MAX_HISTORIES", 5)
    with pytest.raises(RefusedError, match="at most"):
        view.show_logit_equilibrium()
    monkeypatch.setattr(logit_path_view_model, "MAX_HISTORIES", 5_000)

    monkeypatch.setattr(logit_path_view_model, "MAX_EQUATIONS", 20)
    with pytest.raises(RefusedError, match="games of 19 moves at most"):
        view.show_logit_equilibrium()

    async def story() -> None:
        sent = []
        lost = board.Tree(kuhn(), language="lt")
        lost.send = sent.append
        lost.handle_message({"kind": "path", "on": True})
        await until(lambda: not lost.solving["busy"])
        assert [one["said"] for one in sent] == [Translator("lt").translate("board.refused.path", most="19")]
        lost.close()

    run(story)


class Asks:
    """An exercise on the tree."""

    question_kind, is_over = "values", False

    def to_message(self):
        """Nothing is given yet."""
        return {}


def test_while_something_is_asked_no_path_leads_to_the_answer():
    """Neither what was followed before, nor by asking for it."""
    view = followed_on("horse")
    view.question = Asks()
    assert view.told_path == {}
    for message in ({"kind": "path", "on": True}, {"kind": "rational", "to": 1}):
        with pytest.raises(RefusedError, match="answer it first"):
            view.handle_message(message)
