"""The rule book read together: what follows where two rules meet."""

from durak_widget import Game, Rules
from support.rule_examples import everything, hands, legal, play, talon


def placed(hands, *, trump="s", **options):
    """A position with spades as trumps and no talon."""
    return Game.from_position(Rules(players=len(hands), **options), hands=hands, trump=trump)


def asked(game):
    """The seats that are asked one after another while everybody passes."""
    seats, bout = [], game.bout
    while game.bout == bout and legal(game).endswith("pass"):
        seats.append(game.actor)
        game.play("pass")
    return seats


# Who throws in


def test_the_newest_thrower_is_not_asked_with_no_card_left():
    """`last_thrower`: seat 2 played the newest card, its last; the attacker is asked first then, §5.3, §6.4."""
    for out_when in ("bout_end", "at_once"):
        game = placed(["7c 7s Kc", "8c 8d 9h Ah", "7d", "7h Kh"], priority="last_thrower", out_when=out_when)
        play(game, "0 attack 7c; 1 beat 7c 8c; 0 pass; 2 throw 7d; 1 beat 7d 8d")
        assert asked(game) == [0, 3]


def test_where_only_the_attacker_throws_and_it_is_out_nobody_does():
    """`attacker` with `at_once`: the attacker's last card opened, so the bout ends when it is beaten, §5.3, §6.4."""
    game = placed(["7c", "8c 9c", "7d 9h"], throw_in_by="attacker", out_when="at_once")
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert (game.bout, game.attacker, game.defender, game.places) == (3, 1, 2, (0,))


def test_neighbours_are_asked_in_the_same_order():
    """`neighbours` says who, `priority` in which order; seat 3 holds a seven in vain, §5.3."""
    for priority, seats in (("attacker", [0, 2]), ("last_thrower", [2, 0])):
        game = placed(["7c 7s Kc", "8c 8d 9h Ah", "7d 8h", "7h Kh"], priority=priority, throw_in_by="neighbours")
        play(game, "0 attack 7c; 1 beat 7c 8c; 0 pass; 2 throw 7d; 1 beat 7d 8d")
        assert asked(game) == seats


def test_at_any_time_and_after_the_take_all_are_asked_twice():
    """`any_time` asks before the defender acts, and the take voids every pass, §5.3."""
    for lasts in ("until_card", "bout"):
        game = placed(["7c 7s Kc", "8c 8d 9h Ah", "7d 8h"], throw_in_when="any_time", pass_lasts=lasts)
        play(game, "0 attack 7c")
        assert asked(game) == [0, 2]
        play(game, "1 take")
        assert asked(game) == [0, 2]
        assert game.bout == 3


def test_cards_thrown_in_after_a_transfer_are_bounded_by_the_new_hand():
    """Three cards held, two passed on: one more may be thrown in, §5.1, §5.3, §5.5."""
    game = placed(["7c 7s Kc", "7d 8d 8h", "8c 9c 9d"], transfer=True, throw_in_when="any_time")
    play(game, "0 attack 7c; 0 pass; 1 transfer 7d")
    assert (game.limit, game.actor, legal(game)) == (3, 0, "throw 7s; pass")
    play(game, "0 throw 7s")
    assert (game.actor, str(game.table)) == (2, "7c 7d 7s")


def test_a_defender_who_has_transferred_may_throw_in_on_the_next():
    """Who passed the attack on is a thrower like the rest, §1, §5.3, §5.5."""
    game = placed(["7c Qc Kc", "7d 8d 8h", "8c 9c 9d"], transfer=True)
    play(game, "0 attack 7c; 1 transfer 7d; 2 take")
    assert (game.actor, game.bout) == (0, 3)
    game = placed(["7c Qc Kc", "7d 7h 8h", "8c 9c 9d"], transfer=True)
    play(game, "0 attack 7c; 1 transfer 7d; 2 take")
    assert (game.actor, legal(game)) == (1, "throw 7h; pass")


# Jokers


def test_a_joker_passes_a_joker_on_and_is_never_shown():
    """Jokers are of one rank, so one transfers the other; a joker is no trump, so none is shown, §2, §5.5, §5.6."""
    rules = Rules.preset("full_jokers", transfer=True, passport=True)
    game = Game.from_position(rules, hands=["Xr 2c 3c", "Xb 4c 5c"], trump="h")
    play(game, "0 attack Xr")
    assert legal(game) == "transfer Xb; take"
    play(game, "1 transfer Xb")
    assert (game.defender, legal(game)) == (0, "take")


def test_two_decks_have_two_jokers_of_each_colour():
    """A second red joker is of the same rank and beats nothing of its own kind, §2, §2.1."""
    rules = Rules(decks=2, jokers=2, transfer=True)
    game = Game.from_position(
        rules,
        hands=["Xr Xr 6c", "Xb 7c 8c"],
        trump="h",
    )
    assert legal(game) == "attack 6c; attack Xr"
    play(game, "0 attack Xr")
    assert legal(game) == "transfer Xb; take"


