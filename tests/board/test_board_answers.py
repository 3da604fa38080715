"""The button that solves always answers: what is found stands in a list, in the words of the page, and one of it is drawn."""

from __future__ import annotations

from fractions import Fraction

import pytest

from durak_widget import board, gametheory
from durak_widget.gametheory import textbook_games
from durak_widget.gametheory.solver_selection import GameAnswer, list_equilibria
from durak_widget.gametheory.tree import DecisionNode, TerminalNode, TreeError
from durak_widget.i18n import Translator
from durak_widget.translated_errors import RefusedError
from support.loops import run, until
from support.spoken import LATIN
from support.textbook import kuhn, matching_pennies, signalling, tree_of

LANGUAGES = ("en", "ru", "lt")


def pages(view):
    """What the page is sent by itself, from now on."""
    sent = []
    view.send = sent.append
    return sent


def three_firms():
    """Each of three firms enters or not, without seeing the others; a market of so many brings 2, 1, or costs 1."""

    def paid(way):
        many = way.count("i")
        return tuple({1: 2, 2: 1, 3: -1}[many] if one == "i" else 0 for one in way)

    places = {}
    for way in ("", "i", "o", "ii", "io", "oi", "oo"):
        seat = len(way)
        places[way] = DecisionNode(seat, f"firm {seat}", [("in", way + "i"), ("out", way + "o")])
        places |= {way + one: TerminalNode(paid(way + one)) for one in "io" if seat == 2}
    return tree_of(places, seats=3)


def forgets_its_coin():
    """One lays heads or tails, forgets which, and says one; the other, who saw neither, bets on whether both are alike. No behaviour is an equilibrium (Wichardt 2008)."""
    places = {"": DecisionNode(0, "lays", [("h", "h"), ("t", "t")])}
    for laid in "ht":
        places[laid] = DecisionNode(0, "says", [("h", laid + "h"), ("t", laid + "t")])
        for said in "ht":
            places[laid + said] = DecisionNode(1, "bets", [("alike", laid + said + "a"), ("not", laid + said + "n")])
            for bet in "an":
                mine = -2 if laid != said else 1 if (laid == "h") == (bet == "a") else -1
                places[laid + said + bet] = TerminalNode((mine, -mine))
    return tree_of(places)


GAMES = {
    **{name: (lambda name=name: gametheory.textbook(name)) for name in textbook_games._list_names()},
    "three firms": three_firms,
    "its coin": forgets_its_coin,
}


@pytest.mark.parametrize("name", GAMES)
def test_the_button_answers_every_game(name):
    """All games of the textbooks, three firms, one who forgets: no refusal; a value, or a list with names, payoffs and why."""

    async def story() -> None:
        view = board.Tree(GAMES[name]())
        sent = pages(view)
        view.handle_message({"kind": "solve"})
        assert view.solving["busy"]
        await until(lambda: not view.solving["busy"])
        assert sent == []
        told = view.told_answer
        assert bool(told) == isinstance(view.solution, GameAnswer)
        if name == "its coin":
            assert (view.told_solution, told["none"]) == ({}, "Nothing was found.")
            assert len(told["mixed"]["list"]) == 1
        else:
            assert view.told_solution["which"] == "solution"
            assert not told or (told["at"] == 0 and told["notes"] and all(one["said"] and one["lines"] for one in told["found"]))
        view.close()

    run(story)


def test_what_the_books_say_stands_in_the_list():
    """Selten's horse, beer and quiche, the outside option, entry: by the names of the books, with where and by whom they are refuted."""

    def found(name):
        view = board.Tree(gametheory.textbook(name))
        view.solve("answer")
        return [(one["said"], one["kind"], one["worth"], one["lines"][:-1]) for one in view.told_answer["found"]]

    horse = found("horse")
    assert horse[0][:3] == ("Sequential equilibrium", "pure", ["1", "1", "1"])
    assert horse[1] == (
        "Nash equilibrium",
        "pure, not sequential",
        ["3", "2", "2"],
        ["Not sequential: at “One went across” (Two) no belief makes the move best."],
    )
    quiche = found("beer-quiche")
    assert quiche[0][3][1] == "The intuitive criterion lets it stand."
    assert quiche[2][1] == "pure, pooling, fails the intuitive criterion"
    assert quiche[2][3][1] == "Refuted by the intuitive criterion: “beer” would come from “strong”."
    outside = found("outside-option")
    assert [one[0] for one in outside] == ["Sequential equilibrium"] * 3 + ["Weak perfect Bayesian equilibrium"]
    assert "An equilibrium of each subgame too." in outside[1][3]
    assert outside[3][3] == [
        "Not subgame-perfect: after “concert” somebody gains by leaving it.",
        "Weak: where play never comes anything may be believed, even what contradicts itself.",
    ]
    assert [one[0] for one in found("entry")][:2] == ["Subgame-perfect equilibrium", "Nash equilibrium"]


