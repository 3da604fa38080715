"""Rule book §2: cards, their order, their copies, and what beats what."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import Card, CardError, CardSet, Game, Rules, RulesError
from durak_widget.cards import SUITS
from support import oracle_book
from support.mixes import mixes
from support.rule_examples import legal, play, whole_deck


def test_a_card_is_parsed_in_every_usual_notation():
    """A rank and a suit name a card; 10 for T, suit signs and any case are accepted too, §2."""
    for text, card in (
        ("6c", "6c"),
        ("Td", "Td"),
        ("td", "Td"),
        ("TD", "Td"),
        ("10h", "Th"),
        ("10H", "Th"),
        ("10♥", "Th"),
        ("T♥", "Th"),
        ("6♣", "6c"),
        ("q♦", "Qd"),
        ("As", "As"),
        ("aS", "As"),
        ("2s", "2s"),
        ("Xr", "Xr"),
        ("xR", "Xr"),
        ("XB", "Xb"),
    ):
        assert str(Card(text)) == card
        assert Card(text) == Card(card)


def test_an_invalid_card_text_is_quoted_in_the_error():
    """Only a rank and a suit, or a joker's name, is a card, §2."""
    for text in ("", "c", "6", "1c", "11h", "6x", "c6", "Xc", "X", "XrX", "6c 7c", "６c"):
        with pytest.raises(CardError) as caught:
            Card(text)
        assert "is not a card" in str(caught.value)
        assert repr(text) in str(caught.value)


def test_a_card_has_a_rank_a_suit_and_a_colour():
    """Clubs and spades are black, diamonds and hearts red; jokers have the rank X and a colour, but no suit, §2."""
    for text, rank, suit, color in (
        ("6c", "6", "c", "black"),
        ("Td", "T", "d", "red"),
        ("Kh", "K", "h", "red"),
        ("As", "A", "s", "black"),
        ("Xr", "X", None, "red"),
        ("Xb", "X", None, "black"),
    ):
        card = Card(text)
        assert (card.rank, card.suit, card.color) == (rank, suit, color)


def test_card_order_is_suit_by_suit_then_rank_then_the_jokers():
    """Suits c d h s, within a suit 2 to ace, jokers last, red before black, §2."""
    suits = "2{0} 3{0} 4{0} 5{0} 6{0} 7{0} 8{0} 9{0} T{0} J{0} Q{0} K{0} A{0}"
    written = " ".join([suits.format(suit) for suit in "cdhs"] + ["Xr", "Xb"]).split()
    assert [str(card) for card in sorted(map(Card, reversed(written)))] == written


def test_a_hand_is_sorted_in_card_order():
    """A hand is sorted by suit, then rank, jokers last, §2."""
    assert str(CardSet("Xb As 6h Td 9d Xr 2c Kc")) == "2c Kc 9d Td 6h As Xr Xb"


def test_moves_are_listed_in_card_order():
    """The cards in a list of moves are in card order, §2."""
    game = Game.from_position(Rules.preset("full_jokers"), hands=["Xr 2s Ah Td 9d Xb Kc", "6c 7c"], trump="h")
    assert legal(game) == "attack Kc; attack 9d; attack Td; attack Ah; attack 2s; attack Xr; attack Xb"


def test_two_copies_of_a_card_make_one_attack():
    """With two decks a move names a face and is listed once, §2."""
    game = Game.from_position(Rules(decks=2), hands=["7c 7c 8d", "9h 9h"], trump="s")
    assert legal(game) == "attack 7c; attack 8d"


def test_two_copies_of_a_card_make_one_throw_one_beat_and_one_transfer():
    """Throw, beat and transfer name a face once, however many copies are held, §2."""
    game = Game.from_position(Rules(decks=2, transfer=True), hands=["7c 7c 7d 7d 8d", "8c 8c 7h 7h"], trump="s")
    play(game, "0 attack 7c")
    assert legal(game) == "beat 7c 8c; transfer 7h; take"
    play(game, "1 beat 7c 8c")
    assert legal(game) == "throw 7c; throw 7d; throw 8d; pass"


def test_each_copy_is_played_once_and_the_other_stays():
    """Copies are interchangeable, and each is one card, §2."""
    game = Game.from_position(Rules(decks=2), hands=["7c 7c 8d", "9h 9h"], trump="h")
    play(game, "0 attack 7c; 1 beat 7c 9h; 0 throw 7c")
    assert str(game.table) == "7c/9h 7c"
    assert [str(hand) for hand in game.hands] == ["8d", "9h"]


PLAIN = {}
SPADES = {"spades_by_spades": True}
LOW = {"low_trump_beats_ace": True}
FULL = {"ranks": "23456789TJQKA"}
JOKERS = {"ranks": "23456789TJQKA", "jokers": 2}


