"""What lesson 12 says of its hidden cards, each number by two routes: solved with a proof, and counted out over all plans."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from durak_widget import Game, Rules, analysis, gametheory
from support.settled import best_for, forced, output, plans, played, run

pytestmark = pytest.mark.release
"""It works out again what the notebook says, and what its cells show at each run of the tests."""

STEM = "12_hidden_cards"


@cache
def names() -> dict[str, Any]:
    """The notebook, run once."""
    return run(STEM)


def test_one_of_two_cards_is_in_that_hand_and_the_other_in_the_talon() -> None:
    """As the first sentence says: all else is known, and Player 2 knows the two that were taken."""
    game = names()["game"]
    worlds = [str(one.hands[1]) for one in analysis.worlds(game.view(0)).all()]
    assert sorted(worlds) == ["Ad", "Kd"]
    assert str(game.view(1).memory.known[0]) == "Kc Ac"
    assert {str(move) for move in game.legal_moves()} == {"beat Qc Kc", "beat Qc Ac", "take"}


@pytest.mark.parametrize(("holds", "beats", "won"), [("Kd", "Kc", -1), ("Kd", "Ac", 1), ("Ad", "Kc", 1), ("Ad", "Ac", -1)])
def test_each_card_wins_against_one_hand_and_loses_to_the_other(holds: str, beats: str, won: int) -> None:
    """Seen or not, whatever comes after is played by who knows all: on the tree, and by the search of endings one draw later."""
    game = laid(holds)
    game.play(f"beat Qc {beats}")
    if game.outcome is None:
        assert best_for(analysis.build_tree_from_position(game, open_hands=True)) == won
        assert gametheory.solve(analysis.build_tree_from_position(game, open_hands=True), "backward").value == won
    else:
        assert game.outcome.utilities[0] == won


def laid(holds: str) -> Game:
    """The position with this card in the other hand."""
    position = names()["game"].position
    return Game.from_position_line(
        position if f"| {holds};" in position else position.replace("| Kd;", "| Ad;").replace("talon Ad;", "talon Kd;")
    )


def test_the_tree_is_the_same_whichever_it_is() -> None:
    """You cannot tell, so the tree may not either."""
    trees = [analysis.build_tree_from_position(laid(card)) for card in ("Kd", "Ad")]
    assert [one.actions for one in trees[0].infosets] == [one.actions for one in trees[1].infosets]
    assert sorted(trees[0].actions_from_root(history) for history in range(13)) == sorted(
        trees[1].actions_from_root(history) for history in range(13)
    )


def test_two_points_look_the_same() -> None:
    """One set of yours with two histories, two of Player 2 with one each."""
    tree = names()["tree"]
    points = [
        [here for here in range(tree.history_count) if tree.actor[here] >= 0 and tree.infoset_of[here] == place] for place in range(3)
    ]
    assert sorted((tree.infosets[place].player, len(here)) for place, here in enumerate(points)) == [(0, 2), (1, 1), (1, 1)]
    assert names()["12/joined"].answer([next(here for here in points if len(here) == 2)])


def test_plans_are_counted() -> None:
    """Three and four, by listing them; and the strategic form has as many."""
    tree = names()["tree"]
    assert [len(list(plans(tree, seat))) for seat in (0, 1)] == [3, 4]
    matrix = gametheory.matrix(tree)
    assert (len(matrix.rows), len(matrix.columns)) == (3, 4)
    assert names()["12/my-plans"].answer(3)
    assert names()["12/their-plans"].answer(4)


def test_the_matrix_is_what_the_plans_lead_to() -> None:
    """Every plan against every plan, walked through; the rows that the solutions tell."""
    tree = names()["tree"]
    matrix = gametheory.matrix(tree)
    for row, mine in enumerate(matrix.rows):
        for column, theirs in enumerate(matrix.columns):
            assert matrix.payoffs[row][column][0] == played(tree, {**mine.actions, **theirs.actions})
    assert [[one for one, _ in row[:3]] for row in matrix.payoffs[:2]] == [[0, 1, 0], [0, 0, 1]]
    assert names()["12/matrix"].answer(["0", "1", "0", "0", "0", "1"])


def test_what_nobody_would_play() -> None:
    """By comparing all pairs: two plans of yours and one of Player 2 are dominated by none; in whatever order one strikes, 0 is left."""
    tree = names()["tree"]
    mine, theirs = list(plans(tree, 0)), list(plans(tree, 1))
    cells = [[played(tree, {**one, **other}) for other in theirs] for one in mine]
    columns = list(zip(*cells, strict=True))
    worse = [any(other != one and all(a <= b for a, b in zip(one, other, strict=True)) for other in cells) for one in cells]
    dear = [any(other != one and all(a >= b for a, b in zip(one, other, strict=True)) for other in columns) for one in columns]
    assert (worse.count(False), dear.count(False)) == (2, 1)
    assert {cells[row][dear.index(False)] for row in range(3) if not worse[row]} == {0}
    found = gametheory.matrix(tree).dominated_strategies()
    assert sorted(one.player for one in found) == [0, 1, 1, 1]
    assert [one.strategy for one in found if one.is_strict] == ["take"]
    assert {one[0] for row in gametheory.matrix(tree).eliminate_dominated(weak=True).remaining.payoffs for one in row} == {0}
    assert names()["12/dominated"].answer(names()["12/dominated"].solution)


def test_it_is_worth_nothing_without_seeing_and_all_with_it() -> None:
    """0, proved by a certificate and by trying all plans; 1, from the ends of both open games; and so seeing is worth 1."""
    tree = names()["tree"]
    solution = gametheory.solve(tree)
    assert gametheory.check_certificate(tree, solution.certificate) == 0
    mine, theirs = list(plans(tree, 0)), list(plans(tree, 1))
    cells = [[played(tree, {**one, **other}) for other in theirs] for one in mine]
    assert solution.value == max(map(min, cells)) == min(map(max, zip(*cells, strict=True))) == 0
    opened = [analysis.build_tree_from_position(laid(card), open_hands=True) for card in ("Kd", "Ad")]
    assert [gametheory.solve(one, "backward").value for one in opened] == [best_for(one) for one in opened] == [1, 1]
    assert names()["12/seeing"].answer(1)
    assert names()["12/open"].answer(["beat Qc Ac"])
    assert output(STEM, "hidden.value") == "hidden: 0  open: 1\n"


def test_both_may_lose_by_seeing() -> None:
    """Four values, each with a certificate that is replayed; CFR+, and a walk from the ends, know nothing of the linear program, and agree."""
    secret = analysis.compute_information_values(names()["six_cards"], dealer=1)
    assert [row["value"] for row in secret.table()] == [Fraction(-1, 5), Fraction(-9, 40), Fraction(-1, 5), Fraction(-9, 40)]
    assert secret.gain_from_open_hands == Fraction(-1, 40)
    for one in (secret.hidden_hands, *secret.one_player_sees):
        assert gametheory.check_certificate(one.tree, one.certificate) == 0
    near = gametheory.solve(secret.hidden_hands.tree, "cfr+", iterations=100)
    assert near.lower <= Fraction(-1, 5) <= near.upper
    assert near.upper - near.lower < Fraction(1, 40)
    assert best_for(secret.open_hands.tree) == Fraction(-9, 40)
    assert [line.split()[-1] for line in output(STEM, "analysis.compute_information_values").splitlines()] == ["0", "-1/40", "0", "-1/40"]
    assert Rules.coerce(names()["six_cards"]).attack_limit == 1


JACK = "econ431, suits=cdh, ranks=89TJQKA, hand_size=1: Kc Ac | {0}; attacker 1; table Jc; talon {1} {2}; turn-up 8h; seen Kc Ac |; discard {3}"
THREE = {"K♦": "Kd", "Q♦": "Qd", "Q♥": "Qh"}


def jack(card: str) -> Game:
    """The position of the challenge, with this card in the other hand."""
    rest = [one for one in THREE.values() if one != card]
    deck = [rank + suit for suit in "cdh" for rank in "89TJQKA"]
    gone = [one for one in deck if one not in {"Kc", "Ac", "Jc", "8h", *THREE.values()}]
    assert len(gone) % 2 == 0, "a beaten card goes with the one that beats it"
    return Game.from_position_line(JACK.format(card, *rest, " ".join(gone)))


def test_three_hands_are_worth_what_the_challenge_says() -> None:
    """The tree of 147 points with each first move made: solved, and as the average of what is left of it; and with open hands."""
    tree = analysis.build_tree_from_position(jack("Kd"))
    assert tree.history_count == 147
    ends = names()["ends"]
    [first] = {tree.infoset_of[here] for here in tree.children(0)}
    for place, move in enumerate(tree.infosets[first].actions):
        decided = gametheory.solve(forced(tree, {first: move}))
        assert decided.exact
        assert decided.value == sum(Fraction(row[place]) for row in ends.values()) / 3
    whole = gametheory.solve(tree)
    assert gametheory.check_certificate(tree, whole.certificate) == 0
    assert whole.value == 0
    near = gametheory.solve(tree, "cfr+", iterations=300)
    assert near.lower <= 0 <= near.upper
    assert near.upper - near.lower < Fraction(1, 100)
    for card, row in ends.items():
        opened = analysis.build_tree_from_position(jack(THREE[card]), open_hands=True)
        assert best_for(opened) == gametheory.solve(opened, "backward").value == max(row)
        for move, worth in zip(tree.infosets[first].actions, row, strict=True):
            game = jack(THREE[card])
            game.play(move)
            assert best_for(analysis.build_tree_from_position(game, open_hands=True)) >= worth
    assert sum(Fraction(max(row)) for row in ends.values()) / 3 - whole.value == Fraction(2, 3)
    assert names()["12/challenge"].answer("2/3")
