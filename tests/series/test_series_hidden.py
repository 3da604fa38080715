"""Test lesson 12 on hidden cards: each number is solved with a proof and counted over all strategies."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from durak_widget import Game, Rules, analysis, gametheory
from support.lesson_notebooks import fix_moves, open_value, play_strategies, pure_strategies, run_notebook, stored_output

pytestmark = pytest.mark.release
"""A mark for tests that compute the notebook's numbers again."""

STEM = "12_hidden_cards"


@cache
def notebook_names() -> dict[str, Any]:
    """Return the names of the notebook, run once."""
    return run_notebook(STEM)


def test_one_of_two_cards_is_in_the_hand_and_the_other_in_the_talon() -> None:
    """All else is known, and player 2 knows the two picked up."""
    game = notebook_names()["game"]
    worlds = [str(world.hands[1]) for world in analysis.worlds(game.view(0)).all()]
    assert sorted(worlds) == ["Ad", "Kd"]
    assert str(game.view(1).memory.known[0]) == "Kc Ac"
    assert {str(move) for move in game.legal_moves()} == {"beat Qc Kc", "beat Qc Ac", "take"}


@pytest.mark.parametrize(("holds", "beats", "won"), [("Kd", "Kc", -1), ("Kd", "Ac", 1), ("Ad", "Kc", 1), ("Ad", "Ac", -1)])
def test_each_card_wins_against_one_hand_and_loses_to_the_other(holds: str, beats: str, won: int) -> None:
    """Test the tree and the endgame search after the talon, with open cards."""
    game = position_with(holds)
    game.play(f"beat Qc {beats}")
    if game.outcome is None:
        assert open_value(analysis.build_tree_from_position(game, open_hands=True)) == won
        assert gametheory.solve(analysis.build_tree_from_position(game, open_hands=True), "backward").value == won
    else:
        assert game.outcome.utilities[0] == won


def position_with(holds: str) -> Game:
    """Return the position with this card in the other hand."""
    position = notebook_names()["game"].position
    return Game.from_position_line(
        position if f"| {holds};" in position else position.replace("| Kd;", "| Ad;").replace("talon Ad;", "talon Kd;")
    )


def test_the_tree_does_not_depend_on_the_hidden_card() -> None:
    """You can't tell which it is."""
    trees = [analysis.build_tree_from_position(position_with(card)) for card in ("Kd", "Ad")]
    assert [infoset.actions for infoset in trees[0].infosets] == [infoset.actions for infoset in trees[1].infosets]
    assert sorted(trees[0].actions_from_root(history) for history in range(13)) == sorted(
        trees[1].actions_from_root(history) for history in range(13)
    )


def test_two_nodes_look_the_same() -> None:
    """You have one set of two histories, player 2 has two of one each."""
    tree = notebook_names()["tree"]
    points = [
        [here for here in range(tree.history_count) if tree.actor[here] >= 0 and tree.infoset_of[here] == place] for place in range(3)
    ]
    assert sorted((tree.infosets[place].player, len(here)) for place, here in enumerate(points)) == [(0, 2), (1, 1), (1, 1)]
    assert notebook_names()["12/joined"].answer([next(here for here in points if len(here) == 2)])


def test_strategies_are_counted() -> None:
    """There are three and four, also in the strategic form."""
    tree = notebook_names()["tree"]
    assert [len(list(pure_strategies(tree, seat))) for seat in (0, 1)] == [3, 4]
    matrix = gametheory.matrix(tree)
    assert (len(matrix.rows), len(matrix.columns)) == (3, 4)
    assert notebook_names()["12/my-plans"].answer(3)
    assert notebook_names()["12/their-plans"].answer(4)


def test_the_matrix_follows_from_the_strategies() -> None:
    """Every pair is played. Solutions name its rows."""
    tree = notebook_names()["tree"]
    matrix = gametheory.matrix(tree)
    for row, mine in enumerate(matrix.rows):
        for column, theirs in enumerate(matrix.columns):
            assert matrix.payoffs[row][column][0] == play_strategies(tree, {**mine.actions, **theirs.actions})
    assert [[payoff for payoff, _ in row[:3]] for row in matrix.payoffs[:2]] == [[0, 1, 0], [0, 0, 1]]
    assert notebook_names()["12/matrix"].answer(["0", "1", "0", "0", "0", "1"])


def test_dominated_strategies_are_found() -> None:
    """All pairs are compared: the undominated ones leave the value 0 in any order of elimination."""
    tree = notebook_names()["tree"]
    mine, theirs = list(pure_strategies(tree, 0)), list(pure_strategies(tree, 1))
    cells = [[play_strategies(tree, {**own, **other}) for other in theirs] for own in mine]
    columns = list(zip(*cells, strict=True))
    worse = [any(other != cell and all(a <= b for a, b in zip(cell, other, strict=True)) for other in cells) for cell in cells]
    dominated = [
        any(other != column and all(a >= b for a, b in zip(column, other, strict=True)) for other in columns) for column in columns
    ]
    assert (worse.count(False), dominated.count(False)) == (2, 1)
    assert {cells[row][dominated.index(False)] for row in range(3) if not worse[row]} == {0}
    found = gametheory.matrix(tree).dominated_strategies()
    assert sorted(dominated_strategy.player for dominated_strategy in found) == [0, 1, 1, 1]
    assert [dominated_strategy.strategy for dominated_strategy in found if dominated_strategy.is_strict] == ["take"]
    assert {cell[0] for row in gametheory.matrix(tree).eliminate_dominated(weak=True).remaining.payoffs for cell in row} == {0}
    assert notebook_names()["12/dominated"].answer(notebook_names()["12/dominated"].solution)


