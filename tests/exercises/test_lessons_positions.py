"""Test positions to play: moves reach or miss the goal, and undo opens it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from durak_widget import Game, Move
from durak_widget.analysis import endgame
from durak_widget.errors import DurakError
from durak_widget.exercises import goals
from durak_widget.exercises.lesson_opponents import choose_opponents
from durak_widget.exercises.student_progress import LESSON_SERIES
from durak_widget.i18n import TranslatableText, Translator
from durak_widget.lessons import Position
from support.asked import DEFENDING
from support.spoken import english, english_text

if TYPE_CHECKING:
    from random import Random

    from durak_widget import Observation


def gives_up(view: Observation, rng: Random) -> Move:
    """Pick up whenever possible."""
    return view.legal_moves()[-1]


def test_a_goal_is_reached_or_missed_by_moves() -> None:
    """Table and code do the same. A new start restores the position."""
    task = Position(DEFENDING, goals.beat_all(trumps=False), solution=["beat 7c 9c"], name="02/plain")
    heard = []
    task.on_answer(heard.append)
    task.table.play("beat 7c Ah")
    assert (task.check(), task.attempt_count, task.view_model()["state"]) == (False, 1, "wrong")
    assert heard[-1].sentences == (english_text("lesson.not_yet"), english_text("lesson.goal.trumped", card="the ace of hearts"))
    task.restart()
    assert (str(task.table.game), task.view_model()["state"]) == (str(DEFENDING), "")
    task.table.play("take")
    assert heard[-1].sentences[-1] == english_text("lesson.goal.took")
    task.restart()
    assert task.answer(task.solution)
    assert task.check()


def test_undo_opens_the_goal_again() -> None:
    """A person undoes a bad move at the table and plays another."""
    task = Position(DEFENDING, goals.beat_all(trumps=False), solution=["beat 7c 9c"])
    assert not task.answer("beat 7c Ah")
    task.table.game.undo()
    task.table.game.forget_undone()
    task.table.refresh()
    task.table.play("beat 7c 9c")
    while task.table.step():
        pass
    assert task.check()


def test_the_solution_is_checked_when_the_exercise_is_made() -> None:
    """If it does not reach the goal, it is refused."""
    with pytest.raises(DurakError, match=english("lesson.goal.trumped", card="the ace of hearts")):
        Position(DEFENDING, goals.beat_all(trumps=False), solution=["beat 7c Ah"])
    with pytest.raises(DurakError, match="does not reach the goal"):
        Position(DEFENDING, goals.get_out(), solution=["beat 7c 9c"])


def test_a_shown_solution_is_played_and_does_not_count() -> None:
    """It is played at the table from the start."""
    task = Position(DEFENDING, goals.beat_all(), solution=["beat 7c 9c"])
    task.answer("take")
    solution = task.reveal()
    assert solution == " ".join([english_text("lesson.solution"), english_text("lesson.goal.beaten")])
    assert not task.check()
    assert str(task.table.game.moves[0]) == "beat 7c 9c"


def test_an_undone_exercise_is_not_solved() -> None:
    """A grader gets what the page shows."""
    task = Position(DEFENDING, goals.beat_all(trumps=False), solution=["beat 7c 9c"])
    assert task.answer("beat 7c 9c")
    task.table.game.undo()
    task.table.refresh()
    assert (task.check(), task.view_model()["state"], task.view_model()["has_begun"]) == (False, "", False)
    task.table.game = Game(seed=1)
    assert task.view_model()["has_begun"] is True
    assert task.hint() == TranslatableText("table.again_first")
    task.restart()
    assert task.hint() == Move("beat 7c 9c")


def test_getting_out_can_be_the_goal() -> None:
    """The last card is played."""
    game = Game.from_position(hands=["9c", "Jd Qs"], trump="h", table="", attacker=0)
    task = Position(game, goals.get_out(), solution=["attack 9c"])
    assert task.answer("attack 9c")
    assert english_text("end.out.you", who="You") in str(task.answer([]))


def test_the_best_move_is_accepted_and_others_are_explained() -> None:
    """The author's text is used, or a text that something is better."""
    goal = goals.find_move({"beat 7c 9c": {"en": "The cheapest.", "ru": "Самой дешёвой."}}, {"take": "Why take one?"})
    task = Position(DEFENDING, goal, solution=["beat 7c 9c"], language="ru", why="!")
    say = Translator("ru").translate
    assert task.answer("take").sentences == (say("lesson.not_yet"), "Why take one?")
    task.restart()
    assert task.answer("beat 7c Ah").sentences == (say("lesson.not_yet"), say("lesson.goal.other"))
    task.restart()
    assert task.answer("beat 7c 9c").sentences == (say("lesson.right"), "Самой дешёвой.", "!")
    task.language = "en"
    assert (task.question, task.table.language) == (english_text("lesson.goal.find"), "en")
    with pytest.raises(DurakError, match="move to find"):
        goals.find_move({})


