"""Test that results do not depend on the order of moves, players and information sets."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import gametheory
from durak_widget.gametheory import backward_induction_solver as module
from durak_widget.gametheory.backward_induction_solver import find_subgame_perfect_payoffs
from durak_widget.gametheory.outcome_sampling_mccfr import make_expand_function
from durak_widget.gametheory.solver_selection import GameAnswer
from durak_widget.gametheory.subgame_perfection import compute_gains_in_subgames, find_subgame_perfect_equilibria, solve_by_pure_equilibria
from durak_widget.gametheory.tree import ChanceNode, DecisionNode, TerminalNode, TreeError, build_tree
from support.random_trees import hidden_tree, open_tree
from support.sizes import tried
from support.spoken import english_text

if TYPE_CHECKING:
    from durak_widget.gametheory.tree import Tree

F = Fraction


def shuffled_tree(tree: Tree, rng: Random) -> tuple[Tree, list[int]]:
    """Return the same game with its moves, players and information sets in another order, and the new number of each player."""
    seats = rng.sample(range(tree.player_count), tree.player_count)
    node_at, order = make_expand_function(tree), {}

    def place(here: int) -> object:
        found = node_at(here)
        if isinstance(found, TerminalNode):
            return TerminalNode(tuple(found.payoffs[seats.index(seat)] for seat in range(tree.player_count)))
        key = here if isinstance(found, ChanceNode) else -1 - tree.infoset_of[here]
        moves = order.setdefault(key, rng.sample(range(len(found.actions)), len(found.actions)))
        turned = [found.actions[move] for move in moves]
        return ChanceNode(turned) if isinstance(found, ChanceNode) else DecisionNode(seats[found.player], found.knowledge, turned)

    names = [tree.names[seats.index(seat)] for seat in range(tree.player_count)]
    other = build_tree(
        0, place, player_count=tree.player_count, names=names, label_infoset=lambda _, knows: f"{knows}: {tree.infosets[knows].label}"
    )
    numbers = rng.sample(range(len(other.infosets)), len(other.infosets))
    other.infosets = [other.infosets[number] for number in numbers]
    for here, actor in enumerate(other.actor):
        if actor >= 0:
            other.infoset_of[here] = numbers.index(other.infoset_of[here])
    return other, seats


def reordered_payoffs(payoff_vector: tuple[Fraction, ...], seats: list[int]) -> tuple[Fraction, ...]:
    """Return payoffs in the new order of players."""
    return tuple(payoff_vector[seats.index(seat)] for seat in range(len(payoff_vector)))


def solution_facts(tree: Tree, seats: list[int], method: str | None) -> dict[str, object]:
    """Return everything claimed about a game, with players in their original order."""
    found = gametheory.solve(tree, method)
    try:
        value = found.value if found.exact else "not exact"
    except TreeError:
        value = "none"
    if not isinstance(value, str) and tree.player_count == 2 and seats[0] == 1:  # the value to the other player, who is now player 0
        value = sum(tree.payoffs[0]) - value
    back = [seats.index(seat) for seat in range(len(seats))]
    perfect = found.perfect_payoffs
    claimed: dict[str, object] = {"value": value, "exact": found.exact, "perfect": None}
    if perfect is not None:
        ties = sorted((tie.label.partition(":")[0], *sorted(tie.actions)) for tie in perfect.ties)
        claimed["perfect"] = (perfect.complete, perfect.has_several, {reordered_payoffs(payoff, back) for payoff in perfect.payoffs}, ties)
    if isinstance(found, GameAnswer):
        claimed["way"] = found.contents, found.complete
        if found.complete:
            claimed["listed"] = {
                (reordered_payoffs(equilibrium.payoffs, back), equilibrium.status, equilibrium.failed_status)
                for equilibrium in found.equilibria
            }
    return claimed


def numbered_tree(tree: Tree) -> Tree:
    """Return the game with the numbers of its information sets in their labels."""
    return build_tree(
        0,
        make_expand_function(tree),
        player_count=tree.player_count,
        names=tree.names,
        label_infoset=lambda _, knows: f"{knows}: {tree.infosets[knows].label}",
    )


@given(seed=st.integers(0, 10**6), hidden=st.booleans(), method=st.sampled_from([None, "answer"]))
def test_results_do_not_depend_on_the_order(seed: int, hidden: bool, method: str | None) -> None:  # noqa: FBT001 - drawn
    """Values, exactness, subgame-perfect payoffs, ties, and lists that claim to be complete."""
    rng = Random(seed)
    tree = hidden_tree(rng, seats=rng.choice((1, 2, 2, 3)), most=3) if hidden else open_tree(rng, most=3)
    tree = numbered_tree(tree)
    other, seats = shuffled_tree(tree, rng)
    assert solution_facts(other, seats, method) == solution_facts(tree, list(range(tree.player_count)), method)


@given(seed=st.integers(0, 10**6), kept=st.sampled_from([1, 2, 3, 200]), listed=st.sampled_from([1, 2, 100]))
def test_incomplete_payoff_lists_do_not_depend_on_the_order(seed: int, kept: int, listed: int) -> None:
    """The same with too many payoff vectors to list; and nothing false is claimed."""
    rng = Random(seed)
    tree = numbered_tree(open_tree(rng))
    whole = find_subgame_perfect_payoffs(tree)
    other, seats = shuffled_tree(tree, rng)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MAX_STORED_PAYOFFS", kept)
        patch.setattr(module, "MAX_LISTED_PAYOFFS", listed)
        result, other_result = find_subgame_perfect_payoffs(tree), find_subgame_perfect_payoffs(other)
    assert (result.complete, result.has_several, len(result.ties)) == (
        other_result.complete,
        other_result.has_several,
        len(other_result.ties),
    )
    assert {reordered_payoffs(payoff_vector, seats) for payoff_vector in result.payoffs} == set(other_result.payoffs)
    assert {tie.infoset for tie in whole.ties} <= {tie.infoset for tie in result.ties}
    if result.complete:
        assert result.payoffs == whole.payoffs
    elif result.has_several:
        assert len(whole.payoffs) > 1


def test_payoffs_are_those_of_all_subgame_perfect_equilibria() -> None:
    """They are compared with equilibria found by solving each subgame; for each payoff vector there is an equilibrium with these payoffs."""
    for seed in range(tried(12, 600)):
        tree = open_tree(Random(seed))
        found, listed = find_subgame_perfect_payoffs(tree), find_subgame_perfect_equilibria(tree, solve_by_pure_equilibria, 2000)
        if listed.complete:
            assert set(found.payoffs) == {
                tuple(gametheory.value(tree, strategy, seat) for seat in range(tree.player_count)) for strategy in listed.strategies
            }
        for payoff_vector, strategy in zip(found.payoffs, found.strategies, strict=True):
            assert tuple(gametheory.value(tree, strategy, seat) for seat in range(tree.player_count)) == payoff_vector
            assert not any(compute_gains_in_subgames(tree, strategy).values())


def stackelberg(amounts: range) -> Tree:
    """Return a game in which the leader chooses an amount, then the follower; the price is 7 minus both amounts, and a unit costs 1."""

    def node_at(chosen: tuple[int, ...]) -> object:
        if len(chosen) == 2:
            margin = 6 - sum(chosen)
            return TerminalNode((margin * chosen[0], margin * chosen[1]))
        if chosen:
            return DecisionNode(1, f"sees {chosen[0]}", [(f"r{amount}", (*chosen, amount)) for amount in amounts])
        return DecisionNode(0, "begins", [(f"q{amount}", (amount,)) for amount in amounts])

    return build_tree((), node_at, player_count=2, names=("Leader", "Follower"))


def test_a_leader_with_an_indifferent_follower_has_no_value() -> None:
    """All three payoff vectors are printed, in either order of the branches, and the ties."""
    for amounts in (range(5), range(4, -1, -1)):
        tree = stackelberg(amounts)
        found = gametheory.solve(tree)
        assert found.perfect_payoffs.payoffs == ((4, 1), (4, 4), (6, 2))
        assert {(tie.label, *sorted(tie.actions)) for tie in found.perfect_payoffs.ties} == {
            ("begins", "q2", "q4"),
            ("sees 1", "r2", "r3"),
            ("sees 3", "r1", "r2"),
        }
        assert "(Leader: 4; Follower: 1), (Leader: 4; Follower: 4), (Leader: 6; Follower: 2)" in str(found)
        assert "value" not in str(found)
        with pytest.raises(TreeError, match=r"game.*whose payoffs always add up.*value"):
            _ = found.value


@pytest.mark.slow
def test_subgame_perfect_equilibria_come_first_in_a_long_list() -> None:
    """There are six among a thousand equilibria; the outcomes are printed before the strategies."""
    answer = gametheory.solve(stackelberg(range(5)), "answer")
    names = [equilibrium.name for equilibrium in answer.equilibria]
    assert len(names) > 1000
    assert names[:6] == [english_text("board.answer.called.perfect")] * 6
    assert set(names[6:]) == {"Nash equilibrium, not subgame-perfect"}
    assert [(outcome.example.payoffs, outcome.line_of_play, outcome.equilibrium_count) for outcome in answer.outcomes[:3]] == [
        ((4, 1), ("q4", "r1"), 2),
        ((4, 4), ("q2", "r2"), 2),
        ((6, 2), ("q3", "r1"), 2),
    ]
    assert str(answer).startswith("Leader: 4; Follower: 1 by q4, r1: subgame-perfect equilibrium, 2 of them\n")


def test_an_indifferent_responder_gives_two_payoffs() -> None:
    """Bargaining over two periods, in quarters, with a pie that shrinks by half: an indifferent player may accept or not."""
    quarters = [F(share, 4) for share in range(5)]

    def node_at(way: tuple[object, ...]) -> object:
        period, who = len(way) // 2, len(way) // 2 % 2
        if way and way[-1] == "yes":
            mine = F(1, 2) ** (period - 1) * way[-2]
            rest = F(1, 2) ** (period - 1) - mine
            return TerminalNode((mine, rest) if period == 1 else (rest, mine))
        if len(way) == 4:
            return TerminalNode((0, 0))
        if len(way) % 2:
            return DecisionNode(1 - who, f"is offered {way}", [(reply, (*way, reply)) for reply in ("yes", "no")])
        return DecisionNode(who, f"offers {way}", [(f"keeps {share}", (*way, share)) for share in quarters])

    found = find_subgame_perfect_payoffs(build_tree((), node_at, player_count=2))
    assert found.complete
    assert found.has_several
    listed = find_subgame_perfect_equilibria(build_tree((), node_at, player_count=2), solve_by_pure_equilibria, 10**6)
    tree = build_tree((), node_at, player_count=2)
    assert {tuple(gametheory.value(tree, strategy, seat) for seat in (0, 1)) for strategy in listed.strategies} <= set(found.payoffs)


def lemons_market() -> Tree:
    """Return a game: a buyer offers 0 to 3 for a firm worth 1, 2 or 3 to its owner and 1.5 times that to the buyer; only the owner knows the worth."""

    def node_at(way: tuple[object, ...]) -> object:
        if not way:
            return ChanceNode([(f"worth {amount}", F(1, 3), (amount,)) for amount in (1, 2, 3)])
        if len(way) == 1:
            return DecisionNode(0, "offers", [(f"offers {amount}", (*way, amount)) for amount in range(4)])
        if len(way) == 2:
            return DecisionNode(1, way, [(reply, (*way, reply)) for reply in ("sells", "keeps")])
        firm_worth, price, sells = way
        return TerminalNode((F(3, 2) * firm_worth - price, price) if sells == "sells" else (0, firm_worth))

    return build_tree((), node_at, player_count=2, names=("Buyer", "Owner"))


def test_sequential_equilibria_are_listed_when_chance_is_hidden() -> None:
    """Every equilibrium from the backward method is called sequential in the list, as `verify_sequential_equilibrium` proves. The method is not called backward induction."""
    tree = lemons_market()
    found = gametheory.solve(tree, "backward")
    assert "sequential equilibrium payoffs" in str(found)
    assert f"found by: {english_text('board.method.backward')}" not in str(found)
    answer = gametheory.solve(tree, "answer")
    named = {
        equilibrium.payoffs
        for equilibrium in answer.equilibria
        if equilibrium.classification is not None and equilibrium.classification.sequential
    }
    assert {(0, 2), (F(1, 6), 2)} <= set(found.perfect_payoffs.payoffs)
    assert set(found.perfect_payoffs.payoffs) <= named
    for equilibrium in answer.equilibria[: len(found.perfect_payoffs.payoffs)]:
        assert gametheory.verify_sequential_equilibrium(tree, equilibrium.strategy).holds


def test_a_one_player_game_has_an_optimum() -> None:
    """The text says optimum; the word value is for games of two players."""
    tree = build_tree(
        "",
        {"": DecisionNode(0, "?", [("a", "a"), ("b", "b")]), "a": TerminalNode((1,)), "b": TerminalNode((2,))}.__getitem__,
        player_count=1,
    )
    found = gametheory.solve(tree, "backward")
    assert str(found).startswith("optimum of Player 1: 2, exactly")
    assert found.value == 2


def coin_gifts(number: int) -> Tree:
    """Return a game: chance chooses a time at which Player 1 may give Player 2 a coin at no cost."""

    def place(history: tuple[int, ...]) -> object:
        if not history:
            return ChanceNode([(f"time {time}", F(1, number), (time,)) for time in range(number)])
        if len(history) == 1:
            return DecisionNode(0, history, [("keep", (*history, 0)), ("give", (*history, 1))])
        return TerminalNode((F(0), F(history[1] * 2 ** history[0])))

    return build_tree((), place, player_count=2)


def test_too_many_payoffs_to_list_are_still_reported_as_several() -> None:
    """Each time doubles the payoff vectors: with 7 times there are 128, of which a hundred would be listed."""
    for number in (5, 7):
        found = find_subgame_perfect_payoffs(coin_gifts(number))
        assert found.has_several is True
        assert (len(found.payoffs), found.complete) == ((2**number, True) if number == 5 else (0, False))


def test_every_subgame_perfect_equilibrium_of_many_is_named() -> None:
    """Player 2 is indifferent after any of six moves: an equilibrium without empty threats is not said to fail any test."""

    def place(history: tuple[int, ...]) -> object:
        if len(history) < 2:
            moves = 2 if history else 6
            return DecisionNode(len(history), history, [(f"{len(history)}.{move}", (*history, move)) for move in range(moves)])
        return TerminalNode((F(history[1]), F(0)))

    tree = build_tree((), place, player_count=2)
    found = [*gametheory.solve(tree, "answer").equilibria, *gametheory.solve(tree).equilibria]
    assert sum(equilibrium.subgame_result.holds for equilibrium in found) > 120
    for equilibrium in found:
        assert equilibrium.classification.sequential == equilibrium.subgame_result.holds, equilibrium


def tree_from_parts(parts: tuple[object, ...], seats: int = 2) -> Tree:
    """Return a game of perfect information. A part is a player or chance probabilities with the parts after each move, or the payoffs of an end."""

    def node_at(way: tuple[int, ...]) -> object:
        here = parts
        for move in way:
            here = here[1][move]
        who, below = here
        if below is None:
            return TerminalNode(who)
        moves = [(f"m{move}", (*way, move)) for move in range(len(below))]
        if isinstance(who, int):
            return DecisionNode(who, way, moves)
        return ChanceNode([(label, probability, child) for probability, (label, child) in zip(who, moves, strict=True)])

    return build_tree((), node_at, player_count=seats)


def end(*payoff_vector: int) -> tuple[object, ...]:
    """Return a terminal part with these payoffs."""
    return payoff_vector, None


QUARTERS = (F(1, 4), F(1, 4), F(1, 2))
LONG_LISTS = {
    "more equilibria than are asked about": (
        1,
        [
            (QUARTERS, [end(1, 0), end(1, 3), (0, [end(1, 0), end(1, 2)])]),
            (
                0,
                [
                    (QUARTERS, [end(1, 1), end(3, 2), end(0, 0)]),
                    (1, [end(2, 1), end(0, 1), end(3, 0)]),
                    (1, [end(1, 3), end(2, 0), end(2, 2)]),
                ],
            ),
        ],
    ),
    "two mixes of plans that play alike": (
        0,
        [
            (1, [(0, [end(3, 0), end(1, 3)]), end(1, 2), (0, [end(2, 3), end(2, 1)])]),
            (1, [(1, [end(2, 1), end(2, 0)]), (0, [end(1, 0), end(3, 2)])]),
        ],
    ),
    "more subgame-perfect equilibria than are kept": (
        0,
        [
            (0, [(0, [end(3, 0), end(1, 2)]), (0, [end(1, 2), end(3, 0)]), (0, [end(3, 0), end(3, 0)])]),
            (0, [(0, [end(3, 0), end(2, 1), end(3, 0)]), (0, [end(2, 1), end(3, 0), end(3, 0)])]),
        ],
    ),
}


@pytest.mark.slow
def test_a_long_list_names_the_same_equilibria_in_any_order() -> None:
    """Each strategy is listed once, whatever it plays at unreached nodes; and each has its strongest name."""
    for known in LONG_LISTS.values():
        tree = numbered_tree(tree_from_parts(known))
        here = count_equilibria(tree, [0, 1])
        for seed in range(tried(2, 30)):
            assert count_equilibria(*shuffled_tree(tree, Random(seed))) == here


@pytest.mark.slow
def test_a_long_list_with_hidden_information_is_the_same_in_any_order() -> None:
    """Only a dozen are classified in full; which ones does not depend on the order."""
    for seed in (614,):
        tree = numbered_tree(hidden_tree(Random(seed), seats=2, most=3))
        here = count_equilibria(tree, [0, 1])
        for other in range(2):
            assert count_equilibria(*shuffled_tree(tree, Random(other))) == here


def count_equilibria(tree: Tree, seats: list[int]) -> Counter[tuple[tuple[Fraction, ...], str]]:
    """Count the equilibria in the complete list by name and payoff vector, with players in their original order."""
    found = gametheory.solve(tree, "answer")
    assert isinstance(found, GameAnswer)
    assert found.complete
    return Counter(
        (reordered_payoffs(equilibrium.payoffs, [seats.index(seat) for seat in range(len(seats))]), equilibrium.name)
        for equilibrium in found.equilibria
    )