def test_another_is_drawn_when_it_is_chosen():
    """By the page or by code: its moves on the branches, its worth beside them; one's own strategy begins there."""
    view = board.Tree(gametheory.textbook("horse"), depth=9, values=True)
    view.solve()
    assert (view.told_solution["likely"]["0"], view.told_solution["value"][0]) == (["0", "1"], ["1", "1", "1"])
    view.handle_message({"kind": "choose", "place": 1})
    assert (view.told_solution["likely"]["0"], view.told_solution["value"][0]) == (["1", "0"], ["3", "2", "2"])
    assert view.told_answer["at"] == 1
    view.handle_message({"kind": "own"})
    assert view.told_answer["at"] is None
    assert view.strategy == view.solution.equilibria[1].strategy
    view.select_equilibrium(0)
    assert (view.told_answer["at"], view.told_solution["which"]) == (0, "solution")
    for wrong in (2, -1, "0", None, True, 0.5):
        with pytest.raises(RefusedError, match="no such equilibrium"):
            view.select_equilibrium(wrong)
    assert view.told_answer["at"] == 0
    with pytest.raises(RefusedError, match="no such equilibrium"):
        board.Tree(kuhn(), gametheory.solve(kuhn())).select_equilibrium(0)


def test_a_list_of_a_zero_sum_game_knows_its_value():
    """Asked for by name, where a linear program is the fittest: each equilibrium is worth the same, and one's own strategy is judged by that."""
    view = board.Tree(signalling())
    view.solve("answer")
    assert {tuple(one.payoffs) for one in view.solution.equilibria} == {(Fraction(1, 3), Fraction(-1, 3))}
    assert view.solution.lower == view.solution.upper == Fraction(1, 3)
    view.strategy = gametheory.Strategy.uniform(view.tree)
    assert view.exploitability == Fraction(1, 3)


def test_everything_that_is_found_is_said_in_each_language():
    """Lines without a hole; no word of another language but what the game itself is called."""
    for language in LANGUAGES:
        games, texts = ("horse", "beer-quiche", "outside-option", "driver", "entry", "its coin"), set()
        for name in games:
            view = board.Tree(GAMES[name](), language=language)
            view.solve("answer")
            told = view.told_answer
            texts |= {*told["notes"], *told["who"], told["title"], told["none"]}
            texts |= {line for one in told["found"] for line in (one["said"], one["kind"], *one["lines"])}
            texts |= {told["mixed"]["title"], *told["mixed"]["notes"]} if told["mixed"] else set()
        assert len(texts) > 20
        trees = [GAMES[name]() for name in games]
        own = {word for tree in trees for one in tree.infosets for word in (one.label, *one.actions)} | {
            name for tree in trees for name in tree.names
        }
        for text in texts:
            assert "{" not in text
            if language == "ru":
                bare = text
                for word in sorted(own, key=len, reverse=True):
                    bare = bare.replace(word, "") if word else bare
                assert LATIN.search(bare) is None, text


def test_a_method_that_does_not_fit_never_leads_in_a_circle():
    """A page that asks for one all the same has the answer where no method fits, and the method that fits where there is one."""

    async def story() -> None:
        view = board.Tree(gametheory.textbook("bayes"))
        sent = pages(view)
        view.handle_message({"kind": "solve", "method": "backward"})
        await until(lambda: not view.solving["busy"])
        assert (sent, len(view.told_answer["found"])) == ([], 3)
        view.close()

    run(story)


def test_what_cannot_be_answered_is_said_in_the_words_of_the_page(monkeypatch):
    """No solver's sentence comes to a page."""

    def fails(_tree, _method=None):
        raise TreeError("it is too large")

    from durak_widget.board import solver_commands  # noqa: PLC0415 - where it is asked

    monkeypatch.setattr(solver_commands, "solve_game", fails)

    async def story() -> None:
        view = board.Tree(gametheory.textbook("bayes"), language="lt")
        sent = pages(view)
        view.handle_message({"kind": "solve"})
        await until(lambda: not view.solving["busy"])
        assert [one["said"] for one in sent] == [Translator("lt").translate("board.refused.answer")]
        view.close()

    run(story)


class Asks:
    """An exercise on the tree."""

    question_kind, is_over = "values", False

    def to_message(self):
        """Nothing is given yet."""
        return {}


def test_while_something_is_asked_no_list_answers_it():
    """Not what was found before, and nothing may be chosen."""
    tree = gametheory.textbook("horse")
    view = board.Tree(tree, list_equilibria(tree))
    assert view.told_answer["found"]
    view.question = Asks()
    assert view.told_answer == {}
    with pytest.raises(RefusedError, match="answer it first"):
        view.handle_message({"kind": "choose", "place": 1})
    view.question = None
    assert view.told_answer["found"]


def test_payoffs_that_no_float_holds_are_solved_plan_by_plan():
    """The method that is offered is one that takes the game."""
    huge = 10**400
    pennies = matching_pennies()
    places = {
        "": DecisionNode(0, "?", [("l", "l"), ("r", "r")]),
        "l": DecisionNode(1, "!", [("L", "lL"), ("R", "lR")]),
        "r": DecisionNode(1, "!", [("L", "rL"), ("R", "rR")]),
    }
    places |= {
        one: TerminalNode((huge if one in {"lL", "rR"} else -huge, -huge if one in {"lL", "rR"} else huge))
        for one in ("lL", "lR", "rL", "rR")
    }
    view = board.Tree(tree_of(places))
    assert view.solving["methods"][0] == "plans"
    view.solve()
    assert view.solution.value == gametheory.solve(pennies).value == 0
