"""Test lesson 18 on signals: each number is found by solvers, and by counting deals or trying strategies."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from durak_widget import Game, analysis, gametheory
from durak_widget.gametheory.beliefs import bayesian_beliefs, belief_bounds
from durak_widget.gametheory.sequential_equilibrium import is_proved_by_trembles
from durak_widget.gametheory.tree import CHANCE, TERMINAL
from support.lesson_notebooks import fix_moves, pure_strategies, run_notebook, stored_output

pytestmark = pytest.mark.slow
"""A mark for tests that compute the notebook's numbers again."""

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from durak_widget.gametheory.tree import Tree

STEM = "18_signals"
HALF, THIRD, FIFTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 5)
ACE, NINE, KING, PASS = "seat 1 holds Ac, table 9c", "sees 9♣", "sees K♣", "sees a pass"
APART = {"holds A♥": "throws in K♣", "holds 6♦": "passes", KING: "gives up", PASS: "plays on"}
SILENT = {"holds A♥": "passes", "holds 6♦": "passes", KING: "plays on", PASS: "plays on"}


@cache
def notebook_names() -> dict[str, Any]:
    """Return the names of the notebook, run once."""
    return run_notebook(STEM)


@cache
def whole_game() -> Tree:
    """Return the whole game of the 9, of 109 nodes."""
    found: Tree = analysis.build_tree_from_position(notebook_names()["game"])
    return found


def set_at(tree: Tree, label: str) -> int:
    """Return the number of an information set, by its label."""
    return gametheory.Strategy.uniform(tree).find_infoset(label)


def reached_histories(
    tree: Tree, strategy: gametheory.Strategy, here: int = 0, reach: Fraction = Fraction(1)
) -> Iterator[tuple[int, Fraction]]:
    """Yield every reached history with its probability, by walking the tree."""
    yield here, reach
    who, place = tree.actor[here], tree.infoset_of[here]
    if who != TERMINAL:
        row = tree.chance_moves[place].probabilities if who == CHANCE else strategy.rows[place]
        for probability, child in zip(row, tree.children(here), strict=True):
            if probability:
                yield from reached_histories(tree, strategy, child, reach * Fraction(probability))


def belief_at(tree: Tree, strategy: gametheory.Strategy, place: int) -> dict[str, Fraction]:
    """Return the belief over the first chance move at a set, by counting."""
    found: dict[str, Fraction] = {}
    for here, probability in reached_histories(tree, strategy):
        if tree.actor[here] >= 0 and tree.infoset_of[here] == place:
            deal = tree.actions_from_root(here)[0]
            found[deal] = found.get(deal, Fraction(0)) + probability
    return {deal: probability / sum(found.values()) for deal, probability in found.items()}


def average_payoff(tree: Tree, strategy: gametheory.Strategy, seat: int, deal: str = "") -> Fraction:
    """Return a player's average payoff, over all deals or for one."""
    ends = [
        (here, probability)
        for here, probability in reached_histories(tree, strategy)
        if tree.actor[here] == TERMINAL and deal in {"", tree.actions_from_root(here)[0]}
    ]
    return sum(probability * tree.payoffs[tree.infoset_of[here]][seat] for here, probability in ends) / sum(
        probability for _, probability in ends
    )


def pure_equilibria(tree: Tree) -> set[tuple[int, ...]]:
    """Return all pure equilibria, by trying every profile."""
    mine, theirs = list(pure_strategies(tree, 0)), list(pure_strategies(tree, 1))
    profiles = {(a, b): gametheory.Strategy.from_choices(tree, [{**own, **other}[n] for n in range(len(tree.infosets))]) for a, own in enumerate(mine) for b, other in enumerate(theirs)}  # fmt: skip
    payoffs = {cell: (average_payoff(tree, strategy, 0), average_payoff(tree, strategy, 1)) for cell, strategy in profiles.items()}
    return {
        tuple([row.index(1) for row in profiles[a, b].rows])
        for a, b in payoffs
        if payoffs[a, b][0] == max(payoffs[n, b][0] for n in range(len(mine)))
        and payoffs[a, b][1] == max(payoffs[a, n][1] for n in range(len(theirs)))
    }


def choice_numbers(tree: Tree, moves: Mapping[str, str]) -> tuple[int, ...]:
    """Return the number of the chosen move at each information set."""
    return tuple([infoset.actions.index(moves[infoset.label]) for infoset in tree.infosets])


