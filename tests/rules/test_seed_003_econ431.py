"""Played examples for the source text 003, problem set #1 of Econ 431."""

from durak_widget import Game, Match, Rules
from support.rule_examples import hands, legal, placed, play, talon

ECON = Rules.preset("econ431")


def test_econ_the_deck_and_the_deal():
    """003: 24 cards, nine to ace; five each; a card turned up and "out of play"."""
    deck = "9c Tc Jc Qc Kc Ac 9d Td Jd Qd Kd Ad 9h Th Jh Qh Kh Ah 9s Ts Js Qs Ks As"
    game = Game(ECON, deck=deck, dealer=0)
    assert hands(game) == ["Tc Qc Ac Td Qd", "9c Jc Kc 9d Jd"]
    assert (game.trump, str(game.turn_up), len(game.talon)) == ("s", "As", 13)
    assert "As" not in talon(game)


def test_econ_the_dealer_defends_first():
    """003: "Play begins with the dealer as initial defender and the other player as attacker"."""
    for dealer in (0, 1):
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


def test_econ_continuing_after_a_trump():
    """003: the 10 of diamonds trumped by the 9 of hearts allows "the 10, K, or 9"; by the 10 of hearts, only 10 or K."""
    for trumped, moves in (("9h", "throw Kd; throw 9s; throw Ts; pass"), ("Th", "throw Kd; throw Ts; pass")):
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


def test_econ_attacking_with_the_last_card_wins():
    """003: "The player who either attacks … with her last card is the game's winner"."""
    game = placed(ECON, ["Tc", "Kc Ac"], trump="h")
    play(game, "0 attack Tc")
    assert (game.outcome.winners, game.outcome.fool, game.outcome.utilities) == ((0,), 1, (1, -1))


def test_econ_defending_with_the_last_card_wins():
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
