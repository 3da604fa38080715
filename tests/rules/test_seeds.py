"""The five source texts, sentence by sentence, as played examples."""

import pytest
from helpers import hands, legal, play, stacked, talon

from durak_widget import Game, Match, Rules

IN_ORDER = "6c 7c 8c 9c Tc Jc Qc Kc Ac 6d 7d 8d 9d Td Jd Qd Kd Ad 6h 7h 8h 9h Th Jh Qh Kh Ah 6s 7s 8s 9s Ts Js Qs Ks As"


def placed(rules, hands, *, trump="s", **more):
    """A position of a preset, or of any rules, with spades as trumps."""
    rules = Rules.preset(rules, players=len(hands)) if isinstance(rules, str) else rules
    return Game.from_position(rules, hands=hands, trump=trump, **more)


def asked(game):
    """The seats that are asked one after another while everybody passes."""
    seats, bout = [], game.bout
    while game.bout == bout and legal(game).endswith("pass"):
        seats.append(game.actor)
        game.play("pass")
    return seats


# Seed 000: The rules of "Durnius", from Lithuania


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_durnius_deals_six_cards_each(players):
    """000: "The deck is shuffled, and each player receives six cards"; 36 cards are enough for six."""
    game = Game(Rules.preset("durnius", players=players), seed=1)
    assert [len(hand) for hand in game.hands] == [6] * players
    assert len(game.talon) == 36 - 6 * players


def test_durnius_turns_the_bottom_card():
    """000: "The bottom card … determines the trump suit … and is drawn as the last card"."""
    game = Game(Rules.preset("durnius"), deck=IN_ORDER)
    assert (str(game.turn_up), game.trump, talon(game)[-2:]) == ("As", "s", "As")


def test_durnius_begins_with_the_lowest_trump():
    """000: "The player with the lowest trump is the first attacker", and the one to the left defends."""
    rules = Rules.preset("durnius", players=3)
    deck = stacked(rules, hands=["7s 6c 7c 8c 9c Tc", "8s 6d 7d 8d 9d Td", "6s 6h 7h 8h 9h Th"], bottom="As")
    game = Game(rules, deck=deck)
    assert (game.attacker, game.defender) == (2, 0)


def test_durnius_adds_cards_at_any_point():
    """000: "At any point during a defense, all players other than the defender can add extra attacking cards"."""
    game = placed("durnius", ["7c 7d Kc", "8c 9c Ah", "7h Kh Qh"])
    play(game, "0 attack 7c")
    assert (game.actor, legal(game)) == (0, "throw 7d; pass")
    play(game, "0 throw 7d; 2 throw 7h; 1 beat 7c 8c")
    assert str(game.table) == "7c/8c 7d 7h"


def test_durnius_bounds_the_attack_by_the_defenders_hand_alone():
    """000: "the total number of attacking cards does not exceed the number of cards in the defender's hand"."""
    game = placed("durnius", ["7c 7d 7h Kc", "8c 9c", "7s Kh Qh"])
    play(game, "0 attack 7c; 0 throw 7d")
    assert (game.limit, game.actor) == (2, 1)
    many = placed("durnius", ["6c 6d", "8c 9c Tc Jc Qc Kc Ac"])
    assert many.limit == 7


def test_durnius_asks_the_first_attacker_first():
    """000: "the first attacker has first priority, then the player to defender's left, and so forth clockwise"."""
    game = placed("durnius", ["7d Kc", "7c 7s Qc", "8c 9c Ah", "7h Qh"], attacker=1)
    play(game, "1 attack 7c")
    assert asked(game) == [1, 3, 0]


def test_durnius_ends_the_turn_when_the_defender_gives_up():
    """000: the defender picks up all the cards on the table; "This ends the turn"; the player to the left attacks next."""
    game = placed("durnius", ["7c 7d Kc", "8c 9d Ah", "7h Kh Qh"])
    play(game, "0 attack 7c; 0 pass; 2 pass; 1 beat 7c 8c; 0 throw 7d; 2 pass; 1 take")
    assert (hands(game), game.attacker, game.defender) == (["Kc", "7c 8c 7d 9d Ah", "7h Qh Kh"], 2, 0)


def test_durnius_discards_after_a_defence():
    """000: all beaten, nobody adds more: the cards go to the discard pile, and the defender attacks next."""
    game = placed("durnius", ["7c Kc", "8c 9d Ah", "Kh Qh"])
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert (str(game.discard), game.attacker, game.defender) == ("7c 8c", 1, 2)


