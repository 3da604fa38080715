"""The coach at any table: a word at once after a move that cost much, a way to take it back, what may be hoped for; and nothing of it where a game counts."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from durak_widget import Game, Rules, Table, fast_engine
from durak_widget.analysis.possible_worlds import worlds
from durak_widget.bots.heuristic_bots import CarefulBot
from durak_widget.exercises import goals
from durak_widget.i18n import LANGUAGES, Translator
from durak_widget.lessons import Position
from durak_widget.lessons.endgame_puzzle import load_puzzles
from durak_widget.review.decision_evaluation import evaluate_single_decision
from durak_widget.table.move_feedback import WinChanceFinder, comment_on_move, estimate_win_chance
from support.loops import run, seen, settled
from support.tables import move, say

if TYPE_CHECKING:
    from pathlib import Path

SMALL = Rules(suits="cd", ranks="789", hand_size=2)
DEAR = "Qh Ks 6c | Kh Kc 7d; trump h; talon 8c 9c 6d 6s"
"""The queen of trumps to begin with, where a six would do."""


def counting(**more: object) -> Table:
    """A game that counts against an opponent, and the person is to move."""
    table = Table(**{"seats": {1: "aunt"}, "seed": 2, **more})
    while table.game.actor != 0:
        table.step()
    return table


def ending() -> Game:
    """Only the seven of diamonds wins."""
    return Game.from_position(SMALL, hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has been beaten yet."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path))


def coached(game: Game | None = None, **more: object) -> Table:
    """A table where nothing runs by itself: what is to be said is said at once."""
    return Table(game, **{"coach": True, "seats": {1: "first"}, **more})


# A word at once


def test_what_cost_much_is_said_at_once_and_may_be_taken_back() -> None:
    """On the felt, aloud, and with a button; taken back, it is as if nothing had been said."""
    table, sent = coached(Game.from_position_line(DEAR)), []
    table._session.send = sent.append
    scene = move(table, "attack Qh")
    cost = evaluate_single_decision(table.game, 0)
    assert cost.verdict == "mistake"
    percent = int(re.search(r"about (\d+) chances in 100", scene["told"][0])[1])
    assert abs(percent - 100 * cost.loss) < 5
    assert "Better: attack with" in scene["told"][0]
    assert scene["can"]["regret"]
    assert [one["said"] for one in sent if one["kind"] == "told"] == [comment_on_move(table.game, 0).to_text(Translator("en", own_seat=0))]
    table.step()
    assert table.scene["told"] == scene["told"], "it stands until one has moved again"
    back = say(table, "undo")
    assert (back["ply"], back["can"].get("regret"), "told" in back) == (0, None, False)


def test_nothing_is_said_of_what_cost_nothing() -> None:
    """The usual account stands there."""
    scene = move(coached(Game.from_position_line(DEAR)), "attack 6c")
    assert "in 100" not in scene["told"][0]
    assert "regret" not in scene["can"]


def test_an_ending_given_away_is_said_as_proved() -> None:
    """With what would have won."""
    assert move(coached(ending()), "attack 9c")["told"] == ["That gives the win away. What wins: attack with 7♦︎."]


def test_the_only_move_that_wins_is_praised() -> None:
    """Where there are several, and it is not what anybody would have played; what anybody would have played is not."""
    praised = 0
    for puzzle in load_puzzles()[300:312]:
        game, solution = puzzle.game, puzzle.winning_line[0]
        usual = CarefulBot().choose(game.view(0), Random(0))
        game.play(solution)
        word = comment_on_move(game, 0)
        assert (word is not None) == (solution != usual)
        if word is not None:
            assert (word.facts[0].key, word.is_costly) == ("table.coach.only", False)
            praised += 1
    assert praised


def test_who_wants_no_coach_hears_none() -> None:
    """It is off until it is asked for, and off again when it is switched off."""
    table = coached(ending(), coach=False)
    move(table, "attack 9c")
    assert "regret" not in table.scene["can"]
    table.coach = True
    assert table.scene["can"]["regret"]
    table.coach = False
    assert "regret" not in table.scene["can"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_words_are_whole_in_every_language(language: str) -> None:
    """Nothing is left unfilled."""
    for game, choice in ((Game.from_position_line(DEAR), "attack Qh"), (ending(), "attack 9c")):
        told = move(coached(game, language=language), choice)["told"][0]
        assert told
        assert not {"{", "}"} & set(told)


def test_a_word_is_of_what_the_seat_could_know() -> None:
    """Other cards in the hands and the talon that it does not see change nothing."""
    game = Game(seed=11)
    words = set()
    for seed in range(4):
        other = game.copy() if not seed else _dealt_anew(game, seed)
        other.play(game.legal_moves()[-1])
        words.add(comment_on_move(other, 0))
    assert len(words) == 1


def _dealt_anew(game: Game, seed: int) -> Game:
    return worlds(game.view(game.actor)).sample(Random(seed))


# Where it is silent


def test_a_game_that_counts_has_no_coach_and_no_chances() -> None:
    """Against an opponent who is called by a name, until something makes it count no more."""
    table = counting(coach=True, chances=True, seed=3)
    table.play(table.game.legal_moves()[-1])
    assert table._session.is_counted
    assert "regret" not in table.scene["can"]
    assert not table.scene.get("beside")
    assert table._session.get_coach_comment() is None


def test_who_switches_it_on_there_is_told_why_nothing_comes_of_it() -> None:
    """So is who wants the chances; without an opponent nobody is told."""
    table = Table(seats={1: "aunt"}, seed=3)
    table.coach = True
    assert table.scene["note"]["said"][0] == "This game counts against Aunt Lida, so nothing helps in it."
    table.chances = True
    assert "counts against" in table.scene["note"]["said"][0]
    free = Table(seats={1: "careful"}, seed=3)
    free.coach = True
    assert "note" not in free.scene


def test_a_hint_there_is_asked_for_twice_and_then_it_counts_no_more() -> None:
    """What it costs is said first; who asks again is helped, and hears the coach from then on."""
    table = counting()
    first = say(table, "hint")
    assert first["note"]["said"][0].startswith("This game counts against Aunt Lida; with a hint it does not.")
    assert table._session.is_counted
    assert say(table, "hint")["note"]["kind"] == "hint"
    assert not table._session.is_counted


def test_what_is_taken_back_there_counts_no_more() -> None:
    """That is said at once."""
    table = counting()
    table.play(table.game.legal_moves()[0])
    said = say(table, "undo")["note"]["said"][0]
    assert said == "Moves were taken back, so this game no longer counts against Aunt Lida."
    assert not table._session.is_counted


def test_who_goes_back_and_plays_otherwise_was_helped() -> None:
    """From Python too: what came of the first try is known."""
    table = counting()
    table.play(table.game.legal_moves()[0])
    table.step()
    say(table, "goto", to=0)
    while table.game.actor != 0:
        table.game.redo()
    assert table._session.is_counted
    table.play(table.game.legal_moves()[-1])
    assert not table._session.is_counted


def test_who_asks_when_there_is_nothing_to_do_is_not_helped() -> None:
    """The game still counts, and nothing is warned of."""
    table = counting()
    table.play(table.game.legal_moves()[0])
    for _ in range(2):
        assert say(table, "hint")["note"]["said"][0].startswith("There is no hint now")
    assert table._session.is_counted


def test_who_has_seen_all_hands_was_helped() -> None:
    """Also when they are closed again before the end."""
    table = Table(seats={1: "aunt"}, seed=2)
    table.hands = "open"
    table.hands = "own"
    assert not table._session.is_counted


def test_where_a_task_is_set_the_coach_is_silent() -> None:
    """And so are the chances: an exercise judges by itself."""
    task = Position(
        ending(),
        goals.find_move({"attack 7d": "It wins."}, {"attack 9c": "It does not."}),
        solution=["attack 7d"],
        coach=True,
        chances=True,
    )
    move(task.table, "attack 9c")
    assert "regret" not in task.table.scene["can"]
    assert not task.table.scene.get("beside")


def test_between_two_people_nobody_is_told_what_the_other_lost() -> None:
    """Under a cover nothing is said."""
    table = coached(Game.from_position_line(DEAR), seats={0: "you", 1: "you"})
    say(table, "here")
    move(table, "attack Qh")
    assert table.scene["covered"]
    assert "regret" not in table.scene["can"]


def test_among_friends_nothing_is_taken_back_that_another_has_done() -> None:
    """Once somebody else has moved, nothing more is said of the move before."""
    table = coached(Game.from_position_line(DEAR), seats={0: "you", 1: "you"}, covers=False)
    move(table, "attack Qh")
    assert "regret" not in table.scene["can"], "the other is called now"
    table.play(table.game.legal_moves()[0])
    assert "regret" not in table.scene["can"]


# What may be hoped for


def test_chances_are_found_beside_the_game_and_hold() -> None:
    """Three numbers at one's turn, that playouts by another chance bear out; between one's moves those that were known last."""

    async def story() -> None:
        table = Table(seats={1: "first"}, seed=7, pace=0, chances=True)
        share, least, most = (await seen(table, lambda scene: scene.get("beside")))["beside"]["chances"]
        assert least < share < most
        other = fast_engine.playouts(table.game.view(0), count=4000, seed=5)
        assert abs((other[other.best] + 1) / 2 - share) < 0.04 + (most - least)
        table.chances = False
        assert not table.scene.get("beside")

    run(story)


def test_chances_of_an_ending_are_exact() -> None:
    """Won, and lost for the other."""
    game = ending()
    assert estimate_win_chance(game.view(0)) == (1.0, 1.0, 1.0)
    game.play("attack 7d")
    assert estimate_win_chance(game.view(1)) == (0.0, 0.0, 0.0)


def test_chances_of_another_game_are_forgotten() -> None:
    """What was known last is told between one's own moves, and of no other game, nor before the moment at which it was known."""
    hopes, game = WinChanceFinder(), Game(seed=7)
    later = game.copy()
    later.play("attack Jc")
    assert hopes(later.view(0)) == ()
    known = hopes(game.view(0))
    twice = WinChanceFinder()
    twice(game.view(0))
    assert twice(game.view(1)) == ()
    assert hopes(later.view(0)) == known != ()

    async def story() -> None:
        table = Table(game.copy(), seats={1: "first"}, pace=0, steps=True, chances=True)
        await seen(table, lambda scene: scene.get("beside"))
        move(table, "attack Jc")
        await seen(table, lambda scene: scene.get("beside"))
        table.game = later
        await settled()
        assert not table.scene.get("beside")

    run(story)
