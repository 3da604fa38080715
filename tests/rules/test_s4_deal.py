"""Rule book §4: the deal, and the first attacker."""

import random

import pytest

from durak_widget import Game, PositionError, Rules
from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.engine.state import shuffle_deck
from support.rule_examples import IN_ORDER, hands, stacked, talon, whole_deck

# §4.1 Dealing


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left():
    """The first card goes to the seat after the dealer, the next to the one after it, and so on, §4.1."""
    game = Game(Rules(), deck=IN_ORDER, dealer=0)
    assert hands(game) == ["7c 9c Jc Kc 6d 8d", "6c 8c Tc Qc Ac 7d"]
    assert talon(game) == "9d Td Jd Qd Kd Ad 6h 7h 8h 9h Th Jh Qh Kh Ah 6s 7s 8s 9s Ts Js Qs Ks As"


def test_the_dealer_is_dealt_last():
    """With three seats and dealer 1, seat 2 is dealt first, then 0, then 1, §4.1."""
    game = Game(Rules(players=3), deck=IN_ORDER, dealer=1)
    assert hands(game) == ["7c Tc Kc 7d Td Kd", "8c Jc Ac 8d Jd Ad", "6c 9c Qc 6d 9d Qd"]
    assert talon(game).split() == IN_ORDER.split()[18:]


def test_the_hand_size_option_sets_the_size_of_the_hands():
    """`hand_size` cards go to each seat, and the rest in order is the talon, §4.1."""
    game = Game(Rules(hand_size=2), deck=IN_ORDER, dealer=1)
    assert hands(game) == ["6c 8c", "7c 9c"]
    assert talon(game).split() == IN_ORDER.split()[4:]


def test_if_all_cards_are_dealt_the_first_seats_may_get_one_more():
    """36 cards for five: the seat dealt first gets eight, the others seven, and no talon is left, §4.1."""
    game = Game(Rules(players=5, deal="all"), deck=IN_ORDER, dealer=2)
    assert [len(hand) for hand in game.hands] == [7, 7, 7, 8, 7]
    assert str(game.hands[3]) == "6c Jc 7d Qd 8h Kh 9s As"
    assert game.talon == ()


def test_in_all_but_one_the_last_card_is_the_turn_up():
    """The card left over lies face up out of play, and there is no talon, §4.1."""
    game = Game(Rules.preset("railway"), deck=IN_ORDER, dealer=0)
    assert [len(hand) for hand in game.hands] == [17, 18]
    assert game.talon == ()
    assert (str(game.turn_up), str(game.card_aside), game.trump) == ("As", "As", "s")
    assert "As" not in game.hands[0] | game.hands[1]


def test_the_railway_preset_deals_35_cards():
    """All cards but the last are dealt, starting at the dealer's left, so the dealer may get one card less, §4.1."""
    for players, sizes in ((2, [17, 18]), (3, [11, 12, 12]), (4, [8, 9, 9, 9]), (5, [7, 7, 7, 7, 7]), (6, [5, 6, 6, 6, 6, 6])):
        game = Game(Rules.preset("railway", players=players), deck=IN_ORDER, dealer=0)
        assert [len(hand) for hand in game.hands] == sizes


def test_a_seed_shuffles_the_deck_in_card_order():
    """The deck in card order, copies side by side, is shuffled with random.Random(seed).shuffle, §4.1."""
    for options in ({}, {"decks": 2}, {"ranks": "23456789TJQKA", "jokers": 2}, {"suits": "hs", "ranks": "AKQJT9"}):
        for seed in (0, 7, "a text"):
            rules = Rules(players=2, hand_size=3, trump="none", **options)
            deck = whole_deck(rules)
            random.Random(seed).shuffle(deck)
            game = Game(rules, seed=seed, dealer=0)
            assert [sorted(map(str, hand)) for hand in game.hands] == [sorted(deck[1:6:2]), sorted(deck[0:6:2])]
            assert talon(game).split() == deck[6:]


def test_copies_are_side_by_side_before_the_shuffle():
    """With two decks the deck in order begins 6c 6c 7c 7c and ends with the jokers, red before black, §4.1."""
    deck = whole_deck(Rules(decks=2, jokers=2))
    assert (deck[:4], deck[-4:]) == (["6c", "6c", "7c", "7c"], ["Xr", "Xr", "Xb", "Xb"])


def test_a_deck_with_other_cards_than_the_options_is_refused():
    """A deck given explicitly must hold exactly the cards of the options, §4.1."""
    for deck, message in (
        # one card short
        (IN_ORDER[3:], "6c"),
        # one card twice
        (IN_ORDER + " 6c", "6c"),
        # one card in place of another
        (IN_ORDER.replace("6c", "7c", 1), "7c"),
        # a card of another deck
        (IN_ORDER.replace("6c", "5c", 1), "5c"),
        # a joker where there are none
        (IN_ORDER.replace("6c", "Xr", 1), "Xr"),
        # a card as played
        (IN_ORDER.replace("6c", "6d=c", 1), "6d=c"),
        # no cards
        ("", "36"),
        # no card
        (IN_ORDER.replace("6c", "6z", 1), "6z"),
    ):
        with pytest.raises(PositionError) as caught:
            Game(Rules(), deck=deck)
        assert message in str(caught.value)