def test_durnius_refills_attacker_first_defender_last():
    """000: "The main attacker draws … first, followed by any other attackers in clockwise order, and finally the defender"."""
    rules = Rules.preset("durnius", players=3, hand_size=2)
    game = placed(rules, ["7c Kc", "8c Jd", "7h Qh"], talon="6s 7s 8s 9s Ts")
    play(game, "0 attack 7c; 2 throw 7h; 1 beat 7c 8c; 1 take")
    assert hands(game) == ["Kc 6s", "7c 8c Jd 7h", "Qh 7s"]


def test_durnius_ends_with_a_fool():
    """000: "Players who exhaust their hands leave the game"; "The last person left with cards … is the loser"."""
    game = placed("durnius", ["7c", "8d Kd", "7h"])
    play(game, "0 attack 7c; 2 throw 7h; 1 take")
    assert (game.outcome.fool, game.outcome.places) == (1, (0, 2))


def test_durnius_lets_the_fool_deal_and_the_right_begin():
    """000: the loser "becomes the dealer for the next round. The player to the fool's right may become the first attacker"."""
    match = Match(Rules.preset("durnius", players=3), seed=1)
    match._game = play(placed("durnius", ["7c", "8d Kd", "7h"]), "0 attack 7c; 2 throw 7h; 1 take")
    assert (match.next_game().attacker, match.dealer) == (0, 1)


def test_durnius_may_be_won_by_the_first_to_run_out():
    """000: "Some variants declare the winner of the round to be the first player to exhaust their hand and leave"."""
    game = placed(Rules.preset("durnius", players=3, goal="first_out"), ["7c", "8d Kd", "Th"])
    play(game, "0 attack 7c; 1 take")
    assert (game.outcome.winners, game.outcome.fool) == ((0,), None)


def test_durnius_may_be_passed_on():
    """000: with a card of the rank the defender passes the attack on, and the next "must beat all cards"."""
    game = placed("perevodnoy", ["7c Kc Qc", "7d 8d 9d", "8c 9h Th"])
    play(game, "0 attack 7c; 1 transfer 7d")
    assert (game.attacker, game.defender, str(game.table)) == (1, 2, "7c 7d")


def test_durnius_may_not_be_passed_on_to_too_few_cards():
    """000: "Passing is not allowed if the new defender has fewer cards in their hand than would be in the past attack"."""
    game = placed("perevodnoy", ["7c Kc Qc", "7d 8d 9d", "8c"])
    play(game, "0 attack 7c")
    assert legal(game) == "take"


def test_durnius_may_be_passed_all_the_way_round():
    """000: with four or fewer "the original attacker ends up defending against their own attack"."""
    game = placed("perevodnoy", ["7c Kc Qc Jc Tc", "7d 8d 9d", "7h 8h 9h", "7s 8s 9s"])
    play(game, "0 attack 7c; 1 transfer 7d; 2 transfer 7h; 3 transfer 7s")
    assert (game.attacker, game.defender, str(game.table)) == (3, 0, "7c 7d 7h 7s")


def test_durnius_travel_document():
    """000: the trump of the rank is simply shown; it may be played later, and "may not be shown or played" to pass again."""
    game = placed("passport", ["7c 7d Kc", "7h 8d 9c"], trump="h")
    play(game, "0 attack 7c; 1 show 7h; 0 transfer 7d")
    assert legal(game) == "beat 7c 9c; beat 7c 7h; beat 7d 8d; beat 7d 7h; take"


def test_durnius_teams_do_not_add_to_attacks_on_teammates():
    """000: "When playing in teams, players may not add to attacks on their teammates"."""
    game = placed("teams", ["7c 7s Kc", "8c 9c Ah", "7d Kd", "7h Kh"])
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert asked(game) == [0, 2]


def test_durnius_epaulettes():
    """000: the last attacking card a six: "a fool with an epaulette"; two sixes: "epaulettes on both shoulders"."""
    one = play(placed("durnius", ["6c", "8d Kd"]), "0 attack 6c; 1 take")
    two = play(placed("durnius", ["6c 6d", "8d Kd"]), "0 attack 6c; 0 throw 6d; 1 take")
    assert (one.outcome.epaulettes, two.outcome.epaulettes) == (1, 2)


