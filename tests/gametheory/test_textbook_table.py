"""Test that every number in the fourth column of the table of textbook games is what the solvers find."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

from test_textbook_games import SIZES, game_and_strategy, payoffs, pure_equilibria

from durak_widget import gametheory

PAGE = (Path(__file__).parents[2] / "docs" / "textbook-games.md").read_text(encoding="utf-8")
_NUMBER = re.compile(r"\d+(?:\.\d+|/\d+)?")


def lp_value(name):
    """Return the value and the strategy, by a linear program."""
    found = gametheory.solve(gametheory.textbook(name))
    return abs(found.value), found.strategy


def backward_payoffs(name):
    """Return the payoffs of backward induction."""
    return set(gametheory.solve(gametheory.textbook(name), "backward").backward_induction.values)


def pure_equilibrium_payoffs(name):
    """Return the payoffs of the pure equilibria."""
    tree = gametheory.textbook(name)
    return {payoff for found in pure_equilibria(tree) for payoff in payoffs(tree, found)}


def all_pass():
    """Return the payoffs of the centipede if nobody takes."""
    tree = gametheory.textbook("centipede")
    [last] = [here for here in range(tree.history_count) if not tree.child_count[here] and "take" not in tree.actions_from_root(here)]
    return set(tree.payoffs[tree.infoset_of[last]])


def separating_payoffs():
    """Return the payoffs of the two types of Spence's worker if school separates them."""
    tree, separating = game_and_strategy("spence", worth_1="none", worth_2="school", sees_school="wage 2", sees_none="wage 1")
    stand = {
        infoset.label: max(now.action_values)
        for infoset, now in zip(tree.infosets, gametheory.infoset_values(tree, separating), strict=True)
        if infoset.player == 0
    }
    return set(stand.values())


def best_driver_probability():
    """Return the best probability of going on, in twelfths, and its payoff."""
    tree = gametheory.textbook("driver")
    payoff_by_share = {
        share: gametheory.value(tree, gametheory.Strategy(tree, [(1 - share, share)])) for share in (Fraction(n, 12) for n in range(13))
    }
    best = max(payoff_by_share, key=payoff_by_share.__getitem__)
    return {best, payoff_by_share[best]}


KNOWN = {
    "pennies": lambda: {lp_value("pennies")[0]},
    "myerson": lambda: {lp_value("myerson")[0], *lp_value("myerson")[1]["holds black"]},
    "kuhn": lambda: {
        lp_value("kuhn")[0],
        Fraction(1, 3),
    },  # the highest bluffing probability: test_kuhns_first_player_may_bluff_up_to_a_third
    "centipede": lambda: backward_payoffs("centipede") | all_pass(),
    "ultimatum": set,
    "entry": lambda: backward_payoffs("entry") | pure_equilibrium_payoffs("entry"),
    "chain-store": lambda: backward_payoffs("chain-store"),
    "horse": lambda: pure_equilibrium_payoffs("horse"),
    "outside-option": lambda: pure_equilibrium_payoffs("outside-option"),
    "bayes": lambda: pure_equilibrium_payoffs("bayes"),
    "beer-quiche": lambda: pure_equilibrium_payoffs("beer-quiche"),
    "spence": separating_payoffs,
    "driver": best_driver_probability,
}


def test_the_table_of_textbook_games_is_correct():
    """Values, payoffs of equilibria and probabilities, by solvers or by trying every pure strategy."""
    for name in SIZES:
        assert name in KNOWN, f"what docs/textbook-games.md says is known of {name} is worked out nowhere: give it a line in KNOWN"
        [row] = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith(f"| `{name}`")]
        assert {Fraction(number) for number in _NUMBER.findall(row[3])} == KNOWN[name]()
