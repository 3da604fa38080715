"""Strategies as an exercise: judged by what they lose, in whatever way they are given, and told by whom they are beaten and how."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from random import Random

import pytest

from durak_widget import Game, Rules, analysis, bots, gametheory
from durak_widget.board.tree_wording import TreeWording
from durak_widget.errors import DurakError
from durak_widget.lessons import Strategy
from support.asked import coins
from support.random_trees import open_tree
from support.sizes import tried
from support.small_trees import ENTRY, hidden

HALF = Fraction(1, 2)
DURAK = analysis.build_game_tree(
    Rules(suits="cd", ranks="67", hand_size=1, trump="c", attack_limit=1, first_attacker="left_of_dealer"), dealer=1
)


def both(view):
    """Even odds of the first move and the last."""
    moves = [str(move) for move in (view.legal_moves() if hasattr(view, "legal_moves") else view.actions)]
    return {moves[0]: HALF, moves[-1]: "50 %"}


@pytest.mark.parametrize(
    "answer",
    [
        {"Even": {"heads": "1/2", "tails": "1/2"}},
        {0: {"heads": 0.5, "tails": 0.5}},
        {"0": ["50 %", "0,5"]},
        {(0, "Even"): {"heads": HALF, "tails": Fraction(2, 4)}},
        {},
        both,
        lambda view: dict.fromkeys(view.actions, HALF),
        gametheory.Strategy.uniform(coins()),
        gametheory.Strategy(coins(), [(0.5, 0.5), (1, 0)]),
    ],
    ids=["table", "numbers", "row", "seat and label", "nothing said", "function", "lambda", "strategy", "floats"],
)
def test_a_strategy_is_given_in_many_ways(answer):
    """Each is the same half and half."""
    quiz = Strategy(coins(), player=0)
    assert quiz.answer(answer)
    assert (quiz.loss, quiz.credit) == (0, 1)


def test_rounded_probabilities_mean_what_they_round():
    """A third is written as 33 %, or dragged to 0.333; what is off by more than that is wrong."""
    quiz = Strategy(coins(3), player=0)
    assert quiz.solution == {0: {"heads": "1/3", "tails": "2/3"}}
    for heads, tails in (("1/3", "2/3"), ("33 %", "67 %"), (0.333, 0.667), ("0,33", "0,67"), (1 / 3, 2 / 3)):
        assert quiz.answer({0: {"heads": heads, "tails": tails}}), heads
    for heads, tails in (("30 %", "70 %"), (0.35, 0.65), (1, 0)):
        assert not quiz.answer({0: {"heads": heads, "tails": tails}}), heads


def test_what_is_lost_is_what_a_best_response_takes():
    """By another route: the value of the game less the least that the strategy is certain of; in random strategies of two games."""
    for tree in (DURAK, hidden()):
        worth = gametheory.solve(tree).value
        for seat in (0, 1):
            quiz = Strategy(tree, player=seat)
            for seed in range(tried(6, 20)):
                rng = Random(seed)
                rows = []
                for one in tree.infosets:
                    parts = [rng.randint(0, 3) for _ in one.actions]
                    parts[rng.randrange(len(parts))] += 1
                    rows.append([Fraction(part, sum(parts)) for part in parts])
                strategy = gametheory.Strategy(tree, rows)
                quiz.answer(strategy)
                taken = gametheory.best_response(tree, strategy, 1 - seat).value
                assert quiz.loss == (worth if seat == 0 else -worth) + taken
                assert 0 <= quiz.credit <= 1
                assert gametheory.value(tree, quiz.punishing_profile, 1 - seat) == taken
                uniform = gametheory.best_response(tree, gametheory.Strategy.uniform(tree), 1 - seat).value + (
                    worth if seat == 0 else -worth
                )
                assert quiz.credit == (1 if not quiz.loss else max(0, 1 - quiz.loss / uniform))
            assert quiz.answer(quiz.solution)
            assert quiz.credit == 1


def test_no_exercise_begins_with_its_answer():
    """Where drawing evenly is right, the first of each move is made for certain, and that is the measure; the other seat draws evenly."""
    quiz = Strategy(coins(), player=0)
    assert list(quiz.view.strategy) == [(1, 0), (HALF, HALF)]
    assert not quiz.grade_current_answer()
    assert (quiz.loss, quiz.credit) == (1, 0)
    quiz.answer({0: {"heads": "3/4", "tails": "1/4"}})
    assert (quiz.loss, quiz.credit) == (HALF, HALF)
    assert Strategy(coins(3), player=0).view.strategy[0] == (HALF, HALF)


def test_so_much_may_be_lost():
    """With `at_most` a strategy is right that loses no more."""
    quiz = Strategy(coins(), player=0, at_most="1/10")
    assert quiz.answer({0: {"heads": 0.54, "tails": 0.46}})
    assert quiz.credit == 1
    assert not quiz.answer({0: {"heads": 0.56, "tails": 0.44}})
    assert "1/10" in quiz.question


def test_the_play_that_beats_it_is_shown():
    """Of Durak as a game, at whose end it has lost what it could have had; and where, and what would be better."""
    quiz = Strategy(DURAK, player=1)
    said = quiz.answer(bots.get("first")).sentences
    assert quiz.loss == Fraction(1, 8)
    assert isinstance(quiz.costliest_game, Game)
    assert quiz.costliest_game.actor is None
    assert quiz.costliest_line == DURAK.actions_from_root(quiz._strategy_question.shown_loss.terminal)
    assert said[1].startswith("Whoever knows it leaves Player 2 5/24")
    assert said[2].startswith("What helps most, at “holds 7♣")
    assert Strategy(coins()).costliest_game is None


def test_what_is_wrong_is_shown_on_the_tree():
    """The strategy that was given, the best responses to it, and the moment at which it loses most; a right one marks nothing."""
    quiz = Strategy(DURAK, player=1)
    view = quiz.view
    assert view.strategy == gametheory.Strategy.uniform(DURAK)
    quiz.answer(bots.get("first"))
    assert view.strategy == analysis.convert_bot_to_strategy(DURAK, bots.get("first"))
    assert view.told_solution["best_of"] == 0
    assert DURAK.infoset_of[view.current_node] == quiz._strategy_question.shown_loss.infoset
    assert view.told_task["score"] == "It loses 1/8; so far 76 % of the task is done."
    view.handle_message(
        {
            "kind": "likely",
            "set": quiz._strategy_question.shown_loss.infoset,
            "move": quiz._strategy_question.shown_loss.better_action,
            "to": "1",
        }
    )
    assert "score" not in view.told_task
    before = quiz.loss
    quiz.grade_current_answer()
    assert quiz.loss < before
    quiz.restart()
    assert view.strategy == gametheory.Strategy.uniform(DURAK)
    quiz.reveal()
    assert quiz.is_over
    with pytest.raises(DurakError, match="begin again"):
        view.handle_message({"kind": "likely", "set": max(quiz._strategy_question.shown_loss.infoset, 0), "move": 0, "to": "1"})


def laid(quiz):
    """The table beside the tree, and what is said above it; None where none stands there."""
    beside = quiz.view._table_panel
    return None if beside._card_table is None else (beside._card_table, unescape(re.sub("<.*?>", "", beside._sentence.value)))


@pytest.mark.parametrize(("seat", "given"), [(0, {}), (1, bots.get("first"))])
def test_the_play_that_costs_most_is_laid_on_a_table(seat, given):
    """From the eyes of who loses, where the other takes it; the other's hand is closed, the move is said and comes next. It is that of the last verdict, and goes with it."""
    quiz = Strategy(DURAK, player=seat)
    quiz.view._table_panel.build_live_bundle()
    assert laid(quiz) is None
    quiz.answer(given)
    table, said = laid(quiz)
    game = table.game.copy()
    assert (table.seat, table.hands) == (seat, "own")
    assert [one.get("hand") for one in table.scene["seats"]] == [None, None]
    game.goto(game.last_ply)
    assert str(game) == str(quiz.costliest_game)
    assert table.game.actor == 1 - seat
    move = TreeWording(DURAK)
    move.voice = move.symbol_voice
    assert said.startswith(
        f"Here Player {2 - seat} {move.describe_action(str(game.moves[table.game.ply]), 0)['said']}: so the game ends with "
    )
    assert said.endswith(f"for Player {seat + 1}, and on average the strategy loses {quiz.loss}.")
    quiz.language = "lt"
    assert laid(quiz)[1].startswith("Čia žaidėjas")
    quiz.language = "en"
    quiz.answer({place: one.actions[-1] for place, one in enumerate(DURAK.infosets) if one.player == seat})
    assert (laid(quiz)[0], laid(quiz)[1].endswith(f" {quiz.loss}.")) == (table, True)
    quiz.restart()
    assert laid(quiz) is None
    quiz.grade_current_answer()
    assert quiz.answer(quiz.solution)
    assert laid(quiz) is None
    quiz.restart()
    quiz.grade_current_answer()
    quiz.reveal()
    assert laid(quiz) is None


