"""Information sets, strategic form and dominance in the problem set, for two hundred students: each tree played anew from the text, each table by walking through it."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations

import pytest
from class431 import of_all, tasks
from econ431_later import code, ends, reached, trump_of, walked

from durak_widget.gametheory.bimatrix_equilibria import minimax
from durak_widget.gametheory.tree import TERMINAL
from durak_widget.grading.answer_grading import compute_credit

ASKED = ("information-sets", "strategic-form", "dominance")


def shape(tree):
    """The size of a game: of each information set whose it is, how many places it has and how many moves."""
    met = Counter(info for info, actor in zip(tree.infoset_of, tree.actor, strict=True) if actor >= 0)
    return tuple(sorted((tree.infosets[place].player, count) for place, count in met.items()))


def tree_of(task):
    """The tree behind a question."""
    return task.tree if hasattr(task, "tree") else task._tree


def test_every_student_has_another_instance_of_one_size():
    """As many deals, information sets and places; what is seen differs."""
    for name in ASKED:
        all_ = tasks(name)
        assert len({task.question for task in all_}) >= of_all(195)
        assert len({shape(tree_of(task)) for task in all_}) == 1
        assert {tree_of(task).child_count[0] for task in all_} == {2}
        assert len({len(task.solution) for task in all_}) == 1


def test_the_tree_is_the_game_of_the_text():
    """Played anew: the same moves at every place, the same worth at every end, and the same things seen just where the tree says so."""
    for name in ASKED:
        for task in tasks(name):
            tree, trump = tree_of(task), trump_of(task.question)
            known = defaultdict(set)
            for one in walked(tree, trump):
                if (actor := tree.actor[one.here]) >= 0:
                    known[actor, one.seen[actor]].add(tree.infoset_of[one.here])
            assert all(len(places) == 1 for places in known.values())
            assert len(known) == len(tree.infosets)
            for here, worth in ends(tree, trump, None).items():
                assert tree.payoffs[tree.infoset_of[here]] == (worth, -worth)


def test_the_solution_is_right_and_comes_through_a_file():
    """It earns everything; nothing at all earns nothing."""
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


def test_three_pairs_are_joined_and_each_is_worth_a_third():
    """Places are joined that look the same; whoever joins all is told by what two of them differ."""
    for task in tasks("information-sets"):
        tree = task.tree
        alike = defaultdict(list)
        for one in sorted(walked(tree, trump_of(task.question))):
            if (actor := tree.actor[one.here]) >= 0:
                alike[actor, one.seen[actor]].append(one.here)
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
    """What two plans of a table lead to, for all of them."""
    tree, table = tree_of(task), task.matrix
    worth, all_ = ends(tree, trump_of(task.question), None), reached(tree)
    rows = [[one for one in all_ if one.fits(0, row.actions)] for row in table.rows]
    return [[sum(one.chance * worth[one.here] for one in row if one.fits(1, column.actions)) for column in table.columns] for row in rows]


def test_every_cell_is_an_average_over_two_deals():
    """Twelve cells, with wins, losses and halves, or without wins where the game is worth nothing; turned round, a cell is named as what the other gets."""
    for task in tasks("strategic-form"):
        table, right = task.matrix, [one for row in cells(task) for one in row]
        assert [Fraction(one) for one in task.solution] == right
        assert (len(table.rows), len(table.columns), set(right)) == (3, 4, {-1, 0, 1} if minimax(table).value else {-1, 0})
        turned = [str(-one) for one in right]
        assert not task.answer(turned)
        assert compute_credit(task) == Fraction(right.count(0), 12)
        told = task.answer([str(one) for one in right[:6]])
        assert not told
        assert compute_credit(task) == Fraction(1, 2)
        task.restart()


def test_a_cell_turned_round_is_named():
    """Where that is not also what one draw alone gives."""
    named = 0
    for task in tasks("strategic-form"):
        said = task.answer([str(-Fraction(one)) for one in task.solution]).sentences[1]
        named += "that is what Player 2 gets" in said
        task.restart()
    assert named > of_all(100)


def test_who_wins_is_known_to_nobody_who_has_not_looked():
    """Player 1 wins, loses, or neither, each as often as the others or so; where plans are struck, loses or neither. And a neighbour's answer is seldom right."""
    for name, there in (("strategic-form", {-1, 0, 1}), ("dominance", {-1, 0})):
        worth = Counter(minimax(task.matrix).value for task in tasks(name))
        assert set(worth) == there
        assert min(worth.values()) >= of_all(120 // len(there))
        assert max(Counter(str(task.solution) for task in tasks(name)).values()) <= of_all(50)


def test_plans_go_one_after_another_until_none_is_dominated():
    """Each that goes is never better than another of those left, and sometimes worse; in the end there is none."""
    for task in tasks("dominance"):
        table, won = task.matrix, cells(task)
        left = [list(range(len(table.rows))), list(range(len(table.columns)))]

        def dominated(seat, plan, left=left, won=won):
            for other in left[seat]:
                pairs = [(won[other][one], won[plan][one]) if seat == 0 else (-won[one][other], -won[one][plan]) for one in left[1 - seat]]
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


def test_the_order_in_which_a_plan_is_said_is_that_of_the_sets():
    """First what the second player does with the one hidden card, then with the other."""
    for name in ("strategic-form", "dominance"):
        for task in tasks(name):
            tree = tree_of(task)
            hands = {}
            for one in walked(tree, trump_of(task.question)):
                if tree.actor[one.here] == 1:
                    hands[tree.infoset_of[one.here]] = one.now.hands[1]
            one, other = (hands[place] for place in sorted(hands))
            said = code(task.question.partition("A plan of Player 2 says first")[2])
            assert said[:2] == [*(one - other), *(other - one)]


def test_no_end_is_without_worth():
    """Nothing is left open at the ends of these trees."""
    for name in ASKED:
        for task in tasks(name)[:20]:
            tree = tree_of(task)
            assert {abs(tree.payoffs[tree.infoset_of[here]][0]) for here in range(tree.history_count) if tree.actor[here] == TERMINAL} == {
                1
            }


# Every mistake that can be named there comes up, and is what it is called


def said(task, answer) -> str:
    """How the mistake of a first answer is called."""
    task.restart()
    assert not task.answer(answer)
    return task.mistake_name


def test_places_that_differ_are_told_apart_by_what_differs():
    """By who moves, by the cards in hand, by the moves there are, by what the player did or saw before; each pair of places joined, of students in turn."""
    met = Counter()
    for number, task in enumerate(tasks("information-sets")):
        tree = task.tree
        known = {one.here: one.seen[tree.actor[one.here]] for one in walked(tree, trump_of(task.question)) if tree.actor[one.here] >= 0}
        for one, other in list(combinations(sorted(known), 2))[number % 24 :: 24]:
            if known[one] == known[other] and tree.actor[one] == tree.actor[other]:
                continue
            hands = [[part for part in known[here] if isinstance(part, frozenset)][-1:] for here in (one, other)]
            first = [next(part for part in known[here] if not isinstance(part, (str, int))) for here in (one, other)]
            name = said(task, [[one, other]])
            met[name] += 1
            differ = {
                "tree.apart.players": tree.actor[one] != tree.actor[other],
                "tree.apart.cards": tree.actor[one] == tree.actor[other] and (hands[0] or first[0]) != (hands[1] or first[1]),
                "tree.apart.moves": {*map(tree.last_action, tree.children(one))} != {*map(tree.last_action, tree.children(other))},
            }
            assert differ.get(name, True), (name, known[one], known[other])
        assert said(task, task.solution[: number % 3]) == "tree.sets.left"
        task.restart()
    assert set(met) == {"tree.apart.players", "tree.apart.cards", "tree.apart.moves"}
    assert min(met.values()) >= of_all(10)


@pytest.mark.release
def test_cells_that_are_wrong_are_named_by_what_they_hold():
    """What the other gets, what one draw alone gives, what cannot be read; where none is proved, it is said that chance has a part in it."""
    met = Counter()
    for number, task in enumerate(tasks("strategic-form")):
        tree, table, solution = task._tree, task.table, list(task.solution)
        worth, there = ends(tree, trump_of(task.question), None), reached(tree)
        for place in range(number % 6, len(solution), 6):
            right = Fraction(solution[place])
            row, column = table.rows[place // len(table.columns)], table.columns[place % len(table.columns)]
            draws = [worth[one.here] for one in there if one.fits(0, row.actions) and one.fits(1, column.actions)]
            assert sum(draws) / len(draws) == right
            for value in {"-1", "0", "1", "7", "x"} - {str(right)}:
                name = said(task, [*solution[:place], value, *solution[place + 1 :]]).removeprefix("matrix.fill.")
                met[name] += 1
                turned, drawn = (
                    value not in "7x" and Fraction(value) == -right,
                    value not in "7x" and Fraction(value) in draws and len(set(draws)) > 1,
                )
                expected = "unread" if value == "x" else "turned" if turned and not drawn else "drawn" if drawn and not turned else ""
                assert name == (expected or "chance"), (name, value, draws)  # each cell is an average over two draws
        assert said(task, solution[:-1]).removeprefix("matrix.fill.") == "missing"
        task.restart()
    assert set(met) == {"turned", "drawn", "unread", "chance"}
    assert min(met.values()) >= 100


def is_dominated(task, seat: int, plan: int) -> bool:
    """Whether another plan of that player is never worse and sometimes better, by the table alone."""
    won = [[cell[0] for cell in row] for row in task.matrix.payoffs]
    lines = [[-one for one in column] for column in zip(*won, strict=True)] if seat else won
    return any(all(a >= b for a, b in zip(line, lines[plan], strict=True)) and line != lines[plan] for line in lines)


def test_plans_that_must_not_go_are_named_by_why():
    """Better against something, just as good as another, the last one of a player; and where others have still to go, that is said."""
    met = Counter()
    for number, task in enumerate(tasks("dominance")):
        table = task.matrix
        plans = [(seat, place) for seat, many in enumerate((table.rows, table.columns)) for place in range(len(many))]
        needed = [plan for plan in plans if not is_dominated(task, *plan)]
        assert len(plans) - len(needed) >= 6
        assert said(task, needed[number % len(needed) :][:1]) in {"matrix.strike.better", "matrix.strike.same"}
        assert said(task, task.solution[: number % 6]) == "matrix.strike.more"
        met[said(task, plans[number % 2 :])] += 1
        task.restart()
    assert (
        {"matrix.strike.better", "matrix.strike.same"} <= set(met) <= {"matrix.strike.better", "matrix.strike.same", "matrix.strike.last"}
    )
