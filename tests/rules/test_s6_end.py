"""Rule book §6.1 to §6.5: the cards, the refill, the next bout, going out, the end of the game."""

import pytest

from durak_widget import Game, Rules
from support.rule_examples import everything, hands, legal, play, talon

BOTH_WAYS = pytest.mark.parametrize("out_when", ["bout_end", "at_once"])


def position_game(hands, *, trump="s", talon="", attacker=0, **options):
    """Return a game with spades as trumps and no turn-up."""
    return Game.from_position(Rules(players=len(hands), **options), hands=hands, trump=trump, talon=talon, attacker=attacker)


# §6.1 The cards


def test_after_a_defence_all_cards_on_the_table_are_discarded():
    """Attacking and beating cards go to the discard pile, §6.1."""
    game = play(position_game(["7c 7d Kc", "8c 8d 9h"]), "0 attack 7c; 1 beat 7c 8c; 0 throw 7d; 1 beat 7d 8d")
    assert (str(game.discard), str(game.table), hands(game)) == ("7c 8c 7d 8d", "", ["Kc", "9h"])


def test_after_a_take_the_defender_gets_all_cards_on_the_table():
    """Beaten and unbeaten, its own and the others', §6.1."""
    game = play(position_game(["7c 7d Kc", "8c 9h", "7h Qd"]), "0 attack 7c; 1 beat 7c 8c; 0 throw 7d; 1 take")
    assert (str(game.discard), str(game.table), hands(game)) == ("", "", ["Kc", "7c 8c 7d 9h", "Qd 7h"])


# §6.2 Refill


def test_draw_order_is_attacker_then_clockwise_then_defender():
    """Four seats, one of them with nothing to draw, §6.2."""
    game = position_game(["7c Kc", "8c Kh", "9h Qh", "7h Jh"], talon="6s 7s 8s 9s Ts Js", hand_size=2)
    play(game, "0 attack 7c; 1 beat 7c 8c; 3 throw 7h; 1 beat 7h Kh")
    assert hands(game) == ["Kc 6s", "8s 9s", "9h Qh", "Jh 7s"]
    assert talon(game) == "Ts Js"
    assert game.view(0).bout_ends[-1].draw_counts == ((0, 1), (3, 1), (1, 2))


def test_after_a_transfer_the_last_attacker_draws_first():
    """Seat 1 transferred, so it draws first, then 3 and 0, and the defender 2 last, §1, §6.2."""
    game = position_game(["7c Kc", "7h Jh", "8c Kh", "9h Qh"], talon="6s 7s 8s 9s Ts", hand_size=2, transfer=True)
    play(game, "0 attack 7c; 1 transfer 7h; 2 beat 7c 8c; 2 beat 7h Kh")
    assert hands(game) == ["Kc 7s", "Jh 6s", "8s 9s", "9h Qh"]
    assert game.view(0).bout_ends[-1].draw_counts == ((1, 1), (0, 1), (2, 2))


def test_with_two_players_the_attacker_draws_before_the_defender():
    """The defender draws last, whoever won the bout, §6.2."""
    game = play(position_game(["7c Kc", "8c Kh"], talon="6s 7s 8s", hand_size=2), "0 attack 7c; 1 beat 7c 8c")
    assert (hands(game), talon(game)) == (["Kc 6s", "Kh 7s"], "8s")


def test_the_draw_order_option_decides_after_a_take():
    """`loser_first`: the defender who took draws first, then the attacker and the others; `attacker_first`: last, §6.2."""
    for order, after in (("attacker_first", ["Kc 6s 7s", "7c 8d Ts", "Qh 8s 9s"]), ("loser_first", ["Kc 7s 8s", "7c 8d 6s", "Qh 9s Ts"])):
        game = position_game(["7c Kc", "8d", "Qh"], talon="6s 7s 8s 9s Ts Js", hand_size=3, draw_order=order)
        play(game, "0 attack 7c; 1 take")
        assert (hands(game), talon(game)) == (after, "Js")


def test_after_a_defence_the_attacker_counts_as_the_loser():
    """Defended: the attacker draws first in both orders, the defender last, §6.2."""
    for order in ("attacker_first", "loser_first"):
        game = position_game(["7c Kc", "8c Jd", "Qh"], talon="6s 7s 8s 9s Ts Js", hand_size=3, draw_order=order)
        play(game, "0 attack 7c; 1 beat 7c 8c")
        assert hands(game) == ["Kc 6s 7s", "Jd Ts Js", "Qh 8s 9s"]


def test_a_short_talon_goes_to_the_seats_that_draw_first():
    """Each draws until it holds `hand_size` cards or the talon is empty, §6.2."""
    game = position_game(["7c Kc", "8c Kh 9h", "Qd"], talon="6s 7s 8s", hand_size=3)
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert (hands(game), talon(game)) == (["Kc 6s 7s", "9h Kh", "Qd 8s"], "")