def test_durnius_epaulettes_as_points():
    """000: after a six "the opponents must next score against them using a seven", with a non-trump in the final attack."""
    match = Match(Rules.preset("durnius"), seed=1)
    for card, due in [("6c", "7"), ("7s", "7"), ("7d", "8")]:
        match._game = play(placed("durnius", [card, "8d Kd"]), f"0 attack {card}; 1 take")
        assert match.score[1].due == due
        match.next_game()


def test_durnius_may_use_more_than_one_deck():
    """000: "Variants exist that use more than one deck"."""
    game = Game(Rules.preset("two_decks", players=6), seed=1)
    assert ([len(hand) for hand in game.hands], len(game.talon)) == ([6] * 6, 36)


# Seed 001: Rules for playing Durak


@pytest.mark.parametrize(
    ("attack", "held", "moves"),
    [
        ("Ac", "Kc 6s", "beat Ac 6s; take"),
        ("9c", "8c Tc 6s", "beat 9c Tc; beat 9c 6s; take"),
        ("9s", "Ac 8s Ts", "beat 9s Ts; take"),
    ],
)
def test_basic_beating(attack, held, moves):
    """001: "a trump 6 beats a non-trump ace"; a higher card of the suit or a trump; trumps by higher trumps only."""
    game = placed("basic", [f"{attack} Kd", held])
    play(game, f"0 attack {attack}")
    assert legal(game) == moves


def test_basic_pitching_in():
    """001: "the attacker or any third party in line can pitch in extra attacking cards", at any point of a defence."""
    game = placed("basic", ["7c Kc Qc", "8c 9d Ah", "7h 8h Qh"])
    play(game, "0 attack 7c; 2 pass; 1 beat 7c 8c")
    assert (game.actor, legal(game)) == (2, "throw 7h; throw 8h; pass")


def test_basic_abandoning_the_defence():
    """001: the defender picks up all, pitched cards too; "This immediately ends the turn", and the left attacks next."""
    game = placed("basic", ["7c 7d Kc", "8c 9d Ah", "7h Kh Qh"])
    play(game, "0 attack 7c; 0 pass; 2 throw 7h; 0 pass; 1 beat 7c 8c; 0 pass; 1 take")
    assert (hands(game)[1], game.attacker) == ("7c 8c 9d 7h Ah", 2)


def test_basic_the_attacker_may_draw_the_entire_deck():
    """001: six cards left and the attacker's hand spent: "they draw the entire deck and no one else draws any cards"."""
    game = placed("basic", ["7c 7d", "8c 8d Kd Kh"], talon="6h 6d 9d 9h Th 6s", turn_up="6s")
    play(game, "0 attack 7c; 0 throw 7d; 1 beat 7c 8c; 1 beat 7d 8d")
    assert hands(game) == ["6d 9d 6h 9h Th 6s", "Kd Kh"]


def test_basic_the_last_card_is_a_trump():
    """001: "the last card in the deck is by definition a trump", and goes to whoever draws last."""
    game = placed(Rules.preset("basic", hand_size=2), ["7c 9d", "8c Kd"], talon="6h 6s", turn_up="6s")
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert hands(game) == ["9d 6h", "Kd 6s"]


def test_basic_play_carries_on_without_drawing():
    """001: "When the deck runs out of cards, play simply carries on"; who runs out is done, the others continue."""
    game = placed("basic", ["7c", "8d Kd", "9h Th"])
    play(game, "0 attack 7c; 1 take")
    assert (game.places, game.actor, game.outcome) == ((0,), 2, None)


def test_basic_the_fool_deals():
    """001: "That person is the dealer for the next game, and the person to the fool's right is the first attacker"."""
    match = Match(Rules.preset("basic", players=4), seed=4)
    match._game = play(placed("basic", ["", "7c", "8d Kd", ""], attacker=1), "1 attack 7c; 2 take")
    assert (match.next_game().attacker, match.dealer) == (1, 2)


# Seed 002: Thrown Up, Transfer, Bulk and Japanese Durak


def test_thrown_up_the_attacker_adds_after_the_first_defence():
    """002 §1.2: "After the first card has been defended attacker may add cards … of the same face value"."""
    game = placed("thrown_up", ["7c 7d 8h Kc", "8c 9d Ah", "7h Kh Qh"])
    play(game, "0 attack 7c")
    assert game.actor == 1
    play(game, "1 beat 7c 8c")
    assert (game.actor, legal(game)) == (0, "throw 7d; throw 8h; pass")
    play(game, "0 throw 7d")
    assert (game.actor, legal(game)) == (0, "throw 8h; pass")


