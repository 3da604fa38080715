"""Exercises: answered from code as on the page, judged by the rules, and in the words of the rules."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from itertools import pairwise, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from durak_widget import Card, Game, Move, Rules, lessons
from durak_widget.errors import DurakError
from durak_widget.lessons import Choose, Drill, Guided, Pick, Position, Predict, Progress, Sort, WhatIf, goals
from durak_widget.lessons import drill as drilling
from durak_widget.lessons.page import Page
from durak_widget.lessons.series import SERIES

DECK = [rank + suit for suit in "cdhs" for rank in "6789TJQKA"]
THROWING = Game.from_position(hands=["7h 9s Kd 7s", "Th Jh"], trump="s", attacker=0, table="7c/9c")


class Told(Page):
    """A page whose messages to the browser are kept."""

    def send(self, content: object, buffers: object = None) -> None:  # noqa: ARG002
        """Keep it."""
        self.told = [*getattr(self, "told", []), content]


@given(st.lists(st.sampled_from(DECK), min_size=2, max_size=9, unique=True), st.sampled_from("cdhs"))
def test_what_beats_a_card_is_what_the_model_beats_it_with(cards: list[str], trump: str) -> None:
    """Whatever the cards: the solution is right, and what it leaves out is refused with a reason."""
    target, *hand = cards
    quiz = Pick.beaters(target, of=hand, trump=trump)
    assert quiz.answer(quiz.solution)
    assert quiz.check()
    low = Card(target)
    for card in map(Card, hand):
        beats = (card.suit == low.suit and DECK.index(str(card)) > DECK.index(str(low))) or (card.suit == trump != low.suit)
        assert (str(card) in quiz.solution) == beats
        if not beats:
            assert any("does not beat" in said for said in quiz.answer([str(card)]).said)
            assert not quiz.check()


def test_a_right_card_left_out_is_counted_and_not_told() -> None:
    """Otherwise one try would give the answer away."""
    quiz = Pick.moves(THROWING, "throw")
    verdict = quiz.answer("7h")
    assert not verdict
    assert verdict.said == ("Not yet.", "You left out 2 cards.")
    assert quiz.sheet()["marks"] == {"7h": "right"}


def test_picking_none_can_be_right() -> None:
    """Where no card will do."""
    quiz = Pick.beaters("Ac", of="Kc Ad", trump="h")
    assert quiz.solution == []
    assert quiz.answer([])
    assert not quiz.answer("Kc")


def test_the_picture_of_a_question_does_not_answer_it() -> None:
    """No card is lifted, and no words name those that may be played."""
    quiz = Pick.moves(THROWING, "throw")
    picture = str(quiz.sheet()["picture"])
    assert "You may throw in." in picture
    assert "You may throw in 7" not in picture
    assert "You may play" not in picture


@given(st.permutations(["6s", "Ks", "7c", "Jc", "Ac"]))
def test_a_row_is_right_in_one_order_alone(row: list[str]) -> None:
    """And wrong in any other, with the reason for the first card that does not beat the one before."""
    quiz = Sort(row, trump="s")
    assert quiz.solution == ["7c", "Jc", "Ac", "6s", "Ks"]
    verdict = quiz.answer(row)
    assert bool(verdict) == (row == quiz.solution)
    assert verdict or "does not beat" in str(verdict)


def test_cards_without_an_order_are_not_sorted() -> None:
    """Two suits that are no trumps."""
    with pytest.raises(DurakError, match="7c and 8d cannot be ordered: neither beats the other"):
        Sort("7c 8d", trump="h")


def test_the_low_trump_that_beats_the_ace_makes_a_circle_which_is_refused() -> None:
    """Under such rules the trumps have no order."""
    with pytest.raises(DurakError, match="6h and Ah cannot be ordered: each beats the other"):
        Sort("6h 7h Ah", trump="h", rules=Rules(low_trump_beats_ace=True))


@pytest.mark.parametrize("language", ["en", "ru", "lt"])
def test_an_exercise_speaks_the_languages_of_the_table(language: str) -> None:
    """Question, reasons and the words of the page; what the author gave in one language alone stays."""
    quiz = Pick.moves(THROWING, "throw", language=language)
    assert (
        str(quiz.answer("Kd"))
        == {
            "en": "Not yet. The king of diamonds cannot be thrown in: no king lies on the table, which shows 7 and 9. You left out 3 cards.",
            "ru": "Пока нет. Короля бубён подкинуть нельзя: на столе нет королей, только семёрки и девятки. Пропущены 3 карты.",
            "lt": "Dar ne. Būgnų karaliaus primesti negalima: ant stalo nėra karalių, tik septynetai ir devynetai. Praleistos 3 kortos.",
        }[language]
    )
    own = Choose({"en": "Why?", "ru": "Почему?"}, {"a": "A.", "b": {"en": "B.", "ru": "Б."}}, right="b", language=language)
    assert own.question == ("Почему?" if language == "ru" else "Why?")
    assert str(own.answer("b")).endswith("Б." if language == "ru" else "B.")


def test_the_language_changes_on_the_page_too() -> None:
    """The page is told anew."""
    quiz = Choose("?", {"a": "", "b": ""}, right="a")
    page = quiz._page = Page(quiz)
    quiz.language = "lt"
    assert (page.language, page.words["check"]) == ("lt", "Tikrinti")
    with pytest.raises(DurakError, match="there are no words in 'xx'"):
        quiz.language = "xx"


def test_what_the_page_answers_is_judged_as_from_code() -> None:
    """An answer, the solution, and a new beginning; anything else is told."""
    quiz = Pick.moves(THROWING, "throw")
    page = quiz._page = Told(quiz)
    page._hear(None, {"kind": "answer", "given": ["7h", "Kd"]}, [])
    assert (page.sheet["state"], page.sheet["tries"], quiz.check()) == ("wrong", 1, False)
    page._hear(None, {"kind": "answer", "given": ["7h", "7s", "9s"]}, [])
    assert (page.sheet["state"], page.sheet["tries"], quiz.check()) == ("right", 2, True)
    page._hear(None, {"kind": "again"}, [])
    assert (page.sheet["state"], page.sheet["given"], quiz.check()) == ("", [], False)
    page._hear(None, {"kind": "reveal"}, [])
    assert (page.sheet["state"], page.sheet["given"], quiz.check()) == ("shown", ["7h", "7s", "9s"], False)
    for odd in ({"kind": "next"}, {"kind": "answer", "given": ["2c"]}, {"kind": "answer"}, "again", None):
        page._hear(None, odd, [])
    assert len(page.told) == 5
    assert "2c is not among the cards" in page.told[1]["said"]


def test_a_page_changes_nothing_by_itself() -> None:
    """The sheet is Python's."""
    page = Page(Choose("?", {"a": "", "b": ""}, right="a"))
    before = dict(page.sheet)
    page.set_state({"sheet": {"state": "right"}, "language": "ru"})
    assert (page.sheet, page.language) == (before, "en")


