"""Test lesson 19 on endings of three players: each number by tree solvers, and by playing all lines."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import pytest

from durak_widget import analysis, gametheory
from durak_widget.gametheory.pure_nash_equilibria import find_pure_equilibria
from durak_widget.gametheory.quantal_response import follow_logit_path
from durak_widget.gametheory.tree import TERMINAL
from support.lesson_notebooks import pure_strategies, run_notebook, stored_output

pytestmark = pytest.mark.slow
"""A mark for tests that compute the notebook's numbers again."""

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from durak_widget import Game, Move
    from durak_widget.gametheory.tree import Tree

STEM = "19_three_at_the_table"
HALF = Fraction(1, 2)
Payoffs = tuple[Fraction, ...]
FOOL = {seat: tuple([Fraction(-1) if player == seat else HALF for player in range(3)]) for seat in range(3)}
"""The three payoffs if this seat is the fool."""
WINS = {seat: tuple([Fraction(1) if player == seat else -HALF for player in range(3)]) for seat in range(3)}
"""The payoffs if this seat is out first and wins."""


@cache
def notebook_names() -> dict[str, Any]:
    """Return the names of the notebook, run once."""
    return run_notebook(STEM)


@cache
def tree_of(name: str) -> Tree:
    """Return the tree of an ending."""
    found: Tree = analysis.build_tree_from_position(notebook_names()[name], open_hands=True)
    return found


