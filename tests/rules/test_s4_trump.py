"""Rule book §4: the trump, and the changeable trump."""

from durak_widget import Game, Rules
from support.rule_examples import IN_ORDER, everything, hands, legal, play, stacked, talon

# §4.2 Trump


def test_the_last_card_of_the_talon_shows_the_trump():
    """`bottom`: the last card of the talon lies face up at the bottom, §4.2."""
    game = Game(Rules(), deck=IN_ORDER)
    assert (str(game.turn_up), game.trump) == ("As", "s")
    assert talon(game).endswith(" As")
    assert game.card_aside is None


def test_the_first_card_of_the_talon_shows_the_trump():
    """`top`: the first card of the talon lies face up on top, §4.2."""
    game = Game(Rules.preset("albanian"), deck=IN_ORDER)
    assert (str(game.turn_up), game.trump) == ("9d", "d")
    assert talon(game).startswith("9d Td ")


def test_a_turn_up_aside_is_out_of_play():
    """`aside`: the last card of the talon shows the suit and is taken out of play, §4.2."""
    game = Game(Rules(turn_up="aside"), deck=IN_ORDER)
    assert (str(game.turn_up), game.trump, str(game.card_aside)) == ("As", "s", "As")
    assert talon(game).endswith(" Qs Ks")
    assert len(game.talon) == 23
    assert everything(game)["As"] == 0


def test_the_turn_up_on_top_is_drawn_first_and_its_suit_stays_trump():
    """`top`: the first draw takes the turn-up, and the trump suit stays, §4.2."""
    game = Game.from_position(Rules(turn_up="top", hand_size=2), hands=["6c 9c", "7c 9d"], trump="h", talon="8h 9s Ts", turn_up="8h")
    play(game, "0 attack 6c; 1 beat 6c 7c")
    assert hands(game) == ["9c 8h", "9d 9s"]
    assert (game.turn_up, game.trump, talon(game)) == (None, "h", "Ts")


def test_the_turn_up_at_the_bottom_is_drawn_last_and_its_suit_stays_trump():
    """`bottom`: the last draw takes the turn-up, and the trump suit stays, §4.2."""
    game = Game.from_position(Rules(hand_size=2), hands=["6c 9c", "7c 9d"], trump="h", talon="9s 8h", turn_up="8h")
    play(game, "0 attack 6c; 1 beat 6c 7c")
    assert hands(game) == ["9c 9s", "9d 8h"]
    assert (game.turn_up, game.trump, talon(game)) == (None, "h", "")


def test_without_trumps_there_is_no_turn_up():
    """`none`: no trump suit, no turn-up, and every card left is in the talon, §4.2."""
    for turn_up in ("bottom", "top", "aside"):
        game = Game(Rules(trump="none", turn_up=turn_up), deck=IN_ORDER)
        assert (game.trump, game.turn_up, game.card_aside, len(game.talon)) == (None, None, None, 24)


def test_a_fixed_suit_is_trump_without_a_turn_up():
    """A suit: that suit is trump, nothing is turned up and the talon stays face down, §4.2."""
    for turn_up in ("bottom", "top", "aside"):
        for suit in ("c", "d", "h", "s"):
            game = Game(Rules(trump=suit, turn_up=turn_up), deck=IN_ORDER)
            assert (game.trump, game.turn_up, game.card_aside, len(game.talon)) == (suit, None, None, 24)
            assert game.view(0).memory.talon == ()


def test_if_all_cards_are_dealt_the_last_shows_the_trump():
    """`all`: the suit of the last card dealt is trump; it stays in that hand, seen by all, §4.2."""
    game = Game(Rules(players=5, deal="all"), deck=IN_ORDER, dealer=2)
    assert (game.trump, game.card_aside) == ("s", None)
    assert "As" in game.hands[3]
    assert [str(game.view(seat).memory.known[3]) for seat in (0, 1, 2, 4)] == ["As"] * 4


