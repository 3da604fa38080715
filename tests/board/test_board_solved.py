"""Solving, best responses and one's own strategy on a tree in the notebook: from code, from the page, and beside it."""

from __future__ import annotations

import threading
from fractions import Fraction

import pytest

from durak_widget import Rules, analysis, board, gametheory
from durak_widget.board import solver_commands, strategy_state
from durak_widget.errors import DurakError
from durak_widget.gametheory import Strategy
from durak_widget.gametheory.tree import DecisionNode, TerminalNode
from durak_widget.translated_errors import RefusedError
from support.loops import run, settled, until
from support.spoken import LATIN
from support.textbook import HALF, kuhn, matching_pennies, signalling, tree_of

LANGUAGES = ("en", "ru", "lt")


def pages(view):
    """What the page is sent by itself, from now on."""
    sent = []
    view.send = sent.append
    return sent


class Task:
    """An exercise that asks for a strategy of a seat."""

    question_kind, is_over = "strategy", False

    def __init__(self, seat):
        self.seat, self.asked = seat, 0

    def to_message(self):
        """Whose strategy is asked for."""
        self.asked += 1
        return {"seat": self.seat}

    def handle_answer(self, message):
        """Nothing is given to it: the tree holds the strategy."""
        raise AssertionError(message)


def test_from_code_it_is_solved_here_and_now():
    """By the fittest method, or the one that is named; the traits tell it at once; what cannot be solved so is refused in the solver's words."""
    view = board.Tree(kuhn())
    assert (view.told_solution, view.solution, view.strategy, view.exploitability) == ({}, None, None, None)
    assert view.solving["methods"] == ["lp", "cfr+", "pure", "answer"]
    view.solve()
    assert (view.solution.method, view.solution.value) == ("lp", Fraction(-1, 18))
    assert view.told_solution["said"] == ["value to Player 1: −1/18, exactly", "found by a linear program"]
    with pytest.raises(DurakError, match="does not know what the others did"):
        view.solve("backward")
    assert view.solution.method == "lp"
    opened = board.Tree(
        analysis.build_game_tree(Rules(suits="c", ranks="678", hand_size=1, trump="none", first_attacker="left_of_dealer"), dealer=1)
    )
    opened.solve()
    assert opened.solution.method == "backward"
    assert board.Tree(kuhn(), gametheory.solve(kuhn())).told_solution["which"] == "solution"


def test_a_strategy_is_tried_and_judged():
    """`view.strategy` may be any; what it gives away to a best response is known at once; None forgets it."""
    tree = signalling()
    view = board.Tree(tree, gametheory.solve(tree))
    view.strategy = Strategy.uniform(tree)
    assert view.exploitability == Fraction(1, 3) - 0  # who is called by every bet and folds half of the high cards has nothing in the end
    assert (view.told_solution["own"]["exploitability"], view.told_solution["own"]["value"]) == ("1/3", "0")
    assert view.told_solution["best_of"] == 1
    view.mark_best_responses(None)
    assert view.told_solution["best"] is None
    view.mark_best_responses(0)
    assert view.told_solution["said"][-1] == "marked: the best responses of Player 1, who then has 1/2"
    view.strategy = None
    assert (view.told_solution["which"], view.exploitability) == ("solution", None)
    with pytest.raises(DurakError, match="belongs to another tree"):
        view.strategy = Strategy.uniform(kuhn())


WHATEVER_THE_PAGE_SENDS_IS_REFUSED_IN_A_SENTENCE = [
    {"kind": "solve", "method": "simplex"},
    {"kind": "solve", "method": ["lp"]},
    {"kind": "best", "seat": 2},
    {"kind": "best", "seat": "0"},
    {"kind": "best", "seat": [0]},
    {"kind": "best"} | {"seat": 1.5},
    {"kind": "likely"},
    {"kind": "likely", "set": 0, "move": 0, "to": "much"},
    {"kind": "likely", "set": 0, "move": 0, "to": {"a": 1}},
    {"kind": "likely", "set": 10**30, "move": 0, "to": "1"},
    {"kind": "likely", "set": True, "move": 0, "to": "1"},
    {"kind": "show", "which": "everything"},
    {"kind": "show", "which": {}},
    {"kind": "learn", "what": "fast"},
    {"kind": "learn", "what": ["start"]},
]


