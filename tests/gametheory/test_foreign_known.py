"""What the table of textbook games says of each is what is found: every number of its fourth column, and no other."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

from test_foreign import SIZES, payoffs, plays, pure_equilibria

from durak_widget import gametheory

PAGE = (Path(__file__).parents[2] / "docs" / "textbook-games.md").read_text(encoding="utf-8")
_NUMBER = re.compile(r"\d+(?:\.\d+|/\d+)?")


def solved(name):
    """The value, by a linear program, and the strategy."""
    found = gametheory.solve(gametheory.textbook(name))
    return abs(found.value), found.strategy


def from_the_end(name):
    """What backward induction brings to each."""
    return set(gametheory.solve(gametheory.textbook(name), "backward").backward_induction.values)


def without_a_coin(name):
    """What the equilibria without a coin bring to each."""
    tree = gametheory.textbook(name)
    return {one for found in pure_equilibria(tree) for one in payoffs(tree, found)}


def all_pass():
    """What comes of the centipede if nobody takes."""
    tree = gametheory.textbook("centipede")
    [last] = [here for here in range(tree.history_count) if not tree.child_count[here] and "take" not in tree.actions_from_root(here)]
    return set(tree.payoffs[tree.infoset_of[last]])


def separating():
    """What the two types of Spence's worker have where school tells them apart."""
    tree, told = plays("spence", worth_1="none", worth_2="school", sees_school="wage 2", sees_none="wage 1")
    stand = {
        one.label: max(now.action_values)
        for one, now in zip(tree.infosets, gametheory.infoset_values(tree, told), strict=True)
        if one.player == 0
    }
    return set(stand.values())


def driver():
    """The best share of going on, of twelfths, and what it brings."""
    tree = gametheory.textbook("driver")
    worth = {
        share: gametheory.value(tree, gametheory.Strategy(tree, [(1 - share, share)])) for share in (Fraction(n, 12) for n in range(13))
    }
    best = max(worth, key=worth.__getitem__)
    return {best, worth[best]}


KNOWN = {
    "pennies": lambda: {solved("pennies")[0]},
    "myerson": lambda: {solved("myerson")[0], *solved("myerson")[1]["holds black"]},
    "kuhn": lambda: {solved("kuhn")[0], Fraction(1, 3)},  # the most that it may bluff: test_kuhns_first_player_may_bluff_up_to_a_third
    "centipede": lambda: from_the_end("centipede") | all_pass(),
    "ultimatum": set,
    "entry": lambda: from_the_end("entry") | without_a_coin("entry"),
    "chain-store": lambda: from_the_end("chain-store"),
    "horse": lambda: without_a_coin("horse"),
    "outside-option": lambda: without_a_coin("outside-option"),
    "bayes": lambda: without_a_coin("bayes"),
    "beer-quiche": lambda: without_a_coin("beer-quiche"),
    "spence": separating,
    "driver": driver,
}


def test_what_the_table_says_is_what_is_found():
    """Values, payoffs of equilibria and probabilities, by solvers or by trying every plan."""
    for name in SIZES:
        assert name in KNOWN, f"what docs/textbook-games.md says is known of {name} is worked out nowhere: give it a line in KNOWN"
        [row] = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith(f"| `{name}`")]
        assert {Fraction(one) for one in _NUMBER.findall(row[3])} == KNOWN[name]()
