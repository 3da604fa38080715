"""Test the coach at any table: comments on expensive moves, undo, chances, and silence where a game counts."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from durak_widget import Game, Rules, Table, fast_engine
from durak_widget.analysis.possible_worlds import worlds
from durak_widget.bots.heuristic_bots import CarefulBot
from durak_widget.exercises import goals
from durak_widget.i18n import LANGUAGES, Seat, Translator
from durak_widget.lessons import Position
from durak_widget.lessons.endgame_puzzle import load_puzzles
from durak_widget.review.decision_evaluation import evaluate_single_decision
from durak_widget.table.move_feedback import WinChanceFinder, comment_on_move, estimate_win_chance
from support.loops import run, wait_for_scene, wait_until_idle
from support.spoken import english, english_text
from support.tables import make_move, send_message

if TYPE_CHECKING:
    from pathlib import Path

SMALL = Rules(suits="cd", ranks="789", hand_size=2)
DEAR = "Qh Ks 6c | Kh Kc 7d; trump h; talon 8c 9c 6d 6s"
"""The queen of trumps is led, though a six would do."""


def counting_game(**more: object) -> Table:
    """Return a game that counts against an opponent; the person is to move."""
    table = Table(**{"seats": {1: "aunt"}, "seed": 2, **more})
    while table.game.actor != 0:
        table.step()
    return table


def ending() -> Game:
    """Return an ending that only the seven of diamonds wins."""
    return Game.from_position(SMALL, hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")


@pytest.fixture(autouse=True)
def fresh_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a home folder in which nobody has been beaten."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path))


def coached_table(game: Game | None = None, **more: object) -> Table:
    """Return a table without background work: comments come at once."""
    return Table(game, **{"coach": True, "seats": {1: "first"}, **more})


# Comments


def test_an_expensive_move_is_commented_at_once_and_can_be_undone() -> None:
    """The comment is on the table, spoken, with a button. Undo removes it."""
    table, sent = coached_table(Game.from_position_line(DEAR)), []
    table._session.send = sent.append
    scene = make_move(table, "attack Qh")
    cost = evaluate_single_decision(table.game, 0)
    assert cost.verdict == "mistake"
    [comment, *_] = scene["commentary"]
    percent = round(100 * cost.loss)
    assert any(english_text("table.coach.cost", percent=other) in comment for other in range(percent - 4, percent + 5))
    assert english("review.better").search(comment)
    assert scene["can"]["regret"]
    assert [message["text"] for message in sent if message["kind"] == "announcement"] == [
        comment_on_move(table.game, 0).to_text(Translator("en", own_seat=0))
    ]
    table.step()
    assert table.scene["commentary"] == scene["commentary"], "it stands until one has moved again"
    back = send_message(table, "undo")
    assert (back["ply"], back["can"].get("regret"), "commentary" in back) == (0, None, False)


def test_a_good_move_gets_no_comment() -> None:
    """The usual text is there."""
    scene = make_move(coached_table(Game.from_position_line(DEAR)), "attack 6c")
    assert "in 100" not in scene["commentary"][0]
    assert "regret" not in scene["can"]


def test_a_lost_ending_is_described_as_proved() -> None:
    """The text gives the winning move."""
    assert make_move(coached_table(ending()), "attack 9c")["commentary"] == [english_text("table.coach.won", said="attack with 7♦︎.")]


def test_the_only_winning_move_is_praised() -> None:
    """It is praised if there were others, and if it is not the obvious move."""
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


def test_the_coach_is_off_by_default() -> None:
    """It can be switched on and off."""
    table = coached_table(ending(), coach=False)
    make_move(table, "attack 9c")
    assert "regret" not in table.scene["can"]
    table.coach = True
    assert table.scene["can"]["regret"]
    table.coach = False
    assert "regret" not in table.scene["can"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_comments_are_complete_in_every_language(language: str) -> None:
    """No field is unfilled."""
    for game, choice in ((Game.from_position_line(DEAR), "attack Qh"), (ending(), "attack 9c")):
        comment = make_move(coached_table(game, language=language), choice)["commentary"][0]
        assert comment
        assert not {"{", "}"} & set(comment)


def test_comments_use_only_what_the_seat_knows() -> None:
    """Other hidden cards change nothing."""
    game = Game(seed=11)
    words = set()
    for seed in range(4):
        other = game.copy() if not seed else _dealt_anew(game, seed)
        other.play(game.legal_moves()[-1])
        words.add(comment_on_move(other, 0))
    assert len(words) == 1


def _dealt_anew(game: Game, seed: int) -> Game:
    return worlds(game.view(game.actor)).sample(Random(seed))


# Silence


def test_a_game_that_counts_has_no_coach_and_no_chances() -> None:
    """The opponent has a name. When the game stops counting, they appear."""
    table = counting_game(coach=True, chances=True, seed=3)
    table.play(table.game.legal_moves()[-1])
    assert table._session.is_counted
    assert "regret" not in table.scene["can"]
    assert not table.scene.get("analysis")
    assert table._session.get_coach_comment() is None


def test_switching_the_coach_on_in_a_counting_game_is_explained() -> None:
    """Chances do the same. Without an opponent there is no note."""
    table = Table(seats={1: "aunt"}, seed=3)
    table.coach = True
    assert table.scene["note"]["text"][0] == Translator("en", opponent_keys=((1, "aunt"),)).translate("table.counts", who=Seat(1))
    table.chances = True
    assert table.scene["note"]["text"][0] == Translator("en", opponent_keys=((1, "aunt"),)).translate("table.counts", who=Seat(1))
    free = Table(seats={1: "careful"}, seed=3)
    free.coach = True
    assert "note" not in free.scene


def test_a_hint_in_a_counting_game_needs_confirmation() -> None:
    """The first click explains the cost. After the second, the game does not count and the coach speaks."""
    table = counting_game()
    first = send_message(table, "hint")
    assert first["note"]["text"][0] == Translator("en", opponent_keys=((1, "aunt"),)).translate("table.hint_counts", who=Seat(1))
    assert table._session.is_counted
    assert send_message(table, "hint")["note"]["kind"] == "hint"
    assert not table._session.is_counted


def test_undo_in_a_counting_game_needs_confirmation() -> None:
    """The first click explains the cost, also after the warning about hints. After the second, the game does not count, and a message says so."""
    voice, table = Translator("en", opponent_keys=((1, "aunt"),)), counting_game()
    send_message(table, "hint")
    table.play(table.game.legal_moves()[0])
    first = send_message(table, "undo")
    assert first["note"]["text"][0] == voice.translate("table.undo_counts", who=Seat(1))
    assert (first["ply"], table._session.is_counted) == (table.game.last_ply, True)
    second = send_message(table, "undo")
    assert second["note"]["text"][0] == voice.translate("table.counts_no_more", who=Seat(1))
    assert (second["ply"], table._session.is_counted) == (table.game.last_ply - 1, False)


def test_undo_after_the_end_of_a_counting_game_needs_no_confirmation() -> None:
    """The result is already recorded. Undo that only looks at a bot's opening needs none either."""
    table = Table(seats={1: "aunt"}, seed=5)
    while table.game.outcome is None:
        table.step() or table.play(table.game.legal_moves()[0])
    assert send_message(table, "undo")["taken_back"]
    table = next(table for seed in range(9) for table in [Table(seats={1: "aunt"}, seed=seed)] if table.game.actor == 1)
    table.step()
    assert send_message(table, "undo")["ply"] == 0
    assert table._session.is_counted


