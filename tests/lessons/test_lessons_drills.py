"""Test drills: each question has one answer, that of the rule book, and gets harder with success."""

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
from support.spoken import english_text

TOPICS = ["beats", "order", "throw", "transfer", "next"]


AS_SAID = {
    "": {},
    "lesson.rule.spades": {"spades_by_spades": True},
    "lesson.rule.low_trump": {"low_trump_beats_ace": True},
    "lesson.rule.jokers": {"ranks": "23456789TJQKA", "jokers": 2},
}


def _by_the_book(topic: str, quiz: Pick | Sort | Predict, items: list[str]) -> list[str]:
    """Return the answer by the rule book, without the program."""
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
def test_a_drill_question_has_exactly_one_answer(topic: str, level: int) -> None:
    """It is the rule book's. Wrong answers are explained, and no answer is preselected."""
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


def test_a_drill_names_every_unusual_rule() -> None:
    """Its text lists exactly the changes."""
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
def test_the_topic_decides_at_least_two_questions_in_three(topic: str, level: int, capsys) -> None:
    """Questions are about both allowed and forbidden moves."""
    rng = Random(f"{topic} {level}")
    questions = [drill.draw_question(topic, level, rng) for _ in range(1000)]
    turning, barred = (sum(getattr(question, what) for question in questions) / len(questions) for what in ("turns", "bars"))
    with capsys.disabled():
        sys.stdout.write(f"\n{topic}, level {level}: the rule decides {turning:.0%}, and forbids {barred:.0%}")
    assert turning >= 2 / 3
    if topic == "transfer" or (topic == "throw" and level > 2):
        assert 0.1 < barred < 0.6


@pytest.mark.parametrize("topic", ["beats", "throw"])
def test_ignoring_the_rule_gives_another_answer(topic: str) -> None:
    """Questions on an unusual rule differ from the plain game."""
    rng = Random(5)
    for _ in range(tried(60, 200)):
        question = drill.draw_question(topic, 4, rng)
        quiz = question.make_exercise({})
        items = [str(card) for card in quiz._cards]
        plain = _plainly(topic, quiz, items)
        assert (quiz.solution != plain) is question.depends_on_rule, (quiz.question, quiz.solution, plain)


def _plainly(topic: str, quiz: Pick, items: list[str]) -> list[str]:
    """Return the answer of somebody who ignores the rule: a joker beats nothing, and any trump beats a joker."""
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


def test_a_drill_ends_after_enough_right_answers(tmp_path, monkeypatch) -> None:
    """Progress says so, whatever comes later."""
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
    assert (drill.view_model()["goal"], drill.view_model()["is_goal_reached"]) == (3, True)
    drill.next()
    drill.reveal()
    assert (drill.check(), drill.streak, Progress().solved_exercises) == (True, 0, ("01/drill",))


def test_a_question_for_any_seat_names_the_seat() -> None:
    """There are more than two players."""
    for topic in ["throw", "transfer", "next"]:
        for level, names_seat in ((1, False), (3, True)):
            quiz = Drill(topic, seed=4, level=level).exercise
            assert (english_text("lesson.you_are", number=str(quiz._seat + 1)) in quiz.question) is names_seat


@pytest.mark.parametrize("level", [4, *(pytest.param(level, marks=pytest.mark.release) for level in (1, 2, 3))])
def test_the_player_to_move_does_not_depend_on_hidden_cards(level: int) -> None:
    """Hidden cards are dealt again, and the answer is the same."""
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
                continue  # such a deal is impossible
            if world.actor != game.actor or world.why_not(move) is not None:
                continue
            world.play(move)
            asked += 1
            assert world.actor == after.actor, (seed, str(game), str(move))
    assert asked > 40


def test_a_drill_gets_harder_and_easier() -> None:
    """Three right or two wrong in a row change the level. Only the first try counts."""
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


def test_a_drill_is_determined_by_its_seed() -> None:
    """Another seed gives another drill."""
    asked = [[Drill(topic, seed=seed, level=3).exercise.view_model()["items"] for topic in TOPICS[:4]] for seed in (1, 1, 2)]
    assert asked[0] == asked[1] != asked[2]


def test_an_unknown_drill_is_refused() -> None:
    """The message lists the drills."""
    for given, says in [
        ({"topic": "beat"}, "there is no drill 'beat'"),
        ({"topic": "beats", "level": 5}, "1 to 4"),
        ({"topic": "beats", "hardest": 0}, "1 to 4"),
        ({"topic": "beats", "level": 3, "hardest": 2}, "hardest=2"),
        ({"topic": "beats", "goal": 0}, "goal must be"),
    ]:
        with pytest.raises(DurakError, match=re.escape(says)):
            Drill(**given)