def test_the_queen_is_rarely_behind_a_nine() -> None:
    """2/5, 1/5, 2/5: by Bayes' rule, by walking, and in the solved game of 109 nodes."""
    tree = notebook_names()["tree"]
    bluffs = gametheory.Strategy.from_mapping(tree, {"holds 9♣ Q♦": {"leads 9♣": HALF, "leads Q♦": HALF}})
    assert bayesian_beliefs(tree, bluffs)[set_at(tree, NINE)] == (2 * FIFTH, 2 * FIFTH, FIFTH)
    assert belief_at(tree, bluffs, set_at(tree, NINE)) == {"9♣ J♣": 2 * FIFTH, "9♣ 10♥": 2 * FIFTH, "9♣ Q♦": FIFTH}
    solved, found = gametheory.solve(whole_game()).strategy, dict.fromkeys("JQT", Fraction(0))
    for deal, probability in belief_at(whole_game(), solved, set_at(whole_game(), ACE)).items():
        found[deal[3]] += probability
    assert found == {"J": 2 * FIFTH, "Q": FIFTH, "T": 2 * FIFTH}
    assert [analysis.worlds(notebook_names()["led"].view(1)).chance(0, card) for card in ("Jc", "Qd", "Th")] == [THIRD] * 3
    assert notebook_names()["18/queen"].answer("1/5")


@pytest.mark.parametrize(("lead", "beats", "takes"), [(HALF, FIFTH, FIFTH), (0, 0, HALF), (1, THIRD, 0)])
def test_beliefs_decide_between_beating_and_picking_up(lead: Fraction, beats: Fraction, takes: Fraction) -> None:
    """Test bluffing half the time, never and always, in the whole game too."""
    tree = notebook_names()["tree"]
    player = gametheory.Strategy.from_mapping(tree, {"holds 9♣ Q♦": {"leads 9♣": lead, "leads Q♦": 1 - lead}})
    believed = belief_at(tree, player, set_at(tree, NINE))
    won = {"beats": {"9♣ J♣": 1, "9♣ Q♦": 1, "9♣ 10♥": -1}, "takes": {"9♣ J♣": 0, "9♣ Q♦": -1, "9♣ 10♥": 1}}
    assert [sum(probability * won[move][deal] for deal, probability in believed.items()) for move in won] == [beats, takes]
    if lead != HALF:
        queen, often = set_at(whole_game(), "seat 0 holds 9c Qd, table empty"), (2 + lead) / Fraction(3)
        fixed = {queen: "attack 9c" if lead else "attack Qd"}
        answers = [
            -gametheory.solve(fix_moves(whole_game(), {**fixed, set_at(whole_game(), ACE): move})).value for move in ("beat 9c Ac", "take")
        ]
        assert answers == [often * beats, often * takes], "a queen that is led brings 0"


def test_the_bluff_pays_with_another_hand() -> None:
    """Honest, pooling and half: −1/3, −1/3, −1/6, and the payoffs by hand."""
    tree, numbers = notebook_names()["tree"], []
    for lead, beat in ((0, 0), (1, 1), (HALF, HALF)):
        played = gametheory.Strategy.from_mapping(
            tree, {"holds 9♣ Q♦": {"leads 9♣": lead, "leads Q♦": 1 - lead}, NINE: {"beats": beat, "takes": 1 - beat}}
        )
        assert gametheory.best_response(tree, played, 1).value == average_payoff(tree, played, 1)
        numbers.append([average_payoff(tree, played, 0), *(average_payoff(tree, played, 0, deal) for deal in ("9♣ J♣", "9♣ Q♦", "9♣ 10♥"))])
    assert numbers == [[-THIRD, 0, 0, -1], [-THIRD, -1, -1, 1], [-HALF * THIRD, -HALF, 0, 0]]
    queen = {}
    for move in ("leads 9♣", "leads Q♦"):
        queen[move] = average_payoff(
            tree, gametheory.Strategy.from_mapping(tree, {"holds 9♣ Q♦": move, NINE: {"beats": HALF, "takes": HALF}}), 0, "9♣ Q♦"
        )
    assert queen == {"leads 9♣": 0, "leads Q♦": 0}, "the bluff itself earns nothing"


