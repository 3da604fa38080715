"""Rule book §5.5: transferring the attack with a card of its rank."""

from durak_widget import Game, Rules
from support.rule_examples import everything, hands, legal, play

THREE = ["7c Kc Qc Jc", "7d 8d 9c", "7h 8h 9h"]
"""Three hands with spades as trumps: a seven in each."""


def transfer_game(hands=THREE, *, bout=2, talon="", attacker=0, **options):
    """Return a game with spades as trumps under `perevodnoy` with these options."""
    rules = Rules(players=len(hands), transfer=True, **options)
    return Game.from_position(rules, hands=hands, trump="s", bout=bout, talon=talon, attacker=attacker)


def test_without_transfers_the_defender_beats_or_takes():
    """A card of the rank passes the attack on only if `transfer` is on, §5.5."""
    game = Game.from_position(Rules(players=3), hands=THREE, trump="s")
    play(game, "0 attack 7c")
    assert legal(game) == "beat 7c 9c; take"


def test_the_defender_may_transfer_the_attack():
    """The card joins the attack, the defender becomes the attacker and the next seat the defender, §5.5."""
    game = transfer_game()
    play(game, "0 attack 7c")
    assert legal(game) == "beat 7c 9c; transfer 7d; take"
    play(game, "1 transfer 7d")
    assert (game.attacker, game.defender, game.actor) == (1, 2, 2)
    assert (str(game.table), hands(game)[1], game.limit, game.bout) == ("7c 7d", "9c 8d", 3, 2)


def test_an_attack_may_go_all_the_way_round():
    """The seat that opened may have to defend against its own attack, §5.5."""
    game = transfer_game()
    play(game, "0 attack 7c; 1 transfer 7d; 2 transfer 7h")
    assert (game.attacker, game.defender, game.actor, str(game.table)) == (2, 0, 0, "7c 7d 7h")
    play(game, "0 take")
    assert (hands(game)[0], game.actor) == ("7c Jc Qc Kc 7d 7h", 1)


def test_an_attack_that_went_round_may_go_on():
    """Only the cards limit it: the fourth seven transfers it again, §5.5."""
    game = transfer_game(["7c 7s Kc Qc Jc", "7d 8d 9c Ad Ah", "7h 8h 9h"])
    play(game, "0 attack 7c; 1 transfer 7d; 2 transfer 7h; 0 transfer 7s")
    assert (game.attacker, game.defender, str(game.table), game.limit) == (0, 1, "7c 7d 7h 7s", 4)


def test_the_new_defender_must_beat_all_the_cards_of_the_attack():
    """Every card of the attack is to be beaten by the new defender, §5.5."""
    game = transfer_game(["7c Kc Qc Jc", "7d 8s 9s", "8c 8d 9h"])
    play(game, "0 attack 7c; 1 transfer 7d")
    assert legal(game) == "beat 7c 8c; beat 7d 8d; take"
    play(game, "2 beat 7d 8d; 2 beat 7c 8c; 1 pass")
    assert (game.bout, game.actor, str(game.discard)) == (3, 2, "7c 8c 7d 8d")


def test_only_a_card_of_the_rank_transfers():
    """The card must have the rank of the attacking cards; every such card may transfer, §5.5."""
    game = transfer_game(["7c Kc Qc Jc", "7d 7h 7s 8d 9d", "8h 9h Th"])
    play(game, "0 attack 7c")
    assert legal(game) == "beat 7c 7s; transfer 7d; transfer 7h; transfer 7s; take"


def test_after_a_beating_card_nothing_is_transferred():
    """Once a card has been beaten the attack cannot be transferred, §5.5."""
    game = transfer_game(["7c 7h Kc Qc", "7d 8c 8h", "9h Th Jh"], opening="same_rank")
    play(game, "0 attack 7c 7h")
    assert "transfer 7d" in legal(game)
    play(game, "1 beat 7c 8c")
    assert legal(game) == "beat 7h 8h; take"


def test_cards_of_another_rank_after_a_beaten_card_cannot_be_transferred():
    """The next card thrown in cannot be transferred either, §5.5."""
    game = transfer_game(["7c 8h Kc Qc", "8d 8c 9h", "9d Th Jh"])
    play(game, "0 attack 7c; 1 beat 7c 8c; 0 throw 8h")
    assert legal(game) == "beat 8h 9h; take"


def test_the_first_bout_may_be_without_transfers():
    """Without `transfer_first_bout` only the first bout of a game has no transfers, §5.5."""
    for bout, allowed, moves in (
        (1, True, "beat 7c 9c; transfer 7d; take"),
        (1, False, "beat 7c 9c; take"),
        (2, False, "beat 7c 9c; transfer 7d; take"),
    ):
        game = transfer_game(bout=bout, transfer_first_bout=allowed)
        play(game, "0 attack 7c")
        assert legal(game) == moves