def test_a_decided_goal_stays_decided() -> None:
    """Further moves change nothing. Undo opens it, redo decides it again."""
    start = Game.from_position("econ431", hands=["Kd Ks", "9h As"], trump="h", table="Kc/Ac", attacker=0)
    goal = goals.find_move({"throw Kd": "The king."}, {"pass": "It gives up."}, otherwise="Another one.")
    task = Position(start, goal, solution=["throw Kd"])
    assert str(task.answer("pass")) == f"{english_text('lesson.not_yet')} It gives up."
    task.table.step()
    assert (str(task._build_verdict()), task.check(), task.attempt_count) == (f"{english_text('lesson.not_yet')} It gives up.", False, 1)
    task.restart()
    assert task.answer("throw Kd")
    task.table.step()
    if task.table.game.actor == 0:
        task.table.play(task.table.game.legal_moves()[0])
    assert (str(task._build_verdict()), task.check(), task.attempt_count) == ("Right. The king.", True, 1)
    task.table.game.goto(0)
    task.table.refresh()
    assert task.view_model()["state"] == ""
    task.table.game.goto(1)
    task.table.refresh()
    assert task.view_model()["state"] == "right"


def test_a_missed_goal_can_have_a_reason() -> None:
    """It is the author's or the engine's."""
    start = Game.from_position(hands=["6c", "7d 8d"], trump="h", table="", attacker=0)
    out = Position(start, goals.get_out(text="Get out first."), solution=["attack 6c"])
    assert out.question == "Get out first."
    task = Position(DEFENDING, goals.beat_all(trumps=False, missed="Keep it."), solution=["beat 7c 9c"])
    assert str(task.answer("beat 7c Ah")) == f"{english_text('lesson.not_yet')} Keep it."


def test_a_tie_misses_the_goal_of_getting_out() -> None:
    """Nobody is the fool then, so a move that gives the win away for a tie misses the goal."""
    start = Game.from_position(hands=["9c As", "Jc Kd"], trump="s")
    task = Position(start, goals.get_out(), solution=["attack As", "attack 9c"], others={1: "careful"})
    verdict = task.answer(["attack 9c", "beat Kd As"])
    assert [str(played) for played in task.table.game.moves] == ["attack 9c"]
    assert verdict.sentences[0] == english_text("lesson.not_yet")
    assert verdict.sentences[1].startswith(
        " ".join(
            [
                english_text("deed.attack.you", who="You", cards="the 9 of clubs"),
                english_text("theory.drawn"),
                english_text("deed.beat", who="Player 2", target="the 9 of clubs", card="the jack of clubs"),
            ]
        )
    )
    assert english("outcome.draw").search(verdict.sentences[1])
    assert task.check() is False


def test_a_win_that_was_not_forced_cannot_be_given_away() -> None:
    """If the other has to err, no move of yours misses the goal early. The hint follows the solution."""
    start = Game.from_position(hands=["9c Ts", "Jc Kd Qs"], trump="s")
    assert endgame.solve_endgame(start).value == -1
    task = Position(start, goals.get_out(), solution=["attack 9c", "attack Ts"], others={1: gives_up})
    assert task.hint() == Move("attack 9c")
    assert str(task.answer("attack 9c")) == ""
    assert task.view_model()["feedback"][0] == english_text("lesson.goal.open")
    assert task.hint() == Move("attack Ts")
    assert task.answer("attack Ts")


