"""Test goals decided ahead: an exercise ends as soon as its goal is decided, and hints agree."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import TYPE_CHECKING

import pytest

from durak_widget import Game, Move, Rules
from durak_widget.engine.narration import format_advice
from durak_widget.exercises import goals
from durak_widget.exercises.goals import BeatAllReachability, Goal, WinReachability
from durak_widget.i18n import TranslatableText, Translator
from durak_widget.lessons import Position
from support.asked import DEFENDING
from support.sizes import tried
from support.spoken import english_text

if TYPE_CHECKING:
    from durak_widget import Observation

SIEGE = Game.from_position("siege", hands=["Qc 6s", "9h As Kd"], trump="s", table="8c 8h", attacker=1)
TWO = Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h")
THREE = Game.from_position(hands=["Ks Kc 7d", "9c Qd Kd"], trump="h")


def hint_text(task: Position) -> str:
    """Return the text of the hint button."""
    scene = task.table.scene
    task.table._handle_custom_msg({"kind": "hint", "ply": scene["ply"], "game": scene["game"]}, [])
    return str(task.table.scene["note"]["text"][1])


def test_a_move_that_loses_by_force_misses_the_goal_at_once() -> None:
    """The refutation is played out, in the reader's language."""
    task = Position(TWO, goals.get_out(), solution=["attack Ks", "attack 7d"], others={1: "careful"})
    assert str(task.answer("attack 7d")) == (
        f"{english_text('lesson.not_yet')} {english_text('deed.attack.you', who='You', cards='the 7 of diamonds')} {english_text('theory.lost')} {english_text('deed.beat', who='Player 2', target='the 7 of diamonds', card='the queen of diamonds')} {english_text('deed.attack', who='Player 2', cards='the 9 of clubs')} {english_text('theory.unbeatable.you', who='You', card='the 9 of clubs')} {english_text('deed.take.you', who='You')} {english_text('deed.attack', who='Player 2', cards='the king of diamonds')} {english_text('theory.unbeatable.you', who='You', card='the king of diamonds')} {english_text('deed.take.you', who='You')} {english_text('outcome.fool.you', who='You')}."
    )
    assert (task.view_model()["state"], task.attempt_count, task.check()) == ("wrong", 1, False)
    for language in ("ru", "lt"):
        task.language = language
        texts = task.view_model()["feedback"]
        assert texts[0] == Translator(language).translate("lesson.not_yet") != english_text("lesson.not_yet")
        assert Translator(language).translate("theory.lost") in texts[1]


def test_an_author_can_replace_the_text_of_a_miss() -> None:
    """`missed` is shown for every way to miss the goal."""
    task = Position(TWO, goals.get_out(missed="Mind the king."), solution=["attack Ks", "attack 7d"], others={1: "careful"})
    assert str(task.answer("attack 7d")) == f"{english_text('lesson.not_yet')} Mind the king."


def test_moves_after_the_decision_change_nothing() -> None:
    """The table stops; undo opens it again."""
    task = Position(TWO, goals.get_out(missed="Mind the king."), solution=["attack Ks", "attack 7d"], others={1: "careful"})
    task.answer("attack 7d")
    assert not task.table.step()
    assert (task.view_model()["feedback"], task.attempt_count) == ([english_text("lesson.not_yet"), "Mind the king."], 1)
    assert hint_text(task) == english_text("table.decided")
    task.table.game.goto(0)
    task.table.refresh()
    assert (task.view_model()["state"], task.hint()) == ("", Move("attack Ks"))


def test_hints_find_other_ways_to_the_goal() -> None:
    """After another good move the hint goes on from there. At the goal there is none."""
    task = Position(THREE, goals.get_out(), solution=["attack Ks", "throw Kc", "attack 7d"], others={1: "careful"})
    assert task.answer("attack Kc").sentences == ()
    assert task.view_model()["feedback"][0] == english_text("lesson.goal.open")
    assert hint_text(task) == f"{english_text('screen.hint')}: {format_advice(Move('throw Ks'), Translator())}"
    while task.view_model()["state"] == "":
        task.answer(task.hint())
    assert task.check()
    assert task.hint() == TranslatableText("table.goal_reached")


