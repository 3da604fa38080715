"""RULES.md §10: what a seat sees, and what it never sees."""

import pytest
from helpers import legal, play, stacked

from durak_widget import Game, Rules

THREE = ["7c 7s Kc", "8c 9h Ah", "7d 8h Qd"]


def placed(hands=THREE, *, trump="s", **options):
    """A position with spades as trumps and no talon."""
    return Game.from_position(Rules(players=len(hands), **options), hands=hands, trump=trump)


def known(view):
    """What the viewer knows of each hand."""
    return [str(cards) for cards in view.memory.known]


def lying(view):
    """What the viewer knows of the talon: place from the top, and card."""
    return [(place, str(card)) for place, card in view.memory.talon]


def course(view):
    """The course of play as the viewer saw it."""
    return [f"{ply.seat} {ply}" for ply in view.course]


# What is seen


def test_a_seat_sees_its_own_hand_and_the_number_of_the_others():
    """Its hand, and how many cards every hand holds, §10."""
    game = play(placed(), "0 attack 7c")
    assert [str(game.view(seat).hand) for seat in range(3)] == ["Kc 7s", "8c 9h Ah", "7d Qd 8h"]
    assert [game.view(seat).counts for seat in range(3)] == [(2, 3, 3)] * 3


def test_a_seat_sees_the_table_the_piles_and_the_trump():
    """The table, how many cards talon and discard hold, the turn-up and the trump suit, §10."""
    rules = Rules(hand_size=2)
    game = Game.from_position(rules, hands=["7c 7d", "8c 9d"], trump="h", talon="Ts Js Qs 6h", turn_up="6h", discard="6c 6d 6s")
    play(game, "0 attack 7c; 1 beat 7c 8c")
    view = game.view(1)
    assert (str(view.table), view.talon_count, view.discard_count) == ("7c/8c", 4, 3)
    assert (str(view.turn_up), view.trump, view.bout, view.limit) == ("6h", "h", 2, 2)


def test_a_seat_sees_whose_turn_it_is_and_in_what_role():
    """Who is to act, who attacks, defends, throws in, takes, waits or is out, §10."""
    game = placed([*THREE, ""])
    assert [game.view(seat).role for seat in range(4)] == ["attacks", "defends", "waits", "out"]
    play(game, "0 attack 7c; 1 beat 7c 8c; 0 pass")
    assert {game.view(seat).actor for seat in range(4)} == {2}
    assert [game.view(seat).role for seat in range(4)] == ["attacks", "defends", "throws in", "out"]
    play(game, "2 throw 7d; 1 take")
    assert [game.view(3).role_of(seat) for seat in range(4)] == ["attacks", "takes", "waits", "out"]
    assert game.view(2).taking


def test_a_seat_sees_the_whole_course_of_play():
    """Who played which card, who passed, who took, §10."""
    game = play(placed(), "0 attack 7c; 1 beat 7c 8c; 0 pass; 2 throw 7d; 1 take; 0 pass; 2 pass")
    seen = ["0 attack 7c", "1 beat 7c 8c", "0 pass", "2 throw 7d", "1 take", "0 pass", "2 pass"]
    assert [course(game.view(seat)) for seat in range(3)] == [seen] * 3


def test_a_seat_sees_how_bouts_ended_and_who_drew_how_many():
    """Who took which cards, and who drew how many, §10."""
    game = Game.from_position(Rules(hand_size=2), hands=["7c 7d", "8c 9d"], trump="h", talon="Ts Js Qs 6h", turn_up="6h")
    play(game, "0 attack 7c; 1 beat 7c 8c; 0 throw 7d; 1 take")
    (end,) = game.view(0).ends
    assert (end.attacker, end.defender, end.taken, str(end.table), end.drew) == (0, 1, True, "7c/8c 7d", ((0, 2),))


def test_a_seat_sees_who_has_passed_and_who_is_out():
    """Passes that stand, the seats in the game, and the places of the others, §10."""
    game = play(placed(["7c 7s", "8c 9h Ah", "7d", "Qd Qh"]), "0 attack 7c; 1 beat 7c 8c; 0 pass")
    assert [game.view(seat).passed for seat in range(4)] == [(0,)] * 4
    play(game, "2 throw 7d; 1 take; 0 throw 7s")
    view = game.view(1)
    assert (view.seats_in, view.places, view.passed) == ((1, 3), (2, 0), ())


def test_only_the_seat_to_act_is_told_what_it_may_do():
    """The legal moves of a seat tell of its hand, so no other seat is told, §10."""
    game = play(placed(), "0 attack 7c")
    assert [[str(move) for move in game.view(seat).legal_moves()] for seat in range(3)] == [[], ["beat 7c 8c", "take"], []]


