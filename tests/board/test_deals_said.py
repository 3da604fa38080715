"""What is said of a tree: short, and still telling apart what differs."""

from __future__ import annotations

import pytest

from durak_widget import Game, Rules, analysis
from durak_widget.board.tree_wording import TreeWording

GONE = "Tc Qc Kc 9d Td Jd Kd Ad Jh Qh Kh Ah"
MIXING = f"econ431, suits=cdh, hand_size=1: 9c Qd | Ac; talon Jc Th; turn-up 9h; seen 9c | Ac; discard {GONE}"
HIDDEN = "econ431, suits=cdh, hand_size=1: Kc Ac | Qd; talon Kd; turn-up 9h; seen Kc Ac | ; discard 9c Tc Jc Qc 9d Td Jd Ad Th Jh Qh Kh Ah"


def said(tree, language="en"):
    """What is said of each deal, without the sign that has cards drawn as text."""
    return [told["said"].replace("\ufe0e", "") for told in TreeWording(tree, language).describe_chance_moves(0)]


def test_a_deal_is_said_by_what_differs():
    """What every deal has in common (a known hand, the card that lies open) is left out, and so is a talon that the hands leave no choice."""
    assert said(analysis.build_tree_from_position(Game.from_position_line(HIDDEN)), "lt") == ["Žaidėjas 2: K♦", "Žaidėjas 2: Q♦"]
    assert said(analysis.build_tree_from_position(Game.from_position_line(MIXING)))[:3] == [
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
def test_no_two_deals_are_said_alike(tree):
    """However short."""
    for language in ("en", "ru", "lt"):
        assert len(set(said(tree, language))) == len(tree.chance_moves[0].actions) > 1
