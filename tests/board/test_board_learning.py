"""Learning before one's eyes: the same from code each time, falling, and without leaving anything behind."""

from __future__ import annotations

import asyncio
import sys
import threading

import pytest

from durak_widget import board, gametheory
from durak_widget.board.cfr_panel import TARGET_EXPLOITABILITY, LearningSession, thin_points
from durak_widget.gametheory.tree import DecisionNode, TerminalNode
from durak_widget.optional_dependencies import MissingPackageError
from durak_widget.translated_errors import RefusedError
from support.loops import run, settled, until
from support.textbook import kuhn, matching_pennies, tree_of


def ours() -> list[threading.Thread]:
    """The threads that work at a tree."""
    return [one for one in threading.enumerate() if one.name.startswith("durak")]


def test_from_code_it_learns_the_same_each_time_and_nears_the_equilibrium():
    """Steps of any size come to what one run of CFR+ comes to; the exploitability told is that of the strategy, and is small in the end."""
    tree = kuhn()
    one, two = board.Tree(tree).get_learner(), board.Tree(tree).get_learner()
    one.step(300)
    for number in (1, 9, 90, 200):
        two.step(number)
    plain = gametheory.CFR(tree).run(300)
    assert one.strategy == two.strategy == plain.strategy()
    assert one.history[-1] == two.history[-1] == (300, plain.exploitability())
    assert one.exploitability == pytest.approx(float(gametheory.exploitability(tree, one.strategy)), abs=1e-12)
    assert one.exploitability < 0.002 < one.history[0][1]
    assert [number for number, _ in one.history] == sorted({number for number, _ in one.history})
    assert one.history[0] == two.history[0]


def test_the_tree_shows_what_is_learned():
    """After a step the strategy on the tree is the learner's, until one's own or a solution is asked for; closed, it is gone."""
    view = board.Tree(kuhn())
    learning = view.get_learner().step(50)
    assert view.told_solution["which"] == "learning"
    assert view.solver_panel.strategies.shown_strategy == learning.strategy
    assert view.learning["iterations"] == 50
    assert view.learning["points"][0][0] == 1
    assert view.learning["said"].startswith("50 iterations, exploitability ≈0.0")
    view.solve("lp")
    learning.step(5)
    assert view.told_solution["which"] == "solution"
    view.handle_message({"kind": "learn", "what": "close"})
    assert (view.learning, view.solving["there"]) == ({}, ["solution"])
    with pytest.raises(RefusedError, match=r"view\.get_learner\(\) begins another"):
        learning.step()
    assert view.get_learner() is not learning


def test_started_it_learns_by_itself_and_stops_when_told():
    """On a loop it learns beside the cell; stopped, it stays where it is and goes on from there; the loop is free meanwhile."""

    async def story() -> None:
        view = board.Tree(kuhn())
        learning = view.get_learner()
        seen = []
        view.observe(lambda change: seen.append(change["new"]["iterations"]), "learning")
        learning.start()
        assert learning.running
        await until(lambda: learning.iterations >= 4)
        learning.stop()
        await until(lambda: not ours())
        await settled()
        there = learning.iterations
        await settled()
        assert (learning.running, learning.iterations) == (False, there)
        assert sorted(set(seen))[:3] == [0, 1, 2]
        learning.start().stop()
        view.close()
        await until(lambda: not ours())

    run(story)


def test_stopped_while_it_rests_between_two_looks_it_learns_no_more():
    """What was already asked for when it was stopped is not done."""

    async def story() -> None:
        alone = len(asyncio.all_tasks())
        learning = board.Tree(kuhn()).get_learner().start()
        await until(lambda: learning.iterations and not ours() and len(asyncio.all_tasks()) > alone)
        there = learning.stop().iterations
        await until(lambda: len(asyncio.all_tasks()) == alone)
        assert learning.iterations == there
        learning.view.close()

    run(story)


