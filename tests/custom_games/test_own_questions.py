"""Each question that has a name: right by its key, as hard for everybody, refused where it does not fit, and the same whenever it is drawn."""

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
def test_the_key_is_right_and_all_is_as_hard(game):
    """For some students: what the key says is taken for right also after it has been through a file, nothing is not; and the measure of each is that of the others."""
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
            shown = getattr(task, "tree", None)
            if shown is not None and question.name not in ("beliefs", "best-response", "mixing"):
                assert kind.measure_difficulty(GameInstance(shown, is_matrix=False, seed=0)) == even.target_difficulty[place]


def test_just_one_of_four_is_a_plan():
    """A move at each set of the player and nowhere else; one leaves a set out, one makes two moves, one has a set of the other's; each is told why."""
    assignment = GAMES["beer"].assignment("beer", "Beer", ask=[ask("plan", of="Sender")])
    seen = set()
    for number in range(6):
        task = assignment.create_exercise(1, f"student {number}")
        whole = [
            option for option in task._option_reasons if sorted(part.split(": ")[0] for part in option.split("; ")) == ["strong", "weak"]
        ]
        assert [[option] for option in whole if " + " not in option] == [task.solution]
        assert len(task._option_reasons) == 4
        said = {str(task.answer(option)).partition(". ")[2][:8] for option in task._option_reasons}
        assert said == {
            "One move",
            "It says ",
            "At “stro" if any("strong: beer + quiche" in option for option in whole) else "At “weak",
            "At “sees",
        }
        seen.add(task.solution[0])
    assert len(seen) > 1


def test_a_belief_is_what_walking_the_tree_says():
    """How often play comes there that way, of all the times that it comes there: counted by going through the tree with what the question tells."""
    assignment = GAMES["beer"].assignment("beer", "Beer", ask=[ask("beliefs", at="sees beer", given={"strong": {"beer": "3/4", "quiche": "1/4"}, "weak": {"beer": "1/3", "quiche": "2/3"}})])  # fmt: skip
    seen = set()
    for number in range(12):
        task = assignment.create_exercise(1, f"student {number}")
        tree = task._game_beside
        strong = tree.chance_moves[0].probabilities[tree.chance_moves[0].actions.index("strong")]
        both = strong * Fraction(3, 4), (1 - strong) * Fraction(1, 3)
        asked = 0 if "gone so: “strong" in task.question else 1
        assert Fraction(task.solution[0]) == both[asked] / sum(both)
        assert "(strong): beer 3/4, quiche 1/4" in task.question
        seen.add(task.solution[0])
    assert len(seen) > 3


def test_a_strategy_of_the_key_loses_nothing_by_trying_all_others():
    """What all play in the key of an equilibrium, and what answers best: no pure plan gains."""
    for game, name in (("penalty", "equilibrium"), ("horse", "equilibrium"), ("entry", "best-response")):
        assignment = GAMES[game].assignment(game, "A game", ask=[name])
        for number in range(3):
            task = assignment.create_exercise(1, f"student {number}")
            table = {int(place): one if isinstance(one, str) else {move: Fraction(likely) for move, likely in one.items()} for place, one in task.solution.items()}  # fmt: skip
            if name == "equilibrium":
                assert not any(gains(task.tree, Strategy.from_mapping(task.tree, table)))
                continue
            known = task._strategy_question.evaluator.known_profile
            mine = known.replace_player(0, Strategy.from_mapping(task.tree, table))
            assert gains(task.tree, mine)[0] == 0 <= payoffs(task.tree, mine)[0]


def test_what_does_not_fit_is_refused_when_it_is_made():
    """In a sentence, with what fits."""
    for game, asked, said in (
        ("entry", "value", "only a game for two in which one wins what the other loses has a value"),
        ("entry", "strategy", "'best-response', against play that is known, or 'equilibrium'"),
        ("entry", "sets", "nothing is hidden in this game"),
        ("entry", "beliefs", "everybody is certain"),
        ("beer", "values", "somebody does not know what was done before. What fits: sets, plans"),
        ("matrix", "form", "a matrix already"),
        ("matrix", "plans", "the plans stand written"),
        ("matrix", "values", "somebody does not know"),
        ("horse", "equilibria", "which is of a game for two, and this one has 3 players; 'equilibrium' asks for one"),
        ("horse", "value", "only a game for two"),
        ("beer", ask("beliefs", at="strong"), "nothing to be in doubt of"),
        ("beer", ask("beliefs", at="strnog"), r"Did you mean 'strong'\?"),
        ("beer", ask("plans", of="Sandra"), "the players are"),
        ("beer", ask("plans", weak=True), "has no option 'weak'; it has of"),
        ("beer", "equilibrium of Nash", "no question is called"),
        ("beer", [], "ask for one question or more"),
        ("entry", {"values": -1}, "points=-1"),
    ):
        with pytest.raises(DurakError, match=said):
            GAMES[game].questions(asked)


