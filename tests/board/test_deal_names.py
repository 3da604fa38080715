"""Test the short names of deals: they are short and all different."""

from __future__ import annotations

import pytest

from durak_widget import Game, Rules, analysis
from durak_widget.board.tree_wording import TreeWording

GONE = "Tc Qc Kc 9d Td Jd Kd Ad Jh Qh Kh Ah"
MIXING = f"econ431, suits=cdh, hand_size=1: 9c Qd | Ac; talon Jc Th; turn-up 9h; seen 9c | Ac; discard {GONE}"
HIDDEN = "econ431, suits=cdh, hand_size=1: Kc Ac | Qd; talon Kd; turn-up 9h; seen Kc Ac | ; discard 9c Tc Jc Qc 9d Td Jd Ad Th Jh Qh Kh Ah"


def deal_names(tree, language="en"):
    """Return the name of each deal, without the marks around cards."""
    return [chance_move["text"].replace("\ufe0e", "") for chance_move in TreeWording(tree, language).describe_chance_moves(0)]


def test_deal_names_show_only_differences():
    """They leave out a known hand, the open trump, and a talon that follows from the hands."""
    assert deal_names(analysis.build_tree_from_position(Game.from_position_line(HIDDEN)), "lt") == ["Žaidėjas 2: K♦", "Žaidėjas 2: D♦"]
    assert deal_names(analysis.build_tree_from_position(Game.from_position_line(MIXING)))[:3] == [
        "Player 1: 9♣ J♣; talon Q♦ 10♥",
        "Player 1: 9♣ J♣; talon 10♥ Q♦",
        "Player 1: 9♣ Q♦; talon J♣ 10♥",
    ]


RULES = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")


@pytest.mark.parametrize(
    "tree",
    [
        analysis.build_tree_from_position(Game.from_position_line(MIXING)),
        analysis.build_tree_from_position(Game.from_position_line(HIDDEN)),
        analysis.build_game_tree(RULES, dealer=1),
    ],
)
def test_deal_names_are_all_different(tree):
    """No two deals have the same name."""
    for language in ("en", "ru", "lt"):
        assert len(set(deal_names(tree, language))) == len(tree.chance_moves[0].actions) > 1
