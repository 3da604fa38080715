"""Test combinations of two rules of the rule book."""

from durak_widget import Game, Rules
from support.rule_examples import everything, hands, legal, play, talon


def position_game(hands, *, trump="s", **options):
    """Return a game with spades as trumps and no talon."""
    return Game.from_position(Rules(players=len(hands), **options), hands=hands, trump=trump)


def seats_asked(game):
    """Return the seats whose turn comes one after another while everybody passes."""
    seats, bout = [], game.bout
    while game.bout == bout and legal(game).endswith("pass"):
        seats.append(game.actor)
        game.play("pass")
    return seats


# Throwers


def test_the_newest_thrower_gets_no_turn_without_a_card():
    """`last_thrower`: seat 2 played the newest card, its last; the attacker is first to have a turn then, §5.3, §6.4."""
    for out_when in ("bout_end", "at_once"):
        game = position_game(["7c 7s Kc", "8c 8d 9h Ah", "7d", "7h Kh"], priority="last_thrower", out_when=out_when)
        play(game, "0 attack 7c; 1 beat 7c 8c; 0 pass; 2 throw 7d; 1 beat 7d 8d")
        assert seats_asked(game) == [0, 3]


def test_nobody_throws_in_when_the_only_thrower_is_out():
    """`attacker` with `at_once`: the attacker's last card opened, so the bout ends when it is beaten, §5.3, §6.4."""
    game = position_game(["7c", "8c 9c", "7d 9h"], throw_in_by="attacker", out_when="at_once")
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert (game.bout, game.attacker, game.defender, game.places) == (3, 1, 2, (0,))


def test_neighbours_get_their_turns_in_the_same_order():
    """`neighbours` says who may throw in, `priority` in which order; seat 3 has a seven but may not, §5.3."""
    for priority, seats in (("attacker", [0, 2]), ("last_thrower", [2, 0])):
        game = position_game(["7c 7s Kc", "8c 8d 9h Ah", "7d 8h", "7h Kh"], priority=priority, throw_in_by="neighbours")
        play(game, "0 attack 7c; 1 beat 7c 8c; 0 pass; 2 throw 7d; 1 beat 7d 8d")
        assert seats_asked(game) == seats


def test_with_any_time_all_throwers_get_a_second_turn_after_the_take():
    """`any_time` asks before the defender acts, and the take voids every pass, §5.3."""
    for lasts in ("until_card", "bout"):
        game = position_game(["7c 7s Kc", "8c 8d 9h Ah", "7d 8h"], throw_in_when="any_time", pass_lasts=lasts)
        play(game, "0 attack 7c")
        assert seats_asked(game) == [0, 2]
        play(game, "1 take")
        assert seats_asked(game) == [0, 2]
        assert game.bout == 3


def test_throw_ins_after_a_transfer_are_limited_by_the_new_defenders_hand():
    """The defender has three cards and two are transferred, so one more may be thrown in, §5.1, §5.3, §5.5."""
    game = position_game(["7c 7s Kc", "7d 8d 8h", "8c 9c 9d"], transfer=True, throw_in_when="any_time")
    play(game, "0 attack 7c; 0 pass; 1 transfer 7d")
    assert (game.limit, game.actor, legal(game)) == (3, 0, "throw 7s; pass")
    play(game, "0 throw 7s")
    assert (game.actor, str(game.table)) == (2, "7c 7d 7s")


def test_a_defender_who_has_transferred_may_throw_in_on_the_next():
    """A player who passed the attack on may throw in like the others, §1, §5.3, §5.5."""
    game = position_game(["7c Qc Kc", "7d 8d 8h", "8c 9c 9d"], transfer=True)
    play(game, "0 attack 7c; 1 transfer 7d; 2 take")
    assert (game.actor, game.bout) == (0, 3)
    game = position_game(["7c Qc Kc", "7d 7h 8h", "8c 9c 9d"], transfer=True)
    play(game, "0 attack 7c; 1 transfer 7d; 2 take")
    assert (game.actor, legal(game)) == (1, "throw 7h; pass")


# Jokers


def test_a_joker_can_transfer_a_joker_and_is_never_shown():
    """Jokers have the same rank, so one transfers the other; a joker is not a trump, so none is shown, §2, §5.5, §5.6."""
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


