"""Rule book §5.3: who may throw in, when, in which order they are asked, and how long a pass stands."""

from durak_widget import Game, Rules
from support.rule_examples import everything, hands, legal, play

SEVENS = ["7c 7s Kc", "8c 8d 9h Ah", "7d 8h Qd", "7h Kh Qh"]
"""Four hands with spades as trumps: seat 0 attacks with 7c, seat 1 beats it with 8c, and every other holds a seven."""
BEATEN = "0 attack 7c; 1 beat 7c 8c"


def sevens(hands=SEVENS, **options):
    """The four hands above under podkidnoy with these options."""
    return Game.from_position(Rules(players=4, **options), hands=hands, trump="s")


def asked(game):
    """The seats that are asked one after another while everybody passes."""
    seats, bout = [], game.bout
    while game.bout == bout and legal(game).endswith("pass"):
        seats.append(game.actor)
        game.play("pass")
    return seats


def test_the_rank_must_lie_on_the_table():
    """A card is thrown in whose rank lies there, as attacking or as beating card, §5.3."""
    game = Game.from_position(Rules(), hands=["7c 7d 8h 9h Kc", "8c 9d Jd Qd Kd"], trump="s")
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert legal(game) == "throw 7d; throw 8h; pass"


def test_a_seat_that_may_throw_nothing_is_not_asked():
    """Who holds no card of a rank on the table is passed over, §5.3."""
    game = sevens(["7c Qc Kc", "8c 8d 9h Ah", "Td Jd Qd", "7h Kh Qh"])
    play(game, BEATEN)
    assert asked(game) == [3]


def test_nobody_is_asked_where_nobody_may_throw():
    """Where nobody holds such a card, the bout ends with the last beating card, §5.3, §5.4."""
    game = sevens(["7c Qc Kc", "8c 8d 9h Ah", "Td Jd Qd", "Th Kh Qh"])
    play(game, BEATEN)
    assert (game.bout, game.actor) == (3, 1)


def test_who_may_throw_in():
    """`throw_in_by` names every seat but the defender, its two neighbours, the attacker alone, or nobody, §5.3."""
    for by, seats in (("all", [0, 2, 3]), ("neighbours", [0, 2]), ("attacker", [0]), ("nobody", [])):
        for line in (BEATEN, "0 attack 7c; 1 take"):
            game = sevens(throw_in_by=by)
            play(game, line)
            assert asked(game) == seats
            assert game.bout == 3


def test_no_other_seat_takes_the_place_of_a_neighbour_who_holds_nothing_fit():
    """If the next in seat may not throw, the one after it may not either, §5.3."""
    game = sevens(["7c 7s Kc", "8c 8d 9h Ah", "Td Jd Qd", "7h Kh Qh"], throw_in_by="neighbours")
    play(game, BEATEN)
    assert asked(game) == [0]


def test_a_seat_that_is_out_is_no_neighbour():
    """The neighbour is the next seat that is in, §1, §5.3."""
    game = sevens(["7c 7s Kc", "8c 8d 9h Ah", "", "7h Kh Qh"], throw_in_by="neighbours")
    play(game, BEATEN)
    assert asked(game) == [0, 3]


def test_a_neighbour_who_has_thrown_its_last_card_is_in_until_it_is_out():
    """With `bout_end` the empty-handed neighbour keeps its place to the end of the bout; with `at_once` the next moves up, §5.3, §6.4."""
    for out_when, seats in (("bout_end", [0]), ("at_once", [0, 3])):
        game = sevens(["7c 7s Kc", "8c 8d 9h Ah", "7d", "7h Kh Qh"], throw_in_by="neighbours", out_when=out_when)
        play(game, BEATEN + "; 0 pass; 2 throw 7d; 1 beat 7d 8d")
        assert asked(game) == seats


def test_the_attacker_and_the_neighbour_may_be_one_seat():
    """With two left in the game the attacker is both neighbours, and is asked once, §5.3."""
    game = sevens(["7c 7s Kc", "8c 8d 9h Ah", "", ""], throw_in_by="neighbours")
    play(game, BEATEN)
    assert asked(game) == [0]


def test_seats_that_are_out_are_not_asked():
    """Only seats that are in may throw, §5.3."""
    game = sevens(["7c 7s Kc", "8c 8d 9h Ah", "", "7h Kh Qh"])
    play(game, BEATEN)
    assert asked(game) == [0, 3]


def test_a_seat_with_no_card_left_is_not_asked():
    """Who has thrown its last card has none to throw, in the game or not, §5.3."""
    game = sevens(["7c 7s Kc", "8c 8d 9h Ah", "7d", "7h Kh Qh"])
    play(game, BEATEN + "; 0 pass; 2 throw 7d; 1 take")
    assert asked(game) == [0, 3]


# When


