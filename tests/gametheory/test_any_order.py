"""What is said of a game does not depend on the order of its moves, players and information sets."""

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

if TYPE_CHECKING:
    from durak_widget.gametheory.tree import Tree

F = Fraction


def in_any_order(tree: Tree, rng: Random) -> tuple[Tree, list[int]]:
    """Return the same game with its moves, players and information sets in another order, and where each player stands now."""
    seats = rng.sample(range(tree.player_count), tree.player_count)
    look, order = make_expand_function(tree), {}

    def place(here: int) -> object:
        found = look(here)
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


def moved(paid: tuple[Fraction, ...], seats: list[int]) -> tuple[Fraction, ...]:
    """Payoffs, each where its player stands now."""
    return tuple(paid[seats.index(seat)] for seat in range(len(paid)))


def claims(tree: Tree, seats: list[int], method: str | None) -> dict[str, object]:
    """What is claimed of a game, by players as they stood at first."""
    found = gametheory.solve(tree, method)
    try:
        value = found.value if found.exact else "not exact"
    except TreeError:
        value = "none"
    if not isinstance(value, str) and tree.player_count == 2 and seats[0] == 1:  # the value to the other player, who stands first now
        value = sum(tree.payoffs[0]) - value
    back = [seats.index(seat) for seat in range(len(seats))]
    perfect = found.perfect_payoffs
    claimed: dict[str, object] = {"value": value, "exact": found.exact, "perfect": None}
    if perfect is not None:
        ties = sorted((tie.label.partition(":")[0], *sorted(tie.actions)) for tie in perfect.ties)
        claimed["perfect"] = (perfect.complete, perfect.has_several, {moved(one, back) for one in perfect.payoffs}, ties)
    if isinstance(found, GameAnswer):
        claimed["way"] = found.contents, found.complete
        if found.complete:
            claimed["listed"] = {(moved(one.payoffs, back), one.status, one.failed_status) for one in found.equilibria}
    return claimed


def numbered(tree: Tree) -> Tree:
    """The game with its information sets called by their numbers."""
    return build_tree(
        0,
        make_expand_function(tree),
        player_count=tree.player_count,
        names=tree.names,
        label_infoset=lambda _, knows: f"{knows}: {tree.infosets[knows].label}",
    )


@given(seed=st.integers(0, 10**6), hidden=st.booleans(), method=st.sampled_from([None, "answer"]))
def test_nothing_that_is_claimed_depends_on_the_order(seed: int, hidden: bool, method: str | None) -> None:  # noqa: FBT001 - drawn
    """What is called a value and exact, what subgame-perfect equilibria pay, where moves tie, and lists that say they are complete."""
    rng = Random(seed)
    tree = hidden_tree(rng, seats=rng.choice((1, 2, 2, 3)), most=3) if hidden else open_tree(rng, most=3)
    tree = numbered(tree)
    other, seats = in_any_order(tree, rng)
    assert claims(other, seats, method) == claims(tree, list(range(tree.player_count)), method)


@given(seed=st.integers(0, 10**6), kept=st.sampled_from([1, 2, 3, 200]), listed=st.sampled_from([1, 2, 100]))
def test_what_is_too_much_to_list_does_not_depend_on_the_order_either(seed: int, kept: int, listed: int) -> None:
    """Nor what is said where there are too many payoff vectors; and nothing false is said there."""
    rng = Random(seed)
    tree = numbered(open_tree(rng))
    whole = find_subgame_perfect_payoffs(tree)
    other, seats = in_any_order(tree, rng)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MAX_STORED_PAYOFFS", kept)
        patch.setattr(module, "MAX_LISTED_PAYOFFS", listed)
        one, two = find_subgame_perfect_payoffs(tree), find_subgame_perfect_payoffs(other)
    assert (one.complete, one.has_several, len(one.ties)) == (two.complete, two.has_several, len(two.ties))
    assert {moved(paid, seats) for paid in one.payoffs} == set(two.payoffs)
    assert {tie.infoset for tie in whole.ties} <= {tie.infoset for tie in one.ties}
    if one.complete:
        assert one.payoffs == whole.payoffs
    elif one.has_several:
        assert len(whole.payoffs) > 1


def test_the_payoffs_are_those_of_all_subgame_perfect_equilibria() -> None:
    """Found one by one, by solving each subgame; for each payoff vector there is an equilibrium that pays it."""
    for seed in range(tried(12, 600)):
        tree = open_tree(Random(seed))
        found, listed = find_subgame_perfect_payoffs(tree), find_subgame_perfect_equilibria(tree, solve_by_pure_equilibria, 2000)
        if listed.complete:
            assert set(found.payoffs) == {
                tuple(gametheory.value(tree, one, seat) for seat in range(tree.player_count)) for one in listed.strategies
            }
        for paid, strategy in zip(found.payoffs, found.strategies, strict=True):
            assert tuple(gametheory.value(tree, strategy, seat) for seat in range(tree.player_count)) == paid
            assert not any(compute_gains_in_subgames(tree, strategy).values())