def test_everybody_sees_the_outcome():
    """When the game is over all see how, §6.7, §10."""
    game = play(placed(["7c", "8d Kd", ""]), "0 attack 7c; 1 take")
    assert {game.view(seat).outcome for seat in range(3)} == {game.outcome}
    assert game.view(0).actor is None


# What is never seen


@pytest.mark.parametrize(
    ("options", "top", "bottom", "other_bottom"),
    [
        pytest.param({"hidden_trump": True}, "", "Th Ks", "Th 7d", id="another hidden trump"),
        pytest.param({"turn_up": "top"}, "Th", "Ks", "7d", id="another talon under the turn-up"),
        pytest.param({"turn_up": "bottom"}, "", "Ks Th", "7d Th", id="another talon above the turn-up"),
        pytest.param({"turn_up": "aside"}, "", "Ks Th", "7d Th", id="another talon beside the turn-up"),
        pytest.param({"trump": "h"}, "", "Ks", "7d", id="another talon without a turn-up"),
    ],
)
def test_games_that_differ_in_what_lies_hidden_look_alike(options, top, bottom, other_bottom):
    """Other hands, the order of the talon and the hidden trump make no difference to what a seat sees, §10."""
    rules = Rules(players=3, first_attacker="left_of_dealer", **options)
    mine = "6c 7c 8c 9c Tc 9h"
    theirs, others = ["6d 7h 8d 9d Td Jd", "6h Js 8h Jh Qh Kh"], ["6s 7h 8s 9s Ts Js", "Qd Kd Ad 6h Jd Jc"]
    one = Game(rules, deck=stacked(rules, hands=[mine, *theirs], top=top, bottom=bottom, dealer=2), dealer=2)
    other = Game(rules, deck=stacked(rules, hands=[mine, *others], top=top, bottom=other_bottom, dealer=2), dealer=2)
    for line in ["", "0 attack 9h"]:
        if line:
            play(one, line)
            play(other, line)
        assert one.view(0) == other.view(0)
        assert hash(one.view(0)) == hash(other.view(0))
        assert one.view(0, memory=False) == other.view(0, memory=False)
        assert one.view(1) != other.view(1)


def test_the_hidden_trump_is_seen_by_nobody():
    """It is a card of which no seat can say where it is, §4.3, §10."""
    rules = Rules.preset("changeable_trump")
    game = Game(rules, deck=stacked(rules, hands=["6c 7c 8c 9c Tc Jc", "6d 7d 8d 9d Td Jd"], bottom="9h Ks"))
    for seat in range(2):
        view = game.view(seat)
        assert "Ks" in view.memory.unseen
        assert "9h" not in view.memory.unseen
        assert lying(view) == [(22, "9h")]


def test_a_view_holds_still():
    """A view is what was seen at its moment; play that goes on does not change it, §10."""
    game = placed()
    before, again = game.view(2), game.view(2)
    play(game, "0 attack 7c; 1 take; 0 pass; 2 throw 7d")
    assert before == again
    assert before != game.view(2)
    assert str(before.hand) == "7d Qd 8h"


def test_views_of_different_seats_differ():
    """Each seat sees its own, §10."""
    game = placed()
    assert len({game.view(seat) for seat in range(3)}) == 3


# Covered


def test_a_covered_view_shows_what_lies_open():
    """Whoever may not look into the hand sees the table, the piles, the numbers, the roles and the course of play, §10."""
    game = Game.from_position(Rules(hand_size=2), hands=["7c 7d", "8c 9d"], trump="h", talon="Ts Js Qs 6h", turn_up="6h", discard="6c 6d")
    play(game, "0 attack 7c; 1 take; 0 throw 7d; 0 attack Ts")
    view = game.view(1)
    covered = view.covered()
    for what in ("seat", "rules", "counts", "table", "trump", "turn_up", "talon_count", "discard_count", "attacker", "defender", "actor"):
        assert getattr(covered, what) == getattr(view, what)
    for what in ("limit", "bout", "ply", "taking", "passed", "seats_in", "places", "swapped", "shown", "outcome", "role", "course", "ends"):
        assert getattr(covered, what) == getattr(view, what)


def test_a_covered_view_shows_nothing_of_the_hand():
    """No card of it, no legal move, no memory; only how many cards there are, §10."""
    game = play(placed(), "0 attack 7c")
    view = game.view(1)
    covered = view.covered()
    assert (view.is_covered, covered.is_covered) == (False, True)
    assert (str(view.hand), str(covered.hand), covered.counts[1]) == ("8c 9h Ah", "", 3)
    assert (covered.legal_moves(), covered.memory) == ((), None)
    assert not any(card in repr(covered) for card in ("8c", "9h", "Ah"))
    assert covered == covered.covered() == game.view(1, memory=False).covered() != view


