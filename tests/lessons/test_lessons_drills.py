"""Drills: questions with one answer, that of the rule book, which grow harder with success."""

from __future__ import annotations

import re
import sys
from dataclasses import asdict
from itertools import pairwise
from random import Random

import pytest

from durak_widget import Game, Rules
from durak_widget.errors import DurakError
from durak_widget.lessons import Drill, Pick, Predict, Progress, Sort, drill
from support import oracle_book
from support.sizes import tried

TOPICS = ["beats", "order", "throw", "transfer", "next"]


AS_SAID = {
    "": {},
    "lesson.rule.spades": {"spades_by_spades": True},
    "lesson.rule.low_trump": {"low_trump_beats_ace": True},
    "lesson.rule.jokers": {"ranks": "23456789TJQKA", "jokers": 2},
}


def _by_the_book(topic: str, quiz: Pick | Sort | Predict, items: list[str]) -> list[str]:
    """The answer as somebody would find it who knows the rule book and not the program."""
    if topic == "beats":
        question, rule = quiz._question, ""
        if question.key == "lesson.under":
            rule, question = question.facts["rule"].key, question.facts["asked"]
        trump = question.facts["trumps"].facts["suit"].letter
        return [card for card in items if oracle_book.beats(asdict(Rules()) | AS_SAID[rule], trump, card, str(question.facts["target"]))]
    game = quiz._game
    if topic == "next":
        after = game.copy()
        after.play(quiz._game_after.moves[-1])
        return [str(after.actor)]
    ranks = {card.rank for pair in game.table for card in pair if card}
    if topic == "throw":
        others = [seat for seat in (*range(game.defender + 1, game.seats), *range(game.defender)) if seat in game.seats_in]
        who = {"all": others, "neighbours": [others[0], others[-1]], "attacker": [game.attacker]}[game.rules.throw_in_by]
        ranks |= {card.rank for card in quiz._game_after.last_move.cards} if quiz._game_after else set()
        return [card for card in items if card[0] in ranks and quiz._seat in who and len(game.table) < game.limit]
    count, following = len(game.table) + 1, game.seats_in[(game.seats_in.index(game.defender) + 1) % len(game.seats_in)]
    fits = not any(beat for _, beat in game.table) and count <= min(6, len(game.hands[following]))
    return [card for card in items if card[0] in ranks] if fits else []


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("level", [4, *(pytest.param(level, marks=pytest.mark.release) for level in (1, 2, 3))])
def test_a_drill_asks_what_has_one_answer(topic: str, level: int) -> None:
    """Of many questions each: the answer is that of the rule book; any other is wrong and says why; and none lies there already."""
    drill, rng = Drill(topic, seed=f"{topic}{level}"), Random(level)
    drill._level = level
    for _ in range(tried(40, 150)):
        drill.next()
        drill._level = level
        quiz, right = drill.exercise, drill.solution
        items = [item for item, _ in quiz.view_model()["items"]]
        if topic == "order":
            assert all(oracle_book.beats(asdict(Rules()), quiz._trump, high, low) for low, high in pairwise(right))
            assert sorted(right) == sorted(items)
            assert right != items
        else:
            assert right == _by_the_book(topic, quiz, items)
        assert len(items) == len(set(items)) > 1
        other = rng.sample(items, rng.randrange(len(items) + 1)) if quiz.kind == "pick" else rng.sample(items, len(right))
        same = set(other) == set(right) if quiz.kind == "pick" else other == right
        verdict = quiz.answer(other)
        assert bool(verdict) == same
        assert verdict or len(verdict.sentences) > 1
        assert quiz.answer(right)


def test_a_drill_says_every_rule_that_is_not_the_usual_one() -> None:
    """What its rules change is what its words say, and nothing else."""
    changed = {
        "lesson.rule.spades": {"spades_by_spades"},
        "lesson.rule.low_trump": {"low_trump_beats_ace"},
        "lesson.rule.jokers": {"ranks", "jokers"},
        "lesson.rule.any_time": {"players", "throw_in_when"},
        "lesson.rule.neighbours": {"players", "throw_in_by"},
        "lesson.rule.attacker": {"players", "throw_in_by"},
    }
    assert {key: set(rules.changes()) for key, rules in {**drill.UNUSUAL_BEATING_RULES, **drill.UNUSUAL_THROW_RULES}.items()} == changed


@pytest.mark.release
@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_the_rule_of_a_level_decides_at_least_two_questions_in_three(topic: str, level: int, capsys) -> None:
    """Of many of each level; and what a rule forbids is asked about as well as what it allows."""
    rng = Random(f"{topic} {level}")
    drawn = [drill.draw_question(topic, level, rng) for _ in range(1000)]
    turning, barred = (sum(getattr(one, what) for one in drawn) / len(drawn) for what in ("turns", "bars"))
    with capsys.disabled():
        sys.stdout.write(f"\n{topic}, level {level}: the rule decides {turning:.0%}, and forbids {barred:.0%}")
    assert turning >= 2 / 3
    if topic == "transfer" or (topic == "throw" and level > 2):
        assert 0.1 < barred < 0.6


@pytest.mark.parametrize("topic", ["beats", "throw"])
def test_who_ignores_the_rule_answers_otherwise(topic: str) -> None:
    """What is said to turn on an unusual rule has another answer in the plain game."""
    rng = Random(5)
    for _ in range(tried(60, 200)):
        drawn = drill.draw_question(topic, 4, rng)
        quiz = drawn.make_exercise({})
        items = [str(card) for card in quiz._cards]
        plain = _plainly(topic, quiz, items)
        assert (quiz.solution != plain) is drawn.turns_on_rule, (quiz.question, quiz.solution, plain)


