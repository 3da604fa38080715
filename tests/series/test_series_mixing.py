"""Test lesson 13 on mixing: each number is solved with a proof and by best responses or counting."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from durak_widget import Game, analysis, gametheory
from durak_widget.gametheory.best_responses import node_values
from support.lesson_notebooks import fix_moves, play_strategies, pure_strategies, run_notebook, stored_output

pytestmark = pytest.mark.release
"""A mark for tests that compute the notebook's numbers again."""

if TYPE_CHECKING:
    from durak_widget.gametheory.tree import Tree

STEM = "13_mixing"
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


@cache
def notebook_names() -> dict[str, Any]:
    """Return the names of the notebook, run once."""
    return run_notebook(STEM)


def set_at(tree: Tree, label: str) -> int:
    """Return the number of an information set, by its label."""
    return gametheory.Strategy.uniform(tree).find_infoset(label)


def guaranteed(tree: Tree, seat: int, strategy: gametheory.Strategy) -> Fraction:
    """Return what a strategy guarantees to seat 0, against every strategy of the other."""
    best = gametheory.best_response(tree, strategy, 1 - seat).value
    pure = []
    for plan in pure_strategies(tree, 1 - seat):
        other = gametheory.Strategy.from_choices(tree, [plan.get(place, 0) for place in range(len(tree.infosets))])
        pure.append(gametheory.value(tree, strategy.replace_player(1 - seat, other)))
    worst = min(pure) if seat == 0 else max(pure)
    assert worst == (-best if seat == 0 else best)
    return Fraction(worst)


def test_three_hands_are_equally_likely_and_each_may_play_the_nine() -> None:
    """These are the first game's possible hands and moves."""
    game, whole = notebook_names()["game"], notebook_names()["whole"]
    assert {str(world.hands[0]) for world in analysis.worlds(game.view(1)).all()} == {"9c Jc", "9c Qd", "9c Th"}
    assert len(whole.chance_moves[0].actions) == 6
    assert whole.history_count == 109
    assert [str(move) for move in game.legal_moves()] == ["attack 9c", "attack Qd"]


def test_in_matching_pennies_only_half_and_half_loses_nothing() -> None:
    """Each twelfth is tried: the loss is twice the distance from a half."""
    tree = gametheory.textbook("pennies")
    for twelfth in range(13):
        heads = Fraction(twelfth, 12)
        strategy = gametheory.Strategy(tree, [(heads, 1 - heads) if infoset.player == 0 else (HALF, HALF) for infoset in tree.infosets])
        assert guaranteed(tree, 0, strategy) == -2 * abs(heads - HALF)
    quiz = notebook_names()["13/pennies"]
    assert not quiz.answer({0: tree.infosets[0].actions[0]})
    assert quiz.answer({0: dict.fromkeys(tree.infosets[0].actions, "1/2")})


LEADS = {"leads 9♣": "attack 9c", "leads Q♦": "attack Qd"}
ANSWERS = {"beats": "beat 9c Ac", "takes": "take"}


def test_each_cell_of_the_small_tree_equals_the_whole_game() -> None:
    """Some moves are fixed, the rest of 109 nodes is solved with a proof; the twelve are played."""
    tree, whole = notebook_names()["tree"], notebook_names()["whole"]
    matrix = gametheory.matrix(tree)
    queen, ace = set_at(whole, "seat 0 holds 9c Qd, table empty"), set_at(whole, "seat 1 holds Ac, table 9c")
    for row, lead in enumerate(LEADS):
        for column, answer in enumerate(ANSWERS):
            assert str(matrix.rows[row]) == lead
            assert str(matrix.columns[column]) == answer
            decided = gametheory.solve(fix_moves(whole, {queen: LEADS[lead], ace: ANSWERS[answer]}))
            assert decided.exact
            cell = play_strategies(tree, {**matrix.rows[row].actions, **matrix.columns[column].actions})
            assert decided.value == matrix.payoffs[row][column][0] == cell == (-THIRD if row == column else 0)


def test_the_nine_is_never_worse_with_the_jack_and_the_trump() -> None:
    """This is so for all other moves; the rest of 109 nodes is solved."""
    whole = notebook_names()["whole"]
    ace = set_at(whole, "seat 1 holds Ac, table 9c")
    sets = {card: set_at(whole, f"seat 0 holds 9c {card}, table empty") for card in ("Jc", "Qd", "Th")}
    for card in ("Jc", "Th"):
        others = [other for other in sets if other != card]
        for leads in product("9x", repeat=2):
            fixed = {sets[other]: "attack 9c" if lead == "9" else f"attack {other}" for other, lead in zip(others, leads, strict=True)}
            for answer in ANSWERS.values():
                nine, other = [
                    gametheory.solve(fix_moves(whole, {**fixed, sets[card]: f"attack {led}", ace: answer})).value for led in ("9c", card)
                ]
                assert other <= nine