def test_an_empty_hand_may_be_covered_too():
    """A covered view is not the open view of somebody without cards, §10."""
    game = placed([*THREE, ""])
    assert game.view(3, memory=False) != game.view(3).covered()


def test_a_covered_view_does_not_name_the_cards_swapped():
    """What a seat gave to the talon was never seen, so its covered view does not say it, §5.8, §10."""
    one = play(swapping(), "0 swap 6c 9c; 0 attack 8d")
    other = play(swapping(("6d 9c", "7c Kh")), "0 swap 6d 9c; 0 attack 8d")
    assert course(one.view(0).covered()) == ["0 swap", "0 attack 8d"]
    assert one.view(0).covered() == other.view(0).covered()
    assert hash(one.view(0).covered()) == hash(other.view(0).covered())


# Memory


def test_with_a_perfect_memory_every_discarded_card_is_named():
    """All who sat there saw what was discarded, §10."""
    game = play(placed(), "0 attack 7c; 1 beat 7c 8c; 0 pass; 2 pass")
    assert [str(game.view(seat).memory.discarded) for seat in range(3)] == ["7c 8c"] * 3


def test_with_a_perfect_memory_cards_taken_up_in_sight_are_named():
    """Everybody knows which cards the defender has taken up, §10."""
    game = play(placed(), "0 attack 7c; 1 beat 7c 8c; 0 throw 7s; 1 take; 2 pass")
    assert known(game.view(0)) == ["Kc", "7c 8c 7s", ""]
    assert known(game.view(1)) == ["", "7c 8c 9h Ah 7s", ""]
    assert known(game.view(2)) == ["", "7c 8c 7s", "7d Qd 8h"]


def test_a_known_card_that_is_played_again_is_known_no_longer():
    """What has left a hand is not in it, §10."""
    game = play(placed(["7c Kc Jh", "8d 9h Ah", "Qh Td 6h"]), "0 attack 7c; 1 take; 2 attack Qh; 0 take; 1 attack 7c; 2 take")
    assert known(game.view(0)) == ["Kc Jh Qh", "", "7c"]


def test_the_turn_up_is_known_to_be_in_the_hand_that_drew_it():
    """Everybody saw it lie there and go, §10."""
    game = Game.from_position(Rules(hand_size=2), hands=["7c 7d", "8c 9d"], trump="h", talon="Ts 6h", turn_up="6h")
    play(game, "0 attack 7c; 1 beat 7c 8c; 0 pass")
    assert (known(game.view(0)), known(game.view(1))) == (["7d Ts", "6h"], ["", "9d 6h"])


def test_the_turn_up_in_the_talon_is_known():
    """It lies face up at the bottom, or on top, §10."""
    bottom = Game(Rules(), seed=3)
    assert lying(bottom.view(0)) == [(23, str(bottom.turn_up))]
    top = Game(Rules.preset("albanian"), seed=3)
    assert lying(top.view(1)) == [(0, str(top.turn_up))]


@pytest.mark.parametrize(
    ("options", "unseen"),
    [
        ({}, 36 - 6 - 1),
        ({"turn_up": "aside"}, 36 - 6 - 1),
        ({"trump": "h"}, 36 - 6),
        ({"deal": "all_but_one"}, 36 - 18 - 1),
        ({"deal": "all_but_one", "trump": "none"}, 36 - 18),
        ({"decks": 2}, 72 - 6 - 1),
    ],
)
def test_what_a_seat_cannot_place_is_all_the_rest(options, unseen):
    """At the start a seat knows its hand and the turn-up, and cannot place the other cards, §10."""
    game = Game(Rules(**options), seed=2, dealer=0)
    view = game.view(1)
    assert len(view.memory.unseen) == unseen
    assert not any(card in view.memory.unseen for card in view.hand) or "decks" in options
    assert sum(len(cards) for cards in view.memory.known) == len(view.hand)


def test_what_was_seen_is_no_longer_unseen():
    """Cards on the table, discarded or taken up in sight can be placed, §10."""
    game = play(placed(), "0 attack 7c; 1 beat 7c 8c; 0 throw 7s")
    view = game.view(2)
    assert not any(card in view.memory.unseen for card in ["7c", "8c", "7s", "7d", "8h", "Qd"])
    assert len(view.memory.unseen) == 36 - 6
    play(game, "1 take; 2 pass")
    assert len(game.view(2).memory.unseen) == 36 - 6


