"""Test the button that solves a tree: it always gives an answer, and one equilibrium of its list is drawn."""

from __future__ import annotations

from fractions import Fraction

import pytest

from durak_widget import board, gametheory
from durak_widget.gametheory import textbook_games
from durak_widget.gametheory.equilibrium_list import _NOTES
from durak_widget.gametheory.solver_selection import GameAnswer, list_equilibria
from durak_widget.gametheory.tree import DecisionNode, TerminalNode, TreeError
from durak_widget.i18n import Translator
from durak_widget.translated_errors import RefusedError
from support.loops import run, wait_until
from support.spoken import LATIN, english, english_text
from support.textbook import kuhn, matching_pennies, signalling, tree_of

LANGUAGES = ("en", "ru", "lt")


def messages_to_page(view):
    """Return the list to which all later messages to the page are added."""
    sent = []
    view.send = sent.append
    return sent


def three_firms():
    """Return a game in which three firms enter a market or not, without seeing each other's choice."""

    def paid(way):
        many = way.count("i")
        return tuple({1: 2, 2: 1, 3: -1}[many] if choice == "i" else 0 for choice in way)

    places = {}
    for way in ("", "i", "o", "ii", "io", "oi", "oo"):
        seat = len(way)
        places[way] = DecisionNode(seat, f"firm {seat}", [("in", way + "i"), ("out", way + "o")])
        places |= {way + choice: TerminalNode(paid(way + choice)) for choice in "io" if seat == 2}
    return tree_of(places, seats=3)


def forgotten_coin():
    """Return a game without an equilibrium in behaviour strategies (Wichardt 2008).

    Player 1 chooses heads or tails, forgets it, and names one. Player 2 bets whether both are the same.
    """
    places = {"": DecisionNode(0, "lays", [("h", "h"), ("t", "t")])}
    for coin in "ht":
        places[coin] = DecisionNode(0, "says", [("h", coin + "h"), ("t", coin + "t")])
        for guess in "ht":
            places[coin + guess] = DecisionNode(1, "bets", [("alike", coin + guess + "a"), ("not", coin + guess + "n")])
            for bet in "an":
                mine = -2 if coin != guess else 1 if (coin == "h") == (bet == "a") else -1
                places[coin + guess + bet] = TerminalNode((mine, -mine))
    return tree_of(places)


GAMES = {
    **{name: (lambda name=name: gametheory.textbook(name)) for name in textbook_games._list_names()},
    "three firms": three_firms,
    "its coin": forgotten_coin,
}


@pytest.mark.parametrize("name", GAMES)
def test_solve_button_answers_every_game(name):
    """Test textbook games, three firms and imperfect recall: each gets a value or a list with names, payoffs and reasons."""

    async def story() -> None:
        view = board.Tree(GAMES[name]())
        sent = messages_to_page(view)
        view.handle_message({"kind": "solve"})
        assert view.solver_state["is_busy"]
        await wait_until(lambda: not view.solver_state["is_busy"])
        assert sent == []
        answer = view.answer_view
        assert bool(answer) == isinstance(view.solution, GameAnswer)
        if name == "its coin":
            assert (view.solution_view, answer["empty_note"]) == ({}, english_text("board.answer.none"))
            assert len(answer["mixed"]["list"]) == 1
        else:
            assert view.solution_view["shown_kind"] == "solution"
            assert not answer or (
                answer["selected_index"] == 0
                and answer["notes"]
                and all(node["title"] and node["reasons"] for node in answer["equilibria"])
            )
        view.close()

    run(story)


def title_of(kind):
    """Return the title of an equilibrium of this kind in the list."""
    name = english_text(f"board.answer.called.{kind}")
    return name[0].upper() + name[1:]


def test_equilibrium_list_has_the_textbook_equilibria():
    """The list names them as the books do, and says where and by which concept each is refuted."""

    def found(name):
        view = board.Tree(gametheory.textbook(name))
        view.solve("answer")
        return [
            (equilibrium["title"], equilibrium["kind"], equilibrium["payoffs"], equilibrium["reasons"][:-1])
            for equilibrium in view.answer_view["equilibria"]
        ]

    horse = found("horse")
    assert horse[0][:3] == (title_of("sequential"), "pure", ["1", "1", "1"])
    assert horse[1] == (
        title_of("nash"),
        f"pure, {english_text('board.answer.lacks.sequential')}",
        ["3", "2", "2"],
        [english_text("board.answer.not.sequential", knows="One went across", name="Two")],
    )
    quiche = found("beer-quiche")
    assert quiche[0][3][1] == english_text("board.answer.kept")
    assert quiche[2][1] == ", ".join(["pure", "pooling", english_text("board.answer.lacks.intuitive")])
    assert quiche[2][3][1] == english_text("board.answer.refuted", message="beer", by="strong")
    outside = found("outside-option")
    assert [row[0] for row in outside] == [title_of("sequential")] * 3 + [title_of("weak")]
    assert english_text("board.answer.subgames") in outside[1][3]
    assert outside[3][3] == [
        english_text("board.answer.not.perfect", move="concert"),
        english_text("board.answer.weak"),
    ]
    assert [row[0] for row in found("entry")][:2] == [title_of("perfect"), title_of("nash")]


