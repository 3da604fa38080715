"""Test exercises answered from code: the rules judge them, and reasons use the words of the rules."""

from __future__ import annotations

import re
from itertools import pairwise, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import Card, Game, Move, Rules, lessons
from durak_widget.engine.narration import format_advice
from durak_widget.errors import DurakError
from durak_widget.exercises import goals
from durak_widget.i18n import LANGUAGES, Rank, Seat, Translator
from durak_widget.lessons import Choose, Drill, Pick, Position, Predict, Sort, WhatIf
from support.asked import DEFENDING, THROWING
from support.spoken import english, english_text

DECK = [rank + suit for suit in "cdhs" for rank in "6789TJQKA"]


@given(st.lists(st.sampled_from(DECK), min_size=2, max_size=9, unique=True), st.sampled_from("cdhs"))
def test_cards_that_beat_are_those_of_the_engine(cards: list[str], trump: str) -> None:
    """The solution is right for any cards, and each other card gets a reason."""
    target, *hand = cards
    quiz = Pick.beaters(target, of=hand, trump=trump)
    assert quiz.answer(quiz.solution)
    assert quiz.check()
    low = Card(target)
    for card in map(Card, hand):
        beats = (card.suit == low.suit and DECK.index(str(card)) > DECK.index(str(low))) or (card.suit == trump != low.suit)
        assert (str(card) in quiz.solution) == beats
        if not beats:
            code = "too_low" if card.suit == low.suit else "wrong_suit"
            why_not = english(f"refusal.{code}", card=f"the {card.name}", target=f"the {low.name}")
            assert any(why_not.fullmatch(sentence) for sentence in quiz.answer([str(card)]).sentences)
            assert not quiz.check()


def test_missing_cards_are_counted_first_and_named_at_the_second_try() -> None:
    """One try does not reveal the answer."""
    quiz = Pick.moves(THROWING, "throw")
    assert quiz.answer("7h").sentences == (
        english_text("lesson.not_yet"),
        english_text("lesson.missed.other", count="2 cards"),
        english_text("lesson.hint.throw"),
    )
    assert quiz.view_model()["marks"] == {"7h": "right"}
    explanation = english_text("lesson.why.throw", cards="the 7 of spades and the 9 of spades")
    assert quiz.answer("7h").sentences == (
        english_text("lesson.not_yet"),
        english_text("lesson.missed.other", count="2 cards"),
        explanation,
    )
    quiz.restart()
    assert quiz.answer("7h").sentences[-1] == english_text("lesson.hint.throw")


def test_the_rule_is_explained_for_right_answers_and_solutions() -> None:
    """Cards right by the same rule share a sentence."""
    quiz = Pick.beaters("9d", of="6d Td Kd Ac 7s 8d", trump="s")
    sentences = (
        english_text("lesson.why.higher.other", cards="the 10 of diamonds and the king of diamonds"),
        english_text("lesson.why.trump.one", cards="the 7 of spades", target="the 9 of diamonds"),
    )
    assert quiz.answer("Td Kd 7s").sentences[1:] == sentences
    assert quiz.reveal() == " ".join([english_text("lesson.solution"), *sentences])


@pytest.mark.parametrize(
    ("quiz", "reasons"),
    [
        (Pick.beaters("Ac", of="Kc Ad", trump="h"), [english("refusal.too_low", card="the king of clubs"), english("refusal.wrong_suit", card="the ace of diamonds")]),
        (Pick.beaters("Ah", of="6h", trump="h", rules="low_trump"), [english("lesson.why.low_trump", cards="the 6 of hearts")]),
        (Pick.beaters("Kh", of="Xr", trump="c", rules="full_jokers"), [english("lesson.why.joker", cards="the red joker", target="the king of hearts", colour="red")]),
        (Pick.moves(Game.from_position("weli", hands=["6c 8c", "9h Td"], trump="d", table="As", attacker=1), "beat"), [english("lesson.why.named", cards="the 6 of clubs", suit="diamonds")]),
        (Pick.moves(Game(seed=7), "attack"), [english("lesson.why.attack")]),
        (Pick.moves(Game.from_position("transfer", hands=["8d Qd 8h", "Kc Tc"], trump="s", table="8c", attacker=1), "transfer"), [english("lesson.why.transfer.other", cards="the 8 of diamonds and the 8 of hearts")]),
        (Pick.moves(Game.from_position("transfer", hands=["8d Qd 8h", "Kc"], trump="s", table="8c", attacker=1, bout=2), "transfer"), [english("refusal.transfer_too_many", next="Player 2", limit="1")]),
    ],
    ids=["none", "low trump", "joker", "named", "attack", "transfer", "no room"],
)  # fmt: skip
def test_every_rule_has_a_text(quiz: Pick, reasons: list[re.Pattern[str]]) -> None:
    """If no card is possible, the text says why."""
    right, *sentences = quiz.answer(quiz.solution).sentences
    assert english("lesson.right").fullmatch(right)
    assert len(sentences) == len(reasons)
    assert all(reason.fullmatch(line) for reason, line in zip(reasons, sentences, strict=True)), sentences


