"""Rule book §5.3: who may throw in, when and in which order, and how long a pass is valid."""

from durak_widget import Game, Rules
from support.rule_examples import everything, hands, legal, play

SEVENS = ["7c 7s Kc", "8c 8d 9h Ah", "7d 8h Qd", "7h Kh Qh"]
"""Four hands with spades as trumps: seat 0 attacks with 7c, seat 1 beats it with 8c, and every other holds a seven."""
BEATEN = "0 attack 7c; 1 beat 7c 8c"


def sevens_game(hands=SEVENS, **options):
    """Return the game of the four hands above, under podkidnoy with these options."""
    return Game.from_position(Rules(players=4, **options), hands=hands, trump="s")


def seats_asked(game):
    """Return the seats whose turn comes one after another while everybody passes."""
    seats, bout = [], game.bout
    while game.bout == bout and legal(game).endswith("pass"):
        seats.append(game.actor)
        game.play("pass")
    return seats


def test_a_card_thrown_in_must_match_a_rank_on_the_table():
    """Its rank must be on the table, as an attacking or a beating card, §5.3."""
    game = Game.from_position(Rules(), hands=["7c 7d 8h 9h Kc", "8c 9d Jd Qd Kd"], trump="s")
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert legal(game) == "throw 7d; throw 8h; pass"


def test_a_seat_with_no_card_to_throw_in_gets_no_turn():
    """A seat that has no card of a rank on the table is skipped, §5.3."""
    game = sevens_game(["7c Qc Kc", "8c 8d 9h Ah", "Td Jd Qd", "7h Kh Qh"])
    play(game, BEATEN)
    assert seats_asked(game) == [3]


def test_no_thrower_gets_a_turn_when_nobody_may_throw_in():
    """If nobody has such a card, the bout ends with the last beating card, §5.3, §5.4."""
    game = sevens_game(["7c Qc Kc", "8c 8d 9h Ah", "Td Jd Qd", "Th Kh Qh"])
    play(game, BEATEN)
    assert (game.bout, game.actor) == (3, 1)


def test_throw_in_by_sets_the_seats_that_may_throw_in():
    """`throw_in_by` names every seat but the defender, its two neighbours, the attacker alone, or nobody, §5.3."""
    for by, seats in (("all", [0, 2, 3]), ("neighbours", [0, 2]), ("attacker", [0]), ("nobody", [])):
        for line in (BEATEN, "0 attack 7c; 1 take"):
            game = sevens_game(throw_in_by=by)
            play(game, line)
            assert seats_asked(game) == seats
            assert game.bout == 3


def test_no_seat_replaces_a_neighbour_without_a_matching_card():
    """If the next seat cannot throw in, the one after it may not either, §5.3."""
    game = sevens_game(["7c 7s Kc", "8c 8d 9h Ah", "Td Jd Qd", "7h Kh Qh"], throw_in_by="neighbours")
    play(game, BEATEN)
    assert seats_asked(game) == [0]


def test_a_seat_that_is_out_is_not_a_neighbour():
    """The neighbour is the next seat that is in, §1, §5.3."""
    game = sevens_game(["7c 7s Kc", "8c 8d 9h Ah", "", "7h Kh Qh"], throw_in_by="neighbours")
    play(game, BEATEN)
    assert seats_asked(game) == [0, 3]


def test_a_neighbour_without_cards_stays_a_neighbour_until_it_is_out():
    """With `bout_end` the empty-handed neighbour keeps its place to the end of the bout; with `at_once` the next seat becomes the neighbour, §5.3, §6.4."""
    for out_when, seats in (("bout_end", [0]), ("at_once", [0, 3])):
        game = sevens_game(["7c 7s Kc", "8c 8d 9h Ah", "7d", "7h Kh Qh"], throw_in_by="neighbours", out_when=out_when)
        play(game, BEATEN + "; 0 pass; 2 throw 7d; 1 beat 7d 8d")
        assert seats_asked(game) == seats


def test_the_attacker_and_the_neighbour_may_be_the_same_seat():
    """With two left in the game the attacker is both neighbours, and gets one turn, §5.3."""
    game = sevens_game(["7c 7s Kc", "8c 8d 9h Ah", "", ""], throw_in_by="neighbours")
    play(game, BEATEN)
    assert seats_asked(game) == [0]


def test_seats_that_are_out_get_no_turn():
    """Only seats in the game may throw in, §5.3."""
    game = sevens_game(["7c 7s Kc", "8c 8d 9h Ah", "", "7h Kh Qh"])
    play(game, BEATEN)
    assert seats_asked(game) == [0, 3]


def test_a_seat_without_cards_gets_no_turn():
    """A seat that has thrown in its last card cannot throw in again, in the game or not, §5.3."""
    game = sevens_game(["7c 7s Kc", "8c 8d 9h Ah", "7d", "7h Kh Qh"])
    play(game, BEATEN + "; 0 pass; 2 throw 7d; 1 take")
    assert seats_asked(game) == [0, 3]


# When


