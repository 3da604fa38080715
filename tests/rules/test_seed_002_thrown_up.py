"""Played examples for the source text 002, on thrown up, transfer, bulk and Japanese Durak."""

from durak_widget import Game, Rules
from support.rule_examples import IN_ORDER, hands, legal, placed, play


def test_thrown_up_the_attacker_adds_after_the_first_defence():
    """002 §1.2: "After the first card has been defended attacker may add cards … of the same face value"."""
    game = placed("thrown_up", ["7c 7d 8h Kc", "8c 9d Ah", "7h Kh Qh"])
    play(game, "0 attack 7c")
    assert game.actor == 1
    play(game, "1 beat 7c 8c")
    assert (game.actor, legal(game)) == (0, "throw 7d; throw 8h; pass")
    play(game, "0 throw 7d")
    assert (game.actor, legal(game)) == (0, "throw 8h; pass")


def test_thrown_up_only_the_attacker_adds_cards():
    """002 §1.2 speaks of the attacker alone: a third player holding the rank has no turn."""
    game = placed("thrown_up", ["7c Kc", "8c 9d Ah", "7h Kh Qh"])
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert (game.bout, game.actor) == (3, 1)


def test_thrown_up_picking_up_the_first_card_ends_the_turn():
    """002 §1.3: "If the defender picks up the first attacking card, the turn is over"."""
    game = placed("thrown_up", ["7c 7d Kc", "8h 9h"])
    play(game, "0 attack 7c; 1 take")
    assert (hands(game), game.actor, game.bout) == (["Kc 7d", "7c 8h 9h"], 0, 3)


def test_thrown_up_all_cards_in_play_are_picked_up():
    """002 §1.3: "he must pick up all cards in play including ones that have been beaten"."""
    game = placed("thrown_up", ["7c 7d Kc", "8c 9h"])
    play(game, "0 attack 7c; 1 beat 7c 8c; 0 throw 7d; 1 take")
    assert hands(game) == ["Kc", "7c 8c 7d 9h"]


def test_thrown_up_attacks_are_limited_to_six_or_the_defenders_hand():
    """002 §1.2: as many as originally dealt (6) "or until the defender runs out of cards, whichever is less"."""
    assert placed("thrown_up", ["7c 7d", "8c 9c Tc Jc Qc Kc Ac"]).limit == 6
    assert placed("thrown_up", ["7c 7d", "8c 9c"]).limit == 2


def test_thrown_up_refreshes_the_attacker_first():
    """002 §1.4: "Attacker refreshes his hand first. Defender refreshes his hand last"."""
    game = placed(Rules.preset("thrown_up", hand_size=2), ["7c Kc", "8c Kh"], talon="6s 9s Ts")
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert hands(game) == ["Kc 6s", "Kh 9s"]


def test_thrown_up_players_left_empty_handed_withdraw():
    """002 §1.4: with the deck exhausted, "players who are left empty handed withdraw from the game"."""
    game = placed("thrown_up", ["7c", "8c Kh", "9h Th"])
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert (game.places, game.actor) == ((0,), 1)


def test_transfer_lays_a_card_of_the_same_value():
    """002 §2: a player may "lay a card of the same value … and, thus, transfer the move to the following player", and so on."""
    game = placed("transfer", ["7c Kc Qc Jc", "7d 8d 9c", "7h 8h 9h"])
    play(game, "0 attack 7c; 1 transfer 7d; 2 transfer 7h")
    assert (game.attacker, game.defender) == (2, 0)


def test_transfer_is_optional():
    """002 §2: "A player may, but is not obliged to transfer a move"."""
    game = placed("transfer", ["7c Kc Qc", "7d 8d 9c", "7h 8h 9h"])
    play(game, "0 attack 7c")
    assert legal(game) == "beat 7c 9c; transfer 7d; take"


def test_transfer_is_over_once_a_card_is_covered():
    """002 §2: "If at least one card has been covered in the move, other cards cannot be transferred"."""
    game = placed("transfer", ["7c 8d Kc", "8c 8h 9d", "9h Th Jh"])
    play(game, "0 attack 7c; 1 beat 7c 8c; 0 throw 8d")
    assert legal(game) == "beat 8d 9d; take"


def test_transfer_needs_enough_cards_in_the_next_hand():
    """002 §2: "If the next player has less cards in his hand …, a transfer is impossible"."""
    game = placed("transfer", ["7c Kc Qc", "7d 8d 9c", "7h"])
    play(game, "0 attack 7c")
    assert legal(game) == "beat 7c 9c; take"


def test_bulk_deals_the_deck_at_once():
    """002 §3: "players get 18 cards each. A player with the least trump card has the right to lead the game"."""
    game = Game(Rules.preset("bulk"), deck=IN_ORDER, dealer=0)
    assert [len(hand) for hand in game.hands] == [18, 18]
    assert (game.talon, game.trump, game.limit) == ((), "s", 6)
    assert "6s" in game.hands[0]
    assert game.attacker == 0


def test_bulk_is_played_by_the_rules_of_thrown_up_or_transfer():
    """002 §3: "Then the game is played by the rules of the Thrown Up and Transfer Durak"."""
    for name, moves in [("bulk", "beat 7c 9c; take"), ("bulk_transfer", "beat 7c 9c; transfer 7d; take")]:
        game = placed(name, ["7c Kc Qc", "7d 8d 9c"])
        play(game, "0 attack 7c")
        assert legal(game) == moves


def test_japanese_has_diamonds_as_trumps_and_spades_by_spades():
    """002 §4: "diamonds are always a trump suit, and spades are only covered by spades"."""
    for name in ("japanese", "japanese_transfer"):
        game = placed(name, ["7s Kc", "8s 8d Ad"], trump=None)
        assert game.trump == "d"
        play(game, "0 attack 7s")
        assert legal(game) == "beat 7s 8s; take"


def test_japanese_may_be_transferred_in_its_other_form():
    """002 §4: the rules differ "in the only point" from Thrown Up and from Transfer."""
    game = placed("japanese_transfer", ["7s Kc Qc", "7h 8s 8d"], trump=None)
    play(game, "0 attack 7s")
    assert legal(game) == "beat 7s 8s; transfer 7h; take"