def test_a_full_hand_draws_nothing():
    """A seat with `hand_size` cards or more draws none, §6.2."""
    game = position_game(["7c Kc Qc Jc Tc", "8d Kh"], talon="6s 7s 8s", hand_size=2)
    play(game, "0 attack 7c; 1 take")
    assert (hands(game), talon(game)) == (["Tc Jc Qc Kc", "7c 8d Kh"], "6s 7s 8s")
    assert game.view(0).bout_ends[-1].draw_counts == ()


# §6.3 The next bout


def test_after_a_defence_the_defender_attacks():
    """Defended: the defender attacks the next, §6.3."""
    game = play(position_game(["7c Kc", "8c Kh", "9h Qh"]), "0 attack 7c; 1 beat 7c 8c")
    assert (game.attacker, game.defender, game.actor, game.bout) == (1, 2, 1, 3)


def test_after_a_take_the_seat_after_the_defender_attacks():
    """Taken: the defender loses its turn, §6.3."""
    game = play(position_game(["7c Kc", "8c Kh", "9h Qh"]), "0 attack 7c; 1 take")
    assert (game.attacker, game.defender, game.actor) == (2, 0, 2)


def test_with_two_players_the_attacker_attacks_again_after_a_take():
    """The next seat in after the defender is the attacker, §6.3."""
    game = play(position_game(["7c Kc", "8c Kh"]), "0 attack 7c; 1 take")
    assert (game.attacker, game.defender) == (0, 1)


def test_the_next_seat_attacks_after_a_defender_who_is_out():
    """Defended with the last card: the next in after the defender attacks, §6.3."""
    for out_when in ("bout_end", "at_once"):
        game = play(position_game(["7c Kc", "8c", "9h Qh"], out_when=out_when), "0 attack 7c; 1 beat 7c 8c")
        assert (game.places, game.attacker, game.defender) == ((1,), 2, 0)


def test_after_a_take_a_seat_that_went_out_is_skipped():
    """Taken: the next *in* after the defender attacks, and seat 2 has just gone out, §6.3."""
    for out_when in ("bout_end", "at_once"):
        game = position_game(["7c Kc", "Jd Qd", "7h", "Ks As"], out_when=out_when)
        play(game, "0 attack 7c; 1 take; 2 throw 7h")
        assert (game.places, game.attacker, game.defender) == ((2,), 3, 0)


def test_the_next_defender_is_the_next_seat_that_is_in():
    """Seats that are out are skipped on both sides, §4.4, §6.3."""
    game = position_game(["7c Kc", "", "8c Kh", ""])
    assert (game.attacker, game.defender) == (0, 2)
    play(game, "0 attack 7c; 2 take")
    assert (game.attacker, game.defender) == (0, 2)


# §6.4 Going out


def test_with_a_talon_a_seat_that_runs_out_draws_like_the_others():
    """Nobody goes out while there is a talon, §6.4."""
    for out_when in ("bout_end", "at_once"):
        game = position_game(["7c", "8c Kh"], talon="6s 7s 8s 9s", hand_size=2, out_when=out_when)
        play(game, "0 attack 7c")
        assert (game.places, game.seats_in) == ((), (0, 1))
        play(game, "1 beat 7c 8c")
        assert (hands(game), game.places) == (["6s 7s", "Kh 8s"], ())


def test_a_seat_that_finds_no_card_to_draw_is_out():
    """Ran out while there was a talon, and others drew it all: out at the end of the bout, in the order of the last cards, §6.4."""
    for out_when in ("bout_end", "at_once"):
        game = position_game(["7c Kc", "8c Kh", "8h"], talon="6s", hand_size=2, out_when=out_when)
        play(game, "0 attack 7c; 1 beat 7c 8c; 2 throw 8h; 1 beat 8h Kh")
        assert (hands(game), game.places) == (["Kc 6s", "", ""], (2, 1))
        assert game.outcome.fool == 0


def test_at_the_end_of_the_bout_empty_hands_are_out():
    """`bout_end`: until the bout is over the seat is in, §6.4."""
    game = position_game(["7c", "8c Kh", "7d 9h"])
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert (game.places, game.seats_in, game.actor) == ((), (0, 1, 2), 2)
    play(game, "2 pass")
    assert (game.places, game.seats_in, game.actor) == ((0,), (1, 2), 1)