def test_in_a_lesson_somebody_with_a_name_sits_there() -> None:
    """The name changes neither the player nor the verdict. Homework and exercises outside lessons name nobody."""
    start, solution = Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h"), ["attack Ks", "attack 7d"]
    make = lambda name: Position(start, goals.get_out(), solution=solution, others={1: "careful"}, name=name)  # noqa: E731 - one line
    lesson, plain = make("04/get-out"), make("exam/get-out")
    assert (lesson.table.opponent_keys, plain.table.opponent_keys) == (((1, "nephew"),), ())
    assert make("04/another").table.opponent_keys == lesson.table.opponent_keys
    assert lesson.table.scene["seats"][1]["is_named"]
    assert "is_named" not in plain.table.scene["seats"][1]
    assert lesson.table.players == plain.table.players
    lesson.answer("attack 7d")
    plain.answer("attack 7d")
    assert (lesson.table.game.moves, lesson.check(), lesson.last_answer) == (plain.table.game.moves, plain.check(), plain.last_answer)
    assert "Tim" in str(lesson.view_model()["feedback"])
    assert "Tim" not in str(plain.view_model()["feedback"])
    lesson.defer_grading()
    assert lesson.table.opponent_keys == ()


def test_each_lesson_of_the_rules_names_its_opponents() -> None:
    """The text of a lesson calls them by these names. The names of some exercises begin with 07b."""
    rules = [lesson for lesson in LESSON_SERIES if lesson < "10"]
    assert "07b" in rules
    assert all(len(choose_opponents(f"{lesson}/challenge", 3)) == 2 for lesson in rules)
    assert choose_opponents("07b/challenge", 3) == choose_opponents("07/challenge", 3)


def test_a_goal_may_require_epaulettes() -> None:
    """The last attack must be two sixes. Playing one six earlier is explained at once."""
    start = Game.from_position(hands=["6c 6d Kc", "Ts Qd Tc"], trump="h")
    task = Position(start, goals.get_out(epaulettes=2), solution=["attack Kc", "attack 6c", "throw 6d"], others={1: "careful"})
    assert english_text("theory.lost") in str(task.answer("attack 6c"))
    assert (task.view_model()["state"], len(task.table.game.moves)) == ("wrong", 1)


def test_a_win_without_the_required_epaulettes_misses_the_goal() -> None:
    """The text says that it still wins."""
    start = Game.from_position(hands=["6c Kc", "Ts Qd"], trump="h")
    assert set(endgame.solve_endgame(start).move_values.values()) == {1}
    task = Position(start, goals.get_out(epaulettes=1), solution=["attack Kc", "attack 6c"])
    sentence = " ".join([english_text("lesson.not_yet"), english_text("lesson.goal.bare")])
    assert str(task.answer("attack 6c")) == sentence
    assert task.hint() == TranslatableText("table.again_first")


def test_each_move_towards_a_goal_gets_a_verdict() -> None:
    """This includes moves that decide nothing yet."""
    start = Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h")
    task = Position(start, goals.get_out(), solution=["attack Ks", "attack 7d"], others={1: "careful"})
    assert task.view_model()["feedback"] == []
    task.answer("attack Ks")
    assert task.view_model()["feedback"] == [
        english_text("lesson.goal.open"),
        english_text("deed.attack.you", who="You", cards="the king of spades"),
        english_text("deed.take", who="Player 2"),
    ]
    task.answer("attack 7d")
    assert task.view_model()["feedback"][0] == english_text("lesson.right")


def test_the_student_is_not_replaced_by_a_named_player() -> None:
    """Players named for their seat are ignored."""
    task = Position(DEFENDING, goals.beat_all(), solution=["beat 7c 9c"], others={0: "careful", 1: "careful"})
    assert task.table.players == ("you", "careful")


