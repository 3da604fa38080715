"""Test answers that ignore the student's own numbers: revision 2 gives them almost nothing, and pays partial answers."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from durak_widget.econ431.bot_question import GOAL_MARGIN, PAIR_COUNT, DealPack
from durak_widget.econ431.endgame_positions import load_endgames
from durak_widget.errors import DurakError
from durak_widget.exercises.duplicate_bot_games import PairedGames, play_paired_games
from durak_widget.exercises.habit_bot import HABITS, HabitBot
from durak_widget.gametheory.tree import TERMINAL
from durak_widget.grading.answer_grading import compute_credit
from durak_widget.homework.assignment import get_assignment
from support.sizes import tried

if TYPE_CHECKING:
    from collections.abc import Callable

    Blind = Callable[[Any], object]

CLASS = [f"Student {number}" for number in range(30)]
YEAR = get_assignment("econ431", "2027 rev2")
MOST = Fraction(1, 10)
BEFORE = json.loads((Path(__file__).parents[1] / "data" / "credits_before_revisions.json").read_text(encoding="utf-8"))


def earned_share(task: Any, answer: object) -> Fraction:
    """Return what an answer earns; unreadable answers earn nothing."""
    task.restart()
    try:
        task.answer(answer)
    except DurakError:
        return Fraction(0)
    return compute_credit(task)


def class_tasks(name: str) -> list[Any]:
    """Return the tasks of a class, or of three classes for dominance, which has few different games."""
    years = [YEAR, *map(YEAR.with_edition, ("2028 rev2", "2029 rev2"))] if name == "dominance" else [YEAR]
    return [year.create_exercise(name, student) for year in years for student in CLASS]


def mean(shares: list[Fraction]) -> Fraction:
    """Return the average."""
    return sum(shares, Fraction(0)) / len(shares)


def end_payoffs(task: Any) -> list[Fraction]:
    """Return the payoffs at the ends of the student's tree."""
    return ends_of(task.tree)


def ends_of(tree: Any) -> list[Fraction]:
    """Return the payoffs at the ends of a tree."""
    return [tree.payoffs[tree.infoset_of[here]][0] for here in range(tree.history_count) if tree.actor[here] == TERMINAL]


def cycle(*numbers: object) -> Blind:
    """Return an answer that repeats these numbers."""
    return lambda task: [str(numbers[place % len(numbers)]) for place in range(len(task.solution))]