def test_all_beaten_gives_throwers_a_turn_once_all_cards_are_beaten():
    """`all_beaten`: throwers get their turn when no card is unbeaten, §5.3."""
    game = sevens_game()
    play(game, "0 attack 7c")
    assert game.actor == 1
    play(game, "1 beat 7c 8c; 0 throw 7s")
    assert game.actor == 1


def test_first_beaten_gives_throwers_a_turn_while_a_card_is_unbeaten():
    """`first_beaten`: throwers get their turn whenever a beating card is on the table, §5.3."""
    game = sevens_game(throw_in_when="first_beaten")
    play(game, "0 attack 7c")
    assert game.actor == 1
    play(game, "1 beat 7c 8c; 0 throw 7s; 2 throw 8h; 2 pass; 3 throw 7h")
    assert (str(game.table), len(game.table), game.actor) == ("7c/8c 7s 8h 7h", game.limit, 1)


def test_first_beaten_gives_throwers_a_turn_between_the_opening_cards():
    """Once one of two opening cards is beaten the throwers get their turn, §5.3."""
    game = sevens_game(throw_in_when="first_beaten", opening="same_rank")
    play(game, "0 attack 7c 7s; 1 beat 7c 8c")
    assert (game.actor, legal(game)) == (2, "throw 7d; throw 8h; pass")


def test_all_beaten_gives_no_turn_between_the_opening_cards():
    """While one of two opening cards is unbeaten the defender goes on, §5.3."""
    game = sevens_game(opening="same_rank")
    play(game, "0 attack 7c 7s; 1 beat 7c 8c")
    assert game.actor == 1


def test_any_time_gives_throwers_a_turn_before_the_defender():
    """`any_time`: throwers get their turn whenever a card is on the table, §5.3."""
    game = sevens_game(throw_in_when="any_time")
    play(game, "0 attack 7c")
    assert seats_asked(game) == [0, 2, 3]
    assert (game.bout, game.actor) == (2, 1)
    play(game, "1 beat 7c 8c")
    assert game.actor == 0


def test_after_a_take_only_throw_in_after_take_decides():
    """Once the defender has taken, only `throw_in_after_take` says whether throwers get a turn, §5.3."""
    for when in ("all_beaten", "first_beaten", "any_time"):
        for after, seats in ((True, [0, 2, 3]), (False, [])):
            game = sevens_game(throw_in_when=when, throw_in_after_take=after)
            play(game, "0 attack 7c")
            seats_asked(game)
            play(game, "1 take")
            assert seats_asked(game) == seats
            assert (game.bout, hands(game)[1]) == (3, "7c 8c 8d 9h Ah")


def test_cards_thrown_in_after_a_take_are_taken_too():
    """The defender who takes gets all cards on the table at the end, and no card is lost or doubled, §5.3, §6.1."""
    game = sevens_game()
    before = everything(game)
    play(game, BEATEN + "; 0 throw 7s; 1 take; 2 throw 7d")
    assert (game.taking, str(game.table), everything(game)) == (True, "7c/8c 7s 7d", before)
    play(game, "2 throw 8h")
    assert hands(game) == ["Kc", "7c 8c 7d 8d 8h 9h Ah 7s", "Qd", "7h Qh Kh"]
    assert (everything(game), str(game.discard), game.bout) == (before, "", 3)


def test_a_defender_who_takes_has_no_further_turn():
    """After `take` only throwers have a turn, and then the bout ends, §5.4."""
    game = sevens_game()
    play(game, "0 attack 7c; 1 take; 0 pass; 2 pass; 3 pass")
    assert (game.bout, game.actor) == (3, 2)


# In which order


def test_priority_sets_the_order_after_a_throw_in():
    """The attacker, then clockwise from the defender's left; or first the seat that played the newest attacking card, §5.3."""
    for priority, seats in (("attacker", [0, 2, 3]), ("last_thrower", [2, 0, 3])):
        game = sevens_game(priority=priority)
        play(game, BEATEN + "; 0 pass; 2 throw 7d; 1 beat 7d 8d")
        assert seats_asked(game) == seats


def test_the_attacker_has_the_first_turn_after_the_opening():
    """The opening card is the newest attacking card, and the attacker played it, §5.3."""
    for priority in ("attacker", "last_thrower"):
        game = sevens_game(priority=priority)
        play(game, BEATEN)
        assert seats_asked(game) == [0, 2, 3]


def test_the_order_is_clockwise_from_the_defenders_left():
    """With attacker 2 and defender 3 the order is 2, 0, 1, §5.3."""
    game = Game.from_position(Rules(players=4), hands=["7d Qd Kd", "7h Qh Kh", "7c 7s Kc", "8c 8d 9h Ah"], trump="s", attacker=2)
    play(game, "2 attack 7c; 3 beat 7c 8c")
    assert seats_asked(game) == [2, 0, 1]


