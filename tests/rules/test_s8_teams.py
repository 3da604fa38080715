"""Rule book §8: teams."""

import pytest

from durak_widget import Game, Rules
from support.rule_examples import legal, play

TWO = Rules.preset("teams")
PAIRS = Rules.preset("teams_of_two")
THREES = Rules.preset("teams_of_three")


def position_game(rules, hands, *, attacker=0, trump="s"):
    """Return a game with spades as trumps and no talon."""
    return Game.from_position(rules, hands=hands, trump=trump, attacker=attacker)


def seats_asked(game):
    """Return the seats whose turn comes one after another while everybody passes."""
    seats, bout = [], game.bout
    while game.bout == bout and legal(game).endswith("pass"):
        seats.append(game.actor)
        game.play("pass")
    return seats


@pytest.mark.parametrize(
    ("rules", "attacker", "defender", "throwers"),
    [
        (TWO, 0, 1, [0, 2]),
        (TWO, 3, 0, [3, 1]),
        (PAIRS, 0, 1, [0, 2, 3, 5]),
        (PAIRS, 4, 5, [4, 0, 1, 3]),
        (THREES, 0, 1, [0, 2, 4]),
        (THREES, 5, 0, [5, 1, 3]),
    ],
)
def test_nobody_throws_in_on_a_teammate(rules, attacker, defender, throwers):
    """Every opponent of the defender has a turn to throw in, the attacker first; its teammates do not, §8."""
    rules = rules.replace(decks=2)
    hands = ["9c 9d 7c", "Tc Td 7d", "Jc Jd 7h", "Qc Qd 7s", "Kc Kd 7c", "Ac Ad 7d"][: rules.players]
    hands[attacker] += " 7h"
    hands[defender] = "8h 8h Ah Ah"
    game = position_game(rules, hands, attacker=attacker)
    play(game, f"{attacker} attack 7h; {defender} beat 7h 8h")
    assert seats_asked(game) == throwers


def test_the_defender_is_always_the_next_opponent():
    """Nobody attacks a teammate, §8."""
    for rules, seats, attacker, defender in (
        # 2v2, all in
        (TWO, [0, 1, 2, 3], 1, 2),
        # 2v2, the next is out and the one after is a teammate
        (TWO, [0, 2, 3], 0, 3),
        # 2v2, past a teammate
        (TWO, [0, 1, 3], 1, 0),
        # 2v2v2, the next in
        (PAIRS, [0, 3, 5], 3, 5),
        # 2v2v2, past a teammate
        (PAIRS, [0, 3, 5], 0, 5),
        # 3v3, past two teammates
        (THREES, [0, 2, 4, 5], 0, 5),
        # 3v3, the next in
        (THREES, [0, 1, 2, 3], 1, 2),
    ):
        some = ["7c Kc", "8c Kd", "9c Kh", "Tc Qh", "Jc Qd", "Ac Qc"]
        game = position_game(rules, [some[seat] if seat in seats else "" for seat in range(rules.players)], attacker=attacker)
        assert (game.attacker, game.defender) == (attacker, defender)


def test_a_teammate_of_the_defender_may_attack_after_a_take():
    """The next seat in after the defender attacks, even if it is the defender's teammate, and it attacks its own opponent, §6.3, §8."""
    game = play(position_game(TWO, ["7c Kc", "8d Kd", "", "Td Jd"]), "0 attack 7c; 1 take")
    assert (game.attacker, game.defender) == (3, 0)


def test_nobody_transfers_to_a_teammate():
    """The transfer skips the defender's teammate and goes to the next opponent, §5.5, §8."""
    game = position_game(TWO.replace(transfer=True), ["7c Kc Qc", "7d Kd Qd", "", "Td Jd Qh"])
    play(game, "0 attack 7c; 1 transfer 7d")
    assert (game.attacker, game.defender) == (1, 0)


def test_with_all_seats_in_a_transfer_goes_to_the_next_seat():
    """Opponents sit in turn, so the next seat is an opponent, §5.5, §8."""
    game = position_game(PAIRS.replace(transfer=True), ["7c Kc Qc", "7d Kd Qd", "8c 8d Ad", "Td Jd Qh", "9c 9d", "Tc Jc"])
    play(game, "0 attack 7c; 1 transfer 7d")
    assert (game.attacker, game.defender) == (1, 2)


def test_after_a_transfer_the_new_defenders_team_may_not_throw():
    """Seat 0 attacked, and now its teammate 2 defends: 0 may no longer throw in, 1 and 3 may, §5.5, §8."""
    game = position_game(TWO.replace(transfer=True), ["7c 8s Qc", "7d 8h Qd", "8c 8d Ad", "7h Jd Qh"])
    play(game, "0 attack 7c; 1 transfer 7d; 2 beat 7c 8c; 2 beat 7d 8d")
    assert seats_asked(game) == [1, 3]


