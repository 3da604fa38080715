"""Rule book §6.7: the outcome, its payoffs, and the epaulettes."""

import pytest

from durak_widget import Game, Outcome, Rules
from support.rule_examples import play

DEFENDER = "9d Kd Kh Ks"


def final_outcome(hands, line, *, trump="s", attacker=0, **options):
    """Return the outcome of a last bout."""
    rules = Rules(players=len(hands), **options)
    game = play(Game.from_position(rules, hands=hands, trump=trump, attacker=attacker), line)
    assert game.outcome is not None
    return game.outcome


def test_an_outcome_has_all_its_fields():
    """Winners, losers, the fool, the places, the epaulettes and the payoffs, §6.7."""
    assert final_outcome(["7c", "9d Kd"], "0 attack 7c; 1 take") == Outcome((0,), (1,), 1, (0,), 0, (1, -1))


def test_the_last_attacking_sixes_are_the_epaulettes():
    """One if the last attacking card of the final bout was a six, two if the last two were, §6.7."""
    for hands, line, count in (
        # a six, taken
        (["6c", DEFENDER], "0 attack 6c; 1 take", 1),
        # a six, beaten
        (["6d", DEFENDER], "0 attack 6d; 1 beat 6d 9d", 1),
        # a six of trumps
        (["6s", DEFENDER], "0 attack 6s; 1 take", 1),
        # a seven
        (["7c", DEFENDER], "0 attack 7c; 1 take", 0),
        # two sixes, one after the take
        (["6c 6d", DEFENDER], "0 attack 6c; 1 take; 0 throw 6d", 2),
        # two sixes, one after the other
        (["6d 6c", DEFENDER], "0 attack 6d; 1 beat 6d 9d; 0 throw 6c; 1 take", 2),
        # three sixes
        (["6d 6c 6h", DEFENDER], "0 attack 6d; 1 take; 0 throw 6c; 0 throw 6h", 2),
        # a nine, then a six
        (["9c 6c", "6s 9d Kd"], "0 attack 9c; 1 beat 9c 6s; 0 throw 6c; 1 take", 1),
        # a six, then a nine
        (["6d 9c", DEFENDER], "0 attack 6d; 1 beat 6d 9d; 0 throw 9c; 1 take", 0),
        # six, nine, six
        (["6d 9c 6c", DEFENDER], "0 attack 6d; 1 beat 6d 9d; 0 throw 9c; 1 take; 0 throw 6c", 1),
        # six, six, nine
        (["6d 6c 9c", DEFENDER], "0 attack 6d; 1 beat 6d 9d; 0 throw 6c; 1 take; 0 throw 9c", 0),
    ):
        outcome = final_outcome(hands, line)
        assert (outcome.fool, outcome.epaulettes) == (1, count)


def test_sixes_of_one_opening_count_together():
    """It does not matter whether they are played together or one after the other, §6.7."""
    for attack, count in (("6c 6d", 2), ("6c", 1)):
        outcome = final_outcome([attack, DEFENDER], f"0 attack {attack}; 1 take", opening="same_rank")
        assert (outcome.fool, outcome.epaulettes) == (1, count)


def test_sixes_of_two_players_count_together():
    """It does not matter who played them, §6.7."""
    outcome = final_outcome(["6c", DEFENDER, "6d"], "0 attack 6c; 1 take; 2 throw 6d")
    assert (outcome.fool, outcome.places, outcome.epaulettes) == (1, (0, 2), 2)


def test_transferred_sixes_count_against_the_last_defender():
    """After a transfer the fool may get its own six beside the other's, §6.7."""
    outcome = final_outcome(["6c Kc Kh", "6d"], "0 attack 6c; 1 transfer 6d; 0 take", transfer=True)
    assert (outcome.fool, outcome.epaulettes) == (0, 2)