def test_the_card_that_showed_the_trump_from_a_hand_is_known():
    """Where all cards are dealt, everybody saw the last, §4.2, §10."""
    game = Game(Rules(players=3, deal="all"), seed=1, dealer=0)
    holder = 0
    (card,) = game.view(1).memory.known[holder]
    assert (card.suit, card in game.hands[holder]) == (game.trump, True)


def test_the_memory_may_be_switched_off():
    """Without it nothing is remembered that does not lie open; what happened is still told, §10."""
    game = play(placed(), "0 attack 7c; 1 beat 7c 8c; 0 throw 7s; 1 take; 2 pass")
    view = game.view(0, memory=False)
    assert view.memory is None
    assert (str(view.hand), view.counts, view.discard_count) == ("Kc", (1, 5, 3), 0)
    assert course(view) == course(game.view(0))
    assert view != game.view(0)


def test_without_memory_the_discard_pile_is_a_number():
    """How many cards lie there, and nothing else, §10."""
    game = play(placed(), "0 attack 7c; 1 beat 7c 8c; 0 pass; 2 pass")
    view = game.view(2, memory=False)
    assert (view.discard_count, view.memory) == (2, None)


# Copies


def test_of_two_copies_the_one_that_is_played_may_be_the_one_that_was_seen():
    """Seat 1 took up a seven of clubs and held another: once it has played one, nobody is sure of a second, §2, §10."""
    game = placed(["7c Kc Qc", "7c 8d 9d", "Jh Qh 6d"], decks=2)
    play(game, "0 attack 7c; 1 take")
    assert (known(game.view(0))[1], known(game.view(2))[1]) == ("7c", "7c")
    play(game, "2 attack Jh; 0 take; 1 attack 7c; 2 take; 1 pass")
    assert str(game.hands[1]) == "7c 8d 9d"
    assert known(game.view(0)) == ["Qc Kc Jh", "", "7c"]
    assert known(game.view(2))[1] == ""


def test_of_two_copies_taken_up_in_sight_one_stays_known():
    """Both were seen; one is played, so the other is still there, §2, §10."""
    game = placed(["7c 7c Kc Qc", "8c 8d 9d", "Jh Qh 6d"], decks=2)
    play(game, "0 attack 7c; 1 take; 0 throw 7c")
    assert known(game.view(2))[1] == "7c 7c"
    play(game, "2 attack Jh; 0 take; 1 attack 7c")
    assert (known(game.view(0))[1], known(game.view(2))[1]) == ("7c", "7c")


# Swaps


def swapping(hands=("6c 9c", "7c Kh"), talon="8d 9h Ts Js Qs Ks 8h", **options):
    """Two hands of two, hearts as trumps, the turn-up 8h at the bottom of the talon."""
    rules = Rules(**({"swaps": 3, "hand_size": 2} | options))
    return Game.from_position(rules, hands=list(hands), trump="h", talon=talon, turn_up="8h")


def test_who_swapped_knows_what_it_put_back_and_where():
    """The two cards lie above the turn-up, and only the seat that put them there knows it, §5.8, §10."""
    game = play(swapping(), "0 swap 6c 9c")
    assert lying(game.view(0)) == [(4, "6c"), (5, "9c"), (6, "8h")]
    assert lying(game.view(1)) == [(6, "8h")]


def test_others_see_that_a_seat_swapped_and_not_what():
    """The cards of a swap are not face up, so the course does not name them to others, §10."""
    game = play(swapping(), "0 swap 6c 9c; 0 attack 8d")
    assert course(game.view(0)) == ["0 swap 6c 9c", "0 attack 8d"]
    assert course(game.view(1)) == ["0 swap", "0 attack 8d"]
    assert game.view(1).swapped == (1, 0)


def test_others_cannot_tell_which_cards_were_swapped():
    """Two games that differ in what was put back and taken look alike to the other seat, §10."""
    one = play(swapping(), "0 swap 6c 9c; 0 attack 8d")
    other = play(swapping(("6d 9c", "7c Kh")), "0 swap 6d 9c; 0 attack 8d")
    assert one.view(1) == other.view(1)
    assert one.view(0) != other.view(0)


def test_what_was_put_back_moves_up_as_cards_are_drawn():
    """Draws are counted in sight, so its places are known to the end, §10."""
    game = play(swapping(), "0 swap 6c 9c; 0 attack 8d; 1 beat 8d Kh")
    assert lying(game.view(0)) == [(2, "6c"), (3, "9c"), (4, "8h")]


