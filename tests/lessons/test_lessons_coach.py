"""Test games with a coach: all texts exist, and every reason is true."""

from __future__ import annotations

from dataclasses import asdict
from random import Random

import pytest

from durak_widget import Game, Rules
from durak_widget.i18n import LANGUAGES, Translator
from durak_widget.lessons import Guided
from durak_widget.lessons.coached_game import TOPICS
from support import oracle_book
from support.spoken import english, english_text

SOON = {("passport", "en"), ("siege", "lt"), ("transfer", "ru")}


@pytest.mark.parametrize(
    ("preset", "language"),
    [
        pytest.param(preset, language, marks=[] if (preset, language) in SOON else pytest.mark.release)
        for preset in Rules.presets()
        for language in ("en", "lt", "ru")
    ],
)
def test_a_coach_has_a_text_for_every_move(preset: str, language: str) -> None:
    """Games are played to the end. Options disappear after the first bout, reasons after the second."""
    coach = Guided(Rules.preset(preset), seed=1, language=language, bouts=1)
    rng, ways = Random(1), coach._voice.translate("lesson.coach.ways")
    while not coach.check() and coach.table.game.ply < 400:
        game = coach.table.game
        if game.actor != 0:
            coach.table.step()
            continue
        bout = game.bout
        texts = coach.answer(rng.choice(game.legal_moves()))
        assert texts
        assert not any("{" in line for line in texts)
        assert ways not in texts or coach.table.game.bout == 1
        if bout > 2:
            assert not any(
                coach._voice.translate(f"lesson.coach.{verb}", ranks=(), limit=6) in texts
                for verb in ("attack", "throw", "pass", "take", "swap")
            )


def test_only_bots_without_a_name_of_their_own_are_shown_as_opponents() -> None:
    """A person keeps theirs, and nobody is there twice."""
    game = Guided(Rules(players=4), seed=1, others={1: "you", 2: "neighbour"})
    assert (game.table.players, game.table.shown_as) == (("you", "you", "neighbour", "careful"), {})
    assert Guided(Rules(players=4), seed=1, others={3: "nephew"}).table.shown_as == {2: "uncle"}


def test_the_coachs_hints_get_shorter() -> None:
    """First all ways, unless any card will do, then the task, then only what happened."""
    coach = Guided(seed=7, others={1: "first"}, bouts=1)
    assert coach.sentences == [english_text("lesson.coach.ways.open")]
    first = coach.answer("attack Jc")
    ways = [english_text("advice.throw", card="the jack of hearts"), english_text("advice.pass")]
    assert first[-3:] == [english_text("lesson.coach.ways"), *(english_text("lesson.coach.way", said=way) for way in ways)]
    assert english_text("lesson.coach.attack") in first
    while coach.table.game.bout < 3 and not coach.check():
        coach.answer(coach.table.game.legal_moves()[-1])
    later = coach.answer(coach.table.game.legal_moves()[-1])
    explained = ("ways", "way", "ways.open", "attack", "attack.other", "beat", "beat.more", "beaten", "beaten.you")
    assert not any(english(f"lesson.coach.{key}").fullmatch(line) for key in explained for line in later)


def test_a_coach_speaks_from_the_start() -> None:
    """Before the first move it describes the game, then your moves."""
    for about in sorted(TOPICS):
        for language in ["en", "lt"]:
            for seed in 4, 11:
                coach = Guided(Rules(players=3), seed=seed, about=about, language=language)
                [begins] = coach.sentences
                assert begins == coach._voice.translate(f"lesson.coach.about.{about}")
                assert begins in str(coach.static_mimebundle()["text/plain"])
                coach._let_others_move()
                assert coach.sentences[-1] == begins
                assert begins not in coach.answer(coach.table.game.legal_moves()[0])


def test_the_coach_follows_undo_redo_and_language() -> None:
    """It describes the moment shown."""
    coach = Guided(seed=7, others={1: "first"})
    before = coach.sentences
    after = coach.answer("attack Jc")
    assert before == [english_text("lesson.coach.ways.open")]
    assert after[0] == english_text("deed.attack.you", who="You", cards="the jack of clubs")
    coach.table.game.undo()
    coach.table.game.undo()
    coach.table.refresh()
    assert coach.sentences == before
    coach.table.game.redo()
    coach.table.refresh()
    assert coach.sentences[0] == english_text("deed.attack.you", who="You", cards="the jack of clubs")
    coach.language = "ru"
    assert "валета треф" in coach.sentences[0]


@pytest.mark.parametrize(
    "preset",
    [
        pytest.param("low_trump", marks=pytest.mark.slow),
        *(pytest.param(name, marks=pytest.mark.release) for name in ("podkidnoy", "japanese", "no_trumps", "full_jokers", "neighbours")),
    ],
)
def test_the_coachs_reasons_are_true_under_the_rules(preset: str) -> None:
    """The usual rule of beating is stated only where it holds, and given cards only where no one beats them."""
    coach, rng, heard = Guided(Rules.preset(preset), seed=3, others={1: "first"}, bouts=50), Random(3), 0
    plain, along = (coach._voice.translate(f"lesson.coach.{key}", ranks=(), limit=6) for key in ("attack", "throw.taking"))
    while coach.table.game.outcome is None:
        coach._let_others_move()
        texts = coach.answer(rng.choice(coach.table.game.legal_moves())) if coach.table.game.outcome is None else []
        game = coach.table.game
        last = max((ply for ply, played in enumerate(game.history) if played.seat == 0), default=0)
        attacks = [played.cards[0] for played in game.history[last:] if played.verb == "attack"]
        usual = []
        for low in attacks:
            beaters = {
                card
                for card in oracle_book.deck_of(asdict(game.rules))
                if oracle_book.beats(asdict(game.rules), game.trump and str(game.trump), card, str(low))
            }
            wanted = {
                card
                for card in oracle_book.deck_of(asdict(game.rules))
                if card[1] == str(game.trump) or (card[1] == low.suit and oracle_book.card_key(card) > oracle_book.card_key(str(low)))
            }
            usual.append(game.trump is not None and beaters == wanted)
        heard += plain in texts
        assert plain not in texts or any(usual)
        assert along not in texts or any(played.verb == "take" for played in game.history)
    assert (heard > 0) is (preset not in {"no_trumps", "full_jokers"})


