"""Rule book §5.4: beating and taking, and how a bout ends."""

from durak_widget import Game, Rules
from support.rule_examples import hands, legal, play


def test_the_defender_beats_or_takes():
    """One move for each card that beats, then `take`, §5.4."""
    game = Game.from_position(Rules(), hands=["7c Kc", "6c 8c 9d 6s"], trump="s")
    play(game, "0 attack 7c")
    assert (game.actor, legal(game)) == (1, "beat 7c 8c; beat 7c 6s; take")


def test_any_unbeaten_card_may_be_beaten_first():
    """The defender chooses which unbeaten card to beat; those beaten are no longer named, §5.4."""
    game = Game.from_position(Rules(opening="same_rank"), hands=["7c 7d 7h Kc", "8c 8d 8h 9h"], trump="s")
    play(game, "0 attack 7c 7d 7h; 1 beat 7d 8d")
    assert str(game.table) == "7c 7d/8d 7h"
    assert legal(game) == "beat 7c 8c; beat 7h 8h; beat 7h 9h; take"


def test_a_defender_to_move_may_always_take():
    """Whatever has been beaten, the defender may take while a card is unbeaten, and takes all, §5.4, §6.1."""
    for beaten in ("", "; 1 beat 7d 8d", "; 1 beat 7d 8d; 1 beat 7h 8h"):
        rules = Rules(opening="same_rank", throw_in_after_take=False)
        game = Game.from_position(rules, hands=["7c 7d 7h Kc", "8c 8d 8h 9h"], trump="s")
        play(game, "0 attack 7c 7d 7h" + beaten + "; 1 take")
        assert hands(game) == ["Kc", "7c 8c 7d 8d 7h 8h 9h"]


def test_a_defender_who_could_beat_may_take():
    """Taking is allowed even when the defender can beat, §5.4."""
    game = Game.from_position(Rules(), hands=["7c Kc", "8c 9d"], trump="s")
    play(game, "0 attack 7c; 1 take")
    assert hands(game) == ["Kc", "7c 8c 9d"]


def test_a_defender_who_can_beat_nothing_can_only_take():
    """If nothing beats, taking is the only move, §5.4."""
    game = Game.from_position(Rules(), hands=["7c Kc", "6c 9d"], trump="s")
    play(game, "0 attack 7c")
    assert legal(game) == "take"


def test_a_defender_who_has_beaten_all_cards_has_no_turn():
    """When every card is beaten and no thrower has a turn, the bout ends defended, §5.4."""
    game = Game.from_position(Rules(), hands=["7c Kc", "8c 9d"], trump="s")
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert (game.bout, str(game.discard), str(game.table)) == (3, "7c 8c", "")
    assert not game.view(0).bout_ends[-1].taken


def test_a_bout_ends_defended_when_the_last_thrower_passes():
    """Every card beaten and every thrower passed: defended, §5.4."""
    game = Game.from_position(Rules(), hands=["7c 7d", "8c 9d"], trump="s")
    play(game, "0 attack 7c; 1 beat 7c 8c; 0 pass")
    assert (game.bout, game.actor, str(game.discard)) == (3, 1, "7c 8c")


def test_a_bout_ends_taken_when_nobody_throws_in_more():
    """After `take`, when no thrower has a turn, the bout ends taken, §5.4."""
    game = Game.from_position(Rules(), hands=["7c 7d", "Kd 9d"], trump="s")
    play(game, "0 attack 7c; 1 take; 0 pass")
    assert (game.bout, str(game.discard), hands(game)) == (3, "", ["7d", "7c 9d Kd"])
    assert game.view(0).bout_ends[-1].taken


def test_the_defender_waits_for_the_throwers():
    """The defender acts when no thrower has a turn, §5.4."""
    game = Game.from_position(Rules(throw_in_when="any_time"), hands=["7c 7d", "Kd 9d"], trump="s")
    play(game, "0 attack 7c")
    assert (game.actor, legal(game)) == (0, "throw 7d; pass")


def test_a_beating_card_lies_on_its_attacking_card():
    """Each beating card is paired with the card that it beats, §5."""
    game = Game.from_position(Rules(opening="same_rank"), hands=["7c 7d Kc", "8c 8d 9c"], trump="s")
    play(game, "0 attack 7c 7d; 1 beat 7d 8d")
    assert [(str(attack), beat and str(beat)) for attack, beat in game.table] == [("7c", None), ("7d", "8d")]


def test_a_beat_hits_the_first_unbeaten_of_two_equal_cards():
    """With two decks a move that names one of two equal cards means the first unbeaten, and is listed once, §2, §5.7."""
    game = Game.from_position(Rules(decks=2, opening="same_rank"), hands=["7c 7c Kc", "8c 8c 9c 6d"], trump="s")
    play(game, "0 attack 7c 7c")
    assert legal(game) == "beat 7c 8c; beat 7c 9c; take"
    play(game, "1 beat 7c 9c")
    assert (str(game.table), legal(game)) == ("7c/9c 7c", "beat 7c 8c; take")
    play(game, "1 beat 7c 8c")
    assert str(game.discard) == "7c 7c 8c 9c"
