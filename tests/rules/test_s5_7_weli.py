"""Rule book §5.7: cards played in a suit of the player's choice."""

from durak_widget import Game, Rules
from support.rule_examples import hands, legal, play

SIXES = Rules.preset("weli")
BELLS = Rules(weli="bells")


def position_game(rules, hands, trump="s"):
    """Return a game under these rules, with spades as trumps by default."""
    return Game.from_position(rules, hands=hands, trump=trump)


# Each verb


def test_every_six_may_open_in_any_suit():
    """A six is played in each suit of the deck; its own suit is written without `=`, §5.7."""
    game = position_game(SIXES, ["6d 7c", "8c 9c Tc"])
    assert legal(game) == "attack 7c; attack 6d=c; attack 6d; attack 6d=h; attack 6d=s"


def test_under_bells_only_the_six_of_diamonds_has_a_chosen_suit():
    """`bells`: the six of diamonds alone is played in a chosen suit, §3, §5.7."""
    game = position_game(BELLS, ["6c 6d 6h", "8c 9c Tc"])
    assert legal(game) == "attack 6c; attack 6d=c; attack 6d; attack 6d=h; attack 6d=s; attack 6h"


def test_without_weli_no_suit_is_chosen():
    """`off`: a six is a six of its own suit, §3."""
    assert legal(position_game(Rules(), ["6d 7c", "8c"])) == "attack 7c; attack 6d"


def test_the_chosen_suit_is_a_suit_of_the_deck():
    """The chosen suit is any suit of the deck, and no other, §5.7."""
    game = position_game(SIXES.replace(suits="cdh"), ["6d 7c", "8c 9c Tc"], trump="h")
    assert legal(game) == "attack 7c; attack 6d=c; attack 6d; attack 6d=h"


def test_a_six_beats_as_a_card_of_the_declared_suit():
    """As a trump it beats what trumps beat, §5.7."""
    game = play(position_game(SIXES, ["Qh Kc", "6d 7c"]), "0 attack Qh")
    assert legal(game) == "beat Qh 6d=s; take"
    play(game, "1 beat Qh 6d=s")
    assert str(game.discard) == "6d Qh"


def test_a_six_beats_in_its_own_suit_without_the_equals_sign():
    """If the suit chosen is its own, the `=` is left out, §5.7."""
    game = play(position_game(SIXES, ["Qh Kc", "6s 7c"]), "0 attack Qh")
    assert legal(game) == "beat Qh 6s; take"


def test_a_six_may_beat_in_more_than_one_suit():
    """Against a lower card both its own suit and the trump suit beat, in suit order, §5.7, §9."""
    game = play(position_game(SIXES.replace(ranks="23456789TJQKA"), ["5h Kc", "6d 7c"]), "0 attack 5h")
    assert legal(game) == "beat 5h 6d=h; beat 5h 6d=s; take"


def test_a_declared_six_is_beaten_by_its_declared_suit():
    """A six of diamonds played as a heart is `6h` on the table, and a higher heart beats it, §5.7."""
    game = play(position_game(SIXES, ["6d Kc", "8d 8h"]), "0 attack 6d=h")
    assert str(game.table) == "6d=h"
    assert legal(game) == "beat 6h 8h; take"
    play(game, "1 beat 6h 8h")
    assert str(game.view(0).bout_ends[-1].table) == "6d=h/8h"


def test_a_six_declared_as_a_trump_needs_a_higher_trump():
    """Declared as a trump it is beaten like one, §5.7."""
    game = play(position_game(SIXES, ["6d Kc", "8d Ad 7s"]), "0 attack 6d=s")
    assert legal(game) == "beat 6s 7s; take"


def test_the_six_of_trumps_may_be_declared_as_a_plain_card():
    """The trump six played as a club is beaten by clubs and trumps, §5.7."""
    game = play(position_game(SIXES, ["6s Kc", "8c 8d 7s"]), "0 attack 6s=c")
    assert legal(game) == "beat 6c 8c; beat 6c 7s; take"


def test_a_six_does_not_beat_a_six_of_its_declared_suit():
    """Equal rank in one suit does not beat, declared or not, §2.1, §5.7."""
    game = play(position_game(SIXES, ["6c Kc", "6d 7d"]), "0 attack 6c=s")
    assert legal(game) == "take"


def test_a_six_is_thrown_in_in_any_suit():
    """`throw` names the suit as `attack` does, and the rank is still six, §5.7."""
    game = play(position_game(SIXES, ["6d 6c Kc", "8d 8h 9h"]), "0 attack 6d=h; 1 beat 6h 8h")
    assert legal(game) == "throw 6c; throw 6c=d; throw 6c=h; throw 6c=s; pass"
    play(game, "0 throw 6c=d")
    assert (str(game.table), legal(game)) == ("6d=h/8h 6c=d", "beat 6d 8d; take")


def test_a_six_transfers_in_any_suit():
    """`transfer` names the suit too, §5.7."""
    rules = SIXES.replace(transfer=True, players=3)
    game = play(position_game(rules, ["6c Kc Qc", "6h 7d 8d", "7c Th Jh"]), "0 attack 6c")
    assert legal(game) == "beat 6c 6h=s; transfer 6h=c; transfer 6h=d; transfer 6h; transfer 6h=s; take"
    play(game, "1 transfer 6h=c")
    assert (str(game.table), legal(game)) == ("6c 6h=c", "beat 6c 7c; take")


def test_several_sixes_open_in_suits_chosen_for_each():
    """They are listed by number of cards, then card order, then the declared suits in suit order, §5.7, §9."""
    game = position_game(BELLS.replace(opening="same_rank"), ["6c 6d", "8c 9c Tc"])
    assert legal(game) == (
        "attack 6c; attack 6d=c; attack 6d; attack 6d=h; attack 6d=s; attack 6c 6d=c; attack 6c 6d; attack 6c 6d=h; attack 6c 6d=s"
    )