def test_equal_cards_that_are_apart_on_the_table_have_one_name():
    """Two copies with another card between: the move is listed once, at the place of the first unbeaten copy, §2, §5.7, §9."""
    game = position_game(["7c 7c 7d Kc", "8c 8d 9c 9d"], decks=2, throw_in_when="any_time")
    play(game, "0 attack 7c; 0 throw 7d; 0 throw 7c")
    assert legal(game) == "beat 7c 8c; beat 7c 9c; beat 7d 8d; beat 7d 9d; take"
    play(game, "1 beat 7c 8c")
    assert str(game.table) == "7c/8c 7d 7c"
    assert legal(game) == "beat 7d 8d; beat 7d 9d; beat 7c 9c; take"


def test_a_declared_six_and_two_real_ones_have_one_name():
    """Three cards read `6h`, and each answer is listed once, §5.7."""
    rules = Rules(decks=2, weli="bells", opening="same_rank")
    game = Game.from_position(rules, hands=["6d 6h 6h Kc", "7h 8h 9h"], trump="s")
    before = everything(game)
    play(game, "0 attack 6d=h 6h 6h")
    assert legal(game) == "beat 6h 7h; beat 6h 8h; beat 6h 9h; take"
    play(game, "1 beat 6h 9h; 1 beat 6h 7h")
    assert str(game.table) == "6d=h/9h 6h/7h 6h"
    assert everything(game) == before


def test_a_declared_six_is_thrown_in_by_rank_and_beaten_by_suit():
    """Its rank allows the throw in, and its declared suit decides what beats it, §5.3, §5.7."""
    game = position_game(["6c 6d Kc", "7c 7h 8d 8h"], weli="sixes")
    play(game, "0 attack 6c; 1 beat 6c 7c; 0 throw 6d=h")
    assert legal(game) == "beat 6h 7h; beat 6h 8h; take"


# The changeable trump


def changing_trump_game(hands, **options):
    """Return a position with hearts as trumps: the turn-up 8h lies on 9s, and the talon has no other cards."""
    rules = Rules(hidden_trump=True, hand_size=2, **options)
    return Game.from_position(rules, hands=hands, trump="h", talon="8h 9s", turn_up="8h")


def test_after_the_change_the_lowest_new_trump_beats_the_new_ace():
    """`low_trump_beats_ace` refers to the present trump suit, §2.1, §4.3."""
    game = changing_trump_game(["6c As", "7c 6s"], low_trump_beats_ace=True)
    play(game, "0 attack 6c; 1 take; 0 attack As")
    assert legal(game) == "beat As 6s; take"


def test_after_the_change_the_new_trump_is_shown():
    """Passport uses the present trump, §4.3, §5.6."""
    game = changing_trump_game(["6c 7d", "7s 7h Kd"], transfer=True, passport=True)
    play(game, "0 attack 6c; 1 take; 0 attack 7d")
    assert legal(game) == "beat 7d Kd; beat 7d 7s; show 7s; take"


def test_a_six_may_be_declared_in_the_new_trump_suit():
    """Weli allows the present trump suit, §4.3, §5.7."""
    game = changing_trump_game(["6c As", "7c 6d"], weli="sixes")
    play(game, "0 attack 6c; 1 take; 0 attack 8h")
    assert "beat 8h 6d=s" in legal(game)
    assert "beat 8h 6d=h" not in legal(game)


def test_the_trump_changes_between_bouts_only():
    """Cards are drawn when a bout is over, so the trump is the same during a whole bout, §4.3, §6.2."""
    game = changing_trump_game(["6c 6d", "7c 7h"])
    play(game, "0 attack 6c; 1 beat 6c 7c; 0 throw 6d")
    assert (game.trump, legal(game)) == ("h", "beat 6d 7h; take")
    play(game, "1 beat 6d 7h")
    assert (game.trump, hands(game), talon(game)) == ("s", ["8h 9s", ""], "")


# At once


def test_at_once_an_opening_of_all_cards_ends_the_game():
    """The last two cards have the same rank: the seat is out when it plays them together, §5.2, §6.4, §6.7."""
    for ranks, count in (("7", 0), ("6", 2)):
        game = position_game([f"{ranks}c {ranks}d", "8c 8d Kh"], opening="same_rank", out_when="at_once")
        play(game, f"0 attack {ranks}c {ranks}d")
        assert (game.outcome.fool, game.outcome.epaulettes, len(game.table)) == (1, count, 2)


def test_at_once_the_last_card_of_a_team_ends_the_game():
    """The partner is out already, so the other's last card ends the game; the losers keep their cards, §6.4, §8."""
    game = position_game(["7c", "8c", "", "Td Jd"], teams="2v2", out_when="at_once")
    play(game, "0 attack 7c")
    assert (game.outcome.winners, game.outcome.losers, game.outcome.fool) == ((0, 2), (1, 3), 3)
    assert (str(game.table), game.outcome.places) == ("7c", (2, 0))


