"""Test strategy exercises: they are judged by exploitability, accepted in many forms, and beaten on the tree."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from random import Random

import pytest

from durak_widget import Game, Rules, analysis, bots, gametheory
from durak_widget.board.tree_wording import TreeWording
from durak_widget.errors import DurakError
from durak_widget.i18n import Translator
from durak_widget.lessons import Strategy
from support.asked import coins
from support.random_trees import open_tree
from support.sizes import tried
from support.small_trees import ENTRY, hidden_tree
from support.spoken import english, english_text

HALF = Fraction(1, 2)
DURAK = analysis.build_game_tree(
    Rules(suits="cd", ranks="67", hand_size=1, trump="c", attack_limit=1, first_attacker="left_of_dealer"), dealer=1
)


def half_and_half(view):
    """Return equal probabilities of the first and the last move."""
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
        half_and_half,
        lambda view: dict.fromkeys(view.actions, HALF),
        gametheory.Strategy.uniform(coins()),
        gametheory.Strategy(coins(), [(0.5, 0.5), (1, 0)]),
    ],
    ids=["table", "numbers", "row", "seat and label", "nothing said", "function", "lambda", "strategy", "floats"],
)
def test_a_strategy_is_accepted_in_many_forms(answer):
    """Each means half and half."""
    quiz = Strategy(coins(), player=0)
    assert quiz.answer(answer)
    assert (quiz.loss, quiz.credit) == (0, 1)


def test_rounded_probabilities_are_accepted():
    """33 % or 0.333 means a third. A larger difference is wrong."""
    quiz = Strategy(coins(3), player=0)
    assert quiz.solution == {0: {"heads": "1/3", "tails": "2/3"}}
    for heads, tails in (("1/3", "2/3"), ("33 %", "67 %"), (0.333, 0.667), ("0,33", "0,67"), (1 / 3, 2 / 3)):
        assert quiz.answer({0: {"heads": heads, "tails": tails}}), heads
    for heads, tails in (("30 %", "70 %"), (0.35, 0.65), (1, 0)):
        assert not quiz.answer({0: {"heads": heads, "tails": tails}}), heads


def test_the_loss_is_what_a_best_response_wins():
    """It equals the game's value minus what the strategy guarantees, for random strategies of two games."""
    for tree in (DURAK, hidden_tree()):
        value = gametheory.solve(tree).value
        for seat in (0, 1):
            quiz = Strategy(tree, player=seat)
            for seed in range(tried(6, 20)):
                rng = Random(seed)
                rows = []
                for infoset in tree.infosets:
                    parts = [rng.randint(0, 3) for _ in infoset.actions]
                    parts[rng.randrange(len(parts))] += 1
                    rows.append([Fraction(part, sum(parts)) for part in parts])
                strategy = gametheory.Strategy(tree, rows)
                quiz.answer(strategy)
                taken = gametheory.best_response(tree, strategy, 1 - seat).value
                assert quiz.loss == (value if seat == 0 else -value) + taken
                assert 0 <= quiz.credit <= 1
                assert gametheory.value(tree, quiz.punishing_profile, 1 - seat) == taken
                uniform = gametheory.best_response(tree, gametheory.Strategy.uniform(tree), 1 - seat).value + (
                    value if seat == 0 else -value
                )
                assert quiz.credit == (1 if not quiz.loss else max(0, 1 - quiz.loss / uniform))
            assert quiz.answer(quiz.solution)
            assert quiz.credit == 1


def test_no_exercise_starts_with_its_answer():
    """If uniform play is right, it starts from pure moves. The other player is uniform."""
    quiz = Strategy(coins(), player=0)
    assert list(quiz.view.strategy) == [(1, 0), (HALF, HALF)]
    assert not quiz.grade_current_answer()
    assert (quiz.loss, quiz.credit) == (1, 0)
    quiz.answer({0: {"heads": "3/4", "tails": "1/4"}})
    assert (quiz.loss, quiz.credit) == (HALF, HALF)
    assert Strategy(coins(3), player=0).view.strategy[0] == (HALF, HALF)


def test_at_most_allows_a_small_loss():
    """A strategy is right if it loses no more."""
    quiz = Strategy(coins(), player=0, at_most="1/10")
    assert quiz.answer({0: {"heads": 0.54, "tails": 0.46}})
    assert quiz.credit == 1
    assert not quiz.answer({0: {"heads": 0.56, "tails": 0.44}})
    assert "1/10" in quiz.question


