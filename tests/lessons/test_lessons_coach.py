"""A game with a coach: everything has its words, and every reason holds."""

from __future__ import annotations

from dataclasses import asdict
from random import Random

import pytest

from durak_widget import Game, Rules
from durak_widget.i18n import Translator
from durak_widget.lessons import Guided
from durak_widget.lessons.coached_game import TOPICS
from support import oracle_book

SOON = {("passport", "en"), ("siege", "lt"), ("transfer", "ru")}


@pytest.mark.parametrize(
    ("preset", "language"),
    [
        pytest.param(preset, language, marks=[] if (preset, language) in SOON else pytest.mark.release)
        for preset in Rules.presets()
        for language in ("en", "lt", "ru")
    ],
)
def test_a_coach_has_words_for_every_move_of_every_game(preset: str, language: str) -> None:
    """Played to the end; less and less is said: after the first bout no ways to go on, after the second no reasons."""
    coach = Guided(Rules.preset(preset), seed=1, language=language, bouts=1)
    rng, ways = Random(1), coach._voice.translate("lesson.coach.ways")
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
                coach._voice.translate(f"lesson.coach.{verb}", ranks=(), limit=6) in said
                for verb in ("attack", "throw", "pass", "take", "swap")
            )


def test_the_hints_of_the_coach_fade() -> None:
    """Every way at first, unless any card will do; then what is asked, then what happened alone."""
    coach = Guided(seed=7, others={1: "first"}, bouts=1)
    assert coach.sentences == ["Open with any card: a low one costs you least."]
    first = coach.answer("attack Jc")
    assert first[-3:] == ["You may:", "– Throw in the jack of hearts.", "– Pass."]
    assert "Every attacking card must be beaten: by a higher card of its suit, or by a trump." in first
    while coach.table.game.bout < 3 and not coach.check():
        coach.answer(coach.table.game.legal_moves()[-1])
    later = coach.answer(coach.table.game.legal_moves()[-1])
    assert not any(line.startswith(("–", "Your turn", "Beat", "You may", "Every")) for line in later)


def test_a_coach_never_begins_in_silence() -> None:
    """Whoever is to open, the box above the table says what the game is about; after your first move it looks at what you do."""
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


def test_the_coach_speaks_of_what_is_seen() -> None:
    """Also when a move is taken back or looked at again, and in the language that is now spoken."""
    coach = Guided(seed=7, others={1: "first"})
    before = coach.sentences
    after = coach.answer("attack Jc")
    assert before == ["Open with any card: a low one costs you least."]
    assert after[0] == "You attack with the jack of clubs."
    coach.table.game.undo()
    coach.table.game.undo()
    coach.table.refresh()
    assert coach.sentences == before
    coach.table.game.redo()
    coach.table.refresh()
    assert coach.sentences[0] == "You attack with the jack of clubs."
    coach.language = "ru"
    assert coach.sentences[0] == "Вы ходите с валета треф."


@pytest.mark.parametrize(
    "preset",
    [
        pytest.param("low_trump", marks=pytest.mark.slow),
        *(pytest.param(name, marks=pytest.mark.release) for name in ("podkidnoy", "japanese", "no_trumps", "full_jokers", "neighbours")),
    ],
)
def test_the_coach_gives_reasons_that_hold_under_these_rules(preset: str) -> None:
    """That a higher card of its suit and any trump beat an attack is said only where just these do; of cards given along, that nobody beats them."""
    coach, rng, heard = Guided(Rules.preset(preset), seed=3, others={1: "first"}, bouts=50), Random(3), 0
    plain, along = (coach._voice.translate(f"lesson.coach.{key}", ranks=(), limit=6) for key in ("attack", "throw.taking"))
    while coach.table.game.outcome is None:
        coach._let_others_move()
        said = coach.answer(rng.choice(coach.table.game.legal_moves())) if coach.table.game.outcome is None else []
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
        heard += plain in said
        assert plain not in said or any(usual)
        assert along not in said or any(played.verb == "take" for played in game.history)
    assert (heard > 0) is (preset not in {"no_trumps", "full_jokers"})


def test_what_is_newest_stands_on_the_felt() -> None:
    """Where it is more than what was done, in the table's own signs; else the felt tells what was done."""
    game = Game.from_position(hands=["Qc 7d Qs", "6d 8d"], trump="s", table="6c", talon="8c 8h 8s", attacker=1)
    guided = Guided(game, others={1: "first"}, bouts=0, coach=False)
    guided.table.play("beat 6c Qs")
    assert guided.table.scene["told"] == ["Q♣︎ would have done: save a trump like Q♠︎ for what nothing else beats."]
    plain = Guided(game, others={1: "first"}, bouts=0, coach=False)
    plain.table.play("beat 6c Qc")
    assert plain.table.scene["told"] == ["You beat 6♣︎ with Q♣︎."]


def test_a_trump_led_at_once_is_spoken_of_on_the_felt() -> None:
    """As in the second lesson: with plain cards in the hand, also where a rule is new at the same moment, and when the other has answered."""
    guided = Guided(seed=11, others={1: "careful"})
    guided.answer("attack Qs")
    assert guided.table.scene["told"] == ["6♥︎ would have done to begin: while there is a talon, save a trump like Q♠︎."]


def test_a_first_game_is_judged_as_at_any_table_by_one_coach() -> None:
    """What cost much is said once, the same on the felt and in the box, in place of what was thought of it at first; a button takes it back, and with it the word."""
    for language in ["ru"]:
        game = Game.from_position(hands=["Qc 7d Qs", "6d 8d"], trump="s", table="6c", talon="8c 8h 8s", attacker=1)
        guided = Guided(game, others={1: "first"}, bouts=0, language=language)
        guided.table.play("beat 6c Qs")
        word = guided.table.coach_comment
        assert word is not None
        assert word.is_costly
        assert word.facts[0].key == "table.coach.cost"
        assert guided.table.scene["can"]["regret"] is True
        assert guided.table.scene["told"] == [word.to_text(Translator(language, cards="signs", own_seat=0))]
        sheet = guided.view_model()
        thought = [line for line, kind in zip(sheet["said"], sheet["kinds"], strict=True) if kind in {"dear", "praise"}]
        assert thought == [word.to_text(Translator(language, own_seat=0))]
        guided.table.handle_message({"kind": "undo", "game": guided.table.scene["game"], "ply": guided.table.scene["ply"]})
        assert not any(kind == "dear" for kind in guided.view_model()["kinds"])
        guided.table.play("beat 6c Qc")
        assert guided.table.coach_comment is None
        assert "regret" not in guided.table.scene["can"]


def test_what_says_the_same_and_more_stays() -> None:
    """Of an ending that is given away it is told how it is lost, once; in a lesson about something nobody judges besides, unless that is wanted."""
    ending = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    guided = Guided(ending, others={1: "first"})
    guided.table.play("attack 9c")
    told = [line for line in guided.sentences if line.startswith("That gives the win away. What wins: attack with the 7 of diamonds.")]
    assert len(told) == 1
    assert guided.table.scene["can"]["regret"] is True
    about = Guided(ending, others={1: "first"}, about="end")
    about.table.play("attack 9c")
    assert about.table.coach_comment is None
    wanted = Guided(ending, others={1: "first"}, about="end", coach=True)
    wanted.table.play("attack 9c")
    assert wanted.table.coach_comment is not None