def test_the_newest_text_is_shown_on_the_table() -> None:
    """It is there if it says more than the last move, with the table's symbols."""
    game = Game.from_position(hands=["Qc 7d Qs", "6d 8d"], trump="s", table="6c", talon="8c 8h 8s", attacker=1)
    guided = Guided(game, others={1: "first"}, bouts=0, coach=False)
    guided.table.play("beat 6c Qs")
    assert guided.table.scene["commentary"] == [english_text("lesson.coach.dear.trump", by="Q♣︎", card="Q♠︎")]
    plain = Guided(game, others={1: "first"}, bouts=0, coach=False)
    plain.table.play("beat 6c Qc")
    assert plain.table.scene["commentary"] == ["You beat 6♣︎ with Q♣︎."]


def test_the_advice_for_the_first_move_is_shown_on_the_table() -> None:
    """A phone shows only the table, so the advice is there before the first move, and again if that move is taken back."""
    for language in LANGUAGES:
        guided = Guided(seed=7, others={1: "first"}, language=language)
        advice = [Translator(language).translate("lesson.coach.ways.open")]
        assert guided.table.scene["commentary"] == advice
        guided.answer("attack Jc")
        assert guided.table.scene["commentary"] not in ([], advice)
        guided.table.handle_message({"kind": "undo", "game": guided.table.scene["game"], "ply": guided.table.scene["ply"]})
        assert guided.table.scene["commentary"] == advice
    assert "commentary" not in Guided(seed=7, others={1: "first"}, about="throw").table.scene


def test_a_users_comment_function_keeps_the_advice_for_the_first_move() -> None:
    """It replaces only the coach's remarks on moves, and is called only after a move."""
    guided = Guided(seed=7, others={1: "first"})
    advice, table = guided.table.scene["commentary"], guided.table
    table.commentary = lambda _: [str(table.game.moves[-1])]
    assert table.scene["commentary"] == advice
    table.play("attack Jc")
    assert table.scene["commentary"] == ["attack Jc"]


def test_leading_a_trump_early_is_mentioned_on_the_table() -> None:
    """The hand has plain cards. A new rule or the answer does not remove it."""
    guided = Guided(seed=11, others={1: "careful"})
    guided.answer("attack Qs")
    assert guided.table.scene["commentary"] == [english_text("lesson.coach.dear.open.trump", by="6♥︎", card="Q♠︎")]


def test_a_first_game_has_one_coach_like_any_table() -> None:
    """An expensive move is described once, equally in both places. Undo removes move and text."""
    for language in ["ru"]:
        game = Game.from_position(hands=["Qc 7d Qs", "6d 8d"], trump="s", table="6c", talon="8c 8h 8s", attacker=1)
        guided = Guided(game, others={1: "first"}, bouts=0, language=language)
        guided.table.play("beat 6c Qs")
        word = guided.table.coach_comment
        assert word is not None
        assert word.is_costly
        assert word.facts[0].key == "table.coach.cost"
        assert guided.table.scene["can"]["regret"] is True
        assert guided.table.scene["commentary"] == [word.to_text(Translator(language, cards="signs", own_seat=0))]
        sheet = guided.view_model()
        thought = [line for line, kind in zip(sheet["feedback"], sheet["feedback_kinds"], strict=True) if kind in {"expensive", "praise"}]
        assert thought == [word.to_text(Translator(language, own_seat=0))]
        guided.table.handle_message({"kind": "undo", "game": guided.table.scene["game"], "ply": guided.table.scene["ply"]})
        assert not any(kind == "expensive" for kind in guided.view_model()["feedback_kinds"])
        guided.table.play("beat 6c Qc")
        assert guided.table.coach_comment is None
        assert "regret" not in guided.table.scene["can"]


def test_equal_texts_are_not_repeated() -> None:
    """A lost ending is explained once. In a lesson on one topic no coach is added unless wanted."""
    ending = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    guided = Guided(ending, others={1: "first"})
    guided.table.play("attack 9c")
    explanations = [
        line for line in guided.sentences if line.startswith(english_text("table.coach.won", said="attack with the 7 of diamonds."))
    ]
    assert len(explanations) == 1
    assert guided.table.scene["can"]["regret"] is True
    about = Guided(ending, others={1: "first"}, about="end")
    about.table.play("attack 9c")
    assert about.table.coach_comment is None
    wanted = Guided(ending, others={1: "first"}, about="end", coach=True)
    wanted.table.play("attack 9c")
    assert wanted.table.coach_comment is not None
