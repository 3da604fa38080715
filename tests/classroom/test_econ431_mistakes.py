"""What is said of a wrong answer to the questions on boards: every mistake that can be named there comes up, and is what it is called; by a second look that knows the text alone."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

from class431 import tasks
from econ431_later import ends, reached, trump_of, walked

from durak_widget.classroom.credit import mistake


def said(task, answer) -> str:
    """How the mistake of a first answer is called."""
    task.again()
    assert not task.answer(answer)
    return mistake(task)


def test_places_that_differ_are_told_apart_by_what_differs():
    """By who moves, by the cards in hand, by the moves there are, by what the player did or saw before; each pair of places joined, of students in turn."""
    met = Counter()
    for number, task in enumerate(tasks("information-sets")):
        tree = task.tree
        known = {one.here: one.seen[tree.actor[one.here]] for one in walked(tree, trump_of(task.question)) if tree.actor[one.here] >= 0}
        for one, other in list(combinations(sorted(known), 2))[number % 16 :: 16]:
            if known[one] == known[other] and tree.actor[one] == tree.actor[other]:
                continue
            hands = [[part for part in known[here] if isinstance(part, frozenset)][-1:] for here in (one, other)]
            first = [next(part for part in known[here] if not isinstance(part, (str, int))) for here in (one, other)]
            name = said(task, [[one, other]])
            met[name] += 1
            differ = {
                "tree.apart.players": tree.actor[one] != tree.actor[other],
                "tree.apart.cards": tree.actor[one] == tree.actor[other] and (hands[0] or first[0]) != (hands[1] or first[1]),
                "tree.apart.moves": {*map(tree.move_to, tree.children(one))} != {*map(tree.move_to, tree.children(other))},
            }
            assert differ.get(name, True), (name, known[one], known[other])
        assert said(task, task.solution[: number % 3]) == "tree.sets.left"
        task.again()
    assert set(met) == {"tree.apart.players", "tree.apart.cards", "tree.apart.moves"}
    assert min(met.values()) >= 10


def test_cells_that_are_wrong_are_named_by_what_they_hold():
    """What the other gets, what one draw alone gives, what cannot be read; where none is proved, it is said that chance has a part in it."""
    met = Counter()
    for number, task in enumerate(tasks("strategic-form")):
        tree, table, solution = task._tree, task.table, list(task.solution)
        worth, there = ends(tree, trump_of(task.question), None), reached(tree)
        for place in range(number % 4, len(solution), 4):
            right = Fraction(solution[place])
            row, column = table.rows[place // len(table.columns)], table.columns[place % len(table.columns)]
            draws = [worth[one.here] for one in there if one.fits(0, row.moves) and one.fits(1, column.moves)]
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
        task.again()
    assert set(met) == {"turned", "drawn", "unread", "chance"}
    assert min(met.values()) >= 100


def is_dominated(task, seat: int, plan: int) -> bool:
    """Whether another plan of that player is never worse and sometimes better, by the table alone."""
    won = [[cell[0] for cell in row] for row in task.table.payoffs]
    lines = [[-one for one in column] for column in zip(*won, strict=True)] if seat else won
    return any(all(a >= b for a, b in zip(line, lines[plan], strict=True)) and line != lines[plan] for line in lines)


def test_plans_that_must_not_go_are_named_by_why():
    """Better against something, the last one of a player; and where others have still to go, that is said."""
    met = Counter()
    for number, task in enumerate(tasks("dominance")):
        table = task.table
        plans = [(seat, place) for seat, many in enumerate((table.rows, table.columns)) for place in range(len(many))]
        needed = [plan for plan in plans if not is_dominated(task, *plan)]
        assert len(plans) - len(needed) == 5
        assert said(task, needed[number % len(needed) :][:1]) == "matrix.strike.better"
        assert said(task, task.solution[: number % 5]) == "matrix.strike.more"
        met[said(task, plans[number % 2 :])] += 1
        task.again()
    assert set(met) == {"matrix.strike.better", "matrix.strike.last"}