def test_what_cannot_be_told_apart_is_said_or_not_asked():
    """The tree of `sets` does not show it: without a story nobody could know, so it is refused, and a question of one's own will do."""
    silent = own_game(gametheory.textbook("beer-quiche"), lots={"payoffs": between(0, 20)})
    for do in (silent.questions, silent.trial):
        with pytest.raises(DurakError, match="say who sees what in own_game"):
            do("sets")
    [asked] = silent.questions(ask("sets", question="Who receives sees what is ordered. Join what looks alike."))
    assert asked.name == "game-sets"


def test_what_does_not_fit_is_said_before_what_gives_away():
    """Of a question that can never be asked of a game it is no use to hear first that it be asked of another."""
    with pytest.raises(DurakError, match="'values' does not fit this game"):
        GAMES["beer"].questions(["values", "sets", "beliefs"])


def test_what_no_draw_fits_is_told_with_what_failed(monkeypatch):
    """How often each; what a question lacks too."""
    monkeypatch.setattr(instance_difficulty, "MAX_DRAWS", 200)
    with pytest.raises(DurakError, match=r"of 200 draws 'mixing: one equilibrium alone, and mixed' failed 200 times"):
        own_game([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], lots={"payoff at A, a": between(1, 4)}).questions("mixing")
    for source, so_that in (
        ([[1, 2], [3, 4]], "no ties"),
        (gametheory.textbook("kuhn"), "one equilibrium"),
        (gametheory.textbook("kuhn"), "a dominated plan"),
    ):
        with pytest.raises(DurakError, match=rf"so_that='{so_that}' cannot be asked of this game"):
            own_game(source, so_that=so_that).questions("value")
    chance = 'EFG 2 R "" { "Ann" "Bob" } c "" 1 "" { "l" 1/2 "r" 1/2 } 0 t "" 1 "" { 1 2 } t "" 2 "" { 2 3 }'
    with pytest.raises(DurakError, match="'path' does not fit this game: in this tree nobody chooses anything"):
        own_game(chance).questions("path")


def test_whoever_finds_none_is_told_before_long(monkeypatch):
    """The clock is looked at as long as nothing fits; whoever has found one goes on, and finds the same on any machine."""
    monkeypatch.setattr(instance_difficulty, "TIME_LIMIT_SECONDS", -1)
    with pytest.raises(DurakError, match="no game is as it must be: of 1 draws"):
        own_game([[1, 2], [3, 4]], so_that="somebody mixes").questions("value")
    sixty = GAMES["matrix"].questions("equilibria")[0].make._sampler
    assert sixty.rejections.draw_count == instance_difficulty.SAMPLE_SIZE


def test_a_game_is_the_same_in_whatever_order_and_wherever_it_is_drawn():
    """The first question asked, or the last; after a way through another process; of a name written otherwise. Another edition is another game."""
    game = GAMES["matrix"]
    one, other = (game.assignment("m", "M", ask=["dominance", "equilibria"]) for _ in range(2))
    last = repr(other.create_exercise(2, "Ann Lee").matrix.payoffs)
    assert repr(one.create_exercise(1, "ann  LEE").matrix.payoffs) == last == repr(one.create_exercise(2, "Ann Lee").matrix.payoffs)
    carried = pickle.loads(pickle.dumps(one))
    assert repr(carried.create_exercise(1, "Ann Lee").matrix.payoffs) == last
    assert repr(one.with_edition("2028").create_exercise(1, "Ann Lee").matrix.payoffs) != last