def test_a_solution_that_was_shown_does_not_count() -> None:
    """Until one begins again."""
    quiz = Pick.moves(THROWING, "throw")
    assert quiz.reveal() == "This is the solution."
    assert quiz.answer(quiz.solution)
    assert not quiz.check()
    quiz.again()
    assert quiz.answer(quiz.solution)
    assert quiz.check()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Pick("?", "7c 8c", "9c"), "9c cannot be right: it is not among the cards 7c 8c"),
        (lambda: Pick.moves(THROWING, "thorw"), "the verbs are attack, beat, throw, transfer, show. Did you mean 'throw'"),
        (lambda: Choose("?", {"yes": ""}, right="ja"), "'ja' is not among the answers"),
        (lambda: Choose("?", {"yes": ""}, right="yes", langage="ru"), "Choose has no option 'langage'. Did you mean 'language'"),
        (lambda: Choose("?", {"yes": ""}, right="yes", game=THROWING, seat=2), "there is no seat 2; seats are counted from 0 to 1"),
        (lambda: Pick("?", "7c 8c", "7c").answer("7c 7c"), "each card is named once"),
        (lambda: Sort("7c 8c", trump="h").answer("7c"), "the row lacks 8c"),
        (lambda: Choose("?", {"yes": ""}, right="yes").answer("no"), "'no' is not one of the answers: 'yes'"),
    ],
)
def test_what_cannot_be_asked_or_answered_is_told(make, says: str) -> None:
    """In one sentence, with what would be right."""
    with pytest.raises(DurakError) as told:
        make()
    assert says in str(told.value)