def test_the_game_with_nuts_has_the_stated_payoffs() -> None:
    """Two nuts for a fold, one for a win, and the box's share: every end is computed again."""
    for forfeit, prize in ((4, 0), (1, 0), (2, 1)):
        tree = notebook_names()["nuts"](forfeit, prize)
        ends = {tree.actions_from_root(here): tree.payoffs[tree.infoset_of[here]] for here, who in enumerate(tree.actor) if who == TERMINAL}
        assert len(ends) == 8
        for (card, message, answer), (mine, yours) in ends.items():
            box = 0 if message == "passes" else prize if card == "A♥" else -forfeit
            won = 1 if card == "A♥" else -1
            assert (mine, yours) == ((2 + box, 0) if answer == "gives up" else (won + box, -won))
        assert tree.chance_moves[0].probabilities == (THIRD, 2 * THIRD)


def test_a_king_is_believed_from_three_nuts_on() -> None:
    """Every half nut up to five is tried: may hands separate, and would the six gain by a king?"""
    for half in range(11):
        tree = notebook_names()["nuts"](Fraction(half, 2))
        gain = average_payoff(tree, gametheory.Strategy.from_mapping(tree, {**APART, "holds 6♦": "throws in K♣"}), 0, "6♦") - average_payoff(tree, gametheory.Strategy.from_mapping(tree, APART), 0, "6♦")  # fmt: skip
        assert gain == 3 - Fraction(half, 2)
        assert (gametheory.exploitability(tree, gametheory.Strategy.from_mapping(tree, APART)) == 0) is (gain <= 0) is (half >= 6)
    assert notebook_names()["18/forfeit"].answer(3)
    quiz = notebook_names()["18/answers"]
    assert not quiz.answer({KING: "plays on", PASS: "plays on"})
    assert quiz.answer({KING: "gives up", PASS: "plays on"})


def test_with_four_nuts_one_of_two_equilibria_is_refuted() -> None:
    """Solvers and all strategies agree, trembles prove both sequential, and the second is refuted by the ace's king."""
    tree, answer = notebook_names()["costly"], gametheory.solve(notebook_names()["costly"])
    assert answer.complete
    assert pure_equilibria(tree) == {choice_numbers(tree, APART), choice_numbers(tree, SILENT)}
    first, second = answer.equilibria
    assert [tuple([row.index(1) for row in equilibrium.strategy.rows]) for equilibrium in answer.equilibria] == [
        choice_numbers(tree, APART),
        choice_numbers(tree, SILENT),
    ]
    assert (first.payoffs, second.payoffs) == ((0, 2 * THIRD), (-THIRD, THIRD))
    assert all(
        is_proved_by_trembles(tree, equilibrium.strategy, equilibrium.sequential_result.trembles) for equilibrium in answer.equilibria
    )
    assert second.sequential_result.beliefs[set_at(tree, KING)] == (THIRD, 2 * THIRD), "hands that slip as often with either card"
    assert not first.intuitive_refutations
    assert [(refutation.message, refutation.type_label, refutation.excluded_types) for refutation in second.intuitive_refutations] == [
        ("throws in K♣", "holds A♥", ("holds 6♦",))
    ]
    silent = gametheory.Strategy.from_mapping(tree, SILENT)
    assert (average_payoff(tree, silent, 0, "A♥"), average_payoff(tree, silent, 0, "6♦")) == (1, -1)
    best = {card: max(average_payoff(tree, gametheory.Strategy.from_mapping(tree, {**SILENT, f"holds {card}": "throws in K♣", KING: answer}), 0, card) for answer in ("gives up", "plays on")) for card in ("A♥", "6♦")}  # fmt: skip
    assert best == {"A♥": 2, "6♦": -2}
    assert stored_output(STEM, "gametheory.solve(costly)") == f"{answer}\n"


def test_an_unplayed_king_must_be_the_six_half_the_time() -> None:
    """It follows from possible beliefs and their payoffs."""
    tree = notebook_names()["costly"]
    silent = gametheory.Strategy.from_mapping(tree, SILENT)
    assert belief_bounds(tree, silent, set_at(tree, KING)) == ((0, HALF), (HALF, 1))
    assert bayesian_beliefs(tree, silent)[set_at(tree, KING)] is None
    for twelfth in range(13):
        six = Fraction(twelfth, 12)
        assert (six - (1 - six) >= 0) is (six >= HALF)
    assert notebook_names()["18/unsent"].answer("1/2")


