"""What lesson 18 says of signals, each number by two routes: found by the solvers of the room, and by counting deals or trying plans in a few lines of our own."""

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
from support.settled import forced, output, plans, run

pytestmark = pytest.mark.slow
"""It works out again what the notebook says, and what its cells show at each run of the tests."""

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from durak_widget.gametheory.tree import Tree

STEM = "18_signals"
HALF, THIRD, FIFTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 5)
ACE, NINE, KING, PASS = "seat 1 holds Ac, table 9c", "9♣ lies there", "sees K♣", "sees a pass"
APART = {"holds A♥": "throws in K♣", "holds 6♦": "passes", KING: "gives up", PASS: "plays on"}
SILENT = {"holds A♥": "passes", "holds 6♦": "passes", KING: "plays on", PASS: "plays on"}


@cache
def names() -> dict[str, Any]:
    """The notebook, run once."""
    return run(STEM)


@cache
def whole() -> Tree:
    """The whole game of the 9: 109 places."""
    found: Tree = analysis.build_tree_from_position(names()["game"])
    return found


def at(tree: Tree, label: str) -> int:
    """The number of an information set, by its label."""
    return gametheory.Strategy.uniform(tree).find_infoset(label)


def ways(tree: Tree, strategy: gametheory.Strategy, here: int = 0, likely: Fraction = Fraction(1)) -> Iterator[tuple[int, Fraction]]:
    """Every history to which play may come, with how likely that is, by walking."""
    yield here, likely
    who, place = tree.actor[here], tree.infoset_of[here]
    if who != TERMINAL:
        row = tree.chance_moves[place].probabilities if who == CHANCE else strategy.rows[place]
        for one, child in zip(row, tree.children(here), strict=True):
            if one:
                yield from ways(tree, strategy, child, likely * Fraction(one))


def counted(tree: Tree, strategy: gametheory.Strategy, place: int) -> dict[str, Fraction]:
    """What is to be believed there, by the first draw: of all that may come there, as a part."""
    found: dict[str, Fraction] = {}
    for here, likely in ways(tree, strategy):
        if tree.actor[here] >= 0 and tree.infoset_of[here] == place:
            deal = tree.actions_from_root(here)[0]
            found[deal] = found.get(deal, Fraction(0)) + likely
    return {deal: likely / sum(found.values()) for deal, likely in found.items()}


def paid(tree: Tree, strategy: gametheory.Strategy, seat: int, deal: str = "") -> Fraction:
    """What a seat gets on average, of all deals or of one."""
    ends = [
        (here, likely)
        for here, likely in ways(tree, strategy)
        if tree.actor[here] == TERMINAL and deal in {"", tree.actions_from_root(here)[0]}
    ]
    return sum(likely * tree.payoffs[tree.infoset_of[here]][seat] for here, likely in ends) / sum(likely for _, likely in ends)


def pure(tree: Tree) -> set[tuple[int, ...]]:
    """All equilibria in which nobody mixes: every plan tried against every other, nothing but walks."""
    mine, theirs = list(plans(tree, 0)), list(plans(tree, 1))
    made = {(a, b): gametheory.Strategy.from_choices(tree, [{**one, **other}[n] for n in range(len(tree.infosets))]) for a, one in enumerate(mine) for b, other in enumerate(theirs)}  # fmt: skip
    worth = {cell: (paid(tree, one, 0), paid(tree, one, 1)) for cell, one in made.items()}
    return {
        tuple([row.index(1) for row in made[a, b].rows])
        for a, b in worth
        if worth[a, b][0] == max(worth[n, b][0] for n in range(len(mine)))
        and worth[a, b][1] == max(worth[a, n][1] for n in range(len(theirs)))
    }


def chosen(tree: Tree, moves: Mapping[str, str]) -> tuple[int, ...]:
    """The places of these moves."""
    return tuple([one.actions.index(moves[one.label]) for one in tree.infosets])


