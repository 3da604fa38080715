"""Rule book §7: a match: dealer, first attacker, score, and epaulettes as points."""

import pytest

from durak_widget import DurakError, Game, Match, PositionError, Rules
from support.rule_examples import play

TWO = (["7c", "8d Kd"], "0 attack 7c; 1 take")
"""Two players: seat 1 is the fool, and was attacked with 7c last."""
THREE = (["7c", "8d Kd", "7h"], "0 attack 7c; 1 take; 2 throw 7h")
"""Three players: seat 1 is the fool."""
SEEDS = range(8)


def end_with(match, hands, line, *, trump="s", attacker=0):
    """Replace the present game of a match by one that ends with this bout."""
    ended = Game.from_position(match.rules, hands=hands, trump=trump, attacker=attacker)
    match._game = play(ended, line)
    assert match.game.outcome is not None


def lowest_trump(game):
    """Return the seat with the lowest trump, or None if nobody has one."""
    trumps = {card.code: seat for seat, hand in enumerate(game.hands) for card in hand if card.suit == game.trump}
    return trumps[min(trumps)] if trumps else None


# Dealer and first attacker


def test_the_fool_deals_and_the_seat_before_it_begins():
    """`right_of_fool`: the seat before the fool, counted anticlockwise, attacks first, whatever the trumps, §7."""
    for seed in SEEDS:
        match = Match(Rules(players=3), seed=seed)
        end_with(match, *THREE)
        game = match.next_game()
        assert (match.dealer, game.attacker, game.defender, game.bout) == (1, 0, 1, 1)


def test_the_seat_before_seat_0_is_the_last_seat():
    """Anticlockwise from seat 0 comes the last seat, §7."""
    for seed in SEEDS:
        match = Match(Rules(players=3), seed=seed)
        end_with(match, ["8d Kd", "7h", "7c"], "2 attack 7c; 0 take; 1 throw 7h", attacker=2)
        game = match.next_game()
        assert (match.dealer, game.attacker, game.defender) == (0, 2, 0)


def test_with_two_players_the_fool_defends_first():
    """With two players the other attacks the fool, §7."""
    for seed in SEEDS:
        match = Match(seed=seed)
        end_with(match, *TWO)
        assert (match.next_game().attacker, match.dealer) == (0, 1)


def test_the_lowest_trump_may_begin_every_game():
    """`lowest_trump`: as in a first game, §4.4, §7."""
    for seed in SEEDS:
        match = Match(Rules(players=3, next_attacker="lowest_trump"), seed=seed)
        end_with(match, *THREE)
        game = match.next_game()
        holder = lowest_trump(game)
        assert (match.dealer, game.attacker) == (1, 2 if holder is None else holder)


def test_the_dealers_left_may_begin_every_game():
    """`left_of_dealer`: the fool deals, and the seat after it attacks, §4.4, §7."""
    for seed in SEEDS:
        match = Match(Rules(players=3, next_attacker="left_of_dealer"), seed=seed)
        end_with(match, *THREE)
        game = match.next_game()
        assert (match.dealer, game.attacker) == (1, 2)


def test_after_a_draw_the_dealers_left_deals():
    """Without a fool the seat left of the dealer deals, and `first_attacker` says who begins, §7."""
    for dealer, epaulettes_after in ((0, 1), (1, 2), (2, 0)):
        match = Match(Rules(players=3, first_attacker="left_of_dealer"), seed=1, dealer=dealer)
        end_with(match, ["7c", "8c", ""], "0 attack 7c; 1 beat 7c 8c")
        game = match.next_game()
        assert (match.dealer, game.attacker) == (epaulettes_after, (epaulettes_after + 1) % 3)


def test_after_a_game_without_a_fool_first_attacker_decides():
    """With `right_of_fool` and no fool, `first_attacker` decides as in a first game, §7."""
    for seed in SEEDS:
        match = Match(Rules(players=3, goal="first_out"), seed=seed, dealer=2)
        end_with(match, ["7c", "8d Kd", "9h"], "0 attack 7c; 1 take")
        game = match.next_game()
        holder = lowest_trump(game)
        assert (match.dealer, game.attacker) == (0, 1 if holder is None else holder)