def test_a_decided_goal_is_shown_on_the_table_and_stops_it() -> None:
    """No move is legal, no bot moves, no hint is given; *Undo* opens it again."""
    start = Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h")
    task = Position(start, goals.get_out(missed="Mind the king."), solution=["attack Ks", "attack 7d"], others={1: "careful"})
    assert "verdict" not in task.table.scene
    task.answer("attack 7d")
    scene = task.table.scene
    assert (scene["verdict"], scene["legal"]) == ({"right": False, "text": [f"{english_text('lesson.not_yet')} Mind the king."] * 2}, {})
    assert ("hint" in scene["can"], "undo" in scene["can"], "is_single_move" in scene) == (False, True, False)
    for kind, more in (("explain_refusal", {"card": "Ks"}), ("move", {"move": "attack Ks"}), ("hint", {})):
        task.table._handle_custom_msg({"kind": kind, "ply": 1, "game": scene["game"], **more}, [])
        assert task.table.scene["note"]["text"][0] == english_text("table.decided")
    assert (task.table.game.ply, task.table.step()) == (1, False)
    task.table._handle_custom_msg({"kind": "undo", "ply": 1, "game": scene["game"]}, [])
    assert ("verdict" in task.table.scene, task.table.scene["legal"]) == (False, {"attack": ["7d", "Ks"]})
    task.answer(["attack Ks", "attack 7d"])
    assert task.table.scene["verdict"]["text"] == [" ".join([english_text("lesson.right"), english_text("end.out.you", who="You")])] * 2
    task.reveal()
    assert task.table.scene["verdict"]["text"][0] == " ".join([english_text("lesson.solution"), english_text("end.out.you", who="You")])


def test_a_long_reason_is_shown_above_the_table_only() -> None:
    """The table has room for few words. A task of one move has no undo."""
    goal = goals.find_move(
        {"beat 7c 9c": ""}, {"take": "There is no need for that at all, since the nine of clubs beats the seven, and it is the cheapest."}
    )
    task = Position(DEFENDING, goal, solution=["beat 7c 9c"])
    task.answer("take")
    assert (task.table.scene["verdict"]["text"][0], task.table.scene["is_single_move"]) == (
        " ".join([english_text("lesson.not_yet"), english_text("lesson.ask_why")]),
        True,
    )
    assert task.view_model()["can_ask_why"]
    task.restart()
    assert "can_ask_why" not in task.view_model()
    task.answer("beat 7c 9c")
    assert "can_ask_why" not in task.view_model(), "there is no more to say"
    task.restart()
    task.answer("beat 7c 9c")
    assert task.table.scene["verdict"]["text"][0] == "Right."


def test_a_goal_may_limit_the_number_of_bouts() -> None:
    """A move after which it takes longer misses it. The way is known."""
    start = Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h")
    assert endgame.solve_endgame(start).bouts_to_end == 2
    task = Position(start, goals.get_out(bouts=2), solution=["attack Ks", "attack 7d"], others={1: "careful"})
    assert task.question == english_text("lesson.goal.out.within.other", count="2")
    assert task.hint() == Move("attack Ks")
    assert task.answer(task.solution)
    with pytest.raises(DurakError, match=english("lesson.goal.late.one")):
        Position(start, goals.get_out(bouts=1), solution=["attack Ks", "attack 7d"], others={1: "careful"})
    with pytest.raises(DurakError, match=r"bouts .*0"):
        goals.get_out(bouts=0)
    slow = Game.from_position(hands=["Ac Qh Ks", "8h 8s Qs"], trump="h")
    quick, known = endgame.solve_endgame(slow), goals.get_out(bouts=3).reachability
    assert (quick.bouts_to_end, quick.quickest_moves, Move("attack Qh") in quick.best_moves) == (3, (Move("attack Ac"),), True)
    after = slow.copy()
    after.play("attack Qh")
    assert (known.is_reachable(slow, 0), known.is_reachable(after, 0), known.find_move(slow, 0)) == (True, False, Move("attack Ac"))
    assert known.explain_missed_goal(slow, Move("attack Qh")) == TranslatableText("lesson.goal.slow", {"count": 3})


def test_a_card_of_the_attacks_rank_is_treated_as_a_transfer() -> None:
    """Where transfers are allowed, the refusal is about the transfer and not about beating."""
    start = Game.from_position("transfer", hands=["8d Qd Ks 8h", "Kc"], trump="h", table="8c", attacker=1)
    task = Position(start, goals.beat_all(), solution=["beat 8c 8h"])
    task.table._handle_custom_msg({"kind": "explain_refusal", "card": "8d", "ply": 0, "game": task.table.scene["game"]}, [])
    why_not = english("refusal.transfer_too_many", next="Player 2", count="2 cards")
    assert why_not.fullmatch(task.table.scene["note"]["text"][1])
