"""Test each kind of question on a teacher's own game: its key, equal difficulty, refusals and determinism."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction

import pytest

from durak_widget import gametheory
from durak_widget.custom_games import instance_difficulty
from durak_widget.custom_games.game_instance import GameInstance
from durak_widget.custom_games.question_catalog import QUESTION_TYPES
from durak_widget.errors import DurakError
from durak_widget.gametheory.strategy import Strategy
from durak_widget.i18n import LANGUAGES
from durak_widget.lessons import any_of, ask, between, own_game
from support.by_trying import gains, payoffs
from support.sizes import tried
from support.spoken import english

GAMES = {
    "entry": own_game(gametheory.textbook("entry"), lots={"payoffs": between(0, 9)}, so_that="no ties"),
    "beer": own_game(
        gametheory.textbook("beer-quiche"),
        lots={"chance of strong": any_of("1/5", "2/5", "3/5", "4/5"), "payoffs": between(0, 20)},
        story="Who receives sees what is ordered, and not by whom.",
    ),
    "poker": own_game(gametheory.textbook("myerson"), lots={"payoffs": between(-5, 5)}),
    "matrix": own_game([[(0, 0)] * 3] * 3, lots={"payoffs": between(0, 9)}),
    "penalty": own_game([[0, 1], [1, 0]], lots={"payoffs": between(0, 9)}, so_that="somebody mixes"),
    "horse": own_game(
        gametheory.textbook("horse"), lots={"payoffs": between(0, 4)}, story="The third sees only that the game has not ended."
    ),
}
ASKED = {
    "entry": ["values", "path", "plans", "dominance", "best-responses", "equilibria", "best-response", "equilibrium"],
    "entry of its own": ["form"],
    "beer": ["beliefs", "form", "plan"],
    "beer of its own": ["sets"],
    "poker": ["value", "strategy"],
    "matrix": ["dominance", "best-responses", "equilibria", "mixing"],
    "penalty": ["mixing", "value", "strategy", "equilibrium"],
    "horse": ["equilibrium", "best-response"],
    "horse of its own": ["sets"],
}


@pytest.mark.parametrize("game", ASKED)
def test_answers_from_the_key_are_right_and_difficulty_is_equal(game):
    """Several students' keys are right, also through a file; no answer is wrong."""
    own = game.split()[0]
    assignment = GAMES[own].assignment(own, "A game", ask=ASKED[game])
    even = assignment.questions[0].make._sampler
    for number in range(tried(2, 6)):
        for place, question in enumerate(assignment.questions):
            task = assignment.create_exercise(question.name, f"student {number}")
            assert task.answer(json.loads(json.dumps(list(task.solution) if isinstance(task.solution, (list, tuple)) else task.solution)))
            assert task.credit == 1
            assert task.question
            kind = even.questions[place]
            shown_tree = getattr(task, "tree", None)
            if shown_tree is not None and question.name not in ("beliefs", "best-response", "mixing"):
                assert kind.measure_difficulty(GameInstance(shown_tree, is_matrix=False, seed=0)) == even.target_difficulty[place]


def test_exactly_one_choice_of_four_is_a_strategy():
    """The others miss a set, have two moves, or use the opponent's set. Each gets its reason."""
    assignment = GAMES["beer"].assignment("beer", "Beer", ask=[ask("plan", of="Sender")])
    seen = set()
    for number in range(6):
        task = assignment.create_exercise(1, f"student {number}")
        whole = [
            option for option in task._option_reasons if sorted(part.split(": ")[0] for part in option.split("; ")) == ["strong", "weak"]
        ]
        assert [[option] for option in whole if " + " not in option] == [task.solution]
        assert len(task._option_reasons) == 4
        twice = "strong" if any("strong: beer + quiche" in option for option in whole) else "weak"
        answers = [str(task.answer(option)) for option in task._option_reasons]
        for reason in (
            english("class.own.plan.right"),
            english("class.own.plan.less"),
            english("class.own.plan.more", label=twice),
            english("class.own.plan.other"),
        ):
            assert sum(reason.search(answer) is not None for answer in answers) == 1
        seen.add(task.solution[0])
    assert len(seen) > 1


def test_a_belief_is_the_share_found_by_walking_the_tree():
    """It is how often play comes that way, of all times that it reaches the set."""
    assignment = GAMES["beer"].assignment("beer", "Beer", ask=[ask("beliefs", at="sees beer", given={"strong": {"beer": "3/4", "quiche": "1/4"}, "weak": {"beer": "1/3", "quiche": "2/3"}})])  # fmt: skip
    seen = set()
    for number in range(12):
        task = assignment.create_exercise(1, f"student {number}")
        tree = task._game_beside
        strong = tree.chance_moves[0].probabilities[tree.chance_moves[0].actions.index("strong")]
        both = strong * Fraction(3, 4), (1 - strong) * Fraction(1, 3)
        asked = (
            0 if "“strong" in task.question.partition("?")[0].rpartition("“")[1] + task.question.partition("?")[0].rpartition("“")[2] else 1
        )
        assert Fraction(task.solution[0]) == both[asked] / sum(both)
        assert "(strong): beer 3/4, quiche 1/4" in task.question
        seen.add(task.solution[0])
    assert len(seen) > 3


