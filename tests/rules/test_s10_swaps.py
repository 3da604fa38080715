"""Rule book §10: a seat's knowledge about cards swapped with the talon."""

from durak_widget import Game, Rules
from support.rule_examples import course, known, legal, lying, play


def swap_game(hands=("6c 9c", "7c Kh"), talon="8d 9h Ts Js Qs Ks 8h", **options):
    """Return a game: two hands of two, hearts as trumps, the turn-up 8h at the bottom of the talon."""
    rules = Rules(**({"swaps": 3, "hand_size": 2} | options))
    return Game.from_position(rules, hands=list(hands), trump="h", talon=talon, turn_up="8h")


def test_a_seat_knows_the_place_of_the_cards_it_put_back():
    """The two cards lie above the turn-up, and only the seat that put them there knows it, §5.8, §10."""
    game = play(swap_game(), "0 swap 6c 9c")
    assert lying(game.view(0)) == [(4, "6c"), (5, "9c"), (6, "8h")]
    assert lying(game.view(1)) == [(6, "8h")]


def test_others_see_a_swap_but_not_its_cards():
    """The cards of a swap are not face up, so the history does not name them to others, §10."""
    game = play(swap_game(), "0 swap 6c 9c; 0 attack 8d")
    assert course(game.view(0)) == ["0 swap 6c 9c", "0 attack 8d"]
    assert course(game.view(1)) == ["0 swap", "0 attack 8d"]
    assert game.view(1).swap_counts == (1, 0)


def test_others_cannot_distinguish_the_swapped_cards():
    """Two games that differ in the swapped cards look alike to the other seat, §10."""
    game = play(swap_game(), "0 swap 6c 9c; 0 attack 8d")
    other = play(swap_game(("6d 9c", "7c Kh")), "0 swap 6d 9c; 0 attack 8d")
    assert game.view(1) == other.view(1)
    assert game.view(0) != other.view(0)


def test_cards_put_back_move_up_as_cards_are_drawn():
    """All see how many cards are drawn, so the seat knows the places to the end, §10."""
    game = play(swap_game(), "0 swap 6c 9c; 0 attack 8d; 1 beat 8d Kh")
    assert lying(game.view(0)) == [(2, "6c"), (3, "9c"), (4, "8h")]


def test_another_swap_moves_the_cards_put_back():
    """The other takes the two topmost and puts two beneath, so the seat's own cards move up by two, §5.8, §10."""
    game = play(swap_game(), "0 swap 6c 9c; 0 attack 8d; 1 beat 8d Kh; 1 swap 7c Js")
    assert lying(game.view(0)) == [(0, "6c"), (1, "9c"), (4, "8h")]
    assert lying(game.view(1)) == [(2, "7c"), (3, "Js"), (4, "8h")]


def test_a_card_put_back_is_known_in_the_hand_that_draws_it():
    """A seat that knows the card and its place knows who drew it; the others do not, §10."""
    game = play(swap_game(), "0 swap 6c 9c; 0 attack 8d; 1 beat 8d Kh; 1 swap 7c Js; 1 attack Qs; 0 beat Qs 9h")
    assert [str(hand) for hand in game.hands] == ["9c Ts", "6c Ks"]
    assert known(game.view(0)) == ["9c Ts", "6c"]
    assert known(game.view(1)) == ["", "6c Ks"]
    assert lying(game.view(1)) == [(0, "7c"), (1, "Js"), (2, "8h")]


def test_cards_another_seat_takes_in_a_swap_are_known_in_its_hand():
    """The other's swap takes the two topmost cards, and the seat that put them there knows them, §5.8, §10."""
    game = swap_game(("6c 9c Kc", "7c As Qd"), talon="8d 9h 8h", hand_size=1)
    play(game, "0 swap 6c 9c; 0 attack 8d; 1 beat 8d Qd; 1 swap 7c As")
    assert [str(hand) for hand in game.hands] == ["Kc 9h", "6c 9c"]
    assert known(game.view(0)) == ["Kc 9h", "6c 9c"]


def test_after_a_swap_no_card_of_that_hand_is_certain():
    """The others do not see which two it gave away, so none of its cards is certain, §10."""
    game = swap_game(("Qd Kc 6h", "7c 9c Ad", "6d Jc Th"), talon="8d 9h Ts Js 8h", hand_size=3, players=3)
    play(game, "0 attack Qd; 1 take; 2 attack 6d; 0 take")
    assert known(game.view(2))[:2] == ["6d", "Qd"]
    play(game, "1 swap 7c 9c")
    assert known(game.view(2))[:2] == ["6d", ""]


def test_cards_put_back_are_followed_without_a_turn_up():
    """With a fixed trump suit there is no turn-up below them, and they are the last of the talon, §5.8, §10."""
    rules = Rules(trump="h", swaps=1, hand_size=2)
    game = Game.from_position(rules, hands=["6c 9c", "7c Kh"], talon="8d 9h Ts Js")
    play(game, "0 swap 6c 9c")
    assert (lying(game.view(0)), lying(game.view(1))) == ([(2, "6c"), (3, "9c")], [])


def test_without_memory_a_swap_is_forgotten():
    """With memory off, the seat does not remember what it put back, §10."""
    game = play(swap_game(), "0 swap 6c 9c")
    assert game.view(0, memory=False).memory is None
    assert legal(game) == "attack 8d; attack 9h"


def test_a_covered_view_does_not_name_the_cards_swapped():
    """Nobody saw the cards given to the talon, so the covered view does not name them, §5.8, §10."""
    game = play(swap_game(), "0 swap 6c 9c; 0 attack 8d")
    other = play(swap_game(("6d 9c", "7c Kh")), "0 swap 6d 9c; 0 attack 8d")
    assert course(game.view(0).without_hand()) == ["0 swap", "0 attack 8d"]
    assert game.view(0).without_hand() == other.view(0).without_hand()
    assert hash(game.view(0).without_hand()) == hash(other.view(0).without_hand())


def two_deck_game(hands, size):
    """Return a game: two decks, hearts as trumps with nothing turned up, and a talon of two cards."""
    rules = Rules(trump="h", decks=2, swaps=1, hand_size=size)
    return Game.from_position(rules, hands=hands, talon="8d 9h")


def test_a_card_put_back_and_drawn_is_uncertain_once_a_copy_is_played():
    """Seat 1 drew the six that seat 0 had put back, and plays a six: it may be that one, §2, §10."""
    game = play(two_deck_game(["6c 9c Kc", "6c Kh"], 2), "0 swap 6c 9c; 0 attack 8d; 1 beat 8d Kh; 0 pass")
    assert (str(game.hands[1]), known(game.view(0))[1]) == ("6c 6c", "6c")
    play(game, "1 attack 6c")
    assert (str(game.hands[1]), known(game.view(0))[1]) == ("6c", "")


def test_a_seat_that_knows_both_copies_knows_which_is_left():
    """One six was picked up in sight; the viewer put back the other, and it was drawn: one played, one known, §2, §10."""
    game = play(
        two_deck_game(["6c 6c 9c Kc Ks", "Kh Qs"], 3), "0 attack 6c; 1 take; 0 pass; 0 swap 6c 9c; 0 attack 8d; 1 beat 8d Kh; 0 pass"
    )
    assert (str(game.hands[1]), known(game.view(0))[1]) == ("6c 6c Qs", "6c 6c")
    play(game, "1 attack 6c")
    assert known(game.view(0))[1] == "6c"