def stackelberg(amounts: range) -> Tree:
    """The leader chooses an amount, then the follower; the price is 7 less both amounts, and a unit costs 1."""

    def look(chosen: tuple[int, ...]) -> object:
        if len(chosen) == 2:
            margin = 6 - sum(chosen)
            return TerminalNode((margin * chosen[0], margin * chosen[1]))
        if chosen:
            return DecisionNode(1, f"sees {chosen[0]}", [(f"r{one}", (*chosen, one)) for one in amounts])
        return DecisionNode(0, "begins", [(f"q{one}", (one,)) for one in amounts])

    return build_tree((), look, player_count=2, names=("Leader", "Follower"))


def test_a_leader_whose_follower_is_indifferent_has_no_value() -> None:
    """All three payoff vectors are printed, in either order of the branches, and where moves tie."""
    for amounts in (range(5), range(4, -1, -1)):
        tree = stackelberg(amounts)
        found = gametheory.solve(tree)
        assert found.perfect_payoffs.payoffs == ((4, 1), (4, 4), (6, 2))
        assert {(tie.label, *sorted(tie.actions)) for tie in found.perfect_payoffs.ties} == {
            ("begins", "q2", "q4"),
            ("sees 1", "r2", "r3"),
            ("sees 3", "r1", "r2"),
        }
        assert "Leader 4, Follower 1; Leader 4, Follower 4; Leader 6, Follower 2" in str(found)
        assert "value" not in str(found)
        with pytest.raises(TreeError, match="only a game of two players whose payoffs always add up to the same has a value"):
            _ = found.value


@pytest.mark.slow
def test_of_a_thousand_equilibria_the_subgame_perfect_ones_are_named_and_come_first() -> None:
    """All six of them; before the strategies the outcomes are printed."""
    answer = gametheory.solve(stackelberg(range(5)), "answer")
    names = [one.name for one in answer.equilibria]
    assert len(names) > 1000
    assert names[:6] == ["subgame-perfect equilibrium"] * 6
    assert set(names[6:]) == {"Nash equilibrium, not subgame-perfect"}
    assert [(one.example.payoffs, one.line_of_play, one.equilibrium_count) for one in answer.outcomes[:3]] == [
        ((4, 1), ("q4", "r1"), 2),
        ((4, 4), ("q2", "r2"), 2),
        ((6, 2), ("q3", "r1"), 2),
    ]
    assert str(answer).startswith("Leader 4, Follower 1 by q4, r1: subgame-perfect equilibrium, 2 of them\n")


def test_an_offer_that_may_be_refused_leaves_two_payoffs() -> None:
    """Bargaining over two periods, in quarters, and a pie that shrinks by half: who is indifferent may accept or not."""
    quarters = [F(share, 4) for share in range(5)]

    def look(way: tuple[object, ...]) -> object:
        period, who = len(way) // 2, len(way) // 2 % 2
        if way and way[-1] == "yes":
            mine = F(1, 2) ** (period - 1) * way[-2]
            rest = F(1, 2) ** (period - 1) - mine
            return TerminalNode((mine, rest) if period == 1 else (rest, mine))
        if len(way) == 4:
            return TerminalNode((0, 0))
        if len(way) % 2:
            return DecisionNode(1 - who, f"is offered {way}", [(one, (*way, one)) for one in ("yes", "no")])
        return DecisionNode(who, f"offers {way}", [(f"keeps {share}", (*way, share)) for share in quarters])

    found = find_subgame_perfect_payoffs(build_tree((), look, player_count=2))
    assert found.complete
    assert found.has_several
    listed = find_subgame_perfect_equilibria(build_tree((), look, player_count=2), solve_by_pure_equilibria, 10**6)
    tree = build_tree((), look, player_count=2)
    assert {tuple(gametheory.value(tree, one, seat) for seat in (0, 1)) for one in listed.strategies} <= set(found.payoffs)


def lemons() -> Tree:
    """A buyer offers 0 to 3 for a firm that is worth 1, 2 or 3 to its owner, and half as much again to the buyer; the owner alone knows which."""

    def look(way: tuple[object, ...]) -> object:
        if not way:
            return ChanceNode([(f"worth {one}", F(1, 3), (one,)) for one in (1, 2, 3)])
        if len(way) == 1:
            return DecisionNode(0, "offers", [(f"offers {one}", (*way, one)) for one in range(4)])
        if len(way) == 2:
            return DecisionNode(1, way, [(one, (*way, one)) for one in ("sells", "keeps")])
        worth, price, sells = way
        return TerminalNode((F(3, 2) * worth - price, price) if sells == "sells" else (0, worth))

    return build_tree((), look, player_count=2, names=("Buyer", "Owner"))