def test_at_once_a_thrower_goes_out_and_the_defence_goes_on():
    """Seat 2 throws in its last card, and the defender still has to beat it, §6.4."""
    game = position_game(["7c Kc", "8c 8d 9h", "7d", "Th"], out_when="at_once")
    play(game, "0 attack 7c; 1 beat 7c 8c; 2 throw 7d")
    assert (game.places, game.actor, legal(game)) == ((2,), 1, "beat 7d 8d; take")
    play(game, "1 take")
    assert (hands(game)[1], game.attacker, game.defender) == ("7c 8c 7d 8d 9h", 3, 0)


def test_at_once_nobody_goes_out_by_showing_its_last_card():
    """A card shown stays in the hand, so its holder stays in, §5.6, §6.4."""
    game = position_game(["7c Kc", "7h"], trump="h", transfer=True, passport=True, out_when="at_once")
    play(game, "0 attack 7c; 1 show 7h")
    assert (game.outcome, game.defender, hands(game)) == (None, 0, ["Kc", "7h"])


# Teams


def test_a_chain_of_transfers_goes_through_the_teams():
    """Opponents sit in turn: 0 attacks 1, who transfers to 2, who transfers to 3, §5.5, §8."""
    game = position_game(["7c Kc", "7d Kd Qd", "7h Kh Qh", "9s Ts Js", "9c Tc", "9d Td"], teams="3v3", transfer=True)
    play(game, "0 attack 7c; 1 transfer 7d; 2 transfer 7h")
    assert (game.attacker, game.defender) == (2, 3)
    play(game, "3 beat 7c 9s; 3 beat 7d Ts; 3 beat 7h Js")
    assert (game.bout, game.places, game.attacker, game.defender) == (3, (3,), 4, 5)


def test_teams_draw_in_seating_order():
    """Partners draw in their turn like all others, the defender last, §6.2, §8."""
    rules = Rules(teams="2v2", players=4, hand_size=2)
    game = Game.from_position(rules, hands=["7c Kc", "8c 8d", "7d", "Qh"], trump="s", talon="6s 9s Ts Js Qs")
    play(game, "0 attack 7c; 1 beat 7c 8c; 2 throw 7d; 1 beat 7d 8d")
    assert hands(game) == ["Kc 6s", "Qs", "9s Ts", "Qh Js"]


# The end and the talon


def test_an_empty_hand_does_not_end_the_game_while_a_talon_is_left():
    """While a card can be drawn nobody is out, whatever the goal, §6.4, §6.5."""
    for goal in ("not_last", "first_out"):
        for out_when in ("bout_end", "at_once"):
            rules = Rules(goal=goal, out_when=out_when, hand_size=1)
            game = Game.from_position(rules, hands=["7c", "8c"], trump="s", talon="9h Th 9s")
            play(game, "0 attack 7c; 1 beat 7c 8c")
            assert (game.outcome, hands(game), game.actor) == (None, ["9h", "Th"], 1)


def test_the_last_talon_card_makes_the_attacker_the_fool():
    """Both ran out; the attacker draws the last card, the defender finds none and is out: the attacker is the fool, §6.2, §6.4."""
    rules = Rules(hand_size=1)
    game = Game.from_position(rules, hands=["7c", "8c"], trump="s", talon="9s")
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert (hands(game), game.outcome.places, game.outcome.fool) == (["9s", ""], (1,), 0)


def test_first_out_can_be_decided_in_the_refill():
    """`first_out`: the defender finds no card to draw, is out first and wins, §6.4, §6.5."""
    rules = Rules(hand_size=1, goal="first_out", players=3)
    game = Game.from_position(rules, hands=["7c", "8c", "9h"], trump="s", talon="9s")
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert (game.outcome.winners, game.outcome.losers, game.outcome.fool) == ((1,), (0, 2), None)


def test_an_attack_can_be_transferred_again_in_the_second_bout():
    """`transfer_first_bout=False` with a limit of its own for that bout: both are over with it, §5.1, §5.5."""
    rules = Rules(transfer=True, transfer_first_bout=False, first_bout_limit=1, opening="same_rank")
    game = Game.from_position(rules, hands=["7c 7d Kc Qc", "7h 8d 9h Th"], trump="s", bout=1)
    play(game, "0 attack 7c")
    assert (legal(game), game.limit) == ("take", 1)
    play(game, "1 take; 0 attack 7d")
    assert (game.limit, legal(game)) == (5, "beat 7d 8d; transfer 7c; transfer 7h; take")