def test_thrown_up_others_than_the_attacker_add_nothing():
    """002 §1.2 speaks of the attacker alone: a third player holding the rank is not asked."""
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


def test_thrown_up_no_more_than_six_or_the_defenders_hand():
    """002 §1.2: as many as originally dealt (6) "or until the defender runs out of cards, whichever is less"."""
    assert placed("thrown_up", ["7c 7d", "8c 9c Tc Jc Qc Kc Ac"]).limit == 6
    assert placed("thrown_up", ["7c 7d", "8c 9c"]).limit == 2


def test_thrown_up_refreshes_the_attacker_first():
    """002 §1.4: "Attacker refreshes his hand first. Defender refreshes his hand last"."""
    game = placed(Rules.preset("thrown_up", hand_size=2), ["7c Kc", "8c Kh"], talon="6s 9s Ts")
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert hands(game) == ["Kc 6s", "Kh 9s"]


def test_thrown_up_who_is_left_empty_handed_withdraws():
    """002 §1.4: with the deck exhausted, "players who are left empty handed withdraw from the game"."""
    game = placed("thrown_up", ["7c", "8c Kh", "9h Th"])
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert (game.places, game.actor) == ((0,), 1)


def test_transfer_lays_a_card_of_the_same_value():
    """002 §2: a player may "lay a card of the same value … and, thus, transfer the move to the following player", and so on."""
    game = placed("transfer", ["7c Kc Qc Jc", "7d 8d 9c", "7h 8h 9h"])
    play(game, "0 attack 7c; 1 transfer 7d; 2 transfer 7h")
    assert (game.attacker, game.defender) == (2, 0)


def test_transfer_is_not_obliged():
    """002 §2: "A player may, but is not obliged to transfer a move"."""
    game = placed("transfer", ["7c Kc Qc", "7d 8d 9c", "7h 8h 9h"])
    play(game, "0 attack 7c")
    assert legal(game) == "beat 7c 9c; transfer 7d; take"


def test_transfer_is_over_once_a_card_is_covered():
    """002 §2: "If at least one card has been covered in the move, other cards cannot be transferred"."""
    game = placed("transfer", ["7c 8d Kc", "8c 8h 9d", "9h Th Jh"])
    play(game, "0 attack 7c; 1 beat 7c 8c; 0 throw 8d")
    assert legal(game) == "beat 8d 9d; take"


def test_transfer_needs_cards_enough_in_the_next_hand():
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


@pytest.mark.parametrize("name", ["japanese", "japanese_transfer"])
def test_japanese_has_diamonds_as_trumps_and_spades_by_spades(name):
    """002 §4: "diamonds are always a trump suit, and spades are only covered by spades"."""
    game = placed(name, ["7s Kc", "8s 8d Ad"], trump=None)
    assert game.trump == "d"
    play(game, "0 attack 7s")
    assert legal(game) == "beat 7s 8s; take"


def test_japanese_may_be_transferred_in_its_other_form():
    """002 §4: the rules differ "in the only point" from Thrown Up and from Transfer."""
    game = placed("japanese_transfer", ["7s Kc Qc", "7h 8s 8d"], trump=None)
    play(game, "0 attack 7s")
    assert legal(game) == "beat 7s 8s; transfer 7h; take"


# Seed 003: Econ 431, Problem Set #1


ECON = Rules.preset("econ431")


def test_econ_the_deck_and_the_deal():
    """003: 24 cards, nine to ace; five each; a card turned up and "out of play"."""
    deck = "9c Tc Jc Qc Kc Ac 9d Td Jd Qd Kd Ad 9h Th Jh Qh Kh Ah 9s Ts Js Qs Ks As"
    game = Game(ECON, deck=deck, dealer=0)
    assert hands(game) == ["Tc Qc Ac Td Qd", "9c Jc Kc 9d Jd"]
    assert (game.trump, str(game.turn_up), len(game.talon)) == ("s", "As", 13)
    assert "As" not in talon(game)


@pytest.mark.parametrize("dealer", [0, 1])
def test_econ_the_dealer_defends_first(dealer):
    """003: "Play begins with the dealer as initial defender and the other player as attacker"."""
    game = Game(ECON, seed=1, dealer=dealer)
    assert (game.attacker, game.defender) == (1 - dealer, dealer)