def test_a_deal_without_a_talon_shows_the_trump_with_the_last_card():
    """Six hands of six leave no talon: the last card dealt shows the suit and stays, whatever `turn_up` says, §4.2."""
    for turn_up in ("bottom", "top", "aside"):
        game = Game(Rules(players=6, turn_up=turn_up), deck=IN_ORDER, dealer=0)
        assert (game.trump, game.card_aside, game.talon) == ("s", None, ())
        assert [len(hand) for hand in game.hands] == [6] * 6
        assert "As" in game.hands[0]
        assert str(game.view(3).memory.known[0]) == "As"


def test_the_card_left_over_shows_the_trump_whatever_turn_up_says():
    """`turn_up` matters only if a talon is left; in `all_but_one` the last card is out of play, §4.2."""
    for turn_up in ("bottom", "top", "aside"):
        game = Game(Rules(deal="all_but_one", turn_up=turn_up), deck=IN_ORDER, dealer=0)
        assert (str(game.turn_up), str(game.card_aside), game.trump, game.talon) == ("As", "As", "s", ())


def test_without_a_turn_up_the_card_left_over_shows_no_trump():
    """The last card is still not dealt, and its suit does not matter, §4.1, §4.2."""
    for trump, suit in (("none", None), ("h", "h")):
        game = Game(Rules(deal="all_but_one", trump=trump), deck=IN_ORDER, dealer=0)
        assert (game.turn_up, game.trump) == (None, suit)
        assert [len(hand) for hand in game.hands] == [17, 18]
        assert "As" not in game.hands[0] | game.hands[1]


SMALL = "6c 7c 8c 9c 6d 7d 8d 9d 6h 7h 8h 9h 6s 7s 8s 9s Xr Xb"
"""Four ranks and two jokers: two hands of three, and twelve cards that end in spades and jokers."""


def test_a_joker_or_spade_at_the_bottom_is_swapped_with_the_next_card_above():
    """A card that cannot show a suit changes places with the nearest card above it that can, §4.2."""
    for spades, left, suit, turn_up in (
        # past the jokers
        (False, "8d 9d 6h 7h 8h 9h 6s 7s 8s Xb Xr 9s", "s", "9s"),
        # past the jokers and the spades
        (True, "8d 9d 6h 7h 8h Xb 6s 7s 8s 9s Xr 9h", "h", "9h"),
    ):
        game = Game(Rules(ranks="6789", jokers=2, hand_size=3, spades_by_spades=spades), deck=SMALL)
        assert hands(game) == ["7c 9c 7d", "6c 8c 6d"]
        assert (talon(game), game.trump, str(game.turn_up)) == (left, suit, turn_up)


def test_a_turn_up_aside_is_exchanged_before_it_is_taken_out():
    """`aside`: the exchanged card is the one out of play, and the joker stays in the talon, §4.2."""
    game = Game(Rules(ranks="6789", jokers=2, hand_size=3, turn_up="aside"), deck=SMALL)
    assert (talon(game), game.trump, str(game.turn_up)) == ("8d 9d 6h 7h 8h 9h 6s 7s 8s Xb Xr", "s", "9s")


def test_a_joker_or_spade_on_top_is_swapped_with_the_next_card_below():
    """`top`: the card changes places with the nearest card below it that can show a suit, §4.2."""
    for spades, left, suit, turn_up in (
        # past a joker
        (False, "6s Xr 8d 9d 6h 7h 8h 9h 7s 8s 9s Xb", "s", "6s"),
        # past a joker and a spade
        (True, "8d 6s Xr 9d 6h 7h 8h 9h 7s 8s 9s Xb", "d", "8d"),
    ):
        deck = "6c 7c 8c 9c 6d 7d Xr 6s 8d 9d 6h 7h 8h 9h 7s 8s 9s Xb"
        game = Game(Rules(ranks="6789", jokers=2, hand_size=3, turn_up="top", spades_by_spades=spades), deck=deck)
        assert (talon(game), game.trump, str(game.turn_up)) == (left, suit, turn_up)