def test_with_teams_a_seat_of_another_team_begins():
    """The first seat anticlockwise from the fool on another team attacks first, §7."""
    for teams, players, hands, line, fool, first in (
        ("2v2", 4, ["7c", "8d Kd", "7h", ""], "0 attack 7c; 1 take; 2 throw 7h", 1, 0),
        ("2v2", 4, ["8d Kd", "", "", "7c"], "3 attack 7c; 0 take", 0, 3),
        ("3v3", 6, ["7c", "8d Kd", "", "", "", ""], "0 attack 7c; 1 take", 1, 0),
        ("2v2v2", 6, ["7c", "8d Kd", "", "", "", ""], "0 attack 7c; 1 take", 1, 0),
    ):
        match = Match(Rules(players=players, teams=teams), seed=3)
        end_with(match, hands, line, attacker=int(line[0]))
        game = match.next_game()
        assert (match.dealer, game.attacker) == (fool, first)


def test_the_next_game_waits_for_the_end_of_the_present_one():
    """No game is dealt while one is being played, and nothing changes, §7."""
    match = Match(seed=1)
    game = match.game
    with pytest.raises(DurakError, match="over"):
        match.next_game()
    assert (match.game, match.games) == (game, (game,))


def test_a_match_deals_the_same_games_from_the_same_seed():
    """The same seed and the same fools deal the same games, §7."""
    decks = []
    for _ in range(2):
        match = Match(seed=5)
        first = match.game.hands
        end_with(match, *TWO)
        decks.append((first, match.next_game().hands))
    assert decks[0] == decks[1]
    assert decks[0][0] != decks[0][1]


# Matches from a game, and games dealt again


def test_a_dealt_game_may_be_the_first_of_a_match():
    """Its dealer is the first dealer of the match, its result counts, and the next game follows from it, §7."""
    for dealer in range(3):
        match = Match.from_game(Game(Rules(players=3), seed=1, dealer=dealer), seed=2)
        assert (match.dealer, match.games, match.loser) == (dealer, (match.game,), None)
        assert match.score == Match(Rules(players=3), seed=1).score
        end_with(match, *THREE)
        assert [side.times_fool for side in match.score] == [0, 1, 0]
        game = match.next_game()
        assert (match.dealer, game.attacker, game.rules) == (1, 0, Rules(players=3))


def test_a_position_may_be_the_first_game_of_a_match():
    """Nobody dealt it; seat 0 counts as its dealer, so after a draw seat 1 deals, §7."""
    hands, line = ["7c", "8c"], "0 attack 7c; 1 beat 7c 8c"
    match = Match.from_game(play(Game.from_position(hands=hands, trump="s"), line), seed=2)
    assert (match.dealer, [side.ties for side in match.score]) == (0, [1, 1])
    match.next_game()
    assert match.dealer == 1


def test_the_seed_deals_the_games_that_follow():
    """The same game and the same seed are the same match, §7."""
    first, second, other = (Match.from_game(Game(seed=7), seed=seed).deal_again().hands for seed in (1, 1, 2))
    assert first == second != other
    with pytest.raises(PositionError, match=r"seed .*1.5"):
        Match.from_game(Game(seed=7), seed=1.5)


def test_a_first_game_dealt_again_is_a_first_game():
    """The same dealer, other cards, and `first_attacker` says who begins, §4.4, §7."""
    match = Match(Rules(players=3), seed=4, dealer=2)
    for _ in SEEDS:
        before = match.game.hands
        game = match.deal_again()
        holder = lowest_trump(game)
        assert game.hands != before
        assert (match.dealer, game.attacker) == (2, 0 if holder is None else holder)


def test_a_later_game_dealt_again_has_the_same_dealer_and_attacker():
    """The fool of the game before deals again, and the seat before it begins, §7."""
    match = Match(Rules(players=3), seed=4)
    end_with(match, *THREE)
    match.next_game()
    match.games[0].undo()  # whoever looks back changes nothing
    for _ in SEEDS:
        game = match.deal_again()
        assert (match.dealer, game.attacker, game.ply, game.outcome) == (1, 0, 0, None)