def test_econ_defending_against_the_ten_of_clubs():
    """003: hearts are trumps; "the J, Q, K, or A of clubs or any rank of hearts" beat the 10 of clubs."""
    game = placed(ECON, ["Tc 9s", "9c Jc Qc Kc Ac 9h Ah As"], trump="h")
    play(game, "0 attack Tc")
    assert legal(game) == "beat Tc Jc; beat Tc Qc; beat Tc Kc; beat Tc Ac; beat Tc 9h; beat Tc Ah; take"


def test_econ_continuing_with_a_ten_or_a_king():
    """003: after 10 and K of clubs the attacker may play "a 10 or a K of any suit"."""
    game = placed(ECON, ["Tc Td Kd Qs", "Kc 9h Th Ac"], trump="h")
    play(game, "0 attack Tc; 1 beat Tc Kc")
    assert (game.actor, legal(game)) == (0, "throw Td; throw Kd; pass")


@pytest.mark.parametrize(("trumped", "moves"), [("9h", "throw Kd; throw 9s; throw Ts; pass"), ("Th", "throw Kd; throw Ts; pass")])
def test_econ_continuing_after_a_trump(trumped, moves):
    """003: the 10 of diamonds trumped by the 9 of hearts allows "the 10, K, or 9"; by the 10 of hearts, only 10 or K."""
    game = placed(ECON, ["Tc Td Kd 9s Ts", "Kc 9h Th Ac"], trump="h")
    play(game, f"0 attack Tc; 1 beat Tc Kc; 0 throw Td; 1 beat Td {trumped}")
    assert legal(game) == moves


def test_econ_picking_up_ends_the_round_and_the_attacker_goes_on():
    """003: she picks up all the cards played that round, and the attacker "begins a new round by playing another card"."""
    game = placed(ECON, ["Tc Td Kd", "Kc 9s Ac"], trump="h")
    play(game, "0 attack Tc; 1 beat Tc Kc; 0 throw Td; 1 take")
    assert (hands(game), game.attacker) == (["Kd", "Tc Kc Ac Td 9s"], 0)


def test_econ_the_successful_defender_attacks():
    """003: the pairs are discarded, the attacker draws first, and "the previously defending player becomes the attacker"."""
    game = placed(ECON, ["Tc 9c Qc Ac 9d", "Kc 9s As Jd Qd"], trump="h", talon="9h Th Jh Qh")
    play(game, "0 attack Tc; 1 beat Tc Kc")
    assert (hands(game), game.attacker) == (["9c Qc Ac 9d 9h", "Jd Qd Th 9s As"], 1)


def test_econ_the_loser_of_the_round_draws_first():
    """003: "with the round's loser (in this case, the defender) drawing first"."""
    game = placed(ECON, ["Tc", "9c"], trump="h", talon="9h Th Jh Qh Kh Ah 9s Ts")
    play(game, "0 attack Tc; 1 take")
    assert hands(game) == ["Qh Kh Ah 9s Ts", "9c Tc 9h Th Jh"]


def test_econ_no_more_than_five_cards_a_round():
    """003: "The defender may defend up to five cards in any round"."""
    game = placed(ECON, ["9c 9d 9s Tc Td Ts", "Jc Jd Js Kh Qh Ah"], trump="h")
    assert game.limit == 5


def test_econ_who_attacks_with_the_last_card_wins():
    """003: "The player who either attacks … with her last card is the game's winner"."""
    game = placed(ECON, ["Tc", "Kc Ac"], trump="h")
    play(game, "0 attack Tc")
    assert (game.outcome.winners, game.outcome.fool, game.outcome.utilities) == ((0,), 1, (1, -1))


def test_econ_who_defends_with_the_last_card_wins():
    """003: "… or defends with her last card", and the other is the durak."""
    game = placed(ECON, ["Tc Td", "Kc"], trump="h")
    play(game, "0 attack Tc; 1 beat Tc Kc")
    assert (game.outcome.winners, game.outcome.fool) == ((1,), 0)


def test_econ_the_durak_deals_again():
    """003: "The durak should shuffle all 24 cards and deal again", and so defends first."""
    match = Match(ECON, seed=1)
    match._game = play(placed(ECON, ["Tc", "Kc Ac"], trump="h"), "0 attack Tc")
    game = match.next_game()
    assert (match.dealer, game.attacker, game.defender) == (1, 0, 1)