def test_names_points_titles_and_words_are_as_they_are_said():
    """Those of a teacher's before the usual ones; twice the same question has two names; every language has words."""
    questions = GAMES["entry"].questions([ask("path", points=7, title="Who comes?", question="Click."), ask("path", whole=True), "values"])
    assert [(one.name, one.points) for one in questions] == [("game-path", 7), ("game-path-2", 2), ("game-values", 4)]
    assert (questions[0].title, questions[0].seed_name) == ("Who comes?", "game")
    assignment = GAMES["beer"].assignment("beer", {"en": "Beer", "ru": "Пиво"}, ask=["plans", "beliefs"])
    for code in LANGUAGES:
        for place in (1, 2):
            task = assignment.create_exercise(place, "Ann")
            task.language = code
            assert task.question
            for said in (*task.mistake_messages.values(), task.reveal()):
                assert "{" not in said


def test_a_matrix_is_played_by_its_players_names():
    """What is given for a player who chooses once is given by the name; the board calls the one choice by it too."""
    game = own_game([[(0, 0)] * 2] * 2, names=("Ann", "Bob"), lots={"payoffs": between(0, 9)})
    task = game.assignment("m", "M", [ask("best-response", given={"Bob": {"a": "1/3", "b": "2/3"}})]).create_exercise(1, "Ann")
    assert task.question.startswith("So it is played: Bob: a 1/3, b 2/3. ")
    [wrong] = {"A", "B"} - set(task.solution.values())
    assert "at “Ann”" in str(task.answer({0: wrong}))


def test_named_mistakes_are_named():
    """A number of plans without those that are never come to, and the probability of the other player."""
    game = own_game(gametheory.textbook("outside-option"), name="option")
    task = (
        game.assignment("o", "O", [ask("plans", of="One")]).create_exercise(1, "Ann")
        if "One" in gametheory.textbook("outside-option").names
        else None
    )
    task = task or game.assignment("o", "O", [ask("plans", of=0)]).create_exercise(1, "Ann")
    assert task.solution == ["4"]
    assert "written once" in str(task.answer("3"))
    mixing = GAMES["penalty"].assignment("p", "P", ["mixing"]).create_exercise(1, "Ann")
    assert "contrary" not in mixing.mistakes
    assert "you are asked about" in str(mixing.answer(str(mixing.mistakes.get("other", 1 - Fraction(mixing.solution[0])))))


@pytest.mark.parametrize(
    ("game", "asked", "answered", "by"),
    [
        ("entry", ["form", "values", "dominance"], "form", "table that 'dominance'"),
        ("entry", ["best responses", "form"], "form", "table that 'best-responses'"),
        ("beer", ["beliefs", "sets"], "sets", "tree that 'beliefs'"),
        ("beer", ["sets", "equilibria"], "sets", "plans that 'equilibria'"),
        ("horse", ["sets", "equilibrium"], "sets", "tree that 'equilibrium'"),
    ],
)
def test_a_question_that_another_answers_is_refused(game, asked, answered, by):
    """Whichever stands first: the sentence says which gives which away, and what to do; the same alone is asked, and tried."""
    for do in (GAMES[game].questions, GAMES[game].trial, lambda some: GAMES[game].assignment("a", "A", some)):
        with pytest.raises(DurakError, match=f"'{answered}' is answered by the {by} prints.* ask it of another game, as in own_game"):
            do(asked)
    assert [one.kind for one in GAMES[game].questions([one for one in asked if one != answered])]
    assert len(GAMES[game].questions(answered)) == 1


def test_whatever_prints_what_another_asks_is_known():
    """Of each pair that is refused both there are, and no question gives itself away."""
    for name, kind in QUESTION_TYPES.items():
        assert set(kind.revealed_by) <= {*QUESTION_TYPES} - {name}


def test_no_ties_with_hidden_information_says_what_to_use_instead():
    """One sentence, which names no solver: a teacher asked for a condition."""
    game = own_game(gametheory.textbook("horse"), so_that="no ties")
    with pytest.raises(DurakError, match="cannot be asked of this game: it needs a game in which all moves are seen") as refused:
        game.trial(["equilibrium"], students=2)
    assert "use 'different payoffs' or 'one pure equilibrium'" in str(refused.value)
    assert "gametheory" not in str(refused.value)
    assert refused.value.__cause__ is None