def test_a_deck_may_be_given_as_text_or_list():
    """A deck given explicitly is used in its order, in either notation, §4.1."""
    game, other = Game(Rules(), deck=IN_ORDER, dealer=1), Game(Rules(), deck=IN_ORDER.split(), dealer=1)
    assert hands(game) == hands(other)
    assert game.talon == other.talon


# §4.4 The first attacker


def test_the_seat_with_the_lowest_trump_attacks_first():
    """Spades are trumps, and seat 0 holds the lowest of those dealt, §4.4."""
    rules = Rules(players=3)
    deck = stacked(rules, hands=["6c 7c 8c 9c Tc 8s", "6d 7d 8d 9d Td Js", "6h 7h 8h 9h Th 9s"], bottom="6s", dealer=1)
    game = Game(rules, deck=deck, dealer=1)
    assert (game.trump, game.attacker, game.defender, game.actor) == ("s", 0, 1, 0)


def test_without_a_trump_in_any_hand_the_dealers_left_attacks_first():
    """If nobody holds a trump, the seat left of the dealer attacks, §4.4."""
    game = Game(Rules(players=3), deck=IN_ORDER, dealer=1)
    assert (game.attacker, game.defender) == (2, 0)


def test_without_trumps_the_dealers_left_attacks_first():
    """Without a trump suit there is no lowest trump, §4.4."""
    assert Game(Rules(players=4, trump="none"), deck=IN_ORDER, dealer=3).attacker == 0


def test_left_of_dealer_makes_the_dealers_left_attack_first():
    """`left_of_dealer`: the seat after the dealer attacks, whatever the hands are, §4.4."""
    rules = Rules(players=3, first_attacker="left_of_dealer")
    deck = stacked(rules, hands=["6c 7c 8c 9c Tc 8s", "6d 7d 8d 9d Td Js", "6h 7h 8h 9h Th 9s"], bottom="6s", dealer=1)
    assert Game(rules, deck=deck, dealer=1).attacker == 2


def test_the_lowest_trump_counts_in_a_fixed_suit_too():
    """With clubs as trumps the holder of the lowest club attacks, §4.2, §4.4."""
    game = Game(Rules(players=2, trump="c"), deck=IN_ORDER, dealer=1)
    assert (str(game.hands[0]).split()[0], game.attacker) == ("6c", 0)


def test_the_first_copy_of_the_lowest_trump_from_the_dealers_left_counts():
    """Seats 0 and 2 hold a six of hearts each: the one reached first clockwise from the dealer's left attacks, §4.4."""
    for dealer, first in ((0, 2), (1, 2), (2, 0)):
        rules = Rules(players=3, decks=2, ranks="6789", hand_size=2)
        deck = stacked(rules, hands=["6c 6h", "7c 7h", "8c 6h"], bottom="9h", dealer=dealer)
        game = Game(rules, deck=deck, dealer=dealer)
        assert (game.trump, game.attacker) == ("h", first)


def test_a_seat_with_both_copies_of_the_lowest_trump_attacks_first():
    """One seat may hold both copies of the lowest trump, §4.4."""
    rules = Rules(players=3, decks=2, ranks="6789", hand_size=2)
    assert Game(rules, deck=stacked(rules, hands=["7c 7h", "6h 6h", "8c 8c"], bottom="9h", dealer=1), dealer=1).attacker == 1


def test_a_joker_is_not_the_lowest_trump():
    """A joker has no suit, so it is not a trump; if no hand has a trump, the dealer's left attacks, §2, §4.4."""
    rules = Rules(ranks="6789", jokers=2, hand_size=3)
    game = Game(rules, deck=stacked(rules, hands=["Xr 6c 7c", "6d 7d 8d"], bottom="9h"), dealer=0)
    assert (game.trump, game.attacker) == ("h", 1)


def test_the_lowest_trump_uses_a_sixs_own_suit():
    """A six whose suit may be chosen counts as a trump only if its own suit is the trump suit, §5.7."""
    rules = Rules.preset("weli")
    deck = stacked(rules, hands=["6c 6d 6h 7c 8c 9c", "7d 8d 9d Td Jd Ts"], bottom="Ks", dealer=1)
    assert Game(rules, deck=deck, dealer=1).attacker == 1


def test_the_defender_is_the_attackers_next_opponent():
    """The first seat clockwise after the attacker that is in and an opponent defends, §4.4."""
    for players, teams, dealer, attacker, defender in (
        (2, "none", 0, 1, 0),
        (3, "none", 2, 0, 1),
        (6, "none", 4, 5, 0),
        (4, "2v2", 3, 0, 1),
        (6, "3v3", 1, 2, 3),
        (6, "2v2v2", 5, 0, 1),
    ):
        game = Game(Rules(players=players, teams=teams, first_attacker="left_of_dealer"), deck=IN_ORDER, dealer=dealer)
        assert (game.attacker, game.defender) == (attacker, defender)


def test_a_seed_shuffles_as_the_rule_book_says() -> None:
    """The deck in card order is shuffled with `random.Random(seed).shuffle`, for any deck size and kind of seed."""
    for name in ("podkidnoy", "econ431", "full_jokers", "two_decks"):
        compiled_rules = compile_rules(Rules.preset(name))
        for seed in (0, 7, 10**30, "a word"):
            deck = list(compiled_rules.deck)
            random.Random(seed).shuffle(deck)
            assert shuffle_deck(compiled_rules, seed) == deck