def test_the_line_of_play_that_beats_a_strategy_is_shown():
    """A Durak game is shown to its loss, with the place and a better move."""
    quiz = Strategy(DURAK, player=1)
    sentences = quiz.answer(bots.get("first")).sentences
    assert quiz.loss == Fraction(1, 8)
    assert isinstance(quiz.costliest_game, Game)
    assert quiz.costliest_game.actor is None
    assert quiz.costliest_line == DURAK.actions_from_root(quiz._strategy_question.shown_loss.terminal)
    assert english("lesson.strategy.loses.one", who="Player 2", got="5/24").match(sentences[1])
    assert english("lesson.strategy.leak").match(sentences[2])
    assert "“holds 7♣" in sentences[2]
    assert Strategy(coins()).costliest_game is None


def test_a_wrong_strategy_is_shown_with_best_responses_on_the_tree():
    """The most expensive moment is marked. A right one gets no marks."""
    quiz = Strategy(DURAK, player=1)
    view = quiz.view
    assert view.strategy == gametheory.Strategy.uniform(DURAK)
    quiz.answer(bots.get("first"))
    assert view.strategy == analysis.convert_bot_to_strategy(DURAK, bots.get("first"))
    assert view.solution_view["best_response_player"] == 0
    assert DURAK.infoset_of[view.current_node] == quiz._strategy_question.shown_loss.infoset
    assert view.question_view["score"] == english_text("lesson.strategy.score", lost="1/8", percent="76")
    view.handle_message(
        {
            "kind": "set_probability",
            "infoset": quiz._strategy_question.shown_loss.infoset,
            "action": quiz._strategy_question.shown_loss.better_action,
            "probability": "1",
        }
    )
    assert "score" not in view.question_view
    before = quiz.loss
    quiz.grade_current_answer()
    assert quiz.loss < before
    quiz.restart()
    assert view.strategy == gametheory.Strategy.uniform(DURAK)
    quiz.reveal()
    assert quiz.is_over
    with pytest.raises(DurakError, match=english("board.refused.over")):
        view.handle_message(
            {"kind": "set_probability", "infoset": max(quiz._strategy_question.shown_loss.infoset, 0), "action": 0, "probability": "1"}
        )


def table_and_caption(quiz):
    """Return the table beside the tree and its caption, or None."""
    beside = quiz.view._table_panel
    return None if beside._card_table is None else (beside._card_table, unescape(re.sub("<.*?>", "", beside._sentence.value)))


@pytest.mark.parametrize(("seat", "given"), [(0, {}), (1, bots.get("first"))])
def test_the_most_expensive_line_is_shown_on_a_table(seat, given):
    """It is seen by the loser, with the other hand hidden, until the next verdict."""
    quiz = Strategy(DURAK, player=seat)
    quiz.view._table_panel.build_live_bundle()
    assert table_and_caption(quiz) is None
    quiz.answer(given)
    table, caption = table_and_caption(quiz)
    game = table.game.copy()
    assert (table.seat, table.hands) == (seat, "own")
    assert [seat.get("hand") for seat in table.scene["seats"]] == [None, None]
    game.goto(game.last_ply)
    assert str(game) == str(quiz.costliest_game)
    assert table.game.actor == 1 - seat
    move = TreeWording(DURAK)
    move.voice = move.symbol_voice
    made = move.describe_action(str(game.moves[table.game.ply]), 0)["text"]
    told = {"other": f"Player {2 - seat}", "who": f"Player {seat + 1}"}
    assert english("lesson.strategy.laid.other", **told, move=made, lost=str(quiz.loss)).fullmatch(caption)
    quiz.language = "lt"
    assert table_and_caption(quiz)[1].startswith("Čia žaidėjas")
    quiz.language = "en"
    quiz.answer({place: infoset.actions[-1] for place, infoset in enumerate(DURAK.infosets) if infoset.player == seat})
    same_table, caption = table_and_caption(quiz)
    assert same_table is table
    laid = [english(f"lesson.strategy.laid.{whose}", **told, lost=str(quiz.loss)) for whose in ("own", "other")]
    assert any(sentence.fullmatch(caption) for sentence in laid)
    quiz.restart()
    assert table_and_caption(quiz) is None
    quiz.grade_current_answer()
    assert quiz.answer(quiz.solution)
    assert table_and_caption(quiz) is None
    quiz.restart()
    quiz.grade_current_answer()
    quiz.reveal()
    assert table_and_caption(quiz) is None