def test_playing_differently_after_looking_back_counts_as_help() -> None:
    """This holds for Python too: the first result was known."""
    table = counting_game()
    table.play(table.game.legal_moves()[0])
    table.step()
    send_message(table, "goto", to_ply=0)
    while table.game.actor != 0:
        table.game.redo()
    assert table._session.is_counted
    table.play(table.game.legal_moves()[-1])
    assert not table._session.is_counted


def test_a_useless_request_for_a_hint_is_not_help() -> None:
    """The game still counts, and there is no warning."""
    table = counting_game()
    table.play(table.game.legal_moves()[0])
    for _ in range(2):
        assert english("table.no_hint").fullmatch(send_message(table, "hint")["note"]["text"][0])
    assert table._session.is_counted


def test_seeing_all_hands_counts_as_help() -> None:
    """Closing them before the end does not change that."""
    table = Table(seats={1: "aunt"}, seed=2)
    table.hands = "open"
    table.hands = "own"
    assert not table._session.is_counted


def test_the_coach_is_silent_in_exercises() -> None:
    """Chances are too: an exercise has its own judgement."""
    task = Position(
        ending(),
        goals.find_move({"attack 7d": "It wins."}, {"attack 9c": "It does not."}),
        solution=["attack 7d"],
        coach=True,
        chances=True,
    )
    make_move(task.table, "attack 9c")
    assert "regret" not in task.table.scene["can"]
    assert not task.table.scene.get("analysis")


def test_another_persons_mistake_is_not_shown_under_a_cover() -> None:
    """Nothing is said until the next person is there."""
    table = coached_table(Game.from_position_line(DEAR), seats={0: "you", 1: "you"})
    send_message(table, "uncover_hand")
    make_move(table, "attack Qh")
    assert table.scene["covered"]
    assert "regret" not in table.scene["can"]


def test_a_move_of_another_person_ends_the_comment() -> None:
    """Among friends the move can't be undone any more, and the comment disappears."""
    table = coached_table(Game.from_position_line(DEAR), seats={0: "you", 1: "you"}, covers=False)
    make_move(table, "attack Qh")
    assert "regret" not in table.scene["can"], "the other is called now"
    table.play(table.game.legal_moves()[0])
    assert "regret" not in table.scene["can"]


# Chances


def test_chances_are_computed_in_the_background_and_accurate() -> None:
    """Other playouts confirm the three numbers at your turn. Between turns the last ones stay."""

    async def story() -> None:
        table = Table(seats={1: "first"}, seed=7, pace=0, chances=True)
        share, least, most = (await wait_for_scene(table, lambda scene: scene.get("analysis")))["analysis"]["chances"]
        assert least < share < most
        other = fast_engine.playouts(table.game.view(0), count=4000, seed=5)
        assert abs((other[other.best] + 1) / 2 - share) < 0.04 + (most - least)
        table.chances = False
        assert not table.scene.get("analysis")

    run(story)


def test_chances_of_an_ending_are_exact() -> None:
    """One side has won, the other has lost."""
    game = ending()
    assert estimate_win_chance(game.view(0)) == (1.0, 1.0, 1.0)
    game.play("attack 7d")
    assert estimate_win_chance(game.view(1)) == (0.0, 0.0, 0.0)


def test_chances_of_another_game_are_forgotten() -> None:
    """The last ones are shown between turns, but not before their moment."""
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
        await wait_for_scene(table, lambda scene: scene.get("analysis"))
        make_move(table, "attack Jc")
        await wait_for_scene(table, lambda scene: scene.get("analysis"))
        table.game = later
        await wait_until_idle()
        assert not table.scene.get("analysis")

    run(story)