def test_an_author_can_give_a_reason_for_any_card() -> None:
    """Right cards can have one too, in several languages, and each is shown once."""
    why = {"7c": {"en": "Low.", "ru": "Младшая."}, "8c": {"en": "Low.", "ru": "Младшая."}, "Ac": "High."}
    quiz = Pick("Which are low?", "7c 8c Ac", "7c 8c", reasons=why, language="ru")
    assert quiz.answer("7c Ac").sentences[1:] == ("High.", "Пропущена 1 карта.")
    assert str(quiz.answer("7c 8c")) == "Верно. Младшая."


def test_the_hand_is_shown_once() -> None:
    """The picture leaves it out if you pick from it. The row is sorted as at the table, trumps last and marked."""
    quiz = Pick.moves(THROWING, "throw")
    sheet, stored = quiz.view_model(), quiz.static_mimebundle()["text/html"]
    assert [item for item, _ in sheet["items"]] == ["Kd", "7h", "7s", "9s"]
    assert sheet["trump"] == "s"
    assert len(str(sheet["picture"])) < len(stored)
    assert Pick.beaters("9d", of="6d 7s", trump="s").view_model()["target"] == "9d"


def test_number_and_challenge_are_shown() -> None:
    """They appear by the name."""
    sheet = Choose("Who?", {"a": "", "b": ""}, right="a", number=3, name="04/challenge").view_model()
    assert (sheet["number"], sheet["challenge"]) == ("3", True)
    assert {"number", "challenge"}.isdisjoint(Choose("Who?", {"a": "", "b": ""}, right="a", name="04/other").view_model())


def test_the_card_to_beat_is_named() -> None:
    """The picture shows it if there are several."""
    hands = ["Qd 7h Ks 8d 9d Ad", "9s Td Ah 6c 8s"]
    quiz = Pick.moves(Game.from_position(hands=hands, trump="h", table="Jc", attacker=1), "beat")
    assert quiz.question == english_text(
        "lesson.pick.beaters", target="the jack of clubs", trumps=english_text("lesson.trumps", suit="hearts")
    )
    second = Pick.moves(Game.from_position(hands=hands, trump="h", table="Jc/Qc Jd", attacker=1), "beat")
    assert second.question == english_text(
        "lesson.pick.beaters", target="the jack of diamonds", trumps=english_text("lesson.trumps", suit="hearts")
    )
    both = Pick.moves(Game.from_position("siege", hands=hands, trump="h", table="Jc Jd", attacker=1), "beat")
    assert both.question == english_text("lesson.pick.beat")


def test_picking_no_card_can_be_right() -> None:
    """There may be no possible card."""
    quiz = Pick.beaters("Ac", of="Kc Ad", trump="h")
    assert quiz.solution == []
    assert quiz.answer([])
    assert not quiz.answer("Kc")


def test_the_picture_of_a_question_does_not_reveal_the_answer() -> None:
    """No card is lifted, and no text names legal cards."""
    quiz = Pick.moves(THROWING, "throw")
    picture = str(quiz.view_model()["picture"])
    assert english_text("call.waits.throw.you", who="You") in picture
    assert not english("call.throw", cards="7").search(picture)
    assert not english("told.may_play").search(picture)