def test_no_table_accuses_whom_nothing_can_be_taken_from_nor_in_other_games():
    """A loss that is allowed is none; pennies lie on no table; where the others' play is known, one's own move is shown."""
    quiz = Strategy(DURAK, player=0, at_most=1)
    assert quiz.grade_current_answer()
    assert laid(quiz) is None
    quiz = Strategy(coins(), player=0)
    quiz.view._table_panel.build_live_bundle()
    assert not quiz.grade_current_answer()
    assert laid(quiz) is None
    quiz = Strategy(DURAK, player=1, against={})
    quiz.view._table_panel.build_live_bundle()
    quiz.grade_current_answer()
    assert laid(quiz)[0].game.actor == laid(quiz)[0].seat == 1
    assert laid(quiz)[1].startswith("Here Player 2 takes: so the game ends with −1, and on average")


def test_nothing_is_told_before_it_is_asked_for():
    """It begins where the seat chooses; no best response is marked, no path lit, nothing said of the other seat, nor of what it loses, though a picture was made."""
    quiz = Strategy(coins(), player=1)
    quiz.static_mimebundle()
    told = quiz.view.told_solution
    assert (told["best"], told["lit"], told["own"]["seat"]) == (None, [], 1)
    assert [*told["likely"]] == [*told["weight"]] == ["1"]
    assert "1/2" not in quiz.view.svg().partition("</title>")[0]
    assert quiz.tree.actor[quiz.view.current_node] == 1
    assert "score" not in quiz.view.told_task
    quiz.answer({1: {"heads": 1, "tails": 0}})
    assert quiz.view.told_solution["best_of"] == 0
    assert "score" in quiz.view.told_task
    quiz.restart()
    assert quiz.view.told_solution["best"] is None
    assert "score" not in quiz.view.told_task