def test_behind_a_nine_there_is_rarely_the_queen() -> None:
    """2/5, 1/5, 2/5: by Bayes' rule on the small tree, by walking it, and in the whole game of 109 places as its solver plays it."""
    tree = names()["tree"]
    bluffs = gametheory.Strategy.from_mapping(tree, {"holds 9♣ Q♦": {"leads 9♣": HALF, "leads Q♦": HALF}})
    assert bayesian_beliefs(tree, bluffs)[at(tree, NINE)] == (2 * FIFTH, 2 * FIFTH, FIFTH)
    assert counted(tree, bluffs, at(tree, NINE)) == {"9♣ J♣": 2 * FIFTH, "9♣ 10♥": 2 * FIFTH, "9♣ Q♦": FIFTH}
    solved, found = gametheory.solve(whole()).strategy, dict.fromkeys("JQT", Fraction(0))
    for deal, likely in counted(whole(), solved, at(whole(), ACE)).items():
        found[deal[3]] += likely
    assert found == {"J": 2 * FIFTH, "Q": FIFTH, "T": 2 * FIFTH}
    assert [analysis.worlds(names()["led"].view(1)).chance(0, card) for card in ("Jc", "Qd", "Th")] == [THIRD] * 3
    assert names()["18/queen"].answer("1/5")


@pytest.mark.parametrize(("lead", "beats", "takes"), [(HALF, FIFTH, FIFTH), (0, 0, HALF), (1, THIRD, 0)])
def test_what_a_belief_makes_of_beating_and_of_taking(lead: Fraction, beats: Fraction, takes: Fraction) -> None:
    """Half, never and always a bluff: by the belief, and by the whole game, in which all else is solved. So one may do either, takes, beats."""
    tree = names()["tree"]
    player = gametheory.Strategy.from_mapping(tree, {"holds 9♣ Q♦": {"leads 9♣": lead, "leads Q♦": 1 - lead}})
    believed = counted(tree, player, at(tree, NINE))
    won = {"beats": {"9♣ J♣": 1, "9♣ Q♦": 1, "9♣ 10♥": -1}, "takes": {"9♣ J♣": 0, "9♣ Q♦": -1, "9♣ 10♥": 1}}
    assert [sum(likely * won[move][deal] for deal, likely in believed.items()) for move in won] == [beats, takes]
    if lead != HALF:
        queen, often = at(whole(), "seat 0 holds 9c Qd, table empty"), (2 + lead) / Fraction(3)
        made = {queen: "attack 9c" if lead else "attack Qd"}
        answers = [-gametheory.solve(forced(whole(), {**made, at(whole(), ACE): move})).value for move in ("beat 9c Ac", "take")]
        assert answers == [often * beats, often * takes], "a queen that is led brings 0"


def test_the_bluff_pays_in_another_hand() -> None:
    """Honest, pooling and half: −1/3, −1/3, −1/6; by hands 0, 0, −1; −1, −1, 1; and −1/2, 0, 0."""
    tree, told = names()["tree"], []
    for lead, beat in ((0, 0), (1, 1), (HALF, HALF)):
        played = gametheory.Strategy.from_mapping(
            tree, {"holds 9♣ Q♦": {"leads 9♣": lead, "leads Q♦": 1 - lead}, NINE: {"beats": beat, "takes": 1 - beat}}
        )
        assert gametheory.best_response(tree, played, 1).value == paid(tree, played, 1)
        told.append([paid(tree, played, 0), *(paid(tree, played, 0, deal) for deal in ("9♣ J♣", "9♣ Q♦", "9♣ 10♥"))])
    assert told == [[-THIRD, 0, 0, -1], [-THIRD, -1, -1, 1], [-HALF * THIRD, -HALF, 0, 0]]
    queen = {}
    for move in ("leads 9♣", "leads Q♦"):
        queen[move] = paid(
            tree, gametheory.Strategy.from_mapping(tree, {"holds 9♣ Q♦": move, NINE: {"beats": HALF, "takes": HALF}}), 0, "9♣ Q♦"
        )
    assert queen == {"leads 9♣": 0, "leads Q♦": 0}, "the bluff itself earns nothing"