# Two decks and Weli


def test_cards_that_read_alike_need_not_lie_side_by_side():
    """Two copies with another card between: the name stands at the place of the first unbeaten, once, §2, §5.7, §9."""
    game = placed(["7c 7c 7d Kc", "8c 8d 9c 9d"], decks=2, throw_in_when="any_time")
    play(game, "0 attack 7c; 0 throw 7d; 0 throw 7c")
    assert legal(game) == "beat 7c 8c; beat 7c 9c; beat 7d 8d; beat 7d 9d; take"
    play(game, "1 beat 7c 8c")
    assert str(game.table) == "7c/8c 7d 7c"
    assert legal(game) == "beat 7d 8d; beat 7d 9d; beat 7c 9c; take"


def test_a_declared_six_and_two_true_ones_have_one_name():
    """Three cards read `6h`, and each answer is listed once, §5.7."""
    rules = Rules(decks=2, weli="bells", opening="same_rank")
    game = Game.from_position(rules, hands=["6d 6h 6h Kc", "7h 8h 9h"], trump="s")
    before = everything(game)
    play(game, "0 attack 6d=h 6h 6h")
    assert legal(game) == "beat 6h 7h; beat 6h 8h; beat 6h 9h; take"
    play(game, "1 beat 6h 9h; 1 beat 6h 7h")
    assert str(game.table) == "6d=h/9h 6h/7h 6h"
    assert everything(game) == before


def test_a_declared_six_is_thrown_in_on_its_rank_and_beaten_in_its_suit():
    """The rank lets it in, the declared suit says what beats it, §5.3, §5.7."""
    game = placed(["6c 6d Kc", "7c 7h 8d 8h"], weli="sixes")
    play(game, "0 attack 6c; 1 beat 6c 7c; 0 throw 6d=h")
    assert legal(game) == "beat 6h 7h; beat 6h 8h; take"


# The changeable trump


def changing(hands, **options):
    """Hearts are trumps; under the turn-up 8h lies 9s, and the talon holds no more."""
    rules = Rules(hidden_trump=True, hand_size=2, **options)
    return Game.from_position(rules, hands=hands, trump="h", talon="8h 9s", turn_up="8h")


def test_after_the_change_the_lowest_of_the_new_trumps_beats_their_ace():
    """`low_trump_beats_ace` speaks of the trump suit of the moment, §2.1, §4.3."""
    game = changing(["6c As", "7c 6s"], low_trump_beats_ace=True)
    play(game, "0 attack 6c; 1 take; 0 attack As")
    assert legal(game) == "beat As 6s; take"


def test_after_the_change_the_new_trump_is_shown():
    """Passport looks for the trump of the moment, §4.3, §5.6."""
    game = changing(["6c 7d", "7s 7h Kd"], transfer=True, passport=True)
    play(game, "0 attack 6c; 1 take; 0 attack 7d")
    assert legal(game) == "beat 7d Kd; beat 7d 7s; show 7s; take"


def test_a_declared_six_may_be_of_the_new_trumps():
    """Weli declares what is trump now, §4.3, §5.7."""
    game = changing(["6c As", "7c 6d"], weli="sixes")
    play(game, "0 attack 6c; 1 take; 0 attack 8h")
    assert "beat 8h 6d=s" in legal(game)
    assert "beat 8h 6d=h" not in legal(game)


def test_the_trump_changes_between_bouts_only():
    """Cards are drawn when a bout is over, so its trump is one from first to last, §4.3, §6.2."""
    game = changing(["6c 6d", "7c 7h"])
    play(game, "0 attack 6c; 1 beat 6c 7c; 0 throw 6d")
    assert (game.trump, legal(game)) == ("h", "beat 6d 7h; take")
    play(game, "1 beat 6d 7h")
    assert (game.trump, hands(game), talon(game)) == ("s", ["8h 9s", ""], "")


# At once


def test_at_once_an_opening_of_all_cards_ends_the_game():
    """Two cards of a rank, the last: the seat is out as it plays them together, §5.2, §6.4, §6.7."""
    for ranks, count in (("7", 0), ("6", 2)):
        game = placed([f"{ranks}c {ranks}d", "8c 8d Kh"], opening="same_rank", out_when="at_once")
        play(game, f"0 attack {ranks}c {ranks}d")
        assert (game.outcome.fool, game.outcome.epaulettes, len(game.table)) == (1, count, 2)