def test_whatever_the_page_sends_is_refused_in_a_sentence():
    """In the language of the page, and nothing of what is shown changes."""
    for language in LANGUAGES:
        for message in WHATEVER_THE_PAGE_SENDS_IS_REFUSED_IN_A_SENTENCE:
            view = board.Tree(matching_pennies(), gametheory.solve(matching_pennies()), language=language)
            sent, before = pages(view), view.told_solution
            view._receive_message(view, message, [])
            assert [one["kind"] for one in sent] == ["error"]
            said = sent[0]["said"]
            assert said.endswith(".")
            assert len(said) < 200
            assert "Error" not in said
            assert view.told_solution == before
            if language == "ru" and message["kind"] in {"best", "likely", "show"}:
                assert LATIN.search(said.replace("much", "")) is None or "dict" in said


@pytest.mark.parametrize("language", ["en", pytest.param("lt", marks=pytest.mark.release), pytest.param("ru", marks=pytest.mark.release)])
def test_everything_said_of_strategies_is_said_in_each_language(language):
    """A solution of each method, one's own of each kind, what is learned: lines without a hole, and no word of another language."""
    pennies = matching_pennies()
    three = tree_of(
        {"": DecisionNode(0, "?", [("a", "a"), ("b", "b")]), "a": TerminalNode((1, 0, 2)), "b": TerminalNode((0, 3, 0))}, seats=3
    )
    lines = []
    for tree, method in ((pennies, "lp"), (pennies, "cfr+"), (pennies, "pure"), (pennies, "sampling"), (three, "backward")):
        view = board.Tree(tree, language=language)
        view.solve(method)
        lines += view.told_solution["said"]
        for likely in ("1", "1/3"):
            view.solver_panel.set_probability(0, 1, likely)
            lines += [*view.told_solution["said"], view.told_solution["own"]["said"]]
    view = board.Tree(pennies, language=language)
    view.strategy = Strategy.uniform(pennies)
    lines += view.told_solution["said"]
    view.get_learner().step(3)
    view.solver_panel.show_strategy("learning")
    lines += [*view.told_solution["said"], view.learning["said"]]
    view.strategy = None
    assert len(set(lines)) > 12
    for line in lines:
        assert line
        assert not {"{", "}", "None", "Fraction"} & set(line.split())
        assert "{" not in line
        if language == "ru":
            assert LATIN.search(line.replace("CFR", "")) is None, line
        if language != "en":
            assert "." not in line.replace("…", ""), line  # a decimal comma


def test_an_exercise_says_whose_strategy_is_set():
    """The seat's own probabilities may be set, the other's are refused; nothing is marked by itself, and the exercise hears of each change."""
    tree = signalling()
    view = board.Tree(tree)
    task = view.question = Task(1)
    view.strategy = Strategy.uniform(tree)
    assert (view.solver_panel.strategies.own_player, view.told_solution["best_of"]) == (1, None)
    asked = task.asked
    view.solver_panel.set_probability(1, 0, "1/3")
    assert task.asked > asked
    assert view.exploitability == 0
    with pytest.raises(RefusedError, match="the other player"):
        view.solver_panel.set_probability(0, 0, "1/3")
    task.is_over = True
    with pytest.raises(RefusedError, match="begin again"):
        view.solver_panel.set_probability(1, 0, "1/2")
    assert view.strategy["bet"][0] == Fraction(1, 3)