def test_a_hint_says_when_no_sure_way_is_known() -> None:
    """This includes goals that are only known when reached."""

    def last(game: Game, seat: int, _: object) -> tuple[bool, str] | None:
        return None if game.hands[seat] else (True, "There.")

    task = Position(TWO, Goal("Play your last card.", last), solution=["attack Ks", "attack 7d"], others={1: "careful"})
    task.answer("attack 7d")
    assert task.table.game.actor == 0
    assert task.view_model()["state"] == ""
    assert hint_text(task) == english_text("table.no_way_known")
    task.restart()
    task.answer(task.solution)
    assert task.hint() == TranslatableText("table.goal_reached")


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        (goals.beat_all(), " ".join([english_text("lesson.not_yet"), english_text("lesson.goal.stuck")])),
        (goals.beat_all(missed="The club was for the queen."), f"{english_text('lesson.not_yet')} The club was for the queen."),
    ],
)
def test_a_goal_is_missed_when_a_card_can_no_longer_be_beaten(goal: Goal, message: str) -> None:
    """The trump was needed, and nobody has to pick up first to see that."""
    task = Position(SIEGE, goal, solution=["beat 8h 6s", "beat 8c Qc"])
    assert str(task.answer("beat 8c 6s")) == message
    assert hint_text(task) == english_text("table.decided")
    task.restart()
    task.answer("beat 8c Qc")
    assert task.hint() == Move("beat 8h 6s")


def test_thrown_in_cards_can_decide_the_goal() -> None:
    """It is decided when you can only use a trump."""

    def throws(view: Observation, rng: Random) -> Move:
        return view.legal_moves()[0]

    game = Game.from_position(hands=["9c Kc 6h", "9d Jd"], trump="h", table="8c", attacker=1)
    task = Position(game, goals.beat_all(trumps=False), solution=["beat 8c Kc"], others={1: throws})
    assert str(task.answer("beat 8c 9c")) == " ".join([english_text("lesson.not_yet"), english_text("lesson.goal.stuck.plain")])
    assert [str(move) for move in task.table.game.moves] == ["beat 8c 9c", "throw 9d"]
    plain = Position(game, goals.beat_all(), solution=["beat 8c Kc"], others={1: throws})
    assert str(plain.answer(["beat 8c 9c", "beat 9d 6h"])).startswith("Right.")


def test_a_possible_transfer_keeps_the_goal_open() -> None:
    """The cards can't be beaten, but another of the same rank can be added."""
    game = Game.from_position("perevodnoy, players=3", hands=["7c 9d", "7d 6s", "Ad Ks"], trump="h", table="7s", attacker=2)
    assert BeatAllReachability().is_reachable(game, 0) is True
    assert BeatAllReachability().find_move(game, 0) == Move("transfer 7c")


@pytest.mark.parametrize("rules", [Rules.preset("siege"), Rules.preset("siege").replace(decks=2)])
def test_the_cover_search_equals_trying_all_orders(rules: Rules) -> None:
    """Some order beats all cards, with or without trumps, and the hint is its first step."""
    rng, seen = Random(3), set()
    deck = [rank + suit for rank in rules.ranks for suit in rules.suits if rank + suit != "As"] * rules.decks
    for _ in range(tried(80, 300)):
        rank = rng.choice("678")
        attack = [rank + suit for suit in rng.sample("cdhs", 3)]
        hand = [card for card in rng.sample(deck, 7) if card not in attack][:4]
        game = Game.from_position(rules, hands=[" ".join(hand), "As"], trump="h", table=" ".join(attack), attacker=1)
        for trumps in (True, False):
            fits = [
                order
                for order in permutations(hand, 3)
                if all(
                    card in rules.beaters(attack_card, "h") and (trumps or card[1] != "h")
                    for attack_card, card in zip(game.table.unbeaten, order, strict=True)
                )
            ]
            beating = BeatAllReachability(trumps)
            assert beating.is_reachable(game, 0) is bool(fits)
            seen.add((trumps, bool(fits)))
            if fits:
                after, left = game.copy(), []
                while after.table.unbeaten:
                    assert beating.is_reachable(after, 0)
                    if after.actor == 1:
                        after.play("pass")
                    move = beating.find_move(after, 0)
                    after.play(move)
                    left.append(move)
                assert len(left) == 3
                assert trumps or not any(move.cards[1].suit == "h" for move in left)
    assert len(seen) == 4


def test_nothing_is_decided_without_a_proof() -> None:
    """Test a talon, three players, a finished game and a player who is out."""
    three = Game.from_position(Rules(players=3), hands=["6c 9s", "7d", "Jd Qd"], trump="h")
    talon = Game.from_position(hands=["6c 9s", "Jd Qd"], trump="h", talon="7c 7h")
    over = Game.from_position(hands=["9c", "Jd Qs"], trump="h", attacker=0)
    over.play("attack 9c")
    over.play("take")
    for game in (three, talon, over):
        assert WinReachability().is_reachable(game, 0) is None
        assert WinReachability().find_move(game, 0) is None
    assert BeatAllReachability().is_reachable(TWO, 0) is None
    assert BeatAllReachability().is_reachable(DEFENDING, 1) is None