def test_at_once_the_last_of_a_team_ends_the_game():
    """The partner is out already, so the last card of the other ends it, and the losers keep what they hold, §6.4, §8."""
    game = placed(["7c", "8c", "", "Td Jd"], teams="2v2", out_when="at_once")
    play(game, "0 attack 7c")
    assert (game.outcome.winners, game.outcome.losers, game.outcome.fool) == ((0, 2), (1, 3), 3)
    assert (str(game.table), game.outcome.places) == ("7c", (2, 0))


def test_at_once_a_thrower_goes_out_and_the_defence_goes_on():
    """Seat 2's last card is thrown in and still to be beaten, §6.4."""
    game = placed(["7c Kc", "8c 8d 9h", "7d", "Th"], out_when="at_once")
    play(game, "0 attack 7c; 1 beat 7c 8c; 2 throw 7d")
    assert (game.places, game.actor, legal(game)) == ((2,), 1, "beat 7d 8d; take")
    play(game, "1 take")
    assert (hands(game)[1], game.attacker, game.defender) == ("7c 8c 7d 8d 9h", 3, 0)


def test_at_once_nobody_goes_out_by_showing_its_last_card():
    """A card shown stays in the hand, so its holder stays in, §5.6, §6.4."""
    game = placed(["7c Kc", "7h"], trump="h", transfer=True, passport=True, out_when="at_once")
    play(game, "0 attack 7c; 1 show 7h")
    assert (game.outcome, game.defender, hands(game)) == (None, 0, ["Kc", "7h"])


# Teams


def test_a_chain_of_transfers_runs_through_the_teams():
    """Opponents by turns: 0 attacks 1, who passes on to 2, who passes on to 3, §5.5, §8."""
    game = placed(["7c Kc", "7d Kd Qd", "7h Kh Qh", "9s Ts Js", "9c Tc", "9d Td"], teams="3v3", transfer=True)
    play(game, "0 attack 7c; 1 transfer 7d; 2 transfer 7h")
    assert (game.attacker, game.defender) == (2, 3)
    play(game, "3 beat 7c 9s; 3 beat 7d Ts; 3 beat 7h Js")
    assert (game.bout, game.places, game.attacker, game.defender) == (3, (3,), 4, 5)


def test_the_refill_of_teams_goes_round_the_table():
    """Partners draw in their turn like all others, the defender last, §6.2, §8."""
    rules = Rules(teams="2v2", players=4, hand_size=2)
    game = Game.from_position(rules, hands=["7c Kc", "8c 8d", "7d", "Qh"], trump="s", talon="6s 9s Ts Js Qs")
    play(game, "0 attack 7c; 1 beat 7c 8c; 2 throw 7d; 1 beat 7d 8d")
    assert hands(game) == ["Kc 6s", "Qs", "9s Ts", "Qh Js"]


# The end and the talon


def test_an_empty_hand_beside_a_talon_decides_nothing():
    """While a card can be drawn nobody is out, whatever the goal, §6.4, §6.5."""
    for goal in ("not_last", "first_out"):
        for out_when in ("bout_end", "at_once"):
            rules = Rules(goal=goal, out_when=out_when, hand_size=1)
            game = Game.from_position(rules, hands=["7c", "8c"], trump="s", talon="9h Th 9s")
            play(game, "0 attack 7c; 1 beat 7c 8c")
            assert (game.outcome, hands(game), game.actor) == (None, ["9h", "Th"], 1)


def test_the_last_card_of_the_talon_may_save_one_of_two():
    """Both ran out; the attacker draws the last card, the defender finds none and is out: the attacker is the fool, §6.2, §6.4."""
    rules = Rules(hand_size=1)
    game = Game.from_position(rules, hands=["7c", "8c"], trump="s", talon="9s")
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert (hands(game), game.outcome.places, game.outcome.fool) == (["9s", ""], (1,), 0)


def test_first_out_is_found_in_the_refill():
    """`first_out`: the defender finds no card to draw, is out first and wins, §6.4, §6.5."""
    rules = Rules(hand_size=1, goal="first_out", players=3)
    game = Game.from_position(rules, hands=["7c", "8c", "9h"], trump="s", talon="9s")
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert (game.outcome.winners, game.outcome.losers, game.outcome.fool) == ((1,), (0, 2), None)


def test_a_first_bout_that_cannot_be_transferred_is_transferred_in_the_second():
    """`transfer_first_bout=False` with a limit of its own for that bout: both are over with it, §5.1, §5.5."""
    rules = Rules(transfer=True, transfer_first_bout=False, first_bout_limit=1, opening="same_rank")
    game = Game.from_position(rules, hands=["7c 7d Kc Qc", "7h 8d 9h Th"], trump="s", bout=1)
    play(game, "0 attack 7c")
    assert (legal(game), game.limit) == ("take", 1)
    play(game, "1 take; 0 attack 7d")
    assert (game.limit, legal(game)) == (5, "beat 7d 8d; transfer 7c; transfer 7h; take")