def test_the_exchange_may_reach_the_last_card_of_the_talon():
    """The exchange looks through the whole talon, but not further, §4.2."""
    for options, deck, left, turn_up in (
        # the top card of the talon for the bottom one
        ({"turn_up": "bottom"}, "7c 6d 7d 6c Xr Xb", "Xb Xr 6c", "6c"),
        # the bottom card of the talon for the top one
        ({"turn_up": "top"}, "7c 6d 7d Xr Xb 6c", "6c Xb Xr", "6c"),
        # the top card of the talon for the one aside
        ({"turn_up": "aside"}, "7c 6d 7d 6c Xr Xb", "Xb Xr", "6c"),
    ):
        rules = Rules(players=3, ranks="67", suits="cd", jokers=2, hand_size=1, **options)
        game = Game(rules, deck=deck)
        assert (talon(game), str(game.turn_up), game.trump) == (left, turn_up, turn_up[1])
        assert sorted(str(hand) for hand in game.hands) == ["6d", "7c", "7d"]


def test_a_dealt_card_never_becomes_the_turn_up():
    """If no card of the talon can show a suit, the hands are left alone, §4.2."""
    game = Game(Rules(players=2, ranks="6", suits="cd", jokers=2, hand_size=1), deck="6c 6d Xr Xb")
    assert (talon(game), game.turn_up, game.trump) == ("Xr Xb", None, None)


def test_if_all_cards_are_dealt_the_last_possible_card_shows_the_trump():
    """`all`: the last card dealt that can show the suit shows it; no card changes hands, §4.2."""
    for spades, suit, card in ((False, "s", "9s"), (True, "h", "9h")):
        game = Game(Rules(ranks="6789", jokers=2, deal="all", spades_by_spades=spades), deck=SMALL)
        assert hands(game) == ["7c 9c 7d 9d 7h 9h 7s 9s Xb", "6c 8c 6d 8d 6h 8h 6s 8s Xr"]
        assert (game.trump, str(game.view(1).memory.known[0])) == (suit, card)


def test_the_card_left_over_is_swapped_with_the_last_possible_dealt_card():
    """`all_but_one`: the joker goes to the hand that held the last card dealt that can show a suit, §4.2."""
    for spades, seat_0, turn_up in ((False, "7c 9c 7d 9d 7h 9h 7s Xb", "9s"), (True, "7c 9c 7d 9d 7h 7s 9s Xb", "9h")):
        game = Game(Rules(ranks="6789", jokers=2, deal="all_but_one", spades_by_spades=spades), deck=SMALL)
        assert hands(game) == [seat_0, "6c 8c 6d 8d 6h 8h 6s 8s Xr"]
        assert (str(game.turn_up), str(game.card_aside), game.trump) == (turn_up, turn_up, turn_up[1])


def test_if_no_card_can_show_a_suit_there_are_no_trumps():
    """Then there are no trumps and no turn-up, and the talon keeps all its cards, §4.2."""
    for turn_up in ("bottom", "top", "aside"):
        game = Game(Rules(suits="s", hand_size=2, spades_by_spades=True, turn_up=turn_up), deck="6s 7s 8s 9s Ts Js Qs Ks As")
        assert (game.trump, game.turn_up, game.card_aside, talon(game)) == (None, None, None, "Ts Js Qs Ks As")


def test_a_talon_of_jokers_shows_no_trump_whatever_the_hands_are():
    """The exchange stays inside the talon; cards in hands do not show the suit while there is a talon, §4.2."""
    game = Game(Rules(ranks="6789", jokers=2, hand_size=8), deck=SMALL)
    assert (game.trump, game.turn_up, talon(game)) == (None, None, "Xr Xb")


def test_if_no_dealt_card_can_show_a_suit_there_are_no_trumps():
    """Under `spades_by_spades` spades alone show nothing, however they are dealt, §4.2."""
    for deal in ("all", "all_but_one"):
        game = Game(Rules(suits="s", deal=deal, spades_by_spades=True), deck="6s 7s 8s 9s Ts Js Qs Ks As")
        assert (game.trump, game.turn_up, game.talon) == (None, None, ())


# §4.3 Changeable trump


