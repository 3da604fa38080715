"""Test the beliefs on the board: their source (Bayes' rule, trembles or none), their text, and that exercises hide them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from durak_widget import board, gametheory
from durak_widget.board import strategy_state
from durak_widget.board.belief_view_model import compute_beliefs
from durak_widget.widgets.appearance_settings import SettingError
from support.textbook import kuhn


def solved_textbook_game(name, method=None, **look):
    """Return a view of a textbook game, solved by a method."""
    view = board.Tree(gametheory.textbook(name), depth=9, **look)
    view.solve(method)
    return view


@pytest.mark.parametrize(
    ("name", "place", "chosen", "by", "probability"),
    [
        ("horse", "One or Two went down", 0, "trembles", ("1/3", "2/3")),
        ("horse", "One or Two went down", 1, "bayes", ("1", "0")),
        ("beer-quiche", "sees beer", 0, "bayes", ("9/10", "1/10")),
        ("beer-quiche", "sees quiche", 0, "trembles", ("1/2", "1/2")),
        ("bayes", "does not know", 0, "bayes", ("1/2", "1/2")),
        ("outside-option", (1, "chooses a concert"), 3, "fits", ("3/4", "1/4")),
    ],
)
def test_beliefs_and_their_source_match_the_textbook(name, place, chosen, by, probability):
    """Test Selten's horse, beer and quiche, a Bayesian game and the outside option."""
    view = solved_textbook_game(name)
    view.select_equilibrium(chosen)
    belief = view.solution_view["beliefs"][str(view.solution.strategy.find_infoset(place))]
    assert (belief["source"], tuple(text for text, _ in belief["nodes"].values())) == (by, probability)
    assert sum(weight for _, weight in belief["nodes"].values()) == pytest.approx(1)


def test_absent_minded_driver_has_beliefs_about_visits():
    """A driver who goes on with probability 2/3 believes with 3/5 to be at the first exit (Piccione and Rubinstein)."""
    tree = gametheory.textbook("driver")
    [found] = compute_beliefs(tree, gametheory.Strategy(tree, [(Fraction(1, 3), Fraction(2, 3))])).values()
    assert (found.source, found.probabilities) == ("bayes", (Fraction(3, 5), Fraction(2, 5)))


def test_a_strategy_outside_equilibrium_has_no_beliefs_off_its_path():
    """No number is shown where any belief is possible, and tiny probabilities are shown as almost 0."""
    tree = gametheory.textbook("beer-quiche")
    view = board.Tree(tree, depth=9, beliefs="on")
    view.strategy = gametheory.Strategy.from_mapping(
        tree, {"strong": "beer", "weak": {"beer": Fraction(9_999, 10_000), "quiche": Fraction(1, 10_000)}}
    )
    place = str(view.strategy.find_infoset("sees quiche"))
    assert [text for text, _ in view.solution_view["beliefs"][place]["nodes"].values()] == ["0", "1"]
    view.strategy = gametheory.Strategy.from_mapping(tree, {"strong": "beer", "weak": "beer"})
    belief = view.solution_view["beliefs"][place]
    assert (belief["source"], [text for text, _ in belief["nodes"].values()], "range" in belief) == ("open", ["?", "?"], False)


def test_beliefs_are_shown_with_equilibria_or_on_request():
    """They can be switched on and off, and an unknown value of the setting is refused."""
    listed, plain = solved_textbook_game("horse"), board.Tree(kuhn(), gametheory.solve(kuhn()), depth=9)
    assert (listed.solution_view["beliefs"] is None, plain.solution_view["beliefs"]) == (False, None)
    listed.beliefs, plain.beliefs = "off", "on"
    assert (listed.solution_view["beliefs"], plain.solution_view["beliefs"] is None) == (None, False)
    with pytest.raises(SettingError, match="'auto', 'on', 'off'"):
        listed.beliefs = True


def test_beliefs_are_computed_once_per_equilibrium(monkeypatch):
    """Folding the tree computes nothing, and another equilibrium computes them again."""
    counted = []
    was = strategy_state.compute_beliefs
    monkeypatch.setattr(strategy_state, "compute_beliefs", lambda *given: (counted.append(1), was(*given))[1])
    view = solved_textbook_game("horse")
    view.fold()
    view.unfold()
    view.beliefs = "off"
    view.beliefs = "on"
    assert len(counted) == 1
    view.select_equilibrium(1)
    assert len(counted) == 2


class Asks:
    """An exercise on the tree."""

    question_kind, is_over = "strategy", False

    def to_message(self):
        """Return an exercise that asks for a strategy."""
        return {"player": 1}


def test_beliefs_are_hidden_during_an_exercise():
    """No setting can show them."""
    view = solved_textbook_game("beer-quiche", beliefs="on")
    assert view.solution_view["beliefs"]
    view.question = Asks()
    view.refresh()
    assert view.solution_view["beliefs"] is None