def test_a_declared_six_counts_as_a_six():
    """It counts in whatever suit it is played, §6.7."""
    outcome = final_outcome(["6c 6d", DEFENDER], "0 attack 6c=h; 1 take; 0 throw 6d=s", weli="sixes")
    assert (outcome.fool, outcome.epaulettes) == (1, 2)


def test_a_six_counts_in_every_deck():
    """It is the six that counts, not the lowest rank of the deck, §6.7."""
    for ranks, card, count in (("23456789TJQKA", "2c", 0), ("23456789TJQKA", "6c", 1), ("789TJQKA", "7c", 0)):
        assert final_outcome([card, DEFENDER], f"0 attack {card}; 1 take", ranks=ranks).epaulettes == count


def test_a_fool_who_did_not_defend_gets_no_epaulettes():
    """The attacker who is left with cards is a fool without epaulettes, §6.7."""
    outcome = final_outcome(["6c Kc", "7c"], "0 attack 6c; 1 beat 6c 7c")
    assert (outcome.fool, outcome.epaulettes) == (0, 0)


def test_a_fool_outside_the_final_bout_gets_no_epaulettes():
    """With three players, attacker and defender go out, and the third is the fool, §6.7."""
    outcome = final_outcome(["6c", "7c", "9h Th"], "0 attack 6c; 1 beat 6c 7c")
    assert (outcome.fool, outcome.epaulettes) == (2, 0)


def test_at_once_the_attack_that_ended_the_game_counts():
    """The final bout is the one during which the game ended, §6.5, §6.7."""
    outcome = final_outcome(["6c 6d", DEFENDER], "0 attack 6c; 1 take; 0 throw 6d", out_when="at_once")
    assert (outcome.fool, outcome.epaulettes) == (1, 2)


def test_only_the_final_bout_counts_for_epaulettes():
    """A six of an earlier bout is not an epaulette, §6.7."""
    outcome = final_outcome(["6c 9c", DEFENDER], "0 attack 6c; 1 take; 0 attack 9c; 1 take")
    assert (outcome.fool, outcome.epaulettes) == (1, 0)


def test_without_a_fool_there_are_no_epaulettes():
    """`first_out` with three: nobody is the fool, §6.7."""
    outcome = final_outcome(["6c", DEFENDER, "Th Jh"], "0 attack 6c; 1 take", goal="first_out")
    assert (outcome.fool, outcome.epaulettes) == (None, 0)


def test_first_out_of_two_may_give_an_epaulette():
    """With two players there is a fool, who may wear a six, §6.5, §6.7."""
    outcome = final_outcome(["6c", DEFENDER], "0 attack 6c; 1 take", goal="first_out")
    assert (outcome.fool, outcome.epaulettes) == (1, 1)


def test_a_draw_has_no_epaulettes():
    """Nobody is left, so nobody gets the epaulette, §6.7."""
    assert final_outcome(["6c", "7c"], "0 attack 6c; 1 beat 6c 7c") == Outcome((), (), None, (0, 1), 0, (0, 0))


def test_losers_share_minus_one_and_winners_plus_one():
    """The losers share -1, the winners share +1 equally; in a draw nobody gets anything, §6.7."""
    for hands, line, options, utilities in (
        (["7c", DEFENDER], "0 attack 7c; 1 take", {}, (1, -1)),
        (["7c", DEFENDER, "7d"], "0 attack 7c; 1 take; 2 throw 7d", {}, (0.5, -1, 0.5)),
        (["7c", DEFENDER, "7d", "Th"], "0 attack 7c; 1 take; 2 pass", {"goal": "first_out"}, (1, -1 / 3, -1 / 3, -1 / 3)),
        (["7c", DEFENDER, "7d", "7h"], "0 attack 7c; 1 take; 2 throw 7d; 3 throw 7h", {}, (1 / 3, -1, 1 / 3, 1 / 3)),
        (["7c", "8c", "", ""], "0 attack 7c; 1 beat 7c 8c", {}, (0, 0, 0, 0)),
    ):
        assert final_outcome(hands, line, **options).utilities == pytest.approx(utilities)