def test_a_game_that_is_dealt_again_does_not_count():
    """It is not a game of the match, over or not; those before it still count, §7."""
    match = Match(seed=1)
    end_with(match, *TWO)
    match.next_game()
    before = match.score
    end_with(match, *TWO)
    assert match.score != before
    match.deal_again()
    assert (match.score, len(match.games)) == (before, 2)


# The score


def test_a_match_counts_fools_wins_and_draws_for_each_seat():
    """The score says how often each seat was the fool, won and drew, §7."""
    match = Match(Rules(players=3), seed=1)
    end_with(match, *THREE)
    match.next_game()
    end_with(match, ["7c", "8c", ""], "0 attack 7c; 1 beat 7c 8c")
    match.next_game()
    end_with(match, ["8d Kd", "7h", "7c"], "2 attack 7c; 0 take; 1 throw 7h", attacker=2)
    assert [(side.seats, side.times_fool, side.losses, side.wins, side.ties) for side in match.score] == [
        ((0,), 1, 1, 1, 1),
        ((1,), 1, 1, 1, 1),
        ((2,), 0, 0, 2, 1),
    ]


def test_a_match_of_teams_counts_for_each_team():
    """The score is counted by team, §7."""
    match = Match(Rules.preset("teams"), seed=1)
    end_with(match, ["7c", "8d Kd", "7h", "Td"], "0 attack 7c; 1 take; 2 throw 7h")
    assert [(side.seats, side.times_fool, side.losses, side.wins, side.ties) for side in match.score] == [
        ((0, 2), 0, 0, 1, 0),
        ((1, 3), 1, 1, 0, 0),
    ]


def test_an_unfinished_game_does_not_count():
    """Only games that are over count, §7."""
    assert [(side.times_fool, side.wins, side.ties) for side in Match(seed=1).score] == [(0, 0, 0)] * 2


# Epaulettes as points


def epaulettes_after(rules, *bouts, trump="s"):
    """Return each side's epaulettes and the next rank due, after games that end with these bouts."""
    match = Match(rules, seed=1)
    for number, (hands, line) in enumerate(bouts):
        if number:
            match.next_game()
        end_with(match, hands, line, trump=trump)
    return [(side.epaulettes, side.due_rank) for side in match.score]


def lost_to(card):
    """Return a game that seat 1 loses, attacked with this card last."""
    return [card, "8d Kd"], f"0 attack {card}; 1 take"


def test_each_side_is_due_the_lowest_rank_first():
    """Each side is due a rank, at first the lowest of the deck, §7."""
    assert [side.due_rank for side in Match(seed=1).score] == ["6", "6"]
    assert [side.due_rank for side in Match("full", seed=1).score] == ["2", "2"]
    assert [side.due_rank for side in Match("econ431", seed=1).score] == ["9", "9"]


def test_the_loser_receives_the_rank_that_it_is_due():
    """Attacked with a six last, the side that lost has the six and is due a seven, §7."""
    assert epaulettes_after(Rules(), lost_to("6c")) == [("", "6"), ("6", "7")]


def test_the_ranks_follow_one_another():
    """A six, then a seven, then an eight, §7."""
    assert epaulettes_after(Rules(), lost_to("6c"), lost_to("7c"), lost_to("8c")) == [("", "6"), ("678", "9")]


def test_a_rank_that_is_not_due_counts_for_nothing():
    """The last attacking card must be of the rank due, §7."""
    for card in ("7c", "9h", "Ah"):
        assert epaulettes_after(Rules(), lost_to(card)) == [("", "6"), ("", "6")]


def test_the_same_rank_again_counts_for_nothing():
    """A side that has the six is due a seven, and a second six gives nothing, §7."""
    assert epaulettes_after(Rules(), lost_to("6c"), lost_to("6h")) == [("", "6"), ("6", "7")]


def test_an_attack_of_trumps_alone_counts_for_nothing():
    """At least one attacking card of the bout must not be a trump, §7."""
    assert epaulettes_after(Rules(), lost_to("6s")) == [("", "6"), ("", "6")]


def test_one_plain_card_among_trumps_is_enough():
    """Any attacking card of the final bout may be the plain card, §7."""
    for hands, line in (
        # a plain six, then the trump six
        (["6c 6s", "8d Kd"], "0 attack 6c; 1 take; 0 throw 6s"),
        # the trump six, then a plain one
        (["6s 6c", "8d Kd"], "0 attack 6s; 1 take; 0 throw 6c"),
    ):
        assert epaulettes_after(Rules(), (hands, line))[1] == ("6", "7")