def test_what_it_loses_can_be_told_at_every_change():
    """`live`: before it is checked, too; and among known strategies the others are these."""
    quiz = Strategy(coins(), player=0, live=True)
    assert quiz.view.told_task["score"] == "It loses 1; so far 0 % of the task is done."
    quiz.view.handle_message({"kind": "likely", "set": 0, "move": 0, "to": "3/4"})
    assert quiz.view.told_task["score"] == "It loses 1/2; so far 50 % of the task is done."
    quiz.view.handle_message({"kind": "likely", "set": 0, "move": 0, "to": "499/1000"})
    assert quiz.view.told_task["score"] == "It loses 1/500; so far 99 % of the task is done."  # and never 100 before it is
    quiz.view.handle_message({"kind": "likely", "set": 0, "move": 0, "to": "1/2"})
    assert quiz.view.told_task["score"] == "It loses 0: that is all that is asked."
    assert quiz.attempt_count == 0
    known = Strategy(ENTRY, player=0, against={1: {"take": 0, "share": 1}})
    assert known.view.told_solution["likely"]["1"] == ["0", "1"]


def test_what_stands_beside_the_tree_agrees_with_what_is_judged():
    """Against known strategies in a zero-sum game too: what is lost to them, and not to somebody who would answer as well as possible."""
    quiz = Strategy(coins(), player=0, against={1: {"heads": "3/4", "tails": "1/4"}})
    for answer, lost, said in (
        ({0: {"heads": "1/2", "tails": "1/2"}}, "1/2", "Even has 0, and could have 1/2 more by playing otherwise"),
        ({0: "heads"}, "0", "Even has 1/2, and could not have more by playing otherwise"),
    ):
        quiz.answer(answer)
        beside = quiz.view.told_solution
        assert (str(quiz.loss), beside["own"]["exploitability"], beside["own"]["said"], beside["own"]["worth"]) == (lost, lost, said, "")
    quiz = Strategy(coins(), player=0)
    quiz.answer({0: "heads"})
    assert quiz.view.told_solution["own"]["said"] == "Even gives away 1: sure of −1, where the game is worth 0"


@pytest.mark.parametrize("kind", ["solve", "best", "learn", "matrix"])
def test_nothing_on_the_tree_answers_what_is_asked(kind):
    """Until it is solved, or the solution is shown, in a sentence of the language."""
    quiz = Strategy(coins(), language="lt")
    with pytest.raises(DurakError) as refused:
        quiz.view.handle_message({"kind": kind, "seat": 1, "what": "start", "on": True})
    assert str(refused.value.to_text("lt")) == "Čia klausiama: pirmiausia atsakykite."
    quiz.reveal()
    quiz.view.handle_message({"kind": "matrix", "on": True})