@given(st.permutations(["6s", "Ks", "7c", "Jc", "Ac"]))
def test_a_row_has_exactly_one_right_order(row: list[str]) -> None:
    """Otherwise the reason is about the first card that does not beat the one before."""
    quiz = Sort(row, trump="s")
    assert quiz.solution == ["7c", "Jc", "Ac", "6s", "Ks"]
    verdict = quiz.answer(row)
    assert bool(verdict) == (row == quiz.solution)
    assert verdict or any(english(f"refusal.{code}").search(str(verdict)) for code in ("too_low", "wrong_suit"))


def test_a_row_without_trumps_is_ordered_by_rank() -> None:
    """The first task comes before the rule of beating, so its reason names the lower card."""
    for language in sorted(LANGUAGES):
        voice, right = Translator(language), ["6c", "9c", "Tc", "Jc", "Ac"]
        for row in permutations(right):
            quiz = Sort(right, trump=None, language=language)
            verdict = str(quiz.answer(row))
            low = next(((high, low) for low, high in pairwise(row) if right.index(high) < right.index(low)), None)
            if low is None:
                continue
            card, target = map(Card, low)
            assert voice.translate("lesson.sort.lower", card=card, target=target) in verdict
            assert re.search("beat|бь|muš", verdict) is None


def test_a_wrong_order_marks_every_card_that_is_out_of_place() -> None:
    """None of them looks right, and the sentence says what must come first."""
    quiz = Sort("9c 6c Ac Jc Tc", trump=None)
    verdict = quiz.answer("9c 6c Ac Jc Tc")
    assert quiz.view_model()["marks"] == dict.fromkeys(["9c", "6c", "Ac", "Tc"], "wrong")
    assert verdict.sentences[1] == english_text("lesson.sort.lower", card="the 6 of clubs", target="the 9 of clubs")


def test_cards_without_an_order_are_not_sorted() -> None:
    """Two plain suits have no order."""
    with pytest.raises(DurakError, match="7c and 8d"):
        Sort("7c 8d", trump="h")


def test_a_low_trump_that_beats_the_ace_is_refused() -> None:
    """Trumps form a circle under such rules."""
    with pytest.raises(DurakError, match="6h and Ah"):
        Sort("6h 7h Ah", trump="h", rules=Rules(low_trump_beats_ace=True))


def test_an_exercise_follows_the_language_of_the_table() -> None:
    """An author's text in one language stays."""
    answers = set()
    for language in ["en", "ru", "lt"]:
        quiz = Pick.moves(THROWING, "throw", language=language)
        answers.add(found := str(quiz.answer("Kd")))
        say = Translator(language, own_seat=0).translate
        refused = say("refusal.rank_not_on_table", who=Seat(0), card=Card("Kd"), rank=Rank("K"), ranks=(Rank("7"), Rank("9")))
        assert found == " ".join([say("lesson.not_yet"), refused, say("lesson.missed", count=3)])
        own = Choose({"en": "Why?", "ru": "Почему?"}, {"a": "A.", "b": {"en": "B.", "ru": "Б."}}, right="b", language=language)
        assert own.question == ("Почему?" if language == "ru" else "Why?")
        assert str(own.answer("b")).endswith("Б." if language == "ru" else "B.")
    assert len(answers) == 3


def test_a_shown_solution_does_not_count() -> None:
    """Starting again clears it."""
    quiz = Pick.moves(THROWING, "throw")
    assert quiz.reveal().startswith(f"{english_text('lesson.solution')} ")
    assert quiz.answer(quiz.solution)
    assert not quiz.check()
    quiz.restart()
    assert quiz.answer(quiz.solution)
    assert quiz.check()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Pick("?", "7c 8c", "9c"), "9c cannot be right"),
        (lambda: Pick.moves(THROWING, "thorw"), "the verbs are attack, beat, throw, transfer, show. Did you mean 'throw'"),
        (lambda: Choose("?", {"yes": ""}, right="ja"), "answers"),
        (lambda: Choose("?", {"yes": ""}, right="yes", langage="ru"), "Choose has no option 'langage'. Did you mean 'language'"),
        (lambda: Choose("?", {"yes": ""}, right="yes", game=THROWING, seat=2), "0 to 1"),
        (lambda: Pick("?", "7c 8c", "7c").answer("7c 7c"), "7c appears twice"),
        (lambda: Sort("7c 8c", trump="h").answer("7c"), "does not have 8c"),
        (lambda: Choose("?", {"yes": ""}, right="yes").answer("no"), "'no' is not one"),
    ],
)
def test_invalid_questions_and_answers_are_refused(make, message: str) -> None:
    """One sentence says what would be right."""
    with pytest.raises(DurakError) as caught:
        make()
    assert message in str(caught.value)


