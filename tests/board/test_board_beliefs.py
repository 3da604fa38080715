"""Whom a player thinks it is facing, on the board: by Bayes' rule, by trembles, by nothing; told where it is shown, and never where something is asked."""

from __future__ import annotations

from fractions import Fraction

import pytest

from durak_widget import board, gametheory
from durak_widget.board import strategy_state
from durak_widget.board.belief_view_model import compute_beliefs
from durak_widget.widgets.appearance_settings import SettingError
from support.textbook import kuhn


def solved(name, method=None, **look):
    """A game of the textbooks, open and solved."""
    view = board.Tree(gametheory.textbook(name), depth=9, **look)
    view.solve(method)
    return view


@pytest.mark.parametrize(
    ("name", "place", "chosen", "by", "likely"),
    [
        ("horse", "One or Two went down", 0, "trembles", ("1/3", "2/3")),
        ("horse", "One or Two went down", 1, "bayes", ("1", "0")),
        ("beer-quiche", "sees beer", 0, "bayes", ("9/10", "1/10")),
        ("beer-quiche", "sees quiche", 0, "trembles", ("1/2", "1/2")),
        ("bayes", "does not know", 0, "bayes", ("1/2", "1/2")),
        ("outside-option", (1, "chooses a concert"), 3, "fits", ("3/4", "1/4")),
    ],
)
def test_beliefs_are_those_of_the_books_and_say_where_they_come_from(name, place, chosen, by, likely):
    """Selten's horse, beer and quiche, a Bayesian game, the outside option."""
    view = solved(name)
    view.select_equilibrium(chosen)
    told = view.told_solution["beliefs"][str(view.solution.strategy.find_infoset(place))]
    assert (told["by"], tuple(text for text, _ in told["at"].values())) == (by, likely)
    assert sum(weight for _, weight in told["at"].values()) == pytest.approx(1)


def test_of_an_absent_minded_driver_visits_are_believed_in():
    """Piccione and Rubinstein: who goes on with 2/3 thinks itself at the first exit with 3/5."""
    tree = gametheory.textbook("driver")
    [found] = compute_beliefs(tree, gametheory.Strategy(tree, [(Fraction(1, 3), Fraction(2, 3))])).values()
    assert (found.source, found.probabilities) == ("bayes", (Fraction(3, 5), Fraction(2, 5)))


def test_of_what_is_no_equilibrium_nothing_is_made_up():
    """Off its path anything may be believed: no number is told; and what is next to nothing is told as that."""
    tree = gametheory.textbook("beer-quiche")
    view = board.Tree(tree, depth=9, beliefs="on")
    view.strategy = gametheory.Strategy.from_mapping(
        tree, {"strong": "beer", "weak": {"beer": Fraction(9_999, 10_000), "quiche": Fraction(1, 10_000)}}
    )
    place = str(view.strategy.find_infoset("sees quiche"))
    assert [text for text, _ in view.told_solution["beliefs"][place]["at"].values()] == ["0", "1"]
    view.strategy = gametheory.Strategy.from_mapping(tree, {"strong": "beer", "weak": "beer"})
    told = view.told_solution["beliefs"][place]
    assert (told["by"], [text for text, _ in told["at"].values()], "range" in told) == ("open", ["?", "?"], False)


def test_beliefs_are_shown_where_they_are_wanted():
    """By themselves where equilibria are listed; switched on and off anywhere; a value that there is not is refused."""
    listed, plain = solved("horse"), board.Tree(kuhn(), gametheory.solve(kuhn()), depth=9)
    assert (listed.told_solution["beliefs"] is None, plain.told_solution["beliefs"]) == (False, None)
    listed.beliefs, plain.beliefs = "off", "on"
    assert (listed.told_solution["beliefs"], plain.told_solution["beliefs"] is None) == (None, False)
    with pytest.raises(SettingError, match="takes 'auto', 'on', 'off'"):
        listed.beliefs = True


def test_they_are_worked_out_once(monkeypatch):
    """However often the tree is folded; and chosen again, anew for that equilibrium."""
    counted = []
    was = strategy_state.compute_beliefs
    monkeypatch.setattr(strategy_state, "compute_beliefs", lambda *given: (counted.append(1), was(*given))[1])
    view = solved("horse")
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
        """Whose strategy is asked for."""
        return {"seat": 1}


def test_while_something_is_asked_no_belief_answers_it():
    """Whatever the setting says."""
    view = solved("beer-quiche", beliefs="on")
    assert view.told_solution["beliefs"]
    view.question = Asks()
    view.refresh()
    assert view.told_solution["beliefs"] is None