def test_no_seat_replaces_a_neighbour_on_the_defenders_team():
    """Seat 2 is out, so the defender's teammate 3 is its neighbour, and may not throw, §5.3, §8."""
    game = position_game(TWO.replace(throw_in_by="neighbours"), ["7c 7d Kc", "8c 8d 9h", "", "7h Kh"])
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert seats_asked(game) == [0]


def test_no_opponent_becomes_a_neighbour_behind_a_teammate():
    """Seats 2 and 3 are out; next to the defender sits its teammate 4, so seat 5 is not a neighbour, §5.3, §8."""
    game = position_game(PAIRS.replace(throw_in_by="neighbours"), ["7c 7d Kc", "8c 8d 9h", "", "", "7h Kh", "7s Ks"])
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert seats_asked(game) == [0]


# The end


def test_the_last_team_in_the_game_loses():
    """The game is over when one team is left, however many seats of it, §6.5, §8."""
    game = play(position_game(TWO, ["7c", "8d Kd", "7h", "Td"]), "0 attack 7c; 1 take; 2 throw 7h")
    outcome = game.outcome
    assert (outcome.winners, outcome.losers, outcome.places) == ((0, 2), (1, 3), (0, 2))
    assert outcome.utilities == (0.5, -0.5, 0.5, -0.5)


def test_the_game_goes_on_while_two_teams_are_in():
    """The game does not end when one seat of a team is out, §6.5, §8."""
    game = play(position_game(TWO, ["7c", "8d Kd", "9h", "Td"]), "0 attack 7c; 1 take")
    assert (game.outcome, game.places, game.attacker, game.defender) == (None, (0,), 2, 3)


def test_the_fool_is_the_loser_with_the_most_cards():
    """Seat 1 ends with four cards: seat 3 is the fool only with more; the lower seat if equal, §6.5."""
    for held, fool in (("Td", 1), ("Td Jd Qd", 1), ("Td Jd Qd Ah", 1), ("Td Jd Qd Ah Kh", 3)):
        game = play(position_game(TWO, ["7c", "8d Kd", "7h", held]), "0 attack 7c; 1 take; 2 throw 7h")
        assert str(game.hands[1]) == "7c 8d Kd 7h"
        assert game.outcome.fool == fool


def test_a_teammate_who_is_out_loses_with_its_team():
    """All seats of the team share the loss, in or out, §6.5, §6.7."""
    game = play(position_game(TWO, ["7c", "8d Kd", "", ""]), "0 attack 7c; 1 take")
    assert (game.outcome.losers, game.outcome.fool) == ((1, 3), 1)
    assert game.outcome.utilities == (0.5, -0.5, 0.5, -0.5)


def test_teams_share_the_payoff():
    """The losing team shares -1, all others share +1, §6.7."""
    for rules, losers, winners, utilities in (
        (PAIRS, (1, 4), (0, 2, 3, 5), (0.25, -0.5, 0.25, 0.25, -0.5, 0.25)),
        (THREES, (1, 3, 5), (0, 2, 4), (1 / 3, -1 / 3, 1 / 3, -1 / 3, 1 / 3, -1 / 3)),
    ):
        game = play(position_game(rules, ["7c", "8d Kd", "", "", "", ""]), "0 attack 7c; 1 take")
        assert (game.outcome.losers, game.outcome.winners) == (losers, winners)
        assert game.outcome.utilities == pytest.approx(utilities)


def test_the_first_out_wins_for_its_team():
    """`first_out`: the team of the first seat out won, everyone else lost, and there is no fool, §6.5."""
    game = play(position_game(TWO.replace(goal="first_out"), ["7c", "8d Kd", "9h", "Td"]), "0 attack 7c; 1 take")
    outcome = game.outcome
    assert (outcome.winners, outcome.losers, outcome.fool, outcome.places) == ((0, 2), (1, 3), None, (0,))
    assert outcome.utilities == (0.5, -0.5, 0.5, -0.5)


def test_a_game_in_which_no_team_is_left_is_a_draw():
    """The last cards of both teams fell in one bout, §6.5."""
    game = play(position_game(TWO, ["7c", "8c", "", ""]), "0 attack 7c; 1 beat 7c 8c")
    assert (game.outcome.winners, game.outcome.losers, game.outcome.fool) == ((), (), None)
    assert game.outcome.utilities == (0, 0, 0, 0)


def test_a_team_gets_epaulettes_if_one_of_its_seats_defended_last():
    """Seat 3 is the fool with the most cards, its teammate 1 was attacked with a six: one epaulette, §6.7."""
    game = play(position_game(TWO, ["6c", "8d", "", "Td Jd Qd"]), "0 attack 6c; 1 take")
    assert (game.outcome.fool, game.outcome.epaulettes) == (3, 1)


def test_a_team_that_attacked_last_gets_no_epaulettes():
    """The final defender was of the winning team, §6.7."""
    game = play(position_game(TWO, ["6c Kc", "7c", "Td", ""]), "0 attack 6c; 1 beat 6c 7c")
    assert (game.outcome.losers, game.outcome.fool, game.outcome.epaulettes) == ((0, 2), 0, 0)
