"""Played examples for the source text 000, the rules of "Durnius" from Lithuania."""

from durak_widget import Game, Match, Rules
from support.rule_examples import IN_ORDER, asked, hands, legal, placed, play, stacked, talon


def test_durnius_deals_six_cards_each():
    """000: "The deck is shuffled, and each player receives six cards"; 36 cards are enough for six."""
    for players in (2, 3, 4, 5, 6):
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


def test_durnius_limits_the_attack_by_the_defenders_hand_alone():
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
    single = play(placed("durnius", ["6c", "8d Kd"]), "0 attack 6c; 1 take")
    double = play(placed("durnius", ["6c 6d", "8d Kd"]), "0 attack 6c; 0 throw 6d; 1 take")
    assert (single.outcome.epaulettes, double.outcome.epaulettes) == (1, 2)


def test_durnius_epaulettes_as_points():
    """000: after a six "the opponents must next score against them using a seven", with a non-trump in the final attack."""
    match = Match(Rules.preset("durnius"), seed=1)
    for card, due in [("6c", "7"), ("7s", "7"), ("7d", "8")]:
        match._game = play(placed("durnius", [card, "8d Kd"]), f"0 attack {card}; 1 take")
        assert match.score[1].due_rank == due
        match.next_game()


def test_durnius_may_use_more_than_one_deck():
    """000: "Variants exist that use more than one deck"."""
    game = Game(Rules.preset("two_decks", players=6), seed=1)
    assert ([len(hand) for hand in game.hands], len(game.talon)) == ([6] * 6, 36)