def test_later_moves_are_forced_or_clear() -> None:
    """Each hand is solved alone: the value times three, with the usual results of the other two."""
    tree, whole = notebook_names()["tree"], notebook_names()["whole"]
    values = node_values(whole, gametheory.solve(whole).strategy, 0)
    for small, card in zip(tree.children(0), ("Jc", "Qd", "Th"), strict=True):
        deals = [deal for deal in whole.children(0) if whole.last_action(deal).startswith(f"9c {card} |")]
        assert len(deals) == 2
        led = [child for deal in deals for child in whole.children(deal) if whole.last_action(child) == "attack 9c"]
        for answer, move in ANSWERS.items():
            below = [child for lead in led for child in whole.children(lead) if whole.last_action(child) == move]
            nine = small if card != "Qd" else tree.children(small)[0]
            [end] = [child for child in tree.children(nine) if tree.last_action(child) == answer]
            assert sum(values[child] for child in below) / 2 == tree.payoffs[tree.infoset_of[end]][0]


def test_always_playing_the_nine_is_worth_minus_a_third() -> None:
    """Twelve nodes by hand and 109 by a linear program agree."""
    tree, whole = notebook_names()["tree"], notebook_names()["whole"]
    assert guaranteed(tree, 0, gametheory.Strategy.from_mapping(tree, {"holds 9♣ Q♦": "leads 9♣"})) == -THIRD == Fraction(-1 - 1 + 1, 3)
    for lead in LEADS.values():
        assert gametheory.solve(fix_moves(whole, {set_at(whole, "seat 0 holds 9c Qd, table empty"): lead})).value == -THIRD
    assert notebook_names()["13/always"].answer("-1/3")


def test_no_cell_is_best_for_both_players() -> None:
    """There is no pure equilibrium, and one mixed, half and half."""
    matrix = gametheory.matrix(notebook_names()["tree"])
    cells = [[payoff for payoff, _ in row] for row in matrix.payoffs]
    at_rest = [
        (row, column)
        for row in (0, 1)
        for column in (0, 1)
        if cells[row][column] == max(cells[0][column], cells[1][column]) and cells[row][column] == min(cells[row])
    ]
    assert at_rest == []
    [found] = gametheory.equilibria(matrix)
    assert found.payoffs == (Fraction(-1, 6), Fraction(1, 6))
    assert notebook_names()["13/answers"].answer(notebook_names()["13/answers"].solution)
    assert stored_output(STEM, "gametheory.equilibria") == str(gametheory.equilibria(matrix)) + "\n"


@pytest.mark.parametrize("seat", [0, 1])
def test_only_half_and_half_loses_nothing(seat: int) -> None:
    """Each twelfth is tried for both players: losses grow linearly."""
    tree = notebook_names()["tree"]
    label = ("holds 9♣ Q♦", "9♣ lies there")[seat]
    moves = tree.infosets[set_at(tree, label)].actions
    for twelfth in range(13):
        first = Fraction(twelfth, 12)
        strategy = gametheory.Strategy.from_mapping(tree, {label: {moves[0]: first, moves[1]: 1 - first}})
        lost = abs(first - HALF) / 3
        assert guaranteed(tree, seat, strategy) == Fraction(-1, 6) + (lost if seat else -lost)
    quiz = notebook_names()[("13/half", "13/ace")[seat]]
    assert not quiz.answer({label: moves[0]})
    assert quiz.credit == 0 or 0 < quiz.credit < 1
    assert quiz.loss == Fraction(1, 6)
    assert quiz.answer({label: {moves[0]: "1/2", moves[1]: "1/2"}})


def test_the_whole_game_has_the_value_of_the_small_one() -> None:
    """−1/6 with an exact certificate, CFR+ around it, and the loss without mixing."""
    whole = notebook_names()["whole"]
    solution = gametheory.solve(whole)
    assert solution.value == gametheory.solve(notebook_names()["tree"]).value == Fraction(-1, 6)
    assert gametheory.check_certificate(whole, solution.certificate) == 0
    near = gametheory.solve(whole, "cfr+", iterations=400)
    assert near.lower <= Fraction(-1, 6) <= near.upper
    assert near.upper - near.lower < Fraction(1, 100)
    assert solution.strategy["seat 0 holds 9c Qd, table empty"] == solution.strategy["seat 1 holds Ac, table 9c"] == (HALF, HALF)
    pure = gametheory.solve(whole, "pure")
    assert (pure.lower, pure.upper) == (-THIRD, 0)
    assert notebook_names()["13/price"].answer("1/6")


def test_always_beating_loses_nothing_against_a_mixing_player() -> None:
    """Known to you, it gives 0: a sixth more than the value."""
    tree = notebook_names()["tree"]
    half = gametheory.Strategy.uniform(tree)
    for answer in ANSWERS:
        habit = gametheory.Strategy.from_mapping(tree, {"9♣ lies there": answer})
        assert gametheory.value(tree, half.replace_player(1, habit)) == Fraction(-1, 6)
        assert gametheory.best_response(tree, habit, 0).value == 0


