"""What lesson 19 says of endings for three, each number by two routes: on the trees by the solvers, and by playing every game out by the rules, with no tree."""

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
from support.settled import output, plans, run

pytestmark = pytest.mark.slow
"""It works out again what the notebook says, and what its cells show at each run of the tests."""

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from durak_widget import Game, Move
    from durak_widget.gametheory.tree import Tree

STEM = "19_three_at_the_table"
HALF = Fraction(1, 2)
Worth = tuple[Fraction, ...]
FOOL = {seat: tuple([Fraction(-1) if one == seat else HALF for one in range(3)]) for seat in range(3)}
"""What it is worth to the three if this seat is the fool."""
WINS = {seat: tuple([Fraction(1) if one == seat else -HALF for one in range(3)]) for seat in range(3)}
"""The same where this seat was the first to be out, and that wins."""


@cache
def names() -> dict[str, Any]:
    """The notebook, run once."""
    return run(STEM)


@cache
def tree_of(name: str) -> Tree:
    """The tree of an ending."""
    found: Tree = analysis.build_tree_from_position(names()[name], open_hands=True)
    return found


def any_move(_game: Game, moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """Nobody is held back."""
    return moves


def silent(seat: int) -> Callable[[Game, tuple[Move, ...]], tuple[Move, ...]]:
    """That seat throws in nothing."""
    return lambda game, moves: tuple([move for move in moves if game.actor != seat or move.verb != "throw"])


def following(game: Game, may: Callable[[Game, tuple[Move, ...]], tuple[Move, ...]]) -> Iterator[Game]:
    """The games one move later."""
    for move in may(game, tuple(game.legal_moves())):
        later = game.copy()
        later.play(move)
        yield later


def comes(game: Game, may: Callable[[Game, tuple[Move, ...]], tuple[Move, ...]] = any_move) -> frozenset[Worth]:
    """All that may come of a game if each plays well for itself: where moves are equally good, each is tried."""
    if game.outcome is not None:
        return frozenset([tuple(map(Fraction, game.outcome.utilities))])
    seat, ways = game.actor, [comes(later, may) for later in following(game, may)]
    least = [min(one[seat] for one in way) for way in ways]
    return frozenset(
        one for place, way in enumerate(ways) for one in way if all(one[seat] >= low for other, low in enumerate(least) if other != place)
    )


def sure(game: Game, held: Collection[int]) -> Fraction:
    """What these seats are sure of together, whatever the others do."""
    if game.outcome is not None:
        return sum((Fraction(game.outcome.utilities[seat]) for seat in held), Fraction(0))
    ways = [sure(later, held) for later in following(game, any_move)]
    return max(ways) if game.actor in held else min(ways)


def at_each(tree: Tree) -> list[frozenset[Worth]]:
    """The same on a tree, at each of its places."""
    found: list[frozenset[Worth]] = [frozenset()] * tree.history_count
    for here in reversed(range(tree.history_count)):
        seat, ways = tree.actor[here], [found[child] for child in tree.children(here)]
        if seat == TERMINAL:
            found[here] = frozenset([tuple(map(Fraction, tree.payoffs[tree.infoset_of[here]]))])
            continue
        least = [min(one[seat] for one in way) for way in ways]
        found[here] = frozenset(
            one
            for place, way in enumerate(ways)
            for one in way
            if all(one[seat] >= low for other, low in enumerate(least) if other != place)
        )
    return found


@pytest.mark.parametrize(
    ("name", "worth", "places"),
    [
        ("last", {FOOL[1], FOOL[2]}, 10),
        ("queen", {FOOL[1]}, 11),
        ("six", {FOOL[0]}, 13),
        ("pair", {FOOL[1]}, 46),
        ("first", {WINS[1], WINS[2]}, 7),
    ],
)
def test_an_ending_for_three_comes_to_what_the_lesson_says(name: str, worth: set[Worth], places: int) -> None:
    """By every game played out, at every place of the tree, and by backward induction, which takes one of moves that are equally good."""
    game, tree = names()[name], tree_of(name)
    assert tree.history_count == places
    assert comes(game) == at_each(tree)[0] == worth
    assert gametheory.solve(tree).backward_induction.values in worth
    for here in range(tree.history_count):
        if tree.actor[here] != TERMINAL:
            assert comes(analysis.restore_game(tree, here)) == at_each(tree)[here]


def test_you_are_out_either_way() -> None:
    """The first question: each move is worth ½ to you, whatever anybody does; Player 2 cannot beat the 8, nor Player 3 the 10."""
    game = names()["last"]
    fools = {}
    for later in following(game, any_move):
        [worth] = comes(later)
        fools[str(later.moves[-1])] = worth
        assert sure(later, [0]) == HALF
    assert fools == {"throw 8d": FOOL[1], "pass": FOOL[2]}
    assert sure(game, [0]) == HALF
    assert not game.view(1).beaters("8d") & game.hands[1]
    assert not game.view(2).beaters("Tc") & game.hands[2]


def test_three_numbers_at_five_places_are_right() -> None:
    """What is asked for, and what the solutions tell."""
    quiz, tree = names()["19/values"], tree_of("queen")
    found = {tree.actions_from_root(here): next(iter(ways)) for here, ways in enumerate(at_each(tree)) if tree.actor[here] >= 0}
    assert found == {
        (): FOOL[1],
        ("throw Qc",): FOOL[1],
        ("throw Qc", "attack 7h"): FOOL[1],
        ("pass",): FOOL[0],
        ("pass", "take"): FOOL[2],
    }
    assert quiz.answer({way: ", ".join(map(str, worth)) for way, worth in found.items()})
    assert not quiz.answer({way: ", ".join(map(str, FOOL[2])) for way in found})


def test_the_path_of_three_is_the_only_one() -> None:
    """Each of the two has ½ by it, and less by anything else."""
    assert names()["19/path"].answer(["throw 6c", "beat 6c 7c"])
    game = names()["six"]
    for move in ("throw 6c", "beat 6c 7c"):
        seat = game.actor
        others = [later for later in following(game, any_move) if str(later.moves[-1]) != move]
        assert all(max(worth[seat] for worth in comes(later)) < HALF for later in others)
        game = game.copy()
        game.play(move)
    assert game.outcome is not None or comes(game) == {FOOL[0]}


def test_it_takes_two() -> None:
    """If Player 3 throws in nothing it is the fool, if you do not, you are; both together make Player 2 the fool, and need no agreement for it."""
    game = names()["pair"]
    assert comes(game, silent(2)) == {FOOL[2]}
    assert comes(game, silent(0)) == {FOOL[0]}
    assert comes(game) == {FOOL[1]}
    assert sure(game, [1]) == -1
    assert sure(game, [0, 2]) == 1
    assert {str(card) for card in game.hands[1] if card in game.view(1).beaters("6c") & game.view(1).beaters("7c")} == {"9h"}


def test_nobody_can_do_anything_for_itself() -> None:
    """All plans against all: every combination is an equilibrium, half of them with the one fool and half with the other; six ends, and two ways to come out."""
    tree = names()["tree"]
    assert tree == tree_of("last")
    assert sum(who == TERMINAL for who in tree.actor) == 6
    every = [{**one, **two, **other} for one, two, other in product(*(list(plans(tree, seat)) for seat in range(3)))]
    worths = []
    for plan in every:
        played = gametheory.Strategy.from_choices(tree, [plan[place] for place in range(len(tree.infosets))])
        assert gametheory.nash_conv(tree, played) == 0
        worths.append(tuple([gametheory.value(tree, played, seat) for seat in range(3)]))
    found = find_pure_equilibria(tree)
    assert found.complete
    assert len(found.equilibria) == len(every) == 24
    assert [worths.count(FOOL[seat]) for seat in (1, 2)] == [12, 12]
    assert output(STEM, "find_pure_equilibria(tree)") == (
        "12 equilibria bring 1/2 -1 1/2\n12 equilibria bring 1/2 1/2 -1\n('throw 8d', 'pass') are equally good\n"
    )


def test_a_coin_leaves_a_quarter_less_than_nothing() -> None:
    """To both of the others; and the path of logit equilibria leads to that coin."""
    tree = names()["tree"]
    coin = gametheory.Strategy.from_mapping(tree, {tree.infosets[0].label: {"throw 8d": HALF, "pass": HALF}})
    assert [gametheory.value(tree, coin, seat) for seat in range(3)] == [HALF, -HALF / 2, -HALF / 2]
    assert (FOOL[1][2] + FOOL[2][2]) / 2 == -HALF / 2
    led = follow_logit_path(tree)
    assert led.error < 1e-6
    assert led.strategy.rows[0] == pytest.approx((0.5, 0.5))


def test_what_a_pact_is_worth() -> None:
    """With either of the others you have 1, of which ½ is yours anyway; those two without you −½."""
    game = names()["last"]
    assert {two: sure(game, two) for two in combinations(range(3), 2)} == {(0, 1): 1, (0, 2): 1, (1, 2): -HALF}
    assert [sure(game, [seat]) for seat in range(3)] == [HALF, -1, -1]
    coin = HALF - HALF / 2
    assert 1 - coin == Fraction(3, 4) == HALF - -HALF / 2, "all that the pact brings more is Player 2's"


def test_a_threat_that_costs_nothing_and_one_that_does() -> None:
    """You have the same by either move; the shop of the textbook would hurt itself."""
    entry = gametheory.textbook("entry")
    fight = gametheory.Strategy.from_mapping(entry, {"begins": "enter", "after an entry": "fight"})
    assert gametheory.value(entry, fight, 1) < gametheory.value(
        entry, gametheory.Strategy.from_mapping(entry, {"begins": "enter", "after an entry": "share"}), 1
    )
    assert {worth[0] for later in following(names()["last"], any_move) for worth in comes(later)} == {HALF}


def test_where_the_first_wins_each_pair_is_sure_of_a_half() -> None:
    """And nobody alone of more than −½; from losing to winning it is 3/2 for Player 3. No division is safe: three pairs ask for more than there is."""
    game = names()["first"]
    assert [sure(game, [seat]) for seat in range(3)] == [-HALF] * 3
    assert [sure(game, two) for two in combinations(range(3), 2)] == [HALF] * 3
    assert sure(game, range(3)) == 0
    assert WINS[2][2] - WINS[1][2] == Fraction(3, 2)
    assert HALF - -HALF == 1, "what Player 2 may offer: the half of the pair, and the half that it would pay anyway"
    assert sum(sure(game, two) for two in combinations(range(3), 2)) > 2 * sure(game, range(3))
    moves = {str(later.moves[-1]): comes(later) for later in following(game, any_move)}
    assert moves == {"throw Qc": {WINS[1]}, "pass": {WINS[2]}}


def test_every_number_of_the_lesson_is_taken_and_its_mistakes_are_not() -> None:
    """Each mistake by its own reason."""
    right = {"ways": 2, "coin": "-1/4", "pact": 1, "offer": "3/2", "together": "1/2", "challenge": 1}
    for name, number in right.items():
        quiz = names()[f"19/{name}"]
        said = {str(quiz.answer(str(value))) for value in quiz.mistakes.values()}
        assert len(said) == len(quiz.mistakes)
        assert quiz.answer(number)