def test_all_beaten_lets_the_defender_answer_each_card_alone():
    """`all_beaten`: throwers are asked when no card is unbeaten, §5.3."""
    game = sevens()
    play(game, "0 attack 7c")
    assert game.actor == 1
    play(game, "1 beat 7c 8c; 0 throw 7s")
    assert game.actor == 1


def test_first_beaten_asks_while_a_later_card_is_unbeaten():
    """`first_beaten`: whenever a beating card lies there, §5.3."""
    game = sevens(throw_in_when="first_beaten")
    play(game, "0 attack 7c")
    assert game.actor == 1
    play(game, "1 beat 7c 8c; 0 throw 7s; 2 throw 8h; 2 pass; 3 throw 7h")
    assert (str(game.table), len(game.table), game.actor) == ("7c/8c 7s 8h 7h", game.limit, 1)


def test_first_beaten_asks_between_the_cards_of_an_opening():
    """Once one of two opening cards is beaten the throwers are asked, §5.3."""
    game = sevens(throw_in_when="first_beaten", opening="same_rank")
    play(game, "0 attack 7c 7s; 1 beat 7c 8c")
    assert (game.actor, legal(game)) == (2, "throw 7d; throw 8h; pass")


def test_all_beaten_does_not_ask_between_the_cards_of_an_opening():
    """With one of two opening cards unbeaten the defender goes on, §5.3."""
    game = sevens(opening="same_rank")
    play(game, "0 attack 7c 7s; 1 beat 7c 8c")
    assert game.actor == 1


def test_any_time_asks_before_the_defender_answers():
    """`any_time`: whenever a card lies on the table, §5.3."""
    game = sevens(throw_in_when="any_time")
    play(game, "0 attack 7c")
    assert asked(game) == [0, 2, 3]
    assert (game.bout, game.actor) == (2, 1)
    play(game, "1 beat 7c 8c")
    assert game.actor == 0


def test_after_a_take_the_option_alone_decides():
    """Once the defender has taken, `throw_in_after_take` alone says whether throwers are asked, §5.3."""
    for when in ("all_beaten", "first_beaten", "any_time"):
        for after, seats in ((True, [0, 2, 3]), (False, [])):
            game = sevens(throw_in_when=when, throw_in_after_take=after)
            play(game, "0 attack 7c")
            asked(game)
            play(game, "1 take")
            assert asked(game) == seats
            assert (game.bout, hands(game)[1]) == (3, "7c 8c 8d 9h Ah")


def test_cards_thrown_in_after_a_take_are_taken_too():
    """Who takes gets all that lies there at the end, and no card is lost or doubled, §5.3, §6.1."""
    game = sevens()
    before = everything(game)
    play(game, BEATEN + "; 0 throw 7s; 1 take; 2 throw 7d")
    assert (game.taking, str(game.table), everything(game)) == (True, "7c/8c 7s 7d", before)
    play(game, "2 throw 8h")
    assert hands(game) == ["Kc", "7c 8c 7d 8d 8h 9h Ah 7s", "Qd", "7h Qh Kh"]
    assert (everything(game), str(game.discard), game.bout) == (before, "", 3)


def test_a_defender_who_takes_is_asked_no_more():
    """After `take` only throwers are asked, and then the bout ends, §5.4."""
    game = sevens()
    play(game, "0 attack 7c; 1 take; 0 pass; 2 pass; 3 pass")
    assert (game.bout, game.actor) == (3, 2)


# In which order


def test_who_is_asked_first_after_another_has_thrown():
    """The attacker, then clockwise from the defender's left; or first the seat that played the newest attacking card, §5.3."""
    for priority, seats in (("attacker", [0, 2, 3]), ("last_thrower", [2, 0, 3])):
        game = sevens(priority=priority)
        play(game, BEATEN + "; 0 pass; 2 throw 7d; 1 beat 7d 8d")
        assert asked(game) == seats


def test_the_attacker_is_asked_first_after_the_opening():
    """The opening card is the newest attacking card, and the attacker's, §5.3."""
    for priority in ("attacker", "last_thrower"):
        game = sevens(priority=priority)
        play(game, BEATEN)
        assert asked(game) == [0, 2, 3]


def test_the_order_is_clockwise_from_the_defenders_left():
    """With attacker 2 and defender 3 the order is 2, 0, 1, §5.3."""
    game = Game.from_position(Rules(players=4), hands=["7d Qd Kd", "7h Qh Kh", "7c 7s Kc", "8c 8d 9h Ah"], trump="s", attacker=2)
    play(game, "2 attack 7c; 3 beat 7c 8c")
    assert asked(game) == [2, 0, 1]


def test_the_newest_card_may_be_thrown_by_one_who_attacked_before_the_transfer():
    """After a transfer and a throw by the seat that had opened, that seat played the newest card, §5.3."""
    for priority, seats in (("attacker", [1, 3, 0]), ("last_thrower", [0, 1, 3])):
        game = Game.from_position(
            Rules(players=4, transfer=True, priority=priority),
            hands=["7c 7s 8s 9c", "7d 9d Kd", "8c 8d 9s Ah", "7h 9h Kh"],
            trump="s",
        )
        play(game, "0 attack 7c; 1 transfer 7d; 2 beat 7c 8c; 2 beat 7d 8d")
        play(game, "3 pass; 0 throw 7s; 2 beat 7s 9s")
        assert asked(game) == seats