# The size of the next hand


def test_the_next_hand_must_be_as_large_as_the_attack():
    """The attacking cards and the new one are at most as many as the next defender's cards, §5.5."""
    for held, allowed in (("8h", False), ("8h 9h", True), ("8h 9h Th", True)):
        game = transfer_game(["7c Kc Qc Jc", "7d 8d 9c", held])
        play(game, "0 attack 7c")
        assert ("transfer 7d" in legal(game)) == allowed


def test_the_limits_of_the_bout_apply_to_transfers_too():
    """The attacking cards and the new one are at most `attack_limit`, and in the first bout `first_bout_limit`, §5.5."""
    for options, bout, allowed in (
        ({"attack_limit": 1}, 2, False),
        ({"attack_limit": 2}, 2, True),
        ({"attack_limit": None}, 2, True),
        ({"first_bout_limit": 1}, 1, False),
        ({"first_bout_limit": 1}, 2, True),
        ({"first_bout_limit": 2}, 1, True),
    ):
        game = transfer_game(bout=bout, **options)
        play(game, "0 attack 7c")
        assert ("transfer 7d" in legal(game)) == allowed


def test_cards_thrown_in_count_towards_the_size_of_a_transfer():
    """With two sevens on the table a third needs three cards in the next hand, §5.5."""
    game = transfer_game(["7c 7s Kc Qc", "7d 8d 9c", "8h 9h"], throw_in_when="any_time")
    play(game, "0 attack 7c; 0 throw 7s")
    assert legal(game) == "beat 7c 9c; take"


def test_a_transfer_skips_a_seat_that_is_out():
    """The next defender is the next opponent who was in when the bout began, §5.5."""
    game = transfer_game(["7c Kc Qc", "7d 8d 9c", "", "8h 9h Th"])
    play(game, "0 attack 7c; 1 transfer 7d")
    assert (game.attacker, game.defender) == (1, 3)


def test_a_seat_that_ran_out_in_this_bout_is_not_skipped():
    """It was in when the bout began, so it is the next defender, and its empty hand forbids the transfer, §5.5."""
    for out_when in ("bout_end", "at_once"):
        game = transfer_game(["7c Kc Qc", "7d 8d 9c", "7h", "Kh Qh Jh"], throw_in_when="any_time", out_when=out_when)
        play(game, "0 attack 7c; 2 throw 7h")
        assert legal(game) == "beat 7c 9c; take"


def test_no_transfer_goes_to_an_attacker_who_ran_out():
    """With three seats, the attacker who opened with its last card cannot be given the attack, §5.5."""
    for out_when in ("bout_end", "at_once"):
        game = transfer_game(["7c", "7d 8d 9c", "7h 8h 9h"], out_when=out_when)
        play(game, "0 attack 7c; 1 transfer 7d")
        assert (game.actor, legal(game)) == (2, "take")


def test_with_two_players_no_transfer_goes_to_an_empty_hand():
    """After the attacker's last card the defender beats or takes, §5.5."""
    game = transfer_game(["7c", "7d 8d 9c"])
    play(game, "0 attack 7c")
    assert legal(game) == "beat 7c 9c; take"


# Two players, and running out of cards


def test_with_two_players_the_attacker_defends_against_its_own_card():
    """The transfer goes back to the seat that opened, which beats, transfers or takes, §5.5."""
    game = transfer_game(["7c 7h Kc Kd", "7d 8s 9c"])
    play(game, "0 attack 7c; 1 transfer 7d")
    assert (game.attacker, game.defender, game.actor) == (1, 0, 0)
    assert legal(game) == "beat 7c Kc; beat 7d Kd; take"


def test_with_two_players_an_attack_goes_back_and_forth():
    """A third seven sends it back where the hands allow, §5.5."""
    game = transfer_game(["7c 7h Kc Kd", "7d 8s 9c 9d"])
    play(game, "0 attack 7c; 1 transfer 7d; 0 transfer 7h")
    assert (game.attacker, game.defender, str(game.table)) == (0, 1, "7c 7d 7h")
    assert legal(game) == "beat 7c 9c; beat 7c 8s; beat 7d 9d; beat 7d 8s; beat 7h 8s; take"


def test_a_seat_that_transfers_its_last_card_is_out_after_the_bout():
    """The other seat still acts; then it is left alone and is the fool, §5.5, §6.4, §6.5."""
    game = transfer_game(["7c Kc Kh", "7d"])
    play(game, "0 attack 7c; 1 transfer 7d")
    assert (game.actor, legal(game), game.outcome) == (0, "beat 7c Kc; take", None)
    play(game, "0 take")
    assert (game.outcome.fool, game.outcome.places, hands(game)) == (0, (1,), ["7c Kc 7d Kh", ""])