def any_move(_game: Game, moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """Allow all moves."""
    return moves


def never_throws_in(seat: int) -> Callable[[Game, tuple[Move, ...]], tuple[Move, ...]]:
    """Return a filter under which that seat throws nothing in."""
    return lambda game, moves: tuple([move for move in moves if game.actor != seat or move.verb != "throw"])


def following(game: Game, may: Callable[[Game, tuple[Move, ...]], tuple[Move, ...]]) -> Iterator[Game]:
    """Yield the games one move later."""
    for move in may(game, tuple(game.legal_moves())):
        later = game.copy()
        later.play(move)
        yield later


def possible_results(game: Game, may: Callable[[Game, tuple[Move, ...]], tuple[Move, ...]] = any_move) -> frozenset[Payoffs]:
    """Return all results if each player plays well for themselves; equally good moves are all tried."""
    if game.outcome is not None:
        return frozenset([tuple(map(Fraction, game.outcome.utilities))])
    seat, ways = game.actor, [possible_results(later, may) for later in following(game, may)]
    least = [min(result[seat] for result in way) for way in ways]
    return frozenset(
        result
        for place, way in enumerate(ways)
        for result in way
        if all(result[seat] >= low for other, low in enumerate(least) if other != place)
    )


def guaranteed(game: Game, held: Collection[int]) -> Fraction:
    """Return what these seats guarantee together, whatever the others do."""
    if game.outcome is not None:
        return sum((Fraction(game.outcome.utilities[seat]) for seat in held), Fraction(0))
    ways = [guaranteed(later, held) for later in following(game, any_move)]
    return max(ways) if game.actor in held else min(ways)


def guaranteed_at_nodes(tree: Tree) -> list[frozenset[Payoffs]]:
    """Return the same at each node of a tree."""
    found: list[frozenset[Payoffs]] = [frozenset()] * tree.history_count
    for here in reversed(range(tree.history_count)):
        seat, ways = tree.actor[here], [found[child] for child in tree.children(here)]
        if seat == TERMINAL:
            found[here] = frozenset([tuple(map(Fraction, tree.payoffs[tree.infoset_of[here]]))])
            continue
        least = [min(result[seat] for result in way) for way in ways]
        found[here] = frozenset(
            result
            for place, way in enumerate(ways)
            for result in way
            if all(result[seat] >= low for other, low in enumerate(least) if other != place)
        )
    return found


@pytest.mark.parametrize(
    ("name", "results", "places"),
    [
        ("last", {FOOL[1], FOOL[2]}, 10),
        ("queen", {FOOL[1]}, 11),
        ("six", {FOOL[0]}, 13),
        ("pair", {FOOL[1]}, 46),
        ("first", {WINS[1], WINS[2]}, 7),
    ],
)
def test_an_ending_for_three_has_the_values_in_the_lesson(name: str, results: set[Payoffs], places: int) -> None:
    """Full play, every node, and backward induction agree."""
    game, tree = notebook_names()[name], tree_of(name)
    assert tree.history_count == places
    assert possible_results(game) == guaranteed_at_nodes(tree)[0] == results
    assert gametheory.solve(tree).backward_induction.values in results
    for here in range(tree.history_count):
        if tree.actor[here] != TERMINAL:
            assert possible_results(analysis.restore_game(tree, here)) == guaranteed_at_nodes(tree)[here]


def test_you_are_out_with_either_move() -> None:
    """Each is worth ½. Player 2 can't beat the 8, nor Player 3 the 10."""
    game = notebook_names()["last"]
    fools = {}
    for later in following(game, any_move):
        [result] = possible_results(later)
        fools[str(later.moves[-1])] = result
        assert guaranteed(later, [0]) == HALF
    assert fools == {"throw 8d": FOOL[1], "pass": FOOL[2]}
    assert guaranteed(game, [0]) == HALF
    assert not game.view(1).beaters("8d") & game.hands[1]
    assert not game.view(2).beaters("Tc") & game.hands[2]


def test_guaranteed_values_of_three_players_match_the_solution() -> None:
    """Test the question and its solutions."""
    quiz, tree = notebook_names()["19/values"], tree_of("queen")
    found = {tree.actions_from_root(here): next(iter(ways)) for here, ways in enumerate(guaranteed_at_nodes(tree)) if tree.actor[here] >= 0}
    assert found == {
        (): FOOL[1],
        ("throw Qc",): FOOL[1],
        ("throw Qc", "attack 7h"): FOOL[1],
        ("pass",): FOOL[0],
        ("pass", "take"): FOOL[2],
    }
    assert quiz.answer({way: ", ".join(map(str, result)) for way, result in found.items()})
    assert not quiz.answer({way: ", ".join(map(str, FOOL[2])) for way in found})


def test_the_path_of_three_players_is_unique() -> None:
    """Each of the two gets ½ by it, and less by anything else."""
    assert notebook_names()["19/path"].answer(["throw 6c", "beat 6c 7c"])
    game = notebook_names()["six"]
    for move in ("throw 6c", "beat 6c 7c"):
        seat = game.actor
        others = [later for later in following(game, any_move) if str(later.moves[-1]) != move]
        assert all(max(result[seat] for result in possible_results(later)) < HALF for later in others)
        game = game.copy()
        game.play(move)
    assert game.outcome is not None or possible_results(game) == {FOOL[0]}


def test_two_players_together_decide_the_fool() -> None:
    """If Player 3 or you throw nothing in, that player is the fool; together you make it Player 2."""
    game = notebook_names()["pair"]
    assert possible_results(game, never_throws_in(2)) == {FOOL[2]}
    assert possible_results(game, never_throws_in(0)) == {FOOL[0]}
    assert possible_results(game) == {FOOL[1]}
    assert guaranteed(game, [1]) == -1
    assert guaranteed(game, [0, 2]) == 1
    assert {str(card) for card in game.hands[1] if card in game.view(1).beaters("6c") & game.view(1).beaters("7c")} == {"9h"}


def test_no_player_can_change_anything_alone() -> None:
    """Every profile is an equilibrium, half with each fool; six ends have two results."""
    tree = notebook_names()["tree"]
    assert tree == tree_of("last")
    assert sum(who == TERMINAL for who in tree.actor) == 6
    every = [{**first, **two, **other} for first, two, other in product(*(list(pure_strategies(tree, seat)) for seat in range(3)))]
    payoffs = []
    for plan in every:
        played = gametheory.Strategy.from_choices(tree, [plan[place] for place in range(len(tree.infosets))])
        assert gametheory.nash_conv(tree, played) == 0
        payoffs.append(tuple([gametheory.value(tree, played, seat) for seat in range(3)]))
    found = find_pure_equilibria(tree)
    assert found.complete
    assert len(found.equilibria) == len(every) == 24
    assert [payoffs.count(FOOL[seat]) for seat in (1, 2)] == [12, 12]
    assert stored_output(STEM, "find_pure_equilibria(tree)") == (
        "12 equilibria pay 1/2 -1 1/2\n12 equilibria pay 1/2 1/2 -1\n('throw 8d', 'pass') are equally good\n"
    )


def test_a_coin_gives_minus_a_quarter() -> None:
    """The others both get it, and the logit path leads to that coin."""
    tree = notebook_names()["tree"]
    coin = gametheory.Strategy.from_mapping(tree, {tree.infosets[0].label: {"throw 8d": HALF, "pass": HALF}})
    assert [gametheory.value(tree, coin, seat) for seat in range(3)] == [HALF, -HALF / 2, -HALF / 2]
    assert (FOOL[1][2] + FOOL[2][2]) / 2 == -HALF / 2
    led = follow_logit_path(tree)
    assert led.error < 1e-6
    assert led.strategy.rows[0] == pytest.approx((0.5, 0.5))


def test_guaranteed_values_of_pairs_of_players() -> None:
    """With either of the others you get 1, of which ½ is yours anyway; those two get −½."""
    game = notebook_names()["last"]
    assert {two: guaranteed(game, two) for two in combinations(range(3), 2)} == {(0, 1): 1, (0, 2): 1, (1, 2): -HALF}
    assert [guaranteed(game, [seat]) for seat in range(3)] == [HALF, -1, -1]
    coin = HALF - HALF / 2
    assert 1 - coin == Fraction(3, 4) == HALF - -HALF / 2, "all that the pact brings more is Player 2's"


def test_empty_and_costly_threats_are_distinguished() -> None:
    """Your moves pay the same; the textbook's shop would hurt itself."""
    entry = gametheory.textbook("entry")
    fight = gametheory.Strategy.from_mapping(entry, {"begins": "enter", "after an entry": "fight"})
    assert gametheory.value(entry, fight, 1) < gametheory.value(
        entry, gametheory.Strategy.from_mapping(entry, {"begins": "enter", "after an entry": "share"}), 1
    )
    assert {result[0] for later in following(notebook_names()["last"], any_move) for result in possible_results(later)} == {HALF}


def test_each_pair_is_guaranteed_a_half_where_the_first_wins() -> None:
    """Nobody gets more than −½ alone. For Player 3 it changes by 3/2, and no division is stable."""
    game = notebook_names()["first"]
    assert [guaranteed(game, [seat]) for seat in range(3)] == [-HALF] * 3
    assert [guaranteed(game, two) for two in combinations(range(3), 2)] == [HALF] * 3
    assert guaranteed(game, range(3)) == 0
    assert WINS[2][2] - WINS[1][2] == Fraction(3, 2)
    assert HALF - -HALF == 1, "what Player 2 may offer: the half of the pair, and the half that it would pay anyway"
    assert sum(guaranteed(game, two) for two in combinations(range(3), 2)) > 2 * guaranteed(game, range(3))
    moves = {str(later.moves[-1]): possible_results(later) for later in following(game, any_move)}
    assert moves == {"throw Qc": {WINS[1]}, "pass": {WINS[2]}}


def test_every_number_of_the_lesson_is_accepted_and_mistakes_are_not() -> None:
    """Each mistake has its reason."""
    right = {"ways": 2, "coin": "-1/4", "pact": 1, "offer": "3/2", "together": "1/2", "challenge": 1}
    for name, number in right.items():
        quiz = notebook_names()[f"19/{name}"]
        verdicts = {str(quiz.answer(str(value))) for value in quiz.mistakes.values()}
        assert len(verdicts) == len(quiz.mistakes)
        assert quiz.answer(number)