# Seed 004: Durak, an encyclopedia's article


def test_podkidnoy_the_eight_of_spades():
    """004: an 8 of spades needs "a higher spade such as the 10 of spades or a card from the trump suit"."""
    game = placed("podkidnoy", ["8s Kc", "7s Ts 9h 6d"], trump="d")
    play(game, "0 attack 8s")
    assert legal(game) == "beat 8s 6d; beat 8s Ts; take"


def test_podkidnoy_a_new_attack_follows_a_defence():
    """004: "All other players may make a new attack if the defender has successful defended the last attack"."""
    game = placed("podkidnoy", ["7c 7s Kc", "8c 9c Ah", "7d Kd", "7h Kh"])
    play(game, "0 attack 7c")
    assert game.actor == 1
    play(game, "1 beat 7c 8c")
    assert asked(game) == [0, 2, 3]


def test_podkidnoy_six_attacks_are_the_most():
    """004: "There cannot be more than six attacks in each round"."""
    assert placed("podkidnoy", ["7c 7s Kc", "8c 9c Tc Jc Qc Ac Ah"]).limit == 6


def test_podkidnoy_others_shed_cards_on_a_defender_who_takes():
    """004: "the other players may shed cards which have already been played … which the defender must also pick up"."""
    game = placed("podkidnoy", ["7c 7s Kc", "9c Jd Ah", "7d Kd", "Qh Kh"])
    play(game, "0 attack 7c; 1 take; 0 throw 7s; 2 throw 7d")
    assert (hands(game), game.attacker) == (["Kc", "7c 9c 7d Jd Ah 7s", "Kd", "Qh Kh"], 2)


def test_wikipedia_the_last_attacker_may_go_on_first():
    """004: "the player who led that attack … may start a new attack", then the original attacker, then the defender's left."""
    game = placed("wikipedia", ["7c 8s As Kc", "8c 9h Ad Ah", "7d 8h Qd", "7h Kh Qh"], trump="h")
    play(game, "0 attack 7c; 1 beat 7c 8c; 0 throw 8s; 1 beat 8s 9h; 2 throw 7d; 1 beat 7d Ad")
    assert asked(game) == [2, 0, 3]


def test_wikipedia_who_passes_passes_for_the_round():
    """004: who chooses "not to attack again" gives up "all future attacks during the round of attacks"."""
    game = placed("wikipedia", ["7c 7s Kc", "8c 8d 9h Ah", "7d 8h Qd", "7h Kh Qh"])
    play(game, "0 attack 7c; 1 beat 7c 8c; 0 pass; 2 throw 7d; 1 beat 7d 8d")
    assert asked(game) == [2, 3]


def test_004_spades_by_spades():
    """004: "Spades may not be beaten by trump, only by other spades"; "spades do not beat trump"."""
    game = placed("spades_by_spades", ["7s 7d", "8s Ad As"], trump="d")
    play(game, "0 attack 7s")
    assert legal(game) == "beat 7s 8s; beat 7s As; take"
    game = placed("spades_by_spades", ["7d 7s", "8s Ad As"], trump="d")
    play(game, "0 attack 7d")
    assert legal(game) == "beat 7d Ad; take"


@pytest.mark.parametrize("seed", range(12))
def test_004_spades_are_never_trumps(seed):
    """004: under spades by spades "the trump suit cannot be spades"."""
    assert Game(Rules.preset("spades_by_spades"), seed=seed).trump in ("c", "d", "h")


def test_004_crazy_durak():
    """004: the same, "along with the rule that the trump suit is always diamonds"."""
    assert {Game(Rules.preset("crazy"), seed=seed).trump for seed in range(12)} == {"d"}


def test_004_without_trumps():
    """004: "There is no trump suit"."""
    game = placed("no_trumps", ["7c Kc", "8d 8h 8s"], trump=None)
    play(game, "0 attack 7c")
    assert (game.trump, legal(game)) == (None, "take")


def test_004_siege_durak():
    """004: "multi-card (of the same rank) opening attacks, and simultaneous attacks from multiple players"."""
    game = placed("siege", ["7c 7d Kc", "8c 8d 9h Ah", "7h Kh Qh"])
    play(game, "0 attack 7c 7d; 2 throw 7h")
    assert (game.actor, str(game.table)) == (1, "7c 7d 7h")


