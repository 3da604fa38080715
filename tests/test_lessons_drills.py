"""Drills: questions with one answer, that of the rule book, which grow harder with success."""

from __future__ import annotations

from dataclasses import asdict
from itertools import pairwise
from random import Random

import pytest

import oracle_book
from durak_widget import Game, Rules
from durak_widget.errors import DurakError
from durak_widget.lessons import Drill, Pick, Predict, Sort
from durak_widget.lessons import drill as drilling

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
        after.play(quiz._after.moves[-1])
        return [str(after.actor)]
    ranks = {card.rank for pair in game.table for card in pair if card}
    if topic == "throw":
        assert len(game.table) < game.limit
        return [card for card in items if card[0] in ranks]
    count, following = len(game.table) + 1, game.seats_in[(game.seats_in.index(game.defender) + 1) % len(game.seats_in)]
    fits = not any(beat for _, beat in game.table) and count <= min(6, len(game.hands[following]))
    return [card for card in items if card[0] in ranks] if fits else []


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_a_drill_asks_what_has_one_answer(topic: str, level: int) -> None:
    """Of a hundred and fifty questions each: the answer is that of the rule book; any other is wrong and says why; and none lies there already."""
    drill, rng = Drill(topic, seed=f"{topic}{level}"), Random(level)
    drill._level = level
    for _ in range(150):
        drill.next()
        drill._level = level
        quiz, right = drill.exercise, drill.solution
        items = [item for item, _ in quiz.sheet()["items"]]
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
        assert verdict or len(verdict.said) > 1
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
    assert {key: set(rules.changes()) for key, rules in {**drilling._OTHER_RULES, **drilling._OTHER_THROWS}.items()} == changed


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_who_is_to_act_does_not_hang_on_hidden_cards(level: int) -> None:
    """However the cards that the viewer cannot see are dealt anew, the answer is the same."""
    asked = 0
    for seed in range(60):
        quiz = Drill("next", seed=seed, level=level).exercise
        game, after = quiz._game, quiz._after
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
    assert asked > 100


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
    asked = [[Drill(topic, seed=seed, level=3).exercise.sheet()["items"] for topic in TOPICS[:4]] for seed in (1, 1, 2)]
    assert asked[0] == asked[1] != asked[2]


@pytest.mark.parametrize(("given", "says"), [(("beat",), "there is no drill 'beat'"), (("beats", 5), "a drill has the levels 1 to 4")])
def test_a_drill_that_there_is_not(given, says: str) -> None:
    """It says which there are."""
    with pytest.raises(DurakError, match=says):
        Drill(given[0], level=given[1] if len(given) > 1 else 1)
