"""Test learning by CFR+ on the board: it is deterministic, gets less exploitable and leaves no threads behind."""

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
from support.loops import run, wait_until, wait_until_idle
from support.spoken import english, english_text
from support.textbook import kuhn, matching_pennies, tree_of


def learning_threads() -> list[threading.Thread]:
    """Return the threads that learn on a tree."""
    return [thread for thread in threading.enumerate() if thread.name.startswith("durak")]


def test_learning_from_code_is_deterministic_and_nears_the_equilibrium():
    """Steps of any size equal one run of CFR+. The exploitability shown is that of the strategy, and gets small."""
    tree = kuhn()
    first, two = board.Tree(tree).get_learner(), board.Tree(tree).get_learner()
    first.step(300)
    for number in (1, 9, 90, 200):
        two.step(number)
    plain = gametheory.CFR(tree).run(300)
    assert first.strategy == two.strategy == plain.strategy()
    assert first.history[-1] == two.history[-1] == (300, plain.exploitability())
    assert first.exploitability == pytest.approx(float(gametheory.exploitability(tree, first.strategy)), abs=1e-12)
    assert first.exploitability < 0.002 < first.history[0][1]
    assert [number for number, _ in first.history] == sorted({number for number, _ in first.history})
    assert first.history[0] == two.history[0]


def test_tree_shows_the_learned_strategy():
    """It is shown until you ask for your own strategy or a solution, and is gone after closing."""
    view = board.Tree(kuhn())
    learning = view.get_learner().step(50)
    assert view.solution_view["shown_kind"] == "learning"
    assert view.solver_panel.strategies.shown_strategy == learning.strategy
    assert view.learning["iterations"] == 50
    assert view.learning["points"][0][0] == 1
    assert view.learning["text"].startswith(english_text("board.learning.stands", iterations="50", lost="≈0.0"))
    view.solve("lp")
    learning.step(5)
    assert view.solution_view["shown_kind"] == "solution"
    view.handle_message({"kind": "learn", "command": "close"})
    assert (view.learning, view.solver_state["available_kinds"]) == ({}, ["solution"])
    with pytest.raises(RefusedError, match=english("board.refused.closed", code="view.get_learner()")):
        learning.step()
    assert view.get_learner() is not learning


def test_learning_starts_and_stops_on_request():
    """With an event loop it runs beside the cell. After a stop it continues from the same point."""

    async def story() -> None:
        view = board.Tree(kuhn())
        learning = view.get_learner()
        seen = []
        view.observe(lambda change: seen.append(change["new"]["iterations"]), "learning")
        learning.start()
        assert learning.running
        await wait_until(lambda: learning.iterations >= 4)
        learning.stop()
        await wait_until(lambda: not learning_threads())
        await wait_until_idle()
        there = learning.iterations
        await wait_until_idle()
        assert (learning.running, learning.iterations) == (False, there)
        assert sorted(set(seen))[:3] == [0, 1, 2]
        learning.start().stop()
        view.close()
        await wait_until(lambda: not learning_threads())

    run(story)


def test_stopping_between_two_steps_ends_learning():
    """A step that was already scheduled is not made."""

    async def story() -> None:
        alone = len(asyncio.all_tasks())
        learning = board.Tree(kuhn()).get_learner().start()
        await wait_until(lambda: learning.iterations and not learning_threads() and len(asyncio.all_tasks()) > alone)
        there = learning.stop().iterations
        await wait_until(lambda: len(asyncio.all_tasks()) == alone)
        assert learning.iterations == there
        learning.view.close()

    run(story)


@pytest.mark.parametrize(("hours", "first"), [(0, 125), (1, 101)])
def test_each_update_learns_a_quarter_more_or_for_one_frame(monkeypatch, hours, first):
    """It learns the whole step if no time passes, and one iteration if each look at the clock costs an hour."""

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
            # wait for the message: stopping earlier would interrupt the step
            await wait_until(lambda: any(number > 100 for number in seen))
            learning.stop()
            await wait_until(lambda: not learning_threads())
        await wait_until_idle()
        assert next(number for number in seen if number > 100) == first
        view.close()

    run(story)