def test_the_game_is_worth_0_without_and_1_with_sight() -> None:
    """0 has a certificate and is tried with all strategies; 1 comes from both open games."""
    tree = notebook_names()["tree"]
    solution = gametheory.solve(tree)
    assert gametheory.check_certificate(tree, solution.certificate) == 0
    mine, theirs = list(pure_strategies(tree, 0)), list(pure_strategies(tree, 1))
    cells = [[play_strategies(tree, {**own, **other}) for other in theirs] for own in mine]
    assert solution.value == max(map(min, cells)) == min(map(max, zip(*cells, strict=True))) == 0
    opened = [analysis.build_tree_from_position(position_with(card), open_hands=True) for card in ("Kd", "Ad")]
    assert (
        [gametheory.solve(opened_tree, "backward").value for opened_tree in opened]
        == [open_value(opened_tree) for opened_tree in opened]
        == [1, 1]
    )
    assert notebook_names()["12/seeing"].answer(1)
    assert notebook_names()["12/open"].answer(["beat Qc Ac"])
    assert stored_output(STEM, "hidden.value") == "hidden: 0  open: 1\n"


def test_both_players_may_lose_by_seeing() -> None:
    """Four values have replayed certificates. CFR+ and backward induction agree."""
    secret = analysis.compute_information_values(notebook_names()["six_cards"], dealer=1)
    assert [row["value"] for row in secret.table()] == [Fraction(-1, 5), Fraction(-9, 40), Fraction(-1, 5), Fraction(-9, 40)]
    assert secret.gain_from_open_hands == Fraction(-1, 40)
    for solution in (secret.hidden_hands, *secret.one_player_sees):
        assert gametheory.check_certificate(solution.tree, solution.certificate) == 0
    near = gametheory.solve(secret.hidden_hands.tree, "cfr+", iterations=100)
    assert near.lower <= Fraction(-1, 5) <= near.upper
    assert near.upper - near.lower < Fraction(1, 40)
    assert open_value(secret.open_hands.tree) == Fraction(-9, 40)
    assert [line.split()[-1] for line in stored_output(STEM, "analysis.compute_information_values").splitlines()] == [
        "0",
        "-1/40",
        "0",
        "-1/40",
    ]
    assert Rules.coerce(notebook_names()["six_cards"]).attack_limit == 1


JACK = "econ431, suits=cdh, ranks=89TJQKA, hand_size=1: Kc Ac | {0}; attacker 1; table Jc; talon {1} {2}; turn-up 8h; seen Kc Ac |; discard {3}"
THREE = {"K♦": "Kd", "Q♦": "Qd", "Q♥": "Qh"}


def jack_position(card: str) -> Game:
    """Return the challenge's position with this card in the other hand."""
    rest = [other for other in THREE.values() if other != card]
    deck = [rank + suit for suit in "cdh" for rank in "89TJQKA"]
    gone = [card for card in deck if card not in {"Kc", "Ac", "Jc", "8h", *THREE.values()}]
    assert len(gone) % 2 == 0, "a beaten card goes with the one that beats it"
    return Game.from_position_line(JACK.format(card, *rest, " ".join(gone)))


def test_three_hands_have_the_value_in_the_challenge() -> None:
    """The tree of 147 nodes is solved, by each first move, as an average, and with open hands."""
    tree = analysis.build_tree_from_position(jack_position("Kd"))
    assert tree.history_count == 147
    ends = notebook_names()["ends"]
    [first] = {tree.infoset_of[here] for here in tree.children(0)}
    for place, move in enumerate(tree.infosets[first].actions):
        decided = gametheory.solve(fix_moves(tree, {first: move}))
        assert decided.exact
        assert decided.value == sum(Fraction(row[place]) for row in ends.values()) / 3
    whole = gametheory.solve(tree)
    assert gametheory.check_certificate(tree, whole.certificate) == 0
    assert whole.value == 0
    near = gametheory.solve(tree, "cfr+", iterations=300)
    assert near.lower <= 0 <= near.upper
    assert near.upper - near.lower < Fraction(1, 100)
    for card, row in ends.items():
        opened = analysis.build_tree_from_position(jack_position(THREE[card]), open_hands=True)
        assert open_value(opened) == gametheory.solve(opened, "backward").value == max(row)
        for move, value in zip(tree.infosets[first].actions, row, strict=True):
            game = jack_position(THREE[card])
            game.play(move)
            assert open_value(analysis.build_tree_from_position(game, open_hands=True)) >= value
    assert sum(Fraction(max(row)) for row in ends.values()) / 3 - whole.value == Fraction(2, 3)
    assert notebook_names()["12/challenge"].answer("2/3")