def test_the_hidden_trump_lies_under_the_turn_up():
    """The last card lies face down; the turn-up is the last but one, and its suit is trump, §4.3."""
    rules = Rules.preset("changeable_trump")
    game = Game(rules, deck=stacked(rules, hands=["6c 7c 8c 9c Tc Jc", "6d 7d 8d 9d Td Jd"], bottom="9h Ks"))
    assert talon(game).endswith(" 9h Ks")
    assert (str(game.turn_up), game.trump) == ("9h", "h")


def test_hidden_card_and_turn_up_are_both_exchanged_hidden_first():
    """First the last card, then the last but one, changes places with the nearest card above them that can show a suit, §4.3."""
    rules = Rules(ranks="6789", jokers=2, hand_size=7, hidden_trump=True)
    game = Game(rules, deck=stacked(rules, hands=["6c 7c 8c 9c 8d 9d 7d", "6h 8h 9h 6s 7s 8s 9s"], bottom="6d 7h Xr Xb"))
    assert talon(game) == "Xr Xb 6d 7h"
    assert (str(game.turn_up), game.trump) == ("6d", "d")


def test_a_possible_hidden_card_stays_when_the_turn_up_is_exchanged():
    """Only the card that cannot show a suit is exchanged, §4.3."""
    rules = Rules(ranks="6789", jokers=2, hand_size=7, hidden_trump=True)
    game = Game(rules, deck=stacked(rules, hands=["6c 7c 8c 9c 8d 9d 7d", "6h 8h 9h 6s 7s 8s 9s"], bottom="Xr 6d Xb 7h"))
    assert talon(game) == "Xr Xb 6d 7h"
    assert (str(game.turn_up), game.trump) == ("6d", "d")


def test_the_turn_up_does_not_become_the_hidden_card():
    """The last card changes places with one above the two, not with the turn-up beside it, §4.3."""
    rules = Rules(ranks="6789", jokers=2, hand_size=7, hidden_trump=True)
    game = Game(rules, deck=stacked(rules, hands=["6c 7c 8c 9c 9d 7d Xr", "6h 8h 9h 6s 7s 8s 9s"], bottom="6d 7h 8d Xb"))
    assert talon(game) == "6d Xb 8d 7h"
    assert (str(game.turn_up), game.trump) == ("8d", "d")


def test_under_spades_by_spades_no_spade_is_hidden_or_turned_up():
    """A spade cannot show the trump suit, so both cards are exchanged, §4.2, §4.3."""
    rules = Rules(ranks="6789", hand_size=6, hidden_trump=True, spades_by_spades=True)
    game = Game(rules, deck=stacked(rules, hands=["6c 7c 8c 9c 8d 9d", "7d 8h 9h 6s 7s 6h"], bottom="6d 7h 8s 9s"))
    assert talon(game) == "8s 9s 6d 7h"
    assert (str(game.turn_up), game.trump) == ("6d", "d")


def test_a_turn_up_that_cannot_show_a_suit_means_no_trumps_for_now():
    """If no card above can replace it, it stays face up; the hidden card gives the trump when it is drawn, §4.3."""
    rules = Rules(players=3, ranks="6789", jokers=2, hand_size=5, hidden_trump=True)
    deck = "6c 7c 8c 9c 6d 7d 8d 9d 6h 8h 9h 6s 7s 8s 9s 7h Xr Xb"
    game = Game(rules, deck=deck, dealer=2)
    assert talon(game) == "Xb Xr 7h"
    assert (str(game.turn_up), game.trump, game.attacker) == ("Xr", None, 0)
    play(game, "0 attack 6c; 1 beat 6c 7c; 0 pass; 2 pass")
    assert hands(game) == ["9c 8d 8h 7s Xb", "6d 9d 9h 8s Xr", "8c 7d 6h 6s 9s"]
    assert (str(game.turn_up), game.trump, talon(game)) == ("7h", "h", "7h")