def test_nothing_is_worked_out_twice(monkeypatch):
    """Unfolding, looking and best responses asked for again cost no new computation."""
    counted = []
    for name in ("node_values", "best_response_set"):
        was = getattr(strategy_state, name)
        monkeypatch.setattr(strategy_state, name, lambda *given, was=was, name=name: (counted.append(name), was(*given))[1])
    view = board.Tree(kuhn(), gametheory.solve(kuhn()), values=True)
    view.mark_best_responses(0)
    assert sorted(counted) == ["best_response_set", "node_values"]
    view.unfold()
    view.go_to(9)
    view.fold()
    view.mark_best_responses(1)
    view.mark_best_responses(0)
    assert sorted(counted) == ["best_response_set", "best_response_set", "node_values"]
    told = view.told_solution
    view.go_to(0)
    assert view.told_solution is told


def test_of_a_large_tree_nothing_is_waited_for(monkeypatch):
    """What takes long is worked out on a thread: until then the page is told the rest, and that something is on its way."""
    monkeypatch.setattr(solver_commands, "MAX_QUICK_HISTORIES", 3)

    async def story() -> None:
        tree = kuhn()
        view = board.Tree(tree, gametheory.solve(tree), values=True)
        loop_thread, worked = threading.get_ident(), []
        was = strategy_state.node_values
        monkeypatch.setattr(strategy_state, "node_values", lambda *given: (worked.append(threading.get_ident()), was(*given))[1])
        await until(lambda: view.told_solution["value"] is not None)
        view.handle_message({"kind": "likely", "set": 0, "move": 0, "to": "1/4"})
        assert view.told_solution["likely"]["0"] == ["1/4", "3/4"]
        assert view.told_solution["own"]["said"] == "working it out …"
        assert view.solving["busy"]
        await until(lambda: not view.solving["busy"])
        assert view.told_solution["own"]["exploitability"] == str(view.exploitability)
        assert view.told_solution["value"] is not None
        assert worked
        assert loop_thread not in worked
        view.close()

    run(story)


def test_asked_by_the_page_it_is_solved_beside_it():
    """The page is told that it is being solved, and then the solution; what a solver does not take is told with what does, and the page waits no more."""

    async def story() -> None:
        view = board.Tree(kuhn())
        sent = pages(view)
        view.handle_message({"kind": "solve", "method": "lp"})
        assert view.solving["solving"] == "lp"
        assert view.solution is None
        await until(lambda: view.solution is not None)
        assert (view.solving["busy"], view.told_solution["which"]) == (False, "solution")
        view.handle_message({"kind": "solve", "method": "backward"})
        await until(lambda: not view.solving["busy"])
        assert [one["kind"] for one in sent] == ["error"]
        assert sent[0]["said"] == "Moves are hidden in this game: a linear program solves it."
        view.close()

    run(story)


def test_closed_while_it_is_solved_nothing_is_heard():
    """A view that is closed takes no solution that comes later."""

    async def story() -> None:
        view = board.Tree(kuhn())
        view.handle_message({"kind": "solve", "method": "lp"})
        view.close()
        await until(lambda: not [one for one in threading.enumerate() if one.name == "durak solve"])
        await settled()
        assert view.solution is None

    run(story)


def test_only_what_is_reached_is_unfolded():
    """After a solution just the histories that it reaches are open: each open one has a probability above 0."""
    view = board.Tree(signalling(), depth=0)
    view.solve()
    view.solver_panel.set_probability(0, 0, "1")  # who holds the high card folds
    view.unfold(only_reached=True)
    reach = dict(zip(view.expansion.shown_nodes, view.told_solution["reach"], strict=True))
    assert all(reach[one] > 0 for one in view.expansion.open_nodes)
    bets = [one for one in view.expansion.shown_nodes if view.tree.actor[one] == 1]
    assert [reach[one] > 0 for one in bets] == [False, True]
    assert bets[0] not in view.expansion.open_nodes
    assert HALF * view.strategy["low"][1] == Fraction(reach[bets[1]]).limit_denominator(1000)