def test_the_game_with_the_nuts_is_as_it_is_told() -> None:
    """Two nuts for whoever is given way to, one nut for who wins, and what the box gets or pays: every end reckoned anew."""
    for forfeit, prize in ((4, 0), (1, 0), (2, 1)):
        tree = names()["nuts"](forfeit, prize)
        ends = {tree.actions_from_root(here): tree.payoffs[tree.infoset_of[here]] for here, who in enumerate(tree.actor) if who == TERMINAL}
        assert len(ends) == 8
        for (card, message, answer), (mine, yours) in ends.items():
            box = 0 if message == "passes" else prize if card == "A♥" else -forfeit
            won = 1 if card == "A♥" else -1
            assert (mine, yours) == ((2 + box, 0) if answer == "gives up" else (won + box, -won))
        assert tree.chance_moves[0].probabilities == (THIRD, 2 * THIRD)


def test_a_king_is_believed_from_three_nuts_on() -> None:
    """Of every half nut up to five it is tried whether the hands may separate, and with which the six would gain by a king."""
    for half in range(11):
        tree = names()["nuts"](Fraction(half, 2))
        gain = paid(tree, gametheory.Strategy.from_mapping(tree, {**APART, "holds 6♦": "throws in K♣"}), 0, "6♦") - paid(tree, gametheory.Strategy.from_mapping(tree, APART), 0, "6♦")  # fmt: skip
        assert gain == 3 - Fraction(half, 2)
        assert (gametheory.exploitability(tree, gametheory.Strategy.from_mapping(tree, APART)) == 0) is (gain <= 0) is (half >= 6)
    assert names()["18/forfeit"].answer(3)
    quiz = names()["18/answers"]
    assert not quiz.answer({KING: "plays on", PASS: "plays on"})
    assert quiz.answer({KING: "gives up", PASS: "plays on"})


def test_with_four_nuts_there_are_two_equilibria_and_one_is_refuted() -> None:
    """All found, exactly; trying all plans finds the same; slips prove both sequential; by the ace, with the king, the second goes."""
    tree, answer = names()["dear"], gametheory.solve(names()["dear"])
    assert answer.complete
    assert pure(tree) == {chosen(tree, APART), chosen(tree, SILENT)}
    first, second = answer.equilibria
    assert [tuple([row.index(1) for row in one.strategy.rows]) for one in answer.equilibria] == [chosen(tree, APART), chosen(tree, SILENT)]
    assert (first.payoffs, second.payoffs) == ((0, 2 * THIRD), (-THIRD, THIRD))
    assert all(is_proved_by_trembles(tree, one.strategy, one.sequential_result.trembles) for one in answer.equilibria)
    assert second.sequential_result.beliefs[at(tree, KING)] == (THIRD, 2 * THIRD), "hands that slip as often with either card"
    assert not first.intuitive_refutations
    assert [(one.message, one.type_label, one.excluded_types) for one in second.intuitive_refutations] == [
        ("throws in K♣", "holds A♥", ("holds 6♦",))
    ]
    silent = gametheory.Strategy.from_mapping(tree, SILENT)
    assert (paid(tree, silent, 0, "A♥"), paid(tree, silent, 0, "6♦")) == (1, -1)
    best = {card: max(paid(tree, gametheory.Strategy.from_mapping(tree, {**SILENT, f"holds {card}": "throws in K♣", KING: answer}), 0, card) for answer in ("gives up", "plays on")) for card in ("A♥", "6♦")}  # fmt: skip
    assert best == {"A♥": 2, "6♦": -2}
    assert output(STEM, "gametheory.solve(dear)") == f"{answer}\n"


def test_a_king_that_never_comes_must_be_the_six_half_the_time() -> None:
    """By the bounds of what may be believed, and by what playing on brings."""
    tree = names()["dear"]
    silent = gametheory.Strategy.from_mapping(tree, SILENT)
    assert belief_bounds(tree, silent, at(tree, KING)) == ((0, HALF), (HALF, 1))
    assert bayesian_beliefs(tree, silent)[at(tree, KING)] is None
    for twelfth in range(13):
        six = Fraction(twelfth, 12)
        assert (six - (1 - six) >= 0) is (six >= HALF)
    assert names()["18/unsent"].answer("1/2")