def test_a_seat_that_transfers_its_last_card_wins_even_if_all_is_beaten():
    """Beating both cards does not save the seat that has more cards, §5.5, §6.5."""
    game = transfer_game(["7c Kc Kd 9h", "7d"])
    play(game, "0 attack 7c; 1 transfer 7d; 0 beat 7d Kd; 0 beat 7c Kc")
    assert (game.outcome.fool, hands(game), str(game.discard)) == (0, ["9h", ""], "7c Kc 7d Kd")


def test_both_players_may_run_out_after_a_transfer():
    """The defender beats the other's last card with its own last: nobody is left, and the game is a draw, §6.5."""
    game = transfer_game(["7c Kc Kd", "7d"])
    play(game, "0 attack 7c; 1 transfer 7d; 0 beat 7d Kd; 0 beat 7c Kc")
    assert (game.outcome.fool, game.outcome.winners, game.outcome.places) == (None, (), (1, 0))


def test_at_once_a_transfer_with_the_last_card_ends_the_game():
    """With no talon the seat is out when it plays, the other is the fool, and the cards stay on the table, §6.4, §6.5."""
    game = transfer_game(["7c Kc Kh", "7d"], out_when="at_once")
    play(game, "0 attack 7c; 1 transfer 7d")
    assert (game.actor, game.legal_moves()) == (None, ())
    assert (str(game.table), hands(game)) == ("7c 7d", ["Kc Kh", ""])
    assert (game.outcome.fool, game.outcome.places) == (0, (1,))


def test_with_a_talon_a_seat_that_transfers_its_last_card_draws_and_plays_on():
    """While there is a talon nobody is out: the attacker draws, and attacks after the take, §5.5, §6.2, §6.4."""
    for out_when in ("bout_end", "at_once"):
        game = transfer_game(["7c Kc Kh", "7d"], talon="8s 9s Ts Js Qs Ks As", hand_size=3, out_when=out_when)
        before = everything(game)
        play(game, "0 attack 7c; 1 transfer 7d; 0 take")
        assert hands(game) == ["7c Kc 7d Kh", "8s 9s Ts"]
        assert (game.actor, game.defender, everything(game)) == (1, 0, before)


def test_at_once_an_attacker_may_be_out_while_its_transfer_is_defended():
    """Seat 1 transfers its last card and is out; seat 2 defends, seat 0 may throw, and the game goes on, §6.4."""
    game = transfer_game(["7c 8s Kc", "7d", "8c 8d 9h"], out_when="at_once")
    play(game, "0 attack 7c; 1 transfer 7d")
    assert (game.places, game.seats_in, game.actor) == ((1,), (0, 2), 2)
    play(game, "2 beat 7c 8c; 2 beat 7d 8d; 0 throw 8s; 2 take")
    assert (game.attacker, game.defender, hands(game)) == (0, 2, ["Kc", "", "7c 8c 7d 8d 9h 8s"])


def test_the_new_attacker_is_the_only_thrower_under_attacker():
    """If the attacker alone throws in, that is the seat that transferred, §1, §5.3, §5.5."""
    game = transfer_game(["7c 7s Kc Qc", "7d 9c 9d", "8c 8d 9h"], throw_in_by="attacker")
    play(game, "0 attack 7c; 1 transfer 7d; 2 beat 7c 8c; 2 beat 7d 8d")
    assert (game.bout, game.actor) == (3, 2)


def test_a_copy_of_the_attacking_card_transfers_it():
    """With two decks the same face may transfer the attack, §2, §5.5."""
    game = Game.from_position(Rules(transfer=True, decks=2), hands=["7c Kc Qc", "7c 8d 9d"], trump="s")
    play(game, "0 attack 7c")
    assert legal(game) == "transfer 7c; take"
    play(game, "1 transfer 7c")
    assert (str(game.table), legal(game)) == ("7c 7c", "beat 7c Qc; beat 7c Kc; take")


def test_no_card_is_lost_when_an_attack_has_gone_round():
    """However the bout ends after transfers, every card is in the game exactly once, §6.1."""
    for taken in (True, False):
        game = transfer_game(["7c Kc 8s 9s Ts", "7d 8d 9c", "7h 8h 9h"])
        before = everything(game)
        play(game, "0 attack 7c; 1 transfer 7d; 2 transfer 7h")
        play(game, "0 take" if taken else "0 beat 7c 8s; 0 beat 7d 9s; 0 beat 7h Ts; 2 pass; 1 pass")
        assert everything(game) == before
        assert game.bout == 3
