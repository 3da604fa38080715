"""Rule book §5.1: the limit of attacking cards on the table."""

from durak_widget import Game, Rules
from support.rule_examples import IN_ORDER, hands, legal, play


def test_the_limit_is_the_smaller_of_the_option_and_the_defenders_hand():
    """L is the smaller of `attack_limit` and the number of cards in the defender's hand, §5.1."""
    for options, held, limit in (
        ({}, 8, 6),
        ({}, 6, 6),
        ({}, 5, 5),
        ({}, 1, 1),
        ({"attack_limit": 4}, 6, 4),
        ({"attack_limit": 4}, 3, 3),
        ({"attack_limit": 1}, 6, 1),
        ({"attack_limit": 12}, 8, 8),
        ({"attack_limit": None}, 8, 8),
        ({"attack_limit": None}, 2, 2),
    ):
        defender = " ".join(["6d", "7d", "8d", "9d", "Td", "Jd", "Qd", "Kd"][:held])
        game = Game.from_position(Rules(**options), hands=["6c 7c 8c", defender], trump="h")
        assert game.limit == limit


def test_the_first_bout_may_have_its_own_limit():
    """`first_bout_limit` applies to the first bout of a game only, §5.1."""
    for options, first, later in (
        ({"first_bout_limit": 5}, 5, 6),
        ({"first_bout_limit": 1}, 1, 6),
        ({"first_bout_limit": 7}, 6, 6),
        ({"first_bout_limit": 5, "attack_limit": 4}, 4, 4),
        ({"first_bout_limit": 5, "attack_limit": None}, 5, 7),
        ({}, 6, 6),
    ):
        game = Game(Rules(**options), deck=IN_ORDER, dealer=0)
        assert (game.bout, game.limit) == (1, first)
        play(game, "1 attack Qc; 0 take")
        assert (game.bout, len(game.hands[game.defender]), game.limit) == (2, 7, later)


def test_throw_ins_are_limited_by_the_defenders_hand():
    """The defender has two cards, and two attack: the third seven cannot be thrown in, although the defender takes, §5.1."""
    game = Game.from_position(Rules(), hands=["7c 7d 7h Kc", "8c 9c"], trump="s")
    play(game, "0 attack 7c; 1 beat 7c 8c; 0 throw 7d; 1 take")
    assert (game.bout, game.actor) == (3, 0)
    assert hands(game) == ["Kc 7h", "7c 8c 9c 7d"]


def test_the_limit_uses_the_defenders_hand_at_the_start_of_the_bout():
    """The limit does not get smaller while the defender's hand does, §5.1."""
    game = Game.from_position(Rules(), hands=["7c 7d 8h Kc", "8c 8d 9h"], trump="s")
    play(game, "0 attack 7c; 1 beat 7c 8c; 0 throw 7d; 1 beat 7d 8d")
    assert (len(game.hands[1]), game.limit) == (1, 3)
    assert legal(game) == "throw 8h; pass"


def test_a_bout_ends_when_the_limit_is_reached_and_all_cards_are_beaten():
    """At the limit nobody gets a turn to throw in, §5.1, §5.4."""
    game = Game.from_position(Rules(attack_limit=1), hands=["7c 7d Kc", "8c 9c 8d"], trump="s")
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert (game.bout, game.actor, str(game.discard)) == (3, 1, "7c 8c")


def test_six_attacking_cards_are_the_maximum():
    """The sixth attack is the last, although the defender has a seventh card and the attacker could go on, §5.1."""
    game = Game.from_position(Rules(), hands=["6c 6d 6h 7c 7d 7h 9c", "8c 8d 8h 7s 9s Ts Js"], trump="s")
    play(game, "0 attack 6c; 1 beat 6c 7s; 0 throw 6d; 1 beat 6d 9s; 0 throw 6h; 1 beat 6h Ts")
    play(game, "0 throw 7c; 1 beat 7c 8c; 0 throw 7d; 1 beat 7d 8d; 0 throw 7h; 1 beat 7h 8h")
    assert (game.bout, game.actor, hands(game)) == (3, 1, ["9c", "Js"])


def test_without_a_limit_only_the_defenders_hand_counts():
    """Without `attack_limit` seven cards may attack a defender who has seven, §5.1."""
    game = Game.from_position(Rules(attack_limit=None), hands=["6c 6d 6h 7c 7d 7h 9c Kc", "8c 8d 8h 7s 9s Ts Js"], trump="s")
    play(game, "0 attack 6c; 1 beat 6c 7s; 0 throw 6d; 1 beat 6d 9s; 0 throw 6h; 1 beat 6h Ts")
    play(game, "0 throw 7c; 1 beat 7c 8c; 0 throw 7d; 1 beat 7d 8d; 0 throw 7h; 1 beat 7h 8h")
    assert legal(game) == "throw 9c; pass"


def test_a_transfer_sets_the_limit_by_the_next_defenders_hand():
    """After a transfer L is the size of the new defender's hand at that moment, §5.1, §5.5."""
    game = Game.from_position(Rules(players=3, transfer=True), hands=["7c Kc Qc", "7d 8d 9d Td", "Ks Qs Js"], trump="s")
    play(game, "0 attack 7c")
    assert game.limit == 4
    play(game, "1 transfer 7d")
    assert (game.defender, game.limit) == (2, 3)


def test_with_two_players_a_transfer_counts_the_attackers_remaining_cards():
    """The attacker becomes the defender; only the cards not yet played count, §5.1, §5.5."""
    game = Game.from_position(Rules(transfer=True), hands=["7c 8c 9c", "7d Kd Ks Qs"], trump="s")
    play(game, "0 attack 7c; 1 transfer 7d")
    assert (game.defender, game.limit) == (0, 2)


def test_a_seat_that_defends_again_gets_a_new_limit():
    """Each time a seat becomes the defender its hand is counted at that moment, §5.1."""
    game = Game.from_position(Rules(transfer=True), hands=["7c 7h 8c 9c Kh", "7d Kd Ks Qs"], trump="s")
    assert game.limit == 4
    play(game, "0 attack 7c; 1 transfer 7d; 0 transfer 7h")
    assert (game.defender, game.limit) == (1, 3)
