"""Exercises: answered from code as on the page, judged by the rules, and in the words of the rules."""

from __future__ import annotations

import re
from itertools import pairwise, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import Card, Game, Move, Rules, lessons
from durak_widget.errors import DurakError
from durak_widget.exercises import goals
from durak_widget.i18n import LANGUAGES, Translator
from durak_widget.lessons import Choose, Drill, Pick, Position, Predict, Sort, WhatIf
from support.asked import DEFENDING, THROWING
from support.spoken import english

DECK = [rank + suit for suit in "cdhs" for rank in "6789TJQKA"]


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
            code = "too_low" if card.suit == low.suit else "wrong_suit"
            why_not = english(f"refusal.{code}", card=f"the {card.name}", target=f"the {low.name}")
            assert any(why_not.fullmatch(said) for said in quiz.answer([str(card)]).sentences)
            assert not quiz.check()


def test_what_was_left_out_is_hinted_at_first_and_then_told() -> None:
    """At first how many, and what to look at; then which, and why. One try does not give the answer away."""
    quiz = Pick.moves(THROWING, "throw")
    assert quiz.answer("7h").sentences == ("Not yet.", "You left out 2 cards.", "Look at the ranks of all cards on the table.")
    assert quiz.view_model()["marks"] == {"7h": "right"}
    told = "The 7 of spades and the 9 of spades may be thrown in: the same rank lies on the table."
    assert quiz.answer("7h").sentences == ("Not yet.", "You left out 2 cards.", told)
    quiz.restart()
    assert quiz.answer("7h").sentences[-1] == "Look at the ranks of all cards on the table."


def test_the_rule_is_said_when_one_is_right_and_with_the_solution() -> None:
    """Of each right card; cards that are right by one rule are told together."""
    quiz = Pick.beaters("9d", of="6d Td Kd Ac 7s 8d", trump="s")
    said = (
        "The 10 of diamonds and the king of diamonds are higher in the same suit.",
        "The 7 of spades is a trump, and the 9 of diamonds is not.",
    )
    assert quiz.answer("Td Kd 7s").sentences[1:] == said
    assert quiz.reveal() == " ".join(["This is the solution.", *said])


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
def test_every_rule_by_which_a_card_is_right_has_its_words(quiz: Pick, reasons: list[re.Pattern[str]]) -> None:
    """And where no card will do, why not."""
    right, *said = quiz.answer(quiz.solution).sentences
    assert english("lesson.right").fullmatch(right)
    assert len(said) == len(reasons)
    assert all(reason.fullmatch(line) for reason, line in zip(reasons, said, strict=True)), said


def test_an_author_gives_reasons_for_any_card() -> None:
    """For a right one too, in several languages; each is said once."""
    why = {"7c": {"en": "Low.", "ru": "Младшая."}, "8c": {"en": "Low.", "ru": "Младшая."}, "Ac": "High."}
    quiz = Pick("Which are low?", "7c 8c Ac", "7c 8c", reasons=why, language="ru")
    assert quiz.answer("7c Ac").sentences[1:] == ("High.", "Пропущена 1 карта.")
    assert str(quiz.answer("7c 8c")) == "Верно. Младшая."


def test_the_hand_is_shown_once() -> None:
    """The picture leaves it out where it is what one picks from, and the row lies as it does at the table: trumps last, and marked."""
    quiz = Pick.moves(THROWING, "throw")
    sheet, stored = quiz.view_model(), quiz.static_mimebundle()["text/html"]
    assert [item for item, _ in sheet["items"]] == ["Kd", "7h", "7s", "9s"]
    assert sheet["trump"] == "s"
    assert len(str(sheet["picture"])) < len(stored)
    assert Pick.beaters("9d", of="6d 7s", trump="s").view_model()["target"] == "9d"


def test_a_number_and_a_challenge_are_shown() -> None:
    """Where an author gives one, and by the name."""
    sheet = Choose("Who?", {"a": "", "b": ""}, right="a", number=3, name="04/challenge").view_model()
    assert (sheet["number"], sheet["challenge"]) == ("3", True)
    assert {"number", "challenge"}.isdisjoint(Choose("Who?", {"a": "", "b": ""}, right="a", name="04/other").view_model())