def test_against_known_strategies_and_in_games_that_are_not_zero_sum():
    """What a best response would have brought more; of all seats together what each would gain alone."""
    quiz = Strategy(ENTRY, player=0, against={1: {"take": 0, "share": 1}})
    assert str(quiz.answer({0: "stop"})).startswith("Not yet. It brings Ann 1, and 2 can be had: it loses 1.")
    assert quiz.answer({0: "go"})
    quiz = Strategy(ENTRY, player=None)
    assert str(quiz.answer({0: "go", 1: "share"})).startswith("Not yet. By changing alone, Bob would gain 1: 3 instead of 2.")
    assert quiz.answer({0: "stop", 1: "take"})
    assert quiz.answer(quiz.solution)
    for seed in range(40):
        tree = open_tree(Random(seed))
        if tree.infosets:
            quiz = Strategy(tree, player=None)
            assert quiz.answer(quiz.solution), seed
            quiz.answer(gametheory.Strategy.uniform(tree))
            assert quiz.loss == gametheory.exploitability(tree, gametheory.Strategy.uniform(tree))


@pytest.mark.parametrize("name", ["bayes", "beer-quiche", "horse", "outside-option", "spence"])
def test_all_seats_together_are_asked_where_moves_are_hidden(name):
    """The solution is an equilibrium that is found for any game; what is set there in the beginning is none, and who gains is said."""
    tree = gametheory.textbook(name)
    quiz = Strategy(tree, player=None)
    refused = quiz.answer(gametheory.Strategy.uniform(tree))
    assert not refused
    assert "would gain" in str(refused)
    assert quiz.answer(quiz.solution)
    assert quiz.loss == 0


def raising(view):
    """A function with a mistake in it."""
    return view.no_such_thing


def leaving(view):
    """A function that ends the program."""
    raise SystemExit(str(view)[:0])


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (raising, "at information set 0, 'Even': raising raised AttributeError: 'InfoSet' object has no attribute 'no_such_thing'"),
        (leaving, "at information set 0, 'Even': leaving raised SystemExit: "),
        (lambda _: "edge", "at information set 0: the bot chose what cannot be: at 'Even' there is no move 'edge'; there are heads, tails."),
        (lambda _: None, "at information set 0: the bot chose what cannot be: at 'Even' there is no move None"),
        (lambda _: {"heads": 0.4}, "at information set 0: the bot chose what cannot be: at 'Even' the probabilities must be at least 0 and add up to 1, not 2/5"),
        (lambda _: {"heads": float("nan"), "tails": 1}, "at information set 0: the bot chose what cannot be: at 'Even' a probability is a number"),
        ({0: {"heads": "half"}}, "at 'Even' a probability is a number from 0 to 1, such as '1/2', 0.5 or '50%', not 'half'"),
        ({0: {"heads": -1, "tails": 2}}, "at 'Even' the probabilities must be at least 0 and add up to 1, not 1"),
        ({1: "heads"}, "at 'Odd' seat 1 chooses, and a strategy of seat 0 is asked for"),
        ({9: "heads"}, "there is no information set 9; they are numbered from 0 to 1"),
        ({None: "heads"}, "an information set is named by its number or its label, not by None"),
        (7, "a strategy is a table, as in {'label': 'move'}"),
        (None, "a strategy is a table, as in {'label': 'move'}"),
        (gametheory.Strategy.uniform(ENTRY), "the strategy belongs to another tree"),
        ("carefull", "there is no bot 'carefull'. Did you mean 'careful'?"),
    ],
)  # fmt: skip
def test_what_is_no_strategy_is_refused_in_a_sentence(answer, said):
    """Whatever somebody's code does; what was given before stays."""
    quiz = Strategy(coins(), player=0)
    quiz.answer({0: "heads"})
    with pytest.raises(DurakError) as refused:
        quiz.answer(answer)
    assert str(refused.value).startswith(said)
    assert (quiz.loss, quiz.attempt_count) == (1, 1)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Strategy(ENTRY), "a strategy of one seat is judged against all that the other may do, where two play"),
        (lambda: Strategy(coins(), player=2), "there is no seat 2; seats are counted from 0 to 1"),
        (lambda: Strategy(coins(), at_most=-1), "at_most=-1 is how much may be lost"),
        (lambda: Strategy(coins(), at_most="much"), "at_most='much' is how much may be lost"),
        (lambda: Strategy(coins(), player=None, against={}), "who plays against known strategies has a seat: say which, player=0"),
        (lambda: Strategy(coins(), nmae="x"), "Strategy has no option 'nmae'. Did you mean 'name'?"),
        (lambda: Strategy("tree"), "'tree' is no tree of a game"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(make, said):
    """With what would be right."""
    with pytest.raises(DurakError) as refused:
        make()
    assert str(refused.value).startswith(said)