def test_the_player_to_move_is_that_of_the_engine() -> None:
    """Test every move of whole games under every preset."""
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
            ends = after.view(0).bout_ends
            if ends and ends[-1].ply == after.ply and ends[-1].draw_counts:
                assert Predict.first_to_draw(game, move).solution == [str(ends[-1].draw_counts[0][0])]
            game = after


def test_a_prediction_shows_the_result_only_after_the_answer() -> None:
    """Before that the picture is the question's."""
    game = Game.from_position(hands=["9s 8c", "9c Th"], trump="h", table="7d/9d", attacker=0, talon="Kd Ah Qs Kc 6s 6d 6h")
    quiz = Predict.next_to_act(game, "pass")
    before = quiz.view_model()["picture"]
    quiz.answer(0)
    assert quiz.view_model()["picture"] == before
    quiz.answer(1)
    assert quiz.view_model()["picture"] != before
    quiz.restart()
    assert quiz.view_model()["picture"] == before


def test_cards_without_a_position_are_drawn_for_print() -> None:
    """Card questions show them without a live widget. A hand is in its position's picture."""
    alone, seen = Pick.beaters("Tc", of="9c Jc", trump="h").static_mimebundle(), Pick.moves(THROWING, "throw").static_mimebundle()
    assert 'alt="10 of clubs; Trump: hearts; 9 of clubs, jack of clubs"' in alone["text/html"]
    assert alone["text/html"].count("<img") == seen["text/html"].count("<img") == 1
    assert "- 9 of clubs\n- jack of clubs" in alone["text/plain"]


def test_a_stored_exercise_changes_with_its_answer() -> None:
    """So nbval finds notebooks whose rules have changed, without showing the answer."""
    plain = Pick.beaters("Ah", of="6h Kd As", trump="h")
    other = Pick.beaters("Ah", of="6h Kd As", trump="h", rules="low_trump")
    assert plain.static_mimebundle()["text/plain"] == other.static_mimebundle()["text/plain"]
    assert plain.static_mimebundle()["text/html"] != other.static_mimebundle()["text/html"]
    assert plain.static_mimebundle() == Pick.beaters("Ah", of="6h Kd As", trump="h").static_mimebundle()


def test_legal_moves_are_valid_answers_under_every_preset() -> None:
    """Test equal cards of two decks, and cards of several suits."""
    for rules in ["siege", "perevodnoy", "passport", "two_decks", "weli", "full_jokers"]:
        game, rng, asked = Game(rules, seed=2), Random(2), 0
        while game.actor is not None and asked < 12:
            for verb in {move.verb for move in game.legal_moves()} & {"attack", "beat", "throw", "transfer", "show"}:
                quiz = Pick.moves(game, verb)
                assert quiz.answer(quiz.solution), (verb, quiz.solution)
                asked += 1
            game.play(rng.choice(game.legal_moves()))
        assert asked


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: Sort("", trump="h"), "once, not none"),
        (lambda: Sort("6c 6c Ac", trump="h"), "two or more cards"),
        (lambda: Pick.beaters("Tc", of="", trump="h"), "there is nothing to choose from"),
        (lambda: Pick.beaters("Tc", of="9c", trump="h", rules="podkidnoy, players=4"), "rules for two players"),
        (lambda: Pick.beaters("Tc", of="9c Jc", trump="h").answer(None), "'9c Ah'"),
        (lambda: Position(DEFENDING, goals.beat_all(), solution=["beat 7c 9c"]).answer(5), "'take'"),
        (
            lambda: Position(DEFENDING, goals.find_move({"beat 7c 9c": ""}), solution=["beat 7c 9c", "take"]),
            "solution",
        ),
        (lambda: Drill("beats", level=1.0), "1 to 4"),
    ],
)
def test_invalid_questions_are_refused_with_a_reason(wrong, sentence: str) -> None:
    """Each gets one sentence."""
    with pytest.raises(DurakError, match=re.escape(sentence)):
        wrong()


