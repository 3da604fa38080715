"""Test solving, best responses and your own strategy on the tree board, from code and from the page."""

from __future__ import annotations

import threading
from fractions import Fraction
from typing import Any

import pytest

from durak_widget import Rules, analysis, board, gametheory
from durak_widget.board import solver_commands, strategy_state
from durak_widget.errors import DurakError
from durak_widget.gametheory import Strategy
from durak_widget.gametheory.tree import DecisionNode, TerminalNode
from durak_widget.i18n import Translator
from durak_widget.translated_errors import RefusedError
from support.loops import run, wait_until, wait_until_idle
from support.spoken import LATIN, english, english_text
from support.textbook import HALF, kuhn, matching_pennies, signalling, tree_of

LANGUAGES = ("en", "ru", "lt")


def messages_to_page(view):
    """Return the list to which all later messages to the page are added."""
    sent = []
    view.send = sent.append
    return sent


class Task:
    """An exercise that asks for a strategy of a seat."""

    question_kind, is_over = "strategy", False

    def __init__(self, seat):
        self.seat, self.asked = seat, 0

    def to_message(self):
        """Return an exercise that asks for a player's strategy."""
        self.asked += 1
        return {"player": self.seat}

    def handle_answer(self, message):
        """Do nothing: the tree keeps the strategy."""
        raise AssertionError(message)


@pytest.mark.parametrize("language", LANGUAGES)
def test_backward_induction_with_hidden_cards_says_why_it_can(language: str):
    """It goes from the last information sets to the first, because only chance is hidden."""
    hands = [(card, Fraction(1, 2), card) for card in ("low", "high")]
    nodes: dict[str, Any] = {"": gametheory.ChanceNode(hands)}
    for card in ("low", "high"):
        nodes[card] = gametheory.DecisionNode(0, "sees no card", [("bets", f"{card} bets"), ("passes", "passed")])
    nodes |= {
        "low bets": gametheory.TerminalNode((-1, 1)),
        "high bets": gametheory.TerminalNode((2, -2)),
        "passed": gametheory.TerminalNode((0, 0)),
    }
    view = board.Tree(gametheory.build_tree("", nodes.__getitem__, player_count=2), language=language)
    view.solve("backward")
    reason = Translator(language).translate("board.solved.by.hidden")
    assert reason in view.solution_view["sentences"]
    view.solve("lp")
    assert reason not in view.solution_view["sentences"]


def test_solving_from_code_is_done_at_once():
    """It uses the best or the named method. If none can solve the game, the solver's message is raised."""
    view = board.Tree(kuhn())
    assert (view.solution_view, view.solution, view.strategy, view.exploitability) == ({}, None, None, None)
    assert view.solver_state["methods"] == ["lp", "cfr+", "pure", "answer"]
    view.solve()
    assert (view.solution.method, view.solution.value) == ("lp", Fraction(-1, 18))
    assert view.solution_view["sentences"] == [
        english_text("board.solved.exact", name="Player 1", value="−1/18"),
        english_text("board.solved.by", method=english_text("board.method.lp")),
    ]
    with pytest.raises(DurakError, match="others did"):
        view.solve("backward")
    assert view.solution.method == "lp"
    opened = board.Tree(
        analysis.build_game_tree(Rules(suits="c", ranks="678", hand_size=1, trump="none", first_attacker="left_of_dealer"), dealer=1)
    )
    opened.solve()
    assert opened.solution.method == "backward"
    assert english_text("board.solved.by", method=english_text("board.method.backward")) in opened.solution_view["sentences"]
    assert board.Tree(kuhn(), gametheory.solve(kuhn())).solution_view["shown_kind"] == "solution"