def test_a_table_appears_only_for_real_losses_in_durak():
    """Allowed losses and other games have none. Against known strategies your own move is shown."""
    quiz = Strategy(DURAK, player=0, at_most=1)
    assert quiz.grade_current_answer()
    assert table_and_caption(quiz) is None
    quiz = Strategy(coins(), player=0)
    quiz.view._table_panel.build_live_bundle()
    assert not quiz.grade_current_answer()
    assert table_and_caption(quiz) is None
    quiz = Strategy(DURAK, player=1, against={})
    quiz.view._table_panel.build_live_bundle()
    quiz.grade_current_answer()
    assert table_and_caption(quiz)[0].game.actor == table_and_caption(quiz)[0].seat == 1
    assert english("lesson.strategy.laid.own", who="Player 2", move="takes", end="−1").match(table_and_caption(quiz)[1])


def test_nothing_is_revealed_before_the_first_check():
    """No best response, line or loss is shown at the start, also in pictures."""
    quiz = Strategy(coins(), player=1)
    quiz.static_mimebundle()
    solution = quiz.view.solution_view
    assert (solution["best_responses"], solution["highlighted_nodes"], solution["own_guarantee"]["player"]) == (None, [], 1)
    assert [*solution["probabilities"]] == [*solution["weight"]] == ["1"]
    assert "1/2" not in quiz.view.svg().partition("</title>")[0]
    assert quiz.tree.actor[quiz.view.current_node] == 1
    assert "score" not in quiz.view.question_view
    quiz.answer({1: {"heads": 1, "tails": 0}})
    assert quiz.view.solution_view["best_response_player"] == 0
    assert "score" in quiz.view.question_view
    quiz.restart()
    assert quiz.view.solution_view["best_responses"] is None
    assert "score" not in quiz.view.question_view


def test_the_loss_can_be_shown_at_every_change():
    """`live` shows it before checking. Against known strategies these are used."""
    quiz = Strategy(coins(), player=0, live=True)
    assert quiz.view.question_view["score"] == english_text("lesson.strategy.score", lost="1", percent="0")
    quiz.view.handle_message({"kind": "set_probability", "infoset": 0, "action": 0, "probability": "3/4"})
    assert quiz.view.question_view["score"] == english_text("lesson.strategy.score", lost="1/2", percent="50")
    quiz.view.handle_message({"kind": "set_probability", "infoset": 0, "action": 0, "probability": "499/1000"})
    assert quiz.view.question_view["score"] == english_text("lesson.strategy.score", lost="1/500", percent="99")  # it is never 100 earlier
    quiz.view.handle_message({"kind": "set_probability", "infoset": 0, "action": 0, "probability": "1/2"})
    assert quiz.view.question_view["score"] == english_text("lesson.strategy.done", lost="0")
    assert quiz.attempt_count == 0
    known = Strategy(ENTRY, player=0, against={1: {"take": 0, "share": 1}})
    assert known.view.solution_view["probabilities"]["1"] == ["0", "1"]


def test_the_numbers_beside_the_tree_agree_with_the_verdict():
    """Against known strategies, the loss is to them and not to a best response."""
    quiz = Strategy(coins(), player=0, against={1: {"heads": "3/4", "tails": "1/4"}})
    for answer, lost, sentence in (
        ({0: {"heads": "1/2", "tails": "1/2"}}, "1/2", english_text("board.own.gain", name="Even", sure="0", lost="1/2")),
        ({0: "heads"}, "0", english_text("board.own.no_gain", name="Even", sure="1/2")),
    ):
        quiz.answer(answer)
        beside = quiz.view.solution_view
        assert (
            str(quiz.loss),
            beside["own_guarantee"]["exploitability"],
            beside["own_guarantee"]["text"],
            beside["own_guarantee"]["best_value"],
        ) == (
            lost,
            lost,
            sentence,
            "",
        )
    quiz = Strategy(coins(), player=0)
    quiz.answer({0: "heads"})
    assert quiz.view.solution_view["own_guarantee"]["text"] == english_text("board.own.lost", name="Even", lost="1", sure="−1", value="0")


