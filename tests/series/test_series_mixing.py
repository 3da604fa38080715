"""What lesson 13 says of mixing, each number by two routes: solved with a proof, and by best responses or plans counted out by hand."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from durak_widget import Game, analysis, gametheory
from durak_widget.gametheory.best_responses import node_values
from support.settled import forced, output, plans, played, run

pytestmark = pytest.mark.release
"""It works out again what the notebook says, and what its cells show at each run of the tests."""

if TYPE_CHECKING:
    from durak_widget.gametheory.tree import Tree

STEM = "13_mixing"
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


@cache
def names() -> dict[str, Any]:
    """The notebook, run once."""
    return run(STEM)


def at(tree: Tree, label: str) -> int:
    """The number of an information set, by its label."""
    return gametheory.Strategy.uniform(tree).find_infoset(label)


def left(tree: Tree, seat: int, strategy: gametheory.Strategy) -> Fraction:
    """What a strategy of a seat leaves it, to seat 0: against every plan of the other, walked through."""
    best = gametheory.best_response(tree, strategy, 1 - seat).value
    pure = []
    for plan in plans(tree, 1 - seat):
        other = gametheory.Strategy.from_choices(tree, [plan.get(place, 0) for place in range(len(tree.infosets))])
        pure.append(gametheory.value(tree, strategy.replace_player(1 - seat, other)))
    worst = min(pure) if seat == 0 else max(pure)
    assert worst == (-best if seat == 0 else best)
    return Fraction(worst)


def test_three_hands_are_as_likely_and_the_nine_may_come_from_each() -> None:
    """The game at the top: what Player 2 may think of, and all that you may."""
    game, whole = names()["game"], names()["whole"]
    assert {str(one.hands[0]) for one in analysis.worlds(game.view(1)).all()} == {"9c Jc", "9c Qd", "9c Th"}
    assert len(whole.chance_moves[0].actions) == 6
    assert whole.history_count == 109
    assert [str(move) for move in game.legal_moves()] == ["attack 9c", "attack Qd"]


def test_with_pennies_only_half_and_half_loses_nothing() -> None:
    """Each twelfth tried: what it loses is how far it is from half, doubled."""
    tree = gametheory.textbook("pennies")
    for twelfth in range(13):
        heads = Fraction(twelfth, 12)
        strategy = gametheory.Strategy(tree, [(heads, 1 - heads) if one.player == 0 else (HALF, HALF) for one in tree.infosets])
        assert left(tree, 0, strategy) == -2 * abs(heads - HALF)
    quiz = names()["13/pennies"]
    assert not quiz.answer({0: tree.infosets[0].actions[0]})
    assert quiz.answer({0: dict.fromkeys(tree.infosets[0].actions, "1/2")})


LEADS = {"leads 9♣": "attack 9c", "leads Q♦": "attack Qd"}
ANSWERS = {"beats": "beat 9c Ac", "takes": "take"}


def test_each_cell_of_the_small_tree_is_that_of_the_whole_game() -> None:
    """The lead from the queen and the answer to a 9 decided beforehand, the rest solved on 109 points, with proof; and walked through on the twelve."""
    tree, whole = names()["tree"], names()["whole"]
    matrix = gametheory.matrix(tree)
    queen, ace = at(whole, "seat 0 holds 9c Qd, table empty"), at(whole, "seat 1 holds Ac, table 9c")
    for row, lead in enumerate(LEADS):
        for column, answer in enumerate(ANSWERS):
            assert str(matrix.rows[row]) == lead
            assert str(matrix.columns[column]) == answer
            decided = gametheory.solve(forced(whole, {queen: LEADS[lead], ace: ANSWERS[answer]}))
            assert decided.exact
            cell = played(tree, {**matrix.rows[row].actions, **matrix.columns[column].actions})
            assert decided.value == matrix.payoffs[row][column][0] == cell == (-THIRD if row == column else 0)


def test_with_the_jack_and_the_trump_the_nine_is_never_worse() -> None:
    """Whatever you lead from the other hands, and whatever Player 2 does with a 9: all else solved on 109 points."""
    whole = names()["whole"]
    ace = at(whole, "seat 1 holds Ac, table 9c")
    sets = {card: at(whole, f"seat 0 holds 9c {card}, table empty") for card in ("Jc", "Qd", "Th")}
    for card in ("Jc", "Th"):
        others = [one for one in sets if one != card]
        for leads in product("9x", repeat=2):
            made = {sets[one]: "attack 9c" if lead == "9" else f"attack {one}" for one, lead in zip(others, leads, strict=True)}
            for answer in ANSWERS.values():
                nine, other = [
                    gametheory.solve(forced(whole, {**made, sets[card]: f"attack {led}", ace: answer})).value for led in ("9c", card)
                ]
                assert other <= nine


def test_what_follows_is_forced_or_clear() -> None:
    """From each hand alone, with all that follows solved: three times the value if the other two hands bring what they bring anyway."""
    tree, whole = names()["tree"], names()["whole"]
    worth = node_values(whole, gametheory.solve(whole).strategy, 0)
    for small, card in zip(tree.children(0), ("Jc", "Qd", "Th"), strict=True):
        deals = [deal for deal in whole.children(0) if whole.last_action(deal).startswith(f"9c {card} |")]
        assert len(deals) == 2
        led = [child for deal in deals for child in whole.children(deal) if whole.last_action(child) == "attack 9c"]
        for answer, move in ANSWERS.items():
            below = [child for one in led for child in whole.children(one) if whole.last_action(child) == move]
            nine = small if card != "Qd" else tree.children(small)[0]
            [end] = [child for child in tree.children(nine) if tree.last_action(child) == answer]
            assert sum(worth[child] for child in below) / 2 == tree.payoffs[tree.infoset_of[end]][0]


def test_always_the_nine_is_worth_a_third_less_than_nothing() -> None:
    """On twelve points by hand, on 109 by a linear program."""
    tree, whole = names()["tree"], names()["whole"]
    assert left(tree, 0, gametheory.Strategy.from_mapping(tree, {"holds 9♣ Q♦": "leads 9♣"})) == -THIRD == Fraction(-1 - 1 + 1, 3)
    for lead in LEADS.values():
        assert gametheory.solve(forced(whole, {at(whole, "seat 0 holds 9c Qd, table empty"): lead})).value == -THIRD
    assert names()["13/always"].answer("-1/3")


def test_no_cell_is_best_for_both() -> None:
    """So nobody can be at rest there; mixed, there is one equilibrium, half and half."""
    matrix = gametheory.matrix(names()["tree"])
    cells = [[one for one, _ in row] for row in matrix.payoffs]
    at_rest = [
        (row, column)
        for row in (0, 1)
        for column in (0, 1)
        if cells[row][column] == max(cells[0][column], cells[1][column]) and cells[row][column] == min(cells[row])
    ]
    assert at_rest == []
    [found] = gametheory.equilibria(matrix)
    assert found.payoffs == (Fraction(-1, 6), Fraction(1, 6))
    assert names()["13/answers"].answer(names()["13/answers"].solution)
    assert output(STEM, "gametheory.equilibria") == str(gametheory.equilibria(matrix)) + "\n"


@pytest.mark.parametrize("seat", [0, 1])
def test_only_half_and_half_loses_nothing(seat: int) -> None:
    """Each twelfth tried, for both sides: what is lost grows by a third of what is between."""
    tree = names()["tree"]
    label = ("holds 9♣ Q♦", "9♣ lies there")[seat]
    moves = tree.infosets[at(tree, label)].actions
    for twelfth in range(13):
        first = Fraction(twelfth, 12)
        strategy = gametheory.Strategy.from_mapping(tree, {label: {moves[0]: first, moves[1]: 1 - first}})
        lost = abs(first - HALF) / 3
        assert left(tree, seat, strategy) == Fraction(-1, 6) + (lost if seat else -lost)
    quiz = names()[("13/half", "13/ace")[seat]]
    assert not quiz.answer({label: moves[0]})
    assert quiz.credit == 0 or 0 < quiz.credit < 1
    assert quiz.loss == Fraction(1, 6)
    assert quiz.answer({label: {moves[0]: "1/2", moves[1]: "1/2"}})


def test_the_whole_game_is_worth_what_the_small_one_is() -> None:
    """−1/6: a certificate without a gap, CFR+ around it, and what is lost without mixing."""
    whole = names()["whole"]
    solution = gametheory.solve(whole)
    assert solution.value == gametheory.solve(names()["tree"]).value == Fraction(-1, 6)
    assert gametheory.check_certificate(whole, solution.certificate) == 0
    near = gametheory.solve(whole, "cfr+", iterations=400)
    assert near.lower <= Fraction(-1, 6) <= near.upper
    assert near.upper - near.lower < Fraction(1, 100)
    assert solution.strategy["seat 0 holds 9c Qd, table empty"] == solution.strategy["seat 1 holds Ac, table 9c"] == (HALF, HALF)
    pure = gametheory.solve(whole, "pure")
    assert (pure.lower, pure.upper) == (-THIRD, 0)
    assert names()["13/price"].answer("1/6")


def test_who_always_beats_loses_nothing_as_long_as_you_mix() -> None:
    """And gives you 0 if you see it: a sixth more than the game is worth."""
    tree = names()["tree"]
    half = gametheory.Strategy.uniform(tree)
    for answer in ANSWERS:
        habit = gametheory.Strategy.from_mapping(tree, {"9♣ lies there": answer})
        assert gametheory.value(tree, half.replace_player(1, habit)) == Fraction(-1, 6)
        assert gametheory.best_response(tree, habit, 0).value == 0


def test_five_cards_say_what_the_lesson_says() -> None:
    """−1/5 with mixing, 1/30 less without, and half and half with the two low cards: what is printed, and a best response to every twelfth."""
    assert output(STEM, "five = ").splitlines() == [
        "worth -1/5 to who attacks; without mixing, less by 1/30",
        "(Fraction(1, 2), Fraction(1, 2))",
    ]
    tree, found = names()["five"], names()["mixed"]
    assert gametheory.check_certificate(tree, found.certificate) == 0
    place = at(tree, "seat 0 holds Tc Qs, table empty")
    for move in tree.infosets[place].actions:
        assert gametheory.solve(forced(tree, {place: move})).value == Fraction(-1, 5) - Fraction(1, 30)


LOADED = "econ431, suits=cdh, ranks=89TJQKA, hand_size=1: 9c {0} | Jc; talon {1}; turn-up 8h; seen 9c | Jc; discard {2}"
OTHERS = {"Q♣": "Qc", "A♣": "Ac", "10♦": "Td", "K♦": "Kd"}


@cache
def of_677() -> Tree:
    """The whole game of the challenge."""
    first, *rest = OTHERS.values()
    gone = [rank + suit for suit in "cdh" for rank in "89TJQKA"]
    gone = [card for card in gone if card not in {"9c", "Jc", "8h", *OTHERS.values()}]
    assert len(gone) % 2 == 0, "a beaten card goes with the one that beats it"
    return analysis.build_tree_from_position(Game.from_position_line(LOADED.format(first, " ".join(rest), " ".join(gone))))


def test_the_loaded_coin_is_that_of_the_whole_game() -> None:
    """677 points and 21: the same value, proved; the same proportions."""
    whole, loaded = of_677(), names()["loaded"]
    large, small = gametheory.solve(whole), gametheory.solve(loaded)
    assert whole.history_count == 677
    assert large.value == small.value == Fraction(7, 30)
    assert gametheory.check_certificate(whole, large.certificate) == gametheory.check_certificate(loaded, small.certificate) == 0
    assert large.strategy["seat 0 holds 9c Qc, table empty"] == small.strategy["holds 9♣ Q♣"] == (Fraction(3, 5), Fraction(2, 5))
    assert large.strategy["seat 1 holds Jc, table 9c"] == small.strategy["9♣ lies there"] == (Fraction(3, 5), Fraction(2, 5))


@pytest.mark.parametrize("queen", ["Q♣", "9♣"])
@pytest.mark.parametrize("ace", ["A♣", "9♣"])
@pytest.mark.parametrize("answer", ANSWERS)
def test_each_end_of_the_loaded_coin_is_what_the_whole_game_is_worth_there(queen: str, ace: str, answer: str) -> None:
    """Every lead and the answer to a 9 decided beforehand, the rest solved on 677 points; and walked through on what is left of them."""
    whole, loaded = of_677(), names()["loaded"]
    led = {"Q♣": queen, "A♣": ace, "10♦": "10♦", "K♦": "9♣"}
    cards = {**OTHERS, "9♣": "9c"}
    made = {at(whole, "seat 1 holds Jc, table 9c"): "beat 9c Jc" if answer == "beats" else "take"}
    made |= {at(whole, f"seat 0 holds 9c {OTHERS[card]}, table empty"): f"attack {cards[lead]}" for card, lead in led.items()}
    found = gametheory.solve(forced(whole, made))
    assert found.exact
    plan = {
        place: one.actions.index(f"leads {led[one.label[-2:]]}" if one.player == 0 else answer) for place, one in enumerate(loaded.infosets)
    }
    assert found.value == played(loaded, plan)


def test_only_three_in_five_loses_nothing() -> None:
    """Each twentieth tried with the queen; and with the ace any other lead than the 9 loses, too."""
    loaded = names()["loaded"]
    for twentieth in range(21):
        nine = Fraction(twentieth, 20)
        mixed = {"leads 9♣": nine, "leads Q♣": 1 - nine}
        strategy = gametheory.Strategy.from_mapping(loaded, {"holds 9♣ A♣": "leads 9♣", "holds 9♣ Q♣": mixed})
        assert (left(loaded, 0, strategy) == Fraction(7, 30)) is (nine == Fraction(3, 5))
    three = {"leads 9♣": Fraction(3, 5), "leads Q♣": Fraction(2, 5)}
    assert left(loaded, 0, gametheory.Strategy.from_mapping(loaded, {"holds 9♣ A♣": "leads A♣", "holds 9♣ Q♣": three})) < Fraction(7, 30)
    quiz = names()["13/challenge"]
    assert not quiz.answer({"holds 9♣ A♣": "leads 9♣", "holds 9♣ Q♣": {"leads 9♣": "1/2", "leads Q♣": "1/2"}})
    assert quiz.answer({"holds 9♣ A♣": "leads 9♣", "holds 9♣ Q♣": {"leads 9♣": "3/5", "leads Q♣": "2/5"}})