def test_who_is_to_act_is_what_the_model_says() -> None:
    """At every move of whole games, for every preset."""
    for preset in Rules.presets():
        rng, game = Random(preset), Game(Rules.preset(preset), seed=1)
        while game.outcome is None and game.ply < 25:
            move = rng.choice(game.legal_moves())
            after = game.copy()
            after.play(move)
            if after.actor is not None:
                quiz = Predict.next_to_act(game, move)
                assert quiz.solution == [str(after.actor)]
                assert quiz.answer(after.actor)
            ends = after.view(0).ends
            if ends and ends[-1].ply == after.ply and ends[-1].drew:
                assert Predict.first_to_draw(game, move).solution == [str(ends[-1].drew[0][0])]
            game = after


def test_a_prediction_shows_what_came_of_it_only_then() -> None:
    """Before the answer the picture is that of the question."""
    game = Game.from_position(hands=["9s 8c", "9c Th"], trump="h", table="7d/9d", attacker=0, talon="Kd Ah Qs Kc 6s 6d 6h")
    quiz = Predict.next_to_act(game, "pass")
    before = quiz.sheet()["picture"]
    quiz.answer(0)
    assert quiz.sheet()["picture"] == before
    quiz.answer(1)
    assert quiz.sheet()["picture"] != before
    quiz.again()
    assert quiz.sheet()["picture"] == before


def test_progress_is_kept_in_a_small_file(tmp_path) -> None:
    """Solved stays solved; another notebook's tries are kept too."""
    path = tmp_path / "of" / "mine.json"
    progress, other = Progress(path), Progress(path)
    quiz = Choose("?", {"a": "", "b": ""}, right="b", name="00/choice")
    progress.watch(quiz)
    quiz.answer("a")
    quiz.answer("b")
    quiz.answer("a")
    other.record("01/other", solved=False)
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "version": 1,
        "exercises": {"00/choice": {"tries": 2, "solved": True}, "01/other": {"tries": 1, "solved": False}},
    }
    assert (Progress(path).solved, Progress(path).tried) == (("00/choice",), ("00/choice", "01/other"))
    progress.reset()
    assert Progress(path).tried == ()