def constant_answers(values: tuple[int, ...], size: int) -> dict[str, Blind]:
    """Return answers of constants, patterns and empty fields, for a question with this many fields."""
    found: dict[str, Blind] = {f"{value} everywhere": cycle(value) for value in values}
    found |= {f"{value} and {two} in turn": cycle(value, two) for value in values[:3] for two in values[:3] if value != two}
    for before, after in ((values[0], values[1]), (values[1], values[0]), (values[0], values[2]), (values[2], values[0])):
        for at in (size // 3, size // 2, 2 * size // 3):
            found[f"{before} up to {at}, then {after}"] = lambda task, before=before, after=after, at=at: [
                str(before if place < at else after) for place in range(len(task.solution))
            ]
    for value in values[:2]:
        for at in range(0, size, 4):
            found[f"{value} at four places from {at} on"] = lambda task, value=value, at=at: [
                str(value) if at <= place < at + 4 else "" for place in range(len(task.solution))
            ]
    rng = Random(7)
    found["at random"] = lambda task: [str(rng.choice(values[:3])) for _ in task.solution]
    found["nothing"] = lambda task: [""] * len(task.solution)
    return found


def common_answers(tasks: list[Any]) -> dict[str, Blind]:
    """Return the most common right answers of the class, handed in by everybody."""
    rights = Counter(json.dumps(task._board_question.to_plain_data(task._board_question.parse_answer(task.solution))) for task in tasks)
    return {f"common answer {place}": lambda _, right=right: json.loads(right) for place, (right, _) in enumerate(rights.most_common(8))}


def blind_values(tasks: list[Any]) -> dict[str, Blind]:
    """Return values that somebody may write without solving the tree."""
    found = constant_answers((5, -5, 4, -4, 6, -6, 7, 0, 1, -1, 10, 3), 9)
    found["the largest payoff"] = lambda task: [str(max(end_payoffs(task)))] * len(task.solution)
    found["the smallest payoff"] = lambda task: [str(min(end_payoffs(task)))] * len(task.solution)
    found["the payoff seen most often"] = lambda task: [str(Counter(end_payoffs(task)).most_common(1)[0][0])] * len(task.solution)
    found["largest and smallest in turn"] = lambda task: cycle(max(end_payoffs(task)), min(end_payoffs(task)))(task)
    found["smallest and largest in turn"] = lambda task: cycle(min(end_payoffs(task)), max(end_payoffs(task)))(task)
    found["who moves gets most"] = lambda task: [
        str(min(end_payoffs(task)) if task.tree.actor[here] else max(end_payoffs(task)))
        for here in range(task.tree.history_count)
        if task.tree.actor[here] != TERMINAL
    ]
    found["who moves gets least"] = lambda task: [
        str(max(end_payoffs(task)) if task.tree.actor[here] else min(end_payoffs(task)))
        for here in range(task.tree.history_count)
        if task.tree.actor[here] != TERMINAL
    ]
    found["one value of their own solution"] = lambda task: [Counter(task.solution).most_common(1)[0][0]] * len(task.solution)
    return found | common_answers(tasks)


def levels(task: Any) -> list[list[int]]:
    """Return the nodes of each player at each depth of the tree."""
    found: dict[tuple[int, int], list[int]] = {}
    for here in range(task.tree.history_count):
        if task.tree.actor[here] >= 0:
            found.setdefault((len(task.tree.actions_from_root(here)), task.tree.actor[here]), []).append(here)
    return [level for level in found.values() if len(level) > 1]


def blind_sets(tasks: list[Any]) -> dict[str, Blind]:
    """Return sets that somebody may join without looking."""
    found: dict[str, Blind] = {
        "nothing": lambda _: [],
        "the two after chance": lambda _: [[1, 2]],
        "the level below": lambda _: [[1, 2], [3, 4, 5, 6]],
        "pairs of the second player": lambda _: [[1, 2], [3, 5], [4, 6]],
        "neighbours": lambda _: [[1, 2], [3, 4], [5, 6]],
        "everything": lambda task: [[here for here in range(task.tree.history_count) if task.tree.actor[here] >= 0]],
        "all of one player": lambda task: [
            [here for here in range(task.tree.history_count) if task.tree.actor[here] == seat] for seat in (0, 1)
        ],
        "each level": levels,
        "neighbours on each level": lambda task: [
            level[place : place + 2] for level in levels(task) for place in range(0, len(level) - 1, 2)
        ],
        "first and last of each level": lambda task: [[level[0], level[-1]] for level in levels(task)],
        "each place with the next": lambda _: [[place, place + 1] for place in (1, 7, 9, 11, 13)],
    }
    for start, other in product((7, 8), (11, 12)):
        for two, last in product((9, 10), (13, 14)):
            found[f"{start}-{other} and {two}-{last}"] = lambda _, groups=((1, 2), (start, other), (two, last)): [
                list(group) for group in groups
            ]
    return found | common_answers(tasks)


def blind_form(tasks: list[Any]) -> dict[str, Blind]:
    """Return cells that somebody may write without the tree, perhaps from the payoffs."""
    found = constant_answers((-1, 0, 1, -2, 2, -3, 3, -5, 5), 12)
    patterns: dict[str, Callable[[int], Fraction | int]] = {
        "the stake": lambda _: 1,
        "the stake lost": lambda _: -1,
        "the two in turn": lambda place: (-1) ** place,
        "lost in the first row, then nothing": lambda place: -(place < 4),
        "nothing, then lost in the last row": lambda place: -(place >= 8),
        "lost in two rows, then won": lambda place: 1 - 2 * (place < 8),
        "won in two rows, then lost": lambda place: 2 * (place < 8) - 1,
        "lost, nothing, won by rows": lambda place: place // 4 - 1,
        "lost, nothing, lost by rows": lambda place: -((place // 4) % 2 == 0),
    }
    found |= {
        f"looks: {name}": lambda task, pattern=pattern: [str(pattern(place) * max(ends_of(task._tree))) for place in range(12)]
        for name, pattern in patterns.items()
    }
    found["lost in the first row alone"] = lambda task: [str(-max(ends_of(task._tree)))] * 4
    columns = list(zip(*(task.solution for task in tasks), strict=True))
    found["what is right most often in each cell"] = lambda _: [Counter(column).most_common(1)[0][0] for column in columns]
    return found | common_answers(tasks)


def blind_plans(_: list[Any]) -> dict[str, Blind]:
    """Return strategies that somebody may eliminate without comparing."""
    rows, columns = [[0, place] for place in range(3)], [[1, place] for place in range(6)]
    orders = {
        "nothing": [],
        "rows": rows,
        "columns": columns,
        "all": [*rows, *columns],
        "all, columns first": [*columns, *rows],
        "all backwards": [*columns[::-1], *rows[::-1]],
        "the last of each": [rows[2], columns[5]],
        "but the first of each": [*rows[1:], *columns[1:]],
        "but the last of each": [*rows[:2], *columns[:5]],
        "but the first, the columns first": [*columns[1:], *rows[1:]],
    }
    orders |= {f"the first {many} columns": columns[:many] for many in (1, 2, 3, 4)}
    orders |= {f"the last {many} columns": columns[-many:] for many in (2, 3, 4)}
    orders |= {f"two rows, then the first {many} columns": [*rows[:2], *columns[:many]] for many in (2, 4)}
    orders |= {f"two rows, then the last {many} columns": [*rows[1:], *columns[-many:]] for many in (2, 4)}
    orders |= {"every second plan": [rows[0], rows[2], *columns[::2]], "every second column": columns[1::2]}
    last_year = [
        get_assignment("econ431", "2026 rev2").create_exercise("dominance", student) for student in CLASS
    ]  # there are 45 sets of strategies, so two classmates may have the same
    return {name: lambda _task, plans=plans: plans for name, plans in orders.items()} | common_answers(last_year)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "strategies"),
    [
        pytest.param("backward-induction", blind_values, marks=pytest.mark.slow),
        ("information-sets", blind_sets),
        pytest.param("strategic-form", blind_form, marks=pytest.mark.slow),
        pytest.param("dominance", blind_plans, marks=pytest.mark.slow),
    ],
)
def test_blind_answers_earn_at_most_a_tenth(name: str, strategies: Callable[[list[Any]], dict[str, Blind]]):
    """This is the average of a class of thirty, for at least twenty answers. Right answers earn full marks.

    A student who looks up the payoffs and guesses the rows has done a part: it earns at most a fifth.
    """
    tasks = class_tasks(name)
    ways = strategies(tasks)
    assert len(ways) >= 20
    found = {way: mean([earned_share(task, blind(task)) for task in tasks]) for way, blind in ways.items()}
    looks = {way for way in found if way.startswith("looks: ")}
    assert {way: float(share) for way, share in found.items() if share > (Fraction(1, 5) if way in looks else MOST)} == {}
    assert {earned_share(task, task.solution) for task in tasks} == {1}


@pytest.mark.slow
def test_the_same_number_everywhere_earns_nothing():
    """A number that follows only from itself is not paid."""
    for name in ("backward-induction", "strategic-form"):
        for task in class_tasks(name):
            assert {earned_share(task, [item] * len(task.solution)) for item in set(task.solution)} == {0}


@pytest.mark.slow
def test_partial_answers_earn_partial_credit():
    """An empty field or slip costs a part, half of the fields earn about a third, a consistent slip costs less than half."""
    for name in ("backward-induction", "strategic-form"):
        for task in class_tasks(name):
            right = list(task.solution)
            assert Fraction(4, 5) < earned_share(task, ["", *right[1:]]) < 1
            assert Fraction(1, 4) <= earned_share(task, right[: (len(right) + 1) // 2]) < Fraction(1, 2)
            assert Fraction(1, 2) <= earned_share(task, ["99", *right[1:]]) < 1
            assert earned_share(task, ["?", *right[1:]]) == earned_share(task, ["", *right[1:]])


def test_values_consistent_with_a_mistake_earn_credit():
    """Values above the mistake count if other values show that they were computed."""
    for task in class_tasks("backward-induction"):
        tree, values = task.tree, {}
        places = [here for here in range(tree.history_count) if tree.actor[here] != TERMINAL]
        slips = [
            here for here in places if all(tree.actor[child] == TERMINAL for child in tree.children(here)) and tree.child_count[here] > 1
        ]
        for here in reversed(range(tree.history_count)):
            below = [values[child] for child in tree.children(here)]
            pick = [max, min][tree.actor[here] % 2] if here != slips[-1] else [min, max][tree.actor[here] % 2]
            values[here] = tree.payoffs[tree.infoset_of[here]][0] if tree.actor[here] == TERMINAL else pick(below)
        given = [str(values[here]) for here in places]
        assert given == task.solution or Fraction(2, 5) <= earned_share(task, given) < 1


@pytest.mark.slow
def test_partly_right_groups_and_strategies_earn_credit():
    """Two groups of three earn half, five strategies of six more than half, four something."""
    for task in class_tasks("information-sets"):
        assert [earned_share(task, task.solution[:many]) for many in (1, 2)] == [0, Fraction(1, 2)]
    for task in class_tasks("dominance"):
        assert [earned_share(task, task.solution[:many]) for many in (3, 4, 5)] == [0, 0, Fraction(1, 3)]


@pytest.mark.slow
def test_editions_without_a_revision_are_marked_as_before():
    """Right, half right and blind answers to every question earn what they earned before revisions."""
    assignments: dict[tuple[str, str, str], Any] = {}
    for edition, student, name, given, credit in BEFORE[:: tried(5, 1)]:
        key = (edition, student, name)
        task = assignments.setdefault(key, get_assignment("econ431").with_edition(edition).create_exercise(name, student))
        assert earned_share(task, given) == Fraction(credit), key
    assert {name for *_, name in assignments} == {question.name for question in YEAR.questions}


FAIR = {pack.seed: pack for pack in map(DealPack.from_line, load_endgames("packs.fair"))}
WON = json.loads((Path(__file__).parents[1] / "data" / "packs_won.json").read_text(encoding="utf-8"))
"""The wins of each mix of habits on each pack. Playing them all takes half an hour."""
MIXES = [HabitBot(*rules) for rules in product(*HABITS.values())]


def habits_share(pack: DealPack, place: int) -> Fraction:
    """Return what a mix of habits earns on a pack."""
    return min(
        max(Fraction(WON[pack.seed][place] - pack.base_points, pack.max_points - GOAL_MARGIN - pack.base_points), Fraction(0)), Fraction(1)
    )


def test_no_single_mix_of_habits_earns_more_than_two_fifths():
    """This is the average over classes of thirty and all packs, for all 108 mixes. Each student's right answer earns all."""
    tasks = class_tasks("bot")
    for packs in ([FAIR[task.paired_games.seed] for task in tasks], [*FAIR.values()]):
        earns = {mix: mean([habits_share(pack, place) for pack in packs]) for place, mix in enumerate(MIXES)}
        assert {mix: float(share) for mix, share in earns.items() if share > Fraction(2, 5)} == {}
    assert earned_share(tasks[0], tasks[0].solution) == 1


@pytest.mark.slow
def test_stored_results_of_packs_match_games_played_again():
    """The best mix and three random ones play again. The best reaches the goal, and no mix wins more."""
    assert FAIR.keys() == WON.keys()
    rng = Random(5)
    for pack in FAIR.values():
        assert (max(WON[pack.seed]), pack.max_points - GOAL_MARGIN - pack.base_points) == (pack.max_points, 4)
    for pack in rng.sample([*FAIR.values()], 3):
        for place in (MIXES.index(pack.best_habits), rng.randrange(len(MIXES))):
            assert (
                play_paired_games(MIXES[place], PairedGames("econ431", pack.opponent.to_line, PAIR_COUNT, pack.seed)).won
                == WON[pack.seed][place]
            )
