"""Played examples for the source text 004, an encyclopedia's article on Durak."""

from durak_widget import Game, Rules
from support.rule_examples import IN_ORDER, asked, hands, legal, placed, play, talon


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


def test_podkidnoy_six_attacks_are_the_maximum():
    """004: "There cannot be more than six attacks in each round"."""
    assert placed("podkidnoy", ["7c 7s Kc", "8c 9c Tc Jc Qc Ac Ah"]).limit == 6


def test_podkidnoy_others_add_cards_for_a_defender_who_takes():
    """004: "the other players may shed cards which have already been played … which the defender must also pick up"."""
    game = placed("podkidnoy", ["7c 7s Kc", "9c Jd Ah", "7d Kd", "Qh Kh"])
    play(game, "0 attack 7c; 1 take; 0 throw 7s; 2 throw 7d")
    assert (hands(game), game.attacker) == (["Kc", "7c 9c 7d Jd Ah 7s", "Kd", "Qh Kh"], 2)


def test_wikipedia_the_last_attacker_may_go_on_first():
    """004: "the player who led that attack … may start a new attack", then the original attacker, then the defender's left."""
    game = placed("wikipedia", ["7c 8s As Kc", "8c 9h Ad Ah", "7d 8h Qd", "7h Kh Qh"], trump="h")
    play(game, "0 attack 7c; 1 beat 7c 8c; 0 throw 8s; 1 beat 8s 9h; 2 throw 7d; 1 beat 7d Ad")
    assert asked(game) == [2, 0, 3]


def test_wikipedia_a_pass_lasts_for_the_round():
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


def test_004_spades_are_never_trumps():
    """004: under spades by spades "the trump suit cannot be spades"."""
    for seed in range(12):
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


def test_004_railway_durak():
    """004: "the whole of deck is distributed to the players, except one card to determine trump"."""
    for players in (2, 3, 4, 5, 6):
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