def test_a_cheap_king_is_half_believed() -> None:
    """With a forfeit of one nut: the six throws in half the time, a king is the ace half the time, and is given way to one time in three."""
    tree, answer = names()["cheap"], gametheory.solve(names()["cheap"])
    silent, mixed = answer.equilibria
    assert answer.complete
    assert pure(tree) == {chosen(tree, SILENT)}
    assert not silent.intuitive_refutations, "even the six could hope to gain"
    assert [mixed.strategy[label] for label in ("holds A♥", "holds 6♦", KING, PASS)] == [(1, 0), (HALF, HALF), (THIRD, 2 * THIRD), (0, 1)]
    assert counted(tree, mixed.strategy, at(tree, KING)) == {"A♥": HALF, "6♦": HALF}
    assert (paid(tree, mixed.strategy, 0), paid(tree, mixed.strategy, 1)) == mixed.payoffs == (Fraction(-2, 9), THIRD)
    always = gametheory.Strategy.from_mapping(tree, {**APART, "holds 6♦": "throws in K♣"})
    assert gametheory.best_response(tree, always, 1).strategy[KING] == (0, 1), "if the six always threw in, you would play on"
    assert names()["18/half"].answer("1/2")
    assert output(STEM, "gametheory.solve(cheap)") == f"{answer}\n"


def test_beer_stands_and_quiche_is_refuted() -> None:
    """Two breakfasts in which all pool, each with the two ends of what may meet a breakfast that nobody has; by the strong, with beer."""
    tree, answer = names()["breakfast"], gametheory.solve(names()["breakfast"])
    assert answer.complete
    assert [one.payoffs for one in answer.equilibria] == [(Fraction(29, 10), Fraction(9, 10))] * 2 + [
        (Fraction(21, 10), Fraction(9, 10))
    ] * 2
    for number, one in enumerate(answer.equilibria):
        meal = "quiche" if number >= 2 else "beer"
        assert all(one.strategy.rows[at(tree, who)] == one.strategy.rows[at(tree, "strong")] for who in ("strong", "weak"))
        assert meal in one.strategy_text.partition("(weak): ")[2]
        assert is_proved_by_trembles(tree, one.strategy, one.sequential_result.trembles)
        assert [(why.message, why.type_label, why.excluded_types) for why in one.intuitive_refutations] == [
            ("beer", "strong", ("weak",))
        ] * (number >= 2)
    quiche = answer.equilibria[2].strategy
    assert (paid(tree, quiche, 0, "strong"), paid(tree, quiche, 0, "weak")) == (2, 3)
    assert output(STEM, "gametheory.solve(breakfast)") == f"{answer}\n"


def test_the_challenge_has_one_equilibrium_and_only_that_is_taken() -> None:
    """None without mixing, by trying all plans; of all twelfths only one half and two thirds."""
    tree, quiz = names()["box"], names()["18/challenge"]
    answer = gametheory.solve(tree)
    assert answer.complete
    assert pure(tree) == set()
    [one] = answer.equilibria
    assert [one.strategy[label] for label in ("holds A♥", "holds 6♦", KING, PASS)] == [(1, 0), (HALF, HALF), (2 * THIRD, THIRD), (0, 1)]
    for six, way in product(range(0, 13, 2), repeat=2):
        mixed = {**APART, "holds 6♦": {"throws in K♣": Fraction(six, 12), "passes": 1 - Fraction(six, 12)}, KING: {"gives up": Fraction(way, 12), "plays on": 1 - Fraction(way, 12)}}  # fmt: skip
        assert (gametheory.exploitability(tree, gametheory.Strategy.from_mapping(tree, mixed)) == 0) is ((six, way) == (6, 8))
    assert not quiz.answer(APART)
    assert 0 < quiz.credit < 1
    assert quiz.answer(quiz.solution)


def test_every_exercise_takes_its_solution_and_nothing_that_is_named_wrong() -> None:
    """Each number that is a mistake is refused with its own reason; the position is that of the lesson before."""
    for name, quiz in names().items():
        if name.startswith("18/") and hasattr(quiz, "mistakes"):
            said = {str(quiz.answer(str(value))) for value in quiz.mistakes.values()}
            assert len(said) == len(set(quiz.mistakes.values()))
            assert quiz.answer(quiz.solution[0])
    assert names()["18/joined"].answer(names()["18/joined"].solution)
    assert isinstance(names()["led"], Game)
    assert [str(move) for move in names()["led"].legal_moves()] == ["beat 9c Ac", "take"]