def test_a_strategy_can_be_set_and_its_exploitability_is_shown():
    """Any strategy can be set as `view.strategy`, and None removes it."""
    tree = signalling()
    view = board.Tree(tree, gametheory.solve(tree))
    view.strategy = Strategy.uniform(tree)
    assert view.exploitability == Fraction(1, 3) - 0  # always calling, and folding half of the high cards, gives 0
    assert (view.solution_view["own_guarantee"]["exploitability"], view.solution_view["own_guarantee"]["value"]) == ("1/3", "0")
    assert view.solution_view["best_response_player"] == 1
    view.mark_best_responses(None)
    assert view.solution_view["best_responses"] is None
    view.mark_best_responses(0)
    assert view.solution_view["sentences"][-1] == english_text("board.best", name="Player 1", value="1/2")
    view.strategy = None
    assert (view.solution_view["shown_kind"], view.exploitability) == ("solution", None)
    with pytest.raises(DurakError, match="another tree"):
        view.strategy = Strategy.uniform(kuhn())


WHATEVER_THE_PAGE_SENDS_IS_REFUSED_IN_A_SENTENCE = [
    {"kind": "solve", "method": "simplex"},
    {"kind": "solve", "method": ["lp"]},
    {"kind": "mark_best_responses", "player": 2},
    {"kind": "mark_best_responses", "player": "0"},
    {"kind": "mark_best_responses", "player": [0]},
    {"kind": "mark_best_responses"} | {"player": 1.5},
    {"kind": "set_probability"},
    {"kind": "set_probability", "infoset": 0, "action": 0, "probability": "much"},
    {"kind": "set_probability", "infoset": 0, "action": 0, "probability": {"a": 1}},
    {"kind": "set_probability", "infoset": 10**30, "action": 0, "probability": "1"},
    {"kind": "set_probability", "infoset": True, "action": 0, "probability": "1"},
    {"kind": "show_strategy", "strategy": "everything"},
    {"kind": "show_strategy", "strategy": {}},
    {"kind": "learn", "command": "fast"},
    {"kind": "learn", "command": ["start"]},
]


def test_invalid_messages_are_refused_in_the_page_language():
    """What is shown does not change."""
    for language in LANGUAGES:
        for message in WHATEVER_THE_PAGE_SENDS_IS_REFUSED_IN_A_SENTENCE:
            view = board.Tree(matching_pennies(), gametheory.solve(matching_pennies()), language=language)
            sent, before = messages_to_page(view), view.solution_view
            view._receive_message(view, message, [])
            assert [message["kind"] for message in sent] == ["error"]
            sentence = sent[0]["text"]
            assert sentence.endswith(".")
            assert len(sentence) < 200
            assert "Error" not in sentence
            assert view.solution_view == before
            if language == "ru" and message["kind"] in {"mark_best_responses", "set_probability", "show_strategy"}:
                assert LATIN.search(sentence.replace("much", "")) is None or "dict" in sentence


@pytest.mark.parametrize("language", ["en", pytest.param("lt", marks=pytest.mark.release), pytest.param("ru", marks=pytest.mark.release)])
def test_texts_on_strategies_are_complete_in_each_language(language):
    """No line about solutions, your own strategy or learning has an unfilled field or foreign word."""
    pennies = matching_pennies()
    three = tree_of(
        {"": DecisionNode(0, "?", [("a", "a"), ("b", "b")]), "a": TerminalNode((1, 0, 2)), "b": TerminalNode((0, 3, 0))}, seats=3
    )
    lines = []
    for tree, method in ((pennies, "lp"), (pennies, "cfr+"), (pennies, "pure"), (pennies, "sampling"), (three, "backward")):
        view = board.Tree(tree, language=language)
        view.solve(method)
        lines += view.solution_view["sentences"]
        for probability in ("1", "1/3"):
            view.solver_panel.set_probability(0, 1, probability)
            lines += [*view.solution_view["sentences"], view.solution_view["own_guarantee"]["text"]]
    view = board.Tree(pennies, language=language)
    view.strategy = Strategy.uniform(pennies)
    lines += view.solution_view["sentences"]
    view.get_learner().step(3)
    view.solver_panel.show_strategy("learning")
    lines += [*view.solution_view["sentences"], view.learning["text"]]
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