def test_declared_suits_are_listed_first_card_first():
    """Of two sixes, each in two suits, the first card's suit changes last, §9."""
    game = position_game(SIXES.replace(opening="same_rank", suits="dh"), ["6d 6h", "8d 9d Td"], trump="h")
    assert legal(game) == ("attack 6d; attack 6d=h; attack 6h=d; attack 6h; attack 6d 6h=d; attack 6d 6h; attack 6d=h 6h=d; attack 6d=h 6h")


def test_two_copies_are_declared_as_a_pair_of_suits():
    """Copies are interchangeable: a pair of equal sixes is listed once for each pair of suits, §2, §5.7."""
    rules = BELLS.replace(opening="same_rank", suits="dh", decks=2)
    game = position_game(rules, ["6d 6d", "8d 9d Td"], trump="h")
    assert legal(game) == "attack 6d; attack 6d=h; attack 6d 6d; attack 6d 6d=h; attack 6d=h 6d=h"


# On the table, and back in hand


def test_two_equal_cards_on_the_table_are_listed_once():
    """A move names the first unbeaten such card, and is listed once, §5.7."""
    game = play(position_game(SIXES.replace(opening="same_rank"), ["6d 6h Kc", "8h 9h 7c"]), "0 attack 6d=h 6h")
    assert legal(game) == "beat 6h 8h; beat 6h 9h; take"
    play(game, "1 beat 6h 9h")
    assert (str(game.table), legal(game)) == ("6d=h/9h 6h", "beat 6h 8h; take")
    play(game, "1 beat 6h 8h")
    assert str(game.discard) == "6d 6h 8h 9h"


def test_a_declared_card_picked_up_is_itself_again():
    """Back in a hand the card has its own suit, and may be declared anew, §5.7."""
    rules = SIXES.replace(players=3)
    game = play(position_game(rules, ["6d Kc Qc", "8d 9d Td", "Ah Kh Qh"]), "0 attack 6d=h; 1 take")
    assert hands(game)[1] == "6d 8d 9d Td"
    play(game, "2 attack Ah; 0 take; 1 attack 6d=c")
    assert str(game.table) == "6d=c"


def test_a_declared_beating_card_is_picked_up_as_itself():
    """A beating card declared as a trump has its own suit again when all cards are taken, §5.7."""
    game = play(position_game(SIXES, ["Qh Qd Kc", "6d 7c 8c"]), "0 attack Qh; 1 beat Qh 6d=s; 0 throw Qd; 1 take")
    assert hands(game)[1] == "7c 8c 6d Qd Qh"


def test_a_declared_card_keeps_its_own_rank():
    """A six played as a spade shows the rank six, so sixes may be thrown in, §5.7."""
    game = play(position_game(SIXES, ["Qh 6c Kc", "6d 7c"]), "0 attack Qh; 1 beat Qh 6d=s")
    assert legal(game) == "throw 6c; throw 6c=d; throw 6c=h; throw 6c=s; pass"


def test_show_uses_the_cards_own_suit():
    """Only the six of trumps is shown; another six cannot be shown as if it were a trump, §5.7."""
    rules = SIXES.replace(transfer=True, passport=True)
    game = play(position_game(rules, ["6c Kc Qc", "6d 6s 8d"]), "0 attack 6c")
    assert [move for move in legal(game).split("; ") if move.startswith("show")] == ["show 6s"]


def test_a_six_shown_does_not_transfer_in_another_suit():
    """A show counts for the card, in whatever suit it would be played, §5.5, §5.7."""
    rules = SIXES.replace(transfer=True, passport=True)
    game = play(position_game(rules, ["6c 6d Kc Qc", "6s 8d 9d"]), "0 attack 6c; 1 show 6s; 0 transfer 6d")
    assert "transfer" not in legal(game)
    assert "show" not in legal(game)


# With other unusual rules


def test_under_spades_by_spades_the_declared_suit_counts():
    """A six declared as a spade is beaten by spades only, a six of spades declared as a heart like a heart, §2.1, §5.7."""
    for attack, held, moves in (("6d=s", "8d 7h 7s", "beat 6s 7s; take"), ("6s=h", "8d 7h 7s", "beat 6h 8d; beat 6h 7h; take")):
        game = Game.from_position(SIXES.replace(spades_by_spades=True, trump="d"), hands=[f"{attack[:2]} Kc", held])
        play(game, f"0 attack {attack}")
        assert legal(game) == moves


def test_a_declared_six_beats_the_trump_ace_as_the_lowest_trump():
    """Under `low_trump_beats_ace` a six declared as a trump has the lowest rank, §2.1, §5.7."""
    game = play(position_game(SIXES.replace(low_trump_beats_ace=True), ["As Kc", "6d 7c"]), "0 attack As")
    assert legal(game) == "beat As 6d=s; take"


def test_a_declared_six_is_beaten_by_a_joker_of_the_declared_colour():
    """A joker beats its own colour, and a six of diamonds played as a club is black, §2.1, §5.7."""
    rules = SIXES.replace(jokers=2)
    game = play(position_game(rules, ["6d Kc", "Xr Xb"]), "0 attack 6d=c")
    assert legal(game) == "beat 6c Xb; take"


def test_without_trumps_a_six_can_still_be_declared():
    """Weli needs no trumps, §5.7."""
    game = position_game(SIXES.replace(trump="none"), ["6d Kc", "8c 8d"], trump=None)
    play(game, "0 attack 6d=c")
    assert legal(game) == "beat 6c 8c; take"