def test_at_once_a_seat_is_out_when_it_plays_its_last_card():
    """`at_once`: with the talon empty it is out at that moment, and the bout goes on, §6.4."""
    game = position_game(["7c", "8c Kh", "7d 9h"], out_when="at_once")
    play(game, "0 attack 7c")
    assert (game.places, game.seats_in, game.actor, game.outcome) == ((0,), (1, 2), 1, None)
    play(game, "1 beat 7c 8c; 2 throw 7d; 1 take")
    assert (hands(game), game.attacker, game.defender) == (["", "7c 8c 7d Kh", "9h"], 2, 1)


def test_seats_that_go_out_together_are_ranked_by_their_last_cards():
    """The order of the last cards gives the places, at the end of the bout as well as at once, §6.4."""
    for out_when in ("bout_end", "at_once"):
        for line, last, places in (
            ("0 throw 7h; 1 beat 7h 9h; 2 throw 7d", "1 beat 7d Kd", (0, 2)),
            ("0 pass; 2 throw 7d; 1 beat 7d Kd; 0 throw 7h", "1 beat 7h 9h", (2, 0)),
        ):
            game = position_game(["7c 7h", "8c 9h Kd Kh", "7d"], out_when=out_when)
            play(game, "0 attack 7c; 1 beat 7c 8c; " + line)
            if out_when == "bout_end":
                assert game.places == ()
                play(game, last)
            assert (game.outcome.fool, game.outcome.places) == (1, places)


def test_attacker_and_defender_may_go_out_together():
    """Both played their last cards in one bout, the attacker first, §6.4."""
    game = play(position_game(["7c", "8c", "9h Qh", "Td"]), "0 attack 7c; 1 beat 7c 8c")
    assert (game.places, game.attacker, game.defender) == ((0, 1), 2, 3)


def test_no_card_is_lost_when_seats_go_out():
    """The cards of seats that are out are in the discard pile or in another hand, §6.1, §6.4."""
    game = position_game(["7c 7h", "8c 9h Kd Kh", "7d", "As Ks"])
    before = everything(game)
    play(game, "0 attack 7c; 1 beat 7c 8c; 0 throw 7h; 1 beat 7h 9h; 2 throw 7d; 1 take")
    assert (game.places, everything(game)) == ((0, 2), before)
    assert (game.attacker, game.defender) == (3, 1)


# §6.5 The end of the game


def test_the_last_seat_in_the_game_is_the_fool():
    """One side is left: it lost, although it neither attacked nor defended, §6.5."""
    for out_when in ("bout_end", "at_once"):
        game = play(position_game(["7c", "8c", "9h Th"], out_when=out_when), "0 attack 7c; 1 beat 7c 8c")
        outcome = game.outcome
        assert (game.actor, game.legal_moves()) == (None, ())
        assert (outcome.fool, outcome.losers, outcome.winners, outcome.places) == (2, (2,), (0, 1), (0, 1))
        assert outcome.utilities == (0.5, 0.5, -1)


def test_a_game_that_ends_with_its_bout_has_an_empty_table():
    """`bout_end`: the cards of the last bout are discarded as usual, §6.1, §6.5."""
    game = play(position_game(["7c", "8c", "9h Th"]), "0 attack 7c; 1 beat 7c 8c")
    assert (str(game.table), str(game.discard)) == ("", "7c 8c")


def test_a_game_that_ends_during_a_bout_leaves_the_cards_on_the_table():
    """`at_once`: the last attack stays on the table, §6.5."""
    game = play(position_game(["7c", "8c Kd"], out_when="at_once"), "0 attack 7c")
    assert (str(game.table), hands(game), str(game.discard)) == ("7c", ["", "8c Kd"], "")
    assert (game.outcome.fool, game.outcome.winners) == (1, (0,))


def test_at_once_the_defenders_last_card_may_end_the_game():
    """A defender that beats with its last card is out at that moment, although more could be thrown in, §6.4, §6.5."""
    game = play(position_game(["7c 7d", "8c"], out_when="at_once"), "0 attack 7c; 1 beat 7c 8c")
    assert (game.outcome.fool, str(game.table), game.outcome.places) == (0, "7c/8c", (1,))


def test_at_once_a_card_thrown_in_after_a_take_may_end_the_game():
    """The attacker's last card, thrown in after `take`, ends it; nothing is picked up, §6.4, §6.5."""
    game = play(position_game(["7c 7d", "Kd Kh"], out_when="at_once"), "0 attack 7c; 1 take; 0 throw 7d")
    assert (game.outcome.fool, str(game.table), hands(game)) == (1, "7c 7d", ["", "Kd Kh"])


def test_at_the_end_of_the_bout_both_players_may_be_out():
    """Both ran out in the same bout: a draw, with nobody a winner, a loser or the fool, §6.5."""
    game = play(position_game(["7c", "8c"]), "0 attack 7c; 1 beat 7c 8c")
    assert game.outcome == ((), (), None, (0, 1), 0, (0, 0))