def test_004_lowest_trump_beats_the_trump_ace():
    """004: the trump ace is beaten by the lowest trump, and "can still beat any card, including card that beats it"."""
    ace = play(placed("low_trump", ["As Kc", "6s 7s"]), "0 attack As")
    six = play(placed("low_trump", ["6s Kc", "As 7d"]), "0 attack 6s")
    assert (legal(ace), legal(six)) == ("beat As 6s; take", "beat 6s As; take")


def test_004_albanian_durak():
    """004: "The trump card is placed on top of the talon instead of on the bottom"."""
    game = Game(Rules.preset("albanian"), deck=IN_ORDER)
    assert (talon(game)[:2], str(game.turn_up), game.trump) == ("9d", "9d", "d")


def test_004_changeable_trump():
    """004: when the visible trump is drawn, the hidden card "determines the trump suit for the rest of the game"."""
    rules = Rules.preset("changeable_trump", hand_size=2)
    game = placed(rules, ["6c 9c", "7c 9d"], trump="h", talon="8h 9s", turn_up="8h")
    play(game, "0 attack 6c; 1 take")
    assert (game.trump, str(game.turn_up)) == ("s", "9s")


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_004_railway_durak(players):
    """004: "the whole of deck is distributed to the players, except one card to determine trump"."""
    game = Game(Rules.preset("railway", players=players), deck=IN_ORDER)
    assert sum(map(len, game.hands)) == 35
    assert (str(game.turn_up), game.trump, game.talon) == ("As", "s", ())


def test_004_poker_durak():
    """004: any two cards for any two of the talon "before their turn. Each player can do this only 3 times in the game"."""
    game = placed(Rules.preset("poker", hand_size=2), ["6c 9c", "7c 9d"], trump="h", talon="8d 9h Ts 8h", turn_up="8h")
    play(game, "0 swap 6c 9c")
    assert (hands(game)[0], talon(game), game.rules.swaps) == ("8d 9h", "Ts 6c 9c 8h", 3)


def test_004_full_durak():
    """004: played "with a full deck with or without jokers, with 2s as the lowest card"."""
    assert len(Game(Rules.preset("full"), seed=1).talon) == 52 - 12
    assert len(Game(Rules.preset("full_jokers"), seed=1).talon) == 54 - 12
    game = placed("full", ["Ac Kd", "2s Kc"])
    play(game, "0 attack Ac")
    assert legal(game) == "beat Ac 2s; take"


def test_004_a_joker_beats_any_card_of_its_colour():
    """004: "a Joker of a particular color beats any card of that color"."""
    black = play(placed("full_jokers", ["As Kd", "Xr Xb"]), "0 attack As")
    red = play(placed("full_jokers", ["Ad Ks", "Xr Xb"]), "0 attack Ad")
    assert (legal(black), legal(red)) == ("beat As Xb; take", "beat Ad Xr; take")


def test_004_weli():
    """004: "If a 6 is played, it remains a 6, but the suit may be chosen"."""
    game = placed("weli", ["Ah 6d 7c", "6c 8c"])
    play(game, "0 attack Ah")
    assert legal(game) == "beat Ah 6c=s; take"
    play(game, "1 beat Ah 6c=s")
    assert legal(game) == "throw 6d=c; throw 6d; throw 6d=h; throw 6d=s; pass"


def test_004_weli_plays_two_trumps_at_the_same_time():
    """004: "it is also possible in a deck to play 2 trumps or 2 clubs at the same time"."""
    game = placed(Rules.preset("weli", opening="same_rank"), ["6s 6d Kc", "8c 8d 8s 7s"])
    play(game, "0 attack 6d=s 6s")
    assert (str(game.table), legal(game)) == ("6d=s 6s", "beat 6s 7s; beat 6s 8s; take")


def test_004_teams_sit_opposite_or_by_turns():
    """004: with two to a team "opposite one another", with three "alternating"."""
    opposite = placed("teams", ["7c", "8d Kd", "7h", "Td"])
    play(opposite, "0 attack 7c; 1 take; 2 throw 7h")
    alternating = placed("teams_of_three", ["7c", "8d Kd", "7h", "Td", "7s", "Jd"])
    play(alternating, "0 attack 7c; 1 take; 2 throw 7h")
    assert (opposite.outcome.winners, alternating.outcome) == ((0, 2), None)
    assert placed("teams_of_two", ["7c", "8d", "9d", "Td", "Jd", "Qd"]).defender == 1
