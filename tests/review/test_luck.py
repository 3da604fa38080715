"""Test luck and skill: they add up to the result in every game, and luck has mean zero."""

from __future__ import annotations

import re
from html import escape
from math import sqrt
from statistics import mean, stdev

import pytest

from durak_widget import Rules, review
from durak_widget.review.decisions import WinShareScale
from durak_widget.review.luck_and_skill import compute_win_share_timeline
from durak_widget.rules import seating
from support.reviewed import SMALL, game_from_position, play_reviewed_game
from support.sizes import tried
from support.spoken import english, english_text

SOON = ("podkidnoy", "passport", "econ431", "crazy", "no_trumps", "changeable_trump", "full", "teams_of_two")


@pytest.mark.parametrize(
    "rules",
    [
        *(name if name in SOON else pytest.param(name, marks=pytest.mark.slow) for name in Rules.presets() if name != "two_decks"),
        "podkidnoy, players=6",
        "perevodnoy, players=4",
        "two_decks, players=3, ranks=9TJQKA, hand_size=3",
    ],
)
def test_deal_cards_and_moves_add_up_to_the_result(rules: str) -> None:
    """Test every rule set and seat. The seats' sum is zero, and nothing comes from no choice."""
    game = play_reviewed_game(rules, 5)
    shares = WinShareScale.from_rules(game.rules)
    *_, found = compute_win_share_timeline(game, range(game.seats), shares, seed=1, playouts=300)
    for seat in range(game.seats):
        luck, outcome = found.breakdowns[seat], game.outcome
        whole = (
            luck.fair + luck.deal + sum(part.share_change for part in luck.draw_parts) + sum(part.share_change for part in luck.move_parts)
        )
        assert abs(whole - luck.result) < 1e-9
        assert abs(luck.fair + luck.total_luck + luck.own + luck.others - luck.result) < 1e-9
        assert luck.result == shares.payoff_to_share(outcome.utilities[seat])
        assert len(found.shares[seat]) == game.ply + 1
        assert found.shares[seat][-1] == luck.result
        drew = {end.ply - 1 for end in game.view(0).bout_ends if end.draw_counts}
        swapped = {ply for ply, move in enumerate(game.moves) if move.verb == "swap"}
        assert {part.ply for part in luck.draw_parts} == drew | swapped
    side = seating.side_of_seat(game.rules)
    for ply in range(game.ply + 1):
        assert abs(sum(found.shares[seat][ply] - shares.fair_share for seat in range(game.seats))) < 1e-9
        assert all(found.shares[seat][ply] == found.shares[side.index(side[seat])][ply] for seat in range(game.seats))


def test_a_careful_move_has_no_effect_before_the_talon_is_empty() -> None:
    """It would have been played anyway."""
    game = play_reviewed_game("podkidnoy", 2, 0.0)
    luck = review.analyze(game, 0, budget=200).luck[0]
    assert abs(luck.own) + abs(luck.others) < 1e-9
    assert abs(luck.fair + luck.total_luck - luck.result) < 1e-9


@pytest.mark.parametrize("rules", ["podkidnoy", "podkidnoy, players=3", "teams", "econ431"])
def test_displayed_numbers_add_up_to_the_result(rules: str) -> None:
    """They are integers of 100: fair share, cards and play. The cards' parts add up too."""
    for seed in range(tried(1, 4)):
        game = play_reviewed_game(rules, seed, 0.4)
        found = review.analyze(game, 0, budget=400)
        luck, displayed = found.luck[0], found.view_model("en")["luck"]
        cards, play = (value for _, value, _, _ in displayed["bars"])
        fair, result = round(100 * luck.fair), round(100 * luck.result)
        assert fair + cards + play == result
        assert abs(cards - 100 * luck.total_luck) <= 0.5
        assert abs(play - 100 * (luck.own + luck.others)) <= 1.5
        assert [int(match) for match in re.findall("[0-9]+", displayed["sum"])] == [fair, abs(cards), abs(play), result]
        assert displayed["bars"][1][3] == ""
        assert sum(int(match.replace("−", "-")) for match in re.findall("[+−]?[0-9]+", displayed["bars"][0][3])) == cards
        assert bool(english("review.luck.much").search(" ".join(displayed["notes"]))) == (max(abs(cards), abs(play)) > 100)


def test_moves_of_two_players_are_listed_by_name() -> None:
    """With more players the text distinguishes only your own."""
    for rules, named in (("podkidnoy", True), ("podkidnoy, players=3", False)):
        page = review.analyze(play_reviewed_game(rules, 3, 0.4), 0, budget=400).html("en")
        assert (english_text("review.luck.moves", who="Player 2") in page) == named
        assert (escape(english_text("review.luck.others")) in page) != named


def test_a_losing_move_has_its_full_effect() -> None:
    """Without a talon the careful bot wins with open hands before it, and loses after."""
    game = game_from_position("Qh Ks | Kh Kc; trump h", "attack Ks", "beat Ks Kh", "attack Kc", "beat Kc Qh")
    luck = review.analyze(game, 0, by="all cards").luck[0]
    assert not luck.draw_parts
    assert luck.result == luck.fair == 0.5


def test_luck_has_mean_zero() -> None:
    """Over many games it is within four standard errors, for a weak player and any cards."""
    luck = []
    for seed in range(tried(60, 4000)):
        game = play_reviewed_game(SMALL, 1000 + seed, 0.4)
        *_, found = compute_win_share_timeline(game, (0,), WinShareScale.from_rules(game.rules), seed=seed, playouts=150)
        luck.append(found.breakdowns[0].drawn)
    assert stdev(luck) > 0.1
    assert abs(mean(luck)) < 4 * stdev(luck) / sqrt(len(luck))