def test_strategies_from_the_key_lose_nothing_against_any_other():
    """Neither equilibria nor best responses leave a pure strategy that gains."""
    for game, name in (("penalty", "equilibrium"), ("horse", "equilibrium"), ("entry", "best-response")):
        assignment = GAMES[game].assignment(game, "A game", ask=[name])
        for number in range(3):
            task = assignment.create_exercise(1, f"student {number}")
            table = {int(place): strategy if isinstance(strategy, str) else {move: Fraction(probability) for move, probability in strategy.items()} for place, strategy in task.solution.items()}  # fmt: skip
            if name == "equilibrium":
                assert not any(gains(task.tree, Strategy.from_mapping(task.tree, table)))
                continue
            known = task._strategy_question.evaluator.known_profile
            mine = known.replace_player(0, Strategy.from_mapping(task.tree, table))
            assert gains(task.tree, mine)[0] == 0 <= payoffs(task.tree, mine)[0]


def test_unsuitable_questions_are_refused_when_they_are_made():
    """The message says what would fit."""
    for game, asked, sentence in (
        ("entry", "value", "game.*value"),
        ("entry", "strategy", "'best-response'.*'equilibrium'"),
        ("entry", "sets", "perfect information"),
        ("entry", "beliefs", "certain"),
        ("beer", "values", "know what was done before.*sets, plans"),
        ("matrix", "form", "matrix.*already"),
        ("matrix", "plans", "already shows the pure strategies"),
        ("matrix", "values", "a player does not know"),
        ("horse", "equilibria", "3 players; 'equilibrium'"),
        ("horse", "value", "two-player zero-sum"),
        ("beer", ask("beliefs", at="strong"), "at 'strong' the player is certain"),
        ("beer", ask("beliefs", at="strnog"), r"Did you mean 'strong'\?"),
        ("beer", ask("plans", of="Sandra"), "players"),
        ("beer", ask("plans", weak=True), "'weak'"),
        ("beer", "equilibrium of Nash", "question"),
        ("beer", [], "ask must have one or more"),
        ("entry", {"values": -1}, "points .*-1"),
    ):
        with pytest.raises(DurakError, match=sentence):
            GAMES[game].questions(asked)


def test_indistinguishable_nodes_need_a_story():
    """The tree of `sets` does not show them, so without a story it is refused. A custom question works."""
    silent = own_game(gametheory.textbook("beer-quiche"), lots={"payoffs": between(0, 20)})
    for do in (silent.questions, silent.trial):
        with pytest.raises(DurakError, match="say who sees what in own_game"):
            do("sets")
    [asked] = silent.questions(ask("sets", question="Who receives sees what is ordered. Join what looks alike."))
    assert asked.name == "game-sets"


def test_an_unsuitable_question_is_refused_before_a_leak_is_reported():
    """No one is told to ask it about another game if no game fits."""
    with pytest.raises(DurakError, match="'values' does not fit this game"):
        GAMES["beer"].questions(["values", "sets", "beliefs"])


def test_a_condition_that_no_draw_meets_is_reported_with_counts(monkeypatch):
    """The message says how often each condition failed, and what the question lacks."""
    monkeypatch.setattr(instance_difficulty, "MAX_DRAWS", 200)
    with pytest.raises(DurakError, match=r"200 draws 'mixing.*200"):
        own_game([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], lots={"payoff at A, a": between(1, 4)}).questions("mixing")
    for source, so_that in (
        ([[1, 2], [3, 4]], "no ties"),
        (gametheory.textbook("kuhn"), "one equilibrium"),
        (gametheory.textbook("kuhn"), "a dominated plan"),
    ):
        with pytest.raises(DurakError, match=rf"so_that='{so_that}'"):
            own_game(source, so_that=so_that).questions("value")
    chance = 'EFG 2 R "" { "Ann" "Bob" } c "" 1 "" { "l" 1/2 "r" 1/2 } 0 t "" 1 "" { 1 2 } t "" 2 "" { 2 3 }'
    with pytest.raises(DurakError, match="'path' does not fit this game"):
        own_game(chance).questions("path")


def test_a_search_without_result_ends_after_a_time_limit(monkeypatch):
    """A search that has found a game goes on, so all machines find the same."""
    monkeypatch.setattr(instance_difficulty, "TIME_LIMIT_SECONDS", -1)
    with pytest.raises(DurakError, match=r"game.*1 draws"):
        own_game([[1, 2], [3, 4]], so_that="somebody mixes").questions("value")
    sixty = GAMES["matrix"].questions("equilibria")[0].make._sampler
    assert sixty.rejections.draw_count == instance_difficulty.SAMPLE_SIZE