def test_what_is_done_in_a_notebook_is_remembered(tmp_path, monkeypatch) -> None:
    """Only what was shown there and has a name; where nothing can be written, the answer is none the worse."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path / "student"))
    named = Choose("?", {"a": "", "b": ""}, right="b", name="01/choice")
    named.answer("b")
    assert Progress().tried == ()
    for quiz in (named, Choose("?", {"a": "", "b": ""}, right="b")):
        quiz._ipython_display_()
        quiz._ipython_display_()
        quiz.answer("a")
        quiz.answer("b")
    assert repr(Progress()).splitlines()[1:] == ["  01/choice  solved at try 2"]
    shown = Choose("?", {"a": "", "b": ""}, right="b", name="01/shown")
    shown._ipython_display_()
    shown.reveal()
    shown.answer("b")
    assert "01/shown" not in Progress().tried
    (tmp_path / "file").touch()
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path / "file" / "student"))
    assert named.answer("b")


@pytest.mark.parametrize("language", ["en", "ru", "lt"])
def test_progress_says_how_far_one_has_come(tmp_path, language: str) -> None:
    """In each lesson of the series, and in exercises of others; on the page it can be forgotten."""
    progress = Progress(tmp_path / "progress.json", language=language)
    progress.record("01/a", solved=True)
    progress.record("01/b", solved=False)
    progress.record("mine", solved=True)
    rows = progress._rows()
    assert rows[1][1:] == (1, SERIES["01"].exercises)
    assert rows[-1][1:] == (1, 1)
    assert len(rows) == len(SERIES) + 1
    assert progress.sheet()["tries"] == 3
    for name, done, count in rows:
        assert name in progress.static()["text/plain"]
        assert f'value="{done}" max="{max(count, 1)}"' in progress.sheet()["picture"]
    Told(progress)._hear(None, {"kind": "again"}, [])
    assert Progress(progress.path).tried == ()


def test_cards_without_a_position_are_drawn_for_print() -> None:
    """A question about cards shows them where nothing is live; a hand is part of its position's picture."""
    alone, seen = Pick.beaters("Tc", of="9c Jc", trump="h").static(), Pick.moves(THROWING, "throw").static()
    assert 'alt="9 of clubs, jack of clubs"' in alone["text/html"]
    assert alone["text/html"].count("<img") == seen["text/html"].count("<img") == 1
    assert "- 9 of clubs\n- jack of clubs" in alone["text/plain"]


def test_a_stored_exercise_changes_with_its_answer() -> None:
    """So that a notebook is found out whose rules have changed, though it shows no answer."""
    plain = Pick.beaters("Ah", of="6h Kd As", trump="h")
    other = Pick.beaters("Ah", of="6h Kd As", trump="h", rules="low_trump")
    assert plain.static()["text/plain"] == other.static()["text/plain"]
    assert plain.static()["text/html"] != other.static()["text/html"]
    assert plain.static() == Pick.beaters("Ah", of="6h Kd As", trump="h").static()


@pytest.mark.parametrize(
    "kept",
    [
        b"",
        b"[]",
        b"{}",
        b'{"exercises": 3}',
        b'{"exercises": {"a": 1}}',
        b"\x00",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"exercises": {"a": {"tries": Infinity, "solved": 1}}}',
    ],
    ids=str,
)
def test_a_progress_file_that_cannot_be_read_is_set_aside(tmp_path, kept: bytes) -> None:
    """Nothing of it is lost, and nobody is stopped."""
    path = tmp_path / "progress.json"
    path.write_bytes(kept)
    progress = Progress(path)
    assert progress.tried == ()
    assert (tmp_path / "progress.unreadable").read_bytes() == kept
    progress.record("a", solved=True)
    assert Progress(path).solved == ("a",)


def test_what_cannot_be_forgotten_is_still_there(tmp_path) -> None:
    """And a sentence says why."""
    folder = tmp_path / "student"
    progress = Progress(folder / "progress.json")
    progress.record("01/a", solved=True)
    (folder / "progress.json").unlink()
    folder.rmdir()
    folder.touch()
    page = Told(progress)
    page._hear(None, {"kind": "again"}, [])
    assert page.told[-1]["said"].startswith("progress cannot be written to progress.json")
    assert progress.solved == ("01/a",)