def test_an_exercise_names_the_player_whose_strategy_is_set():
    """Only that player's probabilities can be set, nothing is marked, and the exercise gets each change."""
    tree = signalling()
    view = board.Tree(tree)
    task = view.question = Task(1)
    view.strategy = Strategy.uniform(tree)
    assert (view.solver_panel.strategies.own_player, view.solution_view["best_response_player"]) == (1, None)
    asked = task.asked
    view.solver_panel.set_probability(1, 0, "1/3")
    assert task.asked > asked
    assert view.exploitability == 0
    with pytest.raises(RefusedError, match=english("board.refused.other_seat")):
        view.solver_panel.set_probability(0, 0, "1/3")
    task.is_over = True
    with pytest.raises(RefusedError, match=english("board.refused.over")):
        view.solver_panel.set_probability(1, 0, "1/2")
    assert view.strategy["bet"][0] == Fraction(1, 3)


def test_solutions_are_computed_once(monkeypatch):
    """Unfolding, looking and repeated best responses compute nothing."""
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
    message = view.solution_view
    view.go_to(0)
    assert view.solution_view is message


def test_slow_computations_of_large_trees_run_on_a_thread(monkeypatch):
    """Meanwhile the page gets the rest, and a note that more follows."""
    monkeypatch.setattr(solver_commands, "MAX_QUICK_HISTORIES", 3)

    async def story() -> None:
        tree = kuhn()
        view = board.Tree(tree, gametheory.solve(tree), values=True)
        loop_thread, worked = threading.get_ident(), []
        was = strategy_state.node_values
        monkeypatch.setattr(strategy_state, "node_values", lambda *given: (worked.append(threading.get_ident()), was(*given))[1])
        await wait_until(lambda: view.solution_view["values"] is not None)
        view.handle_message({"kind": "set_probability", "infoset": 0, "action": 0, "probability": "1/4"})
        assert view.solution_view["probabilities"]["0"] == ["1/4", "3/4"]
        assert view.solution_view["own_guarantee"]["text"] == english_text("board.busy")
        assert view.solver_state["is_busy"]
        await wait_until(lambda: not view.solver_state["is_busy"])
        assert view.solution_view["own_guarantee"]["exploitability"] == str(view.exploitability)
        assert view.solution_view["values"] is not None
        assert worked
        assert loop_thread not in worked
        view.close()

    run(story)


def test_solving_from_the_page_runs_in_the_background():
    """The page gets "solving", then the solution. If a method is refused, it gets one that works."""

    async def story() -> None:
        view = board.Tree(kuhn())
        sent = messages_to_page(view)
        view.handle_message({"kind": "solve", "method": "lp"})
        assert view.solver_state["running_method"] == "lp"
        assert view.solution is None
        await wait_until(lambda: view.solution is not None)
        assert (view.solver_state["is_busy"], view.solution_view["shown_kind"]) == (False, "solution")
        view.handle_message({"kind": "solve", "method": "backward"})
        await wait_until(lambda: not view.solver_state["is_busy"])
        assert [message["kind"] for message in sent] == ["error"]
        assert sent[0]["text"] == english_text("board.refused.unfit.lp")
        view.close()

    run(story)


def test_a_closed_view_ignores_a_late_solution():
    """No message is sent after closing."""

    async def story() -> None:
        view = board.Tree(kuhn())
        view.handle_message({"kind": "solve", "method": "lp"})
        view.close()
        await wait_until(lambda: not [thread for thread in threading.enumerate() if thread.name == "durak solve"])
        await wait_until_idle()
        assert view.solution is None

    run(story)


def test_only_reached_histories_are_open_after_a_solution():
    """Each open history has a positive probability."""
    view = board.Tree(signalling(), depth=0)
    view.solve()
    view.solver_panel.set_probability(0, 0, "1")  # the player with the high card folds
    view.unfold(only_reached=True)
    reach = dict(zip(view.expansion.shown_nodes, view.solution_view["reach"], strict=True))
    assert all(reach[node] > 0 for node in view.expansion.open_nodes)
    bets = [node for node in view.expansion.shown_nodes if view.tree.actor[node] == 1]
    assert [reach[bet] > 0 for bet in bets] == [False, True]
    assert bets[0] not in view.expansion.open_nodes
    assert HALF * view.strategy["low"][1] == Fraction(reach[bets[1]]).limit_denominator(1000)