def test_the_opener_may_have_played_the_newest_card_after_a_transfer():
    """After a transfer and a throw in by the seat that had opened, that seat played the newest card, §5.3."""
    for priority, seats in (("attacker", [1, 3, 0]), ("last_thrower", [0, 1, 3])):
        game = Game.from_position(
            Rules(players=4, transfer=True, priority=priority),
            hands=["7c 7s 8s 9c", "7d 9d Kd", "8c 8d 9s Ah", "7h 9h Kh"],
            trump="s",
        )
        play(game, "0 attack 7c; 1 transfer 7d; 2 beat 7c 8c; 2 beat 7d 8d")
        play(game, "3 pass; 0 throw 7s; 2 beat 7s 9s")
        assert seats_asked(game) == seats


def test_after_a_transfer_the_newest_card_is_the_one_transferred():
    """The seat that transferred played the newest card and is the attacker too, §5.3."""
    game = Game.from_position(
        Rules(players=4, transfer=True, priority="last_thrower"),
        hands=["7c 7s 9c", "7d 8h Kd", "8c 8d 9s Ah", "7h 9h Kh"],
        trump="s",
    )
    play(game, "0 attack 7c; 1 transfer 7d; 2 beat 7c 8c; 2 beat 7d 8d")
    assert seats_asked(game) == [1, 3, 0]


def test_after_a_show_the_newest_card_is_still_the_opening_card():
    """A show adds no card, so the seat that opened played the newest, §5.3."""
    for priority, seats in (("attacker", [1, 3, 0]), ("last_thrower", [0, 1, 3])):
        game = Game.from_position(
            Rules(players=4, transfer=True, passport=True, priority=priority),
            hands=["7c 7s 9c", "7h 8h Kd", "8c 8d 9s Ah", "7d 9h Kh"],
            trump="h",
        )
        play(game, "0 attack 7c; 1 show 7h; 2 beat 7c 8c")
        assert seats_asked(game) == seats


# How long a pass is valid


def test_a_pass_lasts_until_a_card_is_played_or_through_the_bout():
    """A card thrown in and a card that beats it cancel a pass under `until_card`, and not under `bout`, §5.3."""
    for lasts, seats in (("until_card", [0, 2, 3]), ("bout", [2, 3])):
        game = sevens_game(pass_lasts=lasts)
        play(game, BEATEN + "; 0 pass; 2 throw 7d; 1 beat 7d 8d")
        assert seats_asked(game) == seats


def test_a_beating_card_alone_cancels_a_pass():
    """Any card played on the table cancels it, also the defender's, §5.3."""
    for lasts, seats in (("until_card", [0, 2, 3]), ("bout", [])):
        game = sevens_game(pass_lasts=lasts, throw_in_when="any_time")
        play(game, "0 attack 7c; 0 pass; 2 pass; 3 pass; 1 beat 7c 8c")
        assert seats_asked(game) == seats


def test_a_take_cancels_every_pass():
    """Under both options a pass is valid only until the defender takes, §5.3."""
    for lasts in ("until_card", "bout"):
        game = sevens_game(pass_lasts=lasts)
        play(game, BEATEN + "; 0 pass; 2 throw 7d; 1 take")
        assert seats_asked(game) == [0, 2, 3]


def test_after_a_take_only_until_card_lets_a_card_cancel_a_pass():
    """After the take a card thrown in cancels a pass under `until_card` only, §5.3."""
    for lasts, seats in (("until_card", [0, 3]), ("bout", [3])):
        game = sevens_game(pass_lasts=lasts)
        play(game, "0 attack 7c; 1 take; 0 pass; 2 throw 7d")
        assert str(game.table) == "7c 7d"
        assert seats_asked(game) == seats


def test_a_transfer_cancels_every_pass():
    """Under both options a seat that passed has a turn again after a transfer, §5.3, §5.5."""
    for lasts in ("until_card", "bout"):
        game = Game.from_position(
            Rules(players=3, transfer=True, throw_in_when="any_time", pass_lasts=lasts),
            hands=["7c 7s Kc Qc", "7d 8d 9c", "8c 8h 9h"],
            trump="s",
        )
        play(game, "0 attack 7c; 0 pass; 1 transfer 7d")
        assert (game.actor, legal(game)) == (0, "throw 7s; pass")


def test_a_show_cancels_every_pass():
    """Under both options a seat that passed has a turn again after a trump is shown, although no card was played, §5.3, §5.6."""
    for lasts in ("until_card", "bout"):
        game = Game.from_position(
            Rules(players=3, transfer=True, passport=True, throw_in_when="any_time", pass_lasts=lasts),
            hands=["7c 7s Kc Qc", "7h 8d 9c", "8c 8h 9h"],
            trump="h",
        )
        play(game, "0 attack 7c; 0 pass; 1 show 7h; 1 pass")
        assert (game.actor, legal(game)) == (0, "throw 7s; pass")


def test_a_pass_ends_with_the_bout():
    """In the next bout every thrower has a turn again, §5.3."""
    for lasts in ("until_card", "bout"):
        game = sevens_game(["7c 7s Kc", "8c 8d 9h Ah", "7d 8h Qd", "7h 9c Qh"], pass_lasts=lasts, throw_in_by="all")
        play(game, BEATEN + "; 0 pass; 2 pass; 3 pass; 1 attack 8d")
        assert (game.attacker, game.defender, game.actor, game.throwers_passed) == (1, 2, 2, ())