def test_the_one_card_to_be_beaten_is_named() -> None:
    """Where it is one of several, the picture shows them."""
    hands = ["Qd 7h Ks 8d 9d Ad", "9s Td Ah 6c 8s"]
    one = Pick.moves(Game.from_position(hands=hands, trump="h", table="Jc", attacker=1), "beat")
    assert one.question == "Pick every card that beats the jack of clubs. Trumps are hearts."
    second = Pick.moves(Game.from_position(hands=hands, trump="h", table="Jc/Qc Jd", attacker=1), "beat")
    assert second.question == "Pick every card that beats the jack of diamonds. Trumps are hearts."
    both = Pick.moves(Game.from_position("siege", hands=hands, trump="h", table="Jc Jd", attacker=1), "beat")
    assert both.question == "Pick every card that beats a card on the table."


def test_picking_none_can_be_right() -> None:
    """Where no card will do."""
    quiz = Pick.beaters("Ac", of="Kc Ad", trump="h")
    assert quiz.solution == []
    assert quiz.answer([])
    assert not quiz.answer("Kc")


def test_the_picture_of_a_question_does_not_answer_it() -> None:
    """No card is lifted, and no words name those that may be played."""
    quiz = Pick.moves(THROWING, "throw")
    picture = str(quiz.view_model()["picture"])
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
    assert verdict or any(english(f"refusal.{code}").search(str(verdict)) for code in ("too_low", "wrong_suit"))


def test_a_row_without_trumps_is_judged_by_ranks() -> None:
    """The first task of all asks for the lowest first, before anybody has heard what beats what: of a wrong row it is told which card is lower."""
    for language in sorted(LANGUAGES):
        voice, right = Translator(language), ["6c", "9c", "Tc", "Jc", "Ac"]
        for row in permutations(right):
            quiz = Sort(right, trump=None, language=language)
            said = str(quiz.answer(row))
            low = next(((high, low) for low, high in pairwise(row) if right.index(high) < right.index(low)), None)
            if low is None:
                continue
            card, target = map(Card, low)
            assert voice.translate("lesson.sort.lower", card=card, target=target) in said
            assert re.search("beat|бь|muš", said) is None


def test_cards_without_an_order_are_not_sorted() -> None:
    """Two suits that are no trumps."""
    with pytest.raises(DurakError, match="7c and 8d cannot be ordered: neither beats the other"):
        Sort("7c 8d", trump="h")


def test_the_low_trump_that_beats_the_ace_makes_a_circle_which_is_refused() -> None:
    """Under such rules the trumps have no order."""
    with pytest.raises(DurakError, match="6h and Ah cannot be ordered: each beats the other"):
        Sort("6h 7h Ah", trump="h", rules=Rules(low_trump_beats_ace=True))


def test_an_exercise_speaks_the_languages_of_the_table() -> None:
    """Question, reasons and the words of the page; what the author gave in one language alone stays."""
    for language in ["en", "ru", "lt"]:
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


def test_a_solution_that_was_shown_does_not_count() -> None:
    """Until one begins again."""
    quiz = Pick.moves(THROWING, "throw")
    assert quiz.reveal().startswith("This is the solution. ")
    assert quiz.answer(quiz.solution)
    assert not quiz.check()
    quiz.restart()
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
            ends = after.view(0).bout_ends
            if ends and ends[-1].ply == after.ply and ends[-1].draw_counts:
                assert Predict.first_to_draw(game, move).solution == [str(ends[-1].draw_counts[0][0])]
            game = after


def test_a_prediction_shows_what_came_of_it_only_then() -> None:
    """Before the answer the picture is that of the question."""
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
    """A question about cards shows them where nothing is live; a hand is part of its position's picture."""
    alone, seen = Pick.beaters("Tc", of="9c Jc", trump="h").static_mimebundle(), Pick.moves(THROWING, "throw").static_mimebundle()
    assert 'alt="10 of clubs; Trump: hearts; 9 of clubs, jack of clubs"' in alone["text/html"]
    assert alone["text/html"].count("<img") == seen["text/html"].count("<img") == 1
    assert "- 9 of clubs\n- jack of clubs" in alone["text/plain"]


def test_a_stored_exercise_changes_with_its_answer() -> None:
    """So that a notebook is found out whose rules have changed, though it shows no answer."""
    plain = Pick.beaters("Ah", of="6h Kd As", trump="h")
    other = Pick.beaters("Ah", of="6h Kd As", trump="h", rules="low_trump")
    assert plain.static_mimebundle()["text/plain"] == other.static_mimebundle()["text/plain"]
    assert plain.static_mimebundle()["text/html"] != other.static_mimebundle()["text/html"]
    assert plain.static_mimebundle() == Pick.beaters("Ah", of="6h Kd As", trump="h").static_mimebundle()