def test_a_draw_does_not_depend_on_order_or_process():
    """The spelling of a name does not matter either. Another edition is another game."""
    game = GAMES["matrix"]
    first, other = (game.assignment("m", "M", ask=["dominance", "equilibria"]) for _ in range(2))
    last = repr(other.create_exercise(2, "Ann Lee").matrix.payoffs)
    assert repr(first.create_exercise(1, "ann  LEE").matrix.payoffs) == last == repr(first.create_exercise(2, "Ann Lee").matrix.payoffs)
    carried = pickle.loads(pickle.dumps(first))
    assert repr(carried.create_exercise(1, "Ann Lee").matrix.payoffs) == last
    assert repr(first.with_edition("2028").create_exercise(1, "Ann Lee").matrix.payoffs) != last


def test_names_points_titles_and_words_can_be_set():
    """The teacher's come first. Repeated questions get two names, and all languages have words."""
    questions = GAMES["entry"].questions([ask("path", points=7, title="Who comes?", question="Click."), ask("path", whole=True), "values"])
    assert [(question.name, question.points) for question in questions] == [("game-path", 7), ("game-path-2", 2), ("game-values", 4)]
    assert (questions[0].title, questions[0].seed_name) == ("Who comes?", "game")
    assignment = GAMES["beer"].assignment("beer", {"en": "Beer", "ru": "Пиво"}, ask=["plans", "beliefs"])
    for code in LANGUAGES:
        for place in (1, 2):
            task = assignment.create_exercise(place, "Ann")
            task.language = code
            assert task.question
            for sentence in (*task.mistake_messages.values(), task.reveal()):
                assert "{" not in sentence


def test_matrix_answers_use_the_names_of_players():
    """A player who chooses once needs no set name, also on the board."""
    game = own_game([[(0, 0)] * 2] * 2, names=("Ann", "Bob"), lots={"payoffs": between(0, 9)})
    task = game.assignment("m", "M", [ask("best-response", given={"Bob": {"a": "1/3", "b": "2/3"}})]).create_exercise(1, "Ann")
    assert "Bob: a 1/3, b 2/3" in task.question
    [wrong] = {"A", "B"} - set(task.solution.values())
    assert "at “Ann”" in str(task.answer({0: wrong}))


def test_known_mistakes_are_named():
    """Test strategies counted without unreached ones, and the other player's probability."""
    game = own_game(gametheory.textbook("outside-option"), name="option")
    task = (
        game.assignment("o", "O", [ask("plans", of="One")]).create_exercise(1, "Ann")
        if "One" in gametheory.textbook("outside-option").names
        else None
    )
    task = task or game.assignment("o", "O", [ask("plans", of=0)]).create_exercise(1, "Ann")
    assert task.solution == ["4"]
    assert english("class.own.plans.reduced").search(str(task.answer("3")))
    mixing = GAMES["penalty"].assignment("p", "P", ["mixing"]).create_exercise(1, "Ann")
    assert "contrary" not in mixing.mistakes
    assert english("class.own.mixing.other").search(str(mixing.answer(str(mixing.mistakes.get("other", 1 - Fraction(mixing.solution[0]))))))


@pytest.mark.parametrize(
    ("game", "asked", "answered", "by"),
    [
        ("entry", ["form", "values", "dominance"], "form", "table that 'dominance'"),
        ("entry", ["best responses", "form"], "form", "table that 'best-responses'"),
        ("beer", ["beliefs", "sets"], "sets", "tree that 'beliefs'"),
        ("beer", ["sets", "equilibria"], "sets", "pure strategies that 'equilibria'"),
        ("horse", ["sets", "equilibrium"], "sets", "tree that 'equilibrium'"),
    ],
)
def test_a_question_that_reveals_the_answer_of_another_is_refused(game, asked, answered, by):
    """Order does not matter. The message says which one, and what to do."""
    for do in (GAMES[game].questions, GAMES[game].trial, lambda some: GAMES[game].assignment("a", "A", some)):
        with pytest.raises(DurakError, match=f"'{answered}' is answered by the {by} prints.* as in own_game"):
            do(asked)
    assert [question.kind for question in GAMES[game].questions([question for question in asked if question != answered])]
    assert len(GAMES[game].questions(answered)) == 1


def test_every_pair_of_questions_that_reveals_an_answer_is_known():
    """Both exist, and no question reveals its own answer."""
    for name, kind in QUESTION_TYPES.items():
        assert set(kind.revealed_by) <= {*QUESTION_TYPES} - {name}


def test_no_ties_with_hidden_information_names_the_alternative():
    """The message does not name a solver."""
    game = own_game(gametheory.textbook("horse"), so_that="no ties")
    with pytest.raises(DurakError, match=r"game: it needs a game.*moves") as refused:
        game.trial(["equilibrium"], students=2)
    assert "use 'different payoffs' or 'one pure equilibrium'" in str(refused.value)
    assert "gametheory" not in str(refused.value)
    assert refused.value.__cause__ is None
