"""Tests of the plans: each hour can be run from its data alone, in every language."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random

import pytest

from durak_widget import gametheory
from durak_widget.gametheory.strategic_form import matrix_from_payoffs
from durak_widget.live.plans import PLANS
from durak_widget.live.question import LANGUAGES, find_question_class, load_question
from durak_widget.live.texts import translate

MAX_NOTE_WORDS = 40


@pytest.mark.parametrize("name", PLANS)
def test_an_hour(name):
    """A plan has six to eight steps in at most an hour, and notes that a teacher can read at a glance in their language."""
    plan = json.loads(json.dumps(PLANS[name].to_json()))
    assert set(plan["title"]) == set(LANGUAGES)
    assert 6 <= len(plan["steps"]) <= 8
    assert sum(step["minutes"] for step in plan["steps"]) <= 60
    assert any(step["again"] for step in plan["steps"])
    for step in plan["steps"]:
        for texts in (step["title"], step["note"], step["spec"]["title"]):
            assert len({texts[language] for language in LANGUAGES}) == 3
        assert all(len(step["note"][language].split()) <= MAX_NOTE_WORDS for language in LANGUAGES)


@pytest.mark.parametrize("name", PLANS)
def test_each_step_runs(name):
    """Every question is prepared, shown, answered, scored and revealed in each language."""
    rng = Random(6)
    for step in json.loads(json.dumps(PLANS[name].to_json()))["steps"]:
        question_class = find_question_class(step["spec"])
        question = load_question(step["spec"], json.loads(json.dumps(question_class.prepare(step["spec"]))))
        answers = {seat: question.pick_answer(seat, rng) for seat in range(24)}
        result, solution = json.loads(json.dumps([question.score(answers, "en"), question.solve()]))
        for language in LANGUAGES:
            assert all(question.build_form(seat, language)["text"] for seat in range(2))
            board = question.build_board(answers, result, solution, is_revealed=True, language=language)
            assert board["title"] == step["title"][language]
            assert board["groups"]
            assert all(question.describe_result(result, seat, language)["headline"] for seat in answers)


def test_the_unequal_pennies_teach_what_the_texts_say():
    """In equilibrium only Odd's probabilities change: 1/3 if the match pays 3, and 1/4 if it pays 5."""
    for payoff, heads in (("1", "1/2"), ("3", "1/3"), ("5", "1/4")):
        [equilibrium] = gametheory.equilibria(matrix_from_payoffs([[(payoff, -1), (-1, 1)], [(-1, 1), (1, -1)]]))
        assert (equilibrium.row[0], equilibrium.column[0]) == (Fraction(1, 2), Fraction(heads))


@pytest.mark.parametrize(("name", "titles"), [("pennies", ("change", "often", "habit")), ("beer-quiche", ("gain",))])
def test_a_question_about_a_game_shows_the_game(name, titles):
    """Students who come late can answer a question about a game, because they see its payoffs in their language."""
    for title in titles:
        [spec] = [step.spec for step in PLANS[name].steps if step.title["en"] == translate("en", f"live.plan.{name}.{title}.title")]
        question = load_question(spec, find_question_class(spec).prepare(spec))
        forms = [question.build_form(0, language) for language in LANGUAGES]
        assert all(form["picture"].startswith("<svg") for form in forms)
        assert len({form["picture_text"] for form in forms}) == 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_a_tree_are_on_its_buttons(language):
    """The text of a question about a tree uses the words of its buttons, perhaps with other endings."""
    trees = [step.spec for name in PLANS for step in PLANS[name].steps if "textbook" in step.spec]
    assert trees
    for spec in trees:
        question = load_question(spec, find_question_class(spec).prepare(spec))
        for form in (question.build_form(seat, language) for seat in range(question.role_count)):
            for action in (action["text"] for infoset in form["infosets"] for action in infoset["actions"]):
                assert action[:3].lower() in form["text"].lower()


def test_plans_by_name():
    """Plans are looked up by name, and another name is no plan."""
    assert sorted(PLANS) == ["beer-quiche", "pennies"]
    assert "chess" not in PLANS
    assert PLANS["pennies"] is PLANS["pennies"]
    with pytest.raises(KeyError):
        PLANS["chess"]