def test_beating_follows_the_table_of_the_rule_book():
    """A defender may beat with exactly the cards that §2.1 names, by the first line that applies."""
    for options, trump, attack, held, beaters in (
        # the suit higher, or a trump
        (PLAIN, "h", "9c", "6c 8c Tc Ac 9d Ad 6h Ah As", "Tc Ac 6h Ah"),
        # the lowest trump beats a plain ace
        (PLAIN, "h", "Ac", "Kc 6h As", "6h"),
        # a trump is beaten by higher trumps only
        (PLAIN, "h", "9h", "Ac 6h 8h Th Ah As", "Th Ah"),
        # nothing beats the ace of trumps
        (PLAIN, "h", "Ah", "Ac 6h Kh As", ""),
        # without trumps only the suit beats
        (PLAIN, None, "9c", "8c Tc Td Ah As", "Tc"),
        # without trumps every ace is unbeaten
        (PLAIN, None, "Ac", "6c Ad Ah As", ""),
        # a copy does not beat its twin
        ({"decks": 2}, "h", "9c", "9c Tc", "Tc"),
        # 2: a spade is beaten by higher spades only
        (SPADES, "d", "9s", "8s Ts As 6d Ad", "Ts As"),
        # 2: nothing beats the ace of spades
        (SPADES, "d", "As", "6s Ks Ad", ""),
        # 2: spades do not beat trumps
        (SPADES, "d", "9d", "8d Td 6s As", "Td"),
        # 2: spades do not beat other suits
        (SPADES, "d", "9h", "Th As 6d", "6d Th"),
        # 1: nothing beats the red joker
        (JOKERS, "h", "Xr", "Ac Ah As Xb", ""),
        # 1: nothing beats the black joker
        (JOKERS, "h", "Xb", "Ac Ah As Xr", ""),
        # 3: the black joker beats clubs
        (JOKERS, "h", "Ac", "2h Xr Xb", "2h Xb"),
        # 3: the black joker beats spades, the red one does not
        (JOKERS, "h", "2s", "Xr Xb", "Xb"),
        # 3: the red joker beats diamonds
        (JOKERS, "h", "Ad", "Xr Xb", "Xr"),
        # 3: the red joker beats the ace of red trumps
        (JOKERS, "h", "Ah", "Ac Xr Xb", "Xr"),
        # 3: the black joker beats the ace of black trumps
        (JOKERS, "s", "As", "Ac Xr Xb", "Xb"),
        # 2 before 3: no joker beats a spade
        (JOKERS | SPADES, "d", "2s", "3s Ad Xr Xb", "3s"),
        # 2 speaks of spades alone
        (JOKERS | SPADES, "d", "2c", "3c Ad As Xr Xb", "3c Ad Xb"),
        # 4: the lowest trump beats the ace of trumps
        (LOW, "h", "Ah", "6c 6h 7h Kh", "6h"),
        # 4: and the ace beats it too
        (LOW, "h", "6h", "7h Ah", "7h Ah"),
        # 4: the lowest trump beats no other trump
        (LOW, "h", "Kh", "6h Ah", "Ah"),
        # 4: the lowest card of a plain suit does not beat its ace
        (LOW, "h", "Ac", "6c 7h", "7h"),
        # 4: the lowest rank is that of the deck
        (LOW | FULL, "h", "Ah", "2h 6h", "2h"),
        # 4: without trumps there is no such ace
        (LOW, None, "Ac", "6c 6h", ""),
        # 2 before 4: spades are never trumps
        (LOW | SPADES, "d", "As", "6s 6d", ""),
    ):
        game = Game.from_position(Rules(trump="turn_up" if trump else "none", **options), hands=[f"{attack} 7d", held], trump=trump)
        play(game, f"0 attack {attack}")
        assert legal(game) == "; ".join([*(f"beat {attack} {card}" for card in beaters.split()), "take"])


def test_all_jokers_have_the_same_rank():
    """A joker on the table lets the other be thrown in, §2."""
    game = Game.from_position(Rules.preset("full_jokers"), hands=["Xr Xb 2c", "3c 4c 5c"], trump="h")
    play(game, "0 attack Xr; 1 take")
    assert legal(game) == "throw Xb; pass"


def test_jokers_may_open_together():
    """If an attack may open with several cards of a rank, two jokers may, §2, §5.2."""
    game = Game.from_position(Rules.preset("full_jokers", opening="same_rank"), hands=["Xr Xb 2c", "3c 4c 5c"], trump="h")
    assert legal(game) == "attack 2c; attack Xr; attack Xb; attack Xr Xb"


def test_the_deck_holds_every_rank_in_every_suit():
    """The deck has ranks times suits cards plus two jokers, times the number of decks, §3."""
    for options, size in (
        ({}, 36),
        (FULL, 52),
        (JOKERS, 54),
        ({"decks": 2}, 72),
        ({"decks": 2, "jokers": 2}, 76),
        ({"ranks": "9A", "suits": "hc"}, 4),
    ):
        rules = Rules(hand_size=1, **options)
        game = Game(rules, seed=1)
        turned_aside = 0 if game.card_aside is None else 1
        assert sum(map(len, game.hands)) + len(game.talon) + turned_aside == size
        assert sorted(card for hand in (*game.hands, game.talon) for card in hand) == sorted(map(Card, whole_deck(rules)))


@given(mixes, st.sampled_from([None, *SUITS]))
def test_beaters_returns_exactly_the_cards_that_beat_a_card(rules: Rules, trump: str | None):
    """`rules.beaters` returns exactly the cards of the deck that beat a card by the lines of §2.1, also in a chosen suit (§5.7)."""
    options = {name: getattr(rules, name) for name in oracle_book.DEFAULTS}
    deck = CardSet(oracle_book.deck_of(options))
    chosen = {"off": (), "sixes": ("6c", "6d", "6h", "6s"), "bells": ("6d",)}[rules.weli]
    for attack in (*deck, *(Card(f"{six}={suit}") for six in chosen if six in deck for suit in rules.suits if suit != six[1])):
        reads = oracle_book.reads(str(attack))
        answers = [
            card
            for card in deck
            if any(oracle_book.beats(options, trump, face, reads) for face in playable_as(str(card), chosen, rules.suits))
        ]
        assert list(rules.beaters(attack, trump)) == answers


def playable_as(card: str, chosen: tuple[str, ...], suits: str) -> list[str]:
    """Return the cards as which a card may be played: in its own suit, or in every suit of the deck."""
    return [card[0] + suit for suit in suits] if card in chosen else [card]


def test_an_unknown_trump_suit_is_refused():
    """A trump suit is a letter or None, and the error says so."""
    with pytest.raises(RulesError, match=r"trump .*'x'"):
        Rules().beaters("6c", "x")