def test_choosing_another_equilibrium_draws_it():
    """Its moves and payoffs are drawn, whether the page or code chooses it. Your own strategy starts from it."""
    view = board.Tree(gametheory.textbook("horse"), depth=9, values=True)
    view.solve()
    assert (view.solution_view["probabilities"]["0"], view.solution_view["values"][0]) == (["0", "1"], ["1", "1", "1"])
    view.handle_message({"kind": "select_equilibrium", "index": 1})
    assert (view.solution_view["probabilities"]["0"], view.solution_view["values"][0]) == (["1", "0"], ["3", "2", "2"])
    assert view.answer_view["selected_index"] == 1
    view.handle_message({"kind": "start_own_strategy"})
    assert view.answer_view["selected_index"] is None
    assert view.strategy == view.solution.equilibria[1].strategy
    view.select_equilibrium(0)
    assert (view.answer_view["selected_index"], view.solution_view["shown_kind"]) == (0, "solution")
    for wrong in (2, -1, "0", None, True, 0.5):
        with pytest.raises(RefusedError, match=english("board.refused.equilibrium")):
            view.select_equilibrium(wrong)
    assert view.answer_view["selected_index"] == 0
    with pytest.raises(RefusedError, match=english("board.refused.equilibrium")):
        board.Tree(kuhn(), gametheory.solve(kuhn())).select_equilibrium(0)


def test_equilibrium_list_of_a_zero_sum_game_shows_its_value():
    """All listed equilibria have the same payoff, and your own strategy is compared with it."""
    view = board.Tree(signalling())
    view.solve("answer")
    assert {tuple(equilibrium.payoffs) for equilibrium in view.solution.equilibria} == {(Fraction(1, 3), Fraction(-1, 3))}
    assert view.solution.lower == view.solution.upper == Fraction(1, 3)
    view.strategy = gametheory.Strategy.uniform(view.tree)
    assert view.exploitability == Fraction(1, 3)


def test_answers_are_complete_in_each_language():
    """No line has an unfilled field or a word of another language, except the game's own names."""
    for language in LANGUAGES:
        games, texts = ("horse", "beer-quiche", "outside-option", "driver", "entry", "its coin"), set()
        for name in games:
            view = board.Tree(GAMES[name](), language=language)
            view.solve("answer")
            answer = view.answer_view
            texts |= {*answer["notes"], *answer["imperfect_recall"], answer["title"], answer["empty_note"]}
            texts |= {line for node in answer["equilibria"] for line in (node["title"], node["kind"], *node["reasons"])}
            texts |= {answer["mixed"]["title"], *answer["mixed"]["notes"]} if answer["mixed"] else set()
        assert len(texts) > 20
        trees = [GAMES[name]() for name in games]
        own = {word for tree in trees for infoset in tree.infosets for word in (infoset.label, *infoset.actions)} | {
            name for tree in trees for name in tree.names
        }
        for text in texts:
            assert "{" not in text
            if language == "ru":
                bare = text
                for word in sorted(own, key=len, reverse=True):
                    bare = bare.replace(word, "") if word else bare
                assert LATIN.search(bare) is None, text


def test_an_unsuitable_method_suggests_one_that_solves_the_game():
    """If no method fits, the page still gets the answer of the solve button."""

    async def story() -> None:
        view = board.Tree(gametheory.textbook("bayes"))
        sent = messages_to_page(view)
        view.handle_message({"kind": "solve", "method": "backward"})
        await wait_until(lambda: not view.solver_state["is_busy"])
        assert (sent, len(view.answer_view["equilibria"])) == ([], 3)
        view.close()

    run(story)


def test_unsolvable_games_are_reported_in_the_page_language(monkeypatch):
    """The page never shows an error message of a solver."""

    def fails(_tree, _method=None):
        raise TreeError("it is too large")

    from durak_widget.board import solver_commands  # noqa: PLC0415 - where it is asked

    monkeypatch.setattr(solver_commands, "solve_game", fails)

    async def story() -> None:
        view = board.Tree(gametheory.textbook("bayes"), language="lt")
        sent = messages_to_page(view)
        view.handle_message({"kind": "solve"})
        await wait_until(lambda: not view.solver_state["is_busy"])
        assert [message["text"] for message in sent] == [Translator("lt").translate("board.refused.answer")]
        view.close()

    run(story)


class Asks:
    """An exercise on the tree."""

    question_kind, is_over = "values", False

    def to_message(self):
        """Return an exercise to which nothing has been answered yet."""
        return {}


def test_equilibrium_list_is_hidden_during_an_exercise():
    """Earlier answers are hidden, and no equilibrium can be chosen."""
    tree = gametheory.textbook("horse")
    view = board.Tree(tree, list_equilibria(tree))
    assert view.answer_view["equilibria"]
    view.question = Asks()
    assert view.answer_view == {}
    with pytest.raises(RefusedError, match=english("board.refused.asked")):
        view.handle_message({"kind": "select_equilibrium", "index": 1})
    view.question = None
    assert view.answer_view["equilibria"]


def test_payoffs_too_large_for_floats_are_solved_by_pure_strategies():
    """The suggested method can solve the game."""
    huge = 10**400
    pennies = matching_pennies()
    places = {
        "": DecisionNode(0, "?", [("l", "l"), ("r", "r")]),
        "l": DecisionNode(1, "!", [("L", "lL"), ("R", "lR")]),
        "r": DecisionNode(1, "!", [("L", "rL"), ("R", "rR")]),
    }
    places |= {
        profile: TerminalNode((huge if profile in {"lL", "rR"} else -huge, -huge if profile in {"lL", "rR"} else huge))
        for profile in ("lL", "lR", "rL", "rR")
    }
    view = board.Tree(tree_of(places))
    assert view.solver_state["methods"][0] == "plans"
    view.solve()
    assert view.solution.value == gametheory.solve(pennies).value == 0


@pytest.mark.parametrize(("contents", "complete"), sorted(_NOTES))
def test_python_and_the_board_describe_a_list_in_the_same_words(contents: str, complete: bool) -> None:  # noqa: FBT001 - a table of cases
    """In Python the note may say more."""
    on_board = Translator().translate(f"board.answer.note.{contents}.{'all' if complete else 'some'}")
    assert on_board in _NOTES[contents, complete]