def test_what_may_be_done_can_be_answered_under_every_preset() -> None:
    """Of twins in two decks, too, and of cards that may be played in several suits."""
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
    ("wrong", "said"),
    [
        (lambda: Sort("", trump="h"), "a row takes two cards or more, each once, not none"),
        (lambda: Sort("6c 6c Ac", trump="h"), "a row takes two cards or more, each once"),
        (lambda: Pick.beaters("Tc", of="", trump="h"), "there is nothing to choose from"),
        (lambda: Pick.beaters("Tc", of="9c", trump="h", rules="podkidnoy, players=4"), "with rules for two players"),
        (lambda: Pick.beaters("Tc", of="9c Jc", trump="h").answer(None), "cards are named as in '9c Ah'"),
        (lambda: Position(DEFENDING, goals.beat_all(), solution=["beat 7c 9c"]).answer(5), "a move is answered as in 'take'"),
        (
            lambda: Position(DEFENDING, goals.find_move({"beat 7c 9c": ""}), solution=["beat 7c 9c", "take"]),
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
    assert (quiz.check(), quiz.attempt_count, quiz.view_model()["state"]) == (False, 0, "wrong")


def test_an_exercise_needs_no_notebook() -> None:
    """It is judged without a widget; its static form says what is asked and what can be chosen."""
    assert all(Pick("?", cards, cards[:1]).answer(cards[0]) for cards in permutations(["7c", "8c"]))
    assert Pick.beaters("Tc", of="9c Jc", trump="h").static_mimebundle()["text/plain"].splitlines() == [
        "Pick every card that beats the 10 of clubs. Trumps are hearts.",
        "- 9 of clubs",
        "- jack of clubs",
    ]
    assert lessons.Verdict(right=True, sentences=())


def test_two_moves_lie_side_by_side() -> None:
    """The table after each, and the reasons."""
    quiz = WhatIf(DEFENDING, {"beat 7c 9c": "It keeps the trump.", "take": "There is no need."}, better="beat 7c 9c")
    stored, pictures = quiz.static_mimebundle()["text/html"], quiz.view_model()["pictures"]
    assert stored.count("<figure") == 2
    assert "Beat the 7 of clubs with the 9 of clubs." in stored
    assert "Discard pile, 2 cards." in pictures["beat 7c 9c"]  # all was beaten
    assert str(quiz.answer("take")) == "Not yet. There is no need."
    assert str(quiz.answer("beat 7c 9c")) == "Right. It keeps the trump."
    assert quiz.view_model()["items"][1] == ["take", "Take."]
    with pytest.raises(DurakError, match="two moves are laid side by side, not 1: take"):
        WhatIf(DEFENDING, {"take": ""}, better="take")
    with pytest.raises(DurakError, match=english("refusal.wrong_suit")):
        WhatIf(DEFENDING, {"beat 7c 7d": "", "take": ""}, better="take")


def test_answers_and_moves_may_be_values() -> None:
    """Numbers, and moves as they are."""
    quiz = Choose("How many?", {1: "One.", 2: "Two."}, right=2)
    assert quiz.answer(2)
    assert str(quiz.answer("1")) == "Not yet. One."
    which = WhatIf(DEFENDING, {Move("take"): "No.", Move("beat 7c 9c"): "Yes."}, better=Move("beat 7c 9c"))
    assert str(which.answer(Move("take"))) == "Not yet. No."


def test_a_rule_that_is_said_first_may_be_said_in_several_languages() -> None:
    """As every other word of an author."""
    quiz = Pick.beaters("Tc", of="9c Jc", trump="h", rule={"en": "As usual.", "ru": "Как обычно."}, language="ru")
    assert quiz.question.startswith("Как обычно. Выберите")


@pytest.mark.parametrize(
    ("language", "wrong", "right"),
    [
        ("en", "Not yet. The attack has gone on to Player 2: Player 2 is the defender now.", "Right. The attack has gone on to Player 2: Player 2 is the defender now."),
        ("ru", "Пока нет. Атака перешла дальше: теперь защищается игрок 2.", "Верно. Атака перешла дальше: теперь защищается игрок 2."),
        ("lt", "Dar ne. Puolimas perėjo toliau: dabar ginasi žaidėjas 2.", "Teisingai. Puolimas perėjo toliau: dabar ginasi žaidėjas 2."),
    ],
)  # fmt: skip
def test_who_defends_after_a_transfer_is_said_so(language: str, wrong: str, right: str) -> None:
    """The reason is about what was asked, also of who was right."""
    game = Game.from_position("transfer", hands=["7s 8d Qd", "Kc Tc Jd"], trump="h", table="7c", attacker=1)
    quiz = Predict.next_to_act(game, "transfer 7s", language=language)
    assert (str(quiz.answer(0)), str(quiz.answer(1))) == (wrong, right)