@pytest.mark.parametrize("rules", sorted(Rules.presets()))
def test_what_may_be_done_can_be_answered_under_every_preset(rules: str) -> None:
    """Of twins in two decks, too, and of cards that may be played in several suits."""
    game, rng, asked = Game(rules, seed=2), Random(2), 0
    while game.actor is not None and asked < 12:
        for verb in {move.verb for move in game.legal_moves()} & {"attack", "beat", "throw", "transfer", "show"}:
            quiz = Pick.moves(game, verb)
            assert quiz.answer(quiz.solution), (verb, quiz.solution)
            asked += 1
        game.play(rng.choice(game.legal_moves()))
    assert asked


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: Sort("", trump="h"), "a row takes two cards or more, each once, not none"),
        (lambda: Sort("6c 6c Ac", trump="h"), "a row takes two cards or more, each once"),
        (lambda: Pick.beaters("Tc", of="", trump="h"), "there is nothing to choose from"),
        (lambda: Pick.beaters("Tc", of="9c", trump="h", rules="podkidnoy, players=4"), "with rules for two players"),
        (lambda: Pick.beaters("Tc", of="9c Jc", trump="h").answer(None), "cards are named as in '9c Ah'"),
        (lambda: Position(DEFENDING, goals.beat_all(), solution=["beat 7c 9c"]).answer(5), "a move is answered as in 'take'"),
        (
            lambda: Position(DEFENDING, goals.find({"beat 7c 9c": ""}), solution=["beat 7c 9c", "take"]),
            "before the solution is played to its end: take is left",
        ),
        (lambda: Drill("beats", level=1.0), "a drill has the levels 1 to 4"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_a_reason(wrong, said: str) -> None:
    """In one sentence."""
    with pytest.raises(DurakError, match=re.escape(said)):
        wrong()


def test_after_the_solution_a_wrong_answer_is_still_wrong() -> None:
    """And counts no more."""
    quiz = Pick.beaters("Tc", of="9c Jc", trump="h")
    quiz.reveal()
    assert str(quiz.answer("9c")).startswith("Not yet.")
    assert (quiz.check(), quiz.tries, quiz.sheet()["state"]) == (False, 0, "wrong")


def test_a_task_that_was_taken_back_is_not_solved() -> None:
    """What a grader hears is what stands on the page."""
    task = Position(DEFENDING, goals.beat_all(trumps=False), solution=["beat 7c 9c"])
    assert task.answer("beat 7c 9c")
    task.table.game.undo()
    task.table.refresh()
    assert (task.check(), task.sheet()["state"], task.sheet()["begun"]) == (False, "", False)
    task.table.game = Game(seed=1)
    assert task.sheet()["begun"] is True
    assert task.hint() is None
    task.again()
    assert task.hint() == Move("beat 7c 9c")


def test_an_exercise_needs_no_notebook() -> None:
    """It is judged without a widget; its static form says what is asked and what can be chosen."""
    assert all(Pick("?", cards, cards[:1]).answer(cards[0]) for cards in permutations(["7c", "8c"]))
    assert Pick.beaters("Tc", of="9c Jc", trump="h").static()["text/plain"].splitlines() == [
        "Pick every card that beats the 10 of clubs. Trumps are hearts.",
        "- 9 of clubs",
        "- jack of clubs",
    ]
    assert lessons.Verdict(right=True, said=())


# Drills

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
        return [card for card in items if oracle.beats(asdict(Rules()) | AS_SAID[rule], trump, card, str(question.facts["target"]))]
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
            assert all(oracle.beats(asdict(Rules()), quiz._trump, high, low) for low, high in pairwise(right))
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


def test_the_page_of_a_drill_goes_on() -> None:
    """To the next question, with the row so far."""
    drill = Drill("beats", seed=1)
    page = drill._page = Told(drill)
    page._hear(None, {"kind": "answer", "given": drill.solution}, [])
    assert (page.sheet["state"], page.sheet["streak"], page.sheet["level"]) == ("right", 1, 1)
    page._hear(None, {"kind": "next"}, [])
    assert (page.sheet["state"], page.sheet["streak"]) == ("", 1)
    assert not hasattr(page, "told")
    drill.language = "ru"
    assert page.words["check"] == "Проверить"
    assert page.sheet["question"].startswith("Выберите")


# Positions to play

DEFENDING = Game.from_position(hands=["9c Ah 7d", "Jd Qs"], trump="h", table="7c", attacker=1)


def test_a_goal_is_reached_or_missed_by_what_is_played() -> None:
    """By the table as from code; a new beginning lays the cards as they were."""
    task = Position(DEFENDING, goals.beat_all(trumps=False), solution=["beat 7c 9c"], name="02/plain")
    heard = []
    task.on_answer(heard.append)
    task.table.play("beat 7c Ah")
    assert (task.check(), task.tries, task.sheet()["state"]) == (False, 1, "wrong")
    assert heard[-1].said == ("Not yet.", "The ace of hearts is a trump.")
    task.again()
    assert (str(task.table.game), task.sheet()["state"]) == (str(DEFENDING), "")
    task.table.play("take")
    assert heard[-1].said[-1] == "You took the cards."
    task.again()
    assert task.answer(task.solution)
    assert task.check()


def test_what_is_taken_back_is_open_again() -> None:
    """A person undoes the bad move at the table and plays another."""
    task = Position(DEFENDING, goals.beat_all(trumps=False), solution=["beat 7c 9c"])
    assert not task.answer("beat 7c Ah")
    task.table.game.undo()
    task.table.game.forget_undone()
    task.table.refresh()
    task.table.play("beat 7c 9c")
    while task.table.step():
        pass
    assert task.check()


def test_the_solution_is_tried_when_the_task_is_set() -> None:
    """One that does not reach the goal is no solution."""
    with pytest.raises(DurakError, match=r"does not reach the goal: Not yet\. The ace of hearts is a trump\."):
        Position(DEFENDING, goals.beat_all(trumps=False), solution=["beat 7c Ah"])
    with pytest.raises(DurakError, match="does not reach the goal"):
        Position(DEFENDING, goals.get_out(), solution=["beat 7c 9c"])


def test_a_solution_that_is_shown_is_played_and_does_not_count() -> None:
    """At the table, from the beginning."""
    task = Position(DEFENDING, goals.beat_all(), solution=["beat 7c 9c"])
    task.answer("take")
    said = task.reveal()
    assert said == "This is the solution. The bout is over."
    assert not task.check()
    assert str(task.table.game.moves[0]) == "beat 7c 9c"


def test_getting_out_of_the_game() -> None:
    """The last card."""
    game = Game.from_position(hands=["9c", "Jd Qs"], trump="h", table="", attacker=0)
    task = Position(game, goals.get_out(), solution=["attack 9c"])
    assert task.answer("attack 9c")
    assert "out" in str(task.answer([]))


def test_the_best_move_is_found_with_reasons_for_others() -> None:
    """In the author's words, or that there is something better."""
    goal = goals.find({"beat 7c 9c": {"en": "The cheapest.", "ru": "Самой дешёвой."}}, {"take": "Why take one?"})
    task = Position(DEFENDING, goal, solution=["beat 7c 9c"], language="ru", why="!")
    assert str(task.answer("take")) == "Пока нет. Why take one?"
    task.again()
    assert str(task.answer("beat 7c Ah")) == "Пока нет. Есть ход лучше."
    task.again()
    assert str(task.answer("beat 7c 9c")) == "Верно. Самой дешёвой. !"
    task.language = "en"
    assert (task.question, task.table.language) == ("Find the best move.", "en")
    with pytest.raises(DurakError, match="a move to find must be named"):
        goals.find({})


# What if, and a game with a coach


def test_two_moves_lie_side_by_side() -> None:
    """The table after each, and the reasons."""
    quiz = WhatIf(DEFENDING, {"beat 7c 9c": "It keeps the trump.", "take": "There is no need."}, better="beat 7c 9c")
    picture = str(quiz.sheet()["picture"])
    assert picture.count("<figure") == 2
    assert "Beat the 7 of clubs with the 9 of clubs." in picture
    assert "Discard pile, 2 cards." in picture  # all was beaten
    assert str(quiz.answer("take")) == "Not yet. There is no need."
    assert str(quiz.answer("beat 7c 9c")) == "Right. It keeps the trump."
    assert quiz.sheet()["items"][1] == ["take", "Take."]
    with pytest.raises(DurakError, match="two moves are laid side by side, not 1: take"):
        WhatIf(DEFENDING, {"take": ""}, better="take")
    with pytest.raises(DurakError, match="does not beat"):
        WhatIf(DEFENDING, {"beat 7c 7d": "", "take": ""}, better="take")


@pytest.mark.parametrize("preset", sorted(Rules.presets()))
@pytest.mark.parametrize("language", ["en", "ru", "lt"])
def test_a_coach_has_words_for_every_move_of_every_game(preset: str, language: str) -> None:
    """Played to the end; less and less is said: after the first bout no ways to go on, after the second no reasons."""
    coach = Guided(Rules.preset(preset), seed=1, language=language, bouts=1)
    rng, ways = Random(1), coach._voice.say("lesson.coach.ways")
    while not coach.check() and coach.table.game.ply < 400:
        game = coach.table.game
        if game.actor != 0:
            coach.table.step()
            continue
        bout = game.bout
        said = coach.answer(rng.choice(game.legal_moves()))
        assert said
        assert not any("{" in line for line in said)
        assert ways not in said or coach.table.game.bout == 1
        if bout > 2:
            assert not any(
                coach._voice.say(f"lesson.coach.{verb}", ranks=(), limit=6) in said for verb in ("attack", "throw", "pass", "take", "swap")
            )


def test_the_hints_of_the_coach_fade() -> None:
    """Every way at first, then what is asked, then what happened alone."""
    coach = Guided(seed=7, others={1: "first"}, bouts=1)
    assert (coach.said[0], len(coach.said)) == ("You may:", 7)
    first = coach.answer("attack Jc")
    assert first[-3:] == ["You may:", "– Throw in the jack of hearts.", "– Pass."]
    assert "Every attacking card must be beaten: by a higher card of its suit, or by a trump." in first
    while coach.table.game.bout < 3 and not coach.check():
        coach.answer(coach.table.game.legal_moves()[-1])
    later = coach.answer(coach.table.game.legal_moves()[-1])
    assert not any(line.startswith(("–", "Your turn", "Beat", "You may", "Every")) for line in later)


def test_the_coach_speaks_of_what_is_seen() -> None:
    """Also when a move is taken back or looked at again, and in the language that is now spoken."""
    coach = Guided(seed=7, others={1: "first"})
    before = coach.said
    after = coach.answer("attack Jc")
    assert before[0] == "You may:"
    assert after[0] == "You attack with the jack of clubs."
    coach.table.game.undo()
    coach.table.game.undo()
    coach.table.refresh()
    assert coach.said == before
    coach.table.game.redo()
    coach.table.refresh()
    assert coach.said[0] == "You attack with the jack of clubs."
    coach.language = "ru"
    assert coach.said[0] == "Вы ходите с валета треф."


def test_what_decided_stays_decided_whatever_comes_after() -> None:
    """The others may move, and oneself too; taken back it is open again, and looked at again it is decided as before."""
    start = Game.from_position("econ431", hands=["Kd Ks", "9h As"], trump="h", table="Kc/Ac", attacker=0)
    goal = goals.find({"throw Kd": "The king."}, {"pass": "It gives up."}, otherwise="Another one.")
    task = Position(start, goal, solution=["throw Kd"])
    assert str(task.answer("pass")) == "Not yet. It gives up."
    task.table.step()
    assert (str(task._verdict()), task.check(), task.tries) == ("Not yet. It gives up.", False, 1)
    task.again()
    assert task.answer("throw Kd")
    task.table.step()
    if task.table.game.actor == 0:
        task.table.play(task.table.game.legal_moves()[0])
    assert (str(task._verdict()), task.check(), task.tries) == ("Right. The king.", True, 1)
    task.table.game.goto(0)
    task.table.refresh()
    assert task.sheet()["state"] == ""
    task.table.game.goto(1)
    task.table.refresh()
    assert task.sheet()["state"] == "right"


def test_a_missed_goal_may_say_more() -> None:
    """In the author's words, or in those of the model."""
    start = Game.from_position(hands=["6c", "7d 8d"], trump="h", table="", attacker=0)
    out = Position(start, goals.get_out(text="Get out first."), solution=["attack 6c"])
    assert out.question == "Get out first."
    task = Position(DEFENDING, goals.beat_all(trumps=False, missed="Keep it."), solution=["beat 7c 9c"])
    assert str(task.answer("beat 7c Ah")) == "Not yet. Keep it."


@pytest.mark.parametrize("preset", ["podkidnoy", "japanese", "no_trumps", "full_jokers", "low_trump", "neighbours"])
def test_the_coach_gives_reasons_that_hold_under_these_rules(preset: str) -> None:
    """That a higher card of its suit and any trump beat an attack is said only where just these do; of cards given along, that nobody beats them."""
    coach, rng, heard = Guided(Rules.preset(preset), seed=3, others={1: "first"}, bouts=50), Random(3), 0
    plain, along = (coach._voice.say(f"lesson.coach.{key}", ranks=(), limit=6) for key in ("attack", "throw.taking"))
    while coach.table.game.outcome is None:
        coach._others_move()
        said = coach.answer(rng.choice(coach.table.game.legal_moves())) if coach.table.game.outcome is None else []
        game = coach.table.game
        last = max((ply for ply, played in enumerate(game.course) if played.seat == 0), default=0)
        attacks = [played.cards[0] for played in game.course[last:] if played.verb == "attack"]
        usual = []
        for low in attacks:
            beaters = {
                card
                for card in oracle.deck_of(asdict(game.rules))
                if oracle.beats(asdict(game.rules), game.trump and str(game.trump), card, str(low))
            }
            wanted = {
                card
                for card in oracle.deck_of(asdict(game.rules))
                if card[1] == str(game.trump) or (card[1] == low.suit and oracle.card_key(card) > oracle.card_key(str(low)))
            }
            usual.append(game.trump is not None and beaters == wanted)
        heard += plain in said
        assert plain not in said or any(usual)
        assert along not in said or any(played.verb == "take" for played in game.course)
    assert (heard > 0) is (preset not in {"no_trumps", "full_jokers"})


def test_a_draw_is_no_getting_out() -> None:
    """Whoever was out first, nobody is the fool."""
    start = Game.from_position(hands=["9c As", "Jc Kd"], trump="s")
    task = Position(start, goals.get_out(), solution=["attack As", "attack 9c"], others={1: "careful"})
    assert str(task.answer(["attack 9c", "beat Kd As"])) == "Not yet. Nobody is the fool, it is a draw."
    assert task.check() is False


def test_getting_out_may_ask_for_epaulettes() -> None:
    """Two sixes at last, and no less."""
    start = Game.from_position(hands=["6c 6d Kc", "Ts Qd Tc"], trump="h")
    task = Position(start, goals.get_out(epaulettes=2), solution=["attack Kc", "attack 6c", "throw 6d"], others={1: "careful"})
    task.answer(["attack 6c", "throw 6d"])
    while task.sheet()["state"] == "":
        task.answer(task.table.game.legal_moves()[0])
    assert task.sheet()["state"] == "wrong"
    assert task.table.game.outcome.epaulettes < 2 or 0 not in task.table.game.outcome.winners


def test_each_move_towards_a_goal_is_answered() -> None:
    """Also one that decides nothing yet."""
    start = Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h")
    task = Position(start, goals.get_out(), solution=["attack Ks", "attack 7d"], others={1: "careful"})
    assert task.sheet()["said"] == []
    task.answer("attack Ks")
    assert task.sheet()["said"] == ["You attack with the king of spades.", "Player 2 takes.", "That does not decide it yet: go on."]
    task.answer("attack 7d")
    assert task.sheet()["said"][0] == "Right."