def test_at_once_the_first_player_to_run_out_wins():
    """With `at_once` there is no such draw: the first to run out has won before the other can, §6.5."""
    game = play(position_game(["7c", "8c"], out_when="at_once"), "0 attack 7c")
    assert (game.outcome.winners, game.outcome.fool) == ((0,), 1)


def test_the_first_out_wins_and_with_three_there_is_no_fool():
    """`first_out`: the first seat out won, everyone else lost, and with more than two nobody is the fool, §6.5."""
    for out_when in ("bout_end", "at_once"):
        game = position_game(["7c", "8c Kc", "9h Th"], goal="first_out", out_when=out_when)
        play(game, "0 attack 7c" + ("; 1 beat 7c 8c" if out_when == "bout_end" else ""))
        outcome = game.outcome
        assert (outcome.winners, outcome.losers, outcome.fool, outcome.places) == ((0,), (1, 2), None, (0,))
        assert outcome.utilities == (1, -0.5, -0.5)


@pytest.mark.parametrize(
    ("hands", "line", "table"),
    [
        (["7c", "8c Kd"], "0 attack 7c", "7c"),
        (["7c 7d", "8c"], "0 attack 7c; 1 beat 7c 8c", "7c/8c"),
        (["7c 7d", "Kd Kh"], "0 attack 7c; 1 take; 0 throw 7d", "7c 7d"),
    ],
)
def test_a_bout_cut_off_by_the_end_of_the_game_has_no_bout_end(hands, line, table):
    """Its cards stay where they were played. A game that ends with a bout has a bout end, from the move that ended both, §6.5."""
    broken, ended = (
        play(position_game(hands, out_when="at_once"), line).view(0),
        play(position_game(["7c", "8d Kh"]), "0 attack 7c; 1 take").view(0),
    )
    assert (broken.outcome is None, str(broken.table), broken.bout_ends) == (False, table, ())
    assert (ended.outcome is None, str(ended.table), ended.bout_ends[-1].ply) == (False, "", ended.ply)


def test_a_position_may_be_the_end_of_a_bout():
    """Nothing can be thrown in and everything is beaten, so the bout has ended before the first move, §6.1."""
    view = Game.from_position(hands=["6c 9d", "9h Ts"], trump="h", table="7d/8d").view(0)
    assert (view.bout, view.ply, [end.ply for end in view.bout_ends]) == (3, 0, [0])


def test_the_first_out_of_two_makes_the_other_the_fool():
    """`first_out` with two players: the other is the fool, §6.5."""
    for out_when in ("bout_end", "at_once"):
        game = position_game(["7c Kc", "8c"], goal="first_out", out_when=out_when)
        play(game, "0 attack 7c; 1 beat 7c 8c")
        assert (game.outcome.winners, game.outcome.losers, game.outcome.fool, game.outcome.utilities) == ((1,), (0,), 0, (-1, 1))


def test_first_out_takes_the_first_in_the_places():
    """`first_out` at the end of a bout: the seat that played its last card first won, and the other is the fool, §6.5."""
    game = play(position_game(["7c", "8c"], goal="first_out"), "0 attack 7c; 1 beat 7c 8c")
    outcome = game.outcome
    assert (outcome.winners, outcome.losers, outcome.fool, outcome.places) == ((0,), (1,), 1, (0, 1))


def test_first_out_counts_only_with_an_empty_talon():
    """While there is a talon nobody is out, so nobody has won, §6.4, §6.5."""
    game = position_game(["7c", "8c Kh"], talon="6s 7s 8s 9s", hand_size=2, goal="first_out", out_when="at_once")
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert (game.outcome, game.actor) == (None, 1)


def test_with_four_players_the_game_goes_on_until_one_is_left():
    """`not_last`: the game is over when at most one side is in, and no sooner, §6.5."""
    game = position_game(["7c", "8c Kc", "9h", "Td Jd"])
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert (game.outcome, game.places) == (None, (0,))
    play(game, "1 attack Kc; 2 take")
    assert (game.outcome, game.places, game.attacker, game.defender) == (None, (0, 1), 3, 2)
    play(game, "3 attack Td; 2 take; 3 attack Jd; 2 take")
    assert (game.outcome.fool, game.outcome.places) == (2, (0, 1, 3))
    assert game.outcome.utilities == pytest.approx((1 / 3, 1 / 3, -1, 1 / 3))


def test_a_defender_who_takes_in_the_last_bout_is_the_fool():
    """The last bout is taken: the fool gets the cards, §6.1, §6.5."""
    game = play(position_game(["7c", "8d Kh"]), "0 attack 7c; 1 take")
    assert (game.outcome.fool, hands(game), legal(game)) == (1, ["", "7c 8d Kh"], "")