@pytest.mark.parametrize("kind", ["solve", "mark_best_responses", "learn", "show_matrix"])
def test_the_tree_does_not_reveal_the_answer(kind):
    """It is refused with a message until solved or shown."""
    quiz = Strategy(coins(), language="lt")
    with pytest.raises(DurakError) as refused:
        quiz.view.handle_message({"kind": kind, "player": 1, "command": "start", "on": True})
    assert str(refused.value.to_text("lt")) == Translator("lt").translate("board.refused.asked")
    quiz.reveal()
    quiz.view.handle_message({"kind": "show_matrix", "on": True})


def test_losses_are_right_against_known_strategies_and_in_general_games():
    """The loss is what a best response would add, for all players together what each could gain."""
    quiz = Strategy(ENTRY, player=0, against={1: {"take": 0, "share": 1}})
    assert str(quiz.answer({0: "stop"})).startswith(
        " ".join([english_text("lesson.not_yet"), english_text("lesson.strategy.loses.answer", who="Ann", got="1", worth="2", lost="1")])
    )
    assert quiz.answer({0: "go"})
    quiz = Strategy(ENTRY, player=None)
    assert str(quiz.answer({0: "go", 1: "share"})).startswith(
        " ".join([english_text("lesson.not_yet"), english_text("lesson.strategy.loses.all", who="Bob", lost="1", worth="3", got="2")])
    )
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
def test_a_whole_profile_can_be_asked_for_with_hidden_moves(name):
    """The key is an equilibrium of any game, the start is not one, and the player who gains is named."""
    tree = gametheory.textbook(name)
    quiz = Strategy(tree, player=None)
    refused = quiz.answer(gametheory.Strategy.uniform(tree))
    assert not refused
    assert english("lesson.strategy.loses.all").search(str(refused))
    assert quiz.answer(quiz.solution)
    assert quiz.loss == 0


def raising(view):
    """Raise an error, like a faulty function."""
    return view.no_such_thing


def leaving(view):
    """Exit the program."""
    raise SystemExit(str(view)[:0])


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (raising, "at information set 0, 'Even': raising raised AttributeError: 'InfoSet' object has no attribute 'no_such_thing'"),
        (leaving, "at information set 0, 'Even': leaving raised SystemExit: "),
        (lambda _: "edge", "at information set 0: the bot chose"),
        (lambda _: None, "at information set 0: the bot chose"),
        (lambda _: {"heads": 0.4}, "at information set 0: the bot chose"),
        (lambda _: {"heads": float("nan"), "tails": 1}, "at information set 0: the bot chose"),
        ({0: {"heads": "half"}}, "at 'Even' a probability"),
        ({0: {"heads": -1, "tails": 2}}, "at 'Even' the probabilities"),
        ({1: "heads"}, "at 'Odd'"),
        ({9: "heads"}, "there is no information set 9;"),
        ({None: "heads"}, "an information set"),
        (7, "a strategy"),
        (None, "a strategy"),
        (gametheory.Strategy.uniform(ENTRY), "the strategy"),
        ("carefull", "there is no bot 'carefull'. Did you mean 'careful'?"),
    ],
)  # fmt: skip
def test_invalid_strategies_are_refused(answer, sentence):
    """Faulty code does no harm, and the earlier answer stays."""
    quiz = Strategy(coins(), player=0)
    quiz.answer({0: "heads"})
    with pytest.raises(DurakError) as refused:
        quiz.answer(answer)
    assert sentence in str(refused.value)
    assert (quiz.loss, quiz.attempt_count) == (1, 1)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Strategy(ENTRY), "strategy"),
        (lambda: Strategy(coins(), player=2), "there is no"),
        (lambda: Strategy(coins(), at_most=-1), "at_most must be"),
        (lambda: Strategy(coins(), at_most="much"), "at_most must be"),
        (lambda: Strategy(coins(), player=None, against={}), "player=0"),
        (lambda: Strategy(coins(), nmae="x"), "Strategy has no option 'nmae'. Did you mean 'name'?"),
        (lambda: Strategy("tree"), "'tree' is"),
    ],
)
def test_invalid_strategy_exercises_are_refused(make, sentence):
    """The message says what would be right."""
    with pytest.raises(DurakError) as refused:
        make()
    assert sentence in str(refused.value)