def test_five_cards_have_the_values_in_the_lesson() -> None:
    """−1/5 with mixing, 1/30 less without, half and half with the two low cards; every twelfth is tried."""
    assert stored_output(STEM, "five = ").splitlines() == [
        "value for Player 1: -1/5; without mixing, less by 1/30",
        "(Fraction(1, 2), Fraction(1, 2))",
    ]
    tree, found = notebook_names()["five"], notebook_names()["mixed"]
    assert gametheory.check_certificate(tree, found.certificate) == 0
    place = set_at(tree, "seat 0 holds Tc Qs, table empty")
    for move in tree.infosets[place].actions:
        assert gametheory.solve(fix_moves(tree, {place: move})).value == Fraction(-1, 5) - Fraction(1, 30)


LOADED = "econ431, suits=cdh, ranks=89TJQKA, hand_size=1: 9c {0} | Jc; talon {1}; turn-up 8h; seen 9c | Jc; discard {2}"
OTHERS = {"Q♣": "Qc", "A♣": "Ac", "10♦": "Td", "K♦": "Kd"}


@cache
def game_of_677() -> Tree:
    """Return the whole game of the challenge."""
    first, *rest = OTHERS.values()
    gone = [rank + suit for suit in "cdh" for rank in "89TJQKA"]
    gone = [card for card in gone if card not in {"9c", "Jc", "8h", *OTHERS.values()}]
    assert len(gone) % 2 == 0, "a beaten card goes with the one that beats it"
    return analysis.build_tree_from_position(Game.from_position_line(LOADED.format(first, " ".join(rest), " ".join(gone))))


def test_the_loaded_coin_has_the_value_of_the_whole_game() -> None:
    """677 and 21 nodes have the same proved value and proportions."""
    whole, loaded = game_of_677(), notebook_names()["loaded"]
    large, small = gametheory.solve(whole), gametheory.solve(loaded)
    assert whole.history_count == 677
    assert large.value == small.value == Fraction(7, 30)
    assert gametheory.check_certificate(whole, large.certificate) == gametheory.check_certificate(loaded, small.certificate) == 0
    assert large.strategy["seat 0 holds 9c Qc, table empty"] == small.strategy["holds 9♣ Q♣"] == (Fraction(3, 5), Fraction(2, 5))
    assert large.strategy["seat 1 holds Jc, table 9c"] == small.strategy["9♣ lies there"] == (Fraction(3, 5), Fraction(2, 5))


@pytest.mark.parametrize("queen", ["Q♣", "9♣"])
@pytest.mark.parametrize("ace", ["A♣", "9♣"])
@pytest.mark.parametrize("answer", ANSWERS)
def test_each_end_of_the_loaded_coin_equals_the_whole_game(queen: str, ace: str, answer: str) -> None:
    """The first moves are fixed, the rest of 677 nodes is solved, and what is left is played."""
    whole, loaded = game_of_677(), notebook_names()["loaded"]
    led = {"Q♣": queen, "A♣": ace, "10♦": "10♦", "K♦": "9♣"}
    cards = {**OTHERS, "9♣": "9c"}
    fixed = {set_at(whole, "seat 1 holds Jc, table 9c"): "beat 9c Jc" if answer == "beats" else "take"}
    fixed |= {set_at(whole, f"seat 0 holds 9c {OTHERS[card]}, table empty"): f"attack {cards[lead]}" for card, lead in led.items()}
    found = gametheory.solve(fix_moves(whole, fixed))
    assert found.exact
    plan = {
        place: infoset.actions.index(f"leads {led[infoset.label[-2:]]}" if infoset.player == 0 else answer)
        for place, infoset in enumerate(loaded.infosets)
    }
    assert found.value == play_strategies(loaded, plan)


def test_only_three_fifths_lose_nothing() -> None:
    """Each twentieth is tried with the queen. With the ace any lead but the 9 loses too."""
    loaded = notebook_names()["loaded"]
    for twentieth in range(21):
        nine = Fraction(twentieth, 20)
        mixed = {"leads 9♣": nine, "leads Q♣": 1 - nine}
        strategy = gametheory.Strategy.from_mapping(loaded, {"holds 9♣ A♣": "leads 9♣", "holds 9♣ Q♣": mixed})
        assert (guaranteed(loaded, 0, strategy) == Fraction(7, 30)) is (nine == Fraction(3, 5))
    three = {"leads 9♣": Fraction(3, 5), "leads Q♣": Fraction(2, 5)}
    assert guaranteed(loaded, 0, gametheory.Strategy.from_mapping(loaded, {"holds 9♣ A♣": "leads A♣", "holds 9♣ Q♣": three})) < Fraction(
        7, 30
    )
    quiz = notebook_names()["13/challenge"]
    assert not quiz.answer({"holds 9♣ A♣": "leads 9♣", "holds 9♣ Q♣": {"leads 9♣": "1/2", "leads Q♣": "1/2"}})
    assert quiz.answer({"holds 9♣ A♣": "leads 9♣", "holds 9♣ Q♣": {"leads 9♣": "3/5", "leads Q♣": "2/5"}})