def test_two_jokers_alone_give_no_trumps():
    """With nothing above the two they stay as they are: no trumps, and none later, §4.3."""
    rules = Rules(ranks="6789", jokers=2, hand_size=8, hidden_trump=True)
    game = Game(rules, deck=SMALL)
    assert (talon(game), str(game.turn_up), game.trump) == ("Xr Xb", "Xr", None)


def changing_trump_game(hands, *, size=2, left="8h 9s", **options):
    """Return a position with hearts as trumps, in which the turn-up 8h lies on a hidden card."""
    return Game.from_position(Rules(hidden_trump=True, hand_size=size, **options), hands=hands, trump="h", talon=left, turn_up="8h")


def test_the_hidden_card_is_turned_over_when_the_turn_up_is_drawn():
    """Its suit is trump from then on, and it lies face up until it is drawn in its turn, §4.3."""
    game = changing_trump_game(["6c 9c", "7c 9d"])
    play(game, "0 attack 6c; 1 take")
    assert hands(game) == ["9c 8h", "6c 7c 9d"]
    assert (game.trump, str(game.turn_up), talon(game)) == ("s", "9s", "9s")
    assert (str(game.view(1).turn_up), game.view(1).trump, game.view(1).talon_count) == ("9s", "s", 1)
    play(game, "0 attack 9c; 1 take")
    assert hands(game)[0] == "8h 9s"
    assert (game.trump, game.turn_up, talon(game)) == ("s", None, "")


def test_both_cards_may_be_drawn_in_one_refill_by_two_seats():
    """The attacker draws the turn-up, the defender the card that was hidden: both were seen, §4.3."""
    game = changing_trump_game(["6c 9c", "7c 9d"])
    play(game, "0 attack 6c; 1 beat 6c 7c")
    assert hands(game) == ["9c 8h", "9d 9s"]
    assert (game.trump, game.turn_up, talon(game)) == ("s", None, "")
    assert str(game.view(1).memory.known[0]) == "8h"
    assert str(game.view(0).memory.known[1]) == "9s"
    play(game, "1 attack 9d")
    assert legal(game) == "take"


def test_both_cards_may_be_drawn_in_one_refill_by_one_seat():
    """A seat that draws two gets the turn-up and the card that was hidden, and the suit of that card is trump, §4.3."""
    game = changing_trump_game(["6c 7d Kc", "7c 9d Qd"], size=3)
    play(game, "0 attack 6c; 1 beat 6c 7c; 0 throw 7d; 1 beat 7d 9d")
    assert hands(game) == ["Kc 8h 9s", "Qd"]
    assert (game.trump, game.turn_up, talon(game)) == ("s", None, "")
    assert str(game.view(1).memory.known[0]) == "8h 9s"
    play(game, "1 attack Qd")
    assert legal(game) == "beat Qd 9s; take"


def test_the_bout_end_names_the_cards_that_were_turned():
    """It names the turn-up that was drawn and the card that was turned over, §4.3, §10."""
    for hands_dealt, line, turned in (
        (["6c 9c", "7c 9d"], "0 attack 6c; 1 take", ("8h", "9s")),
        (["6c 9c", "7c 9d"], "0 attack 6c; 1 beat 6c 7c", ("8h", "9s")),
    ):
        game = play(changing_trump_game(hands_dealt), line)
        assert game.view(0).bout_ends[-1].turned_cards == turned
        assert game.view(0).bout_ends[-1].trump == "h"


def test_a_hidden_card_of_the_same_suit_changes_nothing():
    """The hidden card may be a trump; the trump suit stays, §4.3."""
    game = changing_trump_game(["6c 9c", "7c 9d"], left="8h 9h")
    play(game, "0 attack 6c; 1 take")
    assert (game.trump, str(game.turn_up)) == ("h", "9h")


def test_a_hidden_card_that_cannot_show_a_suit_keeps_the_trumps():
    """A spade under `spades_by_spades` is turned over, and hearts stay trumps, §4.3."""
    game = changing_trump_game(["6c 9c", "7c 9d"], spades_by_spades=True)
    play(game, "0 attack 6c; 1 take")
    assert (game.trump, str(game.turn_up), talon(game)) == ("h", "9s", "9s")