def test_only_the_last_attacking_card_gives_its_rank():
    """A six before a nine gives nothing to a side that is due a six, §7."""
    game = (["6d 9c", "9d Kd Kh Ks"], "0 attack 6d; 1 beat 6d 9d; 0 throw 9c; 1 take")
    assert epaulettes_after(Rules(), game)[1] == ("", "6")


def test_a_declared_card_counts_in_its_declared_suit():
    """A trump six declared as a heart is not a trump, and a plain six declared as a trump is a trump, §7."""
    sixes = Rules.preset("weli")
    assert epaulettes_after(sixes, (["6s", "8d Kd"], "0 attack 6s=h; 1 take"))[1] == ("6", "7")
    assert epaulettes_after(sixes, (["6h", "8d Kd"], "0 attack 6h=s; 1 take"))[1] == ("", "6")


def test_without_trumps_every_card_is_plain():
    """If there are no trumps, no attacking card is a trump, §7."""
    assert epaulettes_after(Rules(trump="none"), lost_to("6s"), trump=None)[1] == ("6", "7")


def test_a_loser_who_did_not_defend_receives_nothing():
    """The final bout must have been defended by a seat of the side that lost, §7."""
    assert epaulettes_after(Rules(), (["6c Kc", "7c"], "0 attack 6c; 1 beat 6c 7c")) == [("", "6"), ("", "6")]


def test_a_draw_gives_no_epaulette():
    """In a draw no side has lost, §7."""
    assert epaulettes_after(Rules(), (["6c", "7c"], "0 attack 6c; 1 beat 6c 7c")) == [("", "6"), ("", "6")]


def test_a_side_receives_epaulettes_with_every_goal():
    """`first_out`: the losers are those not first; the one of them who defended receives its rank, §7."""
    game = (["6c", "8d Kd", "9h"], "0 attack 6c; 1 take")
    assert epaulettes_after(Rules(players=3, goal="first_out"), game) == [("", "6"), ("6", "7"), ("", "6")]


def test_a_team_receives_for_each_of_its_seats():
    """A side is a team: any of its seats may have defended, though another is the fool, §7."""
    match = Match(Rules.preset("teams"), seed=1)
    end_with(match, ["6c", "8d 9d", "6h", "Td Jd Qd Kd Ah"], "0 attack 6c; 1 take; 2 throw 6h")
    assert match.game.outcome.fool == 3
    assert [(side.epaulettes, side.due_rank) for side in match.score] == [("", "6"), ("6", "7")]


def test_at_once_the_attack_that_ended_the_game_counts():
    """The final bout is the one during which the game ended, §6.5, §7."""
    assert epaulettes_after(Rules(out_when="at_once"), (["6c", "8d Kd"], "0 attack 6c"))[1] == ("6", "7")


def test_the_trump_of_the_final_bout_counts():
    """A hidden trump turned over in the last refill does not make the attack a trump, §4.3, §7."""
    rules = Rules(hidden_trump=True, draw_order="loser_first")
    match = Match(rules, seed=1)
    ended = Game.from_position(rules, hands=["6c", "7d"], trump="h", talon="8h 9c", turn_up="8h")
    match._game = play(ended, "0 attack 6c; 1 take")
    assert (match.game.outcome.fool, match.game.trump) == (1, "c")
    assert match.score[1].epaulettes == "6"


def test_the_side_that_receives_the_highest_rank_loses_the_match():
    """With kings and aces alone: the king, then the ace, and the match is over, §7."""
    rules = Rules(ranks="KA", hand_size=2)
    match = Match(rules, seed=1)
    end_with(match, ["Kc", "Kd Ad"], "0 attack Kc; 1 take")
    assert [(side.epaulettes, side.due_rank) for side in match.score] == [("", "K"), ("K", "A")]
    match.next_game()
    assert match.loser is None
    end_with(match, ["Ac", "Kd Ad"], "0 attack Ac; 1 take")
    assert (match.score[1].epaulettes, match.loser) == ("KA", 1)
    with pytest.raises(DurakError, match="the match is over"):
        match.next_game()
