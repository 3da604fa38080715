"""Test information sets, strategic form and dominance for two hundred students; games are replayed from the text."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations

import pytest
from econ431_games import card_codes, ends, find_facts, reached_ends, trump_of, walk
from econ431_students import scaled, tasks

from durak_widget.gametheory.bimatrix_equilibria import minimax
from durak_widget.gametheory.tree import TERMINAL
from durak_widget.grading.answer_grading import compute_credit
from support.spoken import english

ASKED = ("information-sets", "strategic-form", "dominance")


def shape(tree):
    """Return the size of a game: the player, nodes and moves of each information set."""
    met = Counter(info for info, actor in zip(tree.infoset_of, tree.actor, strict=True) if actor >= 0)
    return tuple(sorted((tree.infosets[place].player, count) for place, count in met.items()))


def tree_of(task):
    """Return the tree of a question."""
    return task.tree if hasattr(task, "tree") else task._tree


def test_instances_differ_and_have_the_same_size():
    """Deals, information sets and nodes are equally many."""
    for name in ASKED:
        all_ = tasks(name)
        assert len({task.question for task in all_}) >= scaled(195)
        assert len({shape(tree_of(task)) for task in all_}) == 1
        assert {tree_of(task).child_count[0] for task in all_} == {2}
        assert len({len(task.solution) for task in all_}) == 1


def test_the_tree_is_the_game_of_the_text():
    """Moves, payoffs and information sets equal those of the game played again."""
    for name in ASKED:
        for task in tasks(name):
            tree, trump = tree_of(task), trump_of(task.question)
            known = defaultdict(set)
            for node in walk(tree, trump):
                if (actor := tree.actor[node.here]) >= 0:
                    known[actor, node.seen[actor]].add(tree.infoset_of[node.here])
            assert all(len(places) == 1 for places in known.values())
            assert len(known) == len(tree.infosets)
            for here, payoff in ends(tree, trump, None).items():
                assert tree.payoffs[tree.infoset_of[here]] == (payoff, -payoff)


def test_the_solution_is_right_also_through_a_file():
    """It earns full marks, and an empty answer earns nothing."""
    for name in ASKED:
        for task in tasks(name)[:40]:
            assert task.answer(task.solution)
            assert compute_credit(task) == 1
            task.answer(json.loads(json.dumps(task.last_answer)))
            assert task.check()
            task.restart()
            task.answer([])
            assert not task.check()
            assert compute_credit(task) == 0
            task.restart()


def test_each_of_three_pairs_earns_a_third():
    """Nodes that look the same are joined. If all are joined, the reason names a difference of two."""
    for task in tasks("information-sets"):
        tree = task.tree
        alike = defaultdict(list)
        for node in sorted(walk(tree, trump_of(task.question))):
            if (actor := tree.actor[node.here]) >= 0:
                alike[actor, node.seen[actor]].append(node.here)
        groups = sorted(group for group in alike.values() if len(group) > 1)
        assert sorted(task.solution) == groups
        assert [len(group) for group in groups] == [2, 2, 2]
        for count in (1, 2):
            assert not task.answer(groups[:count])
            assert compute_credit(task) == Fraction(count, 3)
        everywhere = [here for here in range(tree.history_count) if tree.actor[here] >= 0]
        verdict = task.answer([everywhere])
        assert not verdict
        assert compute_credit(task) == 0
        assert len(verdict.sentences) == 2
        task.restart()


def cells(task):
    """Return the outcome of each pair of strategies."""
    tree, table = tree_of(task), task.matrix
    payoffs, all_ = ends(tree, trump_of(task.question), None), reached_ends(tree)
    rows = [[end for end in all_ if end.fits(0, row.actions)] for row in table.rows]
    return [[sum(end.chance * payoffs[end.here] for end in row if end.fits(1, column.actions)) for column in table.columns] for row in rows]


def test_every_cell_is_an_average_of_two_deals():
    """Twelve cells have wins, losses and halves, or no wins in games of value 0."""
    for task in tasks("strategic-form"):
        table, right = task.matrix, [cell for row in cells(task) for cell in row]
        assert [Fraction(item) for item in task.solution] == right
        assert (len(table.rows), len(table.columns), set(right)) == (3, 4, {-1, 0, 1} if minimax(table).value else {-1, 0})
        turned = [str(-item) for item in right]
        assert not task.answer(turned)
        assert compute_credit(task) == Fraction(right.count(0), 12)
        verdict = task.answer([str(item) for item in right[:6]])
        assert not verdict
        assert compute_credit(task) == Fraction(1, 2)
        task.restart()


def test_a_cell_with_the_other_players_payoff_is_named():
    """It is named unless one deal alone gives the same."""
    named = 0
    for task in tasks("strategic-form"):
        sentence = task.answer([str(-Fraction(item)) for item in task.solution]).sentences[1]
        named += bool(english("lesson.matrix.fill.turned", next="Player 2", who="Player 1").fullmatch(sentence))
        task.restart()
    assert named > scaled(100)


def test_the_winner_cannot_be_guessed():
    """Wins, losses and ties are about equally frequent. A neighbour's answer is rarely right."""
    for name, there in (("strategic-form", {-1, 0, 1}), ("dominance", {-1, 0})):
        values = Counter(minimax(task.matrix).value for task in tasks(name))
        assert set(values) == there
        assert min(values.values()) >= scaled(120 // len(there))
        assert max(Counter(str(task.solution) for task in tasks(name)).values()) <= scaled(50)


def test_elimination_goes_on_until_no_strategy_is_dominated():
    """Each eliminated one is never better than another and sometimes worse."""
    for task in tasks("dominance"):
        table, won = task.matrix, cells(task)
        left = [list(range(len(table.rows))), list(range(len(table.columns)))]

        def dominated(seat, plan, left=left, won=won):
            for other in left[seat]:
                pairs = [
                    (won[other][strategy], won[plan][strategy]) if seat == 0 else (-won[strategy][other], -won[strategy][plan])
                    for strategy in left[1 - seat]
                ]
                if other != plan and all(a >= b for a, b in pairs) and any(a > b for a, b in pairs):
                    return True
            return False

        assert sum(dominated(seat, plan) for seat in (0, 1) for plan in left[seat]) >= 6
        task.answer(task.solution)
        for seat, plan in task._answer:
            assert dominated(seat, plan)
            left[seat].remove(plan)
        assert len(task._answer) == 6
        assert not any(dominated(seat, plan) for seat in (0, 1) for plan in left[seat])
        task.restart()


def test_strategies_are_named_in_the_order_of_their_sets():
    """First what player 2 does with one hidden card, then with the other."""
    for name in ("strategic-form", "dominance"):
        for task in tasks(name):
            tree = tree_of(task)
            hands = {}
            for node in walk(tree, trump_of(task.question)):
                if tree.actor[node.here] == 1:
                    hands[tree.infoset_of[node.here]] = node.now.hands[1]
            hand, other = (hands[place] for place in sorted(hands))
            facts = find_facts("order", task.question)
            assert facts["other"] == "Player 2"
            assert [card_codes(facts[which]) for which in ("first", "second")] == [[*(hand - other)], [*(other - hand)]]


def test_every_end_has_a_payoff():
    """Nothing is left open at the ends of these trees."""
    for name in ASKED:
        for task in tasks(name)[:20]:
            tree = tree_of(task)
            assert {abs(tree.payoffs[tree.infoset_of[here]][0]) for here in range(tree.history_count) if tree.actor[here] == TERMINAL} == {
                1
            }


# Every named mistake occurs and is what its name says


def mistake_of(task, answer) -> str:
    """Return the name of the mistake in a first answer."""
    task.restart()
    assert not task.answer(answer)
    return task.mistake_name


def test_nodes_that_differ_are_explained_by_their_difference():
    """Test the player, the hand, the moves, and what the player did or saw before, for each pair."""
    met = Counter()
    for number, task in enumerate(tasks("information-sets")):
        tree = task.tree
        known = {node.here: node.seen[tree.actor[node.here]] for node in walk(tree, trump_of(task.question)) if tree.actor[node.here] >= 0}
        for node, other in list(combinations(sorted(known), 2))[number % 24 :: 24]:
            if known[node] == known[other] and tree.actor[node] == tree.actor[other]:
                continue
            hands = [[part for part in known[here] if isinstance(part, frozenset)][-1:] for here in (node, other)]
            first = [next(part for part in known[here] if not isinstance(part, (str, int))) for here in (node, other)]
            name = mistake_of(task, [[node, other]])
            met[name] += 1
            differ = {
                "tree.apart.players": tree.actor[node] != tree.actor[other],
                "tree.apart.cards": tree.actor[node] == tree.actor[other] and (hands[0] or first[0]) != (hands[1] or first[1]),
                "tree.apart.moves": {*map(tree.last_action, tree.children(node))} != {*map(tree.last_action, tree.children(other))},
            }
            assert differ.get(name, True), (name, known[node], known[other])
        assert mistake_of(task, task.solution[: number % 3]) == "tree.sets.left"
        task.restart()
    assert set(met) == {"tree.apart.players", "tree.apart.cards", "tree.apart.moves"}
    assert min(met.values()) >= scaled(10)


@pytest.mark.release
def test_wrong_cells_are_named_by_what_they_contain():
    """Test the other's payoff, one deal's payoff and unreadable text. Otherwise a hint mentions chance."""
    met = Counter()
    for number, task in enumerate(tasks("strategic-form")):
        tree, table, solution = task._tree, task.matrix, list(task.solution)
        payoffs, there = ends(tree, trump_of(task.question), None), reached_ends(tree)
        for place in range(number % 6, len(solution), 6):
            right = Fraction(solution[place])
            row, column = table.rows[place // len(table.columns)], table.columns[place % len(table.columns)]
            draws = [payoffs[reached.here] for reached in there if reached.fits(0, row.actions) and reached.fits(1, column.actions)]
            assert sum(draws) / len(draws) == right
            for value in {"-1", "0", "1", "7", "x"} - {str(right)}:
                name = mistake_of(task, [*solution[:place], value, *solution[place + 1 :]]).removeprefix("matrix.fill.")
                met[name] += 1
                turned, one_deal = (
                    value not in "7x" and Fraction(value) == -right,
                    value not in "7x" and Fraction(value) in draws and len(set(draws)) > 1,
                )
                expected = "unread" if value == "x" else "turned" if turned and not one_deal else "drawn" if one_deal and not turned else ""
                assert name == (expected or "chance"), (name, value, draws)  # each cell is an average of two deals
        assert mistake_of(task, solution[:-1]).removeprefix("matrix.fill.") == "missing"
        task.restart()
    assert set(met) == {"turned", "drawn", "unread", "chance"}
    assert min(met.values()) >= 100


def is_dominated(task, seat: int, plan: int) -> bool:
    """Return whether another strategy of the player is never worse and sometimes better, by the table alone."""
    won = [[cell[0] for cell in row] for row in task.matrix.payoffs]
    lines = [[-cell for cell in column] for column in zip(*won, strict=True)] if seat else won
    return any(all(a >= b for a, b in zip(line, lines[plan], strict=True)) and line != lines[plan] for line in lines)


def test_strategies_that_must_stay_are_explained():
    """They are better somewhere, equal to another, or the last one. If more must go, the text says so."""
    met = Counter()
    for number, task in enumerate(tasks("dominance")):
        table = task.matrix
        plans = [(seat, place) for seat, many in enumerate((table.rows, table.columns)) for place in range(len(many))]
        needed = [plan for plan in plans if not is_dominated(task, *plan)]
        assert len(plans) - len(needed) >= 6
        assert mistake_of(task, needed[number % len(needed) :][:1]) in {"matrix.strike.better", "matrix.strike.same"}
        assert mistake_of(task, task.solution[: number % 6]) == "matrix.strike.more"
        met[mistake_of(task, plans[number % 2 :])] += 1
        task.restart()
    assert (
        {"matrix.strike.better", "matrix.strike.same"} <= set(met) <= {"matrix.strike.better", "matrix.strike.same", "matrix.strike.last"}
    )