def test_a_cheap_king_is_half_believed() -> None:
    """With a forfeit of one nut, the six bluffs half the time, and a king wins one time in three."""
    tree, answer = notebook_names()["cheap"], gametheory.solve(notebook_names()["cheap"])
    silent, mixed = answer.equilibria
    assert answer.complete
    assert pure_equilibria(tree) == {choice_numbers(tree, SILENT)}
    assert not silent.intuitive_refutations, "even the six could hope to gain"
    assert [mixed.strategy[label] for label in ("holds A♥", "holds 6♦", KING, PASS)] == [(1, 0), (HALF, HALF), (THIRD, 2 * THIRD), (0, 1)]
    assert belief_at(tree, mixed.strategy, set_at(tree, KING)) == {"A♥": HALF, "6♦": HALF}
    assert (average_payoff(tree, mixed.strategy, 0), average_payoff(tree, mixed.strategy, 1)) == mixed.payoffs == (Fraction(-2, 9), THIRD)
    always = gametheory.Strategy.from_mapping(tree, {**APART, "holds 6♦": "throws in K♣"})
    assert gametheory.best_response(tree, always, 1).strategy[KING] == (0, 1), "if the six always threw in, you would play on"
    assert notebook_names()["18/half"].answer("1/2")
    assert stored_output(STEM, "gametheory.solve(cheap)") == f"{answer}\n"


def test_beer_survives_and_quiche_is_refuted() -> None:
    """Both types pool on either; beliefs about the other breakfast have two extremes; the strong type would drink beer."""
    tree, answer = notebook_names()["breakfast"], gametheory.solve(notebook_names()["breakfast"])
    assert answer.complete
    assert [equilibrium.payoffs for equilibrium in answer.equilibria] == [(Fraction(29, 10), Fraction(9, 10))] * 2 + [
        (Fraction(21, 10), Fraction(9, 10))
    ] * 2
    for number, equilibrium in enumerate(answer.equilibria):
        meal = "quiche" if number >= 2 else "beer"
        assert all(
            equilibrium.strategy.rows[set_at(tree, who)] == equilibrium.strategy.rows[set_at(tree, "strong")] for who in ("strong", "weak")
        )
        assert meal in equilibrium.strategy_text.partition("(weak): ")[2]
        assert is_proved_by_trembles(tree, equilibrium.strategy, equilibrium.sequential_result.trembles)
        assert [(why.message, why.type_label, why.excluded_types) for why in equilibrium.intuitive_refutations] == [
            ("beer", "strong", ("weak",))
        ] * (number >= 2)
    quiche = answer.equilibria[2].strategy
    assert (average_payoff(tree, quiche, 0, "strong"), average_payoff(tree, quiche, 0, "weak")) == (2, 3)
    assert stored_output(STEM, "gametheory.solve(breakfast)") == f"{answer}\n"


def test_the_challenge_has_one_equilibrium_and_accepts_only_that() -> None:
    """None is pure, and of all twelfths only one half and two thirds work."""
    tree, quiz = notebook_names()["box"], notebook_names()["18/challenge"]
    answer = gametheory.solve(tree)
    assert answer.complete
    assert pure_equilibria(tree) == set()
    [equilibrium] = answer.equilibria
    assert [equilibrium.strategy[label] for label in ("holds A♥", "holds 6♦", KING, PASS)] == [
        (1, 0),
        (HALF, HALF),
        (2 * THIRD, THIRD),
        (0, 1),
    ]
    for six, way in product(range(0, 13, 2), repeat=2):
        mixed = {**APART, "holds 6♦": {"throws in K♣": Fraction(six, 12), "passes": 1 - Fraction(six, 12)}, KING: {"gives up": Fraction(way, 12), "plays on": 1 - Fraction(way, 12)}}  # fmt: skip
        assert (gametheory.exploitability(tree, gametheory.Strategy.from_mapping(tree, mixed)) == 0) is ((six, way) == (6, 8))
    assert not quiz.answer(APART)
    assert 0 < quiz.credit < 1
    assert quiz.answer(quiz.solution)


def test_every_exercise_accepts_its_solution_and_names_mistakes() -> None:
    """Each mistaken number has its reason. The position is that of the lesson before."""
    for name, quiz in notebook_names().items():
        if name.startswith("18/") and hasattr(quiz, "mistakes"):
            verdicts = {str(quiz.answer(str(value))) for value in quiz.mistakes.values()}
            assert len(verdicts) == len(set(quiz.mistakes.values()))
            assert quiz.answer(quiz.solution[0])
    assert notebook_names()["18/joined"].answer(notebook_names()["18/joined"].solution)
    assert isinstance(notebook_names()["led"], Game)
    assert [str(move) for move in notebook_names()["led"].legal_moves()] == ["beat 9c Ac", "take"]