def test_another_swap_moves_what_was_put_back():
    """The other takes the two topmost and puts two beneath: one's own come up by two, §5.8, §10."""
    game = play(swapping(), "0 swap 6c 9c; 0 attack 8d; 1 beat 8d Kh; 1 swap 7c Js")
    assert lying(game.view(0)) == [(0, "6c"), (1, "9c"), (4, "8h")]
    assert lying(game.view(1)) == [(2, "7c"), (3, "Js"), (4, "8h")]


def test_what_was_put_back_is_known_in_the_hand_that_draws_it():
    """Who knows the card and the place knows who drew it; the others do not, §10."""
    game = play(swapping(), "0 swap 6c 9c; 0 attack 8d; 1 beat 8d Kh; 1 swap 7c Js; 1 attack Qs; 0 beat Qs 9h")
    assert [str(hand) for hand in game.hands] == ["9c Ts", "6c Ks"]
    assert known(game.view(0)) == ["9c Ts", "6c"]
    assert known(game.view(1)) == ["", "6c Ks"]
    assert lying(game.view(1)) == [(0, "7c"), (1, "Js"), (2, "8h")]


def test_what_another_takes_in_a_swap_is_known_in_its_hand():
    """The other's swap takes the two topmost, and who put them there knows which two, §5.8, §10."""
    game = swapping(("6c 9c Kc", "7c As Qd"), talon="8d 9h 8h", hand_size=1)
    play(game, "0 swap 6c 9c; 0 attack 8d; 1 beat 8d Qd; 1 swap 7c As")
    assert [str(hand) for hand in game.hands] == ["Kc 9h", "6c 9c"]
    assert known(game.view(0)) == ["Kc 9h", "6c 9c"]


def test_known_cards_of_a_hand_that_swaps_are_certain_no_longer():
    """Which two it gave away is not seen, so none of its cards is certain, §10."""
    game = swapping(("Qd Kc 6h", "7c 9c Ad", "6d Jc Th"), talon="8d 9h Ts Js 8h", hand_size=3, players=3)
    play(game, "0 attack Qd; 1 take; 2 attack 6d; 0 take")
    assert known(game.view(2))[:2] == ["6d", "Qd"]
    play(game, "1 swap 7c 9c")
    assert known(game.view(2))[:2] == ["6d", ""]


def test_cards_put_back_may_be_followed_without_the_turn_up():
    """With a fixed suit no turn-up lies below them, and they are the last of the talon, §5.8, §10."""
    rules = Rules(trump="h", swaps=1, hand_size=2)
    game = Game.from_position(rules, hands=["6c 9c", "7c Kh"], talon="8d 9h Ts Js")
    play(game, "0 swap 6c 9c")
    assert (lying(game.view(0)), lying(game.view(1))) == ([(2, "6c"), (3, "9c")], [])


def test_without_memory_a_swap_is_forgotten():
    """Memory switched off: the seat does not keep in mind what it put back, §10."""
    game = play(swapping(), "0 swap 6c 9c")
    assert game.view(0, memory=False).memory is None
    assert legal(game) == "attack 8d; attack 9h"


def copies(hands, size):
    """Two decks, hearts as trumps with nothing turned up, and a talon of two cards."""
    rules = Rules(trump="h", decks=2, swaps=1, hand_size=size)
    return Game.from_position(rules, hands=hands, talon="8d 9h")


def test_a_card_put_back_and_drawn_is_uncertain_once_a_copy_is_played():
    """Seat 1 drew the six that seat 0 had put back, and plays a six: it may be that one, §2, §10."""
    game = play(copies(["6c 9c Kc", "6c Kh"], 2), "0 swap 6c 9c; 0 attack 8d; 1 beat 8d Kh; 0 pass")
    assert (str(game.hands[1]), known(game.view(0))[1]) == ("6c 6c", "6c")
    play(game, "1 attack 6c")
    assert (str(game.hands[1]), known(game.view(0))[1]) == ("6c", "")


def test_who_knows_of_both_copies_knows_which_is_left():
    """One six was taken up in sight, the other put back by the viewer and drawn: one played, one known, §2, §10."""
    game = play(copies(["6c 6c 9c Kc Ks", "Kh Qs"], 3), "0 attack 6c; 1 take; 0 pass; 0 swap 6c 9c; 0 attack 8d; 1 beat 8d Kh; 0 pass")
    assert (str(game.hands[1]), known(game.view(0))[1]) == ("6c 6c Qs", "6c 6c")
    play(game, "1 attack 6c")
    assert known(game.view(0))[1] == "6c"