@pytest.mark.parametrize(("hours", "first"), [(0, 125), (1, 101)])
def test_between_two_looks_it_learns_a_quarter_more_or_for_as_long_as_a_frame(monkeypatch, hours, first):
    """While the clock stands it learns all that belongs to a look; where each glance at it costs an hour, once more."""

    async def story() -> None:
        now = 0.0

        def clock() -> float:
            nonlocal now
            now += 3600 * hours
            return now

        view = board.Tree(kuhn())
        learning = view.get_learner().step(100)
        seen = []
        view.observe(lambda change: seen.append(change["new"]["iterations"]), "learning")
        with monkeypatch.context() as patched:
            patched.setattr("durak_widget.board.cfr_panel.perf_counter", clock)
            learning.start()
            await until(lambda: any(number > 100 for number in seen))  # told, and not only begun: who stops before breaks a look off
            learning.stop()
            await until(lambda: not ours())
        await settled()
        assert next(number for number in seen if number > 100) == first
        view.close()

    run(story)


def test_it_stops_by_itself_when_enough_is_learned():
    """Where nothing is left to learn it says so and runs no more, and cannot be started again."""

    async def story() -> None:
        view = board.Tree(
            tree_of({"": DecisionNode(0, "?", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))})
        )
        learning = view.get_learner().step(2000)
        assert learning.exploitability > 0
        learning.history.append((learning.iterations, TARGET_EXPLOITABILITY))
        learning.start()
        assert not learning.running
        assert view.learning["done"]
        assert view.learning["said"].endswith("it has stopped by itself")

    run(story)


@pytest.mark.parametrize("what", ["start", "step"])
def test_a_closed_view_leaves_nothing_behind(what):
    """Closed while it learns, no thread goes on, nothing is told any more, and the view can be let go."""

    async def story() -> None:
        view = board.Tree(kuhn())
        view.handle_message({"kind": "learn", "what": what, "n": 40})
        await until(lambda: view.learner.iterations > 0)
        told = []
        view.observe(told.append, "learning")
        view.close()
        await until(lambda: not ours())
        await settled()
        assert told == []
        assert (view.learner.running, ours()) == (False, [])

    run(story)


def test_a_step_of_the_page_is_made_beside_it():
    """So many iterations, then it stands still."""

    async def story() -> None:
        view = board.Tree(matching_pennies())
        view.handle_message({"kind": "learn", "what": "step", "n": 12})
        await until(lambda: view.learning["iterations"] == 12)
        assert not view.learner.running
        view.close()

    run(story)


def test_in_a_script_nothing_runs_by_itself():
    """Without a loop `start` says so, and a step works."""
    learning = board.Tree(matching_pennies()).get_learner()
    with pytest.raises(RefusedError, match=r"learning\.step\(n\) learns so many"):
        learning.start()
    assert not learning.running
    assert repr(learning.step(3)).startswith("<LearningSession: 3 iterations")


def test_what_cannot_be_learned_is_refused_in_a_sentence(monkeypatch):
    """Three seats, a game that is not zero-sum, and in a Python without numpy one that is large."""
    for tree in (tree_of({"": TerminalNode((1, 1, 1))}, seats=3), tree_of({"": TerminalNode((1, 1))})):
        with pytest.raises(RefusedError, match="one wins just what the other loses can be learned, and this is none"):
            board.Tree(tree).get_learner()
    for name in [one for one in sys.modules if one.partition(".")[0] in ("numpy", "scipy") or one == "durak_widget.gametheory.cfr_plus"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert LearningSession(board.Tree(matching_pennies())).step(5).iterations == 5  # which is small
    monkeypatch.setattr("durak_widget.board.cfr_panel.MAX_PURE_PYTHON_HISTORIES", 3)
    with pytest.raises(MissingPackageError, match="needs numpy and scipy"):
        LearningSession(board.Tree(matching_pennies()))


def test_a_number_of_iterations_that_is_none_is_refused():
    """From code and from the page: a sentence, and nothing is learned."""
    for n in [0, -1, 1.5, "2", None, True, 10**7]:
        view = board.Tree(matching_pennies())
        with pytest.raises(RefusedError, match="whole number from 1 to 1000000"):
            view.get_learner().step(n)
        if n is not None:
            with pytest.raises(RefusedError):
                view.handle_message({"kind": "learn", "what": "step", "n": n})
        assert view.get_learner().iterations == 0


def test_the_plot_is_told_in_few_points():
    """However long it ran: two hundred points at most, the first and the last among them, in order, none invented."""
    points = [(number, 1 / number) for number in range(1, 5000)]
    told = thin_points(points)
    assert len(told) <= 200
    assert (told[0], told[-1]) == (points[0], points[-1])
    assert told == sorted(set(told))
    assert set(told) <= set(points)
    assert sum(number < 100 for number, _ in told) > 60