def test_after_a_transfer_the_newest_card_is_that_of_the_seat_that_transferred():
    """Who transferred played the newest card and is the attacker besides, §5.3."""
    game = Game.from_position(
        Rules(players=4, transfer=True, priority="last_thrower"),
        hands=["7c 7s 9c", "7d 8h Kd", "8c 8d 9s Ah", "7h 9h Kh"],
        trump="s",
    )
    play(game, "0 attack 7c; 1 transfer 7d; 2 beat 7c 8c; 2 beat 7d 8d")
    assert asked(game) == [1, 3, 0]


def test_after_a_show_the_newest_card_is_still_that_of_the_seat_that_played_it():
    """A show adds no card, so the seat that opened played the newest, §5.3."""
    for priority, seats in (("attacker", [1, 3, 0]), ("last_thrower", [0, 1, 3])):
        game = Game.from_position(
            Rules(players=4, transfer=True, passport=True, priority=priority),
            hands=["7c 7s 9c", "7h 8h Kd", "8c 8d 9s Ah", "7d 9h Kh"],
            trump="h",
        )
        play(game, "0 attack 7c; 1 show 7h; 2 beat 7c 8c")
        assert asked(game) == seats


# How long a pass stands


def test_a_pass_stands_until_a_card_is_put_down_or_through_the_bout():
    """A card thrown in and a card that beats it void a pass under `until_card`, and not under `bout`, §5.3."""
    for lasts, seats in (("until_card", [0, 2, 3]), ("bout", [2, 3])):
        game = sevens(pass_lasts=lasts)
        play(game, BEATEN + "; 0 pass; 2 throw 7d; 1 beat 7d 8d")
        assert asked(game) == seats


def test_a_beating_card_alone_voids_a_pass():
    """A card put on the table by anyone, the defender too, §5.3."""
    for lasts, seats in (("until_card", [0, 2, 3]), ("bout", [])):
        game = sevens(pass_lasts=lasts, throw_in_when="any_time")
        play(game, "0 attack 7c; 0 pass; 2 pass; 3 pass; 1 beat 7c 8c")
        assert asked(game) == seats


def test_a_take_voids_every_pass():
    """Under both, a pass stands no longer than until the defender takes, §5.3."""
    for lasts in ("until_card", "bout"):
        game = sevens(pass_lasts=lasts)
        play(game, BEATEN + "; 0 pass; 2 throw 7d; 1 take")
        assert asked(game) == [0, 2, 3]


def test_a_pass_after_a_take():
    """After the take a card thrown in voids a pass under `until_card` only, §5.3."""
    for lasts, seats in (("until_card", [0, 3]), ("bout", [3])):
        game = sevens(pass_lasts=lasts)
        play(game, "0 attack 7c; 1 take; 0 pass; 2 throw 7d")
        assert str(game.table) == "7c 7d"
        assert asked(game) == seats


def test_a_transfer_voids_every_pass():
    """Under both, whoever passed is asked again when the attack has been transferred, §5.3, §5.5."""
    for lasts in ("until_card", "bout"):
        game = Game.from_position(
            Rules(players=3, transfer=True, throw_in_when="any_time", pass_lasts=lasts),
            hands=["7c 7s Kc Qc", "7d 8d 9c", "8c 8h 9h"],
            trump="s",
        )
        play(game, "0 attack 7c; 0 pass; 1 transfer 7d")
        assert (game.actor, legal(game)) == (0, "throw 7s; pass")


def test_a_show_voids_every_pass():
    """Under both, whoever passed is asked again when a trump has been shown, though no card was put down, §5.3, §5.6."""
    for lasts in ("until_card", "bout"):
        game = Game.from_position(
            Rules(players=3, transfer=True, passport=True, throw_in_when="any_time", pass_lasts=lasts),
            hands=["7c 7s Kc Qc", "7h 8d 9c", "8c 8h 9h"],
            trump="h",
        )
        play(game, "0 attack 7c; 0 pass; 1 show 7h; 1 pass")
        assert (game.actor, legal(game)) == (0, "throw 7s; pass")


def test_a_pass_does_not_outlast_the_bout():
    """In the next bout everybody is asked again, §5.3."""
    for lasts in ("until_card", "bout"):
        game = sevens(["7c 7s Kc", "8c 8d 9h Ah", "7d 8h Qd", "7h 9c Qh"], pass_lasts=lasts, throw_in_by="all")
        play(game, BEATEN + "; 0 pass; 2 pass; 3 pass; 1 attack 8d")
        assert (game.attacker, game.defender, game.actor, game.throwers_passed) == (1, 2, 2, ())