def test_where_chance_hides_something_the_sequential_equilibria_are_listed() -> None:
    """Every one that backward thinking finds is called sequential in the list, as `verify_sequential_equilibrium` proves; and the method is not called backward induction."""
    tree = lemons()
    found = gametheory.solve(tree, "backward")
    assert "sequential equilibrium payoffs" in str(found)
    assert "found by: backward induction" not in str(found)
    answer = gametheory.solve(tree, "answer")
    named = {one.payoffs for one in answer.equilibria if one.classification is not None and one.classification.sequential}
    assert {(0, 2), (F(1, 6), 2)} <= set(found.perfect_payoffs.payoffs)
    assert set(found.perfect_payoffs.payoffs) <= named
    for one in answer.equilibria[: len(found.perfect_payoffs.payoffs)]:
        assert gametheory.verify_sequential_equilibrium(tree, one.strategy).holds


def test_one_player_has_an_optimum_and_no_value() -> None:
    """The word value is for games of two."""
    tree = build_tree(
        "",
        {"": DecisionNode(0, "?", [("a", "a"), ("b", "b")]), "a": TerminalNode((1,)), "b": TerminalNode((2,))}.__getitem__,
        player_count=1,
    )
    found = gametheory.solve(tree, "backward")
    assert str(found).startswith("optimum of Player 1: 2, exactly")
    assert found.value == 2


def coins(number: int) -> Tree:
    """Chance chooses one of so many times at which Player 1 may give Player 2 a coin that costs nothing."""

    def place(history: tuple[int, ...]) -> object:
        if not history:
            return ChanceNode([(f"time {time}", F(1, number), (time,)) for time in range(number)])
        if len(history) == 1:
            return DecisionNode(0, history, [("keep", (*history, 0)), ("give", (*history, 1))])
        return TerminalNode((F(0), F(history[1] * 2 ** history[0])))

    return build_tree((), place, player_count=2)


def test_where_too_much_is_found_to_list_it_is_still_said_that_payoffs_differ() -> None:
    """Each time adds another payoff: 32, 128 and 512 vectors, of which a hundred are listed."""
    for number in (5, 7):
        found = find_subgame_perfect_payoffs(coins(number))
        assert found.has_several is True
        assert (len(found.payoffs), found.complete) == ((2**number, True) if number == 5 else (0, False))


def test_each_subgame_perfect_equilibrium_of_very_many_is_named_so() -> None:
    """Player 2 does not care after any of six moves: what is no empty threat is not said to fail anything."""

    def place(history: tuple[int, ...]) -> object:
        if len(history) < 2:
            moves = 2 if history else 6
            return DecisionNode(len(history), history, [(f"{len(history)}.{move}", (*history, move)) for move in range(moves)])
        return TerminalNode((F(history[1]), F(0)))

    tree = build_tree((), place, player_count=2)
    found = [*gametheory.solve(tree, "answer").equilibria, *gametheory.solve(tree).equilibria]
    assert sum(one.subgame_result.holds for one in found) > 120
    for one in found:
        assert one.classification.sequential == one.subgame_result.holds, one


def of_parts(parts: tuple[object, ...], seats: int = 2) -> Tree:
    """A game in which nothing is hidden: a player or the probabilities of a draw and what follows each move, or what an end pays."""

    def look(way: tuple[int, ...]) -> object:
        here = parts
        for move in way:
            here = here[1][move]
        who, below = here
        if below is None:
            return TerminalNode(who)
        moves = [(f"m{move}", (*way, move)) for move in range(len(below))]
        if isinstance(who, int):
            return DecisionNode(who, way, moves)
        return ChanceNode([(label, likely, child) for likely, (label, child) in zip(who, moves, strict=True)])

    return build_tree((), look, player_count=seats)


def end(*paid: int) -> tuple[object, ...]:
    """An end that pays so much."""
    return paid, None


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
    """Each strategy once, whichever way to play is written where it says nothing; and none is called less than it is."""
    for known in LONG_LISTS.values():
        tree = numbered(of_parts(known))
        here = counted(tree, [0, 1])
        for seed in range(tried(2, 30)):
            assert counted(*in_any_order(tree, Random(seed))) == here


@pytest.mark.slow
def test_a_long_list_with_hidden_information_names_the_same_equilibria_in_any_order() -> None:
    """Only a dozen are asked about in full: which dozen does not depend on the order."""
    for seed in (614,):
        tree = numbered(hidden_tree(Random(seed), seats=2, most=3))
        here = counted(tree, [0, 1])
        for other in range(2):
            assert counted(*in_any_order(tree, Random(other))) == here


def counted(tree: Tree, seats: list[int]) -> Counter[tuple[tuple[Fraction, ...], str]]:
    """How many equilibria the complete list has of each name and payoff vector, by players as they stood at first."""
    found = gametheory.solve(tree, "answer")
    assert isinstance(found, GameAnswer)
    assert found.complete
    return Counter((moved(one.payoffs, [seats.index(seat) for seat in range(len(seats))]), one.name) for one in found.equilibria)