def test_learning_stops_when_the_strategy_is_good_enough():
    """It says so, and cannot be started again."""

    async def story() -> None:
        view = board.Tree(
            tree_of({"": DecisionNode(0, "?", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))})
        )
        learning = view.get_learner().step(2000)
        assert learning.exploitability > 0
        learning.history.append((learning.iterations, TARGET_EXPLOITABILITY))
        learning.start()
        assert not learning.running
        assert view.learning["is_done"]
        assert english("board.learning.done").search(view.learning["text"])

    run(story)


@pytest.mark.parametrize("what", ["start", "step"])
def test_closing_a_view_ends_its_learning(what):
    """No thread goes on, no message is sent, and the view can be garbage collected."""

    async def story() -> None:
        view = board.Tree(kuhn())
        view.handle_message({"kind": "learn", "command": what, "number": 40})
        await wait_until(lambda: view.learner.iterations > 0)
        messages = []
        view.observe(messages.append, "learning")
        view.close()
        await wait_until(lambda: not learning_threads())
        await wait_until_idle()
        assert messages == []
        assert (view.learner.running, learning_threads()) == (False, [])

    run(story)


def test_a_learning_step_from_the_page_runs_in_the_background():
    """It makes the number of iterations asked for, and then stops."""

    async def story() -> None:
        view = board.Tree(matching_pennies())
        view.handle_message({"kind": "learn", "command": "step", "number": 12})
        await wait_until(lambda: view.learning["iterations"] == 12)
        assert not view.learner.running
        view.close()

    run(story)


def test_learning_needs_an_event_loop_to_run_automatically():
    """Without one `start` says so, and single steps work."""
    learning = board.Tree(matching_pennies()).get_learner()
    with pytest.raises(RefusedError, match=english("board.refused.alone", code="learning.step(n)")):
        learning.start()
    assert not learning.running
    assert repr(learning.step(3)).startswith("<LearningSession: 3 ")


def test_unlearnable_games_are_refused_with_a_message(monkeypatch):
    """Games of three players or with other than zero sum are refused; without numpy large ones too."""
    for tree in (tree_of({"": TerminalNode((1, 1, 1))}, seats=3), tree_of({"": TerminalNode((1, 1))})):
        with pytest.raises(RefusedError, match=english("board.refused.unfit.learn")):
            board.Tree(tree).get_learner()
    for name in [
        module for module in sys.modules if module.partition(".")[0] in ("numpy", "scipy") or module == "durak_widget.gametheory.cfr_plus"
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert LearningSession(board.Tree(matching_pennies())).step(5).iterations == 5  # it is small
    monkeypatch.setattr("durak_widget.board.cfr_panel.MAX_PURE_PYTHON_HISTORIES", 3)
    with pytest.raises(MissingPackageError, match="needs numpy and scipy"):
        LearningSession(board.Tree(matching_pennies()))


def test_invalid_numbers_of_iterations_are_refused():
    """Code and page get a message, and nothing is learned."""
    for n in [0, -1, 1.5, "2", None, True, 10**7]:
        view = board.Tree(matching_pennies())
        with pytest.raises(RefusedError, match=english("board.refused.steps")):
            view.get_learner().step(n)
        if n is not None:
            with pytest.raises(RefusedError):
                view.handle_message({"kind": "learn", "command": "step", "number": n})
        assert view.get_learner().iterations == 0


def test_learning_plot_has_at_most_two_hundred_points():
    """They are real points in order, with the first and the last, however long it ran."""
    points = [(number, 1 / number) for number in range(1, 5000)]
    thinned = thin_points(points)
    assert len(thinned) <= 200
    assert (thinned[0], thinned[-1]) == (points[0], points[-1])
    assert thinned == sorted(set(thinned))
    assert set(thinned) <= set(points)
    assert sum(number < 100 for number, _ in thinned) > 60