def _plainly(topic: str, quiz: Pick, items: list[str]) -> list[str]:
    """How somebody would answer who does not know the unusual rule, and thinks that a joker beats nothing and any trump a joker."""
    if topic == "throw":
        game, ranks = quiz._game, {card.rank for pair in quiz._game.table for card in pair if card}
        beaten = {card.rank for card in quiz._game_after.last_move.cards} if quiz._game_after else set()
        early = not quiz._game_after and not game.taking and game.table.unbeaten
        return [card for card in items if card[0] in ranks | beaten and not early and len(game.table) < game.limit]
    facts = quiz._question.facts["asked"].facts
    trump, target = facts["trumps"].facts["suit"].letter, str(facts["target"])
    if target[0] == "X":
        return [card for card in items if card[1] == trump and card[0] != "X"]
    plain = asdict(Rules()) | {"ranks": "23456789TJQKA"}
    return [card for card in items if card[0] != "X" and oracle_book.beats(plain, trump, card, target)]


def test_a_drill_has_an_end(tmp_path, monkeypatch) -> None:
    """So many right in a row; then it is done, whatever comes after, and its progress says so."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path))
    drill = Drill("beats", seed=1, goal=3, hardest=1, name="01/drill")
    drill._ipython_display_()
    for right in (True, False, True, True):
        drill.answer(drill.solution if right else [item for item, _ in drill.exercise.view_model()["items"] if item not in drill.solution])
        drill.answer(drill.solution)
        assert not drill.check()
        drill.next()
    assert Progress().tried_exercises == ("01/drill",)
    assert Progress().solved_exercises == ()
    drill.answer(drill.solution)
    assert (drill.check(), drill.streak, drill.level) == (True, 3, 1)
    assert (drill.view_model()["goal"], drill.view_model()["done"]) == (3, True)
    drill.next()
    drill.reveal()
    assert (drill.check(), drill.streak, Progress().solved_exercises) == (True, 0, ("01/drill",))


def test_who_may_sit_in_any_seat_is_told_in_which() -> None:
    """With more than two players."""
    for topic in ["throw", "transfer", "next"]:
        for level, told in ((1, False), (3, True)):
            quiz = Drill(topic, seed=4, level=level).exercise
            assert (f"You are Player {quiz._seat + 1}." in quiz.question) is told


@pytest.mark.parametrize("level", [4, *(pytest.param(level, marks=pytest.mark.release) for level in (1, 2, 3))])
def test_who_is_to_act_does_not_hang_on_hidden_cards(level: int) -> None:
    """However the cards that the viewer cannot see are dealt anew, the answer is the same."""
    asked = 0
    for seed in range(tried(25, 60)):
        quiz = Drill("next", seed=seed, level=level).exercise
        game, after = quiz._game, quiz._game_after
        move, rng, me = after.moves[-1], Random(seed), quiz._seat
        for _ in range(8):
            hidden = [card for seat, hand in enumerate(game.hands) if seat != me for card in hand]
            low = [card for card in game.talon if card is not game.turn_up]
            pool = hidden + low
            rng.shuffle(pool)
            hands = [list(hand) if seat == me else [pool.pop() for _ in hand] for seat, hand in enumerate(game.hands)]
            talon = [*pool, *([game.turn_up] if game.turn_up in game.talon else [])]
            try:
                world = Game.from_position(
                    game.rules,
                    hands=[" ".join(map(str, hand)) for hand in hands],
                    talon=" ".join(map(str, talon)),
                    turn_up=None if game.turn_up is None else str(game.turn_up),
                    trump=str(game.trump),
                    table=str(game.table),
                    attacker=game.attacker,
                    taking=game.taking,
                    throwers_passed=game.throwers_passed,
                    bout=game.bout,
                )
            except DurakError:
                continue  # nobody could come to act there: no such deal
            if world.actor != game.actor or world.why_not(move) is not None:
                continue
            world.play(move)
            asked += 1
            assert world.actor == after.actor, (seed, str(game), str(move))
    assert asked > 40


def test_a_drill_grows_harder_and_easier() -> None:
    """Three right in a row, two wrong in a row; only the first try of a question counts."""
    drill = Drill("order", seed=3)
    seen = []
    for _ in range(10):
        drill.answer(drill.solution)
        drill.answer(drill.solution)
        seen.append(drill.level)
        drill.next()
    assert seen == [1, 1, 2, 2, 2, 3, 3, 3, 4, 4]
    assert (drill.streak, drill.best) == (10, 10)
    for _ in range(2):
        assert not drill.answer(drill.solution[::-1])
        drill.answer(drill.solution)
        drill.next()
    assert (drill.streak, drill.best, drill.level) == (0, 10, 3)
    drill.reveal()
    drill.answer(drill.solution)
    assert drill.streak == 0


def test_a_drill_is_the_same_for_the_same_seed() -> None:
    """And another for another."""
    asked = [[Drill(topic, seed=seed, level=3).exercise.view_model()["items"] for topic in TOPICS[:4]] for seed in (1, 1, 2)]
    assert asked[0] == asked[1] != asked[2]


def test_a_drill_that_there_is_not() -> None:
    """It says which there are."""
    for given, says in [
        ({"topic": "beat"}, "there is no drill 'beat'"),
        ({"topic": "beats", "level": 5}, "level=5: a drill has the levels 1 to 4"),
        ({"topic": "beats", "hardest": 0}, "hardest=0: a drill has the levels 1 to 4"),
        ({"topic": "beats", "level": 3, "hardest": 2}, "level=3 is harder than hardest=2: begin at that level, or lower"),
        ({"topic": "beats", "goal": 0}, "goal=0: a drill is done after so many right answers in a row, from 1 to 100"),
    ]:
        with pytest.raises(DurakError, match=re.escape(says)):
            Drill(**given)