def test_a_wrong_answer_after_the_solution_is_still_wrong() -> None:
    """It counts for nothing."""
    quiz = Pick.beaters("Tc", of="9c Jc", trump="h")
    quiz.reveal()
    assert str(quiz.answer("9c")).startswith(english_text("lesson.not_yet"))
    assert (quiz.check(), quiz.attempt_count, quiz.view_model()["state"]) == (False, 0, "wrong")


def test_an_exercise_works_without_a_notebook() -> None:
    """It is judged without a widget, and its static form has the question and the choices."""
    assert all(Pick("?", cards, cards[:1]).answer(cards[0]) for cards in permutations(["7c", "8c"]))
    assert Pick.beaters("Tc", of="9c Jc", trump="h").static_mimebundle()["text/plain"].splitlines() == [
        english_text("lesson.pick.beaters", target="the 10 of clubs", trumps=english_text("lesson.trumps", suit="hearts")),
        "- 9 of clubs",
        "- jack of clubs",
    ]
    assert lessons.Verdict(right=True, sentences=())


def test_two_moves_are_shown_side_by_side() -> None:
    """The table after each is shown with the reasons."""
    quiz = WhatIf(DEFENDING, {"beat 7c 9c": "It keeps the trump.", "take": "There is no need."}, better="beat 7c 9c")
    stored, pictures = quiz.static_mimebundle()["text/html"], quiz.view_model()["pictures"]
    assert stored.count("<figure") == 2
    assert format_advice(Move("beat 7c 9c"), Translator(cards="words")) in stored
    assert english_text("screen.discard.other", count="2") in pictures["beat 7c 9c"]  # all was beaten
    assert str(quiz.answer("take")) == f"{english_text('lesson.not_yet')} There is no need."
    assert str(quiz.answer("beat 7c 9c")) == f"{english_text('lesson.right')} It keeps the trump."
    assert quiz.view_model()["items"][1] == ["take", "Take."]
    with pytest.raises(DurakError, match=r"two moves.*1: take"):
        WhatIf(DEFENDING, {"take": ""}, better="take")
    with pytest.raises(DurakError, match=english("refusal.wrong_suit")):
        WhatIf(DEFENDING, {"beat 7c 7d": "", "take": ""}, better="take")


def test_answers_and_moves_may_be_values() -> None:
    """Numbers and Move objects are accepted."""
    quiz = Choose("How many?", {1: "One.", 2: "Two."}, right=2)
    assert quiz.answer(2)
    assert str(quiz.answer("1")) == f"{english_text('lesson.not_yet')} One."
    which = WhatIf(DEFENDING, {Move("take"): "No.", Move("beat 7c 9c"): "Yes."}, better=Move("beat 7c 9c"))
    assert str(which.answer(Move("take"))) == f"{english_text('lesson.not_yet')} No."


def test_the_first_rule_can_have_several_languages() -> None:
    """All texts of an author can."""
    quiz = Pick.beaters("Tc", of="9c Jc", trump="h", rule={"en": "As usual.", "ru": "Как обычно."}, language="ru")
    assert quiz.question.startswith("Как обычно. Выберите")


@pytest.mark.parametrize(("language", "defender"), [("en", "Player 2"), ("ru", "игрок 2"), ("lt", "žaidėjas 2")])
def test_the_defender_after_a_transfer_is_explained(language: str, defender: str) -> None:
    """The reason is about the question, also for a right answer."""
    game = Game.from_position("transfer", hands=["7s 8d Qd", "Kc Tc Jd"], trump="h", table="7c", attacker=1)
    quiz = Predict.next_to_act(game, "transfer 7s", language=language)
    say = Translator(language).translate
    why = say("lesson.rule_next.transfer", who=Seat(1))
    assert defender in why
    assert [quiz.answer(seat).sentences for seat in (0, 1)] == [(say("lesson.not_yet"), why), (say("lesson.right"), why)]
